package render

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"image/color"
	"slices"
	"strings"

	"atelier/imaging"
	"atelier/imaging/compose"
	"atelier/imaging/fill"
	"atelier/imaging/lettering"
	"atelier/imaging/mask"
)

// translated takes lines of lettering that are found in a picture out of it and sets the description's lines in their places,
// from top to bottom and in their colour; nothing is read. Lettering that no line is given for stays, and lines beyond the
// last of the lettering go on in its place.
// ASSUMED [ai-translate]: the documents do not say in which language; the caller gives the words to be set.
func translated(ctx context.Context, b *brush) error {
	text, err := legible(b.req.text("textDescription"))
	if err != nil {
		return err
	}
	var given []string
	for line := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == ';' || r == '|' }) {
		if line = strings.TrimSpace(line); line != "" {
			given = append(given, line)
		}
	}
	if len(given) == 0 {
		return errNoTranslation
	}
	found := lettering.Find(b.img, lettering.Side)
	if len(found.Lines) == 0 {
		return errNoLettering
	}
	lines := readingOrder(found.Lines)
	if n := len(lines); len(given) > n {
		given = append(given[:n-1:n-1], strings.Join(given[n-1:], " "))
	}
	lines = lines[:len(given)]
	if err := wiped(ctx, b.img, found, lines, b.req.seed()); err != nil {
		return err
	}
	for i, line := range lines {
		r := line.BoxIn(found, b.img.Rect.Dx(), b.img.Rect.Dy())
		h, set, err := wholly(given[i], float64(r.Dy()), true, r.Dx(), r.Dy())
		if err != nil {
			return err
		}
		paper, ink := groundOf(b.img, r)
		if d := lightOf([]uint8{line.Colour.R, line.Colour.G, line.Colour.B}) - lightOf([]uint8{paper.R, paper.G, paper.B}); d > 60 || d < -60 {
			ink = line.Colour
		}
		h.middled(b.img, set, (r.Min.X+r.Max.X)/2, (r.Min.Y+r.Max.Y)/2, ink)
	}
	return nil
}

// readingOrder is lines of lettering by rows from the top, each row from the left.
func readingOrder(lines []lettering.Line) []lettering.Line {
	lines = slices.Clone(lines)
	middle := func(l lettering.Line) int { return (l.Box.Min.Y + l.Box.Max.Y) / 2 }
	slices.SortStableFunc(lines, func(a, b lettering.Line) int { return cmp.Compare(middle(a), middle(b)) })
	for from := 0; from < len(lines); {
		to := from + 1
		for to < len(lines) && middle(lines[to]) < lines[from].Box.Max.Y {
			to++
		}
		slices.SortStableFunc(lines[from:to], func(a, b lettering.Line) int { return cmp.Compare(a.Box.Min.X, b.Box.Min.X) })
		from = to
	}
	return lines
}

// wipeSide is the longer side of the copies in which what lies behind lettering is made up: larger ones take too long.
const wipeSide = 900

// wiped fills the places of some lines of the lettering that was found from what lies around them, line by line.
func wiped(ctx context.Context, img *image.NRGBA, found lettering.Found, lines []lettering.Line, seed int64) error {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	all, going := found.Mask(w, h, found.Lines...), found.Mask(w, h, lines...)
	for _, line := range lines {
		box := line.BoxIn(found, w, h)
		rim := int(0.5*float64(box.Dy())) + 8
		hole := box.Inset(-rim).Intersect(img.Rect)
		box = hole.Inset(-max(24, hole.Dy())).Intersect(img.Rect)
		part := imaging.Crop(img, box)
		gap, avoid := mask.New(box.Dx(), box.Dy()), mask.New(box.Dx(), box.Dy())
		for y := range gap.H {
			copy(avoid.Row(y), all.Row(y + box.Min.Y)[box.Min.X:])
		}
		inner := hole.Sub(box.Min)
		for y := inner.Min.Y; y < inner.Max.Y; y++ {
			copy(gap.Row(y)[inner.Min.X:inner.Max.X], going.Row(y + box.Min.Y)[inner.Min.X+box.Min.X:])
		}
		if gap.Empty() {
			continue // it lay within another line's place
		}
		small, smallGap, smallAvoid := part, gap, avoid
		if max(box.Dx(), box.Dy()) > wipeSide {
			small = imaging.Fit(part, wipeSide, wipeSide)
			smallGap, smallAvoid = covering(gap, small.Rect.Size()), covering(avoid, small.Rect.Size())
		}
		done, err := fill.Complete(ctx, small, smallGap, fill.Options{Seed: seed, Avoid: &smallAvoid})
		if err != nil {
			return fmt.Errorf("fill the place of lettering: %w", err)
		}
		if done.Rect.Size() != box.Size() {
			done = imaging.Resize(done, box.Dx(), box.Dy())
		}
		for y := range gap.H {
			for x, v := range gap.Row(y) {
				if v != 0 {
					copy(img.Pix[img.PixOffset(x+box.Min.X, y+box.Min.Y):][:3], done.Pix[done.PixOffset(x, y):])
					all.Set(x+box.Min.X, y+box.Min.Y, 0)
					going.Set(x+box.Min.X, y+box.Min.Y, 0)
				}
			}
		}
	}
	return nil
}

// covering is a mask at another size that covers whatever the mask touches.
func covering(m mask.Plane, size image.Point) mask.Plane {
	out := m.Fitted(size.X, size.Y).Run()
	for i, v := range out.Pix {
		if v != 0 {
			out.Pix[i] = 255
		}
	}
	return out.Grow(1)
}

// groundOf is the usual colour along the edge of a box, and one that can be read on it.
func groundOf(img *image.NRGBA, r image.Rectangle) (paper, ink color.NRGBA) {
	m := mask.New(img.Rect.Dx(), img.Rect.Dy())
	m.FillRect(r.Inset(-4).Intersect(img.Rect), 255)
	m.FillRect(r.Inset(1), 0)
	cr, cg, cb := compose.RGB(compose.Measure(img, &m).Mean)
	paper = color.NRGBA{cr, cg, cb, 255}
	return paper, on(paper)
}
