package testpics

import (
	"bytes"
	"embed"
	"encoding/binary"
	"slices"
)

//go:embed heif/*.hevc
var streams embed.FS

// The pictures of HEIF.Main and HEIF.Alpha: a grey sheet (188) of 640 × 880 px with a red corner top left, green top right, blue bottom left
// (heif/README.md).
const (
	HEIFTiles8   = "tiles8"   // four tiles of 512 × 512, 4:2:0, BT.601, full range
	HEIFTiles10  = "tiles10"  // the same with 10 bits
	HEIFWhole709 = "whole709" // one tile, BT.709, limited range
	HEIFWhole444 = "whole444" // one tile, 4:4:4, BT.601, full range
	HEIFAlpha    = "alpha"    // transparency: half at 160,720, whole at 480,720, 160 × 160 px each
)

// HEIF is a HEIC file as cameras write it (ISO/IEC 23008-12). Its zero value, but for Main, is one without anything that need not be there.
type HEIF struct {
	Main, Alpha   string // names of streams
	Width, Height int    // as stored; 0 = 640 × 880
	Rotate        int    // quarter turns against the clock
	Mirror        int    // 1 = top and bottom change places, 2 = left and right
	Crop          [2]int // a width and a height around the middle
	Profile       []byte // ICC
	CodePoints    []uint16
	EXIF, XMP     []byte // a TIFF block; a packet
	Brand         string // "" = heic
	Codec         string // the type of the coded items; "" = hvc1
	Behind        []byte // boxes at the end
}

type heifItem struct {
	id         int
	kind       string
	data       []byte
	inIDAT     bool
	properties []int
}

// File builds the file.
func (h HEIF) File() []byte {
	f := heifWriter{codec: h.Codec}
	if f.codec == "" {
		f.codec = "hvc1"
	}
	size := [2]int{h.Width, h.Height}
	if size == [2]int{} {
		size = [2]int{640, 880}
	}
	main := f.picture(h.Main, size)
	properties := &f.items[main].properties
	add := func(box []byte) { *properties = append(*properties, f.property(box)) }
	if h.Profile != nil {
		add(heifBox("colr", []byte("prof"), h.Profile))
	}
	if len(h.CodePoints) == 4 {
		c := h.CodePoints
		add(heifBox("colr", []byte("nclx"), u16(int(c[0])), u16(int(c[1])), u16(int(c[2])), []byte{byte(c[3] << 7)}))
	}
	if h.Crop != [2]int{} {
		add(heifBox("clap", u32(h.Crop[0]), u32(1), u32(h.Crop[1]), u32(1), u32(0), u32(1), u32(0), u32(1)))
	}
	if h.Rotate != 0 {
		add(heifBox("irot", []byte{byte(h.Rotate)}))
	}
	if h.Mirror != 0 {
		add(heifBox("imir", []byte{byte(h.Mirror - 1)}))
	}
	primary := f.items[main].id
	if h.Alpha != "" {
		alpha := f.picture(h.Alpha, size)
		a := &f.items[alpha]
		a.properties = append(a.properties, f.property(heifFull("auxC", 0, []byte("urn:mpeg:hevc:2015:auxid:1\x00"))))
		f.refs = append(f.refs, heifBox("auxl", u16(a.id), u16(1), u16(primary)))
	}
	if h.EXIF != nil {
		exif := f.item("Exif", append(u32(0), h.EXIF...), nil)
		f.refs = append(f.refs, heifBox("cdsc", u16(f.items[exif].id), u16(1), u16(primary)))
	}
	if h.XMP != nil {
		xmp := f.item("mime", h.XMP, nil)
		f.refs = append(f.refs, heifBox("cdsc", u16(f.items[xmp].id), u16(1), u16(primary)))
	}
	brand := h.Brand
	if brand == "" {
		brand = "heic"
	}
	return append(f.file(brand, primary), h.Behind...)
}

type heifWriter struct {
	codec string
	items []heifItem
	boxes [][]byte
	refs  [][]byte
}

func (f *heifWriter) property(box []byte) int {
	if i := slices.IndexFunc(f.boxes, func(b []byte) bool { return bytes.Equal(b, box) }); i >= 0 {
		return i + 1
	}
	f.boxes = append(f.boxes, box)
	return len(f.boxes)
}

func (f *heifWriter) item(kind string, data []byte, properties []int) int {
	f.items = append(f.items, heifItem{id: len(f.items) + 1, kind: kind, data: data, inIDAT: kind == "grid", properties: properties})
	return len(f.items) - 1
}

// picture adds a stream of one frame as it is, of several as a grid two across.
func (f *heifWriter) picture(name string, size [2]int) int {
	stream, err := streams.ReadFile("heif/" + name + ".hevc")
	if err != nil {
		panic(err)
	}
	config, frames := heifFrames(stream)
	hvcC := f.property(heifBox("hvcC", config))
	shape := func(w, h int) int { return f.property(heifFull("ispe", 0, u32(w), u32(h))) }
	if len(frames) == 1 {
		return f.item(f.codec, frames[0], []int{hvcC, shape(size[0], size[1])})
	}
	const tile, across = 512, 2
	var ids []byte
	for _, frame := range frames {
		i := f.item(f.codec, frame, []int{hvcC, shape(tile, tile)})
		ids = append(ids, u16(f.items[i].id)...)
	}
	grid := slices.Concat([]byte{0, 0, byte(len(frames)/across - 1), across - 1}, u16(size[0]), u16(size[1]))
	i := f.item("grid", grid, []int{shape(size[0], size[1])})
	f.refs = append(f.refs, heifBox("dimg", u16(f.items[i].id), u16(len(frames)), ids))
	return i
}

func (f *heifWriter) file(brand string, primary int) []byte {
	head := heifBox("ftyp", []byte(brand), u32(0), []byte("mif1"+brand))
	mdat := len(head) + len(f.meta(primary, 0)) + 8
	var data []byte
	for _, it := range f.items {
		if !it.inIDAT {
			data = append(data, it.data...)
		}
	}
	return slices.Concat(head, f.meta(primary, mdat), heifBox("mdat", data))
}

func (f *heifWriter) meta(primary, mdat int) []byte {
	n := len(f.items)
	places, infos, owns := slices.Concat([]byte{0x44, 0}, u16(n)), u16(n), u32(n)
	var idat []byte
	for _, it := range f.items {
		method, at := 0, mdat
		if it.inIDAT {
			method, at = 1, len(idat)
			idat = append(idat, it.data...)
		} else {
			mdat += len(it.data)
		}
		places = slices.Concat(places, u16(it.id), u16(method), u16(0), u16(1), u32(at), u32(len(it.data)))
		content := "\x00"
		if it.kind == "mime" {
			content = "\x00application/rdf+xml\x00"
		}
		infos = append(infos, heifFull("infe", 2, u16(it.id), u16(0), []byte(it.kind+content))...)
		owns = append(owns, slices.Concat(u16(it.id), []byte{byte(len(it.properties))})...)
		for _, p := range it.properties {
			owns = append(owns, byte(p))
		}
	}
	return heifFull("meta", 0,
		heifFull("hdlr", 0, u32(0), []byte("pict"), make([]byte, 13)),
		heifFull("pitm", 0, u16(primary)),
		heifFull("iinf", 0, infos),
		heifFull("iref", 0, f.refs...),
		heifBox("iprp", heifBox("ipco", f.boxes...), heifFull("ipma", 0, owns)),
		heifBox("idat", idat),
		heifFull("iloc", 1, places),
	)
}

// heifFrames divides a stream of Annex B of ITU-T H.265 into its parameter sets, as hvcC has them, and its frames, as items have them.
func heifFrames(stream []byte) (config []byte, frames [][]byte) {
	const vps, sps, pps, slices0 = 32, 33, 34, 32
	sets := map[byte][]byte{}
	for _, nal := range bytes.Split(stream, []byte{0, 0, 1}) {
		nal = bytes.TrimRight(nal, "\x00")
		if len(nal) < 3 {
			continue
		}
		switch kind := nal[0] >> 1 & 0x3f; {
		case kind == vps, kind == sps, kind == pps:
			sets[kind] = nal
		case kind < slices0 && nal[2]&0x80 != 0: // the first part of a picture
			frames = append(frames, append(u32(len(nal)), nal...))
		case kind < slices0:
			last := len(frames) - 1
			frames[last] = slices.Concat(frames[last], u32(len(nal)), nal)
		}
	}
	// What stands behind the head of the parameter set: profile, tier and level, without the bytes against start codes.
	level := bytes.ReplaceAll(sets[sps][2:20], []byte{0, 0, 3}, []byte{0, 0})[1:13]
	chroma, depth := spsFormat(sets[sps])
	config = slices.Concat([]byte{1}, level, []byte{0xf0, 0, 0xfc, 0xfc | chroma, 0xf8 | depth, 0xf8 | depth, 0, 0, 0x0f, 3})
	for _, kind := range []byte{vps, sps, pps} {
		config = slices.Concat(config, []byte{0x80 | kind, 0, 1}, u16(len(sets[kind])), sets[kind])
	}
	return config, frames
}

// spsFormat reads the chroma format of a parameter set and its bits beyond 8; the streams here have one layer.
func spsFormat(sps []byte) (chroma, depth byte) {
	data := bytes.ReplaceAll(sps, []byte{0, 0, 3}, []byte{0, 0})
	at := 8 * (2 + 1 + 12)
	bit := func() int {
		at++
		return int(data[(at-1)/8]>>(7-(at-1)%8)) & 1
	}
	number := func() int {
		zeros := 0
		for bit() == 0 {
			zeros++
		}
		n := 1
		for range zeros {
			n = n<<1 | bit()
		}
		return n - 1
	}
	number()
	chroma = byte(number())
	if chroma == 3 {
		bit()
	}
	number()
	number()
	if bit() == 1 {
		for range 4 {
			number()
		}
	}
	return chroma, byte(number())
}

func u16(n int) []byte { return binary.BigEndian.AppendUint16(nil, uint16(n)) }
func u32(n int) []byte { return binary.BigEndian.AppendUint32(nil, uint32(n)) }

func heifBox(name string, parts ...[]byte) []byte {
	body := slices.Concat(parts...)
	return slices.Concat(u32(8+len(body)), []byte(name), body)
}

func heifFull(name string, version byte, parts ...[]byte) []byte {
	return heifBox(name, append([][]byte{{version, 0, 0, 0}}, parts...)...)
}
