package crashes

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"atelier/atelier"
	"atelier/db"
	"atelier/upstream"
)

// K8: a studio goes back to a backup that was taken at any moment of its runs. All that the service has done is there again,
// once, and nothing is made a second time.
func TestK8ABackupOfAnyMomentFindsItsRunsAgain(t *testing.T) {
	t.Parallel()
	const backups = 20
	chance := rand.New(rand.NewPCG(8, 1))
	for i := range backups {
		sc := scenarios[i%4] // runs that are listed nowhere cannot be found again
		moment, runs := 1+chance.IntN(60), 2+chance.IntN(2)
		t.Run(fmt.Sprintf("%s, change %d", sc.name, moment), func(t *testing.T) {
			t.Parallel()
			restoreAt(t, sc, moment, runs)
		})
	}
}

func restoreAt(t *testing.T, sc scenario, at, runs int) {
	t.Helper()
	b, err := begin()
	if err != nil {
		t.Fatal(err)
	}
	ctx, quiet := t.Context(), slog.New(slog.DiscardHandler)
	folder, backup := t.TempDir(), t.TempDir()
	copyFolder(t, b.folder, folder)
	far := newLedger()
	wire := upstream.InProcess(far)

	var mu sync.Mutex
	var takenAt time.Time
	changes := 0
	take := func() {
		takenAt = time.Now()
		if err := freeze(context.WithoutCancel(ctx), folder, backup); err != nil {
			t.Errorf("take a backup: %v", err)
		}
	}
	first, err := open(ctx, folder, sc, wire, func(string) {
		mu.Lock()
		defer mu.Unlock()
		if changes++; changes == at {
			take()
		}
	}, quiet)
	if err != nil {
		t.Fatal(err)
	}
	for i := range runs {
		if _, err := first.start(ctx, b.cookie, key(i), b.asset); err != nil {
			t.Fatal(err)
		}
	}
	if err := first.settled(ctx); err != nil {
		t.Fatal(err)
	}
	if err := first.close(); err != nil {
		t.Fatal(err)
	}
	if takenAt.IsZero() {
		take() // it had fewer moments
	}
	var made []string
	for _, executions := range far.book() {
		made = append(made, executions...)
	}
	if len(made) != runs {
		t.Fatalf("%d runs were made of %d", len(made), runs)
	}

	d, err := db.Open(ctx, filepath.Join(backup, "studio.db"))
	if err != nil {
		t.Fatal(err)
	}
	if err := d.MakeRestored(ctx, takenAt); err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	second, err := open(ctx, backup, sc, wire, nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := second.close(); err != nil {
			t.Error(err)
		}
	}()
	var cookie string
	if err := second.ask(ctx, "", http.MethodPost, "/api/session", atelier.Login{Token: fixedToken}, &cookie); err != nil {
		t.Fatal(err)
	}
	slices.Sort(made)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	patience, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	for {
		known, open, err := second.executions(ctx, cookie)
		if err != nil {
			t.Fatal(err)
		}
		if open == 0 && slices.Equal(known, made) {
			break
		}
		select {
		case <-tick.C:
		case <-patience.Done():
			t.Fatalf("the restored studio knows %v and has %d runs open; the service has %v", known, open, made)
		}
	}
	var again []string
	for _, executions := range far.book() {
		again = append(again, executions...)
	}
	if slices.Sort(again); !slices.Equal(again, made) {
		t.Errorf("the service has made %v, and had made %v before the backup was restored", again, made)
	}
	for _, problem := range second.whole(ctx) {
		t.Error(problem)
	}
}

// executions gives what the studio knows, in order, and how many runs are not done.
func (s *studio) executions(ctx context.Context, cookie string) (known []string, open int, err error) {
	var page atelier.RunPage
	if err := s.ask(ctx, cookie, http.MethodGet, "/api/runs?limit=200", nil, &page); err != nil {
		return nil, 0, err
	}
	for _, r := range page.Runs {
		if r.State != atelier.StateDone {
			open++
		}
		known = append(known, r.ExecutionID)
	}
	slices.Sort(known)
	return known, open, nil
}
