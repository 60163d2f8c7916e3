package render

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"math"
	"strings"

	"atelier/imaging"
	"atelier/imaging/compose"
)

// palette is paper, ink and accents that go together.
type palette struct {
	paper, ink, accent, second color.NRGBA
}

var palettes = []palette{
	{color.NRGBA{246, 242, 234, 255}, color.NRGBA{34, 36, 44, 255}, color.NRGBA{214, 92, 66, 255}, color.NRGBA{242, 196, 120, 255}},
	{color.NRGBA{24, 32, 48, 255}, color.NRGBA{240, 240, 236, 255}, color.NRGBA{96, 190, 196, 255}, color.NRGBA{240, 176, 92, 255}},
	{color.NRGBA{232, 238, 230, 255}, color.NRGBA{30, 56, 48, 255}, color.NRGBA{74, 130, 100, 255}, color.NRGBA{236, 186, 160, 255}},
	{color.NRGBA{250, 232, 228, 255}, color.NRGBA{72, 28, 56, 255}, color.NRGBA{196, 64, 108, 255}, color.NRGBA{120, 110, 196, 255}},
}

// palette is the item's, with the description's colours as accents.
func (r Request) palette() palette {
	p := palettes[(int(uint64(r.Seed)%uint64(len(palettes)))+r.Item)%len(palettes)]
	for i, c := range readWish(r.text("textDescription"), r.text("negTextDescription")).colours {
		switch i {
		case 0:
			p.accent = c
		case 1:
			p.second = c
		}
	}
	return p
}

// byWords draws the scene a description asks for.
func byWords(ctx context.Context, req Request, _ Segmentation) (*image.NRGBA, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	size := req.canvas(image.Pt(1024, 1024))
	v := req.vary()
	v.item = req.Item + 1 // with light through a window first: the scene is all there is
	return req.scene(size.X, size.Y, v), nil
}

// headline is the first sentence of a description, and what follows it.
func headline(text string) (first, rest string) {
	text = strings.TrimSpace(text)
	if i := strings.IndexAny(text, ".!?:;\n"); i > 0 {
		return strings.TrimSpace(text[:i]), strings.TrimSpace(text[i+1:])
	}
	return text, ""
}

// poster sets the description as headline and text, over the picture or a drawn scene (Run API, "Family C").
func poster(ctx context.Context, req Request, _ Segmentation) (*image.NRGBA, error) {
	size := req.canvas(image.Pt(1024, 1024))
	if req.text("aspectRatio") == "" && req.text("imageSize") == "" {
		size = image.Pt(1024, 1448)
	}
	p := req.palette()
	v := req.vary()
	out := image.NewNRGBA(image.Rectangle{Max: size})
	flood(out, p.paper)
	split := size.Y * 58 / 100
	list := req.pictures()
	switch len(list) {
	case 0:
		compose.Over(out, req.scene(size.X, split, v), image.Point{})
	case 1:
		compose.Over(out, compose.Cover(imaging.Flatten(list[0], 255, 255, 255), size.X, split, v.framing), image.Point{})
	default:
		sub := req
		sub.Values = map[string]any{}
		tiles, err := collageAt(ctx, sub, size.X, split)
		if err != nil {
			return nil, err
		}
		compose.Over(out, tiles, image.Point{})
	}
	req.progress(0.5)
	margin := size.X / 14
	bar := image.Rect(margin, split+size.Y/24, margin+size.X/7, split+size.Y/24+max(3, size.Y/160))
	fillRect(out, bar, p.accent)
	first, rest := headline(req.text("textDescription"))
	h, lines, err := fitted(first, float64(size.X)/11, true, size.X-2*margin, 3)
	if err != nil {
		return nil, err
	}
	y := bar.Max.Y + h.high
	for _, line := range lines {
		h.write(out, line, margin, y, p.ink)
		y += h.high
	}
	if rest != "" {
		small, err := newHand(float64(size.X)/38, false)
		if err != nil {
			return nil, err
		}
		for _, line := range small.wrap(rest, size.X-2*margin, max(1, (size.Y-y-margin/2)/small.high)) {
			small.write(out, line, margin, y, p.ink)
			y += small.high
		}
	}
	return out, nil
}

// collageAt is a collage of w × h pixels.
func collageAt(ctx context.Context, req Request, w, h int) (*image.NRGBA, error) {
	sheet, err := collage(ctx, req, Segmentation{})
	if err != nil {
		return nil, err
	}
	return compose.Cover(sheet, w, h, compose.Centred), nil
}

// pieces are the steps or points of a description, in order.
func pieces(text string, most int) []string {
	text = strings.NewReplacer("->", "\n", "→", "\n", ";", "\n", ". ", "\n", " then ", "\n", "=>", "\n").Replace(text)
	if !strings.Contains(text, "\n") {
		text = strings.ReplaceAll(text, ",", "\n")
	}
	var out []string
	for part := range strings.SplitSeq(text, "\n") {
		if part = strings.Trim(part, " .,\t\r"); part != "" && len(out) < most {
			out = append(out, part)
		}
	}
	return out
}

// infographic sets the points of a description as numbered cards.
func infographic(ctx context.Context, req Request, _ Segmentation) (*image.NRGBA, error) {
	size := req.canvas(image.Pt(1024, 1280))
	p := req.palette()
	out := image.NewNRGBA(image.Rectangle{Max: size})
	flood(out, p.paper)
	first, rest := headline(req.text("textDescription"))
	margin := size.X / 14
	h, lines, err := fitted(first, float64(size.X)/15, true, size.X-2*margin, 2)
	if err != nil {
		return nil, err
	}
	y := h.centred(out, lines, size.X/2, margin+h.high, p.ink)
	points := pieces(rest, 6)
	if len(points) == 0 {
		points = pieces(first, 6)
	}
	columns := 1 + req.Item%2
	rows := (len(points) + columns - 1) / columns
	gap := margin / 2
	cellW := (size.X - 2*margin - gap*(columns-1)) / columns
	cellH := (size.Y - y - margin - gap*max(0, rows-1)) / max(1, rows)
	for i, point := range points {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		at := image.Pt(margin+i%columns*(cellW+gap), y+i/columns*(cellH+gap))
		box := image.Rectangle{Min: at, Max: at.Add(image.Pt(cellW, cellH))}
		roundRect(out, box, cellH/12, mixed(p.paper, p.second, 0.35))
		badge := min(cellH/2, cellW/4) * 2 / 3
		disc(out, float64(at.X+gap+badge/2), float64(at.Y+cellH/2), float64(badge)/2, p.accent)
		number, _, err := fitted(fmt.Sprint(i+1), float64(badge)*0.6, true, badge, 1)
		if err != nil {
			return nil, err
		}
		number.centred(out, []string{fmt.Sprint(i + 1)}, at.X+gap+badge/2, at.Y+cellH/2+int(number.size*0.36), on(p.accent))
		text, lines, err := fitted(point, float64(cellH)/4.5, false, cellW-3*gap-badge, 3)
		if err != nil {
			return nil, err
		}
		ty := at.Y + cellH/2 - (len(lines)-1)*text.high/2 + int(text.size*0.36)
		for _, line := range lines {
			text.write(out, line, at.X+2*gap+badge, ty, p.ink)
			ty += text.high
		}
	}
	return out, nil
}

// flowchart sets the steps of a description as boxes with arrows from one to the next.
func flowchart(ctx context.Context, req Request, _ Segmentation) (*image.NRGBA, error) {
	size := req.canvas(image.Pt(1024, 1280))
	p := req.palette()
	out := image.NewNRGBA(image.Rectangle{Max: size})
	flood(out, p.paper)
	list := pieces(req.text("textDescription"), 8)
	n := max(1, len(list))
	margin := size.X / 12
	slot := (size.Y - 2*margin) / n
	boxH := slot * 62 / 100
	for i, text := range list {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		top := margin + i*slot
		shift := 0
		if req.Item%2 == 1 {
			shift = []int{-1, 1}[i%2] * size.X / 12
		}
		box := image.Rect(2*margin+shift, top, size.X-2*margin+shift, top+boxH)
		fill, ink := p.second, on(p.second)
		if i == 0 || i == n-1 {
			fill, ink = p.accent, on(p.accent)
		}
		radius := boxH / 8
		if i == 0 || i == n-1 {
			radius = boxH / 2
		}
		if i+1 < n {
			arrow(out, float64(size.X)/2, float64(box.Max.Y), float64(margin+(i+1)*slot), float64(max(2, size.X/220)), p.ink)
		}
		roundRect(out, box, radius, fill)
		h, lines, err := fitted(text, float64(boxH)/3, false, box.Dx()-margin, 2)
		if err != nil {
			return nil, err
		}
		h.centred(out, lines, (box.Min.X+box.Max.X)/2, top+boxH/2-(len(lines)-1)*h.high/2+int(h.size*0.36), ink)
	}
	return out, nil
}

// logo sets the name in a description below a plain sign made of its first letter.
func logo(_ context.Context, req Request, _ Segmentation) (*image.NRGBA, error) {
	size := req.canvas(image.Pt(1024, 1024))
	p := req.palette()
	out := image.NewNRGBA(image.Rectangle{Max: size})
	flood(out, p.paper)
	name := brandName(req.text("textDescription"))
	cx, cy := float64(size.X)/2, float64(size.Y)*0.4
	r := float64(min(size.X, size.Y)) * 0.2
	switch req.Item % 4 {
	case 0:
		disc(out, cx, cy, r, p.accent)
	case 1:
		roundRect(out, image.Rect(int(cx-r), int(cy-r), int(cx+r), int(cy+r)), int(r/3), p.accent)
	case 2:
		disc(out, cx, cy, r, p.accent)
		disc(out, cx, cy, r*0.86, p.paper)
		disc(out, cx, cy, r*0.78, p.second)
	case 3:
		disc(out, cx-r*0.35, cy, r*0.8, p.accent)
		disc(out, cx+r*0.35, cy, r*0.8, mixed(p.accent, p.second, 0.6))
	}
	letter := strings.ToUpper(string([]rune(name)[:1]))
	sign, err := newHand(r*1.15, true)
	if err != nil {
		return nil, err
	}
	sign.centred(out, []string{letter}, int(cx), int(cy+r*0.41), p.paper)
	h, lines, err := fitted(name, float64(size.X)/9, true, size.X*8/10, 1)
	if err != nil {
		return nil, err
	}
	h.centred(out, lines, size.X/2, int(cy+r*1.25)+h.high, p.ink)
	return out, nil
}

// brandName is what a description calls the brand: what stands in quotes, or after "for", "called" or "named", or its
// first two words.
func brandName(text string) string {
	for _, quote := range []string{`"`, "“", "'", "«"} {
		if _, after, ok := strings.Cut(text, quote); ok {
			if i := strings.IndexAny(after, `"”'»`); i > 0 {
				return after[:i]
			}
		}
	}
	list := strings.Fields(text)
	for i, w := range list {
		switch strings.ToLower(w) {
		case "called", "named", "for", "of":
			var name []string
			for _, next := range list[i+1:] {
				if len(name) == 2 || len(name) > 0 && next == strings.ToLower(next) {
					break
				}
				name = append(name, strings.Trim(next, ".,;:!?"))
			}
			if len(name) > 0 {
				return strings.Join(name, " ")
			}
		}
	}
	if len(list) > 2 {
		list = list[:2]
	}
	if name := strings.Trim(strings.Join(list, " "), ".,;:!? "); name != "" {
		return name
	}
	return "Atelier"
}

// on is a colour that can be read on c.
func on(c color.NRGBA) color.NRGBA {
	if lightOf([]uint8{c.R, c.G, c.B}) > 140 {
		return color.NRGBA{28, 28, 34, 255}
	}
	return color.NRGBA{250, 249, 246, 255}
}

func mixed(a, b color.NRGBA, share float64) color.NRGBA {
	mix := func(x, y uint8) uint8 { return byte255(float64(x) + share*(float64(y)-float64(x))) }
	return color.NRGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 255}
}

func fillRect(img *image.NRGBA, r image.Rectangle, c color.NRGBA) { shapeOver(img, r, c, nil) }

// roundRect paints a box with round corners.
func roundRect(img *image.NRGBA, r image.Rectangle, radius int, c color.NRGBA) {
	rad := float64(radius)
	shapeOver(img, r, c, func(x, y float64) float64 {
		dx := math.Max(0, math.Max(float64(r.Min.X)+rad-x, x-float64(r.Max.X)+rad))
		dy := math.Max(0, math.Max(float64(r.Min.Y)+rad-y, y-float64(r.Max.Y)+rad))
		return rad - math.Hypot(dx, dy) + 0.5
	})
}

// disc paints a round spot.
func disc(img *image.NRGBA, cx, cy, r float64, c color.NRGBA) {
	box := image.Rect(int(cx-r)-1, int(cy-r)-1, int(cx+r)+2, int(cy+r)+2)
	shapeOver(img, box, c, func(x, y float64) float64 { return r - math.Hypot(x-cx, y-cy) + 0.5 })
}

// arrow paints a line down from y0 to y1 at x, with a head.
func arrow(img *image.NRGBA, x, y0, y1, thick float64, c color.NRGBA) {
	head := 4 * thick
	fillRect(img, image.Rect(int(x-thick/2), int(y0), int(x+thick/2)+1, int(y1-head)), c)
	shapeOver(img, image.Rect(int(x-head), int(y1-1.6*head), int(x+head)+1, int(y1)), c, func(px, py float64) float64 {
		return (y1-py)*0.6 - math.Abs(px-x) + 0.5
	})
}

// shapeOver paints c within r where inside, measured in pixels from the edge, is above 0.
func shapeOver(img *image.NRGBA, r image.Rectangle, c color.NRGBA, inside func(x, y float64) float64) {
	r = r.Intersect(img.Rect)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			share := 1.0
			if inside != nil {
				share = math.Max(0, math.Min(1, inside(float64(x)+0.5, float64(y)+0.5)))
			}
			if share == 0 {
				continue
			}
			p := img.Pix[img.PixOffset(x, y):]
			p[0] = byte255(float64(p[0]) + share*(float64(c.R)-float64(p[0])))
			p[1] = byte255(float64(p[1]) + share*(float64(c.G)-float64(p[1])))
			p[2] = byte255(float64(p[2]) + share*(float64(c.B)-float64(p[2])))
			p[3] = max(p[3], byte255(255*share))
		}
	}
}
