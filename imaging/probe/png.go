package probe

import "fmt"

// readPNG reads IHDR and, as far as the head reaches, the chunks before and after the pixels that matter: tRNS, acTL (animated), eXIf and cICP.
func readPNG(head []byte, facts *Facts) error {
	const first = 8 // after the signature
	if len(head) < first+8+13 {
		return ErrNeedMore
	}
	if be32(head[first:]) != 13 || string(head[first+4:first+8]) != "IHDR" {
		return fmt.Errorf("%w: a PNG must start with IHDR", ErrCorrupt)
	}
	ihdr := head[first+8:]
	facts.RawWidth, facts.RawHeight = int(be32(ihdr)), int(be32(ihdr[4:]))
	facts.BitDepth = int(ihdr[8])
	switch ihdr[9] {
	case 0:
		facts.Channels = 1
	case 2:
		facts.Channels = 3
	case 3:
		// The palette has 8 bits per channel, whatever its index takes.
		facts.BitDepth, facts.Channels = 8, 3
	case 4:
		facts.Channels, facts.HasAlpha = 2, true
	case 6:
		facts.Channels, facts.HasAlpha = 4, true
	default:
		return fmt.Errorf("%w: colour type %d", ErrCorrupt, ihdr[9])
	}
	var exif exifReader
	pixels := false
	for at := first; at+8 <= len(head); {
		size := int64(be32(head[at:]))
		name := string(head[at+4 : at+8])
		body := head[at+8 : int(min(int64(at)+8+size, int64(len(head))))]
		switch name {
		case "acTL":
			facts.Animated = true
		case "tRNS":
			if !facts.HasAlpha {
				facts.HasAlpha = true
				facts.Channels++
			}
		case "eXIf":
			exif.read(body, !pixels, facts)
		case "IDAT":
			pixels = true
		case "cICP":
			if !pixels && len(body) == 4 && body[2] != 0 {
				facts.Coding = OtherColours
			}
		case "IEND":
			return nil
		}
		next := int64(at) + 12 + size
		if next > int64(len(head)) {
			break
		}
		at = int(next)
	}
	return nil
}
