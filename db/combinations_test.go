package db_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"atelier/atelier"
	"atelier/db"
	"atelier/db/dbtest"
)

// known is a result as the naive listing knows it.
type known struct {
	db.ListedResult
	run     atelier.RunID
	state   string
	agent   string
	last    bool // a frame was kept
	words   []string
	trashed bool // with its run or by itself
	board   bool
	started bool // the run was started for the board
}

// album is runs with results that have marks by chance, as the database has them and as a plain list.
type album struct {
	db    *db.DB
	board atelier.BoardID
	all   []known // newest first
	runs  []atelier.RunID
	words map[atelier.RunID]known
	times []time.Time
}

var albumWords = []string{"silk", "silver", "sun", "summer", "dress", "linen", "a", "studio", "photorealistic", "photorealistically", "img", "café", "夏"}

func newAlbum(t *testing.T, chance *rand.Rand) *album {
	t.Helper()
	a := &album{db: dbtest.New(t), words: map[atelier.RunID]known{}}
	if chance.IntN(2) == 0 {
		if err := a.db.EnsureUser(t.Context(), atelier.User{ID: "other", Name: "Other"}); err != nil {
			t.Fatal(err)
		}
	}
	board, err := a.db.CreateBoard(t.Context(), dbtest.User.ID, atelier.CreateBoard{Name: "Spring"})
	if err != nil {
		t.Fatal(err)
	}
	a.board = board.ID
	shared := true
	if _, err := a.db.UpdateBoard(t.Context(), dbtest.User.ID, board.ID, atelier.UpdateBoard{Shared: &shared}); err != nil {
		t.Fatal(err)
	}
	do := func(statement string, args ...any) {
		t.Helper()
		if _, err := a.db.Write.ExecContext(t.Context(), statement, args...); err != nil {
			t.Fatal(err)
		}
	}
	do("PRAGMA synchronous = off")
	for n := range 70 {
		in := intent(n)
		in.Agent = []string{"aimodel", "removeBG", "recolor"}[chance.IntN(3)]
		words := []string{in.Agent}
		for range 1 + chance.IntN(4) {
			words = append(words, albumWords[int(float64(len(albumWords))*chance.Float64()*chance.Float64())])
		}
		in.Search = strings.Join(words, " ")
		run, _, err := a.db.CreateRun(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		state, status := "done", atelier.Success
		if chance.IntN(5) == 0 {
			state, status = "failed", []atelier.Status{"", atelier.Failed}[chance.IntN(2)] // the image service refused it, or did not make it
		}
		k := known{run: run.ID, state: state, agent: in.Agent, words: words, started: chance.IntN(4) == 0}
		k.Status = status
		thrown := 0
		if k.trashed = chance.IntN(8) == 0; k.trashed {
			thrown = 1
		}
		do("UPDATE runs SET state = ?, status = ?, trashed_at = ? WHERE id = ?", state, string(status), thrown, string(run.ID))
		if k.started {
			do("UPDATE runs SET board_id = ? WHERE id = ?", string(a.board), string(run.ID))
		}
		a.runs, a.words[run.ID], a.times = append(a.runs, run.ID), k, append(a.times, run.CreatedAt)
		var of []known
		for i := range chance.IntN(5) {
			r := k
			r.ID, r.RunID, r.Index = atelier.ResultID(fmt.Sprintf("%06d-%d", chance.IntN(1e6), n*10+i)), run.ID, i
			r.Starred, r.Fidelity, thrown = chance.IntN(3) == 0, &atelier.Fidelity{Changed: chance.IntN(4) == 0, Reason: []string{"", "", "Another shape."}[chance.IntN(3)]}, 0
			if chance.IntN(2) == 0 {
				r.Rating = 1 + chance.IntN(5)
			}
			if chance.IntN(3) > 0 {
				score := float64(chance.IntN(5)) / 4
				r.Score = &score
			}
			r.Fidelity.Edge = &atelier.FidelityEdge{Doubt: []float64{0, 0, 0, .02, .3}[chance.IntN(5)]}
			r.Pick = []string{"", "", atelier.PickYes, atelier.PickNo}[chance.IntN(4)]
			r.Kind, r.last = []string{"image", "image", "image", "video"}[chance.IntN(4)], chance.IntN(2) == 0
			last := ""
			if r.last {
				last = "kept"
			}
			if chance.IntN(8) == 0 {
				thrown, r.trashed = 1, true
			}
			if r.SHA256 = "stored"; chance.IntN(6) == 0 {
				r.Status, r.SHA256 = atelier.Running, ""
			}
			do(`INSERT INTO results (id, run_id, user_id, idx, kind, status, progress, error, url, poster_url, format, width, height, bytes, sha256,
				poster_sha, preview, score, starred, rating, pick, attempts, created_at, updated_at, changed, trashed_at, last_sha, not_comparable, edge_doubt)
				VALUES (?, ?, 'local', ?, ?, ?, 1, '', '', '', 'png', 1, 1, 1, ?, '', '', ?, ?, ?, ?, 0, 1, 1, ?, ?, ?, ?, ?)`,
				string(r.ID), string(run.ID), i, r.Kind, string(r.Status), r.SHA256, r.Score, r.Starred, r.Rating, r.Pick, r.Fidelity.Changed, thrown, last, r.Fidelity.Reason,
				r.Fidelity.Edge.Doubt)
			if r.board = chance.IntN(4) == 0; r.board {
				do("INSERT INTO board_results (board_id, result_id, run_id) VALUES (?, ?, ?)", string(a.board), string(r.ID), string(run.ID))
			}
			of = append(of, r)
		}
		a.all = append(of, a.all...)
	}
	return a
}

// ask is a filter by chance, mostly of two or three things.
func (a *album) ask(chance *rand.Rand, runs bool) (f atelier.RunFilter) {
	for range 1 + chance.IntN(4) {
		switch chance.IntN(14) {
		case 0, 1, 2:
			var words []string
			for range 1 + chance.IntN(2) {
				word := []rune(albumWords[chance.IntN(len(albumWords))])
				words = append(words, string(word[:1+chance.IntN(len(word))]))
			}
			f.Query = strings.Join(words, " ")
		case 3:
			f.Agent = []string{"aimodel", "removeBG", "nobody"}[chance.IntN(3)]
		case 4:
			f.Status = []atelier.Status{atelier.Success, atelier.Failed, atelier.Running, "done"}[chance.IntN(4)]
		case 5:
			f.Rating = 1 + chance.IntN(5)
		case 6:
			f.Pick = []string{atelier.PickYes, atelier.PickNo, atelier.PickNone}[chance.IntN(3)]
		case 7:
			f.Starred = true
		case 8:
			if f.Changed = chance.IntN(2) == 0; !f.Changed {
				f.Apart = true
			}
		case 9:
			f.Board = a.board
		case 10:
			f.From = a.times[chance.IntN(len(a.times))]
			if chance.IntN(2) == 0 {
				f.To = f.From.Add(time.Duration(chance.IntN(30)) * time.Millisecond)
			}
		case 11:
			f.Trashed = chance.IntN(2) == 0
		case 12:
			f.Fits = []atelier.Fits{atelier.FitsImage, atelier.FitsVideo}[chance.IntN(2)]
		case 13:
			if !runs {
				f.User = dbtest.User.ID
			}
		}
	}
	sorts := []atelier.Sort{"", atelier.SortOldest, atelier.SortRating, atelier.SortFidelity}
	if runs {
		sorts = sorts[:2]
	}
	f.Sort, f.Limit = sorts[chance.IntN(len(sorts))], 3+chance.IntN(40)
	return f
}

// within says whether a run is what a filter asks for, apart from status, marks and the trash.
func (k known) within(f atelier.RunFilter) bool {
	for word := range strings.FieldsSeq(f.Query) {
		if !slices.ContainsFunc(k.words, func(w string) bool { return strings.HasPrefix(folded(w), folded(word)) }) {
			return false
		}
	}
	return (f.Agent == "" || k.agent == f.Agent) && (f.From.IsZero() || string(k.run) >= db.IDAt(f.From)) && (f.To.IsZero() || string(k.run) < db.IDAt(f.To))
}

func folded(word string) string { return strings.ReplaceAll(strings.ToLower(word), "é", "e") }

// marked says whether a result has the marks a filter asks for.
func (k known) marked(f atelier.RunFilter) bool {
	return (!f.Starred || k.Starred) && k.Rating >= f.Rating && (f.Pick == "" || k.Pick == f.Pick || f.Pick == atelier.PickNone && k.Pick == "") &&
		(!f.Changed || k.Fidelity.Changed) && (!f.Apart || k.Fidelity.Reason != "") && (f.Board == "" || k.board) && (f.User == "" || k.board && k.SHA256 != "") &&
		(f.Fits != atelier.FitsVideo || k.Kind == "video") && (f.Fits != atelier.FitsImage || k.Kind == "image" || k.last)
}

// results is what a list of results is, naively.
func (a *album) results(f atelier.RunFilter) (ids []string) {
	var chosen []known
	for _, k := range a.all {
		if k.within(f) && k.marked(f) && k.trashed == f.Trashed && (f.Status == "" || k.Status == f.Status) {
			chosen = append(chosen, k)
		}
	}
	compare := func(x, y known) int { return newest(x.ListedResult, y.ListedResult) }
	switch {
	case f.Sort == atelier.SortOldest:
		compare = func(x, y known) int {
			return cmp.Or(cmp.Compare(x.run, y.run), cmp.Compare(x.Index, y.Index))
		}
	case f.Trashed:
	case f.Sort == atelier.SortRating:
		compare = func(x, y known) int { return or(y.Rating-x.Rating, newest(x.ListedResult, y.ListedResult)) }
	case f.Sort == atelier.SortFidelity:
		compare = func(x, y known) int {
			return or(cmp.Compare(score(y.ListedResult), score(x.ListedResult)), newest(x.ListedResult, y.ListedResult))
		}
	}
	slices.SortStableFunc(chosen, compare)
	for _, k := range chosen {
		ids = append(ids, string(k.ID))
	}
	return ids
}

// runsOf is what a list of runs is, naively.
func (a *album) runsOf(f atelier.RunFilter) (ids []string) {
	marks := f
	marks.Agent, marks.Query, marks.Status, marks.Trashed = "", "", "", false
	plain := !f.Starred && f.Rating == 0 && f.Pick == "" && !f.Changed && !f.Apart && f.Board == "" && f.Fits == ""
	for _, id := range a.runs {
		run := a.words[id]
		if !run.within(f) || f.Status != "" && run.Status != f.Status && !strings.EqualFold(run.state, string(f.Status)) {
			continue
		}
		results := slices.ContainsFunc(a.all, func(k known) bool { return k.run == id })
		has := run.started && !results && f.Board != "" && !f.Trashed && !f.Starred && f.Rating == 0 && f.Pick == "" && !f.Changed && !f.Apart && f.Fits == ""
		for _, k := range a.all {
			has = has || k.run == id && k.marked(marks) && k.trashed == f.Trashed
		}
		if !f.Trashed && run.trashed || plain && f.Trashed && !run.trashed && !has || !plain && !has {
			continue
		}
		ids = append(ids, string(id))
	}
	if f.Sort != atelier.SortOldest {
		slices.Reverse(ids)
	}
	return ids
}

// Whatever is asked for together, in whichever order, and whichever way the database takes: the pages are the naive list cut
// into pieces, nothing twice and nothing lost; and as many are counted.
func TestEveryCombinationIsListedAsANaiveListWould(t *testing.T) {
	t.Parallel()
	for seed := range uint64(2) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			chance := rand.New(rand.NewPCG(seed, 7))
			a := newAlbum(t, chance)
			for range 60 {
				if chance.IntN(4) > 0 {
					a.db.ChooseOtherwise(1+chance.IntN(12), 1+chance.IntN(30), 1+chance.IntN(20), 1+chance.IntN(9), 1+chance.IntN(60))
				}
				f := a.ask(chance, false)
				if want, got := a.results(f), a.walk(t, f, false); !slices.Equal(want, got) {
					t.Errorf("results of %+v:\nwant %q\ngot  %q", f, want, got)
				}
				if want, n, more := len(a.results(f)), 0, false; true {
					var err error
					if n, more, err = a.db.CountResults(t.Context(), dbtest.User.ID, f, 1000); err != nil || n != want || more {
						t.Errorf("%+v: counted %d, %v, %v, want %d", f, n, more, err, want)
					}
				}
				f = a.ask(chance, true)
				if want, got := a.runsOf(f), a.walk(t, f, true); !slices.Equal(want, got) {
					t.Errorf("runs of %+v:\nwant %q\ngot  %q", f, want, got)
				}
			}
		})
	}
}

// walk reads all pages.
func (a *album) walk(t *testing.T, f atelier.RunFilter, runs bool) (ids []string) {
	t.Helper()
	for pages := 0; ; {
		next := ""
		if runs {
			page, cursor, err := a.db.ListRuns(t.Context(), dbtest.User.ID, f)
			if err != nil {
				t.Fatalf("%+v: %v", f, err)
			}
			for _, r := range page {
				ids = append(ids, string(r.ID))
			}
			next = cursor
		} else {
			page, cursor, err := a.db.ListResults(t.Context(), dbtest.User.ID, f)
			if err != nil {
				t.Fatalf("%+v: %v", f, err)
			}
			for _, r := range page {
				ids = append(ids, string(r.ID))
			}
			next = cursor
		}
		if f.Cursor = next; next == "" || len(ids) > 1000 {
			return ids
		}
		if pages++; pages > 1000 {
			t.Fatalf("%+v: no end of pages", f)
		}
	}
}
