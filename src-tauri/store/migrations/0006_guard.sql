-- The guard and the ledger: how machines were used, budgets, and what is told to whom.

-- When nothing was left of a rental, in milliseconds; NULL = it is not over, or that is from before this column. The
-- ledger of a month reads no rental that was over before it.
ALTER TABLE rentals ADD COLUMN finished INTEGER;
CREATE INDEX rentals_by_finish ON rentals (finished);

-- How a machine was used, by the minute since 1970: what the guard judges by. Kept for two days.
CREATE TABLE activity (
    rental  TEXT    NOT NULL REFERENCES rentals (id),
    minute  INTEGER NOT NULL,
    samples INTEGER NOT NULL CHECK (samples > 0),
    state   TEXT    NOT NULL,
    why     TEXT    NOT NULL,
    util    REAL,
    vram    REAL,
    PRIMARY KEY (rental, minute)
) STRICT, WITHOUT ROWID;

-- The same by the hour since 1970, kept for good: minutes of each state, the mean use and the most memory of a card,
-- in percent.
CREATE TABLE activity_hours (
    rental       TEXT    NOT NULL REFERENCES rentals (id),
    hour         INTEGER NOT NULL,
    working      INTEGER NOT NULL,
    idle         INTEGER NOT NULL,
    parked       INTEGER NOT NULL,
    unknown      INTEGER NOT NULL,
    util_sum     REAL    NOT NULL,
    util_minutes INTEGER NOT NULL,
    vram         REAL,
    PRIMARY KEY (rental, hour)
) STRICT, WITHOUT ROWID;

-- `body` is the budget as JSON.
CREATE TABLE budgets (
    name       TEXT    NOT NULL PRIMARY KEY,
    changed_at INTEGER NOT NULL,
    body       TEXT    NOT NULL CHECK (json_valid(body))
) STRICT, WITHOUT ROWID;

-- Thresholds that were told, each once a period: `period` is its first moment.
CREATE TABLE budget_marks (
    budget    TEXT    NOT NULL,
    period    INTEGER NOT NULL,
    threshold INTEGER NOT NULL,
    at        INTEGER NOT NULL,
    PRIMARY KEY (budget, period, threshold)
) STRICT, WITHOUT ROWID;

-- What was told, each thing once: `key` names it within its subject (a rental's id, or a budget's name). `mail` and
-- `webhook`: 0 = not by this way, 1 = still to be sent, 2 = sent, 3 = given up.
CREATE TABLE notices (
    id      INTEGER NOT NULL PRIMARY KEY,
    subject TEXT    NOT NULL,
    key     TEXT    NOT NULL,
    kind    TEXT    NOT NULL,
    name    TEXT    NOT NULL,
    text    TEXT    NOT NULL,
    at      INTEGER NOT NULL,
    mail    INTEGER NOT NULL DEFAULT 0 CHECK (mail BETWEEN 0 AND 3),
    webhook INTEGER NOT NULL DEFAULT 0 CHECK (webhook BETWEEN 0 AND 3),
    tries   INTEGER NOT NULL DEFAULT 0,
    next_at INTEGER NOT NULL DEFAULT 0,
    UNIQUE (subject, key)
) STRICT;
CREATE INDEX notices_to_send ON notices (next_at) WHERE mail = 1 OR webhook = 1;
