package psd

import (
	"encoding/binary"
	"fmt"
	"image"
	"unicode/utf16"

	"atelier/imaging/mask"
)

// record is one entry of the list of layers. A group takes two: its end, below
// its layers, and its head above them.
type record struct {
	layer    Layer
	section  int             // "lsct" type: 0 a picture, 1 an open group, 3 the end of a group
	bounds   image.Rectangle // of the pixels
	maskAt   image.Rectangle
	channels []channel
}

// The "lsct" types.
const (
	sectionOpen = 1
	sectionEnd  = 3
)

// channel is one plane of a layer.
type channel struct {
	id    int // 0, 1, 2 the colours, -1 transparency, -2 the layer's mask
	data  packed
	bytes int64 // of data, which may not be kept
	rows  int
}

// flatten lists the records of all layers, the lowest first.
func flatten(doc Document) []record {
	var out []record
	var walk func(layers []Layer)
	walk = func(layers []Layer) {
		for _, l := range layers {
			r := record{layer: l}
			if l.isGroup() {
				out = append(out, record{layer: Layer{Name: "</Layer group>"}, section: sectionEnd}.withChannels())
				walk(l.Layers)
				r.section = sectionOpen
				r.maskAt = image.Rect(0, 0, doc.Width, doc.Height)
			} else {
				r.bounds = image.Rectangle{Max: l.size()}.Add(image.Pt(l.X, l.Y))
				r.maskAt = r.bounds
			}
			out = append(out, r.withChannels())
		}
	}
	walk(doc.Layers)
	for i := range out {
		// Some programs refuse a layer without a name.
		if out[i].layer.Name == "" {
			out[i].layer.Name = fmt.Sprintf("Layer %d", i+1)
		}
	}
	return out
}

func (r record) withChannels() record {
	r.channels = []channel{{id: -1}, {id: 0}, {id: 1}, {id: 2}}
	if r.layer.masked() {
		r.channels = append(r.channels, channel{id: -2})
	}
	return r
}

// head is the Layer record: everything about the layer but its pixels.
func (r record) head(w *writer) []byte {
	var b []byte
	u16 := func(v int) { b = binary.BigEndian.AppendUint16(b, uint16(v)) }
	u32 := func(v int) { b = binary.BigEndian.AppendUint32(b, uint32(v)) }
	rect := func(q image.Rectangle) {
		u32(q.Min.Y)
		u32(q.Min.X)
		u32(q.Max.Y)
		u32(q.Max.X)
	}
	rect(r.bounds)
	u16(len(r.channels))
	for _, c := range r.channels {
		u16(c.id)
		b = w.appendLength(b, w.sizeOf(c.bytes, c.rows)+2)
	}
	key := blends[r.layer.blend()].key
	b = append(b, "8BIM"+key...)
	b = append(b, r.layer.opacity(), 0) // Clipping: base
	flags := byte(1 << 3)               // bit 4 has a meaning
	if r.layer.Hidden {
		flags |= 1 << 1
	}
	if r.section != 0 {
		flags |= 1 << 4 // no pixels of its own
	}
	b = append(b, flags, 0)

	extra := r.maskData()
	extra = append(extra, 0, 0, 0, 0) // Layer blending ranges: none
	extra = append(extra, pascal(r.layer.Name)...)
	extra = append(extra, tagged("luni", unicodeName(r.layer.Name))...)
	if r.section != 0 {
		section := binary.BigEndian.AppendUint32(nil, uint32(r.section))
		if r.section == sectionOpen {
			section = append(section, "8BIM"+key...)
		}
		extra = append(extra, tagged("lsct", section)...)
	}
	u32(len(extra))
	return append(b, extra...)
}

// maskData is the Layer mask data with its length.
func (r record) maskData() []byte {
	if !r.layer.masked() {
		return []byte{0, 0, 0, 0}
	}
	b := []byte{0, 0, 0, 20}
	for _, v := range []int{r.maskAt.Min.Y, r.maskAt.Min.X, r.maskAt.Max.Y, r.maskAt.Max.X} {
		b = binary.BigEndian.AppendUint32(b, uint32(v))
	}
	return append(b, 0, 0, 0, 0) // hidden beyond the mask, no flags, padding
}

// pascal is the name for programs that know no Unicode: a length byte and at
// most 31 letters, padded to a multiple of four.
func pascal(name string) []byte {
	b := []byte{0}
	for _, c := range name {
		if len(b) == 32 {
			break
		}
		if c < ' ' || c > '~' {
			c = '?'
		}
		b = append(b, byte(c))
	}
	b[0] = byte(len(b) - 1)
	for len(b)%4 != 0 {
		b = append(b, 0)
	}
	return b
}

// maxName is the longest name kept, in UTF-16 units, as in Photoshop.
const maxName = 255

func unicodeName(name string) []byte {
	units := utf16.Encode([]rune(name))
	if len(units) > maxName {
		units = units[:maxName]
		if utf16.IsSurrogate(rune(units[maxName-1])) && units[maxName-1] < 0xdc00 {
			units = units[:maxName-1] // half a letter
		}
	}
	b := binary.BigEndian.AppendUint32(nil, uint32(len(units)))
	for _, u := range units {
		b = binary.BigEndian.AppendUint16(b, u)
	}
	return b
}

// tagged is a block of Additional Layer Information, padded to a multiple of four.
func tagged(key string, body []byte) []byte {
	for len(body)%4 != 0 {
		body = append(body, 0)
	}
	b := binary.BigEndian.AppendUint32([]byte("8BIM"+key), uint32(len(body)))
	return append(b, body...)
}

// plane is one channel of a picture or a mask, a row at a time.
type plane struct {
	w, h int
	row  func(y int, dst []uint8)
}

// plane is where the pixels of the channel come from; it has none for groups.
func (r record) plane(id int) plane {
	if id == -2 {
		return maskPlane(r.layer.Mask)
	}
	if r.layer.Image == nil {
		return plane{}
	}
	if id == -1 {
		id = 3
	}
	return imagePlane(r.layer.Image, id)
}

func maskPlane(m *mask.Plane) plane {
	return plane{m.W, m.H, func(y int, dst []uint8) { copy(dst, m.Row(y)) }}
}

func imagePlane(img *image.NRGBA, channel int) plane {
	w := img.Rect.Dx()
	return plane{w, img.Rect.Dy(), func(y int, dst []uint8) {
		src := img.Pix[y*img.Stride+channel:]
		x := 0
		for ; x+4 <= w; x += 4 {
			four, to := (*[13]uint8)(src[4*x:]), (*[4]uint8)(dst[x:])
			to[0], to[1], to[2], to[3] = four[0], four[4], four[8], four[12]
		}
		for ; x < w; x++ {
			dst[x] = src[4*x]
		}
	}}
}
