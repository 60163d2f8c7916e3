package components

import (
	"slices"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/model"
	"atelier/app/words"
)

// The elements of the desk that are measured and moved without a render.
const (
	DeskID     = "desk"
	DeskAreaID = "desk-area"
	// DeskSplitID is the slider of the line between before and after.
	DeskSplitID = "desk-split"
)

// DeskPictureID is the element of a cell that zoom and pan move.
func DeskPictureID(slot int) string { return "desk-picture-" + words.Number(slot) }

// DeskCellID is the element of a cell.
func DeskCellID(slot int) string { return "desk-cell-" + words.Number(slot) }

// DeskCell is one picture on the desk.
type DeskCell struct {
	Key            string // "" for the source
	Caption        string
	Number         int    // of a result, from 1; stands for the caption where there is little room
	Label          string // for those who do not see it
	Thumb, File    string
	Source, Heat   string // what the looks lay below and above it, "" for nothing
	Sharp          bool   // load the file itself, not only a smaller copy
	Width, Height  int    // of the picture, px
	View           model.View
	Active, Hidden bool
	Pick           string
	Rating         int
	Score          string
	Changed        bool
	Doubt          string // where the edge of the kept part is in doubt, "" where it is not
	Reason         string // why the kept part cannot be compared, "" where it can
	Apart          bool   // of another shape than the source, and not laid over it
}

// DeskPort hears what is done on the desk.
type DeskPort interface {
	ToastPort
	CloseDesk()
	LookDesk(look string)
	LayOutDesk()
	ZoomDesk()
	SplitDesk(percent float64)
	DeliverPicks()
	JudgeDesk() VerdictPort
	TrashDesk()
}

// Desk lays a source and its results side by side.
type Desk struct {
	app.Compo
	Title   string
	Cells   []DeskCell
	Columns int
	One     bool // one at a time
	Look    string
	Percent int
	Verdict model.Verdict
	Picks   int
	Source  bool // there is a source to compare with
	Others  bool // what is looked at is shown by somebody else: it is not judged here
	Toasts  []Toast
	Keys    model.Keymap
	port    DeskPort
}

// NewDesk makes a desk from its fields.
func NewDesk(d Desk, port DeskPort) *Desk {
	return &Desk{
		Title: d.Title, Cells: d.Cells, Columns: d.Columns, One: d.One, Look: d.Look, Percent: d.Percent, Verdict: d.Verdict, Picks: d.Picks, Source: d.Source, Others: d.Others, Toasts: d.Toasts, Keys: d.Keys, port: port,
	}
}

// Render implements app.Composer.
func (d *Desk) Render() app.UI {
	if len(d.Cells) == 0 {
		return El("div", "class", "desk__box").Body(El("header", "class", "desk__bar"), El("div", "id", DeskAreaID))
	}
	cells := make([]app.UI, len(d.Cells))
	for i, c := range d.Cells {
		cells[i] = d.cell(i, c)
	}
	bar := d.Source || d.Look != model.LookResult
	return El("div", "class", "desk__box", "data-testid", "desk").Body(
		El("header", "class", "desk__bar").Body(
			Text("span", "desk__title", d.Title),
			If(!d.Others, func() app.UI { return NewVerdict("desk", d.Verdict, d.Keys, d.port.JudgeDesk()) }),
			Box("desk__tools",
				If(bar, func() app.UI { return d.looks() }),
				IconButton("grid", words.DeskAllAtOnce, words.KeyEnter).Attr("aria-pressed", Bool(!d.One)).Attr("data-testid", "desk-layout").OnClick(d.onLayOut),
				Keyed(Button("", words.Zoom(d.Percent), "button--quiet desk__percent"), words.DeskZoom, d.Keys, model.DoZoom).Attr("data-testid", "desk-zoom").OnClick(d.onZoom),
				KeyButton("full", words.LightboxFullScreen, d.Keys, model.DoFull).OnClick(d.onFull),
				If(!d.Others, func() app.UI {
					return KeyButton("trash", words.ResultTrash, d.Keys, model.DoTrash).Attr("data-testid", "desk-trash").OnClick(d.onTrash)
				}),
				If(!d.Others, func() app.UI {
					return Button("download", words.DeskDeliver(d.Picks), "").Attr("disabled", Bool(d.Picks == 0)).Attr("data-testid", "desk-deliver").OnClick(d.onDeliver)
				}),
				IconButton("close", words.Close, words.KeyEscape).Class("desk__close").Attr("data-testid", "desk-close").OnClick(d.onClose),
			),
		),
		El("div", "class", "desk__area"+Pick(d.One, " desk__area--one", ""), "id", DeskAreaID, "data-testid", "desk-area", "data-look", d.Look, "tabindex", "-1",
			"role", "group", "aria-label", words.DeskArea).Style("--columns", words.Number(d.Columns)).Body(cells...),
		El("label", "class", "desk__split").Hidden(d.Look != model.LookSplit || !slices.ContainsFunc(d.Cells, DeskCell.over)).Body(
			Text("span", "visually-hidden", words.CompareSplit),
			Void("input", "id", DeskSplitID, "class", "range", "type", "range", "min", "0", "max", "100", "step", "1", "value", "50", "data-testid", "desk-split").OnInput(d.onSplit)),
		Toasts(d.Toasts, d.port),
	)
}

// over says whether a cell is seen over its source.
func (c DeskCell) over() bool { return c.Source != "" && !c.Hidden }

func (d *Desk) looks() app.UI {
	return Segmented(words.DeskLook, []Choice{
		{Value: model.LookResult, Title: words.DeskLookResult, Help: words.DeskLookResultTip},
		{Value: model.LookSplit, Title: words.DeskLookSplit, Help: join(words.DeskLookSplitTip, d.Keys.Tip(model.DoSplit)), Keys: d.Keys.Aria(model.DoSplit)},
		{Value: model.LookDifference, Title: words.DeskLookDifference, Help: join(words.DeskLookDifferenceTip, d.Keys.Tip(model.DoDifference)), Keys: d.Keys.Aria(model.DoDifference)},
		{Value: model.LookHeat, Title: words.DeskLookHeat, Help: join(words.DeskLookHeatTip, d.Keys.Tip(model.DoHeat)), Keys: d.Keys.Aria(model.DoHeat)},
	}, d.Look, d.port.LookDesk)
}

func (d *Desk) cell(slot int, c DeskCell) app.UI {
	px := func(n int) string { return words.Number(n) + "px" }
	class := "desk__cell" + Pick(c.Active, " desk__cell--active", "") + Pick(c.Pick == "reject", " desk__cell--rejected", "") + Pick(c.Source != "", " desk__cell--over", "")
	picture := func(kind, source string) app.UI {
		if source == "" {
			return app.Elem("img").Hidden(true)
		}
		return Void("img", "class", "desk__picture desk__picture--"+kind, "src", source, "alt", "", "draggable", "false", "decoding", Pick(c.Active, "sync", "async"))
	}
	body := []app.UI{
		Box("desk__frame", El("div", "class", "desk__stack", "id", DeskPictureID(slot)).
			Style("width", px(c.Width)).Style("height", px(c.Height)).Style("transform", DeskTransform(c.View)).Body(
			picture("source", c.Source), picture("thumb", c.Thumb), picture("file", Pick(c.Sharp, c.File, "")), picture("heat", c.Heat))),
		El("div", "class", "desk__caption").Body(
			If(c.Pick != "", func() app.UI {
				return El("span", "class", "tile__pick").Body(SmallIcon(Pick(c.Pick == "pick", "flag", "close")))
			}),
			If(c.Number > 0, func() app.UI {
				return El("span", "class", "desk__number", "aria-hidden", "true").Text(words.Number(c.Number))
			}),
			Text("span", "desk__name", c.Caption),
			If(c.Rating > 0, func() app.UI { return Text("span", "tile__stars", "★★★★★"[:3*c.Rating]) }),
			If(c.Score != "", func() app.UI {
				class, icon := "desk__score", "check"
				switch {
				case c.Changed:
					class, icon = class+" desk__score--changed", "alert"
				case c.Doubt != "":
					class, icon = class+" desk__score--doubt", "help"
				}
				score := El("span", "class", class)
				if c.Doubt != "" {
					score = score.Attr("title", c.Doubt)
				}
				return score.Body(SmallIcon(icon), Text("span", "", c.Score), If(c.Doubt != "", func() app.UI { return Text("span", "desk__word", words.EdgeInDoubt) }))
			}),
			If(c.Reason != "", func() app.UI {
				return El("span", "class", "desk__score desk__score--none", "title", words.NotComparable(c.Reason)).Body(SmallIcon("info"), Text("span", "", words.NoComparison))
			}),
			If(c.Apart, func() app.UI {
				return El("span", "class", "desk__apart", "title", words.DeskApartTip, "data-testid", "desk-apart").Body(SmallIcon("compare"), Text("span", "desk__word", words.DeskApart))
			}),
		),
	}
	cell := El("div", "class", class, "id", DeskCellID(slot), "data-testid", "desk-cell", "data-key", c.Key, "data-pick", c.Pick, "data-rating", words.Number(c.Rating),
		"aria-label", c.Label).Hidden(false)
	if c.Hidden {
		cell = cell.Attr("aria-hidden", "true").Class("desk__cell--ahead")
	}
	if c.Key == "" {
		return cell.Attr("role", "img").Body(body...)
	}
	return cell.Attr("role", "button").Attr("aria-pressed", Bool(c.Active)).Attr("tabindex", Pick(c.Active && !c.Hidden, "0", "-1")).Body(body...)
}

// DeskTransform is where a picture lies, for CSS.
func DeskTransform(v model.View) string {
	return "translate(" + words.Decimal(v.X, 2) + "px," + words.Decimal(v.Y, 2) + "px) scale(" + words.Decimal(v.Scale, 5) + ")"
}

func (d *Desk) onClose(app.Context, app.Event)   { d.port.CloseDesk() }
func (d *Desk) onLayOut(app.Context, app.Event)  { d.port.LayOutDesk() }
func (d *Desk) onZoom(app.Context, app.Event)    { d.port.ZoomDesk() }
func (d *Desk) onFull(app.Context, app.Event)    { browser.ToggleFullScreen(DeskID) }
func (d *Desk) onDeliver(app.Context, app.Event) { d.port.DeliverPicks() }
func (d *Desk) onTrash(app.Context, app.Event)   { d.port.TrashDesk() }

func (d *Desk) onSplit(ctx app.Context, e app.Event) {
	if percent, err := strconv.ParseFloat(textOf(e), 64); err == nil {
		d.port.SplitDesk(percent)
	}
	ctx.PreventUpdate()
}
