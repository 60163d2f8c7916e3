package pages

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/components"
	"atelier/app/model"
)

// renderBar is the line above the stage: the picture, the brush, the legend, the zoom.
func (s *Studio) renderBar() app.UI {
	return app.Elem("header").Class("bar").Body(
		s.renderPicture(),
		app.Div().Class("bar__middle").Body(
			app.If(s.painter.painted && s.asset != nil, func() app.UI {
				return components.Legend(s.painter.flipped, s.painter.kept)
			}),
		),
		app.Div().Class("bar__zoom").Body(
			components.IconButton("minus", "Zoom out", "−").Attr("disabled", s.asset == nil).OnClick(s.onZoomOut),
			app.Elem("button").Attr("type", "button").Class("bar__percent").Attr("title", "100 %  1").Attr("data-testid", "zoom-percent").Attr("disabled", s.asset == nil).
				Text(s.percent()).OnClick(s.onActual),
			components.IconButton("plus", "Zoom in", "+").Attr("disabled", s.asset == nil).OnClick(s.onZoomIn),
			components.IconButton("fit", "Fit", "0").Attr("data-testid", "zoom-fit").Attr("disabled", s.asset == nil).OnClick(s.onFit),
		),
	)
}

func (s *Studio) percent() string {
	if s.asset == nil {
		return "–"
	}
	return strconv.Itoa(s.painter.view.Percent()) + " %"
}

func (s *Studio) renderPicture() app.UI {
	if s.asset == nil {
		return app.Div().Class("bar__picture").Body(
			components.Button("upload", "Add a picture", "button--quiet").Attr("data-testid", "upload-button").OnClick(s.onPick),
			app.If(len(s.core.assets) > 0, func() app.UI {
				return components.Button("image", "Recent", "button--quiet").OnClick(s.onAssets)
			}),
		)
	}
	return app.Div().Class("bar__picture").Body(
		app.Elem("button").Attr("type", "button").Class("picture-button").Attr("data-testid", "asset-button").Attr("aria-haspopup", "dialog").
			Attr("title", "Choose another picture").OnClick(s.onAssets).Body(
			app.ElemSelfClosing("img").Class("picture-button__thumb").Attr("src", components.Thumb(s.asset.Thumb, 80)).Attr("alt", ""),
			app.Elem("span").Class("picture-button__name").Text(s.asset.Name),
			components.SmallIcon("down"),
		),
		app.Elem("span").Class("bar__facts").Text(model.Dimensions(s.asset.Width, s.asset.Height)),
		components.IconButton("upload", "Add a picture", "").Attr("data-testid", "upload-button").OnClick(s.onPick),
	)
}

func (s *Studio) renderStage() app.UI {
	class := "stage"
	if s.dropping {
		class += " stage--dropping"
	}
	return app.Div().Class(class).ID(stageID).TabIndex(0).Attr("role", "application").Attr("aria-label", s.stageLabel()).
		Attr("data-testid", "stage").Body(
		s.renderImage(),
		app.Elem("canvas").ID(overlayID).Class("stage__mask").Attr("data-testid", "mask-canvas").Attr("aria-hidden", "true"),
		app.Div().ID(ringID).Class("stage__ring").Attr("aria-hidden", "true"),
		s.renderOver(),
		app.Div().Class("stage__drop").Attr("aria-hidden", "true").Body(components.Icon("upload"), app.Elem("span").Text("Drop pictures here")),
		s.renderUploads(),
	)
}

func (s *Studio) stageLabel() string {
	if s.asset == nil {
		return "Stage, no picture yet"
	}
	label := "Stage: " + s.asset.Name + ", " + model.Dimensions(s.asset.Width, s.asset.Height)
	if s.painter.painted {
		label += ". " + model.Percent(s.painter.kept) + " is kept"
	}
	return label
}

func (s *Studio) renderImage() app.UI {
	image := app.ElemSelfClosing("img").ID(pictureID).Class("stage__picture").Attr("draggable", "false").Hidden(s.asset == nil)
	if s.asset == nil {
		return image
	}
	image = image.Attr("src", s.asset.File).Attr("alt", s.asset.Name).Attr("data-testid", "stage-picture")
	if s.asset.Preview != "" {
		image = image.Style("background-image", "url("+s.asset.Preview+")")
	}
	return image
}

// renderOver is what floats over the stage: the tools, or the way to begin.
func (s *Studio) renderOver() app.UI {
	switch {
	case s.asset == nil:
		return app.Div().Class("stage__empty").Body(
			app.Div().Class("empty").Attr("data-testid", "empty").Body(
				components.Icon("image"),
				app.Elem("h2").Class("empty__title").Text("Start with a picture"),
				app.Elem("p").Class("empty__text").Text("Drop one here, paste it, or choose a file. PNG, JPEG or WebP up to 10 MB, each side over 512 px, less than twice as long as wide."),
				components.Button("upload", "Choose a picture", "button--primary button--large").Attr("data-testid", "choose-picture").OnClick(s.onPick),
				app.Elem("p").Class("empty__hint").Text("Then say what to keep, choose an agent on the right, and generate."),
			),
		)
	case s.painter.painted:
		brush := s.painter.tool == toolBrush || s.painter.tool == toolEraser
		return app.Div().Class("stage__tools").Body(
			components.NewTools(s.painter.tool, s.canUndo(), s.canRedo(), s.painter.flipped, s),
			app.If(brush, func() app.UI {
				return app.Div().Class("stage__options").Body(components.BrushSize(s.painter.brush, s.onBrushSize))
			}),
			app.If(s.painter.empty, func() app.UI {
				return app.Elem("p").Class("stage__hint").Attr("data-testid", "mask-hint").Text("Paint what must stay as it is. Everything else is redrawn.")
			}),
		)
	}
	return app.Div().Class("stage__tools")
}

func (s *Studio) canUndo() bool { return s.painter.editor != nil && s.painter.editor.CanUndo() }
func (s *Studio) canRedo() bool { return s.painter.editor != nil && s.painter.editor.CanRedo() }

func (s *Studio) onZoomIn(app.Context, app.Event)  { s.painter.zoom(1.25, nil) }
func (s *Studio) onZoomOut(app.Context, app.Event) { s.painter.zoom(0.8, nil) }
func (s *Studio) onActual(app.Context, app.Event)  { s.painter.actual() }
func (s *Studio) onFit(app.Context, app.Event)     { s.painter.fit() }
func (s *Studio) onPick(app.Context, app.Event)    { browser.Click(pickerID) }
func (s *Studio) onAssets(app.Context, app.Event)  { s.openDialog(assetsID) }

func (s *Studio) onBrushSize(ctx app.Context, _ app.Event) {
	if n, err := strconv.Atoi(ctx.JSSrc().Get("value").String()); err == nil {
		s.painter.resizeBrush(n)
	}
}

func (s *Studio) renderStrip() app.UI {
	state := s.core.runsState
	return components.NewStrip(components.Strip{
		State: state, Runs: s.runs(), Titles: s.core.titles(), Mine: s.mine && s.asset != nil, Now: s.core.minute(), Zone: s.core.zone,
	}, s)
}
