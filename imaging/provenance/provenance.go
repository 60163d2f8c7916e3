// Package provenance writes into a picture where it comes from: the IPTC property "Digital Source Type" in an XMP packet. The
// pixels are not touched, and a packet that is there already is replaced.
//
// The terms are those of IPTC's NewsCodes "digitalsourcetype"; the place of a packet in each format is that of "XMP
// Specification Part 3, Storage in Files".
package provenance

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"

	"atelier/imaging/probe"
)

// Source is an IPTC term for how a picture came to be.
type Source string

// The terms the studio uses.
const (
	// Trained is wholly made by a model trained on sampled content.
	Trained Source = "trainedAlgorithmicMedia"
	// TrainedComposite is a photograph of which such a model redrew a part.
	TrainedComposite Source = "compositeWithTrainedAlgorithmicMedia"
	// Algorithmic is wholly made by an algorithm that was not trained on sampled content.
	Algorithmic Source = "algorithmicMedia"
	// Composite is a photograph with parts that were made by an algorithm that was not trained.
	Composite Source = "compositeSynthetic"
)

const vocabulary = "http://cv.iptc.org/newscodes/digitalsourcetype/"

// packet is the XMP packet of a source. Its length depends on the source alone.
func packet(s Source) []byte {
	return []byte(`<?xpacket begin="` + "\ufeff" + `" id="W5M0MpCehiHzreSzNTczkc9d"?>` +
		`<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">` +
		`<rdf:Description rdf:about="" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" xmlns:xmp="http://ns.adobe.com/xap/1.0/">` +
		`<Iptc4xmpExt:DigitalSourceType>` + vocabulary + string(s) + `</Iptc4xmpExt:DigitalSourceType>` +
		`<xmp:CreatorTool>Atelier</xmp:CreatorTool>` +
		`</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="r"?>`)
}

// errShape is a file that is not built as its format says.
var errShape = errors.New("the file is not built as its format says")

// Tag gives a copy of a PNG, JPEG or WebP file that says where it comes from.
func Tag(data []byte, s Source) (tagged []byte, err error) {
	format := probe.Sniff(data)
	switch format {
	case probe.PNG:
		tagged, err = tagPNG(data, packet(s))
	case probe.JPEG:
		tagged, err = tagJPEG(data, packet(s))
	case probe.WebP:
		tagged, err = tagWebP(data, packet(s))
	default:
		return nil, fmt.Errorf("a %s file cannot say where it comes from", format)
	}
	if err != nil {
		return nil, fmt.Errorf("tag a %s file: %w", format, err)
	}
	return tagged, nil
}

// pngKeyword is the iTXt keyword of XMP, with what follows it: not compressed, no language, no translation.
const pngKeyword = "XML:com.adobe.xmp\x00\x00\x00\x00\x00"

func tagPNG(data, xmp []byte) ([]byte, error) {
	const signature, frame = 8, 12
	out := append(make([]byte, 0, len(data)+len(xmp)+len(pngKeyword)+frame), data[:signature]...)
	for rest := data[signature:]; len(rest) > 0; {
		if len(rest) < frame {
			return nil, errShape
		}
		n := uint64(binary.BigEndian.Uint32(rest)) + frame
		if n > uint64(len(rest)) {
			return nil, errShape
		}
		chunk := rest[:n]
		rest = rest[n:]
		if string(chunk[4:8]) == "iTXt" && bytes.HasPrefix(chunk[8:], []byte("XML:com.adobe.xmp\x00")) {
			continue
		}
		out = append(out, chunk...)
		if string(chunk[4:8]) == "IHDR" {
			body := append([]byte("iTXt"+pngKeyword), xmp...)
			out = binary.BigEndian.AppendUint32(out, uint32(len(body)-4))
			out = append(out, body...)
			out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(body))
		}
	}
	return out, nil
}

// jpegName is what an APP1 segment with XMP begins with.
const jpegName = "http://ns.adobe.com/xap/1.0/\x00"

func tagJPEG(data, xmp []byte) ([]byte, error) {
	const app0, app1, app15, comment = 0xe0, 0xe1, 0xef, 0xfe
	segment := binary.BigEndian.AppendUint16([]byte{0xff, app1}, uint16(2+len(jpegName)+len(xmp)))
	segment = append(append(segment, jpegName...), xmp...)
	out := append(make([]byte, 0, len(data)+len(segment)), data[:2]...)
	rest, written := data[2:], false
	for len(rest) >= 4 && rest[0] == 0xff && (rest[1] >= app0 && rest[1] <= app15 || rest[1] == comment) {
		n := 2 + int(binary.BigEndian.Uint16(rest[2:]))
		if n < 4 || n > len(rest) {
			return nil, errShape
		}
		head := rest[:n]
		if rest = rest[n:]; head[1] == app1 && bytes.HasPrefix(head[4:], []byte(jpegName)) {
			continue
		}
		// JFIF and Exif come first where they are.
		first := head[1] == app0 || head[1] == app1 && bytes.HasPrefix(head[4:], []byte("Exif\x00"))
		if !written && !first {
			out, written = append(out, segment...), true
		}
		out = append(out, head...)
	}
	if len(rest) < 2 || rest[0] != 0xff {
		return nil, errShape
	}
	if !written {
		out = append(out, segment...)
	}
	return append(out, rest...), nil
}

func tagWebP(data, xmp []byte) ([]byte, error) {
	const head, frame, xmpFlag, alphaFlag = 12, 8, 1 << 2, 1 << 4
	facts, err := probe.Read(data, int64(len(data)))
	if err != nil {
		return nil, err
	}
	var body []byte
	var extended bool
	flags := byte(xmpFlag)
	for rest := data[head:]; len(rest) >= frame; {
		n := uint64(binary.LittleEndian.Uint32(rest[4:]))
		n += frame + n&1
		if n > uint64(len(rest)) {
			return nil, errShape
		}
		chunk := rest[:n]
		rest = rest[n:]
		switch string(chunk[:4]) {
		case "XMP ":
			continue
		case "VP8X":
			extended = true
			at := len(body)
			body = append(body, chunk...)
			body[at+frame] |= xmpFlag
			continue
		case "VP8L":
			// The bit behind 14 + 14 bits of size says that there is transparency.
			if len(chunk) > frame+4 && chunk[frame+4]&(1<<4) != 0 {
				flags |= alphaFlag
			}
		}
		body = append(body, chunk...)
	}
	body = append(body, "XMP "...)
	body = binary.LittleEndian.AppendUint32(body, uint32(len(xmp)))
	body = append(body, xmp...)
	if len(xmp)%2 == 1 {
		body = append(body, 0)
	}
	if !extended {
		w, h := facts.RawWidth-1, facts.RawHeight-1
		body = append([]byte{
			'V', 'P', '8', 'X', 10, 0, 0, 0, flags, 0, 0, 0, byte(w), byte(w >> 8), byte(w >> 16), byte(h), byte(h >> 8), byte(h >> 16),
		}, body...)
	}
	out := binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(4+len(body)))
	return append(append(out, "WEBP"...), body...), nil
}
