package render

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"math"
	"os"
	"slices"
	"testing"

	"atelier/imaging/analysis"
	"atelier/imaging/compose"
	"atelier/imaging/mask"
	"atelier/imaging/segment"
)

// onWhite is the Lab colour of a pixel, over white where it is clear.
func onWhite(p []uint8) [3]float64 {
	a := float64(p[3]) / 255
	c := func(k int) uint8 { return byte255(a*float64(p[k]) + (1-a)*255) }
	return compose.Lab(c(0), c(1), c(2))
}

// apartWithin is the mean colour difference of two pictures of a size where part is painted, in Lab steps: two to three are
// seen by whoever looks for them.
func apartWithin(a, b *image.NRGBA, part mask.Plane) float64 {
	sum, n := 0.0, 0.0
	for i, v := range part.Pix {
		if v < mask.Level {
			continue
		}
		n++
		if p, q := a.Pix[4*i:4*i+4], b.Pix[4*i:4*i+4]; [4]uint8(p) != [4]uint8(q) {
			sum += apart(onWhite(p), onWhite(q))
		}
	}
	return sum / math.Max(1, n)
}

// mayChange is the part of two results of one size in which items of an agent may differ.
func mayChange(req Request, seg Segmentation, first, second *image.NRGBA) mask.Plane {
	size := first.Rect.Size()
	out := mask.New(size.X, size.Y)
	out.Fill(255)
	switch req.Agent {
	case "aiproduct", "aimodel":
		out = outside(seg.Mask)
	case "expandimage":
		src := req.Original.Rect
		out.FillRect(src.Add(size.Sub(src.Size()).Div(2)), 0)
	case "removeBG":
		// The rim, to both sides of where the first is half covered.
		cover := compose.Matte(first)
		cover.Threshold(mask.Level)
		inner := cover.Shrink(3)
		out = cover.Grow(3)
		for i, v := range inner.Pix {
			out.Pix[i] &^= v
		}
	default:
		// What the agent changed of its picture, if it shows that again.
		src := req.Source()
		if src == nil || src.Rect.Size() != size {
			break
		}
		changed, n := mask.New(size.X, size.Y), 0
		for i := range changed.Pix {
			was := onWhite(src.Pix[4*i : 4*i+4])
			if apart(was, onWhite(first.Pix[4*i:4*i+4])) > 2 || apart(was, onWhite(second.Pix[4*i:4*i+4])) > 2 {
				changed.Pix[i] = 255
				n++
			}
		}
		if n > 60 {
			out = changed
		}
	}
	return out
}

func TestSlowItemsOfBatchDiffer(t *testing.T) {
	t.Parallel()
	itemsOfBatchDiffer(t)
}

// TestItemsOfBatchDiffer is the short form of TestSlowItemsOfBatchDiffer.
func TestItemsOfBatchDiffer(t *testing.T) {
	t.Parallel()
	itemsOfBatchDiffer(t, "an edge around what was drawn", "more space", "a poster")
}

// itemsOfBatchDiffer checks that the items of a batch differ by as many Lab steps as each case says; of the named cases, or of all.
func itemsOfBatchDiffer(t *testing.T, names ...string) {
	t.Helper()
	white := color.NRGBA{255, 255, 255, 255}
	onPlain := func(c color.NRGBA) func(*Request) {
		return func(r *Request) {
			r.Original = plain(150, 170, c)
			src := still(150, 170)
			for y := range 170 {
				for x := range 150 {
					if inObject(x, y, 150, 170) {
						r.Original.SetNRGBA(x, y, src.NRGBAAt(x, y))
					}
				}
			}
		}
	}
	human := func(values map[string]any) func(*Request) {
		return func(r *Request) {
			r.Original = portrait(t, "Soo-ah", 300, 375)
			r.Values = map[string]any{"maskType": "autoHumanSegment", "generatedContent": "freeCreation"}
			for k, v := range values {
				r.Values[k] = v
			}
		}
	}
	looks := func(r *Request) {
		r.Original, r.Files = portrait(t, "Soo-ah", 200, 250), nil
		r.Values = map[string]any{"generatedType": "image"}
	}
	tests := []struct {
		name, agent string
		items       int
		least       float64 // Lab steps between any two of the first four, in the mean of what may change
		set         func(*Request)
	}{
		{"a product in a scene", "aiproduct", 16, 3, nil},
		{"a model in a scene", "aimodel", 16, 3, nil},
		{"a face by words", "aimodel", 4, 1.2, human(map[string]any{"textDescription": "a man with a beard"})},
		{"a face without words", "aimodel", 4, 1.2, human(map[string]any{"locationId": 1001.0})},
		{"a face of one model", "aimodel", 16, 0.4, func(r *Request) {
			human(nil)(r)
			r.FashionModel, r.Who = portrait(t, "Malik", 300, 375), whoIs(t, "Malik")
		}},
		{"a garment", "virtualtryon", 6, 3, nil},
		{"an edge", "removeBG", 16, 2, func(r *Request) { r.Original = ball(240, 220) }},
		{"an edge around what was drawn", "removeBG", 4, 2, func(r *Request) {
			r.CustomMask, r.Values = painted(150, 170), map[string]any{"maskType": "custom"}
		}},
		{"a sketch", "image-to-sketch", 6, 2, nil},
		{"a pose", "aipose", 4, 1, nil},
		{"more space", "expandimage", 4, 2, nil},
		{"more of a white ground", "expandimage", 16, 2, onPlain(white)},
		{"more of a dark ground", "expandimage", 4, 2, onPlain(color.NRGBA{30, 32, 36, 255})},
		{"more of black", "expandimage", 16, 1.5, onPlain(color.NRGBA{0, 0, 0, 255})},
		{"a scene by words", "z-image", 4, 4, nil},
		{"a portrait by words", "z-image", 16, 2, func(r *Request) { r.Values = map[string]any{"textDescription": "portrait of an old fisherman"} }},
		{"a poster", "ai-poster", 4, 3, nil},
		{"a person in other looks", "portrait-motion", 4, 8, looks},
		{"a collage", "ai-collage-maker", 4, 6, nil},
	}
	for _, tt := range tests {
		if len(names) > 0 && !slices.Contains(names, tt.name) {
			continue
		}
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			req := example(t, tt.agent)
			req.Count = tt.items
			if tt.set != nil {
				tt.set(&req)
			}
			seg, err := Segment(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			seen := map[string]int{}
			var first []*image.NRGBA
			least := math.Inf(1)
			for i := range tt.items {
				req.Item = i
				out, err := Render(t.Context(), req, seg)
				if err != nil {
					t.Fatal(err)
				}
				if other, ok := seen[string(out.Pix)]; ok {
					t.Errorf("items %d and %d are the same picture", other, i)
				}
				seen[string(out.Pix)] = i
				if i >= 4 {
					continue
				}
				var part mask.Plane
				if i > 0 {
					part = mayChange(req, seg, first[0], out)
				}
				for n, other := range first {
					d := apartWithin(other, out, part)
					least = math.Min(least, d)
					if d < tt.least {
						t.Errorf("items %d and %d differ by %.2f where they may, want %.1f", n, i, d, tt.least)
					}
				}
				first = append(first, out)
			}
			t.Logf("any two of the first four differ by %.2f or more", least)
		})
	}
}

// TestSlowSameSeedGivesSameItems: what was interrupted is made again as it was, by every original agent.
func TestSlowSameSeedGivesSameItems(t *testing.T) {
	t.Parallel()
	for _, agent := range []string{"aimodel", "aiproduct", "aipose", "expandimage", "removeBG", "virtualtryon"} {
		t.Run(agent, func(t *testing.T) {
			t.Parallel()
			batch := func(items ...int) (out []*image.NRGBA) {
				req := example(t, agent)
				req.Count = 4
				seg, err := Segment(t.Context(), req)
				if err != nil {
					t.Fatal(err)
				}
				for _, req.Item = range items {
					img, err := Render(t.Context(), req, seg)
					if err != nil {
						t.Fatal(err)
					}
					out = append(out, img)
				}
				return out
			}
			first, again := batch(0, 1, 2, 3), batch(3, 1)
			for n, item := range []int{3, 1} { // neither their order nor what was made before matters
				if !bytes.Equal(first[item].Pix, again[n].Pix) {
					t.Errorf("item %d comes out otherwise when it is made again", item)
				}
			}
		})
	}
}

// coarse is a large picture of every other pixel and row, as often as makes it small: enough to measure.
func coarse(img *image.NRGBA) *image.NRGBA {
	k := (max(img.Rect.Dx(), img.Rect.Dy()) + 299) / 300
	if k < 2 {
		return img
	}
	out := image.NewNRGBA(image.Rect(0, 0, img.Rect.Dx()/k, img.Rect.Dy()/k))
	for y := range out.Rect.Dy() {
		for x := range out.Rect.Dx() {
			copy(out.Pix[out.PixOffset(x, y):][:4], img.Pix[img.PixOffset(k*x, k*y):])
		}
	}
	return out
}

// TestNoTwoItemsOfAnyAgentAreAlike makes some 1,700 pictures: it runs when ATELIER_TEST_ITEMS is set.
func TestNoTwoItemsOfAnyAgentAreAlike(t *testing.T) {
	if os.Getenv("ATELIER_TEST_ITEMS") == "" {
		t.Skip("ATELIER_TEST_ITEMS is not set")
	}
	t.Parallel()
	const least = 1.5 // Lab steps between any two of the first four, in the mean of what the agent changes
	check := func(t *testing.T, req Request) {
		t.Parallel()
		req.Count = 16
		seg, err := Segment(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		made := map[int]*image.NRGBA{}
		for i := range req.Count {
			req.Item = i
			out, err := Render(t.Context(), req, seg)
			if err != nil {
				t.Fatal(err)
			}
			for n, other := range made {
				if bytes.Equal(other.Pix, out.Pix) {
					t.Errorf("items %d and %d are the same picture", n, i)
				}
				if i >= 4 || other.Rect != out.Rect || req.Agent == "glasses-remover-from-photo" {
					continue // without glasses a face looks one way: those items differ by margin and grain alone
				}
				a, b := coarse(other), coarse(out)
				if d := apartWithin(a, b, mayChange(req, seg, a, b)); d < least {
					t.Errorf("items %d and %d differ by %.2f, want %.1f", n, i, d, least)
				}
			}
			made[i] = out
		}
	}
	for _, name := range names() {
		t.Run(name, func(t *testing.T) {
			req := example(t, name)
			delete(req.Values, "aspectRatio")
			check(t, req)
		})
		if agents[name].needs {
			continue
		}
		t.Run(name+" by words", func(t *testing.T) {
			req := example(t, name)
			req.Original, req.Files = nil, nil
			req.Values["aspectRatio"] = "1:8" // small is enough
			check(t, req)
		})
	}
}

func TestSlowHeadMatchesDescription(t *testing.T) {
	t.Parallel()
	img := portrait(t, "Soo-ah", 300, 375)
	tests := []struct {
		text, not string
		suits     func(names []string) bool
	}{
		{"a man with a beard", "", func(n []string) bool { return n[0] == "Malik" || n[0] == "Arjun" || n[0] == "Tomás" }},
		{"an elderly woman", "", func(n []string) bool { return n[0] == "Helene" }},
		{"a woman with curly hair", "", func(n []string) bool { return n[0] == "Amara" }},
		{"a woman with long hair", "", func(n []string) bool { return n[0] == "Maren" }},
		{"a man", "beard, stubble", func(n []string) bool { return n[0] == "Kenji" }},
		{"on a long beach", "", func(n []string) bool { return len(n) == 10 }},
	}
	seg, err := found(t.Context(), Request{Agent: "aimodel"}, img, maskHuman)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range tests {
		req := Request{Agent: "aimodel", Values: map[string]any{"textDescription": tt.text, "negTextDescription": tt.not}}
		for seed := range int64(3) {
			req.Seed = seed
			var names []string
			for _, m := range req.cast(img, seg) {
				names = append(names, m.Name)
			}
			if !tt.suits(names) {
				t.Errorf("%q without %q casts %v", tt.text, tt.not, names)
			}
		}
	}
}

func TestALightThatFallsOffBeginsAtThePicture(t *testing.T) {
	t.Parallel()
	white := color.NRGBA{250, 250, 250, 255}
	place := image.Rect(60, 50, 260, 210)
	for item := range 8 {
		img := plain(340, 260, white)
		v := Request{Seed: 4, Item: item}.vary()
		v.letFall(img, place)
		worst := 0
		for y := range 260 {
			for x := range 340 {
				c := img.NRGBAAt(x, y)
				in := image.Pt(x, y).In(place)
				if in && c != white {
					t.Fatalf("item %d: the picture changed at (%d,%d)", item, x, y)
				}
				if near := image.Pt(x, y).In(place.Inset(-3)); !in && near {
					worst = max(worst, int(white.G)-int(c.G), int(c.G)-int(white.G))
				}
			}
		}
		if worst > 1 {
			t.Errorf("item %d: beside the picture the light differs by %d", item, worst)
		}
		if corner := img.NRGBAAt(0, 259); item > 0 && corner == white {
			t.Errorf("item %d: the corner is as light as the picture", item)
		}
	}
	rough := still(340, 260)
	for i := range rough.Pix {
		if i/4%20 < 10 && i%4 < 3 {
			rough.Pix[i] /= 3
		}
	}
	was := string(rough.Pix)
	Request{Seed: 4, Item: 1}.vary().letFall(rough, place)
	if string(rough.Pix) != was {
		t.Error("a ground with a pattern changed")
	}
}

// Two people in one picture stand side by side: the one who was there keeps their face.
func TestSlowAddedPersonStandsBeside(t *testing.T) {
	t.Parallel()
	guest, host := portrait(t, "Kenji", 420, 560), plain(900, 560, color.NRGBA{169, 143, 124, 255}) // the wall behind Amara
	amara := portrait(t, "Amara", 448, 560)
	draw.Draw(host, amara.Rect.Add(image.Pt((900-448)/2, 0)), amara, image.Point{}, draw.Src)
	found, err := analysis.Subject(t.Context(), host, segment.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(found.Faces) == 0 {
		t.Fatal("the host has no face")
	}
	out, err := combine(t.Context(), Request{Agent: "ai-image-combiner", Files: map[string][]*image.NRGBA{"images": {guest, host}}}, Segmentation{})
	if err != nil {
		t.Fatal(err)
	}
	if d := unlike(out, host, found.Faces[0]); d > 6 {
		t.Errorf("the face that was there differs by %.1f", d)
	}
	both, err := analysis.Subject(t.Context(), out, segment.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(both.Faces) < 2 {
		t.Fatalf("%d faces are in the picture of two", len(both.Faces))
	}
	a, b := both.Faces[0], both.Faces[1]
	if ratio := float64(a.Dy()) / float64(b.Dy()); ratio < 0.6 || ratio > 1.65 {
		t.Errorf("one head is %.2f times as large as the other", ratio)
	}
}
