package model

import (
	"image"
	"math"
	"testing"
)

// tall is a picture of 600 × 800 in the middle of a canvas of 1000 × 1000.
var tall = Expansion{W: 600, H: 800, Left: 200, Top: 100, Width: 1000, Height: 1000, Most: 4096, Pad: 8}

func TestExpansionIsReadFromTheForm(t *testing.T) {
	f := NewForm(find(t, "expandimage"))
	e, ok := f.Expansion(600, 800)
	if !ok || e.Width != 600 || e.Height != 800 || e.Left != 0 || e.Most != 4096 || e.Pad != 8 {
		t.Errorf("without a size: %+v", e)
	}
	if e, _ = f.WithCanvas(1001, 1000).Expansion(600, 800); e.Left != 200 || e.Top != 100 {
		t.Errorf("in the middle: %+v", e)
	}
	e, _ = f.WithExpansion(tall.Nudge(-250, 3)).Expansion(600, 800)
	if e.Left != -50 || e.Top != 103 || e.Frame() != image.Rect(50, -103, 1050, 897) {
		t.Errorf("placed: %+v, frame %v", e, e.Frame())
	}
	if p := FirstRefusal(f.WithExpansion(e).Problems(photo)); p != nil {
		t.Errorf("what the handles say is refused: %+v", p)
	}
	if _, ok := NewForm(find(t, "removeBG")).Expansion(600, 800); ok {
		t.Error("a cut-out has a canvas")
	}
}

func TestPictureIsMovedSnapsAndStaysOnItsCanvas(t *testing.T) {
	tests := []struct {
		name      string
		left, top float64
		want      image.Point
		x, y      float64 // guides, -1 for none
	}{
		{"anywhere", 150.4, 60.6, image.Pt(150, 61), -1, -1},
		{"near the middle", 204, 97, image.Pt(200, 100), 300, 400},
		{"near the left edge", 6, 60, image.Pt(0, 60), 0, -1},
		{"near the right and lower edges", 396, 205, image.Pt(400, 200), 600, 800},
		{"beyond the left", -5000, 60, image.Pt(8-600, 60), -1, -1},
		{"beyond the right", 5000, 60, image.Pt(992, 60), -1, -1},
		{"beyond the top", 150, -5000, image.Pt(150, 8-800), -1, -1},
	}
	at := func(g *float64) float64 {
		if g == nil {
			return -1
		}
		return *g
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e, g := tall.Move(tt.left, tt.top, 8)
			if got := image.Pt(e.Left, e.Top); got != tt.want {
				t.Errorf("at %v, want %v", got, tt.want)
			}
			if at(g.X) != tt.x || at(g.Y) != tt.y {
				t.Errorf("guides %v, %v, want %v, %v", at(g.X), at(g.Y), tt.x, tt.y)
			}
		})
	}
}

func TestSidesOfTheCanvasArePulled(t *testing.T) {
	tests := []struct {
		name   string
		sides  Sides
		dx, dy float64
		want   Expansion
	}{
		{"right", Sides{X: 1}, 100, 50, Expansion{Left: 200, Top: 100, Width: 1100, Height: 1000}},
		{"left", Sides{X: -1}, -100, 50, Expansion{Left: 300, Top: 100, Width: 1100, Height: 1000}},
		{"upper left corner", Sides{-1, -1}, -100, -50, Expansion{Left: 300, Top: 150, Width: 1100, Height: 1050}},
		{"bottom, to the edge of the picture", Sides{Y: 1}, 0, -95, Expansion{Left: 200, Top: 100, Width: 1000, Height: 900}},
		{"left, to as much room as on the right", Sides{X: -1}, 3, 0, Expansion{Left: 200, Top: 100, Width: 1000, Height: 1000}},
		{"right, into the picture", Sides{X: 1}, -500, 0, Expansion{Left: 200, Top: 100, Width: 500, Height: 1000}},
		{"right, through the picture", Sides{X: 1}, -5000, 0, Expansion{Left: 200, Top: 100, Width: 208, Height: 1000}},
		{"left, beyond the limit", Sides{X: -1}, -5000, 0, Expansion{Left: 3296, Top: 100, Width: 4096, Height: 1000}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.want.W, tt.want.H, tt.want.Most, tt.want.Pad = tall.W, tall.H, tall.Most, tall.Pad
			if got, _ := tall.Pull(tt.sides, tt.dx, tt.dy, 8); got != tt.want {
				t.Errorf("%+v, want %+v", got, tt.want)
			}
		})
	}
}

func TestPictureIsScaledByChangingTheCanvas(t *testing.T) {
	half := tall.Scale(Sides{1, 1}, .5)
	if want := (Expansion{W: 600, H: 800, Left: 400, Top: 200, Width: 2000, Height: 2000, Most: 4096, Pad: 8}); half != want {
		t.Errorf("half as large: %+v, want %+v", half, want)
	}
	// The lower right corner was at 800 of 1000; it stays at that share when the upper left one is dragged.
	if e := tall.Scale(Sides{-1, -1}, .5); e.Left+e.W != 1600 || e.Top+e.H != 1800 {
		t.Errorf("from the other corner: %+v", e)
	}
	// Without a corner its middle stays at the share of the canvas where it was.
	middle := func(e Expansion) float64 { return (float64(e.Left) + float64(e.W)/2) / float64(e.Width) }
	if e := tall.Scale(Sides{}, .5); e.Width != 2000 || math.Abs(middle(e)-middle(tall)) > .001 {
		t.Errorf("about its middle: %+v", e)
	}
	if e := tall.Scale(Sides{1, 1}, .01); e.Width != 4096 || e.Height != 4096 {
		t.Errorf("beyond the limit: %+v", e)
	}
	if e := tall.Scale(Sides{1, 1}, 1000); e.Width < 1 || e.Left > e.Width-8 {
		t.Errorf("larger than its canvas: %+v", e)
	}
}

func TestUsualShapesHoldTheWholePicture(t *testing.T) {
	for _, s := range CanvasShapes {
		w, h := tall.Shape(s.Across, s.Down)
		if w < tall.W || h < tall.H || w > tall.W && h > tall.H {
			t.Errorf("%s: %d × %d around 600 × 800", s.Title, w, h)
		}
	}
	large := Expansion{W: 4000, H: 3000, Most: 4096}
	if w, h := large.Shape(3, 1); w != 4096 || h != 1365 {
		t.Errorf("a banner around 4000 × 3000 is %d × %d", w, h)
	}
}
