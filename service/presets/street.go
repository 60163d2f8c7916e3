package presets

import "math"

// Measures of the street by day, in metres from a camera that stands on its asphalt: as low as photographs of whole people are
// taken from, so that who is set into it has the size of its doors.
const (
	streetEye    = 0.80 // of the camera above the asphalt
	streetStep   = 0.13 // of the pavements above it
	streetEnd    = 90.0
	streetGround = 3.9  // how high a ground floor is
	streetStorey = 3.15 // and each one above it
)

// house is one of a row along a street: where it begins and ends, how high it is and what it is made of.
type house struct {
	from, to, high float64
	paint, trim    rgb
	wood           rgb
	bays           int
	door           int // the bay that has it
	shop, shutters bool
	seed           uint32
}

// row is a row of houses from behind the camera to the end of the street.
func row(d *dice) (out []house) {
	for z := -7.0 + d.roll(0, 5); z < streetEnd; {
		wide := d.roll(8, 13.5)
		bays := int(wide/2.7 + 0.5)
		h := house{
			from: z, to: z + wide, bays: bays, seed: uint32(d.roll(0, 1e6)),
			high:  streetGround + streetStorey*math.Floor(d.roll(2, 4.6)) + 0.7,
			paint: d.pick(hex(0xe6d8bd), hex(0xd9b98a), hex(0xb5674c), hex(0xd8d4cb), hex(0xc9a08c), hex(0xbfc4bd), hex(0xe3c9a6)),
			trim:  d.pick(hex(0xf0ebe0), hex(0xe6dfd2)),
			wood:  d.pick(hex(0x2c4438), hex(0x3d2a20), hex(0x2d3a52), hex(0x6d2a26), hex(0x55585a)),
			door:  int(d.roll(0, float64(bays))), shop: d.roll(0, 1) < 0.6, shutters: d.roll(0, 1) < 0.4,
		}
		out = append(out, h)
		z = h.to
	}
	return out
}

// at is the house at a distance along the street.
func at(row []house, z float64) (house, bool) {
	for _, h := range row {
		if z >= h.from && z < h.to {
			return h, true
		}
	}
	return house{}, false
}

// drawStreet is a quiet street of town houses with shops, the sun on one side of it.
func drawStreet(c *canvas) {
	const left, kerb, far, right = 3.5, 1.75, 3.5, 5.3 // the house front and kerb on the left, the kerb and house front on the right
	cam := camera{horizon: 0.58, zoom: 1.2}
	d := &dice{seed: c.seed}
	shaded, lit := row(d), row(d)
	sun, sky, bounce := rgb{0.98, 0.86, 0.68}, rgb{0.37, 0.41, 0.48}, rgb{0.17, 0.13, 0.09}
	heaven := ramp{{0, hex(0x6f9fd0)}, {0.34, hex(0xaac8e2)}, {cam.horizon, hex(0xe6ebe8)}}
	haze := func(col rgb, z float64) rgb { return col.mix(hex(0xd5dde0), 0.7*(1-math.Exp(-z/120))) }
	// The houses on the left keep the sun from the near side of the street. Far from their roofs the edge of their shadow is soft.
	sunny := func(x, z float64) float64 {
		sum := 0.0
		for _, off := range [...]float64{-0.3, 0, 0.3} {
			high := 0.0
			if h, ok := at(shaded, z-0.6*(x+left)+off); ok {
				high = h.high
			}
			edge := -left + 0.145*high
			sum += smooth(edge-0.12, edge+0.12, x)
		}
		return sum / 3
	}
	ground := func(x, y float64) (rgb, bool) {
		ray := cam.ray(x, y)
		if ray.y >= -1e-4 {
			return rgb{}, false
		}
		p := vec{}.along(ray, -streetEye/ray.y)
		road := p.x > -kerb && p.x < far
		if !road {
			p = vec{}.along(ray, -(streetEye-streetStep)/ray.y)
		}
		if p.z > streetEnd || p.x < -left || p.x > right {
			return rgb{}, false
		}
		grain := p.z / cam.zoom / float64(c.h) // metres a pixel is wide
		deep := grain * p.z / streetEye        // and long
		bright := sunny(p.x, p.z)
		light := sky.add(bounce.scale(0.4)).add(sun.scale(0.86 * bright))
		var col rgb
		switch kerbside := min(math.Abs(p.x+kerb), math.Abs(p.x-far)); {
		case road:
			tone := 0.16*fbm(p.x*1.1, p.z*0.5, 4, c.seed+1) + 0.10*noise(p.x*9, p.z*9, c.seed+2)*smooth(0.08, 0.02, deep)
			stone := chance(int(math.Floor(p.x*130)), int(math.Floor(p.z*130)), c.seed+3) - 0.5 + 0.8*noise(p.x*60, p.z*60, c.seed+4)
			tone += 0.30 * stone * smooth(0.016, 0.003, grain) * smooth(0.05, 0.008, deep)
			col = hex(0x777777).scale(1 + tone)
			col = col.scale(1 - 0.34*smooth(0.34, 0.05, kerbside))
		case kerbside < 0.24:
			joint := joints(p.z, 1.1, 0.012, deep)
			col = hex(0xb7b2a8).scale((1 + 0.10*fbm(p.x*14, p.z*14, 3, c.seed+5)) * (1 - 0.4*joint) * (1 - 0.12*bump(kerbside-0.24, 0.02)))
		default:
			slabs := math.Floor(p.x / 0.6)
			v := p.z + 0.45*math.Mod(slabs, 2)
			shade := 0.16 * (chance(int(slabs), int(math.Floor(v/0.9)), c.seed+6) - 0.5) * smooth(1.2, 0.3, deep)
			gap := max(joints(p.x, 0.6, 0.010, grain), joints(v, 0.9, 0.010, deep))
			col = hex(0xa59f95).scale((1 + shade + 0.10*fbm(p.x*6, p.z*6, 4, c.seed+7)) * (1 - 0.38*gap))
			col = col.scale(1 - 0.35*smooth(0.5, 0, min(p.x+left, right-p.x)))
		}
		return haze(col.mul(light), p.z), true
	}
	c.fill(func(x, y float64) rgb {
		if col, ok := ground(x, y); ok {
			return col
		}
		ray := cam.ray(x, y)
		if ray.x == 0 {
			ray.x = 1e-9
		}
		wall, step, side, houses, light := left, kerb, -1.0, shaded, sky.scale(0.80).add(bounce.scale(0.9))
		if ray.x > 0 {
			wall, step, side, houses, light = right, far, 1, lit, sky.scale(0.95).add(sun.scale(0.70))
		}
		if p := (vec{}).along(ray, side*step/ray.x); ray.y < 0 && p.y <= -streetEye+streetStep && p.y >= -streetEye && p.z < streetEnd {
			return haze(hex(0xa09b92).mul(sky.add(sun.scale(0.25*sunny(p.x, p.z)))), p.z)
		}
		p := (vec{}).along(ray, side*wall/ray.x)
		up := p.y + streetEye - streetStep
		if h, ok := at(houses, p.z); ok && p.z < streetEnd && up < h.high && up > -0.1 {
			grain := p.z / cam.zoom / float64(c.h)
			return haze(h.front(p.z-h.from, up, grain*max(1, p.z/wall), grain, side > 0).mul(light), p.z)
		}
		col := heaven.look(y)
		cloud := smooth(0.05, 0.5, fbm(x*1.9+2, y*5, 5, c.seed+8)) * smooth(cam.horizon, 0.2, y)
		col = col.mix(hex(0xfbfaf7), 0.75*cloud)
		// Trees of a square close the street.
		crown := cam.horizon - 0.055 - 0.02*fbm(x*22, 3, 4, c.seed+9)
		leaf := hex(0x43583a).mix(hex(0x8b9a63), smooth(-0.4, 0.5, fbm(x*60, y*80, 3, c.seed+10)))
		return col.mix(haze(leaf, 55), smooth(crown-0.004, crown+0.004, y))
	})
	c.soften()
	for _, p := range [...]vec{{-kerb - 0.35, streetStep, 26}, {far + 0.4, streetStep, 19}, {-kerb - 0.35, streetStep, 11}} {
		c.lamppost(cam, p, haze)
	}
	c.lens = lens{vignette: 0.12, grain: 2.4, glow: 0.10}
}

// lamppost is an iron lamp whose foot stands at a place, in metres above the asphalt.
func (c *canvas) lamppost(cam camera, foot vec, haze func(rgb, float64) rgb) {
	at := func(x, y float64) point { return cam.see(vec{foot.x + x, foot.y + y - streetEye, foot.z}) }
	k := cam.zoom / foot.z
	iron := haze(hex(0x26292b), foot.z)
	post := append(stroke(0.16*k, 0.13*k, at(0, 0), at(0, 0.4), at(0, 0.8)), stroke(0.10*k, 0.07*k, at(0, 0.7), at(0, 2), at(0, 3.5))...)
	c.paint(c.mask(append(post, stroke(0.34*k, 0.30*k, at(0, 4.14), at(0, 4.17), at(0, 4.2))...), 0.0006), iron, 1)
	glass := polygon(at(-0.13, 3.5), at(0.13, 3.5), at(0.21, 4.1), at(-0.21, 4.1))
	c.paint(c.mask(glass, 0.0006), haze(hex(0xd9d6c6), foot.z), 0.85)
	c.paint(c.mask(polygon(at(-0.23, 4.15), at(0.23, 4.15), at(0, 4.45)), 0.0006), iron, 1)
}

// joints is how much a place belongs to the gaps between stones of some length, for pixels as large as grain.
func joints(v, long, wide, grain float64) float64 {
	f := v/long - math.Floor(v/long)
	return smooth(wide+grain, 0.3*wide, min(f, 1-f)*long) * wide / (wide + 0.7*grain)
}

// front is the colour of a house's front u metres along it and v above the pavement, where a pixel is du long and dv high.
func (h house) front(u, v, du, dv float64, sunlit bool) rgb {
	wide := (h.to - h.from) / float64(h.bays)
	bay := min(int(u/wide), h.bays-1)
	x := u - (float64(bay)+0.5)*wide // from the middle of the bay
	col := h.paint.scale(1 + 0.10*fbm(u*0.9, v*0.6, 4, h.seed) - 0.10*smooth(1.4, 0, v) + 0.04*noise(u*14, v*14, h.seed+1)*smooth(0.08, 0.02, du))
	course := func(y, high float64) {
		col = col.mix(h.trim, box(y, y+high, 0.04+dv, v))
		col = col.scale(1 - 0.32*box(y-0.16, y, 0.10+dv, v))
	}
	pane := func(half, sill, top float64, columns, rows int, storey int) {
		in := box(-half, half, 0.03+du, x) * box(sill, top, 0.03+dv, v)
		if in == 0 {
			return
		}
		k := chance(bay, storey, h.seed+2)
		t := (v - sill) / (top - sill)
		glass := hex(0x1d262e).mix(hex(0x8fa5b8), 0.08+0.5*smooth(0.1, 1, t)*k)
		curtain := box(0.15, 0.85, 0.25, math.Abs(x)/half) * smooth(0.35, 0.75, k)
		glass = glass.mix(hex(0xcfc8ba), 0.6*curtain)
		bars := panes((x+half)/(2*half), t, columns, rows, 0.045, (0.02+du)/(2*half))
		hole := hex(0xe8e2d6).mix(h.wood, 0.25).mix(glass, bars)
		shade := box(top-0.22, top+1, 0.12+dv, v)
		if sunlit {
			shade = max(shade, box(-half-1, -half+0.14, 0.08+du, x))
		}
		col = col.mix(hole.scale(1-0.5*shade), in)
	}
	if v < streetGround {
		stone := h.paint.mix(hex(0xa29a8e), 0.6).scale(1 - 0.25*joints(v, 0.62, 0.03, dv))
		col = stone.scale(1 + 0.08*fbm(u*2, v*2, 3, h.seed+3) - 0.22*smooth(0.5, 0, v))
		switch {
		case bay == h.door:
			in := box(-0.78, 0.78, 0.03+du, x) * smooth(3.22+dv, 3.2-dv, v)
			col = col.mix(h.trim.scale(0.9), in)
			leaf := box(-0.6, 0.6, 0.03+du, x) * smooth(2.45+dv, 2.4-dv, v)
			panel := box(0.10, 0.50, 0.04+du, math.Abs(x)) * max(box(0.2, 1.0, 0.04+dv, v), box(1.15, 2.25, 0.04+dv, v))
			col = col.mix(h.wood.scale(0.75+0.45*panel), leaf)
			pane(0.6, 2.5, 3.05, 3, 1, -1)
		case h.shop:
			in := box(-0.46*wide, 0.46*wide, 0.03+du, x) * smooth(3.55+dv, 3.5-dv, v)
			col = col.mix(h.wood.scale(0.9-0.2*joints(v, 0.9, 0.04, dv)), in)
			col = col.mix(h.trim, 0.75*box(-0.28*wide, 0.28*wide, 0.05+du, x)*box(3.10, 3.28, 0.03+dv, v)*smooth(-0.2, 0.2, noise(u*7, 1, h.seed+4)))
			pane(0.41*wide, 0.55, 2.85, 2, 1, -2)
			// What lies in the window, and the lamps above it.
			inside := box(-0.38*wide, 0.38*wide, 0.05+du, x)
			col = col.add(rgb{0.55, 0.38, 0.20}.scale(0.35 * inside * box(1.7, 2.6, 0.5, v)))
			col = col.mix(hex(0xb58f74), 0.5*inside*box(0.6, 1.25, 0.1, v)*smooth(0, 0.3, noise(u*3.4, v*2.6, h.seed+5)))
		default:
			pane(0.62, 0.95, 2.9, 2, 2, -3)
		}
		course(streetGround-0.25, 0.25)
		return col
	}
	storey := int((v - streetGround) / streetStorey)
	foot := streetGround + float64(storey)*streetStorey
	if top := h.high - 0.7; v > top {
		course(h.high-0.5, 0.5)
		return col.scale(1 - 0.25*joints(u, 0.5, 0.10, du)*box(h.high-0.42, h.high-0.25, 0.04+dv, v))
	}
	const half, sill, high = 0.58, 0.62, 2.55
	col = col.mix(h.trim, box(-half-0.16, half+0.16, 0.03+du, x)*box(foot+sill-0.14, foot+high+0.18, 0.03+dv, v))
	if h.shutters {
		leaf := box(half+0.02, half+0.60, 0.03+du, math.Abs(x)) * box(foot+sill, foot+high, 0.03+dv, v)
		col = col.mix(h.wood.mix(h.paint, 0.2).scale(1-0.3*joints(v, 0.11, 0.05, dv)), leaf)
	}
	pane(half, foot+sill, foot+high, 2, 3, storey)
	col = col.scale(1 - 0.30*box(-half-0.2, half+0.2, 0.05+du, x)*box(foot+sill-0.34, foot+sill-0.14, 0.08+dv, v))
	if storey == 0 {
		// Railings before the windows of the first floor.
		rail := box(-half-0.2, half+0.2, 0.02+du, x) * box(foot+sill-0.05, foot+sill+0.75, 0.03+dv, v)
		iron := max(joints(x, 0.13, 0.03, du), box(foot+sill+0.69, foot+sill+0.75, 0.02+dv, v))
		col = col.mix(hex(0x1c1d20), 0.85*rail*iron)
	}
	course(foot+streetStorey-0.14, 0.14)
	return col
}
