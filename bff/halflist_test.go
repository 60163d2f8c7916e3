package bff_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"atelier/atelier"
	"atelier/bff"
	"atelier/service"
	"atelier/upstream"
)

// halfList stands before an image service and spoils what is read of its list of tasks.
type halfList struct {
	service http.RoundTripper
	broken  atomic.Bool  // page 2 is refused
	gone    atomic.Bool  // nothing is answered
	shown   atomic.Value // the name of the only task that page 1 shows, a string
}

func (h *halfList) RoundTrip(r *http.Request) (*http.Response, error) {
	switch page2 := r.URL.Query().Get("cursor") != ""; {
	case r.URL.Path != upstream.PathTaskList || !h.broken.Load() && !h.gone.Load():
		return h.service.RoundTrip(r)
	case h.gone.Load():
		return nil, errors.New("nobody answers")
	case page2:
		return answered(r, http.StatusNotFound, []byte(`{"success":false,"code":40000,"msg":"no such cursor"}`)), nil
	}
	resp, err := h.service.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	var said struct {
		Data struct {
			Tasks []struct {
				InitParams struct{ TaskName string }
			}
		}
	}
	var raw struct {
		Data struct{ Tasks []json.RawMessage }
	}
	whole, err := io.ReadAll(resp.Body)
	if err := errors.Join(err, resp.Body.Close(), json.Unmarshal(whole, &said), json.Unmarshal(whole, &raw)); err != nil {
		return nil, err
	}
	tasks := []json.RawMessage{}
	for i, task := range said.Data.Tasks {
		if task.InitParams.TaskName == h.shown.Load().(string) {
			tasks = append(tasks, raw.Data.Tasks[i])
		}
	}
	page, err := json.Marshal(map[string]any{"success": true, "code": 0, "data": map[string]any{"tasks": tasks, "hasMore": true, "nextCursor": "2"}})
	return answered(r, http.StatusOK, page), err
}

func answered(r *http.Request, status int, body []byte) *http.Response {
	return &http.Response{
		StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(bytes.NewReader(body)), Request: r,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, ContentLength: int64(len(body)),
	}
}

// The answer to the start of a run is lost, and the list it could be found in cannot be read to its end, or not at all. Nobody waits for
// ever without a word: what the readable part shows is found, the owner is told that the rest is asked for, and decides when that goes on for
// too long; when the list can be read again the run comes back.
func TestARunThatCannotBeLookedForIsLeftToItsOwner(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ patience, less, late time.Duration }{
		"the list breaks off": {30 * time.Minute, 25 * time.Minute, 50 * time.Millisecond}, "nobody answers": {24 * time.Hour, 23 * time.Hour, time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := &halfList{}
			h.shown.Store("")
			h.broken.Store(true)
			h.gone.Store(name == "nobody answers")
			var s *studio
			s = &studio{change: func(c *bff.Config) {
				h.service = upstream.InProcess(s.service.Handler())
				client, err := upstream.New(upstream.Options{BaseURL: "http://" + service.EmbeddedHost, Key: testKey, Transport: h, OnAnswer: bff.OnAnswer})
				if err != nil {
					t.Fatal(err)
				}
				c.Upstream, c.Surface, c.GiveUp, c.Late = client, "run", 0, tt.late // patience is the product's own
			}}
			s.move(t)
			s.start()
			asset := s.upload(photo(94))
			lost := func(key string) atelier.Run {
				s.service.SetSwitches(service.Switches{FailAfter: 1})
				return s.until(s.startRun(removal(key, asset)).ID, "asked for in vain, with a word", func(r atelier.Run) bool {
					return r.State == atelier.StateAmbiguous && r.Error != nil && strings.Contains(r.Error.Message, "keeps checking")
				})
			}
			run := lost("cannot be seen")
			if !h.gone.Load() {
				seen := lost("can be seen")
				row, err := s.db.LoadRun(t.Context(), seen.ID)
				s.check(err)
				h.shown.Store(row.Tag)
				if done := s.untilState(seen.ID, atelier.StateDone); done.Error != nil {
					t.Errorf("found, the run says %+v", done.Error)
				}
			}
			waited := func(d time.Duration) {
				_, err := s.db.Write.ExecContext(t.Context(), "UPDATE runs SET missed_since = missed_since - $1 WHERE id = $2", d.Milliseconds(), string(run.ID))
				s.check(err)
			}
			looked := func() (at int64) {
				s.check(s.db.Read.QueryRowContext(t.Context(), "SELECT checked_at FROM runs WHERE id = $1", string(run.ID)).Scan(&at))
				return at
			}
			waited(tt.less)
			for range 2 {
				before := looked()
				s.eventually("it was looked for once more", func() bool { return looked() > before })
			}
			if now := s.run(run.ID); now.State != atelier.StateAmbiguous {
				t.Fatalf("after %v the run is %s, %+v", tt.less, now.State, now.Error)
			}
			waited(tt.patience - tt.less)
			if over := s.untilState(run.ID, atelier.StateUnconfirmed); over.Error == nil || !strings.Contains(over.Error.Message, "cannot check whether") {
				t.Errorf("after %v it says %+v", tt.patience, over.Error)
			}
			if h.gone.Load() {
				return // the breaker keeps the client away for some seconds more
			}
			h.broken.Store(false)
			if done := s.untilState(run.ID, atelier.StateDone); done.Error != nil || !done.Results[0].Stored {
				t.Errorf("when the list can be read again the run is %+v", done)
			}
			if n := s.executions(); n != 2 {
				t.Errorf("the service worked %d times for two runs", n)
			}
		})
	}
}

// The page of tasks is shorter where a whole one is more than an answer can hold.
func TestTasksAreListedHoweverLargeTheyAre(t *testing.T) {
	t.Parallel()
	var asked []string
	s := newIdleStudio(t, nil)
	s.close()
	s.change = func(c *bff.Config) {
		client, err := upstream.New(upstream.Options{
			BaseURL: "http://" + service.EmbeddedHost, Key: testKey, Transport: upstream.InProcess(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if limit := r.URL.Query().Get("limit"); r.URL.Path == upstream.PathTaskList {
					if asked = append(asked, limit); limit != "1" {
						_, _ = io.WriteString(w, `{"success":true,"data":{"tasks":[{"taskId":"`+strings.Repeat("x", 9<<20)) // the client has had enough
						return
					}
				}
				s.service.Handler().ServeHTTP(w, r)
			})),
		})
		s.check(err)
		c.Upstream = client
	}
	s.open()
	var ids []string
	for range 2 {
		made, err := s.upstream.CreateTask(t.Context(), upstream.TaskCreate{AgentName: "removeBG", AgentVersion: "v1.0", InitParams: map[string]any{"originalImage": "https://example.com/a.jpg"}})
		s.check(err)
		ids = append(ids, made.TaskID)
	}
	for cursor, i := "", len(ids)-1; i >= 0; i-- {
		var page atelier.TaskPage
		s.json("GET", "/api/tasks?cursor="+url.QueryEscape(cursor), nil, http.StatusOK, &page)
		if len(page.Tasks) != 1 || page.Tasks[0].ID != ids[i] {
			t.Fatalf("the page is %+v, want task %d alone", page, i)
		}
		cursor = page.NextCursor
	}
	if want := []string{"20", "5", "1"}; !slices.Equal(asked[:3], want) {
		t.Errorf("the pages asked for are of %v, want %v first", asked, want)
	}
}
