package model

import (
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"atelier/atelier"
)

var first = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// shotOf is result n of a run that was started so many minutes after the first.
func shotOf(minute, n int) Shot {
	run := atelier.RunID(fmt.Sprintf("r%02d", minute))
	return Listed(atelier.ListedResult{
		Result: atelier.Result{ID: atelier.ResultID(fmt.Sprintf("%s.%d", run, n)), RunID: run, Index: n, Stored: true},
		Run:    atelier.RunRef{ID: run, Agent: "aimodel", CreatedAt: first.Add(time.Duration(minute) * time.Minute)},
	})
}

func keys(l *Listing) string {
	out := make([]string, l.Len())
	for i := range out {
		out[i] = l.Key(i)
	}
	return strings.Join(out, " ")
}

func TestAListGrowsAtBothEnds(t *testing.T) {
	var l Listing
	l.Append(shotOf(5, 0), shotOf(5, 1), shotOf(4, 0))
	l.Append(shotOf(4, 0), shotOf(3, 0)) // pages may overlap
	if got := keys(&l); got != "r05.0 r05.1 r04.0 r03.0" {
		t.Fatalf("pages: %s", got)
	}
	// The part above comes oldest first.
	if n := l.Insert(true, shotOf(6, 0), shotOf(6, 1), shotOf(7, 0)); n != 3 || l.Lead != 3 {
		t.Errorf("%d are new, %d stand above", n, l.Lead)
	}
	if got := keys(&l); got != "r07.0 r06.0 r06.1 r05.0 r05.1 r04.0 r03.0" {
		t.Errorf("above: %s", got)
	}
	if n := l.Insert(false, shotOf(4, 1), shotOf(2, 0)); n != 2 || l.Lead != 3 {
		t.Errorf("%d are new, %d stand above", n, l.Lead)
	}
	if got := keys(&l); got != "r07.0 r06.0 r06.1 r05.0 r05.1 r04.0 r04.1 r03.0 r02.0" {
		t.Errorf("within: %s", got)
	}
	l.Remove(l.Of(map[atelier.RunID]bool{"r06": true})...)
	if l.Lead != 1 || l.Find("r06.0") >= 0 || l.Find("r02.0") != l.Len()-1 {
		t.Errorf("after taking a run off: %s, %d above", keys(&l), l.Lead)
	}
}

// Whatever comes in at whichever place, the list is in order and everything in it is found.
func TestAListStaysInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var l Listing
		want := map[string]bool{}
		for range rapid.IntRange(1, 120).Draw(t, "changes") {
			s := shotOf(rapid.IntRange(0, 60).Draw(t, "minute"), rapid.IntRange(0, 2).Draw(t, "result"))
			switch rapid.IntRange(0, 9).Draw(t, "change") {
			case 0:
				gone := l.Of(map[atelier.RunID]bool{s.Run.ID: true})
				if n := l.Remove(append(gone, "no such key")...); n != len(gone) {
					t.Fatalf("%d of %d are taken off", n, len(gone))
				}
				for key := range want {
					if strings.HasPrefix(key, string(s.Run.ID)) {
						delete(want, key)
					}
				}
			case 1:
				var gone []string
				for _, i := range rapid.SliceOfNDistinct(rapid.IntRange(0, max(l.Len()-1, 0)), 0, min(l.Len(), 6), rapid.ID[int]).Draw(t, "places") {
					gone = append(gone, l.Key(i))
					delete(want, l.Key(i))
				}
				if n := l.Remove(gone...); n != len(gone) {
					t.Fatalf("%d of %v are taken off", n, gone)
				}
			case 2:
				if n := l.Len(); n == 0 || newerItem(l.item(n-1), &item{run: &s.Run, result: s.Result}) {
					l.Append(s) // the next page
					want[s.Key()] = true
				}
			default:
				if added := l.Insert(rapid.Bool().Draw(t, "above"), s); (added == 1) == want[s.Key()] {
					t.Fatalf("%s: %d are new", s.Key(), added)
				}
				want[s.Key()] = true
			}
		}
		if l.Len() != len(want) {
			t.Fatalf("%d shots, want %d", l.Len(), len(want))
		}
		for i := range l.Len() {
			if key := l.Key(i); !want[key] || l.Find(key) != i || i > 0 && !newerItem(l.item(i-1), l.item(i)) {
				t.Fatalf("%s at %d is found at %d: %s", key, i, l.Find(key), keys(&l))
			}
		}
	})
}

// longList is a list of so many results, newest first.
func longList(n int) *Listing {
	var l Listing
	for i := n; i > 0; i-- {
		l.Append(shotOf(i, 0))
	}
	return &l
}

// newest makes results that arrive one after the other above a list.
func newest(l *Listing) func() Shot {
	minute := l.Len()
	return func() Shot {
		minute++
		return shotOf(minute, 0)
	}
}

// What one result costs that arrives, or goes, does not grow with the list: what is there already is neither copied nor named anew.
func TestWhatComesAndGoesCostsAsMuchInALongList(t *testing.T) {
	const times = 60
	cost := func(l *Listing, do func()) uint64 {
		do() // makes room, once for many
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range times {
			do()
		}
		runtime.ReadMemStats(&after)
		return (after.TotalAlloc - before.TotalAlloc) / times
	}
	for _, n := range []int{500, 100_000} {
		l := longList(n)
		next := newest(l)
		arrive := cost(l, func() { l.Insert(false, next()) })
		places := []int{0, n / 3, n / 2, n - 100}
		i := 0
		leave := cost(l, func() {
			at := places[i%len(places)]
			i++
			if key := l.Key(at); l.Remove(key) != 1 || l.Find(key) >= 0 {
				t.Fatalf("%s is still there", key)
			}
		})
		t.Logf("in a list of %d, a result that arrives takes %d bytes, one that goes %d", n, arrive, leave)
		if arrive > 4<<10 || leave > 256 {
			t.Errorf("in a list of %d, a result that arrives takes %d bytes, one that goes %d", n, arrive, leave)
		}
		if l.Len() != n {
			t.Errorf("%d are left of %d", l.Len(), n)
		}
	}
}

// longHistory is what the server says of so many results, four of a run, as its answers are read.
func longHistory(tb testing.TB, n int) []atelier.ListedResult {
	tb.Helper()
	type page struct{ Results []atelier.ListedResult }
	var all []atelier.ListedResult
	for run := range n / 4 {
		id := fmt.Sprintf("0193a7b2-%04x-7%03x-8000-%012x", run>>12, run&0xfff, run)
		ref := atelier.RunRef{ID: atelier.RunID(id), Agent: "aimodel", Title: fmt.Sprintf("Look %d", run), CreatedAt: first.Add(-time.Duration(run) * time.Minute)}
		var p page
		for i := range 4 {
			r := atelier.ResultID(id[:34] + fmt.Sprintf("%02x", i+1))
			score := .98
			path := "/api/results/" + string(r)
			p.Results = append(p.Results, atelier.ListedResult{Run: ref, Result: atelier.Result{
				ID: r, RunID: ref.ID, Index: i, Kind: "image", Status: atelier.Success, Progress: 1, Stored: true, Format: "jpeg", Width: 600, Height: 800, Bytes: 80_000,
				File: path + "/file", Thumb: path + "/thumb", Preview: "data:image/webp;base64," + strings.Repeat("UklG", 40), Score: &score,
				Fidelity: &atelier.Fidelity{Comparable: true, Score: score, Heat: path + "/heat"},
			}})
		}
		data, err := json.Marshal(p)
		if err != nil {
			tb.Fatal(err)
		}
		p = page{}
		if err := json.Unmarshal(data, &p); err != nil {
			tb.Fatal(err)
		}
		all = append(all, p.Results...)
	}
	return all
}

// What the list keeps of a result is what the server said of it, and takes little more than its texts.
func TestALongListKeepsLittleOfEachResult(t *testing.T) {
	const n = 2000
	var before, after runtime.MemStats
	var l Listing
	want := longHistory(t, n)
	kept := atelier.ListedResult{}
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i, r := range longHistory(t, n) {
		if l.Append(Listed(r)); i == n/2 {
			kept = want[i]
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if diff := cmp.Diff(Listed(kept), l.At(n/2)); diff != "" {
		t.Errorf("a result is kept otherwise than it was said (-said +kept):\n%s", diff)
	}
	each := (after.HeapAlloc - before.HeapAlloc) / n
	t.Logf("%d bytes for each result", each)
	if each > 350 {
		t.Errorf("%d bytes are kept for each result", each)
	}
	runtime.KeepAlive(want)
	runtime.KeepAlive(&l)
}

// A run is looked for without a text being made of every id: among 100,000 results that would take longer than some frames.
func TestARunIsLookedForInALongList(t *testing.T) {
	const n = 2000
	var l Listing
	for _, r := range longHistory(t, n) {
		l.Append(Listed(r))
	}
	last := l.At(n - 1).Run
	l.Update(atelier.Result{ID: atelier.ResultID(l.Key(n - 2)), RunID: last.ID, Stored: true, Rating: 5}) // it is not packed any more
	if run, there := l.Run(last.ID); !there || run.Title != last.Title {
		t.Errorf("the run %+v is found as %+v", last, run)
	}
	if got := l.Of(map[atelier.RunID]bool{last.ID: true, "other": true}); !slices.Equal(got, []string{l.Key(n - 4), l.Key(n - 3), l.Key(n - 2), l.Key(n - 1)}) {
		t.Errorf("its results are %v", got)
	}
	if made := testing.AllocsPerRun(10, func() {
		if _, there := l.Run("other"); there {
			t.Error("a run is found that is not in the list")
		}
	}); made > 10 {
		t.Errorf("%v values were made to find that a run is not among %d results", made, n)
	}
}

// A result arrives, is taken in and laid on the wall, and one in the middle goes, in lists of different lengths.
func BenchmarkOneResultArrives(b *testing.B) {
	var short float64 // what it takes in the shorter list, ns
	for _, n := range []int{10_000, 100_000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			l := longList(n)
			next := newest(l)
			rows := Rows{Width: 1400, Size: 180, Gap: 12, Foot: 26}
			b.ReportAllocs()
			for b.Loop() {
				l.Insert(false, next())
				rows.Lay(l.Len(), l.Shape)
				l.Remove(l.Key(l.Len() / 2))
			}
			took := float64(b.Elapsed()) / float64(b.N)
			if n == 10_000 {
				short = took
			} else if short > 0 {
				b.ReportMetric(took/short, "times-10000")
			}
		})
	}
}

// A result arrives of a run that no list has said anything of, in lists of different lengths.
func BenchmarkAnUnknownRunIsLookedFor(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			var l Listing
			for _, r := range longHistory(b, n) {
				l.Append(Listed(r))
			}
			for b.Loop() {
				if _, there := l.Run("other"); there {
					b.Fatal("it is found")
				}
			}
		})
	}
}

func TestNewsOfAResultKeepItsPlace(t *testing.T) {
	var l Listing
	l.Append(shotOf(5, 0), shotOf(4, 0))
	if !l.Update(atelier.Result{ID: "r04.0", RunID: "r04", Stored: true, Rating: 5}) || l.At(1).Result.Rating != 5 {
		t.Error("the rating is lost")
	}
	if l.Update(atelier.Result{ID: "r04.0", RunID: "r04", Status: atelier.Running}); !l.At(1).Result.Stored {
		t.Error("an old event takes a stored picture away")
	}
	whole := 1.0
	compared := &atelier.Fidelity{Comparable: true, Score: whole}
	l.Update(atelier.Result{ID: "r04.0", RunID: "r04", Stored: true, Score: &whole, Fidelity: compared})
	l.Update(atelier.Result{ID: "r04.0", RunID: "r04", Stored: true, Rating: 2})
	if r := l.At(1).Result; r.Rating != 2 || r.Fidelity == nil || r.Score == nil || *r.Score != whole {
		t.Errorf("an answer older than the comparison gives %+v", r)
	}
	if l.Update(atelier.Result{ID: "other"}) {
		t.Error("a result of another list was taken in")
	}
	// A run that waits has one tile, and gives it to its results.
	l.Insert(false, Shot{Run: atelier.Run{ID: "r09", CreatedAt: first.Add(9 * time.Minute)}})
	run := atelier.Run{ID: "r09", CreatedAt: first.Add(9 * time.Minute), State: atelier.StateAccepted, Results: []atelier.Result{{ID: "a", RunID: "r09"}}}
	if l.UpdateRun(run) || l.Find("r09") >= 0 {
		t.Errorf("the waiting tile stays: %s", keys(&l))
	}
}

func TestARunIsStoodForByItsBest(t *testing.T) {
	run := atelier.Run{ID: "r", State: atelier.StateDone, Results: []atelier.Result{
		{ID: "failed", RunID: "r"}, {ID: "plain", RunID: "r", Stored: true}, {ID: "best", RunID: "r", Index: 2, Stored: true, Rating: 5}, {ID: "picked", RunID: "r", Stored: true, Pick: atelier.PickYes},
	}}
	var l Listing
	l.Append(Covers([]atelier.Run{run})...)
	if got := l.At(0); got.Result.ID != "picked" || got.Key() != "r" {
		t.Errorf("%s stands for the run, as %s", got.Result.ID, got.Key())
	}
	l.Update(atelier.Result{ID: "best", RunID: "r", Stored: true, Rating: 4, Pick: atelier.PickYes})
	if got := l.At(0).Result.ID; got != "best" {
		t.Errorf("after it was picked too, %s stands for the run", got)
	}
}

func TestOfCopiesTheBestIsKept(t *testing.T) {
	copies := []Shot{
		{Result: atelier.Result{ID: "a", Stored: true}},
		{Result: atelier.Result{ID: "b", Stored: true, Rating: 4}},
		{Result: atelier.Result{ID: "c", Stored: true, Rating: 4}},
		{Result: atelier.Result{ID: "d", Pick: atelier.PickYes, Stored: true}},
	}
	for n, kept := range map[int]string{1: "a", 2: "b", 3: "b", 4: "d"} {
		spare := Spare(copies[:n])
		if len(spare) != n-1 || slices.ContainsFunc(spare, func(s Shot) bool { return string(s.Result.ID) == kept }) {
			t.Errorf("of %d copies these go: %+v", n, spare)
		}
	}
	if len(Spare(nil)) != 0 {
		t.Error("nothing has something to spare")
	}
}

// A result that was thrown away leaves its run's tile, and the tile goes with the last one where nothing else of it is listed.
func TestAThrownResultLeavesTheList(t *testing.T) {
	run := atelier.Run{ID: "r", Results: []atelier.Result{{ID: "a", RunID: "r"}, {ID: "b", RunID: "r"}}}
	var single, stacks Listing
	single.Append(Runs{run}.Shots()...)
	stacks.Append(Cover(run))
	if !single.Lose(run.Results[0], false) || single.Len() != 1 || single.Lose(run.Results[0], false) {
		t.Errorf("the list of results holds %s", keys(&single))
	}
	if !stacks.Lose(run.Results[0], true) || stacks.Len() != 1 || stacks.At(0).Result.ID != "b" {
		t.Errorf("the list of runs holds %s", keys(&stacks))
	}
	if !stacks.Lose(run.Results[1], true) || stacks.Len() != 0 {
		t.Errorf("the list of runs still holds %s", keys(&stacks))
	}
	whole := atelier.Run{ID: "w", Trashed: true, Results: []atelier.Result{{ID: "x", Trashed: true}}}
	part := atelier.Run{ID: "p", Results: []atelier.Result{{ID: "y", Trashed: true}}}
	runs, results := Apart([]Shot{Cover(whole), Cover(part), {Run: run, Result: run.Results[0]}, Cover(run), {Run: atelier.Run{ID: "waiting"}}})
	if len(runs) != 3 || runs[0] != "w" || runs[1] != "r" || runs[2] != "waiting" || len(results) != 2 || results[0].ID != "y" || results[1].ID != "a" {
		t.Errorf("apart they are %v and %+v", runs, results)
	}
}

func TestChoosing(t *testing.T) {
	var l Listing
	for i := range 6 {
		l.Append(shotOf(9-i, 0))
	}
	var s Selection
	s.Toggle("r08.0")
	s.Range(&l, "r06.0")
	if got := strings.Join(s.Keys(&l), " "); got != "r08.0 r07.0 r06.0" {
		t.Errorf("a range down: %s", got)
	}
	s.Range(&l, "r09.0") // the range turns around where it began
	if got := strings.Join(s.Keys(&l), " "); got != "r09.0 r08.0" {
		t.Errorf("a range up: %s", got)
	}
	former := s.Keys(&l)
	s.Set(former, "r05.0", "r04.0")
	s.Set(former, "r05.0")
	if s.Len() != 3 || !s.Has("r05.0") || s.Has("r04.0") {
		t.Errorf("dragged over: %v", s.Keys(&l))
	}
	if !s.Set(former, "r04.0") || s.Set(former, "r04.0") { // as many as before, but not the same ones
		t.Error("it is not known when the choice is another one")
	}
	s.All(&l)
	l.Remove("r04.0")
	s.Keep(&l)
	if s.Len() != 5 {
		t.Errorf("%d are chosen of 5", s.Len())
	}
	s.Toggle("r09.0")
	if s.Has("r09.0") || s.Len() != 4 {
		t.Error("a second click does not take it back")
	}
	s.Clear()
	if s.Len() != 0 || s.Shots(&l) != nil {
		t.Error("something is still chosen")
	}
}
