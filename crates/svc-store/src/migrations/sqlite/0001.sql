CREATE TABLE projects (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    repository TEXT,
    branch TEXT,
    model TEXT,
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE keys (
    id TEXT NOT NULL PRIMARY KEY,
    project TEXT NOT NULL REFERENCES projects (id),
    name TEXT NOT NULL,
    lookup TEXT NOT NULL UNIQUE,
    hash BLOB NOT NULL,
    scope TEXT NOT NULL,
    networks TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER,
    last_used_at INTEGER
) STRICT;
CREATE INDEX keys_of_project ON keys (project, created_at, id);

CREATE TABLE jobs (
    id TEXT NOT NULL PRIMARY KEY,
    project TEXT NOT NULL REFERENCES projects (id),
    repository TEXT NOT NULL,
    branch TEXT,
    model TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    turn INTEGER NOT NULL,
    pull_request TEXT,
    status TEXT NOT NULL CHECK (status IN ('active', 'completed', 'failed', 'archived')),
    attempts INTEGER NOT NULL,
    lease_token TEXT,
    lease_until INTEGER,
    reason TEXT,
    archived_at INTEGER,
    log_bytes INTEGER NOT NULL,
    CHECK ((lease_token IS NULL) = (lease_until IS NULL)),
    CHECK ((status = 'archived') = (archived_at IS NOT NULL)),
    CHECK ((status = 'failed') = (reason IS NOT NULL))
) STRICT;
CREATE INDEX jobs_of_project ON jobs (project, created_at, id);
CREATE INDEX jobs_of_status ON jobs (project, status, created_at, id);
CREATE INDEX jobs_by_status ON jobs (status, created_at, id);

CREATE TABLE prompts (
    job TEXT NOT NULL REFERENCES jobs (id),
    turn INTEGER NOT NULL,
    prompt TEXT NOT NULL,
    PRIMARY KEY (job, turn)
) STRICT, WITHOUT ROWID;

CREATE TABLE logs (
    job TEXT NOT NULL REFERENCES jobs (id),
    start INTEGER NOT NULL,
    part BLOB NOT NULL,
    PRIMARY KEY (job, start)
) STRICT;

CREATE TABLE answers (
    owner TEXT NOT NULL,
    name TEXT NOT NULL,
    fingerprint BLOB NOT NULL,
    ends_at INTEGER NOT NULL,
    status INTEGER,
    body TEXT,
    PRIMARY KEY (owner, name)
) STRICT;
CREATE INDEX answers_by_end ON answers (ends_at);

CREATE TABLE audit (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    actor_name TEXT,
    address TEXT,
    project TEXT,
    action TEXT NOT NULL,
    subject TEXT,
    status INTEGER NOT NULL
) STRICT;
CREATE INDEX audit_of_project ON audit (project, number);

CREATE TABLE accounts (
    name TEXT NOT NULL PRIMARY KEY,
    password TEXT,
    created_at INTEGER NOT NULL,
    disabled_at INTEGER
) STRICT;

CREATE TABLE sessions (
    hash BLOB NOT NULL PRIMARY KEY,
    account TEXT NOT NULL REFERENCES accounts (name),
    csrf TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL,
    ends_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sessions_of_account ON sessions (account);
CREATE INDEX sessions_by_end ON sessions (ends_at);

CREATE TABLE deployments (
    id TEXT NOT NULL PRIMARY KEY,
    project TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    document TEXT NOT NULL
) STRICT;
CREATE INDEX deployments_of_project ON deployments (project, created_at, id);
