package components

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/model"
	"atelier/app/words"
	"atelier/catalog"
)

// PreviewPort hears what is done with the preview of an automatic mask.
type PreviewPort interface {
	FixByHand()
	PreviewAgain()
	ShowPreview(shown bool)
}

// MaskPreview says what the tint on the stage means while an automatic mask is chosen, and leads to the mask desk.
type MaskPreview struct {
	State      model.Load
	Kept       float64 // share of the picture
	Confidence float64
	Note       string // what was not as expected
	Failure    string // why there is no preview
	Guess      bool   // the service may find something else
	Paints     bool   // the agent takes a painted mask instead
	Hidden     bool   // the tint is away
	Desk       model.MaskDesk
}

// Render shows it.
func (m MaskPreview) Render(port PreviewPort) app.UI {
	box := func(parts ...app.UI) app.UI {
		return El("div", "class", "stage__preview", "data-over", "preview", "data-testid", "preview", "data-state", m.stateName()).Body(parts...)
	}
	says := func(lines ...string) app.UI {
		parts := []app.UI{}
		for i, line := range lines {
			if line != "" {
				parts = append(parts, Text("span", Pick(i == 0, "preview__kept", "preview__line"), line))
			}
		}
		return El("div", "class", "preview__text", "role", Pick(m.State == model.Broken, "alert", "status"), "data-testid", "preview-says").Body(parts...)
	}
	paint := func(label, tip string) app.UI {
		return If(m.Paints, func() app.UI {
			return Button("brush", label, "button--small").Attr("title", tip).Attr("data-testid", "preview-fix").OnClick(func(app.Context, app.Event) { port.FixByHand() })
		})
	}
	switch m.State {
	case model.Loading:
		return box(El("span", "class", "preview__busy", "aria-hidden", "true").Body(SmallIcon("busy")), says(words.PreviewLooking))
	case model.Broken:
		return box(SmallIcon("alert"), says(m.Failure),
			Button("", words.TryAgain, "button--small").Attr("data-testid", "preview-again").OnClick(func(app.Context, app.Event) { port.PreviewAgain() }))
	}
	if m.Kept == 0 {
		return box(SmallIcon("unsure"), says(words.PreviewNothing, m.Note), paint(words.PreviewPaint, ""))
	}
	doubt := m.Note
	if doubt == "" && !catalog.Sure(m.Confidence) {
		doubt = Pick(m.Paints, words.PreviewUnclear(m.Confidence), words.PreviewUnsure(m.Confidence))
	}
	return box(
		swatch(model.MaskDesk{Keep: m.Desk.Keep, Show: model.ShowTint}, m.Desk.Keep, true, false),
		says(words.PreviewKept(m.Kept), doubt, Pick(m.Guess, words.PreviewGuess, "")),
		IconButton("eye", words.PreviewTint, "").Attr("aria-pressed", Bool(!m.Hidden)).Attr("data-testid", "preview-tint").
			OnClick(func(app.Context, app.Event) { port.ShowPreview(m.Hidden) }, Scope(m.Hidden)),
		paint(words.PreviewFix, words.PreviewFixTip),
	)
}

func (m MaskPreview) stateName() string {
	return map[model.Load]string{model.Loading: "loading", model.Broken: "failed", model.Loaded: "shown"}[m.State]
}
