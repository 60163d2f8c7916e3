package pages

import (
	"context"
	"image"
	"math"
	"strconv"
	"time"

	"atelier/app/browser"
	"atelier/app/model"
	"atelier/atelier"
	"atelier/imaging/mask"
)

// The tools of the stage.
const (
	toolBrush  = "brush"
	toolEraser = "eraser"
	toolLasso  = "lasso"
	toolRect   = "rect"
	toolHand   = "hand"
)

// The elements of the stage that follow the pointer without a render.
const (
	stageID   = "stage"
	pictureID = "stage-picture"
	overlayID = "stage-mask"
	ringID    = "stage-ring"
)

// persistAfter is how long after the last change the mask is remembered.
const persistAfter = 600 * time.Millisecond

// painter shows one picture on the stage, lets it be moved and its mask be painted. The plane belongs to the editor, the
// canvas only shows it. All methods run on the page's one thread.
type painter struct {
	changed func() // something beside the stage has to be drawn again: undo, zoom, how much is kept
	keep    func(asset atelier.AssetID, packed []byte)
	// expanded is told what the handles of an expansion did; done is false while they are still held.
	expanded func(e model.Expansion, done bool)

	asset   *atelier.Asset
	editor  *mask.Editor
	overlay *browser.Overlay
	empty   bool // nothing is painted
	full    bool // everything is
	kept    float64

	view    model.View
	stage   model.Size
	fitted  bool // the view follows the size of the stage until the designer moves it
	painted bool // the mask is part of the run: tools work, the tint is shown
	tool    string
	brush   int // diameter on screen, CSS px
	flipped bool
	peek    bool // the tint is hidden for a moment
	space   bool

	expands   bool // the agent puts the picture on a larger canvas
	expansion model.Expansion
	guides    model.Guides // where the handle that is held has snapped

	pointers map[int]browser.Point
	gesture  gesture
	last     *mask.Point // where the last stroke ended, for straight lines
	cursor   browser.Point
	over     bool // the pointer is over the stage
	shape    []mask.Point

	dirty     image.Rectangle
	scheduled bool
	buffer    []byte
	timer     *time.Timer
}

// gesture is what the pointer that is down is doing.
type gesture struct {
	kind  string // "", stroke, lasso, rect, pan, pinch, handle
	erase bool
	at    browser.Point // the latest place, on the stage; where it began, for handle
	span  float64       // of a pinch

	// Of a handle: what is held, and how everything was when it began.
	hold   handle
	view   model.View
	before model.Expansion
	fitted bool
}

func newPainter(changed func()) *painter {
	return &painter{
		changed: changed, keep: func(atelier.AssetID, []byte) {}, expanded: func(model.Expansion, bool) {}, tool: toolBrush, brush: model.DefaultBrush, fitted: true,
		view: model.View{Scale: 1}, pointers: map[int]browser.Point{}, empty: true,
	}
}

// open puts a picture on the stage with an empty mask; nil takes it off.
func (p *painter) open(asset *atelier.Asset) {
	p.flush()
	p.asset, p.editor, p.overlay, p.last, p.shape, p.gesture = asset, nil, nil, nil, nil, gesture{}
	p.empty, p.full, p.kept, p.fitted = true, false, 0, true
	if asset == nil {
		return
	}
	p.editor = mask.NewEditor(asset.Width, asset.Height)
	p.overlay = browser.NewOverlay(overlayID, image.Pt(asset.Width, asset.Height))
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
	dirty, err := p.editor.Replace(plane)
	if err != nil {
		return
	}
	p.mark(dirty)
	p.count()
	p.changed()
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
		p.show(model.Fit(picture, p.stage))
		return
	}
	// An expansion is fitted as a whole: the canvas and the picture on it.
	all := p.expansion.Frame().Union(image.Rect(0, 0, int(picture.W), int(picture.H)))
	v := model.Fit(model.Size{W: float64(all.Dx()), H: float64(all.Dy())}, p.stage)
	v.X -= float64(all.Min.X) * v.Scale
	v.Y -= float64(all.Min.Y) * v.Scale
	p.show(v)
}

// move shows the picture where the designer put it.
func (p *painter) move(v model.View) {
	p.fitted = false
	p.show(v.Hold(p.size(), p.stage))
}

func (p *painter) show(v model.View) {
	zoomed := v.Percent() != p.view.Percent()
	p.view = v
	if p.asset != nil {
		px := func(n float64) string { return model.Decimal(n, 2) + "px" }
		browser.SetStyle(pictureID, "width", px(float64(p.asset.Width)*v.Scale))
		browser.SetStyle(pictureID, "height", px(float64(p.asset.Height)*v.Scale))
		browser.SetStyle(pictureID, "transform", "translate("+px(v.X)+","+px(v.Y)+")")
		browser.SetData(pictureID, "pixels", strconv.FormatBool(v.Scale >= 3))
	}
	p.ring()
	p.schedule()
	if zoomed {
		p.changed()
	}
}

// zoom changes the scale around a point of the stage; without one, around its middle.
func (p *painter) zoom(factor float64, at *browser.Point) {
	if p.asset == nil {
		return
	}
	x, y := p.stage.W/2, p.stage.H/2
	if at != nil {
		x, y = at.X, at.Y
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
		p.move(p.view.Pan(-w.DX, 0)) // two fingers sideways on a trackpad
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
	p.ring()
	p.schedule()
}

func (p *painter) use(tool string) {
	p.tool = tool
	p.ring()
}

func (p *painter) resizeBrush(size int) {
	p.brush = min(max(size, model.MinBrush), model.MaxBrush)
	p.ring()
	p.changed()
}

// act does one thing to the whole mask.
func (p *painter) act(action string) {
	if p.editor == nil {
		return
	}
	switch action {
	case "undo":
		p.mark(p.editor.Undo())
	case "redo":
		p.mark(p.editor.Redo())
	case "invert":
		p.mark(p.editor.Invert())
	case "clear":
		p.mark(p.editor.Clear())
	case "flip":
		p.flipped = !p.flipped
		p.schedule()
		p.changed()
		return
	}
	p.done()
}

// done follows every finished change: how much is kept is counted, and the mask remembered a moment later.
func (p *painter) done() {
	p.count()
	p.changed()
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
	plane := p.editor.Plane()
	n := 0
	for _, v := range plane.Pix {
		n += int(v >> 7) // mask.Level is the top bit
	}
	p.empty, p.full = n == 0, n == len(plane.Pix)
	p.kept = float64(n) / float64(max(len(plane.Pix), 1))
}

// problem says why the mask cannot be sent, "" when it can.
func (p *painter) problem() string {
	if p.editor == nil {
		return ""
	}
	if err := p.editor.Plane().Validate(p.asset.Width, p.asset.Height); err != nil {
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
