package pages

import (
	"context"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/components"
	"atelier/app/model"
	"atelier/atelier"
)

// presetPage is how many presets are asked for at a time (Task API, "Agent info": at most 100).
const presetPage = 100

func presetKey(agent, kind string) string { return agent + "|" + kind }

// NeedPresets implements components.FieldPort: loads the first page of a kind, once.
func (s *Studio) NeedPresets(kind string) {
	key := presetKey(s.form.Agent.Name, kind)
	if list := s.core.presets[key]; list.State == model.Never || list.State == model.Broken {
		s.loadPresets(s.form.Agent.Name, kind, 1)
	}
}

func (s *Studio) loadPresets(agent, kind string, page int) {
	key := presetKey(agent, kind)
	list := s.core.presets[key]
	if page == 1 {
		list.State = model.Loading
	}
	s.core.presets[key] = list
	s.core.do(func(ctx context.Context) func() {
		answer, err := s.core.api.Presets(ctx, agent, kind, page, presetPage)
		return func() {
			list := s.core.presets[key]
			if err != nil {
				if s.core.expired(err) {
					return
				}
				list.State, list.Error = model.Broken, sentence(err)
				s.core.presets[key] = list
				return
			}
			if answer.Page == 0 {
				answer.Page = page
			}
			s.core.presets[key] = list.Add(answer)
			if s.dialog == presetsID && !s.core.presets[key].Last {
				s.loadPresets(agent, kind, page+1)
			}
		}
	})
}

// LoadAllPresets implements components.PresetBrowserPort: the search needs all of them.
func (s *Studio) LoadAllPresets() {
	p, ok := s.form.Agent.Param(s.browsing)
	if !ok {
		return
	}
	list := s.core.presets[presetKey(s.form.Agent.Name, p.PresetKind)]
	if list.State == model.Loaded && !list.Last {
		s.loadPresets(s.form.Agent.Name, p.PresetKind, list.Pages+1)
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
	return "Presets"
}

func (s *Studio) renderPresets() []app.UI {
	p, _ := s.form.Agent.Param(s.browsing)
	chosen := int64(0)
	if n, ok := s.form.Values[s.browsing].(float64); ok {
		chosen = int64(n)
	}
	return []app.UI{components.NewPresetBrowser(s.browsing, s.core.presets[presetKey(s.form.Agent.Name, p.PresetKind)], chosen, s)}
}

// PickSlot implements components.FieldPort: the next picture goes into a file field.
func (s *Studio) PickSlot(name string) {
	s.slot = name
	s.openDialog(assetsID)
}

// ClearSlot implements components.FieldPort.
func (s *Studio) ClearSlot(name string) {
	s.form = s.form.WithFiles(name, nil)
	s.formChanged()
}

// assetsShown is how many pictures the dialog shows at most.
const assetsShown = 96

// renderAssets is the content of the dialog with the pictures that were brought before.
func (s *Studio) renderAssets() []app.UI {
	cells := []app.UI{
		components.El("button", "type", "button", "class", "asset asset--add", "data-testid", "asset-add").OnClick(s.onPick).Body(
			components.Icon("plus"), components.Text("span", "", "Add pictures")),
	}
	for _, a := range s.core.assets[:min(len(s.core.assets), assetsShown)] {
		if a.Kind != "image" && a.Kind != "" {
			continue
		}
		cells = append(cells, components.El("button", "type", "button", "class", "asset", "data-testid", "asset", "data-asset", string(a.ID),
			"aria-pressed", components.Bool(s.asset != nil && s.asset.ID == a.ID), "title", a.Name+"  "+model.Dimensions(a.Width, a.Height)).OnClick(s.onAsset(a), components.Scope(a.ID, s.slot)).Body(
			components.Void("img", "class", "asset__picture", "src", components.Thumb(a.Thumb, 320), "alt", a.Name, "loading", "lazy",
				"draggable", "false"),
			components.Text("span", "asset__name", a.Name),
		))
	}
	return []app.UI{
		components.Box("assets", cells...),
		components.If(s.core.assetsMore != "" && len(s.core.assets) < assetsShown, func() app.UI {
			return components.Box("pager", components.Button("", "Show more", "").OnClick(func(app.Context, app.Event) { s.core.moreAssets() }))
		}),
	}
}

func (s *Studio) onAsset(a atelier.Asset) app.EventHandler {
	return func(app.Context, app.Event) {
		slot := s.slot
		s.CloseDialog(assetsID)
		s.place(a, slot)
		browser.Focus(stageID)
	}
}
