package words

import "strings"

// How a run stands that is not accepted yet.
const (
	StateInLine       = "The image service has enough to do. This run waits its turn and starts by itself."
	StateAway         = "The image service cannot be reached. This run starts by itself as soon as it can."
	StateTrouble      = "The image service has a problem of its own. This run is tried again by itself."
	StateFileTried    = "The image service did not take a file. This run is tried again by itself."
	StateStillAsked   = "The image service did not answer, and cannot be asked at the moment whether it took this run. The studio goes on asking."
	StateNotFound     = "The image service did not answer, and this run cannot be found there. It may have been accepted and billed. Run it again if nothing shows up."
	StateNotAskable   = "The image service did not answer, and cannot be asked whether it took this run. It may have been accepted and billed. Should it turn up, it comes back by itself."
	StateNoAccount    = "This run waits for its account of the image service. Connect that account again in the settings, or delete the run."
	StateOtherAccount = "The image service did not answer, and the studio has no key of that account any more. It may have been accepted and billed. Run it again if nothing shows up."
	StateDoubted      = "This run was sent and never answered, and cannot be found. It may have been accepted and billed."
)

// Why a run ended without being made.
const (
	EndedDeleted    = "This run was deleted before it began."
	EndedCancelled  = "Cancelled."
	EndedFile       = "The image service did not take a file of this run. Run it again later."
	EndedNeverTaken = "The image service did not take this run, several times over. Try it again later."
	EndedMaskGone   = "The mask of this run is not here any more. Paint it again."
	EndedFileGone   = "A file this needs is not here any more. Upload it again."
	EndedDismissed  = "You dismissed this run. Should the image service have made this one after all, it comes back here."
	EndedRunAgain   = "You ran this again. Should the image service have made this one after all, it comes back here."
	EndedUnknown    = "The image service no longer knows this run. Should it turn up within a day, it comes back by itself."
	EndedUnreadable = "What the image service says of this run cannot be read. Should it turn up within a day, it comes back by itself."
	EndedEmpty      = "The image service says that this run succeeded and gives no picture. Should it turn up within a day, it comes back by itself."
)

// Why a result is not here.
const (
	LostFetch    = "This picture was made but could not be fetched from the image service."
	LostGone     = "This picture was made, and the image service does not hand it out any more."
	LostLarge    = "This picture was made, and it is larger than the studio keeps."
	LostUngiven  = "The image service says that this picture is ready and does not give it."
	LostMissing  = "The image service did not give this picture."
	LostUnmade   = "The image service did not make this picture."
	LostNoReason = "The image service gave no reason."
)

// The layered file that the image service makes.
const (
	LayersLate   = "The image service has not made the layered file within a day. Ask for it again."
	LayersFailed = "The image service could not make the layered file."
	LayersLost   = "The layered file was made but could not be fetched from the image service."
)

// What the image service answered, whatever it was asked.
const (
	ServiceKey      = "The image service does not accept the studio's API key. Whoever runs the studio can correct it."
	ServiceMoved    = "The image service has moved to another address. Whoever runs the studio can correct it."
	ServiceBusy     = "The image service cannot be reached or has too much to do. Try again in a moment."
	ServiceUnusable = "The image service gave no usable answer. Try again in a moment."
)

// StateFailed is why the image service could not make a run, reason "" where it did not say.
func StateFailed(reason string) string {
	if reason == "" {
		return "The image service could not make this."
	}
	return "The image service could not make this: " + reason
}

// StateLost is how many of the results of a run are not here.
func StateLost(lost, made int) string {
	return number(lost) + " of " + number(made) + " pictures could not be fetched from the image service."
}

// StateTwice is a run that the image service made twice; title is the second one's.
func StateTwice(title string) string {
	return "The image service made one run twice. The second one is shown as \"" + title + "\"."
}

// TitleTwice is the title of the second one.
func TitleTwice(title string) string { return title + " (made twice)" }

// ServiceRefused is a no of the image service, reason "" where it did not say.
func ServiceRefused(reason string) string { return because("The image service refused", reason) }

// ServiceRefusedRun is its no to a run.
func ServiceRefusedRun(reason string) string {
	return because("The image service refused this run", reason)
}

// ServiceRefusedLayers is its no to a layered file.
func ServiceRefusedLayers(reason string) string {
	return because("The image service refused the layered file", reason)
}

// because ends a sentence with a reason in the words of somebody else.
func because(what, reason string) string {
	switch {
	case reason == "":
		return what + "."
	case strings.ContainsAny(reason[len(reason)-1:], ".!?"):
		return what + ": " + reason
	}
	return what + ": " + reason + "."
}
