package presets

import "math"

// planks is a floor of boards along v, each of some width and length in metres: a tone of about -1 to 1, and how much of the
// position is a gap between boards. far is the size of a pixel there: detail finer than it fades.
func planks(u, v, width, length, far float64, seed uint32) (tone, gap float64) {
	row := math.Floor(u / width)
	shift := chance(int(row), 7, seed) * length
	board := math.Floor((v + shift) / length)
	fu, fv := u/width-row, (v+shift)/length-board
	k := chance(int(row), int(board), seed+3)
	detail := smooth(0.02, 0.003, far)
	grain := fbm(u*70+k*90, v*2.2+k*40, 3, seed+5) * detail
	broad := fbm(u*14+k*50, v*0.9+k*30, 2, seed+6)
	tone = (k-0.5)*1.1 + grain*0.8 + broad*0.7
	edge := max(0.0025, far*0.8)
	du := min(fu, 1-fu) * width
	dv := min(fv, 1-fv) * length
	gap = smooth(edge*1.6, edge*0.3, min(du, dv)) * smooth(0.03, 0.004, far)
	return tone, gap
}

// oak is long grain along v for a board seen close: a tone of about -1 to 1.
func oak(u, v float64, seed uint32) float64 {
	// Growth rings are planes cut at a shallow angle, bent by slow noise: cathedrals in the grain.
	bend := fbm(u*1.1, v*0.35, 3, seed) * 2.2
	rings := (u*1.6 + bend) * 5
	ring := rings - math.Floor(rings)
	late := smooth(0, 0.75, ring) * smooth(1, 0.86, ring)
	fibre := fbm(u*120, v*3, 3, seed+11)
	pores := smooth(0.25, 0.6, noise(u*210, v*7, seed+17)) * smooth(0.2, 0.8, late)
	return late*0.9 - 0.45 + fibre*0.55 - pores*0.7
}

// marble is the tone of a slab: 1 for the ground, less in clouds and veins.
func marble(u, v float64, seed uint32) float64 {
	u, v = u*0.85+v*0.42, v*0.80-u*0.52
	wx, wy := fbm(u*1.3, v*1.3, 4, seed), fbm(u*1.3+5.2, v*1.3+1.3, 3, seed+1)
	cloud := fbm(u*0.9+wx, v*0.9+wy, 3, seed+2)
	// Veins are lines across the slab bent by slow noise, so that they travel instead of closing into rings; thin ones cross them.
	lines := v*1.15 + 0.75*wx + 0.10*noise(u*6, v*6, seed+3)
	near := lines - math.Floor(lines) - 0.5
	strength := smooth(-0.45, 0.30, wy+0.5*cloud)
	bold := crease(near, 0.016) * strength
	halo := crease(near-0.02, 0.11) * strength
	cross := u*1.7 + v*0.8 + 0.9*wy + 0.08*noise(u*9, v*9, seed+4)
	fine := crease(cross-math.Floor(cross)-0.5, 0.014) * smooth(-0.05, 0.45, wx-0.4*cloud)
	return 1 - clamp(0.15*smooth(0, 0.55, cloud)+0.46*bold+0.22*fine+0.15*halo)
}

// crease is 1 where noise crosses zero and falls to 0 over a width.
func crease(n, width float64) float64 {
	n = math.Abs(n) / width
	return 1 / (1 + n*n)
}

// weave is the height of a plain linen weave at u, v in threads: about -1 to 1.
func weave(u, v float64, seed uint32) float64 {
	u += noise(u*0.05, v*0.4, seed) * 0.35
	v += noise(u*0.4, v*0.05, seed+1) * 0.35
	iu, iv := math.Floor(u), math.Floor(v)
	fu, fv := u-iu-0.5, v-iv-0.5
	// Each thread is as thick as it grew, and passes over and under in turn.
	warp := 0.75 + 0.5*chance(int(iu), int(iv/9), seed+2)
	weft := 0.75 + 0.5*chance(int(iv), int(iu/11), seed+3)
	over := (int(iu)+int(iv))&1 == 0
	a := warp * (1 - 3.2*fu*fu)
	b := weft * (1 - 3.2*fv*fv)
	if over {
		a, b = a*(1-1.2*fv*fv), b*0.55
	} else {
		a, b = a*0.55, b*(1-1.2*fu*fu)
	}
	return max(a, b) - 0.65
}

// plaster is a trowelled wall: a tone of about -1 to 1.
func plaster(u, v float64, seed uint32) float64 {
	wx := fbm(u*0.8, v*0.8, 3, seed)
	return fbm(u*1.4+wx, v*0.9-wx, 4, seed+1)*0.7 + fbm(u*14+wx*3, v*9, 3, seed+2)*0.22 + noise(u*90, v*90, seed+3)*0.06
}
