package words

import (
	"slices"
	"strings"

	"atelier/atelier"
)

// What is said of the edge of the kept area.
const (
	EdgeInDoubt = "Edge in doubt"
	DetailsEdge = "Edge"
	EdgeSure    = "Matches the subject we found in the source"
)

// The legend of the heat map.
const (
	HeatLegendChanged = "Slightly to strongly changed"
	HeatLegendDoubt   = "Edge in doubt"
)

// edgePlaces says where in the subject a part lies.
var edgePlaces = map[atelier.Place]string{
	atelier.PlaceTopLeft: "top left", atelier.PlaceTop: "top", atelier.PlaceTopRight: "top right",
	atelier.PlaceLeft: "left", atelier.PlaceMiddle: "middle", atelier.PlaceRight: "right",
	atelier.PlaceBottomLeft: "bottom left", atelier.PlaceBottom: "bottom", atelier.PlaceBottomRight: "bottom right",
}

// partChanged is the share of a part that must look different for the part to count as changed.
const partChanged = 0.5

// FidelityVerdict reports how much of the kept area is unchanged, and where its edge is in doubt.
func FidelityVerdict(f atelier.Fidelity) string {
	if !f.Doubtful() {
		return Fidelity(f)
	}
	return Fidelity(f) + ". " + EdgeDoubt(*f.Edge)
}

// EdgeDoubt says where the kept area and the subject disagree.
func EdgeDoubt(e atelier.FidelityEdge) string {
	var missed, changed, kept []string
	for _, p := range e.Parts {
		place := edgePlaces[p.Place]
		switch {
		case !p.Missed:
			kept = addPlace(kept, place)
		case p.Changed >= partChanged:
			changed = addPlace(changed, place)
		default:
			missed = addPlace(missed, place)
		}
	}
	var said []string
	say := func(places []string, before, after string) {
		if len(places) > 0 {
			said = append(said, before+" ("+strings.Join(places, ", ")+") "+after)
		}
	}
	say(changed, "part of the subject", "seems to lie outside the mask and has changed")
	say(missed, "part of the subject", "seems to lie outside the mask")
	say(kept, "background", "seems to lie inside the mask")
	if len(said) == 0 {
		return EdgeInDoubt + "."
	}
	return EdgeInDoubt + ": " + strings.Join(said, "; ") + "."
}

func addPlace(places []string, place string) []string {
	if place == "" || slices.Contains(places, place) {
		return places
	}
	return append(places, place)
}

// EdgeFacts reports the edge of the kept area in the details.
func EdgeFacts(e atelier.FidelityEdge) string {
	if e.Doubt > 0 {
		return EdgeDoubt(e) + " What is in doubt is " + Percent(e.Doubt) + " of the subject."
	}
	return EdgeSure
}

// TileScore says how much of the kept area is unchanged: with a mark where that is enough, with a question mark where its edge is in doubt.
func TileScore(f atelier.Fidelity) string {
	if f.Doubtful() {
		return "? " + Percent(f.Score)
	}
	return TileKept(f.Score, f.Changed)
}

// edgeJudged adds a doubt to what was thought of a result.
func edgeJudged(f *atelier.Fidelity) string {
	if f != nil && f.Doubtful() {
		return ", edge in doubt"
	}
	return ""
}
