package imaging

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"image"
	"io"
	"maps"
	"math"
	"slices"

	"atelier/imaging/probe"
)

// maxProfile is the most bytes of an embedded colour profile that are read; those that cameras and editors write have some thousand.
const maxProfile = 1 << 20

// toSRGB turns the colours of a picture, in place, from those of the profile in its file into sRGB. Profiles of three primaries
// and their curves are understood, among them Display P3, Adobe RGB and ProPhoto; tables, greys and print colours are not, and a
// picture with one of these stays as it is, as does one whose profile is sRGB under any name.
func toSRGB(img *image.NRGBA, data []byte, facts probe.Facts) {
	if !facts.Profiled {
		return
	}
	p, ok := readProfile(embeddedProfile(data, facts.Format))
	if !ok || p.likeSRGB() {
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
					after[0], after[1], after[2] = p.sRGB(now[0], now[1], now[2])
				}
				copy(pixel[:3], after[:3])
			}
		}
	})
}

// embeddedProfile finds the colour profile in a file; nil when there is none that can be read.
func embeddedProfile(data []byte, f probe.Format) []byte {
	switch f {
	case probe.JPEG:
		return jpegProfile(data)
	case probe.PNG:
		for at := 8; at+12 <= len(data); {
			size := int64(binary.BigEndian.Uint32(data[at:]))
			if size > int64(len(data)-at-12) {
				return nil
			}
			switch body := data[at+8:][:size]; string(data[at+4 : at+8]) {
			case "iCCP":
				return inflateProfile(body)
			case "IDAT":
				return nil
			}
			at += 12 + int(size)
		}
	case probe.WebP:
		for at := 12; at+8 <= len(data); {
			size := int64(binary.LittleEndian.Uint32(data[at+4:]))
			if size > int64(len(data)-at-8) {
				return nil
			}
			if string(data[at:at+4]) == "ICCP" && size <= maxProfile {
				return data[at+8:][:size]
			}
			at += 8 + int(size+size&1)
		}
	}
	return nil
}

// jpegProfile joins the pieces of a profile that a JPEG carries before its pixels (ICC.1:2022, annex B.4).
func jpegProfile(data []byte) []byte {
	const head = "ICC_PROFILE\x00"
	pieces := map[int][]byte{}
	total := 0
	probe.Segments(data, func(marker byte, body []byte) {
		if marker == 0xe2 && len(body) > len(head)+2 && string(body[:len(head)]) == head {
			pieces[int(body[len(head)])] = body[len(head)+2:]
			total += len(body)
		}
	})
	if total > maxProfile {
		return nil
	}
	var whole []byte
	for i, n := range slices.Sorted(maps.Keys(pieces)) {
		if n != i+1 {
			return nil // one is missing
		}
		whole = append(whole, pieces[n]...)
	}
	return whole
}

// inflateProfile unpacks the body of a PNG's iCCP: a name, 0, the way it is packed, 0, and the profile.
func inflateProfile(body []byte) []byte {
	name := bytes.IndexByte(body, 0)
	if name < 0 || name+2 > len(body) || body[name+1] != 0 {
		return nil
	}
	r, err := zlib.NewReader(bytes.NewReader(body[name+2:]))
	if err != nil {
		return nil
	}
	whole, err := io.ReadAll(io.LimitReader(r, maxProfile+1))
	if err != nil || len(whole) > maxProfile {
		return nil
	}
	return whole
}

// profile is what a file says of its colours: what its values 0 to 255 mean as light, and how much red, green and blue of sRGB
// one light of each primary is.
type profile struct {
	light  [3][256]float32
	matrix [3][3]float32
}

// fromXYZ turns XYZ under D50, which profiles speak, into the linear light of sRGB: the inverse of its primaries, adapted from D65 by
// Bradford's way (IEC 61966-2-1, ICC.1:2022 annex E).
var fromXYZ = [3][3]float64{
	{3.1338561, -1.6168667, -0.4906146},
	{-0.9787684, 1.9161415, 0.0334540},
	{0.0719453, -0.2289914, 1.4052427},
}

// readProfile reads an ICC profile of three primaries and their curves; ok is false for any other (ICC.1:2022, 7.2, 8.3.3).
func readProfile(data []byte) (p profile, ok bool) {
	const head = 128
	if len(data) < head+4 || string(data[16:20]) != "RGB " || string(data[20:24]) != "XYZ " || string(data[36:40]) != "acsp" {
		return p, false
	}
	tags := map[string][]byte{}
	count := min(int(binary.BigEndian.Uint32(data[head:])), (len(data)-head-4)/12)
	for i := range max(count, 0) {
		entry := data[head+4+12*i:][:12]
		from, size := int64(binary.BigEndian.Uint32(entry[4:])), int64(binary.BigEndian.Uint32(entry[8:]))
		if from+size <= int64(len(data)) {
			tags[string(entry[:4])] = data[from : from+size]
		}
	}
	if tags["A2B0"] != nil || tags["A2B1"] != nil {
		return p, false // its tables say more than its primaries
	}
	for c, name := range []string{"r", "g", "b"} {
		xyz := tags[name+"XYZ"]
		if len(xyz) < 20 || string(xyz[:4]) != "XYZ " {
			return p, false
		}
		for row := range 3 {
			sum := 0.0
			for k := range 3 {
				sum += fromXYZ[row][k] * fixed16(xyz[8+4*k:])
			}
			p.matrix[row][c] = float32(sum)
		}
		curve, ok := readCurve(tags[name+"TRC"])
		if !ok {
			return p, false
		}
		for v := range p.light[c] {
			p.light[c][v] = float32(min(max(curve(float64(v)/255), 0), 1))
		}
	}
	return p, true
}

func fixed16(b []byte) float64 { return float64(int32(binary.BigEndian.Uint32(b))) / (1 << 16) }

// readCurve reads a curve of a profile: values 0 to 1 to light 0 to 1 (ICC.1:2022, 10.6 and 10.18).
func readCurve(tag []byte) (curve func(float64) float64, ok bool) {
	if len(tag) < 12 {
		return nil, false
	}
	switch string(tag[:4]) {
	case "curv":
		n := int64(binary.BigEndian.Uint32(tag[8:]))
		switch samples := tag[12:]; {
		case n == 0:
			return func(v float64) float64 { return v }, true
		case int64(len(samples)) < 2*n:
			return nil, false
		case n == 1:
			gamma := float64(binary.BigEndian.Uint16(samples)) / (1 << 8)
			return func(v float64) float64 { return math.Pow(v, gamma) }, true
		default:
			at := func(i int64) float64 { return float64(binary.BigEndian.Uint16(samples[2*i:])) / math.MaxUint16 }
			return func(v float64) float64 {
				place := v * float64(n-1)
				i := min(int64(place), n-2)
				return at(i) + (at(i+1)-at(i))*(place-float64(i))
			}, true
		}
	case "para":
		return readParameters(int(binary.BigEndian.Uint16(tag[8:])), tag[12:])
	}
	return nil, false
}

// readParameters reads a curve that is given by the numbers g, a, b, c, d, e and f, as many of them as its kind has.
func readParameters(kind int, numbers []byte) (curve func(float64) float64, ok bool) {
	count := map[int]int{0: 1, 1: 3, 2: 4, 3: 5, 4: 7}[kind]
	if count == 0 || len(numbers) < 4*count {
		return nil, false
	}
	var n [7]float64
	for i := range n[:count] {
		n[i] = fixed16(numbers[4*i:])
	}
	g, a, b, c, d, e, f := n[0], n[1], n[2], n[3], n[4], n[5], n[6]
	switch kind {
	case 0:
		a, d = 1, 0
	case 1, 2:
		if a == 0 {
			return nil, false
		}
		e, f, c, d = c, c, 0, -b/a
	}
	return func(v float64) float64 {
		if v < d {
			return c*v + f
		}
		return math.Pow(max(a*v+b, 0), g) + e
	}, true
}

// sRGB is the colour of three values, clipped to what sRGB can show.
func (p *profile) sRGB(r, g, b uint8) (outR, outG, outB uint8) {
	light := [3]float32{p.light[0][r], p.light[1][g], p.light[2][b]}
	var out [3]uint8
	for c, row := range p.matrix {
		v := row[0]*light[0] + row[1]*light[1] + row[2]*light[2]
		out[c] = encoded[int(min(max(v, 0), 1)*float32(len(encoded)-1)+0.5)]
	}
	return out[0], out[1], out[2]
}

// encoded are the values of sRGB for steps of light from 0 to 1, close enough together that each of the 256 values has its own.
var encoded = func() (table [1 << 14]uint8) {
	for i := range table {
		v := float64(i) / float64(len(table)-1)
		if v <= 0.0031308 {
			v *= 12.92
		} else {
			v = 1.055*math.Pow(v, 1/2.4) - 0.055
		}
		table[i] = uint8(math.Round(255 * v))
	}
	return table
}()

// likeSRGB says whether greys and full colours come out as they are, give or take a step of 255.
func (p *profile) likeSRGB() bool {
	same := func(r, g, b uint8) bool {
		x, y, z := p.sRGB(r, g, b)
		return max(apart(r, x), apart(g, y), apart(b, z)) <= 1
	}
	for v := range 256 {
		if v := uint8(v); !same(v, v, v) || !same(v, 0, 0) || !same(0, v, 0) || !same(0, 0, v) {
			return false
		}
	}
	return true
}

func apart(a, b uint8) uint8 { return max(a, b) - min(a, b) }
