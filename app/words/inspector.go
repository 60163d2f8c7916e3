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
	MaskLineEmpty     = "Paint the part to keep on the picture."
	MaskLineNoPicture = "Add a picture, then paint the part to keep."
	HintViewer        = "You can look but not change anything. An administrator can make you a designer."
	HintPicture       = "Add a picture first."
)

// MaskLineKept says how much of the picture the painted mask keeps.
func MaskLineKept(share float64) string { return MaskKeptOfPicture(share) + "." }
