package render

import (
	"context"
	"fmt"
	"image"
	"math"

	"atelier/imaging"
	"atelier/imaging/analysis"
	"atelier/imaging/segment"
	"atelier/imaging/video"
	"atelier/imaging/video/flow"
)

// strips is how many pieces the motion of a person is followed in, from the feet to the top of the head.
const strips = 7

// gesture is where a person is at one moment, against the first one, in heights of the person.
type gesture struct {
	x, y   [strips]float64 // how far each slice has gone, right and down
	spread [strips]float64 // how much wider it has become
}

// posed is a gesture made ready for a set's figure, in its pixels.
type posed struct {
	shift, gain []float32
	tall        float64 // how much taller the figure is
	lift        float64 // how far it is off the ground
}

// gestureRate is how often a second a person's motion is measured.
const gestureRate = 15

// transferMotion lets the figure of the picture move as the person in the film does: slice by slice from the feet to the
// head it follows how that person goes, leans, bends, rises and spreads, before its own completed background. Limbs are
// not told apart, so the figure moves as cloth does and never tears (Run API, "Family E", motion transfer). A film without a
// person and a picture without a figure are errors.
func (s *studio) transferMotion(ctx context.Context) (VideoResult, error) {
	c, err := s.source(ctx)
	if err != nil {
		return VideoResult{}, err
	}
	src := s.req.Source()
	if src == nil {
		return VideoResult{}, ErrMissingInput
	}
	seconds := c.info.Seconds
	if asked, ok := s.req.seconds(); ok {
		seconds = math.Min(seconds, asked)
	}
	if seconds >= mostSeconds+1 {
		return VideoResult{}, &video.Error{Message: fmt.Sprintf("The embedded service makes videos of at most %d seconds; the film whose motion is taken lasts %.0f.", mostSeconds, seconds)}
	}
	rate := c.info.Rate
	if rate.PerSecond() > 30 {
		rate = video.Rate{Num: 30, Den: 1}
	}
	frames := rate.Frames(seconds)
	size := s.req.frameSize(src.Rect.Size())
	built, err := s.build(ctx, s.lit(src), size, true)
	switch {
	case err != nil:
		return VideoResult{}, err
	case built.filled:
		return VideoResult{}, errNoGround
	case built.figure == nil:
		return VideoResult{}, errNobody
	}
	s.req.progress(0.1)
	moves, err := s.gestures(ctx, c, seconds)
	if err != nil {
		return VideoResult{}, err
	}
	s.req.progress(0.3)
	var sounds []video.Sound
	if c.info.HasSound() && s.req.text("generateAudio") != "false" {
		sounds = []video.Sound{{Path: c.path, Info: c.info}}
	}
	d := readDirection(s.req.text("textDescription"), s.req.text("negTextDescription"))
	fx, fy := built.focus()
	strength := []float64{1, 1.2, 0.85, 1.1}[s.req.Item%4]
	zoom := 1.02 + 0.05*float64(s.req.Item%3)
	return s.shootFilm(ctx, film{
		size: size, rate: rate, frames: frames, from: 0.3, keepEnd: true,
		opt: video.WriteOptions{Sounds: sounds, Fade: 0.2},
		draw: func(n int, dst *image.NRGBA) error {
			second := float64(n) / rate.PerSecond()
			v := view{x: fx, y: fy, zoom: zoom}
			if d.moved {
				v = d.at(float64(n)/float64(max(1, frames-1)), second, seconds, fx, fy, built)
			}
			v.posed = built.posed(gestureAt(moves, second), strength)
			v.sway = 0
			built.draw(dst, v)
			addAir(dst, d.air, second+3, second/seconds, uint32(s.req.seed()))
			return nil
		},
	})
}

// gestureAt is the gesture between two measurements.
func gestureAt(list []gesture, second float64) gesture {
	if len(list) == 0 {
		return gesture{}
	}
	at := math.Min(second*gestureRate, float64(len(list)-1))
	i := int(at)
	j, f := min(i+1, len(list)-1), at-float64(i)
	var out gesture
	for k := range strips {
		out.x[k] = list[i].x[k]*(1-f) + list[j].x[k]*f
		out.y[k] = list[i].y[k]*(1-f) + list[j].y[k]*f
		out.spread[k] = list[i].spread[k]*(1-f) + list[j].spread[k]*f
	}
	return out
}

// posed bends the set's figure into a gesture. Bounds keep it in one piece and in the picture.
func (s *set) posed(g gesture, strength float64) *posed {
	high := float64(max(1, s.area.Dy()))
	foot := float64(s.area.Max.Y)
	p := &posed{shift: make([]float32, s.h), gain: make([]float32, s.h), tall: 1}
	bound := func(v, most float64) float64 { return most * math.Tanh(strength*v/most) }
	// Rising and crouching: what the head does beside the feet is stretch, the rest lifts all.
	lift, stretch := -g.y[0], g.y[0]-g.y[strips-1]
	if s.cut {
		lift, stretch = 0, lift+stretch // what the frame cuts off stays cut off
	}
	p.tall = 1 + bound(stretch, 0.14)
	p.lift = bound(math.Max(0, lift), 0.2) * high
	for y := range s.h {
		up := math.Max(0, math.Min(1, (foot-float64(y))/high)) * (strips - 1)
		i := min(strips-2, int(up))
		f := smooth(up - float64(i))
		x := g.x[i]*(1-f) + g.x[i+1]*f
		wide := g.spread[i]*(1-f) + g.spread[i+1]*f
		p.shift[y] = float32(-bound(x, 0.3) * high)
		p.gain[y] = float32(1 / (1 + bound(wide, 0.12)))
	}
	return p
}

// gestures follows the person of a film from where they are first seen; until then nothing moves.
func (s *studio) gestures(ctx context.Context, c clip, seconds float64) ([]gesture, error) {
	const side = 160
	opt := video.ReadOptions{For: seconds, Rate: video.Rate{Num: gestureRate, Den: 1}}
	opt.Width, opt.Height = imaging.FitSize(c.info.Width, c.info.Height, 2*side, 2*side)
	var t *follower
	var out []gesture
	expected := float64(opt.Rate.Frames(seconds))
	const lookEvery = gestureRate / 2 // frames, while nobody is in sight
	err := s.job.Tool.EachFrame(ctx, c.path, c.info, opt, func(n int, img *image.NRGBA) error {
		g := flow.GrayOf(img, side)
		now := gesture{}
		switch {
		case t != nil:
			t.follow(g)
			now = t.now
		case n%lookEvery == 0:
			found, err := analysis.Subject(ctx, imaging.Clone(img), segment.Options{Hard: true})
			if err != nil {
				return err
			}
			t = newFollower(g, found)
		}
		out = append(out, now)
		s.req.progress(0.1 + 0.2*math.Min(1, float64(n)/expected))
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	if t == nil {
		return nil, errNobodyInFilm
	}
	return settled(out), nil
}

// follower follows strips of a person from frame to frame.
type follower struct {
	last   *flow.Gray
	weight []float32 // the person in the first frame, in the size of the gray pictures
	area   image.Rectangle
	now    gesture
}

// newFollower begins with the frame g in which somebody was found; nil when that is nobody large or sure enough.
func newFollower(g *flow.Gray, found segment.Result) *follower {
	m := fitPlane(found.Mask, g.W, g.H)
	t := &follower{last: g, weight: make([]float32, g.W*g.H), area: m.Bounds()}
	if share := covered(m); share < 0.01 || share > 0.8 || t.area.Dy() < g.H/5 || found.Confidence < leastSure && len(found.Faces) == 0 {
		return nil
	}
	for i, v := range m.Pix {
		t.weight[i] = float32(v) / 255
	}
	return t
}

// follow measures the step to the next frame.
func (t *follower) follow(g *flow.Gray) {
	f := flow.Between(t.last, g, nil)
	t.last = g
	// What the camera does is not the person's motion.
	others := make([]float32, len(t.weight))
	for i, v := range t.weight {
		others[i] = 1 - v
	}
	camera, ok := f.Global(others)
	if !ok {
		camera = flow.Motion{Zoom: 1}
	}
	high := float64(max(1, t.area.Dy()))
	for k := range strips {
		// Rows of the slice, where the person is now.
		middle := float64(t.area.Max.Y) - high*(float64(k)+0.5)/strips
		top, low := int(middle-high/strips*0.7), int(middle+high/strips*0.7)
		cx := float64(t.area.Min.X+t.area.Max.X) / 2
		var n, u, v, nl, ul, nr, ur float64
		for y := top; y <= low; y++ {
			for x := t.area.Min.X; x < t.area.Max.X; x++ {
				if x < 0 || y < 0 || x >= g.W || y >= g.H {
					continue
				}
				k0 := float64(t.weight[y*g.W+x])
				px, py := float64(x)+t.now.x[k]*high, float64(y)+t.now.y[k]*high
				if k0 == 0 || px < 0 || py < 0 || px > float64(g.W-1) || py > float64(g.H-1) {
					continue
				}
				i := int(py+0.5)*g.W + int(px+0.5)
				du, dv := float64(f.U[i])-camera.X*float64(g.W), float64(f.V[i])-camera.Y*float64(g.W)
				k0 *= float64(f.Sure[i]) + 1
				n, u, v = n+k0, u+k0*du, v+k0*dv
				if float64(x) < cx {
					nl, ul = nl+k0, ul+k0*du
				} else {
					nr, ur = nr+k0, ur+k0*du
				}
			}
		}
		if n == 0 {
			continue
		}
		// Small errors add up; a slow pull back to where everything began keeps them from carrying the figure away.
		const back = 1 - 1.0/(4*gestureRate)
		t.now.x[k] = back*t.now.x[k] + u/n/high
		t.now.y[k] = back*t.now.y[k] + v/n/high
		if nl > 0 && nr > 0 {
			t.now.spread[k] = back*t.now.spread[k] + (ur/nr-ul/nl)/math.Max(1, float64(t.area.Dx()))
		}
	}
}

// settled smooths gestures over neighbouring strips and moments.
func settled(list []gesture) []gesture {
	out := make([]gesture, len(list))
	for i := range list {
		total := 0.0
		for d := -2; d <= 2; d++ {
			j := min(len(list)-1, max(0, i+d))
			kt := []float64{0.4, 0.24, 0.06}[max(d, -d)]
			total += kt
			for k := range strips {
				for e := -1; e <= 1; e++ {
					o := min(strips-1, max(0, k+e))
					ks := kt * []float64{0.5, 0.25}[max(e, -e)]
					out[i].x[k] += ks * list[j].x[o]
					out[i].y[k] += ks * list[j].y[o]
					out[i].spread[k] += ks * list[j].spread[o]
				}
			}
		}
		for k := range strips {
			out[i].x[k], out[i].y[k], out[i].spread[k] = out[i].x[k]/total, out[i].y[k]/total, out[i].spread[k]/total
		}
	}
	return out
}
