CREATE TABLE targets (
    project TEXT NOT NULL,
    target TEXT NOT NULL,
    number BIGINT NOT NULL,
    wanted BIGINT NOT NULL,
    built BIGINT NOT NULL,
    request TEXT,
    requested_at BIGINT,
    fence BIGINT NOT NULL,
    holder TEXT,
    lease_until BIGINT,
    polled_at BIGINT,
    release_number BIGINT NOT NULL,
    release TEXT,
    failure TEXT,
    PRIMARY KEY (project, target)
);
CREATE UNIQUE INDEX targets_by_number ON targets (number);
CREATE INDEX targets_pending ON targets (project, target) WHERE wanted > built;

CREATE TABLE snapshots (
    project TEXT NOT NULL,
    key TEXT NOT NULL,
    object TEXT NOT NULL,
    sum BYTEA NOT NULL,
    size BIGINT NOT NULL,
    used_at BIGINT NOT NULL,
    PRIMARY KEY (project, key)
);
