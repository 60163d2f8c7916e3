-- name: InsertMask :exec
INSERT INTO masks (id, user_id, asset_id, name, width, height, kept, sha256, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9);

-- name: Mask :one
SELECT * FROM masks WHERE id = $1 AND user_id = $2;

-- name: Masks :many
SELECT * FROM masks WHERE user_id = sqlc.arg(user_id) AND (CAST(sqlc.arg(asset_id) AS text) = '' OR asset_id = CAST(sqlc.arg(asset_id) AS text)) ORDER BY id DESC LIMIT 500;

-- name: DeleteMask :execrows
DELETE FROM masks WHERE id = $1 AND user_id = $2;

-- name: RenameMask :execrows
UPDATE masks SET name = $1 WHERE id = $2 AND user_id = $3;
