// What this package says of a call where the image service says nothing itself. One file for all: a translation changes it alone.

package upstream

// What became of a call.
const (
	saidNotSent    = "The request was not sent."
	saidLeftAlone  = "The image service failed several times in a row. The studio pauses requests for a moment."
	saidAsked      = "The image service asked the studio to pause requests for a moment."
	saidUnreached  = "The image service could not be reached."
	saidUnanswered = "The request was sent, but no answer arrived."
	saidHalf       = "The answer of the image service is incomplete."
	saidElsewhere  = "The image service redirects to another address; the API key is not sent there."
	saidKey        = "The image service does not accept the API key."
	saidBusy       = "The image service is overloaded at the moment."
	saidUnclear    = "The image service's answer cannot be used; it may have accepted the request."
	saidUnusable   = "The image service's answer cannot be used."
	saidNoReason   = "The image service refused the request without saying why."
)

// saidNoReasonBut is a refusal without a reason, and the status it came with.
func saidNoReasonBut(status string) string {
	return "The image service refused the request without saying why: " + status + "."
}
