package pages

import (
	"atelier/app/model"
)

// actions are what the palette can do beside going to pages.
func (a *App) actions() []action {
	c := a.core
	theme := func(id, title, value string) action {
		return action{model.Command{ID: id, Icon: "settings", Title: title, Hint: "Appearance", Words: "theme colour"}, func() { a.onTheme(value) }}
	}
	return []action{
		{model.Command{ID: "keys", Icon: "help", Title: "Keys", Hint: "?", Words: "shortcuts help"}, a.OpenKeys},
		{model.Command{ID: "settings", Icon: "settings", Title: "Settings", Words: "account sound notice theme password"}, a.OpenSettings},
		{model.Command{ID: "new-board", Icon: "plus", Title: "New board", Words: "make create"}, func() { c.openBoardForm("") }},
		theme("dark", "Dark theme", string(model.Dark)),
		theme("light", "Light theme", string(model.Light)),
		theme("system", "Theme of the system", string(model.System)),
		{model.Command{ID: "compare-last", Icon: "compare", Title: "Compare the results of the last run", Hint: "Culling desk", Words: "cull pick desk"}, func() {
			for _, run := range c.runs {
				if len(model.Viewable(model.Runs{run}.Shots())) > 0 {
					c.CompareRun(run.ID)
					return
				}
			}
			c.toast("info", "No run has results yet.")
		}},
		{model.Command{ID: "sign-out", Icon: "out", Title: "Sign out", Words: "leave log out"}, a.signOut},
	}
}
