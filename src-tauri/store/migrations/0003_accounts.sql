-- Accounts at providers: how they are reached and what is known of them. Keys are never here: `key_in` says where
-- one is kept, `key_ref` names its entry in the keyring. `facts` and `error` are NULL until a check found them.

CREATE TABLE accounts (
    name       TEXT    NOT NULL PRIMARY KEY,
    key_in     TEXT    NOT NULL CHECK (key_in IN ('keyring', 'file', 'session', 'environment')),
    key_ref    TEXT    NOT NULL,
    address    TEXT    NOT NULL,
    proxy      TEXT    NOT NULL,
    ca_file    TEXT    NOT NULL,
    changed_at INTEGER NOT NULL,
    checked_at INTEGER,
    facts      TEXT CHECK (json_valid(facts)),
    error      TEXT CHECK (json_valid(error))
) STRICT, WITHOUT ROWID;
