package imaging

import (
	"encoding/binary"
	"errors"

	"atelier/imaging/probe"
)

// The scans below read the structure of a file without decoding it, so that a
// small file cannot ask for hours or gigabytes. They are no validators: what
// they let pass the decoder may still refuse.

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
	return plan{[][]byte{data}, facts.Pixels() * bytesPerPixel, extra}, nil
}

// scanJPEG counts scans and the blocks they visit. A missing end mark is put back: whether all pixels are there the decoder tells.
func scanJPEG(data []byte, facts probe.Facts, lim Limits) (plan, error) {
	w, err := probe.ReadWork(data, facts, lim.MaxScans, lim.MaxVisits)
	p := plan{[][]byte{data}, w.Planes, w.Kept}
	if more := modelMarker(data, facts); more != nil {
		p.parts = [][]byte{data[:2], more, data[2:]}
	}
	if !w.Ended {
		p.parts = append(p.parts, []byte{0xff, 0xd9})
	}
	return p, err
}

// The markers by which a decoder is told the model of a JPEG's colours: of Adobe, inks that are inverted; of JFIF, luminance and two colours.
var (
	adobeMarker = []byte("\xff\xee\x00\x0eAdobe\x00\x64\x00\x00\x00\x00\x00")
	jfifMarker  = []byte("\xff\xe0\x00\x10JFIF\x00\x01\x02\x00\x00\x01\x00\x01\x00\x00")
)

// modelMarker is the marker to add to a JPEG whose colours the standard library's decoder reads otherwise than browsers do: four components without
// a marker are inks as Adobe writes them, and what Adobe's marker calls luminance and colours is that, also where the components are named R, G, B.
func modelMarker(data []byte, facts probe.Facts) []byte {
	if facts.Channels < 3 {
		return nil
	}
	switch m := probe.ReadModel(data); {
	case facts.Channels == 4 && m.Adobe < 0:
		return adobeMarker
	case facts.Channels == 3 && m.Adobe > 0 && m.Letters && !m.JFIF:
		return jfifMarker
	}
	return nil
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
	p := plan{pixels: facts.Pixels() * 3 / 2}
	if lossless {
		// The decoder keeps a second copy for its transforms.
		p.pixels, p.extra = 4*facts.Pixels(), 4*facts.Pixels()
		alpha = nil
	}
	// The decoder compares this size with that of the pixels, so a small header
	// cannot hide a large picture.
	if alpha != nil {
		// The alpha plane is decoded as a lossless picture of its own.
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
