package bff_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"atelier/atelier"
	"atelier/bff"
	"atelier/imaging/testpics"
	"atelier/service"
)

// deliver posts a callback straight to the server, as it comes from an address.
func (s *studio) deliver(path, body, peer string, forwarded ...string) int {
	s.t.Helper()
	w := httptest.NewRecorder()
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.http.URL+"/callbacks/v1/"+path, strings.NewReader(body))
	s.check(err)
	r.RemoteAddr = peer
	for _, f := range forwarded {
		r.Header.Add("X-Forwarded-For", f)
	}
	s.front.handler.ServeHTTP(w, r)
	return w.Code
}

const somebody = "203.0.113.9:4711"

// C1: a forged address costs us no look into the database, so it works the same without one.
func TestC1ForgedCallbackAddressesReachNothing(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	s.check(s.db.Close())
	for i := range 10_000 {
		if status := s.deliver(fmt.Sprintf("0190a0b0-0000-7000-8000-%012d.AAAAAAAAAAAAAAAAAAAAAA", i), "{}", somebody); status != http.StatusNotFound {
			t.Fatalf("forged address %d = %d", i, status)
		}
	}
	if status := s.deliver(token("0190a0b0-0000-7000-8000-000000000000"), "{}", somebody); status != http.StatusInternalServerError {
		t.Errorf("a true address without a database = %d: the test shows nothing", status)
	}
	s.bff = nil // its database is closed already
	s.check(s.store.Close())
}

// C2 and C3: a thousand calls that say "done" while the service says "running" change nothing, are kept once each, 64 at
// most, and make us ask a handful of times.
func TestC2C3D6CallbacksAreHintsAndNothingMore(t *testing.T) {
	t.Parallel()
	o := &odd{polls: []string{`"status":"Running","result":[]`}}
	s := oddStudio(t, o)
	s.close()
	change := s.change
	s.change = func(c *bff.Config) {
		change(c)
		c.PollMin, c.PollMax, c.HintGap = time.Hour, time.Hour, time.Hour
	}
	s.open()
	s.start()
	run := s.startRun(removal("hints", s.upload(photo(71))))
	s.until(run.ID, "running", func(r atelier.Run) bool { return r.Status == atelier.Running })
	asked := o.asked.Load()
	count := func(states string) (n int) {
		s.check(s.db.Read.QueryRowContext(t.Context(), `SELECT count(*) FROM river_job WHERE kind = 'hint' AND state IN (`+states+`)`).Scan(&n))
		return n
	}
	const at, later = `'available', 'running', 'retryable'`, `'scheduled'`
	planned := 0
	for i := range 1000 {
		if i == 2 {
			s.eventually("one look is to come", func() bool { return count(later) == 1 && count(at) == 0 })
			planned = count(at + ", " + later + ", 'completed'")
		}
		body := fmt.Sprintf(`{"data":{"executions":[{"executionId":"odd-1","status":"Success","result":[{"status":"Success","image":"https://odd.example/%d.png"}]}]}}`, i)
		if status := s.deliver(token(run.ID), body, somebody); status != http.StatusOK {
			t.Fatalf("callback %d = %d", i, status)
		}
		if status := s.deliver(token(run.ID), body, somebody); status != http.StatusOK {
			t.Fatalf("callback %d again = %d", i, status)
		}
	}
	calls, err := s.db.ListCallbacks(t.Context(), run.ID)
	if err != nil || len(calls) != 64 {
		t.Errorf("%d callbacks are kept, %v; want 64", len(calls), err)
	}
	s.eventually("every call was heard", func() bool { return count(at) == 0 })
	if n := count(at + ", " + later + ", 'completed'"); n != planned {
		t.Errorf("%d more looks were planned while one was to come", n-planned)
	}
	if now := s.run(run.ID); now.State != atelier.StateAccepted || now.Status != atelier.Running || len(now.Results) != 0 {
		t.Errorf("the run was changed: %+v", now)
	}
	// One look at once, and one when the gap is over, which is an hour here.
	if n, more := o.asked.Load()-asked, count(later); n != 1 || more != 1 {
		t.Errorf("because of 2,000 calls the service was asked %d times and is to be asked %d times more, want once and once", n, more)
	}
	o.say(`"status":"Success","result":[{"status":"Success","image":"https://odd.example/files/a.png"}]`)
	o.keep("a.png", testpics.PNG(testpics.Photo(320, 200, 9)))
	if status := s.deliver(token(run.ID), "{}", somebody); status != http.StatusOK {
		t.Errorf("past the 64th = %d", status)
	}
}

// C4 and C5: lost and failing deliveries.
func TestC4C5RunsEndWhateverBecomesOfTheirCallbacks(t *testing.T) {
	t.Parallel()
	t.Run("all are lost", func(t *testing.T) {
		t.Parallel()
		s := newIdleStudio(t, nil)
		s.close()
		s.change = func(c *bff.Config) { c.PublicURL = s.http.URL }
		s.open()
		s.start()
		s.service.SetSwitches(service.Switches{DropCallbacks: true})
		s.untilState(s.startRun(removal("dropped", s.upload(photo(72)))).ID, atelier.StateDone)
	})
	t.Run("two fail", func(t *testing.T) {
		t.Parallel()
		s := (&studio{configure: func(c *service.Config) {
			c.CallbackRetries = [2]time.Duration{20 * time.Millisecond, 20 * time.Millisecond}
		}}).move(t)
		s.close()
		s.change = func(c *bff.Config) { c.PublicURL, c.PollMin, c.PollMax = s.http.URL, time.Hour, time.Hour }
		s.open()
		s.start()
		var failed atomic.Int64
		next := s.front.handler
		s.front.handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasPrefix(r.URL.Path, "/callbacks/") && failed.Add(1) <= 2 {
				w.WriteHeader(http.StatusInternalServerError)
				return
			}
			next.ServeHTTP(w, r)
		})
		s.service.SetSwitches(service.Switches{Slow: 300 * time.Millisecond}) // it is not done at the first look
		s.untilState(s.startRun(removal("two fail", s.upload(photo(73)))).ID, atelier.StateDone)
		if failed.Load() < 3 {
			t.Errorf("%d deliveries came", failed.Load())
		}
	})
}

// C7: from where callbacks are taken. What stands in X-Forwarded-For counts only as far as trusted proxies wrote it.
func TestC7CallbacksAreTakenFromAllowedNetworksOnly(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, func(c *bff.Config) {
		c.CallbackAllow = []netip.Prefix{netip.MustParsePrefix("198.51.100.0/28"), netip.MustParsePrefix("2001:db8:7::/48")}
		c.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	})
	run := s.startRun(removal("networks", s.upload(photo(74))))
	tests := []struct {
		peer      string
		forwarded []string
		taken     bool
	}{
		{"198.51.100.1:1", nil, true},
		{"198.51.100.15:1", nil, true},
		{"198.51.100.16:1", nil, false},
		{"198.51.99.255:1", nil, false},
		{"[2001:db8:7::9]:1", nil, true},
		{"[2001:db8:8::9]:1", nil, false},
		{"[::ffff:198.51.100.1]:1", nil, true},
		{"203.0.113.9:1", nil, false},
		{"203.0.113.9:1", []string{"198.51.100.1"}, false}, // anybody can write that
		{"203.0.113.9:1", []string{"198.51.100.1, 10.0.0.1"}, false},
		{"198.51.100.1:1", []string{"203.0.113.9"}, true}, // as itself
		{"10.0.0.1:1", nil, false},
		{"10.0.0.1:1", []string{"198.51.100.1"}, true},
		{"10.0.0.1:1", []string{"203.0.113.9"}, false},
		{"10.0.0.1:1", []string{"198.51.100.1, 203.0.113.9"}, false}, // the left part is made up
		{"10.0.0.1:1", []string{"203.0.113.9, 198.51.100.1"}, true},
		{"10.0.0.1:1", []string{"198.51.100.1, 10.1.1.1"}, true}, // two proxies of ours
		{"10.0.0.1:1", []string{"203.0.113.9, 10.1.1.1"}, false},
		{"10.0.0.1:1", []string{"198.51.100.1", "203.0.113.9"}, false}, // two headers are one list
		{"10.0.0.1:1", []string{"203.0.113.9", "198.51.100.1"}, true},
		{"10.0.0.1:1", []string{"::ffff:198.51.100.1"}, true},
		{"10.0.0.1:1", []string{"198.51.100.1:80"}, false}, // no address
		{"10.0.0.1:1", []string{"unknown"}, false},
		{"10.0.0.1:1", []string{""}, false},
		{"10.0.0.1:1", []string{"198.51.100.1, "}, false},
		{"nonsense", []string{"198.51.100.1"}, false},
	}
	for i, tt := range tests {
		want := http.StatusNotFound
		if tt.taken {
			want = http.StatusOK
		}
		if status := s.deliver(token(run.ID), fmt.Sprint(i), tt.peer, tt.forwarded...); status != want {
			t.Errorf("from %s, forwarded for %q = %d, want %d", tt.peer, tt.forwarded, status, want)
		}
	}
}

// C9: the call is quicker than the answer to the start of the run.
func TestC9ACallbackBeforeTheAnswerMakesOneRun(t *testing.T) {
	t.Parallel()
	o := &odd{polls: []string{`"status":"Success","result":[{"status":"Success","image":"https://odd.example/files/a.png"}]`}}
	o.keep("a.png", testpics.PNG(testpics.Photo(320, 200, 9)))
	s := oddStudio(t, o)
	var id atomic.Value
	o.started = func() {
		if status := s.deliver(token(id.Load().(atelier.RunID)), `{"data":{"executionId":"odd-1"}}`, somebody); status != http.StatusOK {
			t.Errorf("the early callback = %d", status)
		}
	}
	asset := s.upload(photo(75))
	s.stopJobs()
	run := s.startRun(removal("early", asset))
	id.Store(run.ID)
	s.startJobs()
	done := s.untilState(run.ID, atelier.StateDone)
	var page atelier.RunPage
	s.json("GET", "/api/runs", nil, http.StatusOK, &page)
	if len(page.Runs) != 1 || done.ExecutionID != "odd-1" {
		t.Errorf("%d runs: %+v", len(page.Runs), page.Runs)
	}
	// What is said of a run that is over is kept, and no reason to look.
	hints := func() (n int) {
		s.check(s.db.Read.QueryRowContext(t.Context(), `SELECT count(*) FROM river_job WHERE kind = 'hint'`).Scan(&n))
		return n
	}
	before := hints()
	if status := s.deliver(token(run.ID), `{"late":true}`, somebody); status != http.StatusOK || hints() != before {
		t.Errorf("a callback about a run that is over = %d, %d looks more", status, hints()-before)
	}
	if calls, err := s.db.ListCallbacks(t.Context(), run.ID); err != nil || len(calls) != 2 {
		t.Errorf("%d callbacks are kept, %v", len(calls), err)
	}
}

// Without a public address the service is never asked to call, over either surface; with one it is.
func TestCallbacksAreAskedForOnlyWithAPublicAddress(t *testing.T) {
	t.Parallel()
	for _, surface := range []string{"task", "run"} {
		for _, public := range []bool{false, true} {
			s := newIdleStudio(t, nil)
			s.close()
			var sent atomic.Value
			s.sent = func(path, body string) {
				if strings.HasSuffix(path, "/execute") || strings.HasSuffix(path, "/runs") {
					sent.Store(body)
				}
			}
			s.change = func(c *bff.Config) {
				c.Surface = surface
				if public {
					c.PublicURL = s.http.URL
				}
			}
			s.open()
			s.start()
			s.untilState(s.startRun(removal("address", s.upload(photo(76)))).ID, atelier.StateDone)
			body, _ := sent.Load().(string)
			if body == "" || strings.Contains(body, "callbackUrl") != public || strings.Contains(body, "/callbacks/v1/") != public {
				t.Errorf("over %s, public address %v: %.300s", surface, public, body)
			}
		}
	}
}

func TestTheStudioFindsOutWhetherItsPublicAddressLeadsHere(t *testing.T) {
	t.Parallel()
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) }))
	t.Cleanup(elsewhere.Close)
	for name, want := range map[string]float64{"here": 1, "elsewhere": 0, "nowhere": 0} {
		s := newIdleStudio(t, nil)
		s.close()
		s.change = func(c *bff.Config) {
			c.ProbeAfter = time.Millisecond
			c.PublicURL = map[string]string{"here": s.http.URL, "elsewhere": elsewhere.URL, "nowhere": "http://127.0.0.1:1"}[name]
		}
		s.open()
		s.start()
		registry := prometheus.NewPedanticRegistry()
		s.check(registry.Register(s.bff.Collector()))
		s.eventually("the probe is over", func() bool {
			got, found := measured(t, registry, "atelier_callbacks_reachable")
			if found && got != want {
				t.Errorf("%s: reachable is %v, want %v", name, got, want)
			}
			return found
		})
	}
}
