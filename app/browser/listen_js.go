//go:build js && wasm

package browser

import (
	"math"
	"syscall/js"
)

// on adds a listener that survives a panic in f: the page is told, and the program goes on.
func on(target js.Value, event string, options map[string]any, f func(js.Value)) (release func()) {
	listener := js.FuncOf(func(_ js.Value, args []js.Value) any {
		defer Guard()
		if len(args) > 0 {
			f(args[0])
		}
		return nil
	})
	if options == nil {
		options = map[string]any{}
	}
	target.Call("addEventListener", event, listener, options)
	return func() {
		target.Call("removeEventListener", event, listener, options)
		listener.Release()
	}
}

// Guard recovers a panic and shows the reload notice of boot.js. Deferred in every listener and goroutine of ours.
func Guard() {
	if p := recover(); p != nil {
		report(p)
	}
}

func report(p any) {
	message := "unknown"
	switch p := p.(type) {
	case error:
		message = p.Error()
	case string:
		message = p
	}
	js.Global().Get("console").Call("error", "atelier: "+message)
	if show := js.Global().Get("atelierBroken"); show.Type() == js.TypeFunction {
		show.Invoke(message)
	}
}

func joined(releases []func()) func() {
	return func() {
		for _, release := range releases {
			release()
		}
	}
}

// OnKey calls f for every key pressed or released in the page. When f answers true the key does nothing else.
func OnKey(f func(Key) bool) (release func()) {
	handle := func(up bool) func(js.Value) {
		return func(e js.Value) {
			if e.Get("isComposing").Truthy() {
				return
			}
			key := Key{
				Key: e.Get("key").String(), Code: e.Get("code").String(), Up: up,
				Ctrl:  e.Get("ctrlKey").Truthy() || e.Get("metaKey").Truthy(),
				Shift: e.Get("shiftKey").Truthy(), Alt: e.Get("altKey").Truthy(), Repeat: e.Get("repeat").Truthy(),
			}
			key.Typing, key.Button, key.Range = focused(e.Get("target"))
			if f(key) {
				e.Call("preventDefault")
			}
		}
	}
	return joined([]func(){
		on(js.Global(), "keydown", nil, handle(false)),
		on(js.Global(), "keyup", nil, handle(true)),
	})
}

// focused says whether the element takes text, whether it answers to Space and Enter itself, and whether to the arrow keys; see Key.
func focused(target js.Value) (typing, button, ranged bool) {
	if !target.Truthy() || target.Get("tagName").Type() != js.TypeString {
		return false, false, false
	}
	byKeys := target.Call("matches", ":focus-visible").Bool()
	switch target.Get("tagName").String() {
	case "TEXTAREA":
		return true, false, false
	case "SELECT":
		return true, true, false
	case "INPUT":
		switch kind := target.Get("type").String(); kind {
		case "range", "checkbox", "radio", "color", "file", "button":
			return false, byKeys, byKeys && kind == "range"
		}
		return true, false, false
	case "BUTTON", "A", "SUMMARY":
		return false, byKeys, false
	}
	return target.Get("isContentEditable").Truthy(), false, false
}

// OnPointer calls f for every pointer event on the element with the given id. A pointer that goes down is captured, so
// a stroke that leaves the element goes on.
func OnPointer(id string, f func(Pointer)) (release func()) {
	element := element(id)
	if !element.Truthy() {
		return func() {}
	}
	handle := func(kind PointerKind) func(js.Value) {
		return func(e js.Value) {
			by := e.Get("pointerType").String()
			pointer := Pointer{
				Kind: kind, ID: e.Get("pointerId").Int(), Touch: by == "touch", Pen: by == "pen",
				Button: e.Get("button").Int(), Shift: e.Get("shiftKey").Truthy(), Alt: e.Get("altKey").Truthy(),
				Ctrl: e.Get("ctrlKey").Truthy() || e.Get("metaKey").Truthy(),
			}
			if pointer.Pen {
				const rubber = 32 // of buttons
				pointer.Rubber = pointer.Button == 5 || e.Get("buttons").Int()&rubber != 0
				pointer.Tilt = tilt(e)
			}
			if kind == PointerDown {
				if target := e.Get("target"); target.Truthy() && target.Call("closest", "button,a,input,label,[data-over]").Truthy() {
					return // a control that floats over the stage
				}
				element.Call("setPointerCapture", pointer.ID)
				e.Call("preventDefault")                           // no text selection, no drag of the picture
				element.Call("setAttribute", "data-by", "pointer") // no focus ring while painting
				element.Call("focus", map[string]any{"preventScroll": true})
			}
			pointer.Points, pointer.Press = points(element, e, kind == PointerMove, pointer.Pen)
			f(pointer)
		}
	}
	return joined([]func(){
		on(element, "pointerdown", nil, handle(PointerDown)),
		on(element, "pointermove", nil, handle(PointerMove)),
		on(element, "pointerup", nil, handle(PointerUp)),
		on(element, "pointercancel", nil, handle(PointerCancel)),
		on(element, "pointerleave", nil, handle(PointerLeave)),
		on(element, "blur", nil, func(js.Value) { element.Call("removeAttribute", "data-by") }),
		on(element, "contextmenu", nil, func(e js.Value) { e.Call("preventDefault") }),
	})
}

// tilt is how far a pen leans, in degrees from upright.
func tilt(e js.Value) float64 {
	x, y := e.Get("tiltX"), e.Get("tiltY")
	if x.Type() != js.TypeNumber || y.Type() != js.TypeNumber {
		return 0
	}
	return math.Min(math.Hypot(x.Float(), y.Float()), 90)
}

// points reads the places of an event, and how hard a pen presses there. Merged events have no target, so their offsetX would
// be relative to the page: the window's coordinates minus the element's corner are right for all of them.
func points(element, e js.Value, merged, pen bool) (places []Point, press []float64) {
	box := element.Call("getBoundingClientRect")
	left, top := box.Get("left").Float(), box.Get("top").Float()
	add := func(e js.Value) {
		places = append(places, Point{e.Get("clientX").Float() - left, e.Get("clientY").Float() - top})
		if pen {
			press = append(press, e.Get("pressure").Float())
		}
	}
	if merged && e.Get("getCoalescedEvents").Type() == js.TypeFunction {
		events := e.Call("getCoalescedEvents")
		if n := events.Length(); n > 1 {
			for i := range n {
				add(events.Index(i))
			}
			return places, press
		}
	}
	add(e)
	return places, press
}

// OnWheel calls f for every turn of the wheel on the element, which then does not scroll.
func OnWheel(id string, f func(Wheel)) (release func()) {
	element := element(id)
	if !element.Truthy() {
		return func() {}
	}
	return on(element, "wheel", map[string]any{"passive": false}, func(e js.Value) {
		e.Call("preventDefault")
		at, _ := points(element, e, false, false)
		unit := 1.0
		switch e.Get("deltaMode").Int() {
		case 1:
			unit = 16 // lines
		case 2:
			unit = 400 // pages
		}
		f(Wheel{
			At: at[0],
			DX: e.Get("deltaX").Float() * unit, DY: e.Get("deltaY").Float() * unit,
			Zoom: e.Get("ctrlKey").Truthy() || e.Get("metaKey").Truthy(),
		})
	})
}

// slotOf is the file field an event belongs to, "" when it is none: the nearest element around it that says so.
func slotOf(target js.Value) string {
	if !target.Truthy() || target.Get("closest").Type() != js.TypeFunction {
		return ""
	}
	field := target.Call("closest", "[data-slot]")
	if !field.Truthy() {
		return ""
	}
	return field.Call("getAttribute", "data-slot").String()
}

// pastesText reports whether the browser pastes text by itself: a spreadsheet's cell is on the clipboard as text and as a picture, and a field
// takes the text.
func pastesText(target, data js.Value) bool {
	typing, _, _ := focused(target)
	return typing && data.Call("getData", "text/plain").String() != ""
}

// OnPaste calls f when files are pasted into the page; slot is the file field that has the focus, "" for none.
func OnPaste(f func(slot string, files []File)) (release func()) {
	return on(js.Global(), "paste", nil, func(e js.Value) {
		data := e.Get("clipboardData")
		if !data.Truthy() || pastesText(e.Get("target"), data) {
			return
		}
		if files := fileList(data.Get("files")); len(files) > 0 {
			e.Call("preventDefault")
			f(slotOf(e.Get("target")), files)
		}
	})
}

// OnResize calls f when the element changes its size, and once at the start.
func OnResize(id string, f func(Box)) (release func()) {
	element := element(id)
	if !element.Truthy() {
		return func() {}
	}
	listener := js.FuncOf(func(js.Value, []js.Value) any {
		defer Guard()
		f(box(element))
		return nil
	})
	observer := js.Global().Get("ResizeObserver").New(listener)
	observer.Call("observe", element)
	return func() {
		observer.Call("disconnect")
		listener.Release()
	}
}

// OnScroll calls f with how far the element is scrolled, in CSS pixels.
func OnScroll(id string, f func(top float64)) (release func()) {
	element := element(id)
	if !element.Truthy() {
		return func() {}
	}
	return on(element, "scroll", map[string]any{"passive": true}, func(js.Value) {
		f(element.Get("scrollTop").Float())
	})
}

// OnVisible calls f when the page becomes visible or the connection comes back.
func OnVisible(f func()) (release func()) {
	return joined([]func(){
		on(js.Global(), "online", nil, func(js.Value) { f() }),
		on(js.Global().Get("document"), "visibilitychange", nil, func(js.Value) {
			if js.Global().Get("document").Get("visibilityState").String() == "visible" {
				f()
			}
		}),
	})
}

// OnHide calls f when the page is about to go away: the last moment to save something.
func OnHide(f func()) (release func()) {
	return on(js.Global(), "pagehide", nil, func(js.Value) { f() })
}
