package service

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"

	"atelier/imaging/testpics"
	"atelier/upstream"
)

// finishedOrder waits for the end of everything and gives, for each execution in the order they ended, whose it is.
func (w *world) finishedOrder(owners map[string]string) (order []string) {
	w.t.Helper()
	eventually(w.t, func() int { return w.count(`SELECT count(*) FROM execution WHERE ended_at = 0`) }, func(n int) bool { return n == 0 })
	rows, err := w.svc.db.Read.QueryContext(w.t.Context(), `SELECT e.id, e.status FROM execution e JOIN item i ON i.execution_id = e.id
		JOIN file f ON f.id = i.file_id GROUP BY e.id ORDER BY max(f.created_at), e.ended_at`)
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var id, status string
		if err := rows.Scan(&id, &status); err != nil {
			w.t.Fatal(err)
		}
		if status != statusSuccess {
			w.t.Errorf("execution %s ended %s", id, status)
		}
		order = append(order, owners[id])
	}
	if err := rows.Err(); err != nil {
		w.t.Fatal(err)
	}
	return order
}

func TestAccountsTakeTurns(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(cfg *Config) { cfg.Workers = 1 })
	w.rest()
	source := w.upload(testpics.JPEG(photo()))
	owners := map[string]string{}
	order := func(account string, runs, items int) {
		w.key = w.newKey(account)
		task := w.task("removeBG", source)
		for range runs {
			owners[w.execute(task, cutOut("batchCount", items))] = account
		}
	}
	order("pile", 20, 1)
	order("some", 9, 1)
	order("one", 1, 1)
	w.restart()
	got := w.finishedOrder(owners)
	if len(got) != 30 {
		t.Fatalf("%d of 30 executions were done", len(got))
	}
	// The three lines are worked off side by side: the one run is among the first three, and each of the nine after as many
	// of the pile.
	if at := slices.Index(got, "one"); at > 2 {
		t.Errorf("the account with one run waited for %d others: %v", at, got)
	}
	var pile, some int
	for _, account := range got {
		switch account {
		case "pile":
			pile++
		case "some":
			some++
			if pile > some+1 {
				t.Fatalf("the %d. run of nine came after %d of the pile: %v", some, pile, got)
			}
		}
	}
}

// TestFiftyRunsTakeTurnsAndAllEnd: ten runs of each of five accounts wait for as many places as there are processors.
func TestFiftyRunsTakeTurnsAndAllEnd(t *testing.T) {
	t.Parallel()
	const accounts, runs = 5, 10
	w := newWorld(t, nil)
	body := w.runBody()
	w.rest()
	owners := map[string]string{}
	var mu sync.Mutex
	for i := range accounts { // whoever comes last has forty before them
		var all sync.WaitGroup
		account := fmt.Sprint("account ", i)
		key := w.newKey(account)
		for range runs {
			all.Go(func() {
				id := must[upstream.RunStarted](t, w.post(upstream.PathRuns, key, body)).ExecutionID
				mu.Lock()
				defer mu.Unlock()
				owners[id] = account
			})
		}
		all.Wait()
	}
	w.restart()
	order := w.finishedOrder(owners)
	if len(owners) != accounts*runs || len(order) != accounts*runs {
		t.Fatalf("%d of %d runs were accepted and %d done", len(owners), accounts*runs, len(order))
	}
	// At any moment no account is more than a round ahead of another, but for what is worked on at once.
	done := map[string]int{}
	for n, account := range order {
		done[account]++
		least := runs
		for i := range accounts {
			least = min(least, done[fmt.Sprint("account ", i)])
		}
		if ahead := done[account] - least; ahead > 2+runtime.GOMAXPROCS(0) {
			t.Errorf("after %d runs %s is %d ahead: %v", n+1, account, ahead, order[:n+1])
		}
	}
}

func TestWhoComesLaterDoesNotWaitForThePile(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(cfg *Config) { cfg.Workers = 1 })
	w.rest()
	source := w.upload(testpics.JPEG(photo()))
	owners := map[string]string{}
	task := w.task("removeBG", source)
	for range 18 {
		owners[w.execute(task, cutOut())] = "pile"
	}
	// Ten of the pile have been begun when the visitor comes.
	w.svc.line.reached(10)
	w.key = w.newKey("visitor")
	visit := w.execute(w.task("removeBG", source), cutOut())
	owners[visit] = "visitor"
	w.restart()
	if got := w.finishedOrder(owners); slices.Index(got, "visitor") > 11 {
		t.Errorf("the visitor came after %d of the pile", slices.Index(got, "visitor"))
	}
}

func TestTheRestOfALargeBatchLetsASmallOnePass(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(cfg *Config) { cfg.Workers = 1 })
	w.rest()
	source := w.upload(testpics.JPEG(photo()))
	task := w.task("removeBG", source)
	owners := map[string]string{
		w.execute(task, cutOut("batchCount", 8)): "large",
		w.execute(task, cutOut("batchCount", 2)): "small",
	}
	w.restart()
	if got := w.finishedOrder(owners); got[0] != "small" {
		t.Errorf("a colleague's two pictures waited for all eight: %v", got)
	}
	var batch upstream.Execution
	for id, owner := range owners {
		if owner == "large" {
			batch = w.query(id).Executions[0]
		}
	}
	if batch.Status != statusSuccess || len(batch.Result) != 8 {
		t.Errorf("the batch is %s with %d results", batch.Status, len(batch.Result))
	}
}

func TestTurnsOnlyRise(t *testing.T) {
	t.Parallel()
	var l line
	for _, turn := range []int64{3, 1, 7, 7, 2} {
		l.reached(turn)
	}
	if got := l.now(); got != 7 {
		t.Errorf("the line stands at %d, want 7", got)
	}
	last := ""
	for _, turn := range []int64{0, 1, 59, 60, 3600, 86400, 100_000_000} {
		at := queueTime(turn)
		if at <= last {
			t.Errorf("turn %d is written as %s, before %s", turn, at, last)
		}
		last = at
	}
}
