-- name: NextDeliveryNumber :one
SELECT CAST(coalesce(max(n), 0) + 1 AS bigint) AS n FROM delivery WHERE execution_id = $1;

-- name: CreateDelivery :exec
INSERT INTO delivery (id, execution_id, n, status, items, state, created_at) VALUES ($1, $2, $3, $4, $5, 'waiting', $6);

-- name: FindDelivery :one
SELECT * FROM delivery WHERE id = $1;

-- name: FirstWaitingDelivery :one
-- The one to tell next: changes are told in their order.
SELECT id FROM delivery WHERE execution_id = $1 AND state = 'waiting' ORDER BY n, id LIMIT 1;

-- name: ListFirstWaitingDeliveries :many
SELECT d.id, d.beginnings FROM delivery d
WHERE d.state = 'waiting' AND NOT EXISTS (
    SELECT 1 FROM delivery e
    WHERE e.execution_id = d.execution_id AND e.state = 'waiting' AND (e.n < d.n OR (e.n = d.n AND e.id < d.id))
)
ORDER BY d.created_at;

-- name: CountWaitingDeliveries :one
SELECT count(*) FROM delivery WHERE execution_id = $1 AND state = 'waiting';

-- name: RefuseDelivery :one
-- Counted after the answer: a post that a crash cut off was perhaps never seen, and is sent again.
UPDATE delivery SET attempts = attempts + 1, beginnings = 0 WHERE id = $1 AND state = 'waiting' RETURNING attempts;

-- name: BeginDelivery :one
UPDATE delivery SET beginnings = beginnings + 1 WHERE id = $1 AND state = 'waiting' RETURNING beginnings;

-- name: ForgiveDelivery :exec
UPDATE delivery SET beginnings = beginnings - 1 WHERE id = $1 AND beginnings > 0 AND state = 'waiting';

-- name: DeleteOldDeliveries :exec
DELETE FROM delivery WHERE state <> 'waiting' AND ended_at < $1;

-- name: EndDelivery :execrows
UPDATE delivery SET state = $2, ended_at = $3 WHERE id = $1 AND state = 'waiting';
