package words

import "atelier/atelier"

// The culling desk.
const (
	DeskTitle             = "Culling desk"
	DeskAllAtOnce         = "All at once"
	DeskZoom              = "Zoom to 100 % and back"
	DeskArea              = "Pictures side by side"
	DeskLook              = "View"
	DeskLookResult        = "Result"
	DeskLookResultTip     = "The results as they are"
	DeskLookSplit         = "Before / after"
	DeskLookSplitTip      = "Source and result, divided by a line"
	DeskLookDifference    = "Difference"
	DeskLookDifferenceTip = "Black where nothing changed"
	DeskLookHeat          = "Heat map"
	DeskLookHeatTip       = "Where the kept area changed"
	DeskApart             = "Different shape"
	DeskApartTip          = "This result has a different shape than its source, so it is not overlaid."
	DeskNoPicture         = "There are no pictures to compare."
)

// DeskDeliver is the label of the button that exports the picks, none yet with 0.
func DeskDeliver(picks int) string {
	if picks == 0 {
		return "Export picks"
	}
	return "Export " + plural(picks, "pick", "picks")
}

// DeskFull says how many results the desk holds.
func DeskFull(most int) string {
	return "The desk shows the first " + number(most) + " results."
}

// DeskWithout says how many of what is to be compared are videos.
func DeskWithout(videos int) string {
	return plural(videos, "video", "videos") + " skipped: the desk compares pictures."
}

// DeskResult is the caption of a result, the first is 1; locked says that original pixels were put back.
func DeskResult(n int, locked bool) string {
	if locked {
		return ResultNumber(n) + ", original pixels"
	}
	return ResultNumber(n)
}

// DeskLabel is the caption with all that is seen around it; apart says that it is not laid over its source.
func DeskLabel(n int, r atelier.Result, apart bool) string {
	label := DeskResult(n, r.LockedFrom != "") + Judged(r)
	switch f := r.Fidelity; {
	case f == nil:
	case f.Comparable:
		label += ", " + unchanged(f.Score)
	default:
		label += ", " + NoComparison
	}
	if apart {
		label += ", " + DeskApart
	}
	return label
}

// DeskPlace says whose result is looked at, and which of how many.
func DeskPlace(agent string, n, of int) string { return agent + ", " + CountOf(n, of) }

// Zoom is a scale in percent.
func Zoom(percent int) string { return number(percent) + " %" }
