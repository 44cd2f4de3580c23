-- The market: feeds, their offers, what was kept out, prices over time, rates, watches and settings.
-- Times are whole milliseconds since 1970 UTC, days are ISO 8601 text, money is whole nano-units beside its currency.

-- One row a feed, tried at least once. `as_of` is NULL until the first success; `error` is NULL unless the last
-- try failed.
CREATE TABLE feeds (
    id            INTEGER PRIMARY KEY,
    name          TEXT    NOT NULL UNIQUE,
    origin        TEXT,
    as_of         INTEGER,
    version       TEXT,
    tried_at      INTEGER NOT NULL,
    succeeded_at  INTEGER,
    seconds       REAL,
    failing_since INTEGER,
    error         TEXT,
    offers        INTEGER NOT NULL DEFAULT 0,
    rows_read     INTEGER NOT NULL DEFAULT 0,
    rows_used     INTEGER NOT NULL DEFAULT 0,
    rows_not_gpu  INTEGER NOT NULL DEFAULT 0,
    quarantined   INTEGER NOT NULL DEFAULT 0,
    price_changes INTEGER NOT NULL DEFAULT 0,
    notes         TEXT    NOT NULL DEFAULT '[]',
    -- The newest moment at which a price began or ended, so that the feed's history never runs backwards.
    history_at    INTEGER
) STRICT;

-- One row an offer. `body` is the offer as JSON without its unknown fields; price and currency stand beside it for
-- the comparison with the next answer (NULL: a price that does not fit 64 bits of nano-units), and `priced_at` says
-- since when they hold. Clustered by key: an answer is compared in one walk, and a load reads each feed in one piece.
-- The reference is checked at commit: with a check at every row SQLite would journal each statement a second time.
CREATE TABLE offers (
    feed      INTEGER NOT NULL REFERENCES feeds (id) DEFERRABLE INITIALLY DEFERRED,
    id        TEXT    NOT NULL CHECK (id <> ''),
    per_hour  INTEGER,
    currency  TEXT,
    priced_at INTEGER NOT NULL,
    body      TEXT    NOT NULL,
    PRIMARY KEY (feed, id)
) STRICT, WITHOUT ROWID;

-- Rows that are not in the table, each with its reason. `body` is the whole row as JSON.
CREATE TABLE quarantine (
    id   INTEGER PRIMARY KEY,
    feed INTEGER NOT NULL REFERENCES feeds (id),
    body TEXT    NOT NULL
) STRICT;
CREATE INDEX quarantine_by_feed ON quarantine (feed);

-- Prices that hold no more: from `since` until just before `until` the offer cost this. The price that holds now is
-- the one in `offers`. A gap between two rows: the offer was gone. Not tied to `offers`: history outlives the offer.
CREATE TABLE price_history (
    feed     INTEGER NOT NULL REFERENCES feeds (id),
    offer    TEXT    NOT NULL,
    since    INTEGER NOT NULL,
    until    INTEGER NOT NULL CHECK (until > since),
    per_hour INTEGER NOT NULL,
    currency TEXT    NOT NULL,
    PRIMARY KEY (feed, offer, since)
) STRICT, WITHOUT ROWID;

-- The market of one day by GPU: what the 30-day lines are drawn from. Prices are of one card-hour in USD.
CREATE TABLE model_days (
    gpu    TEXT    NOT NULL,
    day    TEXT    NOT NULL,
    lowest INTEGER NOT NULL,
    median INTEGER NOT NULL,
    offers INTEGER NOT NULL,
    PRIMARY KEY (gpu, day)
) STRICT, WITHOUT ROWID;

-- One row a bank and day. `per_unit` is a JSON object: currency to decimal text.
CREATE TABLE rates (
    source     TEXT    NOT NULL,
    day        TEXT    NOT NULL,
    base       TEXT    NOT NULL,
    fetched_at INTEGER NOT NULL,
    per_unit   TEXT    NOT NULL,
    PRIMARY KEY (source, day)
) STRICT, WITHOUT ROWID;

-- Standing questions. AUTOINCREMENT: the number of a removed watch is never given to another.
CREATE TABLE watches (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    line       TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    best_usd   INTEGER,
    told_at    INTEGER,
    last_hit   TEXT
) STRICT;

CREATE TABLE settings (
    key   TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL CHECK (json_valid(value))
) STRICT, WITHOUT ROWID;
