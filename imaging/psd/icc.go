package psd

import (
	"encoding/binary"
	"math"
	"unicode/utf16"
)

// sRGB is an ICC profile (ICC.1:2010, version 4.3) of the colour space of IEC
// 61966-2-1: three primaries adapted to D50 and one parametric curve.
func sRGB() []byte {
	tags := []struct {
		name string
		body []byte
	}{
		{"desc", iccText("sRGB")},
		{"cprt", iccText("Public domain")},
		{"wtpt", iccFixed("XYZ ", 0.9642, 1, 0.8249)},
		{"chad", iccFixed("sf32", 1.04788, 0.02292, -0.05022, 0.02959, 0.99048, -0.01707, -0.00925, 0.01508, 0.75168)},
		{"rXYZ", iccFixed("XYZ ", 0.43607, 0.22249, 0.01392)},
		{"gXYZ", iccFixed("XYZ ", 0.38515, 0.71687, 0.09708)},
		{"bXYZ", iccFixed("XYZ ", 0.14307, 0.06061, 0.09710)},
		{"rTRC", iccCurve()},
		{"gTRC", nil}, // the same as rTRC
		{"bTRC", nil},
	}
	u32 := binary.BigEndian.AppendUint32
	const header, entry = 128, 12
	table := u32(nil, uint32(len(tags)))
	var bodies []byte
	var offset, size uint32
	for _, tag := range tags {
		if tag.body != nil {
			offset, size = uint32(header+4+entry*len(tags)+len(bodies)), uint32(len(tag.body))
			bodies = append(bodies, tag.body...)
			for len(bodies)%4 != 0 {
				bodies = append(bodies, 0)
			}
		}
		table = u32(u32(append(table, tag.name...), offset), size)
	}

	b := make([]byte, header)
	binary.BigEndian.PutUint32(b, uint32(header+len(table)+len(bodies)))
	copy(b[8:], "\x04\x30\x00\x00mntrRGB XYZ ")
	for i, v := range []uint16{2025, 1, 1} {
		binary.BigEndian.PutUint16(b[24+2*i:], v) // date of the profile
	}
	copy(b[36:], "acsp")
	copy(b[68:], iccFixed("", 0.9642, 1, 0.8249)) // illuminant
	return append(append(b, table...), bodies...)
}

// iccFixed is a tag of fixed point numbers; without a type only the numbers.
func iccFixed(kind string, values ...float64) []byte {
	var b []byte
	if kind != "" {
		b = append([]byte(kind), 0, 0, 0, 0)
	}
	for _, v := range values {
		b = binary.BigEndian.AppendUint32(b, uint32(int32(math.Round(v*65536))))
	}
	return b
}

// iccCurve is the transfer curve: ((x+0.055)/1.055)^2.4 from 0.04045 on, a line below.
func iccCurve() []byte {
	b := append([]byte("para"), 0, 0, 0, 0, 0, 3, 0, 0)
	return append(b, iccFixed("", 2.4, 1/1.055, 0.055/1.055, 1/12.92, 0.04045)...)
}

// iccText is a text in one language.
func iccText(s string) []byte {
	units := utf16.Encode([]rune(s))
	b := append([]byte("mluc"), 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 12)
	b = append(b, "enUS"...)
	b = binary.BigEndian.AppendUint32(b, uint32(2*len(units)))
	b = binary.BigEndian.AppendUint32(b, 28)
	for _, u := range units {
		b = binary.BigEndian.AppendUint16(b, u)
	}
	return b
}
