//go:build wasm

package app

import "errors"

// Handler is only named here: what it does is done by servers.
type Handler struct{}

// clientResourceResolver leaves addresses as they are: the server already names each of its files by its content.
func clientResourceResolver(string) func(string) string {
	return func(location string) string { return location }
}

// router knows the pages by their whole path.
type router struct {
	routes map[string]func() Composer
}

func makeRouter() router { return router{routes: map[string]func() Composer{}} }

func (r *router) route(path string, newComponent func() Composer) { r.routes[path] = newComponent }

func (r *router) routeWithRegexp(string, func() Composer) {
	panic("this client is built without routes by regular expression")
}

func (r *router) routed(path string) bool {
	_, known := r.routes[path]
	return known
}

func (r *router) createComponent(path string) (Composer, bool) {
	newComponent, known := r.routes[path]
	if !known {
		return nil, false
	}
	return newComponent(), true
}

var errNoCiphers = errors.New("this client is built without encrypted storage")

func encrypt(string, []byte) ([]byte, error) { return nil, errNoCiphers }

func decrypt(string, []byte) ([]byte, error) { return nil, errNoCiphers }
