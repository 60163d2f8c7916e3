package model

import "slices"

// Ordered gives items in the order of their ranks, the lowest first; items of one rank stay as they stand. It sorts numbers, whatever the
// items are: each kind of thing that is sorted by itself adds several kilobytes to the client.
func Ordered[T any](items []T, rank func(item T) int) []T {
	n := len(items)
	keys, out := make([]int, n), make([]T, n)
	for i, item := range items {
		keys[i] = rank(item)*n + i
	}
	slices.Sort(keys)
	for i, key := range keys {
		out[i] = items[(key%n+n)%n]
	}
	return out
}
