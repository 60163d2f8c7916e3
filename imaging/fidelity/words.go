// Why a result cannot be compared with its source, or nothing can be put back into it. One file for all: a translation changes it alone.

package fidelity

import (
	"fmt"
	"image"
)

// Why there is no comparison.
const (
	saidMaskSize  = "The mask has another size than the source."
	saidUnclear   = "It is not clear enough in the source what was protected."
	saidLittle    = "Too little is protected to compare it."
	saidElsewhere = "What was kept stands at another place in this result, or is larger or smaller: put back where it was, it would be seen twice."
)

// NothingProtected is said before there is anything to compare, too.
const NothingProtected = "Nothing was protected in this run."

// saidShape is a result of another shape than its source; sizes in px.
func saidShape(result, source image.Point) string {
	return fmt.Sprintf("The result has another shape than the source: %d × %d instead of %d × %d.", result.X, result.Y, source.X, source.Y)
}
