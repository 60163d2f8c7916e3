//go:build js && wasm

package browser

import (
	"context"
	"errors"
	"image"
	"syscall/js"
)

// Selector cuts objects out of a picture in a worker, which is loaded when it is first needed. A call whose context ends stops the
// worker at once; the next call starts it again with what it knew. It is used by one goroutine at a time, never the page's own: every
// call waits for the worker.
type Selector struct {
	worker  js.Value
	release func()
	answers chan js.Value
	number  int

	opened js.Value   // the question with the picture, to be asked again
	log    []js.Value // what came after it
}

// NewSelector makes a selector without a picture.
func NewSelector() *Selector { return &Selector{} }

// Open takes a picture: RGBA at its working size, at most 2048 pixels on the long side, and its full size. Everything else is then in
// pixels of the full size.
func (s *Selector) Open(ctx context.Context, rgba []byte, working, full image.Point) error {
	pixels := js.Global().Get("Uint8Array").New(len(rgba))
	js.CopyBytesToJS(pixels, rgba)
	s.opened = js.ValueOf(map[string]any{
		"kind": "open", "width": working.X, "height": working.Y, "fullWidth": full.X, "fullHeight": full.Y, "pixels": pixels.Get("buffer"),
	})
	s.log = nil
	if s.worker.IsUndefined() {
		return s.start(ctx)
	}
	_, err := s.ask(ctx, s.opened)
	return err
}

// Start takes a mask of the working size as what is selected so far, one byte a pixel.
func (s *Selector) Start(ctx context.Context, mask []byte) error {
	pixels := js.Global().Get("Uint8Array").New(len(mask))
	js.CopyBytesToJS(pixels, mask)
	_, err := s.tell(ctx, true, map[string]any{"kind": "start", "pixels": pixels.Get("buffer")})
	return err
}

// Box selects what is in a rectangle. What was selected before is forgotten.
func (s *Selector) Box(ctx context.Context, r image.Rectangle) (Selection, error) {
	return s.tell(ctx, true, map[string]any{"kind": "box", "x0": r.Min.X, "y0": r.Min.Y, "x1": r.Max.X, "y1": r.Max.Y})
}

// Stroke says that what a line crosses is selected, or is not, and selects again around it.
func (s *Selector) Stroke(ctx context.Context, keep bool, points []Point, radius float64) (Selection, error) {
	flat := make([]any, 0, 2*len(points))
	for _, p := range points {
		flat = append(flat, p.X, p.Y)
	}
	return s.tell(ctx, false, map[string]any{"kind": "stroke", "keep": keep, "radius": radius, "points": flat})
}

// Close ends the worker and forgets the picture.
func (s *Selector) Close() {
	s.stop()
	s.opened, s.log = js.Undefined(), nil
}

// tell asks a question and remembers it for the next worker. With fresh, what came before no longer matters.
func (s *Selector) tell(ctx context.Context, fresh bool, question map[string]any) (Selection, error) {
	if s.opened.IsUndefined() {
		return Selection{}, errors.New("browser: no picture was opened for smart select")
	}
	if fresh {
		s.log = nil
	}
	if s.worker.IsUndefined() {
		if err := s.start(ctx); err != nil {
			return Selection{}, err
		}
	}
	q := js.ValueOf(question)
	selection, err := s.ask(ctx, q)
	if err == nil {
		s.log = append(s.log, q)
	}
	return selection, err
}

// start loads the worker and tells it again what the one before knew.
func (s *Selector) start(ctx context.Context) error {
	program, script := meta("select-program"), meta("select-worker")
	if program == "" || script == "" {
		return ErrNoSelector
	}
	s.worker = js.Global().Get("Worker").New(script + "?program=" + program)
	s.answers = make(chan js.Value, 4)
	answers := s.answers
	take := js.FuncOf(func(_ js.Value, args []js.Value) any {
		select {
		case answers <- args[0].Get("data"):
		default: // of a question nobody waits for any more
		}
		return nil
	})
	fail := js.FuncOf(func(js.Value, []js.Value) any {
		select {
		case answers <- js.ValueOf(map[string]any{"kind": "failed"}):
		default:
		}
		return nil
	})
	s.worker.Set("onmessage", take)
	s.worker.Set("onerror", fail)
	s.release = func() { take.Release(); fail.Release() }
	for ready := false; !ready; {
		m, err := s.next(ctx)
		if err != nil {
			return err
		}
		ready = m.Get("kind").Equal(js.ValueOf("ready"))
	}
	for _, q := range append([]js.Value{s.opened}, s.log...) {
		if _, err := s.ask(ctx, q); err != nil {
			return err
		}
	}
	return nil
}

func (s *Selector) next(ctx context.Context) (js.Value, error) {
	select {
	case m := <-s.answers:
		if m.Get("kind").Equal(js.ValueOf("failed")) {
			s.stop()
			return js.Undefined(), ErrNoSelector
		}
		return m, nil
	case <-ctx.Done():
		s.stop()
		return js.Undefined(), ctx.Err()
	}
}

func (s *Selector) ask(ctx context.Context, question js.Value) (Selection, error) {
	s.number++
	question.Set("id", s.number)
	s.worker.Call("postMessage", question)
	for {
		m, err := s.next(ctx)
		if err != nil {
			return Selection{}, err
		}
		if !m.Get("id").Equal(js.ValueOf(s.number)) {
			continue
		}
		if e := m.Get("error"); e.Truthy() {
			return Selection{}, errors.New(e.String())
		}
		x, y := m.Get("x").Int(), m.Get("y").Int()
		return Selection{Rect: image.Rect(x, y, x+m.Get("width").Int(), y+m.Get("height").Int()), Pix: bytesFromJS(m.Get("pixels"))}, nil
	}
}

func (s *Selector) stop() {
	if s.worker.IsUndefined() {
		return
	}
	s.worker.Call("terminate")
	s.release()
	s.worker = js.Undefined()
}

// meta is what the page's head says under a name.
func meta(name string) string {
	e := js.Global().Get("document").Call("querySelector", "meta[name="+name+"]")
	if !e.Truthy() {
		return ""
	}
	return e.Call("getAttribute", "content").String()
}
