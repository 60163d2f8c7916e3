package render

import (
	"image"
	"math"

	"atelier/imaging"
)

// lookup takes a pixel of the frame to a place in a picture: x = A·X + B·Y + C, y = D·X + E·Y + F.
type lookup struct{ a, b, c, d, e, f float64 }

// layer is a picture that is drawn into frames at any place and size.
type layer struct {
	img   *image.NRGBA // opaque, or premultiplied when clear
	clear bool         // has transparent parts; nothing is drawn beside it. Otherwise its edge goes on.
	// shift and gain bend the picture row by row: a place at x of row y is looked up at centre + (x − centre)·gain[y] +
	// shift[y]. Both are nil or as long as the picture is high.
	shift, gain []float32
	centre      float32
}

// premultiplied is a cut-out made ready to be drawn as a layer.
func premultiplied(img *image.NRGBA) *image.NRGBA {
	out := imaging.Clone(img)
	eachPixel(out, func(_, _ int, p []uint8) {
		a := uint32(p[3])
		for k := range 3 {
			p[k] = uint8((uint32(p[k])*a + 127) / 255)
		}
	})
	return out
}

// draw lays the layer over dst, which is opaque; alpha scales a clear layer's cover.
func (l *layer) draw(dst *image.NRGBA, m lookup, alpha float64) {
	w, h := l.img.Rect.Dx(), l.img.Rect.Dy()
	strength := uint32(math.Round(256 * math.Max(0, math.Min(1, alpha))))
	bent := l.shift != nil || l.gain != nil
	straight := m.d == 0 // rows of the frame lie on rows of the picture
	parallelRows(dst.Rect.Dy(), func(y int) {
		row := dst.Pix[y*dst.Stride : y*dst.Stride+4*dst.Rect.Dx()]
		u, v := m.b*(float64(y)+0.5)+m.c+0.5*m.a-0.5, m.e*(float64(y)+0.5)+m.f+0.5*m.d-0.5
		from, to := 0, dst.Rect.Dx()
		if straight && !bent && l.clear {
			// Only the part of the row that can touch the picture.
			if v <= -1 || v >= float64(h) {
				return
			}
			if m.a > 0 {
				from, to = max(from, int((-1-u)/m.a)), min(to, int((float64(w)-u)/m.a)+1)
			}
		}
		gain, shift := float32(1), float32(0)
		if bent && straight {
			gain, shift = l.bend(float32(v), h)
		}
		for x := from; x < to; x++ {
			px, py := float32(u+m.a*float64(x)), float32(v+m.d*float64(x))
			if bent {
				if !straight {
					gain, shift = l.bend(py, h)
				}
				px = l.centre + (px-l.centre)*gain + shift
			}
			if l.clear {
				if px <= -1 || py <= -1 || px >= float32(w) || py >= float32(h) {
					continue
				}
				over(row[4*x:4*x+4:4*x+4], l.img, px, py, w, h, strength)
				continue
			}
			sample(row[4*x:4*x+4:4*x+4], l.img, px, py, w, h)
		}
	})
}

// bend is how far a row of the bent picture is drawn apart, and shifted.
func (l *layer) bend(y float32, h int) (gain, shift float32) {
	i := min(h-1, max(0, int(y)))
	j, f := min(h-1, i+1), min(1, max(0, y-float32(i)))
	gain = 1
	if l.gain != nil {
		gain = l.gain[i]*(1-f) + l.gain[j]*f
	}
	if l.shift != nil {
		shift = l.shift[i]*(1-f) + l.shift[j]*f
	}
	return gain, shift
}

// sample writes the colour between pixels, the edge continued outside.
func sample(p []uint8, img *image.NRGBA, x, y float32, w, h int) {
	x, y = min(max(x, 0), float32(w-1)), min(max(y, 0), float32(h-1))
	x0, y0 := int(x), int(y)
	fx, fy := uint32((x-float32(x0))*256), uint32((y-float32(y0))*256)
	right, below := 4, img.Stride
	if x0 == w-1 {
		right = 0
	}
	if y0 == h-1 {
		below = 0
	}
	q := img.Pix[y0*img.Stride+4*x0:]
	a, b, c, d := q[:4:4], q[right:right+4:right+4], q[below:below+4:below+4], q[below+right:below+right+4:below+right+4]
	wa, wb, wc, wd := (256-fx)*(256-fy), fx*(256-fy), (256-fx)*fy, fx*fy
	for k := range 3 {
		p[k] = uint8((uint32(a[k])*wa + uint32(b[k])*wb + uint32(c[k])*wc + uint32(d[k])*wd + 1<<15) >> 16)
	}
	p[3] = 255
}

// over lays the premultiplied colour between pixels over p; outside the picture there is nothing.
func over(p []uint8, img *image.NRGBA, x, y float32, w, h int, strength uint32) {
	fx0, fy0 := float32(math.Floor(float64(x))), float32(math.Floor(float64(y)))
	x0, y0 := int(fx0), int(fy0)
	fx, fy := uint32((x-fx0)*256), uint32((y-fy0)*256)
	var sum [4]uint32
	for j, wy := range [2]uint32{256 - fy, fy} {
		if y0+j < 0 || y0+j >= h || wy == 0 {
			continue
		}
		for i, wx := range [2]uint32{256 - fx, fx} {
			if x0+i < 0 || x0+i >= w || wx == 0 {
				continue
			}
			q := img.Pix[(y0+j)*img.Stride+4*(x0+i):]
			q = q[:4:4]
			if q[3] == 0 {
				continue
			}
			for k := range 4 {
				sum[k] += uint32(q[k]) * wx * wy
			}
		}
	}
	a := (sum[3] >> 16) * strength >> 8
	if a == 0 {
		return
	}
	for k := range 3 {
		p[k] = uint8(min(255, (sum[k]>>16)*strength>>8+(uint32(p[k])*(255-a)+127)/255))
	}
}

// mixFrame moves dst towards img by share, in place.
func mixFrame(dst, img *image.NRGBA, share float64) {
	k := uint32(256 * math.Max(0, math.Min(1, share)))
	parallelRows(dst.Rect.Dy(), func(y int) {
		a, b := dst.Pix[y*dst.Stride:][:4*dst.Rect.Dx()], img.Pix[y*img.Stride:][:4*dst.Rect.Dx()]
		for i := range a {
			a[i] = uint8((uint32(a[i])*(256-k) + uint32(b[i])*k + 128) >> 8)
		}
	})
}
