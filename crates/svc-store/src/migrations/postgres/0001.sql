CREATE TABLE projects (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    name TEXT COLLATE "C" NOT NULL,
    repository TEXT COLLATE "C",
    branch TEXT COLLATE "C",
    model TEXT COLLATE "C",
    created_at BIGINT NOT NULL
);

CREATE TABLE keys (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    project TEXT COLLATE "C" NOT NULL REFERENCES projects (id),
    name TEXT COLLATE "C" NOT NULL,
    lookup TEXT COLLATE "C" NOT NULL UNIQUE,
    hash BYTEA NOT NULL,
    scope TEXT COLLATE "C" NOT NULL,
    networks TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT,
    revoked_at BIGINT,
    last_used_at BIGINT
);
CREATE INDEX keys_of_project ON keys (project, created_at, id);

CREATE TABLE jobs (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    project TEXT COLLATE "C" NOT NULL REFERENCES projects (id),
    repository TEXT COLLATE "C" NOT NULL,
    branch TEXT COLLATE "C",
    model TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    turn BIGINT NOT NULL,
    pull_request TEXT COLLATE "C",
    status TEXT COLLATE "C" NOT NULL CHECK (status IN ('active', 'completed', 'failed', 'archived')),
    attempts BIGINT NOT NULL,
    lease_token TEXT COLLATE "C",
    lease_until BIGINT,
    reason TEXT COLLATE "C",
    archived_at BIGINT,
    log_bytes BIGINT NOT NULL,
    CHECK ((lease_token IS NULL) = (lease_until IS NULL)),
    CHECK ((status = 'archived') = (archived_at IS NOT NULL)),
    CHECK ((status = 'failed') = (reason IS NOT NULL))
);
CREATE INDEX jobs_of_project ON jobs (project, created_at, id);
CREATE INDEX jobs_of_status ON jobs (project, status, created_at, id);
CREATE INDEX jobs_by_status ON jobs (status, created_at, id);

CREATE TABLE prompts (
    job TEXT COLLATE "C" NOT NULL REFERENCES jobs (id),
    turn BIGINT NOT NULL,
    prompt TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (job, turn)
);

CREATE TABLE logs (
    job TEXT COLLATE "C" NOT NULL REFERENCES jobs (id),
    start BIGINT NOT NULL,
    part BYTEA NOT NULL,
    PRIMARY KEY (job, start)
);

CREATE TABLE answers (
    owner TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    fingerprint BYTEA NOT NULL,
    ends_at BIGINT NOT NULL,
    status BIGINT,
    body TEXT COLLATE "C",
    PRIMARY KEY (owner, name)
);
CREATE INDEX answers_by_end ON answers (ends_at);

CREATE TABLE audit (
    number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at BIGINT NOT NULL,
    actor TEXT COLLATE "C" NOT NULL,
    actor_name TEXT COLLATE "C",
    address TEXT COLLATE "C",
    project TEXT COLLATE "C",
    action TEXT COLLATE "C" NOT NULL,
    subject TEXT COLLATE "C",
    status BIGINT NOT NULL
);
CREATE INDEX audit_of_project ON audit (project, number);

CREATE TABLE accounts (
    name TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    password TEXT COLLATE "C",
    created_at BIGINT NOT NULL,
    disabled_at BIGINT
);

CREATE TABLE sessions (
    hash BYTEA NOT NULL PRIMARY KEY,
    account TEXT COLLATE "C" NOT NULL REFERENCES accounts (name),
    csrf TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    last_seen_at BIGINT NOT NULL,
    ends_at BIGINT NOT NULL
);
CREATE INDEX sessions_of_account ON sessions (account);
CREATE INDEX sessions_by_end ON sessions (ends_at);

CREATE TABLE deployments (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    project TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    document TEXT COLLATE "C" NOT NULL
);
CREATE INDEX deployments_of_project ON deployments (project, created_at, id);
