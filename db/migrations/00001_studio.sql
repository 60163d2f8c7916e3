-- +goose Up
CREATE TABLE users (
    id         text PRIMARY KEY,
    name       text NOT NULL,
    created_at bigint NOT NULL
);

-- A session's cookie is a random number; only its SHA-256 is kept here.
CREATE TABLE sessions (
    hash       text PRIMARY KEY,
    user_id    text NOT NULL REFERENCES users (id),
    created_at bigint NOT NULL,
    seen_at    bigint NOT NULL,
    agent      text NOT NULL
);
CREATE INDEX sessions_user ON sessions (user_id);

-- sent_* is the file as the image service gets it: the same as the original unless the photo carried an EXIF turn.
CREATE TABLE assets (
    id          text PRIMARY KEY,
    user_id     text NOT NULL REFERENCES users (id),
    kind        text NOT NULL,
    name        text NOT NULL,
    width       bigint NOT NULL,
    height      bigint NOT NULL,
    format      text NOT NULL,
    bytes       bigint NOT NULL,
    sha256      text NOT NULL,
    sent_format text NOT NULL,
    sent_bytes  bigint NOT NULL,
    sent_sha256 text NOT NULL,
    preview     text NOT NULL,
    created_at  bigint NOT NULL
);
CREATE UNIQUE INDEX assets_content ON assets (user_id, sha256);
CREATE INDEX assets_list ON assets (user_id, id);

-- Where an image service keeps its copy of a file of ours. A row is dropped when the service no longer takes the URL.
CREATE TABLE uploads (
    upstream    text NOT NULL,
    sha256      text NOT NULL,
    url         text NOT NULL,
    uploaded_at bigint NOT NULL,
    PRIMARY KEY (upstream, sha256)
);

CREATE TABLE masks (
    id         text PRIMARY KEY,
    user_id    text NOT NULL REFERENCES users (id),
    asset_id   text NOT NULL REFERENCES assets (id),
    name       text NOT NULL,
    width      bigint NOT NULL,
    height     bigint NOT NULL,
    kept       double precision NOT NULL,
    sha256     text NOT NULL,
    created_at bigint NOT NULL
);
CREATE INDEX masks_asset ON masks (user_id, asset_id, id);

CREATE TABLE boards (
    id         text PRIMARY KEY,
    user_id    text NOT NULL REFERENCES users (id),
    name       text NOT NULL,
    created_at bigint NOT NULL
);
CREATE UNIQUE INDEX boards_name ON boards (user_id, name);

-- A run is its own intent: the row is committed before the image service hears of it.
-- step says how far a submission came: '', creating, created, executing.
CREATE TABLE runs (
    id              text PRIMARY KEY,
    user_id         text NOT NULL REFERENCES users (id),
    intent_key      text NOT NULL,
    retry_of        text NOT NULL,
    agent           text NOT NULL,
    version         text NOT NULL,
    title           text NOT NULL,
    surface         text NOT NULL,
    tag             text NOT NULL,
    state           text NOT NULL,
    step            text NOT NULL,
    status          text NOT NULL,
    values_json     text NOT NULL,
    files_json      text NOT NULL,
    asset_id        text NOT NULL,
    mask_id         text NOT NULL,
    mask_sha256     text NOT NULL,
    board_id        text NOT NULL,
    search          text NOT NULL,
    task_id         text NOT NULL,
    execution_id    text NOT NULL,
    attempt         bigint NOT NULL,
    misses          bigint NOT NULL,
    first_sent_at   bigint NOT NULL,
    last_sent_at    bigint NOT NULL,
    checked_at      bigint NOT NULL,
    error_code      text NOT NULL,
    error_message   text NOT NULL,
    error_retryable boolean NOT NULL,
    psd_status      text NOT NULL,
    psd_error       text NOT NULL,
    psd_sha256      text NOT NULL,
    created_at      bigint NOT NULL,
    updated_at      bigint NOT NULL,
    trashed_at      bigint NOT NULL
);
CREATE UNIQUE INDEX runs_intent ON runs (user_id, intent_key);
CREATE UNIQUE INDEX runs_tag ON runs (tag);
CREATE INDEX runs_list ON runs (user_id, id);
CREATE INDEX runs_agent ON runs (agent, id) WHERE state = 'done';
CREATE INDEX runs_retry ON runs (retry_of) WHERE retry_of <> '';
CREATE INDEX runs_open ON runs (state) WHERE state IN ('recorded', 'submitting', 'ambiguous', 'accepted');
CREATE INDEX runs_psd ON runs (psd_status) WHERE psd_status <> '';
CREATE UNIQUE INDEX runs_execution ON runs (surface, execution_id) WHERE execution_id <> '';

-- What the image service answered to a call that costs money, as it came, before it was interpreted.
CREATE TABLE answers (
    run_id text NOT NULL REFERENCES runs (id),
    op     text NOT NULL,
    at     bigint NOT NULL,
    body   text NOT NULL
);
CREATE INDEX answers_run ON answers (run_id, at);

CREATE TABLE results (
    id         text PRIMARY KEY,
    run_id     text NOT NULL REFERENCES runs (id),
    user_id    text NOT NULL REFERENCES users (id),
    idx        bigint NOT NULL,
    kind       text NOT NULL,
    status     text NOT NULL,
    progress   double precision NOT NULL,
    error      text NOT NULL,
    url        text NOT NULL,
    poster_url text NOT NULL,
    format     text NOT NULL,
    width      bigint NOT NULL,
    height     bigint NOT NULL,
    bytes      bigint NOT NULL,
    sha256     text NOT NULL,
    poster_sha text NOT NULL,
    preview    text NOT NULL,
    score      double precision,
    starred    boolean NOT NULL,
    rating     bigint NOT NULL,
    pick       text NOT NULL,
    attempts   bigint NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE UNIQUE INDEX results_place ON results (run_id, idx);
CREATE INDEX results_starred ON results (user_id, run_id) WHERE starred;

CREATE TABLE board_results (
    board_id  text NOT NULL REFERENCES boards (id),
    result_id text NOT NULL REFERENCES results (id),
    PRIMARY KEY (board_id, result_id)
);
CREATE INDEX board_results_result ON board_results (result_id);

-- Callbacks as they came. Only hints: a worker asks the image service itself before anything changes.
CREATE TABLE inbox (
    run_id text NOT NULL REFERENCES runs (id),
    sha256 text NOT NULL,
    body   text NOT NULL,
    ip     text NOT NULL,
    at     bigint NOT NULL,
    PRIMARY KEY (run_id, sha256)
);

-- Fashion models and locations the user made at the image service. There is no list of them there.
CREATE TABLE presets (
    upstream    text NOT NULL,
    kind        text NOT NULL,
    upstream_id bigint NOT NULL,
    user_id     text NOT NULL REFERENCES users (id),
    name        text NOT NULL,
    cover       text NOT NULL,
    status      text NOT NULL,
    created_at  bigint NOT NULL,
    PRIMARY KEY (upstream, kind, upstream_id)
);
CREATE INDEX presets_user ON presets (user_id, upstream, kind);

-- Pictures of others (presets) kept here so that the browser loads from us alone.
CREATE TABLE images (
    url_hash   text PRIMARY KEY,
    sha256     text NOT NULL,
    format     text NOT NULL,
    fetched_at bigint NOT NULL
);

-- +goose Down
DROP TABLE images;
DROP TABLE presets;
DROP TABLE inbox;
DROP TABLE board_results;
DROP TABLE results;
DROP TABLE answers;
DROP TABLE runs;
DROP TABLE boards;
DROP TABLE masks;
DROP TABLE uploads;
DROP TABLE assets;
DROP TABLE sessions;
DROP TABLE users;
