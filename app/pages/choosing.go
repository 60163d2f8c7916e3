package pages

import (
	"context"
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
	"atelier/catalog"
)

// NeedPresets implements components.FieldPort: loads the first page of a kind, once.
func (s *Studio) NeedPresets(kind string) {
	s.core.needPresets(s.form.Agent.Name, kind, s.browsesPresets)
}

func (s *Studio) loadPresets(agent, kind string) {
	s.core.loadPresets(agent, kind, s.browsesPresets)
}

func (s *Studio) browsesPresets() bool { return s.dialog == presetsID }

// LoadAllPresets implements components.PresetBrowserPort: the search needs all of them.
func (s *Studio) LoadAllPresets() {
	p, ok := s.form.Agent.Param(s.browsing)
	if !ok {
		return
	}
	list := s.core.presets[presetKey(s.form.Agent.Name, p.PresetKind)]
	if list.State == model.Loaded && !list.Last {
		s.loadPresets(s.form.Agent.Name, p.PresetKind)
	}
}

// BrowsePresets implements components.FieldPort.
func (s *Studio) BrowsePresets(name string) {
	s.browsing = name
	s.openDialog(presetsID)
}

// ChoosePreset implements components.PresetBrowserPort.
func (s *Studio) ChoosePreset(param string, id int64) {
	s.SetValue(param, float64(id))
	s.CloseDialog(presetsID)
}

func (s *Studio) browsedTitle() string {
	if p, ok := s.form.Agent.Param(s.browsing); ok {
		return p.Title
	}
	return words.AssetsPresets
}

func (s *Studio) renderPresets() []app.UI {
	p, _ := s.form.Agent.Param(s.browsing)
	chosen := int64(0)
	if n, ok := s.form.Values[s.browsing].(float64); ok {
		chosen = int64(n)
	}
	return []app.UI{components.NewPresetBrowser(s.browsing, s.core.presets[presetKey(s.form.Agent.Name, p.PresetKind)], chosen, s)}
}

// fillValue chooses an agent and sets one of its values: what was found on another page.
func (s *Studio) fillValue(agent, param string, value any) {
	if s.form.Agent.Name != agent {
		s.ChooseAgent(agent)
	}
	s.SetValue(param, value)
	s.update()
}

// PickSlot implements components.SlotPort: the next file goes to a place of a file field.
func (s *Studio) PickSlot(name string, at int) {
	s.slot, s.slotAt = name, at
	s.openDialog(assetsID)
}

// ClearSlot implements components.SlotPort.
func (s *Studio) ClearSlot(name string) {
	gone := s.form.Files[name]
	s.setFiles(name, nil)
	s.offerBack(name, 0, gone, words.SlotsRemoved(len(gone)))
}

// offerBack offers to take files that were removed from the form back to their place, also when another agent was chosen since.
func (s *Studio) offerBack(name string, at int, gone []atelier.Asset, said string) {
	agent := s.form.Agent.Name
	s.core.offer(said, words.Undo, func() {
		if s.form.Agent.Name != agent {
			s.ChooseAgent(agent)
		}
		files := slices.Clone(s.form.Files[name])
		for i, back := range gone {
			if !slices.ContainsFunc(files, func(a atelier.Asset) bool { return a.ID == back.ID }) {
				files = slices.Insert(files, min(at+i, len(files)), back)
			}
		}
		s.setFiles(name, files)
		s.update()
	})
}

// MoveFile implements components.SlotPort: takes a file to another place of its list; the focus goes along.
func (s *Studio) MoveFile(name string, from, to int) {
	assets := slices.Clone(s.form.Files[name])
	if from < 0 || to < 0 || from >= len(assets) || to >= len(assets) {
		return
	}
	moved := assets[from]
	assets = slices.Insert(slices.Delete(assets, from, from+1), to, moved)
	s.setFiles(name, assets)
	s.core.said = words.SlotMoved(moved.Name, to+1, len(assets))
	s.core.rev++
	browser.Focus(components.SlotID(name, to)) // at once: the next key may already be on its way
	s.update()
}

// DropFile implements components.SlotPort.
func (s *Studio) DropFile(name string, at int) {
	assets := slices.Clone(s.form.Files[name])
	if at < 0 || at >= len(assets) {
		return
	}
	gone := assets[at]
	s.setFiles(name, slices.Delete(assets, at, at+1))
	s.offerBack(name, at, []atelier.Asset{gone}, words.SlotRemoved(gone.Name))
	s.ctx.Defer(func(app.Context) { browser.Focus(components.SlotID(name, at)) })
}

// wanted is the kind of file that is being chosen.
func (s *Studio) wanted() catalog.Media {
	if file, ok := s.form.Agent.File(s.slot); ok {
		return file.Media
	}
	return catalog.Image
}

// accepts is what the file picker offers. Without a place for it each file goes where its kind belongs.
func (s *Studio) accepts() string {
	types := map[catalog.Media]string{
		catalog.Image: "image/png,image/jpeg,image/webp", catalog.Video: "video/mp4,video/quicktime", catalog.Audio: "audio/mpeg,audio/wav,audio/mp4,.mp3,.wav,.m4a",
	}
	if s.slot != "" {
		return types[s.wanted()]
	}
	out := types[catalog.Image]
	for _, media := range []catalog.Media{catalog.Video, catalog.Audio} {
		if s.form.Takes(media) {
			out += "," + types[media]
		}
	}
	return out
}

// assetAddID is the way to a file that is not here yet.
const assetAddID = "asset-add"

// assetsShown is how many files the dialog shows at most.
const assetsShown = 96

// renderAssets is the content of the dialog with the files that were brought before, and the results that were made.
func (s *Studio) renderAssets() []app.UI {
	media := s.wanted()
	cells := []app.UI{}
	if s.results && media != catalog.Audio {
		cells = s.resultCells(media)
		if len(cells) == 0 {
			cells = append(cells, components.Text("p", "preset-browser__none", words.AssetsNothing))
		}
	} else {
		cells = append(cells, components.El("button", "type", "button", "class", "asset asset--add", "id", assetAddID, "data-testid", "asset-add").OnClick(s.onPick).Body(
			components.Icon("plus"), components.Text("span", "", words.AssetsAdd(mediaWords[media].one))))
		for _, a := range s.core.assets {
			if model.MediaOf(a) == media && len(cells) <= assetsShown {
				cells = append(cells, s.assetCell(a))
			}
		}
	}
	return []app.UI{
		components.Box("assets__pane",
			components.If(media != catalog.Audio, func() app.UI {
				return components.Box("assets__bar", components.Segmented(words.AssetsWhereFrom, []components.Choice{
					{Value: "mine", Title: words.AssetsMine}, {Value: "results", Title: words.AssetsResults},
				}, components.Pick(s.results, "results", "mine"), s.onFrom))
			}).Else(func() app.UI { return components.Box("assets__bar") }),
			components.Box("assets", cells...),
			components.If(!s.results && s.core.assetsMore != "" && len(s.core.assets) < assetsShown, func() app.UI {
				return components.Box("pager", components.Button("", words.AssetsMore, "").OnClick(func(app.Context, app.Event) { s.core.moreAssets() }))
			}),
		),
	}
}

func (s *Studio) onFrom(value string) { s.results = value == "results" }

func (s *Studio) assetCell(a atelier.Asset) app.UI {
	chosen := s.slot == "" && s.asset != nil && s.asset.ID == a.ID
	cell := components.El("button", "type", "button", "class", "asset", "data-testid", "asset", "data-asset", string(a.ID),
		"aria-pressed", components.Bool(chosen), "title", words.AssetFacts(a.Name, words.MediaFacts(a))).OnClick(s.onAsset(a), components.Scope(a.ID, s.slot, s.slotAt))
	picture := app.UI(components.Void("img", "class", "asset__picture", "src", components.Thumb(a.Thumb, 320), "alt", a.Name, "loading", "lazy", "draggable", "false"))
	switch model.MediaOf(a) {
	case catalog.Video:
		picture = components.Poster(atelier.Result{File: a.File, Thumb: a.Thumb}, 320, "asset__picture")
	case catalog.Audio:
		picture = components.El("span", "class", "asset__sound").Body(components.Icon("sound"), components.Text("span", "", words.MediaFacts(a)))
	}
	return cell.Body(picture, components.Text("span", "asset__name", a.Name))
}

// resultCells are the results that fit a place for files of that kind; of videos, their last frames fit a place for pictures.
func (s *Studio) resultCells(media catalog.Media) []app.UI {
	cells := []app.UI{}
	for _, shot := range model.Viewable(s.core.runs.Shots()) {
		r := shot.Result
		last := model.IsVideo(r) && media == catalog.Image
		if len(cells) == assetsShown || model.IsVideo(r) != (media == catalog.Video) && (!last || r.LastFrame == "") {
			continue
		}
		title := s.core.agent(shot.Run.Agent).Title
		if last {
			title = words.AssetsLastFrame(title)
		}
		picture := app.UI(components.Void("img", "class", "asset__picture", "src", components.Thumb(r.Thumb, 320), "alt", "", "loading", "lazy", "draggable", "false"))
		if model.IsVideo(r) {
			picture = components.Poster(r, 320, "asset__picture")
		}
		slot, at := s.slot, s.slotAt
		cells = append(cells, components.El("button", "type", "button", "class", "asset", "data-testid", "asset-result", "title", title).
			OnClick(func(app.Context, app.Event) {
				s.CloseDialog(assetsID)
				s.bringResult(shot, last, slot, at)
			}, components.Scope(r.ID, slot, at)).
			Body(picture, components.Text("span", "asset__name", title)))
	}
	return cells
}

func (s *Studio) onAsset(a atelier.Asset) app.EventHandler {
	return func(app.Context, app.Event) {
		slot, at := s.slot, s.slotAt
		s.CloseDialog(assetsID)
		delete(s.order, a.ID)
		s.place(a, slot, at)
		if slot == "" {
			browser.Focus(stageID)
		}
	}
}

// useResult takes a result, or the last frame of one, where the form has a place for it.
func (s *Studio) useResult(shot model.Shot, last bool) {
	media := catalog.Image
	if model.IsVideo(shot.Result) && !last {
		media = catalog.Video
	}
	slot := ""
	if on, _ := s.form.Works(); !on || media != catalog.Image {
		slot, _ = s.form.SlotFor(s.source(), media)
	}
	s.bringResult(shot, last, slot, len(s.form.Files[slot]))
}

// bringResult makes a file of the studio out of a result; the same result twice is the same file.
func (s *Studio) bringResult(shot model.Shot, last bool, slot string, at int) {
	path, name := shot.Result.File, components.Filename(shot)
	if last {
		path, name = shot.Result.LastFrame, words.LastFrameFile(name)
	}
	id := s.addUpload(name)
	s.core.do(func(ctx context.Context) func() {
		file, err := browser.FetchFile(ctx, path, name)
		if err != nil {
			return func() { s.refuse(id, words.AssetsUnread) }
		}
		return s.bring(ctx, id, file, slot, at)
	})
}
