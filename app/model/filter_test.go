package model

import (
	"net/url"
	"testing"
	"time"

	"atelier/atelier"
)

func TestFilterIsItsAddress(t *testing.T) {
	for _, f := range []Filter{
		{},
		{Agent: "aimodel"},
		{Status: atelier.Failed, Query: "a & b"},
		{Starred: true, Query: "dress"},
		{View: ViewRuns, Rating: 1, Pick: atelier.PickNone, Board: "b1", From: "2026-01-02", To: "2026-02-28", Tile: TileLarge, Whole: true},
		{Rating: 5, Changed: true, Apart: true, Sort: atelier.SortFidelity, At: "2025-12"},
		{View: ViewTrash, Query: "dress", Tile: TileSmall},
	} {
		u, err := url.Parse(f.Address())
		if err != nil {
			t.Fatal(err)
		}
		if got := ReadFilter(u.Query()); got != f {
			t.Errorf("%q reads back as %+v, want %+v", f.Address(), got, f)
		}
	}
	others := Filter{View: ViewTrash, Agent: "aimodel", Status: atelier.Failed, Query: "dress", Board: "mine", Starred: true, Rating: 2, Pick: atelier.PickYes, From: "2026-01-02", Sort: atelier.SortRating}.Shown("u1")
	others.Board = "b1"
	u, err := url.Parse(others.Address())
	if err != nil || ReadFilter(u.Query()) != others || others != (Filter{User: "u1", Board: "b1", Agent: "aimodel", Status: atelier.Failed, From: "2026-01-02"}) {
		t.Errorf("what somebody shows is %+v, %q, %v", others, others.Address(), err)
	}
	if got := ReadFilter(url.Values{"user": {"u1"}, "q": {"dress"}, "pick": {"pick"}, "view": {"runs"}}); got != (Filter{User: "u1"}) {
		t.Errorf("what somebody shows is chosen by what is not shown: %+v", got)
	}
	if got := others.Shown(""); got != (Filter{Agent: "aimodel", Status: atelier.Failed, From: "2026-01-02"}) {
		t.Errorf("back to one's own: %+v", got)
	}
	odd := ReadFilter(url.Values{
		"status": {"<script>"}, "rating": {"6"}, "from": {"yesterday"}, "at": {"2026-13"}, "sort": {"random"}, "view": {"x"}, "pick": {"maybe"}, "size": {"9"},
	})
	if odd != (Filter{}) {
		t.Errorf("what no filter knows is taken: %+v", odd)
	}
	if got := ReadFilter(url.Values{"rating": {"0"}}); got.Rating != 0 {
		t.Errorf("rating 0 reads as %d", got.Rating)
	}
}

// Another view keeps what it knows too, and no address asks for what its view has not.
func TestAnotherViewKeepsWhatItKnows(t *testing.T) {
	all := Filter{
		Agent: "aimodel", Status: atelier.Failed, Query: "dress", Starred: true, Rating: 3, Pick: atelier.PickYes, Board: "b", Changed: true, From: "2026-01-02", To: "2026-02-28",
		Sort: atelier.SortFidelity, Tile: TileLarge, Whole: true,
	}
	runs := all
	runs.View, runs.Sort = ViewRuns, ""
	oldest := all
	oldest.View, oldest.Sort = ViewRuns, atelier.SortOldest
	for name, tt := range map[string]struct {
		from Filter
		to   string
		want Filter
	}{
		"results to runs":    {all, ViewRuns, runs},
		"an order both have": {oldest, ViewRuns, oldest},
		"to the trash":       {all, ViewTrash, Filter{View: ViewTrash, Query: "dress", Tile: TileLarge, Whole: true}},
		"to the duplicates":  {all, ViewDuplicates, Filter{View: ViewDuplicates, Tile: TileLarge, Whole: true}},
	} {
		if got := tt.from.In(tt.to); got != tt.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
	for address, want := range map[string]Filter{
		"view=runs&sort=rating":                {View: ViewRuns},
		"view=runs&sort=fidelity&agent=aipose": {View: ViewRuns, Agent: "aipose"},
		"view=trash&sort=rating":               {View: ViewTrash},
		"status=unconfirmed":                   {},
		"view=runs&status=unconfirmed":         {View: ViewRuns, Status: atelier.Status(atelier.StateUnconfirmed)},
		"view=duplicates&q=dress":              {View: ViewDuplicates},
	} {
		if q, err := url.ParseQuery(address); err != nil || ReadFilter(q) != want {
			t.Errorf("%s reads as %+v", address, ReadFilter(q))
		}
	}
}

func TestDaysAreThoseOfTheDesigner(t *testing.T) {
	zone := time.FixedZone("", 2*3600)
	ask := Filter{From: "2026-02-01", To: "2026-02-01"}.Ask(zone)
	if want := time.Date(2026, 1, 31, 22, 0, 0, 0, time.UTC); !ask.From.Equal(want) || !ask.To.Equal(want.AddDate(0, 0, 1)) {
		t.Errorf("one day reaches from %v to %v", ask.From, ask.To)
	}
	if turned := (Filter{From: "2026-02-03", To: "2026-02-01"}).Ask(zone); turned != (Filter{From: "2026-02-01", To: "2026-02-03"}).Ask(zone) {
		t.Errorf("the wrong way round they reach from %v to %v", turned.From, turned.To)
	}
}

func TestAMonthIsTheMiddleOfTheList(t *testing.T) {
	f := Filter{At: "2026-02", To: "2026-06-30"}
	march := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	if down := f.Down(time.UTC); !down.To.Equal(march) {
		t.Errorf("downwards it is asked for what is before %v", down.To)
	}
	east := time.FixedZone("", 8*3600)
	if down := f.Down(east); !down.To.Equal(march.Add(-8*time.Hour)) || Month(march.Add(-time.Hour), east) != "2026-03" || Month(march.Add(-time.Hour), time.UTC) != "2026-02" {
		t.Errorf("in the east it is asked for what is before %v", down.To)
	}
	up, ok := f.Up(time.UTC)
	if !ok || !up.From.Equal(march) || up.Sort != atelier.SortOldest || up.To.Month() != time.July {
		t.Errorf("upwards it is asked for %+v, %v", up, ok)
	}
	for name, none := range map[string]Filter{
		"no month": {}, "the range ends before": {At: "2026-02", To: "2026-02-10"}, "another order": {At: "2026-02", Sort: atelier.SortRating},
	} {
		if _, ok := none.Up(time.UTC); ok {
			t.Errorf("%s: there is something above", name)
		}
	}
}

func TestFilterAdmitsNewResultsOfItsView(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	result := atelier.Result{Status: atelier.Success, Starred: true, Rating: 3, Pick: atelier.PickYes, Fidelity: &atelier.Fidelity{Comparable: true, Changed: true}}
	plain := atelier.Result{Status: atelier.Success, Rating: 5}
	run := atelier.Run{Agent: "aimodel", Status: atelier.Running, State: atelier.StateAccepted, CreatedAt: at, Results: []atelier.Result{plain, result}}
	for _, tt := range []struct {
		filter          Filter
		want, wantOfRun bool
	}{
		{Filter{}, true, true},
		{Filter{Agent: "aimodel"}, true, true},
		{Filter{Agent: "aipose"}, false, false},
		{Filter{Status: atelier.Failed}, false, false},
		{Filter{Status: atelier.Running}, false, true}, // of a result its own status counts
		{Filter{Status: atelier.Success}, true, false},
		{Filter{Query: "x"}, false, false},
		{Filter{Board: "b"}, false, false},
		{Filter{Starred: true}, true, true},
		{Filter{Rating: 3}, true, true},
		{Filter{Rating: 4}, false, true},                 // the other has five
		{Filter{Rating: 4, Starred: true}, false, false}, // and no heart
		{Filter{Pick: atelier.PickYes}, true, true},
		{Filter{Pick: atelier.PickNone}, false, true},
		{Filter{Pick: atelier.PickNo}, false, false},
		{Filter{Changed: true}, true, true},
		{Filter{Apart: true}, false, false},
		{Filter{View: ViewTrash}, false, false},
		{Filter{From: "2026-03-01", To: "2026-03-01"}, true, true},
		{Filter{From: "2026-03-02"}, false, false},
		{Filter{To: "2026-02-28"}, false, false},
	} {
		if got := tt.filter.Admits(run, result, time.UTC); got != tt.want {
			t.Errorf("%+v admits the result: %v", tt.filter, got)
		}
		if got := tt.filter.AdmitsRun(run, time.UTC); got != tt.wantOfRun {
			t.Errorf("%+v admits the run: %v", tt.filter, got)
		}
	}
	if !(Filter{Status: atelier.Failed}).AdmitsRun(atelier.Run{State: atelier.StateFailed}, time.UTC) {
		t.Error("a run that the image service refused is not among those that failed")
	}
}

func TestTheServerIsAskedAboutTheSecondsOfWhatArrived(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 7e8, time.UTC)
	ask := Filter{Query: "dress", Sort: atelier.SortRating, From: "2026-03-01"}.Around(at, at.Add(2*time.Second), time.UTC)
	if ask.Query != "dress" || ask.Sort != "" || !ask.From.Equal(at.Truncate(time.Second)) || !ask.To.Equal(at.Truncate(time.Second).Add(3*time.Second)) {
		t.Errorf("asked is %+v", ask)
	}
	if ask := (Filter{From: "2026-03-02"}).Around(at, at, time.UTC); ask.From.Before(ask.To) {
		t.Errorf("what is outside of the days is asked for: %+v", ask)
	}
}
