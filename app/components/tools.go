package components

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/model"
	"atelier/app/words"
)

// ToolPort hears which tool was taken and what it should do.
type ToolPort interface {
	UseTool(tool string)
	MaskAction(action string)
	// MaskSet changes something of the mask desk: a setting, or a slider of the panel.
	MaskSet(name, value string)
}

// Tools is the column of mask tools over the stage.
type Tools struct {
	app.Compo
	Tool    string
	Desk    model.MaskDesk
	CanUndo bool
	CanRedo bool
	Flipped bool // the tint is on what is redrawn
	Panel   bool // the panel beside the stage is open
	Keys    model.Keymap
	port    ToolPort
}

// NewTools makes the column; t says what it shows.
func NewTools(t Tools, port ToolPort) *Tools {
	t.port = port
	return &t
}

// Render implements app.Composer.
func (t *Tools) Render() app.UI {
	return El("div", "class", "tools", "role", "toolbar", "aria-label", words.MaskTools, "aria-orientation", "vertical", "data-over", "tools").Body(
		Box("tools__row",
			t.tool("brush", words.ToolBrush),
			t.tool("eraser", words.ToolEraser),
			t.tool("lasso", words.ToolLasso),
			t.tool("polygon", words.ToolPolygon),
			t.tool("rect", words.ToolRectangle),
			t.tool("ellipse", words.ToolEllipse),
			t.tool("wand", words.ToolWand),
			t.tool("bucket", words.ToolBucketTip),
			t.tool("smart", words.ToolSmart),
			t.tool("hand", words.ToolHand),
		),
		El("span", "class", "tools__line"),
		Box("tools__row tools__row--fixed",
			t.action(model.DoUndo, "undo", words.Undo).Attr("disabled", !t.CanUndo),
			t.action(model.DoRedo, "redo", words.ToolRedo).Attr("disabled", !t.CanRedo),
			t.action(model.DoFlip, "flip", words.ToolFlip).Attr("aria-pressed", Bool(t.Flipped)),
			t.action(model.DoPanel, "refine", words.ToolPanel).Attr("aria-pressed", Bool(t.Panel)),
		),
	)
}

func (t *Tools) tool(name, label string) app.UI {
	return KeyButton(name, label, t.Keys, name).Attr("aria-pressed", Bool(t.Tool == name)).Attr("data-testid", "tool-"+name).
		OnClick(func(app.Context, app.Event) { t.port.UseTool(name) }, Scope(name))
}

func (t *Tools) action(name, icon, label string) app.HTMLElem {
	return KeyButton(icon, label, t.Keys, name).Attr("data-testid", "mask-"+name).
		OnClick(func(app.Context, app.Event) { t.port.MaskAction(name) }, Scope(name))
}

// Slider is a setting of the mask desk between two whole numbers; label is short, written writes a value for people.
func Slider(name, label, help string, written func(int) string, value, low, high int, port ToolPort) app.UI {
	return El("label", "class", "slider", "title", help).Body(
		Text("span", "slider__label", label),
		Void("input", "class", "range", "type", "range", "min", words.Number(low), "max", words.Number(high),
			"value", words.Number(value), "data-testid", name).
			OnInput(func(_ app.Context, e app.Event) { port.MaskSet(name, textOf(e)) }, Scope(name)),
		Text("span", "slider__value", written(value)),
	)
}

// ToolOptions is what the tool in hand can be set to, on a quiet line beside the tools; nil when there is nothing.
type ToolOptions struct {
	Tool     string
	Desk     model.MaskDesk
	Drawing  bool   // a polygon is in the making
	Work     string // what is being done, "" for nothing
	Progress float64
	Waiting  bool // how far it is is not known
	Keys     model.Keymap
}

// share is how far the work is, under 0 when that is not known.
func (o ToolOptions) share() float64 {
	if o.Waiting {
		return -1
	}
	return o.Progress
}

// Render shows the options.
func (o ToolOptions) Render(port ToolPort) app.UI {
	row := []app.UI{}
	tip := o.Desk.Tip(o.Tool)
	switch {
	case o.Work != "":
		return El("div", "class", "stage__options", "data-over", "options", "role", "status", "data-testid", "mask-work").Body(
			Text("span", "stage__doing", words.Doing(o.Work, o.share())),
			Button("", words.Cancel, "button--small").Attr("data-testid", "mask-cancel").OnClick(func(app.Context, app.Event) { port.MaskAction("give-up") }),
		)
	case model.Brushed(o.Tool):
		row = append(row,
			Slider("brush-size", words.TipSize, join(words.TipSizeTip, o.Keys.Tip("smaller")+" "+o.Keys.Tip("larger")), words.Count, tip.Size, model.MinBrush, model.MaxBrush, port),
			Slider("brush-hardness", words.TipEdge, join(words.TipEdgeTip, o.Keys.Tip("softer")+", "+o.Keys.Tip("harder")), words.InPercent, tip.Hardness, 0, 100, port))
	case o.Tool == model.ToolBucket:
		row = append(row, Text("span", "stage__doing", words.BucketHint))
	case o.Tool == model.ToolSmart:
		row = append(row, Segmented(words.ToolSmart, []Choice{
			{Value: model.SmartBox, Title: words.SmartBox, Help: words.SmartBoxTip},
			{Value: model.SmartKeep, Title: words.SmartAdd, Help: words.SmartAddTip},
			{Value: model.SmartRedraw, Title: words.SmartTakeAway, Help: words.SmartTakeAwayTip},
		}, o.Desk.Smart, func(v string) { port.MaskSet("smart", v) }))
	}
	if o.Tool == model.ToolWand {
		row = append(row,
			Slider("wand-tolerance", words.WandTolerance, words.WandToleranceTip, words.Count, o.Desk.Tolerance, 0, model.MaxTolerance, port),
			Toggle("wand-whole", words.WandWhole, o.Desk.Whole, port))
	}
	if bucket := o.Tool == model.ToolBucket; bucket || model.Selects(o.Tool) {
		joins, joined := []Choice{
			{Value: model.JoinAdd, Title: words.Keep, Help: words.SelectionKeepTip},
			{Value: model.JoinSubtract, Title: words.Redraw, Help: join(words.SelectionRedrawTip, words.KeyAlt)},
			{Value: model.JoinIntersect, Title: words.SelectionOnly, Help: join(words.SelectionOnlyTip, words.OnKeys(words.KeyMod, o.Keys.Mac))},
		}, o.Desk.Join
		if bucket { // it fills or empties
			joins, joined = joins[:2], Pick(joined == model.JoinSubtract, joined, model.JoinAdd)
		}
		row = append(row, Segmented(words.Selection, joins, joined, func(v string) { port.MaskSet("join", v) }))
	}
	if o.Drawing {
		row = append(row, Button("check", words.Close, "button--small").Attr("data-testid", "polygon-close").OnClick(func(app.Context, app.Event) { port.MaskAction("close-polygon") }))
	}
	if len(row) == 0 {
		return nil
	}
	return El("div", "class", "stage__options", "data-over", "options", "data-testid", "tool-options").Body(row...)
}

// Toggle is a setting of the mask desk that is on or off.
func Toggle(name, label string, on bool, port ToolPort) app.UI {
	input := Void("input", "class", "switch__input", "type", "checkbox", "role", "switch", "data-testid", name)
	if on {
		input = input.Attr("checked", "true")
	}
	return El("label", "class", "switch").Body(
		input.OnChange(func(_ app.Context, e app.Event) { port.MaskSet(name, Bool(e.Get("target").Get("checked").Bool())) }, Scope(name)),
		Text("span", "", label))
}

// Legend says in words which tint means what; with flipped the redrawn part is tinted. The colours are those of the desk.
func Legend(flipped bool, kept float64, desk model.MaskDesk) app.UI {
	return El("div", "class", "legend", "data-testid", "legend").Body(
		El("span", "class", "legend__item").Body(swatch(desk, desk.Keep, true, flipped), Text("span", "", words.Keep)),
		El("span", "class", "legend__item").Body(swatch(desk, desk.Redraw, false, flipped), Text("span", "", words.Redraw)),
		El("span", "class", "legend__kept", "data-testid", "kept").Text(words.MaskKept(kept)),
	)
}

// swatch shows how what is kept, or else what is redrawn, looks on the stage.
func swatch(desk model.MaskDesk, tint string, keep, flipped bool) app.UI {
	class := "legend__swatch"
	switch marked := keep != flipped; {
	case desk.Show == model.ShowMask:
		class += Pick(marked, " legend__swatch--white", " legend__swatch--dark")
	case desk.Show == model.ShowStrong && !marked:
		class += " legend__swatch--dark"
	case desk.Show == model.ShowTint && marked:
		class += " legend__swatch--tint tint--" + tint
	}
	return El("span", "class", class)
}
