package pages

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/client"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
)

type galleryProbe struct{ Gallery }

func (p *galleryProbe) OnPreRender(ctx app.Context) {
	p.core.ui = ctx
	p.start(ctx)
}

// history answers GET /api/results from 150 runs with one result each, in pages, newest or oldest first.
func history(s *server) {
	var all []atelier.ListedResult
	for i := range 150 {
		run := atelier.RunID(fmt.Sprintf("r%03d", i))
		all = append(all, atelier.ListedResult{
			Result: atelier.Result{ID: atelier.ResultID("x" + run), RunID: run, Stored: true, Kind: "image", Thumb: "/t", Width: 600, Height: 800},
			Run:    atelier.RunRef{ID: run, Agent: []string{"aimodel", "removeBG"}[i%2], CreatedAt: noon.Add(-time.Duration(i) * 12 * time.Hour)},
		})
	}
	s.answers["GET /api/results"] = func(r browser.Request) (int, any) {
		u, err := url.Parse(r.URL)
		if err != nil {
			return 400, nil
		}
		q := u.Query()
		list := slices.Clone(all)
		if q.Get("sort") == "oldest" {
			slices.Reverse(list)
		}
		page := atelier.ResultPage{Total: 150}
		limit, err := strconv.Atoi(q.Get("limit"))
		if err != nil {
			return 400, nil
		}
		seen := q.Get("cursor") == ""
		for _, result := range list {
			at := result.Run.CreatedAt
			switch {
			case !seen:
				seen = q.Get("cursor") == string(result.ID)
			case q.Get("agent") != "" && result.Run.Agent != q.Get("agent"):
			case q.Get("to") != "" && at.Format(time.RFC3339) >= q.Get("to"), q.Get("from") != "" && at.Format(time.RFC3339) < q.Get("from"):
			case len(page.Results) == limit:
				page.NextCursor = string(page.Results[limit-1].ID)
				return 200, page
			default:
				page.Results = append(page.Results, result)
			}
		}
		return 200, page
	}
	s.on("GET /api/results/dates", 200, atelier.ResultMonths{})
	s.on("GET /api/boards", 200, atelier.BoardList{})
}

func openGallery(t *testing.T, address string) (*galleryProbe, *server, app.TestEngine) {
	t.Helper()
	s := newServer()
	history(s)
	c := newCore(client.New(s.send, s.upload), func() time.Time { return noon })
	g := &galleryProbe{Gallery{Shown: true, Address: address, core: c}}
	g.width, g.height = 1100, 800
	c.access = signedIn
	engine := app.NewTestEngine()
	if err := engine.Load(g); err != nil {
		t.Fatal(err)
	}
	engine.ConsumeAll()
	return g, s, engine
}

// A list that goes on and on is not held for good: where it is longer than that, it begins anew with the month that is seen, unless
// something is chosen.
func TestALongListBeginsAnewWithTheMonthThatIsSeen(t *testing.T) {
	for _, chosen := range []bool{true, false} {
		g, _, engine := openGallery(t, "/gallery?size=small")
		g.most, g.height = 70, 100
		g.ctx.Dispatch(func(app.Context) { g.load() })
		engine.ConsumeAll()
		if chosen {
			g.chosen.Toggle("xr000")
		}
		month := ""
		g.ctx.Dispatch(func(app.Context) {
			g.top = g.rows.Total() - g.height
			month = g.monthShown()
			g.fill()
		})
		engine.ConsumeAll()
		switch {
		case chosen:
			if g.filter.At != "" || g.list.Find("xr000") != 0 || g.chosen.Len() != 1 {
				t.Errorf("with something chosen the list begins with %q, at %q", g.list.Key(0), g.filter.At)
			}
		case g.filter.At != month || month != model.Month(g.list.Made(g.list.Lead), g.core.zone) || g.list.Lead != 2 || g.list.Len() > 70:
			t.Errorf("in %s, a list of %d begins at %q, below %d", month, g.list.Len(), g.filter.At, g.list.Lead)
		}
	}
}

func TestGalleryIsFilteredByItsAddress(t *testing.T) {
	g, s, engine := openGallery(t, "/gallery?agent=removeBG")
	if !slices.ContainsFunc(s.asked, func(a string) bool {
		return strings.Contains(a, "/api/results?") && strings.Contains(a, "agent=removeBG")
	}) {
		t.Errorf("the server was asked %q", s.asked)
	}
	if n := g.list.Len(); n != 60 {
		t.Errorf("%d results", n)
	}
	g.ctx.Dispatch(func(app.Context) { g.set(model.Filter{}) })
	engine.ConsumeAll()
	if g.list.At(1).Run.Agent != "removeBG" || g.list.At(0).Run.Agent != "aimodel" {
		t.Error("without a filter not everything is shown")
	}
	// Coming back by a link shows what was left, but neither the trash nor a board; the bare address is everything.
	for _, c := range []struct {
		address string
		before  model.Filter
		want    model.Filter
	}{
		{model.GalleryAsLeft, model.Filter{Agent: "removeBG"}, model.Filter{Agent: "removeBG"}},
		{model.GalleryAsLeft, model.Filter{View: model.ViewTrash}, model.Filter{}},
		{model.GalleryAsLeft, model.Filter{Board: "b"}, model.Filter{}},
		{model.GalleryAsLeft, model.Filter{User: "u"}, model.Filter{}},
		{"/gallery", model.Filter{Agent: "removeBG"}, model.Filter{}},
	} {
		g.filter, g.Address, g.address = c.before, c.address, ""
		g.OnUpdate(g.ctx)
		if g.filter != c.want {
			t.Errorf("%+v left, %s shows %+v", c.before, c.address, g.filter)
		}
	}
}

func TestGalleryTakesInNewRunsOfItsView(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // what arrives is collected for a moment
		g, _, engine := openGallery(t, "/gallery?agent=removeBG")
		event := func(run atelier.Run) {
			g.ctx.Dispatch(func(app.Context) { g.core.tell(run) })
			engine.ConsumeAll()
		}
		run := atelier.Run{ID: "new", Agent: "removeBG", CreatedAt: noon.Add(time.Minute), State: atelier.StateAccepted}
		event(run)
		event(atelier.Run{ID: "other", Agent: "aimodel", CreatedAt: noon.Add(time.Minute)})
		event(atelier.Run{ID: "ancient", Agent: "removeBG", CreatedAt: noon.Add(-time.Hour * 10000)})
		if g.list.At(0).Run.ID != "new" || g.list.Len() != 61 {
			t.Errorf("first %q of %d", g.list.At(0).Run.ID, g.list.Len())
		}
		run.Results = []atelier.Result{{ID: "n1", RunID: "new"}, {ID: "n2", RunID: "new", Index: 1}}
		event(run)
		if g.list.At(0).Key() != "n1" || g.list.At(1).Key() != "n2" || g.list.Len() != 62 {
			t.Errorf("its results do not take its place: %s, %s of %d", g.list.At(0).Key(), g.list.At(1).Key(), g.list.Len())
		}
		run.Trashed = true
		event(run)
		if g.list.At(0).Run.ID == "new" || g.list.Len() != 60 {
			t.Error("a run in the trash is still shown")
		}
	})
}

// A run that is deleted while the list is read is not on the wall afterwards, though the answer still holds it.
func TestRunDeletedDuringLoadIsNotShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, s, engine := openGallery(t, "/gallery?view=trash")
		old := atelier.Run{ID: "old", Agent: "removeBG", CreatedAt: noon, Trashed: true, State: atelier.StateDone}
		page := atelier.RunPage{Runs: []atelier.Run{old}}
		s.answers["GET /api/runs"] = func(browser.Request) (int, any) {
			answer := page
			if len(page.Runs) > 0 { // it is deleted once the server has read the list
				page.Runs = nil
				g.ctx.Dispatch(func(app.Context) { g.core.tell(atelier.Run{ID: old.ID, Gone: true}) })
			}
			return 200, answer
		}
		g.ctx.Dispatch(func(app.Context) { g.load() })
		engine.ConsumeAll()
		if g.list.Find("old") >= 0 || g.state != model.Loaded {
			t.Errorf("state %v, the deleted run stands at %d", g.state, g.list.Find("old"))
		}
	})
}

// Of a search, a board, or somebody's, the server says what belongs to it: what arrives is asked about, all at once, and once.
func TestWhatArrivesIsAskedAboutWhereOnlyTheServerKnows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // what arrives is collected for a moment
		g, s, engine := openGallery(t, "/gallery?q=dress&board=b")
		asked := len(s.asked)
		fits := atelier.Run{ID: "fits", Agent: "aimodel", CreatedAt: noon.Add(time.Minute), State: atelier.StateDone, Results: []atelier.Result{{ID: "f1", RunID: "fits", Stored: true}}}
		other := atelier.Run{ID: "other", Agent: "aimodel", CreatedAt: noon.Add(2 * time.Minute), State: atelier.StateDone, Results: []atelier.Result{{ID: "o1", RunID: "other", Stored: true}}}
		s.on("GET /api/results", 200, atelier.ResultPage{Results: []atelier.ListedResult{{Result: fits.Results[0], Run: atelier.RunRef{ID: "fits", Agent: "aimodel", CreatedAt: fits.CreatedAt}}}})
		for range 3 {
			g.ctx.Dispatch(func(app.Context) {
				g.core.tell(fits)
				g.core.tell(other)
			})
		}
		engine.ConsumeAll()
		if g.list.At(0).Key() != "f1" || g.list.Find("o1") >= 0 {
			t.Errorf("%s is first, and the other run is at %d", g.list.At(0).Key(), g.list.Find("o1"))
		}
		now := slices.DeleteFunc(slices.Clone(s.asked[asked:]), func(a string) bool { return strings.Contains(a, "/api/results/dates") }) // of the months
		if len(now) != 1 || !strings.Contains(now[0], "q=dress") || !strings.Contains(now[0], "board=b") || !strings.Contains(now[0], "from=2026-03-01T12%3A01%3A00Z") || !strings.Contains(now[0], "to=2026-03-01T12%3A02%3A01Z") {
			t.Errorf("the server was asked %q", now)
		}
	})
}

// The months are read again when results come or go: once for all that happens at once, not for what is only under way, and not before
// somebody looks.
func TestTheMonthsFollowWhatComesAndGoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // what comes is collected for a moment
		g, s, engine := openGallery(t, "/gallery")
		asked := func() (n int) {
			for _, a := range s.asked {
				if strings.HasPrefix(a, "GET /api/results/dates") {
					n++
				}
			}
			return n
		}
		var count int
		s.answers["GET /api/results/dates"] = answering(func() atelier.ResultMonths {
			return atelier.ResultMonths{Months: []atelier.ResultMonth{{From: noon, Count: count}, {From: noon.AddDate(0, -1, 0), Count: 7}}}
		})
		run := atelier.Run{ID: "new", Agent: "aimodel", CreatedAt: noon.Add(time.Minute), State: atelier.StateAccepted}
		run.Results = []atelier.Result{{ID: "n1", RunID: "new"}, {ID: "n2", RunID: "new", Index: 1}}
		for _, step := range []struct {
			name string
			tell func()
			more int
		}{
			{"two results come", func() { g.core.tell(run); g.core.tell(run) }, 1},
			{"one is half made", func() { run.Results[0].Progress = .5; g.core.tell(run) }, 0},
			{"both are deleted", func() { run.Trashed = true; g.core.tell(run) }, 1},
			{"they are restored", func() { run.Trashed = false; g.core.tell(run) }, 1},
			{"events were missed", func() { g.watch(atelier.Event{Type: atelier.EventSnapshot}) }, 1},
			{"they are deleted behind another page", func() { g.Shown = false; run.Trashed = true; g.core.tell(run) }, 0},
			{"the gallery is looked at again", func() { g.Shown = true; g.OnUpdate(g.ctx) }, 1},
			{"and again", func() { g.OnUpdate(g.ctx) }, 0},
		} {
			before := asked()
			count += 3
			g.ctx.Dispatch(func(app.Context) { step.tell() })
			engine.ConsumeAll()
			if n := asked() - before; n != step.more {
				t.Errorf("%s: the months are asked for %d times, want %d", step.name, n, step.more)
			}
			if step.more > 0 && (len(g.months) != 2 || g.months[0].Count != count) {
				t.Errorf("%s: the months are %v, want %d in the first", step.name, g.months, count)
			}
		}
	})
}

// What gets the marks that are asked for comes into the list, whoever gave them and however old it is.
func TestJudgedResultEntersTheListAskingForIt(t *testing.T) {
	run := atelier.Run{ID: "new", Agent: "aimodel", CreatedAt: noon.Add(time.Minute), State: atelier.StateDone, Status: atelier.Success}
	plain := atelier.Result{ID: "n1", RunID: "new", Stored: true, Status: atelier.Success}
	other := atelier.Result{ID: "n2", RunID: "new", Index: 1, Stored: true, Status: atelier.Success, Rating: 1}
	run.Results = []atelier.Result{other, plain}
	changed, starred, picked, rated := plain, plain, plain, plain
	changed.Fidelity, starred.Starred, picked.Pick, rated.Rating = &atelier.Fidelity{Comparable: true, Changed: true}, true, atelier.PickYes, 4
	for address, judged := range map[string]atelier.Result{"changed=1": changed, "starred=1": starred, "pick=pick": picked, "rating=4": rated} {
		for view, key := range map[string]string{"": "n1", "view=runs&": "new"} {
			t.Run(view+address, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { // what arrives is collected for a moment
					g, s, engine := openGallery(t, "/gallery")
					s.on("GET /api/runs", 200, atelier.RunPage{})
					s.on("GET /api/results", 200, atelier.ResultPage{})
					g.ctx.Dispatch(func(app.Context) { g.goTo("/gallery?" + view + address) })
					engine.ConsumeAll()
					g.ctx.Dispatch(func(app.Context) { g.core.tell(run) })
					engine.ConsumeAll()
					if n := g.list.Len(); n != 0 {
						t.Fatalf("%d are listed that nobody thought anything of", n)
					}
					g.ctx.Dispatch(func(app.Context) { g.core.spread(judged) })
					engine.ConsumeAll()
					if g.list.Len() != 1 || g.list.Find(key) != 0 {
						t.Errorf("%d are listed, %s at %d", g.list.Len(), key, g.list.Find(key))
					}
				})
			})
		}
	}
	t.Run("of an older run", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) { // what arrives is collected for a moment
			g, s, engine := openGallery(t, "/gallery?starred=1")
			old := starred
			old.ID, old.RunID = "o1", "019caa00-0000-7000-8000-000000000000"
			for g.down.more {
				g.ctx.Dispatch(func(app.Context) { g.goOn() })
				engine.ConsumeAll()
			}
			asked := len(s.asked)
			s.on("GET /api/results", 200, atelier.ResultPage{Results: []atelier.ListedResult{{Result: old, Run: atelier.RunRef{ID: old.RunID, CreatedAt: old.RunID.Time()}}}})
			g.ctx.Dispatch(func(app.Context) { g.core.spread(old) })
			engine.ConsumeAll()
			if g.list.Find("o1") < 0 {
				t.Errorf("it is not listed; the server was asked %q", s.asked[asked:])
			}
		})
	})
}

// What has another status than is asked for leaves the list: at once, or by the pill where somebody is at work in it.
func TestEndedRunLeavesTheListOfRunningOnes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // what arrives is collected for a moment
		for _, scrolled := range []bool{false, true} {
			g, s, engine := openGallery(t, "/gallery")
			run := atelier.Run{ID: "new", Agent: "aimodel", CreatedAt: noon, State: atelier.StateAccepted, Status: atelier.Running, Results: []atelier.Result{{ID: "n1", RunID: "new", Status: atelier.Running}}}
			s.on("GET /api/runs", 200, atelier.RunPage{Runs: []atelier.Run{run}})
			g.ctx.Dispatch(func(app.Context) { g.goTo("/gallery?view=runs&status=Running") })
			engine.ConsumeAll()
			if g.list.Find("new") < 0 {
				t.Fatal("it is not listed while it is under way")
			}
			if scrolled {
				g.top = 700
			}
			run.State, run.Status = atelier.StateDone, atelier.Success
			g.ctx.Dispatch(func(app.Context) { g.core.tell(run) })
			engine.ConsumeAll()
			if there := g.list.Find("new") >= 0; there != scrolled || g.stale != scrolled {
				t.Errorf("scrolled %v: it is listed: %v, the list is said to be old: %v", scrolled, there, g.stale)
			}
		}
	})
}

// Scrolled down, nothing moves by itself: what arrives waits behind the pill.
func TestNewRunsDoNotMoveTheWall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // what arrives is collected for a moment
		g, _, engine := openGallery(t, "/gallery")
		g.top = 700
		before := g.list.At(0).Key()
		g.ctx.Dispatch(func(app.Context) {
			g.core.tell(atelier.Run{
				ID: "new", Agent: "removeBG", CreatedAt: noon.Add(time.Minute), State: atelier.StateDone,
				Results: []atelier.Result{{ID: "n1", RunID: "new", Stored: true}, {ID: "n2", RunID: "new", Index: 1, Stored: true}},
			})
		})
		engine.ConsumeAll()
		if g.list.At(0).Key() != before || g.top != 700 {
			t.Error("the wall moved")
		}
		if html := app.HTMLString(g.Render()); !strings.Contains(html, "2 new") {
			t.Error("what is new is not said")
		}
		g.ctx.Dispatch(func(app.Context) { g.showFresh() })
		engine.ConsumeAll()
		if g.list.At(0).Key() != "n1" || g.top != 0 {
			t.Errorf("the new ones are not shown: %s at %v", g.list.At(0).Key(), g.top)
		}
	})
}

// A month in the middle of the history: what is older follows below, what is newer is loaded above without moving it.
func TestAMonthIsJumpedToAndTheListGoesOnBothWays(t *testing.T) {
	g, _, engine := openGallery(t, "/gallery?at=2026-01") // noon is the first of March
	first := g.list.At(g.list.Lead)
	if got := model.Month(first.Run.CreatedAt, g.core.zone); got != "2026-01" {
		t.Fatalf("the list begins in %s", got)
	}
	if g.list.Lead == 0 || g.monthShown() != "2026-01" {
		t.Fatalf("%d newer results are there, and %s is on screen", g.list.Lead, g.monthShown())
	}
	place := g.rows.All()[g.rows.RowOf(g.list.Lead)].Top - g.top
	for range 6 {
		g.ctx.Dispatch(func(app.Context) { g.fill() })
		engine.ConsumeAll()
		if now := g.rows.All()[g.rows.RowOf(g.list.Find(first.Key()))].Top - g.top; now != place {
			t.Fatalf("the month moved from %v to %v on screen", place, now)
		}
		if !g.up.more {
			break
		}
		g.top = 0
		place = g.rows.All()[g.rows.RowOf(g.list.Find(first.Key()))].Top
	}
	if g.up.more || g.list.At(0).Run.ID != "r000" {
		t.Errorf("the newest is not reached: %s is first", g.list.At(0).Run.ID)
	}
	for i := 1; i < g.list.Len(); i++ {
		if g.list.At(i).Run.CreatedAt.After(g.list.At(i - 1).Run.CreatedAt) {
			t.Fatalf("%s stands before %s", g.list.At(i-1).Key(), g.list.At(i).Key())
		}
	}
}

// After events were missed the list is read again: what is chosen and where the wall is stays.
func TestMissedEventsLeaveTheWallInPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // what arrives is collected for a moment
		g, s, engine := openGallery(t, "/gallery")
		g.top = 300
		g.chosen.Toggle(g.list.At(3).Key())
		answer := s.answers["GET /api/results"]
		s.answers["GET /api/results"] = func(r browser.Request) (int, any) {
			status, body := answer(r)
			page := body.(atelier.ResultPage)
			page.Results = slices.Clone(page.Results[1:]) // the newest was deleted meanwhile
			page.Results[0].Rating = 5
			return status, page
		}
		gone := g.list.At(0).Key()
		g.ctx.Dispatch(func(app.Context) { g.watch(atelier.Event{Type: atelier.EventSnapshot}) })
		engine.ConsumeAll()
		if g.list.Find(gone) >= 0 || g.list.At(0).Result.Rating != 5 {
			t.Errorf("the list is as old as it was: %s first, rated %d", g.list.At(0).Key(), g.list.At(0).Result.Rating)
		}
		if g.chosen.Len() != 1 || g.top == 0 {
			t.Errorf("%d are chosen, scrolled to %v", g.chosen.Len(), g.top)
		}
	})
}

// Of a list in another order only the server knows what was missed: it is read again where nobody is at work in it, else that is offered.
func TestListByRatingRefreshesAfterMissedEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // what arrives is collected for a moment
		g, s, engine := openGallery(t, "/gallery?sort=rating")
		missed := func() int {
			asked := len(s.asked)
			g.ctx.Dispatch(func(app.Context) { g.watch(atelier.Event{Type: atelier.EventSnapshot}) })
			engine.ConsumeAll()
			return len(s.asked) - asked
		}
		if n := missed(); n != 1 || g.stale {
			t.Errorf("at its beginning it is asked for %d times, out of date: %t", n, g.stale)
		}
		g.top = 300
		if n := missed(); n != 0 || !strings.Contains(app.HTMLString(g.Render()), "out of date") {
			t.Errorf("scrolled down it is asked for %d times", n)
		}
		g.ctx.Dispatch(func(app.Context) { g.showFresh() })
		engine.ConsumeAll()
		if g.stale || g.top != 0 {
			t.Errorf("shown again, it is at %v, out of date: %t", g.top, g.stale)
		}
	})
}

// A verdict is on screen at once; what the server refuses is taken back.
func TestARefusedVerdictIsTakenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // the offer to take a verdict on many back stands for a while
		g, s, engine := openGallery(t, "/gallery")
		stars := 4
		judge := func() {
			g.ctx.Dispatch(func(app.Context) { g.core.judge(g.list.Part(0, 2), atelier.UpdateResults{Rating: &stars}) })
			engine.ConsumeAll()
		}
		s.on("PATCH /api/results", 200, atelier.ResultList{})
		judge()
		if g.list.At(0).Result.Rating != 4 || g.list.At(1).Result.Rating != 4 {
			t.Error("the stars are not shown")
		}
		var sent atelier.UpdateResults
		if err := json.Unmarshal(s.bodies["PATCH /api/results"][0], &sent); err != nil || len(sent.IDs) != 2 || *sent.Rating != 4 || sent.Pick != nil {
			t.Errorf("sent %+v, %v", sent, err)
		}
		stars = 1
		s.on("PATCH /api/results", 507, atelier.ErrorBody{Error: &atelier.Error{Code: atelier.DiskFull, Message: "The disk is full."}})
		judge()
		if g.list.At(0).Result.Rating != 4 {
			t.Errorf("a refused rating stays: %d", g.list.At(0).Result.Rating)
		}
	})
}

func TestGalleryStates(t *testing.T) {
	tests := []struct {
		name  string
		state func(*Gallery)
		want  string
	}{
		{"empty", func(g *Gallery) { g.list, g.state = model.Listing{}, model.Loaded }, "No results yet"},
		{"empty trash", func(g *Gallery) { g.list, g.state, g.filter.View = model.Listing{}, model.Loaded, model.ViewTrash }, "The trash is empty"},
		{"empty board", func(g *Gallery) { g.list, g.state, g.filter.Board = model.Listing{}, model.Loaded, "b" }, "Nothing on this board"},
		{"nothing fits", func(g *Gallery) { g.list, g.state, g.filter.Agent = model.Listing{}, model.Loaded, "aipose" }, "Nothing matches"},
		{"failed", func(g *Gallery) { g.state, g.problem = model.Broken, "The disk is full." }, "The disk is full."},
		{"loading", func(g *Gallery) { g.list, g.state = model.Listing{}, model.Loading }, "skeleton"},
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

// Groups of equal files come page by page, each from where the one before broke off.
func TestDuplicatesAreReadPageByPage(t *testing.T) {
	group := func(name string) atelier.DuplicateGroup {
		out := atelier.DuplicateGroup{SHA256: name, Bytes: 10}
		for _, n := range []string{"1", "2"} {
			out.Results = append(out.Results, atelier.ListedResult{Result: atelier.Result{ID: atelier.ResultID(name + n), RunID: "r", Stored: true}, Run: atelier.RunRef{ID: "r", Agent: "aimodel"}})
		}
		return out
	}
	g, s, engine := openGallery(t, "/gallery")
	s.answers["GET /api/results/duplicates"] = func(r browser.Request) (int, any) {
		if strings.Contains(r.URL, "cursor=a") {
			return 200, atelier.DuplicatePage{Groups: []atelier.DuplicateGroup{group("b")}}
		}
		return 200, atelier.DuplicatePage{Groups: []atelier.DuplicateGroup{group("a")}, NextCursor: "a"}
	}
	g.ctx.Dispatch(func(app.Context) { g.set(model.Filter{View: model.ViewDuplicates}) })
	engine.ConsumeAll()
	if html := app.HTMLString(g.Render()); !strings.Contains(html, "1 group and more") || !strings.Contains(html, "duplicates-more") {
		t.Fatal("nothing says that there are more groups")
	}
	if html := app.HTMLString(g.Render()); strings.Count(html, `tabindex="0"`) != 1 {
		t.Error("the keyboard does not come to the copies")
	}
	g.ctx.Dispatch(func(app.Context) { g.loadDuplicates() })
	engine.ConsumeAll()
	defer func() { // of one a single file is left: it is neither counted nor chosen with all
		g.ctx.Dispatch(func(app.Context) {
			g.list.Remove("a2")
			g.onKey(browser.Key{Key: "a", Ctrl: true})
			g.onKey(browser.Key{Key: "Delete", Repeat: true}) // held since the last one was deleted
		})
		engine.ConsumeAll()
		if html := app.HTMLString(g.Render()); !strings.Contains(html, "1 group") || strings.Contains(html, "2 groups") {
			t.Error("a group of which one is left is counted")
		}
		if keys := strings.Join(g.chosen.Keys(&g.list), " "); keys != "b1 b2" {
			t.Errorf("all are %s", keys)
		}
		g.ctx.Dispatch(func(app.Context) { g.list.Remove("b1") })
		engine.ConsumeAll()
		if html := app.HTMLString(g.Render()); !strings.Contains(html, "0 groups") || !strings.Contains(html, words.GalleryNoDuplicates) {
			t.Error("without groups it is not said that there are none")
		}
	}()
	if html := app.HTMLString(g.Render()); !strings.Contains(html, "2 groups") || strings.Contains(html, "duplicates-more") || strings.Count(html, `role="listitem"`) != 4 {
		t.Errorf("two groups of two are shown as %d tiles", strings.Count(html, `role="listitem"`))
	}
}
