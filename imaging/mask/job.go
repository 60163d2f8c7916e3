package mask

import (
	"image"
	"iter"
	"time"
)

// Job is work on a large plane, done in slices so that the page stays free in between:
//
//	for !job.Step(8 * time.Millisecond) {
//		… show job.Progress(), let the browser have its turn, or job.Cancel() …
//	}
//
// A Job must not be copied nor used by two goroutines at once.
type Job struct {
	work    func(p *pace)
	pace    pace
	changed image.Rectangle

	next func() (struct{}, bool)
	stop func()
	over bool
}

func newJob(work func(p *pace)) *Job { return &Job{work: work} }

// Step works for about the given time, and at least a little, and reports whether the job is over. Without a budget it works to the end.
func (j *Job) Step(budget time.Duration) (over bool) {
	if j.over {
		return true
	}
	if budget <= 0 && j.next == nil {
		j.work(&j.pace)
		j.over = true
		return true
	}
	if j.next == nil {
		j.next, j.stop = iter.Pull(iter.Seq[struct{}](func(yield func(struct{}) bool) {
			j.pace.pause = func() bool { return yield(struct{}{}) }
			j.work(&j.pace)
		}))
	}
	j.pace.until = time.Time{}
	if budget > 0 {
		j.pace.until = time.Now().Add(budget)
	}
	if _, more := j.next(); !more {
		j.over = true
	}
	return j.over
}

// Progress is how much is done, 0 to 1.
func (j *Job) Progress() float64 {
	if j.over {
		return 1
	}
	if j.pace.total <= 0 {
		return 0
	}
	return min(float64(j.pace.done)/float64(j.pace.total), 1)
}

// Cancel gives the job up. What it was to change is then as before; what it was to make is not to be used.
func (j *Job) Cancel() {
	if j.over {
		return
	}
	j.over = true
	j.pace.cancelled = true
	if j.stop != nil {
		j.stop()
	}
}

// Changed is the rectangle that changed since it was last asked for: what has to be drawn again while the job goes on and when it
// is over.
func (j *Job) Changed() image.Rectangle {
	r := j.changed
	j.changed = image.Rectangle{}
	return r
}

// touch adds to what Changed tells.
func (j *Job) touch(r image.Rectangle) { j.changed = j.changed.Union(r) }

// Making is a Job that makes a plane.
type Making struct {
	*Job
	plane Plane
}

func newMaking(w, h int, work func(m *Making, p *pace)) *Making {
	m := &Making{plane: New(w, h)}
	m.Job = newJob(func(p *pace) { work(m, p) })
	return m
}

// Plane is what has been made so far: all of it when the job is over. A wand's grows while it works, so it can be shown.
func (m *Making) Plane() Plane { return m.plane }

// Run works to the end and returns the plane.
func (m *Making) Run() Plane {
	m.Step(0)
	return m.plane
}

// pace is what a job asks, again and again, whether it may go on.
type pace struct {
	pause     func() bool // hands over to whoever steps the job; nil works without pauses
	until     time.Time
	total     int // pixels of work expected
	done      int
	unchecked int
	cancelled bool
}

// slice is how many pixels of work pass between two looks at the clock: well below a millisecond.
const slice = 1 << 15

// expect adds to the work there will be, in pixels looked at.
func (p *pace) expect(pixels int) { p.total += pixels }

// spend tells of work done and may pause. It reports false when the job was cancelled: its work then has to return.
func (p *pace) spend(pixels int) bool {
	p.done += pixels
	if p.unchecked += pixels; p.unchecked < slice {
		return true
	}
	p.unchecked = 0
	if p.pause == nil || p.until.IsZero() || time.Now().Before(p.until) {
		return !p.cancelled
	}
	return p.pause() && !p.cancelled
}
