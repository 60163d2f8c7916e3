package db_test

import (
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"atelier/atelier"
	"atelier/db"
	"atelier/db/dbtest"
)

// What takes back the columns of migrations 24 and 25.
const (
	notInLine    = "ALTER TABLE runs DROP COLUMN in_line"
	notUnfetched = "ALTER TABLE results DROP COLUMN unfetched"
	notEdges     = "DROP TRIGGER IF EXISTS list_changed; ALTER TABLE results DROP COLUMN edge_doubt; ALTER TABLE results DROP COLUMN edge"
)

// studioIn makes a database with a user, and says where it is.
func studioIn(t *testing.T) (d *db.DB, path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "studio.db")
	d, err := db.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.EnsureUser(t.Context(), dbtest.User); err != nil {
		t.Fatal(err)
	}
	return d, path
}

// noCosts takes back the migration that keeps costs.
var noCosts = []string{
	"DROP TABLE upstream_facts", "ALTER TABLE asked DROP COLUMN power", "ALTER TABLE runs DROP COLUMN mask_by_url",
	"ALTER TABLE runs DROP COLUMN power_left", "ALTER TABLE runs DROP COLUMN power",
}

// asBefore leaves a database as it was before a migration, by statements that take back that one and all later ones.
func asBefore(t *testing.T, d *db.DB, migration int, statements ...string) {
	t.Helper()
	statements = append(statements, noCosts...)
	for _, statement := range append(statements, "DELETE FROM goose_db_version WHERE version_id >= "+strconv.Itoa(migration)) {
		if _, err := d.Write.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
}

// Earlier versions knew by the sentences that were shown which runs wait in line, and which pictures are fetched again by a restart.
func TestWhatWaitsIsKnownFromAnEarlierVersion(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	d, path := studioIn(t)
	inLine, aside, asker := create(t, d, 0), create(t, d, 1), create(t, d, 2)
	for id, sentence := range map[atelier.RunID]string{
		inLine.ID: "The image service has enough to do. This run waits its turn and starts by itself.",
		aside.ID:  "The image service cannot be reached. This run starts by itself as soon as it can.",
	} {
		why := &atelier.Error{Code: atelier.UpstreamBusy, Message: sentence, Retryable: true}
		if ok, err := d.SetState(ctx, id, atelier.StateRecorded, "", why); err != nil || !ok {
			t.Fatal(ok, err)
		}
	}
	var lost []atelier.ResultID
	made := create(t, d, 3)
	if _, err := d.Accept(ctx, made.ID, made.Tag, ""); err != nil {
		t.Fatal(err)
	}
	items := []db.Item{{Kind: "image", Status: atelier.Success, URL: "https://images.example/a.png"}, {Kind: "image", Status: atelier.Success, URL: "https://images.example/b.png"}}
	if _, err := d.ApplyStatus(ctx, made.ID, atelier.Success, items, nothing); err != nil {
		t.Fatal(err)
	}
	run, err := d.LoadRun(ctx, made.ID)
	if err != nil {
		t.Fatal(err)
	}
	for i, sentence := range []string{
		"This picture was made but could not be fetched from the image service.",
		"This picture was made, and the image service does not hand it out any more.",
	} {
		lost = append(lost, run.Results[i].ID)
		if err := d.SetResultError(ctx, lost[i], sentence, false); err != nil {
			t.Fatal(err)
		}
	}
	asBefore(t, d, 24, notInLine, notUnfetched, notEdges)
	if d, err = db.Open(ctx, path); err != nil {
		t.Fatal(err)
	}
	if n, err := d.CountAhead(ctx, asker.ID, 0); err != nil || n != 1 {
		t.Errorf("%d runs are ahead, %v", n, err)
	}
	if n, err := d.TakeUpGivenUp(ctx, time.Now().Add(-time.Hour), 10); err != nil || n != 1 {
		t.Errorf("%d results are fetched again, %v", n, err)
	}
	for i, want := range []bool{false, true} {
		if r, err := d.LoadResult(ctx, lost[i]); err != nil || (r.Error != "") != want {
			t.Errorf("result %d says %q, %v", i, r.Error, err)
		}
	}
	if n, err := d.TakeUpGivenUp(ctx, time.Now().Add(-time.Hour), 10); err != nil || n != 0 {
		t.Errorf("%d results are fetched a third time, %v", n, err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
}

// Of runs that an earlier version made, the addresses of their results tell what made them.
func TestOlderRunsAreKnownByTheAddressesOfTheirResults(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	d, path := studioIn(t)
	want := map[atelier.RunID]string{}
	for n, address := range []string{"http://embedded.atelier.internal/openapi/files/a.png", "https://images.example/a.png", ""} {
		run := create(t, d, n)
		if _, err := d.Accept(ctx, run.ID, run.Tag, ""); err != nil {
			t.Fatal(err)
		}
		if _, err := d.ApplyStatus(ctx, run.ID, atelier.Running, []db.Item{{Kind: "image", Status: atelier.Running, URL: address}}, nothing); err != nil {
			t.Fatal(err)
		}
		want[run.ID] = []string{"embedded", "remote", ""}[n]
	}
	asBefore(t, d, 21, "DROP TABLE identity", "ALTER TABLE runs DROP COLUMN place", "ALTER TABLE runs DROP COLUMN upstream", notInLine, notUnfetched, notEdges)
	d, err := db.Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	for id, upstream := range want {
		run, err := d.LoadRun(ctx, id)
		if err != nil || run.Upstream != upstream {
			t.Errorf("made by %q, want %q, %v", run.Upstream, upstream, err)
		}
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
}
