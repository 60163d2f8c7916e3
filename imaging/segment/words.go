// What is said of a region that was found. One file for all: a translation changes it alone.

package segment

// Why a region may be wrong.
const (
	saidNoFace      = "No face was found, so the whole subject is kept. Paint to correct it."
	saidNoHead      = "No face was found. Paint the head yourself."
	saidGuess       = "No face was found. The position of the head is guessed from the outline."
	saidTransparent = "The picture is fully transparent."
)
