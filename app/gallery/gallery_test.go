package gallery

import (
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/catalog"
)

func TestEveryStoryCanBeShown(t *testing.T) {
	for _, c := range chapters() {
		if len(c.stories) == 0 {
			t.Errorf("%s has no states", c.name)
		}
		for _, s := range c.stories {
			t.Run(c.name+"/"+s.name, func(t *testing.T) {
				if app.HTMLString(s.view()) == "" {
					t.Error("nothing is shown")
				}
			})
		}
	}
}

// Every kind of param there is stands in every state a field can have, and looks like it.
func TestEveryKindOfFieldIsShownInEveryState(t *testing.T) {
	type place struct {
		kind  catalog.Kind
		state string
	}
	seen := map[place]bool{}
	untouched := ""
	for _, s := range fieldStories() {
		seen[place{s.control.field().Param.Kind, s.state.name}] = true
		html, shows := app.HTMLString(s.view()), s.state.shows
		if shows == "" {
			shows = s.control.shows
		}
		if s.state.name == "untouched" { // it comes first of each control
			untouched = html
			continue
		}
		if !strings.Contains(html, shows) {
			t.Errorf("%s: nothing of %q in %s", s.name, shows, html)
		}
		if strings.Contains(untouched, shows) {
			t.Errorf("%s: %q is there too when the field is untouched", s.name, shows)
		}
	}
	for _, a := range catalog.All() {
		for _, p := range a.Params {
			if p.Kind == catalog.MaskPNG || p.Kind == catalog.MaskURL {
				continue // they have no field: masks are painted on the stage
			}
			states := fieldStates
			if p.Kind == catalog.Enum {
				states = append(slices.Clone(states), optionStates...)
			}
			for _, state := range states {
				if !seen[place{p.Kind, state.name}] {
					t.Errorf("no field of the kind %s is shown %s", p.Kind, state.name)
				}
				seen[place{p.Kind, state.name}] = true
			}
		}
	}
}

// The form of every agent is shown, untouched and with everything in it: all of its fields, and all of its places for files.
func TestTheFormOfEveryAgentIsShownWithAllItTakes(t *testing.T) {
	shown := map[string]bool{}
	for _, shape := range formShapes() {
		for _, a := range shape.agents {
			shown[a.Name] = true
		}
		a, html := shape.agents[0], ""
		for _, s := range shape.stories {
			html += app.HTMLString(s.view())
		}
		full := fillings(a)
		if len(full) == 0 {
			t.Errorf("no form of %s is filled in", a.Name)
		}
		given := map[string]bool{}
		for _, f := range full {
			if refused := catalog.Refusals(f.form.Problems(f.source)); len(refused) > 0 {
				t.Errorf("%s: with %s in it the form is refused: %v", a.Name, f.name, refused)
			}
			for name, assets := range f.form.Files {
				given[name] = given[name] || len(assets) > 0
			}
		}
		for _, file := range a.Files {
			if !file.Source && !given[file.Name] {
				t.Errorf("%s: no form of it holds something in %s", a.Name, file.Name)
			}
		}
		for _, p := range a.Params {
			if p.Kind != catalog.MaskPNG && p.Kind != catalog.MaskURL && !strings.Contains(html, `data-testid="field-`+p.Name+`"`) {
				t.Errorf("%s: no form of it shows %s", a.Name, p.Name)
			}
		}
		for _, file := range a.Files {
			if !file.Source && !strings.Contains(html, `data-testid="field-`+file.Name+`"`) {
				t.Errorf("%s: no form of it shows %s", a.Name, file.Name)
			}
		}
	}
	for _, a := range catalog.All() {
		if !shown[a.Name] {
			t.Errorf("the form of %s is not shown", a.Name)
		}
	}
}

func TestTheWholePageMounts(t *testing.T) {
	if err := app.NewTestEngine().Load(&Page{}); err != nil {
		t.Error(err)
	}
}
