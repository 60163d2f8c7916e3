package imaging

import "atelier/imaging/parallel"

// bands calls do for consecutive ranges of rows that make up 0 ≤ y < h, at once
// on as many processors as there are, and returns when all are done.
func bands(h int, do func(from, to int)) {
	// Below this many rows per band starting it costs more than it saves.
	const least = 32
	parallel.Spread(h, least, do)
}
