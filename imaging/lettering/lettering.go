// Package lettering finds what a person at once sees as lettering in a picture, from a caption to a title that fills half
// of it: shapes of one colour with a sharp rim, made of strokes of one width, of one height, side by side in a line.
// Nothing is read. Scripts that join all their letters, and single letters, are not found.
package lettering

import (
	"image"
	"image/color"
	"math"

	"atelier/imaging"
	"atelier/imaging/mask"
)

// Side is the longer side of the copy that pictures are looked for lettering in. Letters of less than about 7 pixels of it
// are not found, and those of more than half its height neither.
const Side = 1024

// Found is the lettering of a picture.
type Found struct {
	W, H  int // size of the copy it was looked for in: the picture's, or less
	Lines []Line
}

// Line is one line of letters, in pixels of the copy.
type Line struct {
	Box     image.Rectangle // around its letters
	Letters []int           // indexes of their pixels, y×W + x, without soft rims
	Stroke  float64         // usual width of a stroke
	Colour  color.NRGBA     // of its letters, on the whole
	High    float64         // usual height of a letter
	Rim     float64         // how far around the letters their soft edge, outline and shadow are seen
}

// Find looks for lettering in a copy of img of at most side pixels along its longer side.
func Find(img *image.NRGBA, side int) Found {
	if max(img.Rect.Dx(), img.Rect.Dy()) > side {
		img = imaging.Fit(img, side, side)
	}
	small := imaging.Flatten(img, 255, 255, 255)
	out := Found{W: small.Rect.Dx(), H: small.Rect.Dy()}
	planes := planesOf(small)
	out.Lines = linesOf(small, glyphsOf(small, planes), planes)
	return out
}

// Boxes are the lines' boxes in pixels of a picture of w × h.
func (f Found) Boxes(w, h int) []image.Rectangle {
	var out []image.Rectangle
	for _, l := range f.Lines {
		out = append(out, l.BoxIn(f, w, h))
	}
	return out
}

// BoxIn is the line's box in pixels of a picture of w × h.
func (l Line) BoxIn(f Found, w, h int) image.Rectangle {
	b := l.Box
	return image.Rect(b.Min.X*w/f.W, b.Min.Y*h/f.H, (b.Max.X*w+f.W-1)/f.W, (b.Max.Y*h+f.H-1)/f.H)
}

// margin is how far around its letters a line is covered, in pixels of the copy.
func (l Line) margin() float64 { return 1 + math.Max(l.Rim, math.Max(0.06*l.High, 0.3*l.Stroke)) }

// Mask covers some lines with their rims, outlines and shadows in a picture of w × h pixels.
func (f Found) Mask(w, h int, lines ...Line) mask.Plane {
	out := mask.New(f.W, f.H)
	for _, l := range lines {
		// Only the part around the line is grown, since lines differ in how far.
		pad := int(l.margin()) + 2
		box := l.Box.Inset(-pad).Intersect(out.Rect())
		part := mask.New(box.Dx(), box.Dy())
		for _, i := range l.Letters {
			part.Pix[(i/f.W-box.Min.Y)*part.W+i%f.W-box.Min.X] = 255
		}
		part = part.Grow(l.margin())
		for y := range part.H {
			for x := range part.W {
				if part.Pix[y*part.W+x] != 0 {
					out.Pix[(y+box.Min.Y)*f.W+x+box.Min.X] = 255
				}
			}
		}
	}
	if w == f.W && h == f.H {
		return out
	}
	large := out.Fitted(w, h).Run()
	for i, v := range large.Pix {
		if v > 0 {
			large.Pix[i] = 255
		}
	}
	return large
}
