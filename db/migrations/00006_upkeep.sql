-- +goose Up
-- What background work looks for again and again, so that no history is too long for it: runs that were sent more than once,
-- runs that wait for somebody's decision, runs that are not over.
CREATE INDEX runs_resent ON runs (last_sent_at) WHERE attempt > 1;
CREATE INDEX runs_undecided ON runs (last_sent_at) WHERE state = 'unconfirmed' OR state = 'failed' AND step = 'dismissed';
CREATE INDEX runs_alive ON runs (state, id) WHERE state <> 'done' AND state <> 'failed';

-- +goose Down
DROP INDEX runs_alive;
DROP INDEX runs_undecided;
DROP INDEX runs_resent;
