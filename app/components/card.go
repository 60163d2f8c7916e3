package components

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
)

// ShotPort hears what is done with results and runs.
type ShotPort interface {
	OpenShot(key string)
	RetryRun(id atelier.RunID)
	RecallRun(id atelier.RunID)
}

// Card is one result: its picture when it is there, and where it is until then.
type Card struct {
	app.Compo
	Shot  model.Shot
	Title string // of the agent, for those who do not see the picture
	Width int    // of the thumbnail to ask for, px
	Large bool   // stands on the stage, whole, in place of the strip
	port  ShotPort
}

// NewCard makes a card.
func NewCard(s model.Shot, title string, width int, port ShotPort) *Card {
	return &Card{Shot: s, Title: title, Width: width, port: port}
}

// LargeCard makes a card that shows its picture whole, on the stage.
func LargeCard(s model.Shot, title string, port ShotPort) *Card {
	return &Card{Shot: s, Title: title, Width: 1280, Large: true, port: port}
}

// Render implements app.Composer.
func (c *Card) Render() app.UI {
	r := c.Shot.Result
	status := string(r.Status)
	if r.ID == "" {
		status = string(c.Shot.Run.Status)
	}
	tone, where := model.ResultTone(r), model.ResultWords(r)
	if c.Shot.Run.Cancelled && r.Status == atelier.Failed {
		tone, where = model.Off, words.RunCancelled
	}
	card := El("button", "type", "button", "class", Pick(c.Large, "card card--large card--", "card card--")+string(tone), "data-testid", Pick(c.Large, "stage-result", "result-card"),
		"data-status", status, "data-stored", Bool(r.Stored), "data-result", string(r.ID), "aria-label", c.name(), "data-menu", "card:"+c.Shot.Key()).OnClick(c.onOpen)
	body := []app.UI{}
	switch {
	case r.Stored && model.IsVideo(r):
		body = append(body, Poster(r, c.Width, "card__picture"), El("span", "class", "card__badge").Body(SmallIcon("play"), Text("span", "", length(r))))
	case r.Stored:
		body = append(body, c.picture())
	default:
		body = append(body, El("span", "class", "card__wait").Body(Status(tone, where), c.progress()))
	}
	if r.Starred {
		body = append(body, El("span", "class", "card__star").Body(FilledIcon("heart")))
	}
	return card.Body(body...)
}

// Poster is a video as a still picture that moves while it is pointed at. Where the server made no picture of it the first
// frame stands for it (both are boot.js's doing).
func Poster(r atelier.Result, width int, class string) app.UI {
	return Drawn(posterNode(r.Thumb, r.File, width, class))
}

// length is how long a video is, "" when that is not known.
func length(r atelier.Result) string {
	if r.Seconds <= 0 {
		return ""
	}
	return words.Seconds(r.Seconds)
}

func (c *Card) picture() app.UI {
	r := c.Shot.Result
	image := Void("img", "class", "card__picture", "src", Thumb(r.Thumb, c.Width), "alt", "", "loading", "lazy", "decoding", "async",
		"draggable", "false")
	if r.Preview != "" {
		image = image.Style("background-image", "url("+r.Preview+")")
	}
	return image
}

func (c *Card) progress() app.UI {
	if model.ResultTone(c.Shot.Result) != model.Busy {
		return app.Text("")
	}
	return Drawn(progressNode(c.Shot.Result.Progress))
}

// name says the card in words.
func (c *Card) name() string {
	r := c.Shot.Result
	text := words.TileResult(c.Title, r.Index+1, model.ResultWords(r))
	if r.Status == atelier.Failed && r.Error != "" {
		text = words.TileError(text, r.Error)
	}
	return text
}

func (c *Card) onOpen(app.Context, app.Event) { c.port.OpenShot(c.Shot.Key()) }

// Thumb is the address of a thumbnail of at least the given width.
func Thumb(path string, width int) string {
	if path == "" {
		return ""
	}
	return path + "?w=" + words.Number(width)
}
