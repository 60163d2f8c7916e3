//go:build js && wasm

package browser

import "syscall/js"

// Dial opens a websocket. The callbacks run one after the other; closed is called exactly once, also when the
// connection never came up. The returned function closes it.
func Dial(url string, message func(string), opened, closed func()) (hangUp func()) {
	socket := js.Global().Get("WebSocket").New(url)
	var releases []func()
	releases = []func(){
		on(socket, "open", nil, func(js.Value) { opened() }),
		on(socket, "message", nil, func(e js.Value) {
			if data := e.Get("data"); data.Type() == js.TypeString {
				message(data.String())
			}
		}),
		on(socket, "close", nil, func(js.Value) {
			joined(releases)()
			closed()
		}),
	}
	return func() { socket.Call("close", 1000) }
}
