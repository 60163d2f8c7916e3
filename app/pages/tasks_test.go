package pages

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/client"
	"atelier/atelier"
)

type tasksProbe struct{ Tasks }

func (p *tasksProbe) OnPreRender(ctx app.Context) {
	p.core.ui = ctx
	p.start(ctx)
}

// openTasks opens the page of the tasks; the image service answers with what list gives.
func openTasks(t *testing.T, list func() atelier.TaskPage) (*tasksProbe, *server, app.TestEngine) {
	t.Helper()
	s := newServer()
	s.answers["GET /api/tasks"] = answering(list)
	p := &tasksProbe{Tasks{Shown: true, Address: "/tasks", core: newCore(client.New(s.send, s.upload), func() time.Time { return noon })}}
	engine := app.NewTestEngine()
	if err := engine.Load(p); err != nil {
		t.Fatal(err)
	}
	return p, s, engine
}

// What is being made elsewhere is asked for again until it is over, also where it is not among the newest; nothing is asked for then.
func TestTasksAreFollowedToTheirEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		status := func(after time.Duration) atelier.Status {
			if time.Since(began) >= after {
				return atelier.Success
			}
			return atelier.Running
		}
		young := func() atelier.Task {
			return atelier.Task{ID: "young", Executions: []atelier.TaskExecution{{ID: "x1", Status: status(40 * time.Second)}}}
		}
		old := func() atelier.Task {
			return atelier.Task{ID: "old", Executions: []atelier.TaskExecution{{ID: "x2", Status: status(20 * time.Second)}}}
		}
		p, s, engine := openTasks(t, func() atelier.TaskPage {
			page := atelier.TaskPage{Tasks: []atelier.Task{young()}}
			if time.Since(began) < 5*time.Second {
				page.Tasks = append(page.Tasks, old()) // later on it stands on another page
			}
			return page
		})
		s.answers["GET /api/tasks/old"] = answering(old)
		engine.ConsumeAll()
		if len(p.tasks) != 2 || goesOn(p.tasks[0]) || goesOn(p.tasks[1]) {
			t.Errorf("in the end %+v", p.tasks)
		}
		asked := 0
		for _, what := range s.asked {
			if strings.HasPrefix(what, "GET /api/tasks?") {
				asked++
			}
		}
		if took := time.Since(began); took != 45*time.Second || asked != 4 {
			t.Errorf("%d questions in %v", asked, took)
		}
	})
}

// Two imports at a time keep out of each other's way, and what was brought in leads to its run. All pictures can be seen.
func TestTasksAreBroughtInAndLookedAt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // the word that they were brought stands for a while
		eight := []string{"/1", "/2", "/3", "/4", "/5", "/6", "/7", "/8"}
		tasks := []atelier.Task{
			{ID: "t1", Name: "First", Executions: []atelier.TaskExecution{{ID: "x1", Status: atelier.Success, Images: eight}}},
			{ID: "t2", Name: "Second", Executions: []atelier.TaskExecution{{ID: "x2", Status: atelier.Success}}},
		}
		p, s, engine := openTasks(t, func() atelier.TaskPage { return atelier.TaskPage{Tasks: tasks} })
		engine.ConsumeAll()
		html := func() string { return app.HTMLString(p.Render()) }
		if got := html(); strings.Count(got, "execution-picture") != 6 || !strings.Contains(got, "Show 2 more results") || !strings.Contains(got, `href="/6"`) {
			t.Error("the first pictures are no links, or the rest is not offered")
		}
		p.whole["x1"] = true
		if got := html(); strings.Count(got, "execution-picture") != 8 || strings.Contains(got, "execution-more") {
			t.Error("not every picture is shown")
		}
		s.on("POST /api/tasks/t1/import", 201, atelier.RunPage{Runs: []atelier.Run{{ID: "r1", ExecutionID: "x1"}}})
		s.on("POST /api/tasks/t2/import", 409, atelier.ErrorBody{Error: &atelier.Error{Code: atelier.Conflict, Message: "This task belongs to a run that is being looked for."}})
		p.ctx.Dispatch(func(app.Context) {
			p.bring("t1")
			p.bring("t2")
			if got := html(); strings.Count(got, "aria-busy") != 2 || strings.Contains(got, `aria-busy="false"`) {
				t.Error("of two imports one is not shown to be under way")
			}
		})
		engine.ConsumeAll()
		if x := p.tasks[0].Executions[0]; len(p.busy) != 0 || !x.Known || x.Run != "r1" || p.tasks[1].Executions[0].Known {
			t.Errorf("busy %v, tasks %+v", p.busy, p.tasks)
		}
		s.on("GET /api/runs/r1", 200, map[string]any{"run": atelier.Run{ID: "r1", State: atelier.StateDone, Results: []atelier.Result{{ID: "p1", RunID: "r1", Status: atelier.Success, Stored: true, Thumb: "/t"}}}})
		if got := html(); strings.Count(got, "Show in the gallery") != 1 {
			t.Error("what was brought in does not lead to its run")
		}
		p.ctx.Dispatch(func(app.Context) { p.core.openRun("r1") })
		engine.ConsumeAll()
		if shot, ok := p.core.viewer.shot(); !ok || shot.Result.ID != "p1" {
			t.Errorf("what is looked at is %+v", shot)
		}
	})
}

// A run of this studio that has gone on since the list was read has it read again.
func TestTasksFollowTheRunsOfTheStudio(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		list := []atelier.Task{{ID: "t1", Executions: []atelier.TaskExecution{{ID: "x1", Status: atelier.Success, Known: true, Run: "r1"}}}}
		p, s, engine := openTasks(t, func() atelier.TaskPage { return atelier.TaskPage{Tasks: list} })
		engine.ConsumeAll()
		hear := func(run atelier.Run) {
			data, err := json.Marshal(run)
			if err != nil {
				t.Fatal(err)
			}
			p.ctx.Dispatch(func(app.Context) { p.core.take(atelier.Event{Type: atelier.EventRun, Data: data}) })
			engine.ConsumeAll()
		}
		before := len(s.asked)
		hear(atelier.Run{ID: "r1", TaskID: "t1", ExecutionID: "x1", Status: atelier.Success})
		hear(atelier.Run{ID: "r9", TaskID: "t9", ExecutionID: "x9", Status: atelier.Running})
		if len(s.asked) != before {
			t.Errorf("asked %q for nothing new", s.asked[before:])
		}
		list = []atelier.Task{{ID: "t1", Executions: append(list[0].Executions, atelier.TaskExecution{ID: "x2", Status: atelier.Success, Known: true, Run: "r2"})}}
		hear(atelier.Run{ID: "r2", TaskID: "t1", ExecutionID: "x2", Status: atelier.Success})
		if len(p.tasks) != 1 || len(p.tasks[0].Executions) != 2 {
			t.Errorf("a second execution: %+v", p.tasks)
		}
	})
}

// The dialog that deletes a task names what is lost with it: results that were never imported, and runs that are still under way.
func TestDeletingATaskSaysWhatIsLost(t *testing.T) {
	for _, tt := range []struct {
		x             atelier.TaskExecution
		foreign, made bool
	}{
		{atelier.TaskExecution{ID: "1", Status: atelier.Success, Known: true}, false, false},
		{atelier.TaskExecution{ID: "2", Status: atelier.Failed}, true, false},
		{atelier.TaskExecution{ID: "3", Status: atelier.Running, Known: true}, false, true},
		{atelier.TaskExecution{ID: "4", Status: atelier.Pending}, true, true},
	} {
		p := &Tasks{doomed: &atelier.Task{ID: "t", Executions: []atelier.TaskExecution{tt.x}}}
		if foreign, made := lossSaid(p); foreign != tt.foreign || made != tt.made {
			t.Errorf("execution %s, %s: foreign %v, being made %v, want %v, %v", tt.x.ID, tt.x.Status, foreign, made, tt.foreign, tt.made)
		}
	}
}

// An execution that ends while it is asked about is said to be made no longer.
func TestWhatIsSaidOfATaskToBeDeletedStaysTrue(t *testing.T) {
	x := atelier.TaskExecution{ID: "1", Status: atelier.Running, Known: true}
	p := &Tasks{doomed: &atelier.Task{ID: "t", Executions: []atelier.TaskExecution{x}}}
	x.Status = atelier.Success
	p.tasks = []atelier.Task{{ID: "other"}, {ID: "t", Executions: []atelier.TaskExecution{x}}}
	if _, made := lossSaid(p); made {
		t.Error("what has ended is said to be made still")
	}
}

// lossSaid is whether who deletes a task is told that something of it is not in the gallery, and that something is being made.
func lossSaid(p *Tasks) (foreign, made bool) {
	html := ""
	for _, part := range p.renderDelete() {
		html += app.HTMLString(part)
	}
	return strings.Contains(html, "not in the gallery"), strings.Contains(html, "still running")
}
