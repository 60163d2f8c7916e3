-- +goose Up
-- What lists are filtered by stands in the indexes they are read from, so that what is left out costs no look at its row.
DROP INDEX results_live;
DROP INDEX results_starred;
DROP INDEX results_picked;
DROP INDEX results_rated;
DROP INDEX results_by_rating;
DROP INDEX results_changed;
DROP INDEX results_by_score;
DROP INDEX results_unusual;
CREATE INDEX results_live ON results (run_id, idx, status, pick, rating, starred, changed, score) WHERE trashed_at = 0;
CREATE INDEX results_starred ON results (user_id, run_id DESC, idx, status, pick, rating, changed) WHERE starred AND trashed_at = 0;
CREATE INDEX results_picked ON results (user_id, pick, run_id DESC, idx, status, rating, starred, changed) WHERE pick <> '' AND trashed_at = 0;
CREATE INDEX results_rated ON results (user_id, run_id DESC, idx, rating, status, pick, starred, changed) WHERE rating <> 0 AND trashed_at = 0;
CREATE INDEX results_by_rating ON results (user_id, rating DESC, run_id DESC, idx, status, pick, starred, changed) WHERE rating > 0 AND trashed_at = 0;
CREATE INDEX results_changed ON results (user_id, run_id DESC, idx, status, pick, rating, starred) WHERE changed AND trashed_at = 0;
CREATE INDEX results_by_score ON results (user_id, score DESC, run_id DESC, idx, status, pick, rating, starred, changed) WHERE score IS NOT NULL AND trashed_at = 0;
CREATE INDEX results_changed_by_score ON results (user_id, score DESC, run_id DESC, idx, status, pick, rating, starred) WHERE changed AND score IS NOT NULL AND trashed_at = 0;
CREATE INDEX results_unusual ON results (user_id, status, run_id DESC, idx, pick, rating, starred, changed) WHERE status <> 'Success' AND trashed_at = 0;

-- +goose Down
DROP INDEX results_unusual;
DROP INDEX results_changed_by_score;
DROP INDEX results_by_score;
DROP INDEX results_changed;
DROP INDEX results_by_rating;
DROP INDEX results_rated;
DROP INDEX results_picked;
DROP INDEX results_starred;
DROP INDEX results_live;
CREATE INDEX results_live ON results (run_id, idx) WHERE trashed_at = 0;
CREATE INDEX results_starred ON results (user_id, run_id DESC, idx) WHERE starred AND trashed_at = 0;
CREATE INDEX results_picked ON results (user_id, pick, run_id DESC, idx) WHERE pick <> '' AND trashed_at = 0;
CREATE INDEX results_rated ON results (user_id, run_id DESC, idx, rating) WHERE rating <> 0 AND trashed_at = 0;
CREATE INDEX results_by_rating ON results (user_id, rating DESC, run_id DESC, idx) WHERE rating > 0 AND trashed_at = 0;
CREATE INDEX results_changed ON results (user_id, run_id DESC, idx) WHERE changed AND trashed_at = 0;
CREATE INDEX results_by_score ON results (user_id, score DESC, run_id DESC, idx) WHERE score IS NOT NULL AND trashed_at = 0;
CREATE INDEX results_unusual ON results (user_id, status, run_id DESC, idx) WHERE status <> 'Success';
