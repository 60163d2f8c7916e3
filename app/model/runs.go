package model

import (
	"slices"

	"atelier/atelier"
	"atelier/catalog"
)

// Runs is a list of runs, newest first. It is a value: every change makes a new list, so that what was rendered from the
// old one can be compared with it.
type Runs []atelier.Run

// Merge takes in what is known about a run. News that are older than what is known are dropped: answers and events may
// overtake each other.
func (l Runs) Merge(runs ...atelier.Run) Runs {
	out := slices.Clone(l)
	for _, run := range runs {
		i := slices.IndexFunc(out, func(r atelier.Run) bool { return r.ID == run.ID })
		switch {
		case i < 0:
			out = out.insert(run)
		case !run.UpdatedAt.Before(out[i].UpdatedAt):
			out[i] = run
		}
	}
	return out
}

// insert puts a new run in its place. Nearly all of them belong to one of the two ends, so looking for the place one by
// one is quick, and no sort has to be part of the download.
func (l Runs) insert(run atelier.Run) Runs {
	at := 0
	if n := len(l); n > 0 && newer(l[n-1], run) {
		at = n
	}
	for at < len(l) && newer(l[at], run) {
		at++
	}
	return slices.Insert(l, at, run)
}

func newer(a, b atelier.Run) bool {
	if !a.CreatedAt.Equal(b.CreatedAt) {
		return a.CreatedAt.After(b.CreatedAt)
	}
	return a.ID > b.ID
}

// Later returns the later of two states of a result: the answer to a request can arrive after the event of what the
// server found since. What is stored stays stored, and what was compared with its source stays compared.
func Later(known, news atelier.Result) atelier.Result {
	if known.Stored && !news.Stored {
		return known
	}
	if news.Fidelity == nil {
		news.Fidelity, news.Score = known.Fidelity, known.Score
	}
	return news
}

// MergeResult takes in what is known about one result of a run that is in the list; one that was thrown away goes.
func (l Runs) MergeResult(result atelier.Result) Runs {
	i := slices.IndexFunc(l, func(r atelier.Run) bool { return r.ID == result.RunID })
	if i < 0 {
		return l
	}
	out := slices.Clone(l)
	results := slices.Clone(out[i].Results)
	j := slices.IndexFunc(results, func(r atelier.Result) bool { return r.ID == result.ID })
	switch {
	case result.Trashed && j < 0:
		return l
	case result.Trashed:
		results = slices.Delete(results, j, j+1)
	case j < 0:
		at := 0
		for at < len(results) && results[at].Index <= result.Index {
			at++
		}
		results = slices.Insert(results, at, result)
	default:
		results[j] = Later(results[j], result)
	}
	out[i].Results = results
	return out
}

// Without takes a run off the list.
func (l Runs) Without(id atelier.RunID) Runs {
	return slices.DeleteFunc(slices.Clone(l), func(r atelier.Run) bool { return r.ID == id })
}

// Find gives the run with that id.
func (l Runs) Find(id atelier.RunID) (atelier.Run, bool) {
	for _, r := range l {
		if r.ID == id {
			return r, true
		}
	}
	return atelier.Run{}, false
}

// Newest gives the newest run of an agent that is being made or has made something.
func (l Runs) Newest(agent string) (atelier.Run, bool) {
	for _, r := range l {
		if tone := RunTone(r); r.Agent == agent && (tone == Busy || tone == Waiting || tone != Bad && tone != Off && len(r.Results) > 0) {
			return r, true
		}
	}
	return atelier.Run{}, false
}

// Shot is one result together with the run it belongs to: a card in the strip, the gallery, the lightbox.
type Shot struct {
	Run    atelier.Run
	Result atelier.Result
	Stack  bool // stands for the whole run, not for the result alone
}

// Key tells shots apart.
//
//go:noinline
func (s Shot) Key() string {
	if s.Result.ID != "" && !s.Stack {
		return string(s.Result.ID)
	}
	return string(s.Run.ID)
}

// Shots lists every result of the runs in their order. A run without results yet is one shot without a result.
func (l Runs) Shots() []Shot {
	shots := make([]Shot, 0, len(l))
	for _, run := range l {
		if len(run.Results) == 0 {
			shots = append(shots, Shot{Run: run})
		}
		for _, result := range run.Results {
			shots = append(shots, Shot{Run: run, Result: result})
		}
	}
	return shots
}

// IsVideo says whether the result is one that moves.
func IsVideo(r atelier.Result) bool { return r.Kind == string(catalog.MakesVideo) }

// Viewable lists the shots that can be looked at.
func Viewable(shots []Shot) []Shot {
	return slices.DeleteFunc(slices.Clone(shots), func(s Shot) bool { return !s.Result.Stored })
}

// Trashed says whether a shot is in the trash: with its run, or by itself.
func (s Shot) Trashed() bool { return s.Run.Trashed || s.Result.Trashed }

// Apart parts shots that stand for a run, or for one without results yet, from those that stand for a single result. Of a run in
// the list of the trash that is not there itself, the results are.
func Apart(shots []Shot) (runs []atelier.RunID, results []atelier.Result) {
	seen := map[atelier.RunID]bool{}
	for _, s := range shots {
		switch {
		case s.Stack && s.Trashed() && !s.Run.Trashed:
			results = append(results, s.Run.Results...)
		case s.Result.ID != "" && !s.Stack && !s.Run.Trashed:
			results = append(results, s.Result)
		case !seen[s.Run.ID]:
			seen[s.Run.ID] = true
			runs = append(runs, s.Run.ID)
		}
	}
	return runs, results
}

// Active counts the runs that are not finished.
func (l Runs) Active() int {
	n := 0
	for _, r := range l {
		if !r.State.Final() {
			n++
		}
	}
	return n
}
