-- name: UpsertUser :exec
INSERT INTO users (id, name, created_at) VALUES ($1, $2, $3) ON CONFLICT (id) DO NOTHING;

-- name: User :one
SELECT * FROM users WHERE id = $1;

-- name: UserByLogin :one
SELECT * FROM users WHERE login = $1 AND login <> '';

-- name: Accounts :many
SELECT * FROM users WHERE login <> '' ORDER BY login LIMIT 1000;

-- name: CountAccounts :one
SELECT count(*) FROM users WHERE login <> '';

-- name: CountAdmins :one
SELECT count(*) FROM users WHERE login <> '' AND role = 'admin' AND disabled_at = 0;

-- name: SaveAccount :exec
INSERT INTO users (id, name, login, role, password, created_at, disabled_at, seen_at)
VALUES (sqlc.arg(id), sqlc.arg(name), sqlc.arg(login), sqlc.arg(role), sqlc.arg(password), sqlc.arg(created_at), 0, 0)
ON CONFLICT (id) DO UPDATE SET name = sqlc.arg(name), login = sqlc.arg(login), role = sqlc.arg(role), password = sqlc.arg(password);

-- name: SetAccount :exec
UPDATE users SET role = $2, password = $3, disabled_at = $4 WHERE id = $1;

-- name: SeeUser :exec
UPDATE users SET seen_at = $2 WHERE id = $1;
