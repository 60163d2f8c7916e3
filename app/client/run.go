package client

import (
	"context"
	"net/url"
	"strconv"
	"time"

	"atelier/app/browser"
	"atelier/atelier"
)

// Start asks for a run. The same intent key twice gives the same run, so an answer that got lost may be asked for again.
func (a *API) Start(ctx context.Context, start atelier.StartRun) (atelier.Run, error) {
	var body atelier.RunBody
	err := a.call(ctx, "POST", "/api/runs", start, &body)
	return body.Run, err
}

// Estimate asks what a run would cost.
func (a *API) Estimate(ctx context.Context, start atelier.StartRun) (atelier.Estimate, error) {
	var e atelier.Estimate
	err := a.call(ctx, "POST", "/api/estimates", start, &e)
	return e, err
}

// Usual asks how long runs of an agent usually take.
func (a *API) Usual(ctx context.Context, agent string) ([]atelier.Usual, error) {
	var list atelier.UsualList
	err := a.call(ctx, "GET", "/api/agents/"+url.PathEscape(agent)+"/usual", nil, &list)
	return list.Usual, err
}

// Costs asks what the user's runs cost, by months.
func (a *API) Costs(ctx context.Context) (atelier.Costs, error) {
	var costs atelier.Costs
	err := a.call(ctx, "GET", "/api/costs", nil, &costs)
	return costs, err
}

// Runs reads one page of the history, newest first.
func (a *API) Runs(ctx context.Context, f atelier.RunFilter) (atelier.RunPage, error) {
	var page atelier.RunPage
	err := a.call(ctx, "GET", "/api/runs"+query(f), nil, &page)
	return page, err
}

func query(f atelier.RunFilter) string {
	q := url.Values{}
	set := func(name, value string) { setIn(q, name, value) }
	set("cursor", f.Cursor)
	set("agent", f.Agent)
	set("status", string(f.Status))
	set("q", f.Query)
	set("board", string(f.Board))
	set("user", string(f.User))
	setCount(q, "limit", f.Limit)
	set("fits", string(f.Fits))
	set("pick", f.Pick)
	set("sort", string(f.Sort))
	setCount(q, "rating", f.Rating)
	if f.Zone != "" {
		q.Set("zone", f.Zone)
	}
	if f.Starred {
		q.Set("starred", "1")
	}
	if f.Changed {
		q.Set("changed", "1")
	}
	if f.Apart {
		q.Set("apart", "1")
	}
	if f.Trashed {
		q.Set("trashed", "1")
	}
	if !f.From.IsZero() {
		q.Set("from", f.From.UTC().Format(time.RFC3339))
	}
	if !f.To.IsZero() {
		q.Set("to", f.To.UTC().Format(time.RFC3339))
	}
	return written(q)
}

// setIn puts a value into a query, unless there is none.
func setIn(q url.Values, name, value string) {
	if value != "" {
		q.Set(name, value)
	}
}

// setCount is setIn for a number above 0.
func setCount(q url.Values, name string, n int) {
	if n > 0 {
		q.Set(name, strconv.Itoa(n))
	}
}

// written is a query as it stands behind a path.
func written(q url.Values) string {
	if len(q) == 0 {
		return ""
	}
	return "?" + q.Encode()
}

// Run reads one run.
func (a *API) Run(ctx context.Context, id atelier.RunID) (atelier.Run, error) {
	return a.run(ctx, "GET", id, "")
}

// RunMask gives the mask a run was asked with, as a PNG; a NotFound error when the studio has none.
func (a *API) RunMask(ctx context.Context, id atelier.RunID) (browser.File, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	response, err := a.send(ctx, browser.Request{Method: "GET", URL: runPath(id, "/mask"), Header: map[string]string{"Accept": "image/png"}})
	if err != nil {
		return browser.File{}, noAnswer(err)
	}
	if err := decode(response, nil); err != nil {
		return browser.File{}, err
	}
	return browser.NewFile("mask.png", response.Body), nil
}

// Retry starts a failed run again; unsure is StartRun.Unsure.
func (a *API) Retry(ctx context.Context, id atelier.RunID, unsure bool) (atelier.Run, error) {
	action := "/retry"
	if unsure {
		action += "?unsure=true"
	}
	return a.run(ctx, "POST", id, action)
}

// CancelRuns ends runs that are not sent yet, or that the embedded service can stop.
func (a *API) CancelRuns(ctx context.Context, ids []atelier.RunID) (atelier.CancelledRuns, error) {
	var done atelier.CancelledRuns
	err := a.call(ctx, "POST", "/api/runs/cancel", atelier.ChosenRuns{IDs: ids}, &done)
	return done, err
}

// UncancelRuns records runs again that were cancelled before they were sent.
func (a *API) UncancelRuns(ctx context.Context, ids []atelier.RunID) (atelier.CancelledRuns, error) {
	var done atelier.CancelledRuns
	err := a.call(ctx, "POST", "/api/runs/uncancel", atelier.ChosenRuns{IDs: ids}, &done)
	return done, err
}

// SendNext has a waiting run sent before all others, or in its turn again.
func (a *API) SendNext(ctx context.Context, id atelier.RunID, next bool) error {
	method := "DELETE"
	if next {
		method = "POST"
	}
	return a.call(ctx, method, runPath(id, "/next"), nil, nil)
}

// Dismiss gives an unconfirmed run up.
func (a *API) Dismiss(ctx context.Context, id atelier.RunID) (atelier.Run, error) {
	return a.run(ctx, "POST", id, "/dismiss")
}

// Doubt takes back that a run was dismissed: it waits for a decision again.
func (a *API) Doubt(ctx context.Context, id atelier.RunID) (atelier.Run, error) {
	return a.run(ctx, "DELETE", id, "/dismiss")
}

// Adopt gives an unconfirmed run the id that the image service shows for it.
func (a *API) Adopt(ctx context.Context, id atelier.RunID, execution string) (atelier.Run, error) {
	var body atelier.RunBody
	err := a.call(ctx, "POST", runPath(id, "/adopt"), atelier.AdoptRun{ExecutionID: execution}, &body)
	return body.Run, err
}

// Restore takes a run back out of the trash.
func (a *API) Restore(ctx context.Context, id atelier.RunID) (atelier.Run, error) {
	return a.run(ctx, "POST", id, "/restore")
}

// Delete puts a run into the trash.
func (a *API) Delete(ctx context.Context, id atelier.RunID) error {
	return a.call(ctx, "DELETE", runPath(id, ""), nil, nil)
}

// StartPSD asks for the layered file of a run.
func (a *API) StartPSD(ctx context.Context, id atelier.RunID) error {
	return a.call(ctx, "POST", runPath(id, "/psd"), nil, nil)
}

func (a *API) run(ctx context.Context, method string, id atelier.RunID, action string) (atelier.Run, error) {
	var body atelier.RunBody
	err := a.call(ctx, method, runPath(id, action), nil, &body)
	return body.Run, err
}

func runPath(id atelier.RunID, action string) string {
	return "/api/runs/" + url.PathEscape(string(id)) + action
}

// UpdateResult stars, rates or picks a result.
func (a *API) UpdateResult(ctx context.Context, id atelier.ResultID, u atelier.UpdateResult) error {
	return a.call(ctx, "PATCH", "/api/results/"+url.PathEscape(string(id)), u, nil)
}
