-- +goose Up
-- What the image service may still list of runs that were deleted for good, and whose they were: it goes on belonging to them.
CREATE TABLE purged (
    tag     text PRIMARY KEY,
    task_id text NOT NULL,
    user_id text NOT NULL REFERENCES users (id)
);
CREATE INDEX purged_task ON purged (task_id) WHERE task_id <> '';
-- A task of the image service is asked to do one thing at a time: only so is its newest execution known to be the run's that waits.
CREATE UNIQUE INDEX runs_in_flight ON runs (task_id) WHERE task_id <> '' AND state IN ('submitting', 'ambiguous');
-- How often a layered export that is made was fetched in vain.
ALTER TABLE runs ADD COLUMN psd_attempts bigint NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE runs DROP COLUMN psd_attempts;
DROP INDEX runs_in_flight;
DROP TABLE purged;
