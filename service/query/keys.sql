-- name: FindSetting :one
SELECT value FROM setting WHERE name = $1;

-- name: SetSetting :exec
INSERT INTO setting (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING;

-- name: CreateAccount :exec
INSERT INTO account (id, name, created_at) VALUES ($1, $2, $3) ON CONFLICT (name) DO NOTHING;

-- name: FindAccount :one
SELECT * FROM account WHERE name = $1;

-- name: CreateKey :exec
INSERT INTO access_key (id, account_id, name, hash, last4, created_at) VALUES ($1, $2, $3, $4, $5, $6);

-- name: FindKey :one
SELECT * FROM access_key WHERE hash = $1;

-- name: ListKeys :many
SELECT k.id, a.name AS account, k.name, k.last4, k.created_at, k.revoked_at
FROM access_key k JOIN account a ON a.id = k.account_id
ORDER BY k.created_at, k.id;

-- name: RevokeKey :execrows
UPDATE access_key SET revoked_at = $2 WHERE id = $1 AND revoked_at = 0;
