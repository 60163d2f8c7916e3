package container

import (
	"bytes"
	"io"
)

// Patch is bytes of a file that take the place of as many that are there.
type Patch struct {
	At    int64
	Bytes []byte
}

// maxDescription is the longest box of descriptions that is looked into, bytes: titles, covers and places are shorter.
const maxDescription = 16 << 20

// Unlocate gives what to write over a movie so that what describes it and its tracks tells no place any more: boxes of user data, metadata and
// XMP that name one become free space of the same length. A track in which a camera wrote places all along stays. Of other sounds it gives
// nothing.
func Unlocate(r io.ReaderAt, size int64) (patches []Patch, err error) {
	head := make([]byte, min(SniffBytes, max(size, 0)))
	if err := readFull(r, head, 0); err != nil {
		return nil, err
	}
	switch Sniff(head) {
	case MP4, MOV, M4A:
	default:
		return nil, nil
	}
	var look func(from, to int64) error
	look = func(from, to int64) error {
		list, err := boxes(r, from, to)
		if err != nil {
			return err
		}
		for _, b := range list {
			switch b.kind {
			case "moov", "trak":
				err = look(b.from, b.to)
			case "udta", "meta", "uuid":
				patches, err = b.emptied(r, patches)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	err = look(0, size)
	return patches, err
}

// emptied adds what empties a box if it names a place.
func (b box) emptied(r io.ReaderAt, patches []Patch) ([]Patch, error) {
	n := b.to - b.from
	if n > maxDescription {
		return patches, nil
	}
	all := make([]byte, 4+n) // with the type, or the end of a long length behind it
	if err := readFull(r, all, b.from-4); err != nil {
		return patches, err
	}
	if !namesPlace(all[4:]) {
		return patches, nil
	}
	free := []byte("free")
	if string(all[:4]) == b.kind {
		return append(patches, Patch{b.from - 4, append(free, make([]byte, n)...)}), nil
	}
	return append(patches, Patch{b.from - 12, free}, Patch{b.from, make([]byte, n)}), nil
}

// namesPlace knows the places of QuickTime, of 3GPP (TS 26.244, 8.6), of Apple's keys and of XMP.
func namesPlace(text []byte) bool {
	for _, name := range []string{"\xa9xyz", "loci", "location", "GPS", "Latitude"} {
		if bytes.Contains(text, []byte(name)) {
			return true
		}
	}
	return false
}
