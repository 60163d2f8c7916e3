package words

// The strip of runs below the picture.
const (
	StripTitle       = "Runs and results"
	StripWhich       = "Filter runs"
	StripThisAgent   = "This agent"
	StripThisPicture = "This picture"
	StripAll         = "All"
	StripEmpty       = "Results appear here as they are made, newest first."
	StripBroken      = "The runs could not be loaded. They reload when the connection is back."
	StripDecide      = "Decide"
	StripRecall      = "Use settings"
	StripFold        = "Hide the results"
	StripUnfold      = "Show the results"
)

// RailRunning names the link to the studio while runs are under way.
func RailRunning(page string, n int) string { return page + ", " + number(n) + " running" }
