CREATE TABLE reader_tokens (
    id TEXT NOT NULL PRIMARY KEY,
    project TEXT NOT NULL REFERENCES projects (id),
    name TEXT NOT NULL,
    hash BLOB NOT NULL UNIQUE,
    reader_groups TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER,
    last_used_at INTEGER
) STRICT;
CREATE INDEX reader_tokens_of_project ON reader_tokens (project, created_at, id);

CREATE TABLE reader_sessions (
    id TEXT NOT NULL PRIMARY KEY,
    project TEXT NOT NULL REFERENCES projects (id),
    name TEXT NOT NULL,
    email TEXT,
    method TEXT NOT NULL,
    signed_in_at INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    confirmed_at INTEGER NOT NULL,
    digest BLOB NOT NULL,
    subject BLOB,
    provider_session BLOB
) STRICT;
CREATE INDEX reader_sessions_of_project ON reader_sessions (project, seen_at, id);
CREATE INDEX reader_sessions_by_end ON reader_sessions (expires_at);
CREATE INDEX reader_revocations_by_digest ON reader_revocations (digest, at);
