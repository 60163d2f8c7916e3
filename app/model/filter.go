package model

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"atelier/app/words"
	"atelier/atelier"
)

// The views of the gallery.
const (
	ViewResults    = ""           // every result by itself
	ViewRuns       = "runs"       // one tile for each run
	ViewDuplicates = "duplicates" // results with the same bytes
	ViewTrash      = "trash"
)

// The sizes of the gallery's tiles.
const (
	TileSmall  = "small"
	TileMedium = "" // as it is without a choice
	TileLarge  = "large"
)

// Filter is what the gallery shows, and how. It is also its address, so that a view can be kept and passed on.
type Filter struct {
	View    string
	Agent   string
	Status  atelier.Status
	Query   string
	Starred bool
	Rating  int    // at least
	Pick    string // atelier.PickYes, PickNo, PickNone
	Board   atelier.BoardID
	User    atelier.UserID // what somebody else shows
	Changed bool           // only what has another product now
	Apart   bool           // only what cannot be compared with its source
	From    string         // day, 2006-01-02, the first that is shown
	To      string         // day, the last that is shown
	Sort    atelier.Sort
	At      string // month, 2006-01, the list begins with
	Tile    string
	Whole   bool // whole pictures instead of squares
}

// day and month are how dates stand in an address.
const (
	day   = "2006-01-02"
	month = "2006-01"
)

// ReadFilter reads a filter from the query of an address; what it does not know is ignored.
func ReadFilter(q url.Values) Filter {
	one := func(name string, known ...string) string {
		for _, k := range known {
			if q.Get(name) == k {
				return k
			}
		}
		return ""
	}
	date := func(name, layout string) string {
		if _, err := time.Parse(layout, q.Get(name)); err != nil {
			return ""
		}
		return q.Get(name)
	}
	f := Filter{
		View: one("view", ViewRuns, ViewDuplicates, ViewTrash), Agent: q.Get("agent"), Query: q.Get("q"), Starred: q.Get("starred") == "1",
		Status: atelier.Status(one("status", string(atelier.Success), string(atelier.Failed), string(atelier.Running), string(atelier.Segmenting), string(atelier.Pending), string(atelier.StateUnconfirmed))),
		Pick:   one("pick", atelier.PickYes, atelier.PickNo, atelier.PickNone), Board: atelier.BoardID(q.Get("board")), Changed: q.Get("changed") == "1", Apart: q.Get("apart") == "1",
		From: date("from", day), To: date("to", day), At: date("at", month),
		Sort: atelier.Sort(one("sort", string(atelier.SortOldest), string(atelier.SortRating), string(atelier.SortFidelity))),
		Tile: one("size", TileSmall, TileLarge), Whole: q.Get("whole") == "1",
	}
	if n, err := strconv.Atoi(q.Get("rating")); err == nil && n >= 1 && n <= 5 {
		f.Rating = n
	}
	if f.User = atelier.UserID(q.Get("user")); f.User != "" {
		return f.Shown(f.User)
	}
	return f.In(f.View)
}

// In is the filter in another view: what both views know stays.
func (f Filter) In(view string) Filter {
	switch f.View = view; view {
	case ViewTrash:
		return Filter{View: view, Query: f.Query, Tile: f.Tile, Whole: f.Whole}
	case ViewDuplicates:
		return Filter{View: view, Tile: f.Tile, Whole: f.Whole}
	}
	if !f.Sorts(f.Sort) {
		f.Sort = ""
	}
	if f.Status == atelier.Status(atelier.StateUnconfirmed) && f.View == ViewResults {
		f.Status = "" // such runs have none
	}
	return f
}

// Sorts says whether the list can be in an order: a run has no stars or score of its own, and others' stars are not ours to see.
func (f Filter) Sorts(by atelier.Sort) bool {
	switch by {
	case atelier.SortRating:
		return f.View == ViewResults && f.User == ""
	case atelier.SortFidelity:
		return f.View == ViewResults
	}
	return true
}

// Searches says whether the list can be searched.
func (f Filter) Searches() bool { return f.View != ViewDuplicates && f.User == "" }

// Shown is the filter of what somebody shows, "" for one's own again. Others' results are not chosen by what their owners think of
// them, nor by words.
func (f Filter) Shown(user atelier.UserID) Filter {
	out := Filter{User: user, Agent: f.Agent, Status: f.Status, Changed: f.Changed, Apart: f.Apart, From: f.From, To: f.To, Sort: f.Sort, At: f.At, Tile: f.Tile, Whole: f.Whole}
	if f.User == user {
		out.Board = f.Board
	}
	if !out.Sorts(f.Sort) {
		out.Sort = ""
	}
	return out
}

// GalleryAsLeft is the address of the gallery as somebody left it, which the page replaces by that of what is then shown: the bare one is
// all there is, whoever comes to it and however.
const GalleryAsLeft = "/gallery?as=left"

// Left is what is shown of a gallery that was left and is come back to: a place of its own is not.
func (f Filter) Left() Filter {
	if f.View == ViewTrash || f.Board != "" || f.User != "" {
		return Filter{}
	}
	return f
}

// Address is the gallery's address with this filter.
func (f Filter) Address() string {
	q := url.Values{}
	for name, value := range map[string]string{
		"view": f.View, "agent": f.Agent, "status": string(f.Status), "q": strings.TrimSpace(f.Query), "pick": f.Pick, "board": string(f.Board), "user": string(f.User),
		"from": f.From, "to": f.To, "at": f.At, "sort": string(f.Sort), "size": f.Tile,
	} {
		if value != "" {
			q.Set(name, value)
		}
	}
	for name, set := range map[string]bool{"starred": f.Starred, "changed": f.Changed, "apart": f.Apart, "whole": f.Whole} {
		if set {
			q.Set(name, "1")
		}
	}
	if f.Rating > 0 {
		q.Set("rating", words.Number(f.Rating))
	}
	if len(q) == 0 {
		return "/gallery"
	}
	return "/gallery?" + q.Encode()
}

// Question is the filter without how its answer is shown: two filters with the same question have the same list.
func (f Filter) Question() Filter {
	f.Tile, f.Whole, f.Query = "", false, strings.TrimSpace(f.Query)
	return f
}

// Refines says whether a filter only goes on with another: the same list in another look, or more of a word that is being typed.
func (f Filter) Refines(before Filter) bool {
	if f.Question().Query != "" && before.Question().Query != "" {
		f.Query = before.Query
	}
	return f.Question() == before.Question()
}

// Empty says whether everything is shown, of whoever it is.
func (f Filter) Empty() bool {
	f.View, f.User, f.Sort, f.At = "", "", "", ""
	return f.Question() == Filter{}
}

// Cleared shows everything, in the same way.
func (f Filter) Cleared() Filter {
	return Filter{View: f.View, User: f.User, Sort: f.Sort, Tile: f.Tile, Whole: f.Whole}
}

// Ask is the question to the server about the whole list. Days are those of the zone.
func (f Filter) Ask(zone *time.Location) atelier.RunFilter {
	ask := atelier.RunFilter{
		Agent: f.Agent, Status: f.Status, Query: strings.TrimSpace(f.Query), Starred: f.Starred, Rating: f.Rating, Pick: f.Pick, Board: f.Board, User: f.User,
		Changed: f.Changed, Apart: f.Apart, Trashed: f.View == ViewTrash, Sort: f.Sort,
	}
	ask.From, ask.To = Days{From: f.From, To: f.To}.Bounds(zone)
	return ask
}

// ByDate says whether the list is in the order of time, so that a month can be jumped to.
func (f Filter) ByDate() bool {
	return f.Sort == "" && (f.View == ViewResults || f.View == ViewRuns)
}

// after is the end of the month the list begins with; zero when it begins at its beginning.
func (f Filter) after(zone *time.Location) time.Time {
	t, err := time.ParseInLocation(month, f.At, zone)
	if err != nil || !f.ByDate() {
		return time.Time{}
	}
	return t.AddDate(0, 1, 0)
}

// Down is the question for the part of the list from where it was opened; Up, for the part above, in the opposite order.
// There is none where up is false.
func (f Filter) Down(zone *time.Location) atelier.RunFilter {
	ask := f.Ask(zone)
	if end := f.after(zone); !end.IsZero() && (ask.To.IsZero() || end.Before(ask.To)) {
		ask.To = end
	}
	return ask
}

// Up is described at Down.
func (f Filter) Up(zone *time.Location) (ask atelier.RunFilter, up bool) {
	ask = f.Ask(zone)
	end := f.after(zone)
	if end.IsZero() || !ask.To.IsZero() && !end.Before(ask.To) {
		return ask, false
	}
	if ask.From.Before(end) {
		ask.From = end
	}
	ask.Sort = atelier.SortOldest
	return ask, true
}

// Month is the address's word for the month of a moment in a zone.
func Month(t time.Time, zone *time.Location) string { return t.In(zone).Format(month) }

// Decides says whether Admits can tell what belongs to the list: of a text, a board, or what somebody shows, only the server can.
func (f Filter) Decides() bool {
	return strings.TrimSpace(f.Query) == "" && f.Board == "" && f.User == ""
}

// Admits says whether a result of a run, or the place of one to come, belongs to the list, of a filter that Decides.
func (f Filter) Admits(r atelier.Run, result atelier.Result, zone *time.Location) bool {
	return f.covers(r, zone) && f.Likes(result)
}

// AdmitsRun says whether a run belongs to a list of runs, of a filter that Decides: as at the server, one result with the marks is enough.
func (f Filter) AdmitsRun(r atelier.Run, zone *time.Location) bool {
	plain := !f.Starred && f.Rating == 0 && f.Pick == "" && !f.Changed && !f.Apart
	return f.covers(r, zone) && f.StandsFor(r) && (plain || slices.ContainsFunc(r.Results, f.marked))
}

// covers says whether a run is one of those that the filter is about, whatever became of it.
func (f Filter) covers(r atelier.Run, zone *time.Location) bool {
	ask := f.Ask(zone)
	return f.Decides() && (f.Agent == "" || r.Agent == f.Agent) && r.Trashed == ask.Trashed &&
		!r.CreatedAt.Before(ask.From) && (ask.To.IsZero() || r.CreatedAt.Before(ask.To))
}

// StandsFor says whether a run has the status that is asked for. Failed is also what the image service never had.
func (f Filter) StandsFor(r atelier.Run) bool {
	return f.Status == "" || r.Status == f.Status || strings.EqualFold(string(r.State), string(f.Status))
}

// Likes says whether a result has the status and the marks that are asked for.
func (f Filter) Likes(r atelier.Result) bool {
	return (f.Status == "" || r.Status == f.Status) && f.marked(r)
}

func (f Filter) marked(r atelier.Result) bool {
	return (!f.Starred || r.Starred) && r.Rating >= f.Rating && (f.Pick == "" || r.Pick == f.Pick || f.Pick == atelier.PickNone && r.Pick == "") &&
		(!f.Changed || r.Fidelity != nil && r.Fidelity.Changed) && (!f.Apart || r.Fidelity != nil && !r.Fidelity.Comparable)
}

// Around is the question for what of the list was made between two moments, both included, and the seconds they are in.
func (f Filter) Around(first, last time.Time, zone *time.Location) atelier.RunFilter {
	ask := f.Ask(zone)
	if from := first.Truncate(time.Second); ask.From.Before(from) {
		ask.From = from
	}
	if to := last.Truncate(time.Second).Add(time.Second); ask.To.IsZero() || ask.To.After(to) {
		ask.To = to
	}
	ask.Sort = ""
	return ask
}
