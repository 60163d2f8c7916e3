//go:build js && wasm

package browser

import (
	"math"
	"slices"
	"syscall/js"
)

// roving are the groups of buttons that are one stop of the Tab key, pressed is what such a group consists of.
const (
	roving  = "[role=toolbar],[role=radiogroup],[data-rows]"
	pressed = "button:not(:disabled),[data-cell] a[href]"
)

// Rove makes each toolbar and each row of choices one stop of the Tab key: the arrow keys, Home and End go from button to button
// inside, and choose where one of the buttons always is. Where the buttons stand in rows (data-rows) up and down go from row to
// row. Where each place in the rows holds several buttons (data-cell) the keys go from place to place, Tab to the others of the same
// place, and Delete presses the one that deletes (data-delete). Tab enters a row of choices at the one that is chosen.
func Rove() (release func()) {
	document := js.Global().Get("document")
	tabbed := false
	later := js.FuncOf(func(js.Value, []js.Value) any { tabbed = false; return nil })
	return joined([]func(){
		on(document, "keydown", map[string]any{"capture": true}, func(e js.Value) {
			key := e.Get("key").String()
			if key == "Tab" {
				tabbed = true
				js.Global().Call("setTimeout", later, 0)
			}
			target := e.Get("target")
			if !target.Truthy() || target.Get("closest").Type() != js.TypeFunction || !target.Call("matches", pressed).Bool() {
				return
			}
			if group := target.Call("closest", roving); group.Truthy() {
				rove(e, key, target, group)
			}
		}),
		on(document, "focusin", nil, func(e js.Value) {
			if !tabbed {
				return
			}
			tabbed = false
			target := e.Get("target")
			group := target.Call("closest", "[role=radiogroup]")
			if !group.Truthy() || group.Call("contains", e.Get("relatedTarget")).Bool() {
				return
			}
			if chosen := group.Call("querySelector", "button[aria-checked=true]:not(:disabled)"); chosen.Truthy() {
				chosen.Call("focus")
			}
		}),
		later.Release,
	})
}

// rove moves the focus inside a group, or out of it.
func rove(e js.Value, key string, target, group js.Value) {
	buttons := shownIn(group, pressed)
	places, at := buttons, 0
	cell := target.Call("closest", "[data-cell]")
	if cell.Truthy() {
		places = slices.DeleteFunc(shownIn(group, "[data-cell]"), func(c js.Value) bool { return !first(c).Truthy() })
	} else {
		cell = target
	}
	n := len(places)
	if n == 0 {
		return
	}
	at = max(0, slices.IndexFunc(places, cell.Equal))
	if rows := group.Call("hasAttribute", "data-rows").Bool(); rows && key == "ArrowDown" {
		key, at = "", below(places, at, 1)
	} else if rows && key == "ArrowUp" {
		key, at = "", below(places, at, -1)
	}
	var doomed js.Value
	switch key {
	case "":
	case "Tab":
		leave(slices.DeleteFunc(buttons, func(b js.Value) bool { return cell.Call("contains", b).Bool() }))
		return
	case "Delete":
		if doomed = cell.Call("querySelector", "[data-delete]:not(:disabled)"); !doomed.Truthy() {
			return
		}
	case "ArrowRight", "ArrowDown":
		at = (at + 1) % n
	case "ArrowLeft", "ArrowUp":
		at = (at + n - 1) % n
	case "Home":
		at = 0
	case "End":
		at = n - 1
	default:
		return
	}
	if !target.Call("matches", ":focus-visible").Bool() || e.Get("altKey").Truthy() || e.Get("ctrlKey").Truthy() || e.Get("metaKey").Truthy() || e.Get("shiftKey").Truthy() {
		return // pressed with the mouse before: the keys are those of the page
	}
	e.Call("preventDefault")
	e.Call("stopPropagation")
	if doomed.Truthy() {
		doomed.Call("click")
		return
	}
	next := first(places[at])
	next.Call("focus")
	if next.Call("getAttribute", "role").String() == "radio" {
		next.Call("click")
	}
}

// shownIn are the elements of a group that match and are not hidden.
func shownIn(group js.Value, match string) (shown []js.Value) {
	all := group.Call("querySelectorAll", match)
	for i := range all.Length() {
		if e := all.Index(i); e.Get("offsetParent").Truthy() {
			shown = append(shown, e)
		}
	}
	return shown
}

// first is the button a place in a group begins with; it may be the place itself.
func first(place js.Value) js.Value {
	if place.Call("matches", pressed).Bool() {
		return place
	}
	return place.Call("querySelector", pressed)
}

// below gives the button that stands under another, or with -1 above it; the same where there is none. What stands beside each of
// them, as a star does, is of another kind.
func below(buttons []js.Value, from, by int) int {
	kind := func(i int) string { return buttons[i].Get("classList").Call("item", 0).String() }
	corner := func(i int) (x, y float64) {
		box := buttons[i].Call("getBoundingClientRect")
		return box.Get("left").Float(), box.Get("top").Float()
	}
	x, y := corner(from)
	best, row, off := from, y, 0.0
	for i := from + by; i >= 0 && i < len(buttons); i += by {
		left, top := corner(i)
		switch {
		case kind(i) != kind(from), math.Abs(top-y) < 1:
		case best == from:
			best, row, off = i, top, math.Abs(left-x)
		case math.Abs(top-row) >= 1:
			return best
		case math.Abs(left-x) < off:
			best, off = i, math.Abs(left-x)
		}
	}
	return best
}

// leave takes buttons out of the order of the focus until the key has done its work.
func leave(buttons []js.Value) {
	for _, b := range buttons {
		if !b.Call("hasAttribute", "tabindex").Bool() {
			b.Call("setAttribute", "tabindex", "-1")
			b.Call("setAttribute", "data-left", "")
		}
	}
	var back js.Func
	back = js.FuncOf(func(js.Value, []js.Value) any {
		for _, b := range buttons {
			if b.Call("hasAttribute", "data-left").Bool() {
				b.Call("removeAttribute", "data-left")
				b.Call("removeAttribute", "tabindex")
			}
		}
		back.Release()
		return nil
	})
	js.Global().Call("setTimeout", back, 0)
}
