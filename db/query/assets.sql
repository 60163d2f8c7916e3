-- name: InsertAsset :exec
INSERT INTO assets (id, user_id, kind, name, width, height, format, bytes, sha256, sent_format, sent_bytes, sent_sha256, preview, created_at,
    millis, poster_sha)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16);

-- name: Asset :one
SELECT * FROM assets WHERE id = $1 AND user_id = $2;

-- name: AnyAsset :one
SELECT * FROM assets WHERE id = $1;

-- name: AssetByContent :one
SELECT * FROM assets WHERE user_id = $1 AND sha256 = $2;

-- name: Upload :one
SELECT * FROM uploads WHERE upstream = $1 AND sha256 = $2;

-- name: SaveUpload :exec
INSERT INTO uploads (upstream, sha256, url, uploaded_at) VALUES ($1, $2, $3, $4)
ON CONFLICT (upstream, sha256) DO UPDATE SET url = excluded.url, uploaded_at = excluded.uploaded_at;

-- name: DeleteUpload :exec
DELETE FROM uploads WHERE upstream = $1 AND sha256 = $2;
