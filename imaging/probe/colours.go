package probe

import (
	"bytes"
	"compress/zlib"
	"io"

	"atelier/imaging/colour"
)

// Colours gathers what a file says of its colours; facts are those Read gives. It is the one reading of the studio: what goes to
// the image service, thumbnails and the browser's half follow it.
func Colours(data []byte, facts Facts) colour.Signs {
	switch facts.Format {
	case PNG:
		return pngColours(data)
	case JPEG:
		s := colour.Signs{Profile: jpegProfile(data)}
		switch facts.Channels {
		case 1:
			s.Model = colour.Grey
		case 4:
			s.Model = colour.Inks
		}
		return s
	case WebP:
		return colour.Signs{Profile: webpProfile(data)}
	case HEIC:
		if h, err := ReadHEIF(data, facts.Bytes); err == nil {
			return h.colours()
		}
	case TIFF:
		if p, _, err := ReadTIFF(data, facts.Bytes); err == nil {
			s := colour.Signs{Profile: p.Profile}
			if p.Photometric <= TIFFBlackIsZero {
				s.Model = colour.Grey
			}
			return s
		}
	}
	return colour.Signs{}
}

// pngColours reads the chunks before the pixels, of each kind the first.
func pngColours(data []byte) (s colour.Signs) {
	for at := int64(8); at+12 <= int64(len(data)); {
		end := at + 8 + int64(be32(data[at:]))
		if end+4 > int64(len(data)) {
			return s
		}
		switch body := data[at+8 : end]; string(data[at+4 : at+8]) {
		case "IHDR":
			if len(body) >= 10 && body[9]&2 == 0 { // no colours
				s.Model = colour.Grey
			}
		case "cICP":
			if s.CodePoints == nil {
				s.CodePoints = body
			}
		case "iCCP":
			if s.Profile == nil {
				s.Profile = inflateProfile(body)
			}
		case "sRGB":
			s.SRGB = true
		case "gAMA":
			if s.Gamma == 0 && len(body) == 4 {
				s.Gamma = be32(body)
			}
		case "cHRM":
			if s.Primaries == nil && len(body) == 4*8 {
				s.Primaries = new([4][2]float64)
				for i := range 8 {
					s.Primaries[i/2][i%2] = float64(be32(body[4*i:])) / 100_000
				}
			}
		case "IDAT":
			return s
		}
		at = end + 4
	}
	return s
}

// inflateProfile unpacks the body of a PNG's iCCP: a name, 0, the way it is packed, 0, and the profile.
func inflateProfile(body []byte) []byte {
	name := bytes.IndexByte(body, 0)
	if name < 0 || name+2 > len(body) || body[name+1] != 0 {
		return nil
	}
	r, err := zlib.NewReader(bytes.NewReader(body[name+2:]))
	if err != nil {
		return nil
	}
	whole, err := io.ReadAll(io.LimitReader(r, colour.MaxProfile+1))
	if err != nil || len(whole) > colour.MaxProfile {
		return nil
	}
	return whole
}

// jpegProfile joins the pieces of a profile that a JPEG carries before its pixels (ICC.1:2022, annex B.4). One that is whole in its piece counts at
// once; of more, each must be there once.
func jpegProfile(data []byte) []byte {
	const head = "ICC_PROFILE\x00"
	var pieces [256][]byte
	count, found, total := 0, 0, 0
	good := true
	eachSegment(data, func(marker byte, body []byte) bool {
		if marker != 0xe2 || len(body) <= len(head)+2 || string(body[:len(head)]) != head {
			return true
		}
		n, of, piece := int(body[len(head)]), int(body[len(head)+1]), body[len(head)+2:]
		if n == 1 && of == 1 && found == 0 {
			pieces[1], count, found = piece, 1, 1
			return false
		}
		good = good && n >= 1 && n <= of && pieces[n] == nil && (count == 0 || count == of)
		pieces[n], count, found, total = piece, of, found+1, total+len(piece)
		return good
	})
	if !good || found != count || total > colour.MaxProfile {
		return nil
	}
	return bytes.Join(pieces[:], nil)
}

// eachSegment hands over the segments of a JPEG up to its pixels, each with its marker and without its length, until take is false.
func eachSegment(data []byte, take func(marker byte, body []byte) bool) {
	for at := 2; ; {
		marker, body, next, err := segment(data, at)
		if err != nil || marker == 0xd9 || marker == 0xda || !take(marker, body) {
			return
		}
		at = next
	}
}

// webpProfile finds the profile of a WebP; one that VP8X does not announce does not count.
func webpProfile(data []byte) []byte {
	const announced = 1 << 5
	for at := int64(12); at+8 <= int64(len(data)); {
		size := int64(le32(data[at+4:]))
		if size > int64(len(data))-at-8 {
			return nil
		}
		body := data[at+8:][:size]
		switch string(data[at : at+4]) {
		case "VP8X":
			if len(body) < 1 || body[0]&announced == 0 {
				return nil
			}
		case "VP8 ", "VP8L":
			if at == 12 {
				return nil
			}
		case "ICCP":
			if size <= colour.MaxProfile {
				return body
			}
			return nil
		}
		at += 8 + size + size&1
	}
	return nil
}
