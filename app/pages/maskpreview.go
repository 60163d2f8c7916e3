package pages

import (
	"context"
	"errors"
	"image"
	"slices"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/client"
	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
	"atelier/catalog"
	"atelier/imaging/mask"
)

const (
	// previewPause is how long a choice must rest before its preview is asked for: arrow keys go through all of them.
	previewPause = 120 * time.Millisecond
	// previewTimeout is longer than the largest picture takes on a busy server.
	previewTimeout = 2 * time.Minute
	// mostPreviews is how many previews the page keeps, packed.
	mostPreviews = 12
)

// previewAsk is what a preview shows; the zero value asks for none.
type previewAsk struct {
	session context.Context //nolint:containedctx // identifies the session: a new one asks again
	asset   atelier.AssetID
	keep    catalog.Keep
}

// maskPreview is what is known of the region that an automatic mask keeps.
type maskPreview struct {
	ask     previewAsk
	turn    int // of asking: an answer to an earlier one is dropped
	state   model.Load
	stop    context.CancelFunc // of the request under way
	found   preview
	failure string
	seen    []preview // the latest first
}

// preview is an answer.
type preview struct {
	ask  previewAsk
	info client.Found
	mask mask.Packed
	kept float64
}

// previewAsk is the preview that the form and the stage call for.
func (s *Studio) previewAsk() previewAsk {
	a := s.onStage()
	if a == nil || !s.ready || !s.Shown || s.lost() || !s.core.designs() || s.form.PaintsMask() {
		return previewAsk{}
	}
	keep := s.form.Keep()
	if keep.MaskType == "" {
		return previewAsk{}
	}
	return previewAsk{s.core.ctx, a.ID, keep}
}

// followPreview shows the preview that the form calls for, and gives up the one it no longer does. Nothing waits for
// it.
func (s *Studio) followPreview() {
	defer s.paintFound()
	ask := s.previewAsk()
	if ask == s.preview.ask {
		return
	}
	s.dropPreview()
	s.preview.ask = ask
	if ask == (previewAsk{}) {
		return
	}
	if i := slices.IndexFunc(s.preview.seen, func(p preview) bool { return p.ask == ask }); i >= 0 {
		s.showPreview(s.preview.seen[i])
		return
	}
	s.askPreview()
}

// dropPreview ends the request under way and takes the tint away.
func (s *Studio) dropPreview() {
	if s.preview.stop != nil {
		s.preview.stop()
	}
	s.preview = maskPreview{turn: s.preview.turn + 1, seen: s.preview.seen}
	s.painter.preview("", mask.Plane{})
}

// askPreview has the server look for the region.
func (s *Studio) askPreview() {
	m, on := &s.preview, *s.asset
	ask, turn, session := m.ask, m.turn, m.ask.session
	if session == nil {
		session = context.Background()
	}
	ctx, stop := context.WithTimeout(session, previewTimeout)
	m.state, m.stop = model.Loading, stop
	body := atelier.PreviewMask{AssetID: on.ID, MaskType: ask.keep.MaskType, Agent: s.form.Agent.Name}
	body.Engine, _ = s.form.Values["generateVersion"].(string)
	s.core.do(func(context.Context) func() {
		defer stop()
		found, err := s.lookFor(ctx, body, image.Pt(on.Width, on.Height))
		found.ask = ask
		return func() {
			if m.turn != turn {
				return // the choice or the photo changed meanwhile
			}
			m.stop = nil
			switch {
			case err == nil:
				m.seen = append([]preview{found}, m.seen[:min(len(m.seen), mostPreviews-1)]...)
				s.showPreview(found)
			case s.core.expired(err):
			default:
				m.state, m.failure = model.Broken, previewFailure(err)
			}
			s.paintFound()
			s.update()
		}
	})
}

// lookFor waits for the pause, asks, and opens the answer.
func (s *Studio) lookFor(ctx context.Context, body atelier.PreviewMask, size image.Point) (preview, error) {
	select {
	case <-time.After(previewPause):
	case <-ctx.Done():
		return preview{}, ctx.Err()
	}
	info, err := s.core.api.PreviewMask(ctx, body)
	if err != nil {
		return preview{}, err
	}
	pix, err := browser.AlphaOf(ctx, info.PNG, size)
	if err != nil {
		return preview{}, err
	}
	info.PNG = browser.File{}
	plane := mask.Plane{W: size.X, H: size.Y, Pix: pix}
	return preview{info: info, mask: plane.Pack(), kept: plane.Stats(0).Share}, nil
}

// previewFailure is the sentence for a preview that did not come.
func previewFailure(err error) string {
	if e := asError(err); e != nil && !errors.Is(err, context.DeadlineExceeded) && e.Code != client.Offline {
		return e.Message + " " + words.PreviewFailed
	}
	return words.PreviewFailed
}

func (s *Studio) showPreview(p preview) {
	s.preview.state, s.preview.found = model.Loaded, p
	s.painter.preview(p.ask.asset, p.mask.Plane())
}

// ShowPreview implements components.PreviewPort.
func (s *Studio) ShowPreview(shown bool) { s.painter.hidePreview(!shown) }

// PreviewAgain implements components.PreviewPort.
func (s *Studio) PreviewAgain() {
	s.preview.ask = previewAsk{}
	s.followPreview()
}

// paints says whether the agent takes a painted mask in place of the automatic one.
func (s *Studio) paints() bool { return catalog.Paints(s.form.Agent) }

// FixByHand implements components.PreviewPort: the mask desk opens with the region as the painted mask, empty where
// none was found.
func (s *Studio) FixByHand() {
	m := s.preview
	if m.state == model.Loading || !s.paints() || s.painter.editor == nil {
		return
	}
	s.SetValue("maskType", "custom")
	p := s.painter
	p.use(model.ToolBrush)
	if p.stage.W >= phoneStage { // on a phone the panel would cover the picture
		s.openPanel(true)
	}
	drawn(s.ctx, func() { browser.Focus(stageID) })
	if m.state != model.Loaded || m.found.kept == 0 {
		return
	}
	note := words.MaskFound(m.found.info.Confidence, m.found.info.Note)
	p.take(words.StepStartFrom(model.StartWords(m.ask.keep.MaskType)), m.found.mask.Plane(), func() {
		s.maskDesk.note = note
		p.say(note)
	})
}

// renderPreview is what stands on the stage beside the tint; nil without one.
func (s *Studio) renderPreview() app.UI {
	m := s.preview
	if m.state == model.Never {
		return nil
	}
	return components.MaskPreview{
		State: m.state, Kept: m.found.kept, Confidence: m.found.info.Confidence, Note: m.found.info.Note, Failure: m.failure,
		Guess: !s.core.embedded(), Paints: s.paints(), Hidden: s.painter.tinted.hidden, Desk: s.painter.desk,
	}.Render(s)
}
