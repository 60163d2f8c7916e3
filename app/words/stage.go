package words

// The bar over the stage.
const (
	StageZoom           = "Zoom"
	StageZoomOut        = "Zoom out"
	StageZoomIn         = "Zoom in"
	StageFit            = "Fit"
	StageAlone          = "Show only the picture"
	StageFullSize       = "100 %"
	StageAddFiles       = "Add files"
	StageAddPicture     = "Add a picture"
	StageRecent         = "Recent"
	StageChooseOther    = "Choose another picture"
	StageWithoutPicture = "Continue without a picture"
)

// The stage.
const (
	StageDrop          = "Drop pictures here"
	StageNoPicture     = "Stage, no picture yet"
	StageStart         = "Start with a picture"
	StageStartOptional = "Start with a picture or text"
	StageStartHow      = "Drop one or a folder here, paste it, or choose a file. " +
		"PNG, JPEG or WebP up to 10 MB, HEIC or TIFF up to 64 MB; each side over 512 px, less than twice as long as wide."
	StageChoosePicture  = "Choose a picture"
	StageSamples        = "Or try a sample"
	StageLost           = "This picture did not load"
	StageLostHow        = "It may have been deleted, or the connection broke."
	StageLostKept       = "It may have been deleted, or the connection broke. Your mask is kept."
	StageViewer         = "Designers work here"
	StageStepsLabel     = "How a picture is made"
	StageStepsRead      = "Got it"
	StageEmbedded       = "Embedded service: classical image processing, no neural models."
	StageConnect        = "Connect an account in Settings"
	StageThen           = "Then mark what to keep, choose an agent and generate."
	StageNeedsNoPicture = "No picture needed. Describe what you want, then generate."
	StageMade           = "Latest from this agent"
	StageDropFiles      = "Drop files here or on their slots in the form, where you can reorder them."
)

// StageSteps is how a picture is made, for who is new here.
var StageSteps = [4]string{
	"Add a picture or try a sample.",
	"Paint the part to keep, or let the studio find it.",
	"Choose an agent and describe what you want.",
	"Generate, compare and download your picks.",
}

// StagePicture names the stage for those who do not see it.
func StagePicture(name string, w, h int) string { return "Stage: " + name + ", " + Dimensions(w, h) }

// StageCanvas adds where the photo stands on a larger canvas.
func StageCanvas(label, canvas string) string {
	return label + ". " + canvas + ". Arrow keys move the photo"
}

// StageKept adds how much the mask keeps.
func StageKept(label string, share float64) string { return label + ". " + Percent(share) + " is kept" }
