-- +goose Up
-- What the image service told of the cost when it took a run, in its own unit; NULL = it told nothing, which is not 0.
ALTER TABLE runs ADD COLUMN power double precision;
ALTER TABLE runs ADD COLUMN power_left double precision;
-- The image service refused the mask in base64: it is sent by its address.
ALTER TABLE runs ADD COLUMN mask_by_url boolean NOT NULL DEFAULT false;
-- The cost outlives its run, as the number of results does.
ALTER TABLE asked ADD COLUMN power double precision;
-- What was learned of an account or service (uploads.upstream) by using it.
CREATE TABLE upstream_facts (
    upstream    text PRIMARY KEY,
    mask_by_url boolean NOT NULL DEFAULT false,
    power_left  double precision,
    told_at     bigint NOT NULL DEFAULT 0
);

-- +goose Down
DROP TABLE upstream_facts;
ALTER TABLE asked DROP COLUMN power;
ALTER TABLE runs DROP COLUMN mask_by_url;
ALTER TABLE runs DROP COLUMN power_left;
ALTER TABLE runs DROP COLUMN power;
