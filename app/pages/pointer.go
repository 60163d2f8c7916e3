package pages

import (
	"maps"
	"math"
	"slices"

	"atelier/app/browser"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/imaging/mask"
)

// keyboardID stands for the keyboard's cursor among the pointers: those of a browser have no negative numbers.
const keyboardID = -1

// pointer takes one event of a mouse, pen or finger on the stage.
func (p *painter) pointer(e browser.Pointer) {
	if p.asset == nil {
		return
	}
	at := e.At()
	if e.Pen && !p.pens {
		p.pens = true
	}
	if e.Touch && p.gesture.pen {
		return // the hand that holds the pen rests on the screen
	}
	p.over = e.Kind != browser.PointerLeave || p.gesture.kind != ""
	if !e.Touch {
		p.cursor = at
	}
	switch e.Kind {
	case browser.PointerDown:
		if e.ID != keyboardID {
			p.cross = nil
		}
		if e.Pen && len(p.pointers) > 0 { // the hand was down before the pen
			p.drop()
			clear(p.pointers)
		}
		p.pointers[e.ID] = at
		if len(p.pointers) == 2 {
			p.beginPinch()
		} else if len(p.pointers) == 1 {
			p.begin(e)
		}
	case browser.PointerMove:
		if _, down := p.pointers[e.ID]; down {
			p.pointers[e.ID] = at
			p.follow(e)
		} else if p.corners != nil {
			p.rubber = p.snapped(p.onPicture(at), e.Shift)
			p.schedule()
		}
	case browser.PointerUp, browser.PointerCancel:
		if _, down := p.pointers[e.ID]; down {
			delete(p.pointers, e.ID)
			p.end(e.Kind == browser.PointerCancel)
		}
	}
	p.ring()
}

// pans says whether a pointer that goes down moves the picture, whatever the tool.
func (p *painter) pans(e browser.Pointer) bool {
	return p.space || p.tool == model.ToolHand || !p.painted || e.Button == 1 || e.Touch && p.pens
}

// join is how what a pointer selects is joined with what is painted: as chosen, or as the keys and buttons held say.
func (p *painter) join(e browser.Pointer) mask.Op {
	switch {
	case e.Alt || e.Button == 2 || e.Rubber:
		return mask.Subtract
	case e.Ctrl:
		return mask.Intersect
	}
	return map[string]mask.Op{model.JoinSubtract: mask.Subtract, model.JoinIntersect: mask.Intersect, model.JoinAdd: mask.Add}[p.desk.Join]
}

// begin decides what a pointer that goes down does.
func (p *painter) begin(e browser.Pointer) {
	at := e.At()
	reach := float64(handleReach)
	if e.Touch {
		reach = handleReachTouch
	}
	if hold := p.grabs(at, reach); e.Button == 0 && hold.kind != "" {
		p.gesture = gesture{kind: "handle", at: at, view: p.view, hold: hold, before: p.expansion, fitted: p.fitted}
		return
	}
	if p.pans(e) {
		p.gesture = gesture{kind: "pan", at: at}
		return
	}
	if e.Button != 0 && e.Button != 2 && !e.Rubber {
		return
	}
	if e.Touch && (p.tool == model.ToolWand || p.tool == model.ToolBucket) {
		// It may be the first finger of two: what it means is known when it is lifted.
		e.Touch = false
		p.gesture = gesture{kind: "tap", at: at, tap: e}
		return
	}
	if p.work != nil && !p.work.again {
		if p.tool == model.ToolWand || p.tool == model.ToolBucket {
			p.next = append(p.next, e) // one click after the other: none is lost
		}
		return // the mask is being changed; Escape gives that up
	}
	p.cursor = at
	here := p.onPicture(at)
	p.gesture = gesture{at: at, pen: e.Pen, op: p.join(e)}
	switch p.tool {
	case model.ToolLasso:
		p.gesture.kind, p.shape = "lasso", []mask.Point{here}
	case model.ToolRect, model.ToolEllipse:
		p.gesture.kind, p.shape = p.tool, []mask.Point{here, here}
	case model.ToolPolygon:
		p.gesture.kind = "corner"
		p.addCorner(here, e)
	case model.ToolWand, model.ToolBucket:
		p.gesture.kind = "click"
		if here.X < 0 || here.Y < 0 || here.X >= p.size().W || here.Y >= p.size().H {
			return
		}
		if p.tool == model.ToolBucket {
			p.bucket(here, p.gesture.op == mask.Subtract)
			return
		}
		p.wand(here, p.gesture.op)
	case model.ToolSmart:
		p.beginSmart(here, e)
	default:
		p.stopWork()
		p.gesture.kind, p.gesture.op = "stroke", mask.Add
		if p.tool == model.ToolEraser || e.Alt || e.Button == 2 || e.Rubber {
			p.gesture.op = mask.Subtract
		}
		p.editor.Name(p.strokeName())
		p.editor.Begin()
		from := here
		if e.Shift && p.last != nil {
			from = *p.last
		}
		p.stroke(from, here, p.radius(e, 0))
		p.last = &here
	}
}

func (p *painter) strokeName() string {
	if p.gesture.op == mask.Subtract {
		return words.ToolEraser
	}
	return words.StepBrush
}

// Of a pen: how much of the tip is left at the lightest touch, how far it may lean before the tip widens, and by how much.
const (
	lightestTip = 0.25
	leanFrom    = 30.0
	leanWidens  = 0.6
)

// radius is that of the tip at one of the points of an event, in pixels of the picture. Only pens are listened to, and a pressure of
// exactly one half is what devices report that cannot feel any.
func (p *painter) radius(e browser.Pointer, point int) float64 {
	radius := float64(p.tip().Size) / 2 / p.view.Scale
	if point >= len(e.Press) {
		return radius
	}
	if force := e.Press[point]; force > 0 && force != 0.5 {
		radius *= lightestTip + (1-lightestTip)*min(force, 1)
	}
	return radius * (1 + leanWidens*max(e.Tilt-leanFrom, 0)/(90-leanFrom))
}

func (p *painter) follow(e browser.Pointer) {
	at := e.At()
	if p.space && p.gesture.kind != "pan" && p.gesture.kind != "pinch" && p.gesture.kind != "handle" {
		// Space held in the middle of a stroke moves the picture, and what is being drawn with it.
		p.glide(p.view.Pan(at.X-p.gesture.at.X, at.Y-p.gesture.at.Y))
		p.gesture.at = at
		return
	}
	switch p.gesture.kind {
	case "pan":
		v := p.view.Pan(at.X-p.gesture.at.X, at.Y-p.gesture.at.Y)
		p.gesture.at = at
		p.glide(v)
		return
	case "pinch":
		p.pinch()
		return
	case "handle":
		p.handleTo(at, e.Alt)
		return
	case "stroke":
		for i, point := range e.Points {
			here := p.onPicture(point)
			p.stroke(*p.last, here, p.radius(e, i))
			p.last = &here
		}
	case "lasso", "hint":
		for _, point := range e.Points {
			p.shape = append(p.shape, p.onPicture(point))
		}
		p.schedule()
	case "rect", "ellipse", "box":
		p.shape[1] = p.onPicture(at)
		if e.Shift {
			p.shape[1] = square(p.shape[0], p.shape[1])
		}
		p.schedule()
	}
	p.gesture.at = at
}

// square moves b so that the rectangle from a to it has equal sides.
func square(a, b mask.Point) mask.Point {
	side := max(math.Abs(b.X-a.X), math.Abs(b.Y-a.Y))
	return mask.Point{X: a.X + math.Copysign(side, b.X-a.X), Y: a.Y + math.Copysign(side, b.Y-a.Y)}
}

// snapped turns the side of a polygon that is being drawn to the next eighth of a turn, while Shift is held.
func (p *painter) snapped(to mask.Point, snap bool) mask.Point {
	if !snap || len(p.corners) == 0 {
		return to
	}
	from := p.corners[len(p.corners)-1]
	const eighth = math.Pi / 4
	angle := math.Round(math.Atan2(to.Y-from.Y, to.X-from.X)/eighth) * eighth
	sin, cos := math.Sincos(angle)
	length := (to.X-from.X)*cos + (to.Y-from.Y)*sin
	return mask.Point{X: from.X + length*cos, Y: from.Y + length*sin}
}

// closing is how near to its first corner a polygon is closed, and how far a finger may slip that taps, CSS px.
const closing = 10

// addCorner adds a corner to the polygon in the making, or closes it at its first corner or with a second press at the last one.
func (p *painter) addCorner(here mask.Point, e browser.Pointer) {
	if p.corners == nil {
		p.gesture.op = p.join(e)
		p.cornersOp = p.gesture.op
		p.corners, p.rubber = []mask.Point{here}, here
		p.schedule()
		p.changed()
		return
	}
	near := func(at mask.Point) bool {
		x, y := p.view.ToStage(at.X, at.Y)
		reach := float64(closing)
		if e.Touch {
			reach *= 2
		}
		return math.Hypot(x-e.At().X, y-e.At().Y) <= reach
	}
	if len(p.corners) > 2 && (near(p.corners[0]) || near(p.corners[len(p.corners)-1])) {
		p.closePolygon()
		return
	}
	here = p.snapped(here, e.Shift)
	p.corners = append(p.corners, here)
	p.rubber = here
	p.schedule()
}

// closePolygon joins the polygon with what is painted.
func (p *painter) closePolygon() {
	corners := p.corners
	p.corners = nil
	p.schedule()
	if len(corners) > 2 {
		p.joinShape(words.ToolPolygon, mask.Polygon(corners), p.cornersOp)
		return
	}
	p.changed()
}

func (p *painter) dropPolygon() bool {
	if p.corners == nil {
		return false
	}
	p.corners = nil
	p.schedule()
	p.changed()
	return true
}

// joinShape joins a selection with what is painted, as one step.
func (p *painter) joinShape(name string, s mask.Shape, op mask.Op) {
	p.stopWork()
	p.editor.Name(name)
	p.mark(p.editor.Select(s, op))
	p.done()
}

// end finishes what the pointer did. A gesture the system takes away (a palm, a call) is taken back.
func (p *painter) end(cancelled bool) {
	g := p.gesture
	if g.kind == "pinch" && len(p.pointers) > 0 {
		return // the other finger is still down: it neither draws nor pans any more
	}
	if g.kind == "handle" {
		p.handleEnd(cancelled)
		return
	}
	p.gesture = gesture{}
	shape := p.shape
	p.shape = nil
	p.schedule()
	switch g.kind {
	case "stroke":
		if cancelled {
			p.mark(p.editor.Abort())
		} else {
			p.editor.End()
		}
		p.done()
	case "lasso":
		if !cancelled && len(shape) > 2 {
			p.joinShape(words.ToolLasso, mask.Polygon(shape), g.op)
		}
	case "rect":
		if !cancelled {
			p.joinShape(words.ToolRectangle, mask.Rectangle(whole(shape[0]), whole(shape[1])), g.op)
		}
	case "ellipse":
		if !cancelled {
			p.joinShape(words.ToolEllipse, mask.Ellipse(shape[0], shape[1]), g.op)
		}
	case "corner":
		if cancelled && len(p.corners) > 0 {
			p.dropCorner()
		}
	case "box", "hint":
		if !cancelled {
			p.endSmart(g, shape)
		}
	case "tap":
		from := g.tap.At()
		if !cancelled && math.Hypot(g.at.X-from.X, g.at.Y-from.Y) <= closing {
			p.begin(g.tap)
			p.gesture = gesture{}
		}
	}
}

// letGo forgets the keys that are held: the window has lost the keyboard, and will not hear of their release.
func (p *painter) letGo() {
	p.space, p.peek = false, false
	p.ring()
}

// dropCorner takes the last corner of a polygon back.
func (p *painter) dropCorner() {
	if p.corners = p.corners[:len(p.corners)-1]; len(p.corners) == 0 {
		p.corners = nil
		p.changed()
	}
	p.schedule()
}

// whole is the nearest corner between pixels.
func whole(at mask.Point) mask.Point { return mask.Point{X: math.Round(at.X), Y: math.Round(at.Y)} }

// drop gives up the gesture, as Escape and a second finger do.
func (p *painter) drop() bool {
	if p.gesture.kind == "" {
		return false
	}
	p.end(true)
	return true
}

func (p *painter) stroke(from, to mask.Point, radius float64) {
	p.mark(p.editor.Stroke(from.X, from.Y, to.X, to.Y, radius, float64(p.tip().Hardness)/100, p.gesture.op == mask.Subtract))
}

// onPicture is a place of the stage in pixels of the picture.
func (p *painter) onPicture(at browser.Point) mask.Point {
	x, y := p.view.ToPicture(at.X, at.Y)
	return mask.Point{X: x, Y: y}
}

// beginPinch turns to moving and zooming with two fingers; the dot the first one made is taken back.
func (p *painter) beginPinch() {
	p.drop()
	middle, span, lean := p.fingers()
	p.gesture = gesture{kind: "pinch", at: middle, span: span, lean: lean, free: p.view.Angle}
}

func (p *painter) pinch() {
	if len(p.pointers) < 2 {
		return
	}
	middle, span, lean := p.fingers()
	v := p.view.Pan(middle.X-p.gesture.at.X, middle.Y-p.gesture.at.Y)
	if p.gesture.span > 0 && span > 0 {
		v = v.Zoom(span/p.gesture.span, middle.X, middle.Y)
	}
	if !p.expands {
		p.gesture.free += math.Remainder(lean-p.gesture.lean, 360)
		angle := p.gesture.free
		if math.Abs(math.Remainder(angle, 360)) < upright {
			angle = 0
		}
		if v = v.Turn(angle-v.Angle, middle.X, middle.Y); angle == 0 {
			v.Angle = 0 // to the last bit
		}
	}
	p.gesture.at, p.gesture.span, p.gesture.lean = middle, span, lean
	p.glide(v)
}

// upright is within how many degrees of it two fingers hold a picture upright: a pinch that is not meant to turn it does not.
const upright = 8

// fingers is the middle between two fingers, how far they are apart, and how the line from one to the other leans, in degrees.
func (p *painter) fingers() (middle browser.Point, span, lean float64) {
	ids := slices.Sorted(maps.Keys(p.pointers))
	a, b := p.pointers[ids[0]], p.pointers[ids[1]]
	return browser.Point{X: (a.X + b.X) / 2, Y: (a.Y + b.Y) / 2}, math.Hypot(a.X-b.X, a.Y-b.Y), math.Atan2(b.Y-a.Y, b.X-a.X) * 180 / math.Pi
}

// does is what a key does on the stage.
func (p *painter) does(k browser.Key) string {
	if p.painted {
		return does(*p.keymap, k, model.OnMask)
	}
	return does(*p.keymap, k, model.OnStage)
}

// key takes a shortcut of the stage and says whether it was one.
func (p *painter) key(k browser.Key) bool {
	action := p.does(k)
	switch action {
	case model.DoPan:
		if k.Key == " " && k.Button && (!k.Up || !p.space) {
			break
		}
		if p.space != !k.Up {
			p.space = !k.Up
			p.ring()
		}
		return true
	case model.DoSource:
		p.peek = !k.Up
		p.schedule()
		return true
	}
	if k.Up {
		p.crossStops(k)
		return false
	}
	if p.asset == nil {
		return false
	}
	if p.painted && p.crossKey(k) {
		return true
	}
	if p.nudge(k, action) {
		return true
	}
	switch {
	case k.Ctrl || k.Alt:
	case k.Key == "Escape":
		return p.giveUp()
	case k.Key == "Enter" && p.corners != nil:
		p.closePolygon()
		return true
	case k.Key == "Backspace" && p.corners != nil:
		p.dropCorner()
		return true
	}
	switch action {
	case model.DoFit:
		p.fit()
		p.changed()
	case model.DoActual:
		p.actual()
	case model.DoZoomIn:
		p.zoom(1.25, nil)
	case model.DoZoomOut:
		p.zoom(0.8, nil)
	default:
		return p.painted && p.maskAction(action)
	}
	return true
}

// making says whether something is in the making that Escape gives up.
func (p *painter) making() bool { return p.gesture.kind != "" || p.corners != nil || p.work != nil }

// giveUp ends what is in the making, the latest first, and says whether there was anything.
func (p *painter) giveUp() bool {
	if p.drop() || p.dropPolygon() {
		return true
	}
	if p.work != nil {
		p.stopWork()
		p.done()
		return true
	}
	if p.cross != nil {
		p.cross = nil
		p.schedule()
		return true
	}
	return false
}

// maskAction takes a tool, or does something to the mask, and says whether it was that.
func (p *painter) maskAction(action string) bool {
	switch {
	case !model.OfMask(action):
		return false
	case model.IsTool(action):
		p.use(action)
		p.changed()
	default:
		p.act(action)
	}
	return true
}
