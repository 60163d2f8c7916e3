package service

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"atelier/catalog"
	"atelier/internal/sqldb"
	"atelier/service/gen"
	"atelier/upstream"
)

// view reads tasks and executions for one answer whose links begin with base.
type view struct {
	s    *Service
	q    *gen.Queries
	base string
}

// look runs fn on one moment of the database, so that an answer never shows an execution before its items' last change or
// after it.
func (s *Service) look(ctx context.Context, base string, fn func(v view) error) error {
	tx, err := s.db.Read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return fmt.Errorf("begin to read: %w", err)
	}
	err = fn(view{s: s, q: gen.New(tx), base: base})
	// Nothing was written: a rollback ends it as well as a commit, also when ctx has ended it already.
	if rerr := tx.Rollback(); rerr != nil && !errors.Is(rerr, sql.ErrTxDone) {
		err = errors.Join(err, fmt.Errorf("end reading: %w", rerr))
	}
	return err
}

// view reads row by row, for what needs one row only.
func (s *Service) view() view { return view{s: s, q: s.read()} }

// findTask finds a task of the caller's account.
func (v view) findTask(ctx context.Context, c caller, id string) (gen.Task, error) {
	task, err := v.q.FindTask(ctx, gen.FindTaskParams{ID: id, AccountID: c.account})
	if errors.Is(err, sql.ErrNoRows) {
		return gen.Task{}, unknown("task", id)
	}
	if err != nil {
		return gen.Task{}, fmt.Errorf("find the task: %w", err)
	}
	return task, nil
}

// findExecution finds an execution of the caller's account and its task.
func (v view) findExecution(ctx context.Context, c caller, id string) (gen.Task, gen.Execution, error) {
	e, err := v.q.FindExecutionOf(ctx, gen.FindExecutionOfParams{ID: id, AccountID: c.account, Now: v.s.now()})
	if errors.Is(err, sql.ErrNoRows) {
		return gen.Task{}, gen.Execution{}, unknown("execution", id)
	}
	if err != nil {
		return gen.Task{}, gen.Execution{}, fmt.Errorf("find the execution: %w", err)
	}
	task, err := v.findTask(ctx, c, e.TaskID)
	return task, e, err
}

// recent gives the executions of a task that answers show, newest first.
func (v view) recent(ctx context.Context, taskID string) ([]gen.Execution, error) {
	list, err := v.q.ListExecutions(ctx, gen.ListExecutionsParams{TaskID: taskID, Now: v.s.now()})
	if err != nil {
		return nil, fmt.Errorf("list executions: %w", err)
	}
	return list, nil
}

// taskAnswer is a task as answers carry it.
type taskAnswer struct {
	TaskID       string            `json:"taskId,omitempty"`
	AgentName    string            `json:"agentName"`
	AgentVersion string            `json:"agentVersion"`
	InitParams   json.RawMessage   `json:"initParams"`
	Executions   []executionAnswer `json:"executions"`
	CreatedAt    *time.Time        `json:"createdAt,omitempty"` // lists only
}

type taskPage struct {
	Tasks      []taskAnswer `json:"tasks"`
	HasMore    bool         `json:"hasMore"`
	NextCursor string       `json:"nextCursor,omitempty"`
}

// executionAnswer is an execution as answers carry it: the items under one of two names.
type executionAnswer struct {
	ExecutionID   string          `json:"executionId"`
	ExecutionTime string          `json:"executionTime"`
	Status        string          `json:"status"`
	Params        json.RawMessage `json:"params"` // as stored: masks are long and come back to the byte
	Result        []itemAnswer    `json:"result,omitempty"`
	Results       []itemAnswer    `json:"results,omitempty"` // Switches.ResultsField
}

// itemAnswer is a result as answers carry it: an image or a video, and what stands beside a video (Task API, "ResultItem"; Run API, "Run status payload").
// Until there is one, the field of its address is empty.
type itemAnswer struct {
	Status      string  `json:"status"`
	Image       *string `json:"image,omitempty"`
	Video       *string `json:"video,omitempty"`
	VideoPoster string  `json:"videoPoster,omitempty"`
	LastFrame   string  `json:"lastFrame,omitempty"`
	Progress    string  `json:"progress,omitempty"`
	Error       string  `json:"error,omitempty"` // always there when Status is Failed
}

// describe makes the answer about a task and some of its executions.
func (v view) describe(ctx context.Context, task gen.Task, executions []gen.Execution) (taskAnswer, error) {
	answer := taskAnswer{
		TaskID: task.ID, AgentName: task.Agent, AgentVersion: task.Version, InitParams: json.RawMessage(task.Input),
		Executions: make([]executionAnswer, len(executions)),
	}
	items, err := v.itemsOf(ctx, task.ID, executions)
	if err != nil {
		return taskAnswer{}, fmt.Errorf("list items: %w", err)
	}
	agent, _ := v.s.agents.Find(task.Agent, task.Version)
	for i, e := range executions {
		a := executionAnswer{
			ExecutionID: e.ID, ExecutionTime: sqldb.Time(e.CreatedAt).Format(upstream.ExecutionTimeLayout),
			Status: e.Status, Params: json.RawMessage(e.Params),
		}
		results := make([]itemAnswer, len(items[e.ID]))
		for n, it := range items[e.ID] {
			results[n] = v.describeItem(agent, e.Makes, it)
		}
		if v.s.switches.Load().ResultsField {
			a.Results = results
		} else {
			a.Result = results
		}
		answer.Executions[i] = a
	}
	if v.s.switches.Load().OldestFirst {
		slices.Reverse(answer.Executions)
	}
	return answer, nil
}

// itemsOf gives the items of the executions by execution.
func (v view) itemsOf(ctx context.Context, taskID string, executions []gen.Execution) (map[string][]gen.Item, error) {
	by := make(map[string][]gen.Item, len(executions))
	if len(executions) == 0 {
		return by, nil
	}
	oldest := executions[0].CreatedAt
	for _, e := range executions {
		oldest = min(oldest, e.CreatedAt)
	}
	if len(executions) == 1 {
		items, err := v.q.ListItems(ctx, executions[0].ID)
		by[executions[0].ID] = items
		return by, err
	}
	items, err := v.q.ListItemsOfTask(ctx, gen.ListItemsOfTaskParams{TaskID: taskID, Since: oldest})
	for _, it := range items {
		by[it.ExecutionID] = append(by[it.ExecutionID], it)
	}
	return by, err
}

// describeItem makes the answer about an item of an execution of agent that makes what makes says. The address stands in the
// field named like what is made and, where the catalog says that clients read another one, there too (Run API, "Family G").
func (v view) describeItem(agent catalog.Agent, makes string, it gen.Item) itemAnswer {
	r := itemAnswer{Status: it.Status, Error: it.Error}
	address := fileURL(v.base, it.FileID)
	if film(makes) {
		r.Video = &address
		r.VideoPoster, r.LastFrame = fileURL(v.base, it.PosterFile), fileURL(v.base, it.LastFrameFile)
	}
	if !film(makes) || agent.ResultIn == catalog.MakesImage {
		r.Image = &address
	}
	done := 0.0
	switch it.Status {
	case statusSuccess:
		done = 1
	case statusRunning:
		done = v.s.progress.of(it.ExecutionID, it.N)
	}
	r.Progress = fmt.Sprintf("%.2f", done)
	if it.Status == statusFailed && r.Error == "" {
		r.Error = "The service gave no reason."
	}
	return r
}
