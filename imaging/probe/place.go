package probe

import "bytes"

// Place is what a file had that tells where its picture was taken.
type Place int

// What Unlocate may have taken away.
const (
	NoPlace     Place = iota
	HiddenPlace       // something that may tell and is not looked into: data behind the picture (a film, a second picture), packed metadata
	KnownPlace        // a place that was named: by EXIF, XMP or IPTC
)

// span is a part of a file.
type span struct{ from, to int }

// Unlocate takes out of a whole picture file, in place, what tells where it was taken: the places of EXIF and IPTC are emptied where they are;
// XMP that names one, metadata packed into texts of a PNG, and what lies behind the picture are cut out. Everything else stays as it is, the
// pixels and the orientation too. What remains is the beginning of the bytes that were given.
func Unlocate(file []byte) (clean []byte, told Place) {
	u := unlocator{file: file}
	switch Sniff(file) {
	case JPEG:
		u.jpeg()
	case PNG:
		u.png()
	case WebP:
		u.webp()
	case HEIC:
		u.heic()
	case TIFF:
		u.tiff()
	}
	return u.rest(), u.told
}

func (s span) of(file []byte) []byte { return file[s.from:s.to] }

type unlocator struct {
	file []byte
	cut  []span // in the order of the file
	told Place
}

func (u *unlocator) tell(p Place) { u.told = max(u.told, p) }

func (u *unlocator) drop(p Place, parts ...span) {
	u.tell(p)
	u.cut = append(u.cut, parts...)
}

// rest moves together what is not cut out.
func (u *unlocator) rest() []byte {
	n, at := 0, 0
	for _, c := range u.cut {
		n += copy(u.file[n:], u.file[at:c.from])
		at = c.to
	}
	if at == 0 {
		return u.file
	}
	n += copy(u.file[n:], u.file[at:])
	return u.file[:n]
}

// behind cuts off what lies behind the picture. Zeros and ends of lines only fill.
func (u *unlocator) behind(end int) (more bool) {
	if more = end < len(u.file) && len(bytes.Trim(u.file[end:], "\x00\r\n")) > 0; more {
		u.drop(HiddenPlace, span{end, len(u.file)})
	}
	return more
}

func (u *unlocator) exif(block []byte) {
	if t, ok := readTIFF(block); ok && t.unlocate() {
		u.tell(KnownPlace)
	}
}

// The heads of JPEG segments with XMP, of the first and of further ones, which have a digest, a length and a place too (XMP Specification
// Part 3, 1.1.3); with resources of Photoshop; with a list of further pictures (CIPA DC-007).
const (
	xmpHead       = "http://ns.adobe.com/xap/1.0/\x00"
	moreXMPHead   = "http://ns.adobe.com/xmp/extension/\x00"
	moreXMPNumber = 32 + 4 + 4
	photoshopHead = "Photoshop 3.0\x00"
	picturesHead  = "MPF\x00"
)

func (u *unlocator) jpeg() {
	var xmp, pictures []span
	var text []byte
	end := -1
	for at := 2; end < 0; {
		marker, body, next, err := segment(u.file, at)
		if err != nil {
			break
		}
		part := span{next - len(body) - 4, next}
		switch {
		case marker == 0xd9:
			end = next
		case marker == 0xe1 && bytes.HasPrefix(body, []byte(xmpHead)):
			xmp, text = append(xmp, part), append(text, body[len(xmpHead):]...)
		case marker == 0xe1 && bytes.HasPrefix(body, []byte(moreXMPHead)):
			xmp, text = append(xmp, part), append(text, body[min(len(moreXMPHead)+moreXMPNumber, len(body)):]...)
		case marker == 0xe1:
			u.exif(body)
		case marker == 0xed && bytes.HasPrefix(body, []byte(photoshopHead)):
			u.photoshop(body[len(photoshopHead):])
		case marker == 0xe2 && bytes.HasPrefix(body, []byte(picturesHead)):
			pictures = append(pictures, part)
		}
		at = next
	}
	located := namesPlace(text)
	tail := unlocator{file: u.file}
	if end >= 0 && tail.behind(end) {
		u.tell(tail.told)
	} else {
		pictures = nil
	}
	if located {
		u.tell(KnownPlace)
	} else {
		xmp = nil
	}
	// All lie before the end, each kind in the order of the file.
	for len(xmp)+len(pictures) > 0 {
		from := &xmp
		if len(xmp) == 0 || len(pictures) > 0 && pictures[0].from < xmp[0].from {
			from = &pictures
		}
		u.cut, *from = append(u.cut, (*from)[0]), (*from)[1:]
	}
	u.cut = append(u.cut, tail.cut...)
}

func (u *unlocator) png() {
	for at := int64(8); at+12 <= int64(len(u.file)); {
		end := at + 8 + int64(be32(u.file[at:]))
		if end+4 > int64(len(u.file)) {
			return
		}
		body, whole := u.file[at+8:end], span{int(at), int(end) + 4}
		switch string(u.file[at+4 : at+8]) {
		case "eXIf":
			u.exif(body)
			sumChunk(whole.of(u.file))
		case "iTXt", "tEXt", "zTXt":
			name, text, _ := bytes.Cut(body, []byte{0})
			switch packed := len(text) > 0 && text[0] == 1; {
			case bytes.HasPrefix(name, []byte("Raw profile type ")): // EXIF, XMP or IPTC as programs packed them before there was a place for them
				u.drop(HiddenPlace, whole)
			case string(name) != "XML:com.adobe.xmp":
			case packed:
				u.drop(HiddenPlace, whole)
			case namesPlace(text):
				u.drop(KnownPlace, whole)
			}
		case "IEND":
			u.behind(int(end) + 4)
			return
		}
		at = end + 4
	}
}

func (u *unlocator) webp() {
	const xmpFlag = 1 << 2
	end := min(8+int64(le32(u.file[4:])), int64(len(u.file)))
	left := end - 8
	var flags *byte
	for at := int64(12); at+8 <= end; {
		size := int64(le32(u.file[at+4:]))
		next := at + 8 + size
		if next > end {
			break
		}
		body := u.file[at+8 : next]
		next = min(next+size&1, end)
		switch string(u.file[at : at+4]) {
		case "VP8X":
			if len(body) > 0 {
				flags = &body[0]
			}
		case "EXIF":
			u.exif(body)
		case "XMP ":
			if namesPlace(body) {
				u.drop(KnownPlace, span{int(at), int(next)})
				left -= next - at
				if flags != nil {
					*flags &^= xmpFlag
				}
			}
		}
		at = next
	}
	if left < end-8 {
		u.file[4], u.file[5], u.file[6], u.file[7] = byte(left), byte(left>>8), byte(left>>16), byte(left>>24)
	}
	u.behind(int(end + end&1))
}

// placeNames are the properties of XMP that tell a place begin or end so: those of EXIF and of makers of cameras, and those of IPTC (IPTC
// Photo Metadata Standard 2025.1).
var placeNames = []string{
	"GPS", "Gps", "Latitude", "Longitude", "Iptc4xmpCore:Location", "Iptc4xmpCore:CountryCode", "Iptc4xmpExt:Location", "photoshop:City", "photoshop:State",
	"photoshop:Country",
}

func namesPlace(xmp []byte) bool {
	for _, name := range placeNames {
		if bytes.Contains(xmp, []byte(name)) {
			return true
		}
	}
	return false
}

// The resources of Photoshop that matter here (Photoshop File Formats Specification, "Image Resource IDs").
const (
	resourceIPTC  = 0x0404
	resourceEXIF  = 0x0422
	resourceEXIF3 = 0x0423
	resourceXMP   = 0x0424
)

// photoshop empties the places in resources of Photoshop.
func (u *unlocator) photoshop(data []byte) {
	for len(data) >= 12 && string(data[:4]) == "8BIM" {
		id, name := be16(data[4:]), (1+int(data[6])+1)&^1
		if 6+name+4 > len(data) {
			return
		}
		size := int64(be32(data[6+name:]))
		data = data[6+name+4:]
		if size > int64(len(data)) {
			return
		}
		switch body := data[:size]; id {
		case resourceIPTC:
			u.iptc(body)
		case resourceEXIF, resourceEXIF3:
			u.exif(body)
		case resourceXMP:
			if namesPlace(body) {
				u.blank(body)
			}
		}
		data = data[min(size+size&1, int64(len(data))):]
	}
}

// iptc empties the datasets of IPTC's second record that name a place (IIM 4.2): content location, city, sublocation, state, country.
func (u *unlocator) iptc(data []byte) {
	for len(data) >= 5 && data[0] == 0x1c {
		size := be16(data[3:])
		if size > len(data)-5 { // also one of the extended sets, which are for pictures
			return
		}
		switch {
		case data[1] != 2:
		case data[2] == 26, data[2] == 27, data[2] == 90, data[2] == 92, data[2] == 95, data[2] == 100, data[2] == 101:
			u.blank(data[5 : 5+size])
		}
		data = data[5+size:]
	}
}

// blank writes spaces over a text.
func (u *unlocator) blank(text []byte) {
	if len(bytes.Trim(text, " ")) == 0 {
		return
	}
	u.tell(KnownPlace)
	for i := range text {
		text[i] = ' '
	}
}

// heic empties the places in the metadata of a HEIC, where they are, and the boxes that are not the picture's, such as the film of a motion photo.
func (u *unlocator) heic() {
	size := int64(len(u.file))
	h, err := ReadHEIF(u.file, size)
	if err != nil {
		return
	}
	for _, m := range h.metadata {
		for _, p := range m.places {
			body := u.file[p.Offset : p.Offset+p.Bytes]
			if !m.exif {
				if namesPlace(body) {
					u.blank(body)
				}
			} else if t, ok := heifEXIF(body); ok && t.unlocate() {
				u.tell(KnownPlace)
			}
		}
	}
	for at := int64(0); at+8 <= size; {
		n := int64(be32(u.file[at:]))
		if n < 8 || n > size-at {
			return // the last box, or one of the sizes only films have
		}
		switch name := string(u.file[at+4 : at+8]); name {
		case "ftyp", "meta", "mdat", "free", "skip":
		default:
			copy(u.file[at+4:], "free")
			clear(u.file[at+8 : at+n])
			u.tell(HiddenPlace)
		}
		at += n
	}
}

// tiff empties the places in a TIFF file.
func (u *unlocator) tiff() {
	t, ok := readTIFF(u.file)
	if !ok {
		return
	}
	entries, _, err := t.page(t.u32(t.data[4:]), int64(len(t.data)))
	if err != nil {
		return
	}
	d := tiffDirectory{t: t, size: int64(len(t.data)), entries: entries}
	if xmp := d.text(tagXMP); namesPlace(xmp) {
		u.blank(xmp)
	}
	u.iptc(d.text(tagIPTC))
	u.photoshop(d.text(tagPhotoshop))
	u.exif(u.file)
}
