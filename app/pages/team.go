package pages

import (
	"context"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
)

// team is the list of accounts, for administrators.
type team struct {
	app.Compo
	Rev  int
	core *core

	state    model.Load
	accounts []atelier.Account
	name     string
	role     atelier.Role
	problem  string
	told     atelier.AccountBody // the password that was made up last, with whose it is
	asked    doubt               // what is not done before it is confirmed
	busy     bool
}

// doubt is what is about to be done to whom: a new password, or else the end of their being let in.
type doubt struct {
	who      atelier.UserID
	password bool
}

// OnMount implements app.Mounter.
func (t *team) OnMount(app.Context) { t.load() }

func (t *team) load() {
	if t.state != model.Loaded {
		t.state = model.Loading
	}
	t.core.do(func(ctx context.Context) func() {
		list, err := t.core.api.Accounts(ctx)
		return func() {
			if err != nil {
				t.state = model.Broken
				t.core.failed(err)
				return
			}
			t.accounts, t.state = list, model.Loaded
		}
	})
}

// Render implements app.Composer.
func (t *team) Render() app.UI {
	rows := make([]app.UI, len(t.accounts))
	for i, a := range t.accounts {
		rows[i] = t.row(a)
	}
	return components.El("div", "class", "team", "data-testid", "team").Body(
		components.El("form", "class", "team__add").OnSubmit(t.onAdd).Body(
			components.Void("input", "id", "team-name", "class", "input", "type", "text", "placeholder", words.TeamName, "aria-label", words.TeamNameLabel, "autocomplete", "off",
				"data-testid", "team-name", "maxlength", "60").OnInput(t.onName),
			t.roles("team-role", t.newRole(), func(r atelier.Role) { t.role = r }),
			components.Button("plus", words.TeamAdd, "button--primary").Attr("type", "submit").Attr("data-testid", "team-add").Attr("disabled", t.busy || strings.TrimSpace(t.name) == ""),
		),
		components.El("div", "aria-live", "polite").Body(problem("team-problem", t.problem)...),
		components.El("div", "aria-live", "polite").Body(t.secret()...),
		components.El("ul", "class", "team__list", "aria-busy", components.Bool(t.state == model.Loading)).Body(rows...),
		components.If(t.state == model.Loading && len(rows) == 0, func() app.UI { return components.Text("p", "field__help", words.Loading) }),
		components.If(t.state == model.Broken, func() app.UI {
			return components.Button("retry", words.LoadAgain, "").Attr("data-testid", "team-again").OnClick(func(app.Context, app.Event) { t.load() })
		}),
		components.Text("p", "field__help", words.TeamHelp),
	)
}

func (t *team) newRole() atelier.Role {
	if t.role == "" {
		return atelier.Designer
	}
	return t.role
}

func (t *team) roles(id string, value atelier.Role, choose func(atelier.Role)) app.UI {
	options := make([]app.UI, 0, 3)
	for _, r := range atelier.Roles() {
		options = append(options, components.El("option", "value", string(r), "selected", components.Bool(r == value)).Text(words.Role(r)))
	}
	return components.El("select", "id", id, "class", "input team__role", "data-testid", id, "aria-label", words.TeamRole).
		OnChange(func(_ app.Context, e app.Event) { choose(atelier.Role(e.Get("target").Get("value").String())) }, components.Scope(id, value)).Body(options...)
}

// secret shows the password that was made up, once.
func (t *team) secret() []app.UI {
	if t.told.Password == "" {
		return nil
	}
	return []app.UI{components.El("div", "class", "team__secret", "data-testid", "team-secret").Body(
		components.Text("p", "", words.TeamSecret(t.told.Account.Name)),
		components.Box("settings__row",
			components.El("code", "class", "team__password", "data-testid", "team-password").Text(t.told.Password),
			components.Button("copy", words.Copy, "button--small").OnClick(t.onCopy),
			components.Button("", words.Done, "button--small").OnClick(t.onDone),
		),
	)}
}

func (t *team) row(a atelier.Account) app.UI {
	me := a.ID == t.core.session.User.ID
	about := words.TeamNeverSignedIn
	if a.SeenAt != nil {
		about = words.TeamSignedIn(t.core.minute(), *a.SeenAt)
	}
	if a.Disabled {
		about = words.TeamDisabled
	}
	if a.Asked > 0 {
		about += " · " + words.TeamAsked(a.Asked)
	}
	if cost := words.CostSum(a.Cost); cost != "" {
		about += " · " + cost
	}
	id := "team-" + string(a.ID)
	actions := []app.UI{}
	no := components.Button("", words.Cancel, "button--small").OnClick(func(app.Context, app.Event) { t.asked = doubt{} }, components.Scope(id, "no"))
	switch {
	case me:
		actions = append(actions, components.Text("span", "tag", words.TeamYou))
	case t.asked == doubt{a.ID, true}:
		about = words.TeamPasswordEnds(a.Name)
		actions = append(actions, components.Button("", words.TeamNewPasswordNow(a.Name), "button--small button--bad").Attr("data-testid", "team-password-sure").
			OnClick(func(app.Context, app.Event) { t.renewPassword(a) }, components.Scope(id, "renew")), no)
	case t.asked == doubt{a.ID, false}:
		actions = append(actions, components.Button("", words.TeamDisableNow(a.Name), "button--small button--bad").Attr("data-testid", "team-disable-sure").
			OnClick(func(app.Context, app.Event) { t.setDisabled(a, true) }, components.Scope(id, "sure")), no)
	case a.Disabled:
		actions = append(actions, components.Button("", words.TeamEnable, "button--small").Attr("data-testid", "team-enable").OnClick(func(app.Context, app.Event) { t.setDisabled(a, false) }, components.Scope(id, "enable")))
	default:
		actions = append(actions,
			components.Button("", words.TeamNewPassword, "button--small").Attr("data-testid", "team-new-password").
				OnClick(func(app.Context, app.Event) { t.asked = doubt{a.ID, true} }, components.Scope(id, "password")),
			components.Button("", words.TeamDisable, "button--small").Attr("data-testid", "team-disable").
				OnClick(func(app.Context, app.Event) { t.asked = doubt{a.ID, false} }, components.Scope(id, "disable")),
		)
	}
	return components.El("li", "class", "team__row"+components.Pick(a.Disabled, " team__row--off", ""), "data-testid", "team-row", "data-name", a.Name).Body(
		components.Box("sessions__text", components.Text("span", "", a.Name), components.Text("span", "sessions__about", about)),
		t.roles(id, a.Role, func(r atelier.Role) { t.update(a, atelier.UpdateAccount{Role: &r}) }),
		t.monthly(id+"-monthly", a),
		components.Box("team__actions", actions...),
	)
}

// monthly is how many results somebody may ask for in a month. A viewer asks for none.
func (t *team) monthly(id string, a atelier.Account) app.UI {
	if a.Role == atelier.Viewer {
		return components.Box("team__monthly")
	}
	value := ""
	if a.Monthly != atelier.AnyNumber {
		value = words.Number(a.Monthly)
	}
	return components.Box("team__monthly", components.Void("input", "id", id, "class", "input", "type", "text", "inputmode", "numeric", "value", value, "placeholder", words.TeamAnyNumber,
		"title", words.TeamMonthly, "aria-label", words.TeamMonthlyOf(a.Name), "autocomplete", "off", "maxlength", "9", "data-testid", "team-monthly").
		OnChange(func(_ app.Context, e app.Event) { t.setMonthly(a, e.Get("target").Get("value").String()) }, components.Scope(id, value)),
		components.El("label", "class", "team__unit", "for", id).Text(words.TeamAMonth))
}

func (t *team) setMonthly(a atelier.Account, text string) {
	n := atelier.AnyNumber
	if text = strings.TrimSpace(text); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil || n < 0 || n > atelier.MaxMonthly {
			t.problem = words.TeamMonthlyWrong(atelier.MaxMonthly)
			return
		}
	}
	t.update(a, atelier.UpdateAccount{Monthly: &n})
}

func (t *team) renewPassword(a atelier.Account) {
	t.asked = doubt{}
	t.update(a, atelier.UpdateAccount{NewPassword: true})
}

func (t *team) setDisabled(a atelier.Account, disabled bool) {
	t.asked = doubt{}
	t.update(a, atelier.UpdateAccount{Disabled: &disabled})
}

func (t *team) update(a atelier.Account, change atelier.UpdateAccount) {
	t.problem = ""
	t.core.do(func(ctx context.Context) func() {
		body, err := t.core.api.UpdateAccount(ctx, a.ID, change)
		return func() { t.after(body, err) }
	})
}

// after shows what became of a change, and the list as it is now.
func (t *team) after(body atelier.AccountBody, err error) {
	t.busy = false
	switch {
	case err != nil && t.core.expired(err):
		return
	case err != nil:
		t.problem = sentence(err)
	case body.Password != "":
		t.told = body
	}
	t.load()
}

func (t *team) onName(_ app.Context, e app.Event) {
	t.name, t.problem = e.Get("target").Get("value").String(), ""
}

func (t *team) onAdd(_ app.Context, e app.Event) {
	e.PreventDefault()
	t.add()
}

func (t *team) add() {
	name, role := strings.TrimSpace(t.name), t.newRole()
	if name == "" || t.busy {
		return
	}
	t.busy = true
	t.core.do(func(ctx context.Context) func() {
		body, err := t.core.api.CreateAccount(ctx, name, role)
		return func() {
			if err == nil {
				t.name = ""
				browser.SetValue("team-name", "")
			}
			t.after(body, err)
		}
	})
}

func (t *team) onCopy(app.Context, app.Event) { browser.Copy(t.told.Password) }
func (t *team) onDone(app.Context, app.Event) { t.told = atelier.AccountBody{} }
