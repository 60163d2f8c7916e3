package render

import (
	"context"
	"image"
	"math"

	"atelier/imaging"
	"atelier/imaging/analysis"
	"atelier/imaging/compose"
	"atelier/imaging/segment"
	"atelier/imaging/video/flow"
)

// morphing is a shot that begins with one picture and ends with another: what shows in both moves from where it was to
// where it will be while the one dissolves into the other.
type morphing struct {
	from, to *image.NRGBA // of the frame's size
	field    *flow.Field  // from → to, in pixels of the field
	aligned  bool
	frames   int
}

// flowSide is the longer side of the copies that motion is measured on.
const flowSide = 224

func (s *studio) newMorph(ctx context.Context, first, last *image.NRGBA, size image.Point, frames int) (*morphing, error) {
	m := &morphing{frames: frames}
	var places [2]image.Rectangle
	var faces [2]image.Rectangle
	for i, img := range []*image.NRGBA{first, last} {
		img = imaging.Flatten(img, 255, 255, 255)
		less := small(img, 800)
		found, err := analysis.Subject(ctx, less, segment.Options{Hard: true})
		if err != nil {
			return nil, err
		}
		// The part of the picture that the video's shape has room for, around the head or the subject.
		k := math.Max(float64(size.X)/float64(less.Rect.Dx()), float64(size.Y)/float64(less.Rect.Dy()))
		about := found.Mask.Bounds()
		if found.Confidence < 0.25 && len(found.Faces) == 0 {
			about = image.Rectangle{}
		}
		cx, cy := 0.5, 0.4
		if !about.Empty() {
			cx, cy = float64(about.Min.X+about.Max.X)/2/float64(less.Rect.Dx()), float64(about.Min.Y+about.Max.Y)/2/float64(less.Rect.Dy())
		}
		if len(found.Faces) > 0 {
			f := found.Faces[0]
			cx, cy = float64(f.Min.X+f.Max.X)/2/float64(less.Rect.Dx()), float64(f.Max.Y)/float64(less.Rect.Dy())
		}
		wide, high := k*float64(less.Rect.Dx()), k*float64(less.Rect.Dy())
		frame := compose.Framing{X: slack(cx, wide, float64(size.X)), Y: slack(cy, high, float64(size.Y)), Zoom: 1}
		left, top := frame.X*(wide-float64(size.X)), frame.Y*(high-float64(size.Y))
		inFrame := func(r image.Rectangle) image.Rectangle {
			return image.Rect(int(k*float64(r.Min.X)-left), int(k*float64(r.Min.Y)-top), int(k*float64(r.Max.X)-left), int(k*float64(r.Max.Y)-top))
		}
		if !about.Empty() {
			places[i] = inFrame(about)
		}
		if len(found.Faces) > 0 {
			faces[i] = inFrame(found.Faces[0])
		}
		covered := compose.Cover(img, size.X, size.Y, frame)
		if i == 0 {
			m.from = covered
		} else {
			m.to = covered
		}
	}
	if !faces[0].Empty() && !faces[1].Empty() {
		places = faces
	}
	a, b := flow.GrayOf(m.from, flowSide), flow.GrayOf(m.to, flowSide)
	m.field = flow.Between(a, b, nil)
	m.aligned = explains(m.field, a, b)
	if !m.aligned {
		k := float64(a.W) / float64(size.X)
		var meets *affine
		if !faces[0].Empty() && !faces[1].Empty() {
			// Eyes go to eyes and mouth to mouth.
			var at [2][3]spot
			for i, f := range []features{featuresOf(m.from, faces[0]), featuresOf(m.to, faces[1])} {
				for n, p := range f.points() {
					at[i][n] = spot{k * p.x, k * p.y}
				}
			}
			fitted := fitted3(at[0], at[1])
			meets = &fitted
		}
		m.field = byPlaces(places, k, a.W, a.H, meets)
	}
	return m, ctx.Err()
}

// slack is where a window of size lies over a length, 0 at its beginning and 1 at its end, to have the share c in its middle.
func slack(c, length, size float64) float64 {
	if length <= size+1 {
		return 0.5
	}
	return math.Max(0, math.Min(1, (c*length-size/2)/(length-size)))
}

// explains reports whether the motion accounts for most of what differs between two pictures.
func explains(f *flow.Field, a, b *flow.Gray) bool {
	var before, after float64
	mean := func(g *flow.Gray) float64 {
		sum := 0.0
		for _, v := range g.Pix {
			sum += float64(v)
		}
		return sum / float64(len(g.Pix))
	}
	shift := mean(b) - mean(a) // a change of light as a whole is no reason against it
	for y := range f.H {
		for x := range f.W {
			i := y*f.W + x
			before += math.Abs(float64(b.Pix[i]-a.Pix[i]) - shift)
			after += math.Abs(float64(b.At(float32(x)+f.U[i], float32(y)+f.V[i])-a.Pix[i]) - shift)
		}
	}
	n := float64(f.W * f.H)
	return after < 0.55*before || after/n < 6
}

// byPlaces is the motion between pictures of different things: the subject of the first goes to the place and size of the
// second's, or where meets says, and the surroundings follow the less the farther they are.
func byPlaces(r [2]image.Rectangle, k float64, w, h int, meets *affine) *flow.Field {
	f := &flow.Field{W: w, H: h, U: make([]float32, w*h), V: make([]float32, w*h), Sure: make([]float32, w*h)}
	if r[0].Empty() || r[1].Empty() {
		return f
	}
	ax, ay := k*float64(r[0].Min.X+r[0].Max.X)/2, k*float64(r[0].Min.Y+r[0].Max.Y)/2
	bx, by := k*float64(r[1].Min.X+r[1].Max.X)/2, k*float64(r[1].Min.Y+r[1].Max.Y)/2
	grow := math.Sqrt(float64(r[1].Dx()*r[1].Dy()) / float64(r[0].Dx()*r[0].Dy()))
	grow = math.Max(0.6, math.Min(1.7, grow))
	reach := math.Max(0.35*float64(max(w, h)), 1.2*k*float64(max(r[0].Dx(), r[0].Dy())))
	for y := range h {
		for x := range w {
			dx, dy := float64(x)-ax, float64(y)-ay
			share := math.Exp(-(dx*dx + dy*dy) / (reach * reach))
			to := spot{bx + grow*dx, by + grow*dy}
			if meets != nil {
				to = meets.at(spot{float64(x), float64(y)})
			}
			f.U[y*w+x] = float32(share * (to.x - float64(x)))
			f.V[y*w+x] = float32(share * (to.y - float64(y)))
		}
	}
	return f
}

// cell is the distance of the points at which a morph is worked out; between them it is even.
const cell = 8

func (m *morphing) draw(n int, dst *image.NRGBA) error {
	t := float64(n) / float64(max(1, m.frames-1))
	e := 0.25*t + 0.75*smooth(t)
	share := smooth(e)
	if !m.aligned {
		share = smooth((e - 0.2) / 0.6)
	}
	switch n {
	case 0:
		copy(dst.Pix, m.from.Pix)
		return nil
	case m.frames - 1:
		copy(dst.Pix, m.to.Pix)
		return nil
	}
	w, h := dst.Rect.Dx(), dst.Rect.Dy()
	gw, gh := w/cell+2, h/cell+2
	// For each point, where it is in the first picture and where in the last, in pixels of the frame.
	grid := make([][4]float32, gw*gh)
	kx, ky := float64(m.field.W)/float64(w), float64(m.field.H)/float64(h)
	parallelRows(gh, func(gy int) {
		for gx := range gw {
			x, y := float32(float64(gx*cell)*kx), float32(float64(gy*cell)*ky)
			px, py := x, y
			for range 4 {
				u, v := m.field.At(px, py)
				px, py = x-float32(e)*u, y-float32(e)*v
			}
			u, v := m.field.At(px, py)
			grid[gy*gw+gx] = [4]float32{px / float32(kx), py / float32(ky), (px + u) / float32(kx), (py + v) / float32(ky)}
		}
	})
	k := uint32(256 * share)
	parallelRows(h, func(y int) {
		gy, ty := y/cell, float32(y%cell)/cell
		var p, q [4]uint8
		for x := range w {
			gx, tx := x/cell, float32(x%cell)/cell
			a, b := &grid[gy*gw+gx], &grid[gy*gw+gx+1]
			c, d := &grid[(gy+1)*gw+gx], &grid[(gy+1)*gw+gx+1]
			var at [4]float32
			for i := range 4 {
				at[i] = (a[i]*(1-tx)+b[i]*tx)*(1-ty) + (c[i]*(1-tx)+d[i]*tx)*ty
			}
			sample(p[:], m.from, at[0], at[1], w, h)
			sample(q[:], m.to, at[2], at[3], w, h)
			out := dst.Pix[y*dst.Stride+4*x:]
			for i := range 3 {
				out[i] = uint8((uint32(p[i])*(256-k) + uint32(q[i])*k + 128) >> 8)
			}
			out[3] = 255
		}
	})
	return nil
}

func (m *morphing) close() error { return nil }
