package render

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"atelier/catalog"
	"atelier/imaging"
	"atelier/imaging/compose"
	"atelier/imaging/mask"
	"atelier/service/presets"
)

// still is a product photograph: a round red object with stripes on a pale, grainy table.
func still(w, h int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	r := rand.New(rand.NewPCG(1, 2))
	for y := range h {
		for x := range w {
			n := uint8(r.IntN(9))
			c := color.NRGBA{214 + n, 208 + n, 196 + n, 255}
			if inObject(x, y, w, h) {
				c = color.NRGBA{170 + n, 34 + n, 40 + n, 255}
				if (x+y)/6%4 == 0 {
					c = color.NRGBA{96 + n, 14 + n, 30 + n, 255}
				}
			}
			img.SetNRGBA(x, y, c)
		}
	}
	return img
}

func inObject(x, y, w, h int) bool {
	dx, dy := float64(x)-0.5*float64(w), float64(y)-0.55*float64(h)
	r := 0.27 * float64(min(w, h))
	return dx*dx+dy*dy < r*r
}

// painted is the hand-drawn mask of still's object.
func painted(w, h int) *mask.Plane {
	m := mask.New(w, h)
	for y := range h {
		for x := range w {
			if inObject(x, y, w, h) {
				m.Set(x, y, 255)
			}
		}
	}
	return &m
}

// plain is a picture of one colour.
func plain(w, h int, c color.NRGBA) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	flood(img, c)
	return img
}

func drawIt(t *testing.T, req Request) *image.NRGBA {
	t.Helper()
	seg, err := Segment(t.Context(), req)
	if err != nil {
		t.Fatalf("Segment: %v", err)
	}
	out, err := Render(t.Context(), req, seg)
	if err != nil {
		t.Fatalf("Render: %v", err)
	}
	return out
}

// wantKept fails unless every painted pixel is the original's, opaque.
func wantKept(t *testing.T, out, src *image.NRGBA, m *mask.Plane) {
	t.Helper()
	for y := range m.H {
		for x := range m.W {
			if m.Kept(x, y) && out.NRGBAAt(x, y) != src.NRGBAAt(x, y) {
				t.Fatalf("painted pixel (%d,%d) is %v, in the original %v", x, y, out.NRGBAAt(x, y), src.NRGBAAt(x, y))
			}
		}
	}
}

func TestADrawnMaskIsObeyedPixelByPixel(t *testing.T) {
	t.Parallel()
	src := still(160, 140)
	m := painted(160, 140)
	blue := plain(300, 200, color.NRGBA{40, 80, 160, 255})
	tests := []struct {
		name   string
		agent  string
		values map[string]any
		set    func(*Request)
		behind func(color.NRGBA) bool
	}{
		{"nothing behind", "removeBG", nil, nil, func(c color.NRGBA) bool { return c.A == 0 }},
		{"a colour behind", "removeBG", map[string]any{"backgroundHex": "#10A0f0"}, nil, func(c color.NRGBA) bool { return c == color.NRGBA{0x10, 0xa0, 0xf0, 255} }},
		{"a preset behind", "removeBG", nil, func(r *Request) { r.Background = blue }, func(c color.NRGBA) bool { return c.B > c.R && c.A == 255 }},
		{"a product in a location", "aiproduct", nil, func(r *Request) { r.Location = blue }, func(c color.NRGBA) bool { return c.B > c.R && c.A == 255 }},
		{"a product in a scene of words", "aiproduct", map[string]any{"textDescription": "navy studio"}, nil, func(c color.NRGBA) bool { return c.B > c.R && c.A == 255 }},
		{"a garment in a location", "aimodel", nil, func(r *Request) { r.Location = blue }, func(c color.NRGBA) bool { return c.B > c.R && c.A == 255 }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			req := Request{
				Agent: tt.agent, Version: "v1.0", Values: map[string]any{"maskType": "custom", "generatedContent": "freeCreation"},
				Original: src, CustomMask: m, Seed: 5, Item: 1, Count: 4,
			}
			for k, v := range tt.values {
				req.Values[k] = v
			}
			if tt.set != nil {
				tt.set(&req)
			}
			out := drawIt(t, req)
			wantKept(t, out, src, m)
			for _, p := range []image.Point{{2, 2}, {157, 3}, {3, 60}, {156, 60}} {
				if c := out.NRGBAAt(p.X, p.Y); !tt.behind(c) {
					t.Errorf("behind the subject, %v is %v", p, c)
				}
			}
		})
	}
}

func TestACutOutIsTransparentAroundAndExactInside(t *testing.T) {
	t.Parallel()
	src := still(220, 200)
	out := drawIt(t, Request{Agent: "removeBG", Original: src, Values: map[string]any{"maskType": "autoSubjectSegment"}})
	if c := out.NRGBAAt(110, 110); c != src.NRGBAAt(110, 110) {
		t.Errorf("the middle of the product is %v, in the photo %v", c, src.NRGBAAt(110, 110))
	}
	for _, p := range []image.Point{{3, 3}, {216, 3}, {3, 196}, {216, 196}} {
		if a := out.NRGBAAt(p.X, p.Y).A; a > 20 {
			t.Errorf("corner %v has alpha %d", p, a)
		}
	}
}

func TestExpandingCentresTheOriginalUnlessToldWhere(t *testing.T) {
	t.Parallel()
	src := still(120, 100)
	tests := []struct {
		name   string
		values map[string]any
		at     image.Point
	}{
		{"centred", nil, image.Pt(40, 30)},
		{"left edge, vertically centred", map[string]any{"fillLeft": 0.0}, image.Pt(0, 30)},
		{"partly outside", map[string]any{"fillLeft": -50.0, "fillTop": 90.0}, image.Pt(-50, 90)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			req := Request{Agent: "expandimage", Original: src, Values: map[string]any{"targetWidth": 200.0, "targetHeight": 160.0}}
			for k, v := range tt.values {
				req.Values[k] = v
			}
			out := drawIt(t, req)
			if out.Rect != image.Rect(0, 0, 200, 160) {
				t.Fatalf("the result is %v", out.Rect)
			}
			for y := range 100 {
				for x := range 120 {
					if p := image.Pt(x, y).Add(tt.at); p.In(out.Rect) && out.NRGBAAt(p.X, p.Y) != src.NRGBAAt(x, y) {
						t.Fatalf("original pixel (%d,%d) is not at %v", x, y, p)
					}
				}
			}
		})
	}
}

func TestASubjectIsNotRepeatedInTheExpandedSpace(t *testing.T) {
	t.Parallel()
	src := still(200, 180)
	out := drawIt(t, Request{Agent: "expandimage", Original: src, Values: map[string]any{"targetWidth": 360.0, "targetHeight": 180.0}})
	for y := range 180 {
		for x := range 360 {
			c := out.NRGBAAt(x, y)
			if (x < 80 || x >= 280) && int(c.R) > int(c.G)+50 {
				t.Fatalf("a piece of the product shows at (%d,%d): %v", x, y, c)
			}
		}
	}
}

func TestSlowDescriptionColoursScene(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text, not string
		like      func(l, a, b float64) bool
	}{
		{"a red backdrop", "", func(_, a, _ float64) bool { return a > 20 }},
		{"navy blue studio", "", func(l, _, b float64) bool { return b < -8 && l < 45 }},
		{"sage green wall", "", func(_, a, _ float64) bool { return a < -3 }},
		{"red or white, very bright", "red", func(l, a, _ float64) bool { return l > 75 && math.Abs(a) < 6 }},
		{"a garden in the park", "", func(_, a, b float64) bool { return a < -8 && b > 5 }},
		{"dark and moody", "", func(l, _, _ float64) bool { return l < 80 }},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			t.Parallel()
			out := drawIt(t, Request{Agent: "z-image", Values: map[string]any{"textDescription": tt.text, "negTextDescription": tt.not}})
			m := compose.Measure(out, nil).Mean
			if !tt.like(m[0], m[1], m[2]) {
				t.Errorf("%q without %q has the mean colour Lab %.0f", tt.text, tt.not, m)
			}
		})
	}
}

func TestSlowParamsWithoutEffect(t *testing.T) {
	t.Parallel()
	src := still(120, 120)
	model, place := still(140, 160), plain(90, 90, color.NRGBA{20, 160, 60, 255})
	subject := Request{Agent: "aimodel", Original: src, Location: place, Values: map[string]any{"maskType": "autoSubjectSegment", "generatedContent": "freeCreation"}}
	with := subject
	with.FashionModel = model
	if a, b := drawIt(t, subject), drawIt(t, with); string(a.Pix) != string(b.Pix) {
		t.Error("with autoSubjectSegment the fashion model changed the result")
	}
	human := Request{Agent: "aimodel", Original: portrait(t, "Maren", 240, 300), FashionModel: portrait(t, "Malik", 240, 300), Values: map[string]any{"maskType": "autoHumanSegment", "generatedContent": "referToOrigin"}}
	moved := human
	moved.Location = place
	if a, b := drawIt(t, human), drawIt(t, moved); string(a.Pix) != string(b.Pix) {
		t.Error("with autoHumanSegment the location changed the result")
	}
}

// emptyRoom is a wall with a window above a floor of wood.
func emptyRoom(w, h int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	f := field{seed: 3}
	window := image.Rect(w/10, h/8, w/3, h/2)
	eachPixel(img, func(x, y int, p []uint8) {
		c := [3]float64{206, 200, 190}
		switch {
		case y > h*5/8:
			c = [3]float64{150, 112, 78}
		case image.Pt(x, y).In(window):
			c = [3]float64{214, 230, 244}
		}
		for k := range 3 {
			p[k] = byte255(c[k] * (1 + 0.08*f.sum(float64(x)/40, float64(y)/40, 3)))
		}
		p[3] = 255
	})
	return img
}

// example is a request with everything an agent may need: a person, a room, or lettering, where it looks for one.
func example(t *testing.T, agent string) Request {
	t.Helper()
	a, b := still(150, 170), plain(120, 120, color.NRGBA{90, 140, 150, 255})
	b.SetNRGBA(60, 60, color.NRGBA{255, 255, 255, 255})
	second := still(160, 130)
	if look := sought[agent]; look.what != "" && look.what != aRoom || agent == "ai-tattoo-generator" {
		portrait, err := smallSitter()
		if err != nil {
			t.Fatal(err)
		}
		if a = portrait; look.every {
			second, b = a, a
		}
	}
	if sought[agent].what == aRoom {
		a = emptyRoom(180, 160)
	}
	if agent == "pregnant_ai" { // needs somebody down to the hips
		whole, err := presets.Samples()[2].Draw(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		a = imaging.Fit(whole, 256, 352)
	}
	if agent == "glasses-remover-from-photo" {
		a, _, _ = bespectacled(t, color.NRGBA{})
	}
	if agent == "ai-translate" {
		a = plain(320, 200, color.NRGBA{250, 248, 240, 255})
		h, err := newHand(40, true)
		if err != nil {
			t.Fatal(err)
		}
		h.middled(a, []string{"FRESH BREAD"}, 160, 70, color.NRGBA{20, 20, 24, 255})
	}
	return Request{
		Agent: agent, Version: "v1.0", Seed: 11, Count: 3, Original: a,
		Files: map[string][]*image.NRGBA{"images": {a, second, b}},
		Values: map[string]any{
			"targetWidth": 220.0, "targetHeight": 200.0, "textDescription": "Turn left: a teal vase, a lamp. Then rest",
			"generatedContent": "freeCreation", "aspectRatio": "1:1",
		},
	}
}

// names are all agents with a way of their own, and one an operator might add.
func names() []string {
	list := []string{"some-model-of-family-d"}
	for name := range agents {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

func TestSlowEveryAgentKeepsItsInputs(t *testing.T) {
	t.Parallel()
	agentsKeepTheirInputs(t, func(catalog.Agent) bool { return true })
}

// TestAgentOfEachFamilyKeepsItsInputs is the short form of TestSlowEveryAgentKeepsItsInputs.
func TestAgentOfEachFamilyKeepsItsInputs(t *testing.T) {
	t.Parallel()
	agentsKeepTheirInputs(t, oneOfEachFamily())
}

// agentsKeepTheirInputs renders two items of each chosen agent: they are opaque and differ, progress rises to 1, and the original is
// unchanged.
func agentsKeepTheirInputs(t *testing.T, chosen func(catalog.Agent) bool) {
	t.Helper()
	for _, name := range names() {
		if a, ok := catalog.Find(name, ""); ok && !chosen(a) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			req := example(t, name)
			before := imaging.Clone(req.Original)
			seg, err := Segment(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			last := 0.0
			req.Progress = func(f float64) {
				if f < last || f > 1 {
					t.Errorf("progress went from %.2f to %.2f", last, f)
				}
				last = f
			}
			one, err := Render(t.Context(), req, seg)
			if err != nil {
				t.Fatal(err)
			}
			if last != 1 {
				t.Errorf("progress ended at %.2f", last)
			}
			if string(req.Original.Pix) != string(before.Pix) {
				t.Error("the original was changed")
			}
			if name != "removeBG" && !one.Opaque() {
				t.Error("the result has transparent pixels")
			}
			// What agents turn by comes round after four or eight items.
			req.Item, req.Count, req.Progress = 8, 16, nil
			other, err := Render(t.Context(), req, seg)
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Equal(other.Pix, one.Pix) {
				t.Error("items 0 and 8 are the same picture")
			}
		})
	}
}

func TestItemRepeatsExactly(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"removeBG", "aiproduct", "expandimage", "ai-logo-generator"} {
		req := example(t, name)
		req.Item = 2
		if a, b := drawIt(t, req), drawIt(t, req); string(a.Pix) != string(b.Pix) {
			t.Errorf("%s: the same item came out differently", name)
		}
	}
}

func TestWhatCannotBeMadeIsSaid(t *testing.T) {
	t.Parallel()
	src := still(60, 60)
	wrong, empty, full := mask.New(30, 60), mask.New(60, 60), mask.New(60, 60)
	full.Fill(255)
	face := portrait(t, "Maren", 240, 300)
	human := map[string]any{"maskType": "autoHumanSegment", "textDescription": "a man with a beard"}
	tests := []struct {
		name string
		req  Request
		want error
	}{
		{"another version", Request{Agent: "removeBG", Version: "v9.9", Original: src}, ErrUnknownAgent},
		{"no picture", Request{Agent: "aipose"}, ErrMissingInput},
		{"a mask of another size", Request{Agent: "removeBG", Original: src, CustomMask: &wrong, Values: map[string]any{"maskType": "custom"}}, ErrInvalid},
		{"an empty mask", Request{Agent: "removeBG", Original: src, CustomMask: &empty, Values: map[string]any{"maskType": "custom"}}, ErrInvalid},
		{"custom without a mask", Request{Agent: "aiproduct", Original: src, Values: map[string]any{"maskType": "custom"}}, ErrInvalid},
		{"a colour that is none", Request{Agent: "removeBG", Original: src, Values: map[string]any{"backgroundHex": "#12"}}, ErrInvalid},
		{"no target size", Request{Agent: "expandimage", Original: src}, ErrInvalid},
		{"a face to replace where there is none", Request{Agent: "aimodel", Original: src, Values: human}, errNoFace},
		{"a fashion model without a face", Request{Agent: "aimodel", Original: face, FashionModel: src, Values: human}, errNoModelFace},
		{"a pose of nobody", Request{Agent: "aipose", Original: plain(60, 60, color.NRGBA{200, 190, 180, 255})}, errNobody},
		{"a pose of whoever fills the picture", Request{Agent: "aipose", Original: src, CustomMask: &full, Values: map[string]any{"maskType": "custom", "textDescription": "lean left"}}, errNoGround},
		{"a pose that nobody knows", Request{Agent: "aipose", Original: src, Values: map[string]any{"textDescription": "hands in the pockets"}}, errUnknownPose},
		{"one picture for a merge", Request{Agent: "ai-face-merge", Files: map[string][]*image.NRGBA{"images": {face}}}, ErrMissingInput},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			seg, err := Segment(t.Context(), tt.req)
			if err == nil {
				_, err = Render(t.Context(), tt.req, seg)
			}
			if !errors.Is(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
		})
	}
}

func TestACancelledRenderEnds(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"expandimage", "aipose", "aiproduct", "aimodel", "virtualtryon", "ai-aging"} {
		req := example(t, name)
		seg, err := Segment(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		req.Progress = func(float64) { cancel() }
		if _, err := Render(ctx, req, seg); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want cancelled", name, err)
		}
	}
}

func TestResultsCanBeBroughtToTheOriginalsSize(t *testing.T) {
	t.Parallel()
	req := example(t, "expandimage")
	req.Values["resizeToOriginalImage"] = true
	if out := drawIt(t, req); out.Rect.Size() != req.Original.Rect.Size() {
		t.Errorf("the result is %v, the original %v", out.Rect.Size(), req.Original.Rect.Size())
	}
}
