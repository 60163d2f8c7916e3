package db

import (
	"fmt"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"

	"atelier/atelier"
)

// BenchmarkColumns goes through the columns of a million runs with four results each, which no index helps with: what is asked for
// stands nowhere, or hardly anywhere, and each part has some of it.
func BenchmarkColumns(b *testing.B) {
	chance := rand.New(rand.NewPCG(1, 2))
	var cards []card
	var parts []*part
	at := time.UnixMilli(1_700_000_000_000)
	for range 1_000_000 {
		at = at.Add(time.Minute)
		c := card{key: keyAt(at), user: "local", about: about(1+chance.IntN(10))<<agentAt | 11<<statusAt | 12<<stateAt}
		if chance.IntN(50) == 0 {
			c.about |= runTrashed
		}
		for i := range 4 {
			r := cardResult{index: uint16(i), marks: 11 << markStatusAt}
			r.marks |= markStarred.when(chance.IntN(50) == 0) | markScored.when(chance.IntN(5) < 3) | markChanged.when(chance.IntN(200) == 0)
			r.marks |= marks(max(0, chance.IntN(50)-44)) << ratingAt
			if r.marks&markScored != 0 {
				r.score = 1 - .2*chance.Float64()*chance.Float64()
			}
			if chance.IntN(2000) == 0 {
				r.boards, r.marks = []uint32{1}, r.marks|markPlaced
			}
			c.results = append(c.results, r)
		}
		if cards = append(cards, c); len(cards) == partRuns {
			parts, cards = append(parts, (&part{}).change(cards)...), cards[:0]
		}
	}
	l := &lists{albums: map[string]*album{"local": newAlbum(parts)}, codes: codes{map[string]uint16{"Success": 11, "done": 12}, map[string]uint32{"b": 1}}}
	for i := range 10 {
		l.codes.Words[fmt.Sprint("agent", i)] = uint16(1 + i)
	}
	a := l.albums["local"]
	for name, f := range map[string]atelier.RunFilter{
		"rare together":              {Starred: true, Changed: true, Rating: 5, Agent: "agent1"},
		"rare together, by fidelity": {Starred: true, Changed: true, Rating: 5, Agent: "agent1", Sort: atelier.SortFidelity},
		"rare together, by rating":   {Starred: true, Changed: true, Rating: 2, Agent: "agent1", Sort: atelier.SortRating},
		"trash, changed, five stars": {Trashed: true, Changed: true, Rating: 5},
		"on a board, five stars":     {Board: "b", Rating: 5, Changed: true},
		"by fidelity":                {Sort: atelier.SortFidelity},
		"by rating":                  {Sort: atelier.SortRating},
	} {
		for _, runs := range []bool{false, true} {
			if runs && f.Sort != "" {
				continue
			}
			w, err := l.wanted(b.Context(), nil, f, runs)
			if err != nil {
				b.Fatal(err)
			}
			for _, after := range []*place{nil, {valued: true, value: .9, run: keyAt(at.AddDate(-1, 0, 0))}, {valued: true, value: 3, run: keyAt(at.AddDate(-1, 0, 0))}} {
				if after != nil && (f.Sort == "" || f.Sort == atelier.SortRating != (after.value == 3)) {
					continue
				}
				if w.value != "" {
					w.having()
				}
				b.Run(fmt.Sprintf("%s, runs %v, behind a page %v", name, runs, after != nil), func(b *testing.B) {
					before := worked()
					defer func() { b.ReportMetric(float64(worked()-before)/1e6/float64(b.N), "cpu-ms") }()
					for b.Loop() {
						if s := w.all(a); w.value != "" {
							w.highest(s, 51, after)
						} else {
							w.scan(s, 51, nil)
						}
					}
				})
			}
		}
	}
}

// worked is the time this process has worked, in nanoseconds.
func worked() int64 {
	var used syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	return used.Utime.Nano() + used.Stime.Nano()
}
