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

// furnishing is a piece of furniture: how it stands before a wall, and its outline on a plan, both about a place whose
// unit is about a metre.
type furnishing struct {
	view func(img *image.NRGBA, x, y, u float64, c color.NRGBA)
	w, d float64 // metres on the plan
}

// furniture are the pieces that descriptions may name.
var furniture = map[string]furnishing{
	"sofa": {sofaView, 2.2, 0.95}, "couch": {sofaView, 2.2, 0.95}, "settee": {sofaView, 1.8, 0.9}, "armchair": {chairView, 0.9, 0.9}, "chair": {chairView, 0.6, 0.6},
	"bed": {bedView, 1.6, 2.0}, "table": {tableView, 1.4, 0.8}, "desk": {tableView, 1.4, 0.7}, "shelf": {shelfView, 1.4, 0.4}, "shelve": {shelfView, 1.4, 0.4}, "bookcase": {shelfView, 1.4, 0.4}, "wardrobe": {shelfView, 1.4, 0.6},
	"plant": {plantView, 0.5, 0.5}, "lamp": {lampView, 0.4, 0.4}, "tv": {screenView, 1.4, 0.4}, "television": {screenView, 1.4, 0.4},
}

func shadeUnder(img *image.NRGBA, x, y, w, u float64) {
	for i := range 6 {
		oval(x, y, w*(0.7+0.07*float64(i)), 0.07*u*(0.6+0.12*float64(i)), 0).fill(img, color.NRGBA{20, 16, 12, 22})
	}
}

// upright paints a round-edged block lit from above.
func upright(img *image.NRGBA, x0, y0, x1, y1, r float64, c color.NRGBA) {
	rgb := channels(c)
	card(x0, y0, x1, y1, r).shade(img, func(x, y float64) [3]float64 {
		lit := 1.1 - 0.28*(y-y0)/math.Max(1, y1-y0) - 0.06*(x-x0)/math.Max(1, x1-x0)
		return [3]float64{rgb[0] * lit, rgb[1] * lit, rgb[2] * lit}
	})
}

func sofaView(img *image.NRGBA, x, y, u float64, c color.NRGBA) {
	shadeUnder(img, x, y, 1.2*u, u)
	dark := mixed(c, color.NRGBA{20, 18, 20, 255}, 0.25)
	for _, s := range []float64{-1, 1} {
		card(x+s*0.95*u-0.04*u, y-0.16*u, x+s*0.95*u+0.04*u, y, 0).fill(img, color.NRGBA{84, 60, 42, 255})
	}
	upright(img, x-1.05*u, y-0.92*u, x+1.05*u, y-0.3*u, 0.14*u, mixed(c, dark, 0.3))
	for i := range 3 {
		upright(img, x-0.9*u+0.61*u*float64(i), y-0.52*u, x-0.31*u+0.61*u*float64(i), y-0.26*u, 0.08*u, c)
	}
	upright(img, x-1.0*u, y-0.3*u, x+1.0*u, y-0.1*u, 0.05*u, dark)
	for _, s := range []float64{-1, 1} {
		upright(img, x+s*1.02*u-0.15*u, y-0.66*u, x+s*1.02*u+0.15*u, y-0.1*u, 0.1*u, mixed(c, dark, 0.15))
	}
	upright(img, x-0.82*u, y-0.76*u, x-0.44*u, y-0.44*u, 0.08*u, mixed(c, color.NRGBA{250, 240, 224, 255}, 0.6))
}

func chairView(img *image.NRGBA, x, y, u float64, c color.NRGBA) {
	shadeUnder(img, x, y, 0.45*u, u)
	for _, s := range []float64{-1, 1} {
		line(0.06*u, 0.04*u, spot{x + s*0.26*u, y - 0.45*u}, spot{x + s*0.32*u, y}).fill(img, color.NRGBA{96, 68, 46, 255})
	}
	upright(img, x-0.34*u, y-1.05*u, x+0.34*u, y-0.5*u, 0.12*u, c)
	upright(img, x-0.38*u, y-0.56*u, x+0.38*u, y-0.4*u, 0.07*u, mixed(c, color.NRGBA{255, 250, 240, 255}, 0.2))
}

func bedView(img *image.NRGBA, x, y, u float64, c color.NRGBA) {
	shadeUnder(img, x, y, 1.2*u, u)
	upright(img, x-1.0*u, y-1.15*u, x+1.0*u, y-0.2*u, 0.08*u, color.NRGBA{150, 112, 78, 255})
	upright(img, x-0.95*u, y-0.62*u, x+0.95*u, y-0.12*u, 0.1*u, color.NRGBA{244, 240, 232, 255})
	for _, s := range []float64{-0.45, 0.45} {
		upright(img, x+(s-0.36)*u, y-0.84*u, x+(s+0.36)*u, y-0.54*u, 0.11*u, color.NRGBA{252, 250, 246, 255})
	}
	upright(img, x-1.0*u, y-0.5*u, x+1.0*u, y-0.05*u, 0.08*u, c)
}

func tableView(img *image.NRGBA, x, y, u float64, _ color.NRGBA) {
	shadeUnder(img, x, y, 0.75*u, u)
	wood := color.NRGBA{156, 112, 74, 255}
	for _, s := range []float64{-1, 1} {
		line(0.07*u, 0.05*u, spot{x + s*0.55*u, y - 0.5*u}, spot{x + s*0.6*u, y}).fill(img, mixed(wood, color.NRGBA{0, 0, 0, 255}, 0.25))
	}
	upright(img, x-0.75*u, y-0.56*u, x+0.75*u, y-0.46*u, 0.03*u, wood)
	oval(x+0.2*u, y-0.6*u, 0.09*u, 0.05*u, 0).fill(img, color.NRGBA{236, 232, 224, 255})
}

func shelfView(img *image.NRGBA, x, y, u float64, c color.NRGBA) {
	shadeUnder(img, x, y, 0.7*u, u)
	wood := color.NRGBA{172, 132, 92, 255}
	upright(img, x-0.65*u, y-1.8*u, x+0.65*u, y, 0.02*u, mixed(wood, color.NRGBA{0, 0, 0, 255}, 0.35))
	books := []color.NRGBA{c, {190, 92, 66, 255}, {64, 90, 120, 255}, {226, 206, 168, 255}, {96, 128, 96, 255}}
	for row := range 4 {
		bottom := y - 0.06*u - 0.44*u*float64(row)
		for i := range 9 {
			left := x - 0.57*u + 0.127*u*float64(i)
			if (i+row*3)%7 == 6 {
				continue
			}
			high := (0.24 + 0.07*float64((i*5+row*3)%3)) * u
			upright(img, left, bottom-high, left+0.11*u, bottom, 0.01*u, books[(i*2+row)%len(books)])
		}
		card(x-0.65*u, bottom, x+0.65*u, bottom+0.04*u, 0).fill(img, wood)
	}
	for _, s := range []float64{-1, 1} {
		card(x+s*0.64*u-0.03*u, y-1.82*u, x+s*0.64*u+0.03*u, y, 0).fill(img, wood)
	}
	card(x-0.67*u, y-1.84*u, x+0.67*u, y-1.78*u, 0).fill(img, wood)
}

func plantView(img *image.NRGBA, x, y, u float64, _ color.NRGBA) {
	shadeUnder(img, x, y, 0.3*u, u)
	for i := range 11 {
		a := (float64(i)/10 - 0.5) * 2.5
		sin, cos := math.Sincos(a)
		long := (0.62 + 0.16*float64(i%3)) * u
		from, to := spot{x, y - 0.36*u}, spot{x + sin*long, y - 0.36*u - cos*long}
		green := color.NRGBA{byte255(58 + 14*float64(i%3)), byte255(112 + 16*float64(i%4)), 66, 255}
		nx, ny := cos*0.1*u, sin*0.1*u
		middle := spot{(from.x + 2*to.x) / 3, (from.y + 2*to.y) / 3}
		curved(from, spot{middle.x - nx, middle.y - ny}, to, spot{middle.x + nx, middle.y + ny}).fill(img, green)
	}
	polygon(spot{x - 0.2*u, y - 0.4*u}, spot{x + 0.2*u, y - 0.4*u}, spot{x + 0.15*u, y}, spot{x - 0.15*u, y}).fill(img, color.NRGBA{196, 120, 84, 255})
}

func lampView(img *image.NRGBA, x, y, u float64, _ color.NRGBA) {
	for i := range 8 {
		oval(x, y-1.5*u, 0.25*u*float64(i+1)*0.5, 0.22*u*float64(i+1)*0.5, 0).fill(img, color.NRGBA{255, 228, 168, 12})
	}
	oval(x, y-0.02*u, 0.2*u, 0.04*u, 0).fill(img, color.NRGBA{54, 50, 48, 255})
	line(0.035*u, 0.035*u, spot{x, y - 0.02*u}, spot{x, y - 1.35*u}).fill(img, color.NRGBA{70, 64, 60, 255})
	polygon(spot{x - 0.16*u, y - 1.7*u}, spot{x + 0.16*u, y - 1.7*u}, spot{x + 0.28*u, y - 1.3*u}, spot{x - 0.28*u, y - 1.3*u}).fill(img, color.NRGBA{250, 232, 196, 255})
}

func screenView(img *image.NRGBA, x, y, u float64, _ color.NRGBA) {
	shadeUnder(img, x, y, 0.8*u, u)
	upright(img, x-0.8*u, y-0.36*u, x+0.8*u, y-0.04*u, 0.03*u, color.NRGBA{164, 128, 92, 255})
	upright(img, x-0.66*u, y-1.2*u, x+0.66*u, y-0.42*u, 0.03*u, color.NRGBA{30, 32, 36, 255})
}

// pieceOf is a piece of furniture with the colour its words give it.
type pieceOf struct {
	name   string
	it     furnishing
	colour color.NRGBA
}

// furnished are the pieces a description names, in its order; those of a usual living room when it names none.
func furnished(text string, accent color.NRGBA) []pieceOf {
	read := func(list []string) (out []pieceOf) {
		for i, w := range list {
			name := singular(w)
			it, ok := furniture[name]
			if !ok {
				if name, it, ok = w, furniture[w], furniture[w].view != nil; !ok {
					continue
				}
			}
			p := pieceOf{name, it, accent}
			n := 1
			if i > 0 {
				if c, ok := colourNames[list[i-1]]; ok {
					p.colour = c
				}
				n = map[string]int{"two": 2, "2": 2, "three": 3, "3": 3, "four": 4, "4": 4}[list[i-1]]
				if n == 0 && name != w {
					n = 2
				}
			}
			for range max(1, n) {
				if len(out) < 9 {
					out = append(out, p)
				}
			}
		}
		return out
	}
	out := read(words(text))
	for _, extra := range [][]string{{"bedroom", "bed", "lamp", "plant", "wardrobe"}, {"office", "desk", "chair", "shelf", "plant"}, {"kitchen", "table", "two", "chairs", "shelf"}, {"", "sofa", "table", "lamp", "plant", "shelf"}} {
		if len(out) >= 2 {
			break
		}
		if extra[0] == "" || slices.Contains(words(text), extra[0]) {
			out = append(out, read(extra[1:])...)
		}
	}
	return out
}

// roomPlan plans a room: that of a photo gets another floor, walls, light and furniture, by words alone the furnished room is drawn, or its
// floor plan on every other item (Run API, "Family A": ai-room-planner).
func roomPlan(ctx context.Context, req Request, _ Segmentation) (*image.NRGBA, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if src := req.Source(); src != nil {
		return refurnished(ctx, req, worked(src))
	}
	text, err := legible(req.text("textDescription"))
	if err != nil {
		return nil, err
	}
	p := req.palette()
	list := furnished(text, p.accent)
	if req.Item%2 == 1 {
		return floorPlan(req, list)
	}
	return roomView(req, list), nil
}

// wallsOf is the soft cover of the even surfaces in the upper part of a photo of a room.
func wallsOf(img *image.NRGBA) mask.Plane {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	even := compose.Blur(img, unit(img, 4))
	out := mask.New(w, h)
	parallelRows(h, func(y int) {
		for x := range w {
			i := img.PixOffset(x, y)
			d := 0.0
			for k := range 3 {
				d += math.Abs(float64(img.Pix[i+k]) - float64(even.Pix[i+k]))
			}
			high := 1 - smooth((float64(y)/float64(h)-0.62)/0.2)
			out.Pix[y*w+x] = byte255(255 * high * (1 - smooth((d-9)/22)))
		}
	})
	return out.Feather(float64(unit(img, 5)))
}

// roomView draws the furnished room from its middle.
func roomView(req Request, list []pieceOf) *image.NRGBA {
	size := req.madeSize()
	v := req.vary()
	w, h := float64(size.X), float64(size.Y)
	out := image.NewNRGBA(image.Rectangle{Max: size})
	p := req.palette()
	wall := channels(mixed(p.second, color.NRGBA{248, 244, 236, 255}, 0.6))
	f := field{seed: v.random.Uint32()}
	floor := 0.66 * h
	left, right, top := 0.1*w, 0.9*w, 0.09*h
	eachPixel(out, func(x, y int, q []uint8) {
		fx, fy := float64(x), float64(y)
		// The corners of the back wall lead to those of the picture.
		var c [3]float64
		var lit float64
		dx := math.Max(left-fx, fx-right)
		switch {
		case fy > floor+math.Max(0, dx)*(h-floor)/left:
			depth := (fy - floor) / (h - floor)
			g := planks(f, (fx-w/2)/w*2.4/(0.35+depth), 1/(0.2+depth))
			lit = (1 + g) * (0.92 + 0.16*depth)
			c = [3]float64{184, 146, 106}
		case fy < top-math.Max(0, dx)*top/left:
			c, lit = [3]float64{244, 241, 235}, 0.94+0.06*fy/h
		case dx > 0:
			c, lit = wall, 0.86-0.1*dx/left
		default:
			c, lit = wall, 1.03-0.12*math.Hypot(fx/w-0.3, fy/h-0.3)
		}
		for k := range 3 {
			q[k] = byte255(c[k] * lit)
		}
		q[3] = 255
	})
	card(left, floor-0.018*h, right, floor+0.002*h, 0).fill(out, color.NRGBA{246, 243, 236, 255})
	// A window with the sky, and its light on the floor.
	wx, ww := 0.2*w, 0.2*w
	if req.Item%4 == 2 {
		wx = 0.58 * w
	}
	card(wx-8, 0.17*h-8, wx+ww+8, 0.46*h+8, 2).fill(out, color.NRGBA{250, 248, 244, 255})
	card(wx, 0.17*h, wx+ww, 0.46*h, 0).shade(out, func(_, y float64) [3]float64 {
		t := (y/h - 0.17) / 0.29
		return [3]float64{160 + 70*t, 202 + 36*t, 236 + 8*t}
	})
	card(wx+ww/2-4, 0.17*h, wx+ww/2+4, 0.46*h, 0).fill(out, color.NRGBA{250, 248, 244, 255})
	polygon(spot{wx + 0.05*w, floor + 0.04*h}, spot{wx + ww + 0.08*w, floor + 0.04*h}, spot{wx + ww + 0.16*w, 0.95 * h}, spot{wx + 0.06*w, 0.95 * h}).fill(out, color.NRGBA{255, 240, 206, 60})
	oval(0.5*w, 0.86*h, 0.3*w, 0.075*h, 0).fill(out, mixed(p.accent, color.NRGBA{240, 232, 220, 255}, 0.55))
	oval(0.5*w, 0.86*h, 0.275*w, 0.066*h, 0).fill(out, mixed(p.accent, color.NRGBA{240, 232, 220, 255}, 0.75))
	// What is high stands at the wall, the rest before it.
	slots := []spot{{0.5, 0.80}, {0.52, 0.93}, {0.17, 0.86}, {0.84, 0.84}, {0.30, 0.74}, {0.72, 0.74}, {0.28, 0.94}, {0.78, 0.95}, {0.9, 0.75}}
	for i, piece := range list {
		at := slots[i%len(slots)]
		u := 0.2 * h * (0.55 + 0.75*(at.y-0.6)) * 1.6
		piece.it.view(out, at.x*w, at.y*h, u, piece.colour)
	}
	return out
}

// planSheets are paper and ink of floor plans.
var planSheets = [4][2]color.NRGBA{
	{{250, 249, 245, 255}, {44, 46, 52, 255}}, {{36, 66, 112, 255}, {234, 241, 250, 255}}, {{238, 226, 202, 255}, {72, 52, 40, 255}}, {{226, 234, 230, 255}, {30, 50, 46, 255}},
}

// floorPlan draws the room from above with its furniture named and measured; every other plan is the other way round.
func floorPlan(req Request, list []pieceOf) (*image.NRGBA, error) {
	turn := req.Item / 2
	size := req.madeSize()
	out := image.NewNRGBA(image.Rectangle{Max: size})
	paper, ink := planSheets[turn/2%4][0], planSheets[turn/2%4][1]
	flood(out, paper)
	w, h := float64(size.X), float64(size.Y)
	x0, y0, x1, y1 := 0.1*w, 0.12*h, 0.9*w, 0.88*h
	across := func(x float64) float64 {
		if turn%2 == 1 {
			return w - x
		}
		return x
	}
	// bar is a rectangle without an outline, of the plan as it is turned.
	bar := func(ax, ay, bx, by float64, c color.NRGBA) {
		ax, bx = across(ax), across(bx)
		card(math.Min(ax, bx), ay, math.Max(ax, bx), by, 0).fill(out, c)
	}
	grid := mixed(paper, ink, 0.2)
	m := (x1 - x0) / 6 // the room is six metres wide
	for i := range 13 {
		x := x0 + float64(i)*m/2
		card(x, y0, x+1, y1, 0).fill(out, grid)
	}
	for y := y0; y < y1; y += m / 2 {
		card(x0, y, x1, y+1, 0).fill(out, grid)
	}
	thick := 0.014 * w
	for _, wall := range [4][4]float64{{x0 - thick, y0 - thick, x1 + thick, y0}, {x0 - thick, y1, x1 + thick, y1 + thick}, {x0 - thick, y0, x0, y1}, {x1, y0, x1 + thick, y1}} {
		card(wall[0], wall[1], wall[2], wall[3], 0).fill(out, ink)
	}
	// A window above and a door below.
	bar(x0+1.4*m, y0-thick, x0+3.2*m, y0, color.NRGBA{196, 222, 238, 255})
	door := x1 - 1.7*m
	bar(door, y1, door+0.9*m, y1+thick, paper)
	from := -0.25 * float64(turn%2)
	sector(across(door), y1, 0.9*m-2, 0.9*m, from, from+0.25).fill(out, ink)
	bar(door-2, y1-0.9*m, door+2, y1, ink)
	label, err := newHand(h/44, false)
	if err != nil {
		return nil, err
	}
	places := [][2]float64{{2.2, 0.65}, {3.0, 2.0}, {0.5, 3.3}, {5.3, 0.6}, {0.8, 1.6}, {5.2, 2.2}, {2.2, 3.6}, {4.2, 0.9}, {1.2, 3.8}}
	for i, piece := range list {
		at := places[i%len(places)]
		cx, cy := across(x0+at[0]*m), y0+at[1]*m
		hw, hd := piece.it.w*m/2, piece.it.d*m/2
		fill := mixed(piece.colour, paper, 0.45)
		shape := card(cx-hw, cy-hd, cx+hw, cy+hd, 0.08*m)
		if piece.name == "plant" || piece.name == "lamp" {
			shape = oval(cx, cy, hw, hd, 0)
		}
		shape.moved(1, 3, 4).fill(out, color.NRGBA{0, 0, 0, 30})
		shape.fill(out, ink)
		inner := card(cx-hw+3, cy-hd+3, cx+hw-3, cy+hd-3, 0.07*m)
		if piece.name == "plant" || piece.name == "lamp" {
			inner = oval(cx, cy, hw-3, hd-3, 0)
		}
		inner.fill(out, fill)
		label.centred(out, []string{capital(piece.name)}, int(cx), int(cy+0.3*label.size), on(fill))
	}
	title, lines, err := inBox(capital(req.text("textDescription")), h/30, true, int(x1-x0), int(0.08*h))
	if err != nil {
		return nil, err
	}
	if len(lines) > 0 {
		title.middled(out, lines[:1], size.X/2, int(0.055*h), ink)
	}
	label.centred(out, []string{"6.0 m"}, size.X/2, int(0.94*h), ink)
	return out, nil
}
