-- +goose Up
-- Moments the studio has to remember beside its rows. rebuild: runs that were started after it may be missing, because a
-- backup was restored; the image service is asked for them at the next start.
CREATE TABLE marks (
    name text PRIMARY KEY,
    at   bigint NOT NULL
);

-- Results that are made and not stored here yet.
CREATE INDEX results_unstored ON results (id) WHERE status = 'Success' AND sha256 = '' AND error = '';

-- +goose Down
DROP INDEX results_unstored;
DROP TABLE marks;
