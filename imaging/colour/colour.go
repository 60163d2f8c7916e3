// Package colour says what the values of a picture mean as light: by the ICC profile of its file, by code points of ITU-T H.273, or by the
// exponent and the primaries a PNG names. It reads as Chromium does, which every picture of the studio is also seen by, and judges by numbers:
// the name of a profile counts for nothing. It knows no pixels and no codec, so the browser's half of the studio reads files by it too.
package colour

import "math"

// Model is what the samples of a picture are.
type Model int

// The models of the formats the studio takes.
const (
	RGB Model = iota
	Grey
	Inks // cyan, magenta, yellow and black, 1 for full ink
)

// Signs is what a file says of its colours.
type Signs struct {
	Model      Model
	Profile    []byte         // ICC; nil for none
	CodePoints []byte         // the body of a PNG's cICP; nil for none
	SRGB       bool           // a PNG's sRGB is there
	Gamma      uint32         // a PNG's gAMA: the exponent of the encoder × 100,000; 0 for none
	Primaries  *[4][2]float64 // a PNG's cHRM, xy: white, red, green, blue; nil for none
}

// Space turns values into light.
type Space struct {
	curves [3]Curve      // of red, green and blue
	shared bool          // all three are the same
	matrix [3][3]float64 // of their light to that of sRGB
	table  *table        // takes the place of curves and matrix
	hdr    *brightness   // brings light beyond white into the range of screens
}

// Curve is the light of a value, both 0 to 1.
type Curve func(v float64) float64

// Space is what the signs mean; nil where the values are those of sRGB, or nothing that is said of them can be understood. What counts stands in
// Portable Network Graphics Specification (Third Edition), 4.3: code points before a profile, a profile before sRGB, sRGB before exponents.
func (s Signs) Space() *Space {
	if space, ok := fromCodePoints(s.CodePoints); ok {
		return space.orSRGB()
	}
	if space, ok := readProfile(s.Profile, s.Model); ok {
		return space.orSRGB()
	}
	if s.SRGB || s.Gamma == 0 {
		return nil
	}
	return fromGamma(s.Gamma, s.Primaries).orSRGB()
}

// Foreign reports whether the values mean something else than those of sRGB.
func (s Signs) Foreign() bool { return s.Space() != nil }

// orSRGB is nil for a space that changes nothing.
func (s *Space) orSRGB() *Space {
	if s == nil || s.table == nil && s.hdr == nil && s.likeSRGB() {
		return nil
	}
	return s
}

// Inputs is how many values a colour of the space has: 3, or 4 inks.
func (s *Space) Inputs() int {
	if s.table != nil {
		return len(s.table.grid)
	}
	return 3
}

// Curves gives the curves of red, green and blue, and whether they are one; nil where a table takes their place.
func (s *Space) Curves() (curves *[3]Curve, shared bool) {
	if s.table != nil {
		return nil, false
	}
	return &s.curves, s.shared
}

// Mix turns the light of red, green and blue that Curves give into that of sRGB, which may lie outside 0 to 1.
func (s *Space) Mix(light [3]float32) [3]float32 {
	m := &s.matrix
	mix := func(row *[3]float64) float32 {
		return float32(row[0])*light[0] + float32(row[1])*light[1] + float32(row[2])*light[2]
	}
	if s.hdr != nil {
		light = s.hdr.map3(light)
	}
	return [3]float32{mix(&m[0]), mix(&m[1]), mix(&m[2])}
}

// Light is the light of sRGB that a colour of as many values as Inputs says stands for, which may lie outside 0 to 1.
func (s *Space) Light(values []float64) [3]float64 {
	if s.table != nil {
		return s.table.light(s.table.connect(values))
	}
	var light [3]float32
	for c, curve := range s.curves {
		light[c] = float32(curve(values[c]))
	}
	mixed := s.Mix(light)
	return [3]float64{float64(mixed[0]), float64(mixed[1]), float64(mixed[2])}
}

// Connect is the place of a colour in the connection space of a space with a table, which changes evenly between the points of the table; LightAt is
// the light of sRGB of such a place.
func (s *Space) Connect(values []float64) [3]float64 { return s.table.connect(values) }

// LightAt is the other half of Light.
func (s *Space) LightAt(place [3]float64) [3]float64 { return s.table.light(place) }

// likeSRGB reports whether greys and full colours come out as they are, give or take a step of 255.
func (s *Space) likeSRGB() bool {
	same := func(r, g, b int) bool {
		light := s.Light([]float64{float64(r) / 255, float64(g) / 255, float64(b) / 255})
		for c, v := range []int{r, g, b} {
			if math.Abs(math.Round(255*Encode(light[c]))-float64(v)) > 1 {
				return false
			}
		}
		return true
	}
	for v := range 256 {
		if !same(v, v, v) || !same(v, 0, 0) || !same(0, v, 0) || !same(0, 0, v) {
			return false
		}
	}
	return true
}

// Encode is the value of sRGB of light, 0 to 1 (IEC 61966-2-1).
func Encode(light float64) float64 {
	light = min(max(light, 0), 1)
	if light <= 0.0031308 {
		return 12.92 * light
	}
	return 1.055*math.Pow(light, 1/2.4) - 0.055
}

// parametric is a curve of seven numbers: (av + b)^g + e from d on, cv + f below.
type parametric struct{ g, a, b, c, d, e, f float64 }

var curveSRGB = parametric{g: 2.4, a: 1 / 1.055, b: 0.055 / 1.055, c: 1 / 12.92, d: 0.04045}

// usable reports whether browsers take the curve: none that falls or has no real values.
func (p parametric) usable() bool {
	for _, v := range []float64{p.g, p.a, p.b, p.c, p.d, p.e, p.f} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return p.a >= 0 && p.c >= 0 && p.d >= 0 && p.g >= 0 && p.a*p.d+p.b >= 0
}

func (p parametric) light(v float64) float64 {
	if v < p.d {
		return p.c*v + p.f
	}
	return math.Pow(max(p.a*v+p.b, 0), p.g) + p.e
}

// bounded keeps the light of a curve between 0 and 1.
func bounded(curve Curve) Curve {
	return func(v float64) float64 { return min(max(curve(v), 0), 1) }
}

func spaceOf(curve Curve, matrix [3][3]float64) *Space {
	curve = bounded(curve)
	return &Space{curves: [3]Curve{curve, curve, curve}, shared: true, matrix: matrix}
}

type (
	vector  = [3]float64
	matrix3 = [3][3]float64
)

func product(a, b matrix3) (out matrix3) {
	for i := range 3 {
		for j := range 3 {
			for k := range 3 {
				out[i][j] += a[i][k] * b[k][j]
			}
		}
	}
	return out
}

func times(m matrix3, v vector) (out vector) {
	for i, row := range m {
		out[i] = row[0]*v[0] + row[1]*v[1] + row[2]*v[2]
	}
	return out
}

// inverse is false for a matrix that has none.
func inverse(m matrix3) (out matrix3, ok bool) {
	det := 0.0
	for i := range 3 {
		for j := range 3 {
			a, b := (j+1)%3, (j+2)%3
			c, d := (i+1)%3, (i+2)%3
			out[i][j] = m[a][c]*m[b][d] - m[a][d]*m[b][c]
		}
		det += m[0][i] * out[i][0]
	}
	if math.Abs(det) < 1e-12 || math.IsNaN(det) || math.IsInf(det, 0) {
		return out, false
	}
	for i := range 3 {
		for j := range 3 {
			out[i][j] /= det
		}
	}
	return out, true
}

// fromD50 turns XYZ under D50, which profiles speak, into the linear light of sRGB: the inverse of its primaries, adapted from D65 by
// Bradford's way (IEC 61966-2-1, ICC.1:2022 annex E).
var fromD50 = matrix3{
	{3.1338561, -1.6168667, -0.4906146},
	{-0.9787684, 1.9161415, 0.0334540},
	{0.0719453, -0.2289914, 1.4052427},
}

// whiteD50 is the white of profiles (ICC.1:2022, 7.2.16).
var whiteD50 = vector{0.9642, 1, 0.8249}

// bradford turns XYZ into the cones' answers by which whites are adapted (ICC.1:2022, annex E).
var bradford = matrix3{{0.8951, 0.2664, -0.1614}, {-0.7502, 1.7135, 0.0367}, {0.0389, -0.0685, 1.0296}}

// primariesToD50 turns light of primaries, xy of white, red, green and blue, into XYZ under D50; false for such that span nothing.
func primariesToD50(xy [4][2]float64) (out matrix3, ok bool) {
	xyz := func(p [2]float64) vector { return vector{p[0] / p[1], 1, (1 - p[0] - p[1]) / p[1]} }
	for _, p := range xy {
		if !(p[0] >= 0 && p[0] <= 1 && p[1] >= 0 && p[1] <= 1) {
			return out, false
		}
	}
	var columns matrix3
	for c := range 3 { // Y is what the white makes of it
		p := xy[c+1]
		columns[0][c], columns[1][c], columns[2][c] = p[0], p[1], 1-p[0]-p[1]
	}
	back, ok := inverse(columns)
	if !ok || xy[0][1] == 0 {
		return out, false
	}
	white := xyz(xy[0])
	for c, scale := range times(back, white) {
		for row := range 3 {
			columns[row][c] *= scale
		}
	}
	from, to := times(bradford, white), times(bradford, whiteD50)
	cones, _ := inverse(bradford)
	var scale matrix3
	for i := range 3 {
		if from[i] == 0 {
			return out, false
		}
		scale[i][i] = to[i] / from[i]
	}
	return product(product(cones, product(scale, bradford)), columns), true
}
