package probe

import (
	"bytes"
	"fmt"
)

// readJPEG walks the segments up to the pixels. EXIF stands before the frame header in every file a camera writes; browsers also read what
// stands behind it.
func readJPEG(head []byte, facts *Facts) error {
	var exif exifReader
	framed := false
	for at := 2; ; {
		marker, body, next, err := segment(head, at)
		switch {
		case err != nil:
			return err
		case marker == 0xd9, marker == 0xda:
			if !framed {
				return fmt.Errorf("%w: no frame header before the pixels", ErrCorrupt)
			}
			return nil
		case isFrameHeader(marker) && !framed:
			framed = true
			facts.Progressive = marker == 0xc2
			if err := readFrameHeader(body, facts); err != nil {
				return err
			}
			facts.Coding = codingOf(marker, body, facts)
		case marker == 0xe1 && isEXIF(body):
			exif.read(body[len(exifPrefix):], true, facts)
		}
		at = next
	}
}

// exifPrefix begins a segment with EXIF. Of its last byte readers do not ask what it is (EXIF 2.32, 4.7.2 has 0).
const exifPrefix = "Exif\x00\x00"

func isEXIF(body []byte) bool {
	return len(body) >= len(exifPrefix) && string(body[:len(exifPrefix)-1]) == exifPrefix[:len(exifPrefix)-1]
}

// codingOf is how the pixels of a JPEG are packed, by the mark of its frame (ITU-T T.81, table B.1).
func codingOf(marker byte, frame []byte, facts *Facts) Coding {
	switch {
	case marker >= 0xc9:
		return Arithmetic
	case marker == 0xc3:
		return Lossless
	case marker > 0xc3:
		return Hierarchical
	case facts.BitDepth != 8:
		return DeepJPEG
	case facts.Channels == 2:
		return TwoParts
	case !plainSampling(frame, facts.Channels):
		return OddSampling
	}
	return Plain
}

// plainSampling reports whether the decoder takes the sizes in which the components of a frame are stored (image/jpeg, processSOF).
func plainSampling(frame []byte, parts int) bool {
	const head, each = 6, 3
	if len(frame) < head+each*parts {
		return true // the decoder tells what is wrong
	}
	var across, down [4]int
	for i := range parts {
		sampling := int(frame[head+each*i+1])
		across[i], down[i] = sampling>>4, sampling&15
		if across[i] == 0 || down[i] == 0 {
			return true
		}
	}
	whole := func(n, of int) bool { return n == 1 || n == 2 || n == 4 && of == 4 }
	switch parts {
	case 3:
		return whole(across[0], 4) && whole(down[0], 2) && across[0]%across[1] == 0 && down[0]%down[1] == 0 && across[2] == across[1] && down[2] == down[1]
	case 4:
		same := across[0] == down[0] && (across[0] == 1 || across[0] == 2)
		return same && across[3] == across[0] && down[3] == down[0] && across[1]*down[1]*across[2]*down[2] == 1
	}
	return true
}

// Model is what tells the model of a JPEG's colours.
type Model struct {
	JFIF    bool
	Adobe   int  // the transform Adobe's marker names, -1 without one
	Letters bool // the components are called R, G and B
}

// ReadModel reads the segments of a JPEG before its pixels.
func ReadModel(data []byte) Model {
	const adobe, jfif, transform = "Adobe", "JFIF\x00", 11
	m := Model{Adobe: -1}
	eachSegment(data, func(marker byte, body []byte) bool {
		switch {
		case marker == 0xe0 && bytes.HasPrefix(body, []byte(jfif)):
			m.JFIF = true
		case marker == 0xee && len(body) > transform && bytes.HasPrefix(body, []byte(adobe)):
			m.Adobe = int(body[transform])
		case isFrameHeader(marker) && len(body) >= 6+3*3:
			m.Letters = body[6] == 'R' && body[9] == 'G' && body[12] == 'B'
		}
		return true
	})
	return m
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
