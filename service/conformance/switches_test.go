package conformance

import (
	"bytes"
	"encoding/base64"
	"image"
	"net/http"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"atelier/imaging/mask"
	"atelier/imaging/testpics"
	"atelier/service"
	"atelier/upstream"
)

// bench is the client in front of a service whose switches can be set.
type bench struct {
	t      *testing.T
	svc    *service.Service
	client *upstream.Client
	url    string // of the service
	source string // URL of an uploaded picture
}

const benchWidth, benchHeight = 520, 560

func newBench(t *testing.T, change func(*service.Config)) *bench {
	t.Helper()
	svc, srv := newService(t, change)
	client, err := upstream.New(upstream.Options{BaseURL: srv.URL, Key: upstream.Secret(newKey(t, svc, "studio"))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.CloseIdle)
	b := &bench{t: t, svc: svc, client: client, url: srv.URL}
	file := testpics.JPEG(testpics.Photo(benchWidth, benchHeight, 1))
	up, err := client.UploadImage(t.Context(), upstream.TaskSurface, upstream.Upload{Name: "a.jpg", ContentType: "image/jpeg", Size: int64(len(file)), Body: bytes.NewReader(file)})
	if err != nil {
		t.Fatal(err)
	}
	b.source = up.Image
	return b
}

// cut are the params of the cheapest execution there is.
func cut() map[string]any {
	m := mask.New(benchWidth, benchHeight)
	m.FillRect(image.Rect(0, 0, benchWidth/2, benchHeight), 255)
	return map[string]any{"maskType": "custom", "customMask": base64.StdEncoding.EncodeToString(mask.EncodeRGBA(m)), "backgroundHex": "#204060", "batchCount": 1}
}

func (b *bench) create() (upstream.TaskCreated, error) {
	return b.client.CreateTask(b.t.Context(), upstream.TaskCreate{AgentName: "removeBG", AgentVersion: "v1.0", InitParams: map[string]any{"originalImage": b.source}})
}

func (b *bench) task() string {
	b.t.Helper()
	task, err := b.create()
	if err != nil {
		b.t.Fatal(err)
	}
	return task.TaskID
}

func (b *bench) execute(task, callback string) (string, error) {
	x, err := b.client.ExecuteTask(b.t.Context(), upstream.TaskExecute{TaskID: task, Params: cut(), CallbackURL: callback})
	return x.ExecutionID, err
}

func (b *bench) run() (string, error) {
	r, err := b.client.StartRun(b.t.Context(), upstream.RunStart{
		Agent: upstream.RunAgent{Name: "removeBG", Version: "v1.0"}, Input: map[string]any{"originalImage": b.source}, Params: cut(),
	}, "")
	return r.ExecutionID, err
}

func (b *bench) must(id string, err error) string {
	b.t.Helper()
	if err != nil || id == "" {
		b.t.Fatalf("id %q, %v", id, err)
	}
	return id
}

// patience bounds every wait for something that must happen: other tests may have the machine.
const patience = 5 * time.Minute

// await looks until done says so, at most for the time that patience allows.
func await(t *testing.T, what string, done func() bool) {
	t.Helper()
	end := time.After(patience)
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for !done() {
		select {
		case <-tick.C:
		case <-end:
			t.Fatalf("%s: not within %v", what, patience)
		}
	}
}

// finish waits for the end of an execution.
func (b *bench) finish(id string) upstream.Execution {
	b.t.Helper()
	var x upstream.Execution
	await(b.t, "the end of "+id, func() bool {
		task, err := b.client.QueryTask(b.t.Context(), upstream.TaskQuery{ExecutionID: id})
		if err != nil {
			b.t.Fatal(err)
		}
		x, _ = task.Execution(id)
		return x.Status == "Success" || x.Status == "Failed"
	})
	return x
}

func (b *bench) listed() []upstream.Task {
	b.t.Helper()
	page, err := b.client.ListTasks(b.t.Context(), upstream.TaskFilter{Limit: 20})
	if err != nil {
		b.t.Fatal(err)
	}
	return page.Tasks
}

func (b *bench) status(url string) int {
	b.t.Helper()
	req, err := http.NewRequestWithContext(b.t.Context(), http.MethodGet, url, http.NoBody)
	if err != nil {
		b.t.Fatal(err)
	}
	resp, err := (&http.Client{}).Do(req)
	if err != nil {
		b.t.Fatal(err)
	}
	_ = resp.Body.Close()
	return resp.StatusCode
}

func TestTheClientReadsEveryFormOfAnswer(t *testing.T) {
	b := newBench(t, nil)
	tests := []service.Switches{
		{},
		{CodeAsString: true},
		{MessageField: true},
		{ResultsField: true},
		{BooleanData: true},
		{ErrorsAs200: true},
		{OldestFirst: true},
		{HandleInMeta: true},
		{HandleInData: true},
		{CodeAsString: true, MessageField: true, ResultsField: true, BooleanData: true, ErrorsAs200: true, OldestFirst: true, HandleInData: true},
	}
	for _, sw := range tests {
		t.Run("switches "+sw.String(), func(t *testing.T) {
			b := &bench{t: t, svc: b.svc, client: b.client, url: b.url, source: b.source}
			b.svc.SetSwitches(sw)
			defer b.svc.SetSwitches(service.Switches{})
			task := b.task()
			first, second := b.must(b.execute(task, "")), b.must(b.execute(task, ""))
			for _, id := range []string{first, second} {
				x := b.finish(id)
				if x.ExecutionID != id || x.Status != "Success" || len(x.Result) != 1 || x.Result[0].Progress.Fraction() != 1 || b.status(x.Result[0].Image) != http.StatusOK {
					t.Errorf("execution = %+v", x)
				}
			}
			both, err := b.client.QueryTask(t.Context(), upstream.TaskQuery{TaskID: task})
			if err != nil || len(both.Executions) != 2 {
				t.Errorf("the task = %+v, %v", both, err)
			}
			run := b.must(b.run())
			b.finish(run)
			polled, err := b.client.Run(t.Context(), run)
			if x, ok := polled.Execution(run); err != nil || !ok || x.Status != "Success" || len(x.Result) != 1 {
				t.Errorf("the run = %+v, %v", polled, err)
			}
			if ok, err := b.client.StartPSD(t.Context(), first); !ok || err != nil {
				t.Errorf("start a layered file: %v, %v", ok, err)
			}
			if err := b.client.DeleteTask(t.Context(), task); err != nil {
				t.Error(err)
			}
			_, err = b.client.QueryTask(t.Context(), upstream.TaskQuery{TaskID: task})
			if upstream.KindOf(err) != upstream.Refused {
				t.Errorf("a deleted task: %v", err)
			}
			if _, err = b.client.Run(t.Context(), "none"); upstream.KindOf(err) != upstream.Refused {
				t.Errorf("an unknown run: %v", err)
			}
			stranger, err := upstream.New(upstream.Options{BaseURL: b.url, Key: "a-key-that-nobody-has"})
			if err != nil {
				t.Fatal(err)
			}
			defer stranger.CloseIdle()
			if _, err = stranger.ListTasks(t.Context(), upstream.TaskFilter{}); upstream.KindOf(err) != upstream.Key {
				t.Errorf("a wrong key: %v", err)
			}
		})
	}
}

func TestTheClientTellsTooManyFromRefused(t *testing.T) {
	for _, as200 := range []bool{false, true} {
		b := newBench(t, func(cfg *service.Config) {
			cfg.Switches = service.Switches{ConcurrencyLimit: 1, Slow: time.Hour, ErrorsAs200: as200, CodeAsString: as200}
		})
		task := b.task()
		b.must(b.execute(task, ""))
		if _, err := b.execute(task, ""); upstream.KindOf(err) != upstream.Busy {
			t.Errorf("task surface: %v", err)
		}
		if _, err := b.run(); upstream.KindOf(err) != upstream.Busy {
			t.Errorf("run surface: %v", err)
		}
	}
}

func TestTheClientKnowsThatItDoesNotKnow(t *testing.T) {
	b := newBench(t, nil)
	slow := time.Hour
	task := b.task()
	before := func(n int) service.Switches { return service.Switches{FailBefore: n, Slow: slow} }
	after := func(n int) service.Switches { return service.Switches{FailAfter: n, Slow: slow} }
	count := func() (tasks, executions int) {
		for _, t := range b.listed() {
			tasks++
			executions += len(t.Executions)
		}
		return tasks, executions
	}
	tests := []struct {
		name              string
		sw                service.Switches
		do                func() error
		tasks, executions int // more than before
	}{
		{"a task that was not made", before(1), func() error { _, err := b.create(); return err }, 0, 0},
		{"a task that was made", after(1), func() error { _, err := b.create(); return err }, 1, 0},
		{"an execution that was not made", before(1), func() error { _, err := b.execute(task, ""); return err }, 0, 0},
		{"an execution that was made", after(1), func() error { _, err := b.execute(task, ""); return err }, 0, 1},
		{"a run that was not made", before(1), func() error { _, err := b.run(); return err }, 0, 0},
		{"a run that was made", after(1), func() error { _, err := b.run(); return err }, 1, 1},
		{"the second call alone", before(2), func() error {
			if _, err := b.create(); err != nil {
				t.Errorf("the first: %v", err)
			}
			_, err := b.create()
			return err
		}, 1, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tasks, executions := count()
			b.svc.SetSwitches(tt.sw)
			if err := tt.do(); upstream.KindOf(err) != upstream.Ambiguous {
				t.Errorf("the client says %v", err)
			}
			nowTasks, nowExecutions := count()
			if nowTasks != tasks+tt.tasks || nowExecutions != executions+tt.executions {
				t.Errorf("%d tasks and %d executions more, want %d and %d", nowTasks-tasks, nowExecutions-executions, tt.tasks, tt.executions)
			}
		})
	}
}

func TestTheClientFindsWhatIsShownLate(t *testing.T) {
	var ahead atomic.Int64
	b := newBench(t, func(cfg *service.Config) {
		cfg.Now = func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
		cfg.Switches = service.Switches{LateAcceptance: time.Minute, Slow: time.Hour}
	})
	task := b.task()
	id := b.must(b.execute(task, ""))
	if _, err := b.client.QueryTask(t.Context(), upstream.TaskQuery{ExecutionID: id}); upstream.KindOf(err) != upstream.Refused {
		t.Errorf("at once: %v", err)
	}
	if got, err := b.client.QueryTask(t.Context(), upstream.TaskQuery{TaskID: task}); err != nil || len(got.Executions) != 0 {
		t.Errorf("at once, by its task: %+v, %v", got, err)
	}
	ahead.Store(int64(2 * time.Minute))
	if got, err := b.client.QueryTask(t.Context(), upstream.TaskQuery{ExecutionID: id}); err != nil || len(got.Executions) != 1 {
		t.Errorf("later: %+v, %v", got, err)
	}
}

func TestClientWaitsForASlowService(t *testing.T) {
	b := newBench(t, func(cfg *service.Config) { cfg.Workers, cfg.Switches = 2, service.Switches{Slow: time.Hour} })
	task := b.task()
	id := b.must(b.execute(task, ""))
	got, err := b.client.QueryTask(t.Context(), upstream.TaskQuery{ExecutionID: id})
	if err != nil {
		t.Fatal(err)
	}
	x, _ := got.Execution(id)
	if x.Status == "Success" || x.Status == "Failed" || len(x.Result) != 1 || x.Result[0].Image != "" || x.Result[0].Progress.Fraction() >= 1 {
		t.Errorf("at once: %+v", x)
	}
	b.svc.SetSwitches(service.Switches{Slow: 100 * time.Millisecond})
	if x = b.finish(b.must(b.execute(task, ""))); x.Status != "Success" {
		t.Errorf("one that is made sooner: %+v", x)
	}
}

func TestResultsExpireAndTheExecutionStays(t *testing.T) {
	b := newBench(t, nil)
	id := b.must(b.execute(b.task(), ""))
	image := b.finish(id).Result[0].Image
	b.svc.SetSwitches(service.Switches{ResultExpiry: time.Nanosecond})
	if got := b.status(image); got != http.StatusGone {
		t.Errorf("the link answers %d", got)
	}
	if x := b.finish(id); x.Status != "Success" || x.Result[0].Image != image {
		t.Errorf("execution = %+v", x)
	}
}

func TestRunsAreListedOrNot(t *testing.T) {
	b := newBench(t, func(cfg *service.Config) { cfg.Switches = service.Switches{Slow: time.Hour} })
	id := b.must(b.run())
	holds := func() bool {
		return slices.ContainsFunc(b.listed(), func(task upstream.Task) bool {
			_, ok := task.Execution(id)
			return ok
		})
	}
	if !holds() {
		t.Error("a run is not listed")
	}
	b.svc.SetSwitches(service.Switches{RunsHidden: true, Slow: time.Hour})
	if holds() {
		t.Error("a hidden run is listed")
	}
	if got, err := b.client.Run(t.Context(), id); err != nil || len(got.Executions) != 1 {
		t.Errorf("a hidden run is polled: %+v, %v", got, err)
	}
}

func TestCallbacksCanBeLost(t *testing.T) {
	hooks := newReceiver(t)
	got := hooks.record("SUCCESS")
	b := newBench(t, func(cfg *service.Config) {
		cfg.CallbackHosts = []string{hooks.host()}
		cfg.Switches = service.Switches{DropCallbacks: true}
	})
	task := b.task()
	lost := b.must(b.execute(task, hooks.server.URL))
	if x := b.finish(lost); x.Status != "Success" {
		t.Errorf("execution = %+v", x)
	}
	b.svc.SetSwitches(service.Switches{})
	told := b.must(b.execute(task, hooks.server.URL))
	await(t, "a callback", func() bool { return len(got.about(told)) > 0 })
	if n := len(got.about(lost)); n != 0 {
		t.Errorf("%d lost callbacks came", n)
	}
}
