package comfyui_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"atelier/service/engine"
	"atelier/service/engine/comfyui"
	"atelier/service/engine/comfyui/comfyuitest"
	"atelier/service/engine/enginetest"
)

// poll is short where the tests wait for it.
const poll = 5 * time.Millisecond

var size = image.Pt(192, 128)

// open gives an engine for an address.
func open(t *testing.T, url string, workflows map[string][]byte) *comfyui.Engine {
	t.Helper()
	e, err := comfyui.New(engine.Access{URL: url}, comfyui.Options{Workflows: workflows, Poll: poll})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// render makes one picture under a new id.
func render(t *testing.T, e engine.Engine, job engine.Job) image.Image {
	t.Helper()
	data, err := enginetest.Make(t.Context(), t, e, uuid.NewString(), job)
	if err != nil {
		t.Fatal(err)
	}
	return decode(t, data)
}

func decode(t *testing.T, data []byte) image.Image {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

func begin(t *testing.T, e engine.Engine, id string, job engine.Job) engine.Handle {
	t.Helper()
	h, err := e.Begin(t.Context(), id, job)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func quiet(float64) {}

func textJob(prompt string) engine.Job {
	return engine.Job{Mode: engine.Text, Prompt: prompt, Size: size, Seed: 5, Strength: 1}
}

// wants checks the reason of an error.
func wants(t *testing.T, err error, reason engine.Reason) *engine.Error {
	t.Helper()
	if engine.ReasonOf(err) != reason {
		t.Fatalf("the error is %v, want the reason %q", err, reason)
	}
	if reason == "" {
		return nil
	}
	e, ok := errors.AsType[*engine.Error](err)
	if !ok {
		t.Fatalf("%T", err)
	}
	return e
}

func TestEngineSuite(t *testing.T) {
	for name, d := range map[string]comfyuitest.Dialect{
		"0.3.64": {}, "old": {Old: true}, "new": {New: true}, "drops sockets": {DropsSocket: true},
	} {
		t.Run(name, func(t *testing.T) {
			e := open(t, comfyuitest.New(t, d).URL, nil)
			enginetest.Suite(t, e)
			a, err := e.Probe(t.Context())
			if err != nil || !a.Does(engine.Inpaint) || !a.Does(engine.Edit) || !a.Does(engine.Text) ||
				a.References != 2 {
				t.Errorf("%+v, %v", a, err)
			}
			if a.Model != "sd15-inpainting.safetensors" || !a.Resumable || a.Paid || a.Remote || a.Version == "" {
				t.Errorf("%+v", a)
			}
			if p := e.Problems(); len(p) > 0 {
				t.Errorf("problems: %q", p)
			}
		})
	}
}

func TestEngineSuiteBelowAPI(t *testing.T) {
	enginetest.Suite(t, open(t, comfyuitest.New(t, comfyuitest.Dialect{New: true}).URL+"/api", nil))
}

func TestEngineSuiteOnRealServer(t *testing.T) {
	e, err := comfyui.New(enginetest.Real(t, "comfyui"), comfyui.Options{})
	if err != nil {
		t.Fatal(err)
	}
	enginetest.Suite(t, e)
	for _, p := range e.Problems() {
		t.Log(p)
	}
}

func TestProbeRefusesOtherServers(t *testing.T) {
	for name, body := range map[string]string{"page": "<html>", "json": `{"ok":true}`, "list": `[]`} {
		t.Run(name, func(t *testing.T) {
			srv := httptest.NewServer(
				http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte(body)) }),
			)
			defer srv.Close()
			_, err := open(t, srv.URL, nil).Probe(t.Context())
			wants(t, err, engine.Refused)
		})
	}
}

func TestProbeReportsUnknownNode(t *testing.T) {
	s := comfyuitest.New(t, comfyuitest.Dialect{UnknownNode: "TextEncodeQwenImageEditPlus"})
	e := open(t, s.URL, nil)
	a, err := e.Probe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if a.Does(engine.Edit) || a.References != 0 || !a.Does(engine.Inpaint) || !a.Does(engine.Text) {
		t.Errorf("modes %v, %d references", a.Modes, a.References)
	}
	want := `The built-in graph "edit" cannot run: the server has no node TextEncodeQwenImageEditPlus.`
	if p := e.Problems(); !slices.Equal(p, []string{want}) {
		t.Errorf("problems: %q", p)
	}
	_, err = e.Begin(t.Context(), uuid.NewString(), editJob("", red))
	if got := wants(t, err, engine.Refused); !strings.Contains(got.Sentence(), "TextEncodeQwenImageEditPlus") {
		t.Error(got.Sentence())
	}
	if s.Queued() != 0 || len(s.Inputs()) != 0 {
		t.Error("a job without a graph was sent")
	}
}

func TestProbeReportsMissingModels(t *testing.T) {
	files := map[string][]string{"CheckpointLoaderSimple": {}, "UNETLoader": {"flux-dev.safetensors"}}
	e := open(t, comfyuitest.New(t, comfyuitest.Dialect{Models: files}).URL, nil)
	a, err := e.Probe(t.Context())
	if err != nil || len(a.Modes) != 0 {
		t.Errorf("%+v, %v", a, err)
	}
	if p := e.Problems(); len(p) != 3 || !strings.Contains(p[0], "ckpt_name") || !strings.Contains(p[1], "unet_name") {
		t.Errorf("problems: %q", p)
	}
}

func TestModelOfOperatorIsUsed(t *testing.T) {
	files := map[string][]string{"CheckpointLoaderSimple": {"a.safetensors", "b.safetensors"}}
	s := comfyuitest.New(t, comfyuitest.Dialect{Models: files})
	e, err := comfyui.New(engine.Access{URL: s.URL, Model: "b.safetensors"}, comfyui.Options{Poll: poll})
	if err != nil {
		t.Fatal(err)
	}
	render(t, e, textJob("a chair"))
	for _, data := range s.Outputs() {
		if !bytes.Contains(data, []byte("b.safetensors")) {
			t.Error("the graph has another model")
		}
	}
}

func TestKeyIsSentAndNeverRepeated(t *testing.T) {
	const key = "canary-7f3a"
	s, step := slow(t, comfyuitest.Dialect{Key: key})
	go func() {
		<-s.Opened // the websocket has the key too
		close(step)
	}()
	open := func(key string) *comfyui.Engine {
		e, err := comfyui.New(engine.Access{URL: s.URL, Key: key}, comfyui.Options{Poll: poll})
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	render(t, open(key), textJob("a chair"))
	const wrong = key + "-wrong"
	for name, call := range map[string]func(*comfyui.Engine) error{
		"probe": func(e *comfyui.Engine) error { _, err := e.Probe(t.Context()); return err },
		"begin": func(e *comfyui.Engine) error {
			_, err := e.Begin(t.Context(), uuid.NewString(), textJob("x"))
			return err
		},
		"watch": func(e *comfyui.Engine) error {
			_, err := e.Watch(t.Context(), engine.Handle{ID: "x"}, quiet)
			return err
		},
		"cancel": func(e *comfyui.Engine) error { return e.Cancel(t.Context(), engine.Handle{ID: "x"}) },
	} {
		err := wants(t, call(open(wrong)), engine.Unauthorized)
		for _, text := range []string{err.Error(), err.Sentence(), err.Detail, err.Full} {
			if strings.Contains(text, key) {
				t.Errorf("%s repeats the key: %s", name, text)
			}
		}
	}
}

func TestKeyIsSentInBothHeaders(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer k" || r.Header.Get("X-Api-Key") != "k" {
			t.Errorf("the header is %v", r.Header)
		}
		w.WriteHeader(http.StatusPaymentRequired)
	}))
	defer srv.Close()
	e, err := comfyui.New(engine.Access{URL: srv.URL, Key: "k"}, comfyui.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = e.Probe(t.Context())
	wants(t, err, engine.Unpaid)
}

func TestNoOriginIsSent(t *testing.T) {
	s := comfyuitest.New(t, comfyuitest.Dialect{})
	origins := make(chan string, 100)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		origins <- r.Header.Get("Origin")
		s.ServeHTTP(w, r)
	}))
	defer proxy.Close()
	render(t, open(t, proxy.URL, nil), textJob("a chair"))
	proxy.Close()
	close(origins)
	for o := range origins {
		if o != "" {
			t.Errorf("a request has the origin %q", o)
		}
	}
}

func TestNewRefusesBadAddresses(t *testing.T) {
	for _, url := range []string{"", "ftp://host", "http://user:pass@host", "http://host?x=1"} {
		if _, err := comfyui.New(engine.Access{URL: url}, comfyui.Options{}); err == nil {
			t.Errorf("%q is taken", url)
		}
	}
}

func TestUnreachableServerIsReported(t *testing.T) {
	srv := httptest.NewServer(http.NotFoundHandler())
	srv.Close()
	e := open(t, srv.URL, nil)
	_, err := e.Probe(t.Context())
	wants(t, err, engine.Unreachable)
	_, err = e.Watch(t.Context(), engine.Handle{ID: "x"}, quiet)
	wants(t, err, engine.Unreachable)
}

func TestContextEndLeavesTheWork(t *testing.T) {
	slow := make(chan struct{})
	s := comfyuitest.New(t, comfyuitest.Dialect{Slow: slow})
	e := open(t, s.URL, nil)
	h := begin(t, e, uuid.NewString(), textJob("a chair"))
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-s.Opened
		slow <- struct{}{}
	}()
	_, err := e.Watch(ctx, h, func(float64) { cancel() })
	if err == nil || ctx.Err() == nil || engine.ReasonOf(err) != "" {
		t.Fatalf("the wait ended with %v", err)
	}
	close(slow)
	if _, err := e.Watch(t.Context(), h, quiet); err != nil {
		t.Error(err)
	}
}
