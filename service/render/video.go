package render

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"path/filepath"

	"atelier/catalog"
	"atelier/imaging"
	"atelier/imaging/compose"
	"atelier/imaging/probe"
	"atelier/imaging/video"
	"atelier/imaging/video/container"
)

// Shape is a kind of video agent, told by what it takes and never by its name: families E and G ship as shapes.
type Shape string

// The shapes of video agents (Run API, families E to G).
const (
	ShapeNone      Shape = ""          // not a video agent
	ShapeFrames    Shape = "frames"    // words, a first and perhaps a last picture
	ShapeReference Shape = "reference" // words and references; first and last frame and extension in fields of their own
	ShapeMotion    Shape = "motion"    // a figure that moves as a film shows
	ShapeClean     Shape = "clean"     // text, logos and subtitles removed
	ShapeEnhance   Shape = "enhance"   // larger and clearer
	ShapeFace      Shape = "face"      // a face replaced
	ShapeTransform Shape = "transform" // a person's photo transformed; a video or a picture by generatedType
)

// ShapeOf tells the shape of an agent by its row in the catalog.
func ShapeOf(a catalog.Agent) Shape {
	takes := map[string]bool{}
	for _, p := range a.Params {
		takes[p.Name] = true
	}
	most := map[string]int{}
	for _, f := range a.Files {
		most[f.Name] = max(1, f.Max)
	}
	switch {
	case takes["generatedType"]:
		return ShapeTransform
	case a.Makes != catalog.MakesVideo:
		return ShapeNone
	case takes["watermarkSelectType"]:
		return ShapeClean
	case takes["videoSize"]:
		return ShapeEnhance
	case most["videos"] == 1 && most["images"] == 1 && a.Family == "F":
		return ShapeFace
	case most["videos"] == 1 && most["images"] == 1 && !takes["duration"]:
		return ShapeMotion
	case most["videos"] > 0 || most["audios"] > 0 || most["firstFrame"] > 0 || most["images"] > 2:
		return ShapeReference
	}
	return ShapeFrames
}

// VideoJob is what making a video needs beside its Request.
type VideoJob struct {
	Tool  *video.Tool // nil fails with video.ErrMissing
	Shape Shape
	// Folder takes all files of this item. The caller makes it, takes over what VideoResult names, and removes it.
	Folder string
	// Sparse makes each n-th frame alone of a video that is drawn, at a rate as much lower; 0 = all. Tests spare time by it.
	Sparse int
	// Videos and Audios are the paths of files by field name, such as "videos", "extendVideo" and "audios".
	Videos, Audios map[string][]string
}

// VideoResult is a video that was made, as files in the job's folder.
type VideoResult struct {
	Path          string
	Format        container.Format // MP4 or MOV
	Width, Height int
	Seconds       float64
	Poster        string // a JPEG of one frame
	LastFrame     string // a PNG of the last frame, "" unless returnLastFrame asked for it
}

// RenderVideo makes the video of one item (req.Item of req.Count) in the job's folder. The same request gives the same
// video; items differ from one another. A cancelled ctx ends it promptly, with every program it started.
//
// An error wraps one of this package's own, or is a *video.Error or video.ErrMissing; each is a sentence for the result
// item.
func RenderVideo(ctx context.Context, req Request, job VideoJob) (VideoResult, error) {
	req.Progress = rising(req.Progress)
	req.progress(0)
	out, err := renderVideo(ctx, req, job)
	if err != nil {
		return VideoResult{}, fmt.Errorf("render %s: %w", req.Agent, err)
	}
	req.progress(1)
	return out, nil
}

func renderVideo(ctx context.Context, req Request, job VideoJob) (VideoResult, error) {
	if err := ctx.Err(); err != nil {
		return VideoResult{}, err
	}
	if job.Tool == nil {
		return VideoResult{}, video.ErrMissing
	}
	if err := req.tooLong(); err != nil {
		return VideoResult{}, err
	}
	s := &studio{req: req, job: job, v: req.vary()}
	switch job.Shape {
	case ShapeFrames, ShapeReference:
		return s.shoot(ctx)
	case ShapeMotion:
		return s.transferMotion(ctx)
	case ShapeClean:
		return s.cleanFilm(ctx)
	case ShapeEnhance:
		return s.enhanceFilm(ctx)
	case ShapeFace:
		return s.replaceFace(ctx)
	case ShapeTransform:
		return s.transformPhoto(ctx)
	}
	return VideoResult{}, fmt.Errorf("%w: %s makes no videos", ErrUnknownAgent, req.Agent)
}

// studio is where one video is made.
type studio struct {
	req Request
	job VideoJob
	v   variation
}

// clip is one video that was given, and what it holds.
type clip struct {
	path string
	info video.Info
}

// clips are the videos of a field.
func (s *studio) clips(ctx context.Context, field string) ([]clip, error) {
	var out []clip
	for _, path := range s.job.Videos[field] {
		info, err := s.job.Tool.Probe(ctx, path)
		if err != nil {
			return nil, inField(field, err)
		}
		if !info.HasVideo() {
			return nil, fmt.Errorf("%w: %s: the file holds sound alone", ErrInvalid, field)
		}
		out = append(out, clip{path, info})
	}
	return out, nil
}

// inField says which field a refused file came in.
func inField(field string, err error) error {
	if refused, ok := errors.AsType[*video.Error](err); ok {
		return &video.Error{Message: field + ": " + refused.Message, Err: refused}
	}
	return err
}

// source is the one video of agents that work on a video.
func (s *studio) source(ctx context.Context) (clip, error) {
	list, err := s.clips(ctx, "videos")
	if err != nil {
		return clip{}, err
	}
	if len(list) == 0 {
		return clip{}, fmt.Errorf("%w: a video", ErrMissingInput)
	}
	return list[0], nil
}

// film is how a video is made of drawn frames.
type film struct {
	size    image.Point
	rate    video.Rate
	frames  int // how many draw will be asked for
	opt     video.WriteOptions
	poster  int // number of the frame that becomes the poster: the first unless what is meant shows only later
	from    float64
	draw    func(n int, dst *image.NRGBA) error // io.EOF ends the film early
	keepEnd bool                                // whether the last frame is kept as a picture
}

// shootFilm writes the film and its pictures. Progress goes on from f.from to 1.
func (s *studio) shootFilm(ctx context.Context, f film) (out VideoResult, err error) {
	f.opt.Format = s.format()
	step := 1
	if f.rate == filmRate {
		step = max(1, s.job.Sparse)
	}
	f.rate.Den *= step
	f.opt.Width, f.opt.Height, f.opt.Rate, f.opt.Frames = f.size.X, f.size.Y, f.rate, (f.frames+step-1)/step
	path := filepath.Join(s.job.Folder, "video"+f.opt.Format.Extension())
	w, err := s.job.Tool.Write(ctx, path, f.opt)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, w.Abort()) }()
	frame := image.NewNRGBA(image.Rectangle{Max: f.size})
	var poster *image.NRGBA
	made := 0
	for n := 0; n < f.frames; n += step {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		err := f.draw(n, frame)
		if n > 0 && isEnd(err) {
			break
		}
		if err != nil {
			return out, err
		}
		if err := w.Write(frame); err != nil {
			return out, err
		}
		if made++; made == 1 || n >= f.poster && n-step < f.poster {
			poster = imaging.Clone(frame)
		}
		s.req.progress(f.from + (0.97-f.from)*float64(n+1)/float64(f.frames))
	}
	if err := w.Close(); err != nil {
		return out, err
	}
	out = VideoResult{Path: path, Format: f.opt.Format, Width: f.size.X, Height: f.size.Y, Seconds: float64(made) / f.rate.PerSecond()}
	if out.Poster, err = s.savePoster(poster); err != nil {
		return out, err
	}
	if f.keepEnd && s.req.flag("returnLastFrame") {
		out.LastFrame = filepath.Join(s.job.Folder, "last.png")
		err = savePicture(out.LastFrame, compose.Usable(frame), imaging.EncodeOptions{Format: probe.PNG, Speed: imaging.Fast})
	}
	return out, err
}

// format is the container asked for (Run API, "Family E": mp4 is the default).
func (s *studio) format() container.Format {
	if s.req.text("outputFormat") == "mov" {
		return container.MOV
	}
	return container.MP4
}

// posterSide is the longest side of a poster.
const posterSide = 1280

func (s *studio) savePoster(frame *image.NRGBA) (string, error) {
	if max(frame.Rect.Dx(), frame.Rect.Dy()) > posterSide {
		frame = imaging.Fit(frame, posterSide, posterSide)
	}
	path := filepath.Join(s.job.Folder, "poster.jpg")
	return path, savePicture(path, frame, imaging.EncodeOptions{Format: probe.JPEG, Quality: 88})
}

func savePicture(path string, img *image.NRGBA, opt imaging.EncodeOptions) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("save a picture of a video: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	b := bufio.NewWriter(f)
	if err := imaging.Encode(b, img, opt); err != nil {
		return fmt.Errorf("save a picture of a video: %w", err)
	}
	return b.Flush()
}
