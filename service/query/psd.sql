-- name: FindPSD :one
SELECT * FROM psd WHERE execution_id = $1;

-- name: StartPSD :execrows
-- A second request for a running or finished export changes nothing; a failed one starts again.
INSERT INTO psd (execution_id, status, created_at) VALUES ($1, 'Pending', $2)
ON CONFLICT (execution_id) DO UPDATE SET status = 'Pending', error = '', beginnings = 0, created_at = excluded.created_at WHERE psd.status = 'Failed';

-- name: BeginPSD :one
UPDATE psd SET status = 'Running', beginnings = beginnings + 1 WHERE execution_id = $1 AND status IN ('Pending', 'Running') RETURNING beginnings;

-- name: ForgivePSD :exec
UPDATE psd SET beginnings = beginnings - 1 WHERE execution_id = $1 AND beginnings > 0 AND status = 'Running';

-- name: FinishPSD :execrows
UPDATE psd SET status = 'Success', file_id = $2 WHERE execution_id = $1 AND status IN ('Pending', 'Running');

-- name: FailPSD :execrows
UPDATE psd SET status = 'Failed', error = $2 WHERE execution_id = $1 AND status IN ('Pending', 'Running');

-- name: ListOpenPSDs :many
SELECT execution_id, created_at, beginnings FROM psd WHERE status IN ('Pending', 'Running');
