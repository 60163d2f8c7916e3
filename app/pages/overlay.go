package pages

import (
	"image"

	"atelier/app/browser"
	"atelier/app/model"
	"atelier/imaging/mask"
)

// mark remembers what changed on the plane until the next frame draws it.
func (p *painter) mark(r image.Rectangle) {
	p.dirty = p.dirty.Union(r)
	p.schedule()
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
var opaque = func() mask.Tints {
	var t mask.Tints
	t.Keep.R, t.Keep.G, t.Keep.B, t.Keep.A = 255, 255, 255, 255
	return t
}()

func (p *painter) draw() {
	if p.overlay == nil {
		return
	}
	if !p.dirty.Empty() {
		if need := 4 * p.dirty.Dx() * p.dirty.Dy(); len(p.buffer) < need {
			p.buffer = make([]byte, need)
		}
		r, n := p.editor.Paint(p.buffer, p.dirty, opaque)
		p.overlay.Put(p.buffer[:n], r)
		p.dirty = image.Rectangle{}
	}
	p.overlay.Draw(p.scene())
}

func (p *painter) scene() browser.Scene {
	s := browser.Scene{
		Place: browser.Place{X: p.view.X, Y: p.view.Y, Scale: p.view.Scale}, Size: image.Pt(p.asset.Width, p.asset.Height),
		Redraw: p.flipped, Hidden: !p.painted || p.peek,
		Tint: browser.Tint{Fill: "rgba(0,164,148,.45)", Hatch: "rgba(255,255,255,.38)"},
	}
	if p.flipped {
		s.Tint = browser.Tint{Fill: "rgba(222,92,0,.42)", Hatch: "rgba(255,255,255,.38)"}
	}
	if p.expands {
		s.Frame, s.Guides = p.expansion.Frame(), browser.Guides{X: p.guides.X, Y: p.guides.Y}
	}
	for _, at := range p.outline() {
		s.Shape.Points = append(s.Shape.Points, browser.Point{X: at.X, Y: at.Y})
	}
	s.Shape.Closed = p.gesture.kind == "rect"
	return s
}

// ring shows where and how large the brush is.
func (p *painter) ring() {
	visible := p.over && p.asset != nil && p.painted && !p.space && (p.tool == toolBrush || p.tool == toolEraser) && p.gesture.kind != "pan"
	cursor := "default"
	switch {
	case p.asset == nil:
	case p.gesture.kind == "handle":
		cursor = p.gesture.hold.cursor()
	case p.gesture.kind == "pan":
		cursor = "grabbing"
	case p.grabs(p.cursor, handleReach).kind != "":
		cursor = p.grabs(p.cursor, handleReach).cursor()
	case p.space || p.tool == toolHand || !p.painted:
		cursor = "grab"
	case p.tool == toolBrush || p.tool == toolEraser:
		cursor = "none"
	default:
		cursor = "crosshair"
	}
	browser.SetData(stageID, "cursor", cursor)
	if !visible {
		browser.SetStyle(ringID, "display", "none")
		return
	}
	size := model.Number(p.brush) + "px"
	half := float64(p.brush) / 2
	browser.SetStyle(ringID, "display", "block")
	browser.SetStyle(ringID, "width", size)
	browser.SetStyle(ringID, "height", size)
	browser.SetStyle(ringID, "transform", "translate("+model.Decimal(p.cursor.X-half, 1)+"px,"+model.Decimal(p.cursor.Y-half, 1)+"px)")
}
