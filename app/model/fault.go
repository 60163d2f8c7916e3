package model

import (
	"slices"

	"atelier/app/words"
	"atelier/imaging/probe"
)

// Fault is something about a file that keeps it from being taken, in the words of the studio.
type Fault struct {
	Code    string // of a probe.Problem, "" for anything else
	Message string
	Fix     string // what to do about it, "" for nothing
}

// Sentence is the message followed by the fix.
func (f Fault) Sentence() string { return join(f.Message, f.Fix) }

// faultsOf puts broken rules into words.
func faultsOf(problems []probe.Problem) []Fault {
	faults := make([]Fault, len(problems))
	for i, p := range problems {
		message, fix := inWords(p)
		faults[i] = Fault{p.Code, message, fix}
	}
	return faults
}

// codingFaults say how a file stores its pixels that cannot be opened.
var codingFaults = [...]string{
	probe.Arithmetic:   words.FaultArithmetic,
	probe.Lossless:     words.FaultLossless,
	probe.Hierarchical: words.FaultHierarchical,
	probe.DeepJPEG:     words.FaultDeepJPEG,
	probe.TwoParts:     words.FaultTwoParts,
	probe.OddSampling:  words.FaultOddSampling,
	probe.OtherColours: words.FaultOtherColours,
}

// kinds says what kind of HEIC or TIFF is not converted.
var kinds = map[probe.Kind]string{
	probe.OtherHEIC: words.FaultHEICKind, probe.BigTIFF: words.FaultTIFFBig, probe.InksTIFF: words.FaultTIFFInks,
	probe.PackedTIFF: words.FaultTIFFPacked, probe.DeepTIFF: words.FaultTIFFDeep, probe.OddTIFF: words.FaultTIFFOdd,
}

// inWords says which rule is broken, and what to do about it.
func inWords(p probe.Problem) (message, fix string) {
	f, r, sizes := p.Facts, p.Rule, make([]string, 2)
	for i, s := range p.Sizes() {
		sizes[i] = words.Dimensions(s.Width, s.Height)
	}
	size, format := words.Dimensions(f.Width, f.Height), f.Format.Label()
	switch p.Code {
	case probe.CodeCorrupt:
		return words.FaultDamaged(format), words.FaultDamagedFix
	case probe.CodeCoding:
		return codingFaults[f.Coding], words.FaultCodingFix
	case probe.CodeAnimated:
		return words.FaultAnimated(format), words.FaultAnimatedFix
	case probe.CodeBytes:
		has, most := p.Megabytes()
		if f.Format.Converted() {
			return words.FaultConvertBytes(format, has, most), words.FaultBytesFix
		}
		return words.FaultBytes(has, most), words.FaultBytesFix
	case probe.CodeKind:
		fix = words.FaultTIFFFix
		if f.Format == probe.HEIC {
			fix = words.FaultHEICFix
		}
		return kinds[f.Kind], fix
	case probe.CodePixels:
		has, most := p.Megapixels()
		if p.Dear() {
			return words.FaultPixelsDear(size, has, most), words.FaultPixelsDearFix(sizes[0])
		}
		return words.FaultPixels(size, has, most), words.FaultPixelsFix(sizes[0])
	case probe.CodeSlow:
		return words.FaultSlow(format), words.FaultSlowFix
	case probe.CodeMemory:
		return words.FaultMemory(p.MemoryMegabytes()), words.FaultMemoryFix
	case probe.CodeSide:
		fix = words.FaultSideLarger
		if sizes[0] != "" {
			fix = words.FaultSideFix(sizes[0])
		}
		if r.MinSideInclusive {
			return words.FaultSideUnder(size, r.MinSide), fix
		}
		return words.FaultSideOver(size, r.MinSide), fix
	case probe.CodeRatio:
		return words.FaultRatio(size, p.Ratio(), r.MaxRatio), words.FaultRatioFix(sizes[0], sizes[1])
	}
	accepted := r.Accepted(words.FaultOr)
	if slices.Contains([]probe.Format{probe.Unknown, ""}, f.Format) {
		return words.FaultNoPicture(accepted), words.FaultFormatFix
	}
	return words.FaultFormat(format, accepted), words.FaultFormatFix
}
