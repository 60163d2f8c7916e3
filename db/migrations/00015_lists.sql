-- +goose Up
-- Lists are read from what stands in memory (see db/lists.go): the indexes they were read from are only there to be written. What
-- somebody shows is what is on the boards they show.
DROP INDEX runs_live;
DROP INDEX runs_live_agent;
DROP INDEX runs_unusual;
DROP INDEX results_live;
DROP INDEX results_starred;
DROP INDEX results_picked;
DROP INDEX results_rated;
DROP INDEX results_by_rating;
DROP INDEX results_changed;
DROP INDEX results_by_score;
DROP INDEX results_changed_by_score;
DROP INDEX results_unusual;
DROP INDEX results_moving;
DROP INDEX board_results_list;
DROP INDEX board_results_shown;
ALTER TABLE board_results DROP COLUMN shown_by;

-- +goose Down
ALTER TABLE board_results ADD COLUMN shown_by text NOT NULL DEFAULT '';
UPDATE board_results SET shown_by = (SELECT CASE WHEN o.shared THEN o.user_id ELSE '' END FROM boards o WHERE o.id = board_results.board_id);
CREATE INDEX board_results_shown ON board_results (shown_by, run_id DESC, result_id) WHERE shown_by <> '';
CREATE INDEX board_results_list ON board_results (board_id, run_id DESC, result_id);
CREATE INDEX results_moving ON results (user_id, run_id DESC, idx, status, pick, rating, starred, changed) WHERE kind = 'video' AND trashed_at = 0;
CREATE INDEX results_unusual ON results (user_id, status, run_id DESC, idx, pick, rating, starred, changed) WHERE status <> 'Success' AND trashed_at = 0;
CREATE INDEX results_changed_by_score ON results (user_id, score DESC, run_id DESC, idx, status, pick, rating, starred) WHERE changed AND score IS NOT NULL AND trashed_at = 0;
CREATE INDEX results_by_score ON results (user_id, score DESC, run_id DESC, idx, status, pick, rating, starred, changed) WHERE score IS NOT NULL AND trashed_at = 0;
CREATE INDEX results_changed ON results (user_id, run_id DESC, idx, status, pick, rating, starred) WHERE changed AND trashed_at = 0;
CREATE INDEX results_by_rating ON results (user_id, rating DESC, run_id DESC, idx, status, pick, starred, changed) WHERE rating > 0 AND trashed_at = 0;
CREATE INDEX results_rated ON results (user_id, run_id DESC, idx, rating, status, pick, starred, changed) WHERE rating <> 0 AND trashed_at = 0;
CREATE INDEX results_picked ON results (user_id, pick, run_id DESC, idx, status, rating, starred, changed) WHERE pick <> '' AND trashed_at = 0;
CREATE INDEX results_starred ON results (user_id, run_id DESC, idx, status, pick, rating, changed) WHERE starred AND trashed_at = 0;
CREATE INDEX results_live ON results (run_id, idx, status, pick, rating, starred, changed, score) WHERE trashed_at = 0;
CREATE INDEX runs_unusual ON runs (user_id, id, status, state) WHERE status <> 'Success' OR state <> 'done';
CREATE INDEX runs_live_agent ON runs (user_id, agent, id) WHERE trashed_at = 0;
CREATE INDEX runs_live ON runs (user_id, id) WHERE trashed_at = 0;
