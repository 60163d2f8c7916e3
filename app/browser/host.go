//go:build !js || !wasm

package browser

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"image"
	"time"
)

// handle stands for the browser's own file object; on the host it is the content itself, for tests.
type handle struct{ Content []byte }

// Fetch needs a page.
func Fetch(context.Context, Request) (Response, error) { return Response{}, ErrNoBrowser }

// Upload needs a page.
func Upload(context.Context, string, map[string]string, File, func(sent, total int64)) (Response, error) {
	return Response{}, ErrNoBrowser
}

// Guard lets a panic through: on the host it is a bug a test should see.
func Guard() {}

// OnKey never calls f.
func OnKey(func(Key) bool) (release func()) { return nothing }

// OnMenu does nothing outside of a browser.
func OnMenu(func(MenuAsk)) (release func()) { return nothing }

// Rove needs a page.
func Rove() (release func()) { return nothing }

// OnPointer never calls f.
func OnPointer(string, func(Pointer)) (release func()) { return nothing }

// OnWheel never calls f.
func OnWheel(string, func(Wheel)) (release func()) { return nothing }

// OnPaste never calls f.
func OnPaste(func(slot string, files []File)) (release func()) { return nothing }

// OnSort never calls f.
func OnSort(func(list string, from, to int)) (release func()) { return nothing }

// OnResize never calls f.
func OnResize(string, func(Box)) (release func()) { return nothing }

// OnScroll never calls f.
func OnScroll(string, func(top float64)) (release func()) { return nothing }

// OnVisible never calls f.
func OnVisible(func()) (release func()) { return nothing }

// OnHide never calls f.
func OnHide(func()) (release func()) { return nothing }

// OnCancel never calls f.
func OnCancel(string, func()) (release func()) { return nothing }

func nothing() {}

// BoxOf knows no elements.
func BoxOf(string) Box { return Box{} }

// SetStyle does nothing.
func SetStyle(id, property, value string) {}

// SetText does nothing.
func SetText(id, text string) {}

// SetAttribute does nothing.
func SetAttribute(id, name, value string) {}

// SetValue does nothing.
func SetValue(id, value string) {}

// Value is always empty.
func Value(string) string { return "" }

// Focus does nothing.
func Focus(string) {}

// MoveFocus finds no focus.
func MoveFocus(string, int) bool { return false }

// Reveal does nothing.
func Reveal(string, bool) {}

// Touched is false: there is nothing to point at.
func Touched() bool { return false }

// ScrollTo does nothing.
func ScrollTo(string, float64) {}

// Click does nothing.
func Click(string) {}

// OpenModal does nothing.
func OpenModal(string) {}

// CloseModal does nothing.
func CloseModal(string) {}

// Root does nothing.
func Root(name, value string) {}

// RootLength does nothing.
func RootLength(name string, px int) {}

// SetTitle does nothing.
func SetTitle(string) {}

// Fragment is always empty.
func Fragment() string { return "" }

// ReplaceURL does nothing.
func ReplaceURL(string) {}

// PushURL does nothing.
func PushURL(path string, opened bool) {}

// StepBack has nowhere to go.
func StepBack() bool { return false }

// OnPop never calls f.
func OnPop(func()) (release func()) { return nothing }

// Address is always empty.
func Address(string) string { return "" }

// Origin is always empty.
func Origin() string { return "" }

// Reload does nothing.
func Reload() {}

// SocketURL is the path itself.
func SocketURL(path string) string { return path }

// Frame calls f at once.
func Frame(f func()) { f() }

// Mark does nothing.
func Mark(string) {}

// Mac is false.
func Mac() bool { return false }

// Copy does nothing.
func Copy(string) {}

// Zone is UTC.
func Zone() *time.Location { return time.UTC }

// TakeFiles has none.
func TakeFiles(string) []File { return nil }

// NewFile makes a file of the given content, for tests.
func NewFile(name string, content []byte) File {
	return File{Name: name, Size: int64(len(content)), handle: handle{content}}
}

// With is the file with other content.
func (f File) With(content []byte) File {
	out := NewFile(f.Name, content)
	out.Type = f.Type
	return out
}

// Patched is the file with other bytes from a place on, as long as it was.
func (f File) Patched(at int64, content []byte) File {
	f.Content = bytes.Clone(f.Content)
	copy(f.Content[at:], content)
	return f
}

// Head reads the first n bytes of the file, or all of a shorter one.
func (f File) Head(_ context.Context, n int) ([]byte, error) {
	return f.Content[:min(n, len(f.Content))], nil
}

// ReadAt implements io.ReaderAt.
func (f File) ReadAt(p []byte, off int64) (int, error) {
	return bytes.NewReader(f.Content).ReadAt(p, off)
}

// Measure needs a page.
func (f File) Measure(context.Context) (w, h int, err error) { return 0, 0, ErrUndrawable }

// Redraw needs a page.
func (f File) Redraw(context.Context, string, Redrawing) (File, error) { return File{}, ErrUndrawable }

// SHA256 is the hash of the file in hex.
func (f File) SHA256(context.Context) (string, error) {
	sum := sha256.Sum256(f.Content)
	return hex.EncodeToString(sum[:]), nil
}

// FetchFile needs a page.
func FetchFile(context.Context, string, string) (File, error) { return File{}, ErrNoBrowser }

// Alpha needs a page.
func Alpha(context.Context, string, image.Point) ([]byte, error) { return nil, ErrNoBrowser }

// AlphaOf needs a page.
func AlphaOf(context.Context, File, image.Point) ([]byte, error) { return nil, ErrNoBrowser }

// SaveFile does nothing.
func SaveFile(name, mediaType string, content []byte) {}

// Slices calls step until it answers false.
func Slices(step func() bool) {
	for step() {
	}
}

// WatchFrames measures nothing.
func WatchFrames(string) {}

// StepFrame does nothing.
func StepFrame(id string, by int) {}

// Mute does nothing.
func Mute(string) {}

// ObjectURL is empty: there is nothing to show it.
func (f File) ObjectURL() string { return "" }

// RevokeURL does nothing.
func RevokeURL(string) {}

// Dial never opens.
func Dial(_ string, _ func(string), _, _ func()) (hangUp func()) { return nothing }

// Load remembers nothing.
func Load(string) string { return "" }

// Save remembers nothing.
func Save(key, value string) bool { return false }

// Keep needs a page.
func Keep(context.Context, string, []byte) error { return ErrNoBrowser }

// Kept has nothing.
func Kept(context.Context, string) ([]byte, bool, error) { return nil, false, nil }

// Forget needs a page.
func Forget(context.Context, string) error { return ErrNoBrowser }

// KeptKeys has none.
func KeptKeys(context.Context) ([]string, error) { return nil, nil }

// Overlay draws nothing.
type Overlay struct{}

// NewOverlay makes an overlay that draws nothing.
func NewOverlay(string) *Overlay { return &Overlay{} }

// Resize does nothing.
func (*Overlay) Resize(w, h float64) {}

// Stale is never so.
func (*Overlay) Stale() bool { return false }

// Size is none.
func (*Overlay) Size() image.Point { return image.Point{} }

// Ratio is that of a common screen.
func (*Overlay) Ratio() float64 { return 1 }

// Put does nothing.
func (*Overlay) Put([]byte, image.Rectangle) {}

// Draw does nothing.
func (*Overlay) Draw(Scene) {}
