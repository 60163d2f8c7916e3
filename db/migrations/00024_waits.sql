-- +goose Up
-- in_line: the run waits for its turn and for nothing else. unfetched: the result was given up because it could not be fetched, and is
-- tried again when the studio is started. Earlier versions told both by the sentences that were shown.
ALTER TABLE runs ADD COLUMN in_line boolean NOT NULL DEFAULT false;
ALTER TABLE results ADD COLUMN unfetched boolean NOT NULL DEFAULT false;
UPDATE runs SET in_line = true WHERE state IN ('recorded', 'submitting') AND state <> 'done' AND state <> 'failed'
    AND error_message = 'The image service has enough to do. This run waits its turn and starts by itself.';
UPDATE results SET unfetched = true WHERE status = 'Success' AND sha256 = ''
    AND error = 'This picture was made but could not be fetched from the image service.';

-- +goose Down
ALTER TABLE results DROP COLUMN unfetched;
ALTER TABLE runs DROP COLUMN in_line;
