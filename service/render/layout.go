package render

import (
	"context"
	"image"
	"image/color"
	"math"
	"slices"

	"atelier/imaging"
	"atelier/imaging/compose"
)

// shape is width over height, within what looks good side by side.
func shape(img *image.NRGBA) float64 {
	return math.Max(0.6, math.Min(1.8, float64(img.Rect.Dx())/float64(img.Rect.Dy())))
}

// collage lays all pictures out on one sheet; each item in another layout: justified rows, columns, one large picture with
// the rest beside it, prints with white rims strewn over a ground (Run API, "Family B").
func collage(ctx context.Context, req Request, _ Segmentation) (*image.NRGBA, error) {
	list := append([]*image.NRGBA(nil), req.Pictures()...)
	v := req.vary()
	size := req.canvas(image.Pt(1536, 1536))
	wanted := readWish(req.text("textDescription"), req.text("negTextDescription"))
	back := colourNames[[]string{"white", "charcoal", "cream", "sage"}[req.Item%4]]
	if len(wanted.colours) > 0 {
		back = dot(req.shade(wanted.colours[0]), 255)
	}
	// The next four have another picture first, and other margins.
	if n := req.Item / 4; len(list) > 0 {
		list = slices.Concat(list[n%len(list):], list[:n%len(list)])
	}
	if req.Item%4 == 3 {
		return strewn(ctx, list, size, back, v)
	}
	return mosaic(ctx, list, size, max(3, size.X/([3]int{44, 90, 26}[req.Item%4]+5*(req.Item/4))), back, req.Item%4)
}

// strewn lays prints of pictures on a sheet, each whole, with a white rim, a little aslant, and with the shade it throws. Rims
// may lie on one another, pictures hardly.
func strewn(ctx context.Context, list []*image.NRGBA, size image.Point, back color.NRGBA, v variation) (*image.NRGBA, error) {
	out := image.NewNRGBA(image.Rectangle{Max: size})
	f := field{seed: v.random.Uint32()}
	long := float64(max(size.X, size.Y))
	eachPixel(out, func(x, y int, p []uint8) {
		lit := 1.03 - 0.1*float64(y)/float64(size.Y) + 0.03*f.sum(float64(x)/long*5, float64(y)/long*5, 3) + 0.02*f.at(float64(x)/1.7, float64(y)/1.7)
		copy(p, []uint8{byte255(float64(back.R) * lit), byte255(float64(back.G) * lit), byte255(float64(back.B) * lit), 255})
	})
	for i, r := range tiles(list, size, max(3, size.X/22), 0) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rim := max(3, min(r.Dx(), r.Dy())/18)
		picture := imaging.Fit(imaging.Flatten(list[i], 255, 255, 255), max(1, r.Dx()-2*rim), max(1, r.Dy()-3*rim))
		page := image.NewNRGBA(image.Rect(0, 0, picture.Rect.Dx()+2*rim, picture.Rect.Dy()+3*rim))
		flood(page, color.NRGBA{252, 251, 247, 255})
		compose.Over(page, picture, image.Pt(rim, rim))
		turned := compose.Turn(page, float64(1-2*(i%2))*(2.5+4*v.random.Float64()))
		layer := image.NewNRGBA(out.Rect)
		at := r.Min.Add(r.Size().Sub(turned.Rect.Size()).Div(2))
		compose.Over(layer, turned, at.Add(image.Pt(int(float64(rim)*(v.random.Float64()-0.5)), int(float64(rim)*(v.random.Float64()-0.5)))))
		shade := compose.Matte(layer).Feather(float64(rim) / 2)
		eachPixel(out, func(x, y int, p []uint8) {
			if a := shade.At(x-rim/3, y-rim/2); a > 0 {
				blend(p, [3]float64{24, 24, 30}, 0.42*float64(a)/255)
			}
		})
		compose.Over(out, layer, image.Point{})
	}
	return out, nil
}

// mosaic is a sheet of pictures that fills its size. Pictures are cut as little as the layout allows.
func mosaic(ctx context.Context, list []*image.NRGBA, size image.Point, margin int, back color.NRGBA, item int) (*image.NRGBA, error) {
	out := image.NewNRGBA(image.Rectangle{Max: size})
	flood(out, back)
	for i, r := range tiles(list, size, margin, item) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		tile := compose.Cover(imaging.Flatten(list[i], 255, 255, 255), r.Dx(), r.Dy(), portraitFirst)
		compose.Over(out, tile, r.Min)
	}
	return out, nil
}

// tiles are the places of pictures on a sheet, by the item's layout.
func tiles(list []*image.NRGBA, size image.Point, margin, item int) []image.Rectangle {
	whole := image.Rectangle{Max: size}.Inset(margin)
	shapes := make([]float64, len(list))
	for i, img := range list {
		shapes[i] = shape(img)
	}
	switch {
	case len(list) > 2 && item%3 == 2:
		// One large, the rest beside or below it.
		big, rest := whole, whole
		if size.X >= size.Y {
			big.Max.X = whole.Min.X + whole.Dx()*60/100
			rest.Min.X = big.Max.X + margin
		} else {
			big.Max.Y = whole.Min.Y + whole.Dy()*60/100
			rest.Min.Y = big.Max.Y + margin
		}
		return append([]image.Rectangle{big}, justified(shapes[1:], rest, margin, false)...)
	case item%3 == 1:
		return justified(shapes, whole, margin, true)
	}
	return justified(shapes, whole, margin, false)
}

// justified fills a box with rows (or columns) of tiles: within a row each as wide as its shape asks, rows as high as
// their shapes ask, all brought to the box's size.
func justified(shapes []float64, box image.Rectangle, gap int, columns bool) []image.Rectangle {
	if columns {
		turned := make([]float64, len(shapes))
		for i, s := range shapes {
			turned[i] = 1 / s
		}
		out := justified(turned, image.Rect(box.Min.Y, box.Min.X, box.Max.Y, box.Max.X), gap, false)
		for i, r := range out {
			out[i] = image.Rect(r.Min.Y, r.Min.X, r.Max.Y, r.Max.X)
		}
		return out
	}
	n := len(shapes)
	if n == 0 {
		return nil
	}
	total := 0.0
	for _, s := range shapes {
		total += s
	}
	rows := max(1, min(n, int(math.Round(math.Sqrt(total*float64(box.Dy())/float64(box.Dx()))))))
	// Rows of about equal sums of shapes.
	var groups [][]int
	sum := 0.0
	for i, s := range shapes {
		if row := min(rows-1, int((sum+s/2)/total*float64(rows))); row >= len(groups) {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], i)
		sum += s
	}
	heights := make([]float64, len(groups))
	all := 0.0
	for g, list := range groups {
		wide := 0.0
		for _, i := range list {
			wide += shapes[i]
		}
		heights[g] = float64(box.Dx()-gap*(len(list)-1)) / wide
		all += heights[g]
	}
	k := float64(box.Dy()-gap*(len(groups)-1)) / all
	out := make([]image.Rectangle, n)
	y := float64(box.Min.Y)
	for g, list := range groups {
		wide := 0.0
		for _, i := range list {
			wide += shapes[i]
		}
		free := float64(box.Dx() - gap*(len(list)-1))
		x := float64(box.Min.X)
		bottom := y + k*heights[g]
		for _, i := range list {
			right := x + free*shapes[i]/wide
			out[i] = image.Rect(int(x+0.5), int(y+0.5), max(int(x+0.5)+1, int(right+0.5)), max(int(y+0.5)+1, int(bottom+0.5)))
			x = right + float64(gap)
		}
		y = bottom + float64(gap)
	}
	return out
}
