package bff_test

import (
	"context"
	"fmt"
	"image"
	"maps"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"atelier/atelier"
	"atelier/bff"
	"atelier/catalog"
	"atelier/catalog/catalogtest"
	"atelier/imaging"
	"atelier/imaging/probe"
	"atelier/imaging/testpics"
	"atelier/imaging/video"
	"atelier/imaging/video/videotest"
	"atelier/service"
	"atelier/service/examples"
	"atelier/service/presets"
	"atelier/service/render"
)

// The size in px of the pictures that runs are made with: hardly more than the least that is taken.
const sitterWidth, sitterHeight = 514, 516

// TestSlowEveryAgentMakesItsResult runs the smallest request of each agent, and those with every param, through studio and service to
// their end, on each surface of the agent, and reads what was made: one result each, videos as short and coarse as the agent allows.
func TestSlowEveryAgentMakesItsResult(t *testing.T) {
	made := agentsMakeResults(t, func(c catalogtest.Case) bool {
		return strings.HasSuffix(c.Name, "/the least") || strings.Contains(c.Name, "/everything")
	})
	least := 60 // agents that make pictures
	if _, err := video.Find(t.Context(), video.Limits{}); err == nil {
		least = 80 // as many as the documents name, and those of omitted names
	}
	for _, a := range catalog.All() {
		if !made[a.Name] && (least == 80 || a.Makes != catalog.MakesVideo) {
			t.Errorf("%s has made nothing", a.Name)
		}
	}
	if len(made) < least {
		t.Errorf("%d agents have made something, want at least %d", len(made), least)
	}
}

// agentsMakeResults runs the cases that chosen accepts through studio and service to their results and returns their agents.
func agentsMakeResults(t *testing.T, chosen func(catalogtest.Case) bool) (agents map[string]bool) {
	t.Helper()
	tool, err := video.Find(t.Context(), video.Limits{})
	if err != nil {
		tool = nil
	}
	// The second studio prefers the surface the first leaves to agents that have no other.
	first, second := newMaker(t, tool, "auto"), newMaker(t, tool, string(catalog.Run))
	made := map[string]func(){}
	agents = map[string]bool{}
	left := 0
	for _, c := range catalogtest.Cases(catalog.All()) {
		agent, _ := catalog.Find(c.Agent, c.Version)
		if _, byAddress := c.Values["customMaskUrl"]; byAddress || !chosen(c) {
			continue // a studio sends the masks it keeps
		}
		m := first
		if c.Surface != agent.Surfaces[0] {
			m = second
		}
		start := m.request(c, agent)
		if agent.MakesIn(c.Surface, catalog.Input{Values: start.Values}) == catalog.MakesVideo && tool == nil {
			left++
			continue
		}
		id := m.startRun(start).ID
		made[c.Name] = func() { m.readResult(c, id, tool) }
		agents[c.Agent] = true
	}
	if left > 0 {
		tell(t, "runs that make videos left out: %d, as %v", left, err)
	}
	for _, name := range slices.Sorted(maps.Keys(made)) {
		made[name]()
	}
	tell(t, "runs of agents through studio and service to their results: %d", len(made))
	return agents
}

// What is run small and short is still run with every param of its case.
func TestSmallAndShortRunsLeaveNothingOut(t *testing.T) {
	t.Parallel()
	params := 0
	for _, c := range catalogtest.Cases(catalog.All()) {
		if !strings.Contains(c.Name, "/everything") {
			continue
		}
		agent, _ := catalog.Find(c.Agent, c.Version)
		start := shortened(c, agent)
		for name := range c.Values {
			_, kept := start.Values[name]
			if masked := name == "customMask" || name == "customMaskUrl"; masked && start.Mask == nil || !masked && !kept {
				t.Errorf("%s is run without its %s", c.Name, name)
			}
			params++
		}
	}
	if params < 300 {
		t.Errorf("%d params were looked at, want at least 300", params)
	}
}

// maker is a studio with what runs are made with.
type maker struct {
	*studio
	assets    map[catalog.Media][]atelier.Asset
	ids, tags map[string]float64
}

func newMaker(t *testing.T, tool *video.Tool, surface string) *maker {
	t.Helper()
	s := (&studio{
		change: func(c *bff.Config) {
			c.Video, c.Surface, c.PollMax = tool, surface, 5*time.Second // hundreds of runs are watched at once
		},
		configure: func(c *service.Config) { c.Video, c.SparseFilms = tool, 6 }, // four frames a second
	}).move(t)
	s.start()
	m := &maker{studio: s, assets: s.sitters(tool)}
	m.ids, m.tags = s.existing()
	return m
}

// request is a case as a run with one result, with files that are here.
func (m *maker) request(c catalogtest.Case, agent catalog.Agent) atelier.StartRun {
	m.t.Helper()
	start := shortened(c.Existing(agent, m.ids, m.tags), agent)
	for field, files := range c.Files {
		f, _ := agent.File(field)
		kind := f.Media
		_, removes := agent.Param("watermarkSelectType")
		switch {
		case agent.Name == "ai-room-planner":
			kind = roomOf
		case agent.Name == "pregnant_ai":
			kind = figureOf
		case agent.Name == "ai-translate":
			kind = sheetOf
		case agent.Name == "glasses-remover-from-photo":
			kind = glassesOf
		case removes:
			kind = titledOf
		case slices.ContainsFunc(agent.Rules, func(r catalog.Rule) bool { return r.Kind == catalog.EachFile && slices.Contains(r.Fields, field) }):
			kind = referenceOf
		}
		list := m.assets[kind]
		if len(list) == 0 {
			continue // no films without ffmpeg
		}
		for i := range files {
			start.Files[field] = append(start.Files[field], string(list[i%len(list)].ID))
		}
	}
	return start
}

// What the assets are kept under that some agents cannot do without; a reference film is as large and as long as it has to be.
const (
	roomOf      catalog.Media = "a room"
	figureOf    catalog.Media = "somebody down to the hips"
	sheetOf     catalog.Media = "a sheet with lettering"
	glassesOf   catalog.Media = "somebody with glasses"
	titledOf    catalog.Media = "a film with a title"
	referenceOf catalog.Media = "a reference film"
)

// sitters brings what runs are made with: portraits, a room, a whole figure, lettering, and with ffmpeg a sound and films.
func (s *studio) sitters(tool *video.Tool) map[catalog.Media][]atelier.Asset {
	s.t.Helper()
	assets := map[catalog.Media][]atelier.Asset{}
	drawn := func(draw func(ctx context.Context, w, h int) (*image.NRGBA, error), w, h int) atelier.Asset {
		img, err := draw(s.t.Context(), w, h)
		s.check(err)
		return s.upload(testpics.JPEG(img))
	}
	for _, m := range presets.FashionModels()[:2] {
		assets[catalog.Image] = append(assets[catalog.Image], drawn(m.Draw, sitterWidth, sitterHeight))
	}
	assets[roomOf] = append(assets[roomOf], drawn(presets.Locations()[6].Draw, sitterHeight, sitterWidth))
	assets[figureOf] = append(assets[figureOf], drawn(func(ctx context.Context, w, h int) (*image.NRGBA, error) {
		img, err := presets.Samples()[2].Draw(ctx)
		if err != nil {
			return nil, err
		}
		return imaging.Fit(img, w, h), nil
	}, 2*sitterWidth, 2*sitterHeight))
	assets[sheetOf] = append(assets[sheetOf], drawn(func(ctx context.Context, _, _ int) (*image.NRGBA, error) {
		return render.Render(ctx, render.Request{Agent: "ai-infographic-generator", Values: map[string]any{"textDescription": "Bread\nFlour. Water. Salt."}}, render.Segmentation{})
	}, 0, 0))
	assets[glassesOf] = append(assets[glassesOf], drawn(func(ctx context.Context, w, h int) (*image.NRGBA, error) {
		img, err := presets.FashionModels()[0].Draw(ctx, w, h)
		if err != nil {
			return nil, err
		}
		return examples.WithGlasses(img), nil
	}, sitterWidth, sitterWidth*5/4))
	if tool != nil {
		bring := func(kind catalog.Media, name string, data []byte) {
			a, _ := s.bring(name, data, http.StatusCreated)
			assets[kind] = append(assets[kind], a)
		}
		bring(catalog.Audio, "tone", videotest.Tone(1))
		bring(catalog.Video, "film", sitterFilm(s.t, tool, 240, 320, 1))
		bring(titledOf, "titled", videotest.Make(s.t, videotest.Film{Seconds: 1, Title: "SAMPLE"}))
		bring(referenceOf, "reference", sitterFilm(s.t, tool, 480, 640, 2))
	}
	return assets
}

// shortened is a case as a run with one result that is as small and as short as the agent lets it be.
func shortened(c catalogtest.Case, agent catalog.Agent) atelier.StartRun {
	start := atelier.StartRun{IntentKey: intentKey(strings.ReplaceAll(c.Name, "/", "-")), Agent: c.Agent, Version: c.Version, Values: maps.Clone(c.Values), Files: map[string][]string{}}
	if _, masked := c.Values["customMask"]; masked || c.Values["customMaskUrl"] != nil {
		start.Mask = &atelier.MaskInput{PNG: halfMask(sitterWidth, sitterHeight)} // the studio's masks are its own
		delete(start.Values, "customMask")
		delete(start.Values, "customMaskUrl")
	}
	for _, p := range agent.Params {
		switch {
		case p.Name == "batchCount":
			start.Values[p.Name] = 1.0
		case agent.Name == "aipose" && p.Name == "textDescription":
			start.Values[p.Name] = "lean to the left" // a pose must be understood
		case agent.Name == "ai-translate" && p.Name == "textDescription":
			start.Values[p.Name] = "Pain" // nothing is translated here
		case p.Name == "targetWidth", p.Name == "targetHeight":
			start.Values[p.Name] = 720.0
		case p.Name == "aspectRatio" && slices.ContainsFunc(p.Options, func(o catalog.Option) bool { return o.Value == "1:1" }):
			start.Values[p.Name] = "1:1" // the fewest pixels
		case p.Name == "resolution", p.Name == "videoSize", p.Name == "imageSize":
			start.Values[p.Name] = p.Options[0].Value
		case p.Kind == catalog.Duration && len(p.Options) > 0 && p.Min == nil:
			start.Values[p.Name] = p.Options[0].Value
		case p.Kind == catalog.Duration:
			start.Values[p.Name] = fmt.Sprintf("%ds", *p.Min)
		}
	}
	// What suits no such request is left out again.
	in := catalog.Input{Values: maps.Clone(start.Values), Files: map[string][]string{}, Draft: true, SourceWidth: sitterWidth, SourceHeight: sitterHeight}
	if start.Mask != nil {
		in.Values["customMask"] = "drawn"
	}
	for field, files := range c.Files {
		in.Files[field] = make([]string, len(files))
		for i := range files {
			in.Files[field][i] = "asset"
		}
	}
	for _, p := range catalog.Refusals(catalog.Check(agent, c.Surface, in)) {
		if v, ok := c.Values[p.Field]; ok && v != start.Values[p.Field] {
			start.Values[p.Field] = v
		} else {
			delete(start.Values, p.Field)
		}
	}
	return start
}

// readResult waits for the run of a case and reads what it made.
func (s *studio) readResult(c catalogtest.Case, id atelier.RunID, tool *video.Tool) {
	s.t.Helper()
	agent, run := c.Name, s.settled(id)
	if string(run.Surface) != string(c.Surface) {
		s.t.Errorf("%s: the run went over the %s surface", agent, run.Surface)
	}
	if run.Status != atelier.Success || len(run.Results) != 1 || !run.Results[0].Stored {
		s.t.Errorf("%s: %s %+v %+v", agent, run.State, run.Error, run.Results)
		return
	}
	r := run.Results[0]
	data := s.send("GET", r.File, nil, nil).body
	if of, ok := shapeOf(c, run); ok && math.Abs(float64(r.Width)/float64(r.Height)/of-1) > 0.02 {
		s.t.Errorf("%s: %d × %d, want the shape %v", agent, r.Width, r.Height, run.Values["aspectRatio"])
	}
	if r.Kind == "image" {
		img, facts, err := imaging.Decode(s.t.Context(), data, imaging.DefaultLimits)
		if err != nil {
			s.t.Errorf("%s: %v", agent, err)
			return
		}
		for _, param := range []string{"outputFormat", "resultImageFormat"} {
			if v, ok := run.Values[param].(string); ok && !strings.EqualFold(v, facts.Format.Label()) && !strings.EqualFold(v, string(facts.Format)) {
				s.t.Errorf("%s: the picture is %s, want %s", agent, facts.Format, v)
			}
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
		if long, ok := askedSide(c, run, "imageSize", map[string]int{"1K": 1024, "2K": 2048, "3K": 3072, "4K": 4096}); ok && max(size.X, size.Y) != long {
			s.t.Errorf("%s: the picture is %v, want %d on the long side", agent, size, long)
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
	if info.Width != r.Width || info.Height != r.Height {
		s.t.Errorf("%s: the video is %d × %d, and said to be %d × %d", agent, info.Width, info.Height, r.Width, r.Height)
	}
	if short, ok := askedSide(c, run, "resolution", map[string]int{"480p": 480, "720p": 720, "1080p": 1080, "4k": 2160}); ok && min(info.Width, info.Height) != short {
		s.t.Errorf("%s: the video is %d × %d, want %d on the short side", agent, info.Width, info.Height, short)
	}
	// Of a film of 240 × 320, which is made at most four times as large.
	if long, ok := askedSide(c, run, "videoSize", map[string]int{"2K": 4 * 320, "4K": 4 * 320}); ok && max(info.Width, info.Height) != long {
		s.t.Errorf("%s: the video is %d × %d, want %d on the long side", agent, info.Width, info.Height, long)
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
	// The last frame is there, whether the agent gives one or not, and may be brought like any picture.
	last := s.send("GET", r.LastFrame, nil, nil).body
	facts, err := probe.Read(last, int64(len(last)))
	if problems := probe.Upload.Check(facts); err != nil || len(problems) > 0 {
		s.t.Errorf("%s: the last frame %q: %v, %v", agent, r.LastFrame, err, problems)
	}
}

// shapeOf is the width over the height that a run asked for; ok is false where it asked for none, or where it counts for nothing.
func shapeOf(c catalogtest.Case, run atelier.Run) (of float64, ok bool) {
	agent, found := catalog.Find(c.Agent, c.Version)
	text, asked := run.Values["aspectRatio"].(string)
	w, h, pair := strings.Cut(text, ":")
	if !found || !asked || !pair || !catalog.Applies(agent, c.Surface, catalog.Input{Values: run.Values, Files: run.Files}, "aspectRatio") {
		return 0, false
	}
	wide, err := strconv.ParseFloat(w, 64)
	high, herr := strconv.ParseFloat(h, 64)
	return wide / high, err == nil && herr == nil
}

// askedSide is the side in px that a value of a param stands for; ok is false where none was asked for, or where it counts for
// nothing.
func askedSide(c catalogtest.Case, run atelier.Run, param string, sides map[string]int) (px int, ok bool) {
	agent, found := catalog.Find(c.Agent, c.Version)
	value, asked := run.Values[param].(string)
	if !found || !asked || !catalog.Applies(agent, c.Surface, catalog.Input{Values: run.Values, Files: run.Files}, param) {
		return 0, false
	}
	px, known := sides[value]
	return px, known
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

// sitterFilm is a film, six frames a second, that shows a person.
func sitterFilm(t testing.TB, tool *video.Tool, w, h int, seconds float64) []byte {
	t.Helper()
	person, err := presets.FashionModels()[2].Draw(t.Context(), w, h)
	if err != nil {
		t.Fatal(err)
	}
	rate := video.Rate{Num: 6, Den: 1}
	path := filepath.Join(t.TempDir(), "film")
	out, err := tool.Write(t.Context(), path, video.WriteOptions{Width: w, Height: h, Rate: rate, Frames: rate.Frames(seconds)})
	if err != nil {
		t.Fatal(err)
	}
	for range rate.Frames(seconds) {
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
