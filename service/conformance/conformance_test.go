// Package conformance holds the service to the documents: every case of the hand-written suite, over a real socket, with
// real pictures, each exchange compared with the service's own description; and clients that know the documents alone.
package conformance

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"atelier/imaging/video"
	"atelier/imaging/video/videotest"
	"atelier/service"
	"atelier/upstream/upstreamtest"
)

func TestServiceKeepsThePromisesOfTheDocuments(t *testing.T) {
	t.Parallel()
	seen, read := testPromises(t, upstreamtest.Short)
	seen.report(t, false)
	if read[""] == 0 || read[".psd"] == 0 {
		t.Errorf("asked at the host of layered files: %v", read)
	}
}

func TestSlowServiceKeepsThePromisesOfTheDocuments(t *testing.T) {
	t.Parallel()
	seen, _ := testPromises(t, upstreamtest.Long)
	for _, complaint := range seen.complaints {
		t.Error(complaint)
	}
}

// testPromises runs a part of the cases against a service of its own, and gives what was seen on the way and, by the endings of
// their names, how many files were asked for at the host of layered files.
func testPromises(t *testing.T, part upstreamtest.Part) (seen *witness, read map[string]int) {
	hooks := newReceiver(t)
	agent := "advanced-video"
	tool, err := video.Find(t.Context(), video.Limits{})
	if errors.Is(err, video.ErrMissing) {
		t.Logf("the cases of the video agent are left out: %v", err)
		agent = ""
	} else if err != nil {
		t.Fatal(err)
	}
	var film []byte
	if tool != nil {
		film = videotest.Make(t, videotest.Film{Seconds: 2, Sound: true})
	}
	media := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/film.mp4":
			_, _ = w.Write(film) // whoever asked may be gone
		case "/sound.wav":
			_, _ = w.Write(videotest.Tone(1))
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(media.Close)
	downloads := httptest.NewUnstartedServer(nil) // layered files are asked for and read at a host of their own
	svc, srv := newService(t, func(cfg *service.Config) {
		cfg.CallbackHosts, cfg.AssetHosts = []string{hooks.host(), "receiver.example"}, []string{strings.TrimPrefix(media.URL, "http://")}
		cfg.DownloadURL, cfg.Video = "http://"+downloads.Listener.Addr().String(), tool
	})
	read = map[string]int{}
	var mu sync.Mutex
	downloads.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		read[path.Ext(r.URL.Path)]++
		mu.Unlock()
		svc.Handler().ServeHTTP(w, r)
	})
	downloads.Start()
	t.Cleanup(downloads.Close)
	seen = &witness{description: describe(t, srv.URL), next: http.DefaultTransport, answered: map[string]int{}, unsaid: map[string]int{}}
	upstreamtest.Run(t, upstreamtest.Target{
		BaseURL: srv.URL, DownloadURL: downloads.URL, Transport: seen, VideoAgent: agent, PersonAgent: "portrait-motion", Paid: true, Costly: true, Part: part, Wait: patience, Poll: 20 * time.Millisecond,
		Film: media.URL + "/film.mp4", Sound: media.URL + "/sound.wav", Key: newKey(t, svc, "studio"), OtherKey: newKey(t, svc, "stranger"), SecondKey: newKey(t, svc, "studio"),
		Callbacks: func(t *testing.T, h http.Handler) string {
			hooks.handler.Store(&h)
			t.Cleanup(func() { hooks.handler.Store(nil) })
			return hooks.server.URL + "/callbacks"
		},
	})
	return seen, read
}

// newService starts a service in a folder of the test's own behind a real listener.
func newService(t *testing.T, change func(*service.Config)) (*service.Service, *httptest.Server) {
	t.Helper()
	cfg := service.Config{
		Folder:          t.TempDir(),
		CallbackRetries: [2]time.Duration{time.Millisecond, time.Millisecond},
		Logger:          slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn})),
	}
	if change != nil {
		change(&cfg)
	}
	svc, err := service.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := svc.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := svc.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(svc.Handler())
	t.Cleanup(srv.Close)
	return svc, srv
}

func newKey(t *testing.T, svc *service.Service, account string) string {
	t.Helper()
	raw, _, err := svc.CreateKey(context.WithoutCancel(t.Context()), account, "conformance")
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// receiver is a server that callbacks reach; what it does may change.
type receiver struct {
	server  *httptest.Server
	handler atomic.Pointer[http.Handler]
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{}
	r.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if h := r.handler.Load(); h != nil {
			(*h).ServeHTTP(w, req)
		}
	}))
	t.Cleanup(r.server.Close)
	return r
}

// record takes every callback, answers it with says and keeps its body.
func (r *receiver) record(says string) *record {
	got := &record{}
	var taker http.Handler = http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			http.Error(w, "the body breaks off", http.StatusBadRequest)
			return
		}
		got.mu.Lock()
		got.bodies = append(got.bodies, body)
		got.mu.Unlock()
		_, _ = io.WriteString(w, says)
	})
	r.handler.Store(&taker)
	return got
}

// record is the bodies of callbacks.
type record struct {
	mu     sync.Mutex
	bodies [][]byte
}

// about gives the bodies that name an execution, in the order they came.
func (r *record) about(execution string) [][]byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out [][]byte
	for _, b := range r.bodies {
		if bytes.Contains(b, []byte(execution)) {
			out = append(out, b)
		}
	}
	return out
}

func (r *receiver) host() string { return strings.TrimPrefix(r.server.URL, "http://") }
