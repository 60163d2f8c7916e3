package render

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"math"
	"unicode/utf8"

	"atelier/imaging"
	"atelier/imaging/analysis"
	"atelier/imaging/compose"
	"atelier/imaging/segment"
)

// copyText is what a poster says: title, subtitle and details.
type copyText struct{ title, subtitle, details string }

// readCopy divides a description by its sentences or lines.
func readCopy(text string) copyText {
	var c copyText
	title, rest := headline(text)
	c.title = title
	c.subtitle, c.details = headline(rest)
	if len(c.subtitle) > 110 {
		c.subtitle, c.details = "", rest
	}
	return c
}

// paletteOf is ink and accents taken from a picture: its darkest tone for the ground, its most colourful one as accent.
func paletteOf(img *image.NRGBA, base palette) palette {
	small := imaging.Fit(img, 48, 48)
	best := 18.0
	out := base
	for i := 0; i < len(small.Pix); i += 4 {
		p := small.Pix[i : i+4]
		lab := compose.Lab(p[0], p[1], p[2])
		if c := math.Hypot(lab[1], lab[2]); c > best && lab[0] > 28 && lab[0] < 78 {
			best = c
			out.accent = color.NRGBA{p[0], p[1], p[2], 255}
		}
	}
	mean := compose.Measure(small, nil).Mean
	r, g, b := compose.RGB([3]float64{94, mean[1] * 0.25, mean[2] * 0.25})
	out.paper = color.NRGBA{r, g, b, 255}
	r, g, b = compose.RGB([3]float64{16, mean[1] * 0.4, mean[2] * 0.4})
	out.ink = color.NRGBA{r, g, b, 255}
	out.second = mixed(out.accent, out.paper, 0.55)
	return out
}

// worn is a palette as later items have it: as it is, dark, coloured, or in its accent's depth.
func (p palette) worn(way int) palette {
	switch way % 4 {
	case 1:
		p.paper, p.ink = p.ink, p.paper
	case 2:
		p.paper, p.second = mixed(p.paper, p.accent, 0.35), p.paper
	case 3:
		p.paper, p.ink = mixed(p.accent, p.ink, 0.72), p.paper
	}
	return p
}

// usualHeadlines are what posters say for which no words are given; they claim nothing.
var usualHeadlines = []string{"Here and now", "Take a closer look", "Today is the day", "Made to be seen"}

// poster sets title, subtitle and details with the pictures, or a drawn scene, in another layout for each item: picture
// above text, a whole picture behind it, the subject cut out before a plain ground, a frame (Run API, "Family C").
func poster(ctx context.Context, req Request, _ Segmentation) (*image.NRGBA, error) {
	text, err := legible(req.text("textDescription"))
	if err != nil {
		return nil, err
	}
	if text == "" {
		text = usualHeadlines[req.set(len(usualHeadlines))]
	}
	size := req.madeSize()
	b := &board{img: image.NewNRGBA(image.Rectangle{Max: size}), req: req, words: readCopy(text), p: req.palette(), margin: min(size.X, size.Y) / 13}
	if list := req.Pictures(); len(list) > 0 && len(readWish(text, "").colours) == 0 {
		b.p = paletteOf(imaging.Flatten(list[0], 255, 255, 255), b.p).worn(req.Item / 4)
	}
	layouts := []func(context.Context) error{b.above, b.behind, b.before, b.framed}
	if err := layouts[req.Item%len(layouts)](ctx); err != nil {
		return nil, err
	}
	return b.img, ctx.Err()
}

// portraitFirst cuts a tall picture below, since heads are in its upper part.
var portraitFirst = compose.Framing{X: 0.5, Y: 0.12, Zoom: 1}

// board is a poster in the making.
type board struct {
	img    *image.NRGBA
	req    Request
	words  copyText
	p      palette
	margin int
}

// picture is the poster's picture of w × h pixels: the one given, a collage of several, or a drawn scene.
func (b *board) picture(ctx context.Context, w, h int) (*image.NRGBA, error) {
	v := b.req.vary()
	switch list := b.req.Pictures(); len(list) {
	case 0:
		sub := b.req
		return sub.view(ctx, w, h, v)
	case 1:
		return compose.Cover(imaging.Flatten(list[0], 255, 255, 255), w, h, portraitFirst), nil
	default:
		return mosaic(ctx, list, image.Pt(w, h), max(3, w/160), b.p.paper, b.req.Item)
	}
}

// above shows the picture over the text.
func (b *board) above(ctx context.Context) error {
	w, h := b.img.Rect.Dx(), b.img.Rect.Dy()
	flood(b.img, b.p.paper)
	area := image.Rect(0, h*58/100, w, h)
	if w > h*5/4 {
		area = image.Rect(w*54/100, 0, w, h)
	}
	pw, ph := w, area.Min.Y
	if area.Min.Y == 0 {
		pw, ph = area.Min.X, h
	}
	pic, err := b.picture(ctx, pw, ph)
	if err != nil {
		return err
	}
	compose.Over(b.img, pic, image.Point{})
	return b.set(area.Inset(b.margin), b.p.ink, true, false)
}

// behind shows the picture over the whole poster, darkened under the text.
func (b *board) behind(ctx context.Context) error {
	w, h := b.img.Rect.Dx(), b.img.Rect.Dy()
	dark := channels(b.p.ink)
	if lightOf([]uint8{b.p.ink.R, b.p.ink.G, b.p.ink.B}) > 110 {
		dark = [3]float64{16, 18, 24}
	}
	high, from, top := h, 0.34, h*55/100
	if len(b.req.Pictures()) > 1 {
		high, from, top = h*56/100, 0.46, h*60/100 // no picture lies under the text whole
	}
	pic, err := b.picture(ctx, w, high)
	if err != nil {
		return err
	}
	flood(b.img, dot(dark, 255))
	compose.Over(b.img, imaging.Flatten(pic, 255, 255, 255), image.Point{})
	eachPixel(b.img, func(_, y int, p []uint8) {
		blend(p, dark, 0.86*smooth((float64(y)/float64(h)-from)/0.42))
	})
	return b.set(image.Rect(b.margin, top, w-b.margin, h-b.margin), color.NRGBA{250, 249, 246, 255}, true, false)
}

// before sets the subject, cut out, before a plain ground with a disc; without pictures the ground stands alone.
func (b *board) before(ctx context.Context) error {
	w, h := b.img.Rect.Dx(), b.img.Rect.Dy()
	ground := b.p.accent
	flood(b.img, ground)
	fw, fh := float64(w), float64(h)
	list := b.req.Pictures()
	oval(0.5*fw, 0.69*fh, 0.38*math.Min(fw, 0.8*fh), 0.38*math.Min(fw, 0.8*fh), 0).fill(b.img, mixed(ground, b.p.second, 0.7))
	if len(list) == 0 {
		emblemOf(b.req.text("textDescription"), b.words.title, b.req.Item)(b.img, 0.5*fw, 0.69*fh, 0.22*math.Min(fw, 0.8*fh), on(ground), mixed(ground, b.p.second, 0.7))
	}
	for i, img := range list {
		found, err := analysis.Subject(ctx, worked(img), segment.Options{})
		if err != nil {
			return err
		}
		cut := segment.Foreground(worked(img), found.Matte)
		row, place, share, foot := len(list), i, 0.62/math.Sqrt(float64(len(list))), 1.004
		if len(list) > 3 {
			// In two rows, the first behind.
			row, share, foot = len(list)/2, 0.3, 0.7
			if i >= row {
				row, place, foot = len(list)-row, i-row, 1.004
			}
		}
		placed, at := compose.Place(cut, image.Pt(w, h), share, foot, (float64(place)+1)/float64(row+1))
		layer := image.NewNRGBA(b.img.Rect)
		compose.Over(layer, placed, at)
		compose.Settle(b.img, layer, unit(b.img, 6), 0.3)
		b.req.progress(0.2 + 0.6*float64(i+1)/float64(len(list)))
	}
	return b.set(image.Rect(b.margin, b.margin, w-b.margin, h*38/100), on(ground), false, true)
}

// framed sets the picture into a frame with the title above and the rest below.
func (b *board) framed(ctx context.Context) error {
	w, h := b.img.Rect.Dx(), b.img.Rect.Dy()
	flood(b.img, b.p.paper)
	m := b.margin
	card(float64(m)/2, float64(m)/2, float64(w-m/2), float64(h-m/2), 0).fill(b.img, b.p.accent)
	card(float64(m)/2+4, float64(m)/2+4, float64(w-m/2)-4, float64(h-m/2)-4, 0).fill(b.img, b.p.paper)
	area := image.Rect(m, h*34/100, w-m, h*74/100)
	pic, err := b.picture(ctx, area.Dx(), area.Dy())
	if err != nil {
		return err
	}
	compose.Over(b.img, pic, area.Min)
	words := b.words
	b.words = copyText{title: words.title}
	if err := b.set(image.Rect(m, m, w-m, area.Min.Y-m/3), b.p.ink, false, true); err != nil {
		return err
	}
	b.words = copyText{subtitle: words.subtitle, details: words.details}
	return b.set(image.Rect(m, area.Max.Y+m/4, w-m, h-m), b.p.ink, false, true)
}

// set writes title, subtitle and details into a box, each as large as fits beside the others.
func (b *board) set(area image.Rectangle, ink color.NRGBA, bar, centre bool) error {
	unit := float64(min(b.img.Rect.Dx(), b.img.Rect.Dy()))
	y := area.Min.Y
	if bar && b.words.title != "" {
		thick := max(3, int(unit/140))
		fillRect(b.img, image.Rect(area.Min.X, y, area.Min.X+area.Dx()/6, y+thick), readable(b.p.accent, b.img.NRGBAAt(area.Min.X, min(y, b.img.Rect.Dy()-1))))
		y += thick + int(unit/60)
	}
	gap := int(unit / 50)
	type part struct {
		hand  *hand
		lines []string
	}
	// All of it is set as large as all of it fits; letters that cannot be read say nothing.
	var parts []part
	for k := 1.0; ; k *= 0.9 {
		parts = nil
		high, larger, whole := 0, false, true
		for i, text := range []string{b.words.title, b.words.subtitle, b.words.details} {
			if text == "" {
				continue
			}
			size := max(smallest, k*unit/[3]float64{8.5, 20, 32}[i])
			h, lines, err := inBox(text, size, i == 0, area.Dx(), area.Max.Y-y)
			if err != nil {
				return err
			}
			parts = append(parts, part{h, lines})
			high += len(lines)*h.high + gap
			larger = larger || size > smallest
			whole = whole && joined(lines...) == joined(text)
		}
		if whole && y+high-gap <= area.Max.Y {
			break
		}
		if !larger {
			return &UnseenError{fmt.Sprintf("The text has %d letters and signs, which a poster of this shape has no room for. Shorten it, or choose a larger or higher one.", utf8.RuneCountInString(b.req.text("textDescription")))}
		}
	}
	for _, part := range parts {
		base := y + int(0.95*part.hand.size)
		for _, line := range part.lines {
			x := area.Min.X
			if centre {
				x = (area.Min.X + area.Max.X - part.hand.width(line)) / 2
			}
			part.hand.write(b.img, line, x, base, ink)
			base += part.hand.high
		}
		y += len(part.lines)*part.hand.high + gap
	}
	return nil
}

// view is what a description shows: the place it names with its light, and the animal it names, if any.
func (r Request) view(ctx context.Context, w, h int, v variation) (*image.NRGBA, error) {
	back, err := r.behind(ctx, Segmentation{}, image.Pt(w, h), bearing{top: 0.3, feet: 0.92, across: 0.5}, v)
	if err != nil {
		return nil, err
	}
	return back.img, nil
}
