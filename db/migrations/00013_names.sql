-- +goose Up
-- Names of what the image service offers, as they were last read: a run is found by the name of its scene or model.
CREATE TABLE preset_names (
    upstream    text NOT NULL,
    kind        text NOT NULL, -- locations, fashionModels, backgrounds
    upstream_id bigint NOT NULL,
    name        text NOT NULL,
    PRIMARY KEY (upstream, kind, upstream_id)
);

-- +goose Down
DROP TABLE preset_names;
