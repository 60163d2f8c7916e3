package pages

import (
	"context"
	"image"
	"strings"

	"atelier/app/browser"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
	"atelier/imaging/mask"
)

// recalled is what a run was made with, as far as it can be had again.
type recalled struct {
	files  map[string][]atelier.Asset
	paint  bool        // it was made with a painted mask
	plane  *mask.Plane // nil when that cannot be had
	lost   bool        // nor ever will be
	before []byte      // the mask that was on its picture until then, packed; nil for none
	gone   int         // files that are not there any more
}

// recallRun takes over the agent, the values, the files and the mask of a run. With paint the mask desk opens with what
// its automatic mask finds.
func (s *Studio) recallRun(run atelier.Run, paint bool) {
	agent := s.core.agent(run.Agent)
	if len(agent.Surfaces) == 0 {
		s.core.toast("warning", words.RecallAgentGone)
		return
	}
	source, works := agent.Source()
	known := map[atelier.AssetID]atelier.Asset{}
	for _, a := range s.core.assets {
		known[a.ID] = a
	}
	if run.Asset != nil {
		known[run.Asset.ID] = *run.Asset
	}
	s.core.do(func(ctx context.Context) func() {
		got := s.lookUp(ctx, run, known)
		return func() {
			back := s.wayBack(got, run.Asset)
			form, left := s.form.Recall(agent, run.Values, got.files)
			s.form = form
			s.shown, s.refusal = model.Shown{Touched: map[string]bool{}}, ""
			if pictures := got.files[source.Name]; works && len(pictures) > 0 {
				s.asset = &pictures[0]
			} else if works && run.Asset != nil && len(run.Files) == 0 {
				s.asset = run.Asset
			}
			s.shelve(s.shelf.Use(agent.Name))
			s.formChanged()
			if got.paint && s.asset != nil {
				s.repaint(*s.asset, got)
			}
			if paint && s.asset != nil {
				s.paintSoon(s.asset.ID)
			}
			if len(left) > 0 {
				s.core.toast("error", words.RecallValuesLeft(left)) // it stays: the next run is not the same
			}
			if got.gone > 0 {
				s.core.toast("warning", words.RecallFilesGone(got.gone))
			}
			s.core.offer(words.Recalled(agent.Title), back)
			s.update()
		}
	})
}

// wayBack gives what takes a recall back: the form, its files and the picture as they are now, and the mask that it takes the place of.
func (s *Studio) wayBack(got recalled, painted *atelier.Asset) (back func()) {
	form, asset, shown := s.form, s.asset, s.shown
	if p := s.painter; got.paint && p.asset != nil && p.asset.ID == painted.ID {
		if got.before = nil; !p.empty { // what is stored lags behind it
			got.before = model.PackMask(p.editor.Plane())
		}
	}
	return func() {
		former := func() {
			s.form, s.asset, s.shown, s.refusal, s.gone = form, asset, shown, "", ""
			s.formChanged()
			s.core.said = words.RecallUndone(form.Agent.Title)
			s.update()
		}
		if got.paint {
			s.paintBefore(*painted, got.before, former)
			return
		}
		former()
	}
}

// paintBefore puts the mask a picture had before in the place of the one it has, and goes on when that is done: a picture that leaves
// the stage takes its mask along.
func (s *Studio) paintBefore(a atelier.Asset, packed []byte, then func()) {
	if p := s.painter; p.asset == nil || p.asset.ID != a.ID {
		s.keepMask(a.ID, packed)
		then()
		return
	}
	plane := mask.New(a.Width, a.Height)
	if packed != nil {
		before, err := model.UnpackMask(packed, a.Width, a.Height)
		if err != nil {
			then() // the picture was replaced by one of another size
			return
		}
		plane = before
	}
	s.painter.take(words.StepBroughtBack, plane, then)
}

// repaint puts the mask of a run on its picture. In place of one that is gone there is none: what is on the picture belongs to
// something else. Where it cannot be fetched just now, what is painted stays.
func (s *Studio) repaint(a atelier.Asset, got recalled) {
	plane := got.plane
	if plane == nil {
		if !got.lost {
			s.core.toast("error", words.RecallMaskUnread)
			return
		}
		s.core.toast("error", words.RecallMaskGone) // it stays: the run cannot be made again without
		empty := mask.New(a.Width, a.Height)
		plane = &empty
	}
	drawn(s.ctx, func() { s.painter.replace(a.ID, *plane) })
}

// lookUp finds the files and the mask of a run.
func (s *Studio) lookUp(ctx context.Context, run atelier.Run, known map[atelier.AssetID]atelier.Asset) recalled {
	got := recalled{files: map[string][]atelier.Asset{}}
	for field, refs := range run.Files {
		for _, ref := range refs {
			a, ok := known[atelier.AssetID(ref)]
			if !ok && !strings.Contains(ref, "://") {
				found, err := s.core.api.Asset(ctx, atelier.AssetID(ref))
				a, ok = found, err == nil
			}
			if !ok {
				got.gone++
				continue
			}
			got.files[field] = append(got.files[field], a)
		}
	}
	if got.paint = run.Asset != nil && run.Values["maskType"] == "custom"; got.paint {
		got.before = remembered(ctx, run.Asset.ID)
		if got.plane, got.lost = s.maskOf(ctx, run); got.lost {
			_ = browser.Forget(ctx, model.MaskPrefix+string(run.Asset.ID)) // what was painted there last is not this run's
		}
	}
	return got
}

// maskOf is the mask a run was asked with, as the studio's server keeps it. It is nil when it cannot be had, and lost when it is
// nowhere.
func (s *Studio) maskOf(ctx context.Context, run atelier.Run) (plane *mask.Plane, lost bool) {
	file, err := s.core.api.RunMask(ctx, run.ID)
	if err != nil {
		return nil, atelier.CodeOf(err) == atelier.NotFound
	}
	w, h := run.Asset.Width, run.Asset.Height
	pix, err := browser.AlphaOf(ctx, file, image.Pt(w, h))
	if err != nil {
		return nil, true
	}
	return &mask.Plane{W: w, H: h, Pix: pix}, false
}
