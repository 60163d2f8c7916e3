package render

import (
	"image/color"
	"testing"
)

// BenchmarkProduct1024 sets a drawn-mask product of one megapixel into a location.
func BenchmarkProduct1024(b *testing.B) {
	req := Request{
		Agent: "aiproduct", Original: still(1024, 1024), CustomMask: painted(1024, 1024), Seed: 3, Count: 4, Item: 1,
		Location: plain(1600, 1200, color.NRGBA{120, 150, 170, 255}),
		Values:   map[string]any{"maskType": "custom", "generatedContent": "freeCreation"},
	}
	seg, err := Segment(b.Context(), req)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Render(b.Context(), req, seg); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkScene1024 draws a scene by words.
func BenchmarkScene1024(b *testing.B) {
	req := Request{Agent: "z-image", Values: map[string]any{"textDescription": "marble bathroom with sunlight"}}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Render(b.Context(), req, Segmentation{}); err != nil {
			b.Fatal(err)
		}
	}
}
