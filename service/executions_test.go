package service

import (
	"encoding/base64"
	"fmt"
	"image"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"atelier/catalog"
	"atelier/imaging/mask"
	"atelier/imaging/testpics"
	"atelier/upstream"
)

func encode(m mask.Plane) string { return base64.StdEncoding.EncodeToString(mask.EncodeRGBA(m)) }

func TestAnExecutionIsRefusedBeforeItIsPaidFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	source := w.upload(testpics.PNG(photo()))
	tasks := map[string]string{}
	for _, agent := range []string{"removeBG", "aimodel", "aiproduct", "expandimage", "aipose"} {
		tasks[agent] = w.task(agent, source)
	}
	model := func(kv ...any) map[string]any {
		p := map[string]any{"generatedContent": "freeCreation", "maskType": "autoApparelSegment", "locationId": 1001}
		for i := 0; i+1 < len(kv); i += 2 {
			p[kv[i].(string)] = kv[i+1]
			if kv[i+1] == nil {
				delete(p, kv[i].(string))
			}
		}
		return p
	}
	full, half := mask.New(520, 560), mask.New(520, 560)
	full.Fill(255)
	half.FillRect(image.Rect(0, 0, 100, 100), 255)
	tall := mask.New(520, 600)
	tall.FillRect(image.Rect(0, 0, 100, 100), 255)
	byAddress := func(url string) map[string]any { return map[string]any{"maskType": "custom", "customMaskUrl": url} }
	opaque := base64.StdEncoding.EncodeToString(testpics.PNG(photo()))
	tests := []struct {
		name, agent string
		params      map[string]any
		says        []string
	}{
		{"custom without a mask", "removeBG", map[string]any{"maskType": "custom"}, []string{"customMask or customMaskUrl: at least one is given when maskType is custom."}},
		{"a mask of another size", "removeBG", cutOut("customMask", leftHalf(519, 560)), []string{"customMask", "519 × 560", "520 × 560"}},
		{"a mask that keeps nothing", "removeBG", cutOut("customMask", encode(mask.New(520, 560))), []string{"customMask"}},
		{"a mask that keeps everything", "removeBG", cutOut("customMask", encode(full)), []string{"customMask"}},
		{"a mask without transparency", "removeBG", cutOut("customMask", opaque), []string{"customMask", "transparent"}},
		{"a mask with the data prefix", "removeBG", cutOut("customMask", "data:image/png;base64,"+encode(half)), []string{"customMask", "data"}},
		{"a mask that is not base64", "removeBG", cutOut("customMask", "***"), []string{"customMask", "base64"}},
		{"a mask that is no picture", "removeBG", cutOut("customMask", "aGVsbG8="), []string{"customMask"}},
		{"a mask address that is none", "removeBG", byAddress("mask.png"), []string{"customMaskUrl"}},
		{"the address of a photo for a mask", "removeBG", byAddress(source), []string{"customMaskUrl", "transparent"}},
		{"the address of a mask of another size", "removeBG", byAddress(w.upload(mask.EncodeRGBA(tall))), []string{"customMaskUrl", "520 × 600", "520 × 560"}},
		{"no mask type", "removeBG", map[string]any{"backgroundHex": "#ffffff"}, []string{"maskType"}},
		{"a mask type of another agent", "removeBG", map[string]any{"maskType": "autoHumanSegment"}, []string{"maskType"}},
		{"a colour in words", "removeBG", cutOut("backgroundHex", "white"), []string{"backgroundHex"}},
		{"a background that is not there", "removeBG", cutOut("backgroundId", 999999), []string{"backgroundId", "999999"}},
		{"an unknown image format", "aimodel", model("resultImageFormat", "tiff"), []string{"resultImageFormat"}},
		{"no content", "aimodel", model("generatedContent", nil), []string{"generatedContent is required."}},
		{"none of location, model and text", "aimodel", model("locationId", nil), []string{"locationId or fashionModelId or textDescription: at least one is given."}},
		{"a location that is not there", "aimodel", model("locationId", 5), []string{"locationId", "5"}},
		{"a model that is not there", "aimodel", model("fashionModelId", 5), []string{"fashionModelId", "5"}},
		{"a location named by text", "aimodel", model("locationId", "beach"), []string{"locationId"}},
		{"an unknown pose", "aimodel", model("pose", "yoga"), []string{"pose"}},
		{"a product without scene", "aiproduct", map[string]any{"generatedContent": "freeCreation", "maskType": "autoSubjectSegment"}, []string{"locationId or textDescription"}},
		{"a canvas of 4097", "expandimage", map[string]any{"targetWidth": 4097, "targetHeight": 600}, []string{"targetWidth must be 1 to 4096 px; it is 4097"}},
		{"a canvas of nothing", "expandimage", map[string]any{"targetWidth": 0, "targetHeight": 600}, []string{"targetWidth"}},
		{"half a canvas", "expandimage", map[string]any{"targetWidth": 600}, []string{"targetHeight"}},
		{"a place beside the canvas", "expandimage", map[string]any{"targetWidth": 600, "targetHeight": 600, "fillLeft": 593}, []string{"fillLeft"}},
		{"a place before the canvas", "expandimage", map[string]any{"targetWidth": 600, "targetHeight": 600, "fillLeft": -513}, []string{"fillLeft"}},
		{"a pose without words", "aipose", map[string]any{}, []string{"textDescription"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := w.post(upstream.PathTaskExecute, w.key, upstream.TaskExecute{TaskID: tasks[tt.agent], Params: tt.params})
			if a.status != http.StatusBadRequest || a.Code != upstream.CodeParameter {
				t.Fatalf("status %d, %s", a.status, a.raw)
			}
			agent, _ := catalog.Find(tt.agent, "v1.0")
			for _, p := range agent.Params {
				if strings.Contains(p.Title, " ") && strings.Contains(a.Msg, p.Title) {
					t.Errorf("%q names a field as the form does: %q", a.Msg, p.Title)
				}
			}
			for _, part := range tt.says {
				if !strings.Contains(a.Msg, part) {
					t.Errorf("%q does not mention %q", a.Msg, part)
				}
			}
		})
	}
	for name, body := range map[string]any{
		"no params":       map[string]any{"taskId": tasks["removeBG"]},
		"no task":         map[string]any{"params": cutOut()},
		"a callback path": map[string]any{"taskId": tasks["removeBG"], "params": cutOut(), "callbackUrl": "/done"},
		"a callback file": map[string]any{"taskId": tasks["removeBG"], "params": cutOut(), "callbackUrl": "ftp://x.example/done"},
		"a callback here": map[string]any{"taskId": tasks["removeBG"], "params": cutOut(), "callbackUrl": "http://127.0.0.1:9/done"},
	} {
		if a := w.post(upstream.PathTaskExecute, w.key, body); a.status != http.StatusBadRequest || a.Success {
			t.Errorf("%s: status %d, %s", name, a.status, a.raw)
		}
	}
	if a := w.post(upstream.PathTaskExecute, w.key, upstream.TaskExecute{TaskID: "none", Params: cutOut()}); a.status != http.StatusNotFound {
		t.Errorf("an unknown task: status %d", a.status)
	}
	for _, task := range tasks {
		if got := must[upstream.Task](t, w.post(upstream.PathTaskQuery, w.key, upstream.TaskQuery{TaskID: task})); len(got.Executions) != 0 {
			t.Errorf("a refused execution is there: %+v", got.Executions)
		}
	}
}

// What an agent does not know is ignored whatever it says (design: unknown fields are ignored).
func TestParamsThatAnAgentDoesNotKnowDoNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(cfg *Config) { cfg.Switches.Slow = time.Hour })
	source := w.upload(testpics.PNG(photo()))
	ask := func(agent string, input, params map[string]any) answer {
		t.Helper()
		return w.post(upstream.PathRuns, w.key, upstream.RunStart{Agent: upstream.RunAgent{Name: agent, Version: "v1.0"}, Input: input, Params: params})
	}
	original, images := map[string]any{"originalImage": source}, map[string]any{"images": []any{source}}
	film := map[string]any{"videos": []any{"https://films.example/a.mp4"}}
	for _, tt := range []struct {
		name, agent string
		input       map[string]any
		params      map[string]any
	}{
		{"presets that are null", "removeBG", original, cutOut("locationId", nil, "fashionModelId", nil, "batchCount", 1)},
		{"presets that are not there", "removeBG", original, cutOut("locationId", 0, "fashionModelId", "abc", "backgroundId", nil, "batchCount", 1)},
		{"a mask type", "ai-aging", images, map[string]any{"maskType": "custom", "customMaskUrl": "nowhere"}},
		{"a mask of ours that is gone", "removeBG", original, map[string]any{
			"maskType": "autoSubjectSegment", "customMaskUrl": w.srv.URL + "/openapi/files/none.png", "backgroundHex": "#FFFFFF", "batchCount": 1,
		}},
		{"more results than one", "video-watermark-remover", film, map[string]any{"batchCount": 17}},
		{"results without end", "video-watermark-remover", film, map[string]any{"batchCount": 1e300}},
	} {
		started := must[upstream.RunStarted](t, ask(tt.agent, tt.input, tt.params))
		var items int
		if err := w.svc.db.Read.QueryRowContext(t.Context(), "SELECT count(*) FROM item WHERE execution_id = $1", started.ExecutionID).Scan(&items); err != nil {
			t.Fatal(err)
		}
		if items != 1 {
			t.Errorf("%s: %d items", tt.name, items)
		}
	}
	if got := must[upstream.Estimate](t, w.post(upstream.PathEstimates, w.key, upstream.RunStart{
		Agent: upstream.RunAgent{Name: "video-watermark-remover", Version: "v1.0"}, Input: film, Params: map[string]any{"batchCount": 20000},
	})); got.TotalPower != 1 {
		t.Errorf("the estimate counts %v", got.TotalPower)
	}
}

// A canvas that no param of the agent names neither makes a picture dearer nor keeps it from being scaled down.
func TestOnlyTheLargerCanvasHasACanvas(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(cfg *Config) { cfg.Switches.Slow = time.Hour })
	needs := func(change ...any) need {
		t.Helper()
		e, err := w.svc.read().FindExecution(t.Context(), must[upstream.RunStarted](t, w.post(upstream.PathRuns, w.key, w.runBody(change...))).ExecutionID)
		if err != nil {
			t.Fatal(err)
		}
		n, err := w.svc.needOf(t.Context(), e)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if plain, lifted := needs(), needs("targetWidth", 3e8, "targetHeight", 3e8); lifted != plain {
		t.Errorf("with a canvas it needs %+v, without %+v", lifted, plain)
	}
}

func TestParamsComeBackAsUsed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(cfg *Config) { cfg.Switches.Slow = time.Hour })
	task := w.task("removeBG", w.upload(testpics.PNG(photo())))
	for _, sent := range []any{nil, 0, 17, -1} {
		params := cutOut("batchCount", sent, "note", "a < b & c")
		if sent == nil {
			delete(params, "batchCount")
		}
		got := w.query(w.execute(task, params)).Executions[0]
		if got.Params["batchCount"] != 4.0 || len(got.Result) != 4 {
			t.Errorf("batchCount %v: used %v, %d items", sent, got.Params["batchCount"], len(got.Result))
		}
		if got.Params["note"] != "a < b & c" || got.Params["customMask"] != params["customMask"] || got.Params["backgroundHex"] != "#204060" {
			t.Errorf("params = %v", got.Params)
		}
	}
	for _, sent := range []any{1, 16, "3"} {
		want := map[any]int{1: 1, 16: 16, "3": 3}[sent]
		if got := w.query(w.execute(task, cutOut("batchCount", sent))).Executions[0]; len(got.Result) != want {
			t.Errorf("batchCount %v: %d items", sent, len(got.Result))
		}
	}
	raw := w.post(upstream.PathTaskQuery, w.key, upstream.TaskQuery{TaskID: task}).raw
	if !strings.Contains(string(raw), "a < b & c") {
		t.Errorf("text comes back escaped: %.300s", raw)
	}
}

func TestExecutionPassesThroughItsStatuses(t *testing.T) {
	t.Parallel()
	work := newGate(t, undertookRender, 1)
	w := newWatchedWorld(t, func(cfg *Config) { cfg.Workers = 1 }, work.pass)
	execution := w.execute(w.task("removeBG", w.upload(testpics.PNG(photo()))), cutOut("batchCount", 2))
	var seen []string
	look := func() upstream.Execution {
		e := w.query(execution).Executions[0]
		if len(seen) == 0 || seen[len(seen)-1] != e.Status {
			seen = append(seen, e.Status)
		}
		for _, item := range e.Result {
			if len(item.Progress) != 4 || (item.Status == statusSuccess) != (item.Image != "") {
				t.Fatalf("item = %+v", item)
			}
		}
		if (e.Status == statusSuccess) != (e.Result[0].Status == statusSuccess && e.Result[1].Status == statusSuccess) {
			t.Fatalf("execution = %+v", e)
		}
		return e
	}
	look() // perhaps it has begun
	work.await(t)
	if e := look(); e.Status != statusRunning || e.Result[0].Status != statusSuccess || e.Result[1].Status != statusRunning {
		t.Errorf("at the second picture: %+v", e)
	}
	work.open()
	eventually(t, look, func(e upstream.Execution) bool { return ended(e.Status) })
	if seen[0] == statusPending {
		seen = seen[1:]
	}
	if diff := cmp.Diff([]string{statusRunning, statusSuccess}, seen); diff != "" {
		t.Errorf("statuses (-want +got):\n%s", diff)
	}
	if _, err := time.Parse(upstream.ExecutionTimeLayout, w.query(execution).Executions[0].ExecutionTime); err != nil {
		t.Error(err)
	}
}

func TestASourceThatCannotBeReadFailsInWords(t *testing.T) {
	t.Parallel()
	var hits atomic.Int64
	away := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		hits.Add(1)
		switch r.URL.Path {
		case "/photo.png":
			_, _ = rw.Write(testpics.PNG(photo()))
		case "/page.png":
			_, _ = rw.Write([]byte("<html>"))
		case "/mask.png":
			m, _ := base64.StdEncoding.DecodeString(leftHalf(400, 400))
			_, _ = rw.Write(m)
		case "/huge.png":
			rw.Header().Set("Content-Length", "99999999999")
		default:
			http.NotFound(rw, r)
		}
	}))
	defer away.Close()
	w := newWorld(t, func(cfg *Config) { cfg.AssetHosts = []string{strings.TrimPrefix(away.URL, "http://")} })
	byURL := map[string]any{"maskType": "custom", "customMaskUrl": away.URL + "/mask.png", "batchCount": 2}
	tests := []struct {
		name, file string
		params     map[string]any
		says       []string
	}{
		{"missing", "/none.png", cutOut("batchCount", 2), []string{"originalImage", "404"}},
		{"a page", "/page.png", cutOut("batchCount", 2), []string{"originalImage"}},
		{"too large", "/huge.png", cutOut("batchCount", 2), []string{"originalImage", "64 MB"}},
		{"another size than the mask", "/photo.png", cutOut("batchCount", 2, "customMask", leftHalf(500, 500)), []string{"customMask", "500 × 500", "520 × 560"}},
		{"another size than the mask behind a URL", "/photo.png", byURL, []string{"customMaskUrl", "400 × 400", "520 × 560"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := w.finish(w.execute(w.task("removeBG", away.URL+tt.file), tt.params))
			if got.Status != statusFailed || len(got.Result) != 2 {
				t.Fatalf("execution = %+v", got)
			}
			for _, item := range got.Result {
				for _, part := range tt.says {
					if item.Status != statusFailed || !strings.Contains(item.Error, part) {
						t.Errorf("item %+v does not mention %q", item, part)
					}
				}
			}
		})
	}
	before := hits.Load()
	good := w.finish(w.execute(w.task("removeBG", away.URL+"/photo.png"), cutOut("batchCount", 3)))
	if good.Status != statusSuccess || hits.Load()-before != 1 {
		t.Errorf("a good source: %+v after %d fetches", good, hits.Load()-before)
	}
	if a := w.post(upstream.PathTaskCreate, w.key, upstream.TaskCreate{
		AgentName: "removeBG", AgentVersion: "v1.0",
		InitParams: map[string]any{"originalImage": "https://elsewhere.example/a.png"},
	}); a.Success {
		t.Errorf("a host that is not on the list is accepted: %s", a.raw)
	}
}

// Pictures that come slowly from elsewhere keep nobody else waiting, and are made when they have come.
func TestSourcesThatComeSlowlyHoldUpNobodyElse(t *testing.T) {
	t.Parallel()
	picture, come := testpics.PNG(photo()), make(chan struct{})
	away := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		_, _ = rw.Write(picture[:100])
		_ = http.NewResponseController(rw).Flush()
		select {
		case <-come:
			_, _ = rw.Write(picture[100:])
		case <-r.Context().Done():
		}
	}))
	defer away.Close()
	w := newWorld(t, func(cfg *Config) {
		cfg.Workers, cfg.AssetHosts = 2, []string{strings.TrimPrefix(away.URL, "http://")}
	})
	var slow []string
	for n := range 4 {
		slow = append(slow, w.execute(w.task("removeBG", fmt.Sprintf("%s/%d.png", away.URL, n)), cutOut("batchCount", 1)))
	}
	if got := w.finish(w.execute(w.task("removeBG", w.upload(picture)), cutOut("batchCount", 1))); got.Status != statusSuccess {
		t.Errorf("beside slow ones: %+v", got)
	}
	for _, id := range slow {
		if got := w.query(id).Executions[0]; ended(got.Status) {
			t.Errorf("its picture has not come: %+v", got)
		}
	}
	w.restart() // what is on its way then is fetched anew
	close(come)
	for _, id := range slow {
		if got := w.finish(id); got.Status != statusSuccess {
			t.Errorf("after its picture has come: %+v", got)
		}
	}
}

func TestResultsComeInTheFormatAskedFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	got := w.finish(w.execute(w.task("removeBG", w.upload(testpics.PNG(photo()))), cutOut("resultImageFormat", "jpg")))
	a := w.fetch(got.Result[0].Image)
	if a.header.Get("Content-Type") != "image/jpeg" || !strings.HasPrefix(string(a.raw), "\xff\xd8") || !strings.HasSuffix(got.Result[0].Image, ".jpg") {
		t.Errorf("%s is %s", got.Result[0].Image, a.header.Get("Content-Type"))
	}
}

func TestTagsChooseALocation(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	got := w.finish(w.execute(w.task("aimodel", w.upload(testpics.PNG(photo()))), map[string]any{
		"generatedContent": "freeCreation",
		"maskType":         "custom", "customMask": leftHalf(520, 560), "textDescription": "calm", "locationTagIds": []int{11}, "batchCount": 1,
	}))
	if got.Status != statusSuccess {
		t.Errorf("execution = %+v", got)
	}
	if id := taggedPreset("locationId", catalog.Values{"locationTagIds": []any{11.0}}, 5); id == 0 {
		t.Error("no location bears tag 11")
	}
	if id := taggedPreset("locationId", catalog.Values{"locationTagIds": []any{99.0}}, 5); id != 0 {
		t.Errorf("location %d bears tag 99", id)
	}
}
