// Package sdcpptest is a server of stable-diffusion.cpp's own protocol for tests. Jobs wait in a queue and are made one
// after another, states and codes are those of the server (examples/server).
package sdcpptest

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"atelier/service/engine/enginetest"
)

// Sides in pixels that the server takes, and what they are rounded up to with Stable Diffusion 1.
const (
	least    = 64
	most     = 4096
	multiple = 64
)

// QueueSize is how many jobs may wait.
const QueueSize = 64

// Dialect says how a server behaves.
type Dialect struct {
	Fails bool          // every job fails
	OOM   bool          // every job fails for want of memory
	Slow  chan struct{} // jobs are generated until it is closed
	Key   string        // the Bearer token that a proxy before it wants
	Full  bool          // the queue has no room
	Video bool          // the model makes no pictures
}

// job is one of the server's jobs.
type job struct {
	id, status    string
	fields        map[string]any
	file          []byte
	code, message string
}

// Server is a running server.
type Server struct {
	URL     string
	dialect Dialect

	mu        sync.Mutex
	jobs      []*job
	expired   map[string]bool
	random    int64
	working   bool
	generates chan string
}

// New starts a server, which ends with the test.
func New(t testing.TB, d Dialect) *Server {
	t.Helper()
	s := &Server{dialect: d, expired: map[string]bool{}, generates: make(chan string, 100)}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /sdcpp/v1/capabilities", s.capabilities)
	mux.HandleFunc("POST /sdcpp/v1/img_gen", s.accept)
	mux.HandleFunc("GET /sdcpp/v1/jobs/{id}", s.look)
	mux.HandleFunc("POST /sdcpp/v1/jobs/{id}/cancel", s.cancel)
	live := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if got := r.Header.Get("Authorization"); d.Key != "" && got != "Bearer "+d.Key {
			enginetest.Reply(w, http.StatusUnauthorized, map[string]any{"error": "not allowed: " + got})
			return
		}
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(live.Close)
	s.URL = live.URL
	return s
}

// Generates gives the id of each job as it leaves the queue.
func (s *Server) Generates() <-chan string { return s.generates }

// Fields are what was sent for the n-th job.
func (s *Server) Fields(n int) map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.jobs[n].fields
}

// Status is a job's state.
func (s *Server) Status(id string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if j := s.find(id); j != nil {
		return j.status
	}
	return ""
}

// Expire forgets a job that has ended, as the server does after 600 seconds.
func (s *Server) Expire(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expired[id] = true
}

// Restart forgets every job.
func (s *Server) Restart() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.jobs = nil
}

func (s *Server) find(id string) *job {
	for _, j := range s.jobs {
		if j.id == id {
			return j
		}
	}
	return nil
}

func (s *Server) capabilities(w http.ResponseWriter, _ *http.Request) {
	mode := "img_gen"
	if s.dialect.Video {
		mode = "vid_gen"
	}
	features := map[string]bool{
		"init_image":        true,
		"mask_image":        true,
		"ref_images":        true,
		"cancel_queued":     true,
		"cancel_generating": false,
	}
	enginetest.Reply(w, http.StatusOK, map[string]any{
		"model": map[string]any{
			"name": "tiny.safetensors",
			"stem": "tiny",
			"path": "models/tiny.safetensors",
		},
		"supported_modes": []string{mode}, "features_by_mode": map[string]any{mode: features},
		"limits": map[string]int{
			"min_width": least, "max_width": most, "min_height": least, "max_height": most, "max_batch_count": 8,
			"max_queue_size": QueueSize,
		},
	})
}

func (s *Server) accept(w http.ResponseWriter, r *http.Request) {
	var fields map[string]any
	if err := json.NewDecoder(r.Body).Decode(&fields); err != nil {
		enginetest.Reply(w, http.StatusBadRequest, map[string]any{"error": "invalid json", "message": err.Error()})
		return
	}
	size := sizeOf(fields)
	if min(size.X, size.Y) < least || max(size.X, size.Y) > most || fields["prompt"] == "" {
		enginetest.Reply(w, http.StatusBadRequest, map[string]any{"error": "invalid generation parameters"})
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	waiting := 0
	for _, j := range s.jobs {
		if j.status == "queued" {
			waiting++
		}
	}
	if s.dialect.Full || waiting >= QueueSize {
		enginetest.Reply(w, http.StatusTooManyRequests, map[string]any{"error": "job queue is full"})
		return
	}
	j := &job{id: fmt.Sprintf("job_%d", len(s.jobs)+1), status: "queued", fields: fields}
	s.jobs = append(s.jobs, j)
	if !s.working {
		s.working = true
		go s.work()
	}
	enginetest.Reply(w, http.StatusAccepted, map[string]any{
		"id": j.id, "kind": "img_gen", "status": "queued", "created": 1, "poll_url": "/sdcpp/v1/jobs/" + j.id,
	})
}

// work generates what is queued, one after another.
func (s *Server) work() {
	for {
		j := s.next()
		if j == nil {
			return
		}
		s.generates <- j.id
		if s.dialect.Slow != nil {
			<-s.dialect.Slow
		}
		file, message := s.paint(j.fields)
		s.mu.Lock()
		j.status, j.file = "completed", file
		switch {
		case s.dialect.OOM:
			j.status, j.code, j.message = "failed", "generation_failed", "ggml: out of memory"
		case s.dialect.Fails:
			j.status, j.code, j.message = "failed", "generation_failed", "generate_image returned empty results"
		case message != "":
			j.status, j.code, j.message = "failed", "generation_failed", message
		}
		s.mu.Unlock()
	}
}

func (s *Server) next() *job {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, j := range s.jobs {
		if j.status == "queued" {
			j.status = "generating"
			return j
		}
	}
	s.working = false
	return nil
}

// known answers for jobs that are not there: 410 for one that expired, 404 for one that never was.
func (s *Server) known(w http.ResponseWriter, id string) *job {
	if s.expired[id] {
		enginetest.Reply(w, http.StatusGone, map[string]any{"error": "job expired"})
		return nil
	}
	j := s.find(id)
	if j == nil {
		enginetest.Reply(w, http.StatusNotFound, map[string]any{"error": "job not found"})
	}
	return j
}

func (s *Server) look(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if j := s.known(w, r.PathValue("id")); j != nil {
		enginetest.Reply(w, http.StatusOK, j.form())
	}
}

func (s *Server) cancel(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	j := s.known(w, r.PathValue("id"))
	switch {
	case j == nil:
		return
	case j.status == "generating":
		enginetest.Reply(w, http.StatusConflict, map[string]any{"error": "job is generating and cannot be cancelled"})
		return
	case j.status == "queued":
		j.status, j.code, j.message = "cancelled", "cancelled", "job cancelled by client"
	}
	enginetest.Reply(w, http.StatusOK, j.form())
}

func (j *job) form() map[string]any {
	out := map[string]any{
		"id":             j.id,
		"kind":           "img_gen",
		"status":         j.status,
		"queue_position": 0,
		"result":         nil,
		"error":          nil,
	}
	switch j.status {
	case "completed":
		image := map[string]any{"index": 0, "b64_json": base64.StdEncoding.EncodeToString(j.file)}
		out["result"] = map[string]any{"output_format": "png", "images": []any{image}}
	case "failed", "cancelled":
		out["error"] = map[string]any{"code": j.code, "message": j.message}
	}
	return out
}

func sizeOf(f map[string]any) image.Point {
	w, okW := f["width"].(float64)
	h, okH := f["height"].(float64)
	if !okW || !okH {
		return image.Pt(512, 512)
	}
	return image.Pt(int(w), int(h))
}

// paint makes the picture, in a size rounded up. Pictures of another shape are cropped, a mask is read by its
// brightness, and a seed is cut to 32 bits; a negative one is random.
func (s *Server) paint(f map[string]any) (file []byte, message string) {
	size := sizeOf(f)
	size = image.Pt((size.X+multiple-1)/multiple*multiple, (size.Y+multiple-1)/multiple*multiple)
	number, ok := f["seed"].(float64)
	seed := int64(int32(int64(number)))
	if !ok || seed < 0 {
		s.mu.Lock()
		s.random--
		seed = s.random
		s.mu.Unlock()
	}
	img := enginetest.Plain(size, 128)
	redraw := func(int, int) bool { return true }
	if text, ok := f["init_image"].(string); ok {
		first, err := enginetest.OpenBase64(text)
		if err != nil {
			return nil, "init_image could not be read"
		}
		img = enginetest.Cover(first, size)
	}
	if text, ok := f["mask_image"].(string); ok {
		m, err := enginetest.OpenBase64(text)
		if err != nil {
			return nil, "mask_image could not be read"
		}
		m = enginetest.Cover(m, size)
		redraw = func(x, y int) bool {
			c := m.NRGBAAt(x, y)
			c.A = 255
			return color.GrayModel.Convert(c).(color.Gray).Y >= 128
		}
	}
	return enginetest.File(enginetest.Repaint(img, redraw, seed, fmt.Sprint(f["prompt"], f["negative_prompt"]))), ""
}
