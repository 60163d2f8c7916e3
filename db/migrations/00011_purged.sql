-- +goose Up
-- What the image service may still list of runs that were deleted for good, and whose they were: it goes on belonging to them.
CREATE TABLE purged (
    tag     text PRIMARY KEY,
    task_id text NOT NULL,
    user_id text NOT NULL REFERENCES users (id)
);
CREATE INDEX purged_task ON purged (task_id) WHERE task_id <> '';

-- +goose Down
DROP TABLE purged;
