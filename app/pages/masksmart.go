package pages

import (
	"atelier/app/browser"
	"atelier/imaging/mask"
)

// smartSelect is the selection of an object from a box or strokes around it.
type smartSelect struct{}

func (p *painter) closeSmart() {}

func (p *painter) beginSmart(mask.Point, browser.Pointer) {}

func (p *painter) endSmart(gesture, []mask.Point) {}

func (p *painter) hintRadius() float64 { return 8 / p.view.Scale }
