package gallery

import (
	"fmt"
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
	"atelier/catalog"
	"atelier/catalog/catalogtest"
)

// control is one way a field looks: the param of an agent that is drawn so, a value it may have, and what is on the page when it
// has that value and not when it has none.
type control struct {
	name, agent, param string
	value              any
	shows              string
}

// controls are all there are; each kind of param has one at least.
var controls = []control{
	{"text", "aimodel", "textDescription", "a quiet street in the evening, warm windows", "warm windows"},
	{"number", "expandimage", "targetWidth", 2048.0, `value="2048"`},
	{"number of results", "aimodel", "batchCount", 16.0, `value="16"`},
	{"choice of few", "aimodel", "generatedContent", "freeCreation", ">Not bound to the style of the photo."},
	{"choice of many", "aimodel", "maskType", "autoSubjectSegment", "Only the background is redrawn."},
	{"switch", "aimodel", "resizeToOriginalImage", true, ">On<"},
	{"colour", "removeBG", "backgroundHex", "#C8D6CF", `value="#C8D6CF"`},
	{"preset", "aimodel", "locationId", 3.0, "preset__mark"},
	{"tags", "aimodel", "locationTagIds", []any{1.0, 3.0}, "Clear Scene tags"},
	{"length", "frames-to-video", "duration", "7s", `value="7"`},
	{"length out of a set", "multimodal-video", "duration", "6s", "Clear Length"},
	{"list", "image-search", "tools", []any{"web_search"}, "Clear Tools"},
}

// field is the control's field with nothing given.
func (c control) field() model.Field {
	a, _ := catalog.Find(c.agent, "")
	p, _ := a.Param(c.param)
	return model.Field{Param: p, Default: p.DefaultOn(model.NewForm(a).Surface)}
}

// fieldState is one way a field can stand, whatever its kind. Shows is what is on the page then and not when the field is untouched;
// "" where the control tells.
type fieldState struct {
	name, shows string
	change      func(f *model.Field, value any)
}

// fieldStates are all there are. Those with options alone are in optionStates.
var fieldStates = []fieldState{
	{"untouched", "", func(*model.Field, any) {}},
	{"given", "", func(f *model.Field, value any) { f.Value = value }},
	{"needed and missing", "field__needed", func(f *model.Field, _ any) {
		f.Needed, f.Default, f.Problem = true, nil, "Enter a value."
	}},
	{"refused", "field__problem", func(f *model.Field, value any) {
		f.Value, f.Problem = value, f.Param.Title+": this does not go together with the rest of the form."
	}},
	{"refused by the server", "The image service refused this.", func(f *model.Field, value any) {
		f.Value, f.Problem = value, "The image service refused this. Choose something else."
	}},
	{"resting", "field--resting", func(f *model.Field, value any) {
		f.Value, f.Resting, f.Note = value, true, f.Param.Title+" has no effect here: only another engine reads it."
	}},
	{"here for a reason", "with this engine alone", func(f *model.Field, value any) {
		f.Value, f.Because = value, f.Param.Title+" can be chosen with this engine alone."
	}},
	{"closed", "field--closed", func(f *model.Field, _ any) {
		f.Closed = f.Param.Title + " can be chosen with another engine alone."
	}},
}

// optionStates are those of a choice alone.
var optionStates = []fieldState{
	{"barred in part", "the others are for another engine.", func(f *model.Field, _ any) {
		f.Barred = map[string]string{}
		for _, o := range f.Param.Options[1:] {
			f.Barred[o.Value] = f.Param.Title + ": the others are for another engine."
		}
	}},
	{"decided by the rest", "readonly", func(f *model.Field, _ any) {
		f.Forced, f.Note = f.Param.Options[0].Value, f.Param.Title+": with a first frame there is no choice."
	}},
}

// fieldStory is a story of a control in a state.
type fieldStory struct {
	story
	control control
	state   fieldState
}

// fieldStories shows every control in every state.
func fieldStories() []fieldStory {
	var out []fieldStory
	for _, c := range controls {
		states := fieldStates
		if c.field().Param.Kind == catalog.Enum {
			states = append(slices.Clone(states), optionStates...)
		}
		for _, state := range states {
			name := c.name + ", " + state.name
			out = append(out, fieldStory{story{name, false, func() app.UI {
				f := c.field()
				state.change(&f, c.value)
				return components.NewField(name, f, presetList(12), port)
			}}, c, state})
		}
	}
	return out
}

// fieldOf shows a control with something special about it.
func fieldOf(name, control string, list model.PresetList, change func(*model.Field)) story {
	return story{name, false, func() app.UI {
		f := model.Field{}
		for _, c := range controls {
			if c.name == control {
				f = c.field()
			}
		}
		change(&f)
		return components.NewField(name, f, list, port)
	}}
}

func fields() []story {
	var out []story
	for _, s := range fieldStories() {
		out = append(out, s.story)
	}
	long := strings.Repeat("a quiet street in the evening, wet stones, warm windows; ", 6)
	nothing := func(*model.Field) {}
	failed := model.PresetList{State: model.Broken, Error: "The image service does not answer."}
	part := presetList(100)
	part.Last, part.Total = false, 812
	broken := part
	broken.Error = failed.Error
	return append(out,
		fieldOf("text, long", "text", part, func(f *model.Field) { f.Value = long }),
		fieldOf("text, too long", "text", part, func(f *model.Field) {
			f.Param.Max = new(300)
			f.Value, f.Problem = long, "What should change: at most 300 characters are allowed, 342 are written."
		}),
		fieldOf("number, too large", "number", part, func(f *model.Field) { f.Value, f.Problem = 9000.0, "Width must be 1 to 4096 px; it is 9000." }),
		fieldOf("colour, wrong", "colour", part, func(f *model.Field) {
			f.Value, f.Problem = "#C8D", `Background colour: "#C8D" is not of the form #RRGGBB.`
		}),
		fieldOf("length, out of range", "length", part, func(f *model.Field) { f.Value, f.Problem = "40s", "Length must be 2 to 12 s; it is 40." }),
		story{"length, chosen by the agent", false, func() app.UI {
			f := control{agent: "advanced-video", param: "duration"}.field()
			f.Value = "-1"
			return components.NewField("chosen", f, part, port)
		}},
		fieldOf("preset, loading", "preset", model.PresetList{State: model.Loading}, nothing),
		fieldOf("preset, failed", "preset", failed, nothing),
		fieldOf("preset, none", "preset", presetList(0), nothing),
		fieldOf("preset, chosen on a page that is not here yet", "preset", part, func(f *model.Field) { f.Value = 700.0 }),
		fieldOf("tags, loading", "tags", model.PresetList{State: model.Loading}, nothing),
		fieldOf("tags, failed", "tags", failed, nothing),
		fieldOf("tags, none", "tags", presetList(0), nothing),
		fieldOf("tags, of the first page", "tags", part, func(f *model.Field) { f.Value = []any{1.0, 99.0} }),
		fieldOf("tags, the next page failed", "tags", broken, nothing),
	)
}

// presetList is n presets, all there are; of twelve one cannot be used yet, and one never.
func presetList(n int) model.PresetList {
	page := atelier.PresetPage{Page: 1, Total: n, LastPage: true}
	for i := range n {
		p := atelier.Preset{
			Kind: "locations", ID: int64(i + 1), Name: []string{"Beach at noon", "A very long name of a location, forty ch.", "Loft"}[i%3], Image: sample,
			Tags: []atelier.Tag{{ID: int64(i%4 + 1), Name: []string{"Summer", "City", "Plain", "Green"}[i%4]}}, Status: "complete",
		}
		if states := map[int]string{6: "prepare", 7: "failed"}; n == 12 && states[i] != "" {
			p.Status = states[i]
		}
		page.Presets = append(page.Presets, p)
	}
	return model.PresetList{}.Add(page)
}

// presets are the states of the dialog with all of them.
func presets() []story {
	browser := func(name string, l model.PresetList) story {
		return story{name, true, func() app.UI {
			a, _ := catalog.Find("aimodel", "")
			p, _ := a.Param("locationId")
			return components.Box("story__dialog", components.NewPresetBrowser(components.PresetBrowser{
				Param: p, List: l, Chosen: 4, Several: true, Also: []int64{6, 9}, Marked: model.MarksOf([]atelier.Favourite{{Kind: "locations", ID: 1}, {Kind: "locations", ID: 4}}), SearchID: "preset-search",
			}, port))
		}}
	}
	part := presetList(36)
	part.Last, part.Total = false, 812
	broken := part
	broken.Error = "The image service does not answer."
	return []story{
		browser("all of them", presetList(60)),
		browser("loading", model.PresetList{State: model.Loading}),
		browser("failed", model.PresetList{State: model.Broken, Error: "The image service does not answer."}),
		browser("none", presetList(0)),
		browser("the next page loading", part),
		browser("the next page failed", broken),
		browser("some not usable", presetList(12)),
	}
}

// sizes are the states of the usual sizes of an expansion.
func sizes() []story {
	list := model.PresetList{State: model.Loaded, Last: true, Presets: []atelier.Preset{
		{Name: "Square post", Width: 1080, Height: 1080}, {Name: "Story", Width: 1080, Height: 1920}, {Name: "A4 at 300 dpi", Width: 2480, Height: 3508},
	}}
	many := list
	for range 3 {
		many.Presets = append(slices.Clone(many.Presets), list.Presets...)
	}
	show := func(name string, ready bool, l model.PresetList) story {
		return story{name, false, func() app.UI { return canvasSizes(ready, l) }}
	}
	return []story{
		show("sizes", true, list), show("sizes, with a search", true, many), show("sizes, no picture yet", false, list),
		show("sizes, loading", true, model.PresetList{State: model.Loading}),
		show("sizes, failed", true, model.PresetList{State: model.Broken, Error: "The image service does not answer."}),
		show("sizes, none", true, model.PresetList{State: model.Loaded, Last: true}),
	}
}

func canvasSizes(ready bool, l model.PresetList) app.UI {
	s := components.Sizes{Width: 1080.0, Height: 1920.0, Ready: ready, List: l}
	for _, shape := range model.CanvasShapes {
		size := components.Size{Title: shape.Title, Ratio: float64(shape.Across) / float64(shape.Down)}
		if ready {
			size.Width, size.Height = (model.Expansion{W: 600, H: 800, Width: 600, Height: 800, Most: 4096, Pad: 8}).Shape(shape.Across, shape.Down)
		}
		s.Shapes = append(s.Shapes, size)
	}
	return components.NewSizes(s, port)
}

// choosers are the states of the dialog in which a file is chosen.
func choosers() []story {
	show := func(name string, c components.Chooser) story {
		return story{name, true, func() app.UI {
			one := map[catalog.Media]string{catalog.Image: words.MediaPicture, catalog.Video: words.MediaVideo, catalog.Audio: words.MediaSound}[c.Media]
			c.Add, c.None = words.AssetsAdd(one), words.AssetsNone(one)
			c.Titles = func(string) string { return "New model, new scene" }
			return components.Box("story__dialog", c.Body(port)...)
		}}
	}
	of := func(c components.Chooser, n int, a atelier.Asset) components.Chooser {
		c.State = model.Loaded
		for i := range n {
			a.ID = atelier.AssetID(fmt.Sprint(i))
			c.Assets = append(c.Assets, a)
		}
		return c
	}
	pictures, films, sounds := components.Chooser{Media: catalog.Image}, components.Chooser{Media: catalog.Video}, components.Chooser{Media: catalog.Audio}
	picture := atelier.Asset{Name: "a file name of forty characters, no less.jpg", Thumb: sample, Width: 600, Height: 800, Format: "jpeg"}
	full := of(pictures, 20, picture)
	full.Chosen = []atelier.AssetID{"3"}
	full.More = true
	paging, broken := full, full
	paging.Paging, broken.Problem = true, "The server does not respond."
	results := func(media catalog.Media, kinds ...string) components.Chooser {
		c := components.Chooser{Media: media, Results: true, State: model.Loaded}
		for i, kind := range kinds {
			r := result(fmt.Sprint(i), atelier.Success, 1)
			if r.Kind = kind; kind == "video" {
				r.File, r.LastFrame, r.Seconds = "", sample, 5
			}
			c.Shots = append(c.Shots, model.Shot{Run: aRun("r", atelier.StateDone, atelier.Success), Result: r})
		}
		return c
	}
	search := func(c components.Chooser) components.Chooser {
		c.Query = "dress"
		return c
	}
	several := full
	several.Chosen, several.More = []atelier.AssetID{"1", "3", "4"}, false
	several.Several, several.Done = words.FurtherChosen(3), func() {}
	failed := pictures
	failed.State, failed.Problem = model.Broken, "The server does not respond."
	return []story{
		show("pictures, more to come", full), show("the next page loading", paging), show("the next page failed", broken),
		show("several chosen", several),
		show("loading", components.Chooser{Media: catalog.Image, State: model.Loading}), show("failed", failed),
		show("none brought", of(pictures, 0, picture)), show("none found", search(of(pictures, 0, picture))),
		show("videos", of(films, 2, atelier.Asset{Kind: "video", Name: "walk.mp4", Thumb: sample, Format: "mp4", Seconds: 6.4, Width: 1280, Height: 720})),
		show("sounds", of(sounds, 2, atelier.Asset{Kind: "audio", Name: "voice.mp3", Format: "mp3", Seconds: 3.2})),
		show("results, with last frames of videos", results(catalog.Image, "image", "video", "image")),
		show("results that are videos", results(catalog.Video, "video", "video")),
		show("no results", results(catalog.Image)),
	}
}

func slots() []story {
	file := catalog.File{Name: "images", Title: "Person and garment", Media: catalog.Image, Max: 2, Min: 2, Roles: []string{"Person", "Garment"}, Help: "First the person, then the garment."}
	many := catalog.File{Name: "images", Title: "Pictures", Media: catalog.Image, Max: 16, Help: "Up to sixteen pictures."}
	films := catalog.File{Name: "videos", Title: "Reference videos", Media: catalog.Video, Max: 3, Help: "Up to three reference videos."}
	sounds := catalog.File{Name: "audios", Title: "Reference sounds", Media: catalog.Audio, Max: 5}
	asset := atelier.Asset{ID: "a", Name: "dress.jpg", Thumb: sample}
	other := atelier.Asset{ID: "b", Name: "a file name of forty characters, no less.jpg", Thumb: sample}
	film := atelier.Asset{ID: "v", Kind: "video", Name: "walk.mp4", Format: "mp4", Seconds: 6.4, Width: 1280, Height: 720}
	sound := atelier.Asset{ID: "s", Kind: "audio", Name: "voice.mp3", Format: "mp3", Seconds: 3.2}
	slot := func(name string, list ...model.Slot) story {
		return story{name, false, func() app.UI { return components.Box("", components.Slots(list, port)...) }}
	}
	return []story{
		slot("empty, with roles", model.Slot{File: file, Most: 2, Room: 2, Needed: true}),
		slot("partly full", model.Slot{File: file, Most: 2, Room: 1, Needed: true, Assets: []atelier.Asset{asset}}),
		slot("full", model.Slot{File: file, Most: 2, Assets: []atelier.Asset{asset, other}}),
		slot("many", model.Slot{File: many, Most: 16, Room: 9, Assets: []atelier.Asset{asset, other, asset, other, asset, other, asset}}),
		slot("more photos, none", model.Slot{File: model.Further, Ours: true, Most: 99, Room: 99}),
		slot("more photos", model.Slot{File: model.Further, Ours: true, Most: 99, Room: 96, Assets: []atelier.Asset{asset, other, asset}}),
		slot("more photos, one refused", model.Slot{File: model.Further, Ours: true, Most: 99, Room: 97, Assets: []atelier.Asset{asset, other}, Problem: words.FurtherCut("large.jpg", 5000, 4000)}),
		slot("with a problem", model.Slot{File: file, Most: 2, Room: 2, Needed: true, Problem: "Person and garment: exactly 2 required, 0 given."}),
		slot("refused by the server", model.Slot{File: file, Most: 2, Assets: []atelier.Asset{asset, other}, Problem: "The image service refused this. Choose another picture."}),
		slot("closed, with the reason", model.Slot{File: catalog.File{Name: "lastFrame", Title: "Last frame", Media: catalog.Image, Max: 1}, Because: "A last frame needs a first frame."}),
		slot("full, and without effect now", model.Slot{File: many, Assets: []atelier.Asset{asset}, Because: "Pictures: with films they are not looked at."}),
		slot("videos, none", model.Slot{File: films, Most: 3, Room: 3}),
		slot("videos", model.Slot{File: films, Most: 3, Room: 1, Assets: []atelier.Asset{film, film}}),
		slot("video with a problem", model.Slot{File: films, Most: 3, Room: 2, Assets: []atelier.Asset{film}, Problem: "Each video must be MP4 or MOV, 480p or 720p, and last 2 to 30 seconds."}),
		slot("sounds, none", model.Slot{File: sounds, Most: 5, Room: 5}),
		slot("sound", model.Slot{File: sounds, Most: 5, Room: 4, Assets: []atelier.Asset{sound}}),
	}
}

// filling is the form of an agent with as much in it as goes together; name says what of several that exclude each other is in it.
type filling struct {
	name   string
	form   model.Form
	source model.Source
}

// fillings fill the form of an agent in, once for all that goes together.
func fillings(a catalog.Agent) (out []filling) {
	for _, c := range catalogtest.Cases([]catalog.Agent{a}) {
		_, name, ok := strings.Cut(c.Name, "/everything")
		if f := model.NewForm(a); ok && c.Surface == f.Surface {
			f, s := filled(f, c)
			out = append(out, filling{"everything" + name, f, s})
		}
	}
	return out
}

// filled puts what a case holds into a form.
func filled(f model.Form, c catalogtest.Case) (model.Form, model.Source) {
	var s model.Source
	for name, v := range c.Values {
		if p, _ := f.Agent.Param(name); p.Kind == catalog.MaskPNG {
			s.Mask, s.Kept = true, .4
		} else {
			f = f.With(name, v)
		}
	}
	for name, files := range c.Files {
		assets := make([]atelier.Asset, len(files))
		for i, file := range files {
			assets[i] = atelier.Asset{
				ID: atelier.AssetID(fmt.Sprint(name, i)), Kind: string(file.Media), Name: fmt.Sprint(file.Media, " ", i+1), Format: file.Facts.Container,
				Seconds: file.Facts.Seconds, Width: file.Facts.Width, Height: file.Facts.Height, Thumb: sample,
			}
		}
		if file, _ := f.Agent.File(name); file.Source {
			s.Asset = &atelier.Asset{ID: "source", Width: catalogtest.SourceWidth, Height: catalogtest.SourceHeight}
		} else {
			f = f.WithFiles(name, assets)
		}
	}
	return f, s
}

// formShape is the forms of agents that take the same.
type formShape struct {
	agents  []catalog.Agent
	stories []story
}

// formShapes shows the form of every shape: untouched, after an attempt to generate with nothing given, with everything given,
// and after the server refused it.
func formShapes() []formShape {
	var out []formShape
	for _, agents := range catalog.Shapes(catalog.All()) {
		a := agents[0]
		show := func(f model.Form, s model.Source, shown model.Shown, presets model.PresetList, noVideo string) func() app.UI {
			return func() app.UI {
				form := components.Form{
					Agent: f.Agent, Makes: f.Makes(), Fields: f.Fields(s, shown), Slots: f.Slots(s, shown), Embedded: true, NoVideo: noVideo,
					Presets: func(string) model.PresetList { return presets },
				}
				if f.Expands() {
					form.Sizes = canvasSizes(s.Asset != nil, presets)
				}
				return components.Box("story__form", form.Body(port)...)
			}
		}
		name := a.Title
		if more := len(agents) - 1; more > 0 {
			name += fmt.Sprintf(" and %d more", more)
		}
		refused := model.Shown{All: true, Server: map[string]string{}}
		for _, p := range a.Params {
			refused.Server[p.Name] = p.Title + ": the image service refused this."
		}
		for _, file := range a.Files {
			refused.Server[file.Name] = file.Title + ": the image service refused this."
		}
		stories := []story{
			{name + ", untouched", false, show(model.NewForm(a), model.Source{}, model.Shown{}, model.PresetList{State: model.Loading}, "")},
			{name + ", tried empty", false, show(model.NewForm(a), model.Source{}, model.Shown{All: true}, model.PresetList{State: model.Broken, Error: "The image service does not answer."}, atelier.VideosNeedFFmpeg)},
		}
		for i, full := range fillings(a) {
			stories = append(stories, story{name + ", " + full.name, false, show(full.form, full.source, model.Shown{All: true}, presetList(12), "")})
			if i == 0 {
				stories = append(stories, story{name + ", refused by the server", false, show(full.form, full.source, refused, presetList(12), "")})
			}
		}
		out = append(out, formShape{agents, stories})
	}
	return out
}

func forms() []story {
	var out []story
	for _, s := range formShapes() {
		out = append(out, s.stories...)
	}
	return out
}
