CREATE TABLE reader_ids (
    digest BLOB NOT NULL PRIMARY KEY,
    ends_at INTEGER NOT NULL
) STRICT;
CREATE INDEX reader_ids_by_end ON reader_ids (ends_at);

CREATE TABLE reader_revocations (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    digest BLOB NOT NULL,
    at INTEGER NOT NULL
) STRICT;
CREATE INDEX reader_revocations_by_time ON reader_revocations (at);
