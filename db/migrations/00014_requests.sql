-- +goose Up
-- What was last sent to have a run made: under one key only ever the same bytes go out. The bytes are sealed, since they hold addresses
-- that let in who knows them, and are let go of once it is known what became of them; their SHA-256 stays.
CREATE TABLE requests (
    run_id text PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
    at     bigint NOT NULL,
    digest text NOT NULL,
    sealed text NOT NULL
);

-- +goose Down
DROP TABLE requests;
