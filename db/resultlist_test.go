package db_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"atelier/atelier"
	"atelier/db"
	"atelier/db/dbtest"
)

// What a page is made of must be read, not looked for: each row comes from an index.
func TestEveryRowOfAListComesFromAnIndex(t *testing.T) {
	t.Parallel()
	plans, err := dbtest.New(t).ListPlans(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, plan := range plans {
		for _, step := range plan[1:] {
			if !strings.Contains(plan[0], "SCAN j") || strings.HasPrefix(step, "SCAN") {
				t.Errorf("%q", plan)
			}
		}
	}
}

// collection is ten runs of three results each, with marks.
func collection(t *testing.T) (d *db.DB, all []db.ListedResult) {
	t.Helper()
	d = dbtest.New(t)
	for n := range 10 {
		run := create(t, d, n)
		if _, err := d.Accept(t.Context(), run.ID, fmt.Sprintf("e-%d", n), ""); err != nil {
			t.Fatal(err)
		}
		items := []db.Item{{Kind: "image", Status: atelier.Success, URL: "a"}, {Kind: "image", Status: atelier.Success, URL: "b"}, {Kind: "image", Status: atelier.Running}}
		if _, err := d.ApplyStatus(t.Context(), run.ID, atelier.Running, items, nothing); err != nil {
			t.Fatal(err)
		}
	}
	all, _, err := d.ListResults(t.Context(), dbtest.User.ID, atelier.RunFilter{Limit: 200})
	if err != nil || len(all) != 30 {
		t.Fatalf("%d results, %v", len(all), err)
	}
	for i, l := range all {
		rating := i % 4
		if _, err := d.UpdateResult(t.Context(), dbtest.User.ID, l.ID, atelier.UpdateResult{Rating: &rating}); err != nil {
			t.Fatal(err)
		}
		c := db.Compared{Score: float64(i%5) / 4, HeatSHA: "x", Changed: i%5 == 0}
		if i%4 == 1 {
			c.Edge = &atelier.FidelityEdge{Doubt: float64(i%7) / 50} // 0: looked at, and no doubt
		}
		if i%3 == 0 {
			c = db.Compared{Reason: "because"}
		}
		if err := d.SetFidelity(t.Context(), l.ID, c); err != nil {
			t.Fatal(err)
		}
	}
	all, _, err = d.ListResults(t.Context(), dbtest.User.ID, atelier.RunFilter{Limit: 200})
	if err != nil {
		t.Fatal(err)
	}
	return d, all
}

func TestPagesOfResultsAreTheListCutIntoPieces(t *testing.T) {
	t.Parallel()
	d, all := collection(t)
	less := map[atelier.Sort]func(a, b db.ListedResult) int{
		"": newest,
		atelier.SortOldest: func(a, b db.ListedResult) int {
			return or(strings.Compare(string(a.RunID), string(b.RunID)), a.Index-b.Index)
		},
		atelier.SortRating:   func(a, b db.ListedResult) int { return or(b.Rating-a.Rating, newest(a, b)) },
		atelier.SortFidelity: func(a, b db.ListedResult) int { return or(int(100*(score(b)-score(a))), newest(a, b)) },
	}
	chosen := map[string]struct {
		filter atelier.RunFilter
		ok     func(db.ListedResult) bool
	}{
		"all":         {atelier.RunFilter{}, func(db.ListedResult) bool { return true }},
		"two stars":   {atelier.RunFilter{Rating: 2}, func(l db.ListedResult) bool { return l.Rating >= 2 }},
		"changed":     {atelier.RunFilter{Changed: true}, func(l db.ListedResult) bool { return l.Fidelity.Changed }},
		"succeeded":   {atelier.RunFilter{Status: atelier.Success}, func(l db.ListedResult) bool { return l.Status == atelier.Success }},
		"running":     {atelier.RunFilter{Status: atelier.Running}, func(l db.ListedResult) bool { return l.Status == atelier.Running }},
		"found":       {atelier.RunFilter{Query: "red"}, func(db.ListedResult) bool { return true }},
		"found, star": {atelier.RunFilter{Query: "red", Rating: 1}, func(l db.ListedResult) bool { return l.Rating >= 1 }},
		"not found":   {atelier.RunFilter{Query: "blue"}, func(db.ListedResult) bool { return false }},
	}
	for sort, compare := range less {
		for name, c := range chosen {
			var want, got []atelier.ResultID
			for _, l := range sorted(all, compare) {
				if c.ok(l) {
					want = append(want, l.ID)
				}
			}
			f := c.filter
			f.Sort, f.Limit = sort, 4
			for {
				page, next, err := d.ListResults(t.Context(), dbtest.User.ID, f)
				if err != nil {
					t.Fatal(err)
				}
				for _, l := range page {
					got = append(got, l.ID)
				}
				if f.Cursor = next; next == "" || len(got) > len(all) {
					break
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, %q (-want +got):\n%s", name, sort, diff)
			}
			n, more, err := d.CountResults(t.Context(), dbtest.User.ID, c.filter, len(want)+1)
			if err != nil || n != len(want) || more {
				t.Errorf("%s: counted %d, %v, %v, want %d", name, n, more, err, len(want))
			}
			if n, more, err = d.CountResults(t.Context(), dbtest.User.ID, c.filter, 1); err != nil || n != min(len(want), 1) || more != (len(want) > 1) {
				t.Errorf("%s: counted to one: %d, %v, %v", name, n, more, err)
			}
			months, err := d.ListMonths(t.Context(), dbtest.User.ID, c.filter)
			sum := 0
			for _, m := range months {
				sum += m.Count
			}
			if err != nil || sum != len(want) {
				t.Errorf("%s: %d in all months, %v, want %d", name, sum, err, len(want))
			}
		}
	}
}

// Results at the turn of a month are of the months they were made in where they are asked for, in summer as in winter.
func TestMonthsBeginAtMidnightWhereTheyAreAskedFor(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	for _, at := range []time.Time{time.Date(2026, 1, 31, 20, 0, 0, 0, time.UTC), time.Date(2026, 2, 1, 3, 0, 0, 0, time.UTC), time.Date(2026, 6, 30, 22, 30, 0, 0, time.UTC)} {
		id := db.IDAt(at)
		for _, statement := range []string{
			`INSERT INTO runs (id, user_id, intent_key, retry_of, agent, version, title, surface, tag, state, step, status, values_json, files_json, asset_id, mask_id, mask_sha256, board_id,
				search, task_id, execution_id, attempt, misses, first_sent_at, last_sent_at, checked_at, error_code, error_message, error_retryable, psd_status, psd_error, psd_sha256,
				created_at, updated_at, trashed_at)
				VALUES ($1, 'local', $1, '', 'aimodel', 'v1.0', '', 'task', $1, 'done', '', 'Success', '{}', 'null', '', '', '', '', '', '', '', 0, 0, 0, 0, 0, '', '', false, '', '', '', 1, 1, 0)`,
			`INSERT INTO results (id, run_id, user_id, idx, kind, status, progress, error, url, poster_url, format, width, height, bytes, sha256, poster_sha, preview, starred, rating, pick,
				attempts, created_at, updated_at)
				VALUES ('result ' || $1, $1, 'local', 0, 'image', 'Success', 1, '', '', '', 'png', 1, 1, 1, 'stored', '', '', false, 0, '', 0, 1, 1)`,
		} {
			if _, err := d.Write.ExecContext(t.Context(), statement, id); err != nil {
				t.Fatal(err)
			}
		}
	}
	for zone, want := range map[string][]string{
		"":                   {"2026-06-01T00:00:00Z 1", "2026-02-01T00:00:00Z 1", "2026-01-01T00:00:00Z 1"},
		"Australia/Brisbane": {"2026-06-30T14:00:00Z 1", "2026-01-31T14:00:00Z 2"},
		"America/Lima":       {"2026-06-01T05:00:00Z 1", "2026-01-01T05:00:00Z 2"},
		"Europe/Berlin":      {"2026-06-30T22:00:00Z 1", "2026-01-31T23:00:00Z 1", "2025-12-31T23:00:00Z 1"},
	} {
		months, err := d.ListMonths(t.Context(), dbtest.User.ID, atelier.RunFilter{Zone: zone})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range months {
			got = append(got, fmt.Sprint(m.From.UTC().Format(time.RFC3339), " ", m.Count))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", zone, diff)
		}
	}
}

// What was thrown away is in no list but the trash's, and in no count; what is taken back stands where it stood.
func TestThrownResultsAreInNoListButTheTrash(t *testing.T) {
	t.Parallel()
	d, all := collection(t)
	board, err := d.CreateBoard(t.Context(), dbtest.User.ID, atelier.CreateBoard{Name: "Spring"})
	if err != nil {
		t.Fatal(err)
	}
	yes, star := atelier.PickYes, true
	if _, err := d.UpdateResults(t.Context(), dbtest.User.ID, atelier.UpdateResults{IDs: idsOf(all), Pick: &yes, Starred: &star, AddBoards: []atelier.BoardID{board.ID}}); err != nil {
		t.Fatal(err)
	}
	var thrown []atelier.ResultID
	for i, l := range all {
		if i%7 == 0 || i < 3 { // the whole of one run, which has not ended and stays
			thrown = append(thrown, l.ID)
		}
	}
	filters := []atelier.RunFilter{
		{},
		{Sort: atelier.SortOldest},
		{Sort: atelier.SortRating},
		{Sort: atelier.SortFidelity},
		{Starred: true},
		{Pick: yes},
		{Rating: 1},
		{Changed: true},
		{Board: board.ID},
		{Query: "red"},
		{Query: "red", Starred: true},
		{Status: atelier.Success},
		{Status: atelier.Running},
		{Agent: all[0].Run.Agent},
	}
	lists := func(f atelier.RunFilter) (ids []atelier.ResultID) {
		t.Helper()
		for f.Limit = 4; ; {
			page, next, err := d.ListResults(t.Context(), dbtest.User.ID, f)
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range page {
				ids = append(ids, l.ID)
			}
			if f.Cursor = next; next == "" || len(ids) > len(all) {
				return ids
			}
		}
	}
	runs := func(f atelier.RunFilter) (found []string) {
		t.Helper()
		for f.Limit = 2; ; {
			page, next, err := d.ListRuns(t.Context(), dbtest.User.ID, f)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range page {
				line := string(r.ID)
				for _, res := range r.Results {
					line += " " + string(res.ID)
				}
				found = append(found, line)
			}
			if f.Cursor = next; next == "" || len(found) > len(all) {
				return found
			}
		}
	}
	before := make([][]atelier.ResultID, len(filters))
	for i, f := range filters {
		before[i] = lists(f)
	}
	if changed, of, err := d.TrashResults(t.Context(), dbtest.User.ID, append(thrown, thrown[0]), true); err != nil || !slices.Equal(changed, thrown) || len(of) != 5 {
		t.Fatalf("thrown away: %v of %v, %v", changed, of, err)
	}
	left := func(ids []atelier.ResultID) []atelier.ResultID {
		return slices.DeleteFunc(slices.Clone(ids), func(id atelier.ResultID) bool { return slices.Contains(thrown, id) })
	}
	for i, f := range filters {
		want := left(before[i])
		if diff := cmp.Diff(want, lists(f)); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", f, diff)
		}
		f.Sort = ""
		if n, _, err := d.CountResults(t.Context(), dbtest.User.ID, f, 100); err != nil || n != len(want) {
			t.Errorf("%+v: counted %d, %v, want %d", f, n, err, len(want))
		}
	}
	if boards, err := d.ListBoards(t.Context(), dbtest.User.ID); err != nil || boards[0].Count != len(all)-len(thrown) {
		t.Errorf("the boards are %+v, %v", boards, err)
	}
	if len(runs(atelier.RunFilter{})) != 10 || len(runs(atelier.RunFilter{Starred: true})) != 9 {
		t.Errorf("runs: %v, with a star: %v", runs(atelier.RunFilter{}), runs(atelier.RunFilter{Starred: true}))
	}
	want := map[atelier.Sort][]string{}
	for _, l := range all {
		if !slices.Contains(thrown, l.ID) {
			continue
		}
		lines := want[""]
		if n := len(lines); n > 0 && strings.HasPrefix(lines[n-1], string(l.RunID)) {
			lines[n-1] += " " + string(l.ID)
		} else {
			want[""] = append(lines, string(l.RunID)+" "+string(l.ID))
		}
	}
	want[atelier.SortOldest] = slices.Clone(want[""])
	slices.Reverse(want[atelier.SortOldest])
	for sort, lines := range want {
		if diff := cmp.Diff(lines, runs(atelier.RunFilter{Trashed: true, Sort: sort})); diff != "" {
			t.Errorf("the trash, %q (-want +got):\n%s", sort, diff)
		}
	}
	for _, f := range []atelier.RunFilter{{}, {Query: "red"}, {Starred: true}, {Board: board.ID}} {
		f.Trashed = true
		if diff := cmp.Diff(thrown, lists(f)); diff != "" {
			t.Errorf("the trash, %+v (-want +got):\n%s", f, diff)
		}
	}
	if _, _, err := d.TrashResults(t.Context(), dbtest.User.ID, thrown, false); err != nil {
		t.Fatal(err)
	}
	for i, f := range filters {
		if diff := cmp.Diff(before[i], lists(f)); diff != "" {
			t.Errorf("taken back, %+v (-want +got):\n%s", f, diff)
		}
	}
}

func idsOf(results []db.ListedResult) (ids []atelier.ResultID) {
	for _, l := range results {
		ids = append(ids, l.ID)
	}
	return ids
}

func newest(a, b db.ListedResult) int {
	return or(strings.Compare(string(b.RunID), string(a.RunID)), a.Index-b.Index)
}

// score puts what was not compared behind everything.
// score is what results are sorted by: doubtful ones come after all others, the least doubt first, those never compared last.
func score(l db.ListedResult) float64 {
	switch {
	case l.Score == nil:
		return -2
	case l.Fidelity != nil && l.Fidelity.Doubtful():
		return -l.Fidelity.Edge.Doubt
	}
	return *l.Score
}

func or(a, b int) int {
	if a != 0 {
		return a
	}
	return b
}

func sorted(all []db.ListedResult, compare func(a, b db.ListedResult) int) []db.ListedResult {
	out := slices.Clone(all)
	slices.SortStableFunc(out, compare)
	return out
}

func TestCursorsOfOthersAreRefused(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	const id = "0190a000-0000-7000-8000-000000000000"
	for _, f := range []atelier.RunFilter{
		{Cursor: "x"},
		{Cursor: id},
		{Cursor: id + ".x"},
		{Cursor: id + ".-1"},
		{Cursor: id[1:] + ".1"},
		{Cursor: "3_" + id + ".1"},
		{Cursor: "x_" + id + ".1", Sort: atelier.SortRating},
		{Cursor: "zzzzzzzz-0000-7000-8000-000000000000.1"},
	} {
		if _, _, err := d.ListResults(t.Context(), dbtest.User.ID, f); atelier.CodeOf(err) != atelier.Invalid {
			t.Errorf("%+v: %v", f, err)
		}
	}
}

func TestWordsOfScriptsWithoutSpacesAreFoundInTheMiddle(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	run := create(t, d, 1)
	if err := d.ReplaceWords(t.Context(), run.ID, "夏季连衣裙的照片 Café crème"); err != nil {
		t.Fatal(err)
	}
	for query, found := range map[string]bool{"连衣裙": true, "衣连": false, "夏季 照片": true, "cafe": true, "CRÈM": true, "afé": false} {
		runs, _, err := d.ListRuns(t.Context(), dbtest.User.ID, atelier.RunFilter{Query: query})
		if err != nil || (len(runs) == 1) != found {
			t.Errorf("%s: %d runs, %v", query, len(runs), err)
		}
	}
}

// A search asks nothing about the owner while there is one; from the second on it must.
func TestASearchFindsOnesOwn(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	first := create(t, d, 1)
	if err := d.ReplaceWords(t.Context(), first.ID, "velvet gown"); err != nil {
		t.Fatal(err)
	}
	other := atelier.User{ID: "other", Name: "Other"}
	finds := func(user atelier.UserID) int {
		t.Helper()
		found, _, err := d.ListRuns(t.Context(), user, atelier.RunFilter{Query: "velvet"})
		if err != nil {
			t.Fatal(err)
		}
		return len(found)
	}
	if n := finds(dbtest.User.ID); n != 1 {
		t.Errorf("alone: %d runs", n)
	}
	if err := d.EnsureUser(t.Context(), other); err != nil {
		t.Fatal(err)
	}
	if n := finds(other.ID); n != 0 {
		t.Errorf("another: %d runs", n)
	}
	if n := finds(dbtest.User.ID); n != 1 {
		t.Errorf("the first: %d runs", n)
	}
}

func TestASearchNeverBecomesSyntax(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	create(t, d, 1)
	for _, query := range []string{
		`"`, `""`, `red"`, `red OR dress`, `NEAR(red dress)`, `words:red`, `-red`, `red*`, `^red`, `{owner}: x`, `red AND`, `(`, `)`, "red\x00dress", "\xff", `'; DROP TABLE runs --`,
		strings.Repeat("red ", 100), strings.Repeat("x", 500), "é́́", "👗", "red👗dress",
	} {
		if _, _, err := d.ListRuns(t.Context(), dbtest.User.ID, atelier.RunFilter{Query: query}); err != nil {
			t.Errorf("%q: %v", query, err)
		}
		if _, _, err := d.ListResults(t.Context(), dbtest.User.ID, atelier.RunFilter{Query: query, Rating: 1}); err != nil {
			t.Errorf("%q among results: %v", query, err)
		}
	}
}

func TestTheSearchTableIsMadeAgainWhenItIsMissing(t *testing.T) {
	t.Parallel()
	path := t.TempDir() + "/studio.db"
	d, err := db.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.EnsureUser(t.Context(), dbtest.User); err != nil {
		t.Fatal(err)
	}
	run := create(t, d, 1)
	for _, broken := range []string{"DROP TABLE run_search", "DROP TABLE run_search; DROP TABLE run_search_content; CREATE VIRTUAL TABLE run_search USING fts5(words)"} {
		if _, err := d.Write.ExecContext(t.Context(), broken); err != nil {
			t.Fatal(err)
		}
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
		if d, err = db.Open(t.Context(), path); err != nil {
			t.Fatal(err)
		}
		runs, _, err := d.ListRuns(t.Context(), dbtest.User.ID, atelier.RunFilter{Query: "red"})
		if err != nil || len(runs) != 1 || runs[0].ID != run.ID {
			t.Errorf("after %s: %d runs, %v", broken, len(runs), err)
		}
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}

func TestIDsBeginWithTheirTime(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	before := db.IDAt(time.Now())
	run := create(t, d, 1)
	after := db.IDAt(time.Now().Add(time.Millisecond))
	if string(run.ID) < before || string(run.ID) >= after {
		t.Errorf("%s is not between %s and %s", run.ID, before, after)
	}
}
