package fill

import (
	"image"

	"atelier/imaging/mask"
)

// margins are the plain strips along the sides of a picture: the white around a cut-out product, the black bars of a
// film. They go on as what they are, across the whole canvas, and no patch could do that as evenly.
type margins struct {
	left, top, right, bottom margin
}

// margin is one such strip; the zero value is a side without one.
type margin struct {
	deep   int // rows or columns
	colour [3]uint8
	bar    int // rows or columns until the scene begins all along the side, when it begins at once: a bar; otherwise 0
}

const (
	plainStep = 2  // how far the colours of a plain strip may be from one another
	barStep   = 16 // how far what follows a bar is from it
	ringing   = 12 // pixels over which compression may have blurred the edge of a bar
)

// marginsOf measures the strips. A picture of one colour has none, and what is transparent belongs to none.
func marginsOf(p picture) margins {
	at := func(across bool, line, k int) [4]uint8 {
		x, y := k, line
		if across {
			x, y = line, k
		}
		return [4]uint8(p.pix[4*(y*p.w+x):])
	}
	measure := func(across, fromEnd bool) (m margin) {
		lines, length := p.h, p.w
		if across {
			lines, length = p.w, p.h
		}
		line := func(n int) int {
			if fromEnd {
				return lines - 1 - n
			}
			return n
		}
		middle := at(across, line(0), length/2)
		m.colour = [3]uint8(middle[:])
		differ := func(n, step int) (count int) {
			for k := range length {
				if c := at(across, line(n), k); c[3] < mask.Level || apartBy(m.colour, [3]uint8(c[:])) > step {
					count++
				}
			}
			return count
		}
		for m.deep < lines && differ(m.deep, plainStep) == 0 {
			m.deep++
		}
		if m.deep == lines || m.deep < max(3, lines/100) {
			return margin{}
		}
		// Compression leaves a bar a little uneven towards the scene; a thing on a plain ground begins narrow.
		for n := m.deep; n < min(lines, m.deep+max(ringing, lines/6)); n++ {
			d := differ(n, barStep)
			if 10*d > 3*length {
				m.deep, m.bar = n, n+1
				break
			}
			if n >= m.deep+ringing && 50*d > length {
				break
			}
		}
		return m
	}
	return margins{left: measure(true, false), top: measure(false, false), right: measure(true, true), bottom: measure(false, true)}
}

func apartBy(a, b [3]uint8) int {
	most := 0
	for k := range a {
		most = max(most, abs(int(a[k])-int(b[k])))
	}
	return most
}

// extend paints the strips on the canvas, where there are holes. Bars are neither copied nor compared.
func (p *problem) extend() {
	m := marginsOf(p.src)
	w, h := p.src.w, p.src.h
	// A strip reaches beyond the picture on three sides; far is beyond any canvas.
	const far = 4 * maxSide
	sides := []struct {
		margin
		strip func(deep int) image.Rectangle // in source pixels
	}{
		{m.left, func(deep int) image.Rectangle { return image.Rect(-far, -far, deep, far) }},
		{m.top, func(deep int) image.Rectangle { return image.Rect(-far, -far, far, deep) }},
		{m.right, func(deep int) image.Rectangle { return image.Rect(w-deep, -far, far, far) }},
		{m.bottom, func(deep int) image.Rectangle { return image.Rect(-far, h-deep, far, far) }},
	}
	canvas := image.Rect(0, 0, p.dst.w, p.dst.h)
	place := image.Pt(p.left, p.top)
	for _, s := range sides {
		if s.deep == 0 {
			continue
		}
		eachPixel(s.strip(s.deep).Add(place).Intersect(canvas), func(x, y int) {
			if i := y*p.dst.w + x; p.state[i] == hole {
				p.state[i] = known
				copy(p.dst.pix[4*i:4*i+3], s.colour[:])
				p.dst.pix[4*i+3] = 255
			}
		})
		if s.bar == 0 {
			continue
		}
		bar := s.strip(s.bar)
		eachPixel(bar.Intersect(image.Rect(0, 0, w, h)), func(x, y int) { p.use[y*w+x] = shut })
		eachPixel(bar.Add(place).Intersect(canvas), func(x, y int) {
			if i := y*p.dst.w + x; p.state[i] != hole {
				p.state[i] = mute
			}
		})
	}
}

func eachPixel(r image.Rectangle, do func(x, y int)) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			do(x, y)
		}
	}
}
