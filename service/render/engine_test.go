package render

import (
	"bytes"
	"testing"
)

func TestAStrongerEngineTakesHeadsFromMoreOfAPortrait(t *testing.T) {
	t.Parallel()
	if usualEngine.head >= strongerEngine.head || usualEngine.edges >= strongerEngine.edges {
		t.Fatalf("the engines look at portraits of %d and %d pixels", usualEngine.head, strongerEngine.head)
	}
	img := portrait(t, "Kenji", 320, 400)
	var faces [2]int
	for i, e := range []engine{{head: usualEngine.head / 4, edges: 400}, {head: strongerEngine.head / 4, edges: 400}} {
		h, err := modelOf(t.Context(), img, nil, e)
		if err != nil || h == nil {
			t.Fatalf("no head was found: %v", err)
		}
		faces[i] = h.Face.Dx()
	}
	if 100*faces[1] < 140*faces[0] {
		t.Errorf("the face is %d pixels wide with the stronger engine, %d with the usual one", faces[1], faces[0])
	}
}

func TestEnginesAreToldByTheirNames(t *testing.T) {
	t.Parallel()
	req := Request{Agent: "aipose", Original: still(96, 120), CustomMask: painted(96, 120), Seed: 5, Count: 1}
	named := func(name string) Request {
		req.Values = map[string]any{"maskType": "custom", "textDescription": "closer, to the left", "generateVersion": name}
		return req
	}
	for name, want := range map[string]engine{
		"": usualEngine, "lite": usualEngine, "serviceFlash": usualEngine,
		"pro": strongerEngine, "servicePro": strongerEngine, "partnerPro": strongerEngine,
	} {
		if got := named(name).engine(); got != want {
			t.Errorf("%q is the engine %+v, want %+v", name, got, want)
		}
	}
	// It takes the best of several tries, which now and then is the first.
	for req.Seed = 1; bytes.Equal(drawIt(t, named("lite")).Pix, drawIt(t, named("pro")).Pix); req.Seed++ {
		if req.Seed == 8 {
			t.Fatal("the stronger engine makes the same picture, whatever the seed")
		}
	}
}
