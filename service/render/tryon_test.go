package render

import (
	"image"
	"image/color"
	"testing"

	"atelier/imaging/compose"
	"atelier/imaging/mask"
)

// shirt is a flat garment of teal with yellow stripes on white paper, and its mask.
func shirt(w, h int) (*image.NRGBA, *mask.Plane) {
	img := plain(w, h, color.NRGBA{240, 240, 238, 255})
	m := mask.New(w, h)
	paint := func(r image.Rectangle) {
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				c := color.NRGBA{20, 130, 130, 255}
				if y/8%4 == 0 {
					c = color.NRGBA{230, 200, 40, 255}
				}
				img.SetNRGBA(x, y, c)
				m.Set(x, y, 255)
			}
		}
	}
	paint(image.Rect(w/4, h/8, w*3/4, h*7/8))
	paint(image.Rect(w/8, h/8, w*7/8, h/3))
	return img, &m
}

// shirtIn counts pixels of the shirt's ground and stripes within r.
func shirtIn(img *image.NRGBA, r image.Rectangle) (ground, stripes int) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			c := img.NRGBAAt(x, y)
			r, g, b := int(c.R), int(c.G), int(c.B)
			switch {
			case g > r+50 && b > r+50:
				ground++
			case r > b+100 && g > b+100:
				stripes++
			}
		}
	}
	return ground, stripes
}

func TestAGarmentIsWornWhereItBelongs(t *testing.T) {
	t.Parallel()
	src, m := shirt(160, 180)
	person := portrait(t, "Kenji", 360, 600)
	req := Request{
		Agent: "virtualtryon", Version: "v1.0", Original: src, CustomMask: m, Seed: 9, Count: 2,
		Files:  map[string][]*image.NRGBA{"fashionModelImage": {person}},
		Values: map[string]any{"maskType": "custom", "descriptionType": "auto", "generateVersion": "serviceFlash"},
	}
	seg, err := Segment(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	if seg.Wearer == nil || seg.Wearer.Face.Empty() {
		t.Fatal("the model was not found")
	}
	d, err := dress(seg.Wearer, flat(compose.Window(seg.Foreground, m.Bounds()), upperGarment))
	if err != nil {
		t.Fatal(err)
	}
	f := seg.Wearer.Face
	below := image.Rect(f.Min.X, f.Max.Y+f.Dy()/5, f.Max.X, f.Max.Y+f.Dy()*5/4)
	ground, stripes := shirtIn(d.picture, below)
	if all := below.Dx() * below.Dy(); 100*(ground+stripes) < 70*all || 12*stripes < ground {
		t.Errorf("below the face %d of %d pixels are the shirt's ground and %d its stripes", ground, all, stripes)
	}
	if ground, _ := shirtIn(d.picture, f.Inset(f.Dx()/5)); ground > 0 {
		t.Errorf("%d pixels of the shirt cover the face", ground)
	}
}

func TestAGarmentWithoutAModelStandsOnADummy(t *testing.T) {
	t.Parallel()
	src, m := shirt(160, 180)
	req := Request{
		Agent: "virtualtryon", Version: "v1.0", Original: src, CustomMask: m, Seed: 9, Count: 2,
		Values: map[string]any{"maskType": "custom", "descriptionType": "auto", "generateVersion": "partnerPro", "aspectRatio": "2:3", "imageSize": "1K"},
	}
	out := drawIt(t, req)
	if out.Rect.Size() != image.Pt(683, 1024) {
		t.Fatalf("2:3 at 1K is %v", out.Rect.Size())
	}
	ground, stripes := shirtIn(out, out.Rect)
	if ground+stripes < 683*1024/8 || stripes*10 < ground {
		t.Errorf("the shirt shows with %d pixels of its ground and %d of its stripes", ground, stripes)
	}
	garment := compose.Window(opaque(src, *m), m.Bounds())
	dummy := onDummy(garment)
	if dummy.Rect.Dy() <= garment.Rect.Dy() {
		t.Fatal("nothing of the dummy shows")
	}
	middle := dummy.Rect.Dx() / 2
	if c := dummy.NRGBAAt(middle, 10); c.A == 0 {
		t.Error("there is no neck above the collar")
	}
}

func TestThingsThatNobodyWearsGetNoDummy(t *testing.T) {
	t.Parallel()
	box := plain(80, 120, color.NRGBA{90, 60, 30, 255})
	bottle := image.NewNRGBA(image.Rect(0, 0, 60, 160))
	for y := range 160 {
		half := 28
		if y < 40 {
			half = 8
		}
		for x := 30 - half; x < 30+half; x++ {
			bottle.SetNRGBA(x, y, color.NRGBA{90, 60, 30, 255})
		}
	}
	src, m := shirt(160, 180)
	worn := compose.Window(opaque(src, *m), m.Bounds())
	for _, tt := range []struct {
		name, text string
		cut        *image.NRGBA
		want       int
	}{
		{"a box", "", box, notWorn},
		{"a bottle", "", bottle, notWorn},
		{"a shirt", "", worn, upperGarment},
		{"said to be a dress", "the dress of Figure 1", worn, wholeGarment},
		{"said to be trousers", "these trousers", bottle, lowerGarment},
	} {
		if got := garmentKind(tt.text, tt.cut); got != tt.want {
			t.Errorf("%s is of kind %d, want %d", tt.name, got, tt.want)
		}
	}
}
