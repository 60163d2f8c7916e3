package components

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
)

// presetsPerPage is how many presets the browser of presets shows at once.
const presetsPerPage = 48

// PresetBrowser is the content of the dialog with every preset of one kind.
type PresetBrowser struct {
	app.Compo
	Param  string
	List   model.PresetList
	Chosen int64
	query  string
	tag    int64 // only presets that carry it, 0 for all
	page   int
	port   PresetBrowserPort
}

// PresetBrowserPort hears what happens in the browser of presets.
type PresetBrowserPort interface {
	ChoosePreset(param string, id int64)
	LoadAllPresets()
}

// NewPresetBrowser makes a browser of presets.
func NewPresetBrowser(param string, list model.PresetList, chosen int64, port PresetBrowserPort) *PresetBrowser {
	return &PresetBrowser{Param: param, List: list, Chosen: chosen, port: port}
}

// CompoID implements app.DismountEnforcer.
func (b *PresetBrowser) CompoID() string { return b.Param }

// OnMount implements app.Mounter.
func (b *PresetBrowser) OnMount(ctx app.Context) { b.port.LoadAllPresets() }

// Render implements app.Composer.
func (b *PresetBrowser) Render() app.UI {
	found := b.List.Search(b.query, b.tag)
	pages := max(1, (len(found)+presetsPerPage-1)/presetsPerPage)
	page := min(b.page, pages-1)
	shown := found[page*presetsPerPage : min((page+1)*presetsPerPage, len(found))]
	cells := make([]app.UI, len(shown))
	for i, p := range shown {
		cells[i] = PresetCell(p, p.ID == b.Chosen, b.onPick(p))
	}
	counted := words.PresetsFound(len(found))
	if !b.List.Last {
		counted = words.PresetsLoading(len(b.List.Presets), b.List.Total)
	}
	tags := []app.UI{}
	for _, t := range b.List.Tags() {
		tags = append(tags, El("button", "type", "button", "class", "chip", "aria-pressed", Bool(t.ID == b.tag), "data-testid", "preset-tag").Text(t.Name).
			OnClick(func(app.Context, app.Event) {
				b.tag, b.page = map[bool]int64{false: t.ID}[b.tag == t.ID], 0
			}, Scope(t.ID)))
	}
	return Box("preset-browser",
		Box("preset-browser__bar",
			Search("preset-search", words.PresetsSearch, b.query, b.onQuery),
			El("span", "class", "preset-browser__count", "aria-live", "polite").Text(counted),
		),
		El("div", "class", "preset-browser__tags", "role", "group", "aria-label", words.Tags).Body(tags...),
		Box("presets presets--all",
			If(len(cells) == 0, func() app.UI {
				return Text("p", "preset-browser__none", words.PresetsNothing)
			}).ElseSlice(func() []app.UI { return cells }),
		),
		If(pages > 1, func() app.UI {
			return Box("pager",
				IconButton("left", words.PresetsPreviousPage, "").Attr("disabled", page == 0).OnClick(b.onPrevious),
				Text("span", "", words.PageOf(page+1, pages)),
				IconButton("right", words.PresetsNextPage, "").Attr("disabled", page == pages-1).OnClick(b.onNext),
			)
		}),
	)
}

func (b *PresetBrowser) onPick(p atelier.Preset) app.EventHandler {
	return func(app.Context, app.Event) { b.port.ChoosePreset(b.Param, p.ID) }
}

func (b *PresetBrowser) onQuery(_ app.Context, e app.Event) { b.query, b.page = textOf(e), 0 }
func (b *PresetBrowser) onPrevious(app.Context, app.Event)  { b.page = max(0, b.page-1) }
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
