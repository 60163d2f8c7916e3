-- +goose Up
-- Times are milliseconds since 1970, ids text UUIDv7 unless a comment says otherwise, JSON is text. '' and 0 mean "none".
CREATE TABLE setting (
    name  text PRIMARY KEY,
    value text NOT NULL
);

CREATE TABLE account (
    id         text PRIMARY KEY,
    name       text   NOT NULL UNIQUE,
    created_at bigint NOT NULL
);

CREATE TABLE access_key (
    id         text PRIMARY KEY,
    account_id text   NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    name       text   NOT NULL,
    hash       text   NOT NULL UNIQUE, -- hex SHA-256 of the raw key, which is kept nowhere
    last4      text   NOT NULL,
    created_at bigint NOT NULL,
    revoked_at bigint NOT NULL DEFAULT 0
);

CREATE TABLE task (
    id         text PRIMARY KEY,
    account_id text   NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    key_id     text   NOT NULL, -- '' = made before keys were attributed: every key of the account lists it
    surface    text   NOT NULL, -- task, run
    agent      text   NOT NULL,
    version    text   NOT NULL,
    input      text   NOT NULL, -- initParams or input as received
    created_at bigint NOT NULL
);
CREATE INDEX task_newest ON task (account_id, created_at, id);

CREATE TABLE execution (
    id           text PRIMARY KEY,
    task_id      text   NOT NULL REFERENCES task (id) ON DELETE CASCADE,
    account_id   text   NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    status       text   NOT NULL, -- Segmenting, Pending, Running, Success, Failed
    params       text   NOT NULL, -- as used: what was received, and the defaults that were taken
    base_url     text   NOT NULL, -- where the starter reached us: the base of links in callbacks
    callback_url text   NOT NULL DEFAULT '',
    mask_file    text   NOT NULL DEFAULT '', -- the protected region as found
    created_at   bigint NOT NULL,
    visible_at   bigint NOT NULL,
    attempts     bigint NOT NULL DEFAULT 0, -- beginnings of the segmentation
    segmented_at bigint NOT NULL DEFAULT 0,
    ended_at     bigint NOT NULL DEFAULT 0
);
CREATE INDEX execution_of_task ON execution (task_id, created_at);
CREATE INDEX execution_open ON execution (account_id) WHERE ended_at = 0;

CREATE TABLE item (
    execution_id text   NOT NULL REFERENCES execution (id) ON DELETE CASCADE,
    n            bigint NOT NULL,
    status       text   NOT NULL, -- Pending, Running, Success, Failed
    error        text   NOT NULL DEFAULT '',
    file_id      text   NOT NULL DEFAULT '',
    attempts     bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (execution_id, n)
);

CREATE TABLE file (
    id           text PRIMARY KEY, -- 160 random bits and the ending: whoever knows it may read the file
    account_id   text   NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    kind         text   NOT NULL, -- upload, source, mask, result, psd, preset
    execution_id text   NOT NULL DEFAULT '', -- the file goes when this execution goes
    origin       text   NOT NULL DEFAULT '', -- source: the URL it was read from
    sha256       text   NOT NULL,
    media_type   text   NOT NULL,
    bytes        bigint NOT NULL,
    width        bigint NOT NULL DEFAULT 0, -- px, EXIF turn applied
    height       bigint NOT NULL DEFAULT 0,
    created_at   bigint NOT NULL
);
CREATE INDEX file_of_execution ON file (execution_id, kind) WHERE execution_id <> '';
CREATE INDEX file_content ON file (sha256);

CREATE TABLE psd (
    execution_id text PRIMARY KEY REFERENCES execution (id) ON DELETE CASCADE,
    status       text   NOT NULL, -- Pending, Running, Success, Failed
    error        text   NOT NULL DEFAULT '',
    file_id      text   NOT NULL DEFAULT '',
    created_at   bigint NOT NULL
);

-- my_preset holds custom fashion models and custom locations: they share ids, statuses and limits.
CREATE TABLE my_preset (
    id         bigint PRIMARY KEY,
    account_id text   NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    kind       text   NOT NULL, -- fashionModel, location
    name       text   NOT NULL,
    images     text   NOT NULL, -- JSON array of the URLs as given
    base_url   text   NOT NULL, -- where the caller reached us: which of the URLs are ours
    cover_file text   NOT NULL DEFAULT '',
    image_file text   NOT NULL DEFAULT '', -- our copy of the first image: what executions use
    status     text   NOT NULL, -- prepare, complete, failed
    error      text   NOT NULL DEFAULT '',
    created_at bigint NOT NULL
);
CREATE INDEX my_preset_of_account ON my_preset (account_id, kind, id);

CREATE TABLE counter (
    name  text PRIMARY KEY,
    value bigint NOT NULL
);
INSERT INTO counter (name, value) VALUES ('my_preset', 100000);

CREATE TABLE delivery (
    id           text PRIMARY KEY,
    execution_id text   NOT NULL REFERENCES execution (id) ON DELETE CASCADE,
    status       text   NOT NULL, -- the execution's status that is told
    attempts     bigint NOT NULL DEFAULT 0,
    state        text   NOT NULL, -- waiting, delivered, given_up
    created_at   bigint NOT NULL,
    ended_at     bigint NOT NULL DEFAULT 0
);
CREATE INDEX delivery_waiting ON delivery (created_at) WHERE state = 'waiting';

CREATE TABLE idempotency (
    account_id   text   NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    name         text   NOT NULL, -- the Idempotency-Key header
    body_sha256  text   NOT NULL,
    execution_id text   NOT NULL,
    task_id      text   NOT NULL,
    created_at   bigint NOT NULL,
    PRIMARY KEY (account_id, name)
);

-- +goose Down
DROP TABLE idempotency;
DROP TABLE delivery;
DROP TABLE counter;
DROP TABLE my_preset;
DROP TABLE psd;
DROP TABLE file;
DROP TABLE item;
DROP TABLE execution;
DROP TABLE task;
DROP TABLE access_key;
DROP TABLE account;
DROP TABLE setting;
