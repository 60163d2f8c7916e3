package service

import (
	"context"
	"image"
	"image/color"
	"maps"
	"math"
	"slices"
	"testing"

	"atelier/imaging/compose"
	"atelier/imaging/mask"
	"atelier/imaging/testpics"
	"atelier/service/presets"
	"atelier/service/render"
	"atelier/upstream"
)

// What a client sees of its own picture in the results, asked for and read over the wire alone.

// made gives the picture of an execution that asks for one.
func (w *world) made(execution string) *image.NRGBA {
	w.t.Helper()
	e := w.finish(execution)
	if e.Status != statusSuccess {
		w.t.Fatalf("execution = %+v", e)
	}
	return decode(w.t, w.fetch(e.Result[0].Image).raw)
}

// run starts a run and gives its execution.
func (w *world) run(agent string, input, params map[string]any) string {
	w.t.Helper()
	a := w.post(upstream.PathRuns, w.key, upstream.RunStart{Agent: upstream.RunAgent{Name: agent, Version: "v1.0"}, Input: input, Params: params})
	return must[upstream.RunStarted](w.t, a).ExecutionID
}

// sameWithin is the share of the painted pixels that two pictures of one size have in common, exactly.
func sameWithin(t *testing.T, a, b *image.NRGBA, part mask.Plane) float64 {
	t.Helper()
	if a.Rect.Size() != b.Rect.Size() || a.Rect.Size() != image.Pt(part.W, part.H) {
		t.Fatalf("pictures of %v and %v, a mask of %d × %d", a.Rect.Size(), b.Rect.Size(), part.W, part.H)
	}
	same, all := 0, 0
	for y := range part.H {
		for x := range part.W {
			if part.Kept(x, y) {
				all++
				if a.NRGBAAt(x, y) == b.NRGBAAt(x, y) {
					same++
				}
			}
		}
	}
	return float64(same) / float64(max(all, 1))
}

func TestAutomaticMasksProtectEveryPixel(t *testing.T) {
	t.Parallel()
	testAutomaticMasks(t, "autoUpperApparelSegment", "autoSubjectSegment")
}

func TestSlowAutomaticMasksProtectEveryPixel(t *testing.T) {
	t.Parallel()
	testAutomaticMasks(t, "autoApparelSegment", "autoUpperApparelSegment", "autoLowerApparelSegment", "autoSubjectSegment",
		"inverseAutoHumanSegment", "autoHumanSegment")
}

// testAutomaticMasks looks at results with these maskTypes: the core of what each of them protects is kept, and what it does not protect
// is new (Run API, "Mask and enum semantics").
func testAutomaticMasks(t *testing.T, types ...string) {
	w := newWorld(t, nil)
	person, who := testpics.Person(540, 700, 4)
	garment, truth := testpics.Garment(520, 560, 1)
	head, err := presets.FashionModels()[0].Draw(t.Context(), 540, 675)
	if err != nil {
		t.Fatal(err)
	}
	clothes := who.Upper.Clone()
	if err := clothes.Combine(who.Lower, mask.Add); err != nil {
		t.Fatal(err)
	}
	around := func(m mask.Plane) mask.Plane {
		m = m.Grow(24)
		m.Invert()
		return m
	}
	below := mask.New(540, 675) // the chest of a portrait, and the wall beside the head
	below.FillRect(image.Rect(200, 620, 340, 675), 255)
	below.FillRect(image.Rect(0, 0, 60, 60), 255)
	face := mask.New(540, 675)
	face.FillRect(image.Rect(240, 280, 300, 340), 255)
	tests := []struct {
		agent, maskType string
		picture         *image.NRGBA
		kept, redrawn   mask.Plane
		params          map[string]any
	}{
		{"aimodel", "autoApparelSegment", person, clothes.Shrink(12), around(who.Person), map[string]any{"locationId": 1001}},
		{"aimodel", "autoUpperApparelSegment", person, who.Upper.Shrink(16), around(who.Person), map[string]any{"locationId": 1002}},
		{"aimodel", "autoLowerApparelSegment", person, who.Lower.Shrink(16), around(who.Person), map[string]any{"locationId": 1003}},
		{"aimodel", "autoSubjectSegment", person, who.Person.Shrink(8), around(who.Person), map[string]any{"textDescription": "at the sea"}},
		{"aimodel", "inverseAutoHumanSegment", head, face, below, map[string]any{"locationId": 1001}},
		{"aimodel", "autoHumanSegment", head, below, face, map[string]any{"fashionModelId": 2003}},
		{"aiproduct", "autoSubjectSegment", garment, truth.Shrink(8), around(truth), map[string]any{"locationId": 1001}},
		{"aiproduct", "autoSubjectSegment", garment, truth.Shrink(8), around(truth), map[string]any{"textDescription": "a grey studio"}},
	}
	for _, tt := range tests {
		if !slices.Contains(types, tt.maskType) {
			continue
		}
		params := map[string]any{"generatedContent": "freeCreation", "maskType": tt.maskType, "resizeToOriginalImage": true, "batchCount": 1}
		maps.Copy(params, tt.params)
		got := w.made(w.execute(w.task(tt.agent, w.upload(testpics.PNG(tt.picture))), params))
		if kept := sameWithin(t, got, tt.picture, tt.kept); kept < 1 {
			t.Errorf("%s, %s: %.4f of what is kept is exact", tt.agent, tt.maskType, kept)
		}
		if old := sameWithin(t, got, tt.picture, tt.redrawn); old > 0.25 {
			t.Errorf("%s, %s: %.4f of what may be redrawn is as it was", tt.agent, tt.maskType, old)
		}
	}
}

func TestAMaskBehindAnAddressIsObeyedPixelForPixel(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	source := photo()
	painted := mask.New(520, 560)
	for y := range 560 {
		for x := range 520 {
			if math.Hypot(float64(x-260), float64(y-280)) < 150+40*math.Sin(float64(x)/9) {
				painted.Set(x, y, 255)
			}
		}
	}
	rest := painted.Grow(24)
	rest.Invert()
	address := w.upload(mask.EncodeRGBA(painted))
	for agent, params := range map[string]map[string]any{
		"removeBG":  {"backgroundHex": "#204060"},
		"aiproduct": {"generatedContent": "freeCreation", "locationId": 1001},
		"aimodel":   {"generatedContent": "referToOrigin", "locationId": 1001, "resizeToOriginalImage": true},
	} {
		params["maskType"], params["customMaskUrl"], params["batchCount"] = "custom", address, 1
		got := w.made(w.execute(w.task(agent, w.upload(testpics.PNG(source))), params))
		if kept := sameWithin(t, got, source, painted); kept < 1 {
			t.Errorf("%s: %.4f of what is painted is exact", agent, kept)
		}
		if old := sameWithin(t, got, source, rest); old > 0.2 {
			t.Errorf("%s: %.4f of what is clear is as it was", agent, old)
		}
	}
}

// The garment to keep, who wears it, and where (Run API, "virtualtryon").
func TestGarmentIsWornByTheModelInThePlace(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	garment, truth := testpics.Garment(514, 548, 3)
	model, err := presets.FashionModels()[0].Draw(t.Context(), 514, 771)
	if err != nil {
		t.Fatal(err)
	}
	place := testpics.Flat(686, 514, color.NRGBA{R: 40, G: 150, B: 70, A: 255})
	got := w.made(w.run("virtualtryon", map[string]any{
		"originalImage": w.upload(testpics.PNG(garment)), "fashionModelImage": w.upload(testpics.PNG(model)), "locationImage": w.upload(testpics.PNG(place)),
	}, map[string]any{"generateVersion": "serviceFlash", "descriptionType": "auto", "batchCount": 1}))
	if seen, err := render.ShowsHead(context.WithoutCancel(t.Context()), got); err != nil || !seen {
		t.Errorf("the model's head is seen: %v, %v", seen, err)
	}
	cloth := truth.Shrink(20)
	want := compose.Measure(garment, &cloth)
	b := got.Rect
	chest := mask.New(b.Dx(), b.Dy())
	chest.FillRect(image.Rect(b.Dx()*4/10, b.Dy()*6/10, b.Dx()*6/10, b.Dy()*8/10), 255)
	corners := mask.New(b.Dx(), b.Dy())
	corners.FillRect(image.Rect(0, 0, b.Dx()/10, b.Dy()/5), 255)
	corners.FillRect(image.Rect(b.Dx()*9/10, 0, b.Dx(), b.Dy()/5), 255)
	apart := func(a, b [3]float64) float64 { return math.Hypot(a[1]-b[1], a[2]-b[2]) }
	worn, behind := compose.Measure(got, &chest).Mean, compose.Measure(got, &corners).Mean
	there := compose.Measure(place, nil).Mean
	t.Logf("the cloth is %.0f in Lab, worn %.0f; the place %.0f, behind %.0f", want.Mean, worn, there, behind)
	if d := apart(worn, want.Mean); d > 12 {
		t.Errorf("the cloth is %.0f, worn it is %.0f", want.Mean, worn)
	}
	if d := apart(behind, there); d > 12 {
		t.Errorf("the place is %.0f, behind the model it is %.0f", there, behind)
	}
}

// TestHairIsNotCutSquareAndHasNoHalo draws a head of dark hair with loose strands before blue, whose share of each pixel is known.
func TestHairIsNotCutSquareAndHasNoHalo(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	const width, height = 560, 640
	hair, wall := [3]float64{62, 44, 34}, [3]float64{96, 140, 214}
	truth := make([]float64, width*height)
	head := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			share := strands(float64(x)+0.5-280, float64(y)+0.5-280)
			if shoulders := float64(y) - 500 - 0.004*float64((x-280)*(x-280)); shoulders > 0 {
				share = 1
			}
			grain := float64((x*7919 + y*104729) % 7)
			c := [3]uint8{}
			for k := range c {
				c[k] = uint8(share*hair[k] + (1-share)*wall[k] + grain)
			}
			truth[y*width+x] = share
			head.SetNRGBA(x, y, color.NRGBA{R: c[0], G: c[1], B: c[2], A: 255})
		}
	}
	source := w.upload(testpics.PNG(head))
	cut := w.made(w.execute(w.task("removeBG", source), map[string]any{"maskType": "autoSubjectSegment", "batchCount": 1}))
	white := w.made(w.execute(w.task("removeBG", source), map[string]any{"maskType": "autoSubjectSegment", "backgroundHex": "#FFFFFF", "batchCount": 1}))
	var soft, softTruth, halo, rim int
	var off, offHard float64
	for y := range 480 {
		for x := range width {
			share := truth[y*width+x]
			if r := math.Hypot(float64(x)-280, float64(y)-280); r < 150 || r > 230 {
				continue
			}
			rim++
			alpha := float64(cut.NRGBAAt(x, y).A) / 255
			if alpha > 0.08 && alpha < 0.92 {
				soft++
			}
			if share > 0.08 && share < 0.92 {
				softTruth++
			}
			off += math.Abs(alpha - share)
			offHard += math.Abs(math.Round(share) - share)
			if c := white.NRGBAAt(x, y); int(c.B) > int(c.R)+30 {
				halo++
			}
		}
	}
	t.Logf("of %d pixels at the rim %d are soft, in truth %d; off by %.0f, the best hard edge by %.0f; %d are blue on white", rim, soft, softTruth, off, offHard, halo)
	if 3*soft < softTruth {
		t.Errorf("%d pixels at the rim are soft, in truth %d", soft, softTruth)
	}
	if off > offHard {
		t.Errorf("the matte is off by %.0f, the best hard edge by %.0f", off, offHard)
	}
	if 100*halo > rim {
		t.Errorf("%d of %d pixels at the rim are blue on white", halo, rim)
	}
}

// strands is the share of a pixel that hair covers at a place from the middle of a head: all of it within 150, above that strands
// that end at 190 to 220.
func strands(x, y float64) float64 {
	r, at := math.Hypot(x, y), math.Atan2(y, x)
	end := 205 + 15*math.Sin(5*at)
	if r <= 150 {
		return 1
	}
	if r >= end {
		return 0
	}
	strand := 0.5 + 0.5*math.Cos(70*at+r/11)
	return math.Max(0, math.Min(1, strand*1.6*(1-(r-150)/(end-150))))
}
