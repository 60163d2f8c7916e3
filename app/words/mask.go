package words

import (
	"time"

	"atelier/catalog"
)

// MaskRegion tells of a region for people who cannot see it: "Region 2: 12 % of the image, kept, top left".
// down and across are the third of the picture it lies in: 0 top or left, 1 middle, 2 bottom or right.
func MaskRegion(n int, share float64, kept bool, down, across int) string {
	state := "redrawn"
	if kept {
		state = "kept"
	}
	return "Region " + number(n) + ": " + maskShare(share) + " of the image, " + state + ", " + [3][3]string{
		{"top left", "at the top", "top right"},
		{"on the left", "in the middle", "on the right"},
		{"bottom left", "at the bottom", "bottom right"},
	}[down][across]
}

// maskShare writes a share of the picture; what is less than one percent is not called nothing.
func maskShare(f float64) string {
	if f > 0 && f < .01 {
		return "under 1 %"
	}
	return Percent(f)
}

// The regions a mask can start from, within a sentence.
const (
	MaskTheSubject    = "the subject"
	MaskTheBackground = "the background"
	MaskTheOutfit     = "the outfit"
	MaskTheTop        = "the top"
	MaskTheBottom     = "the bottom"
	MaskAllButTheFace = "all but the face"
	MaskTheFace       = "the face"
)

// MaskToolDown is said when the keyboard puts the tool down.
const MaskToolDown = "Tool down"

// MaskToolLifted is said when the keyboard lifts the tool.
func MaskToolLifted(kept float64) string {
	return "Tool lifted. " + Percent(kept) + " of the picture is kept"
}

// MaskCursorAt says where the keyboard's cursor stands and what is there.
func MaskCursorAt(x, y int, kept bool) string {
	state := "redrawn"
	if kept {
		state = "kept"
	}
	return number(x) + ", " + number(y) + ", " + state
}

// MaskFound says how sure a region that was found is, and what was noted with it.
func MaskFound(confidence float64, note string) string {
	text := "Found, " + Percent(confidence) + " sure."
	if !catalog.Sure(confidence) {
		text = "Found, but only " + Percent(confidence) + " sure: correct it with the brush."
	}
	if note != "" {
		text += " " + note
	}
	return text
}

// MaskMoved says how a mask was moved, in pixels, and scaled, in percent, to fit another picture.
func MaskMoved(dx, dy int, scale float64) string {
	if dx == 0 && dy == 0 && scale == 100 {
		return "It fits as it is."
	}
	text := "Moved by " + number(dx) + ", " + number(dy) + " px"
	if scale != 100 {
		text += " and scaled to " + decimal(scale, 1) + " %"
	}
	return text + " to fit this picture. Undo reverts it."
}

// The panel beside the stage.
const (
	MaskPanel      = "Mask"
	MaskPanelPages = "Pages of the mask panel"
	MaskTabRefine  = "Refine"
	MaskTabRegions = "Regions"
	MaskTabSaved   = "Saved"
	MaskTabHistory = "History"
	MaskTabView    = "View"
	MaskPanelClose = "Close the mask panel"
)

// Regions a mask can start from.
const (
	MaskStartFrom     = "Start from"
	MaskSubject       = "Subject"
	MaskSubjectTip    = "Keep the subject, redraw the background"
	MaskBackground    = "Background"
	MaskBackgroundTip = "Keep the background, redraw the subject"
	MaskOutfit        = "Outfit"
	MaskOutfitTip     = "Keep all clothing"
	MaskTop           = "Top"
	MaskTopTip        = "Keep clothing above the waist"
	MaskBottom        = "Bottom"
	MaskBottomTip     = "Keep clothing below the waist"
	MaskAllButFace    = "All but the face"
	MaskAllButFaceTip = "Redraw the face and head only"
	MaskFace          = "Face"
	MaskFaceTip       = "Keep the face and head"
)

// Refining.
const (
	RefineEdge       = "Edge"
	RefineGrow       = "Grow"
	RefineGrowTip    = "Grow or shrink the kept area"
	RefineFeather    = "Feather"
	RefineFeatherTip = "Soften the edge"
	RefineSmooth     = "Smooth"
	RefineSmoothTip  = "Smooth the outline"
	RefineFirm       = "Preview as sent"
	RefineFirmHint   = "Only hard edges are sent: soft ones are cut at 50\u00a0%."
	RefineClean      = "Clean up"
	RefineArea       = "Size limit in pixels"
	RefineAreaTip    = "Holes and specks up to this many pixels"
	RefinePixels     = "px"
	RefineHoles      = "Fill holes"
	RefineSpecks     = "Remove specks"
	RefineAll        = "Whole mask"
	RefineInvert     = "Invert"
	RefineKeepAll    = "Keep all"
	RefineClear      = "Clear"
)

// Regions and shapes in numbers.
const (
	RegionsTitle   = "Regions of the picture"
	RegionsLooking = "Looking for regions…"
	ShapeTitle     = "Shape in numbers"
	ShapeKind      = "Kind of shape"
	ShapeLeft      = "Left"
	ShapeTop       = "Top"
	ShapeWidth     = "Width"
	ShapeHeight    = "Height"
	ShapeOnlyThis  = "Intersect"
)

// Saved masks.
const (
	SavedTitle       = "Save this mask"
	SavedName        = "Name"
	SavedNameLabel   = "Name of the mask"
	SavedExport      = "Export PNG"
	SavedImport      = "Import mask"
	SavedImportLabel = "Mask to import"
	SavedOfThis      = "For this picture"
	SavedNone        = "No saved masks yet."
	SavedNewName     = "New name of the mask"
	SavedOfOthers    = "From other pictures of this size"
	SavedUse         = "Use this mask"
	SavedBroken      = "The saved masks could not be loaded."
)

// The history.
const (
	HistoryTitle     = "Steps, newest first"
	HistoryEmpty     = "No steps yet"
	HistoryBeginning = "Start"
)

// How the mask is shown.
const (
	ViewTitle        = "View"
	ViewShownAs      = "Show mask as"
	ViewTint         = "Tint"
	ViewTintTip      = "The picture shows through"
	ViewContrast     = "Contrast"
	ViewContrastTip  = "High contrast: what is redrawn is hidden"
	ViewMaskAlone    = "Mask alone"
	ViewMaskAloneTip = "White is kept, black is redrawn"
	ViewOpacity      = "Opacity"
	ViewOpacityTip   = "Strength of the tint"
	ViewUpright      = "Upright"
	ViewMap          = "Overview while zoomed in"
)

// The colours of the tint.
const (
	TintTeal    = "Teal"
	TintOrange  = "Orange"
	TintBlue    = "Blue"
	TintMagenta = "Magenta"
	TintYellow  = "Yellow"
	TintRed     = "Red"
)

// What is said while a mask is made.
const (
	MaskHint          = "Paint the part to keep. Everything else is redrawn."
	MaskUnread        = "The picture could not be loaded. Check the connection and try again."
	MaskUnfetched     = "The mask could not be loaded. Check the connection and try again."
	MaskExported      = "Exported: opaque is kept, transparent is redrawn."
	MaskImported      = "Imported."
	MaskMeaning       = "The mask is black and white. Which colour marks the part to keep?"
	MaskWhiteKept     = "White is kept"
	MaskWhiteKeptHelp = "Black is redrawn"
	MaskBlackKept     = "Black is kept"
	MaskBlackKeptHelp = "White is redrawn, as in most inpainting tools"
	MaskStretch       = "Stretch to the picture"
	MaskStretchHelp   = "Opaque is kept, transparent is redrawn"
	SmartUnloaded     = "Smart select could not be loaded. Check the connection and try again."
	SmartNothing      = "Smart select found nothing here. Draw a tighter box, or stroke over the object."
)

// MaskKept says how much of the picture is kept.
func MaskKept(share float64) string { return Percent(share) + " kept" }

// MaskKeptOfPicture says it to those who listen.
func MaskKeptOfPicture(share float64) string { return Percent(share) + " of the picture is kept" }

// Pixels and InPercent are a value of a slider with its unit; Degrees is the angle of the view.
func Pixels(n int) string    { return number(n) + " px" }
func InPercent(n int) string { return number(n) + " %" }
func Degrees(n int) string   { return number(n) + "°" }

// MaskFlipRegion names the button that keeps a region that is redrawn, or redraws one that is kept.
func MaskFlipRegion(n int, kept bool) string {
	if kept {
		return Redraw + " region " + number(n)
	}
	return Keep + " region " + number(n)
}

// MaskMoreRegions says how many regions are not listed.
func MaskMoreRegions(n int) string {
	return "And " + plural(n, "smaller region", "smaller regions") + "."
}

// ShapeGiveNumbers asks for the numbers of a shape.
func ShapeGiveNumbers(w, h int) string {
	return "Enter left, top, width and height in pixels. The picture is " + Dimensions(w, h) + "."
}

// ShapeDone says that a shape was joined with the mask.
func ShapeDone(shape string, kept float64) string {
	return shape + " done. " + MaskKeptOfPicture(kept) + "."
}

// SavedDelete names the button that deletes a saved mask.
func SavedDelete(name string) string { return "Delete " + name }

// SavedRename names the button that renames a saved mask.
func SavedRename(name string) string { return "Rename " + name }

// SavedRenamed says that a saved mask has another name.
func SavedRenamed(name string) string { return "Renamed to “" + name + "”." }

// SavedNow is what a mask is called that is saved without a name.
func SavedNow(t time.Time) string { return "Mask of " + t.Format("2 Jan, 15:04") }

// SavedAs says under which name a mask was saved.
func SavedAs(name string) string { return "Saved as “" + name + "”." }

// SavedFile is the name of the file a mask is exported to.
func SavedFile(picture string) string { return picture + " mask.png" }

// MaskDiffers adds to how a mask was moved that the move is doubted.
func MaskDiffers(moved string) string {
	return moved + " The pictures differ a lot: check the mask."
}

// MaskUnopened is a file that is no mask.
func MaskUnopened(name string) string {
	return "The mask " + name + " could not be opened. Use a PNG, JPEG or WebP of at most 50 megapixels."
}

// MaskStretched says that an imported mask had another size.
func MaskStretched(size string) string {
	return "Imported. It was " + size + " and was stretched to the picture."
}

// MaskDeleted says that a saved mask is gone.
func MaskDeleted(name string) string {
	return "The mask “" + name + "” is deleted. Runs made with it keep their own copy."
}

// MaskStretches says that an imported mask has other proportions than the picture.
func MaskStretches(w, h, pictureW, pictureH int) string {
	return "The mask is " + Dimensions(w, h) + ", the picture is " + Dimensions(pictureW, pictureH) + ": it is stretched to fit."
}
