package pages

import (
	"context"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
)

// The elements that belong to no page: the dialogs and the frame.
const (
	keysID     = "keys"
	settingsID = "settings"
	teamID     = "team"
	mainID     = "page" // what is shown beside the names of the pages
)

// OpenKeys implements components.RailPort.
func (a *App) OpenKeys() { a.core.openKeys() }

// OpenSettings implements components.RailPort.
func (a *App) OpenSettings() { a.core.openSettings() }

func (c *core) openSettings() {
	c.putAway()
	c.settings = true
	browser.OpenModal(settingsID)
	c.loadCosts()
	c.change()
}

// loadCosts reads what the user's runs cost. Without an answer the settings show no costs.
func (c *core) loadCosts() {
	c.do(func(ctx context.Context) func() {
		costs, err := c.api.Costs(ctx)
		return func() {
			if err == nil {
				c.costs = costs
				c.change()
			}
		}
	})
}

// renderCosts lists what the months cost of which that is known, nil when there are none and the account never told what it has left.
func (c *core) renderCosts() []app.UI {
	lines := []app.UI{}
	for _, m := range c.costs.Months {
		if m.Power != nil {
			lines = append(lines, components.Text("p", "settings__text", words.CostMonth(m)))
		}
	}
	if b := c.costs.Balance; b != nil {
		lines = append(lines, components.Text("p", "settings__text", words.CreditsLeft(b.Power)))
	}
	if len(lines) == 0 {
		return nil
	}
	return append([]app.UI{components.Text("h3", "", words.CostsTitle)}, lines...)
}

// CloseDialog implements components.DialogPort.
func (a *App) CloseDialog(id string) {
	a.core.keys, a.core.rebinding, a.core.settings, a.core.team, a.core.unsure = false, "", false, false, unsure{}
	browser.CloseModal(id)
	a.core.change()
}

// stages are the greys a picture can be judged on.
var stages = []struct{ value, class, title string }{
	{"light", "swatch swatch--light", words.SettingsStageLight},
	{"", "swatch swatch--grey", words.SettingsStageGrey},
	{"dark", "swatch swatch--dark", words.SettingsStageDark},
	{"black", "swatch swatch--black", words.SettingsStageBlack},
}

func (a *App) renderSettings() []app.UI {
	s := a.core.session
	swatches := make([]app.UI, len(stages))
	for i, g := range stages {
		swatches[i] = components.El("button", "type", "button", "class", g.class, "aria-label", g.title, "title", g.title,
			"aria-checked", components.Bool(a.stage == g.value), "role", "radio").
			OnClick(func(app.Context, app.Event) { a.setStage(g.value) }, components.Scope(g.title))
	}
	service := func() app.UI { return &connection{Rev: a.core.rev, core: a.core} }
	if s.User.Role != atelier.Admin {
		service = func() app.UI {
			return components.Text("p", "settings__text", components.Pick(s.Upstream == "remote", words.SettingsServiceRemote, words.ConnectionEmbedded))
		}
	}
	return []app.UI{components.Box("settings",
		components.El("section", "class", "settings__group").Body(
			components.Text("h3", "", words.SettingsAppearance),
			components.Segmented(words.SettingsTheme, []components.Choice{
				{Value: "system", Title: words.SettingsThemeSystem}, {Value: "light", Title: words.SettingsThemeLight}, {Value: "dark", Title: words.SettingsThemeDark},
			}, a.themeName(), a.onTheme),
		),
		components.El("section", "class", "settings__group").Body(
			components.Text("h3", "", words.SettingsStage),
			components.El("div", "class", "menu__swatches", "role", "radiogroup", "aria-label", words.SettingsStage).Body(swatches...),
		),
		components.El("section", "class", "settings__group").Body(
			components.Text("h3", "", words.SettingsService),
			service(),
			components.Text("p", "wire", words.SettingsVersion(s.Version)),
		),
		components.If(len(a.core.renderCosts()) > 0, func() app.UI {
			return components.El("section", "class", "settings__group", "data-testid", "costs").Body(a.core.renderCosts()...)
		}),
		a.core.renderNotices(),
		&account{Rev: a.core.rev, core: a.core},
		components.Box("settings__row",
			components.If(s.Team && s.User.Role == atelier.Admin, func() app.UI {
				return components.Button("", words.SettingsTeam, "").Attr("data-testid", "open-team").OnClick(a.onTeam)
			}),
			components.Button("out", words.AccountSignOut, "").Attr("data-testid", "sign-out").OnClick(a.onSignOut),
		),
	)}
}

func (a *App) themeName() string {
	if a.theme == model.System {
		return "system"
	}
	return string(a.theme)
}

func (a *App) onTheme(value string) {
	a.theme = model.ReadTheme(value)
	browser.Save("atelier.theme", string(a.theme))
	browser.Root("theme", string(a.theme))
	a.core.change()
}

func (a *App) setStage(value string) {
	a.stage = value
	browser.Save("atelier.stage", value)
	browser.Root("stage", value)
	a.core.change()
}

func (a *App) onTeam(app.Context, app.Event) {
	a.CloseDialog(settingsID)
	a.core.team = true
	browser.OpenModal(teamID)
	a.core.change()
}

func (a *App) renderTeam() []app.UI { return []app.UI{&team{Rev: a.core.rev, core: a.core}} }

func (a *App) onSignOut(app.Context, app.Event) {
	a.CloseDialog(settingsID)
	a.signOut()
}

func (a *App) signOut() {
	a.core.settle()
	a.core.parting = true
	a.core.do(func(ctx context.Context) func() {
		err := a.core.api.Logout(ctx)
		return func() {
			if err != nil {
				a.core.parting = false
				a.core.failed(err)
				return
			}
			a.core.signOut()
		}
	})
}
