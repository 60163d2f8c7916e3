package bff_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/gorilla/websocket"

	"atelier/atelier"
	"atelier/bff"
	"atelier/bff/media"
	"atelier/db"
	"atelier/imaging/mask"
	"atelier/imaging/testpics"
	"atelier/internal/outbound"
	"atelier/internal/sqldb"
	"atelier/service"
	"atelier/upstream"
)

// studio is a whole studio in a folder of the test's: the server, the embedded image service behind it, and a browser.
type studio struct {
	t          testing.TB
	folder     string
	change     func(*bff.Config)
	service    *service.Service
	upstream   *upstream.Client
	asleep     bool                    // the service does no background work
	configure  func(*service.Config)   // may alter the service's configuration
	idempotent bool                    // the client sends idempotency keys
	estimates  bool                    // the client may ask for costs
	sent       func(path, body string) // hears what goes to the image service
	unsigned   bool                    // no browser is signed in at first
	db         *db.DB
	store      *media.Store
	bff        *bff.Server
	http       *httptest.Server
	front      *front
	browser    *http.Client
}

// front is what stands at the studio's address, whichever server is behind it.
type front struct{ handler http.Handler }

func (f *front) ServeHTTP(w http.ResponseWriter, r *http.Request) { f.handler.ServeHTTP(w, r) }

const fixedToken = "a token for scripts"

// patience is longer than anything takes on a busy machine.
const patience = 5 * time.Minute

// newStudio starts a studio with the embedded service and signs a browser in.
func newStudio(t testing.TB, change func(*bff.Config)) *studio {
	t.Helper()
	s := newIdleStudio(t, change)
	s.start()
	return s
}

// newIdleStudio is newStudio without background work: start sets it going.
func newIdleStudio(t testing.TB, change func(*bff.Config)) *studio {
	t.Helper()
	return (&studio{change: change}).move(t)
}

// move gives a studio its folder and address, opens it and signs a browser in.
func (s *studio) move(t testing.TB) *studio {
	t.Helper()
	s.t, s.folder, s.front = t, t.TempDir(), &front{}
	s.http = httptest.NewServer(s.front)
	t.Cleanup(s.http.Close)
	begun, err := blank()
	s.check(err)
	s.check(os.CopyFS(s.folder, begun))
	s.openService()
	s.open()
	t.Cleanup(func() { s.close(); s.closeService() })
	s.check(s.db.EnsureUser(s.background(), atelier.User{ID: "local", Name: "Designer"}))
	s.browser = s.newBrowser()
	if !s.unsigned {
		s.login()
	}
	return s
}

// blank is the folder of a studio that was opened once, with the service's key in it. To copy it costs far less than to bring
// two new databases up to date.
var blank = sync.OnceValues(func() (fs.FS, error) {
	folder, err := os.MkdirTemp("", "atelier-bff-")
	if err != nil {
		return nil, err
	}
	ctx := context.Background()
	d, err := db.Open(ctx, filepath.Join(folder, "studio.db"))
	if err == nil {
		err = d.Close()
	}
	if err != nil {
		return nil, err
	}
	svc, err := service.Open(ctx, service.Config{Folder: filepath.Join(folder, "service"), Logger: slog.New(slog.DiscardHandler)})
	if err == nil {
		err = errors.Join(svc.EnsureKey(ctx, testKey, "studio", "studio"), svc.Close())
	}
	if err != nil {
		return nil, err
	}
	files := fstest.MapFS{}
	err = fs.WalkDir(os.DirFS(folder), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(folder, name))
		files[name] = &fstest.MapFile{Data: data, Mode: 0o600}
		return err
	})
	return files, errors.Join(err, os.RemoveAll(folder))
})

func (s *studio) background() context.Context { return context.WithoutCancel(s.t.Context()) }

func (s *studio) check(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *studio) openService() {
	s.t.Helper()
	cfg := service.Config{Folder: filepath.Join(s.folder, "service"), Logger: s.logger(), CallbackHosts: []string{s.host()}}
	if s.configure != nil {
		s.configure(&cfg)
	}
	svc, err := service.Open(s.background(), cfg)
	s.check(err)
	s.check(svc.EnsureKey(s.background(), testKey, "studio", "studio"))
	if !s.asleep {
		s.check(svc.Start(s.background()))
	}
	s.service = svc
}

// host is where the studio is, as host:port.
func (s *studio) host() string { return strings.TrimPrefix(s.http.URL, "http://") }

func (s *studio) closeService() {
	if s.service != nil {
		if err := s.service.Close(); err != nil {
			s.t.Error(err)
		}
	}
	s.service = nil
}

const testKey = "test-key-of-the-studio-0123456789"

func (s *studio) logger() *slog.Logger {
	return slog.New(slog.NewTextHandler(s.t.Output(), &slog.HandlerOptions{Level: slog.LevelError}))
}

// open makes the server; start sets its background work going.
func (s *studio) open() {
	s.t.Helper()
	var err error
	s.db, err = db.Open(s.background(), filepath.Join(s.folder, "studio.db"))
	s.check(err)
	s.store, err = media.OpenStore(filepath.Join(s.folder, "files"))
	s.check(err)
	transport := upstream.InProcess(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.sent != nil {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				s.t.Error(err)
			}
			s.sent(r.URL.Path, string(body))
			r.Body = io.NopCloser(bytes.NewReader(body))
		}
		s.service.Handler().ServeHTTP(w, r)
	}))
	s.upstream, err = upstream.New(upstream.Options{
		BaseURL: "http://" + service.EmbeddedHost, Key: testKey, Transport: transport, OnAnswer: bff.OnAnswer, Idempotency: s.idempotent, Estimates: s.estimates,
	})
	s.check(err)
	c := bff.Config{
		DB: s.db, Upstream: s.upstream, UpstreamKind: "embedded", Store: s.store, CallbackKey: []byte("0123456789abcdef0123456789abcdef"),
		Outbound: outbound.New(outbound.Policy{InProcess: map[string]http.RoundTripper{service.EmbeddedHost: transport}}),
		Hosts:    []string{s.host()}, LaunchToken: fixedToken, LinkBase: s.http.URL, Logger: s.logger(),
		Version: "1.2.3", Build: "b1", PollMin: 20 * time.Millisecond, PollMax: 500 * time.Millisecond,
		Settle: 10 * time.Millisecond, Confirm: 10 * time.Millisecond, RetryMin: 100 * time.Millisecond, Due: 50 * time.Millisecond,
	}
	if s.change != nil {
		s.change(&c)
	}
	s.bff, err = bff.New(c)
	s.check(err)
	s.front.handler = s.bff.Handler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if _, err := io.WriteString(w, "<!doctype html>"); err != nil {
			s.t.Error(err)
		}
	}))
}

func (s *studio) start() {
	s.t.Helper()
	s.check(s.bff.Start(s.background()))
}

func (s *studio) close() {
	if s.bff == nil {
		return
	}
	if err := errors.Join(s.bff.Close(), s.db.Close(), s.store.Close()); err != nil {
		s.t.Error(err)
	}
	s.bff = nil
}

// try posts a value and gives the answer, whatever it is.
func (s *studio) try(path string, in any) reply {
	s.t.Helper()
	raw, err := json.Marshal(in)
	s.check(err)
	return s.send("POST", path, bytes.NewReader(raw), func(r *http.Request) { r.Header.Set("Content-Type", "application/json") })
}

// verify looks for damage in the database.
func (s *studio) verify() []string {
	s.t.Helper()
	problems, err := sqldb.Verify(s.t.Context(), s.db.Read)
	s.check(err)
	return problems
}

// stopJobs lets the queue rest; startJobs sets it going again.
func (s *studio) stopJobs() {
	s.t.Helper()
	s.close()
	s.open()
}

func (s *studio) startJobs() { s.start() }

// eventually waits until something is so.
func (s *studio) eventually(what string, ok func() bool) {
	s.t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	for !ok() {
		select {
		case <-tick.C:
		case <-deadline.C:
			s.t.Fatalf("it never was so that %s", what)
		}
	}
}

// untilNoJobs waits until no job of a kind is left to do.
func (s *studio) untilNoJobs(kind string) {
	s.t.Helper()
	s.eventually("no "+kind+" is left", func() bool {
		var n int
		s.check(s.db.Read.QueryRowContext(s.t.Context(), `SELECT count(*) FROM river_job WHERE kind = $1 AND state IN ('available', 'running', 'scheduled', 'retryable')`, kind).Scan(&n))
		return n == 0
	})
}

// restart ends the server and starts another one on the same folder.
func (s *studio) restart() {
	s.t.Helper()
	s.close()
	s.open()
	s.start()
}

func (s *studio) newBrowser() *http.Client {
	s.t.Helper()
	jar, err := cookiejar.New(nil)
	s.check(err)
	return &http.Client{Jar: jar, Timeout: patience}
}

func (s *studio) login() {
	s.t.Helper()
	s.json("POST", "/api/session", atelier.Login{Token: fixedToken}, http.StatusOK, nil)
}

// reply is an answer, read to its end.
type reply struct {
	status int
	header http.Header
	body   []byte
}

func (r reply) error(t testing.TB) atelier.Error {
	t.Helper()
	var b atelier.ErrorBody
	if err := json.Unmarshal(r.body, &b); err != nil || b.Error == nil {
		t.Fatalf("status %d, not an error in our form: %q (%v)", r.status, r.body, err)
	}
	return *b.Error
}

// send makes a request as the studio's own page does; edit may spoil it.
func (s *studio) send(method, path string, body io.Reader, edit func(*http.Request)) reply {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), method, s.http.URL+path, body)
	s.check(err)
	if method != http.MethodGet {
		req.Header.Set("X-Atelier", "1")
		req.Header.Set("Origin", s.http.URL)
		req.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	if edit != nil {
		edit(req)
	}
	resp, err := s.browser.Do(req)
	s.check(err)
	raw, err := io.ReadAll(resp.Body)
	s.check(errors.Join(err, resp.Body.Close()))
	return reply{resp.StatusCode, resp.Header, raw}
}

// json sends a value, wants a status and reads the answer into out.
func (s *studio) json(method, path string, in any, want int, out any) reply {
	s.t.Helper()
	var body io.Reader
	if in != nil {
		raw, err := json.Marshal(in)
		s.check(err)
		body = bytes.NewReader(raw)
	}
	r := s.send(method, path, body, func(r *http.Request) {
		if in != nil {
			r.Header.Set("Content-Type", "application/json")
		}
	})
	if r.status != want {
		s.t.Fatalf("%s %s = %d %s, want %d", method, path, r.status, r.body, want)
	}
	if out != nil {
		s.check(json.Unmarshal(r.body, out))
	}
	return r
}

func (s *studio) upload(data []byte) atelier.Asset {
	s.t.Helper()
	r := s.send("POST", "/api/assets?name=dress.jpg", bytes.NewReader(data), func(r *http.Request) { r.Header.Set("Content-Type", "image/jpeg") })
	if r.status != http.StatusCreated {
		s.t.Fatalf("upload = %d %s", r.status, r.body)
	}
	var a atelier.Asset
	s.check(json.Unmarshal(r.body, &a))
	return a
}

// photo is a small picture the service takes; n makes it different.
func photo(n uint64) []byte { return testpics.JPEG(testpics.Swatch(530, 560, n)) }

// removal is the quickest run there is: a mask of our own, one picture, a plain background.
func removal(key string, a atelier.Asset) atelier.StartRun {
	return atelier.StartRun{
		IntentKey: fmt.Sprintf("%-16s", key)[:max(16, len(key))], Agent: "removeBG", Version: "v1.0", Title: "Red dress",
		Values: map[string]any{"maskType": "custom", "backgroundHex": "#FFEEDD", "batchCount": 1},
		Files:  map[string][]string{"originalImage": {string(a.ID)}}, Mask: &atelier.MaskInput{PNG: halfMask(a.Width, a.Height)},
	}
}

func intentKey(key string) string { return strings.ReplaceAll(fmt.Sprintf("%-16s", key), " ", "-") }

func halfMask(w, h int) string {
	p := mask.New(w, h)
	for i := range len(p.Pix) / 2 {
		p.Pix[i] = 255
	}
	return base64.StdEncoding.EncodeToString(mask.EncodeRGBA(p))
}

func (s *studio) startRun(start atelier.StartRun) atelier.Run {
	s.t.Helper()
	start.IntentKey = intentKey(strings.TrimSpace(start.IntentKey))
	var body atelier.RunBody
	s.json("POST", "/api/runs", start, http.StatusAccepted, &body)
	return body.Run
}

func (s *studio) run(id atelier.RunID) atelier.Run {
	s.t.Helper()
	var body atelier.RunBody
	s.json("GET", "/api/runs/"+string(id), nil, http.StatusOK, &body)
	return body.Run
}

// until waits for a run to be as wanted.
func (s *studio) until(id atelier.RunID, what string, ok func(atelier.Run) bool) atelier.Run {
	s.t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	for {
		run := s.run(id)
		if ok(run) {
			return run
		}
		select {
		case <-tick.C:
		case <-deadline.C:
			s.t.Fatalf("the run never was %s: %+v (error %+v)", what, run, run.Error)
		}
	}
}

func (s *studio) untilState(id atelier.RunID, want atelier.State) atelier.Run {
	s.t.Helper()
	return s.until(id, string(want), func(r atelier.Run) bool { return r.State == want })
}

// listen opens the event stream.
func (s *studio) listen(since string) *websocket.Conn {
	s.t.Helper()
	d := websocket.Dialer{Jar: s.browser.Jar, HandshakeTimeout: patience}
	c, resp, err := d.DialContext(s.t.Context(), "ws"+strings.TrimPrefix(s.http.URL, "http")+"/api/events?since="+since, http.Header{"Origin": {s.http.URL}})
	s.check(err)
	s.check(resp.Body.Close())
	s.t.Cleanup(func() {
		if err := c.Close(); err != nil {
			s.t.Log(err)
		}
	})
	return c
}

func (s *studio) event(c *websocket.Conn) atelier.Event {
	s.t.Helper()
	s.check(c.SetReadDeadline(time.Now().Add(time.Minute)))
	_, raw, err := c.ReadMessage()
	s.check(err)
	var e atelier.Event
	s.check(json.Unmarshal(raw, &e))
	return e
}

// executions counts what the image service was really made to do.
func (s *studio) executions() int {
	s.t.Helper()
	n := 0
	for cursor := ""; ; {
		var page atelier.TaskPage
		s.json("GET", "/api/tasks?limit=20&cursor="+cursor, nil, http.StatusOK, &page)
		for _, t := range page.Tasks {
			n += len(t.Executions)
		}
		if cursor = page.NextCursor; cursor == "" {
			return n
		}
	}
}

// safeBuffer takes a log.
type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

// Write appends.
func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

// String gives everything so far.
func (s *safeBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

func (s *safeBuffer) logger() *slog.Logger { return slog.New(slog.NewJSONHandler(s, nil)) }
