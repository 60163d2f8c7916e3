package fidelity

import (
	"image"
	"image/color"
	"testing"

	"atelier/imaging"
	"atelier/imaging/mask"
	"atelier/imaging/testpics"
)

// exactInside counts the protected pixels of a picture that are not the source's.
func exactInside(source, got *image.NRGBA, keep mask.Plane) (others int) {
	for y := range keep.H {
		for x := range keep.W {
			if keep.Kept(x, y) && source.NRGBAAt(x, y) != got.NRGBAAt(x, y) {
				others++
			}
		}
	}
	return others
}

func TestThePixelsThatWereToBeKeptComeBackExactly(t *testing.T) {
	t.Parallel()
	img, keep := testpics.Garment(700, 900, 3)
	good := redraw(img, keep)
	dyed := recolour(good, keep, .2, color.NRGBA{20, 200, 60, 255})
	for name, result := range map[string]*image.NRGBA{
		"dyed": dyed, "as it was": good, "moved": shifted(dyed, 9, -6), "twice as large": imaging.Resize(dyed, 1400, 1800), "cut": cut(dyed, 9),
		"cut out": patch(good, keep, 1, color.NRGBA{}),
	} {
		got, err := Lock(img, keep, result)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got.Rect != img.Rect {
			t.Fatalf("%s: %v", name, got.Rect)
		}
		if n := exactInside(img, got, keep); n > 0 {
			t.Errorf("%s: %d pixels are not the source's", name, n)
		}
	}
}

func TestAroundThemTheResultStaysAndTheEdgeIsSoft(t *testing.T) {
	t.Parallel()
	img, keep := testpics.Garment(700, 900, 3)
	result := redraw(img, keep)
	got, err := Lock(img, keep, result)
	if err != nil {
		t.Fatal(err)
	}
	near, mixed := keep.Grow(8), 0
	for y := range keep.H {
		for x := range keep.W {
			switch is, was := got.NRGBAAt(x, y), result.NRGBAAt(x, y); {
			case !near.Kept(x, y) && is != was:
				t.Fatalf("(%d, %d), far from the mask, is %v and was %v", x, y, is, was)
			case !keep.Kept(x, y) && is != was && is != img.NRGBAAt(x, y):
				mixed++
			}
		}
	}
	if mixed < 1000 {
		t.Errorf("%d pixels of the edge are between both", mixed)
	}
	// Where the result had moved, its surroundings come to lie as in the source.
	moved, err := Lock(img, keep, shifted(result, 8, 0))
	if err != nil {
		t.Fatal(err)
	}
	if is, was := moved.NRGBAAt(100, 30), result.NRGBAAt(100, 30); max(int(is.R)-int(was.R), int(was.R)-int(is.R)) > 2 {
		t.Errorf("the surroundings are %v, want %v", is, was)
	}
}

func TestWhatCannotBeLocked(t *testing.T) {
	t.Parallel()
	img, keep := testpics.Garment(300, 400, 3)
	for name, err := range map[string]error{
		"another shape": second(Lock(img, keep, testpics.Photo(400, 300, 1))), "nothing protected": second(Lock(img, mask.New(300, 400), img)),
		"another mask": second(Lock(img, mask.New(30, 40), img)), "elsewhere": second(Lock(img, keep, shifted(redraw(img, keep), 36, 22))),
	} {
		if reason(err) == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func second(_ *image.NRGBA, err error) error { return err }
