package render

import (
	"image"
	"image/color"
	"image/draw"
	"testing"

	"atelier/imaging/compose"
	"atelier/imaging/mask"
)

func TestTheHeadBringsNothingOfWhatLiesBehind(t *testing.T) {
	t.Parallel()
	wall, hair, skin := color.NRGBA{196, 226, 40, 255}, color.NRGBA{46, 32, 26, 255}, color.NRGBA{206, 160, 130, 255}
	src := image.NewNRGBA(image.Rect(0, 0, 200, 200))
	fillWith := func(r image.Rectangle, c color.NRGBA) {
		draw.Draw(src, r, image.NewUniform(c), image.Point{}, draw.Src)
	}
	fillWith(src.Rect, wall)
	whole, missed := image.Rect(60, 40, 140, 160), image.Rect(140, 40, 156, 90)
	fillWith(whole, hair)
	fillWith(image.Rect(75, 70, 125, 150), skin)
	fillWith(missed, hair)
	found := mask.New(200, 200)
	found.FillRect(whole, 255)
	head := mask.New(200, 200)
	head.FillRect(image.Rect(44, 40, 156, 160), 255)
	seg := Segmentation{Faces: []image.Rectangle{image.Rect(72, 68, 128, 152)}, Foreground: opaque(src, found)}
	got := seg.ofPerson(src, head)
	for name, c := range map[string]struct {
		at   image.Rectangle
		want bool
	}{"hair that the other search missed": {missed.Inset(3), true}, "the wall on one side": {image.Rect(46, 50, 58, 150), false}, "the wall below the hair": {image.Rect(142, 96, 154, 150), false}, "the face": {image.Rect(80, 80, 120, 140), true}} {
		if share := coverage(got, c.at); c.want && share < 0.98 || !c.want && share > 0.02 {
			t.Errorf("of %s %.2f is part of the head", name, share)
		}
	}
}

func TestWhatIsAddedToACutOutHasItsOwnColours(t *testing.T) {
	t.Parallel()
	src, matte := image.NewNRGBA(image.Rect(0, 0, 120, 80)), mask.New(120, 80)
	eachPixel(src, func(x, y int, p []uint8) {
		a := smooth((66 - float64(x)) / 8)
		for k, c := range [3][2]float64{{46, 196}, {32, 226}, {26, 40}} {
			p[k] = byte255(a*c[0] + (1-a)*c[1])
		}
		p[3] = 255
		matte.Pix[y*120+x] = byte255(255 * a)
	})
	left := mask.New(120, 80)
	left.FillRect(image.Rect(0, 0, 40, 80), 255)
	seg := Segmentation{Foreground: opaque(src, left)}
	seg.include(src, matte)
	for x := 60; x < 65; x++ {
		p, q := seg.Foreground.Pix[seg.Foreground.PixOffset(x, 40):], src.Pix[src.PixOffset(x, 40):]
		hair := compose.Lab(46, 32, 26)
		if got, was := apart(compose.Lab(p[0], p[1], p[2]), hair), apart(compose.Lab(q[0], q[1], q[2]), hair); got > 0.6*was || p[3] != matte.At(x, 40) {
			t.Errorf("at %d the colour %v lies %.0f from that of the hair, the picture's %.0f", x, p[:4], got, was)
		}
	}
}

func TestSkinInTheSunOrBelowAFringeIsNoHair(t *testing.T) {
	t.Parallel()
	img := portrait(t, "Kenji", 360, 450)
	face, at, ok, err := faceOf(img)
	if err != nil || !ok {
		t.Fatal("no face is found: ", err)
	}
	tone, lock := skinTone(img, face), compose.Lab(40, 30, 26)
	tone[0] -= 20 // in the shade
	h := head{face: face, hair: mask.New(360, 450), ok: true}
	h.hair.Fill(255)
	around := func(across, below float64) image.Rectangle {
		return around2(at.at(across, below), 0.12*at.span(), 0.12*at.span())
	}
	paint := func(r image.Rectangle, c color.NRGBA) {
		draw.Draw(img, r, image.NewUniform(c), image.Point{}, draw.Src)
	}
	paint(around(0.9, 0.7), color.NRGBA{250, 226, 200, 255})
	paint(around(0.2, -0.75), color.NRGBA{190, 140, 116, 255})
	paint(around(0.2, -1), color.NRGBA{44, 34, 30, 255})
	paint(around(-0.9, 0.7), color.NRGBA{70, 56, 50, 255})
	got := likeness{img: img, face: face, at: at}.notHair(h, lock, tone)
	for name, c := range map[string]struct {
		at   image.Rectangle
		want bool
	}{"the cheek in the sun": {around(0.9, 0.7), true}, "the forehead": {around(0.2, -0.75), true}, "the fringe": {around(0.2, -1), false}, "a lock beside the cheek": {around(-0.9, 0.7), false}} {
		if share := coverage(got, c.at.Inset(3)); c.want && share < 0.9 || !c.want && share > 0.1 {
			t.Errorf("of %s %.2f is told from hair", name, share)
		}
	}
}

func TestSlowShadedNeckTakesNewTone(t *testing.T) {
	t.Parallel()
	src, from := portrait(t, "Soo-ah", 360, 450), portrait(t, "Malik", 360, 450)
	face, _, ok, err := faceOf(src)
	if err != nil || !ok {
		t.Fatal("no face is found: ", err)
	}
	// Light skin has more colour in the shade than in the light.
	tone := skinTone(src, face)
	throat := image.Rect(face.Min.X+face.Dx()/4, face.Max.Y, face.Max.X-face.Dx()/4, face.Max.Y+face.Dy()/4)
	for y := throat.Min.Y; y < throat.Max.Y; y++ {
		for x := throat.Min.X; x < throat.Max.X; x++ {
			p := src.Pix[src.PixOffset(x, y):]
			if lab := compose.Lab(p[0], p[1], p[2]); likeSkin(lab, tone) > 0.5 {
				p[0], p[1], p[2] = compose.RGB([3]float64{0.6 * lab[0], 1.7 * lab[1], 1.7 * lab[2]})
			}
		}
	}
	out := drawIt(t, Request{
		Agent: "aimodel", Version: "v1.0", Original: src, FashionModel: from, Who: whoIs(t, "Malik"), Count: 4,
		Values: map[string]any{"maskType": "autoApparelSegment", "generatedContent": "freeCreation", "textDescription": "grey studio"},
	})
	below := image.Rect(face.Min.X+face.Dx()*2/5, face.Max.Y+face.Dy()/16, face.Max.X-face.Dx()*2/5, face.Max.Y+face.Dy()/5)
	if was, got := toneOf(src, below), toneOf(out, below); got[0] > was[0]-8 {
		t.Errorf("the neck went from %.0f to %.0f and the face from %.0f to %.0f", was, got, tone, skinTone(out, face))
	}
}

func paintLab(img *image.NRGBA, r image.Rectangle, lab [3]float64) {
	c := color.NRGBA{A: 255}
	c.R, c.G, c.B = compose.RGB(lab)
	draw.Draw(img, r, image.NewUniform(c), image.Point{}, draw.Src)
}

func TestSunAndShadeOnBareSkinAreSkinBesideIt(t *testing.T) {
	t.Parallel()
	tone := [3]float64{66, 14, 18}
	figure := image.NewNRGBA(image.Rect(0, 0, 200, 200))
	paint := func(r image.Rectangle, lab [3]float64) { paintLab(figure, r, lab) }
	leg, sun, shade, sock, far := image.Rect(20, 120, 60, 190), image.Rect(36, 120, 44, 190), image.Rect(52, 120, 60, 190), image.Rect(20, 190, 60, 200), image.Rect(140, 120, 180, 190)
	paint(leg, tone)
	paint(sun, [3]float64{93, 4, 8})
	paint(shade, [3]float64{40, 20, 28})
	paint(sock, [3]float64{96, 0, 0})
	paint(far, [3]float64{93, 4, 8})
	seg := Segmentation{Faces: []image.Rectangle{image.Rect(80, 10, 120, 50)}, Mask: mask.New(200, 200)}
	got := bareSkin(figure, seg, tone)
	for name, c := range map[string]struct {
		at   image.Rectangle
		want bool
	}{"a leg": {image.Rect(22, 122, 34, 186), true}, "sun on it": {sun.Inset(1), true}, "shade on it": {shade.Inset(1), true}, "a white sock": {sock.Inset(2), false}, "a pale thing elsewhere": {far, false}} {
		if share := coverage(got, c.at); c.want && share < 0.95 || !c.want && share > 0.2 {
			t.Errorf("of %s %.2f is told to be skin", name, share)
		}
	}
}

func TestDeepShadeThatSkinSurroundsIsSkinAndWhatIsWornThereIsNot(t *testing.T) {
	t.Parallel()
	tone, deep := [3]float64{50, 23, 23}, [3]float64{24, 22, 19}
	figure := image.NewNRGBA(image.Rect(0, 0, 200, 200))
	paint := func(r image.Rectangle, lab [3]float64) { paintLab(figure, r, lab) }
	skin, shade, pendant, hair := image.Rect(20, 80, 180, 180), image.Rect(50, 100, 66, 126), image.Rect(110, 100, 126, 126), image.Rect(90, 20, 106, 126)
	paint(skin, tone)
	paint(shade, deep)
	paint(pendant, [3]float64{40, -20, -10})
	paint(hair, deep)
	seg := Segmentation{Faces: []image.Rectangle{image.Rect(130, 10, 180, 60)}, Mask: mask.New(200, 200)}
	got := bareSkin(figure, seg, tone)
	for name, c := range map[string]struct {
		at   image.Rectangle
		want bool
	}{"deep shade on skin": {shade, true}, "a pendant": {pendant.Inset(4), false}, "hair of the shade's colour": {hair.Inset(4), false}} {
		if share := coverage(got, c.at); c.want && share < 0.98 || !c.want && share > 0.3 {
			t.Errorf("of %s %.2f is told to be skin", name, share)
		}
	}
}
