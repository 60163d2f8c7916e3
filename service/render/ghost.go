package render

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"

	"atelier/imaging/analysis"
	"atelier/imaging/compose"
	"atelier/imaging/fill"
	"atelier/imaging/mask"
	"atelier/imaging/segment"
)

// asGhost shows the clothes alone on white, as on an invisible figure: the hollow of the neck shows the cloth's inside.
func asGhost(ctx context.Context, b *brush) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	cut := b.seg.Foreground
	if b.seg.Matte.W > 0 {
		src, matte, err := underHair(ctx, b.req.Source(), b.seg, b.req.seed())
		if err != nil {
			return err
		}
		cut = segment.Foreground(src, matte)
	}
	size := b.req.madeSize()
	cut = hollowed(cut, b.seg)
	out := image.NewNRGBA(image.Rectangle{Max: size})
	flood(out, color.NRGBA{255, 255, 255, 255})
	// White stays white, the garment takes the item's light; how close it is shown and what lies below it differ.
	share := [4]float64{0.86, 0.93, 0.78, 0.7}[b.req.Item%4]
	placed, at := compose.Place(cut, size, share, 0.5+share/2+0.01, 0.5)
	b.v.grade(placed)
	b.v.light, b.v.warmth, b.wanted.light, b.wanted.warmth = 0, 0, 0, 0
	layer := image.NewNRGBA(out.Rect)
	compose.Over(layer, placed, at)
	shadow := compose.Shadow{Strength: [4]float64{0.2, 0.2, 0.32, 0}[b.req.Item%4], Light: compose.Light{Angle: 90, Softness: 1}, Length: 0.3}
	compose.ContactShadow(out, compose.Matte(layer), shadow)
	compose.Over(out, layer, image.Point{})
	b.img = out
	return nil
}

// hollowed draws the inside of the collar where the neck was: between the sides of the neckline, from the rim at the back down
// to the garment's front.
func hollowed(cut *image.NRGBA, seg Segmentation) *image.NRGBA {
	matte := compose.Matte(cut)
	if matte.Empty() || len(seg.Faces) == 0 {
		return cut
	}
	f := seg.Faces[0]
	d := float64(f.Dx())
	cx := float64(f.Min.X+f.Max.X) / 2
	// top is the first row of the garment below the mouth, in a column.
	top := func(x float64) (float64, bool) {
		if x < 0 || int(x) >= matte.W {
			return 0, false
		}
		for y := max(0, f.Max.Y-f.Dy()/6); y < min(matte.H, f.Max.Y+2*f.Dy()); y++ {
			if matte.Kept(int(x), y) {
				return float64(y), true
			}
		}
		return 0, false
	}
	// The neckline begins where the garment is highest to either side of the neck.
	edge := func(side float64) (spot, bool) {
		best := spot{0, math.Inf(1)}
		for k := 0.26; k < 0.62; k += 0.02 {
			if y, ok := top(cx + side*k*d); ok && y < best.y-0.01*d {
				best = spot{cx + side*k*d, y}
			}
		}
		return best, !math.IsInf(best.y, 1)
	}
	left, okLeft := edge(-1)
	right, okRight := edge(1)
	if !okLeft || !okRight {
		return cut
	}
	near := mask.New(matte.W, matte.H)
	near.FillRect(image.Rect(int(cx-d), int(left.y), int(cx+d), int(left.y+d)).Intersect(matte.Rect()), 255)
	for i, v := range matte.Pix {
		near.Pix[i] = min(near.Pix[i], v)
	}
	cloth := rgbOf(compose.Measure(cut, &near).Mean)
	var rim, front []spot
	for x := left.x; x <= right.x; x++ {
		t := (x - left.x) / math.Max(1, right.x-left.x)
		line := left.y + t*(right.y-left.y)
		low, ok := top(x)
		if !ok || low > line+1.3*d {
			low = line
		}
		rim = append(rim, spot{x, line - 0.1*d*math.Sin(math.Pi*t)})
		front = append(front, spot{x, math.Max(line, low) + 2})
	}
	under := image.NewNRGBA(cut.Rect)
	slices.Reverse(front)
	polygon(append(slices.Clone(rim), front...)...).shade(under, func(x, y float64) [3]float64 {
		deep := smooth((y - math.Min(left.y, right.y) + 0.1*d) / (0.8 * d))
		return color3(cloth, 0.62-0.3*deep-0.1*math.Abs(x-cx)/d)
	})
	line(0.05*d, 0.05*d, rim...).fill(under, dot(color3(cloth, 0.8), 255))
	compose.Over(under, cut, image.Point{})
	return under
}

// underHair completes the cloth that long hair lies on: the picture without that hair, and the garment's matte with it.
func underHair(ctx context.Context, img *image.NRGBA, seg Segmentation, seed int64) (*image.NRGBA, mask.Plane, error) {
	if len(seg.Faces) == 0 || seg.Exact {
		return img, seg.Matte, nil
	}
	people, err := analysis.Pieces(ctx, img, segment.Options{})
	if err != nil {
		return nil, mask.Plane{}, fmt.Errorf("find the hair: %w", err)
	}
	if people.Head.W == 0 {
		return img, seg.Matte, nil
	}
	hard := people.Head.Clone()
	hard.Threshold(mask.Level)
	h := headIn(img, Segmentation{Faces: seg.Faces, Matte: people.Head, Mask: hard, Subject: people.Subject.Mask})
	if !h.ok {
		return img, seg.Matte, nil
	}
	f := featuresOf(img, h.face)
	strands := h.hair.Clone()
	strands.Threshold(96)
	strands = strands.Grow(math.Max(2, f.span()/11))
	visible := people.Subject.Mask.Clone()
	for i, v := range strands.Pix {
		if v != 0 && seg.Matte.Pix[i] < mask.Level {
			visible.Pix[i] = 0
		}
	}
	loose := strands.Clone()
	for i, v := range seg.Matte.Pix {
		if v >= mask.Level {
			loose.Pix[i] = 0
		}
	}
	hole := clothBelow(h, bodyBelow(loose, mask.Plane{}, visible, f), seg.Matte, visible, f)
	if hole.Empty() {
		return img, seg.Matte, nil
	}
	// Cloth is made of cloth that lies some way off the hair.
	near := h.hair.Clone()
	near.Threshold(60)
	near = near.Grow(math.Max(1, float64(h.face.Dx())/24))
	avoid := mask.New(hole.W, hole.H)
	for i := range avoid.Pix {
		if seg.Matte.Pix[i] < 200 || near.Pix[i] >= mask.Level {
			avoid.Pix[i] = 255
		}
		if near.Pix[i] >= mask.Level && seg.Matte.Pix[i] >= mask.Level {
			hole.Pix[i] = 255 // strands that lie on it singly go too
		}
	}
	if avoid.Full() {
		return img, seg.Matte, nil
	}
	done, err := fill.Complete(ctx, img, hole, fill.Options{Seed: seed, Avoid: &avoid})
	if err != nil {
		return nil, mask.Plane{}, fmt.Errorf("complete the cloth below the hair: %w", err)
	}
	matte := seg.Matte.Clone()
	soft := hole.Feather(1)
	for i, v := range soft.Pix {
		matte.Pix[i] = max(matte.Pix[i], v)
	}
	return done, matte, nil
}

// overCloth is the part of the body below hair, below the chin's row, that is nearer to cloth than to skin. visible is what
// shows of the person.
func overCloth(chin int, body, worn, visible mask.Plane) mask.Plane {
	w, ht := body.W, body.H
	hidden := func(i int) bool { return body.Pix[i] != 0 && i/w > chin }
	const unknown, cloth, skin = 0, 1, 2
	side := make([]uint8, w*ht)
	var queue []int
	for i := range side {
		switch {
		case hidden(i):
			continue
		case worn.Pix[i] >= mask.Level:
			side[i] = cloth
		case visible.Pix[i] >= mask.Level:
			side[i] = skin
		default:
			continue
		}
		x, y := i%w, i/w
		if y >= chin && (x > 0 && hidden(i-1) || x < w-1 && hidden(i+1) || y < ht-1 && hidden(i+w) || y > 0 && hidden(i-w)) {
			queue = append(queue, i)
		}
	}
	for len(queue) > 0 {
		i := queue[0]
		queue = queue[1:]
		for _, step := range [4]int{-1, 1, -w, w} {
			n := i + step
			if n >= 0 && n < len(side) && side[n] == unknown && hidden(n) && (step*step != 1 || n/w == i/w) {
				side[n] = side[i]
				queue = append(queue, n)
			}
		}
	}
	out := mask.New(w, ht)
	for i, v := range side {
		if v == cloth && hidden(i) {
			out.Pix[i] = 255
		}
	}
	return out
}
