package render

import (
	"image"
	"image/color"
	"math"
	"slices"
)

// layProps lays small things around the middle of a surface seen from above: what the words name, else leaves, a cup, a
// folded cloth or blossoms in turn. Each throws the same soft shadow as what will lie among them.
func (r Request) layProps(img *image.NRGBA, v variation) {
	list := words(r.text("textDescription"))
	has := func(some ...string) bool {
		return slices.ContainsFunc(list, func(w string) bool { return slices.Contains(some, w) || slices.Contains(some, singular(w)) })
	}
	kinds := []func(*image.NRGBA, float64, float64, float64, variation){}
	if has("leaf", "leave", "leaves", "eucalyptus", "plant", "green", "botanical", "tropical") {
		kinds = append(kinds, sprigAbove)
	}
	if has("coffee", "cup", "tea", "breakfast", "cosy", "cozy") {
		kinds = append(kinds, cupAbove)
	}
	if has("flower", "rose", "blossom", "petal", "spring") {
		kinds = append(kinds, blossomAbove)
	}
	if has("linen", "cloth", "fabric", "silk", "towel") {
		kinds = append(kinds, clothAbove)
	}
	if len(kinds) == 0 {
		kinds = [][]func(*image.NRGBA, float64, float64, float64, variation){
			{sprigAbove, cupAbove}, {clothAbove, sprigAbove}, {blossomAbove, sprigAbove}, {cupAbove, blossomAbove},
		}[r.Item%4]
	}
	w, h := float64(img.Rect.Dx()), float64(img.Rect.Dy())
	u := math.Min(w, h)
	corners := []spot{{0.12, 0.14}, {0.88, 0.86}, {0.9, 0.13}, {0.1, 0.87}}
	if r.Item%2 == 1 {
		corners[0], corners[1], corners[2], corners[3] = corners[2], corners[3], corners[0], corners[1]
	}
	for i, c := range corners[:3] {
		kinds[i%len(kinds)](img, c.x*w, c.y*h, u*(0.13+0.03*v.random.Float64()), v)
	}
}

// below paints the soft shadow of a flat thing.
func below(img *image.NRGBA, shape contour, u float64) {
	for i := range 5 {
		k := u * (0.03 + 0.022*float64(i))
		shape.moved(1, k, k).fill(img, color.NRGBA{20, 16, 14, 26})
	}
}

// sprigAbove is a twig with leaves.
func sprigAbove(img *image.NRGBA, x, y, u float64, v variation) {
	turn := 2 * math.Pi * v.random.Float64()
	sin, cos := math.Sincos(turn)
	at := func(a, b float64) spot { return spot{x + u*(a*cos-b*sin), y + u*(a*sin+b*cos)} }
	stem := through(false, []spot{at(-1.1, 0.1), at(0, -0.08), at(1.1, 0.12)})
	line(0.05*u, 0.03*u, stem...).fill(img, color.NRGBA{112, 98, 66, 255})
	for i := range 7 {
		a := -0.9 + 0.3*float64(i)
		for _, s := range []float64{-1, 1} {
			from, to := at(a, -0.05), at(a+0.34, s*(0.62-0.05*float64(i)))
			middle := at(a+0.05, s*0.36)
			other := at(a+0.4, s*0.24)
			leaf := curved(from, middle, to, other)
			below(img, leaf, 0.5*u)
			lit := 0.86 + 0.3*v.random.Float64()
			leaf.fill(img, dot(color3([3]float64{104, 138, 104}, lit), 255))
			line(0.012*u, 0.006*u, from, to).fill(img, color.NRGBA{182, 200, 170, 150})
		}
	}
}

// cupAbove is a cup of coffee on its saucer.
func cupAbove(img *image.NRGBA, x, y, u float64, v variation) {
	below(img, oval(x, y, u, u, 0), u)
	oval(x, y, u, u, 0).shade(img, func(px, py float64) [3]float64 {
		return color3([3]float64{244, 241, 234}, 1.02-0.1*((px-x)+(py-y))/(2*u))
	})
	oval(x, y, 0.7*u, 0.7*u, 0).fill(img, color.NRGBA{226, 221, 212, 255})
	turn := 2 * math.Pi * v.random.Float64()
	sin, cos := math.Sincos(turn)
	line(0.17*u, 0.15*u, spot{x + 0.5*u*cos, y + 0.5*u*sin}, spot{x + 0.88*u*cos, y + 0.88*u*sin}).fill(img, color.NRGBA{250, 248, 242, 255})
	oval(x, y, 0.6*u, 0.6*u, 0).fill(img, color.NRGBA{250, 248, 243, 255})
	oval(x, y, 0.52*u, 0.52*u, 0).shade(img, func(px, py float64) [3]float64 {
		d := math.Hypot(px-x, py-y) / (0.52 * u)
		return [3]float64{92 + 70*smooth((d-0.75)/0.25), 56 + 52*smooth((d-0.75)/0.25), 34 + 36*smooth((d-0.75)/0.25)}
	})
	oval(x-0.12*u, y-0.14*u, 0.2*u, 0.13*u, -30).fill(img, color.NRGBA{222, 190, 150, 120})
}

// clothAbove is a folded linen cloth.
func clothAbove(img *image.NRGBA, x, y, u float64, v variation) {
	f := field{seed: v.random.Uint32()}
	turn := 0.5 * (v.random.Float64() - 0.5)
	sin, cos := math.Sincos(turn)
	at := func(a, b float64) spot { return spot{x + u*(a*cos-b*sin), y + u*(a*sin+b*cos)} }
	for i, tone := range [][3]float64{{206, 194, 176}, {222, 212, 196}} {
		k := 1.35 - 0.34*float64(i)
		shape := polygon(at(-k, -k*0.9), at(k*0.96, -k), at(k, k*0.92), at(-k*0.98, k))
		below(img, shape, 0.7*u)
		shape.shade(img, func(px, py float64) [3]float64 {
			weave := 1 + 0.03*math.Sin(px*1.7)*math.Sin(py*1.7) + 0.08*f.sum(px/u*1.4, py/u*1.4, 3)
			return color3(tone, weave)
		})
	}
}

// blossomAbove is a bloom with small petals beside it.
func blossomAbove(img *image.NRGBA, x, y, u float64, v variation) {
	tone := [][3]float64{{236, 170, 176}, {248, 236, 226}, {244, 206, 150}, {206, 186, 222}}[v.item%4]
	for ring, n := range []int{8, 7, 5} {
		k := 0.62 - 0.2*float64(ring)
		for i := range n {
			a := 2*math.Pi*float64(i)/float64(n) + 0.4*float64(ring)
			sin, cos := math.Sincos(a)
			petal := oval(x+k*u*cos, y+k*u*sin, 0.4*u-0.07*u*float64(ring), 0.26*u, a*180/math.Pi)
			if ring == 0 {
				below(img, petal, 0.5*u)
			}
			petal.shade(img, func(px, py float64) [3]float64 {
				d := math.Hypot(px-x, py-y) / u
				return color3(tone, 0.78+0.26*d-0.04*float64(ring))
			})
		}
	}
	oval(x, y, 0.16*u, 0.16*u, 0).fill(img, color.NRGBA{222, 176, 82, 255})
	for range 5 {
		px, py := x+u*(2.6*v.random.Float64()-1.3), y+u*(2.6*v.random.Float64()-1.3)
		petal := oval(px, py, 0.2*u, 0.12*u, 360*v.random.Float64())
		below(img, petal, 0.3*u)
		petal.fill(img, dot(tone, 255))
	}
}
