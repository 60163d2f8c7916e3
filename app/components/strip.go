package components

import (
	"slices"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
)

// The strip shows the newest runs, up to so many runs and cards; the gallery has the others.
const (
	stripRuns  = 12
	stripCards = 80
)

// Strip is the row of runs and their results, newest first.
type Strip struct {
	app.Compo
	State  model.Load
	Runs   model.Runs
	Titles map[string]string // agent name to title
	// Presets are the names of those that runs were made with.
	Presets map[atelier.RunID]string
	Mine    bool // only the picture on the stage, or the agent
	// ByAgent says that there is no picture on the stage to go by.
	ByAgent bool
	Stops   bool      // the image service can be made to stop
	Folded  bool      // only its head is shown
	Now     time.Time // to the minute
	Zone    *time.Location
	port    StripPort
}

// StripPort hears what is done in the strip.
type StripPort interface {
	ShotPort
	ShowRuns(mine bool)
	FoldStrip()
	DecideRun(id atelier.RunID)
	SendNext(id atelier.RunID)
	CancelRuns(ids []atelier.RunID)
}

// NewStrip makes a strip.
func NewStrip(s Strip, port StripPort) *Strip {
	return &Strip{State: s.State, Runs: s.Runs, Titles: s.Titles, Presets: s.Presets, Mine: s.Mine, ByAgent: s.ByAgent, Stops: s.Stops, Folded: s.Folded, Now: s.Now, Zone: s.Zone, port: port}
}

// Render implements app.Composer.
func (s *Strip) Render() app.UI {
	return El("section", "class", "strip", "aria-label", words.StripTitle).Body(
		Box("strip__head",
			Segmented(words.StripWhich, []Choice{{Value: "mine", Title: Pick(s.ByAgent, words.StripThisAgent, words.StripThisPicture)}, {Value: "all", Title: words.StripAll}}, Pick(s.Mine, "mine", "all"), s.onScope),
			Box("strip__tools",
				El("a", "class", "strip__more", "href", model.GalleryAsLeft).Text(words.PageGallery),
				IconButton(Pick(s.Folded, "up", "down"), Pick(s.Folded, words.StripUnfold, words.StripFold), "").Attr("data-testid", "strip-fold").
					Attr("aria-expanded", Bool(!s.Folded)).Attr("aria-controls", "strip-runs").OnClick(func(app.Context, app.Event) { s.port.FoldStrip() }),
			),
		),
		El("div", "class", "strip__runs", "id", "strip-runs", "data-testid", "strip").Body(s.body()...),
	)
}

func (s *Strip) body() []app.UI {
	switch {
	case len(s.Runs) > 0:
		groups := []app.UI{}
		cards := 0
		for _, run := range s.Runs[:min(len(s.Runs), stripRuns)] {
			if cards += len(run.Results); cards > stripCards && len(groups) > 0 {
				break
			}
			groups = append(groups, s.group(run))
		}
		return groups
	case s.State == model.Loaded:
		return []app.UI{Text("p", "strip__empty", words.StripEmpty)}
	case s.State == model.Broken:
		return []app.UI{Text("p", "strip__empty", words.StripBroken)}
	}
	cells := make([]app.UI, 6)
	for i := range cells {
		cells[i] = Text("span", "card skeleton", "") // another tag than a run: the framework would turn one into the other, and it would jump
	}
	return cells
}

func (s *Strip) group(run atelier.Run) app.UI {
	title := s.Titles[run.Agent]
	if title == "" {
		title = run.Agent
	}
	tone := model.RunTone(run)
	info := []app.UI{
		El("span", "class", "run__title", "title", run.Title).Text(title),
		Status(tone, model.RunWords(run)),
		El("time", "class", "run__time", "title", words.Exact(run.CreatedAt, s.Zone)).Text(words.Ago(s.Now, run.CreatedAt)),
	}
	if !s.Mine && run.Asset != nil {
		info = append(info, El("span", "class", "run__photo", "title", run.Asset.Name).Text(run.Asset.Name))
	}
	if names := s.Presets[run.ID]; names != "" {
		info = append(info, El("span", "class", "run__presets", "title", names).Text(names))
	}
	actions := []app.UI{}
	if tone == model.Bad || tone == model.Unsure {
		if run.Error != nil {
			shots := model.Runs{run}.Shots()
			key := shots[max(0, slices.IndexFunc(shots, func(s model.Shot) bool { return !s.Result.Stored }))].Key()
			info[2] = El("button", "type", "button", "class", "run__error", "title", run.Error.Message, "data-testid", "run-error").
				OnClick(func(app.Context, app.Event) { s.port.OpenShot(key) }, Scope(key, "error")).Body(Text("span", "", run.Error.Message))
		}
		if run.State == atelier.StateUnconfirmed {
			actions = append(actions, Button("unsure", words.StripDecide, "button--small").Attr("data-testid", "decide").Attr("aria-haspopup", "dialog").
				OnClick(func(app.Context, app.Event) { s.port.DecideRun(run.ID) }, Scope(run.ID, "decide")))
		} else if tone == model.Bad {
			actions = append(actions, Button("retry", words.Retry, "button--small").Attr("data-testid", "retry").
				OnClick(func(app.Context, app.Event) { s.port.RetryRun(run.ID) }, Scope(run.ID)))
		}
	}
	if run.State == atelier.StateRecorded && run.Queue != nil && *run.Queue > 0 {
		actions = append(actions, Button("next-frame", words.RunSendNext, "button--small run__next").Attr("data-testid", "send-next").Attr("title", words.RunSendNextTip).
			OnClick(func(app.Context, app.Event) { s.port.SendNext(run.ID) }, Scope(run.ID, "next")))
	}
	if tone == model.Off {
		actions = append(actions, Button("retry", words.Retry, "button--small").Attr("data-testid", "retry").
			OnClick(func(app.Context, app.Event) { s.port.RetryRun(run.ID) }, Scope(run.ID, "off")))
	}
	if model.MayCancel(run, s.Stops) {
		actions = append(actions, s.cancel(run)...)
	}
	actions = append(actions, Button("recall", words.StripRecall, "button--link run__recall").
		Attr("title", words.ResultRecallTip).
		OnClick(func(app.Context, app.Event) { s.port.RecallRun(run.ID) }, Scope(run.ID, tone)))
	cells := []app.UI{Box("run__info", append(info, Box("run__actions", actions...))...)}
	for _, result := range run.Results {
		cells = append(cells, NewCard(model.Shot{Run: run, Result: result}, title, 160, s.port))
	}
	return El("div", "class", "run", "data-testid", "run", "data-run", string(run.ID), "data-state", string(run.State),
		"data-status", string(run.Status), "data-menu", "run:"+string(run.ID)).Body(cells...)
}

// cancel are the ways to end a run: alone, and with the others of its press, at the newest of them.
func (s *Strip) cancel(run atelier.Run) []app.UI {
	button := func(name, title, tip string, ids []atelier.RunID) app.UI {
		return Button("close", title, "button--small run__cancel").Attr("data-testid", name).Attr("title", tip).
			OnClick(func(app.Context, app.Event) { s.port.CancelRuns(ids) }, Scope(run.ID, name, len(ids)))
	}
	buttons := []app.UI{button("cancel-run", words.RunCancel, words.RunCancelTip, []atelier.RunID{run.ID})}
	if all := s.Runs.Batch(run).Cancellable(s.Stops); len(all) > 1 && all[0] == run.ID {
		buttons = append(buttons, button("cancel-batch", words.RunsCancel(len(all)), words.RunCancelTip, all))
	}
	return buttons
}

func (s *Strip) onScope(value string) { s.port.ShowRuns(value == "mine") }
