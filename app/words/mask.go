package words

// MaskRegion tells of a region for people who cannot see it: "Region 2: 12 % of the image, kept, top left".
// down and across are the third of the picture it lies in: 0 top or left, 1 middle, 2 bottom or right.
func MaskRegion(n int, share float64, kept bool, down, across int) string {
	state := "redrawn"
	if kept {
		state = "kept"
	}
	return "Region " + Number(n) + ": " + maskShare(share) + " of the image, " + state + ", " + [3][3]string{
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
	return Number(x) + ", " + Number(y) + ", " + state
}

// MaskFound says how sure a region that was found is, and what was noted with it.
func MaskFound(confidence float64, note string) string {
	text := "Found, " + Percent(confidence) + " sure."
	if confidence < .5 {
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
	text := "Moved by " + Number(dx) + ", " + Number(dy) + " px"
	if scale != 100 {
		text += " and scaled to " + Decimal(scale, 1) + " %"
	}
	return text + " to fit this picture. Undo takes it back."
}
