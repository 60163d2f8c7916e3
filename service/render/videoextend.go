package render

import (
	"context"
	"image"
	"math"

	"atelier/imaging"
	"atelier/imaging/analysis"
	"atelier/imaging/segment"
	"atelier/imaging/video"
	"atelier/imaging/video/flow"
)

// pace is how a film moves where it is continued, per second: as a whole, and its subject beside that.
type pace struct {
	x, y     float64 // shares of the width
	zoom     float64 // natural logarithm
	turn     float64
	figureX  float64
	figureY  float64
	measured bool
}

// extend makes the part of a film that comes after its end or before its beginning: it starts from the film's last (or
// leads to its first) frame, goes on at the speed the camera and the subject had there, slows down and passes into the
// move the description asks for (Run API, "Family E", extendVideo).
// ASSUMED [extendVideo]: the result is the new part alone, as long as duration says; both play on end to end.
func (s *studio) extend(ctx context.Context, c clip, _ []clip) (VideoResult, error) {
	backward := s.req.text("extendDirection") == "backward"
	size := s.req.frameSize(image.Pt(c.info.Width, c.info.Height))
	seconds, _ := s.req.seconds()
	rate := c.info.Rate
	frames := rate.Frames(seconds)
	p, joint, err := s.pace(ctx, c, backward)
	if err != nil {
		return VideoResult{}, err
	}
	s.req.progress(0.08)
	found, err := analysis.Subject(ctx, small(joint, 720), segment.Options{Hard: true})
	if err != nil {
		return VideoResult{}, err
	}
	d := s.direct(0)
	if !readDirection(s.req.text("textDescription"), "").moved && p.measured {
		// The words leave the camera alone: it does what it did, differing a little from item to item.
		d = direction{zoom: 1, speed: 1, lively: 1, air: d.air}
	}
	path := continued{pace: p, d: d, length: seconds, slow: 1.1 * math.Pow(1.25, float64(s.req.Item%4))}
	far := path.at(seconds)
	m := margins{
		left: math.Max(0.03, math.Min(0.3, far.x)), right: math.Max(0.03, math.Min(0.3, -far.x)),
		top: math.Max(0.03, math.Min(0.3, far.y)), bottom: math.Max(0.03, math.Min(0.3, -far.y)),
	}
	if out := math.Max(0, -far.zoom); out > 0 {
		more := math.Min(0.25, (math.Exp(out)-1)/2)
		m.left, m.right, m.top, m.bottom = m.left+more, m.right+more, m.top+more, m.bottom+more
	}
	wide, err := s.grown(ctx, joint, m, found)
	if err != nil {
		return VideoResult{}, err
	}
	s.req.progress(0.14)
	built, err := s.build(ctx, wide, size, true)
	if err != nil {
		return VideoResult{}, err
	}
	s.req.progress(0.2)
	// Where the joint frame lies in the wider picture.
	kw, kh := 1+m.left+m.right, 1+m.top+m.bottom
	if wide == joint {
		kw, kh, m = 1, 1, margins{}
	}
	cx, cy := (m.left+0.5)/kw, (m.top+0.5)/kh
	zoom := built.base * float64(size.X) / (float64(built.w) / kw)
	if other := built.base * float64(size.Y) / (float64(built.h) / kh); other > zoom {
		zoom = other
	}
	sounds, err := s.extendedSound(ctx, c, backward, seconds)
	if err != nil {
		return VideoResult{}, err
	}
	seed := uint32(s.req.seed())
	seen := func(second float64) view {
		at := path.at(second)
		return view{
			x: cx - at.x/kw, y: cy - at.y*float64(size.X)/float64(size.Y)/kh, zoom: zoom * math.Exp(at.zoom), turn: -at.turn,
			figureX: at.figureX, figureY: at.figureY, near: 0,
			sway: 0.0035 * d.lively * math.Sin(2*math.Pi*second/3.4), aside: d.aside * smooth(second/math.Max(1, seconds)),
		}
	}
	rest := image.NewNRGBA(image.Rectangle{Max: size})
	built.draw(rest, seen(0))
	meant := sizedTo(imaging.Flatten(joint, 255, 255, 255), size.X, size.Y)
	return s.shootFilm(ctx, film{
		size: size, rate: rate, frames: frames, from: 0.2, keepEnd: true,
		opt: video.WriteOptions{Sounds: sounds, Fade: 0.3},
		draw: func(n int, dst *image.NRGBA) error {
			away := n // frames from the joint
			if backward {
				away = frames - 1 - n
			}
			second := float64(away+1) / rate.PerSecond()
			built.draw(dst, seen(second))
			if k := 1 - smooth(second/0.4); k > 0 {
				// What the joint has beside what is drawn of it, such as grain and the finest lines, fades.
				eachPixel(dst, func(x, y int, p []uint8) {
					i := rest.PixOffset(x, y)
					for c := range 3 {
						p[c] = byte255(float64(p[c]) + k*(float64(meant.Pix[i+c])-float64(rest.Pix[i+c])))
					}
				})
			}
			if ease := smooth(second / 1.5); len(d.air) > 0 && ease > 0 {
				addAir(dst, d.air, second+3, second/seconds, seed)
			}
			return nil
		},
	})
}

// continued is the way of the camera from a joint on.
type continued struct {
	pace
	d      direction
	length float64
	slow   float64 // seconds in which what was fast becomes slow
}

// at is how far everything has gone a second after the joint.
func (c continued) at(second float64) pace {
	gone := c.slow * (1 - math.Exp(-second/c.slow))
	out := pace{x: c.x * gone, y: c.y * gone, zoom: c.zoom * gone, turn: c.turn * gone}
	limit := func(v, most float64) float64 { return most * math.Tanh(v/most) }
	out.x, out.y, out.zoom, out.turn = limit(out.x, 0.3), limit(out.y, 0.3), limit(out.zoom, 0.4), limit(out.turn, 0.2)
	out.figureX, out.figureY = limit(c.figureX*gone, 0.06), limit(c.figureY*gone, 0.03)
	// The move of the description sets in softly. Its pan moves the view, so the content goes the other way.
	e := smooth(second / math.Max(1, c.length))
	k := c.d.speed
	out.x -= c.d.pan * k * e
	out.y -= c.d.tilt * k * e * 0.6
	out.zoom += math.Log(c.d.zoom) * k * e
	out.turn -= c.d.turn * k * e
	return out
}

// pace measures how a film moves at its end, or at its beginning when the part before it is made; the speeds are those of
// time running away from the joint. joint is the frame at the joint.
func (s *studio) pace(ctx context.Context, c clip, backward bool) (p pace, joint *image.NRGBA, err error) {
	span := math.Min(1, c.info.Seconds)
	opt := video.ReadOptions{From: math.Max(0, c.info.Seconds-span), Rate: video.Rate{Num: 12, Den: 1}}
	opt.Width, opt.Height = imaging.FitSize(c.info.Width, c.info.Height, flowSide, flowSide)
	if backward {
		opt.From, opt.For = 0, span
	}
	var list []*flow.Gray
	err = s.job.Tool.EachFrame(ctx, c.path, c.info, opt, func(_ int, img *image.NRGBA) error {
		list = append(list, flow.GrayOf(img, flowSide))
		return nil
	})
	if err != nil {
		return p, nil, err
	}
	if backward {
		joint, err = s.job.Tool.Frame(ctx, c.path, c.info, 0)
		list = list[:min(len(list), 6)]
		for i, j := 0, len(list)-1; i < j; i, j = i+1, j-1 {
			list[i], list[j] = list[j], list[i]
		}
	} else {
		joint, err = s.job.Tool.LastFrame(ctx, c.path, c.info)
		list = list[max(0, len(list)-6):]
	}
	if err != nil {
		return p, nil, err
	}
	n := 0.0
	var rest *flow.Field
	for i := 1; i < len(list); i++ {
		f := flow.Between(list[i-1], list[i], nil)
		g, ok := f.Global(nil)
		if !ok {
			continue
		}
		n++
		p.x, p.y, p.zoom, p.turn = p.x+g.X, p.y+g.Y, p.zoom+math.Log(g.Zoom), p.turn+g.Turn
		rest = f
	}
	if n > 0 {
		k := 12 / n
		p.x, p.y, p.zoom, p.turn, p.measured = k*p.x, k*p.y, k*p.zoom, k*p.turn, true
		p.figureX, p.figureY = subjectPace(rest, p)
	}
	return p, joint, nil
}

// subjectPace is how fast the middle of the picture moves beside the picture as a whole, per second.
func subjectPace(f *flow.Field, p pace) (x, y float64) {
	var n, u, v float64
	for j := f.H / 4; j < f.H*3/4; j++ {
		for i := f.W / 4; i < f.W*3/4; i++ {
			du, dv := float64(f.U[j*f.W+i])/float64(f.W)*12-p.x, float64(f.V[j*f.W+i])/float64(f.W)*12-p.y
			if math.Hypot(du, dv) < 0.04 {
				continue // stands with the background
			}
			n, u, v = n+1, u+du, v+dv
		}
	}
	if n < float64(f.W*f.H)/60 {
		return 0, 0
	}
	return u / n, v / n
}

// extendedSound goes on with the sound the film has at the joint.
func (s *studio) extendedSound(ctx context.Context, c clip, backward bool, seconds float64) ([]video.Sound, error) {
	if s.req.text("generateAudio") == "false" {
		return nil, nil
	}
	if len(s.job.Audios["audios"]) > 0 || !c.info.HasSound() {
		return s.soundtrack(ctx, seconds)
	}
	piece := math.Min(2.5, c.info.Seconds)
	out := video.Sound{Path: c.path, Info: c.info, From: c.info.Seconds - piece, For: piece, Loop: true}
	if backward {
		out.From = 0
	}
	return []video.Sound{out}, nil
}
