// Package routes says which addresses the studio has, to the browser and to the server.
package routes

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/pages"
)

// componentsPath is where a client built with the tag components shows every component in every state.
const componentsPath = "/components"

// Paths lists the addresses the server answers with the page. One that ends in / stands for everything below it.
func Paths() []string {
	return []string{"/", "/gallery", "/boards", "/library", "/tasks", componentsPath}
}

// Register ties the addresses to the studio in the browser. All of them show the same root component, which stays when
// the address changes.
func Register() {
	for _, path := range Paths() {
		app.Route(path, func() app.Composer { return &pages.App{} })
	}
	registerComponents()
}
