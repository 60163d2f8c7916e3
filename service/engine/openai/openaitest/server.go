// Package openaitest is a server of OpenAI's image protocol for tests, with switches for what its implementations do
// differently. It refuses what they refuse and reads masks as they do.
package openaitest

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"atelier/service/engine/enginetest"
)

// Dialect says how a server behaves. The zero value takes any fields and reads OpenAI's mask.
type Dialect struct {
	Model    string // the only one listed; "" lists none
	OwnedBy  string
	TaskType string // SGLang's

	Key          string // the Bearer token wanted, or Azure's key
	AzureVersion string // wants api-version and the header api-key

	Strict                bool // OpenAI: refuses unknown fields, unknown sizes and all that its openapi.yaml does
	RefusesResponseFormat bool // gpt-image
	IgnoresMask           bool // SGLang
	ReadsMaskImage        bool // vLLM-omni: mask_image is the mask, and image[] is no picture
	NoEdits               bool // LocalAI: 404 for /images/edits, 512 × 512 from /images/inpainting
	WhiteMask             bool // white is redrawn
	AlphaDropped          bool // brightness is read without regard to alpha
	CropsToSize           bool // stable-diffusion.cpp: pictures of another shape lose their edges
	RoundsUp64            bool // stable-diffusion.cpp with SD1
	ExtraArgs             bool // stable-diffusion.cpp: parameters within the prompt
	TakesSeed             bool // SGLang, vLLM-omni: seed and negative_prompt
	URLs                  bool // answers with addresses
	DetailErrors          bool // FastAPI's form of errors
	PlainErrors           bool // stable-diffusion.cpp's form of errors

	Moderates bool // declines words with "forbidden" in them
	Blackens  bool // answers such words with a black picture
	NoQuota   bool
	Busy429   int           // how many requests are answered 429 first
	Slow      chan struct{} // requests wait until it is closed
	Bleeds    bool          // changes kept pixels a little
	Reframes  bool          // answers with a shifted picture
}

// OpenAI is OpenAI with gpt-image-1 or another model of its own.
func OpenAI(model string) Dialect {
	return Dialect{Model: model, OwnedBy: "system", Strict: true, RefusesResponseFormat: true}
}

// SDCpp is stable-diffusion.cpp with a model of Stable Diffusion 1.
func SDCpp() Dialect {
	return Dialect{
		Model: "sd-cpp-local", OwnedBy: "local", WhiteMask: true, AlphaDropped: true, CropsToSize: true,
		RoundsUp64: true,
		ExtraArgs:  true, PlainErrors: true,
	}
}

// SGLang is SGLang-diffusion.
func SGLang() Dialect {
	return Dialect{
		Model: "Qwen/Qwen-Image-Edit", OwnedBy: "sglang", TaskType: "TI2I", IgnoresMask: true, TakesSeed: true,
		DetailErrors: true,
	}
}

// VLLMOmni is vLLM-omni.
func VLLMOmni() Dialect {
	return Dialect{
		Model: "Qwen/Qwen-Image-Edit-2511", OwnedBy: "vllm", ReadsMaskImage: true, WhiteMask: true, AlphaDropped: true,
		TakesSeed: true, DetailErrors: true,
	}
}

// LocalAI is LocalAI, which lists models without owners.
func LocalAI() Dialect {
	return Dialect{Model: "dreamshaper", NoEdits: true, WhiteMask: true, AlphaDropped: true, URLs: true}
}

// Request is what a server received.
type Request struct {
	Path   string
	Header http.Header
	Fields map[string]string
	Files  map[string][]File
}

// File is a file of a form.
type File struct {
	Type string
	Data []byte
}

// Server is a running server. URL ends before /v1.
type Server struct {
	URL     string
	dialect Dialect

	mu      sync.Mutex
	busy    int
	made    [][]byte
	begun   []Request
	arrived chan struct{}
}

// New starts a server, which ends with the test.
func New(t testing.TB, d Dialect) *Server {
	t.Helper()
	s := &Server{dialect: d, busy: d.Busy429, arrived: make(chan struct{}, 100)}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models", s.list)
	mux.HandleFunc("POST /v1/images/generations", s.generate)
	mux.HandleFunc("GET /generated-images/{n}", s.file)
	if d.NoEdits {
		mux.HandleFunc("POST /v1/images/inpainting", s.edit)
	} else {
		mux.HandleFunc("POST /v1/images/edits", s.edit)
	}
	live := httptest.NewServer(mux)
	t.Cleanup(live.Close)
	s.URL = live.URL
	return s
}

// Requests are the requests for pictures so far, without the empty ones of probes.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.begun...)
}

// Arrived gives a value for each request that has passed the door.
func (s *Server) Arrived() <-chan struct{} { return s.arrived }

// fail answers with an error in the dialect's form.
func (s *Server) fail(w http.ResponseWriter, status int, code, message string) {
	var body any
	switch {
	case s.dialect.DetailErrors && status == http.StatusUnprocessableEntity:
		item := map[string]any{"type": code, "loc": []any{"body", "image"}, "msg": message, "input": "what was sent"}
		body = map[string]any{"detail": []any{item}}
	case s.dialect.DetailErrors:
		body = map[string]any{"detail": message}
	case s.dialect.PlainErrors:
		body = map[string]any{"error": message}
	default:
		body = map[string]any{
			"error": map[string]any{"message": message, "type": "invalid_request_error", "code": code},
		}
	}
	enginetest.Reply(w, status, body)
}

// enters checks the key. The refusal repeats it whole, which is worse than OpenAI, who blots most of it out.
func (s *Server) enters(w http.ResponseWriter, r *http.Request) bool {
	got := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	if s.dialect.AzureVersion != "" {
		got = r.Header.Get("Api-Key")
		if r.URL.Query().Get("api-version") != s.dialect.AzureVersion || r.Header.Get("Authorization") != "" {
			s.fail(w, http.StatusNotFound, "404", "Resource not found")
			return false
		}
	}
	if s.dialect.Key != "" && got != s.dialect.Key {
		s.fail(w, http.StatusUnauthorized, "invalid_api_key", "Incorrect API key provided: "+got)
		return false
	}
	return true
}

func (s *Server) list(w http.ResponseWriter, r *http.Request) {
	if !s.enters(w, r) {
		return
	}
	data := []any{}
	if s.dialect.Model != "" {
		m := map[string]any{"id": s.dialect.Model, "object": "model"}
		if s.dialect.OwnedBy != "" {
			m["owned_by"] = s.dialect.OwnedBy
		}
		if s.dialect.TaskType != "" {
			m["task_type"] = s.dialect.TaskType
		}
		data = append(data, m)
	}
	enginetest.Reply(w, http.StatusOK, map[string]any{"object": "list", "data": data})
}

// generate takes JSON alone.
func (s *Server) generate(w http.ResponseWriter, r *http.Request) {
	if !s.enters(w, r) {
		return
	}
	var body map[string]any
	dec := json.NewDecoder(r.Body)
	dec.UseNumber()
	if kind, _, err := mime.ParseMediaType(
		r.Header.Get("Content-Type"),
	); err != nil || kind != "application/json" ||
		dec.Decode(&body) != nil {
		s.fail(w, http.StatusBadRequest, "invalid_json", "We could not parse the JSON body of your request.")
		return
	}
	got := Request{Path: r.URL.Path, Header: r.Header, Fields: map[string]string{}}
	for name, value := range body {
		got.Fields[name] = fmt.Sprint(value)
	}
	s.make(w, r, got)
}

// edit takes a multipart form alone.
func (s *Server) edit(w http.ResponseWriter, r *http.Request) {
	if !s.enters(w, r) {
		return
	}
	parts, err := r.MultipartReader()
	if err != nil {
		s.fail(w, http.StatusBadRequest, "unsupported_content_type", "Content-Type must be multipart/form-data")
		return
	}
	got := Request{Path: r.URL.Path, Header: r.Header, Fields: map[string]string{}, Files: map[string][]File{}}
	for {
		part, err := parts.NextPart()
		if err == io.EOF {
			break
		}
		if err != nil || !got.add(part) {
			s.fail(w, http.StatusBadRequest, "invalid_form", "the form breaks off")
			return
		}
	}
	s.make(w, r, got)
}

func (r *Request) add(part *multipart.Part) bool {
	data, err := io.ReadAll(part)
	if part.FileName() == "" {
		r.Fields[part.FormName()] = string(data)
	} else {
		r.Files[part.FormName()] = append(r.Files[part.FormName()], File{part.Header.Get("Content-Type"), data})
	}
	return err == nil
}

// make checks a request, paints and answers.
func (s *Server) make(w http.ResponseWriter, r *http.Request, got Request) {
	if got.Fields["prompt"] != "" {
		s.mu.Lock()
		s.begun = append(s.begun, Request{got.Path, got.Header, maps.Clone(got.Fields), got.Files})
		s.mu.Unlock()
		s.arrived <- struct{}{}
	}
	s.mu.Lock()
	busy := s.busy > 0
	s.busy = max(s.busy-1, 0)
	s.mu.Unlock()
	switch {
	case busy:
		w.Header().Set("Retry-After", "7")
		s.fail(w, http.StatusTooManyRequests, "rate_limit_exceeded", "Rate limit reached")
		return
	case s.dialect.NoQuota:
		s.fail(w, http.StatusTooManyRequests, "insufficient_quota", "You exceeded your current quota")
		return
	}
	if f := s.dialect.check(&got); f.message != "" {
		s.fail(w, f.status, f.code, f.message)
		return
	}
	if s.dialect.Moderates && strings.Contains(got.Fields["prompt"], "forbidden") {
		s.fail(
			w,
			http.StatusBadRequest,
			"moderation_blocked",
			"Your request was rejected by the safety system: "+got.Fields["prompt"],
		)
		return
	}
	if s.dialect.Slow != nil {
		<-s.dialect.Slow // who hangs up does not take the work back
	}
	s.mu.Lock()
	n := len(s.made)
	s.mu.Unlock()
	file, f := s.dialect.paint(got, int64(n))
	if f.message != "" {
		s.fail(w, f.status, f.code, f.message)
		return
	}
	s.mu.Lock()
	s.made = append(s.made, file)
	s.mu.Unlock()
	item := map[string]any{"b64_json": file}
	if s.dialect.URLs {
		item = map[string]any{"url": "http://" + r.Host + "/generated-images/" + url.PathEscape(fmt.Sprint(n))}
	}
	enginetest.Reply(w, http.StatusOK, map[string]any{"created": 1, "data": []any{item}})
}

func (s *Server) file(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var n int
	if _, err := fmt.Sscan(r.PathValue("n"), &n); err != nil || n >= len(s.made) {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "image/png")
	if _, err := w.Write(s.made[n]); err != nil {
		panic(http.ErrAbortHandler)
	}
}
