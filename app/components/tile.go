package components

import (
	"atelier/app/browser"
	"atelier/app/model"
	"atelier/app/words"
)

// What a press on a part of a tile is for, as browser.Press says it.
const (
	TileOpen   = "open"   // open it, or choose it where a key is held or others are chosen
	TileChoose = "choose" // its mark
	TileRetry  = "retry"
	TileCancel = "cancel"
)

// TileID is the element of a tile's picture.
func TileID(key string) string { return "tile-" + key }

// narrowTile is the width up to which a tile has no room for anything but its name, CSS px. Up to tinyTile, or beside a number, a sign
// stands for words on the picture.
const narrowTile, tinyTile = 130, 100

// Tile is one result of the gallery, or one run, at its place in its row. Width is that of the thumbnail to ask for, px;
// with 0 none is asked for: only the few colours stand there that came with the list.
func Tile(t model.Tile, width int) browser.Node {
	px := func(n float64) string { return words.Decimal(n, 1) + "px" }
	class := "tile" + Pick(t.Chosen, " tile--chosen", "") + Pick(t.Pick == "reject", " tile--rejected", "") + Pick(t.Count > 1, " tile--stack", "") +
		Pick(t.Place.W <= narrowTile, " tile--narrow", "") + Pick(t.Place.W <= tinyTile || t.Place.W <= narrowTile && (t.Count > 1 || t.Video), " tile--tiny", "")
	card := node("button", "type", "button", "id", TileID(t.Key), "class", "card card--"+string(t.Tone), "data-act", TileOpen, "data-testid", "result-card", "data-key", t.Key,
		"data-status", t.Status, "data-stored", Bool(t.Stored), "data-result", t.ResultID, "data-rating", words.Number(t.Rating), "data-pick", t.Pick,
		"aria-label", t.Label, "tabindex", Pick(t.Cursor, "0", "-1"), "aria-pressed", Bool(t.Chosen))
	mark := node("button", "type", "button", "class", "tile__mark", "data-act", TileChoose, "tabindex", "-1", "aria-label", words.TileChoose(t.Label, t.Chosen),
		"aria-pressed", Bool(t.Chosen), "data-testid", "tile-mark")
	return around(node("div", "class", class, "role", "listitem", "data-of", t.Key, "data-menu", "tile:"+t.Key, "aria-setsize", words.Number(t.Total), "aria-posinset", words.Number(t.Index+1),
		"style", "left:"+px(t.Place.X)+";width:"+px(t.Place.W)+";--h:"+px(t.Place.H)),
		around(card, face(t, width)...),
		around(mark, smallIcon("check")),
		around(node("div", "class", "tile__foot"), foot(t)...),
	)
}

// face is what is on the picture.
func face(t model.Tile, width int) []browser.Node {
	var body []browser.Node
	switch {
	case t.Stored && t.Video && width > 0:
		body = append(body, posterNode(t.Thumb, t.File, width, "card__picture"), around(node("span", "class", "card__badge"), smallIcon("play"), textNode("", t.Length)))
	case t.Stored:
		body = append(body, picture(t, width))
	default:
		wait := []browser.Node{statusNode(t.Tone, t.Words)}
		if t.Tone == model.Busy {
			wait = append(wait, progressNode(t.Progress))
		}
		body = append(body, around(node("span", "class", "card__wait"), wait...))
	}
	if t.Starred {
		body = append(body, around(node("span", "class", "card__star"), iconNode("heart", "icon icon--filled")))
	}
	if t.Changed {
		body = append(body, around(node("span", "class", "card__changed"), smallIcon("alert"), textNode("", words.ProductChanged)))
	} else if t.Doubt != "" {
		body = append(body, around(node("span", "class", "card__changed card__changed--doubt", "title", t.Doubt), smallIcon("help"), textNode("", words.EdgeInDoubt)))
	}
	if t.Reason != "" {
		body = append(body, around(node("span", "class", "card__changed card__changed--none", "title", words.NotComparable(t.Reason)), smallIcon("info"), textNode("", words.NoComparison)))
	}
	if t.Count > 1 {
		body = append(body, around(node("span", "class", "card__badge"), smallIcon("layers"), textNode("", words.Count(t.Count))))
	}
	return body
}

// inSheet says whether the picture of a tile comes with those beside it, by the id of its result.
func inSheet(t model.Tile) bool {
	return t.Stored && !t.Video && t.Thumb == "/api/results/"+t.ResultID+"/thumb"
}

// Sheet is the address of thumbnails of at least the given width, to which the ids of their results are added with commas between.
func Sheet(width int) string { return "/api/results/thumbs?w=" + words.Number(width) + "&of=" }

func picture(t model.Tile, width int) browser.Node {
	style := ""
	if t.Preview != "" {
		style = "background-image:url(" + t.Preview + ")"
	}
	if width == 0 {
		return browser.Node{Tag: "span", Attr: []string{"class", "card__picture", "style", style}}
	}
	src, sheet := Thumb(t.Thumb, width), ""
	if inSheet(t) {
		sheet = t.ResultID
	}
	return browser.Node{Tag: "img", Fresh: src, Sheet: sheet, Attr: []string{"class", "card__picture", "src", src, "alt", "", "decoding", "async", "draggable", "false", "style", style}}
}

// foot is the line below the picture: what was thought of it, or what it is.
func foot(t model.Tile) []browser.Node {
	var foot []browser.Node
	switch t.Pick {
	case "pick":
		foot = append(foot, around(node("span", "class", "tile__pick", "title", words.TilePicked), smallIcon("flag")))
	case "reject":
		foot = append(foot, around(node("span", "class", "tile__pick", "title", words.TileRejected), smallIcon("close")))
	}
	switch {
	case t.Note != "":
		foot = append(foot, textNode("cell__title", t.Note))
	case t.Rating > 0:
		foot = append(foot, saying(node("span", "class", "tile__stars", "title", words.Stars(t.Rating)), "★★★★★"[:3*t.Rating]))
	default:
		foot = append(foot, textNode("cell__title", t.Title))
	}
	if t.Cancels {
		return append(foot, saying(node("button", "type", "button", "class", "button button--link", "data-testid", "cancel-run", "data-act", TileCancel, "data-of", t.RunID), words.RunCancel))
	}
	if (t.Tone == model.Bad || t.Tone == model.Off) && !t.Trashed {
		return append(foot, saying(node("button", "type", "button", "class", "button button--link", "data-testid", "retry", "data-act", TileRetry, "data-of", t.RunID), words.Retry))
	}
	if t.Score != "" {
		return append(foot, saying(node("span", "class", "cell__time", "title", Pick(t.Doubt == "", words.DetailsKeptUnchanged, t.Doubt)), t.Score))
	}
	return append(foot, saying(node("span", "class", "cell__time", "title", t.Exact), t.When))
}
