package compose

import (
	"image"
	"image/color"
	"testing"

	"atelier/imaging/probe"
)

func TestAFrameOfAFilmMayBeGivenToAnAgent(t *testing.T) {
	t.Parallel()
	tests := []struct{ w, h, wantW, wantH int }{
		{640, 480, 684, 513},
		{854, 480, 913, 513},
		{480, 854, 513, 913},
		{512, 512, 513, 513},
		{513, 513, 513, 513},
		{514, 600, 514, 600},
		{1120, 480, 1025, 513}, // 21:9
		{1025, 513, 1025, 513},
		{1026, 513, 1025, 513},
		{513, 1027, 513, 1025},
	}
	for _, tt := range tests {
		got := Usable(flat(tt.w, tt.h, color.NRGBA{90, 120, 60, 255}))
		if got.Rect != image.Rect(0, 0, tt.wantW, tt.wantH) {
			t.Errorf("a frame of %d × %d becomes %v, want %d × %d", tt.w, tt.h, got.Rect.Size(), tt.wantW, tt.wantH)
		}
		if problems := probe.Upload.Check(probe.Facts{Format: probe.PNG, Width: got.Rect.Dx(), Height: got.Rect.Dy()}); len(problems) > 0 {
			t.Errorf("a frame of %d × %d: %v", tt.w, tt.h, problems)
		}
	}
}
