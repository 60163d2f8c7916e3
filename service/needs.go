package service

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"image"
	"maps"
	"math"
	"slices"

	"atelier/catalog"
	"atelier/imaging"
	"atelier/imaging/analysis"
	"atelier/imaging/probe"
	"atelier/imaging/video"
	"atelier/service/gen"
	"atelier/service/render"
)

// maxPixels is how many pixels the pictures of one execution have together while they are worked on. Larger ones are scaled down as they
// are read.
// ASSUMED [Further bound on uploads]: the documents bound neither the sides of a source nor the pixels of several.
const maxPixels = analysis.WorkingPixels

// What a pixel takes in bytes: of a render, at the most that BenchmarkLargePictures has seen, and while a file is decoded, turned
// and scaled.
const (
	perPixel   = 48
	perDecoded = 16
)

// presetPixels is what is kept of a photograph of a custom preset: enough behind a subject or for a head.
const presetPixels = 2048 * 2048

// need is what the work on an execution takes.
type need struct {
	memory int64 // bytes at the most
	most   int64 // pixels of one picture
}

// needOf finds out what an execution takes from the headers of its files, fetching those that are not ours.
func (s *Service) needOf(ctx context.Context, e gen.Execution) (n need, err error) {
	if n, ok := s.bench.known(e.ID); ok {
		return n, nil
	}
	o, err := s.orderOf(ctx, e)
	if err != nil {
		return n, err
	}
	if film(e.Makes) && s.cfg.Video == nil {
		return n, video.ErrMissing
	}
	if _, _, err := s.gatherMedia(ctx, e, &o); err != nil {
		return n, err
	}
	var sizes []int64
	for _, f := range o.agent.Files {
		if f.Media != catalog.Image {
			continue
		}
		for _, u := range o.in.Files[f.Name] {
			pixels, err := s.pixelsOf(ctx, e, f.Name, u)
			if err != nil {
				return n, err
			}
			sizes = append(sizes, pixels)
		}
	}
	o.in = o.effective()
	preset, err := s.largestPreset(ctx, e, o.in.Values)
	if err != nil {
		return n, err
	}
	if n = needed(sizes, preset, o.in.Values); film(e.Makes) {
		n = neededForFilm(n, sizes, o)
	}
	s.bench.note(e.ID, n)
	return n, nil
}

// pixelsOf is the size of a picture: of one of ours as its row says, else as its header does.
func (s *Service) pixelsOf(ctx context.Context, e gen.Execution, field, rawURL string) (int64, error) {
	id, own := s.ownFile(rawURL, e.BaseUrl)
	if _, preview := previewName(id); own && !preview {
		f, err := s.read().FindFile(ctx, id)
		if err == nil && f.Width > 0 {
			return f.Width * f.Height, nil
		}
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return 0, fmt.Errorf("find %s: %w", field, err)
		}
	}
	data, err := s.fetch(ctx, e, field, rawURL)
	if err != nil {
		return 0, err
	}
	facts, err := probe.Read(data, int64(len(data)))
	if err != nil {
		return 0, badPicture(field, err)
	}
	return facts.Pixels(), nil
}

// largestPreset is the size of the largest photograph of a custom preset that an execution names, 0 for none.
func (s *Service) largestPreset(ctx context.Context, e gen.Execution, v catalog.Values) (pixels int64, err error) {
	for _, p := range presetParams {
		id := presetID(v, p.param)
		if _, drawn := findDrawing(p.param, id); drawn || id == 0 {
			continue
		}
		row, err := s.findMyPreset(ctx, e.AccountID, p.custom, id)
		if err != nil {
			continue // addPresets says it better
		}
		f, err := s.read().FindFile(ctx, row.ImageFile)
		if err != nil {
			return 0, fmt.Errorf("find the picture of %s: %w", p.param, err)
		}
		pixels = max(pixels, f.Width*f.Height)
	}
	return pixels, nil
}

// needed is what a picture takes that is made of others of these sizes in pixels: the render, or before it the decoding of the
// largest of them beside the others.
func needed(sizes []int64, preset int64, v catalog.Values) need {
	n := need{most: sharedCap(sizes, maxPixels)}
	held, largest := heldAt(sizes, n.most)
	n.memory = max(pixelCost(held, v), max(largest, preset)*perDecoded+4*held)
	return n
}

// heldAt sums sizes up to most each, and finds the largest as it is.
func heldAt(sizes []int64, most int64) (held, largest int64) {
	for _, px := range sizes {
		held += min(px, most)
		largest = max(largest, px)
	}
	return held, largest
}

// pixelCost estimates the memory of one render in bytes, from the larger of its pictures and the canvas asked for.
func pixelCost(pixels int64, v catalog.Values) int64 {
	canvas := canvasOf(v)
	size, _ := v["imageSize"].(string)
	side := map[string]int64{"2K": 2048, "3K": 3072, "4K": 4096}[size] // the long side
	if catalog.Stronger(v) {
		pixels = max(pixels, 3*min(pixels, render.StrongerPixels)) // finer edges take three times the memory
	}
	return max(pixels, int64(canvas.X)*int64(canvas.Y), side*side, 1024*1024) * perPixel
}

// neededForFilm is needed for a video: its largest frame, or decoding, beside the pictures it is made from.
func neededForFilm(n need, sizes []int64, o accepted) need {
	held, largest := heldAt(sizes, n.most)
	n.memory = max(framePixels(o.agent, o.in)*perPixel, largest*perDecoded) + 4*held
	return n
}

// framePixels bounds the pixels of a frame: by the resolution asked for, by the videos given and by how far they are enlarged.
func framePixels(a catalog.Agent, in catalog.Input) int64 {
	short := map[string]int64{"480p": 480, "1080p": 1080, "4k": 2160}
	resolution, _ := in.Values["resolution"].(string)
	line := int64(720)
	if n, ok := short[resolution]; ok {
		line = n
	}
	most := line * line * 16 / 9
	_, enlarges := a.Param("videoSize")
	wanted, _ := in.Values["videoSize"].(string)
	side := 2560.0 // ASSUMED [resolution, videoSize]
	if wanted == "4K" {
		side = 3840
	}
	for _, list := range in.Media {
		for _, f := range list {
			pixels := float64(f.Width) * float64(f.Height)
			if long := float64(max(f.Width, f.Height)); enlarges && long > 0 {
				times := math.Max(1, math.Min(4, side/long))
				pixels *= times * times
			}
			most = max(most, int64(pixels))
		}
	}
	return most
}

// sharedCap is the size that no picture may have more than for all of them together to have at most total: what small ones leave
// over is for the large.
func sharedCap(sizes []int64, total int64) int64 {
	sorted := slices.Sorted(slices.Values(sizes))
	for i, px := range sorted {
		share := total / int64(len(sorted)-i)
		if px > share {
			return share
		}
		total -= px
	}
	return maxPixels
}

// canvasOf is the canvas an order asks for, zero when it names none.
func canvasOf(v catalog.Values) image.Point {
	w, _ := v["targetWidth"].(float64)
	h, _ := v["targetHeight"].(float64)
	if w < 1 || h < 1 {
		return image.Point{}
	}
	return image.Pt(int(w), int(h))
}

// asWorkedOn is a source of at most so many pixels, and the values it is worked on with. On a canvas it is placed and never
// scaled (Task API, "expandimage v1.0"): there, what lies beyond the canvas is cut off.
func asWorkedOn(img *image.NRGBA, v catalog.Values, most int64) (*image.NRGBA, catalog.Values) {
	canvas := canvasOf(v)
	if canvas == (image.Point{}) || int64(img.Rect.Dx())*int64(img.Rect.Dy()) <= most {
		return imaging.FitPixels(img, most), v
	}
	at := placeOriginal(v, img.Rect.Size(), canvas)
	seen := img.Rect.Add(at).Intersect(image.Rectangle{Max: canvas})
	if seen.Empty() {
		return imaging.FitPixels(img, most), v
	}
	v = maps.Clone(v)
	v["fillLeft"], v["fillTop"] = float64(seen.Min.X), float64(seen.Min.Y)
	return imaging.Crop(img, seen.Sub(at)), v
}
