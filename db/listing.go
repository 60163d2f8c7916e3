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
func (d *DB) pageOfRuns(ctx context.Context, user atelier.UserID, f atelier.RunFilter) (page []gen.Run, err error) {
	match := ""
	if f.Query != "" {
		if match, err = d.match(ctx, user, f.Agent, f.Query); err != nil || match == "" {
			return nil, err
		}
	}
	driver, err := d.driverOfRuns(ctx, user, f, match)
	if err != nil {
		return nil, err
	}
	if driver == nil {
		statement, args, err := runStatement(user, f, match, nil)
		if err != nil {
			return nil, err
		}
		return d.runRows(ctx, statement, args...)
	}
	err = d.drive(ctx, user, *driver, spanOf(f), match, f.Limit+1, func(ctx context.Context, batch []entry) (bool, error) {
		among := f
		if driver.whole {
			among.Board = ""
		}
		statement, args, err := runStatement(user, among, "", runsIn(batch))
		if err != nil {
			return false, err
		}
		rows, err := d.runRows(ctx, statement, args...)
		page = append(page, rows...)
		return len(page) <= f.Limit, err
	})
	return page[:min(len(page), f.Limit+1)], err
}

// driverOfRuns chooses what a page of runs is driven by; nil means the runs, or what the search finds.
func (d *DB) driverOfRuns(ctx context.Context, user atelier.UserID, f atelier.RunFilter, match string) (*driver, error) {
	s := spanOf(f)
	if f.Trashed {
		statement, args := trashedStatement(user, s, f.Cursor)
		return &driver{statement: statement, args: args, after: f.Cursor}, nil
	}
	sources := markSources(user, f, s, f.Cursor, false)
	if f.Board != "" && len(sources) == 1 && match == "" && f.Pick == "" {
		statement, args := boardStatement(user, f)
		return &driver{statement: statement, args: args, after: f.Cursor, whole: true}, nil
	}
	if unusual(f) {
		sources = append(sources, ofRuns(user, f, f.Cursor))
	}
	return d.chooseDriver(ctx, user, f, s, match, f.Cursor, sources)
}

// runStatement selects runs in order: what a search finds, those among candidates, or all.
func runStatement(user atelier.UserID, f atelier.RunFilter, match string, among []string) (statement string, args []any, err error) {
	q := &query{}
	from, run, order, s := "runs r", "r.id", "r.id", spanOf(f)
	switch {
	case match != "":
		from, run, order = "run_search CROSS JOIN runs r", "run_search.run_id", "run_search.rowid"
		err = q.found(match, s, f.Cursor)
		q.say("r.id = run_search.run_id")
	case among != nil:
		from = q.list(among) + " j CROSS JOIN runs r"
		q.say("r.id = j.value")
	}
	if match == "" {
		q.behind("r.id", s, f.Cursor)
	}
	q.hasResult(f, run)
	q.runs(user, f)
	return "SELECT " + runColumns + " FROM " + from + " WHERE " + q.where() + " ORDER BY " + order + s.direction() + q.limit(f.Limit+1), q.args, err
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
	q.say(column + " IN (SELECT value FROM " + q.list(ids) + ")")
}

// limit is the words for at most n rows. The planner would look at a bare argument, and compile the statement anew for each value of it.
func (q *query) limit(n int) string { return " LIMIT CAST(" + q.arg(n) + " AS integer)" }

func (q *query) where() string { return strings.Join(q.clauses, " AND ") }

// runs adds what a filter says of runs themselves, as r, but for their time.
func (q *query) runs(user atelier.UserID, f atelier.RunFilter) {
	q.add("r.user_id = ", string(user))
	q.runsWithout(f)
	q.runStatus(f)
}

// runStatus adds the status of runs: the upstream's word or ours, since there is one box for both on screen.
func (q *query) runStatus(f atelier.RunFilter) {
	if f.Status != "" {
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

// marks adds what a filter says of the marks of results, as s, and of the board they are on, as b. A mark that few results have
// has an index, which these words are for. It says whether there is any.
func (q *query) marks(f atelier.RunFilter) bool {
	before := len(q.clauses)
	if f.Starred {
		q.say("s.starred")
	}
	if f.Rating > 0 {
		q.rated(f.Rating)
	}
	switch f.Pick {
	case "":
	case atelier.PickNone:
		q.say("s.pick = ''")
	default:
		q.picked(f.Pick)
	}
	if f.Changed {
		q.say("s.changed")
	}
	switch f.Fits {
	case atelier.FitsVideo:
		q.say("s.kind = 'video'")
	case atelier.FitsImage:
		q.say("(s.kind <> 'video' OR s.last_sha <> '')")
	}
	if f.Board != "" {
		q.add("b.board_id = ", string(f.Board))
		q.say("s.id = b.result_id")
		q.say("s.run_id = b.run_id")
	}
	if f.User != "" {
		q.shown(f)
		q.say("s.run_id = b.run_id")
	}
	return len(q.clauses) > before
}

func (q *query) rated(least int) {
	q.say("s.rating <> 0")
	q.add("+s.rating >= ", least) // not for an index to begin at: the order of the list is to come from one
}

func (q *query) picked(pick string) {
	q.say("s.pick <> ''")
	q.add("s.pick = ", pick)
}

// status adds the status of results.
func (q *query) status(f atelier.RunFilter) {
	if f.Status != "" {
		q.add("s.status = ", string(f.Status))
		if f.Status != atelier.Success {
			q.say("s.status <> 'Success'") // as the index says it
		}
	}
}

// hasResult asks that a run has a result with the marks of a filter; and of the trash, that it is there itself or one of its results.
func (q *query) hasResult(f atelier.RunFilter, run string) {
	sub := query{args: q.args}
	isMarked := sub.marks(f)
	if !isMarked && !f.Trashed {
		return
	}
	sub.trash(f)
	q.args = sub.args
	column := "s.run_id"
	if placed(f) {
		column = "b.run_id"
	}
	has := "EXISTS (SELECT 1 FROM " + resultsOfOne(f) + " WHERE " + column + " = " + run + " AND " + sub.where() + ")"
	if !isMarked {
		has = "(r.trashed_at > 0 OR " + has + ")"
	}
	q.say(has)
}

// resultsOfRun is the table of results when those of a run are asked for: what is not in the trash has an index of its marks.
func resultsOfRun(f atelier.RunFilter) string {
	if f.Trashed {
		return "results s"
	}
	return "results s INDEXED BY results_live"
}

// placed says whether a filter asks for what stands on boards: on one of them, or on all that a user shows.
func placed(f atelier.RunFilter) bool { return f.Board != "" || f.User != "" }

// resultsOfOne are the tables of the results of one run: of those on a board, when that is asked for.
func resultsOfOne(f atelier.RunFilter) string {
	if placed(f) {
		return "board_results b CROSS JOIN " + resultsOfRun(f)
	}
	return resultsOfRun(f)
}

// boardStatement selects the runs of what is on a board, and those that were started for it and have no results yet which
// could be on it.
func boardStatement(user atelier.UserID, f atelier.RunFilter) (statement string, args []any) {
	s := spanOf(f)
	src := markSources(user, f, s, f.Cursor, false)[0]
	q := &query{args: src.args}
	q.add("r.board_id = ", string(f.Board))
	q.say("r.board_id <> ''")
	q.add("r.user_id = ", string(user))
	q.behind("r.id", s, f.Cursor)
	return "SELECT b.run_id FROM " + src.from + " CROSS JOIN results s WHERE s.id = b.result_id AND s.trashed_at = 0 AND " + src.where() + " UNION SELECT r.id FROM runs r WHERE " + q.where() +
		" AND NOT EXISTS (SELECT 1 FROM results s WHERE s.run_id = r.id) ORDER BY 1" + s.direction(), q.args
}

// trashedStatement selects the runs that are in the trash, and those of which single results are.
func trashedStatement(user atelier.UserID, s span, after string) (statement string, args []any) {
	q := &query{}
	part := func(column, owner, trashed string) string {
		q.clauses = nil
		q.add(owner+" = ", string(user))
		q.say(trashed + " > 0")
		q.behind(column, s, after)
		return q.where()
	}
	return "SELECT r.id FROM runs r WHERE " + part("r.id", "r.user_id", "r.trashed_at") +
		" UNION SELECT s.run_id FROM results s WHERE " + part("s.run_id", "s.user_id", "s.trashed_at") + " ORDER BY 1" + s.direction(), q.args
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
