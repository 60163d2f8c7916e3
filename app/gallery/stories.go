package gallery

import (
	"slices"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/components"
	"atelier/app/model"
	"atelier/atelier"
	"atelier/catalog"
)

var (
	port nobody
	now  = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
)

// sample is a small picture in the page itself: the gallery asks no server.
const sample = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 60 80'%3E%3Crect width='60' height='80' fill='%23b9c4c9'/%3E%3Cpath d='M22 20h16l8 40H14z' fill='%236a4b5d'/%3E%3Ccircle cx='30' cy='12' r='7' fill='%23d8b59a'/%3E%3C/svg%3E#"

func chapters() []chapter {
	return []chapter{
		{"Status", statuses()},
		{"Button", buttons()},
		{"Field", fields()},
		{"Presets", presets()},
		{"Slot", slots()},
		{"Form", forms()},
		{"Agent", agents()},
		{"Result card", cards()},
		{"Strip", strips()},
		{"Mask tools", tools()},
		{"Mask panel", maskPanels()},
		{"Lightbox", lightboxes()},
		{"Tile", tiles()},
		{"Verdict", verdicts()},
		{"Culling desk", desks()},
		{"Rail", []story{{"two running", false, func() app.UI { return components.NewRail("studio", 2, port) }}}},
		{"Toast", toasts()},
		{"Keys", []story{{"Ctrl", true, func() app.UI { return components.KeySheet(false, model.NewMaskDesk()) }}, {"Mac", true, func() app.UI { return components.KeySheet(true, model.NewMaskDesk()) }}}},
	}
}

func statuses() []story {
	out := []story{}
	for _, s := range []struct {
		tone  model.Tone
		words string
	}{{model.Waiting, "Queued, 3 before it"}, {model.Busy, "Running 40 %"}, {model.Good, "4 results"}, {model.Bad, "Failed"}, {model.Unsure, "Unconfirmed"}} {
		out = append(out, story{string(s.tone), false, func() app.UI { return components.Status(s.tone, s.words) }})
	}
	return out
}

func buttons() []story {
	return []story{
		{"plain", false, func() app.UI { return components.Button("", "Choose", "") }},
		{"with icon", false, func() app.UI { return components.Button("retry", "Retry", "") }},
		{"primary", false, func() app.UI { return components.Button("", "Generate 4 images", "button--primary button--large") }},
		{"disabled", false, func() app.UI { return components.Button("", "Sign in", "button--primary").Attr("disabled", "true") }},
		{"quiet", false, func() app.UI { return components.Button("upload", "Add a picture", "button--quiet") }},
		{"link", false, func() app.UI { return components.Button("", "Clear", "button--link") }},
		{"icon", false, func() app.UI { return components.IconButton("brush", "Brush", "B") }},
		{"icon, pressed", false, func() app.UI { return components.IconButton("brush", "Brush", "B").Attr("aria-pressed", "true") }},
		{"segmented", false, func() app.UI {
			return components.Segmented("Look", []components.Choice{{Value: "a", Title: "Free"}, {Value: "b", Title: "Like the photo"}}, "a", func(string) {})
		}},
	}
}

// fieldOf shows a param of an agent in a state.
func fieldOf(name, agent, param string, change func(*model.Field)) story {
	return story{name, false, func() app.UI {
		a, _ := catalog.Find(agent, "")
		p, _ := a.Param(param)
		f := model.Field{Param: p, Default: p.DefaultOn(catalog.Task)}
		change(&f)
		return components.NewField(name, f, presetList(12), port)
	}}
}

func fields() []story {
	long := strings.Repeat("a quiet street in the evening, wet stones, warm windows; ", 6)
	return []story{
		fieldOf("text, empty", "aimodel", "textDescription", func(*model.Field) {}),
		fieldOf("text, needed and missing", "aipose", "textDescription", func(f *model.Field) { f.Needed, f.Problem = true, "Pose: this is needed." }),
		fieldOf("text, long", "aimodel", "textDescription", func(f *model.Field) { f.Value = long }),
		fieldOf("choice of few", "aimodel", "generatedContent", func(f *model.Field) { f.Value = "freeCreation" }),
		fieldOf("choice of many", "aimodel", "maskType", func(f *model.Field) { f.Value = "autoSubjectSegment" }),
		fieldOf("choice, resting", "virtualtryon", "imageSize", func(f *model.Field) {
			f.Value, f.Resting, f.Note = "2K", true, "The size has no effect here: only the Partner engine reads it."
		}),
		fieldOf("number", "expandimage", "targetWidth", func(f *model.Field) { f.Value, f.Needed = 2048.0, true }),
		fieldOf("number, too large", "expandimage", "targetWidth", func(f *model.Field) { f.Value, f.Problem = 9000.0, "Width must be 1 to 4096 px; it is 9000." }),
		fieldOf("batch", "aimodel", "batchCount", func(f *model.Field) { f.Value = 16.0 }),
		fieldOf("switch", "aimodel", "resizeToOriginalImage", func(f *model.Field) { f.Value = true }),
		fieldOf("colour", "removeBG", "backgroundHex", func(f *model.Field) { f.Value = "#C8D6CF" }),
		fieldOf("colour, wrong", "removeBG", "backgroundHex", func(f *model.Field) {
			f.Value, f.Problem = "#C8D", `Background colour: "#C8D" is not of the form #RRGGBB.`
		}),
		fieldOf("choice of four, two barred", "multimodal-video", "modelName", func(f *model.Field) {
			f.Param.Options = []catalog.Option{{Value: "1K", Title: "1K"}, {Value: "2K", Title: "2K"}, {Value: "3K", Title: "3K"}, {Value: "4K", Title: "4K"}}
			f.Value, f.Default = "2K", nil
			f.Barred = map[string]string{"3K": "Size: 3K is for the Lite engine only.", "4K": "Size: 4K is for the Pro engine only."}
		}),
		fieldOf("choice of many, some barred", "image-studio", "aspectRatio", func(f *model.Field) {
			f.Value, f.Barred = "4:5", map[string]string{"4:5": "Shape: 4:5 and 5:4 are for the Pro engine only.", "5:4": "Shape: 4:5 and 5:4 are for the Pro engine only."}
			f.Problem = "Shape: 4:5 and 5:4 are for the Pro engine only."
		}),
		fieldOf("choice, decided by the rest", "advanced-video", "aspectRatio", func(f *model.Field) {
			f.Forced, f.Note = "adaptive", "Shape: with a first frame it is adaptive, the shape of that frame."
		}),
		fieldOf("choice, here for a reason", "virtualtryon", "aspectRatio", func(f *model.Field) {
			f.Because = "The shape can be chosen only with the High quality and Partner engines."
		}),
		fieldOf("text, too long", "aimodel", "textDescription", func(f *model.Field) {
			f.Param.Max = new(300)
			f.Value, f.Problem = long, "What should change: at most 300 characters are allowed, 342 are written."
		}),
		fieldOf("number, empty", "expandimage", "fillLeft", func(*model.Field) {}),
		fieldOf("number with a slider", "aimodel", "batchCount", func(f *model.Field) { f.Param.Name, f.Value = "strength", 7.0 }),
		fieldOf("switch, off", "aimodel", "resizeToOriginalImage", func(*model.Field) {}),
		fieldOf("colour, none", "removeBG", "backgroundHex", func(*model.Field) {}),
		fieldOf("length, left to the agent", "frames-to-video", "duration", func(*model.Field) {}),
		fieldOf("length", "frames-to-video", "duration", func(f *model.Field) { f.Value = "7s" }),
		fieldOf("length, out of range", "frames-to-video", "duration", func(f *model.Field) {
			f.Value, f.Problem = "40s", "Length must be 2 to 12 s; it is 40."
		}),
		fieldOf("length, chosen by the agent", "advanced-video", "duration", func(f *model.Field) { f.Value = "-1" }),
		fieldOf("length out of a set", "multimodal-video", "duration", func(f *model.Field) { f.Value = "6s" }),
		fieldOf("list of choices", "image-search", "tools", func(f *model.Field) { f.Value = []any{"web_search"} }),
		fieldOf("tags", "aimodel", "locationTagIds", func(f *model.Field) { f.Value = []any{1.0} }),
		fieldOf("preset", "aimodel", "locationId", func(f *model.Field) { f.Value = 3.0 }),
	}
}

func presetList(n int) model.PresetList {
	page := atelier.PresetPage{Page: 1, Total: n, LastPage: true}
	for i := range n {
		page.Presets = append(page.Presets, atelier.Preset{
			Kind: "locations", ID: int64(i + 1), Name: []string{"Beach at noon", "A very long name of a location, forty ch.", "Loft"}[i%3], Image: sample,
			Tags: []atelier.Tag{{ID: int64(i%4 + 1), Name: []string{"Summer", "City", "Plain", "Green"}[i%4]}}, Status: "complete",
		})
	}
	return model.PresetList{}.Add(page)
}

func presets() []story {
	withState := func(name string, l model.PresetList) story {
		return story{name, false, func() app.UI {
			a, _ := catalog.Find("aimodel", "")
			p, _ := a.Param("locationId")
			return components.NewField(name, model.Field{Param: p}, l, port)
		}}
	}
	return []story{
		withState("loading", model.PresetList{State: model.Loading}),
		withState("failed", model.PresetList{State: model.Broken, Error: "The image service does not answer."}),
		withState("none", model.PresetList{State: model.Loaded}),
		{"all of them", true, func() app.UI { return components.NewPresetBrowser("locationId", presetList(60), 4, port) }},
	}
}

func slots() []story {
	file := catalog.File{Name: "images", Title: "Person and garment", Media: catalog.Image, Max: 2, Min: 2, Roles: []string{"Person", "Garment"}, Help: "First the person, then the garment."}
	many := catalog.File{Name: "images", Title: "Pictures", Media: catalog.Image, Max: 16, Help: "Up to sixteen pictures."}
	films := catalog.File{Name: "videos", Title: "Reference films", Media: catalog.Video, Max: 3, Help: "Up to three films to go by."}
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
		slot("with a problem", model.Slot{File: file, Most: 2, Room: 2, Needed: true, Problem: "Person and garment: exactly 2 are needed, 0 given."}),
		slot("closed, with the reason", model.Slot{File: catalog.File{Name: "lastFrame", Title: "Last frame", Media: catalog.Image, Max: 1}, Because: "Last frame: it needs a first frame."}),
		slot("videos, none", model.Slot{File: films, Most: 3, Room: 3}),
		slot("videos", model.Slot{File: films, Most: 3, Room: 1, Assets: []atelier.Asset{film, film}}),
		slot("video with a problem", model.Slot{File: films, Most: 3, Room: 2, Assets: []atelier.Asset{film}, Problem: "Films: each is MP4 or MOV, 480p or 720p, and lasts 2 to 30 seconds."}),
		slot("sounds, none", model.Slot{File: sounds, Most: 5, Room: 5}),
		slot("sound", model.Slot{File: sounds, Most: 5, Room: 4, Assets: []atelier.Asset{sound}}),
	}
}

// noVideo is what a server that cannot make videos says.
const noVideo = "Videos need ffmpeg on the machine of the studio. Install it and start the studio again."

// forms shows the form of one agent of every shape: untouched, after an attempt to generate, and filled in.
func forms() []story {
	source := model.Source{Asset: &atelier.Asset{ID: "p", Width: 600, Height: 800}}
	picture := atelier.Asset{ID: "a", Name: "dress.jpg", Thumb: sample}
	film := atelier.Asset{ID: "v", Kind: "video", Name: "walk.mp4", Format: "mp4", Seconds: 6, Width: 1280, Height: 720}
	show := func(f model.Form, s model.Source, shown model.Shown, presets model.PresetList) func() app.UI {
		return func() app.UI {
			form := components.Form{
				Agent: f.Agent, Makes: f.Makes(), Fields: f.Fields(s, shown), Slots: f.Slots(s, shown), Embedded: true, NoVideo: noVideo,
				Presets: func(string) model.PresetList { return presets },
			}
			if f.Expands() {
				form.Sizes = components.Box("field")
			}
			return components.Box("story__form", form.Body(port)...)
		}
	}
	filled := map[string]func(model.Form) model.Form{
		"aimodel": func(f model.Form) model.Form {
			return f.With("locationId", 2.0).With("fashionModelId", 3.0).With("maskType", "autoSubjectSegment").With("textDescription", "a calm beach")
		},
		"expandimage": func(f model.Form) model.Form { return f.WithCanvas(1600, 1200).With("fillLeft", -900.0) },
		"virtualtryon": func(f model.Form) model.Form {
			return f.With("generateVersion", "partnerPro").WithFiles("fashionModelImage", []atelier.Asset{picture})
		},
		"ai-clothes-changer": func(f model.Form) model.Form { return f.WithFiles("images", []atelier.Asset{picture, picture}) },
		"image-studio": func(f model.Form) model.Form {
			return f.With("aspectRatio", "4:5").WithFiles("images", []atelier.Asset{picture, picture, picture, picture, picture})
		},
		"advanced-video": func(f model.Form) model.Form {
			return f.WithFiles("firstFrame", []atelier.Asset{picture}).With("duration", "-1").With("modelName", "pro").With("resolution", "4k")
		},
		"multimodal-video": func(f model.Form) model.Form { return f.With("aspectRatio", "adaptive") },
		"ai-video-enhancer": func(f model.Form) model.Form {
			return f.WithFiles("videos", []atelier.Asset{film}).With("videoSize", "4K")
		},
		"portrait-motion": func(f model.Form) model.Form { return f.With("generatedType", "image") },
	}
	out := []story{}
	for _, name := range []string{
		"aimodel", "removeBG", "expandimage", "virtualtryon", "ai-selfie", "ai-ghost-mannequin-generator", "ai-clothes-changer", "ai-collage-maker",
		"z-image", "ai-poster", "image-studio", "image-search", "frames-to-video", "reference-to-video", "advanced-video", "multimodal-video",
		"ai-video-enhancer", "portrait-motion",
	} {
		a, _ := catalog.Find(name, "")
		f := model.NewForm(a)
		out = append(out,
			story{a.Title + ", untouched", false, show(f, model.Source{}, model.Shown{}, model.PresetList{State: model.Loading})},
			story{a.Title + ", tried empty", false, show(f, model.Source{}, model.Shown{All: true}, model.PresetList{State: model.Broken, Error: "The image service does not answer."})})
		if fill := filled[name]; fill != nil {
			f = fill(f)
		}
		out = append(out, story{a.Title + ", filled", false, show(f.With("textDescription", "a fox in the snow, early light"), source, model.Shown{All: true}, presetList(12))})
	}
	return out
}

func agents() []story {
	return []story{
		{"button", false, func() app.UI { return components.AgentButton(catalog.All()[0], func(app.Context, app.Event) {}) }},
		{"button, long", false, func() app.UI {
			return components.AgentButton(catalog.Agent{Name: "an-agent-with-a-name-of-forty-characters", Title: "A title that is forty characters long, so", Summary: strings.Repeat("What happens to the picture. ", 6)}, func(app.Context, app.Event) {})
		}},
		{"picker", true, func() app.UI {
			return components.Box("story__picker", components.NewAgentPicker(components.AgentPicker{
				Agents: catalog.All(), Chosen: "aimodel", Embedded: true, Shelf: model.Shelf{Starred: []string{"removeBG"}, Recent: []string{"z-image", "aimodel"}},
			}, port))
		}},
		{"picker, no video here", true, func() app.UI {
			agents := slices.DeleteFunc(catalog.All(), func(a catalog.Agent) bool { return a.Makes != catalog.MakesVideo })
			return components.Box("story__picker", components.NewAgentPicker(components.AgentPicker{Agents: agents, Embedded: true, NoVideo: noVideo}, port))
		}},
		{"picker, nothing found", true, func() app.UI {
			return components.Box("story__picker", components.NewAgentPicker(components.AgentPicker{}, port))
		}},
	}
}

func result(id string, status atelier.Status, progress float64) atelier.Result {
	return atelier.Result{ID: atelier.ResultID(id), Kind: "image", Status: status, Progress: progress, Stored: status == atelier.Success, Thumb: sample, File: sample, Width: 600, Height: 800, Bytes: 812_000, Format: "png"}
}

func cards() []story {
	card := func(name string, r atelier.Result) story {
		return story{name, false, func() app.UI { return components.NewCard(model.Shot{Result: r}, "New model, new scene", 160, port) }}
	}
	starred := result("s", atelier.Success, 1)
	starred.Starred = true
	video := result("v", atelier.Success, 1)
	video.Kind, video.Seconds, video.File = "video", 6, "" // there is no server to play from
	return []story{
		card("queued", result("a", atelier.Pending, 0)), card("segmenting", result("b", atelier.Segmenting, 0)), card("running", result("c", atelier.Running, .6)),
		card("ready", result("d", atelier.Success, 1)), card("starred", starred), card("video", video), card("failed", result("e", atelier.Failed, 0)),
	}
}

func aRun(id string, state atelier.State, status atelier.Status, results ...atelier.Result) atelier.Run {
	return atelier.Run{
		ID: atelier.RunID(id), Agent: "aimodel", State: state, Status: status, CreatedAt: now.Add(-5 * time.Minute), Results: results,
		Asset: &atelier.Asset{Name: "dress.jpg", File: sample, Width: 600, Height: 800}, Values: map[string]any{"maskType": "autoApparelSegment", "textDescription": "a beach"},
	}
}

func strips() []story {
	strip := func(name string, state model.Load, runs ...atelier.Run) story {
		return story{name, true, func() app.UI {
			return components.NewStrip(components.Strip{State: state, Runs: runs, Titles: map[string]string{"aimodel": "New model, new scene"}, Mine: true, Now: now, Zone: time.UTC}, port)
		}}
	}
	full := make([]atelier.Result, 16)
	for i := range full {
		full[i] = result(string(rune('a'+i)), atelier.Success, 1)
	}
	failed := aRun("f", atelier.StateFailed, atelier.Failed, result("x", atelier.Failed, 0))
	failed.Error = &atelier.Error{Message: "The image service refused this picture: no clothing was found on it."}
	return []story{
		strip("loading", model.Loading), strip("empty", model.Loaded), strip("cannot be loaded", model.Broken),
		strip("partial", model.Loaded, aRun("p", atelier.StateAccepted, atelier.Running, result("1", atelier.Success, 1), result("2", atelier.Running, .4), result("3", atelier.Pending, 0))),
		strip("failed", model.Loaded, failed),
		strip("unconfirmed", model.Loaded, aRun("u", atelier.StateUnconfirmed, atelier.Pending, result("1", atelier.Pending, 0))),
		strip("full", model.Loaded, aRun("g", atelier.StateDone, atelier.Success, full...)),
	}
}

func tools() []story {
	desk := model.NewMaskDesk()
	strong := desk
	strong.Show = model.ShowStrong
	options := func(name string, o components.ToolOptions) story {
		o.Desk = desk
		return story{"options: " + name, false, func() app.UI { return o.Render(port) }}
	}
	return []story{
		{"brush, nothing to undo", false, func() app.UI { return components.NewTools(components.Tools{Tool: "brush", Desk: desk}, port) }},
		{"lasso, view flipped, panel open", false, func() app.UI {
			return components.NewTools(components.Tools{Tool: "lasso", Desk: desk, CanUndo: true, CanRedo: true, Flipped: true, Panel: true}, port)
		}},
		options("brush", components.ToolOptions{Tool: model.ToolBrush}),
		options("lasso", components.ToolOptions{Tool: model.ToolLasso}),
		options("polygon in the making", components.ToolOptions{Tool: model.ToolPolygon, Drawing: true}),
		options("wand", components.ToolOptions{Tool: model.ToolWand}),
		options("bucket", components.ToolOptions{Tool: model.ToolBucket}),
		options("smart select", components.ToolOptions{Tool: model.ToolSmart}),
		options("at work", components.ToolOptions{Tool: model.ToolWand, Work: "Selecting the colour", Progress: .4}),
		options("waiting", components.ToolOptions{Tool: model.ToolWand, Work: "Reading the picture", Waiting: true}),
		{"legend", false, func() app.UI { return components.Legend(false, .34, desk) }},
		{"legend, flipped", false, func() app.UI { return components.Legend(true, .34, desk) }},
		{"legend, high contrast", false, func() app.UI { return components.Legend(false, .34, strong) }},
	}
}

func lightboxes() []story {
	run := aRun("r", atelier.StateDone, atelier.Success)
	shots := []model.Shot{{Run: run, Result: result("1", atelier.Success, 1)}, {Run: run, Result: result("2", atelier.Success, 1)}}
	video := result("3", atelier.Success, 1)
	video.Kind, video.Seconds, video.LastFrame, video.Format, video.File = "video", 6.4, sample, "mp4", ""
	moving := []model.Shot{{Run: run, Result: video}}
	player := story{"a video", true, func() app.UI {
		return components.Box("story__lightbox", components.NewLightbox(components.Lightbox{
			Shots: moving, Key: "3", Agent: catalog.All()[0], Details: true, Now: now, Zone: time.UTC,
		}, port))
	}}
	box := func(name string, compare, details bool) story {
		return story{name, true, func() app.UI {
			return components.Box("story__lightbox", components.NewLightbox(components.Lightbox{
				Shots: shots, Key: "2", Agent: catalog.All()[0], Compare: compare,
				Lines: model.InWords(catalog.All()[0], run.Values, func(string, int64) string { return "" }), Details: details, Now: now, Zone: time.UTC,
			}, port))
		}}
	}
	return []story{box("a result", false, false), box("compared with its source", true, false), box("how it was made", false, true), player}
}

func toasts() []story {
	return []story{{"each kind", true, func() app.UI {
		return components.Toasts([]components.Toast{
			{ID: 1, Level: "info", Message: "The run and its results are in the trash.", Action: "Undo"},
			{ID: 2, Level: "warning", Message: "Only the first 20 pictures were taken."},
			{ID: 3, Level: "error", Message: "The disk of the studio is full. Nothing was changed."},
		}, port)
	}}}
}
