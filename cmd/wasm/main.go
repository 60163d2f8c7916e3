// Command wasm is the studio in the browser.
package main

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/pages"
	"atelier/app/routes"
)

// All addresses show the same root component, which stays when the address changes.
func main() {
	for _, path := range routes.Paths() {
		app.Route(path, func() app.Composer { return &pages.App{} })
	}
	registerComponents()
	app.RunWhenOnBrowser()
}
