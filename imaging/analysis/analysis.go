// Package analysis finds subjects, regions, people and faces in pictures, and remembers what it found: every part of
// the process that asks the same of the same pixels gets the same answer, and only the first one waits for the work.
package analysis

import (
	"context"
	"image"
	"slices"

	"atelier/imaging"
	"atelier/imaging/mask"
	"atelier/imaging/net"
	"atelier/imaging/segment"
)

// WorkingPixels is how many pixels a picture has at most while it is worked on: 4096 × 4096, the largest canvas there
// is (Task API, "Limits"). Larger ones are scaled down first (Working).
const WorkingPixels = 4096 * 4096

// rememberedBytes is what the process remembers. A packed result takes about 100 KB per megapixel of a photograph.
const rememberedBytes = 32 << 20

// scenesBytes is what the process remembers of the pictures asked for last beside the answers: the scenes of two of
// them.
const scenesBytes = 48 << 20

// Shared is the cache of the process. The studio and the embedded service ask it alike, so a region that was previewed
// is the region that a run keeps.
var Shared = New(rememberedBytes)

// Working returns the picture at its working size: itself, or a smaller copy.
func Working(img *image.NRGBA) *image.NRGBA { return imaging.FitPixels(img, WorkingPixels) }

// Subject is segment.Subject. The caller owns the planes it gets.
func Subject(ctx context.Context, img *image.NRGBA, opt segment.Options) (segment.Result, error) {
	return Shared.Region(ctx, img, segment.WholeSubject, opt)
}

// Region is segment.Region. The caller owns the planes it gets.
func Region(ctx context.Context, img *image.NRGBA, kind segment.Kind, opt segment.Options) (segment.Result, error) {
	return Shared.Region(ctx, img, kind, opt)
}

// Pieces finds people, their heads and their clothes. The caller owns the planes it gets.
func Pieces(ctx context.Context, img *image.NRGBA, opt segment.Options) (segment.Pieces, error) {
	return Shared.Pieces(ctx, img, opt)
}

// Faces finds the faces of people (segment.Scene.Faces).
func Faces(img *image.NRGBA) ([]segment.Rect, error) { return Shared.Faces(img) }

// Heads finds where people have their heads (segment.Scene.Heads).
func Heads(img *image.NRGBA) ([]segment.Rect, error) { return Shared.Heads(img) }

// Bodies finds the joints of people (segment.Scene.Bodies).
func Bodies(img *image.NRGBA) ([]net.Joints, error) { return Shared.Bodies(img) }

// Region is segment.Region, which for segment.WholeSubject is segment.Subject.
func (c *Cache) Region(ctx context.Context, img *image.NRGBA, kind segment.Kind, opt segment.Options) (segment.Result, error) {
	return c.region(ctx, img, kind, question(img, string(kind), opt))
}

func (c *Cache) region(ctx context.Context, img *image.NRGBA, kind segment.Kind, q Question) (segment.Result, error) {
	q.What = string(kind)
	return once(ctx, c, q, func(ctx context.Context) (segment.Result, error) {
		if kind == segment.Human {
			r, err := c.region(ctx, img, segment.InverseHuman, q)
			r.Mask.Invert()
			r.Matte.Invert()
			return r, err
		}
		return c.scene(q).Region(ctx, img, kind)
	}, packResult)
}

// Pieces finds people, their heads and their clothes.
func (c *Cache) Pieces(ctx context.Context, img *image.NRGBA, opt segment.Options) (p segment.Pieces, err error) {
	q := question(img, "clothes", opt)
	if p.Subject, err = c.region(ctx, img, segment.WholeSubject, q); err != nil {
		return p, err
	}
	p.Clothes, err = once(ctx, c, q, func(ctx context.Context) (segment.Clothes, error) {
		return c.scene(q).Clothes(ctx, img)
	}, packClothes)
	if err != nil || !p.Found {
		return p, err
	}
	head, err := c.region(ctx, img, segment.InverseHuman, q)
	p.Head = head.Matte
	return p, err
}

// Faces finds the faces of people (segment.Scene.Faces).
func (c *Cache) Faces(img *image.NRGBA) ([]segment.Rect, error) {
	return c.rects(img, "faces", (*segment.Scene).Faces)
}

// Heads finds where people have their heads (segment.Scene.Heads).
func (c *Cache) Heads(img *image.NRGBA) ([]segment.Rect, error) {
	return c.rects(img, "heads", (*segment.Scene).Heads)
}

// Bodies finds the joints of people (segment.Scene.Bodies).
func (c *Cache) Bodies(img *image.NRGBA) ([]net.Joints, error) {
	q := question(img, "bodies", segment.Options{})
	return once(context.Background(), c, q, func(ctx context.Context) ([]net.Joints, error) {
		return c.scene(q).Bodies(ctx, img)
	}, packJoints)
}

func (c *Cache) rects(
	img *image.NRGBA, what string, find func(*segment.Scene, context.Context, *image.NRGBA) ([]segment.Rect, error),
) ([]segment.Rect, error) {
	q := question(img, what, segment.Options{})
	return once(context.Background(), c, q, func(ctx context.Context) ([]segment.Rect, error) {
		return find(c.scene(q), ctx, img)
	}, packRects)
}

// rectBytes is about what a rectangle takes in memory.
const rectBytes = 32

func packRects(list []segment.Rect) packed[[]segment.Rect] {
	list = append([]segment.Rect(nil), list...)
	return packed[[]segment.Rect]{
		size:   rectBytes * len(list),
		unpack: func() []segment.Rect { return append([]segment.Rect(nil), list...) },
	}
}

// jointsBytes is about what the joints of a person take in memory.
const jointsBytes = 2 << 10

func packJoints(list []net.Joints) packed[[]net.Joints] {
	return packed[[]net.Joints]{
		size:   jointsBytes * len(list),
		unpack: func() []net.Joints { return slices.Clone(list) },
	}
}

func packResult(r segment.Result) packed[segment.Result] {
	kept := packPlanes(&r.Mask, &r.Matte, &r.Others)
	r.Faces = append([]segment.Rect(nil), r.Faces...)
	return packed[segment.Result]{
		size: kept.size() + rectBytes*len(r.Faces),
		unpack: func() segment.Result {
			out := r
			kept.into(&out.Mask, &out.Matte, &out.Others)
			out.Faces = append([]segment.Rect(nil), r.Faces...)
			return out
		},
	}
}

func packClothes(c segment.Clothes) packed[segment.Clothes] {
	kept := packPlanes(&c.Worn, &c.Upper, &c.Lower)
	return packed[segment.Clothes]{
		size: kept.size(),
		unpack: func() segment.Clothes {
			out := c
			kept.into(&out.Worn, &out.Upper, &out.Lower)
			return out
		},
	}
}

// planes are planes that wait to be asked for.
type planes []mask.Packed

// packPlanes packs planes and takes them out of the struct they are in, so that their pixels are not kept beside it.
func packPlanes(all ...*mask.Plane) planes {
	out := make(planes, len(all))
	for i, p := range all {
		out[i] = p.Pack()
		*p = mask.Plane{}
	}
	return out
}

// into unpacks into the places the planes were taken from.
func (p planes) into(all ...*mask.Plane) {
	for i, to := range all {
		*to = p[i].Plane()
	}
}

func (p planes) size() int {
	n := 0
	for _, plane := range p {
		n += plane.Size()
	}
	return n
}
