-- +goose Up
-- Each place on a board names the run of its result, so that a board is listed in the order of runs from an index.
ALTER TABLE board_results ADD COLUMN run_id text NOT NULL DEFAULT '';
UPDATE board_results SET run_id = (SELECT s.run_id FROM results s WHERE s.id = board_results.result_id);
CREATE INDEX board_results_list ON board_results (board_id, run_id DESC, result_id);

-- +goose Down
DROP INDEX board_results_list;
ALTER TABLE board_results DROP COLUMN run_id;
