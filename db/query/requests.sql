-- name: KeepRequest :exec
INSERT INTO requests (run_id, at, digest, sealed) VALUES ($1, $2, $3, $4)
ON CONFLICT (run_id) DO UPDATE SET at = excluded.at, digest = excluded.digest, sealed = excluded.sealed;

-- name: Request :one
SELECT * FROM requests WHERE run_id = $1;

-- name: LetGoOfRequest :exec
UPDATE requests SET sealed = '' WHERE run_id = $1 AND sealed <> '';
