package render

import (
	"image"
	"image/color"
	"math"
	"slices"
	"strings"
	"testing"

	"atelier/imaging"
	"atelier/imaging/compose"
	"atelier/imaging/lettering"
	"atelier/imaging/mask"
	"atelier/imaging/segment"
	"atelier/service/presets"
)

// What an agent's name promises, measured in its picture.

func TestSlowAnElfHasEarsBesideTheHead(t *testing.T) {
	t.Parallel()
	img, seg := sitter(t)
	f := featuresOf(img, seg.Faces[0])
	out := made(t, "ai-elf", "", 0, img, seg)
	cheek := toneIn(out, f.at(0.45, 0.75), 5)
	for _, side := range []float64{-1, 1} {
		ear := f.at(side*1.4, -0.3)
		if now := labApart(toneIn(out, ear, 2), cheek); now > 24 {
			t.Errorf("the ear on side %.0f is %.0f from the skin's colour", side, now)
		}
		if d := unlike(out, img, around2(ear, 2, 2)); d < 12 {
			t.Errorf("where the ear on side %.0f is the picture changed by %.1f levels", side, d)
		}
		// The ear grows out of the cheek without a dark seam.
		for _, at := range []spot{f.at(side*1.14, 0.24), f.at(side*1.24, 0.1)} {
			if lobe := toneIn(out, at, 2); lobe[0] < cheek[0]-14 {
				t.Errorf("the lobe on side %.0f has lightness %.0f, the cheek %.0f", side, lobe[0], cheek[0])
			}
		}
	}
}

func TestSlowFullerFigureIsWider(t *testing.T) {
	t.Parallel()
	img := mannequin(t)
	out := made(t, "fat-ai", "", 0, img, Segmentation{})
	if a, b := widthAt(t, out, 0.5), widthAt(t, img, 0.5); a < 1.12*b {
		t.Errorf("the waist is %.0f pixels wide, it was %.0f", a, b)
	}
}

// mannequin is a dressed figure from head to foot.
func mannequin(t *testing.T) *image.NRGBA {
	t.Helper()
	for _, s := range presets.Samples() {
		if s.Slug == "mannequin" {
			img, err := s.Draw(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			return imaging.Fit(img, 480, 480)
		}
	}
	t.Fatal("there is no mannequin among the samples")
	return nil
}

// widthAt is how wide the subject of a picture is at a share of its own height.
func widthAt(t *testing.T, img *image.NRGBA, level float64) float64 {
	t.Helper()
	r, err := segment.Subject(t.Context(), img, segment.Options{Hard: true})
	if err != nil {
		t.Fatal(err)
	}
	b := r.Mask.Bounds()
	n := 0.0
	for _, v := range r.Mask.Row(b.Min.Y + int(level*float64(b.Dy()))) {
		if v >= mask.Level {
			n++
		}
	}
	return n
}

func TestSlowHairTakesTheColourThatIsNamedAndTheFaceDoesNot(t *testing.T) {
	t.Parallel()
	img, seg := sitter(t)
	f := featuresOf(img, seg.Faces[0])
	strand, cheek := f.at(-1.15, 0.9), f.at(0.45, 0.75)
	for _, agent := range []string{"hair-color-try-on", "ai-hair-color-changer"} {
		out := made(t, agent, "navy blue", 0, img, seg)
		if was, now := toneIn(img, strand, 4), toneIn(out, strand, 4); now[2] > was[2]-12 {
			t.Errorf("%s: the hair has yellow %.0f, it had %.0f", agent, now[2], was[2])
		}
		if d := labApart(toneIn(img, cheek, 4), toneIn(out, cheek, 4)); d > 3 {
			t.Errorf("%s: the cheek changed by %.1f", agent, d)
		}
	}
}

func TestAColourOfHairMayStandBeforeItsForm(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"a young woman with red curly hair": true, "long green wavy hair": true, "black curls": true, "blue hair": true, "copper bob": true,
		"a red jacket, curly hair": false, "a green scarf and long hair": false, "red": false,
	} {
		if c, ok := hairColour(words(text)); ok != want {
			t.Errorf("%q names a colour of hair: %v %v", text, ok, c)
		}
	}
	for _, word := range []string{"boy", "girl"} {
		wish := (Request{Values: map[string]any{"textDescription": "a " + word}}).personWish()
		if !wish.wanted["Twenties"] {
			t.Errorf("a %s is of any age", word)
		}
	}
}

func TestSlowWordsForHairNameItsColour(t *testing.T) {
	t.Parallel()
	img, seg := sitter(t)
	strand := featuresOf(img, seg.Faces[0]).at(-1.15, 0.9)
	// None of them is the name of a paint.
	light := map[string]float64{}
	for _, word := range []string{"platinum", "chestnut", "raven"} {
		light[word] = toneIn(made(t, "hair-color-try-on", word, 0, img, seg), strand, 4)[0]
	}
	if light["platinum"] < light["chestnut"]+12 || light["chestnut"] < light["raven"]+4 {
		t.Errorf("the hair has lightness %v", light)
	}
	if copper, red := toneIn(made(t, "hair-color-try-on", "copper red", 0, img, seg), strand, 4), toneIn(made(t, "hair-color-try-on", "red", 0, img, seg), strand, 4); copper[2] < copper[1]-2 || labApart(copper, red) < 6 {
		t.Errorf("copper is %.0f, red %.0f", copper, red)
	}
}

func TestSlowHairstyleFollowsWords(t *testing.T) {
	t.Parallel()
	img, seg := sitter(t)
	f := featuresOf(img, seg.Faces[0])
	s := f.span()
	fringe := made(t, "ai-hairstyle-changer", "a fringe", 0, img, seg)
	if a, b := roughness(fringe, around2(f.at(0, -0.8), 0.5*s, 0.2*s)), roughness(img, around2(f.at(0, -0.8), 0.5*s, 0.2*s)); a < 2*b {
		t.Errorf("the forehead below a fringe is as rough as %.1f, bare it was %.1f", a, b)
	}
	if d := unlike(fringe, img, around2(f.at(0, 0.9), 0.6*s, 0.5*s)); d > 1 {
		t.Errorf("below a fringe the face changed by %.1f levels", d)
	}
	beside := around2(f.at(1.75, -0.3), 5, 8)
	if d := unlike(made(t, "ai-hairstyle-changer", "curly and full", 0, img, seg), img, beside); d < 14 {
		t.Errorf("beside full curls the picture changed by %.1f levels", d)
	}
	hanging := around2(f.at(-1.35, 1.6), 5, 8)
	if d := unlike(made(t, "ai-hairstyle-changer", "buzz cut", 0, img, seg), img, hanging); d < 8 {
		t.Errorf("where long hair hung the picture changed by %.1f levels", d)
	}
}

func TestSlowOutfitLeavesPersonAlone(t *testing.T) {
	t.Parallel()
	img, seg := sitter(t)
	f := featuresOf(img, seg.Faces[0])
	s := f.span()
	chest := image.Rect(int(f.mouth.x-1.2*s), img.Rect.Dy()*84/100, int(f.mouth.x+1.2*s), img.Rect.Dy()*98/100)
	edges := func(img *image.NRGBA, dx, dy int) float64 {
		sum, n := 0.0, 0.0
		for y := chest.Min.Y; y < chest.Max.Y-dy; y++ {
			for x := chest.Min.X; x < chest.Max.X-dx; x++ {
				sum += math.Abs(lightOf(img.Pix[img.PixOffset(x+dx, y+dy):]) - lightOf(img.Pix[img.PixOffset(x, y):]))
				n++
			}
		}
		return sum / n
	}
	striped := made(t, "outfit-generator", "a striped top", 0, img, seg)
	if down, across := edges(striped, 0, 3), edges(striped, 3, 0); down < 2*across || down < 3*edges(img, 0, 3) {
		t.Errorf("stripes differ by %.1f downwards and %.1f across; the plain top did by %.1f", down, across, edges(img, 0, 3))
	}
	face := around2(f.at(0, 0.4), 0.9*s, 1.0*s)
	corner := image.Rect(0, 0, img.Rect.Dx()/8, img.Rect.Dy()/3)
	seen := map[string]bool{}
	for item := range 3 {
		out := made(t, "outfit-generator", "", item, img, seg)
		if d := unlike(out, img, face); d > 6 { // items differ a little in their light
			t.Errorf("item %d: the face changed by %.1f levels", item, d)
		}
		if d := unlike(out, img, corner); d > 6 {
			t.Errorf("item %d: what lies behind changed by %.1f levels", item, d)
		}
		if d := unlike(out, img, chest); d < 15 {
			t.Errorf("item %d: the clothes changed by %.1f levels", item, d)
		}
		seen[string(compose.Window(out, chest).Pix)] = true
	}
	if len(seen) < 3 {
		t.Errorf("three items show %d outfits", len(seen))
	}
	// The colour that is named is that of the cloth.
	red := toneIn(made(t, "outfit-generator", "a red knitted jumper", 0, img, seg), spot{float64(chest.Min.X+chest.Max.X) / 2, float64(chest.Min.Y+chest.Max.Y) / 2}, 8)
	if red[1] < 25 {
		t.Errorf("a red jumper has red %.0f", red[1])
	}
}

func TestNothingComesTwiceWithAnActionFigure(t *testing.T) {
	t.Parallel()
	for item := range 4 {
		list := Request{Item: item}.accessories("Maren with a camera and coffee")
		seen := map[string]int{}
		for i, toy := range list {
			img := plain(60, 60, color.NRGBA{255, 255, 255, 255})
			toy(img, 30, 30, 24, color.NRGBA{20, 20, 20, 255}, color.NRGBA{255, 255, 255, 255})
			if other, ok := seen[string(img.Pix)]; ok {
				t.Errorf("item %d: things %d and %d are the same", item, other, i)
			}
			seen[string(img.Pix)] = i
		}
		if len(list) < 3 {
			t.Errorf("item %d: %d things", item, len(list))
		}
	}
}

func TestSlowActionFigureHasItsName(t *testing.T) {
	t.Parallel()
	img, seg := sitter(t)
	out := made(t, "ai-action-figure-generators", "Maren", 0, img, seg)
	head := image.Rect(0, 0, out.Rect.Dx(), out.Rect.Dy()/5)
	if !slices.ContainsFunc(lettering.Find(out, lettering.Side).Boxes(out.Rect.Dx(), out.Rect.Dy()), func(r image.Rectangle) bool { return r.In(head) && 6*r.Dx() > head.Dx() }) {
		t.Error("the head of the pack bears no name")
	}
	if _, _, ok, err := faceOf(out); err != nil || !ok {
		t.Errorf("the person's face in the pack: %v, %v", ok, err)
	}
}

func TestAColourCastIsTakenOff(t *testing.T) {
	t.Parallel()
	img := imaging.Fit(mannequin(t), 300, 300)
	cast := imaging.Clone(img)
	for i := 0; i < len(cast.Pix); i += 4 {
		for k, c := range [3]float64{0.42, 0.5, 0.36} {
			cast.Pix[i+k] = uint8(70 + c*float64(cast.Pix[i+k]))
		}
	}
	out := made(t, "remove-filter-from-photo", "", 0, cast, Segmentation{})
	far := func(img2 *image.NRGBA) float64 {
		return labApart(compose.Measure(img2, nil).Mean, compose.Measure(img, nil).Mean)
	}
	if now, was := far(out), far(cast); now > 0.75*was {
		t.Errorf("the colours are %.1f from the unfiltered, they were %.1f", now, was)
	}
	if now, was := compose.Measure(out, nil).Std[0], compose.Measure(cast, nil).Std[0]; now < 1.3*was {
		t.Errorf("light spreads by %.1f, under the filter it did by %.1f", now, was)
	}
}

func TestSlowSubjectStandsInScene(t *testing.T) {
	t.Parallel()
	portrait, err := smallSitter()
	if err != nil {
		t.Fatal(err)
	}
	scene := pattern(420, 360, 0, 0)
	for _, agent := range []string{"ai-photoshoot", "ai-image-combiner", "image-mixer"} {
		req := Request{Agent: agent, Values: map[string]any{}, Files: map[string][]*image.NRGBA{"images": {portrait, scene}}, Seed: 3, Count: 1}
		out := drawIt(t, req)
		if _, _, ok, err := faceOf(out); err != nil || !ok {
			t.Errorf("%s: the person's face: %v, %v", agent, ok, err)
		}
		for name, r := range map[string]image.Rectangle{"left": {image.Pt(0, 0), image.Pt(40, 120)}, "right": {image.Pt(380, 0), image.Pt(420, 120)}} {
			k := float64(out.Rect.Dx()) / 420
			there := image.Rect(int(k*float64(r.Min.X)), int(k*float64(r.Min.Y)), int(k*float64(r.Max.X)), int(k*float64(r.Max.Y)))
			if d := labApart(toneOf(out, there), toneOf(scene, r)); d > 14 {
				t.Errorf("%s: the scene on the %s is %.0f from what it was", agent, name, d)
			}
		}
	}
	// The second of a mixer's results is the other way round, and none is like another.
	list := []*image.NRGBA{portrait, still(420, 360)}
	var made []*image.NRGBA
	for item := range 3 {
		made = append(made, drawIt(t, Request{Agent: "image-mixer", Item: item, Count: 3, Values: map[string]any{}, Files: map[string][]*image.NRGBA{"images": list}}))
	}
	if a, b := made[0].Rect.Size(), made[1].Rect.Size(); (a.X > a.Y) == (b.X > b.Y) {
		t.Errorf("both results have the shape of one scene: %v and %v", a, b)
	}
}

func TestALogoBearsItsName(t *testing.T) {
	t.Parallel()
	for item := range 4 {
		out := drawIt(t, Request{Agent: "ai-logo-generator", Item: item, Count: 4, Values: map[string]any{"textDescription": "a logo for Harbour"}})
		if got, apart := bestRead(t, out, "HARBOUR", "Harbour", "LANTERN", "Lantern", "MERIDIAN", "Meridian", "COBALT", "Cobalt"); !strings.EqualFold(got, "Harbour") {
			t.Errorf("item %d: the logo reads %q (%.2f)", item, got, apart)
		}
	}
}

func TestAnInfographicShowsItsNumbers(t *testing.T) {
	t.Parallel()
	out := drawIt(t, Request{Agent: "ai-infographic-generator", Values: map[string]any{
		"textDescription": "Tea at home: Kenya grows 540 kg. India grows 1370 kg. 25 cups a week.",
	}})
	for want, others := range map[string][]string{
		"540 kg": {"320 kg", "417 kg", "965 kg"}, "1370 kg": {"1895 kg", "2046 kg", "4428 kg"},
	} {
		if got, apart := bestRead(t, out, append(others, want)...); got != want {
			t.Errorf("in place of %s the sheet reads %q (%.2f)", want, got, apart)
		}
	}
}

// bestRead is which of the texts a picture is most likely to show, and how far its closest line is from it, 0 to 1: every line
// of lettering that is found is laid over each text as our own fonts write it.
func bestRead(t *testing.T, img *image.NRGBA, texts ...string) (best string, apart float64) {
	t.Helper()
	const w, h = 160, 28
	shape := func(at func(x, y int) bool, r image.Rectangle) []float64 {
		box := image.Rectangle{}
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				if at(x, y) {
					box = box.Union(image.Rect(x, y, x+1, y+1))
				}
			}
		}
		if box.Dx() < 8 || box.Dy() < 5 {
			return nil
		}
		out := make([]float64, w*h+1)
		for y := range h {
			for x := range w {
				n, all := 0.0, 0.0
				for v := box.Min.Y + y*box.Dy()/h; v < max(box.Min.Y+(y+1)*box.Dy()/h, box.Min.Y+y*box.Dy()/h+1); v++ {
					for u := box.Min.X + x*box.Dx()/w; u < max(box.Min.X+(x+1)*box.Dx()/w, box.Min.X+x*box.Dx()/w+1); u++ {
						all++
						if at(u, v) {
							n++
						}
					}
				}
				out[y*w+x] = n / all
			}
		}
		out[w*h] = float64(box.Dx()) / float64(box.Dy())
		return out
	}
	type template struct {
		text  string
		shape []float64
	}
	var known []template
	for _, text := range texts {
		for _, bold := range []bool{false, true} {
			hand, err := newHand(40, bold)
			if err != nil {
				t.Fatal(err)
			}
			page := plain(hand.width(text)+20, 70, color.NRGBA{255, 255, 255, 255})
			hand.write(page, text, 10, 48, color.NRGBA{0, 0, 0, 255})
			known = append(known, template{text, shape(func(x, y int) bool { return page.Pix[page.PixOffset(x, y)] < 128 }, page.Rect)})
		}
	}
	apart = math.Inf(1)
	for _, box := range lettering.Find(img, lettering.Side).Boxes(img.Rect.Dx(), img.Rect.Dy()) {
		box = box.Intersect(img.Rect)
		var lights []float64
		for y := box.Min.Y; y < box.Max.Y; y++ {
			for x := box.Min.X; x < box.Max.X; x++ {
				lights = append(lights, lightOf(img.Pix[img.PixOffset(x, y):]))
			}
		}
		if len(lights) == 0 {
			continue
		}
		ground := slices.Sorted(slices.Values(lights))[len(lights)/2]
		far := 0.0
		for _, l := range lights {
			far = math.Max(far, math.Abs(l-ground))
		}
		seen := shape(func(x, y int) bool { return math.Abs(lightOf(img.Pix[img.PixOffset(x, y):])-ground) > far/2 }, box)
		if seen == nil {
			continue
		}
		for _, k := range known {
			if r := seen[w*h] / k.shape[w*h]; r < 0.6 || r > 1.9 {
				continue // far wider or narrower, letters set apart included
			}
			sum := 0.0
			for i := range w * h {
				sum += math.Abs(seen[i] - k.shape[i])
			}
			if d := sum / (w * h); d < apart {
				best, apart = k.text, d
			}
		}
	}
	return best, apart
}
