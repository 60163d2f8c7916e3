package probe

import "bytes"

// The tags that matter here (EXIF 2.32, "TIFF Rev. 6.0 Attribute Information" and "Exif IFD Pointer").
const (
	tagOrientation = 0x0112
	tagGPS         = 0x8825 // points to the directory that says where the picture was taken
)

const (
	entryBytes = 12
	typeShort  = 3
)

// tiff is a TIFF block as EXIF stores it, with the byte order it declares.
type tiff struct {
	data []byte
	u16  func([]byte) int
	u32  func([]byte) uint32
}

// readTIFF knows the block by its first bytes; ok is false for anything else.
func readTIFF(data []byte) (t tiff, ok bool) {
	// Some writers repeat JPEG's prefix in PNG and WebP.
	data = bytes.TrimPrefix(data, []byte("Exif\x00\x00"))
	if len(data) < 8 {
		return tiff{}, false
	}
	switch string(data[:4]) {
	case "II*\x00":
		return tiff{data, le16, le32}, true
	case "MM\x00*":
		return tiff{data, be16, be32}, true
	}
	return tiff{}, false
}

// directory calls f for each entry, 12 bytes, of the directory that starts at a byte of the block.
func (t tiff) directory(at uint32, f func(entry []byte)) {
	if int64(at)+2 > int64(len(t.data)) {
		return
	}
	entries := t.data[int64(at)+2:]
	for count := t.u16(t.data[at:]); count > 0 && len(entries) >= entryBytes; count-- {
		f(entries[:entryBytes])
		entries = entries[entryBytes:]
	}
}

// mostPlaces is how many directories of places are looked at: there is one, but in files that lie.
const mostPlaces = 16

// places gives the starts of the directories of places that have entries; lies says that more are named than are looked at.
func (t tiff) places() (at []uint32, lies bool) {
	named := 0
	t.directory(t.u32(t.data[4:]), func(entry []byte) {
		if t.u16(entry) != tagGPS {
			return
		}
		if named++; named > mostPlaces {
			lies = true
			return
		}
		start, has := t.u32(entry[8:]), false
		if start == 0 {
			return
		}
		if t.directory(start, func([]byte) { has = true }); has {
			at = append(at, start)
		}
	})
	return at, lies
}

// exifReader reads the EXIF blocks of a file in their order.
type exifReader struct{ seen bool }

// read takes what matters out of a block. Of several the first gives the orientation, as in browsers, also where it names none or is broken;
// counts is false for a block that they do not look at. A place counts wherever it stands.
func (r *exifReader) read(block []byte, counts bool, facts *Facts) {
	if counts && !r.seen {
		r.seen = true
		facts.Orientation = orientationIn(block)
	}
	if t, ok := readTIFF(block); ok {
		at, lies := t.places()
		facts.Located = facts.Located || len(at) > 0 || lies
	}
}

// orientationIn is the orientation an EXIF block names: the first that is one SHORT of 1 to 8; 1 where there is none.
func orientationIn(block []byte) int {
	t, ok := readTIFF(block)
	if !ok || len(t.data) != len(block) { // a prefix before the block is the container's, and stands there once
		return 1
	}
	orientation := 0
	t.directory(t.u32(t.data[4:]), func(entry []byte) {
		if t.u16(entry) != tagOrientation || t.u16(entry[2:]) != typeShort || t.u32(entry[4:]) != 1 || orientation != 0 {
			return
		}
		if n := t.u16(entry[8:]); n >= 1 && n <= 8 {
			orientation = n
		}
	})
	return max(orientation, 1)
}

// longestValue bounds the work a file that lies about its directory can ask for; no value of a place is longer, bytes.
const longestValue = 4096

// unlocate empties the directories of places: their values, their entries, their number. Where they lie in each other, so that emptying
// one makes another, or are too many, nothing of the block is believed, and all of it is wiped.
func (t tiff) unlocate() bool {
	for round := range 4 {
		at, lies := t.places()
		if len(at) == 0 && !lies {
			return round > 0
		}
		if lies {
			break
		}
		for _, start := range at {
			t.empty(start)
		}
	}
	clear(t.data)
	return true
}

// empty wipes a directory with its values.
func (t tiff) empty(at uint32) {
	// How many bytes one value of each TIFF type takes.
	widths := [...]int64{0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8}
	t.directory(at, func(entry []byte) {
		if kind := t.u16(entry[2:]); kind < len(widths) {
			from, size := int64(t.u32(entry[8:])), int64(t.u32(entry[4:]))*widths[kind]
			if size > 4 && size <= longestValue && from+size <= int64(len(t.data)) {
				clear(t.data[from : from+size])
			}
		}
		clear(entry)
	})
	clear(t.data[at : at+2])
}
