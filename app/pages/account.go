package pages

import (
	"context"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
)

// account is the part of the settings about who is signed in: password and browsers.
type account struct {
	app.Compo
	Rev  int
	core *core

	state         model.Load
	sessions      []atelier.SignedIn
	asked         string // the session that is ended once it is confirmed
	changing      bool
	shown         bool
	current, next string
	problems      map[string]string
	sentence      string
	busy          bool
}

// OnMount implements app.Mounter.
func (a *account) OnMount(app.Context) { a.load() }

func (a *account) load() {
	if a.state != model.Loaded {
		a.state = model.Loading
	}
	a.core.do(func(ctx context.Context) func() {
		list, err := a.core.api.Sessions(ctx)
		return func() {
			if err != nil {
				a.state = model.Broken
				a.core.expired(err)
				return
			}
			a.sessions, a.state = list, model.Loaded
		}
	})
}

// Render implements app.Composer.
func (a *account) Render() app.UI {
	s := a.core.session
	who := words.AccountSignedInAs(s.User.Name)
	if s.Team {
		who = words.AccountSignedInInRole(s.User.Name, s.User.Role)
	}
	return components.El("section", "class", "settings__group", "data-testid", "account").Body(
		components.Text("h3", "", words.AccountTitle),
		components.Text("p", "settings__text", who),
		components.If(s.Team && !a.changing, func() app.UI {
			return components.Button("lock", words.AccountChangePassword, "").Attr("data-testid", "change-password").OnClick(a.onChanging)
		}),
		components.If(a.changing, a.passwordForm),
		components.Text("h4", "settings__sub", words.AccountSessions),
		components.If(a.state == model.Loading && len(a.sessions) == 0, func() app.UI { return components.Text("p", "field__help", words.Loading) }),
		components.If(a.state == model.Broken, func() app.UI {
			return components.Text("p", "field__help", words.AccountSessionsBroken)
		}),
		components.If(a.state == model.Broken, func() app.UI {
			return components.Button("retry", words.LoadAgain, "").Attr("data-testid", "sessions-again").OnClick(func(app.Context, app.Event) { a.load() })
		}),
		components.El("ul", "class", "sessions", "data-testid", "sessions").Body(a.rows()...),
	)
}

func (a *account) rows() []app.UI {
	rows := make([]app.UI, len(a.sessions))
	for i, s := range a.sessions {
		about := words.AccountLastUsed(a.core.minute(), s.SeenAt, s.IP)
		if a.asked == s.ID {
			about = words.AccountSignOutGoes
		}
		rows[i] = components.El("li", "class", "sessions__row").Body(
			components.Box("sessions__text", components.Text("span", "", s.Browser),
				components.El("span", "class", "sessions__about", "id", "session-"+s.ID, "title", words.AccountSince(s.CreatedAt, a.core.zone)).Text(about)),
			components.Box("sessions__actions", a.actions(s)...),
		)
	}
	return rows
}

// actions are what can be done about a session; it is ended by a second press.
func (a *account) actions(s atelier.SignedIn) []app.UI {
	ask := func(id string) app.EventHandler { return func(app.Context, app.Event) { a.asked = id } }
	switch {
	case s.Current:
		return []app.UI{components.Text("span", "tag", words.AccountThisOne)}
	case a.asked == s.ID:
		return []app.UI{
			components.Button("", words.AccountSignOutOf(s.Browser), "button--small button--bad").Attr("data-testid", "end-session-sure").Attr("aria-describedby", "session-"+s.ID).
				OnClick(func(app.Context, app.Event) { a.end(s.ID) }, components.Scope(s.ID, "sure")),
			components.Button("", words.Cancel, "button--small").OnClick(ask(""), components.Scope(s.ID, "no")),
		}
	}
	return []app.UI{components.Button("", words.AccountSignOut, "button--small").Attr("data-testid", "end-session").Attr("aria-label", words.AccountSignOutOf(s.Browser)).
		OnClick(ask(s.ID), components.Scope(s.ID))}
}

func (a *account) end(id string) {
	a.asked = ""
	a.core.do(func(ctx context.Context) func() {
		err := a.core.api.EndSession(ctx, id)
		return func() {
			a.core.failed(err)
			a.load()
		}
	})
}

func (a *account) passwordForm() app.UI {
	kind := components.Pick(a.shown, "text", "password")
	return components.El("form", "class", "settings__form").OnSubmit(a.onSubmit).Body(
		inputRow(row{id: "password-current", label: words.AccountPresentPassword, kind: "password", complete: "current-password", problem: a.problems["current"]},
			func(v string) { a.current, a.problems = v, nil }, nil),
		inputRow(row{id: "password-next", label: words.AccountNewPassword, kind: kind, complete: "new-password", help: words.PasswordRule, problem: a.problems["password"], peek: true, shown: a.shown},
			func(v string) { a.next, a.problems = v, nil }, func(app.Context, app.Event) { a.shown = !a.shown }),
		components.El("div", "aria-live", "polite").Body(problem("password-problem", a.sentence)...),
		components.Text("p", "field__help", words.AccountOthersSignedOut),
		components.Box("settings__row",
			components.Button("", words.AccountChangePassword, "button--primary").Attr("type", "submit").Attr("data-testid", "password-submit").
				Attr("disabled", a.busy || a.current == "" || a.next == ""),
			components.Button("", words.Cancel, "").OnClick(a.onCancel),
		),
	)
}

func (a *account) onChanging(app.Context, app.Event) { a.changing = true }

func (a *account) onCancel(app.Context, app.Event) {
	a.changing, a.current, a.next, a.problems, a.sentence = false, "", "", nil, ""
}

func (a *account) onSubmit(_ app.Context, e app.Event) {
	e.PreventDefault()
	a.change()
}

// change asks for the new password.
func (a *account) change() {
	if a.busy || a.current == "" || a.next == "" {
		return
	}
	a.busy, a.sentence, a.problems = true, "", nil
	a.core.do(func(ctx context.Context) func() {
		err := a.core.api.ChangePassword(ctx, a.current, a.next)
		return func() {
			a.busy = false
			if err != nil {
				if a.core.expired(err) {
					return
				}
				a.sentence = sentence(err)
				if e := asError(err); e != nil && len(e.Fields) > 0 {
					a.problems, a.sentence = e.Fields, ""
				}
				return
			}
			a.changing, a.current, a.next = false, "", ""
			a.core.toast("info", words.AccountPasswordChanged)
			a.load()
		}
	})
}
