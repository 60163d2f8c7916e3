package model

import (
	"slices"

	"atelier/atelier"
)

// Listing is what the gallery has of its list, in order. Lead is how many of its shots stand above where it was opened.
type Listing struct {
	Shots []Shot
	Lead  int
	at    map[string]int
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
func newerShot(a, b Shot) bool {
	if a.Run.ID != b.Run.ID {
		return newer(a.Run, b.Run)
	}
	return a.Result.Index < b.Result.Index
}

// Find gives the place of a shot, -1 when it is not in the list.
func (l *Listing) Find(key string) int {
	if i, ok := l.at[key]; ok {
		return i
	}
	return -1
}

func (l *Listing) index() {
	l.at = make(map[string]int, len(l.Shots))
	for i, s := range l.Shots {
		l.at[s.Key()] = i
	}
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
		l.at[s.Key()] = len(l.Shots)
		l.Shots = append(l.Shots, s)
	}
}

// Insert takes shots in at their place by date, above where the list was opened or below. It says how many are new.
func (l *Listing) Insert(above bool, shots ...Shot) (added int) {
	if l.at == nil {
		l.index()
	}
	var fresh []Shot
	for _, s := range shots {
		if i := l.Find(s.Key()); i >= 0 {
			l.Shots[i] = s
		} else {
			fresh = append(fresh, s)
		}
	}
	for _, s := range fresh {
		at := 0
		if n := len(l.Shots); !above && n > 0 && newerShot(l.Shots[n-1], s) {
			at = n
		}
		for at < len(l.Shots) && newerShot(l.Shots[at], s) {
			at++
		}
		l.Shots = slices.Insert(l.Shots, at, s)
		if above && at <= l.Lead {
			l.Lead++
		}
	}
	if len(fresh) > 0 {
		l.index()
	}
	return len(fresh)
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
	l.Shots, l.Lead = kept, lead
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
