package render

import (
	"context"
	"image"
	"math"

	"atelier/imaging"
	"atelier/imaging/analysis"
	"atelier/imaging/compose"
	"atelier/imaging/mask"
	"atelier/imaging/segment"
)

// faceOf is the largest face of a picture in its own pixels, and its features; ok is false when there is none.
func faceOf(img *image.NRGBA) (face image.Rectangle, f features, ok bool, err error) {
	l, ok, err := likenessOf(img)
	if err != nil || !ok {
		return face, f, false, err
	}
	k := float64(img.Rect.Dx()) / float64(l.img.Rect.Dx())
	up := func(s spot) spot { return spot{k * s.x, k * s.y} }
	face = image.Rect(int(k*float64(l.face.Min.X)), int(k*float64(l.face.Min.Y)), int(k*float64(l.face.Max.X)), int(k*float64(l.face.Max.Y)))
	return face, features{up(l.at.left), up(l.at.right), up(l.at.mouth)}, true, nil
}

// contours draws the outlines of like on img, in place: thin dark lines where light ends, none in soft shade. width is that
// of a line, px.
func contours(img, like *image.NRGBA, width int, sure float64, ink [3]float64, strength float64) {
	fine, wide := compose.Blur(like, width), compose.Blur(like, 3*width)
	eachPixel(img, func(x, y int, p []uint8) {
		i := like.PixOffset(x, y)
		d := lightOf(wide.Pix[i:]) - lightOf(fine.Pix[i:])
		blend(p, ink, strength*smooth((d-sure)/(0.9*sure)))
	})
}

// cells brings an area to flat tones, in place: lights, base and one shade, as drawn films colour. soft is the picture the
// shade is read from.
func cells(img, soft *image.NRGBA, levels []float64, share float64) {
	eachPixel(img, func(x, y int, p []uint8) {
		l := lightOf(soft.Pix[soft.PixOffset(x, y):])
		low, at := 0.0, levels[0]
		for _, next := range levels[1:] {
			middle := (low + next) / 2
			at += (next - at) * smooth((l-middle)/10+0.5)
			low = next
		}
		gain := 1 + share*((at+12)/(l+12)-1)
		for k := range 3 {
			p[k] = byte255(float64(p[k]) * gain)
		}
	})
}

// asAnime redraws the picture as a drawn film would: flat tones with one shade, bright colours, ink outlines, a face with
// large bright eyes, a small nose and rosy cheeks.
func asAnime(_ context.Context, b *brush) error {
	face, f, faced, err := faceOf(b.img)
	if err != nil {
		return err
	}
	s := f.span()
	if faced && s > 6 {
		for _, e := range []spot{f.left, f.right} {
			magnify(b.img, e.x, e.y, 0.5*s, 0.46*s, 0.62)
		}
		c := f.at(0, 1.35)
		magnify(b.img, c.x, c.y, 1.0*s, 0.8*s, -0.16) // a small chin
	}
	like := imaging.Clone(b.img)
	b.img = paint(paint(paint(b.img, unit(b.img, 6)), unit(b.img, 4)), unit(b.img, 3))
	soft := compose.Blur(b.img, unit(b.img, 3))
	if faced {
		// A face is drawn in one light with one shade.
		wide := compose.Blur(b.img, max(1, face.Dx()/7))
		eachPixel(soft, func(x, y int, p []uint8) {
			if share := 0.85 * smooth((1.05-ovalReach(f.below(spot{float64(x), float64(y)})))/0.25); share > 0 {
				q := wide.Pix[wide.PixOffset(x, y):]
				blend(p, [3]float64{float64(q[0]), float64(q[1]), float64(q[2])}, share)
			}
		})
	}
	cells(b.img, soft, []float64{52, 104, 160, 212, 246}, 0.9)
	tints := [][3]float64{{4, 0, -4}, {9, -2, 0}, {-3, 2, 9}, {7, 5, -6}}
	tint := tints[b.req.Item%len(tints)]
	eachPixel(b.img, func(_, _ int, p []uint8) {
		// Shades are coloured, never black.
		l := lightOf(p) / 255
		for k, c := range [3]float64{58, 48, 96} {
			p[k] = byte255(float64(p[k]) + 0.42*(1-l)*(1-l)*(c-float64(p[k])) + tint[k]*l)
		}
	})
	compose.Grade(b.img, 7, 1, 1.6)
	contours(b.img, paint(like, unit(like, 3)), unit(like, 1.6), 4.5, [3]float64{40, 26, 50}, 0.95)
	if faced && s > 6 {
		for _, e := range []spot{f.left, f.right} {
			// A light in each eye, and blush below.
			oval(e.x-0.07*s, e.y-0.07*s, 0.06*s, 0.075*s, 0).fill(b.img, dot([3]float64{255, 255, 255}, 235))
			oval(e.x+0.06*s, e.y+0.05*s, 0.028*s, 0.03*s, 0).fill(b.img, dot([3]float64{255, 255, 255}, 200))
			for i := range 6 {
				r := 0.27 * s * (1 - 0.12*float64(i))
				oval(e.x, e.y+0.62*s, r, 0.55*r, 0).fill(b.img, dot([3]float64{255, 120, 130}, 20))
			}
		}
	}
	return nil
}

// asFairytale paints the picture as the painted backgrounds of hand-drawn films: lush greens, a wide sky with towers of
// cloud, people in flat colours with fine brown lines, in the light of a time of day, another for each item.
func asFairytale(ctx context.Context, b *brush) error {
	whole, err := analysis.Subject(ctx, b.img, segment.Options{Hard: true})
	if err != nil {
		return err
	}
	like := imaging.Clone(b.img)
	u := unit(b.img, 1)
	figure := paint(paint(b.img, 4*u), 3*u)
	ground := paint(paint(paint(b.img, 11*u), 7*u), 4*u)
	soft := whole.Mask.Feather(float64(2 * u))
	if len(whole.Faces) == 0 {
		// Without people there is nothing to be drawn more finely than the rest.
		soft.Fill(60)
	}
	light := [][3]float64{{1, 1, 1}, {1.1, 1.0, 0.8}, {1.12, 0.92, 0.94}, {0.94, 1.02, 1.1}}[b.req.Item%4]
	n := field{seed: b.v.random.Uint32()}
	w, h := float64(b.img.Rect.Dx()), float64(b.img.Rect.Dy())
	cells(figure, compose.Blur(figure, 3*u), []float64{30, 96, 168, 236}, 0.6)
	sky := skyIn(like)
	eachPixel(b.img, func(x, y int, p []uint8) {
		i := b.img.PixOffset(x, y)
		share := float64(soft.At(x, y)) / 255
		for k := range 3 {
			p[k] = byte255(float64(ground.Pix[i+k]) + share*(float64(figure.Pix[i+k])-float64(ground.Pix[i+k])))
		}
		fx, fy := float64(x)/w, float64(y)/h
		if s := float64(sky.At(x, y)) / 255 * (1 - share); s > 0 {
			// A deep sky, and clouds that rise in round heaps with flat shaded feet.
			t := math.Min(1, fy*1.6)
			blend(p, [3]float64{64 + 120*t, 148 + 66*t, 224 + 14*t}, 0.8*s)
			heap := n.sum(fx*3.2, fy*5.4, 5) + 0.5*n.at(fx*1.4+7, fy*1.1) + 0.05
			body := smooth(heap / 0.16)
			lit := smooth(0.5 + 2.6*(n.sum(fx*3.2, fy*5.4, 5)-n.sum(fx*3.2+0.1, fy*5.4+0.2, 5)))
			blend(p, [3]float64{214 + 40*lit, 222 + 31*lit, 234 + 16*lit}, 0.92*s*body)
		}
		// Greens turn to fresh leaves with strokes of light, shades to blue.
		r, g, bl := float64(p[0]), float64(p[1]), float64(p[2])
		green := smooth((g-math.Max(r*0.94, bl*1.02))/26) * (1 - share)
		stroke := 0.5 + 0.5*n.sum(fx*90, fy*60, 2)
		blend(p, [3]float64{96 + 92*stroke*g/200, 150 + 80*stroke*g/200, 62 + 24*stroke}, 0.6*green)
		l := lightOf(p) / 255
		for k, c := range [3]float64{64, 74, 122} {
			v := float64(p[k]) + 0.38*(1-l)*(1-l)*(c-float64(p[k]))
			p[k] = byte255((v + 9) * light[k] * (1 + 0.03*n.at(float64(x)/2.1, float64(y)/2.1)))
		}
	})
	compose.Grade(b.img, 4, 3, 1.4)
	contours(b.img, paint(like, 3*u), max(1, u), 6, [3]float64{92, 60, 44}, 0.7)
	return nil
}

// asSelfie shows the person as their own phone does: close, from a little above and aslant, through a wide lens that makes
// what is near large, in front of a place that is out of focus.
func asSelfie(ctx context.Context, b *brush) error {
	whole, face, err := b.sitter(ctx)
	if err != nil {
		return err
	}
	long := max(640, min(1536, max(b.img.Rect.Dx(), b.img.Rect.Dy())))
	w, h := long*3/4, long
	figure := seated(segment.Foreground(b.img, whole.Matte), face, w, h, 2.6)
	back, err := b.elsewhere(ctx, w, h)
	if err != nil {
		return err
	}
	back = compose.Blur(back, unit(back, 9))
	compose.Harmonise(figure, compose.Measure(figure, nil), compose.Measure(back, nil), 0.2, nil)
	compose.Settle(back, figure, unit(back, 8), 0.6)
	b.img = back
	if f, at, faced, err := faceOf(b.img); err != nil {
		return err
	} else if faced {
		if h := headIn(b.img, Segmentation{Faces: []image.Rectangle{f}, Matte: compose.Matte(figure), Mask: compose.Matte(figure)}); h.ok {
			smoothSkin(b.img, h.skin, max(2, f.Dx()/34), 0.7)
		}
		c := at.at(0, 0.35)
		magnify(b.img, c.x, c.y, 0.62*float64(w), 0.55*float64(h), 0.2)
	}
	b.req.weathered(b.img, rain, snow, mist, sunrays)
	slant := [4]float64{-7, 8, -4, 6}[b.req.Item%4]
	b.img = turnedFull(b.img, slant)
	compose.Grade(b.img, 5, 3, 1.15)
	fw, fh := float64(w), float64(h)
	eachPixel(b.img, func(x, y int, p []uint8) {
		dx, dy := float64(x)/fw-0.5, float64(y)/fh-0.5
		k := 1.04 - 0.5*(dx*dx+dy*dy)
		for i := range 3 {
			p[i] = byte255(float64(p[i]) * k)
		}
	})
	return nil
}

// elsewhere is a place for a picture of a person: the one the words name, else a lively one, another for each item.
func (b *brush) elsewhere(ctx context.Context, w, h int) (*image.NRGBA, error) {
	if !b.wanted.says() {
		sub := b.wanted
		sub.preset = presetFor([]string{[]string{"beach", "boutique", "forest", "terrace"}[b.req.Item%4]}, nil)
		if sub.preset != nil {
			return sub.preset.Draw(ctx, w, h)
		}
	}
	return b.req.view(ctx, w, h, b.v)
}

// turnedFull turns a picture by degrees and cuts away what would be empty corners.
func turnedFull(img *image.NRGBA, degrees float64) *image.NRGBA {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	// So much closer that the turned frame still covers the picture.
	zoom := math.Abs(cos) + math.Abs(sin)*math.Max(float64(w)/float64(h), float64(h)/float64(w))
	turned := compose.Turn(img, degrees)
	frame := image.Rect(0, 0, int(float64(w)/zoom), int(float64(h)/zoom))
	frame = frame.Add(turned.Rect.Size().Sub(frame.Size()).Div(2))
	return imaging.Resize(compose.Window(turned, frame), w, h)
}

// skyIn is the soft cover of the sky: what is bright, even, not greener or redder than blue, and hangs together with the
// upper edge.
func skyIn(img *image.NRGBA) mask.Plane {
	small := imaging.Fit(img, 240, 240)
	w, h := small.Rect.Dx(), small.Rect.Dy()
	even := compose.Blur(small, 3)
	open := func(x, y int) bool {
		p, q := small.Pix[small.PixOffset(x, y):], even.Pix[even.PixOffset(x, y):]
		l := lightOf(p)
		return l > 88 && int(p[2])+10 >= int(p[0]) && int(p[2])+6 >= int(p[1]) && math.Abs(l-lightOf(q)) < 14
	}
	sky := mask.New(w, h)
	var queue []image.Point
	visit := func(x, y int) {
		if x >= 0 && y >= 0 && x < w && y < h && sky.Pix[y*w+x] == 0 && open(x, y) {
			sky.Pix[y*w+x] = 255
			queue = append(queue, image.Pt(x, y))
		}
	}
	for x := range w {
		visit(x, 0)
	}
	for len(queue) > 0 {
		p := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		visit(p.X-1, p.Y)
		visit(p.X+1, p.Y)
		visit(p.X, p.Y-1)
		visit(p.X, p.Y+1)
	}
	return fitPlane(sky, img.Rect.Dx(), img.Rect.Dy()).Feather(float64(unit(img, 5)))
}

// seated is a cut-out person brought to head and shoulders in a frame of w × h pixels, high faces tall: whoever their
// photo's edge cuts off reaches to the frame's lower edge, so that nobody floats.
func seated(cut *image.NRGBA, face image.Rectangle, w, h int, high float64) *image.NRGBA {
	tall := high * float64(face.Dy())
	top := float64(face.Min.Y) - 0.28*tall
	if bottom := compose.Matte(cut).Bounds().Max.Y; bottom >= cut.Rect.Dy()-2 || float64(bottom) < top+tall {
		// As near as brings the lower edge down to the frame's, no nearer than the face allows.
		if short := top + tall - float64(bottom); short > 0 {
			tall = math.Max(1.45*float64(face.Dy()), math.Min(tall, (float64(bottom)-float64(face.Min.Y))/(1-0.28)))
			top = float64(bottom) - tall
		}
	}
	wide := tall * float64(w) / float64(h)
	cx := float64(face.Min.X+face.Max.X) / 2
	r := image.Rect(int(cx-wide/2), int(top), int(cx+wide/2), int(top+tall))
	return imaging.Resize(compose.Window(cut, r), w, h)
}
