package fidelity

import (
	"fmt"
	"image"
	"math"
	"slices"
	"testing"

	"atelier/imaging/analysis"
	"atelier/imaging/mask"
	"atelier/imaging/segment"
	"atelier/imaging/testpics"
)

// sleeveless is the mask without a strip of a tenth of its area at the left: about a sleeve.
func sleeveless(keep mask.Plane) mask.Plane {
	out, left := keep.Clone(), keep.Stats(0).Kept/10
	for x := 0; x < keep.W && left > 0; x++ {
		for y := range keep.H {
			if keep.Kept(x, y) {
				out.Set(x, y, 0)
				left--
			}
		}
	}
	return out
}

// spilled is the mask with a block of background at its right, half as high as it and a tenth as wide as the picture.
func spilled(keep mask.Plane) mask.Plane {
	out, b := keep.Clone(), keep.Bounds()
	out.FillRect(image.Rect(b.Max.X-b.Dx()/6, b.Min.Y+b.Dy()/4, min(b.Max.X+keep.W/10, keep.W), b.Max.Y-b.Dy()/4), 255)
	return out
}

// told is an edge without its pixels.
func told(e *Edge) string {
	if e == nil {
		return "not judged"
	}
	text := fmt.Sprintf("%.3f in doubt, %.3f of the band:", e.Doubt, e.Band)
	for _, p := range e.Parts {
		text += fmt.Sprintf(" missed %v, %.3f at (%d, %d), %.2f changed;", p.Missed, p.Share, p.Across, p.Down, p.Changed)
	}
	return text
}

// allIn reports whether an edge is in doubt, by parts of one kind in one third alone.
func allIn(e *Edge, missed bool, across mask.Third) bool {
	return e != nil && len(e.Parts) > 0 &&
		!slices.ContainsFunc(e.Parts, func(p Part) bool { return p.Missed != missed || p.Across != across })
}

// paintedRegion takes a region from a painted mask, and judges its edge.
func paintedRegion(t *testing.T, img *image.NRGBA, keep mask.Plane) Region {
	t.Helper()
	r, err := FromMask(img, keep)
	if err != nil {
		t.Fatal(err)
	}
	subject, err := analysis.Subject(t.Context(), img, segment.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r, err = r.JudgePainted(t.Context(), subject); err != nil {
		t.Fatal(err)
	}
	return r
}

// compareMask lays the result that a mask leads to, everything outside it redrawn, on the source.
func compareMask(t *testing.T, img *image.NRGBA, keep mask.Plane) Report {
	t.Helper()
	got, err := paintedRegion(t, img, keep).Compare(redraw(img, keep))
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestMissedSleeveIsInDoubt(t *testing.T) {
	t.Parallel()
	img, keep := testpics.Garment(420, 540, 3)
	got := compareMask(t, img, sleeveless(keep))
	if got.Score < .99 || got.Changed {
		t.Errorf("inside the mask %.3f is unchanged, changed %v", got.Score, got.Changed)
	}
	if !allIn(got.Edge, true, mask.FirstThird) || math.Abs(got.Edge.Doubt-.1) > .04 || got.Edge.Parts[0].Changed < .8 || got.Edge.Band < .05 {
		t.Errorf("%s; want the left tenth missed, and changed", told(got.Edge))
	}
}

func TestKeptBackgroundIsInDoubt(t *testing.T) {
	t.Parallel()
	img, keep := testpics.Garment(420, 540, 3)
	got := compareMask(t, img, spilled(keep))
	if !allIn(got.Edge, false, mask.LastThird) || got.Edge.Doubt < .05 || got.Edge.Parts[0].Changed > .2 {
		t.Errorf("%s; want background at the right, unchanged", told(got.Edge))
	}
}

// What a mask leaves out may be unchanged all the same.
func TestMissedPartMayBeUnchanged(t *testing.T) {
	t.Parallel()
	img, keep := testpics.Garment(420, 540, 3)
	got, err := paintedRegion(t, img, sleeveless(keep)).Compare(redraw(img, keep))
	if err != nil {
		t.Fatal(err)
	}
	if !allIn(got.Edge, true, mask.FirstThird) || got.Edge.Parts[0].Changed > .1 {
		t.Errorf("%s; want a missed part that did not change", told(got.Edge))
	}
}

func TestExactMaskIsNotInDoubt(t *testing.T) {
	t.Parallel()
	img, keep := testpics.Garment(420, 540, 3)
	checkSure(t, "garment", 3, compareMask(t, img, keep))
}

func TestSlowExactMasksAreNotInDoubt(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		img, keep := testpics.Garment(600, 800, seed)
		checkSure(t, "garment", seed, compareMask(t, img, keep))
	}
	for seed := range uint64(4) {
		img, figure := testpics.Person(600, 900, seed)
		checkSure(t, "person", seed, compareMask(t, img, figure.Person))
	}
}

func checkSure(t *testing.T, what string, seed uint64, got Report) {
	t.Helper()
	if got.Edge != nil && got.Edge.Doubt > 0 {
		t.Errorf("%s %d: %s", what, seed, told(got.Edge))
	}
}

func TestAutomaticRegionIsReadTwice(t *testing.T) {
	t.Parallel()
	img, keep := testpics.Garment(420, 540, 3)
	found, err := analysis.Subject(t.Context(), img, segment.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := FromFound(img, found)
	if err != nil {
		t.Fatal(err)
	}
	if r, err = r.JudgeAutomatic(t.Context(), segment.WholeSubject, false); err != nil {
		t.Fatal(err)
	}
	got, err := r.Compare(redraw(img, keep))
	if err != nil {
		t.Fatal(err)
	}
	if got.Edge == nil || got.Edge.Doubt > 0 {
		t.Errorf("of a clear region the edge is %s", told(got.Edge))
	}
	// A cut-out shows the mask that was used, whatever we read.
	got, err = r.Compare(cutOut(img, sleeveless(keep)))
	if err != nil {
		t.Fatal(err)
	}
	if !allIn(got.Edge, true, mask.FirstThird) {
		t.Errorf("of a cut-out without its sleeve the edge is %s", told(got.Edge))
	}
	got, err = r.Compare(cutOut(img, spilled(keep)))
	if err != nil {
		t.Fatal(err)
	}
	if !allIn(got.Edge, false, mask.LastThird) {
		t.Errorf("of a cut-out with background the edge is %s", told(got.Edge))
	}
}

// cutOut leaves nothing but what is kept.
func cutOut(img *image.NRGBA, keep mask.Plane) *image.NRGBA {
	out := image.NewNRGBA(img.Rect)
	for y := range keep.H {
		for x := range keep.W {
			if keep.Kept(x, y) {
				out.SetNRGBA(x, y, img.NRGBAAt(x, y))
			}
		}
	}
	return out
}

// Masks may keep something else than the subject on purpose: a bag, the background, clothes alone.
func TestMaskOfSomethingElseIsNotJudged(t *testing.T) {
	t.Parallel()
	img, figure := testpics.Person(400, 600, 2)
	rest := figure.Person.Clone()
	rest.Invert()
	spot := mask.New(400, 600)
	spot.FillRect(image.Rect(27, 200, 93, 280), 255)
	for name, keep := range map[string]mask.Plane{"background": rest, "spot": spot, "upper": figure.Upper} {
		got := compareMask(t, img, keep)
		if got.Edge != nil && got.Edge.Doubt > 0 {
			t.Errorf("%s: %s", name, told(got.Edge))
		}
	}
}

// The heat map marks what is in doubt, where it lies, in a colour that no difference has.
func TestHeatMapMarksDoubt(t *testing.T) {
	t.Parallel()
	img, keep := testpics.Garment(512, 512, 3)
	part := sleeveless(keep)
	got := compareMask(t, img, part)
	inside, outside := 0, 0
	for y := range 512 {
		for x := range 512 {
			if c := got.Heat.NRGBAAt(x, y); c.B == 255 {
				if keep.Kept(x, y) && !part.Kept(x, y) {
					inside++
				} else {
					outside++
				}
			}
		}
	}
	if inside < 500 || outside > inside/3 {
		t.Errorf("%d points are marked in the sleeve, %d elsewhere", inside, outside)
	}
	if sure := compareMask(t, img, keep); sure.Heat.Opaque() {
		t.Error("the heat map of an exact mask is opaque")
	}
}
