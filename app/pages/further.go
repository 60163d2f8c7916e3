package pages

import (
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
)

// addFurther takes a photo among those of which the same is made. The first of all goes to the stage.
func (s *Studio) addFurther(a atelier.Asset) {
	switch {
	case s.asset == nil:
		s.choose(&a)
	case !s.isFurther(a.ID):
		s.setForm(s.form.WithFurther(a, s.asset))
	}
}

// toggleFurther takes a photo among those of which the same is made, or out of them; the one on the stage stays there.
func (s *Studio) toggleFurther(a atelier.Asset) {
	if s.asset == nil {
		s.addFurther(a)
	} else {
		s.setForm(s.form.WithFurther(a, s.asset))
	}
	s.update()
}

func (s *Studio) isFurther(id atelier.AssetID) bool {
	return slices.ContainsFunc(s.form.Files[model.Further.Name], func(a atelier.Asset) bool { return a.ID == id })
}

func (s *Studio) setForm(f model.Form) {
	s.form = f
	s.touch(model.Further.Name)
	s.formChanged()
}

// workOn lets a further photo change places with the one on the stage: to be looked at, or painted on.
func (s *Studio) workOn(at int) {
	photos := slices.Clone(s.form.Files[model.Further.Name])
	if at < 0 || at >= len(photos) {
		return
	}
	next := photos[at]
	if s.asset == nil {
		photos = slices.Delete(photos, at, at+1)
	} else {
		photos[at] = *s.asset
	}
	s.form = s.form.WithFiles(model.Further.Name, photos)
	s.choose(&next)
	s.core.said = words.FurtherOnStage(next.Name)
	s.core.rev++
	s.update()
}

// replace puts another picture on the stage, where those that were worked on beside the one before do not stay.
func (s *Studio) replace(a *atelier.Asset) {
	agent, before, batch := s.form.Agent.Name, s.asset, s.form.Files[model.Further.Name]
	if len(batch) == 0 || before != nil && a.ID == before.ID {
		s.choose(a)
		return
	}
	s.form = s.form.WithFiles(model.Further.Name, nil)
	s.choose(a)
	s.core.offer(words.BatchReplaced(len(batch)+1), func() {
		if s.form.Agent.Name != agent {
			s.ChooseAgent(agent)
		}
		s.form = s.form.WithFiles(model.Further.Name, batch)
		s.choose(before)
		s.update()
	})
}

// OnlyStage takes all photos off but the one on the stage.
func (s *Studio) OnlyStage() {
	s.ClearSlot(model.Further.Name)
	browser.Focus(stageID)
}

// renderBatch shows on the stage which photos a run is made of, when there are several.
func (s *Studio) renderBatch() app.UI {
	photos := s.form.Photos(s.onStage())
	return components.If(len(photos) > 1, func() app.UI { return components.Batch(photos, s) })
}

// leaveStage takes the picture off the stage; the first of the further ones comes in its place.
func (s *Studio) leaveStage() {
	gone := s.asset
	s.choose(nil)
	if on, _ := s.form.Works(); on && gone != nil {
		s.workOn(0)
	}
}

// offerTogether offers to make the same of all photos that were brought to the stage at once, when none is on its way any more, nor waits
// for what is decided about it.
func (s *Studio) offerTogether() {
	if s.underWay() > 0 || len(s.patients) > 0 {
		return
	}
	all, gather := s.together, s.gather
	s.together, s.gather = nil, false
	if len(all) < 2 {
		return
	}
	// In the order they were picked in, not in which they arrived.
	all = model.Ordered(all, func(a atelier.Asset) int { return s.order[a.ID] })
	take := func() {
		s.replace(&all[0])
		for _, a := range all[1:] {
			s.addFurther(a)
		}
		s.update()
		drawn(s.ctx, func() { browser.Reveal(components.SlotID(model.Further.Name, 0), false) })
	}
	if gather {
		take()
		return
	}
	s.core.suggest(words.FurtherHere(len(all)), words.FurtherTake(len(all)), take)
}
