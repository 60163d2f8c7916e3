package render

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"testing"

	"atelier/imaging/analysis"
	"atelier/imaging/compose"
	"atelier/imaging/mask"
	"atelier/imaging/segment"
	"atelier/service/presets"
)

var (
	skyBlue = color.NRGBA{120, 160, 220, 255}
	earth   = color.NRGBA{150, 110, 70, 255}
)

// land is a picture of sky over earth that meet at a share of the height.
func land(w, h int, horizon float64) *image.NRGBA {
	img := plain(w, h, skyBlue)
	for y := int(horizon * float64(h)); y < h; y++ {
		for x := range w {
			img.SetNRGBA(x, y, earth)
		}
	}
	return img
}

// standing is a request for a drawn-mask box of which the feet are on a row, before a land with a light.
func standing(agent string, light presets.Light, top, feet int) Request {
	m := mask.New(200, 240)
	m.FillRect(image.Rect(80, top, 120, feet), 255)
	return Request{
		Agent: agent, Version: "v1.0", Original: plain(200, 240, color.NRGBA{170, 60, 60, 255}), CustomMask: &m,
		Location: land(400, 480, 0.5), Place: &presets.Location{Floor: 0.5, Light: light}, Seed: 3, Count: 4,
		Values: map[string]any{"maskType": "custom", "generatedContent": "freeCreation"},
	}
}

func TestShadowsFallAwayFromThePlacesOwnLight(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		angle float64
		right bool
	}{{150, true}, {30, false}} {
		req := standing("aiproduct", presets.Light{Angle: tt.angle, Softness: 0.3}, 60, 200)
		with := drawIt(t, req)
		req.Values["negTextDescription"] = "shadow"
		without := drawIt(t, req)
		var side [2]int
		for y := range 240 {
			for x := range 200 {
				side[x/100] += int(without.NRGBAAt(x, y).G) - int(with.NRGBAAt(x, y).G)
			}
		}
		if side[0] == 0 && side[1] == 0 {
			t.Fatal("there is no shadow")
		}
		if (side[1] > side[0]) != tt.right {
			t.Errorf("lit from %.0f° the left half is darker by %d and the right one by %d", tt.angle, side[0], side[1])
		}
	}
}

func TestFeetStandOnTheGround(t *testing.T) {
	t.Parallel()
	for _, wall := range []bool{true, false} {
		for _, feet := range []int{130, 180, 230} {
			for item := range 4 {
				t.Run(fmt.Sprintf("wall %v, feet on row %d, item %d", wall, feet, item), func(t *testing.T) {
					t.Parallel()
					req := standing("aiproduct", presets.Light{Angle: 90, Softness: 0.9}, feet-100, feet)
					req.Place.Wall = wall
					req.Item = item
					req.Values["negTextDescription"] = "shadow, blur"
					out := drawIt(t, req)
					if c := out.NRGBAAt(60, feet-1); c.R < c.B {
						t.Errorf("beside the feet there is sky: %v", c)
					}
				})
			}
		}
	}
}

func TestASubjectLitFromOneSideGetsASceneThatIs(t *testing.T) {
	t.Parallel()
	s := setting{picture: land(300, 300, 0.5), light: compose.Light{Angle: 150}, floor: 0.5}
	s.picture.SetNRGBA(10, 10, color.NRGBA{255, 0, 0, 255})
	for _, lit := range []float64{-0.6, 0.6} {
		v := Request{}.vary()
		back := s.frame(image.Pt(300, 300), bearing{top: 0.2, feet: 0.9, across: 0.5, lit: lit}, v)
		if back.light.Side()*lit <= 0 {
			t.Errorf("lit from %.1f, the scene is lit from %.2f", lit, back.light.Side())
		}
	}
	// A photograph may bear writing and is never mirrored: it grows brighter on the subject's side.
	s.photo = true
	back := s.frame(image.Pt(300, 300), bearing{top: 0.2, feet: 0.9, across: 0.5, lit: 0.6}, (Request{}).vary())
	if c := back.img.NRGBAAt(10, 10); c.R < 200 || c.G > 40 {
		t.Errorf("a photograph was mirrored: its mark is not where it was but %v", c)
	}
	if l := compose.EstimateLight(back.img); back.light.Side() < 0.2 || l.Side() < 0.1 {
		t.Errorf("lit from 0.6, the photograph looks lit from %.2f and throws shadows as from %.2f", l.Side(), back.light.Side())
	}
	if same := s.frame(image.Pt(300, 300), bearing{top: 0.2, feet: 0.9, across: 0.5, lit: -0.6}, (Request{}).vary()); same.light != s.light {
		t.Errorf("a photograph with the subject's light is lit from %.0f°, it was from %.0f°", same.light.Angle, s.light.Angle)
	}
}

func TestDescriptionsNamePlaces(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text, not string
		want      string
	}{
		{"walking on the beach at noon", "", "Morning beach"},
		{"a city street at night", "", "City street at night"},
		{"a city street at noon", "", "City street by day"},
		{"in the city, no cars", "street", "City street by day"},
		{"a street", "street", ""},
		{"rooftop terrace, fairy lights", "", "Terrace at dusk"},
		{"snowy forest, winter snow", "", "Fresh snow"},
		{"forest path", "", "Forest path"},
		{"by a lake in the mountains", "", "Mountain lake"},
		{"on a mountain", "", "Mountain lake"},
		{"mountain view behind", "", "Mountain lake"},
		{"a mountain bike", "", ""},
		{"a lake", "lake", ""},
		{"flower meadow", "flowers", ""},
		{"desert or beach", "desert", "Morning beach"},
		{"on a table in a museum", "", ""},
		{"a plain studio", "", ""},
	}
	for _, tt := range tests {
		got := ""
		if l := readWish(tt.text, tt.not).preset; l != nil {
			got = l.Name
		}
		if got != tt.want {
			t.Errorf("%q without %q is at %q, want %q", tt.text, tt.not, got, tt.want)
		}
	}
}

func TestUnwantedColoursLeaveThePlace(t *testing.T) {
	t.Parallel()
	req := standing("aiproduct", presets.Light{Angle: 90, Softness: 1}, 60, 200)
	req.Values["negTextDescription"] = "blue"
	c := drawIt(t, req).NRGBAAt(20, 10)
	lab := compose.Lab(c.R, c.G, c.B)
	if math.Hypot(lab[1], lab[2]) > 14 {
		t.Errorf("without blue, the sky is %v", c)
	}
}

// difference is the mean difference of two pictures of a size, over all channels.
func difference(a, b *image.NRGBA) float64 {
	sum := 0
	for i, v := range a.Pix {
		d := int(v) - int(b.Pix[i])
		sum += max(d, -d)
	}
	return float64(sum) / float64(len(a.Pix))
}

func TestSlowKeptAreaIsSameInAllItems(t *testing.T) {
	t.Parallel()
	for _, agent := range []string{"aiproduct", "aimodel"} {
		t.Run(agent, func(t *testing.T) {
			t.Parallel()
			req := standing(agent, presets.Light{Angle: 120, Softness: 0.5}, 60, 200)
			seg, err := Segment(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			for i := range 4 {
				req.Item = i
				out, err := Render(t.Context(), req, seg)
				if err != nil {
					t.Fatal(err)
				}
				wantKept(t, out, req.Original, req.CustomMask)
			}
		})
	}
}

func TestSlowLocationPersonIsLeftOut(t *testing.T) {
	t.Parallel()
	photo, err := presets.FashionModels()[3].Draw(t.Context(), 400, 500)
	if err != nil {
		t.Fatal(err)
	}
	req := standing("aiproduct", presets.Light{}, 60, 200)
	req.Location, req.Place = photo, nil
	seg, err := Segment(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	if seg.Scene == nil || seg.SceneFigure.Empty() {
		t.Fatal("the person in the location was not found")
	}
	after, err := segment.Subject(t.Context(), seg.Scene, segment.Options{Hard: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(after.Faces) > 0 {
		t.Errorf("a face is still there, at %v", after.Faces[0])
	}
}

func TestWhoTurnsAwayInALocationIsNotInTheResult(t *testing.T) {
	t.Parallel()
	req := standing("aiproduct", presets.Light{}, 60, 200)
	req.Location, req.Place = figureAt(land(300, 260, 0.6), 130), nil
	seg, err := Segment(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	if seg.Scene == nil {
		t.Fatal("the one who stands in the location was not found")
	}
	if at := redMiddle(seg.Scene); at != 0 {
		t.Errorf("something of them is left, at %.2f of the width", at)
	}
	for _, taken := range []struct {
		what string
		b    image.Rectangle
	}{
		{"a wall", image.Rect(0, 10, 300, 200)}, {"what is low", image.Rect(100, 150, 180, 200)}, {"a mast that the frame cuts", image.Rect(100, 0, 120, 200)},
	} {
		m := mask.New(300, 260)
		m.FillRect(taken.b, 255)
		if standsThere(m) {
			t.Errorf("%s counts as somebody", taken.what)
		}
	}
}

func TestTheSunOfABeachSetsWhereTheWordsSaySo(t *testing.T) {
	t.Parallel()
	sky := func(text string) (above, high [3]float64) {
		req := standing("aiproduct", presets.Light{}, 60, 200)
		req.Location, req.Place, req.Values["textDescription"] = nil, nil, text
		out := drawnBy(t, req)
		w, h := out.Rect.Dx(), out.Rect.Dy()
		return toneOf(out, image.Rect(0, h*3/10, w/5, h*4/10)), toneOf(out, image.Rect(0, 0, w/5, h/12))
	}
	above, _ := sky("on a beach")
	gold, high := sky("on a beach at sunset")
	if gold[2] < above[2]+15 || gold[2] < high[2]+15 {
		t.Errorf("above the horizon the sky is %.0f, by day %.0f and high up %.0f, want it golden", gold, above, high)
	}
}

func TestSlowChangeableAreaIsLitAsPlace(t *testing.T) {
	t.Parallel()
	req := Request{
		Agent: "aimodel", Version: "v1.0", Original: portrait(t, "Kenji", 400, 500), Location: land(400, 500, 0.7), Count: 4,
		Values: map[string]any{"maskType": "autoApparelSegment", "generatedContent": "freeCreation"},
	}
	seg, err := Segment(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	face := func(l presets.Light) [3]float64 {
		req.Place = &presets.Location{Floor: 0.7, Light: l}
		out, err := Render(t.Context(), req, seg)
		if err != nil {
			t.Fatal(err)
		}
		return skinTone(out, seg.Faces[0])
	}
	noon, dusk := face(presets.Light{Angle: 90, Level: 1}), face(presets.Light{Angle: 90, Level: 0.3, Warmth: 0.7})
	if dusk[0] > noon[0]-3 || dusk[2] < noon[2]+2 {
		t.Errorf("the face is %.0f by day and %.0f at dusk, want it darker and warmer", noon, dusk)
	}
}

// What refers to the original takes the colours of its ground, whatever the pose; what is created freely does not.
func TestSlowSceneKeepsOriginColours(t *testing.T) {
	t.Parallel()
	person := portrait(t, "Kenji", 300, 420)
	cut, err := analysis.Subject(t.Context(), person, segment.Options{})
	if err != nil {
		t.Fatal(err)
	}
	src := plain(300, 420, color.NRGBA{40, 110, 60, 255})
	compose.Over(src, segment.Foreground(person, cut.Matte), image.Point{})
	ground := compose.Lab(40, 110, 60)
	for _, pose := range []string{"originalImagePose", "freePose", "referenceImagePose"} {
		far := map[string]float64{}
		for _, content := range []string{"freeCreation", "referToOrigin"} {
			out := drawIt(t, Request{Agent: "aimodel", Original: src, Seed: 4, Count: 1, Values: map[string]any{
				"maskType": "autoApparelSegment", "generatedContent": content, "pose": pose, "textDescription": "in a plain studio",
			}})
			far[content] = labApart(toneOf(out, image.Rect(0, 0, 60, 80)), ground)
		}
		if far["referToOrigin"] > far["freeCreation"]-5 {
			t.Errorf("with %s the scene lies %.1f from the colour of the origin's, created freely %.1f", pose, far["referToOrigin"], far["freeCreation"])
		}
	}
}
