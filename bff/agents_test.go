package bff_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"io"
	"maps"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"atelier/atelier"
	"atelier/bff"
	"atelier/catalog"
	"atelier/catalog/catalogtest"
	"atelier/imaging"
	"atelier/imaging/testpics"
	"atelier/imaging/video"
	"atelier/imaging/video/container"
	"atelier/imaging/video/videotest"
	"atelier/service"
	"atelier/service/render"
	"atelier/upstream"
)

// cabinet holds the files of cases, each brought once: to the studio as assets and to the service by itself.
type cabinet struct {
	*studio
	tool  *video.Tool
	files map[catalogtest.File]cabinetFile
}

type cabinetFile struct {
	asset atelier.Asset
	url   string // at the service
}

// portable says whether a file of a case can be there at all: neither studio nor service takes other containers.
func portable(f catalogtest.File) bool {
	return f.Facts.Container == "" || f.Facts.Container == "mp4" || f.Facts.Container == "mov"
}

// file gives a real file like the case's.
func (c *cabinet) file(f catalogtest.File) cabinetFile {
	c.t.Helper()
	if have, ok := c.files[f]; ok {
		return have
	}
	var data []byte
	name, send := "file", c.upstream.UploadVideo
	switch f.Media {
	case catalog.Image:
		data = testpics.JPEG(testpics.Photo(catalogtest.SourceWidth, catalogtest.SourceHeight, 7))
	case catalog.Audio:
		data, send = videotest.Tone(1), c.upstream.UploadAudio
	case catalog.Video:
		data = plainFilm(c.t, c.tool, f.Facts)
	}
	var have cabinetFile
	have.asset, _ = c.bring(name, data, http.StatusCreated)
	up := upstream.Upload{Name: name, Size: int64(len(data)), Body: bytes.NewReader(data)}
	if f.Media == catalog.Image {
		uploaded, err := c.upstream.UploadImage(c.background(), upstream.TaskSurface, up)
		c.check(err)
		have.url = uploaded.Image
	} else {
		url, err := send(c.background(), up)
		c.check(err)
		have.url = url
	}
	c.files[f] = have
	return have
}

// plainFilm is a film of these facts, two frames a second; what they leave open is small and short.
func plainFilm(t *testing.T, tool *video.Tool, f catalog.Facts) []byte {
	t.Helper()
	if f == (catalog.Facts{}) {
		f = catalog.Facts{Width: 854, Height: 480, Seconds: 2}
	}
	f.Width, f.Height = video.Even(f.Width), video.Even(f.Height)
	frame := testpics.Flat(f.Width, f.Height, color.NRGBA{90, 120, 150, 255})
	rate := video.Rate{Num: 2, Den: 1}
	path := filepath.Join(t.TempDir(), "film")
	out, err := tool.Write(t.Context(), path, video.WriteOptions{
		Format: container.Format(f.Container), Width: f.Width, Height: f.Height, Rate: rate, Frames: rate.Frames(f.Seconds),
	})
	if err != nil {
		t.Fatal(err)
	}
	for range rate.Frames(f.Seconds) {
		if err := out.Write(frame); err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// existing gives presets and tags that the service has, by their kind.
func (s *studio) existing() (ids, tags map[string]float64) {
	s.t.Helper()
	model, err := s.upstream.AgentInfo(s.background(), upstream.AgentInfoQuery{AgentName: "aimodel", AgentVersion: "v1.0"})
	s.check(err)
	plain, err := s.upstream.AgentInfo(s.background(), upstream.AgentInfoQuery{AgentName: "removeBG", AgentVersion: "v1.0"})
	s.check(err)
	place := slices.IndexFunc(model.Locations, func(l upstream.Location) bool { return len(l.Tags) > 0 })
	person := slices.IndexFunc(model.FashionModels, func(m upstream.FashionModel) bool { return len(m.Tags) > 0 })
	if place < 0 || person < 0 || len(plain.Backgrounds) == 0 {
		s.t.Fatal("the service offers no presets with tags")
	}
	ids = map[string]float64{
		"locations": float64(model.Locations[place].ID), "fashionModels": float64(model.FashionModels[person].ID), "backgrounds": float64(plain.Backgrounds[0].ID),
	}
	tags = map[string]float64{"locations": float64(model.Locations[place].Tags[0].ID), "fashionModels": float64(model.FashionModels[person].Tags[0].ID)}
	return ids, tags
}

// TestEveryRequestIsJudgedAlikeByBrowserStudioAndService takes every request that can be made out of the catalog through the
// three who judge it. Nothing is rendered: neither studio nor service does any background work here.
func TestEveryRequestIsJudgedAlikeByBrowserStudioAndService(t *testing.T) {
	t.Parallel()
	tool := videotest.Tool(t)
	closets := map[catalog.Surface]*cabinet{}
	doors := map[catalog.Surface]string{}
	for _, surface := range []catalog.Surface{catalog.Task, catalog.Run} {
		s := (&studio{asleep: true, change: func(c *bff.Config) {
			if surface == catalog.Run {
				c.Surface = "run"
			}
		}}).move(t)
		closets[surface] = &cabinet{s, tool, map[catalogtest.File]cabinetFile{}}
		door := httptest.NewServer(s.service.Handler())
		t.Cleanup(door.Close)
		doors[surface] = door.URL
	}
	ids, tags := closets[catalog.Run].existing()
	counts := map[string]int{}
	for n, c := range catalogtest.Cases(catalog.All()) {
		agent, ok := catalog.Find(c.Agent, c.Version)
		if !ok {
			t.Fatalf("%s: no such agent", c.Name)
		}
		closet := closets[c.Surface]
		c = c.Existing(agent, ids, tags)
		judges := map[string][]string{}
		if there := !slices.ContainsFunc(slices.Concat(slices.Collect(maps.Values(c.Files))...), func(f catalogtest.File) bool { return !portable(f) }); there {
			if refused, said := closet.askStudio(n, c, agent); said {
				judges["the studio"] = refused
			}
			judges["the service"] = closet.askService(doors[c.Surface], c, agent)
		}
		judges["the browser"] = inBrowser(c, agent)
		for who, refused := range judges {
			counts[who]++
			slices.Sort(refused)
			if refused = slices.Compact(refused); !slices.Equal(refused, c.Refused) {
				t.Errorf("%s: %s refuses %v, want %v", c.Name, who, refused, c.Refused)
			}
		}
	}
	t.Logf("judged: %v", counts)
	for _, who := range []string{"the browser", "the studio", "the service"} {
		if counts[who] < 600 {
			t.Errorf("%s judged %d requests, want 600 at least", who, counts[who])
		}
	}
}

// inBrowser is what the form says of a request.
func inBrowser(c catalogtest.Case, agent catalog.Agent) (refused []string) {
	in := c.Input(func(field string, n int, _ catalogtest.File) string { return fmt.Sprintf("asset-%s-%d", field, n) })
	// Masks are drawn on the canvas: a draft does not look at their form.
	_, drawn := in.Values["customMask"]
	_, linked := in.Values["customMaskUrl"]
	in.Draft = !drawn && !linked
	if !in.Draft {
		in = c.Input(func(field string, n int, _ catalogtest.File) string {
			return fmt.Sprintf("https://files.example/%s-%d", field, n)
		})
	}
	for _, p := range catalog.Refusals(catalog.Check(agent, c.Surface, in)) {
		refused = append(refused, p.Field)
	}
	return refused
}

// askStudio starts the run at the studio; said is false where its contract has no way to ask for it.
func (c *cabinet) askStudio(n int, one catalogtest.Case, agent catalog.Agent) (refused []string, said bool) {
	c.t.Helper()
	start := map[string]any{"intentKey": fmt.Sprintf("case-%011d", n), "agent": one.Agent, "version": one.Version}
	values := maps.Clone(one.Values)
	if mask, given := values["customMask"]; given {
		if mask != catalogtest.Mask {
			return nil, false // masks are made on the canvas, never broken
		}
		start["mask"] = map[string]string{"png": halfMask(catalogtest.SourceWidth, catalogtest.SourceHeight)}
		delete(values, "customMask")
	}
	if _, given := values["customMaskUrl"]; given || one.TaskName != "" {
		return nil, false // the studio sends a mask and a label of its own
	}
	files := map[string][]string{}
	for field, list := range one.Files {
		for _, f := range list {
			files[field] = append(files[field], string(c.file(f).asset.ID))
		}
	}
	start["values"], start["files"] = values, files
	raw, err := json.Marshal(start)
	c.check(err)
	r := c.send("POST", "/api/runs", bytes.NewReader(raw), func(r *http.Request) { r.Header.Set("Content-Type", "application/json") })
	switch r.status {
	case http.StatusAccepted:
		return nil, true
	case http.StatusBadRequest:
		for field := range r.error(c.t).Fields {
			refused = append(refused, field)
		}
		return refused, true
	}
	c.t.Fatalf("%s: the studio answers %d %s", one.Name, r.status, r.body)
	return nil, false
}

// askService sends the request as a stranger would, on its surface.
func (c *cabinet) askService(base string, one catalogtest.Case, agent catalog.Agent) (refused []string) {
	c.t.Helper()
	in := one.Input(func(_ string, _ int, f catalogtest.File) string {
		return base + strings.TrimPrefix(c.file(f).url, "http://"+service.EmbeddedHost)
	})
	if in.Values["customMask"] == catalogtest.Mask {
		in.Values["customMask"] = halfMask(catalogtest.SourceWidth, catalogtest.SourceHeight)
	}
	init, params := catalog.Encode(agent, one.Surface, in)
	if one.Surface == catalog.Run {
		_, refused = c.post(base+upstream.PathRuns, one, map[string]any{
			"agent": map[string]any{"name": one.Agent, "version": one.Version}, "input": init, "params": params,
		})
		return refused
	}
	task, refused := c.post(base+upstream.PathTaskCreate, one, map[string]any{"agentName": one.Agent, "agentVersion": one.Version, "initParams": init})
	if len(refused) == 0 {
		_, refused = c.post(base+upstream.PathTaskExecute, one, map[string]any{"taskId": task, "params": params})
	}
	return refused
}

// named finds the fields that a refusal of the service names, of those of which one is needed the first.
var named = regexp.MustCompile(`(?:^|\. )([a-z][A-Za-z]+)(?:(?: or |, )[a-z][A-Za-z]+)*(?:: | must | has | is )`)

// post gives the task of an answer, or the fields that its refusal names.
func (c *cabinet) post(url string, one catalogtest.Case, body any) (task string, refused []string) {
	c.t.Helper()
	raw, err := json.Marshal(body)
	c.check(err)
	req, err := http.NewRequestWithContext(c.t.Context(), http.MethodPost, url, bytes.NewReader(raw))
	c.check(err)
	req.Header.Set("Authorization", testKey)
	req.Header.Set("Content-Type", "application/json")
	resp, err := (&http.Client{}).Do(req)
	c.check(err)
	got, err := io.ReadAll(resp.Body)
	c.check(errors.Join(err, resp.Body.Close()))
	var a struct {
		Success bool
		Msg     string
		Data    struct{ TaskID string }
		Error   struct{ Message string }
	}
	c.check(json.Unmarshal(got, &a))
	switch said := a.Msg + a.Error.Message; {
	case a.Success:
		return a.Data.TaskID, nil
	case resp.StatusCode == http.StatusBadRequest:
		agent, _ := catalog.Find(one.Agent, one.Version)
		for _, names := range named.FindAllStringSubmatch(said, -1) {
			_, file := agent.File(names[1])
			if _, param := agent.Param(names[1]); file || param || names[1] == "taskName" {
				refused = append(refused, names[1])
			}
		}
		return "", refused
	}
	c.t.Fatalf("%s: the service answers %d %s", one.Name, resp.StatusCode, got)
	return "", nil
}

// TestEveryAgentMakesItsResult lets the smallest request of each agent run through studio and service to its end, and reads
// what was made. Of the agents that make videos, one of each shape does, or all with ATELIER_TEST_EVERY_VIDEO=1.
func TestEveryAgentMakesItsResult(t *testing.T) {
	tool, err := video.Find(t.Context(), video.Limits{})
	if err != nil {
		t.Logf("the agents that make videos are left out: %v", err)
		tool = nil
	}
	s := (&studio{change: func(c *bff.Config) { c.Video = tool }, configure: func(c *service.Config) { c.Video = tool }}).move(t)
	s.start()
	person, _ := testpics.Person(520, 700, 5)
	assets := map[catalog.Media]atelier.Asset{catalog.Image: s.upload(testpics.JPEG(person))}
	if tool != nil {
		assets[catalog.Audio], _ = s.bring("tone", videotest.Tone(1), http.StatusCreated)
		assets[catalog.Video], _ = s.bring("film", personFilm(t, tool), http.StatusCreated)
	}
	ids, tags := s.existing()
	shapes := map[render.Shape]bool{}
	runs := map[string]atelier.RunID{}
	for _, c := range catalogtest.Cases(catalog.All()) {
		agent, _ := catalog.Find(c.Agent, c.Version)
		if _, done := runs[c.Agent]; done || !strings.HasSuffix(c.Name, "/the least") {
			continue
		}
		if shape := render.ShapeOf(agent); shape != render.ShapeNone {
			if tool == nil || shapes[shape] && os.Getenv("ATELIER_TEST_EVERY_VIDEO") == "" {
				continue
			}
			shapes[shape] = true
		}
		start := least(c.Existing(agent, ids, tags), agent)
		for field, files := range c.Files {
			for range files {
				f, _ := agent.File(field)
				start.Files[field] = append(start.Files[field], string(assets[f.Media].ID))
			}
		}
		runs[c.Agent] = s.startRun(start).ID
	}
	t.Logf("%d agents run", len(runs))
	for _, name := range slices.Sorted(maps.Keys(runs)) {
		s.readResult(name, runs[name], tool)
	}
}

// least is the smallest run of an agent.
func least(c catalogtest.Case, agent catalog.Agent) atelier.StartRun {
	values := maps.Clone(c.Values)
	for _, p := range agent.Params {
		switch {
		case p.Name == "batchCount":
			values[p.Name] = 1.0
		case p.Name == "resolution", p.Name == "videoSize", p.Name == "imageSize":
			values[p.Name] = p.Options[0].Value
		case p.Kind == catalog.Duration && len(p.Options) > 0 && p.Min == nil:
			values[p.Name] = p.Options[0].Value
		case p.Kind == catalog.Duration:
			values[p.Name] = fmt.Sprintf("%ds", *p.Min)
		}
	}
	// What suits no such request is left out again.
	in := catalog.Input{Values: values, Files: map[string][]string{}, Draft: true, SourceWidth: 520, SourceHeight: 700}
	for field, files := range c.Files {
		in.Files[field] = make([]string, len(files))
		for i := range files {
			in.Files[field][i] = "asset"
		}
	}
	for _, p := range catalog.Refusals(catalog.Check(agent, agent.Surfaces[0], in)) {
		if v, ok := c.Values[p.Field]; ok {
			values[p.Field] = v
		} else {
			delete(values, p.Field)
		}
	}
	return atelier.StartRun{IntentKey: intentKey("least-" + c.Agent), Agent: c.Agent, Version: c.Version, Values: values, Files: map[string][]string{}}
}

// readResult waits for a run and reads what it made.
func (s *studio) readResult(agent string, id atelier.RunID, tool *video.Tool) {
	s.t.Helper()
	run := s.settled(id)
	if run.Status != atelier.Success || len(run.Results) != 1 || !run.Results[0].Stored {
		s.t.Errorf("%s: %s %+v %+v", agent, run.State, run.Error, run.Results)
		return
	}
	r := run.Results[0]
	data := s.send("GET", r.File, nil, nil).body
	if r.Kind == "image" {
		img, _, err := imaging.Decode(s.t.Context(), data, imaging.DefaultLimits)
		if err != nil {
			s.t.Errorf("%s: %v", agent, err)
			return
		}
		size := img.Rect.Size()
		w, wide := run.Values["targetWidth"].(float64)
		h, high := run.Values["targetHeight"].(float64)
		if want := image.Pt(int(w), int(h)); wide && high && size != want {
			s.t.Errorf("%s: the picture is %v, want %v", agent, size, want)
		}
		if size != image.Pt(r.Width, r.Height) {
			s.t.Errorf("%s: the picture is %v, and said to be %d × %d", agent, size, r.Width, r.Height)
		}
		return
	}
	path := filepath.Join(s.t.TempDir(), "film")
	s.check(os.WriteFile(path, data, 0o600))
	info, err := tool.Probe(s.t.Context(), path)
	if err != nil {
		s.t.Errorf("%s: %v", agent, err)
		return
	}
	want := 1.0 // as long as the film it was made from
	if text, ok := run.Values["duration"].(string); ok {
		d, err := time.ParseDuration(text)
		s.check(err)
		want = d.Seconds()
	} else if len(run.Files["videos"]) == 0 {
		want = info.Seconds // no length was asked for
	}
	if math.Abs(info.Seconds-want) > 0.12 || math.Abs(info.Seconds-r.Seconds) > 0.12 {
		s.t.Errorf("%s: the video lasts %.2f s, said to be %.2f, want %.2f", agent, info.Seconds, r.Seconds, want)
	}
	if _, err := imaging.Inspect(s.send("GET", r.Thumb, nil, nil).body, imaging.DefaultLimits); err != nil {
		s.t.Errorf("%s: the poster: %v", agent, err)
	}
}

// settled waits for the end of a run that may have many before it.
func (s *studio) settled(id atelier.RunID) atelier.Run {
	s.t.Helper()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		run := s.run(id)
		if run.State.Final() {
			return run
		}
		select {
		case <-tick.C:
		case <-s.t.Context().Done():
			s.t.Fatalf("the run never ends: %+v", run)
		}
	}
}

// personFilm is a film of a second in which a person stands.
func personFilm(t *testing.T, tool *video.Tool) []byte {
	t.Helper()
	person, _ := testpics.Person(240, 320, 3)
	path := filepath.Join(t.TempDir(), "film")
	out, err := tool.Write(t.Context(), path, video.WriteOptions{Width: 240, Height: 320, Rate: video.Rate{Num: 6, Den: 1}, Frames: 6})
	if err != nil {
		t.Fatal(err)
	}
	for range 6 {
		if err := out.Write(person); err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
