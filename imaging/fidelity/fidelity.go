// Package fidelity measures whether a result kept what it was to keep: how much of the protected region looks the same in the
// source and in the result, how far its colours and its structure are from each other, and where. It also says where the region itself is in
// doubt: parts of the subject it leaves out, background it keeps.
//
// A result is laid on its source first: image services cut and scale a little on their way. What is left then is change.
package fidelity

import (
	"context"
	"image"

	"atelier/atelier"
	"atelier/imaging"
	"atelier/imaging/mask"
	"atelier/imaging/segment"
)

// Side is the longer side in px at which pictures are compared: small enough to be quick, large enough to see a seam or a print.
const Side = 512

const (
	// rim is how much of the region's edge is left out, in px at that size: there the new surroundings shine through on purpose.
	rim = 2
	// tolerance is the CIEDE2000 difference below which nobody sees a change, JPEG's own noise included.
	tolerance = 5
	// minRegion is the least share of the picture a region must have to be judged.
	minRegion = 0.002
	// minConfidence is how sure the segmentation must be for its region to be judged by.
	minConfidence = 0.5
)

// The measures from which on a product counts as changed. A picture that was only saved again, scaled or moved by a few pixels
// stays well below all three (see the tests).
const (
	changedShare  = 0.01 // of the region in patches that differ
	changedColour = 3.0  // mean CIEDE2000
	changedSSIM   = 0.80
)

// NotComparableError says in a sentence why source and result cannot be laid on each other, or that there is nothing to compare.
type NotComparableError struct {
	Code   string // one of atelier.Apart…
	Reason string
}

// Error is the reason.
func (e *NotComparableError) Error() string { return e.Reason }

func notComparable(code, sentence string) error { return &NotComparableError{code, sentence} }

// Region is what of a source was to be kept, at the size pictures are compared at.
type Region struct {
	source *image.NRGBA
	keep   mask.Plane  // without its rim
	whole  mask.Plane  // with it
	full   image.Point // size of the source
	looks  *readings   // nil where nobody looked, or not surely
}

// FromMask takes the region from a mask of the source's own size.
func FromMask(source *image.NRGBA, keep mask.Plane) (Region, error) {
	if keep.W != source.Rect.Dx() || keep.H != source.Rect.Dy() {
		return Region{}, notComparable(atelier.ApartMask, saidMaskSize)
	}
	small := fit(source)
	return region(small, shrink(keep, small.Rect.Dx(), small.Rect.Dy()), source.Rect.Size())
}

// FromFound takes the region that an automatic mask type protects, as it was found in the source. It is our own reading of the picture:
// where it is unsure, nothing is compared.
func FromFound(source *image.NRGBA, found segment.Result) (Region, error) {
	if found.Confidence < minConfidence {
		return Region{}, notComparable(atelier.ApartUnclear, saidUnclear)
	}
	return FromMask(source, found.Mask)
}

// JudgePainted judges the edge of a painted mask too, by the subject found in the source and a second reading. A mask that keeps something
// else than the subject, and a subject that is not clear, leave the region as it is.
func (r Region) JudgePainted(ctx context.Context, subject segment.Result) (Region, error) {
	if subject.Confidence < minConfidence {
		return r, nil
	}
	first := shrink(subject.Mask, r.whole.W, r.whole.H)
	if overlap(r.whole, first) < sameThing {
		return r, nil
	}
	second, pieces, sure, err := lookAtPieces(ctx, r.source)
	if err != nil {
		return r, err
	}
	if sure {
		r.looks = &readings{first: first, second: second, pieces: pieces}
	}
	return r, nil
}

// JudgeAutomatic judges the edge of a region that was found in the source too, by a second reading of the same kind.
func (r Region) JudgeAutomatic(ctx context.Context, kind segment.Kind, product bool) (Region, error) {
	second, sure, err := look(ctx, r.source, kind, product)
	if err != nil {
		return r, err
	}
	if sure {
		r.looks = &readings{first: r.whole, second: second, automatic: true}
	}
	return r, nil
}

func region(small *image.NRGBA, keep mask.Plane, full image.Point) (Region, error) {
	whole := keep
	keep = keep.Shrink(rim)
	if keep.Stats(0).Share < minRegion {
		return Region{}, notComparable(atelier.ApartLittle, saidLittle)
	}
	return Region{source: small, keep: keep, whole: whole, full: full}, nil
}

// Report is what a comparison found.
type Report struct {
	Score   float64 // share of the region that looks the same, 0 to 1
	DeltaE  float64 // mean CIEDE2000 difference in the region
	SSIM    float64 // structural similarity of its lightness, 1 = the same
	Changed bool    // enough for a designer to look
	// Heat shows where: transparent where nothing changed, from yellow to red where it did. It has the shape of the result and at
	// most Side px.
	Heat *image.NRGBA
	// Place is how the result lies on the source.
	Place Place
	// Edge is what two readings of the source say about the region's edge, nil where they say nothing: they are not sure, or the
	// region is about something else than the subject.
	Edge *Edge
}

// Compare lays a result on the source and measures what differs in the region.
func (r Region) Compare(result *image.NRGBA) (Report, error) {
	if err := sameShape(r.full, result.Rect.Size()); err != nil {
		return Report{}, err
	}
	w, h := r.source.Rect.Dx(), r.source.Rect.Dy()
	a, b := labOf(r.source), labOf(imaging.Resize(result, w, h))
	p := findPlace(a, b, r.keep)
	laid := b.laid(p, w, h)
	report := Report{Place: p, SSIM: ssim(a, laid, r.keep)}
	diff := make([]float32, w*h) // -1 outside the region
	differs := mask.New(w, h)
	all, same := 0, 0
	for y := range h {
		for x := range w {
			i := y*w + x
			if !r.keep.Kept(x, y) {
				diff[i] = -1
				continue
			}
			d := a.nearest(laid, x, y)
			diff[i] = float32(d)
			report.DeltaE += d
			if all++; d < tolerance {
				same++
			} else {
				differs.Pix[i] = 255
			}
		}
	}
	report.Score = float64(same) / float64(all)
	report.DeltaE /= float64(all)
	// Single pixels differ along edges whatever one does; a patch is something else.
	patches := differs.Shrink(1).Stats(0).Share * float64(w*h) / float64(all)
	report.Changed = patches > changedShare || report.DeltaE > changedColour || report.SSIM < changedSSIM
	if r.looks != nil {
		report.Edge = r.edge(a, laid)
	}
	report.Heat = heat(diff, report.Edge, w, h, p)
	return report, nil
}

// edge judges the edge of what was kept, and measures what changed in the parts in dispute.
func (r Region) edge(source, laid lab) *Edge {
	keep := r.whole
	if r.looks.automatic {
		// The service's own mask is not known, but a cut-out shows it.
		if seen, ok := opaque(laid); ok {
			keep = seen
		}
	}
	e, ok := r.looks.judge(source, keep)
	if !ok {
		return nil
	}
	for i, p := range e.Parts {
		all, changed := 0, 0
		for at, v := range p.pixels.Pix {
			if v < mask.Level {
				continue
			}
			if all++; source.nearest(laid, at%source.w, at/source.w) >= tolerance {
				changed++
			}
		}
		e.Parts[i].Changed = meanOr(float64(changed), all, 0)
	}
	return &e
}

// sameShape refuses a result that cannot be the whole source, scaled.
func sameShape(source, result image.Point) error {
	if ratio := float64(source.X) * float64(result.Y) / (float64(source.Y) * float64(result.X)); ratio < .98 || ratio > 1.02 {
		return notComparable(atelier.ApartShape, saidShape(result, source))
	}
	return nil
}

// hatch is the distance in px of the lines that mark what is in doubt.
const hatch = 8

// doubtColour is blue, which no difference has, red, green, blue and opacity. The legend in the style sheet has the same.
var doubtColour = [4]uint8{0, 90, 255, 220}

// heat draws the differences as the result lies, and hatches the parts of an edge that are in doubt.
func heat(diff []float32, edge *Edge, w, h int, p Place) *image.NRGBA {
	const full = 25 // from this difference on it is red
	doubtful := mask.New(w, h)
	if edge != nil {
		for _, part := range edge.Parts {
			for i, v := range part.pixels.Pix {
				doubtful.Pix[i] |= v
			}
		}
	}
	out := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			sx, sy := p.back(float64(x), float64(y), w, h)
			ix, iy := int(sx+.5), int(sy+.5)
			if ix < 0 || iy < 0 || ix >= w || iy >= h {
				continue
			}
			if doubtful.Kept(ix, iy) && (x+y)%hatch < hatch/2 {
				copy(out.Pix[out.PixOffset(x, y):], doubtColour[:])
				continue
			}
			d := diff[iy*w+ix]
			if d < tolerance {
				continue
			}
			t := min((d-tolerance)/(full-tolerance), 1)
			copy(out.Pix[out.PixOffset(x, y):], []uint8{255, uint8(200 * (1 - t)), 0, uint8(90 + 130*t)})
		}
	}
	return out
}

func fit(img *image.NRGBA) *image.NRGBA {
	if max(img.Rect.Dx(), img.Rect.Dy()) <= Side {
		return img
	}
	return imaging.Fit(img, Side, Side)
}

// shrink makes a mask smaller by its middle points: a region's edge is left out anyway.
func shrink(p mask.Plane, w, h int) mask.Plane {
	out := mask.New(w, h)
	for y := range h {
		row, from := out.Row(y), p.Row((2*y+1)*p.H/(2*h))
		for x := range row {
			row[x] = from[(2*x+1)*p.W/(2*w)]
		}
	}
	return out
}
