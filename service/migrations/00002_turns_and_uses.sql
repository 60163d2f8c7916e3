-- +goose Up
-- The line of the pixel work: an execution's first item stands at turn, the others behind it, so that accounts take turns.
ALTER TABLE execution ADD COLUMN turn  bigint NOT NULL DEFAULT 0;
ALTER TABLE execution ADD COLUMN items bigint NOT NULL DEFAULT 0; -- how many there are

ALTER TABLE delivery ADD COLUMN n     bigint NOT NULL DEFAULT 0;  -- counts the changes of an execution
ALTER TABLE delivery ADD COLUMN items text   NOT NULL DEFAULT ''; -- JSON: the items at the change, as far as they differ from none begun
CREATE INDEX delivery_of_execution ON delivery (execution_id, n);

-- Which files of ours a task, and a custom preset, was made from.
CREATE TABLE task_file (
    task_id text NOT NULL REFERENCES task (id) ON DELETE CASCADE,
    file_id text NOT NULL,
    PRIMARY KEY (task_id, file_id)
);
CREATE INDEX task_file_of_file ON task_file (file_id);

CREATE TABLE preset_file (
    preset_id bigint NOT NULL REFERENCES my_preset (id) ON DELETE CASCADE,
    file_id   text   NOT NULL,
    PRIMARY KEY (preset_id, file_id)
);
CREATE INDEX preset_file_of_file ON preset_file (file_id);

CREATE INDEX file_uploaded ON file (created_at) WHERE kind = 'upload';

-- +goose Down
DROP INDEX file_uploaded;
DROP TABLE preset_file;
DROP TABLE task_file;
DROP INDEX delivery_of_execution;
ALTER TABLE delivery DROP COLUMN items;
ALTER TABLE delivery DROP COLUMN n;
ALTER TABLE execution DROP COLUMN items;
ALTER TABLE execution DROP COLUMN turn;
