package pages

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
	"atelier/catalog"
)

// viewer is the state of the lightbox. It stands above the pages and looks at the list of the page that opened it.
type viewer struct {
	open    bool
	key     string
	around  func(key string) (shots []model.Shot, before, total int)
	full    map[atelier.RunID]atelier.Run // runs of which a list told only part
	compare bool
	heat    bool
	actual  bool
	details bool
}

// look gives the results that can be looked at around the one that is, how many stand before them, and how many there are.
func (v *viewer) look() (shots []model.Shot, before, total int) {
	if v.around == nil {
		return nil, 0, 0
	}
	shots, before, total = v.around(v.key)
	for i, s := range shots {
		if run, ok := v.full[s.Run.ID]; ok && !s.Whole() {
			shots[i].Run = run
		}
	}
	return shots, before, total
}

func (v *viewer) shots() []model.Shot {
	shots, _, _ := v.look()
	return shots
}

// shot is the result that is looked at.
func (v *viewer) shot() (model.Shot, bool) {
	for _, s := range v.shots() {
		if s.Key() == v.key {
			return s, true
		}
	}
	return model.Shot{}, false
}

// view opens the lightbox on a result of a list.
func (c *core) view(key string, list func() []model.Shot) {
	c.viewIn(key, func(string) ([]model.Shot, int, int) {
		shots := model.Viewable(list())
		return shots, 0, len(shots)
	})
}

// viewIn opens the lightbox on a result of a list that is too long to be handed over: around gives its neighbours.
func (c *core) viewIn(key string, around func(string) ([]model.Shot, int, int)) {
	if c.lookAt(key, around) {
		c.enterOpened()
	}
}

// showRun opens the lightbox on the first result of a run, and says how it stands where there is none.
func (c *core) showRun(run atelier.Run) {
	results := model.Viewable(model.Runs{run}.Shots())
	if len(results) == 0 {
		c.toast("info", words.PaletteRun(model.RunWords(run)))
		return
	}
	c.CloseDesk()
	c.keepRun(run)
	c.view(results[0].Key(), func() []model.Shot { return model.Runs{run}.Shots() })
}

// openRun is showRun of a run of which only the id is known.
func (c *core) openRun(id atelier.RunID) {
	c.do(func(ctx context.Context) func() {
		run, err := c.api.Run(ctx, id)
		return func() {
			switch {
			case err == nil:
				c.showRun(run)
			case atelier.CodeOf(err) == atelier.NotFound:
				c.toast("warning", words.ResultLinkGone)
			default:
				c.failed(err)
			}
		}
	})
}

// lookAt is viewIn without a word about it in the address. It says whether the result is there.
func (c *core) lookAt(key string, around func(string) ([]model.Shot, int, int)) bool {
	before := c.viewer
	c.viewer.around, c.viewer.key = around, key
	shot, ok := c.viewer.shot()
	if !ok {
		c.viewer = before
		return false
	}
	c.viewer.open, c.viewer.actual = true, false
	c.needRun(shot.Run)
	browser.OpenModal(components.LightboxID)
	c.change()
	return true
}

// needRun reads the whole of a run of which a list told only part, and what its details name.
func (c *core) needRun(run atelier.Run) {
	if _, known := c.viewer.full[run.ID]; known || (model.Shot{Run: run}).Whole() {
		c.needNames()
		return
	}
	if run, ok := c.runs.Find(run.ID); ok {
		c.keepRun(run)
		return
	}
	c.do(func(ctx context.Context) func() {
		run, err := c.api.Run(ctx, run.ID)
		return func() {
			if err == nil { // without it the picture is shown all the same
				c.keepRun(run)
			}
		}
	})
}

func (c *core) keepRun(run atelier.Run) {
	if c.viewer.full == nil {
		c.viewer.full = map[atelier.RunID]atelier.Run{}
	}
	c.viewer.full[run.ID] = run
	c.needNames()
}

// needNames reads the presets the open details name, page by page until the one of the run is there.
func (c *core) needNames() {
	shot, ok := c.viewer.shot()
	if !ok || !c.viewer.open || !c.viewer.details {
		return
	}
	agent := c.agent(shot.Run.Agent)
	for _, p := range agent.Params {
		id, ok := shot.Run.Values[p.Name].(float64)
		if p.Kind != catalog.Preset || !ok || id == 0 {
			continue
		}
		unnamed := func() bool { return c.presets[presetKey(agent.Name, p.PresetKind)].Name(int64(id)) == "" }
		c.needPresets(agent.Name, p.PresetKind, unnamed)
	}
}

// OpenShot implements components.ShotPort: from within the lightbox, to a neighbour.
func (c *core) OpenShot(key string) {
	c.viewer.key, c.viewer.actual = key, false
	if s, ok := c.viewer.shot(); ok {
		c.needRun(s.Run)
		c.moveOpened()
	}
	c.change()
}

// CloseLightbox implements components.LightboxPort.
func (c *core) CloseLightbox() {
	if c.viewer.open {
		c.shutLightbox()
		c.leaveOpened()
	}
}

// shutLightbox is CloseLightbox without a word about it in the address: for who goes on from here and may come back.
func (c *core) shutLightbox() {
	c.viewer.open = false
	browser.CloseModal(components.LightboxID)
	c.change()
}

// ToggleCompare implements components.LightboxPort.
func (c *core) ToggleCompare() {
	c.viewer.compare = !c.viewer.compare
	c.change()
}

// ToggleZoom implements components.LightboxPort.
func (c *core) ToggleZoom() {
	c.viewer.actual = !c.viewer.actual
	c.change()
}

// ToggleDetails implements components.LightboxPort.
func (c *core) ToggleDetails() {
	c.viewer.details = !c.viewer.details
	c.needNames()
	c.change()
}

// ToggleHeat implements components.LightboxPort.
func (c *core) ToggleHeat() {
	c.viewer.heat = !c.viewer.heat
	c.change()
}

// RecallRun implements components.ShotPort: the studio takes over the values of a run.
func (c *core) RecallRun(id atelier.RunID) {
	c.withRun(id, func(run atelier.Run) {
		if c.recall == nil {
			return
		}
		c.shutLightbox()
		c.recall(run, false)
		c.ui.Navigate("/")
	})
}

// withRun does something with the whole of a run.
func (c *core) withRun(id atelier.RunID, do func(atelier.Run)) {
	run, ok := c.runs.Find(id)
	if !ok {
		run, ok = c.viewer.full[id]
	}
	for _, s := range c.viewer.shots() {
		if !ok && s.Run.ID == id && s.Whole() {
			run, ok = s.Run, true
		}
	}
	if ok {
		do(run)
		c.change()
		return
	}
	c.do(func(ctx context.Context) func() {
		run, err := c.api.Run(ctx, id)
		return func() {
			if err != nil {
				c.failed(err)
				return
			}
			do(run)
		}
	})
}

// UseResult implements components.LightboxPort: the studio takes a result as a file of its form.
func (c *core) UseResult(id atelier.ResultID, last bool) {
	for _, shot := range c.viewer.shots() {
		if shot.Result.ID == id && c.use != nil {
			c.shutLightbox()
			c.use(shot, last)
			c.ui.Navigate("/")
			return
		}
	}
}

// useChosen takes pictures into the studio, as the files of its form or the photos it works on.
func (c *core) useChosen(shots []model.Shot) {
	pictures := slices.DeleteFunc(slices.Clone(shots), func(s model.Shot) bool { return model.IsVideo(s.Result) })
	switch {
	case len(shots) > 0 && len(pictures) == 0:
		c.toast("info", words.UseNoPicture)
	case len(pictures) == 0:
		c.toast("info", words.ChooseReadyResults)
	case len(pictures) > model.MostPhotos:
		c.toast("info", words.UseMost(model.MostPhotos))
	case c.useAll != nil:
		c.useAll(pictures)
		c.ui.Navigate("/")
	}
}

// ExportPSD implements components.LightboxPort.
func (c *core) ExportPSD(id atelier.RunID) {
	c.do(func(ctx context.Context) func() {
		err := c.api.StartPSD(ctx, id)
		run, found := c.api.Run(ctx, id)
		return func() {
			c.failed(err)
			if found == nil {
				c.tell(run)
			}
		}
	})
}

// tell brings every list up to date with a run.
func (c *core) tell(run atelier.Run) {
	data, err := json.Marshal(run)
	if err != nil {
		return
	}
	c.take(atelier.Event{Type: atelier.EventRun, Data: data})
	c.rev++
}

// TrashRun implements components.LightboxPort: the run goes to the trash, and can be taken back.
func (c *core) TrashRun(id atelier.RunID) {
	c.CloseLightbox()
	c.trash([]model.Shot{{Run: atelier.Run{ID: id}}})
}

// TrashShown implements components.LightboxPort: the result that is looked at goes to the trash, and the next one is shown.
func (c *core) TrashShown() {
	shots := c.viewer.shots()
	at := slices.IndexFunc(shots, func(s model.Shot) bool { return s.Key() == c.viewer.key })
	if at < 0 || shots[at].Trashed() {
		return
	}
	switch {
	case at+1 < len(shots):
		c.OpenShot(shots[at+1].Key())
	case at > 0:
		c.OpenShot(shots[at-1].Key())
	default:
		c.CloseLightbox()
	}
	c.trash(shots[at : at+1])
}

// RestoreShown implements components.LightboxPort: what is looked at is taken out of the trash.
func (c *core) RestoreShown() {
	s, ok := c.viewer.shot()
	if !ok || !s.Trashed() {
		return
	}
	c.CloseLightbox()
	runs, results := model.Apart([]model.Shot{s})
	c.restore(runs, results, func() {
		c.toast("info", components.Pick(len(runs) > 0, words.RunsRestored(1), words.ResultsRestored(1)))
	})
}

func (c *core) renderViewer() app.UI {
	body := []app.UI{}
	if c.viewer.open {
		shots, before, total := c.viewer.look()
		agent := c.agent("")
		lines := []model.Line{}
		for _, s := range shots {
			if s.Key() == c.viewer.key {
				agent = c.agent(s.Run.Agent)
				lines = model.InWords(agent, s.Run.Values, func(kind string, id int64) string {
					return c.presets[presetKey(agent.Name, kind)].Name(id)
				})
				if cost := words.RunCost(s.Run.Power, s.Run.PowerLeft); cost != "" {
					lines = append(lines, model.Line{Name: words.CostOfRun, Value: cost})
				}
			}
		}
		body = append(body, components.NewLightbox(components.Lightbox{
			Shots: shots, Before: before, Total: total, Key: c.viewer.key, Agent: agent, Lines: lines, Compare: c.viewer.compare, Heat: c.viewer.heat,
			Actual: c.viewer.actual, Details: c.viewer.details, Designs: c.designs(), Stops: c.embedded(), Now: c.minute(), Zone: c.zone, Toasts: c.toastsFor(components.LightboxID), Keys: c.keymap,
		}, c))
	}
	return components.El("dialog", "id", components.LightboxID, "class", "lightbox", "aria-label", words.LightboxTitle).Body(body...)
}

// viewerKey takes a shortcut of the lightbox.
func (c *core) viewerKey(k browser.Key) bool {
	if k.Alt || k.Up {
		return false
	}
	shots := c.viewer.shots()
	at := -1
	for i, s := range shots {
		if s.Key() == c.viewer.key {
			at = i
		}
	}
	step := func(by int) bool {
		if next := at + by; at >= 0 && next >= 0 && next < len(shots) {
			c.OpenShot(shots[next].Key())
		}
		return true
	}
	on := model.OnPicture
	if at >= 0 && model.IsVideo(shots[at].Result) {
		on = model.OnVideo // there is nothing to compare and nothing to magnify
	}
	action := does(c.keymap, k, on)
	if at >= 0 && shots[at].Others() && theirs(action) {
		return false
	}
	if at >= 0 {
		if u, ok := judgement(action, shots[at].Result); ok {
			c.judge(shots[at:at+1], u)
			return true
		}
	}
	switch action {
	case model.DoFrameBack:
		browser.StepFrame(components.VideoID, -1)
	case model.DoFrameOn:
		browser.StepFrame(components.VideoID, 1)
	case model.DoMute:
		browser.Mute(components.VideoID)
	case model.DoSplit:
		c.ToggleCompare()
	case model.DoZoom:
		c.ToggleZoom()
	case model.DoHeat:
		c.ToggleHeat()
	case model.DoFull:
		browser.ToggleFullScreen(components.LightboxID)
	case model.DoDetails:
		c.ToggleDetails()
	case model.DoBoard:
		if at >= 0 {
			c.openBoards(shots[at : at+1])
		}
	case model.DoTrash:
		if !k.Repeat { // held, it would go on with those behind it
			c.TrashShown()
		}
	case model.DoDownload:
		browser.Click("lightbox-download")
	default:
		return !k.Ctrl && c.leafKey(k, step)
	}
	return true
}

// leafKey leads to the results beside the one that is looked at, and away from it.
func (c *core) leafKey(k browser.Key, step func(by int) bool) bool {
	switch k.Key {
	case "ArrowLeft":
		return !k.Range && step(-1)
	case "ArrowRight":
		return !k.Range && step(1)
	case "Escape":
		c.CloseLightbox()
		return true
	}
	return false
}
