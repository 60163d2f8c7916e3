package bff_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/gif"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"atelier/atelier"
	"atelier/bff"
	"atelier/imaging/testpics"
	"atelier/internal/outbound"
	"atelier/service"
	"atelier/upstream"
)

// fileFaults are the ways in which a server of files can fail, over real HTTP.
func fileFaults(t *testing.T) map[string]http.HandlerFunc {
	t.Helper()
	whole := testpics.PNG(testpics.Photo(320, 200, 9))
	photo := testpics.JPEG(testpics.Photo(320, 200, 9))
	var animation bytes.Buffer
	if err := gif.Encode(&animation, testpics.Photo(16, 16, 1), nil); err != nil {
		t.Fatal(err)
	}
	gives := func(status int, kind string, body []byte) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.WriteHeader(status)
			_, _ = w.Write(body) // whoever asked may have had enough
		}
	}
	short := func(body []byte, said int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", fmt.Sprint(said))
			_, _ = w.Write(body)
			panic(http.ErrAbortHandler)
		}
	}
	redirect := func(to string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to, http.StatusFound) }
	}
	flipped := bytes.Clone(whole)
	flipped[len(flipped)/2] ^= 0xff
	return map[string]http.HandlerFunc{
		"a page":                   gives(200, "text/html", []byte("<html><h1>Sorry</h1></html>")),
		"a page that says PNG":     gives(200, "image/png", []byte("<html><script>alert(1)</script></html>")),
		"nothing":                  gives(200, "image/png", nil),
		"no content":               gives(204, "image/png", nil),
		"half a PNG":               gives(200, "image/png", whole[:len(whole)/2]),
		"a PNG's head":             gives(200, "image/png", whole[:33]),
		"half a JPEG":              gives(200, "image/jpeg", photo[:len(photo)/2]),
		"a PNG with a wrong bit":   gives(200, "image/png", flipped),
		"a GIF":                    gives(200, "image/png", animation.Bytes()),
		"an SVG":                   gives(200, "image/svg+xml", []byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`)),
		"JSON":                     gives(200, "application/json", []byte(`{"success":false}`)),
		"gone for a moment (404)":  gives(404, "text/plain", []byte("not found")),
		"gone (410)":               gives(410, "text/plain", nil),
		"forbidden (403)":          gives(403, "text/plain", nil),
		"too many (429)":           gives(429, "text/plain", nil),
		"a fault (500)":            gives(500, "text/html", []byte("<html>")),
		"a gateway (502)":          gives(502, "text/html", nil),
		"busy (503)":               gives(503, "text/html", nil),
		"fewer bytes than said":    short(whole[:100], len(whole)),
		"cut at once":              short(nil, len(whole)),
		"a part (206)":             gives(206, "image/png", whole[:200]),
		"a redirect to itself":     redirect("/files/a.png"),
		"a redirect to nothing":    redirect("/nothing"),
		"a redirect without a way": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusFound) },
	}
}

// fetchingStudio is a studio at a service whose runs end at once with one picture, /files/a.png, that lies on a server of its own.
func fetchingStudio(t *testing.T, o *odd, retry time.Duration, files http.Handler) *studio {
	t.Helper()
	return fetchingUnder(t, outbound.Policy{}, o, retry, files, "image a.png")
}

// fetchingUnder is the same under limits of its own, with results that are each given as "image" or "video" and a name.
func fetchingUnder(t *testing.T, limits outbound.Policy, o *odd, retry time.Duration, files http.Handler, results ...string) *studio {
	t.Helper()
	server := httptest.NewServer(files)
	t.Cleanup(server.Close)
	items := make([]string, len(results))
	for i, r := range results {
		kind, name, _ := strings.Cut(r, " ")
		items[i] = fmt.Sprintf(`{"status":"Success",%q:%q}`, kind, server.URL+"/files/"+name)
	}
	o.polls = []string{`"status":"Success","result":[` + strings.Join(items, ",") + `]`}
	s := oddStudio(t, o)
	s.close()
	change := s.change
	s.change = func(c *bff.Config) {
		change(c)
		c.RetryMin = retry
		limits.Hosts = []string{strings.TrimPrefix(server.URL, "http://")}
		c.Outbound = outbound.New(limits)
	}
	s.open()
	s.start()
	return s
}

// F5: whatever becomes of the first downloads of a result, nothing broken is kept, and the right bytes are in the end.
func TestF5ResultsAreKeptWholeWhateverTheirServerDoes(t *testing.T) {
	t.Parallel()
	good := testpics.PNG(testpics.Photo(320, 200, 9))
	cases := 0
	for name, fault := range fileFaults(t) {
		for times := 1; times <= 2; times++ {
			cases++
			t.Run(fmt.Sprintf("%s, %d times", name, times), func(t *testing.T) {
				t.Parallel()
				o := &odd{}
				o.keep("a.png", good)
				s := fetchingStudio(t, o, 10*time.Millisecond, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					o.mu.Lock()
					o.fetched++
					n := o.fetched
					o.mu.Unlock()
					if n <= times && !strings.HasPrefix(r.URL.Path, "/nothing") {
						fault(w, r)
						return
					}
					o.ServeHTTP(w, r)
				}))
				done := s.untilState(s.startRun(removal("asset fault", s.upload(photo(110)))).ID, atelier.StateDone)
				if done.Error != nil || len(done.Results) != 1 || !done.Results[0].Stored {
					t.Fatalf("the run is %+v, %+v", done, done.Error)
				}
				if file := s.send("GET", done.Results[0].File, nil, nil); !bytes.Equal(untagged(t, file.body, nil), good) {
					t.Errorf("%d bytes were handed out, the picture has %d", len(file.body), len(good))
				}
				blobs, err := s.db.ListBlobs(t.Context(), "")
				s.check(err)
				s.check(s.store.Walk(t.Context(), "", func(sha string, bytes int64, _ time.Time) error {
					if blobs[sha] == nil {
						t.Errorf("a file of %d bytes was kept that nothing needs", bytes)
					}
					return nil
				}))
			})
		}
	}
	if cases < 40 {
		t.Errorf("%d cases, want at least 40", cases)
	}
}

// trickle sends the beginning of a file and then so many bytes each hundredth of a second, until nobody listens any more.
func trickle(beginning []byte, bytes int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		tick := time.NewTicker(10 * time.Millisecond)
		defer tick.Stop()
		for piece := beginning; ; piece = make([]byte, bytes) {
			_, err := w.Write(piece)
			if err = errors.Join(err, http.NewResponseController(w).Flush()); err != nil {
				return
			}
			select {
			case <-tick.C:
			case <-r.Context().Done():
				return
			}
		}
	}
}

// resultKinds are a whole picture and a whole video, as a service names and gives them.
var resultKinds = map[string][]byte{"image": testpics.PNG(testpics.Photo(320, 200, 9)), "video": []byte("\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom")}

// F5: a result that does not come on, or does not end, is given up each time it is tried, and in the end for good, with a sentence; one
// that comes after all is kept whole. What is larger than the studio keeps is not fetched again and again.
func TestF5R1AResultThatNeverComesIsGivenUp(t *testing.T) {
	t.Parallel()
	for kind, whole := range resultKinds {
		for name, c := range map[string]struct {
			fault  http.HandlerFunc
			faults int64 // how often
			tries  int64
			word   string
		}{
			"drips":          {trickle(whole[:4], 1), 1000, 12, "could not be fetched"},
			"has no end":     {trickle(whole, 64<<10), 1000, 12, "could not be fetched"},
			"stops":          {func(w http.ResponseWriter, r *http.Request) { trickle(whole[:4], 0)(w, r) }, 1000, 12, "could not be fetched"},
			"drips at first": {trickle(whole[:4], 1), 2, 3, ""},
			"is too large": {func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Length", fmt.Sprint(int64(3)<<30))
				w.WriteHeader(http.StatusOK)
			}, 1000, 2, "larger"},
		} {
			t.Run(kind+" that "+name, func(t *testing.T) {
				t.Parallel()
				o := &odd{}
				o.keep("a", whole)
				var asked atomic.Int64
				limits := outbound.Policy{Idle: 100 * time.Millisecond, Timeout: time.Hour}
				if name == "has no end" {
					limits.Timeout = 400 * time.Millisecond
				}
				s := fetchingUnder(t, limits, o, 50*time.Microsecond, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if asked.Add(1) <= c.faults {
						c.fault(w, r)
						return
					}
					o.ServeHTTP(w, r)
				}), kind+" a")
				done := s.untilState(s.startRun(removal("never comes", s.upload(photo(110)))).ID, atelier.StateDone)
				r := done.Results[0]
				if r.Stored != (c.word == "") || !strings.Contains(r.Error, c.word) || (r.Error == "") != (c.word == "") {
					t.Errorf("the result is %+v", r)
				}
				if n := asked.Load(); n != c.tries {
					t.Errorf("it was asked for %d times, want %d", n, c.tries)
				}
				if left, err := os.ReadDir(filepath.Join(s.folder, "files", "spool")); err != nil || len(left) > 0 {
					t.Errorf("%d pieces are left, %v", len(left), err)
				}
			})
		}
	}
}

// R1: results that drip hold nobody up for long: another result comes as soon as the first of them is given up, however many there are.
func TestR1OtherResultsComeWhileSomeDrip(t *testing.T) {
	t.Parallel()
	for kind, whole := range resultKinds {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			o := &odd{}
			o.keep("a", whole)
			var dripping sync.WaitGroup
			dripping.Add(4) // as many as are fetched at once
			came := make(chan struct{})
			var once sync.Map
			s := fetchingUnder(t, outbound.Policy{Idle: 500 * time.Millisecond, Timeout: time.Hour}, o, 50*time.Microsecond, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/files/a" {
					dripping.Wait()
					o.ServeHTTP(w, r)
					return
				}
				if _, again := once.LoadOrStore(r.URL.Path, true); !again {
					dripping.Done()
				}
				select {
				case <-came:
					w.WriteHeader(http.StatusGone)
				default:
					trickle(whole[:4], 1)(w, r)
				}
			}), kind+" 1", kind+" 2", kind+" 3", kind+" 4", kind+" a")
			stored := func(run atelier.Run) (names []int) {
				for i, r := range run.Results {
					if r.Stored {
						names = append(names, i)
					}
				}
				return names
			}
			run := s.startRun(removal("others come", s.upload(photo(110))))
			run = s.until(run.ID, "one result is here", func(r atelier.Run) bool { return len(stored(r)) > 0 })
			if got := stored(run); !slices.Equal(got, []int{4}) || run.State == atelier.StateDone {
				t.Errorf("of the results %v are here, and the run is %s", got, run.State)
			}
			close(came)
			run = s.untilState(run.ID, atelier.StateDone)
			for i, r := range run.Results {
				if r.Stored != (i == 4) || (r.Error == "") != (i == 4) {
					t.Errorf("result %d is %+v", i, r)
				}
			}
		})
	}
}

// F13: a full disk. As long as the database cannot be written, nothing is sent that has no row, and the answer says why; when
// there is room again everything goes on.
func TestNothingIsPaidForWhileTheDiskIsFull(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	asset := s.upload(photo(111))
	s.start()
	var pages int
	s.check(s.db.Write.QueryRowContext(t.Context(), `PRAGMA page_count`).Scan(&pages))
	limit := func(n int) {
		var now int
		s.check(s.db.Write.QueryRowContext(t.Context(), fmt.Sprintf(`PRAGMA max_page_count = %d`, n)).Scan(&now))
	}
	refused, accepted := 0, 0
	// Room for one page more at a time: the disk is full at another write each time, until it is not.
	for extra := 0; refused == 0 || accepted < 2; extra++ {
		if extra > 200 {
			t.Fatalf("after %d pages: %d refused, %d accepted", extra, refused, accepted)
		}
		limit(pages + extra)
		start := removal(fmt.Sprint("full ", extra), asset)
		start.IntentKey = intentKey(fmt.Sprint("full-", extra))
		start.Title = strings.Repeat("x", 200)
		start.Values["backgroundHex"] = "#FFEEDD"
		switch r := s.try("/api/runs", start); r.status {
		case http.StatusAccepted:
			accepted++
		case http.StatusInsufficientStorage:
			refused++
			if e := r.error(t); e.Code != atelier.DiskFull || !strings.Contains(e.Message, "disk") {
				t.Errorf("the answer is %+v", e)
			}
		default:
			t.Fatalf("POST /api/runs = %d %s", r.status, r.body)
		}
	}
	limit(1 << 30)
	var page atelier.RunPage
	s.eventually("everything goes on", func() bool {
		s.json("GET", "/api/runs", nil, http.StatusOK, &page)
		for _, r := range page.Runs {
			if r.State != atelier.StateDone {
				return false
			}
		}
		return true
	})
	if len(page.Runs) != accepted {
		t.Errorf("%d runs are there, %d were accepted", len(page.Runs), accepted)
	}
	if n := s.executions(); n != accepted {
		t.Errorf("the service worked %d times for %d runs", n, accepted)
	}
	if problems := s.verify(); len(problems) > 0 {
		t.Errorf("the database is damaged: %v", problems)
	}
	t.Logf("%d refused, %d accepted", refused, accepted)
}

// A file that the service has forgotten is sent again when a preset is made of it.
func TestAPresetIsMadeOfAPictureTheServiceHasForgotten(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	asset := s.upload(photo(112))
	s.check(s.db.SaveUpload(context.WithoutCancel(t.Context()), "embedded", asset.SHA256, "http://"+service.EmbeddedHost+"/openapi/files/forgotten.jpg"))
	var made atelier.Preset
	s.json("POST", "/api/locations", atelier.CreatePreset{Name: "Loft", Assets: []atelier.AssetID{asset.ID}}, http.StatusCreated, &made)
	if made.ID == 0 || made.Status != upstream.PresetPrepare {
		t.Errorf("the preset is %+v", made)
	}
}

// A picture that was paid for is not given up because the way to it is cut for an hour; one that its server says is gone is.
func TestAPictureIsFetchedForLongerWhereNobodyAnswers(t *testing.T) {
	t.Parallel()
	good := testpics.PNG(testpics.Photo(320, 200, 9))
	for name, c := range map[string]struct {
		fault  http.HandlerFunc
		stored bool
	}{
		"cut off": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, true},
		"trouble": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) }, true},
		"gone":    {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusGone) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const inVain = 20
			var fetched atomic.Int64
			o := &odd{}
			o.keep("a.png", good)
			s := fetchingStudio(t, o, 50*time.Microsecond, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if fetched.Add(1) <= inVain {
					c.fault(w, r)
					return
				}
				o.ServeHTTP(w, r)
			}))
			done := s.untilState(s.startRun(removal("asset fault", s.upload(photo(110)))).ID, atelier.StateDone)
			want := int64(12)
			if c.stored {
				want = inVain + 1
			}
			if got := done.Results[0].Stored; got != c.stored || (done.Error == nil) != c.stored || fetched.Load() != want {
				t.Errorf("stored: %t after %d times, want %t after %d: %+v", got, fetched.Load(), c.stored, want, done.Error)
			}
		})
	}
}

// A picture that cannot be fetched because of how the studio is set up comes at the next start after that was put right; one that its server
// does not give is not asked for at every start.
func TestWhatCouldNotBeFetchedComesOnceItCan(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		astray func(*bff.Config) // what is wrong at first
		gone   bool
	}{
		"its server is not allowed": {astray: func(c *bff.Config) { c.Outbound = outbound.New(outbound.Policy{Hosts: []string{"other.example:443"}}) }},
		"it is gone":                {gone: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := &odd{}
			o.keep("a.png", testpics.PNG(testpics.Photo(320, 200, 9)))
			var asked atomic.Int64
			s := fetchingStudio(t, o, 50*time.Microsecond, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if asked.Add(1); c.gone {
					w.WriteHeader(http.StatusGone)
					return
				}
				o.ServeHTTP(w, r)
			}))
			right := s.change
			if c.astray != nil {
				s.change = func(cfg *bff.Config) { right(cfg); c.astray(cfg) }
				s.restart()
			}
			run := s.untilState(s.startRun(removal("asset fault", s.upload(photo(110)))).ID, atelier.StateDone)
			first, stored := run.Results[0], 0
			if run.Error == nil || first.Stored || first.Error == "" {
				t.Fatalf("at first the run is %+v, %+v", run, run.Error)
			}
			if tries := asked.Load(); c.gone != (tries == 12) {
				t.Errorf("its server was asked %d times", tries)
			}
			s.change = right
			before := asked.Load()
			s.restart()
			s.untilNoJobs("archive")
			if run = s.run(run.ID); run.Results[0].Stored {
				stored = 1
			}
			if c.gone && (stored != 0 || asked.Load() != before || run.Error == nil || run.Results[0].Error != first.Error) {
				t.Errorf("what is gone was asked for %d times more: %+v", asked.Load()-before, run)
			}
			if !c.gone && (stored != 1 || run.Error != nil || run.Results[0].Error != "") {
				t.Errorf("after the start the run is %+v, %+v", run, run.Error)
			}
		})
	}
}

// A layered file that is made and cannot be fetched is not waited for without end; when its owner asks again, it is tried as often again.
func TestALayeredFileThatCannotBeFetchedIsGivenUp(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	s.close()
	var broken atomic.Bool
	var fetched atomic.Int64
	s.change = func(c *bff.Config) {
		c.RetryMin = 50 * time.Microsecond
		files := upstream.InProcess(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if broken.Load() {
				fetched.Add(1)
				w.WriteHeader(http.StatusServiceUnavailable)
				return
			}
			s.service.Handler().ServeHTTP(w, r)
		}))
		c.Outbound = outbound.New(outbound.Policy{InProcess: map[string]http.RoundTripper{service.EmbeddedHost: files}})
	}
	s.open()
	s.start()
	run := s.untilState(s.startRun(removal("layers", s.upload(photo(89)))).ID, atelier.StateDone)
	ended := func(r atelier.Run) bool { return r.PSD != nil && (r.PSD.Status == "Failed" || r.PSD.File != "") }
	for _, fails := range []bool{true, false} {
		broken.Store(fails)
		s.json("POST", "/api/runs/"+string(run.ID)+"/psd", nil, http.StatusAccepted, nil)
		got := s.until(run.ID, "exported or given up", ended)
		if failed := got.PSD.Status == "Failed"; failed != fails || failed != (got.PSD.Error != "") {
			t.Errorf("the layered file is %+v", got.PSD)
		}
		s.untilNoJobs("psd")
	}
	if n := fetched.Load(); n != 12 {
		t.Errorf("it was fetched %d times, want 12", n)
	}
}
