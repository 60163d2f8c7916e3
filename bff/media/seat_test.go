package media

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"os"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"

	"atelier/imaging/analysis"
	"atelier/imaging/probe"
	"atelier/imaging/segment"
	"atelier/imaging/testpics"
)

// occupy takes every seat until it is told to let go.
func occupy(t *testing.T, s *Store) (release func()) {
	t.Helper()
	n := int64(runtime.GOMAXPROCS(0))
	if err := s.cores.Acquire(t.Context(), n); err != nil {
		t.Fatal(err)
	}
	return func() { s.cores.Release(n) }
}

// Whoever waits for a seat has nothing in memory, and leaves with its request. Not in parallel: memory is measured.
func TestWhoWaitsToOpenAPictureHoldsNone(t *testing.T) {
	const waiting, size = 24, 4 << 20
	photo := testpics.PadTo(testpics.JPEG(testpics.Photo(600, 700, 1)), size)
	var stored [waiting]string
	base := base64.StdEncoding.EncodeToString(photo)
	for name, ask := range map[string]func(context.Context, *Store, int) error{
		"thumbnail": func(ctx context.Context, s *Store, i int) error { _, err := s.Thumb(ctx, stored[i], 1280); return err },
		"small thumbnail": func(ctx context.Context, s *Store, i int) error {
			_, err := s.Thumb(ctx, stored[i], 160)
			return err
		},
		"conversion": func(ctx context.Context, s *Store, i int) error {
			_, err := s.Converted(ctx, stored[i], Conversion{Format: probe.PNG})
			return err
		},
		"region": func(ctx context.Context, s *Store, i int) error {
			_, err := s.Kept(ctx, stored[i], analysis.Keep{Kind: segment.Human})
			return err
		},
		"mask": func(ctx context.Context, s *Store, i int) error {
			_, err := s.MaskPNG(ctx, stored[i], true)
			return err
		},
		"mask of a form": func(ctx context.Context, s *Store, _ int) error {
			_, err := s.TakeMask(ctx, base, "mask", 600, 700)
			return err
		},
		"upload": func(ctx context.Context, s *Store, _ int) error {
			_, err := s.Take(ctx, bytes.NewReader(photo), size, probe.Upload)
			return err
		},
		"download": func(ctx context.Context, s *Store, _ int) error {
			_, err := s.Keep(ctx, bytes.NewReader(photo), size, Image)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, _ := openStore(t)
				for i := range stored {
					photo[size-3] = byte(i)
					var err error
					if stored[i], _, err = s.Put(t.Context(), bytes.NewReader(photo)); err != nil {
						t.Fatal(err)
					}
				}
				defer occupy(t, s)()
				ctx, leave := context.WithCancel(t.Context())
				before := held()
				var wg sync.WaitGroup
				for i := range stored {
					wg.Go(func() {
						if err := ask(ctx, s, i); !errors.Is(err, context.Canceled) {
							t.Errorf("whoever left before it had a seat got %v", err)
						}
					})
				}
				synctest.Wait()
				if now := held(); now > before+waiting*size/8 {
					t.Errorf("%d that wait for a picture of %d bytes hold %d bytes", waiting, size, now-before)
				}
				leave()
				wg.Wait()
			})
		})
	}
}

// held is how much memory is in use.
func held() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func TestAThumbnailIsMadeForThoseWhoStayWhenTheFirstLeaves(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, _ := openStore(t)
		sha, _, err := s.Put(t.Context(), bytes.NewReader(testpics.JPEG(testpics.Photo(600, 700, 1))))
		if err != nil {
			t.Fatal(err)
		}
		release := occupy(t, s)
		ctx, leave := context.WithCancel(t.Context())
		left, stayed := make(chan error, 1), make(chan error, 2)
		ask := func(ctx context.Context, to chan error) {
			f, err := s.Thumb(ctx, sha, 320)
			if err == nil {
				err = f.Close()
			}
			to <- err
		}
		go ask(ctx, left)
		synctest.Wait()
		for range 2 {
			go ask(t.Context(), stayed)
		}
		synctest.Wait()
		leave()
		synctest.Wait()
		select {
		case err := <-left:
			if !errors.Is(err, context.Canceled) {
				t.Errorf("whoever left got %v", err)
			}
		default:
			t.Error("whoever left keeps its place")
		}
		release()
		for range 2 {
			if err := <-stayed; err != nil {
				t.Errorf("who stayed got %v", err)
			}
		}
	})
}

// A panic of the work is the asker's own: the others try for themselves and none waits for ever.
func TestWorkThatPanicsLeavesNobodyWaiting(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, _ := openStore(t)
		release := occupy(t, s)
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				defer func() {
					if p := recover(); p != os.ErrInvalid { //nolint:errorlint // the very value
						t.Errorf("recovered %v", p)
					}
				}()
				_ = s.once(t.Context(), "name", func(context.Context) error { panic(os.ErrInvalid) })
			})
		}
		synctest.Wait()
		release()
		wg.Wait()
	})
}
