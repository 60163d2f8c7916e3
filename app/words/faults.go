package words

// What can be done about a picture that breaks a rule.
const (
	FaultFormatFix   = "Export it as JPEG or PNG."
	FaultDamagedFix  = "Export it again and retry."
	FaultAnimatedFix = "Export one frame as PNG or JPEG."
	FaultBytesFix    = "Save it as JPEG at a lower quality, or make it smaller."
	FaultSlowFix     = "Save it again as a plain JPEG or PNG."
	FaultMemoryFix   = "Save it again as a plain JPEG or PNG, or make it smaller."
	FaultSideLarger  = "Use a larger original: enlarging this one would lose too much quality."
)

// FaultOr stands before the last of the formats that are taken.
const FaultOr = " or "

// FaultNoPicture says that a file is no picture at all; accepted lists the formats.
func FaultNoPicture(accepted string) string {
	return "This is not a picture the service can read. It takes " + accepted + "."
}

// FaultFormat says that a file has a format the service does not take; accepted lists those it does.
func FaultFormat(format, accepted string) string {
	article := "a "
	switch format {
	case "AVIF", "HTML", "MP4", "MOV", "SVG":
		article = "an "
	}
	return "This is " + article + format + " file. The service takes " + accepted + "."
}

// FaultDamaged is a file that cannot be read to its end.
func FaultDamaged(format string) string {
	return "This " + format + " file is damaged or incomplete."
}

// FaultAnimated is a picture that moves.
func FaultAnimated(format string) string {
	return "This " + format + " is animated. The service takes still pictures only."
}

// FaultBytes is a file with too many bytes, in megabytes.
func FaultBytes(has, most float64) string {
	return "This file is " + decimal(has, -1) + " MB. The service takes at most " + decimal(most, -1) + " MB."
}

// FaultPixels is a picture with too many pixels, FaultPixelsDear one with too many for how it is stored; size as Dimensions writes it.
func FaultPixels(size string, megapixels, most int) string {
	return "This picture is " + size + ", " + number(megapixels) + " megapixels. At most " + number(most) + " megapixels can be opened."
}

func FaultPixelsDear(size string, megapixels, most int) string {
	return "This picture is " + size + ", " + number(megapixels) + " megapixels. At most " + number(most) + " megapixels can be opened of a file stored like this one."
}

// FaultPixelsFix and FaultPixelsDearFix propose a size that passes.
func FaultPixelsFix(size string) string { return "Scale it to " + size + "." }

func FaultPixelsDearFix(size string) string {
	return "Scale it to " + size + ", or save it upright as a plain JPEG."
}

// What is wrong with a file that stores its pixels in a way that cannot be opened, and what to do about it.
const (
	FaultArithmetic   = "This JPEG uses arithmetic coding, which cannot be opened here."
	FaultLossless     = "This is a lossless JPEG, a kind used for scans that cannot be opened here."
	FaultHierarchical = "This is a hierarchical JPEG, which cannot be opened here."
	FaultDeepJPEG     = "This JPEG has more than 8 bits per channel, which cannot be opened here."
	FaultTwoParts     = "This JPEG has two colour channels, which cannot be opened here."
	FaultOddSampling  = "This JPEG stores its colours in a size (sampling) that cannot be opened here."
	FaultOtherColours = "This PNG says that its colours are not red, green and blue (cICP), so nothing can show it."
	FaultCodingFix    = "Open it in an image editor and save it as a plain JPEG or PNG."
)

// What is said of a HEIC or TIFF of a kind that the server does not convert, and what to do about it.
const (
	FaultHEICKind   = "This HEIC file is of a kind that cannot be converted here."
	FaultTIFFBig    = "This is a BigTIFF, which cannot be converted here."
	FaultTIFFInks   = "This TIFF has print colours (CMYK), which cannot be converted here."
	FaultTIFFPacked = "This TIFF is compressed in a way that cannot be converted here."
	FaultTIFFDeep   = "This TIFF does not have 8 or 16 bits per channel, so it cannot be converted here."
	FaultTIFFOdd    = "This TIFF has colours that cannot be converted here."
	FaultHEICFix    = "Save it as JPEG. On an iPhone: Settings → Camera → Formats → Most Compatible."
	FaultTIFFFix    = "Save it as a JPEG or PNG in RGB, 8 bits per channel."
)

// FaultConvertBytes is a file that is too large to be converted, in megabytes.
func FaultConvertBytes(format string, has, most float64) string {
	return "This file is " + decimal(has, -1) + " MB. A " + format + " may have at most " + decimal(most, -1) + " MB."
}

// FaultSlow is a file that would take too long to open.
func FaultSlow(format string) string { return "This " + format + " file takes too long to open." }

// FaultMemory is a picture that would take more memory than there is for one, MB.
func FaultMemory(megabytes float64) string {
	return "This picture would take more than " + decimal(megabytes, -1) + " MB of memory."
}

// FaultSideOver is a picture with a side that does not exceed what it must.
func FaultSideOver(size string, side int) string {
	return "This picture is " + size + ". The service needs more than " + number(side) + " pixels on each side."
}

// FaultSideUnder is a picture with a side that does not reach what it must.
func FaultSideUnder(size string, side int) string {
	return "This picture is " + size + ". The service needs at least " + number(side) + " pixels on each side."
}

// FaultSideFix proposes a size that passes.
func FaultSideFix(size string) string {
	return "Enlarge it to " + size + ", or use a larger original."
}

// FaultRatio is a picture that is too long.
func FaultRatio(size string, ratio float64, most int) string {
	return "This picture is " + size + ", a ratio of " + decimal(ratio, 2) + ". The service needs a ratio under " + number(most) + "."
}

// FaultRatioFix proposes the padded size and the cropped one, "" where there is none.
func FaultRatioFix(padded, cropped string) string {
	if cropped == "" {
		return "Pad it to " + padded + "."
	}
	return "Pad it to " + padded + ", or crop it to " + cropped + "."
}
