package render

import (
	"context"
	"errors"
	"image"
	"sync"
	"testing"
	"testing/synctest"

	"atelier/imaging/mask"
	"atelier/imaging/segment"
)

// searcher is a search that counts, and gives a plane of the picture's size.
type searcher struct {
	mu sync.Mutex
	n  int
}

func (c *searcher) find(_ context.Context, img *image.NRGBA, _ segment.Options) (segment.Result, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
	return segment.Result{Mask: mask.New(img.Rect.Dx(), img.Rect.Dy())}, nil
}

func TestAPictureIsLookedAtOnce(t *testing.T) {
	t.Parallel()
	s, c := &memory{most: 2500}, &searcher{}
	img := image.NewNRGBA(image.Rect(0, 0, 40, 25))
	ask := func(img *image.NRGBA, what string, opt segment.Options, want int) segment.Result {
		t.Helper()
		r, err := findOnce(t.Context(), s, img, what, opt, c.find, cloneResult)
		if err != nil || c.n != want {
			t.Fatalf("looked %d times, want %d: %v", c.n, want, err)
		}
		return r
	}
	first := ask(img, "subject", segment.Options{}, 1)
	first.Mask.Pix[3] = 255
	if again := ask(img, "subject", segment.Options{}, 1); again.Mask.Pix[3] != 0 {
		t.Error("what one caller changed, another got")
	}
	// A part of a larger picture is the same picture when its pixels are.
	large := image.NewNRGBA(image.Rect(0, 0, 60, 60))
	ask(large.SubImage(image.Rect(10, 10, 50, 35)).(*image.NRGBA), "subject", segment.Options{}, 1)
	// Each of these is another question.
	ask(img, "pieces", segment.Options{}, 2)
	ask(img, "subject", segment.Options{}, 2)
	ask(img, "subject", segment.Options{Hard: true}, 3)
	// Of 1,000 bytes each there is room for two: the one asked for longest ago is looked for anew.
	ask(img, "subject", segment.Options{}, 3)
	ask(img, "pieces", segment.Options{}, 4)
	img.Pix[0] = 1
	ask(img, "subject", segment.Options{}, 5)
	if s.size != 2000 || s.order.Len() != 2 || len(s.by) != 2 {
		t.Errorf("%d bytes of %d pictures are kept", s.size, s.order.Len())
	}
	// What is larger than all there is room for is given and not kept.
	whole := image.NewNRGBA(image.Rect(0, 0, 60, 60))
	ask(whole, "subject", segment.Options{}, 6)
	ask(whole, "subject", segment.Options{}, 7)
}

func TestWhoWaitsForALookThatIsGivenUpLooksItself(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, c := &memory{most: 2500}, &searcher{}
		img := image.NewNRGBA(image.Rect(0, 0, 40, 25))
		ctx, stop := context.WithCancel(t.Context())
		var first, second error
		var wait sync.WaitGroup
		wait.Go(func() {
			_, first = findOnce(ctx, s, img, "subject", segment.Options{}, func(ctx context.Context, _ *image.NRGBA, _ segment.Options) (segment.Result, error) {
				<-ctx.Done()
				return segment.Result{}, ctx.Err()
			}, cloneResult)
		})
		synctest.Wait()
		wait.Go(func() { _, second = findOnce(t.Context(), s, img, "subject", segment.Options{}, c.find, cloneResult) })
		synctest.Wait()
		stop()
		wait.Wait()
		if !errors.Is(first, context.Canceled) || second != nil || c.n != 1 {
			t.Errorf("the first got %v, the second %v after %d looks", first, second, c.n)
		}
	})
}
