package db

import (
	"context"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"atelier/atelier"
	"atelier/db/gen"
	"atelier/internal/sqldb"
)

// pageLimit is how many rows a filter asks for: 1 to 200, 50 when it does not say.
func pageLimit(f atelier.RunFilter) int {
	if f.Limit <= 0 {
		return 50
	}
	return min(f.Limit, 200)
}

// keyAt is the lowest key something made at a moment can have: ids are UUIDv7, which begin with the time (RFC 9562, section 5.7).
func keyAt(t time.Time) (k runKey) {
	binary.BigEndian.PutUint64(k[:], uint64(max(t.UnixMilli(), 0))<<16|0x7000)
	k[8] = 0x80
	return k
}

// time is when something with a key was made.
func (k runKey) time() time.Time {
	return time.UnixMilli(int64(binary.BigEndian.Uint64(k[:]) >> 16)).UTC()
}

func monthOf(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, t.Location())
}

// query collects the conditions of a statement. Only those a filter needs are in it, so that the planner sees which index serves.
type query struct {
	clauses []string
	args    []any
}

// arg adds an argument and gives its placeholder.
func (q *query) arg(v any) string {
	q.args = append(q.args, v)
	return "$" + strconv.Itoa(len(q.args))
}

// add adds a condition that ends with an argument.
func (q *query) add(clause string, v any) { q.say(clause + q.arg(v)) }

// say adds a condition.
func (q *query) say(clause string) { q.clauses = append(q.clauses, clause) }

func (q *query) in(column string, ids []string) {
	q.say(column + " IN (SELECT value FROM " + q.list(ids) + ")")
}

// limit is the words for at most n rows. The planner would look at a bare argument, and compile the statement anew for each value of it.
func (q *query) limit(n int) string { return " LIMIT CAST(" + q.arg(n) + " AS integer)" }

func (q *query) where() string { return strings.Join(q.clauses, " AND ") }

// list adds a list of texts as a table with their places as its keys.
func (q *query) list(texts []string) string {
	text, _ := json.Marshal(texts) // texts can always be written
	return "json_each(" + q.arg(string(text)) + ")"
}

// reader is what a read goes through: any connection of the pool, or a transaction.
type reader interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// reading is the key of a reader in a context. What is read with such a context comes from one transaction, and nobody who has a
// connection waits for a second one.
type reading struct{}

func (d *DB) reader(ctx context.Context) reader {
	if r, ok := ctx.Value(reading{}).(reader); ok {
		return r
	}
	return d.Read
}

// runColumns are the columns runRows reads, in its order.
const runColumns = "r.id, r.user_id, r.intent_key, r.retry_of, r.agent, r.version, r.title, r.surface, r.tag, r.state, r.step, r.status, r.values_json, " +
	"r.files_json, r.asset_id, r.mask_id, r.mask_sha256, r.board_id, r.search, r.task_id, r.execution_id, r.attempt, r.misses, " +
	"r.first_sent_at, r.last_sent_at, r.checked_at, r.error_code, r.error_message, r.error_retryable, r.psd_status, r.psd_error, " +
	"r.psd_sha256, r.created_at, r.updated_at, r.trashed_at, r.power, r.power_left"

// runRows reads whole runs.
func (d *DB) runRows(ctx context.Context, query string, args ...any) (runs []gen.Run, err error) {
	rows, err := d.reader(ctx).QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var r gen.Run
		if err := rows.Scan(&r.ID, &r.UserID, &r.IntentKey, &r.RetryOf, &r.Agent, &r.Version, &r.Title, &r.Surface, &r.Tag, &r.State, &r.Step,
			&r.Status, &r.ValuesJson, &r.FilesJson, &r.AssetID, &r.MaskID, &r.MaskSha256, &r.BoardID, &r.Search, &r.TaskID,
			&r.ExecutionID, &r.Attempt, &r.Misses, &r.FirstSentAt, &r.LastSentAt, &r.CheckedAt, &r.ErrorCode, &r.ErrorMessage,
			&r.ErrorRetryable, &r.PsdStatus, &r.PsdError, &r.PsdSha256, &r.CreatedAt, &r.UpdatedAt, &r.TrashedAt, &r.Power, &r.PowerLeft); err != nil {
			return nil, err
		}
		runs = append(runs, r)
	}
	return runs, rows.Err()
}

// resultColumns are the columns scanResult reads, in its order.
const resultColumns = "s.id, s.run_id, s.user_id, s.idx, s.kind, s.status, s.progress, s.error, s.format, s.width, s.height, s.bytes, s.sha256, " +
	"s.preview, s.score, s.starred, s.rating, s.pick, s.poster_sha, s.millis, s.last_sha, s.delta_e, s.ssim, s.changed, s.not_comparable, " +
	"s.heat_sha, s.locked_from, s.crc, s.trashed_at, s.edge"

// scanResult reads a row that begins with resultColumns; more are the places of the columns behind them.
func scanResult(rows *sql.Rows, more ...any) (Result, error) {
	var r gen.Result
	at := append([]any{
		&r.ID, &r.RunID, &r.UserID, &r.Idx, &r.Kind, &r.Status, &r.Progress, &r.Error, &r.Format, &r.Width, &r.Height, &r.Bytes, &r.Sha256,
		&r.Preview, &r.Score, &r.Starred, &r.Rating, &r.Pick, &r.PosterSha, &r.Millis, &r.LastSha, &r.DeltaE, &r.Ssim, &r.Changed, &r.NotComparable,
		&r.HeatSha, &r.LockedFrom, &r.Crc, &r.TrashedAt, &r.Edge,
	}, more...)
	if err := rows.Scan(at...); err != nil {
		return Result{}, fmt.Errorf("read a result: %w", err)
	}
	return resultOf(r), nil
}

// resultsOf reads the results of several runs at once, in order.
func (d *DB) resultsOf(ctx context.Context, runs []string) (results map[atelier.RunID][]atelier.Result, err error) {
	results = map[atelier.RunID][]atelier.Result{}
	if len(runs) == 0 {
		return results, nil
	}
	q := &query{}
	q.in("s.run_id", runs)
	//nolint:gosec // the conditions hold placeholders only
	rows, err := d.Read.QueryContext(ctx, "SELECT "+resultColumns+" FROM results s WHERE "+q.where()+" ORDER BY s.run_id, s.idx", q.args...)
	if err != nil {
		return nil, fmt.Errorf("read results: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		r, err := scanResult(rows)
		if err != nil {
			return nil, err
		}
		results[r.RunID] = append(results[r.RunID], r.Result)
	}
	return results, rows.Err()
}

// assetsOf reads several assets at once.
func (d *DB) assetsOf(ctx context.Context, ids []string) (assets map[string]atelier.Asset, err error) {
	assets = map[string]atelier.Asset{}
	if len(ids) == 0 {
		return assets, nil
	}
	slices.Sort(ids)
	q := &query{}
	q.in("id", slices.Compact(ids))
	//nolint:gosec // the conditions hold placeholders only
	rows, err := d.Read.QueryContext(ctx, `SELECT id, kind, name, width, height, format, bytes, sha256, preview, created_at, millis, poster_sha, sent_sha256
		FROM assets WHERE `+q.where(), q.args...)
	if err != nil {
		return nil, fmt.Errorf("read assets: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var a Asset
		var at, millis int64
		if err := rows.Scan(&a.ID, &a.Kind, &a.Name, &a.Width, &a.Height, &a.Format, &a.Bytes, &a.SHA256, &a.Preview, &at, &millis,
			&a.PosterSHA, &a.Sent.SHA256); err != nil {
			return nil, fmt.Errorf("read an asset: %w", err)
		}
		a.CreatedAt, a.Seconds = sqldb.Time(at), secondsOf(millis)
		assets[string(a.ID)] = withDerived(a).Asset
	}
	return assets, rows.Err()
}
