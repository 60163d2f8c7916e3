package service

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
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
	long *longTexts // of the answer
}

// taskHead and executionHead are rows as answers show them, without the long texts they may hold.
type (
	taskHead      gen.FindTaskHeadRow
	executionHead gen.FindExecutionHeadRow
)

// look runs fn on one moment of the database, so that an answer never shows an execution before its items' last change or
// after it.
func (s *Service) look(ctx context.Context, base string, fn func(v view) error) error {
	tx, err := s.db.Read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return fmt.Errorf("begin to read: %w", err)
	}
	err = fn(view{s: s, q: gen.New(tx), base: base, long: &longTexts{}})
	// Nothing was written: a rollback ends it as well as a commit, also when ctx has ended it already.
	if rerr := tx.Rollback(); rerr != nil && !errors.Is(rerr, sql.ErrTxDone) {
		err = errors.Join(err, fmt.Errorf("end reading: %w", rerr))
	}
	return err
}

// view reads row by row, for what needs one row only.
func (s *Service) view() view { return view{s: s, q: s.read(), long: &longTexts{}} }

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

// taskHead finds what answers show of a task of an account.
func (v view) taskHead(ctx context.Context, account, id string) (taskHead, error) {
	row, err := v.q.FindTaskHead(ctx, gen.FindTaskHeadParams{ID: id, AccountID: account})
	if errors.Is(err, sql.ErrNoRows) {
		return taskHead{}, unknown("task", id)
	}
	if err != nil {
		return taskHead{}, fmt.Errorf("find the task: %w", err)
	}
	return taskHead(row), nil
}

// executionHead finds what answers show of an execution of an account, when it may be seen at that time.
func (v view) executionHead(ctx context.Context, account, id string, now int64) (executionHead, error) {
	row, err := v.q.FindExecutionHead(ctx, gen.FindExecutionHeadParams{ID: id, AccountID: account, Now: now})
	if errors.Is(err, sql.ErrNoRows) {
		return executionHead{}, unknown("execution", id)
	}
	if err != nil {
		return executionHead{}, fmt.Errorf("find the execution: %w", err)
	}
	return executionHead(row), nil
}

// recent gives the executions of a task that answers show, newest first.
func (v view) recent(ctx context.Context, taskID string) ([]executionHead, error) {
	rows, err := v.q.ListExecutions(ctx, gen.ListExecutionsParams{TaskID: taskID, Now: v.s.now()})
	if err != nil {
		return nil, fmt.Errorf("list executions: %w", err)
	}
	list := make([]executionHead, len(rows))
	for i, row := range rows {
		list[i] = executionHead(row)
	}
	return list, nil
}

// taskAnswer is a task as answers carry it.
type taskAnswer struct {
	TaskID       string            `json:"taskId,omitempty"`
	AgentName    string            `json:"agentName"`
	AgentVersion string            `json:"agentVersion"`
	InitParams   stored            `json:"initParams"`
	Executions   []executionAnswer `json:"executions"`
	CreatedAt    *instant          `json:"createdAt,omitempty"` // lists only
}

// instant is a time in RFC 3339 and UTC (Task API, "Task"), to the millisecond always, so that texts compare as times do.
type instant time.Time

// MarshalJSON is part of json.Marshaler.
func (i instant) MarshalJSON() ([]byte, error) {
	return []byte(time.Time(i).UTC().Format(`"2006-01-02T15:04:05.000Z"`)), nil
}

type taskPage struct {
	Tasks      []taskAnswer `json:"tasks"`
	HasMore    bool         `json:"hasMore"`
	NextCursor string       `json:"nextCursor,omitempty"`
}

// executionAnswer is an execution as answers carry it: the items under one of two names.
type executionAnswer struct {
	ExecutionID   string       `json:"executionId"`
	ExecutionTime string       `json:"executionTime"`
	Status        string       `json:"status"`
	Params        stored       `json:"params"` // masks come back to the byte
	Result        []itemAnswer `json:"result,omitempty"`
	Results       []itemAnswer `json:"results,omitempty"` // Switches.ResultsField
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
func (v view) describe(ctx context.Context, task taskHead, executions []executionHead) (taskAnswer, error) {
	items, err := v.itemsOf(ctx, task.ID, executions)
	if err != nil {
		return taskAnswer{}, fmt.Errorf("list items: %w", err)
	}
	return v.answer(task, executions, items), nil
}

// answer makes the answer about a task and some of its executions, whose items are given by execution.
func (v view) answer(task taskHead, executions []executionHead, items map[string][]gen.Item) taskAnswer {
	answer := taskAnswer{
		TaskID: task.ID, AgentName: task.Agent, AgentVersion: task.Version, InitParams: v.input(task),
		Executions: make([]executionAnswer, len(executions)),
	}
	agent, _ := v.s.agents.Find(task.Agent, task.Version)
	switches := v.s.switches.Load()
	for i, e := range executions {
		a := executionAnswer{
			ExecutionID: e.ID, ExecutionTime: sqldb.Time(e.CreatedAt).Format(upstream.ExecutionTimeLayout),
			Status: e.Status, Params: v.params(e),
		}
		results := make([]itemAnswer, len(items[e.ID]))
		for n, it := range items[e.ID] {
			results[n] = v.describeItem(agent, e.Makes, it)
		}
		if switches.ResultsField {
			a.Results = results
		} else {
			a.Result = results
		}
		answer.Executions[i] = a
	}
	if switches.OldestFirst {
		slices.Reverse(answer.Executions)
	}
	return answer
}

// itemsOf gives the items of the executions by execution.
func (v view) itemsOf(ctx context.Context, taskID string, executions []executionHead) (map[string][]gen.Item, error) {
	if len(executions) == 0 {
		return map[string][]gen.Item{}, nil
	}
	if len(executions) == 1 {
		items, err := v.q.ListItems(ctx, executions[0].ID)
		return map[string][]gen.Item{executions[0].ID: items}, err
	}
	oldest := executions[0].CreatedAt
	for _, e := range executions {
		oldest = min(oldest, e.CreatedAt)
	}
	items, err := v.q.ListItemsOfTask(ctx, gen.ListItemsOfTaskParams{TaskID: taskID, Since: oldest})
	return byExecution(items), err
}

// byExecution gives items by execution, each list in the order of its items.
func byExecution(items []gen.Item) map[string][]gen.Item {
	slices.SortFunc(items, func(a, b gen.Item) int {
		return cmp.Or(strings.Compare(a.ExecutionID, b.ExecutionID), cmp.Compare(a.N, b.N))
	})
	by := make(map[string][]gen.Item)
	for first := 0; first < len(items); {
		next := first + 1
		for next < len(items) && items[next].ExecutionID == items[first].ExecutionID {
			next++
		}
		by[items[first].ExecutionID] = items[first:next]
		first = next
	}
	return by
}

// describeAll makes the answers about the tasks of a page of the list, newest first, and their newest executions. It asks twice
// for all of them, not twice for each.
func (v view) describeAll(ctx context.Context, c caller, tasks []gen.ListTasksRow) ([]taskAnswer, error) {
	answers := make([]taskAnswer, len(tasks))
	if len(tasks) == 0 {
		return answers, nil
	}
	newest, oldest := tasks[0], tasks[len(tasks)-1]
	of := gen.ListExecutionsOfPageParams{
		AccountID: c.account, KeyID: c.key, Now: v.s.now(),
		FromAt: oldest.CreatedAt, FromID: oldest.ID, ToAt: newest.CreatedAt, ToID: newest.ID,
	}
	rows, err := v.q.ListExecutionsOfPage(ctx, of)
	if err != nil {
		return nil, fmt.Errorf("list the executions of a page: %w", err)
	}
	items, err := v.q.ListItemsOfPage(ctx, gen.ListItemsOfPageParams(of))
	if err != nil {
		return nil, fmt.Errorf("list the items of a page: %w", err)
	}
	executions := make(map[string][]executionHead, len(tasks))
	for _, e := range rows {
		executions[e.TaskID] = append(executions[e.TaskID], executionHead(e))
	}
	by := byExecution(items)
	for i, task := range tasks {
		list := executions[task.ID]
		slices.SortFunc(list, func(a, b executionHead) int {
			return cmp.Or(cmp.Compare(b.CreatedAt, a.CreatedAt), strings.Compare(b.ID, a.ID))
		})
		answers[i] = v.answer(taskHead(task), list[:min(len(list), maxExecutions)], by)
		at := instant(sqldb.Time(task.CreatedAt))
		answers[i].CreatedAt = &at
	}
	return answers, nil
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
	r.Progress = strconv.FormatFloat(done, 'f', 2, 64)
	if it.Status == statusFailed && r.Error == "" {
		r.Error = "The service gave no reason."
	}
	return r
}
