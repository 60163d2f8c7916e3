package render

import (
	"image"
	"image/color"
	"math"
	"testing"
)

// ringAt is how much of a ring around a place has its colour rather than that of the track below it, by the colours just
// after its beginning and just before its end.
func ringAt(img *image.NRGBA, cx, cy, r float64) float64 {
	at := func(turn float64) [3]float64 {
		sin, cos := math.Sincos(2 * math.Pi * turn)
		return toneAt(img, spot{cx + r*sin, cy - r*cos})
	}
	full, track := at(0.004), at(0.996)
	n := 0.0
	for i := range 360 {
		if c := at((float64(i) + 0.5) / 360); off(c, full) < off(c, track) {
			n++
		}
	}
	return n / 360
}

func TestARingIsFilledByItsShare(t *testing.T) {
	t.Parallel()
	for item := range 4 {
		out := drawIt(t, Request{Agent: "ai-infographic-generator", Item: item, Count: 4, Values: map[string]any{
			"textDescription": "Tea at home: 10% take sugar. 37.5% take milk. 64% drink it hot. 90 percent like it.",
		}})
		wide := (sheetWide - 2*64) / 4
		for i, want := range []float64{0.1, 0.375, 0.64, 0.9} {
			cx, cy := float64(64+i*wide+wide/2), float64(headHigh+sheetSpace)+84
			if got := ringAt(out, cx, cy, 0.85*84); math.Abs(got-want) > 0.01 {
				t.Errorf("item %d: the ring of %.1f%% is filled by %.1f%%", item, 100*want, 100*got)
			}
		}
	}
	// A full ring has one colour, an empty one that of the track.
	for text, full := range map[string]bool{"Water: 100% of it is wet. 50% of it is warm.": true, "Water: 0% of it is dry. 50% of it is warm.": false} {
		out := drawIt(t, Request{Agent: "ai-infographic-generator", Values: map[string]any{"textDescription": text}})
		wide := (sheetWide - 2*64) / 2
		at := func(ring, aside int) color.NRGBA {
			return out.NRGBAAt(64+ring*wide+wide/2+aside, headHigh+sheetSpace+84)
		}
		track := at(1, -71) // the second half of a ring that is filled by one half
		if right, left := at(0, 71), at(0, -71); right != left || (right != track) != full {
			t.Errorf("%q: the ring is %v and %v, its track %v", text, right, left, track)
		}
	}
}
