package components

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/words"
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
	class, note := "field__help", []app.UI{Text("span", "", words.UnconfirmedIDHelp)}
	if problem != "" {
		class, note = "field__problem", []app.UI{SmallIcon("alert"), Text("span", "", problem)}
	}
	return []app.UI{
		El("div", "class", "unconfirmed", "data-testid", "unconfirmed").Body(
			Text("p", "unconfirmed__text", words.UnconfirmedText(title)),
			Box("unconfirmed__choice",
				Button("retry", words.UnconfirmedAgain, "button--primary").Attr("data-testid", "unconfirmed-again").Attr("aria-disabled", Bool(waiting)).
					OnClick(func(app.Context, app.Event) { port.RunUnconfirmedAgain() }, Scope(run.ID)),
				Text("p", "field__help", words.UnconfirmedAgainHelp),
			),
			Box("unconfirmed__choice",
				Button("close", words.Dismiss, "").Attr("data-testid", "unconfirmed-dismiss").Attr("aria-disabled", Bool(waiting)).
					OnClick(func(app.Context, app.Event) { port.DismissUnconfirmed() }, Scope(run.ID)),
				Text("p", "field__help", words.UnconfirmedDismissHelp),
			),
			El("form", "class", "unconfirmed__choice").OnSubmit(func(_ app.Context, e app.Event) {
				e.PreventDefault()
				port.AdoptUnconfirmed()
			}, Scope(run.ID)).Body(
				El("label", "class", "field__label", "for", "unconfirmed-id").Text(words.UnconfirmedID),
				Box("unconfirmed__row",
					Void("input", "id", "unconfirmed-id", "class", "input", "type", "text", "autocomplete", "off", "spellcheck", "false", "maxlength", "128",
						"placeholder", words.UnconfirmedIDPlaceholder, "data-testid", "unconfirmed-id", "value", id, "aria-describedby", "unconfirmed-note",
						"aria-invalid", Bool(problem != "")).
						OnInput(func(_ app.Context, e app.Event) { port.TypeExecution(e.Get("target").Get("value").String()) }, Scope(run.ID)),
					El("button", "type", "submit", "class", "button", "data-testid", "unconfirmed-adopt", "aria-disabled", Bool(waiting)).Text(words.UnconfirmedTakeOver),
				),
				El("p", "id", "unconfirmed-note", "class", class, "aria-live", "polite", "data-testid", "unconfirmed-note").Body(note...),
			),
		),
	}
}
