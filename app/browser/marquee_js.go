//go:build js && wasm

package browser

import "syscall/js"

const (
	// dragStart is how far the pointer moves before a press becomes a drag, CSS px.
	dragStart = 6
	// edge is how near to the border of the element a drag scrolls it, and stride how far each time, CSS px.
	edge   = 36
	stride = 24
)

// OnMarquee calls f while a rectangle is drawn over the element with a mouse or pen. A finger scrolls instead. The click
// that would follow the drag is dropped.
func OnMarquee(id string, f func(Marquee)) (release func()) {
	e := element(id)
	if !e.Truthy() {
		return func() {}
	}
	var pressed, drawing, swallow bool
	var m Marquee
	pointer := 0
	place := func(event js.Value) Point {
		b := box(e)
		return Point{event.Get("clientX").Float() - b.X + e.Get("scrollLeft").Float(), event.Get("clientY").Float() - b.Y + e.Get("scrollTop").Float()}
	}
	stop := func(js.Value) {
		if drawing {
			swallow = true
			m.Done, m.Start = true, false
			f(m)
			js.Global().Call("setTimeout", lower(&swallow), 0)
		}
		pressed, drawing = false, false
	}
	return joined([]func(){
		on(e, "pointerdown", nil, func(event js.Value) {
			b := box(e)
			onBar := event.Get("clientX").Float()-b.X > e.Get("clientWidth").Float()
			if event.Get("button").Int() != 0 || event.Get("pointerType").String() == "touch" || onBar {
				return
			}
			pressed, pointer = true, event.Get("pointerId").Int()
			m = Marquee{From: place(event), Add: event.Get("ctrlKey").Truthy() || event.Get("metaKey").Truthy() || event.Get("shiftKey").Truthy()}
		}),
		on(e, "pointermove", nil, func(event js.Value) {
			if !pressed {
				return
			}
			m.To = place(event)
			dx, dy := m.To.X-m.From.X, m.To.Y-m.From.Y
			if !drawing && dx*dx+dy*dy < dragStart*dragStart {
				return
			}
			m.Start = !drawing
			if !drawing {
				drawing = true
				e.Call("setPointerCapture", pointer)
			}
			b := box(e)
			switch y := event.Get("clientY").Float() - b.Y; {
			case y < edge:
				e.Set("scrollTop", e.Get("scrollTop").Float()-stride)
			case y > b.H-edge:
				e.Set("scrollTop", e.Get("scrollTop").Float()+stride)
			}
			f(m)
		}),
		on(e, "pointerup", nil, stop),
		on(e, "pointercancel", nil, stop),
		on(e, "click", map[string]any{"capture": true}, func(event js.Value) {
			if swallow {
				swallow = false
				event.Call("preventDefault")
				event.Call("stopPropagation")
			}
		}),
	})
}

// lower makes a callback that sets a flag to false, once.
func lower(flag *bool) js.Func {
	var f js.Func
	f = js.FuncOf(func(js.Value, []js.Value) any {
		*flag = false
		f.Release()
		return nil
	})
	return f
}
