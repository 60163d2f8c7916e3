-- name: SetPower :execrows
UPDATE runs SET power = sqlc.arg(power), power_left = sqlc.arg(power_left)
WHERE id = sqlc.arg(id) AND execution_id = sqlc.arg(execution_id) AND power IS NULL AND power_left IS NULL;

-- name: NotePower :exec
UPDATE asked SET power = $2 WHERE run_id = $1;

-- name: NotePowerLeft :exec
INSERT INTO upstream_facts (upstream, power_left, told_at) VALUES ($1, CAST(sqlc.arg(power_left) AS double precision), $2)
ON CONFLICT (upstream) DO UPDATE SET power_left = excluded.power_left, told_at = excluded.told_at;

-- name: LearnMaskByURL :exec
-- Of a run that was accepted with the address of its mask after the mask itself was refused.
INSERT INTO upstream_facts (upstream, mask_by_url) SELECT CAST(sqlc.arg(upstream) AS text), true FROM runs r WHERE r.id = sqlc.arg(id) AND r.execution_id = sqlc.arg(execution_id) AND r.mask_by_url
ON CONFLICT (upstream) DO UPDATE SET mask_by_url = true;

-- name: UpstreamFacts :one
SELECT * FROM upstream_facts WHERE upstream = $1;

-- name: PowerOfMonth :one
-- Of the runs that the image service took: how many, of how many it told what they cost, and that together.
SELECT count(*) AS runs, count(a.power) AS told, CAST(coalesce(sum(a.power), 0) AS double precision) AS power
FROM asked a LEFT JOIN runs r ON r.id = a.run_id
WHERE a.user_id = sqlc.arg(user_id) AND a.at >= sqlc.arg(since) AND a.at < sqlc.arg(until) AND (r.id IS NULL OR r.execution_id <> '');

-- name: PowerByAllSince :many
SELECT a.user_id, count(*) AS runs, count(a.power) AS told, CAST(coalesce(sum(a.power), 0) AS double precision) AS power
FROM asked a LEFT JOIN runs r ON r.id = a.run_id
WHERE a.at >= $1 AND (r.id IS NULL OR r.execution_id <> '')
GROUP BY a.user_id;
