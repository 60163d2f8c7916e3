-- +goose Up
-- Results that a client without an account is asked about. Whoever has the link sees them until expires_at.
CREATE TABLE review_links (
    id         text PRIMARY KEY,
    user_id    text NOT NULL REFERENCES users (id),
    title      text NOT NULL,
    note       text NOT NULL,
    downloads  boolean NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    done_at    bigint NOT NULL DEFAULT 0,
    done_name  text NOT NULL DEFAULT '',
    done_words text NOT NULL DEFAULT ''
);
CREATE INDEX review_links_list ON review_links (user_id, id DESC);
-- What the client says of each: pick, reject or nothing yet, and a comment.
CREATE TABLE review_answers (
    link_id   text NOT NULL REFERENCES review_links (id) ON DELETE CASCADE,
    idx       bigint NOT NULL,
    result_id text NOT NULL REFERENCES results (id) ON DELETE CASCADE,
    pick      text NOT NULL DEFAULT '',
    comment   text NOT NULL DEFAULT '',
    PRIMARY KEY (link_id, idx)
);
CREATE INDEX review_answers_result ON review_answers (result_id);

-- +goose Down
DROP TABLE review_answers;
DROP TABLE review_links;
