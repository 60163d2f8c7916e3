package model

import (
	"slices"
	"sort"

	"atelier/atelier"
)

// Listing is what the gallery has of its list, in order. Lead is how many of its shots stand above where it was opened.
//
// What arrives at one of its ends, however long it is, moves nothing but what stands between it and that end: there is room for it at
// both, and the numbers by which places are kept begin at first, not at 0.
type Listing struct {
	Shots []Shot
	Lead  int
	room  []Shot // the array that Shots is a part of
	head  int    // how much of the room is free before Shots
	at    map[string]int
	first int // the number of the first place
}

// Listed makes the shot of a result that came in a list, with what is said of its run.
func Listed(r atelier.ListedResult) Shot {
	return Shot{
		Run:    atelier.Run{ID: r.Run.ID, Title: r.Run.Title, Agent: r.Run.Agent, CreatedAt: r.Run.CreatedAt, Owner: r.Run.Owner},
		Result: r.Result,
	}
}

// Whole says whether everything about the run is known, not only what a list says.
func (s Shot) Whole() bool { return s.Run.State != "" }

// Others says whether a shot is another's, who shows it.
func (s Shot) Others() bool { return s.Run.Owner != nil }

// newerShot is the order of a list by date: the newest run first, its results in their places.
func newerShot(a, b *Shot) bool {
	if a.Run.ID != b.Run.ID {
		return newer(a.Run, b.Run)
	}
	return a.Result.Index < b.Result.Index
}

// Find gives the place of a shot, -1 when it is not in the list.
func (l *Listing) Find(key string) int {
	if i, ok := l.at[key]; ok {
		return i - l.first
	}
	return -1
}

func (l *Listing) index() {
	l.at, l.first = make(map[string]int, len(l.Shots)), 0
	for i := range l.Shots {
		l.at[l.Shots[i].Key()] = i
	}
}

// allowance is how much room is made at an end of a list of so many shots that has none left there.
func allowance(n int) int { return 64 + n/4 }

// put takes a shot in at a place, and moves what stands on the shorter side of it.
func (l *Listing) put(at int, s Shot) {
	n := len(l.Shots)
	front := at < n-at
	switch {
	case front && l.head == 0:
		l.move(allowance(n), len(l.room)-n)
	case !front && l.head+n == len(l.room):
		l.move(l.head, allowance(n))
	}
	if front {
		l.head--
		l.first--
		l.Shots = l.room[l.head : l.head+n+1]
		copy(l.Shots[:at], l.Shots[1:at+1])
		for i := range at {
			l.at[l.Shots[i].Key()]--
		}
	} else {
		l.Shots = l.room[l.head : l.head+n+1]
		copy(l.Shots[at+1:], l.Shots[at:n])
		for i := at + 1; i <= n; i++ {
			l.at[l.Shots[i].Key()]++
		}
	}
	l.Shots[at] = s
	l.at[s.Key()] = l.first + at
}

// move takes the list to an array with so much room before and behind it.
func (l *Listing) move(before, behind int) {
	n := len(l.Shots)
	room := make([]Shot, before+n+behind)
	copy(room[before:], l.Shots)
	l.room, l.head, l.Shots = room, before, room[before:before+n]
}

// Append takes in the next page. What is there already stays where it is.
func (l *Listing) Append(shots ...Shot) {
	if l.at == nil {
		l.index()
	}
	for _, s := range shots {
		if i := l.Find(s.Key()); i >= 0 {
			l.Shots[i] = s
			continue
		}
		l.put(len(l.Shots), s)
	}
}

// Insert takes shots in at their place by date, above where the list was opened or below. It says how many are new.
func (l *Listing) Insert(above bool, shots ...Shot) (added int) {
	if l.at == nil {
		l.index()
	}
	for _, s := range shots {
		if i := l.Find(s.Key()); i >= 0 {
			l.Shots[i] = s
			continue
		}
		at := sort.Search(len(l.Shots), func(i int) bool { return !newerShot(&l.Shots[i], &s) })
		l.put(at, s)
		if above && at <= l.Lead {
			l.Lead++
		}
		added++
	}
	return added
}

// Update takes in news of a result that is not in the trash and says whether it is in the list. What is stored stays stored.
func (l *Listing) Update(r atelier.Result) bool {
	if i := l.Find(string(r.RunID)); i >= 0 && l.Shots[i].Stack {
		if runs := (Runs{l.Shots[i].Run}).MergeResult(r); len(runs) == 1 {
			l.Shots[i] = Cover(runs[0])
		}
		return true
	}
	i := l.Find(string(r.ID))
	if i < 0 {
		return false
	}
	if have := l.Shots[i].Result; !have.Stored || r.Stored {
		l.Shots[i].Result = r
	}
	return true
}

// Lose takes a result off the list, or out of the run that stands for it, and says whether it was there. A run that is left without
// results goes too where whole says that nothing of it is anywhere else.
func (l *Listing) Lose(r atelier.Result, whole bool) bool {
	i := l.Find(string(r.RunID))
	if i < 0 || !l.Shots[i].Stack {
		n := len(l.Shots)
		l.Remove(func(s Shot) bool { return s.Result.ID == r.ID })
		return len(l.Shots) < n
	}
	r.Trashed = true
	run := (Runs{l.Shots[i].Run}).MergeResult(r)[0]
	if len(run.Results) == 0 && whole {
		l.Remove(func(s Shot) bool { return s.Run.ID == r.RunID })
		return true
	}
	lost := len(run.Results) < len(l.Shots[i].Run.Results)
	l.Shots[i] = Cover(run)
	return lost
}

// UpdateRun takes in news of a run and says whether some of it is in the list.
func (l *Listing) UpdateRun(run atelier.Run) bool {
	known := false
	if i := l.Find(string(run.ID)); i >= 0 {
		known = true
		switch {
		case l.Shots[i].Stack:
			l.Shots[i] = Cover(run)
		case len(run.Results) > 0:
			l.Remove(func(s Shot) bool { return s.Key() == string(run.ID) }) // its results take its place
			known = false
		default:
			l.Shots[i].Run = run
		}
	}
	for _, r := range run.Results {
		if i := l.Find(string(r.ID)); i >= 0 {
			l.Update(r)
			l.Shots[i].Run, known = run, true
		}
	}
	return known
}

// Remove takes shots off the list.
func (l *Listing) Remove(gone func(Shot) bool) {
	kept := make([]Shot, 0, len(l.Shots))
	lead := l.Lead
	for i, s := range l.Shots {
		if !gone(s) {
			kept = append(kept, s)
		} else if i < l.Lead {
			lead--
		}
	}
	l.Shots, l.Lead, l.room, l.head = kept, lead, kept, 0
	l.index()
}

// Covers makes one shot of each run: the picture that stands for it, and the run whole.
func Covers(runs []atelier.Run) []Shot {
	shots := make([]Shot, len(runs))
	for i, run := range runs {
		shots[i] = Cover(run)
	}
	return shots
}

// Cover is the result that stands for a run: the best that is here, else the first.
func Cover(run atelier.Run) Shot {
	s := Shot{Run: run, Stack: true}
	best := -1
	for _, r := range run.Results {
		if w := worth(r); w > best {
			s.Result, best = r, w
		}
	}
	return s
}

// worth is how much was thought of a result; what is not here is worth least.
func worth(r atelier.Result) (w int) {
	if r.Stored {
		w = 1 + r.Rating
	}
	if r.Pick == atelier.PickYes {
		w += 6
	}
	return w
}

// Spare is what can go of shots that are all the same: all but the best, else but the first.
func Spare(shots []Shot) []Shot {
	keep := 0
	for i, s := range shots {
		if worth(s.Result) > worth(shots[keep].Result) {
			keep = i
		}
	}
	out := slices.Clone(shots)
	if len(out) > 0 {
		out = slices.Delete(out, keep, keep+1)
	}
	return out
}
