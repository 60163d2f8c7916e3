package comfyui_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"atelier/service/engine"
	"atelier/service/engine/comfyui"
	"atelier/service/engine/comfyui/comfyuitest"
	"atelier/service/engine/enginetest"
)

// slow starts a server whose sampler waits for steps.
func slow(t *testing.T, d comfyuitest.Dialect) (*comfyuitest.Server, chan struct{}) {
	t.Helper()
	d.Slow = make(chan struct{})
	return comfyuitest.New(t, d), d.Slow
}

func TestRestartAdoptsBegunWork(t *testing.T) {
	for name, d := range map[string]comfyuitest.Dialect{"0.3.64": {}, "new": {New: true}} {
		t.Run(name, func(t *testing.T) {
			s, step := slow(t, d)
			id := uuid.NewString()
			first := begin(t, open(t, s.URL, nil), id, textJob("a chair"))
			step <- struct{}{} // it runs
			after := open(t, s.URL, nil)
			h := begin(t, after, id, textJob("a chair"))
			if first.ID != id || h.ID != id {
				t.Errorf("the ids are %s and %s, want %s", first.ID, h.ID, id)
			}
			close(step)
			running, err := after.Watch(t.Context(), engine.Handle{ID: id}, quiet)
			if err != nil {
				t.Fatal(err)
			}
			finished, err := open(t, s.URL, nil).Watch(t.Context(), begin(t, after, id, textJob("a chair")), quiet)
			if err != nil || !bytes.Equal(running, finished) {
				t.Errorf("the finished work gives another picture, or %v", err)
			}
			if s.History() != 1 || s.Queued() != 1 || s.Renders() != 1 {
				t.Errorf("%d entries, %d queued, %d renders", s.History(), s.Queued(), s.Renders())
			}
		})
	}
}

func TestOldServerGivesItsOwnID(t *testing.T) {
	s, step := slow(t, comfyuitest.Dialect{Old: true})
	e, id := open(t, s.URL, nil), uuid.NewString()
	h := begin(t, e, id, textJob("a chair"))
	if h.ID == id {
		t.Fatal("the server took the id")
	}
	step <- struct{}{}
	if again := begin(t, open(t, s.URL, nil), id, textJob("a chair")); again.ID != h.ID {
		t.Errorf("begun again, the id is %s, want %s", again.ID, h.ID)
	}
	go func() {
		<-s.Opened
		close(step)
	}()
	if _, err := e.Watch(
		t.Context(),
		engine.Handle{ID: id},
		quiet,
	); err != nil { // by the caller's id, found in the queue
		t.Error(err)
	}
	if _, err := e.Watch(t.Context(), engine.Handle{ID: h.ID}, quiet); err != nil {
		t.Error(err)
	}
	if s.Renders() != 1 {
		t.Errorf("%d renders", s.Renders())
	}
}

func TestNewServerRefusesOtherIDs(t *testing.T) {
	s := comfyuitest.New(t, comfyuitest.Dialect{New: true})
	_, err := open(t, s.URL, nil).Begin(t.Context(), strings.ToUpper(uuid.NewString()), textJob("a chair"))
	if got := wants(t, err, engine.Refused); !strings.Contains(got.Detail, "valid UUID") {
		t.Error(got.Detail)
	}
}

func TestSameJobComesFromTheCache(t *testing.T) {
	s := comfyuitest.New(t, comfyuitest.Dialect{})
	e := open(t, s.URL, nil)
	a, err := enginetest.Make(t.Context(), t, e, uuid.NewString(), enginetest.InpaintJob(size, 1))
	if err != nil {
		t.Fatal(err)
	}
	b, err := enginetest.Make(t.Context(), t, open(t, s.URL, nil), uuid.NewString(), enginetest.InpaintJob(size, 1))
	if err != nil || !bytes.Equal(a, b) {
		t.Errorf("the second picture differs, or %v", err)
	}
	if s.Renders() != 1 || s.Queued() != 2 || len(s.Outputs()) != 1 || len(s.Inputs()) != 2 {
		t.Errorf("%d renders, %d queued, files %q", s.Renders(), s.Queued(), s.Inputs())
	}
}

func TestProgressComesBySocket(t *testing.T) {
	for name, d := range map[string]comfyuitest.Dialect{"0.3.64": {}, "old": {Old: true}} {
		t.Run(name, func(t *testing.T) {
			s, step := slow(t, d)
			e := open(t, s.URL, nil)
			go func() {
				<-s.Opened
				step <- struct{}{}
			}()
			var heard []float64
			goOn := sync.OnceFunc(func() { close(step) }) // not before the first event has come
			h := begin(t, e, uuid.NewString(), textJob("a chair"))
			hear := func(f float64) {
				heard = append(heard, f)
				goOn()
			}
			if _, err := e.Watch(t.Context(), h, hear); err != nil {
				t.Fatal(err)
			}
			if len(heard) < 2 || heard[0] > 0.5 || !slices.IsSorted(heard) || heard[len(heard)-1] != 1 {
				t.Errorf("progress %v", heard)
			}
		})
	}
}

func TestDroppedSocketIsOpenedAgain(t *testing.T) {
	s, step := slow(t, comfyuitest.Dialect{DropsSocket: true})
	e := open(t, s.URL, nil)
	go func() {
		<-s.Opened
		step <- struct{}{}
		<-s.Opened
		step <- struct{}{}
		<-s.Opened
		close(step)
	}()
	if _, err := enginetest.Make(t.Context(), t, e, uuid.NewString(), textJob("a chair")); err != nil {
		t.Error(err)
	}
}

func TestRestartedServerLosesTheWork(t *testing.T) {
	s, step := slow(t, comfyuitest.Dialect{})
	e := open(t, s.URL, nil)
	h := begin(t, e, uuid.NewString(), textJob("a chair"))
	step <- struct{}{}
	s.Restart()
	_, err := e.Watch(t.Context(), h, quiet)
	wants(t, err, engine.Lost)
	close(step)
	if _, err := enginetest.Make(t.Context(), t, e, h.ID, textJob("a chair")); err != nil {
		t.Errorf("begun again: %v", err)
	}
}

func TestDeletedPendingWorkIsLost(t *testing.T) {
	s, step := slow(t, comfyuitest.Dialect{})
	e := open(t, s.URL, nil)
	begin(t, e, uuid.NewString(), textJob("one"))
	step <- struct{}{}
	h := begin(t, e, uuid.NewString(), textJob("two"))
	post(t, s.URL+"/queue", `{"delete":["`+h.ID+`"]}`)
	_, err := e.Watch(t.Context(), h, quiet)
	wants(t, err, engine.Lost)
}

func TestDeletedFileIsLost(t *testing.T) {
	s := comfyuitest.New(t, comfyuitest.Dialect{})
	e, id := open(t, s.URL, nil), uuid.NewString()
	if _, err := enginetest.Make(t.Context(), t, e, id, textJob("a chair")); err != nil {
		t.Fatal(err)
	}
	s.Forget()
	_, err := e.Watch(t.Context(), engine.Handle{ID: id}, quiet)
	wants(t, err, engine.Lost)
}

func TestExecutionErrorHidesWordsAndPaths(t *testing.T) {
	for _, d := range []comfyuitest.Dialect{{ExecutionError: true}, {ExecutionError: true, Old: true}} {
		s := comfyuitest.New(t, d)
		e := open(t, s.URL, nil)
		for _, prompt := range []string{"secret", "a secret chair"} {
			h := begin(t, e, uuid.NewString(), textJob(prompt))
			for _, h := range []engine.Handle{h, {ID: h.ID}} { // the second is that of a restart, without the job
				_, err := e.Watch(t.Context(), h, quiet)
				got := wants(t, err, engine.Failed)
				for _, text := range []string{got.Error(), got.Sentence()} {
					if strings.Contains(text, "secret") || strings.Contains(text, "/srv") ||
						strings.Contains(text, "second line") ||
						strings.Contains(text, "File") ||
						!strings.Contains(text, "KSampler: cannot draw") {
						t.Errorf("the sentence is %q", text)
					}
				}
				if !strings.Contains(got.Full, "execution.py") {
					t.Error("the log does not get the traceback")
				}
			}
		}
	}
}

func TestErrorOfHistoryWithoutGraphHidesWords(t *testing.T) {
	const id = "0b6f0a3e-5c0d-5a8b-9a51-6f1d3a0e7a09"
	s := comfyuitest.New(t, comfyuitest.Dialect{})
	url := hostile(t, s, "/history/", func(w http.ResponseWriter, _ *http.Request) {
		const failed = `{"node_type":"Draw","exception_type":"X","exception_message":"no secret chair, no rust"}`
		w.Write(
			[]byte(`{"` + id + `":{"status":{"status_str":"error","messages":[["execution_error",` + failed + `]]}}}`),
		)
	})
	job := textJob("secret chair")
	job.Negative = "rust"
	_, err := open(t, url, nil).Watch(t.Context(), engine.Handle{ID: id, Job: job}, quiet)
	if got := wants(t, err, engine.Failed); got.Detail != "Draw: no …, no …" {
		t.Error(got.Detail)
	}
}

func TestCancelOfUnknownWorkTouchesNothing(t *testing.T) {
	for _, d := range []comfyuitest.Dialect{{}, {Old: true}, {New: true}} {
		s, step := slow(t, d)
		e := open(t, s.URL, nil)
		begin(t, e, uuid.NewString(), textJob("of others"))
		step <- struct{}{}
		cancel(t, e, engine.Handle{ID: uuid.NewString()})
		for _, asked := range s.Requests() {
			if asked == "POST /interrupt" || asked == "POST /queue" {
				t.Errorf("the server was asked for %s", asked)
			}
		}
	}
}

func TestLackOfMemoryIsToldApart(t *testing.T) {
	s := comfyuitest.New(t, comfyuitest.Dialect{OOM: true})
	_, err := enginetest.Make(t.Context(), t, open(t, s.URL, nil), uuid.NewString(), textJob("a chair"))
	wants(t, err, engine.OutOfMemory)
}

func TestValidationErrorNamesTheInput(t *testing.T) {
	s := comfyuitest.New(t, comfyuitest.Dialect{})
	job := textJob("a chair")
	job.Steps = 20000
	_, err := open(t, s.URL, nil).Begin(t.Context(), uuid.NewString(), job)
	if got := wants(t, err, engine.Refused); got.Detail != "KSampler, steps: Value 20000 bigger than max of 10000" {
		t.Error(got.Detail)
	}
	job = textJob("a chair")
	job.Seed = -1
	_, err = open(t, s.URL, nil).Begin(t.Context(), uuid.NewString(), job)
	if got := wants(t, err, engine.Refused); !strings.Contains(got.Detail, "smaller than min of 0") {
		t.Error(got.Detail)
	}
}

func TestSeedKeepsAllItsBits(t *testing.T) {
	s := comfyuitest.New(t, comfyuitest.Dialect{})
	job := textJob("a chair")
	job.Seed = 1<<63 - 1
	render(t, open(t, s.URL, nil), job)
	for _, data := range s.Outputs() {
		if !bytes.Contains(data, []byte(`"seed":9223372036854775807`)) {
			t.Error("the seed changed")
		}
	}
}

func TestMissingFileIsRefused(t *testing.T) {
	s := comfyuitest.New(t, comfyuitest.Dialect{})
	forgets := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/upload/image" { // as a server does whose folder of inputs is emptied
			w.Write([]byte(`{"name":"gone.png","subfolder":"atelier"}`))
			return
		}
		s.ServeHTTP(w, r)
	}))
	defer forgets.Close()
	_, err := open(t, forgets.URL, nil).Begin(t.Context(), uuid.NewString(), enginetest.InpaintJob(size, 1))
	if got := wants(t, err, engine.Refused); got.Detail != "LoadImage, image: Custom validation failed for node" {
		t.Error(got.Detail)
	}
}

func TestResultHasNoWorkflowInIt(t *testing.T) {
	s := comfyuitest.New(t, comfyuitest.Dialect{})
	data, err := enginetest.Make(t.Context(), t, open(t, s.URL, nil), uuid.NewString(), textJob("secret words"))
	if err != nil {
		t.Fatal(err)
	}
	for name, stored := range s.Outputs() {
		if !bytes.Contains(stored, []byte("secret words")) {
			t.Errorf("%s holds no workflow, so this test says nothing", name)
		}
		if enginetest.Difference(decode(t, stored), decode(t, data), decode(t, data).Bounds()) != 0 {
			t.Error("the pixels changed")
		}
	}
	for _, chunk := range []string{"tEXt", "zTXt", "iTXt", "eXIf", "secret"} {
		if bytes.Contains(data, []byte(chunk)) {
			t.Errorf("the picture holds %s", chunk)
		}
	}
}

func TestUploadsAreNamedByTheirContent(t *testing.T) {
	s := comfyuitest.New(t, comfyuitest.Dialect{})
	render(t, open(t, s.URL, nil), enginetest.InpaintJob(size, 1))
	for _, name := range s.Inputs() {
		if !strings.HasPrefix(name, "atelier/") || len(name) != len("atelier/")+64+len(".png") {
			t.Errorf("an upload is named %s", name)
		}
	}
}

func TestCancelEndsOwnWorkAlone(t *testing.T) {
	for name, d := range map[string]comfyuitest.Dialect{"0.3.64": {}, "old": {Old: true}, "new": {New: true}} {
		t.Run(name, func(t *testing.T) {
			s, step := slow(t, d)
			e := open(t, s.URL, nil)
			others := begin(t, e, uuid.NewString(), textJob("of others"))
			step <- struct{}{}
			pending := begin(t, e, uuid.NewString(), textJob("pending"))
			cancel(t, e, pending)
			_, err := e.Watch(t.Context(), pending, quiet)
			wants(t, err, engine.Lost)
			cancel(t, e, pending) // gone already
			cancel(t, e, engine.Handle{ID: uuid.NewString()})
			step <- struct{}{}
			next := begin(t, e, uuid.NewString(), textJob("next"))
			for range 23 { // the steps that are left of the built-in graph's 25
				step <- struct{}{}
			}
			if _, err := e.Watch(t.Context(), others, quiet); err != nil {
				t.Errorf("the work of others: %v", err)
			}
			cancel(t, e, others) // ended: its picture stays, and next runs
			step <- struct{}{}
			if _, err := e.Watch(t.Context(), others, quiet); err != nil {
				t.Error(err)
			}
			cancel(t, e, next)
			_, err = e.Watch(t.Context(), next, quiet)
			wants(t, err, engine.Failed)
			if s.Renders() != 1 {
				t.Errorf("%d renders, want 1", s.Renders())
			}
			asked := slices.Contains(s.Requests(), "POST /interrupt")
			if asked == d.New {
				t.Errorf("the requests were %q", s.Requests())
			}
		})
	}
}

func cancel(t *testing.T, e *comfyui.Engine, h engine.Handle) {
	t.Helper()
	if err := e.Cancel(t.Context(), h); err != nil {
		t.Error(err)
	}
}

func post(t *testing.T, url, body string) {
	t.Helper()
	resp, err := http.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		t.Fatalf("%s answers %d", url, resp.StatusCode)
	}
}

// hostile answers the paths it is given and lets the stand-in answer the others.
func hostile(t *testing.T, s http.Handler, prefix string, answer http.HandlerFunc) string {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, prefix) {
			answer(w, r)
			return
		}
		s.ServeHTTP(w, r)
	}))
	t.Cleanup(srv.Close)
	return srv.URL
}

func TestHostileHistoryIsNoPicture(t *testing.T) {
	const id = "0b6f0a3e-5c0d-5a8b-9a51-6f1d3a0e7a09"
	s := comfyuitest.New(t, comfyuitest.Dialect{})
	for name, outputs := range map[string]string{
		"none":          `{}`,
		"no images":     `{"9":{"images":[]}}`,
		"texts":         `{"9":{"text":["x"]},"10":{"images":"x"},"11":7}`,
		"other server":  `{"9":{"images":[{"filename":"http://169.254.169.254/x.png","subfolder":"","type":"output"}]}}`,
		"other folder":  `{"9":{"images":[{"filename":"x.png","subfolder":"../../etc","type":"output"}]}}`,
		"absolute":      `{"9":{"images":[{"filename":"x.png","subfolder":"/etc","type":"output"}]}}`,
		"windows":       `{"9":{"images":[{"filename":"x.png","subfolder":"a\\..\\..","type":"output"}]}}`,
		"drive":         `{"9":{"images":[{"filename":"x.png","subfolder":"C:\\x","type":"output"}]}}`,
		"path":          `{"9":{"images":[{"filename":"../x.png","subfolder":"","type":"output"}]}}`,
		"inputs":        `{"9":{"images":[{"filename":"x.png","subfolder":"","type":"input"}]}}`,
		"without names": `{"9":{"images":[{}]}}`,
	} {
		t.Run(name, func(t *testing.T) {
			url := hostile(t, s, "/history/", func(w http.ResponseWriter, _ *http.Request) {
				const status = `{"status_str":"success","completed":true,"messages":[["x"],7]}`
				w.Write([]byte(`{"` + id + `":{"outputs":` + outputs + `,"status":` + status + `}}`))
			})
			_, err := open(t, url, nil).Watch(t.Context(), engine.Handle{ID: id}, quiet)
			wants(t, err, engine.Unusable)
		})
	}
	if slices.Contains(s.Requests(), "GET /view") {
		t.Error("a file was asked for")
	}
}

func TestHostileAnswersAreRefused(t *testing.T) {
	endless := func(w http.ResponseWriter, _ *http.Request) {
		block := make([]byte, 1<<20)
		for {
			if _, err := w.Write(block); err != nil {
				return
			}
		}
	}
	redirect := http.RedirectHandler("http://169.254.169.254/", http.StatusFound)
	text := func(body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte(body)) }
	}
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
	}
	for name, c := range map[string]struct {
		prefix string
		answer http.HandlerFunc
		reason engine.Reason
	}{
		"endless picture":   {"/view", endless, engine.Unusable},
		"no picture":        {"/view", text("<script>"), engine.Unusable},
		"redirect":          {"/view", redirect.ServeHTTP, engine.Refused},
		"history of others": {"/history/", text(`[1]`), engine.Refused},
		"queue of others":   {"/queue", text(`{"queue_running":7}`), engine.Refused},
		"no id":             {"/prompt", text(`{}`), engine.Unusable},
		"no name":           {"/upload/image", text(`{}`), engine.Unusable},
		"plan used up":      {"/prompt", status(http.StatusPaymentRequired), engine.Unpaid},
		"full queue":        {"/prompt", status(http.StatusTooManyRequests), engine.Busy},
		"too large":         {"/upload/image", status(http.StatusRequestEntityTooLarge), engine.Refused},
		"gateway":           {"/history/", status(http.StatusBadGateway), engine.Unreachable},
	} {
		t.Run(name, func(t *testing.T) {
			s := comfyuitest.New(t, comfyuitest.Dialect{})
			e := open(t, hostile(t, s, c.prefix, c.answer), nil)
			_, err := enginetest.Make(t.Context(), t, e, uuid.NewString(), enginetest.InpaintJob(size, 1))
			wants(t, err, c.reason)
		})
	}
}

func TestShortOutageIsWaitedFor(t *testing.T) {
	s, step := slow(t, comfyuitest.Dialect{})
	var failures atomic.Int32
	failures.Store(2)
	url := hostile(t, s, "/", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/queue" && s.Queued() > 0 && failures.Add(-1) >= 0 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		s.ServeHTTP(w, r)
	})
	e := open(t, url, nil)
	h := begin(t, e, uuid.NewString(), textJob("a chair"))
	go func() {
		<-s.Opened
		close(step)
	}()
	if _, err := e.Watch(t.Context(), h, quiet); err != nil {
		t.Error(err)
	}
}
