package pages

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/components"
)

// signIn asks for the launch code.
type signIn struct {
	app.Compo
	Refused string // why the address that was opened did not sign in
	token   string
	problem string
	printed string // what became of the wish for a new code
	busy    bool
	port    signInPort
}

type signInPort interface {
	Login(token string, failed func(sentence string))
	PrintLink(done func(sentence string))
}

func newSignIn(port signInPort, refused string) *signIn { return &signIn{port: port, Refused: refused} }

// Render implements app.Composer.
func (s *signIn) Render() app.UI {
	problem := []app.UI{}
	sentence := s.problem
	if sentence == "" && s.token == "" {
		sentence = s.Refused
	}
	if sentence != "" {
		problem = append(problem, components.El("p", "class", "field__problem", "id", "signin-problem", "data-testid", "signin-problem").Body(
			components.SmallIcon("alert"), components.Text("span", "", sentence)))
	}
	return components.El("main", "class", "signin").Body(
		components.El("form", "class", "signin__card").OnSubmit(s.onSubmit).Body(
			components.Box("signin__mark", components.Icon("mark")),
			components.Text("h1", "signin__title", "Atelier"),
			components.Text("p", "signin__text", "Open the address the studio printed in its terminal, or paste it here. It works once."),
			components.El("label", "class", "field__label", "for", "signin-token").Text("Address or launch code"),
			components.Void("input", "id", "signin-token", "class", "input", "type", "password", "autocomplete", "one-time-code",
				"spellcheck", "false", "data-testid", "signin-token", "aria-describedby", "signin-problem", "autofocus", "true").OnInput(s.onInput),
			components.El("div", "aria-live", "polite").Body(problem...),
			components.Button("", components.Pick(s.busy, "Signing in…", "Sign in"), "button--primary button--large").
				Attr("type", "submit").Attr("data-testid", "signin-submit").Attr("disabled", s.busy || s.token == ""),
			components.El("div", "class", "signin__foot", "aria-live", "polite").Body(
				components.Button("", "Print a new address in the terminal", "button--link").Attr("data-testid", "signin-print").OnClick(s.onPrint),
				components.Text("p", "field__help", s.printed),
			),
		),
	)
}

func (s *signIn) onPrint(ctx app.Context, _ app.Event) {
	s.port.PrintLink(func(sentence string) {
		s.printed = sentence
		ctx.Update()
	})
}

func (s *signIn) onInput(_ app.Context, e app.Event) {
	s.token, s.problem = e.Get("target").Get("value").String(), ""
}

func (s *signIn) onSubmit(ctx app.Context, e app.Event) {
	e.PreventDefault()
	s.submit(ctx)
}

func (s *signIn) submit(ctx app.Context) {
	if s.token == "" || s.busy {
		return
	}
	s.busy = true
	s.port.Login(s.token, func(sentence string) {
		s.busy, s.problem = false, sentence
		ctx.Update()
	})
}
