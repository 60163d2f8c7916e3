package presets

import (
	"context"
	"image"
)

// Location is a place a subject can be put into. Task API, "Location".
type Location struct {
	ID         int64
	Name       string
	Categories []string
	Tags       []Tag
	Light      Light
	// Floor is where the ground begins, from 0 at the top of the picture to 1 at its bottom: what stands in the scene touches
	// the ground below this line.
	Floor float64
	// Wall says that a wall rises where the ground begins: long shadows climb it. Elsewhere the ground goes on to the horizon.
	Wall bool

	draw func(*canvas)
}

// Light says how a place is lit, so that a subject can be given a fitting shadow and tone.
type Light struct {
	// Angle is where in the picture the light comes from, in degrees counter-clockwise: 0 the right, 90 above, 180 the left.
	// Shadows fall the opposite way.
	Angle float64
	// Softness is 0 for the hard shadow of the sun and 1 for an overcast sky.
	Softness float64
	// Warmth is -1 for the blue of dusk, 0 for neutral and 1 for the orange of a low sun.
	Warmth float64
	// Level is how bright the place is on the whole: 1 for daylight, near 0 for night.
	Level float64
	// Behind says that the light stands behind what stands in the place: shadows come towards the viewer.
	Behind bool
}

// Tag is a word a caller may choose presets by. Task API, "Tag".
type Tag struct {
	ID   int64
	Name string
}

// Draw returns the place at w × h pixels, each from 1 to 2048. Equal sizes give equal pictures. It returns the context's error
// when cancelled.
func (l Location) Draw(ctx context.Context, w, h int) (*image.NRGBA, error) {
	return render(ctx, w, h, uint32(l.ID), l.draw)
}

// The tags of locations.
var (
	tagStudio   = Tag{ID: 11, Name: "Studio"}
	tagInterior = Tag{ID: 12, Name: "Interior"}
	tagOutdoor  = Tag{ID: 13, Name: "Outdoor"}
	tagCity     = Tag{ID: 14, Name: "City"}
	tagNature   = Tag{ID: 15, Name: "Nature"}
	tagSummer   = Tag{ID: 16, Name: "Summer"}
	tagWinter   = Tag{ID: 17, Name: "Winter"}
	tagEvening  = Tag{ID: 18, Name: "Evening"}
	tagMinimal  = Tag{ID: 19, Name: "Minimal"}
	tagWarm     = Tag{ID: 20, Name: "Warm"}
	tagCool     = Tag{ID: 21, Name: "Cool"}
	tagLuxury   = Tag{ID: 22, Name: "Luxury"}
)

// Locations lists the places the service offers, the most useful first. The caller owns the slice.
func Locations() []Location {
	return []Location{
		{
			ID: 1001, Name: "Warm white studio", Categories: []string{"Studio"}, Tags: []Tag{tagStudio, tagMinimal, tagWarm}, Floor: 0.72, Wall: true,
			Light: Light{Angle: 130, Softness: 0.8, Warmth: 0.15, Level: 0.95}, draw: sweep(0xf1ece5, 0xddd3c8),
		},
		{
			ID: 1002, Name: "Dove grey studio", Categories: []string{"Studio"}, Tags: []Tag{tagStudio, tagMinimal, tagCool}, Floor: 0.72, Wall: true,
			Light: Light{Angle: 130, Softness: 0.8, Warmth: 0, Level: 0.8}, draw: sweep(0xc9cbce, 0x9a9da2),
		},
		{
			ID: 1003, Name: "Terracotta studio", Categories: []string{"Studio"}, Tags: []Tag{tagStudio, tagMinimal, tagWarm}, Floor: 0.72, Wall: true,
			Light: Light{Angle: 130, Softness: 0.7, Warmth: 0.5, Level: 0.7}, draw: sweep(0xd08a66, 0xa6603f),
		},
		{
			ID: 1004, Name: "Sage studio", Categories: []string{"Studio"}, Tags: []Tag{tagStudio, tagMinimal, tagCool}, Floor: 0.72, Wall: true,
			Light: Light{Angle: 130, Softness: 0.7, Warmth: 0.05, Level: 0.75}, draw: sweep(0xb4bfa6, 0x86937a),
		},
		{
			ID: 1005, Name: "Loft with window light", Categories: []string{"Indoor"}, Tags: []Tag{tagInterior, tagCity, tagWarm}, Floor: 0.7, Wall: true,
			Light: Light{Angle: 160, Softness: 0.45, Warmth: 0.3, Level: 0.75}, draw: drawLoft,
		},
		{
			ID: 1006, Name: "Marble hall", Categories: []string{"Indoor"}, Tags: []Tag{tagInterior, tagLuxury, tagMinimal}, Floor: 0.68, Wall: true,
			Light: Light{Angle: 60, Softness: 0.7, Warmth: 0.05, Level: 0.9}, draw: drawMarbleHall,
		},
		{
			ID: 1007, Name: "Boutique", Categories: []string{"Indoor"}, Tags: []Tag{tagInterior, tagLuxury, tagWarm}, Floor: 0.7, Wall: true,
			Light: Light{Angle: 90, Softness: 0.7, Warmth: 0.4, Level: 0.65}, draw: drawBoutique,
		},
		{
			ID: 1008, Name: "Sunlit concrete wall", Categories: []string{"Outdoor", "City"}, Tags: []Tag{tagOutdoor, tagCity, tagSummer, tagMinimal}, Floor: 0.82, Wall: true,
			Light: Light{Angle: 125, Softness: 0.1, Warmth: 0.3, Level: 0.85}, draw: drawConcrete,
		},
		{
			ID: 1009, Name: "Terrace at dusk", Categories: []string{"Outdoor", "City"}, Tags: []Tag{tagOutdoor, tagEvening, tagWarm}, Floor: 0.66,
			Light: Light{Angle: 20, Softness: 0.6, Warmth: 0.6, Level: 0.5, Behind: true}, draw: drawTerrace,
		},
		{
			ID: 1010, Name: "City street at night", Categories: []string{"Outdoor", "City"}, Tags: []Tag{tagOutdoor, tagCity, tagEvening, tagCool}, Floor: 0.62,
			Light: Light{Angle: 45, Softness: 0.5, Warmth: 0.1, Level: 0.25, Behind: true}, draw: drawNightStreet,
		},
		{
			ID: 1011, Name: "Morning beach", Categories: []string{"Outdoor", "Nature"}, Tags: []Tag{tagOutdoor, tagNature, tagSummer}, Floor: 0.6,
			Light: Light{Angle: 60, Softness: 0.3, Warmth: 0.3, Level: 0.95}, draw: drawBeach,
		},
		{
			ID: 1012, Name: "Desert dunes", Categories: []string{"Outdoor", "Nature"}, Tags: []Tag{tagOutdoor, tagNature, tagSummer, tagWarm}, Floor: 0.62,
			Light: Light{Angle: 25, Softness: 0.15, Warmth: 0.7, Level: 0.8, Behind: true}, draw: drawDunes,
		},
		{
			ID: 1013, Name: "Forest path", Categories: []string{"Outdoor", "Nature"}, Tags: []Tag{tagOutdoor, tagNature, tagSummer}, Floor: 0.62,
			Light: Light{Angle: 80, Softness: 0.6, Warmth: 0.15, Level: 0.55, Behind: true}, draw: drawForest,
		},
		{
			ID: 1014, Name: "Flower field", Categories: []string{"Outdoor", "Nature"}, Tags: []Tag{tagOutdoor, tagNature, tagSummer, tagWarm}, Floor: 0.5,
			Light: Light{Angle: 30, Softness: 0.4, Warmth: 0.5, Level: 0.8, Behind: true}, draw: drawFlowers,
		},
		{
			ID: 1015, Name: "Fresh snow", Categories: []string{"Outdoor", "Nature"}, Tags: []Tag{tagOutdoor, tagNature, tagWinter, tagCool}, Floor: 0.58,
			Light: Light{Angle: 150, Softness: 0.4, Warmth: -0.3, Level: 0.95}, draw: drawSnow,
		},
		{
			ID: 1016, Name: "Mountain lake", Categories: []string{"Outdoor", "Nature"}, Tags: []Tag{tagOutdoor, tagNature, tagSummer, tagCool}, Floor: 0.68,
			Light: Light{Angle: 60, Softness: 0.35, Warmth: 0.05, Level: 0.85}, draw: drawLake,
		},
		{
			ID: 1017, Name: "City street by day", Categories: []string{"Outdoor", "City"}, Tags: []Tag{tagOutdoor, tagCity, tagSummer, tagWarm}, Floor: 0.58,
			Light: Light{Angle: 135, Softness: 0.25, Warmth: 0.2, Level: 0.9}, draw: drawStreet,
		},
	}
}
