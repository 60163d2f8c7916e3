package render

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"atelier/imaging/video"
	"atelier/imaging/video/enhance"
	"atelier/imaging/video/overlay"
)

// filmSides are the longer sides of videoSize (Run API, "Family F").
// ASSUMED [resolution, videoSize]: the document names sizes "such as 2K or 4K" and not what they measure: here 2560 and 3840 pixels, what screens
// of those names have.
var filmSides = map[string]int{"1K": 1920, "2K": 2560, "4K": 3840}

// Bounds on an enlargement: by how much, and how many pixels in all, which is about half a minute of 4K.
const (
	mostEnlarged = 4.0
	mostFilmWork = 8e9
	surveyFrames = 24
)

// enlarged is the size a film of w × h gets: the longer side of videoSize, never smaller than it is. Without videoSize
// films below 2K come out at twice their size.
func enlarged(w, h int, videoSize string) image.Point {
	long := float64(max(w, h))
	side := math.Min(2*long, float64(filmSides["2K"]))
	if s, ok := filmSides[strings.ToUpper(videoSize)]; ok {
		side = float64(s)
	} else if n, err := strconv.Atoi(strings.TrimSuffix(strings.ToLower(videoSize), "p")); err == nil && n > 0 {
		side = float64(n) * long / float64(min(w, h)) // "1080p" counts the short side
	}
	k := math.Max(1, math.Min(mostEnlarged, math.Min(side, 3840)/long))
	if k == 1 {
		return image.Pt(video.Even(w), video.Even(h))
	}
	return image.Pt(nearestEven(k*float64(w)), nearestEven(k*float64(h)))
}

// enhanceFilm makes a film larger and clearer, with its own length, rate and sound (Run API, "Family F").
func (s *studio) enhanceFilm(ctx context.Context) (out VideoResult, err error) {
	c, err := s.source(ctx)
	if err != nil {
		return out, err
	}
	size := enlarged(c.info.Width, c.info.Height, s.req.text("videoSize"))
	frames := c.info.Frames()
	if work := float64(size.X*size.Y) * float64(frames); work > mostFilmWork {
		return out, &video.Error{Message: fmt.Sprintf("This video is too long to be enlarged to %d × %d here: at most %d seconds of it. A smaller size takes longer ones.",
			size.X, size.Y, int(mostFilmWork/float64(size.X*size.Y)/c.info.Rate.PerSecond()))}
	}
	// Frames are worked on with even sides, as H.264 has them.
	in := image.Pt(video.Even(c.info.Width), video.Even(c.info.Height))
	look, err := s.survey(ctx, c, in)
	if err != nil {
		return out, err
	}
	s.req.progress(0.08)
	r, err := s.job.Tool.Read(ctx, c.path, c.info, video.ReadOptions{Width: in.X, Height: in.Y, Planes: true})
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	out = VideoResult{Format: s.format(), Width: size.X, Height: size.Y}
	out.Path = filepath.Join(s.job.Folder, "video"+out.Format.Extension())
	w, err := s.job.Tool.Write(ctx, out.Path, video.WriteOptions{
		Format: out.Format, Width: size.X, Height: size.Y, Rate: c.info.Rate, Frames: frames, Planes: true, Keep: c.path, KeepInfo: c.info,
	})
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, w.Abort()) }()
	sharpen := 0.35
	if size == in {
		sharpen = 0.55
	}
	f := enhance.New(in.X, in.Y, enhance.Options{Width: size.X, Height: size.Y, Look: look, Sharpen: sharpen})
	src, dst := video.NewPlanes(in.X, in.Y), video.NewPlanes(size.X, size.Y)
	n := 0
	for ; ; n++ {
		err := r.NextPlanes(src)
		if errors.Is(err, io.EOF) && n > 0 {
			break
		}
		if err != nil {
			return out, err
		}
		f.Frame(dst, src)
		if err := w.WritePlanes(dst); err != nil {
			return out, err
		}
		s.req.progress(0.08 + 0.88*math.Min(1, float64(n+1)/float64(frames)))
	}
	if err := w.Close(); err != nil {
		return out, err
	}
	out.Seconds = float64(n) / c.info.Rate.PerSecond()
	return out, s.posterOf(ctx, &out)
}

// posterOf takes the poster out of a finished video.
func (s *studio) posterOf(ctx context.Context, out *VideoResult) error {
	info, err := s.job.Tool.Probe(ctx, out.Path)
	if err != nil {
		return err
	}
	frame, err := s.job.Tool.Frame(ctx, out.Path, info, info.Seconds/3)
	if err != nil {
		return err
	}
	out.Poster, err = s.savePoster(frame)
	return err
}

// sparse is a rate that gives about n frames of a film.
func sparse(c clip, n int) video.Rate {
	if c.info.Frames() <= n {
		return c.info.Rate
	}
	return video.Rate{Num: 100 * n, Den: max(1, int(math.Ceil(100*c.info.Seconds)))}
}

// survey looks through a film for what all of it needs.
func (s *studio) survey(ctx context.Context, c clip, size image.Point) (look enhance.Look, err error) {
	r, err := s.job.Tool.Read(ctx, c.path, c.info, video.ReadOptions{Rate: sparse(c, surveyFrames), Width: size.X, Height: size.Y, Planes: true})
	if err != nil {
		return look, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	var v enhance.Survey
	frame := video.NewPlanes(size.X, size.Y)
	for n := 0; ; n++ {
		err := r.NextPlanes(frame)
		if errors.Is(err, io.EOF) && n > 0 {
			return v.Look(), nil
		}
		if err != nil {
			return look, err
		}
		v.Add(frame)
	}
}

// cleanFilm takes text, logos, subtitles and watermarks out of a film, which keeps its length, rate and sound (Run API,
// "Family F", watermarkSelectType autoDetect). The agents of this row differ by name alone, so all look for all of it. A film
// in which nothing of that is found is an error, not the same film again.
func (s *studio) cleanFilm(ctx context.Context) (VideoResult, error) {
	c, err := s.source(ctx)
	if err != nil {
		return VideoResult{}, err
	}
	size := image.Pt(video.Even(c.info.Width), video.Even(c.info.Height))
	opt := video.ReadOptions{Rate: sparse(c, overlay.MaxFrames), Width: size.X, Height: size.Y}
	var look overlay.Survey
	if err := s.job.Tool.EachFrame(ctx, c.path, c.info, opt, func(_ int, img *image.NRGBA) error {
		look.Add(img)
		return ctx.Err()
	}); err != nil {
		return VideoResult{}, err
	}
	static, _ := look.Static(size.X, size.Y)
	s.req.progress(0.06)
	titles := overlay.NewTitles(look.Scenery())
	opt = video.ReadOptions{Rate: c.info.Rate, Width: size.X, Height: size.Y}
	if opt.Rate.PerSecond() > overlay.TitleRate {
		opt.Rate = video.Rate{Num: overlay.TitleRate, Den: 1}
	}
	if err := s.job.Tool.EachFrame(ctx, c.path, c.info, opt, func(n int, img *image.NRGBA) error {
		titles.Add(img, float64(n)/opt.Rate.PerSecond())
		return ctx.Err()
	}); err != nil {
		return VideoResult{}, err
	}
	if static.Empty() && !titles.Found() {
		return VideoResult{}, errNothingLaidOver
	}
	s.req.progress(0.15)
	remover := overlay.NewRemover(size.X, size.Y, overlay.Options{Static: static, Titles: titles, Seed: s.req.seed()})
	return s.filtered(ctx, c, size, 0.15, &overlayFilter{remover: remover, rate: c.info.Rate.PerSecond()})
}

// filter changes the frames of a film; it may hold some back.
type filter interface {
	// add takes in the next frame, which may be reused afterwards.
	add(img *image.NRGBA) error
	// next writes the next finished frame and reports whether there was one; ended says that none will be added.
	next(ctx context.Context, dst *image.NRGBA, ended bool) (bool, error)
}

type overlayFilter struct {
	remover *overlay.Remover
	rate    float64
	n       int
}

func (f *overlayFilter) add(img *image.NRGBA) error {
	f.remover.Add(img, float64(f.n)/f.rate)
	f.n++
	return nil
}

func (f *overlayFilter) next(ctx context.Context, dst *image.NRGBA, ended bool) (bool, error) {
	return f.remover.Next(ctx, dst, ended)
}

// filtered sends all frames of a film through a filter and keeps its rate, length and sound.
func (s *studio) filtered(ctx context.Context, c clip, size image.Point, from float64, f filter) (out VideoResult, err error) {
	r, err := s.job.Tool.Read(ctx, c.path, c.info, video.ReadOptions{Width: size.X, Height: size.Y})
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	frame := image.NewNRGBA(image.Rectangle{Max: size})
	ended := false
	read := 0
	return s.shootFilm(ctx, film{
		// One more than the header says: the film ends where its frames do.
		size: size, rate: c.info.Rate, frames: c.info.Frames() + 1, from: from,
		opt: video.WriteOptions{Keep: c.path, KeepInfo: c.info},
		draw: func(_ int, dst *image.NRGBA) error {
			for {
				done, err := f.next(ctx, dst, ended)
				if err != nil || done {
					return err
				}
				if ended {
					return io.EOF
				}
				err = r.Next(frame)
				switch {
				case errors.Is(err, io.EOF) && read > 0:
					ended = true
					continue
				case err != nil:
					return err
				}
				read++
				if err := f.add(frame); err != nil {
					return err
				}
			}
		},
	})
}
