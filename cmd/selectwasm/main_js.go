//go:build js && wasm

// Command selectwasm is smart select as a program for a worker of the browser: cutting takes longer than a frame, so it does not run
// in the page. It answers messages, each with the number of its question:
//
//	{id, kind: "open", width, height, fullWidth, fullHeight, pixels}  a picture at its working size, and its full one
//	{id, kind: "start", pixels}                                       a mask of the working size as the answer so far
//	{id, kind: "box", x0, y0, x1, y1}                                 cut out what is in a rectangle
//	{id, kind: "stroke", keep, radius, points}                        a stroke: x, y, x, y …
//
// Places and lengths are in pixels of the full picture. The answer is {id, x, y, width, height, pixels}, a part of the mask at full
// size, one byte a pixel, or {id, error}. Pixels are array buffers and change hands rather than being copied.
package main

import (
	"errors"
	"image"
	"syscall/js"

	"atelier/imaging/mask"
	"atelier/imaging/smartselect"
)

func main() {
	var w worker
	js.Global().Set("onmessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		w.answer(args[0].Get("data"))
		return nil
	}))
	js.Global().Call("postMessage", map[string]any{"kind": "ready"})
	select {} // the worker ends it
}

// worker is the picture being cut.
type worker struct {
	session *smartselect.Session
	full    image.Point
	scale   mask.Point // full pixels per working pixel
}

func (w *worker) answer(question js.Value) {
	id := question.Get("id")
	defer func() {
		if p := recover(); p != nil {
			w.session = nil
			js.Global().Call("postMessage", map[string]any{"id": id, "error": "Smart select stopped on this picture."})
		}
	}()
	part, err := w.do(question)
	if err != nil {
		js.Global().Call("postMessage", map[string]any{"id": id, "error": err.Error()})
		return
	}
	answer := map[string]any{"id": id, "x": part.Min.X, "y": part.Min.Y, "width": part.Dx(), "height": part.Dy()}
	if part.Empty() {
		js.Global().Call("postMessage", answer)
		return
	}
	pixels := js.Global().Get("Uint8Array").New(part.Dx() * part.Dy())
	js.CopyBytesToJS(pixels, w.session.Part(w.full.X, w.full.Y, part).Pix)
	answer["pixels"] = pixels.Get("buffer")
	js.Global().Call("postMessage", answer, []any{pixels.Get("buffer")})
}

// do returns the part of the full picture in which the mask may have changed.
func (w *worker) do(q js.Value) (image.Rectangle, error) {
	if q.Get("kind").String() == "open" {
		return image.Rectangle{}, w.open(q)
	}
	if w.session == nil {
		return image.Rectangle{}, errClosed
	}
	switch q.Get("kind").String() {
	case "start":
		p := w.session.Mask()
		copy(p.Pix, bytesOf(q.Get("pixels")))
		return image.Rectangle{}, w.session.Start(p)
	case "box":
		r := image.Rect(int(q.Get("x0").Float()/w.scale.X), int(q.Get("y0").Float()/w.scale.Y), int(q.Get("x1").Float()/w.scale.X+1), int(q.Get("y1").Float()/w.scale.Y+1))
		return image.Rectangle{Max: w.full}, w.session.Box(r)
	case "stroke":
		stroke := smartselect.Stroke{Keep: q.Get("keep").Bool(), Radius: q.Get("radius").Float() / w.scale.X}
		points := q.Get("points")
		for i := 0; i+1 < points.Length(); i += 2 {
			stroke.Points = append(stroke.Points, mask.Point{X: points.Index(i).Float() / w.scale.X, Y: points.Index(i+1).Float() / w.scale.Y})
		}
		r, err := w.session.Stroke(stroke)
		return image.Rect(int(float64(r.Min.X)*w.scale.X)-1, int(float64(r.Min.Y)*w.scale.Y)-1, int(float64(r.Max.X)*w.scale.X)+2, int(float64(r.Max.Y)*w.scale.Y)+2).
			Intersect(image.Rectangle{Max: w.full}), err
	}
	return image.Rectangle{}, errQuestion
}

func (w *worker) open(q js.Value) error {
	width, height := q.Get("width").Int(), q.Get("height").Int()
	var err error
	if w.session, err = smartselect.New(bytesOf(q.Get("pixels")), width, height); err != nil {
		return err
	}
	w.full = image.Pt(q.Get("fullWidth").Int(), q.Get("fullHeight").Int())
	w.scale = mask.Point{X: float64(w.full.X) / float64(width), Y: float64(w.full.Y) / float64(height)}
	return nil
}

func bytesOf(buffer js.Value) []byte {
	array := js.Global().Get("Uint8Array").New(buffer)
	out := make([]byte, array.Length())
	js.CopyBytesToGo(out, array)
	return out
}

var (
	errClosed   = errors.New("smart select has no picture yet")
	errQuestion = errors.New("smart select does not know what it was asked")
)
