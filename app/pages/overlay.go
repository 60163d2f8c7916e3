package pages

import (
	"image"
	"math"

	"atelier/app/browser"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/imaging/mask"
)

// mark remembers what changed on the plane until it is drawn.
func (p *painter) mark(r image.Rectangle) {
	p.damage.Add(r)
	p.schedule()
}

func (p *painter) markAll() {
	if p.editor != nil {
		p.mark(p.editor.Plane().Rect())
	}
}

func (p *painter) schedule() {
	if p.scheduled || p.overlay == nil {
		return
	}
	p.scheduled = true
	browser.Frame(func() {
		p.scheduled = false
		p.draw()
	})
}

// opaque paints the kept region as it is needed to cut the tint out; the colour of the tint is the overlay's business.
func opaque(firm bool) mask.Tints {
	t := mask.Tints{Hard: firm}
	t.Keep.R, t.Keep.G, t.Keep.B, t.Keep.A = 255, 255, 255, 255
	return t
}

// drawnAtOnce is how many pixels of the mask are drawn before the page has its turn again: a large change appears from what is in
// view outwards.
const drawnAtOnce = 1 << 21

func (p *painter) draw() {
	if p.overlay == nil {
		return
	}
	for _, r := range p.damage.Take(drawnAtOnce, p.inView()) {
		r = r.Intersect(p.editor.Plane().Rect())
		if need := 4 * r.Dx() * r.Dy(); len(p.buffer) < need {
			p.buffer = make([]byte, need)
		}
		drawn, n := p.editor.Paint(p.buffer, r, opaque(p.firm))
		p.overlay.Put(p.buffer[:n], drawn)
	}
	p.overlay.Draw(p.scene())
	if !p.damage.Empty() {
		p.schedule()
	}
}

// inView is the part of the picture that is on the stage.
func (p *painter) inView() image.Rectangle {
	var r image.Rectangle
	for _, corner := range [][2]float64{{0, 0}, {p.stage.W, 0}, {0, p.stage.H}, {p.stage.W, p.stage.H}} {
		x, y := p.view.ToPicture(corner[0], corner[1])
		at := image.Pt(int(math.Max(math.Min(x, 1<<20), -1<<20)), int(math.Max(math.Min(y, 1<<20), -1<<20)))
		r = r.Union(image.Rectangle{Min: at, Max: at.Add(image.Pt(1, 1))})
	}
	return r
}

// tint is how the mask is shown: a colour over the picture, what is redrawn hidden, or the mask alone.
func (p *painter) tint(s *browser.Scene) {
	keep, _ := model.TintNamed(p.desk.Keep)
	redraw, _ := model.TintNamed(p.desk.Redraw)
	switch p.desk.Show {
	case model.ShowStrong:
		s.Redraw = !p.flipped
		s.Tint = browser.Tint{Fill: "rgba(0,0,0,.86)", Hatch: "rgba(255,255,255,.55)"}
	case model.ShowMask:
		s.Redraw = p.flipped
		s.Under, s.Tint = "#000", browser.Tint{Fill: "#fff", Hatch: "#fff"}
	default:
		s.Redraw = p.flipped
		colour := keep
		if p.flipped {
			colour = redraw
		}
		s.Tint = browser.Tint{Fill: colour.CSS(p.desk.Opacity), Hatch: "rgba(255,255,255,.38)"}
	}
}

func (p *painter) scene() browser.Scene {
	s := browser.Scene{
		Place: browser.Place{X: p.view.X, Y: p.view.Y, Scale: p.view.Scale, Angle: p.view.Angle}, Size: image.Pt(p.asset.Width, p.asset.Height),
		Hidden: !p.painted || p.peek,
	}
	p.tint(&s)
	if p.expands {
		s.Frame, s.Guides = p.expansion.Frame(), browser.Guides{X: p.guides.X, Y: p.guides.Y}
	}
	if !p.painted {
		return s
	}
	if shape := p.outline(); len(shape.Points) > 0 {
		s.Shapes = append(s.Shapes, shape)
	}
	if r := p.marked; !r.Empty() {
		a, b := mask.Point{X: float64(r.Min.X), Y: float64(r.Min.Y)}, mask.Point{X: float64(r.Max.X), Y: float64(r.Max.Y)}
		s.Shapes = append(s.Shapes, browser.Shape{Points: places(box(a, b)), Closed: true})
	}
	if p.cross != nil {
		s.Cross = &browser.Point{X: p.cross.X, Y: p.cross.Y}
	}
	return s
}

func places(points []mask.Point) []browser.Point {
	out := make([]browser.Point, len(points))
	for i, at := range points {
		out[i] = browser.Point{X: at.X, Y: at.Y}
	}
	return out
}

// box is the outline of a rectangle.
func box(a, b mask.Point) []mask.Point { return []mask.Point{a, {X: b.X, Y: a.Y}, b, {X: a.X, Y: b.Y}} }

// round is the outline of an ellipse.
func round(a, b mask.Point) []mask.Point {
	const sides = 64
	out := make([]mask.Point, sides)
	for i := range out {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / sides)
		out[i] = mask.Point{X: (a.X+b.X)/2 + (b.X-a.X)/2*cos, Y: (a.Y+b.Y)/2 + (b.Y-a.Y)/2*sin}
	}
	return out
}

// outline is the selection or the hint being made.
func (p *painter) outline() browser.Shape {
	if p.corners != nil {
		return browser.Shape{Points: places(append(p.corners[:len(p.corners):len(p.corners)], p.rubber)), Dots: true}
	}
	if len(p.shape) == 0 {
		return browser.Shape{}
	}
	switch p.gesture.kind {
	case "rect", "box":
		return browser.Shape{Points: places(box(p.shape[0], p.shape[1])), Closed: true}
	case "ellipse":
		return browser.Shape{Points: places(round(p.shape[0], p.shape[1])), Closed: true}
	case "hint":
		keep, _ := model.TintNamed(p.desk.Keep)
		if p.gesture.op == mask.Subtract {
			keep, _ = model.TintNamed(p.desk.Redraw)
		}
		return browser.Shape{Points: places(p.shape), Width: 2 * p.hintRadius(), Colour: keep.CSS(80)}
	}
	return browser.Shape{Points: places(p.shape)}
}

// ring shows where and how large the brush is.
func (p *painter) ring() {
	brushed := model.Brushed(p.tool)
	visible := p.over && p.asset != nil && p.painted && !p.space && brushed && p.gesture.kind != "pan"
	cursor := "default"
	switch {
	case p.asset == nil:
	case p.gesture.kind == "handle":
		cursor = p.gesture.hold.cursor()
	case p.gesture.kind == "pan":
		cursor = "grabbing"
	case p.grabs(p.cursor, handleReach).kind != "":
		cursor = p.grabs(p.cursor, handleReach).cursor()
	case p.space || p.tool == model.ToolHand || !p.painted:
		cursor = "grab"
	case brushed:
		cursor = "none"
	default:
		cursor = "crosshair"
	}
	browser.SetData(stageID, "cursor", cursor)
	if !visible {
		browser.SetStyle(ringID, "display", "none")
		return
	}
	size := words.Number(p.tip().Size) + "px"
	half := float64(p.tip().Size) / 2
	browser.SetStyle(ringID, "display", "block")
	browser.SetStyle(ringID, "width", size)
	browser.SetStyle(ringID, "height", size)
	browser.SetStyle(ringID, "transform", "translate("+words.Decimal(p.cursor.X-half, 1)+"px,"+words.Decimal(p.cursor.Y-half, 1)+"px)")
}

// mapped says whether the overview is shown: only while part of the picture is off the stage.
func (p *painter) mapped() bool {
	return p.asset != nil && p.painted && !p.whole && !p.desk.NoMap
}

// mapSide is the long side of the overview, CSS px.
const mapSide = 132

// frameMap shows on the overview which part of the picture is on the stage.
func (p *painter) frameMap() {
	if !p.mapped() {
		return
	}
	k := mapSide / max(p.size().W, p.size().H)
	x, y := p.view.ToPicture(p.stage.W/2, p.stage.H/2)
	w, h := p.stage.W/p.view.Scale*k, p.stage.H/p.view.Scale*k
	px := func(n float64) string { return words.Decimal(n, 1) + "px" }
	browser.SetStyle(mapViewID, "width", px(w))
	browser.SetStyle(mapViewID, "height", px(h))
	browser.SetStyle(mapViewID, "transform", "translate("+px(x*k-w/2)+","+px(y*k-h/2)+") rotate("+words.Decimal(-p.view.Angle, 1)+"deg)")
}

// mapPointer moves the view to where the overview is pressed.
func (p *painter) mapPointer(e browser.Pointer) {
	if !p.mapped() {
		return
	}
	switch e.Kind {
	case browser.PointerDown:
		p.mapping = true
	case browser.PointerMove:
		if !p.mapping {
			return
		}
	default:
		p.mapping = false
		return
	}
	k := mapSide / max(p.size().W, p.size().H)
	p.move(p.view.Middle(e.At().X/k, e.At().Y/k, p.stage))
}
