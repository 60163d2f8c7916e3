package presets

import "math"

// rgb is a colour in linear light, 1 being the white of paper. Light sources may exceed it.
type rgb struct{ r, g, b float64 }

// hex is the colour written 0xRRGGBB in sRGB.
func hex(v uint32) rgb {
	return rgb{decode(v >> 16 & 255), decode(v >> 8 & 255), decode(v & 255)}
}

func grey(v float64) rgb { return rgb{v, v, v} }

func (p rgb) add(q rgb) rgb       { return rgb{p.r + q.r, p.g + q.g, p.b + q.b} }
func (p rgb) mul(q rgb) rgb       { return rgb{p.r * q.r, p.g * q.g, p.b * q.b} }
func (p rgb) scale(k float64) rgb { return rgb{p.r * k, p.g * k, p.b * k} }
func (p rgb) luma() float64       { return 0.2126*p.r + 0.7152*p.g + 0.0722*p.b }
func (p rgb) mix(q rgb, t float64) rgb {
	return rgb{p.r + (q.r-p.r)*t, p.g + (q.g-p.g)*t, p.b + (q.b-p.b)*t}
}

// shoulder rolls light above 0.8 off towards white, as film does.
func (p rgb) shoulder() rgb { return rgb{shoulder(p.r), shoulder(p.g), shoulder(p.b)} }

func shoulder(v float64) float64 {
	if v < 0.8 {
		return max(v, 0)
	}
	return 0.8 + 0.2*(1-math.Exp((0.8-v)/0.2))
}

// decode turns an 8-bit sRGB value into linear light.
func decode(v uint32) float64 {
	f := float64(v) / 255
	if f <= 0.04045 {
		return f / 12.92
	}
	return math.Pow((f+0.055)/1.055, 2.4)
}

// encodeSteps is the size of encodeTable, which is read at the square root of the value: close to the curve's own shape, so the
// shadows get as many entries as the lights.
const encodeSteps = 4096

var encodeTable = func() (t [encodeSteps + 1]float32) {
	for i := range t {
		v := float64(i) / encodeSteps
		v *= v
		if v <= 0.0031308 {
			t[i] = float32(v * 12.92)
		} else {
			t[i] = float32(1.055*math.Pow(v, 1/2.4) - 0.055)
		}
	}
	return t
}()

// encode turns linear light of 0 to 1 into sRGB of 0 to 1.
func encode(v float64) float64 {
	return float64(encodeTable[int(math.Sqrt(min(max(v, 0), 1))*encodeSteps+0.5)])
}

// ramp is a gradient through several colours.
type ramp []stop

type stop struct {
	at     float64
	colour rgb
}

// look reads the gradient at t, easing between stops.
func (r ramp) look(t float64) rgb {
	if t <= r[0].at {
		return r[0].colour
	}
	for i := 1; i < len(r); i++ {
		if t < r[i].at {
			return r[i-1].colour.mix(r[i].colour, smooth(r[i-1].at, r[i].at, t))
		}
	}
	return r[len(r)-1].colour
}

// smooth rises from 0 at a to 1 at b without corners. It falls when a is above b.
func smooth(a, b, v float64) float64 {
	t := clamp((v - a) / (b - a))
	return t * t * (3 - 2*t)
}

func clamp(v float64) float64 { return min(max(v, 0), 1) }

func mix(a, b, t float64) float64 { return a + (b-a)*t }

// bump is a bell of width s around 0, cheap enough for every pixel.
func bump(v, s float64) float64 {
	v /= s
	return math.Exp(-v * v)
}
