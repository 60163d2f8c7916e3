package fidelity

import (
	"cmp"
	"context"
	"image"
	"slices"

	"atelier/imaging"
	"atelier/imaging/analysis"
	"atelier/imaging/mask"
	"atelier/imaging/segment"
)

// How a mask is judged by two readings of the source. Lengths are in px at Side. The figures were chosen on photographs with their truth;
// docs/assurance.md has what they find there, and the false alarms.
const (
	// sameThing is the least overlap, intersection over union, of a mask and the subject at which both are about the same thing. Below
	// it the mask keeps something else on purpose, and nothing is said about its edge.
	sameThing = 0.7
	// sameReading is the overlap from which on a mask is the first reading itself, which then cannot be a witness.
	sameReading = 0.97
	// edgeWidth is how far two good outlines may be apart: hair, fringe and blur.
	edgeWidth = 8
	// minPart is the least share of the subject's area that a connected part in dispute must have: about a forearm, half a sleeve.
	minPart = 0.025
	// bandWidth is how far the band along the edge reaches to each side.
	bandWidth = 8
	// maxListed is how many connected parts are looked through; more of minPart than that do not fit into a picture.
	maxListed = 1024
	// clearer is how weak the mask's own edge must be where it parts from the readings, as a share of the edge the readings see there.
	clearer = 0.75
	// plain is the most that colours differ, in CIEDE2000, across an edge of the mask where there is none in the picture.
	plain = 12
	// lookMemory is what a reading at Side takes: a quarter of segment.Options.Fine's 150 MB, and as much again for the pieces.
	lookMemory = 80 << 20
	// shallow and deep are from which to which depth the colours on both sides of an edge are averaged.
	shallow, deep = 2, 6
)

// Part is a connected part of the source about which a mask and the readings of the source disagree.
type Part struct {
	Missed       bool       // it belongs to the subject and the mask leaves it out; otherwise it is background that the mask keeps
	Share        float64    // of the subject's area
	Across, Down mask.Third // where its middle lies within the subject's bounds
	Changed      float64    // share of it that looks different in the result, 0 to 1
	pixels       mask.Plane // painted where it is
}

// Edge is what the readings of a source say about the edge of a mask.
type Edge struct {
	Parts []Part  // the largest first; none = they agree
	Doubt float64 // area of all parts as a share of the subject's, at most 1
	Band  float64 // share of the band along the mask's edge in which they disagree
}

// readings are two looks at a source, at the size pictures are compared at. The second one is at the picture mirrored and made smaller:
// where the first look was right by a narrow margin, it comes out differently.
type readings struct {
	first, second mask.Plane
	pieces        []mask.Plane // clothes and heads: what a mask may keep in place of the whole subject
	automatic     bool         // the mask is the first reading, as the service's own mask is not known
}

// look reads a source for the second time. It reports false when the reading is not sure.
func look(ctx context.Context, small *image.NRGBA, kind segment.Kind, product bool) (second mask.Plane, sure bool, err error) {
	release, err := imaging.Reserve(ctx, lookMemory)
	if err != nil {
		return mask.Plane{}, false, err
	}
	defer release()
	found, err := analysis.Region(ctx, mirrored(small), kind, segment.Options{Hard: true, Thing: product})
	if err != nil {
		return mask.Plane{}, false, err
	}
	return mirroredPlane(found.Mask), found.Confidence >= minConfidence, nil
}

// lookAtPieces is look for the whole subject, with the clothes and heads of people.
func lookAtPieces(ctx context.Context, small *image.NRGBA) (second mask.Plane, pieces []mask.Plane, sure bool, err error) {
	release, err := imaging.Reserve(ctx, lookMemory)
	if err != nil {
		return mask.Plane{}, nil, false, err
	}
	defer release()
	found, err := analysis.Pieces(ctx, mirrored(small), segment.Options{Hard: true})
	if err != nil {
		return mask.Plane{}, nil, false, err
	}
	second = mirroredPlane(found.Subject.Mask)
	for _, piece := range []mask.Plane{found.Worn, found.Upper, found.Lower, found.Head} {
		if len(piece.Pix) > 0 {
			pieces = append(pieces, mirroredPlane(piece))
		}
	}
	if len(found.Head.Pix) > 0 {
		pieces = append(pieces, without(second, mirroredPlane(found.Head)))
	}
	return second, pieces, found.Subject.Confidence >= minConfidence, nil
}

// judge compares a mask with the readings. It reports false where the mask is about something else.
func (r readings) judge(source lab, keep mask.Plane) (Edge, bool) {
	like := overlap(keep, r.first)
	if like < sameThing && !r.automatic {
		return Edge{}, false
	}
	d := dispute{source: source, keep: keep, look: r.second}
	d.subject = r.second.Stats(0)
	if like < sameReading {
		d.look, d.contrast = agreed(keep, r.first, r.second), true
		d.subject = r.first.Stats(0)
	}
	if d.subject.Kept == 0 {
		return Edge{}, false
	}
	// Clothes are not read well enough to say what of them is missing: of a mask that keeps clothes alone, only background counts.
	piece := slices.ContainsFunc(r.pieces, func(p mask.Plane) bool { return overlap(keep, p) > like })
	if !piece {
		d.add(without(d.look, keep), true)
	}
	d.add(without(keep, d.look), false)
	if !piece {
		d.edge.Band = bandDispute(keep, d.look)
	}
	slices.SortStableFunc(d.edge.Parts, func(a, b Part) int { return cmp.Compare(b.Share, a.Share) })
	d.edge.Doubt = min(d.edge.Doubt, 1)
	return d.edge, true
}

// agreed is the mask but for the pixels of which both readings say otherwise.
func agreed(keep, first, second mask.Plane) mask.Plane {
	out := keep.Clone()
	for i, v := range first.Pix {
		if (v >= mask.Level) == (second.Pix[i] >= mask.Level) {
			out.Pix[i] = v
		}
	}
	return out
}

// dispute collects the parts about which a mask and a look disagree.
type dispute struct {
	source     lab
	keep, look mask.Plane
	subject    mask.Stats
	contrast   bool // count only parts where the look follows a clearer edge than the mask does
	edge       Edge
}

// add adds the sizable connected parts of a plane.
func (d *dispute) add(apart mask.Plane, missed bool) {
	// An opening leaves what is wider than an edge may be.
	wide := apart.Shrink(edgeWidth / 2).Grow(edgeWidth / 2)
	for i := range wide.Pix {
		wide.Pix[i] &= apart.Pix[i]
	}
	list := wide.Listing(maxListed)
	list.Step(0)
	for _, found := range list.Regions() {
		share := float64(found.Area) / float64(d.subject.Kept)
		if !found.Kept || share < minPart {
			continue
		}
		part := wide.RegionAt(found.At).Run()
		if d.contrast && !d.clear(part, missed) {
			continue
		}
		middle, bounds := found.Box.Min.Add(found.Box.Max).Div(2), d.subject.Bounds
		d.edge.Doubt += share
		d.edge.Parts = append(d.edge.Parts, Part{
			Missed: missed, Share: share, pixels: part,
			Across: third(middle.X, bounds.Min.X, bounds.Max.X), Down: third(middle.Y, bounds.Min.Y, bounds.Max.Y),
		})
	}
}

// clear reports whether the mask's edge along a part is weak against the edge the look sees there. A part lies between both edges: the
// subject's true outline is the one across which colours differ more.
func (d *dispute) clear(part mask.Plane, missed bool) bool {
	masks, looks := d.contrasts(part)
	if !missed {
		masks, looks = looks, masks
	}
	switch {
	case masks < 0: // it does not touch what is kept, so it is something else
		return false
	case looks < 0: // it ends at the picture's edge, or the mask has a hole
		return masks <= plain
	}
	return masks <= clearer*looks
}

// contrasts are the mean colour differences across a part's border with the subject and across that with the background, -1 where it
// has none.
func (d *dispute) contrasts(part mask.Plane) (inner, outer float64) {
	const most = 40 // a difference beyond this is an edge and no clearer one
	ni, no := 0, 0
	for y := range part.H {
		for x := range part.W {
			if !part.Kept(x, y) {
				continue
			}
			for _, s := range [...]image.Point{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}} {
				u, v := x+s.X, y+s.Y
				if !image.Pt(u, v).In(part.Rect()) || part.Kept(u, v) || d.keep.Kept(u, v) != d.look.Kept(u, v) {
					continue
				}
				diff := min(deltaE(d.source.mean(x, y, -s.X, -s.Y), d.source.mean(u, v, s.X, s.Y)), most)
				if d.keep.Kept(u, v) {
					inner += diff
					ni++
				} else {
					outer += diff
					no++
				}
			}
		}
	}
	return meanOr(inner, ni, -1), meanOr(outer, no, -1)
}

func meanOr(sum float64, n int, none float64) float64 {
	if n == 0 {
		return none
	}
	return sum / float64(n)
}

// mean is the mean colour along a line from a pixel, from shallow to deep.
func (l lab) mean(x, y, dx, dy int) [3]float32 {
	var sum [3]float32
	n := float32(0)
	for k := shallow; k <= deep; k++ {
		u, v := x+k*dx, y+k*dy
		if u < 0 || v < 0 || u >= l.w || v >= l.h {
			break
		}
		for i, c := range l.at(u, v) {
			sum[i] += c
		}
		n++
	}
	if n == 0 {
		return l.at(x, y)
	}
	for i := range sum {
		sum[i] /= n
	}
	return sum
}

func without(a, b mask.Plane) mask.Plane {
	out := mask.New(a.W, a.H)
	for i, v := range a.Pix {
		if v >= mask.Level && b.Pix[i] < mask.Level {
			out.Pix[i] = 255
		}
	}
	return out
}

// overlap is the intersection of two planes over their union, 0 when both are empty.
func overlap(a, b mask.Plane) float64 {
	both, either := 0, 0
	for i, v := range a.Pix {
		switch in, also := v >= mask.Level, b.Pix[i] >= mask.Level; {
		case in && also:
			both++
			either++
		case in || also:
			either++
		}
	}
	return float64(both) / float64(max(either, 1))
}

// bandDispute is the share of the band along a mask's edge, on both sides, in which the look says otherwise.
func bandDispute(keep, look mask.Plane) float64 {
	inner, outer := keep.Shrink(bandWidth), keep.Grow(bandWidth)
	all, apart := 0, 0
	for i := range keep.Pix {
		if outer.Pix[i] < mask.Level || inner.Pix[i] >= mask.Level {
			continue
		}
		if all++; (keep.Pix[i] >= mask.Level) != (look.Pix[i] >= mask.Level) {
			apart++
		}
	}
	return float64(apart) / float64(max(all, 1))
}

// third is in which third of a stretch a place lies.
func third(at, from, to int) mask.Third {
	return mask.Third(min(max(3*(at-from)/max(to-from, 1), 0), 2))
}

func mirrored(img *image.NRGBA) *image.NRGBA {
	out := image.NewNRGBA(img.Rect)
	w := img.Rect.Dx()
	for y := range img.Rect.Dy() {
		from, to := img.Pix[y*img.Stride:], out.Pix[y*out.Stride:]
		for x := range w {
			copy(to[4*(w-1-x):4*(w-x)], from[4*x:])
		}
	}
	return out
}

func mirroredPlane(p mask.Plane) mask.Plane {
	out := p.Clone()
	for y := range out.H {
		slices.Reverse(out.Row(y))
	}
	return out
}

// opaque is what is seen of a result, as it lies on its source; ok is false where hardly anything is transparent.
func opaque(laid lab) (seen mask.Plane, ok bool) {
	const least = 0.01 // of the picture
	seen = mask.New(laid.w, laid.h)
	through := 0
	for i, c := range laid.pix {
		if c[0] > absent {
			seen.Pix[i] = 255
		} else {
			through++
		}
	}
	return seen, float64(through) > least*float64(len(laid.pix)) && through < len(laid.pix)
}
