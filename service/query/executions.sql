-- name: CreateExecution :exec
INSERT INTO execution (id, task_id, account_id, status, params, base_url, callback_url, created_at, visible_at, turn, items, makes)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

-- name: LastTurnOfAccount :one
-- Where the account's open executions end in the line; 0 when it has none.
SELECT CAST(coalesce(max(turn + items), 0) AS bigint) AS turn FROM execution WHERE account_id = $1 AND ended_at = 0;

-- name: FirstOpenTurn :one
SELECT CAST(coalesce(min(turn), 0) AS bigint) AS turn FROM execution WHERE ended_at = 0;

-- name: FindExecution :one
SELECT * FROM execution WHERE id = $1;

-- name: FindExecutionOf :one
SELECT * FROM execution WHERE id = $1 AND account_id = $2 AND visible_at <= sqlc.arg(now);

-- name: ListExecutions :many
SELECT * FROM execution WHERE task_id = $1 AND visible_at <= sqlc.arg(now) ORDER BY created_at DESC, id DESC LIMIT 20;

-- name: ListExecutionIDs :many
SELECT id FROM execution WHERE task_id = $1;

-- name: CountOpenExecutions :one
SELECT count(*) FROM execution WHERE account_id = $1 AND ended_at = 0;

-- name: ListOpenExecutions :many
SELECT id, segmented_at, turn, makes FROM execution WHERE ended_at = 0 ORDER BY turn, id;

-- name: SetExecutionStatus :execrows
UPDATE execution SET status = sqlc.arg(status) WHERE id = sqlc.arg(id) AND status <> sqlc.arg(status) AND ended_at = 0;

-- name: BeginSegmentation :one
UPDATE execution SET attempts = attempts + 1 WHERE id = $1 AND segmented_at = 0 AND ended_at = 0 RETURNING *;

-- name: ForgiveSegmentation :exec
UPDATE execution SET attempts = attempts - 1 WHERE id = $1 AND attempts > 0 AND segmented_at = 0;

-- name: SetExecutionSegmented :execrows
UPDATE execution SET segmented_at = $2, mask_file = $3 WHERE id = $1 AND segmented_at = 0 AND ended_at = 0;

-- name: EndExecution :execrows
UPDATE execution SET status = $2, ended_at = $3 WHERE id = $1 AND ended_at = 0;

-- name: CreateItem :exec
INSERT INTO item (execution_id, n, status) VALUES ($1, $2, $3);

-- name: FindItem :one
SELECT * FROM item WHERE execution_id = $1 AND n = $2;

-- name: ListItems :many
SELECT * FROM item WHERE execution_id = $1 ORDER BY n;

-- name: ListItemsOfTask :many
SELECT i.* FROM item i JOIN execution e ON e.id = i.execution_id
WHERE e.task_id = $1 AND e.created_at >= sqlc.arg(since)
ORDER BY i.execution_id, i.n;

-- name: StartItem :execrows
UPDATE item SET status = 'Running', attempts = attempts + 1
WHERE execution_id = $1 AND n = $2 AND status IN ('Pending', 'Running');

-- name: ForgiveItem :exec
UPDATE item SET attempts = attempts - 1 WHERE execution_id = $1 AND n = $2 AND attempts > 0 AND status = 'Running';

-- name: FinishItem :execrows
UPDATE item SET status = 'Success', file_id = $3, poster_file = $4, last_frame_file = $5
WHERE execution_id = $1 AND n = $2 AND status IN ('Pending', 'Running');

-- name: FailItem :execrows
UPDATE item SET status = 'Failed', error = $3 WHERE execution_id = $1 AND n = $2 AND status IN ('Pending', 'Running');

-- name: FailItems :execrows
UPDATE item SET status = 'Failed', error = $2 WHERE execution_id = $1 AND status IN ('Pending', 'Running');

-- name: FindIdempotency :one
SELECT * FROM idempotency WHERE account_id = $1 AND name = $2;

-- name: CreateIdempotency :exec
INSERT INTO idempotency (account_id, name, body_sha256, execution_id, task_id, created_at) VALUES ($1, $2, $3, $4, $5, $6);

-- name: DeleteOldIdempotency :exec
DELETE FROM idempotency WHERE created_at < $1;
