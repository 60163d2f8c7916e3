-- +goose Up
-- A single result can be thrown away and taken back; 0 = it was not. What lists and counts go through leaves out what was.
ALTER TABLE results ADD COLUMN trashed_at bigint NOT NULL DEFAULT 0;
CREATE INDEX results_live ON results (run_id, idx) WHERE trashed_at = 0;
CREATE INDEX results_trash ON results (user_id, run_id) WHERE trashed_at > 0;
CREATE INDEX results_trash_age ON results (trashed_at) WHERE trashed_at > 0;
DROP INDEX results_starred;
DROP INDEX results_picked;
DROP INDEX results_rated;
DROP INDEX results_by_rating;
DROP INDEX results_changed;
DROP INDEX results_by_score;
CREATE INDEX results_starred ON results (user_id, run_id DESC, idx) WHERE starred AND trashed_at = 0;
CREATE INDEX results_picked ON results (user_id, pick, run_id DESC, idx) WHERE pick <> '' AND trashed_at = 0;
CREATE INDEX results_rated ON results (user_id, run_id DESC, idx, rating) WHERE rating <> 0 AND trashed_at = 0;
CREATE INDEX results_by_rating ON results (user_id, rating DESC, run_id DESC, idx) WHERE rating > 0 AND trashed_at = 0;
CREATE INDEX results_changed ON results (user_id, run_id DESC, idx) WHERE changed AND trashed_at = 0;
CREATE INDEX results_by_score ON results (user_id, score DESC, run_id DESC, idx) WHERE score IS NOT NULL AND trashed_at = 0;

-- +goose Down
DROP INDEX results_by_score;
DROP INDEX results_changed;
DROP INDEX results_by_rating;
DROP INDEX results_rated;
DROP INDEX results_picked;
DROP INDEX results_starred;
CREATE INDEX results_starred ON results (user_id, run_id DESC, idx) WHERE starred;
CREATE INDEX results_picked ON results (user_id, pick, run_id DESC, idx) WHERE pick <> '';
CREATE INDEX results_rated ON results (user_id, run_id DESC, idx, rating) WHERE rating <> 0;
CREATE INDEX results_by_rating ON results (user_id, rating DESC, run_id DESC, idx) WHERE rating > 0;
CREATE INDEX results_changed ON results (user_id, run_id DESC, idx) WHERE changed;
CREATE INDEX results_by_score ON results (user_id, score DESC, run_id DESC, idx) WHERE score IS NOT NULL;
DROP INDEX results_trash_age;
DROP INDEX results_trash;
DROP INDEX results_live;
ALTER TABLE results DROP COLUMN trashed_at;
