package db_test

import (
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"atelier/atelier"
	"atelier/db"
	"atelier/db/dbtest"
	"atelier/internal/sqldb"
)

// intent is a run as the studio records it; n makes its keys different.
func intent(n int) db.Run {
	return db.Run{
		Run: atelier.Run{
			IntentKey: fmt.Sprintf("intent-%012d", n), Agent: "aimodel", Version: "v1.0", Title: fmt.Sprintf("Run %d", n),
			Status: atelier.Pending, State: atelier.StateRecorded, Surface: atelier.TaskSurface,
			Values: map[string]any{"maskType": "autoApparelSegment", "batchCount": float64(2)}, Files: map[string][]string{},
		},
		UserID: dbtest.User.ID, Tag: fmt.Sprintf("run~%010d", n), Search: fmt.Sprintf("run %d aimodel red_dress 100%%", n),
	}
}

func create(t *testing.T, d *db.DB, n int) db.Run {
	t.Helper()
	r, created, err := d.CreateRun(t.Context(), intent(n))
	if err != nil || !created {
		t.Fatalf("CreateRun = created %v, %v", created, err)
	}
	return r
}

func nothing(*sql.Tx, []atelier.ResultID) error { return nil }

func TestTheSameIntentKeyGivesTheSameRun(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	var mu sync.Mutex
	ids := map[atelier.RunID]int{}
	var made int
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			in := intent(1)
			in.Tag = fmt.Sprintf("other~%010d", i)
			r, created, err := d.CreateRun(t.Context(), in)
			if err != nil {
				t.Errorf("CreateRun: %v", err)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			ids[r.ID]++
			if created {
				made++
			}
		})
	}
	wg.Wait()
	if len(ids) != 1 || made != 1 {
		t.Errorf("20 equal intents made %d runs with %d ids, want one of each", made, len(ids))
	}
}

func TestAnIntentIsNotKeptWhenItsJobCannotBe(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	boom := errors.New("no job")
	if _, _, err := d.CreateRun(t.Context(), intent(1), func(*sql.Tx) error { return boom }); !errors.Is(err, boom) {
		t.Fatalf("CreateRun = %v, want %v", err, boom)
	}
	runs, _, err := d.ListRuns(t.Context(), dbtest.User.ID, atelier.RunFilter{})
	if err != nil || len(runs) != 0 {
		t.Errorf("ListRuns = %d runs, %v, want none", len(runs), err)
	}
}

func TestARunGoesForwardOnly(t *testing.T) {
	t.Parallel()
	d, ctx := dbtest.New(t), t.Context()
	r := create(t, d, 1)
	sent := time.UnixMilli(1_700_000_000_000).UTC()
	steps := []struct {
		name string
		do   func() (bool, error)
		want bool
	}{
		{"create", func() (bool, error) { return d.BeginStep(ctx, r.ID, db.StepCreating, sent) }, true},
		{"create twice", func() (bool, error) { return d.BeginStep(ctx, r.ID, db.StepCreating, sent) }, false},
		{"execute without a task", func() (bool, error) { return d.BeginStep(ctx, r.ID, db.StepExecuting, sent) }, false},
		{"task", func() (bool, error) { return d.SetTask(ctx, r.ID, "t-1") }, true},
		{"create another task", func() (bool, error) { return d.BeginStep(ctx, r.ID, db.StepCreating, sent) }, false},
		{"execute", func() (bool, error) { return d.BeginStep(ctx, r.ID, db.StepExecuting, sent.Add(time.Second)) }, true},
		{"execute twice", func() (bool, error) { return d.BeginStep(ctx, r.ID, db.StepExecuting, sent.Add(time.Minute)) }, false},
		{"accept", func() (bool, error) { return d.Accept(ctx, r.ID, "e-1", "") }, true},
		{"accept twice", func() (bool, error) { return d.Accept(ctx, r.ID, "e-2", "") }, false},
		{"submit again", func() (bool, error) { return d.BeginStep(ctx, r.ID, db.StepExecuting, sent) }, false},
		{"done", func() (bool, error) { return d.SetState(ctx, r.ID, atelier.StateDone, "", nil) }, true},
		{"fail after done", func() (bool, error) { return d.SetState(ctx, r.ID, atelier.StateFailed, "", nil) }, false},
	}
	for _, s := range steps {
		if got, err := s.do(); err != nil || got != s.want {
			t.Errorf("%s = %v, %v, want %v", s.name, got, err, s.want)
		}
	}
	got, err := d.LoadRun(ctx, r.ID)
	if err != nil {
		t.Fatal(err)
	}
	if got.State != atelier.StateDone || got.ExecutionID != "e-1" || got.TaskID != "t-1" || got.Attempt != 1 ||
		!got.FirstSentAt.Equal(sent) || !got.LastSentAt.Equal(sent.Add(time.Second)) {
		t.Errorf("the run is %+v", got)
	}
}

// A task is asked to do one thing at a time, whoever asks.
func TestATaskIsOnItsWayForOneRunOnly(t *testing.T) {
	t.Parallel()
	d, ctx := dbtest.New(t), t.Context()
	for i := range 2 {
		r := create(t, d, i+1)
		if ok, err := d.BeginStep(ctx, r.ID, db.StepCreating, time.Now()); err != nil || !ok {
			t.Fatalf("BeginStep = %v, %v", ok, err)
		}
		if _, err := d.SetTask(ctx, r.ID, "the same task"); sqldb.IsUnique(err) != (i > 0) {
			t.Errorf("run %d with the task: %v", i+1, err)
		}
	}
}

func TestItemsGoForwardOnlyAndKeepTheirIds(t *testing.T) {
	t.Parallel()
	d, ctx := dbtest.New(t), t.Context()
	r := create(t, d, 1)
	if _, err := d.Accept(ctx, r.ID, "e-1", "t-1"); err != nil {
		t.Fatal(err)
	}
	apply := func(status atelier.Status, items ...db.Item) (changed bool, store int) {
		t.Helper()
		changed, err := d.ApplyStatus(ctx, r.ID, status, items, func(_ *sql.Tx, ids []atelier.ResultID) error {
			store = len(ids)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return changed, store
	}
	half := db.Item{Kind: "image", Status: atelier.Running, Progress: .5}
	late := db.Item{Kind: "image", Status: atelier.Running, Progress: .25}
	good := db.Item{Kind: "image", Status: atelier.Success, Progress: 1, URL: "https://cdn.example/1.png"}
	if changed, _ := apply(atelier.Running, half, half); !changed {
		t.Error("the first items changed nothing")
	}
	before, err := d.LoadRun(ctx, r.ID)
	if err != nil {
		t.Fatal(err)
	}
	if changed, _ := apply(atelier.Running, half, half); changed {
		t.Error("the same answer again counts as a change")
	}
	if changed, _ := apply(atelier.Running, late, half); changed {
		t.Error("a late answer turned progress back")
	}
	if changed, store := apply(atelier.Success, good, db.Item{Kind: "image", Status: atelier.Failed, Error: "no subject"}); !changed || store != 1 {
		t.Errorf("success = changed %v, %d to store, want 1", changed, store)
	}
	apply(atelier.Running, late, late)
	after, err := d.LoadRun(ctx, r.ID)
	if err != nil {
		t.Fatal(err)
	}
	if after.Status != atelier.Success || after.Results[0].Status != atelier.Success || after.Results[1].Error != "no subject" {
		t.Errorf("after a late answer the run is %+v", after.Run)
	}
	if before.Results[0].ID != after.Results[0].ID || before.Results[1].ID != after.Results[1].ID {
		t.Error("results changed their ids")
	}
	if n, err := d.CountUnstored(ctx, r.ID); err != nil || n != 1 {
		t.Errorf("CountUnstored = %d, %v, want 1", n, err)
	}
	stored := db.Stored{Blob: db.Blob{SHA256: "ab", Format: "png", Bytes: 7}, Kind: "image", Width: 3, Height: 4, Preview: "data:,"}
	if err := d.SetStored(ctx, after.Results[0].ID, stored); err != nil {
		t.Fatal(err)
	}
	got, err := d.FindResult(ctx, dbtest.User.ID, after.Results[0].ID)
	if err != nil || !got.Stored || got.Width != 3 || got.Height != 4 || got.SHA256 != "ab" || got.Bytes != 7 || got.Thumb == "" {
		t.Errorf("FindResult = %+v, %v", got, err)
	}
	if n, err := d.CountUnstored(ctx, r.ID); err != nil || n != 0 {
		t.Errorf("CountUnstored = %d, %v, want 0", n, err)
	}
}

func TestRunsAreListedNewestFirstInPagesAndByFilter(t *testing.T) {
	t.Parallel()
	d, ctx := dbtest.New(t), t.Context()
	var runs []db.Run
	for n := range 7 {
		runs = append(runs, create(t, d, n))
	}
	if _, err := d.TrashRuns(ctx, dbtest.User.ID, []atelier.RunID{runs[0].ID}, true); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Accept(ctx, runs[5].ID, "e-5", ""); err != nil {
		t.Fatal(err)
	}
	if _, err := d.ApplyStatus(ctx, runs[5].ID, atelier.Success, []db.Item{{Kind: "image", Status: atelier.Success, URL: "u"}}, nothing); err != nil {
		t.Fatal(err)
	}
	done, err := d.LoadRun(ctx, runs[5].ID)
	if err != nil {
		t.Fatal(err)
	}
	board, err := d.CreateBoard(ctx, dbtest.User.ID, atelier.CreateBoard{Name: "Spring"})
	if err != nil {
		t.Fatal(err)
	}
	yes, rating := true, 4
	if _, err := d.UpdateResult(ctx, dbtest.User.ID, done.Results[0].ID, atelier.UpdateResult{Starred: &yes, Rating: &rating, Boards: &[]atelier.BoardID{board.ID}}); err != nil {
		t.Fatal(err)
	}

	tests := []struct {
		name   string
		filter atelier.RunFilter
		want   []int
	}{
		{"all but the trash", atelier.RunFilter{}, []int{6, 5, 4, 3, 2, 1}},
		{"the trash", atelier.RunFilter{Trashed: true}, []int{0}},
		{"by the upstream's word", atelier.RunFilter{Status: atelier.Success}, []int{5}},
		{"by our word", atelier.RunFilter{Status: "accepted"}, []int{5}},
		{"by agent", atelier.RunFilter{Agent: "aipose"}, nil},
		{"every word is found", atelier.RunFilter{Query: "RED_dress run"}, []int{6, 5, 4, 3, 2, 1}},
		{"the beginnings of words are found", atelier.RunFilter{Query: "dre RU"}, []int{6, 5, 4, 3, 2, 1}},
		{"their ends are not", atelier.RunFilter{Query: "ess"}, nil},
		{"a word that is not there", atelier.RunFilter{Query: "red trousers"}, nil},
		{"signs are no syntax", atelier.RunFilter{Query: `red%dress (100%" OR`}, nil},
		{"a percent sign", atelier.RunFilter{Query: "100%"}, []int{6, 5, 4, 3, 2, 1}},
		{"signs alone", atelier.RunFilter{Query: `"*`}, nil},
		{"a search in the trash", atelier.RunFilter{Query: "dress", Trashed: true}, []int{0}},
		{"a search among the starred", atelier.RunFilter{Query: "dress", Starred: true}, []int{5}},
		{"four stars", atelier.RunFilter{Rating: 4}, []int{5}},
		{"five stars", atelier.RunFilter{Rating: 5}, nil},
		{"picked", atelier.RunFilter{Pick: atelier.PickYes}, nil},
		{"not picked", atelier.RunFilter{Pick: atelier.PickNone}, []int{5}},
		{"oldest first", atelier.RunFilter{Sort: atelier.SortOldest}, []int{1, 2, 3, 4, 5, 6}},
		{"a search, oldest first", atelier.RunFilter{Sort: atelier.SortOldest, Query: "dress"}, []int{1, 2, 3, 4, 5, 6}},
		{"starred", atelier.RunFilter{Starred: true}, []int{5}},
		{"on a board", atelier.RunFilter{Board: board.ID}, []int{5}},
		{"from now on", atelier.RunFilter{From: time.Now().Add(time.Hour)}, nil},
		{"until now", atelier.RunFilter{To: time.Now().Add(time.Hour), Limit: 2}, []int{6, 5}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, _, err := d.ListRuns(ctx, dbtest.User.ID, tt.filter)
			if err != nil {
				t.Fatal(err)
			}
			var want, have []atelier.RunID
			for _, n := range tt.want {
				want = append(want, runs[n].ID)
			}
			for _, r := range got {
				have = append(have, r.ID)
			}
			if diff := cmp.Diff(want, have); diff != "" {
				t.Errorf("runs (-want +got):\n%s", diff)
			}
		})
	}

	var seen []atelier.RunID
	for cursor := ""; ; {
		page, next, err := d.ListRuns(ctx, dbtest.User.ID, atelier.RunFilter{Limit: 4, Cursor: cursor})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range page {
			seen = append(seen, r.ID)
		}
		if cursor = next; cursor == "" {
			break
		}
	}
	if len(seen) != 6 {
		t.Errorf("pages of 4 gave %d runs, want 6", len(seen))
	}
}

func TestAnotherUserSeesNothing(t *testing.T) {
	t.Parallel()
	d, ctx := dbtest.New(t), t.Context()
	other := atelier.User{ID: "other", Name: "Other"}
	if err := d.EnsureUser(ctx, other); err != nil {
		t.Fatal(err)
	}
	r := create(t, d, 1)
	if _, err := d.FindRun(ctx, other.ID, r.ID); atelier.CodeOf(err) != atelier.NotFound {
		t.Errorf("FindRun by another user = %v", err)
	}
	if _, err := d.TrashRuns(ctx, other.ID, []atelier.RunID{r.ID}, true); atelier.CodeOf(err) != atelier.NotFound {
		t.Errorf("SetTrashed by another user = %v", err)
	}
	if runs, _, err := d.ListRuns(ctx, other.ID, atelier.RunFilter{}); err != nil || len(runs) != 0 {
		t.Errorf("ListRuns by another user = %d, %v", len(runs), err)
	}
}

func TestAssetsAreKeptOncePerContent(t *testing.T) {
	t.Parallel()
	d, ctx := dbtest.New(t), t.Context()
	a := db.Asset{Asset: atelier.Asset{Kind: "image", Name: "one.png", Width: 600, Height: 700, Format: "png", Bytes: 9, SHA256: "aa"}, UserID: dbtest.User.ID, Sent: db.Blob{SHA256: "aa", Format: "png", Bytes: 9}}
	first, created, err := d.CreateAsset(ctx, a)
	if err != nil || !created {
		t.Fatalf("CreateAsset = %v, %v", created, err)
	}
	second, created, err := d.CreateAsset(ctx, a)
	if err != nil || created {
		t.Fatalf("CreateAsset again = %v, %v", created, err)
	}
	if diff := cmp.Diff(first, second); diff != "" {
		t.Errorf("the same bytes give another asset (-first +second):\n%s", diff)
	}
	m, err := d.CreateMask(ctx, dbtest.User.ID, db.Mask{Mask: atelier.Mask{AssetID: first.ID, Name: "dress", Width: 600, Height: 700, Kept: .25}, SHA256: "bb"})
	if err != nil {
		t.Fatal(err)
	}
	for _, asset := range []atelier.AssetID{"", first.ID} {
		if masks, err := d.ListMasks(ctx, dbtest.User.ID, asset); err != nil || len(masks) != 1 || masks[0].Kept != .25 {
			t.Errorf("ListMasks(%q) = %+v, %v", asset, masks, err)
		}
	}
	if err := d.RenameMask(ctx, dbtest.User.ID, m.ID, "anders"); err != nil {
		t.Fatal(err)
	}
	if got, err := d.FindMask(ctx, dbtest.User.ID, m.ID); err != nil || got.Name != "anders" {
		t.Errorf("renamed, it is called %q: %v", got.Name, err)
	}
	if err := d.DeleteMask(ctx, dbtest.User.ID, m.ID); err != nil {
		t.Error(err)
	}
	if err := d.DeleteMask(ctx, dbtest.User.ID, m.ID); atelier.CodeOf(err) != atelier.NotFound {
		t.Errorf("DeleteMask twice = %v", err)
	}
}

func TestCallbacksAreKeptOncePerBodyAndNotWithoutEnd(t *testing.T) {
	t.Parallel()
	d, ctx := dbtest.New(t), t.Context()
	r := create(t, d, 1)
	looks := 0
	look := func(*sql.Tx) error {
		looks++
		return nil
	}
	for i := range db.MaxCallbacks + 10 {
		for range 2 {
			if err := d.SaveCallback(ctx, r.ID, fmt.Sprint(i), "{}", "192.0.2.1", look); err != nil {
				t.Fatal(err)
			}
		}
	}
	calls, err := d.ListCallbacks(ctx, r.ID)
	if err != nil || len(calls) != db.MaxCallbacks {
		t.Errorf("ListCallbacks = %d, %v, want %d", len(calls), err, db.MaxCallbacks)
	}
	if looks != db.MaxCallbacks {
		t.Errorf("%d looks were asked for, want %d", looks, db.MaxCallbacks)
	}
	if err := d.SaveCallback(ctx, "nobody", "x", "{}", "", look); atelier.CodeOf(err) != atelier.NotFound {
		t.Errorf("a callback for no run = %v", err)
	}
}

func TestACallbackIsAReasonToLookUnlessItsRunIsOver(t *testing.T) {
	t.Parallel()
	d, ctx := dbtest.New(t), t.Context()
	for i, tt := range []struct {
		state atelier.State
		step  string
		look  bool
	}{
		{atelier.StateRecorded, db.StepNone, true},
		{atelier.StateSubmitting, db.StepNone, true},
		{atelier.StateAmbiguous, db.StepDoubted, true},
		{atelier.StateAccepted, db.StepNone, true},
		{atelier.StateUnconfirmed, db.StepNone, true}, // what may have been paid for
		{atelier.StateFailed, db.StepDismissed, true},
		{atelier.StateFailed, db.StepUnseen, true},
		{atelier.StateFailed, db.StepNone, false},
		{atelier.StateDone, db.StepNone, false},
	} {
		r := create(t, d, i+1)
		if _, err := d.Write.ExecContext(ctx, `UPDATE runs SET state = $1, step = $2 WHERE id = $3`, string(tt.state), tt.step, string(r.ID)); err != nil {
			t.Fatal(err)
		}
		look := false
		err := d.SaveCallback(ctx, r.ID, "sha", "{}", "192.0.2.1", func(*sql.Tx) error {
			look = true
			return nil
		})
		if err != nil || look != tt.look {
			t.Errorf("a callback for a run that is %s (%q): %v, look %v, want %v", tt.state, tt.step, err, look, tt.look)
		}
	}
}

func BenchmarkGalleryPage(b *testing.B) {
	d := dbtest.New(b)
	ctx := b.Context()
	for n := range 2000 {
		r, _, err := d.CreateRun(ctx, intent(n))
		if err != nil {
			b.Fatal(err)
		}
		if _, err := d.Accept(ctx, r.ID, fmt.Sprint(n), ""); err != nil {
			b.Fatal(err)
		}
		item := db.Item{Kind: "image", Status: atelier.Success, URL: "u"}
		if _, err := d.ApplyStatus(ctx, r.ID, atelier.Success, []db.Item{item, item, item, item}, nothing); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		if _, _, err := d.ListRuns(ctx, dbtest.User.ID, atelier.RunFilter{Limit: 24}); err != nil {
			b.Fatal(err)
		}
	}
}

// Who looks for a run in vain may be slower than who finds it: what is accepted stays so until it ends.
func TestAnAcceptedRunIsNotLostAgain(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	run := create(t, d, 1)
	if ok, err := d.Accept(t.Context(), run.ID, "e-1", ""); err != nil || !ok {
		t.Fatalf("%v, %v", ok, err)
	}
	for _, to := range []struct {
		state atelier.State
		step  string
	}{{atelier.StateUnconfirmed, ""}, {atelier.StateAmbiguous, ""}, {atelier.StateRecorded, db.StepNone}, {atelier.StateFailed, db.StepDismissed}} {
		if changed, err := d.SetState(t.Context(), run.ID, to.state, to.step, nil); err != nil || changed {
			t.Errorf("to %s: changed %v, %v", to.state, changed, err)
		}
	}
	if changed, err := d.SetState(t.Context(), run.ID, atelier.StateFailed, "", nil); err != nil || !changed {
		t.Errorf("its end: changed %v, %v", changed, err)
	}
}

// How long a run has been looked for in vain is how long without a pause: a studio that was switched off did not look. A look that worked,
// or a new request, begins anew.
func TestLooksInVainCountFromTheFirstOfThem(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	run := create(t, d, 1)
	begin := func(at time.Time) {
		t.Helper()
		if ok, err := d.BeginStep(t.Context(), run.ID, db.StepExecuting, at); err != nil || !ok {
			t.Fatalf("BeginStep = %v, %v", ok, err)
		}
		if ok, err := d.SetState(t.Context(), run.ID, atelier.StateAmbiguous, db.StepExecuting, nil); err != nil || !ok {
			t.Fatalf("SetState = %v, %v", ok, err)
		}
	}
	start := time.UnixMilli(1_700_000_000_000)
	begin(start)
	look := func(at, want time.Duration) {
		t.Helper()
		since, open, err := d.LookInVain(t.Context(), run.ID, start.Add(at), time.Minute, &atelier.Error{Code: atelier.UpstreamBusy, Message: "Later."})
		if err != nil || !open || !since.Equal(start.Add(want)) {
			t.Errorf("at %v it has been so since %v, %v, %v; want %v", at, since.Sub(start), open, err, want)
		}
	}
	look(0, 0)
	look(time.Minute, 0)
	look(2*time.Minute, 0)
	look(time.Hour, time.Hour) // after a pause
	look(time.Hour+time.Second, time.Hour)
	look(0, 0) // the clock was set back
	if now, err := d.LoadRun(t.Context(), run.ID); err != nil || now.Error == nil || now.Error.Message != "Later." {
		t.Errorf("the run says %+v, %v", now.Error, err)
	}
	if _, err := d.CountMiss(t.Context(), run.ID); err != nil {
		t.Fatal(err)
	}
	if now, err := d.LoadRun(t.Context(), run.ID); err != nil || now.Error != nil {
		t.Errorf("after a look that worked the run says %+v, %v", now.Error, err)
	}
	look(time.Second, time.Second)
	if ok, err := d.SetState(t.Context(), run.ID, atelier.StateRecorded, db.StepCreated, nil); err != nil || !ok {
		t.Fatalf("SetState = %v, %v", ok, err)
	}
	if _, open, err := d.LookInVain(t.Context(), run.ID, start, time.Minute, &atelier.Error{}); err != nil || open {
		t.Errorf("a run that is to be sent again: %v, %v", open, err)
	}
	begin(start)
	look(2*time.Second, 2*time.Second)
}
