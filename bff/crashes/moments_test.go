// Package crashes holds tests of what a studio that dies leaves behind, and of what the next one makes of it.
package crashes

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
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
	ends := name == l.end.name && l.seen[name] == l.end.n
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

// request is the key of what says that a request of the living has done all it will do before the case is over.
type request struct{}

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
		resp, err := next.RoundTrip(r.WithContext(context.WithValue(r.Context(), request{}, done)))
		if l.isDead.Load() {
			done()
			<-l.released
		}
		return resp, err
	})
}

// arrived waits until everything the dead had asked has come to the service. That it comes late is what Settle is for; how
// late is chosen here, not by how busy this machine is.
func (l *life) arrived() { l.asked.Wait() }

// unwatched marks requests whose moments nobody dies at.
type unwatched struct{}

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
	return ground{folder, func(target string) error { return freeze(context.Background(), folder, target) }, func() {}}
}

// play lets a studio live until its end and another one take over, and gives what the first one came by.
func play(t *testing.T, sc scenario, end moment, on func(t *testing.T, from string) ground) (seen map[string]int, died bool, unconfirmed int) {
	t.Helper()
	b, err := begin()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	defer cancel()
	quiet := slog.New(slog.DiscardHandler)
	place, left := on(t, b.folder), t.TempDir()
	far := newLedger()
	far.hidden = sc.hidden
	l := newLife(end, func() error { return place.leave(left) })
	var living atomic.Pointer[studio]
	far.moment = func(ctx context.Context, name string) {
		if ctx.Value(unwatched{}) == nil {
			held, _ := ctx.Value(request{}).(func())
			l.at("service "+name, held)
		}
	}
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
				s.pages.ServeHTTP(w, r)
			}()
			hangs, second := l.dead, s.folder == left
			if second {
				hangs = nil // it lives on
			}
			select {
			case <-answered:
				return (second || !l.isDead.Load()) && w.Code == http.StatusOK && w.Body.String() == "SUCCESS"
			case <-hangs:
				return false
			}
		}
	}
	// It may die before it answers anybody.
	opened := make(chan *studio, 1)
	go func() {
		s, err := open(ctx, place.folder, sc, l.wire(upstream.InProcess(far)), func(name string) { l.at(name, func() {}) }, quiet)
		if err != nil && !l.isDead.Load() {
			t.Errorf("%s: %v", sc.name, err)
		}
		if !l.isDead.Load() {
			living.Store(s)
		}
		opened <- s
	}()

	// The browser asks, and is answered or not.
	acknowledged := map[string]atelier.RunID{}
	var mu sync.Mutex
	asked := make(chan struct{})
	go func() {
		defer close(asked)
		first := <-opened
		opened <- first
		for i := range keysOfCase {
			run, err := first.start(ctx, b.cookie, key(i), b.asset)
			if err == nil && !l.isDead.Load() {
				mu.Lock()
				acknowledged[key(i)] = run.ID
				mu.Unlock()
			}
		}
	}()
	done := make(chan error, 1)
	go func() {
		<-asked
		first := <-opened
		opened <- first
		done <- first.settled(ctx)
	}()
	select {
	case <-l.dead:
		<-l.frozen
		died = true
		living.Store(nil)
	case err := <-done:
		if err != nil && !l.isDead.Load() {
			t.Fatalf("%s: %v", sc.name, err)
		}
		if died = l.isDead.Load(); died {
			<-l.frozen
			living.Store(nil)
		}
	}
	l.mu.Lock()
	seen = maps.Clone(l.seen)
	l.mu.Unlock()
	var second *studio
	if !died {
		second = <-opened
		opened <- second
	} else {
		if l.err != nil {
			t.Fatalf("copy what is left: %v", l.err)
		}
		l.arrived()
		// What the second one asks is not watched.
		direct := tripper(func(r *http.Request) (*http.Response, error) {
			return upstream.InProcess(far).RoundTrip(r.WithContext(context.WithValue(r.Context(), unwatched{}, true)))
		})
		if second, err = open(ctx, left, sc, direct, nil, quiet); err != nil {
			t.Fatalf("%s, after %s: %v", sc.name, end.name, err)
		}
		living.Store(second)
		mu.Lock()
		sure := maps.Clone(acknowledged)
		mu.Unlock()
		// Whoever had no answer asks again with the same key.
		for i := range keysOfCase {
			run, err := second.start(ctx, b.cookie, key(i), b.asset)
			if err != nil {
				t.Errorf("%s, after %s: %v", sc.name, end.name, err)
			}
			if was := sure[key(i)]; was != "" && was != run.ID {
				t.Errorf("%s, after %s: run %s was acknowledged as %s and is %s", sc.name, end.name, key(i), was, run.ID)
			}
		}
		if err := second.settled(ctx); err != nil {
			t.Errorf("%s, after %s: %v", sc.name, end.name, err)
		}
		acknowledged = sure
	}
	if sc.callback {
		far.calls.Wait()
		if err := settledAgain(t, second, far); err != nil {
			t.Errorf("%s, after the %d. %s: %v", sc.name, end.n, end.name, err)
		}
	}
	problems, unconfirmed := audit(ctx, second, b.cookie, sc, far.book(), acknowledged, keysOfCase)
	for _, p := range problems {
		t.Errorf("%s, after the %d. %s: %s", sc.name, end.n, end.name, p)
	}
	close(l.released)
	if died {
		// It is dead: what it says on the way out does not matter.
		_ = (<-opened).close()
	}
	if err := second.close(); err != nil {
		t.Errorf("%s, after %s: %v", sc.name, end.name, err)
	}
	place.done()
	if err := errors.Join(os.RemoveAll(place.folder), os.RemoveAll(left)); err != nil {
		t.Log(err) // the dead may still be letting go
	}
	return seen, died, unconfirmed
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

// leastCases is how many deaths there are at least: fewer mean that moments are not heard of any more.
const leastCases = 400

// K1: a studio dies before and after every change of its database, every step of storing a file and every request to the
// image service, the first four times it comes by there, over both surfaces, with and without callbacks, with runs that can
// be listed and with runs that cannot. Nothing acknowledged is lost, nothing is made twice, and what the studio knows is
// what the service has in its book.
func TestK1D1AStudioThatDiesAtAnyMomentLosesAndDoublesNothing(t *testing.T) {
	t.Parallel()
	const often = 4
	type job struct {
		sc  scenario
		end moment
	}
	var jobs []job
	for _, sc := range scenarios {
		seen, _, _ := play(t, sc, moment{}, ordinary)
		for _, name := range slices.Sorted(maps.Keys(seen)) {
			for n := range min(seen[name], often) {
				jobs = append(jobs, job{sc, moment{name, n + 1}})
			}
		}
	}
	var cases, missed, unconfirmed atomic.Int64
	queue := make(chan job)
	var workers sync.WaitGroup
	for range 4 * runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for j := range queue {
				_, died, open := play(t, j.sc, j.end, ordinary)
				unconfirmed.Add(int64(open))
				if died {
					if n := cases.Add(1); n%100 == 0 {
						t.Logf("%d deaths of at most %d", n, len(jobs))
					}
				} else {
					missed.Add(1)
				}
			}
		})
	}
	for _, j := range jobs {
		queue <- j
	}
	close(queue)
	workers.Wait()
	t.Logf("%d deaths, %d moments that did not come by again, %d runs said to be unconfirmed", cases.Load(), missed.Load(), unconfirmed.Load())
	if cases.Load() < leastCases {
		t.Errorf("%d deaths were tried, want at least %d", cases.Load(), leastCases)
	}
}
