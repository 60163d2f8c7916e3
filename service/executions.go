package service

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"strings"

	"atelier/catalog"
	"atelier/service/gen"
	"atelier/upstream"
)

// The statuses of executions and items (Task API, "Execution status values"; Run API, "States and transitions").
const (
	statusSegmenting = "Segmenting"
	statusPending    = "Pending"
	statusRunning    = "Running"
	statusSuccess    = "Success"
	statusFailed     = "Failed"
)

func ended(status string) bool { return status == statusSuccess || status == statusFailed }

// executeTask is Task API, "Execute task".
func (s *Service) executeTask(r *http.Request, c caller) (reply, error) {
	var body upstream.TaskExecute
	if err := readJSON(r, &body); err != nil {
		return reply{}, err
	}
	switch {
	case body.TaskID == "":
		return reply{}, refuse("taskId is missing.")
	case body.Params == nil:
		return reply{}, refuse("params is missing.")
	}
	ctx := r.Context()
	task, err := s.view().findTask(ctx, c, body.TaskID)
	if err != nil {
		return reply{}, err
	}
	surface := catalog.Surface(task.Surface)
	agent, err := s.findAgent(task.Agent, task.Version, surface)
	if err != nil {
		return reply{}, err
	}
	input, err := parseObject(task.Input)
	if err != nil {
		return reply{}, err
	}
	o := order{surface: surface, agent: agent, input: input, params: body.Params, callback: body.CallbackURL}
	row, needs, err := s.prepare(ctx, c, o)
	if err != nil {
		return reply{}, err
	}
	row.TaskID = task.ID
	ctx = detached(ctx)
	err = s.tx(ctx, func(q *gen.Queries, j inserter) error {
		if _, err := (view{s: s, q: q}).taskHead(ctx, c.account, task.ID); err != nil { // it may have been deleted meanwhile
			return err
		}
		return s.insert(ctx, q, j, row, needs)
	})
	if err != nil {
		return reply{}, fmt.Errorf("store the execution: %w", err)
	}
	return reply{data: upstream.TaskExecuted{ExecutionID: row.ID, Charge: s.charge(ctx, c.account, row.ID)}}, nil
}

// order is an execution somebody asks for, on either surface.
type order struct {
	surface  catalog.Surface
	agent    catalog.Agent
	input    map[string]any // initParams or input
	params   map[string]any
	callback string
}

// prepare checks an order whole and makes its row, still without a task. Nothing is stored.
func (s *Service) prepare(ctx context.Context, c caller, o order) (row gen.CreateExecutionParams, needs needs, err error) {
	in, problems := readOrder(o.agent, o.surface, o.input, o.params)
	if err := s.measure(ctx, c.base, o.agent, &in); err != nil {
		return row, needs, err
	}
	problems = append(problems, catalog.Refusals(catalog.Check(o.agent, o.surface, in))...)
	if len(problems) > 0 {
		return row, needs, refuse("%s", inWords(problems))
	}
	if err := s.checkSwitched(o.agent, in.Values); err != nil {
		return row, needs, err
	}
	if err := s.checkFiles(ctx, c.base, o.agent, in); err != nil {
		return row, needs, err
	}
	if err := s.checkCallback(o.callback); err != nil {
		return row, needs, err
	}
	if err := s.checkPresets(ctx, c.account, in.Values); err != nil {
		return row, needs, err
	}
	if err := s.checkMask(ctx, c.base, in); err != nil {
		return row, needs, err
	}
	params := paramsAsUsed(o.agent, o.surface, o.params, in.Values)
	if s.switches.Load().ProRecommended && o.agent.Model() == "aipose" && params["generateVersion"] == "pro" {
		params["generateVersion"] = "recommended"
	}
	used, err := encodeJSON(params)
	if err != nil {
		return row, needs, err
	}
	id, err := newID()
	if err != nil {
		return row, needs, err
	}
	now := s.now()
	row = gen.CreateExecutionParams{
		ID: id, AccountID: c.account, Status: statusPending, Makes: makes(o.agent, o.surface, in), Params: string(used),
		BaseUrl: c.base, CallbackUrl: o.callback, CreatedAt: now,
		VisibleAt: now + s.switches.Load().LateAcceptance.Milliseconds(),
	}
	needs.items, needs.makes, needs.files = catalog.Results(o.agent, o.surface, in.Values), row.Makes, s.ownFiles(c.base, in)
	return row, needs, nil
}

// checkSwitched refuses what only the switches refuse.
func (s *Service) checkSwitched(agent catalog.Agent, v catalog.Values) error {
	sw := s.switches.Load()
	switch {
	case sw.BackgroundNeeded && agent.Model() == "removeBG" && v["backgroundId"] == nil && v["backgroundHex"] == nil:
		return refuse("backgroundId or backgroundHex is missing.")
	case sw.MasksByURL && v["maskType"] == "custom" && v["customMask"] != nil:
		return refuse("customMask is a legacy parameter and not accepted; upload the mask and send customMaskUrl.")
	}
	return nil
}

// powerGranted is what an account has before its first run, in the unit of powerConsumption; a run costs one for each result.
const powerGranted = 1000

// charge tells what an execution cost and what the account has left, where a switch asks for it: nothing is billed here.
// When that cannot be read, the execution has begun all the same.
func (s *Service) charge(ctx context.Context, account, execution string) upstream.Charge {
	if !s.switches.Load().PowerTold {
		return upstream.Charge{}
	}
	power, err := s.read().PowerOfExecution(ctx, gen.PowerOfExecutionParams{ID: execution, AccountID: account})
	if err != nil {
		s.cfg.Logger.Error("find what an execution cost", "execution", execution, "error", err)
		return upstream.Charge{}
	}
	used, left := float64(power.Used), powerGranted-float64(power.Spent)
	return upstream.Charge{PowerConsumption: &used, PowerBalanceAmount: &left}
}

// readOrder reads an order without what its agent does not know (design: unknown fields are ignored).
func readOrder(a catalog.Agent, s catalog.Surface, input, params map[string]any) (catalog.Input, []catalog.Problem) {
	in, problems := catalog.Decode(a, s, input, params)
	return catalog.Heeded(a, s, in), problems
}

// needs is what an order is stored with beside its row.
type needs struct {
	items int
	makes string
	files []string // files of ours it is made from
}

// inWords joins the problems of a request, in the words of the API.
func inWords(problems []catalog.Problem) string {
	parts := make([]string, 0, len(problems))
	for _, p := range problems[:min(len(problems), 5)] {
		parts = append(parts, p.Wire)
	}
	return strings.Join(parts, " ")
}

// segments says whether the service looks at the source picture itself: for the protected region, or, without mask types, for what
// must not be cut or cloned.
func segments(a catalog.Agent, s catalog.Surface, in catalog.Input) bool {
	_, ok := a.Source()
	return ok && in.Values["maskType"] != "custom" && !film(makes(a, s, in))
}

// paramsAsUsed is what came in, byte for byte, with the defaults that were taken put in (Task API, "Execution": params).
func paramsAsUsed(a catalog.Agent, surface catalog.Surface, received map[string]any, filled catalog.Values) map[string]any {
	used := make(map[string]any, len(received)+len(a.Params))
	maps.Copy(used, received)
	for _, p := range a.Params {
		v, filledIn := filled[p.Name]
		if _, sent := received[p.Name]; p.On(surface) && filledIn && (!sent || p.Lenient) {
			used[p.Name] = p.OnWire(v)
		}
	}
	return used
}

// insert stores an execution with its items and the job that begins it, within a transaction.
func (s *Service) insert(ctx context.Context, q *gen.Queries, j inserter, row gen.CreateExecutionParams, needs needs) error {
	open, err := q.CountOpenExecutions(ctx, row.AccountID)
	if err != nil {
		return fmt.Errorf("count open executions: %w", err)
	}
	if limit := int64(s.switches.Load().ConcurrencyLimit); limit > 0 && open >= limit {
		return &failure{
			status: http.StatusTooManyRequests, code: upstream.CodeTooMany, retryable: true,
			message: fmt.Sprintf("%d executions are in progress, which is the limit. Try again when one has ended.", open),
		}
	}
	last, err := q.LastTurnOfAccount(ctx, row.AccountID)
	if err != nil {
		return fmt.Errorf("find the account's place in the line: %w", err)
	}
	row.Turn, row.Items = max(last, s.line.now()), int64(needs.items)
	if err := q.CreateExecution(ctx, row); err != nil {
		return err
	}
	for n := range needs.items {
		if err := q.CreateItem(ctx, gen.CreateItemParams{ExecutionID: row.ID, N: int64(n), Status: statusPending}); err != nil {
			return err
		}
	}
	if err := useFiles(ctx, q, row.TaskID, needs.files); err != nil {
		return err
	}
	return j(ctx, segmentJob{Execution: row.ID, turn: row.Turn, film: film(row.Makes)})
}

// move gives an execution its next status and tells its callback.
func (s *Service) move(ctx context.Context, q *gen.Queries, j inserter, e gen.Execution, status string) error {
	n, err := q.SetExecutionStatus(ctx, gen.SetExecutionStatusParams{ID: e.ID, Status: status})
	if err != nil || n == 0 {
		return err
	}
	return s.announce(ctx, q, j, e, status)
}

// settle ends an execution once all its items have ended.
// ASSUMED [Status of an execution]: one failed item makes it Failed, since only "every item is Success" is documented as Success; items that did
// succeed keep their images.
func (s *Service) settle(ctx context.Context, q *gen.Queries, j inserter, e gen.Execution) error {
	items, err := q.ListItems(ctx, e.ID)
	if err != nil {
		return err
	}
	status := statusSuccess
	for _, it := range items {
		if !ended(it.Status) {
			return nil
		}
		if it.Status == statusFailed {
			status = statusFailed
		}
	}
	n, err := q.EndExecution(ctx, gen.EndExecutionParams{ID: e.ID, Status: status, EndedAt: s.now()})
	if err != nil || n == 0 {
		return err
	}
	s.bench.forget(e.ID)
	return s.announce(ctx, q, j, e, status)
}
