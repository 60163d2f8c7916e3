package pages

import (
	"context"
	"encoding/json"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/components"
	"atelier/app/model"
	"atelier/atelier"
)

// viewer is the state of the lightbox. It stands above the pages and looks at the list of the page that opened it.
type viewer struct {
	open    bool
	key     string
	list    func() []model.Shot
	compare bool
	actual  bool
	details bool
}

// shots are the results that can be looked at.
func (v *viewer) shots() []model.Shot {
	if v.list == nil {
		return nil
	}
	return model.Viewable(v.list())
}

// view opens the lightbox on a result of a list.
func (c *core) view(key string, list func() []model.Shot) {
	c.viewer.list = list
	for _, shot := range c.viewer.shots() {
		if shot.Key() == key {
			c.viewer.open, c.viewer.key, c.viewer.actual = true, key, false
			browser.OpenModal(components.LightboxID)
			c.change()
			return
		}
	}
}

// OpenShot implements components.ShotPort: from within the lightbox, to a neighbour.
func (c *core) OpenShot(key string) {
	c.viewer.key, c.viewer.actual = key, false
	c.change()
}

// CloseLightbox implements components.LightboxPort.
func (c *core) CloseLightbox() {
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
	c.change()
}

// RecallRun implements components.ShotPort: the studio takes over the values of a run.
func (c *core) RecallRun(id atelier.RunID) {
	run, ok := c.runs.Find(id)
	for _, shot := range c.viewer.shots() {
		if !ok && shot.Run.ID == id {
			run, ok = shot.Run, true
		}
	}
	if !ok || c.recall == nil {
		return
	}
	c.viewer.open = false
	browser.CloseModal(components.LightboxID)
	c.recall(run)
	c.change()
	c.ui.Navigate("/")
}

// UseResult implements components.LightboxPort: the studio takes a result as a file of its form.
func (c *core) UseResult(id atelier.ResultID, last bool) {
	for _, shot := range c.viewer.shots() {
		if shot.Result.ID == id && c.use != nil {
			c.CloseLightbox()
			c.use(shot, last)
			c.ui.Navigate("/")
			return
		}
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
	run, ok := c.runs.Find(id)
	for _, shot := range c.viewer.shots() {
		if !ok && shot.Run.ID == id {
			run, ok = shot.Run, true
		}
	}
	if !ok {
		return
	}
	c.CloseLightbox()
	c.do(func(ctx context.Context) func() {
		err := c.api.Delete(ctx, id)
		return func() {
			if err != nil {
				c.failed(err)
				return
			}
			run.Trashed = true
			c.tell(run)
			c.offer("The run and its results are in the trash.", "Undo", func() { c.restore(id) })
		}
	})
}

func (c *core) restore(id atelier.RunID) {
	c.do(func(ctx context.Context) func() {
		run, err := c.api.Restore(ctx, id)
		return func() {
			if err != nil {
				c.failed(err)
				return
			}
			run.Trashed = false
			c.tell(run)
		}
	})
}

func (c *core) renderViewer() app.UI {
	body := []app.UI{}
	if c.viewer.open {
		shots := c.viewer.shots()
		agent := c.agent("")
		lines := []model.Line{}
		for _, s := range shots {
			if s.Key() == c.viewer.key {
				agent = c.agent(s.Run.Agent)
				lines = model.InWords(agent, s.Run.Values, func(kind string, id int64) string {
					return c.presets[presetKey(agent.Name, kind)].Name(id)
				})
			}
		}
		body = append(body, components.NewLightbox(components.Lightbox{
			Shots: shots, Key: c.viewer.key, Agent: agent, Lines: lines, Compare: c.viewer.compare, Actual: c.viewer.actual,
			Details: c.viewer.details, Now: c.minute(), Zone: c.zone,
		}, c))
	}
	return components.El("dialog", "id", components.LightboxID, "class", "lightbox", "aria-label", "Result").Body(body...)
}

// viewerKey takes a shortcut of the lightbox.
func (c *core) viewerKey(k browser.Key) bool {
	if k.Ctrl || k.Alt || k.Up {
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
	if at >= 0 && model.IsVideo(shots[at].Result) {
		switch k.Key {
		case ",":
			browser.StepFrame(components.VideoID, -1)
			return true
		case ".":
			browser.StepFrame(components.VideoID, 1)
			return true
		case "m", "M":
			browser.Mute(components.VideoID)
			return true
		case "c", "C", "z", "Z":
			return false // there is nothing to compare and nothing to magnify
		}
	}
	switch k.Key {
	case "ArrowLeft":
		return !k.Button && step(-1)
	case "ArrowRight":
		return !k.Button && step(1)
	case "c", "C":
		c.ToggleCompare()
	case "z", "Z":
		c.ToggleZoom()
	case "s", "S":
		if at >= 0 {
			c.Star(shots[at].Result.ID, !shots[at].Result.Starred)
			c.change()
		}
	case "d", "D":
		browser.Click("lightbox-download")
	case "Escape":
		c.CloseLightbox()
	default:
		return false
	}
	return true
}
