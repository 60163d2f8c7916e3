package testpics

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"image"
	"slices"
)

// TIFF is a TIFF file of a picture (TIFF 6.0). The zero value of all but Picture is the plainest there is.
type TIFF struct {
	Picture     *image.NRGBA
	Big         bool // the byte order
	Bits        int  // 0 = 8
	Photometric int  // 0 = white is 0 …, as TIFF counts; RGB is 2
	Compression int  // 0 = none, else as TIFF counts; LZW is not written here
	Rows        int  // of a strip; 0 = all
	Tile        int  // the side of tiles in place of strips
	Planar      bool
	Differences bool
	Alpha       int // what ExtraSamples says; 0 = no such channel
	Orientation int
	Profile     []byte
	Pages       int      // further directories that name the same picture
	Palette     [][3]int // of 16 bits
	Others      map[int][]byte
}

// File builds the file.
func (t TIFF) File() []byte {
	var order binary.AppendByteOrder = binary.LittleEndian
	head := "II*\x00"
	if t.Big {
		order, head = binary.BigEndian, "MM\x00*"
	}
	bits := max(t.Bits, 8)
	w, h := t.Picture.Rect.Dx(), t.Picture.Rect.Dy()
	channels := 1
	if t.Photometric == 2 {
		channels = 3
	}
	if t.Photometric == 5 {
		channels = 4
	}
	if t.Alpha != 0 {
		channels++
	}
	out := append([]byte(head), 0, 0, 0, 0)
	blockW, blockH := w, h
	if t.Rows > 0 {
		blockH = t.Rows
	}
	if t.Tile > 0 {
		blockW, blockH = t.Tile, t.Tile
	}
	var offsets, sizes []uint32
	planes := [][]int{nil}
	for c := range channels {
		planes[0] = append(planes[0], c)
	}
	if t.Planar {
		planes = nil
		for c := range channels {
			planes = append(planes, []int{c})
		}
	}
	for _, plane := range planes {
		for y := 0; y < h; y += blockH {
			for x := 0; x < w; x += blockW {
				bh := blockH
				if t.Tile == 0 {
					bh = min(blockH, h-y)
				}
				raw := t.block(image.Rect(x, y, x+blockW, y+bh), plane, bits, channels, order)
				data := t.pack(raw)
				offsets, sizes = append(offsets, uint32(len(out))), append(sizes, uint32(len(data)))
				out = append(out, data...)
				if len(out)%2 == 1 {
					out = append(out, 0)
				}
			}
		}
	}
	type entry struct {
		tag, kind, count int
		data             []byte
	}
	var entries []entry
	shorts := func(tag int, values ...int) {
		e := entry{tag: tag, kind: 3, count: len(values)}
		for _, v := range values {
			e.data = order.AppendUint16(e.data, uint16(v))
		}
		entries = append(entries, e)
	}
	longs := func(tag int, values ...uint32) {
		e := entry{tag: tag, kind: 4, count: len(values)}
		for _, v := range values {
			e.data = order.AppendUint32(e.data, v)
		}
		entries = append(entries, e)
	}
	longs(256, uint32(w))
	longs(257, uint32(h))
	shorts(258, slices.Repeat([]int{bits}, channels)...)
	shorts(259, max(t.Compression, 1))
	shorts(262, t.Photometric)
	if t.Orientation != 0 {
		shorts(274, t.Orientation)
	}
	shorts(277, channels)
	if t.Planar {
		shorts(284, 2)
	}
	if t.Differences {
		shorts(317, 2)
	}
	if t.Tile > 0 {
		shorts(322, t.Tile)
		shorts(323, t.Tile)
		longs(324, offsets...)
		longs(325, sizes...)
	} else {
		longs(273, offsets...)
		longs(278, uint32(blockH))
		longs(279, sizes...)
	}
	if t.Palette != nil {
		var values []int
		for c := range 3 {
			for _, p := range t.Palette {
				values = append(values, p[c])
			}
		}
		shorts(320, values...)
	}
	if t.Alpha != 0 {
		shorts(338, t.Alpha)
	}
	if t.Profile != nil {
		entries = append(entries, entry{34675, 7, len(t.Profile), t.Profile})
	}
	for tag, data := range t.Others {
		entries = append(entries, entry{tag, 1, len(data), data})
	}
	slices.SortFunc(entries, func(a, b entry) int { return a.tag - b.tag })
	for i, e := range entries {
		if len(e.data) > 4 {
			at := len(out)
			if out = append(out, e.data...); len(out)%2 == 1 {
				out = append(out, 0)
			}
			entries[i].data = order.AppendUint32(nil, uint32(at))
		}
	}
	link := 4
	for range t.Pages + 1 {
		copy(out[link:], order.AppendUint32(nil, uint32(len(out))))
		out = order.AppendUint16(out, uint16(len(entries)))
		for _, e := range entries {
			out = order.AppendUint16(out, uint16(e.tag))
			out = order.AppendUint16(out, uint16(e.kind))
			out = order.AppendUint32(out, uint32(e.count))
			out = append(out, append(slices.Clone(e.data), 0, 0, 0, 0)[:4]...)
		}
		link = len(out)
		out = append(out, 0, 0, 0, 0)
	}
	return out
}

// block gives some channels of a part of the picture; beyond its edge there is nothing.
func (t TIFF) block(r image.Rectangle, channels []int, bits, all int, order binary.AppendByteOrder) (raw []byte) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		before := make([]int, all)
		for x := r.Min.X; x < r.Max.X; x++ {
			c := t.Picture.NRGBAAt(x, y)
			values := []int{int(c.R), int(c.G), int(c.B), int(c.A)}
			switch {
			case t.Photometric == 0:
				values = []int{255 - int(c.R), int(c.A)}
			case t.Photometric == 5:
				values = []int{255 - int(c.R), 255 - int(c.G), 255 - int(c.B), 0, int(c.A)}
			case t.Photometric != 2:
				values = []int{int(c.R), int(c.A)}
			}
			for _, ch := range channels {
				v := values[ch]
				if bits == 16 {
					v *= 257
				}
				stored := v
				if t.Differences {
					stored, before[ch] = v-before[ch], v
				}
				if bits == 16 {
					raw = order.AppendUint16(raw, uint16(stored))
				} else {
					raw = append(raw, byte(stored))
				}
			}
		}
	}
	return raw
}

func (t TIFF) pack(raw []byte) []byte {
	switch t.Compression {
	case 8, 32946:
		var b bytes.Buffer
		w := zlib.NewWriter(&b)
		if _, err := w.Write(raw); err != nil {
			panic(err)
		}
		if err := w.Close(); err != nil {
			panic(err)
		}
		return b.Bytes()
	case 32773:
		var out []byte
		for len(raw) > 0 {
			n := 1
			for n < len(raw) && n < 128 && raw[n] == raw[0] {
				n++
			}
			if n > 1 {
				out = append(out, byte(1-n), raw[0])
			} else {
				out = append(out, 0, raw[0])
			}
			raw = raw[n:]
		}
		return out
	case 5:
		return lzwBytes(raw)
	}
	return raw
}

// lzwBytes packs without ever using what was seen before: nine bits a byte, and the table cleared before codes grow longer (TIFF 6.0, section 13).
func lzwBytes(raw []byte) (out []byte) {
	const clearTable, end, width, room = 256, 257, 9, 250
	var bits, n uint
	put := func(code uint) {
		bits, n = bits<<width|code, n+width
		for n >= 8 {
			out = append(out, byte(bits>>(n-8)))
			n -= 8
			bits &= 1<<n - 1
		}
	}
	for i, b := range raw {
		if i%room == 0 {
			put(clearTable)
		}
		put(uint(b))
	}
	put(end)
	if n > 0 {
		out = append(out, byte(bits<<(8-n)))
	}
	return out
}
