package heic

import "encoding/binary"

// still is the smallest HEIC file that holds one HEVC picture: its boxes say nothing but what is needed to decode it (ISO/IEC 23008-12), so that
// what else a file claims never reaches the decoder.
func still(config, data []byte, w, h int) []byte {
	u16 := func(n int) []byte { return binary.BigEndian.AppendUint16(nil, uint16(n)) }
	u32 := func(n int) []byte { return binary.BigEndian.AppendUint32(nil, uint32(n)) }
	box := func(name string, parts ...[]byte) []byte {
		out := append(u32(0), name...)
		for _, p := range parts {
			out = append(out, p...)
		}
		binary.BigEndian.PutUint32(out, uint32(len(out)))
		return out
	}
	full := func(name string, version byte, parts ...[]byte) []byte {
		return box(name, append([][]byte{{version, 0, 0, 0}}, parts...)...)
	}
	const item = 1
	// Byte 16 of hvcC ends with the chroma format, 17 and 18 with the bits beyond 8 (ISO/IEC 14496-15, 8.3.3.1.2).
	depths := []byte{8 + config[17]&7}
	if config[16]&3 != 0 {
		depths = append(depths, 8+config[18]&7, 8+config[18]&7)
	}
	head := box("ftyp", []byte("heic\x00\x00\x00\x00mif1heic"))
	meta := func(offset int) []byte {
		return full("meta", 0,
			full("hdlr", 0, u32(0), []byte("pict"), make([]byte, 13)),
			full("pitm", 0, u16(item)),
			full("iloc", 0, []byte{0x44, 0}, u16(1), u16(item), u16(0), u16(1), u32(offset), u32(len(data))),
			full("iinf", 0, u16(1), full("infe", 2, u16(item), u16(0), []byte("hvc1\x00"))),
			box("iprp",
				box("ipco", box("hvcC", config), full("ispe", 0, u32(w), u32(h)), full("pixi", 0, []byte{byte(len(depths))}, depths)),
				full("ipma", 0, u32(1), u16(item), []byte{3, 0x81, 2, 3})),
		)
	}
	offset := len(head) + len(meta(0)) + 8
	return append(append(head, meta(offset)...), box("mdat", data)...)
}
