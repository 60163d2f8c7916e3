package pages

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
)

// Tasks is the image service's own list: what was made with this account, here or elsewhere.
type Tasks struct {
	app.Compo
	Rev     int
	Shown   bool
	Address string // of the page while it is shown, "" otherwise
	core    *core

	ctx     app.Context
	address string // the one that was gone to, which days chosen here do not change
	seen    bool   // shown when it was drawn last
	days    model.Days
	tasks   []atelier.Task
	state   model.Load
	problem string
	cursor  string
	asked   int // which answer is the latest asked for
	more    bool
	busy    map[string]bool // tasks that are being brought into the history
	whole   map[string]bool // executions of which every picture is shown
	doomed  *atelier.Task   // the one that is about to be deleted
	leaving map[string]bool // those that are deleted unless it is undone
	looking bool            // it is being asked what became of those that are not over
	waiting bool            // it will be
	release []func()
}

const (
	deleteTaskID = "delete-task"
	// tasksPage is how many tasks are asked for at a time (Task API, "Limits": at most 20).
	tasksPage = 20
	// taskPictures is how many pictures of an execution are shown.
	taskPictures = 6
)

// OnInit implements app.Initializer.
func (t *Tasks) OnInit() {
	t.seen = t.Address != ""
	t.busy, t.whole = map[string]bool{}, map[string]bool{}
	t.readAddress()
}

// OnMount implements app.Mounter.
func (t *Tasks) OnMount(ctx app.Context) {
	t.start(ctx)
	t.release = append(t.release, browser.OnCancel(deleteTaskID, func() { t.CloseDialog(deleteTaskID) }))
}

func (t *Tasks) start(ctx app.Context) {
	t.ctx = ctx
	t.core.watchers = append(t.core.watchers, t.watch)
	t.load("")
}

// OnUpdate implements app.Updater.
func (t *Tasks) OnUpdate(app.Context) {
	back := t.Address != "" && !t.seen
	t.seen = t.Address != ""
	before := t.days
	if t.Address != "" && t.Address != t.address {
		t.readAddress()
		t.showDays()
	}
	if back && t.days == before && t.days != (model.Days{}) {
		browser.ReplaceURL("/tasks" + t.days.Query()) // as it was left
	}
	if back || t.days != before {
		t.load("") // what is listed stays on screen until the answer comes
	}
}

// OnDismount implements app.Dismounter.
func (t *Tasks) OnDismount() {
	for _, release := range t.release {
		release()
	}
}

func (t *Tasks) readAddress() {
	t.address = t.Address
	if u, err := url.Parse(t.Address); err == nil {
		t.days = model.ReadDays(u.Query())
	}
}

// load reads the page after a cursor; "" begins anew.
func (t *Tasks) load(cursor string) {
	t.asked++
	asked := t.asked
	if cursor == "" {
		t.state, t.problem, t.cursor, t.more = model.Loading, "", "", false
	} else {
		t.more = true
	}
	after, before := t.days.Bounds(t.core.zone)
	t.core.do(func(ctx context.Context) func() {
		page, err := t.core.api.Tasks(ctx, atelier.TaskFilter{Cursor: cursor, Limit: tasksPage, CreatedAfter: after, CreatedBefore: before})
		return func() {
			if asked != t.asked {
				return
			}
			t.more = false
			switch {
			case err != nil && cursor != "":
				t.core.failed(err)
			case err != nil:
				t.state, t.problem = model.Broken, sentence(err)
				t.core.expired(err)
			case cursor == "":
				t.tasks, t.cursor, t.state = page.Tasks, page.NextCursor, model.Loaded
			default:
				t.tasks, t.cursor = append(slices.Clone(t.tasks), page.Tasks...), page.NextCursor
			}
			t.lookLater()
		}
	})
}

// set changes which days are shown, and the address with it.
func (t *Tasks) set(days model.Days) {
	if days == t.days {
		return
	}
	t.days = days
	browser.ReplaceURL("/tasks" + days.Query())
	t.showDays()
	t.load("")
}

func (t *Tasks) onAllDays(app.Context, app.Event) { t.set(model.Days{}) }

// showDays writes the days into their fields, in which somebody may have chosen others: what is drawn does not change those.
func (t *Tasks) showDays() {
	days := t.days
	drawn(t.ctx, func() {
		browser.SetValue("tasks-from", days.From)
		browser.SetValue("tasks-to", days.To)
	})
}

// bring takes the executions of a task that were made elsewhere into the history.
func (t *Tasks) bring(id string) {
	t.busy[id] = true
	t.core.do(func(ctx context.Context) func() {
		page, err := t.core.api.ImportTask(ctx, id)
		return func() {
			delete(t.busy, id)
			if err != nil {
				t.core.failed(err)
				return
			}
			t.core.runs = t.core.runs.Merge(page.Runs...)
			t.core.toast("info", words.TasksBrought(len(page.Runs)))
			t.know(id, page.Runs)
		}
	})
}

// know notes which runs hold the executions of a task now.
func (t *Tasks) know(id string, runs []atelier.Run) {
	held := map[string]atelier.RunID{}
	for _, run := range runs {
		held[run.ExecutionID] = run.ID
	}
	t.tasks = slices.Clone(t.tasks)
	for i := range t.tasks {
		if t.tasks[i].ID != id {
			continue
		}
		t.tasks[i].Executions = slices.Clone(t.tasks[i].Executions)
		for j := range t.tasks[i].Executions {
			if x := &t.tasks[i].Executions[j]; !x.Known {
				x.Known, x.Run = true, held[x.ID]
			}
		}
	}
}

func (t *Tasks) askToDelete(task atelier.Task) {
	t.doomed = &task
	t.core.openPageDialog(deleteTaskID, t)
}

// CloseDialog implements components.DialogPort.
func (t *Tasks) CloseDialog(id string) {
	t.doomed = nil
	t.core.closePageDialog(id)
	t.ctx.Update()
}

// condemned is the task that is about to be deleted, as it stands now where it is listed still: its executions go on while it is asked about.
func (t *Tasks) condemned() atelier.Task {
	if i := slices.IndexFunc(t.tasks, func(task atelier.Task) bool { return task.ID == t.doomed.ID }); i >= 0 {
		return t.tasks[i]
	}
	return *t.doomed
}

// remove takes a task off the list, and away from the image service once the offer to undo is over.
func (t *Tasks) remove(app.Context, app.Event) {
	if t.doomed == nil {
		return
	}
	task := t.condemned()
	t.CloseDialog(deleteTaskID)
	if t.leaving == nil {
		t.leaving = map[string]bool{}
	}
	t.leaving[task.ID] = true
	back := func() { delete(t.leaving, task.ID) }
	t.core.offerFor(words.TaskDeleted(t.title(task)), back, func() {
		t.core.do(func(ctx context.Context) func() {
			err := t.core.api.DeleteTask(ctx, task.ID)
			return func() {
				back()
				if err != nil && atelier.CodeOf(err) != atelier.NotFound {
					t.core.failed(err)
					return
				}
				t.tasks = slices.DeleteFunc(slices.Clone(t.tasks), func(other atelier.Task) bool { return other.ID == task.ID })
			}
		})
	})
}

// shown are the tasks of the list without those that are being deleted.
func (t *Tasks) shown() []atelier.Task {
	return slices.DeleteFunc(slices.Clone(t.tasks), func(task atelier.Task) bool { return t.leaving[task.ID] })
}

// Render implements app.Composer.
func (t *Tasks) Render() app.UI {
	day := func(name, label, value string, set func(string)) app.UI {
		box := components.Void("input", "type", "date", "class", "input", "id", "tasks-"+name, "aria-label", label, "data-testid", "tasks-"+name)
		if value != "" {
			box = box.Attr("value", value)
		}
		return components.El("label", "class", "tasks__day").Body(components.Text("span", "", label),
			box.OnChange(func(_ app.Context, e app.Event) { set(e.Get("target").Get("value").String()) }, components.Scope(name)))
	}
	refresh := components.Button("retry", words.TasksRefresh, "tasks__refresh").Attr("data-testid", "tasks-refresh").Attr("disabled", components.Bool(t.state == model.Loading)).
		OnClick(func(app.Context, app.Event) { t.load("") })
	bar := []app.UI{
		day("from", words.From, t.days.From, func(v string) { t.set(model.Days{From: v, To: t.days.To}) }),
		day("to", words.To, t.days.To, func(v string) { t.set(model.Days{From: t.days.From, To: v}) }),
	}
	if t.days != (model.Days{}) {
		bar = append(bar, components.Button("", words.TasksAllDays, "button--link").OnClick(t.onAllDays))
	}
	return components.El("section", "class", "page tasks").Hidden(!t.Shown).Attr("aria-label", words.PageTasks).Body(
		components.Box("topbar tasks__bar", append(bar, refresh)...),
		components.El("div", "class", "tasks__list", "data-testid", "tasks").Body(t.renderList()...),
		components.Dialog(deleteTaskID, words.TasksDeleteTitle, "", t.doomed != nil, t, t.core.withToasts(deleteTaskID, t.renderDelete)),
	)
}

func (t *Tasks) renderList() []app.UI {
	tasks := t.shown()
	switch {
	case t.state == model.Broken:
		return []app.UI{components.Box("empty",
			components.Text("h2", "empty__title", words.TasksBroken), components.Text("p", "empty__text", t.problem),
			components.Button("retry", words.TryAgain, "").OnClick(func(app.Context, app.Event) { t.load("") }))}
	case t.state != model.Loaded && len(tasks) == 0:
		rows := make([]app.UI, 6)
		for i := range rows {
			rows[i] = components.Box("task task--waiting skeleton")
		}
		return []app.UI{components.Text("p", "tasks__intro", words.TasksIntro), components.El("div", "class", "tasks__rows", "aria-busy", "true").Body(rows...)}
	case len(tasks) == 0 && t.cursor == "":
		some := t.days != (model.Days{})
		return []app.UI{components.El("div", "class", "empty", "data-testid", "tasks-empty").Body(components.Icon("tasks"),
			components.Text("h2", "empty__title", words.TasksEmptyTitle), components.Text("p", "empty__text", components.Pick(some, words.TasksEmptyDays, words.TasksEmpty)),
			components.If(some, func() app.UI { return components.Button("", words.TasksAllDays, "").OnClick(t.onAllDays) }))}
	}
	rows := make([]app.UI, len(tasks))
	for i, task := range tasks {
		rows[i] = t.renderTask(task)
	}
	return []app.UI{
		components.Text("p", "tasks__intro", words.TasksIntro),
		components.El("ul", "class", "tasks__rows", "data-rows", "true").Body(rows...),
		components.If(t.cursor != "", func() app.UI {
			return components.Box("pager", components.Button("", components.Pick(t.more, words.Loading, words.TasksOlder), "").
				Attr("disabled", components.Bool(t.more)).Attr("data-testid", "tasks-more").OnClick(func(app.Context, app.Event) { t.load(t.cursor) }))
		}),
	}
}

func (t *Tasks) renderTask(task atelier.Task) app.UI {
	agent := t.core.agent(task.Agent)
	title := t.title(task)
	foreign := 0
	executions := make([]app.UI, 0, len(task.Executions))
	for _, x := range task.Executions {
		if !x.Known {
			foreign++
		}
		executions = append(executions, t.renderExecution(x, task.CreatedAt))
	}
	if len(executions) == 0 {
		executions = append(executions, components.Text("li", "execution execution--none", words.TaskNoExecution))
	}
	busy := t.busy[task.ID]
	picture := components.El("span", "class", "task__picture").Body(components.Icon("image"), components.If(task.Source != "", func() app.UI {
		return components.Void("img", "class", "task__source", "src", task.Source, "alt", words.TaskSource, "loading", "lazy", "decoding", "async", "data-optional", "true")
	}))
	return components.El("li", "class", "task", "data-cell", "true", "data-testid", "task", "data-task", task.ID, "aria-busy", components.Bool(busy)).Body(
		picture,
		components.Box("task__text",
			components.Box("task__head", components.Text("strong", "task__title", title), components.If(agent.Title != title, func() app.UI { return components.Text("span", "task__agent", agent.Title) }),
				components.If(task.CreatedAt != nil, func() app.UI { return t.since("task__time", *task.CreatedAt) })),
			components.El("ul", "class", "task__executions").Body(executions...),
		),
		components.Box("task__tools",
			components.If(foreign > 0, func() app.UI {
				return components.Button("download", components.Pick(busy, words.TaskBringing, words.TaskBring), "").Attr("data-testid", "import").Attr("disabled", components.Bool(busy)).
					OnClick(func(app.Context, app.Event) { t.bring(task.ID) }, components.Scope(task.ID))
			}),
			components.IconButton("trash", words.TaskDelete(title), words.KeyDelete).Attr("data-testid", "delete-task").Attr("data-delete", "true").Attr("disabled", components.Bool(busy)).
				OnClick(func(app.Context, app.Event) { t.askToDelete(task) }, components.Scope(task.ID, len(task.Executions), foreign)),
		),
	)
}

// title names a task: as its run here is called, or as whoever made it elsewhere called it.
func (t *Tasks) title(task atelier.Task) string {
	name, _, ours := strings.Cut(task.Name, "~") // what follows is the studio's own mark
	if ours {
		name = "" // it was cut to fit: the run knows the whole
		for _, run := range t.core.runs {
			if run.TaskID == task.ID {
				name = run.Title
			}
		}
	}
	if name == "" {
		return t.core.agent(task.Agent).Title
	}
	return name
}

// renderExecution shows an execution of a task, with its time where that is not the one the task was made at.
func (t *Tasks) renderExecution(x atelier.TaskExecution, made *time.Time) app.UI {
	tone := map[atelier.Status]model.Tone{atelier.Success: model.Good, atelier.Failed: model.Bad, atelier.Running: model.Busy, atelier.Segmenting: model.Busy}[x.Status]
	if tone == "" {
		tone = model.Waiting
	}
	shown := x.Images
	if rest := len(shown) - taskPictures; rest > 0 && !t.whole[x.ID] {
		shown = shown[:taskPictures]
	}
	pictures := make([]app.UI, 0, len(shown)+1)
	for i, src := range shown {
		pictures = append(pictures, components.El("a", "class", "execution__link", "href", src, "target", "_blank", "rel", "noopener", "data-testid", "execution-picture", "aria-label", words.TaskOpenResult(i+1)).
			Body(components.Void("img", "class", "execution__picture", "src", src, "alt", "", "loading", "lazy", "decoding", "async", "data-optional", "true")))
	}
	if rest := len(x.Images) - len(shown); rest > 0 {
		pictures = append(pictures, components.Button("", words.TaskMoreResults(rest), "button--link").Attr("aria-label", words.TaskMoreResultsLabel(rest)).Attr("data-testid", "execution-more").
			OnClick(func(app.Context, app.Event) { t.whole[x.ID] = true }, components.Scope(x.ID, rest)))
	}
	return components.El("li", "class", "execution", "title", x.ID).Body(
		components.Status(tone, model.ExecutionWords(x.Status)),
		components.If(x.Time != nil && (made == nil || x.Time.Sub(*made) >= time.Minute), func() app.UI {
			return t.since("execution__time", *x.Time)
		}),
		components.If(x.Run != "", func() app.UI {
			return components.Button("", words.TaskShow, "button--link").Attr("data-testid", "execution-run").OnClick(func(app.Context, app.Event) { t.core.openRun(x.Run) }, components.Scope(x.ID, x.Run))
		}),
		components.If(t.mayCancel(x), func() app.UI {
			return components.Button("", words.RunCancel, "button--link").Attr("data-testid", "cancel-run").Attr("title", words.RunCancelTip).
				OnClick(func(app.Context, app.Event) { t.core.CancelRuns([]atelier.RunID{x.Run}) }, components.Scope(x.ID, x.Run, "cancel"))
		}),
		components.Box("execution__pictures", pictures...),
		components.If(x.Error != "", func() app.UI { return components.Text("span", "execution__error", x.Error) }),
	)
}

// mayCancel says whether the run of an execution can be cancelled. What only an account knows goes on.
func (t *Tasks) mayCancel(x atelier.TaskExecution) bool {
	run, ok := t.core.runs.Find(x.Run)
	return ok && !x.Status.Terminal() && model.MayCancel(run, t.core.embedded())
}

// since says how long ago something was, with the exact time on hover.
func (t *Tasks) since(class string, at time.Time) app.UI {
	return components.El("time", "class", class, "title", words.Exact(at, t.core.zone)).Text(words.Ago(t.core.minute(), at))
}

func (t *Tasks) renderDelete() []app.UI {
	if t.doomed == nil {
		return nil
	}
	task := t.condemned()
	foreign, going := 0, 0
	for _, x := range task.Executions {
		if !x.Known {
			foreign++
		}
		if !x.Status.Terminal() {
			going++
		}
	}
	lines := []app.UI{
		components.Text("p", "", words.TaskDeleteForgets(len(task.Executions))),
		components.Text("p", "", words.TaskDeleteKeeps),
	}
	if going > 0 {
		lines = append(lines, components.Text("p", "confirm__warning", words.TaskDeleteStops(going)))
	}
	if foreign > 0 {
		lines = append(lines, components.Text("p", "confirm__warning", words.TaskDeleteLoses(foreign)))
	}
	return []app.UI{components.Box("confirm",
		components.Box("confirm__text", lines...),
		components.Box("confirm__foot",
			components.Button("", words.KeepIt, "").OnClick(func(app.Context, app.Event) { t.CloseDialog(deleteTaskID) }),
			components.Button("trash", words.TaskDeleteNow, "button--danger").Attr("data-testid", "delete-task-really").OnClick(t.remove),
		),
	)}
}
