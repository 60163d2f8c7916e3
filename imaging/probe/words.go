package probe

import (
	"fmt"
	"strings"
)

// What is wrong with a picture, in the words of the server; the client has its own in app/words. One file for all: a translation changes it
// alone.

// Sentence is the message followed by the fix.
func (p Problem) Sentence() string { return p.Message() + " " + p.Fix() }

// Message names the broken rule and the number.
func (p Problem) Message() string {
	f, r := p.Facts, p.Rule
	switch p.Code {
	case CodeCorrupt:
		return "This " + f.Format.Label() + " file is damaged or incomplete."
	case CodeCoding:
		return codingWords[f.Coding]
	case CodeKind:
		return kindWords[f.Kind]
	case CodeAnimated:
		return "This " + f.Format.Label() + " is animated. The service takes still pictures only."
	case CodeBytes:
		has, most := p.Megabytes()
		if f.Format.Converted() {
			return fmt.Sprintf("This file is %v MB. A %s may have at most %v MB.", has, f.Format.Label(), most)
		}
		return fmt.Sprintf("This file is %v MB. The service takes at most %v MB.", has, most)
	case CodePixels:
		has, most := p.Megapixels()
		if p.Dear() {
			return fmt.Sprintf("This picture is %d × %d, %d megapixels. At most %d megapixels can be opened of a file stored like this one.", f.Width, f.Height, has, most)
		}
		return fmt.Sprintf("This picture is %d × %d, %d megapixels. At most %d megapixels can be opened.", f.Width, f.Height, has, most)
	case CodeSlow:
		return "This " + f.Format.Label() + " file takes too long to open."
	case CodeMemory:
		return fmt.Sprintf("This picture would take more than %v MB of memory.", p.MemoryMegabytes())
	case CodeSide:
		if r.MinSideInclusive {
			return fmt.Sprintf("This picture is %d × %d. The service needs at least %d pixels on each side.", f.Width, f.Height, r.MinSide)
		}
		return fmt.Sprintf("This picture is %d × %d. The service needs more than %d pixels on each side.", f.Width, f.Height, r.MinSide)
	case CodeRatio:
		return fmt.Sprintf("This picture is %d × %d, a ratio of %.2f. The service needs a ratio under %d.", f.Width, f.Height, p.Ratio(), r.MaxRatio)
	}
	return r.wrongFormat(f.Format)
}

// codingWords say how a file stores its pixels that cannot be opened.
var codingWords = [...]string{
	Arithmetic:   "This JPEG uses arithmetic coding, which cannot be opened here.",
	Lossless:     "This is a lossless JPEG, a kind used for scans that cannot be opened here.",
	Hierarchical: "This is a hierarchical JPEG, which cannot be opened here.",
	DeepJPEG:     "This JPEG has more than 8 bits per channel, which cannot be opened here.",
	TwoParts:     "This JPEG has two colour channels, which cannot be opened here.",
	OddSampling:  "This JPEG stores its colours in a size (sampling) that cannot be opened here.",
	OtherColours: "This PNG says that its colours are not red, green and blue (cICP), so nothing can show it.",
}

// Fix says what to do about it, with sizes that pass.
func (p Problem) Fix() string {
	sizes := p.Sizes()
	switch p.Code {
	case CodeCorrupt:
		return "Export it again and retry."
	case CodeCoding:
		return "Open it in an image editor and save it as a plain JPEG or PNG."
	case CodeKind:
		if f := p.Facts.Format; f == HEIC {
			return "Save it as JPEG. On an iPhone: Settings → Camera → Formats → Most Compatible."
		}
		return "Save it as a JPEG or PNG in RGB, 8 bits per channel."
	case CodeAnimated:
		return "Export one frame as PNG or JPEG."
	case CodeBytes:
		return "Save it as JPEG at a lower quality, or make it smaller."
	case CodePixels:
		if p.Dear() {
			return "Scale it to " + sizes[0].String() + ", or save it upright as a plain JPEG."
		}
		return "Scale it to " + sizes[0].String() + "."
	case CodeSlow:
		return "Save it again as a plain JPEG or PNG."
	case CodeMemory:
		return "Save it again as a plain JPEG or PNG, or make it smaller."
	case CodeSide:
		if len(sizes) == 0 {
			return "Use a larger original: enlarging this one would lose too much quality."
		}
		return "Enlarge it to " + sizes[0].String() + ", or use a larger original."
	case CodeRatio:
		if len(sizes) > 1 {
			return "Pad it to " + sizes[0].String() + ", or crop it to " + sizes[1].String() + "."
		}
		return "Pad it to " + sizes[0].String() + "."
	}
	return "Export it as JPEG or PNG."
}

func (r Rule) wrongFormat(f Format) string {
	accepted := r.Accepted(" or ")
	if f == Unknown || f == "" {
		return "This is not a picture the service can read. It takes " + accepted + "."
	}
	article := "a"
	if strings.ContainsRune("AHMS", rune(f.Label()[0])) && f != HEIC {
		article = "an"
	}
	return "This is " + article + " " + f.Label() + " file. The service takes " + accepted + "."
}

// kindWords say what kind of HEIC or TIFF cannot be converted.
var kindWords = [...]string{
	OtherHEIC:  "This HEIC file is of a kind that cannot be converted here.",
	BigTIFF:    "This is a BigTIFF, which cannot be converted here.",
	InksTIFF:   "This TIFF has print colours (CMYK), which cannot be converted here.",
	PackedTIFF: "This TIFF is compressed in a way that cannot be converted here.",
	DeepTIFF:   "This TIFF does not have 8 or 16 bits per channel, so it cannot be converted here.",
	OddTIFF:    "This TIFF has colours that cannot be converted here.",
}
