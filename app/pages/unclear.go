package pages

import (
	"context"
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
)

// The dialog about runs that the server has not started, because what they keep is not clear.
const (
	unclearID      = "unclear"
	unclearPaintID = "unclear-paint"
)

// unclear is what the dialog asks about, and what the answers do.
type unclear struct {
	names       []string // of the photos
	started, of int      // runs of the same press
	paint       func()
	anyway      func()
}

// askUnclear opens the dialog.
func (c *core) askUnclear(u unclear) {
	c.review.unclear = u
	c.openReview(unclearID)
	drawn(c.ui, func() { browser.Focus(unclearPaintID) })
}

func (c *core) renderUnclear() []app.UI {
	u := c.review.unclear
	line := func(text string) app.UI { return components.Text("p", "", text) }
	answer := func(test, label, class string, do func()) app.UI {
		button := components.Button("", label, class).Attr("id", test).Attr("data-testid", test)
		return button.OnClick(func(app.Context, app.Event) {
			c.closeReview()
			do()
		}, components.Scope(test))
	}
	return []app.UI{components.Box("confirm",
		components.El("div", "class", "confirm__text", "data-testid", "unclear-says").Body(
			components.If(len(u.names) > 0, func() app.UI { return line(words.UnclearIn(u.names)) }),
			components.If(u.started > 0, func() app.UI { return line(words.UnclearStarted(u.started, u.of)) }),
			line(words.UnclearHelp),
			components.If(!c.embedded(), func() app.UI { return line(words.UnclearGuess) }),
		),
		components.Box("confirm__foot",
			answer("unclear-cancel", words.UnclearCancel, "", func() {}),
			components.If(!c.embedded(), func() app.UI { return answer("unclear-anyway", words.UnclearAnyway, "", u.anyway) }),
			answer(unclearPaintID, words.UnclearPaint, "button--primary", u.paint),
		),
	)}
}

// retry starts a run again, and asks first where what it keeps is not clear.
func (c *core) retry(id atelier.RunID, unsure bool) {
	c.do(func(ctx context.Context) func() {
		run, err := c.api.Retry(ctx, id, unsure)
		return func() {
			switch {
			case err == nil:
				c.runs = c.runs.Merge(run)
			case atelier.CodeOf(err) == atelier.Unclear:
				c.askUnclearRun(id)
			default:
				c.failed(err)
			}
		}
	})
}

// askUnclearRun asks about a run that was to be started again.
func (c *core) askUnclearRun(id atelier.RunID) {
	u := unclear{
		paint:  func() { c.withRun(id, c.paintRun) },
		anyway: func() { c.retry(id, true) },
	}
	c.withRun(id, func(run atelier.Run) {
		if run.Asset != nil {
			u.names = []string{run.Asset.Name}
		}
	})
	c.askUnclear(u)
}

// paintRun takes the settings of a run over into the studio and opens the mask desk there.
func (c *core) paintRun(run atelier.Run) {
	if c.recall == nil {
		return
	}
	c.shutLightbox()
	c.recall(run, true)
	c.ui.Navigate("/")
}

// askUnclearKept asks about runs that waited in the browser for an answer.
func (c *core) askUnclearKept(requests []atelier.StartRun) {
	u := unclear{
		paint:  func() { c.paintRun(runOf(requests[0])) },
		anyway: func() { c.startUnsure(requests) },
	}
	for _, r := range requests {
		u.names = append(u.names, r.Title)
	}
	c.askUnclear(u)
}

// startUnsure starts runs that were asked for earlier, whatever they keep.
func (c *core) startUnsure(requests []atelier.StartRun) {
	c.start(unsurely(requests), func(int) {}, func(a answers) {
		if len(a.runs) > 0 {
			c.toast("info", words.RunsResent(len(a.runs)))
		}
		c.failed(a.err)
	})
}

// unsurely gives the requests as they are sent once the user wants them all the same.
func unsurely(requests []atelier.StartRun) []atelier.StartRun {
	requests = slices.Clone(requests)
	for i := range requests {
		requests[i].Unsure = true
	}
	return requests
}

// runOf gives what a request asks for as a run whose settings can be taken over.
func runOf(r atelier.StartRun) atelier.Run {
	return atelier.Run{Agent: r.Agent, Version: r.Version, Values: r.Values, Files: r.Files}
}

// askUnclear asks about requests of a press that the server has not started.
func (s *Studio) askUnclear(requests []atelier.StartRun, started, of int) {
	photos, names := s.photosOf(requests), []string{}
	for _, a := range photos {
		names = append(names, a.Name)
	}
	s.core.askUnclear(unclear{
		names: names, started: started, of: of,
		paint: func() { s.paintUnclear(requests[0], photos) },
		anyway: func() {
			s.sending, s.sent = true, 0
			s.request(unsurely(requests))
			s.update()
		},
	})
}

// photosOf gives the photos of the form that requests work on, each once.
func (s *Studio) photosOf(requests []atelier.StartRun) []atelier.Asset {
	source, _ := s.form.Agent.Source()
	asked := map[string]bool{}
	for _, r := range requests {
		for _, ref := range r.Files[source.Name] {
			asked[ref] = true
		}
	}
	var photos []atelier.Asset
	for _, a := range s.form.Photos(s.onStage()) {
		if a != nil && asked[string(a.ID)] {
			photos = append(photos, *a)
		}
	}
	return photos
}

// paintUnclear opens the mask desk for the first of the photos; the others stay with it, and those that are made
// already leave. When the form has changed since the press, it takes the settings of the request over first.
func (s *Studio) paintUnclear(request atelier.StartRun, photos []atelier.Asset) {
	if len(photos) == 0 || s.form.Agent.Name != request.Agent {
		s.recallRun(runOf(request), true)
		return
	}
	if len(s.form.Photos(s.onStage())) > 1 {
		s.form = s.form.WithFiles(model.Further.Name, photos[1:])
	}
	if on := s.onStage(); on == nil || on.ID != photos[0].ID {
		s.choose(&photos[0])
	} else {
		s.formChanged()
	}
	s.paintSoon(photos[0].ID)
	s.update()
}

// paintSoon opens the mask desk with what is found in a photo, once the preview of it is there.
func (s *Studio) paintSoon(id atelier.AssetID) {
	s.painting = id
	s.paintFound()
}

// paintFound follows every change of the preview.
func (s *Studio) paintFound() {
	switch m := s.preview; {
	case s.painting == "" || m.state == model.Never || m.state == model.Loading:
	case m.ask.asset != s.painting:
		s.painting = ""
	default:
		s.painting = ""
		s.FixByHand()
	}
}
