package db_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"atelier/atelier"
	"atelier/db"
	"atelier/db/dbtest"
)

// Whatever changes, and by whomever, lists have it: rows are inserted, changed and deleted past everything that knows of lists, now and
// then the lists are kept and read again, and after each the ones that follow the changes are those that are made of all rows.
func TestListsFollowEveryChange(t *testing.T) {
	t.Parallel()
	chance := rand.New(rand.NewPCG(3, 5))
	path := filepath.Join(t.TempDir(), "studio.db")
	d, err := db.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}()
	do := func(statement string, args ...any) {
		t.Helper()
		if _, err := d.Write.ExecContext(t.Context(), statement, args...); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	do("PRAGMA synchronous = off")
	for _, user := range []atelier.User{dbtest.User, {ID: "other", Name: "Other"}} {
		if err := d.EnsureUser(t.Context(), user); err != nil {
			t.Fatal(err)
		}
	}
	for n := range 3 {
		do("INSERT INTO boards (id, user_id, name, created_at) VALUES (?, 'local', ?, 1)", fmt.Sprint("b", n), fmt.Sprint(n))
	}
	made := 0
	insert := func() {
		t.Helper()
		in := intent(made)
		in.UserID = []atelier.UserID{"local", "local", "other"}[chance.IntN(3)]
		if made++; chance.IntN(3) == 0 { // it was made elsewhere, long ago
			if in.ID, err = db.NewRunIDAt(time.UnixMilli(1_600_000_000_000 + chance.Int64N(1e11))); err != nil {
				t.Fatal(err)
			}
		}
		run, _, err := d.CreateRun(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		for i := range chance.IntN(4) {
			do(`INSERT INTO results (id, run_id, user_id, idx, kind, status, progress, error, url, poster_url, format, width, height, bytes, sha256,
				poster_sha, preview, starred, rating, pick, attempts, created_at, updated_at) VALUES (?, ?, ?, ?, 'image', 'Running', 0, '', '', '', '', 0, 0, 0, '', '', '', false, 0, '', 0, 1, 1)`,
				fmt.Sprintf("%s-%d", run.ID, i), string(run.ID), string(in.UserID), i)
		}
	}
	for range 10 {
		insert()
	}
	const someRun, someResult = " WHERE id = (SELECT id FROM runs ORDER BY random() LIMIT 1)", " WHERE id = (SELECT id FROM results ORDER BY random() LIMIT 1)"
	changes := []func(){
		insert,
		func() {
			do("UPDATE runs SET status = ?, state = ?"+someRun, fmt.Sprint("word ", chance.IntN(9)), []string{"done", "failed"}[chance.IntN(2)])
		},
		func() { do("UPDATE runs SET agent = ?"+someRun, fmt.Sprint("agent ", chance.IntN(3))) },
		func() { do("UPDATE runs SET trashed_at = 5 - trashed_at" + someRun) },
		func() { do("UPDATE runs SET board_id = ?"+someRun, fmt.Sprint("b", chance.IntN(3))) },
		func() {
			do("UPDATE runs SET search = ?"+someRun, []string{"linen dress", "sun", "café"}[chance.IntN(3)])
		},
		func() { do("UPDATE runs SET user_id = 'other'" + someRun) },
		func() { do("UPDATE results SET status = ?"+someResult, fmt.Sprint("word ", chance.IntN(9))) },
		func() { do("UPDATE results SET starred = NOT starred, changed = NOT changed" + someResult) },
		func() {
			do("UPDATE results SET not_comparable = CASE not_comparable WHEN '' THEN 'x' ELSE '' END" + someResult)
		},
		func() {
			do("UPDATE results SET rating = ?, pick = ?"+someResult, chance.IntN(6), []string{"", "pick", "reject"}[chance.IntN(3)])
		},
		func() {
			do("UPDATE results SET score = ?"+someResult, []any{nil, .5, chance.Float64()}[chance.IntN(3)])
		},
		func() { do("UPDATE results SET kind = 'video', last_sha = 'x', sha256 = 'y'" + someResult) },
		func() { do("UPDATE results SET idx = idx + 10" + someResult) },
		func() { do("UPDATE results SET trashed_at = 5 - trashed_at" + someResult) },
		func() {
			do("INSERT INTO board_results (board_id, result_id, run_id) SELECT ?, id, run_id FROM results"+someResult+" ON CONFLICT DO NOTHING", fmt.Sprint("b", chance.IntN(3)))
		},
		func() {
			do("DELETE FROM board_results WHERE result_id = (SELECT result_id FROM board_results ORDER BY random() LIMIT 1)")
		},
		func() {
			do("DELETE FROM results" + someResult + " AND id NOT IN (SELECT result_id FROM board_results)")
		},
		func() { do("DELETE FROM runs" + someRun + " AND id NOT IN (SELECT run_id FROM results)") },
	}
	same := func(after string) {
		t.Helper()
		if n, err := d.ListsDiffer(t.Context()); err != nil || n != 0 {
			t.Fatalf("after %s: %d runs stand otherwise in the lists, %v", after, n, err)
		}
	}
	for i := range 150 {
		n := i % len(changes)
		for range 1 + chance.IntN(3) {
			changes[n]()
			n = chance.IntN(len(changes))
		}
		same(fmt.Sprint("change ", i))
		if i%30 != 29 {
			continue
		}
		if i%60 == 29 { // the last changes are not kept, as when a process dies
			if err := d.SaveLists(t.Context()); err != nil {
				t.Fatal(err)
			}
			changes[0]()
		}
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
		if d, err = db.Open(t.Context(), path); err != nil {
			t.Fatal(err)
		}
		if kept, err := d.ListsAreKept(t.Context()); err != nil || !kept {
			t.Errorf("the lists are kept: %v, %v", kept, err)
		}
		same("a start")
		if problems, err := db.CheckLists(t.Context(), d.Read); err != nil || len(problems) > 0 {
			t.Errorf("a check says %q, %v", problems, err)
		}
	}
	do("DROP TRIGGER list_changed")
	do("UPDATE results SET rating = (rating + 1) % 6")
	if n, err := d.ListsDiffer(t.Context()); err != nil || n == 0 {
		t.Errorf("what no trigger told is not seen: %d, %v", n, err)
	}
	if err := d.SaveLists(t.Context()); err != nil {
		t.Fatal(err)
	}
	if problems, err := db.CheckLists(t.Context(), d.Read); err != nil || len(problems) != 1 {
		t.Errorf("a check of what no trigger told says %q, %v", problems, err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if d, err = db.Open(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	same("a start without a trigger")
}

// While pages are read, runs are made, rated and thrown away: what was there and is as it was comes once, in order.
func TestPagesGoOnWhileTheHistoryChanges(t *testing.T) {
	t.Parallel()
	d, all := collection(t)
	touched := map[atelier.ResultID]bool{}
	var got []atelier.ResultID
	five, f := 5, atelier.RunFilter{Limit: 4}
	for n := 0; ; n++ {
		page, next, err := d.ListResults(t.Context(), dbtest.User.ID, f)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range page {
			got = append(got, l.ID)
		}
		if f.Cursor = next; next == "" {
			break
		}
		create(t, d, 100+n)
		behind, ahead := all[len(all)-1-n].ID, all[n].ID
		if _, err := d.UpdateResult(t.Context(), dbtest.User.ID, ahead, atelier.UpdateResult{Rating: &five}); err != nil {
			t.Fatal(err)
		}
		if _, _, err := d.TrashResults(t.Context(), dbtest.User.ID, []atelier.ResultID{behind, page[len(page)-1].ID}, true); err != nil {
			t.Fatal(err)
		}
		touched[behind], touched[page[len(page)-1].ID] = true, true
	}
	whole := func(ids []atelier.ResultID) []atelier.ResultID {
		return slices.DeleteFunc(slices.Clone(ids), func(id atelier.ResultID) bool { return touched[id] })
	}
	if want, got := whole(idsOf(all)), whole(got); !slices.Equal(want, got) {
		t.Errorf("want %q\ngot  %q", want, got)
	}
}

// What keeps the lists has nobody who waits for it: what goes wrong there is told to whoever listens.
func TestListsThatCannotBeKeptAreTold(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	var told []error
	d.OnFault(func(err error) { told = append(told, err) })
	if err := d.PrepareLists(t.Context()); err != nil {
		t.Fatal(err)
	}
	if d.SaveSoon(); len(told) > 0 {
		t.Fatalf("lists that can be kept: %v", told)
	}
	if _, err := d.Write.ExecContext(t.Context(), "ALTER TABLE list_parts RENAME TO elsewhere"); err != nil {
		t.Fatal(err)
	}
	if d.SaveSoon(); len(told) != 1 || !strings.Contains(told[0].Error(), "keep the lists") {
		t.Errorf("lists that cannot be kept: %v", told)
	}
}
