package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"atelier/atelier"
	"atelier/db/gen"
	"atelier/internal/sqldb"
)

// ListRuns gives one page of the user's runs, newest first, with assets and results. Limit is 1 to 200; 0 means 50.
func (d *DB) ListRuns(ctx context.Context, user atelier.UserID, f atelier.RunFilter) (runs []Run, next string, err error) {
	if f.Limit <= 0 {
		f.Limit = 50
	}
	f.Limit = min(f.Limit, 200)
	query, args := runQuery(user, f)
	rows, err := d.runRows(ctx, query, args...)
	if err != nil {
		return nil, "", fmt.Errorf("list runs: %w", err)
	}
	if len(rows) > f.Limit {
		rows = rows[:f.Limit]
		next = rows[len(rows)-1].ID
	}
	runs, err = d.completeAll(ctx, rows)
	return runs, next, err
}

// runQuery writes the query for one page. Only the clauses a filter needs are in it, so that the planner sees
// which index serves.
func runQuery(user atelier.UserID, f atelier.RunFilter) (query string, args []any) {
	arg := func(v any) string {
		args = append(args, v)
		return "$" + strconv.Itoa(len(args))
	}
	where := []string{"user_id = " + arg(string(user)), "id < " + arg(before(f.Cursor))}
	if f.Trashed {
		where = append(where, "trashed_at > 0")
	} else {
		where = append(where, "trashed_at = 0")
	}
	if f.Agent != "" {
		where = append(where, "agent = "+arg(f.Agent))
	}
	if f.Status != "" {
		// One box on screen: the upstream's word or ours.
		s := arg(string(f.Status))
		where = append(where, "(status = "+s+" OR state = "+s+")")
	}
	if f.Query != "" {
		for word := range strings.FieldsSeq(strings.ToLower(f.Query)) {
			where = append(where, "search LIKE "+arg("%"+likeEscaper.Replace(word)+"%")+` ESCAPE '\'`)
		}
	}
	if !f.From.IsZero() {
		where = append(where, "created_at >= "+arg(sqldb.Millis(f.From)))
	}
	if !f.To.IsZero() {
		where = append(where, "created_at < "+arg(sqldb.Millis(f.To)))
	}
	if f.Board != "" {
		b := arg(string(f.Board))
		where = append(where, "(board_id = "+b+" OR id IN (SELECT r.run_id FROM results r JOIN board_results b ON b.result_id = r.id WHERE b.board_id = "+b+"))")
	}
	if f.Starred {
		where = append(where, "id IN (SELECT run_id FROM results WHERE user_id = $1 AND starred)")
	}
	return "SELECT " + runColumns + " FROM runs WHERE " + strings.Join(where, " AND ") + " ORDER BY id DESC LIMIT " + arg(f.Limit+1), args
}

var likeEscaper = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// runColumns are the columns runRows reads, in its order.
const runColumns = "id, user_id, intent_key, retry_of, agent, version, title, surface, tag, state, step, status, values_json, " +
	"files_json, asset_id, mask_id, mask_sha256, board_id, search, task_id, execution_id, attempt, misses, " +
	"first_sent_at, last_sent_at, checked_at, error_code, error_message, error_retryable, psd_status, psd_error, " +
	"psd_sha256, created_at, updated_at, trashed_at"

// runRows reads whole runs.
func (d *DB) runRows(ctx context.Context, query string, args ...any) (runs []gen.Run, err error) {
	rows, err := d.Read.QueryContext(ctx, query, args...)
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

// placeholders gives "$1, $2 …" for a list, and the list as arguments.
func placeholders(ids []string) (list string, args []any) {
	var b strings.Builder
	for i, id := range ids {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString("$" + strconv.Itoa(i+1))
		args = append(args, id)
	}
	return b.String(), args
}

// resultsOf reads the results of several runs at once, in order.
func (d *DB) resultsOf(ctx context.Context, runs []string) (results map[atelier.RunID][]atelier.Result, err error) {
	results = map[atelier.RunID][]atelier.Result{}
	if len(runs) == 0 {
		return results, nil
	}
	list, args := placeholders(runs)
	//nolint:gosec // list holds placeholders only
	rows, err := d.Read.QueryContext(ctx, `SELECT id, run_id, idx, kind, status, progress, error, format, width, height, bytes, sha256,
		preview, score, starred, rating, pick, poster_sha, millis, last_sha FROM results WHERE run_id IN (`+list+`) ORDER BY run_id, idx`, args...)
	if err != nil {
		return nil, fmt.Errorf("read results: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var r Result
		var millis int64
		var score sql.NullFloat64
		if err := rows.Scan(&r.ID, &r.RunID, &r.Index, &r.Kind, &r.Status, &r.Progress, &r.Error, &r.Format, &r.Width, &r.Height, &r.Bytes,
			&r.SHA256, &r.Preview, &score, &r.Starred, &r.Rating, &r.Pick, &r.PosterSHA, &millis, &r.LastSHA); err != nil {
			return nil, fmt.Errorf("read a result: %w", err)
		}
		if score.Valid {
			r.Score = &score.Float64
		}
		r.Seconds = secondsOf(millis)
		withResultPaths(&r)
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
	list, args := placeholders(ids)
	//nolint:gosec // list holds placeholders only
	rows, err := d.Read.QueryContext(ctx, `SELECT id, kind, name, width, height, format, bytes, sha256, preview, created_at, millis, poster_sha
		FROM assets WHERE id IN (`+list+`)`, args...)
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
