//go:build js && wasm

package browser

import (
	"math"
	"strconv"
	"syscall/js"
)

// sortStart is how far a pointer moves before it drags, in CSS px: less is a click.
const sortStart = 6

// OnSort lets items be dragged to another place of their list, by mouse, pen or finger. An item has the attributes
// data-sort, the name of its list, and data-at, its place. f is told once, when the item is let go over another.
func OnSort(f func(list string, from, to int)) (release func()) {
	var lifted, over js.Value
	var x, y float64
	dragging, dragged := false, false
	item := func(target js.Value) js.Value {
		if !target.Truthy() || target.Get("closest").Type() != js.TypeFunction || target.Call("closest", "[data-still]").Truthy() {
			return js.Null()
		}
		return target.Call("closest", "[data-sort]")
	}
	mark := func(element js.Value, name string, on bool) {
		if element.Truthy() {
			element.Call("toggleAttribute", name, on)
		}
	}
	place := func(element js.Value) (list string, at int) {
		at, err := strconv.Atoi(element.Call("getAttribute", "data-at").String())
		if err != nil {
			at = -1
		}
		return element.Call("getAttribute", "data-sort").String(), at
	}
	drop := func() {
		if lifted.Truthy() {
			lifted.Get("style").Set("transform", "")
		}
		mark(lifted, "data-lifted", false)
		mark(over, "data-over", false)
		lifted, over, dragging = js.Null(), js.Null(), false
	}
	return joined([]func(){
		on(js.Global(), "pointerdown", nil, func(e js.Value) {
			drop()
			dragged = false
			if e.Get("button").Int() == 0 {
				lifted = item(e.Get("target"))
				x, y = e.Get("clientX").Float(), e.Get("clientY").Float()
			}
		}),
		on(js.Global(), "pointermove", nil, func(e js.Value) {
			if !lifted.Truthy() {
				return
			}
			dx, dy := e.Get("clientX").Float()-x, e.Get("clientY").Float()-y
			if !dragging {
				if math.Hypot(dx, dy) < sortStart {
					return
				}
				dragging = true
				mark(lifted, "data-lifted", true)
				lifted.Call("setPointerCapture", e.Get("pointerId"))
			}
			lifted.Get("style").Set("transform", "translate("+strconv.Itoa(int(dx))+"px,"+strconv.Itoa(int(dy))+"px)")
			under := item(js.Global().Get("document").Call("elementFromPoint", e.Get("clientX"), e.Get("clientY")))
			mark(over, "data-over", false)
			over = js.Null()
			if under.Truthy() && !under.Equal(lifted) && under.Call("getAttribute", "data-sort").String() == lifted.Call("getAttribute", "data-sort").String() {
				over = under
				mark(over, "data-over", true)
			}
		}),
		on(js.Global(), "pointerup", nil, func(js.Value) {
			if !dragging {
				drop()
				return
			}
			from, to := -1, -1
			list := ""
			if over.Truthy() {
				list, from = place(lifted)
				_, to = place(over)
			}
			drop()
			dragged = true
			if from >= 0 && to >= 0 {
				f(list, from, to)
			}
		}),
		on(js.Global(), "click", map[string]any{"capture": true}, func(e js.Value) {
			if dragged { // what was dragged was not clicked
				dragged = false
				e.Call("stopPropagation")
				e.Call("preventDefault")
			}
		}),
		on(js.Global(), "pointercancel", nil, func(js.Value) { drop() }),
	})
}
