//go:build !components

package routes

// registerComponents does nothing: the gallery of components is for those who build the studio, not for every visitor's
// download.
func registerComponents() {}
