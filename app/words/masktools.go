package words

// The tools of the mask desk, as their buttons and their keys are called.
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
	ToolBucketTip = "Bucket: fill what is enclosed"
	ToolSmart     = "Smart select"
	ToolHand      = "Move the picture"
	KeySmallerTip = "Smaller tip"
	KeyLargerTip  = "Larger tip"
	KeySofterTip  = "Softer tip"
	KeyFirmerTip  = "Firmer tip"
	KeyInvert     = "Invert: swap Keep and Redraw"
	ToolFlip      = "Show Redraw in place of Keep"
	ToolPanel     = "Refine, regions, saved masks"
	KeyTurn       = "Turn the view by 15°"
	KeyTurnBack   = "Turn the view back by 15°"
	KeyUpright    = "Turn the view upright"
	KeyMap        = "Overview on and off"
	ToolRedo      = "Redo"
)

// What the tool in hand can be set to.
const (
	TipSize            = "Size"
	TipSizeTip         = "Size of the tip"
	TipEdge            = "Edge"
	TipEdgeTip         = "How firm the edge of the tip is"
	BucketHint         = "Fills up to the strokes around it. Alt empties."
	SmartBox           = "Box"
	SmartBoxTip        = "Draw a box around the object"
	SmartAdd           = "Add"
	SmartAddTip        = "Stroke over what belongs to it"
	SmartTakeAway      = "Subtract"
	SmartTakeAwayTip   = "Stroke over what does not belong to it"
	WandTolerance      = "Tolerance"
	WandToleranceTip   = "How different a colour may be"
	WandWhole          = "Whole picture"
	Selection          = "Selection"
	SelectionOnly      = "Only"
	SelectionKeepTip   = "What is selected is kept"
	SelectionRedrawTip = "What is selected is redrawn"
	SelectionOnlyTip   = "Of what is kept, only the selection stays"
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
	StepBroughtBack    = "Mask brought back"
	StepInvert         = "Invert"
	StepClear          = "Clear"
	StepKeepEverything = "Keep everything"
	StepDropSpecks     = "Remove specks"
	StepFillHoles      = "Fill holes"
	StepImported       = "Imported mask"
)

// What is being done to a mask, while it takes time.
const (
	DoingGrow     = "Growing"
	DoingShrink   = "Shrinking"
	DoingFeather  = "Feathering"
	DoingSmooth   = "Smoothing"
	DoingTakeOver = "Applying"
	DoingSpecks   = "Looking for specks"
	DoingHoles    = "Looking for holes"
	DoingJump     = "Going there"
	DoingRead     = "Reading the picture"
	DoingWand     = "Selecting the colour"
	DoingFill     = "Filling"
	DoingInvert   = "Inverting"
	DoingRegion   = "Changing the region"
	DoingRepair   = "Repairing"
	DoingFetch    = "Fetching the mask"
	DoingCompare  = "Comparing the pictures"
	DoingMove     = "Moving the mask"
	DoingFind     = "Looking for it"
	DoingImport   = "Importing"
	DoingCut      = "Cutting it out"
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

// Doing says what is being done and how far it is; a share under 0 is not known.
func Doing(what string, share float64) string {
	if share < 0 {
		return what + "…"
	}
	return what + " " + Percent(share)
}
