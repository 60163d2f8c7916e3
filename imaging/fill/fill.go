// Package fill continues pictures: it completes holes, or the space around a picture, with patches of the picture
// itself. Matches are searched from coarse to fine (PatchMatch) and painted by vote, so that what is added is made of
// real pixels: nothing is mirrored or stretched, only what is far beyond a picture's edge is out of focus, and given pixels
// stay as they are.
package fill

import (
	"context"
	"errors"
	"fmt"
	"image"

	"atelier/imaging/mask"
)

// maxSide bounds canvases and sources, so that a position fits into two times 16 bits.
const maxSide = 1 << 15

// ErrNothingKnown means there is no pixel to continue from.
var ErrNothingKnown = errors.New("nothing in the picture may be copied")

// ErrSize means a canvas, hole or picture has an impossible size.
var ErrSize = errors.New("impossible size")

// Options steer a completion. The zero value is useful.
type Options struct {
	// Seed chooses among equally good completions; the same seed gives the same pixels.
	Seed int64
	// Avoid marks pixels (mask.Level and more) that are never copied, such as a person; of the picture's size. It is
	// given up when nothing else is left to copy from.
	Avoid *mask.Plane
	// Doubt marks pixels of those to avoid that may be background after all; of the picture's size. They are continued like others,
	// and copied where little else would join what is given.
	Doubt *mask.Plane
	// Apart are parts of the picture that are never copied, but are continued at its edge like others, such as the places of people far
	// behind: what lies around those is background. They too are given up when nothing else is left.
	Apart []image.Rectangle
	// Tries is how often it is decided, on a small copy, what goes where; the decision whose patches join best is carried out. At most 8,
	// and 0 means 1.
	Tries int
	// Variant is 0 for the completion that joins best; each number above asks for another one, copied from other columns of the picture as far
	// as they join too.
	Variant int
	// Progress hears the fraction done, never falling.
	Progress func(float64)
}

// Complete returns img with the pixels of hole (mask.Level and more) filled. All other pixels are bit-exact. hole and
// opt.Avoid have img's size. When ctx ends it returns ctx's error.
func Complete(ctx context.Context, img *image.NRGBA, hole mask.Plane, opt Options) (*image.NRGBA, error) {
	b := img.Bounds()
	if err := checkSizes(b.Dx(), b.Dy(), hole.W, hole.H, opt.Avoid); err != nil {
		return nil, fmt.Errorf("complete: %w", err)
	}
	src := pictureOf(img)
	out := image.NewNRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
	copy(out.Pix, src.pix)
	p := newProblem(out, src, opt)
	for i := range p.state {
		switch {
		case hole.Pix[i] >= mask.Level:
			p.state[i], p.use[i] = holePixel, shut
		case opt.Avoid != nil && opt.Avoid.Pix[i] >= mask.Level, src.pix[4*i+3] < mask.Level:
			p.state[i] = mute
		default:
			p.state[i] = known
		}
	}
	if err := p.run(ctx); err != nil {
		return nil, fmt.Errorf("complete: %w", err)
	}
	return out, nil
}

// Expand places src with its top left corner at (left, top) of a new canvas of width × height pixels and fills the
// rest. Any overlap will do; what lies outside the canvas is cut off but still serves to copy from. Source pixels on
// the canvas are bit-exact. A cut-out, mostly transparent along its edge, is continued by transparency.
func Expand(ctx context.Context, src *image.NRGBA, width, height, left, top int, opt Options) (*image.NRGBA, error) {
	b := src.Bounds()
	if err := checkSizes(b.Dx(), b.Dy(), b.Dx(), b.Dy(), opt.Avoid); err != nil {
		return nil, fmt.Errorf("expand: %w", err)
	}
	if width < 1 || height < 1 || width > maxSide || height > maxSide {
		return nil, fmt.Errorf("expand to %d × %d: %w", width, height, ErrSize)
	}
	from := pictureOf(src)
	out := image.NewNRGBA(image.Rect(0, 0, width, height))
	place := image.Rect(left, top, left+from.w, top+from.h).Intersect(out.Rect)
	if place.Empty() {
		return nil, fmt.Errorf("expand: %w: nothing of the picture is on the canvas", ErrNothingKnown)
	}
	for y := place.Min.Y; y < place.Max.Y; y++ {
		s := 4 * ((y-top)*from.w + place.Min.X - left)
		copy(out.Pix[out.PixOffset(place.Min.X, y):], from.pix[s:s+4*place.Dx()])
	}
	if cutOut(from) || place == out.Rect {
		return out, ctx.Err()
	}
	p := newProblem(out, from, opt)
	p.left, p.top, p.beyond = left, top, true
	for y := place.Min.Y; y < place.Max.Y; y++ {
		for x := place.Min.X; x < place.Max.X; x++ {
			s := known
			if opt.Avoid != nil && opt.Avoid.Kept(x-left, y-top) && !opt.doubts(x-left, y-top) || out.Pix[4*(y*width+x)+3] < mask.Level {
				s = mute
			}
			p.state[y*width+x] = uint8(s)
		}
	}
	p.extend()
	if err := p.run(ctx); err != nil {
		return nil, fmt.Errorf("expand: %w", err)
	}
	if err := p.defocus(ctx, image.Rect(left, top, left+from.w, top+from.h)); err != nil {
		return nil, fmt.Errorf("expand: %w", err)
	}
	return out, nil
}

// holePixel is hole under a name that Complete's parameter does not hide.
const holePixel = hole

// newProblem is a canvas without states and a source of which all opaque pixels outside opt.Avoid may be copied.
func newProblem(out *image.NRGBA, src picture, opt Options) *problem {
	p := &problem{
		dst:   picture{w: out.Rect.Dx(), h: out.Rect.Dy(), pix: out.Pix},
		state: make([]uint8, out.Rect.Dx()*out.Rect.Dy()),
		src:   src, use: make([]uint8, src.w*src.h),
		seed: uint64(opt.Seed), variant: opt.Variant, tries: min(max(opt.Tries, 1), mostTries), progress: opt.Progress,
	}
	p.openAll()
	if opt.Avoid != nil {
		for i, v := range opt.Avoid.Pix {
			switch {
			case v < mask.Level || p.use[i] == shut:
			case opt.doubts(i%src.w, i/src.w):
				p.use[i] = reluctant
			default:
				p.use[i] = shut
			}
		}
	}
	for _, r := range opt.Apart {
		eachPixel(r.Intersect(image.Rect(0, 0, src.w, src.h)), func(x, y int) { p.use[y*src.w+x] = shut })
	}
	return p
}

// doubts reports whether a pixel to avoid may be background after all.
func (o Options) doubts(x, y int) bool { return o.Doubt != nil && o.Doubt.Kept(x, y) }

// openAll lets every opaque pixel be copied.
func (p *problem) openAll() {
	for i := range p.use {
		if p.src.pix[4*i+3] >= mask.Level {
			p.use[i] = open
		}
	}
}

// run solves the problem, giving up on what to avoid when it leaves nothing, and on patches when the picture is
// too small for one.
func (p *problem) run(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if !hasCentres(p.src.w, p.src.h, p.use, 1) {
		p.reopen()
		if !hasCentres(p.src.w, p.src.h, p.use, 1) {
			return p.stretch()
		}
	}
	if min(p.dst.w, p.dst.h) < side {
		return p.stretch()
	}
	return p.solve(ctx)
}

// reopen lets everything be copied that is neither a hole nor transparent.
func (p *problem) reopen() {
	p.openAll()
	for i, s := range p.state {
		switch s {
		case mute:
			p.state[i] = known
		case hole:
			if x, y := i%p.dst.w-p.left, i/p.dst.w-p.top; x >= 0 && y >= 0 && x < p.src.w && y < p.src.h {
				p.use[y*p.src.w+x] = shut
			}
		}
	}
}

// stretch gives each hole pixel the colour of the closest known one: all that can be done without a whole patch.
func (p *problem) stretch() error {
	near := nearestKnown(p.dst.w, p.dst.h, p.state)
	for i, s := range p.state {
		if s != hole {
			continue
		}
		if near[i] == nowhere {
			return ErrNothingKnown
		}
		x, y := near[i].xy()
		j := 4 * (y*p.dst.w + x)
		copy(p.dst.pix[4*i:4*i+4], p.dst.pix[j:j+4])
		p.dst.pix[4*i+3] = 255
	}
	return nil
}

// pictureOf is img's pixels without gaps between rows; they are shared when there are none already.
func pictureOf(img *image.NRGBA) picture {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	if img.Stride == 4*w {
		return picture{w: w, h: h, pix: img.Pix[:4*w*h]}
	}
	p := newPicture(w, h)
	for y := range h {
		copy(p.pix[4*w*y:4*w*(y+1)], img.Pix[y*img.Stride:])
	}
	return p
}

// cutOut reports whether most of a picture's edge is transparent.
func cutOut(p picture) bool {
	clearOnes, all := 0, 0
	see := func(x, y int) {
		all++
		if p.pix[4*(y*p.w+x)+3] < mask.Level {
			clearOnes++
		}
	}
	for x := range p.w {
		see(x, 0)
		see(x, p.h-1)
	}
	for y := range p.h {
		see(0, y)
		see(p.w-1, y)
	}
	return 2*clearOnes > all
}

func checkSizes(w, h, holeW, holeH int, avoid *mask.Plane) error {
	switch {
	case w < 1 || h < 1 || w > maxSide || h > maxSide:
		return fmt.Errorf("%w: a picture of %d × %d", ErrSize, w, h)
	case holeW != w || holeH != h:
		return fmt.Errorf("%w: a hole of %d × %d in a picture of %d × %d", ErrSize, holeW, holeH, w, h)
	case avoid != nil && (avoid.W != w || avoid.H != h):
		return fmt.Errorf("%w: pixels to avoid of %d × %d in a picture of %d × %d", ErrSize, avoid.W, avoid.H, w, h)
	}
	return nil
}
