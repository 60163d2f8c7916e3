package words

// The form beside the stage.
const (
	InspectorForm         = "Form"
	InspectorAgentsBroken = "The agents could not be loaded."
	InspectorOpen         = "Open the form"
	InspectorEnlarge      = "Enlarge the form"
	InspectorClose        = "Close the form"
	InspectorEdge         = "Width of the form"
	InspectorUsualUnknown = "No estimate yet"
)

// What keeps a run from being made.
const (
	MaskLineEmpty     = "Nothing is painted yet. Paint on the picture what to keep."
	MaskLineNoPicture = "Add a picture, then paint what to keep on it."
	HintViewer        = "You can look here but change nothing. An administrator can make you a designer."
	HintPicture       = "Add a picture first."
)

// MaskLineKept says how much of the picture the painted mask keeps.
func MaskLineKept(share float64) string { return MaskKeptOfPicture(share) + "." }
