package render

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"math"

	"atelier/imaging"
	"atelier/imaging/compose"
	"atelier/imaging/video"
)

// shot is one take of a video: it draws its nth frame. Frames are asked for in order.
type shot interface {
	draw(n int, dst *image.NRGBA) error
	close() error
}

// shoot makes the video of families with words, pictures and references (Run API, "Family E").
func (s *studio) shoot(ctx context.Context) (VideoResult, error) {
	extended, err := s.clips(ctx, "extendVideo")
	if err != nil {
		return VideoResult{}, err
	}
	references, err := s.clips(ctx, "videos")
	if err != nil {
		return VideoResult{}, err
	}
	if len(extended) > 0 {
		return s.extend(ctx, extended[0], references)
	}
	pictures := s.req.Files["images"]
	if len(pictures) == 0 && s.req.Original != nil && s.job.Shape == ShapeFrames {
		pictures = []*image.NRGBA{s.req.Original}
	}
	first, last := s.ends(pictures)
	if first != nil {
		return s.fromFrames(ctx, first, last)
	}
	return s.fromReferences(ctx, pictures, references)
}

// ends are the first and the last frame that were given: in fields of their own, or as the pictures of an agent that
// takes no more than those.
func (s *studio) ends(pictures []*image.NRGBA) (first, last *image.NRGBA) {
	if list := s.req.Files["firstFrame"]; len(list) > 0 {
		first = list[0]
		if list := s.req.Files["lastFrame"]; len(list) > 0 {
			last = list[0]
		}
		return first, last
	}
	if s.job.Shape != ShapeFrames || len(pictures) == 0 {
		return nil, nil
	}
	if len(pictures) > 1 {
		last = pictures[1]
	}
	return pictures[0], last
}

// fromFrames begins with a picture and, when there is a second, ends with it.
func (s *studio) fromFrames(ctx context.Context, first, last *image.NRGBA) (VideoResult, error) {
	size := s.req.frameSize(first.Rect.Size())
	seconds, _ := s.req.seconds()
	frames := filmRate.Frames(seconds)
	var one shot
	if last != nil {
		m, err := s.newMorph(ctx, first, last, size, frames)
		if err != nil {
			return VideoResult{}, err
		}
		one = m
	} else {
		d := s.direct(0)
		d.first = true
		take, err := s.newTake(ctx, first, size, frames, d, true)
		if err != nil {
			return VideoResult{}, err
		}
		one = take
	}
	s.req.progress(0.2)
	return s.roll(ctx, size, frames, []*scheduled{{shot: one, frames: frames}})
}

// fromReferences shows pictures and films one after the other; words alone are drawn.
func (s *studio) fromReferences(ctx context.Context, pictures []*image.NRGBA, films []clip) (VideoResult, error) {
	like := image.Pt(16, 9)
	switch {
	case len(pictures) > 0:
		like = pictures[0].Rect.Size()
	case len(films) > 0:
		like = image.Pt(films[0].info.Width, films[0].info.Height)
	}
	size := s.req.frameSize(like)
	seconds, _ := s.req.seconds()
	frames := filmRate.Frames(seconds)
	if len(pictures)+len(films) == 0 {
		words, err := s.newWords(ctx, size, frames)
		if err != nil {
			return VideoResult{}, err
		}
		return s.roll(ctx, size, frames, []*scheduled{{shot: words, frames: frames}})
	}
	plan := s.schedule(ctx, pictures, films, size, frames)
	return s.roll(ctx, size, frames, plan)
}

// scheduled is a shot with its place in the video. It is set up when it is first needed and let go when it is over.
type scheduled struct {
	shot   shot
	open   func() (shot, error)
	start  int // first frame, where the shot before is still seen for cross frames
	frames int
	cross  int
}

// shortestShot is the least a reference is shown, in seconds.
const shortestShot = 0.6

// schedule gives each reference its time: the same for all, but a film no more than it lasts. With more references than
// the video has room for, those that are left come together in one last shot.
func (s *studio) schedule(ctx context.Context, pictures []*image.NRGBA, films []clip, size image.Point, frames int) []*scheduled {
	room := max(1, int(float64(frames)/filmRate.PerSecond()/shortestShot))
	var rest []*image.NRGBA
	if n := len(pictures) + len(films); n > room && len(pictures) > 1 {
		keep := max(0, room-1-len(films))
		pictures, rest = pictures[:keep], pictures[keep:]
	}
	type reference struct {
		picture *image.NRGBA
		film    *clip
		length  int
	}
	var list []reference
	for _, p := range pictures {
		list = append(list, reference{picture: p})
	}
	for i := range films {
		at := min(len(list), 2*i+1) // between the pictures
		list = append(list[:at], append([]reference{{film: &films[i]}}, list[at:]...)...)
	}
	if len(rest) > 0 {
		list = append(list, reference{picture: s.together(rest, size)})
	}
	if s.req.Item > 0 && len(list) > 2 {
		// Another order for each item; what was named first stays first.
		s.v.random.Shuffle(len(list)-1, func(i, j int) { list[i+1], list[j+1] = list[j+1], list[i+1] })
	}
	cross := min(12, frames/(3*len(list)))
	// Every shot but the last also plays during the crossing to the next.
	left, open := frames+cross*(len(list)-1), len(list)
	for i := range list {
		if f := list[i].film; f != nil && open > 1 {
			if own := filmRate.Frames(f.info.Seconds); own < left/open {
				list[i].length = max(own, cross+2)
				left, open = left-list[i].length, open-1
			}
		}
	}
	var out []*scheduled
	start := 0
	for i, r := range list {
		n := r.length
		if n == 0 {
			n = left / max(1, open)
			left, open = left-n, open-1
		}
		p := &scheduled{start: start, frames: n}
		if i > 0 {
			p.cross = cross
		}
		deep := len(list) <= 4 || float64(n)/filmRate.PerSecond() > 1.5
		p.open = func() (shot, error) {
			if r.film != nil {
				return s.newClip(ctx, *r.film, size, n)
			}
			return s.newTake(ctx, r.picture, size, n, s.direct(i), deep)
		}
		out = append(out, p)
		start += n - cross
	}
	// Rounding goes to the last one, which ends with the video.
	out[len(out)-1].frames = frames - out[len(out)-1].start
	return out
}

// together is a sheet of many pictures.
func (s *studio) together(list []*image.NRGBA, size image.Point) *image.NRGBA {
	out := image.NewNRGBA(image.Rectangle{Max: size})
	flood(out, colourNames["charcoal"])
	rows := max(1, int(math.Round(math.Sqrt(float64(len(list))*float64(size.Y)/float64(size.X)))))
	gap := max(4, size.X/100)
	high := (size.Y - gap*(rows+1)) / rows
	for r := range rows {
		row := list[len(list)*r/rows : len(list)*(r+1)/rows]
		for i, img := range row {
			x0, x1 := gap+(size.X-gap)*i/len(row), (size.X-gap)*(i+1)/len(row)
			tile := compose.Cover(imaging.Flatten(img, 255, 255, 255), max(1, x1-x0), max(1, high), compose.Framing{X: 0.5, Y: 0.3, Zoom: 1})
			compose.Over(out, tile, image.Pt(x0, gap+r*(high+gap)))
		}
	}
	return out
}

// roll draws the scheduled shots, what is in the air and the title, and lays the sound under them.
func (s *studio) roll(ctx context.Context, size image.Point, frames int, plan []*scheduled) (out VideoResult, err error) {
	defer func() {
		for _, p := range plan {
			if p.shot != nil {
				err = errors.Join(err, p.shot.close())
			}
		}
	}()
	sounds, err := s.soundtrack(ctx, float64(frames)/filmRate.PerSecond())
	if err != nil {
		return out, err
	}
	d := readDirection(s.req.text("textDescription"), s.req.text("negTextDescription"))
	var title *caption
	if d.title != "" {
		if title, err = newCaption(d.title, size); err != nil {
			return out, err
		}
	}
	seed := uint32(s.req.seed())
	before := image.NewNRGBA(image.Rectangle{Max: size})
	return s.shootFilm(ctx, film{
		size: size, rate: filmRate, frames: frames, from: 0.2, keepEnd: true,
		opt: video.WriteOptions{Sounds: sounds, Fade: 0.4},
		draw: func(n int, dst *image.NRGBA) error {
			if err := s.drawShots(plan, n, dst, before); err != nil {
				return err
			}
			second, share := float64(n)/filmRate.PerSecond(), float64(n)/float64(max(1, frames-1))
			if s.exact(plan, n, frames) {
				return nil
			}
			addAir(dst, d.air, second+3, share, seed)
			if title != nil {
				title.draw(dst, second, float64(frames)/filmRate.PerSecond())
			}
			return nil
		},
	})
}

// exact says that a frame is one that was given, as it is: those a morph begins and ends with.
func (s *studio) exact(plan []*scheduled, n, frames int) bool {
	_, morph := plan[0].shot.(*morphing)
	return morph && (n == 0 || n == frames-1)
}

// drawShots draws the shot of a frame, and the one before it while they cross.
func (s *studio) drawShots(plan []*scheduled, n int, dst, before *image.NRGBA) error {
	for i, p := range plan {
		if n < p.start || n >= p.start+p.frames {
			if p.shot != nil && n >= p.start+p.frames {
				err := p.shot.close()
				p.shot = nil
				if err != nil {
					return err
				}
			}
			continue
		}
		if p.shot == nil {
			var err error
			if p.shot, err = p.open(); err != nil {
				return err
			}
		}
		if at := n - p.start; p.cross == 0 || at >= p.cross {
			if i+1 < len(plan) && n >= plan[i+1].start {
				// Still seen under the next one.
				if err := p.shot.draw(at, before); err != nil {
					return err
				}
				continue
			}
			if err := p.shot.draw(at, dst); err != nil {
				return err
			}
			continue
		}
		if err := p.shot.draw(n-p.start, dst); err != nil {
			return err
		}
		crossing(s.req.Item+i-1).blend(dst, before, (float64(n-p.start)+1)/float64(p.cross+1))
	}
	return nil
}

// crossing is a way from one shot to the next.
type crossing int

// blend makes dst, the new shot, the crossing's state at share, from before.
func (c crossing) blend(dst, before *image.NRGBA, share float64) {
	w, h := dst.Rect.Dx(), dst.Rect.Dy()
	e := smooth(share)
	switch c % 4 {
	case 1: // a soft edge wipes across
		eachPixel(dst, func(x, y int, p []uint8) {
			k := smooth((e*1.4 - 0.2 - float64(x)/float64(w)*0.85 - float64(y)/float64(h)*0.15 + 0.1) / 0.2)
			q := before.Pix[before.PixOffset(x, y):]
			for i := range 3 {
				p[i] = byte255(float64(q[i]) + k*(float64(p[i])-float64(q[i])))
			}
		})
	case 2: // the new one pushes the old one out
		next := imaging.Clone(dst)
		gone := int(e * float64(w))
		for y := range h {
			row := dst.Pix[y*dst.Stride : y*dst.Stride+4*w]
			copy(row[:4*(w-gone)], before.Pix[y*before.Stride+4*gone:y*before.Stride+4*w])
			copy(row[4*(w-gone):], next.Pix[y*next.Stride:y*next.Stride+4*gone])
		}
	case 3: // the old one comes nearer as it goes
		k := 1 / (1 + 0.25*e)
		l := layer{img: imaging.Clone(before)}
		near := image.NewNRGBA(dst.Rect)
		l.draw(near, lookup{a: k, c: float64(w) * (1 - k) / 2, e: k, f: float64(h) * (1 - k) / 2}, 1)
		mixFrame(dst, near, 1-e)
	default:
		mixFrame(dst, before, 1-e)
	}
}

// take is a shot of one picture.
type take struct {
	set       *set
	direction direction
	frames    int
	fx, fy    float64
}

func (s *studio) newTake(ctx context.Context, img *image.NRGBA, size image.Point, frames int, d direction, deep bool) (*take, error) {
	built, err := s.build(ctx, s.lit(img), size, deep)
	if err != nil {
		return nil, err
	}
	t := &take{set: built, direction: d, frames: frames}
	t.fx, t.fy = built.focus()
	return t, nil
}

// lit is img in the light the description asks for.
func (s *studio) lit(img *image.NRGBA) *image.NRGBA {
	text := s.req.text("textDescription")
	wanted := readWish(text, s.req.text("negTextDescription"))
	light, warmth, colour := 0.5*wanted.light, 0.6*wanted.warmth, 1.0
	for _, w := range words(text) {
		switch w {
		case "night", "midnight":
			light, warmth, colour = light-14, warmth-8, 0.8
		case "monochrome", "greyscale", "grayscale", "noir":
			colour = 0
		case "vintage", "retro", "nostalgic", "faded":
			warmth, colour = warmth+5, colour*0.7
		case "vivid", "vibrant", "colourful", "colorful":
			colour *= 1.25
		}
	}
	if light == 0 && warmth == 0 && colour == 1 {
		return img
	}
	out := imaging.Clone(img)
	compose.Grade(out, light, warmth, colour)
	return out
}

func (t *take) draw(n int, dst *image.NRGBA) error {
	second, length := float64(n)/filmRate.PerSecond(), float64(t.frames)/filmRate.PerSecond()
	t.set.draw(dst, t.direction.at(float64(n)/float64(max(1, t.frames-1)), second, length, t.fx, t.fy, t.set))
	return nil
}

func (t *take) close() error {
	t.set = nil
	return nil
}

// footage is a shot of a film that was given: at its own speed, or as much slower as it takes to last.
type footage struct {
	reader *video.Reader
	read   int // frames taken from the reader
	speed  float64
	frame  *image.NRGBA
	size   image.Point
}

func (s *studio) newClip(ctx context.Context, c clip, size image.Point, frames int) (*footage, error) {
	k := math.Max(float64(size.X)/float64(c.info.Width), float64(size.Y)/float64(c.info.Height))
	w, h := max(size.X, int(math.Ceil(k*float64(c.info.Width)))), max(size.Y, int(math.Ceil(k*float64(c.info.Height))))
	r, err := s.job.Tool.Read(ctx, c.path, c.info, video.ReadOptions{Rate: filmRate, Width: w, Height: h})
	if err != nil {
		return nil, err
	}
	f := &footage{reader: r, speed: 1, size: size, frame: image.NewNRGBA(image.Rect(0, 0, w, h))}
	if own := filmRate.Frames(c.info.Seconds); own < frames {
		f.speed = float64(own) / float64(frames)
	}
	return f, nil
}

func (f *footage) draw(n int, dst *image.NRGBA) error {
	for f.read <= int(float64(n)*f.speed) {
		err := f.reader.Next(f.frame)
		if errors.Is(err, io.EOF) && f.read > 0 {
			break // a frame short of what it said: the last one stays
		}
		if err != nil {
			return fmt.Errorf("read a reference film: %w", err)
		}
		f.read++
	}
	x, y := (f.frame.Rect.Dx()-f.size.X)/2, (f.frame.Rect.Dy()-f.size.Y)/2
	for row := range f.size.Y {
		copy(dst.Pix[row*dst.Stride:row*dst.Stride+4*f.size.X], f.frame.Pix[f.frame.PixOffset(x, y+row):])
	}
	return nil
}

func (f *footage) close() error { return f.reader.Close() }
