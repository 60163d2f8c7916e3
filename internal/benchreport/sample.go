package main

import (
	"fmt"
	"math"
	"slices"
)

// sample is what was measured of one thing, several times.
type sample []float64

// median is the middle of the sorted values, or the mean of the two in the middle; NaN when there are none.
func (s sample) median() float64 {
	if len(s) == 0 {
		return math.NaN()
	}
	v := slices.Sorted(slices.Values(s))
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}

// spread is how far the values lie around the median, in parts of it.
func (s sample) spread() float64 {
	if m := s.median(); m != 0 && !math.IsNaN(m) {
		return (slices.Max(s) - slices.Min(s)) / 2 / m
	}
	return 0
}

// duration writes seconds as people read them.
func duration(seconds float64) string {
	switch {
	case math.IsNaN(seconds):
		return "—"
	case seconds >= 0.9995:
		return fmt.Sprintf("%.2f s", seconds)
	case seconds >= 0.9995e-3:
		return fmt.Sprintf("%.3g ms", seconds*1e3)
	case seconds >= 0.9995e-6:
		return fmt.Sprintf("%.3g µs", seconds*1e6)
	}
	return fmt.Sprintf("%.3g ns", seconds*1e9)
}

// timing is a median with its spread.
func (s sample) timing() string {
	if len(s) < 2 {
		return duration(s.median())
	}
	return fmt.Sprintf("%s ±%.0f%%", duration(s.median()), 100*s.spread())
}
