-- name: CreateTask :exec
INSERT INTO task (id, account_id, key_id, surface, agent, version, input, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8);

-- name: FindTask :one
SELECT * FROM task WHERE id = $1 AND account_id = $2;

-- name: FindTaskHead :one
-- A task as answers show it. Its input is there when it has at most 4096 bytes; ReadTaskInput gives a longer one.
SELECT id, surface, agent, version, created_at, CAST(octet_length(input) AS bigint) AS input_bytes,
  CAST(CASE WHEN octet_length(input) <= 4096 THEN input ELSE '' END AS text) AS input
FROM task WHERE id = $1 AND account_id = $2;

-- name: ReadTaskInput :one
-- Some characters of it, from the first on, counted from 1.
SELECT CAST(substr(input, CAST(sqlc.arg(first) AS integer), CAST(sqlc.arg(characters) AS integer)) AS text) AS piece FROM task WHERE id = sqlc.arg(id);

-- name: DeleteTask :execrows
DELETE FROM task WHERE id = $1 AND account_id = $2;

-- name: ListTasks :many
-- Newest first, with the columns of FindTaskHead. The bounds are milliseconds; the position is the last task of the page before.
SELECT id, surface, agent, version, created_at, CAST(octet_length(input) AS bigint) AS input_bytes,
  CAST(CASE WHEN octet_length(input) <= 4096 THEN input ELSE '' END AS text) AS input
FROM task
WHERE account_id = sqlc.arg(account_id)
  AND (key_id = sqlc.arg(key_id) OR key_id = '')
  AND (surface = 'task' OR CAST(sqlc.arg(runs) AS bigint) = 1)
  AND created_at >= sqlc.arg(created_after)
  AND created_at < sqlc.arg(created_before)
  AND (created_at < sqlc.arg(position_at) OR (created_at = sqlc.arg(position_at) AND id < sqlc.arg(position_id)))
ORDER BY created_at DESC, id DESC
LIMIT sqlc.arg(page_size);
