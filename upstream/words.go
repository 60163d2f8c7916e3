// What this package says of a call where the image service says nothing itself. One file for all: a translation changes it alone.

package upstream

// What became of a call.
const (
	saidNotSent    = "The request was not sent."
	saidLeftAlone  = "The image service has failed several times in a row and is left alone for a moment."
	saidAsked      = "The image service has asked to be left alone for a moment."
	saidUnreached  = "The image service could not be reached."
	saidUnanswered = "The request was sent and no answer came back."
	saidHalf       = "The image service did not answer completely."
	saidElsewhere  = "The image service points to another address; the API key is not taken there."
	saidKey        = "The image service does not accept the API key."
	saidBusy       = "The image service has too much to do at the moment."
	saidUnclear    = "The image service's answer cannot be used; it may have accepted the request."
	saidUnusable   = "The image service's answer cannot be used."
	saidNoReason   = "The image service refused the request without saying why."
)

// saidNoReasonBut is a refusal without a reason, and the status it came with.
func saidNoReasonBut(status string) string {
	return "The image service refused the request without saying why: " + status + "."
}
