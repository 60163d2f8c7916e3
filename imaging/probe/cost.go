package probe

// What a picture may ask for of whoever opens it, whatever it is for.
const (
	MaxPixels = 50_000_000 // of plain ones; fewer of those that cost more
	MaxMemory = 512 << 20  // bytes of a decoder, its picture included
	MaxScans  = 100        // of a JPEG
	MaxVisits = 24_000_000 // blocks of a JPEG that all its scans together visit; those with more to do count several times
)

// What a pixel costs at most, in those of a plain JPEG or PNG, which take about 50 ns when a file is made to ask for much
// (BenchmarkCostliest of bff/media). Those of a JPEG are bounded by what its scans visit.
const (
	effortPlain  = 1
	effortDeep   = 1.5  // PNG of 16 bits
	effortLossy  = 1.5  // WebP
	effortAlpha  = 1    // more, for the transparency of a lossy WebP
	effortTurned = 1.25 // more, for a PNG that is to be packed again, upright
)

// MostPixels is how many pixels a picture may have where limit is for plain ones.
func (f Facts) MostPixels(limit int64) int64 {
	effort := float64(effortPlain)
	switch {
	case f.Format == JPEG:
		return limit
	case f.Format == PNG && f.BitDepth == 16:
		effort = effortDeep
	case f.AlphaPlane:
		effort = effortLossy + effortAlpha
	case f.Lossy:
		effort = effortLossy
	}
	if f.Orientation > 1 {
		effort += effortTurned
	}
	return int64(float64(limit) / effort)
}

// MayBePacked reports whether a picture has few enough pixels to be packed again besides, where limit is for plain ones.
func (f Facts) MayBePacked(limit int64) bool {
	f.Orientation = max(f.Orientation, 6)
	return f.Pixels() <= f.MostPixels(limit)
}

// mayBeDear says whether a file has too many pixels should the rest of it, which the head does not show, say that it is turned or how its
// pixels are packed.
func (f Facts) mayBeDear(limit int64) bool {
	dear := f
	if f.Format == PNG {
		dear.Orientation = max(f.Orientation, 6)
	}
	dear.AlphaPlane = f.AlphaPlane || f.Format == WebP && !f.Lossy
	return f.Pixels() > dear.MostPixels(limit)
}

// TooSlow is what is wrong with a file that would keep a decoder busy for too long.
func TooSlow(f Format) Problem { return Problem{Code: CodeSlow, Facts: Facts{Format: f}} }

// TooMuchMemory is what is wrong with a file whose decoder would need more than most bytes beside its picture.
func TooMuchMemory(most int64) Problem { return Problem{Code: CodeMemory, Memory: most} }
