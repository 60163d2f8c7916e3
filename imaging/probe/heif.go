package probe

import (
	"errors"
	"fmt"

	"atelier/imaging/colour"
)

// HEIF is the outline of a HEIC file (ISO/IEC 23008-12): the picture it shows and what is needed to decode it. Nothing of it is decoded.
type HEIF struct {
	Main HEIFImage
	// Alpha holds the transparency of Main; nil without one.
	Alpha         *HEIFImage
	Premultiplied bool
	Width, Height int    // as seen: cropped and turned
	Turns         []Turn // in their order, from the stored picture to the one that is seen
	Profile       []byte // ICC
	CodePoints    []byte // of colr nclx: primaries, transfer, matrix, full range, a byte each (ISO/IEC 23091-2); nil = not said
	metadata      []heifMetadata
	located       bool
}

// HEIFImage is a picture of tiles, row by row; one that is not divided has one tile.
type HEIFImage struct {
	Width, Height         int // as stored
	Columns, Rows         int
	TileWidth, TileHeight int
	Config                []byte   // hvcC, of the first tile; all have the same
	Tiles                 []Extent // nil while the file is not there as a whole
	id                    uint32
}

// Extent is a part of a file: Bytes from Offset on.
type Extent struct{ Offset, Bytes int64 }

type extents []Extent

// heifMetadata is where a file keeps EXIF or XMP.
type heifMetadata struct {
	exif   bool
	places extents
}

// Turn is a step from the stored picture to the one that is seen.
type Turn struct {
	Kind TurnKind
	By   int // Rotate: quarter turns against the clock; Mirror: 0 = top and bottom change places, 1 = left and right
	// Crop: the part that stays, in px.
	X, Y, Width, Height int
}

// TurnKind tells the steps apart.
type TurnKind int

// The kinds of Turn (ISO/IEC 23008-12, 6.5.9, 6.5.10 and 6.5.12).
const (
	Crop TurnKind = iota
	Rotate
	Mirror
)

// ErrKind says that a file is whole and of a kind that is not opened: another codec, a derivation other than a grid.
var ErrKind = errors.New("probe: a kind that is not opened")

const (
	mostItems      = 4096 // a photo of 48 megapixels has about 200
	mostProperties = 8192
	mostGrid       = 1024 // tiles of a picture; 48 megapixels of an iPhone are 192
)

// item is what the boxes of a HEIC file say of one of its parts.
type item struct {
	kind, content string
	parts         extents
	inIDAT        bool
	known         bool // its place can be found
	properties    []int
}

type heifReader struct {
	data    []byte
	size    int64
	primary uint32
	items   map[uint32]*item
	boxes   [][]byte // properties: type and body
	refs    map[string]map[uint32][]uint32
	idat    span
}

// ReadHEIF reads the outline of a HEIC file of size bytes, of which data is the beginning. The error wraps ErrNeedMore, ErrCorrupt or ErrKind.
func ReadHEIF(data []byte, size int64) (h HEIF, err error) {
	r := &heifReader{data: data, size: size, items: map[uint32]*item{}, refs: map[string]map[uint32][]uint32{}}
	meta, err := r.find("meta")
	if err != nil {
		return h, err
	}
	if err := r.readMeta(meta); err != nil {
		return h, err
	}
	if err := h.outline(r); err != nil {
		return h, err
	}
	return h, nil
}

// find gives the body of a box of the file.
func (r *heifReader) find(name string) (s span, err error) {
	for at := int64(0); ; {
		if at >= r.size {
			return s, fmt.Errorf("%w: no %s box", ErrKind, name)
		}
		if at+16 > int64(len(r.data)) {
			if int64(len(r.data)) < r.size {
				return s, ErrNeedMore
			}
			return s, fmt.Errorf("%w: no %s box", ErrCorrupt, name)
		}
		head, size := int64(8), int64(be32(r.data[at:]))
		switch size {
		case 0:
			size = r.size - at
		case 1:
			head, size = 16, int64(be32(r.data[at+8:]))<<32|int64(be32(r.data[at+12:]))
		}
		if size < head || size > r.size-at {
			return s, fmt.Errorf("%w: a box of %d bytes", ErrCorrupt, size)
		}
		if string(r.data[at+4:at+8]) == name {
			if at+size > int64(len(r.data)) {
				return s, ErrNeedMore
			}
			return span{int(at + head), int(at + size)}, nil
		}
		at += size
	}
}

// eachBox calls f for the boxes in a part of the file, which must fill it.
func (r *heifReader) eachBox(in span, f func(name string, body span) error) error {
	for at := in.from; at < in.to; {
		if in.to-at < 8 {
			return fmt.Errorf("%w: %d bytes behind a box", ErrCorrupt, in.to-at)
		}
		head, size := 8, int64(be32(r.data[at:]))
		switch {
		case size == 0:
			size = int64(in.to - at)
		case size == 1 && in.to-at >= 16:
			head, size = 16, int64(be32(r.data[at+8:]))<<32|int64(be32(r.data[at+12:]))
		}
		if size < int64(head) || size > int64(in.to-at) {
			return fmt.Errorf("%w: a box of %d bytes", ErrCorrupt, size)
		}
		if err := f(string(r.data[at+4:at+8]), span{at + head, at + int(size)}); err != nil {
			return err
		}
		at += int(size)
	}
	return nil
}

// cursor reads numbers one after another; past the end it gives 0 and remembers that.
type cursor struct {
	data  []byte
	short bool
}

func (c *cursor) take(n int) []byte {
	if n < 0 || n > len(c.data) {
		c.data, c.short = nil, true
		return make([]byte, min(max(n, 0), 8))
	}
	b := c.data[:n]
	c.data = c.data[n:]
	return b
}

// number is a big-endian number of 0, 1, 2, 3, 4 or 8 bytes.
func (c *cursor) number(bytes int) (n uint64) {
	for _, b := range c.take(bytes) {
		n = n<<8 | uint64(b)
	}
	return n
}

func (c *cursor) err(box string) error {
	if c.short {
		return fmt.Errorf("%w: %s ends early", ErrCorrupt, box)
	}
	return nil
}

func (r *heifReader) at(s span) *cursor { return &cursor{data: r.data[s.from:s.to]} }

func (r *heifReader) item(id uint32) *item {
	if r.items[id] == nil {
		r.items[id] = &item{}
	}
	return r.items[id]
}

// readMeta reads the boxes that say which items there are, where they lie and how they belong together (ISO/IEC 14496-12, 8.11).
func (r *heifReader) readMeta(meta span) error {
	meta.from += 4 // version and flags
	if meta.from > meta.to {
		return fmt.Errorf("%w: meta ends early", ErrCorrupt)
	}
	return r.eachBox(meta, func(name string, body span) error {
		switch name {
		case "pitm":
			c := r.at(body)
			version := c.number(1)
			c.take(3)
			r.primary = uint32(c.number(2 + 2*int(min(version, 1))))
			return c.err(name)
		case "iinf":
			return r.readInfo(body)
		case "iloc":
			return r.readPlaces(body)
		case "iref":
			return r.readReferences(body)
		case "iprp":
			return r.eachBox(body, func(name string, body span) error {
				switch name {
				case "ipco":
					return r.eachBox(body, func(_ string, body span) error {
						if len(r.boxes) >= mostProperties {
							return fmt.Errorf("%w: more than %d properties", ErrCorrupt, mostProperties)
						}
						r.boxes = append(r.boxes, r.data[body.from-4:body.to])
						return nil
					})
				case "ipma":
					return r.readAssociations(body)
				}
				return nil
			})
		case "idat":
			r.idat = body
		}
		return nil
	})
}

func (r *heifReader) readInfo(body span) error {
	c := r.at(body)
	version := c.number(1)
	c.take(3)
	count := c.number(2 + 2*int(min(version, 1)))
	if err := c.err("iinf"); err != nil {
		return err
	}
	if count > mostItems {
		return fmt.Errorf("%w: %d items", ErrCorrupt, count)
	}
	return r.eachBox(span{body.to - len(c.data), body.to}, func(name string, body span) error {
		c := r.at(body)
		version := c.number(1)
		c.take(3)
		if name != "infe" || version < 2 {
			return nil
		}
		wide := 2
		if version >= 3 {
			wide = 4
		}
		id := uint32(c.number(wide))
		c.take(2)
		kind := string(c.take(4))
		if err := c.err(name); err != nil {
			return err
		}
		if len(r.items) >= mostItems {
			return fmt.Errorf("%w: more than %d items", ErrCorrupt, mostItems)
		}
		it := r.item(id)
		it.kind = kind
		if kind == "mime" {
			it.content = string(c.data[:min(len(c.data), 64)])
		}
		return nil
	})
}

func (r *heifReader) readPlaces(body span) error {
	c := r.at(body)
	version := c.number(1)
	c.take(3)
	sizes, bases := c.number(1), c.number(1)
	offsetBytes, lengthBytes, baseBytes, indexBytes := int(sizes>>4), int(sizes&15), int(bases>>4), int(bases&15)
	if version == 0 {
		indexBytes = 0
	}
	wide := 2
	if version >= 2 {
		wide = 4
	}
	count := c.number(wide)
	if max(offsetBytes, lengthBytes, baseBytes, indexBytes) > 8 || count > mostItems {
		return fmt.Errorf("%w: places of %d items", ErrCorrupt, count)
	}
	total := 0
	for range count {
		it := r.item(uint32(c.number(wide)))
		method := uint64(0)
		if version > 0 {
			method = c.number(2) & 15
		}
		reference := c.number(2)
		base := c.number(baseBytes)
		n := int(c.number(2))
		if total += n; c.short || total > 4*mostItems {
			return fmt.Errorf("%w: iloc", ErrCorrupt)
		}
		it.inIDAT, it.known = method == 1, method <= 1 && reference == 0
		it.parts = nil
		for range n {
			c.number(indexBytes)
			offset, bytes := base+c.number(offsetBytes), c.number(lengthBytes)
			if offset > 1<<40 || bytes > 1<<40 {
				return fmt.Errorf("%w: an item beyond the end", ErrCorrupt)
			}
			it.parts = append(it.parts, Extent{int64(offset), int64(bytes)})
		}
	}
	return c.err("iloc")
}

func (r *heifReader) readReferences(body span) error {
	if body.to-body.from < 4 {
		return fmt.Errorf("%w: iref ends early", ErrCorrupt)
	}
	wide := 2
	if r.data[body.from] > 0 {
		wide = 4
	}
	total := 0
	return r.eachBox(span{body.from + 4, body.to}, func(name string, body span) error {
		c := r.at(body)
		from := uint32(c.number(wide))
		n := int(c.number(2))
		if total += n; total > 4*mostItems {
			return fmt.Errorf("%w: %d references", ErrCorrupt, total)
		}
		if r.refs[name] == nil {
			r.refs[name] = map[uint32][]uint32{}
		}
		for range n {
			r.refs[name][from] = append(r.refs[name][from], uint32(c.number(wide)))
		}
		return c.err(name)
	})
}

func (r *heifReader) readAssociations(body span) error {
	c := r.at(body)
	version := c.number(1)
	wide := 2 + 2*int(min(version, 1))
	long := c.number(3)&1 != 0
	for range min(c.number(4), mostItems+1) {
		it := r.item(uint32(c.number(wide)))
		if c.short || len(r.items) > mostItems {
			return fmt.Errorf("%w: ipma", ErrCorrupt)
		}
		for range c.number(1) {
			index := int(c.number(1)) & 0x7f
			if long {
				index = index<<8 | int(c.number(1))
			}
			it.properties = append(it.properties, index-1)
		}
	}
	return c.err("ipma")
}

// property calls f for the properties of an item, in their order.
func (r *heifReader) property(id uint32, f func(name string, body []byte) error) error {
	for _, i := range r.item(id).properties {
		if i < 0 {
			continue
		}
		if i >= len(r.boxes) {
			return fmt.Errorf("%w: no property %d", ErrCorrupt, i+1)
		}
		if err := f(string(r.boxes[i][:4]), r.boxes[i][4:]); err != nil {
			return err
		}
	}
	return nil
}

// place gives where the bytes of an item lie in the file.
func (r *heifReader) place(id uint32) (extents, error) {
	it := r.items[id]
	if it == nil || !it.known || len(it.parts) == 0 {
		return nil, fmt.Errorf("%w: item %d lies nowhere", ErrKind, id)
	}
	out := make(extents, len(it.parts))
	for i, p := range it.parts {
		end := r.size
		if it.inIDAT {
			p.Offset += int64(r.idat.from)
			end = int64(r.idat.to)
		}
		if p.Bytes == 0 {
			p.Bytes = end - p.Offset
		}
		if p.Bytes < 0 || p.Offset > end || p.Bytes > end-p.Offset {
			return nil, fmt.Errorf("%w: item %d ends early", ErrCorrupt, id)
		}
		out[i] = p
	}
	return out, nil
}

// image reads one picture: of a single item or a grid of them.
func (r *heifReader) image(id uint32) (m HEIFImage, err error) {
	m.id = id
	size := func(id uint32) (w, h int, config []byte, err error) {
		err = r.property(id, func(name string, body []byte) error {
			switch {
			case name == "ispe" && len(body) >= 12:
				w, h = int(be32(body[4:])), int(be32(body[8:]))
			case name == "hvcC":
				config = body
			}
			return nil
		})
		if err == nil && (w < 1 || h < 1 || w > maxSide || h > maxSide) {
			err = fmt.Errorf("%w: item %d is %d × %d", ErrCorrupt, id, w, h)
		}
		return w, h, config, err
	}
	it := r.items[id]
	if it == nil {
		return m, fmt.Errorf("%w: no item %d", ErrCorrupt, id)
	}
	w, h, config, err := size(id)
	if err != nil {
		return m, err
	}
	tiles := []uint32{id}
	m.Width, m.Height, m.Columns, m.Rows, m.TileWidth, m.TileHeight, m.Config = w, h, 1, 1, w, h, config
	switch it.kind {
	case "hvc1":
	case "grid":
		if err := r.grid(&m); err != nil {
			return m, err
		}
		if tiles = r.refs["dimg"][id]; len(tiles) != m.Columns*m.Rows {
			return m, fmt.Errorf("%w: %d tiles for %d × %d", ErrCorrupt, len(tiles), m.Columns, m.Rows)
		}
		for i, tile := range tiles {
			if r.items[tile] == nil || r.items[tile].kind != "hvc1" {
				return m, fmt.Errorf("%w: a grid of others than HEVC", ErrKind)
			}
			w, h, config, err := size(tile)
			if err != nil {
				return m, err
			}
			if i == 0 {
				m.TileWidth, m.TileHeight, m.Config = w, h, config
			}
			if w != m.TileWidth || h != m.TileHeight || string(config) != string(m.Config) {
				return m, fmt.Errorf("%w: tiles of different kinds", ErrKind)
			}
		}
		// Every tile shows: none can be work for nothing (ISO/IEC 23008-12, 6.6.2.3.1).
		if int64(m.Columns)*int64(m.TileWidth) < int64(m.Width) || int64(m.Rows)*int64(m.TileHeight) < int64(m.Height) ||
			int64(m.Columns-1)*int64(m.TileWidth) >= int64(m.Width) || int64(m.Rows-1)*int64(m.TileHeight) >= int64(m.Height) {
			return m, fmt.Errorf("%w: tiles that do not make the picture", ErrCorrupt)
		}
	default:
		return m, fmt.Errorf("%w: a picture of type %q", ErrKind, it.kind)
	}
	if m.Config == nil {
		return m, fmt.Errorf("%w: no hvcC", ErrCorrupt)
	}
	for _, tile := range tiles {
		places, err := r.place(tile)
		if err != nil {
			return m, err
		}
		if len(places) != 1 {
			return m, fmt.Errorf("%w: a tile in %d pieces", ErrKind, len(places))
		}
		m.Tiles = append(m.Tiles, places[0])
	}
	return m, nil
}

// grid reads how many tiles a picture has and how large it is (ISO/IEC 23008-12, 6.6.2.3).
func (r *heifReader) grid(m *HEIFImage) error {
	places, err := r.place(m.id)
	if err != nil {
		return err
	}
	from, size := places[0].Offset, places[0].Bytes
	if len(places) != 1 || size < 8 || size > 64 {
		return fmt.Errorf("%w: a grid of %d bytes", ErrCorrupt, size)
	}
	if from+size > int64(len(r.data)) {
		return ErrNeedMore
	}
	c := &cursor{data: r.data[from : from+size]}
	c.take(1)
	wide := 2 + 2*int(c.number(1)&1)
	m.Rows, m.Columns = int(c.number(1))+1, int(c.number(1))+1
	w, h := c.number(wide), c.number(wide)
	if w != uint64(m.Width) || h != uint64(m.Height) || m.Rows*m.Columns > mostGrid {
		return fmt.Errorf("%w: a grid of %d × %d, %d × %d announced", ErrCorrupt, w, h, m.Width, m.Height)
	}
	return c.err("grid")
}

// The types of auxiliary pictures that hold transparency.
const (
	alphaHEVC = "urn:mpeg:hevc:2015:auxid:1"
	alphaMIAF = "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha"
)

func (h *HEIF) outline(r *heifReader) (err error) {
	if h.Main, err = r.image(r.primary); err != nil {
		return err
	}
	h.Width, h.Height = h.Main.Width, h.Main.Height
	if err := r.property(r.primary, h.see); err != nil {
		return err
	}
	for id, of := range r.refs["auxl"] {
		if h.Alpha != nil || len(of) == 0 || of[0] != r.primary || !r.alpha(id) {
			continue
		}
		alpha, err := r.image(id)
		if err != nil {
			return err
		}
		if alpha.Width != h.Main.Width || alpha.Height != h.Main.Height {
			return fmt.Errorf("%w: transparency of another size", ErrKind)
		}
		h.Alpha = &alpha
		for _, of := range r.refs["prem"][r.primary] {
			h.Premultiplied = h.Premultiplied || of == id
		}
	}
	return h.readMetadata(r)
}

// alpha reports whether an auxiliary item holds transparency.
func (r *heifReader) alpha(id uint32) (yes bool) {
	if err := r.property(id, func(name string, body []byte) error {
		if name == "auxC" && len(body) > 4 {
			kind := string(body[4:])
			for i := range kind {
				if kind[i] == 0 {
					kind = kind[:i]
					break
				}
			}
			yes = kind == alphaHEVC || kind == alphaMIAF
		}
		return nil
	}); err != nil {
		return false
	}
	return yes
}

// see takes from a property how the picture is shown.
func (h *HEIF) see(name string, body []byte) error {
	c := &cursor{data: body}
	switch name {
	case "colr":
		switch kind := string(c.take(4)); kind {
		case "nclx":
			primaries, transfer, matrix, full := c.number(2), c.number(2), c.number(2), c.number(1)
			h.CodePoints = []byte{byte(primaries), byte(transfer), byte(matrix), byte(full >> 7)}
		case "prof", "rICC":
			h.Profile = c.data
		}
	case "irot":
		t := Turn{Kind: Rotate, By: int(c.number(1)) & 3}
		if t.By%2 == 1 {
			h.Width, h.Height = h.Height, h.Width
		}
		if t.By != 0 {
			h.Turns = append(h.Turns, t)
		}
	case "imir":
		h.Turns = append(h.Turns, Turn{Kind: Mirror, By: int(c.number(1)) & 1})
	case "clap":
		return h.crop(c)
	}
	return c.err(name)
}

// crop reads a clean aperture: its width, its height and where its centre lies from that of the picture, as fractions (ISO/IEC 14496-12, 12.1.4.1).
func (h *HEIF) crop(c *cursor) error {
	var n [8]int64
	for i := range n {
		n[i] = int64(int32(c.number(4)))
	}
	if c.short || n[1] < 1 || n[3] < 1 || n[5] < 1 || n[7] < 1 || n[0] < 1 || n[2] < 1 {
		return fmt.Errorf("%w: clap", ErrCorrupt)
	}
	w, hh := n[0]/n[1], n[2]/n[3]
	left := float64(n[4])/float64(n[5]) + float64(int64(h.Width)-w)/2
	top := float64(n[6])/float64(n[7]) + float64(int64(h.Height)-hh)/2
	x, y := int64(left+.5), int64(top+.5)
	if w < 1 || hh < 1 || left < -.5 || top < -.5 || x+w > int64(h.Width) || y+hh > int64(h.Height) {
		return fmt.Errorf("%w: clap", ErrCorrupt)
	}
	h.Turns = append(h.Turns, Turn{Kind: Crop, X: int(x), Y: int(y), Width: int(w), Height: int(hh)})
	h.Width, h.Height = int(w), int(hh)
	return nil
}

// colours are those of the profile or, without one, of the code points, whose matrix is gone once a picture is decoded.
func (h HEIF) colours() colour.Signs {
	if h.Profile != nil || len(h.CodePoints) != 4 {
		return colour.Signs{Profile: h.Profile}
	}
	return colour.Signs{CodePoints: []byte{h.CodePoints[0], h.CodePoints[1], 0, 1}}
}

// readMetadata finds the EXIF and XMP of the file and whether they tell a place.
func (h *HEIF) readMetadata(r *heifReader) error {
	for id, it := range r.items {
		if it.kind != "Exif" && it.kind != "mime" {
			continue
		}
		places, err := r.place(id)
		if err != nil {
			if errors.Is(err, ErrKind) {
				continue
			}
			return err
		}
		h.metadata = append(h.metadata, heifMetadata{it.kind == "Exif", places})
		for _, p := range places {
			if p.Offset+p.Bytes > int64(len(r.data)) {
				continue
			}
			body := r.data[p.Offset : p.Offset+p.Bytes]
			if it.kind == "mime" {
				h.located = h.located || namesPlace(body)
			} else if t, ok := heifEXIF(body); ok {
				at, lies := t.places()
				h.located = h.located || len(at) > 0 || lies
			}
		}
	}
	return nil
}

// heifEXIF finds the TIFF block in the bytes of an Exif item: behind four bytes that say how far (ISO/IEC 23008-12, annex A.2.1).
func heifEXIF(body []byte) (tiff, bool) {
	if len(body) < 4 || int64(be32(body)) > int64(len(body)-4) {
		return tiff{}, false
	}
	return readTIFF(body[4+int(be32(body)):])
}

// readHEIC takes from the outline of a HEIC file what Facts hold.
func readHEIC(head []byte, facts *Facts) error {
	h, err := ReadHEIF(head, facts.Bytes)
	if err != nil {
		return err
	}
	facts.RawWidth, facts.RawHeight = h.Width, h.Height // the turns belong to the picture, whatever its EXIF says
	facts.BitDepth, facts.Channels = 8, 3
	if config := h.Main.Config; len(config) > 17 {
		facts.BitDepth = 8 + int(config[17]&7)
	}
	if h.Alpha != nil {
		facts.HasAlpha, facts.Channels = true, 4
	}
	facts.Located = h.located
	return nil
}
