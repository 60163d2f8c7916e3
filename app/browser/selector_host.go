//go:build !js || !wasm

package browser

import (
	"context"
	"image"
)

// Selector needs a page.
type Selector struct{}

// NewSelector makes a selector that cannot select.
func NewSelector() *Selector { return &Selector{} }

// Open needs a page.
func (*Selector) Open(context.Context, []byte, image.Point, image.Point) error { return ErrNoBrowser }

// Start needs a page.
func (*Selector) Start(context.Context, []byte) error { return ErrNoBrowser }

// Box needs a page.
func (*Selector) Box(context.Context, image.Rectangle) (Selection, error) {
	return Selection{}, ErrNoBrowser
}

// Stroke needs a page.
func (*Selector) Stroke(context.Context, bool, []Point, float64) (Selection, error) {
	return Selection{}, ErrNoBrowser
}

// Close does nothing.
func (*Selector) Close() {}
