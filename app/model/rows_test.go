package model

import (
	"math"
	"slices"
	"testing"
)

func shapes(i int) float64 { return []float64{.7, 1.5, 1, .8, 1.3, .1, 9}[i%7] }

func laid(n, lead int, whole bool) *Rows {
	r := &Rows{Width: 1096, Size: 168, Gap: 12, Foot: 26, Whole: whole, Lead: lead}
	r.Lay(n, shapes)
	return r
}

func TestRowsHoldEveryTileOnceAndInOrder(t *testing.T) {
	for _, whole := range []bool{false, true} {
		for _, n := range []int{0, 1, 5, 6, 7, 100, 10_000} {
			for _, lead := range []int{0, 1, 6, n / 2, n} {
				r := laid(n, lead, whole)
				next, bottom := 0, 0.0
				for _, row := range r.All() {
					if row.From != next || row.To <= row.From {
						t.Fatalf("whole %v, %d tiles, %d above: a row holds %d–%d after %d", whole, n, lead, row.From, row.To, next)
					}
					if row.Top < bottom {
						t.Fatalf("a row at %v reaches into the one that ends at %v", row.Top, bottom)
					}
					places := r.Places(row, shapes)
					if last := places[len(places)-1]; last.X+last.W > r.Width+.5 || places[0].X < 0 {
						t.Fatalf("whole %v: a row reaches from %v to %v of %v", whole, places[0].X, last.X+last.W, r.Width)
					}
					next, bottom = row.To, row.Top+row.Height
				}
				if next != n {
					t.Fatalf("%d of %d tiles have a place", next, n)
				}
			}
		}
	}
}

func TestOnlyWhatIsOnScreenExists(t *testing.T) {
	for _, whole := range []bool{false, true} {
		r := laid(10_000, 0, whole)
		for _, top := range []float64{0, 1, 5000, r.Total() / 2, r.Total() - 800, r.Total(), -50} {
			from, to := r.Window(top, 800)
			if to-from > 10 {
				t.Errorf("whole %v at %v: %d rows exist", whole, top, to-from)
			}
			for k, row := range r.All() {
				seen := row.Top+row.Height > top && row.Top < top+800
				if seen && (k < from || k >= to) {
					t.Errorf("whole %v at %v: row %d is on screen and missing from %d–%d", whole, top, k, from, to)
				}
			}
		}
	}
	if from, to := new(Rows).Window(0, 800); from != 0 || to != 0 {
		t.Errorf("an empty wall has rows %d–%d", from, to)
	}
}

// What is loaded above must not move what is below it, whatever the shapes.
func TestTilesKeepTheirPlaceWhenMoreComesAboveAndBelow(t *testing.T) {
	for _, whole := range []bool{false, true} {
		before := laid(50, 0, whole)
		after := &Rows{Width: 1096, Size: 168, Gap: 12, Foot: 26, Whole: whole, Lead: 33}
		after.Lay(133, func(i int) float64 { return shapes(i - 33 + 70) })
		shift := after.All()[after.RowOf(33)].Top
		for i := range 40 { // the last rows of the shorter wall may still have room
			a, b := before.All()[before.RowOf(i)], after.All()[after.RowOf(i+33)]
			if a.From != b.From-33 || math.Abs(a.Top+shift-b.Top) > .01 {
				t.Fatalf("whole %v: tile %d moved: row %+v, then %+v, shift %v", whole, i, a, b, shift)
			}
		}
	}
}

func TestStepsWithTheKeyboard(t *testing.T) {
	r := laid(20, 0, false) // rows of six
	for _, tt := range []struct{ from, columns, down, want int }{
		{0, 1, 0, 1}, {0, -1, 0, 0}, {5, 1, 0, 6}, {2, 0, 1, 8}, {8, 0, -1, 2}, {2, 0, -1, 2}, {19, 1, 0, 19}, {17, 0, 1, 19}, {13, 0, 1, 19}, {99, 0, 1, 0},
	} {
		if got := r.Step(tt.from, tt.columns, tt.down, shapes); got != tt.want {
			t.Errorf("from %d by %d, %d leads to %d, want %d", tt.from, tt.columns, tt.down, got, tt.want)
		}
	}
}

func TestARectangleHitsWhatItTouches(t *testing.T) {
	r := laid(20, 0, false)
	side := r.Side()
	for _, tt := range []struct {
		box  Place
		want int
	}{
		{Place{0, 0, side / 2, side / 2}, 1},
		{Place{0, 0, side + 13, 1}, 2},
		{Place{side + 2, 0, 8, 8}, 0}, // the gap
		{Place{0, 0, r.Width, r.Total()}, 20},
		{Place{0, r.Total() + 10, 10, 10}, 0},
	} {
		if got := r.Hit(tt.box, shapes); len(got) != tt.want {
			t.Errorf("%+v hits %v, want %d", tt.box, got, tt.want)
		}
	}
}

// What is added page by page is laid as it would be all at once.
func TestRowsGrowAsTheyAreLaid(t *testing.T) {
	for _, whole := range []bool{false, true} {
		for _, lead := range []int{0, 7, 100} {
			r := laid(100, lead, whole)
			for n := 100; n <= 1000; n += 61 {
				r.Grow(n, shapes)
				if want := laid(n, lead, whole); !slices.Equal(r.All(), want.All()) {
					t.Fatalf("whole %v, %d above: %d tiles grow to other rows than they are laid in", whole, lead, n)
				}
			}
		}
	}
}

func TestStepsThroughLinesOfDifferentLengths(t *testing.T) {
	lines := [][]int{{4, 5, 6}, {7}, {0, 2}} // places of a list that has others too
	for _, tt := range []struct{ from, columns, down, want int }{
		{4, 1, 0, 5}, {6, 1, 0, 7}, {4, -1, 0, 4}, {2, 1, 0, 2}, {5, 0, 1, 7}, {7, 0, 1, 0}, {2, 0, -1, 7}, {6, 0, -1, 6}, {5, 99, 0, 2}, {2, -99, 0, 4}, {1, 1, 0, 1},
	} {
		if got := StepLines(lines, tt.from, tt.columns, tt.down); got != tt.want {
			t.Errorf("%d places and %d lines from %d is %d, want %d", tt.columns, tt.down, tt.from, got, tt.want)
		}
	}
}

// Tiles that come into a wall of squares leave it as if it had been laid with them.
func TestAWallThatGrowsIsLaidAsOneThatWasAlwaysSo(t *testing.T) {
	square := func(int) float64 { return 1 }
	for _, lead := range []int{0, 3, 20} {
		grown := Rows{Width: 500, Size: 90, Gap: 10, Foot: 20, Lead: lead}
		for n := range 60 {
			grown.Lay(n, square)
			once := Rows{Width: 500, Size: 90, Gap: 10, Foot: 20, Lead: lead}
			once.Lay(n, square)
			if !slices.Equal(grown.All(), once.All()) {
				t.Fatalf("%d tiles, %d above: %v, want %v", n, lead, grown.All(), once.All())
			}
		}
		grown.Width = 300
		grown.Lay(59, square)
		if c := grown.Columns(); grown.All()[0].To > c {
			t.Errorf("after it became narrower %d tiles stand in the first row of %d", grown.All()[0].To, c)
		}
	}
}
