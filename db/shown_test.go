package db_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"atelier/atelier"
	"atelier/db"
	"atelier/db/dbtest"
)

// What is shown of one result, or of one run, is found from there, whatever else is shown.
func TestWhatIsShownIsFoundByIndexes(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	for column, first := range map[string]string{"s.id": "SEARCH s USING INDEX sqlite_autoindex_results_1 (id=?)", "s.run_id": "SEARCH s USING INDEX results_place (run_id=?)"} {
		plan, err := d.ShownPlan(t.Context(), column)
		if err != nil {
			t.Fatal(err)
		}
		if plan[0] != first || strings.Contains(strings.ReplaceAll(strings.Join(plan, "\n"), "SCAN json_each", ""), "SCAN") {
			t.Errorf("%s: %q", column, plan)
		}
	}
}

// Whatever way a result comes to a board that is shown or leaves it, and whenever the board is shown or no longer is, the list of
// what somebody shows has each result once, in pages, newest first.
func TestWhatSomebodyShowsIsListedOnce(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	owner := dbtest.User.ID
	board := func(name string) atelier.BoardID {
		b, err := d.CreateBoard(t.Context(), owner, atelier.CreateBoard{Name: name})
		if err != nil {
			t.Fatal(err)
		}
		return b.ID
	}
	early, late, other := board("early"), board("late"), board("other")
	show := func(id atelier.BoardID, shared bool) {
		t.Helper()
		if _, err := d.UpdateBoard(t.Context(), owner, id, atelier.UpdateBoard{Shared: &shared}); err != nil {
			t.Fatal(err)
		}
	}
	show(early, true)
	put := func(b atelier.BoardID, ids ...atelier.ResultID) {
		t.Helper()
		if _, err := d.UpdateResults(t.Context(), owner, atelier.UpdateResults{IDs: ids, AddBoards: []atelier.BoardID{b}}); err != nil {
			t.Fatal(err)
		}
	}
	var results []atelier.ResultID // oldest first
	for n := range 4 {
		run := create(t, d, n)
		if _, err := d.Accept(t.Context(), run.ID, fmt.Sprintf("e-%d", n), ""); err != nil {
			t.Fatal(err)
		}
		item := db.Item{Kind: "image", Status: atelier.Success, URL: "a"}
		if _, err := d.ApplyStatus(t.Context(), run.ID, atelier.Success, []db.Item{item, item, item}, nothing); err != nil {
			t.Fatal(err)
		}
		run, err := d.FindRun(t.Context(), owner, run.ID)
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range run.Results[:2] { // the third is not here yet
			if err := d.SetStored(t.Context(), r.ID, db.Stored{Blob: db.Blob{SHA256: fmt.Sprintf("%d-%d", n, i), Format: "png"}, Kind: "image"}); err != nil {
				t.Fatal(err)
			}
			results = append(results, r.ID)
		}
		put(late, run.Results[2].ID)
	}
	put(early, results[0], results[1], results[4])
	put(late, results[1], results[4], results[5], results[6])
	put(other, results[7])
	show(late, true)
	list := func(f atelier.RunFilter) (ids []atelier.ResultID) {
		t.Helper()
		f.User, f.Limit = owner, 2
		for {
			page, next, err := d.ListResults(t.Context(), owner, f)
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range page {
				ids = append(ids, l.ID)
			}
			if f.Cursor = next; next == "" {
				break
			}
		}
		f.Cursor = ""
		if n, more, err := d.CountResults(t.Context(), owner, f, 100); n != len(ids) || more || err != nil {
			t.Errorf("%d are counted, %d listed: %v", n, len(ids), err)
		}
		return ids
	}
	want := func(what string, f atelier.RunFilter, want ...int) {
		t.Helper()
		var ids []atelier.ResultID
		for _, i := range want {
			ids = append(ids, results[i])
		}
		if diff := cmp.Diff(ids, list(f)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	want("two boards", atelier.RunFilter{}, 6, 4, 5, 0, 1)
	want("oldest first", atelier.RunFilter{Sort: atelier.SortOldest}, 0, 1, 4, 5, 6)
	want("one of them", atelier.RunFilter{Board: late}, 6, 4, 5, 1)
	put(late, results[7])
	want("one more", atelier.RunFilter{}, 6, 7, 4, 5, 0, 1)
	if _, _, err := d.TrashResults(t.Context(), owner, []atelier.ResultID{results[5]}, true); err != nil {
		t.Fatal(err)
	}
	want("one in the trash", atelier.RunFilter{}, 6, 7, 4, 0, 1)
	show(early, false)
	want("one board", atelier.RunFilter{}, 6, 7, 4, 1)
	if _, err := d.UpdateResult(t.Context(), owner, results[6], atelier.UpdateResult{Boards: &[]atelier.BoardID{other, early}}); err != nil {
		t.Fatal(err)
	}
	want("taken off", atelier.RunFilter{}, 7, 4, 1)
	if err := d.DeleteBoard(t.Context(), owner, late); err != nil {
		t.Fatal(err)
	}
	want("deleted", atelier.RunFilter{})
	show(early, true)
	want("shown again", atelier.RunFilter{}, 6, 4, 0, 1)
}
