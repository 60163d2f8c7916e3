package components

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/model"
)

// ToolPort hears which tool was taken and what it should do.
type ToolPort interface {
	UseTool(tool string)
	MaskAction(action string)
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
	return El("div", "class", "tools", "role", "toolbar", "aria-label", "Mask tools", "aria-orientation", "vertical").Body(
		t.tool("brush", "brush", "Brush: paint what to keep", "B"),
		t.tool("eraser", "eraser", "Eraser", "E"),
		t.tool("lasso", "lasso", "Lasso", "L"),
		t.tool("rect", "rect", "Rectangle", "M"),
		t.tool("hand", "hand", "Move the picture", "Space"),
		El("span", "class", "tools__line"),
		t.action("undo", "Undo", "Ctrl Z").Attr("disabled", !t.CanUndo),
		t.action("redo", "Redo", "Ctrl Shift Z").Attr("disabled", !t.CanRedo),
		El("span", "class", "tools__line"),
		t.action("invert", "Invert: swap Keep and Redraw", "I"),
		t.action("flip", "Show Redraw in place of Keep", "X").Attr("aria-pressed", Bool(t.Flipped)),
		t.action("clear", "Clear the mask", ""),
	)
}

func (t *Tools) tool(name, icon, label, key string) app.UI {
	return IconButton(icon, label, key).Attr("aria-pressed", Bool(t.Tool == name)).Attr("data-testid", "tool-"+name).
		OnClick(func(app.Context, app.Event) { t.port.UseTool(name) }, Scope(name))
}

func (t *Tools) action(name, label, key string) app.HTMLElem {
	icon := name
	if name == "clear" {
		icon = "trash"
	}
	return IconButton(icon, label, key).Attr("data-testid", "mask-"+name).
		OnClick(func(app.Context, app.Event) { t.port.MaskAction(name) }, Scope(name))
}

// BrushSize is the slider for the size of the brush.
func BrushSize(size int, input app.EventHandler) app.UI {
	return El("label", "class", "brush-size", "title", "Size of the brush  [ ]").Body(
		Text("span", "brush-size__label", "Size"),
		Void("input", "class", "range", "type", "range", "min", model.Number(model.MinBrush), "max", model.Number(model.MaxBrush),
			"value", model.Number(size), "data-testid", "brush-size").OnInput(input),
		Text("span", "brush-size__value", model.Number(size)),
	)
}

// Legend says in words which tint means what; with flipped the redrawn part is tinted.
func Legend(flipped bool, kept float64) app.UI {
	keep, redraw := "legend__swatch legend__swatch--tint", "legend__swatch"
	if flipped {
		keep, redraw = redraw, "legend__swatch legend__swatch--tint legend__swatch--redraw"
	}
	return El("div", "class", "legend", "data-testid", "legend").Body(
		El("span", "class", "legend__item").Body(El("span", "class", keep), Text("span", "", "Keep")),
		El("span", "class", "legend__item").Body(El("span", "class", redraw), Text("span", "", "Redraw")),
		El("span", "class", "legend__kept", "data-testid", "kept").Text(model.Percent(kept)+" kept"),
	)
}
