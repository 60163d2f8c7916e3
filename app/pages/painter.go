package pages

import (
	"context"
	"image"
	"math"
	"time"

	"atelier/app/browser"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
	"atelier/imaging/mask"
)

// The elements of the stage that follow the pointer without a render.
const (
	stageID   = "stage"
	pictureID = "stage-picture"
	overlayID = "stage-mask"
	ringID    = "stage-ring"
	mapID     = "stage-map"
	mapViewID = "stage-map-view"
	percentID = "zoom-percent"
)

// persistAfter is how long after the last change the mask is remembered.
const persistAfter = 600 * time.Millisecond

// painter shows one picture on the stage, lets it be moved and its mask be painted. The plane belongs to the editor, the
// canvas only shows it. All methods run on the page's one thread.
type painter struct {
	keymap  *model.Keymap
	changed func() // something beside the stage has to be drawn again: undo, zoom, how much is kept
	keep    func(asset atelier.AssetID, packed []byte)
	// expanded is told what the handles of an expansion did; done is false while they are still held.
	expanded func(e model.Expansion, done bool)
	prefer   func(model.MaskDesk)                                 // the designer likes the tools differently now
	say      func(sentence string)                                // to those who listen instead of looking
	fail     func(sentence string)                                // why something did not come to pass
	away     func(do func() (then func()))                        // does something away from the page's thread, and then on it
	read     func(a atelier.Asset, then func(mask.Source, error)) // reads the pixels of a picture
	settled  func()                                               // a change of the mask is complete

	asset   *atelier.Asset
	editor  *mask.Editor
	overlay *browser.Overlay
	empty   bool // nothing is painted
	full    bool // everything is
	kept    float64
	source  mask.Source // the picture's pixels, once they were needed

	view    model.View
	stage   model.Size
	gliding int     // for how many frames yet the picture is moved as it is drawn
	laid    float64 // the scale at which it is drawn
	stands  standing
	fitted  bool // the view follows the size of the stage until the designer moves it
	whole   bool // all of the picture is on the stage
	painted bool // the mask is part of the run: tools work, the tint is shown
	panel   bool // the panel covers part of the stage
	tool    string
	desk    model.MaskDesk
	flipped bool
	firm    bool // soft edges are shown as they are sent
	peek    bool // the tint is hidden for a moment
	space   bool
	pens    bool // a pen was seen: fingers move from then on

	expands   bool // the agent puts the picture on a larger canvas
	expansion model.Expansion
	guides    model.Guides // where the handle that is held has snapped

	pointers  map[int]browser.Point
	gesture   gesture
	last      *mask.Point // where the last stroke ended, for straight lines
	cursor    browser.Point
	over      bool // the pointer is over the stage
	mapping   bool // a pointer is down on the overview
	shape     []mask.Point
	corners   []mask.Point // of a polygon in the making
	cornersOp mask.Op
	rubber    mask.Point // where its next side would end
	marked    image.Rectangle

	cross   *mask.Point // the keyboard's cursor
	pressed bool        // it has put the tool down

	work  *work             // what takes longer than a moment
	next  []browser.Pointer // clicks that wait until that is over
	live  live              // the step that can still be adjusted
	smart smartSelect

	damage    mask.Damage
	screen    *mask.Screen
	tinted    tinted
	shown     shown
	scheduled bool
	ringed    bool   // the ring of the brush has to be shown again
	buffer    []byte // the mask as it is shown, of the whole stage
	timer     *time.Timer
}

// tinted is a region that is shown while no mask is painted.
type tinted struct {
	asset  atelier.AssetID // whose it is, "" for none
	screen *mask.Screen
	hidden bool
}

// gesture is what the pointer that is down is doing.
type gesture struct {
	kind string // "", stroke, lasso, rect, ellipse, corner, click, tap, pan, pinch, handle, box, hint
	op   mask.Op
	at   browser.Point // the latest place, on the stage; where it began, for handle
	span float64       // of a pinch
	lean float64       // of the line between its fingers, degrees
	free float64       // the angle of the view, if it were not held upright
	pen  bool
	tap  browser.Pointer // a finger that went down with the wand or the bucket

	// Of a handle: what is held, and how everything was when it began.
	hold   handle
	view   model.View
	before model.Expansion
	fitted bool
}

func newPainter(changed func()) *painter {
	return &painter{
		changed: changed, keymap: &model.Keymap{}, keep: func(atelier.AssetID, []byte) {}, expanded: func(model.Expansion, bool) {},
		prefer: func(model.MaskDesk) {}, say: func(string) {}, fail: func(string) {}, away: func(do func() func()) { do()() }, settled: func() {},
		read: func(_ atelier.Asset, then func(mask.Source, error)) { then(mask.Source{}, browser.ErrNoBrowser) },
		tool: model.ToolBrush, desk: model.NewMaskDesk(), fitted: true, whole: true,
		view: model.View{Scale: 1}, pointers: map[int]browser.Point{}, empty: true,
	}
}

// open puts a picture on the stage with an empty mask; nil takes it off.
func (p *painter) open(asset *atelier.Asset) {
	p.flush()
	p.stopWork()
	if p.overlay != nil {
		p.overlay.Resize(p.stage.W, p.stage.H) // it is empty then
	}
	p.asset, p.editor, p.overlay, p.last, p.shape, p.gesture = asset, nil, nil, nil, nil, gesture{}
	p.empty, p.full, p.kept, p.fitted, p.whole = true, false, 0, true, true
	p.source, p.corners, p.cross, p.pressed, p.live, p.damage = mask.Source{}, nil, nil, false, live{}, mask.Damage{}
	p.marked, p.view.Angle, p.gliding, p.stands = image.Rectangle{}, 0, 0, standing{}
	p.closeSmart()
	if asset == nil {
		return
	}
	p.editor = mask.NewEditor(asset.Width, asset.Height)
	p.overlay = browser.NewOverlay(overlayID)
	p.screen, p.shown = mask.NewScreen(p.editor.Plane()), shown{}
	p.screen.Harden(p.firm)
	p.overlay.Resize(p.stage.W, p.stage.H)
	p.fit()
}

// restore brings a remembered mask back, unless something is painted already.
func (p *painter) restore(id atelier.AssetID, packed []byte) {
	if p.asset == nil || p.asset.ID != id || !p.empty {
		return
	}
	plane, err := model.UnpackMask(packed, p.asset.Width, p.asset.Height)
	if err != nil {
		return // a mask of another size: the picture was replaced
	}
	p.replace(id, plane)
}

// replace puts a mask in the place of what is painted, as a step that can be undone.
func (p *painter) replace(id atelier.AssetID, plane mask.Plane) {
	if p.asset == nil || p.asset.ID != id {
		return
	}
	p.take(words.StepBroughtBack, plane, nil)
}

// preview shows a region of a picture while no mask is painted; without an id none is shown.
func (p *painter) preview(id atelier.AssetID, plane mask.Plane) {
	p.tinted = tinted{asset: id}
	if id != "" {
		p.tinted.screen = mask.NewScreen(plane)
		p.tinted.screen.Update(plane.Rect())
	}
	p.schedule()
}

// hidePreview takes the tint of the preview away, or shows it again.
func (p *painter) hidePreview(hidden bool) {
	p.tinted.hidden = hidden
	p.schedule()
}

func (p *painter) size() model.Size {
	if p.asset == nil {
		return model.Size{}
	}
	return model.Size{W: float64(p.asset.Width), H: float64(p.asset.Height)}
}

// resize takes in the size of the stage.
func (p *painter) resize(box browser.Box) {
	if box.W == 0 || box.H == 0 {
		return // the page is hidden
	}
	p.stage = model.Size{W: box.W, H: box.H}
	if p.overlay != nil {
		p.overlay.Resize(box.W, box.H)
		p.shown = shown{}
	}
	if p.fitted {
		p.fit()
		return
	}
	p.show(p.view)
}

func (p *painter) fit() {
	p.fitted = true
	picture := p.size()
	if !p.expands {
		p.show(model.FitBeside(picture, p.stage, p.view.Angle, p.covered()))
		return
	}
	// An expansion is fitted as a whole: the canvas and the picture on it.
	all := p.expansion.Frame().Union(image.Rect(0, 0, int(picture.W), int(picture.H)))
	v := model.Fit(model.Size{W: float64(all.Dx()), H: float64(all.Dy())}, p.stage)
	v.X -= float64(all.Min.X) * v.Scale
	v.Y -= float64(all.Min.Y) * v.Scale
	p.show(v)
}

// What lies over the stage while a mask is painted, CSS px: the tools, what they can be set to, and the panel; on a phone the legend
// above and the tools below.
const (
	phoneStage  = 600
	phoneLegend = 44
	phoneTools  = 128

	deskTools   = 56
	deskOptions = 52
	deskPanel   = 332
	leastBeside = 480 // of the stage, where the panel is made room for
)

// covered is how much of each side of the stage the tools cover.
func (p *painter) covered() model.Covered {
	switch {
	case !p.painted:
		return model.Covered{}
	case p.stage.W < phoneStage:
		if p.stage.H < 2*(phoneLegend+phoneTools) {
			return model.Covered{}
		}
		return model.Covered{Top: phoneLegend, Bottom: phoneTools}
	case p.panel && p.stage.W >= deskTools+leastBeside+deskPanel:
		return model.Covered{Left: deskTools, Top: deskOptions, Right: deskPanel}
	}
	return model.Covered{Left: deskTools, Top: deskOptions}
}

// beside tells that the panel covers part of the stage, or no longer.
func (p *painter) beside(panel bool) {
	if p.panel = panel; p.fitted && p.asset != nil && !p.expands {
		p.fit()
	}
}

// move shows the picture where the designer put it.
func (p *painter) move(v model.View) {
	p.fitted = false
	p.show(v.Hold(p.size(), p.stage))
}

// glide is move for one of many small steps: until they end, the picture is not laid out and drawn anew at each, but moved as it is.
func (p *painter) glide(v model.View) {
	p.gliding = still
	p.move(v)
}

func (p *painter) show(v model.View) {
	whole := v.Shows(p.size(), p.stage)
	percent, turned := v.Percent() != p.view.Percent(), v.Angle != p.view.Angle
	shows := whole != p.whole
	p.whole = whole
	p.view = v
	p.ring()
	p.schedule()
	switch {
	case shows || p.gliding == 0 && (percent || turned):
		p.changed()
	case percent:
		browser.SetText(percentID, words.Zoom(v.Percent()))
	}
}

// zoom changes the scale around a point of the stage; without one, around its middle.
func (p *painter) zoom(factor float64, at *browser.Point) {
	if p.asset == nil {
		return
	}
	x, y := p.stage.W/2, p.stage.H/2
	if at != nil {
		p.glide(p.view.Zoom(factor, at.X, at.Y))
		return
	}
	p.move(p.view.Zoom(factor, x, y))
}

func (p *painter) actual() {
	if p.asset != nil {
		p.move(p.view.Actual(p.stage))
	}
}

func (p *painter) wheel(w browser.Wheel) {
	if p.asset == nil {
		return
	}
	if w.DX != 0 && !w.Zoom && math.Abs(w.DX) > math.Abs(w.DY) {
		p.glide(p.view.Pan(-w.DX, 0)) // two fingers sideways on a trackpad
		return
	}
	speed := 0.0018
	if w.Zoom {
		speed = 0.01
	}
	p.zoom(math.Exp(-w.DY*speed), &w.At)
}

// paint switches the tools on or off.
func (p *painter) paint(on bool) {
	if p.painted == on {
		return
	}
	p.painted = on
	if p.fitted && p.asset != nil {
		p.fit() // on a phone the tools take room
	}
	p.ring()
	p.schedule()
}

// use takes a tool.
func (p *painter) use(tool string) {
	p.dropPolygon()
	p.tool = tool
	p.ring()
}

// prefers changes how the tools are, and has that remembered.
func (p *painter) prefers(d model.MaskDesk) {
	p.desk = d
	p.prefer(d)
	p.ring()
	p.schedule()
	p.changed()
}

func (p *painter) tip() model.Tip { return p.desk.Tip(p.tool) }

func (p *painter) resizeBrush(size int) {
	tip := p.tip()
	tip.Size = size
	p.prefers(p.desk.WithTip(p.tool, tip))
}

func (p *painter) harden(hardness int) {
	tip := p.tip()
	tip.Hardness = hardness
	p.prefers(p.desk.WithTip(p.tool, tip))
}

// turn turns the view by some degrees around the middle of the stage.
func (p *painter) turn(by float64) {
	if p.asset != nil && !p.expands {
		p.move(p.view.Turn(by, p.stage.W/2, p.stage.H/2))
	}
}

// act does one thing to the whole mask, or to how it is seen.
func (p *painter) act(action string) {
	if p.editor == nil {
		return
	}
	switch action {
	case "flip":
		p.flipped = !p.flipped
	case "turn":
		p.turn(15)
	case "turn-back":
		p.turn(-15)
	case "upright":
		p.turn(-p.view.Angle)
	case "map":
		p.desk.NoMap = !p.desk.NoMap
		p.prefers(p.desk)
	case "firm":
		p.firm = !p.firm
		p.screen.Harden(p.firm)
		p.markAll()
	case "smaller", "larger":
		p.resizeBrush(model.Brush(p.tip().Size, map[string]int{"smaller": -1, "larger": 1}[action]))
	case "softer", "harder":
		p.harden(p.tip().Hardness + map[string]int{"softer": -10, "harder": 10}[action])
	default:
		p.edit(action)
		return
	}
	p.schedule()
	p.changed()
}

// edit does one thing to the whole mask. What has been begun is given up first.
func (p *painter) edit(action string) {
	p.stopWork()
	p.drop()
	switch action {
	case "undo":
		p.mark(p.editor.Undo())
	case "redo":
		p.mark(p.editor.Redo())
	case "invert":
		p.editor.Name(words.StepInvert)
		p.run(words.DoingInvert, p.editor.Inverting(), nil)
		return
	case "clear":
		p.editor.Name(words.StepClear)
		p.mark(p.editor.Clear())
	case "all":
		p.editor.Name(words.StepKeepEverything)
		p.mark(p.editor.FillAll())
	default:
		return
	}
	p.done()
}

// done follows every finished change: how much is kept is counted, and the mask remembered a moment later.
func (p *painter) done() {
	p.count()
	p.changed()
	p.settled()
	if p.timer != nil {
		p.timer.Stop()
	}
	p.timer = time.AfterFunc(persistAfter, func() {
		defer browser.Guard()
		p.flush()
	})
}

// flush remembers the mask now if it has changed.
func (p *painter) flush() {
	if p.timer == nil || p.editor == nil || p.asset == nil {
		return
	}
	p.timer.Stop()
	p.timer = nil
	if p.empty {
		p.keep(p.asset.ID, nil)
		return
	}
	p.keep(p.asset.ID, model.PackMask(p.editor.Plane()))
}

func (p *painter) count() {
	p.empty, p.full, p.kept = p.editor.Empty(), p.editor.Full(), p.editor.Share()
}

// problem says why the mask cannot be sent, "" when it can.
func (p *painter) problem() string {
	if p.editor == nil {
		return ""
	}
	if err := p.editor.Validate(); err != nil {
		return err.Error()
	}
	return ""
}

// remembered reads the mask that was painted on a picture before.
func remembered(ctx context.Context, id atelier.AssetID) []byte {
	if packed, ok := takeLeft(id); ok {
		// Without the browser's database it lasts as long as this page.
		_ = browser.Keep(ctx, model.MaskPrefix+string(id), packed)
		return packed
	}
	packed, ok, err := browser.Kept(ctx, model.MaskPrefix+string(id))
	if err != nil || !ok {
		return nil
	}
	return packed
}
