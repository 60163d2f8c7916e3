package db

import (
	"context"
	"fmt"

	"atelier/atelier"
	"atelier/db/gen"
)

// What somebody may look at is their own, and of others' what stands on a board that is shown: its results, while they are here and
// not in the trash, and what belongs to them. Whether a board is shown, the view shown_boards says; everything is asked anew each time.

// onShown says of a result, as s, of a run, as r, that everybody may look at it.
const onShown = "r.id = s.run_id AND s.trashed_at = 0 AND r.trashed_at = 0 AND s.sha256 <> '' AND EXISTS " +
	"(SELECT 1 FROM board_results b JOIN shown_boards o ON o.id = b.board_id WHERE b.result_id = s.id)"

// seen gives results as those see them whose they are not, where the filter asks for what is shown.
func seen(page []ListedResult, f atelier.RunFilter) []ListedResult {
	if f.User != "" {
		for i := range page {
			page[i].Result = unmarked(page[i].Result)
		}
	}
	return page
}

// unmarked is a result without what its owner thinks of it.
func unmarked(r Result) Result {
	r.Starred, r.Rating, r.Pick = false, 0, ""
	return r
}

// shownResults finds results that everybody may look at, by a column of theirs.
func (d *DB) shownResults(ctx context.Context, column string, ids []string) ([]ListedResult, error) {
	q := &query{}
	q.in(column, ids)
	statement, args := shownStatement(q)
	found, err := d.listedRows(ctx, statement, args...)
	if err != nil {
		return nil, fmt.Errorf("find results that are shown: %w", err)
	}
	for i := range found {
		found[i].Result = unmarked(found[i].Result)
	}
	return found, nil
}

func shownStatement(q *query) (string, []any) {
	return listedFrom + " WHERE " + q.where() + " AND " + onShown + " ORDER BY s.run_id, s.idx", q.args
}

// VisibleResult finds a result the user may look at: one of their own, or one that is shown.
func (d *DB) VisibleResult(ctx context.Context, user atelier.UserID, id atelier.ResultID) (Result, error) {
	own, err := d.FindResult(ctx, user, id)
	if atelier.CodeOf(err) != atelier.NotFound {
		return own, err
	}
	shown, failed := d.shownResults(ctx, "s.id", []string{string(id)})
	if failed != nil || len(shown) == 0 {
		if failed != nil {
			err = failed
		}
		return Result{}, err
	}
	return shown[0].Result, nil
}

// VisibleResults finds results the user may look at, all or none, in the order asked for.
func (d *DB) VisibleResults(ctx context.Context, user atelier.UserID, ids []atelier.ResultID) ([]ListedResult, error) {
	by, err := d.listedOf(ctx, user, ids)
	if err != nil {
		return nil, err
	}
	var others []string
	for _, id := range ids {
		if _, own := by[id]; !own {
			others = append(others, string(id))
		}
	}
	if len(others) > 0 {
		shown, err := d.shownResults(ctx, "s.id", others)
		if err != nil {
			return nil, err
		}
		for _, l := range shown {
			by[l.ID] = l
		}
	}
	return inOrder(ids, by)
}

// VisibleRun finds a run the user may look at: one of their own, or one of which a result is shown. Of that it gives the results that
// are, what it was made with and its source picture; the source is reached through the first of the results.
func (d *DB) VisibleRun(ctx context.Context, user atelier.UserID, id atelier.RunID) (Run, error) {
	own, err := d.FindRun(ctx, user, id)
	if atelier.CodeOf(err) != atelier.NotFound {
		return own, err
	}
	shown, failed := d.shownResults(ctx, "s.run_id", []string{string(id)})
	if failed != nil || len(shown) == 0 {
		if failed != nil {
			err = failed
		}
		return Run{}, err
	}
	owner, err := d.WhoShows(ctx, shown[0].UserID, "")
	if err != nil {
		return Run{}, err
	}
	whole, err := d.LoadRun(ctx, id)
	if err != nil {
		return Run{}, err
	}
	run := Run{UserID: whole.UserID, Run: atelier.Run{
		ID: whole.ID, Agent: whole.Agent, Version: whole.Version, Title: whole.Title, Status: whole.Status, State: whole.State, Values: whole.Values,
		CreatedAt: whole.CreatedAt, UpdatedAt: whole.UpdatedAt, Owner: &owner,
	}}
	for _, l := range shown {
		run.Results = append(run.Results, l.Result.Result)
	}
	if whole.Asset != nil && whole.Asset.Kind == "image" {
		source := *whole.Asset
		source.ID = ""
		source.File = "/api/results/" + string(shown[0].ID) + "/source"
		source.Thumb = source.File
		run.Asset = &source
	}
	return run, nil
}

// WhoShows gives who shows a board, or any board of the user's when board is ""; it is NotFound when nobody does.
func (d *DB) WhoShows(ctx context.Context, user atelier.UserID, board atelier.BoardID) (atelier.Person, error) {
	nobody := nothingShown
	if board == "" {
		row, err := d.read.ShowsBoards(ctx, string(user))
		if err != nil {
			return atelier.Person{}, missing(err, "find who shows boards", nobody)
		}
		return atelier.Person{ID: atelier.UserID(row.UserID), Name: row.Owner}, nil
	}
	row, err := d.read.BoardShownBy(ctx, string(board))
	if err != nil {
		return atelier.Person{}, missing(err, "find who shows a board", nobody)
	}
	return atelier.Person{ID: atelier.UserID(row.UserID), Name: row.Owner}, nil
}

// ListShownBoards gives the boards that others show, by who shows them, with what of them is shown.
func (d *DB) ListShownBoards(ctx context.Context, user atelier.UserID) ([]atelier.Board, error) {
	rows, err := d.read.ShownBoards(ctx, string(user))
	if err != nil {
		return nil, fmt.Errorf("list shown boards: %w", err)
	}
	if len(rows) == 0 {
		return nil, nil
	}
	counted, err := d.read.ShownCounts(ctx, string(user))
	if err != nil {
		return nil, fmt.Errorf("count what is on shown boards: %w", err)
	}
	counts := make(map[string]int64, len(counted))
	for _, c := range counted {
		counts[c.BoardID] = c.Results
	}
	boards := make([]atelier.Board, len(rows))
	for i, r := range rows {
		boards[i] = boardOf(gen.Board{ID: r.ID, UserID: r.UserID, Name: r.Name, CreatedAt: r.CreatedAt, Notes: r.Notes, CoverID: r.CoverID, Shared: true})
		boards[i].Owner = &atelier.Person{ID: atelier.UserID(r.UserID), Name: r.Owner}
	}
	return d.pictured(ctx, boards, counts)
}
