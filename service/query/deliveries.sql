-- name: CreateDelivery :exec
INSERT INTO delivery (id, execution_id, status, state, created_at) VALUES ($1, $2, $3, 'waiting', $4);

-- name: FindDelivery :one
SELECT * FROM delivery WHERE id = $1;

-- name: ListWaitingDeliveries :many
SELECT id FROM delivery WHERE state = 'waiting' ORDER BY created_at;

-- name: TryDelivery :one
-- Counted before the request goes out, so that a crash never posts more often than promised.
UPDATE delivery SET attempts = attempts + 1 WHERE id = $1 AND state = 'waiting' RETURNING attempts;

-- name: DeleteOldDeliveries :exec
DELETE FROM delivery WHERE state <> 'waiting' AND ended_at < $1;

-- name: EndDelivery :exec
UPDATE delivery SET state = $2, ended_at = $3 WHERE id = $1;
