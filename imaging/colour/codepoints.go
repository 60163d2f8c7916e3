package colour

import "math"

// primariesOf are the primaries of ITU-T H.273, table 2, xy: white, red, green, blue.
var primariesOf = map[byte][4][2]float64{
	1:  {{.3127, .329}, {.64, .33}, {.3, .6}, {.15, .06}},        // BT.709 and sRGB
	4:  {{.31, .316}, {.67, .33}, {.21, .71}, {.14, .08}},        // BT.470 M
	5:  {{.3127, .329}, {.64, .33}, {.29, .6}, {.15, .06}},       // BT.470 B and G
	6:  {{.3127, .329}, {.63, .34}, {.31, .595}, {.155, .07}},    // BT.601
	7:  {{.3127, .329}, {.63, .34}, {.31, .595}, {.155, .07}},    // SMPTE ST 240
	8:  {{.31, .316}, {.681, .319}, {.243, .692}, {.145, .049}},  // film
	9:  {{.3127, .329}, {.708, .292}, {.17, .797}, {.131, .046}}, // BT.2020
	10: {{1.0 / 3, 1.0 / 3}, {1, 0}, {0, 1}, {0, 0}},             // XYZ, SMPTE ST 428
	11: {{.314, .351}, {.68, .32}, {.265, .69}, {.15, .06}},      // DCI P3
	12: {{.3127, .329}, {.68, .32}, {.265, .69}, {.15, .06}},     // Display P3
	22: {{.3127, .329}, {.63, .34}, {.295, .605}, {.155, .077}},  // EBU 3213
}

// curvesOf are the transfer characteristics of ITU-T H.273, table 3, as screens show them: those of cameras by the screen of BT.1886.
var curvesOf = map[byte]parametric{
	1:  {g: 2.4, a: 1},
	4:  {g: 2.2, a: 1},
	5:  {g: 2.8, a: 1},
	6:  {g: 2.4, a: 1},
	7:  {g: 1 / .45, a: 1 / 1.1115, b: .1115 / 1.1115, c: .25, d: .0912}, // SMPTE ST 240
	8:  {g: 1, a: 1},
	11: {g: 2.4, a: 1},
	13: curveSRGB,
	14: {g: 2.4, a: 1},
	15: {g: 2.4, a: 1},
	17: {g: 2.6, a: 1.034080527699}, // SMPTE ST 428: (52.37/48)^(1/2.6)
}

const (
	transferPQ  = 16
	transferHLG = 18
)

// fromCodePoints reads a cICP: primaries, transfer, matrix and range. Only RGB in full range is taken, of primaries and transfers that are
// specified; of all else what the file says besides counts.
func fromCodePoints(body []byte) (s *Space, ok bool) {
	if len(body) != 4 || body[2] != 0 || body[3] != 1 {
		return nil, false
	}
	xy, ok := primariesOf[body[0]]
	if !ok {
		return nil, false
	}
	toD50, ok := primariesToD50(xy)
	if !ok {
		return nil, false
	}
	switch body[1] {
	case transferPQ, transferHLG:
		return fromHDR(body[1], toD50), true
	}
	curve, ok := curvesOf[body[1]]
	if !ok {
		return nil, false
	}
	return spaceOf(curve.light, product(fromD50, toD50)), true
}

// nearSRGB is how far from 1/2.2 an exponent may be, as a part of it, to stand for sRGB where no primaries are named.
const nearSRGB = .05

// fromGamma is what a PNG's gAMA and cHRM say.
func fromGamma(gamma uint32, xy *[4][2]float64) *Space {
	exponent := float64(gamma) / 100_000
	if xy != nil {
		if toD50, ok := primariesToD50(*xy); ok {
			return spaceOf(parametric{g: 1 / exponent, a: 1}.light, product(fromD50, toD50))
		}
	}
	if math.Abs(exponent*2.2-1) < nearSRGB {
		return nil
	}
	return spaceOf(parametric{g: 1 / exponent, a: 1}.light, matrix3{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}})
}
