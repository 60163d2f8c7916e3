package service

import (
	"context"
	"errors"
	"image"
	"image/color"
	"slices"
	"testing"
	"testing/synctest"

	"atelier/catalog"
	"atelier/imaging/testpics"
)

// waitingAt is how many wait to be seated.
func waitingAt(b *bench) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.waiting)
}

// sits takes a seat that must be free.
func sits(t *testing.T, b *bench, s *seat) (leave func()) {
	t.Helper()
	leave, ok := b.sitAtOnce(s)
	if !ok {
		t.Fatalf("there is no room for %+v", s)
	}
	return leave
}

func TestSeatsAreTakenInTurnWithinPlacesAndMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(2, 100)
		first := sits(t, b, &seat{at: pictureAt, memory: 1000}) // more than there is counts as all there is
		var seated []int64
		for _, turn := range []int64{7, 3, beforeAll, 5} {
			go func() {
				leave, err := b.sit(t.Context(), &seat{at: pictureAt, turn: turn, memory: 60})
				if err != nil {
					t.Error(err)
					return
				}
				seated = append(seated, turn) // two of 60 do not fit, so one at a time
				leave()
			}()
			synctest.Wait()
		}
		if len(seated) != 0 {
			t.Errorf("%v were seated beyond the memory", seated)
		}
		first()
		synctest.Wait()
		if want := []int64{beforeAll, 3, 5, 7}; !slices.Equal(seated, want) {
			t.Errorf("seated in the order %v, want %v", seated, want)
		}
		// Three pictures are one more than the workers, whatever they take.
		one, two := sits(t, b, &seat{at: pictureAt}), sits(t, b, &seat{at: pictureAt})
		if _, ok := b.sitAtOnce(&seat{at: pictureAt}); ok {
			t.Error("three pictures are worked on by two workers")
		}
		if _, ok := b.sitAtOnce(&seat{at: filmAt}); ok {
			t.Error("a video is made beside two pictures by two workers")
		}
		one()
		film := sits(t, b, &seat{at: filmAt})
		two()
		if _, ok := b.sitAtOnce(&seat{at: filmAt}); ok {
			t.Error("two videos are made by two workers, and no picture")
		}
		sits(t, b, &seat{at: pictureAt})()
		film()

		ctx, cancel := context.WithCancel(t.Context())
		hold := sits(t, b, &seat{memory: 100})
		cancel()
		if _, err := b.sit(ctx, &seat{memory: 1}); !errors.Is(err, context.Canceled) || len(b.waiting) != 0 {
			t.Errorf("the wait ends with %v, and %d wait", err, len(b.waiting))
		}
		hold()
		if sits(t, b, &seat{memory: 100})(); len(b.seated) != 0 {
			t.Errorf("%d seats are lost", len(b.seated))
		}
	})
}

func TestOnASingleCoreAVideoGoesOnBesideAPicture(t *testing.T) {
	t.Parallel()
	b := newBench(1, 100)
	sits(t, b, &seat{at: filmAt})
	sits(t, b, &seat{at: pictureAt})
	for _, at := range []place{filmAt, pictureAt} {
		if _, ok := b.sitAtOnce(&seat{at: at}); ok {
			t.Errorf("a second one is worked on at %d", at)
		}
	}
}

func TestWhatStaysPreparedMakesRoom(t *testing.T) {
	t.Parallel()
	b := newBench(2, 100)
	prepare := func(id string, bytes int) {
		leave := sits(t, b, &seat{at: pictureAt, memory: int64(bytes), execution: id})
		defer leave()
		if _, err := b.take(t.Context(), id, func(_ context.Context, p *prepared) error {
			p.request.Files = map[string][]*image.NRGBA{"images": {{Pix: make([]byte, bytes)}}}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	prepare("a", 30)
	prepare("b", 30)
	sits(t, b, &seat{memory: 40})()
	if len(b.entries) != 2 {
		t.Fatalf("%d of two stay prepared where there is room", len(b.entries))
	}
	leave := sits(t, b, &seat{memory: 60, execution: "b"}) // its own is part of it
	if len(b.entries) != 2 {
		t.Errorf("%d of two stay prepared beside work on one of them", len(b.entries))
	}
	leave()
	leave = sits(t, b, &seat{memory: 50})
	if len(b.entries) != 1 || b.entries["b"] == nil {
		t.Errorf("%d stay prepared, want the newer one", len(b.entries))
	}
	leave()
	sits(t, b, &seat{memory: 1000})
	if len(b.entries) != 0 || len(b.order) != 0 {
		t.Error("something stays prepared where all memory is taken")
	}
}

// While a video is being made, a large picture has no memory and a small one has. The small one passes the large one, which waits and
// does not fail.
func TestLargePictureWaitsForVideo(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(cfg *Config) { cfg.Workers, cfg.PixelMemory = 2, 100_000_000 })
	film := sits(t, w.svc.bench, &seat{at: filmAt, memory: 45_000_000})
	const side = 1100 // more than the 55 MB that are left, at perPixel
	picture, _ := disc(side, side, color.NRGBA{R: 214, G: 208, B: 196, A: 255})
	large := w.execute(w.task("removeBG", w.upload(testpics.PNG(picture))), cutOut("customMask", leftHalf(side, side)))
	source := w.upload(testpics.JPEG(photo()))
	for range 2 {
		small := w.execute(w.task("removeBG", source), cutOut())
		if got := w.finish(small); got.Status != statusSuccess {
			t.Fatalf("the small one: %+v", got)
		}
	}
	// The sweep passes over an execution whose job is still ending.
	eventually(t, func() int { return w.count(`SELECT count(*) FROM river_job WHERE state <> 'completed'`) }, func(n int) bool { return n == 0 })
	if got := w.query(large).Executions[0]; ended(got.Status) {
		t.Errorf("without memory for it the large one is %s", got.Status)
	}
	if n := w.count(`SELECT attempts FROM execution WHERE id = ?`, large); n != 0 {
		t.Errorf("waiting counts as %d beginnings", n)
	}
	film()
	w.svc.sweepSoon() // as whoever has made a video does
	if got := w.finish(large); got.Status != statusSuccess {
		t.Errorf("after the video, the large one: %+v", got)
	}
}

func TestTheCostOfAnOrderFollowsItsPicturesItsCanvasAndItsFrames(t *testing.T) {
	t.Parallel()
	const total = 832 << 20 // of a service with the default
	canvas := catalog.Values{"targetWidth": 4096.0, "targetHeight": 4096.0}
	small, photo, expanded := needed([]int64{600 * 600}, 0, nil), needed([]int64{3000 * 2000}, 0, nil), needed([]int64{3000 * 2000}, 0, canvas)
	if small.memory >= photo.memory || photo.memory >= expanded.memory || photo.most < 3000*2000 {
		t.Errorf("costs: %+v, %+v and %+v", small, photo, expanded)
	}
	for name, n := range map[string]need{
		"a canvas of 4096²":  expanded,
		"50 megapixels":      needed([]int64{50_000_000}, 0, nil),
		"on a canvas":        needed([]int64{50_000_000}, 0, canvas),
		"ten of 4096²":       needed(slices.Repeat([]int64{4096 * 4096}, 10), 0, nil),
		"30 of 50":           needed(slices.Repeat([]int64{50_000_000}, 30), 0, nil),
		"a preset of 50":     needed([]int64{4096 * 4096}, 50_000_000, nil),
		"words alone, at 4K": needed(nil, 0, catalog.Values{"imageSize": "4K"}),
	} {
		if n.memory > total {
			t.Errorf("%s: %d MiB of %d", name, n.memory>>20, total>>20)
		}
	}
	if got := sharedCap([]int64{10, 100, 100}, 110); got != 50 {
		t.Errorf("of 110, a small one leaves %d to each of two large ones, want 50", got)
	}

	film := func(v catalog.Values, given ...catalog.Facts) int64 {
		o := accepted{in: catalog.Input{Values: v, Media: map[string][]catalog.Facts{"videos": given}}}
		return neededForFilm(need{most: maxPixels}, nil, o).memory / perPixel
	}
	for want, got := range map[int64]int64{
		1280 * 720:  film(nil),
		1920 * 1080: film(catalog.Values{"resolution": "1080p"}),
		3840 * 2160: film(catalog.Values{"resolution": "4k"}, catalog.Facts{Width: 640, Height: 480}),
		2000 * 1000: film(catalog.Values{"resolution": "480p"}, catalog.Facts{Width: 1000, Height: 2000}),
	} {
		if got != want {
			t.Errorf("a frame counts as %d pixels, want %d", got, want)
		}
	}
}
