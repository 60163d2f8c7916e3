package service

import (
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"

	"atelier/catalog"
	"atelier/service/gen"
	"atelier/upstream"
)

// runStarted is the data of "Start a run". ASSUMED [Start of a run]: beside meta.executionId, data names the run and the task it made.
type runStarted struct {
	ExecutionID string `json:"executionId"`
	TaskID      string `json:"taskId"`
	upstream.Charge
}

// handle is the answer to a started run; the switches leave out one of the two places of its handle.
func (s *Service) handle(r *http.Request, c caller, started runStarted) reply {
	started.Charge = s.charge(detached(r.Context()), c.account, started.ExecutionID)
	switch sw := s.switches.Load(); {
	case sw.HandleInMeta:
		return reply{data: map[string]any{}, meta: &upstream.RunMeta{ExecutionID: started.ExecutionID, Charge: started.Charge}}
	case sw.HandleInData:
		return reply{data: started}
	}
	return reply{data: started, meta: &upstream.RunMeta{ExecutionID: started.ExecutionID}}
}

// ASSUMED [Idempotency-Key]: how long one may be and what it is bound to; the documents do not mention it.
const idempotencyHeader = "Idempotency-Key"

// startRun is Run API, "Start a run": a task with one execution. With an Idempotency-Key, the same key and body give the
// same run again.
func (s *Service) startRun(r *http.Request, c caller) (reply, error) {
	raw, err := readBody(r)
	if err != nil {
		return reply{}, err
	}
	once := idempotency{account: c.account, name: r.Header.Get(idempotencyHeader), body: raw}
	if len(once.name) > 255 {
		return reply{}, refuse("%s has %d characters; at most 255 are allowed.", idempotencyHeader, len(once.name))
	}
	started, found, err := once.find(r, s.read())
	switch {
	case err != nil:
		return reply{}, err
	case found:
		return s.handle(r, c, started), nil
	}
	var body upstream.RunStart
	if err := parseJSON(raw, &body); err != nil {
		return reply{}, err
	}
	o, err := s.runOrder(body)
	if err != nil {
		return reply{}, err
	}
	row, needs, err := s.prepare(r.Context(), c, o)
	if err != nil {
		return reply{}, err
	}
	task, err := s.newTask(c, catalog.Run, o.agent, o.input)
	if err != nil {
		return reply{}, err
	}
	row.TaskID = task.ID
	started = runStarted{ExecutionID: row.ID, TaskID: task.ID}
	ctx := detached(r.Context())
	err = s.tx(ctx, func(q *gen.Queries, j inserter) error {
		// Asked again inside: of two equal requests at once, the second one finds the first.
		first, found, err := once.find(r, q)
		if err != nil || found {
			started = first
			return err
		}
		if err := q.CreateTask(ctx, task); err != nil {
			return err
		}
		if err := s.insert(ctx, q, j, row, needs); err != nil {
			return err
		}
		return once.store(r, q, started, s.now())
	})
	if err != nil {
		return reply{}, fmt.Errorf("store the run: %w", err)
	}
	return s.handle(r, c, started), nil
}

func (s *Service) runOrder(body upstream.RunStart) (order, error) {
	agent, err := s.findAgent(body.Agent.Name, body.Agent.Version, catalog.Run)
	if err != nil {
		return order{}, err
	}
	switch {
	case body.Input == nil:
		return order{}, refuse("input is missing.")
	case body.Params == nil:
		return order{}, refuse("params is missing.")
	}
	return order{surface: catalog.Run, agent: agent, input: body.Input, params: body.Params, callback: body.CallbackURL}, nil
}

// pollRun is Run API, "Poll a run".
func (s *Service) pollRun(r *http.Request, c caller) (reply, error) {
	var rep reply
	err := s.look(r.Context(), c.base, func(v view) (err error) {
		rep, err = v.execution(r.Context(), c, r.PathValue("executionId"))
		return err
	})
	return rep, err
}

// estimatePower is an extra of public clients: what a run would cost. Runs here cost nothing but time, so it counts the
// pictures; nothing is stored. ASSUMED [What totalPower counts].
func (s *Service) estimatePower(r *http.Request, c caller) (reply, error) {
	var body upstream.RunStart
	if err := readJSON(r, &body); err != nil {
		return reply{}, err
	}
	o, err := s.runOrder(body)
	if err != nil {
		return reply{}, err
	}
	_, needs, err := s.prepare(r.Context(), c, o)
	if err != nil {
		return reply{}, err
	}
	return reply{data: upstream.Estimate{TotalPower: float64(needs.items), Type: needs.makes, IsEstimated: true}}, nil
}

// idempotency is one use of the Idempotency-Key header; without a name it does nothing.
type idempotency struct {
	account, name string
	body          []byte
}

func (i idempotency) sum() string {
	sum := sha256.Sum256(i.body)
	return hex.EncodeToString(sum[:])
}

// find gives the run that the same key started before. The same key with another body is refused.
func (i idempotency) find(r *http.Request, q *gen.Queries) (started runStarted, found bool, err error) {
	if i.name == "" {
		return runStarted{}, false, nil
	}
	row, err := q.FindIdempotency(r.Context(), gen.FindIdempotencyParams{AccountID: i.account, Name: i.name})
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return runStarted{}, false, nil
	case err != nil:
		return runStarted{}, false, fmt.Errorf("look for the idempotency key: %w", err)
	case row.BodySha256 != i.sum():
		return runStarted{}, false, &failure{
			status: http.StatusConflict, code: upstream.CodeParameter,
			message: "This " + idempotencyHeader + " was used for another request.",
		}
	}
	return runStarted{ExecutionID: row.ExecutionID, TaskID: row.TaskID}, true, nil
}

func (i idempotency) store(r *http.Request, q *gen.Queries, started runStarted, now int64) error {
	if i.name == "" {
		return nil
	}
	return q.CreateIdempotency(detached(r.Context()), gen.CreateIdempotencyParams{
		AccountID: i.account, Name: i.name, BodySha256: i.sum(),
		ExecutionID: started.ExecutionID, TaskID: started.TaskID, CreatedAt: now,
	})
}
