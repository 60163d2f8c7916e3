package mask

import (
	"image"
	"testing"
	"time"
)

// colours is a source of single colours, one rune a pixel: a few greys by digit, the rest by letter.
func colours(rows ...string) Source {
	s := Source{W: len(rows[0]), H: len(rows)}
	for _, row := range rows {
		for _, c := range row {
			v := uint8(c-'0') * 10
			s.Pix = append(s.Pix, v, v, v, 255)
		}
	}
	return s
}

func TestWandSelectsWhatIsSimilar(t *testing.T) {
	src := colours(
		"1122311",
		"1122311",
		"3333311",
		"1111111")
	tests := []struct {
		name string
		wand Wand
		want []string
	}{
		{"the colour alone", Wand{At: image.Pt(0, 0), Contiguous: true}, []string{"##.....", "##.....", ".......", "......."}},
		{"just below the next colour", Wand{At: image.Pt(0, 0), Contiguous: true, Tolerance: 9}, []string{"##.....", "##.....", ".......", "......."}},
		{"at the next colour", Wand{At: image.Pt(0, 0), Contiguous: true, Tolerance: 10}, []string{"####...", "####...", ".......", "......."}},
		{"above both", Wand{At: image.Pt(0, 0), Contiguous: true, Tolerance: 21}, []string{"#######", "#######", "#######", "#######"}},
		{"everywhere", Wand{At: image.Pt(0, 0)}, []string{"##...##", "##...##", ".....##", "#######"}},
		{"beside the picture", Wand{At: image.Pt(7, 0)}, []string{".......", ".......", ".......", "......."}},
		{"the mean around", Wand{At: image.Pt(2, 0), Around: 1, Tolerance: 4}, []string{"..##...", "..##...", ".......", "......."}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dirty := New(7, 4)
			dirty.Fill(77)
			test.wand.Into = dirty
			got := src.Wand(test.wand).Run()
			want := draw(test.want...)
			if !got.Equal(want) {
				t.Errorf("selected\n%v", show(got))
			}
		})
	}
}

func TestWandTellsOpacityApart(t *testing.T) {
	s := Source{2, 1, []byte{9, 9, 9, 255, 9, 9, 9, 0}}
	if got := s.Wand(Wand{Tolerance: 200}).Run(); got.count() != 1 {
		t.Errorf("%d pixels selected, want the opaque one", got.count())
	}
}

func TestWandIsTheSameHoweverItIsSliced(t *testing.T) {
	src := grainy(300, 200)
	for _, contiguous := range []bool{true, false} {
		wand := Wand{At: image.Pt(40, 50), Tolerance: 40, Contiguous: contiguous}
		want := src.Wand(wand).Run()
		if n := want.count(); n == 0 || n == len(want.Pix) {
			t.Fatalf("contiguous %v selects %d pixels: nothing is tested", contiguous, n)
		}
		sliced := src.Wand(wand)
		var seen image.Rectangle
		steps, last := 0, 0.0
		for !sliced.Step(time.Nanosecond) {
			steps++
			seen = seen.Union(sliced.Changed())
			if p := sliced.Progress(); p < last || p > 1 {
				t.Fatalf("progress went from %v to %v", last, p)
			} else {
				last = p
			}
		}
		seen = seen.Union(sliced.Changed())
		if !sliced.Plane().Equal(want) {
			t.Errorf("contiguous %v: sliced, the selection differs", contiguous)
		}
		if steps == 0 || !want.Bounds().In(seen) {
			t.Errorf("contiguous %v: %d pauses, %v seen of %v", contiguous, steps, seen, want.Bounds())
		}
	}
}

func TestBucketFillsWhatStrokesEnclose(t *testing.T) {
	p := draw(
		".......",
		".####..",
		".#..#..",
		".#..##.",
		".##..#.",
		"..####.",
		".......")
	inside := p.Bucket(image.Pt(2, 2), false).Run()
	if got, want := inside.count(), 6; got != want {
		t.Errorf("inside: %d pixels, want %d\n%v", got, want, show(inside))
	}
	if outside := p.Bucket(image.Pt(0, 0), false).Run(); outside.count() != 49-6-p.count() {
		t.Errorf("outside: %d pixels\n%v", outside.count(), show(outside))
	}
	if onPaint := p.Bucket(image.Pt(1, 1), false).Run(); !onPaint.Empty() {
		t.Error("poured on paint it filled something")
	}
	if paint := p.Bucket(image.Pt(1, 1), true).Run(); !paint.Equal(p) {
		t.Errorf("erasing takes\n%v", show(paint))
	}
	if beside := p.Bucket(image.Pt(-1, 3), false).Run(); !beside.Empty() {
		t.Error("poured beside the picture it filled something")
	}
}
