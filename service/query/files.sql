-- name: CreateFile :exec
INSERT INTO file (id, account_id, kind, execution_id, origin, sha256, media_type, bytes, width, height, created_at, seconds)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

-- name: FindFile :one
SELECT * FROM file WHERE id = $1;

-- name: FindSource :one
SELECT * FROM file WHERE execution_id = $1 AND kind = 'source' AND origin = $2;

-- name: ListFilesOfExecution :many
SELECT * FROM file WHERE execution_id = $1;

-- name: DeleteFilesOfExecution :exec
DELETE FROM file WHERE execution_id = $1;

-- name: DeleteFile :exec
DELETE FROM file WHERE id = $1;

-- name: CountFilesOfContent :one
SELECT count(*) FROM file WHERE sha256 = $1;

-- name: ListFiles :many
SELECT id, sha256 FROM file WHERE id > sqlc.arg(after) ORDER BY id LIMIT sqlc.arg(page_size);

-- name: UseFileInTask :exec
INSERT INTO task_file (task_id, file_id) VALUES ($1, $2) ON CONFLICT DO NOTHING;

-- name: UseFileInPreset :exec
INSERT INTO preset_file (preset_id, file_id) VALUES ($1, $2) ON CONFLICT DO NOTHING;

-- name: ListUnusedUploads :many
-- Uploads that no task and no custom preset was made from.
SELECT * FROM file
WHERE kind = 'upload' AND created_at >= sqlc.arg(since) AND created_at < sqlc.arg(before)
  AND NOT EXISTS (SELECT 1 FROM task_file t WHERE t.file_id = file.id)
  AND NOT EXISTS (SELECT 1 FROM preset_file p WHERE p.file_id = file.id)
ORDER BY created_at LIMIT sqlc.arg(page_size);
