//go:build js && wasm

package browser

import (
	"strconv"
	"syscall/js"
	"time"
)

func element(id string) js.Value {
	return js.Global().Get("document").Call("getElementById", id)
}

func box(element js.Value) Box {
	r := element.Call("getBoundingClientRect")
	return Box{r.Get("left").Float(), r.Get("top").Float(), r.Get("width").Float(), r.Get("height").Float()}
}

// BoxOf is where the element with the given id is; the zero Box when there is none.
func BoxOf(id string) Box {
	if e := element(id); e.Truthy() {
		return box(e)
	}
	return Box{}
}

// SetStyle sets one style property of an element without a render: for things that follow the pointer.
func SetStyle(id, property, value string) {
	if e := element(id); e.Truthy() {
		e.Get("style").Call("setProperty", property, value)
	}
}

// SetText sets the text of an element that has nothing but text, without a render.
func SetText(id, text string) {
	if e := element(id); e.Truthy() && e.Get("firstChild").Truthy() {
		e.Get("firstChild").Set("nodeValue", text)
	}
}

// SetAttribute sets an attribute of an element without a render.
func SetAttribute(id, name, value string) {
	if e := element(id); e.Truthy() {
		e.Call("setAttribute", name, value)
	}
}

// SetValue sets what a field shows. A rendered empty value does not clear a field that was typed in.
func SetValue(id, value string) {
	if e := element(id); e.Truthy() && e.Get("value").String() != value {
		e.Set("value", value)
	}
}

// Value is what a field shows.
func Value(id string) string {
	if e := element(id); e.Truthy() {
		return e.Get("value").String()
	}
	return ""
}

// Focus moves the focus to an element, without scrolling to it.
func Focus(id string) {
	if e := element(id); e.Truthy() {
		e.Call("focus", map[string]any{"preventScroll": true})
	}
}

// MoveFocus moves the focus from one of the elements a selector names to the one so many places on, and says whether the
// focus was on one of them.
func MoveFocus(selector string, by int) bool {
	document := js.Global().Get("document")
	active, list := document.Get("activeElement"), document.Call("querySelectorAll", selector)
	for i := range list.Length() {
		if !list.Index(i).Equal(active) {
			continue
		}
		if to := i + by; to >= 0 && to < list.Length() {
			list.Index(to).Call("focus")
		}
		return true
	}
	return false
}

// Reveal scrolls the field of the form that an element belongs to into view, with what is said below it. With focus, the
// element gets that, or the first of what it holds that can have it.
func Reveal(id string, focus bool) {
	e := element(id)
	if !e.Truthy() {
		return
	}
	if focus {
		const controls = ":is(input,select,textarea,button):enabled"
		control := e
		if !e.Call("matches", controls).Bool() {
			control = e.Call("querySelector", controls)
		}
		if control.Truthy() {
			control.Call("focus", map[string]any{"preventScroll": true})
		}
	}
	if field := e.Call("closest", ".field"); field.Truthy() {
		e = field
	}
	e.Call("scrollIntoView", map[string]any{"block": "nearest", "inline": "nearest"})
}

// Touched says that fingers are what points here: a box that gets the focus then brings a keyboard over half of the screen.
func Touched() bool { return js.Global().Call("matchMedia", "(pointer:coarse)").Get("matches").Bool() }

// ScrollTo sets how far an element is scrolled, in CSS pixels.
func ScrollTo(id string, top float64) {
	if e := element(id); e.Truthy() {
		e.Set("scrollTop", top)
	}
}

// Click presses an element: how a button opens the file picker of a hidden input.
func Click(id string) {
	if e := element(id); e.Truthy() {
		e.Call("click")
	}
}

// OpenModal opens a dialog element above everything; the browser then keeps the focus inside it.
func OpenModal(id string) {
	if e := element(id); e.Truthy() && !e.Get("open").Truthy() {
		e.Call("showModal")
	}
}

// CloseModal closes a dialog element; the focus goes back to where it was, and the screen is no longer full of it.
func CloseModal(id string) {
	if e := element(id); e.Truthy() && e.Get("open").Truthy() {
		document := js.Global().Get("document")
		if full := document.Get("fullscreenElement"); full.Truthy() && e.Call("contains", full).Bool() {
			document.Call("exitFullscreen").Call("then", ignore, ignore)
		}
		e.Call("close")
	}
}

// OnCancel calls f when the user asks to close a dialog element with Escape.
func OnCancel(id string, f func()) (release func()) {
	e := element(id)
	if !e.Truthy() {
		return func() {}
	}
	return on(e, "cancel", nil, func(event js.Value) {
		event.Call("preventDefault")
		f()
	})
}

// Root sets a data attribute of the document itself: theme, canvas grey.
func Root(name, value string) {
	root := js.Global().Get("document").Get("documentElement")
	if value == "" {
		root.Call("removeAttribute", "data-"+name)
		return
	}
	root.Call("setAttribute", "data-"+name, value)
}

// RootLength sets a length the styles of the document go by, in CSS pixels; 0 takes it away.
func RootLength(name string, px int) {
	style := js.Global().Get("document").Get("documentElement").Get("style")
	if px == 0 {
		style.Call("removeProperty", "--"+name)
		return
	}
	style.Call("setProperty", "--"+name, strconv.Itoa(px)+"px")
}

// SetTitle names the tab.
func SetTitle(title string) { js.Global().Get("document").Set("title", title) }

// Fragment is what follows # in the address, without it.
func Fragment() string {
	hash := js.Global().Get("location").Get("hash").String()
	if hash == "" {
		return ""
	}
	return hash[1:]
}

// ReplaceURL changes the address without going anywhere and without a new entry in the history.
func ReplaceURL(path string) {
	history := js.Global().Get("history")
	history.Call("replaceState", history.Get("state"), "", path)
}

// PushURL changes the address with a new entry in the history. One that is opened can be taken back with StepBack.
func PushURL(path string, opened bool) {
	js.Global().Get("history").Call("pushState", map[string]any{"opened": opened}, "", path)
}

// StepBack goes back from an entry of the history that was opened, which OnPop hears; it says whether it is one.
func StepBack() bool {
	history := js.Global().Get("history")
	state := history.Get("state")
	if !state.Truthy() || !state.Get("opened").Truthy() {
		return false
	}
	history.Call("back")
	return true
}

// OnPop calls f when the browser went back or forward in the history of the page.
func OnPop(f func()) (release func()) {
	return on(js.Global(), "popstate", nil, func(js.Value) { f() })
}

// Address is the address of the page, from its path on, with another fragment, "" for none.
func Address(fragment string) string {
	location := js.Global().Get("location")
	address := location.Get("pathname").String() + location.Get("search").String()
	if fragment != "" {
		address += "#" + fragment
	}
	return address
}

// Origin is where the page came from: scheme, host and port.
func Origin() string { return js.Global().Get("location").Get("origin").String() }

// Reload loads the page again.
func Reload() { js.Global().Get("location").Call("reload") }

// SocketURL is the ws or wss address of a path on the server the page came from.
func SocketURL(path string) string {
	location := js.Global().Get("location")
	scheme := "ws://"
	if location.Get("protocol").String() == "https:" {
		scheme = "wss://"
	}
	return scheme + location.Get("host").String() + path
}

// unseen is after how long Frame no longer waits for a drawing, ms: a page in the background draws nothing.
const unseen = 250

// Frame calls f before the next drawing, or soon where nothing is drawn.
func Frame(f func()) {
	var callback js.Func
	var frame, timer js.Value
	window := js.Global()
	callback = js.FuncOf(func(js.Value, []js.Value) any {
		defer Guard()
		window.Call("cancelAnimationFrame", frame)
		window.Call("clearTimeout", timer)
		callback.Release()
		f()
		return nil
	})
	frame, timer = window.Call("requestAnimationFrame", callback), window.Call("setTimeout", callback, unseen)
}

// Mark leaves a mark on the browser's performance timeline.
func Mark(name string) { js.Global().Get("performance").Call("mark", name) }

// Mac says whether the keyboard has a Cmd key.
func Mac() bool {
	platform := js.Global().Get("navigator").Get("platform")
	return platform.Type() == js.TypeString && len(platform.String()) >= 3 && platform.String()[:3] == "Mac"
}

// Copy puts text on the clipboard.
func Copy(text string) {
	if clipboard := js.Global().Get("navigator").Get("clipboard"); clipboard.Truthy() {
		clipboard.Call("writeText", text)
	}
}

// Zone is the time zone of the user, with the offset that was in force at each moment.
func Zone() *time.Location {
	date := js.Global().Get("Date")
	name := js.Global().Get("Intl").Get("DateTimeFormat").New().Call("resolvedOptions").Get("timeZone")
	if name.Type() != js.TypeString {
		name = js.ValueOf("UTC")
	}
	return zoneOf(name.String(), time.Now(), func(t time.Time) int {
		return -60 * date.New(t.UnixMilli()).Call("getTimezoneOffset").Int()
	})
}
