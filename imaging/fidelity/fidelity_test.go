package fidelity

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"testing"

	"atelier/imaging"
	"atelier/imaging/mask"
	"atelier/imaging/probe"
	"atelier/imaging/segment"
	"atelier/imaging/testpics"
)

// redraw gives the picture with everything outside the mask replaced.
func redraw(img *image.NRGBA, keep mask.Plane) *image.NRGBA {
	out := imaging.Clone(img)
	for y := range keep.H {
		for x := range keep.W {
			if !keep.Kept(x, y) {
				out.SetNRGBA(x, y, color.NRGBA{uint8(x), uint8(y), 200, 255})
			}
		}
	}
	return out
}

func shifted(img *image.NRGBA, dx, dy int) *image.NRGBA {
	out := imaging.Clone(img)
	draw.Draw(out, out.Rect.Add(image.Pt(dx, dy)), img, image.Point{}, draw.Src)
	return out
}

// patch paints over a share of the mask's bounds from the left.
func patch(img *image.NRGBA, keep mask.Plane, share float64, c color.NRGBA) *image.NRGBA {
	out := imaging.Clone(img)
	b := keep.Bounds()
	b.Max.X = b.Min.X + int(share*float64(b.Dx()))
	draw.Draw(out, b, image.NewUniform(c), image.Point{}, draw.Src)
	return out
}

func jpeg(t *testing.T, img *image.NRGBA) *image.NRGBA {
	t.Helper()
	var b bytes.Buffer
	if err := imaging.Encode(&b, img, imaging.EncodeOptions{Format: probe.JPEG, Quality: 85}); err != nil {
		t.Fatal(err)
	}
	out, _, err := imaging.Decode(t.Context(), b.Bytes(), imaging.DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// recolour turns a share of every kept colour into another one: what a garment dyed anew looks like.
func recolour(img *image.NRGBA, keep mask.Plane, share float64, to color.NRGBA) *image.NRGBA {
	out := imaging.Clone(img)
	for y := range keep.H {
		for x := range keep.W {
			if keep.Kept(x, y) {
				c := out.NRGBAAt(x, y)
				mix := func(a, b uint8) uint8 { return uint8(float64(a)*(1-share) + float64(b)*share) }
				out.SetNRGBA(x, y, color.NRGBA{mix(c.R, to.R), mix(c.G, to.G), mix(c.B, to.B), 255})
			}
		}
	}
	return out
}

// cut gives the middle of a picture, scaled back to its size: what a service does that works in other sizes.
func cut(img *image.NRGBA, px int) *image.NRGBA {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	return imaging.Resize(imaging.Crop(img, image.Rect(px*w/h, px, w-px*w/h, h-px)), w, h)
}

func TestAResultIsMeasuredAgainstItsSource(t *testing.T) {
	t.Parallel()
	img, keep := testpics.Garment(900, 1200, 3)
	good := redraw(img, keep)
	green := color.NRGBA{20, 200, 60, 255}
	other, _ := testpics.Garment(900, 1200, 9)
	type span struct{ low, high float64 }
	tests := []struct {
		name    string
		result  *image.NRGBA
		score   span
		deltaE  span
		ssim    span
		changed bool
	}{
		{"nothing changed", img, span{1, 1}, span{0, 0}, span{1, 1}, false},
		{"only the rest was redrawn", good, span{.999, 1}, span{0, .1}, span{.999, 1}, false},
		{"saved as JPEG", jpeg(t, good), span{.98, 1}, span{0, 1}, span{.9, 1}, false},
		{"twice as large", imaging.Resize(good, 1800, 2400), span{.98, 1}, span{0, 1}, span{.93, 1}, false},
		{"half as large", imaging.Resize(good, 450, 600), span{.97, 1}, span{0, 1}, span{.85, 1}, false},
		{"moved by a few pixels", shifted(good, 4, -3), span{.98, 1}, span{0, 1}, span{.9, 1}, false},
		{"moved by two hundredths", shifted(good, 20, 16), span{.97, 1}, span{0, 1}, span{.9, 1}, false},
		{"cut by two hundredths and scaled back", cut(img, 12), span{.95, 1}, span{0, 1}, span{.85, 1}, false},
		{"moved far", shifted(good, 90, 0), span{0, .97}, span{0, 100}, span{-1, .9}, true},
		{"another shade", recolour(good, keep, .25, green), span{0, .5}, span{4, 30}, span{0, 1}, true},
		{"another colour", recolour(good, keep, .8, green), span{0, .1}, span{15, 100}, span{0, 1}, true},
		{"drawn anew", redrawn(good, other, keep), span{0, .9}, span{2, 100}, span{-1, .8}, true},
		{"half of it another colour", patch(good, keep, .5, green), span{.2, .8}, span{5, 100}, span{0, .9}, true},
		{"a strip of it another colour", patch(good, keep, .15, green), span{.7, .985}, span{.3, 100}, span{0, 1}, true},
		{"all of it cut away", patch(good, keep, 1, color.NRGBA{}), span{0, .02}, span{90, 100}, span{-1, .5}, true},
	}
	r, err := FromMask(img, keep)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range tests {
		got, err := r.Compare(tt.result)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		in := func(what string, v float64, s span) {
			if v < s.low || v > s.high {
				t.Errorf("%s: %s is %.4f, want %.3f to %.3f", tt.name, what, v, s.low, s.high)
			}
		}
		in("score", got.Score, tt.score)
		in("ΔE", got.DeltaE, tt.deltaE)
		in("SSIM", got.SSIM, tt.ssim)
		if got.Changed != tt.changed {
			t.Errorf("%s: changed is %v (score %.4f, ΔE %.3f, SSIM %.3f, place %+v)", tt.name, got.Changed, got.Score, got.DeltaE, got.SSIM, got.Place)
		}
		shown := 0
		for i := 3; i < len(got.Heat.Pix); i += 4 {
			if got.Heat.Pix[i] > 0 {
				shown++
			}
		}
		if (got.Score == 1) != (shown == 0) || max(got.Heat.Rect.Dx(), got.Heat.Rect.Dy()) != Side {
			t.Errorf("%s: %d points of the heat map are shown, at %v", tt.name, shown, got.Heat.Rect)
		}
	}
}

// redrawn puts another picture's pixels where the product was.
func redrawn(img, other *image.NRGBA, keep mask.Plane) *image.NRGBA {
	out := imaging.Clone(img)
	for y := range keep.H {
		for x := range keep.W {
			if keep.Kept(x, y) {
				out.SetNRGBA(x, y, other.NRGBAAt((x+37)%keep.W, (y+51)%keep.H))
			}
		}
	}
	return out
}

func TestTheHeatMapLiesOnTheResult(t *testing.T) {
	t.Parallel()
	img, keep := testpics.Garment(512, 512, 3)
	r, err := FromMask(img, keep)
	if err != nil {
		t.Fatal(err)
	}
	b := keep.Bounds()
	spot := image.Rect(b.Min.X+b.Dx()/2-10, b.Min.Y+b.Dy()/2-10, b.Min.X+b.Dx()/2+10, b.Min.Y+b.Dy()/2+10)
	painted := imaging.Clone(img)
	draw.Draw(painted, spot, image.NewUniform(color.NRGBA{0, 255, 0, 255}), image.Point{}, draw.Src)
	got, err := r.Compare(shifted(painted, 9, -7))
	if err != nil {
		t.Fatal(err)
	}
	spot = spot.Add(image.Pt(9, -7))
	inside, outside := 0, 0
	for y := range 512 {
		for x := range 512 {
			if got.Heat.NRGBAAt(x, y).A > 0 {
				if image.Pt(x, y).In(spot.Inset(-2)) {
					inside++
				} else {
					outside++
				}
			}
		}
	}
	if inside < 300 || outside > 60 {
		t.Errorf("%d points are shown in the spot that was painted, %d elsewhere (place %+v)", inside, outside, got.Place)
	}
}

func reason(err error) string {
	if e, ok := errors.AsType[*NotComparableError](err); ok {
		return e.Reason
	}
	return ""
}

func TestWhatCannotBeComparedSaysWhy(t *testing.T) {
	t.Parallel()
	img, keep := testpics.Garment(600, 800, 4)
	r, err := FromMask(img, keep)
	if err != nil {
		t.Fatal(err)
	}
	for size, ok := range map[image.Point]bool{
		{X: 600, Y: 800}: true, {X: 600, Y: 815}: true, {X: 600, Y: 785}: true, {X: 600, Y: 818}: false, {X: 600, Y: 783}: false, {X: 800, Y: 600}: false,
	} {
		_, err := r.Compare(imaging.Resize(img, size.X, size.Y))
		if (err == nil) != ok || !ok && reason(err) == "" {
			t.Errorf("%v: %v", size, err)
		}
	}
	speck := mask.New(600, 800)
	speck.Set(5, 5, 255)
	if _, err := FromMask(img, speck); reason(err) == "" {
		t.Errorf("a speck: %v", err)
	}
	if _, err := FromMask(img, mask.New(60, 80)); reason(err) == "" {
		t.Errorf("a mask of another size: %v", err)
	}
}

func TestTheRegionOfAnAutomaticMaskIsFound(t *testing.T) {
	t.Parallel()
	img, keep := testpics.Garment(700, 900, 5)
	r, err := find(t, img)
	if reason(err) != "" {
		t.Fatalf("a garment on a plain ground is not clear: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	kept, err := r.Compare(redraw(img, keep))
	if err != nil || kept.Score < .9 {
		t.Errorf("kept: %.3f, %v", kept.Score, err)
	}
	changed, err := r.Compare(patch(img, keep, 1, color.NRGBA{20, 200, 60, 255}))
	if err != nil || changed.Score > .2 || !changed.Changed {
		t.Errorf("changed: %+v, %v", changed.Score, err)
	}
}

// find is the region of the subject as it is found.
func find(t *testing.T, img *image.NRGBA) (Region, error) {
	t.Helper()
	found, err := segment.Subject(t.Context(), img, segment.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return FromFound(img, found)
}

func BenchmarkCompare(b *testing.B) {
	img, keep := testpics.Garment(1500, 2000, 3)
	r, err := FromMask(img, keep)
	if err != nil {
		b.Fatal(err)
	}
	result := shifted(redraw(img, keep), 6, 4)
	for b.Loop() {
		if _, err := r.Compare(result); err != nil {
			b.Fatal(err)
		}
	}
}
