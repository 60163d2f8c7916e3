package model

import "image"

// Target is the canvas an expansion asks for, in pixels of a source picture of w × h with its corner at (0, 0); empty when
// the agent is not an expansion or the size is not given yet (Task API, "expandimage").
func (f Form) Target(w, h int) image.Rectangle {
	if _, ok := f.Agent.Param("targetWidth"); !ok {
		return image.Rectangle{}
	}
	width, okW := ToNumber(f.Values["targetWidth"])
	height, okH := ToNumber(f.Values["targetHeight"])
	if !okW || !okH || width < 1 || height < 1 {
		return image.Rectangle{}
	}
	left, ok := ToNumber(f.Values["fillLeft"])
	if !ok {
		left = (width - float64(w)) / 2
	}
	top, ok := ToNumber(f.Values["fillTop"])
	if !ok {
		top = (height - float64(h)) / 2
	}
	return image.Rect(int(-left), int(-top), int(width-left), int(height-top))
}
