-- name: Mark :one
SELECT at FROM marks WHERE name = $1;

-- name: SetMark :exec
INSERT INTO marks (name, at) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET at = excluded.at;

-- name: DeleteMark :exec
DELETE FROM marks WHERE name = $1;

-- name: OldestUser :one
SELECT id FROM users ORDER BY CASE WHEN login = '' THEN 1 ELSE 0 END, created_at, id LIMIT 1;

-- name: DoubtRuns :exec
UPDATE runs SET state = 'ambiguous', misses = 0,
    first_sent_at = CASE WHEN first_sent_at = 0 THEN created_at ELSE first_sent_at END,
    last_sent_at = CASE WHEN last_sent_at = 0 THEN $1 ELSE last_sent_at END
WHERE state IN ('recorded', 'submitting') AND state <> 'done' AND state <> 'failed';

-- name: DeleteAllSessions :exec
DELETE FROM sessions;
