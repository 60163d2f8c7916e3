package pages

import (
	"math"

	"atelier/app/browser"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/imaging/mask"
)

// How far an arrow key moves the keyboard's cursor, CSS px; with Ctrl it is one pixel of the picture.
const (
	crossStep = 10
	crossLeap = 50
)

func floor(v float64) int { return int(math.Floor(v)) }

// arrows are the ways of the arrow keys.
var arrows = map[string]model.Sides{"ArrowLeft": {X: -1}, "ArrowRight": {X: 1}, "ArrowUp": {Y: -1}, "ArrowDown": {Y: 1}}

// crossKey draws with the keyboard: arrows move a cursor, Enter puts the tool down there and lifts it again.
func (p *painter) crossKey(k browser.Key) bool {
	if k.Button || k.Alt {
		return false
	}
	step, arrow := arrows[k.Key]
	switch {
	case arrow:
		by := crossStep / p.view.Scale
		if k.Shift {
			by = crossLeap / p.view.Scale
		}
		if k.Ctrl {
			by = 1
		}
		p.moveCross(float64(step.X)*by, float64(step.Y)*by)
	case k.Key == "Enter" && !k.Ctrl && p.cross != nil:
		if k.Shift && p.corners != nil {
			p.closePolygon()
			return true
		}
		if !k.Repeat {
			p.pressCross()
		}
	default:
		return false
	}
	return true
}

// moveCross moves the keyboard's cursor, which begins in the middle of what is on the stage, and keeps it there.
func (p *painter) moveCross(dx, dy float64) {
	if p.cross == nil {
		x, y := p.view.ToPicture(p.stage.W/2, p.stage.H/2)
		p.cross, dx, dy = &mask.Point{X: x, Y: y}, 0, 0
	}
	size := p.size()
	p.cross.X = min(max(p.cross.X+dx, 0), size.W)
	p.cross.Y = min(max(p.cross.Y+dy, 0), size.H)
	x, y := p.view.ToStage(p.cross.X, p.cross.Y)
	const near = 24
	if x < near || y < near || x > p.stage.W-near || y > p.stage.H-near {
		p.move(p.view.Middle(p.cross.X, p.cross.Y, p.stage))
	}
	p.crossPointer(browser.PointerMove)
	p.over = true
	p.ring()
	p.schedule()
}

// pressCross puts the tool down, or lifts it. A tool that works with one press does so.
func (p *painter) pressCross() {
	if p.pressed {
		p.pressed = false
		p.crossPointer(browser.PointerUp)
		p.say(words.MaskToolLifted(p.kept))
		return
	}
	p.crossPointer(browser.PointerDown)
	switch p.gesture.kind {
	case "stroke", "lasso", "rect", "ellipse", "box", "hint":
		p.pressed = true
		p.say(words.MaskToolDown)
	default:
		p.crossPointer(browser.PointerUp)
	}
}

// crossPointer is the keyboard's cursor as a pointer.
func (p *painter) crossPointer(kind browser.PointerKind) {
	x, y := p.view.ToStage(p.cross.X, p.cross.Y)
	at := *p.cross
	p.pointer(browser.Pointer{Kind: kind, ID: keyboardID, Points: []browser.Point{{X: x, Y: y}}})
	p.cross = &at // a press of another pointer would have put it away
}

// crossStops tells where the keyboard's cursor has come to.
func (p *painter) crossStops(k browser.Key) {
	if p.cross == nil || len(k.Key) < 5 || k.Key[:5] != "Arrow" || p.editor == nil {
		return
	}
	x, y := floor(p.cross.X), floor(p.cross.Y)
	p.say(words.MaskCursorAt(x, y, p.editor.Plane().Kept(x, y)))
}
