package render

import (
	"errors"
	"testing"

	"atelier/imaging/video"
)

// A catalog may offer what an account makes and the embedded service does not: it says so, and makes nothing shorter.
func TestAVideoLongerThanCanBeMadeIsRefused(t *testing.T) {
	t.Parallel()
	for duration, refused := range map[any]bool{"30s": false, "31s": true, 3600.0: true, "-1": false, nil: false} {
		req := Request{Values: map[string]any{"duration": duration}}
		_, err := RenderVideo(t.Context(), req, VideoJob{Tool: &video.Tool{}, Shape: ShapeNone})
		said, ok := errors.AsType[*video.Error](err)
		if ok != refused || ok && said.Message[:55] != "The embedded service makes videos of at most 30 seconds" {
			t.Errorf("%v: %v", duration, err)
		}
	}
}
