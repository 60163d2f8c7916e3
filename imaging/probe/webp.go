package probe

import "fmt"

// readWebP reads the RIFF chunks VP8, VP8L and VP8X and looks for EXIF in as much of the file as it is given; EXIF comes after the pixels.
// ASSUMED [Turns of PNG and WebP]: the orientation it may name does not count.
func readWebP(head []byte, facts *Facts) error {
	facts.BitDepth, facts.Channels = 8, 3
	var exif exifReader
	canvas := false // VP8X told the size
	alpha, pixels := false, false
	for at := 12; ; {
		if at+8 > len(head) {
			if facts.RawWidth > 0 {
				return nil
			}
			return ErrNeedMore
		}
		name := string(head[at : at+4])
		size := int64(le32(head[at+4:]))
		end := int64(at) + 8 + size
		body := head[at+8 : int(min(end, int64(len(head))))]
		switch name {
		case "VP8X":
			if len(body) < 10 {
				return shortChunk(name, size, false)
			}
			canvas = true
			facts.Animated = body[0]&0x02 != 0
			facts.HasAlpha = body[0]&0x10 != 0
			facts.RawWidth, facts.RawHeight = le24(body[4:])+1, le24(body[7:])+1
		case "ALPH":
			alpha = true
		case "VP8 ":
			if !pixels {
				facts.Lossy, facts.AlphaPlane = true, alpha
			}
			pixels = true
			if len(body) < 10 {
				return shortChunk(name, size, canvas)
			}
			if body[0]&1 != 0 || string(body[3:6]) != "\x9d\x01\x2a" {
				return fmt.Errorf("%w: VP8 without a key frame", ErrCorrupt)
			}
			if !canvas {
				facts.RawWidth, facts.RawHeight = le16(body[6:])&0x3fff, le16(body[8:])&0x3fff
			}
		case "VP8L":
			pixels = true
			if len(body) < 5 {
				return shortChunk(name, size, canvas)
			}
			if body[0] != 0x2f {
				return fmt.Errorf("%w: VP8L signature %#x", ErrCorrupt, body[0])
			}
			bits := le32(body[1:])
			if !canvas {
				facts.RawWidth, facts.RawHeight = int(bits&0x3fff)+1, int(bits>>14&0x3fff)+1
				facts.HasAlpha = bits>>28&1 != 0
			}
		case "ANIM", "ANMF":
			facts.Animated = true
		case "EXIF":
			exif.read(body, false, facts)
		}
		if facts.HasAlpha {
			facts.Channels = 4
		}
		next := end + size&1 // chunks are padded to even length
		if next > int64(len(head)) {
			if facts.RawWidth > 0 {
				return nil
			}
			return ErrNeedMore
		}
		at = int(next)
	}
}

// shortChunk tells a chunk that is too small from one the head cuts off, which
// does not matter when the size is known already.
func shortChunk(name string, size int64, known bool) error {
	switch {
	case size < 5 || name != "VP8L" && size < 10:
		return fmt.Errorf("%w: %s chunk of %d bytes", ErrCorrupt, name, size)
	case known:
		return nil
	}
	return ErrNeedMore
}
