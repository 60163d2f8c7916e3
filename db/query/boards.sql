-- name: InsertBoard :exec
INSERT INTO boards (id, user_id, name, created_at) VALUES ($1, $2, $3, $4);

-- name: Board :one
SELECT * FROM boards WHERE id = $1 AND user_id = $2;

-- name: Boards :many
SELECT * FROM boards WHERE user_id = $1 ORDER BY name LIMIT 1000;

-- name: DeleteBoard :execrows
DELETE FROM boards WHERE id = $1 AND user_id = $2;

-- name: EmptyBoard :exec
DELETE FROM board_results WHERE board_id = $1;

-- name: LeaveBoards :exec
DELETE FROM board_results WHERE result_id = $1;

-- name: JoinBoard :exec
INSERT INTO board_results (board_id, result_id) VALUES ($1, $2) ON CONFLICT (board_id, result_id) DO NOTHING;

-- name: ForgetBoard :exec
UPDATE runs SET board_id = '' WHERE board_id = $1 AND user_id = $2;
