//go:build js && wasm

package browser

import "syscall/js"

const (
	// dragStart is how far the pointer moves before a press becomes a drag, CSS px.
	dragStart = 6
	// edge is how near to the border of the element a drag scrolls it, CSS px. Each frame it goes on by a part of how far the pointer is
	// beyond that, pull, and by no more than stride.
	edge, pull, stride = 36, 3, 60
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
	var x, y, top float64 // the pointer in the window, and how far the element was scrolled when f was called
	pointer := 0
	place := func() Point {
		b := box(e)
		top = e.Get("scrollTop").Float()
		return Point{x - b.X + e.Get("scrollLeft").Float(), y - b.Y + top}
	}
	at := func(event js.Value) { x, y = event.Get("clientX").Float(), event.Get("clientY").Float() }
	// While the pointer is held near the border the element goes on scrolling; what is under the pointer changes with a wheel, too.
	var frame js.Func
	frame = js.FuncOf(func(js.Value, []js.Value) any {
		defer Guard()
		if !drawing {
			return nil
		}
		b := box(e)
		if over := max(y-(b.Y+b.H-edge), 0) - max(b.Y+edge-y, 0); over != 0 {
			e.Call("scrollBy", 0, min(max(over/pull, -stride), stride))
		}
		if e.Get("scrollTop").Float() != top {
			m.To, m.Start = place(), false
			f(m)
		}
		js.Global().Call("requestAnimationFrame", frame)
		return nil
	})
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
		frame.Release,
		on(e, "pointerdown", nil, func(event js.Value) {
			b := box(e)
			onBar := event.Get("clientX").Float()-b.X > e.Get("clientWidth").Float()
			if event.Get("button").Int() != 0 || event.Get("pointerType").String() == "touch" || onBar {
				return
			}
			pressed, pointer = true, event.Get("pointerId").Int()
			at(event)
			m = Marquee{From: place(), Add: event.Get("ctrlKey").Truthy() || event.Get("metaKey").Truthy() || event.Get("shiftKey").Truthy()}
		}),
		on(e, "pointermove", nil, func(event js.Value) {
			if !pressed {
				return
			}
			at(event)
			m.To = place()
			dx, dy := m.To.X-m.From.X, m.To.Y-m.From.Y
			if !drawing && dx*dx+dy*dy < dragStart*dragStart {
				return
			}
			m.Start = !drawing
			if !drawing {
				drawing = true
				e.Call("setPointerCapture", pointer)
				js.Global().Call("requestAnimationFrame", frame)
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
