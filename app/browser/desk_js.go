//go:build js && wasm

package browser

import (
	"context"
	"syscall/js"
)

// FocusedID is the id of the element that has the focus, "" when it has none.
func FocusedID() string {
	if e := js.Global().Get("document").Get("activeElement"); e.Truthy() {
		return e.Get("id").String()
	}
	return ""
}

// Pointed says whether the pointer is over the element.
func Pointed(id string) bool {
	e := element(id)
	return e.Truthy() && e.Call("matches", ":hover").Truthy()
}

// PixelRatio is how many pixels of the screen make up a CSS px.
func PixelRatio() float64 {
	if ratio := js.Global().Get("devicePixelRatio").Float(); ratio > 0 {
		return ratio
	}
	return 1
}

// Attended says whether the pointer is over an element of the class, or the focus in one.
func Attended(class string) bool {
	return js.Global().Get("document").Call("querySelector", "."+class+":is(:hover,:focus-within)").Truthy()
}

// Download saves what an address of the server answers with as a file.
func Download(address string) {
	document := js.Global().Get("document")
	link := document.Call("createElement", "a")
	link.Set("href", address)
	link.Set("download", "")
	document.Get("body").Call("append", link)
	link.Call("click")
	link.Call("remove")
}

// CopyImage puts the PNG at an address of the server on the clipboard. It must begin within an event of the user's.
func CopyImage(ctx context.Context, address string) error {
	clipboard := js.Global().Get("navigator").Get("clipboard")
	item := js.Global().Get("ClipboardItem")
	if !clipboard.Truthy() || !item.Truthy() {
		return ErrNoBrowser
	}
	toBlob := js.FuncOf(func(_ js.Value, args []js.Value) any { return args[0].Call("blob") })
	defer toBlob.Release()
	blob := js.Global().Call("fetch", address).Call("then", toBlob)
	items := []any{item.New(map[string]any{"image/png": blob})}
	_, err := await(ctx, clipboard.Call("write", items))
	return err
}

// ToggleFullScreen shows what is in a dialog over the whole screen, or no longer. Browsers refuse it to the dialog itself.
func ToggleFullScreen(dialog string) {
	document := js.Global().Get("document")
	target, method := element(dialog), "requestFullscreen"
	if target.Truthy() {
		target = target.Get("firstElementChild")
	}
	if document.Get("fullscreenElement").Truthy() {
		target, method = document, "exitFullscreen"
	}
	if target.Truthy() && target.Get(method).Type() == js.TypeFunction {
		target.Call(method).Call("then", ignore, ignore)
	}
}

// ignore takes the answer of a promise nobody waits for: the browser may refuse, and says so itself.
var ignore = js.FuncOf(func(js.Value, []js.Value) any { return nil })

// Hidden says whether the page is in the background.
func Hidden() bool {
	return js.Global().Get("document").Get("visibilityState").String() == "hidden"
}

// audio plays the chime; a page has few of them to give away.
var audio js.Value

// Chime plays two short soft notes.
func Chime() {
	class := js.Global().Get("AudioContext")
	if !class.Truthy() {
		return
	}
	if !audio.Truthy() {
		audio = class.New()
	}
	audio.Call("resume").Call("then", ignore, ignore) // it sleeps until the page was touched once
	now := audio.Get("currentTime").Float()
	for i, pitch := range []float64{659.3, 880} {
		at := now + float64(i)*.16
		note, volume := audio.Call("createOscillator"), audio.Call("createGain")
		note.Set("type", "sine")
		note.Get("frequency").Set("value", pitch)
		level := volume.Get("gain")
		level.Call("setValueAtTime", 0.0001, at)
		level.Call("exponentialRampToValueAtTime", .12, at+.02)
		level.Call("exponentialRampToValueAtTime", 0.0001, at+.5)
		note.Call("connect", volume).Call("connect", audio.Get("destination"))
		note.Call("start", at)
		note.Call("stop", at+.55)
	}
}

// AskToNotify asks whether notices of the system may be shown; it answers whether they may.
func AskToNotify(ctx context.Context) bool {
	class := js.Global().Get("Notification")
	if !class.Truthy() {
		return false
	}
	answer, err := await(ctx, class.Call("requestPermission"))
	return err == nil && answer.String() == "granted"
}

// Notify shows a notice of the system, where that was allowed. It goes through the service worker where there is one: telephones show
// no others, and a click on it comes back to the studio, which OnNotice hears. Of several with the same tag the last one stands, and
// only the first makes itself heard. address is where a click leads when no window of the studio is open.
func Notify(title, text, tag, address string) {
	class := js.Global().Get("Notification")
	if !class.Truthy() || class.Get("permission").String() != "granted" {
		return
	}
	go func() {
		defer Guard()
		defer func() {
			_ = recover() // the browser would not: the title of the tab says it all the same
		}()
		options := map[string]any{"body": text, "tag": tag, "icon": "/web/icons/icon-192.png", "data": map[string]any{"open": address}}
		if workers := js.Global().Get("navigator").Get("serviceWorker"); workers.Truthy() {
			if r, err := await(context.Background(), workers.Call("getRegistration")); err == nil && r.Truthy() {
				r.Call("showNotification", title, options).Call("then", ignore, ignore)
				return
			}
		}
		class.New(title, options)
	}()
}

// OnNotice calls f with the address of a notice that was clicked.
func OnNotice(f func(address string)) (release func()) {
	workers := js.Global().Get("navigator").Get("serviceWorker")
	if !workers.Truthy() {
		return func() {}
	}
	return on(workers, "message", nil, func(event js.Value) {
		if data := event.Get("data"); data.Type() == js.TypeObject && data.Get("open").Type() == js.TypeString {
			f(data.Get("open").String())
		}
	})
}

// OnBlur calls f when the window loses the keyboard: the release of a key that is held is not heard.
func OnBlur(f func()) (release func()) {
	return on(js.Global(), "blur", nil, func(js.Value) { f() })
}
