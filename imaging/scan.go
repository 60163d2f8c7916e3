package imaging

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	"atelier/imaging/probe"
)

// The scans below read the structure of a file without decoding it, so that a
// small file cannot ask for hours or gigabytes. They are no validators: what
// they let pass the decoder may still refuse.

// What a pixel costs at most, in those of a plain JPEG or PNG, which take about 50 ns when a file is made to ask for much
// (BenchmarkCostliest of bff/media). Those of a JPEG are bounded by what its scans visit.
const (
	effortPlain    = 1
	effortDeep     = 1.5  // 16 bits
	effortLossy    = 1.5  // WebP
	effortLossless = 1    // WebP
	effortAlpha    = 1    // more, for the transparency of a lossy WebP
	effortTurned   = 1.25 // more, for a PNG or WebP that is to be packed again, upright
)

var errEndsEarly = errors.New("the file ends early")

// scanPNG counts chunks. What is decoded is known from the header: image/png
// inflates no more than the picture takes.
func scanPNG(data []byte, facts probe.Facts, lim Limits) (plan, error) {
	count := 0
	for at := 8; ; {
		if len(data)-at < 12 {
			return plan{}, errEndsEarly
		}
		size := int64(binary.BigEndian.Uint32(data[at:]))
		if size > int64(len(data)-at-12) {
			return plan{}, errEndsEarly
		}
		if count++; count > lim.MaxChunks {
			return plan{}, errChunks
		}
		if string(data[at+4:at+8]) == "IEND" {
			break
		}
		at += 12 + int(size)
	}
	bytesPerPixel := int64(4)
	switch {
	case facts.BitDepth == 16:
		bytesPerPixel = 8
	case facts.Channels == 1 || data[25] == 3:
		bytesPerPixel = 1
	}
	if facts.BitDepth == 16 && facts.Channels == 1 {
		bytesPerPixel = 2
	}
	// Interlaced pictures are decoded pass by pass into pictures of their own,
	// the largest of which has half the pixels.
	extra := int64(0)
	if data[28] != 0 {
		extra = facts.Pixels() * bytesPerPixel / 2
	}
	p := plan{[][]byte{data}, facts.Pixels() * bytesPerPixel, extra, effortPlain}
	if facts.BitDepth == 16 {
		p.effort = effortDeep
	}
	if facts.Orientation != 1 {
		p.effort += effortTurned
	}
	return p, nil
}

// scanJPEG counts scans and the blocks they visit: each walks over the whole picture, however few bytes it has.
func scanJPEG(data []byte, facts probe.Facts, lim Limits) (plan, error) {
	p := plan{parts: [][]byte{data}, effort: effortPlain}
	var frame jpegFrame
	scans, visits := 0, int64(0)
	for at := 2; at+1 < len(data); {
		if data[at] != 0xff {
			// Between the pixels and the next marker.
			next := bytes.IndexByte(data[at:], 0xff)
			if next < 0 {
				break
			}
			at += next
			continue
		}
		marker := data[at+1]
		switch {
		case marker == 0xff:
			at++
			continue
		case marker == 0x00, marker == 0x01, marker >= 0xd0 && marker <= 0xd8:
			at += 2
			continue
		case marker == 0xd9:
			return p, nil
		}
		if at+4 > len(data) {
			break
		}
		size := int(binary.BigEndian.Uint16(data[at+2:]))
		if size < 2 || at+2+size > len(data) {
			return plan{}, fmt.Errorf("segment %#x at byte %d: %w", marker, at, errEndsEarly)
		}
		body := data[at+4 : at+2+size]
		switch {
		case marker == 0xda:
			scans++
			if visits += frame.visits(body); scans > lim.MaxScans || visits > lim.MaxVisits {
				return plan{}, errScans
			}
		case marker >= 0xc0 && marker <= 0xc2 && len(body) >= 6 && frame.parts == nil:
			frame = newJPEGFrame(body, marker == 0xc2, facts)
			p.pixels, p.extra = frame.memory()
		}
		at += 2 + size
	}
	// A missing end marker is the decoder's to judge: many files lack it.
	return p, nil
}

// jpegFrame is what the head of a JPEG says of its blocks.
type jpegFrame struct {
	progressive bool
	parts       []jpegBlocks // the components
}

// jpegBlocks is how many blocks of 8 × 8 a component has, those beyond the edge included.
type jpegBlocks struct {
	id    byte
	count int64
}

func newJPEGFrame(body []byte, progressive bool, facts probe.Facts) jpegFrame {
	f := jpegFrame{progressive: progressive}
	sides := func(c int) (h, v int64) {
		sampling := body[6+3*c+1]
		if facts.Channels == 1 {
			return 1, 1
		}
		return max(int64(sampling>>4), 1), max(int64(sampling&15), 1)
	}
	n := min(facts.Channels, (len(body)-6)/3)
	across, down := int64(1), int64(1)
	for c := range n {
		h, v := sides(c)
		across, down = max(across, h), max(down, v)
	}
	units := func(side int, most int64) int64 { return (int64(side) + 8*most - 1) / (8 * most) }
	for c := range n {
		h, v := sides(c)
		f.parts = append(f.parts, jpegBlocks{body[6+3*c], units(facts.RawWidth, across) * h * units(facts.RawHeight, down) * v})
	}
	return f
}

// memory is the bytes of the decoded planes and, for a progressive picture, of the coefficients that are kept between scans, 4
// bytes each. There are at least as many planes as pixels, whatever a frame says that no decoder takes.
func (f jpegFrame) memory() (pixels, extra int64) {
	for _, p := range f.parts {
		pixels += 64 * p.count
	}
	if f.progressive {
		extra = 4 * pixels
	}
	return pixels, extra
}

// What a visit to a block costs, in those that change nothing: about 20 ns.
const (
	visitPassing  = 1
	visitRefining = 3 // looks at every coefficient
	visitPlain    = 6 // makes pixels
)

// visits is the work of a scan, by its head. One that names what is not there costs nothing: no decoder takes it.
func (f jpegFrame) visits(head []byte) (sum int64) {
	if len(head) < 1 || len(head) < 4+2*int(head[0]) {
		return 0
	}
	n := int(head[0])
	first, approximation := head[1+2*n], head[3+2*n]
	each := int64(visitPassing)
	switch {
	case !f.progressive:
		each = visitPlain
	case first > 0 && approximation>>4 > 0:
		each = visitRefining
	}
	for i := range n {
		for _, p := range f.parts {
			if p.id == head[1+2*i] {
				sum += each * p.count
			}
		}
	}
	return sum
}

// scanWebP reduces the file to the chunks that hold pixels, in a container that
// says what is really there: some writers announce an alpha channel and leave
// it out, which the decoder would not forgive.
func scanWebP(data []byte, facts probe.Facts, lim Limits) (plan, error) {
	var alpha, pixels []byte // whole chunks
	lossless := false
	count := 0
	said := int64(0) // bytes of the container, without its head
	if len(data) >= 12 {
		said = int64(binary.LittleEndian.Uint32(data[4:]))
	}
	for at := 12; pixels == nil; {
		if len(data)-at < 8 {
			return plan{}, errEndsEarly
		}
		if count++; count > lim.MaxChunks {
			return plan{}, errChunks
		}
		size := int64(binary.LittleEndian.Uint32(data[at+4:]))
		if size > int64(len(data)-at-8) || int64(at)+size > said {
			return plan{}, errEndsEarly // before the file does, or before the container says that it does: other readers stop there
		}
		chunk := data[at : at+8+int(size)]
		switch string(chunk[:4]) {
		case "ALPH":
			alpha = chunk
		case "VP8L":
			pixels, lossless = chunk, true
		case "VP8 ":
			pixels = chunk
		}
		at += int(size+size&1) + 8
		if at > len(data) && pixels == nil {
			return plan{}, errEndsEarly
		}
	}
	p := plan{pixels: facts.Pixels() * 3 / 2, effort: effortLossy}
	if facts.Orientation != 1 {
		p.effort += effortTurned
	}
	if lossless {
		p.effort += effortLossless - effortLossy
		// The decoder keeps a second copy for its transforms.
		p.pixels, p.extra = 4*facts.Pixels(), 4*facts.Pixels()
		alpha = nil
	}
	// The decoder compares this size with that of the pixels, so a small header
	// cannot hide a large picture.
	if alpha != nil {
		// The alpha plane is decoded as a lossless picture of its own.
		p.effort += effortAlpha
		p.pixels += facts.Pixels()
		p.extra += 8 * facts.Pixels()
	}
	padded := func(chunk []byte) [][]byte {
		if len(chunk)%2 == 1 {
			return [][]byte{chunk, {0}}
		}
		return [][]byte{chunk}
	}
	rest := len(alpha) + len(alpha)%2 + len(pixels) + len(pixels)%2
	p.parts = [][]byte{webpHeader(facts.RawWidth, facts.RawHeight, alpha != nil, rest)}
	if alpha != nil {
		p.parts = append(p.parts, padded(alpha)...)
	}
	p.parts = append(p.parts, padded(pixels)...)
	return p, nil
}
