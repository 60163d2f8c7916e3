package bff_test

import (
	"image/png"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"atelier/atelier"
)

// Previews that take long keep no connection: an element of a page is told at once to ask again, and gets the picture when it is there.
func TestAPreviewThatIsNotThereYetIsAnsweredAtOnce(t *testing.T) {
	t.Parallel()
	release, waiting := make(chan struct{}), atomic.Int32{}
	var slow atomic.Bool
	s := &studio{sent: func(path, _ string) {
		if slow.Load() && strings.HasPrefix(path, "/openapi/files/") {
			waiting.Add(1)
			<-release
		}
	}}
	s.move(t)
	s.start()
	var page atelier.PresetPage
	s.json("GET", "/api/agents/aimodel/presets?kind=locations&pageSize=4", nil, http.StatusOK, &page)
	slow.Store(true)
	element := func(r *http.Request) { r.Header.Set("Sec-Fetch-Dest", "image") }
	for _, p := range page.Presets {
		got := s.send("GET", p.Image, nil, element)
		if got.status != http.StatusAccepted || got.header.Get("Cache-Control") != "no-store" {
			t.Fatalf("a preview on its way is answered by %d, kept %q", got.status, got.header.Get("Cache-Control"))
		}
		if img, err := png.Decode(strings.NewReader(string(got.body))); err != nil || img.Bounds().Dx() != 1 {
			t.Fatalf("in its place comes %v, %v", img, err)
		}
	}
	if n := waiting.Load(); n > 2 {
		t.Errorf("%d previews are fetched at once", n)
	}
	close(release)
	s.eventually("the previews are there", func() bool {
		for _, p := range page.Presets {
			if got := s.send("GET", p.Image+"?try=1", nil, element); got.status != http.StatusOK {
				return false
			}
		}
		return true
	})
}
