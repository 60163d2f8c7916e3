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

-- name: PowerOfExecution :one
-- What an execution cost, and all of its account together.
SELECT e.items AS used, CAST((SELECT sum(x.items) FROM execution x WHERE x.account_id = e.account_id) AS bigint) AS spent
FROM execution e WHERE e.id = $1 AND e.account_id = $2;

-- name: FindReceiver :one
-- Whom to tell of an execution.
SELECT id, task_id, account_id, base_url, callback_url FROM execution WHERE id = $1;

-- name: FindExecutionHead :one
-- An execution as answers show it. Its params are there when they have at most 4096 bytes; ReadParams gives longer ones.
SELECT id, task_id, status, created_at, ended_at, makes, CAST(octet_length(params) AS bigint) AS params_bytes,
  CAST(CASE WHEN octet_length(params) <= 4096 THEN params ELSE '' END AS text) AS params
FROM execution WHERE id = $1 AND account_id = $2 AND visible_at <= sqlc.arg(now);

-- name: ReadParams :one
-- Some characters of them, from the first on, counted from 1. What fits whole is not looked through for characters.
SELECT CAST(CASE WHEN CAST(sqlc.arg(first) AS integer) = 1 AND octet_length(params) <= CAST(sqlc.arg(characters) AS integer) THEN params
  ELSE substr(params, CAST(sqlc.arg(first) AS integer), CAST(sqlc.arg(characters) AS integer)) END AS text) AS piece
FROM execution WHERE id = sqlc.arg(id);

-- name: ListExecutions :many
-- With the columns of FindExecutionHead.
SELECT id, task_id, status, created_at, ended_at, makes, CAST(octet_length(params) AS bigint) AS params_bytes,
  CAST(CASE WHEN octet_length(params) <= 4096 THEN params ELSE '' END AS text) AS params
FROM execution WHERE task_id = $1 AND visible_at <= sqlc.arg(now) ORDER BY created_at DESC, id DESC LIMIT 20;

-- name: ListExecutionsOfPage :many
-- Those that a page of tasks shows, in no order: of each task the 20 newest, and more only where others were made in the same
-- millisecond as the twentieth. The page goes from the task at (from_at, from_id) to that at (to_at, to_id). The columns are those of
-- FindExecutionHead.
SELECT e.id, e.task_id, e.status, e.created_at, e.ended_at, e.makes, CAST(octet_length(e.params) AS bigint) AS params_bytes,
  CAST(CASE WHEN octet_length(e.params) <= 4096 THEN e.params ELSE '' END AS text) AS params
FROM task t JOIN execution e ON e.task_id = t.id
WHERE t.account_id = sqlc.arg(account_id)
  AND (t.key_id = sqlc.arg(key_id) OR t.key_id = '')
  AND (t.created_at, t.id) >= (sqlc.arg(from_at), CAST(sqlc.arg(from_id) AS text)) AND (t.created_at, t.id) <= (sqlc.arg(to_at), CAST(sqlc.arg(to_id) AS text))
  AND e.visible_at <= sqlc.arg(now)
  AND e.created_at >= coalesce((
    SELECT x.created_at FROM execution x WHERE x.task_id = t.id AND x.visible_at <= sqlc.arg(now)
    ORDER BY x.created_at DESC LIMIT 1 OFFSET 19), 0);

-- name: ListExecutionIDs :many
SELECT id FROM execution WHERE task_id = $1;

-- name: CountOpenExecutions :one
SELECT count(*) FROM execution WHERE account_id = $1 AND ended_at = 0;

-- name: ListOpenExecutions :many
SELECT id, segmented_at, attempts, turn, makes FROM execution WHERE ended_at = 0 ORDER BY turn, id;

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
-- In no order.
SELECT i.* FROM item i JOIN execution e ON e.id = i.execution_id
WHERE e.task_id = $1 AND e.created_at >= sqlc.arg(since);

-- name: ListItemsOfPage :many
-- The items of what ListExecutionsOfPage gives, in no order.
SELECT i.*
FROM task t JOIN execution e ON e.task_id = t.id JOIN item i ON i.execution_id = e.id
WHERE t.account_id = sqlc.arg(account_id)
  AND (t.key_id = sqlc.arg(key_id) OR t.key_id = '')
  AND (t.created_at, t.id) >= (sqlc.arg(from_at), CAST(sqlc.arg(from_id) AS text)) AND (t.created_at, t.id) <= (sqlc.arg(to_at), CAST(sqlc.arg(to_id) AS text))
  AND e.visible_at <= sqlc.arg(now)
  AND e.created_at >= coalesce((
    SELECT x.created_at FROM execution x WHERE x.task_id = t.id AND x.visible_at <= sqlc.arg(now)
    ORDER BY x.created_at DESC LIMIT 1 OFFSET 19), 0);

-- name: StartItem :one
UPDATE item SET status = 'Running', attempts = attempts + 1
WHERE execution_id = $1 AND n = $2 AND status IN ('Pending', 'Running') RETURNING attempts;

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
