// Package comfyuitest stands in for a ComfyUI server: it validates and runs graphs as the server does, with a painter
// of colours in place of the sampler. Its behaviour is that of 0.3.64, tried, unless a switch of Dialect says
// otherwise.
package comfyuitest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gorilla/websocket"
)

// maxUpload is the server's default of --max-upload-size in bytes.
const maxUpload = 100 << 20

// Dialect says in which ways a server differs from 0.3.64.
type Dialect struct {
	// Old gives ids of its own, interrupts whatever runs and sends no progress_state (before 2025-07).
	Old bool
	// New refuses ids that are no lower-case UUIDs and has /api/jobs (2026).
	New bool
	// Key is wanted as a Bearer token or as X-API-Key, as a proxy does. The refusal repeats what was sent.
	Key string
	// DropsSocket closes a websocket after the first event of progress.
	DropsSocket bool
	// ExecutionError fails in the sampler with a message that has the prompt and a path in it.
	ExecutionError bool
	// OOM fails in the sampler for lack of memory.
	OOM bool
	// UnknownNode is a class of nodes that is not installed.
	UnknownNode string
	// Slow is received from before each step of the sampler, if it is not nil.
	Slow chan struct{}
	// Models replaces the files of CheckpointLoaderSimple, UNETLoader, CLIPLoader and VAELoader, by class.
	Models map[string][]string
}

// Server is a stand-in for a ComfyUI server.
type Server struct {
	// URL is its address.
	URL string
	// Opened has an element for each websocket that was opened, as far as it has room.
	Opened chan struct{}

	dialect  Dialect
	classes  map[string]class
	http     *httptest.Server
	upgrader websocket.Upgrader
	worker   sync.WaitGroup
	wake     chan struct{}
	closed   chan struct{}

	mu      sync.Mutex
	number  int
	pending []*work
	running *work
	history map[string]map[string]any
	inputs  map[string][]byte
	outputs map[string][]byte
	cache   map[string]map[string]any
	sockets map[string]*socket
	renders int
	queued  int
	seen    []string
}

// work is one accepted prompt.
type work struct {
	number    int
	id        string
	client    string
	raw       json.RawMessage
	graph     graph
	extra     map[string]any
	targets   []string
	interrupt chan struct{}
	stop      sync.Once
}

func (w *work) stopped() bool {
	select {
	case <-w.interrupt:
		return true
	default:
		return false
	}
}

// New starts a server that ends with the test.
func New(t testing.TB, d Dialect) *Server {
	t.Helper()
	s := &Server{
		Opened: make(chan struct{}, 100), wake: make(chan struct{}, 1), closed: make(chan struct{}),
		dialect: d, classes: classes(d),
		upgrader: websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }},
		history:  map[string]map[string]any{}, inputs: map[string][]byte{}, outputs: map[string][]byte{},
		cache: map[string]map[string]any{}, sockets: map[string]*socket{},
	}
	s.http = httptest.NewServer(s)
	s.URL = s.http.URL
	s.worker.Go(s.work)
	t.Cleanup(func() {
		close(s.closed)
		s.Restart()
		s.worker.Wait()
		s.http.Close()
	})
	return s
}

// Renders is how often the sampler ran to its end.
func (s *Server) Renders() int { s.mu.Lock(); defer s.mu.Unlock(); return s.renders }

// Queued is how many prompts were accepted.
func (s *Server) Queued() int { s.mu.Lock(); defer s.mu.Unlock(); return s.queued }

// History is how many entries the history has.
func (s *Server) History() int { s.mu.Lock(); defer s.mu.Unlock(); return len(s.history) }

// Requests are the methods and paths that were asked for, in order.
func (s *Server) Requests() []string { s.mu.Lock(); defer s.mu.Unlock(); return slices.Clone(s.seen) }

// Inputs are the names of the uploaded files.
func (s *Server) Inputs() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.inputs))
}

// Outputs are the stored pictures as files, by name.
func (s *Server) Outputs() map[string][]byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.outputs)
}

// Forget deletes the stored pictures, as the operator may.
func (s *Server) Forget() { s.mu.Lock(); defer s.mu.Unlock(); clear(s.outputs) }

// Restart loses the queue, the running work, the history and the cache; files stay.
func (s *Server) Restart() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running != nil {
		s.running.stop.Do(func() { close(s.running.interrupt) })
		s.running = nil
	}
	s.pending = nil
	clear(s.history)
	clear(s.cache)
	for id := range s.sockets {
		s.drop(id)
	}
}

// ServeHTTP answers a request. Every path is also there below /api.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p := r.URL.Path
	s.mu.Lock()
	s.seen = append(s.seen, r.Method+" "+p)
	s.mu.Unlock()
	if origin, err := url.Parse(r.Header.Get("Origin")); err != nil || origin.Host != "" && origin.Host != r.Host {
		w.WriteHeader(http.StatusForbidden)
		return
	}
	if k := s.dialect.Key; k != "" && r.Header.Get("Authorization") != "Bearer "+k && r.Header.Get("X-Api-Key") != k {
		sent := r.Header.Get("Authorization") + " " + r.Header.Get("X-Api-Key")
		answer(w, http.StatusUnauthorized, map[string]any{"error": "no access with " + sent})
		return
	}
	if strings.HasPrefix(p, "/api/jobs/") {
		s.jobs(w, r, strings.Split(strings.TrimPrefix(p, "/api/jobs/"), "/"))
		return
	}
	p = strings.TrimPrefix(p, "/api")
	name := path.Base(p)
	switch r.Method + " " + path.Dir(p) + " " + name {
	case "GET / system_stats":
		answer(
			w,
			http.StatusOK,
			map[string]any{"system": map[string]any{"comfyui_version": s.version()}, "devices": []any{}},
		)
	case "POST /upload image":
		s.upload(w, r)
	case "POST / prompt":
		s.prompt(w, r)
	case "GET / ws":
		s.socket(w, r)
	case "GET / queue":
		s.queue(w)
	case "POST / queue":
		s.change(w, r)
	case "POST / interrupt":
		s.interrupt(w, r)
	case "GET / view":
		s.view(w, r)
	default:
		switch r.Method + " " + path.Dir(p) {
		case "GET /object_info":
			out := map[string]any{}
			if c, ok := s.classes[name]; ok {
				out[name] = c.info(s.dialect.New)
			}
			answer(w, http.StatusOK, out)
		case "GET /history":
			s.mu.Lock()
			defer s.mu.Unlock()
			out := map[string]any{}
			if e, ok := s.history[name]; ok {
				out[name] = e
			}
			answer(w, http.StatusOK, out)
		default:
			missing(w, r)
		}
	}
}

// missing answers as a server of static files does: it knows GET alone.
func missing(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	w.WriteHeader(http.StatusNotFound)
}

func (s *Server) version() string {
	switch {
	case s.dialect.Old:
		return "0.3.30"
	case s.dialect.New:
		return "0.8.0"
	}
	return "0.3.64"
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(body); err != nil {
		panic(http.ErrAbortHandler)
	}
}

// upload stores a file of the form field image. A name with ../ is taken literally (tried).
func (s *Server) upload(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxUpload)
	file, header, err := r.FormFile("image")
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	data, err := io.ReadAll(file)
	if err != nil || header.Filename == "" || r.FormValue("type") != "input" && r.FormValue("type") != "" {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	folder, name := r.FormValue("subfolder"), header.Filename
	stem, ext := strings.TrimSuffix(name, path.Ext(name)), path.Ext(name)
	for i := 1; r.FormValue("overwrite") != "true" && r.FormValue("overwrite") != "1"; i++ {
		old, exists := s.inputs[path.Join(folder, name)]
		if !exists || bytes.Equal(old, data) {
			break
		}
		name = fmt.Sprintf("%s (%d)%s", stem, i, ext)
	}
	s.inputs[path.Join(folder, name)] = data
	answer(w, http.StatusOK, map[string]any{"name": name, "subfolder": folder, "type": "input"})
}

var canonicalUUID = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)

func refusal(kind, message, details string) map[string]any {
	return map[string]any{"type": kind, "message": message, "details": details, "extra_info": map[string]any{}}
}

func (s *Server) prompt(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Prompt json.RawMessage `json:"prompt"`
		Client string          `json:"client_id"`
		ID     *string         `json:"prompt_id"`
		Extra  map[string]any  `json:"extra_data"`
	}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	if body.Prompt == nil {
		failed := refusal("no_prompt", "No prompt provided", "No prompt provided")
		answer(w, http.StatusBadRequest, map[string]any{"error": failed, "node_errors": map[string]any{}})
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	id := fmt.Sprintf("%08x-0000-4000-8000-000000000000", s.number+1)
	switch {
	case s.dialect.New && body.ID != nil && !canonicalUUID.MatchString(*body.ID):
		failed := refusal("invalid_prompt_id", "prompt_id must be a valid UUID", "prompt_id must be in lower case")
		answer(w, http.StatusBadRequest, map[string]any{"error": failed, "node_errors": map[string]any{}})
		return
	case !s.dialect.Old && body.ID != nil:
		id = *body.ID
	}
	g, targets, failed, nodeErrors := s.validate(body.Prompt)
	if failed != nil {
		answer(w, http.StatusBadRequest, map[string]any{"error": failed, "node_errors": nodeErrors})
		return
	}
	if body.Extra == nil {
		body.Extra = map[string]any{}
	}
	if body.Client != "" {
		body.Extra["client_id"] = body.Client
	}
	s.number++
	s.queued++
	s.pending = append(s.pending, &work{
		number: s.number, id: id, client: body.Client, raw: body.Prompt, graph: g, extra: body.Extra, targets: targets,
		interrupt: make(chan struct{}),
	})
	s.status()
	select {
	case s.wake <- struct{}{}:
	default:
	}
	answer(w, http.StatusOK, map[string]any{"prompt_id": id, "number": s.number, "node_errors": nodeErrors})
}

func (w *work) item() []any { return []any{w.number, w.id, w.raw, w.extra, w.targets} }

func (s *Server) queue(w http.ResponseWriter) {
	s.mu.Lock()
	defer s.mu.Unlock()
	running, pending := []any{}, []any{}
	if s.running != nil {
		running = append(running, s.running.item())
	}
	for _, p := range s.pending {
		pending = append(pending, p.item())
	}
	answer(w, http.StatusOK, map[string]any{"queue_running": running, "queue_pending": pending})
}

// change deletes pending work. It leaves no trace (tried).
func (s *Server) change(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Clear  bool     `json:"clear"`
		Delete []string `json:"delete"`
	}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pending = slices.DeleteFunc(s.pending, func(p *work) bool {
		return body.Clear || slices.Contains(body.Delete, p.id)
	})
	s.status()
}

// interrupt stops the running work: any without an id, that of the id with one. Old servers read no id.
func (s *Server) interrupt(w http.ResponseWriter, r *http.Request) {
	var body struct {
		ID string `json:"prompt_id"`
	}
	data, err := io.ReadAll(r.Body)
	if err == nil && len(data) > 0 {
		err = json.Unmarshal(data, &body)
	}
	if err != nil {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if run := s.running; run != nil && (s.dialect.Old || body.ID == "" || body.ID == run.id) {
		run.stop.Do(func() { close(run.interrupt) })
	}
}

// jobs is the newer interface: GET /api/jobs/{id} and POST /api/jobs/{id}/cancel.
func (s *Server) jobs(w http.ResponseWriter, r *http.Request, parts []string) {
	cancel := len(parts) == 2 && parts[1] == "cancel" && r.Method == http.MethodPost
	if !s.dialect.New || !cancel && (len(parts) != 1 || r.Method != http.MethodGet) {
		missing(w, r)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	run := s.running
	isRunning := run != nil && run.id == parts[0]
	isPending := slices.ContainsFunc(s.pending, func(p *work) bool { return p.id == parts[0] })
	if cancel {
		if isRunning {
			run.stop.Do(func() { close(run.interrupt) })
		}
		s.pending = slices.DeleteFunc(s.pending, func(p *work) bool { return p.id == parts[0] })
		answer(w, http.StatusOK, map[string]any{"cancelled": isRunning || isPending})
		return
	}
	status := ""
	switch {
	case isRunning:
		status = "in_progress"
	case isPending:
		status = "pending"
	case s.history[parts[0]] != nil:
		status = "completed"
	default:
		answer(w, http.StatusNotFound, map[string]any{"error": "Job not found"})
		return
	}
	answer(w, http.StatusOK, map[string]any{"id": parts[0], "status": status})
}

func (s *Server) view(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	s.mu.Lock()
	defer s.mu.Unlock()
	data, ok := s.outputs[path.Join(q.Get("subfolder"), q.Get("filename"))]
	if !ok || q.Get("type") != "output" {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "image/png")
	if _, err := w.Write(data); err != nil {
		panic(http.ErrAbortHandler)
	}
}
