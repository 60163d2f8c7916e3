package render

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"math"

	"atelier/imaging"
	"atelier/imaging/analysis"
	"atelier/imaging/compose"
	"atelier/imaging/segment"
)

// toys are the accessories a figure may come with, by their words; other words that name a sign are made into that.
var toys = map[string]emblem{
	"laptop": laptopToy, "computer": laptopToy, "camera": cameraToy, "phone": phoneToy, "guitar": guitarToy, "ball": ballToy, "football": ballToy, "sword": bladeToy, "spade": spadeToy, "shovel": spadeToy,
	"bag": bagToy, "handbag": bagToy, "backpack": bagToy, "cup": cupSign, "coffee": cupSign, "book": bookSign, "books": bookSign, "plant": leafSign, "star": starSign, "heart": heartSign,
}

func laptopToy(img *image.NRGBA, x, y, r float64, c, ground color.NRGBA) {
	card(x-0.7*r, y-0.6*r, x+0.7*r, y+0.3*r, 0.08*r).fill(img, c)
	card(x-0.6*r, y-0.5*r, x+0.6*r, y+0.2*r, 0.04*r).fill(img, ground)
	polygon(spot{x - 0.75*r, y + 0.34*r}, spot{x + 0.75*r, y + 0.34*r}, spot{x + 0.95*r, y + 0.6*r}, spot{x - 0.95*r, y + 0.6*r}).fill(img, c)
}

func cameraToy(img *image.NRGBA, x, y, r float64, c, ground color.NRGBA) {
	card(x-0.3*r, y-0.65*r, x+0.3*r, y-0.2*r, 0.1*r).fill(img, c)
	card(x-0.85*r, y-0.45*r, x+0.85*r, y+0.6*r, 0.15*r).fill(img, c)
	oval(x, y+0.06*r, 0.4*r, 0.4*r, 0).fill(img, ground)
	oval(x, y+0.06*r, 0.27*r, 0.27*r, 0).fill(img, c)
}

func phoneToy(img *image.NRGBA, x, y, r float64, c, ground color.NRGBA) {
	card(x-0.42*r, y-0.85*r, x+0.42*r, y+0.85*r, 0.14*r).fill(img, c)
	card(x-0.34*r, y-0.66*r, x+0.34*r, y+0.6*r, 0.05*r).fill(img, ground)
}

func guitarToy(img *image.NRGBA, x, y, r float64, c, ground color.NRGBA) {
	line(0.12*r, 0.12*r, spot{x, y + 0.2*r}, spot{x, y - 0.95*r}).fill(img, mixed(c, color.NRGBA{0, 0, 0, 255}, 0.4))
	oval(x, y+0.5*r, 0.46*r, 0.42*r, 0).fill(img, c)
	oval(x, y+0.02*r, 0.34*r, 0.3*r, 0).fill(img, c)
	oval(x, y+0.25*r, 0.13*r, 0.13*r, 0).fill(img, ground)
}

func ballToy(img *image.NRGBA, x, y, r float64, c, ground color.NRGBA) {
	oval(x, y, 0.75*r, 0.75*r, 0).fill(img, c)
	starAt(x, y, 0.34*r, 5).fill(img, ground)
}

func bladeToy(img *image.NRGBA, x, y, r float64, c, _ color.NRGBA) {
	polygon(spot{x - 0.1*r, y + 0.4*r}, spot{x - 0.1*r, y - 0.75*r}, spot{x, y - r}, spot{x + 0.1*r, y - 0.75*r}, spot{x + 0.1*r, y + 0.4*r}).fill(img, color.NRGBA{206, 210, 216, 255})
	card(x-0.4*r, y+0.38*r, x+0.4*r, y+0.52*r, 0.05*r).fill(img, c)
	card(x-0.08*r, y+0.5*r, x+0.08*r, y+0.95*r, 0.05*r).fill(img, c)
}

func spadeToy(img *image.NRGBA, x, y, r float64, c, _ color.NRGBA) {
	line(0.12*r, 0.12*r, spot{x, y - 0.85*r}, spot{x, y + 0.3*r}).fill(img, color.NRGBA{150, 112, 76, 255})
	card(x-0.28*r, y-0.95*r, x+0.28*r, y-0.82*r, 0.06*r).fill(img, c)
	curved(spot{x - 0.34*r, y + 0.15*r}, spot{x + 0.34*r, y + 0.15*r}, spot{x + 0.3*r, y + 0.6*r}, spot{x, y + 0.95*r}, spot{x - 0.3*r, y + 0.6*r}).fill(img, color.NRGBA{150, 156, 164, 255})
}

func bagToy(img *image.NRGBA, x, y, r float64, c, ground color.NRGBA) {
	sector(x, y-0.2*r, 0.36*r, 0.48*r, -0.25, 0.25).fill(img, c)
	card(x-0.7*r, y-0.2*r, x+0.7*r, y+0.75*r, 0.16*r).fill(img, c)
	card(x-0.12*r, y+0.05*r, x+0.12*r, y+0.25*r, 0.04*r).fill(img, ground)
}

// toyDoll is a jointed toy figure as a cut-out of w × h pixels: shirt, trousers, and unless it is to bear another a head with
// hair. chin is where that head ends, and tall how high a head is from crown to chin.
func toyDoll(w, h int, in wear, hair color.NRGBA, headless bool) (img *image.NRGBA, chin spot, tall float64) {
	img = image.NewNRGBA(image.Rect(0, 0, w, h))
	u := math.Min(float64(w)/3.6, float64(h)/7.4)
	x := float64(w) / 2
	y := func(k float64) float64 { return float64(h) - (7.3-k)*u }
	shirt, trousers, skin := dot(in.upper, 255), dot(in.lower, 255), dot(in.skin, 255)
	leg := trousers
	if in.skirt {
		leg = skin
	}
	joint := func(px, py, r float64, c color.NRGBA) {
		oval(px, py, r, r, 0).fill(img, mixed(c, color.NRGBA{0, 0, 0, 255}, 0.3))
		oval(px, py, 0.82*r, 0.82*r, 0).fill(img, c)
		oval(px, py, 0.2*r, 0.2*r, 0).fill(img, mixed(c, color.NRGBA{0, 0, 0, 255}, 0.4))
	}
	for _, s := range []float64{-1, 1} {
		upright(img, x+s*0.42*u-0.36*u, y(4.2), x+s*0.42*u+0.36*u, y(6.95), 0.3*u, leg)
		joint(x+s*0.42*u, y(5.6), 0.25*u, leg)
		upright(img, x+s*0.48*u-0.42*u, y(6.8), x+s*0.48*u+0.42*u, y(7.25), 0.2*u, color.NRGBA{44, 42, 46, 255})
		line(0.5*u, 0.42*u, spot{x + s*1.02*u, y(2.45)}, spot{x + s*1.28*u, y(3.4)}, spot{x + s*1.3*u, y(4.3)}).shade(img, func(px, _ float64) [3]float64 {
			lit := 1 - 0.25*math.Abs(px-(x+s*1.15*u))/u
			return color3(in.upper, lit)
		})
		joint(x+s*1.27*u, y(3.4), 0.22*u, shirt)
		joint(x+s*1.02*u, y(2.4), 0.27*u, shirt)
		oval(x+s*1.31*u, y(4.5), 0.24*u, 0.28*u, 0).fill(img, skin)
	}
	upright(img, x-0.9*u, y(2.05), x+0.9*u, y(4.5), 0.4*u, shirt)
	if in.skirt {
		polygon(spot{x - 0.84*u, y(4.2)}, spot{x + 0.84*u, y(4.2)}, spot{x + 1.1*u, y(5.3)}, spot{x - 1.1*u, y(5.3)}).shade(img, func(px, _ float64) [3]float64 {
			return color3(in.lower, 1.05-0.2*math.Abs(px-x+0.3*u)/u)
		})
	}
	upright(img, x-0.86*u, y(4.28), x+0.86*u, y(4.5), 0.05*u, color.NRGBA{64, 48, 38, 255})
	upright(img, x-0.24*u, y(1.75), x+0.24*u, y(2.2), 0.1*u, skin)
	chin, tall = spot{x, y(1.94)}, 2.1*u
	if headless {
		return img, chin, tall
	}
	oval(x, y(0.92), 0.78*u, 0.86*u, 0).fill(img, hair)
	oval(x, y(1.1), 0.68*u, 0.8*u, 0).shade(img, func(px, py float64) [3]float64 {
		return color3(in.skin, 1.06-0.18*math.Hypot((px-x)/u+0.2, (py-y(1.0))/u))
	})
	curved(spot{x - 0.72*u, y(0.9)}, spot{x - 0.5*u, y(0.25)}, spot{x + 0.3*u, y(0.15)}, spot{x + 0.72*u, y(0.85)}, spot{x + 0.3*u, y(0.62)}, spot{x - 0.3*u, y(0.6)}).fill(img, hair)
	for _, s := range []float64{-1, 1} {
		oval(x+s*0.26*u, y(1.08), 0.09*u, 0.11*u, 0).fill(img, color.NRGBA{30, 26, 26, 255})
		line(0.05*u, 0.04*u, spot{x + s*0.38*u, y(0.84)}, spot{x + s*0.14*u, y(0.82)}).fill(img, hair)
	}
	line(0.05*u, 0.05*u, through(false, []spot{{x - 0.2*u, y(1.5)}, {x, y(1.58)}, {x + 0.2*u, y(1.5)}})...).fill(img, color.NRGBA{150, 70, 64, 255})
	return img, chin, tall
}

// actionFigure shows the person of the photo, or a drawn doll, as a figure in a blister pack: a printed card with its
// name, a moulded window, and accessories from the words (Run API, "Family A": ai-action-figure-generators).
func actionFigure(ctx context.Context, req Request, _ Segmentation) (*image.NRGBA, error) {
	text, err := legible(req.text("textDescription"))
	if err != nil {
		return nil, err
	}
	size := req.canvas(image.Pt(1024, 1365))
	if size.X >= size.Y {
		size = image.Pt(1024, 1365)
	}
	out := image.NewNRGBA(image.Rectangle{Max: size})
	p := req.palette()
	w, h := float64(size.X), float64(size.Y)
	flood(out, color.NRGBA{206, 204, 200, 255})
	v := req.vary()
	for n := 14; n > 0; n-- {
		card(0.05*w-float64(n)/2, 0.03*h, 0.95*w+float64(n)/2, 0.975*h+float64(n), 26).fill(out, color.NRGBA{0, 0, 0, 9})
	}
	board := card(0.05*w, 0.03*h, 0.95*w, 0.97*h, 26)
	light, deep := channels(mixed(p.accent, color.NRGBA{255, 255, 255, 255}, 0.25)), channels(mixed(p.accent, color.NRGBA{10, 12, 24, 255}, 0.45))
	board.shade(out, func(x, y float64) [3]float64 {
		// Rays from behind the figure.
		a := math.Atan2(y-0.55*h, x-0.4*w)
		t := smooth(0.5+1.4*math.Sin(14*a+float64(req.Item)))*0.22 + 0.55*y/h
		return [3]float64{light[0] + t*(deep[0]-light[0]), light[1] + t*(deep[1]-light[1]), light[2] + t*(deep[2]-light[2])}
	})
	sector(w/2, 0.062*h, 0, 0.018*h, 0, 1).fill(out, color.NRGBA{206, 204, 200, 255})
	label := "Collector"
	if text != "" {
		label = brandName(text)
	}
	face, lines, err := fitted(label, h/15, true, int(0.8*w), 1)
	if err != nil {
		return nil, err
	}
	face.middled(out, lines, size.X/2+3, int(0.128*h)+3, color.NRGBA{10, 10, 20, 255})
	face.middled(out, lines, size.X/2, int(0.128*h), color.NRGBA{252, 248, 236, 255})
	small, err := newHand(h/48, true)
	if err != nil {
		return nil, err
	}
	small.spaced(out, "ACTION FIGURE", size.X/2, int(0.182*h), int(h/240), mixed(p.second, color.NRGBA{255, 255, 255, 255}, 0.4))
	// The moulded window and the figure in it.
	bx0, by0, bx1, by1 := 0.1*w, 0.21*h, 0.63*w, 0.93*h
	card(bx0, by0, bx1, by1, 40).fill(out, color.NRGBA{246, 247, 250, 255})
	figure, err := req.toyFigure(ctx, int(bx1-bx0), int(by1-by0), p)
	if err != nil {
		return nil, err
	}
	req.progress(0.7)
	placed, at := compose.Place(figure, image.Pt(int(bx1-bx0), int(by1-by0)), 0.92, 0.97, 0.5)
	window := image.NewNRGBA(image.Rect(0, 0, int(bx1-bx0), int(by1-by0)))
	compose.Over(window, placed, at)
	shadow := compose.Matte(window).Feather(10)
	for y := range window.Rect.Dy() {
		for x := range window.Rect.Dx() {
			if a := shadow.At(x-8, y-10); a > 0 {
				blend(out.Pix[out.PixOffset(int(bx0)+x, int(by0)+y):][:4:4], [3]float64{30, 34, 46}, 0.35*float64(a)/255)
			}
		}
	}
	compose.Over(out, window, image.Pt(int(bx0), int(by0)))
	// Accessories, each in a well of its own.
	list := req.accessories(text)
	for i, toy := range list {
		cy := by0 + (float64(i)+0.5)*(by1-by0)/float64(len(list))
		cx, r := 0.785*w, math.Min(0.115*w, 0.42*(by1-by0)/float64(len(list)))
		card(cx-1.12*r, cy-1.12*r, cx+1.12*r, cy+1.12*r, 24).fill(out, color.NRGBA{246, 247, 250, 255})
		toy(out, cx+5, cy+7, 0.8*r, color.NRGBA{206, 208, 214, 255}, color.NRGBA{206, 208, 214, 255})
		tint := p.accent
		if i%2 == 1 {
			tint = mixed(p.second, color.NRGBA{40, 40, 50, 255}, 0.35)
		}
		toy(out, cx, cy, 0.8*r, tint, color.NRGBA{246, 247, 250, 255})
		gloss(out, cx-1.12*r, cy-1.12*r, cx+1.12*r, cy+1.12*r)
	}
	gloss(out, bx0, by0, bx1, by1)
	if v.light != 0 {
		compose.Grade(out, 0.3*v.light, 0.3*v.warmth, 1)
	}
	return out, ctx.Err()
}

// gloss is the shine of clear plastic over a box.
func gloss(img *image.NRGBA, x0, y0, x1, y1 float64) {
	w, h := x1-x0, y1-y0
	polygon(spot{x0 + 0.08*w, y0 + 0.03*h}, spot{x0 + 0.2*w, y0 + 0.03*h}, spot{x0 + 0.1*w, y0 + 0.6*h}, spot{x0 + 0.04*w, y0 + 0.6*h}).fill(img, color.NRGBA{255, 255, 255, 70})
	polygon(spot{x0 + 0.86*w, y0 + 0.4*h}, spot{x0 + 0.95*w, y0 + 0.3*h}, spot{x0 + 0.95*w, y0 + 0.92*h}, spot{x0 + 0.9*w, y0 + 0.96*h}).fill(img, color.NRGBA{255, 255, 255, 46})
	for _, y := range []float64{y0 + 5, y1 - 8} {
		card(x0+24, y, x1-24, y+3, 1.5).fill(img, color.NRGBA{255, 255, 255, 170})
	}
}

// toyFigure is the photo's person as a moulded figure: as they stand, or, where the photo shows no more than a part of them,
// their head on a jointed body in the colours of their clothes. Without a photo it is a doll.
func (r Request) toyFigure(ctx context.Context, w, h int, p palette) (*image.NRGBA, error) {
	src := r.Source()
	if src == nil {
		skins := []color.NRGBA{{236, 190, 156, 255}, {190, 134, 96, 255}, {120, 80, 58, 255}, {222, 170, 130, 255}}
		hairs := []color.NRGBA{{84, 54, 36, 255}, {36, 30, 30, 255}, {196, 150, 84, 255}, {150, 70, 40, 255}}
		in := wear{skin: channels(skins[(r.Item+int(uint64(r.Seed)%4))%4]), upper: channels(p.accent), lower: channels(mixed(p.second, color.NRGBA{40, 44, 60, 255}, 0.6))}
		doll, _, _ := toyDoll(w, h, in, hairs[r.Item%4], false)
		return doll, ctx.Err()
	}
	img := worked(src)
	found, err := analysis.Pieces(ctx, img, segment.Options{})
	if err != nil {
		return nil, fmt.Errorf("find the figure: %w", err)
	}
	look := moulded(img)
	body := found.Subject.Mask.Bounds()
	if len(found.Subject.Faces) > 0 && found.Head.W > 0 {
		face := found.Subject.Faces[0]
		if head := ofFace(found.Head, face); (body.Max.Y >= img.Rect.Dy()-2 || body.Dy() < 5*face.Dy()) && !head.Empty() {
			doll, chin, tall := toyDoll(w, h, wearOf(img, face, found.Subject.Mask, found), color.NRGBA{}, true)
			box := head.Bounds()
			low := face.Max.Y + face.Dy()/20
			k := tall / math.Max(1, float64(low-box.Min.Y))
			cut := compose.Window(compose.CutOut(look, head), box)
			cut = imaging.Resize(cut, max(1, int(k*float64(box.Dx()))), max(1, int(k*float64(box.Dy()))))
			compose.Over(doll, cut, image.Pt(int(chin.x-k*(float64(face.Min.X+face.Max.X)/2-float64(box.Min.X))), int(chin.y-k*float64(low-box.Min.Y))))
			return doll, ctx.Err()
		}
	}
	cut := compose.CutOut(look, found.Subject.Matte)
	if !body.Empty() {
		cut = compose.Window(cut, body)
	}
	return cut, ctx.Err()
}

// moulded shows a picture in the even colours and the shine of plastic.
func moulded(img *image.NRGBA) *image.NRGBA {
	look := paint(img, unit(img, 4))
	relief(look, unit(img, 3), 0.7)
	compose.Grade(look, 3, 1, 1.25)
	eachPixel(look, func(_, _ int, q []uint8) {
		shine := smooth((lightOf(q) - 190) / 60)
		for k := range 3 {
			q[k] = byte255(float64(q[k]) + 0.5*shine*(255-float64(q[k])))
		}
	})
	return look
}

// accessories are up to four things the words name, else a few that go with most figures.
func (r Request) accessories(text string) []emblem {
	var out []emblem
	seen := map[string]bool{}
	for _, w := range words(text) {
		w = singular(w)
		e, ok := toys[w]
		if !ok {
			e, ok = emblems[w]
		}
		if ok && !seen[w] && len(out) < 4 {
			out = append(out, e)
		}
		seen[w] = true
	}
	usual := []string{"camera", "bag", "cup", "phone", "book", "ball"}
	if seen["coffee"] {
		seen["cup"] = true // it comes in one
	}
	for i := 0; len(out) < 3; i++ {
		if w := usual[(i+2*r.Item)%len(usual)]; !seen[w] {
			out = append(out, toys[w])
		}
	}
	return out
}
