package pages

import (
	"image"
	"time"

	"atelier/app/browser"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/imaging/mask"
)

// How long work on the mask, and looking at it, go on before the page has its turn.
const (
	workTime = 16 * time.Millisecond
	lookTime = 5 * time.Millisecond
)

// stepper is work in slices: a job of the mask package.
type stepper interface {
	Step(budget time.Duration) (over bool)
	Progress() float64
	Changed() image.Rectangle
	Cancel()
}

// work is what is being done to the mask.
type work struct {
	name  string
	job   stepper // nil while something is waited for
	stop  func()  // of what is waited for
	again bool    // it is the making again of a step that is adjusted: a new gesture gives it up
	told  int     // tenths of the progress that were shown
}

// run does work on the mask in slices; then follows when it is over, not when it is given up.
func (p *painter) run(name string, job stepper, then func()) {
	p.stopWork()
	w := &work{name: name, job: job}
	p.work = w
	p.changed()
	browser.Slices(func() bool {
		if p.work != w {
			return false
		}
		over := job.Step(workTime)
		p.mark(job.Changed())
		if !over {
			if tenth := int(job.Progress() * 10); tenth != w.told {
				w.told = tenth
				p.changed()
			}
			return true
		}
		p.work = nil
		p.done()
		if then != nil {
			then()
		}
		p.resume()
		return false
	})
}

// resume makes the first of the clicks that waited; those behind it wait on.
func (p *painter) resume() {
	if len(p.next) == 0 || p.work != nil {
		return
	}
	e, rest := p.next[0], p.next[1:]
	p.next = nil
	p.begin(e)
	p.gesture, p.next = gesture{}, rest
	p.resume() // it may have been over at once, or have hit nothing
}

// stopWork gives up what is being done; the mask is as it was before.
func (p *painter) stopWork() {
	w := p.work
	if w == nil {
		return
	}
	p.work, p.next = nil, nil
	if w.stop != nil {
		w.stop()
	}
	if w.job != nil {
		w.job.Cancel()
		p.mark(w.job.Changed())
	}
}

// steps is how many steps of the history are done.
func (p *painter) steps() int {
	_, done := p.editor.History()
	return done
}

// live is a step that can still be adjusted: it is undone and made again from what was before it.
type live struct {
	kind  string
	steps int  // of the history, with it
	made  bool // it changed something, and so is in the history
	value int
	at    mask.Point // of a wand
	op    mask.Op
}

// adjusts says whether the last step is of a kind and nothing was done since.
func (p *painter) adjusts(kind string) bool {
	return p.editor != nil && p.live.kind == kind && p.live.steps == p.steps()
}

// adjust makes a step of a kind in place of the last one of that kind, if nothing was done since. Without a making the step is
// only taken back.
func (p *painter) adjust(l live, name, doing string, making func(mask.Plane) (*mask.Job, error)) {
	if p.editor == nil {
		return
	}
	p.stopWork() // of a step that is made again: it then is as before it
	again := p.adjusts(l.kind)
	if again && p.live.made {
		p.mark(p.editor.Undo())
	}
	l.steps, l.made = p.steps(), false
	p.live = l
	if making == nil {
		p.done()
		return
	}
	job, err := making(p.editor.Plane())
	if err != nil {
		p.fail(err.Error())
		return
	}
	p.editor.Name(name)
	p.run(doing, job, func() {
		p.live.made = p.steps() > p.live.steps
		p.live.steps = p.steps()
		p.settleLive()
	})
	if p.work != nil {
		p.work.again = again
	}
}

// settleLive follows the end of a step that can be adjusted.
func (p *painter) settleLive() {
	p.changed()
	p.say(words.MaskKeptOfPicture(p.kept))
}

// The steps that sliders adjust, in pixels of the picture.
const (
	liveGrow    = "grow"
	liveFeather = "feather"
	liveSmooth  = "smooth"
	liveWand    = "wand"
)

// liveValue is where the slider of a kind stands.
func (p *painter) liveValue(kind string) int {
	if p.adjusts(kind) {
		return p.live.value
	}
	return 0
}

// refine grows, shrinks, feathers or smooths the mask by so many pixels, in place of what the same slider did before.
func (p *painter) refine(kind string, by int) {
	l := live{kind: kind, value: by, op: mask.Replace}
	if by == 0 {
		p.adjust(l, "", "", nil)
		return
	}
	r := float64(by)
	with := func(m func(mask.Plane, float64) *mask.Making, r float64) func(mask.Plane) (*mask.Job, error) {
		return func(now mask.Plane) (*mask.Job, error) { return p.editor.Apply(m(now, r), mask.Replace), nil }
	}
	switch {
	case kind == liveGrow && by > 0:
		p.adjust(l, words.StepGrow(by), words.DoingGrow, with(mask.Plane.Growing, r))
	case kind == liveGrow:
		p.adjust(l, words.StepShrink(-by), words.DoingShrink, with(mask.Plane.Shrinking, -r))
	case kind == liveFeather:
		p.adjust(l, words.StepFeather(by), words.DoingFeather, with(mask.Plane.Feathering, r))
	case kind == liveSmooth:
		p.adjust(l, words.StepSmooth(by), words.DoingSmooth, with(mask.Plane.Smoothing, r))
	}
}

// apply joins what is made with the mask, as a step of a name.
func (p *painter) apply(name, doing string, m *mask.Making, op mask.Op, then func()) {
	p.stopWork()
	p.drop()
	p.editor.Name(name)
	p.run(doing, p.editor.Apply(m, op), then)
}

// take puts a plane of the picture's size in the place of the mask.
func (p *painter) take(name string, plane mask.Plane, then func()) {
	p.stopWork()
	p.drop()
	job, err := p.editor.Combining(plane, mask.Replace)
	if err != nil {
		p.fail(err.Error())
		return
	}
	p.editor.Name(name)
	p.run(words.DoingTakeOver, job, then)
}

// clean fills holes, or drops specks, of up to so many pixels.
func (p *painter) clean(specks bool, area int) {
	if p.editor == nil {
		return
	}
	if specks {
		p.apply(words.StepDropSpecks, words.DoingSpecks, p.editor.Plane().DroppingSpecks(area), mask.Replace, nil)
		return
	}
	p.apply(words.StepFillHoles, words.DoingHoles, p.editor.Plane().FillingHoles(area), mask.Replace, nil)
}

// jump goes to a step of the history: so many are then done.
func (p *painter) jump(done int) {
	if p.editor == nil {
		return
	}
	p.stopWork()
	p.drop()
	p.run(words.DoingJump, p.editor.Jump(done), nil)
}

// withSource does something that needs the picture's pixels, once they are read.
func (p *painter) withSource(then func()) {
	if p.source.W > 0 {
		then()
		return
	}
	p.stopWork()
	w := &work{name: words.DoingRead}
	p.work = w
	p.changed()
	asset := *p.asset
	p.read(asset, func(s mask.Source, err error) {
		if p.work != w {
			return // given up
		}
		p.work = nil
		p.changed()
		if p.asset == nil || p.asset.ID != asset.ID {
			return
		}
		if err != nil {
			p.fail(words.MaskUnread)
			return
		}
		p.source = s
		then()
	})
}

// wand selects what has the colour of a place.
func (p *painter) wand(at mask.Point, op mask.Op) {
	p.withSource(func() {
		p.live = live{} // another place is another step
		p.wandAgain(at, op)
	})
}

func (p *painter) wandAgain(at mask.Point, op mask.Op) {
	w := mask.Wand{At: image.Pt(floor(at.X), floor(at.Y)), Tolerance: p.desk.Tolerance, Contiguous: !p.desk.Whole, Around: 1}
	p.adjust(live{kind: liveWand, at: at, op: op}, words.ToolWand, words.DoingWand, func(mask.Plane) (*mask.Job, error) {
		return p.editor.Apply(p.source.Wand(w), op), nil
	})
}

// tolerance sets what the wand takes for the same colour; the selection it has just made follows.
func (p *painter) tolerance(n int, whole bool) {
	p.desk.Tolerance, p.desk.Whole = min(max(n, 0), model.MaxTolerance), whole
	p.prefers(p.desk)
	if p.adjusts(liveWand) {
		p.wandAgain(p.live.at, p.live.op)
	}
}

// bucket fills what is not painted around a place, up to the strokes that enclose it, or empties what is.
func (p *painter) bucket(at mask.Point, erase bool) {
	op, name := mask.Add, words.ToolBucket
	if erase {
		op, name = mask.Subtract, words.StepBucketErase
	}
	p.stopWork()
	p.editor.Name(name)
	p.run(words.DoingFill, p.editor.Apply(p.editor.Plane().Bucket(image.Pt(floor(at.X), floor(at.Y)), erase), op), nil)
}
