package segment

import (
	"image"
	"testing"

	"atelier/imaging/mask"
)

func TestStrokesSelectAnObject(t *testing.T) {
	t.Parallel()
	p := over(paper(600, 450, green, 3), paper(600, 450, brick, 4), disc(420, 230, 100))
	c, err := NewCut(p.img, Options{})
	if err != nil {
		t.Fatal(err)
	}
	c.Keep([]image.Point{{380, 230}, {450, 250}}, 8)
	r, err := c.Refine(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got := overlapOf(r.Mask, p.alpha); got < 0.95 {
		t.Errorf("overlap with the drawing is %.3f, want at least 0.95", got)
	}
}

func TestStrokesCorrectAMaskAroundThemselvesOnly(t *testing.T) {
	t.Parallel()
	// Two balls are kept; a stroke takes one of them out.
	both := func(x, y float64) float64 { return max(disc(150, 225, 80)(x, y), disc(450, 225, 80)(x, y)) }
	p := over(paper(600, 450, green, 3), paper(600, 450, brick, 4), both)
	start := mask.New(600, 450)
	for i, a := range p.alpha {
		if a >= 0.5 {
			start.Pix[i] = 255
		}
	}
	c, err := NewCut(p.img, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(start); err != nil {
		t.Fatal(err)
	}
	c.Redraw([]image.Point{{410, 190}, {490, 260}, {420, 260}, {480, 190}}, 30)
	r, err := c.Refine(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	left := over(paper(600, 450, green, 3), paper(600, 450, brick, 4), disc(150, 225, 80))
	if got := overlapOf(r.Mask, left.alpha); got < 0.9 {
		t.Errorf("overlap with the ball that stays is %.3f, want at least 0.9", got)
	}
}

func TestStartRefusesAMaskOfAnotherSize(t *testing.T) {
	t.Parallel()
	c, err := NewCut(paper(40, 30, sand, 1), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(mask.New(30, 40)); err == nil {
		t.Error("a mask of another size was taken")
	}
}
