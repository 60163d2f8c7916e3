package pages

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// Gallery is the history of all runs.
type Gallery struct {
	app.Compo
	Rev     int
	Shown   bool
	Address string
	core    *core
}

// Render implements app.Composer.
func (g *Gallery) Render() app.UI {
	return app.Section().Class("page gallery").Hidden(!g.Shown)
}
