package components

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/model"
)

var toneIcons = map[model.Tone]string{
	model.Waiting: "clock", model.Busy: "busy", model.Good: "check", model.Bad: "alert", model.Unsure: "unsure", model.Off: "close",
}

// Status is an icon and words: never a colour alone.
func Status(tone model.Tone, words string) app.UI { return Drawn(statusNode(tone, words)) }
