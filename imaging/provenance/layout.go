package provenance

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"atelier/imaging/probe"
)

// layout puts the parts of a tagged file together.
type layout struct {
	file   io.ReaderAt
	size   int64
	packet []byte
	parts  []part
}

// own adds bytes of ours.
func (l *layout) own(b []byte) { l.parts = append(l.parts, part{own: b}) }

// keep adds bytes of the file, to what was kept before where they follow each other.
func (l *layout) keep(from, to int64) {
	if from >= to {
		return
	}
	if n := len(l.parts); n > 0 && l.parts[n-1].own == nil && l.parts[n-1].to == from {
		l.parts[n-1].to = to
		return
	}
	l.parts = append(l.parts, part{from: from, to: to})
}

// read gives n bytes of the file at a place.
func (l *layout) read(at, n int64) ([]byte, error) {
	if at+n > l.size {
		return nil, errShape
	}
	return read(l.file, at, n)
}

func read(file io.ReaderAt, at, n int64) ([]byte, error) {
	b := make([]byte, n)
	if got, err := file.ReadAt(b, at); int64(got) < n {
		if errors.Is(err, io.EOF) {
			err = errShape
		}
		return nil, fmt.Errorf("read a file: %w", err)
	}
	return b, nil
}

// starts says whether the bytes at a place, within what ends at end, are a text.
func (l *layout) starts(at, end int64, text string) (bool, error) {
	if at+int64(len(text)) > end {
		return false, nil
	}
	b, err := l.read(at, int64(len(text)))
	return string(b) == text, err
}

// pngName is the keyword of an iTXt chunk with XMP; pngKeyword has what follows it too: not compressed, no language, no translation.
const (
	pngName    = "XML:com.adobe.xmp\x00"
	pngKeyword = pngName + "\x00\x00\x00\x00"
)

func (l *layout) png() error {
	const signature, frame = 8, 12
	l.keep(0, signature)
	for at, n := int64(signature), int64(0); at < l.size; at += n {
		head, err := l.read(at, 8)
		if err != nil {
			return err
		}
		n = int64(binary.BigEndian.Uint32(head)) + frame
		if at+n > l.size {
			return errShape
		}
		kind := string(head[4:])
		if kind == "iTXt" {
			old, err := l.starts(at+8, at+n-4, pngName)
			if err != nil {
				return err
			}
			if old {
				continue
			}
		}
		l.keep(at, at+n)
		switch kind {
		case "IHDR":
			body := append([]byte("iTXt"+pngKeyword), l.packet...)
			chunk := binary.BigEndian.AppendUint32(nil, uint32(len(body)-4))
			chunk = append(chunk, body...)
			l.own(binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(body)))
		case "IEND":
			l.keep(at+n, l.size)
			return nil
		}
	}
	return errShape
}

// jpegName is what an APP1 segment with XMP begins with.
const jpegName = "http://ns.adobe.com/xap/1.0/\x00"

func (l *layout) jpeg() error {
	const app0, app1, app15, comment = 0xe0, 0xe1, 0xef, 0xfe
	segment := binary.BigEndian.AppendUint16([]byte{0xff, app1}, uint16(2+len(jpegName)+len(l.packet)))
	segment = append(append(segment, jpegName...), l.packet...)
	l.keep(0, 2)
	written := false
	for at := int64(2); ; {
		head, err := l.read(at, 4)
		if err != nil {
			return err
		}
		if head[0] != 0xff {
			return errShape
		}
		if kind := head[1]; (kind < app0 || kind > app15) && kind != comment {
			if !written {
				l.own(segment)
			}
			l.keep(at, l.size)
			return nil
		}
		n := 2 + int64(binary.BigEndian.Uint16(head[2:]))
		if n < 4 || at+n > l.size {
			return errShape
		}
		old, exif := false, false
		if head[1] == app1 {
			if old, err = l.starts(at+4, at+n, jpegName); err != nil {
				return err
			}
			if exif, err = l.starts(at+4, at+n, "Exif\x00"); err != nil {
				return err
			}
		}
		// JFIF and Exif come first where they are.
		if !written && head[1] != app0 && !exif {
			l.own(segment)
			written = true
		}
		if !old {
			l.keep(at, at+n)
		}
		at += n
	}
}

func (l *layout) webp() error {
	const head, frame, xmpFlag, alphaFlag = 12, 8, 1 << 2, 1 << 4
	begin, err := read(l.file, 0, min(l.size, 64<<10))
	if err != nil {
		return err
	}
	facts, err := probe.Read(begin, l.size)
	if err != nil {
		return errors.Join(errShape, err)
	}
	l.parts = []part{{own: make([]byte, head)}} // filled in when the length is known
	flags := byte(xmpFlag)
	extended := false
	for at, n := int64(head), int64(0); at+frame <= l.size; at += n {
		chunk, err := l.read(at, frame)
		if err != nil {
			return err
		}
		n = int64(binary.LittleEndian.Uint32(chunk[4:]))
		n += frame + n&1
		if at+n > l.size {
			return errShape
		}
		switch string(chunk[:4]) {
		case "XMP ":
			continue
		case "VP8X":
			own, err := l.read(at, n)
			if err != nil {
				return err
			}
			if len(own) <= frame {
				return errShape
			}
			own[frame] |= xmpFlag
			extended = true
			l.own(own)
			continue
		case "VP8L":
			// The bit behind 14 + 14 bits of size says that there is transparency.
			b, err := l.read(at, min(n, frame+5))
			if err != nil {
				return err
			}
			if len(b) > frame+4 && b[frame+4]&(1<<4) != 0 {
				flags |= alphaFlag
			}
		}
		l.keep(at, at+n)
	}
	tail := binary.LittleEndian.AppendUint32([]byte("XMP "), uint32(len(l.packet)))
	tail = append(tail, l.packet...)
	if len(l.packet)%2 == 1 {
		tail = append(tail, 0)
	}
	l.own(tail)
	length := int64(len("WEBP"))
	for _, p := range l.parts[1:] {
		length += p.len()
	}
	top := &l.parts[0]
	top.own = nil
	if !extended {
		w, h := facts.RawWidth-1, facts.RawHeight-1
		top.own = []byte{'V', 'P', '8', 'X', 10, 0, 0, 0, flags, 0, 0, 0, byte(w), byte(w >> 8), byte(w >> 16), byte(h), byte(h >> 8), byte(h >> 16)}
		length += int64(len(top.own))
	}
	riff := binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(length))
	top.own = append(append(riff, "WEBP"...), top.own...)
	return nil
}

// xmpBox is the name of a uuid box with XMP.
const xmpBox = "\xbe\x7a\xcf\xcb\x97\xa9\x42\xe8\x9c\x71\x99\x94\x91\xe3\xaf\xac"

// film puts the packet behind everything else in an MP4 or MOV: what a film says about the places of its pictures stays true.
func (l *layout) film() error {
	const frame = 8
	for at, n := int64(0), int64(0); at < l.size; at += n {
		head, err := l.read(at, frame)
		if err != nil {
			return err
		}
		switch n = int64(binary.BigEndian.Uint32(head)); n {
		case 0:
			return errShape // it reaches to the end of the file, whatever is put there
		case 1:
			large, err := l.read(at+frame, 8)
			if err != nil {
				return err
			}
			n = int64(binary.BigEndian.Uint64(large))
		}
		if n < frame || n > l.size-at {
			return errShape
		}
		if string(head[4:]) == "uuid" && at+n == l.size {
			old, err := l.starts(at+frame, at+n, xmpBox)
			if err != nil {
				return err
			}
			if old {
				continue // one elsewhere has to stay: behind it lies what has a place
			}
		}
		l.keep(at, at+n)
	}
	box := binary.BigEndian.AppendUint32(nil, uint32(frame+len(xmpBox)+len(l.packet)))
	l.own(bytes.Join([][]byte{box, []byte("uuid" + xmpBox), l.packet}, nil))
	return nil
}
