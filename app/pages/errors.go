package pages

import (
	"errors"

	"atelier/atelier"
)

// asError gives the product's own error in err's chain, nil when there is none.
func asError(err error) *atelier.Error {
	if e, ok := errors.AsType[*atelier.Error](err); ok {
		return e
	}
	return nil
}
