// Why a result cannot be compared with its source, or nothing can be put back into it. One file for all: a translation changes it alone.

package fidelity

import (
	"fmt"
	"image"
)

// Why there is no comparison.
const (
	saidMaskSize  = "The mask has a different size than the source."
	saidUnclear   = "The kept area is not clear enough in the source."
	saidLittle    = "The kept area is too small to compare."
	saidElsewhere = "The kept area has moved or changed size in this result: restoring it would show it twice."
)

// NothingProtected is said before there is anything to compare, too.
const NothingProtected = "Nothing was kept in this run."

// saidShape is a result of another shape than its source; sizes in px.
func saidShape(result, source image.Point) string {
	return fmt.Sprintf("The result has a different shape than the source: %d × %d instead of %d × %d.", result.X, result.Y, source.X, source.Y)
}
