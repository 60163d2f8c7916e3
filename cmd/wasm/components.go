//go:build components

package main

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/gallery"
	"atelier/app/routes"
)

// registerComponents puts the page of all components at its address.
func registerComponents() {
	app.Route(routes.Components, func() app.Composer { return &gallery.Page{} })
}
