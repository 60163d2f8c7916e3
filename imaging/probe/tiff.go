package probe

import (
	"fmt"
	"slices"
)

// TIFFPicture is the outline of the first picture of a TIFF file (TIFF 6.0): what it is and where its pixels lie. Nothing of it is decoded.
type TIFFPicture struct {
	Width, Height           int
	Bits, Samples           int // of a channel; channels of a pixel
	Photometric             int
	Compression             int
	Differences             bool // each value is stored as what it differs from the one to its left
	Planar                  bool // each channel for itself
	Alpha, Premultiplied    bool // the last channel is transparency
	BlockWidth, BlockHeight int  // of strips or tiles
	Tiled                   bool // the blocks at the edges are whole
	Blocks                  []Extent
	Palette                 []uint16 // all reds, all greens, all blues
	Profile                 []byte   // ICC
	Orientation             int
	Pages                   int
	Little                  bool // the byte order of 16-bit values
	located                 bool
}

// How colours of a TIFF are stored (TIFF 6.0, "PhotometricInterpretation").
const (
	TIFFWhiteIsZero = 0
	TIFFBlackIsZero = 1
	TIFFRGB         = 2
	TIFFPalette     = 3
	tiffInks        = 5
)

// How pixels of a TIFF are packed (TIFF 6.0, "Compression"; Adobe's supplements for 8).
const (
	TIFFPlain      = 1
	TIFFLZW        = 5
	TIFFDeflate    = 8
	TIFFDeflateOld = 32946
	TIFFPackBits   = 32773
)

// The tags of a TIFF directory that matter here (TIFF 6.0, appendix A).
const (
	tagPageKind    = 254
	tagWidth       = 256
	tagHeight      = 257
	tagBits        = 258
	tagCompression = 259
	tagPhotometric = 262
	tagStrips      = 273
	tagSamples     = 277
	tagStripRows   = 278
	tagStripBytes  = 279
	tagPlanar      = 284
	tagPredictor   = 317
	tagColourMap   = 320
	tagTileWidth   = 322
	tagTileHeight  = 323
	tagTiles       = 324
	tagTileBytes   = 325
	tagExtra       = 338
	tagFormat      = 339
	tagXMP         = 700
	tagIPTC        = 33723
	tagPhotoshop   = 34377
	tagProfile     = 34675
)

const (
	mostPages      = 64
	mostBlocks     = 1 << 17 // strips of one row each, of a picture 131,072 px high
	longestProfile = 1 << 20
)

// ReadTIFF reads the outline of a TIFF file of size bytes, of which data is the beginning. The error wraps ErrNeedMore, ErrCorrupt or ErrKind; with
// the last one kind tells what is not opened.
func ReadTIFF(data []byte, size int64) (p TIFFPicture, kind Kind, err error) {
	t, ok := readTIFF(data)
	if !ok || len(t.data) != len(data) {
		return p, BigTIFF, fmt.Errorf("%w: a BigTIFF", ErrKind)
	}
	first, next, err := t.page(t.u32(t.data[4:]), size)
	if err != nil {
		return p, 0, err
	}
	d := tiffDirectory{t: t, size: size, entries: first}
	if p, kind, err = d.picture(); err != nil {
		return p, kind, err
	}
	p.Little = string(data[:2]) == "II"
	for p.Pages = 1; next != 0 && p.Pages < mostPages; p.Pages++ {
		if _, next, err = t.page(next, size); err != nil {
			break // of further pages only the number counts
		}
	}
	at, lies := t.places()
	p.located = len(at) > 0 || lies || namesPlace(d.text(tagXMP))
	return p, 0, nil
}

// page gives the entries of the directory at a place, by their tags, and where the next one is.
func (t tiff) page(at uint32, size int64) (entries map[int][]byte, next uint32, err error) {
	from := int64(at)
	if from < 8 || from+2 > size {
		return nil, 0, fmt.Errorf("%w: no directory at %d", ErrCorrupt, at)
	}
	if from+2 > int64(len(t.data)) {
		return nil, 0, ErrNeedMore
	}
	count := int64(t.u16(t.data[from:]))
	end := from + 2 + count*entryBytes
	if end+4 > size {
		return nil, 0, fmt.Errorf("%w: a directory that ends early", ErrCorrupt)
	}
	if end+4 > int64(len(t.data)) {
		return nil, 0, ErrNeedMore
	}
	entries = map[int][]byte{}
	t.directory(at, func(entry []byte) {
		if tag := t.u16(entry); entries[tag] == nil {
			entries[tag] = entry
		}
	})
	return entries, t.u32(t.data[end:]), nil
}

// tiffDirectory reads the values of a directory; the first error stays.
type tiffDirectory struct {
	t       tiff
	size    int64
	entries map[int][]byte
	err     error
}

// numbers gives the values of a tag, at most so many; nil where it is not there.
func (d *tiffDirectory) numbers(tag, most int) []int64 {
	entry := d.entries[tag]
	if entry == nil || d.err != nil {
		return nil
	}
	width := map[int]int64{1: 1, typeShort: 2, 4: 4}[d.t.u16(entry[2:])]
	count := int64(d.t.u32(entry[4:]))
	if width == 0 || count > int64(most) {
		d.err = fmt.Errorf("%w: %d values of tag %d", ErrCorrupt, count, tag)
		return nil
	}
	raw := d.bytes(entry, count*width)
	if raw == nil {
		return nil
	}
	out := make([]int64, count)
	for i := range out {
		switch width {
		case 1:
			out[i] = int64(raw[i])
		case 2:
			out[i] = int64(d.t.u16(raw[2*i:]))
		default:
			out[i] = int64(d.t.u32(raw[4*i:]))
		}
	}
	return out
}

// bytes gives the n bytes an entry holds or points to.
func (d *tiffDirectory) bytes(entry []byte, n int64) []byte {
	if n <= 4 {
		return entry[8 : 8+n]
	}
	from := int64(d.t.u32(entry[8:]))
	switch {
	case from+n > d.size:
		d.err = fmt.Errorf("%w: a value beyond the end", ErrCorrupt)
	case from+n > int64(len(d.t.data)):
		d.err = ErrNeedMore
	default:
		return d.t.data[from : from+n]
	}
	return nil
}

func (d *tiffDirectory) number(tag, otherwise int) int {
	v := d.numbers(tag, 64)
	if len(v) == 0 {
		return otherwise
	}
	return int(v[0])
}

// text gives the bytes of a tag that are looked at only when they are there.
func (d *tiffDirectory) text(tag int) []byte {
	entry := d.entries[tag]
	if entry == nil {
		return nil
	}
	other := *d
	other.err = nil
	n := int64(d.t.u32(entry[4:]))
	if n > d.size {
		return nil
	}
	if d.t.u16(entry[2:]) == 4 { // some writers call IPTC a list of LONG
		n *= 4
	}
	return other.bytes(entry, n)
}

func (d *tiffDirectory) picture() (p TIFFPicture, kind Kind, err error) {
	p.Width, p.Height = d.number(tagWidth, 0), d.number(tagHeight, 0)
	p.Photometric, p.Compression = d.number(tagPhotometric, -1), d.number(tagCompression, TIFFPlain)
	p.Samples, p.Planar = d.number(tagSamples, 1), d.number(tagPlanar, 1) == 2
	p.Differences = d.number(tagPredictor, 1) == 2
	if p.Orientation = d.number(tagOrientation, 1); p.Orientation < 1 || p.Orientation > 8 {
		p.Orientation = 1
	}
	bits, formats, extra := d.numbers(tagBits, 64), d.numbers(tagFormat, 64), d.numbers(tagExtra, 64)
	if d.err != nil {
		return p, 0, d.err
	}
	if p.Width < 1 || p.Height < 1 || p.Width > maxSide || p.Height > maxSide || p.Samples < 1 {
		return p, 0, fmt.Errorf("%w: %d × %d, %d channels", ErrCorrupt, p.Width, p.Height, p.Samples)
	}
	if p.Bits = 1; len(bits) > 0 {
		p.Bits = int(bits[0])
	}
	colours := map[int]int{TIFFWhiteIsZero: 1, TIFFBlackIsZero: 1, TIFFRGB: 3, TIFFPalette: 1}[p.Photometric]
	packings := []int{TIFFPlain, TIFFLZW, TIFFDeflate, TIFFDeflateOld, TIFFPackBits}
	other := func(list []int64, v int64) bool {
		return slices.ContainsFunc(list, func(n int64) bool { return n != v })
	}
	switch {
	case p.Photometric == tiffInks:
		kind = InksTIFF
	case !slices.Contains(packings, p.Compression), d.number(tagPredictor, 1) > 2:
		kind = PackedTIFF
	case p.Bits != 8 && p.Bits != 16, other(bits, int64(p.Bits)), other(formats, 1):
		kind = DeepTIFF
	case colours == 0, p.Samples < colours, p.Samples > 8, p.Photometric == TIFFPalette && p.Bits != 8:
		kind = OddTIFF
	}
	if kind != 0 {
		return p, kind, fmt.Errorf("%w: TIFF of photometric %d, compression %d, %d × %d bits", ErrKind, p.Photometric, p.Compression, p.Samples, p.Bits)
	}
	if p.Samples > colours {
		// Of more channels the first is transparency when it says so; others are masks of the program that wrote them.
		p.Alpha = len(extra) > 0 && (extra[0] == 1 || extra[0] == 2)
		p.Premultiplied = p.Alpha && extra[0] == 1
	}
	if p.Photometric == TIFFPalette {
		for _, v := range d.numbers(tagColourMap, 3*256) {
			p.Palette = append(p.Palette, uint16(v))
		}
		if d.err == nil && (len(p.Palette) == 0 || len(p.Palette)%3 != 0) {
			return p, 0, fmt.Errorf("%w: a palette of %d values", ErrCorrupt, len(p.Palette))
		}
	}
	if err := d.blocks(&p); err != nil {
		return p, 0, err
	}
	if entry := d.entries[tagProfile]; entry != nil && int64(d.t.u32(entry[4:])) <= longestProfile {
		p.Profile = d.bytes(entry, int64(d.t.u32(entry[4:])))
	}
	return p, 0, d.err
}

// blocks finds the strips or tiles. Each holds pixels of the picture, so that none is work for nothing.
func (d *tiffDirectory) blocks(p *TIFFPicture) error {
	at, bytes := tagStrips, tagStripBytes
	p.BlockWidth, p.BlockHeight = p.Width, min(d.number(tagStripRows, p.Height), p.Height)
	if d.entries[tagTiles] != nil {
		at, bytes, p.Tiled = tagTiles, tagTileBytes, true
		p.BlockWidth, p.BlockHeight = d.number(tagTileWidth, 0), d.number(tagTileHeight, 0)
	}
	if d.err != nil {
		return d.err
	}
	const roundedTo = 1024 // no writer's tiles are larger than this and the picture
	if p.BlockWidth < 1 || p.BlockHeight < 1 || p.BlockWidth > p.Width+roundedTo || p.BlockHeight > p.Height+roundedTo || p.Tiled && (p.BlockWidth < 16 || p.BlockHeight < 16) {
		return fmt.Errorf("%w: blocks of %d × %d", ErrCorrupt, p.BlockWidth, p.BlockHeight)
	}
	across, down := p.Grid()
	n := int64(across) * int64(down)
	if p.Planar {
		n *= int64(p.Samples)
	}
	if n > mostBlocks {
		return fmt.Errorf("%w: %d blocks", ErrCorrupt, n)
	}
	offsets, sizes := d.numbers(at, mostBlocks), d.numbers(bytes, mostBlocks)
	if d.err != nil {
		return d.err
	}
	if len(sizes) == 0 && n == 1 && len(offsets) == 1 && p.Compression == TIFFPlain {
		sizes = []int64{d.size - offsets[0]} // some writers leave it out
	}
	if int64(len(offsets)) < n || int64(len(sizes)) < n {
		return fmt.Errorf("%w: %d of %d blocks", ErrCorrupt, min(len(offsets), len(sizes)), n)
	}
	for i := range n {
		if offsets[i] > d.size || sizes[i] > d.size-offsets[i] {
			return fmt.Errorf("%w: block %d ends early", ErrCorrupt, i)
		}
		p.Blocks = append(p.Blocks, Extent{offsets[i], sizes[i]})
	}
	return nil
}

// Grid is how many blocks there are across and down.
func (p TIFFPicture) Grid() (across, down int) {
	return (p.Width + p.BlockWidth - 1) / p.BlockWidth, (p.Height + p.BlockHeight - 1) / p.BlockHeight
}

// readTIFFFile takes from the outline of a TIFF file what Facts hold.
func readTIFFFile(head []byte, facts *Facts) error {
	p, kind, err := ReadTIFF(head, facts.Bytes)
	if facts.Kind = kind; err != nil {
		return err
	}
	facts.RawWidth, facts.RawHeight, facts.Orientation = p.Width, p.Height, p.Orientation
	facts.BitDepth, facts.Channels, facts.HasAlpha, facts.Pages, facts.Located = p.Bits, 3, p.Alpha, p.Pages, p.located
	if p.Photometric <= TIFFBlackIsZero {
		facts.Channels = 1
	}
	if p.Alpha {
		facts.Channels++
	}
	return nil
}
