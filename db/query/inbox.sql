-- name: RunStands :one
SELECT state, step FROM runs WHERE id = $1;

-- name: InsertCallback :execrows
INSERT INTO inbox (run_id, sha256, body, ip, at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (run_id, sha256) DO NOTHING;

-- name: CountCallbacks :one
SELECT count(*) FROM inbox WHERE run_id = $1;

-- name: Callbacks :many
SELECT * FROM inbox WHERE run_id = $1 ORDER BY at;

-- name: OldSaid :many
SELECT run_id FROM answers WHERE answers.at < $1 AND run_id NOT IN (SELECT id FROM runs WHERE state <> 'done' AND state <> 'failed')
UNION ALL SELECT run_id FROM inbox WHERE inbox.at < $1 AND body <> '' AND run_id NOT IN (SELECT id FROM runs WHERE state <> 'done' AND state <> 'failed')
LIMIT $2;

-- name: EmptyCallbacks :exec
UPDATE inbox SET body = '' WHERE run_id = $1;
