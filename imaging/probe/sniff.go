package probe

import "bytes"

// sniffBytes is how much Sniff looks at.
const sniffBytes = 512

// Sniff tells what a file is from its first bytes.
func Sniff(head []byte) Format {
	head = head[:min(len(head), sniffBytes)]
	has := func(at int, magic string) bool {
		return len(head) >= at+len(magic) && string(head[at:at+len(magic)]) == magic
	}
	switch {
	case has(0, "\x89PNG\r\n\x1a\n"):
		return PNG
	case has(0, "\xff\xd8\xff"):
		return JPEG
	case has(0, "RIFF") && has(8, "WEBP"):
		return WebP
	case has(0, "GIF87a"), has(0, "GIF89a"):
		return GIF
	case has(0, "BM") && len(head) >= 26 && head[14] >= 12 && head[14] <= 124 && head[15] == 0:
		return BMP
	case has(0, "II*\x00"), has(0, "MM\x00*"), has(0, "II+\x00"), has(0, "MM\x00+"):
		return TIFF
	case has(0, "%PDF-"):
		return PDF
	case has(0, "8BPS\x00\x02"):
		return PSB
	case has(0, "8BPS"):
		return PSD
	case has(0, "PK\x03\x04"), has(0, "PK\x05\x06"):
		return ZIP
	case has(0, "\x1a\x45\xdf\xa3"):
		return WEBM
	case has(4, "ftyp"):
		return sniffBrand(head)
	}
	return sniffText(head)
}

// sniffBrand tells the ISO media files apart: the major brand, and for
// pictures the compatible ones, are four letters each.
func sniffBrand(head []byte) Format {
	end := min(len(head), int(be32(head)))
	if end < 12 {
		end = min(len(head), 12)
	}
	if end < 12 {
		return Unknown
	}
	heic := false
	for at := 8; at+4 <= end; at += 4 {
		switch string(head[at : at+4]) {
		case "avif", "avis":
			return AVIF
		case "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1":
			heic = true
		case "qt  ":
			if at == 8 {
				return MOV
			}
		}
	}
	if heic {
		return HEIC
	}
	return MP4
}

// sniffText recognises markup, which must never be taken for a picture.
func sniffText(head []byte) Format {
	text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	if len(text) == 0 || text[0] != '<' {
		return Unknown
	}
	text = bytes.ToLower(text)
	switch {
	case bytes.Contains(text, []byte("<svg")):
		return SVG
	case bytes.HasPrefix(text, []byte("<!doctype html")), bytes.Contains(text, []byte("<html")):
		return HTML
	}
	return Unknown
}

func be16(b []byte) int { return int(b[0])<<8 | int(b[1]) }
func be32(b []byte) uint32 {
	return uint32(b[0])<<24 | uint32(b[1])<<16 | uint32(b[2])<<8 | uint32(b[3])
}
func le16(b []byte) int { return int(b[1])<<8 | int(b[0]) }
func le24(b []byte) int { return int(b[2])<<16 | int(b[1])<<8 | int(b[0]) }
func le32(b []byte) uint32 {
	return uint32(b[3])<<24 | uint32(b[2])<<16 | uint32(b[1])<<8 | uint32(b[0])
}
