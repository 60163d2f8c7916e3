package db_test

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"atelier/atelier"
	"atelier/db"
	"atelier/db/dbtest"
)

// asked is something a list can be asked for, with values of its own each time.
type asked struct {
	name string
	set  func(f *atelier.RunFilter)
}

// searches are words as they are typed, of every frequency.
func (h *history) searches() []asked {
	search := func(name string, words func() string) asked {
		return asked{name, func(f *atelier.RunFilter) { f.Query = words() }}
	}
	most := func() string { return wordOf(0) } // in two runs of five
	common := func() string { return wordOf(1 + h.chance.IntN(5)) }
	some := func() string { return wordOf(100 + h.chance.IntN(900)) }
	rare := func() string { return wordOf(15_000 + h.chance.IntN(5000)) }
	return []asked{
		search("most", most),
		search("common", common),
		search("some", some),
		search("rare", rare),
		search("nobody", func() string { return "nowhere" }),
		search("one letter", func() string { return wordOf(h.chance.IntN(20_000))[:1] }),
		search("two letters", func() string { return wordOf(h.chance.IntN(20_000))[:2] }),
		search("three letters", func() string { return wordOf(h.chance.IntN(20_000))[:3] }),
		search("half a word", func() string { w := wordOf(h.chance.IntN(20_000)); return w[:len(w)/2] }),
		search("most of a word", func() string { w := wordOf(h.chance.IntN(20_000)); return w[:len(w)-2] }),
		search("two common", func() string { return most() + " " + common() }),
		search("common and rare", func() string { return most() + " " + rare() }),
		search("two rare", func() string { return rare() + " " + rare() }),
		search("three", func() string { return common() + " " + some() + " " + most() }),
		search("two and a letter", func() string { return most() + " " + common() + " " + some()[:1] }),
		search("file", func() string { return "img_" + strconv.Itoa(h.chance.IntN(h.runs)) + ".jpg" }),
	}
}

// filters are everything else that the address of the gallery can say.
func (h *history) filters() []asked {
	return []asked{
		{"agent", func(f *atelier.RunFilter) { f.Agent = historyAgents[h.chance.IntN(10)] }},
		{"succeeded", func(f *atelier.RunFilter) { f.Status = atelier.Success }},
		{"failed", func(f *atelier.RunFilter) { f.Status = atelier.Failed }},
		{"running", func(f *atelier.RunFilter) { f.Status = atelier.Running }},
		{"one star", func(f *atelier.RunFilter) { f.Rating = 1 }},
		{"five stars", func(f *atelier.RunFilter) { f.Rating = 5 }},
		{"picked", func(f *atelier.RunFilter) { f.Pick = atelier.PickYes }},
		{"rejected", func(f *atelier.RunFilter) { f.Pick = atelier.PickNo }},
		{"not picked", func(f *atelier.RunFilter) { f.Pick = atelier.PickNone }},
		{"starred", func(f *atelier.RunFilter) { f.Starred = true }},
		{"changed", func(f *atelier.RunFilter) { f.Changed = true }},
		{"board", func(f *atelier.RunFilter) { f.Board = h.board }},
		{"until", func(f *atelier.RunFilter) { f.To = h.day() }},
		{"month", func(f *atelier.RunFilter) { f.From = h.day(); f.To = f.From.AddDate(0, 1, 0) }},
		{"trash", func(f *atelier.RunFilter) { f.Trashed = true }},
	}
}

// BenchmarkCombinations reads pages of a long history for everything that can be asked of it: alone, in pairs, and each in every
// order. p99-ms is that of the slowest combination, over-15ms how many take longer than that; those are written down by name, and
// all of them when ATELIER_COMBINATIONS names a file.
func BenchmarkCombinations(b *testing.B) {
	h := openHistory(b)
	searches, filters := h.searches(), h.filters()
	sorts := []atelier.Sort{atelier.SortNewest, atelier.SortOldest, atelier.SortRating, atelier.SortFidelity}
	with := func(name string, sorts []atelier.Sort, runs bool, pairs func(add func(...asked))) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				h.combine(b, sorts, runs, pairs)
			}
		})
	}
	alone := func(add func(...asked)) {
		add()
		for _, one := range slices.Concat(searches, filters) {
			add(one)
		}
	}
	searched := func(add func(...asked)) {
		for _, s := range searches {
			for _, f := range filters {
				add(s, f)
			}
		}
	}
	pairs := func(add func(...asked)) {
		for i, f := range filters {
			for _, g := range filters[:i] {
				add(g, f)
			}
		}
	}
	with("results, in every order", sorts, false, alone)
	with("results, a search and more", sorts[:1], false, searched)
	with("results, pairs", sorts[:1], false, pairs)
	with("results, pairs in other orders", sorts[1:], false, pairs)
	with("runs, in every order", sorts[:2], true, alone)
	with("runs, a search and more", sorts[:1], true, searched)
	with("runs, pairs", sorts[:1], true, pairs)
}

// combine measures each combination: first pages and the ones that follow.
func (h *history) combine(b *testing.B, sorts []atelier.Sort, runs bool, all func(add func(...asked))) {
	b.Helper()
	worst, over, n := 0.0, 0, 0
	all(func(what ...asked) {
		for _, sort := range sorts {
			name := string(sort)
			for _, a := range what {
				name += ", " + a.name
			}
			m := h.pages(b, func() (f atelier.RunFilter) {
				for _, a := range what {
					a.set(&f)
				}
				f.Sort = sort
				return f
			}, runs)
			n++
			worst = max(worst, m.p99)
			if m.p99 > 15 {
				over++
				b.Logf("%s: %s", name, m)
			}
			note(b, name+": "+m.String())
		}
	})
	b.ReportMetric(worst, "p99-ms")
	b.ReportMetric(float64(over), "over-15ms")
	b.ReportMetric(float64(n), "combinations")
}

func note(b *testing.B, line string) {
	b.Helper()
	name := os.Getenv("ATELIER_COMBINATIONS")
	if name == "" {
		return
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := fmt.Fprintf(f, "%s: %s\n", b.Name(), line); err != nil {
		b.Error(err)
	}
	if err := f.Close(); err != nil {
		b.Error(err)
	}
}

// measured is what pages took, in milliseconds, and what the processors worked for them: that is the same beside other work.
type measured struct {
	p50, p99, cpu50, cpu99 float64
	rows                   int
}

func (m measured) String() string {
	return fmt.Sprintf("p50 %.1f, p99 %.1f ms; processor %.1f, %.1f ms; %d rows", m.p50, m.p99, m.cpu50, m.cpu99, m.rows)
}

// pages reads first pages and the ones that follow each, 40 or for a second.
func (h *history) pages(b *testing.B, filter func() atelier.RunFilter, runs bool) (m measured) {
	b.Helper()
	var took, worked []float64
	until := time.Now().Add(time.Second)
	for f := filter(); len(took) < 40 && (len(took) < 3 || time.Now().Before(until)); {
		began, before := time.Now(), processor(b)
		n, next, err := h.page(b.Context(), f, runs)
		if err != nil {
			b.Fatal(err)
		}
		took = append(took, float64(time.Since(began))/1e6)
		worked = append(worked, float64(processor(b)-before)/1e6)
		m.rows += n
		if f.Cursor != "" || next == "" {
			f = filter()
		} else {
			f.Cursor = next
		}
	}
	m.p50, m.p99 = middleAndSlowest(took)
	m.cpu50, m.cpu99 = middleAndSlowest(worked)
	return m
}

func (h *history) page(ctx context.Context, f atelier.RunFilter, runs bool) (n int, next string, err error) {
	if runs {
		var page []db.Run
		page, next, err = h.db.ListRuns(ctx, dbtest.User.ID, f)
		return len(page), next, err
	}
	page, next, err := h.db.ListResults(ctx, dbtest.User.ID, f)
	return len(page), next, err
}

func middleAndSlowest[T cmp.Ordered](all []T) (middle, slowest T) {
	slices.Sort(all)
	return all[len(all)/2], all[len(all)*99/100]
}

// processor is the time this process has worked.
func processor(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
