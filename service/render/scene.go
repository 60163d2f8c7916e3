package render

import (
	"image"
	"image/color"
	"math"

	"atelier/imaging/compose"
)

// place is a kind of drawn scene.
type place int

const (
	studioPlace place = iota
	woodPlace
	marblePlace
	concretePlace
	beachPlace
	desertPlace
	meadowPlace
	snowPlace
	skyPlace
	nightPlace
)

// scene is the background of the item, w × h pixels, for agents that set nothing particular into it: the location framed
// for the item, or one drawn by the words of the description.
func (r Request) scene(w, h int, v variation) *image.NRGBA {
	wanted := r.wish()
	var out *image.NRGBA
	if location := r.placePhoto(); location != nil {
		out = compose.Cover(location, w, h, v.framing)
		for i := 3; i < len(out.Pix); i += 4 {
			out.Pix[i] = 255
		}
		wanted.light, wanted.warmth = wanted.light/2, wanted.warmth/2
	} else {
		out = wanted.draw(w, h, v)
	}
	if light, warmth := v.light+wanted.light, v.warmth+wanted.warmth; light != 0 || warmth != 0 {
		compose.Grade(out, light, warmth, 1)
	}
	return out
}

// seenAs is a scene with what can be told of its light and ground.
func seenAs(img *image.NRGBA) backdrop {
	return backdrop{img: img, light: compose.EstimateLight(img), floor: int(compose.FloorLine(img) * float64(img.Rect.Dy()))}
}

// look is how a place is painted: what stands behind, what lies below, and what covers them.
type look struct {
	back, low [3]float64
	horizon   float64 // share of the height
	soft      float64 // how wide the change from back to low is, share of the height
	grain     func(f field, x, y float64) float64
	backGrain func(f field, x, y float64) float64
	indoors   bool       // may be lit through a window
	tint      [3]float64 // colour of bright grain in the back, where it has one of its own
}

// looks are the places in their usual colours.
var looks = map[place]look{
	studioPlace:   {[3]float64{226, 223, 218}, [3]float64{214, 210, 204}, 0.74, 0.16, nil, nil, true, [3]float64{}},
	woodPlace:     {[3]float64{222, 214, 202}, [3]float64{150, 108, 72}, 0.70, 0.004, planks, nil, true, [3]float64{}},
	marblePlace:   {[3]float64{220, 218, 214}, [3]float64{232, 230, 228}, 0.70, 0.004, veins, nil, true, [3]float64{}},
	concretePlace: {[3]float64{168, 166, 163}, [3]float64{132, 130, 128}, 0.74, 0.02, specks, clouds, true, [3]float64{}},
	beachPlace:    {[3]float64{168, 206, 232}, [3]float64{222, 202, 164}, 0.58, 0.02, dunes, seaAndSky, false, [3]float64{}},
	desertPlace:   {[3]float64{196, 214, 226}, [3]float64{216, 166, 112}, 0.55, 0.01, dunes, nil, false, [3]float64{}},
	meadowPlace:   {[3]float64{148, 178, 130}, [3]float64{104, 140, 74}, 0.62, 0.05, blades, bokeh, false, [3]float64{}},
	snowPlace:     {[3]float64{206, 218, 230}, [3]float64{240, 243, 247}, 0.60, 0.06, dunes, bokeh, false, [3]float64{}},
	skyPlace:      {[3]float64{126, 176, 226}, [3]float64{206, 226, 242}, 0.75, 0.60, clouds, clouds, false, [3]float64{}},
	nightPlace:    {[3]float64{34, 32, 44}, [3]float64{44, 38, 52}, 0.74, 0.10, specks, lamps, false, [3]float64{1.9, 1.15, 0.45}},
}

// draw paints the scene: a wall and a floor in the wanted colours, lit from one side, with the grain of the place.
func (w wish) draw(width, height int, v variation) *image.NRGBA {
	return w.stage(width, height, v, func(usual float64) float64 { return usual }).img
}

// stage paints the scene with its ground beginning where settle puts the usual place.
func (w wish) stage(width, height int, v variation, settle func(usual float64) float64) backdrop {
	l := looks[w.place]
	if len(w.colours) > 0 {
		l.back = channels(w.colours[0])
		last := w.colours[len(w.colours)-1]
		l.low = channels(last)
		if len(w.colours) == 1 {
			for k := range l.low {
				l.low[k] *= 0.93
			}
		}
	}
	f := field{seed: v.random.Uint32()}
	pool := 0.5 + 0.9*(v.framing.X-0.5) // where the light falls
	horizon := settle(l.horizon + 0.12*(v.framing.Y-0.5))
	glow := [3]float64{1, 1, 1} // what a low sun does to the back, just above the horizon
	if w.sunset {
		glow = [3]float64{1.30, 0.86, 0.55}
	}
	out := image.NewNRGBA(image.Rect(0, 0, width, height))
	long := float64(max(width, height))
	parallelRows(height, func(y int) {
		fy := (float64(y) + 0.5) / float64(height)
		floor := smooth((fy - horizon + l.soft/2) / math.Max(l.soft, 1e-6))
		for x := range width {
			fx := (float64(x) + 0.5) / float64(width)
			dx, dy := fx-pool, fy-0.42
			lit := 1.06 - 0.34*(dx*dx+0.8*dy*dy)
			if floor > 0 && l.soft < 0.3 {
				lit *= 1 - 0.1*floor*smooth((fy-horizon)/(1.02-horizon))
			}
			if l.indoors && !w.unlit {
				lit *= v.window(f, fx, fy)
			}
			u, t := float64(x)/long, float64(y)/long
			var rough float64
			if l.grain != nil && floor > 0 {
				depth := math.Max(0.04, fy-horizon+0.1) // the floor narrows towards the horizon
				rough += floor * l.grain(f, (fx-0.5)*0.6/depth, 1/depth)
			}
			if l.backGrain != nil && floor < 1 {
				rough += (1 - floor) * l.backGrain(f, u, t-horizon*float64(height)/long)
			}
			noise := float64(f.hash(x, y)&255)/255*2.4 - 1.2
			p := out.Pix[out.PixOffset(x, y):]
			low := smooth(1-math.Abs(fy-horizon)/0.55) * (1 - 0.8*floor)
			for k := range 3 {
				rise := 1 + rough
				if rough > 0 && l.tint[k] > 0 {
					rise = 1 + rough*l.tint[k]
				}
				c := (l.back[k]*(1-floor) + l.low[k]*floor) * lit * rise * (1 + (glow[k]-1)*low)
				p[k] = uint8(math.Max(0, math.Min(255, c+noise+0.5)))
			}
			p[3] = 255
		}
	})
	light := compose.Light{Angle: 90 + 80*(0.5-pool), Softness: 0.75, Behind: w.sunset && !l.indoors}
	if !l.indoors && w.place != nightPlace {
		light.Softness = 0.4
	}
	return backdrop{img: out, light: light, floor: int(horizon * float64(height)), wall: l.indoors}
}

// window is the light that falls through a window on some items: a slanting beam, or leaves before it.
func (v variation) window(f field, x, y float64) float64 {
	switch v.item % 3 {
	case 1:
		along := x + 0.45*y - 0.2 - 0.5*v.framing.X
		return 0.94 + 0.12*smooth((0.2-math.Abs(along))/0.06)
	case 2:
		leaf := smooth(0.5 + 2.2*f.sum(x*4+y*1.5, y*6-x*2, 2))
		return 1.04 - 0.13*leaf*smooth(1.1-y)
	}
	return 1
}

func channels(c color.NRGBA) [3]float64 {
	return [3]float64{float64(c.R), float64(c.G), float64(c.B)}
}

// smooth is 0 below 0, 1 above 1 and an S between.
func smooth(t float64) float64 {
	t = math.Max(0, math.Min(1, t))
	return t * t * (3 - 2*t)
}
