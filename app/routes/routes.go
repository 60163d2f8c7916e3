// Package routes lists the addresses of the studio, for the browser and for the server.
package routes

// Components is the address of the page that shows every component in every state, in a client built with the tag components.
const Components = "/components"

// Paths lists the addresses the server answers with the page. One that ends in / stands for everything below it.
func Paths() []string {
	return []string{"/", "/gallery", "/boards", "/library", "/tasks", Components}
}
