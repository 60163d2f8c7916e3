package pages

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/atelier"
)

// How long it takes until the image service is asked again what became of tasks that are not over, and how many of those that are not
// among the newest it is asked for then.
const (
	tasksRest = 15 * time.Second
	tasksOld  = 10
)

// watch follows the runs of this studio; what is made elsewhere is asked for.
func (t *Tasks) watch(event atelier.Event) {
	switch event.Type {
	case atelier.EventSnapshot, atelier.EventConnection:
		t.load("")
	case atelier.EventRun:
		var run atelier.Run
		if t.Shown && json.Unmarshal(event.Data, &run) == nil && t.differs(run) {
			t.look()
		}
	}
}

// differs says whether a run stands otherwise than its execution in the list.
func (t *Tasks) differs(run atelier.Run) bool {
	return slices.ContainsFunc(t.tasks, func(task atelier.Task) bool {
		return task.ID == run.TaskID && !slices.ContainsFunc(task.Executions, func(x atelier.TaskExecution) bool {
			return x.ID == run.ExecutionID && x.Status == run.Status
		})
	})
}

// goesOn says whether something of a task is still being made.
func goesOn(task atelier.Task) bool {
	return slices.ContainsFunc(task.Executions, func(x atelier.TaskExecution) bool { return !x.Status.Terminal() })
}

// lookLater looks again after a while, as long as something is being made and the page is looked at.
func (t *Tasks) lookLater() {
	if t.waiting || !slices.ContainsFunc(t.tasks, goesOn) {
		return
	}
	t.waiting = true
	t.ctx.After(tasksRest, func(app.Context) {
		t.waiting = false
		switch {
		case !t.Shown: // who comes back sees the list anew
		case browser.Hidden():
			t.lookLater()
		default:
			t.look()
		}
	})
}

// look asks what became of the tasks that are not over: of the newest page as a whole, of a few others one by one. Nothing is said
// where there is no answer: the list stays as it is.
func (t *Tasks) look() {
	if t.looking {
		return
	}
	t.looking = true
	asked := t.asked
	after, before := t.days.Bounds(t.core.zone)
	old := slices.DeleteFunc(slices.Clone(t.tasks), func(task atelier.Task) bool { return !goesOn(task) })
	t.core.do(func(ctx context.Context) func() {
		page, err := t.core.api.Tasks(ctx, atelier.TaskFilter{Limit: tasksPage, CreatedAfter: after, CreatedBefore: before})
		now := page.Tasks
		for _, task := range old {
			if err != nil || len(now) >= len(page.Tasks)+tasksOld || contains(page.Tasks, task.ID) {
				continue
			}
			if found, err := t.core.api.Task(ctx, task.ID); err == nil {
				now = append(now, found)
			}
		}
		return func() {
			t.looking = false
			if asked != t.asked {
				return // the list was begun anew meanwhile
			}
			if err != nil {
				t.core.expired(err)
			}
			t.renew(now)
			t.lookLater()
		}
	})
}

func contains(tasks []atelier.Task, id string) bool {
	return slices.ContainsFunc(tasks, func(task atelier.Task) bool { return task.ID == id })
}

// renew puts tasks as they are now in the place of what is listed of them; new ones stand first.
func (t *Tasks) renew(now []atelier.Task) {
	byID := map[string]atelier.Task{}
	list := []atelier.Task{}
	for _, task := range now {
		byID[task.ID] = task
		if !contains(t.tasks, task.ID) {
			list = append(list, task)
		}
	}
	for _, task := range t.tasks {
		if newer, ok := byID[task.ID]; ok {
			task = newer
		}
		list = append(list, task)
	}
	t.tasks = list
}
