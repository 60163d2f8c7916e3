package probe

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
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
)

// Problem is one broken rule in words: Message names the rule and the number,
// Fix what to do about it, with numbers that pass.
type Problem struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Fix     string `json:"fix"`
}

// Sentence is the message followed by the fix.
func (p Problem) Sentence() string {
	if p.Fix == "" {
		return p.Message
	}
	return p.Message + " " + p.Fix
}

// Inspect reads the head of a file and checks it against the rule in one step.
// A file that cannot be read at all is a single problem. The only error is
// ErrNeedMore: ask again with more of the file, all of it if need be.
func (r Rule) Inspect(head []byte, size int64) (Facts, []Problem, error) {
	facts, err := Read(head, size)
	if errors.Is(err, ErrNeedMore) {
		return facts, nil, err
	}
	if err != nil && slices.Contains(r.Formats, facts.Format) {
		return facts, []Problem{{
			CodeCorrupt,
			"This " + facts.Format.Label() + " file is damaged or incomplete.",
			"Export it again and retry.",
		}}, nil
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
	if !slices.Contains(r.Formats, f.Format) {
		return []Problem{r.wrongFormat(f.Format)}
	}
	var problems []Problem
	add := func(code, message, fix string) {
		problems = append(problems, Problem{code, message, fix})
	}
	if f.Animated {
		add(CodeAnimated, "This "+f.Format.Label()+" is animated. The service takes still pictures only.",
			"Export one frame as PNG or JPEG.")
	}
	if r.MaxBytes > 0 && f.Bytes > r.MaxBytes {
		add(CodeBytes,
			fmt.Sprintf("This file is %s (%d bytes). The service takes at most %s (%d bytes).", megabytes(f.Bytes, r.MaxBytes), f.Bytes, megabytes(r.MaxBytes, 0), r.MaxBytes),
			"Save it as JPEG at a lower quality, or make it smaller.")
	}
	if most := f.MostPixels(r.MaxPixels); r.MaxPixels > 0 && f.Pixels() > most {
		kind, or := "", ""
		if f.Pixels() <= r.MaxPixels {
			kind, or = " of a file stored like this one", ", or save it upright as a plain JPEG"
		}
		w, h := scaleUnder(f.Width, f.Height, most)
		add(CodePixels,
			fmt.Sprintf("This picture is %d × %d, %d megapixels. At most %d megapixels can be opened%s.", f.Width, f.Height, (f.Pixels()+999_999)/1_000_000, most/1_000_000, kind),
			fmt.Sprintf("Scale it to %d × %d%s.", w, h, or))
	}
	if r.tooSmall(min(f.Width, f.Height)) {
		add(CodeSide, r.sideMessage(f), r.sideFix(f))
	}
	if r.tooLong(f.Width, f.Height) {
		add(CodeRatio, r.ratioMessage(f), r.ratioFix(f))
	}
	return problems
}

func (r Rule) wrongFormat(f Format) Problem {
	labels := make([]string, len(r.Formats))
	for i, format := range r.Formats {
		labels[i] = format.Label()
	}
	accepted := strings.Join(labels, ", ")
	if i := strings.LastIndex(accepted, ", "); i >= 0 {
		accepted = accepted[:i] + " or " + accepted[i+2:]
	}
	message := "This is not a picture the service can read. It takes " + accepted + "."
	if label := f.Label(); f != Unknown && f != "" {
		article := "a"
		if strings.ContainsRune("AHMS", rune(label[0])) && label != "HEIC" {
			article = "an"
		}
		message = "This is " + article + " " + label + " file. The service takes " + accepted + "."
	}
	return Problem{CodeFormat, message, "Export it as JPEG or PNG."}
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

func (r Rule) sideMessage(f Facts) string {
	demand := "more than"
	if r.MinSideInclusive {
		demand = "at least"
	}
	return fmt.Sprintf("This picture is %d × %d. The service needs %s %d pixels on each side.", f.Width, f.Height, demand, r.MinSide)
}

// sideFix proposes the same picture enlarged until its short side passes.
func (r Rule) sideFix(f Facts) string {
	need, short := int64(r.smallestSide()), int64(max(min(f.Width, f.Height), 1))
	enlarge := func(side int) int64 { return max((int64(side)*need+short-1)/short, need) }
	w, h := enlarge(f.Width), enlarge(f.Height)
	if need >= 4*short || w*h > MaxPixels {
		return "Use a larger original: enlarging this one so far would show."
	}
	return fmt.Sprintf("Enlarge it to %d × %d, or use a larger original.", w, h)
}

func (r Rule) ratioMessage(f Facts) string {
	long, short := int64(max(f.Width, f.Height)), int64(max(min(f.Width, f.Height), 1))
	// Rounded down, so that a ratio that breaks the rule by a hair does not
	// read like one that passes, nor one of exactly 2 like 2.01.
	hundredths := long * 100 / short
	return fmt.Sprintf("This picture is %d × %d, a ratio of %d.%02d. The service needs a ratio under %d.",
		f.Width, f.Height, hundredths/100, hundredths%100, r.MaxRatio)
}

// ratioFix proposes the least padding and the least cropping that pass.
func (r Rule) ratioFix(f Facts) string {
	long, short := max(f.Width, f.Height), max(min(f.Width, f.Height), 1)
	padded := max(long/r.MaxRatio+1, r.smallestSide()) // long < ratio × padded
	cropped := r.MaxRatio*short - 1                    // cropped < ratio × short
	size := func(long, short int) string {
		if f.Width >= f.Height {
			return fmt.Sprintf("%d × %d", long, short)
		}
		return fmt.Sprintf("%d × %d", short, long)
	}
	fix := "Pad it to " + size(long, padded)
	if cropped >= short && !r.tooSmall(short) {
		fix += ", or crop it to " + size(cropped, short)
	}
	return fix + "."
}

// scaleUnder is the largest size of the same shape with at most limit pixels.
func scaleUnder(w, h int, limit int64) (int, int) {
	lo, hi := 1, w
	for lo < hi {
		mid := lo + (hi-lo+1)/2
		if int64(mid)*max(int64(mid)*int64(h)/int64(w), 1) <= limit {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	return lo, int(max(int64(lo)*int64(h)/int64(w), 1))
}

// megabytes writes a size as "10 MB" or "10.1 MB". Just above limit it rounds
// up, so that it does not read like the limit itself.
func megabytes(n, limit int64) string {
	tenths := (n*10 + mib/2) / mib
	if limit > 0 && n > limit && tenths <= limit*10/mib {
		tenths = limit*10/mib + 1
	}
	if tenths%10 == 0 {
		return strconv.FormatInt(tenths/10, 10) + " MB"
	}
	return fmt.Sprintf("%d.%d MB", tenths/10, tenths%10)
}
