package crashes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
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

// shop is a ledger that also makes layered files and locations.
type shop struct {
	*ledger
	exports   map[string]int // how often each was asked about, by execution, since it was begun
	locations []string       // their names, in the order of their ids, which begin at 1
}

func newShop() *shop { return &shop{ledger: newLedger(), exports: map[string]int{}} }

// ServeHTTP answers for what a ledger does not know, and has the ledger answer for the rest.
func (s *shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case upstream.PathPSDCreate, upstream.PathPSDQuery, upstream.PathAgentInfo, upstream.PathLocationCreate, upstream.PathLocationQuery, "/files/layers.psd":
	default:
		s.ledger.ServeHTTP(w, r)
		return
	}
	name := r.Method + " " + r.URL.Path
	var body struct{ ExecutionID, Name string }
	if r.Method == http.MethodPost {
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			return // whoever asked is gone before it had asked
		}
	}
	s.moment(r.Context(), "before: "+name)
	answer := s.do(r.URL.Path, body.ExecutionID, body.Name)
	s.moment(r.Context(), "after: "+name)
	if data, ok := answer.([]byte); ok {
		_, _ = w.Write(data) // whoever asked may be gone
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(said(answer)) // whoever asked may be gone
}

func (s *shop) do(path, execution, name string) any {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch path {
	case upstream.PathPSDCreate:
		s.exports[execution] = max(s.exports[execution], 1)
		return true
	case upstream.PathPSDQuery:
		status := "NotStart"
		switch n := s.exports[execution]; {
		case n > 1:
			return object{"executionId": execution, "status": "Success", "result": object{"fileUrl": "https://" + host + "/files/layers.psd"}}
		case n == 1:
			s.exports[execution]++
			status = "Running"
		}
		return object{"executionId": execution, "status": status}
	case upstream.PathLocationCreate:
		s.locations = append(s.locations, name)
		return object{"locationId": len(s.locations)}
	case upstream.PathLocationQuery:
		return object{"status": upstream.PresetComplete, "cover": "https://" + host + "/files/cover.png"}
	case upstream.PathAgentInfo:
		list := []object{}
		for i, name := range s.locations {
			list = append(list, object{"id": i + 1, "name": name, "image": "https://" + host + "/files/cover.png", "type": "Yours", "status": upstream.PresetComplete})
		}
		return object{"agentVersion": "v1.0", "locations": list, "pagination": object{"locations": object{"total": len(list), "isLastPage": true}}}
	}
	return []byte("8BPS and its layers")
}

// wishes are what is asked for while a studio dies: the layered file of a run that is done, and a location.
type wishes struct {
	beginning
	run atelier.RunID
}

// wishing makes the folder these cases start with.
func wishing(t *testing.T) wishes {
	t.Helper()
	b, err := begin()
	if err != nil {
		t.Fatal(err)
	}
	w := wishes{beginning: b}
	w.folder = t.TempDir()
	copyFolder(t, b.folder, w.folder)
	ctx := context.WithoutCancel(t.Context())
	s, err := open(ctx, w.folder, scenarios[0], upstream.InProcess(newShop()), nil, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	run, err := s.start(ctx, b.cookie, key(0), b.asset)
	if err = errors.Join(err, s.settled(ctx), s.close()); err != nil {
		t.Fatal(err)
	}
	w.run = run.ID
	return w
}

const beach = "Beach"

func (w wishes) askPSD(ctx context.Context, s *studio) error {
	return s.ask(ctx, w.cookie, http.MethodPost, "/api/runs/"+string(w.run)+"/psd", nil, nil)
}

func (w wishes) askLocation(ctx context.Context, s *studio) error {
	return s.ask(ctx, w.cookie, http.MethodPost, "/api/locations", atelier.CreatePreset{Name: beach, Assets: []atelier.AssetID{w.asset}}, nil)
}

func (w wishes) locations(ctx context.Context, s *studio) (list atelier.PresetList, err error) {
	return list, s.ask(ctx, w.cookie, http.MethodGet, "/api/locations", nil, &list)
}

// fulfilled waits until the layered file is here, nothing is open any more, and the location is ready if there is one.
func (w wishes) fulfilled(ctx context.Context, s *studio) error {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Minute)
	defer cancel()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		run, err := s.db.LoadRun(ctx, w.run)
		list, lerr := w.locations(ctx, s)
		intents, ierr := s.db.ListPresetIntents(ctx, "remote")
		if err = errors.Join(err, lerr, ierr); err != nil {
			return err
		}
		ready := !slices.ContainsFunc(list.Presets, func(p atelier.Preset) bool { return p.Status != upstream.PresetComplete })
		if run.PSD != nil && run.PSD.Status == "Success" && len(intents) == 0 && ready {
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("the layered file is %+v, locations are %+v, %d are looked for", run.PSD, list, len(intents))
		}
	}
}

// die lets a studio die at a moment while it does what it was asked for, and another one take over.
func (w wishes) die(t *testing.T, end moment) (seen map[string]int, died bool) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	defer cancel()
	quiet := slog.New(slog.DiscardHandler)
	place, left, far := ordinary(t, w.folder), t.TempDir(), newShop()
	l := newLife(end, func() error { return place.leave(left) })
	far.moment = watched
	opened := make(chan *studio, 1)
	var exported, located atomic.Bool // it has said so
	done := make(chan error, 1)
	go func() {
		first, err := open(ctx, place.folder, scenarios[0], l.wire(upstream.InProcess(far)), func(name string) { l.at(name, func() {}) }, quiet)
		opened <- first
		if err != nil {
			done <- err
			return
		}
		if err = w.askPSD(ctx, first); err == nil && !l.isDead.Load() {
			exported.Store(true)
		}
		if lerr := w.askLocation(ctx, first); lerr == nil && !l.isDead.Load() {
			located.Store(true)
		} else {
			err = errors.Join(err, lerr)
		}
		done <- errors.Join(err, w.fulfilled(ctx, first))
	}()
	var err error
	select {
	case <-l.dead:
		<-l.frozen
		died = true
	case err = <-done:
		if died = !l.spared(); died {
			<-l.frozen
		} else if err != nil {
			t.Errorf("nobody dies, and %v", err)
		}
	}
	seen = l.came()
	var last *studio
	if !died {
		last = <-opened
	} else {
		if l.err != nil {
			t.Fatalf("copy what is left: %v", l.err)
		}
		l.arrived()
		if last, err = open(ctx, left, scenarios[0], upstream.InProcess(far), nil, quiet); err != nil {
			t.Fatalf("after %s: %v", end.name, err)
		}
		if !exported.Load() { // whoever had no answer asks again
			err = w.askPSD(ctx, last)
		}
		if err = errors.Join(err, w.fulfilled(ctx, last)); err != nil {
			t.Errorf("after %s: %v", end.name, err)
		}
	}
	list, err := w.locations(ctx, last)
	if err == nil && !located.Load() && len(list.Presets) == 0 { // and makes what is not there
		err = errors.Join(w.askLocation(ctx, last), w.fulfilled(ctx, last))
	}
	if err == nil {
		list, err = w.locations(ctx, last)
	}
	if made := fmt.Sprint(far.locations); err != nil || made != "["+beach+"]" || len(list.Presets) != 1 || list.Presets[0].ID != 1 || list.Count != 1 {
		t.Errorf("after %s: the service made %s, the studio has %+v, %v", end.name, made, list, err)
	}
	for _, problem := range last.whole(ctx) {
		t.Errorf("after %s: %s", end.name, problem)
	}
	close(l.released)
	if died {
		_ = (<-opened).close() // it is dead: what it says on the way out does not matter
	}
	if err := last.close(); err != nil {
		t.Errorf("after %s: %v", end.name, err)
	}
	if err := errors.Join(os.RemoveAll(place.folder), os.RemoveAll(left)); err != nil {
		t.Log(err) // the dead may still be letting go
	}
	return seen, died
}

// K1 for what is not a run: a studio dies before and after every change of its database, every step of storing a file and every request to
// the image service while a layered file and a location are made. The file comes, and the location is made once and is its owner's.
func TestALayeredFileAndALocationComeWhateverMomentAStudioDiesAt(t *testing.T) {
	t.Parallel()
	w := wishing(t)
	seen, _ := w.die(t, moment{})
	for name := range seen { // whatever is asked for, a studio comes by these at its start
		for _, start := range []string{"create user", "delete stale sessions", "enqueue", "doubt what was interrupted", "/task/list"} {
			if strings.HasSuffix(name, start) {
				delete(seen, name)
			}
		}
	}
	var cases atomic.Int64
	queue := make(chan string)
	var workers sync.WaitGroup
	for range 4 * runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for name := range queue {
				if _, died := w.die(t, moment{name, 1}); died {
					cases.Add(1)
				}
			}
		})
	}
	for _, name := range slices.Sorted(maps.Keys(seen)) {
		queue <- name
	}
	close(queue)
	workers.Wait()
	t.Logf("%d deaths at %s", cases.Load(), strings.Join(slices.Sorted(maps.Keys(seen)), ", "))
	if cases.Load() < 25 {
		t.Errorf("%d deaths were tried, want at least 25", cases.Load())
	}
}
