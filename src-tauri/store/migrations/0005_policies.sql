-- Residency policies of the team's own, and which policy holds for which project.

-- `body` is the policy as JSON. Those that come with the desk are not here.
CREATE TABLE policies (
    name       TEXT    NOT NULL PRIMARY KEY,
    changed_at INTEGER NOT NULL,
    body       TEXT    NOT NULL CHECK (json_valid(body))
) STRICT, WITHOUT ROWID;

-- `key` is the project's name in small letters, empty for launches that name no project; `policy` may be one that
-- comes with the desk.
CREATE TABLE project_policies (
    key     TEXT NOT NULL PRIMARY KEY,
    project TEXT NOT NULL,
    policy  TEXT NOT NULL CHECK (policy <> '')
) STRICT, WITHOUT ROWID;
