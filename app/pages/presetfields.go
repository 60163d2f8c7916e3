package pages

import (
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
	"atelier/catalog"
)

// NeedPresets implements components.FieldPort: loads the first page of a kind, once, and others as far as something is wanted
// that is not on it.
func (s *Studio) NeedPresets(kind string) {
	agent := s.form.Agent.Name
	s.core.needPresets(agent, kind, func() bool { return s.dialog == presetsID || s.lacks(agent, kind) })
}

// lacks says whether the form holds a preset of a kind that is not known yet by name, or one that is marked, and so stands among the
// first, is not here yet.
func (s *Studio) lacks(agent, kind string) bool {
	if s.form.Agent.Name != agent {
		return false
	}
	list := s.core.presets[presetKey(agent, kind)]
	return s.core.favourites.Lacks(kind, list.Presets) || slices.ContainsFunc(s.form.Agent.Params, func(p catalog.Param) bool {
		id, ok := s.form.Values[p.Name].(float64)
		return ok && p.Kind == catalog.Preset && p.PresetKind == kind && list.Name(int64(id)) == ""
	})
}

// completePresets goes on reading presets after one was chosen by other means than their list, and begins anew with those that are outdated.
func (s *Studio) completePresets() {
	for _, p := range s.form.Agent.Params {
		list := s.core.presets[presetKey(s.form.Agent.Name, p.PresetKind)]
		if p.PresetKind != "" && list.State == model.Never || p.Kind == catalog.Preset && list.State == model.Loaded && list.Error == "" {
			s.NeedPresets(p.PresetKind)
		}
	}
}

// LoadPresets implements components.FieldPort: reads all there are of a kind.
func (s *Studio) LoadPresets(kind string) {
	agent := s.form.Agent.Name
	if list := s.core.presets[presetKey(agent, kind)]; list.State != model.Loaded || !list.Last {
		s.core.loadPresets(agent, kind, func() bool { return s.form.Agent.Name == agent })
	}
}

// BrowsePresets implements components.FieldPort.
func (s *Studio) BrowsePresets(name string) {
	s.browsing = name
	s.openDialog(presetsID)
}

// ChoosePreset implements components.PresetBrowserPort.
func (s *Studio) ChoosePreset(param string, p atelier.Preset) {
	s.SetValue(param, float64(p.ID))
	s.CloseDialog(presetsID)
}

// AlsoPreset implements components.FieldPort and PresetBrowserPort.
func (s *Studio) AlsoPreset(param string, p atelier.Preset) {
	s.form = s.form.WithAlso(param, p.ID)
	s.touch(param)
	s.formChanged()
	s.update()
}

// MarkPreset implements components.PresetBrowserPort.
func (s *Studio) MarkPreset(p atelier.Preset) { s.core.mark(p) }

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
	return []app.UI{components.NewPresetBrowser(components.PresetBrowser{
		Param: p, List: s.core.presetsOf(s.form.Agent.Name, p.PresetKind), Chosen: chosen, Several: true, Also: s.form.Also(s.browsing), Marked: s.core.favourites, SearchID: presetSearchID,
	}, s)}
}

// fillValues chooses an agent and sets values of its form: what was found on another page.
func (s *Studio) fillValues(agent string, values map[string]any) {
	if s.form.Agent.Name != agent {
		s.ChooseAgent(agent)
	}
	for name, value := range values {
		s.SetValue(name, value)
	}
	s.update()
}
