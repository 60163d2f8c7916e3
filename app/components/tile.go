package components

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/model"
	"atelier/app/words"
)

// TilePort hears what is done with a tile of the gallery.
type TilePort interface {
	// PressTile is a click: open it, or choose it where a key is held or others are chosen.
	PressTile(key string, shift, ctrl bool)
	// ChooseTile is a click on its mark.
	ChooseTile(key string, shift bool)
	RetryTile(runID string)
}

// Tile is one result of the gallery, or one run, at its place on the wall.
type Tile struct {
	app.Compo
	Tile  model.Tile
	Width int // of the thumbnail to ask for, px
	port  TilePort
}

// NewTile makes a tile.
func NewTile(t model.Tile, width int, port TilePort) *Tile {
	return &Tile{Tile: t, Width: width, port: port}
}

// TileID is the element of a tile's picture.
func TileID(key string) string { return "tile-" + key }

// Render implements app.Composer.
func (c *Tile) Render() app.UI {
	t := c.Tile
	px := func(n float64) string { return words.Decimal(n, 1) + "px" }
	class := "tile" + Pick(t.Chosen, " tile--chosen", "") + Pick(t.Pick == "reject", " tile--rejected", "") + Pick(t.Count > 1, " tile--stack", "")
	card := El("button", "type", "button", "id", TileID(t.Key), "class", "card card--"+string(t.Tone), "data-testid", "result-card", "data-key", t.Key,
		"data-status", t.Status, "data-stored", Bool(t.Stored), "data-result", t.ResultID, "data-rating", words.Number(t.Rating), "data-pick", t.Pick,
		"aria-label", t.Label, "tabindex", Pick(t.Cursor, "0", "-1"), "aria-pressed", Bool(t.Chosen)).OnClick(c.onPress)
	return El("div", "class", class, "role", "listitem", "aria-setsize", words.Number(t.Total), "aria-posinset", words.Number(t.Index+1)).
		Style("left", px(t.Place.X)).Style("width", px(t.Place.W)).Style("--h", px(t.Place.H)).Body(
		card.Body(c.face()...),
		El("button", "type", "button", "class", "tile__mark", "tabindex", "-1", "aria-label", words.TileChoose(t.Label, t.Chosen), "aria-pressed", Bool(t.Chosen),
			"data-testid", "tile-mark").OnClick(c.onMark).Body(SmallIcon("check")),
		El("div", "class", "tile__foot").Body(c.foot()...),
	)
}

// face is what is on the picture.
func (c *Tile) face() []app.UI {
	t := c.Tile
	var body []app.UI
	switch {
	case t.Stored && t.Video:
		body = append(body, poster(t.Thumb, t.File, c.Width, "card__picture"), El("span", "class", "card__badge").Body(SmallIcon("play"), Text("span", "", t.Length)))
	case t.Stored:
		image := Void("img", "class", "card__picture", "src", Thumb(t.Thumb, c.Width), "alt", "", "decoding", "async", "draggable", "false")
		if t.Preview != "" {
			image = image.Style("background-image", "url("+t.Preview+")")
		}
		body = append(body, image)
	default:
		wait := []app.UI{Status(t.Tone, t.Words)}
		if t.Tone == model.Busy {
			wait = append(wait, progress(t.Progress))
		}
		body = append(body, El("span", "class", "card__wait").Body(wait...))
	}
	if t.Starred {
		body = append(body, El("span", "class", "card__star").Body(FilledIcon("star")))
	}
	if t.Changed {
		body = append(body, El("span", "class", "card__changed").Body(SmallIcon("alert"), Text("span", "", words.ProductChanged)))
	}
	if t.Count > 1 {
		body = append(body, El("span", "class", "card__badge").Body(SmallIcon("layers"), Text("span", "", words.Count(t.Count))))
	}
	return body
}

// foot is the line below the picture: what was thought of it, or what it is.
func (c *Tile) foot() []app.UI {
	t := c.Tile
	var foot []app.UI
	switch t.Pick {
	case "pick":
		foot = append(foot, El("span", "class", "tile__pick", "title", words.TilePicked).Body(SmallIcon("flag")))
	case "reject":
		foot = append(foot, El("span", "class", "tile__pick", "title", words.TileRejected).Body(SmallIcon("close")))
	}
	if t.Rating > 0 {
		foot = append(foot, El("span", "class", "tile__stars", "title", words.Stars(t.Rating)).Text("★★★★★"[:3*t.Rating]))
	} else {
		foot = append(foot, Text("span", "cell__title", t.Title))
	}
	if t.Tone == model.Bad {
		return append(foot, Button("", words.Retry, "button--link").Attr("data-testid", "retry").OnClick(c.onRetry))
	}
	if t.Score != "" {
		return append(foot, El("span", "class", "cell__time", "title", words.DetailsKeptUnchanged).Text(t.Score))
	}
	return append(foot, El("span", "class", "cell__time", "title", t.Exact).Text(t.When))
}

func (c *Tile) onPress(_ app.Context, e app.Event) {
	c.port.PressTile(c.Tile.Key, e.Get("shiftKey").Truthy(), e.Get("ctrlKey").Truthy() || e.Get("metaKey").Truthy())
}

func (c *Tile) onMark(_ app.Context, e app.Event) {
	c.port.ChooseTile(c.Tile.Key, e.Get("shiftKey").Truthy())
}

func (c *Tile) onRetry(app.Context, app.Event) { c.port.RetryTile(c.Tile.RunID) }
