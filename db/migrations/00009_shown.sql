-- +goose Up
-- A board can be shown to everybody in the studio. Each place on such a board names who shows it, so that all that somebody shows
-- is listed from an index, in the order of runs.
ALTER TABLE boards ADD COLUMN shared boolean NOT NULL DEFAULT false;
ALTER TABLE board_results ADD COLUMN shown_by text NOT NULL DEFAULT '';
CREATE INDEX boards_shared ON boards (user_id) WHERE shared;
CREATE INDEX board_results_shown ON board_results (shown_by, run_id DESC, result_id) WHERE shown_by <> '';
-- The boards that are shown, with who shows them: who may sign in and change them. Whoever asks what is shown asks this.
CREATE VIEW shown_boards AS
SELECT o.id, o.user_id, o.name, o.created_at, o.notes, o.cover_id, u.name AS owner
FROM boards o JOIN users u ON u.id = o.user_id WHERE o.shared AND u.disabled_at = 0 AND u.role <> 'viewer';

-- +goose Down
DROP VIEW shown_boards;
DROP INDEX board_results_shown;
DROP INDEX boards_shared;
ALTER TABLE board_results DROP COLUMN shown_by;
ALTER TABLE boards DROP COLUMN shared;
