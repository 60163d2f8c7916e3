//go:build js && wasm

package browser

import (
	"context"
	"errors"
	"image"
	"syscall/js"
)

// Pause lets the browser have its turn: events, frames. It must not be called on the page's own goroutine.
func Pause(ctx context.Context) error {
	turn := make(chan struct{}, 1)
	Slices(func() bool {
		turn <- struct{}{}
		return false
	})
	<-turn
	return ctx.Err()
}

// Pixels reads a picture of the server as RGBA, scaled to size. Each is called with some rows after the other, from the top, and must
// not keep them; the page stays free in between.
func Pixels(ctx context.Context, path string, size image.Point, each func(rgba []byte)) error {
	file, err := FetchFile(ctx, path, "picture")
	if err != nil {
		return err
	}
	bitmap, err := await(ctx, js.Global().Call("createImageBitmap", file.Value))
	if err != nil {
		return err
	}
	if bitmap.Get("width").Int() == size.X && bitmap.Get("height").Int() == size.Y {
		return readBitmap(ctx, bitmap, each)
	}
	defer bitmap.Call("close")
	scaled, err := await(ctx, js.Global().Call("createImageBitmap", bitmap,
		map[string]any{"resizeWidth": size.X, "resizeHeight": size.Y, "resizeQuality": "medium"}))
	if err != nil {
		return err
	}
	return readBitmap(ctx, scaled, each)
}

// Pixels reads a picture as RGBA at its own size: begin is told the size first and may refuse it, each is called as in the function
// Pixels.
func (f File) Pixels(ctx context.Context, begin func(size image.Point) error, each func(rgba []byte)) error {
	bitmap, err := await(ctx, js.Global().Call("createImageBitmap", f.Value))
	if err != nil {
		return errors.New("browser: not a picture it can read")
	}
	if err := begin(image.Pt(bitmap.Get("width").Int(), bitmap.Get("height").Int())); err != nil {
		bitmap.Call("close")
		return err
	}
	return readBitmap(ctx, bitmap, each)
}

// readBitmap reads and closes a bitmap.
func readBitmap(ctx context.Context, bitmap js.Value, each func(rgba []byte)) error {
	defer bitmap.Call("close")
	w, h := bitmap.Get("width").Int(), bitmap.Get("height").Int()
	canvas := js.Global().Get("document").Call("createElement", "canvas")
	canvas.Set("width", w)
	canvas.Set("height", bandRows)
	c := canvas.Call("getContext", "2d", map[string]any{"willReadFrequently": true})
	rgba := make([]byte, 4*w*bandRows)
	for y := 0; y < h; y += bandRows {
		rows := min(bandRows, h-y)
		c.Call("clearRect", 0, 0, w, bandRows)
		c.Call("drawImage", bitmap, 0, -y)
		each(rgba[:js.CopyBytesToGo(rgba, c.Call("getImageData", 0, 0, w, rows).Get("data"))])
		if err := Pause(ctx); err != nil {
			return err
		}
	}
	return nil
}

// bandRows is how many rows are read at a time: the page stays free in between, and little memory is held.
const bandRows = 256
