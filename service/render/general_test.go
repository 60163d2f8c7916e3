package render

import (
	"image"
	"math"
	"testing"

	"atelier/imaging/compose"
)

func TestGeneralEditsDoWhatTheWordsSay(t *testing.T) {
	t.Parallel()
	photo := still(320, 240)
	grey := func(img *image.NRGBA) bool {
		s := compose.Measure(img, nil)
		return math.Abs(s.Mean[1]) < 1.5 && math.Abs(s.Mean[2]) < 1.5 && s.Std[1] < 2
	}
	tests := []struct {
		text string
		ok   func(img *image.NRGBA) bool
	}{
		{"black and white", grey},
		{"remove the background", func(img *image.NRGBA) bool { return img.NRGBAAt(2, 2).A == 0 && img.NRGBAAt(160, 132).A == 255 }},
		{"blue background", func(img *image.NRGBA) bool { c := img.NRGBAAt(4, 4); return c.B > c.R+20 }},
		{"mirror it", func(img *image.NRGBA) bool { return unlike(img, photo, photo.Rect) > 1 }},
		{"rotate right", func(img *image.NRGBA) bool { return img.Rect.Size() == image.Pt(240, 320) }},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			t.Parallel()
			out := drawIt(t, Request{Agent: "own-editor", Values: map[string]any{"textDescription": tt.text}, Files: map[string][]*image.NRGBA{"images": {photo}}})
			if !tt.ok(out) {
				t.Errorf("%q gives a picture of %v that does not show it", tt.text, out.Rect.Size())
			}
		})
	}
	for _, tt := range []struct {
		ratio, size, quality string
		want                 image.Point
	}{{"16:9", "1K", "", image.Pt(1024, 576)}, {"1:8", "1K", "high", image.Pt(128, 1024)}, {"8:1", "1K", "", image.Pt(1024, 128)}, {"auto", "1K", "max", image.Pt(1024, 768)}, {"2:3", "3K", "", image.Pt(2048, 3072)}} {
		values := map[string]any{"textDescription": "brighter", "aspectRatio": tt.ratio, "imageSize": tt.size, "quality": tt.quality}
		out := drawIt(t, Request{Agent: "own-editor", Values: values, Files: map[string][]*image.NRGBA{"images": {photo}}})
		if out.Rect.Size() != tt.want {
			t.Errorf("%s at %s is %v, want %v", tt.ratio, tt.size, out.Rect.Size(), tt.want)
		}
	}
}

func TestAColourIsForTheGarmentThatIsNamed(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"make the blouse green": maskUpper, "a red cardigan": maskUpper, "black leggings": maskLower, "a white robe": maskApparel, "a red bag": "", "Red jeans, please": maskLower, "a burgundy dress": maskApparel, "make the outfit navy": maskApparel, "red hair": maskHead, "warmer colours": "",
	} {
		if got := readEdits(Request{Values: map[string]any{"textDescription": text}}).protected; got != want {
			t.Errorf("%q changes %q, want %q", text, got, want)
		}
	}
}
