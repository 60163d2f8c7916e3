package model

import (
	"math"

	"atelier/imaging/mask"
)

// StartBackground stands for all but the subject among the regions a mask can start from: the service has no mask type for it.
const StartBackground = "background"

// RegionWords tells of a region for people who cannot see it: "Region 2: 12 % of the image, kept, upper left".
func RegionWords(n int, r mask.Region) string {
	words := "Region " + Number(n) + ": " + shareWords(r.Share) + " of the image, "
	if r.Kept {
		words += "kept, "
	} else {
		words += "redrawn, "
	}
	down := [...]string{"top", "middle", "bottom"}[r.Down]
	across := [...]string{"left", "", "right"}[r.Across]
	switch {
	case across == "" && r.Down == mask.MiddleThird:
		return words + "in the middle"
	case across == "":
		return words + "at the " + down
	case r.Down == mask.MiddleThird:
		return words + "on the " + across
	}
	return words + down + " " + across
}

// shareWords writes a share of the picture; what is less than one percent is not called nothing.
func shareWords(f float64) string {
	if f > 0 && f < .01 {
		return "under 1 %"
	}
	return Percent(f)
}

// StartWords names a region a mask can start from, within a sentence.
func StartWords(kind string) string {
	words := map[string]string{
		"autoSubjectSegment": "the subject", StartBackground: "the background", "autoApparelSegment": "the outfit", "autoUpperApparelSegment": "the top",
		"autoLowerApparelSegment": "the bottom", "autoHumanSegment": "all but the face", "inverseAutoHumanSegment": "the face",
	}
	return words[kind]
}

// FoundWords says how sure a region that was found is.
func FoundWords(confidence float64, note string) string {
	words := "Found, " + Percent(confidence) + " sure."
	if confidence < .5 {
		words = "Found, but only " + Percent(confidence) + " sure: correct it with the brush."
	}
	if note != "" {
		words += " " + note
	}
	return words
}

// AlignmentWords says how a mask was moved to fit another picture.
func AlignmentWords(a mask.Alignment) string {
	dx, dy := int(math.Round(a.DX)), int(math.Round(a.DY))
	scale := math.Round(a.Scale*1000) / 10
	if dx == 0 && dy == 0 && scale == 100 {
		return "It fits as it is."
	}
	words := "Moved by " + Number(dx) + ", " + Number(dy) + " px"
	if scale != 100 {
		words += " and scaled to " + Decimal(scale, 1) + " %"
	}
	return words + " to fit this picture. Undo takes it back."
}

// SameShape says whether two sizes have the same proportions, give or take a pixel.
func SameShape(w, h, toW, toH int) bool {
	return w > 0 && h > 0 && math.Abs(float64(toW)/float64(w)*float64(h)-float64(toH)) <= max(1, float64(toH)/float64(h))
}
