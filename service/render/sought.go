package render

import (
	"context"
	"fmt"
	"image"

	"atelier/imaging/analysis"
	"atelier/imaging/mask"
	"atelier/imaging/segment"
)

// sight is what an agent has to find in a photo to do its work there.
type sight string

const (
	aFace      sight = "face"
	hairOfIt   sight = "hair" // and the face below it
	somebody   sight = "person"
	aRoom      sight = "room"
	indoors    sight = "room in the open air" // what a photo of a landscape lacks
	aBelly     sight = "belly"
	skinOfBody sight = "skin"
	clothes    sight = "clothes"
	glasses    sight = "glasses"
)

// seeks is what an agent looks for, and in how many of its pictures: the first one, or all with every.
type seeks struct {
	what  sight
	every bool
}

// sought is the one table of what agents cannot do without. A photo without it ends the run with a sentence, before any of its
// pictures is made: what is not there can neither be changed nor passed off as changed. Agents that are not named here take
// every picture; those that may do without a photo look only where there is one. What needs a closer look is said where it is
// taken: lettering, bare skin, and what films show.
var sought = map[string]seeks{
	"ai-aging":              {what: aFace},
	"ai-blemish-remover":    {what: aFace},
	"ai-elf":                {what: aFace},
	"ai-hairstyle-changer":  {what: aFace},
	"ai-headshot-generator": {what: aFace},
	"ai-selfie":             {what: aFace},
	"ai-zombie":             {what: aFace},
	"bald-filter":           {what: aFace},
	"bangs-filter":          {what: aFace},
	"buzz-cut-ai":           {what: aFace},
	"chibi-maker":           {what: aFace},
	"gender-swap":           {what: aFace},
	"mugshot-creator":       {what: aFace},
	"photo-wrinkle-remover": {what: aFace},
	"skin-color-changer":    {what: aFace},

	"glasses-remover-from-photo": {what: aFace},

	"ai-hair-color-changer": {what: hairOfIt},
	"hair-color-try-on":     {what: hairOfIt},

	"ai-clothes-changer": {what: somebody},
	"ai-photoshoot":      {what: somebody},
	"fat-ai":             {what: somebody},
	"outfit-generator":   {what: somebody},
	"pregnant_ai":        {what: somebody},

	"ai-face-merge":            {what: aFace, every: true},
	"baby-face-generator":      {what: aFace, every: true},
	"face-forge":               {what: aFace, every: true},
	"ai-couple-photo-maker":    {what: somebody, every: true},
	"ai-group-photo-generator": {what: somebody, every: true},

	"ai-room-planner": {what: aRoom},

	"ai-ghost-mannequin-generator": {what: clothes},
}

// unseen says what was not found in picture n of many, counted from 1; n is 0 when there is but one.
func unseen(what sight, n int) error {
	where := "the photo"
	if n > 0 {
		where = "picture " + itoa(n)
	}
	switch what {
	case aFace:
		return &UnseenError{"No face was found in " + where + ". Choose one where the face can be seen from the front."}
	case hairOfIt:
		return &UnseenError{"No hair was found in " + where + ". Choose one where the hair can be seen."}
	case clothes:
		return &UnseenError{"No clothes were found in " + where + ". Choose one that shows more of the person."}
	case glasses:
		return &UnseenError{"No glasses with clear lenses were found in " + where +
			". Choose one with frames darker than the skin and with lenses that show the eyes."}
	case skinOfBody:
		return &UnseenError{"No bare skin was found in " + where + ". Choose one that shows some, or describe the design without a photo."}
	case aBelly:
		return &UnseenError{"The belly does not show in " + where + ". Choose one that shows the person down to the hips."}
	case indoors:
		return &UnseenError{"No room was found in " + where + ": it shows the open air. Choose a photo of the room."}
	case aRoom:
		return &UnseenError{"No room was found in " + where + ": somebody stands before it. Choose a photo of the room."}
	}
	return &UnseenError{"Nobody was found in " + where + ". Choose one that shows the person clearly."}
}

// missing fails with what the agent looks for and none of its pictures, or not all of them, shows.
func (r Request) missing(ctx context.Context) error {
	look := sought[r.Agent]
	list := r.Pictures()
	if look.what == "" || len(list) == 0 {
		return nil
	}
	if !look.every {
		list = list[:1]
	}
	for i, img := range list {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := 0
		if len(r.Pictures()) > 1 {
			n = i + 1
		}
		if err := seenIn(ctx, img, look.what, n); err != nil {
			return err
		}
	}
	return nil
}

// seenIn looks for something in picture n. Hair is looked for where the head has been found (see withHair). Clothes may be
// worn by nobody: then something has to stand out.
func seenIn(ctx context.Context, img *image.NRGBA, what sight, n int) error {
	find := analysis.Faces
	if what == somebody || what == clothes {
		find = analysis.Heads
	}
	found, err := find(img)
	if err != nil {
		return fmt.Errorf("look for what the agent works on: %w", err)
	}
	if what == aRoom {
		if openAir(img) {
			return unseen(indoors, n)
		}
		if len(found) == 0 {
			return nil
		}
		filled, err := fills(ctx, img)
		if err == nil && (filled || 6*found[0].Dy() > img.Rect.Dy()) {
			err = unseen(aRoom, n)
		}
		return err
	}
	if len(found) > 0 {
		return nil
	}
	if what == clothes {
		things, err := analysis.Subject(ctx, small(img, 640), segment.Options{Hard: true})
		if err != nil || things.Confidence >= leastSure && !things.Mask.Empty() {
			return err
		}
	}
	return unseen(what, n)
}

// fills tells whether somebody takes up so much of a picture that it shows them and no room. Things do not count: rooms are full of them.
func fills(ctx context.Context, img *image.NRGBA) (bool, error) {
	const much = 0.1
	found, err := analysis.Subject(ctx, small(img, 640), segment.Options{Hard: true})
	if err != nil {
		return false, err
	}
	return covered(found.Mask) > much && found.Confidence >= sure, nil
}

// head is the head that the picture shows; without a face there is none, and nothing to be done.
func (b *brush) head() (head, error) {
	h := headIn(b.img, b.seg)
	if !h.ok {
		return h, unseen(aFace, 0)
	}
	return h, nil
}

// sitter is the person of the picture, cut out, and their face.
func (b *brush) sitter(ctx context.Context) (segment.Result, image.Rectangle, error) {
	found, err := figureIn(ctx, b)
	if err != nil {
		return found, image.Rectangle{}, err
	}
	if len(found.Faces) == 0 {
		return found, image.Rectangle{}, unseen(aFace, 0)
	}
	return found, found.Faces[0], nil
}

// headAt is about where the head of the picture's person is, who need not show their face.
func (b *brush) headAt() (image.Rectangle, error) {
	found, err := analysis.Heads(b.img)
	if err != nil {
		return image.Rectangle{}, fmt.Errorf("find the person: %w", err)
	}
	if len(found) == 0 {
		return image.Rectangle{}, unseen(somebody, 0)
	}
	return found[0], nil
}

// hasHair tells whether a head shows enough hair to be seen in another colour.
func (h head) hasHair(f features) bool {
	const least = 0.2 // of the square of the eyes' distance
	sum := 0.0
	for _, v := range h.hair.Pix {
		if v >= mask.Level {
			sum++
		}
	}
	s := f.span()
	return sum > least*s*s
}
