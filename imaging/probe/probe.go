// Package probe reads the head of a picture file: what it is, how large, how
// it is turned. It decodes nothing and imports no codec, so the browser can ask
// the same questions before an upload that the server asks again after it.
package probe

import (
	"errors"
	"fmt"
	"math"
)

// HeadBytes is how much of a file to give to Read at first. Only files with
// uncommonly large metadata need more; Read then says so with ErrNeedMore.
const HeadBytes = 1 << 20

// Format names a kind of file by its content, never by its extension.
type Format string

// The formats the image service takes.
const (
	PNG  Format = "png"
	JPEG Format = "jpeg"
	WebP Format = "webp"
)

// The formats that the studio converts; the image service and browsers do not take them.
const (
	HEIC Format = "heic"
	TIFF Format = "tiff"
)

// The formats recognised only to refuse them by name.
const (
	GIF     Format = "gif"
	AVIF    Format = "avif"
	BMP     Format = "bmp"
	SVG     Format = "svg"
	PDF     Format = "pdf"
	PSD     Format = "psd"
	PSB     Format = "psb" // what of PSD is longer than 2 GB
	ZIP     Format = "zip"
	HTML    Format = "html"
	MP4     Format = "mp4"
	MOV     Format = "mov"
	WEBM    Format = "webm"
	Unknown Format = "unknown"
)

// Label is the format as people write it: "PNG", "WebP".
func (f Format) Label() string {
	switch f {
	case PNG, JPEG, GIF, AVIF, HEIC, BMP, TIFF, SVG, PDF, PSD, PSB, ZIP, HTML, MP4, MOV:
		return upper(string(f))
	case WebP:
		return "WebP"
	case WEBM:
		return "WebM"
	}
	return "unknown"
}

// MediaType is the Content-Type to store and serve the format with.
func (f Format) MediaType() string {
	switch f {
	case PNG, JPEG, WebP, GIF, AVIF, HEIC, BMP, TIFF:
		return "image/" + string(f)
	case SVG:
		return "image/svg+xml"
	case PDF, ZIP:
		return "application/" + string(f)
	case PSD, PSB:
		return "image/vnd.adobe.photoshop"
	case HTML:
		return "text/html"
	case MP4, WEBM:
		return "video/" + string(f)
	case MOV:
		return "video/quicktime"
	}
	return "application/octet-stream"
}

// Extension is the file name ending with its dot: ".jpg".
func (f Format) Extension() string {
	switch f {
	case JPEG:
		return ".jpg"
	case Unknown, "":
		return ".bin"
	}
	return "." + string(f)
}

// Facts is what the head of a picture says about it.
type Facts struct {
	Format      Format
	Width       int // as seen: after the EXIF turn
	Height      int
	RawWidth    int // as stored
	RawHeight   int
	Orientation int  // EXIF 1..8; 1 when the file says nothing
	Animated    bool // APNG or animated WebP
	BitDepth    int  // bits per channel
	Channels    int  // 1 to 4, palette counted as its colours
	HasAlpha    bool
	Located     bool // EXIF says where it was taken
	Progressive bool // JPEG
	Lossy       bool // WebP; false also where the head ends before its pixels
	AlphaPlane  bool // lossy WebP with a transparency of its own
	Profiled    bool // its colours are those of another space than sRGB
	Coding      Coding
	Kind        Kind  // of a HEIC or TIFF that is not opened
	Pages       int   // TIFF
	Bytes       int64 // size of the whole file
}

// Coding is how a file stores its pixels, where that is not what nearly all files of its format do. Decoders open the plain ones.
type Coding int

// The codings. Of all but OtherColours browsers open some.
const (
	Plain        Coding = iota
	Arithmetic          // JPEG with arithmetic coding
	Lossless            // JPEG without loss
	Hierarchical        // JPEG of several sizes
	DeepJPEG            // JPEG of 12 bits
	TwoParts            // JPEG of two components
	OddSampling         // JPEG whose components are stored in sizes that few have
	OtherColours        // PNG whose cICP says that it holds no red, green and blue
)

// Kind is why a whole HEIC or TIFF is not opened.
type Kind int

// The kinds that are not opened; 0 is opened.
const (
	OtherHEIC  Kind = iota + 1 // another codec, or a derivation that is no grid
	BigTIFF                    // with offsets of 64 bits
	InksTIFF                   // CMYK
	PackedTIFF                 // packed in a way other than LZW, Deflate and PackBits
	DeepTIFF                   // other than 8 or 16 bits a channel
	OddTIFF                    // other colours
)

// Converted reports whether the studio shows and sends a copy of files of the format, not the files themselves.
func (f Format) Converted() bool { return f == HEIC || f == TIFF }

// Pixels is Width × Height.
func (f Facts) Pixels() int64 { return int64(f.Width) * int64(f.Height) }

var (
	// ErrNeedMore says the head ends before the size of the picture is known.
	ErrNeedMore = errors.New("probe: the head is too short")
	// ErrUnknown says the file is no picture that can be opened. The Facts beside it
	// still carry the format when it was recognised.
	ErrUnknown = errors.New("probe: not a picture that can be opened")
	// ErrCorrupt says the file claims a format and then breaks its rules.
	ErrCorrupt = errors.New("probe: damaged file")
)

// maxSide bounds the sides Read believes; the widest format, PNG, allows 2³¹-1.
const maxSide = math.MaxInt32

// Read parses the head of a file of size bytes. The head may be the whole file,
// and the more of it is given the more is found: places in PNG and WebP may stand
// at the end. The error wraps ErrNeedMore, ErrUnknown or ErrCorrupt.
func Read(head []byte, size int64) (Facts, error) {
	facts := Facts{Format: Sniff(head), Orientation: 1, Bytes: size}
	whole := int64(len(head)) >= size
	var err error
	switch facts.Format {
	case PNG:
		err = readPNG(head, &facts)
	case JPEG:
		err = readJPEG(head, &facts)
	case WebP:
		err = readWebP(head, &facts)
	case HEIC:
		if err = readHEIC(head, &facts); errors.Is(err, ErrKind) {
			facts.Kind = OtherHEIC
		}
	case TIFF:
		err = readTIFFFile(head, &facts)
	default:
		if len(head) < sniffBytes && !whole {
			return facts, ErrNeedMore
		}
		return facts, ErrUnknown
	}
	if errors.Is(err, ErrNeedMore) && whole {
		err = fmt.Errorf("%w: it ends early", ErrCorrupt)
	}
	if err != nil {
		return facts, err
	}
	if facts.RawWidth < 1 || facts.RawHeight < 1 || facts.RawWidth > maxSide || facts.RawHeight > maxSide {
		return facts, fmt.Errorf("%w: %d × %d", ErrCorrupt, facts.RawWidth, facts.RawHeight)
	}
	facts.Profiled = Colours(head, facts).Foreign()
	facts.Width, facts.Height = facts.RawWidth, facts.RawHeight
	if facts.Orientation >= 5 {
		facts.Width, facts.Height = facts.RawHeight, facts.RawWidth
	}
	return facts, nil
}

// upper is strings.ToUpper for the ASCII names above.
func upper(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'a' && c <= 'z' {
			b[i] = c - 'a' + 'A'
		}
	}
	return string(b)
}
