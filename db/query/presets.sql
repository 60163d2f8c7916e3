-- name: InsertPreset :exec
INSERT INTO presets (upstream, kind, upstream_id, user_id, name, cover, status, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (upstream, kind, upstream_id) DO NOTHING;

-- name: Preset :one
SELECT * FROM presets WHERE upstream = $1 AND kind = $2 AND upstream_id = $3 AND user_id = $4;

-- name: Presets :many
SELECT * FROM presets WHERE upstream = $1 AND kind = $2 AND user_id = $3 ORDER BY upstream_id DESC LIMIT 1000;

-- name: CountPresets :one
SELECT CAST((SELECT count(*) FROM presets p WHERE p.upstream = $1 AND p.kind = $2)
    + (SELECT count(*) FROM preset_intents i WHERE i.upstream = $1 AND i.kind = $2) AS bigint);

-- name: PresetOwners :many
SELECT upstream_id, user_id FROM presets WHERE upstream = $1 AND kind = $2;

-- name: NewestPreset :one
SELECT * FROM presets WHERE upstream = $1 ORDER BY created_at DESC LIMIT 1;

-- name: OpenPresets :many
SELECT * FROM presets WHERE upstream = $1 AND status = 'prepare' ORDER BY upstream_id LIMIT 1000;

-- name: SetPreset :execrows
UPDATE presets SET status = $4, cover = $5 WHERE upstream = $1 AND kind = $2 AND upstream_id = $3;

-- name: DeletePreset :execrows
DELETE FROM presets WHERE upstream = $1 AND kind = $2 AND upstream_id = $3 AND user_id = $4;

-- name: Image :one
SELECT * FROM images WHERE url_hash = $1;

-- name: SaveImage :exec
INSERT INTO images (url_hash, sha256, format, fetched_at) VALUES ($1, $2, $3, $4)
ON CONFLICT (url_hash) DO UPDATE SET sha256 = excluded.sha256, format = excluded.format, fetched_at = excluded.fetched_at;

-- name: SavePresetName :exec
INSERT INTO preset_names (upstream, kind, upstream_id, name) VALUES ($1, $2, $3, $4)
ON CONFLICT (upstream, kind, upstream_id) DO UPDATE SET name = excluded.name;

-- name: PresetName :one
SELECT p.name FROM presets p WHERE p.upstream = $1 AND p.kind = $2 AND p.upstream_id = $3
UNION ALL SELECT n.name FROM preset_names n WHERE n.upstream = $1 AND n.kind = $2 AND n.upstream_id = $3 LIMIT 1;

-- name: InsertPresetIntent :exec
INSERT INTO preset_intents (id, upstream, kind, user_id, name, known_json, misses, sent_at, created_at) VALUES ($1, $2, $3, $4, $5, $6, 0, $7, $7);

-- name: PresetIntent :one
SELECT * FROM preset_intents WHERE id = $1;

-- name: PresetIntents :many
SELECT id FROM preset_intents WHERE upstream = $1 ORDER BY id LIMIT 1000;

-- name: SetPresetIntentSent :exec
UPDATE preset_intents SET sent_at = $2, misses = 0 WHERE id = $1;

-- name: CountPresetIntentMiss :one
UPDATE preset_intents SET misses = misses + 1 WHERE id = $1 RETURNING misses;

-- name: DeletePresetIntent :exec
DELETE FROM preset_intents WHERE id = $1;
