// Package crashes holds tests of what a studio that dies leaves behind, and of what the next one makes of it.
package crashes

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"atelier/atelier"
	"atelier/upstream"
)

// moment is a point in the life of a studio: the n-th time it comes by there.
type moment struct {
	name string
	n    int
}

// life is one studio that ends at a moment. Death in one process is played like this: from the moment on nothing more
// reaches the image service, what is left of the folder is copied, and whoever comes by a moment again is held until the case is
// over. What was committed stays, what was asked of the service before has happened, whether its answer came or not.
type life struct {
	end      moment
	mu       sync.Mutex
	seen     map[string]int
	spare    bool           // it goes on living whatever it comes by
	dead     chan struct{}  // closed at the end
	frozen   chan struct{}  // closed when the folder is copied
	released chan struct{}  // closed when the case is over
	isDead   atomic.Bool    // written with mu held
	asked    sync.WaitGroup // what the living asked and is not answered yet
	leave    func() error   // makes what is left
	err      error
}

func newLife(end moment, leave func() error) *life {
	return &life{end: end, seen: map[string]int{}, dead: make(chan struct{}), frozen: make(chan struct{}), released: make(chan struct{}), leave: leave}
}

// at is called at each moment. held is called when whoever came by there is held.
func (l *life) at(name string, held func()) {
	l.mu.Lock()
	l.seen[name]++
	ends := !l.spare && name == l.end.name && l.seen[name] == l.end.n
	if ends {
		l.isDead.Store(true)
	}
	l.mu.Unlock()
	if ends {
		close(l.dead)
		l.err = l.leave()
		close(l.frozen)
	}
	if l.isDead.Load() {
		held()
		<-l.released
	}
}

// request is the key of who asks.
type request struct{}

// asking is who asks: a life, and what says that this request has done all it will do before the case is over.
type asking struct {
	by   *life
	done func()
}

// watched lets those whose lives are watched come by what a service does for them.
func watched(ctx context.Context, name string) {
	if a, ok := ctx.Value(request{}).(asking); ok {
		a.by.at("service "+name, a.done)
	}
}

// wire lets the living ask; what the dead ask goes nowhere, and they hear nothing of what they had asked.
func (l *life) wire(next http.RoundTripper) http.RoundTripper {
	return tripper(func(r *http.Request) (*http.Response, error) {
		l.mu.Lock()
		dead := l.isDead.Load()
		if !dead {
			l.asked.Add(1)
		}
		l.mu.Unlock()
		if dead {
			<-l.released
			return nil, errors.New("nobody asks any more")
		}
		done := sync.OnceFunc(l.asked.Done)
		defer done()
		resp, err := next.RoundTrip(r.WithContext(context.WithValue(r.Context(), request{}, asking{l, done})))
		if l.isDead.Load() {
			done()
			<-l.released
		}
		return resp, err
	})
}

// living does something that only the living do.
func (l *life) living(do func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.isDead.Load() {
		do()
	}
}

// spared says that it has not ended, and from then on it does not: a callback that comes late would end a studio that the case goes
// on with, and whoever asked it would wait for ever.
func (l *life) spared() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.isDead.Load() {
		l.spare = true
	}
	return l.spare
}

// came gives what it came by, and how often.
func (l *life) came() map[string]int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Clone(l.seen)
}

// arrived waits until everything the dead had asked has come to the service. That it comes late is what Settle is for; how
// late is chosen here, not by how busy this machine is.
func (l *life) arrived() { l.asked.Wait() }

type tripper func(*http.Request) (*http.Response, error)

func (t tripper) RoundTrip(r *http.Request) (*http.Response, error) { return t(r) }

const keysOfCase = 2

func key(i int) string { return fmt.Sprintf("intent-key-%06d", i) }

// ground is where a studio lives and dies.
type ground struct {
	folder string
	leave  func(target string) error // makes what a death at this moment leaves
	done   func()                    // nobody lives there any more
}

// ordinary ground is a copy of a folder. What dies there is a process.
func ordinary(t *testing.T, from string) ground {
	t.Helper()
	folder := t.TempDir()
	copyFolder(t, from, folder)
	return ordinaryAt(folder)
}

func ordinaryAt(folder string) ground {
	return ground{folder, func(target string) error { return freeze(context.Background(), folder, target) }, func() {}}
}

// resident is the studio that lives, and its life when that is watched.
type resident struct {
	studio *studio
	life   *life
}

// hangs is closed when nobody answers any more what is asked now.
func (r resident) hangs() <-chan struct{} {
	if r.life == nil {
		return nil // it lives on
	}
	return r.life.dead
}

// play lets a studio live until its end, the next one take over and live until its own, and so on; the one after them all
// brings to an end what is left. seen is what the last of those came by that had an end to come, deaths how many of them came to it.
func play(t *testing.T, sc scenario, ends []moment, on func(t *testing.T, from string) ground) (seen map[string]int, deaths, unconfirmed int) {
	t.Helper()
	b, err := begin()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	defer cancel()
	quiet := slog.New(slog.DiscardHandler)
	first := on(t, b.folder)
	place := first
	far := newLedger()
	far.hidden, far.account, far.moment = sc.hidden, sc.account, watched
	var living atomic.Pointer[resident]
	if sc.callback {
		far.call = func(address, body string) bool {
			u, err := url.Parse(address)
			if err != nil {
				return false
			}
			s := living.Load()
			if s == nil {
				return false
			}
			r := httptest.NewRequestWithContext(ctx, http.MethodPost, "http://"+u.Host+u.Path, strings.NewReader(body))
			w := httptest.NewRecorder()
			answered := make(chan struct{})
			go func() {
				defer close(answered)
				s.studio.pages.ServeHTTP(w, r)
			}()
			select {
			case <-answered:
				return (s.life == nil || !s.life.isDead.Load()) && w.Code == http.StatusOK && w.Body.String() == "SUCCESS"
			case <-s.hangs():
				return false
			}
		}
	}
	var when strings.Builder // what has happened in this case
	fmt.Fprint(&when, sc.name)
	var mu sync.Mutex
	acknowledged := map[string]atelier.RunID{}
	var cancelled atelier.RunID // whose cancellation was acknowledged
	// ask asks for every run. Whoever had no answer asks again with the same key, and so does whoever had one from somebody dead.
	ask := func(s *studio, l *life, when string) {
		for i := range keysOfCase {
			run, err := s.start(ctx, b.cookie, key(i), b.asset)
			if l != nil && l.isDead.Load() {
				return
			}
			mu.Lock()
			was := acknowledged[key(i)]
			if err == nil && l != nil {
				acknowledged[key(i)] = run.ID
			}
			mu.Unlock()
			if err != nil {
				t.Errorf("%s: %v", when, err)
			} else if was != "" && was != run.ID {
				t.Errorf("%s: run %s was acknowledged as %s and is %s", when, key(i), was, run.ID)
			}
			if !sc.cancels || i != keysOfCase-1 || err != nil {
				continue
			}
			var body atelier.RunBody
			err = s.ask(ctx, b.cookie, http.MethodPost, "/api/runs/"+string(run.ID)+"/cancel", nil, &body)
			if l != nil && l.isDead.Load() {
				return
			}
			mu.Lock()
			if err == nil {
				cancelled = run.ID
			} else if cancelled == run.ID {
				t.Errorf("%s: the cancelled run cannot be cancelled again: %v", when, err)
			}
			mu.Unlock()
		}
	}
	folders := []string{first.folder}
	var last *studio
	var lives []*life
	var dead []chan *studio
	for _, end := range ends {
		from, left, happened := place, t.TempDir(), when.String()
		l := newLife(end, func() error { return from.leave(left) })
		lives, folders = append(lives, l), append(folders, left)
		// It may die before it answers anybody.
		opened, done := make(chan *studio, 1), make(chan error, 1)
		go func() {
			s, err := open(ctx, from.folder, sc, l.wire(upstream.InProcess(far)), func(name string) { l.at(name, func() {}) }, quiet)
			opened <- s
			if err != nil {
				done <- err
				return
			}
			l.living(func() { living.Store(&resident{s, l}) })
			ask(s, l, happened)
			done <- s.settled(ctx)
		}()
		select {
		case <-l.dead:
		case err = <-done:
		}
		if l.spared() {
			if err != nil {
				t.Fatalf("%s: %v", happened, err)
			}
			seen, last = l.came(), <-opened
			break
		}
		<-l.frozen
		living.Store(nil)
		seen, deaths = l.came(), deaths+1
		dead = append(dead, opened)
		fmt.Fprintf(&when, ", after the %d. %s", end.n, end.name)
		if l.err != nil {
			t.Fatalf("%s: copy what is left: %v", &when, l.err)
		}
		l.arrived()
		place = ordinaryAt(left)
	}
	if last == nil {
		// What this one asks is not watched.
		if last, err = open(ctx, place.folder, sc, upstream.InProcess(far), nil, quiet); err != nil {
			t.Fatalf("%s: %v", &when, err)
		}
		living.Store(&resident{studio: last})
		ask(last, nil, when.String())
		if err := last.settled(ctx); err != nil {
			t.Errorf("%s: %v", &when, err)
		}
	}
	if sc.callback {
		far.calls.Wait()
		if err := settledAgain(t, last, far); err != nil {
			t.Errorf("%s: %v", &when, err)
		}
	}
	mu.Lock()
	sure, never := maps.Clone(acknowledged), cancelled
	mu.Unlock()
	if never != "" {
		if run, err := last.db.LoadRun(ctx, never); err != nil || !run.Cancelled {
			t.Errorf("%s: a run whose cancellation was acknowledged is %s, %v", &when, run.State, err)
		}
	}
	problems, unconfirmed := audit(ctx, last, b.cookie, sc, far.book(), sure, keysOfCase)
	for _, p := range problems {
		t.Errorf("%s: %s", &when, p)
	}
	for _, l := range lives {
		close(l.released)
	}
	for _, opened := range dead {
		// It is dead: what it says on the way out does not matter.
		_ = (<-opened).close()
	}
	if err := last.close(); err != nil {
		t.Errorf("%s: %v", &when, err)
	}
	first.done()
	for _, folder := range folders {
		if err := os.RemoveAll(folder); err != nil {
			t.Log(err) // the dead may still be letting go
		}
	}
	return seen, deaths, unconfirmed
}

// settledAgain waits for what late callbacks have set going: until no run is open, and none is unconfirmed of which the
// service has told.
func settledAgain(t *testing.T, s *studio, far *ledger) error {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	for {
		runs, err := s.db.ListUndecided(ctx, time.Time{}, 1000)
		if err != nil {
			return err
		}
		late, book := 0, far.book()
		for _, run := range runs {
			if len(book[run.Tag]) > 0 {
				late++
			}
		}
		open, err := s.db.ListOpenRuns(ctx, 1)
		if err != nil {
			return err
		}
		if len(open)+late == 0 {
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("called back, and still %d runs are open and %d unconfirmed", len(open), late)
		}
	}
}

// leastCases is the least number of deaths that TestSlowDeathAtEveryMoment plays: fewer mean that the studio no longer reports its moments.
const leastCases = 400

// leastInRecovery is the least number of second deaths that TestSlowDeathDuringRecovery plays.
const leastInRecovery = 200

// TestSlowDeathAtEveryMoment plays fault K1: a studio dies before and after every change of its database, every step of storing a file and
// every request to the image service, the first four times each, in all scenarios. No acknowledged run is lost or made twice, and the
// studio's record of each run equals the service's.
func TestSlowDeathAtEveryMoment(t *testing.T) {
	t.Parallel()
	const often = 4
	var jobs []job
	for _, sc := range scenarios {
		seen, _, _ := play(t, sc, []moment{{}}, ordinary)
		for _, name := range slices.Sorted(maps.Keys(seen)) {
			for n := range min(seen[name], often) {
				jobs = append(jobs, job{sc, []moment{{name, n + 1}}})
			}
		}
	}
	tryDeaths(t, jobs, leastCases)
}

// TestK1D1DeathAtThreeMoments is the short form of TestSlowDeathAtEveryMoment: deaths before the service hears of the second run, after it has
// accepted it, and after its answer is saved, over both surfaces.
func TestK1D1DeathAtThreeMoments(t *testing.T) {
	t.Parallel()
	var jobs []job
	for _, sc := range []scenario{scenarios[0], scenarios[2]} {
		path, saved := upstream.PathTaskExecute, "after: save the answer to execute task"
		if sc.surface == "run" {
			path, saved = upstream.PathRuns, "after: save the answer to start run"
		}
		for _, name := range []string{"service before: POST " + path, "service after: POST " + path, saved} {
			jobs = append(jobs, job{sc, []moment{{name, keysOfCase}}})
		}
	}
	tryDeaths(t, jobs, int64(len(jobs)))
}

// cancelling are the scenarios in which a run is cancelled.
var cancelling = []scenario{{name: "cancelled over tasks", surface: "auto", cancels: true}, {name: "cancelled over runs", surface: "run", cancels: true}}

// TestK1DeathAroundCancel plays fault K1 around the cancellation of a run: a studio dies before and after it writes it, and at each moment
// of the submission that it races with. A run whose cancellation was acknowledged is never sent, and one that was sent is not lost.
func TestK1DeathAroundCancel(t *testing.T) {
	t.Parallel()
	var jobs []job
	for _, sc := range cancelling {
		for _, name := range []string{"before: cancel run", "after: cancel run", "after: create run", "before: begin executing", "after: begin executing"} {
			jobs = append(jobs, job{sc, []moment{{name, 1}}})
		}
	}
	tryDeaths(t, jobs, int64(len(jobs))-2) // both runs may be through before the second is asked for, or be cancelled
}

// TestDeathBetweenRefusalAndRetry lets a studio die around the refusal of a mask in base64, before and after the run is sent with the mask's
// address. The refusal is definite, so the run is made, and once. Over the run surface a death before the refusal was written down leaves
// the run unconfirmed, as with any answer.
func TestDeathBetweenRefusalAndRetry(t *testing.T) {
	t.Parallel()
	var jobs []job
	for _, sc := range scenarios {
		if !sc.account {
			continue
		}
		pay := "POST " + upstream.PathTaskExecute
		upload := "POST " + upstream.PathUploadImage
		if sc.surface == "run" {
			pay, upload = "POST "+upstream.PathRuns, "POST "+upstream.PathRunUpload
		}
		for _, m := range []moment{
			{"before: set state recorded", 1}, {"after: set state recorded", 1}, {"service before: " + upload, 2}, {"service after: " + pay, 3},
		} {
			jobs = append(jobs, job{sc, []moment{m}})
		}
	}
	tryDeaths(t, jobs, int64(len(jobs)))
}

// job is a case: how the studios end.
type job struct {
	sc   scenario
	ends []moment
}

// tryDeaths plays cases, of which at least so many must come to all their deaths.
func tryDeaths(t *testing.T, jobs []job, least int64) {
	t.Helper()
	var cases, missed, unconfirmed atomic.Int64
	queue := make(chan job)
	var workers sync.WaitGroup
	for range 4 * runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for j := range queue {
				_, deaths, open := play(t, j.sc, j.ends, ordinary)
				unconfirmed.Add(int64(open))
				if deaths == len(j.ends) {
					if n := cases.Add(1); n%100 == 0 {
						t.Logf("%d cases of at most %d", n, len(jobs))
					}
				} else {
					missed.Add(1)
					t.Logf("%s: %v: %d deaths", j.sc.name, j.ends, deaths)
				}
			}
		})
	}
	for _, j := range jobs {
		queue <- j
	}
	close(queue)
	workers.Wait()
	t.Logf("%d cases, %d in which a moment did not come by again, %d runs said to be unconfirmed", cases.Load(), missed.Load(), unconfirmed.Load())
	if cases.Load() < least {
		t.Errorf("%d cases were tried, want at least %d", cases.Load(), least)
	}
}

// inDoubt are deaths that leave a run to be looked for, for each surface: nothing of the second run has come to the service, or it has
// been made and the answer is lost, or kept and not read; over tasks also the task alone. What the first run has come to meanwhile differs.
var inDoubt = map[string][]string{
	"auto": {
		"service after: POST " + upstream.PathTaskCreate, "service before: POST " + upstream.PathTaskExecute,
		"service after: POST " + upstream.PathTaskExecute, "after: save the answer to execute task",
	},
	"run": {"service before: POST " + upstream.PathRuns, "service after: POST " + upstream.PathRuns, "after: save the answer to start run"},
}

// madeAnyway is what a studio does with a run that it knows to be accepted, and what a browser asks it for. Deaths there are the same
// whether the studio before it has died.
var madeAnyway = regexp.MustCompile(`apply status|set result|set state done|set fidelity|^file |GET /files|upload|create user|create run|save callback`)

// TestSlowDeathDuringRecovery plays fault K1 twice in a row: a studio that recovers what a dead one has left dies too, at each moment at
// which it looks for runs, finds them and sends them again. The third studio loses nothing and makes nothing twice.
func TestSlowDeathDuringRecovery(t *testing.T) {
	t.Parallel()
	tryDeaths(t, deathsInRecovery(t, scenarios, math.MaxInt), leastInRecovery)
}

// TestK1DeathDuringRecovery is the short form of TestSlowDeathDuringRecovery: it tries five moments of recovery over each surface. What the
// other runs do meanwhile decides whether a moment comes by in the second life too, so six of the ten deaths are enough.
func TestK1DeathDuringRecovery(t *testing.T) {
	t.Parallel()
	const moments, least = 5, 6
	tryDeaths(t, deathsInRecovery(t, []scenario{scenarios[0], scenarios[2]}, moments), least)
}

// deathsInRecovery lists the cases in which a second studio dies while it recovers, at most most of them for each scenario.
func deathsInRecovery(t *testing.T, scenarios []scenario, most int) (jobs []job) {
	t.Helper()
	for _, sc := range scenarios {
		var cases []job
		for _, name := range inDoubt[sc.surface] {
			if len(cases) >= most {
				break
			}
			if sc.callback && !strings.HasPrefix(name, "service after: ") {
				continue // the service calls only about what it made, and an answer that was kept needs no call
			}
			first := moment{name, keysOfCase}
			seen, deaths, _ := play(t, sc, []moment{first, {}}, ordinary)
			if deaths != 1 {
				t.Errorf("%s: no run reaches %s", sc.name, name)
			}
			for _, name := range slices.Sorted(maps.Keys(seen)) {
				if !madeAnyway.MatchString(name) {
					cases = append(cases, job{sc, []moment{first, {name, 1}}})
				}
			}
		}
		jobs = append(jobs, cases[:min(most, len(cases))]...)
	}
	return jobs
}
