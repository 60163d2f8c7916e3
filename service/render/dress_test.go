package render

import (
	"image"
	"image/color"
	"testing"

	"atelier/imaging"
	"atelier/imaging/compose"
	"atelier/imaging/mask"
)

func TestAGarmentIsAsWideAsTheBodyInEveryRow(t *testing.T) {
	t.Parallel()
	w, err := wearerOf(t.Context(), portrait(t, "Kenji", 360, 600), usualEngine)
	if err != nil {
		t.Fatal(err)
	}
	body := figureOf(w.Matte, w.Face)
	for _, tt := range []struct {
		name string
		w, h int
	}{{"narrow", 96, 180}, {"as it is", 160, 180}, {"wide", 240, 180}, {"small", 40, 45}} {
		src, m := shirt(tt.w, tt.h)
		garment := compose.Window(opaque(src, *m), m.Bounds())
		d, err := dress(w, flat(garment, upperGarment))
		if err != nil {
			t.Fatal(err)
		}
		rows := 0
		for y := int(body.row(0.08)); y < min(d.picture.Rect.Dy(), int(body.row(0.9))); y++ {
			from, to := int(body.axis[y]-body.trunk[0][y])+3, int(body.axis[y]+body.trunk[1][y])-3
			covered, all := 0, 0
			for x := max(0, from); x < min(d.picture.Rect.Dx(), to); x++ {
				if w.Head.Kept(x, y) || !w.Matte.Kept(x, y) {
					continue
				}
				all++
				if unlike(d.picture, w.Picture, image.Rect(x, y, x+1, y+1)) > 12 {
					covered++
				}
			}
			if rows++; 100*covered < 88*all {
				t.Errorf("%s: in row %d the shirt covers %d of %d columns of the body", tt.name, y, covered, all)
				break
			}
		}
		if rows < 20 {
			t.Fatalf("only %d rows of the body are in the picture", rows)
		}
	}
}

// greyFigure is a figure of a grey person with arms that hang off the body, its outline and its face.
func greyFigure() (*image.NRGBA, mask.Plane, image.Rectangle) {
	img := plain(300, 700, color.NRGBA{200, 205, 210, 255})
	m := mask.New(300, 700)
	for _, r := range []image.Rectangle{
		{image.Pt(122, 40), image.Pt(178, 120)},  // head
		{image.Pt(138, 110), image.Pt(162, 150)}, // neck
		{image.Pt(96, 145), image.Pt(204, 310)},  // trunk
		{image.Pt(68, 150), image.Pt(90, 300)},   // arms
		{image.Pt(90, 150), image.Pt(96, 190)},
		{image.Pt(210, 150), image.Pt(232, 300)},
		{image.Pt(204, 150), image.Pt(210, 190)},
		{image.Pt(100, 300), image.Pt(146, 690)}, // legs
		{image.Pt(154, 300), image.Pt(200, 690)},
	} {
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				img.SetNRGBA(x, y, color.NRGBA{120, 110, 116, 255})
				m.Set(x, y, 255)
			}
		}
	}
	return img, m, image.Rect(122, 55, 178, 118)
}

func TestSleevesLieAlongTheArmsAndHandsStayFree(t *testing.T) {
	t.Parallel()
	img, matte, face := greyFigure()
	none := mask.New(300, 700)
	w := &Wearer{Picture: img, Matte: matte, Face: face, Head: none, Upper: none, Lower: none}
	d, err := dress(w, flat(sleevedShirt(), upperGarment))
	if err != nil {
		t.Fatal(err)
	}
	is := func(c color.NRGBA, red bool) bool {
		if red {
			return int(c.R) > int(c.B)+60
		}
		return int(c.B) > int(c.R)+60
	}
	for _, at := range []image.Point{{79, 220}, {221, 220}, {110, 165}, {190, 165}, {110, 190}, {190, 190}} {
		if at.Y < 200 {
			if c := d.picture.NRGBAAt(at.X, at.Y); !is(c, false) && !is(c, true) {
				t.Errorf("the shoulder at %v is bare: %v", at, c)
			}
			continue
		}
		if c := d.picture.NRGBAAt(at.X, at.Y); !is(c, false) {
			t.Errorf("the arm at %v is %v, not the sleeve's blue", at, c)
		}
	}
	for y := 215; y < 290; y += 10 {
		for _, x := range []int{100, 150, 200} {
			if c := d.picture.NRGBAAt(x, y); !is(c, true) {
				t.Errorf("the trunk at (%d, %d) is %v, not the shirt's red", x, y, c)
			}
		}
	}
	for _, at := range []image.Point{{79, 297}, {221, 297}, {120, 500}, {150, 80}} {
		if c := d.picture.NRGBAAt(at.X, at.Y); is(c, true) || is(c, false) {
			t.Errorf("hands, legs and face stay as they are; at %v is %v", at, c)
		}
	}
	if c := d.picture.NRGBAAt(20, 220); c != img.NRGBAAt(20, 220) {
		t.Errorf("far from the person the picture changed to %v", c)
	}
}

// Trousers of somebody who stands otherwise, the ground between their legs cut out with them and one leg shorter: each leg lies on
// one of the body, as long as the other, and the ground stays where it was.
func TestEachTrouserLegLiesOnALeg(t *testing.T) {
	t.Parallel()
	img, matte, face := greyFigure()
	none := mask.New(300, 700)
	w := &Wearer{Picture: img, Matte: matte, Face: face, Head: none, Upper: none, Lower: none}
	red, blue, ground := color.NRGBA{200, 30, 30, 255}, color.NRGBA{30, 30, 200, 255}, color.NRGBA{60, 160, 70, 255}
	photo := plain(300, 700, ground)
	worn, outline := mask.New(300, 700), matte.Clone()
	outline.FillRect(image.Rect(0, 311, 300, 700), 0)
	for y := 290; y < 690; y++ {
		for x := 92; x < 216; x++ {
			c := ground
			switch {
			case x < 135 || y < 340 && x < 150:
				c = red
			case x >= 170 && y < 620 || y < 340:
				c = blue
			case x >= 170:
				continue
			}
			outline.Set(x, y, 255)
			if y < 660 || c == red {
				photo.SetNRGBA(x, y, c)
				worn.Set(x, y, 255)
			}
			if c == ground && y > 600 {
				worn.Set(x, y, 0)
			}
		}
	}
	c := clothing{cut: compose.CutOut(photo, worn), body: figureOf(worn, face), kind: lowerGarment}
	c.body.clearGround(photo, c.cut)
	if !c.body.legs {
		t.Fatal("the trousers have no legs")
	}
	d, err := dress(w, c)
	if err != nil {
		t.Fatal(err)
	}
	for y := 440; y < 600; y += 20 {
		for _, x := range []int{104, 123, 142, 158, 177, 196} {
			got := d.picture.NRGBAAt(x, y)
			if left := x < 150; left && int(got.R) < int(got.B)+60 || !left && int(got.B) < int(got.R)+60 {
				t.Errorf("the leg at (%d, %d) is %v", x, y, got)
			}
		}
		if got := d.picture.NRGBAAt(150, y); int(got.G) > int(got.R)+40 {
			t.Errorf("between the legs at %d is %v, the ground of another picture", y, got)
		}
	}
}

func TestWhatWasWornBeforeTakesTheGarmentsColour(t *testing.T) {
	t.Parallel()
	img, matte, face := greyFigure()
	upper := mask.New(300, 700)
	yellow := color.NRGBA{220, 200, 40, 255}
	for _, r := range []image.Rectangle{image.Rect(96, 145, 204, 300), image.Rect(68, 150, 96, 290), image.Rect(204, 150, 232, 290)} {
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				if matte.Kept(x, y) {
					img.SetNRGBA(x, y, yellow)
					upper.Set(x, y, 255)
				}
			}
		}
	}
	w := &Wearer{Picture: img, Matte: matte, Face: face, Head: mask.New(300, 700), Upper: upper, Lower: mask.New(300, 700)}
	garment := plain(100, 160, color.NRGBA{30, 60, 200, 255}) // without sleeves
	before := imaging.Clone(img)
	d, err := dress(w, flat(garment, upperGarment))
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []image.Point{{79, 250}, {221, 250}, {150, 220}} {
		if c := d.picture.NRGBAAt(at.X, at.Y); int(c.B) < int(c.R)+40 {
			t.Errorf("at %v what was yellow is %v beside a blue garment", at, c)
		}
	}
	for i := range before.Pix {
		if before.Pix[i] != img.Pix[i] {
			t.Fatal("the person's own picture was changed")
		}
	}
}

// greyBust is the grey figure down to the chest, and sleevedShirt a flat one: red with blue sleeves that hang down beside it from row 50 on.
func greyBust() *Wearer {
	img, matte, face := greyFigure()
	const rows = 190
	cut := func(m mask.Plane) mask.Plane { return mask.Plane{W: m.W, H: rows, Pix: m.Pix[:rows*m.W]} }
	none, head := mask.New(300, rows), mask.New(300, rows)
	head.FillRect(image.Rect(122, 40, 178, 120), 255)
	return &Wearer{Picture: imaging.Clone(compose.Window(img, image.Rect(0, 0, 300, rows))), Matte: cut(matte), Face: face, Head: head, Upper: none, Lower: none}
}

func sleevedShirt() *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, 200, 200))
	for y := range 190 {
		for x := range 200 {
			switch {
			case x >= 50 && x < 150:
				img.SetNRGBA(x, y, color.NRGBA{200, 30, 30, 255})
			case y < 150 && (x >= 6 && x < 40 || x >= 160 && x < 194), y < 50 && x >= 6 && x < 194:
				img.SetNRGBA(x, y, color.NRGBA{30, 30, 200, 255})
			}
		}
	}
	return img
}

// A picture of head and shoulders gets rows below in which the garment keeps its shape, and nothing of what is worn sticks out of it.
func TestAPortraitIsLengthenedForAGarment(t *testing.T) {
	t.Parallel()
	w := greyBust()
	worn := flat(sleevedShirt(), upperGarment)
	long := w.lengthened(worn)
	if long.Picture.Rect.Dy() < 215 || long.Picture.Rect.Dx() != 300 || long.Face != w.Face {
		t.Fatalf("the picture of 300 × 190 became %v, the face at %v is at %v", long.Picture.Rect.Size(), w.Face, long.Face)
	}
	for _, m := range []mask.Plane{long.Matte, long.Head, long.Upper, long.Lower} {
		if m.Rect() != long.Picture.Rect {
			t.Errorf("a mask of %v beside a picture of %v", m.Rect().Size(), long.Picture.Rect.Size())
		}
	}
	d, err := dress(long, worn)
	if err != nil {
		t.Fatal(err)
	}
	seen := compose.CutOut(d.picture, d.matte)
	red := func(c color.NRGBA) bool { return c.A > 128 && int(c.R) > int(c.B)+60 && int(c.R) > int(c.G)+60 }
	blue := func(c color.NRGBA) bool { return c.A > 128 && int(c.B) > int(c.R)+60 }
	across := func(y int, is func(color.NRGBA) bool) (n int) {
		for x := range 300 {
			if is(seen.NRGBAAt(x, y)) {
				n++
			}
		}
		return n
	}
	all := func(c color.NRGBA) bool { return c.A > 128 }
	top, parted, widest := -1, -1, 0
	for y := range seen.Rect.Dy() {
		switch n := across(y, all); {
		case top < 0 && across(y, blue) > 10:
			top = y
		case top >= 0 && parted < 0 && n < widest-10:
			parted = y
		case top >= 0:
			widest = max(widest, n)
		}
	}
	if parted < 0 {
		t.Fatalf("the sleeves hang free nowhere below row %d", top)
	}
	last := seen.Rect.Dy() - 1
	scale := float64(across(last, red)) / 100
	if down := float64(parted-top) / scale; down < 42 || down > 58 {
		t.Errorf("at %.2f times its size the sleeves hang free after %.0f of its rows, want 50 (rows %d to %d)", scale, down, top, parted)
	}
	if n := across(last, blue); n < int(40*scale) {
		t.Errorf("at the end of the picture %d px are sleeves", n)
	}
	for y := parted; y <= last; y++ {
		if grey := across(y, all) - across(y, red) - across(y, blue); grey > 12 {
			t.Fatalf("in row %d %d px of what is worn below show", y, grey)
		}
	}
	if c := seen.NRGBAAt(150, 80); c.A < 250 || red(c) || blue(c) {
		t.Errorf("the face is %v", c)
	}
	for y := 110; y < top+4; y++ {
		if seen.NRGBAAt(150, y).A < 200 {
			t.Errorf("between head and garment there is nothing in row %d", y)
			break
		}
	}
}

func TestNoOneIsLengthenedWithoutNeed(t *testing.T) {
	t.Parallel()
	img, matte, face := greyFigure()
	none := mask.New(300, 700)
	whole := &Wearer{Picture: img, Matte: matte, Face: face, Head: none, Upper: none, Lower: none}
	haired := greyBust()
	haired.Head.FillRect(image.Rect(122, 120, 178, 190), 255)
	vest := sleevedShirt()
	for y := range 200 {
		for x := range 200 {
			if x < 50 || x >= 150 {
				vest.SetNRGBA(x, y, color.NRGBA{})
			}
		}
	}
	for _, tt := range []struct {
		name string
		w    *Wearer
		c    clothing
	}{
		{"somebody seen whole", whole, flat(sleevedShirt(), upperGarment)},
		{"hair that the frame cuts off", haired, flat(sleevedShirt(), upperGarment)},
		{"arms that nothing would cover", greyBust(), flat(compose.Window(vest, image.Rect(50, 0, 150, 190)), upperGarment)},
		{"trousers", greyBust(), flat(sleevedShirt(), lowerGarment)},
	} {
		if got := tt.w.lengthened(tt.c); got != tt.w {
			t.Errorf("%s: %d rows became %d", tt.name, tt.w.Matte.H, got.Matte.H)
		}
	}
}
