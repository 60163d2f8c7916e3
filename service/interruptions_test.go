package service

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"atelier/internal/killable"
	"atelier/internal/sqldb"
	"atelier/service/migrations"
	"atelier/upstream"
)

// deathOf ends the process, as kill -9 does, when a picture is placed while an execution is worked on.
func (s *Service) deathOf(execution string) func(string) {
	return func(name string) {
		if name != "placed "+kindResult {
			return
		}
		s.bench.mu.Lock()
		worked := s.bench.claimed[piece{kind: renderJob{}.Kind(), id: execution}] != nil &&
			slices.ContainsFunc(s.bench.seated, func(seated *seat) bool { return seated.execution == execution })
		s.bench.mu.Unlock()
		if worked {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
	}
}

// mortal is a service that dies, with a client and its folder.
func mortal(t *testing.T, env ...string) (p *killable.Process, c *client, folder string) {
	t.Helper()
	hooks := newListener(t)
	folder = t.TempDir()
	address := killable.Address(t)
	p = killable.New(t, append(env, childFolder+"="+folder, childListen+"="+address, childHooks+"="+strings.TrimPrefix(hooks.URL, "http://"))...)
	return p, &client{
		t: t, http: &http.Client{Timeout: patience}, address: address, hooks: hooks,
		uploads: map[string][]byte{}, tasks: map[string][]string{}, asked: map[string]int{},
		runs: map[string]string{}, bodies: map[string][]byte{}, psds: map[string]bool{},
	}, folder
}

// beginnings asks the folder of a service that has ended how often the first item of an execution was begun without ending.
func beginnings(t *testing.T, folder, execution string) (n int64) {
	t.Helper()
	d, err := sqldb.OpenToRead(filepath.Join(folder, "service.db"))
	if err != nil {
		t.Fatal(err)
	}
	err = d.QueryRowContext(t.Context(), `SELECT attempts FROM item WHERE execution_id = $1 AND n = 0`, execution).Scan(&n)
	if err = errors.Join(err, d.Close()); err != nil {
		t.Fatal(err)
	}
	return n
}

// accepted starts the service and has it accept executions, none of which ends meanwhile.
func (c *client) accepted(p *killable.Process, n int) (executions []string) {
	c.t.Helper()
	p.Start(childSlow + "=1h")
	source, ok := c.upload()
	if !ok {
		c.t.Fatal("the service does not answer")
	}
	task, ok := c.task("removeBG", source)
	for range n {
		var id string
		if ok {
			id, ok = c.execute(task, cutOut())
		}
		if !ok {
			c.t.Fatal("the service does not answer")
		}
		executions = append(executions, id)
	}
	p.Kill()
	return executions
}

func TestKillsDoNotGiveWorkUp(t *testing.T) {
	t.Parallel()
	p, c, folder := mortal(t)
	execution := c.accepted(p, 1)[0]
	for n := range maxAttempts + 2 {
		if !p.Start(childMoment+"=placed "+kindResult, childCount+"=1") {
			continue
		}
		if n >= trusted { // the work waits until the service has been up for a while
			p.Kill()
			continue
		}
		select {
		case <-p.Ended():
		case <-time.After(patience):
			t.Fatal("the service does not begin the work")
		}
	}
	p.Start()
	if e, ok := c.ended(execution); !ok || e.Status != statusSuccess {
		t.Errorf("the execution is %s: %+v", e.Status, e.Result)
	}
	if err := p.Terminate(); err != nil {
		t.Error(err)
	}
	if n := beginnings(t, folder, execution); n <= trusted {
		t.Errorf("it was begun %d times: the kills did not find it at work", n)
	}
}

func TestDeadlyWorkEndsAndTakesNothingWithIt(t *testing.T) {
	t.Parallel()
	p, c, folder := mortal(t, childPause+"=1us")
	executions := c.accepted(p, 6)
	poison, others := executions[1], append(executions[:1:1], executions[2:]...)
	for deaths := 0; ; deaths++ {
		if deaths > maxAttempts+1 { // one of them may come between being seated and the beginning
			t.Fatalf("the service died %d times", deaths)
		}
		if !p.Start(childPoison + "=" + poison) {
			continue
		}
		if e, ok := c.ended(poison); ok {
			if e.Status != statusFailed || e.Result[0].Error != asFailure(errGaveUp).message || deaths < maxAttempts-1 {
				t.Errorf("after %d deaths the execution is %s: %+v", deaths, e.Status, e.Result)
			}
			break
		}
		<-p.Ended()
	}
	for _, id := range others {
		if e, ok := c.ended(id); !ok || e.Status != statusSuccess {
			t.Errorf("another execution is %s: %+v", e.Status, e.Result)
		}
	}
	if err := p.Terminate(); err != nil {
		t.Error(err)
	}
	for _, id := range others {
		if n := beginnings(t, folder, id); n > trusted+1 {
			t.Errorf("another execution was begun %d times", n)
		}
	}
}

// whatEndsTheProcess is a kind of work of which one piece ends the process each time it is begun.
type whatEndsTheProcess struct {
	kind   string
	ask    func(c *client, task, ended string) (ok bool) // asks for a piece; ended is an execution that has ended
	source string                                        // of task, where it is not an upload
	begun  string                                        // sets how often a piece was begun
	first  string                                        // gives the id of the piece that was asked for first
	state  string                                        // gives how the piece stands
	failed string
	others string // tells whether there are other pieces and all are done: more than one, where the process ended before it had answered
}

func TestDeadlyWorkOfAnyKindIsGivenUp(t *testing.T) {
	t.Parallel()
	testDeadlyWork(t, 2)
}

func TestSlowDeadlyWorkOfAnyKindIsGivenUp(t *testing.T) {
	t.Parallel()
	testDeadlyWork(t, maxAttempts)
}

// testDeadlyWork has pieces of each kind of work that a start takes up again end the process each time. Such a piece is given up after
// maxAttempts deaths, of which the last ones are died here; the other one of its kind is done.
func testDeadlyWork(t *testing.T, deaths int) {
	execute := func(c *client, task, _ string) bool {
		_, ok := c.execute(task, cutOut())
		return ok
	}
	for _, w := range []whatEndsTheProcess{
		{
			kind: psdJob{}.Kind(), ask: func(c *client, _, ended string) bool { return c.psd(ended) },
			begun: `UPDATE psd SET beginnings = $1 WHERE execution_id = $2`,
			first: `SELECT execution_id FROM psd`, state: `SELECT status FROM psd WHERE execution_id = $1`, failed: statusFailed,
			others: `SELECT count(*) > 0 AND min(status = 'Success') FROM psd WHERE execution_id <> $1`,
		},
		{
			kind: presetJob{}.Kind(), ask: func(c *client, _, _ string) bool {
				source, ok := c.upload()
				return ok && c.post(upstream.PathLocationCreate, upstream.MyLocationCreate{
					Image: source, Name: "place", AgentName: "aimodel", AgentVersion: "v1.0",
				}, &upstream.MyLocation{})
			},
			begun: `UPDATE my_preset SET beginnings = $1 WHERE id = $2`,
			first: `SELECT id FROM my_preset`, state: `SELECT status FROM my_preset WHERE id = $1`, failed: "failed",
			others: `SELECT count(*) > 0 AND min(status = 'complete') FROM my_preset WHERE id <> $1`,
		},
		{
			kind: sourcesJob{}.Kind(), ask: execute, source: "/elsewhere.jpg",
			begun: `UPDATE execution SET attempts = $1 WHERE id = $2`,
			first: `SELECT id FROM execution WHERE ended_at = 0`, state: `SELECT status FROM execution WHERE id = $1`, failed: statusFailed,
			others: `SELECT count(*) > 2 AND min(status = 'Success') FROM execution WHERE id <> $1`, // two had ended before
		},
		{
			kind: deliveryJob{}.Kind(), ask: execute,
			begun: `UPDATE delivery SET beginnings = $1 WHERE id = $2`,
			first: `SELECT id FROM delivery WHERE state = 'waiting'`, state: `SELECT state FROM delivery WHERE id = $1`, failed: deliveryGivenUp,
			others: `SELECT count(*) > 6 AND min(state = 'delivered') FROM delivery WHERE id <> $1`, // of four executions, two each
		},
	} {
		t.Run(w.kind, func(t *testing.T) {
			t.Parallel()
			w.isGivenUp(t, deaths)
		})
	}
}

func (w whatEndsTheProcess) isGivenUp(t *testing.T, left int) {
	p, c, folder := mortal(t, childPause+"=1us")
	p.Start()
	source, ok := c.upload()
	if !ok {
		t.Fatal("the service does not answer")
	}
	var finished []string
	for range 2 {
		task, ok := c.task("removeBG", source)
		var id string
		if ok {
			id, ok = c.execute(task, cutOut())
		}
		if ok {
			_, ok = c.ended(id)
		}
		if !ok {
			t.Fatal("the service does not answer")
		}
		finished = append(finished, id)
	}
	c.untilTold(finished)
	if w.source != "" {
		source = c.hooks.URL + w.source
	}
	task, ok := c.task("removeBG", source)
	p.Kill()
	if !ok || !p.Start(childMoment+"=began "+w.kind, childCount+"=1") {
		t.Fatal("the service does not answer")
	}
	w.ask(c, task, finished[0]) // perhaps it dies before it answers
	<-p.Ended()
	poison := said(t, folder, w.first)
	set(t, folder, w.begun, maxAttempts-left, poison)
	asked := false
	deaths := 0
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for state := ""; state != w.failed; {
		if deaths > left {
			t.Fatalf("the service died %d times", deaths)
		}
		if !p.Start(childMoment+"=undertook "+w.kind+" "+poison, childCount+"=1") {
			deaths++
			continue
		}
		if !asked {
			asked = w.ask(c, task, finished[1])
		}
	alive:
		for {
			select {
			case <-p.Ended():
				deaths++
				break alive
			case <-tick.C:
				if state = said(t, folder, w.state, poison); state == w.failed {
					break alive
				}
			}
		}
	}
	if deaths != left {
		t.Errorf("it was given up after %d deaths, want %d", deaths, left)
	}
	if !asked && !w.ask(c, task, finished[1]) {
		t.Fatal("the service does not answer")
	}
	for end := time.After(patience); said(t, folder, w.others, poison) != "1"; {
		select {
		case <-tick.C:
		case <-end:
			t.Fatal("the other one is never done")
		}
	}
	if err := p.Terminate(); err != nil {
		t.Error(err)
	}
}

// untilTold waits until the ends of executions were told.
func (c *client) untilTold(executions []string) {
	c.t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for end := time.After(patience); ; {
		c.hooks.mu.Lock()
		told := !slices.ContainsFunc(executions, func(id string) bool { return !slices.Contains(c.hooks.taken[id], statusSuccess) })
		c.hooks.mu.Unlock()
		if told {
			return
		}
		select {
		case <-tick.C:
		case <-end:
			c.t.Fatal("an end is never told")
		}
	}
}

// said reads one value out of the database of a service, which may be running, as text.
func said(t *testing.T, folder, query string, args ...any) (text string) {
	t.Helper()
	d, err := sqldb.OpenToRead(filepath.Join(folder, "service.db"))
	if err != nil {
		t.Fatal(err)
	}
	err = d.QueryRowContext(t.Context(), query, args...).Scan(&text)
	if err = errors.Join(err, d.Close()); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return text
}

// set changes the database of a service that has ended.
func set(t *testing.T, folder, change string, args ...any) {
	t.Helper()
	d, err := sqldb.Open(t.Context(), filepath.Join(folder, "service.db"), migrations.Files)
	if err != nil {
		t.Fatal(err)
	}
	_, err = d.Write.ExecContext(t.Context(), change, args...)
	if err = errors.Join(err, d.Close()); err != nil {
		t.Fatalf("%s: %v", change, err)
	}
}

func TestWhatIsWorkedOnAloneHasNothingBesideIt(t *testing.T) {
	t.Parallel()
	for _, at := range []place{pictureAt, filmAt} {
		synctest.Test(t, func(t *testing.T) {
			b := newBench(4, 100)
			first := sits(t, b, &seat{at: pictureAt, memory: 1})
			alone := make(chan func())
			go func() {
				leave, err := b.sit(t.Context(), &seat{at: at, turn: 1, memory: 1, alone: true})
				if err != nil {
					t.Error(err)
				}
				alone <- leave
			}()
			synctest.Wait()
			if len(b.seated) != 1 {
				t.Error("it is worked on beside a picture")
			}
			first()
			leave := <-alone
			for _, other := range []place{pictureAt, filmAt} {
				if _, ok := b.sitAtOnce(&seat{at: other}); ok {
					t.Errorf("at %d, something is worked on beside it", other)
				}
			}
			sits(t, b, &seat{memory: 99})() // answers go on
			if at == filmAt {
				if _, err := b.sit(t.Context(), &seat{at: pictureAt}); !errors.Is(err, errAfterFilm) {
					t.Errorf("a picture waits with %v", err)
				}
			}
			leave()
			film := sits(t, b, &seat{at: filmAt})
			if _, err := b.sit(t.Context(), &seat{at: pictureAt, alone: true}); !errors.Is(err, errAfterFilm) {
				t.Errorf("beside a video it waits with %v", err)
			}
			film()
		})
	}
}
