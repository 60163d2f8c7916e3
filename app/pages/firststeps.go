package pages

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/components"
	"atelier/app/words"
	"atelier/atelier"
)

// stepsKey is where the browser remembers that the first steps were read, or gone.
const stepsKey = "atelier.steps"

// renderSteps tells who is new here, once, how a picture is made; those who know get a line, and so do those who have begun.
func (s *Studio) renderSteps() app.UI {
	if s.taught || len(s.uploads) > 0 {
		return components.Text("p", "empty__hint", words.StageThen)
	}
	var steps []app.UI
	for _, text := range words.StageSteps {
		steps = append(steps, components.Text("li", "", text))
	}
	return components.El("div", "class", "steps", "data-testid", "steps").Body(
		components.El("ol", "class", "steps__list", "aria-label", words.StageStepsLabel).Body(steps...),
		components.Button("", words.StageStepsRead, "button--quiet button--small").Attr("data-testid", "steps-read").OnClick(s.onStepsRead),
	)
}

func (s *Studio) onStepsRead(app.Context, app.Event) { s.learn() }

func (s *Studio) onConnect(app.Context, app.Event) { s.core.openConnection() }

// learn takes the first steps away for good.
func (s *Studio) learn() {
	if !s.taught {
		s.taught = true
		browser.Save(stepsKey, "read")
	}
}

// renderEmbedded says whose work the pictures are, where no account is connected.
func (s *Studio) renderEmbedded() app.UI {
	line := components.El("p", "class", "empty__hint", "data-testid", "embedded-service")
	if len(s.uploads) > 0 {
		return line.Hidden(true)
	}
	if !s.core.embedded() {
		return line.Body(components.Text("span", "", words.StageConnected(s.core.session.ServiceHost)))
	}
	if s.core.session.User.Role != atelier.Admin {
		return line.Body(components.Text("span", "", words.StageEmbedded))
	}
	return line.Body(
		components.Text("span", "", words.StageEmbedded+" "),
		components.Button("", words.StageConnect, "button--link").Attr("data-testid", "connect-account").OnClick(s.onConnect),
	)
}
