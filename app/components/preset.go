package components

import (
	"slices"

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
		return f.cluster("", loadProblem(list.Error, f.onReload))
	case list.State != model.Loaded:
		return f.cluster("", presetSkeleton()...)
	case len(list.Presets) == 0:
		return f.cluster("", Text("p", "field__help", words.PresetsNone))
	}
	first := list.First(chosen, quickPresets)
	cells := make([]app.UI, len(first))
	for i, p := range first {
		cells[i] = PresetCell(p, p.ID == chosen || slices.Contains(f.Field.Also, p.ID), f.onPreset(p))
	}
	return f.cluster("",
		El("div", "class", "presets presets--quick", "role", "toolbar", "data-rows", "true", "aria-label", f.Field.Param.Title).Body(cells...),
		Box("presets__foot",
			El("span", "class", "presets__name").Body(
				Text("span", "presets__first", list.NameOf(chosen, words.PresetsNoneChosen)),
				If(len(f.Field.Also) > 0, func() app.UI { return Text("span", "presets__more", words.PresetsAnd(len(f.Field.Also))) }),
			),
			If(chosen != 0, func() app.UI {
				return Button("", words.FieldClear, "button--link").Attr("aria-label", words.FieldClearOf(f.Field.Param.Title)).OnClick(f.onClear)
			}),
			Button("", words.PresetsAll(list.Total), "button--link").Attr("data-testid", "browse-"+f.name()).OnClick(f.onBrowse),
		),
	)
}

func presetSkeleton() []app.UI {
	cells := make([]app.UI, quickPresets)
	for i := range cells {
		cells[i] = Box("preset skeleton")
	}
	return []app.UI{
		El("div", "class", "presets presets--quick", "aria-busy", "true").Body(cells...),
		Box("presets__foot", Text("span", "presets__name", words.Loading)),
	}
}

func (f *Field) onPreset(p atelier.Preset) func(app.Context, app.Event) {
	return func(app.Context, app.Event) {
		if n, ok := f.Field.Value.(float64); ok && int64(n) == p.ID {
			f.port.SetValue(f.name(), nil) // the chosen one again: none
			return
		}
		if slices.Contains(f.Field.Also, p.ID) {
			f.port.AlsoPreset(f.name(), p)
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
	blank := []app.UI{Icon("image")}
	if p.Width > 0 && p.Height > 0 {
		blank = []app.UI{
			El("span", "class", "preset__shape").Style("--ratio", words.Decimal(float64(p.Width)/float64(p.Height), 3)),
			Text("span", "", words.Dimensions(p.Width, p.Height)),
		}
	}
	title := p.Name
	if !usable(p) {
		_, state := model.PresetTone(p)
		title = words.PresetIs(title, state)
	}
	return El("button", "type", "button", "class", "preset", "aria-pressed", Bool(chosen), "title", title, "data-testid", "preset",
		"disabled", Bool(!usable(p))).
		OnClick(pick, Scope(p.Kind, p.ID, chosen)).Body(
		El("span", "class", "preset__blank").Body(blank...),
		If(p.Image != "", func() app.UI {
			return Void("img", "class", "preset__picture", "src", p.Image, "alt", "", "loading", "lazy", "decoding", "async", "draggable", "false", "data-optional", "true")
		}),
		If(!usable(p), func() app.UI {
			tone, text := model.PresetTone(p)
			return El("span", "class", "preset__state").Body(Status(tone, text))
		}),
		Text("span", "preset__name", p.Name),
		If(chosen, func() app.UI { return El("span", "class", "preset__mark").Body(SmallIcon("check")) }),
	)
}

// PresetChoice is a preset with the star that marks it and, where also is not nil, the plus that takes it beside the chosen one. One that
// cannot be used has neither.
func PresetChoice(p atelier.Preset, chosen, taken, marked bool, pick, mark, also app.EventHandler) app.UI {
	star := Icon("heart")
	if marked {
		star = FilledIcon("heart")
	}
	return El("div", "class", "presets__choice", "data-cell", "true").Body(PresetCell(p, chosen, pick), If(marked || usable(p), func() app.UI {
		return El("button", "type", "button", "class", "presets__star", "aria-pressed", Bool(marked), "aria-label", words.Favourite(p.Name), "data-testid", "mark-preset").
			OnClick(mark, Scope(p.Kind, p.ID, p.Name)).Body(star)
	}), If(also != nil && !chosen && usable(p), func() app.UI {
		return El("button", "type", "button", "class", "presets__star presets__also", "aria-pressed", Bool(taken), "aria-label", words.PresetAlso(p.Name), "title", words.PresetAlso(p.Name),
			"data-testid", "also-preset").OnClick(also, Scope(p.Kind, p.ID, p.Name)).Body(Icon(Pick(taken, "check", "plus")))
	}))
}

func usable(p atelier.Preset) bool { return p.Status == "" || p.Status == "complete" }

// tags are chips of the tags that the presets carry, as far as those are read, and the way to the rest.
func (f *Field) tags() app.UI {
	list := f.Presets
	switch {
	case list.State == model.Broken:
		return f.cluster("", loadProblem(list.Error, f.onReload))
	case list.State != model.Loaded:
		return f.cluster("field__chips", chipSkeletons()...)
	}
	given, _ := f.value().([]any)
	chips, known := []app.UI{}, []any{}
	for _, tag := range list.Tags() {
		id := float64(tag.ID)
		known = append(known, id)
		chips = append(chips, f.chip(tag.Name, id, contains(given, id)))
	}
	for _, id := range given {
		if n, ok := id.(float64); ok && !contains(known, id) {
			chips = append(chips, f.chip(words.ValueNumber(plainNumber(n)), id, true))
		}
	}
	switch {
	case list.Error != "":
		chips = append(chips, loadProblem(list.Error, f.onAllTags))
	case !list.Last:
		chips = append(chips, Button("", words.PresetsMoreTags(list.Total), "button--link").Attr("data-testid", "all-"+f.name()).OnClick(f.onAllTags))
	case len(chips) == 0:
		chips = append(chips, Text("p", "field__help", words.PresetsNoTags))
	}
	return f.cluster("field__chips", chips...)
}

// chipSkeletons stand for chips that are not there yet.
func chipSkeletons() []app.UI {
	chips := make([]app.UI, 5)
	for i := range chips {
		chips[i] = El("span", "class", "chip skeleton", "aria-hidden", "true")
	}
	return append(chips, Text("span", "visually-hidden", words.Loading))
}

func (f *Field) onAllTags(app.Context, app.Event) { f.port.LoadPresets(f.Field.Param.PresetKind) }
