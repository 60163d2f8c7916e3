package testpics

import (
	"math/rand/v2"
	"slices"
)

// Damaged is a file broken in one of the ways that files break, or are broken; other is one of another kind.
func Damaged(rng *rand.Rand, file, other []byte) []byte {
	data := slices.Clone(file)
	at := rng.IntN(len(data))
	if rng.IntN(2) == 0 {
		at = rng.IntN(min(len(data), 96)) // headers
	}
	switch rng.IntN(9) {
	case 0: // a bit
		data[at] ^= 1 << rng.IntN(8)
	case 1: // a byte
		data[at] = byte(rng.Uint32())
	case 2: // the largest numbers
		for i := at; i < min(at+4, len(data)); i++ {
			data[i] = 0xff
		}
	case 3: // nothing
		for i := at; i < min(at+4, len(data)); i++ {
			data[i] = 0
		}
	case 4: // a piece that is missing
		data = slices.Delete(data, at, min(at+1+rng.IntN(64), len(data)))
	case 5: // a piece twice
		data = slices.Insert(data, at, data[at:min(at+1+rng.IntN(64), len(data))]...)
	case 6: // another file from there on
		data = append(data[:at], other[min(at, len(other)):]...)
	case 7: // noise
		for i := at; i < min(at+32, len(data)); i++ {
			data[i] = byte(rng.Uint32())
		}
	case 8: // the beginning of another kind
		copy(data, other[:min(12, len(other))])
	}
	return data
}
