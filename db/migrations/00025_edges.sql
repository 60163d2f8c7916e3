-- +goose Up
-- What an independent look at the source says about the edge of the protected region. edge is JSON, '' where nobody looked; edge_doubt is
-- the share of the subject in dispute, by which lists are sorted. Results compared by earlier versions keep '' and 0.
ALTER TABLE results ADD COLUMN edge text NOT NULL DEFAULT '';
ALTER TABLE results ADD COLUMN edge_doubt double precision NOT NULL DEFAULT 0;

-- +goose Down
-- The trigger names edge_doubt; it is made again at the next start.
DROP TRIGGER IF EXISTS list_changed;
ALTER TABLE results DROP COLUMN edge_doubt;
ALTER TABLE results DROP COLUMN edge;
