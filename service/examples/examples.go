// Package examples draws one picture for each agent that shows what the embedded service makes of it: from the samples and
// presets of our own, by the renderers a run would use, so that it promises nothing else. `make pictures` calls it; servers
// embed what it has drawn.
package examples

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"os"
	"path/filepath"

	"atelier/catalog"
	"atelier/imaging"
	"atelier/imaging/video"
	"atelier/service/render"
)

// Side is the width and height of an example in px.
const Side = 480

// ErrNone says that an agent has no example: it makes videos, and there is no ffmpeg.
var ErrNone = errors.New("there is no example of this agent here")

// Draw makes the example of an agent, Side × Side; of a video, a frame out of its middle. tool may be nil. folder takes
// files in between and is the caller's to remove.
func Draw(ctx context.Context, a catalog.Agent, tool *video.Tool, folder string) (*image.NRGBA, error) {
	return drawFrom(ctx, a, newShelf(longest, filmLength), tool, folder)
}

// drawFrom makes an example from pictures of a shelf.
func drawFrom(ctx context.Context, a catalog.Agent, shelf shelf, tool *video.Tool, folder string) (*image.NRGBA, error) {
	req, r, err := request(ctx, a, shelf)
	if err != nil {
		return nil, fmt.Errorf("gather what the example of %s is made from: %w", a.Name, err)
	}
	var img *image.NRGBA
	if a.MakesIn(a.Surfaces[0], catalog.Input{Values: req.Values}) == catalog.MakesVideo {
		img, err = filmed(ctx, a, req, r, shelf.length, tool, folder)
	} else {
		img, err = drawn(ctx, req)
	}
	if err != nil {
		return nil, fmt.Errorf("draw the example of %s: %w", a.Name, err)
	}
	switch {
	case r.whole:
		return whole(img), nil
	case r.figure:
		return withBefore(whole(img), r.before), nil
	}
	return withBefore(imaging.Flatten(framed(img), 255, 255, 255), r.before), nil
}

// Sizes of the pictures an example was made from, as they are shown in its corners, px.
const (
	oneBefore = Side * 3 / 10
	twoBefore = Side * 9 / 40
	beforeRim = 4
	beforeGap = 14
)

// withBefore sets what an example was made from into its lower corners, at most two pictures in white frames, the first on
// the left: what an agent does is then seen at a glance.
func withBefore(after *image.NRGBA, before []*image.NRGBA) *image.NRGBA {
	beforeSide := oneBefore
	if len(before) > 1 {
		beforeSide = twoBefore
	}
	for i, img := range before[:min(2, len(before))] {
		at := image.Pt(beforeGap+i*(Side-2*beforeGap-beforeSide), Side-beforeGap-beforeSide)
		frame := image.Rectangle{Min: at, Max: at.Add(image.Pt(beforeSide, beforeSide))}
		draw.Draw(after, frame.Inset(-beforeRim-1), image.NewUniform(color.NRGBA{0, 0, 0, 60}), image.Point{}, draw.Over)
		draw.Draw(after, frame.Inset(-beforeRim), image.White, image.Point{}, draw.Src)
		draw.Draw(after, frame, imaging.Flatten(imaging.Cover(topped(img), beforeSide, beforeSide), 255, 255, 255), image.Point{}, draw.Src)
	}
	return after
}

// whole is all of a picture on a square, on which its edges go on.
func whole(img *image.NRGBA) *image.NRGBA {
	small := imaging.Flatten(imaging.Fit(img, Side, Side), 255, 255, 255)
	at := image.Pt(Side, Side).Sub(small.Rect.Size()).Div(2)
	out := image.NewNRGBA(image.Rect(0, 0, Side, Side))
	for y := range Side {
		for x := range Side {
			sx, sy := min(max(0, x-at.X), small.Rect.Dx()-1), min(max(0, y-at.Y), small.Rect.Dy()-1)
			out.SetNRGBA(x, y, small.NRGBAAt(sx+small.Rect.Min.X, sy+small.Rect.Min.Y))
		}
	}
	return out
}

// framed is the square of an example.
func framed(img *image.NRGBA) *image.NRGBA { return imaging.Cover(topped(img), Side, Side) }

// topped is an upright picture cut square near its top, where faces are; others are left as they are.
func topped(img *image.NRGBA) *image.NRGBA {
	if w, h := img.Rect.Dx(), img.Rect.Dy(); h > w {
		at := (h - w) / 4
		if top, ok := img.SubImage(image.Rect(0, at, w, at+w).Add(img.Rect.Min)).(*image.NRGBA); ok {
			return top
		}
	}
	return img
}

func drawn(ctx context.Context, req render.Request) (*image.NRGBA, error) {
	seg, err := render.Segment(ctx, req)
	if err != nil {
		return nil, err
	}
	return render.Render(ctx, req, seg)
}

// filmed makes the video and gives a frame of it. length is that of the film, and of one it is made from: a frame needs no more.
func filmed(ctx context.Context, a catalog.Agent, req render.Request, r recipe, length string, tool *video.Tool, folder string) (*image.NRGBA, error) {
	if tool == nil {
		return nil, ErrNone
	}
	job := render.VideoJob{Tool: tool, Shape: render.ShapeOf(a), Folder: filepath.Join(folder, "made"), Videos: map[string][]string{}}
	source := filepath.Join(folder, "source")
	given := length
	if r.title != "" && given != filmLength {
		given = "1s" // what stands for less is not found
	}
	if err := errors.Join(os.Mkdir(job.Folder, 0o700), os.Mkdir(source, 0o700)); err != nil {
		return nil, err
	}
	for _, f := range a.Files {
		if f.Media != catalog.Video || f.Min == 0 {
			continue
		}
		film, err := render.RenderVideo(ctx, render.Request{
			Agent: "film", Values: map[string]any{"textDescription": "a slow pan" + r.title, "duration": given, "resolution": "480p"},
			Files: map[string][]*image.NRGBA{"images": {r.film}}, Seed: seed, Count: 1,
		}, render.VideoJob{Tool: tool, Shape: render.ShapeFrames, Folder: source})
		if err != nil {
			return nil, err
		}
		job.Videos[f.Name] = []string{film.Path}
		if a.Family == "F" {
			if r.before[0], err = middle(ctx, tool, film); err != nil {
				return nil, err
			}
		}
	}
	if req.Values["duration"] != nil {
		req.Values["duration"] = length
	}
	made, err := render.RenderVideo(ctx, req, job)
	if err != nil {
		return nil, err
	}
	return middle(ctx, tool, made)
}

// middle is a frame out of the middle of a video.
func middle(ctx context.Context, tool *video.Tool, made render.VideoResult) (*image.NRGBA, error) {
	info, err := tool.Probe(ctx, made.Path)
	if err != nil {
		return nil, err
	}
	return tool.Frame(ctx, made.Path, info, made.Seconds/2)
}
