package gallery

import (
	"slices"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
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
		{"Sizes", sizes()},
		{"Slot", slots()},
		{"Chooser of files", choosers()},
		{"Form", forms()},
		{"Agent", agents()},
		{"Result card", cards()},
		{"Strip", strips()},
		{"Mask tools", tools()},
		{"Mask panel", maskPanels()},
		{"Mask preview", maskPreviews()},
		{"Lightbox", lightboxes()},
		{"Tile", tiles()},
		{"Verdict", verdicts()},
		{"Context menu", []story{{"of a result", false, contextMenu}}},
		{"Culling desk", desks()},
		{"Rail", []story{{"two running", false, func() app.UI { return components.NewRail("studio", 2, model.Keymap{}, port) }}}},
		{"Toast", toasts()},
		{"Frame", []story{{"drawn at once", false, func() app.UI { return &presses{} }}}},
		{"Keys", []story{{"Ctrl", true, func() app.UI {
			return components.KeySheet(model.Keymap{Own: map[string]string{model.ToolLasso: "q"}}, model.DoGallery, port)
		}}, {"Mac", true, func() app.UI { return components.KeySheet(model.Keymap{Mac: true}, "", port) }}}},
	}
}

func statuses() []story {
	out := []story{}
	for _, s := range []struct {
		tone  model.Tone
		words string
	}{{model.Waiting, "Queued, 3 before it"}, {model.Busy, "Running 40 %"}, {model.Good, "4 results"}, {model.Bad, "Failed"}, {model.Unsure, "Unconfirmed"}, {model.Off, "Cancelled"}} {
		out = append(out, story{string(s.tone), false, func() app.UI { return components.Status(s.tone, s.words) }})
	}
	return out
}

// contextMenu stands in the page: the browser would lay it over.
func contextMenu() app.UI {
	items := []components.MenuItem{
		{Name: "open", Icon: "full", Title: "Open"},
		{Name: "download", Icon: "download", Title: "Download"},
		{Name: "favourite", Icon: "heart", Title: "Favourite", Apart: true},
		{Name: "cancel", Icon: "close", Title: "Cancel this run", Off: words.RunNotBack, Apart: true},
	}
	return components.Menu("Cut out", items, "0px", "0px", port).Attr("open", true)
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
			return components.Segmented("Style", []components.Choice{{Value: "a", Title: "New"}, {Value: "b", Title: "Match the photo"}}, "a", func(string) {})
		}},
	}
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
			return components.Box("story__picker", components.NewAgentPicker(components.AgentPicker{Agents: agents, Embedded: true, NoVideo: atelier.VideosNeedFFmpeg}, port))
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
			return components.NewStrip(components.Strip{State: state, Runs: runs, Titles: map[string]string{"aimodel": "New model, new scene"}, Presets: map[atelier.RunID]string{"g": "Loft with window light · Model 3"}, Mine: true, Now: now, Zone: time.UTC}, port)
		}}
	}
	full := make([]atelier.Result, 16)
	for i := range full {
		full[i] = result(string(rune('a'+i)), atelier.Success, 1)
	}
	failed := aRun("f", atelier.StateFailed, atelier.Failed, result("x", atelier.Failed, 0))
	failed.Error = &atelier.Error{Message: "The image service refused this picture: no clothing was found on it."}
	before := 2
	waiting := aRun("w", atelier.StateRecorded, atelier.Pending, result("1", atelier.Pending, 0))
	waiting.Queue = &before
	return []story{
		strip("loading", model.Loading), strip("empty", model.Loaded), strip("cannot be loaded", model.Broken),
		strip("partial", model.Loaded, aRun("p", atelier.StateAccepted, atelier.Running, result("1", atelier.Success, 1), result("2", atelier.Running, .4), result("3", atelier.Pending, 0))),
		strip("failed", model.Loaded, failed),
		strip("unconfirmed", model.Loaded, aRun("u", atelier.StateUnconfirmed, atelier.Pending, result("1", atelier.Pending, 0))),
		strip("waiting", model.Loaded, waiting),
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
	square := result("4", atelier.Success, 1)
	square.Height, square.Fidelity = 600, &atelier.Fidelity{Code: atelier.ApartShape}
	shots := []model.Shot{{Run: run, Result: result("1", atelier.Success, 1)}, {Run: run, Result: result("2", atelier.Success, 1)}, {Run: run, Result: square}}
	video := result("3", atelier.Success, 1)
	video.Kind, video.Seconds, video.LastFrame, video.Format, video.File = "video", 6.4, sample, "mp4", ""
	moving := []model.Shot{{Run: run, Result: video}}
	player := story{"a video", true, func() app.UI {
		return components.Box("story__lightbox", components.NewLightbox(components.Lightbox{
			Shots: moving, Key: "3", Agent: catalog.All()[0], Details: true, Now: now, Zone: time.UTC,
		}, port))
	}}
	box := func(name, key string, compare, details bool) story {
		return story{name, true, func() app.UI {
			return components.Box("story__lightbox", components.NewLightbox(components.Lightbox{
				Shots: shots, Key: key, Agent: catalog.All()[0], Compare: compare,
				Lines: model.InWords(catalog.All()[0], run.Values, func(string, int64) string { return "" }), Details: details, Now: now, Zone: time.UTC,
			}, port))
		}}
	}
	return []story{
		box("a result", "2", false, false), box("compared with its source", "2", true, false), box("beside a source of another shape", "4", true, false), box("how it was made", "2", false, true), player,
	}
}

func toasts() []story {
	return []story{{"each kind", true, func() app.UI {
		return components.Toasts([]components.Toast{
			{ID: 1, Level: "info", Message: "The run and its results are in the trash.", Action: "Undo"},
			{ID: 2, Level: "warning", Message: "Only the first 50 files were taken."},
			{ID: 3, Level: "error", Message: "The disk of the studio is full. Nothing was changed."},
		}, port)
	}}}
}
