package comfyui

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gorilla/websocket"

	"atelier/imaging/parallel"
	"atelier/internal/outbound"
	"atelier/service/engine"
)

// maxUnanswered is how many requests in a row may fail before Watch does: a server behind a proxy restarts in seconds.
const maxUnanswered = 3

// maxEvent is the most bytes of one event. Previews and lists of outputs are far smaller.
const maxEvent = 16 << 20

// sampled is the part of the progress that the samplers make up; decoding and storing follow.
const sampled = 0.95

// Watch waits for the picture by asking for the state of the work, and hears of progress by a websocket where the
// server lets it. The file is a new PNG of the pixels alone: the server writes the whole graph into its own.
func (e *Engine) Watch(ctx context.Context, h engine.Handle, progress func(float64)) ([]byte, error) {
	ctx, stop := context.WithCancel(ctx)
	var listener parallel.Group
	defer listener.Wait()
	defer stop()
	events := make(chan event)
	tick := time.NewTicker(e.poll)
	defer tick.Stop()
	id, listening, unanswered, reached := h.ID, false, 0, 0.0
	for {
		s, err := e.look(ctx, id)
		reason := engine.ReasonOf(err)
		switch {
		case (reason == engine.Unreachable || reason == engine.Busy) && unanswered < maxUnanswered:
			unanswered++
		case err != nil:
			return nil, err
		case s.finished != nil:
			data, err := e.result(ctx, s.finished, h.Job)
			if err == nil {
				progress(1)
			}
			return data, err
		case !s.known():
			return nil, e.client.Fail(engine.Lost, "")
		default:
			unanswered, id = 0, s.id
			if !listening {
				listening = true
				listener.Go(func() { e.listen(ctx, s.client, s.id, events) })
			}
		}
		for asked := false; !asked; {
			select {
			case <-ctx.Done():
				return nil, fmt.Errorf("wait for the image engine: %w", context.Cause(ctx))
			case <-tick.C:
				asked = true
			case ev := <-events:
				asked = ev.ended
				if ev.done > reached {
					reached = ev.done
					progress(reached)
				}
			}
		}
	}
}

// event is news of the work: how far it is, or that it ended.
type event struct {
	done  float64
	ended bool
}

// listen passes on the events of a piece of work until the context ends. A socket that breaks is opened again.
func (e *Engine) listen(ctx context.Context, client, id string, events chan<- event) {
	heard := meter{}
	for ctx.Err() == nil {
		e.hear(ctx, client, func(data []byte) {
			if ev, ok := heard.read(data, id); ok {
				select {
				case events <- ev:
				case <-ctx.Done():
				}
			}
		})
		select {
		case <-ctx.Done():
		case <-time.After(e.poll):
		}
	}
}

// hear opens a websocket and passes on its texts until it breaks. Errors are not passed on: Watch asks for the state
// as well.
func (e *Engine) hear(ctx context.Context, client string, text func([]byte)) {
	address := "ws" + strings.TrimPrefix(e.client.URL("/ws?clientId="+url.QueryEscape(client)), "http")
	conn, resp, err := outbound.OperatorSocket().DialContext(ctx, address, e.client.Header())
	if err != nil {
		if resp != nil {
			_ = resp.Body.Close() // the library has read it
		}
		return
	}
	// Closing ends the reading below; a failure leaves a socket that is broken anyway.
	shut := func() { _ = conn.Close() }
	defer shut()
	defer context.AfterFunc(ctx, shut)()
	conn.SetReadLimit(maxEvent)
	for {
		kind, data, err := conn.ReadMessage()
		if err != nil {
			return
		}
		if kind == websocket.TextMessage { // the others are previews
			text(data)
		}
	}
}

// steps is how far a node is.
type steps struct {
	Value float64 `json:"value"`
	Max   float64 `json:"max"`
}

// meter adds up how far the nodes of a graph are.
type meter map[string]steps

// read reads an event; ok is false where it says nothing of the work. Nodes of one step are left out: they would count
// as much as all that follows them.
func (m meter) read(data []byte, id string) (ev event, ok bool) {
	var msg struct {
		Type string `json:"type"`
		Data struct {
			ID    string           `json:"prompt_id"`
			Node  any              `json:"node"`
			Nodes map[string]steps `json:"nodes"`
			steps
		} `json:"data"`
	}
	// Events of another form, such as execution_cached with its list of nodes, say nothing of how far the work is.
	if json.Unmarshal(data, &msg) != nil || msg.Data.ID != "" && msg.Data.ID != id {
		return event{}, false
	}
	switch msg.Type {
	case "progress_state":
		maps.Copy(m, msg.Data.Nodes)
	case "progress":
		m[fmt.Sprint(msg.Data.Node)] = msg.Data.steps
	case "executing":
		return event{ended: true}, msg.Data.Node == nil
	case "execution_success", "execution_error", "execution_interrupted":
		return event{ended: true}, true
	default:
		return event{}, false
	}
	value, total := 0.0, 0.0
	for _, s := range m {
		if s.Max > 1 {
			value += min(max(s.Value, 0), s.Max)
			total += s.Max
		}
	}
	if total == 0 {
		return event{}, false
	}
	return event{done: sampled * value / total}, true
}

// file is a stored picture.
type file struct {
	Name   string `json:"filename"`
	Folder string `json:"subfolder"`
	Type   string `json:"type"`
}

// usable reports whether the file lies where results do. Names that lead elsewhere are not asked for. Servers on
// Windows write folders with backslashes.
func (f file) usable() bool {
	folder := strings.ReplaceAll(f.Folder, `\`, "/")
	drive := len(folder) > 1 && folder[1] == ':'
	return f.Name != "" && !strings.ContainsAny(f.Name, `/\`) && (f.Type == "output" || f.Type == "temp") &&
		!strings.HasPrefix(folder, "/") && !drive && !slices.Contains(strings.Split(folder, "/"), "..")
}

// result fetches the picture of finished work, or gives the failure that it ended with.
func (e *Engine) result(ctx context.Context, done *entry, job engine.Job) ([]byte, error) {
	if err := e.failure(done, job); err != nil {
		return nil, err
	}
	f, found := done.picture()
	if !found {
		return nil, e.client.Fail(engine.Unusable, "the work has no picture")
	}
	if !f.usable() {
		return nil, e.client.Fail(engine.Unusable, "the picture has no usable name")
	}
	query := url.Values{"filename": {f.Name}, "subfolder": {f.Folder}, "type": {f.Type}}
	a, err := e.client.Do(ctx, http.MethodGet, "/view?"+query.Encode(), "", nil)
	if err != nil {
		return nil, err
	}
	if a.Status != http.StatusOK {
		failure := e.client.Failure(a, "")
		if a.Status == http.StatusNotFound {
			failure.Reason = engine.Lost
		}
		return nil, failure
	}
	img, err := e.client.Decode(ctx, a.Body)
	if err != nil {
		return nil, err
	}
	return engine.EncodePNG(img)
}

// picture chooses among the stored pictures: that of the node titled @output, which the history repeats; without one
// the first that is kept, else the first.
func (done *entry) picture() (file, bool) {
	if g, ok := done.graph(); ok && g.output() != "" {
		return first(done.files(g.output()))
	}
	var kept, all []file
	for _, id := range slices.SortedFunc(maps.Keys(done.Outputs), byNumber) {
		for _, f := range done.files(id) {
			all = append(all, f)
			if f.Type == "output" {
				kept = append(kept, f)
			}
		}
	}
	if f, ok := first(kept); ok {
		return f, true
	}
	return first(all)
}

func first(files []file) (file, bool) {
	if len(files) == 0 {
		return file{}, false
	}
	return files[0], true
}

// byNumber orders ids of nodes, which are numbers mostly.
func byNumber(a, b string) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	return strings.Compare(a, b)
}

// files gives the pictures of one node; other outputs, such as texts, are none.
func (done *entry) files(node string) []file {
	var out struct {
		Images []file `json:"images"`
	}
	if json.Unmarshal(done.Outputs[node], &out) != nil {
		return nil
	}
	return out.Images
}

// graph is the graph that the entry was made by.
func (done *entry) graph() (graph, bool) {
	if len(done.Prompt) < 3 {
		return nil, false
	}
	g, err := readGraph(done.Prompt[2])
	return g, err == nil
}

// failure gives the error of work that failed, nil of work that did not.
func (e *Engine) failure(done *entry, job engine.Job) error {
	if done.Status == nil {
		return nil
	}
	for _, m := range done.Status.Messages {
		switch m.kind {
		case "execution_error":
			return e.executionError(m.data, secrets(done, job))
		case "execution_interrupted":
			return e.client.Fail(engine.Failed, "the work was stopped at the engine")
		}
	}
	if done.Status.Text == "error" {
		return e.client.Fail(engine.Failed, "")
	}
	return nil
}

// executionError reads {"node_type", "exception_type", "exception_message", "traceback"}. Lack of memory has a type
// that ends in OutOfMemoryError, or says so in words on other graphics cards.
func (e *Engine) executionError(data json.RawMessage, secrets []string) error {
	var failed struct {
		Node    string `json:"node_type"`
		Type    string `json:"exception_type"`
		Message string `json:"exception_message"`
	}
	detail := ""
	if json.Unmarshal(data, &failed) == nil {
		detail = strings.Trim(failed.Node+": "+strings.TrimSpace(failed.Message), ": ")
	}
	failure := e.client.Failure(&engine.Answer{Status: http.StatusOK, Body: data}, detail, secrets...)
	failure.Reason = engine.Failed
	inWords := strings.Contains(strings.ToLower(failed.Message), "out of memory")
	if strings.HasSuffix(failed.Type, "OutOfMemoryError") || inWords {
		failure.Reason = engine.OutOfMemory
	}
	return failure
}

// shortest is the least length in bytes of a string in a graph that may be words of the user's: names of samplers are
// shorter.
const shortest = 24

// secrets are the words that an exception may repeat and users of other accounts must not read: the job's, or after a
// restart what the history's graph has.
func secrets(done *entry, job engine.Job) []string {
	out := []string{job.Prompt, job.Negative}
	if g, ok := done.graph(); ok {
		for _, n := range g {
			words := n.uses("prompt") || n.uses("negative")
			eachString(n.Inputs, func(s string) {
				if words || len(s) >= shortest || strings.Contains(s, " ") {
					out = append(out, s)
				}
			})
		}
	}
	slices.SortFunc(
		out,
		func(a, b string) int { return len(b) - len(a) },
	) // the longest first: others may be parts of it
	return out
}
