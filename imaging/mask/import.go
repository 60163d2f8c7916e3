package mask

// CodeImport is the code of a picture that does not say what to keep.
const CodeImport = "mask_import"

// Import reads a mask from a picture that was decoded elsewhere, a few rows at a time so that nothing stalls.
type Import struct {
	w, h, rows   int
	alpha, light Plane
	opaque       int // pixels of Level or more opacity
	coloured     int // pixels that are no shade of grey
	between      int // pixels neither nearly black nor nearly white
	bright       int // pixels of Level or more brightness
}

// NewImport starts with a picture of w × h pixels.
func NewImport(w, h int) *Import {
	return &Import{w: w, h: h, alpha: New(w, h), light: New(w, h)}
}

// Rows takes the next rows: four bytes a pixel, R G B A, not premultiplied. What is not a whole row, or beyond the last one, is left.
func (i *Import) Rows(rgba []byte) {
	const colour, dark, white = 24, 40, 215
	for ; i.rows < i.alpha.H && len(rgba) >= 4*i.w; i.rows++ {
		alpha, light := i.alpha.Row(i.rows), i.light.Row(i.rows)
		light = light[:len(alpha)]
		for x := range alpha {
			p := rgba[4*x : 4*x+4 : 4*x+4]
			r, g, b := int(p[0]), int(p[1]), int(p[2])
			l := (77*r + 150*g + 29*b + 128) >> 8
			alpha[x], light[x] = p[3], uint8(l)
			i.opaque += int(p[3] >> 7)
			i.bright += l >> 7
			if max(r, g, b)-min(r, g, b) > colour {
				i.coloured++
			}
			if l > dark && l < white {
				i.between++
			}
		}
		rgba = rgba[4*i.w:]
	}
}

// Reading is what an imported picture says.
type Reading struct {
	// Asks says that the mask is in black and white: whoever imports has to say which of the two is kept. Otherwise its opacity
	// tells, opaque meaning kept.
	Asks bool
	// Doubt is a sentence when the picture looks like a photograph rather than a mask, otherwise empty.
	Doubt string

	plane Plane
}

// Read finishes. A picture that says nothing is an *Error with CodeImport and a sentence to show.
func (i *Import) Read() (Reading, error) {
	n := len(i.alpha.Pix)
	switch {
	case n == 0 || i.rows < i.h:
		return Reading{}, &Error{CodeImport, saidUnread}
	case i.opaque == 0:
		return Reading{}, &Error{CodeImport, saidTransparent}
	case i.opaque < n:
		return Reading{plane: i.alpha}, nil
	case i.bright == 0 || i.bright == n:
		return Reading{}, &Error{CodeImport, saidFlat}
	}
	r := Reading{Asks: true, plane: i.light}
	if i.coloured > n/10 || i.between > n/2 {
		r.Doubt = saidPhotograph
	}
	return r, nil
}

// Mask is the imported mask. With keepBlack, black is kept rather than white; where Asks is false it makes no difference. The plane
// shares its pixels with the reading.
func (r Reading) Mask(keepBlack bool) Plane {
	if keepBlack && r.Asks {
		p := r.plane.Clone()
		p.Invert()
		return p
	}
	return r.plane
}
