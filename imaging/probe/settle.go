package probe

import "hash/crc32"

// Settle makes every reader of a whole PNG, JPEG or WebP file see the turn that Read gives: readers disagree about which of several EXIF blocks
// counts, about blocks behind the pixels and about those of WebP. In place, each entry of an orientation is made to say it; nothing else changes.
// changed is false for nearly all files. A PNG whose turn counts is still seen lying by readers that know of none.
func Settle(file []byte) (changed bool) {
	facts, err := Read(file, int64(len(file)))
	if err != nil {
		return false
	}
	switch facts.Format {
	case JPEG:
		eachSegment(file, func(marker byte, body []byte) bool {
			if marker == 0xe1 && isEXIF(body) {
				end := &body[len(exifPrefix)-1]
				changed = settleEXIF(body[len(exifPrefix):], facts.Orientation) || *end != 0 || changed
				*end = 0
			}
			return true
		})
	case PNG:
		for at := int64(8); at+12 <= int64(len(file)); {
			end := at + 8 + int64(be32(file[at:]))
			if end+4 > int64(len(file)) {
				return changed
			}
			if string(file[at+4:at+8]) == "eXIf" && settleEXIF(file[at+8:end], facts.Orientation) {
				changed = true
				sumChunk(file[at : end+4])
			}
			at = end + 4
		}
	case WebP:
		for at := int64(12); at+8 <= int64(len(file)); {
			size := int64(le32(file[at+4:]))
			if size > int64(len(file))-at-8 {
				return changed
			}
			if string(file[at:at+4]) == "EXIF" {
				changed = settleEXIF(file[at+8:][:size], facts.Orientation) || changed
			}
			at += 8 + size + size&1
		}
	}
	return changed
}

// settleEXIF makes the orientations of a block one SHORT of that value.
func settleEXIF(block []byte, orientation int) (changed bool) {
	t, ok := readTIFF(block)
	if !ok {
		return false
	}
	want := []byte{0, typeShort, 0, 0, 0, 1, 0, byte(orientation)}
	if t.data[0] == 'I' {
		want = []byte{typeShort, 0, 1, 0, 0, 0, byte(orientation), 0}
	}
	t.directory(t.u32(t.data[4:]), func(entry []byte) {
		if t.u16(entry) == tagOrientation && string(entry[2:2+len(want)]) != string(want) {
			copy(entry[2:], want)
			changed = true
		}
	})
	return changed
}

// sumChunk writes the checksum at the end of a chunk of a PNG.
func sumChunk(chunk []byte) {
	end := len(chunk) - 4
	sum := crc32.ChecksumIEEE(chunk[4:end])
	chunk[end], chunk[end+1], chunk[end+2], chunk[end+3] = byte(sum>>24), byte(sum>>16), byte(sum>>8), byte(sum)
}
