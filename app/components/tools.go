package components

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/model"
)

// ToolPort hears which tool was taken and what it should do.
type ToolPort interface {
	UseTool(ctx app.Context, tool string)
	MaskAction(ctx app.Context, action string)
}

// Tools is the column of mask tools over the stage.
type Tools struct {
	app.Compo
	Tool    string
	CanUndo bool
	CanRedo bool
	Flipped bool // the tint is on what is redrawn
	port    ToolPort
}

// NewTools makes the column.
func NewTools(tool string, canUndo, canRedo, flipped bool, port ToolPort) *Tools {
	return &Tools{Tool: tool, CanUndo: canUndo, CanRedo: canRedo, Flipped: flipped, port: port}
}

// Render implements app.Composer.
func (t *Tools) Render() app.UI {
	return app.Div().Class("tools").Attr("role", "toolbar").Attr("aria-label", "Mask tools").Attr("aria-orientation", "vertical").Body(
		t.tool("brush", "brush", "Brush: paint what to keep", "B"),
		t.tool("eraser", "eraser", "Eraser", "E"),
		t.tool("lasso", "lasso", "Lasso", "L"),
		t.tool("rect", "rect", "Rectangle", "M"),
		t.tool("hand", "hand", "Move the picture", "Space"),
		app.Elem("span").Class("tools__line"),
		t.action("undo", "Undo", "Ctrl Z").Attr("disabled", !t.CanUndo),
		t.action("redo", "Redo", "Ctrl Shift Z").Attr("disabled", !t.CanRedo),
		app.Elem("span").Class("tools__line"),
		t.action("invert", "Invert: swap Keep and Redraw", "I"),
		t.action("flip", "Show Redraw in place of Keep", "X").Attr("aria-pressed", boolean(t.Flipped)),
		t.action("clear", "Clear the mask", ""),
	)
}

func (t *Tools) tool(name, icon, label, key string) app.UI {
	return IconButton(icon, label, key).Attr("aria-pressed", boolean(t.Tool == name)).Attr("data-testid", "tool-"+name).
		OnClick(func(ctx app.Context, _ app.Event) { t.port.UseTool(ctx, name) }, app.EventScope(name))
}

func (t *Tools) action(name, label, key string) app.HTMLElem {
	icon := name
	if name == "clear" {
		icon = "trash"
	}
	return IconButton(icon, label, key).Attr("data-testid", "mask-"+name).
		OnClick(func(ctx app.Context, _ app.Event) { t.port.MaskAction(ctx, name) }, app.EventScope(name))
}

// BrushSize is the slider for the size of the brush.
func BrushSize(size int, input app.EventHandler) app.UI {
	return app.Elem("label").Class("brush-size").Attr("title", "Size of the brush  [ ]").Body(
		app.Elem("span").Class("brush-size__label").Text("Size"),
		app.ElemSelfClosing("input").Class("range").Attr("type", "range").Attr("min", strconv.Itoa(model.MinBrush)).Attr("max", strconv.Itoa(model.MaxBrush)).
			Attr("value", strconv.Itoa(size)).Attr("data-testid", "brush-size").OnInput(input),
		app.Elem("span").Class("brush-size__value").Text(strconv.Itoa(size)),
	)
}

// Legend says in words which tint means what; with flipped the redrawn part is tinted.
func Legend(flipped bool, kept float64) app.UI {
	keep, redraw := "legend__swatch legend__swatch--tint", "legend__swatch"
	if flipped {
		keep, redraw = redraw, "legend__swatch legend__swatch--tint legend__swatch--redraw"
	}
	return app.Div().Class("legend").Attr("data-testid", "legend").Body(
		app.Elem("span").Class("legend__item").Body(app.Elem("span").Class(keep), app.Elem("span").Text("Keep")),
		app.Elem("span").Class("legend__item").Body(app.Elem("span").Class(redraw), app.Elem("span").Text("Redraw")),
		app.Elem("span").Class("legend__kept").Attr("data-testid", "kept").Text(model.Percent(kept)+" kept"),
	)
}
