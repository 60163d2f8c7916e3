package components

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// The studio builds its elements with these few functions rather than with one chained call per attribute: such a chain
// is several times larger in the download of every visitor.

// El makes an element from its tag and the names and values of its attributes, in pairs.
func El(tag string, attributes ...string) app.HTMLElem {
	e := app.Elem(tag)
	for i := 1; i < len(attributes); i += 2 {
		e.Attr(attributes[i-1], attributes[i])
	}
	return e
}

// Void makes an element that has no content: an img, an input.
func Void(tag string, attributes ...string) app.HTMLElemSelfClosing {
	e := app.ElemSelfClosing(tag)
	for i := 1; i < len(attributes); i += 2 {
		name, value := attributes[i-1], attributes[i]
		if name == "alt" && value == "" {
			name, value = "role", "presentation" // the framework drops empty attributes, and an img without alt is read out by its address
		}
		e.Attr(name, value)
	}
	return e
}

// Box makes a div of a class around its content.
func Box(class string, content ...app.UI) app.UI {
	return app.Elem("div").Class(class).Body(content...)
}

// Text makes an element of a class, "" for none, around a text.
func Text(tag, class, text string) app.UI {
	e := app.Elem(tag).Text(text)
	if class != "" {
		e.Class(class)
	}
	return e
}

// Bool writes a truth as attributes want it.
//
//go:noinline
func Bool(b bool) string { return Pick(b, "true", "false") }

// Pick chooses between two words.
//
//go:noinline
func Pick(b bool, yes, no string) string {
	if b {
		return yes
	}
	return no
}

// If is the element that view makes, while shown. It and Scope stand for the framework's own, which would be copied into
// every place they are called from.
//
//go:noinline
func If(shown bool, view func() app.UI) app.Condition { return app.If(shown, view) }

// Scope tells a handler in a list apart from those of its neighbours.
//
//go:noinline
func Scope(parts ...any) app.EventOption { return app.EventScope(parts...) }
