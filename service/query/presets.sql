-- name: NextPresetID :one
UPDATE counter SET value = value + 1 WHERE name = 'my_preset' RETURNING value;

-- name: CreatePreset :exec
INSERT INTO my_preset (id, account_id, kind, name, images, base_url, status, created_at) VALUES ($1, $2, $3, $4, $5, $6, 'prepare', $7);

-- name: CountPresets :one
SELECT count(*) FROM my_preset WHERE account_id = $1 AND kind = $2;

-- name: FindPreset :one
SELECT * FROM my_preset WHERE id = $1;

-- name: FindPresetOf :one
SELECT * FROM my_preset WHERE id = $1 AND account_id = $2 AND kind = $3;

-- name: ListPresets :many
-- Newest first.
SELECT * FROM my_preset WHERE account_id = sqlc.arg(account_id) AND kind = sqlc.arg(kind)
ORDER BY id DESC LIMIT sqlc.arg(page_size) OFFSET sqlc.arg(page_from);

-- name: ListOpenPresets :many
SELECT id, beginnings FROM my_preset WHERE status = 'prepare';

-- name: BeginPreset :one
UPDATE my_preset SET beginnings = beginnings + 1 WHERE id = $1 AND status = 'prepare' RETURNING beginnings;

-- name: ForgivePreset :exec
UPDATE my_preset SET beginnings = beginnings - 1 WHERE id = $1 AND beginnings > 0 AND status = 'prepare';

-- name: CompletePreset :execrows
UPDATE my_preset SET status = 'complete', cover_file = $2, image_file = $3 WHERE id = $1 AND status = 'prepare';

-- name: FailPreset :execrows
UPDATE my_preset SET status = 'failed', error = $2 WHERE id = $1 AND status = 'prepare';

-- name: DeletePreset :execrows
DELETE FROM my_preset WHERE id = $1 AND account_id = $2 AND kind = $3;
