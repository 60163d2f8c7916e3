package bff_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"atelier/atelier"
	"atelier/imaging"
	"atelier/imaging/probe"
	"atelier/imaging/testpics"
	"atelier/service/presets"
)

func TestAPictureBecomesResultsThatAreKeptHere(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	socket := s.listen("")
	asset := s.upload(photo(1))
	run := s.startRun(removal("journey", asset))
	if run.State != atelier.StateRecorded || run.Surface != atelier.TaskSurface || run.Asset == nil || run.Asset.ID != asset.ID {
		t.Errorf("the answer is %+v", run)
	}
	done := s.untilState(run.ID, atelier.StateDone)
	if done.Status != atelier.Success || len(done.Results) != 1 || !done.Results[0].Stored || done.Error != nil {
		t.Fatalf("the run is %+v", done)
	}
	s.until(run.ID, "scored", func(r atelier.Run) bool { return r.Results[0].Score != nil && *r.Results[0].Score > .95 })
	res := done.Results[0]
	file := s.send("GET", res.File, nil, nil)
	img, facts, err := imaging.Decode(t.Context(), file.body, imaging.DefaultLimits)
	if err != nil || facts.Width != res.Width || facts.Height != res.Height || res.Width != 530 || res.Height != 560 {
		t.Fatalf("the file is %+v, %v", facts, err)
	}
	if got := img.NRGBAAt(265, 500); got.R != 0xFF || got.G != 0xEE || got.B != 0xDD {
		t.Errorf("the redrawn half is %v", got)
	}
	thumb := s.send("GET", res.Thumb+"?w=160", nil, nil)
	if cfg, err := imaging.Inspect(thumb.body, imaging.DefaultLimits); err != nil || max(cfg.Width, cfg.Height) != 160 {
		t.Errorf("the thumbnail is %+v, %v", cfg, err)
	}

	// The browser has heard of all of it, in order, the last state at the end.
	var last atelier.Run
	rev := int64(-1)
	for last.State != atelier.StateDone {
		e := s.event(socket)
		if e.Rev < rev {
			t.Errorf("event %d after %d", e.Rev, rev)
		}
		rev = e.Rev
		if e.Type == atelier.EventRun {
			s.check(json.Unmarshal(e.Data, &last))
		}
	}
	done.Results[0].Score, last.Results[0].Score = nil, nil // comes when it comes
	if diff := cmp.Diff(done, last); diff != "" {
		t.Errorf("the last event (-stored +event):\n%s", diff)
	}

	var page atelier.RunPage
	s.json("GET", "/api/runs?q=red+dress&status=Success", nil, http.StatusOK, &page)
	if len(page.Runs) != 1 || page.Runs[0].ID != run.ID {
		t.Errorf("the search finds %+v", page)
	}
	var starred atelier.Result
	yes := true
	s.json("PATCH", "/api/results/"+string(res.ID), atelier.UpdateResult{Starred: &yes}, http.StatusOK, &starred)
	if !starred.Starred {
		t.Error("the star is lost")
	}
}

func TestTheSameIntentAHundredTimesIsOneRunAndOneExecution(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	start := removal("double-click", s.upload(photo(2)))
	start.IntentKey = intentKey("double-click")
	var mu sync.Mutex
	ids := map[atelier.RunID]bool{}
	var wg sync.WaitGroup
	for range 100 {
		wg.Go(func() {
			raw, err := json.Marshal(start)
			if err != nil {
				t.Error(err)
				return
			}
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.http.URL+"/api/runs", bytes.NewReader(raw))
			if err != nil {
				t.Error(err)
				return
			}
			req.Header.Set("Content-Type", "application/json")
			req.Header.Set("X-Atelier", "1")
			resp, err := s.browser.Do(req)
			if err != nil {
				t.Error(err)
				return
			}
			var body atelier.RunBody
			err = json.NewDecoder(resp.Body).Decode(&body)
			if err = errors.Join(err, resp.Body.Close()); err != nil || resp.StatusCode != http.StatusAccepted {
				t.Errorf("status %d, %v", resp.StatusCode, err)
			}
			mu.Lock()
			defer mu.Unlock()
			ids[body.Run.ID] = true
		})
	}
	wg.Wait()
	if len(ids) != 1 {
		t.Fatalf("%d runs were made", len(ids))
	}
	for id := range ids {
		s.untilState(id, atelier.StateDone)
	}
	if n := s.executions(); n != 1 {
		t.Errorf("the image service worked %d times", n)
	}
}

func TestARunThatCannotWorkIsRefusedBeforeItIsPaid(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	asset := s.upload(photo(3))
	tests := []struct {
		name   string
		change func(*atelier.StartRun)
		field  string
	}{
		{"unknown agent", func(r *atelier.StartRun) { r.Agent = "undress" }, "agent"},
		{"unknown version", func(r *atelier.StartRun) { r.Version = "v9" }, "agent"},
		{"no picture", func(r *atelier.StartRun) { r.Files, r.Mask = nil, nil }, "originalImage"},
		{"a picture that is gone", func(r *atelier.StartRun) { r.Files = map[string][]string{"originalImage": {"gone"}} }, "originalImage"},
		{"a picture at an unsafe address", func(r *atelier.StartRun) {
			r.Files, r.Mask = map[string][]string{"originalImage": {"http://127.0.0.1/x.png"}}, nil
		}, "originalImage"},
		{"a mask of another size", func(r *atelier.StartRun) { r.Mask = &atelier.MaskInput{PNG: halfMask(64, 64)} }, "mask"},
		{"two masks", func(r *atelier.StartRun) { r.Mask.MaskID = "x" }, "mask"},
		{"no mask", func(r *atelier.StartRun) { r.Mask = nil }, "customMask"},
		{"a mask among the values", func(r *atelier.StartRun) { r.Values["customMask"] = "AAAA" }, "customMask"},
		{"a colour that is none", func(r *atelier.StartRun) { r.Values["backgroundHex"] = "red" }, "backgroundHex"},
		{"no kind of mask", func(r *atelier.StartRun) { delete(r.Values, "maskType") }, "maskType"},
		{"a short key", func(r *atelier.StartRun) { r.IntentKey = "short" }, "intentKey"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			start := removal(intentKey(tt.name), asset)
			start.IntentKey = intentKey(tt.name)
			tt.change(&start)
			raw, err := json.Marshal(start)
			s.check(err)
			r := s.send("POST", "/api/runs", bytes.NewReader(raw), func(r *http.Request) { r.Header.Set("Content-Type", "application/json") })
			if r.status != http.StatusBadRequest {
				t.Fatalf("status %d %s", r.status, r.body)
			}
			if e := r.error(t); e.Fields[tt.field] == "" || e.RequestID == "" {
				t.Errorf("the error is %+v, want one about %s", e, tt.field)
			}
		})
	}
	var page atelier.RunPage
	s.json("GET", "/api/runs", nil, http.StatusOK, &page)
	if len(page.Runs) != 0 || s.executions() != 0 {
		t.Errorf("%d runs were recorded", len(page.Runs))
	}
}

func TestARunSurvivesARestartAtEveryMoment(t *testing.T) {
	t.Parallel()
	moments := []struct {
		name string
		wait func(atelier.Run) bool
	}{
		{"at once", func(atelier.Run) bool { return true }},
		{"when it is accepted", func(r atelier.Run) bool { return r.ExecutionID != "" }},
		{"when it has results", func(r atelier.Run) bool { return len(r.Results) > 0 }},
		{"when it is done", func(r atelier.Run) bool { return r.State == atelier.StateDone }},
	}
	for _, m := range moments {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			s := newStudio(t, nil)
			run := s.startRun(removal("restart", s.upload(photo(4))))
			s.until(run.ID, m.name, m.wait)
			s.restart()
			s.untilState(run.ID, atelier.StateDone)
			if n := s.executions(); n != 1 {
				t.Errorf("the image service worked %d times", n)
			}
		})
	}
}

func TestARunThatFailedOrIsDoneIsStartedAgainOnce(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	run := s.startRun(removal("again", s.upload(photo(5))))
	s.untilState(run.ID, atelier.StateDone)
	var first, second atelier.RunBody
	s.json("POST", "/api/runs/"+string(run.ID)+"/retry", nil, http.StatusAccepted, &first)
	s.json("POST", "/api/runs/"+string(run.ID)+"/retry", nil, http.StatusAccepted, &second)
	if first.Run.ID == run.ID || second.Run.ID != first.Run.ID {
		t.Errorf("retries are %s and %s of %s", first.Run.ID, second.Run.ID, run.ID)
	}
	done := s.untilState(first.Run.ID, atelier.StateDone)
	if len(done.Results) != 1 || done.Results[0].Bytes == 0 {
		t.Errorf("the retry is %+v", done)
	}
}

func TestTrashHidesARunUntilItIsRestored(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	run := s.startRun(removal("trash", s.upload(photo(6))))
	s.untilState(run.ID, atelier.StateDone)
	list := func(query string) int {
		var page atelier.RunPage
		s.json("GET", "/api/runs"+query, nil, http.StatusOK, &page)
		return len(page.Runs)
	}
	s.json("DELETE", "/api/runs/"+string(run.ID), nil, http.StatusNoContent, nil)
	if list("") != 0 || list("?trashed=1") != 1 {
		t.Error("the run is not in the trash")
	}
	s.json("POST", "/api/runs/"+string(run.ID)+"/restore", nil, http.StatusOK, nil)
	if list("") != 1 || list("?trashed=1") != 0 {
		t.Error("the run is not back")
	}
}

func TestALayeredFileIsMadeOnceAndKept(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	run := s.startRun(removal("layers", s.upload(photo(7))))
	s.untilState(run.ID, atelier.StateDone)
	path := "/api/runs/" + string(run.ID) + "/psd"
	s.json("POST", path, nil, http.StatusAccepted, nil)
	s.json("POST", path, nil, http.StatusAccepted, nil)
	got := s.until(run.ID, "exported", func(r atelier.Run) bool { return r.PSD != nil && r.PSD.Status == "Success" })
	file := s.send("GET", got.PSD.File, nil, nil)
	if probe.Sniff(file.body) != probe.PSD || !strings.Contains(file.header.Get("Content-Disposition"), "Red dress.psd") {
		t.Errorf("the file is %q, %s", file.body[:4], file.header.Get("Content-Disposition"))
	}
}

func TestPresetsAndTheirPicturesComeFromTheStudioItself(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	for agent, kind := range map[string]string{"aimodel": "locations", "removeBG": "backgrounds"} {
		var page atelier.PresetPage
		s.json("GET", "/api/agents/"+agent+"/presets?kind="+kind+"&pageSize=2", nil, http.StatusOK, &page)
		if len(page.Presets) == 0 {
			t.Fatalf("%s offers no %s", agent, kind)
		}
		path := page.Presets[0].Image
		if !strings.HasPrefix(path, "/api/images/") {
			t.Fatalf("the preview is at %q", path)
		}
		for _, query := range []string{"", "?w=160"} {
			file := s.send("GET", path+query, nil, nil)
			if _, _, err := imaging.Decode(t.Context(), file.body, imaging.DefaultLimits); err != nil || file.status != http.StatusOK {
				t.Errorf("preview%s = %d, %v", query, file.status, err)
			}
		}
		if r := s.send("GET", withOtherEnd(path), nil, nil); r.status != http.StatusNotFound {
			t.Errorf("a forged preview address = %d", r.status)
		}
	}
	var page atelier.PresetPage
	s.json("GET", "/api/agents/expandimage/presets?kind=dimensions", nil, http.StatusOK, &page)
	if len(page.Presets) == 0 || page.Presets[0].Width == 0 {
		t.Errorf("dimensions are %+v", page)
	}
}

func TestOwnLocationsAndModelsBecomeUsable(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	person, err := presets.FashionModels()[0].Draw(t.Context(), 520, 650)
	s.check(err)
	asset := s.upload(testpics.JPEG(person))
	for _, kind := range []string{"locations", "fashion-models"} {
		var made atelier.Preset
		s.json("POST", "/api/"+kind, atelier.CreatePreset{Name: "Ours", Assets: []atelier.AssetID{asset.ID}}, http.StatusCreated, &made)
		var list atelier.PresetList
		for list.Presets == nil || list.Presets[0].Status == "prepare" {
			s.json("GET", "/api/"+kind, nil, http.StatusOK, &list)
		}
		if got := list.Presets[0]; got.ID != made.ID || got.Name != "Ours" || got.Status != "complete" {
			t.Errorf("the preset is %+v", got)
		}
		s.json("DELETE", "/api/"+kind+"/"+strconv.FormatInt(made.ID, 10), nil, http.StatusNoContent, nil)
		s.json("GET", "/api/"+kind, nil, http.StatusOK, &list)
		if len(list.Presets) != 0 {
			t.Errorf("still there: %+v", list)
		}
	}
}

// A run is run again as often as its owner likes, whatever became of the runs that made before; twice at once is once.
func TestARunIsRunAgainAfterEarlierOnesArePurged(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	fail := func(id atelier.RunID) {
		t.Helper()
		if changed, err := s.db.SetState(t.Context(), id, atelier.StateFailed, "", &atelier.Error{Code: atelier.Refused, Message: "No."}); err != nil || !changed {
			t.Fatalf("SetState = %v, %v", changed, err)
		}
	}
	run := s.startRun(removal("again", s.upload(photo(72))))
	fail(run.ID)
	known := map[atelier.RunID]bool{run.ID: true}
	again := func() (id atelier.RunID) {
		t.Helper()
		replies := make([]reply, 4)
		var group sync.WaitGroup
		for i := range replies {
			group.Go(func() { replies[i] = s.send("POST", "/api/runs/"+string(run.ID)+"/retry", nil, nil) })
		}
		group.Wait()
		for _, r := range replies {
			var body atelier.RunBody
			s.check(json.Unmarshal(r.body, &body))
			if id == "" {
				id = body.Run.ID
			}
			if r.status != http.StatusAccepted || body.Run.ID != id || known[id] {
				t.Fatalf("again = %d, run %s, want %s, a new one; known are %v", r.status, body.Run.ID, id, known)
			}
		}
		known[id] = true
		return id
	}
	first := again()
	fail(first)
	second := again()
	fail(second)
	if _, err := s.db.TrashRuns(t.Context(), "local", []atelier.RunID{first}, true); err != nil {
		t.Fatal(err)
	}
	if _, err := s.db.DeleteRun(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	fail(again())
	// What was made twice is no run that was asked for again.
	twice, err := s.db.LoadRun(t.Context(), run.ID)
	s.check(err)
	twice.ID, twice.RetryOf, twice.IntentKey, twice.Tag, twice.State = "", run.ID, "extra:1", twice.Tag+"+1", atelier.StateFailed
	if _, _, err := s.db.CreateRun(t.Context(), twice); err != nil {
		t.Fatal(err)
	}
	again()
}
