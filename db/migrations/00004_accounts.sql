-- +goose Up
-- Accounts. login is the name folded for comparing, "" for who works without an account; password is an Argon2id hash in PHC form.
ALTER TABLE users ADD COLUMN login text NOT NULL DEFAULT '';
ALTER TABLE users ADD COLUMN role text NOT NULL DEFAULT 'designer';
ALTER TABLE users ADD COLUMN password text NOT NULL DEFAULT '';
ALTER TABLE users ADD COLUMN disabled_at bigint NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN seen_at bigint NOT NULL DEFAULT 0;
CREATE UNIQUE INDEX users_login ON users (login) WHERE login <> '';
ALTER TABLE sessions ADD COLUMN ip text NOT NULL DEFAULT '';
CREATE INDEX runs_task ON runs (task_id) WHERE task_id <> '';

-- +goose Down
DROP INDEX runs_task;
ALTER TABLE sessions DROP COLUMN ip;
DROP INDEX users_login;
ALTER TABLE users DROP COLUMN seen_at;
ALTER TABLE users DROP COLUMN disabled_at;
ALTER TABLE users DROP COLUMN password;
ALTER TABLE users DROP COLUMN role;
ALTER TABLE users DROP COLUMN login;
