package testpics

import (
	"encoding/binary"
	"math"
)

// ProfileTag is one tag of an ICC profile with its body.
type ProfileTag struct {
	Name string
	Body []byte
}

// Profile is an ICC profile of version 4 with the given colour space ("RGB ", "GRAY", "CMYK"), connection space ("XYZ ", "Lab ") and tags.
func Profile(colours, connection string, tags ...ProfileTag) []byte {
	const head = 128
	be := binary.BigEndian
	data := make([]byte, head+4+12*len(tags))
	copy(data[8:], []byte{4, 0x30, 0, 0})
	copy(data[12:], "mntr"+colours+connection)
	copy(data[36:], "acsp")
	for i, v := range D50 {
		be.PutUint32(data[68+4*i:], fixed(v)) // the light of the connection space
	}
	be.PutUint32(data[head:], uint32(len(tags)))
	for i, tag := range tags {
		entry := data[head+4+12*i:]
		copy(entry, tag.Name)
		be.PutUint32(entry[4:], uint32(len(data)))
		be.PutUint32(entry[8:], uint32(len(tag.Body)))
		data = append(data, tag.Body...)
		for len(data)%4 != 0 {
			data = append(data, 0)
		}
	}
	be.PutUint32(data, uint32(len(data)))
	return data
}

// D50 is the white of the connection space (ICC.1:2022, 7.2.16).
var D50 = [3]float64{0.9642, 1, 0.8249}

func fixed(v float64) uint32 { return uint32(int32(math.Round(v * (1 << 16)))) }

func xyzTag(name string, v [3]float64) ProfileTag {
	body := []byte("XYZ \x00\x00\x00\x00")
	for _, c := range v {
		body = binary.BigEndian.AppendUint32(body, fixed(c))
	}
	return ProfileTag{name, body}
}

// Primaries of colour spaces, XYZ under D50 of red, green and blue: those that the profiles of their makers carry.
var (
	PrimariesSRGB     = [3][3]float64{{0.43607, 0.22249, 0.01392}, {0.38515, 0.71687, 0.09708}, {0.14307, 0.06061, 0.71410}}
	PrimariesP3       = [3][3]float64{{0.51512, 0.24120, -0.00105}, {0.29198, 0.69225, 0.04189}, {0.15710, 0.06657, 0.78407}}
	PrimariesAdobeRGB = [3][3]float64{{0.60974, 0.31111, 0.01947}, {0.20528, 0.62567, 0.06087}, {0.14919, 0.06322, 0.74457}}
	PrimariesProPhoto = [3][3]float64{{0.79767, 0.28804, 0}, {0.13519, 0.71188, 0}, {0.03134, 0.00009, 0.82491}}
)

// GammaCurve is a curve of one exponent (ICC.1:2022, 10.6).
func GammaCurve(g float64) []byte {
	return binary.BigEndian.AppendUint16([]byte("curv\x00\x00\x00\x00\x00\x00\x00\x01"), uint16(math.Round(g*256)))
}

// SampledCurve is a curve of n samples of light.
func SampledCurve(n int, light func(float64) float64) []byte {
	b := binary.BigEndian.AppendUint32([]byte("curv\x00\x00\x00\x00"), uint32(n))
	for i := range n {
		b = binary.BigEndian.AppendUint16(b, uint16(math.Round(math.MaxUint16*light(float64(i)/float64(n-1)))))
	}
	return b
}

// ParametricCurve is a curve given by the numbers of its kind (ICC.1:2022, 10.18).
func ParametricCurve(kind uint16, numbers ...float64) []byte {
	b := append([]byte("para\x00\x00\x00\x00"), byte(kind>>8), byte(kind), 0, 0)
	for _, n := range numbers {
		b = binary.BigEndian.AppendUint32(b, fixed(n))
	}
	return b
}

// CurveSRGB is the curve of sRGB (IEC 61966-2-1).
func CurveSRGB() []byte { return ParametricCurve(3, 2.4, 1/1.055, 0.055/1.055, 1/12.92, 0.04045) }

// MatrixProfile is a profile of three primaries and one curve for all of them, with more tags.
func MatrixProfile(primaries [3][3]float64, curve []byte, more ...ProfileTag) []byte {
	tags := []ProfileTag{
		xyzTag("rXYZ", primaries[0]),
		xyzTag("gXYZ", primaries[1]),
		xyzTag("bXYZ", primaries[2]),
		xyzTag("wtpt", D50),
		{"rTRC", curve},
		{"gTRC", curve},
		{"bTRC", curve},
	}
	return Profile("RGB ", "XYZ ", append(tags, more...)...)
}

// GrayProfile is a profile of greys of one curve.
func GrayProfile(connection string, curve []byte) []byte {
	return Profile("GRAY", connection, xyzTag("wtpt", D50), ProfileTag{"kTRC", curve})
}

// Description is a tag that names a profile.
func Description(name string) ProfileTag {
	body := []byte("mluc\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x0cenUS")
	body = binary.BigEndian.AppendUint32(body, uint32(2*len(name)))
	body = binary.BigEndian.AppendUint32(body, 28)
	for _, c := range name {
		body = append(body, 0, byte(c))
	}
	return ProfileTag{"desc", body}
}

// Table is a tag A2B0 of n inputs and a grid of points in each direction, with curves that change nothing; look gives what the connection
// space encodes, 0 to 1. The kinds are mft1, mft2 and mAB (ICC.1:2022, 10.10 to 10.12).
func Table(kind string, n, grid int, look func(in []float64) [3]float64) ProfileTag {
	be := binary.BigEndian
	var points [][3]float64
	at := make([]int, n)
	for {
		in := make([]float64, n)
		for i := range in {
			in[i] = float64(at[i]) / float64(grid-1)
		}
		points = append(points, look(in))
		i := n - 1
		for ; i >= 0; i-- { // the last input changes fastest
			if at[i]++; at[i] < grid {
				break
			}
			at[i] = 0
		}
		if i < 0 {
			break
		}
	}
	level := func(v float64) float64 { return min(max(v, 0), 1) }
	if kind == "mAB " {
		identity := []byte("curv\x00\x00\x00\x00\x00\x00\x00\x00")
		body := append([]byte("mAB \x00\x00\x00\x00"), byte(n), 3, 0, 0)
		head := len(body) + 5*4
		table := make([]byte, 16)
		for i := range n {
			table[i] = byte(grid)
		}
		table = append(table, 2, 0, 0, 0)
		for _, p := range points {
			for _, v := range p {
				table = be.AppendUint16(table, uint16(math.Round(math.MaxUint16*level(v))))
			}
		}
		for len(table)%4 != 0 {
			table = append(table, 0)
		}
		outputs := 3 * len(identity) // the curves behind the table
		for _, offset := range []int{head, 0, 0, head + outputs, head + outputs + len(table)} {
			body = be.AppendUint32(body, uint32(offset))
		}
		for range 3 {
			body = append(body, identity...)
		}
		body = append(body, table...)
		for range n {
			body = append(body, identity...)
		}
		return ProfileTag{"A2B0", body}
	}
	body := append([]byte(kind+"\x00\x00\x00\x00"), byte(n), 3, byte(grid), 0)
	for i := range 9 {
		body = be.AppendUint32(body, fixed(float64((i+3)%4/3))) // the identity
	}
	if kind == "mft2" {
		body = append(body, 0, 2, 0, 2)
		for range n {
			body = append(body, 0, 0, 0xff, 0xff)
		}
		for _, p := range points {
			for _, v := range p {
				body = be.AppendUint16(body, uint16(math.Round(math.MaxUint16*level(v))))
			}
		}
		for range 3 {
			body = append(body, 0, 0, 0xff, 0xff)
		}
		return ProfileTag{"A2B0", body}
	}
	ramps := func(n int) {
		for range n {
			for v := range 256 {
				body = append(body, byte(v))
			}
		}
	}
	ramps(n)
	for _, p := range points {
		for _, v := range p {
			body = append(body, byte(math.Round(255*level(v))))
		}
	}
	ramps(3)
	return ProfileTag{"A2B0", body}
}
