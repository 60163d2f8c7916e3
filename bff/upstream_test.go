package bff_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"

	"atelier/atelier"
	"atelier/bff"
	"atelier/catalog"
	"atelier/imaging"
	"atelier/internal/killable"
	"atelier/internal/outbound"
	"atelier/service"
	"atelier/upstream"
)

func TestARefusalIsToldInTheServicesWords(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	start := removal("refused", s.upload(photo(50)))
	delete(start.Values, "backgroundHex")
	start.Values["backgroundId"] = 999_999_999
	run := s.startRun(start)
	failed := s.untilState(run.ID, atelier.StateFailed)
	if failed.Error == nil || failed.Error.Code != atelier.Refused || !strings.HasPrefix(failed.Error.Message, "The image service refused this run: ") {
		t.Errorf("the error is %+v", failed.Error)
	}
}

func TestMasksGoOutAsConfigured(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		change  func(*bff.Config)
		field   string
		palette bool
	}{
		{"base64 RGBA", func(*bff.Config) {}, "customMask", false},
		{"base64 palette", func(c *bff.Config) { c.MaskPNG = "palette" }, "customMask", true},
		{"an address", func(c *bff.Config) { c.MaskRoute = "url" }, "customMaskUrl", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newStudio(t, tt.change)
			run := s.startRun(removal("mask route", s.upload(photo(51))))
			done := s.untilState(run.ID, atelier.StateDone)
			task, err := s.upstream.QueryTask(t.Context(), upstream.TaskQuery{ExecutionID: done.ExecutionID})
			s.check(err)
			sent, _ := task.Executions[0].Params[tt.field].(string)
			if sent == "" {
				t.Fatalf("the params are %v", task.Executions[0].Params)
			}
			if tt.field == "customMaskUrl" {
				return
			}
			raw, err := base64.StdEncoding.DecodeString(sent)
			s.check(err)
			plane, fromAlpha, err := imaging.DecodeMask(t.Context(), raw, imaging.DefaultLimits)
			if err != nil || !fromAlpha || plane.W != 530 || plane.H != 560 {
				t.Errorf("the mask is %d × %d, %v", plane.W, plane.H, err)
			}
			const palette = 3 // PNG's colour type, after the signature and the first of IHDR
			if (raw[25] == palette) != tt.palette {
				t.Errorf("the mask has the colour type %d", raw[25])
			}
		})
	}
}

func TestWorkMadeElsewhereIsBroughtIn(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	run := s.startRun(removal("elsewhere", s.upload(photo(52))))
	done := s.untilState(run.ID, atelier.StateDone)
	// The record is lost, as by a restored backup.
	for _, table := range []string{"inbox", "answers", "board_results", "results", "runs"} {
		if _, err := s.db.Write.ExecContext(t.Context(), "DELETE FROM "+table); err != nil {
			t.Fatal(err)
		}
	}
	var tasks atelier.TaskPage
	s.json("GET", "/api/tasks", nil, http.StatusOK, &tasks)
	if len(tasks.Tasks) != 1 || tasks.Tasks[0].ID != done.TaskID || !strings.HasPrefix(tasks.Tasks[0].Name, "Red-dress~") {
		t.Fatalf("the tasks are %+v", tasks)
	}
	if r := s.send("GET", tasks.Tasks[0].Executions[0].Images[0], nil, nil); r.status != http.StatusOK {
		t.Errorf("the picture of a task = %d", r.status)
	}
	var page atelier.RunPage
	s.json("POST", "/api/tasks/"+done.TaskID+"/import", nil, http.StatusCreated, &page)
	if len(page.Runs) != 1 || page.Runs[0].Title != "Red-dress" || page.Runs[0].Values["backgroundHex"] != "#FFEEDD" {
		t.Fatalf("imported %+v", page)
	}
	again := s.until(page.Runs[0].ID, "compared with its source", func(r atelier.Run) bool {
		return r.State == atelier.StateDone && r.Results[0].Stored && r.Results[0].Fidelity != nil
	})
	if again.Asset == nil || again.Asset.ID != run.Asset.ID || !again.Results[0].Fidelity.Comparable {
		t.Errorf("the run is of %+v, and %+v", again.Asset, again.Results[0].Fidelity)
	}
	at := tasks.Tasks[0].Executions[0].Time
	if at == nil {
		t.Fatal("the execution has no time")
	}
	if id := uuid.MustParse(string(again.ID)).Time(); !again.CreatedAt.Equal(*at) || time.Unix(id.UnixTime()).Truncate(time.Second).Compare(*at) != 0 {
		t.Errorf("made at %s, and stands at %v; the service says %s", again.CreatedAt, id, at)
	}
	var found atelier.RunPage
	s.json("GET", "/api/runs?q=dress.jpg", nil, http.StatusOK, &found)
	if len(found.Runs) != 1 {
		t.Errorf("by the name of its photo are found %+v", found.Runs)
	}
	s.json("POST", "/api/tasks/"+done.TaskID+"/import", nil, http.StatusCreated, &page)
	if len(page.Runs) != 0 {
		t.Errorf("imported twice: %+v", page)
	}
	s.json("DELETE", "/api/tasks/"+done.TaskID, nil, http.StatusNoContent, nil)
	s.json("GET", "/api/tasks", nil, http.StatusOK, &tasks)
	if len(tasks.Tasks) != 0 {
		t.Errorf("still there: %+v", tasks)
	}
}

// A client of another make writes numbers as text and options in the words of the service; its run is read in the words of the studio,
// with all of its files.
func TestWorkOfAnotherClientIsReadInTheStudiosWords(t *testing.T) {
	t.Parallel()
	agents := slices.Clone(catalog.All())
	i := slices.IndexFunc(agents, func(a catalog.Agent) bool { return a.Name == "removeBG" })
	a := &agents[i]
	a.Files = append(slices.Clone(a.Files), catalog.File{Name: "images", Title: "More", Media: catalog.Image, Max: 3, List: true})
	a.Params = slices.Clone(a.Params)
	a.Params[0].Options = slices.Clone(a.Params[0].Options)
	a.Params[0].Options[0].Wire = "subjectOfTheService"
	s := (&studio{
		asleep: true, change: func(c *bff.Config) { c.Agents = agents }, configure: func(c *service.Config) { c.Agents = agents },
	}).move(t)
	brought := func(seed uint64) string {
		data := photo(seed)
		up, err := s.upstream.UploadImage(t.Context(), upstream.RunSurface, upstream.Upload{Name: "a.jpg", ContentType: "image/jpeg", Body: bytes.NewReader(data), Size: int64(len(data))})
		s.check(err)
		return up.Image
	}
	const lost = "https://nowhere.invalid/gone.jpg"
	task, err := s.upstream.CreateTask(t.Context(), upstream.TaskCreate{AgentName: "removeBG", AgentVersion: "v1.0", InitParams: map[string]any{
		"taskName": "other", "originalImage": brought(61), "images": []string{brought(62), lost},
	}})
	s.check(err)
	_, err = s.upstream.ExecuteTask(t.Context(), upstream.TaskExecute{TaskID: task.TaskID, Params: map[string]any{
		"maskType": "subjectOfTheService", "batchCount": "2", "backgroundHex": "#FFEEDD",
	}})
	s.check(err)
	var page atelier.RunPage
	s.json("POST", "/api/tasks/"+task.TaskID+"/import", nil, http.StatusCreated, &page)
	if len(page.Runs) != 1 {
		t.Fatalf("imported %+v", page)
	}
	run := page.Runs[0]
	if diff := cmp.Diff(map[string]any{"maskType": "autoSubjectSegment", "batchCount": 2.0, "backgroundHex": "#FFEEDD"}, run.Values); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
	if run.Asset == nil || !slices.Equal(run.Files["originalImage"], []string{string(run.Asset.ID)}) {
		t.Errorf("the source is %+v, the files %v", run.Asset, run.Files)
	}
	if more := run.Files["images"]; len(more) != 2 || strings.Contains(more[0], "/") || more[1] != lost {
		t.Errorf("of the other files, one is here and one is not: %v", more)
	}
}

func TestAnEstimateNeedsAHistoryOfRunsAlike(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	run := s.startRun(removal("eta", s.upload(photo(53))))
	now := time.Now()
	if _, err := s.db.Accept(t.Context(), run.ID, "e-now", "t"); err != nil {
		t.Fatal(err)
	}
	begun := func(seconds int) int64 { return now.Add(-time.Duration(seconds) * time.Second).UnixMilli() }
	if _, err := s.db.Write.ExecContext(t.Context(), "UPDATE runs SET last_sent_at = $1", begun(10)); err != nil {
		t.Fatal(err)
	}
	if got := s.run(run.ID); got.ETA != nil {
		t.Errorf("without a history the estimate is %d s", *got.ETA)
	}
	s.restart() // forgets that there was no history
	s.close()
	s.open()
	for i, seconds := range []int{38, 40, 42, 400} {
		old := removal("old "+string(rune('a'+i)), *run.Asset)
		if seconds == 400 {
			old.Values["batchCount"] = 16
		}
		r := s.startRun(old)
		if _, err := s.db.Write.ExecContext(t.Context(), "UPDATE runs SET state = 'done', last_sent_at = $2, checked_at = $3 WHERE id = $1",
			string(r.ID), begun(1000), begun(1000-seconds)); err != nil {
			t.Fatal(err)
		}
	}
	if got := s.run(run.ID); got.ETA == nil || *got.ETA < 25 || *got.ETA > 31 {
		t.Errorf("the estimate is %v, want about 30 s", got.ETA)
	}
}

func TestTheStudioTellsItsNumbers(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	s.startRun(removal("numbers", s.upload(photo(54))))
	s.event(s.listen(""))
	registry := prometheus.NewPedanticRegistry()
	s.check(registry.Register(s.bff.Collector()))
	families, err := registry.Gather()
	s.check(err)
	got := map[string]float64{}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			got[f.GetName()] += m.GetGauge().GetValue()
		}
	}
	delete(got, "atelier_jobs_oldest_seconds") // a time
	if diff := cmp.Diff(map[string]float64{"atelier_callbacks_total": 0, "atelier_panics_total": 0, "atelier_jobs": 1, "atelier_runs": 1, "atelier_sockets": 1}, got); diff != "" {
		t.Errorf("numbers (-want +got):\n%s", diff)
	}
}

// far is an image service on a network: the embedded one behind a port of its own that can be opened and closed.
type far struct {
	t        *testing.T
	s        *studio
	address  string
	server   *httptest.Server
	mu       sync.Mutex
	headers  []http.Header
	busy     int // answers of 503 to give first
	requests []string
}

func (f *far) open() {
	f.t.Helper()
	var config net.ListenConfig
	l, err := config.Listen(f.t.Context(), "tcp", f.address)
	f.s.check(err)
	f.server = &httptest.Server{Listener: l, Config: &http.Server{Handler: f, ReadHeaderTimeout: time.Minute}} //nolint:exhaustruct // the rest has useful zero values
	f.server.Start()
}

func (f *far) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	f.headers = append(f.headers, r.Header.Clone())
	f.requests = append(f.requests, r.Method+" "+r.URL.Path)
	busy := f.busy > 0 && r.Method == http.MethodPost
	if busy {
		f.busy--
	}
	f.mu.Unlock()
	if busy {
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	f.s.service.Handler().ServeHTTP(w, r)
}

func remoteStudio(t *testing.T) *far {
	t.Helper()
	f := &far{t: t, address: killable.Address(t)}
	f.s = newIdleStudio(t, func(c *bff.Config) {
		up, err := upstream.New(upstream.Options{BaseURL: "http://" + f.address, Key: testKey, OnAnswer: bff.OnAnswer})
		if err != nil {
			t.Fatal(err)
		}
		c.Upstream, c.UpstreamKind = up, "remote"
		c.Outbound = outbound.New(outbound.Policy{Hosts: []string{f.address}})
	})
	f.s.start()
	return f
}

func TestARunWaitsUntilTheServiceCanBeReached(t *testing.T) {
	t.Parallel()
	f := remoteStudio(t)
	run := f.s.startRun(removal("unreachable", f.s.upload(photo(55))))
	waiting := f.s.until(run.ID, "told to wait", func(r atelier.Run) bool { return r.Error != nil })
	if waiting.State != atelier.StateRecorded || waiting.Error.Code != atelier.UpstreamBusy || !waiting.Error.Retryable {
		t.Errorf("a run that waits is %+v", waiting)
	}
	f.mu.Lock()
	f.busy = 2
	f.mu.Unlock()
	f.open()
	defer f.server.Close()
	done := f.s.untilState(run.ID, atelier.StateDone)
	if done.Error != nil || !done.Results[0].Stored {
		t.Errorf("the run is %+v", done)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for i, h := range f.headers {
		path := f.requests[i]
		key := h.Get("Authorization")
		if fromAPI := !strings.Contains(path, "/openapi/files/"); fromAPI != (key == testKey) {
			t.Errorf("%s carried %q", path, key)
		}
		if h.Get("Cookie") != "" || h.Get("Idempotency-Key") != "" {
			t.Errorf("%s carried %v", path, h)
		}
	}
	if n := len(slices.DeleteFunc(slices.Clone(f.requests), func(r string) bool { return !strings.HasSuffix(r, "/task/execute") })); n < 1 {
		t.Errorf("the run was executed %d times", n)
	}
}

func TestAResultThatIsNoPictureIsNeverKept(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	s.close()
	var mu sync.Mutex
	broken := 2
	s.change = func(c *bff.Config) {
		inside := upstream.InProcess(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			bad := broken > 0 && !strings.HasPrefix(r.URL.Path, "/openapi/")
			if bad {
				broken--
			}
			which := broken
			mu.Unlock()
			if !bad {
				s.service.Handler().ServeHTTP(w, r)
				return
			}
			body := "<html>busy</html>"
			if which == 0 {
				body = "\x89PNG\r\n\x1a\n" // and then nothing
			}
			if _, err := io.WriteString(w, body); err != nil {
				t.Error(err)
			}
		}))
		c.Outbound = outbound.New(outbound.Policy{InProcess: map[string]http.RoundTripper{service.EmbeddedHost: inside}})
	}
	s.open()
	s.start()
	run := s.startRun(removal("no picture", s.upload(photo(56))))
	done := s.untilState(run.ID, atelier.StateDone)
	file := s.send("GET", done.Results[0].File, nil, nil)
	if _, _, err := imaging.Decode(context.WithoutCancel(t.Context()), file.body, imaging.DefaultLimits); err != nil {
		t.Errorf("what is kept cannot be opened: %v", err)
	}
}

func TestTheCostIsToldBeforehandWhereTheServiceCan(t *testing.T) {
	t.Parallel()
	ask := func(s *studio, change func(*atelier.StartRun)) reply {
		start := removal("cost", s.upload(photo(57)))
		start.IntentKey = ""
		change(&start)
		raw, err := json.Marshal(start)
		s.check(err)
		return s.send("POST", "/api/estimates", bytes.NewReader(raw), func(r *http.Request) { r.Header.Set("Content-Type", "application/json") })
	}
	nothing := func(*atelier.StartRun) {}
	if r := ask(newIdleStudio(t, nil), nothing); r.status != http.StatusNotFound {
		t.Errorf("of a service that cannot = %d", r.status)
	}
	s := newIdleStudio(t, nil)
	s.close()
	s.estimates = true
	s.change = func(c *bff.Config) { c.Estimates = true }
	s.open()
	var e atelier.Estimate
	r := ask(s, nothing)
	s.check(json.Unmarshal(r.body, &e))
	if r.status != http.StatusOK || e.TotalPower <= 0 {
		t.Errorf("the cost = %d %s", r.status, r.body)
	}
	if r := ask(s, func(start *atelier.StartRun) { delete(start.Values, "maskType") }); r.status != http.StatusBadRequest {
		t.Errorf("the cost of what cannot work = %d %s", r.status, r.body)
	}
	var page atelier.RunPage
	s.json("GET", "/api/runs", nil, http.StatusOK, &page)
	if len(page.Runs) != 0 {
		t.Errorf("asking for the cost made %d runs", len(page.Runs))
	}
}

func TestPicturesAreListedInPages(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	var want, got []atelier.AssetID
	for n := range uint64(5) {
		want = append([]atelier.AssetID{s.upload(photo(80 + n)).ID}, want...)
	}
	if again := s.upload(photo(84)); again.ID != want[0] {
		t.Errorf("the same picture again is %s, not %s", again.ID, want[0])
	}
	for cursor := ""; ; {
		var page atelier.AssetPage
		s.json("GET", "/api/assets?limit=2&cursor="+cursor, nil, http.StatusOK, &page)
		for _, a := range page.Assets {
			got = append(got, a.ID)
		}
		if cursor = page.NextCursor; cursor == "" {
			break
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("pages (-want +got):\n%s", diff)
	}
	var one atelier.Asset
	s.json("GET", "/api/assets/"+string(want[0]), nil, http.StatusOK, &one)
	if one.ID != want[0] || one.Width != 530 {
		t.Errorf("the asset is %+v", one)
	}
}

func TestBoardsHoldPicturesAndLetThemGo(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	var board atelier.Board
	s.json("POST", "/api/boards", atelier.CreateBoard{Name: "Spring"}, http.StatusCreated, &board)
	start := removal("board", s.upload(photo(58)))
	start.Board = board.ID
	run := s.untilState(s.startRun(start).ID, atelier.StateDone)
	other := s.untilState(s.startRun(removal("no board", *run.Asset)).ID, atelier.StateDone)
	s.json("PATCH", "/api/results/"+string(other.Results[0].ID), atelier.UpdateResult{Boards: &[]atelier.BoardID{board.ID}}, http.StatusOK, nil)
	on := func() int {
		var page atelier.RunPage
		s.json("GET", "/api/runs?board="+string(board.ID), nil, http.StatusOK, &page)
		return len(page.Runs)
	}
	if n := on(); n != 2 {
		t.Errorf("%d runs are on the board, want 2", n)
	}
	s.json("DELETE", "/api/boards/"+string(board.ID), nil, http.StatusNoContent, nil)
	s.json("DELETE", "/api/boards/"+string(board.ID), nil, http.StatusNotFound, nil)
	var list atelier.BoardList
	s.json("GET", "/api/boards", nil, http.StatusOK, &list)
	if len(list.Boards) != 0 || on() != 0 || s.run(run.ID).Board != "" {
		t.Errorf("the board is still there: %+v", list)
	}
	gone := start
	gone.IntentKey = intentKey("a board that is gone")
	s.json("POST", "/api/runs", gone, http.StatusNotFound, nil)
}
