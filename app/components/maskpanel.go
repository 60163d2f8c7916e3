package components

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
	"atelier/imaging/mask"
)

// MaskPanel is what is rarely needed of the mask desk, on five pages beside the stage.
type MaskPanel struct {
	app.Compo
	Tab  string // one of the Tab constants
	Desk model.MaskDesk
	Busy bool   // something is being done
	Note string // what the last thing done has come to

	// Refine
	Begun                 bool // something is painted
	Grow, Feather, Smooth int  // where the sliders stand
	Firm                  bool // soft edges are shown as they are sent
	Area                  int  // up to how many pixels something is a speck or a hole

	// Regions
	Regions []mask.Region
	Total   int // of regions, those not listed included
	Marked  int // the region that is outlined, -1 for none
	Kind    string
	Fields  [4]string // x, y, width, height of a shape given in numbers

	// Saved
	SavedState model.Load
	Saved      []atelier.Mask // of this picture
	Others     []atelier.Mask // of other pictures of the same size
	Renaming   atelier.MaskID // the one whose name is being changed, "" for none

	// History
	History []mask.Entry
	Done    int

	// View
	Angle int // degrees
	Keys  model.Keymap

	port ToolPort
}

// The pages of the panel.
const (
	TabRefine  = "refine"
	TabRegions = "regions"
	TabSaved   = "saved"
	TabHistory = "history"
	TabView    = "view"
)

// The ids of fields the page reads and fills.
const (
	MaskNameID   = "mask-name"
	MaskRenameID = "mask-rename"
	MaskImportID = "mask-import"
)

// ShapeFieldIDs are the fields of a shape given in numbers: x, y, width, height.
var ShapeFieldIDs = [4]string{"shape-x", "shape-y", "shape-w", "shape-h"}

// NewMaskPanel makes the panel; p says what it shows.
func NewMaskPanel(p MaskPanel, port ToolPort) *MaskPanel {
	p.port = port
	return &p
}

// Render implements app.Composer.
func (p *MaskPanel) Render() app.UI {
	pages := map[string]func() []app.UI{TabRefine: p.refine, TabRegions: p.regions, TabSaved: p.saved, TabHistory: p.history, TabView: p.view}
	return El("aside", "class", "maskpanel", "aria-label", words.MaskPanel, "data-testid", "mask-side", "data-tab", p.Tab).Body(
		Box("maskpanel__head",
			Segmented(words.MaskPanelPages, []Choice{
				{Value: TabRefine, Title: words.MaskTabRefine},
				{Value: TabRegions, Title: words.MaskTabRegions},
				{Value: TabSaved, Title: words.MaskTabSaved},
				{Value: TabHistory, Title: words.MaskTabHistory},
				{Value: TabView, Title: words.MaskTabView},
			}, p.Tab, func(v string) { p.port.MaskSet("tab", v) }),
			KeyButton("close", words.MaskPanelClose, p.Keys, model.DoPanel).Attr("data-testid", "mask-panel-close").OnClick(p.do("panel"), Scope("panel")),
		),
		Box("maskpanel__body", append(pages[p.Tab](),
			If(p.Note != "", func() app.UI {
				return El("p", "class", "maskpanel__note", "role", "status", "data-testid", "mask-note").Text(p.Note)
			}))...),
	)
}

func (p *MaskPanel) do(action string) app.EventHandler {
	return func(app.Context, app.Event) { p.port.MaskAction(action) }
}

func (p *MaskPanel) set(name, value string) app.EventHandler {
	return func(app.Context, app.Event) { p.port.MaskSet(name, value) }
}

// button does an action of the mask desk.
func (p *MaskPanel) button(action, icon, label string) app.HTMLElem {
	return Button(icon, label, "button--small").Attr("data-testid", "mask-"+action).OnClick(p.do(action), Scope(action))
}

func group(title string, content ...app.UI) app.UI {
	return El("section", "class", "maskpanel__group").Body(append([]app.UI{Text("h3", "maskpanel__title", title)}, content...)...)
}

// starts are the regions a mask can start from (Run API, "Mask and enum semantics"), and all but the subject.
var starts = []struct{ kind, title, help string }{
	{"autoSubjectSegment", words.MaskSubject, words.MaskSubjectTip},
	{model.StartBackground, words.MaskBackground, words.MaskBackgroundTip},
	{"autoApparelSegment", words.MaskOutfit, words.MaskOutfitTip},
	{"autoUpperApparelSegment", words.MaskTop, words.MaskTopTip},
	{"autoLowerApparelSegment", words.MaskBottom, words.MaskBottomTip},
	{"autoHumanSegment", words.MaskAllButFace, words.MaskAllButFaceTip},
	{"inverseAutoHumanSegment", words.MaskFace, words.MaskFaceTip},
}

func (p *MaskPanel) refine() []app.UI {
	chips := make([]app.UI, len(starts))
	for i, s := range starts {
		chips[i] = El("button", "type", "button", "class", "chip", "title", s.help, "data-testid", "start-"+s.kind, "disabled", Bool(p.Busy)).
			Text(s.title).OnClick(p.set("start", s.kind), Scope(s.kind))
	}
	area := Void("input", "class", "input input--number input--small", "type", "number", "min", "1", "max", "99999", "inputmode", "numeric",
		"aria-label", words.RefineArea, "title", words.RefineAreaTip, "value", words.Number(p.Area), "data-testid", "clean-area").
		OnInput(func(_ app.Context, e app.Event) { p.port.MaskSet("area", textOf(e)) })
	return []app.UI{
		group(words.MaskStartFrom, El("div", "class", "maskpanel__chips", "role", "group", "aria-label", words.MaskStartFrom).Body(chips...)),
		group(words.RefineEdge,
			Slider("grow", words.RefineGrow, words.RefineGrowTip, words.Pixels, p.Grow, -64, 64, p.port),
			Slider("feather", words.RefineFeather, words.RefineFeatherTip, words.Pixels, p.Feather, 0, 64, p.port),
			Box("maskpanel__row", // of every agent: bff/media.TakeMask stores and sends hard masks
				Toggle("firm", words.RefineFirm, p.Firm, p.port),
				Text("p", "maskpanel__hint", words.RefineFirmHint)),
			Slider("smooth", words.RefineSmooth, words.RefineSmoothTip, words.Pixels, p.Smooth, 0, 48, p.port),
		),
		group(words.RefineClean,
			Box("maskpanel__row", area, Text("span", "", words.RefinePixels),
				Button("", words.RefineHoles, "button--small").Attr("data-testid", "mask-holes").OnClick(p.set("holes", ""), Scope("holes")),
				Button("", words.RefineSpecks, "button--small").Attr("data-testid", "mask-specks").OnClick(p.set("specks", ""), Scope("specks")))),
		group(words.RefineAll,
			Box("maskpanel__row", p.button("invert", "invert", words.RefineInvert), p.button("all", "", words.RefineKeepAll), p.button("clear", "trash", words.RefineClear))),
	}
}

func (p *MaskPanel) regions() []app.UI {
	rows := []app.UI{}
	for i, r := range p.Regions {
		at := strconv.Itoa(i)
		rows = append(rows, El("li", "class", "region").Body(
			El("button", "type", "button", "class", "region__words", "aria-pressed", Bool(i == p.Marked), "data-testid", "region").
				Text(model.RegionWords(i+1, r)).OnClick(p.set("region", at), Scope(i, r.At.X, r.At.Y)),
			Button("", Pick(r.Kept, words.Redraw, words.Keep), "button--small").Attr("data-testid", "region-flip").
				Attr("aria-label", words.MaskFlipRegion(i+1, r.Kept)).OnClick(p.set("region-flip", at), Scope(i, r.At.X, r.At.Y, r.Kept)),
		))
	}
	more := ""
	if n := p.Total - len(p.Regions); n > 0 {
		more = words.MaskMoreRegions(n)
	}
	fields := []app.UI{}
	for i, label := range []string{words.ShapeLeft, words.ShapeTop, words.ShapeWidth, words.ShapeHeight} {
		fields = append(fields, El("label", "class", "maskpanel__field").Body(Text("span", "", label),
			Void("input", "id", ShapeFieldIDs[i], "class", "input input--number input--small", "type", "number", "inputmode", "numeric", "value", p.Fields[i], "data-testid", ShapeFieldIDs[i]).
				OnInput(func(_ app.Context, e app.Event) { p.port.MaskSet(ShapeFieldIDs[i], textOf(e)) }, Scope(i))))
	}
	return []app.UI{
		group(words.RegionsTitle,
			El("ol", "class", "regions", "data-testid", "regions", "aria-busy", Bool(p.Busy)).Body(rows...),
			If(more != "", func() app.UI { return Text("p", "maskpanel__hint", more) }),
			If(p.Busy && len(rows) == 0, func() app.UI { return Text("p", "maskpanel__hint", words.RegionsLooking) })),
		group(words.ShapeTitle,
			Segmented(words.ShapeKind, []Choice{{Value: model.ToolRect, Title: words.ToolRectangle}, {Value: model.ToolEllipse, Title: words.ToolEllipse}}, p.Kind, func(v string) { p.port.MaskSet("shape-kind", v) }),
			Box("maskpanel__fields", fields...),
			Box("maskpanel__row",
				Button("", words.Keep, "button--small").Attr("data-testid", "shape-add").OnClick(p.set("shape", model.JoinAdd), Scope("a")),
				Button("", words.Redraw, "button--small").Attr("data-testid", "shape-subtract").OnClick(p.set("shape", model.JoinSubtract), Scope("s")),
				Button("", words.ShapeOnlyThis, "button--small").Attr("data-testid", "shape-intersect").OnClick(p.set("shape", model.JoinIntersect), Scope("i")))),
	}
}

func (p *MaskPanel) saved() []app.UI {
	return []app.UI{
		group(words.SavedTitle,
			Box("maskpanel__row",
				Void("input", "id", MaskNameID, "class", "input input--small", "type", "text", "maxlength", "100", "placeholder", words.SavedName, "aria-label", words.SavedNameLabel, "data-testid", MaskNameID),
				Button("save", words.Save, "button--small").Attr("data-testid", "mask-save").Attr("disabled", Bool(!p.Begun)).OnClick(p.do("save"), Scope("save"))),
			Box("maskpanel__row", p.button("export", "download", words.SavedExport).Attr("disabled", Bool(!p.Begun)), p.button("import", "upload", words.SavedImport),
				Void("input", "id", MaskImportID, "class", "visually-hidden", "type", "file", "accept", "image/png,image/webp,image/jpeg", "tabindex", "-1",
					"aria-label", words.SavedImportLabel, "data-testid", MaskImportID).OnChange(p.do("imported")))),
		p.shelf(words.SavedOfThis, p.Saved, words.SavedNone),
		If(len(p.Others) > 0, func() app.UI { return p.shelf(words.SavedOfOthers, p.Others, "") }),
	}
}

func (p *MaskPanel) shelf(title string, masks []atelier.Mask, none string) app.UI {
	rows := []app.UI{}
	for _, m := range masks {
		rows = append(rows, El("li", "class", "savedmask").Body(
			El("button", "type", "button", "class", "savedmask__use", "title", words.SavedUse, "data-testid", "saved-mask").Body(
				Void("img", "class", "savedmask__thumb", "src", m.Thumb+"?w=160", "alt", "", "loading", "lazy"),
				Box("savedmask__text", Text("span", "savedmask__name", m.Name), Text("span", "maskpanel__hint", words.MaskKept(m.Kept))),
			).OnClick(p.set("use", string(m.ID)), Scope(m.ID)),
			If(m.ID == p.Renaming, func() app.UI {
				return Void("input", "id", MaskRenameID, "class", "input input--small savedmask__rename", "type", "text", "maxlength", "100", "value", m.Name,
					"aria-label", words.SavedNewName, "data-testid", MaskRenameID).
					OnChange(func(_ app.Context, e app.Event) { p.port.MaskSet("rename-to", textOf(e)) }, Scope("name", m.ID))
			}),
			IconButton("brush", words.SavedRename(m.Name), "").Attr("data-testid", "saved-mask-rename").Attr("aria-expanded", Bool(m.ID == p.Renaming)).
				OnClick(p.set("rename", string(m.ID)), Scope("rename", m.ID)),
			IconButton("trash", words.SavedDelete(m.Name), "").Attr("data-testid", "saved-mask-delete").OnClick(p.set("delete", string(m.ID)), Scope(m.ID)),
		))
	}
	return group(title, El("ul", "class", "savedmasks").Body(rows...),
		If(len(rows) == 0, func() app.UI {
			return Text("p", "maskpanel__hint", map[model.Load]string{model.Loading: words.Loading, model.Broken: words.SavedBroken}[p.SavedState]+Pick(p.SavedState == model.Loaded, none, ""))
		}),
		If(p.SavedState == model.Broken, func() app.UI { return p.button("saved-again", "retry", words.TryAgain) }))
}

func (p *MaskPanel) history() []app.UI {
	rows := make([]app.UI, 0, len(p.History)+1)
	entry := func(done int, name string) app.UI {
		class := "historyrow"
		if done > p.Done {
			class += " historyrow--undone"
		}
		return El("li").Body(El("button", "type", "button", "class", class, "aria-current", Pick(done == p.Done, "step", "false"), "data-testid", "history-row").
			Text(name).OnClick(p.set("jump", strconv.Itoa(done)), Scope(done)))
	}
	for i := len(p.History) - 1; i >= 0; i-- {
		rows = append(rows, entry(i+1, p.History[i].Name))
	}
	rows = append(rows, entry(0, Pick(len(p.History) == 0, words.HistoryEmpty, words.HistoryBeginning)))
	return []app.UI{group(words.HistoryTitle, El("ol", "class", "historyrows", "reversed", "true").Body(rows...))}
}

func (p *MaskPanel) view() []app.UI {
	tints := func(name, label, chosen string) app.UI {
		row := make([]app.UI, len(model.TintColours))
		for i, c := range model.TintColours {
			row[i] = El("button", "type", "button", "class", "tintswatch tint--"+c.Name, "role", "radio", "aria-checked", Bool(c.Name == chosen),
				"aria-label", c.Title, "title", c.Title, "data-testid", name+"-"+c.Name).OnClick(p.set(name, c.Name), Scope(name, c.Name))
		}
		return Box("maskpanel__row", Text("span", "maskpanel__label", label),
			El("span", "class", "tintswatches", "role", "radiogroup", "aria-label", label).Body(row...))
	}
	return []app.UI{
		group(words.ViewShownAs,
			Segmented(words.ViewShownAs, []Choice{
				{Value: model.ShowTint, Title: words.ViewTint, Help: words.ViewTintTip},
				{Value: model.ShowStrong, Title: words.ViewContrast, Help: words.ViewContrastTip},
				{Value: model.ShowMask, Title: words.ViewMaskAlone, Help: words.ViewMaskAloneTip},
			}, p.Desk.Show, func(v string) { p.port.MaskSet("show", v) }),
			tints("tint-keep", words.Keep, p.Desk.Keep),
			tints("tint-redraw", words.Redraw, p.Desk.Redraw),
			Slider("opacity", words.ViewOpacity, words.ViewOpacityTip, words.InPercent, p.Desk.Opacity, model.MinOpacity, model.MaxOpacity, p.port)),
		group(words.ViewTitle,
			Box("maskpanel__row", p.button("turn-back", "undo", words.Degrees(15)), p.button("turn", "redo", words.Degrees(15)), p.button("upright", "", words.ViewUpright),
				El("span", "class", "maskpanel__hint", "data-testid", "view-angle").Text(words.Degrees(p.Angle))),
			Toggle("map", words.ViewMap, !p.Desk.NoMap, p.port)),
		Box("maskpanel__row", Button("help", words.KeysChange, "button--small").Attr("data-testid", "change-keys").OnClick(p.set("keys", ""), Scope("keys"))),
	}
}

// MaskFindings tells what is worth knowing of a mask before it is sent, each with its remedy.
func MaskFindings(findings []mask.Finding, port ToolPort) app.UI {
	rows := make([]app.UI, len(findings))
	for i, f := range findings {
		rows[i] = El("li", "class", Pick(f.Blocks, "finding finding--bad", "finding"), "data-testid", "finding", "data-code", f.Code).Body(
			SmallIcon(Pick(f.Blocks, "alert", "info")),
			Text("span", "", f.Message),
			Button("", f.Fix, "button--small").Attr("data-testid", "finding-fix").OnClick(func(app.Context, app.Event) { port.MaskSet("repair", strconv.Itoa(i)) }, Scope(i, f.Code)),
		)
	}
	return El("ul", "class", "findings", "data-testid", "findings").Body(rows...)
}
