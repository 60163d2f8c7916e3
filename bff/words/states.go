package words

import "strings"

// How a run stands that is not accepted yet.
const (
	StateInLine       = "The image service is busy. This run waits its turn and starts automatically."
	StateAway         = "The image service cannot be reached. This run starts automatically when it can."
	StateTrouble      = "The image service has a problem. This run is retried automatically."
	StateFileTried    = "The image service did not accept a file. This run is retried automatically."
	StateStillAsked   = "The image service did not answer. The studio keeps checking whether it accepted this run."
	StateNotFound     = "The image service did not answer and does not list this run. It may have been accepted and billed. Run it again if nothing appears."
	StateNotAskable   = "The image service did not answer, and the studio cannot check whether it accepted this run. It may have been accepted and billed. If it turns up, it returns automatically."
	StateNoAccount    = "This run waits for its account of the image service. Connect that account again in the settings, or delete the run."
	StateOtherAccount = "The image service did not answer, and the studio has no key of that account any more. It may have been accepted and billed. Run it again if nothing shows up."
	StateDoubted      = "This run was sent, got no answer and cannot be found. It may have been accepted and billed."
)

// Why a run ended without being made.
const (
	EndedDeleted    = "This run was deleted before it began."
	EndedCancelled  = "Cancelled."
	EndedFile       = "The image service did not accept a file of this run. Run it again later."
	EndedNeverTaken = "The image service did not accept this run after several attempts. Try it again later."
	EndedMaskGone   = "The mask of this run no longer exists. Paint it again."
	EndedFileGone   = "A file of this run no longer exists. Upload it again."
	EndedDismissed  = "You dismissed this run. If the image service made it after all, it returns here."
	EndedRunAgain   = "You ran this again. If the image service made this one after all, it returns here."
	EndedUnknown    = "The image service no longer knows this run. If it turns up within a day, it returns automatically."
	EndedUnreadable = "The answer of the image service about this run cannot be read. If it turns up within a day, it returns automatically."
	EndedEmpty      = "The image service reports success but gives no picture. If it turns up within a day, it returns automatically."
)

// Why a result is not here.
const (
	LostFetch    = "This picture was made but could not be fetched from the image service."
	LostGone     = "This picture was made, but the image service no longer provides it."
	LostLarge    = "This picture was made, but it is larger than the studio stores."
	LostUngiven  = "The image service reports this picture as ready but does not provide it."
	LostMissing  = "The image service did not provide this picture."
	LostUnmade   = "The image service did not make this picture."
	LostNoReason = "The image service gave no reason."
)

// The layered file that the image service makes.
const (
	LayersLate   = "The image service did not make the layered file within a day. Request it again."
	LayersFailed = "The image service could not make the layered file."
	LayersLost   = "The layered file was made but could not be fetched from the image service."
)

// What the image service answered, whatever it was asked.
const (
	ServiceKey      = "The image service does not accept the studio's API key. The operator can correct it."
	ServiceMoved    = "The image service has moved to another address. The operator can correct it."
	ServiceBusy     = "The image service cannot be reached or is overloaded. Try again in a moment."
	ServiceUnusable = "The image service gave an unusable answer. Try again in a moment."
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

// because ends a sentence with the reason another program gave.
func because(what, reason string) string {
	switch {
	case reason == "":
		return what + "."
	case strings.ContainsAny(reason[len(reason)-1:], ".!?"):
		return what + ": " + reason
	}
	return what + ": " + reason + "."
}
