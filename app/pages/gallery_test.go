package pages

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/client"
	"atelier/app/model"
	"atelier/atelier"
)

type galleryProbe struct{ Gallery }

func (p *galleryProbe) OnPreRender(ctx app.Context) {
	p.core.ui = ctx
	p.start(ctx)
}

// history answers GET /api/runs from 150 runs with one result each, in pages.
func history(s *server) {
	var all []atelier.Run
	for i := range 150 {
		id := fmt.Sprintf("r%03d", i)
		all = append(all, atelier.Run{
			ID: atelier.RunID(id), Agent: []string{"aimodel", "removeBG"}[i%2], Status: atelier.Success, State: atelier.StateDone,
			CreatedAt: noon.Add(-time.Duration(i) * time.Minute),
			Results:   []atelier.Result{{ID: atelier.ResultID("x" + id), RunID: atelier.RunID(id), Stored: true, Kind: "image", Thumb: "/t"}},
		})
	}
	s.answers["GET /api/runs"] = func(r browser.Request) (int, any) {
		_, query, _ := strings.Cut(r.URL, "?")
		page := atelier.RunPage{}
		seen := !strings.Contains(query, "cursor=")
		for _, run := range all {
			switch {
			case !seen:
				seen = strings.Contains(query, "cursor="+string(run.ID))
			case strings.Contains(query, "agent=removeBG") && run.Agent != "removeBG":
			case len(page.Runs) == galleryPage:
				page.NextCursor = string(page.Runs[galleryPage-1].ID)
				return 200, page
			default:
				page.Runs = append(page.Runs, run)
			}
		}
		return 200, page
	}
}

func openGallery(t *testing.T, address string) (*galleryProbe, *server, app.TestEngine) {
	t.Helper()
	s := newServer()
	history(s)
	c := newCore(client.New(s.send, s.upload), func() time.Time { return noon })
	g := &galleryProbe{Gallery{Shown: true, Address: address, core: c}}
	engine := app.NewTestEngine()
	if err := engine.Load(g); err != nil {
		t.Fatal(err)
	}
	g.wall.Width, g.wall.Height = 1100, 800
	engine.ConsumeAll()
	return g, s, engine
}

func TestGalleryPutsOnlyTheVisibleCellsIntoThePage(t *testing.T) {
	g, _, engine := openGallery(t, "/gallery")
	for g.cursor != "" {
		g.wall.Top = g.grid().Total()
		g.ctx.Dispatch(func(app.Context) { g.fill() })
		engine.ConsumeAll()
	}
	if n := len(g.shots()); n != 150 {
		t.Fatalf("%d results are loaded, want 150", n)
	}
	if n := strings.Count(app.HTMLString(g.Render()), `role="listitem"`); n == 0 || n > 60 {
		t.Errorf("%d cells are in the page", n)
	}
}

func TestGalleryIsFilteredByItsAddress(t *testing.T) {
	g, s, engine := openGallery(t, "/gallery?agent=removeBG")
	if last := s.asked[len(s.asked)-1]; !strings.Contains(last, "agent=removeBG") {
		t.Errorf("the server was asked %q", last)
	}
	if n := len(g.shots()); n != 60 {
		t.Errorf("%d results", n)
	}
	g.ctx.Dispatch(func(app.Context) { g.set(model.Filter{}) })
	engine.ConsumeAll()
	if g.runs[1].Agent != "removeBG" || g.runs[0].Agent != "aimodel" {
		t.Error("without a filter not everything is shown")
	}
	// Coming back by the bare address shows what was left.
	g.filter = model.Filter{Agent: "removeBG"}
	g.Address = "/gallery"
	g.address = ""
	g.OnUpdate(g.ctx)
	if g.filter.Agent != "removeBG" {
		t.Error("the filter is lost on the way back")
	}
}

func TestGalleryTakesInNewRunsOfItsView(t *testing.T) {
	g, _, engine := openGallery(t, "/gallery?agent=removeBG")
	event := func(run atelier.Run) {
		g.ctx.Dispatch(func(app.Context) { g.core.tell(run) })
		engine.ConsumeAll()
	}
	run := atelier.Run{ID: "new", Agent: "removeBG", CreatedAt: noon.Add(time.Minute), State: atelier.StateAccepted}
	event(run)
	event(atelier.Run{ID: "other", Agent: "aimodel", CreatedAt: noon.Add(time.Minute)})
	event(atelier.Run{ID: "ancient", Agent: "removeBG", CreatedAt: noon.Add(-time.Hour * 1000)})
	if g.runs[0].ID != "new" || len(g.runs) != 61 {
		t.Errorf("first %q of %d", g.runs[0].ID, len(g.runs))
	}
	run.Trashed = true
	event(run)
	if g.runs[0].ID == "new" {
		t.Error("a run in the trash is still shown")
	}
}

func TestGalleryStates(t *testing.T) {
	tests := []struct {
		name  string
		state func(*Gallery)
		want  string
	}{
		{"empty", func(g *Gallery) { g.runs, g.state = nil, model.Loaded }, "Nothing made yet"},
		{"nothing fits", func(g *Gallery) { g.runs, g.state, g.filter.Agent = nil, model.Loaded, "aipose" }, "Nothing fits this view"},
		{"failed", func(g *Gallery) { g.state, g.problem = model.Broken, "The disk is full." }, "The disk is full."},
		{"loading", func(g *Gallery) { g.runs, g.state = nil, model.Loading }, "skeleton"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g, _, _ := openGallery(t, "/gallery")
			tt.state(&g.Gallery)
			if html := app.HTMLString(g.Render()); !strings.Contains(html, tt.want) {
				t.Errorf("the page does not show %q", tt.want)
			}
		})
	}
}
