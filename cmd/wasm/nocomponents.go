//go:build !components

package main

// registerComponents does nothing: the page of all components is for developers of the studio, not part of every user's download.
func registerComponents() {}
