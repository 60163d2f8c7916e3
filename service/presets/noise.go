package presets

import "math"

// scramble is a hash of a lattice point.
func scramble(x, y int32, seed uint32) uint32 {
	h := uint32(x)*0x8da6b343 ^ uint32(y)*0xd8163841 ^ seed*0xcb1ab31f
	h ^= h >> 15
	h *= 0x2c1b3c6d
	h ^= h >> 12
	h *= 0x297a2d39
	return h ^ h>>15
}

// chance is a number of 0 to 1 that belongs to a lattice point.
func chance(x, y int, seed uint32) float64 {
	return float64(scramble(int32(x), int32(y), seed)) / (1 << 32)
}

// noise is gradient noise of about -1 to 1 with features one unit wide.
func noise(x, y float64, seed uint32) float64 {
	fx, fy := math.Floor(x), math.Floor(y)
	ix, iy := int32(fx), int32(fy)
	x, y = x-fx, y-fy
	u := x * x * x * (x*(x*6-15) + 10)
	v := y * y * y * (y*(y*6-15) + 10)
	a := slope(ix, iy, seed, x, y)
	b := slope(ix+1, iy, seed, x-1, y)
	c := slope(ix, iy+1, seed, x, y-1)
	d := slope(ix+1, iy+1, seed, x-1, y-1)
	return 1.5 * (a + (b-a)*u + (c-a)*v + (a-b-c+d)*u*v)
}

// slopes are the directions a lattice point may rise in.
var slopes = [16][2]float64{
	{1, 0},
	{0.924, 0.383},
	{0.707, 0.707},
	{0.383, 0.924},
	{0, 1},
	{-0.383, 0.924},
	{-0.707, 0.707},
	{-0.924, 0.383},
	{-1, 0},
	{-0.924, -0.383},
	{-0.707, -0.707},
	{-0.383, -0.924},
	{0, -1},
	{0.383, -0.924},
	{0.707, -0.707},
	{0.924, -0.383},
}

func slope(ix, iy int32, seed uint32, x, y float64) float64 {
	s := &slopes[scramble(ix, iy, seed)>>28]
	return s[0]*x + s[1]*y
}

// fbm sums octaves of noise, each twice as fine and half as strong: about -1 to 1.
func fbm(x, y float64, octaves int, seed uint32) float64 {
	sum, strength := 0.0, 0.5
	for o := range octaves {
		sum += strength * noise(x, y, seed+uint32(o)*101)
		strength /= 2
		// A turn between octaves hides the lattice.
		x, y = 1.6*x-1.2*y+17.3, 1.2*x+1.6*y+9.1
	}
	return sum
}

// ridged is fbm folded at zero: creases for veins, dunes and folds. About 0 to 1, creases near 1.
func ridged(x, y float64, octaves int, seed uint32) float64 {
	sum, strength := 0.0, 0.5
	for o := range octaves {
		r := 1 - math.Abs(noise(x, y, seed+uint32(o)*101))
		sum += strength * r * r
		strength /= 2
		x, y = 1.6*x-1.2*y+17.3, 1.2*x+1.6*y+9.1
	}
	return sum
}
