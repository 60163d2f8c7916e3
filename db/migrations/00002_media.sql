-- +goose Up
-- Videos and sounds: how long they are, the picture that stands for a video the user brought, and the last frame of a result.
ALTER TABLE assets ADD COLUMN millis bigint NOT NULL DEFAULT 0;
ALTER TABLE assets ADD COLUMN poster_sha text NOT NULL DEFAULT '';
ALTER TABLE results ADD COLUMN millis bigint NOT NULL DEFAULT 0;
ALTER TABLE results ADD COLUMN last_url text NOT NULL DEFAULT '';
ALTER TABLE results ADD COLUMN last_sha text NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE results DROP COLUMN last_sha;
ALTER TABLE results DROP COLUMN last_url;
ALTER TABLE results DROP COLUMN millis;
ALTER TABLE assets DROP COLUMN poster_sha;
ALTER TABLE assets DROP COLUMN millis;
