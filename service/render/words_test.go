package render

import (
	"image"
	"image/color"
	"testing"
)

func TestPoseInstructionsMoveTheFigure(t *testing.T) {
	t.Parallel()
	now := posture{share: 0.8, floor: 0.9, across: 0.5}
	tests := []struct {
		text       string
		understood bool
		holds      func(p posture) bool
	}{
		{"standing further to the left", true, func(p posture) bool { return p.across < 0.5 && p.share < 0.8 }},
		{"move to the right", true, func(p posture) bool { return p.across > 0.5 }},
		{"lean to the right", true, func(p posture) bool { return p.across == 0.5 && p.limbs.turn[boneTorso] > 0 }},
		{"lean left", true, func(p posture) bool { return p.limbs.turn[boneTorso] < 0 }},
		{"Raise your left arm", true, func(p posture) bool { return p.limbs.turn[boneRightArm] < -30 && p.limbs.turn[boneLeftArm] == 0 }},
		{"raising both arms", true, func(p posture) bool { return p.limbs.turn[boneRightArm] < -30 && p.limbs.turn[boneLeftArm] > 30 }},
		{"she walks", true, func(p posture) bool {
			return p.limbs.stretch[boneRightShank] < 0.9 && p.limbs.stretch[boneLeftShank] == 0
		}},
		{"sitting", true, func(p posture) bool { return p.limbs.stretch[boneLeftThigh] < 1 }},
		{"turned to the left", true, func(p posture) bool { return p.limbs.narrow < 1 && p.limbs.narrow > 0 && p.across == 0.5 }},
		{"look left", true, func(p posture) bool { return p.limbs.turn[boneHead] < 0 && p.across == 0.5 }},
		{"Turn around.", true, func(p posture) bool { return p.flip }},
		{"jumping for joy", true, func(p posture) bool { return p.floor < 0.9 }},
		{"come closer", true, func(p posture) bool { return p.share > 0.8 }},
		{"one arm raised", true, func(p posture) bool { return p.limbs.turn[boneRightArm] < -30 && p.limbs.turn[boneLeftArm] == 0 }},
		{"facing left", true, func(p posture) bool { return p.limbs.narrow < 1 && p.across == 0.5 }},
		{"facing the camera", false, func(p posture) bool { return p == now }},
		{"hands in the pockets", false, func(p posture) bool { return p == now }},
	}
	for _, tt := range tests {
		p, understood := readPosture(tt.text, now)
		if understood != tt.understood || !tt.holds(p) {
			t.Errorf("readPosture(%q) = %+v, %v", tt.text, p, understood)
		}
	}
}

func TestResultSizesFollowShapeAndSize(t *testing.T) {
	t.Parallel()
	tests := []struct {
		ratio, size string
		like, want  image.Point
	}{
		{"", "", image.Pt(800, 600), image.Pt(800, 600)},
		{"auto", "1K", image.Pt(800, 400), image.Pt(1024, 512)},
		{"9:16", "2K", image.Pt(800, 600), image.Pt(1152, 2048)},
		{"21:9", "4K", image.Pt(800, 600), image.Pt(4096, 1755)},
		{"1:1", "", image.Pt(6000, 4000), image.Pt(2048, 2048)},
	}
	for _, tt := range tests {
		r := Request{Values: map[string]any{"aspectRatio": tt.ratio, "imageSize": tt.size}}
		if got := r.canvas(tt.like); got != tt.want {
			t.Errorf("%s at %s like %v is %v, want %v", tt.ratio, tt.size, tt.like, got, tt.want)
		}
	}
}

func TestBrandNamesAreFoundInDescriptions(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`a logo for "North & Pine"`:                              "North & Pine",
		"logo for Maison Lune in terracotta":                     "Maison Lune",
		"A bakery called Ember, warm and round":                  "Ember",
		"Logo for a coffee shop called Morning Bean":             "Morning Bean",
		"logo for a coffee shop called morning bean with a cup":  "morning bean",
		"A logo for the Nordic Bakery, calm":                     "Nordic Bakery",
		"Logo for a shop named Blue Bottle Coffee Roasters Ltd.": "Blue Bottle Coffee Roasters",
		"logo for aurora in teal":                                "aurora",
		"Logo for a coffee shop, warm colours":                   "Coffee shop",
		"Studio Kite":                                            "Studio Kite",
		`a logo for "Joe's Diner"`:                               "Joe's Diner",
		"a logo named 'Bean & Co', please":                       "Bean & Co",
		"Logo for Joe's Diner, the city's best":                  "Joe's Diner",
		"":                                                       "Atelier",
		"blue and gold":                                          "Atelier",
		"a gold and blue dragon":                                 "dragon",
	} {
		if got := brandName(text); got != want {
			t.Errorf("brandName(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestColoursAreReadInEitherForm(t *testing.T) {
	t.Parallel()
	for text, ok := range map[string]bool{"#A0b1C2": true, "a0b1c2": true, "#abc": true, "": false, "#12345": false, "#gggggg": false, "red": false} {
		if _, err := hexColour(text); (err == nil) != ok {
			t.Errorf("hexColour(%q): %v", text, err)
		}
	}
}

func TestPortraitsAreAskedForOfPeople(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"portrait of an old fisherman": true, "a woman, portrait": true, "headshot, soft light": true,
		"portrait of a horse": false, "portrait of an old house": false, "portrait of a cat": false, "a man on a beach": false, "a boy, portrait format": false, "": false,
	} {
		if got := (Request{Values: map[string]any{"textDescription": text}}).asksPortrait(); got != want {
			t.Errorf("%q: %t, want %t", text, got, want)
		}
	}
	wish := personWords(words("a fisherman, a policewoman, a snowman and a german"))
	if !wish["Men"] || !wish["Women"] || personWords(words("a snowman on an ottoman"))["Men"] {
		t.Errorf("trades give %v", wish)
	}
}

func TestASignIsDrawnForEachOfItsWords(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, text := range []string{"an anchor", "a skull", "a crown", "butterflies", "a compass", "a leaf", "a moon", "roses"} {
		signs := (Request{Values: map[string]any{"textDescription": text}}).signsOf()
		if len(signs) != 1 {
			t.Errorf("%q leads to %d signs", text, len(signs))
			continue
		}
		img := image.NewNRGBA(image.Rect(0, 0, 96, 96))
		flood(img, color.NRGBA{250, 250, 250, 255})
		signs[0](img, 48, 48, 40, color.NRGBA{20, 20, 20, 255}, color.NRGBA{250, 250, 250, 255})
		dark := 0
		for i := 0; i < len(img.Pix); i += 4 {
			if img.Pix[i] < 128 {
				dark++
			}
		}
		if dark < 400 || dark > 5500 {
			t.Errorf("%q covers %d of 9,216 pixels", text, dark)
		}
		if other, ok := seen[string(img.Pix)]; ok {
			t.Errorf("%q and %q are one sign", text, other)
		}
		seen[string(img.Pix)] = text
	}
}
