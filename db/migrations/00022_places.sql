-- +goose Up
-- Runs that wait are sent in the order of their places, the highest first, and those of one place in the order in which they were
-- recorded. 0 = in its turn; "Send next" gives a place above all others.
ALTER TABLE runs ADD COLUMN place bigint NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE runs DROP COLUMN place;
