package components

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/model"
	"atelier/app/words"
)

// What a wall of tiles consists of is made as nodes, which are drawn with or without the framework.

// node makes a node from its tag and the names and values of its attributes, in pairs.
func node(tag string, attributes ...string) browser.Node {
	return browser.Node{Tag: tag, Attr: attributes}
}

// around is a node with something in it.
func around(n browser.Node, content ...browser.Node) browser.Node {
	n.Body = content
	return n
}

// saying is a node with a text in it.
func saying(n browser.Node, text string) browser.Node {
	n.Text = text
	return n
}

// textNode is a span with a text in it.
func textNode(class, text string) browser.Node {
	return browser.Node{Tag: "span", Attr: []string{"class", class}, Text: text}
}

// Drawn makes an element of the framework out of a node.
func Drawn(n browser.Node) app.UI {
	switch n.Tag {
	case "img":
		return Void(n.Tag, n.Attr...)
	case "svg", "path":
		e := app.Elem(n.Tag).XMLNS(svgSpace)
		for i := 1; i < len(n.Attr); i += 2 {
			e.Attr(n.Attr[i-1], n.Attr[i])
		}
		return e.Body(drawnAll(n.Body)...)
	}
	e := El(n.Tag, n.Attr...)
	if len(n.Body) == 0 {
		return e.Text(n.Text)
	}
	return e.Body(drawnAll(n.Body)...)
}

func drawnAll(nodes []browser.Node) []app.UI {
	out := make([]app.UI, len(nodes))
	for i, n := range nodes {
		out[i] = Drawn(n)
	}
	return out
}

func iconNode(name, class string) browser.Node {
	return around(node("svg", "viewBox", "0 0 20 20", "aria-hidden", "true", "class", class), node("path", "d", icons[name]))
}

func smallIcon(name string) browser.Node { return iconNode(name, "icon icon--small") }

func statusNode(tone model.Tone, text string) browser.Node {
	return around(node("span", "class", "status status--"+string(tone), "data-testid", "status"), smallIcon(toneIcons[tone]), textNode("status__words", text))
}

// posterNode is described at Poster.
func posterNode(thumb, file string, width int, class string) browser.Node {
	preload := "metadata"
	var picture []browser.Node
	if thumb != "" {
		preload = "none"
		picture = append(picture, node("img", "class", class, "src", Thumb(thumb, width), "alt", "", "loading", "lazy", "decoding", "async", "draggable", "false",
			"data-optional", "true"))
	}
	video := node("video", "class", class, "src", file, "preload", preload, "muted", "true", "loop", "true", "playsinline", "true", "tabindex", "-1", "aria-hidden", "true")
	return browser.Node{Tag: "span", Attr: []string{"class", "poster"}, Fresh: file, Body: append([]browser.Node{video}, picture...)}
}

// progressNode is a bar of which a share, 0 to 1, is full.
func progressNode(share float64) browser.Node {
	return around(node("span", "class", "progress"), node("span", "class", "progress__bar", "style", "transform:scaleX("+words.Decimal(max(share, .04), 3)+")"))
}
