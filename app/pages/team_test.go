package pages

import (
	"strings"
	"testing"
	"testing/synctest"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/atelier"
)

// out makes a server where nobody is signed in.
func out(entry atelier.Entry) *server {
	s := newServer()
	s.on("GET /api/session", 401, atelier.ErrorBody{Error: &atelier.Error{Code: atelier.Unauthorized, Message: "You are signed out."}})
	s.on("GET /api/entry", 200, entry)
	return s
}

func TestATeamEntersByNameAndPassword(t *testing.T) {
	s := out(atelier.Entry{Team: true})
	s.answers["POST /api/session"] = func(r browser.Request) (int, any) {
		if string(r.Body) == `{"name":"Ada","password":"right"}` {
			return 200, atelier.Session{User: atelier.User{ID: "a", Name: "Ada", Role: atelier.Admin}, Team: true}
		}
		return 401, atelier.ErrorBody{Error: &atelier.Error{Code: atelier.Unauthorized, Message: "Name or password is wrong."}}
	}
	a, engine := openApp(t, s)
	html := app.HTMLString(a.Render())
	if !strings.Contains(html, "signin-name") || !strings.Contains(html, "signin-password") || strings.Contains(html, "Sign-in link or code") {
		t.Error("name and password are not asked for")
	}
	said := ""
	a.SignIn("Ada", "wrong", func(err error) { said = sentence(err) })
	engine.ConsumeAll()
	if a.core.access != signedOut || said != "Name or password is wrong." {
		t.Errorf("access %v, said %q", a.core.access, said)
	}
	a.SignIn("Ada", "right", func(err error) { t.Error(err) })
	engine.ConsumeAll()
	if a.core.access != signedIn || a.core.session.User.Name != "Ada" {
		t.Errorf("access %v as %+v", a.core.access, a.core.session.User)
	}
}

func TestTheFirstAccountIsMadeWithTheCodeOfTheAddressOrATypedOne(t *testing.T) {
	s := out(atelier.Entry{Team: true, Setup: true})
	s.on("POST /api/setup", 400, atelier.ErrorBody{Error: &atelier.Error{Code: atelier.Invalid, Message: "Not the code.", Fields: map[string]string{"code": "Not the code."}}})
	a, engine := openApp(t, s)
	if html := app.HTMLString(a.Render()); !strings.Contains(html, "signin-code") || !strings.Contains(html, "Create the first account") {
		t.Error("the setup code is not asked for")
	}
	a.code = "OLD"
	if html := app.HTMLString(a.Render()); strings.Contains(html, "signin-code") {
		t.Error("a code that came with the address is asked for")
	}
	refused := false
	a.SetUp(atelier.Setup{Code: "OLD", Name: "Ada", Password: "x"}, func(error) { refused = true })
	engine.ConsumeAll()
	if html := app.HTMLString(a.Render()); !refused || !strings.Contains(html, "signin-code") {
		t.Error("after an old code none can be typed")
	}
}

// A connection that breaks because the session has ended leads to the door, and one that merely breaks does not.
func TestASessionThatEndedElsewhereLeadsToTheDoor(t *testing.T) {
	s := newServer()
	s.on("GET /api/entry", 200, atelier.Entry{Team: true})
	a, engine := openApp(t, s)
	s.offline = true
	a.core.confirm()
	engine.ConsumeAll()
	if a.core.access != signedIn {
		t.Fatal("being offline signs out")
	}
	s.offline = false
	s.on("GET /api/session", 401, atelier.ErrorBody{Error: &atelier.Error{Code: atelier.Unauthorized, Message: "You are signed out."}})
	a.core.confirm()
	engine.ConsumeAll()
	if html := app.HTMLString(a.Render()); a.core.access != signedOut || !strings.Contains(html, "signin-name") || !strings.Contains(html, "You are signed out.") {
		t.Error("the door is not shown, or not why")
	}
}

func TestAMemberIsAddedAndTheirPasswordShownOnce(t *testing.T) {
	s := newServer()
	ben := atelier.Account{User: atelier.User{ID: "b", Name: "Ben", Role: atelier.Viewer}}
	s.on("GET /api/users", 200, atelier.AccountList{Accounts: []atelier.Account{ben}})
	s.on("POST /api/users", 201, atelier.AccountBody{Account: ben, Password: "made-up-by-it"})
	s.on("PATCH /api/users/b", 409, atelier.ErrorBody{Error: &atelier.Error{Code: atelier.Conflict, Message: "This is the only administrator."}})
	a, engine := openApp(t, s)
	list := &team{core: a.core}
	list.load()
	engine.ConsumeAll()
	list.name, list.role = "  Ben ", atelier.Viewer
	list.add()
	engine.ConsumeAll()
	if got := string(s.bodies["POST /api/users"][0]); got != `{"name":"Ben","role":"viewer"}` {
		t.Errorf("asked for %s", got)
	}
	if html := app.HTMLString(list.Render()); !strings.Contains(html, "made-up-by-it") || !strings.Contains(html, `data-name="Ben"`) {
		t.Error("the password is not shown")
	}
	for _, text := range []string{"-1", "1000001", "2.5", "ten"} {
		list.setMonthly(ben, text)
		engine.ConsumeAll()
		if html := app.HTMLString(list.Render()); !strings.Contains(html, "a whole number from 0 to 1000000") {
			t.Errorf("%q results a month are no problem", text)
		}
	}
	sent := len(s.bodies["PATCH /api/users/b"])
	for i, c := range []struct{ text, want string }{{" 40 ", `{"monthly":40}`}, {"", `{"monthly":-1}`}, {"0", `{"monthly":0}`}, {"1000000", `{"monthly":1000000}`}} {
		list.setMonthly(ben, c.text)
		engine.ConsumeAll()
		if bodies := s.bodies["PATCH /api/users/b"]; len(bodies) != sent+i+1 || string(bodies[sent+i]) != c.want {
			t.Errorf("%q results a month sends %s, want %s", c.text, bodies, c.want)
		}
	}
	list.asked = doubt{"b", true}
	if html := app.HTMLString(list.Render()); !strings.Contains(html, "New password for Ben") || !strings.Contains(html, "This replaces the password of Ben") || !strings.Contains(html, "Cancel") {
		t.Error("before a new password is made it is not asked")
	}
	list.onDone(a.ctx, app.Event{})
	list.setDisabled(ben, true)
	engine.ConsumeAll()
	if html := app.HTMLString(list.Render()); strings.Contains(html, "made-up-by-it") || !strings.Contains(html, "This is the only administrator.") {
		t.Error("the password stays, or the refusal is not shown")
	}
}

func TestAPasswordThatIsRefusedSaysWhichOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // the word that it is done stands for six seconds
		s := newServer()
		s.on("GET /api/sessions", 200, atelier.SignedInList{Sessions: []atelier.SignedIn{{ID: "1", Browser: "Firefox on Linux", Current: true}, {ID: "2", Browser: "Safari on iPhone"}}})
		s.on("POST /api/password", 400, atelier.ErrorBody{Error: &atelier.Error{Code: atelier.Invalid, Message: "No.", Fields: map[string]string{"current": "This is not your current password."}}})
		a, engine := openApp(t, s)
		a.core.session.Team = true
		page := &account{core: a.core, changing: true, current: "x", next: "y"}
		page.load()
		page.change()
		engine.ConsumeAll()
		html := app.HTMLString(page.Render())
		for _, want := range []string{"This is not your current password.", "Firefox on Linux", "Safari on iPhone", "This browser"} {
			if !strings.Contains(html, want) {
				t.Errorf("it does not say %q", want)
			}
		}
		if strings.Contains(html, "end-session-sure") {
			t.Error("it is asked before anything was pressed")
		}
		page.asked = "2"
		if html := app.HTMLString(page.Render()); !strings.Contains(html, "end-session-sure") || !strings.Contains(html, ">Sign out Safari on iPhone<") || !strings.Contains(html, "Cancel") || !strings.Contains(html, "cannot be undone") {
			t.Error("it is not asked before another browser is signed out")
		}
		s.on("POST /api/password", 204, nil)
		page.change()
		engine.ConsumeAll()
		if page.changing || page.next != "" {
			t.Error("the form stays after the change")
		}
	})
}

func TestAViewerIsToldWhyNothingIsGenerated(t *testing.T) {
	b := openStudio(t)
	b.core.session.User.Role = atelier.Viewer
	b.withPicture()
	b.generate()
	if hint, bad := b.studio.hint(); !bad || !strings.Contains(hint, "not change anything") || len(b.starts(t)) != 0 {
		t.Errorf("the hint is %q, %d runs were asked for", hint, len(b.starts(t)))
	}
}

// Who may ask for so many results a month sees how many are left, hears of another number at once, and is not let ask for more.
func TestWhatMayStillBeAskedForStandsByTheButton(t *testing.T) {
	b := openStudio(t).withPicture()
	b.on("POST /api/runs", 202, map[string]any{"run": atelier.Run{ID: "r1", Status: atelier.Pending}})
	b.do(func(app.Context) {
		b.studio.ChooseAgent("removeBG")
		b.studio.SetValue("backgroundHex", "#112233")
		b.studio.SetValue("batchCount", 4.0)
	})
	foot := func() string { return app.HTMLString(b.studio.renderFoot()) }
	if html := foot(); strings.Contains(html, "this month") {
		t.Errorf("without a number it says %s", html)
	}
	b.do(func(app.Context) {
		b.core.take(atelier.Event{Type: atelier.EventAllowance, Data: []byte(`{"monthly":10,"asked":6,"until":"2026-12-01T00:00:00Z"}`)})
	})
	if b.studio.form.Batch() != 4 {
		t.Fatalf("the form makes %d, want 4", b.studio.form.Batch())
	}
	if html := foot(); !strings.Contains(html, "4 of 10 results left this month") {
		t.Errorf("with four left it says %s", html)
	}
	b.do(func(app.Context) {
		b.core.take(atelier.Event{Type: atelier.EventAllowance, Data: []byte(`{"monthly":10,"asked":7,"until":"2026-12-01T00:00:00Z"}`)})
		b.studio.generate()
	})
	if hint, bad := b.studio.hint(); !bad || hint != "This makes 4 results, and 3 are left of your 10 this month. An administrator can allow more." || len(b.starts(t)) != 0 {
		t.Errorf("the hint is %q, %v; %d runs were asked for", hint, bad, len(b.starts(t)))
	}
	b.do(func(app.Context) {
		b.core.take(atelier.Event{Type: atelier.EventAllowance, Data: []byte(`null`)})
		b.studio.generate()
	})
	if hint, _ := b.studio.hint(); hint != "" || len(b.starts(t)) != 1 {
		t.Errorf("with any number the hint is %q, %d runs were asked for", hint, len(b.starts(t)))
	}
}
