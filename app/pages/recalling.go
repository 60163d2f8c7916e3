package pages

import (
	"context"
	"image"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
	"atelier/imaging/mask"
)

// recalled is what a run was made with, as far as it can be had again.
type recalled struct {
	files map[string][]atelier.Asset
	plane *mask.Plane
	gone  int // files that are not there any more
}

// recallRun takes over the agent, the values, the files and the mask of a run.
func (s *Studio) recallRun(run atelier.Run) {
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
			s.form = s.form.Recall(agent, run.Values, got.files)
			s.shown, s.refusal = model.Shown{Touched: map[string]bool{}}, ""
			if pictures := got.files[source.Name]; works && len(pictures) > 0 {
				s.asset = &pictures[0]
			} else if works && run.Asset != nil && len(run.Files) == 0 {
				s.asset = run.Asset
			}
			s.shelve(s.shelf.Use(agent.Name))
			s.formChanged()
			if got.plane != nil && s.asset != nil {
				id, plane := s.asset.ID, *got.plane
				s.ctx.Defer(func(app.Context) { s.painter.replace(id, plane) })
			}
			if got.gone > 0 {
				s.core.toast("warning", words.RecallFilesGone(got.gone))
			}
			s.core.said = words.Recalled(agent.Title)
			s.update()
		}
	})
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
	if run.Asset != nil && run.Values["maskType"] == "custom" {
		got.plane = maskOf(ctx, run)
	}
	return got
}

// maskOf is the mask a run was asked with: the one that was saved under a name, or the one this browser remembers. A run
// made elsewhere with a mask of its own gives none: the studio's server does not hand those out.
func maskOf(ctx context.Context, run atelier.Run) *mask.Plane {
	w, h := run.Asset.Width, run.Asset.Height
	if run.MaskID != "" {
		pix, err := browser.Alpha(ctx, "/api/masks/"+string(run.MaskID)+"/file", image.Pt(w, h))
		if err != nil {
			return nil
		}
		return &mask.Plane{W: w, H: h, Pix: pix}
	}
	keys, err := browser.KeptKeys(ctx)
	if err != nil {
		return nil
	}
	for _, key := range keys {
		if !strings.HasPrefix(key, model.RunMaskPrefix) || !strings.HasSuffix(key, "/"+run.IntentKey) {
			continue
		}
		packed, ok, err := browser.Kept(ctx, key)
		if err != nil || !ok {
			return nil
		}
		if plane, err := model.UnpackMask(packed, w, h); err == nil {
			return &plane
		}
	}
	return nil
}

// runMasks is how many masks of runs are remembered: a few kilobytes each.
const runMasks = 200

// keepRunMask remembers the mask a run is asked with, so that the run can be recalled with it.
func (s *Studio) keepRunMask(intent string) {
	packed := model.PackMask(s.painter.editor.Plane())
	// The keys sort by time: the oldest go first.
	key := model.RunMaskPrefix + strconv.FormatInt(s.core.now().UnixMilli(), 36) + "/" + intent
	ctx := s.core.ctx
	s.core.ui.Async(func() {
		defer browser.Guard()
		// A browser without storage recalls the run without its mask.
		_ = browser.Keep(ctx, key, packed)
		keys, err := browser.KeptKeys(ctx)
		if err != nil {
			return
		}
		old := []string{}
		for _, k := range keys { // in the order of the keys, as the browser's database keeps them
			if strings.HasPrefix(k, model.RunMaskPrefix) {
				old = append(old, k)
			}
		}
		for len(old) > runMasks {
			_ = browser.Forget(ctx, old[0])
			old = old[1:]
		}
	})
}
