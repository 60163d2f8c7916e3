package bff_test

import (
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"atelier/atelier"
	"atelier/bff"
	"atelier/service"
	"atelier/upstream"
)

// meddler stands between the studio and the service.
type meddler struct {
	s    *studio
	path string // the calls that are meddled with
	// before is called before such a call and after behind it; each says whether the call breaks off there. Both may be nil.
	before, after func(n int64) bool
	says          func(n int64) string // the answer in the service's place; nil, or "" = its own
	met           atomic.Int64
}

func (m *meddler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != m.path {
		m.s.service.Handler().ServeHTTP(w, r)
		return
	}
	n := m.met.Add(1)
	if m.before != nil && m.before(n) {
		_, _ = io.Copy(io.Discard, r.Body) // it has arrived, and that is all
		panic(http.ErrAbortHandler)
	}
	if m.says != nil {
		if said := m.says(n); said != "" {
			_, _ = io.WriteString(w, said) // the client notices what is missing
			return
		}
	}
	if m.after != nil && m.after(n) {
		m.s.service.Handler().ServeHTTP(&unheard{header: http.Header{}}, r)
		panic(http.ErrAbortHandler)
	}
	m.s.service.Handler().ServeHTTP(w, r)
}

// unheard is an answer that goes nowhere.
type unheard struct{ header http.Header }

func (u *unheard) Header() http.Header         { return u.header }
func (u *unheard) Write(p []byte) (int, error) { return len(p), nil }
func (u *unheard) WriteHeader(int)             {}

// meddled is a studio whose calls to a path are meddled with; change may be nil.
func meddled(t *testing.T, m *meddler, change func(*bff.Config)) *studio {
	t.Helper()
	s := newIdleStudio(t, nil)
	s.close()
	m.s = s
	s.change = func(c *bff.Config) {
		up, err := upstream.New(upstream.Options{
			BaseURL: "http://" + service.EmbeddedHost, Key: testKey, Transport: upstream.InProcess(m), OnAnswer: bff.OnAnswer,
		})
		s.check(err)
		c.Upstream = up
		if change != nil {
			change(c)
		}
	}
	s.open()
	s.start()
	return s
}

func exported(r atelier.Run) bool {
	return r.PSD != nil && (r.PSD.Status == "Failed" || r.PSD.File != "")
}

// Whoever asks for a layered file has it: it is written down before the image service hears of it, so that neither a lost answer nor the
// end of the process, nor an image service that cannot do it just now, leaves it undone.
func TestALayeredFileThatIsAskedForComes(t *testing.T) {
	t.Parallel()
	first := func(n int64) bool { return n == 1 }
	no := func(said string) func(int64) string {
		return func(n int64) string {
			if n == 1 {
				return said
			}
			return ""
		}
	}
	for name, m := range map[string]*meddler{
		"the request is lost": {before: first}, "the answer is lost": {after: first},
		"a no that passes": {says: no(`{"success":false,"code":50001,"msg":"out of order"}`)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m.path = upstream.PathPSDCreate
			s := meddled(t, m, nil)
			run := s.untilState(s.startRun(removal("layers", s.upload(photo(7)))).ID, atelier.StateDone)
			s.json("POST", "/api/runs/"+string(run.ID)+"/psd", nil, http.StatusAccepted, nil)
			if got := s.until(run.ID, "exported", exported); got.PSD.Status != "Success" {
				t.Errorf("the layered file is %+v", got.PSD)
			}
			if n := m.met.Load(); n > 2 {
				t.Errorf("it was asked for %d times", n)
			}
		})
	}
	t.Run("a no that stands", func(t *testing.T) {
		t.Parallel()
		s := meddled(t, &meddler{path: upstream.PathPSDCreate, says: func(int64) string { return `{"success":false,"code":40000,"msg":"No layers of this."}` }}, nil)
		run := s.untilState(s.startRun(removal("layers", s.upload(photo(7)))).ID, atelier.StateDone)
		s.json("POST", "/api/runs/"+string(run.ID)+"/psd", nil, http.StatusAccepted, nil)
		if got := s.until(run.ID, "refused", exported); got.PSD.Status != "Failed" || !strings.Contains(got.PSD.Error, "No layers of this.") {
			t.Errorf("the layered file is %+v", got.PSD)
		}
	})
}

// A run that failed has a layered file of what it made, once it has ended and made something.
func TestALayeredFileIsMadeOfARunThatFailedInPart(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	run := s.untilState(s.startRun(removal("layers", s.upload(photo(7)))).ID, atelier.StateDone)
	become := func(status atelier.Status, result atelier.Status) {
		t.Helper()
		_, err := s.db.Write.ExecContext(t.Context(), `UPDATE runs SET state = 'failed', status = $1 WHERE id = $2`, string(status), string(run.ID))
		s.check(err)
		_, err = s.db.Write.ExecContext(t.Context(), `UPDATE results SET status = $1 WHERE run_id = $2`, string(result), string(run.ID))
		s.check(err)
	}
	path := "/api/runs/" + string(run.ID) + "/psd"
	become(atelier.Failed, atelier.Failed)
	s.json("POST", path, nil, http.StatusConflict, nil)
	become(atelier.Running, atelier.Success)
	s.json("POST", path, nil, http.StatusConflict, nil)
	become(atelier.Failed, atelier.Success)
	s.json("POST", path, nil, http.StatusAccepted, nil)
	if got := s.until(run.ID, "exported", exported); got.PSD.Status != "Success" {
		t.Errorf("the layered file is %+v", got.PSD)
	}
}

// An export that is never made is not waited for without end.
func TestALayeredFileThatIsNeverMadeIsGivenUp(t *testing.T) {
	t.Parallel()
	clock := &hands{}
	m := &meddler{path: upstream.PathPSDQuery, says: func(int64) string { return `{"success":true,"code":0,"data":{"status":"Polishing"}}` }}
	s := meddled(t, m, func(c *bff.Config) { c.Now = clock.now })
	run := s.untilState(s.startRun(removal("layers", s.upload(photo(7)))).ID, atelier.StateDone)
	s.json("POST", "/api/runs/"+string(run.ID)+"/psd", nil, http.StatusAccepted, nil)
	s.eventually("it was asked about", func() bool { return m.met.Load() > 3 })
	if now := s.run(run.ID); now.PSD.Status == "Failed" {
		t.Errorf("the layered file is %+v", now.PSD)
	}
	clock.move(25 * time.Hour)
	s.login() // the session is a day old
	if got := s.until(run.ID, "given up", exported); got.PSD.Status != "Failed" || !strings.Contains(got.PSD.Error, "within a day") {
		t.Errorf("the layered file is %+v", got.PSD)
	}
}

// What is made of a photo is called like it, without its ending.
func TestDownloadsDoNotEndTwice(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	start := removal("names", s.upload(photo(7)))
	start.Title = "IMG_1.jpg"
	run := s.untilState(s.startRun(start).ID, atelier.StateDone)
	s.json("POST", "/api/runs/"+string(run.ID)+"/psd", nil, http.StatusAccepted, nil)
	s.until(run.ID, "exported", exported)
	var layers atelier.Layers
	s.json("POST", "/api/psds", atelier.StartLayers{IDs: ids(run.Results)}, http.StatusCreated, &layers)
	result := run.Results[0].File
	for path, want := range map[string]string{
		result + "?download=1":                      `attachment; filename="IMG_1 1.png"`,
		result + "?download=1&format=jpeg":          `attachment; filename="IMG_1 1.jpg"`,
		"/api/runs/" + string(run.ID) + "/psd/file": `attachment; filename="IMG_1.psd"`,
		layers.File:                             `attachment; filename="IMG_1.psd"`,
		"/api/runs/" + string(run.ID) + "/mask": `inline; filename="IMG_1 mask.png"`,
	} {
		if got := s.send("GET", path, nil, nil); got.status != http.StatusOK || got.header.Get("Content-Disposition") != want {
			t.Errorf("%s is %d, %s, want %s", path, got.status, got.header.Get("Content-Disposition"), want)
		}
	}
}
