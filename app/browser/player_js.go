//go:build js && wasm

package browser

import "syscall/js"

// frameSeconds is taken for the length of a frame until two of them have been seen: a browser does not tell how many a second a
// video has.
const frameSeconds = 0.04

// WatchFrames measures how long a frame of a video lasts while it plays, for StepFrame.
func WatchFrames(id string) {
	e := element(id)
	if !e.Truthy() || e.Get("requestVideoFrameCallback").Type() != js.TypeFunction {
		return
	}
	watched, shown := e.Get("watched"), e.Get("src")
	if watched.Truthy() && watched.String() == shown.String() {
		return
	}
	e.Set("watched", shown)
	e.Set("frameSeconds", 0)
	if watched.Truthy() {
		return // the callback below goes on, with another video
	}
	last := -1.0
	var seen js.Func
	seen = js.FuncOf(func(_ js.Value, args []js.Value) any {
		defer Guard()
		if !e.Get("isConnected").Truthy() || len(args) < 2 {
			seen.Release()
			return nil
		}
		at := args[1].Get("mediaTime").Float()
		if step := at - last; last >= 0 && step > 0.004 && step < 0.2 {
			if known := e.Get("frameSeconds"); !known.Truthy() || step < known.Float() {
				e.Set("frameSeconds", step)
			}
		}
		last = at
		e.Call("requestVideoFrameCallback", seen)
		return nil
	})
	e.Call("requestVideoFrameCallback", seen)
}

// StepFrame stops a video and shows the frame so many frames on.
func StepFrame(id string, by int) {
	e := element(id)
	if !e.Truthy() {
		return
	}
	e.Call("pause")
	length := frameSeconds
	if known := e.Get("frameSeconds"); known.Truthy() {
		length = known.Float()
	}
	e.Set("currentTime", max(e.Get("currentTime").Float()+float64(by)*length, 0))
}

// Mute switches the sound of a video off or on.
func Mute(id string) {
	if e := element(id); e.Truthy() {
		e.Set("muted", !e.Get("muted").Truthy())
	}
}
