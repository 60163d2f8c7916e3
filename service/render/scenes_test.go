package render

import (
	"image"
	"image/color"
	"math"
	"slices"
	"testing"

	"atelier/imaging/compose"
	"atelier/imaging/segment"
)

// drawnBy draws one item of an agent from words and pictures.
func drawnBy(t *testing.T, req Request) *image.NRGBA {
	t.Helper()
	seg, err := Segment(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	out, err := Render(t.Context(), req, seg)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func byText(agent, text string, item int) Request {
	return Request{Agent: agent, Values: map[string]any{"textDescription": text}, Seed: 5, Item: item, Count: 4}
}

func TestSubjectsAreReadWithTheirColoursAndNumbers(t *testing.T) {
	t.Parallel()
	type want struct {
		word  string
		count int
	}
	tests := []struct {
		text string
		want []want
		rest string
	}{
		{"a red car on a mountain road at night", []want{{"car", 1}, {"mountain", 1}}, "a car on a mountain road at night"},
		{"two birds over a forest", []want{{"bird", 2}}, "two birds over a forest"},
		{"trees behind a cottage", []want{{"tree", 3}, {"cottage", 1}}, "trees behind a cottage"},
		{"a cup of coffee and a book", []want{{"cup", 1}, {"book", 1}}, "a cup of coffee and a book"},
		{"a sailing boat at sea", []want{{"sailing", 1}}, "a sailing boat at sea"},
		{"a black cat and a white dog", []want{{"cat", 1}, {"dog", 1}}, "a cat and a dog"},
		{"soft light on a plain wall", nil, "soft light on a plain wall"},
		{"a house, a tree, a boat, a car, a bird, a robot and a tent", []want{{"house", 1}, {"tree", 1}, {"boat", 1}, {"car", 1}, {"bird", 1}}, "a house a tree a boat a car a bird a robot and a tent"},
	}
	for _, tt := range tests {
		got, rest := subjectsOf(tt.text, "")
		var list []want
		for _, n := range got {
			list = append(list, want{n.word, n.count})
		}
		if !slices.Equal(list, tt.want) || rest != tt.rest {
			t.Errorf("%q: %v and %q, want %v and %q", tt.text, list, rest, tt.want, tt.rest)
		}
	}
	if got, _ := subjectsOf("a red car", ""); got[0].colour != channels(colourNames["red"]) {
		t.Errorf("a red car has the colour %v", got[0].colour)
	}
	if got, _ := subjectsOf("a house and a tree", "tree"); len(got) != 1 {
		t.Errorf("an unwanted tree is drawn: %v", got)
	}
}

func TestSlowScenesShowTheirWords(t *testing.T) {
	t.Parallel()
	red := func(r, g, b int) bool { return r > 110 && r > 2*g && r > 2*b }
	car, none := drawnBy(t, byText("z-image", "a red car in the desert", 0)), drawnBy(t, byText("z-image", "the desert", 0))
	ground := image.Rect(0, 512, 1024, 1024)
	if a, b := shareOf(car, ground, red), shareOf(none, ground, red); a < b+0.015 {
		t.Errorf("%.3f of the ground is red with a red car, %.3f without", a, b)
	}
	night := drawnBy(t, byText("z-image", "a house in the desert at night", 0))
	sky := image.Rect(0, 0, 1024, 250)
	if l, day := toneOf(night, sky)[0], toneOf(none, sky)[0]; l > 0.5*day {
		t.Errorf("the sky at night has lightness %.0f, by day %.0f", l, day)
	}
	if stars := shareOf(night, sky, func(r, g, b int) bool { return r > 190 && g > 190 && b > 170 }); stars == 0 {
		t.Error("no star is in the sky at night")
	}
	if evening := toneOf(drawnBy(t, byText("z-image", "a house in the desert at sunset", 0)), sky); evening[1] < toneOf(none, sky)[1]+10 {
		t.Errorf("the sky at sunset is Lab %.0f, by day %.0f", evening, toneOf(none, sky))
	}
}

func TestAPlannedGardenHasWhatItsWordsName(t *testing.T) {
	t.Parallel()
	lawn := plain(480, 360, color.NRGBA{120, 150, 90, 255})
	req := byText("ai-landscape-design-free", "", 1)
	req.Files = map[string][]*image.NRGBA{"images": {lawn}}
	draw := func(text string) *image.NRGBA {
		sub := req
		sub.Values = map[string]any{"textDescription": text}
		return drawnBy(t, sub)
	}
	bare := draw("a quiet garden")
	low := image.Rect(0, 240, 480, 360)
	blue := func(r, _, b int) bool { return b > r+28 }
	if a, b := shareOf(draw("a pond"), image.Rect(100, 260, 420, 330), blue), shareOf(bare, image.Rect(100, 260, 420, 330), blue); a < b+0.08 {
		t.Errorf("%.2f of the ground is water with a pond, %.2f without", a, b)
	}
	violet := func(r, g, b int) bool { return b > g+40 && b > r+20 && r > g }
	if a, b := shareOf(draw("lavender"), low, violet), shareOf(bare, low, violet); a < b+0.006 {
		t.Errorf("%.3f of the beds bloom in violet with lavender, %.3f without", a, b)
	}
	stone := func(r, g, b int) bool { return r > 130 && r < 235 && r-b < 40 && r-g < 20 && g-r < 12 }
	if a, b := shareOf(draw("a path"), image.Rect(160, 240, 320, 350), stone), shareOf(bare, image.Rect(160, 240, 320, 350), stone); a < b+0.03 {
		t.Errorf("%.3f of the middle is stone with a path, %.3f without", a, b)
	}
}

func TestSlowGroupHasHeadsOfOneSize(t *testing.T) {
	t.Parallel()
	for agent, names := range map[string][]string{"ai-couple-photo-maker": {"Maren", "Kenji"}, "ai-group-photo-generator": {"Maren", "Kenji", "Amara"}} {
		req := byText(agent, "in a studio", 0)
		var list []*image.NRGBA
		for i, n := range names {
			list = append(list, portrait(t, n, 320+60*i, 400+75*i))
		}
		req.Files = map[string][]*image.NRGBA{"images": list}
		out := drawnBy(t, req)
		faces, err := segment.Faces(out)
		if err != nil {
			t.Fatal(err)
		}
		if len(faces) != len(names) {
			t.Errorf("%s: %d faces of %d people", agent, len(faces), len(names))
			continue
		}
		small, large := math.Inf(1), 0.0
		for i, f := range faces {
			small, large = math.Min(small, float64(f.Dy())), math.Max(large, float64(f.Dy()))
			for _, g := range faces[:i] {
				if f.Overlaps(g) {
					t.Errorf("%s: faces at %v and %v", agent, f, g)
				}
			}
		}
		if large > 1.45*small {
			t.Errorf("%s: faces are %.0f to %.0f px high", agent, small, large)
		}
	}
}

// roomPhoto is an empty room: an even wall above boards.
func roomPhoto() *image.NRGBA {
	img := plain(480, 360, color.NRGBA{186, 184, 180, 255})
	for y := 250; y < 360; y++ {
		for x := range 480 {
			n := uint8((x*7 + y*13) % 9)
			img.SetNRGBA(x, y, color.NRGBA{126 + n, 96 + n, 70 + n, 255})
		}
	}
	return img
}

func TestAPlannedRoomHasItsStylesWallsFloorAndFurniture(t *testing.T) {
	t.Parallel()
	src := roomPhoto()
	wall, ground := image.Rect(20, 20, 460, 120), image.Rect(6, 330, 120, 356)
	draw := func(text string) *image.NRGBA {
		req := byText("ai-room-planner", text, 0)
		req.Original = src
		return drawnBy(t, req)
	}
	light, dark := draw("scandinavian"), draw("industrial")
	for name, out := range map[string]*image.NRGBA{"scandinavian": light, "industrial": dark} {
		if d := apart(toneOf(out, wall), toneOf(src, wall)); d < 8 {
			t.Errorf("%s: the wall changed by %.1f", name, d)
		}
		if d := apart(toneOf(out, ground), toneOf(src, ground)); d < 8 {
			t.Errorf("%s: the floor changed by %.1f", name, d)
		}
	}
	if a, b := toneOf(light, wall)[0], toneOf(dark, wall)[0]; a < b+20 {
		t.Errorf("the light style's wall has lightness %.0f, the dark one's %.0f", a, b)
	}
	red := func(r, g, b int) bool { return r > 90 && r > 2*g && r > 2*b }
	if a, b := shareOf(draw("a red sofa"), src.Rect, red), shareOf(light, src.Rect, red); a < b+0.015 {
		t.Errorf("%.3f of the room is red with a red sofa, %.3f without", a, b)
	}
	if c := toneOf(draw("blue walls"), wall); c[2] > -8 {
		t.Errorf("blue walls are Lab %.0f", c)
	}
}

func TestSlowTattooIsSeen(t *testing.T) {
	t.Parallel()
	img, seg := sitter(t)
	tone := skinTone(img, seg.Faces[0])
	for item := range 2 {
		req := byText("ai-tattoo-generator", "a star", item)
		req.Original = img
		out := drawnBy(t, req)
		changed, skin, darker := 0, 0, 0.0
		for y := range img.Rect.Dy() {
			for x := range img.Rect.Dx() {
				here := image.Rect(x, y, x+1, y+1)
				if unlike(out, img, here) < 14 {
					continue
				}
				changed++
				p, q := img.Pix[img.PixOffset(x, y):], out.Pix[out.PixOffset(x, y):]
				darker += lightOf(p) - lightOf(q)
				if likeSkin(compose.Lab(p[0], p[1], p[2]), tone) > 0.3 {
					skin++
				}
			}
		}
		if changed < 120 || darker/float64(max(1, changed)) < 25 {
			t.Errorf("item %d: the tattoo has %d pixels and darkens them by %.0f levels", item, changed, darker/float64(max(1, changed)))
		}
		if 100*skin < 80*changed {
			t.Errorf("item %d: %d of its %d pixels lie on skin", item, skin, changed)
		}
	}
}

// What a design leaves bare shows the skin: a moon is a crescent, and an animal is drawn in lines.
func TestSlowTattooIsDrawn(t *testing.T) {
	t.Parallel()
	img, _ := sitter(t)
	seen := map[string]*image.NRGBA{}
	for _, what := range []string{"a moon", "a wolf", "a boat", "a lighthouse"} {
		req := byText("ai-tattoo-generator", what, 0)
		req.Original = img
		out := drawnBy(t, req)
		changed, n := image.Rectangle{}, 0
		for y := range img.Rect.Dy() {
			for x := range img.Rect.Dx() {
				if here := image.Rect(x, y, x+1, y+1); unlike(out, img, here) > 40 {
					changed = changed.Union(here)
					n++
				}
			}
		}
		if share := float64(n) / float64(max(1, changed.Dx()*changed.Dy())); share < 0.04 || share > 0.6 {
			t.Errorf("%s: %.2f of %v is ink", what, share, changed)
		}
		for other, before := range seen {
			if unlike(out, before, changed) < 1 {
				t.Errorf("%s looks like %s", what, other)
			}
		}
		seen[what] = out
	}
}

func TestSlowMuralHasColoursOfWords(t *testing.T) {
	t.Parallel()
	vivid := func(r, g, b int) bool { return max(r, g, b)-min(r, g, b) > 90 }
	green := func(r, g, b int) bool { return g > r+30 && g > b+10 }
	for _, agent := range []string{"ai-spray-paint", "wild-graffiti-generator"} {
		out, other := drawnBy(t, byText(agent, "Nord in orange", 0)), drawnBy(t, byText(agent, "Nord in green", 0))
		middle := image.Rect(out.Rect.Dx()/5, out.Rect.Dy()/4, out.Rect.Dx()*4/5, out.Rect.Dy()*3/4)
		if a := shareOf(out, middle, vivid); a < 0.1 {
			t.Errorf("%s: %.2f of the middle is painted", agent, a)
		}
		if a, b := shareOf(other, middle, green), shareOf(out, middle, green); a < b+0.05 {
			t.Errorf("%s: %.2f is green when green is asked for, %.2f when orange is", agent, a, b)
		}
		corner := image.Rect(2, 2, out.Rect.Dx()/12, out.Rect.Dy()/12)
		if a := shareOf(out, corner, vivid); a > 0.2 {
			t.Errorf("%s: %.2f of the wall's corner is painted over", agent, a)
		}
	}
}

func TestSlowBabyResemblesItsParents(t *testing.T) {
	t.Parallel()
	iris := func(img *image.NRGBA) [3]float64 {
		u := 0.36 * math.Min(float64(img.Rect.Dx()), float64(img.Rect.Dy()))
		return toneIn(img, spot{float64(img.Rect.Dx())/2 + 0.5*u, 0.47*float64(img.Rect.Dy()) + 0.16*u}, int(0.02*u))
	}
	blue, brown := iris(drawnBy(t, byText("baby-face-generator", "blue eyes", 0))), iris(drawnBy(t, byText("baby-face-generator", "", 0)))
	if blue[2] > brown[2]-12 {
		t.Errorf("blue eyes are Lab %.0f, brown ones %.0f", blue, brown)
	}
	cheek := func(names ...string) [3]float64 {
		req := byText("baby-face-generator", "", 0)
		var list []*image.NRGBA
		for _, n := range names {
			list = append(list, portrait(t, n, 320, 400))
		}
		req.Files = map[string][]*image.NRGBA{"images": list}
		out := drawnBy(t, req)
		return toneIn(out, spot{float64(out.Rect.Dx()) / 2, 0.47*float64(out.Rect.Dy()) - 0.3*0.36*float64(out.Rect.Dy())}, 8)
	}
	if fair, deep := cheek("Maren", "Maren"), cheek("Amara", "Amara"); fair[0] < deep[0]+12 {
		t.Errorf("the child of fair parents has lightness %.0f, of dark ones %.0f", fair[0], deep[0])
	}
}

func TestAFlatLayHasPropsOfItsWordsAndTheThingInTheMiddle(t *testing.T) {
	t.Parallel()
	req := byText("flat-lay", "with leaves on marble", 0)
	req.Original, req.CustomMask = still(320, 320), painted(320, 320)
	req.Values["maskType"] = "custom"
	out := drawnBy(t, req)
	green := func(r, g, b int) bool { return g > r+8 && g > b+8 }
	if a := shareOf(out, out.Rect, green); a < 0.015 {
		t.Errorf("%.3f of the picture is leaves", a)
	}
	w := out.Rect.Dx()
	if a := shareOf(out, image.Rect(w*2/5, w*2/5, w*3/5, w*3/5), func(r, g, _ int) bool { return r > 2*g }); a < 0.8 {
		t.Errorf("%.2f of the middle is the thing", a)
	}
}

func TestALakeLiesBelowTheMountainsAndShowsThemAgain(t *testing.T) {
	t.Parallel()
	const side = 240
	draw := func(text string) *image.NRGBA {
		t.Helper()
		req := byText("z-image", text, 0)
		out, err := req.drawnScene(t.Context(), side, side, req.vary())
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	dry, wet := draw("a mountain"), draw("a mountain lake")
	// rowsThatDiffer are the rows from … to-1 where more than half of the pixels differ.
	from, to := side, 0
	for y := range side {
		n := 0
		for x := range side {
			if apart(onWhite(dry.Pix[dry.PixOffset(x, y):][:4]), onWhite(wet.Pix[wet.PixOffset(x, y):][:4])) > 5 {
				n++
			}
		}
		if 2*n > side {
			from, to = min(from, y), y+1
		}
	}
	if from < side/3 || to-from < side/8 || to > side*9/10 {
		t.Fatalf("water lies in rows %d to %d of %d", from, to, side)
	}
	// The mountain is darker than the sky beside it, and so is what the water shows of it.
	light := func(y, from, to int) (sum float64) {
		for x := from; x < to; x++ {
			sum += onWhite(wet.Pix[wet.PixOffset(x, y):][:4])[0] / float64(to-from)
		}
		return sum
	}
	high, deep := from-side/6, from+side/8
	for name, y := range map[string]int{"above the water": high, "in the water": deep} {
		if middle, edges := light(y, side*2/5, side*3/5), (light(y, 0, side/10)+light(y, side*9/10, side))/2; middle > edges-4 {
			t.Errorf("%s the mountain has a lightness of %.0f and what is beside it %.0f", name, middle, edges)
		}
	}
}
