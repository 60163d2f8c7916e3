package imaging

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"hash/adler32"
	"hash/crc32"
	"image"
	"io"
	"runtime"

	"atelier/imaging/parallel"
)

// encodePNG writes an 8-bit PNG, RGB when the picture is opaque and RGBA when
// it is not. Strips of rows are filtered and packed side by side on all
// processors: deflate streams that end on a byte can be put one after another.
func encodePNG(w io.Writer, img *image.NRGBA, speed Speed) error {
	depth, colourType := 4, byte(6)
	if img.Opaque() {
		depth, colourType = 3, 2
	}
	width, height := img.Rect.Dx(), img.Rect.Dy()
	head := []byte("\x89PNG\r\n\x1a\n")
	ihdr := binary.BigEndian.AppendUint32(nil, uint32(width))
	ihdr = binary.BigEndian.AppendUint32(ihdr, uint32(height))
	head = appendChunk(head, "IHDR", append(ihdr, 8, colourType, 0, 0, 0))
	if _, err := w.Write(head); err != nil {
		return err
	}

	rows := min(max(stripBytes/(1+depth*width), 1), height)
	strips := (height + rows - 1) / rows
	packers := make([]stripPacker, min(runtime.GOMAXPROCS(0), strips))
	level := map[Speed]int{Balanced: 4, Fast: flate.BestSpeed, Small: flate.BestCompression}[speed]
	for i := range packers {
		if err := packers[i].init(img, depth, level); err != nil {
			return err
		}
	}
	sum := uint32(1)
	var chunk []byte
	for first := 0; first < strips; first += len(packers) {
		var strip parallel.Group
		busy := packers[:min(len(packers), strips-first)]
		for i := range busy {
			from := (first + i) * rows
			strip.Go(func() { busy[i].pack(from, min(from+rows, height), from+rows >= height) })
		}
		strip.Wait()
		for i := range busy {
			p := &busy[i]
			if p.err != nil {
				return p.err
			}
			sum = joinAdler(sum, p.sum, p.length)
			var body []byte
			if first+i == 0 {
				body = []byte{0x78, 0x01} // zlib: deflate, 32 KiB window
			}
			body = append(body, p.out.Bytes()...)
			if first+i == strips-1 {
				body = binary.BigEndian.AppendUint32(body, sum)
			}
			chunk = appendChunk(chunk[:0], "IDAT", body)
			if _, err := w.Write(chunk); err != nil {
				return err
			}
		}
	}
	_, err := w.Write(appendChunk(nil, "IEND", nil))
	return err
}

// stripBytes is about how much is packed at a time: enough that a fresh window
// for every strip costs nothing worth mentioning.
const stripBytes = 1 << 20

func appendChunk(dst []byte, name string, body []byte) []byte {
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(body)))
	start := len(dst)
	dst = append(append(dst, name...), body...)
	return binary.BigEndian.AppendUint32(dst, crc32.ChecksumIEEE(dst[start:]))
}

// stripPacker filters and packs strips of one picture, one after another.
type stripPacker struct {
	img   *image.NRGBA
	depth int // bytes per pixel in the file

	row, above []byte    // unfiltered
	tries      [3][]byte // filtered, each with its filter's number in front
	flate      *flate.Writer

	out    bytes.Buffer // the packed strip
	sum    uint32       // Adler-32 of the filtered rows
	length int64        // their length
	err    error
}

func (p *stripPacker) init(img *image.NRGBA, depth, level int) (err error) {
	n := depth * img.Rect.Dx()
	*p = stripPacker{img: img, depth: depth, row: make([]byte, n), above: make([]byte, n)}
	for i := range p.tries {
		p.tries[i] = make([]byte, 1+n)
	}
	if p.flate, err = flate.NewWriter(&p.out, level); err != nil {
		return fmt.Errorf("start packing: %w", err)
	}
	return nil
}

// pack leaves rows from ≤ y < to in out, the end of the stream included if last.
func (p *stripPacker) pack(from, to int, last bool) {
	p.out.Reset()
	p.flate.Reset(&p.out)
	sum := adler32.New()
	p.length = 0
	clear(p.above)
	if from > 0 {
		p.load(p.above, from-1)
	}
	for y := from; y < to; y++ {
		p.load(p.row, y)
		line := p.filter()
		_, _ = sum.Write(line) // a hash takes everything
		p.length += int64(len(line))
		if _, p.err = p.flate.Write(line); p.err != nil {
			return
		}
		p.row, p.above = p.above, p.row
	}
	p.sum = sum.Sum32()
	if last {
		p.err = p.flate.Close()
	} else {
		p.err = p.flate.Flush()
	}
}

func (p *stripPacker) load(dst []byte, y int) {
	src := p.img.Pix[y*p.img.Stride : y*p.img.Stride+4*p.img.Rect.Dx()]
	if p.depth == 4 {
		copy(dst, src)
		return
	}
	for i, j := 0, 0; j+3 <= len(dst); i, j = i+4, j+3 {
		s, d := src[i:i+3:i+3], dst[j:j+3:j+3]
		d[0], d[1], d[2] = s[0], s[1], s[2]
	}
}

// filter returns the row with whichever of the filters Sub, Up and Paeth makes
// its bytes smallest, which is what packs best.
func (p *stripPacker) filter() []byte {
	row, above, n := p.row, p.above[:len(p.row)], p.depth
	sub, up, paeth := p.tries[0], p.tries[1], p.tries[2]
	sub[0], up[0], paeth[0] = 1, 2, 4
	sub, up, paeth = sub[1:1+len(row)], up[1:1+len(row)], paeth[1:1+len(row)]
	var sums [3]int
	for i := range min(n, len(row)) {
		sub[i], up[i], paeth[i] = row[i], row[i]-above[i], row[i]-above[i]
	}
	for i := n; i < len(row); i++ {
		v, a, b, c := row[i], row[i-n], above[i], above[i-n]
		s, u, q := v-a, v-b, v-predict(a, b, c)
		sub[i], up[i], paeth[i] = s, u, q
		sums[0] += magnitude(s)
		sums[1] += magnitude(u)
		sums[2] += magnitude(q)
	}
	best := 0
	for i, sum := range sums {
		if sum < sums[best] {
			best = i
		}
	}
	return p.tries[best]
}

// predict is PNG's Paeth predictor: of left, above and above left the one
// nearest to left + above - above left.
func predict(a, b, c uint8) uint8 {
	pa, pb := int(b)-int(c), int(a)-int(c)
	pc := max(pa+pb, -pa-pb)
	pa, pb = max(pa, -pa), max(pb, -pb)
	switch {
	case pa <= pb && pa <= pc:
		return a
	case pb <= pc:
		return b
	}
	return c
}

// magnitude is the size of a filtered byte as a signed number.
func magnitude(v uint8) int {
	s := int(int8(v))
	return max(s, -s)
}

// joinAdler is the checksum of two pieces of data from the checksum of each and
// the length of the second: its a counts bytes, its b sums a after every byte.
func joinAdler(first, second uint32, length int64) uint32 {
	const base = 65521
	a1, b1 := uint64(first&0xffff), uint64(first>>16)
	a2, b2 := uint64(second&0xffff), uint64(second>>16)
	// The second began with a = 1, where it would have begun with a1.
	shift := (a1 + base - 1) % base
	a := (a2 + shift) % base
	b := (b1 + b2 + uint64(length)%base*shift) % base
	return uint32(b<<16 | a)
}
