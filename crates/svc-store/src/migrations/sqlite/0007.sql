CREATE TABLE targets (
    project TEXT NOT NULL,
    target TEXT NOT NULL,
    number INTEGER NOT NULL,
    wanted INTEGER NOT NULL,
    built INTEGER NOT NULL,
    request TEXT,
    requested_at INTEGER,
    fence INTEGER NOT NULL,
    holder TEXT,
    lease_until INTEGER,
    polled_at INTEGER,
    release_number INTEGER NOT NULL,
    release TEXT,
    failure TEXT,
    PRIMARY KEY (project, target)
) STRICT;
CREATE UNIQUE INDEX targets_by_number ON targets (number);
CREATE INDEX targets_pending ON targets (project, target) WHERE wanted > built;

CREATE TABLE snapshots (
    project TEXT NOT NULL,
    key TEXT NOT NULL,
    object TEXT NOT NULL,
    sum BLOB NOT NULL,
    size INTEGER NOT NULL,
    used_at INTEGER NOT NULL,
    PRIMARY KEY (project, key)
) STRICT;
