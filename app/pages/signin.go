package pages

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/components"
)

// signIn asks for the launch code.
type signIn struct {
	app.Compo
	token   string
	problem string
	busy    bool
	port    signInPort
}

type signInPort interface {
	Login(token string, failed func(sentence string))
}

func newSignIn(port signInPort) *signIn { return &signIn{port: port} }

// Render implements app.Composer.
func (s *signIn) Render() app.UI {
	problem := []app.UI{}
	if s.problem != "" {
		problem = append(problem, app.Elem("p").Class("field__problem").ID("signin-problem").Attr("data-testid", "signin-problem").Body(
			components.SmallIcon("alert"), app.Elem("span").Text(s.problem)))
	}
	return app.Elem("main").Class("signin").Body(
		app.Elem("form").Class("signin__card").OnSubmit(s.onSubmit).Body(
			app.Div().Class("signin__mark").Body(components.Icon("mark")),
			app.Elem("h1").Class("signin__title").Text("Atelier"),
			app.Elem("p").Class("signin__text").Text("Paste the launch code. The studio prints it when it starts, at the end of its address: what follows #launch= in the terminal."),
			app.Elem("label").Class("field__label").Attr("for", "signin-token").Text("Launch code"),
			app.ElemSelfClosing("input").ID("signin-token").Class("input").Attr("type", "password").Attr("autocomplete", "one-time-code").Attr("spellcheck", "false").
				Attr("data-testid", "signin-token").Attr("aria-describedby", "signin-problem").Attr("autofocus", true).OnInput(s.onInput),
			app.Div().Attr("aria-live", "polite").Body(problem...),
			components.Button("", map[bool]string{true: "Signing in…", false: "Sign in"}[s.busy], "button--primary button--large").
				Attr("type", "submit").Attr("data-testid", "signin-submit").Attr("disabled", s.busy || s.token == ""),
		),
	)
}

func (s *signIn) onInput(ctx app.Context, _ app.Event) {
	s.token, s.problem = ctx.JSSrc().Get("value").String(), ""
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
