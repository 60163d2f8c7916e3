//go:build js && wasm

package browser

import (
	"context"
	"errors"
	"image"
	"io"
	"syscall/js"
)

// handle is the browser's own File.
type handle struct{ js.Value }

func newFile(v js.Value) File {
	return File{
		Name: v.Get("name").String(), Size: int64(v.Get("size").Float()), Type: v.Get("type").String(),
		handle: handle{v},
	}
}

func fileList(list js.Value) []File {
	if !list.Truthy() {
		return nil
	}
	files := make([]File, 0, list.Length())
	for i := range list.Length() {
		files = append(files, newFile(list.Index(i)))
	}
	return files
}

// TakeFiles reads what was picked in a file input and empties it, so that picking the same file again is noticed.
func TakeFiles(inputID string) []File {
	input := element(inputID)
	if !input.Truthy() {
		return nil
	}
	files := fileList(input.Get("files"))
	input.Set("value", "")
	return files
}

// NewFile makes a file of the given content.
func NewFile(name string, content []byte) File {
	parts := js.Global().Get("Array").New(1)
	parts.SetIndex(0, bytesToJS(content))
	return newFile(js.Global().Get("File").New(parts, name))
}

// With is the file with other content.
func (f File) With(content []byte) File {
	out := NewFile(f.Name, content)
	out.Type = f.Type
	return out
}

// Patched is the file with other bytes from a place on, as long as it was.
func (f File) Patched(at int64, content []byte) File {
	parts := js.Global().Get("Array").New(3)
	parts.SetIndex(0, f.Call("slice", 0, float64(at)))
	parts.SetIndex(1, bytesToJS(content))
	parts.SetIndex(2, f.Call("slice", float64(at+int64(len(content)))))
	out := newFile(js.Global().Get("File").New(parts, f.Name))
	out.Type = f.Type
	return out
}

// Head reads the first n bytes of the file, or all of a shorter one.
func (f File) Head(ctx context.Context, n int) ([]byte, error) {
	buffer, err := await(ctx, f.Call("slice", 0, n).Call("arrayBuffer"))
	if err != nil {
		return nil, err
	}
	return bytesFromJS(buffer), nil
}

// ReadAt implements io.ReaderAt. It waits for the browser: never call it on the UI goroutine.
func (f File) ReadAt(p []byte, off int64) (int, error) {
	buffer, err := await(context.Background(), f.Call("slice", float64(off), float64(off)+float64(len(p))).Call("arrayBuffer"))
	if err != nil {
		return 0, err
	}
	n := copy(p, bytesFromJS(buffer))
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// FetchFile reads a file of the server; its bytes stay with the browser.
func FetchFile(ctx context.Context, path, name string) (File, error) {
	answer, err := await(ctx, js.Global().Call("fetch", path, map[string]any{"credentials": "same-origin"}))
	if err != nil {
		return File{}, lost(ctx, err)
	}
	if !answer.Get("ok").Truthy() {
		return File{}, ErrOffline
	}
	blob, err := await(ctx, answer.Call("blob"))
	if err != nil {
		return File{}, lost(ctx, err)
	}
	return newFile(js.Global().Get("File").New([]any{blob}, name, map[string]any{"type": blob.Get("type")})), nil
}

// Alpha reads the opacity of a picture of the server, one byte per pixel, 0 for clear. A picture of another size is an error.
func Alpha(ctx context.Context, path string, size image.Point) ([]byte, error) {
	file, err := FetchFile(ctx, path, "picture")
	if err != nil {
		return nil, err
	}
	return AlphaOf(ctx, file, size)
}

// AlphaOf is Alpha for a file at hand.
func AlphaOf(ctx context.Context, file File, size image.Point) ([]byte, error) {
	out := make([]byte, 0, size.X*size.Y)
	err := file.Pixels(ctx, func(got image.Point) error {
		if got != size {
			return errors.New("browser: a picture of " + got.String() + " in place of " + size.String())
		}
		return nil
	}, func(rgba []byte) {
		for i := 3; i < len(rgba); i += 4 {
			out = append(out, rgba[i])
		}
	})
	return out, err
}

// SaveFile saves bytes as a file of the user's.
func SaveFile(name, mediaType string, content []byte) {
	blob := js.Global().Get("Blob").New([]any{bytesToJS(content)}, map[string]any{"type": mediaType})
	url := js.Global().Get("URL").Call("createObjectURL", blob).String()
	link := js.Global().Get("document").Call("createElement", "a")
	link.Set("href", url)
	link.Set("download", name)
	link.Call("click")
	js.Global().Call("setTimeout", js.Global().Get("URL").Get("revokeObjectURL").Call("bind", js.Global().Get("URL"), url), 60_000)
}

// ObjectURL is an address the page can show the file from; RevokeURL frees it.
func (f File) ObjectURL() string {
	return js.Global().Get("URL").Call("createObjectURL", f.Value).String()
}

// RevokeURL frees an address made by ObjectURL.
func RevokeURL(url string) { js.Global().Get("URL").Call("revokeObjectURL", url) }
