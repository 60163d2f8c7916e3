package render

import (
	"context"
	"image"
	"image/color"
	"math"
	"slices"

	"atelier/imaging/compose"
	"atelier/imaging/mask"
)

// decor is what a style of living does to a room.
type decor struct {
	wall, floor [3]float64
	boards      bool // wood on the floor, else stone or carpet
	accent      color.NRGBA
	rug         bool
	light       float64 // Lab steps
	warmth      float64
	pieces      []string
}

// decors are the styles that descriptions may name; several words lead to one.
var decors = func() map[string]decor {
	out := map[string]decor{}
	add := func(d decor, names ...string) {
		for _, n := range names {
			out[n] = d
		}
	}
	add(decor{wall: [3]float64{238, 236, 230}, floor: [3]float64{214, 184, 146}, boards: true, accent: color.NRGBA{150, 168, 176, 255}, rug: true, light: 5, warmth: 2, pieces: []string{"sofa", "lamp", "plant"}}, "scandinavian", "nordic", "hygge", "light", "airy", "bright")
	add(decor{wall: [3]float64{126, 118, 112}, floor: [3]float64{112, 110, 108}, accent: color.NRGBA{120, 72, 46, 255}, light: -7, warmth: 3, pieces: []string{"sofa", "shelf", "lamp"}}, "industrial", "loft", "dark", "moody", "brick")
	add(decor{wall: [3]float64{232, 226, 214}, floor: [3]float64{196, 160, 112}, boards: true, accent: color.NRGBA{170, 130, 84, 255}, light: 1, warmth: 5, pieces: []string{"table", "plant"}}, "japandi", "japanese", "zen", "minimal", "minimalist", "minimalistic")
	add(decor{wall: [3]float64{196, 124, 92}, floor: [3]float64{168, 116, 74}, boards: true, accent: color.NRGBA{70, 118, 108, 255}, rug: true, light: 1, warmth: 9, pieces: []string{"armchair", "plant", "plant", "lamp"}}, "boho", "bohemian", "cosy", "cozy", "warm", "rustic", "farmhouse", "country")
	add(decor{wall: [3]float64{214, 218, 222}, floor: [3]float64{224, 222, 218}, accent: color.NRGBA{46, 62, 92, 255}, rug: true, light: 3, warmth: -3, pieces: []string{"sofa", "tv", "lamp"}}, "modern", "contemporary", "sleek", "new")
	add(decor{wall: [3]float64{62, 94, 92}, floor: [3]float64{126, 78, 48}, boards: true, accent: color.NRGBA{196, 156, 84, 255}, rug: true, light: -2, warmth: 4, pieces: []string{"sofa", "lamp", "table"}}, "luxury", "elegant", "glam", "classic", "artdeco", "deco", "victorian")
	add(decor{wall: [3]float64{168, 206, 212}, floor: [3]float64{226, 208, 178}, boards: true, accent: color.NRGBA{66, 128, 160, 255}, rug: true, light: 4, warmth: -2, pieces: []string{"armchair", "plant", "lamp"}}, "coastal", "beach", "mediterranean", "fresh", "summer")
	return out
}()

// usualDecors take turns where the words name no style.
var usualDecors = []string{"scandinavian", "boho", "modern", "industrial"}

// decorOf is the style that the words name, else the item's; colours that they name go to the walls.
func (r Request) decorOf() decor {
	d, named := decor{}, false
	list := words(r.text("textDescription"))
	for _, w := range list {
		if found, ok := decors[w]; ok {
			d, named = found, true
			break
		}
	}
	if !named {
		d = decors[usualDecors[r.Item%len(usualDecors)]]
	}
	var own []color.NRGBA
	for i, w := range list {
		c, ok := colourNames[w]
		if !ok {
			continue
		}
		next := ""
		if i+1 < len(list) {
			next = singular(list[i+1])
		}
		switch _, piece := furniture[next]; {
		case next == "floor" || next == "carpet":
			d.floor = channels(c)
		case piece:
		default:
			own = append(own, c)
		}
	}
	if len(own) > 0 {
		d.wall = channels(own[r.Item%len(own)])
	}
	for i, w := range list {
		if singular(w) == "floor" && i > 0 {
			switch list[i-1] {
			case "wood", "wooden", "oak", "parquet":
				d.boards = true
			case "stone", "tile", "tiled", "concrete", "marble":
				d.boards = false
			}
		}
	}
	return d
}

// refurnished plans the room of a photo anew: another floor, walls and light in the style of the words, a rug, and furniture
// that stands in it.
func refurnished(ctx context.Context, req Request, img *image.NRGBA) (*image.NRGBA, error) {
	d := req.decorOf()
	v := req.vary()
	w, h := img.Rect.Dx(), img.Rect.Dy()
	fw, fh := float64(w), float64(h)
	line := math.Max(0.52*fh, math.Min(0.8*fh, compose.FloorLine(img)*fh))
	walls := wallsOf(img)
	tinted(img, walls, d.wall, 1, 0.85)
	layFloor(img, int(line), d, field{seed: v.random.Uint32()})
	compose.Grade(img, d.light, d.warmth, 1.06)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if d.rug {
		soft := mixed(d.accent, color.NRGBA{240, 232, 220, 255}, 0.45)
		y := line + 0.62*(fh-line)
		oval(0.5*fw, y+0.006*fh, 0.31*fw, 0.2*(fh-line)+4, 0).fill(img, color.NRGBA{20, 16, 12, 50})
		oval(0.5*fw, y, 0.31*fw, 0.2*(fh-line), 0).fill(img, soft)
		oval(0.5*fw, y, 0.27*fw, 0.165*(fh-line), 0).fill(img, mixed(soft, color.NRGBA{255, 252, 246, 255}, 0.35))
	}
	list := furnished(req.text("textDescription"), d.accent)
	if !slices.ContainsFunc(words(req.text("textDescription")), func(s string) bool {
		_, a := furniture[s]
		_, b := furniture[singular(s)]
		return a || b || s == "bedroom" || s == "office" || s == "kitchen"
	}) {
		list = nil
		for _, name := range d.pieces {
			list = append(list, pieceOf{name, furniture[name], d.accent})
		}
	}
	// Where furniture hides least of the room: at its sides first.
	slots := []spot{{0.3, 0.5}, {0.74, 0.62}, {0.9, 0.3}, {0.08, 0.34}, {0.52, 0.2}, {0.62, 0.9}}
	if req.Item%2 == 1 {
		for i := range slots {
			slots[i].x = 1 - slots[i].x
		}
	}
	layer := image.NewNRGBA(img.Rect)
	for i, p := range list[:min(len(list), len(slots))] {
		at := slots[i]
		y := line + (0.14+0.72*at.y)*(fh-line)
		p.it.view(layer, at.x*fw, y, 0.2*fh*(0.72+0.6*at.y), p.colour)
	}
	compose.Harmonise(layer, compose.Measure(layer, nil), compose.Measure(img, nil), 0.12, nil)
	compose.Over(img, layer, image.Point{})
	return img, nil
}

// layFloor covers the ground of a room below a row with boards or stone: what stands out of it, being far from the usual
// tone of the ground, stays, and so do light and shade.
func layFloor(img *image.NRGBA, line int, d decor, f field) {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	area := mask.New(w, h)
	area.FillRect(image.Rect(0, line, w, h), 255)
	tone := compose.Measure(img, &area)
	broad := compose.Blur(img, unit(img, 22))
	mean := 0.0
	for y := line; y < h; y += 4 {
		for x := 0; x < w; x += 4 {
			mean += lightOf(broad.Pix[broad.PixOffset(x, y):])
		}
	}
	mean /= math.Max(1, float64(((h-line)+3)/4*((w+3)/4)))
	soft := compose.Blur(img, unit(img, 6))
	eachPixel(img, func(x, y int, p []uint8) {
		if y < line {
			return
		}
		depth := (float64(y-line) + 1) / float64(h-line)
		q := soft.Pix[soft.PixOffset(x, y):]
		lab := compose.Lab(q[0], q[1], q[2])
		off := math.Sqrt(math.Pow((lab[0]-tone.Mean[0])/(2.2*tone.Std[0]+9), 2) + math.Pow((lab[1]-tone.Mean[1])/(2.2*tone.Std[1]+7), 2) + math.Pow((lab[2]-tone.Mean[2])/(2.2*tone.Std[2]+8), 2))
		share := (1 - smooth((off-0.95)/0.5)) * smooth(depth/0.03)
		if share == 0 {
			return
		}
		across := (float64(x) - float64(w)/2) / float64(w) / (0.3 + depth)
		grain := 0.0
		if d.boards {
			grain = planks(f, across*2.4, 1/(0.2+depth))
		} else {
			u, t := across*5, 4/(0.25+depth)
			joint := math.Min(math.Abs(u-math.Round(u)), math.Abs(t-math.Round(t)))
			grain = 0.05*f.sum(across*9, 4/(0.2+depth), 4) - 0.14*smooth((0.035-joint)/0.02)
		}
		lit := math.Max(0.45, math.Min(1.5, (lightOf(broad.Pix[broad.PixOffset(x, y):])+20)/(mean+20)))
		blend(p, color3(d.floor, (1+grain)*lit*(0.94+0.08*depth)), share)
	})
}
