package render

import (
	"context"
	"fmt"
	"image"
	"math"

	"atelier/imaging"
	"atelier/imaging/compose"
	"atelier/imaging/mask"
	"atelier/service/presets"
)

// setting is a place before it is framed, and what is known about it.
type setting struct {
	picture *image.NRGBA
	light   compose.Light
	floor   float64 // share of the picture's height where the ground begins
	wall    bool    // a wall rises there
	photo   bool    // never mirrored, since it may bear writing: its light is led to the subject's side
	tone    tone
	figure  image.Rectangle
}

// tone is what the light of a place does to colours. The zero value is neutral daylight.
type tone struct {
	warmth float64 // -1 blue … 1 orange
	dark   float64 // 0 daylight … 1 night
}

// toneOfPlace is the tone a preset location states.
func toneOfPlace(l presets.Light) tone { return tone{warmth: l.Warmth, dark: 1 - l.Level} }

// light gives img, in place, the tone where keep leaves it free.
func (t tone) light(img *image.NRGBA, keep *mask.Plane) {
	if t == (tone{}) {
		return
	}
	from := compose.Measure(img, nil)
	to := from
	to.Mean[0] -= 14 * math.Max(0, t.dark-0.15)
	to.Mean[2] += 12 * t.warmth // hue follows by half
	compose.Harmonise(img, from, to, 1, keep)
}

// backdrop is a framed setting: what lies behind and below a subject.
type backdrop struct {
	img   *image.NRGBA
	light compose.Light
	floor int // the row where the ground begins
	wall  bool
	tone  tone
	given bool // the picture's own background, with its own grain
}

// shadow is the shadow of what stands in the backdrop.
func (b backdrop) shadow(v variation) compose.Shadow {
	// At night shadows are lost in the dark.
	return compose.Shadow{Strength: v.shadow * (1 - 0.45*b.tone.dark), Light: b.light, Floor: b.floor, Wall: b.wall, Length: v.length}
}

// lightOfPlace is the light a preset location states.
func lightOfPlace(l presets.Light) compose.Light {
	return compose.Light{Angle: l.Angle, Softness: l.Softness, Behind: l.Behind}
}

// settingOf is where the subject is to stand: the location named by id, the photograph of one, the preset location that
// the description names, or nil when the description leaves it to a drawn scene.
func (r Request) settingOf(ctx context.Context, seg Segmentation, wanted wish, like image.Point) (*setting, error) {
	if r.Location != nil && r.Place != nil {
		return &setting{picture: r.Location, light: lightOfPlace(r.Place.Light), floor: r.Place.Floor, wall: r.Place.Wall, tone: toneOfPlace(r.Place.Light)}, nil
	}
	if photo := r.placePhoto(); photo != nil {
		s := &setting{picture: photo, photo: true, wall: true}
		if seg.Scene != nil {
			s.picture, s.figure = seg.Scene, seg.SceneFigure
		}
		s.light = compose.EstimateLight(s.picture)
		s.floor = compose.FloorLine(s.picture)
		if !s.figure.Empty() {
			// Whoever stood there shows where the ground is.
			high := float64(s.picture.Rect.Dy())
			feet := float64(s.figure.Max.Y) / high
			s.floor = math.Min(s.floor, feet-0.12*float64(s.figure.Dy())/high)
		}
		return s, nil
	}
	if wanted.preset == nil {
		return nil, nil //nolint:nilnil // no place that is ready made is an ordinary case
	}
	w, h := like.X, like.Y
	if long := max(w, h); long > 1600 {
		w, h = max(1, w*1600/long), max(1, h*1600/long)
	}
	img, err := wanted.preset.Draw(ctx, w, h)
	if err != nil {
		return nil, fmt.Errorf("draw the place of the description: %w", err)
	}
	l := wanted.preset
	return &setting{picture: img, light: lightOfPlace(l.Light), floor: l.Floor, wall: l.Wall, tone: toneOfPlace(l.Light)}, nil
}

// placePhoto is the photograph of a place that came with the request.
func (r Request) placePhoto() *image.NRGBA {
	if r.Location != nil {
		return r.Location
	}
	if list := r.Files["locationImage"]; len(list) > 0 {
		return list[0]
	}
	return nil
}

// bearing is how a subject bears on its surroundings, in shares of the picture's height: the rows of its top and of its
// feet, which may lie below the picture, and its middle as a share of the width.
type bearing struct {
	top, feet, across float64
	cut, person       bool
	lit               float64 // from which side, -1 … 1
}

// bearingOf measures a subject by its stance and, when the frame cuts it off, by its face.
func bearingOf(stand compose.Stance, face image.Rectangle, size image.Point) bearing {
	high := float64(size.Y)
	b := bearing{
		top: float64(stand.Bounds.Min.Y) / high, feet: stand.Row / high, cut: stand.Cut,
		across: float64(stand.Bounds.Min.X+stand.Bounds.Max.X) / 2 / float64(size.X), person: !face.Empty(),
	}
	if b.cut {
		b.feet = math.Max(1.12, b.top+1.15*(b.feet-b.top))
		if b.person {
			// People stand some eight faces high.
			b.feet = math.Max(1.04, (float64(face.Min.Y)+7.6*float64(face.Dy()))/high)
		}
	}
	return b
}

// horizon is where the ground of a setting may begin behind a subject, from … to, in shares of the picture's height:
// on open ground about where the eye of somebody with a camera is, before a wall anywhere behind the feet.
func (b bearing) horizon(wall bool) (from, to float64) {
	tall := b.feet - b.top
	switch {
	case b.cut && !wall:
		return 0.42, 0.66
	case !b.person:
		from, to = b.feet-1.1*tall, b.feet-0.12*tall
	case wall:
		from, to = b.feet-0.40*tall, b.feet-0.07*tall
	default:
		from, to = b.feet-0.56*tall, b.feet-0.30*tall
	}
	return math.Min(1.08, math.Max(0.2, from)), math.Min(1.1, math.Max(0.24, to))
}

// frame shows a part of the setting as w × h pixels so that the subject stands on its ground.
func (s setting) frame(size image.Point, b bearing, v variation) backdrop {
	light := s.light
	mirror := false
	if !s.photo {
		// The same side has to be lit; where the subject does not tell, items take turns.
		mirror = v.framing.Flip
		if math.Abs(b.lit) > 0.12 && math.Abs(light.Side()) > 0.15 {
			mirror = b.lit*light.Side() < 0
		}
	}
	iw, ih := float64(s.picture.Rect.Dx()), float64(s.picture.Rect.Dy())
	share := math.Min(iw/float64(size.X), ih/float64(size.Y))
	fullW, fullH := share*float64(size.X), share*float64(size.Y)
	zoom, y := s.height(b, v, fullH)
	cw, ch := fullW/zoom, fullH/zoom
	x := v.framing.X * (iw - cw)
	if !s.figure.Empty() {
		// As they stood there, so it stands now.
		x = float64(s.figure.Min.X+s.figure.Max.X)/2 - b.across*cw
		x = math.Max(0, math.Min(iw-cw, x+0.06*(v.framing.X-0.5)*cw))
	}
	window := image.Rect(int(x), int(y), int(x+cw), int(y+ch)).Intersect(image.Rectangle{Max: s.picture.Rect.Size()})
	img := imaging.Resize(compose.Window(s.picture, window.Add(s.picture.Rect.Min)), size.X, size.Y)
	for i := 3; i < len(img.Pix); i += 4 {
		img.Pix[i] = 255
	}
	if mirror {
		compose.Flip(img)
		light = light.Mirrored()
	}
	if s.photo && math.Abs(b.lit) > 0.12 && math.Abs(light.Side()) > 0.15 && b.lit*light.Side() < 0 {
		light = lean(img, b.lit)
	}
	floor := int((s.floor*ih - float64(window.Min.Y)) / float64(max(1, window.Dy())) * float64(size.Y))
	if !b.cut {
		// Nobody stands in the wall.
		floor = min(floor, int((b.feet-0.03*(b.feet-b.top))*float64(size.Y)))
	}
	return backdrop{img: img, light: light, floor: floor, wall: s.wall, tone: s.tone}
}

// lean lights a photograph that may not be mirrored, in place, from the side that the subject is lit from: brighter there and
// darker on the other side, by less than hides what it shows. It gives the soft light that falls now.
func lean(img *image.NRGBA, side float64) compose.Light {
	const most = 0.2 // at the edges
	k := math.Copysign(most, side)
	w := float64(img.Rect.Dx())
	eachPixel(img, func(x, _ int, p []uint8) {
		t := k * (2*(float64(x)+0.5)/w - 1)
		for n := range 3 {
			c := float64(p[n])
			p[n] = byte255(c + t*c*(1-0.6*c/255))
		}
	})
	return compose.Light{Angle: 90 - math.Copysign(30, side), Softness: 0.8}
}

// height chooses how close the setting is seen and from which row: as little closer as brings the ground to where the
// subject needs it.
func (s setting) height(b bearing, v variation, fullH float64) (zoom, y float64) {
	ih := float64(s.picture.Rect.Dy())
	if !s.figure.Empty() {
		// The one who stood there gives the scale.
		tall := (b.feet - b.top) * fullH
		zoom = math.Max(1, math.Min(2, tall/math.Max(1, float64(s.figure.Dy()))))
		zoom *= 1 + 0.06*(v.framing.Zoom-1)
		ch := fullH / zoom
		return zoom, math.Max(0, math.Min(ih-ch, float64(s.figure.Max.Y)-b.feet*ch))
	}
	from, to := b.horizon(s.wall)
	wanted := math.Max(from, math.Min(to, s.floor+0.5*(v.framing.Y-0.5)*(to-from)))
	best := math.Inf(1)
	for z := v.framing.Zoom; z < math.Max(1.7, v.framing.Zoom)+0.01; z += 0.05 {
		ch := fullH / z
		at := math.Max(0, math.Min(ih-ch, s.floor*ih-wanted*ch))
		off := math.Abs((s.floor*ih-at)/ch - wanted)
		if cost := off + 0.12*(z-1); cost < best {
			best, zoom, y = cost, z, at
		}
	}
	return zoom, y
}

// behind is the backdrop of the item: a framed setting, or a scene drawn by the words of the description.
func (r Request) behind(ctx context.Context, seg Segmentation, size image.Point, b bearing, v variation) (backdrop, error) {
	wanted := r.wish()
	place, err := r.settingOf(ctx, seg, wanted, size)
	if err != nil {
		return backdrop{}, err
	}
	var out backdrop
	if place != nil {
		out = place.frame(size, b, v)
		wanted.light, wanted.warmth = wanted.light/2, wanted.warmth/2
		switch {
		case !wanted.sunset || out.light.Softness >= 0.6:
		case place.photo || place.wall:
			compose.Grade(out.img, -4, 10, 1)
		default:
			lowSun(out.img, out.floor)
			out.tone = tone{warmth: math.Max(0.7, out.tone.warmth), dark: math.Max(0.25, out.tone.dark)}
		}
		if wanted.colour > 0 {
			compose.Grade(out.img, 0, 0, wanted.colour)
		}
	} else {
		from, to := b.horizon(looks[wanted.place].indoors)
		out = wanted.stage(size.X, size.Y, v, func(usual float64) float64 { return math.Max(from, math.Min(to, usual)) })
	}
	if light, warmth := v.light+wanted.light, v.warmth+wanted.warmth; light != 0 || warmth != 0 {
		compose.Grade(out.img, light, warmth, 1)
	}
	for _, c := range wanted.without {
		compose.Mute(out.img, c)
	}
	if !wanted.sharp {
		r := v.depth
		if wanted.blurred {
			r += 0.012
		}
		if b.cut {
			r *= 2
		}
		feet := min(size.Y, int(b.feet*float64(size.Y)))
		compose.Defocus(out.img, int(r*float64(min(size.X, size.Y))), out.floor, feet)
	}
	return out, nil
}

// wish is what the descriptions of the request ask of a scene.
func (r Request) wish() wish {
	wanted := readWish(r.text("textDescription"), r.text("negTextDescription"))
	switch r.text("maskType") {
	case maskHead, maskUpper, maskLower:
		wanted.colours = nil // they are meant for the clothes
	}
	return wanted
}

// lowSun gives an open place, in place, the colours of a low sun: gold above the horizon, where the ground begins, violet high up, and
// ground that is warm and dim.
func lowSun(img *image.NRGBA, horizon int) {
	high, glow, ground, near := [3]float64{0.84, 0.72, 0.88}, [3]float64{1.2, 0.86, 0.56}, [3]float64{0.98, 0.75, 0.6}, [3]float64{0.82, 0.64, 0.56}
	bottom := img.Rect.Dy()
	eachPixel(img, func(_, y int, p []uint8) {
		from, to, t := high, glow, smooth(float64(y)/math.Max(1, float64(horizon)))
		if y >= horizon {
			from, to, t = ground, near, float64(y-horizon)/math.Max(1, float64(bottom-horizon))
		}
		for k := range 3 {
			p[k] = byte255(float64(p[k]) * (from[k] + t*(to[k]-from[k])))
		}
	})
}
