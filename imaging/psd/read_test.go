package psd

import (
	"bytes"
	"encoding/binary"
	"image"
	"unicode/utf16"

	"atelier/imaging/mask"
)

// teller is told what is wrong with a file, and ends its reading.
type teller interface {
	Helper()
	Fatalf(format string, args ...any)
}

// read is a reader of layered files written from the specification, apart from
// the writer, to hold it to its word. What it makes is bounded by the bytes it
// was given, whatever these announce.
type read struct {
	t             teller
	b             []byte
	large         bool // a Large Document
	width, height int
	channels      int
	resources     map[int][]byte
	merged        *image.NRGBA // as stored
	transparent   bool
	layers        []readLayer // in the file's order
}

type readLayer struct {
	bounds  image.Rectangle
	name    string // the Unicode one
	pascal  string
	key     string
	opacity uint8
	hidden  bool
	section int
	img     *image.NRGBA
	maskAt  image.Rectangle
	mask    *mask.Plane
	ids     []int
	lengths []int
}

func (r *read) take(n int) []byte {
	r.t.Helper()
	if n < 0 || n > len(r.b) {
		r.t.Fatalf("want %d more bytes, have %d", n, len(r.b))
	}
	out := r.b[:n]
	r.b = r.b[n:]
	return out
}

func (r *read) u8() int  { return int(r.take(1)[0]) }
func (r *read) u16() int { return int(binary.BigEndian.Uint16(r.take(2))) }
func (r *read) i16() int { return int(int16(binary.BigEndian.Uint16(r.take(2)))) }
func (r *read) i32() int { return int(int32(binary.BigEndian.Uint32(r.take(4)))) }

// long reads the length of what may be long.
func (r *read) long() int {
	if r.large {
		return int(binary.BigEndian.Uint64(r.take(8)))
	}
	return r.i32()
}

func (r *read) expect(what string, got, want any) {
	r.t.Helper()
	if got != want {
		r.t.Fatalf("%s is %v, want %v", what, got, want)
	}
}

func (r *read) rect() image.Rectangle {
	top, left, bottom, right := r.i32(), r.i32(), r.i32(), r.i32()
	return image.Rectangle{Min: image.Pt(left, top), Max: image.Pt(right, bottom)}
}

// section runs do on the next n bytes, which it must use up, but for padding.
func (r *read) section(n, padding int, do func(r *read)) {
	r.t.Helper()
	sub := *r
	sub.b = r.take(n)
	do(&sub)
	if len(sub.b) > padding {
		r.t.Fatalf("%d bytes left over in a section of %d", len(sub.b), n)
	}
	left := r.b
	*r = sub
	r.b = left
}

func parse(t teller, data []byte) *read {
	t.Helper()
	r := &read{t: t, b: data, resources: map[int][]byte{}}
	r.expect("signature", string(r.take(4)), "8BPS")
	version := r.u16()
	if r.large = version == 2; !r.large {
		r.expect("version", version, 1)
	}
	r.take(6)
	r.channels = r.u16()
	r.height, r.width = r.i32(), r.i32()
	if r.channels < 3 || r.channels > 4 || min(r.width, r.height) < 1 {
		t.Fatalf("%d × %d pixels of %d channels", r.width, r.height, r.channels)
	}
	r.expect("depth", r.u16(), 8)
	r.expect("mode", r.u16(), 3)
	r.expect("colour mode data", r.i32(), 0)
	r.section(r.i32(), 0, func(r *read) {
		for len(r.b) > 0 {
			r.expect("resource", string(r.take(4)), "8BIM")
			id := r.u16()
			r.expect("resource name", r.u16(), 0)
			n := r.i32()
			r.resources[id] = r.take(n)
			r.take(n & 1)
		}
	})
	r.section(r.long(), 0, func(r *read) {
		n := r.long()
		r.expect("odd layer info", n&1, 0)
		r.section(n, 1, (*read).layerInfo)
		r.expect("global layer mask", r.i32(), 0)
	})
	r.expect("compression", r.u16(), 1)
	planes := r.rle(r.width, r.height, r.channels)
	r.merged = toImage(r.width, r.height, planes)
	r.expect("bytes at the end", len(r.b), 0)
	return r
}

func (r *read) layerInfo() {
	count := r.i16()
	r.transparent = count < 0
	for range max(count, -count) {
		var l readLayer
		l.bounds = r.rect()
		for range r.u16() {
			l.ids = append(l.ids, r.i16())
			l.lengths = append(l.lengths, r.long())
		}
		r.expect("blend signature", string(r.take(4)), "8BIM")
		l.key = string(r.take(4))
		l.opacity = uint8(r.u8())
		r.expect("clipping", r.u8(), 0)
		l.hidden = r.u8()&2 != 0
		r.expect("filler", r.u8(), 0)
		r.section(r.i32(), 0, func(r *read) { r.extra(&l) })
		r.layers = append(r.layers, l)
	}
	for i := range r.layers {
		r.pixels(&r.layers[i])
	}
}

func (r *read) extra(l *readLayer) {
	if n := r.i32(); n > 0 {
		r.section(n, 2, func(r *read) {
			l.maskAt = r.rect()
			r.expect("mask default", r.u8(), 0)
			r.expect("mask flags", r.u8(), 0)
		})
	}
	r.take(r.i32())
	n := r.u8()
	l.pascal = string(r.take(n))
	r.take((4 - (n+1)%4) % 4)
	for len(r.b) > 0 {
		r.expect("signature", string(r.take(4)), "8BIM")
		key := string(r.take(4))
		r.section(r.i32(), 3, func(r *read) {
			switch key {
			case "luni":
				var units []uint16
				for range r.i32() {
					units = append(units, uint16(r.u16()))
				}
				l.name = string(utf16.Decode(units))
			case "lsct":
				l.section = r.i32()
				if len(r.b) > 0 {
					r.expect("signature", string(r.take(4)), "8BIM")
					r.expect("blend of the group", string(r.take(4)), l.key)
				}
			}
		})
	}
}

func (r *read) pixels(l *readLayer) {
	planes := map[int][]uint8{}
	for i, id := range l.ids {
		at := l.bounds
		if id == -2 {
			at = l.maskAt
		}
		r.section(l.lengths[i], 0, func(r *read) {
			r.expect("compression", r.u16(), 1)
			planes[id] = r.rle(at.Dx(), at.Dy(), 1)[0]
		})
	}
	if m, ok := planes[-2]; ok {
		l.mask = &mask.Plane{W: l.maskAt.Dx(), H: l.maskAt.Dy(), Pix: m}
	}
	if !l.bounds.Empty() {
		colours := [][]uint8{planes[0], planes[1], planes[2], planes[-1]}
		for c, plane := range colours {
			if plane == nil {
				r.t.Fatalf("a layer without its channel %d", c)
			}
		}
		l.img = toImage(l.bounds.Dx(), l.bounds.Dy(), colours)
	}
}

// rle reads n planes: all row lengths, then all rows.
func (r *read) rle(w, h, n int) [][]uint8 {
	r.t.Helper()
	if w <= 0 || h <= 0 {
		return make([][]uint8, n)
	}
	if n*h > len(r.b)/2 {
		r.t.Fatalf("%d rows in %d bytes", n*h, len(r.b))
	}
	counts := make([]int, n*h)
	for i := range counts {
		if r.large {
			counts[i] = r.i32()
		} else {
			counts[i] = r.u16()
		}
	}
	planes := make([][]uint8, n)
	for c := range planes {
		for y := range h {
			row := unpackBits(r.t, r.take(counts[c*h+y]))
			if len(row) != w {
				r.t.Fatalf("row %d of plane %d has %d pixels, want %d", y, c, len(row), w)
			}
			planes[c] = append(planes[c], row...)
		}
	}
	return planes
}

func unpackBits(t teller, b []byte) (out []uint8) {
	t.Helper()
	for len(b) > 0 {
		n := int(int8(b[0]))
		switch {
		case n == -128:
			t.Fatalf("a count of -128 has no meaning")
		case len(b) < 2 || n >= 0 && len(b) < n+2:
			t.Fatalf("a row ends %d bytes after a count of %d", len(b)-1, n)
		case n < 0:
			out = append(out, bytes.Repeat(b[1:2], 1-n)...)
			b = b[2:]
		default:
			out = append(out, b[1:n+2]...)
			b = b[n+2:]
		}
	}
	return out
}

func toImage(w, h int, planes [][]uint8) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for i := range w * h {
		for c := range 4 {
			img.Pix[4*i+c] = 255
			if c < len(planes) {
				img.Pix[4*i+c] = planes[c][i]
			}
		}
	}
	return img
}
