package render

import (
	"context"
	"image"
	"image/color"
	"math"
	"strings"

	"atelier/imaging"
	"atelier/imaging/analysis"
	"atelier/imaging/compose"
	"atelier/imaging/mask"
	"atelier/imaging/segment"
)

// hatched draws img with a pencil: outlines, and strokes in up to four directions the denser the darker it is.
func hatched(img *image.NRGBA, seed uint32, ink [3]float64, item int) *image.NRGBA {
	lines := pencil(img, seed, ink)
	soft := compose.Blur(img, unit(img, 4))
	f := field{seed: seed}
	step := math.Max(3, 5.2*float64(max(img.Rect.Dx(), img.Rect.Dy()))/1000)
	angles := [4]float64{-0.7, 0.72, -0.15, 1.35}
	eachPixel(lines, func(x, y int, p []uint8) {
		tone := lightOf(soft.Pix[soft.PixOffset(x, y):]) / 255
		dark := 0.0
		for n, a := range angles {
			limit := [4]float64{0.74, 0.54, 0.36, 0.2}[n]
			if tone >= limit {
				continue
			}
			sin, cos := math.Sincos(a + 0.12*float64(item%4))
			along, across := float64(x)*cos+float64(y)*sin, -float64(x)*sin+float64(y)*cos
			across += 1.1 * step * 0.3 * f.at(along/(9*step), across/(14*step))
			_, t := math.Modf(across/step + 1e4)
			stroke := 1 - smooth((math.Abs(t-0.5)-0.13)/0.16)
			stroke *= smooth(0.9 + 0.9*f.at(along/(5*step), math.Floor(across/step)*3.7)) // strokes begin and end
			dark = math.Max(dark, stroke*smooth((limit-tone)/0.12)*0.62)
		}
		blend(p, ink, dark)
	})
	return lines
}

func asSketch(_ context.Context, b *brush) error {
	b.img = hatched(b.img, b.v.random.Uint32(), b.colour([3]float64{38, 38, 42}, [3]float64{58, 44, 34}, [3]float64{30, 40, 62}), b.req.Item)
	return nil
}

// facets shows img as a model of few flat triangles, their corners moved to its contours.
func facets(img *image.NRGBA, cells int, random func() float64) *image.NRGBA {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	step := math.Max(4, float64(max(w, h))/float64(cells))
	soft := compose.Blur(img, max(1, int(step/8)))
	nx, ny := int(math.Ceil(float64(w)/step))+1, int(math.Ceil(float64(h)/step))+1
	light := func(x, y int) float64 {
		return lightOf(soft.Pix[soft.PixOffset(max(0, min(w-1, x)), max(0, min(h-1, y))):])
	}
	corners := make([]spot, nx*ny)
	for j := range ny {
		for i := range nx {
			best, at := -1.0, spot{float64(i) * step, float64(j) * step}
			for range 12 {
				x, y := (float64(i)+0.8*(random()-0.5))*step, (float64(j)+0.8*(random()-0.5))*step
				d := math.Abs(light(int(x)+2, int(y))-light(int(x)-2, int(y))) + math.Abs(light(int(x), int(y)+2)-light(int(x), int(y)-2))
				if d > best {
					best, at = d, spot{x, y}
				}
			}
			switch i {
			case 0:
				at.x = -1
			case nx - 1:
				at.x = float64(w) + 1
			}
			switch j {
			case 0:
				at.y = -1
			case ny - 1:
				at.y = float64(h) + 1
			}
			corners[j*nx+i] = at
		}
	}
	out := imaging.Clone(soft)
	face := func(a, b, c spot) {
		var sum [3]float64
		n := 0.0
		for _, k := range [7][3]float64{{1, 1, 1}, {4, 1, 1}, {1, 4, 1}, {1, 1, 4}, {3, 3, 1}, {1, 3, 3}, {3, 1, 3}} {
			t := k[0] + k[1] + k[2]
			x, y := int((a.x*k[0]+b.x*k[1]+c.x*k[2])/t), int((a.y*k[0]+b.y*k[1]+c.y*k[2])/t)
			i := soft.PixOffset(max(0, min(w-1, x)), max(0, min(h-1, y)))
			for q := range 3 {
				sum[q] += float64(soft.Pix[i+q])
			}
			n++
		}
		tone := color.NRGBA{byte255(sum[0] / n), byte255(sum[1] / n), byte255(sum[2] / n), 255}
		// A little larger, so that no seam shows.
		line(1.2, 1.2, a, b, c, a).fill(out, tone)
		polygon(a, b, c).fill(out, tone)
	}
	for j := range ny - 1 {
		for i := range nx - 1 {
			a, b, c, d := corners[j*nx+i], corners[j*nx+i+1], corners[(j+1)*nx+i], corners[(j+1)*nx+i+1]
			if (i+j)%2 == 0 {
				face(a, b, d)
				face(a, d, c)
			} else {
				face(a, b, c)
				face(b, d, c)
			}
		}
	}
	return out
}

// asLowPoly shows the picture as a console of about 2000 would: few triangles with blurred textures, few colours with
// ordered dots, few lines.
func asLowPoly(_ context.Context, b *brush) error {
	small := imaging.Fit(b.img, 640, 640)
	flat := facets(small, 46+6*(b.req.Item%4), b.v.random.Float64)
	eachPixel(flat, func(x, y int, p []uint8) {
		i := small.PixOffset(x, y)
		blend(p, [3]float64{float64(small.Pix[i]), float64(small.Pix[i+1]), float64(small.Pix[i+2])}, 0.22)
	})
	compose.Grade(flat, 0, 1, 1.2)
	b.img = console(sizedTo(flat, b.img.Rect.Dx(), b.img.Rect.Dy()), 360)
	return nil
}

// domed is how far each place of a figure rises, 0 at its outline and 1 far inside it, as something inflated.
func domed(m mask.Plane) []float64 {
	w, h := m.W, m.H
	out := make([]float64, w*h)
	total := 0.0
	for n, r := range []float64{1.0 / 90, 1.0 / 45, 1.0 / 22, 1.0 / 11} {
		soft := m.Feather(math.Max(1, r*float64(min(w, h))))
		k := float64(n + 1)
		total += k
		for i, v := range soft.Pix {
			out[i] += k * math.Max(0, float64(v)/255-0.5) * 2
		}
	}
	for i := range out {
		out[i] = math.Sqrt(out[i] / total)
	}
	return out
}

// solid lights img as a rounded body: its height is that of an inflated outline and of its own light and dark, lit from
// the upper left with a shine.
func solid(img *image.NRGBA, matte mask.Plane, round, detail, shine float64) {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	dome := domed(matte)
	// The small of it says what is printed on it, not how it is formed.
	form := compose.Blur(paint(img, unit(img, 6)), unit(img, 5))
	rise := round * float64(min(w, h)) * 0.3
	height := func(x, y int) float64 {
		x, y = max(0, min(w-1, x)), max(0, min(h-1, y))
		return rise*dome[y*w+x] + detail*lightOf(form.Pix[form.PixOffset(x, y):])
	}
	d := unit(img, 3)
	l := [3]float64{-0.5, -0.62, 0.6}
	eachPixel(img, func(x, y int, p []uint8) {
		share := float64(matte.At(x, y)) / 255
		if share == 0 {
			return
		}
		gx, gy := (height(x+d, y)-height(x-d, y))/float64(2*d), (height(x, y+d)-height(x, y-d))/float64(2*d)
		n := 1 / math.Sqrt(1+gx*gx+gy*gy)
		lit := math.Max(0, (-gx*l[0]-gy*l[1]+l[2])*n)
		gloss := math.Pow(math.Max(0, (-gx*-0.3-gy*-0.4+0.86)*n), 22)
		for k := range 3 {
			v := float64(p[k])*(0.42+0.92*lit) + 255*shine*gloss
			p[k] = byte255(float64(p[k]) + share*(v-float64(p[k])))
		}
	})
}

// figureIn is the subject of the brush's picture.
func figureIn(ctx context.Context, b *brush) (segment.Result, error) {
	return analysis.Subject(ctx, b.img, segment.Options{})
}

// asModel makes the subject look like a rendered model: even colours, round forms with a shine, on a plain stage with a
// soft shadow.
func asModel(ctx context.Context, b *brush) error {
	look := paint(paint(b.img, unit(b.img, 5)), unit(b.img, 3))
	compose.Grade(look, 6, 1, 1.25)
	return b.onStage(ctx, look, 0.03, 0.26)
}

// asStatue makes the subject look like one cut in pale stone.
func asStatue(ctx context.Context, b *brush) error {
	look := paint(b.img, unit(b.img, 3))
	mean := compose.Measure(look, nil).Mean[0] * 2.55
	n := field{seed: b.v.random.Uint32()}
	long := float64(max(look.Rect.Dx(), look.Rect.Dy()))
	eachPixel(look, func(x, y int, p []uint8) {
		// What was dark cloth or hair is stone in the shade.
		l := 196 + 0.42*(lightOf(p)-mean)
		l *= 1 + 0.6*veins(n, 3*float64(x)/long, 3*float64(y)/long)
		copy(p, []uint8{byte255(1.01 * l), byte255(0.99 * l), byte255(0.95 * l)})
	})
	return b.onStage(ctx, look, 0.2, 0.12)
}

// onStage lights look, the subject of the picture in other colours, as a solid body, and stands it on a plain stage.
func (b *brush) onStage(ctx context.Context, look *image.NRGBA, detail, shine float64) error {
	found, err := figureIn(ctx, b)
	if err != nil {
		return err
	}
	if box := found.Mask.Bounds(); 7*box.Dx()*box.Dy() < b.img.Rect.Dx()*b.img.Rect.Dy() {
		// Nothing stands out: all of the picture is the model.
		whole := mask.New(b.img.Rect.Dx(), b.img.Rect.Dy())
		whole.Fill(255)
		solid(look, whole, 0, 0.2, shine)
		b.img = look
		return nil
	}
	solid(look, found.Matte, 0.9, detail, shine)
	figure := compose.CutOut(look, found.Matte)
	stage := wish{colours: b.wanted.colours}
	if len(stage.colours) == 0 {
		stage.colours = append(stage.colours, colourNames[[]string{"lavender", "mint", "peach", "silver"}[b.req.Item%4]])
	}
	out := stage.draw(b.img.Rect.Dx(), b.img.Rect.Dy(), variation{framing: compose.Centred, random: b.v.random})
	compose.ContactShadow(out, found.Matte, compose.Shadow{Strength: 0.5, Light: compose.Light{Angle: 125, Softness: 0.8}, Floor: b.img.Rect.Dy() * 3 / 4, Length: 0.7})
	compose.Settle(out, figure, unit(out, 6), 0.4)
	b.img = out
	return nil
}

// asDepth brings the subject of a flat picture forward: it is rounded and casts its shadow on what lies behind, which is
// darker and out of focus.
func asDepth(ctx context.Context, b *brush) error {
	found, err := figureIn(ctx, b)
	if err != nil {
		return err
	}
	w, h := b.img.Rect.Dx(), b.img.Rect.Dy()
	figure := segment.Foreground(b.img, found.Matte)
	solid(figure, found.Matte, 0.6, 0.03, 0.12)
	figure = compose.CutOut(figure, found.Matte)
	back := compose.Blur(b.img, unit(b.img, 7))
	reach := unit(b.img, 16)
	shadow := found.Matte.Feather(float64(reach))
	side := [2]int{1, -1}[b.req.Item%2] * reach * 3 / 2
	eachPixel(back, func(x, y int, p []uint8) {
		a := 0.55 * float64(shadow.At(x-side, y-reach)) / 255
		dx, dy := float64(x)/float64(w)-0.5, float64(y)/float64(h)-0.5
		k := (1 - a) * (0.9 - 0.5*(dx*dx+dy*dy))
		for i := range 3 {
			p[i] = byte255(float64(p[i]) * k)
		}
	})
	// Nearer things are larger.
	zoom := 1.04 + 0.01*float64(b.req.Item%4)
	big := imaging.Resize(figure, int(zoom*float64(w)), int(zoom*float64(h)))
	at := image.Pt((w-big.Rect.Dx())/2, (h-big.Rect.Dy())*3/4)
	layer := image.NewNRGBA(back.Rect)
	compose.Over(layer, big, at)
	compose.Settle(back, layer, unit(b.img, 6), 0.3)
	b.img = back
	return nil
}

// asMugshot sets the subject before a height chart with figures, holding a placard.
func asMugshot(ctx context.Context, b *brush) error {
	whole, face, err := b.sitter(ctx)
	if err != nil {
		return err
	}
	long := max(640, min(1536, max(b.img.Rect.Dx(), b.img.Rect.Dy())))
	w, h := long*4/5, long
	figure := around(segment.Foreground(b.img, whole.Matte), face, w, h)
	wall := wish{colours: []color.NRGBA{colourNames["beige"]}}.draw(w, h, variation{framing: compose.Centred, random: b.v.random})
	small, err := newHand(float64(h)/38, true)
	if err != nil {
		return err
	}
	ink := color.NRGBA{52, 50, 48, 255}
	gap := float64(h) / 9
	tall := 200 - 5*(b.req.Item%3)
	for i := range 9 {
		y := gap * (float64(i) + 0.6)
		card(0, y-1.5, float64(w), y+1.5, 0).fill(wall, ink)
		card(0, y+gap/2-0.8, float64(w), y+gap/2+0.8, 0).fill(wall, color.NRGBA{52, 50, 48, 120})
		text := []string{itoa(tall-10*i) + " cm"}
		small.middled(wall, text, int(0.075*float64(w)), int(y-0.022*float64(h)), ink)
		small.middled(wall, text, int(0.925*float64(w)), int(y-0.022*float64(h)), ink)
	}
	compose.ContactShadow(wall, compose.Matte(figure), compose.Shadow{Strength: 0.4, Light: compose.Light{Angle: 110, Softness: 0.5}, Wall: true, Floor: h})
	compose.Settle(wall, figure, unit(wall, 6), 0.3)
	compose.Grade(wall, 0, -2, 0.55)
	// The placard, with a hand's shadow below it.
	px, py, pw, ph := 0.5*float64(w), 0.875*float64(h), 0.26*float64(w), 0.085*float64(h)
	for n := 8; n > 0; n-- {
		card(px-pw-float64(n), py-ph, px+pw+float64(n), py+ph+2*float64(n), 8).fill(wall, color.NRGBA{0, 0, 0, 14})
	}
	card(px-pw, py-ph, px+pw, py+ph, 8).fill(wall, color.NRGBA{30, 31, 34, 255})
	card(px-pw+5, py-ph+5, px+pw-5, py+ph-5, 5).fill(wall, color.NRGBA{44, 45, 49, 255})
	name, err := legible(b.req.text("textDescription"))
	if err != nil {
		return err
	}
	first, _ := headline(name)
	if first == "" || len(first) > 28 {
		first = "CENTRAL STATION"
	}
	chalk := color.NRGBA{238, 236, 228, 255}
	t, lines, err := inBox(strings.ToUpper(first), 0.05*float64(h), true, int(1.8*pw), int(0.9*ph))
	if err != nil {
		return err
	}
	t.middled(wall, lines, int(px), int(py-0.42*ph), chalk)
	number := "No. " + itoa(100000+int(b.v.random.Uint32()%899999))
	t, lines, err = inBox(number, 0.05*float64(h), true, int(1.8*pw), int(0.8*ph))
	if err != nil {
		return err
	}
	t.middled(wall, lines, int(px), int(py+0.45*ph), chalk)
	b.img = wall
	return nil
}
