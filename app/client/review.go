package client

import (
	"context"
	"net/url"
	"strconv"

	"atelier/atelier"
)

// Results reads one page of results.
func (a *API) Results(ctx context.Context, f atelier.RunFilter) (atelier.ResultPage, error) {
	return a.list(ctx, "/api/results"+query(f))
}

// ResultMonths counts the results of a list by month. Cursor, limit and order of the filter do not matter.
func (a *API) ResultMonths(ctx context.Context, f atelier.RunFilter) ([]atelier.ResultMonth, error) {
	f.Cursor, f.Limit, f.Sort = "", 0, ""
	var body atelier.ResultMonths
	err := a.call(ctx, "GET", "/api/results/dates"+query(f), nil, &body)
	return body.Months, err
}

// Duplicates reads one page of results with the same bytes.
func (a *API) Duplicates(ctx context.Context, cursor string) (atelier.DuplicatePage, error) {
	path := "/api/results/duplicates"
	if cursor != "" {
		path += "?cursor=" + url.QueryEscape(cursor)
	}
	var page atelier.DuplicatePage
	err := a.call(ctx, "GET", path, nil, &page)
	return page, err
}

// UpdateResults stars, rates, picks many results and puts them on boards, and answers with them as they are then.
func (a *API) UpdateResults(ctx context.Context, u atelier.UpdateResults) ([]atelier.Result, error) {
	var body atelier.ResultList
	err := a.call(ctx, "PATCH", "/api/results", u, &body)
	return body.Results, err
}

// Trash puts runs into the trash; it answers with those that were not in it.
func (a *API) Trash(ctx context.Context, ids []atelier.RunID) ([]atelier.RunID, error) {
	return a.chosenRuns(ctx, "/api/runs/trash", ids)
}

// RestoreRuns takes runs out of the trash; it answers with those that were in it.
func (a *API) RestoreRuns(ctx context.Context, ids []atelier.RunID) ([]atelier.RunID, error) {
	return a.chosenRuns(ctx, "/api/runs/restore", ids)
}

func (a *API) chosenRuns(ctx context.Context, path string, ids []atelier.RunID) ([]atelier.RunID, error) {
	var body atelier.ChangedRuns
	err := a.call(ctx, "POST", path, atelier.ChosenRuns{IDs: ids}, &body)
	return body.IDs, err
}

// TrashResults throws single results away; it answers with those that were not in the trash.
func (a *API) TrashResults(ctx context.Context, ids []atelier.ResultID) ([]atelier.ResultID, error) {
	return a.chosenResults(ctx, "/api/results/trash", ids)
}

// RestoreResults takes single results back; it answers with those that were in the trash.
func (a *API) RestoreResults(ctx context.Context, ids []atelier.ResultID) ([]atelier.ResultID, error) {
	return a.chosenResults(ctx, "/api/results/restore", ids)
}

func (a *API) chosenResults(ctx context.Context, path string, ids []atelier.ResultID) ([]atelier.ResultID, error) {
	var body atelier.ChangedResults
	err := a.call(ctx, "POST", path, atelier.ChosenResults{IDs: ids}, &body)
	return body.IDs, err
}

// PurgeTrash deletes what is chosen of the trash for good.
func (a *API) PurgeTrash(ctx context.Context, chosen atelier.PurgeTrash) (atelier.PurgedTrash, error) {
	var body atelier.PurgedTrash
	err := a.call(ctx, "POST", "/api/trash/purge", chosen, &body)
	return body, err
}

// Boards lists one's boards by name, and those that others show.
func (a *API) Boards(ctx context.Context) (atelier.BoardList, error) {
	var body atelier.BoardList
	err := a.call(ctx, "GET", "/api/boards", nil, &body)
	return body, err
}

// CreateBoard makes a board.
func (a *API) CreateBoard(ctx context.Context, b atelier.CreateBoard) (atelier.Board, error) {
	var board atelier.Board
	err := a.call(ctx, "POST", "/api/boards", b, &board)
	return board, err
}

// UpdateBoard renames a board, changes its notes or cover, or shows it to the team.
func (a *API) UpdateBoard(ctx context.Context, id atelier.BoardID, u atelier.UpdateBoard) (atelier.Board, error) {
	var board atelier.Board
	err := a.call(ctx, "PATCH", "/api/boards/"+url.PathEscape(string(id)), u, &board)
	return board, err
}

// DeleteBoard deletes a board; the pictures on it stay.
func (a *API) DeleteBoard(ctx context.Context, id atelier.BoardID) error {
	return a.call(ctx, "DELETE", "/api/boards/"+url.PathEscape(string(id)), nil, nil)
}

// Lock asks for the original's protected pixels to be put back over a result: a new result of the same run.
func (a *API) Lock(ctx context.Context, id atelier.ResultID) (atelier.Result, error) {
	var r atelier.Result
	err := a.slowCall(ctx, "POST", "/api/results/"+url.PathEscape(string(id))+"/lock", nil, &r)
	return r, err
}

// Zip prepares a download of many results; the answer's File is the address of it.
func (a *API) Zip(ctx context.Context, z atelier.StartZip) (atelier.Zip, error) {
	var out atelier.Zip
	err := a.call(ctx, "POST", "/api/zips", z, &out)
	return out, err
}

// Layers makes a layered file of a selection.
func (a *API) Layers(ctx context.Context, l atelier.StartLayers) (atelier.Layers, error) {
	var out atelier.Layers
	err := a.callWithin(ctx, slowest, "POST", "/api/psds", l, &out)
	return out, err
}

// FileAs is the address of a result's file to be saved as a delivery asks for it: in its format, quality and size, named by its
// template.
func FileAs(r atelier.Result, how atelier.StartZip) string {
	q := url.Values{"download": {"1"}}
	for name, value := range map[string]string{"format": how.Format, "size": how.Size, "template": how.Template} {
		if value != "" {
			q.Set(name, value)
		}
	}
	if how.Quality > 0 {
		q.Set("quality", strconv.Itoa(how.Quality))
	}
	return r.File + "?" + q.Encode()
}
