package probe

import (
	"bytes"
	"fmt"
)

// readJPEG walks the segments up to the frame header. EXIF comes before it in
// every file a camera writes; what comes later is not looked for.
func readJPEG(head []byte, facts *Facts) error {
	for at := 2; ; {
		marker, body, next, err := segment(head, at)
		switch {
		case err != nil:
			return err
		case marker == 0xd9, marker == 0xda:
			return fmt.Errorf("%w: no frame header before the pixels", ErrCorrupt)
		case isFrameHeader(marker):
			facts.Progressive = marker == 0xc2
			return readFrameHeader(body, facts)
		case marker == 0xe1 && len(body) > 6 && string(body[:6]) == "Exif\x00\x00":
			readEXIF(body[6:], facts)
		case marker == 0xe2 && len(body) > 14 && string(body[:12]) == "ICC_PROFILE\x00" && body[12] == 1:
			facts.Profiled = !callsItselfSRGB(body[14:])
		}
		at = next
	}
}

// Segments hands over the segments of a JPEG up to its pixels, each with its marker and without its length.
func Segments(data []byte, take func(marker byte, body []byte)) {
	for at := 2; ; {
		marker, body, next, err := segment(data, at)
		if err != nil || marker == 0xd9 || marker == 0xda {
			return
		}
		take(marker, body)
		at = next
	}
}

// segment finds the next segment of a JPEG from a place outside of one, and where it ends; the mark of the end has no body. Bytes
// between segments that belong to none are passed over, as every decoder does: some cameras leave them.
func segment(data []byte, at int) (marker byte, body []byte, next int, err error) {
	for {
		if at+2 > len(data) {
			return 0, nil, at, ErrNeedMore
		}
		switch marker = data[at+1]; {
		case data[at] != 0xff:
			skip := bytes.IndexByte(data[at:], 0xff)
			if skip < 0 {
				return 0, nil, at, ErrNeedMore
			}
			at += skip
			continue
		case marker == 0xff: // fill byte
			at++
			continue
		case marker == 0x00, marker == 0x01, marker >= 0xd0 && marker <= 0xd8: // no length
			at += 2
			continue
		case marker == 0xd9:
			return marker, nil, at + 2, nil
		}
		if at+4 > len(data) {
			return 0, nil, at, ErrNeedMore
		}
		size := be16(data[at+2:])
		if size < 2 {
			return 0, nil, at, fmt.Errorf("%w: segment of %d bytes", ErrCorrupt, size)
		}
		if next = at + 2 + size; next > len(data) {
			return 0, nil, at, ErrNeedMore
		}
		return marker, data[at+4 : next], next, nil
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
