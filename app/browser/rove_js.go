//go:build js && wasm

package browser

import (
	"math"
	"syscall/js"
)

// roving are the groups of buttons that are one stop of the Tab key.
const roving = "[role=toolbar],[role=radiogroup],[data-rows]"

// Rove makes each toolbar and each row of choices one stop of the Tab key: the arrow keys, Home and End go from button to button
// inside, and choose where one of the buttons always is. Where the buttons stand in rows (data-rows) up and down go from row to
// row. Tab enters a row of choices at the one that is chosen.
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
			if !target.Truthy() || target.Get("closest").Type() != js.TypeFunction || !target.Call("matches", "button").Bool() {
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
	all := group.Call("querySelectorAll", "button:not(:disabled)")
	buttons, at := []js.Value{}, 0
	for i := range all.Length() {
		b := all.Index(i)
		if b.Equal(target) {
			at = len(buttons)
		}
		if b.Get("offsetParent").Truthy() {
			buttons = append(buttons, b)
		}
	}
	n := len(buttons)
	if n == 0 {
		return
	}
	if rows := group.Call("hasAttribute", "data-rows").Bool(); rows && key == "ArrowDown" {
		key, at = "", below(buttons, at, 1)
	} else if rows && key == "ArrowUp" {
		key, at = "", below(buttons, at, -1)
	}
	switch key {
	case "":
	case "Tab":
		leave(buttons, target)
		return
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
	buttons[at].Call("focus")
	if buttons[at].Call("getAttribute", "role").String() == "radio" {
		buttons[at].Call("click")
	}
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

// leave takes the other buttons out of the order of the focus until the key has done its work.
func leave(buttons []js.Value, target js.Value) {
	for _, b := range buttons {
		if !b.Equal(target) && !b.Call("hasAttribute", "tabindex").Bool() {
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
