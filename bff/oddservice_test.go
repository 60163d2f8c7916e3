package bff_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"atelier/atelier"
	"atelier/bff"
	"atelier/imaging/testpics"
	"atelier/internal/outbound"
	"atelier/upstream"
)

// odd is an image service that answers polls with a script: what the embedded one never says, and others may.
type odd struct {
	mu    sync.Mutex
	polls []string // JSON of an execution's status and result, the last one for ever
	files map[string][]byte
	asked atomic.Int64
	// spoil answers the n-th request for a file, counted from 1, in its own way, and says that it has.
	spoil   func(w http.ResponseWriter, r *http.Request, n int) bool
	fetched int
	// started is called before the start of a run is answered.
	started func()
	// unknown says that it knows no run at the moment, garbled that nobody can read what it says of any.
	unknown, garbled atomic.Bool
	// fileless says that its answer to an upload is of no use.
	fileless atomic.Bool
	// info is what it answers to agent info.
	info string
	// heard is told of each request.
	heard func(path, body string)
	// refuse gives why it refuses the start of a run with that body; nil or "" = it does not.
	refuse func(body string) string
	// change may alter the studio before it.
	change func(*bff.Config)
}

// say makes it say something else from now on.
func (o *odd) say(poll string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.polls = []string{poll}
}

// keep gives it a file.
func (o *odd) keep(name string, data []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.files == nil {
		o.files = map[string][]byte{}
	}
	o.files[name] = data
}

func (o *odd) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body := `{"success":true,"data":{"image":"https://odd.example/in.jpg"}}`
	sent, _ := io.ReadAll(r.Body) // of what breaks off there is nothing to refuse
	if o.heard != nil {
		o.heard(r.URL.Path, string(sent))
	}
	switch p := r.URL.Path; {
	case p == upstream.PathAgentInfo && o.info != "":
		body = o.info
	case p == upstream.PathRuns && o.refuse != nil && o.refuse(string(sent)) != "":
		w.WriteHeader(http.StatusBadRequest)
		body = fmt.Sprintf(`{"success":false,"error":{"code":"40000","message":%q,"retryable":false}}`, o.refuse(string(sent)))
	case strings.HasPrefix(p, "/files/"):
		o.mu.Lock()
		o.fetched++
		n, spoil := o.fetched, o.spoil
		o.mu.Unlock()
		if spoil != nil && spoil(w, r, n) {
			return
		}
		o.mu.Lock()
		data, ok := o.files[strings.TrimPrefix(p, "/files/")]
		o.mu.Unlock()
		if !ok {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write(data) // the reader notices what is missing
		return
	case p == upstream.PathRunUpload && o.fileless.Load():
		body = `{"success":true,"data":`
	case p == upstream.PathRuns:
		if o.started != nil {
			o.started()
		}
		body = `{"success":true,"meta":{"executionId":"odd-1"}}`
	case strings.HasPrefix(p, upstream.PathRuns+"/"):
		o.asked.Add(1)
		if o.unknown.Load() {
			w.WriteHeader(http.StatusNotFound)
			body = `{"success":false,"code":40000,"message":"no such run"}`
			break
		}
		if o.garbled.Load() {
			body = `{"success":true,"data":{"executions":[{`
			break
		}
		o.mu.Lock()
		said := o.polls[0]
		if len(o.polls) > 1 {
			o.polls = o.polls[1:]
		}
		o.mu.Unlock()
		body = `{"success":true,"data":{"agentName":"removeBG","agentVersion":"v1.0","initParams":{},"executions":[{"executionId":"other","status":"Failed"},{"executionId":"odd-1",` + said + `}]}}`
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, body) // the client notices what is missing
}

func oddStudio(t *testing.T, o *odd) *studio {
	t.Helper()
	s := newIdleStudio(t, nil)
	s.close()
	s.change = func(c *bff.Config) {
		transport := upstream.InProcess(o)
		up, err := upstream.New(upstream.Options{BaseURL: "https://odd.example", Key: testKey, Transport: transport, OnAnswer: bff.OnAnswer})
		if err != nil {
			t.Fatal(err)
		}
		c.Upstream, c.Surface = up, "run"
		c.Outbound = outbound.New(outbound.Policy{InProcess: map[string]http.RoundTripper{"odd.example": transport}})
		c.GiveUp = time.Millisecond
		if o.change != nil {
			o.change(c)
		}
	}
	s.open()
	s.start()
	return s
}

func TestWhateverAServiceSaysARunEndsWell(t *testing.T) {
	t.Parallel()
	item := func(status, rest string) string { return fmt.Sprintf(`{"status":%q%s}`, status, rest) }
	ok := item("Success", `,"image":"https://odd.example/files/a.png"`)
	tests := []struct {
		name   string
		polls  []string
		state  atelier.State
		stored int
		word   string // in the run's error
	}{
		{
			"unknown words on the way",
			[]string{`"status":"Queued","result":[]`, `"status":"Warming","result":[` + item("Warming", `,"progress":"0.1"`) + `]`, `"status":"Success","result":[` + ok + `]`},
			atelier.StateDone, 1, "",
		},
		{"no picture at first", []string{`"status":"Success","result":[]`, `"status":"Success","result":[` + ok + `]`}, atelier.StateDone, 1, ""},
		{"no picture at all", []string{`"status":"Success","result":[]`}, atelier.StateFailed, 0, "gives no picture"},
		{
			"one of two failed",
			[]string{`"status":"Success","result":[` + ok + `,` + item("Failed", `,"image":"","error":"no subject"`) + `]`},
			atelier.StateDone, 1, "",
		},
		{"all failed", []string{`"status":"Failed","result":[` + item("Failed", `,"image":"","error":"no subject"`) + `]`}, atelier.StateFailed, 0, "no subject"},
		{"failed on the items alone", []string{`"status":"Running","result":[` + item("Failed", `,"error":"no subject"`) + `]`}, atelier.StateFailed, 0, "no subject"},
		{"failed without a word", []string{`"status":"Failed"`}, atelier.StateFailed, 0, "could not make this"},
		{"a video", []string{`"status":"Success","result":[` + item("Success", `,"video":"https://odd.example/files/v.mp4","videoPoster":"https://odd.example/files/a.png"`) + `]`}, atelier.StateDone, 1, ""},
		{"a video whose poster is missing", []string{`"status":"Success","result":[` + item("Success", `,"video":"https://odd.example/files/v.mp4","videoPoster":"https://odd.example/files/none"`) + `]`}, atelier.StateDone, 1, ""},
		{"a picture where we may not go", []string{`"status":"Success","result":[` + item("Success", `,"image":"https://169.254.169.254/latest/meta-data"`) + `]`}, atelier.StateDone, 0, "could not be fetched"},
		{"another run than ours", []string{`"status":"Running"},{"executionId":"odd-2","status":"Success","result":[` + ok + `]`, `"status":"Success","result":[` + ok + `]`}, atelier.StateDone, 1, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := oddStudio(t, &odd{polls: tt.polls, files: map[string][]byte{
				"a.png": testpics.PNG(testpics.Photo(320, 200, 9)), "v.mp4": []byte("\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom"),
			}, change: func(c *bff.Config) { c.RetryMin = 50 * time.Microsecond }})
			run := s.startRun(removal("odd", s.upload(photo(70))))
			got := s.untilState(run.ID, tt.state)
			stored := 0
			for _, r := range got.Results {
				if r.Stored {
					stored++
					if file := s.send("GET", r.File, nil, nil); file.status != http.StatusOK {
						t.Errorf("the file = %d", file.status)
					}
					if r.Preview == "" {
						if r.Thumb != "" {
							t.Errorf("a video without a poster has the thumbnail %s", r.Thumb)
						}
					} else if thumb := s.send("GET", r.Thumb, nil, nil); thumb.status != http.StatusOK {
						t.Errorf("the thumbnail = %d", thumb.status)
					}
				}
			}
			if stored != tt.stored {
				t.Errorf("%d results are stored, want %d: %+v", stored, tt.stored, got.Results)
			}
			if (tt.word == "") != (got.Error == nil) || got.Error != nil && !strings.Contains(got.Error.Message, tt.word) {
				t.Errorf("the error is %+v, want one with %q", got.Error, tt.word)
			}
			if raw, err := json.Marshal(got); err != nil || strings.Contains(string(raw), "odd.example") {
				t.Errorf("the browser is sent to the service: %s", raw)
			}
		})
	}
}

// A run whose file the service does not take is tried for a while, and ends with the reason: nothing of it was ever sent.
func TestARunWhoseFileIsNotTakenEnds(t *testing.T) {
	t.Parallel()
	o := &odd{}
	o.fileless.Store(true)
	s := oddStudio(t, o)
	got := s.untilState(s.startRun(removal("fileless", s.upload(photo(71)))).ID, atelier.StateFailed)
	if got.Error == nil || !got.Error.Retryable || !strings.Contains(got.Error.Message, "did not accept a file") || got.ExecutionID != "" {
		t.Errorf("the run is %+v, %+v", got, got.Error)
	}
}
