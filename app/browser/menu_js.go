//go:build js && wasm

package browser

import (
	"math"
	"syscall/js"
)

const (
	holdTime  = 500 // ms a finger rests before the menu opens, as Android has it
	holdReach = 10  // CSS px that it may move meanwhile
)

// OnMenu calls f when a menu is asked for: by the right button, the menu key, Shift+F10, or a finger that rests.
func OnMenu(f func(MenuAsk)) (release func()) {
	document, window := js.Global().Get("document"), js.Global()
	of := func(target js.Value) js.Value {
		if !target.Truthy() || target.Get("closest").Type() != js.TypeFunction || target.Call("matches", "input,textarea,select").Bool() {
			return js.Null()
		}
		return target.Call("closest", "[data-menu]")
	}
	ask := func(e js.Value, x, y float64) {
		f(MenuAsk{Of: e.Call("getAttribute", "data-menu").String(), X: x, Y: y})
	}
	var held js.Value // what a finger rests on
	var x, y float64
	timer := 0
	opened := false // by a finger: the click it ends with is none
	drop := func(js.Value) {
		window.Call("clearTimeout", timer)
		timer = 0
	}
	rests := js.FuncOf(func(js.Value, []js.Value) any {
		timer, opened = 0, true
		ask(held, x, y)
		return nil
	})
	return joined([]func(){
		on(document, "contextmenu", nil, func(e js.Value) {
			target := e.Get("target")
			thing := of(target)
			switch {
			case opened: // Windows sends it when the finger lifts
				e.Call("preventDefault")
			case thing.Truthy():
				e.Call("preventDefault")
				drop(e)
				ask(thing, e.Get("clientX").Float(), e.Get("clientY").Float())
			case target.Truthy() && target.Get("closest").Type() == js.TypeFunction && target.Call("closest", "[role=menu],dialog.menu").Truthy():
				e.Call("preventDefault")
				f(MenuAsk{})
			}
		}),
		on(document, "keydown", map[string]any{"capture": true}, func(e js.Value) {
			if key := e.Get("key").String(); key != "ContextMenu" && (key != "F10" || !e.Get("shiftKey").Truthy()) {
				return
			}
			active := document.Get("activeElement")
			if thing := of(active); thing.Truthy() {
				e.Call("preventDefault")
				e.Call("stopPropagation")
				b := active.Call("getBoundingClientRect")
				ask(thing, b.Get("left").Float()+b.Get("width").Float()/2, b.Get("top").Float()+b.Get("height").Float()/2)
			}
		}),
		on(document, "pointerdown", nil, func(e js.Value) {
			drop(e)
			opened = false
			if thing := of(e.Get("target")); thing.Truthy() && e.Get("pointerType").String() == "touch" && e.Get("isPrimary").Truthy() {
				held, x, y = thing, e.Get("clientX").Float(), e.Get("clientY").Float()
				timer = window.Call("setTimeout", rests, holdTime).Int()
			}
		}),
		on(document, "pointermove", nil, func(e js.Value) {
			if timer != 0 && math.Hypot(e.Get("clientX").Float()-x, e.Get("clientY").Float()-y) > holdReach {
				drop(e)
			}
		}),
		on(document, "pointerup", nil, drop),
		on(document, "pointercancel", nil, drop),
		on(document, "click", map[string]any{"capture": true}, func(e js.Value) {
			if opened {
				opened = false
				e.Call("preventDefault")
				e.Call("stopPropagation")
			}
		}),
		rests.Release,
	})
}
