-- Servers of the team's own, and who has which part of them.

-- `body` is what a person said of it, as JSON. `facts` is what was read when all was well for the last time; `health`
-- and `detail` are of the last check, NULL before the first one.
CREATE TABLE own_hosts (
    alias      TEXT    NOT NULL PRIMARY KEY,
    body       TEXT    NOT NULL CHECK (json_valid(body)),
    facts      TEXT CHECK (json_valid(facts)),
    facts_at   INTEGER,
    health     TEXT,
    detail     TEXT,
    checked_at INTEGER
) STRICT, WITHOUT ROWID;

-- A booking takes cards or slices of a server. Whoever books reads what is booked and writes in one transaction, so
-- that of two programs one comes second. Bookings that ended stay: they say how a server was used.
CREATE TABLE own_bookings (
    id       INTEGER NOT NULL PRIMARY KEY,
    host     TEXT    NOT NULL,
    token    TEXT    NOT NULL UNIQUE,
    units    TEXT    NOT NULL CHECK (json_valid(units)),
    begun_at INTEGER NOT NULL,
    ended_at INTEGER
) STRICT;
CREATE INDEX own_bookings_live ON own_bookings (host) WHERE ended_at IS NULL;
CREATE INDEX own_bookings_by_end ON own_bookings (ended_at);
