package service

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"atelier/catalog"
	"atelier/service/gen"
	"atelier/upstream"
)

// createTask is Task API, "Create task".
func (s *Service) createTask(r *http.Request, c caller) (reply, error) {
	var body upstream.TaskCreate
	if err := readJSON(r, &body); err != nil {
		return reply{}, err
	}
	agent, err := s.findAgent(body.AgentName, body.AgentVersion, catalog.Task)
	if err != nil {
		return reply{}, err
	}
	if err := s.checkInput(r.Context(), c.base, agent, body.InitParams); err != nil {
		return reply{}, err
	}
	task, err := s.newTask(c, catalog.Task, agent, body.InitParams)
	if err != nil {
		return reply{}, err
	}
	if err := s.storeTask(detached(r.Context()), c.base, agent, task); err != nil {
		return reply{}, fmt.Errorf("store the task: %w", err)
	}
	return reply{data: upstream.TaskCreated{TaskID: task.ID}}, nil
}

func (s *Service) newTask(c caller, surface catalog.Surface, agent catalog.Agent, input map[string]any) (gen.CreateTaskParams, error) {
	id, err := newID()
	if err != nil {
		return gen.CreateTaskParams{}, err
	}
	if input == nil {
		input = map[string]any{}
	}
	stored, err := encodeJSON(input)
	if err != nil {
		return gen.CreateTaskParams{}, err
	}
	return gen.CreateTaskParams{
		ID: id, AccountID: c.account, KeyID: c.key, Surface: string(surface),
		Agent: agent.Name, Version: agent.Version, Input: string(stored), CreatedAt: s.now(),
	}, nil
}

// findAgent finds an agent that exists on the surface.
func (s *Service) findAgent(name, version string, surface catalog.Surface) (catalog.Agent, error) {
	nameField, versionField := "agentName", "agentVersion"
	if surface == catalog.Run {
		nameField, versionField = "agent.name", "agent.version"
	}
	switch {
	case name == "":
		return catalog.Agent{}, refuse("%s is missing.", nameField)
	case version == "":
		return catalog.Agent{}, refuse("%s is missing.", versionField)
	}
	agent, ok := s.agents.Find(name, version)
	if !ok {
		if other, known := s.agents.Find(name, ""); known {
			return catalog.Agent{}, refuse("%s: there is no version %q of %s; there is %s.", versionField, clip(version), name, other.Version)
		}
		return catalog.Agent{}, refuse("%s: there is no agent %q.", nameField, clip(name))
	}
	if !agent.On(surface) {
		return catalog.Agent{}, refuse("%s: %s is not available on the %s surface.", nameField, name, surface)
	}
	return agent, nil
}

// checkInput checks initParams alone, as far as they can be judged before the params come: label and files.
func (s *Service) checkInput(ctx context.Context, base string, agent catalog.Agent, input map[string]any) error {
	in, problems := readOrder(agent, catalog.Task, input, nil)
	problems = append(problems, catalog.Refusals(catalog.Check(agent, catalog.Task, in))...)
	for _, p := range problems {
		if _, isFile := agent.File(p.Field); isFile || p.Field == "taskName" {
			return refuse("%s", p.Wire)
		}
	}
	return s.checkFiles(ctx, base, agent, in)
}

// deleteTask is Task API, "Delete task". Results and other files of the task go with it.
func (s *Service) deleteTask(r *http.Request, c caller) (reply, error) {
	var body struct {
		TaskID string `json:"taskId"`
	}
	if err := readJSON(r, &body); err != nil {
		return reply{}, err
	}
	if body.TaskID == "" {
		return reply{}, refuse("taskId is missing.")
	}
	ctx := detached(r.Context())
	var gone []gen.File
	var deleted []string
	err := s.tx(ctx, func(q *gen.Queries, _ inserter) error {
		gone, deleted = nil, nil
		executions, err := q.ListExecutionIDs(ctx, body.TaskID)
		if err != nil {
			return err
		}
		n, err := q.DeleteTask(ctx, gen.DeleteTaskParams{ID: body.TaskID, AccountID: c.account})
		if err != nil {
			return err
		}
		if n == 0 {
			return unknown("task", body.TaskID)
		}
		for _, id := range executions {
			files, err := q.ListFilesOfExecution(ctx, id)
			if err != nil {
				return err
			}
			gone = append(gone, files...)
			if err := q.DeleteFilesOfExecution(ctx, id); err != nil {
				return err
			}
			deleted = append(deleted, id)
		}
		return nil
	})
	if err != nil {
		return reply{}, fmt.Errorf("delete the task: %w", err)
	}
	for _, id := range deleted {
		s.bench.abandon(id)
	}
	if err := s.forget(ctx, gone); err != nil {
		s.cfg.Logger.Error("remove the files of a deleted task", "task", body.TaskID, "error", err)
	}
	return reply{}, nil
}

// queryTask is Task API, "Query task execution": executionId wins over taskId.
func (s *Service) queryTask(r *http.Request, c caller) (reply, error) {
	var body upstream.TaskQuery
	if err := readJSON(r, &body); err != nil {
		return reply{}, err
	}
	ctx := r.Context()
	var rep reply
	err := s.look(ctx, c.base, func(v view) (err error) {
		switch {
		case body.ExecutionID != "":
			rep, err = v.execution(ctx, c, body.ExecutionID)
		case body.TaskID != "":
			rep, err = v.task(ctx, c, body.TaskID)
		default:
			err = refuse("executionId or taskId is required.")
		}
		return err
	})
	return rep, err
}

// execution answers about one execution and its task.
func (v view) execution(ctx context.Context, c caller, id string) (reply, error) {
	e, err := v.executionHead(ctx, c.account, id, v.s.now())
	if err != nil {
		return reply{}, err
	}
	task, err := v.taskHead(ctx, c.account, e.TaskID)
	if err != nil {
		return reply{}, err
	}
	data, err := v.describe(ctx, task, []executionHead{e})
	return reply{data: data, long: v.long, meta: &upstream.RunMeta{ExecutionID: e.ID}}, err
}

// task answers about a task and its newest executions.
func (v view) task(ctx context.Context, c caller, id string) (reply, error) {
	task, err := v.taskHead(ctx, c.account, id)
	if err != nil {
		return reply{}, err
	}
	executions, err := v.recent(ctx, task.ID)
	if err != nil {
		return reply{}, err
	}
	data, err := v.describe(ctx, task, executions)
	return reply{data: data, long: v.long}, err
}

// listTasks is Task API, "List tasks".
func (s *Service) listTasks(r *http.Request, c caller) (reply, error) {
	f, err := readTaskFilter(r.URL.Query())
	if err != nil {
		return reply{}, err
	}
	position := position{at: math.MaxInt64}
	if f.cursor != "" {
		if position, err = s.readCursor(f.cursor, c, f); err != nil {
			return reply{}, err
		}
	}
	var page taskPage
	var long *longTexts
	err = s.look(r.Context(), c.base, func(v view) error {
		long = v.long
		return v.page(r.Context(), c, f, position, &page)
	})
	return reply{data: page, long: long}, err
}

// page fills in the tasks after the position.
func (v view) page(ctx context.Context, c caller, f taskFilter, after position, page *taskPage) error {
	runs := int64(1)
	if v.s.switches.Load().RunsHidden {
		runs = 0
	}
	rows, err := v.q.ListTasks(ctx, gen.ListTasksParams{
		AccountID: c.account, KeyID: c.key, Runs: runs,
		CreatedAfter: f.after, CreatedBefore: f.before, PositionAt: after.at, PositionID: after.id, PageSize: int32(f.limit) + 1,
	})
	if err != nil {
		return fmt.Errorf("list tasks: %w", err)
	}
	if page.Tasks, err = v.describeAll(ctx, c, rows[:min(len(rows), f.limit)]); err != nil {
		return err
	}
	if page.HasMore = len(rows) > f.limit; page.HasMore {
		page.NextCursor = v.s.writeCursor(positionOf(rows[f.limit-1]), c, f)
	}
	return nil
}

// How many tasks a page of the list holds when no limit is asked for and at most, and how many executions a task shows
// (Task API, "Limits"; the query of executions holds the last number itself).
const (
	tasksPerPage  = 10
	maxTasks      = 20
	maxExecutions = 20
)

// taskFilter is the query of a list; the bounds are milliseconds, after inclusive and before exclusive.
type taskFilter struct {
	limit         int
	cursor        string
	after, before int64
}

func readTaskFilter(q url.Values) (taskFilter, error) {
	f := taskFilter{limit: tasksPerPage, cursor: q.Get("cursor"), before: math.MaxInt64}
	// ASSUMED [limit of task list]: a limit out of range is refused, as pageSize is.
	if v := q.Get("limit"); v != "" {
		n, err := strconv.Atoi(v)
		if err != nil || n < 1 || n > maxTasks {
			return f, refuse("limit must be a whole number from 1 to %d; it is %q.", maxTasks, clip(v))
		}
		f.limit = n
	}
	var after, before *time.Time
	for name, to := range map[string]**time.Time{"createdAfter": &after, "createdBefore": &before} {
		v := q.Get(name)
		if v == "" {
			continue
		}
		t, err := parseTime(v)
		if err != nil {
			return f, refuse("%s must be an RFC 3339 time such as 2026-01-31T09:30:00Z; it is %q.", name, clip(v))
		}
		*to = &t
	}
	if after != nil && before != nil && !before.After(*after) {
		return f, refuse("createdBefore must be later than createdAfter.")
	}
	if after != nil {
		f.after = ceilMillis(*after)
	}
	if before != nil {
		f.before = ceilMillis(*before)
	}
	return f, nil
}

// parseTime reads RFC 3339, whose T and Z may be small letters (its section 5.6). A space before the zone is a plus that was
// not encoded in the address.
func parseTime(v string) (time.Time, error) {
	v = strings.ToUpper(v)
	if at := len(v) - len("+00:00"); at > 0 && v[at] == ' ' {
		v = v[:at] + "+" + v[at+1:]
	}
	return time.Parse(time.RFC3339, v)
}

// ceilMillis rounds up to the milliseconds rows are stored in: both bounds then compare as if nothing had been rounded.
func ceilMillis(t time.Time) int64 {
	ms := t.UnixMilli()
	if t.After(time.UnixMilli(ms)) {
		ms++
	}
	return ms
}

// position is where a page ends: the last task on it.
type position struct {
	at int64
	id string
}

func positionOf(t gen.ListTasksRow) position { return position{at: t.CreatedAt, id: t.ID} }

// writeCursor makes an opaque cursor: the position, signed together with the key and the time filters it is valid for.
func (s *Service) writeCursor(p position, c caller, f taskFilter) string {
	body := binary.BigEndian.AppendUint64(nil, uint64(p.at))
	body = append(body, p.id...)
	return base64.RawURLEncoding.EncodeToString(append(s.signCursor(body, c, f), body...))
}

func (s *Service) signCursor(body []byte, c caller, f taskFilter) []byte {
	mac := hmac.New(sha256.New, s.secret)
	mac.Write(fmt.Appendf(nil, "%s|%d|%d|", c.key, f.after, f.before))
	mac.Write(body)
	return mac.Sum(nil)[:16]
}

func (s *Service) readCursor(cursor string, c caller, f taskFilter) (position, error) {
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || len(raw) < 24 || !hmac.Equal(raw[:16], s.signCursor(raw[16:], c, f)) {
		return position{}, refuse("cursor is not valid for this key and these time filters. Take nextCursor as it is, with the same createdAfter and createdBefore.")
	}
	return position{at: int64(binary.BigEndian.Uint64(raw[16:24])), id: string(raw[24:])}, nil
}

// parseObject reads JSON that we stored.
func parseObject(stored string) (map[string]any, error) {
	var v map[string]any
	if err := json.Unmarshal([]byte(stored), &v); err != nil {
		return nil, fmt.Errorf("read stored JSON: %w", err)
	}
	return v, nil
}
