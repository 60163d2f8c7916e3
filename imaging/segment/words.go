// What is said of a region that was found. One file for all: a translation changes it alone.

package segment

// Why a region may be wrong.
const (
	saidNoFace      = "No face was found, so the whole subject is kept; paint over it to correct."
	saidNoHead      = "No face was found; paint the head yourself."
	saidGuess       = "No face was found; the head's place is a guess from the outline."
	saidTransparent = "The picture is transparent everywhere."
)
