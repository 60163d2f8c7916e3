-- name: Favourites :many
SELECT * FROM favourites WHERE user_id = $1 AND upstream = $2 ORDER BY marked_at, kind, preset_id, name LIMIT 1000;

-- name: CountFavourites :one
SELECT count(*) FROM favourites WHERE user_id = $1 AND upstream = $2;

-- name: InsertFavourite :exec
INSERT INTO favourites (user_id, upstream, kind, preset_id, name, marked_at) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (user_id, upstream, kind, preset_id, name) DO NOTHING;

-- name: DeleteFavourite :exec
DELETE FROM favourites WHERE user_id = $1 AND upstream = $2 AND kind = $3 AND preset_id = $4 AND name = $5;

-- name: DeleteFavouritesOf :exec
DELETE FROM favourites WHERE upstream = $1 AND kind = $2 AND preset_id = $3;
