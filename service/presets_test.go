package service

import (
	"fmt"
	"image"
	"image/color"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"atelier/imaging/testpics"
	"atelier/upstream"
)

func info(agent string, more ...string) string {
	return upstream.PathAgentInfo + "?agentName=" + agent + "&agentVersion=v1.0" + strings.Join(more, "")
}

func TestAgentInfoHoldsWhatEachAgentOffers(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	for agent, want := range map[string]string{
		"aimodel":      "agentVersion fashionModels locations pagination",
		"aiproduct":    "agentVersion locations",
		"expandimage":  "agentVersion dimensions",
		"removeBG":     "agentVersion backgrounds",
		"aipose":       "agentVersion",
		"virtualtryon": "agentVersion",
	} {
		data := must[map[string]any](t, w.get(info(agent), w.key))
		for _, field := range []string{"agentVersion", "locations", "fashionModels", "backgrounds", "dimensions", "pagination"} {
			if _, has := data[field]; has != strings.Contains(want, field) {
				t.Errorf("%s: %s is there: %v", agent, field, has)
			}
		}
	}
	got := must[upstream.AgentInfo](t, w.get(info("aimodel"), w.key))
	if len(got.Locations) < 12 || len(got.FashionModels) < 8 || got.Pagination.Page != 1 || got.Pagination.PageSize != 50 {
		t.Errorf("aimodel offers %d locations and %d models, %+v", len(got.Locations), len(got.FashionModels), got.Pagination)
	}
	for _, l := range got.Locations {
		if l.Type != typeAI || l.Status != upstream.PresetComplete || l.Name == "" || len(l.Categories) == 0 {
			t.Errorf("location %+v", l)
		}
	}
	if n := len(must[upstream.AgentInfo](t, w.get(info("removeBG"), w.key)).Backgrounds); n < 8 {
		t.Errorf("%d backgrounds", n)
	}
	if n := len(must[upstream.AgentInfo](t, w.get(info("expandimage"), w.key)).Dimensions); n < 8 {
		t.Errorf("%d dimensions", n)
	}
}

func TestAgentInfoIsPaged(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	all := must[upstream.AgentInfo](t, w.get(info("aimodel"), w.key))
	var locations, models []int64
	for page := 1; ; page++ {
		got := must[upstream.AgentInfo](t, w.get(info("aimodel", fmt.Sprintf("&page=%d&pageSize=5", page)), w.key))
		for _, l := range got.Locations {
			locations = append(locations, l.ID)
		}
		for _, m := range got.FashionModels {
			models = append(models, m.ID)
		}
		if got.Pagination.Locations.Total != len(all.Locations) || got.Pagination.FashionModels.Total != len(all.FashionModels) {
			t.Fatalf("page %d: %+v", page, got.Pagination)
		}
		if wantLast := page*5 >= len(all.FashionModels); got.Pagination.FashionModels.IsLastPage != wantLast {
			t.Errorf("page %d: the last of models = %v", page, !wantLast)
		}
		if got.Pagination.Locations.IsLastPage {
			break
		}
	}
	if len(locations) != len(all.Locations) || len(models) != len(all.FashionModels) {
		t.Errorf("paging gives %d locations and %d models", len(locations), len(models))
	}
	beyond := must[map[string]any](t, w.get(info("aimodel", "&page=99"), w.key))
	if list, ok := beyond["locations"].([]any); !ok || len(list) != 0 {
		t.Errorf("beyond the end: %v", beyond["locations"])
	}
	only := must[upstream.AgentInfo](t, w.get(info("aimodel", "&resourceType=fashionModels"), w.key))
	if only.Locations != nil || only.Pagination.Locations != nil || len(only.FashionModels) != len(all.FashionModels) {
		t.Errorf("only models: %+v", only)
	}
	must[upstream.AgentInfo](t, w.get(info("aimodel", "&pageSize=100"), w.key))
	for _, bad := range []string{"&page=0", "&page=-1", "&page=x", "&pageSize=0", "&pageSize=101", "&resourceType=shoes"} {
		if a := w.get(info("aimodel", bad), w.key); a.status != http.StatusBadRequest || a.Msg == "" {
			t.Errorf("%s: status %d, %s", bad, a.status, a.raw)
		}
	}
	for _, bad := range []string{"?agentVersion=v1.0", "?agentName=aimodel", "?agentName=nobody&agentVersion=v1.0", "?agentName=aimodel&agentVersion=v2.0"} {
		if a := w.get(upstream.PathAgentInfo+bad, w.key); a.status != http.StatusBadRequest {
			t.Errorf("%s: status %d", bad, a.status)
		}
	}
}

func TestPreviewsAreServed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	url := must[upstream.AgentInfo](t, w.get(info("aimodel"), w.key)).Locations[0].Image
	first := w.fetch(url)
	if first.status != http.StatusOK || first.header.Get("Content-Type") != "image/webp" {
		t.Fatalf("status %d, %v", first.status, first.header)
	}
	if size := decode(t, first.raw).Rect.Size(); size != image.Pt(640, 640) {
		t.Errorf("the preview is %v", size)
	}
	path := url[strings.Index(url, pathFiles):]
	if again := w.do(http.MethodGet, path, "", "", nil, "If-None-Match", first.header.Get("ETag")); again.status != http.StatusNotModified {
		t.Errorf("the same again: status %d", again.status)
	}
}

func TestCustomModelIsPreparedAndDeleted(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	source := w.upload(portrait())
	create := upstream.MyFashionModelCreate{Images: []string{source, source}, Name: "Ada", AgentName: "aimodel", AgentVersion: "v1.0"}
	id := must[upstream.MyFashionModel](t, w.post(upstream.PathFashionModelCreate, w.key, create)).FashionModelID
	if id <= 0 {
		t.Fatalf("id = %d", id)
	}
	if status := w.waitForPreset("fashionModelId", upstream.PathFashionModelQuery, id); status != upstream.PresetComplete {
		t.Fatalf("status = %s", status)
	}
	got := must[upstream.MyFashionModel](t, w.get(upstream.PathFashionModelQuery+"?fashionModelId="+itoa(id), w.key))
	if got.Name != "Ada" || len(got.Images) != 2 || got.Images[0] != source {
		t.Errorf("model = %+v", got)
	}
	if size := decode(t, w.fetch(got.Cover).raw).Rect.Size(); size != image.Pt(coverWidth, coverHeight) {
		t.Errorf("the cover is %v", size)
	}
	offered := must[upstream.AgentInfo](t, w.get(info("aimodel"), w.key)).FashionModels[0]
	if offered.ID != id || offered.Type != typeYours || offered.Status != upstream.PresetComplete {
		t.Errorf("the first model offered is %+v", offered)
	}
	if a := w.post(upstream.PathFashionModelDelete, w.key, map[string]int64{"fashionModelId": id}); !a.Success || a.Data != nil {
		t.Errorf("delete: %s", a.raw)
	}
	if a := w.get(upstream.PathFashionModelQuery+"?fashionModelId="+itoa(id), w.key); a.status != http.StatusNotFound {
		t.Errorf("after: status %d", a.status)
	}
	if a := w.fetch(got.Cover); a.status != http.StatusNotFound {
		t.Errorf("the cover is still there: status %d", a.status)
	}
}

func TestModelIsMadeOfAPhotoThatShowsAFace(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	shirt, face := w.upload(testpics.JPEG(photo())), w.upload(portrait())
	for _, tt := range []struct {
		images []string
		status string
		used   string // the photo that was chosen
	}{
		{[]string{shirt}, upstream.PresetFailed, ""},
		{[]string{shirt, face}, upstream.PresetComplete, face},
	} {
		id := must[upstream.MyFashionModel](t, w.post(upstream.PathFashionModelCreate, w.key, upstream.MyFashionModelCreate{
			Images: tt.images, Name: "Ada", AgentName: "aimodel", AgentVersion: "v1.0",
		})).FashionModelID
		if status := w.waitForPreset("fashionModelId", upstream.PathFashionModelQuery, id); status != tt.status {
			t.Errorf("of %d photos it is %s, want %s", len(tt.images), status, tt.status)
		}
		if tt.used == "" {
			got := must[upstream.MyFashionModel](t, w.get(upstream.PathFashionModelQuery+"?fashionModelId="+itoa(id), w.key))
			if !strings.HasPrefix(got.Error, "images: no face ") {
				t.Errorf("it says %q, and not that there is no face", got.Error)
			}
			continue
		}
		if w.count(`SELECT count(*) FROM my_preset p JOIN file kept ON kept.id = p.image_file JOIN file given ON given.sha256 = kept.sha256
			WHERE p.id = ? AND ? LIKE '%' || given.id`, id, tt.used) == 0 {
			t.Error("the photo without a face was chosen")
		}
	}
}

func TestThePhotosOfPresetsWaitForMemory(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(cfg *Config) { cfg.Workers = 2 })
	source := w.upload(testpics.JPEG(photo()))
	bench := w.svc.bench
	release, err := bench.sit(t.Context(), &seat{memory: bench.total})
	if err != nil {
		t.Fatal(err)
	}
	var ids []int64
	for range 3 {
		ids = append(ids, must[upstream.MyLocation](t, w.post(upstream.PathLocationCreate, w.key, upstream.MyLocationCreate{
			Image: source, Name: "Yard", AgentName: "aimodel", AgentVersion: "v1.0",
		})).LocationID)
	}
	type state struct{ made, begun, waiting int }
	now := eventually(t, func() state {
		return state{
			w.count(`SELECT count(*) FROM my_preset WHERE status <> 'prepare'`), w.count(`SELECT count(*) FROM river_job WHERE kind = 'preset' AND state = 'running'`),
			waitingAt(bench),
		}
	}, func(s state) bool { return s.made > 0 || (s.begun == 3 && s.waiting == 3) })
	if now.made > 0 {
		t.Errorf("with no memory left: %+v", now)
	}
	release()
	for _, id := range ids {
		if status := w.waitForPreset("locationId", upstream.PathLocationQuery, id); status != upstream.PresetComplete {
			t.Errorf("status = %s", status)
		}
	}
}

func TestCustomLocationIsUsableOnlyWhenComplete(t *testing.T) {
	t.Parallel()
	hold := make(chan struct{})
	away := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/small.png" {
			_, _ = rw.Write(testpics.PNG(testpics.Flat(511, 600, color.NRGBA{R: 120, G: 130, B: 140, A: 255})))
			return
		}
		select {
		case <-hold:
		case <-r.Context().Done():
		}
		_, _ = rw.Write(testpics.PNG(testpics.Flat(512, 600, color.NRGBA{R: 120, G: 130, B: 140, A: 255})))
	}))
	defer away.Close()
	w := newWorld(t, func(cfg *Config) { cfg.AssetHosts = []string{strings.TrimPrefix(away.URL, "http://")} })
	create := func(path string) int64 {
		return must[upstream.MyLocation](t, w.post(upstream.PathLocationCreate, w.key, upstream.MyLocationCreate{
			Image: away.URL + path, Name: "Yard", AgentName: "aimodel", AgentVersion: "v1.0",
		})).LocationID
	}
	id := create("/yard.png")
	task := w.task("aimodel", w.upload(testpics.JPEG(photo())))
	params := map[string]any{"generatedContent": "freeCreation", "maskType": "custom", "customMask": leftHalf(520, 560), "locationId": id, "batchCount": 1}
	if a := w.post(upstream.PathTaskExecute, w.key, upstream.TaskExecute{TaskID: task, Params: params}); a.Success || !strings.Contains(a.Msg, upstream.PresetPrepare) {
		t.Errorf("a location in preparation: %s", a.raw)
	}
	listed := func(agent string, id int64) upstream.Location {
		for _, l := range must[upstream.AgentInfo](t, w.get(info(agent), w.key)).Locations {
			if l.ID == id {
				return l
			}
		}
		return upstream.Location{}
	}
	if l := listed("aimodel", id); l.Status != upstream.PresetPrepare || l.Type != typeYours || l.Image != away.URL+"/yard.png" {
		t.Errorf("in preparation it is listed as %+v", l)
	}
	close(hold)
	if status := w.waitForPreset("locationId", upstream.PathLocationQuery, id); status != upstream.PresetComplete {
		t.Fatalf("status = %s", status)
	}
	if e := w.finish(w.execute(task, params)); e.Status != statusSuccess {
		t.Errorf("execution = %+v", e)
	}
	small := create("/small.png")
	if status := w.waitForPreset("locationId", upstream.PathLocationQuery, small); status != upstream.PresetFailed {
		t.Errorf("a location of 511 px is %s", status)
	}
	params["locationId"] = small
	if a := w.post(upstream.PathTaskExecute, w.key, upstream.TaskExecute{TaskID: task, Params: params}); a.status != http.StatusBadRequest || !strings.Contains(a.Msg, "locationId") || !strings.Contains(a.Msg, upstream.PresetFailed) {
		t.Errorf("a failed location is used: status %d, %s", a.status, a.raw)
	}
	for _, agent := range []string{"aiproduct", "aimodel"} {
		if l := listed(agent, small); l.Status != upstream.PresetFailed || l.Type != typeYours {
			t.Errorf("%s: the failed location is %+v", agent, l)
		}
	}
}

func TestCustomModelIsUsableOnlyWhenComplete(t *testing.T) {
	t.Parallel()
	hold := make(chan struct{})
	away := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/nobody.png" {
			_, _ = rw.Write(testpics.PNG(testpics.Flat(600, 600, color.NRGBA{R: 120, G: 130, B: 140, A: 255})))
			return
		}
		select {
		case <-hold:
		case <-r.Context().Done():
		}
		_, _ = rw.Write(portrait())
	}))
	defer away.Close()
	w := newWorld(t, func(cfg *Config) { cfg.AssetHosts = []string{strings.TrimPrefix(away.URL, "http://")} })
	create := func(path string) int64 {
		return must[upstream.MyFashionModel](t, w.post(upstream.PathFashionModelCreate, w.key, upstream.MyFashionModelCreate{
			Images: []string{away.URL + path}, Name: "Ada", AgentName: "aimodel", AgentVersion: "v1.0",
		})).FashionModelID
	}
	source := w.upload(testpics.JPEG(photo()))
	task := w.task("aimodel", source)
	params := map[string]any{"generatedContent": "freeCreation", "maskType": "custom", "customMask": leftHalf(520, 560), "batchCount": 1}
	refused := func(id int64, status string) {
		t.Helper()
		params["fashionModelId"] = id
		executed := w.post(upstream.PathTaskExecute, w.key, upstream.TaskExecute{TaskID: task, Params: params})
		started := w.post(upstream.PathRuns, w.key, upstream.RunStart{
			Agent: upstream.RunAgent{Name: "aimodel", Version: "v1.0"}, Input: map[string]any{"originalImage": source}, Params: params,
		})
		for _, a := range []answer{executed, started} {
			if a.status != http.StatusBadRequest || !strings.Contains(a.said(), "fashionModelId") || !strings.Contains(a.said(), status) {
				t.Errorf("a model in the status %s is used: status %d, %s", status, a.status, a.raw)
			}
		}
		if got := must[upstream.MyFashionModel](t, w.get(upstream.PathFashionModelQuery+"?fashionModelId="+itoa(id), w.key)); got.Status != status {
			t.Errorf("model %d is %s, want %s", id, got.Status, status)
		}
	}
	id := create("/ada.png")
	refused(id, upstream.PresetPrepare)
	close(hold)
	if status := w.waitForPreset("fashionModelId", upstream.PathFashionModelQuery, id); status != upstream.PresetComplete {
		t.Fatalf("status = %s", status)
	}
	params["fashionModelId"] = id
	if e := w.finish(w.execute(task, params)); e.Status != statusSuccess {
		t.Errorf("execution = %+v", e)
	}
	nobody := create("/nobody.png")
	w.waitForPreset("fashionModelId", upstream.PathFashionModelQuery, nobody)
	refused(nobody, upstream.PresetFailed)
}

func TestCustomPresetsHaveLimits(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.rest() // nothing is made of the presets that are accepted
	source := w.upload(testpics.JPEG(photo()))
	heavy := w.upload(testpics.PadTo(testpics.JPEG(photo()), 5<<20+1))
	limit := w.upload(testpics.PadTo(testpics.JPEG(photo()), 5<<20))
	model := func(images []string, name, agent, version string) answer {
		return w.post(upstream.PathFashionModelCreate, w.key, upstream.MyFashionModelCreate{Images: images, Name: name, AgentName: agent, AgentVersion: version})
	}
	tests := []struct {
		name string
		a    answer
		says string // "" = accepted
	}{
		{"four images", model([]string{source, source, source, limit}, "Ada", "aimodel", "v1.0"), ""},
		{"five images", model([]string{source, source, source, source, source}, "Ada", "aimodel", "v1.0"), "images"},
		{"no image", model(nil, "Ada", "aimodel", "v1.0"), "images"},
		{"an image over 5 MB", model([]string{heavy}, "Ada", "aimodel", "v1.0"), "5"},
		{"no name", model([]string{source}, " ", "aimodel", "v1.0"), "name"},
		{"a name of 100 characters", model([]string{source}, strings.Repeat("é", 100), "aimodel", "v1.0"), ""},
		{"a name of 101 characters", model([]string{source}, strings.Repeat("é", 101), "aimodel", "v1.0"), "101"},
		{"another agent", model([]string{source}, "Ada", "removeBG", "v1.0"), "agentName"},
		{"another version", model([]string{source}, "Ada", "aimodel", "v2.0"), "agentVersion"},
		{"an image that is not there", model([]string{w.srv.URL + pathFiles + "x.png"}, "Ada", "aimodel", "v1.0"), "images"},
		{"a location without image", w.post(upstream.PathLocationCreate, w.key, upstream.MyLocationCreate{Name: "x", AgentName: "aimodel", AgentVersion: "v1.0"}), "image"},
		{"a location over 5 MB", w.post(upstream.PathLocationCreate, w.key, upstream.MyLocationCreate{Image: heavy, Name: "x", AgentName: "aimodel", AgentVersion: "v1.0"}), "5"},
	}
	for _, tt := range tests {
		if tt.says == "" {
			must[upstream.MyFashionModel](t, tt.a)
			continue
		}
		if tt.a.status != http.StatusBadRequest || !strings.Contains(tt.a.Msg, tt.says) {
			t.Errorf("%s: status %d, %s", tt.name, tt.a.status, tt.a.raw)
		}
	}
	for _, bad := range []string{"", "?fashionModelId=x", "?fashionModelId=0"} {
		if a := w.get(upstream.PathFashionModelQuery+bad, w.key); a.status != http.StatusBadRequest {
			t.Errorf("query %q: status %d", bad, a.status)
		}
	}
	place := func() answer {
		return w.post(upstream.PathLocationCreate, w.key, upstream.MyLocationCreate{Image: source, Name: "x", AgentName: "aimodel", AgentVersion: "v1.0"})
	}
	person := func() answer { return model([]string{source}, "x", "aimodel", "v1.0") }
	for i, kind := range []struct {
		name   string
		create func() answer
		other  func() answer
	}{{kindFashionModel, person, place}, {kindLocation, place, nil}} {
		have := w.count(`SELECT count(*) FROM my_preset WHERE kind = '` + kind.name + `'`)
		for n := have; n < maxMyPresets-1; n++ {
			if _, err := w.svc.db.Write.ExecContext(t.Context(), `INSERT INTO my_preset (id, account_id, kind, name, images, base_url, status, created_at)
				SELECT ?, account_id, ?, 'x', '["https://pictures.example/x.png"]', '', 'failed', 0 FROM access_key LIMIT 1`, 900000+i*maxMyPresets+n, kind.name); err != nil {
				t.Fatal(err)
			}
		}
		if a := kind.create(); !a.Success {
			t.Errorf("the 1000th %s: %s", kind.name, a.raw)
		}
		if a := kind.create(); a.status != http.StatusBadRequest || !strings.Contains(a.Msg, "1000") {
			t.Errorf("the 1001st %s: status %d, %s", kind.name, a.status, a.raw)
		}
		if kind.other != nil {
			if a := kind.other(); !a.Success {
				t.Errorf("the other kind: %s", a.raw)
			}
		}
	}
}

func TestAFinishedExecutionIsExportedInLayers(t *testing.T) {
	t.Parallel()
	work := newGate(t, undertookRender, 0)
	w := newWatchedWorld(t, nil, work.pass)
	execution := w.execute(w.task("removeBG", w.upload(testpics.JPEG(photo()))), cutOut("batchCount", 2))
	body := map[string]string{"executionId": execution}
	query := func() upstream.PSDJob {
		return must[upstream.PSDJob](t, w.post(upstream.PathPSDQuery, w.key, body))
	}
	if job := query(); job.Status != psdNotStarted || job.Result != nil || job.ExecutionID != execution {
		t.Errorf("before: %+v", job)
	}
	if a := w.post(upstream.PathPSDCreate, w.key, body); a.Success {
		t.Errorf("an execution in progress is exported: %s", a.raw)
	}
	work.open()
	w.finish(execution)
	if !must[bool](t, w.post(upstream.PathPSDCreate, w.key, body)) {
		t.Error("data is false")
	}
	job := eventually(t, query, func(j upstream.PSDJob) bool { return ended(j.Status) })
	if job.Status != statusSuccess {
		t.Fatalf("job = %+v", job)
	}
	file := w.fetch(job.Result.FileURL)
	if !strings.HasPrefix(string(file.raw), "8BPS") || !strings.Contains(string(file.raw), "Result 2") || !strings.Contains(string(file.raw), "Protected") {
		t.Errorf("%d bytes that are no layered file", len(file.raw))
	}
	if !strings.HasPrefix(file.header.Get("Content-Disposition"), "attachment") {
		t.Errorf("headers = %v", file.header)
	}
	must[bool](t, w.post(upstream.PathPSDCreate, w.key, body))
	if again := query(); again.Result == nil || again.Result.FileURL != job.Result.FileURL {
		t.Errorf("asking again made %+v", again)
	}
	for _, bad := range []string{upstream.PathPSDCreate, upstream.PathPSDQuery} {
		if a := w.post(bad, w.key, map[string]string{}); a.status != http.StatusBadRequest {
			t.Errorf("%s without an execution: status %d", bad, a.status)
		}
	}
}

func TestPSDLinksLeadToTheDownloadHost(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(cfg *Config) { cfg.DownloadURL = "https://download.example" })
	execution := w.execute(w.task("removeBG", w.upload(testpics.JPEG(photo()))), cutOut())
	w.finish(execution)
	body := map[string]string{"executionId": execution}
	must[bool](t, w.post(upstream.PathPSDCreate, w.key, body))
	job := eventually(t, func() upstream.PSDJob { return must[upstream.PSDJob](t, w.post(upstream.PathPSDQuery, w.key, body)) },
		func(j upstream.PSDJob) bool { return ended(j.Status) })
	if job.Result == nil || !strings.HasPrefix(job.Result.FileURL, "https://download.example"+pathFiles) {
		t.Errorf("job = %+v", job)
	}
}

func TestPresetPictureCanBeASource(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	offered := must[upstream.AgentInfo](t, w.get(info("aimodel"), w.key))
	e := w.finish(w.execute(w.task("removeBG", offered.FashionModels[0].Image), cutOut("customMask", leftHalf(512, 640))))
	if e.Status != statusSuccess {
		t.Errorf("execution = %+v", e)
	}
	gone := w.srv.URL + pathPreviews + "location-5.webp"
	if got := w.finish(w.execute(w.task("removeBG", gone), cutOut())); got.Status != statusFailed || got.Result[0].Error == "" {
		t.Errorf("a preset that does not exist: %+v", got)
	}
}

func TestExpandedPictureIsExportedInLayers(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	execution := w.execute(w.task("expandimage", w.upload(testpics.JPEG(photo()))), map[string]any{
		"targetWidth": 540, "targetHeight": 570, "fillLeft": 15, "batchCount": 1,
	})
	if e := w.finish(execution); e.Status != statusSuccess {
		t.Fatalf("execution = %+v", e)
	}
	row, err := w.svc.read().FindExecution(t.Context(), execution)
	if err != nil {
		t.Fatal(err)
	}
	files, err := w.svc.resultFiles(t.Context(), execution)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := w.svc.document(t.Context(), row, files)
	if err != nil {
		t.Fatal(err)
	}
	if paper := doc.Layers[0]; paper.Name != "Background" || paper.Image.NRGBAAt(1, 1) != (color.NRGBA{255, 255, 255, 255}) {
		t.Errorf("the lowest layer is %q", paper.Name)
	}
	original := doc.Layers[1]
	if doc.Width != 540 || doc.Height != 570 || original.Name != "Original" || original.X != 15 || original.Y != 5 || !original.Hidden {
		t.Errorf("%d × %d with %q at %d, %d", doc.Width, doc.Height, original.Name, original.X, original.Y)
	}
	results := doc.Layers[len(doc.Layers)-1]
	if results.Name != "Results" || len(results.Layers) != 1 || results.Layers[0].Hidden {
		t.Errorf("the first result is not what shows: %+v", results.Name)
	}
}
