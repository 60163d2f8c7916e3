package probe

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Rule is what one use of a picture demands of its file.
type Rule struct {
	// MinSide is what each side must exceed, or reach with MinSideInclusive.
	// In pixels; 0 demands nothing.
	MinSide          int
	MinSideInclusive bool
	// MaxRatio is what the long side over the short one must stay under; 0
	// demands nothing. Whole numbers only, so no rounding is involved.
	MaxRatio int
	// MaxBytes is the largest file accepted; 0 demands nothing.
	MaxBytes int64
	// MaxPixels is the most pixels accepted, fewer of files that cost more to open; 0 demands nothing.
	MaxPixels int64
	Formats   []Format
	// Converts lists formats that are taken beside Formats and converted into one of them; MaxConvert is the largest file of these.
	Converts   []Format
	MaxConvert int64
}

const mib = 1 << 20

// ASSUMED ["MB"]: the documents write MB; it is read as 2²⁰ bytes, the larger reading,
// so nothing is refused here that the service would take.

// Upload is the rule of Task API, "Upload image".
var Upload = Rule{
	MinSide:   512,
	MaxRatio:  2,
	MaxBytes:  10 * mib,
	MaxPixels: MaxPixels,
	Formats:   []Format{PNG, JPEG, WebP},
}

// Studio is the rule for pictures that users bring: that of uploads, for the copy too that goes to the service in place of a file it does not take.
var Studio = Rule{
	MinSide: Upload.MinSide, MaxRatio: Upload.MaxRatio, MaxBytes: Upload.MaxBytes, MaxPixels: Upload.MaxPixels, Formats: Upload.Formats,
	Converts: []Format{HEIC, TIFF}, MaxConvert: maxConvert,
}

// maxConvert holds an uncompressed TIFF of 8 bits and 22 megapixels.
const maxConvert = 64 * mib

// FashionModel is the rule for each picture of Task API, "Create my fashion model".
var FashionModel = Rule{
	MaxBytes:  5 * mib,
	MaxPixels: MaxPixels,
	Formats:   []Format{PNG, JPEG, WebP},
}

// Location is the rule of Task API, "Create my location".
var Location = Rule{
	MinSide:          512,
	MinSideInclusive: true,
	MaxBytes:         5 * mib,
	MaxPixels:        MaxPixels,
	Formats:          []Format{PNG, JPEG, WebP},
}

// The codes of Problem.
const (
	CodeFormat   = "format"
	CodeAnimated = "animated"
	CodeBytes    = "bytes"
	CodeSide     = "side"
	CodeRatio    = "ratio"
	CodePixels   = "pixels"
	CodeSlow     = "slow"   // takes too long to open
	CodeMemory   = "memory" // takes too much memory to open
	CodeCorrupt  = "corrupt"
	CodeCoding   = "coding" // stores its pixels in a way that is not opened
	CodeKind     = "kind"   // a HEIC or TIFF of a kind that cannot be converted
)

// Problem is one broken rule. It carries what was found and what is demanded, so that whoever shows it may say it in words of their
// own; Message and Fix say it in those of the services.
type Problem struct {
	Code   string
	Facts  Facts
	Rule   Rule
	Memory int64 // the most bytes a decoder may take (CodeMemory)
}

// Size is a size that would pass, px.
type Size struct{ Width, Height int }

func (s Size) String() string { return fmt.Sprintf("%d × %d", s.Width, s.Height) }

// Sizes are the sizes that would pass: of a picture that is too long the padded one and, where there is one, the cropped one; of one
// that is too small the enlarged one, unless that would show; of one with too many pixels the scaled one.
func (p Problem) Sizes() []Size {
	switch f, r := p.Facts, p.Rule; p.Code {
	case CodePixels:
		return []Size{scaleUnder(f.Width, f.Height, f.MostPixels(r.MaxPixels))}
	case CodeSide:
		return r.enlarged(f)
	case CodeRatio:
		return r.reshaped(f)
	}
	return nil
}

// Megapixels is how many there are, and how many there may be. The former is rounded up: just above the limit it does not read like the
// limit.
func (p Problem) Megapixels() (has, most int) {
	return int((p.Facts.Pixels() + 999_999) / 1_000_000), int(p.Facts.MostPixels(p.Rule.MaxPixels) / 1_000_000)
}

// Dear says whether there are too many pixels only for how the file is stored.
func (p Problem) Dear() bool { return p.Facts.Pixels() <= p.Rule.MaxPixels }

// Megabytes is the size of the file and the largest that is taken, both to a tenth of 2²⁰ bytes. Just above the limit the size is
// rounded up, so that it does not read like the limit itself.
func (p Problem) Megabytes() (has, most float64) {
	largest := p.Rule.MostBytes(p.Facts.Format)
	size, limit := tenths(p.Facts.Bytes), tenths(largest)
	if p.Facts.Bytes > largest {
		size = max(size, limit+1)
	}
	return float64(size) / 10, float64(limit) / 10
}

// MemoryMegabytes is the most a decoder may take, to a tenth of 2²⁰ bytes.
func (p Problem) MemoryMegabytes() float64 { return float64(tenths(p.Memory)) / 10 }

func tenths(n int64) int64 { return (n*10 + mib/2) / mib }

// Ratio is the long side over the short one, to a hundredth. It is rounded down, so that a ratio that breaks the rule by a hair does
// not read like one that passes, nor one of exactly 2 like 2.01.
func (p Problem) Ratio() float64 {
	long, short := int64(max(p.Facts.Width, p.Facts.Height)), int64(max(min(p.Facts.Width, p.Facts.Height), 1))
	return float64(long*100/short) / 100
}

// Inspect reads the head of a file and checks it against the rule in one step.
// A file that cannot be read at all is a single problem. The only error is
// ErrNeedMore: ask again with more of the file, all of it if need be.
func (r Rule) Inspect(head []byte, size int64) (Facts, []Problem, error) {
	facts, err := Read(head, size)
	if errors.Is(err, ErrNeedMore) {
		return facts, nil, err
	}
	if err != nil && !errors.Is(err, ErrKind) && r.takes(facts.Format) {
		return facts, []Problem{{Code: CodeCorrupt, Facts: facts, Rule: r}}, nil
	}
	problems := r.Check(facts)
	if len(problems) > 0 || r.MaxPixels == 0 {
		return facts, problems, nil
	}
	// What is dear depends on all of the file where it is a progressive JPEG, or large and perhaps turned.
	switch whole := int64(len(head)) >= size; {
	case facts.Format == JPEG && whole:
		problems = checkWork(head, facts)
	case !whole && (facts.Progressive || facts.Format != JPEG && facts.mayBeDear(r.MaxPixels)):
		return facts, nil, ErrNeedMore
	}
	return facts, problems, nil
}

// Check lists every rule the file breaks, the gravest first, and nothing when
// it may be used.
func (r Rule) Check(f Facts) []Problem {
	var problems []Problem
	add := func(code string, broken bool) {
		if broken {
			problems = append(problems, Problem{Code: code, Facts: f, Rule: r})
		}
	}
	if add(CodeFormat, !r.takes(f.Format)); len(problems) > 0 {
		return problems // nothing else is known of it
	}
	if add(CodeCoding, f.Coding != Plain); len(problems) > 0 {
		return problems // saved again it is another file
	}
	if add(CodeKind, f.Kind != 0); len(problems) > 0 {
		return problems
	}
	add(CodeAnimated, f.Animated)
	add(CodeBytes, r.MaxBytes > 0 && f.Bytes > r.MostBytes(f.Format))
	add(CodePixels, r.MaxPixels > 0 && f.Pixels() > f.MostPixels(r.MaxPixels))
	add(CodeSide, r.tooSmall(min(f.Width, f.Height)))
	add(CodeRatio, r.tooLong(f.Width, f.Height))
	return problems
}

func (r Rule) takes(f Format) bool {
	return slices.Contains(r.Formats, f) || slices.Contains(r.Converts, f)
}

// MostBytes is the largest file of a format that is taken.
func (r Rule) MostBytes(f Format) int64 {
	if slices.Contains(r.Converts, f) {
		return max(r.MaxConvert, r.MaxBytes)
	}
	return r.MaxBytes
}

// Accepted lists the formats that are taken, with a word before the last one.
func (r Rule) Accepted(or string) string {
	labels := make([]string, len(r.Formats))
	for i, format := range r.Formats {
		labels[i] = format.Label()
	}
	last := max(len(labels)-1, 0)
	if last == 0 {
		return strings.Join(labels, "")
	}
	return strings.Join(labels[:last], ", ") + or + labels[last]
}

// smallestSide is the least length that passes.
func (r Rule) smallestSide() int {
	if r.MinSide > 0 && !r.MinSideInclusive {
		return r.MinSide + 1
	}
	return r.MinSide
}

// SmallestSide is the least length of a side that passes, px.
func (r Rule) SmallestSide() int { return max(r.smallestSide(), 1) }

func (r Rule) tooSmall(side int) bool { return side < r.smallestSide() }

func (r Rule) tooLong(w, h int) bool {
	return r.MaxRatio > 0 && int64(max(w, h)) >= int64(r.MaxRatio)*int64(min(w, h))
}

// enlarged is the same picture with a short side that passes; nothing when the enlargement would show.
func (r Rule) enlarged(f Facts) []Size {
	need, short := int64(r.smallestSide()), int64(max(min(f.Width, f.Height), 1))
	enlarge := func(side int) int64 { return max((int64(side)*need+short-1)/short, need) }
	w, h := enlarge(f.Width), enlarge(f.Height)
	if need >= 4*short || w*h > MaxPixels {
		return nil
	}
	return []Size{{int(w), int(h)}}
}

// reshaped is the least padding, scaled down where it would have too many pixels, and, where it is long enough then, the least cropping that
// pass.
func (r Rule) reshaped(f Facts) []Size {
	long, short := max(f.Width, f.Height), max(min(f.Width, f.Height), 1)
	whole := float64(long)
	for scale := 1.0; r.MaxPixels > 0 && int64(long)*int64(long/r.MaxRatio+1) > r.MaxPixels; scale *= .95 {
		long = int(whole * scale)
	}
	padded := max(long/r.MaxRatio+1, r.smallestSide()) // long < ratio × padded
	cropped := r.MaxRatio*short - 1                    // cropped < ratio × short
	size := func(long, short int) Size {
		if f.Width >= f.Height {
			return Size{long, short}
		}
		return Size{short, long}
	}
	sizes := []Size{size(long, padded)}
	if cropped >= short && !r.tooSmall(short) {
		sizes = append(sizes, size(cropped, short))
	}
	return sizes
}

// scaleUnder is the largest size of the same shape with at most limit pixels.
func scaleUnder(w, h int, limit int64) Size {
	lo, hi := 1, w
	for lo < hi {
		mid := lo + (hi-lo+1)/2
		if int64(mid)*max(int64(mid)*int64(h)/int64(w), 1) <= limit {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	return Size{lo, int(max(int64(lo)*int64(h)/int64(w), 1))}
}
