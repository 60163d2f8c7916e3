package components

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/atelier"
)

// UnconfirmedPort hears what is to become of a run nobody knows the fate of.
type UnconfirmedPort interface {
	RunUnconfirmedAgain()
	DismissUnconfirmed()
	TypeExecution(id string)
	AdoptUnconfirmed()
}

// Unconfirmed asks what is to become of a run that may have been accepted and billed. id is what has been typed as the id of
// the image service, problem what is wrong with it; waiting says that an answer is on its way.
func Unconfirmed(run atelier.Run, title, id, problem string, waiting bool, port UnconfirmedPort) []app.UI {
	class, note := "field__help", []app.UI{Text("span", "", "The studio asks the image service and takes the run over when the id is right.")}
	if problem != "" {
		class, note = "field__problem", []app.UI{SmallIcon("alert"), Text("span", "", problem)}
	}
	return []app.UI{
		El("div", "class", "unconfirmed", "data-testid", "unconfirmed").Body(
			Text("p", "unconfirmed__text", "“"+title+"” was sent, and no answer came back. It cannot be found at the image service, so it may have been accepted and billed, or not. The studio never sends it again by itself."),
			Box("unconfirmed__choice",
				Button("retry", "Run again", "button--primary").Attr("data-testid", "unconfirmed-again").Attr("aria-disabled", Bool(waiting)).
					OnClick(func(app.Context, app.Event) { port.RunUnconfirmedAgain() }, Scope(run.ID)),
				Text("p", "field__help", "Starts a new run. If the first one was made too, both are paid."),
			),
			Box("unconfirmed__choice",
				Button("close", "Dismiss", "").Attr("data-testid", "unconfirmed-dismiss").Attr("aria-disabled", Bool(waiting)).
					OnClick(func(app.Context, app.Event) { port.DismissUnconfirmed() }, Scope(run.ID)),
				Text("p", "field__help", "Counts it as failed. Should it have been made after all, it comes back by itself."),
			),
			El("form", "class", "unconfirmed__choice").OnSubmit(func(_ app.Context, e app.Event) {
				e.PreventDefault()
				port.AdoptUnconfirmed()
			}, Scope(run.ID)).Body(
				El("label", "class", "field__label", "for", "unconfirmed-id").Text("I have the id"),
				Box("unconfirmed__row",
					Void("input", "id", "unconfirmed-id", "class", "input", "type", "text", "autocomplete", "off", "spellcheck", "false", "maxlength", "128",
						"placeholder", "Execution id", "data-testid", "unconfirmed-id", "value", id, "aria-describedby", "unconfirmed-note",
						"aria-invalid", Bool(problem != "")).
						OnInput(func(_ app.Context, e app.Event) { port.TypeExecution(e.Get("target").Get("value").String()) }, Scope(run.ID)),
					El("button", "type", "submit", "class", "button", "data-testid", "unconfirmed-adopt", "aria-disabled", Bool(waiting)).Text("Take over"),
				),
				El("p", "id", "unconfirmed-note", "class", class, "aria-live", "polite", "data-testid", "unconfirmed-note").Body(note...),
			),
		),
	}
}
