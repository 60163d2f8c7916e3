package pages

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/components"
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

// What stands open goes with the page it was opened on, and what else takes the keys puts the results away.
func TestWhatIsOpenStaysBehind(t *testing.T) {
	a, engine := openApp(t, newServer())
	c := a.core
	run := atelier.Run{ID: "r", State: atelier.StateDone, Results: []atelier.Result{{ID: "x", Status: atelier.Success, Stored: true}}}
	shots := model.Runs{run}.Shots()
	look := func() {
		c.view("x", func() []model.Shot { return shots })
		c.layDesk(shots, 0)
	}
	a.ctx.Dispatch(func(ctx app.Context) {
		for what, open := range map[string]func(){"settings": a.OpenSettings, "keys": a.OpenKeys} {
			look()
			open()
			if c.viewer.open || c.review.desk.open {
				t.Errorf("behind the %s results take the keys", what)
			}
		}
		look()
		c.showRun(run)
		if c.front() != components.LightboxID {
			t.Errorf("a run that is gone to is behind %s", c.front())
		}
		look()
		c.unsure.open = true
		c.openPageDialog(deleteTaskID, &Tasks{core: c, ctx: ctx})
		c.openReview(boardsID)
		a.page = "tasks"
		a.navigate(ctx)
		if c.front() != "" {
			t.Errorf("%s stands in front of another page", c.front())
		}
	})
	engine.ConsumeAll()
}

// An arrow key moves a slider that has the focus, and everywhere else goes to the next result; a key that is held deletes once.
func TestArrowsAreTheSlidersAndAHeldKeyDeletesOnce(t *testing.T) {
	s := newServer()
	a, engine := openApp(t, s)
	run := atelier.Run{ID: "r", Agent: "aimodel", State: atelier.StateDone}
	for i := range 4 {
		run.Results = append(run.Results, atelier.Result{ID: atelier.ResultID(strconv.Itoa(i)), RunID: "r", Index: i, Status: atelier.Success, Stored: true})
	}
	shots := model.Runs{run}.Shots()
	c := a.core
	for name, front := range map[string]struct {
		key func(browser.Key) bool
		at  func() string
	}{
		"lightbox": {c.viewerKey, func() string { return c.viewer.key }},
		"desk":     {c.deskKey, func() string { return c.review.desk.shots[c.review.desk.active].Key() }},
	} {
		a.ctx.Dispatch(func(app.Context) {
			c.view(shots[1].Key(), func() []model.Shot { return shots })
			c.layDesk(shots, 1)
			if front.key(browser.Key{Key: "ArrowRight", Button: true, Range: true}) || front.at() != shots[1].Key() {
				t.Errorf("%s: an arrow key is taken from the slider", name)
			}
			if !front.key(browser.Key{Key: "ArrowRight", Button: true}) || front.at() != shots[2].Key() {
				t.Errorf("%s: after a press of a button the arrow keys do nothing", name)
			}
			if !front.key(browser.Key{Key: "Delete", Repeat: true}) || front.at() != shots[2].Key() {
				t.Errorf("%s: a key that is held deletes", name)
			}
		})
		engine.ConsumeAll()
	}
	if i := slices.IndexFunc(s.asked, func(a string) bool { return !strings.HasPrefix(a, "GET ") }); i >= 0 {
		t.Errorf("the server was asked %s", s.asked[i])
	}
}

// A result of another shape than its source stands beside it: laid over it, it would show differences that are none.
func TestAResultOfAnotherShapeStandsBesideItsSource(t *testing.T) {
	a, engine := openApp(t, newServer())
	source := atelier.Asset{ID: "a", Name: "dress.jpg", Width: 600, Height: 800, File: "/source"}
	run := atelier.Run{ID: "r", Agent: "aimodel", State: atelier.StateDone, Asset: &source, Values: map[string]any{}, Results: []atelier.Result{
		{ID: "same", RunID: "r", Kind: "image", Status: atelier.Success, Stored: true, Width: 1200, Height: 1600, File: "/same"},
		{ID: "square", RunID: "r", Index: 1, Kind: "image", Status: atelier.Success, Stored: true, Width: 800, Height: 800, File: "/square"},
	}}
	a.ctx.Dispatch(func(app.Context) {
		a.core.view("same", func() []model.Shot { return model.Runs{run}.Shots() })
		a.core.ToggleCompare()
	})
	engine.ConsumeAll()
	if html := app.HTMLString(a.core.renderViewer()); !strings.Contains(html, "compare-range") || strings.Contains(html, "compare-apart") {
		t.Error("a result of the same shape is not laid over its source")
	}
	a.ctx.Dispatch(func(app.Context) { a.core.OpenShot("square") })
	engine.ConsumeAll()
	html := app.HTMLString(a.core.renderViewer())
	if strings.Contains(html, "compare-range") || !strings.Contains(html, "compare-apart") || !strings.Contains(html, "different shape") || !strings.Contains(html, "/source") || !strings.Contains(html, "/square") {
		t.Errorf("a result of another shape: %s", html)
	}
}

// The answer to a delivery that was closed leaves the next one as it is.
func TestALateFileClosesNoOtherDelivery(t *testing.T) {
	a, engine := openApp(t, newServer())
	c := a.core
	shots := []model.Shot{{Result: atelier.Result{ID: "x", Stored: true}}}
	ready := make(chan struct{})
	a.ctx.Dispatch(func(app.Context) {
		c.openDelivery(shots)
		c.deliver(deliverZip, func(context.Context) (string, error) {
			<-ready
			return "/file", nil
		})
		c.closeReview()
		c.openDelivery(shots)
		c.review.delivery.busy = deliverPSD
		close(ready)
	})
	engine.ConsumeAll()
	if c.review.dialog != deliverID || c.review.delivery.busy != deliverPSD {
		t.Errorf("open is %q, being made %q", c.review.dialog, c.review.delivery.busy)
	}
}

// Results of which some were on a board before are not all taken off it again.
func TestOnlyWhatWasNotOnABoardIsTakenOffAgain(t *testing.T) {
	for already, stands := range map[int]time.Duration{0: offerStands, 1: toastStands} {
		synctest.Test(t, func(t *testing.T) {
			s := newServer()
			count := 3
			s.answers["GET /api/boards"] = answering(func() atelier.BoardList {
				return atelier.BoardList{Boards: []atelier.Board{{ID: "b", Name: "Spring", Count: count}}}
			})
			s.answers["PATCH /api/results"] = func(browser.Request) (int, any) {
				count += 2 - already
				return 200, atelier.ResultList{}
			}
			a, engine := openApp(t, s)
			a.ctx.Dispatch(func(app.Context) {
				a.core.openBoards([]model.Shot{{Result: atelier.Result{ID: "x"}}, {Result: atelier.Result{ID: "y"}}})
			})
			engine.ConsumeAll()
			began := time.Now()
			a.ctx.Dispatch(func(app.Context) { a.core.putOn("b", "Spring") })
			engine.ConsumeAll()
			if took := time.Since(began); took != stands { // an offer to undo stands longer than a sentence
				t.Errorf("%d were on it before: what is said stands for %v, want %v", already, took, stands)
			}
		})
	}
}

// What a delivery cannot do with all that was chosen is said before anything is made.
func TestADeliverySaysWhatItLeavesOut(t *testing.T) {
	a, engine := openApp(t, newServer())
	shots := func(pictures, videos int) []model.Shot {
		var out []model.Shot
		for i := range pictures + videos {
			r := atelier.Result{ID: atelier.ResultID(strconv.Itoa(i)), Kind: "image", Status: atelier.Success, Stored: true}
			if i >= pictures {
				r.Kind = "video"
			}
			out = append(out, model.Shot{Run: atelier.Run{ID: "r"}, Result: r})
		}
		return out
	}
	enabled := func(html, id string) bool {
		_, rest, _ := strings.Cut(html, `data-testid="`+id+`"`)
		before := html[:len(html)-len(rest)]
		button := before[strings.LastIndex(before, "<button"):]
		tail, _, _ := strings.Cut(rest, ">")
		return !strings.Contains(strings.ReplaceAll(button+tail, `disabled="false"`, ""), "disabled")
	}
	for _, tt := range []struct {
		pictures, videos int
		format           string
		said             string
		zip, psd         bool
	}{
		{2, 0, "", "", true, true},
		{2, 1, "", "1 video stays out of a layered PSD.", true, true},
		{2, 2, "png", "2 videos stay unchanged and out of a layered PSD.", true, true},
		{0, 2, "png", "2 videos stay unchanged.", true, false},
		{0, 1, "", "A layered PSD takes pictures, not videos.", true, false},
		{atelier.MaxChosen + 1, 0, "", "A layered PSD takes at most 1000 pictures.", true, false},
		{atelier.MaxZip + 1, 0, "", "A ZIP takes at most 5000 results.", false, false},
	} {
		a.ctx.Dispatch(func(app.Context) {
			a.core.openDelivery(shots(tt.pictures, tt.videos))
			a.core.review.delivery.how.Format = tt.format
		})
		engine.ConsumeAll()
		html := ""
		for _, part := range a.core.renderDelivery() {
			html += app.HTMLString(part)
		}
		if !strings.Contains(html, tt.said) || enabled(html, "deliver-zip") != tt.zip || enabled(html, "deliver-psd") != tt.psd {
			t.Errorf("%d pictures and %d videos as %q: ZIP %v, PSD %v, said is\n%s", tt.pictures, tt.videos, tt.format, enabled(html, "deliver-zip"), enabled(html, "deliver-psd"), html)
		}
		if tt.said == "" && strings.Contains(html, "stay") {
			t.Errorf("%d pictures: something is left out", tt.pictures)
		}
	}
}
