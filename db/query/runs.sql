-- name: InsertRun :exec
INSERT INTO runs (id, user_id, intent_key, retry_of, agent, version, title, surface, tag, state, step, status, values_json, files_json,
    asset_id, mask_id, mask_sha256, board_id, search, task_id, execution_id, attempt, misses, first_sent_at, last_sent_at, checked_at,
    error_code, error_message, error_retryable, psd_status, psd_error, psd_sha256, created_at, updated_at, trashed_at, upstream)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, '', $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, 0, 0, 0, 0, 0,
    '', '', false, '', '', '', $21, $21, 0, $22);

-- name: Run :one
SELECT * FROM runs WHERE id = $1;

-- name: RunOf :one
SELECT * FROM runs WHERE id = $1 AND user_id = $2;

-- name: RunByIntent :one
SELECT * FROM runs WHERE user_id = $1 AND intent_key = $2;

-- name: RunByExecution :one
SELECT * FROM runs WHERE surface = $1 AND execution_id = $2 AND execution_id <> '';

-- name: RunByTag :one
SELECT * FROM runs WHERE tag = $1;

-- name: TaskOwner :one
SELECT user_id FROM runs WHERE task_id = $1 AND task_id <> '' ORDER BY id LIMIT 1;

-- name: OpenRuns :many
SELECT * FROM runs WHERE state IN ('recorded', 'submitting', 'ambiguous', 'accepted') ORDER BY id LIMIT $1;

-- name: RunsAfter :many
SELECT * FROM runs WHERE id > $1 ORDER BY id LIMIT $2;

-- name: SetRunSearch :execrows
UPDATE runs SET search = $2 WHERE id = $1;

-- name: RunsByIntents :many
SELECT intent_key, state FROM runs WHERE user_id = $1 AND intent_key > sqlc.arg(after) AND intent_key < sqlc.arg(before);

-- name: RecentRuns :many
SELECT version, surface, values_json, CAST(checked_at - last_sent_at AS bigint) AS took FROM runs
WHERE agent = $1 AND state = 'done' AND last_sent_at > 0 AND checked_at > last_sent_at ORDER BY id DESC LIMIT 100;

-- name: CountRuns :many
SELECT state, count(*) AS runs FROM runs WHERE state <> 'done' AND state <> 'failed' GROUP BY state;

-- name: OpenPSDs :many
SELECT * FROM runs WHERE psd_status IN ('NotStart', 'Pending', 'Running') AND psd_status <> '' ORDER BY psd_status LIMIT 1000;

-- name: UndecidedRuns :many
SELECT * FROM runs WHERE (state = 'unconfirmed' OR state = 'failed' AND step = 'dismissed' OR state = 'failed' AND step = 'cancelled' AND misses > 0) AND (last_sent_at > $1 OR checked_at > $1)
ORDER BY last_sent_at DESC LIMIT $2;

-- name: CountAhead :one
SELECT count(*) FROM runs WHERE state IN ('recorded', 'submitting') AND state <> 'done' AND state <> 'failed'
    AND (place > sqlc.arg(place) OR place = sqlc.arg(place) AND id < sqlc.arg(id)) AND (error_message = '' OR in_line);

-- name: RunPlace :one
SELECT place FROM runs WHERE id = $1;

-- name: PlaceRunFirst :execrows
UPDATE runs SET place = CASE WHEN runs.place > 0 AND NOT EXISTS
        (SELECT 1 FROM runs o WHERE o.state <> 'done' AND o.state <> 'failed' AND o.place >= runs.place AND o.id <> runs.id) THEN runs.place
    ELSE (SELECT max(o.place) + 1 FROM runs o WHERE o.state <> 'done' AND o.state <> 'failed') END
WHERE runs.id = $1 AND runs.state = 'recorded' AND runs.trashed_at = 0;

-- name: PlaceRunBack :execrows
UPDATE runs SET place = 0 WHERE id = $1 AND state = 'recorded';

-- name: CountUnderWay :one
SELECT count(*) FROM runs WHERE state = 'accepted' AND state <> 'done' AND state <> 'failed' AND status <> 'Success' AND status <> 'Failed';

-- name: DismissRun :execrows
UPDATE runs SET state = 'failed', step = 'dismissed', error_code = $3, error_message = $4, error_retryable = true, updated_at = $5
WHERE id = $1 AND user_id = $2 AND state = 'unconfirmed';

-- name: CancelRun :execrows
-- Only a run that no paid call was begun for, or whose last one certainly came to nothing.
UPDATE runs SET state = 'failed', step = 'cancelled', in_line = false, error_code = $3, error_message = $4, error_retryable = true, updated_at = $5
WHERE id = $1 AND user_id = $2 AND (state = 'recorded' AND step <> 'doubted' OR state = 'submitting' AND step IN ('creating', 'created')
    OR state = 'ambiguous' AND attempt = 0);

-- name: RestoreCancelledRun :execrows
UPDATE runs SET state = 'recorded', step = CASE WHEN runs.task_id = '' THEN '' ELSE 'created' END, error_code = '', error_message = '', error_retryable = false,
    updated_at = $3
WHERE runs.id = $1 AND runs.user_id = $2 AND runs.state = 'failed' AND runs.step = 'cancelled' AND runs.execution_id = '' AND runs.trashed_at = 0
    AND NOT EXISTS (SELECT 1 FROM runs n WHERE n.retry_of <> '' AND n.retry_of = runs.id);

-- name: DoubtRun :execrows
UPDATE runs SET state = 'unconfirmed', step = '', error_code = $3, error_message = $4, error_retryable = false, updated_at = $5
WHERE runs.id = $1 AND runs.user_id = $2 AND runs.state = 'failed' AND runs.step = 'dismissed' AND NOT EXISTS (SELECT 1 FROM runs n WHERE n.retry_of <> '' AND n.retry_of = runs.id);

-- name: SetRunStep :execrows
UPDATE runs SET state = $2, step = $3, attempt = attempt + $4, misses = 0, missed_since = 0, last_sent_at = $5,
    first_sent_at = CASE WHEN first_sent_at = 0 THEN $5 ELSE first_sent_at END, updated_at = $5
WHERE id = $1 AND (state = 'recorded' OR state = 'submitting' AND step = 'created' AND $3 = 'executing');

-- name: DoubtInterrupted :exec
UPDATE runs SET state = 'ambiguous', error_code = '', error_message = '', error_retryable = false, updated_at = $1
WHERE state IN ('recorded', 'submitting', 'ambiguous', 'accepted') AND state = 'submitting';

-- name: LostRuns :many
SELECT * FROM runs WHERE state IN ('recorded', 'submitting', 'ambiguous', 'accepted') AND state = 'ambiguous'
    AND last_sent_at <= $1 AND (misses = 0 OR checked_at <= $2) ORDER BY id LIMIT $3;

-- name: SetSentBy :exec
UPDATE runs SET last_sent_at = $2 WHERE id = $1 AND last_sent_at > $2;

-- name: SetRunTask :execrows
UPDATE runs SET task_id = $2, step = 'created', updated_at = $3 WHERE id = $1 AND state IN ('recorded', 'submitting', 'ambiguous');

-- name: SetRunExecution :execrows
UPDATE runs SET execution_id = sqlc.arg(execution_id),
    task_id = CASE WHEN CAST(sqlc.arg(task_id) AS text) = '' THEN task_id ELSE CAST(sqlc.arg(task_id) AS text) END,
    state = 'accepted', step = '', misses = 0, error_code = '', error_message = '', error_retryable = false, updated_at = sqlc.arg(updated_at)
WHERE id = sqlc.arg(id) AND (state IN ('recorded', 'submitting', 'ambiguous', 'unconfirmed') OR state = 'failed' AND step IN ('dismissed', 'cancelled'));

-- name: SetMaskByURL :exec
-- What was refused cost nothing and made nothing, so it does not count as sent.
UPDATE runs SET mask_by_url = true, attempt = CASE WHEN attempt > 0 THEN attempt - 1 ELSE 0 END WHERE id = $1;

-- name: SetMadeBy :exec
UPDATE runs SET upstream = $2 WHERE id = $1 AND upstream = '';

-- name: BindRun :exec
UPDATE runs SET task_id = CASE WHEN upstream = '' THEN task_id ELSE '' END, upstream = $2 WHERE id = $1 AND state = 'recorded';

-- name: BindOpenRuns :exec
UPDATE runs SET upstream = $1 WHERE upstream = '' AND state IN ('recorded', 'submitting', 'ambiguous', 'accepted');

-- name: NewestSent :one
SELECT * FROM runs WHERE id > $1 AND upstream = $2 AND execution_id <> '' ORDER BY id DESC LIMIT 1;

-- name: OpenByUpstream :many
SELECT upstream, state, count(*) AS runs FROM runs WHERE state IN ('recorded', 'submitting', 'ambiguous', 'accepted') GROUP BY upstream, state;

-- name: SetRunState :execrows
UPDATE runs SET state = $2, step = $3, error_code = $4, error_message = $5, error_retryable = $6, updated_at = $7, in_line = $8
WHERE id = $1 AND state NOT IN ('done', 'failed') AND (state <> 'accepted' OR $2 IN ('done', 'failed') AND $3 <> 'dismissed');

-- name: SetLost :execrows
UPDATE runs SET error_code = $2, error_message = $3, error_retryable = $4, updated_at = $5 WHERE id = $1 AND state = 'done' AND error_message <> $3;

-- name: SetRunStatus :execrows
UPDATE runs SET status = sqlc.arg(status), misses = misses * CAST(sqlc.arg(missed) AS bigint), checked_at = sqlc.arg(at),
    updated_at = CASE WHEN status = sqlc.arg(status) THEN updated_at ELSE sqlc.arg(at) END
WHERE id = sqlc.arg(id) AND state = 'accepted' AND status NOT IN ('Success', 'Failed');

-- name: CountMiss :one
UPDATE runs SET misses = misses + 1, missed_since = 0, checked_at = $2, error_code = '', error_message = '', error_retryable = false
WHERE id = $1 RETURNING misses;

-- name: LookInVain :many
UPDATE runs SET missed_since = CASE WHEN missed_since = 0 OR checked_at < sqlc.arg(lately) OR checked_at > sqlc.arg(at) THEN sqlc.arg(at) ELSE missed_since END,
    checked_at = sqlc.arg(at), error_code = sqlc.arg(error_code), error_message = sqlc.arg(error_message), error_retryable = false
WHERE id = sqlc.arg(id) AND state = 'ambiguous' RETURNING missed_since;

-- name: CountUnknown :one
UPDATE runs SET misses = misses + 1, checked_at = $2, missed_since = CASE WHEN misses = 0 THEN $2 ELSE missed_since END
WHERE id = $1 RETURNING misses, missed_since;

-- name: UnseenRuns :many
SELECT * FROM runs WHERE state = 'failed' AND step = 'unseen' AND missed_since > $1 ORDER BY missed_since LIMIT $2;

-- name: TakeRunBack :execrows
UPDATE runs SET state = 'accepted', step = '', misses = 0, error_code = '', error_message = '', error_retryable = false, updated_at = $2
WHERE id = $1 AND state = 'failed' AND step = 'unseen';

-- name: SetPSD :execrows
UPDATE runs SET psd_status = $2, psd_error = $3, psd_sha256 = $4, psd_attempts = 0, updated_at = $5 WHERE id = $1;

-- name: AskPSD :execrows
UPDATE runs SET psd_status = 'NotStart', psd_error = '', psd_sha256 = '', psd_attempts = 0, psd_asked_at = $2, updated_at = $3
WHERE id = $1 AND psd_status IN ('', 'Failed');

-- name: CountPSDAttempt :one
UPDATE runs SET psd_attempts = psd_attempts + 1 WHERE id = $1 RETURNING psd_attempts;

-- name: InsertAnswer :exec
INSERT INTO answers (run_id, op, at, body) VALUES ($1, $2, $3, $4);

-- name: Answers :many
SELECT * FROM answers WHERE run_id = $1 ORDER BY at;

-- name: ForgetPSD :many
UPDATE runs SET psd_sha256 = '', psd_status = 'Pending', psd_asked_at = $2 WHERE psd_sha256 = $1 AND psd_sha256 <> '' RETURNING id;

-- name: ResentRuns :many
SELECT * FROM runs WHERE attempt > 1 AND last_sent_at > $1 AND surface = 'task' AND task_id <> ''
    AND state NOT IN ('recorded', 'submitting', 'ambiguous') ORDER BY last_sent_at LIMIT $2;
