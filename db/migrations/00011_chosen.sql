-- +goose Up
-- A file or a result is chosen for a place of the form among those of its kind: the few videos and sounds of a long history
-- are found without a look at all the pictures.
CREATE INDEX assets_kind ON assets (user_id, kind, id);
CREATE INDEX results_moving ON results (user_id, run_id DESC, idx, status, pick, rating, starred, changed) WHERE kind = 'video' AND trashed_at = 0;

-- +goose Down
DROP INDEX results_moving;
DROP INDEX assets_kind;
