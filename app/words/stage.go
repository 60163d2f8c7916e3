package words

// The bar over the stage.
const (
	StageZoom           = "Zoom"
	StageZoomOut        = "Zoom out"
	StageZoomIn         = "Zoom in"
	StageFit            = "Fit"
	StageAlone          = "Only the picture"
	StageFullSize       = "100 %"
	StageAddFiles       = "Add files"
	StageAddPicture     = "Add a picture"
	StageRecent         = "Recent"
	StageChooseOther    = "Choose another picture"
	StageWithoutPicture = "Continue without a picture"
)

// The stage.
const (
	StageDrop           = "Drop pictures here"
	StageNoPicture      = "Stage, no picture yet"
	StageStart          = "Start with a picture"
	StageStartOptional  = "Start with a picture, or with words alone"
	StageStartHow       = "Drop one here, paste it, or choose a file. PNG, JPEG or WebP up to 10 MB, each side over 512 px, less than twice as long as wide."
	StageChoosePicture  = "Choose a picture"
	StageSamples        = "Or try one of ours"
	StageLost           = "This picture did not load"
	StageLostHow        = "It may have been deleted, or the connection broke."
	StageLostKept       = "It may have been deleted, or the connection broke. What you painted on it is kept."
	StageViewer         = "Designers work here"
	StageStepsLabel     = "How a picture is made"
	StageStepsRead      = "Got it"
	StageEmbedded       = "Embedded service: classical image processing, no neural models."
	StageConnect        = "Connect an account in Settings"
	StageThen           = "Then say what to keep, choose an agent, and generate."
	StageNeedsNoPicture = "It needs no picture. Describe what you want, then generate."
	StageMade           = "What this agent made last"
	StageDropFiles      = "Drop files here or on their places in the form; there they can be put in order."
)

// StageSteps is how a picture is made, for who is new here.
var StageSteps = [4]string{
	"Add a picture, yours or one of ours.",
	"Paint what must stay, or let the studio find it.",
	"Choose an agent and say what you want.",
	"Generate, compare, and download what you pick.",
}

// StagePicture names the stage for those who do not see it.
func StagePicture(name string, w, h int) string { return "Stage: " + name + ", " + Dimensions(w, h) }

// StageCanvas adds where the photo stands on a larger canvas.
func StageCanvas(label, canvas string) string {
	return label + ". " + canvas + ". Arrow keys move the photo"
}

// StageKept adds how much the mask keeps.
func StageKept(label string, share float64) string { return label + ". " + Percent(share) + " is kept" }
