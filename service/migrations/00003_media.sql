-- +goose Up
-- Videos and sounds: what an execution makes, how long a file lasts, and what stands beside a video.
ALTER TABLE execution ADD COLUMN makes text NOT NULL DEFAULT 'image'; -- image, video

ALTER TABLE item ADD COLUMN poster_file     text NOT NULL DEFAULT '';
ALTER TABLE item ADD COLUMN last_frame_file text NOT NULL DEFAULT '';

ALTER TABLE file ADD COLUMN seconds double precision NOT NULL DEFAULT 0; -- 0 for pictures

-- +goose Down
ALTER TABLE file DROP COLUMN seconds;
ALTER TABLE item DROP COLUMN last_frame_file;
ALTER TABLE item DROP COLUMN poster_file;
ALTER TABLE execution DROP COLUMN makes;
