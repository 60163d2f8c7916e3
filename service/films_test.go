package service

import (
	"bytes"
	"encoding/json"
	"image"
	"image/color"
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"atelier/imaging"
	"atelier/imaging/testpics"
	"atelier/imaging/video"
	"atelier/imaging/video/container"
	"atelier/imaging/video/videotest"
	"atelier/upstream"
)

// uploadMedium stores a video or sound and gives its URL.
func (w *world) uploadMedium(path, field string, data []byte) string {
	w.t.Helper()
	contentType, body := formOf(w.t, field, data)
	return must[map[string]string](w.t, w.do(http.MethodPost, path, w.key, contentType, body))[field]
}

func (w *world) uploadFilm(data []byte) string {
	w.t.Helper()
	return w.uploadMedium(upstream.PathRunVideos, "video", data)
}

// start starts a run of an agent of the run surface.
func (w *world) startRun(agent string, params map[string]any) string {
	w.t.Helper()
	return w.run(agent, map[string]any{}, params)
}

// probed reads a video of the service and what it holds.
func (w *world) probed(tool *video.Tool, url string) (path string, info video.Info) {
	w.t.Helper()
	path = filepath.Join(w.t.TempDir(), "film")
	if err := os.WriteFile(path, w.fetch(url).raw, 0o600); err != nil {
		w.t.Fatal(err)
	}
	info, err := tool.Probe(w.t.Context(), path)
	if err != nil {
		w.t.Fatal(err)
	}
	return path, info
}

// personFilm is a film of a second in which a person stands.
func personFilm(t *testing.T, tool *video.Tool) []byte {
	t.Helper()
	person, _ := testpics.Person(240, 320, 3)
	return still(t, tool, person, video.Rate{Num: 6, Den: 1}, 6)
}

// still is a film that shows one picture all the time.
func still(t *testing.T, tool *video.Tool, img *image.NRGBA, rate video.Rate, frames int) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "still.mp4")
	out, err := tool.Write(t.Context(), path, video.WriteOptions{Width: img.Rect.Dx(), Height: img.Rect.Dy(), Rate: rate, Frames: frames})
	if err != nil {
		t.Fatal(err)
	}
	for range frames {
		if err := out.Write(img); err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	return readFile(t, path)
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// sparse makes two frames a second of videos that are drawn, which have 24.
const sparse = 12

func TestSlowAgentsMakeTheirVideos(t *testing.T) {
	t.Parallel()
	testVideos(t, sparse, "reference-to-video", "video-watermark-remover", "portrait-motion")
}

func TestSlowAgentsOfEveryShapeMakeTheirVideos(t *testing.T) {
	t.Parallel()
	testVideos(t, 0, "frames-to-video", "reference-to-video", "motion-transfer", "video-watermark-remover", "ai-video-enhancer",
		"replace-face-in-video-online-free", "portrait-motion")
}

// testVideos makes a video with each of the agents, of each n-th frame alone, and looks at it, at its poster and at how it is served.
func testVideos(t *testing.T, each int, agents ...string) {
	tool := videotest.Tool(t)
	w := newWorld(t, func(cfg *Config) { cfg.Video, cfg.SparseFilms = tool, each })
	person, _ := testpics.Person(520, 700, 5)
	picture, face := w.upload(testpics.JPEG(photo())), w.upload(testpics.JPEG(person))
	film := w.uploadFilm(videotest.Make(t, videotest.Film{Seconds: 1, Sound: true}))
	walk := w.uploadFilm(personFilm(t, tool))
	sound := w.uploadMedium(upstream.PathRunAudios, "audio", videotest.Tone(1))
	tests := []struct {
		agent   string
		params  map[string]any
		format  container.Format
		size    image.Point // zero = whatever it is
		seconds float64
	}{
		{"frames-to-video", map[string]any{"textDescription": "zoom in", "images": []string{picture}, "duration": "2s", "aspectRatio": "16:9"}, container.MP4, image.Pt(1280, 720), 2},
		{"reference-to-video", map[string]any{"textDescription": "calm", "images": []string{picture}, "audios": []string{sound}, "duration": "4s", "aspectRatio": "1:1"}, container.MP4, image.Pt(720, 720), 4},
		{"motion-transfer", map[string]any{"images": []string{face}, "videos": []string{walk}}, container.MP4, image.Point{}, 1},
		{"video-watermark-remover", map[string]any{"videos": []string{w.uploadFilm(videotest.Make(t, videotest.Film{Seconds: 1, Title: "SAMPLE"}))}}, container.MP4, image.Pt(320, 240), 1},
		{"ai-video-enhancer", map[string]any{"videos": []string{film}, "videoSize": "2K"}, container.MP4, image.Point{}, 1},
		{"replace-face-in-video-online-free", map[string]any{"videos": []string{walk}, "images": []string{face}}, container.MP4, image.Pt(240, 320), 1},
		{"portrait-motion", map[string]any{"textDescription": "a sketch", "images": []string{face}}, container.MP4, image.Point{}, 5},
	}
	started := map[string]string{}
	for _, test := range tests {
		if slices.Contains(agents, test.agent) {
			started[test.agent] = w.startRun(test.agent, test.params)
		}
	}
	if len(started) != len(agents) {
		t.Fatalf("%d of %d agents are known", len(started), len(agents))
	}
	for _, test := range tests {
		id, ok := started[test.agent]
		if !ok {
			continue
		}
		got := w.finish(id)
		if got.Status != statusSuccess {
			t.Errorf("%s: %+v", test.agent, got)
			continue
		}
		item := got.Result[0]
		_, info := w.probed(tool, item.Video)
		if info.Format != test.format || math.Abs(info.Seconds-test.seconds) > 0.11 || (test.size != image.Point{} && test.size != image.Pt(info.Width, info.Height)) {
			t.Errorf("%s made %+v", test.agent, info)
		}
		poster := decode(t, w.fetch(item.VideoPoster).raw).Rect.Size()
		if d := float64(poster.X)/float64(poster.Y) - float64(info.Width)/float64(info.Height); math.Abs(d) > 0.02 {
			t.Errorf("%s: the poster is %v, the video %d × %d", test.agent, poster, info.Width, info.Height)
		}
		if item.LastFrame != "" {
			t.Errorf("%s gives a last frame that nobody asked for", test.agent)
		}
		// The catalog says that clients of this shape read the image field.
		if inImage := test.agent == "portrait-motion"; inImage != (item.Image == item.Video) || !inImage && item.Image != "" {
			t.Errorf("%s: image %q, video %q", test.agent, item.Image, item.Video)
		}
		part := w.do(http.MethodGet, strings.TrimPrefix(item.Video, w.srv.URL), "", "", nil, "Range", "bytes=10-19")
		if part.status != http.StatusPartialContent || len(part.raw) != 10 || part.header.Get("Content-Type") != "video/mp4" {
			t.Errorf("%s: a part of the file is %d %v", test.agent, part.status, part.header)
		}
		if a := w.post(upstream.PathPSDCreate, w.key, map[string]string{"executionId": id}); a.status != http.StatusBadRequest || !strings.Contains(a.said(), "layered") {
			t.Errorf("%s: a layered file of a video: %s", test.agent, a.raw)
		}
	}
	made := w.finish(w.startRun("portrait-motion", map[string]any{"textDescription": "a sketch", "images": []string{face}, "generatedType": "image"})).Result[0]
	if made.Video != "" || made.VideoPoster != "" {
		t.Errorf("a picture that was asked for comes as %+v", made)
	}
	decode(t, w.fetch(made.Image).raw)
	left, err := os.ReadDir(w.svc.workshop())
	if err != nil || len(left) > 0 {
		t.Errorf("%d folders are left where videos are made, %v", len(left), err)
	}
}

func TestLastFrameIsThatOfTheVideo(t *testing.T) {
	t.Parallel()
	tool := videotest.Tool(t)
	w := newWorld(t, func(cfg *Config) { cfg.Video, cfg.SparseFilms = tool, sparse })
	got := w.finish(w.startRun("advanced-video", map[string]any{
		"textDescription": "zoom in", "duration": "4s", "resolution": "480p", "returnLastFrame": true, "outputFormat": "mov", "aspectRatio": "1:1",
	}))
	if got.Status != statusSuccess {
		t.Fatalf("%+v", got)
	}
	path, info := w.probed(tool, got.Result[0].Video)
	if served := w.fetch(got.Result[0].Video).header.Get("Content-Type"); info.Format != container.MOV || served != "video/quicktime" {
		t.Errorf("a MOV was asked for, and it is %s, served as %s", info.Format, served)
	}
	want, err := tool.LastFrame(t.Context(), path, info)
	if err != nil {
		t.Fatal(err)
	}
	kept := w.fetch(got.Result[0].LastFrame).raw
	last := decode(t, kept)
	if short := min(last.Rect.Dx(), last.Rect.Dy()); short != 513 {
		t.Errorf("the last frame of a video of 480 lines is %v, want 513 on the short side", last.Rect.Size())
	}
	if w.upload(kept) == "" {
		t.Error("the last frame is no input")
	}
	last = imaging.Resize(last, want.Rect.Dx(), want.Rect.Dy())
	sum := 0.0
	for i := range last.Pix {
		sum += math.Abs(float64(last.Pix[i]) - float64(want.Pix[i]))
	}
	if mean := sum / float64(len(last.Pix)); mean > 4 {
		t.Errorf("it differs from the video's by %.1f levels", mean)
	}
}

func TestWithoutFFmpegVideosFailInASentenceAndPicturesAreMade(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	picture := w.upload(testpics.JPEG(photo()))
	film := w.startRun("frames-to-video", map[string]any{"textDescription": "calm", "images": []string{picture}, "duration": "2s"})
	still := w.execute(w.task("removeBG", picture), cutOut())
	if got := w.finish(film); got.Status != statusFailed || got.Result[0].Error != video.ErrMissing.Error() {
		t.Errorf("a video without ffmpeg: %+v", got)
	}
	if got := w.finish(still); got.Status != statusSuccess {
		t.Errorf("a picture beside it: %+v", got)
	}
}

func TestAVideoThatIsDeletedIsMadeNoFurther(t *testing.T) {
	t.Parallel()
	tool := videotest.Tool(t)
	w := newWorld(t, func(cfg *Config) { cfg.Video, cfg.SparseFilms = tool, sparse })
	id := w.startRun("text-to-video", map[string]any{"textDescription": "calm", "duration": "15s"})
	task := eventually(t, func() upstream.Task { return w.query(id) }, func(task upstream.Task) bool {
		done, err := strconv.ParseFloat(string(task.Executions[0].Result[0].Progress), 64)
		return err == nil && done > 0.02
	})
	if a := w.post(upstream.PathTaskDelete, w.key, map[string]string{"taskId": task.TaskID}); !a.Success {
		t.Fatalf("%s", a.raw)
	}
	eventually(t, func() int {
		left, err := os.ReadDir(w.svc.workshop())
		if err != nil {
			t.Fatal(err)
		}
		return len(left)
	}, func(n int) bool { return n == 0 })
	if n := w.count(`SELECT count(*) FROM file WHERE kind = 'result'`); n != 0 {
		t.Errorf("%d results of it are stored", n)
	}
}

func TestSlowKilledVideoIsMadeAgainWhole(t *testing.T) {
	t.Parallel()
	tool := videotest.Tool(t)
	p, c, folder := mortal(t, childFilms+"="+strconv.Itoa(sparse))
	p.Start(childMoment+"=filming", childCount+"=3")
	c.run("text-to-video", map[string]any{}, map[string]any{"textDescription": "calm", "duration": "3s"}) // perhaps it dies before it answers
	select {
	case <-p.Ended():
	case <-time.After(patience):
		t.Fatal("the service was not killed")
	}
	if left, err := os.ReadDir(filepath.Join(folder, "workshop")); err != nil || len(left) != 1 {
		t.Fatalf("%d videos were in the making, %v", len(left), err)
	}
	p.Start()
	if !c.runAgain() {
		t.Fatal("the service does not answer")
	}
	var e upstream.Execution
	for _, id := range c.runs {
		e, _ = c.ended(id)
	}
	if e.Status != statusSuccess {
		t.Fatalf("after the kill: %+v", e)
	}
	var data []byte
	c.read(e.Result[0].Video, &data)
	path := filepath.Join(t.TempDir(), "film")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if info, err := tool.Probe(t.Context(), path); err != nil || info.Frames() != 3*24/sparse {
		t.Errorf("the video is %+v, %v", info, err)
	}
	p.Kill()
	w := newWorld(t, func(cfg *Config) { cfg.Folder = folder })
	w.folder = folder
	if n := w.count(`SELECT count(*) FROM file WHERE kind = 'result'`); n != 2 {
		t.Errorf("%d files are stored for a video and its poster", n)
	}
	if left, err := os.ReadDir(w.svc.workshop()); err != nil || len(left) != 0 {
		t.Errorf("%d folders are left where videos are made, %v", len(left), err)
	}
}

func TestUploadsOfVideosAndSoundsAreJudgedByTheirContent(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	film := videotest.Make(t, videotest.Film{Seconds: 1})
	tests := []struct {
		name, path, field string
		data              []byte
		says              string
	}{
		{"a sound as a video", upstream.PathRunVideos, "video", videotest.Tone(1), "video: the file has to be an MP4 or MOV"},
		{"a video as a sound", upstream.PathRunAudios, "audio", film, "audio: the file has to be an MP3, WAV or M4A"},
		{"a picture as a video", upstream.PathRunVideos, "video", testpics.JPEG(photo()), "video: this is not an MP4 or MOV"},
		{"the head of a video", upstream.PathRunVideos, "video", film[:200], "video: the file is damaged"},
		{"nothing", upstream.PathRunVideos, "video", nil, "video: this is not"},
		{"a sound that is too long", upstream.PathRunAudios, "audio", videotest.Tone(601), "audio: it lasts 601 seconds; at most 600"},
		{"a video in another field", upstream.PathRunVideos, "image", film, `"video" with the video is missing`},
	}
	for _, test := range tests {
		contentType, body := formOf(t, test.field, test.data)
		if a := w.do(http.MethodPost, test.path, w.key, contentType, body); a.status != http.StatusBadRequest || !strings.Contains(a.Error.Message, test.says) {
			t.Errorf("%s: %d %s", test.name, a.status, a.raw)
		}
	}
	// One byte too many, streamed: a box that the reader passes over.
	large := io.MultiReader(bytes.NewReader(film), io.LimitReader(zeros{}, maxMediaBytes+1-int64(len(film))))
	if a := w.stream(upstream.PathRunVideos, "video", large); a.status != http.StatusRequestEntityTooLarge || !strings.Contains(a.Error.Message, "video: the file is larger than 200 MB") {
		t.Errorf("a file beyond the limit: %d %s", a.status, a.raw)
	}
	eventually(t, w.files, func(n int) bool { return n == 0 })
}

// zeros is an endless file of zeros.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func TestOwnFilesAreJudgedBeforeARunIsAccepted(t *testing.T) {
	t.Parallel()
	tool := videotest.Tool(t)
	w := newWorld(t, nil)
	picture, sound := w.upload(testpics.JPEG(photo())), w.uploadMedium(upstream.PathRunAudios, "audio", videotest.Tone(1))
	small := w.uploadFilm(videotest.Make(t, videotest.Film{Seconds: 3}))
	long := w.uploadFilm(still(t, tool, testpics.Flat(854, 480, color.NRGBA{R: 90, G: 120, B: 60, A: 255}), video.Rate{Num: 1, Den: 1}, 31))
	tests := []struct {
		name, agent string
		params      map[string]any
		says        string
	}{
		{"a picture as a video", "video-watermark-remover", map[string]any{"videos": []string{picture}}, "videos: this has to be a video, and the file is a picture"},
		{"a sound as a picture", "image-to-sketch", map[string]any{"images": []string{sound}}, "images: this has to be a picture, and the file is a sound"},
		{"a film that is too coarse", "advanced-video", map[string]any{"textDescription": "calm", "videos": []string{small}}, "videos: "},
		{"a film that is too long", "advanced-video", map[string]any{"textDescription": "calm", "videos": []string{long}}, "videos: "},
	}
	for _, test := range tests {
		a := w.post(upstream.PathRuns, w.key, upstream.RunStart{Agent: upstream.RunAgent{Name: test.agent, Version: "v1.0"}, Input: map[string]any{}, Params: test.params})
		if a.status != http.StatusBadRequest || !strings.Contains(a.Error.Message, test.says) {
			t.Errorf("%s: %d %s", test.name, a.status, a.raw)
		}
	}
}

func TestSlowFilmsOfOthersAreFetchedAndJudgedAtWork(t *testing.T) {
	t.Parallel()
	tool := videotest.Tool(t)
	film, small := videotest.Make(t, videotest.Film{Seconds: 1, Title: "SAMPLE"}), videotest.Make(t, videotest.Film{Seconds: 3})
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data := map[string][]byte{"/film": film, "/small": small, "/sound": videotest.Tone(1), "/text": []byte("no film")}[r.URL.Path]
		if data == nil {
			http.NotFound(w, r)
			return
		}
		if _, err := w.Write(data); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(host.Close)
	w := newWorld(t, func(cfg *Config) {
		cfg.Video, cfg.AssetHosts = tool, []string{strings.TrimPrefix(host.URL, "http://")}
		cfg.Logger = slog.New(slog.DiscardHandler)
	})
	run := func(agent, path string) upstream.Execution {
		return w.finish(w.startRun(agent, map[string]any{"textDescription": "calm", "videos": []string{host.URL + path}}))
	}
	if got := run("video-watermark-remover", "/film"); got.Status != statusSuccess {
		t.Errorf("a film of another: %+v", got)
	}
	for path, says := range map[string]string{
		"/sound": "videos: the file has to be", "/text": "videos: this is not", "/none": "videos could not be read", "/small": "videos: ",
	} {
		agent := "video-watermark-remover"
		if path == "/small" { // one whose films are bound
			agent = "advanced-video"
		}
		if got := run(agent, path); got.Status != statusFailed || !strings.Contains(got.Result[0].Error, says) {
			t.Errorf("%s: %+v", path, got)
		}
	}
}

// stream uploads a file that is not held in memory.
func (w *world) stream(path, field string, from io.Reader) answer {
	w.t.Helper()
	contentType, frame := formOf(w.t, field, []byte("#"))
	head, tail, _ := bytes.Cut(frame, []byte("#"))
	req, err := http.NewRequestWithContext(w.t.Context(), http.MethodPost, w.srv.URL+path, io.MultiReader(bytes.NewReader(head), from, bytes.NewReader(tail)))
	if err != nil {
		w.t.Fatal(err)
	}
	req.Header.Set("Authorization", w.key)
	req.Header.Set("Content-Type", contentType)
	resp, err := w.srv.Client().Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	a := answer{status: resp.StatusCode, raw: []byte(readAll(w.t, resp))}
	if err := json.Unmarshal(a.raw, &a); err != nil {
		w.t.Fatal(err)
	}
	return a
}

func TestPicturesComeInTheFileTypeAskedFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	for asked, want := range map[string]string{"jpeg": "image/jpeg", "png": "image/png"} {
		got := w.finish(w.startRun("image-studio", map[string]any{"textDescription": "a red door", "modelName": "standard", "outputFormat": asked}))
		if got.Status != statusSuccess {
			t.Fatalf("%+v", got)
		}
		if a := w.fetch(got.Result[0].Image); a.header.Get("Content-Type") != want {
			t.Errorf("%s was asked for, it is %s", asked, a.header.Get("Content-Type"))
		}
	}
}
