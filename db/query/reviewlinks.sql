-- name: InsertReviewLink :exec
INSERT INTO review_links (id, user_id, title, note, downloads, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7);

-- name: InsertReviewAnswer :exec
INSERT INTO review_answers (link_id, idx, result_id) VALUES ($1, $2, $3);

-- name: CountReviewLinks :one
SELECT count(*) FROM review_links WHERE user_id = $1;

-- name: ReviewLinks :many
SELECT * FROM review_links WHERE user_id = $1 ORDER BY id DESC LIMIT 1000;

-- name: ReviewLink :one
SELECT * FROM review_links WHERE id = $1 AND user_id = $2;

-- name: OpenReviewLink :one
SELECT l.* FROM review_links l JOIN users u ON u.id = l.user_id
WHERE l.id = $1 AND l.expires_at > $2 AND u.disabled_at = 0 AND u.role <> 'viewer';

-- name: ReviewAnswers :many
SELECT * FROM review_answers WHERE link_id = $1 ORDER BY idx;

-- name: ReviewCounts :many
SELECT a.link_id, count(*) AS results,
    CAST(coalesce(sum(CASE WHEN a.pick = 'pick' THEN 1 ELSE 0 END), 0) AS bigint) AS picked,
    CAST(coalesce(sum(CASE WHEN a.pick = 'reject' THEN 1 ELSE 0 END), 0) AS bigint) AS rejected,
    CAST(coalesce(sum(CASE WHEN a.comment <> '' THEN 1 ELSE 0 END), 0) AS bigint) AS comments
FROM review_links l JOIN review_answers a ON a.link_id = l.id JOIN results s ON s.id = a.result_id JOIN runs r ON r.id = s.run_id
WHERE l.user_id = $1 AND s.trashed_at = 0 AND r.trashed_at = 0 GROUP BY a.link_id;

-- name: ReviewFaces :many
SELECT a.link_id, a.result_id FROM review_links l JOIN review_answers a ON a.link_id = l.id JOIN results s ON s.id = a.result_id JOIN runs r ON r.id = s.run_id
WHERE l.user_id = $1 AND a.idx <= 4 AND s.trashed_at = 0 AND r.trashed_at = 0 AND (s.kind = 'image' OR s.poster_sha <> '') ORDER BY a.link_id, a.idx;

-- name: SetReviewPick :execrows
UPDATE review_answers SET pick = $3 WHERE link_id = $1 AND idx = $2;

-- name: SetReviewComment :execrows
UPDATE review_answers SET comment = $3 WHERE link_id = $1 AND idx = $2;

-- name: FinishReview :exec
UPDATE review_links SET done_at = $2, done_name = $3, done_words = $4 WHERE id = $1;

-- name: SetReviewLinkEnd :execrows
UPDATE review_links SET expires_at = $3 WHERE id = $1 AND user_id = $2;

-- name: DeleteReviewLink :execrows
DELETE FROM review_links WHERE id = $1 AND user_id = $2;
