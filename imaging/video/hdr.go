package video

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"sync"
)

// transfer is a curve of high dynamic range whose videos are brought to BT.709 when they are read: written as they are, with the tags of BT.709, they
// would come out washed out.
type transfer string

// The transfers, as ffprobe calls them.
const (
	hlg transfer = "arib-std-b67"
	pq  transfer = "smpte2084"
)

func transferOf(name string) transfer {
	if t := transfer(name); t == hlg || t == pq {
		return t
	}
	return ""
}

// Light is counted in parts of white. Both transfers count up to 1,000 cd/m²: HLG by its nominal display (ITU-R BT.2100-2, table 5), PQ by what most are
// mastered for. Chromium shows white at 406 cd/m², twice the 203 of ITU-R BT.2408; measured with greys and colours of both transfers, so that a frame looks
// here as it does on the page that plays the video.
const (
	brightest = 1000.
	white     = 406.
	peak      = brightest / white
)

// Up to knee light stays as it is; beyond, up to peak, it is pressed together: by the logarithm whose end is white, of this width.
const (
	knee  = .5
	width = .2165
)

// pressed is what is left of light so that the brightest is white.
func pressed(light float64) float64 {
	if light <= knee {
		return light
	}
	return min(knee+width*math.Log(1+(min(light, peak)-knee)/width), 1)
}

// light is that of three values 0 to 1 of a transfer, in the primaries of BT.2020.
func (t transfer) light(v [3]float64) (out [3]float64) {
	if t == pq {
		for i := range v {
			out[i] = nits(v[i]) / white
		}
		return out
	}
	// ITU-R BT.2100-2, table 5: the scene's light, then that of a display of 1,000 cd/m².
	const a, b, c, gamma = .17883277, .28466892, .55991073, 1.2
	for i := range v {
		if v[i] <= .5 {
			out[i] = v[i] * v[i] / 3
		} else {
			out[i] = (math.Exp((v[i]-c)/a) + b) / 12
		}
	}
	luminance := .2627*out[0] + .678*out[1] + .0593*out[2]
	scale := peak * math.Pow(luminance, gamma-1)
	for i := range out {
		out[i] *= scale
	}
	return out
}

// nits is the brightness of a value of PQ, cd/m² (ITU-R BT.2100-2, table 4).
func nits(v float64) float64 {
	const m1, m2, c1, c2, c3 = 2610. / 16384, 2523. / 4096 * 128, 3424. / 4096, 2413. / 4096 * 32, 2392. / 4096 * 32
	p := math.Pow(max(v, 0), 1/m2)
	return 10_000 * math.Pow(max(p-c1, 0)/(c2-c3*p), 1/m1)
}

// toBT709 turns light of the primaries of BT.2020 into that of BT.709 (ITU-R BT.2087-0).
var toBT709 = [3][3]float64{{1.6605, -.5876, -.0728}, {-.1246, 1.1329, -.0083}, {-.0182, -.1006, 1.1187}}

// shown is the colour of three values of a transfer as a screen of sRGB shows it, 0 to 1 each.
func (t transfer) shown(v [3]float64) (out [3]float64) {
	light := t.light(v)
	if most := max(light[0], light[1], light[2]); most > knee {
		for i := range light {
			light[i] *= pressed(most) / most // the hue stays
		}
	}
	for i, row := range toBT709 {
		l := min(max(row[0]*light[0]+row[1]*light[1]+row[2]*light[2], 0), 1)
		if l <= .0031308 {
			out[i] = 12.92 * l
		} else {
			out[i] = 1.055*math.Pow(l, 1/2.4) - .055
		}
	}
	return out
}

// table is what shown makes of steps of each value, as a file of ffmpeg's lut3d (Adobe's Cube LUT Specification 1.0).
func (t transfer) table() []byte {
	const steps = 49
	var b bytes.Buffer
	fmt.Fprintf(&b, "LUT_3D_SIZE %d\n", steps)
	at := func(i int) float64 { return float64(i) / (steps - 1) }
	for blue := range steps {
		for green := range steps {
			for red := range steps {
				c := t.shown([3]float64{at(red), at(green), at(blue)})
				fmt.Fprintf(&b, "%.5f %.5f %.5f\n", c[0], c[1], c[2])
			}
		}
	}
	return b.Bytes()
}

var tables = map[transfer]func() []byte{hlg: sync.OnceValue(hlg.table), pq: sync.OnceValue(pq.table)}

// file writes the table where ffmpeg finds it; the caller removes it.
func (t transfer) file() (name string, err error) {
	f, err := os.CreateTemp("", "atelier-*.cube")
	if err != nil {
		return "", fmt.Errorf("write a table of colours: %w", err)
	}
	_, err = f.Write(tables[t]())
	if err = errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(fmt.Errorf("write a table of colours: %w", err), os.Remove(f.Name()))
	}
	return f.Name(), nil
}

// escaped is a text as a value of an option in a graph of filters (ffmpeg-filters, "Notes on filtergraph escaping").
func escaped(text string) string {
	for _, special := range []string{`\':`, `\'[],;`} {
		var b strings.Builder
		for _, r := range text {
			if strings.ContainsRune(special, r) {
				b.WriteByte('\\')
			}
			b.WriteRune(r)
		}
		text = b.String()
	}
	return text
}
