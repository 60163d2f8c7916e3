package render

import (
	"image"
	"image/color"
	"slices"
	"testing"

	"atelier/imaging"
	"atelier/service/presets"
)

func TestTheWaterOfADrawnBeachMovesAndTheShoreDoesNot(t *testing.T) {
	t.Parallel()
	list := presets.Locations()
	beach := list[slices.IndexFunc(list, func(l presets.Location) bool { return l.ID == presetWords["beach"] })]
	scene, err := beach.Draw(t.Context(), 480, 270)
	if err != nil {
		t.Fatal(err)
	}
	sea := newSwell(scene, 3)
	if sea == nil {
		t.Fatal("the beach has no water")
	}
	one, two := imaging.Clone(scene), imaging.Clone(scene)
	sea.draw(one, 1)
	sea.draw(two, 1.6)
	for name, tt := range map[string]struct {
		at    image.Rectangle
		moves bool
	}{
		"water": {image.Rect(40, 135, 440, 155), true}, "sky": {image.Rect(0, 0, 480, 84), false}, "sand": {image.Rect(0, 200, 480, 270), false},
	} {
		if d := unlike(one, two, tt.at); (d > 1.5) != tt.moves || !tt.moves && d != 0 {
			t.Errorf("within a moment the %s changes by %.2f levels", name, d)
		}
	}
	if d := unlike(one, scene, image.Rect(40, 120, 440, 160)); d > 20 {
		t.Errorf("the water is %.1f levels from what it was", d)
	}
	if newSwell(plain(200, 120, color.NRGBA{90, 140, 200, 255}), 1) != nil {
		t.Error("an even blue ground is taken for water")
	}
}
