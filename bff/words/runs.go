package words

import "strconv"

// What is wrong with a run that is asked for.
const (
	RunAgent           = "The studio does not offer this agent."
	RunAgentGone       = "The studio does not offer this agent any more."
	RunTitleLong       = "A title has at most 200 characters."
	RunMaskAmongValues = "The mask is given as mask, not among the values."
	RunManyFiles       = "A run takes at most 100 files."
	RunFileElsewhere   = "A picture elsewhere needs a plain https address."
	RunFileGone        = "This picture no longer exists. Choose another one."
	RunNoPublicAddress = "The image service fetches videos and sounds by their address, and this studio has no public one. The operator can set ATELIER_PUBLIC_URL."
	RunMaskOnce        = "Give the mask either as a picture or by its id."
	RunMaskAlone       = "A mask needs the picture it belongs to, uploaded here."
	RunOtherAccount    = "The studio has switched to another account of the image service since this page was loaded. Check the settings and start it again."
	RunOtherPresets    = "This run uses presets of another account of the image service. Open its settings and choose them again."
	RunUnclear         = "What to keep is not clear in this photo. Paint a mask of it and start again."
	RunNoCosts         = "This image service gives no cost estimates."
	RunKey             = "intentKey must be 16 to 64 letters, digits, - or _."
)

// What cannot be done with a run as it stands.
const (
	RunUnderWay     = "This run is still running."
	RunNotInLine    = "This run is no longer waiting, so its position cannot change."
	RunNotSentAgain = "This run cannot be repeated exactly."

	RunEnded          = "This run has already ended."
	RunNotCancellable = "The image service has this run and goes on with it. It cannot be taken back."
	RunBeingSent      = "This run is being handed to the image service right now. Try again in a moment."
	RunNotRestorable  = "This run cannot be put back in line. Run it again instead."
)

// Ids given for an unconfirmed run.
const (
	RunNoIDWanted = "This run is not waiting for an id."
	RunIDKnown    = "This id belongs to another run of the studio."
	RunIDUnknown  = "The image service does not know this id. Copy it exactly."
	RunIDOther    = "The image service says that this id belongs to another run."
	RunIDForm     = "Give the id as the image service shows it: at most 128 characters, without spaces."
)

// RunFieldsLong is names of places for files that take too many characters together.
func RunFieldsLong(most int) string {
	return "The names of the places for files have at most " + number(most) + " characters together."
}

// RunFileKind is a file of another kind than its place takes; place is the place's title, file the file's name, kinds "image", "video" or
// "audio".
func RunFileKind(place, takes, file, is string) string {
	return place + " needs " + aFile(takes) + "; " + file + " is " + aFile(is) + "."
}

// aFile is a kind of file within a sentence.
func aFile(kind string) string {
	switch kind {
	case "video":
		return "a video"
	case "audio":
		return "a sound"
	}
	return "a picture"
}

// RunMaskSize is a mask of another size than the picture; sizes in px.
func RunMaskSize(name string, maskWidth, maskHeight, width, height int) string {
	return "The mask " + strconv.Quote(name) + " is " + size(maskWidth, maskHeight) + ", the picture is " + size(width, height) + ". They must be the same size."
}

// RunValuesLarge is values that take too much together, in KiB, and the one that takes most.
func RunValuesLarge(most, has int, largest string) string {
	return "The values of a run take at most " + number(most) + " KiB together. These take " + number(has) + " KiB, most of it " + largest + "."
}

// RunMarked is what is wrong with a run, and of how many more fields something is.
func RunMarked(first string, more int) string {
	switch more {
	case 0:
		return first
	case 1:
		return first + " One more field needs attention."
	}
	return first + " " + number(more) + " more fields need attention."
}
