-- +goose Up
-- Since when an accepted run has been told nothing of, and since when a layered file has been waited for.
ALTER TABLE runs ADD COLUMN missed_since bigint NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN psd_asked_at bigint NOT NULL DEFAULT 0;
CREATE INDEX runs_unseen ON runs (missed_since) WHERE state = 'failed' AND step = 'unseen';

-- What the image service has said about runs that have been over for long is forgotten.
CREATE INDEX answers_at ON answers (at);
CREATE INDEX inbox_at ON inbox (at) WHERE body <> '';

-- Presets that are about to be made at the image service, from before the first call until their id is known. known_json are the ids that
-- presets of that name had there before.
CREATE TABLE preset_intents (
    id         text PRIMARY KEY,
    upstream   text NOT NULL,
    kind       text NOT NULL,
    user_id    text NOT NULL REFERENCES users (id),
    name       text NOT NULL,
    known_json text NOT NULL,
    misses     bigint NOT NULL,
    sent_at    bigint NOT NULL,
    created_at bigint NOT NULL
);
CREATE UNIQUE INDEX preset_intents_name ON preset_intents (upstream, kind, user_id, name);

-- +goose Down
DROP TABLE preset_intents;
DROP INDEX inbox_at;
DROP INDEX answers_at;
DROP INDEX runs_unseen;
ALTER TABLE runs DROP COLUMN psd_asked_at;
ALTER TABLE runs DROP COLUMN missed_since;
