package pages

import (
	"context"
	"errors"
	"image"
	"sync"

	"atelier/app/browser"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
	"atelier/imaging/mask"
)

// cutter cuts objects out of a picture; browser.Selector in the studio. A call whose context ends returns at once.
type cutter interface {
	Open(ctx context.Context, rgba []byte, working, full image.Point) error
	Start(ctx context.Context, mask []byte) error
	Box(ctx context.Context, r image.Rectangle) (browser.Selection, error)
	Stroke(ctx context.Context, keep bool, points []browser.Point, radius float64) (browser.Selection, error)
	Close()
}

// smartSelect is the selection of an object from a box or strokes around it. The cutter works in a worker of its own and is asked
// one question at a time, away from the page's thread.
type smartSelect struct {
	turn   sync.Mutex // of the cutter and opened
	cutter cutter
	opened atelier.AssetID // the picture it has

	selected mask.Plane // the object as it is cut out so far
}

// workingSide is the long side of the copy objects are cut out of, in pixels.
const workingSide = 2048

// working is the size of that copy.
func working(a atelier.Asset) image.Point {
	k := min(float64(workingSide)/float64(max(a.Width, a.Height)), 1)
	return image.Pt(max(int(float64(a.Width)*k), 1), max(int(float64(a.Height)*k), 1))
}

// liveSmart is the step a box or a stroke of smart select makes; strokes that follow make it again.
const liveSmart = "smart"

// The least a box must have to be meant, in CSS px, and the width of the strokes.
const (
	leastBox  = 6
	hintWidth = 16
)

func (p *painter) hintRadius() float64 { return hintWidth / 2 / p.view.Scale }

// closeSmart forgets the object that was being cut out.
func (p *painter) closeSmart() { p.smart.selected = mask.Plane{} }

// beginSmart begins a box around an object or a stroke over it.
func (p *painter) beginSmart(here mask.Point, e browser.Pointer) {
	taken := e.Alt || e.Button == 2 || e.Rubber
	switch {
	case p.desk.Smart == model.SmartBox && !taken:
		p.gesture.kind, p.shape = "box", []mask.Point{here, here}
	default:
		p.gesture.kind, p.gesture.op, p.shape = "hint", mask.Add, []mask.Point{here}
		if taken || p.desk.Smart == model.SmartRedraw {
			p.gesture.op = mask.Subtract
		}
	}
}

// endSmart asks for the object a box or a stroke means.
func (p *painter) endSmart(g gesture, shape []mask.Point) {
	if g.kind == "box" {
		r := image.Rect(floor(shape[0].X), floor(shape[0].Y), floor(shape[1].X), floor(shape[1].Y)).Intersect(p.editor.Plane().Rect())
		if least := leastBox / p.view.Scale; float64(r.Dx()) < least || float64(r.Dy()) < least {
			p.say(words.SmartBoxTip)
			return
		}
		p.cut(g.op, func(ctx context.Context, c cutter) (browser.Selection, error) { return c.Box(ctx, r) })
		return
	}
	line, radius, keep := places(shape), p.hintRadius(), g.op == mask.Add
	ask := func(ctx context.Context, c cutter) (browser.Selection, error) {
		return c.Stroke(ctx, keep, line, radius)
	}
	if p.adjusts(liveSmart) && p.smart.selected.W > 0 {
		p.cut(p.live.op, ask)
		return
	}
	// The stroke corrects what is painted, whatever it was painted with.
	p.smart.selected = p.editor.Plane().Clone()
	p.smart.selected.Threshold(mask.Level)
	now, size := p.smart.selected, working(*p.asset)
	p.cut(mask.Replace, func(ctx context.Context, c cutter) (browser.Selection, error) {
		small := now.Fitted(size.X, size.Y)
		if err := browser.Work(ctx, small.Step, nil); err != nil {
			return browser.Selection{}, err
		}
		if err := c.Start(ctx, small.Plane().Pix); err != nil {
			return browser.Selection{}, err
		}
		return ask(ctx, c)
	})
}

// cut asks the cutter and joins the answer with the mask, in place of the answer before.
func (p *painter) cut(op mask.Op, ask func(context.Context, cutter) (browser.Selection, error)) {
	again := p.adjusts(liveSmart) && p.live.made
	p.stopWork()
	ctx, cancel := context.WithCancel(context.Background())
	w := &work{name: words.DoingCut, stop: cancel}
	p.work = w
	p.changed()
	a := *p.asset
	p.away(func() func() {
		got, err := p.smart.ask(ctx, a, ask)
		return func() {
			cancel()
			if p.work != w || p.asset == nil || p.asset.ID != a.ID {
				return // given up
			}
			p.work = nil
			if err != nil {
				p.changed()
				p.fail(smartError(err))
				return
			}
			p.joinCut(got, op, again)
		}
	})
}

// smartError is why nothing was cut out, as a designer reads it.
func smartError(err error) string {
	switch {
	case errors.Is(err, browser.ErrNoSelector):
		return words.SmartUnloaded
	case errors.Is(err, browser.ErrOffline):
		return words.MaskUnread
	}
	return words.SmartNothing
}

// joinCut joins what was cut out with the mask.
func (p *painter) joinCut(got browser.Selection, op mask.Op, again bool) {
	size := p.editor.Plane()
	if got.Rect == size.Rect() {
		p.smart.selected = mask.Plane{W: size.W, H: size.H, Pix: got.Pix}
	} else {
		p.patchCut(got)
	}
	if !again {
		p.live = live{} // another object is another step
	}
	p.adjust(live{kind: liveSmart, op: op}, words.ToolSmart, words.DoingTakeOver, func(mask.Plane) (*mask.Job, error) {
		return p.editor.Combining(p.smart.selected, op)
	})
}

// patchCut takes a part of what is cut out.
func (p *painter) patchCut(got browser.Selection) {
	size := p.editor.Plane()
	if p.smart.selected.W != size.W || p.smart.selected.H != size.H {
		p.smart.selected = mask.New(size.W, size.H)
	}
	r := got.Rect.Intersect(size.Rect())
	for y := r.Min.Y; y < r.Max.Y; y++ {
		from := (y-got.Rect.Min.Y)*got.Rect.Dx() + r.Min.X - got.Rect.Min.X
		copy(p.smart.selected.Row(y)[r.Min.X:r.Max.X], got.Pix[from:from+r.Dx()])
	}
}

// ask gives the cutter the picture, if it has another one, and asks it. It waits for its turn: never call it on the page's thread.
func (s *smartSelect) ask(ctx context.Context, a atelier.Asset, ask func(context.Context, cutter) (browser.Selection, error)) (browser.Selection, error) {
	s.turn.Lock()
	defer s.turn.Unlock()
	if err := ctx.Err(); err != nil {
		return browser.Selection{}, err
	}
	if s.cutter == nil {
		s.cutter = browser.NewSelector()
	}
	if s.opened != a.ID {
		s.opened = ""
		size := working(a)
		rgba := make([]byte, 0, 4*size.X*size.Y)
		if err := browser.Pixels(ctx, a.File, size, func(rows []byte) { rgba = append(rgba, rows...) }); err != nil {
			return browser.Selection{}, err
		}
		if err := s.cutter.Open(ctx, rgba, size, image.Pt(a.Width, a.Height)); err != nil {
			return browser.Selection{}, err
		}
		s.opened = a.ID
	}
	got, err := ask(ctx, s.cutter)
	if err == nil && len(got.Pix) != got.Rect.Dx()*got.Rect.Dy() {
		err = errShort
	}
	return got, err
}

var errShort = errors.New("smart select answered with part of an answer")
