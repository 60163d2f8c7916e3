package colour

import "math"

// Light beyond white is brought into the range of screens as Chromium does it for pictures that name no brightness of their own: white is 203
// nits (ITU-R BT.2408), the brightest 1000, and the tone curve is the reference white tone mapping operator of SMPTE ST 2094-50.
const (
	whiteNits   = 203.0
	mostNits    = 1000.0
	mostLight   = mostNits / whiteNits
	kneeLight   = 1.0 // the brightest that is only scaled
	kneeShown   = .5  // what it is shown as
	curveTaut   = .65 // where between knee and corner the curve's middle point lies
	systemGamma = 1.2 // of HLG at 1000 nits (ITU-R BT.2100, table 5)
)

// brightness maps light of primaries, white at 1.
type brightness struct {
	toWide    matrix3 // to the primaries of BT.2020, in which the brightest counts
	luminance vector  // of the primaries, for the system gamma of HLG; zero for PQ
}

func fromHDR(transfer byte, toD50 matrix3) *Space {
	wide, _ := primariesToD50(primariesOf[9])
	back, _ := inverse(wide)
	b := &brightness{toWide: product(back, toD50)}
	s := &Space{shared: true, matrix: product(fromD50, wide), hdr: b}
	curve := Curve(lightPQ)
	if transfer == transferHLG {
		curve = lightHLG
		b.luminance = toD50[1]
	}
	s.curves = [3]Curve{curve, curve, curve}
	return s
}

// lightPQ is the light of a value of PQ in whites (SMPTE ST 2084).
func lightPQ(v float64) float64 {
	const m1, m2, c1, c2, c3 = 2610.0 / 16384, 2523.0 / 32, 3424.0 / 4096, 2413.0 / 128, 2392.0 / 128
	p := math.Pow(min(max(v, 0), 1), 1/m2)
	return 10_000.0 / whiteNits * math.Pow(max(p-c1, 0)/(c2-c3*p), 1/m1)
}

// lightHLG is the light of the scene of a value of HLG, 0 to 1 (ITU-R BT.2100, table 5).
func lightHLG(v float64) float64 {
	const a, b, c = 0.17883277, 0.28466892, 0.55991073
	if v = min(max(v, 0), 1); v <= .5 {
		return v * v / 3
	}
	return (math.Exp((v-c)/a) + b) / 12
}

// map3 gives the light to show, in the primaries of BT.2020.
func (b *brightness) map3(light [3]float32) [3]float32 {
	in := vector{float64(light[0]), float64(light[1]), float64(light[2])}
	if b.luminance != (vector{}) {
		y := b.luminance[0]*in[0] + b.luminance[1]*in[1] + b.luminance[2]*in[2]
		gain := mostLight * math.Pow(max(y, 0), systemGamma-1)
		for c := range in {
			in[c] *= gain
		}
	}
	wide := times(b.toWide, in)
	gain := toneGain(max(wide[0], wide[1], wide[2]))
	return [3]float32{float32(wide[0] * gain), float32(wide[1] * gain), float32(wide[2] * gain)}
}

// toneGain is what light is multiplied by where its brightest part is x: scaled up to the knee, along a curve of second degree to the brightest,
// and as that beyond.
func toneGain(x float64) float64 {
	switch {
	case x <= kneeLight:
		return kneeShown / kneeLight
	case x >= mostLight:
		return 1 / x
	}
	const (
		middleX = (1-curveTaut)*kneeLight + curveTaut*kneeLight/kneeShown
		middleY = (1-curveTaut)*kneeShown + curveTaut
		a       = kneeLight - 2*middleX + mostLight
		b       = 2 * (middleX - kneeLight)
	)
	t := (-b + math.Sqrt(b*b-4*a*(kneeLight-x))) / (2 * a)
	return ((1-t)*(1-t)*kneeShown + 2*t*(1-t)*middleY + t*t) / x
}
