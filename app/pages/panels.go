package pages

import (
	"math"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/components"
	"atelier/app/words"
)

// edgeID is the edge of the form that is dragged.
const edgeID = "inspector-edge"

// Where the browser remembers what stands around the picture; boot.js reads it before the first paint.
const (
	formWidthKey = "atelier.form"
	stripKey     = "atelier.strip"
	stripFolded  = "folded"
)

// How wide the form may be, in CSS pixels, and by how much a key changes that. It never takes more than half of the window.
const (
	leastForm, usualForm, mostForm = 280, 340, 560
	formStep                       = 20
	// edgePull is how far the edge is pulled to follow the pointer: less is a press.
	edgePull = 3
)

// readFormWidth reads the remembered width of the form; anything else is the usual one.
func readFormWidth(text string) int {
	if n, err := strconv.Atoi(text); err == nil && n >= leastForm && n <= mostForm {
		return n
	}
	return usualForm
}

// renderEdge is the edge between the picture and the form.
func (s *Studio) renderEdge() app.UI {
	return components.El("div", "id", edgeID, "class", "inspector__edge", "role", "separator", "tabindex", "0", "aria-orientation", "vertical",
		"aria-controls", inspectorID, "aria-label", words.InspectorEdge, "data-testid", "form-edge", "aria-valuemin", strconv.Itoa(leastForm), "aria-valuemax", strconv.Itoa(mostForm)).
		Attr("aria-valuenow", strconv.Itoa(s.width)).OnKeyDown(s.onEdgeKey).OnDblClick(func(app.Context, app.Event) {
		s.widen(usualForm)
		s.keepWidth()
	}).
		On("pointerdown", s.onEdgeDown).On("pointermove", s.onEdgeMove).On("pointerup", s.onEdgeUp).On("pointercancel", s.onEdgeUp)
}

func (s *Studio) onEdgeKey(_ app.Context, e app.Event) {
	to, ok := map[string]int{"ArrowLeft": s.width + formStep, "ArrowRight": s.width - formStep, "Home": leastForm, "End": mostForm, "Enter": usualForm}[e.Get("key").String()]
	if ok {
		e.PreventDefault()
		s.widen(to)
		s.keepWidth()
	}
}

// onEdgeDown takes hold of the edge of the form, which then follows the pointer wherever that goes.
func (s *Studio) onEdgeDown(_ app.Context, e app.Event) {
	s.dragged, s.pulled, s.taken = true, false, e.Get("clientX").Float()
	e.Get("target").Call("setPointerCapture", e.Get("pointerId"))
}

func (s *Studio) onEdgeMove(_ app.Context, e app.Event) {
	if !s.dragged {
		return
	}
	form, x := browser.BoxOf(inspectorID), e.Get("clientX").Float()
	if s.pulled = s.pulled || math.Abs(x-s.taken) >= edgePull; s.pulled {
		s.widen(int(form.X + form.W - x))
	}
}

// onEdgeUp lets go of it. Pressed and not pulled, it goes to its widest and back (WCAG 2.2, 2.5.7).
func (s *Studio) onEdgeUp(_ app.Context, e app.Event) {
	if s.dragged && !s.pulled && e.Get("type").String() == "pointerup" {
		to := mostForm
		if s.width == mostForm {
			to = usualForm
		}
		s.widen(to)
	}
	s.dragged = false
	s.keepWidth()
}

// keepWidth remembers the width of the form.
func (s *Studio) keepWidth() { browser.Save(formWidthKey, strconv.Itoa(s.width)) }

// widen gives the form another width.
func (s *Studio) widen(to int) {
	s.width = min(max(to, leastForm), mostForm)
	browser.RootLength("form", s.width)
	s.update()
}

// FoldStrip implements components.StripPort: folds the runs below the picture away, or shows them again.
func (s *Studio) FoldStrip() {
	s.folded = !s.folded
	browser.Root("strip", components.Pick(s.folded, stripFolded, ""))
	browser.Save(stripKey, components.Pick(s.folded, stripFolded, ""))
}

// standAlone takes everything away that stands around the picture, or brings it back.
func (s *Studio) standAlone(alone bool) { s.alone = alone }
