CREATE TABLE reader_ids (
    digest BYTEA NOT NULL PRIMARY KEY,
    ends_at BIGINT NOT NULL
);
CREATE INDEX reader_ids_by_end ON reader_ids (ends_at);

CREATE TABLE reader_revocations (
    number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    digest BYTEA NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX reader_revocations_by_time ON reader_revocations (at);
