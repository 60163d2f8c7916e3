package render

import (
	"image"
	"image/color"
	"math/rand/v2"
	"testing"

	"atelier/imaging/mask"
	"atelier/imaging/testpics"
)

// wall is a grey wall above a grey street.
func wall() *image.NRGBA {
	src := testpics.Photo(240, 200, 4)
	for i := 0; i < len(src.Pix); i += 4 {
		p := src.Pix[i : i+3]
		grey := uint8((int(p[0]) + int(p[1]) + int(p[2])) / 3)
		copy(p, []uint8{grey, grey, grey})
	}
	return src
}

// busker is a red figure before the wall that the frame cuts off at the bottom, and a mask that misses its right arm.
func busker() (*image.NRGBA, mask.Plane) {
	src := wall()
	m := mask.New(240, 200)
	for y := range 200 {
		for x := range 240 {
			grey := src.Pix[src.PixOffset(x, y)]
			body, arm := image.Pt(x, y).In(image.Rect(80, 60, 150, 200)), image.Pt(x, y).In(image.Rect(150, 130, 175, 200))
			if body || arm {
				src.SetNRGBA(x, y, color.NRGBA{190 + grey/32, 30 + grey/16, 40, 255})
			}
			if body {
				m.Set(x, y, 255)
			}
		}
	}
	return src, m
}

func TestExpandedSpaceShowsNothingOfTheSubjectEvenWhenAPartWasMissed(t *testing.T) {
	t.Parallel()
	src, m := busker()
	// Below, where it would go on, the canvas ends with the picture.
	req := Request{Agent: "expandimage", Version: "v1.0", Original: src, Values: map[string]any{"targetWidth": 420.0, "targetHeight": 260.0, "fillTop": 60.0}}
	for item := range 2 {
		req.Item = item
		out, err := expandImage(t.Context(), req, Segmentation{Subject: m, Confidence: 0.9})
		if err != nil {
			t.Fatal(err)
		}
		place := src.Rect.Add(image.Pt(90, 60))
		for y := range 260 {
			for x := range 420 {
				c := out.NRGBAAt(x, y)
				if !image.Pt(x, y).In(place) && red(c) {
					t.Fatalf("item %d: the subject shows at (%d,%d): %v", item, x, y, c)
				}
			}
		}
	}
}

// A bag that the mask misses is at arm's length: something of its colour goes on beyond the frame without it.
func TestWhatAPersonCarriesIsNotClonedThoughTheMaskMissesIt(t *testing.T) {
	t.Parallel()
	src := wall()
	m := mask.New(240, 200)
	for y := range 200 {
		for x := range 240 {
			grey := src.Pix[src.PixOffset(x, y)]
			at := image.Pt(x, y)
			switch {
			case at.In(image.Rect(130, 40, 180, 200)):
				src.SetNRGBA(x, y, color.NRGBA{20, 60 + grey/16, 150 + grey/16, 255})
				m.Set(x, y, 255)
			case at.In(image.Rect(186, 100, 204, 160)), at.In(image.Rect(206, 100, 240, 160)): // the bag, and a box in its colour that the frame cuts
				c := color.NRGBA{130 + grey/4, 60 + grey/4, 20, 255}
				if x < 205 {
					c.B = 50 // which the eye hardly sees
				}
				src.SetNRGBA(x, y, c)
			default: // the light falls from the right
				src.SetNRGBA(x, y, color.NRGBA{grey/2 + uint8(x/2), grey/2 + uint8(x/2), grey/2 + uint8(x/2), 255})
			}
		}
	}
	req := Request{Agent: "expandimage", Version: "v1.0", Original: src, Values: map[string]any{"targetWidth": 480.0, "targetHeight": 200.0, "fillLeft": 0.0, "fillTop": 0.0}}
	for item := range 4 {
		req.Item = item
		out, err := expandImage(t.Context(), req, Segmentation{Subject: m, Confidence: 0.9, Faces: []image.Rectangle{image.Rect(140, 44, 170, 78)}})
		if err != nil {
			t.Fatal(err)
		}
		cloned := 0
		for y := range 200 {
			for x := src.Rect.Max.X; x < 480; x++ {
				if c := out.NRGBAAt(x, y); red(c) && c.B > 40 {
					cloned++
				}
			}
		}
		if bag := 18 * 60; cloned > bag/5 { // where the box ends it is mixed with the wall into much the same colour
			t.Errorf("item %d: %d pixels of the bag show again", item, cloned)
		}
	}
}

func TestPeopleFarBehindAreNotClonedAndWhatIsAroundThemGoesOn(t *testing.T) {
	t.Parallel()
	src := wall()
	green := func(c color.NRGBA) bool { return int(c.G) > int(c.R)+40 }
	for y := range 200 {
		for x := range 240 {
			// A hedge, lower where a row of people stands before it, as far as the edge of the picture.
			top := 90
			if x >= 180 {
				top = 104
			}
			p := src.NRGBAAt(x, y)
			switch {
			case x >= 186 && x%12 < 6 && y >= 80 && y < 140 && x < 232:
				src.SetNRGBA(x, y, color.NRGBA{180 + p.R/16, 30, 40, 255})
			case y >= top && y < top+16:
				src.SetNRGBA(x, y, color.NRGBA{p.R / 4, 120 + p.G/16, p.B / 4, 255})
			}
		}
	}
	req := Request{Agent: "expandimage", Version: "v1.0", Original: src, Values: map[string]any{"targetWidth": 340.0, "targetHeight": 200.0, "fillLeft": 0.0, "fillTop": 0.0}}
	m := mask.New(240, 200)
	m.FillRect(image.Rect(60, 60, 100, 200), 255)
	out, err := expandImage(t.Context(), req, Segmentation{Subject: m, Confidence: 0.9, Passers: []image.Rectangle{image.Rect(180, 74, 240, 146)}})
	if err != nil {
		t.Fatal(err)
	}
	hedge := 0
	for x := 240; x < 340; x++ {
		for y := range 200 {
			if c := out.NRGBAAt(x, y); red(c) {
				t.Fatalf("somebody shows again at (%d,%d): %v", x, y, c)
			}
		}
		if x < 250 && green(out.NRGBAAt(x, 112)) {
			hedge++
		}
	}
	if hedge < 5 {
		t.Errorf("the hedge goes on for %d of 10 pixels", hedge)
	}
}

func TestWhatTheSidesCutGoesOnAndWhatStandsInItIsNotCloned(t *testing.T) {
	t.Parallel()
	src := wall()
	field := mask.New(240, 200)
	for y := 90; y < 150; y++ {
		for x := range 240 {
			grey := src.NRGBAAt(x, y).R
			c := color.NRGBA{180 + grey/16, 30 + grey/16, 40, 255}
			if image.Pt(x, y).In(image.Rect(100, 100, 140, 140)) {
				c = color.NRGBA{30, 40, 200 + grey/16, 255}
			}
			src.SetNRGBA(x, y, c)
			field.Set(x, y, 255)
		}
	}
	req := Request{Agent: "expandimage", Version: "v1.0", Original: src, Values: map[string]any{"targetWidth": 360.0, "targetHeight": 200.0}}
	out, err := expandImage(t.Context(), req, Segmentation{Subject: field, Confidence: 0.8})
	if err != nil {
		t.Fatal(err)
	}
	place := src.Rect.Add(image.Pt(60, 0))
	shown := 0
	for y := range 200 {
		for x := range 360 {
			c := out.NRGBAAt(x, y)
			switch {
			case image.Pt(x, y).In(place):
			case int(c.B) > int(c.R)+60:
				t.Fatalf("what stands in the field shows again at (%d,%d): %v", x, y, c)
			case red(c):
				shown++
			}
		}
	}
	if whole := 120 * 60; shown < whole*7/10 || shown > whole*13/10 {
		t.Errorf("%d pixels of the field go on beside the picture, want about %d", shown, whole)
	}
}

func TestADarkRimOfAPictureGoesOnBeyondIt(t *testing.T) {
	t.Parallel()
	src := wall()
	for y := range 200 {
		for x := range 240 {
			dx, dy := float64(x)/120-1, float64(y)/100-1
			c := src.NRGBAAt(x, y)
			k := 0.5 * (1 - 0.36*(dx*dx+dy*dy))
			if (x/9*x/7+y/8*y/9*13)%5 < 2 {
				k *= 0.7 // stains
			}
			c.R = uint8(k * (128 + float64(c.R)/2))
			src.SetNRGBA(x, y, color.NRGBA{c.R, c.R, c.R, 255})
		}
	}
	m := mask.New(240, 200)
	m.FillRect(image.Rect(100, 60, 140, 200), 255)
	req := Request{Agent: "expandimage", Version: "v1.0", Original: src, Values: map[string]any{"targetWidth": 440.0, "targetHeight": 300.0}}
	out, err := expandImage(t.Context(), req, Segmentation{Subject: m, Confidence: 0.9})
	if err != nil {
		t.Fatal(err)
	}
	light := func(img *image.NRGBA, r image.Rectangle) (sum float64) {
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				sum += float64(img.NRGBAAt(x, y).R) / float64(r.Dx()*r.Dy())
			}
		}
		return sum
	}
	rim := light(src, image.Rect(0, 60, 12, 140))
	for name, r := range map[string]image.Rectangle{
		"beside it": image.Rect(60, 110, 96, 190), "farther left": image.Rect(5, 110, 60, 190),
		"above it": image.Rect(170, 5, 270, 46), "in a corner": image.Rect(5, 5, 60, 40),
	} {
		if l := light(out, r); l > rim+8 {
			t.Errorf("%s the light is %.0f, at the rim of the picture %.0f", name, l, rim)
		}
	}
	for y := range 200 {
		for x := range 240 {
			if a, b := out.NRGBAAt(x+100, y+50), src.NRGBAAt(x, y); a != b {
				t.Fatalf("the picture changed at (%d,%d): %v, was %v", x, y, a, b)
			}
		}
	}
}

func TestAPictureThatIsDarkOnOneSideHasNoDarkRim(t *testing.T) {
	t.Parallel()
	src := wall()
	for y := range 200 {
		for x := range 240 {
			c := src.NRGBAAt(x, y)
			c.R = uint8((0.4 + 0.6*float64(x)/240) * float64(c.R))
			src.SetNRGBA(x, y, color.NRGBA{c.R, c.R, c.R, 255})
		}
	}
	if v, ok := vignetteOf(src, mask.Plane{}); ok {
		t.Errorf("a wall lit from the right keeps %.2f of its light outwards", v.kept)
	}
}

func TestShoesThatWereMissedAreKeptOut(t *testing.T) {
	t.Parallel()
	person := mask.New(120, 200)
	person.FillRect(image.Rect(50, 20, 70, 150), 255)
	person.FillRect(image.Rect(35, 60, 50, 100), 255)
	whole := withFeet(person)
	if !whole.Kept(60, 155) {
		t.Error("what lies just below the legs is not kept out")
	}
	for name, at := range map[string]image.Point{"below a hand": {40, 104}, "far below": {60, 175}, "beside the legs": {80, 152}} {
		if whole.Kept(at.X, at.Y) {
			t.Errorf("what lies %s is kept out", name)
		}
	}
}

func TestASubjectGrowsByItsOwnColoursOnly(t *testing.T) {
	t.Parallel()
	src, m := busker()
	whole := wholeSubject(src, m)
	if !whole.Kept(165, 180) {
		t.Error("the arm was not found")
	}
	added := 0
	for i, v := range whole.Pix {
		x, y := i%240, i/240
		if v >= mask.Level && !m.Kept(x, y) && !image.Pt(x, y).In(image.Rect(150, 130, 175, 200)) {
			added++
		}
	}
	if added > 0 {
		t.Errorf("%d pixels of the wall were taken for the subject", added)
	}
}

func TestTheMiddleIsNotClonedWhenTheSubjectIsInDoubt(t *testing.T) {
	t.Parallel()
	src := wall()
	for y := 70; y < 130; y++ {
		for x := 70; x < 170; x++ {
			src.SetNRGBA(x, y, color.NRGBA{200, 30, uint8(40 + x%7), 255})
		}
	}
	people := mask.New(240, 200)
	people.FillRect(image.Rect(210, 60, 225, 120), 255)
	for y := 60; y < 120; y++ {
		for x := 210; x < 225; x++ {
			src.SetNRGBA(x, y, color.NRGBA{200, 30, 40, 255})
		}
	}
	scrap := mask.New(240, 200)
	scrap.FillRect(image.Rect(10, 170, 30, 190), 255)
	for name, found := range map[string]mask.Plane{"a scrap": scrap, "nothing": mask.New(240, 200)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			req := Request{Agent: "expandimage", Version: "v1.0", Original: src, Values: map[string]any{"targetWidth": 480.0, "targetHeight": 240.0}}
			out, err := expandImage(t.Context(), req, Segmentation{Subject: found, Others: people, Confidence: 0.3})
			if err != nil {
				t.Fatal(err)
			}
			place := src.Rect.Add(image.Pt(120, 20))
			for y := range 240 {
				for x := range 480 {
					if c := out.NRGBAAt(x, y); !image.Pt(x, y).In(place) && red(c) {
						t.Fatalf("the thing in the middle or who stands beside it shows at (%d,%d): %v", x, y, c)
					}
				}
			}
		})
	}
}

func TestItemsOfMoreSpaceAreCopiedFromDifferentParts(t *testing.T) {
	t.Parallel()
	// One texture all over, of which the red tells from which column it comes.
	const w, h = 160, 100
	random := rand.New(rand.NewPCG(1, 2))
	src := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			v := uint8(90 + random.IntN(60))
			src.SetNRGBA(x, y, color.NRGBA{uint8(100 + x/8), v, v, 255})
		}
	}
	req := Request{Agent: "expandimage", Version: "v1.0", Original: src, Seed: 3, Count: 4, Values: map[string]any{
		"targetWidth": float64(w), "targetHeight": 2.0 * h, "fillTop": float64(h),
	}}
	column := func(item int) float64 {
		req.Item = item
		out, err := Render(t.Context(), req, Segmentation{})
		if err != nil {
			t.Fatal(err)
		}
		sum := 0
		for y := range h {
			for x := range w {
				sum += 8 * (int(out.Pix[out.PixOffset(x, y)]) - 100)
			}
		}
		return float64(sum) / (w * h * w)
	}
	if left, right := column(1), column(2); right < left+0.15 {
		t.Errorf("the second comes from %.2f of the width on the whole and the third from %.2f, want them apart", left, right)
	}
}
