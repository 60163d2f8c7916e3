package main

import (
	"bufio"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"atelier/atelier"
	"atelier/internal/killable"
	"atelier/upstream"
)

// neverDone is an image service that takes every run and finishes none.
type neverDone struct{ runs atomic.Int64 }

// ServeHTTP answers what the run surface is asked.
func (n *neverDone) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body := `{"success":true,"data":{"image":"https://never.example/in.jpg"}}`
	switch id, isRun := strings.CutPrefix(r.URL.Path, upstream.PathRuns+"/"); {
	case r.URL.Path == upstream.PathRuns:
		body = fmt.Sprintf(`{"success":true,"meta":{"executionId":"never-%d"}}`, n.runs.Add(1))
	case isRun:
		body = fmt.Sprintf(`{"success":true,"data":{"agentName":"removeBG","agentVersion":"v1.0","initParams":{},"executions":[{"executionId":%q,"status":"Running","result":[]}]}}`, id)
	case r.URL.Path == upstream.PathTaskList:
		body = `{"success":true,"code":0,"data":{"tasks":[],"hasMore":false}}`
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, body) // the client notices what is missing
}

// called is a server with a listener for callbacks and the runs they are about.
type called struct {
	b              *testing.B
	address, calls string
	debug          string
	stop           func() error
	key            []byte
	ids            []atelier.RunID
}

const calledRuns, keptCalls = 20, 64

// newCalled starts a server, and runs that are brought to a state.
func newCalled(b *testing.B, state func(atelier.State) bool, vars map[string]string) *called {
	b.Helper()
	c := &called{b: b, address: killable.Address(b), calls: killable.Address(b), debug: killable.Address(b), ids: make([]atelier.RunID, calledRuns)}
	data := b.TempDir()
	all := map[string]string{
		"ATELIER_LISTEN": c.address, "ATELIER_CALLBACK_LISTEN": c.calls, "ATELIER_DEBUG_LISTEN": c.debug, "ATELIER_DATA": data,
		"ATELIER_LAUNCH_TOKEN": testToken, "ATELIER_LOG": "error",
	}
	for name, value := range vars {
		all[name] = value
	}
	_, c.stop = started(b, all)
	v := visit(b, c.address)
	for i := range c.ids {
		var err error
		if c.ids[i], err = v.start(i); err != nil {
			b.Fatal(err)
		}
	}
	for _, id := range c.ids {
		var body atelier.RunBody
		c.until("the runs are there", func() bool {
			if err := v.send(http.MethodGet, "/api/runs/"+string(id), "application/json", nil, &body); err != nil {
				b.Fatal(err)
			}
			return state(body.Run.State)
		})
	}
	var err error
	if c.key, err = os.ReadFile(filepath.Join(data, "callback.key")); err != nil {
		b.Fatal(err)
	}
	return c
}

// until waits for something.
func (c *called) until(what string, ok func() bool) {
	c.b.Helper()
	tick, deadline := time.NewTicker(20*time.Millisecond), time.After(5*time.Minute)
	defer tick.Stop()
	for !ok() {
		select {
		case <-tick.C:
		case <-deadline:
			c.b.Fatalf("it never was so that %s", what)
		}
	}
}

// atRest waits until nothing is left to do but to watch the runs.
func (c *called) atRest() {
	c.b.Helper()
	c.until("nothing is left to do", func() bool {
		resp, err := http.Get("http://" + c.debug + "/metrics")
		if err != nil {
			c.b.Fatal(err)
		}
		defer func() { _ = resp.Body.Close() }()
		for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
			line := lines.Text()
			if strings.HasPrefix(line, "atelier_jobs{") && !strings.Contains(line, `kind="poll"`) && !strings.Contains(line, `state="completed"`) && !strings.HasSuffix(line, " 0") {
				return false
			}
		}
		return true
	})
}

// call posts a callback and gives how long it took.
func (c *called) call(token, body string, want int) time.Duration {
	req, err := http.NewRequestWithContext(c.b.Context(), http.MethodPost, "http://"+c.calls+"/callbacks/v1/"+token, strings.NewReader(body))
	if err != nil {
		c.b.Fatal(err)
	}
	req.Host = c.address // as a proxy passes it on
	began := time.Now()
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		c.b.Fatal(err)
	}
	raw, err := io.ReadAll(resp.Body)
	took := time.Since(began)
	if cerr := resp.Body.Close(); err != nil || cerr != nil || resp.StatusCode != want {
		c.b.Fatalf("a callback = %d %s, %v, %v", resp.StatusCode, raw, err, cerr)
	}
	return took
}

// measure posts 10,000 forged callbacks, and true ones, as many as are kept.
func (c *called) measure(name string) {
	report := func(b *testing.B, took []time.Duration) {
		b.Helper()
		slices.Sort(took)
		for what, at := range map[string]int{"p50": 50, "p90": 90, "p99": 99} {
			b.ReportMetric(float64(took[len(took)*at/100].Microseconds()), "µs-"+what)
		}
		b.ReportMetric(0, "ns/op")
	}
	c.b.Run(name+"/forged", func(b *testing.B) {
		var took []time.Duration
		for range b.N {
			for i := range 10_000 {
				took = append(took, c.call(fmt.Sprintf("%s.%022d", c.ids[i%calledRuns], i), "{}", http.StatusNotFound))
			}
		}
		report(b, took)
	})
	c.b.Run(name+"/true", func(b *testing.B) {
		var took []time.Duration
		for range b.N {
			for i := range calledRuns * keptCalls {
				id := c.ids[i%calledRuns]
				mac := hmac.New(sha256.New, []byte(strings.TrimSpace(string(c.key))))
				mac.Write([]byte("cb1|" + string(id)))
				token := string(id) + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))[:22]
				took = append(took, c.call(token, fmt.Sprintf(`{"data":{"executions":[{"status":"Success","n":%d}]}}`, i), http.StatusOK))
			}
		}
		report(b, took)
	})
}

// BenchmarkCallbacks tells how long a callback takes through the listener that callbacks have of their own, in a server as it is run:
// 10,000 with forged proofs (C1), and the true ones that are kept, 64 of each run, each flushed to the disk before it is answered. Once
// about runs that another image service is making, with nothing else to do, and once in the seconds after as many runs of the embedded
// service have ended, whose small copies and examples are being drawn by the same processors.
func BenchmarkCallbacks(b *testing.B) {
	const key = "test-key-of-the-studio-0123456789"
	far := httptest.NewServer(&neverDone{})
	b.Cleanup(far.Close)
	quiet := newCalled(b, func(s atelier.State) bool { return s == atelier.StateAccepted }, map[string]string{
		"ATELIER_UPSTREAM_URL": far.URL, "ATELIER_API_KEY": key, "ATELIER_SURFACE": "run", "ATELIER_ASSET_HOSTS": strings.TrimPrefix(far.URL, "http://"),
	})
	quiet.atRest()
	quiet.measure("quiet")
	if err := quiet.stop(); err != nil {
		b.Fatal(err)
	}
	newCalled(b, atelier.State.Final, nil).measure("working")
}
