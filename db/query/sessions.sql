-- name: InsertSession :exec
INSERT INTO sessions (hash, user_id, created_at, seen_at, agent, ip) VALUES ($1, $2, $3, $4, $5, $6);

-- name: DeleteOldSessionsOf :exec
DELETE FROM sessions WHERE hash IN (
    SELECT s.hash FROM sessions s WHERE s.user_id = $1 AND s.hash <> $2 ORDER BY s.seen_at DESC, s.hash LIMIT 1000000 OFFSET $3);

-- name: Session :one
SELECT * FROM sessions WHERE hash = $1;

-- name: SessionsOf :many
SELECT * FROM sessions WHERE user_id = $1 ORDER BY seen_at DESC, hash LIMIT 1000;

-- name: StandingSessions :many
SELECT s.hash FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.disabled_at = 0;

-- name: TouchSession :exec
UPDATE sessions SET seen_at = $2 WHERE hash = $1;

-- name: DeleteSession :exec
DELETE FROM sessions WHERE hash = $1;

-- name: DeleteSessionsOf :exec
DELETE FROM sessions WHERE user_id = $1 AND hash <> $2;

-- name: DeleteStaleSessions :execrows
DELETE FROM sessions WHERE seen_at < $1 OR created_at < $2;
