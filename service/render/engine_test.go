package render

import (
	"bytes"
	"image"
	"testing"
)

func TestAStrongerEngineTakesHeadsFromMoreOfAPortrait(t *testing.T) {
	t.Parallel()
	img := portrait(t, "Kenji", 960, 1200)
	var faces [2]int
	for i, e := range []engine{usualEngine, strongerEngine} {
		h, err := headOf(t.Context(), img, e)
		if err != nil || h == nil {
			t.Fatalf("no head was found: %v", err)
		}
		faces[i] = h.Face.Dx()
	}
	if 100*faces[1] < 112*faces[0] {
		t.Errorf("the face is %d pixels wide with the stronger engine, %d with the usual one", faces[1], faces[0])
	}
}

func TestEnginesAreToldByTheirNames(t *testing.T) {
	t.Parallel()
	made := map[string]*image.NRGBA{}
	req := Request{Agent: "aipose", Original: still(160, 200), CustomMask: painted(160, 200), Seed: 5, Count: 1}
	for _, name := range []string{"", "lite", "serviceFlash", "pro", "servicePro", "partnerPro"} {
		req.Values = map[string]any{"maskType": "custom", "textDescription": "closer, to the left", "generateVersion": name}
		made[name] = drawIt(t, req)
	}
	same := func(a, b string) bool { return bytes.Equal(made[a].Pix, made[b].Pix) }
	if !same("", "lite") || !same("lite", "serviceFlash") || !same("pro", "servicePro") || !same("pro", "partnerPro") {
		t.Error("engines of one kind make different pictures")
	}
	if same("lite", "pro") {
		t.Error("the stronger engine makes the same picture")
	}
}
