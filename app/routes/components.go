//go:build components

package routes

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/gallery"
)

// registerComponents puts the gallery of components at its address.
func registerComponents() {
	app.Route(componentsPath, func() app.Composer { return &gallery.Page{} })
}
