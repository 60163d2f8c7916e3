-- name: SetTrash :execrows
UPDATE runs SET trashed_at = sqlc.arg(trashed_at), updated_at = sqlc.arg(updated_at)
WHERE id = sqlc.arg(id) AND user_id = sqlc.arg(user_id) AND (trashed_at = 0) <> (CAST(sqlc.arg(trashed_at) AS bigint) = 0);

-- name: OldTrash :many
SELECT id FROM runs WHERE trashed_at > 0 AND trashed_at < $1 AND state IN ('done', 'failed', 'unconfirmed') ORDER BY trashed_at LIMIT $2;

-- name: DropRunFromBoards :exec
DELETE FROM board_results WHERE result_id IN (SELECT id FROM results WHERE run_id = $1);

-- name: DropRunCovers :exec
UPDATE boards SET cover_id = '' WHERE cover_id IN (SELECT id FROM results WHERE run_id = $1);

-- name: DropResults :exec
DELETE FROM results WHERE run_id = $1;

-- name: DropAnswers :exec
DELETE FROM answers WHERE run_id = $1;

-- name: DropCallbacks :exec
DELETE FROM inbox WHERE run_id = $1;

-- name: DropRun :execrows
DELETE FROM runs WHERE id = $1 AND trashed_at > 0;
