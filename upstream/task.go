package upstream

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"strconv"
	"time"
)

// CreateTask makes a task: the source and the agent, nothing paid yet (Task API, "Create task").
func (c *Client) CreateTask(ctx context.Context, t TaskCreate) (TaskCreated, error) {
	k, err := post("create task", PathTaskCreate, t)
	if err != nil {
		return TaskCreated{}, err
	}
	k.starts, k.observed = true, true
	e, err := c.do(ctx, k)
	if err != nil {
		return TaskCreated{}, err
	}
	h, err := e.handle()
	if err == nil && h.TaskID == "" {
		err = errors.New("the answer names no task")
	}
	if err != nil {
		return TaskCreated{}, e.missing(c, err)
	}
	return TaskCreated{TaskID: string(h.TaskID)}, nil
}

// ExecuteTask starts one paid execution (Task API, "Execute task"). An Ambiguous error means that it may have started.
func (c *Client) ExecuteTask(ctx context.Context, t TaskExecute) (TaskExecuted, error) {
	body, err := t.Body()
	if err != nil {
		return TaskExecuted{}, err
	}
	return c.SendExecution(ctx, body)
}

// executeTask is what executing a task is called in errors.
const executeTask = "execute task"

// Body gives the bytes that ExecuteTask sends.
func (t TaskExecute) Body() ([]byte, error) {
	if t.Params == nil {
		t.Params = map[string]any{}
	}
	return body(executeTask, t)
}

// SendExecution is ExecuteTask with the bytes that TaskExecute.Body gave.
func (c *Client) SendExecution(ctx context.Context, body []byte) (TaskExecuted, error) {
	k := send(executeTask, PathTaskExecute, body)
	k.starts, k.observed = true, true
	e, err := c.do(ctx, k)
	if err != nil {
		return TaskExecuted{}, err
	}
	id, err := e.execution()
	if err != nil {
		return TaskExecuted{}, e.missing(c, err)
	}
	return TaskExecuted{ExecutionID: id, Charge: e.charge()}, nil
}

// charge gives what the answer tells of the cost, wherever it stands.
func (e envelope) charge() Charge {
	h, err := e.handle()
	if err != nil {
		return e.Meta.Charge
	}
	told := h.charge()
	return Charge{
		PowerConsumption:   cmp.Or(told.PowerConsumption, e.Meta.PowerConsumption),
		PowerBalanceAmount: cmp.Or(told.PowerBalanceAmount, e.Meta.PowerBalanceAmount),
	}
}

// execution gives the handle of what was started: meta.executionId, else data.executionId.
func (e envelope) execution() (string, error) {
	if e.Meta.ExecutionID != "" {
		return e.Meta.ExecutionID, nil
	}
	h, err := e.handle()
	if err == nil && h.ExecutionID == "" {
		err = errors.New("the answer names no execution")
	}
	return string(h.ExecutionID), err
}

// ChargeIn gives what an answer that was kept tells of the cost of an execution, ok only when it is the answer that names it.
func ChargeIn(raw []byte, executionID string) (c Charge, ok bool) {
	a, err := readAnswer(raw)
	if err != nil {
		return Charge{}, false
	}
	e := envelope{Data: a.Data, Meta: RunMeta(a.Meta)}
	id, err := e.execution()
	return e.charge(), err == nil && id == executionID
}

// QueryTask gives a task's executions, at most the 20 most recent, or the one named (Task API, "Query task execution").
func (c *Client) QueryTask(ctx context.Context, q TaskQuery) (Task, error) {
	k, err := post("query task", PathTaskQuery, q)
	if err != nil {
		return Task{}, err
	}
	k.reads, k.tells = true, true
	return ask[Task](ctx, c, k)
}

// ask does a call whose data is a T.
func ask[T any](ctx context.Context, c *Client, k call) (T, error) {
	var v T
	e, err := c.do(ctx, k)
	if err != nil {
		return v, err
	}
	if !object(e.Data) {
		return v, e.missing(c, errors.New("the answer's data is not an object"))
	}
	return v, e.into(c, &v)
}

// tell does a call whose data does not matter.
func (c *Client) tell(ctx context.Context, op, path string, body any) error {
	k, err := post(op, path, body)
	if err != nil {
		return err
	}
	_, err = c.do(ctx, k)
	return err
}

// ListTasks gives one page of the tasks this key created, newest first (Task API, "List tasks"). Bounds are sent in whole
// seconds, widened: a page may hold tasks up to a second outside of them.
func (c *Client) ListTasks(ctx context.Context, f TaskFilter) (TaskPage, error) {
	q := url.Values{}
	if f.Limit > 0 {
		q.Set("limit", strconv.Itoa(f.Limit))
	}
	if f.Cursor != "" {
		q.Set("cursor", f.Cursor)
	}
	if !f.CreatedAfter.IsZero() {
		q.Set("createdAfter", f.CreatedAfter.UTC().Truncate(time.Second).Format(time.RFC3339))
	}
	if !f.CreatedBefore.IsZero() {
		// Truncate rounds down; an exclusive upper bound must not lose the rest of its second.
		q.Set("createdBefore", f.CreatedBefore.Add(time.Second-1).UTC().Truncate(time.Second).Format(time.RFC3339))
	}
	return ask[TaskPage](ctx, c, telling("list tasks", PathTaskList, q))
}

// DeleteTask deletes a task and its executions (Task API, "Delete task").
func (c *Client) DeleteTask(ctx context.Context, taskID string) error {
	return c.tell(ctx, "delete task", PathTaskDelete, map[string]string{"taskId": taskID})
}

// AgentInfo gives the presets of an agent (Task API, "Agent info").
func (c *Client) AgentInfo(ctx context.Context, i AgentInfoQuery) (AgentInfo, error) {
	q := url.Values{"agentName": {i.AgentName}, "agentVersion": {i.AgentVersion}}
	if i.Page > 0 {
		q.Set("page", strconv.Itoa(i.Page))
	}
	if i.PageSize > 0 {
		q.Set("pageSize", strconv.Itoa(i.PageSize))
	}
	if i.ResourceType != "" {
		q.Set("resourceType", i.ResourceType)
	}
	return ask[AgentInfo](ctx, c, get("agent info", PathAgentInfo, q))
}
