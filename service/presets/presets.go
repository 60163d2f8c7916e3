// Package presets holds what the image service offers of its own: locations, fashion models, backgrounds and dimensions, and a
// few sample pictures to begin with. The facts stand in manifest.json and the pictures in the folder pictures.
//
// The project drew the pictures with code of its own: they show no real person or place and come under the project's licence.
package presets

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"io"
	"slices"
	"strconv"
	"sync"
)

// Location is a place a subject can be put into. Task API, "Location".
type Location struct {
	ID         int64    `json:"id"`
	Name       string   `json:"name"`
	Categories []string `json:"categories"`
	Tags       []Tag    `json:"tags"`
	Light      Light    `json:"light"`
	// Floor is where the ground begins, from 0 at the top of the picture to 1 at its bottom: what stands in the scene touches
	// the ground below this line.
	Floor float64 `json:"floor"`
	// Wall says that a wall rises where the ground begins: long shadows climb it. Elsewhere the ground goes on to the horizon.
	Wall bool `json:"wall,omitempty"`
}

// Light says how a place is lit, so that a subject can be given a fitting shadow and tone.
type Light struct {
	// Angle is where in the picture the light comes from, in degrees counter-clockwise: 0 the right, 90 above, 180 the left.
	// Shadows fall the opposite way.
	Angle float64 `json:"angle"`
	// Softness is 0 for the hard shadow of the sun and 1 for an overcast sky.
	Softness float64 `json:"softness"`
	// Warmth is -1 for the blue of dusk, 0 for neutral and 1 for the orange of a low sun.
	Warmth float64 `json:"warmth"`
	// Level is how bright the place is on the whole: 1 for daylight, near 0 for night.
	Level float64 `json:"level"`
	// Behind says that the light stands behind what stands in the place: shadows come towards the viewer.
	Behind bool `json:"behind,omitempty"`
}

// FashionModel is a person a garment can be shown on. Task API, "FashionModel".
type FashionModel struct {
	ID          int64    `json:"id"`
	Name        string   `json:"name"`
	Nationality string   `json:"nationality"`
	Style       string   `json:"style"`
	Price       string   `json:"price"` // one line about what using the model costs
	Tags        []Tag    `json:"tags"`
	Words       []string `json:"words"` // what else descriptions call them by: hair and beard
	SkinColour  colour   `json:"skin"`
	HairColour  colour   `json:"hair"`
}

// Skin is the colour of the model's skin.
func (m FashionModel) Skin() color.NRGBA { return color.NRGBA(m.SkinColour) }

// Hair is the colour of the model's hair.
func (m FashionModel) Hair() color.NRGBA { return color.NRGBA(m.HairColour) }

// Background is a surface a cut-out subject can be laid on. Task API, "Background".
type Background struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	// Clear says that nothing is laid behind the cut-out: its picture, a chequerboard, stands for transparency.
	Clear bool `json:"clear,omitempty"`
}

// Dimension is a size pictures are often wanted in. Task API, "Dimension".
type Dimension struct {
	Name   string `json:"name"`
	Width  int    `json:"width"` // pixels, each at most 4096
	Height int    `json:"height"`
}

// Sample is a picture to begin with, for someone who has none at hand.
type Sample struct {
	Slug   string `json:"slug"` // for addresses and file names
	Name   string `json:"name"`
	Width  int    `json:"width"` // pixels; fit to upload: each above 512, the longer below twice the shorter
	Height int    `json:"height"`
}

// Tag is a word a caller may choose presets by. Task API, "Tag".
type Tag struct {
	ID   int64
	Name string
}

// colour is written as "#rrggbb" in the manifest.
type colour color.NRGBA

// UnmarshalText is part of encoding.TextUnmarshaler.
func (c *colour) UnmarshalText(text []byte) error {
	v, err := strconv.ParseUint(string(bytes.TrimPrefix(text, []byte("#"))), 16, 32)
	if err != nil || len(text) != len("#rrggbb") || text[0] != '#' {
		return fmt.Errorf("%q is no colour like #rrggbb", text)
	}
	*c = colour{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: 255}
	return nil
}

// manifest is the content of manifest.json.
type manifest struct {
	Tags []struct {
		ID   int64  `json:"id"`
		Name string `json:"name"`
	} `json:"tags"`
	Locations []Location `json:"locations"`
	// Face is where the faces lie in the portraits: eyes to either side of the middle, in shares of the portrait's height.
	Face struct {
		EyeX   float64 `json:"eyeX"`
		EyeY   float64 `json:"eyeY"`
		MouthY float64 `json:"mouthY"`
	} `json:"face"`
	FashionModels []FashionModel `json:"fashionModels"`
	Backgrounds   []Background   `json:"backgrounds"`
	Dimensions    []Dimension    `json:"dimensions"`
	Samples       []Sample       `json:"samples"`
}

var (
	//go:embed manifest.json
	manifestJSON []byte

	//go:embed pictures
	pictures embed.FS

	// read parses the manifest when it is first used. It is part of the program: a mistake in it is one of the program.
	read = sync.OnceValue(func() manifest {
		m, err := decodeManifest(manifestJSON)
		if err != nil {
			panic(err)
		}
		return m
	})
)

// UnmarshalText reads the name of a tag; decodeManifest adds its number.
func (t *Tag) UnmarshalText(text []byte) error {
	t.Name = string(text)
	return nil
}

// decodeManifest refuses fields it does not know, tags that are not listed and anything after the end.
func decodeManifest(data []byte) (m manifest, err error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&m); err != nil {
		return m, fmt.Errorf("read the manifest of presets: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return m, fmt.Errorf("read the manifest of presets: there is more after its end: %w", err)
	}
	ids := map[string]int64{}
	for _, t := range m.Tags {
		ids[t.Name] = t.ID
	}
	number := func(tags []Tag) {
		for i, t := range tags {
			if tags[i].ID = ids[t.Name]; tags[i].ID == 0 {
				err = fmt.Errorf("read the manifest of presets: there is no tag %q", t.Name)
			}
		}
	}
	for _, l := range m.Locations {
		number(l.Tags)
	}
	for _, f := range m.FashionModels {
		number(f.Tags)
	}
	return m, err
}

// Locations lists the places the service offers, the most useful first. The caller owns the slice.
func Locations() []Location { return slices.Clone(read().Locations) }

// FashionModels lists the people the service offers, none of them real. The caller owns the slice.
func FashionModels() []FashionModel { return slices.Clone(read().FashionModels) }

// Backgrounds lists the surfaces the service offers, the plainest first. The caller owns the slice.
func Backgrounds() []Background { return slices.Clone(read().Backgrounds) }

// Dimensions lists the sizes the service offers. The caller owns the slice.
func Dimensions() []Dimension { return slices.Clone(read().Dimensions) }

// Samples lists the pictures to begin with. The caller owns the slice.
func Samples() []Sample { return slices.Clone(read().Samples) }

// Draw returns the place at w × h pixels, each from 1 to 2048, its floor at the same share of the height in any shape. It
// returns the context's error when cancelled.
func (l Location) Draw(ctx context.Context, w, h int) (*image.NRGBA, error) {
	return fitted(ctx, "location", l.ID, l.Floor, w, h)
}

// Draw returns the portrait at w × h pixels, each from 1 to 2048. It returns the context's error when cancelled.
func (m FashionModel) Draw(ctx context.Context, w, h int) (*image.NRGBA, error) {
	return fitted(ctx, "fashionModel", m.ID, faceAt(), w, h)
}

// Draw returns the surface at w × h pixels, each from 1 to 2048. It returns the context's error when cancelled.
func (b Background) Draw(ctx context.Context, w, h int) (*image.NRGBA, error) {
	return fitted(ctx, "background", b.ID, 0.5, w, h)
}

// Draw returns the picture at its own size. It returns the context's error when cancelled.
func (s Sample) Draw(ctx context.Context) (*image.NRGBA, error) { return decode(ctx, s.Slug) }

// File returns the sample's picture as a WebP file.
func (s Sample) File() ([]byte, error) { return file(s.Slug) }
