package model

import (
	"math"

	"atelier/app/words"
	"atelier/imaging/mask"
)

// StartBackground stands for all but the subject among the regions a mask can start from: the service has no mask type for it.
const StartBackground = "background"

// RegionWords tells of a region for people who cannot see it.
func RegionWords(n int, r mask.Region) string {
	return words.MaskRegion(n, r.Share, r.Kept, int(r.Down), int(r.Across))
}

// StartWords names a region a mask can start from, within a sentence.
func StartWords(kind string) string {
	return map[string]string{
		"autoSubjectSegment": words.MaskTheSubject, StartBackground: words.MaskTheBackground, "autoApparelSegment": words.MaskTheOutfit,
		"autoUpperApparelSegment": words.MaskTheTop, "autoLowerApparelSegment": words.MaskTheBottom, "autoHumanSegment": words.MaskAllButTheFace,
		"inverseAutoHumanSegment": words.MaskTheFace,
	}[kind]
}

// AlignmentWords says how a mask was moved to fit another picture.
func AlignmentWords(a mask.Alignment) string {
	return words.MaskMoved(int(math.Round(a.DX)), int(math.Round(a.DY)), math.Round(a.Scale*1000)/10)
}

// SameShape says whether two sizes have the same proportions, give or take a pixel.
func SameShape(w, h, toW, toH int) bool {
	return w > 0 && h > 0 && math.Abs(float64(toW)/float64(w)*float64(h)-float64(toH)) <= max(1, float64(toH)/float64(h))
}
