package presets

import "math"

// style is the shapes of the person's haircut. Every outline runs clockwise, so that overlapping ones join.
func (p *portrait) style() hairstyle {
	switch p.cut {
	case cutLong:
		return longHair()
	case cutCoily:
		return coilyHair()
	case cutTextured:
		return texturedHair()
	case cutBob:
		return bobHair()
	case cutBun:
		return bunHair()
	case cutCrop:
		return croppedHair()
	case cutPixie:
		return pixieHair()
	case cutSidePart:
		return sidePartedHair()
	case cutCurls:
		return curlyHair()
	default:
		return sweptHair()
	}
}

// twoSided is an outline on the right, clockwise, and its mirror image.
func twoSided(points ...point) path {
	left := make([]point, len(points))
	for i, q := range points {
		left[len(points)-1-i] = point{-q.x, q.y}
	}
	return append(smoothThrough(points...), smoothThrough(left...)...)
}

// closeCut is hair close to a head: round at the top, down to the temples, and along a hairline whose points run from right to left.
func closeCut(top, side, temple float64, hairline ...point) path {
	outline := []point{{0, top}, {side * 0.54, top + 0.018}, {side * 0.86, top + 0.060}, {side, top + 0.118}, {side * 0.985, temple - 0.03}, {side * 0.955, temple}, {0.1175, temple - 0.006}}
	outline = append(outline, hairline...)
	outline = append(outline, point{-0.1175, temple - 0.006}, point{-side * 0.955, temple}, point{-side * 0.985, temple - 0.03}, point{-side, top + 0.118}, point{-side * 0.86, top + 0.060}, point{-side * 0.54, top + 0.018})
	return smoothThrough(outline...)
}

// locks are tapering tufts of hair from points to points.
func locks(belly float64, ends ...[2]point) path {
	var p path
	for _, e := range ends {
		p = append(p, leaf(e[0], e[1], -belly)...)
	}
	return p
}

func longHair() hairstyle {
	return hairstyle{
		behind: mirrored(point{0, 0.165}, point{0.078, 0.183}, point{0.124, 0.224}, point{0.150, 0.290}, point{0.163, 0.390}, point{0.176, 0.500}, point{0.196, 0.620}, point{0.192, 0.730}, point{0.160, 0.800}, point{0.085, 0.74}, point{0, 0.70}),
		before: twoSided(point{-0.010, 0.166}, point{0.074, 0.182}, point{0.122, 0.224}, point{0.149, 0.290}, point{0.161, 0.390}, point{0.174, 0.500}, point{0.190, 0.600}, point{0.184, 0.700}, point{0.158, 0.745}, point{0.148, 0.650}, point{0.131, 0.545},
			point{0.123, 0.440}, point{0.113, 0.350}, point{0.066, 0.283}, point{0.010, 0.250}, point{-0.004, 0.236}, point{-0.010, 0.200}),
		part: point{0, 0.200}, wave: 1, blur: 0.0016,
	}
}

func coilyHair() hairstyle {
	var halo []point
	for i := range 44 {
		a := float64(i) / 44 * 2 * math.Pi
		r := 1 + 0.022*math.Sin(a*9+1) + 0.016*math.Sin(a*19+2)
		halo = append(halo, point{math.Sin(a) * 0.198 * r, 0.340 - math.Cos(a)*0.196*r})
	}
	// The front is the same halo with the face left open.
	front := append([]point{}, halo[:14]...)
	front = append(front, point{0.140, 0.470}, point{0.121, 0.400}, point{0.114, 0.335}, point{0.080, 0.286}, point{0, 0.270}, point{-0.080, 0.286}, point{-0.114, 0.335}, point{-0.121, 0.400}, point{-0.140, 0.470})
	front = append(front, halo[31:]...)
	return hairstyle{behind: smoothThrough(halo...), before: smoothThrough(front...), part: point{0, 0.30}, coil: 1, blur: 0.0040}
}

func texturedHair() hairstyle {
	top := closeCut(0.163, 0.134, 0.380, point{0.112, 0.318}, point{0.080, 0.284}, point{0.030, 0.272}, point{-0.030, 0.270}, point{-0.082, 0.284}, point{-0.112, 0.318})
	fringe := locks(0.17,
		[2]point{{0.100, 0.215}, {0.106, 0.325}}, [2]point{{0.080, 0.205}, {0.080, 0.318}}, [2]point{{0.066, 0.205}, {0.047, 0.322}}, [2]point{{0.044, 0.205}, {0.024, 0.308}}, [2]point{{0.022, 0.205}, {-0.006, 0.322}},
		[2]point{{0.000, 0.205}, {-0.030, 0.310}}, [2]point{{-0.022, 0.205}, {-0.058, 0.320}}, [2]point{{-0.050, 0.205}, {-0.084, 0.306}}, [2]point{{-0.080, 0.215}, {-0.106, 0.326}})
	return hairstyle{
		behind: closeCut(0.180, 0.130, 0.420, point{0.09, 0.44}, point{0, 0.44}, point{-0.09, 0.44}),
		before: append(top, fringe...), part: point{0.030, 0.178}, wave: 1.1, blur: 0.0010,
	}
}

func bobHair() hairstyle {
	return hairstyle{
		behind: mirrored(point{0, 0.166}, point{0.078, 0.184}, point{0.124, 0.226}, point{0.148, 0.290}, point{0.157, 0.400}, point{0.162, 0.520}, point{0.154, 0.590}, point{0.110, 0.598}, point{0, 0.60}),
		before: mirrored(point{0, 0.167}, point{0.077, 0.185}, point{0.122, 0.226}, point{0.147, 0.290}, point{0.156, 0.400}, point{0.163, 0.520}, point{0.158, 0.588}, point{0.138, 0.598}, point{0.122, 0.584}, point{0.118, 0.510},
			point{0.113, 0.440}, point{0.111, 0.385}, point{0.100, 0.356}, point{0.060, 0.354}, point{0, 0.357}),
		part: point{0, 0.186}, wave: 0.12, blur: 0.0010,
	}
}

func bunHair() hairstyle {
	knot := ellipse(0.010, 0.160, 0.060, 0.052)
	return hairstyle{
		behind: append(knot, closeCut(0.180, 0.133, 0.44, point{0.09, 0.48}, point{0, 0.50}, point{-0.09, 0.48})...),
		before: closeCut(0.178, 0.131, 0.400, point{0.1120, 0.345}, point{0.094, 0.300}, point{0.050, 0.266}, point{-0.030, 0.252}, point{-0.086, 0.290}, point{-0.1120, 0.345}),
		part:   point{-0.035, 0.205}, wave: 0.25, blur: 0.0011,
	}
}

func croppedHair() hairstyle {
	return hairstyle{
		behind: closeCut(0.198, 0.124, 0.410, point{0.08, 0.43}, point{0, 0.43}, point{-0.08, 0.43}),
		before: closeCut(0.196, 0.1225, 0.388, point{0.1125, 0.335}, point{0.1010, 0.300}, point{0.092, 0.280}, point{0.048, 0.268}, point{0, 0.266}, point{-0.048, 0.268}, point{-0.092, 0.280}, point{-0.1010, 0.300}, point{-0.1125, 0.335}),
		part:   point{0, 0.26}, coil: 1, blur: 0.0030,
	}
}

func pixieHair() hairstyle {
	top := smoothThrough(point{0.016, 0.164}, point{0.084, 0.180}, point{0.126, 0.222}, point{0.147, 0.290}, point{0.148, 0.375}, point{0.137, 0.446}, point{0.122, 0.458}, point{0.117, 0.400}, point{0.109, 0.338}, point{0.092, 0.296}, point{0.062, 0.266},
		point{0.016, 0.286}, point{-0.040, 0.314}, point{-0.092, 0.330}, point{-0.116, 0.372}, point{-0.122, 0.440}, point{-0.135, 0.448}, point{-0.149, 0.370}, point{-0.146, 0.290}, point{-0.124, 0.222}, point{-0.070, 0.180})
	sweeps := locks(0.10, [2]point{{0.055, 0.225}, {-0.070, 0.336}}, [2]point{{0.050, 0.220}, {-0.100, 0.352}}, [2]point{{0.055, 0.230}, {-0.030, 0.320}}, [2]point{{0.100, 0.260}, {0.124, 0.380}}, [2]point{{-0.110, 0.270}, {-0.126, 0.462}}, [2]point{{0.125, 0.300}, {0.132, 0.470}})
	return hairstyle{
		behind: mirrored(point{0, 0.170}, point{0.080, 0.188}, point{0.124, 0.230}, point{0.145, 0.295}, point{0.146, 0.390}, point{0.132, 0.470}, point{0.10, 0.53}, point{0, 0.53}),
		before: append(top, sweeps...), part: point{0.064, 0.205}, wave: 0.7, blur: 0.0013,
	}
}

func sidePartedHair() hairstyle {
	top := smoothThrough(point{0.010, 0.154}, point{0.072, 0.170}, point{0.114, 0.212}, point{0.134, 0.280}, point{0.132, 0.360}, point{0.122, 0.404}, point{0.1165, 0.396}, point{0.113, 0.340}, point{0.097, 0.294}, point{0.050, 0.268}, point{-0.006, 0.256}, point{-0.064, 0.260},
		point{-0.099, 0.294}, point{-0.113, 0.340}, point{-0.1165, 0.396}, point{-0.122, 0.404}, point{-0.131, 0.360}, point{-0.132, 0.280}, point{-0.110, 0.216}, point{-0.066, 0.180}, point{-0.030, 0.162})
	return hairstyle{
		behind: closeCut(0.186, 0.130, 0.420, point{0.09, 0.44}, point{0, 0.44}, point{-0.09, 0.44}),
		before: top, part: point{-0.064, 0.212}, wave: 0.6, blur: 0.0012,
	}
}

func curlyHair() hairstyle {
	top := closeCut(0.160, 0.142, 0.400, point{0.112, 0.330}, point{0.084, 0.290}, point{0.030, 0.276}, point{-0.030, 0.276}, point{-0.084, 0.290}, point{-0.112, 0.330})
	// Curls are rounds set along the outline and the forehead.
	d := &dice{seed: 5}
	for i := range 30 {
		a := mix(-1.75, 1.75, float64(i)/29)
		r := d.roll(0.020, 0.030)
		top = append(top, ellipse(math.Sin(a)*0.130, 0.296-math.Cos(a)*0.128, r, r*0.92)...)
	}
	for i := range 9 {
		x := mix(-0.098, 0.098, float64(i)/8)
		r := d.roll(0.016, 0.023)
		top = append(top, ellipse(x, 0.284+0.72*x*x+d.roll(-0.008, 0.012), r, r)...)
	}
	return hairstyle{
		behind: closeCut(0.172, 0.142, 0.430, point{0.09, 0.45}, point{0, 0.45}, point{-0.09, 0.45}),
		before: top, part: point{0, 0.20}, wave: 2.4, coil: 0.6, blur: 0.0018,
	}
}

func sweptHair() hairstyle {
	return hairstyle{
		behind: closeCut(0.184, 0.129, 0.420, point{0.09, 0.44}, point{0, 0.44}, point{-0.09, 0.44}),
		before: closeCut(0.164, 0.130, 0.396, point{0.1125, 0.338}, point{0.101, 0.298}, point{0.086, 0.258}, point{0.040, 0.250}, point{0, 0.258}, point{-0.040, 0.250}, point{-0.086, 0.258}, point{-0.101, 0.298}, point{-0.1125, 0.338}),
		part:   point{0, 0.315}, wave: 0.35, blur: 0.0013,
	}
}
