// Package presets is what the image service offers of its own: locations, fashion models, backgrounds and dimensions, and a few
// sample pictures to begin with. Every picture is drawn when it is asked for, by code, and comes out the same each time.
package presets
