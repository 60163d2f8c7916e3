package pages

import (
	"context"

	"atelier/app/browser"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
)

// trail keeps the address in step with what is looked at, so that Back leads to what was looked at before, and the address opened
// anew leads here again.
type trail struct {
	returning bool // a step back of our own is on its way
	then      func()
}

// step changes the address: a step of ours that is still on its way comes first.
func (c *core) step(change func()) {
	if c.trail.returning {
		c.trail.then = change
		return
	}
	change()
}

// opened is what stands open above the pages.
func (c *core) opened() model.Opened {
	if d := &c.review.desk; d.open {
		return model.Opened{Desk: true, Results: model.OpenedShots(d.shots), At: d.active}
	}
	if s, ok := c.viewer.shot(); c.viewer.open && ok {
		return model.Opened{Results: model.OpenedShots([]model.Shot{s})}
	}
	return model.Opened{}
}

// enterOpened notes in the address that something was opened: Back closes it.
func (c *core) enterOpened() {
	c.step(func() { browser.PushURL(browser.Address(c.opened().Fragment()), true) })
}

// moveOpened notes in the address that something else of what is open is looked at.
func (c *core) moveOpened() {
	c.step(func() { browser.ReplaceURL(browser.Address(c.opened().Fragment())) })
}

// leaveOpened takes out of the address what was closed: the step to it is taken back, where it was one of ours.
func (c *core) leaveOpened() {
	c.step(func() {
		if c.trail.returning = browser.StepBack(); !c.trail.returning {
			browser.ReplaceURL(browser.Address(c.opened().Fragment()))
		}
	})
}

// returned hears that the browser went through its history. It says whether that was a step of our own.
func (c *core) returned() bool {
	if !c.trail.returning {
		return false
	}
	then := c.trail.then
	c.trail = trail{}
	if then != nil {
		then()
	}
	return true
}

// follow opens what the address says is open, and closes what it does not.
func (c *core) follow(fragment string) {
	want, have := model.ReadOpened(fragment), c.opened()
	if want.Fragment() == have.Fragment() {
		return
	}
	c.closeReview()
	if c.review.desk.open {
		c.shutDesk()
	}
	if have = c.opened(); want.Fragment() == have.Fragment() {
		return
	}
	switch {
	case len(want.Results) == 0:
		c.shutLightbox()
		return
	case !want.Desk && c.viewer.around != nil && c.lookAt(string(want.Results[0].Result), c.viewer.around):
		return
	}
	c.do(func(ctx context.Context) func() {
		runs := map[atelier.RunID]atelier.Run{}
		var failed error
		for _, r := range want.Results {
			if _, read := runs[r.Run]; read {
				continue
			}
			run, err := c.api.Run(ctx, r.Run)
			if err != nil {
				failed = err
				continue
			}
			runs[r.Run] = run
		}
		return func() {
			if !c.openNamed(want, runs) && !c.expired(failed) {
				c.toast("warning", words.ResultLinkGone)
			}
		}
	})
}

// openNamed opens results of runs that were read, and says whether there are any.
func (c *core) openNamed(want model.Opened, runs map[atelier.RunID]atelier.Run) bool {
	var shots []model.Shot
	for _, r := range want.Results {
		for _, s := range model.Viewable(model.Runs{runs[r.Run]}.Shots()) {
			if s.Result.ID == r.Result {
				shots = append(shots, s)
			}
		}
	}
	switch {
	case len(shots) == 0:
		return false
	case want.Desk:
		c.layDesk(shots, min(want.At, len(shots)-1))
		return true
	}
	if key := shots[0].Key(); c.galleryAround != nil && c.lookAt(key, c.galleryAround) {
		return true
	}
	neighbours := model.Viewable(model.Runs{runs[want.Results[0].Run]}.Shots())
	return c.lookAt(shots[0].Key(), func(string) ([]model.Shot, int, int) { return neighbours, 0, len(neighbours) })
}
