-- +goose Up
-- How often work was begun without ending (see interruptions.go): of layered files, custom presets and callbacks, too.
ALTER TABLE psd ADD COLUMN beginnings bigint NOT NULL DEFAULT 0;
ALTER TABLE my_preset ADD COLUMN beginnings bigint NOT NULL DEFAULT 0;
ALTER TABLE delivery ADD COLUMN beginnings bigint NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE delivery DROP COLUMN beginnings;
ALTER TABLE my_preset DROP COLUMN beginnings;
ALTER TABLE psd DROP COLUMN beginnings;
