-- name: UpsertUser :exec
INSERT INTO users (id, name, created_at) VALUES ($1, $2, $3) ON CONFLICT (id) DO NOTHING;

-- name: User :one
SELECT * FROM users WHERE id = $1;
