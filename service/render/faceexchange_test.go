package render

import (
	"image"
	"math"
	"testing"

	"atelier/imaging"
	"atelier/imaging/analysis"
	"atelier/imaging/compose"
	"atelier/imaging/mask"
	"atelier/service/presets"
)

// portrait is one of the drawn fashion models, by name.
func portrait(t *testing.T, name string, w, h int) *image.NRGBA {
	t.Helper()
	img, err := whoIs(t, name).Draw(t.Context(), w, h)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

func whoIs(t *testing.T, name string) *presets.FashionModel {
	t.Helper()
	for _, m := range presets.FashionModels() {
		if m.Name == name {
			return &m
		}
	}
	t.Fatalf("there is no model %s", name)
	return nil
}

// toneOf is the mean Lab colour within r.
func toneOf(img *image.NRGBA, r image.Rectangle) [3]float64 {
	m := mask.New(img.Rect.Dx(), img.Rect.Dy())
	m.FillRect(r, 255)
	return compose.Measure(img, &m).Mean
}

// standard takes mean and deviation of v to 0 and 1.
func standard(v []float64) {
	var sum, square float64
	for _, x := range v {
		sum, square = sum+x, square+x*x
	}
	mean := sum / float64(len(v))
	deep := math.Sqrt(square/float64(len(v)) - mean*mean)
	for i := range v {
		v[i] = (v[i] - mean) / deep
	}
}

func apart(a, b [3]float64) float64 {
	return math.Sqrt((a[0]-b[0])*(a[0]-b[0]) + (a[1]-b[1])*(a[1]-b[1]) + (a[2]-b[2])*(a[2]-b[2]))
}

func TestSlowOnlyFaceAndHairChange(t *testing.T) {
	t.Parallel()
	src, from := portrait(t, "Maren", 360, 450), portrait(t, "Malik", 360, 450)
	req := Request{
		Agent: "aimodel", Version: "v1.0", Original: src, FashionModel: from, Who: whoIs(t, "Malik"), Count: 4,
		Values: map[string]any{"maskType": "autoHumanSegment", "generatedContent": "referToOrigin"},
	}
	seg, err := Segment(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	if len(seg.Models) != 1 {
		t.Fatal("the model's face was not found")
	}
	var items [3]*image.NRGBA
	for n := range items {
		req.Item = n
		if items[n], err = Render(t.Context(), req, seg); err != nil {
			t.Fatal(err)
		}
		for i, v := range seg.Matte.Pix {
			if v == 255 && seg.Mask.Pix[i] >= mask.Level && [4]uint8(items[n].Pix[4*i:]) != [4]uint8(src.Pix[4*i:]) {
				t.Fatalf("item %d: protected pixel (%d,%d) changed", n, i%360, i/360)
			}
		}
		for m := range n {
			if d := difference(items[m], items[n]); d < 0.15 {
				t.Errorf("items %d and %d differ by %.2f only", m, n, d)
			}
		}
	}
	out := items[0]
	f := seg.Faces[0]
	// The hair is cut as hers, and dark as his.
	beside := image.Rect(f.Min.X-f.Dx()/8, f.Max.Y-f.Dy()/4, f.Min.X, f.Max.Y)
	crown := image.Rect(f.Min.X+f.Dx()/3, f.Min.Y-f.Dy()/6, f.Max.X-f.Dx()/3, f.Min.Y-f.Dy()/12)
	for _, part := range []image.Rectangle{beside, crown} {
		if was, got := toneOf(src, part), toneOf(out, part); got[0] > 40 || got[0] > was[0]-12 {
			t.Errorf("the hair went from %.0f to %.0f, want it dark", was, got)
		}
	}
	// Eyes, nose and mouth go from hers to his, whatever tone they have.
	to, his := featuresOf(src, f), seg.Models[0]
	lay := fitted3(to.points(), his.at.points())
	var her, him, got []float64
	for y := -0.3; y < 1.3; y += 0.04 {
		for x := -0.6; x <= 0.6; x += 0.04 {
			p := to.at(x, y)
			q := lay.at(p)
			for _, v := range []struct {
				img *image.NRGBA
				at  spot
				to  *[]float64
			}{{src, p, &her}, {his.Picture, q, &him}, {out, p, &got}} {
				c, ok := sampled(v.img, v.at.x, v.at.y)
				if !ok {
					t.Fatal("a face is cut off")
				}
				*v.to = append(*v.to, c[1])
			}
		}
	}
	standard(her)
	standard(him)
	standard(got)
	var along, all float64
	for i := range got {
		along += (got[i] - her[i]) * (him[i] - her[i])
		all += (him[i] - her[i]) * (him[i] - her[i])
	}
	if share := along / all; share < 0.4 {
		t.Errorf("the face went %.0f %% of the way from hers to his", 100*share)
	}
	// The body is protected, so the face takes its tone.
	if a, b := skinTone(out, f), skinTone(src, f); apart(a, b) > 12 {
		t.Errorf("the face has the tone %.0f, the body %.0f", a, b)
	}
}

func TestSlowBareSkinTakesFaceTone(t *testing.T) {
	t.Parallel()
	src, from := portrait(t, "Amara", 360, 450), portrait(t, "Maren", 360, 450)
	req := Request{
		Agent: "aimodel", Version: "v1.0", Original: src, FashionModel: from, Count: 4,
		Values: map[string]any{"maskType": "autoApparelSegment", "generatedContent": "freeCreation", "textDescription": "grey studio"},
	}
	seg, err := Segment(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	out, err := Render(t.Context(), req, seg)
	if err != nil {
		t.Fatal(err)
	}
	f := seg.Faces[0]
	throat := image.Rect(f.Min.X+f.Dx()*2/5, f.Max.Y+f.Dy()/3, f.Max.X-f.Dx()*2/5, f.Max.Y+f.Dy()/2)
	if got, was := toneOf(out, throat), toneOf(src, throat); got[0] < was[0]+12 {
		t.Errorf("the throat went from %.0f to %.0f, want it as fair as the new face", was, got)
	}
	kept := 0
	for i, v := range seg.Matte.Pix {
		if v == 255 && seg.Mask.Pix[i] >= mask.Level {
			kept++
			if [4]uint8(out.Pix[4*i:]) != [4]uint8(src.Pix[4*i:]) {
				t.Fatalf("clothing pixel (%d,%d) changed", i%360, i/360)
			}
		}
	}
	if kept == 0 {
		t.Error("nothing was protected")
	}
}

func TestSlowColourGoesToChangeableClothes(t *testing.T) {
	t.Parallel()
	src := portrait(t, "Arjun", 360, 450)
	req := Request{
		Agent: "aimodel", Version: "v1.0", Original: src, Count: 4,
		Values: map[string]any{"maskType": "inverseAutoHumanSegment", "generatedContent": "freeCreation", "textDescription": "a burgundy shirt, grey wall"},
	}
	seg, err := Segment(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	out, err := Render(t.Context(), req, seg)
	if err != nil {
		t.Fatal(err)
	}
	f := seg.Faces[0]
	chest := image.Rect(f.Min.X-f.Dx()/3, 420, f.Min.X, 442)
	if was, got := toneOf(src, chest), toneOf(out, chest); got[1] < was[1]+10 {
		t.Errorf("the shirt went from %.0f to %.0f, want it red", was, got)
	}
	if was, got := skinTone(src, f), skinTone(out, f); apart(was, got) > 1 {
		t.Errorf("the face, which is kept, went from %.0f to %.0f", was, got)
	}
}

// marked is a portrait with something dark drawn on both cheeks, away from the places a face is found by.
func marked(img *image.NRGBA, f features) *image.NRGBA {
	out := imaging.Clone(img)
	eachPixel(out, func(x, y int, p []uint8) {
		if at := f.below(spot{float64(x) + 0.5, float64(y) + 0.5}); math.Abs(math.Abs(at.x)-0.45) < 0.07 && at.y > 0.5 && at.y < 0.75 {
			copy(p, []uint8{24, 20, 18})
		}
	})
	return out
}

func TestSlowOldFaceDoesNotShowThrough(t *testing.T) {
	t.Parallel()
	plain, from := portrait(t, "Maren", 360, 450), portrait(t, "Amara", 360, 450)
	req := Request{
		Agent: "aimodel", Version: "v1.0", Original: plain, FashionModel: from, Who: whoIs(t, "Amara"), Count: 4,
		Values: map[string]any{"maskType": "autoHumanSegment", "generatedContent": "referToOrigin"},
	}
	seg, err := Segment(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	at := featuresOf(plain, seg.Faces[0])
	var out [2]*image.NRGBA
	for n, img := range []*image.NRGBA{plain, marked(plain, at)} {
		req.Original = img
		if out[n], err = Render(t.Context(), req, seg); err != nil {
			t.Fatal(err)
		}
	}
	was, left, all := 0.0, 0.0, 0.0
	for y := 0.52; y < 0.73; y += 0.02 {
		for x := 0.4; x <= 0.5; x += 0.02 {
			p := at.at(x, y)
			light := func(img *image.NRGBA) float64 {
				c, _ := sampled(img, p.x, p.y)
				return c[1]
			}
			was, left, all = was+light(plain)-light(req.Original), left+math.Abs(light(out[0])-light(out[1])), all+1
		}
	}
	if was < 80*all || left > 0.06*was {
		t.Errorf("of marks %.0f levels dark %.1f remain on the new face", was/all, left/all)
	}
}

func TestSlowDarkHairStaysDark(t *testing.T) {
	t.Parallel()
	src, from := portrait(t, "Kenji", 360, 450), portrait(t, "Helene", 360, 450)
	req := Request{
		Agent: "aimodel", Version: "v1.0", Original: src, FashionModel: from, Who: whoIs(t, "Helene"), Count: 4,
		Values: map[string]any{"maskType": "autoHumanSegment", "generatedContent": "referToOrigin"},
	}
	out := drawIt(t, req)
	f, _, ok, err := faceOf(src)
	if err != nil || !ok {
		t.Fatal("no face is found: ", err)
	}
	crown := image.Rect(f.Min.X+f.Dx()/3, f.Min.Y-f.Dy()/6, f.Max.X-f.Dx()/3, f.Min.Y-f.Dy()/12)
	if was, got := toneOf(src, crown), toneOf(out, crown); was[0] > 35 || got[0] > was[0]+10 {
		t.Errorf("black hair went from %.0f to %.0f", was, got)
	}
}

func TestSlowSunlitForeheadIsNotHair(t *testing.T) {
	t.Parallel()
	src := portrait(t, "Soo-ah", 360, 450)
	faces, err := analysis.Faces(src)
	if err != nil || len(faces) == 0 {
		t.Fatal("no face was found", err)
	}
	at := featuresOf(src, faces[0])
	eachPixel(src, func(x, y int, p []uint8) {
		q := at.below(spot{float64(x), float64(y)})
		blend(p, [3]float64{254, 248, 242}, smooth((-0.5-q.y)/0.2)*smooth((0.93-ovalReach(q))/0.1))
	})
	req := Request{
		Agent: "aimodel", Version: "v1.0", Original: src, FashionModel: portrait(t, "Malik", 360, 450), Who: whoIs(t, "Malik"), Count: 1,
		Values: map[string]any{"maskType": "autoApparelSegment", "generatedContent": "freeCreation", "textDescription": "grey studio"},
	}
	out := drawnBy(t, req)
	around := func(p spot) image.Rectangle { return image.Rect(int(p.x)-6, int(p.y)-4, int(p.x)+6, int(p.y)+4) }
	forehead, cheek := toneOf(out, around(at.at(0, -0.75))), toneOf(out, around(at.at(-0.5, 0.6)))
	if math.Abs(forehead[0]-cheek[0]) > 14 {
		t.Errorf("the forehead is %.0f beside cheeks of %.0f, want it as dark", forehead, cheek)
	}
}

func TestSlowBrowsThatSkinSurroundsBelongToTheFaceAndALockOfHairDoesNot(t *testing.T) {
	t.Parallel()
	img, seg := sitter(t)
	f := featuresOf(img, seg.Faces[0])
	s, tone, black := f.span(), skinTone(img, seg.Faces[0]), dot([3]float64{20, 16, 14}, 255)
	skin := rgbOf(tone)
	bare := imaging.Clone(img)
	oval(f.at(0, 0.4).x, f.at(0, 0.4).y, 1.3*s, 1.7*s, 0).fill(bare, dot(skin, 255))
	browed, locked := imaging.Clone(bare), imaging.Clone(bare)
	end := f.at(0.84, -0.3)
	line(0.14*s, 0.14*s, f.at(0.3, -0.42), end).fill(browed, black)
	line(0.14*s, 0.14*s, f.at(1.6, -0.3), end).fill(locked, black)
	x, y := int(end.x-0.03*s), int(end.y)
	if v := f.bareFace(bare, tone).At(x, y); v < 250 {
		t.Fatalf("skin itself counts as bare by %d of 255", v)
	}
	if v := f.bareFace(browed, tone).At(x, y); v < 250 {
		t.Errorf("the end of a brow counts as bare by %d of 255", v)
	}
	if v := f.bareFace(locked, tone).At(x, y); v > 60 {
		t.Errorf("a lock of hair over the temple counts as bare by %d of 255", v)
	}
}

func TestSlowHatIsNotHair(t *testing.T) {
	t.Parallel()
	bare, from := portrait(t, "Kenji", 360, 450), portrait(t, "Helene", 360, 450)
	face, _, ok, err := faceOf(bare)
	if err != nil || !ok {
		t.Fatal("no face is found: ", err)
	}
	f := featuresOf(bare, face)
	s, top := f.span(), f.at(0, -2.15)
	crown := image.Rect(int(top.x-0.8*s), int(top.y-0.2*s), int(top.x+0.8*s), int(top.y+0.2*s))
	covered := imaging.Clone(bare)
	oval(top.x, top.y, 1.7*s, 0.6*s, 0).fill(covered, dot([3]float64{232, 226, 210}, 255))
	for _, src := range []*image.NRGBA{bare, covered} {
		seg, err := Segment(t.Context(), Request{
			Agent: "aimodel", Version: "v1.0", Original: src, FashionModel: from, Who: whoIs(t, "Helene"), Count: 4,
			Values: map[string]any{"maskType": "autoHumanSegment", "generatedContent": "referToOrigin"},
		})
		if err != nil {
			t.Fatal(err)
		}
		seg.Matte, seg.Mask = seg.Head, seg.Head
		h := headIn(src, seg)
		hat := likeness{src, face, f}.hat(h)
		if src == bare && coverage(hat, hat.Rect()) > 0 {
			t.Errorf("of a bare head %.3f is taken for a hat", coverage(hat, hat.Rect()))
		}
		if src == covered && (coverage(h.hair, crown) < 0.9 || coverage(hat, crown) < 0.95) {
			t.Errorf("%.2f of the hat is taken for hair and %.2f of it is known for a hat", coverage(h.hair, crown), coverage(hat, crown))
		}
	}
}
