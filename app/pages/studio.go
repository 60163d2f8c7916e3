package pages

import (
	"image"
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/components"
	"atelier/app/model"
	"atelier/atelier"
	"atelier/catalog"
)

// Studio is the page where pictures are brought, masked and given to an agent.
type Studio struct {
	app.Compo
	Rev   int // of the core: something shared has changed
	Shown bool
	core  *core

	ctx     app.Context
	painter *painter
	asset   *atelier.Asset
	form    model.Form
	ready   bool // the agents are here and the draft is taken up
	shown   model.Shown
	draft   model.Draft

	uploads  []upload
	uploadID int
	slot     string // the file field the next picture goes to, "" for the stage
	dropping bool
	dialog   string // which dialog of the studio is open
	browsing string // the param whose presets are browsed
	mine     bool   // the strip shows the runs of this picture only
	sheet    string // on a phone: how high the form stands: peek, half, full
	sending  bool
	refusal  string // what the server said of the form as a whole
	last     sent
	release  []func()
}

// sent is the last request, so that pressing the button again after an error cannot make a second run.
type sent struct {
	content string
	key     string
}

// The elements of the studio that the browser package is told about.
const (
	pickerID  = "upload-input"
	agentsID  = "agents"
	presetsID = "presets"
	assetsID  = "assets"

	inspectorID = "inspector"
	gripID      = "inspector-grip"
)

const draftKey = "atelier.draft"

// OnInit implements app.Initializer.
func (s *Studio) OnInit() {
	s.mine, s.sheet = true, "peek"
	s.painter = newPainter(func() { s.update() })
	s.shown.Touched = map[string]bool{}
	s.draft = model.ReadDraft(browser.Load(draftKey))
}

// OnMount implements app.Mounter.
func (s *Studio) OnMount(ctx app.Context) {
	s.start(ctx)
	s.release = append(s.release,
		browser.OnResize(stageID, s.painter.resize),
		browser.OnPointer(stageID, s.painter.pointer),
		browser.OnWheel(stageID, s.painter.wheel),
		browser.OnDrop(s.onDrop),
		browser.OnPaste(s.onPaste),
		browser.OnHide(s.leave),
		browser.OnCancel(agentsID, func() { s.CloseDialog(agentsID) }),
		browser.OnCancel(presetsID, func() { s.CloseDialog(presetsID) }),
		browser.OnCancel(assetsID, func() { s.CloseDialog(assetsID) }),
	)
}

// start binds the page to its context; OnMount calls it in the browser, tests call it themselves.
func (s *Studio) start(ctx app.Context) {
	s.ctx = ctx
	s.painter.keep, s.painter.place = s.keepMask, s.placePicture
	s.core.recall = s.recallRun
	s.core.studioKey, s.core.closeStudioDialog = s.key, s.closeDialog
	s.settle()
}

// OnUpdate implements app.Updater: something shared has changed.
func (s *Studio) OnUpdate(app.Context) { s.settle() }

// OnDismount implements app.Dismounter.
func (s *Studio) OnDismount() {
	s.painter.flush()
	s.core.recall, s.core.studioKey, s.core.closeStudioDialog = nil, nil, nil
	for _, release := range s.release {
		release()
	}
}

// post runs f on the page's thread and draws the page again.
func (s *Studio) post(f func()) { s.ctx.Dispatch(func(app.Context) { f() }) }

func (s *Studio) update() {
	if s.ctx.Context != nil {
		s.ctx.Update()
	}
}

// settle takes the draft up as soon as what it needs is here.
func (s *Studio) settle() {
	if !s.ready && len(s.core.agents) > 0 {
		s.form, s.ready = s.draft.Form(s.core.agents), true
		s.formChanged()
	}
	if s.asset == nil && s.draft.Asset != "" {
		if a := s.core.asset(s.draft.Asset); a != nil {
			s.draft.Asset = ""
			s.choose(a)
		}
	}
}

// choose puts a picture on the stage and brings its unfinished mask back.
func (s *Studio) choose(a *atelier.Asset) {
	s.asset = a
	s.refusal = ""
	s.ctx.Defer(func(app.Context) { // the canvas has to be in the page first
		s.painter.open(a)
		s.painter.paint(s.form.PaintsMask())
		s.frameTarget()
		s.update()
	})
	s.remember()
	if a == nil {
		return
	}
	id := a.ID
	s.core.ui.Async(func() {
		defer browser.Guard()
		if packed := remembered(s.core.ctx, id); packed != nil {
			s.core.post(func() { s.painter.restore(id, packed) })
		}
	})
}

// placePicture takes over where the picture was put on the target of an expansion.
func (s *Studio) placePicture(left, top int) {
	s.form = s.form.With("fillLeft", float64(left)).With("fillTop", float64(top))
	s.formChanged()
	s.update()
}

func (s *Studio) keepMask(asset atelier.AssetID, packed []byte) {
	ctx := s.core.ctx
	s.core.ui.Async(func() {
		defer browser.Guard()
		if packed == nil {
			_ = browser.Forget(ctx, model.MaskPrefix+string(asset))
			return
		}
		// A browser without storage keeps the mask for as long as the page lives.
		_ = browser.Keep(ctx, model.MaskPrefix+string(asset), packed)
	})
}

// remember keeps the form on this machine.
func (s *Studio) remember() {
	if !s.ready {
		return
	}
	id := s.draft.Asset // still waiting for the list of pictures
	if s.asset != nil {
		id = s.asset.ID
	}
	browser.Save(draftKey, s.form.Draft(id).Encode())
}

// source is what a run would work on now.
func (s *Studio) source() model.Source {
	return model.Source{Asset: s.asset, Kept: s.painter.kept, Mask: !s.painter.empty && !s.painter.full}
}

// formChanged follows every change of the form.
func (s *Studio) formChanged() {
	s.painter.paint(s.form.PaintsMask())
	s.frameTarget()
	s.remember()
	if _, ok := s.form.Agent.Param("targetWidth"); ok {
		s.NeedPresets(kindDimensions)
	}
}

// frameTarget shows the canvas of an expansion around the picture.
func (s *Studio) frameTarget() {
	frame := image.Rectangle{}
	if s.asset != nil {
		frame = s.form.Target(s.asset.Width, s.asset.Height)
	}
	if frame == s.painter.frame {
		return
	}
	s.painter.frame = frame
	if s.painter.fitted && s.painter.asset != nil {
		s.painter.fit()
	}
	s.painter.schedule()
}

// SetValue implements components.FieldPort.
func (s *Studio) SetValue(name string, value any) {
	s.form = s.form.With(name, value)
	s.touch(name)
	s.formChanged()
}

// TouchField implements components.FieldPort.
func (s *Studio) TouchField(name string) { s.touch(name) }

func (s *Studio) touch(name string) {
	s.refusal = ""
	touched := map[string]bool{name: true}
	for field := range s.shown.Touched {
		touched[field] = true
	}
	s.shown.Touched = touched
	delete(s.shown.Server, name)
}

// ChooseAgent implements components.AgentPort.
func (s *Studio) ChooseAgent(name string) {
	s.form = s.form.Switch(s.core.agent(name))
	s.shown, s.refusal = model.Shown{Touched: map[string]bool{}}, ""
	s.CloseDialog(agentsID)
	s.formChanged()
}

// recallRun takes over the agent, the values and the picture of a run.
func (s *Studio) recallRun(run atelier.Run) {
	agent := s.core.agent(run.Agent)
	if len(agent.Surfaces) == 0 {
		s.core.toast("warning", "The agent of this run is not offered any more.")
		return
	}
	s.form = s.form.Recall(agent, run.Values)
	s.shown, s.refusal = model.Shown{Touched: map[string]bool{}}, ""
	if run.Asset != nil && (s.asset == nil || s.asset.ID != run.Asset.ID) {
		s.choose(run.Asset)
	}
	s.formChanged()
	s.update()
}

// UseTool implements components.ToolPort.
func (s *Studio) UseTool(tool string) { s.painter.use(tool) }

// MaskAction implements components.ToolPort.
func (s *Studio) MaskAction(action string) { s.painter.act(action) }

// CloseDialog implements components.DialogPort.
func (s *Studio) CloseDialog(id string) {
	s.dialog, s.browsing = "", ""
	if id == assetsID {
		s.slot = ""
	}
	browser.CloseModal(id)
	s.update()
}

// closeDialog closes what is in front, a dialog or the form, and says whether there was anything.
func (s *Studio) closeDialog() bool {
	if s.dialog == "" {
		return s.Shown && s.closeForm()
	}
	s.CloseDialog(s.dialog)
	return true
}

func (s *Studio) openDialog(id string) {
	s.dialog = id
	browser.OpenModal(id)
	if box, ok := map[string]string{agentsID: "agent-search", presetsID: "preset-search"}[id]; ok {
		s.ctx.Defer(func(app.Context) { browser.Focus(box) })
	}
}

// ShowRuns implements components.StripPort.
func (s *Studio) ShowRuns(mine bool) { s.mine = mine }

// RetryRun implements components.ShotPort.
func (s *Studio) RetryRun(id atelier.RunID) { s.core.RetryRun(id) }

// RecallRun implements components.ShotPort.
func (s *Studio) RecallRun(id atelier.RunID) {
	if run, ok := s.core.runs.Find(id); ok {
		s.recallRun(run)
	}
}

// OpenShot implements components.ShotPort.
func (s *Studio) OpenShot(key string) {
	s.core.view(key, func() []model.Shot { return s.runs().Shots() })
}

// runs are those the strip shows.
func (s *Studio) runs() model.Runs {
	if !s.mine || s.asset == nil {
		return s.core.runs
	}
	id := s.asset.ID
	return slices.DeleteFunc(slices.Clone(s.core.runs), func(r atelier.Run) bool { return r.Asset == nil || r.Asset.ID != id })
}

// key takes a shortcut of the studio.
func (s *Studio) key(k browser.Key) bool {
	if s.dialog != "" {
		return false
	}
	if k.Ctrl && k.Key == "Enter" && !k.Up {
		if !k.Repeat {
			s.post(s.generate)
		}
		return true
	}
	if !k.Up && !k.Ctrl && !k.Alt && (k.Key == "b" || k.Key == "B") && !s.painter.painted {
		return s.paintInstead()
	}
	return s.painter.key(k)
}

// paintInstead turns to painting the mask by hand, when the agent takes one.
func (s *Studio) paintInstead() bool {
	p, ok := s.form.Agent.Param("maskType")
	if !ok || s.asset == nil || !slices.ContainsFunc(p.Options, func(o catalog.Option) bool { return o.Value == "custom" }) {
		return false
	}
	s.post(func() {
		s.SetValue("maskType", "custom")
		s.painter.use(toolBrush)
	})
	return true
}

// Render implements app.Composer.
func (s *Studio) Render() app.UI {
	return components.El("section", "class", "page studio").Hidden(!s.Shown).Attr("data-sheet", s.sheet).Attr("aria-label", "Studio").Body(
		s.renderBar(),
		s.renderStage(),
		s.renderStrip(),
		s.renderInspector(),
		components.Void("input", "id", pickerID, "class", "visually-hidden", "type", "file", "accept", "image/png,image/jpeg,image/webp",
			"multiple", "true", "tabindex", "-1", "aria-label", "Choose pictures", "data-testid", "upload-input").OnChange(s.onPicked),
		components.Dialog(agentsID, "Agents", "dialog--wide", s.dialog == agentsID, s, func() []app.UI {
			return []app.UI{components.NewAgentPicker(s.core.agents, s.form.Agent.Name, s)}
		}),
		components.Dialog(presetsID, s.browsedTitle(), "dialog--wide dialog--tall", s.dialog == presetsID, s, s.renderPresets),
		components.Dialog(assetsID, "Pictures", "dialog--wide dialog--tall", s.dialog == assetsID, s, s.renderAssets),
	)
}
