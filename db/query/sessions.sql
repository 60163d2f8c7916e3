-- name: InsertSession :exec
INSERT INTO sessions (hash, user_id, created_at, seen_at, agent) VALUES ($1, $2, $3, $4, $5);

-- name: Session :one
SELECT * FROM sessions WHERE hash = $1;

-- name: TouchSession :exec
UPDATE sessions SET seen_at = $2 WHERE hash = $1;

-- name: DeleteSession :exec
DELETE FROM sessions WHERE hash = $1;

-- name: DeleteStaleSessions :execrows
DELETE FROM sessions WHERE seen_at < $1 OR created_at < $2;
