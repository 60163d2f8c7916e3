package render

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"atelier/imaging/compose"
	"atelier/service/presets"
)

func stepTexts(c chart) []string {
	var out []string
	for _, s := range c.steps {
		out = append(out, s.text)
	}
	return out
}

func TestStepsAndWhatFollowsThemAreRead(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text     string
		steps    []string
		passages []passage
	}{
		{"Upload -> Paint → Generate", []string{"Upload", "Paint", "Generate"}, []passage{{0, 1, ""}, {1, 2, ""}}},
		{"wash cold. dry flat. fold", []string{"Wash cold", "Dry flat", "Fold"}, []passage{{0, 1, ""}, {1, 2, ""}}},
		{"red, green, blue", []string{"Red", "Green", "Blue"}, []passage{{0, 1, ""}, {1, 2, ""}}},
		{"cut the cloth then sew it", []string{"Cut the cloth", "Sew it"}, []passage{{0, 1, ""}}},
		{
			"1. Check\n2. If it fits then wear it else alter it\n3. Smile",
			[]string{"Check", "It fits?", "Wear it", "Alter it", "Smile"},
			[]passage{{0, 1, ""}, {1, 2, "Yes"}, {1, 3, "No"}, {2, 4, ""}, {3, 4, ""}},
		},
		{"Draw. If it is wrong, go back to draw. Done", []string{"Draw", "It is wrong?", "Done"}, []passage{{0, 1, ""}, {1, 0, "Yes"}, {1, 2, "No"}}},
		{"A -> B? -> C\nB? -> D", []string{"A", "B?", "C", "D"}, []passage{{0, 1, ""}, {1, 2, "Yes"}, {1, 3, "No"}}},
		{
			"Order -> In stock? If yes: pack -> ship. If no: order 1,000 more -> pack. End: thanks",
			[]string{"Order", "In stock?", "Pack", "Ship", "Order 1,000 more", "End: thanks"},
			[]passage{{0, 1, ""}, {1, 2, "Yes"}, {2, 3, ""}, {1, 4, "No"}, {4, 2, ""}, {3, 5, ""}},
		},
		{
			"Receive the order, check the stock, if available ship it, else reorder, notify the customer",
			[]string{"Receive the order", "Check the stock", "Available?", "Ship it", "Reorder", "Notify the customer"},
			[]passage{{0, 1, ""}, {1, 2, ""}, {2, 3, "Yes"}, {2, 4, "No"}, {3, 5, ""}, {4, 5, ""}},
		},
		{
			"Cut the cloth. If it fits, wear it, else alter it. Smile",
			[]string{"Cut the cloth", "It fits?", "Wear it", "Alter it", "Smile"},
			[]passage{{0, 1, ""}, {1, 2, "Yes"}, {1, 3, "No"}, {2, 4, ""}, {3, 4, ""}},
		},
		{
			"If in stock ship, else backorder. Done",
			[]string{"In stock?", "Ship", "Backorder", "Done"},
			[]passage{{0, 1, "Yes"}, {0, 2, "No"}, {1, 3, ""}, {2, 3, ""}},
		},
		{
			"Weigh it; if light use the post else if heavy call a carrier else refuse it; log it",
			[]string{"Weigh it", "Light?", "Use the post", "Heavy?", "Call a carrier", "Refuse it", "Log it"},
			[]passage{{0, 1, ""}, {1, 2, "Yes"}, {1, 3, "No"}, {3, 4, "Yes"}, {3, 5, "No"}, {2, 6, ""}, {4, 6, ""}, {5, 6, ""}},
		},
		{"Look. If you want something else, choose it. Pay", []string{"Look", "You want something else?", "Choose it", "Pay"}, []passage{{0, 1, ""}, {1, 2, "Yes"}, {2, 3, ""}, {1, 3, "No"}}},
		{"Sew it. If it holds, stop. Else, sew it again", []string{"Sew it", "It holds?", "Stop", "Sew it again"}, []passage{{0, 1, ""}, {1, 2, "Yes"}, {1, 3, "No"}}},
		{
			"Start the machine. Is it warm? Yes: brew. No: wait five minutes, then go back to start the machine. Clean up",
			[]string{"Start the machine", "Is it warm?", "Brew", "Wait five minutes", "Clean up"},
			[]passage{{0, 1, ""}, {1, 2, "Yes"}, {1, 3, "No"}, {3, 0, ""}, {2, 4, ""}},
		},
		{
			"1. Shoot\n2. If it is sharp, print it, else adjust the light and go back to shoot\n3. Hang it",
			[]string{"Shoot", "It is sharp?", "Print it", "Adjust the light", "Hang it"},
			[]passage{{0, 1, ""}, {1, 2, "Yes"}, {1, 3, "No"}, {3, 0, ""}, {2, 4, ""}},
		},
		{"Log in -> Valid? -> Enter. Valid? -> Fail -> Log in", []string{"Log in", "Valid?", "Enter", "Fail"}, []passage{{0, 1, ""}, {1, 2, "Yes"}, {1, 3, "No"}, {3, 0, ""}}},
		{
			"Order received -> In stock? yes: Ship, no: Reorder",
			[]string{"Order received", "In stock?", "Ship", "Reorder"},
			[]passage{{0, 1, ""}, {1, 2, "Yes"}, {1, 3, "No"}},
		},
		{
			"Pack it. Does it fit? If yes: close it, and if no: take a larger box",
			[]string{"Pack it", "Does it fit?", "Close it", "Take a larger box"},
			[]passage{{0, 1, ""}, {1, 2, "Yes"}, {1, 3, "No"}},
		},
		{"one thing only", []string{"One thing only"}, nil},
	}
	for _, tt := range tests {
		c := readChart(tt.text)
		if diff := cmp.Diff(tt.steps, stepTexts(c)); diff != "" {
			t.Errorf("steps of %q (-want +got):\n%s", tt.text, diff)
		}
		if diff := cmp.Diff(tt.passages, c.passages, cmp.AllowUnexported(passage{})); diff != "" {
			t.Errorf("passages of %q (-want +got):\n%s", tt.text, diff)
		}
	}
}

func TestBoxesOfAChartLieApartAndArrowsJoinThem(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"a. b. c. d", "1. Check\n2. If it fits then wear it else alter it\n3. Smile", "A -> B? -> C -> E\nB? -> D -> A",
		strings.Repeat("Take the next piece. ", 30), strings.Repeat("x", 1900), "", "A -> B; A -> C; A -> D; A -> E; B -> F",
	} {
		c := readChart(text)
		p := c.lay(1)
		for i, a := range p.boxes {
			if !a.In(image.Rectangle{Max: p.size}) {
				t.Errorf("%.30q: box %v leaves the sheet of %v", text, a, p.size)
			}
			for _, b := range p.boxes[i+1:] {
				if a.Overlaps(b) {
					t.Errorf("%.30q: boxes %v and %v overlap", text, a, b)
				}
			}
		}
		if len(p.lines) != len(c.passages) {
			t.Errorf("%.30q: %d arrows for %d passages", text, len(p.lines), len(c.passages))
		}
		for _, r := range p.lines {
			from, to := r.way[0], r.way[len(r.way)-1]
			touches := func(s spot, b image.Rectangle) bool {
				return image.Pt(int(s.x), int(s.y)).In(b.Inset(-2)) && !image.Pt(int(s.x), int(s.y)).In(b.Inset(3))
			}
			if !touches(from, p.boxes[r.from]) || !touches(to, p.boxes[r.to]) {
				t.Errorf("%.30q: the arrow %v does not join %v and %v", text, r.way, p.boxes[r.from], p.boxes[r.to])
			}
		}
	}
}

func TestFiguresOfAnInfographicAreRead(t *testing.T) {
	t.Parallel()
	title, facts := readFacts("Coffee: Finland drinks 12 kg. Norway 9.9 kg. 64% of adults drink it. 2.25 billion cups a day. It is warm")
	if title != "Coffee" {
		t.Errorf("the title is %q", title)
	}
	s := sorted(facts)
	if len(s.bars) != 2 || len(s.shares) != 1 || len(s.big) != 1 || len(s.points) != 1 {
		t.Fatalf("%d bars, %d rings, %d large, %d points", len(s.bars), len(s.shares), len(s.big), len(s.points))
	}
	if s.bars[0].value != 12 || s.bars[1].value != 9.9 || s.shares[0].value != 64 || s.shares[0].label != "Adults drink it" {
		t.Errorf("read %+v and %+v", s.bars, s.shares)
	}
}

func TestNumbersAndNamesAreReadWhole(t *testing.T) {
	t.Parallel()
	if first, rest := headline("From 1,000.50 € at 9:30: all of it. Now"); first != "From 1,000.50 € at 9:30" || rest != "all of it. Now" {
		t.Errorf("headline %q, then %q", first, rest)
	}
	for text, want := range map[string]string{
		"The Worshipful Company of Wolverhampton Haberdashers & Sons": "The Worshipful Company of Wolverhampton Haberdashers & Sons",
		"a calm logo for Blue Harbor":                                 "Blue Harbor",
		"Atelier Nord, tailors":                                       "Atelier Nord",
	} {
		if got := strings.TrimRight(brandName(text), ","); got != want {
			t.Errorf("the brand in %q is %q, want %q", text, got, want)
		}
	}
	if title, facts := readFacts("Bread"); title != "Bread" || len(facts) != 0 {
		t.Errorf("title %q, facts %v", title, facts)
	}
}

// What is drawn says all that was written, or nothing is drawn.
func TestTextsWithMoreThanThereIsRoomForAreRefused(t *testing.T) {
	t.Parallel()
	list := func(n int, item string) string {
		var text strings.Builder
		for i := range n {
			fmt.Fprintf(&text, item, i+1)
		}
		return text.String()
	}
	for _, tt := range []struct {
		agent, text, want string
	}{
		{"ai-infographic-generator", "Tea:\n" + list(mostFacts, "Point %d counts\n"), ""},
		{"ai-infographic-generator", "Tea:\n" + list(mostFacts+1, "Point %d counts\n"), "The text makes 17 statements, and an infographic has room for 16"},
		{"flowchart-generator", list(mostSteps-1, "Part %d -> ") + "End", ""},
		{"flowchart-generator", list(mostSteps, "Part %d -> ") + "End", "The text has more steps than the 40"},
	} {
		_, err := Render(t.Context(), Request{Agent: tt.agent, Values: map[string]any{"textDescription": tt.text}}, Segmentation{})
		var u *UnseenError
		if tt.want == "" && err != nil || tt.want != "" && (!errors.As(err, &u) || !strings.HasPrefix(u.Error(), tt.want)) {
			t.Errorf("%s of %d bytes: %v, want %q", tt.agent, len(tt.text), err, tt.want)
		}
	}
}

func TestTextStaysWithinItsBox(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"short", strings.Repeat("m", 400), strings.Repeat("words and words ", 120), "\n\n \n", "Ünïcödé Ωμέγα Кириллица"} {
		for _, box := range []image.Point{{60, 20}, {300, 40}, {500, 300}} {
			h, lines, err := inBox(text, 60, true, box.X, box.Y)
			if err != nil {
				t.Fatal(err)
			}
			if len(lines) > 1 && len(lines)*h.high > box.Y {
				t.Errorf("%.20q: %d lines of %d in %v", text, len(lines), h.high, box)
			}
			for _, l := range lines {
				if h.width(l) > box.X {
					t.Errorf("%.20q: the line %.20q is %d wide in %v", text, l, h.width(l), box)
				}
			}
		}
	}
}

func TestASignStaysWithItsNumber(t *testing.T) {
	t.Parallel()
	h, err := newHand(40, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range [][]string{{"save 50 % now", "save", "50 %", "now"}, {"for 30 € each", "for", "30 €", "each"}, {"in % of all", "in %", "of all"}} {
		if diff := cmp.Diff(tt[1:], h.wrap(tt[0], h.width("100 %"), 9)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt[0], diff)
		}
	}
}

func TestATitleAloneFillsItsSheet(t *testing.T) {
	t.Parallel()
	for item := range 4 {
		out := drawIt(t, Request{Agent: "ai-infographic-generator", Item: item, Count: 4, Values: map[string]any{"textDescription": "The benefits of drinking water"}})
		middle := image.Rect(out.Rect.Dx()/4, out.Rect.Dy()/3, out.Rect.Dx()*3/4, out.Rect.Dy()*2/3)
		ground, written := out.NRGBAAt(out.Rect.Dx()/2, 8), 0
		for y := middle.Min.Y; y < middle.Max.Y; y++ {
			for x := middle.Min.X; x < middle.Max.X; x++ {
				if c := out.NRGBAAt(x, y); math.Abs(float64(c.G)-float64(ground.G)) > 60 {
					written++
				}
			}
		}
		if share := float64(written) / float64(middle.Dx()*middle.Dy()); share < 0.1 {
			t.Errorf("item %d: letters take %.1f %% of the middle of the sheet", item, 100*share)
		}
	}
}

func TestLettersThatCannotBeDrawnAreNamed(t *testing.T) {
	t.Parallel()
	if got, err := legible("Tea 🍵 time"); err != nil || strings.Join(strings.Fields(got), " ") != "Tea time" {
		t.Errorf("got %q, %v", got, err)
	}
	_, err := legible("お茶の時間")
	if !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), "茶") {
		t.Errorf("got %v", err)
	}
	for _, agent := range []string{"flowchart-generator", "ai-infographic-generator", "ai-logo-generator", "ai-poster"} {
		_, err := Render(t.Context(), Request{Agent: agent, Values: map[string]any{"textDescription": "お茶の時間"}}, Segmentation{})
		if !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: %v", agent, err)
		}
	}
}

func TestLongEmptyAndOddTextsAreSet(t *testing.T) {
	t.Parallel()
	// As long as the documents allow, in so many sentences, or so long a word, that a chart or an infographic has no room for it.
	long, word := strings.Repeat("All good things come in threes, 3 kg of them. ", 43), strings.Repeat("w", 2000)
	for agent, holds := range map[string]bool{"flowchart-generator": false, "ai-infographic-generator": false, "ai-logo-generator": true, "ai-poster": true} {
		for _, text := range []string{long, "\n\n", "🍵", word, "100%"} {
			_, err := Render(t.Context(), Request{Agent: agent, Item: 2, Values: map[string]any{"textDescription": text}}, Segmentation{})
			if says := map[string]string{long: "room for", word: "too long"}[text]; says != "" && !holds {
				if unseen := (*UnseenError)(nil); !errors.As(err, &unseen) || !strings.Contains(err.Error(), says) {
					t.Errorf("%s of %.20q: %v", agent, text, err)
				}
			} else if err != nil {
				t.Errorf("%s of %.20q: %v", agent, text, err)
			}
		}
	}
}

func TestTilesOfACollageFillTheSheetApart(t *testing.T) {
	t.Parallel()
	shapes := []image.Point{{30, 20}, {20, 30}, {20, 20}, {60, 20}, {20, 50}, {40, 30}, {30, 40}, {20, 25}, {50, 40}, {10, 10}}
	for n := 1; n <= len(shapes); n++ {
		var list []*image.NRGBA
		for _, s := range shapes[:n] {
			list = append(list, image.NewNRGBA(image.Rectangle{Max: s}))
		}
		for item := range 3 {
			size := image.Pt(900, 700)
			area := 0
			places := tiles(list, size, 10, item)
			if len(places) != n {
				t.Fatalf("%d tiles for %d pictures", len(places), n)
			}
			for i, a := range places {
				area += a.Dx() * a.Dy()
				if !a.In(image.Rectangle{Max: size}.Inset(9)) {
					t.Errorf("%d pictures, layout %d: tile %v leaves the sheet", n, item, a)
				}
				for _, b := range places[i+1:] {
					if a.Overlaps(b) {
						t.Errorf("%d pictures, layout %d: %v and %v overlap", n, item, a, b)
					}
				}
			}
			if area < 900*700*70/100 {
				t.Errorf("%d pictures, layout %d fill %d of %d pixels", n, item, area, 900*700)
			}
		}
	}
}

func TestPostersHaveTheShapeAndSizeAskedFor(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		agent, ratio, size string
		want               image.Point
	}{
		{"ai-poster", "3:4", "1K", image.Pt(768, 1024)},
		{"ai-poster", "", "", image.Pt(1024, 1448)},
		{"ai-poster", "21:9", "2K", image.Pt(2048, 878)},
		{"ai-poster-from-images", "16:9", "1K", image.Pt(1024, 576)},
	} {
		out := drawIt(t, Request{Agent: tt.agent, Item: 2, Values: map[string]any{"textDescription": "Big sale", "aspectRatio": tt.ratio, "imageSize": tt.size}})
		if out.Rect.Size() != tt.want {
			t.Errorf("%+v is %v", tt, out.Rect.Size())
		}
	}
}

func TestAFlagHasTheColoursOfItsWords(t *testing.T) {
	t.Parallel()
	cloth, err := Request{Values: map[string]any{"textDescription": "horizontal blue and white stripes with a gold star"}}.clothOf(t.Context(), 300, 200)
	if err != nil {
		t.Fatal(err)
	}
	if c := cloth.NRGBAAt(10, 10); c.B < c.R+60 {
		t.Errorf("above it is %v, not blue", c)
	}
	if c := cloth.NRGBAAt(10, 190); min(c.R, c.G, c.B) < 220 {
		t.Errorf("below it is %v, not white", c)
	}
	if c := cloth.NRGBAAt(150, 100); c.R < c.B+50 {
		t.Errorf("its middle is %v, not gold", c)
	}
}

func TestAnimalsFollowTheWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"two dogs at dusk": "dog", "a sleepy Owl": "owl", "a black cat": "cat"} {
		if got, _ := (Request{Values: map[string]any{"textDescription": text}}).creatureFor("bear"); got != want {
			t.Errorf("%q is a %s", text, got)
		}
	}
	_, c := Request{Values: map[string]any{"textDescription": "a black cat"}}.creatureFor("dog")
	if c.coat[0] > 80 {
		t.Errorf("a black cat's coat is %v", c.coat)
	}
	seen := map[string]bool{}
	for item := range 4 {
		name, _ := Request{Item: item}.creatureFor("")
		seen[name] = true
	}
	if len(seen) != 4 {
		t.Errorf("surprises of four items are %v", seen)
	}
}

// sitter is a drawn portrait with its head found once for all agents that change heads.
func sitter(t *testing.T) (*image.NRGBA, Segmentation) {
	t.Helper()
	img, seg, err := satFor()
	if err != nil {
		t.Fatal(err)
	}
	return img, seg
}

// satFor draws the portrait and finds its head once for all tests: nobody changes either.
var satFor = func() func() (*image.NRGBA, Segmentation, error) {
	type sat struct {
		img *image.NRGBA
		seg Segmentation
	}
	once := sync.OnceValues(func() (sat, error) {
		img, err := presets.FashionModels()[0].Draw(context.Background(), 400, 500)
		if err != nil {
			return sat{}, err
		}
		seg, err := Segment(context.Background(), Request{Agent: "bald-filter", Original: img})
		if err == nil && len(seg.Faces) == 0 {
			err = errors.New("the portrait's face was not found")
		}
		return sat{img, seg}, err
	})
	return func() (*image.NRGBA, Segmentation, error) {
		s, err := once()
		return s.img, s.seg, err
	}
}()

// crownOf is a place in the hair beside the parting that a bald head has skin at.
func crownOf(f features) spot { return f.at(0.7, -1.3) }

func labApart(a, b [3]float64) float64 {
	return math.Hypot(math.Hypot(a[0]-b[0], a[1]-b[1]), a[2]-b[2])
}

// toneIn is the mean Lab colour around a place.
func toneIn(img *image.NRGBA, p spot, r int) [3]float64 {
	at := image.Pt(int(p.x), int(p.y))
	return compose.Measure(compose.Window(img, image.Rectangle{Min: at, Max: at}.Inset(-r)), nil).Mean
}

func TestSlowHeadsBecomeWhatAgentSays(t *testing.T) {
	t.Parallel()
	img, seg := sitter(t)
	f := featuresOf(img, seg.Faces[0])
	skin := skinTone(img, seg.Faces[0])
	forehead, shoulder := f.at(0, -0.75), spot{200, 480}
	d := headIn(img, seg)
	parting := spot{f.at(0, 0).x, float64(d.hair.Bounds().Min.Y + 14)}
	crown := crownOf(f)
	hair := toneIn(img, crown, 5)
	dyed := toneIn(img, parting, 5)
	draw := func(agent, text string) *image.NRGBA {
		out, err := Render(t.Context(), Request{Agent: agent, Original: img, Values: map[string]any{"textDescription": text}}, seg)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	bald := draw("bald-filter", "")
	if d := labApart(toneIn(bald, crown, 5), skin); d > 0.6*labApart(hair, skin) {
		t.Errorf("the bald head's crown is %.0f from skin, the hair was %.0f", d, labApart(hair, skin))
	}
	if d := labApart(toneIn(draw("buzz-cut-ai", ""), crown, 5), toneIn(bald, crown, 5)); d < 3 {
		t.Errorf("a buzz cut's crown is only %.1f from a bald one", d)
	}
	if c := toneIn(draw("ai-hair-color-changer", "navy"), parting, 5); c[2] > dyed[2]-12 {
		t.Errorf("navy hair is Lab %.0f, it was %.0f", c, dyed)
	}
	if d := labApart(toneIn(draw("bangs-filter", ""), forehead, 5), toneIn(img, forehead, 5)); d < 8 {
		t.Errorf("the fringe changes the forehead by %.1f only", d)
	}
	if c := toneIn(draw("ai-zombie", ""), f.at(0.4, 0.6), 4); c[1] > skin[1]-6 {
		t.Errorf("a zombie's cheek is Lab %.0f, it was %.0f", c, skin)
	}
	if c := toneIn(draw("ai-aging", ""), parting, 5); math.Hypot(c[1], c[2]) > 0.6*math.Hypot(dyed[1], dyed[2]) {
		t.Errorf("aged hair is Lab %.0f, it was %.0f", c, dyed)
	}
	if d := labApart(toneIn(bald, shoulder, 6), toneIn(img, shoulder, 6)); d > 4 {
		t.Errorf("the shoulder of the bald one changed by %.1f", d)
	}
}

func TestSlowMergedFacesMeet(t *testing.T) {
	t.Parallel()
	models := presets.FashionModels()
	a, err := models[0].Draw(t.Context(), 400, 500)
	if err != nil {
		t.Fatal(err)
	}
	b, err := models[2].Draw(t.Context(), 400, 500)
	if err != nil {
		t.Fatal(err)
	}
	out := drawIt(t, Request{Agent: "ai-face-merge", Files: map[string][]*image.NRGBA{"images": {a, b}}})
	l, ok, err := likenessOf(a)
	if err != nil || !ok {
		t.Fatalf("no face: %v", err)
	}
	// The own picture with the tone of both lies as far from the mean as the other's does.
	near := func(img *image.NRGBA, at spot) float64 {
		return unlike(out, img, around2(at, 0.12*l.at.span(), 0.12*l.at.span()))
	}
	if near(a, l.at.at(0, 0.6)) < 2 || near(a, l.at.mouth) < 2 {
		t.Error("the face did not change")
	}
	for _, p := range []spot{{8, 8}, {392, 8}, l.at.at(0, -1.75), {200, 485}} {
		if d := near(a, p); d > 1 {
			t.Errorf("around %.0f, beside face and skin, it changed by %.1f levels", p, d)
		}
	}
	// The faces take part by halves: exchanged, they give the same eyes and mouth.
	back := drawIt(t, Request{Agent: "ai-face-merge", Files: map[string][]*image.NRGBA{"images": {b, a}}})
	m, ok, err := likenessOf(b)
	if err != nil || !ok {
		t.Fatalf("no face: %v", err)
	}
	for i, p := range l.metBy(m, 0.5).points() {
		q := m.metBy(l, 0.5).points()[i]
		if d := labApart(toneIn(out, p, 4), toneIn(back, q, 4)); d > 9 {
			t.Errorf("place %d is %.1f apart in the two orders", i, d)
		}
	}
}

func TestAGhostMannequinStandsOnWhiteAtItsSize(t *testing.T) {
	t.Parallel()
	img, seg := still(200, 240), Segmentation{}
	seg.Foreground = compose.CutOut(img, *painted(200, 240))
	out, err := Render(t.Context(), Request{Agent: "ai-ghost-mannequin-generator", Item: 1, Original: img, Values: map[string]any{"aspectRatio": "9:16", "imageSize": "1K"}}, seg)
	if err != nil {
		t.Fatal(err)
	}
	if out.Rect.Size() != image.Pt(576, 1024) {
		t.Errorf("the size is %v", out.Rect.Size())
	}
	white := color.NRGBA{255, 255, 255, 255}
	for _, p := range []image.Point{{0, 0}, {575, 0}, {0, 500}, {575, 500}} {
		if c := out.NRGBAAt(p.X, p.Y); c != white {
			t.Errorf("at %v the ground is %v", p, c)
		}
	}
}

func TestAnEarlyConsoleShowsFiveBitsOfEachColour(t *testing.T) {
	t.Parallel()
	out := drawIt(t, Request{Agent: "ps2-filter", Original: still(160, 160)})
	levels := map[uint8]bool{}
	for i := 0; i < len(out.Pix); i += 4 {
		for k := range 3 {
			levels[out.Pix[i+k]] = true
		}
	}
	if len(levels) > 32 || len(levels) < 8 {
		t.Errorf("there are %d levels of colour", len(levels))
	}
}

func TestDrawnAgentsEndWithTheirContext(t *testing.T) {
	t.Parallel()
	for _, agent := range []string{"ai-dog", "ai-flag-generator", "flowchart-generator", "ai-infographic-generator", "ai-spray-paint", "ai-tattoo-generator", "ai-room-planner"} {
		ctx, cancel := context.WithCancel(t.Context())
		req := Request{Agent: agent, Values: map[string]any{"textDescription": "a. b"}, Progress: func(float64) { cancel() }}
		if _, err := Render(ctx, req, Segmentation{}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want cancelled", agent, err)
		}
	}
}
