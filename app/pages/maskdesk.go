package pages

import (
	"context"
	"image"
	"slices"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
	"atelier/imaging/mask"
)

// deskKey is where the settings of the mask desk are remembered.
const deskKey = "atelier.maskdesk"

// maskDesk is the panel beside the stage, and what is known about the mask beyond its pixels.
type maskDesk struct {
	open    bool
	tab     string
	note    string
	area    int // of specks and holes
	kind    string
	fields  [4]string
	regions []mask.Region
	total   int
	marked  int
	looking *look // at the regions or for what is wrong

	findings []mask.Finding

	masks      []atelier.Mask          // all of the designer's
	leaving    map[atelier.MaskID]bool // deleted, while that can be undone
	masksState model.Load
	renaming   atelier.MaskID // whose name is being changed

	reading *mask.Reading // an imported picture in black and white, whose meaning is asked
}

// look is a job that looks at the mask without changing it. A change of the mask makes it void.
type look struct{ job stepper }

// startDesk readies the mask desk.
func (s *Studio) startDesk() {
	s.maskDesk = maskDesk{tab: components.TabRefine, kind: model.ToolRect, marked: -1}
	p := s.painter
	p.desk = model.ReadMaskDesk(browser.Load(deskKey))
	p.keymap = &s.core.keymap
	p.prefer = func(d model.MaskDesk) {
		d.Keys = s.core.keymap.Own
		browser.Save(deskKey, d.Encode())
	}
	p.say = func(sentence string) {
		s.core.said = sentence
		s.core.change()
	}
	p.fail = func(sentence string) {
		s.core.toast("error", sentence)
		s.core.change()
	}
	p.away = func(do func() func()) { s.core.do(func(context.Context) func() { return do() }) }
	p.read = s.readPixels
	p.settled = s.maskChanged
}

// readPixels reads the pixels of a picture for the tools that look at colours.
func (s *Studio) readPixels(a atelier.Asset, then func(mask.Source, error)) {
	s.core.do(func(ctx context.Context) func() {
		pix := make([]byte, 0, 4*a.Width*a.Height)
		err := browser.Pixels(ctx, a.File, image.Pt(a.Width, a.Height), func(rgba []byte) { pix = append(pix, rgba...) })
		return func() {
			then(mask.Source{W: a.Width, H: a.Height, Pix: pix}, err)
			s.update()
		}
	})
}

// maskChanged follows every finished change of the mask: what was known of it is void, and is looked for again.
func (s *Studio) maskChanged() {
	d := &s.maskDesk
	d.findings, d.marked = nil, -1
	s.painter.marked = image.Rectangle{}
	if d.looking != nil {
		d.looking.job.Cancel()
		d.looking = nil
	}
	if s.painter.asset == nil || s.painter.editor == nil || !s.painter.painted {
		return
	}
	if d.open && d.tab == components.TabRegions {
		s.listRegions()
		return
	}
	s.preflight()
}

// watch steps a job that looks at the mask; then follows when it is over and the mask still the same.
func (s *Studio) watch(job stepper, then func()) {
	l := &look{job}
	s.maskDesk.looking = l
	browser.Slices(func() bool {
		if s.maskDesk.looking != l {
			return false
		}
		if s.painter.gesture.kind == "stroke" { // its end has the new mask looked at
			job.Cancel()
			s.maskDesk.looking = nil
			return false
		}
		if !job.Step(lookTime) {
			return true
		}
		s.maskDesk.looking = nil
		then()
		s.update()
		return false
	})
}

// preflight looks for what is better known before the mask is sent.
func (s *Studio) preflight() {
	a := s.painter.asset
	job := s.painter.editor.Plane().Preflight(a.Width, a.Height, true)
	s.watch(job, func() { s.maskDesk.findings = job.Findings() })
}

// mostRegions is how many parts of the mask are listed.
const mostRegions = 24

func (s *Studio) listRegions() {
	job := s.painter.editor.Plane().Listing(mostRegions)
	s.watch(job, func() {
		s.maskDesk.regions, s.maskDesk.total = job.Regions(), job.Total()
		s.preflight()
	})
}

// renderTools is what floats over the stage while a mask is painted.
func (s *Studio) renderTools() []app.UI {
	p := s.painter
	options := components.ToolOptions{Tool: p.tool, Desk: p.desk, Drawing: p.corners != nil, Keys: s.core.keymap}
	if w := p.work; w != nil {
		options.Work, options.Waiting = w.name, w.job == nil
		if w.job != nil {
			options.Progress = w.job.Progress()
		}
	}
	row := options.Render(s)
	return []app.UI{
		components.NewTools(components.Tools{
			Tool: p.tool, Desk: p.desk, CanUndo: s.canUndo(), CanRedo: s.canRedo(), Flipped: p.flipped, Panel: s.maskDesk.open, Keys: s.core.keymap,
		}, s),
		components.If(row != nil, func() app.UI { return row }),
		components.If(p.empty && row != nil && p.work == nil && !s.maskDesk.open, func() app.UI {
			return components.El("p", "class", "stage__hint", "data-testid", "mask-hint").Text(words.MaskHint)
		}),
	}
}

// renderMap is the overview: always there, so that its listeners are, and shown while part of the picture is off the stage.
func (s *Studio) renderMap() app.UI {
	a := s.onStage()
	box := components.El("div", "id", mapID, "class", "stagemap", "data-testid", "stage-map", "aria-hidden", "true").
		Hidden(!s.painter.mapped() || s.maskDesk.open && s.painter.stage.W < phoneStage)
	if a == nil {
		return box.Body(components.Void("img", "class", "stagemap__picture", "alt", ""), components.El("div", "id", mapViewID, "class", "stagemap__view"))
	}
	k := mapSide / float64(max(a.Width, a.Height))
	return box.Style("width", words.Decimal(float64(a.Width)*k, 1)+"px").Style("height", words.Decimal(float64(a.Height)*k, 1)+"px").Body(
		components.Void("img", "class", "stagemap__picture", "src", components.Thumb(a.Thumb, 160), "alt", ""),
		components.El("div", "id", mapViewID, "class", "stagemap__view"))
}

func (s *Studio) renderMaskPanel() app.UI {
	p, d := s.painter, &s.maskDesk
	if !d.open || !p.painted || p.editor == nil || s.onStage() == nil {
		return components.El("div", "class", "maskside").Hidden(true)
	}
	panel := components.MaskPanel{
		Tab: d.tab, Desk: p.desk, Busy: p.work != nil, Note: d.note, Begun: !p.empty,
		Grow: p.liveValue(liveGrow), Feather: p.liveValue(liveFeather), Smooth: p.liveValue(liveSmooth), Firm: p.firm, Area: d.area,
		Regions: d.regions, Total: d.total, Marked: d.marked, Kind: d.kind, Fields: d.fields,
		SavedState: d.masksState, Renaming: d.renaming, Angle: int(p.view.Angle + .5), Keys: s.core.keymap,
	}
	if panel.Area == 0 {
		panel.Area = mask.SpeckArea(p.asset.Width, p.asset.Height)
	}
	for _, m := range d.masks {
		switch {
		case m.AssetID == p.asset.ID:
			panel.Saved = append(panel.Saved, m)
		case m.Width == p.asset.Width && m.Height == p.asset.Height:
			panel.Others = append(panel.Others, m)
		}
	}
	panel.History, panel.Done = p.editor.History()
	for i, e := range panel.History {
		if e.Name == "" {
			panel.History[i].Name = words.StepChange
		}
	}
	return components.El("div", "class", "maskside").Body(components.NewMaskPanel(panel, s))
}

// UseTool implements components.ToolPort.
func (s *Studio) UseTool(tool string) { s.painter.use(tool) }

// MaskAction implements components.ToolPort.
func (s *Studio) MaskAction(action string) {
	p := s.painter
	switch action {
	case "panel":
		s.openPanel(!s.maskDesk.open)
	case "give-up":
		p.giveUp()
	case "close-polygon":
		p.closePolygon()
	case "saved-again":
		s.loadMasks()
	case "save":
		s.saveMask()
	case "export":
		s.exportMask()
	case "import":
		browser.Click(components.MaskImportID)
	case "imported":
		s.importMask(browser.TakeFiles(components.MaskImportID))
	default:
		p.act(action)
	}
}

func (s *Studio) openPanel(open bool) {
	s.maskDesk.open, s.maskDesk.note = open, ""
	s.painter.marked = image.Rectangle{}
	s.painter.beside(open)
	if open {
		s.showTab(s.maskDesk.tab)
	}
}

func (s *Studio) showTab(tab string) {
	d := &s.maskDesk
	d.tab, d.note, d.marked = tab, "", -1
	s.painter.marked = image.Rectangle{}
	s.painter.schedule()
	switch {
	case tab == components.TabRegions && s.painter.editor != nil:
		s.listRegions()
	case tab == components.TabSaved && d.masksState != model.Loading:
		s.loadMasks()
	}
}

// MaskSet implements components.ToolPort.
func (s *Studio) MaskSet(name, value string) {
	p, d := s.painter, &s.maskDesk
	n, err := strconv.Atoi(value)
	number := err == nil
	prefs := p.desk
	switch name {
	case "tab":
		s.showTab(value)
	case "brush-size":
		p.resizeBrush(n)
	case "brush-hardness":
		p.harden(n)
	case "wand-tolerance":
		p.tolerance(n, prefs.Whole)
	case "wand-whole":
		p.tolerance(prefs.Tolerance, value == "true")
	case "join":
		prefs.Join = value
		p.prefers(prefs)
	case "smart":
		prefs.Smart = value
		p.prefers(prefs)
	case "show":
		prefs.Show = value
		p.prefers(prefs)
	case "opacity":
		prefs.Opacity = n
		p.prefers(prefs)
	case "tint-keep":
		prefs.Keep = value
		p.prefers(prefs)
	case "tint-redraw":
		prefs.Redraw = value
		p.prefers(prefs)
	case "map":
		prefs.NoMap = value != "true"
		p.prefers(prefs)
		drawn(s.ctx, func() { p.frameMap() })
	case "firm":
		if p.firm != (value == "true") {
			p.act("firm")
		}
	case "grow", "feather", "smooth":
		if number {
			p.refine(name, n)
		}
	case "area":
		if number {
			d.area = min(max(n, 1), 99999)
		}
	case "holes", "specks":
		area := d.area
		if area == 0 && p.asset != nil {
			area = mask.SpeckArea(p.asset.Width, p.asset.Height)
		}
		p.clean(name == "specks", area)
	case "start":
		s.startFrom(value)
	case "region":
		s.markRegion(n)
	case "region-flip":
		s.flipRegion(n)
	case "shape-kind":
		d.kind = value
	case "shape":
		s.joinNumbers(value)
	case "use":
		s.useMask(atelier.MaskID(value))
	case "delete":
		s.deleteMask(atelier.MaskID(value))
	case "rename":
		s.beginRename(atelier.MaskID(value))
	case "rename-to":
		s.renameMask(value)
	case "jump":
		p.jump(n)
	case "keys":
		s.core.openKeys()
	case "repair":
		s.repair(n)
	default:
		if i := slices.Index(components.ShapeFieldIDs[:], name); i >= 0 {
			d.fields[i] = value
		}
	}
}

// markRegion outlines a region of the list, or takes the outline away.
func (s *Studio) markRegion(i int) {
	p, d := s.painter, &s.maskDesk
	if i < 0 || i >= len(d.regions) || d.marked == i {
		d.marked, p.marked = -1, image.Rectangle{}
		p.schedule()
		return
	}
	d.marked, p.marked = i, d.regions[i].Box
	p.say(model.RegionWords(i+1, d.regions[i]))
	middle := p.marked.Min.Add(p.marked.Max).Div(2)
	if !p.whole && !middle.In(p.inView()) {
		p.move(p.view.Middle(float64(middle.X), float64(middle.Y), p.stage))
	}
	p.schedule()
}

// flipRegion redraws a region that is kept, and keeps one that is redrawn.
func (s *Studio) flipRegion(i int) {
	d := &s.maskDesk
	if i < 0 || i >= len(d.regions) || s.painter.editor == nil {
		return
	}
	r := d.regions[i]
	op, name := mask.Add, words.StepKeepRegion(i+1)
	if r.Kept {
		op, name = mask.Subtract, words.StepRedrawRegion(i+1)
	}
	s.painter.apply(name, words.DoingRegion, s.painter.editor.Plane().RegionAt(r.At), op, nil)
}

// joinNumbers joins the shape given in numbers with the mask.
func (s *Studio) joinNumbers(join string) {
	p, d := s.painter, &s.maskDesk
	if p.editor == nil {
		return
	}
	var v [4]float64
	for i, text := range d.fields {
		n, err := strconv.ParseFloat(text, 64)
		if err != nil || i > 1 && n <= 0 {
			d.note = words.ShapeGiveNumbers(p.asset.Width, p.asset.Height)
			browser.Focus(components.ShapeFieldIDs[i])
			return
		}
		v[i] = n
	}
	a, b := mask.Point{X: v[0], Y: v[1]}, mask.Point{X: v[0] + v[2], Y: v[1] + v[3]}
	shape, name := mask.Rectangle(a, b), words.ToolRectangle
	if d.kind == model.ToolEllipse {
		shape, name = mask.Ellipse(a, b), words.ToolEllipse
	}
	p.joinShape(name, shape, map[string]mask.Op{model.JoinSubtract: mask.Subtract, model.JoinIntersect: mask.Intersect, model.JoinAdd: mask.Add}[join])
	d.note = words.ShapeDone(name, p.kept)
}

// repair does what a finding proposes.
func (s *Studio) repair(i int) {
	d, p := &s.maskDesk, s.painter
	if i < 0 || i >= len(d.findings) || p.editor == nil {
		return
	}
	f := d.findings[i]
	p.apply(f.Fix, words.DoingRepair, f.Repair(p.editor.Plane()), mask.Replace, nil)
}
