package pages

import (
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/model"
	"atelier/atelier"
)

// olgas answers as a studio in which Olga shows a board with one result.
func olgas(s *server) {
	olga := &atelier.Person{ID: "olga", Name: "Olga"}
	result := atelier.Result{
		ID: "x1", RunID: "r1", Stored: true, Kind: "image", Status: atelier.Success, File: "/api/results/x1/file", Width: 600, Height: 800, LastFrame: "/l",
		Fidelity: &atelier.Fidelity{Comparable: true, Score: 1, Heat: "/h"},
	}
	page := atelier.ResultPage{Total: 1, Results: []atelier.ListedResult{{Result: result, Run: atelier.RunRef{ID: "r1", Agent: "aimodel", CreatedAt: noon, Owner: olga}}}}
	s.on("GET /api/results", 200, page)
	s.on("GET /api/runs/r1", 200, atelier.RunBody{Run: atelier.Run{
		ID: "r1", Agent: "aimodel", State: atelier.StateDone, Status: atelier.Success, CreatedAt: noon, Owner: olga, Results: []atelier.Result{result},
		Asset: &atelier.Asset{Kind: "image", Name: "dress.jpg", Width: 600, Height: 800, File: "/api/results/x1/source", Thumb: "/api/results/x1/source"},
	}})
	s.on("GET /api/boards", 200, atelier.BoardList{Shown: []atelier.Board{{ID: "b1", Name: "Spring", Notes: "for the shop", Count: 1, Owner: olga}}})
}

// What somebody else shows is looked at and taken, and nothing is offered for it that would be refused.
func TestWhatOthersShowIsNotChanged(t *testing.T) {
	for role, uses := range map[atelier.Role]bool{atelier.Viewer: false, atelier.Designer: true} {
		g, s, engine := openGallery(t, "/gallery")
		olgas(s)
		c := g.core
		c.session = atelier.Session{User: atelier.User{ID: "me", Role: role}, Team: true}
		g.ctx.Dispatch(func(app.Context) { c.loadBoards() })
		engine.ConsumeAll()
		before := len(s.asked)
		// The address of the board alone is enough.
		g.ctx.Dispatch(func(ctx app.Context) {
			g.Address = "/gallery?board=b1"
			g.OnUpdate(ctx)
		})
		engine.ConsumeAll()
		if g.filter != (model.Filter{User: "olga", Board: "b1"}) || !slices.Contains(s.asked[before:], "GET /api/results?board=b1&limit=60&user=olga") {
			t.Fatalf("the filter is %+v, asked was %q", g.filter, s.asked)
		}
		g.panel = true
		html := app.HTMLString(g.Render())
		for text, want := range map[string]bool{
			"Shared by Olga": true, "for the shop": true, `data-testid="filter-user"`: true, `data-testid="filter-from"`: true, "Closest to the source first": true,
			`data-testid="gallery-search"`: false, `data-testid="filter-view"`: false, `data-testid="filter-rating"`: false, `data-testid="filter-starred"`: false, "Best rated first": false,
			`data-testid="board-edit"`: false,
		} {
			if strings.Contains(html, text) != want {
				t.Errorf("%s: the gallery shows %s: %t, want %t", role, text, !want, want)
			}
		}
		asked := len(s.asked)
		g.ctx.Dispatch(func(app.Context) {
			g.chosen.All(&g.list)
			for _, key := range []string{"p", "x", "5", "s", "b", "Delete", "Backspace"} {
				if g.onKey(browser.Key{Key: key}) {
					t.Errorf("%s: %s does something in the gallery", role, key)
				}
			}
		})
		engine.ConsumeAll()
		bar := app.HTMLString(g.renderChosen(g.chosen.Shots(&g.list)))
		for text, want := range map[string]bool{"chosen-compare": true, "chosen-deliver": true, "chosen-pick": false, "chosen-board": false, "chosen-trash": false, "chosen-unboard": false, "chosen-cover": false} {
			if strings.Contains(bar, text) != want {
				t.Errorf("%s: the bar shows %s: %t", role, text, !want)
			}
		}
		g.ctx.Dispatch(func(app.Context) {
			g.open("x1")
			c.ToggleDetails()
			for _, key := range []string{"p", "x", "5", "s", "b", "Delete", "Backspace"} {
				if c.viewerKey(browser.Key{Key: key}) {
					t.Errorf("%s: %s does something in the lightbox", role, key)
				}
			}
		})
		engine.ConsumeAll()
		box := app.HTMLString(c.renderViewer())
		for text, want := range map[string]bool{
			"Shared by Olga": true, "dress.jpg": true, `data-testid="download"`: true, `data-testid="copy"`: true, `data-testid="copy-link"`: true, `data-testid="compare-run"`: true,
			`data-testid="use-result"`: uses, `data-testid="use-last-frame"`: uses, `data-testid="star"`: false, "lightbox-pick": false, `data-testid="recall"`: false,
			`data-testid="lock"`: false, `data-testid="board"`: false, `data-testid="psd"`: false, `data-testid="trash"`: false, `data-testid="trash-run"`: false,
		} {
			if strings.Contains(box, text) != want {
				t.Errorf("%s: the lightbox shows %s: %t", role, text, !want)
			}
		}
		g.ctx.Dispatch(func(app.Context) {
			c.CloseLightbox()
			c.openDesk(g.list.Part(0, g.list.Len()))
			for _, key := range []string{"p", "x", "5", "s", "Delete", "Backspace"} {
				if c.deskKey(browser.Key{Key: key}) {
					t.Errorf("%s: %s does something on the desk", role, key)
				}
			}
		})
		engine.ConsumeAll()
		if desk := app.HTMLString(c.renderDesk()); !strings.Contains(desk, "desk-layout") || strings.Contains(desk, "desk-pick") || strings.Contains(desk, "desk-trash") || strings.Contains(desk, "desk-deliver") {
			t.Errorf("%s: the desk is %s", role, desk)
		}
		g.ctx.Dispatch(func(app.Context) { c.openDelivery(g.list.Part(0, g.list.Len())) })
		engine.ConsumeAll()
		delivery := ""
		for _, part := range c.renderDelivery() {
			delivery += app.HTMLString(part)
		}
		if !strings.Contains(delivery, "deliver-zip") || strings.Contains(delivery, "deliver-psd") {
			t.Errorf("%s: the delivery is %s", role, delivery)
		}
		if i := slices.IndexFunc(s.asked[asked:], func(a string) bool { return !strings.HasPrefix(a, "GET ") }); i >= 0 {
			t.Errorf("%s: the server was asked %s", role, s.asked[asked+i])
		}
	}
}

// Who only looks is told what there is to look at, and whom to ask where there is nothing; what is shown no longer leaves the page.
func TestWhoOnlyLooksIsToldWhatToLookAt(t *testing.T) {
	g, s, engine := openGallery(t, "/gallery")
	g.core.session = atelier.Session{User: atelier.User{ID: "me", Role: atelier.Viewer}, Team: true}
	s.on("GET /api/results", 200, atelier.ResultPage{})
	g.ctx.Dispatch(func(app.Context) { g.load() })
	engine.ConsumeAll()
	if html := app.HTMLString(g.renderEmpty()); !strings.Contains(html, "Share with the team") {
		t.Errorf("where nobody shows anything stands %s", html)
	}
	olgas(s)
	g.ctx.Dispatch(func(app.Context) { g.core.take(atelier.Event{Type: atelier.EventShown}) })
	engine.ConsumeAll()
	if html := app.HTMLString(g.renderEmpty()); !strings.Contains(html, "/boards") {
		t.Errorf("where somebody shows something stands %s", html)
	}
	g.ctx.Dispatch(func(app.Context) { g.set(model.Filter{User: "olga"}) })
	engine.ConsumeAll()
	g.ctx.Dispatch(func(app.Context) { g.open("x1") })
	engine.ConsumeAll()
	if !g.core.viewer.open || g.list.Len() != 1 {
		t.Fatal("what is shown is not looked at")
	}
	s.on("GET /api/results", 200, atelier.ResultPage{})
	s.on("GET /api/boards", 200, atelier.BoardList{})
	g.ctx.Dispatch(func(app.Context) { g.core.take(atelier.Event{Type: atelier.EventShown}) })
	engine.ConsumeAll()
	if g.core.viewer.open || g.list.Len() != 0 {
		t.Errorf("it is still there: %d results, lightbox open %t", g.list.Len(), g.core.viewer.open)
	}
	if html := app.HTMLString(g.renderEmpty()); !strings.Contains(html, "Nothing is shared here") {
		t.Errorf("in its place stands %s", html)
	}
}
