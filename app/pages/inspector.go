package pages

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
	"atelier/catalog"
)

func share(f float64) string { return words.Decimal(min(max(f, 0), 1), 3) }

// renderInspector is the form: the agent, its fields, and the one button that pays.
func (s *Studio) renderInspector() app.UI {
	if !s.ready {
		broken := s.core.agentsState == model.Broken
		return components.El("aside", "class", "inspector", "aria-label", words.InspectorForm, "aria-busy", components.Bool(!broken)).Body(
			components.El("button", "type", "button", "class", "inspector__grip", "aria-label", words.InspectorForm).OnClick(s.onGrip),
			components.Box("inspector__head", components.If(!broken, func() app.UI { return components.Box("agent-button skeleton") })),
			s.renderWaiting(),
			components.Box("inspector__foot", components.Box("inspector__hint"),
				components.If(!broken, func() app.UI { return components.Box("button button--large skeleton") })),
		)
	}
	form := components.Form{
		Agent: s.form.Agent, Makes: s.form.Makes(), Fields: s.form.Fields(s.source(), s.shown), Slots: s.form.Slots(s.source(), s.shown),
		Presets:  func(kind string) model.PresetList { return s.core.presetsOf(s.form.Agent.Name, kind) },
		Embedded: s.core.embedded(), NoVideo: s.core.session.NoVideo,
	}
	if s.form.PaintsMask() {
		form.MaskLine = s.renderMaskLine()
	}
	if s.form.Expands() {
		form.Sizes = s.renderSizes()
	}
	if slot, ok := s.form.FurtherSlot(s.source()); ok {
		form.Further = &slot
	}
	return components.El("aside", "class", "inspector", "id", inspectorID, "aria-label", words.InspectorForm).Body(
		components.El("button", "type", "button", "class", "inspector__grip", "id", gripID, "aria-label", s.gripLabel(),
			"data-testid", "sheet-grip").OnClick(s.onGrip),
		components.Box("inspector__head", components.AgentButton(s.form.Agent, s.onAgents)),
		components.El("div", "class", "inspector__body", "id", formID).Body(form.Body(s)...),
		s.renderFoot(),
		s.renderEdge(),
	)
}

func (s *Studio) renderWaiting() app.UI {
	if s.core.agentsState == model.Broken {
		return components.Box("inspector__body", components.Box("empty",
			components.Text("p", "empty__text", words.InspectorAgentsBroken),
			components.Button("retry", words.TryAgain, "").OnClick(func(app.Context, app.Event) { s.core.loadAgents() }),
		))
	}
	rows := make([]app.UI, 4)
	for i := range rows {
		rows[i] = components.Box("field", components.Box("skeleton skeleton--line"), components.Box("skeleton skeleton--control"))
	}
	return components.Box("inspector__body", components.Box("inspector__fields", rows...))
}

// renderMaskLine says how the painted mask stands.
func (s *Studio) renderMaskLine() app.UI {
	text, icon, class := words.MaskLineEmpty, "brush", "mask-line"
	switch {
	case s.asset == nil:
		text = words.MaskLineNoPicture
	case s.painter.full:
		text, icon, class = s.painter.problem(), "alert", "mask-line mask-line--bad"
	case s.painter.empty && s.shown.All:
		text, icon, class = s.painter.problem(), "alert", "mask-line mask-line--bad"
	case !s.painter.empty:
		text, icon = words.MaskLineKept(s.painter.kept), "check"
	}
	line := components.El("p", "class", class, "data-testid", "mask-line",
		"aria-live", "polite").Body(components.SmallIcon(icon), components.Text("span", "", text))
	findings := s.maskDesk.findings
	if s.painter.empty && !s.shown.All {
		findings = nil // nothing was done wrong yet
	}
	return components.Box("mask-lines", line,
		components.If(len(s.form.Photos(s.asset)) > 1 && !s.painter.empty, func() app.UI { return components.Text("p", "field__help", words.FurtherMasks) }),
		components.If(len(findings) > 0, func() app.UI { return components.MaskFindings(findings, s) }))
}

// renderFoot is always in the same place: what is missing, or what a run costs and how long it takes, and the button.
func (s *Studio) renderFoot() app.UI {
	hint, bad := s.hint()
	photos, settings := s.asking()
	label := words.Generate(s.form.Batch(), s.form.Makes(), photos, settings)
	if s.sending {
		label = words.GenerateSending(s.sent, photos*settings)
	}
	cost, usual := "", ""
	if hint == "" {
		cost, usual = s.cost(photos*settings), s.usualTime(photos*settings)
	}
	return components.Box("inspector__foot",
		components.Box("inspector__hint"+components.Pick(bad, " inspector__hint--bad", ""),
			components.El("p", "role", "status", "data-testid", "form-hint").Text(hint),
			components.Box("",
				components.El("p", "data-testid", "cost").Text(cost),
				components.El("p", "data-testid", "usual").Text(usual)),
		),
		components.El("button", "type", "button", "class", "button button--primary button--large generate", "data-testid", "generate",
			"title", s.core.keymap.Tip(model.DoGenerate), "aria-keyshortcuts", s.core.keymap.Aria(model.DoGenerate), "aria-disabled", components.Bool(s.sending)).OnClick(s.onGenerate).Text(label),
	)
}

// asking says of how many photos runs are made, and in how many settings each.
func (s *Studio) asking() (photos, settings int) {
	return len(s.form.Photos(s.onStage())), len(s.form.Settings())
}

// hint is the one thing to do before a run can be made, "" when nothing is in the way.
func (s *Studio) hint() (text string, bad bool) {
	if s.core.session.User.Role == atelier.Viewer {
		return words.HintViewer, s.shown.All
	}
	if s.refusal != "" {
		return s.refusal, true
	}
	if _, needed := s.form.Works(); needed && s.asset == nil {
		return words.HintPicture, s.shown.All
	}
	if s.core.session.NoVideo != "" && s.form.Makes() == catalog.MakesVideo {
		return s.core.session.NoVideo, s.shown.All
	}
	photos, settings := s.asking()
	if photos*settings > model.MostPhotos {
		return words.GenerateMany(photos*settings, model.MostPhotos), true
	}
	if a := s.core.session.Allowance; a != nil {
		if n := s.form.Batch() * photos * settings; n > a.Left() {
			return a.Refusal(n), true
		}
	}
	if s.form.PaintsMask() {
		if p := s.painter.problem(); p != "" {
			return p, s.shown.All
		}
	}
	if p := model.FirstRefusal(s.form.Problems(s.source())); p != nil {
		return p.Message, s.shown.All
	}
	if slot, _ := s.form.FurtherSlot(s.source()); slot.Problem != "" {
		return slot.Problem, true
	}
	return "", false
}

func (s *Studio) onGenerate(app.Context, app.Event) { s.generate() }
func (s *Studio) onAgents(app.Context, app.Event)   { s.openDialog(agentsID) }

// onGrip moves the sheet of a phone through its three heights; on a tablet the form is open or closed.
func (s *Studio) onGrip(app.Context, app.Event) {
	if s.slidesOver() {
		s.sheet = components.Pick(s.sheet == "peek", "full", "peek")
		return
	}
	s.sheet = map[string]string{"peek": "half", "half": "full", "full": "peek"}[s.sheet]
}

// sheetShown is the height of the sheet: one that has something to say comes up by itself.
func (s *Studio) sheetShown() string {
	if !s.ready && s.core.agentsState == model.Broken && s.sheet == "peek" {
		return "half"
	}
	return s.sheet
}

// slidesOver says that the form comes over the canvas from the right rather than from below.
func (s *Studio) slidesOver() bool { return browser.BoxOf(inspectorID).X > 0 }

// closeForm lets the form down where it lies over the canvas, and says whether it did.
func (s *Studio) closeForm() bool {
	if s.sheet == "peek" || browser.BoxOf(gripID).W == 0 {
		return false
	}
	s.post(func() { s.sheet = "peek" })
	browser.Focus(gripID)
	return true
}

func (s *Studio) gripLabel() string {
	return map[string]string{"peek": words.InspectorOpen, "half": words.InspectorEnlarge, "full": words.InspectorClose}[s.sheet]
}

// reveal brings the first field with a problem into view, with what is said of it, and the focus there; on a phone the
// focus stays, since a keyboard would cover what is said.
func (s *Studio) reveal() {
	s.sheet = "full"
	s.standAlone(false)
	id := ""
	for _, slot := range s.form.Slots(s.source(), s.shown) {
		if id == "" && slot.Problem != "" {
			at := 0 // too many: the first of them
			if slot.Room > 0 {
				at = len(slot.Assets)
			}
			id = components.SlotID(slot.File.Name, at)
		}
	}
	for _, f := range s.form.Fields(s.source(), s.shown) {
		if id == "" && f.Problem != "" {
			id = "field-" + f.Param.Name
		}
	}
	if slot, _ := s.form.FurtherSlot(s.source()); id == "" && slot.Problem != "" {
		id = components.SlotID(model.Further.Name, 0)
	}
	if id != "" {
		drawn(s.ctx, func() { browser.Reveal(id, !browser.Touched()) }) // what is said of it is there only then
	}
}

// renderSizes offers the usual sizes of an expansion.
func (s *Studio) renderSizes() app.UI {
	sizes := components.Sizes{
		Width: s.form.Values["targetWidth"], Height: s.form.Values["targetHeight"], Ready: s.painter.expands,
		List: s.core.presetsOf(s.form.Agent.Name, kindDimensions),
	}
	for _, shape := range model.CanvasShapes {
		size := components.Size{Title: shape.Title, Ratio: float64(shape.Across) / float64(shape.Down)}
		if s.painter.expands { // of no picture, no size
			size.Width, size.Height = s.painter.expansion.Shape(shape.Across, shape.Down)
		}
		sizes.Shapes = append(sizes.Shapes, size)
	}
	return components.NewSizes(sizes, s)
}

// SetCanvas implements components.SizesPort: takes a size for the canvas of an expansion, with the photo in its middle.
func (s *Studio) SetCanvas(w, h int) {
	s.form = s.form.WithCanvas(w, h)
	s.touch("targetWidth")
	s.touch("targetHeight")
	s.formChanged()
	s.core.said = s.painter.expansion.InWords()
	s.core.rev++
}

// CentreCanvas implements components.SizesPort.
func (s *Studio) CentreCanvas() {
	if e := s.painter.expansion; s.painter.expands {
		s.SetCanvas(e.Width, e.Height)
	}
}

// NeedSizes implements components.SizesPort.
func (s *Studio) NeedSizes() { s.NeedPresets(kindDimensions) }

// kindDimensions is the kind of preset that is a size (Task API, "Agent info").
const kindDimensions = "dimensions"
