package gallery

import (
	"image"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/components"
	"atelier/app/model"
	"atelier/atelier"
	"atelier/imaging/mask"
)

// maskPanels are the pages of the mask panel, empty and full.
func maskPanels() []story {
	desk := model.NewMaskDesk()
	regions := []mask.Region{
		{Share: .62, Box: image.Rect(0, 0, 60, 80), Across: mask.MiddleThird, Down: mask.MiddleThird},
		{Kept: true, Share: .31, Box: image.Rect(10, 10, 40, 60), Across: mask.FirstThird, Down: mask.LastThird},
		{Kept: true, Share: .004, Box: image.Rect(50, 2, 54, 6), Across: mask.LastThird, Down: mask.FirstThird},
	}
	saved := []atelier.Mask{
		{ID: "1", Name: "Dress", Kept: .34, Thumb: sample},
		{ID: "2", Name: "Dress and shoes of the second look, front", Kept: .41, Thumb: sample},
	}
	panel := func(name string, p components.MaskPanel) story {
		if p.Desk.Join == "" {
			p.Desk = desk
		}
		if p.Kind == "" {
			p.Kind = model.ToolRect
		}
		return story{name, false, func() app.UI { return components.NewMaskPanel(p, port) }}
	}
	return []story{
		panel("refine", components.MaskPanel{Tab: components.TabRefine, Area: 42}),
		panel("refine, feathered", components.MaskPanel{Tab: components.TabRefine, Begun: true, Area: 42, Feather: 12, Firm: true, Note: "Found, 82 % sure."}),
		panel("parts", components.MaskPanel{Tab: components.TabRegions, Marked: 1, Regions: regions, Total: 9, Fields: [4]string{"10", "20", "300", "400"}}),
		panel("parts, looking", components.MaskPanel{Tab: components.TabRegions, Marked: -1, Busy: true}),
		panel("saved, none", components.MaskPanel{Tab: components.TabSaved, SavedState: model.Loaded}),
		panel("saved, loading", components.MaskPanel{Tab: components.TabSaved, SavedState: model.Loading}),
		panel("saved, failed", components.MaskPanel{Tab: components.TabSaved, SavedState: model.Broken}),
		panel("saved", components.MaskPanel{Tab: components.TabSaved, SavedState: model.Loaded, Begun: true, Saved: saved, Others: saved[:1]}),
		panel("history, empty", components.MaskPanel{Tab: components.TabHistory}),
		panel("history", components.MaskPanel{Tab: components.TabHistory, Done: 2, History: []mask.Entry{{Name: "Brush"}, {Name: "Lasso"}, {Name: "Grow by 8 px"}}}),
		panel("view", components.MaskPanel{Tab: components.TabView, Angle: 15}),
		{"findings", false, func() app.UI {
			plane := mask.New(600, 800)
			plane.FillRect(image.Rect(100, 100, 300, 500), 255)
			plane.FillRect(image.Rect(400, 100, 402, 102), 255)
			job := plane.Preflight(600, 800, true)
			job.Step(0)
			return components.MaskFindings(job.Findings(), port)
		}},
	}
}

// maskPreviews are the states of the preview of an automatic mask.
func maskPreviews() []story {
	desk := model.NewMaskDesk()
	preview := func(name string, p components.MaskPreview) story {
		p.Desk = desk
		return story{name, false, func() app.UI { return p.Render(port) }}
	}
	return []story{
		preview("looking", components.MaskPreview{State: model.Loading, Paints: true}),
		preview("found", components.MaskPreview{State: model.Loaded, Kept: .41, Confidence: .9, Paints: true}),
		preview("found, hidden, no painted mask", components.MaskPreview{State: model.Loaded, Kept: .41, Confidence: .9, Hidden: true}),
		preview("a guess, unsure", components.MaskPreview{State: model.Loaded, Kept: .41, Confidence: .3, Guess: true, Paints: true}),
		preview("found, with a note", components.MaskPreview{
			State: model.Loaded, Kept: .62, Confidence: .3, Paints: true,
			Note: "No face was found, so the whole subject is kept. Paint to correct it.",
		}),
		preview("nothing found", components.MaskPreview{State: model.Loaded, Paints: true}),
		preview("failed", components.MaskPreview{State: model.Broken, Failure: "The preview is not available. You can generate without it."}),
	}
}
