CREATE TABLE pull_requests (
    project TEXT NOT NULL,
    number BIGINT NOT NULL,
    source TEXT NOT NULL,
    document TEXT NOT NULL,
    version BIGINT NOT NULL,
    sent BIGINT NOT NULL,
    comment TEXT,
    fence BIGINT NOT NULL,
    holder TEXT,
    lease_until BIGINT,
    attempts BIGINT NOT NULL,
    retry_at BIGINT,
    failure TEXT,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (project, number)
);
CREATE INDEX pull_requests_by_source ON pull_requests (project, source);
CREATE INDEX pull_requests_pending ON pull_requests (project, number) WHERE version > sent;
