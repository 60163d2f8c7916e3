-- name: InsertCallback :execrows
INSERT INTO inbox (run_id, sha256, body, ip, at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (run_id, sha256) DO NOTHING;

-- name: CountCallbacks :one
SELECT count(*) FROM inbox WHERE run_id = $1;

-- name: Callbacks :many
SELECT * FROM inbox WHERE run_id = $1 ORDER BY at;
