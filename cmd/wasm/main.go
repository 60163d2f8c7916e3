// Command wasm is the studio in the browser.
package main

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/routes"
)

func main() {
	routes.Register()
	app.RunWhenOnBrowser()
}
