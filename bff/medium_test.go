package bff_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"atelier/atelier"
	"atelier/bff"
	"atelier/imaging"
	"atelier/imaging/video/container"
	"atelier/imaging/video/videotest"
)

// bring uploads a file under a name and a type that the server must not believe.
func (s *studio) bring(name string, data []byte, want int) (a atelier.Asset, r reply) {
	s.t.Helper()
	r = s.send("POST", "/api/assets?name="+name, bytes.NewReader(data), func(r *http.Request) { r.Header.Set("Content-Type", "image/png") })
	if r.status != want {
		s.t.Fatalf("upload of %s = %d %s, want %d", name, r.status, r.body, want)
	}
	if want == http.StatusCreated {
		s.check(json.Unmarshal(r.body, &a))
	}
	return a, r
}

func TestVideosAndSoundsAreAssets(t *testing.T) {
	t.Parallel()
	tool := videotest.Tool(t)
	s := newIdleStudio(t, func(c *bff.Config) { c.Video = tool })
	film := videotest.Make(t, videotest.Film{Seconds: 3, Sound: true})
	tests := []struct {
		name, kind, format, mediaType string
		data                          []byte
		width, height                 int
		seconds                       float64
	}{
		{"walk.png", "video", "mp4", "video/mp4", film, 320, 240, 3},
		{"walk.mov", "video", "mov", "video/quicktime", videotest.Make(t, videotest.Film{Width: 240, Height: 320, Format: container.MOV}), 240, 320, 2},
		{"steps.jpg", "audio", "wav", "audio/wav", videotest.Tone(1.5), 0, 0, 1.5},
	}
	for _, test := range tests {
		a, _ := s.bring(test.name, test.data, http.StatusCreated)
		if a.Kind != test.kind || a.Format != test.format || a.Width != test.width || a.Height != test.height || a.Bytes != int64(len(test.data)) ||
			a.Seconds < test.seconds-0.11 || a.Seconds > test.seconds+0.11 {
			t.Errorf("%s is taken for %+v", test.name, a)
		}
		whole := s.send("GET", a.File, nil, nil)
		if !bytes.Equal(whole.body, test.data) || whole.header.Get("Content-Type") != test.mediaType || whole.header.Get("X-Content-Type-Options") != "nosniff" ||
			!strings.Contains(whole.header.Get("Content-Security-Policy"), "sandbox") {
			t.Errorf("%s comes back as %v, %d bytes", test.name, whole.header, len(whole.body))
		}
		part := s.send("GET", a.File, nil, func(r *http.Request) { r.Header.Set("Range", "bytes=100-199") })
		if part.status != http.StatusPartialContent || !bytes.Equal(part.body, test.data[100:200]) {
			t.Errorf("a part of %s is %d with %d bytes", test.name, part.status, len(part.body))
		}
		if test.kind == "audio" {
			if a.Thumb != "" {
				t.Errorf("a sound has the thumbnail %s", a.Thumb)
			}
			continue
		}
		thumb := s.send("GET", a.Thumb+"?w=160", nil, nil)
		if cfg, err := imaging.Inspect(thumb.body, imaging.DefaultLimits); err != nil || max(cfg.Width, cfg.Height) != 160 || !strings.HasPrefix(a.Preview, "data:") {
			t.Errorf("the thumbnail of %s is %+v, %v", test.name, cfg, err)
		}
	}
	again, _ := s.bring("another.mp4", film, http.StatusCreated)
	var page atelier.AssetPage
	s.json("GET", "/api/assets", nil, http.StatusOK, &page)
	if len(page.Assets) != len(tests) || !slices.ContainsFunc(page.Assets, func(a atelier.Asset) bool { return a.ID == again.ID && a.Seconds > 2.9 }) {
		t.Errorf("the same file twice makes %d assets", len(page.Assets))
	}
}

func TestVideosThatCannotBeTakenSayWhy(t *testing.T) {
	t.Parallel()
	tool := videotest.Tool(t)
	film := videotest.Make(t, videotest.Film{Seconds: 3})
	limit := int64(len(film))
	s := newIdleStudio(t, func(c *bff.Config) { c.Video, c.MediaBytes = tool, limit })
	var session atelier.Session
	s.json("GET", "/api/session", nil, http.StatusOK, &session)
	if session.Limits.MediaBytes != limit {
		t.Errorf("the browser hears of a limit of %d", session.Limits.MediaBytes)
	}
	s.bring("exactly.mp4", film, http.StatusCreated)
	// One byte more: a box the reader passes over.
	larger := slices.Concat(film, []byte{0})
	broken := bytes.Clone(film)
	at := bytes.Index(broken, []byte("mdat"))
	clear(broken[at+4 : at+4+len(broken[at+4:])/2])
	tests := []struct {
		name   string
		data   []byte
		status int
		says   string
	}{
		{"larger.mp4", larger, http.StatusRequestEntityTooLarge, "at most"},
		{"half.mp4", film[:len(film)/3], http.StatusBadRequest, "damaged"},
		{"head.mp4", film[:64], http.StatusBadRequest, "damaged"},
		{"noise.mp4", broken, http.StatusBadRequest, "damaged"},
	}
	for _, test := range tests {
		_, r := s.bring(test.name, test.data, test.status)
		if e := r.error(t); !strings.Contains(e.Message, test.says) || e.Fields["file"] == "" {
			t.Errorf("%s is refused with %+v", test.name, e)
		}
	}
	var page atelier.AssetPage
	s.json("GET", "/api/assets", nil, http.StatusOK, &page)
	if len(page.Assets) != 1 {
		t.Errorf("%d assets are there, want the one that was taken", len(page.Assets))
	}
}

func TestARunTakesFilesOfTheRightKind(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	picture := s.upload(photo(1))
	sound, _ := s.bring("steps.wav", videotest.Tone(1), http.StatusCreated)
	r := s.json("POST", "/api/runs", atelier.StartRun{
		IntentKey: intentKey("kinds"), Agent: "video-watermark-remover", Version: "v1.0",
		Files: map[string][]string{"videos": {string(picture.ID)}},
	}, http.StatusBadRequest, nil)
	if e := r.error(t); !strings.Contains(e.Fields["videos"], "needs a video") {
		t.Errorf("a picture in place of a video is refused with %+v", e)
	}
	r = s.json("POST", "/api/runs", atelier.StartRun{
		IntentKey: intentKey("kinds"), Agent: "image-to-sketch", Version: "v1.0", Files: map[string][]string{"images": {string(sound.ID)}},
	}, http.StatusBadRequest, nil)
	if e := r.error(t); !strings.Contains(e.Fields["images"], "needs a picture") {
		t.Errorf("a sound in place of a picture is refused with %+v", e)
	}
}

func TestAServiceThatCannotReachTheStudioGetsNoVideos(t *testing.T) {
	t.Parallel()
	film := videotest.Make(t, videotest.Film{Seconds: 3})
	s := newIdleStudio(t, func(c *bff.Config) { c.UpstreamKind = "remote" })
	a, _ := s.bring("walk.mp4", film, http.StatusCreated)
	r := s.json("POST", "/api/runs", atelier.StartRun{
		IntentKey: intentKey("private"), Agent: "video-watermark-remover", Version: "v1.0", Files: map[string][]string{"videos": {string(a.ID)}},
	}, http.StatusBadRequest, nil)
	if e := r.error(t); !strings.Contains(e.Fields["videos"], "ATELIER_PUBLIC_URL") {
		t.Errorf("refused with %+v", e)
	}
}

func TestASharedVideoIsReadByItsAddressAlone(t *testing.T) {
	t.Parallel()
	film := videotest.Make(t, videotest.Film{Seconds: 3})
	now := time.Now()
	var clock time.Duration
	s := newIdleStudio(t, func(c *bff.Config) {
		c.UpstreamKind, c.PublicURL, c.Now = "remote", "http://"+c.Hosts[0], func() time.Time { return now.Add(clock) }
	})
	a, _ := s.bring("walk.mp4", film, http.StatusCreated)
	picture := s.upload(photo(1))
	address := strings.TrimPrefix(s.bff.MediaURL(a.ID), s.http.URL)
	s.browser = s.newBrowser() // nobody is signed in here
	get := func(path string) int { return s.send("GET", path, nil, nil).status }
	if got := s.send("GET", address, nil, nil); got.status != http.StatusOK || !bytes.Equal(got.body, film) || !strings.HasPrefix(got.header.Get("Content-Disposition"), "attachment") {
		t.Fatalf("the address gives %d, %v", got.status, got.header)
	}
	token := strings.TrimPrefix(address, "/media/")
	parts := strings.Split(token, ".")
	late, err := strconv.Atoi(parts[1])
	s.check(err)
	for name, path := range map[string]string{
		"another proof": "/media/" + parts[0] + "." + parts[1] + "." + strings.Repeat("A", len(parts[2])),
		"a later end":   "/media/" + parts[0] + "." + strconv.Itoa(late+3600) + "." + parts[2],
		"no proof":      "/media/" + parts[0],
		"a picture":     strings.TrimPrefix(s.bff.MediaURL(picture.ID), s.http.URL),
		"nothing":       "/media/",
	} {
		if got := get(path); got != http.StatusNotFound {
			t.Errorf("%s gives %d, want 404", name, got)
		}
	}
	clock = 24*time.Hour - time.Second
	if got := get(address); got != http.StatusOK {
		t.Errorf("a second before its end the address gives %d", got)
	}
	clock = 24 * time.Hour
	if got := get(address); got != http.StatusNotFound {
		t.Errorf("at its end the address gives %d", got)
	}
}
