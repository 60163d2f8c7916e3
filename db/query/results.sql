-- name: InsertResult :exec
INSERT INTO results (id, run_id, user_id, idx, kind, status, progress, error, url, poster_url, format, width, height, bytes, sha256,
    poster_sha, preview, score, starred, rating, pick, attempts, created_at, updated_at, last_url)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, '', 0, 0, 0, '', '', '', NULL, false, 0, '', 0, $11, $11, $12);

-- name: Result :one
SELECT * FROM results WHERE id = $1;

-- name: ResultOf :one
SELECT * FROM results WHERE id = $1 AND user_id = $2;

-- name: ResultsOfRun :many
SELECT * FROM results WHERE run_id = $1 ORDER BY idx;

-- name: SetResult :execrows
UPDATE results SET kind = $2, status = $3, progress = $4, error = $5, unfetched = false, url = $6, poster_url = $7, updated_at = $8, last_url = $9
WHERE id = $1 AND sha256 = '';

-- name: SetResultStored :execrows
UPDATE results SET format = $2, width = $3, height = $4, bytes = $5, sha256 = $6, poster_sha = $7, preview = $8, error = '', unfetched = false,
    progress = 1, updated_at = $9, millis = $10, last_sha = $11, kind = $12
WHERE id = $1;

-- name: WithoutStills :many
SELECT id FROM results WHERE kind = 'video' AND sha256 <> '' AND (poster_sha = '' OR last_sha = '') AND id > $1 ORDER BY id LIMIT $2;

-- name: SetStills :execrows
UPDATE results SET poster_sha = $3, preview = $4, last_sha = $5 WHERE id = $1 AND sha256 = $2;

-- name: SetFidelity :execrows
UPDATE results SET score = $2, delta_e = $3, ssim = $4, changed = $5, not_comparable = $6, heat_sha = $7, edge = $8, edge_doubt = $9
WHERE id = $1;

-- name: NextPlace :one
SELECT CAST(coalesce(max(idx), -1) + 1 AS bigint) FROM results WHERE run_id = $1;

-- name: ResultLockedFrom :one
SELECT * FROM results WHERE run_id = $1 AND locked_from = $2;

-- name: InsertLocked :exec
INSERT INTO results (id, run_id, user_id, idx, kind, status, progress, error, url, poster_url, format, width, height, bytes, sha256,
    poster_sha, preview, score, starred, rating, pick, attempts, created_at, updated_at, last_url, locked_from)
VALUES ($1, $2, $3, $4, 'image', 'Success', 1, '', '', '', $5, $6, $7, $8, $9, '', $10, NULL, false, 0, '', 0, $11, $11, '', $12);

-- name: CountAttempt :one
UPDATE results SET attempts = attempts + 1 WHERE id = $1 RETURNING attempts;

-- name: SetResultError :execrows
UPDATE results SET error = $2, unfetched = $3, updated_at = $4 WHERE id = $1;

-- name: MarkResult :execrows
UPDATE results SET starred = $3, rating = $4, pick = $5, updated_at = $6 WHERE id = $1 AND user_id = $2;

-- name: CountUnstored :one
SELECT count(*) FROM results WHERE run_id = $1 AND status = 'Success' AND sha256 = '' AND error = '';

-- name: ForgetStored :many
UPDATE results SET sha256 = '', attempts = 0, error = '', unfetched = false WHERE sha256 = $1 AND sha256 <> '' AND url <> '' RETURNING id;

-- name: Unstored :many
SELECT id FROM results WHERE status = 'Success' AND sha256 = '' AND error = '' ORDER BY id LIMIT 1000;

-- name: TakeUpGivenUp :execrows
UPDATE results SET error = '', unfetched = false, attempts = 0 WHERE id IN (
    SELECT r.id FROM results r WHERE r.id > $1 AND r.status = 'Success' AND r.sha256 = '' AND r.unfetched ORDER BY r.id DESC LIMIT $2);
