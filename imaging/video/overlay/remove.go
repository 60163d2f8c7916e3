package overlay

import (
	"context"
	"image"
	"math"

	"atelier/imaging"
	"atelier/imaging/fill"
	"atelier/imaging/mask"
	"atelier/imaging/parallel"
	"atelier/imaging/video/flow"
)

// Options say what a Remover takes out.
type Options struct {
	Static mask.Plane // of the frames' size; may be empty
	Titles *Titles    // lines of letters that come and go; nil looks for none
	Seed   int64
}

// Remover takes overlays out of the frames of a film, in order. It holds a window of frames, bounded in memory. It is used
// by one goroutine at a time.
type Remover struct {
	w, h   int
	opt    Options
	reach  int // how many frames to both sides are looked into
	window []*frame
	next   int // index in the window of the frame to be given out next
	last   *image.NRGBA
	filled mask.Plane // where last was filled
	hasOut bool
}

// frame is one frame in the window.
type frame struct {
	img     *image.NRGBA
	small   *flow.Gray        // for motion
	lines   []image.Rectangle // of letters, in pixels of the frame
	laid    []laid            // lettering that stands
	forward *flow.Field
	back    *flow.Field
	cut     bool        // a new scene begins here
	hole    *mask.Plane // what is taken out, of the frame's size; nil until it is certain
	near    *mask.Plane // the same with a margin
}

const (
	flowSide   = 144       // the longer side of the copies motion is measured on
	windowSize = 256 << 20 // bytes of frames held
	spread     = 2         // letters are taken out this many frames before they are seen and after
)

// NewRemover prepares for frames of w × h pixels.
func NewRemover(w, h int, opt Options) *Remover {
	reach := windowSize / (14 * w * h)
	return &Remover{w: w, h: h, opt: opt, reach: max(2, min(14, reach)), last: image.NewNRGBA(image.Rect(0, 0, w, h)), filled: mask.New(w, h)}
}

// Add takes in the next frame, shown at a second of the film; img may be reused afterwards.
func (r *Remover) Add(img *image.NRGBA, second float64) {
	f := &frame{img: imaging.Clone(img), small: flow.GrayOf(img, flowSide)}
	if r.opt.Titles != nil {
		f.lines = r.opt.Titles.in(img, second)
		f.laid = r.opt.Titles.standingIn(img, second)
	}
	if n := len(r.window); n > 0 {
		f.cut = apart(r.window[n-1].small, f.small) > 28
	}
	r.window = append(r.window, f)
}

func apart(a, b *flow.Gray) float64 {
	sum := 0.0
	for i := range a.Pix {
		sum += math.Abs(float64(a.Pix[i] - b.Pix[i]))
	}
	return sum / float64(len(a.Pix))
}

// Next writes the next finished frame into dst and reports whether there was one. ended says that no more will be added:
// then it is called until it answers false.
func (r *Remover) Next(ctx context.Context, dst *image.NRGBA, ended bool) (bool, error) {
	if r.next >= len(r.window) || !ended && len(r.window)-r.next <= r.reach+spread {
		return false, nil
	}
	if err := r.restore(ctx, dst); err != nil {
		return false, err
	}
	copy(r.last.Pix, dst.Pix)
	r.hasOut = true
	r.next++
	if r.next > r.reach+spread {
		r.window = r.window[1:]
		r.next--
	}
	return true, nil
}

// mask is what is taken out of a frame, of the frame's size.
func (r *Remover) mask(i int) mask.Plane {
	f := r.window[i]
	if f.hole == nil {
		hole := r.covered(i)
		f.hole = &hole
	}
	return *f.hole
}

// near is the mask with a margin, from which nothing is copied.
func (r *Remover) near(i int) mask.Plane {
	f := r.window[i]
	if f.near == nil {
		near := r.mask(i).Grow(2)
		f.near = &near
	}
	return *f.near
}

func (r *Remover) covered(i int) mask.Plane {
	out := mask.New(r.w, r.h)
	if r.opt.Static.W == r.w {
		copy(out.Pix, r.opt.Static.Pix)
	}
	for k := max(0, i-spread); k <= min(len(r.window)-1, i+spread); k++ {
		if r.cutBetween(i, k) {
			continue
		}
		for _, b := range r.window[k].lines {
			out.FillRect(b, 255)
		}
		for _, l := range r.window[k].laid {
			l.paint(out)
		}
	}
	return out
}

func (r *Remover) cutBetween(a, b int) bool {
	for k := min(a, b) + 1; k <= max(a, b); k++ {
		if r.window[k].cut {
			return true
		}
	}
	return false
}

// restore writes the frame at r.next into dst without its overlays.
func (r *Remover) restore(ctx context.Context, dst *image.NRGBA) error {
	f := r.window[r.next]
	copy(dst.Pix, f.img.Pix)
	hole := r.mask(r.next)
	if hole.Empty() {
		clear(r.filled.Pix)
		return nil
	}
	left := hole.Clone() // what still has to be found
	r.fromOthers(dst, hole, left)
	if err := ctx.Err(); err != nil {
		return err
	}
	if !left.Empty() {
		r.fromLast(dst, left)
	}
	if !left.Empty() {
		if err := r.complete(ctx, dst, left, hole); err != nil {
			return err
		}
	}
	soften(dst, f.img, hole)
	copy(r.filled.Pix, hole.Pix)
	return nil
}

// motion gives the fields of the frame at i to the next (step 1) or the one before (step -1), measured where nothing lies
// over the film.
func (r *Remover) motion(i, step int) *flow.Field {
	f, other := r.window[i], r.window[i+step]
	known := &f.forward
	if step < 0 {
		known = &f.back
	}
	if *known == nil {
		*known = flow.Between(f.small, other.small, r.clear(i, i+step, f.small.W, f.small.H))
	}
	return *known
}

// clear weighs pixels that no overlay covers in either frame.
func (r *Remover) clear(i, j, w, h int) []float32 {
	out := make([]float32, w*h)
	a, b := r.mask(i), r.mask(j)
	for y := range h {
		for x := range w {
			px, py := (2*x+1)*r.w/(2*w), (2*y+1)*r.h/(2*h)
			if a.Pix[py*r.w+px] == 0 && b.Pix[py*r.w+px] == 0 {
				out[y*w+x] = 1
			}
		}
	}
	return out
}

// step is the distance of the points that are followed from frame to frame.
const step = 4

// fromOthers takes what other frames show of the place, following the motion there and back; the nearest frame in which
// the place is clear gives the pixel, and the two sides are mixed by their distance.
func (r *Remover) fromOthers(dst *image.NRGBA, hole, left mask.Plane) {
	box := hole.Bounds()
	gx0, gy0 := box.Min.X/step, box.Min.Y/step
	gw, gh := box.Max.X/step-gx0+2, box.Max.Y/step-gy0+2
	type source struct {
		distance int
		img      *image.NRGBA
	}
	// Per pixel of the box, the sum of what was found and its weight; one side counts once.
	w, h := box.Dx(), box.Dy()
	sum := make([][4]float32, w*h)
	for _, side := range [2]int{-1, 1} {
		at := make([][2]float32, gw*gh)
		for i := range at {
			at[i] = [2]float32{float32((gx0 + i%gw) * step), float32((gy0 + i/gw) * step)}
		}
		found := make([]bool, w*h)
		for k := 1; k <= r.reach; k++ {
			here, there := r.next+side*(k-1), r.next+side*k
			if there < 0 || there >= len(r.window) || r.cutBetween(here, there) {
				break
			}
			field := r.motion(here, side)
			kx, ky := float32(field.W)/float32(r.w), float32(field.H)/float32(r.h)
			for i, p := range at {
				u, v := field.At(p[0]*kx-0.5, p[1]*ky-0.5)
				at[i] = [2]float32{p[0] + u/kx, p[1] + v/ky}
			}
			other := r.near(there)
			src := source{k, r.window[there].img}
			parallel.Spread(h, 8, func(from, to int) {
				for y := from; y < to; y++ {
					for x := range w {
						i := y*w + x
						px, py := box.Min.X+x, box.Min.Y+y
						if found[i] || hole.Pix[py*r.w+px] == 0 {
							continue
						}
						qx, qy := between(at, gw, px-gx0*step, py-gy0*step)
						ix, iy := int(qx+0.5), int(qy+0.5)
						if ix < 0 || iy < 0 || ix >= r.w || iy >= r.h || other.Pix[iy*r.w+ix] != 0 {
							continue
						}
						found[i] = true
						c := colourAt(src.img, qx, qy)
						weight := 1 / float32(src.distance*src.distance)
						for n := range 3 {
							sum[i][n] += weight * c[n]
						}
						sum[i][3] += weight
					}
				}
			})
		}
	}
	for y := range h {
		for x := range w {
			s := &sum[y*w+x]
			if s[3] == 0 {
				continue
			}
			px, py := box.Min.X+x, box.Min.Y+y
			p := dst.Pix[dst.PixOffset(px, py):]
			for n := range 3 {
				p[n] = uint8(s[n]/s[3] + 0.5)
			}
			left.Pix[py*r.w+px] = 0
		}
	}
}

// between is the place between the points of a grid.
func between(at [][2]float32, gw, x, y int) (px, py float32) {
	i, fx, fy := y/step*gw+x/step, float32(x%step)/step, float32(y%step)/step
	a, b, c, d := at[i], at[i+1], at[i+gw], at[i+gw+1]
	px = (a[0]*(1-fx)+b[0]*fx)*(1-fy) + (c[0]*(1-fx)+d[0]*fx)*fy
	py = (a[1]*(1-fx)+b[1]*fx)*(1-fy) + (c[1]*(1-fx)+d[1]*fx)*fy
	return px, py
}

// colourAt is the colour between pixels.
func colourAt(img *image.NRGBA, x, y float32) [3]float32 {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	x, y = min(max(x, 0), float32(w-1)), min(max(y, 0), float32(h-1))
	x0, y0 := int(x), int(y)
	x1, y1 := min(x0+1, w-1), min(y0+1, h-1)
	fx, fy := x-float32(x0), y-float32(y0)
	a, b := img.Pix[img.PixOffset(x0, y0):], img.Pix[img.PixOffset(x1, y0):]
	c, d := img.Pix[img.PixOffset(x0, y1):], img.Pix[img.PixOffset(x1, y1):]
	var out [3]float32
	for k := range 3 {
		out[k] = (float32(a[k])*(1-fx)+float32(b[k])*fx)*(1-fy) + (float32(c[k])*(1-fx)+float32(d[k])*fx)*fy
	}
	return out
}

// fromLast carries on what was filled in the frame before, moved as the film moves.
func (r *Remover) fromLast(dst *image.NRGBA, left mask.Plane) {
	f := r.window[r.next]
	if !r.hasOut || r.next == 0 || f.cut {
		return
	}
	field := r.motion(r.next, -1)
	kx, ky := float32(field.W)/float32(r.w), float32(field.H)/float32(r.h)
	box := left.Bounds()
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			if left.Pix[y*r.w+x] == 0 {
				continue
			}
			u, v := field.At(float32(x)*kx-0.5, float32(y)*ky-0.5)
			u, v = u/kx, v/ky
			if u*u+v*v < 0.1 {
				u, v = 0, 0 // standing still: nothing is made softer
			}
			qx, qy := float32(x)+u, float32(y)+v
			ix, iy := int(qx+0.5), int(qy+0.5)
			if ix < 0 || iy < 0 || ix >= r.w || iy >= r.h || r.filled.Pix[iy*r.w+ix] == 0 {
				continue
			}
			c := colourAt(r.last, qx, qy)
			p := dst.Pix[dst.PixOffset(x, y):]
			for n := range 3 {
				p[n] = uint8(c[n] + 0.5)
			}
			left.Pix[y*r.w+x] = 0
		}
	}
}

// complete fills what no other frame shows out of the frame itself, piece by piece with its surroundings.
func (r *Remover) complete(ctx context.Context, dst *image.NRGBA, left, hole mask.Plane) error {
	for _, c := range pieces(left.Grow(1)) {
		pad := max(24, max(c.box.Dx(), c.box.Dy())/2)
		box := c.box.Inset(-pad).Intersect(dst.Rect)
		part := imaging.Crop(dst, box)
		gap := mask.New(box.Dx(), box.Dy())
		avoid := mask.New(box.Dx(), box.Dy())
		for y := range gap.H {
			for x := range gap.W {
				i := (y+box.Min.Y)*r.w + x + box.Min.X
				if left.Pix[i] != 0 {
					gap.Pix[y*gap.W+x] = 255
				}
				if hole.Pix[i] != 0 {
					avoid.Pix[y*gap.W+x] = 255
				}
			}
		}
		if gap.Empty() {
			continue
		}
		done, err := fill.Complete(ctx, part, gap, fill.Options{Seed: r.opt.Seed, Avoid: &avoid})
		if err != nil {
			return err
		}
		for y := range gap.H {
			for x := range gap.W {
				i := (y+box.Min.Y)*r.w + x + box.Min.X
				if left.Pix[i] != 0 {
					copy(dst.Pix[4*i:4*i+3], done.Pix[done.PixOffset(x, y):])
					left.Pix[i] = 0
				}
			}
		}
	}
	return nil
}

// soften mixes the outermost filled pixels with the frame's own, so that no border shows.
func soften(dst, img *image.NRGBA, hole mask.Plane) {
	const rim = 2.0
	inner := hole.Clone()
	soft := shrink(inner, rim/2).Feather(rim / 2)
	box := hole.Bounds()
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			i := y*hole.W + x
			if hole.Pix[i] == 0 || soft.Pix[i] == 255 {
				continue
			}
			a := int(soft.Pix[i])
			p, q := dst.Pix[4*i:4*i+3], img.Pix[4*i:4*i+3]
			for k := range p {
				p[k] = uint8((int(q[k])*(255-a) + int(p[k])*a + 127) / 255)
			}
		}
	}
}
