package bff_test

import (
	"image/png"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"atelier/atelier"
	"atelier/bff"
	"atelier/internal/outbound"
	"atelier/service"
	"atelier/upstream"
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

// A host elsewhere that sends a byte now and then holds up no picture of the image service's own, and is given up.
func TestASlowHostElsewhereHoldsUpNoPreviewOfTheService(t *testing.T) {
	t.Parallel()
	var begun atomic.Int32
	ended := make(chan struct{})
	foreign := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begun.Add(1)
		w.Header().Set("Content-Type", "image/png")
		_ = http.NewResponseController(w).Flush()
		select {
		case <-ended:
		case <-r.Context().Done():
		}
	}))
	defer foreign.Close()
	defer close(ended)
	s := &studio{}
	s.change = func(c *bff.Config) {
		c.Outbound = outbound.New(outbound.Policy{
			Hosts:     []string{strings.TrimPrefix(foreign.URL, "http://")},
			InProcess: map[string]http.RoundTripper{service.EmbeddedHost: upstream.InProcess(s.service.Handler())},
		})
	}
	s.move(t)
	s.start()
	var page atelier.PresetPage
	s.json("GET", "/api/agents/aimodel/presets?kind=locations&pageSize=1", nil, http.StatusOK, &page)
	element := func(r *http.Request) { r.Header.Set("Sec-Fetch-Dest", "image") }
	for _, name := range []string{"/1", "/2", "/3"} {
		if got := s.send("GET", s.bff.ImagePath(foreign.URL+name), nil, element); got.status != http.StatusAccepted {
			t.Fatalf("a picture elsewhere is answered by %d", got.status)
		}
	}
	s.eventually("pictures elsewhere are being fetched", func() bool { return begun.Load() == 2 })
	if got := s.send("GET", page.Presets[0].Image, nil, nil); got.status != http.StatusOK {
		t.Errorf("a preview of the service's own: %d", got.status)
	}
}

func TestAPictureElsewhereThatDoesNotComeIsGivenUp(t *testing.T) {
	t.Parallel()
	dripping := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "image/png")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done() // of whoever does not give up, never
	}))
	defer dripping.Close()
	s := newStudio(t, func(c *bff.Config) {
		c.Outbound = outbound.New(outbound.Policy{Hosts: []string{strings.TrimPrefix(dripping.URL, "http://")}})
	})
	s.bff.SetImageTime(time.Millisecond)
	for _, name := range []string{"/1", "/2", "/3"} {
		if got := s.send("GET", s.bff.ImagePath(dripping.URL+name), nil, nil); got.status != http.StatusBadGateway {
			t.Errorf("%s: %d", name, got.status)
		}
	}
}

// What breaks while a preview is fetched ends the fetching and nothing else.
func TestAPanicWhileAPreviewIsFetchedEndsNothingElse(t *testing.T) {
	t.Parallel()
	s := newStudio(t, func(c *bff.Config) {
		c.Outbound = outbound.New(outbound.Policy{InProcess: map[string]http.RoundTripper{"broken.example": shattered{}}})
	})
	for range 2 {
		if got := s.send("GET", s.bff.ImagePath("https://broken.example/1"), nil, nil); got.status != http.StatusBadGateway {
			t.Errorf("a preview that cannot be fetched: %d", got.status)
		}
	}
}

// shattered is a way to a server that panics.
type shattered struct{}

// RoundTrip panics.
func (shattered) RoundTrip(*http.Request) (*http.Response, error) { panic("broken") }
