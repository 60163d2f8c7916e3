package render

import (
	"image"
	"image/color"
	"testing"

	"atelier/imaging/mask"
)

// red says whether a pixel shows the busker, whom nothing else in the picture is like.
func red(c color.NRGBA) bool { return int(c.R) > int(c.G)+60 }

// expanded is the busker with a face at the given place, on a canvas with 60 px more below and 90 on both sides.
func expanded(t *testing.T, face image.Rectangle) *image.NRGBA {
	t.Helper()
	src, m := busker()
	for y := 130; y < 200; y++ {
		for x := 150; x < 175; x++ {
			m.Set(x, y, 255)
		}
	}
	req := Request{Agent: "expandimage", Version: "v1.0", Original: src, Values: map[string]any{"targetWidth": 420.0, "targetHeight": 260.0, "fillTop": 0.0}}
	out, err := expandImage(t.Context(), req, Segmentation{Subject: m, Confidence: 0.9, Faces: []image.Rectangle{face}})
	if err != nil {
		t.Fatal(err)
	}
	for y := range 200 {
		for x := range 240 {
			if out.NRGBAAt(x+90, y) != src.NRGBAAt(x, y) {
				t.Fatalf("the picture has changed at (%d,%d)", x, y)
			}
		}
	}
	return out
}

func TestAPersonCutByTheLowerFrameGoesOnBelowItAndNowhereElse(t *testing.T) {
	t.Parallel()
	out := expanded(t, image.Rect(95, 62, 135, 102))
	for y := 200; y < 260; y++ {
		for x := range 420 {
			in, near := x >= 90+90 && x < 90+165, x >= 90+60 && x < 90+195
			if is := red(out.NRGBAAt(x, y)); in && !is {
				t.Fatalf("the person ends at (%d,%d)", x, y)
			} else if is && !near {
				t.Fatalf("the person shows at (%d,%d)", x, y)
			}
		}
	}
}

func TestFeetAtTheLowerFrameEndThere(t *testing.T) {
	t.Parallel()
	out := expanded(t, image.Rect(105, 62, 120, 77))
	for y := 203; y < 260; y++ {
		for x := range 420 {
			if red(out.NRGBAAt(x, y)) {
				t.Fatalf("the person shows at (%d,%d)", x, y)
			}
		}
	}
}

func TestAPersonCutAtTheSideAndAboveIsRoundedOff(t *testing.T) {
	t.Parallel()
	src := wall()
	m := mask.New(240, 200)
	for y := range 100 {
		for x := range 120 {
			src.SetNRGBA(x, y, color.NRGBA{190, 40, 40, 255})
			m.Set(x, y, 255)
		}
	}
	req := Request{Agent: "expandimage", Version: "v1.0", Original: src, Values: map[string]any{"targetWidth": 340.0, "targetHeight": 300.0}}
	out, err := expandImage(t.Context(), req, Segmentation{Subject: m, Confidence: 0.9, Faces: []image.Rectangle{image.Rect(30, 30, 80, 80)}})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []image.Point{{45, 100}, {110, 45}} {
		if !red(out.NRGBAAt(p.X, p.Y)) {
			t.Errorf("the person ends at the old frame, at %v", p)
		}
	}
	for _, p := range []image.Point{{4, 100}, {110, 2}, {4, 150}, {240, 20}} {
		if red(out.NRGBAAt(p.X, p.Y)) {
			t.Errorf("the person shows at %v", p)
		}
	}
}

// crowdedBy is a wall with a red block in front of it.
func crowdedBy(block image.Rectangle) (*image.NRGBA, mask.Plane) {
	src, m := wall(), mask.New(240, 200)
	for y := block.Min.Y; y < block.Max.Y; y++ {
		for x := block.Min.X; x < block.Max.X; x++ {
			src.SetNRGBA(x, y, color.NRGBA{190, uint8(36 + x%5), 40, 255})
		}
	}
	m.FillRect(block, 255)
	return src, m
}

func TestSlowPersonIsNeverCloned(t *testing.T) {
	t.Parallel()
	nothing := mask.New(240, 200)
	nothing.FillRect(image.Rect(0, 0, 10, 10), 255)
	tests := []struct {
		name  string
		block image.Rectangle
		found func(mask.Plane) mask.Plane
		face  image.Rectangle
	}{
		{"most of the picture", image.Rect(14, 6, 226, 194), func(m mask.Plane) mask.Plane { return m }, image.Rect(90, 20, 150, 80)},
		{"a head of which nothing was found", image.Rect(200, 60, 240, 110), func(mask.Plane) mask.Plane { return nothing }, image.Rect(203, 68, 237, 102)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			src, m := crowdedBy(tt.block)
			req := Request{Agent: "expandimage", Version: "v1.0", Original: src, Values: map[string]any{"targetWidth": 480.0, "targetHeight": 200.0}}
			out, err := expandImage(t.Context(), req, Segmentation{Subject: tt.found(m), Confidence: 0.2, Faces: []image.Rectangle{tt.face}})
			if err != nil {
				t.Fatal(err)
			}
			for y := range 200 {
				for x := range 480 {
					if c := out.NRGBAAt(x, y); (x < 120 || x >= 360) && red(c) {
						t.Fatalf("the person shows at (%d,%d): %v", x, y, c)
					}
				}
			}
		})
	}
}

func TestAFaceThatTheFrameCutsEndsThereAndTheShoulderGoesOn(t *testing.T) {
	t.Parallel()
	src, m := crowdedBy(image.Rect(0, 110, 90, 200))
	// The face is green, so that its copies are told from clothes.
	green := func(c color.NRGBA) bool { return int(c.G) > int(c.R)+60 }
	for y := 40; y < 110; y++ {
		for x := range 60 {
			src.SetNRGBA(x, y, color.NRGBA{50, uint8(170 + y%5), 60, 255})
			m.Set(x, y, 255)
		}
	}
	req := Request{Agent: "expandimage", Version: "v1.0", Original: src, Values: map[string]any{"targetWidth": 360.0, "targetHeight": 200.0}}
	out, err := expandImage(t.Context(), req, Segmentation{Subject: m, Confidence: 0.9, Faces: []image.Rectangle{image.Rect(2, 45, 58, 101)}})
	if err != nil {
		t.Fatal(err)
	}
	shoulder := 0
	for y := range 200 {
		for x := range 60 {
			c := out.NRGBAAt(x, y)
			if green(c) {
				t.Fatalf("the face shows at (%d,%d): %v", x, y, c)
			}
			if red(c) {
				shoulder++
			}
		}
	}
	if shoulder < 300 {
		t.Errorf("%d pixels of the shoulder go on", shoulder)
	}
}

func TestSlowFacelessFigureIsContinued(t *testing.T) {
	t.Parallel()
	src, m := busker()
	m.FillRect(image.Rect(150, 130, 175, 200), 255)
	feet := mask.New(240, 200)
	feet.FillRect(image.Rect(100, 20, 130, 200), 255)
	narrow := wall()
	for y := 20; y < 200; y++ {
		for x := 100; x < 130; x++ {
			narrow.SetNRGBA(x, y, color.NRGBA{200, 30, 40, 255})
		}
	}
	for _, tt := range []struct {
		name           string
		src            *image.NRGBA
		subject        mask.Plane
		confidence     float64
		high           float64
		shown, hidden  int // rows below the frame, in the middle of the subject
		rounded, exact bool
	}{
		{"a little room", src, m, 0.9, 230, 29, 0, false, false},
		{"much room", src, m, 0.9, 320, 40, 60, true, false},
		{"drawn", src, m, 0, 230, 29, 0, false, true},
		{"not known well", src, m, 0.4, 230, 0, 4, false, false},
		{"feet", narrow, feet, 0.9, 230, 0, 4, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			req := Request{Agent: "expandimage", Version: "v1.0", Original: tt.src, Values: map[string]any{"targetWidth": 240.0, "targetHeight": tt.high, "fillTop": 0.0}}
			out, err := expandImage(t.Context(), req, Segmentation{Subject: tt.subject, Confidence: tt.confidence, Exact: tt.exact})
			if err != nil {
				t.Fatal(err)
			}
			for y := 200; y < int(tt.high); y++ {
				switch is := red(out.NRGBAAt(122, y)); {
				case is && tt.hidden > 0 && y >= 200+tt.hidden:
					t.Fatalf("the subject still shows %d px below the frame", y-200)
				case !is && y < 200+tt.shown:
					t.Fatalf("the subject ends %d px below the frame", y-200)
				}
			}
			if tt.rounded && red(out.NRGBAAt(86, 236)) {
				t.Error("its end is not rounded")
			}
		})
	}
}
