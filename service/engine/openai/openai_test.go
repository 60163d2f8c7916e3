package openai_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"image"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"atelier/service/engine"
	"atelier/service/engine/enginetest"
	"atelier/service/engine/openai"
	"atelier/service/engine/openai/openaitest"
)

const (
	id  = "0b6f0a3e-5c0d-5a8b-9a51-6f1d3a0e7b01"
	key = "sk-canary-5f2d"
)

func fake(t *testing.T, d openaitest.Dialect, o openai.Options) (*openaitest.Server, *openai.Engine) {
	t.Helper()
	s := openaitest.New(t, d)
	return s, connect(t, engine.Access{URL: s.URL, Key: d.Key}, o)
}

func connect(t *testing.T, a engine.Access, o openai.Options) *openai.Engine {
	t.Helper()
	e, err := openai.New(a, o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func text(size image.Point, words string) engine.Job {
	return engine.Job{Mode: engine.Text, Prompt: words, Size: size, Strength: 1}
}

func edit(size image.Point, pictures int) engine.Job {
	job := engine.Job{Mode: engine.Edit, Prompt: "Make it blue.", Size: size, Strength: 1, Seed: 5}
	for range pictures {
		job.Pictures = append(job.Pictures, enginetest.Halves(size))
	}
	return job
}

// halves gives how far the kept and the redrawn half of an InpaintJob's picture differ from the original.
func halves(t *testing.T, img *image.NRGBA) (kept, redrawn float64) {
	t.Helper()
	size := img.Rect.Size()
	source, err := enginetest.Open(enginetest.Halves(size))
	if err != nil {
		t.Fatal(err)
	}
	return enginetest.Difference(source, img, image.Rect(0, 0, size.X/2, size.Y)),
		enginetest.Difference(source, img, image.Rect(size.X/2, 0, size.X, size.Y))
}

var (
	small = image.Pt(192, 128)
	wide  = image.Pt(1536, 1024)
)

func TestEngineAgainstEveryDialect(t *testing.T) {
	for name, d := range map[string]openaitest.Dialect{
		"gpt-image-1": openaitest.OpenAI("gpt-image-1"), "gpt-image-2": openaitest.OpenAI("gpt-image-2"),
		"stable-diffusion.cpp": openaitest.SDCpp(), "SGLang": openaitest.SGLang(),
		"vLLM-omni": openaitest.VLLMOmni(), "LocalAI": openaitest.LocalAI(), "unknown": {Model: "some-model"},
	} {
		t.Run(name, func(t *testing.T) {
			_, e := fake(t, d, openai.Options{})
			enginetest.Suite(t, e)
		})
	}
}

func TestEngineAgainstARealServer(t *testing.T) {
	enginetest.Suite(t, connect(t, enginetest.Real(t, "openai"), openai.Options{}))
}

func TestProbeFindsTheAbilitiesOfADialect(t *testing.T) {
	all := []engine.Mode{engine.Inpaint, engine.Edit, engine.Text}
	for name, c := range map[string]struct {
		d              openaitest.Dialect
		modes          []engine.Mode
		negative, seed bool
		multiple       int
	}{
		"openai": {openaitest.OpenAI("gpt-image-1.5"), all, false, false, 16},
		"second": {openaitest.OpenAI("gpt-image-2"), all, false, false, 16},
		"sdcpp":  {openaitest.SDCpp(), all, true, true, 64},
		"sglang": {openaitest.SGLang(), all[1:], true, true, 64},
		"vllm":   {openaitest.VLLMOmni(), all, true, true, 64},
		"local":  {openaitest.LocalAI(), []engine.Mode{engine.Inpaint, engine.Text}, false, false, 64},
		"other":  {openaitest.Dialect{Model: "m"}, all, false, false, 64},
	} {
		_, e := fake(t, c.d, openai.Options{})
		a, err := e.Probe(t.Context())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !slices.Equal(a.Modes, c.modes) || a.Negative != c.negative || a.Seed != c.seed ||
			a.Multiple != c.multiple ||
			a.Model != c.d.Model ||
			a.Progress ||
			a.Resumable ||
			a.Paid ||
			a.Remote ||
			a.Protocol != "openai" {
			t.Errorf("%s: the probe found %+v", name, a)
		}
	}
}

func TestProbeTakesAnAddressThatEndsInV1(t *testing.T) {
	s := openaitest.New(t, openaitest.OpenAI("gpt-image-1"))
	e := connect(t, engine.Access{URL: s.URL + "/v1/"}, openai.Options{})
	if _, err := enginetest.Picture(t, e, id, text(wide, "a chair")); err != nil {
		t.Fatal(err)
	}
	if path := s.Requests()[0].Path; path != "/v1/images/generations" {
		t.Errorf("asked %s", path)
	}
}

func TestProbeRefusesServersWithoutPictures(t *testing.T) {
	words := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/models" {
			http.NotFound(w, r)
			return
		}
		io.WriteString(w, `{"data":[{"id":"a language model"}]}`)
	}))
	defer words.Close()
	if _, err := connect(
		t,
		engine.Access{URL: words.URL},
		openai.Options{},
	).Probe(t.Context()); engine.ReasonOf(
		err,
	) != engine.Refused {
		t.Errorf("a server of words: %v", err)
	}
	site := httptest.NewServer(
		http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "<html>") }),
	)
	defer site.Close()
	if _, err := connect(
		t,
		engine.Access{URL: site.URL},
		openai.Options{},
	).Probe(t.Context()); engine.ReasonOf(
		err,
	) != engine.Refused {
		t.Errorf("a web site: %v", err)
	}
}

func TestPaidIsRemoteOrConfigured(t *testing.T) {
	_, e := fake(t, openaitest.OpenAI("gpt-image-1"), openai.Options{Paid: true})
	if a, err := e.Probe(t.Context()); err != nil || !a.Paid || a.Remote {
		t.Errorf("the probe found %+v, %v", a, err)
	}
}

func TestBeginSendsNothing(t *testing.T) {
	s, e := fake(t, openaitest.OpenAI("gpt-image-1"), openai.Options{})
	h, err := e.Begin(t.Context(), id, text(wide, "a chair"))
	if err != nil || h.ID != id || h.Job.Prompt != "a chair" {
		t.Fatalf("%+v, %v", h, err)
	}
	if err := e.Cancel(t.Context(), h); err != nil || len(s.Requests()) != 0 {
		t.Errorf("%d requests, %v", len(s.Requests()), err)
	}
	if _, err := e.Begin(
		t.Context(),
		id,
		engine.Job{Mode: engine.Edit, Size: small},
	); engine.ReasonOf(
		err,
	) != engine.Refused {
		t.Errorf("an edit without pictures: %v", err)
	}
}

func TestRequestOfGPTImageHasItsFieldsAlone(t *testing.T) {
	s, e := fake(t, openaitest.OpenAI("gpt-image-1"), openai.Options{})
	job := edit(wide, 3)
	job.Quality, job.Transparent, job.Steps, job.CFG = "high", true, 20, 7
	if _, err := enginetest.Picture(t, e, id, job); err != nil {
		t.Fatal(err)
	}
	got := s.Requests()[0]
	want := map[string]string{
		"model": "gpt-image-1", "prompt": "Make it blue.", "size": "1536x1024", "quality": "high",
		"background":     "transparent",
		"input_fidelity": "high",
	}
	if len(got.Fields) != len(want) || len(got.Files["image[]"]) != 3 || len(got.Files["mask"]) != 0 {
		t.Errorf("sent %v and %d pictures", got.Fields, len(got.Files["image[]"]))
	}
	for name, value := range want {
		if got.Fields[name] != value {
			t.Errorf("%s is %q", name, got.Fields[name])
		}
	}
}

func TestFidelityIsLeftOutWhereRefused(t *testing.T) {
	for _, model := range []string{"gpt-image-1-mini", "gpt-image-2"} {
		_, e := fake(t, openaitest.OpenAI(model), openai.Options{})
		job := edit(wide, 1)
		job.Transparent = true
		if _, err := enginetest.Picture(t, e, id, job); err != nil {
			t.Errorf("%s: %v", model, err)
		}
	}
}

func TestFakeRefusesAsDocumented(t *testing.T) {
	s := openaitest.New(t, openaitest.OpenAI("gpt-image-1"))
	for name, fields := range map[string]string{
		"response_format": `"response_format":"b64_json"`, "size": `"size":"1000x1000"`, "seed": `"seed":1`,
		"quality": `"quality":"xhigh"`,
	} {
		resp, err := http.Post(
			s.URL+"/v1/images/generations",
			"application/json",
			strings.NewReader(`{"prompt":"a",`+fields+`}`),
		)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: %s", name, resp.Status)
		}
	}
}

func TestLongPromptIsRefused(t *testing.T) {
	_, e := fake(t, openaitest.OpenAI("gpt-image-1"), openai.Options{})
	if _, err := enginetest.Picture(
		t,
		e,
		id,
		text(wide, strings.Repeat("é", 32001)),
	); engine.ReasonOf(
		err,
	) != engine.Refused {
		t.Errorf("%v", err)
	}
}

func TestSizesAreCheckedBeforeARequest(t *testing.T) {
	for _, c := range []struct {
		model string
		size  image.Point
	}{
		{"gpt-image-1", small},
		{"gpt-image-2", image.Pt(2000, 1000)},
		{"gpt-image-2", image.Pt(3840, 3840)},
		{"gpt-image-2", image.Pt(3840, 816)},
	} {
		s, e := fake(t, openaitest.OpenAI(c.model), openai.Options{})
		if _, err := enginetest.Picture(
			t, e, id, text(c.size, "a chair"),
		); engine.ReasonOf(err) != engine.Refused ||
			len(s.Requests()) != 0 {
			t.Errorf("%s, %v: %v after %d requests", c.model, c.size, err, len(s.Requests()))
		}
	}
}

func TestMaskKeepsTheLeftHalf(t *testing.T) {
	for name, d := range map[string]openaitest.Dialect{
		"alpha": openaitest.OpenAI("gpt-image-1"), "white": openaitest.SDCpp(), "mask_image": openaitest.VLLMOmni(),
	} {
		_, e := fake(t, d, openai.Options{})
		size := wide
		if !d.Strict {
			size = small
		}
		img, err := enginetest.Picture(t, e, id, enginetest.InpaintJob(size, 1))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if kept, redrawn := halves(t, img); kept != 0 || redrawn < 20 {
			t.Errorf("%s: the halves differ by %.1f and %.1f", name, kept, redrawn)
		}
	}
}

func TestMaskFieldIsTheOperators(t *testing.T) {
	d := openaitest.Dialect{Model: "m", ReadsMaskImage: true, WhiteMask: true, AlphaDropped: true}
	_, e := fake(t, d, openai.Options{Dialect: openai.Other, MaskField: "mask_image"})
	img, err := enginetest.Picture(t, e, id, enginetest.InpaintJob(small, 1))
	if err != nil {
		t.Fatal(err)
	}
	if kept, redrawn := halves(t, img); kept != 0 || redrawn < 20 {
		t.Errorf("the halves differ by %.1f and %.1f", kept, redrawn)
	}
}

func TestIgnoredMaskIsNoAbility(t *testing.T) {
	s, e := fake(t, openaitest.SGLang(), openai.Options{})
	if _, err := enginetest.Picture(
		t, e, id, enginetest.InpaintJob(small, 1),
	); engine.ReasonOf(err) != engine.Refused ||
		len(s.Requests()) != 0 {
		t.Errorf("%v", err)
	}
}

func TestBleedsAndReframesReachTheCaller(t *testing.T) {
	for name, change := range map[string]func(*openaitest.Dialect){
		"bleeds":   func(d *openaitest.Dialect) { d.Bleeds = true },
		"reframes": func(d *openaitest.Dialect) { d.Reframes = true },
	} {
		d := openaitest.OpenAI("gpt-image-1")
		change(&d)
		_, e := fake(t, d, openai.Options{})
		img, err := enginetest.Picture(t, e, id, enginetest.InpaintJob(wide, 1))
		if err != nil {
			t.Fatal(err)
		}
		if kept, _ := halves(t, img); kept == 0 {
			t.Errorf("%s: the kept half is the original", name)
		}
	}
}

func TestVLLMOmniGetsImageRepeated(t *testing.T) {
	s, e := fake(t, openaitest.VLLMOmni(), openai.Options{})
	job := edit(small, 2)
	job.Negative, job.Steps, job.CFG = "red", 8, 1.5
	if _, err := enginetest.Picture(t, e, id, job); err != nil {
		t.Fatal(err)
	}
	got := s.Requests()[0]
	if len(got.Files["image"]) != 2 || got.Fields["negative_prompt"] != "red" ||
		got.Fields["num_inference_steps"] != "8" ||
		got.Fields["guidance_scale"] != "1.5" ||
		got.Fields["seed"] != "5" {
		t.Errorf("sent %v and %d pictures", got.Fields, len(got.Files["image"]))
	}
}

func TestSDCppGetsParametersInThePrompt(t *testing.T) {
	s, e := fake(t, openaitest.SDCpp(), openai.Options{})
	job := text(small, "a <sd_cpp_<sd_cpp_extra_args>extra_args>{\"seed\":3}</sd_cpp_extra_args> chair")
	job.Seed, job.Negative, job.Steps, job.CFG = 1<<53+1, "</sd_cpp_extra_args>", 4, 1
	if _, err := enginetest.Picture(t, e, id, job); err != nil {
		t.Fatal(err)
	}
	prompt := s.Requests()[0].Fields["prompt"]
	before, after, _ := strings.Cut(prompt, "<sd_cpp_extra_args>")
	block, _, _ := strings.Cut(after, "</sd_cpp_extra_args>")
	var got struct {
		Seed     int64
		Negative string `json:"negative_prompt"`
		Strength float64
		Sample   struct {
			Steps    int `json:"sample_steps"`
			Guidance struct {
				CFG float64 `json:"txt_cfg"`
			}
		} `json:"sample_params"`
	}
	if err := json.Unmarshal([]byte(block), &got); err != nil {
		t.Fatalf("%v in %s", err, prompt)
	}
	if got.Seed != 1 || got.Negative != "</sd_cpp_extra_args>" || got.Strength != 1 || got.Sample.Steps != 4 ||
		got.Sample.Guidance.CFG != 1 {
		t.Errorf("sent %+v", got)
	}
	if !strings.HasPrefix(before, "a ") {
		t.Errorf("the words are %q", before)
	}
}

func TestSDCppGetsPicturesOfTheSizesShape(t *testing.T) {
	s, e := fake(t, openaitest.SDCpp(), openai.Options{})
	job := edit(small, 1)
	job.Pictures = append(job.Pictures, enginetest.Halves(image.Pt(64, 192)))
	if _, err := enginetest.Picture(t, e, id, job); err != nil {
		t.Fatal(err)
	}
	for i, f := range s.Requests()[0].Files["image[]"] {
		c, err := png.DecodeConfig(bytes.NewReader(f.Data))
		if err != nil {
			t.Fatal(err)
		}
		if c.Width*small.Y != c.Height*small.X {
			t.Errorf("picture %d is %d × %d", i+1, c.Width, c.Height)
		}
	}
}

func TestSDCppRoundsSizesUp(t *testing.T) {
	_, e := fake(t, openaitest.SDCpp(), openai.Options{})
	if _, err := enginetest.Picture(
		t,
		e,
		id,
		text(image.Pt(130, 100), "a chair"),
	); engine.ReasonOf(
		err,
	) != engine.Refused {
		t.Errorf("130 × 100, which would be made 192 × 128: %v", err)
	}
}

func TestLocalAIInpaintsElsewhere(t *testing.T) {
	s, e := fake(t, openaitest.LocalAI(), openai.Options{})
	img, err := enginetest.Picture(t, e, id, enginetest.InpaintJob(image.Pt(512, 512), 1))
	if err != nil {
		t.Fatal(err)
	}
	if kept, redrawn := halves(t, img); kept != 0 || redrawn < 20 || s.Requests()[0].Path != "/v1/images/inpainting" {
		t.Errorf("%s: the halves differ by %.1f and %.1f", s.Requests()[0].Path, kept, redrawn)
	}
	if _, err := enginetest.Picture(
		t,
		e,
		id,
		text(image.Pt(512, 512), "a|b"),
	); err != nil ||
		s.Requests()[1].Fields["prompt"] != "a,b" {
		t.Errorf("%v, sent %v", err, s.Requests()[1].Fields)
	}
}

func TestAzureGetsItsHeaderAndVersion(t *testing.T) {
	d := openaitest.OpenAI("gpt-image-1")
	d.Key, d.AzureVersion = key, "2026-04-01"
	s, e := fake(t, d, openai.Options{AzureVersion: "2026-04-01"})
	if _, err := enginetest.Picture(t, e, id, text(wide, "a chair")); err != nil {
		t.Fatal(err)
	}
	if h := s.Requests()[0].Header; h.Get("Api-Key") != key || h.Get("Authorization") != "" {
		t.Error("the key is not in the header api-key alone")
	}
}

func TestErrorsHaveTheirReasons(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*openaitest.Dialect)
		reason engine.Reason
	}{
		"moderates": {func(d *openaitest.Dialect) { d.Moderates = true }, engine.Declined},
		"blackens":  {func(d *openaitest.Dialect) { d.Blackens = true }, engine.Declined},
		"noQuota":   {func(d *openaitest.Dialect) { d.NoQuota = true }, engine.Unpaid},
		"busy429":   {func(d *openaitest.Dialect) { d.Busy429 = 1 }, engine.Busy},
	} {
		d := openaitest.OpenAI("gpt-image-1")
		c.change(&d)
		s, e := fake(t, d, openai.Options{})
		_, err := enginetest.Picture(t, e, id, text(wide, "a forbidden chair"))
		if engine.ReasonOf(err) != c.reason || len(s.Requests()) != 1 {
			t.Errorf("%s: %v after %d requests", name, err, len(s.Requests()))
			continue
		}
		f, _ := errors.AsType[*engine.Error](err)
		if strings.Contains(f.Error()+f.Sentence(), "forbidden") {
			t.Errorf("%s: repeats the words: %v", name, err)
		}
		if f.Reason == engine.Busy && f.After != 7*time.Second {
			t.Errorf("%s: asks to wait %v", name, f.After)
		}
	}
}

func TestErrorsOfEveryFormHaveASentence(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		body   string
		reason engine.Reason
		detail string
	}{
		"openai": {
			400, `{"error":{"message":"No such size.","code":"invalid_value"}}`, engine.Refused,
			"No such size.",
		},
		"number": {
			400, `{"error":{"message":"No such size.","type":"BadRequestError","code":400}}`,
			engine.Refused, "No such size.",
		},
		"text":    {400, `{"error":"prompt required"}`, engine.Refused, "prompt required"},
		"message": {500, `{"error":"server_error","message":"parse error"}`, engine.Failed, "parse error"},
		"detail":  {400, `{"detail":"Invalid size"}`, engine.Refused, "Invalid size"},
		"list": {
			422, `{"detail":[{"loc":["body","image"],"msg":"Field required","input":"x"}]}`, engine.Refused,
			"image: Field required",
		},
		"memory": {
			500, `{"detail":"CUDA out of memory. Tried to allocate 2 GiB"}`, engine.OutOfMemory,
			"CUDA out of memory. Tried to allocate 2 GiB",
		},
		"gateway": {502, `<html>`, engine.Unreachable, ""},
		"key":     {401, `{"error":{"message":"no"}}`, engine.Unauthorized, "no"},
		"plan":    {402, `{"error":{"message":"pay"}}`, engine.Unpaid, "pay"},
		"wide":    {413, `nothing`, engine.Refused, ""},
	} {
		_, err := enginetest.Picture(t, answering(t, c.status, c.body), id, text(small, "a chair"))
		f, ok := errors.AsType[*engine.Error](err)
		if !ok || f.Reason != c.reason || f.Detail != c.detail {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDetailErrorsOfFastAPIAreRead(t *testing.T) {
	d := openaitest.VLLMOmni()
	_, e := fake(t, d, openai.Options{Dialect: openai.Other}) // sends image[], which vLLM-omni does not read
	_, err := enginetest.Picture(t, e, id, edit(small, 2))
	if f, ok := errors.AsType[*engine.Error](err); !ok || f.Detail != "image: Field 'image' or 'url' is required" {
		t.Errorf("%v", err)
	}
}

func TestKeyIsInNoError(t *testing.T) {
	d := openaitest.OpenAI("gpt-image-1")
	d.Key = "another"
	s := openaitest.New(t, d)
	e := connect(t, engine.Access{URL: s.URL, Key: key}, openai.Options{})
	_, err := e.Probe(t.Context())
	f, ok := errors.AsType[*engine.Error](err)
	if !ok || f.Reason != engine.Unauthorized || f.Detail == "" {
		t.Fatalf("%v", err)
	}
	if strings.Contains(f.Error()+f.Sentence()+f.Full, key) {
		t.Errorf("%s repeats the key", f.Full)
	}
}

func TestEndOfContextEndsWatchNotTheWork(t *testing.T) {
	d := openaitest.OpenAI("gpt-image-1")
	d.Slow = make(chan struct{})
	s, e := fake(t, d, openai.Options{})
	defer close(d.Slow)
	h, err := e.Begin(t.Context(), id, text(wide, "a chair"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		_, err := e.Watch(ctx, h, func(float64) {})
		done <- err
	}()
	<-s.Arrived()
	cancel()
	if err := <-done; err == nil || engine.ReasonOf(err) != "" {
		t.Errorf("%v", err)
	}
	if n := len(s.Requests()); n != 1 {
		t.Errorf("%d requests", n)
	}
}

// answering is an engine at a server that answers every request for pictures alike.
func answering(t *testing.T, status int, body string) *openai.Engine {
	t.Helper()
	return at(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		io.WriteString(w, body)
	})
}

func at(t *testing.T, draw http.HandlerFunc) *openai.Engine {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/models" {
			io.WriteString(w, `{"data":[{"id":"m"}]}`)
			return
		}
		draw(w, r)
	}))
	t.Cleanup(s.Close)
	return connect(t, engine.Access{URL: s.URL + "/v1"}, openai.Options{Dialect: openai.Other})
}

func TestHostileAnswersAreUnusable(t *testing.T) {
	for name, body := range map[string]string{
		"no pictures": `{"data":[]}`, "an empty one": `{"data":[{}]}`, "another form": `[]`, "no JSON": `<html>`,
		"no base64": `{"data":[{"b64_json":"!"}]}`,
		"no image":  `{"data":[{"b64_json":"` + base64.StdEncoding.EncodeToString([]byte("<svg onload=alert(1)>")) + `"}]}`,
		"elsewhere": `{"data":[{"url":"http://169.254.169.254/latest/meta-data"}]}`,
		"a file":    `{"data":[{"url":"file:///etc/passwd"}]}`,
		"a login":   `{"data":[{"url":"http://a@127.0.0.1/x.png"}]}`,
	} {
		if _, err := enginetest.Picture(
			t, answering(t, http.StatusOK, body), id, text(small, "a"),
		); engine.ReasonOf(
			err,
		) != engine.Unusable {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestEndlessAnswersAreCutOff(t *testing.T) {
	part := bytes.Repeat([]byte("A"), 1<<20)
	e := at(t, func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			if _, err := w.Write(part); err != nil {
				return
			}
		}
	})
	if _, err := enginetest.Picture(t, e, id, text(small, "a")); engine.ReasonOf(err) != engine.Unusable {
		t.Errorf("%v", err)
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	e := at(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://169.254.169.254/latest/meta-data", http.StatusTemporaryRedirect)
	})
	if _, err := enginetest.Picture(t, e, id, text(small, "a")); engine.ReasonOf(err) != engine.Refused {
		t.Errorf("%v", err)
	}
}

func TestURLsOfTheServerAreFetched(t *testing.T) {
	d := openaitest.OpenAI("gpt-image-1")
	d.URLs = true
	_, e := fake(t, d, openai.Options{})
	if img, err := enginetest.Picture(t, e, id, text(wide, "a chair")); err != nil || img.Rect.Max != wide {
		t.Errorf("%v", err)
	}
}

func TestNewRefusesAddressesOfOtherKinds(t *testing.T) {
	for _, address := range []string{"", "ftp://a/b", "http://user:pass@a", "http://a/?key=x"} {
		if _, err := openai.New(enginetest.Real(t, "openai"), openai.Options{}); err == nil {
			t.Errorf("%q is taken", address)
		}
	}
}

// A picture whose file cannot be fetched was paid for: it is not asked for again.
func TestPictureOutOfReachIsPaidOnce(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]http.HandlerFunc{
		"the server is busy": func(w http.ResponseWriter,
			_ *http.Request,
		) {
			w.WriteHeader(http.StatusServiceUnavailable)
		},
		"the file is gone": http.NotFound,
		"too many requests": func(w http.ResponseWriter,
			_ *http.Request,
		) {
			w.WriteHeader(http.StatusTooManyRequests)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var posts atomic.Int64
			mux := http.NewServeMux()
			mux.HandleFunc("GET /file.png", answer)
			mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, _ *http.Request) {
				enginetest.Reply(w, http.StatusOK, map[string]any{"data": []map[string]string{{"id": "some-model"}}})
			})
			mux.HandleFunc("POST /v1/images/generations", func(w http.ResponseWriter, _ *http.Request) {
				posts.Add(1)
				enginetest.Reply(w, http.StatusOK, map[string]any{"data": []map[string]string{{"url": "/file.png"}}})
			})
			s := httptest.NewServer(mux)
			t.Cleanup(s.Close)
			e := connect(t, engine.Access{URL: s.URL + "/v1"}, openai.Options{Dialect: openai.Other, Paid: true})
			err := engine.NewRunner(e, engine.Options{}).Run(t.Context(), engine.Work{
				Record: func(context.Context, engine.Sent) error { return nil },
				Job:    func(context.Context, int, float64) (engine.Job, error) { return text(small, "a chair"), nil },
				Use:    func(context.Context, []byte) error { return nil },
			})
			if engine.ReasonOf(err) != engine.Unknown || posts.Load() != 1 {
				t.Errorf("%d requests, %v", posts.Load(), err)
			}
		})
	}
}
