// Package model is what the studio's pages show, as values: the form and its problems, runs and their words, the place of
// a picture on the stage, the window of a grid, filters and addresses. It is pure: no page, no requests, no clock of its
// own, so all of it is tested on the host.
package model

// Load is how far something that comes from the server is.
type Load int

// The states of loading.
const (
	Never Load = iota
	Loading
	Broken
	Loaded
)
