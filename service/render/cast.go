package render

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"atelier/imaging/compose"
	"atelier/service/presets"
)

// personWish is what descriptions ask of a person, and what they do not want.
type personWish struct {
	wanted, unwanted map[string]bool // names of tags and words of presets.FashionModel
}

// personWish reads the descriptions of the request.
func (r Request) personWish() personWish {
	return personWish{personWords(words(r.text("textDescription"))), personWords(words(r.text("negTextDescription")))}
}

// personWords are the tags and words of fashion models that a description names. Lengths count only of hair.
func personWords(list []string) map[string]bool {
	out := map[string]bool{}
	for i, w := range list {
		switch w {
		case "woman", "women", "female", "girl", "lady", "she", "her":
			out["Women"] = true
			if w == "girl" {
				out["Twenties"] = true
			}
		case "man", "men", "male", "boy", "he", "his", "gentleman":
			out["Men"] = true
			if w == "boy" {
				out["Twenties"] = true
			}
		case "old", "older", "elderly", "senior", "mature", "grandmother", "grandfather":
			out["Fifties and up"] = true
		case "young", "younger", "student", "twenties":
			out["Twenties"] = true
		case "grey", "gray", "silver", "white":
			if hairFollows(list[i:]) {
				out["Fifties and up"] = true
			}
		case "long", "short", "straight":
			if hairFollows(list[i:]) {
				out[w] = true
			}
		case "curly", "coily", "afro", "curls", "bun", "updo", "pixie", "bob", "cropped", "beard", "bearded", "stubble":
			out[w] = true
		default:
			if isTrade(w, "woman") {
				out["Women"] = true
			} else if isTrade(w, "man") {
				out["Men"] = true
			}
		}
	}
	return out
}

// isTrade tells whether a word is somebody's trade, such as fisherman or businesswoman.
func isTrade(word, end string) bool {
	return len(word) > len(end)+3 && strings.HasSuffix(word, end) && !slices.Contains([]string{"ottoman", "snowman", "talisman"}, word)
}

// hairFollows tells whether one of the next words is hair.
func hairFollows(list []string) bool { return slices.Contains(list[:min(len(list), 4)], "hair") }

// suits is how well a model suits the wish: a step for each thing that is wanted, two back for each that is not.
func (p personWish) suits(m presets.FashionModel) (score int) {
	see := func(name string) {
		if p.wanted[name] {
			score++
		}
		if p.unwanted[name] {
			score -= 2
		}
	}
	for _, t := range m.Tags {
		see(t.Name)
	}
	for _, w := range m.Words {
		see(w)
	}
	return score
}

// portraitOf draws a model, with the hair colour that the description names.
func (r Request) portraitOf(ctx context.Context, m presets.FashionModel, w, h int) (*image.NRGBA, error) {
	img, err := m.Draw(ctx, w, h)
	if err != nil {
		return nil, fmt.Errorf("draw a face: %w", err)
	}
	colour, ok := hairColour(words(r.text("textDescription")))
	if !ok {
		return img, nil
	}
	sub := r
	sub.Original, sub.Files = img, nil
	seg, err := found(ctx, sub, img, maskHead)
	if err != nil {
		return nil, err
	}
	if d := headIn(img, seg); d.ok {
		tinted(img, d.hair, colour, 0.9, 0.5)
	}
	return img, nil
}

// cast chooses the models whose faces the items of a request show that names none: as the description says, else who
// resembles the person in the picture, best first. The seed decides between those who suit about as well.
// ASSUMED [A new face without a fashion model]: the documents do not say what a face swap without a fashion model makes. Here each item gets the face of another
// model of ours.
func (r Request) cast(img *image.NRGBA, seg Segmentation) []presets.FashionModel {
	wish := r.personWish()
	anybody := !wish.wanted["Women"] && !wish.wanted["Men"]
	if anybody && seg.longHaired(img) {
		wish.wanted["Women"], anybody = true, false
	}
	tone := skinTone(img, seg.Faces[0])
	random := rand.New(rand.NewPCG(uint64(r.Seed), 17))
	all := presets.FashionModels()
	score := map[int64]float64{}
	for _, m := range all {
		c := m.Skin()
		off := math.Abs(compose.Lab(c.R, c.G, c.B)[0] - tone[0])
		score[m.ID] = 8*float64(wish.suits(m)) - off/12 + 1.5*random.Float64()
	}
	slices.SortStableFunc(all, func(a, b presets.FashionModel) int { return cmp.Compare(score[b.ID], score[a.ID]) })
	if !anybody {
		return all
	}
	// Whoever it is, two of four suit: women and men take turns.
	var turns [2][]presets.FashionModel
	for _, m := range all {
		turn := 0
		if slices.ContainsFunc(m.Tags, func(t presets.Tag) bool { return t.Name == "Men" }) {
			turn = 1
		}
		turns[turn] = append(turns[turn], m)
	}
	all = all[:0]
	for i := range max(len(turns[0]), len(turns[1])) {
		for _, t := range turns {
			if i < len(t) {
				all = append(all, t[i])
			}
		}
	}
	return all
}

// longHaired tells whether the hair of the one in the picture hangs beside or below the chin; of a segmentation that keeps
// everything but the head.
func (s Segmentation) longHaired(img *image.NRGBA) bool {
	s.Matte = outside(s.Matte)
	h := headIn(img, s)
	return h.ok && hangsLong(h, featuresOf(img, h.face))
}

// castModels draws the models cast for the items.
func (r Request) castModels(ctx context.Context, src *image.NRGBA, seg Segmentation) ([]*Model, error) {
	cast := r.cast(src, seg)
	// No larger than the face they replace needs them.
	side := max(480, min(headSide, 5*seg.Faces[0].Dy()))
	var models []*Model
	for _, c := range cast[:min(len(cast), max(1, r.Count))] {
		img, err := r.portraitOf(ctx, c, side*4/5, side)
		if err != nil {
			return nil, err
		}
		m, err := modelOf(ctx, img, &c, r.engine())
		if err != nil {
			return nil, err
		}
		if m != nil {
			models = append(models, m)
		}
	}
	return models, nil
}
