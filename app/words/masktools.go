package words

// The names of the mask tools, on buttons and in the sheet of keys.
const (
	MaskTools     = "Mask tools"
	ToolBrush     = "Brush: paint what to keep"
	ToolEraser    = "Eraser"
	ToolLasso     = "Lasso"
	ToolPolygon   = "Polygon"
	ToolRectangle = "Rectangle"
	ToolEllipse   = "Ellipse"
	ToolWand      = "Colour wand"
	ToolBucket    = "Bucket"
	ToolBucketTip = "Bucket: fill an enclosed area"
	ToolSmart     = "Smart select"
	ToolHand      = "Hand: move the view"
	KeySmallerTip = "Smaller brush"
	KeyLargerTip  = "Larger brush"
	KeySofterTip  = "Softer brush"
	KeyFirmerTip  = "Harder brush"
	KeyInvert     = "Invert: swap Keep and Redraw"
	ToolFlip      = "Flip view: show Redraw instead of Keep"
	ToolPanel     = "Refine, regions, saved masks"
	KeyTurn       = "Rotate the view by 15°"
	KeyTurnBack   = "Rotate the view back by 15°"
	KeyUpright    = "Reset the rotation"
	KeyMap        = "Show or hide the overview"
	ToolRedo      = "Redo"
)

// Settings of the current tool.
const (
	TipSize            = "Size"
	TipSizeTip         = "Brush size"
	TipEdge            = "Hardness"
	TipEdgeTip         = "How hard the brush edge is"
	BucketHint         = "Fills up to the surrounding strokes. Hold Alt to erase."
	SmartBox           = "Box"
	SmartBoxTip        = "Draw a box around the object"
	SmartAdd           = "Add"
	SmartAddTip        = "Stroke over what belongs to the object"
	SmartTakeAway      = "Subtract"
	SmartTakeAwayTip   = "Stroke over what does not belong to the object"
	WandTolerance      = "Tolerance"
	WandToleranceTip   = "How much colours may differ"
	WandWhole          = "Whole picture"
	Selection          = "Selection"
	SelectionOnly      = "Intersect"
	SelectionKeepTip   = "Keep the selection"
	SelectionRedrawTip = "Redraw the selection"
	SelectionOnlyTip   = "Keep only where mask and selection overlap"
	KeyAlt             = "Alt"
)

// The two halves of a mask.
const (
	Keep   = "Keep"
	Redraw = "Redraw"
)

// Steps in the history of a mask.
const (
	StepBrush          = "Brush"
	StepChange         = "Change"
	StepBucketErase    = "Bucket, erasing"
	StepBroughtBack    = "Mask restored"
	StepInvert         = "Invert"
	StepClear          = "Clear"
	StepKeepEverything = "Keep everything"
	StepDropSpecks     = "Remove specks"
	StepFillHoles      = "Fill holes"
	StepImported       = "Imported mask"
)

// Work on a mask that takes time, as its progress names it.
const (
	DoingGrow     = "Growing"
	DoingShrink   = "Shrinking"
	DoingFeather  = "Feathering"
	DoingSmooth   = "Smoothing"
	DoingTakeOver = "Applying"
	DoingSpecks   = "Looking for specks"
	DoingHoles    = "Looking for holes"
	DoingJump     = "Restoring the step"
	DoingRead     = "Reading the picture"
	DoingWand     = "Selecting the colour"
	DoingFill     = "Filling"
	DoingInvert   = "Inverting"
	DoingRegion   = "Changing the region"
	DoingRepair   = "Repairing"
	DoingFetch    = "Fetching the mask"
	DoingCompare  = "Comparing the pictures"
	DoingMove     = "Moving the mask"
	DoingFind     = "Finding the area"
	DoingImport   = "Importing"
	DoingCut      = "Selecting"
)

// StepGrow and its like are steps of the history that hold a number of pixels, a number of a region (the first is 1), or a name.
func StepGrow(px int) string             { return "Grow by " + number(px) + " px" }
func StepShrink(px int) string           { return "Shrink by " + number(px) + " px" }
func StepFeather(px int) string          { return "Feather by " + number(px) + " px" }
func StepSmooth(px int) string           { return "Smooth by " + number(px) + " px" }
func StepKeepRegion(n int) string        { return "Keep region " + number(n) }
func StepRedrawRegion(n int) string      { return "Redraw region " + number(n) }
func StepSaved(name string) string       { return "Saved mask “" + name + "”" }
func StepSavedElsewhere(n string) string { return "Mask of another picture “" + n + "”" }
func StepStartFrom(region string) string { return "Start from " + region }

// Doing names work in progress and how far it is; a share under 0 is unknown.
func Doing(what string, share float64) string {
	if share < 0 {
		return what + "…"
	}
	return what + " " + Percent(share)
}
