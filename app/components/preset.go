package components

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
)

// quickPresets is how many presets stand in the form itself.
const quickPresets = 8

// preset shows what is chosen, the first few there are, and the way to all of them.
func (f *Field) preset() app.UI {
	list, chosen := f.Presets, int64(0)
	if n, ok := f.Field.Value.(float64); ok {
		chosen = int64(n)
	}
	switch {
	case list.State == model.Broken:
		return El("p", "class", "field__note").Body(SmallIcon("alert"), Text("span", "", list.Error), Button("retry", words.TryAgain, "button--link").OnClick(f.onReload))
	case list.State != model.Loaded:
		return presetSkeleton()
	case len(list.Presets) == 0:
		return Text("p", "field__help", words.PresetsNone)
	}
	first := list.First(chosen, quickPresets)
	cells := make([]app.UI, len(first))
	for i, p := range first {
		cells[i] = PresetCell(p, p.ID == chosen, f.onPreset(p))
	}
	return El("div", "id", f.id()).Body(
		El("div", "class", "presets presets--quick", "role", "toolbar", "aria-label", f.Field.Param.Title).Body(cells...),
		Box("presets__foot",
			Text("span", "presets__name", list.NameOf(chosen, words.PresetsNoneChosen)),
			If(chosen != 0, func() app.UI { return Button("", words.FieldClear, "button--link").OnClick(f.onClear) }),
			Button("", words.PresetsAll(list.Total), "button--link").Attr("data-testid", "browse-"+f.name()).OnClick(f.onBrowse),
		),
	)
}

func presetSkeleton() app.UI {
	cells := make([]app.UI, quickPresets)
	for i := range cells {
		cells[i] = Box("preset skeleton")
	}
	return app.Div().Body(
		El("div", "class", "presets presets--quick", "aria-busy", "true").Body(cells...),
		Box("presets__foot", Text("span", "presets__name", words.Loading)),
	)
}

func (f *Field) onPreset(p atelier.Preset) func(app.Context, app.Event) {
	return func(app.Context, app.Event) {
		if n, ok := f.Field.Value.(float64); ok && int64(n) == p.ID {
			f.port.SetValue(f.name(), nil) // the chosen one again: none
			return
		}
		f.port.SetValue(f.name(), float64(p.ID))
	}
}

func (f *Field) onBrowse(app.Context, app.Event) { f.port.BrowsePresets(f.name()) }
func (f *Field) onReload(app.Context, app.Event) {
	f.port.NeedPresets(f.Field.Param.PresetKind)
}

// PresetCell is one preset as a picture with its name.
func PresetCell(p atelier.Preset, chosen bool, pick app.EventHandler) app.UI {
	picture := app.UI(El("span", "class", "preset__blank").Body(Icon("image")))
	if p.Image != "" {
		picture = Void("img", "class", "preset__picture", "src", p.Image, "alt", "", "loading", "lazy", "decoding", "async", "draggable", "false")
	}
	usable := p.Status == "" || p.Status == "complete"
	return El("button", "type", "button", "class", "preset", "aria-pressed", Bool(chosen), "title", p.Name, "data-testid", "preset",
		"disabled", Bool(!usable)).
		OnClick(pick, Scope(p.Kind, p.ID, chosen)).Body(
		picture,
		Text("span", "preset__name", p.Name),
		If(chosen, func() app.UI { return El("span", "class", "preset__mark").Body(SmallIcon("check")) }),
	)
}

// tags are chips of the tags the loaded presets carry.
func (f *Field) tags() app.UI {
	if f.Presets.State != model.Loaded {
		return Text("p", "field__help", words.Loading)
	}
	given, _ := f.value().([]any)
	all := f.Presets.Tags()
	if len(all) == 0 {
		return Text("p", "field__help", words.PresetsNoTags)
	}
	chips := make([]app.UI, len(all))
	for i, tag := range all {
		id := float64(tag.ID)
		chips[i] = f.chip(tag.Name, id, contains(given, id))
	}
	return El("div", "id", f.id(), "class", "field__chips").Body(chips...)
}
