package pages

import (
	"image"
	"math"

	"atelier/app/browser"
	"atelier/app/model"
	"atelier/imaging/mask"
)

// pointer takes one event of a mouse, pen or finger on the stage.
func (p *painter) pointer(e browser.Pointer) {
	if p.asset == nil {
		return
	}
	at := e.At()
	p.over = e.Kind != browser.PointerLeave || p.gesture.kind != ""
	if !e.Touch {
		p.cursor = at
	}
	switch e.Kind {
	case browser.PointerDown:
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
		}
	case browser.PointerUp, browser.PointerCancel:
		if _, down := p.pointers[e.ID]; down {
			delete(p.pointers, e.ID)
			p.end(e.Kind == browser.PointerCancel)
		}
	}
	p.ring()
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
	if p.space || p.tool == toolHand || !p.painted || e.Button == 1 {
		p.gesture = gesture{kind: "pan", at: at}
		return
	}
	if e.Button != 0 {
		return
	}
	p.cursor = at
	here := p.onPicture(at)
	erase := p.tool == toolEraser || e.Alt
	switch p.tool {
	case toolLasso:
		p.gesture = gesture{kind: "lasso", erase: erase, at: at}
		p.shape = []mask.Point{here}
	case toolRect:
		p.gesture = gesture{kind: "rect", erase: erase, at: at}
		p.shape = []mask.Point{here, here}
	default:
		p.gesture = gesture{kind: "stroke", erase: erase, at: at}
		p.editor.Begin()
		from := here
		if e.Shift && p.last != nil {
			from = *p.last
		}
		p.stroke(from, here)
		p.last = &here
	}
}

func (p *painter) follow(e browser.Pointer) {
	at := e.At()
	switch p.gesture.kind {
	case "pan":
		v := p.view.Pan(at.X-p.gesture.at.X, at.Y-p.gesture.at.Y)
		p.gesture.at = at
		p.move(v)
	case "pinch":
		p.pinch()
	case "handle":
		p.handleTo(at, e.Alt)
	case "stroke":
		for _, point := range e.Points {
			here := p.onPicture(point)
			p.stroke(*p.last, here)
			p.last = &here
		}
	case "lasso":
		for _, point := range e.Points {
			p.shape = append(p.shape, p.onPicture(point))
		}
		p.schedule()
	case "rect":
		p.shape[1] = p.onPicture(at)
		p.schedule()
	}
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
	switch g.kind {
	case "stroke":
		p.editor.End()
		if before := p.kept; cancelled {
			// A stroke over what was painted already left no step, and the one before it must stay.
			if p.count(); p.kept != before {
				p.mark(p.editor.Undo())
			}
		}
		p.done()
	case "lasso":
		if !cancelled && len(p.shape) > 2 {
			p.mark(p.editor.Polygon(p.shape, g.erase))
		}
		p.shape = nil
		p.schedule()
		p.done()
	case "rect":
		if r := p.rectangle(); !cancelled && !r.Empty() {
			p.mark(p.editor.Rectangle(r, g.erase))
		}
		p.shape = nil
		p.schedule()
		p.done()
	}
}

// drop gives up the gesture, as Escape and a second finger do.
func (p *painter) drop() bool {
	if p.gesture.kind == "" {
		return false
	}
	p.end(true)
	return true
}

func (p *painter) stroke(from, to mask.Point) {
	radius := float64(p.brush) / 2 / p.view.Scale
	p.mark(p.editor.Stroke(from.X, from.Y, to.X, to.Y, radius, 1, p.gesture.erase))
}

// onPicture is a place of the stage in pixels of the picture.
func (p *painter) onPicture(at browser.Point) mask.Point {
	x, y := p.view.ToPicture(at.X, at.Y)
	return mask.Point{X: x, Y: y}
}

// rectangle is the one being drawn, in whole pixels.
func (p *painter) rectangle() image.Rectangle {
	if len(p.shape) != 2 {
		return image.Rectangle{}
	}
	a, b := p.shape[0], p.shape[1]
	return image.Rect(int(math.Round(a.X)), int(math.Round(a.Y)), int(math.Round(b.X)), int(math.Round(b.Y)))
}

// outline is the selection being made.
func (p *painter) outline() []mask.Point {
	if p.gesture.kind != "rect" || len(p.shape) != 2 {
		return p.shape
	}
	a, b := p.shape[0], p.shape[1]
	return []mask.Point{a, {X: b.X, Y: a.Y}, b, {X: a.X, Y: b.Y}}
}

// beginPinch turns to moving and zooming with two fingers; the dot the first one made is taken back.
func (p *painter) beginPinch() {
	p.drop()
	middle, span := p.fingers()
	p.gesture = gesture{kind: "pinch", at: middle, span: span}
}

func (p *painter) pinch() {
	if len(p.pointers) < 2 {
		return
	}
	middle, span := p.fingers()
	v := p.view.Pan(middle.X-p.gesture.at.X, middle.Y-p.gesture.at.Y)
	if p.gesture.span > 0 && span > 0 {
		v = v.Zoom(span/p.gesture.span, middle.X, middle.Y)
	}
	p.gesture.at, p.gesture.span = middle, span
	p.move(v)
}

// fingers is the middle between two fingers and how far they are apart.
func (p *painter) fingers() (middle browser.Point, span float64) {
	var list []browser.Point
	for _, at := range p.pointers {
		list = append(list, at)
	}
	a, b := list[0], list[1]
	return browser.Point{X: (a.X + b.X) / 2, Y: (a.Y + b.Y) / 2}, math.Hypot(a.X-b.X, a.Y-b.Y)
}

// key takes a shortcut of the stage and says whether it was one.
func (p *painter) key(k browser.Key) bool {
	if k.Key == " " && !k.Button {
		if p.space != !k.Up {
			p.space = !k.Up
			p.ring()
		}
		return true
	}
	if k.Key == "\\" {
		p.peek = !k.Up
		p.schedule()
		return true
	}
	if k.Up || p.asset == nil {
		return false
	}
	if k.Ctrl {
		return p.painted && p.undoKey(k)
	}
	if k.Alt {
		return false
	}
	if p.nudge(k) {
		return true
	}
	switch k.Key {
	case "0":
		p.fit()
		p.changed()
	case "1":
		p.actual()
	case "+", "=":
		p.zoom(1.25, nil)
	case "-":
		p.zoom(0.8, nil)
	case "Escape":
		return p.drop()
	default:
		return p.painted && p.maskKey(k)
	}
	return true
}

func (p *painter) undoKey(k browser.Key) bool {
	switch {
	case k.Key == "y" || (k.Key == "z" || k.Key == "Z") && k.Shift:
		p.act("redo")
	case k.Key == "z":
		p.act("undo")
	default:
		return false
	}
	return true
}

func (p *painter) maskKey(k browser.Key) bool {
	tools := map[string]string{"b": toolBrush, "e": toolEraser, "l": toolLasso, "m": toolRect, "h": toolHand}
	key := k.Key
	if len(key) == 1 && key[0] >= 'A' && key[0] <= 'Z' {
		key = string(key[0] + 'a' - 'A')
	}
	if tool, ok := tools[key]; ok {
		p.use(tool)
		p.changed()
		return true
	}
	switch key {
	case "[":
		p.resizeBrush(model.Brush(p.brush, -1))
	case "]":
		p.resizeBrush(model.Brush(p.brush, 1))
	case "i":
		p.act("invert")
	case "x":
		p.act("flip")
	default:
		return false
	}
	return true
}
