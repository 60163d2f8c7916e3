package bff_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image/color"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"atelier/app/model/modeltest"
	"atelier/atelier"
	"atelier/bff"
	"atelier/catalog"
	"atelier/catalog/catalogtest"
	"atelier/imaging/testpics"
	"atelier/imaging/video"
	"atelier/imaging/video/container"
	"atelier/imaging/video/videotest"
	"atelier/service"
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

// tell logs how much a test tried.
func tell(t *testing.T, format string, args ...any) {
	t.Helper()
	t.Logf("counted: "+format, args...)
}

// turnedAway brings the files of a case that neither studio nor service takes, those in other containers. Field is where such
// a file belongs, "" when the case has none; n is how often it was refused.
func (c *cabinet) turnedAway(one catalogtest.Case) (n int, field string) {
	c.t.Helper()
	for name, files := range one.Files {
		for _, f := range files {
			if f.Facts.Container == "" || f.Facts.Container == "mp4" || f.Facts.Container == "mov" {
				continue
			}
			// The head of a WebM file.
			data := []byte("\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\xf7\x81\x01\x42\xf2\x81\x04\x42\xf3\x81\x08\x42\x82\x84webm\x42\x87\x81\x04")
			c.bring("film.webm", data, http.StatusUnsupportedMediaType)
			up := upstream.Upload{Name: "film.webm", Size: int64(len(data)), Body: bytes.NewReader(data)}
			if _, err := c.upstream.UploadVideo(c.background(), up); err == nil {
				c.t.Errorf("%s: the service takes a film in %s", one.Name, f.Facts.Container)
			}
			n, field = n+2, name
		}
	}
	return n, field
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
func plainFilm(t testing.TB, tool *video.Tool, f catalog.Facts) []byte {
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

// TestSlowRequestsAreJudgedAlike gives every request that can be made from the catalog to the browser's form, the studio and the service:
// each refuses the same fields. Nothing is rendered.
func TestSlowRequestsAreJudgedAlike(t *testing.T) {
	t.Parallel()
	requestsAreJudgedAlike(t, 1, 600)
}

// TestRequestsAreJudgedAlike is the short form of TestSlowRequestsAreJudgedAlike: every 17th request, so that all agents take part.
func TestRequestsAreJudgedAlike(t *testing.T) {
	t.Parallel()
	requestsAreJudgedAlike(t, 17, 35)
}

// requestsAreJudgedAlike judges every step-th case of the catalog; each of the three must have judged at least least.
func requestsAreJudgedAlike(t *testing.T, step, least int) {
	t.Helper()
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
	counts, spared := map[string]int{}, map[string]int{}
	for n, c := range catalogtest.Cases(catalog.All()) {
		if n%step != 0 {
			continue
		}
		agent, ok := catalog.Find(c.Agent, c.Version)
		if !ok {
			t.Fatalf("%s: no such agent", c.Name)
		}
		closet := closets[c.Surface]
		c = c.Existing(agent, ids, tags)
		judges := map[string][]string{}
		if away, field := closet.turnedAway(c); field != "" {
			// Such a file is refused where it is brought, so that no request can name it.
			judges["the studio"], judges["the service"] = []string{field}, []string{field}
			counts["at the door"] += away
		} else {
			refused, reason := closet.askStudio(n, c, agent)
			if reason == "" {
				judges["the studio"] = refused
			} else {
				spared["the studio: "+reason]++
			}
			judges["the service"] = closet.askService(doors[c.Surface], c, agent)
		}
		if form, source, reason := modeltest.Fill(c, agent); reason == "" {
			judges["the browser"] = modeltest.Refused(form, source)
		} else {
			spared["the browser: "+reason]++
		}
		for who, refused := range judges {
			counts[who]++
			slices.Sort(refused)
			if refused = slices.Compact(refused); !slices.Equal(refused, c.Refused) {
				t.Errorf("%s: %s refuses %v, want %v", c.Name, who, refused, c.Refused)
			}
		}
	}
	tell(t, "cases judged by the browser's form %d, by the studio %d, by the service %d; of these two %d by refusing the file", counts["the browser"], counts["the studio"], counts["the service"], counts["at the door"])
	for reason, n := range spared {
		tell(t, "cases spared %s: %d", reason, n)
	}
	for _, who := range []string{"the browser", "the studio", "the service"} {
		if counts[who] < least {
			t.Errorf("%s judged %d requests, want at least %d", who, counts[who], least)
		}
	}
}

// askStudio starts the run at the studio. Where its contract has no way to ask for it there is a reason.
func (c *cabinet) askStudio(n int, one catalogtest.Case, agent catalog.Agent) (refused []string, reason string) {
	c.t.Helper()
	// The pictures are plain colours: whether their automatic region is clear is not judged here.
	start := map[string]any{
		"intentKey": fmt.Sprintf("case-%011d", n), "agent": one.Agent, "version": one.Version, "unsure": true,
	}
	values := maps.Clone(one.Values)
	switch png, given := values["customMask"]; {
	case png == catalogtest.Mask:
		start["mask"] = map[string]string{"png": halfMask(catalogtest.SourceWidth, catalogtest.SourceHeight)}
	case given:
		if _, text := png.(string); !text {
			return nil, "a mask that is no text is no request of its"
		}
		start["mask"] = map[string]any{"png": png}
	}
	delete(values, "customMask")
	if _, given := values["customMaskUrl"]; given {
		return nil, "it sends the mask it keeps, never the address of one"
	}
	if one.TaskName != "" {
		return nil, "it labels runs by itself"
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
		return nil, ""
	case http.StatusBadRequest:
		for field := range r.error(c.t).Fields {
			if field == "mask" {
				field = "customMask" // what becomes of it on the wire
			}
			refused = append(refused, field)
		}
		return refused, ""
	}
	c.t.Fatalf("%s: the studio answers %d %s", one.Name, r.status, r.body)
	return nil, ""
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
