// Package sdapitest is a server of the WebUI protocol for tests, with switches for what its implementations do
// differently. Fields that are left out take AUTOMATIC1111's defaults, among them those that spoil a picture.
package sdapitest

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"atelier/service/engine/enginetest"
)

// Dialect says how a server behaves. The zero value is AUTOMATIC1111 but for its mask.
type Dialect struct {
	AlphaMask           bool          // A1111, Forge: reads a mask with transparency by its alpha, opaque is redrawn
	NoProgress          bool          // stable-diffusion.cpp: 404
	Seed32              bool          // stable-diffusion.cpp: seeds are cut to 32 bits
	CropsToSize         bool          // stable-diffusion.cpp
	Grids               bool          // a grid comes before the picture
	NoContent204        bool          // SD.Next answers interrupts with 204
	Error500ForBadInput bool          // stable-diffusion.cpp
	BasicAuth           string        // user:password wanted
	OOM                 bool          // runs out of memory above 512 × 512 pixels
	Blackens            bool          // the safety checker answers words with "forbidden" in them with a black picture
	GoesOnAfterHangup   bool          // works on when the client has left
	Slow                chan struct{} // work lasts until it is closed, or an interrupt
}

// Forge is Forge or AUTOMATIC1111.
func Forge() Dialect { return Dialect{AlphaMask: true, GoesOnAfterHangup: true} }

// SDNext is SD.Next.
func SDNext() Dialect { return Dialect{NoContent204: true, GoesOnAfterHangup: true} }

// SDCpp is stable-diffusion.cpp.
func SDCpp() Dialect {
	return Dialect{
		NoProgress:          true,
		Seed32:              true,
		CropsToSize:         true,
		Error500ForBadInput: true,
		GoesOnAfterHangup:   true,
	}
}

// The lists of the server.
const (
	Model   = "v1-5-pruned.safetensors [6ce0161689]"
	Sampler = "Euler a"
)

// defaults are AUTOMATIC1111's (modules/api/models.py).
var defaults = map[string]any{
	"inpainting_mask_invert": 0.0, "inpainting_fill": 0.0, "inpaint_full_res": true, "width": 512.0, "height": 512.0,
	"seed": -1.0, "denoising_strength": 0.75, "do_not_save_grid": false, "resize_mode": 0.0,
}

// half is the progress that the server tells while it works.
const half = 0.5

// Server is a running server.
type Server struct {
	URL     string
	dialect Dialect
	lock    chan struct{} // held while it works

	mu         sync.Mutex
	requests   []map[string]any
	paths      []string
	task       string
	interrupt  chan struct{}
	interrupts int
	random     int64
	arrived    chan struct{}
}

// New starts a server, which ends with the test.
func New(t testing.TB, d Dialect) *Server {
	t.Helper()
	s := &Server{dialect: d, lock: make(chan struct{}, 1), arrived: make(chan struct{}, 100)}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /sdapi/v1/txt2img", s.draw)
	mux.HandleFunc("POST /sdapi/v1/img2img", s.draw)
	mux.HandleFunc(
		"GET /sdapi/v1/options",
		lists(map[string]any{"samples_format": "png", "sd_model_checkpoint": Model}),
	)
	mux.HandleFunc(
		"GET /sdapi/v1/samplers",
		lists([]any{map[string]any{"name": Sampler, "aliases": []string{"k_euler_a"}}}),
	)
	mux.HandleFunc("GET /sdapi/v1/sd-models", lists([]any{map[string]any{"title": Model, "model_name": "v1-5-pruned"}}))
	if !d.NoProgress {
		mux.HandleFunc("GET /sdapi/v1/progress", s.progress)
		mux.HandleFunc("POST /sdapi/v1/interrupt", s.stop)
	}
	live := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, password, ok := r.BasicAuth()
		if d.BasicAuth != "" && (!ok || user+":"+password != d.BasicAuth) {
			// The real one does not repeat what it was sent.
			said := "Incorrect " + r.Header.Get("Authorization") + " " + user + ":" + password
			enginetest.Reply(w, http.StatusUnauthorized, map[string]any{"detail": said})
			return
		}
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(live.Close)
	s.URL = live.URL
	return s
}

func lists(body any) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { enginetest.Reply(w, http.StatusOK, body) }
}

// Requests are the bodies of the requests for pictures so far.
func (s *Server) Requests() []map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]map[string]any(nil), s.requests...)
}

// Paths are where those requests went.
func (s *Server) Paths() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.paths...)
}

// Interrupts is how often work was interrupted.
func (s *Server) Interrupts() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.interrupts
}

// Arrived gives a value for each request that has begun to be worked on.
func (s *Server) Arrived() <-chan struct{} { return s.arrived }

func (s *Server) progress(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	body := map[string]any{
		"progress":     0.0,
		"eta_relative": 0.0,
		"state":        map[string]any{"job_count": 0},
		"current_task": nil,
	}
	if s.task != "" {
		body["progress"], body["current_task"] = half, s.task
	}
	enginetest.Reply(w, http.StatusOK, body)
}

func (s *Server) stop(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.interrupts++
	if s.interrupt != nil {
		close(s.interrupt)
		s.interrupt = nil
	}
	if s.dialect.NoContent204 {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	enginetest.Reply(w, http.StatusOK, map[string]any{})
}

// bad refuses input as the server does: with FastAPI's list, or with 500.
func (s *Server) bad(w http.ResponseWriter, field, message string) {
	if s.dialect.Error500ForBadInput {
		enginetest.Reply(w, http.StatusInternalServerError, map[string]any{"error": "server_error", "message": message})
		return
	}
	enginetest.Reply(w, http.StatusUnprocessableEntity, map[string]any{"detail": []any{
		map[string]any{"loc": []any{"body", field}, "msg": message, "type": "value_error"},
	}})
}

func (s *Server) draw(w http.ResponseWriter, r *http.Request) {
	var sent map[string]any
	if err := json.NewDecoder(r.Body).Decode(&sent); err != nil {
		s.bad(w, "body", "the body is no JSON")
		return
	}
	s.mu.Lock()
	s.requests, s.paths = append(s.requests, sent), append(s.paths, r.URL.Path)
	s.mu.Unlock()
	f := maps.Clone(defaults)
	maps.Copy(f, sent)
	if name, ok := f["sampler_name"].(string); ok && name != Sampler {
		body := map[string]any{"error": "HTTPException", "detail": "Sampler not found", "body": "", "errors": ""}
		enginetest.Reply(w, http.StatusNotFound, body)
		return
	}
	if !s.work(r, f) {
		return
	}
	size := image.Pt(number(f, "width"), number(f, "height"))
	if size.X < 1 || size.Y < 1 {
		s.bad(w, "width", "Input should be greater than 0")
		return
	}
	if s.dialect.OOM && size.X*size.Y > 512*512 {
		enginetest.Reply(w, http.StatusInternalServerError, map[string]any{
			"error": "OutOfMemoryError", "detail": "", "body": "",
			"errors": "CUDA out of memory. Tried to allocate 20.00 MiB",
		})
		return
	}
	img, field := s.paint(f, size, strings.HasSuffix(r.URL.Path, "img2img"))
	if field != "" {
		s.bad(w, field, "Invalid encoded image")
		return
	}
	images := []string{base64.StdEncoding.EncodeToString(enginetest.File(img))}
	if s.dialect.Grids {
		grid := enginetest.Plain(image.Pt(2*size.X, size.Y), 90)
		images = append([]string{base64.StdEncoding.EncodeToString(enginetest.File(grid))}, images...)
	}
	enginetest.Reply(w, http.StatusOK, map[string]any{"images": images, "parameters": f, "info": `{"all_seeds":[1]}`})
}

// work waits for the server's lock and then until the work is done or interrupted. It is false when the client left
// and the server with it.
func (s *Server) work(r *http.Request, f map[string]any) bool {
	s.lock <- struct{}{}
	defer func() { <-s.lock }()
	interrupt := make(chan struct{})
	s.mu.Lock()
	s.task, s.interrupt = fmt.Sprint(f["force_task_id"]), interrupt
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.task, s.interrupt = "", nil
		s.mu.Unlock()
	}()
	s.arrived <- struct{}{}
	if s.dialect.Slow == nil {
		return true
	}
	left := r.Context().Done()
	if s.dialect.GoesOnAfterHangup {
		left = nil
	}
	select {
	case <-s.dialect.Slow:
	case <-interrupt:
	case <-left:
		return false
	}
	return true
}

func number(f map[string]any, name string) int {
	v, ok := f[name].(float64)
	if !ok {
		return 0
	}
	return int(v)
}

// paint makes the picture, or names the field that it cannot read.
func (s *Server) paint(f map[string]any, size image.Point, img2img bool) (out *image.NRGBA, field string) {
	words := fmt.Sprint(f["prompt"], f["negative_prompt"])
	if s.dialect.Blackens && strings.Contains(words, "forbidden") {
		return enginetest.Plain(size, 0), ""
	}
	seed := int64(number(f, "seed"))
	if s.dialect.Seed32 {
		seed = int64(int32(seed))
	}
	if seed < 0 {
		s.mu.Lock()
		s.random--
		seed = s.random
		s.mu.Unlock()
	}
	img := enginetest.Plain(size, 128)
	redraw := func(int, int) bool { return true }
	if !img2img {
		return enginetest.Repaint(img, redraw, seed, words), ""
	}
	list, ok := f["init_images"].([]any)
	if !ok || len(list) == 0 {
		return nil, "init_images"
	}
	first, err := enginetest.OpenBase64(fmt.Sprint(list[0]))
	if err != nil {
		return nil, "init_images"
	}
	img = s.fit(first, size)
	if f["mask"] != nil {
		m, err := enginetest.OpenBase64(fmt.Sprint(f["mask"]))
		if err != nil {
			return nil, "mask"
		}
		read := s.redraws(s.fit(m, size))
		inverted := number(f, "inpainting_mask_invert") != 0
		redraw = func(x, y int) bool { return read(x, y) != inverted }
	}
	return enginetest.Repaint(img, redraw, seed, words), ""
}

func (s *Server) fit(img *image.NRGBA, size image.Point) *image.NRGBA {
	if s.dialect.CropsToSize {
		return enginetest.Cover(img, size)
	}
	return enginetest.Stretch(img, size)
}

// redraws reads a mask by its brightness, or, where the dialect does and any pixel is transparent, by its alpha.
func (s *Server) redraws(m *image.NRGBA) func(x, y int) bool {
	alpha := s.dialect.AlphaMask && !m.Opaque()
	return func(x, y int) bool {
		c := m.NRGBAAt(x, y)
		if alpha {
			return c.A >= 128
		}
		c.A = 255
		return color.GrayModel.Convert(c).(color.Gray).Y >= 128
	}
}
