-- name: InsertExport :exec
INSERT INTO exports (id, user_id, kind, name, plan, sha256, bytes, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8);

-- name: Export :one
SELECT * FROM exports WHERE id = $1 AND user_id = $2 AND kind = $3;

-- name: OldExports :many
SELECT id, sha256 FROM exports WHERE created_at < $1 ORDER BY created_at LIMIT 1000;

-- name: CountOldExports :one
SELECT count(*) FROM (SELECT 1 FROM exports WHERE created_at < $1 LIMIT 1) AS few;

-- name: SurplusExports :many
SELECT id, sha256 FROM exports WHERE user_id = $1 AND kind = $2 ORDER BY id DESC LIMIT 1000 OFFSET $3;

-- name: CountExportsSince :one
SELECT count(*) FROM exports WHERE user_id = $1 AND kind = $2 AND created_at >= $3;

-- name: DeleteExport :exec
DELETE FROM exports WHERE id = $1;

-- name: SetCRC :exec
UPDATE results SET crc = $2 WHERE sha256 = $1 AND sha256 <> '';
