package probe

// exifOrientation finds the orientation, 1 to 8, in a TIFF block as EXIF
// stores it. ok is false when the block does not say.
func exifOrientation(tiff []byte) (n int, ok bool) {
	// Some writers repeat JPEG's prefix in PNG and WebP.
	if len(tiff) >= 6 && string(tiff[:6]) == "Exif\x00\x00" {
		tiff = tiff[6:]
	}
	if len(tiff) < 8 {
		return 0, false
	}
	u16, u32 := be16, be32
	switch string(tiff[:4]) {
	case "II*\x00":
		u16, u32 = le16, le32
	case "MM\x00*":
	default:
		return 0, false
	}
	at := int64(u32(tiff[4:]))
	if at+2 > int64(len(tiff)) {
		return 0, false
	}
	const (
		entryBytes     = 12
		tagOrientation = 0x0112
		typeShort      = 3
	)
	entries := tiff[at+2:]
	for count := u16(tiff[at:]); count > 0 && len(entries) >= entryBytes; count-- {
		if u16(entries) == tagOrientation {
			n = u16(entries[8:])
			return n, u16(entries[2:]) == typeShort && n >= 1 && n <= 8
		}
		entries = entries[entryBytes:]
	}
	return 0, false
}
