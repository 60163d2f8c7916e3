package net

import (
	"encoding/binary"
	"errors"
	"math"
)

var errTruncated = errors.New("net: an offset lies outside the file")

// buffer reads a FlatBuffer (the encoding of .tflite files, https://flatbuffers.dev/internals). The first offset
// outside the data sets err, and every read after that gives zero values.
type buffer struct {
	data []byte
	err  error
}

// at returns n bytes at an offset, or zeros when they are not there.
func (b *buffer) at(offset, n int) []byte {
	if b.err != nil || offset < 0 || offset > len(b.data)-n {
		b.err = errTruncated
		return make([]byte, n)
	}
	return b.data[offset : offset+n]
}

func (b *buffer) u8(offset int) uint8 { return b.at(offset, 1)[0] }
func (b *buffer) u16(offset int) int  { return int(binary.LittleEndian.Uint16(b.at(offset, 2))) }
func (b *buffer) i32(offset int) int  { return int(int32(binary.LittleEndian.Uint32(b.at(offset, 4)))) }
func (b *buffer) u32(offset int) int  { return int(binary.LittleEndian.Uint32(b.at(offset, 4))) }
func (b *buffer) indirect(o int) int  { return o + b.u32(o) }
func (b *buffer) table(offset int) table {
	return table{b: b, at: offset, fields: offset - b.i32(offset)}
}

// table is one record: a vtable lists where its fields are.
type table struct {
	b      *buffer
	at     int
	fields int // the vtable
}

// field returns the offset of a field, or 0 when the table leaves it out.
func (t table) field(id int) int {
	const header, entry = 4, 2 // the sizes of vtable and table, then one offset a field
	slot := header + entry*id
	if t.at == 0 || slot+entry > t.b.u16(t.fields) {
		return 0
	}
	if offset := t.b.u16(t.fields + slot); offset != 0 {
		return t.at + offset
	}
	return 0
}

func (t table) byte(id int) uint8 {
	if at := t.field(id); at != 0 {
		return t.b.u8(at)
	}
	return 0
}

func (t table) int(id, otherwise int) int {
	if at := t.field(id); at != 0 {
		return t.b.i32(at)
	}
	return otherwise
}

// sub returns the table that a field points at. Of a field that is left out every field is left out too.
func (t table) sub(id int) table {
	if at := t.field(id); at != 0 {
		return t.b.table(t.b.indirect(at))
	}
	return table{b: t.b}
}

// vector returns the offset and length of a vector whose elements have so many bytes.
func (t table) vector(id, size int) (offset, n int) {
	at := t.field(id)
	if at == 0 {
		return 0, 0
	}
	at = t.b.indirect(at)
	n = t.b.u32(at)
	if t.b.err == nil && n > (len(t.b.data)-at-4)/size {
		t.b.err = errTruncated
	}
	if t.b.err != nil {
		return 0, 0
	}
	return at + 4, n
}

func (t table) bytes(id int) []byte {
	offset, n := t.vector(id, 1)
	return t.b.data[offset : offset+n]
}

func (t table) ints(id int) []int {
	offset, n := t.vector(id, 4)
	list := make([]int, n)
	for i := range list {
		list[i] = t.b.i32(offset + 4*i)
	}
	return list
}

// tables returns the tables of a vector.
func (t table) tables(id int) []table {
	offset, n := t.vector(id, 4)
	list := make([]table, n)
	for i := range list {
		list[i] = t.b.table(t.b.indirect(offset + 4*i))
	}
	return list
}

// float16 converts a half precision number (IEEE 754-2008, binary16).
func float16(bits uint16) float32 {
	sign, exponent, fraction := uint32(bits>>15)<<31, uint32(bits>>10&0x1f), uint32(bits&0x3ff)
	switch exponent {
	case 0: // subnormal: fraction × 2^-24
		v := float32(fraction) / (1 << 24)
		return math.Float32frombits(math.Float32bits(v) | sign)
	case 0x1f: // infinite or not a number
		return math.Float32frombits(sign | 0xff<<23 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent+127-15)<<23 | fraction<<13)
}
