package pages

import (
	"context"
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/components"
	"atelier/app/words"
)

// sample is a picture to begin with, that the server has for someone who has none at hand.
type sample struct{ slug, name string }

var samples = []sample{
	{"dress-on-wall", words.SampleDress},
	{"bottle-on-table", words.SampleBottle},
	{"mannequin", words.SampleMannequin},
}

func (p sample) path() string { return "/web/samples/" + p.slug + ".webp" }

func (s *Studio) renderSamples() app.UI {
	cells := make([]app.UI, len(samples))
	for i, p := range samples {
		cells[i] = components.El("button", "type", "button", "class", "samples__item", "title", p.name, "data-testid", "sample-"+p.slug).
			OnClick(func(app.Context, app.Event) { s.takeSample(p) }, components.Scope(p.slug)).
			Body(components.Void("img", "class", "samples__picture", "src", p.path(), "alt", p.name, "width", "72", "height", "72", "draggable", "false"))
	}
	return components.El("div", "class", "samples", "role", "group", "aria-label", words.Samples).Body(cells...)
}

// takeSample brings a sample in the way a picked file comes.
func (s *Studio) takeSample(p sample) {
	name := p.name + ".webp"
	if slices.ContainsFunc(s.uploads, func(u upload) bool { return u.Name == name && u.Problem == "" }) {
		return // it is on its way
	}
	id := s.addUpload(name)
	browser.Focus(stageID) // the button goes away when the picture comes
	s.core.do(func(ctx context.Context) func() {
		content, err := s.core.api.Download(ctx, p.path())
		if err != nil {
			return func() { s.refuse(id, sentence(err)) }
		}
		return s.bring(ctx, id, browser.NewFile(name, content), "", 0)
	})
}
