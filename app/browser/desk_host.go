//go:build !js || !wasm

package browser

import "context"

// OnMarquee never calls f.
func OnMarquee(string, func(Marquee)) (release func()) { return nothing }

// FocusedID is always empty.
func FocusedID() string { return "" }

// Pointed is false: there is no pointer.
func Pointed(string) bool { return false }

// PixelRatio is that of a common screen.
func PixelRatio() float64 { return 1 }

// Attended is false: nobody is there.
func Attended(string) bool { return false }

// Download saves nothing.
func Download(string) {}

// CopyImage needs a page.
func CopyImage(context.Context, string) error { return ErrNoBrowser }

// ToggleFullScreen does nothing.
func ToggleFullScreen(string) {}

// Hidden is false.
func Hidden() bool { return false }

// Chime is silent.
func Chime() {}

// AskToNotify is always refused.
func AskToNotify(context.Context) bool { return false }

// Notify does nothing.
func Notify(title, text, tag, address string) {}

// OnNotice never calls f.
func OnNotice(func(address string)) (release func()) { return func() {} }

// OnBlur never calls f.
func OnBlur(func()) (release func()) { return nothing }
