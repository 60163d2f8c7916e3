package render

import (
	"container/list"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"image"
	"sync"

	"golang.org/x/sync/singleflight"

	"atelier/imaging/mask"
	"atelier/imaging/segment"
)

// What is kept of pictures that were looked at: at most so many bytes of masks, and nothing of pictures with more pixels, which would
// push out everything else.
const (
	mostRemembered    = 32 << 20
	largestRemembered = 4 << 20
)

var remembered = &memory{most: mostRemembered}

// subjectOf is segment.Subject, looked for once in the pictures seen last: the items of a batch, and the agents somebody tries on one
// photo, do not look again. The caller may change what it gets.
func subjectOf(ctx context.Context, img *image.NRGBA, opt segment.Options) (segment.Result, error) {
	return findOnce(ctx, remembered, img, "subject", opt, segment.Subject, cloneResult)
}

// regionOf is segment.Region, looked for once in the pictures seen last.
func regionOf(ctx context.Context, img *image.NRGBA, kind segment.Kind, opt segment.Options) (segment.Result, error) {
	find := func(ctx context.Context, img *image.NRGBA, opt segment.Options) (segment.Result, error) {
		return segment.Region(ctx, img, kind, opt)
	}
	return findOnce(ctx, remembered, img, string(kind), opt, find, cloneResult)
}

// piecesOf is segment.PiecesOf, looked for once in the pictures seen last.
func piecesOf(ctx context.Context, img *image.NRGBA, opt segment.Options) (segment.Pieces, error) {
	return findOnce(ctx, remembered, img, "pieces", opt, segment.PiecesOf, clonePieces)
}

// facesOf is segment.Faces, looked for once in the pictures seen last.
func facesOf(img *image.NRGBA) ([]segment.Rect, error) { return rectsOf(img, "faces", segment.Faces) }

// headsOf is segment.Heads, looked for once in the pictures seen last.
func headsOf(img *image.NRGBA) ([]segment.Rect, error) { return rectsOf(img, "heads", segment.Heads) }

func rectsOf(img *image.NRGBA, what string, find func(*image.NRGBA) ([]segment.Rect, error)) ([]segment.Rect, error) {
	look := func(_ context.Context, img *image.NRGBA, _ segment.Options) ([]segment.Rect, error) { return find(img) }
	return findOnce(context.Background(), remembered, img, what, segment.Options{}, look, cloneRects)
}

// cloneRects is a copy that shares nothing, and about how many bytes it takes with what is kept beside it.
func cloneRects(list []segment.Rect) ([]segment.Rect, int) {
	return append([]segment.Rect(nil), list...), 256 + 32*len(list)
}

// cloneResult is a copy that shares nothing, and how many bytes its planes take.
func cloneResult(r segment.Result) (segment.Result, int) {
	size := 0
	for _, p := range []*mask.Plane{&r.Mask, &r.Matte, &r.Others} {
		*p = p.Clone()
		size += len(p.Pix)
	}
	r.Faces = append([]segment.Rect(nil), r.Faces...)
	return r, size
}

// clonePieces is a copy that shares nothing, and how many bytes its planes take.
func clonePieces(p segment.Pieces) (segment.Pieces, int) {
	var size int
	p.Subject, size = cloneResult(p.Subject)
	for _, q := range []*mask.Plane{&p.Head, &p.Worn, &p.Upper, &p.Lower} {
		*q = q.Clone()
		size += len(q.Pix)
	}
	return p, size
}

// memory are what was found in the pictures seen last. They are safe for concurrent use.
type memory struct {
	most   int // bytes
	flight singleflight.Group

	mu    sync.Mutex
	size  int
	order list.List // of *memo, the latest first
	by    map[string]*list.Element
}

type memo struct {
	key   string
	size  int
	value any
}

// findOnce gives a copy of what was found in the picture, and looks when nobody has. Who asks while another looks waits for that; when the
// other gives up, it looks itself.
func findOnce[T any](ctx context.Context, s *memory, img *image.NRGBA, what string, opt segment.Options,
	find func(context.Context, *image.NRGBA, segment.Options) (T, error), clone func(T) (T, int),
) (T, error) {
	if img.Rect.Dx()*img.Rect.Dy() > largestRemembered {
		return find(ctx, img, opt)
	}
	key := memoKey(img, what, opt)
	for {
		if v, ok := s.get(key); ok {
			found, _ := clone(v.(T))
			return found, nil
		}
		v, err, _ := s.flight.Do(key, func() (any, error) {
			found, err := find(ctx, img, opt)
			if err != nil {
				return nil, err
			}
			found, size := clone(found)
			s.put(&memo{key: key, size: size, value: found})
			return found, nil
		})
		if err == nil {
			found, _ := clone(v.(T))
			return found, nil
		}
		if ctx.Err() == nil && (errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)) {
			continue
		}
		var none T
		return none, err
	}
}

// memoKey tells pictures, and what is looked for in them, apart.
func memoKey(img *image.NRGBA, what string, opt segment.Options) string {
	h := sha256.New()
	hard := 0
	if opt.Hard {
		hard = 1
	}
	head := make([]byte, 0, 64)
	for _, n := range []int{img.Rect.Dx(), img.Rect.Dy(), opt.Coarse, opt.Fine, hard} {
		head = binary.LittleEndian.AppendUint64(head, uint64(n))
	}
	h.Write(append(head, what...))
	for y := img.Rect.Min.Y; y < img.Rect.Max.Y; y++ {
		from := img.PixOffset(img.Rect.Min.X, y)
		h.Write(img.Pix[from : from+4*img.Rect.Dx()])
	}
	return string(h.Sum(nil))
}

func (s *memory) get(key string) (any, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, ok := s.by[key]
	if !ok {
		return nil, false
	}
	s.order.MoveToFront(e)
	return e.Value.(*memo).value, true
}

// put keeps what was found, and lets go of what was not asked for longest.
func (s *memory) put(v *memo) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.by[v.key]; ok || v.size > s.most {
		return
	}
	if s.by == nil {
		s.by = map[string]*list.Element{}
	}
	s.by[v.key] = s.order.PushFront(v)
	for s.size += v.size; s.size > s.most; {
		last := s.order.Back()
		old := s.order.Remove(last).(*memo)
		delete(s.by, old.key)
		s.size -= old.size
	}
}
