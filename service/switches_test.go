package service

import (
	"encoding/json"
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

// TestTheEnvelopeIsSwitchedOnEveryEndpoint asks every endpoint once so that it succeeds and once so that it refuses.
func TestTheEnvelopeIsSwitchedOnEveryEndpoint(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	picture := testpics.JPEG(photo())
	source := w.upload(picture)
	done, open := w.execute(w.task("removeBG", source), cutOut()), w.task("removeBG", source)
	w.finish(done)
	start := w.runBody()
	w.svc.SetSwitches(Switches{CodeAsString: true, MessageField: true, BooleanData: true, ErrorsAs200: true, Slow: time.Hour})
	preset := map[string]any{"images": []string{source}, "image": source, "name": "Mia", "agentName": "aimodel", "agentVersion": "v1.0"}
	formType, form := formOf(t, uploadField, picture)
	post := func(path string, body any) func(key string) answer {
		return func(key string) answer {
			return w.send(http.MethodPost, path, key, "application/json", []byte(mustJSON(t, body)))
		}
	}
	get := func(path string) func(key string) answer {
		return func(key string) answer { return w.send(http.MethodGet, path, key, "", nil) }
	}
	upload := func(path string) func(key string) answer {
		return func(key string) answer { return w.send(http.MethodPost, path, key, formType, form) }
	}
	var model, place int64
	asks := []struct {
		route string
		ask   func(key string) answer
	}{
		{"POST " + upstream.PathTaskCreate, post(upstream.PathTaskCreate, map[string]any{"agentName": "removeBG", "agentVersion": "v1.0", "initParams": map[string]any{"originalImage": source}})},
		{"POST " + upstream.PathTaskExecute, post(upstream.PathTaskExecute, map[string]any{"taskId": open, "params": cutOut()})},
		{"POST " + upstream.PathTaskQuery, post(upstream.PathTaskQuery, map[string]any{"executionId": done})},
		{"GET " + upstream.PathTaskList, get(upstream.PathTaskList)},
		{"GET " + upstream.PathAgentInfo, get(info("aimodel"))},
		{"POST " + upstream.PathUploadImage, upload(upstream.PathUploadImage)},
		{"POST " + upstream.PathPSDCreate, post(upstream.PathPSDCreate, map[string]any{"executionId": done})},
		{"POST " + upstream.PathPSDQuery, post(upstream.PathPSDQuery, map[string]any{"executionId": done})},
		{"POST " + upstream.PathFashionModelCreate, post(upstream.PathFashionModelCreate, preset)},
		{"GET " + upstream.PathFashionModelQuery, func(key string) answer {
			return get(upstream.PathFashionModelQuery + "?fashionModelId=" + itoa(model))(key)
		}},
		{"POST " + upstream.PathFashionModelDelete, func(key string) answer {
			return post(upstream.PathFashionModelDelete, map[string]any{"fashionModelId": model})(key)
		}},
		{"POST " + upstream.PathLocationCreate, post(upstream.PathLocationCreate, preset)},
		{"GET " + upstream.PathLocationQuery, func(key string) answer { return get(upstream.PathLocationQuery + "?locationId=" + itoa(place))(key) }},
		{"POST " + upstream.PathLocationDelete, func(key string) answer {
			return post(upstream.PathLocationDelete, map[string]any{"locationId": place})(key)
		}},
		{"POST " + upstream.PathTaskDelete, post(upstream.PathTaskDelete, map[string]any{"taskId": open})},
		{"POST " + upstream.PathRunUpload, upload(upstream.PathRunUpload)},
		{"POST " + upstream.PathRuns, post(upstream.PathRuns, start)},
		{"POST " + upstream.PathEstimates, post(upstream.PathEstimates, start)},
		{"GET " + upstream.PathRuns + "/{executionId}", get(upstream.PathRuns + "/" + done)},
	}
	asked := map[string]bool{"POST " + upstream.PathRunVideos: true, "POST " + upstream.PathRunAudios: true} // as PathRunUpload
	for _, a := range asks {
		asked[a.route] = true
		onRunSurface := strings.Contains(a.route, " /openapi/agent/")
		var made struct {
			Data struct{ FashionModelID, LocationID int64 }
		}
		for _, refused := range []bool{true, false} {
			key, code := w.key, `"code":"0"`
			if refused {
				key, code = "nobody's", `"code":"4000`
			}
			got := a.ask(key)
			raw := string(got.raw)
			if got.status != http.StatusOK || strings.Contains(raw, `"success":true`) == refused {
				t.Errorf("%s: status %d, %.300s", a.route, got.status, raw)
			}
			if said := strings.Contains(raw, code) && strings.Contains(raw, `"message":"`) && !strings.Contains(raw, `"msg"`); !onRunSurface && !said {
				t.Errorf("%s: %.300s", a.route, raw)
			}
			if strings.HasSuffix(a.route, "elete") && strings.Contains(raw, `"data":true`) == refused {
				t.Errorf("%s: %s", a.route, raw)
			}
			if !refused && strings.Contains(a.route, "/my") && strings.HasSuffix(a.route, "/create") {
				if err := json.Unmarshal(got.raw, &made); err != nil {
					t.Fatal(err)
				}
				model, place = max(model, made.Data.FashionModelID), max(place, made.Data.LocationID)
			}
		}
	}
	for route, open := range Routes() {
		if !open && !asked[route] {
			t.Errorf("%s was not asked", route)
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
		{[]string{"codeAsString", "messageField", "resultsField", "booleanData", "errorsAs200", "oldestFirst", "runsHidden", "dropCallbacks", "handleInMeta", "backgroundNeeded", "masksByURL", "proRecommended", "powerTold"}, Switches{BackgroundNeeded: true, MasksByURL: true, ProRecommended: true, PowerTold: true, CodeAsString: true, MessageField: true, ResultsField: true, BooleanData: true, ErrorsAs200: true, OldestFirst: true, RunsHidden: true, DropCallbacks: true, HandleInMeta: true}, nil},
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

func TestTheNthCallIsTheOneThatFails(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(cfg *Config) { cfg.Switches.Slow = time.Hour })
	source := w.upload(testpics.JPEG(photo()))
	shared := w.task("removeBG", source)
	create := mustJSON(t, upstream.TaskCreate{AgentName: "removeBG", AgentVersion: "v1.0", InitParams: map[string]any{"originalImage": source}})
	execute := mustJSON(t, upstream.TaskExecute{TaskID: shared, Params: cutOut()})
	start := mustJSON(t, w.runBody())
	calls := []struct {
		path, body        string
		tasks, executions int // that it makes
	}{
		{upstream.PathTaskCreate, create, 1, 0},
		{upstream.PathTaskExecute, execute, 0, 1},
		{upstream.PathRuns, start, 1, 1},
		{upstream.PathRuns, start, 1, 1},
		{upstream.PathTaskExecute, execute, 0, 1},
		{upstream.PathTaskCreate, create, 1, 0},
	}
	for n := 1; n <= len(calls); n++ {
		for _, after := range []bool{false, true} {
			sw := Switches{FailBefore: n, Slow: time.Hour}
			if after {
				sw = Switches{FailAfter: n, Slow: time.Hour}
			}
			w.svc.SetSwitches(sw)
			for i, call := range calls {
				tasks, executions := w.count(`SELECT count(*) FROM task`), w.count(`SELECT count(*) FROM execution`)
				resp, err := w.srv.Client().Do(mustRequest(t, w, call.path, call.body))
				cut := err != nil
				if !cut {
					readAll(t, resp)
				}
				if cut != (i+1 == n) {
					t.Errorf("%s: call %d, %s, is cut off: %v", sw, i+1, call.path, cut)
				}
				if cut && !after {
					call.tasks, call.executions = 0, 0
				}
				if more := w.count(`SELECT count(*) FROM task`) - tasks; more != call.tasks {
					t.Errorf("%s: call %d, %s, made %d tasks, want %d", sw, i+1, call.path, more, call.tasks)
				}
				if more := w.count(`SELECT count(*) FROM execution`) - executions; more != call.executions {
					t.Errorf("%s: call %d, %s, made %d executions, want %d", sw, i+1, call.path, more, call.executions)
				}
			}
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
	run := must[upstream.RunStarted](t, w.post(upstream.PathRuns, w.key, w.runBody())).ExecutionID
	if a := w.get(upstream.PathRuns+"/"+run, w.key); a.status != http.StatusNotFound {
		t.Errorf("a run at once: status %d", a.status)
	}
	shown := func() (n int) {
		for _, task := range must[upstream.TaskPage](t, w.get(upstream.PathTaskList, w.key)).Tasks {
			n += len(task.Executions)
		}
		return n
	}
	if n := shown(); n != 0 {
		t.Errorf("at once %d executions are listed", n)
	}
	c.pass(time.Minute)
	if got := w.query(e).Executions; len(got) != 1 {
		t.Errorf("a minute later: %+v", got)
	}
	must[upstream.RunStatus](t, w.get(upstream.PathRuns+"/"+run, w.key))
	if n := shown(); n != 2 {
		t.Errorf("a minute later %d executions are listed", n)
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
