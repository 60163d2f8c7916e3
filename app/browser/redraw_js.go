//go:build js && wasm

package browser

import (
	"context"
	"encoding/hex"
	"syscall/js"
)

// bitmap decodes a picture, turned as EXIF says and in sRGB. Give it back with close.
func (f File) bitmap(ctx context.Context) (js.Value, error) {
	bitmap, err := await(ctx, js.Global().Call("createImageBitmap", f.Value, map[string]any{"imageOrientation": "from-image"}))
	if err != nil {
		if ctx.Err() != nil {
			return js.Null(), ctx.Err()
		}
		return js.Null(), ErrUndrawable
	}
	return bitmap, nil
}

// Measure is the size of a picture as this browser sees it; ErrUndrawable when it cannot.
func (f File) Measure(ctx context.Context) (w, h int, err error) {
	bitmap, err := f.bitmap(ctx)
	if err != nil {
		return 0, 0, err
	}
	defer bitmap.Call("close")
	return bitmap.Get("width").Int(), bitmap.Get("height").Int(), nil
}

// Redraw draws a picture anew.
func (f File) Redraw(ctx context.Context, name string, r Redrawing) (File, error) {
	bitmap, err := f.bitmap(ctx)
	if err != nil {
		return File{}, err
	}
	defer bitmap.Call("close")
	canvas := js.Global().Get("OffscreenCanvas").New(r.Width, r.Height)
	c := canvas.Call("getContext", "2d", map[string]any{"colorSpace": "srgb"})
	if !c.Truthy() {
		return File{}, ErrUndrawable
	}
	c.Set("imageSmoothingQuality", "high")
	draw := func(white bool) {
		c.Call("clearRect", 0, 0, r.Width, r.Height)
		if white {
			c.Set("fillStyle", "#ffffff")
			c.Call("fillRect", 0, 0, r.Width, r.Height)
		}
		c.Call("drawImage", bitmap, (r.Width-r.PictureWidth)/2, (r.Height-r.PictureHeight)/2, r.PictureWidth, r.PictureHeight)
	}
	padded := r.PictureWidth < r.Width || r.PictureHeight < r.Height
	for _, mediaType := range r.Types {
		draw(padded || mediaType == "image/jpeg")
		for _, quality := range r.Qualities {
			blob, err := await(ctx, canvas.Call("convertToBlob", map[string]any{"type": mediaType, "quality": quality}))
			if err != nil {
				return File{}, err
			}
			if blob.Get("type").String() != mediaType {
				break // this browser does not write it
			}
			if int64(blob.Get("size").Float()) <= r.Limit {
				return newFile(js.Global().Get("File").New([]any{blob}, name, map[string]any{"type": mediaType})), nil
			}
			if mediaType == "image/png" {
				break // it knows no quality
			}
		}
	}
	return File{}, ErrTooLarge
}

// SHA256 is the hash of the file in hex, "" where the page may not ask for it (it was not loaded over https or from this
// machine).
func (f File) SHA256(ctx context.Context) (string, error) {
	subtle := js.Global().Get("crypto").Get("subtle")
	if !subtle.Truthy() {
		return "", nil
	}
	content, err := await(ctx, f.Call("arrayBuffer"))
	if err != nil {
		return "", err
	}
	sum, err := await(ctx, subtle.Call("digest", "SHA-256", content))
	if err != nil {
		return "", err
	}
	return hex.EncodeToString(bytesFromJS(sum)), nil
}
