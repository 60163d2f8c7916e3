package comfyui

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"atelier/service/engine"
)

// state is what the server knows of a piece of work.
type state struct {
	id       string // the server's
	client   string // the id of the socket that hears its events
	pending  bool
	running  bool
	finished *entry // what the history has, nil before the end
}

func (s state) known() bool { return s.pending || s.running || s.finished != nil }

// entry is a finished piece of work in the history.
type entry struct {
	// Prompt is [number, id, graph, extra data, ids of outputs].
	Prompt  []json.RawMessage          `json:"prompt"`
	Outputs map[string]json.RawMessage `json:"outputs"`
	Status  *struct {
		Text     string    `json:"status_str"`
		Messages []message `json:"messages"`
	} `json:"status"`
}

// message is one of an entry's: [type, data].
type message struct {
	kind string
	data json.RawMessage
}

// UnmarshalJSON reads the pair. Messages of another form have no kind.
func (m *message) UnmarshalJSON(data []byte) error {
	var pair []json.RawMessage
	if json.Unmarshal(data, &pair) == nil && len(pair) == 2 && json.Unmarshal(pair[0], &m.kind) == nil {
		m.data = pair[1]
	}
	return nil
}

// look asks for the state of work by the server's id or by the caller's, which is the client_id where an old server
// gave an id of its own. Work moves from the queue to the history in one step, so the history is read before the queue
// and after it.
func (e *Engine) look(ctx context.Context, id string) (state, error) {
	s := state{id: id, client: id}
	var err error
	if s.finished, err = e.history(ctx, id); err != nil || s.finished != nil {
		return s, err
	}
	var queue struct {
		Running [][]json.RawMessage `json:"queue_running"`
		Pending [][]json.RawMessage `json:"queue_pending"`
	}
	if err := e.get(ctx, "/queue", &queue); err != nil {
		return s, err
	}
	for _, item := range queue.Running {
		s.running = s.matches(item, id) || s.running
	}
	for _, item := range queue.Pending {
		s.pending = s.matches(item, id) || s.pending
	}
	if !s.known() {
		s.finished, err = e.history(ctx, id)
	}
	return s, err
}

// matches compares an item of the queue, [number, id, graph, extra data, …], and takes over its ids.
func (s *state) matches(item []json.RawMessage, id string) bool {
	var own string
	if len(item) < 2 || json.Unmarshal(item[1], &own) != nil || own == "" {
		return false
	}
	var extra struct {
		Client string `json:"client_id"`
	}
	if len(item) > 3 && json.Unmarshal(item[3], &extra) != nil {
		extra.Client = ""
	}
	if own != id && extra.Client != id {
		return false
	}
	s.id = own
	if extra.Client != "" {
		s.client = extra.Client
	}
	return true
}

// history reads the entry of finished work, nil for work that is unknown, queued or running.
func (e *Engine) history(ctx context.Context, id string) (*entry, error) {
	var answer map[string]*entry
	if err := e.get(ctx, "/history/"+url.PathEscape(id), &answer); err != nil {
		return nil, err
	}
	return answer[id], nil
}

// maxCancelRounds bounds how often Cancel follows work that moves on while it is asked to end.
const maxCancelRounds = 3

// Cancel takes pending work out of the queue and interrupts running work. Servers before 2025-09-02 interrupt whatever
// runs: only work that the queue shows as running is interrupted.
func (e *Engine) Cancel(ctx context.Context, h engine.Handle) error {
	s, err := e.look(ctx, h.ID)
	if err != nil || !s.pending && !s.running {
		return err
	}
	if done, err := e.cancelJob(ctx, s.id); done || err != nil {
		return err
	}
	for range maxCancelRounds {
		switch {
		case s.running:
			return e.post(ctx, "/interrupt", map[string]any{"prompt_id": s.id})
		case !s.pending:
			return nil
		}
		if err := e.post(ctx, "/queue", map[string]any{"delete": []string{s.id}}); err != nil {
			return err
		}
		if s, err = e.look(ctx, s.id); err != nil {
			return err
		}
	}
	return nil
}

// cancelJob cancels with the interface of servers of 2026, which does it in one step. done is false where there is
// none.
func (e *Engine) cancelJob(ctx context.Context, id string) (done bool, err error) {
	jobs := "/api/jobs/"
	if strings.HasSuffix(e.client.URL(""), "/api") {
		jobs = "/jobs/"
	}
	a, err := e.client.Do(ctx, http.MethodPost, jobs+url.PathEscape(id)+"/cancel", "application/json", []byte("{}"))
	if err != nil {
		return false, err
	}
	switch a.Status {
	case http.StatusOK:
		return true, nil
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		return false, nil
	}
	return false, e.client.Failure(a, sentenceOf(a.Body))
}

// post sends what is answered with an empty 200.
func (e *Engine) post(ctx context.Context, path string, what any) error {
	body, err := json.Marshal(what)
	if err != nil {
		return err
	}
	a, err := e.client.Do(ctx, http.MethodPost, path, "application/json", body)
	if err == nil && a.Status != http.StatusOK {
		return e.client.Failure(a, sentenceOf(a.Body))
	}
	return err
}
