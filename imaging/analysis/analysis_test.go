package analysis

import (
	"bytes"
	"context"
	"errors"
	"image"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"atelier/imaging"
	"atelier/imaging/mask"
	"atelier/imaging/segment"
	"atelier/imaging/testpics"
)

func TestPictureIsAnalysedOnce(t *testing.T) {
	t.Parallel()
	c := New(1 << 20)
	img, _ := testpics.Garment(120, 160, 3)
	var asked []Question
	defer c.Watch(func(q Question) { asked = append(asked, q) })()
	find := func(img *image.NRGBA, kind segment.Kind, opt segment.Options, analyses int) segment.Result {
		t.Helper()
		r, err := c.Region(t.Context(), img, kind, opt)
		if err != nil || c.Stats().Analyses != analyses {
			t.Fatalf("%d analyses, want %d: %v", c.Stats().Analyses, analyses, err)
		}
		return r
	}
	first := find(img, segment.WholeSubject, segment.Options{}, 1)
	truth, err := segment.Subject(t.Context(), img, segment.Options{})
	if err != nil || !bytes.Equal(first.Mask.Pix, truth.Mask.Pix) || !bytes.Equal(first.Matte.Pix, truth.Matte.Pix) {
		t.Fatalf("another subject than segment finds: %v", err)
	}
	clear(first.Mask.Pix)
	again := find(img, segment.WholeSubject, segment.Options{}, 1)
	if !bytes.Equal(again.Mask.Pix, truth.Mask.Pix) || !bytes.Equal(again.Matte.Pix, truth.Matte.Pix) || again.Confidence != truth.Confidence {
		t.Error("the remembered answer differs")
	}
	// The sizes that are used without being named, and a part of a larger picture, are the same question.
	find(img, segment.WholeSubject, segment.Options{Fine: 1024}, 1)
	large := image.NewNRGBA(image.Rect(0, 0, 140, 180))
	for y := range 160 {
		copy(large.Pix[large.PixOffset(10, 10+y):], img.Pix[4*120*y:4*120*(y+1)])
	}
	find(large.SubImage(image.Rect(10, 10, 130, 170)).(*image.NRGBA), segment.WholeSubject, segment.Options{}, 1)
	// Each of these is another one.
	find(img, segment.WholeSubject, segment.Options{Thing: true}, 2)
	find(img, segment.WholeSubject, segment.Options{Hard: true}, 3)
	find(img, segment.Apparel, segment.Options{}, 4)
	img.Pix[0]++
	find(img, segment.WholeSubject, segment.Options{}, 5)
	if s := c.Stats(); len(asked) != 5 || asked[0].Picture != asked[3].Picture || asked[4].Picture != KeyOf(img) || s.Hits != 3 {
		t.Errorf("the watcher heard of %d analyses, %+v", len(asked), s)
	}
}

func TestAnswersNotAskedForLongestGoFirst(t *testing.T) {
	t.Parallel()
	c, n := New(2*(entryBytes+50)), 0
	ask := func(picture byte, analyses int) {
		t.Helper()
		_, err := once(t.Context(), c, Question{Picture: Key{picture}}, func(context.Context) (int, error) {
			n++
			return 7, nil
		}, func(v int) packed[int] { return packed[int]{50, func() int { return v }} })
		if err != nil || n != analyses {
			t.Fatalf("picture %d: %d analyses, want %d: %v", picture, n, analyses, err)
		}
	}
	ask(1, 1)
	ask(2, 2)
	ask(1, 2)
	ask(3, 3) // picture 2 goes
	ask(1, 3)
	ask(2, 4)
	if c.size > c.most || c.order.Len() != 2 || len(c.found) != 2 {
		t.Errorf("%d bytes in %d answers", c.size, c.order.Len())
	}
}

func TestAnalysisLastsAsLongAsSomeoneWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := New(1 << 20)
		var begun, ended atomic.Int32
		finish := make(chan struct{})
		ask := func(ctx context.Context) error {
			_, err := once(ctx, c, Question{}, func(ctx context.Context) (int, error) {
				begun.Add(1)
				select {
				case <-finish:
					return 7, nil
				case <-ctx.Done():
					ended.Add(1)
					return 0, ctx.Err()
				}
			}, func(v int) packed[int] { return packed[int]{1, func() int { return v }} })
			return err
		}
		var wait sync.WaitGroup
		var errs [4]error
		start := func(i int) context.CancelFunc {
			ctx, stop := context.WithCancel(t.Context())
			wait.Go(func() { errs[i] = ask(ctx) })
			synctest.Wait()
			return stop
		}
		// The first two leave: the work ends with the second of them.
		leaveFirst, leaveSecond := start(0), start(1)
		leaveFirst()
		synctest.Wait()
		if begun.Load() != 1 || ended.Load() != 0 {
			t.Fatal("the work ended while someone waited")
		}
		leaveSecond()
		wait.Wait()
		if ended.Load() != 1 || !errors.Is(errs[0], context.Canceled) || !errors.Is(errs[1], context.Canceled) {
			t.Fatalf("%d ended, %v, %v", ended.Load(), errs[0], errs[1])
		}
		// Of the next two the one who did the work leaves, and the other gets the answer.
		leaveThird := start(2)
		defer start(3)()
		leaveThird()
		synctest.Wait()
		close(finish)
		wait.Wait()
		if begun.Load() != 2 || ended.Load() != 1 || errs[3] != nil {
			t.Errorf("%d begun, %d ended, %v", begun.Load(), ended.Load(), errs[3])
		}
	})
}

func TestPanicOfAnAnalysisStaysWithItsCaller(t *testing.T) {
	t.Parallel()
	c := New(1 << 20)
	pack := func(v int) packed[int] { return packed[int]{1, func() int { return v }} }
	func() {
		defer func() { _ = recover() }()
		_, _ = once(t.Context(), c, Question{}, func(context.Context) (int, error) { panic("broken") }, pack)
	}()
	got, err := once(t.Context(), c, Question{}, func(context.Context) (int, error) { return 7, nil }, pack)
	if err != nil || got != 7 {
		t.Errorf("after a panic: %d, %v", got, err)
	}
}

func TestKeptClothesOfAPersonOnly(t *testing.T) {
	t.Parallel()
	c := New(8 << 20)
	person, _ := testpics.Person(260, 360, 2)
	keep := Keep{Kind: segment.WholeSubject, Garment: true}
	found, err := c.Kept(t.Context(), person, keep)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := c.Region(t.Context(), person, segment.WholeSubject, keep.Options())
	if err != nil || len(whole.Faces) == 0 {
		t.Fatalf("no face is found: %v", err)
	}
	clothes, err := c.Region(t.Context(), person, segment.Apparel, keep.Options())
	if err != nil || !bytes.Equal(found.Mask.Pix, clothes.Mask.Pix) {
		t.Errorf("of a person the clothes are not what is kept: %v", err)
	}
	garment, _ := testpics.Garment(120, 160, 3)
	found, err = c.Kept(t.Context(), garment, keep)
	if err != nil {
		t.Fatal(err)
	}
	whole, err = c.Region(t.Context(), garment, segment.WholeSubject, keep.Options())
	if err != nil || !bytes.Equal(found.Mask.Pix, whole.Mask.Pix) {
		t.Errorf("of a garment alone the whole of it is not kept: %v", err)
	}
}

func TestPictureIsLookedAtOnce(t *testing.T) {
	t.Parallel()
	person, _ := testpics.Person(260, 360, 2)
	subject := func(c *Cache) error {
		_, err := c.Region(t.Context(), person, segment.WholeSubject, segment.Options{})
		return err
	}
	apparel := func(c *Cache) error {
		_, err := c.Region(t.Context(), person, segment.Apparel, segment.Options{})
		return err
	}
	human := func(c *Cache) error {
		_, err := c.Region(t.Context(), person, segment.Human, segment.Options{})
		return err
	}
	pieces := func(c *Cache) error {
		_, err := c.Pieces(t.Context(), person, segment.Options{})
		return err
	}
	faces := func(c *Cache) error {
		found, err := c.Faces(person)
		if len(found) != 1 {
			t.Errorf("%d faces", len(found))
		}
		return err
	}
	heads := func(c *Cache) error {
		_, err := c.Heads(person)
		return err
	}
	all := []func(c *Cache) error{subject, apparel, human, pieces, faces, heads}
	backwards := slices.Clone(all)
	slices.Reverse(backwards)
	for _, order := range [][]func(c *Cache) error{all, backwards} {
		c := New(8 << 20)
		for _, ask := range order {
			if err := ask(c); err != nil {
				t.Fatal(err)
			}
		}
		// Subject, apparel, the head and its inverse, clothes, faces and heads.
		if s := c.Stats(); s.Scenes != 1 || s.Analyses != 7 {
			t.Errorf("%+v", s)
		}
	}
}

func TestScenesTakeBoundedMemory(t *testing.T) {
	t.Parallel()
	c := New(1)
	for n := range 9 {
		first := c.scene(Question{Picture: Key{byte(n)}, What: "faces"})
		if again := c.scene(Question{Picture: Key{byte(n)}, What: "heads"}); again != first {
			t.Fatal("the scene of the last picture is another one")
		}
	}
	size := 0
	for _, s := range c.seen {
		size += s.scene.Bytes()
	}
	if size > scenesBytes || len(c.seen) < 2 || c.Stats().Scenes != 9 {
		t.Errorf("%d scenes of %d bytes", len(c.seen), size)
	}
}

func TestPiecesAreRememberedWhole(t *testing.T) {
	t.Parallel()
	c := New(8 << 20)
	person, _ := testpics.Person(260, 360, 2)
	first, err := c.Pieces(t.Context(), person, segment.Options{})
	if err != nil {
		t.Fatal(err)
	}
	again, err := c.Pieces(t.Context(), person, segment.Options{})
	if err != nil || c.Stats().Analyses != 3 {
		t.Fatalf("%+v, %v", c.Stats(), err)
	}
	for name, p := range map[string][2]mask.Plane{
		"subject": {first.Subject.Matte, again.Subject.Matte}, "head": {first.Head, again.Head}, "worn": {first.Worn, again.Worn},
		"upper": {first.Upper, again.Upper}, "lower": {first.Lower, again.Lower},
	} {
		if p[0].W != 260 || p[1].W != 260 || !bytes.Equal(p[0].Pix, p[1].Pix) {
			t.Errorf("%s differs", name)
		}
	}
}

func TestWorkingSizeIsTheServices(t *testing.T) {
	t.Parallel()
	small := image.NewNRGBA(image.Rect(0, 0, 40, 30))
	if Working(small) != small {
		t.Error("a small picture was copied")
	}
	large := image.NewNRGBA(image.Rect(0, 0, 4200, 4096))
	got := Working(large)
	if n := got.Rect.Dx() * got.Rect.Dy(); n > WorkingPixels || n < WorkingPixels*99/100 {
		t.Errorf("worked on at %v", got.Rect)
	}
	if again := imaging.FitPixels(got, WorkingPixels); again != got {
		t.Error("the working size is not final")
	}
}
