package pages

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
)

// renderBar is the line above the stage: the picture, the brush, the legend, the zoom.
func (s *Studio) renderBar() app.UI {
	return components.El("header", "class", "bar").Body(
		s.renderPicture(),
		components.Box("bar__middle",
			components.If(s.painter.painted && s.onStage() != nil, func() app.UI {
				return components.Legend(s.painter.flipped, s.painter.kept, s.painter.desk)
			}).ElseIf(s.painter.expands, func() app.UI {
				e := s.painter.expansion
				return components.El("div", "class", "legend", "data-testid", "canvas-size").Body(
					components.Text("span", "legend__item", words.CanvasSize(e.Width, e.Height)),
					components.Text("span", "legend__kept", words.CanvasPhotoAt(e.Left, e.Top)))
			}),
		),
		components.El("div", "class", "bar__zoom", "role", "toolbar", "aria-label", words.StageZoom).Body(
			components.KeyButton("minus", words.StageZoomOut, s.core.keymap, model.DoZoomOut).Attr("disabled", s.onStage() == nil).OnClick(s.onZoomOut),
			components.Keyed(components.El("button", "type", "button", "id", percentID, "class", "bar__percent", "data-testid", "zoom-percent",
				"disabled", components.Bool(s.onStage() == nil)), words.StageFullSize, s.core.keymap, model.DoActual).
				Text(s.percent()).OnClick(s.onActual),
			components.KeyButton("plus", words.StageZoomIn, s.core.keymap, model.DoZoomIn).Attr("disabled", s.onStage() == nil).OnClick(s.onZoomIn),
			components.KeyButton("fit", words.StageFit, s.core.keymap, model.DoFit).Attr("data-testid", "zoom-fit").Attr("disabled", s.onStage() == nil).OnClick(s.onFit),
			components.KeyButton("alone", words.StageAlone, s.core.keymap, model.DoAlone).Attr("data-testid", "stage-alone").
				Attr("aria-pressed", components.Bool(s.alone)).OnClick(func(app.Context, app.Event) { s.standAlone(!s.alone) }),
		),
	)
}

func (s *Studio) percent() string {
	if s.onStage() == nil {
		return "–"
	}
	return words.Zoom(s.painter.view.Percent())
}

func (s *Studio) renderPicture() app.UI {
	if on, _ := s.form.Works(); s.ready && !on {
		return components.Box("bar__picture",
			components.Text("span", "bar__name", s.form.Agent.Title),
			components.If(len(s.form.Agent.Files) > 0, func() app.UI {
				return components.Button("upload", words.StageAddFiles, "button--quiet").Attr("data-testid", "upload-button").OnClick(s.onPick)
			}).Else(func() app.UI { return components.El("span", "data-testid", "upload-button") }),
		)
	}
	if s.asset == nil {
		return components.Box("bar__picture",
			components.Button("upload", words.StageAddPicture, "button--quiet").Attr("data-testid", "upload-button").OnClick(s.onPick),
			components.If(len(s.core.assets) > 0, func() app.UI {
				return components.Button("image", words.StageRecent, "button--quiet").Attr("data-testid", "recent").OnClick(s.onAssets)
			}),
		)
	}
	return components.Box("bar__picture",
		components.El("button", "type", "button", "class", "picture-button", "data-testid", "asset-button", "aria-haspopup", "dialog",
			"data-menu", menuStage+string(s.asset.ID), "title", words.StageChooseOther).OnClick(s.onAssets).Body(
			components.Void("img", "class", "picture-button__thumb", "src", components.Thumb(s.asset.Thumb, 80), "alt", ""),
			components.Text("span", "picture-button__name", s.asset.Name),
			components.SmallIcon("down"),
		),
		components.Text("span", "bar__facts", words.Dimensions(s.asset.Width, s.asset.Height)),
		components.IconButton("upload", words.StageAddPicture, "").Attr("data-testid", "upload-button").OnClick(s.onPick),
		components.If(s.optional(), func() app.UI {
			return components.IconButton("close", words.StageWithoutPicture, "").Attr("data-testid", "stage-clear").OnClick(s.onNoPicture)
		}),
	)
}

// optional says whether the agent can do without the picture it works on.
func (s *Studio) optional() bool {
	on, needed := s.form.Works()
	return on && !needed
}

func (s *Studio) onNoPicture(app.Context, app.Event) { s.leaveStage() }

func (s *Studio) renderStage() app.UI {
	class := "stage"
	if s.dropping {
		class += " stage--dropping"
	}
	return components.El("div", "class", class, "id", stageID, "tabindex", "0", "role", components.Pick(s.onStage() == nil, "group", "application"), "aria-label", s.stageLabel(),
		"data-testid", "stage").Body(
		s.renderImage(),
		components.El("canvas", "id", overlayID, "class", "stage__mask", "data-testid", "mask-canvas", "aria-hidden", "true"),
		components.El("div", "id", ringID, "class", "stage__ring", "aria-hidden", "true"),
		s.renderOver(),
		s.renderBatch(),
		components.El("div", "class", "stage__drop", "aria-hidden", "true").Body(components.Icon("upload"), components.Text("span", "", words.StageDrop)),
		s.renderUploads(),
	)
}

func (s *Studio) stageLabel() string {
	if s.onStage() == nil {
		return words.StageNoPicture
	}
	label := words.StagePicture(s.asset.Name, s.asset.Width, s.asset.Height)
	if s.painter.expands {
		label = words.StageCanvas(label, s.painter.expansion.InWords())
	}
	if s.painter.painted {
		label = words.StageKept(label, s.painter.kept)
	} else if s.preview.state == model.Loaded {
		label = words.StageKept(label, s.preview.found.kept)
	}
	return label
}

func (s *Studio) renderImage() app.UI {
	image := components.Void("img", "id", pictureID, "class", "stage__picture", "draggable", "false").Hidden(s.onStage() == nil || s.lost())
	if s.onStage() == nil {
		return image
	}
	asset, file := s.asset.ID, s.asset.File
	if s.again > 0 {
		file += "?again=" + strconv.Itoa(s.again)
	}
	image = image.On("error", func(app.Context, app.Event) { s.gone = asset }, components.Scope(asset))
	image = image.Attr("src", file).Attr("alt", s.asset.Name).Attr("data-testid", "stage-picture")
	if s.asset.Preview != "" {
		image = image.Style("background-image", "url("+s.asset.Preview+")")
	}
	return image
}

// lost says that the picture on the stage did not load.
func (s *Studio) lost() bool { return s.asset != nil && s.gone == s.asset.ID }

// renderLost stands where a picture would that did not load.
func (s *Studio) renderLost() app.UI {
	return components.El("div", "class", "stage__empty", "data-over", "lost").Body(
		components.El("div", "class", "empty", "role", "alert", "data-testid", "stage-lost").Body(
			components.Icon("alert"),
			components.Text("h2", "empty__title", words.StageLost),
			components.Text("p", "empty__text", components.Pick(s.painter.empty, words.StageLostHow, words.StageLostKept)),
			components.Button("", words.TryAgain, "button--primary").Attr("data-testid", "stage-again").OnClick(s.onLoadAgain),
			components.Button("", words.StageChooseOther, "").OnClick(s.onAssets),
		),
	)
}

func (s *Studio) onLoadAgain(app.Context, app.Event) {
	s.gone = ""
	s.again++
}

// renderOver is what floats over the stage: the tools, or the way to begin.
func (s *Studio) renderOver() app.UI {
	on, needed := s.form.Works()
	switch {
	case s.ready && !on:
		return s.renderNoStage()
	case s.asset == nil && !s.core.designs():
		return components.Box("stage__empty",
			components.El("div", "class", "empty", "data-testid", "empty").Body(
				components.Icon("image"),
				components.Text("h2", "empty__title", words.StageViewer),
				components.Text("p", "empty__text", words.HintViewer),
				components.El("a", "class", "button button--primary button--large", "href", "/boards").Text(words.ViewerOpenBoards),
			),
		)
	case s.asset == nil:
		return components.Box("stage__empty",
			components.El("div", "class", "empty", "data-testid", "empty").Body(
				components.Icon("image"),
				components.Text("h2", "empty__title", components.Pick(needed || !s.ready, words.StageStart, words.StageStartOptional)),
				components.Text("p", "empty__text", words.StageStartHow),
				components.Button("upload", words.StageChoosePicture, "button--primary button--large").Attr("data-testid", "choose-picture").OnClick(s.onPick),
				components.Text("p", "empty__hint", words.StageSamples),
				s.renderSamples(),
				s.renderSteps(),
				s.renderEmbedded(),
			),
		)
	case s.lost():
		return s.renderLost()
	case s.painter.painted:
		return stageTools(s.renderTools()...)
	}
	if preview := s.renderPreview(); preview != nil {
		return stageTools(preview)
	}
	return stageTools()
}

// stageTools is the box of the tools over a photo. It is a section because go-app would otherwise reuse the div that
// shows how to begin, and the browser would report a layout shift.
func stageTools(tools ...app.UI) app.UI {
	return components.El("section", "class", "stage__tools").Body(tools...)
}

// renderNoStage stands where the picture would, for agents that work on none: what the agent made last, or is making, or else
// what it is.
func (s *Studio) renderNoStage() app.UI {
	a := s.form.Agent
	if run, ok := s.core.runs.Newest(a.Name); ok {
		return s.renderMade(run)
	}
	text := words.StageNeedsNoPicture
	if len(a.Files) > 0 {
		text = words.StageDropFiles
	}
	return components.Box("stage__empty",
		components.El("div", "class", "empty", "data-testid", "empty").Body(
			components.Example(a),
			components.Text("h2", "empty__title", a.Title),
			components.Text("p", "empty__text", a.Summary),
			components.Text("p", "empty__hint", text),
		),
	)
}

// onResize fits what is on the stage into its new size.
func (s *Studio) onResize(box browser.Box) {
	s.painter.resize(box)
	if on, _ := s.form.Works(); s.ready && !on {
		s.update() // the results stand in other columns
	}
}

// renderMade shows the results of a run on the stage, side by side.
func (s *Studio) renderMade(run atelier.Run) app.UI {
	made := components.El("section", "class", "stage__made", "data-testid", "stage-made", "aria-label", words.StageMade)
	n := len(run.Results)
	if n == 0 {
		return made.Body(components.Box("stage__busy", components.Status(model.RunTone(run), model.RunWords(run))))
	}
	aspect := 0.0
	if r := run.Results[0]; r.Height > 0 {
		aspect = float64(r.Width) / float64(r.Height)
	}
	columns := model.Columns(n, aspect, s.painter.stage)
	cards := make([]app.UI, n)
	for i, result := range run.Results {
		cards[i] = components.LargeCard(model.Shot{Run: run, Result: result}, s.form.Agent.Title, s)
	}
	return made.Style("--columns", words.Number(columns)).Style("--rows", words.Number((n+columns-1)/columns)).Body(cards...)
}

func (s *Studio) canUndo() bool { return s.painter.editor != nil && s.painter.editor.CanUndo() }
func (s *Studio) canRedo() bool { return s.painter.editor != nil && s.painter.editor.CanRedo() }

func (s *Studio) onZoomIn(app.Context, app.Event)  { s.painter.zoom(1.25, nil) }
func (s *Studio) onZoomOut(app.Context, app.Event) { s.painter.zoom(0.8, nil) }
func (s *Studio) onActual(app.Context, app.Event)  { s.painter.actual() }
func (s *Studio) onFit(app.Context, app.Event)     { s.painter.fit() }
func (s *Studio) onPick(app.Context, app.Event)    { s.AddFile() }
func (s *Studio) onAssets(app.Context, app.Event)  { s.openDialog(assetsID) }

func (s *Studio) renderStrip() app.UI {
	state := s.core.runsState
	on, _ := s.form.Works()
	on = on || !s.ready
	runs := s.runs()
	return components.NewStrip(components.Strip{
		State: state, Runs: runs, Titles: s.core.titles(), Presets: s.core.presetNames(runs), Mine: s.mine && (!on || s.asset != nil), ByAgent: !on, Stops: s.core.embedded(), Folded: s.folded, Now: s.core.minute(), Zone: s.core.zone,
	}, s)
}
