package pages

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/components"
	"atelier/app/words"
	"atelier/atelier"
)

// signIn is the door: it asks for a launch code, for name and password, or for what the first account needs.
type signIn struct {
	app.Compo
	Entry   atelier.Entry
	Code    string // of the setup, when it came with the address
	Refused string // why the address that was opened did not sign in

	fields  map[string]string
	shown   bool // the password can be read
	problem atelier.Error
	printed string // what became of the wish for a new code
	busy    bool
	port    signInPort
}

// signInPort is what the door leads to; failed is told why nobody came in.
type signInPort interface {
	Login(token string, failed func(error))
	SignIn(name, password string, failed func(error))
	SetUp(in atelier.Setup, failed func(error))
	PrintLink(done func(sentence string))
}

func newSignIn(port signInPort, entry atelier.Entry, code, refused string) *signIn {
	return &signIn{port: port, Entry: entry, Code: code, Refused: refused}
}

// Render implements app.Composer.
func (s *signIn) Render() app.UI {
	title, text, action := words.ProductName, words.SignInText, words.SignInAction
	var rows []app.UI
	switch {
	case s.Entry.Setup:
		title, action = words.SetUpTitle, words.SetUpAction
		text = words.SetUpText
		if s.Code == "" {
			rows = append(rows, s.field("code", words.SetUpCode, "text", "off", words.SetUpCodeHelp))
		}
		rows = append(rows, s.field("name", words.SetUpName, "text", "username", ""),
			s.field("password", words.SignInPassword, "password", "new-password", words.PasswordRule))
	case s.Entry.Team:
		text = ""
		rows = append(rows, s.field("name", words.SignInName, "text", "username", ""), s.field("password", words.SignInPassword, "password", "current-password", ""))
	default:
		rows = append(rows, s.field("token", words.SignInToken, "password", "one-time-code", ""))
	}
	sentence := s.problem.Message
	if sentence == "" && s.fields["token"] == "" {
		sentence = s.Refused
	}
	if len(s.problem.Fields) > 0 {
		sentence = "" // it stands below the field
	}
	return components.El("main", "class", "signin").Body(
		components.El("form", "class", "signin__card", "data-testid", "signin").OnSubmit(s.onSubmit).Body(
			components.Box("signin__mark", components.Icon("mark")),
			components.Text("h1", "signin__title", title),
			components.Text("p", "signin__text", text),
			components.Box("signin__fields", rows...),
			components.El("div", "aria-live", "polite").Body(problem("signin-problem", sentence)...),
			components.Button("", components.Pick(s.busy, words.SignInWait, action), "button--primary button--large").
				Attr("type", "submit").Attr("data-testid", "signin-submit").Attr("disabled", s.busy || !s.complete()),
			components.El("div", "class", components.Pick(s.Entry.Setup, "", "signin__foot"), "aria-live", "polite").Body(
				components.If(!s.Entry.Team, func() app.UI {
					return components.Button("", words.SignInPrint, "button--link").Attr("data-testid", "signin-print").OnClick(s.onPrint)
				}),
				components.If(s.Entry.Team && !s.Entry.Setup, func() app.UI {
					return components.Text("p", "field__help", words.SignInForgot)
				}),
				components.Text("p", "field__help", s.printed),
			),
		),
	)
}

// field is one line of the door, with what is wrong about it.
func (s *signIn) field(name, label, kind, complete, help string) app.UI {
	if kind == "password" && s.shown {
		kind = "text"
	}
	return inputRow(row{
		id: "signin-" + name, label: label, kind: kind, complete: complete, help: help, problem: s.problem.Fields[name],
		peek: complete == "new-password", shown: s.shown,
	}, func(v string) { s.set(name, v) }, s.onPeek)
}

func (s *signIn) set(name, value string) {
	if s.fields == nil {
		s.fields = map[string]string{}
	}
	s.fields[name], s.problem = value, atelier.Error{}
}

func (s *signIn) onPeek(app.Context, app.Event) { s.shown = !s.shown }

// complete says whether everything is given that is asked for.
func (s *signIn) complete() bool {
	switch {
	case s.Entry.Setup:
		return s.fields["name"] != "" && s.fields["password"] != "" && s.code() != ""
	case s.Entry.Team:
		return s.fields["name"] != "" && s.fields["password"] != ""
	}
	return s.fields["token"] != ""
}

func (s *signIn) code() string {
	if s.Code != "" {
		return s.Code
	}
	return s.fields["code"]
}

func (s *signIn) onPrint(ctx app.Context, _ app.Event) {
	s.port.PrintLink(func(sentence string) {
		s.printed = sentence
		ctx.Update()
	})
}

func (s *signIn) onSubmit(ctx app.Context, e app.Event) {
	e.PreventDefault()
	s.submit(ctx)
}

func (s *signIn) submit(ctx app.Context) {
	if s.busy || !s.complete() {
		return
	}
	s.busy = true
	failed := func(err error) {
		s.busy = false
		s.problem = atelier.Error{Message: sentence(err)}
		if e := asError(err); e != nil {
			s.problem.Fields = e.Fields
		}
		ctx.Update()
	}
	switch {
	case s.Entry.Setup:
		s.port.SetUp(atelier.Setup{Code: s.code(), Name: s.fields["name"], Password: s.fields["password"]}, failed)
	case s.Entry.Team:
		s.port.SignIn(s.fields["name"], s.fields["password"], failed)
	default:
		s.port.Login(s.fields["token"], failed)
	}
}

// row describes one line of a small form.
type row struct {
	id, label, kind, complete, help, problem string
	peek, shown                              bool // a password that can be shown, and is
}

// inputRow is a labelled input with its help and its problem.
func inputRow(r row, input func(string), peek app.EventHandler) app.UI {
	class := "field__help"
	note := r.help
	if r.problem != "" {
		note = ""
	}
	return components.Box("field",
		components.Box("field__head",
			components.El("label", "class", "field__label", "for", r.id).Text(r.label),
			components.If(r.peek, func() app.UI {
				return components.Button("", components.Pick(r.shown, words.PasswordHide, words.PasswordShow), "button--link").Attr("aria-pressed", components.Bool(r.shown)).OnClick(peek)
			}),
		),
		components.Void("input", "id", r.id, "class", "input", "type", r.kind, "autocomplete", r.complete, "spellcheck", "false", "autocapitalize", "none",
			"data-testid", r.id, "aria-describedby", r.id+"-note", "aria-invalid", components.Bool(r.problem != "")).
			OnInput(func(_ app.Context, e app.Event) { input(e.Get("target").Get("value").String()) }, components.Scope(r.id)),
		components.El("div", "id", r.id+"-note", "aria-live", "polite").Body(
			append(problem(r.id+"-problem", r.problem), components.Text("p", class, note))...),
	)
}

// problem is what is wrong, nothing when nothing is.
func problem(id, sentence string) []app.UI {
	if sentence == "" {
		return nil
	}
	return []app.UI{components.El("p", "class", "field__problem", "id", id, "data-testid", id).Body(components.SmallIcon("alert"), components.Text("span", "", sentence))}
}
