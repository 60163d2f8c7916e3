package db

import (
	"context"
	"database/sql"
	"encoding/hex"
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

// ListRuns gives one page of the user's runs with assets and results, newest first, or oldest first when the filter says so.
func (d *DB) ListRuns(ctx context.Context, user atelier.UserID, f atelier.RunFilter) (runs []Run, next string, err error) {
	f.Limit = pageLimit(f)
	rows, err := d.pageOfRuns(ctx, user, f)
	if err != nil {
		return nil, "", fmt.Errorf("list runs: %w", err)
	}
	if len(rows) > f.Limit {
		rows = rows[:f.Limit]
		next = rows[len(rows)-1].ID
	}
	runs, err = d.completeAll(ctx, rows, f.Trashed)
	return runs, next, err
}

// pageOfRuns reads one row more than the page has, where there is one.
func (d *DB) pageOfRuns(ctx context.Context, user atelier.UserID, f atelier.RunFilter) ([]gen.Run, error) {
	cs := d.candidates(user, f)
	if cs == nil {
		return d.runsPlainly(ctx, user, f, nil)
	}
	var page []gen.Run
	err := cs.each(ctx, f.Cursor, func(ctx context.Context, ids []string) (bool, error) {
		rows, err := d.runsPlainly(ctx, user, f, ids)
		page = append(page, rows...)
		return len(page) <= f.Limit, err
	})
	return page[:min(len(page), f.Limit+1)], err
}

// runsPlainly reads runs in order: those among the candidates, or all when that is nil.
func (d *DB) runsPlainly(ctx context.Context, user atelier.UserID, f atelier.RunFilter, among []string) ([]gen.Run, error) {
	statement, args := runStatement(user, f, among)
	return d.runRows(ctx, statement, args...)
}

func runStatement(user atelier.UserID, f atelier.RunFilter, among []string) (statement string, args []any) {
	q := &query{}
	q.runs(user, f)
	if among != nil {
		q.in("r.id", among)
		if f.Query != "" || f.Trashed {
			// Candidates of a search still have to be what else is asked for, and so have those of the trash.
			q.hasResult(f)
		}
	}
	order := "DESC"
	if oldest(f) {
		order = "ASC"
		q.add("r.id > ", f.Cursor)
	} else {
		q.add("r.id < ", before(f.Cursor))
	}
	return "SELECT " + runColumns + " FROM runs r WHERE " + q.where() + " ORDER BY r.id " + order + " LIMIT " + q.arg(f.Limit+1), q.args
}

func oldest(f atelier.RunFilter) bool { return f.Sort == atelier.SortOldest }

// span is a part of the history: the ids from ≤ id < to ("" = no end), and the direction it is gone through.
type span struct {
	from, to string
	oldest   bool
}

func spanOf(f atelier.RunFilter) span {
	s := span{oldest: oldest(f)}
	if !f.From.IsZero() {
		s.from = IDAt(f.From)
	}
	if !f.To.IsZero() {
		s.to = IDAt(f.To)
	}
	return s
}

// IDAt is the lowest id something made at a moment can have: ids are UUIDv7, which begin with the time (RFC 9562, section 5.7).
func IDAt(t time.Time) string {
	ms := max(t.UnixMilli(), 0)
	h := hex.EncodeToString([]byte{byte(ms >> 40), byte(ms >> 32), byte(ms >> 24), byte(ms >> 16), byte(ms >> 8), byte(ms)})
	return h[:8] + "-" + h[8:] + "-7000-8000-000000000000"
}

// timeOf is when something with an id was made.
func timeOf(id string) time.Time {
	ms, err := strconv.ParseInt(strings.Replace(id[:min(len(id), 13)], "-", "", 1), 16, 64)
	if err != nil {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
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
	places := make([]string, len(ids))
	for i, id := range ids {
		places[i] = q.arg(id)
	}
	q.say(column + " IN (" + strings.Join(places, ", ") + ")")
}

func (q *query) where() string { return strings.Join(q.clauses, " AND ") }

// runs adds what a filter says of runs themselves, as r.
func (q *query) runs(user atelier.UserID, f atelier.RunFilter) {
	q.add("r.user_id = ", string(user))
	q.runsWithout(f)
	q.between("r.id", spanOf(f))
	if f.Status != "" {
		// One box on screen: the upstream's word or ours.
		s := q.arg(string(f.Status))
		q.say("(r.status = " + s + " OR r.state = " + s + ")")
	}
}

// runsWithout adds what a filter says of runs but for owner, status and time.
func (q *query) runsWithout(f atelier.RunFilter) {
	if !f.Trashed {
		q.say("r.trashed_at = 0")
	}
	if f.Agent != "" {
		q.add("r.agent = ", f.Agent)
	}
}

func (q *query) between(column string, s span) {
	if s.from != "" {
		q.add(column+" >= ", s.from)
	}
	if s.to != "" {
		q.add(column+" < ", s.to)
	}
}

// trash adds that a result, as s, is in the trash itself or with its run, r, or that it is not. That its run is not, runsWithout says.
func (q *query) trash(f atelier.RunFilter) {
	if f.Trashed {
		q.say("(r.trashed_at > 0 OR s.trashed_at > 0)")
	} else {
		q.say("s.trashed_at = 0")
	}
}

// marks adds what a filter says of the marks of results, as s, and says whether it says anything of what only few results have:
// each such condition has an index.
func (q *query) marks(f atelier.RunFilter) (few bool) {
	if f.Starred {
		few = true
		q.say("s.starred")
	}
	if f.Rating > 0 {
		few = true
		q.say("s.rating <> 0")
		q.add("+s.rating >= ", f.Rating) // not for an index to begin at: the order of the list is to come from one
	}
	switch f.Pick {
	case "":
	case atelier.PickNone:
		q.say("s.pick = ''")
	default:
		few = true
		q.say("s.pick <> ''")
		q.add("s.pick = ", f.Pick)
	}
	if f.Changed {
		few = true
		q.say("s.changed")
	}
	if f.Board != "" {
		few = true
		q.add("b.board_id = ", string(f.Board))
		q.say("s.id = b.result_id")
	}
	if f.User != "" {
		few = true
		q.shown(f)
	}
	return few
}

// marked are the tables that the conditions of marks speak of, and the column that gives their order: what is on a board is few,
// whatever else is asked for, and its places are in the order of the runs. CROSS JOIN keeps the order of the tables.
func marked(f atelier.RunFilter) (tables, run string) {
	if f.Board != "" || f.User != "" {
		return "board_results b CROSS JOIN results s", "b.run_id"
	}
	return "results s", "s.run_id"
}

// hasResult asks that a run has a result with the marks of a filter; and of the trash, that it is there itself or one of its results.
func (q *query) hasResult(f atelier.RunFilter) {
	sub := query{args: q.args}
	sub.marks(f)
	isMarked := len(sub.clauses) > 0
	if !isMarked && !f.Trashed {
		return
	}
	sub.trash(f)
	q.args = sub.args
	tables, run := marked(f)
	has := "EXISTS (SELECT 1 FROM " + tables + " WHERE " + run + " = r.id AND " + sub.where() + ")"
	if !isMarked {
		has = "(r.trashed_at > 0 OR " + has + ")"
	}
	q.say(has)
}

// candidates are runs that something else than the table of runs gives in its order: a search, or the marks of results. They
// are read one after another; of a search the words are looked up once for a page, which is most of what it costs.
type candidates struct {
	d *DB
	// all is the statement that gives the ids of the candidates after a run.
	all func(ctx context.Context, after string) (statement string, args []any, err error)
}

// candidates chooses where runs come from; nil means the table itself serves best.
func (d *DB) candidates(user atelier.UserID, f atelier.RunFilter) *candidates {
	s := spanOf(f)
	if f.Query != "" {
		return &candidates{d, func(ctx context.Context, after string) (string, []any, error) {
			match, err := d.match(ctx, user, f.Agent, f.Query)
			if err != nil {
				return "", nil, err
			}
			return hits(match, s, after)
		}}
	}
	if f.Trashed {
		return d.trashed(user, s)
	}
	if probe := (&query{}); !probe.marks(f) && f.Pick == "" {
		return d.unusual(user, f)
	}
	return &candidates{d, func(_ context.Context, after string) (statement string, args []any, err error) {
		q := &query{}
		q.add("s.user_id = ", string(user))
		q.say("s.trashed_at = 0")
		q.marks(f)
		tables, run := marked(f)
		q.between(run, s)
		order := "DESC"
		if s.oldest {
			order = "ASC"
			q.add(run+" > ", after)
		} else {
			q.add(run+" < ", before(after))
		}
		statement = "SELECT DISTINCT " + run + " FROM " + tables + " WHERE " + q.where()
		if f.Board != "" && !f.Starred && f.Rating == 0 && f.Pick == "" && !f.Changed {
			statement += " UNION " + q.startedForBoard(user, f, after)
		}
		return statement + " ORDER BY 1 " + order, q.args, nil
	}}
}

// trashed are the runs that are in the trash, and those of which single results are.
func (d *DB) trashed(user atelier.UserID, s span) *candidates {
	return &candidates{d, func(_ context.Context, after string) (string, []any, error) {
		statement, args := trashedStatement(user, s, after)
		return statement, args, nil
	}}
}

func trashedStatement(user atelier.UserID, s span, after string) (statement string, args []any) {
	q := &query{}
	part := func(column, owner, trashed string) string {
		q.clauses = nil
		q.add(owner+" = ", string(user))
		q.say(trashed + " > 0")
		q.between(column, s)
		if s.oldest {
			q.add(column+" > ", after)
		} else {
			q.add(column+" < ", before(after))
		}
		return q.where()
	}
	statement = "SELECT r.id FROM runs r WHERE " + part("r.id", "r.user_id", "r.trashed_at") +
		" UNION SELECT s.run_id FROM results s WHERE " + part("s.run_id", "s.user_id", "s.trashed_at") + " ORDER BY 1"
	if !s.oldest {
		statement += " DESC"
	}
	return statement, q.args
}

// unusual are the runs with a status that few have; nil when the filter asks for none.
func (d *DB) unusual(user atelier.UserID, f atelier.RunFilter) *candidates {
	if f.Status == "" || f.Status == atelier.Success || f.Status == atelier.Status(atelier.StateDone) {
		return nil
	}
	return &candidates{d, func(_ context.Context, after string) (string, []any, error) {
		statement, args := unusualStatement(user, f, after)
		return statement, args, nil
	}}
}

func unusualStatement(user atelier.UserID, f atelier.RunFilter, after string) (statement string, args []any) {
	q := &query{}
	q.add("r.user_id = ", string(user))
	s := q.arg(string(f.Status))
	q.say("(r.status = " + s + " OR r.state = " + s + ")")
	q.say("(r.status <> 'Success' OR r.state <> 'done')") // as the index says it
	q.between("r.id", spanOf(f))
	order := "DESC"
	if oldest(f) {
		order = "ASC"
		q.add("r.id > ", after)
	} else {
		q.add("r.id < ", before(after))
	}
	return "SELECT r.id FROM runs r WHERE " + q.where() + " ORDER BY r.id " + order, q.args
}

// startedForBoard selects the runs that were started for a board and have no results yet which could be on it.
func (q *query) startedForBoard(user atelier.UserID, f atelier.RunFilter, after string) string {
	sub := query{args: q.args}
	sub.add("r.board_id = ", string(f.Board))
	sub.say("r.board_id <> ''")
	sub.add("r.user_id = ", string(user))
	if oldest(f) {
		sub.add("r.id > ", after)
	} else {
		sub.add("r.id < ", before(after))
	}
	q.args = sub.args
	return "SELECT r.id FROM runs r WHERE " + sub.where() + " AND NOT EXISTS (SELECT 1 FROM results s WHERE s.run_id = r.id)"
}

// Candidates are looked at in batches that grow: a page is mostly full after the first, and where it is not, much is to be left out.
const (
	firstBatch = 32
	maxBatch   = 512 // more names in one statement cost more than a further statement does
)

// each hands the candidates after a run to use, batch by batch, until it wants no more. What use reads must be read with the
// context it is given: that is the connection the candidates come from, so that nobody ever waits for a second one.
func (c *candidates) each(ctx context.Context, after string, use func(ctx context.Context, ids []string) (more bool, err error)) (err error) {
	statement, args, err := c.all(ctx, after)
	if err != nil || statement == "" {
		return err
	}
	conn, err := c.d.Read.Conn(ctx)
	if err != nil {
		return fmt.Errorf("list candidates: %w", err)
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	rows, err := conn.QueryContext(ctx, statement, args...)
	if err != nil {
		return fmt.Errorf("list candidates: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	ctx = context.WithValue(ctx, connection{}, conn)
	for n := firstBatch; ; n = min(4*n, maxBatch) {
		ids := make([]string, 0, n)
		for len(ids) < n && rows.Next() {
			var id string
			if err := rows.Scan(&id); err != nil {
				return fmt.Errorf("list candidates: %w", err)
			}
			ids = append(ids, id)
		}
		if err := rows.Err(); err != nil || len(ids) == 0 {
			return err
		}
		if more, err := use(ctx, ids); err != nil || !more || len(ids) < n {
			return err
		}
	}
}

// connection is the key of a *sql.Conn in a context.
type connection struct{}

// reader is what a read with a context goes through: a connection of its own, or any of the pool.
func (d *DB) reader(ctx context.Context) interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
} {
	if conn, ok := ctx.Value(connection{}).(*sql.Conn); ok {
		return conn
	}
	return d.Read
}

// runColumns are the columns runRows reads, in its order.
const runColumns = "r.id, r.user_id, r.intent_key, r.retry_of, r.agent, r.version, r.title, r.surface, r.tag, r.state, r.step, r.status, r.values_json, " +
	"r.files_json, r.asset_id, r.mask_id, r.mask_sha256, r.board_id, r.search, r.task_id, r.execution_id, r.attempt, r.misses, " +
	"r.first_sent_at, r.last_sent_at, r.checked_at, r.error_code, r.error_message, r.error_retryable, r.psd_status, r.psd_error, " +
	"r.psd_sha256, r.created_at, r.updated_at, r.trashed_at"

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
			&r.ErrorRetryable, &r.PsdStatus, &r.PsdError, &r.PsdSha256, &r.CreatedAt, &r.UpdatedAt, &r.TrashedAt); err != nil {
			return nil, err
		}
		runs = append(runs, r)
	}
	return runs, rows.Err()
}

// resultColumns are the columns scanResult reads, in its order.
const resultColumns = "s.id, s.run_id, s.user_id, s.idx, s.kind, s.status, s.progress, s.error, s.format, s.width, s.height, s.bytes, s.sha256, " +
	"s.preview, s.score, s.starred, s.rating, s.pick, s.poster_sha, s.millis, s.last_sha, s.delta_e, s.ssim, s.changed, s.not_comparable, " +
	"s.heat_sha, s.locked_from, s.crc, s.trashed_at"

// scanResult reads a row that begins with resultColumns; more are the places of the columns behind them.
func scanResult(rows *sql.Rows, more ...any) (Result, error) {
	var r gen.Result
	at := append([]any{
		&r.ID, &r.RunID, &r.UserID, &r.Idx, &r.Kind, &r.Status, &r.Progress, &r.Error, &r.Format, &r.Width, &r.Height, &r.Bytes, &r.Sha256,
		&r.Preview, &r.Score, &r.Starred, &r.Rating, &r.Pick, &r.PosterSha, &r.Millis, &r.LastSha, &r.DeltaE, &r.Ssim, &r.Changed, &r.NotComparable,
		&r.HeatSha, &r.LockedFrom, &r.Crc, &r.TrashedAt,
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
	rows, err := d.Read.QueryContext(ctx, `SELECT id, kind, name, width, height, format, bytes, sha256, preview, created_at, millis, poster_sha
		FROM assets WHERE `+q.where(), q.args...)
	if err != nil {
		return nil, fmt.Errorf("read assets: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var a Asset
		var at, millis int64
		if err := rows.Scan(&a.ID, &a.Kind, &a.Name, &a.Width, &a.Height, &a.Format, &a.Bytes, &a.SHA256, &a.Preview, &at, &millis,
			&a.PosterSHA); err != nil {
			return nil, fmt.Errorf("read an asset: %w", err)
		}
		a.CreatedAt, a.Seconds = sqldb.Time(at), secondsOf(millis)
		assets[string(a.ID)] = withAssetPaths(a).Asset
	}
	return assets, rows.Err()
}
