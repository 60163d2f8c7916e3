package psd

import "encoding/binary"

// The Image Resource IDs written.
const (
	resolutionInfo = 0x03ed
	iccProfile     = 0x040f
	versionInfo    = 0x0421
	xmpPacket      = 0x0424
)

func resources(doc Document) []byte {
	dpi := doc.DPI
	if dpi <= 0 {
		dpi = 72
	}
	fixed := uint32(min(dpi, 30000)*65536 + 0.5)
	resolution := binary.BigEndian.AppendUint32(nil, fixed)
	resolution = append(resolution, 0, 1, 0, 1) // per inch, width in inches
	resolution = binary.BigEndian.AppendUint32(resolution, fixed)
	resolution = append(resolution, 0, 1, 0, 1)

	// Version 1, and the flattened picture is real.
	version := []byte{0, 0, 0, 1, 1}
	for _, name := range []string{"Atelier", "Atelier"} { // writer and reader
		version = append(version, unicodeName(name)...)
	}
	version = append(version, 0, 0, 0, 1) // file version

	b := resource(resolutionInfo, resolution)
	b = append(b, resource(iccProfile, sRGB())...)
	b = append(b, resource(versionInfo, version)...)
	if doc.XMP != nil {
		b = append(b, resource(xmpPacket, doc.XMP)...)
	}
	return b
}

// resource is one Image Resource Block without a name.
func resource(id uint16, body []byte) []byte {
	b := binary.BigEndian.AppendUint16([]byte("8BIM"), id)
	b = append(b, 0, 0)
	b = binary.BigEndian.AppendUint32(b, uint32(len(body)))
	b = append(b, body...)
	if len(body)%2 == 1 {
		b = append(b, 0)
	}
	return b
}
