package presets

import (
	"context"
	"image"
	"image/color"
)

// FashionModel is a person a garment can be shown on. Task API, "FashionModel".
type FashionModel struct {
	ID          int64
	Name        string
	Nationality string
	Style       string
	Price       string // one line about what using the model costs
	Tags        []Tag
	Words       []string // what else descriptions call them by: hair and beard

	look look
}

// Skin is the colour of the model's skin.
func (m FashionModel) Skin() color.NRGBA {
	return opaque(m.look.skin)
}

func opaque(v uint32) color.NRGBA {
	return color.NRGBA{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: 255}
}

// Hair is the colour of the model's hair.
func (m FashionModel) Hair() color.NRGBA { return opaque(m.look.hair) }

// Draw returns the portrait at w × h pixels, each from 1 to 2048. Equal sizes give equal pictures. It returns the context's
// error when cancelled.
func (m FashionModel) Draw(ctx context.Context, w, h int) (*image.NRGBA, error) {
	return render(ctx, w, h, uint32(m.ID), m.look.draw)
}

// FeaturesAt is where the eyes, by the viewer's sides, and the middle of the mouth lie in the portrait of any of the models,
// drawn at w × h: across and down, in pixels.
func FeaturesAt(w, h int) (left, right, mouth [2]float64) {
	at := func(x, y float64) [2]float64 { return [2]float64{float64(w)/2 + x*float64(h), y * float64(h)} }
	return at(-eyeX, eyeY), at(eyeX, eyeY), at(0, mouthY)
}

// The tags of fashion models.
var (
	tagWomen     = Tag{ID: 51, Name: "Women"}
	tagMen       = Tag{ID: 52, Name: "Men"}
	tagYoung     = Tag{ID: 53, Name: "Twenties"}
	tagGrown     = Tag{ID: 54, Name: "Thirties and forties"}
	tagSilver    = Tag{ID: 55, Name: "Fifties and up"}
	tagClassic   = Tag{ID: 56, Name: "Classic"}
	tagStreet    = Tag{ID: 57, Name: "Street"}
	tagEditorial = Tag{ID: 58, Name: "Editorial"}
)

const included = "Included"

// FashionModels lists the people the service offers, all of them drawn, none of them real. The caller owns the slice.
func FashionModels() []FashionModel {
	return []FashionModel{
		{
			ID: 2001, Name: "Maren", Nationality: "Danish", Style: "Classic", Price: included, Tags: []Tag{tagWomen, tagYoung, tagClassic},
			Words: []string{"long", "straight"},
			look: look{
				skin: 0xecc4a8, hair: 0xb98a52, iris: 0x5f7f97, lips: 0xc07469, cloth: 0xe4dccf, wall: 0xb9b4ac,
				cut: cutLong, top: garmentRoll, jaw: 0.15, broad: 0.93, open: 1.05, tilt: 0.04, crease: 0.9, nose: 0.92, full: 1.0, brow: 0.95, made: true,
			},
		},
		{
			ID: 2002, Name: "Amara", Nationality: "Nigerian", Style: "Editorial", Price: included, Tags: []Tag{tagWomen, tagYoung, tagEditorial},
			Words: []string{"curly", "coily", "afro"},
			look: look{
				skin: 0x80513a, hair: 0x1a1311, iris: 0x3a2115, lips: 0x7d3f3a, cloth: 0xc9a178, wall: 0xa98f7c,
				cut: cutCoily, top: garmentVee, jaw: 0.2, broad: 0.94, open: 1.08, tilt: 0.07, crease: 0.85, nose: 1.12, full: 1.3, brow: 1, made: true,
			},
		},
		{
			ID: 2003, Name: "Kenji", Nationality: "Japanese", Style: "Street", Price: included, Tags: []Tag{tagMen, tagYoung, tagStreet},
			Words: []string{"short"},
			look: look{
				skin: 0xe3b894, hair: 0x1a1614, iris: 0x38241a, lips: 0xb9776a, cloth: 0x2c3036, wall: 0xa3a8ab,
				cut: cutTextured, top: garmentTee, jaw: 0.65, broad: 1.04, open: 0.82, tilt: 0.08, crease: 0.3, nose: 1.0, full: 0.95, brow: 1.25,
			},
		},
		{
			ID: 2004, Name: "Inés", Nationality: "Spanish", Style: "Classic", Price: included, Tags: []Tag{tagWomen, tagGrown, tagClassic},
			Words: []string{"bun", "updo"},
			look: look{
				skin: 0xd6a47f, hair: 0x3b241a, iris: 0x5a3a22, lips: 0xb05a52, cloth: 0xe9e4dc, wall: 0xb59a84,
				cut: cutBun, top: garmentShirt, jaw: 0.25, broad: 0.95, open: 1.0, tilt: 0.05, crease: 0.9, nose: 0.97, full: 1.08, brow: 1.1, age: 0.35, made: true,
			},
		},
		{
			ID: 2005, Name: "Malik", Nationality: "Senegalese", Style: "Street", Price: included, Tags: []Tag{tagMen, tagGrown, tagStreet},
			Words: []string{"short", "cropped", "beard", "bearded"},
			look: look{
				skin: 0x67422f, hair: 0x120e0d, iris: 0x2c1a12, lips: 0x6a3c35, cloth: 0xd8d2c6, wall: 0x8f9790,
				cut: cutCrop, top: garmentTee, jaw: 0.9, broad: 1.1, open: 0.95, tilt: 0.03, crease: 0.8, nose: 1.2, full: 1.2, brow: 1.2, beard: 0.55, age: 0.25,
			},
		},
		{
			ID: 2006, Name: "Helene", Nationality: "French", Style: "Editorial", Price: included, Tags: []Tag{tagWomen, tagSilver, tagEditorial},
			Words: []string{"short", "pixie"},
			look: look{
				skin: 0xe8c3ad, hair: 0xb9b4ae, iris: 0x66808a, lips: 0xb4665f, cloth: 0x3a3d45, wall: 0xb3b5b8,
				cut: cutPixie, top: garmentBlazer, jaw: 0.3, broad: 0.95, open: 0.95, tilt: 0.02, crease: 1, nose: 0.98, full: 0.9, brow: 0.9, age: 0.75, made: true,
			},
		},
		{
			ID: 2007, Name: "Arjun", Nationality: "Indian", Style: "Classic", Price: included, Tags: []Tag{tagMen, tagYoung, tagClassic},
			Words: []string{"short", "stubble", "beard", "bearded"},
			look: look{
				skin: 0xac7650, hair: 0x191311, iris: 0x3b2416, lips: 0x96584a, cloth: 0x4a5a6b, wall: 0xb7a891,
				cut: cutSidePart, top: garmentShirt, jaw: 0.75, broad: 1.05, open: 1.0, tilt: 0.03, crease: 0.85, nose: 1.06, full: 1.02, brow: 1.4, beard: 0.34,
			},
		},
		{
			ID: 2008, Name: "Soo-ah", Nationality: "Korean", Style: "Street", Price: included, Tags: []Tag{tagWomen, tagYoung, tagStreet},
			Words: []string{"bob", "straight"},
			look: look{
				skin: 0xf0cfb6, hair: 0x211a18, iris: 0x3f291d, lips: 0xcb6f6c, cloth: 0x7f8b7a, wall: 0xc4b6b2,
				cut: cutBob, top: garmentTee, jaw: 0.1, broad: 0.91, open: 0.9, tilt: 0.09, crease: 0.4, nose: 0.94, full: 1.0, brow: 0.9, made: true,
			},
		},
		{
			ID: 2009, Name: "Rowan", Nationality: "Irish", Style: "Street", Price: included, Tags: []Tag{tagMen, tagYoung, tagStreet},
			Words: []string{"curly", "curls", "stubble"},
			look: look{
				skin: 0xefc8af, hair: 0x8a4526, iris: 0x6d8a6a, lips: 0xc18174, cloth: 0x5d6650, wall: 0xaeb3b0,
				cut: cutCurls, top: garmentRoll, jaw: 0.6, broad: 1.03, open: 1.0, tilt: 0.01, crease: 0.9, nose: 1.0, full: 0.92, brow: 1.15, beard: 0.22,
			},
		},
		{
			ID: 2010, Name: "Tomás", Nationality: "Brazilian", Style: "Classic", Price: included, Tags: []Tag{tagMen, tagSilver, tagClassic},
			Words: []string{"short", "beard", "bearded"},
			look: look{
				skin: 0xbf8b67, hair: 0x8c8883, iris: 0x4a3626, lips: 0xa0685a, cloth: 0x54483d, wall: 0x9da3a8,
				cut: cutSwept, top: garmentBlazer, jaw: 0.85, broad: 1.08, open: 0.92, tilt: 0.0, crease: 0.95, nose: 1.08, full: 0.9, brow: 1.3, beard: 0.7, age: 0.75,
			},
		},
	}
}
