package words

import "atelier/catalog"

// Photos that are worked on together, and the question before a press that makes much.
const (
	BatchOnly    = "Work on this photo only"
	ConfirmTitle = "Generate all of these?"
	ConfirmBack  = "Cancel"
)

// BatchPhotos counts the photos that the next run is made of.
func BatchPhotos(n int) string { return plural(n, "photo", "photos") }

// BatchMore counts the photos that are not shown.
func BatchMore(n int) string { return "+" + number(n) }

// BatchWorkOn names the button that brings a photo to the stage.
func BatchWorkOn(file string) string { return "Work on " + file }

// BatchReplaced says that another photo took the place of several.
func BatchReplaced(n int) string {
	return "The new photo replaces the " + BatchPhotos(n) + " you were working on."
}

// ConfirmRuns says how many runs a press starts, and how many results they make.
func ConfirmRuns(runs, results int, makes catalog.Makes) string {
	made := plural(results, "image", "images")
	if makes == catalog.MakesVideo {
		made = plural(results, "video", "videos")
	}
	if runs == 1 {
		return "This starts 1 run that makes " + made + "."
	}
	return "This starts " + plural(runs, "run", "runs") + " that make " + made + " in all."
}

// ConfirmUnknownCost says that the service gives no price.
const ConfirmUnknownCost = "The image service gives no estimate of the cost."
