package pages

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
)

// The dialog that asks before much is made at once.
const (
	confirmID = "confirm-generate"
	reallyID  = "confirm-really"
)

// much reports whether a press makes so much that it asks first.
func (s *Studio) much() bool {
	photos, settings := s.asking()
	runs := photos * settings
	return runs > model.UnaskedRuns || runs*s.form.Batch() > model.UnaskedResults
}

// askFirst opens the dialog that says how much would be made and what it costs.
func (s *Studio) askFirst() {
	s.openDialog(confirmID)
	drawn(s.ctx, func() { browser.Focus(reallyID) })
	s.update()
}

func (s *Studio) renderConfirm() []app.UI {
	photos, settings := s.asking()
	runs := photos * settings
	cost := s.cost(runs)
	if cost == "" && !s.core.embedded() {
		cost = words.ConfirmUnknownCost
	}
	return []app.UI{components.Box("confirm",
		components.Box("confirm__text",
			components.El("p", "data-testid", "confirm-runs").Text(words.ConfirmRuns(runs, runs*s.form.Batch(), s.form.Makes())),
			components.If(cost != "", func() app.UI { return components.El("p", "data-testid", "confirm-cost").Text(cost) }),
		),
		components.Box("confirm__foot",
			components.Button("", words.ConfirmBack, "").OnClick(func(app.Context, app.Event) { s.CloseDialog(confirmID) }),
			components.Button("", words.Generate(s.form.Batch(), s.form.Makes(), photos, settings), "button--primary").
				Attr("id", reallyID).Attr("data-testid", reallyID).OnClick(s.onReally),
		),
	)}
}

func (s *Studio) onReally(app.Context, app.Event) {
	s.CloseDialog(confirmID)
	s.begin()
}
