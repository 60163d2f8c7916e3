package upstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

// StartRun starts one paid run (Run API, "Start a run"). An Ambiguous error means that it may have started. key is sent as
// Idempotency-Key only when Options.Idempotency allows it; then the same key and body give the same execution.
func (c *Client) StartRun(ctx context.Context, r RunStart, key string) (RunStarted, error) {
	body, err := r.Body()
	if err != nil {
		return RunStarted{}, err
	}
	return c.SendRun(ctx, body, key)
}

// startRun is what starting a run is called in errors.
const startRun = "start run"

// Body gives the bytes that StartRun sends.
func (r RunStart) Body() ([]byte, error) { return body(startRun, r.filled()) }

// SendRun is StartRun with the bytes that RunStart.Body gave, now or earlier.
func (c *Client) SendRun(ctx context.Context, body []byte, key string) (RunStarted, error) {
	k := send(startRun, PathRuns, body)
	k.starts, k.observed = true, true
	if c.idempotency && key != "" {
		// Written in small letters, as HTTP allows: Go's transport re-sends requests that carry the usual spelling.
		k.header = http.Header{"idempotency-key": {key}}
	}
	e, err := c.do(ctx, k)
	if err != nil {
		return RunStarted{}, err
	}
	id, err := e.execution()
	if err != nil {
		return RunStarted{}, e.missing(c, err)
	}
	started := RunStarted{ExecutionID: id, Charge: e.charge()}
	if h, err := e.handle(); err == nil {
		started.TaskID = string(h.TaskID)
	}
	return started, nil
}

// filled gives both objects that have to be there.
func (r RunStart) filled() RunStart {
	if r.Input == nil {
		r.Input = map[string]any{}
	}
	if r.Params == nil {
		r.Params = map[string]any{}
	}
	return r
}

// Run gives the state of a run (Run API, "Poll a run").
func (c *Client) Run(ctx context.Context, executionID string) (RunStatus, error) {
	const op = "poll run"
	if executionID == "" || executionID == "." || executionID == ".." {
		return RunStatus{}, fmt.Errorf("%s: %q is not the id of a run", op, executionID)
	}
	return ask[RunStatus](ctx, c, telling(op, PathRuns+"/"+url.PathEscape(executionID), nil))
}

// OpenAPI gives the service's description of itself, OpenAPI 3.1 in YAML (Run API, "Machine-readable description").
func (c *Client) OpenAPI(ctx context.Context) ([]byte, error) {
	k := get("openapi", PathOpenAPI, nil)
	k.header = http.Header{"Accept": {"application/yaml, text/yaml, */*"}}
	status, header, body, err := c.exchange(ctx, k)
	if err != nil {
		return nil, err
	}
	if status == http.StatusOK && len(body) > 0 && len(body) <= maxAnswer {
		return body, nil
	}
	if _, err := c.interpret(k, status, header, body); err != nil {
		return nil, err
	}
	return nil, c.unusable(k, &Error{Op: k.op, HTTPStatus: status, Sent: true, Raw: c.raw(body)}, errors.New("the answer holds no description"))
}

// ErrEstimatesOff says that Options.Estimates is not set: nothing was asked.
var ErrEstimatesOff = errors.New("estimates are switched off")

// EstimatePower tells what a run would cost, without starting it (an extra that the documents do not mention).
func (c *Client) EstimatePower(ctx context.Context, r RunStart) (Estimate, error) {
	const op = "estimate power"
	if !c.estimates {
		return Estimate{}, fmt.Errorf("%s: %w", op, ErrEstimatesOff)
	}
	k, err := post(op, PathEstimates, r.filled())
	if err != nil {
		return Estimate{}, err
	}
	k.reads = true
	status, header, body, err := c.exchange(ctx, k)
	if err != nil {
		return Estimate{}, err
	}
	// ASSUMED [What totalPower counts]: the answer is the estimate itself, or an envelope around it.
	var bare Estimate
	if status == http.StatusOK && len(body) <= maxAnswer {
		var probe struct {
			TotalPower *looseFloat `json:"totalPower"`
		}
		if json.Unmarshal(body, &probe) == nil && probe.TotalPower != nil && json.Unmarshal(body, &bare) == nil {
			return bare, nil
		}
	}
	e, err := c.interpret(k, status, header, body)
	if err != nil {
		return Estimate{}, err
	}
	if !object(e.Data) {
		return Estimate{}, e.missing(c, errors.New("the answer's data is not an object"))
	}
	return bare, e.into(c, &bare)
}

// UnmarshalJSON reads an estimate.
func (e *Estimate) UnmarshalJSON(b []byte) error {
	var v struct {
		TotalPower         looseFloat  `json:"totalPower"`
		Type               looseString `json:"type"`
		Exclusive          looseBool   `json:"exclusive"`
		PaidPowerNotEnough looseBool   `json:"paidPowerNotEnough"`
		IsEstimated        looseBool   `json:"isEstimated"`
	}
	if err := json.Unmarshal(b, &v); err != nil {
		return err
	}
	*e = Estimate{
		TotalPower: float64(v.TotalPower), Type: string(v.Type), Exclusive: v.Exclusive == looseTrue,
		PaidPowerNotEnough: v.PaidPowerNotEnough == looseTrue, IsEstimated: v.IsEstimated == looseTrue,
	}
	return nil
}

// ExecutedAt reads Execution.ExecutionTime; zero when it is absent or of another form. ASSUMED [executionTime time zone]: UTC.
func (x Execution) ExecutedAt() time.Time {
	at, err := time.ParseInLocation(ExecutionTimeLayout, x.ExecutionTime, time.UTC)
	if err != nil {
		return time.Time{}
	}
	return at
}
