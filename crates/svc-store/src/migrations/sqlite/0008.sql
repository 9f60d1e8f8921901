CREATE TABLE pull_requests (
    project TEXT NOT NULL,
    number INTEGER NOT NULL,
    source TEXT NOT NULL,
    document TEXT NOT NULL,
    version INTEGER NOT NULL,
    sent INTEGER NOT NULL,
    comment TEXT,
    fence INTEGER NOT NULL,
    holder TEXT,
    lease_until INTEGER,
    attempts INTEGER NOT NULL,
    retry_at INTEGER,
    failure TEXT,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (project, number)
) STRICT;
CREATE INDEX pull_requests_by_source ON pull_requests (project, source);
CREATE INDEX pull_requests_pending ON pull_requests (project, number) WHERE version > sent;
