-- name: SetTrash :execrows
UPDATE runs SET trashed_at = sqlc.arg(trashed_at), updated_at = sqlc.arg(updated_at)
WHERE id = sqlc.arg(id) AND user_id = sqlc.arg(user_id) AND (trashed_at = 0) <> (CAST(sqlc.arg(trashed_at) AS bigint) = 0);

-- name: OldTrash :many
SELECT id FROM runs WHERE trashed_at > 0 AND trashed_at < $1 AND state IN ('done', 'failed', 'unconfirmed') ORDER BY trashed_at LIMIT $2;

-- name: DropRunFromBoards :exec
DELETE FROM board_results WHERE result_id IN (SELECT s.id FROM results s WHERE s.run_id = $1);

-- name: DropRunCovers :exec
UPDATE boards SET cover_id = '' WHERE cover_id IN (SELECT id FROM results WHERE run_id = $1);

-- name: DropResults :exec
DELETE FROM results WHERE run_id = $1;

-- name: DropAnswers :exec
DELETE FROM answers WHERE run_id = $1;

-- name: DropCallbacks :exec
DELETE FROM inbox WHERE run_id = $1;

-- name: KeepOwner :exec
INSERT INTO purged (tag, task_id, user_id) SELECT tag, task_id, user_id FROM runs WHERE id = $1 ON CONFLICT (tag) DO NOTHING;

-- name: PurgedOwner :one
SELECT user_id FROM purged WHERE task_id = $1 AND task_id <> '' LIMIT 1;

-- name: PurgedOwnerByTag :one
SELECT user_id FROM purged WHERE tag = $1;

-- name: DropRun :execrows
DELETE FROM runs WHERE id = $1 AND trashed_at > 0;

-- name: SetResultTrash :execrows
UPDATE results SET trashed_at = sqlc.arg(trashed_at), updated_at = sqlc.arg(updated_at)
WHERE id = sqlc.arg(id) AND user_id = sqlc.arg(user_id) AND (trashed_at = 0) <> (CAST(sqlc.arg(trashed_at) AS bigint) = 0);

-- name: CountResults :one
SELECT CAST(count(*) AS bigint) AS results, CAST(coalesce(sum(CASE WHEN trashed_at = 0 THEN 1 ELSE 0 END), 0) AS bigint) AS live
FROM results WHERE run_id = $1;

-- name: RestoreResults :exec
UPDATE results SET trashed_at = 0, updated_at = $2 WHERE run_id = $1 AND trashed_at > 0;

-- name: TouchRun :exec
UPDATE runs SET updated_at = $2 WHERE id = $1;

-- name: OldResultTrash :many
SELECT s.id FROM results s JOIN runs r ON r.id = s.run_id
WHERE s.trashed_at > 0 AND s.trashed_at < $1 AND r.state IN ('done', 'failed', 'unconfirmed') ORDER BY s.trashed_at LIMIT $2;

-- name: DropResultCovers :exec
UPDATE boards SET cover_id = '' WHERE cover_id = $1 AND user_id = $2;

-- name: DropResult :execrows
DELETE FROM results WHERE id = $1 AND trashed_at > 0;

-- name: ExpireRun :execrows
UPDATE runs SET trashed_at = 1 WHERE id = $1 AND user_id = $2 AND trashed_at > 0;

-- name: ExpireResult :execrows
UPDATE results SET trashed_at = 1 WHERE id = $1 AND user_id = $2 AND trashed_at > 0;

-- name: ExpireRuns :execrows
UPDATE runs SET trashed_at = 1 WHERE user_id = $1 AND trashed_at > 0;

-- name: ExpireResults :execrows
UPDATE results SET trashed_at = 1 WHERE user_id = $1 AND trashed_at > 0;
