package pages

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/client"
	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
)

type appProbe struct {
	App
	ctx      app.Context
	fragment string // of the address that was opened
}

func (p *appProbe) OnPreRender(ctx app.Context) {
	p.ctx = ctx
	p.core.ui = ctx
	p.signIn(p.fragment)
}

func openApp(t *testing.T, s *server) (*appProbe, app.TestEngine) {
	t.Helper()
	return openAppAt(t, s, "")
}

func openAppAt(t *testing.T, s *server, fragment string) (*appProbe, app.TestEngine) {
	t.Helper()
	a := &appProbe{fragment: fragment, App: App{core: newCore(client.New(s.send, s.upload), func() time.Time { return noon })}}
	engine := app.NewTestEngine()
	if err := engine.Load(a); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.core.leave)
	engine.ConsumeAll()
	return a, engine
}

func TestWithoutASessionTheLaunchCodeIsAskedFor(t *testing.T) {
	s := newServer()
	s.on("GET /api/session", 401, atelier.ErrorBody{Error: &atelier.Error{Code: atelier.Unauthorized, Message: "Sign in first."}})
	s.answers["POST /api/session"] = func(r browser.Request) (int, any) {
		if string(r.Body) == `{"token":"secret"}` {
			return 200, atelier.Session{Upstream: "embedded"}
		}
		return 401, atelier.ErrorBody{Error: &atelier.Error{Code: atelier.Unauthorized, Message: "This code is wrong or used up."}}
	}
	a, engine := openApp(t, s)
	if html := app.HTMLString(a.Render()); !strings.Contains(html, "Sign-in link or code") || strings.Contains(html, `class="rail"`) {
		t.Error("the sign-in page is not shown alone")
	}
	said := ""
	a.Login("wrong", func(err error) { said = sentence(err) })
	engine.ConsumeAll()
	if a.core.access != signedOut || said != "This code is wrong or used up." {
		t.Errorf("access %v, said %q", a.core.access, said)
	}
	a.Login(" http://127.0.0.1:8080/#launch=secret ", func(error) {})
	engine.ConsumeAll()
	if a.core.access != signedIn {
		t.Error("the pasted address does not sign in")
	}
	if err := app.Match(&components.Rail{Page: "studio"}, a, 0, 1); err != nil {
		t.Errorf("the studio is not shown: %v", err)
	}
}

func TestReconnectingIsSaidWithoutCoveringAnything(t *testing.T) {
	a, _ := openApp(t, newServer())
	if html := app.HTMLString(a.notice()); strings.Contains(html, "Reconnecting") {
		t.Error("said before it happens")
	}
	a.core.connection = client.Reconnecting
	if html := app.HTMLString(a.notice()); !strings.Contains(html, "Reconnecting. Nothing is lost.") {
		t.Error("not said")
	}
}

func TestToastsLeaveByThemselvesAndErrorsStay(t *testing.T) {
	a, _ := openApp(t, newServer())
	a.core.toast("error", "The disk is full.")
	a.core.toast("error", "The disk is full.")
	if n := len(a.core.toasts); n != 1 {
		t.Errorf("the same sentence stands there %d times", n)
	}
	a.core.DropToast(a.core.toasts[0].ID)
	if len(a.core.toasts) != 0 {
		t.Error("a dismissed toast stays")
	}
}

func TestDeletedRunCanBeTakenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // the offer to undo stands for six seconds
		s := newServer()
		run := atelier.Run{ID: "r1", CreatedAt: noon, UpdatedAt: noon}
		s.on("POST /api/runs/trash", 200, atelier.ChangedRuns{IDs: []atelier.RunID{"r1"}})
		s.on("POST /api/runs/r1/restore", 200, atelier.RunBody{Run: run})
		a, engine := openApp(t, s)
		a.ctx.Dispatch(func(app.Context) { a.core.tell(run) })
		engine.ConsumeAll()
		a.core.TrashRun("r1")
		for len(a.core.toasts) == 0 {
			engine.ConsumeNext()
		}
		if _, ok := a.core.runs.Find("r1"); ok {
			t.Fatal("the run is still there")
		}
		a.ctx.Dispatch(func(app.Context) { a.core.DoToast(a.core.toasts[0].ID) })
		engine.ConsumeAll()
		if _, ok := a.core.runs.Find("r1"); !ok || len(a.core.toasts) != 0 {
			t.Error("Undo does not bring it back")
		}
	})
}

func TestMenuOfRunIsAboutAllItsResults(t *testing.T) {
	a, engine := openApp(t, newServer())
	run := atelier.Run{
		ID: "r1", Agent: "removeBG", CreatedAt: noon, State: atelier.StateDone,
		Results: []atelier.Result{{ID: "a", Stored: true}, {ID: "b", Stored: true}},
	}
	a.ctx.Dispatch(func(app.Context) {
		a.core.tell(run)
		a.core.askMenu(browser.MenuAsk{Of: menuRun + "r1"})
	})
	engine.ConsumeAll()
	var names, titles []string
	for _, item := range a.core.menu.items {
		names, titles = append(names, item.Name), append(titles, item.Title)
	}
	if slices.Contains(names, "download") || !slices.Contains(titles, words.RunTrash) {
		t.Errorf("the menu of a run with two results offers %q", titles)
	}
}

func TestPagesShareOneListOfRuns(t *testing.T) {
	a, engine := openApp(t, newServer())
	a.ctx.Dispatch(func(app.Context) {
		a.core.tell(atelier.Run{ID: "r1", CreatedAt: noon, State: atelier.StateAccepted})
	})
	engine.ConsumeAll()
	if err := app.Match(&components.Rail{Page: "studio", Active: 1}, a, 0, 1); err != nil {
		t.Errorf("the rail does not tell of the run: %v", err)
	}
	if a.core.runs.Active() != 1 || a.core.runsState != model.Loaded {
		t.Errorf("active %d, state %v", a.core.runs.Active(), a.core.runsState)
	}
}

// once answers a first request as busy and those after it with body; between says what is looked at in the meantime.
func (s *server) once(what string, body any, between func()) {
	asked := 0
	s.answers[what] = func(browser.Request) (int, any) {
		if asked++; asked == 1 {
			return 503, atelier.ErrorBody{Error: &atelier.Error{Code: atelier.UpstreamBusy, Message: "Busy."}}
		}
		between()
		return 200, body
	}
}

func TestALaunchCodeWaitsForAServerThatDoesNotAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // it is tried again after a while
		s := newServer()
		s.once("POST /api/session", atelier.Session{Upstream: "embedded"}, func() {})
		a, _ := openAppAt(t, s, "launch=SECRET")
		sent := s.bodies["POST /api/session"]
		if len(sent) != 2 || string(sent[1]) != `{"token":"SECRET"}` || a.core.access != signedIn {
			t.Errorf("the code was sent as %q, access %v", sent, a.core.access)
		}
		a.core.leave()
	})
}

func TestTheDoorShowsNoFormBeforeItIsKnownWhichOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // it is asked again after a while
		s := out(atelier.Entry{})
		a := &appProbe{App: App{core: newCore(client.New(s.send, s.upload), func() time.Time { return noon })}}
		before := ""
		s.once("GET /api/entry", atelier.Entry{Team: true}, func() { before = app.HTMLString(a.Render()) })
		engine := app.NewTestEngine()
		if err := engine.Load(a); err != nil {
			t.Fatal(err)
		}
		engine.ConsumeAll()
		if strings.Contains(before, "<form") || !strings.Contains(before, "Busy.") {
			t.Errorf("shown before it is known: %s", before)
		}
		if html := app.HTMLString(a.Render()); !strings.Contains(html, "signin-name") {
			t.Error("name and password are not asked for")
		}
	})
}

// A frame may come between what a handler changes and the drawing of it: what needs the new page waits for that.
func TestWhatNeedsThePageDrawnWaitsForChangesPosted(t *testing.T) {
	b := openStudio(t)
	before, seen := b.core.rev, -1
	b.studio.ctx.Dispatch(func(ctx app.Context) {
		b.core.change()
		drawn(ctx, func() { seen = b.core.rev })
	})
	b.engine.ConsumeNext() // the handler alone, and a frame
	if seen != -1 {
		t.Errorf("it ran at revision %d, before the change to %d was drawn", seen, before+1)
	}
	b.settle()
	if seen <= before {
		t.Errorf("it ran at revision %d of %d", seen, before+1)
	}
}

// A request that was under way when somebody signed out is refused before the answer to their wish is here: they are not told that their
// session has ended. Who did not wish it is.
func TestWhoSignsOutIsNotToldThatTheyWere(t *testing.T) {
	s := newServer()
	s.on("GET /api/entry", 200, atelier.Entry{})
	s.on("DELETE /api/session", 204, nil)
	a, engine := openApp(t, s)
	gone := &atelier.Error{Code: atelier.Unauthorized, Message: "You are signed out."}
	a.signOut()
	a.core.failed(gone)
	engine.ConsumeAll()
	if a.core.access != signedOut || a.core.shutOut != "" {
		t.Errorf("access %v, told %q", a.core.access, a.core.shutOut)
	}
	a.core.enter(atelier.Session{Upstream: "embedded"})
	engine.ConsumeAll()
	a.core.failed(gone)
	engine.ConsumeAll()
	if a.core.access != signedOut || a.core.shutOut != gone.Message {
		t.Errorf("whose session ended is told %q, access %v", a.core.shutOut, a.core.access)
	}
}
