package components

import (
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
	"atelier/catalog"
)

// presetsPerPage is how many presets the browser of presets shows at once, presetsWaiting how many places while none is there yet.
const (
	presetsPerPage = 48
	presetsWaiting = 18
)

// PresetBrowser shows every preset of one kind, to search, mark and choose: the content of a dialog, and of the library.
type PresetBrowser struct {
	app.Compo
	Param    catalog.Param
	List     model.PresetList // the marked ones first
	Chosen   int64
	Several  bool    // others may be taken beside the chosen one
	Also     []int64 // those that are
	Marked   model.Marks
	SearchID string // of the box to search in
	query    string
	tag      int64 // only presets that carry it, 0 for all
	starred  bool  // only those that are marked
	page     int
	port     PresetBrowserPort
}

// PresetBrowserPort hears what happens in the browser of presets.
type PresetBrowserPort interface {
	ChoosePreset(param string, p atelier.Preset)
	LoadPresets(kind string)
	MarkPreset(p atelier.Preset)
	AlsoPreset(param string, p atelier.Preset)
}

// NewPresetBrowser makes it from its fields.
func NewPresetBrowser(b PresetBrowser, port PresetBrowserPort) *PresetBrowser {
	return &PresetBrowser{Param: b.Param, List: b.List, Chosen: b.Chosen, Several: b.Several, Also: b.Also, Marked: b.Marked, SearchID: b.SearchID, port: port}
}

// CompoID implements app.DismountEnforcer.
func (b *PresetBrowser) CompoID() string { return b.Param.Name }

// OnMount implements app.Mounter: the search needs all of them.
func (b *PresetBrowser) OnMount(app.Context) { b.port.LoadPresets(b.Param.PresetKind) }

// Render implements app.Composer.
func (b *PresetBrowser) Render() app.UI {
	found := b.found()
	pages := max(1, (len(found)+presetsPerPage-1)/presetsPerPage)
	page := min(b.page, pages-1)
	shown := found[page*presetsPerPage : min((page+1)*presetsPerPage, len(found))]
	cells := make([]app.UI, len(shown))
	for i, p := range shown {
		var also app.EventHandler
		if b.Several && b.Chosen != 0 {
			also = func(app.Context, app.Event) { b.port.AlsoPreset(b.Param.Name, p) }
		}
		cells[i] = PresetChoice(p, b.Chosen != 0 && p.ID == b.Chosen, slices.Contains(b.Also, p.ID), b.Marked.Has(p), b.onPick(p),
			func(app.Context, app.Event) { b.port.MarkPreset(p) }, also)
	}
	waits := b.List.State != model.Broken && !b.List.Last
	switch {
	case len(cells) > 0 || b.List.Error != "":
	case waits:
		for range presetsWaiting {
			cells = append(cells, Box("preset skeleton"))
		}
	case len(b.List.Presets) == 0:
		cells = append(cells, Text("p", "preset-browser__none", words.PresetsNone))
	default:
		cells = append(cells, Text("p", "preset-browser__none", words.PresetsNothing))
	}
	counted := words.PresetsFound(len(found))
	switch {
	case b.List.State == model.Broken:
		counted = ""
	case b.List.Error != "":
		counted = words.CountOf(len(b.List.Presets), b.List.Total)
	case waits && b.List.State == model.Loaded:
		counted = words.PresetsLoading(len(b.List.Presets), b.List.Total)
	case waits:
		counted = words.Loading
	}
	tags := []app.UI{}
	if b.starred || slices.ContainsFunc(b.List.Presets, b.Marked.Has) {
		tags = append(tags, El("button", "type", "button", "class", "chip", "aria-pressed", Bool(b.starred), "data-testid", "preset-starred").Text(words.PresetsFavourites).
			OnClick(b.onStarred))
	}
	for _, t := range b.List.Tags() {
		tags = append(tags, El("button", "type", "button", "class", "chip", "aria-pressed", Bool(t.ID == b.tag), "data-testid", "preset-tag").Text(t.Name).
			OnClick(func(app.Context, app.Event) {
				b.tag, b.page = map[bool]int64{false: t.ID}[b.tag == t.ID], 0
			}, Scope(t.ID)))
	}
	return Box("preset-browser",
		Box("preset-browser__bar",
			Search(b.SearchID, words.PresetsSearch, b.query, b.onQuery),
			El("span", "class", "preset-browser__count", "role", "status", "data-testid", "preset-count").Text(counted),
			If(b.List.Error != "", func() app.UI { return loadProblem(b.List.Error, b.onReload) }),
			If(b.Several, func() app.UI {
				return El("p", "class", "field__help", "role", "status", "data-testid", "presets-several").Text(Pick(b.Chosen == 0, words.PresetsOne, words.PresetsSeveral(len(b.Also)+1)))
			}),
		),
		El("div", "class", "preset-browser__tags", "role", "toolbar", "aria-label", words.Tags).Body(tags...),
		El("div", "class", "presets presets--all", "role", "group", "data-rows", "true", "data-testid", "offered-presets", "aria-label", b.Param.Title, "aria-busy", Bool(waits && b.List.Error == "")).Body(cells...),
		If(pages > 1, func() app.UI {
			return Box("pager",
				IconButton("left", words.PresetsPreviousPage, "").Attr("disabled", page == 0).OnClick(b.onPrevious),
				Text("span", "", words.PageOf(page+1, pages)),
				IconButton("right", words.PresetsNextPage, "").Attr("disabled", page == pages-1).Attr("data-testid", "preset-next").OnClick(b.onNext),
			)
		}),
	)
}

// found are the presets that the search, the tag and the star leave.
func (b *PresetBrowser) found() []atelier.Preset {
	found := b.List.Search(b.query, b.tag)
	if b.starred {
		found = slices.DeleteFunc(slices.Clone(found), func(p atelier.Preset) bool { return !b.Marked.Has(p) })
	}
	return found
}

// loadProblem says why a list cannot be had, and offers to try again.
func loadProblem(why string, again app.EventHandler) app.UI {
	return El("p", "class", "field__note", "role", "alert").Body(SmallIcon("alert"), Text("span", "", why),
		Button("retry", words.TryAgain, "button--link").Attr("data-testid", "load-again").OnClick(again))
}

func (b *PresetBrowser) onPick(p atelier.Preset) app.EventHandler {
	return func(app.Context, app.Event) { b.port.ChoosePreset(b.Param.Name, p) }
}

func (b *PresetBrowser) onQuery(_ app.Context, e app.Event) { b.query, b.page = textOf(e), 0 }
func (b *PresetBrowser) onStarred(app.Context, app.Event)   { b.starred, b.page = !b.starred, 0 }
func (b *PresetBrowser) onPrevious(app.Context, app.Event)  { b.page = max(0, b.page-1) }
func (b *PresetBrowser) onReload(app.Context, app.Event)    { b.port.LoadPresets(b.Param.PresetKind) }
func (b *PresetBrowser) onNext(app.Context, app.Event)      { b.page++ }

// Search is a box to search in.
func Search(id, hint, value string, input app.EventHandler) app.UI {
	box := Void("input", "id", id, "class", "input", "type", "search", "placeholder", hint, "aria-label", hint, "autocomplete", "off",
		"data-testid", id).OnInput(input)
	if value != "" {
		box = box.Attr("value", value)
	}
	return Box("search", Icon("search"), box)
}
