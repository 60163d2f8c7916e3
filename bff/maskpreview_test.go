package bff_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"strconv"
	"sync/atomic"
	"testing"

	"atelier/atelier"
	"atelier/bff"
	"atelier/imaging"
	"atelier/imaging/analysis"
	"atelier/imaging/compose"
	"atelier/imaging/mask"
	"atelier/imaging/testpics"
)

func (s *studio) previewMask(id atelier.AssetID, maskType string) reply {
	s.t.Helper()
	body, err := json.Marshal(atelier.PreviewMask{AssetID: id, MaskType: maskType})
	s.check(err)
	return s.send("POST", "/api/masks/preview", bytes.NewReader(body), func(r *http.Request) { r.Header.Set("Content-Type", "application/json") })
}

// agreement is how much of what either plane keeps both keep.
func agreement(a, b mask.Plane) float64 {
	both, either := 0, 0
	for i := range a.Pix {
		x, y := a.Pix[i] >= mask.Level, b.Pix[i] >= mask.Level
		if x && y {
			both++
		}
		if x || y {
			either++
		}
	}
	return float64(both) / float64(max(either, 1))
}

func TestMaskStartsFromTheRegionThatIsFound(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	img, truth := testpics.Garment(560, 700, 9)
	asset := s.upload(testpics.PNG(img))
	got := s.previewMask(asset.ID, "autoSubjectSegment")
	if got.status != http.StatusOK || got.header.Get("Content-Type") != "image/png" {
		t.Fatalf("%d, %s: %.200s", got.status, got.header.Get("Content-Type"), got.body)
	}
	plane, fromAlpha, err := imaging.DecodeMask(t.Context(), got.body, imaging.DefaultLimits)
	if err != nil || !fromAlpha || plane.W != 560 || plane.H != 700 {
		t.Fatalf("a mask of %d × %d, from alpha %v, %v", plane.W, plane.H, fromAlpha, err)
	}
	if a := agreement(plane, truth); a < .9 {
		t.Errorf("it agrees with the garment by %.3f", a)
	}
	if c, err := strconv.ParseFloat(got.header.Get(atelier.ConfidenceHeader), 64); err != nil || c <= 0 || c > 1 {
		t.Errorf("the confidence is %q", got.header.Get(atelier.ConfidenceHeader))
	}
	if note := s.previewMask(asset.ID, "inverseAutoHumanSegment").header.Get(atelier.NoteHeader); note == "" {
		t.Error("a head is found on a garment that hangs alone, and nothing is said")
	}
}

func TestPreviewOfAMaskRefusesWhatItCannotFind(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	asset := s.upload(photo(61))
	for _, tt := range []struct {
		id     atelier.AssetID
		kind   string
		status int
	}{
		{asset.ID, "custom", http.StatusBadRequest},
		{asset.ID, "", http.StatusBadRequest},
		{"nobody", "autoSubjectSegment", http.StatusNotFound},
	} {
		if got := s.previewMask(tt.id, tt.kind); got.status != tt.status {
			t.Errorf("%q of %q = %d, want %d", tt.kind, tt.id, got.status, tt.status)
		}
	}
}

func TestNamedMaskHasASmallPicture(t *testing.T) {
	t.Parallel()
	s := newStudio(t, func(c *bff.Config) { c.MaskRoute = "url" })
	asset := s.upload(photo(62))
	var m atelier.Mask
	s.json("POST", "/api/masks", atelier.CreateMask{AssetID: asset.ID, Name: "dress", PNG: halfMask(530, 560)}, http.StatusCreated, &m)
	thumb := s.send("GET", m.Thumb+"?w=160", nil, nil)
	img, _, err := imaging.Decode(t.Context(), thumb.body, imaging.DefaultLimits)
	if thumb.status != http.StatusOK || err != nil || img.Rect.Dx() > 160 {
		t.Fatalf("%d, %v", thumb.status, err)
	}
	if img.Opaque() {
		t.Error("the small picture hides which part is kept")
	}
}

// What a preview shows is what the embedded service keeps, and what the result is compared by: one analysis serves all three. The photo
// carries an EXIF turn, so that the file the service receives is not the one that was uploaded.
func TestPreviewRunAndCheckShareOneAnalysis(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	img, _ := testpics.Garment(530, 640, 77)
	asset := s.upload(testpics.Turned(img, "jpeg", 6))
	stored, err := s.db.FindAsset(t.Context(), "local", asset.ID)
	s.check(err)
	sent, err := s.store.Read(stored.Sent.SHA256)
	s.check(err)
	upright, _, err := imaging.Decode(t.Context(), sent, imaging.DefaultLimits)
	s.check(err)
	var analyses atomic.Int32
	key := analysis.KeyOf(upright)
	defer analysis.Shared.Watch(func(q analysis.Question) {
		if q.Picture == key {
			analyses.Add(1)
		}
	})()

	got := s.previewMask(asset.ID, "autoSubjectSegment")
	shown, _, err := imaging.DecodeMask(t.Context(), got.body, imaging.DefaultLimits)
	s.check(err)
	run := s.startRun(atelier.StartRun{
		IntentKey: "one analysis", Agent: "removeBG", Values: map[string]any{"maskType": "autoSubjectSegment", "batchCount": 1},
		Files: map[string][]string{"originalImage": {string(asset.ID)}},
	})
	done := s.until(run.ID, "compared with its source", func(r atelier.Run) bool {
		return r.State == atelier.StateDone && r.Results[0].Fidelity != nil
	})
	if f := done.Results[0].Fidelity; !f.Comparable {
		t.Fatalf("not compared: %+v", f)
	}
	if n := analyses.Load(); n != 1 {
		t.Errorf("the picture was analysed %d times", n)
	}
	kept := compose.Matte(s.image(done.Results[0].File))
	kept.Threshold(mask.Level)
	if a := agreement(kept, shown); a < .9999 {
		t.Errorf("the run kept what was shown by %.5f", a)
	}
}

// A preview that nobody waits for is not worked on: had it gone on, the second request would join it or find its answer.
func TestPreviewEndsWithItsRequest(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	img, _ := testpics.Garment(900, 1100, 78)
	asset := s.upload(testpics.PNG(img))
	key := analysis.KeyOf(img)
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	var begun atomic.Int32
	defer analysis.Shared.Watch(func(q analysis.Question) {
		if q.Picture == key {
			begun.Add(1)
			leave()
		}
	})()
	body, err := json.Marshal(atelier.PreviewMask{AssetID: asset.ID, MaskType: "autoSubjectSegment"})
	s.check(err)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.http.URL+"/api/masks/preview", bytes.NewReader(body))
	s.check(err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Atelier", "1")
	if resp, err := s.browser.Do(r); !errors.Is(err, context.Canceled) {
		t.Fatalf("the first request was answered: %+v, %v", resp, err)
	}
	s.eventually("the first analysis is over", func() bool { return analysis.Shared.Idle(key) })
	if got := s.previewMask(asset.ID, "autoSubjectSegment"); got.status != http.StatusOK {
		t.Fatalf("the second preview = %d: %s", got.status, got.body)
	}
	if n := begun.Load(); n != 2 {
		t.Errorf("the picture was analysed %d times", n)
	}
	// What is known is answered without opening the file.
	stored, err := s.db.FindAsset(t.Context(), "local", asset.ID)
	s.check(err)
	s.check(os.Remove(s.blob(stored.Sent.SHA256)))
	if got := s.previewMask(asset.ID, "autoSubjectSegment"); got.status != http.StatusOK || begun.Load() != 2 {
		t.Errorf("the preview of a known picture = %d after %d analyses", got.status, begun.Load())
	}
}
