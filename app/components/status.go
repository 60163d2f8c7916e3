package components

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/model"
)

var toneIcons = map[model.Tone]string{
	model.Waiting: "clock", model.Busy: "busy", model.Good: "check", model.Bad: "alert", model.Unsure: "unsure",
}

// Status is an icon and words: never a colour alone.
func Status(tone model.Tone, words string) app.UI {
	return El("span", "class", "status"+" "+"status--"+string(tone), "data-testid", "status").Body(
		SmallIcon(toneIcons[tone]),
		Text("span", "status__words", words),
	)
}
