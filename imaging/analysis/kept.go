package analysis

import (
	"context"
	"image"

	"atelier/imaging/segment"
)

// StrongerSide is the long side in pixels at which the stronger engine finds edges.
const StrongerSide = 1536

// Keep says what an execution keeps of its source, and how closely it is looked for. The embedded service, the preview of a mask and the
// fidelity check describe an execution by it, so that they mean the same region.
type Keep struct {
	Kind     segment.Kind
	Product  bool // a product is looked for (aiproduct)
	Stronger bool // the stronger engine is asked for (generateVersion)
	// Garment says that of a person the clothes are meant, not the whole of them (virtualtryon with autoSubjectSegment).
	Garment bool
}

// Options are how the region is looked for.
func (k Keep) Options() segment.Options {
	opt := segment.Options{Thing: k.Product}
	if k.Stronger {
		opt.Fine = StrongerSide
	}
	return opt
}

// KindIn is the kind of region that is kept of a picture whose subject was found.
func (k Keep) KindIn(subject segment.Result) segment.Kind {
	if k.Garment && k.Kind == segment.WholeSubject && len(subject.Faces) > 0 {
		return segment.Apparel
	}
	return k.Kind
}

// Kept finds what an execution keeps of a picture.
func (c *Cache) Kept(ctx context.Context, img *image.NRGBA, k Keep) (segment.Result, error) {
	found, err := c.Region(ctx, img, k.Kind, k.Options())
	if err != nil {
		return found, err
	}
	if kind := k.KindIn(found); kind != k.Kind {
		return c.Region(ctx, img, kind, k.Options())
	}
	return found, nil
}

// Remembered is Kept of a picture that need not be opened for it. ok is false where it was not found before, or is forgotten.
func (c *Cache) Remembered(picture Key, k Keep) (found segment.Result, ok bool) {
	kind := k.Kind
	for {
		value, ok := c.remembered(Question{picture, string(kind), k.Options().WithDefaults()})
		if !ok {
			return segment.Result{}, false
		}
		found = value.(packed[segment.Result]).unpack()
		next := k.KindIn(found)
		if next == kind || kind != k.Kind {
			return found, true
		}
		kind = next
	}
}

// Kept finds what an execution keeps of a picture.
func Kept(ctx context.Context, img *image.NRGBA, k Keep) (segment.Result, error) {
	return Shared.Kept(ctx, img, k)
}
