package presets

import (
	"context"
	"fmt"
	"image"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"

	"atelier/imaging"
)

// maxSide is the longest side, in pixels, a preset is given at.
const maxSide = 2048

// The size of the portraits, in pixels.
const portraitWidth, portraitHeight = 512, 640

// extension ends the name of each picture.
const extension = ".webp"

// FileOf returns the WebP file of a preset by its name: its kind (location, fashionModel, background) and its id, as in
// location-1001.webp. A name that belongs to no preset gives fs.ErrNotExist.
func FileOf(name string) ([]byte, error) {
	slug, ok := strings.CutSuffix(name, extension)
	if !ok || !slices.Contains(slugs(), slug) {
		return nil, fs.ErrNotExist
	}
	return file(slug)
}

// slugs lists the names of the presets' pictures, without those of the samples.
func slugs() []string {
	m, names := read(), []string{}
	for _, l := range m.Locations {
		names = append(names, slugOf("location", l.ID))
	}
	for _, f := range m.FashionModels {
		names = append(names, slugOf("fashionModel", f.ID))
	}
	for _, b := range m.Backgrounds {
		names = append(names, slugOf("background", b.ID))
	}
	return names
}

func slugOf(kind string, id int64) string { return kind + "-" + strconv.FormatInt(id, 10) }

// FeaturesAt is where the eyes, by the viewer's sides, and the middle of the mouth lie in the portrait of any of the models,
// given at w × h: across and down, in pixels.
func FeaturesAt(w, h int) (left, right, mouth [2]float64) {
	face := read().Face
	part := window(portraitWidth, portraitHeight, faceAt(), w, h)
	k := float64(h) / float64(part.Dy())
	at := func(x, y float64) [2]float64 {
		return [2]float64{float64(w)/2 + x*portraitHeight*k, (y*portraitHeight - float64(part.Min.Y)) * k}
	}
	return at(-face.EyeX, face.EyeY), at(face.EyeX, face.EyeY), at(0, face.MouthY)
}

// faceAt is the share of a portrait's height at which the middle of the face lies.
func faceAt() float64 { return (read().Face.EyeY + read().Face.MouthY) / 2 }

// file is a picture as it is embedded.
func file(slug string) ([]byte, error) {
	data, err := pictures.ReadFile("pictures/" + slug + extension)
	if err != nil {
		return nil, fmt.Errorf("read the picture of a preset: %w", err)
	}
	return data, nil
}

func decode(ctx context.Context, slug string) (*image.NRGBA, error) {
	data, err := file(slug)
	if err != nil {
		return nil, err
	}
	img, _, err := imaging.Decode(ctx, data, imaging.DefaultLimits)
	if err != nil {
		return nil, fmt.Errorf("open the picture %s: %w", slug, err)
	}
	return img, nil
}

// fitted covers w × h with a picture. Rows are cut off so that what lies at the share level of its height stays there.
func fitted(ctx context.Context, kind string, id int64, level float64, w, h int) (*image.NRGBA, error) {
	if w < 1 || h < 1 || w > maxSide || h > maxSide {
		return nil, fmt.Errorf("draw a preset of %d × %d pixels: sides must be from 1 to %d", w, h, maxSide)
	}
	img, err := decode(ctx, slugOf(kind, id))
	if err != nil {
		return nil, err
	}
	out := imaging.Resize(imaging.Crop(img, window(img.Rect.Dx(), img.Rect.Dy(), level, w, h)), w, h)
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("draw a preset: %w", err)
	}
	return out, nil
}

// window is the largest part of sw × sh in the shape of w × h: around the middle of its width, and with level at the same share
// of its height.
func window(sw, sh int, level float64, w, h int) image.Rectangle {
	cw, ch := sw, sh
	if sw*h > w*sh {
		cw = max(int(math.Round(float64(sh)*float64(w)/float64(h))), 1)
	} else {
		ch = max(int(math.Round(float64(sw)*float64(h)/float64(w))), 1)
	}
	x, y := (sw-cw)/2, int(math.Round(level*float64(sh-ch)))
	return image.Rect(x, y, x+cw, y+ch)
}
