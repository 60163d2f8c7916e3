package words

import "strings"

// More photos of which the same is made.
const (
	FurtherTitle = "More photos"
	FurtherHelp  = "Each photo gets its own run with these settings."
	FurtherMasks = "A photo with its own mask keeps it; on the others this mask is moved to the same place."
	FurtherAdd   = "Add photos"
	FurtherDone  = "Done"
	UseNoPicture = "These are videos. Choose a picture to work on."
)

// FurtherTaken names a photo among the further ones, the first is 1.
func FurtherTaken(file string, n, of int) string {
	return file + ". Photo " + CountOf(n, of) + ". Press Enter to work on it, Delete to remove it"
}

// UseMost says that too many results are chosen to work on.
func UseMost(most int) string {
	return "You can use at most " + number(most) + " photos at once. Choose fewer."
}

// FurtherHere reports that n photos were added at once.
func FurtherHere(n int) string { return plural(n, "photo", "photos") + " added." }

// FurtherTake is the label of the action that runs the agent on all n photos.
func FurtherTake(n int) string { return "Run on all " + number(n) }

// FurtherChosen says how many photos the same is made of, the one on the stage among them.
func FurtherChosen(n int) string { return plural(n, "photo", "photos") + " chosen" }

// FurtherOnStage says that a photo has changed places with the one on the stage.
func FurtherOnStage(file string) string { return file + " is on the stage" }

// FurtherAgainst says what one of the photos is refused for.
func FurtherAgainst(file, message string) string { return file + ": " + message }

// FurtherCut says that one of the photos is larger than the canvas it is to stand on.
func FurtherCut(file string, w, h int) string {
	return FurtherAgainst(file, "At "+Dimensions(w, h)+" it is larger than the canvas and would be cropped. Enlarge the canvas or remove the photo.")
}

// FurtherUnfit names the photos that have no mask and that the painted one does not fit.
func FurtherUnfit(files []string) string {
	const most = 3
	named := strings.Join(files[:min(len(files), most)], ", ")
	if more := len(files) - most; more > 0 {
		named += " and " + number(more) + " more"
	}
	what := ". Paint a mask for it or remove it."
	if len(files) > 1 {
		what = ". Paint a mask for each or remove them."
	}
	return "Nothing was sent. The mask does not fit " + named + what
}

// FurtherRefused says how many of the runs were started, and why one was not.
func FurtherRefused(started, of int, file, message string) string {
	return number(started) + " of " + number(of) + " runs were started. " + FurtherAgainst(file, message)
}

// FurtherWait says how many of the runs were started when the server no longer answered: the others are asked for when it does.
func FurtherWait(started, of int, message string) string {
	return number(started) + " of " + number(of) + " runs were started. " + message + " The others start automatically when it does."
}

// RunsAsked says that so many runs of an agent were asked for.
func RunsAsked(agent string, n int) string {
	return agent + ": " + plural(n, "run", "runs") + " started"
}
