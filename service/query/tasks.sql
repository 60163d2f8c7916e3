-- name: CreateTask :exec
INSERT INTO task (id, account_id, key_id, surface, agent, version, input, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8);

-- name: FindTask :one
SELECT * FROM task WHERE id = $1 AND account_id = $2;

-- name: DeleteTask :execrows
DELETE FROM task WHERE id = $1 AND account_id = $2;

-- name: ListTasks :many
-- Newest first. The bounds are milliseconds; the position is the last task of the page before.
SELECT * FROM task
WHERE account_id = sqlc.arg(account_id)
  AND (key_id = sqlc.arg(key_id) OR key_id = '')
  AND (surface = 'task' OR CAST(sqlc.arg(runs) AS bigint) = 1)
  AND created_at >= sqlc.arg(created_after)
  AND created_at < sqlc.arg(created_before)
  AND (created_at < sqlc.arg(position_at) OR (created_at = sqlc.arg(position_at) AND id < sqlc.arg(position_id)))
ORDER BY created_at DESC, id DESC
LIMIT sqlc.arg(page_size);
