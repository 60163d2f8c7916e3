//go:build js && wasm

package browser

import "syscall/js"

// Slices calls step again and again until it answers false; in between the page draws and hears its user.
func Slices(step func() bool) {
	channel := js.Global().Get("MessageChannel").New()
	var turn js.Func
	turn = js.FuncOf(func(js.Value, []js.Value) any {
		more := false
		defer func() {
			if !more {
				channel.Get("port1").Call("close")
				turn.Release()
			}
		}()
		defer Guard()
		if more = step(); more {
			channel.Get("port2").Call("postMessage", 0)
		}
		return nil
	})
	channel.Get("port1").Set("onmessage", turn)
	channel.Get("port2").Call("postMessage", 0)
}
