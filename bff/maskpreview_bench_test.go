package bff_test

import (
	"net/http"
	"testing"
	"time"

	"atelier/imaging/testpics"
)

// BenchmarkMaskPreview is from the request for the preview of an automatic mask to its answer, on photos of a megapixel of a person: of one
// that was not seen before, and of one that was.
func BenchmarkMaskPreview(b *testing.B) {
	s := newStudio(b, nil)
	seed := uint64(0)
	for _, kind := range []string{"autoSubjectSegment", "autoApparelSegment", "inverseAutoHumanSegment"} {
		b.Run(kind, func(b *testing.B) {
			var worst, again time.Duration
			for b.Loop() {
				b.StopTimer()
				seed++
				img, _ := testpics.Person(866, 1155, seed)
				asset := s.upload(testpics.JPEG(img))
				b.StartTimer()
				for _, slowest := range []*time.Duration{&worst, &again} {
					begun := time.Now()
					if got := s.previewMask(asset.ID, kind); got.status != http.StatusOK {
						b.Fatalf("%d: %s", got.status, got.body)
					}
					*slowest = max(*slowest, time.Since(begun))
				}
			}
			b.ReportMetric(worst.Seconds(), "worst-s")
			b.ReportMetric(1000*again.Seconds(), "again-ms")
		})
	}
}
