CREATE INDEX audit_by_time ON audit (at, number);
