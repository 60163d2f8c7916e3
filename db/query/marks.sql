-- name: Mark :one
SELECT at FROM marks WHERE name = $1;

-- name: SetMark :exec
INSERT INTO marks (name, at) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET at = excluded.at;

-- name: DeleteMark :exec
DELETE FROM marks WHERE name = $1;

-- name: OldestUser :one
SELECT id FROM users ORDER BY created_at, id LIMIT 1;
