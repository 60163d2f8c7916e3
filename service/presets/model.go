package presets

import (
	"context"
	"image"
)

// FashionModel is a person a garment can be shown on. Task API, "FashionModel".
type FashionModel struct {
	ID          int64
	Name        string
	Nationality string
	Style       string
	Price       string // one line about what using the model costs
	Tags        []Tag

	look look
}

// Draw returns the portrait at w × h pixels, each from 1 to 2048. Equal sizes give equal pictures. It returns the context's
// error when cancelled.
func (m FashionModel) Draw(ctx context.Context, w, h int) (*image.NRGBA, error) {
	return render(ctx, w, h, uint32(m.ID), m.look.draw)
}

// The tags of fashion models.
var (
	tagWomen    = Tag{ID: 51, Name: "Women"}
	tagMen      = Tag{ID: 52, Name: "Men"}
	tagYoung    = Tag{ID: 53, Name: "Twenties"}
	tagGrown    = Tag{ID: 54, Name: "Thirties and forties"}
	tagSilver   = Tag{ID: 55, Name: "Fifties and up"}
	tagClassic  = Tag{ID: 56, Name: "Classic"}
	tagStreet   = Tag{ID: 57, Name: "Street"}
	tagEditoral = Tag{ID: 58, Name: "Editorial"}
)

const included = "Included"

// FashionModels lists the people the service offers, all of them drawn, none of them real. The caller owns the slice.
func FashionModels() []FashionModel {
	return []FashionModel{
		{ID: 2001, Name: "Maren", Nationality: "Danish", Style: "Classic", Price: included, Tags: []Tag{tagWomen, tagYoung, tagClassic}, look: look{skin: 0xe8bd9f, hair: 0xc79a5e}},
		{ID: 2002, Name: "Amara", Nationality: "Nigerian", Style: "Editorial", Price: included, Tags: []Tag{tagWomen, tagYoung, tagEditoral}, look: look{skin: 0x6b4230, hair: 0x17110f}},
		{ID: 2003, Name: "Kenji", Nationality: "Japanese", Style: "Street", Price: included, Tags: []Tag{tagMen, tagYoung, tagStreet}, look: look{skin: 0xe0b48f, hair: 0x15120f}},
		{ID: 2004, Name: "Inés", Nationality: "Spanish", Style: "Classic", Price: included, Tags: []Tag{tagWomen, tagGrown, tagClassic}, look: look{skin: 0xd3a07b, hair: 0x3a2318}},
		{ID: 2005, Name: "Malik", Nationality: "Senegalese", Style: "Street", Price: included, Tags: []Tag{tagMen, tagGrown, tagStreet}, look: look{skin: 0x4d2f22, hair: 0x0f0c0b}},
		{ID: 2006, Name: "Helene", Nationality: "French", Style: "Editorial", Price: included, Tags: []Tag{tagWomen, tagSilver, tagEditoral}, look: look{skin: 0xe6c0a8, hair: 0xc9c5c0}},
		{ID: 2007, Name: "Arjun", Nationality: "Indian", Style: "Classic", Price: included, Tags: []Tag{tagMen, tagYoung, tagClassic}, look: look{skin: 0xa8714d, hair: 0x16100d}},
		{ID: 2008, Name: "Soo-ah", Nationality: "Korean", Style: "Street", Price: included, Tags: []Tag{tagWomen, tagYoung, tagStreet}, look: look{skin: 0xefcdb2, hair: 0x1c1513}},
		{ID: 2009, Name: "Rowan", Nationality: "Irish", Style: "Street", Price: included, Tags: []Tag{tagMen, tagYoung, tagStreet}, look: look{skin: 0xedc4a9, hair: 0x8f4423}},
		{ID: 2010, Name: "Tomás", Nationality: "Brazilian", Style: "Classic", Price: included, Tags: []Tag{tagMen, tagSilver, tagClassic}, look: look{skin: 0xb98562, hair: 0x8d8984}},
	}
}
