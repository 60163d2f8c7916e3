package render

import (
	"context"
	"errors"
	"image"
	"math"

	"atelier/imaging"
	"atelier/imaging/analysis"
	"atelier/imaging/fill"
	"atelier/imaging/mask"
	"atelier/imaging/segment"
)

// set is a picture taken apart for the camera: the subject before its completed background, so that both can move as
// things near and far do. A picture without a clear subject is one flat piece.
type set struct {
	w, h   int         // of the picture
	frame  image.Point // of the video
	base   float64     // side of the widest view, picture pixels per pixel of the frame
	back   layer
	figure *layer
	area   image.Rectangle // of the figure; the whole picture without one
	face   image.Rectangle // empty when none was found
	filled bool            // the figure leaves too little of the background to be told from it, and is nil
	cut    bool            // the lower edge of the picture cuts the figure off
	ground []float32       // for each row, how near the background is: 0 far, 1 as near as the figure
}

// view is where the camera stands.
type view struct {
	x, y  float64 // middle of the view as a share of the picture's width and height
	zoom  float64 // 1 shows all that the shape of the video allows
	turn  float64 // radians
	aside float64 // how far the camera has stepped to the right around the figure, shares of the view's width
	near  float64 // 0 zooms only; above, the figure comes nearer than its background
	sway  float64 // how far the figure's top leans, shares of its height
	// How far the figure itself has gone, shares of the view's width.
	figureX, figureY float64
	posed            *posed // how the figure is bent; nil leaves it as it stands
}

// detail is how many pixels of a picture stand behind one of the frame in the widest view: some more than one keep slow
// moves free of shimmer.
func detail(frame image.Point) float64 {
	if frame.X*frame.Y > 1920*1088 {
		return 1
	}
	return 1.3
}

// build takes a picture apart for videos of the frame's size. When deep is false it stays one piece.
func (s *studio) build(ctx context.Context, img *image.NRGBA, frame image.Point, deep bool) (*set, error) {
	img = imaging.Flatten(img, 255, 255, 255)
	var found segment.Result
	var err error
	if deep {
		if found, err = analysis.Subject(ctx, small(img, 1280), segment.Options{}); err != nil {
			return nil, err
		}
	}
	if img, err = s.widened(ctx, img, frame, found); err != nil {
		return nil, err
	}
	out := &set{frame: frame}
	// The picture at the size the camera needs it.
	w, h := float64(img.Rect.Dx()), float64(img.Rect.Dy())
	k := detail(frame) * math.Max(float64(frame.X)/w, float64(frame.Y)/h)
	out.w, out.h = int(math.Ceil(k*w)), int(math.Ceil(k*h))
	img = imaging.Resize(img, out.w, out.h)
	out.base = math.Min(float64(out.w)/float64(frame.X), float64(out.h)/float64(frame.Y))
	out.area = img.Rect
	out.back = layer{img: img}
	if !deep {
		return out, nil
	}
	if grown := found.Matte.W == 0 || found.Matte.W*out.h != found.Matte.H*out.w; grown {
		// The picture became wider, or is smaller than it was: where things are has to be found on what is shown.
		if found, err = analysis.Subject(ctx, small(img, 1280), segment.Options{}); err != nil {
			return nil, err
		}
	}
	return out, s.part(ctx, out, img, found)
}

// small is img at most side pixels large.
func small(img *image.NRGBA, side int) *image.NRGBA {
	if max(img.Rect.Dx(), img.Rect.Dy()) <= side {
		return img
	}
	return imaging.Fit(img, side, side)
}

// leastSure is the confidence a subject must be found with to move for itself.
const leastSure = 0.3

// part separates the subject of a set and completes what is behind it.
func (s *studio) part(ctx context.Context, out *set, img *image.NRGBA, found segment.Result) error {
	matte := scaledPlane(found.Matte, out.w, out.h)
	k := float64(out.w) / float64(found.Matte.W)
	if len(found.Faces) > 0 {
		f := found.Faces[0]
		out.face = image.Rect(int(k*float64(f.Min.X)), int(k*float64(f.Min.Y)), int(k*float64(f.Max.X)), int(k*float64(f.Max.Y)))
	}
	share := covered(matte)
	if share < 0.01 || share > 0.72 || found.Confidence < leastSure {
		out.filled = share > 0.72
		return nil
	}
	out.area = bounds(matte)
	out.cut = out.area.Max.Y >= out.h-max(2, out.h/100)
	back, err := s.behind(ctx, img, matte)
	if errors.Is(err, fill.ErrNothingKnown) {
		out.filled = true
		return nil
	}
	if err != nil {
		return err
	}
	out.back.img = back
	out.figure = &layer{img: premultiplied(segment.Foreground(img, matte)), clear: true}
	out.ground = make([]float32, out.h)
	foot := float64(out.area.Max.Y)
	horizon := math.Min(0.6*float64(out.h), foot-0.12*float64(out.h))
	for y := range out.ground {
		out.ground[y] = float32(smooth((float64(y) - horizon) / (foot - horizon)))
	}
	return nil
}

// backSide is the size at which backgrounds are completed; what is seen of them is a rim beside the figure.
const backSide = 640

// behind is img with the subject of matte taken out and its place completed out of the rest.
func (s *studio) behind(ctx context.Context, img *image.NRGBA, matte mask.Plane) (*image.NRGBA, error) {
	less := small(img, backSide)
	hole := scaledPlane(matte, less.Rect.Dx(), less.Rect.Dy())
	for i, v := range hole.Pix {
		if v > 6 {
			hole.Pix[i] = 255
		} else {
			hole.Pix[i] = 0
		}
	}
	// What compression and soft edges leave of the subject around it would show as a rim.
	hole = hole.Grow(math.Max(4, float64(max(hole.W, hole.H))/64))
	done, err := fill.Complete(ctx, less, hole, fill.Options{Seed: s.req.Seed})
	if err != nil {
		return nil, err
	}
	done = imaging.Resize(done, img.Rect.Dx(), img.Rect.Dy())
	cover := scaledPlane(hole.Feather(1.5), img.Rect.Dx(), img.Rect.Dy())
	out := imaging.Clone(img)
	eachPixel(out, func(x, y int, p []uint8) {
		a := uint32(cover.At(x, y))
		if a == 0 {
			return
		}
		q := done.Pix[done.PixOffset(x, y):]
		for k := range 3 {
			p[k] = uint8((uint32(p[k])*(255-a) + uint32(q[k])*a + 127) / 255)
		}
	})
	return out, nil
}

// widest is how much of a picture may be lost above and below, or at the sides, before it is continued instead.
const widest = 1.3

// widened continues a picture at the sides, or above and below, when the video's shape would cut its subject to pieces.
func (s *studio) widened(ctx context.Context, img *image.NRGBA, frame image.Point, found segment.Result) (*image.NRGBA, error) {
	w, h := float64(img.Rect.Dx()), float64(img.Rect.Dy())
	want := float64(frame.X) / float64(frame.Y)
	loss := math.Max(want/(w/h), w/h/want)
	if loss < widest {
		return img, nil
	}
	// All but a small rest of what is missing is added; the rest is lost at the edges.
	grow := math.Min(2.2, loss/1.12) - 1
	if want > w/h {
		return s.grown(ctx, img, margins{left: grow / 2, right: grow / 2}, found)
	}
	// There is more sky than floor to be added.
	return s.grown(ctx, img, margins{top: 0.7 * grow, bottom: 0.3 * grow}, found)
}

// margins are shares of a picture's width and height that are added to it.
type margins struct{ left, right, top, bottom float64 }

// grown continues a picture beyond its edges out of itself, without its subject where one was found.
func (s *studio) grown(ctx context.Context, img *image.NRGBA, m margins, found segment.Result) (*image.NRGBA, error) {
	less := small(img, 900)
	lw, lh := less.Rect.Dx(), less.Rect.Dy()
	left, top := int(m.left*float64(lw)+0.5), int(m.top*float64(lh)+0.5)
	nw, nh := lw+left+int(m.right*float64(lw)+0.5), lh+top+int(m.bottom*float64(lh)+0.5)
	opt := fill.Options{Seed: s.req.Seed}
	if found.Mask.W > 0 && found.Confidence > 0.2 {
		avoid := fitPlane(found.Mask, lw, lh).Grow(float64(max(3, lw/80)))
		if c := covered(avoid); c > 0.005 && c < 0.85 {
			opt.Avoid = &avoid
		}
	}
	done, err := fill.Expand(ctx, less, nw, nh, left, top, opt)
	if errors.Is(err, fill.ErrNothingKnown) {
		return img, nil
	}
	if err != nil {
		return nil, err
	}
	k := float64(img.Rect.Dx()) / float64(lw)
	out := imaging.Resize(done, int(float64(nw)*k+0.5), int(float64(nh)*k+0.5))
	// The given pixels at their own sharpness, going over into what was added.
	at := image.Pt(int(float64(left)*k+0.5), int(float64(top)*k+0.5))
	w, h := img.Rect.Dx(), img.Rect.Dy()
	seam := max(2, max(w, h)/160)
	eachPixel(out, func(x, y int, p []uint8) {
		sx, sy := x-at.X, y-at.Y
		if sx < 0 || sy < 0 || sx >= w || sy >= h {
			return
		}
		edge := seam
		for _, side := range [4]struct {
			margin float64
			far    int
		}{{m.left, sx}, {m.right, w - 1 - sx}, {m.top, sy}, {m.bottom, h - 1 - sy}} {
			if side.margin > 0 {
				edge = min(edge, side.far)
			}
		}
		q := img.Pix[img.PixOffset(sx, sy):]
		for c := range 3 {
			p[c] = uint8((int(p[c])*(seam-edge) + int(q[c])*edge) / seam)
		}
	})
	return out, nil
}

// covered is the share of a plane that is painted.
func covered(p mask.Plane) float64 {
	n := 0
	for _, v := range p.Pix {
		if v >= mask.Level {
			n++
		}
	}
	return float64(n) / float64(max(1, len(p.Pix)))
}

// bounds is the rectangle around what is painted.
func bounds(p mask.Plane) image.Rectangle {
	hard := p.Clone()
	hard.Threshold(mask.Level)
	return hard.Bounds()
}

// scaledPlane is a soft plane at another size, without stairs.
func scaledPlane(p mask.Plane, w, h int) mask.Plane {
	if p.W == w && p.H == h {
		return p.Clone()
	}
	out := mask.New(w, h)
	if p.W == 0 || p.H == 0 {
		return out
	}
	kx, ky := float64(p.W)/float64(w), float64(p.H)/float64(h)
	parallelRows(h, func(y int) {
		fy := math.Max(0, math.Min(float64(p.H-1), (float64(y)+0.5)*ky-0.5))
		y0 := int(fy)
		y1, ty := min(p.H-1, y0+1), fy-float64(y0)
		for x := range w {
			fx := math.Max(0, math.Min(float64(p.W-1), (float64(x)+0.5)*kx-0.5))
			x0 := int(fx)
			x1, tx := min(p.W-1, x0+1), fx-float64(x0)
			top := float64(p.Pix[y0*p.W+x0])*(1-tx) + float64(p.Pix[y0*p.W+x1])*tx
			low := float64(p.Pix[y1*p.W+x0])*(1-tx) + float64(p.Pix[y1*p.W+x1])*tx
			out.Pix[y*w+x] = uint8(top*(1-ty) + low*ty + 0.5)
		}
	})
	return out
}

// focus is the middle of the widest view that shows best what the picture is about: the face with room above it, else
// the subject, as shares of the picture.
func (s *set) focus() (x, y float64) {
	vw, vh := s.base*float64(s.frame.X)/float64(s.w), s.base*float64(s.frame.Y)/float64(s.h)
	cx := float64(s.area.Min.X+s.area.Max.X) / 2 / float64(s.w)
	cy := float64(s.area.Min.Y+s.area.Max.Y) / 2 / float64(s.h)
	if !s.face.Empty() {
		cx = float64(s.face.Min.X+s.face.Max.X) / 2 / float64(s.w)
		if tall := float64(s.area.Dy()) / float64(s.h); tall > vh {
			// Not all of the subject fits: the head stays in.
			cy = float64(s.face.Min.Y)/float64(s.h) - 0.12*vh + vh/2
		}
	}
	return within(cx, vw), within(cy, vh)
}

// headroom is the lowest that the upper edge of a view may lie without cutting the head off, as a share of the height.
func (s *set) headroom() float64 {
	if s.face.Empty() {
		return 1
	}
	return math.Max(0, float64(s.face.Min.Y)-0.55*float64(s.face.Dy())) / float64(s.h)
}

// within keeps the middle of a view of the given size inside.
func within(c, size float64) float64 {
	if size >= 1 {
		return 0.5
	}
	return math.Max(size/2, math.Min(1-size/2, c))
}

// draw shows the set from a view. A view that would look past the picture's edge is moved inside.
func (s *set) draw(dst *image.NRGBA, v view) {
	zoom := math.Max(1, v.zoom)
	scale := s.base / zoom // picture pixels per pixel of the frame
	aside := v.aside * scale * float64(s.frame.X)
	if s.figure == nil {
		aside = 0
	}
	sin, cos := math.Sincos(v.turn)
	// What the view covers at most, with its turn and its step aside.
	vw := scale * (float64(s.frame.X)*math.Abs(cos) + float64(s.frame.Y)*math.Abs(sin))
	vh := scale * (float64(s.frame.Y)*math.Abs(cos) + float64(s.frame.X)*math.Abs(sin))
	if over := math.Max(vw/float64(s.w), vh/float64(s.h)); over > 1 {
		scale, vw, vh = scale/over, vw/over, vh/over
	}
	cx := within(v.x, math.Min(1, (vw+2*math.Abs(aside))/float64(s.w))) * float64(s.w)
	cy := within(v.y, vh/float64(s.h)) * float64(s.h)
	m := lookup{a: scale * cos, b: -scale * sin, d: scale * sin, e: scale * cos}
	m.c = cx - m.a*float64(s.frame.X)/2 - m.b*float64(s.frame.Y)/2
	m.f = cy - m.d*float64(s.frame.X)/2 - m.e*float64(s.frame.Y)/2
	if s.figure == nil {
		s.back.draw(dst, m, 1)
		return
	}
	// The background grows less than the figure, seen from where the figure stands.
	far := math.Pow(zoom, v.near)
	ax, ay := float64(s.area.Min.X+s.area.Max.X)/2, float64(s.area.Max.Y)
	b := lookup{a: m.a * far, b: m.b * far, c: ax + (m.c-ax)*far, d: m.d * far, e: m.e * far, f: ay + (m.f-ay)*far}
	back := s.back
	if aside != 0 {
		back.shift = make([]float32, s.h)
		for y, near := range s.ground {
			back.shift[y] = float32(aside) * (1 - near)
		}
	}
	back.draw(dst, b, 1)
	figure := *s.figure
	if v.sway != 0 {
		figure.shift = make([]float32, s.h)
		high := math.Max(1, float64(s.area.Dy()))
		for y := range figure.shift {
			up := math.Max(0, (ay-float64(y))/high)
			figure.shift[y] = float32(-v.sway * high * up * up)
		}
	}
	if p := v.posed; p != nil {
		figure.shift, figure.gain, figure.centre = p.shift, p.gain, float32(ax)
		m.d, m.e, m.f = m.d/p.tall, m.e/p.tall, ay+(m.f-ay+p.lift)/p.tall
	}
	m.c -= v.figureX * scale * float64(s.frame.X)
	m.f -= v.figureY * scale * float64(s.frame.X)
	figure.draw(dst, m, 1)
}
