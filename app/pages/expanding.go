package pages

import (
	"math"

	"atelier/app/browser"
	"atelier/app/model"
)

// How near a pointer must be to a handle, and a picture to a place at which it snaps, in CSS px.
const (
	handleReach      = 11
	handleReachTouch = 22
	snapReach        = 7
)

// handle is what a pointer has taken hold of on the canvas of an expansion.
type handle struct {
	kind  string // "", place: the picture; pull: sides of the canvas; scale: a corner of the picture
	sides model.Sides
}

// expand shows the canvas of an expansion around the picture; ok is false for agents that have none.
func (p *painter) expand(e model.Expansion, ok bool) {
	if p.expands == ok && p.expansion == e {
		return
	}
	p.expands, p.expansion = ok, e
	if p.fitted && p.asset != nil && p.gesture.kind == "" {
		p.fit()
	}
	p.schedule()
}

// grabs says what a pointer at a place of the stage would take hold of.
func (p *painter) grabs(at browser.Point, reach float64) handle {
	if p.asset == nil || !p.expands || p.painted || p.space {
		return handle{}
	}
	here, reach := p.onPicture(at), reach/p.view.Scale
	frame := p.expansion.Frame()
	if s, ok := corner(here.X, here.Y, float64(frame.Min.X), float64(frame.Min.Y), float64(frame.Max.X), float64(frame.Max.Y), reach); ok {
		return handle{"pull", s}
	}
	w, h := float64(p.asset.Width), float64(p.asset.Height)
	if s, ok := corner(here.X, here.Y, 0, 0, w, h, reach); ok {
		return handle{"scale", s}
	}
	near := func(v float64, edge int) bool { return math.Abs(v-float64(edge)) <= reach }
	within := func(v float64, low, high int) bool { return v >= float64(low) && v <= float64(high) }
	switch {
	case near(here.X, frame.Min.X) && within(here.Y, frame.Min.Y, frame.Max.Y):
		return handle{"pull", model.Sides{X: -1}}
	case near(here.X, frame.Max.X) && within(here.Y, frame.Min.Y, frame.Max.Y):
		return handle{"pull", model.Sides{X: 1}}
	case near(here.Y, frame.Min.Y) && within(here.X, frame.Min.X, frame.Max.X):
		return handle{"pull", model.Sides{Y: -1}}
	case near(here.Y, frame.Max.Y) && within(here.X, frame.Min.X, frame.Max.X):
		return handle{"pull", model.Sides{Y: 1}}
	case here.X >= 0 && here.Y >= 0 && here.X < w && here.Y < h:
		return handle{kind: "place"}
	}
	return handle{}
}

// corner says which corner of a rectangle is within reach of a point.
func corner(x, y, left, top, right, bottom, reach float64) (s model.Sides, ok bool) {
	side := func(v, low, high float64) int {
		switch {
		case math.Abs(v-low) <= reach:
			return -1
		case math.Abs(v-high) <= reach:
			return 1
		}
		return 0
	}
	s = model.Sides{X: side(x, left, right), Y: side(y, top, bottom)}
	return s, s.X != 0 && s.Y != 0
}

// cursor is the shape of the pointer over the handle.
func (h handle) cursor() string {
	switch {
	case h.kind == "place":
		return "move"
	case h.kind == "":
		return ""
	case h.sides.Y == 0:
		return "ew"
	case h.sides.X == 0:
		return "ns"
	case h.sides.X == h.sides.Y:
		return "nwse"
	}
	return "nesw"
}

// handleTo follows the pointer that holds a handle. What is held follows it on the screen: the picture over a canvas that
// stands still, or the sides of the canvas around a picture that does.
func (p *painter) handleTo(to browser.Point, free bool) {
	g := p.gesture
	snap := snapReach / g.view.Scale
	if free {
		snap = 0
	}
	dx, dy := (to.X-g.at.X)/g.view.Scale, (to.Y-g.at.Y)/g.view.Scale
	before := g.before
	v := g.view
	var e model.Expansion
	p.guides = model.Guides{}
	switch g.hold.kind {
	case "place":
		e, p.guides = before.Move(float64(before.Left)+dx, float64(before.Top)+dy, snap)
		v = v.Pan(float64(e.Left-before.Left)*v.Scale, float64(e.Top-before.Top)*v.Scale)
	case "pull":
		e, p.guides = before.Pull(g.hold.sides, dx, dy, snap)
	case "scale":
		// The diagonal decides; the opposite corner stays where it is on the screen.
		w, h := float64(before.W), float64(before.H)
		factor := 1 + (dx*float64(g.hold.sides.X)*w+dy*float64(g.hold.sides.Y)*h)/(w*w+h*h)
		e = before.Scale(g.hold.sides, max(factor, .02))
		frame := before.Frame()
		v.Scale = g.view.Scale * float64(before.Width) / float64(e.Width)
		v.X = g.view.X + float64(frame.Min.X)*g.view.Scale + float64(e.Left)*v.Scale
		v.Y = g.view.Y + float64(frame.Min.Y)*g.view.Scale + float64(e.Top)*v.Scale
	}
	p.expansion = e
	p.fitted = false
	p.show(v)
	p.schedule()
	p.expanded(e, false)
}

// handleEnd lets go of a handle. A view that followed the stage does so again, as soon as part of the canvas is off it.
func (p *painter) handleEnd(cancelled bool) {
	g := p.gesture
	p.gesture, p.guides = gesture{}, model.Guides{}
	if cancelled {
		p.expansion = g.before
		p.show(g.view)
	}
	frame := p.expansion.Frame()
	left, top := p.view.X+float64(frame.Min.X)*p.view.Scale, p.view.Y+float64(frame.Min.Y)*p.view.Scale
	right, bottom := left+float64(frame.Dx())*p.view.Scale, top+float64(frame.Dy())*p.view.Scale
	if g.fitted && (left < 0 || top < 0 || right > p.stage.W || bottom > p.stage.H) {
		p.fit()
	}
	p.schedule()
	p.expanded(p.expansion, true)
}

// keyScale is how much larger the picture gets on its canvas with one press of a key.
const keyScale = 1.02

// nudge does with keys what handles do: arrows move the picture, with Ctrl the right and the lower side of the canvas;
// brackets scale the picture about its middle.
func (p *painter) nudge(k browser.Key, action string) bool {
	if !p.expands || p.painted || k.Button || k.Alt {
		return false
	}
	step, arrow := arrows[k.Key]
	by := 1
	if k.Shift {
		by = 10
	}
	switch {
	case arrow && k.Ctrl:
		p.expansion, _ = p.expansion.Pull(model.Sides{X: step.X * step.X, Y: step.Y * step.Y}, float64(step.X*by), float64(step.Y*by), 0)
	case arrow:
		p.expansion = p.expansion.Nudge(step.X*by, step.Y*by)
	case action == model.DoPhotoLarger:
		p.expansion = p.expansion.Scale(model.Sides{}, keyScale)
	case action == model.DoPhotoSmaller:
		p.expansion = p.expansion.Scale(model.Sides{}, 1/keyScale)
	default:
		return false
	}
	if p.fitted {
		p.fit()
	}
	p.schedule()
	p.expanded(p.expansion, true)
	return true
}
