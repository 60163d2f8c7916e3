-- +goose Up
-- How many results somebody may ask for in a month; -1 = as many as they like.
ALTER TABLE users ADD COLUMN monthly bigint NOT NULL DEFAULT -1;
-- How many results were asked for. It outlives its run, which may be deleted for good within the month.
CREATE TABLE asked (
    run_id  text PRIMARY KEY,
    user_id text NOT NULL REFERENCES users (id),
    at      bigint NOT NULL,
    results bigint NOT NULL
);
CREATE INDEX asked_month ON asked (user_id, at);

-- +goose Down
DROP TABLE asked;
ALTER TABLE users DROP COLUMN monthly;
