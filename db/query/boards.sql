-- name: InsertBoard :exec
INSERT INTO boards (id, user_id, name, created_at, notes, cover_id, shared) VALUES ($1, $2, $3, $4, $5, $6, $7);

-- name: Board :one
SELECT * FROM boards WHERE id = $1 AND user_id = $2;

-- name: Boards :many
SELECT * FROM boards WHERE user_id = $1 ORDER BY name LIMIT 1000;

-- name: SetBoard :execrows
UPDATE boards SET name = $3, notes = $4, cover_id = $5, shared = $6 WHERE id = $1 AND user_id = $2;

-- name: ShownBoards :many
SELECT * FROM shown_boards WHERE user_id <> $1 ORDER BY owner, user_id, name LIMIT 1000;

-- name: ShownCounts :many
SELECT b.board_id, count(*) AS results FROM shown_boards o JOIN board_results b ON b.board_id = o.id JOIN results s ON s.id = b.result_id
JOIN runs r ON r.id = s.run_id WHERE o.user_id <> $1 AND r.trashed_at = 0 AND s.trashed_at = 0 AND s.sha256 <> '' GROUP BY b.board_id;

-- name: BoardShownBy :one
SELECT user_id, owner FROM shown_boards WHERE id = $1;

-- name: ShowsBoards :one
SELECT user_id, owner FROM shown_boards WHERE user_id = $1 LIMIT 1;

-- name: BoardCounts :many
SELECT b.board_id, count(*) AS results FROM boards o JOIN board_results b ON b.board_id = o.id JOIN results s ON s.id = b.result_id
JOIN runs r ON r.id = s.run_id WHERE o.user_id = $1 AND r.trashed_at = 0 AND s.trashed_at = 0 GROUP BY b.board_id;

-- name: BoardPictures :many
SELECT s.* FROM board_results b JOIN results s ON s.id = b.result_id JOIN runs r ON r.id = s.run_id
WHERE b.board_id = $1 AND r.trashed_at = 0 AND s.trashed_at = 0 AND s.sha256 <> '' AND (s.kind = 'image' OR s.poster_sha <> '')
ORDER BY CASE WHEN s.id = sqlc.arg(cover_id) THEN 0 ELSE 1 END, s.id DESC LIMIT 4;

-- name: OnBoard :one
SELECT count(*) FROM board_results WHERE board_id = $1 AND result_id = $2;

-- name: DeleteBoard :execrows
DELETE FROM boards WHERE id = $1 AND user_id = $2;

-- name: EmptyBoard :exec
DELETE FROM board_results WHERE board_id = $1;

-- name: LeaveBoards :exec
DELETE FROM board_results WHERE result_id = $1;

-- name: LeaveBoard :exec
DELETE FROM board_results WHERE board_id = $1 AND result_id = $2;

-- name: DropCovers :exec
UPDATE boards SET cover_id = '' WHERE user_id = $1 AND cover_id = $2
    AND NOT EXISTS (SELECT 1 FROM board_results b WHERE b.board_id = boards.id AND b.result_id = $2);

-- name: JoinBoard :exec
INSERT INTO board_results (board_id, result_id, run_id)
SELECT o.id, s.id, s.run_id FROM results s JOIN boards o ON o.id = sqlc.arg(board_id) WHERE s.id = sqlc.arg(result_id)
ON CONFLICT (board_id, result_id) DO NOTHING;

-- name: ForgetBoard :exec
UPDATE runs SET board_id = '' WHERE board_id = $1 AND board_id <> '' AND user_id = $2;
