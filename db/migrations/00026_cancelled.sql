-- +goose Up
-- A run that was cancelled after the studio had looked for it in vain is still looked for: its request may be acted on late.
DROP INDEX runs_undecided;
CREATE INDEX runs_undecided ON runs (last_sent_at) WHERE state = 'unconfirmed' OR state = 'failed' AND step = 'dismissed'
    OR state = 'failed' AND step = 'cancelled' AND misses > 0;

-- +goose Down
UPDATE runs SET step = CASE WHEN misses > 0 THEN 'dismissed' ELSE '' END WHERE state = 'failed' AND step = 'cancelled';
DROP INDEX runs_undecided;
CREATE INDEX runs_undecided ON runs (last_sent_at) WHERE state = 'unconfirmed' OR state = 'failed' AND step = 'dismissed';
