package service

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"atelier/imaging/testpics"
	"atelier/upstream"
)

func TestTheOtherReadingsOfTheEnvelopeCanBeSwitchedOn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	e := w.execute(w.task("removeBG", w.upload(testpics.JPEG(photo()))), cutOut())
	w.finish(e)
	w.svc.SetSwitches(Switches{CodeAsString: true, MessageField: true, ResultsField: true})
	resp, err := w.srv.Client().Do(mustRequest(t, w, upstream.PathTaskQuery, `{"executionId":"`+e+`"}`))
	if err != nil {
		t.Fatal(err)
	}
	raw := readAll(t, resp)
	for _, part := range []string{`"code":"0"`, `"message":"success"`, `"results":[{`} {
		if !strings.Contains(raw, part) {
			t.Errorf("%s is not in %s", part, raw)
		}
	}
	for _, part := range []string{`"msg"`, `"result":`} {
		if strings.Contains(raw, part) {
			t.Errorf("%s is in %s", part, raw)
		}
	}
}

func TestADeletionCanCarryABoolean(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	source := w.upload(testpics.JPEG(photo()))
	without, with := w.task("removeBG", source), w.task("removeBG", source)
	if a := w.post(upstream.PathTaskDelete, w.key, map[string]string{"taskId": without}); !a.Success || a.Data != nil {
		t.Errorf("as documented: %s", a.raw)
	}
	w.svc.SetSwitches(Switches{BooleanData: true})
	if !must[bool](t, w.post(upstream.PathTaskDelete, w.key, map[string]string{"taskId": with})) {
		t.Error("data is false")
	}
	if a := w.post(upstream.PathTaskDelete, w.key, map[string]string{"taskId": with}); a.Success || a.Data != nil {
		t.Errorf("a refusal: %s", a.raw)
	}
}

func TestSwitchesAreReadAsAnOperatorWritesThem(t *testing.T) {
	t.Parallel()
	tests := []struct {
		words []string
		want  Switches
		says  []string // every problem; empty = read
	}{
		{nil, Switches{}, nil},
		{[]string{"codeAsString", "messageField", "resultsField", "booleanData", "errorsAs200", "oldestFirst", "runsHidden", "dropCallbacks", "handleInMeta"}, Switches{CodeAsString: true, MessageField: true, ResultsField: true, BooleanData: true, ErrorsAs200: true, OldestFirst: true, RunsHidden: true, DropCallbacks: true, HandleInMeta: true}, nil},
		{[]string{"slow=2s", "lateAcceptance=150ms", "resultExpiry=1h", "concurrencyLimit=3", "failBefore=1", "failAfter=20", "handleInData"}, Switches{Slow: 2 * time.Second, LateAcceptance: 150 * time.Millisecond, ResultExpiry: time.Hour, ConcurrencyLimit: 3, FailBefore: 1, FailAfter: 20, HandleInData: true}, nil},
		{[]string{"codeasstring", "slow", "slow=soon", "concurrencyLimit=0", "failAfter=1.5", "messageField=true", "resultExpiry=-1s"}, Switches{}, []string{`"codeasstring"`, "codeAsString, concurrencyLimit", "slow: \"\"", "slow is given twice", "concurrencyLimit", "failAfter", "messageField", "resultExpiry"}},
		{[]string{"handleInMeta", "handleInData"}, Switches{HandleInMeta: true, HandleInData: true}, []string{"exclude each other"}},
		{[]string{""}, Switches{}, []string{`""`}},
	}
	for _, tt := range tests {
		got, err := ParseSwitches(tt.words)
		for _, s := range tt.says {
			if err == nil || !strings.Contains(err.Error(), s) {
				t.Errorf("%q: %v, want %s in it", tt.words, err, s)
			}
		}
		if (err != nil) != (len(tt.says) > 0) || got != tt.want {
			t.Errorf("%q = %+v, %v", tt.words, got, err)
		}
		if err == nil && len(tt.words) > 0 {
			again, err := ParseSwitches(strings.Split(got.String(), ","))
			if err != nil || again != got {
				t.Errorf("%q reads as %+v, %v", got.String(), again, err)
			}
		}
	}
}

func TestTheHandleOfARunCanStandInEitherPlaceAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	body := w.runBody()
	w.svc.SetSwitches(Switches{HandleInMeta: true, Slow: time.Hour})
	meta := w.post(upstream.PathRuns, w.key, body)
	if got := must[upstream.RunStarted](t, meta); meta.Meta.ExecutionID == "" || got.ExecutionID != "" {
		t.Errorf("in meta alone: %s", meta.raw)
	}
	w.svc.SetSwitches(Switches{HandleInData: true, Slow: time.Hour})
	data := w.post(upstream.PathRuns, w.key, body)
	if got := must[upstream.RunStarted](t, data); data.Meta.ExecutionID != "" || got.ExecutionID == "" {
		t.Errorf("in data alone: %s", data.raw)
	}
}

func TestRefusalsAndOrderCanTakeOtherForms(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(cfg *Config) { cfg.Switches.Slow = time.Hour })
	task := w.task("removeBG", w.upload(testpics.JPEG(photo())))
	first, second := w.execute(task, cutOut()), w.execute(task, cutOut())
	w.svc.SetSwitches(Switches{ErrorsAs200: true, OldestFirst: true, Slow: time.Hour})
	if a := w.get(upstream.PathRuns+"/none", w.key); a.status != http.StatusOK || a.Success || a.Error.Message == "" {
		t.Errorf("a refusal: status %d, %s", a.status, a.raw)
	}
	got := must[upstream.Task](t, w.post(upstream.PathTaskQuery, w.key, upstream.TaskQuery{TaskID: task})).Executions
	if len(got) != 2 || got[0].ExecutionID != first || got[1].ExecutionID != second {
		t.Errorf("executions = %+v", got)
	}
}

func TestTooManyAtOnceIsSaidSo(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(cfg *Config) { cfg.Switches = Switches{ConcurrencyLimit: 2, Slow: time.Hour} })
	task := w.task("removeBG", w.upload(testpics.JPEG(photo())))
	w.execute(task, cutOut())
	w.execute(task, cutOut())
	a := w.post(upstream.PathTaskExecute, w.key, upstream.TaskExecute{TaskID: task, Params: cutOut()})
	if a.status != http.StatusTooManyRequests || a.Code != upstream.CodeTooMany {
		t.Errorf("task surface: status %d, %s", a.status, a.raw)
	}
	a = w.post(upstream.PathRuns, w.key, w.runBody())
	if a.status != http.StatusTooManyRequests || a.Error.Code != "40005" || !a.Error.Retryable {
		t.Errorf("run surface: status %d, %s", a.status, a.raw)
	}
	if page := must[upstream.TaskPage](t, w.get(upstream.PathTaskList, w.key)); len(page.Tasks) != 1 {
		t.Errorf("a refused run left a task: %d", len(page.Tasks))
	}
}

func TestFaultsComeBeforeOrAfterTheDeed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(cfg *Config) { cfg.Switches.Slow = time.Hour })
	task := w.task("removeBG", w.upload(testpics.JPEG(photo())))
	count := func() int {
		return len(must[upstream.Task](t, w.post(upstream.PathTaskQuery, w.key, upstream.TaskQuery{TaskID: task})).Executions)
	}
	body := mustJSON(t, upstream.TaskExecute{TaskID: task, Params: cutOut()})
	for _, tt := range []struct {
		name string
		sw   Switches
		want int
	}{
		{"before", Switches{FailBefore: 1, Slow: time.Hour}, 0},
		{"after", Switches{FailAfter: 1, Slow: time.Hour}, 2},
	} {
		w.svc.SetSwitches(tt.sw)
		resp, err := w.srv.Client().Do(mustRequest(t, w, upstream.PathTaskExecute, body))
		if err == nil {
			t.Errorf("%s: the connection held: %s", tt.name, readAll(t, resp))
		}
		if n := count(); n != tt.want {
			t.Errorf("%s: %d executions, want %d", tt.name, n, tt.want)
		}
		w.execute(task, cutOut()) // the second call works
		if n := count(); n != tt.want+1 {
			t.Errorf("%s: %d executions after the second call, want %d", tt.name, n, tt.want+1)
		}
	}
}

func TestALateAcceptanceShowsLater(t *testing.T) {
	t.Parallel()
	c := &clock{at: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	w := newWorld(t, func(cfg *Config) {
		cfg.Now = c.now
		cfg.Switches = Switches{LateAcceptance: time.Minute, Slow: time.Hour}
	})
	task := w.task("removeBG", w.upload(testpics.JPEG(photo())))
	w.rest()
	e := w.execute(task, cutOut())
	if a := w.post(upstream.PathTaskQuery, w.key, upstream.TaskQuery{ExecutionID: e}); a.status != http.StatusNotFound {
		t.Errorf("at once: status %d", a.status)
	}
	c.pass(time.Minute)
	if got := w.query(e).Executions; len(got) != 1 {
		t.Errorf("a minute later: %+v", got)
	}
}

func TestResultLinksCanExpire(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	source := w.upload(testpics.JPEG(photo()))
	result := w.finish(w.execute(w.task("removeBG", source), cutOut())).Result[0].Image
	w.svc.SetSwitches(Switches{ResultExpiry: time.Hour})
	if a := w.fetch(result); a.status != http.StatusOK {
		t.Errorf("within the hour: status %d", a.status)
	}
	w.svc.SetSwitches(Switches{ResultExpiry: time.Nanosecond})
	if a := w.fetch(result); a.status != http.StatusGone {
		t.Errorf("after it: status %d", a.status)
	}
	if a := w.fetch(source); a.status != http.StatusOK {
		t.Errorf("the upload expired too: status %d", a.status)
	}
	if a := w.post(upstream.PathTaskCreate, w.key, upstream.TaskCreate{
		AgentName: "removeBG", AgentVersion: "v1.0",
		InitParams: map[string]any{"originalImage": result},
	}); a.Success || !strings.Contains(a.Msg, "expired") {
		t.Errorf("an expired result as source: %s", a.raw)
	}
}
