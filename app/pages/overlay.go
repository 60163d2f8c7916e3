package pages

import (
	"image"
	"image/color"
	"math"
	"strconv"

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
	if p.scheduled {
		return
	}
	p.scheduled = true
	browser.Frame(func() {
		p.scheduled = false
		p.draw()
	})
}

// lookedAtOnce is how many pixels of the mask are looked at before the page has its turn again: a large change appears from what is in
// view outwards.
const lookedAtOnce = 1 << 21

// shown is how the mask was drawn last: where, and in which colours.
type shown struct {
	size  image.Point
	place mask.Place
	look  mask.Look
	of    *mask.Screen
	tint  bool
}

// draw shows what has changed since it was last called. It runs once a frame.
func (p *painter) draw() {
	if p.ringed {
		p.ringed = false
		p.drawRing()
	}
	p.placePicture()
	if p.overlay == nil {
		return
	}
	if p.overlay.Stale() {
		p.overlay.Resize(p.stage.W, p.stage.H)
		p.shown = shown{}
	}
	k := p.overlay.Ratio()
	now := shown{
		size:  p.overlay.Size(),
		place: mask.Place{X: p.view.X * k, Y: p.view.Y * k, Scale: p.view.Scale * k, Angle: p.view.Angle},
		look:  p.look(p.desk.Show, p.flipped, k), of: p.screen, tint: p.painted && !p.peek,
	}
	if t := p.tinted; !p.painted && t.asset == p.asset.ID {
		now.look, now.of, now.tint = p.look(model.ShowTint, false, k), t.screen, !t.hidden && !p.peek
	}
	screen := image.Rectangle{Max: now.size}
	if need := 4 * now.size.X * now.size.Y; len(p.buffer) != need {
		p.buffer = make([]byte, need)
	}
	if len(p.buffer) > 0 {
		changed := p.damage.Take(lookedAtOnce, p.inView())
		for _, r := range changed {
			p.screen.Update(r)
		}
		switch {
		case now != p.shown && !now.tint:
			clear(p.buffer)
			p.overlay.Put(p.buffer, screen)
		case now != p.shown:
			now.of.Draw(p.buffer, now.size.X, screen, now.place, now.look)
			p.overlay.Put(p.buffer, screen)
		case now.tint:
			var all image.Rectangle
			for _, r := range changed {
				r = now.place.Bounds(r).Inset(-1).Intersect(screen)
				now.of.Draw(p.buffer, now.size.X, r, now.place, now.look)
				all = all.Union(r)
			}
			p.overlay.Put(p.buffer, all)
		}
		p.shown = now
	}
	p.overlay.Draw(p.scene())
	if len(p.buffer) > 0 && !p.damage.Empty() {
		p.schedule()
	}
}

// still is for how many frames a picture has to stand before it is laid out and drawn anew.
const still = 8

// standing is how the picture was put on the stage last.
type standing struct {
	view    model.View
	laid    float64
	gliding bool
}

// placePicture puts the picture where the view says. While it glides it keeps the size it was drawn at and is scaled: drawing a large
// picture anew takes longer than a frame.
func (p *painter) placePicture() {
	if p.asset == nil {
		return
	}
	if p.gliding > 0 {
		if p.gliding--; p.gliding == 0 {
			p.changed()
		} else {
			p.schedule()
		}
	}
	if p.gliding == 0 || p.laid == 0 {
		p.laid = p.view.Scale
	}
	now := standing{p.view, p.laid, p.gliding > 0}
	if now == p.stands {
		return
	}
	p.stands = now
	px := func(n float64) string { return words.Decimal(n, 2) + "px" }
	v := p.view
	browser.SetAttribute(pictureID, "data-gliding", strconv.FormatBool(now.gliding))
	browser.SetStyle(pictureID, "width", px(float64(p.asset.Width)*p.laid))
	browser.SetStyle(pictureID, "height", px(float64(p.asset.Height)*p.laid))
	browser.SetStyle(pictureID, "transform", "translate("+px(v.X)+","+px(v.Y)+") rotate("+words.Decimal(v.Angle, 2)+"deg) scale("+words.Decimal(v.Scale/p.laid, 5)+")")
	browser.SetAttribute(pictureID, "data-pixels", strconv.FormatBool(p.laid >= 3))
	p.frameMap()
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

// look is how the mask is shown: a colour over the picture, what is redrawn hidden, or the mask alone. k is how many pixels of the
// screen a CSS pixel is wide.
func (p *painter) look(show string, flipped bool, k float64) mask.Look {
	l := mask.Look{Side: max(int(math.Round(8*k)), 1), Line: k, Redraw: flipped}
	white := color.NRGBA{R: 255, G: 255, B: 255, A: 255}
	switch show {
	case model.ShowStrong:
		l.Redraw = !flipped
		l.Fill, l.Hatch = color.NRGBA{A: 219}, color.NRGBA{R: 255, G: 255, B: 255, A: 140}
	case model.ShowMask:
		l.Under, l.Fill, l.Hatch = color.NRGBA{A: 255}, white, white
	default:
		tint, _ := model.TintNamed(p.desk.Keep)
		if flipped {
			tint, _ = model.TintNamed(p.desk.Redraw)
		}
		l.Fill = color.NRGBA{R: tint.R, G: tint.G, B: tint.B, A: uint8(255 * p.desk.Opacity / 100)}
		l.Hatch = color.NRGBA{R: 255, G: 255, B: 255, A: 97}
	}
	return l
}

func (p *painter) scene() browser.Scene {
	s := browser.Scene{
		Place: browser.Place{X: p.view.X, Y: p.view.Y, Scale: p.view.Scale, Angle: p.view.Angle}, Size: image.Pt(p.asset.Width, p.asset.Height),
	}
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

// ring has the brush shown where and as large as it is, with the next frame.
func (p *painter) ring() {
	p.ringed = true
	p.schedule()
}

func (p *painter) drawRing() {
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
	browser.SetAttribute(stageID, "data-cursor", cursor)
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
