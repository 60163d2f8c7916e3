// Package segment finds what a picture is about: the subject before its background, people's heads, and what they
// wear. It needs no input beside the picture, and gives each answer hard, soft (a matte) and with a confidence. A
// Scene answers several questions about one picture.
//
// The package is plain Go without codecs, so it also runs in the browser.
package segment

import (
	"context"
	"errors"
	"image"

	"atelier/imaging/mask"
)

// Options tune the work; the zero value is right for pictures of any size.
type Options struct {
	// Coarse is the long side in pixels of the copy on which the subject is looked for; 0 means 400.
	Coarse int
	// Fine is the long side in pixels of the copy on which edges are found; 0 means 1024. Memory grows with its
	// square: about 150 MB at 1024.
	Fine int
	// Hard leaves out the matte, which is then a copy of the hard mask: enough for a first look and about twice as
	// fast.
	Hard bool
	// Thing searches for a product: a person beside a larger thing is not the subject, however clear their face.
	Thing bool
}

// Kind is what to keep: the automatic mask types of the documents. The mask is the protected region
// (Run API, "Mask and enum semantics").
type Kind string

// The automatic mask types.
const (
	Apparel      Kind = "autoApparelSegment"      // all clothing
	UpperApparel Kind = "autoUpperApparelSegment" // what is worn above the waist
	LowerApparel Kind = "autoLowerApparelSegment" // what is worn below the waist
	WholeSubject Kind = "autoSubjectSegment"      // the subject; only the background is redrawn
	Human        Kind = "autoHumanSegment"        // everything except the face and head
	InverseHuman Kind = "inverseAutoHumanSegment" // the face and head only
)

const (
	coarseSize = 400
	fineSize   = 1024
)

// WithDefaults returns the options with every size that is used in place of a zero.
func (o Options) WithDefaults() Options {
	if o.Coarse <= 0 {
		o.Coarse = coarseSize
	}
	if o.Fine <= 0 {
		o.Fine = fineSize
	}
	o.Fine = max(o.Fine, o.Coarse)
	return o
}

// Result is what was found. Both planes have the picture's size.
type Result struct {
	Mask       mask.Plane // 255 kept, 0 redrawn
	Matte      mask.Plane // 0..255, soft where hair, fringe or blur let the background through
	Confidence float64    // 0..1: below ½ ask for a correction
	Faces      []Rect     // faces used, in picture pixels, largest first
	Others     mask.Plane // roughly, people the subject stands before or beside; empty when there are none
	Note       string     // one sentence when something was not as expected, otherwise empty
}

// errEmpty is what a picture without pixels gives.
var errEmpty = errors.New("the picture has no pixels")

// Subject separates the foreground from the background: people when there are faces, otherwise what stands out. A
// picture that already has transparent parts is taken at its word. The only errors are a picture without pixels and
// the context's.
func Subject(ctx context.Context, img *image.NRGBA, opt Options) (Result, error) {
	return Region(ctx, img, WholeSubject, opt)
}

// Region finds the protected region of an automatic mask type. Heads and clothes are found from the faces; without
// one, the place of the head is guessed from a tall outline, with low confidence and a note. Errors: an unknown kind,
// a picture without pixels, the context's.
func Region(ctx context.Context, img *image.NRGBA, kind Kind, opt Options) (Result, error) {
	return NewScene(opt).Region(ctx, img, kind)
}
