-- +goose Up
-- Presets that users marked, in the order they marked them. What has no id at the image service is named by its name.
CREATE TABLE favourites (
    user_id   text NOT NULL REFERENCES users (id),
    upstream  text NOT NULL,
    kind      text NOT NULL,
    preset_id bigint NOT NULL,
    name      text NOT NULL,
    marked_at bigint NOT NULL,
    PRIMARY KEY (user_id, upstream, kind, preset_id, name)
);

-- +goose Down
DROP TABLE favourites;
