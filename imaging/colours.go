package imaging

import (
	"image"
	"math"

	"atelier/imaging/colour"
	"atelier/imaging/probe"
)

// converter turns the values of a file whose colours are not those of sRGB.
type converter struct {
	space *colour.Space
	light *[3][]float32 // of red, green and blue, by their values of 8 bits; nil where the space has a table
	grid  *grid
}

// coloursOf is the converter of a file; nil where its values are sRGB.
func coloursOf(data []byte, facts probe.Facts) *converter {
	if !facts.Profiled {
		return nil
	}
	space := probe.Colours(data, facts).Space()
	if space == nil {
		return nil
	}
	c := &converter{space: space}
	if c.light = lights(space, math.MaxUint8); c.light == nil {
		c.grid = newGrid(space)
	}
	return c
}

// lights is the light of each value from 0 to most; nil for a space of a table.
func lights(space *colour.Space, most int) *[3][]float32 {
	curves, shared := space.Curves()
	if curves == nil {
		return nil
	}
	var light [3][]float32
	for c, curve := range curves {
		if c > 0 && shared {
			light[c] = light[0]
			continue
		}
		light[c] = make([]float32, most+1)
		for v := range light[c] {
			light[c][v] = float32(curve(float64(v) / float64(most)))
		}
	}
	return &light
}

// inSRGB is toNRGBA in sRGB; c is nil where the values are that already.
func (c *converter) inSRGB(img image.Image, f probe.Format) *image.NRGBA {
	if c == nil {
		return toNRGBA(img, f)
	}
	if c.direct(img) {
		return c.convert(img)
	}
	out := toNRGBA(img, f)
	c.pixels(out)
	return out
}

// direct reports whether a picture must be converted as its decoder made it: one of 16 bits, whose dark tones 8 bits of another curve cannot hold, or
// of inks that a profile describes.
func (c *converter) direct(img image.Image) bool {
	switch img.(type) {
	case *image.NRGBA64, *image.RGBA64, *image.Gray16:
		return c != nil
	case *image.CMYK:
		return c != nil && c.space.Inputs() == 4
	}
	return false
}

// pixels converts a picture of 8 bits in place.
func (c *converter) pixels(img *image.NRGBA) {
	if c == nil || c.space.Inputs() != 3 {
		return
	}
	bands(img.Rect.Dy(), func(from, to int) {
		var before, after [4]uint8
		for y := from; y < to; y++ {
			row := img.Pix[y*img.Stride:][:4*img.Rect.Dx()]
			for i := 0; i+4 <= len(row); i += 4 {
				pixel := row[i : i+4 : i+4]
				if now := [4]uint8{pixel[0], pixel[1], pixel[2], 1}; now != before {
					before = now
					after[0], after[1], after[2] = c.sRGB(now[0], now[1], now[2])
				}
				copy(pixel[:3], after[:3])
			}
		}
	})
}

// sRGB is the colour of three values, clipped to what sRGB can show.
func (c *converter) sRGB(r, g, b uint8) (outR, outG, outB uint8) {
	if c.grid != nil {
		const whole = math.MaxUint8
		return c.grid.sRGB(float32(r)/whole, float32(g)/whole, float32(b)/whole)
	}
	return encode3(c.space.Mix([3]float32{c.light[0][r], c.light[1][g], c.light[2][b]}))
}

func encode3(light [3]float32) (r, g, b uint8) {
	return encode(light[0]), encode(light[1]), encode(light[2])
}

func encode(light float32) uint8 {
	return encoded[int(min(max(light, 0), 1)*float32(len(encoded)-1)+0.5)]
}

// encoded are the values of sRGB for steps of light from 0 to 1, close enough together that each of the 256 values has its own.
var encoded = func() (table [1 << 14]uint8) {
	for i := range table {
		table[i] = uint8(math.Round(255 * colour.Encode(float64(i)/float64(len(table)-1))))
	}
	return table
}()

// convert converts a picture for which direct is true.
func (c *converter) convert(img image.Image) *image.NRGBA {
	b := img.Bounds()
	out := image.NewNRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
	light := lights(c.space, math.MaxUint16)
	deep := func(dst []uint8, r, g, b uint16) {
		if light == nil {
			const whole = math.MaxUint16
			dst[0], dst[1], dst[2] = c.grid.sRGB(float32(r)/whole, float32(g)/whole, float32(b)/whole)
			return
		}
		dst[0], dst[1], dst[2] = encode3(c.space.Mix([3]float32{light[0][r], light[1][g], light[2][b]}))
	}
	at := func(p []uint8, i int) uint16 { return uint16(p[i])<<8 | uint16(p[i+1]) }
	bands(b.Dy(), func(from, to int) {
		for y := from; y < to; y++ {
			row := out.Pix[y*out.Stride : y*out.Stride+4*b.Dx()]
			for x := 0; x < len(row); x += 4 {
				dst := row[x : x+4 : x+4]
				dst[3] = math.MaxUint8
				switch src := img.(type) {
				case *image.NRGBA64:
					p := src.Pix[y*src.Stride+2*x:][:8]
					deep(dst, at(p, 0), at(p, 2), at(p, 4))
					dst[3] = nearest(p[6:])
				case *image.RGBA64: // decoders use it for opaque pictures only
					p := src.Pix[y*src.Stride+2*x:][:8]
					deep(dst, at(p, 0), at(p, 2), at(p, 4))
				case *image.Gray16:
					v := at(src.Pix, y*src.Stride+x/2)
					deep(dst, v, v, v)
				case *image.CMYK:
					const whole = math.MaxUint8
					p := src.Pix[y*src.Stride+x:][:4]
					dst[0], dst[1], dst[2] = c.grid.sRGB(float32(p[0])/whole, float32(p[1])/whole, float32(p[2])/whole, float32(p[3])/whole)
				}
			}
		}
	})
	return out
}

// grid holds places in the connection space of a space with a table, in even steps of its values, so that a pixel costs no more than to look some of
// them up.
type grid struct {
	space  *colour.Space
	n      int
	inputs int
	points []float32 // three numbers each
}

// How many points a grid has in each direction: those of most profiles lie on them.
const (
	gridOfThree = 33
	gridOfFour  = 17
)

func newGrid(space *colour.Space) *grid {
	g := &grid{space: space, n: gridOfThree, inputs: space.Inputs()}
	if g.inputs == 4 {
		g.n = gridOfFour
	}
	count := 1
	for range g.inputs {
		count *= g.n
	}
	g.points = make([]float32, 3*count)
	bands(count, func(from, to int) {
		in := make([]float64, g.inputs)
		for i := from; i < to; i++ {
			rest := i
			for k := g.inputs - 1; k >= 0; k-- {
				in[k] = float64(rest%g.n) / float64(g.n-1)
				rest /= g.n
			}
			for c, v := range space.Connect(in) {
				g.points[3*i+c] = float32(v)
			}
		}
	})
	return g
}

// sRGB mixes the points around a colour, by how near each is in each direction.
func (g *grid) sRGB(in ...float32) (r, gr, b uint8) {
	var part [4]float32
	var step [4]int
	at, stride := 0, 3
	for k := g.inputs - 1; k >= 0; k-- {
		place := in[k] * float32(g.n-1)
		low := min(int(place), g.n-2)
		part[k], step[k] = place-float32(low), stride
		at += low * stride
		stride *= g.n
	}
	var sum [3]float32
	for corner := range 1 << g.inputs {
		weight, place := float32(1), at
		for k := range g.inputs {
			if corner>>k&1 == 1 {
				weight *= part[k]
				place += step[k]
			} else {
				weight *= 1 - part[k]
			}
		}
		p := g.points[place : place+3 : place+3]
		sum[0] += weight * p[0]
		sum[1] += weight * p[1]
		sum[2] += weight * p[2]
	}
	light := g.space.LightAt([3]float64{float64(sum[0]), float64(sum[1]), float64(sum[2])})
	return encode3([3]float32{float32(light[0]), float32(light[1]), float32(light[2])})
}
