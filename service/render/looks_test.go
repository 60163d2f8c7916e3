package render

import (
	"image"
	"image/color"
	"math"
	"testing"

	"atelier/imaging"
	"atelier/imaging/compose"
	"atelier/imaging/lettering"
	"atelier/imaging/mask"
)

// made renders one item of an agent from a picture whose head is known.
func made(t *testing.T, agent, text string, item int, img *image.NRGBA, seg Segmentation) *image.NRGBA {
	t.Helper()
	out, err := Render(t.Context(), Request{Agent: agent, Original: img, Values: map[string]any{"textDescription": text}, Seed: 5, Item: item, Count: 4}, seg)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// shareOf is the share of the pixels within r that are so.
func shareOf(img *image.NRGBA, r image.Rectangle, so func(r, g, b int) bool) float64 {
	r = r.Intersect(img.Rect)
	n := 0
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			p := img.Pix[img.PixOffset(x, y):]
			if so(int(p[0]), int(p[1]), int(p[2])) {
				n++
			}
		}
	}
	return float64(n) / math.Max(1, float64(r.Dx()*r.Dy()))
}

// roughness is how much neighbouring pixels within r differ, in levels.
func roughness(img *image.NRGBA, r image.Rectangle) float64 {
	sum, n := 0.0, 0.0
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			sum += math.Abs(lightOf(img.Pix[img.PixOffset(x+1, y):]) - lightOf(img.Pix[img.PixOffset(x, y):]))
			n++
		}
	}
	return sum / n
}

func around2(p spot, rx, ry float64) image.Rectangle {
	return image.Rect(int(p.x-rx), int(p.y-ry), int(p.x+rx), int(p.y+ry))
}

func TestSlowLooksDifferFromSource(t *testing.T) {
	t.Parallel()
	img, seg := sitter(t)
	src := worked(img)
	for agent, least := range map[string]float64{
		"anime-image-converter": 14, "ghibli-art-create": 14, "ai-selfie": 30, "ai-headshot-generator": 20, "image-to-sketch": 40, "ps2-filter": 8,
	} {
		out := made(t, agent, "", 0, img, seg)
		if out.Rect.Size() != src.Rect.Size() {
			out = imaging.Resize(out, src.Rect.Dx(), src.Rect.Dy())
		}
		if d := unlike(out, src, src.Rect); d < least {
			t.Errorf("%s differs from its source by %.1f levels, want %.0f", agent, d, least)
		}
	}
	// A drawn film is more colourful than life, and what is flat in it is flat.
	anime := made(t, "anime-image-converter", "", 0, img, seg)
	chroma := func(img *image.NRGBA) float64 {
		sum := 0.0
		for i := 0; i < len(img.Pix); i += 4 {
			sum += float64(max(img.Pix[i], img.Pix[i+1], img.Pix[i+2])) - float64(min(img.Pix[i], img.Pix[i+1], img.Pix[i+2]))
		}
		return sum / float64(len(img.Pix)/4)
	}
	if a, b := chroma(anime), chroma(src); a < 1.2*b {
		t.Errorf("the drawn film has %.0f of colour, its source %.0f", a, b)
	}
}

func TestSlowSelfieIsCloser(t *testing.T) {
	t.Parallel()
	img, seg := sitter(t)
	small := image.NewNRGBA(image.Rect(0, 0, 600, 750))
	flood(small, color.NRGBA{150, 170, 160, 255})
	compose.Over(small, img, image.Pt(100, 250))
	for item := range 2 {
		out := made(t, "ai-selfie", "", item, small, seg)
		face, _, ok, err := faceOf(out)
		if err != nil {
			t.Fatal(err)
		}
		was := float64(seg.Faces[0].Dy()) / 750
		if now := float64(face.Dy()) / float64(out.Rect.Dy()); !ok || now < 1.3*was {
			t.Errorf("item %d: the face takes %.2f of the height, it took %.2f", item, now, was)
		}
	}
}

func TestSlowSkinTakesAnotherComplexionAndClothesDoNot(t *testing.T) {
	t.Parallel()
	img, seg := sitter(t)
	f := featuresOf(img, seg.Faces[0])
	cheek := f.at(0.45, 0.75)
	was := toneIn(img, cheek, 5)
	for text, want := range map[string]int{"deep": 4, "porcelain": 0} {
		out := made(t, "skin-color-changer", text, 0, img, seg)
		now := toneIn(out, cheek, 5)
		if target := complexions[want]; math.Abs(now[0]-target[0]) > 9 {
			t.Errorf("%s: the cheek has lightness %.0f, want about %.0f", text, now[0], target[0])
		}
		if d := labApart(toneIn(out, spot{200, 484}, 6), toneIn(img, spot{200, 484}, 6)); d > 4 {
			t.Errorf("%s: the clothes changed by %.1f", text, d)
		}
	}
	// Without words each item shows another one, the first far from the person's own.
	first, second := toneIn(made(t, "skin-color-changer", "", 0, img, seg), cheek, 5), toneIn(made(t, "skin-color-changer", "", 1, img, seg), cheek, 5)
	if math.Abs(first[0]-was[0]) < 18 || math.Abs(first[0]-second[0]) < 6 {
		t.Errorf("the cheek of lightness %.0f becomes %.0f and %.0f", was[0], first[0], second[0])
	}
}

func TestSlowSpotsGoAndFeaturesStay(t *testing.T) {
	t.Parallel()
	img, seg := sitter(t)
	f := featuresOf(img, seg.Faces[0])
	src := imaging.Clone(img)
	var spots []spot
	for i := range 6 {
		p := f.at(0.64-0.22*float64(i%2), 0.5+0.2*float64(i/2))
		spots = append(spots, p)
		oval(p.x, p.y, 2, 2, 0).fill(src, color.NRGBA{150, 60, 50, 255})
	}
	contrast := func(img *image.NRGBA) float64 {
		sum := 0.0
		for _, p := range spots {
			sum += labApart(toneIn(img, p, 1), toneIn(img, spot{p.x + 6, p.y}, 1))
		}
		return sum / float64(len(spots))
	}
	before := contrast(src)
	for _, agent := range []string{"ai-blemish-remover", "photo-wrinkle-remover"} {
		out := made(t, agent, "", 0, src, seg)
		if after := contrast(out); after > 0.35*before {
			t.Errorf("%s: spots stood out by %.1f and still do by %.1f", agent, before, after)
		}
		for name, p := range map[string]spot{"left eye": f.left, "right eye": f.right} {
			if d := unlike(out, src, around2(p, 4, 3)); d > 6 {
				t.Errorf("%s: the %s changed by %.1f levels", agent, name, d)
			}
		}
	}
}

func TestSlowLinesOfAgeAreTakenAway(t *testing.T) {
	t.Parallel()
	img, seg := sitter(t)
	f := featuresOf(img, seg.Faces[0])
	old := made(t, "ai-aging", "", 2, img, seg)
	s := f.span()
	forehead := around2(f.at(0, -0.82), 0.5*s, 0.2*s)
	young := made(t, "photo-wrinkle-remover", "", 0, old, seg)
	if a, b := roughness(young, forehead), roughness(old, forehead); a > 0.6*b {
		t.Errorf("the forehead is as rough as %.2f, it was %.2f", a, b)
	}
}

func TestSlowOtherGenderShows(t *testing.T) {
	t.Parallel()
	img, seg := sitter(t)
	f := featuresOf(img, seg.Faces[0])
	s := f.span()
	man := made(t, "gender-swap", "as a man", 0, img, seg)
	for _, side := range []float64{-0.4, 0.4} {
		jaw := f.at(side, 1.42)
		if was, now := toneIn(img, jaw, 4), toneIn(man, jaw, 4); now[0] > was[0]-10 {
			t.Errorf("the jaw of lightness %.0f bears a beard of %.0f", was[0], now[0])
		}
	}
	img, seg = bareSitter(t)
	woman := made(t, "gender-swap", "as a woman", 0, img, seg)
	if was, now := toneIn(img, f.mouth, 2), toneIn(woman, f.mouth, 2); now[1] < was[1]+6 {
		t.Errorf("the lips have red %.0f, they had %.0f", now[1], was[1])
	}
	for _, side := range []float64{-1, 1} {
		beside := around2(f.at(side*1.22, 1.2), 0.1*s, 0.3*s)
		if d := unlike(woman, img, beside); d < 12 {
			t.Errorf("hair beside the cheek changed the picture by %.1f levels only", d)
		}
	}
}

func TestSlowAManOfAWomanHasShortHair(t *testing.T) {
	t.Parallel()
	img, seg := sitter(t)
	f := featuresOf(img, seg.Faces[0])
	s := f.span()
	hair := toneIn(img, f.at(-1.15, 0.9), 4)
	like := func(img *image.NRGBA, r image.Rectangle) float64 {
		return shareOf(img, r, func(r, g, b int) bool {
			return labApart(compose.Lab(uint8(r), uint8(g), uint8(b)), hair) < 12
		})
	}
	for item := range 2 {
		out := made(t, "gender-swap", "as a man", item, img, seg)
		for _, side := range []float64{-1, 1} {
			// Below the ears, where hair hung beside neck and jaw.
			hung := around2(f.at(side*1.35, 1.5), 0.3*s, 0.7*s)
			if was, now := like(img, hung), like(out, hung); was < 0.3 || now > 0.35*was {
				t.Errorf("item %d: beside the jaw %.2f is hair, it was %.2f", item, now, was)
			}
		}
		for _, side := range []float64{-1, 1} {
			if d := labApart(toneIn(out, f.at(side*1.3, 2.9), 3), toneIn(img, spot{200, 484}, 6)); d > 16 {
				t.Errorf("item %d: below the hair that is gone the shoulder is %.0f from the cloth", item, d)
			}
		}
		crown := around2(f.at(0, -1.45), 0.4*s, 0.12*s)
		if was, now := like(img, crown), like(out, crown); now < 0.5*was {
			t.Errorf("item %d: on the crown %.2f is hair, it was %.2f", item, now, was)
		}
	}
}

func TestSlowBaldHeadKeepsItsJaw(t *testing.T) {
	t.Parallel()
	img, seg := sitter(t)
	f := featuresOf(img, seg.Faces[0])
	s := f.span()
	for _, agent := range []string{"bald-filter", "buzz-cut-ai"} {
		out := made(t, agent, "", 0, img, seg)
		if d := unlike(out, img, around2(f.at(0, 0.9), 0.7*s, 0.6*s)); d > 1 {
			t.Errorf("%s: mouth and jaw changed by %.1f levels", agent, d)
		}
	}
	bald := made(t, "bald-filter", "", 0, img, seg)
	again, err := Segment(t.Context(), Request{Agent: "bald-filter", Original: bald})
	if err != nil {
		t.Fatal(err)
	}
	if d := unlike(made(t, "bald-filter", "", 0, bald, again), bald, bald.Rect); d > 1.5 {
		t.Errorf("a bald head made bald changes by %.1f levels", d)
	}
}

func TestAFigureBecomesThreeHeadsHigh(t *testing.T) {
	t.Parallel()
	img, body, face := greyFigure()
	head := mask.New(300, 700)
	skin, cloth := color.NRGBA{226, 176, 148, 255}, color.NRGBA{40, 70, 190, 255}
	for y := range 700 {
		for x := range 300 {
			switch {
			case !body.Kept(x, y):
			case y < 130:
				img.SetNRGBA(x, y, skin)
				head.Set(x, y, 255)
			default:
				img.SetNRGBA(x, y, cloth)
			}
		}
	}
	seg := Segmentation{Mask: head, Matte: head, Subject: body, Faces: []image.Rectangle{face}}
	out := made(t, "chibi-maker", "", 0, img, seg)
	isSkin := func(r, g, b int) bool { return r > g+22 && g > b+8 && r > 150 }
	isCloth := func(r, _, b int) bool { return b > r+70 }
	before := shareOf(img, img.Rect, isSkin) / shareOf(img, img.Rect, isCloth)
	after := shareOf(out, out.Rect, isSkin) / shareOf(out, out.Rect, isCloth)
	if after < 4*before {
		t.Errorf("head to body is %.2f, it was %.2f", after, before)
	}
}

func TestSolidThingsAreLitFromTheUpperLeft(t *testing.T) {
	t.Parallel()
	disc := plain(200, 200, color.NRGBA{150, 120, 90, 255})
	m := mask.New(200, 200)
	for y := range 200 {
		for x := range 200 {
			if math.Hypot(float64(x)-100, float64(y)-100) < 80 {
				m.Set(x, y, 255)
			}
		}
	}
	solid(disc, m, 0.9, 0.16, 0.32)
	light, shade := toneIn(disc, spot{55, 50}, 6), toneIn(disc, spot{148, 152}, 6)
	if light[0] < shade[0]+15 {
		t.Errorf("the lit side has lightness %.0f, the other %.0f", light[0], shade[0])
	}
	if c := disc.NRGBAAt(5, 5); c != (color.NRGBA{150, 120, 90, 255}) {
		t.Errorf("beside it the picture changed to %v", c)
	}
}

func TestAThingComesForwardAndThrowsItsShadow(t *testing.T) {
	t.Parallel()
	src := still(320, 240)
	out := made(t, "2d-to-3d-image-converter", "", 0, src, Segmentation{})
	// The shadow falls to the right and below: there the table is darker than on the left.
	left, right := toneOf(out, image.Rect(83, 145, 89, 165)), toneOf(out, image.Rect(230, 145, 236, 165))
	if right[0] > left[0]-4 {
		t.Errorf("the table has lightness %.0f on the left and %.0f in the shadow", left[0], right[0])
	}
	if a, b := roughness(out, image.Rect(4, 4, 60, 40)), roughness(src, image.Rect(4, 4, 60, 40)); a > 0.5*b {
		t.Errorf("what lies behind is as rough as %.2f, it was %.2f", a, b)
	}
	model := made(t, "ai-3d-rendering", "", 0, src, Segmentation{})
	corner := image.Rect(4, 4, 60, 40)
	if r, d := roughness(model, corner), apart(toneOf(model, corner), toneOf(src, corner)); r > 0.6*roughness(src, corner) || d < 5 {
		t.Errorf("the model's stage is as rough as %.2f and %.1f from the table", r, d)
	}
}

func TestSlowMugshotHasChartAndPlacard(t *testing.T) {
	t.Parallel()
	img, seg := sitter(t)
	out := made(t, "mugshot-creator", "Harbour police", 0, img, seg)
	w, h := out.Rect.Dx(), out.Rect.Dy()
	// The chart's lines are dark rows at one distance near the edge.
	var rows []int
	for y := 1; y < h*3/4; y++ {
		if shareOf(out, image.Rect(2, y, w/50, y+1), func(r, _, _ int) bool { return r < 120 }) > 0.8 && (len(rows) == 0 || y > rows[len(rows)-1]+8) {
			rows = append(rows, y)
		}
	}
	if len(rows) < 5 {
		t.Fatalf("the chart has lines at %v", rows)
	}
	for i := 2; i < len(rows); i++ {
		if d := (rows[i] - rows[i-1]) - (rows[i-1] - rows[i-2]); d < -4 || d > 4 {
			t.Errorf("the chart's lines lie at %v", rows)
		}
	}
	placard := image.Rect(w*27/100, h*81/100, w*73/100, h*94/100)
	if dark := shareOf(out, placard, func(r, g, b int) bool { return r < 70 && g < 70 && b < 75 }); dark < 0.5 {
		t.Errorf("%.2f of the placard is dark", dark)
	}
	if chalk := shareOf(out, placard, func(r, g, b int) bool { return r > 200 && g > 200 && b > 190 }); chalk < 0.03 {
		t.Errorf("%.3f of the placard is lettering", chalk)
	}
	if _, _, ok, err := faceOf(out); err != nil || !ok {
		t.Errorf("a face in the mugshot: %v, %v", ok, err)
	}
}

func TestSlowLetteringIsSetAnew(t *testing.T) {
	t.Parallel()
	page := plain(640, 400, color.NRGBA{250, 248, 240, 255})
	hand, err := newHand(44, true)
	if err != nil {
		t.Fatal(err)
	}
	hand.middled(page, []string{"FRESH BREAD EVERY MORNING"}, 320, 100, color.NRGBA{20, 20, 24, 255})
	hand.middled(page, []string{"OPEN ON SUNDAYS TOO"}, 320, 310, color.NRGBA{20, 20, 24, 255})
	found := lettering.Find(page, lettering.Side).Boxes(640, 400)
	if len(found) == 0 {
		t.Fatal("no lettering was found")
	}
	out := made(t, "ai-translate", "Pain frais", 0, page, Segmentation{})
	band := found[0]
	if d := unlike(out, page, band); d < 8 {
		t.Errorf("where the lettering stood the picture changed by %.1f levels", d)
	}
	ink := func(r, _, _ int) bool { return r < 120 }
	if a := shareOf(out, band, ink); a < 0.01 {
		t.Errorf("%.3f of the band is lettering", a)
	}
	if d := unlike(out, page, image.Rect(0, 240, 640, 400)); d != 0 {
		t.Errorf("lettering without a line of its own changed by %.2f levels", d)
	}
	both := made(t, "ai-translate", "Pain frais\nDimanche\naussi", 0, page, Segmentation{})
	if unlike(both, out, image.Rect(0, 0, 640, 240)) != 0 || unlike(both, page, image.Rect(0, 240, 640, 400)) < 4 {
		t.Error("the second line is not set in the place of the second")
	}
	if less := made(t, "ai-translate", "Pain frais\nDimanche", 0, page, Segmentation{}); unlike(both, less, image.Rect(0, 240, 640, 400)) == 0 {
		t.Error("what is beyond the last line of lettering is left out")
	}
	if other := made(t, "ai-translate", "Frisches Brot", 0, page, Segmentation{}); unlike(other, out, band) == 0 {
		t.Error("other words look the same")
	}
}

// The lips of a laugh hang below the corners of the mouth, which its place is the middle of.
func TestTheLipsOfALaughAreGuarded(t *testing.T) {
	t.Parallel()
	f := features{left: spot{100, 100}, right: spot{200, 100}, mouth: spot{150, 200}}
	for place, want := range map[spot]float64{
		{150, 188}: 1, {150, 222}: 1, {125, 216}: 1, {175, 216}: 1, // lips
		{150, 245}: 0, {95, 190}: 0, {205, 190}: 0, {150, 60}: 0, // chin, cheeks, forehead
	} {
		if got := f.guarded(place.x, place.y); got != want {
			t.Errorf("at %v a face is guarded by %v, want %v", place, got, want)
		}
	}
}

// A neck in bright sun below a face in the shade is skin too: the design has room there.
func TestSlowTattooIsOnSkin(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"Malik", "Soo-ah"} {
		img := imaging.Clone(portrait(t, name, 400, 500))
		face, _, ok, err := faceOf(img)
		if err != nil || !ok {
			t.Fatalf("no face: %v", err)
		}
		for i := 0; i < face.Max.Y*img.Stride; i++ {
			if i%4 < 3 {
				img.Pix[i] = uint8(0.6 * float64(img.Pix[i]))
			}
		}
		_, y, r, ok, err := bareIn(t.Context(), img, 0)
		if err != nil || !ok || int(y) < face.Max.Y || 6*int(r) < face.Dx() {
			t.Errorf("%s: at row %.0f there is room for %.0f pixels (%v, %v), the face ends at row %d", name, y, r, ok, err, face.Max.Y)
		}
	}
}
