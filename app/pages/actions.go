package pages

import (
	"atelier/app/model"
	"atelier/app/words"
)

// The commands of those who may make things.
const (
	newBoard    = "new-board"
	reviewLinks = "review-links"
)

// actions are what the palette can do beside going to pages.
func (a *App) actions() []action {
	c := a.core
	theme := func(id, title, value string) action {
		return action{model.Command{ID: id, Icon: "settings", Title: title, Hint: words.PaletteAppearance, Words: words.PaletteFindTheme}, func() { a.onTheme(value) }}
	}
	return []action{
		{model.Command{ID: "keys", Icon: "help", Title: words.PaletteKeys, Hint: c.keymap.Tip(model.DoKeys), Words: words.PaletteFindKeys}, a.OpenKeys},
		{model.Command{ID: "settings", Icon: "settings", Title: words.PaletteSettings, Words: words.PaletteFindSettings}, a.OpenSettings},
		{model.Command{ID: newBoard, Icon: "plus", Title: words.BoardsNew, Words: words.PaletteFindNewBoard}, func() { c.openBoardForm("") }},
		{model.Command{ID: reviewLinks, Icon: "link", Title: words.ReviewLinks, Words: words.PaletteFindLinks}, func() { c.openLinks("") }},
		theme("dark", words.PaletteThemeDark, string(model.Dark)),
		theme("light", words.PaletteThemeLight, string(model.Light)),
		theme("system", words.PaletteThemeSystem, string(model.System)),
		{model.Command{ID: "compare-last", Icon: "compare", Title: words.PaletteCompareLast, Hint: words.PaletteDesk, Words: words.PaletteFindDesk}, func() {
			for _, run := range c.runs {
				if len(model.Viewable(model.Runs{run}.Shots())) > 0 {
					c.CompareRun(run.ID)
					return
				}
			}
			c.toast("info", words.PaletteNoResults)
		}},
		{model.Command{ID: "sign-out", Icon: "out", Title: words.PaletteSignOut, Words: words.PaletteFindSignOut}, a.signOut},
	}
}
