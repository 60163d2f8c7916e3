package sdcpp_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"image"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"atelier/service/engine"
	"atelier/service/engine/enginetest"
	"atelier/service/engine/sdcpp"
	"atelier/service/engine/sdcpp/sdcpptest"
)

const (
	id  = "0b6f0a3e-5c0d-5a8b-9a51-6f1d3a0e7d01"
	key = "canary-5f2d"
)

var small = image.Pt(192, 128)

func fake(t *testing.T, d sdcpptest.Dialect) (*sdcpptest.Server, *sdcpp.Engine) {
	t.Helper()
	s := sdcpptest.New(t, d)
	return s, connect(t, engine.Access{URL: s.URL, Key: d.Key})
}

func connect(t *testing.T, a engine.Access) *sdcpp.Engine {
	t.Helper()
	e, err := sdcpp.New(a, sdcpp.Options{Poll: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func begun(t *testing.T, e *sdcpp.Engine) engine.Handle {
	t.Helper()
	h, err := e.Begin(t.Context(), id, text())
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func text() engine.Job {
	return engine.Job{Mode: engine.Text, Prompt: "a chair", Size: small, Strength: 1, Seed: 4}
}

func TestEngineAgainstTheFake(t *testing.T) {
	_, e := fake(t, sdcpptest.Dialect{})
	enginetest.Suite(t, e)
}

func TestEngineAgainstARealServer(t *testing.T) {
	e, err := sdcpp.New(enginetest.Real(t, "sdcpp"), sdcpp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	enginetest.Suite(t, e)
}

func TestProbeFindsTheAbilities(t *testing.T) {
	_, e := fake(t, sdcpptest.Dialect{})
	a, err := e.Probe(t.Context())
	if err != nil || !a.Resumable || a.Progress || a.Paid || a.Multiple != 64 || a.Least != 64 || a.Most != 4096 ||
		a.Model != "tiny.safetensors" || len(a.Modes) != 3 || a.References == 0 {
		t.Errorf("the probe found %+v, %v", a, err)
	}
	_, video := fake(t, sdcpptest.Dialect{Video: true})
	if _, err := video.Probe(t.Context()); engine.ReasonOf(err) != engine.Refused {
		t.Errorf("a server of videos: %v", err)
	}
}

func TestInpaintSendsItsFields(t *testing.T) {
	s, e := fake(t, sdcpptest.Dialect{})
	job := enginetest.InpaintJob(small, 1<<53+1)
	job.Negative, job.Steps, job.CFG, job.Strength = "red", 4, 1.5, 0.6
	img, err := enginetest.Picture(t, e, id, job)
	if err != nil {
		t.Fatal(err)
	}
	got := s.Fields(0)
	for name, value := range map[string]any{
		"prompt": "a blue wall", "negative_prompt": "red", "width": 192.0, "height": 128.0, "seed": 1.0,
		"strength":    0.6,
		"batch_count": 1.0, "output_format": "png", "embed_image_metadata": false,
	} {
		if got[name] != value {
			t.Errorf("%s is %v", name, got[name])
		}
	}
	if fmt.Sprint(got["sample_params"]) != "map[guidance:map[txt_cfg:1.5] sample_steps:4]" {
		t.Errorf("sample_params are %v", got["sample_params"])
	}
	source, err := enginetest.Open(enginetest.Halves(small))
	if err != nil {
		t.Fatal(err)
	}
	if d := enginetest.Difference(source, img, image.Rect(0, 0, small.X/2, small.Y)); d != 0 {
		t.Errorf("the kept half differs by %.1f", d)
	}
}

func TestEditPadsPicturesToTheSize(t *testing.T) {
	s, e := fake(t, sdcpptest.Dialect{})
	job := engine.Job{
		Mode: engine.Edit, Prompt: "Make it blue.", Size: small, Strength: 0.8,
		Pictures: [][]byte{enginetest.Halves(image.Pt(64, 64)), enginetest.Halves(image.Pt(64, 192))},
	}
	if _, err := enginetest.Picture(t, e, id, job); err != nil {
		t.Fatal(err)
	}
	list := append(s.Fields(0)["ref_images"].([]any), s.Fields(0)["init_image"])
	if len(list) != 3 || s.Fields(0)["mask_image"] != nil {
		t.Fatalf("%d pictures", len(list))
	}
	for i, text := range list {
		img, err := enginetest.OpenBase64(text.(string))
		if err != nil || img.Rect.Dx()*small.Y != img.Rect.Dy()*small.X {
			t.Errorf("picture %d is %v, %v", i, img.Rect, err)
		}
	}
}

func TestWatchFindsBegunWorkByItsID(t *testing.T) {
	s, e := fake(t, sdcpptest.Dialect{})
	h := begun(t, e)
	again := connect(t, engine.Access{URL: s.URL})
	if _, err := again.Watch(t.Context(), engine.Handle{ID: h.ID}, func(float64) {}); err != nil {
		t.Error(err)
	}
}

func TestEndOfContextLeavesTheWork(t *testing.T) {
	d := sdcpptest.Dialect{Slow: make(chan struct{})}
	s, e := fake(t, d)
	h := begun(t, e)
	<-s.Generates()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		_, err := e.Watch(ctx, h, func(float64) {})
		done <- err
	}()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	close(d.Slow)
	if _, err := e.Watch(t.Context(), h, func(float64) {}); err != nil {
		t.Error(err)
	}
}

func TestCancelTakesQueuedJobsAlone(t *testing.T) {
	d := sdcpptest.Dialect{Slow: make(chan struct{})}
	s, e := fake(t, d)
	first := begun(t, e)
	<-s.Generates()
	second := begun(t, e)
	for _, h := range []engine.Handle{first, second} {
		if err := e.Cancel(t.Context(), h); err != nil {
			t.Error(err)
		}
	}
	if s.Status(first.ID) != "generating" || s.Status(second.ID) != "cancelled" {
		t.Errorf("the jobs are %s and %s", s.Status(first.ID), s.Status(second.ID))
	}
	if _, err := e.Watch(t.Context(), second, func(float64) {}); engine.ReasonOf(err) != engine.Failed {
		t.Errorf("a cancelled job: %v", err)
	}
	close(d.Slow)
	if _, err := e.Watch(t.Context(), first, func(float64) {}); err != nil {
		t.Error(err)
	}
	if err := e.Cancel(t.Context(), first); err != nil || s.Status(first.ID) != "completed" {
		t.Errorf("a finished job is %s, %v", s.Status(first.ID), err)
	}
}

func TestExpiredAndForgottenJobsAreLost(t *testing.T) {
	for name, forget := range map[string]func(*sdcpptest.Server, string){
		"410": (*sdcpptest.Server).Expire, "404": func(s *sdcpptest.Server, _ string) { s.Restart() },
	} {
		s, e := fake(t, sdcpptest.Dialect{})
		h := begun(t, e)
		if _, err := e.Watch(t.Context(), h, func(float64) {}); err != nil {
			t.Fatal(err)
		}
		forget(s, h.ID)
		if _, err := e.Watch(t.Context(), h, func(float64) {}); engine.ReasonOf(err) != engine.Lost {
			t.Errorf("%s: %v", name, err)
		}
		if err := e.Cancel(t.Context(), h); err != nil {
			t.Errorf("%s: cancel: %v", name, err)
		}
	}
}

func TestErrorsHaveTheirReasons(t *testing.T) {
	for name, c := range map[string]struct {
		d      sdcpptest.Dialect
		reason engine.Reason
		detail string
	}{
		"fails": {sdcpptest.Dialect{Fails: true}, engine.Failed, "generate_image returned empty results"},
		"oom":   {sdcpptest.Dialect{OOM: true}, engine.OutOfMemory, "ggml: out of memory"},
		"full":  {sdcpptest.Dialect{Full: true}, engine.Busy, "job queue is full"},
	} {
		_, e := fake(t, c.d)
		_, err := enginetest.Picture(t, e, id, text())
		if f, ok := errors.AsType[*engine.Error](err); !ok || f.Reason != c.reason || f.Detail != c.detail {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSizesMustBeMultiplesOf64(t *testing.T) {
	_, e := fake(t, sdcpptest.Dialect{})
	for _, size := range []image.Point{{X: 130, Y: 100}, {X: 8192, Y: 64}} {
		job := text()
		job.Size = size
		if _, err := enginetest.Picture(t, e, id, job); engine.ReasonOf(err) != engine.Refused {
			t.Errorf("%v: %v", size, err)
		}
	}
}

func TestKeyIsInNoError(t *testing.T) {
	s, e := fake(t, sdcpptest.Dialect{Key: "another"})
	if _, err := e.Probe(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, err := connect(t, engine.Access{URL: s.URL, Key: key}).Probe(t.Context())
	f, ok := errors.AsType[*engine.Error](err)
	if !ok || f.Reason != engine.Unauthorized || f.Detail == "" {
		t.Fatalf("%v", err)
	}
	if strings.Contains(f.Error()+f.Sentence()+f.Full, key) {
		t.Errorf("%s repeats the key", f.Full)
	}
}

// at watches a job of a server that answers every look alike.
func at(t *testing.T, look http.HandlerFunc) error {
	t.Helper()
	s := httptest.NewServer(look)
	t.Cleanup(s.Close)
	_, err := connect(t, engine.Access{URL: s.URL}).Watch(t.Context(), engine.Handle{ID: "../../x?y"}, func(float64) {})
	return err
}

func TestHostileAnswersAreUnusable(t *testing.T) {
	script := base64.StdEncoding.EncodeToString([]byte("<svg onload=alert(1)>"))
	for name, body := range map[string]string{
		"no pictures": `{"status":"completed","result":{"images":[]}}`, "null": `{"status":"completed","result":null}`,
		"no JSON": `<html>`, "no state": `{}`,
		"no base64": `{"status":"completed","result":{"images":[{"b64_json":"!"}]}}`,
		"no image":  `{"status":"completed","result":{"images":[{"b64_json":"` + script + `"}]}}`,
	} {
		err := at(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/sdcpp/v1/jobs/../../x?y" || r.URL.RawQuery != "" {
				t.Errorf("asked %s", r.URL)
			}
			io.WriteString(w, body)
		})
		if engine.ReasonOf(err) != engine.Unusable {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestEndlessAnswersAreCutOff(t *testing.T) {
	part := bytes.Repeat([]byte("A"), 1<<20)
	err := at(t, func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			if _, err := w.Write(part); err != nil {
				return
			}
		}
	})
	if engine.ReasonOf(err) != engine.Unusable {
		t.Errorf("%v", err)
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	err := at(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://169.254.169.254/latest/meta-data", http.StatusTemporaryRedirect)
	})
	if engine.ReasonOf(err) != engine.Refused {
		t.Errorf("%v", err)
	}
}
