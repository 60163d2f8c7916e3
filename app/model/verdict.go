package model

import (
	"slices"

	"atelier/atelier"
)

// Verdict is what is thought of results; a field they do not agree in is empty.
type Verdict struct {
	Pick   string
	Rating int
}

// VerdictOf is what some results have in common.
func VerdictOf(shots []Shot) Verdict {
	if len(shots) == 0 {
		return Verdict{}
	}
	v := Verdict{shots[0].Result.Pick, shots[0].Result.Rating}
	for _, s := range shots[1:] {
		if s.Result.Pick != v.Pick {
			v.Pick = ""
		}
		if s.Result.Rating != v.Rating {
			v.Rating = 0
		}
	}
	return v
}

// Judge is a result as it is after an update of what is thought of it.
func Judge(r atelier.Result, u atelier.UpdateResults) atelier.Result {
	if u.Pick != nil {
		r.Pick = *u.Pick
	}
	if u.Rating != nil {
		r.Rating = *u.Rating
	}
	if u.Starred != nil {
		r.Starred = *u.Starred
	}
	return r
}

// Rejudge is how an update of results is taken back: each of those it changed has what it had before, and nothing else of it changes.
func Rejudge(before []atelier.Result, u atelier.UpdateResults) []atelier.UpdateResults {
	type verdict struct {
		pick    string
		rating  int
		starred bool
	}
	var said []verdict
	var updates []atelier.UpdateResults
	for _, r := range before {
		after := Judge(r, u)
		if after.Pick == r.Pick && after.Rating == r.Rating && after.Starred == r.Starred {
			continue
		}
		v := verdict{}
		if u.Pick != nil {
			v.pick = r.Pick
		}
		if u.Rating != nil {
			v.rating = r.Rating
		}
		if u.Starred != nil {
			v.starred = r.Starred
		}
		i := slices.Index(said, v)
		if i < 0 {
			back := atelier.UpdateResults{}
			if u.Pick != nil {
				back.Pick = &v.pick
			}
			if u.Rating != nil {
				back.Rating = &v.rating
			}
			if u.Starred != nil {
				back.Starred = &v.starred
			}
			i, said, updates = len(said), append(said, v), append(updates, back)
		}
		updates[i].IDs = append(updates[i].IDs, r.ID)
	}
	return updates
}
