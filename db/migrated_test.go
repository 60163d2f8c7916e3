package db_test

import (
	"path/filepath"
	"testing"

	"atelier/atelier"
	"atelier/db"
	"atelier/db/dbtest"
)

// Of runs that an earlier version made, the addresses of their results tell what made them.
func TestOlderRunsAreKnownByTheAddressesOfTheirResults(t *testing.T) {
	t.Parallel()
	ctx, path := t.Context(), filepath.Join(t.TempDir(), "studio.db")
	d, err := db.Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.EnsureUser(ctx, dbtest.User); err != nil {
		t.Fatal(err)
	}
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
	for _, statement := range []string{"DROP TABLE identity", "ALTER TABLE runs DROP COLUMN place", "ALTER TABLE runs DROP COLUMN upstream", "DELETE FROM goose_db_version WHERE version_id >= 21"} {
		if _, err := d.Write.ExecContext(ctx, statement); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if d, err = db.Open(ctx, path); err != nil {
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
