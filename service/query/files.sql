-- name: CreateFile :exec
INSERT INTO file (id, account_id, kind, execution_id, origin, sha256, media_type, bytes, width, height, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11);

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
