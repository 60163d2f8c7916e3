package container

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
)

// Bounds on what a movie may make us read: nothing here grows with what a header claims.
const (
	maxBoxes  = 4096    // at one level
	maxHeader = 1 << 20 // bytes of one box that is read whole
	maxTracks = 64
)

// box is one box of an ISO base media file (ISO/IEC 14496-12, 4.2): its type and where its content lies.
type box struct {
	kind     string
	from, to int64
}

// boxes lists the boxes between two offsets.
func boxes(r io.ReaderAt, from, to int64) ([]box, error) {
	var out []box
	for at := from; at+8 <= to; {
		var head [16]byte
		if err := readFull(r, head[:8], at); err != nil {
			return nil, err
		}
		size, start := int64(binary.BigEndian.Uint32(head[:4])), at+8
		switch size {
		case 0:
			size = to - at // up to the end
		case 1:
			if err := readFull(r, head[8:], at+8); err != nil {
				return nil, err
			}
			size, start = int64(binary.BigEndian.Uint64(head[8:])), at+16
		}
		if size < start-at || size > to-at {
			if kind := string(head[4:8]); len(out) > 0 && from == 0 && kind != "mdat" && kind != "moof" {
				return out, nil // junk after what was needed
			}
			return nil, fmt.Errorf("%w: box of %d bytes at %d", ErrCorrupt, size, at)
		}
		out = append(out, box{kind: string(head[4:8]), from: start, to: at + size})
		if len(out) > maxBoxes {
			if from == 0 {
				return out, nil // a movie in many fragments; what describes it comes first
			}
			return nil, fmt.Errorf("%w: too many boxes", ErrCorrupt)
		}
		at += size
	}
	return out, nil
}

func readFull(r io.ReaderAt, p []byte, at int64) error {
	n, err := r.ReadAt(p, at)
	if n == len(p) {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: the file ends too early", ErrCorrupt)
	}
	return err
}

// content reads a small box whole; at least least bytes or it is damaged.
func (b box) content(r io.ReaderAt, least int64) ([]byte, error) {
	n := b.to - b.from
	if n < least || n > maxHeader {
		return nil, fmt.Errorf("%w: a %s box of %d bytes", ErrCorrupt, b.kind, n)
	}
	p := make([]byte, n)
	return p, readFull(r, p, b.from)
}

// head reads the first n bytes of a box that may be large.
func (b box) head(r io.ReaderAt, n int64) ([]byte, error) {
	if b.to-b.from < n {
		return nil, fmt.Errorf("%w: a %s box of %d bytes", ErrCorrupt, b.kind, b.to-b.from)
	}
	p := make([]byte, n)
	return p, readFull(r, p, b.from)
}

// find gives the box at the end of a path of types below b.
func (b box) find(r io.ReaderAt, path ...string) (box, bool, error) {
	for _, kind := range path {
		list, err := boxes(r, b.from, b.to)
		if err != nil {
			return box{}, false, err
		}
		found := false
		for _, c := range list {
			if c.kind == kind {
				b, found = c, true
				break
			}
		}
		if !found {
			return box{}, false, nil
		}
	}
	return b, true, nil
}

// readMovie reads the moov box of an MP4, MOV or M4A file.
func readMovie(r io.ReaderAt, size int64, format Format) (Facts, error) {
	f := Facts{Format: format}
	moov, ok, err := box{from: 0, to: size}.find(r, "moov")
	if err != nil {
		return f, err
	}
	if !ok {
		return f, fmt.Errorf("%w: no moov box", ErrCorrupt)
	}
	if err := wholeMovie(r, size); err != nil {
		return f, err
	}
	list, err := boxes(r, moov.from, moov.to)
	if err != nil {
		return f, err
	}
	tracks := 0
	var whole float64
	for _, b := range list {
		switch b.kind {
		case "mvhd":
			if _, whole, err = duration(r, b); err != nil {
				return f, err
			}
		case "trak":
			if tracks++; tracks > maxTracks {
				return f, fmt.Errorf("%w: too many tracks", ErrCorrupt)
			}
			if err := f.addTrack(r, b); err != nil {
				return f, err
			}
		}
	}
	if whole > 0 {
		// What is shown: a track also counts what an encoder puts before and after its sound, and what an edit list leaves out.
		f.Seconds = whole
	}
	if f.Seconds == 0 {
		if f.Seconds, err = fragmented(r, moov); err != nil {
			return f, err
		}
	}
	if !f.HasVideo() && !f.HasSound() {
		return f, fmt.Errorf("%w: neither picture nor sound", ErrCorrupt)
	}
	if !f.HasVideo() && f.Format == MP4 {
		f.Format = M4A
	}
	return f, nil
}

// wholeMovie refuses a file whose header came first and whose pictures never came: there is no box of media at all. One
// that ends too early is refused where boxes are listed.
func wholeMovie(r io.ReaderAt, size int64) error {
	list, err := boxes(r, 0, size)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(list, func(b box) bool { return b.kind == "mdat" || b.kind == "moof" }) {
		return fmt.Errorf("%w: the file ends before its media", ErrCorrupt)
	}
	return nil
}

// fragmented is the length an mehd box states for a movie in fragments, whose other headers say 0.
func fragmented(r io.ReaderAt, moov box) (float64, error) {
	mehd, ok, err := moov.find(r, "mvex", "mehd")
	if err != nil || !ok {
		return 0, err
	}
	mvhd, ok, err := moov.find(r, "mvhd")
	if err != nil || !ok {
		return 0, err
	}
	scale, _, err := duration(r, mvhd)
	if err != nil || scale == 0 {
		return 0, err
	}
	p, err := mehd.content(r, 8)
	if err != nil {
		return 0, err
	}
	ticks := uint64(binary.BigEndian.Uint32(p[4:]))
	if p[0] == 1 && len(p) >= 12 {
		ticks = binary.BigEndian.Uint64(p[4:])
	}
	return float64(ticks) / scale, nil
}

// duration reads an mvhd or mdhd box: ticks per second, and seconds (ISO/IEC 14496-12, 8.2.2 and 8.4.2).
func duration(r io.ReaderAt, b box) (scale, seconds float64, err error) {
	p, err := b.content(r, 20)
	if err != nil {
		return 0, 0, err
	}
	var ticks uint64
	switch {
	case p[0] == 0:
		scale, ticks = float64(binary.BigEndian.Uint32(p[12:])), uint64(binary.BigEndian.Uint32(p[16:]))
		if ticks == math.MaxUint32 {
			ticks = 0 // "not known"
		}
	case len(p) >= 32:
		scale, ticks = float64(binary.BigEndian.Uint32(p[20:])), binary.BigEndian.Uint64(p[24:])
		if ticks == math.MaxUint64 {
			ticks = 0
		}
	default:
		return 0, 0, fmt.Errorf("%w: a short %s box", ErrCorrupt, b.kind)
	}
	if scale == 0 {
		return 0, 0, nil
	}
	return scale, float64(ticks) / scale, nil
}

// addTrack reads one trak box: the first picture track and the first sound track count.
func (f *Facts) addTrack(r io.ReaderAt, trak box) error {
	handler, ok, err := trak.find(r, "mdia", "hdlr")
	if err != nil || !ok {
		return err
	}
	p, err := handler.head(r, 12)
	if err != nil {
		return err
	}
	kind := string(p[8:12])
	if kind != "vide" && kind != "soun" {
		return nil
	}
	codec, err := sampleEntry(r, trak)
	if err != nil {
		return err
	}
	mdhd, ok, err := trak.find(r, "mdia", "mdhd")
	if err != nil {
		return err
	}
	seconds := 0.0
	if ok {
		if _, seconds, err = duration(r, mdhd); err != nil {
			return err
		}
	}
	f.Seconds = max(f.Seconds, seconds)
	if kind == "soun" {
		if f.AudioCodec == "" {
			f.AudioCodec = codec
		}
		return nil
	}
	if f.VideoCodec != "" || Cover(codec) {
		return nil // a second picture track, or a cover
	}
	f.VideoCodec = codec
	if err := f.addSize(r, trak); err != nil {
		return err
	}
	if f.Frames, err = samples(r, trak); err != nil {
		return err
	}
	if seconds > 0 && f.Frames > 0 {
		f.FPS = float64(f.Frames) / seconds
	}
	return nil
}

// Cover reports whether a track of that code is a still that stands for the movie, not its picture. Whoever chooses a stream of a file leaves out the same
// ones.
func Cover(code string) bool { return code == "jpeg" || code == "png " }

// sampleEntry is the type of the first entry of the stsd box: the codec.
func sampleEntry(r io.ReaderAt, trak box) (string, error) {
	stsd, ok, err := trak.find(r, "mdia", "minf", "stbl", "stsd")
	if err != nil {
		return "", err
	}
	if !ok {
		return "", fmt.Errorf("%w: a track without stsd", ErrCorrupt)
	}
	p, err := stsd.head(r, 16)
	if err != nil {
		return "", err
	}
	return string(p[12:16]), nil
}

// addSize reads the tkhd box: 16.16 width and height, and a matrix whose quarter turns swap them (8.3.2).
func (f *Facts) addSize(r io.ReaderAt, trak box) error {
	tkhd, ok, err := trak.find(r, "tkhd")
	if err != nil || !ok {
		return err
	}
	p, err := tkhd.content(r, 84)
	if err != nil {
		return err
	}
	at := 40
	if p[0] == 1 {
		at = 52
	}
	if len(p) < at+44 {
		return fmt.Errorf("%w: a short tkhd box", ErrCorrupt)
	}
	a, b := int32(binary.BigEndian.Uint32(p[at:])), int32(binary.BigEndian.Uint32(p[at+4:]))
	f.Width, f.Height = int(binary.BigEndian.Uint32(p[at+36:])>>16), int(binary.BigEndian.Uint32(p[at+40:])>>16)
	if a == 0 && b != 0 {
		f.Width, f.Height = f.Height, f.Width
	}
	return nil
}

// samples is the number of frames of a track by its stsz or stz2 box.
func samples(r io.ReaderAt, trak box) (int, error) {
	stbl, ok, err := trak.find(r, "mdia", "minf", "stbl")
	if err != nil || !ok {
		return 0, err
	}
	list, err := boxes(r, stbl.from, stbl.to)
	if err != nil {
		return 0, err
	}
	for _, b := range list {
		if b.kind != "stsz" && b.kind != "stz2" {
			continue
		}
		p, err := b.head(r, 12)
		if err != nil {
			return 0, err
		}
		return int(binary.BigEndian.Uint32(p[8:])), nil
	}
	return 0, nil
}
