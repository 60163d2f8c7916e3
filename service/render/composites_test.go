package render

import (
	"image"
	"image/color"
	"testing"
)

func TestThePersonWearsTheGarmentOfTheOtherPhoto(t *testing.T) {
	t.Parallel()
	person := portrait(t, "Kenji", 360, 600)
	garment, _ := shirt(200, 220)
	face, f, ok, err := faceOf(person)
	if err != nil || !ok {
		t.Fatalf("no face: %v", err)
	}
	wide, tall := float64(face.Dx()), float64(face.Dy())
	chest := around2(spot{f.mouth.x, float64(face.Max.Y) + 1.1*tall}, 0.35*wide, 0.35*tall).Intersect(person.Rect)
	area := chest.Dx() * chest.Dy()
	if ground, stripes := shirtIn(person, chest); ground+stripes > area/50 {
		t.Fatalf("the person wears %d pixels of such a shirt already", ground+stripes)
	}
	for item := range 3 {
		out := drawIt(t, Request{Agent: "ai-clothes-changer", Item: item, Count: 3, Seed: 2, Values: map[string]any{}, Files: map[string][]*image.NRGBA{"images": {person, garment}}})
		if out.Rect.Size() != person.Rect.Size() {
			t.Fatalf("item %d is %v", item, out.Rect)
		}
		if ground, stripes := shirtIn(out, chest); 2*ground < area || 12*stripes < area {
			t.Errorf("item %d: of %d pixels of the chest %d have the shirt's ground and %d its stripes", item, area, ground, stripes)
		}
		if ground, stripes := shirtIn(out, face); ground+stripes > face.Dx()*face.Dy()/100 {
			t.Errorf("item %d: the shirt lies over the face", item)
		}
		if item > 0 {
			continue // others differ in their light
		}
		for name, r := range map[string]image.Rectangle{"the face": face.Inset(face.Dx() / 8), "what is behind": image.Rect(0, 0, 60, 200), "what is behind on the other side": image.Rect(300, 0, 360, 200)} {
			if d := unlike(out, person, r); d > 1 {
				t.Errorf("%s changes by %.1f levels", name, d)
			}
		}
	}
}

func TestANewFaceIsOfAllPhotosOnTheHeadOfOne(t *testing.T) {
	t.Parallel()
	a, b := portrait(t, "Maren", 400, 500), portrait(t, "Kenji", 400, 500)
	forge := func(list ...*image.NRGBA) *image.NRGBA {
		return drawIt(t, Request{Agent: "face-forge", Seed: 2, Count: 1, Values: map[string]any{"aspectRatio": "4:3", "imageSize": "1K", "modelName": "nano"}, Files: map[string][]*image.NRGBA{"images": list}})
	}
	out := forge(a, b)
	l, ok, err := likenessOf(a)
	if err != nil || !ok {
		t.Fatalf("no face: %v", err)
	}
	// The head of the first, framed as the new one is, with its own face.
	own := bust(l.img, l.face, out.Rect.Dx(), out.Rect.Dy())
	face, f, ok, err := faceOf(own)
	if err != nil || !ok {
		t.Fatalf("no face: %v", err)
	}
	s := f.span()
	if d := unlike(out, own, around2(f.mouth, 0.7*s, 0.4*s)); d < 2 {
		t.Errorf("around the mouth it differs from the first photo by %.1f levels", d)
	}
	if d := unlike(out, forge(a, a), around2(f.mouth, 0.7*s, 0.4*s)); d < 2 {
		t.Errorf("the second photo changes the mouth by %.1f levels", d)
	}
	w, h := out.Rect.Dx(), out.Rect.Dy()
	for name, r := range map[string]image.Rectangle{
		"what is behind": image.Rect(0, 0, w/8, h/2), "what is behind on the other side": image.Rect(7*w/8, 0, w, h/2), "the hair": around2(spot{f.mouth.x, float64(face.Min.Y) - 0.15*float64(face.Dy())}, 0.2*s, 0.1*s),
	} {
		if d := unlike(out, own, r); d > 1.5 {
			t.Errorf("%s changes by %.1f levels", name, d)
		}
	}
	if _, _, ok, err := faceOf(out); err != nil || !ok {
		t.Errorf("what was made has no face: %v", err)
	}
}

func TestSlowPosterShowsPhotosAndWords(t *testing.T) {
	t.Parallel()
	colours := []color.NRGBA{{196, 30, 36, 255}, {30, 60, 190, 255}, {226, 190, 20, 255}, {20, 130, 60, 255}, {150, 30, 150, 255}}
	var photos []*image.NRGBA
	for _, c := range colours {
		photos = append(photos, thingIn(c))
	}
	for item := range 4 {
		for _, n := range []int{1, 3, 5} {
			out := drawIt(t, Request{
				Agent: "ai-poster-from-images", Item: item, Count: 4, Seed: 3, Files: map[string][]*image.NRGBA{"images": photos[:n]},
				Values: map[string]any{"textDescription": "Harbour\nOpen all day", "aspectRatio": "2:3", "imageSize": "1K"},
			})
			for _, c := range colours[:n] {
				if share := showing(out, c); share < 0.006 {
					t.Errorf("item %d of %d photos: %.4f of the poster has the colour %v of a photo", item, n, share, c)
				}
			}
			if got, apart := bestRead(t, out, "HARBOUR", "Harbour", "LANTERN", "Lantern", "COBALT", "Cobalt", "MERIDIAN", "Meridian"); got != "Harbour" && got != "HARBOUR" {
				t.Errorf("item %d of %d photos: the headline reads %q (%.2f)", item, n, got, apart)
			}
		}
	}
}
