package words

import "atelier/atelier"

// The tools of the lightbox.
const (
	LightboxStar          = "Favourite"
	LightboxPreviousFrame = "Previous frame"
	LightboxNextFrame     = "Next frame"
	LightboxSound         = "Mute or unmute"
	LightboxCompare       = "Compare with the source"
	LightboxZoom          = "Zoom to 100 %"
	LightboxCompareRun    = "Compare all results of the run"
	LightboxFullScreen    = "Full screen"
	LightboxDetails       = "How it was made"
	LightboxDownload      = "Download"
	LightboxPrevious      = "Previous"
	LightboxNext          = "Next"
	LightboxFilm          = "Other results"
)

// The map of changes.
const (
	HeatAlt  = "Where the kept area changed"
	HeatShow = "Show heat map"
	HeatHide = "Hide heat map"
)

// What the details name.
const (
	DetailsAgent              = "Agent"
	DetailsSource             = "Source"
	DetailsFile               = "File"
	DetailsMade               = "Created"
	DetailsKeptUnchanged      = "Kept area unchanged"
	DetailsColourDifference   = "Colour difference"
	DetailsKept               = "Kept area"
	DetailsOriginalPixels     = "Original pixels"
	DetailsOriginalPixelsBack = "Restored in the kept area"
)

// What can be done with a result.
const (
	ResultRecall       = "Use these settings"
	ResultRecallTip    = "Fill the form with the agent, values and files of this run"
	ResultUse          = "Use as input"
	ResultCopy         = "Copy picture"
	ResultLock         = "Restore original pixels"
	ResultLockTip      = "Adds a new result with the kept area exactly as in your photo, blended at its edge"
	ResultDeliver      = "Export…"
	ResultBoard        = "Add to a board…"
	ResultUseLastFrame = "Use last frame"
	ResultTrash        = "Delete this result"
	RunTrash           = "Delete the whole run"
	ResultRestore      = "Restore from the trash"
	PSDDownload        = "Download the service’s PSD"
	PSDBusy            = "Preparing the PSD…"
	PSDPrepare         = "Layered PSD from the service"
)

// A result over its source.
const (
	CompareSource = "Source"
	CompareResult = "Result"
	CompareSplit  = "How much of the source is shown, in percent"
	CompareApart  = "The result has a different shape than its source, so they are shown side by side."
)

// LightboxPlace says which of how many results is shown, and what its file is.
func LightboxPlace(n, of int, facts string) string { return CountOf(n, of) + "   " + facts }

// ResultOf names a result for those who do not see it, the first is 1.
func ResultOf(n int, agent string) string { return ResultNumber(n) + " of " + agent }

// ResultNumber names a result by its number, the first is 1.
func ResultNumber(n int) string { return "Result " + number(n) }

// ResultJudged is that with its marks.
func ResultJudged(n int, r atelier.Result) string { return ResultNumber(n) + Judged(r) }

// NoComparison says that the kept part cannot be compared, where there is no room for why.
const NoComparison = "Not comparable"

// NotComparable says why the kept part cannot be compared.
func NotComparable(reason string) string { return "Not comparable. " + reason }

// ApartReason is why a result cannot be compared with its source: as the server says it where it is of another version.
func ApartReason(f atelier.Fidelity) string {
	switch f.Code {
	case atelier.ApartNoSource:
		return "This run has no source to compare with."
	case atelier.ApartFreePose:
		return "The pose was free, so the product may move with it."
	case atelier.ApartNothing:
		return "Nothing was kept in this run."
	case atelier.ApartMask:
		return "The mask has a different size than the source."
	case atelier.ApartUnclear:
		return "The kept area is not clear enough in the source."
	case atelier.ApartLittle:
		return "The kept area is too small to compare."
	case atelier.ApartShape:
		return "The result has a different shape than its source."
	}
	return f.Reason
}

// SourceFacts says which picture a run was made of, and its size.
func SourceFacts(name string, w, h int) string { return name + ", " + Dimensions(w, h) }

// SourceNamed names the picture a run was made of.
func SourceNamed(name string) string { return "Source: " + name }

// FileFacts says how large a picture is, how long a video, and how many bytes; 0 for what is not known.
func FileFacts(w, h int, seconds float64, bytes int64) string {
	text := Dimensions(w, h)
	if seconds > 0 {
		text += ", " + decimal(seconds, 1) + " s"
	}
	if bytes > 0 {
		text += ", " + Bytes(bytes)
	}
	return text
}

// ColourDifference says how far colours and structure of the kept part are from what they were.
func ColourDifference(deltaE, ssim float64) string {
	return "ΔE " + decimal(deltaE, 1) + ", SSIM " + decimal(ssim, 3)
}

// The lightbox.
const (
	LightboxTitle = "Result"
)
