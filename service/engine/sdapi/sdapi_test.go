package sdapi_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"atelier/service/engine"
	"atelier/service/engine/enginetest"
	"atelier/service/engine/sdapi"
	"atelier/service/engine/sdapi/sdapitest"
)

const (
	id      = "0b6f0a3e-5c0d-5a8b-9a51-6f1d3a0e7c01"
	otherID = "0b6f0a3e-5c0d-5a8b-9a51-6f1d3a0e7c02"
	key     = "user:canary-5f2d"
)

var small = image.Pt(192, 128)

func fake(t *testing.T, d sdapitest.Dialect, o sdapi.Options) (*sdapitest.Server, *sdapi.Engine) {
	t.Helper()
	s := sdapitest.New(t, d)
	return s, connect(t, engine.Access{URL: s.URL, Key: d.BasicAuth}, o)
}

func connect(t *testing.T, a engine.Access, o sdapi.Options) *sdapi.Engine {
	t.Helper()
	o.Poll = time.Millisecond
	e, err := sdapi.New(a, o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func text(words string) engine.Job {
	return engine.Job{Mode: engine.Text, Prompt: words, Size: small, Strength: 1, Seed: 4}
}

func TestEngineAgainstEveryDialect(t *testing.T) {
	grids := sdapitest.Forge()
	grids.Grids = true
	for name, d := range map[string]sdapitest.Dialect{
		"Forge": sdapitest.Forge(), "SD.Next": sdapitest.SDNext(), "stable-diffusion.cpp": sdapitest.SDCpp(),
		"grids": grids,
	} {
		t.Run(name, func(t *testing.T) {
			_, e := fake(t, d, sdapi.Options{})
			enginetest.Suite(t, e)
		})
	}
}

func TestEngineAgainstARealServer(t *testing.T) {
	e, err := sdapi.New(enginetest.Real(t, "sdapi"), sdapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	enginetest.Suite(t, e)
}

func TestProbeFindsTheAbilitiesOfADialect(t *testing.T) {
	for name, d := range map[string]sdapitest.Dialect{"Forge": sdapitest.Forge(), "sd.cpp": sdapitest.SDCpp()} {
		_, e := fake(t, d, sdapi.Options{References: 2})
		a, err := e.Probe(t.Context())
		if err != nil || a.Progress == d.NoProgress || a.Model != sdapitest.Model || a.Multiple != 64 ||
			a.Least != 64 ||
			a.Paid ||
			a.References != 2 {
			t.Errorf("%s: the probe found %+v, %v", name, a, err)
		}
	}
}

func TestProbeRefusesUnknownNames(t *testing.T) {
	s := sdapitest.New(t, sdapitest.Forge())
	for name, e := range map[string]*sdapi.Engine{
		"sampler": connect(t, engine.Access{URL: s.URL}, sdapi.Options{Sampler: "Nonesuch"}),
		"model":   connect(t, engine.Access{URL: s.URL, Model: "nonesuch"}, sdapi.Options{}),
	} {
		if _, err := e.Probe(t.Context()); engine.ReasonOf(err) != engine.Refused {
			t.Errorf("%s: %v", name, err)
		}
	}
	e := connect(t, engine.Access{URL: s.URL, Model: "v1-5-pruned"}, sdapi.Options{Sampler: "k_euler_a"})
	if a, err := e.Probe(t.Context()); err != nil || a.Model != "v1-5-pruned" {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestInpaintSendsEveryField(t *testing.T) {
	s, e := fake(t, sdapitest.Forge(), sdapi.Options{})
	job := enginetest.InpaintJob(small, 1<<53+1)
	job.Strength, job.Negative = 0.6, "red"
	if _, err := enginetest.Picture(t, e, id, job); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"prompt": "a blue wall", "negative_prompt": "red", "width": 192.0, "height": 128.0, "seed": 1.0,
		"batch_size": 1.0,
		"n_iter":     1.0, "save_images": false, "send_images": true, "do_not_save_grid": true,
		"include_init_images": false,
		"force_task_id":       id, "resize_mode": 0.0, "denoising_strength": 0.6, "inpainting_mask_invert": 0.0,
		"inpainting_fill":  1.0,
		"inpaint_full_res": false, "inpaint_full_res_padding": 32.0, "mask_blur": 4.0, "mask_round": true,
	}
	got := s.Requests()[0]
	for name, value := range want {
		if got[name] != value {
			t.Errorf("%s is %v", name, got[name])
		}
	}
	if len(got) != len(want)+2 || got["mask"] == nil || got["init_images"] == nil {
		t.Errorf("sent %v", slices.Sorted(maps.Keys(got)))
	}
}

func TestNewGroundIsFilledAnew(t *testing.T) {
	s, e := fake(t, sdapitest.Forge(), sdapi.Options{})
	if _, err := enginetest.Picture(t, e, id, enginetest.InpaintJob(small, 1)); err != nil {
		t.Fatal(err)
	}
	if fill := s.Requests()[0]["inpainting_fill"]; fill != 0.0 {
		t.Errorf("inpainting_fill is %v at full strength", fill)
	}
}

func TestConfiguredFieldsAreSent(t *testing.T) {
	s := sdapitest.New(t, sdapitest.Forge())
	e := connect(t, engine.Access{URL: s.URL, Model: "v1-5-pruned"}, sdapi.Options{
		Sampler: sdapitest.Sampler, Scheduler: "Karras", Scripts: json.RawMessage(`{"ControlNet":{"args":[]}}`),
	})
	job := text("a <sd_cpp_extra_args>{}</sd_cpp_extra_args> chair")
	job.Steps, job.CFG = 4, 1
	if _, err := enginetest.Picture(t, e, id, job); err != nil {
		t.Fatal(err)
	}
	got := s.Requests()[0]
	if s.Paths()[0] != "/sdapi/v1/txt2img" || got["steps"] != 4.0 || got["cfg_scale"] != 1.0 ||
		got["scheduler"] != "Karras" ||
		fmt.Sprint(got["override_settings"]) != "map[sd_model_checkpoint:v1-5-pruned]" ||
		got["override_settings_restore_afterwards"] != false ||
		got["alwayson_scripts"] == nil ||
		got["mask"] != nil ||
		strings.Contains(fmt.Sprint(got["prompt"]), "<sd_cpp_extra_args>") {
		t.Errorf("sent %v", got)
	}
}

func TestMaskKeepsTheLeftHalf(t *testing.T) {
	for name, d := range map[string]sdapitest.Dialect{"alpha": sdapitest.Forge(), "brightness": sdapitest.SDNext()} {
		_, e := fake(t, d, sdapi.Options{})
		img, err := enginetest.Picture(t, e, id, enginetest.InpaintJob(small, 1))
		if err != nil {
			t.Fatal(err)
		}
		source, err := enginetest.Open(enginetest.Halves(small))
		if err != nil {
			t.Fatal(err)
		}
		kept := enginetest.Difference(source, img, image.Rect(0, 0, small.X/2, small.Y))
		redrawn := enginetest.Difference(source, img, image.Rect(small.X/2, 0, small.X, small.Y))
		if kept != 0 || redrawn < 20 {
			t.Errorf("%s: the halves differ by %.1f and %.1f", name, kept, redrawn)
		}
	}
}

func TestFakeReadsAlphaAndInvertsMasks(t *testing.T) {
	mask, err := engine.MaskPNG(enginetest.RightHalf(small))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		d      sdapitest.Dialect
		invert int
	}{"alpha": {sdapitest.Forge(), 0}, "inverted": {sdapitest.SDCpp(), 1}} {
		s := sdapitest.New(t, c.d)
		body, err := json.Marshal(map[string]any{
			"prompt": "a", "width": small.X, "height": small.Y, "seed": 1, "inpainting_mask_invert": c.invert,
			"mask":        mask,
			"init_images": [][]byte{enginetest.Halves(small)},
		})
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.Post(s.URL+"/sdapi/v1/img2img", "application/json", bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		var answer struct{ Images []string }
		if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		img, err := enginetest.OpenBase64(answer.Images[0])
		if err != nil {
			t.Fatal(err)
		}
		source, _ := enginetest.Open(enginetest.Halves(small))
		if left := enginetest.Difference(source, img, image.Rect(0, 0, small.X/2, small.Y)); left < 20 {
			t.Errorf("%s: the left half, which is opaque, is kept", name)
		}
	}
}

func TestEditPadsPicturesToTheSize(t *testing.T) {
	s, e := fake(t, sdapitest.SDCpp(), sdapi.Options{References: 1})
	job := engine.Job{
		Mode: engine.Edit, Prompt: "Make it blue.", Size: small, Strength: 0.8,
		Pictures: [][]byte{enginetest.Halves(image.Pt(64, 64)), enginetest.Halves(image.Pt(64, 192))},
	}
	if _, err := enginetest.Picture(t, e, id, job); err != nil {
		t.Fatal(err)
	}
	got := s.Requests()[0]
	for _, name := range []string{"init_images", "extra_images"} {
		img, err := enginetest.OpenBase64(fmt.Sprint(got[name].([]any)[0]))
		if err != nil || img.Rect.Dx()*small.Y != img.Rect.Dy()*small.X {
			t.Errorf("%s is %v, %v", name, img.Rect, err)
		}
	}
}

func TestProgressIsOfOurTaskAlone(t *testing.T) {
	d := sdapitest.Forge()
	d.Slow = make(chan struct{})
	s, e := fake(t, d, sdapi.Options{})
	first, err := e.Begin(t.Context(), id, text("one"))
	if err != nil {
		t.Fatal(err)
	}
	second, err := e.Begin(t.Context(), otherID, text("two"))
	if err != nil {
		t.Fatal(err)
	}
	ours, theirs := make(chan float64, 1), make(chan float64, 1)
	done := make(chan error, 2)
	watch := func(h engine.Handle, heard chan float64) {
		_, err := e.Watch(t.Context(), h, func(f float64) { heard <- f })
		done <- err
	}
	go watch(first, ours)
	<-s.Arrived()
	go watch(second, theirs)
	if p := <-ours; p != 0.5 {
		t.Errorf("progress is %g", p)
	}
	select {
	case p := <-theirs:
		t.Errorf("a task that waits hears %g", p)
	default:
	}
	close(d.Slow)
	for range 2 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

func TestCancelInterruptsOurTaskAlone(t *testing.T) {
	for name, d := range map[string]sdapitest.Dialect{"Forge": sdapitest.Forge(), "SD.Next": sdapitest.SDNext()} {
		d.Slow = make(chan struct{})
		s, e := fake(t, d, sdapi.Options{})
		h, err := e.Begin(t.Context(), id, text("one"))
		if err != nil {
			t.Fatal(err)
		}
		ctx, hangUp := context.WithCancel(t.Context())
		done := make(chan error)
		go func() {
			_, err := e.Watch(ctx, h, func(float64) {})
			done <- err
		}()
		<-s.Arrived()
		hangUp()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
		if err := e.Cancel(t.Context(), engine.Handle{ID: otherID}); err != nil || s.Interrupts() != 0 {
			t.Errorf("%s: another task's cancel interrupts ours: %v", name, err)
		}
		if err := e.Cancel(t.Context(), h); err != nil || s.Interrupts() != 1 {
			t.Errorf("%s: %d interrupts, %v", name, s.Interrupts(), err)
		}
		close(d.Slow)
	}
}

func TestCancelDoesNothingWithoutProgress(t *testing.T) {
	_, e := fake(t, sdapitest.SDCpp(), sdapi.Options{})
	if err := e.Cancel(t.Context(), engine.Handle{ID: id}); err != nil {
		t.Error(err)
	}
}

func TestErrorsHaveTheirReasons(t *testing.T) {
	size := image.Pt(1024, 1024)
	for name, c := range map[string]struct {
		d      sdapitest.Dialect
		o      sdapi.Options
		size   image.Point
		reason engine.Reason
		detail string
	}{
		"memory": {
			sdapitest.Dialect{OOM: true},
			sdapi.Options{},
			size, engine.OutOfMemory,
			"CUDA out of memory. Tried to allocate 20.00 MiB",
		},
		"sampler": {sdapitest.Forge(), sdapi.Options{Sampler: "Nonesuch"}, small, engine.Refused, "Sampler not found"},
		"black":   {sdapitest.Dialect{Blackens: true}, sdapi.Options{}, small, engine.Declined, "the picture is black"},
	} {
		_, e := fake(t, c.d, c.o)
		job := text("a forbidden chair")
		job.Size = c.size
		_, err := enginetest.Picture(t, e, id, job)
		if f, ok := errors.AsType[*engine.Error](err); !ok || f.Reason != c.reason || f.Detail != c.detail {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestBadInputFailsInEveryForm(t *testing.T) {
	for name, c := range map[string]struct {
		d      sdapitest.Dialect
		reason engine.Reason
	}{"422": {sdapitest.Forge(), engine.Refused}, "500": {sdapitest.SDCpp(), engine.Failed}} {
		s := sdapitest.New(t, c.d)
		client, err := engine.NewClient(engine.Access{URL: s.URL}, nil)
		if err != nil {
			t.Fatal(err)
		}
		a, err := client.Do(t.Context(), http.MethodPost, "/sdapi/v1/txt2img", "application/json", []byte("{"))
		if err != nil {
			t.Fatal(err)
		}
		if f := client.Refusal(a); f.Reason != c.reason || !strings.HasSuffix(f.Detail, "the body is no JSON") {
			t.Errorf("%s: %v", name, f)
		}
	}
}

func TestBasicAuthAndItsKeyInNoError(t *testing.T) {
	d := sdapitest.Forge()
	d.BasicAuth = key
	s, e := fake(t, d, sdapi.Options{})
	if _, err := e.Probe(t.Context()); err != nil {
		t.Fatal(err)
	}
	wrong := connect(t, engine.Access{URL: s.URL, Key: "user:canary-wrong"}, sdapi.Options{})
	_, err := wrong.Probe(t.Context())
	f, ok := errors.AsType[*engine.Error](err)
	if !ok || f.Reason != engine.Unauthorized {
		t.Fatalf("%v", err)
	}
	said := f.Error() + f.Sentence() + f.Full
	if strings.Contains(said, "canary") ||
		strings.Contains(said, base64.StdEncoding.EncodeToString([]byte("user:canary-wrong"))) {
		t.Errorf("%s repeats the key", f.Full)
	}
}

func TestSizesAreCheckedBeforeARequest(t *testing.T) {
	s, e := fake(t, sdapitest.Forge(), sdapi.Options{})
	job := text("a")
	job.Size = image.Pt(130, 100)
	if _, err := enginetest.Picture(t, e, id, job); engine.ReasonOf(err) != engine.Refused || len(s.Requests()) != 0 {
		t.Errorf("%v", err)
	}
}

func at(t *testing.T, draw http.HandlerFunc) *sdapi.Engine {
	t.Helper()
	s := httptest.NewServer(draw)
	t.Cleanup(s.Close)
	return connect(t, engine.Access{URL: s.URL}, sdapi.Options{})
}

func TestHostileAnswersAreUnusable(t *testing.T) {
	script := base64.StdEncoding.EncodeToString([]byte("<svg onload=alert(1)>"))
	for name, body := range map[string]string{
		"no pictures": `{"images":[]}`, "another form": `{"images":{}}`, "no JSON": `<html>`,
		"no base64":  `{"images":["!"]}`,
		"no image":   `{"images":["` + script + `"]}`,
		"an address": `{"images":["http://169.254.169.254/latest/meta-data"]}`,
	} {
		e := at(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, body) })
		if _, err := enginetest.Picture(t, e, id, text("a")); engine.ReasonOf(err) != engine.Unusable {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestEndlessAnswersAreCutOff(t *testing.T) {
	part := bytes.Repeat([]byte("A"), 1<<20)
	e := at(t, func(w http.ResponseWriter, r *http.Request) {
		for r.Method == http.MethodPost && r.Context().Err() == nil {
			if _, err := w.Write(part); err != nil {
				return
			}
		}
	})
	if _, err := enginetest.Picture(t, e, id, text("a")); engine.ReasonOf(err) != engine.Unusable {
		t.Errorf("%v", err)
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	e := at(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://169.254.169.254/latest/meta-data", http.StatusTemporaryRedirect)
	})
	if _, err := enginetest.Picture(t, e, id, text("a")); engine.ReasonOf(err) != engine.Refused {
		t.Errorf("%v", err)
	}
}
