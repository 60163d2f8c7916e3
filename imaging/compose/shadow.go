package compose

import (
	"image"
	"math"

	"atelier/imaging/mask"
	"atelier/imaging/parallel"
)

// Shadow says how a subject darkens the floor it stands on.
type Shadow struct {
	Strength float64 // 0 … 1, of the darkest place; 0 throws none
	Light    Light
	// Floor is the row where the ground begins. A shadow that reaches it climbs the wall there, or ends.
	Floor int
	Wall  bool
	// Length multiplies the length of the cast shadow; 0 counts as 1.
	Length float64
}

// Stance is how a subject stands in a picture: its lowest parts lie on a line.
type Stance struct {
	Bounds image.Rectangle // of what is visible
	Row    float64         // where the line of the feet passes the middle of Bounds
	Slope  float64         // rows per column of that line
	Cut    bool            // the lower edge of the picture cuts the subject off
}

// at is the row of the feet's line in a column.
func (s Stance) at(x float64) float64 {
	return s.Row + s.Slope*(x-float64(s.Bounds.Min.X+s.Bounds.Max.X)/2)
}

// Stand finds how the subject of a matte stands.
func Stand(matte mask.Plane) Stance {
	b := solidBounds(matte)
	s := Stance{Bounds: b, Row: float64(b.Max.Y)}
	if b.Empty() {
		return s
	}
	s.Cut = b.Max.Y >= matte.H-1-matte.H/200
	if s.Cut {
		return s
	}
	// A hem or a tail that hangs lower than the rest is no foot: only what is close to the lowest counts.
	near := max(2, b.Dy()/13)
	if b.Dx() > b.Dy() {
		near = max(2, b.Dy()/8)
	}
	// The lowest point of either half of what reaches down.
	first, last := -1, -1
	low := make([]int, b.Dx())
	for i := range low {
		low[i] = lowest(matte, b.Min.X+i, b.Max.Y-near, b.Max.Y)
		if low[i] >= 0 {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if first < 0 {
		return s
	}
	half := (first + last) / 2
	deepest := func(from, to int) (at, row int) {
		row = -1
		for i := from; i <= to; i++ {
			if low[i] > row {
				at, row = i, low[i]
			}
		}
		return at, row
	}
	lx, ly := deepest(first, half)
	rx, ry := deepest(min(half+1, last), last)
	middle := float64(b.Dx()) / 2
	if ly < 0 || ry < 0 || rx-lx < max(4, b.Dy()/16) {
		s.Row = float64(max(ly, ry) + 1)
		return s
	}
	s.Slope = math.Max(-0.3, math.Min(0.3, float64(ry-ly)/float64(rx-lx)))
	s.Row = float64(ly+ry)/2 + 1 + s.Slope*(middle-float64(lx+rx)/2)
	return s
}

// lowest is the lowest firm row of a column between two rows, -1 when there is none.
func lowest(matte mask.Plane, x, from, to int) int {
	for y := to - 1; y >= max(0, from); y-- {
		if matte.Pix[y*matte.W+x] >= mask.Level {
			return y
		}
	}
	return -1
}

// solidBounds frames what is at least half covered.
func solidBounds(m mask.Plane) image.Rectangle {
	b := image.Rectangle{Min: image.Pt(m.W, m.H)}
	for y := range m.H {
		row := m.Row(y)
		for x, v := range row {
			if v >= mask.Level {
				b.Min.X, b.Min.Y = min(b.Min.X, x), min(b.Min.Y, y)
				b.Max.X, b.Max.Y = max(b.Max.X, x+1), max(b.Max.Y, y+1)
			}
		}
	}
	if b.Max.X == 0 {
		return image.Rectangle{}
	}
	return b
}

// ContactShadow darkens scene, in place, under a subject whose matte (of the scene's size) stands in it: dark where it
// touches the floor, a pool around that, and its shape lying away from the light, the softer the farther from the feet.
// A subject that the lower edge of the picture cuts off has no visible floor and throws no shadow.
func ContactShadow(scene *image.NRGBA, matte mask.Plane, s Shadow) {
	w, h := scene.Rect.Dx(), scene.Rect.Dy()
	if matte.W != w || matte.H != h || s.Strength <= 0 {
		return
	}
	stand := Stand(matte)
	if stand.Bounds.Empty() || stand.Cut {
		return
	}
	cast := s.cast(matte, stand)
	area := cast.area(w, h)
	touch := contact(matte, stand, area)
	pool := touch.Clone()
	tall := stand.Bounds.Dy()
	blurPlane(touch.Pix, touch.W, touch.H, max(1, tall/260), false)
	blurPlane(pool.Pix, pool.W, pool.H, max(2, tall/45), false)
	soft := s.Light.Softness
	parallel.Spread(area.Dy(), 8, func(from, to int) {
		for i := from; i < to; i++ {
			y := area.Min.Y + i
			row := scene.Pix[scene.PixOffset(scene.Rect.Min.X+area.Min.X, scene.Rect.Min.Y+y):]
			for x := range area.Dx() {
				n := i*area.Dx() + x
				a := (1.15-0.35*soft)*cast.at(float64(area.Min.X+x)+0.5, float64(y)+0.5) + 1.7*float64(touch.Pix[n])/255 + (0.5+0.35*soft)*float64(pool.Pix[n])/255
				if a <= 0.004 {
					continue
				}
				a = s.Strength * (1 - math.Exp(-1.25*a))
				for k, tint := range [3]float64{1.03, 1, 0.94} { // what the lamp does not reach, the sky lights
					row[4*x+k] = uint8(float64(row[4*x+k])*(1-math.Min(1, a*tint)) + 0.5)
				}
			}
		}
	})
}

// casting is a subject's outline on its way to the floor.
type casting struct {
	shapes []mask.Plane // ever softer
	radius []float64
	step   int // pixels of the picture to one of a shape
	pad    int // clear pixels around a shape
	stand  Stance
	sx, sy float64 // where a point one row above the feet falls, in columns and rows
	floor  float64
	wall   bool
	soft   float64
}

// cast prepares the shape that the light throws.
func (s Shadow) cast(matte mask.Plane, stand Stance) casting {
	length := s.Length
	if length <= 0 {
		length = 1
	}
	sin, cos := math.Sincos(s.Light.Angle * math.Pi / 180)
	sx := -cos / math.Max(0.4, sin) * 0.75
	c := casting{stand: stand, soft: s.Light.Softness, floor: float64(s.Floor), wall: s.Wall}
	c.sx = length * math.Max(-1.25, math.Min(1.25, sx))
	c.sy = -length * (0.15 + 0.08*math.Abs(c.sx))
	if s.Light.Behind {
		c.sy = length * (0.26 + 0.1*math.Abs(c.sx))
	}
	// The outline at no more than 320 rows is all that a shadow can show.
	b := stand.Bounds
	c.step = max(1, b.Dy()/320)
	w, h := max(1, b.Dx()/c.step), max(1, b.Dy()/c.step)
	c.pad = h / 5
	sharp := mask.New(w+2*c.pad, h+2*c.pad)
	for y := range h {
		for x := range w {
			sharp.Set(x+c.pad, y+c.pad, matte.At(b.Min.X+x*c.step+c.step/2, b.Min.Y+y*c.step+c.step/2))
		}
	}
	for _, r := range []int{0, 2, 5, 11, 22} {
		shape := sharp.Clone()
		blurPlane(shape.Pix, shape.W, shape.H, r, false)
		c.shapes = append(c.shapes, shape)
		c.radius = append(c.radius, float64(r*c.step)+0.5)
	}
	return c
}

// reach is how much of the subject's height the shadow shows.
func (c casting) reach() float64 { return float64(c.stand.Bounds.Dy()) * 1.02 }

// area is the part of the picture the shadow can fall on.
func (c casting) area(w, h int) image.Rectangle {
	b := c.stand.Bounds
	tall := float64(b.Dy())
	aside, along := c.sx*tall, c.sy*tall
	pad := 0.2 * tall
	r := image.Rect(
		int(float64(b.Min.X)+math.Min(0, aside)-pad), int(float64(b.Max.Y)-tall/6+math.Min(0, along)-pad),
		int(float64(b.Max.X)+math.Max(0, aside)+pad), int(float64(b.Max.Y)+math.Max(0, along)+pad))
	if c.wall && c.floor > 0 && c.sy < 0 {
		r.Min.Y = b.Min.Y
	}
	return r.Intersect(image.Rect(0, 0, w, h))
}

// at is how dark the cast shadow is at a position, 0 … 1.
func (c casting) at(x, y float64) float64 {
	up := c.stand.upTo(x, y, c.sx, c.sy)
	fade := 1.0
	if y < c.floor && c.sy < 0 {
		if !c.wall {
			// Beyond where the ground begins there is nothing for it to lie on.
			return 0
		}
		// From the foot of the wall it goes straight up.
		up = c.stand.upTo(x, c.floor, c.sx, c.sy)
		x -= c.sx * up
		up += (c.floor - y) * 1.15
		fade = 0.8
	} else {
		x -= c.sx * up
	}
	if up < -4 || up > c.reach() {
		return 0
	}
	share := up / c.reach()
	fade *= math.Exp(-share * (0.3 + 2.2*c.soft))
	if y < c.floor+0.02*c.reach() && !c.wall && c.sy < 0 {
		fade *= math.Max(0, (y-c.floor)/(0.02*c.reach()))
	}
	radius := 1 + math.Max(0, up)*(0.015+0.1*c.soft*c.soft)
	return fade * c.cover(x, c.stand.at(x)-up, radius)
}

// upTo is the height above the feet of what throws its shadow on a position.
func (s Stance) upTo(x, y, sx, sy float64) float64 { return (y - s.at(x)) / (sy - s.Slope*sx) }

// cover is the outline softened by a radius, 0 … 1.
func (c casting) cover(x, y, radius float64) float64 {
	n := len(c.radius) - 1
	i := 0
	for i < n-1 && c.radius[i+1] < radius {
		i++
	}
	t := math.Max(0, math.Min(1, (radius-c.radius[i])/(c.radius[i+1]-c.radius[i])))
	a, b := c.read(c.shapes[i], x, y), c.read(c.shapes[i+1], x, y)
	return (a + (b-a)*t) / 255
}

// read is the value of a shape between its pixels; 0 outside.
func (c casting) read(shape mask.Plane, x, y float64) float64 {
	fx := (x-float64(c.stand.Bounds.Min.X))/float64(c.step) + float64(c.pad) - 0.5
	fy := (y-float64(c.stand.Bounds.Min.Y))/float64(c.step) + float64(c.pad) - 0.5
	if fx < 0 || fy < 0 || fx >= float64(shape.W-1) || fy >= float64(shape.H-1) {
		return 0
	}
	x0, y0 := int(fx), int(fy)
	u, v := fx-float64(x0), fy-float64(y0)
	p, q := shape.Pix[y0*shape.W+x0:], shape.Pix[(y0+1)*shape.W+x0:]
	return (float64(p[0])*(1-u)+float64(p[1])*u)*(1-v) + (float64(q[0])*(1-u)+float64(q[1])*u)*v
}

// contact marks where the subject touches or nearly touches the floor, within area: along the lowest points of its columns, thinner
// towards the ends of each foot as round soles are, and from there down to the line of the feet ever less.
func contact(matte mask.Plane, stand Stance, area image.Rectangle) mask.Plane {
	out := mask.New(area.Dx(), area.Dy())
	b := stand.Bounds
	near := math.Max(3, float64(b.Dy())/12)
	thick := math.Max(1, float64(b.Dy())/120)
	low := make([]int, area.Dx()+1) // one more, which ends the last foot
	for i := range low {
		low[i] = -1
		if x := area.Min.X + i; x >= b.Min.X && x < min(b.Max.X, area.Max.X) {
			low[i] = lowest(matte, x, int(stand.at(float64(x))-near), b.Max.Y)
		}
	}
	foot, end := 0, 0 // the columns of the foot that column i belongs to
	for i, row := range low {
		if row < 0 {
			continue
		}
		if i >= end {
			for foot, end = i, i; low[end] >= 0; {
				end++
			}
		}
		line := stand.at(float64(area.Min.X + i))
		firm := 255 * math.Max(0, 1-math.Max(0, line-float64(row)-1)/near)
		aside := (2*float64(i-foot)+1)/float64(end-foot) - 1
		sole := float64(row) + 1 + thick*math.Sqrt(1-aside*aside)
		from, to := max(area.Min.Y, row-int(thick)), min(area.Max.Y, int(math.Ceil(math.Max(sole, line))))
		for y := from; y < to; y++ {
			shade := math.Exp(-6 * math.Max(0, float64(y)-sole) / near)
			out.Pix[(y-area.Min.Y)*out.W+i] = uint8(firm * shade)
		}
	}
	return out
}
