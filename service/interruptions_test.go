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
		t: t, http: &http.Client{Timeout: 30 * time.Second}, address: address, hooks: hooks,
		uploads: map[string][]byte{}, tasks: map[string][]string{}, asked: map[string]int{},
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

// accepted starts the service and has it accept executions.
func (c *client) accepted(p *killable.Process, n int) (executions []string) {
	c.t.Helper()
	p.Start()
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

func TestWorkIsNotGivenUpForKillsHoweverMany(t *testing.T) {
	t.Parallel()
	p, c, folder := mortal(t)
	execution := c.accepted(p, 1)[0]
	for range maxAttempts + 5 {
		if p.Start(childMoment+"=placed "+kindResult, childCount+"=1") {
			select {
			case <-p.Ended():
			case <-time.After(300 * time.Millisecond):
				p.Kill()
			}
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

func TestWorkThatEndsTheProcessEachTimeIsGivenUpAndTakesNothingWithIt(t *testing.T) {
	t.Parallel()
	p, c, folder := mortal(t, childPause+"=1ms")
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
			if e.Status != statusFailed || e.Result[0].Error != gaveUp || deaths < maxAttempts-1 {
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
