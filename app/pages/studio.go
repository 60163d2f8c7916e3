package pages

import (
	"context"
	"slices"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
	"atelier/catalog"
)

// Studio is the page where pictures are brought, masked and given to an agent.
type Studio struct {
	app.Compo
	Rev   int // of the core: something shared has changed
	Shown bool
	core  *core

	ctx      app.Context
	painter  *painter
	asset    *atelier.Asset
	gone     atelier.AssetID // the picture that did not load
	again    int             // how often one was asked for anew
	form     model.Form
	ready    bool // the agents are here and the draft is taken up
	shown    model.Shown
	draft    model.Draft
	account  string // the account that the presets of the form belong to
	taught   bool   // the first steps were read, or gone
	sought   bool   // the picture of the draft was asked for
	favoured int    // core.favoured when the form followed it last

	uploads  []upload
	together []atelier.Asset // came to the stage with those that are still on their way
	gather   bool            // the same is to be made of all of them
	uploadID int
	patients []patient               // pictures that need a repair before they can go
	order    map[atelier.AssetID]int // in which order files were picked: the smaller ones arrive first
	slot     string                  // the file field the next file goes to, "" for where it belongs
	slotAt   int                     // its place there
	*finder                          // what the dialog of files shows
	shelf    model.Shelf
	estimate estimate
	dropping bool
	dialog   string // which dialog of the studio is open
	browsing string // the param whose presets are browsed
	mine     bool   // the strip shows the runs of this picture only
	maskDesk maskDesk
	preview  maskPreview
	painting atelier.AssetID // the mask desk opens with what the preview of this photo finds
	alone    bool            // nothing stands around the picture
	folded   bool            // of the strip only the head is shown
	width    int             // of the form, in CSS pixels
	dragged  bool            // the edge of the form is held
	pulled   bool            // and was moved
	taken    float64         // where it was taken hold of, CSS px
	sheet    string          // on a phone: how high the form stands: peek, half, full
	sending  bool
	sent     int    // photos of which runs were asked for so far, or whose masks were moved
	refusal  string // what the server said of the form as a whole
	asked    asked
	made     time.Time       // when the last press was answered in full, zero since another one
	making   []atelier.RunID // of that press
	release  []func()
}

// The elements of the studio that the browser package is told about.
const (
	pickerID  = "upload-input"
	agentsID  = "agents"
	presetsID = "presets"
	assetsID  = "assets"

	presetSearchID = "preset-search"

	inspectorID = "inspector"
	formID      = "inspector-body"
	gripID      = "inspector-grip"
)

const (
	draftKey = "atelier.draft"
	shelfKey = "atelier.shelf"
)

// OnInit implements app.Initializer.
func (s *Studio) OnInit() {
	s.mine, s.sheet = true, "peek"
	s.painter = newPainter(func() { s.update() })
	s.finder = newFinder(s.core, s.wanted, func() bool { return s.dialog == assetsID }, func() { s.update() })
	s.startDesk()
	s.shown.Touched, s.order = map[string]bool{}, map[atelier.AssetID]int{}
	s.draft = model.ReadDraft(browser.Load(draftKey))
	s.shelf = model.ReadShelf(browser.Load(shelfKey))
	s.taught = browser.Load(stepsKey) != ""
	s.folded, s.width = browser.Load(stripKey) == stripFolded, readFormWidth(browser.Load(formWidthKey))
}

// OnMount implements app.Mounter.
func (s *Studio) OnMount(ctx app.Context) {
	s.start(ctx)
	s.release = append(s.release,
		browser.OnResize(stageID, s.onResize),
		browser.OnPointer(stageID, s.painter.pointer),
		browser.OnPointer(mapID, s.painter.mapPointer),
		browser.OnWheel(stageID, s.painter.wheel),
		browser.OnDrop(s.onDrop),
		browser.OnPaste(s.onPaste),
		browser.OnSort(func(list string, from, to int) { s.post(func() { s.MoveFile(list, from, to) }) }),
		browser.OnHide(s.leave),
		browser.OnBlur(s.painter.letGo),
		browser.OnCancel(agentsID, func() { s.CloseDialog(agentsID) }),
		browser.OnCancel(presetsID, func() { s.CloseDialog(presetsID) }),
		browser.OnCancel(assetsID, func() { s.CloseDialog(assetsID) }),
		browser.OnCancel(confirmID, func() { s.CloseDialog(confirmID) }),
		browser.OnCancel(doctorID, func() { s.CloseDialog(doctorID) }),
		browser.OnCancel(importID, func() { s.CloseDialog(importID) }),
	)
}

// start binds the page to its context; OnMount calls it in the browser, tests call it themselves.
func (s *Studio) start(ctx app.Context) {
	s.ctx = ctx
	s.painter.keep, s.painter.expanded = s.keepMask, s.expanded
	s.core.fill, s.core.resent = s.fillValues, s.resent
	s.core.recall, s.core.use, s.core.useAll = s.recallRun, s.useResult, s.useResults
	s.core.chooseAgent = s.ChooseAgent
	s.core.openCard = s.OpenShot
	s.core.openAsset = func(a atelier.Asset) {
		s.CloseDialog(assetsID)
		s.place(a, "", 0)
		s.core.ui.Navigate("/")
	}
	s.core.studioKey, s.core.closeStudioDialog = s.key, s.closeDialog
	s.settle()
}

// OnUpdate implements app.Updater: something shared has changed.
func (s *Studio) OnUpdate(app.Context) { s.settle() }

// OnDismount implements app.Dismounter.
func (s *Studio) OnDismount() {
	s.painter.flush()
	s.core.fill, s.core.resent = nil, nil
	s.core.recall, s.core.use, s.core.studioKey, s.core.closeStudioDialog, s.core.chooseAgent = nil, nil, nil, nil, nil
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
		s.form, s.ready, s.account = s.draft.Form(s.core.agents), true, s.draft.Account
		s.formChanged()
	}
	if now := s.core.session.AccountStamp; s.ready && s.account != now {
		if s.account != "" {
			s.form = s.form.WithoutPresets(s.core.agents)
			s.formChanged()
		}
		s.account = now
	}
	if s.ready && s.favoured != s.core.favoured {
		s.favoured = s.core.favoured
		s.completePresets()
	}
	if s.asset == nil && s.draft.Asset != "" {
		if a := s.core.asset(s.draft.Asset); a != nil {
			s.choose(a)
		} else if s.core.assetsState == model.Loaded && !s.sought {
			s.seek(s.draft.Asset)
		}
	}
	s.followPreview()
}

// seek asks, once, for the picture of the draft, which is not among the latest files. Without an answer the draft keeps it.
func (s *Studio) seek(id atelier.AssetID) {
	s.sought = true
	s.core.do(func(ctx context.Context) func() {
		a, err := s.core.api.Asset(ctx, id)
		return func() {
			switch {
			case s.core.expired(err) || s.draft.Asset != id: // something else was chosen meanwhile
			case err == nil && s.asset == nil:
				s.choose(&a)
				s.update()
			case atelier.CodeOf(err) == atelier.NotFound:
				s.draft.Asset = ""
			}
		}
	})
}

// choose puts a picture on the stage; nil takes it off.
func (s *Studio) choose(a *atelier.Asset) {
	s.asset, s.gone, s.draft.Asset = a, "", ""
	if a != nil && s.isFurther(a.ID) {
		s.form = s.form.WithFurther(*a, nil)
	}
	s.refusal = ""
	s.formChanged()
}

// onStage is the picture that is worked on, nil when there is none or the agent at hand works on none.
func (s *Studio) onStage() *atelier.Asset {
	if on, _ := s.form.Works(); on {
		return s.asset
	}
	return nil
}

// showPicture brings the picture that is worked on to the stage, with its unfinished mask.
func (s *Studio) showPicture() {
	a := s.onStage()
	if shown := s.painter.asset; shown == a || shown != nil && a != nil && shown.ID == a.ID {
		return
	}
	drawn(s.ctx, func() { // the canvas has to be in the page first
		a := s.onStage()
		s.painter.open(a)
		s.painter.paint(s.form.PaintsMask())
		s.frameCanvas()
		s.update()
		if a != nil {
			s.bringMaskBack(a.ID)
		}
	})
}

func (s *Studio) bringMaskBack(id atelier.AssetID) {
	s.core.ui.Async(func() {
		defer browser.Guard()
		if packed := remembered(s.core.ctx, id); packed != nil {
			s.core.post(func() { s.painter.restore(id, packed) })
		}
	})
}

// expanded takes over what the handles of an expansion did.
func (s *Studio) expanded(e model.Expansion, done bool) {
	s.form = s.form.WithExpansion(e)
	for _, name := range []string{"targetWidth", "targetHeight", "fillLeft", "fillTop"} {
		s.touch(name)
	}
	if done {
		s.core.said = e.InWords()
		s.core.rev++
		s.formChanged()
	}
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
	draft := s.form.Draft(id)
	draft.Account = s.core.session.AccountStamp
	browser.Save(draftKey, draft.Encode())
}

// source is what a run would work on now.
func (s *Studio) source() model.Source {
	return model.Source{Asset: s.asset, Kept: s.painter.kept, Mask: !s.painter.empty && !s.painter.full}
}

// formChanged follows every change of the form.
func (s *Studio) formChanged() {
	s.showPicture()
	s.painter.paint(s.form.PaintsMask())
	s.frameCanvas()
	s.remember()
	s.askCost()
	s.askUsual()
	s.completePresets()
	s.followPreview()
}

// frameCanvas shows the canvas of an expansion around the picture.
func (s *Studio) frameCanvas() {
	e, ok := model.Expansion{}, false
	if a := s.onStage(); a != nil {
		e, ok = s.form.Expansion(a.Width, a.Height)
	}
	s.painter.expand(e, ok)
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
	before := s.form
	s.form = s.form.Switch(s.core.agent(name))
	s.carry(before)
	s.shown, s.refusal = model.Shown{Touched: map[string]bool{}}, ""
	s.shelve(s.shelf.Use(name))
	s.CloseDialog(agentsID)
	s.formChanged()
	drawn(s.ctx, func() { browser.ScrollTo(formID, 0) })
}

// carry takes the picture along when agents differ in where they want it: the one on the stage becomes the first of the
// pictures, and the first of the pictures comes to the stage.
func (s *Studio) carry(before model.Form) {
	on, _ := s.form.Works()
	if on && s.asset == nil {
		for _, file := range before.Agent.Files {
			if pictures := before.Files[file.Name]; file.Media == catalog.Image && len(pictures) > 0 {
				s.asset = &pictures[0]
				return
			}
		}
	}
	if on || s.asset == nil {
		return
	}
	for _, slot := range s.form.Slots(s.source(), s.shown) {
		if slot.File.Media == catalog.Image && (len(slot.Assets) > 0 || slot.Because != "") {
			return
		}
	}
	if slot, ok := s.form.SlotFor(s.source(), catalog.Image); ok {
		s.form = s.form.WithFiles(slot, []atelier.Asset{*s.asset})
	}
}

// StarAgent implements components.AgentPort.
func (s *Studio) StarAgent(name string) { s.shelve(s.shelf.Star(name)) }

func (s *Studio) shelve(shelf model.Shelf) {
	s.shelf = shelf
	browser.Save(shelfKey, shelf.Encode())
}

// CloseDialog implements components.DialogPort.
func (s *Studio) CloseDialog(id string) {
	s.dialog, s.browsing = "", ""
	if id == assetsID {
		s.slot, s.slotAt = "", 0
		s.finder.end()
	}
	if id == doctorID {
		s.dismiss()
	}
	s.core.closePageDialog(id)
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
	if id == assetsID {
		s.ask(false, "")
	}
	s.core.openPageDialog(id, s)
	if box, ok := map[string]string{agentsID: "agent-search", presetsID: presetSearchID, assetsID: components.ChooserAddID}[id]; ok && !browser.Touched() {
		drawn(s.ctx, func() { browser.Focus(box) })
	}
}

// ShowRuns implements components.StripPort.
func (s *Studio) ShowRuns(mine bool) { s.mine = mine }

// RetryRun implements components.ShotPort.
func (s *Studio) RetryRun(id atelier.RunID) { s.core.RetryRun(id) }

// DecideRun implements components.StripPort.
func (s *Studio) DecideRun(id atelier.RunID) { s.core.DecideRun(id) }

// CancelRuns implements components.StripPort.
func (s *Studio) CancelRuns(ids []atelier.RunID) { s.core.CancelRuns(ids) }

// SendNext implements components.StripPort.
func (s *Studio) SendNext(id atelier.RunID) { s.core.SendNext(id) }

// RecallRun implements components.ShotPort.
func (s *Studio) RecallRun(id atelier.RunID) {
	if run, ok := s.core.runs.Find(id); ok {
		s.recallRun(run, false)
	}
}

// OpenShot implements components.ShotPort.
func (s *Studio) OpenShot(key string) {
	shots := func() []model.Shot { return s.runs().Shots() }
	for _, shot := range shots() {
		if !shot.Result.Stored && shot.Key() == key {
			s.core.sayWhy(shot)
			return
		}
	}
	s.core.view(key, shots)
}

// runs are those the strip shows: of the picture on the stage and the further ones, of the agent where there is none, or all.
func (s *Studio) runs() model.Runs {
	on, _ := s.form.Works()
	a := s.onStage()
	return slices.DeleteFunc(slices.Clone(s.core.runs), func(r atelier.Run) bool {
		switch {
		case !s.mine || on && a == nil:
			return false
		case !on:
			return r.Agent != s.form.Agent.Name
		}
		return r.Asset == nil || r.Asset.ID != a.ID && !s.isFurther(r.Asset.ID)
	})
}

// key takes a shortcut of the studio.
func (s *Studio) key(k browser.Key) bool {
	if s.dialog != "" {
		return false
	}
	action := s.painter.does(k)
	if k.Up {
		action = ""
	}
	switch action {
	case model.DoGenerate:
		if !k.Repeat {
			s.post(s.generate)
		}
		return true
	case model.ToolBrush:
		if !s.painter.painted {
			return s.paintInstead()
		}
	case model.DoPanel:
		s.post(func() { s.openPanel(!s.maskDesk.open) })
		return true
	case model.DoAlone:
		s.post(func() { s.standAlone(!s.alone) })
		return true
	}
	if k.Key == "Escape" && !k.Up && s.maskDesk.open && !s.painter.making() {
		s.post(func() { s.openPanel(false) })
		return true
	}
	if s.painter.key(k) {
		return true
	}
	if k.Key == "Escape" && !k.Up && s.alone {
		s.post(func() { s.standAlone(false) })
		return true
	}
	return false
}

// paintInstead turns to painting the mask by hand, when the agent takes one: from the region of the preview unless something is painted.
func (s *Studio) paintInstead() bool {
	if !s.paints() || s.onStage() == nil {
		return false
	}
	s.post(func() {
		if s.preview.state == model.Loaded && s.painter.empty {
			s.FixByHand()
			return
		}
		s.SetValue("maskType", "custom")
		s.painter.use(model.ToolBrush)
	})
	return true
}

// Render implements app.Composer.
func (s *Studio) Render() app.UI {
	return components.El("section", "class", "page studio").Hidden(!s.Shown).Attr("data-sheet", s.sheetShown()).Attr("data-alone", components.Bool(s.alone)).Attr("aria-label", words.PageStudio).Body(
		s.renderBar(),
		s.renderStage(),
		s.renderMap(),
		s.renderMaskPanel(),
		s.renderInspector(),
		s.renderStrip(),
		components.Void("input", "id", pickerID, "class", "visually-hidden", "type", "file", "accept", s.accepts(),
			"multiple", "true", "tabindex", "-1", "aria-label", words.StudioChooseFiles, "data-testid", "upload-input").OnChange(s.onPicked),
		components.Dialog(agentsID, words.StudioAgents, "dialog--agents dialog--tall", s.dialog == agentsID, s, s.core.withToasts(agentsID, func() []app.UI {
			return []app.UI{components.NewAgentPicker(components.AgentPicker{
				Agents: s.core.agents, Chosen: s.form.Agent.Name, Shelf: s.shelf, Embedded: s.core.embedded(), NoVideo: s.core.session.NoVideo,
			}, s)}
		})),
		components.Dialog(presetsID, s.browsedTitle(), "dialog--wide dialog--tall", s.dialog == presetsID, s, s.core.withToasts(presetsID, s.renderPresets)),
		components.Dialog(doctorID, words.DoctorTitle(len(s.patients)), "dialog--wide dialog--tall", s.dialog == doctorID, s, s.core.withToasts(doctorID, s.renderDoctor)),
		components.Dialog(importID, words.StudioImport, "", s.dialog == importID, s, s.core.withToasts(importID, s.renderImport)),
		components.Dialog(confirmID, words.ConfirmTitle, "", s.dialog == confirmID, s, s.core.withToasts(confirmID, s.renderConfirm)),
		components.Dialog(assetsID, mediaWords[s.wanted()].many, "dialog--wide dialog--tall", s.dialog == assetsID, s, s.core.withToasts(assetsID, s.renderAssets)),
	)
}
