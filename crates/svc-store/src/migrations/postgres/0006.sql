CREATE TABLE reader_tokens (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    project TEXT COLLATE "C" NOT NULL REFERENCES projects (id),
    name TEXT COLLATE "C" NOT NULL,
    hash BYTEA NOT NULL UNIQUE,
    reader_groups TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT,
    revoked_at BIGINT,
    last_used_at BIGINT
);
CREATE INDEX reader_tokens_of_project ON reader_tokens (project, created_at, id);

CREATE TABLE reader_sessions (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    project TEXT COLLATE "C" NOT NULL REFERENCES projects (id),
    name TEXT COLLATE "C" NOT NULL,
    email TEXT COLLATE "C",
    method TEXT COLLATE "C" NOT NULL,
    signed_in_at BIGINT NOT NULL,
    seen_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    confirmed_at BIGINT NOT NULL,
    digest BYTEA NOT NULL,
    subject BYTEA,
    provider_session BYTEA
);
CREATE INDEX reader_sessions_of_project ON reader_sessions (project, seen_at, id);
CREATE INDEX reader_sessions_by_end ON reader_sessions (expires_at);
CREATE INDEX reader_revocations_by_digest ON reader_revocations (digest, at);
