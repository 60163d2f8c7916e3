//go:build js && wasm

package browser

import (
	"context"
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

// Head reads the first n bytes of the file, or all of a shorter one.
func (f File) Head(ctx context.Context, n int) ([]byte, error) {
	buffer, err := await(ctx, f.Call("slice", 0, n).Call("arrayBuffer"))
	if err != nil {
		return nil, err
	}
	return bytesFromJS(buffer), nil
}

// ObjectURL is an address the page can show the file from; RevokeURL frees it.
func (f File) ObjectURL() string {
	return js.Global().Get("URL").Call("createObjectURL", f.Value).String()
}

// RevokeURL frees an address made by ObjectURL.
func RevokeURL(url string) { js.Global().Get("URL").Call("revokeObjectURL", url) }
