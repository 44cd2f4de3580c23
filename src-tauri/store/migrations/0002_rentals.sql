-- Rentals: what was asked for, written once, and what happened since, only ever added to.

-- `body` is the record as JSON and never changes. `events` counts the rental's events: whoever adds one says how many
-- there were when it decided, so that two programs never act on the same state. `remote_id`, `over` and `settled`
-- follow from the events and stand here for look-ups: over = nothing is left at the provider, settled = nothing is
-- left to be looked at either.
CREATE TABLE rentals (
    id        TEXT    NOT NULL PRIMARY KEY,
    token     TEXT    NOT NULL UNIQUE,
    name      TEXT    NOT NULL CHECK (name <> ''),
    account   TEXT    NOT NULL,
    remote_id TEXT,
    events    INTEGER NOT NULL,
    over      INTEGER NOT NULL DEFAULT 0 CHECK (over IN (0, 1)),
    settled   INTEGER NOT NULL DEFAULT 0 CHECK (settled IN (0, 1)),
    body      TEXT    NOT NULL CHECK (json_valid(body))
) STRICT;
CREATE UNIQUE INDEX rentals_by_name ON rentals (name) WHERE over = 0;
CREATE UNIQUE INDEX rentals_by_machine ON rentals (account, remote_id) WHERE remote_id IS NOT NULL;
CREATE INDEX rentals_unsettled ON rentals (id) WHERE settled = 0;

CREATE TABLE rental_events (
    rental TEXT    NOT NULL REFERENCES rentals (id),
    number INTEGER NOT NULL,
    body   TEXT    NOT NULL CHECK (json_valid(body)),
    PRIMARY KEY (rental, number)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER rental_events_are_not_changed BEFORE UPDATE ON rental_events
BEGIN SELECT RAISE(ABORT, 'events are only added'); END;
CREATE TRIGGER rental_events_are_not_removed BEFORE DELETE ON rental_events
BEGIN SELECT RAISE(ABORT, 'events are only added'); END;

-- Machines that are not ours and that a person wants out of sight.
CREATE TABLE ignored_machines (
    account   TEXT    NOT NULL,
    remote_id TEXT    NOT NULL,
    since     INTEGER NOT NULL,
    PRIMARY KEY (account, remote_id)
) STRICT, WITHOUT ROWID;
