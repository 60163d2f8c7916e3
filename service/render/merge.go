package render

import (
	"context"
	"image"
	"math"

	"atelier/imaging"
	"atelier/imaging/compose"
	"atelier/imaging/mask"
)

// faceMerge gives the first picture a face between its own and that of the second: features lie where the mean of both has
// them, skin takes the mean of both tones, also on neck and body, and along the oval of the face the first goes on. Half
// and half first, then towards either side (Run API, "Family B": ai-face-merge).
func faceMerge(ctx context.Context, req Request, seg Segmentation) (*image.NRGBA, error) {
	second, err := req.second()
	if err != nil {
		return nil, err
	}
	to, ok, err := likenessOf(req.source())
	if err != nil {
		return nil, err
	}
	from, both, err := likenessOf(second)
	if err != nil {
		return nil, err
	}
	share := 0.5 + 0.38*(math.Mod(float64(req.Item)*0.381966+0.5, 1)-0.5)*2*math.Min(1, float64(req.Item))
	switch {
	case !ok:
		return nil, unseen(aFace, 1)
	case !both:
		return nil, unseen(aFace, 2)
	}
	req.progress(0.5)
	out := to.met(from, share, seg)
	req.vary().grade(out)
	return out, ctx.Err()
}

// metBy is the share of the way at which a face's place meets that of another: eyes and mouth once the other face has been turned,
// scaled and moved to where l's is.
func (l likeness) metBy(from likeness, share float64) features {
	mine, theirs := l.at.points(), from.at.points()
	// The turn and scale of least squares, as one complex number.
	var a, b spot
	for i := range mine {
		a, b = spot{a.x + mine[i].x/3, a.y + mine[i].y/3}, spot{b.x + theirs[i].x/3, b.y + theirs[i].y/3}
	}
	var re, im, all float64
	for i := range mine {
		mx, my, tx, ty := mine[i].x-a.x, mine[i].y-a.y, theirs[i].x-b.x, theirs[i].y-b.y
		re, im, all = re+mx*tx+my*ty, im+my*tx-mx*ty, all+tx*tx+ty*ty
	}
	re, im = re/math.Max(1e-6, all), im/math.Max(1e-6, all)
	var out [3]spot
	for i := range mine {
		tx, ty := theirs[i].x-b.x, theirs[i].y-b.y
		p := spot{a.x + re*tx - im*ty, a.y + im*tx + re*ty}
		out[i] = spot{mine[i].x + share*(p.x-mine[i].x), mine[i].y + share*(p.y-mine[i].y)}
	}
	return features{out[0], out[1], out[2]}
}

// points are eyes and mouth.
func (f features) points() [3]spot { return [3]spot{f.left, f.right, f.mouth} }

// met is l's picture with the face that lies a share of the way towards another.
func (l likeness) met(from likeness, share float64, seg Segmentation) *image.NRGBA {
	meant := l.metBy(from, share)
	mine, theirs := fitted3(meant.points(), l.at.points()), fitted3(meant.points(), from.at.points())
	tones := [2][3]float64{skinTone(l.img, l.face), skinTone(from.img, from.face)}
	var tone [3]float64
	for k := range tone {
		tone[k] = tones[0][k] + share*(tones[1][k]-tones[0][k])
	}
	base := imaging.Clone(l.img)
	if h := headIn(base, seg); h.ok {
		compose.Retone(base, tones[0], tone, visibleSkin(base, seg, h, tones[0]))
	}
	reach := l.face.Inset(-l.face.Dx() / 2).Intersect(base.Rect)
	other := imaging.Clone(base)
	part := mask.New(base.Rect.Dx(), base.Rect.Dy())
	part.FillRect(reach, 255)
	seen := mask.New(part.W, part.H) // where the other face reaches
	parallelRows(reach.Dy(), func(row int) {
		y := reach.Min.Y + row
		for x := reach.Min.X; x < reach.Max.X; x++ {
			p := theirs.at(spot{float64(x) + 0.5, float64(y) + 0.5})
			if c, ok := sampled(from.img, p.x-0.5, p.y-0.5); ok {
				i := other.PixOffset(x, y)
				for k := range 3 {
					other.Pix[i+k] = byte255(c[k])
				}
				seen.Pix[y*seen.W+x] = 255
			}
		}
	})
	compose.Retone(other, tones[1], tone, part)
	out := imaging.Clone(base)
	// What differs in the light of both is evened out along the oval.
	wide := max(2, int(meant.span()/3))
	softOther, softBase := compose.Blur(other, wide), compose.Blur(base, wide)
	parallelRows(reach.Dy(), func(row int) {
		y := reach.Min.Y + row
		for x := reach.Min.X; x < reach.Max.X; x++ {
			p := spot{float64(x) + 0.5, float64(y) + 0.5}
			r := ovalReach(meant.below(p))
			if r >= 1.5 {
				continue
			}
			// The own face follows its features within the oval, and what is around it stays.
			move := 1 - smooth((r-0.9)/0.55)
			q := mine.at(p)
			c, ok := sampled(base, p.x+move*(q.x-p.x)-0.5, p.y+move*(q.y-p.y)-0.5)
			if !ok {
				continue
			}
			if cover := share * (1 - smooth((r-0.7)/0.28)) * float64(seen.Pix[y*seen.W+x]) / 255; cover > 0 {
				i := other.PixOffset(x, y)
				rim := smooth((r - 0.45) / 0.45)
				for k := range 3 {
					d := math.Max(-70, math.Min(70, float64(softBase.Pix[i+k])-float64(softOther.Pix[i+k])))
					c[k] += cover * (float64(other.Pix[i+k]) + rim*d - c[k])
				}
			}
			i := out.PixOffset(x, y)
			for k := range 3 {
				out.Pix[i+k] = byte255(c[k])
			}
		}
	})
	return out
}

// visibleSkin is the soft cover of a person's skin: the head's, and what is like it and hangs together with it down to the chest.
func visibleSkin(img *image.NRGBA, seg Segmentation, h head, tone [3]float64) mask.Plane {
	subject := fitPlane(seg.Subject, h.skin.W, h.skin.H)
	open := mask.New(h.skin.W, h.skin.H)
	parallelRows(open.H, func(y int) {
		for x := range open.W {
			i := y*open.W + x
			p := img.Pix[img.PixOffset(x, y):]
			if subject.Pix[i] >= mask.Level && h.hair.Pix[i] < 96 && y > h.face.Min.Y+h.face.Dy()/2 && likeSkin(compose.Lab(p[0], p[1], p[2]), tone) > 0.55 {
				open.Pix[i] = 255
			}
		}
	})
	out := h.skin.Clone()
	for i, v := range reachedFrom(open, h.skin).Feather(math.Max(1, float64(h.face.Dx())/60)).Pix {
		out.Pix[i] = max(out.Pix[i], min(v, 255-h.hair.Pix[i]))
	}
	return out
}
