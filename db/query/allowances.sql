-- name: InsertAsked :exec
INSERT INTO asked (run_id, user_id, at, results) VALUES ($1, $2, $3, $4);

-- name: AskedSince :one
-- A run that failed before the image service took it counts nothing; one of which that is not known counts.
SELECT CAST(coalesce(sum(a.results), 0) AS bigint) FROM asked a LEFT JOIN runs r ON r.id = a.run_id
WHERE a.user_id = $1 AND a.at >= $2 AND NOT coalesce(r.state = 'failed' AND r.execution_id = '' AND r.step <> 'dismissed', false);

-- name: AskedByAllSince :many
SELECT a.user_id, CAST(coalesce(sum(a.results), 0) AS bigint) AS results FROM asked a LEFT JOIN runs r ON r.id = a.run_id
WHERE a.at >= $1 AND NOT coalesce(r.state = 'failed' AND r.execution_id = '' AND r.step <> 'dismissed', false)
GROUP BY a.user_id;

-- name: DropAskedInVain :exec
DELETE FROM asked WHERE run_id = (SELECT r.id FROM runs r WHERE r.id = $1 AND r.state = 'failed' AND r.execution_id = '' AND r.step <> 'dismissed');

-- name: SetMonthly :execrows
UPDATE users SET monthly = $2 WHERE id = $1 AND login <> '';
