package db_test

import (
	"fmt"
	"testing"

	"atelier/atelier"
	"atelier/db"
	"atelier/db/dbtest"
)

// BenchmarkLife records the life of a run: that it is wanted and accepted, four results under way, made, stored, compared and rated, each
// in a transaction of its own. What a cut of the power would need is left out, so that the work itself is seen.
func BenchmarkLife(b *testing.B) {
	d := dbtest.New(b)
	for _, p := range []string{"PRAGMA synchronous = off", "PRAGMA wal_autocheckpoint = 100000"} {
		if _, err := d.Write.ExecContext(b.Context(), p); err != nil {
			b.Fatal(err)
		}
	}
	check := func(err error) {
		if err != nil {
			b.Helper()
			b.Fatal(err)
		}
	}
	ctx, three := b.Context(), 3
	for n := 0; b.Loop(); n++ {
		run, _, err := d.CreateRun(ctx, intent(n))
		check(err)
		_, err = d.Accept(ctx, run.ID, fmt.Sprint("e-", n), "")
		check(err)
		for _, status := range []atelier.Status{atelier.Running, atelier.Success} {
			_, err = d.ApplyStatus(ctx, run.ID, status, items(status), nothing)
			check(err)
		}
		made, err := d.FindRun(ctx, dbtest.User.ID, run.ID)
		check(err)
		for _, r := range made.Results {
			check(d.SetStored(ctx, r.ID, db.Stored{Blob: db.Blob{SHA256: fmt.Sprintf("%064d", n), Format: "png", Bytes: 1}, Kind: "image", Width: 1, Height: 1}))
			check(d.SetFidelity(ctx, r.ID, db.Compared{Score: .9, HeatSHA: "x"}))
		}
		_, err = d.UpdateResult(ctx, dbtest.User.ID, made.Results[0].ID, atelier.UpdateResult{Rating: &three})
		check(err)
		_, err = d.SetState(ctx, run.ID, atelier.StateDone, "", nil)
		check(err)
	}
}

func items(status atelier.Status) (of []db.Item) {
	for range 4 {
		of = append(of, db.Item{Kind: "image", Status: status, URL: "https://example.com/a"})
	}
	return of
}
