package probe

import "fmt"

// readJPEG walks the segments up to the frame header. EXIF comes before it in
// every file a camera writes; what comes later is not looked for.
func readJPEG(head []byte, facts *Facts) error {
	at := 2
	for {
		if at+2 > len(head) {
			return ErrNeedMore
		}
		if head[at] != 0xff {
			return fmt.Errorf("%w: no marker at byte %d", ErrCorrupt, at)
		}
		marker := head[at+1]
		switch {
		case marker == 0xff: // fill byte
			at++
			continue
		case marker == 0x01, marker >= 0xd0 && marker <= 0xd8: // no length
			at += 2
			continue
		case marker == 0xd9, marker == 0xda:
			return fmt.Errorf("%w: no frame header before the pixels", ErrCorrupt)
		}
		if at+4 > len(head) {
			return ErrNeedMore
		}
		size := be16(head[at+2:])
		if size < 2 {
			return fmt.Errorf("%w: segment of %d bytes", ErrCorrupt, size)
		}
		if at+2+size > len(head) {
			return ErrNeedMore
		}
		body := head[at+4 : at+2+size]
		if isFrameHeader(marker) {
			facts.Progressive = marker == 0xc2
			return readFrameHeader(body, facts)
		}
		if marker == 0xe1 && len(body) > 6 && string(body[:6]) == "Exif\x00\x00" {
			readEXIF(body[6:], facts)
		}
		if marker == 0xe2 && len(body) > 14 && string(body[:12]) == "ICC_PROFILE\x00" && body[12] == 1 {
			facts.Profiled = !callsItselfSRGB(body[14:])
		}
		at += 2 + size
	}
}

// isFrameHeader tells SOF0 to SOF15 from DHT, JPG and DAC, which share the range.
func isFrameHeader(marker byte) bool {
	return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc
}

func readFrameHeader(body []byte, facts *Facts) error {
	if len(body) < 6 {
		return fmt.Errorf("%w: frame header of %d bytes", ErrCorrupt, len(body))
	}
	facts.BitDepth = int(body[0])
	facts.RawHeight, facts.RawWidth = be16(body[1:]), be16(body[3:])
	facts.Channels = int(body[5])
	if facts.Channels < 1 || facts.Channels > 4 {
		return fmt.Errorf("%w: %d colour components", ErrCorrupt, facts.Channels)
	}
	return nil
}
