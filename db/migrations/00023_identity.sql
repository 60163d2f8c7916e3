-- +goose Up
-- What makes this studio the one it is. names: the key by which the names that its runs go out under are known for its own. It is no
-- secret that opens anything, and stays when the database is restored from a backup.
CREATE TABLE identity (
    name  text PRIMARY KEY,
    value text NOT NULL
);

-- +goose Down
DROP TABLE identity;
