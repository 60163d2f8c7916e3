package words

import "strings"

// The question about runs whose automatic mask finds nothing clear to keep.
const (
	UnclearTitle  = "The region to keep is not clear"
	UnclearPaint  = "Paint a mask"
	UnclearAnyway = "Generate anyway"
	UnclearCancel = "Cancel"
	// UnclearHelp says what painting does, UnclearGuess what the service of a connected account may do.
	UnclearHelp  = "Paint a mask of what to keep: the mask desk opens with what was found."
	UnclearGuess = "The image service looks for itself and may keep something else. Its charge is the same."
)

// mostUnclear is how many photos the question names.
const mostUnclear = 3

// UnclearIn names the photos whose runs were not started.
func UnclearIn(names []string) string {
	if len(names) == 1 {
		return "The studio cannot tell what to keep in " + names[0] + ". Nothing was sent."
	}
	list := names
	if len(names) > mostUnclear {
		list = append(names[:mostUnclear:mostUnclear], BatchMore(len(names)-mostUnclear))
	}
	photos := BatchPhotos(len(names)) + ": " + strings.Join(list, ", ")
	return "The studio cannot tell what to keep in " + photos + ". Nothing was sent of them."
}

// UnclearStarted says how many of the runs of a press were started.
func UnclearStarted(started, of int) string {
	return number(started) + " of " + number(of) + " runs were started."
}
