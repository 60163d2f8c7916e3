package words

// The preview of an automatic mask on the stage.
const (
	PreviewLooking = "Finding what is kept…"
	PreviewNothing = "Nothing was found to keep. Paint it by hand, or choose something else to keep."
	PreviewFailed  = "The preview is not available. You can generate without it."
	PreviewGuess   = "This is the studio's guess. The service may keep a little more or less."
	PreviewFix     = "Fix by hand"
	PreviewFixTip  = "Open the mask desk with this region"
	PreviewPaint   = "Paint by hand"
	PreviewTint    = "Show the tint"
)

// PreviewKept says how much of the picture is kept.
func PreviewKept(share float64) string { return Percent(share) + " is kept" }

// PreviewUnclear says that a region may be wrong, where a painted mask is better.
func PreviewUnclear(confidence float64) string {
	return "Only " + Percent(confidence) + " sure: fix it by hand before you generate."
}

// PreviewUnsure says the same where the agent takes no painted mask.
func PreviewUnsure(confidence float64) string {
	return "Only " + Percent(confidence) + " sure: check the edges."
}
