-- +goose Up
-- What answers show of an execution beside its params stands in the index: params may be long, and in the row lie before the rest.
CREATE INDEX execution_shown ON execution (task_id, created_at, visible_at, id, status, ended_at, makes);
DROP INDEX execution_of_task;

-- +goose Down
CREATE INDEX execution_of_task ON execution (task_id, created_at);
DROP INDEX execution_shown;
