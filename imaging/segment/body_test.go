package segment

import "testing"

func TestGapsInATrunkAreClosedAndNoOthers(t *testing.T) {
	t.Parallel()
	const w, h, size = 200, 300, 40
	who := face{x: 100, y: 50, size: size}
	coat := func(x int) bool { return x >= 60 && x < 85 || x >= 112 && x < 140 || x >= 152 && x < 165 } // an arm aside
	labels := make([]uint8, w*h)
	for i := range labels {
		if x, y := i%w, i/w; y > 90 && y < 260 && coat(x) {
			labels[i] = 1
		}
	}
	for x := range w {
		if x >= 85 {
			labels[110*w+x] = 0 // a row open to one side
		}
	}
	before := append([]uint8(nil), labels...)
	marked := closeTrunks(labels, w, h, []face{who})
	for i, v := range labels {
		x, y := i%w, i/w
		shirt := x >= 85 && x < 112 && y > 90 && y < int(who.y+3.2*size) && y != 110
		if want := shirt || before[i] == 1; (v == 1) != want {
			t.Fatalf("(%d,%d) is %d, part of the person: %v", x, y, v, want)
		}
	}
	if len(marked) == 0 {
		t.Error("nothing is said to be marked")
	}
	who.guessed = true
	if again := closeTrunks(before, w, h, []face{who}); len(again) != 0 {
		t.Errorf("%d pixels are closed below a face that nobody saw", len(again))
	}
}

func TestGapsInATrunkAreClosedBelowAHeadThatLeans(t *testing.T) {
	t.Parallel()
	const w, h, size = 200, 300, 40
	who := face{x: 100, y: 50, size: size}
	coat := func(x int) bool { return x >= 40 && x < 62 || x >= 84 && x < 118 }
	labels := make([]uint8, w*h)
	for i := range labels {
		if x, y := i%w, i/w; y > 60 && y < 260 && coat(x) {
			labels[i] = 1
		}
	}
	closeTrunks(labels, w, h, []face{who})
	if labels[120*w+72] == 0 {
		t.Error("a shirt within a coat, aside of the face, is not closed")
	}
}

func TestAFaceIsWhole(t *testing.T) {
	t.Parallel()
	const w, h = 200, 200
	who := face{x: 100, y: 80, size: 60, quality: 200}
	cut := func(from int) []uint8 {
		labels := make([]uint8, w*h)
		for i := range labels {
			if i/w >= from && i%w >= 60 && i%w < 140 {
				labels[i] = 1
			}
		}
		return labels
	}
	for name, test := range map[string]struct {
		from   int // the first row of the cut
		closed bool
	}{"a forehead is missing": {70, true}, "most is missing": {95, false}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			labels := cut(test.from)
			marked := closeFaces(labels, w, h, []face{who})
			if forehead := labels[60*w+100] == 1; forehead != test.closed || len(marked) > 0 != test.closed {
				t.Errorf("the forehead is there: %v, %d pixels are marked", forehead, len(marked))
			}
			if labels[60*w+70] == 1 || labels[36*w+100] == 1 {
				t.Error("what lies beside the face is taken for it")
			}
		})
	}
}
