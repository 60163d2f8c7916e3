package pages

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/model"
	"atelier/atelier"
)

func TestTheDetailsNameThePresetsOfARun(t *testing.T) {
	s := newServer()
	s.answers["GET /api/agents/aimodel/presets"] = func(r browser.Request) (int, any) {
		if !strings.Contains(r.URL, "kind=locations") {
			return 200, atelier.PresetPage{Page: 1, LastPage: true}
		}
		if strings.Contains(r.URL, "page=1&") {
			return 200, atelier.PresetPage{Page: 1, Presets: []atelier.Preset{{ID: 1, Name: "Beach"}}}
		}
		return 200, atelier.PresetPage{Page: 2, Presets: []atelier.Preset{{ID: 1003, Name: "Old library"}}}
	}
	a, engine := openApp(t, s)
	run := atelier.Run{
		ID: "r1", Agent: "aimodel", State: atelier.StateDone, Values: map[string]any{"locationId": 1003.0},
		Results: []atelier.Result{{ID: "x", Status: atelier.Success, Stored: true}},
	}
	a.ctx.Dispatch(func(app.Context) {
		a.core.view("x", func() []model.Shot { return model.Runs{run}.Shots() })
		a.core.ToggleDetails()
	})
	engine.ConsumeAll()
	if html := app.HTMLString(a.core.renderViewer()); !strings.Contains(html, "Old library") {
		t.Errorf("the details do not name the scene: %s", html)
	}
	n := len(s.asked)
	a.ctx.Dispatch(func(app.Context) {
		a.core.ToggleDetails()
		a.core.ToggleDetails()
	})
	if engine.ConsumeAll(); len(s.asked) != n {
		t.Errorf("the presets are asked for again: %q", s.asked[n:])
	}
}

// Two results that are looked at while the presets are on their way each get their names.
func TestResultsThatNeedPresetsAtOnceAllGetTheirNames(t *testing.T) {
	s := newServer()
	s.answers["GET /api/agents/aimodel/presets"] = func(r browser.Request) (int, any) {
		if strings.Contains(r.URL, "page=1&") {
			return 200, atelier.PresetPage{Page: 1, Presets: []atelier.Preset{{ID: 1, Name: "Beach"}}}
		}
		return 200, atelier.PresetPage{Page: 2, LastPage: true, Presets: []atelier.Preset{{ID: 1003, Name: "Old library"}}}
	}
	a, engine := openApp(t, s)
	var runs model.Runs
	for id, place := range map[string]float64{"x": 1, "y": 1003} {
		runs = append(runs, atelier.Run{
			ID: atelier.RunID("run-" + id), Agent: "aimodel", State: atelier.StateDone, Values: map[string]any{"locationId": place},
			Results: []atelier.Result{{ID: atelier.ResultID(id), Status: atelier.Success, Stored: true}},
		})
	}
	a.ctx.Dispatch(func(app.Context) {
		a.core.view("x", func() []model.Shot { return runs.Shots() })
		a.core.ToggleDetails()
		a.core.OpenShot("y")
	})
	engine.ConsumeAll()
	if html := app.HTMLString(a.core.renderViewer()); !strings.Contains(html, "Old library") {
		t.Errorf("the details do not name the scene: %s", html)
	}
}
