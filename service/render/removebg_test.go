package render

import (
	"image"
	"image/color"
	"math"
	"testing"
)

// ball is a red ball with a soft edge before green.
func ball(w, h int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			r := math.Hypot(float64(x)+0.5-float64(w)/2, float64(y)+0.5-float64(h)/2)
			a := math.Max(0, math.Min(1, (0.3*float64(min(w, h))-r)/3+0.5))
			n := uint8((x*7 + y*13) % 9)
			img.SetNRGBA(x, y, color.NRGBA{
				uint8(a*200 + (1-a)*30), uint8(a*36 + (1-a)*170), uint8(a*36+(1-a)*40) + n, 255,
			})
		}
	}
	return img
}

func TestCutOutsHaveNoHaloOnAnyColourAndDifferAtTheirEdge(t *testing.T) {
	t.Parallel()
	src := ball(240, 220)
	req := Request{Agent: "removeBG", Original: src, Seed: 1, Count: 16, Values: map[string]any{"maskType": "autoSubjectSegment"}}
	seg, err := Segment(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	for _, hex := range []string{"", "#ffffff", "#000000", "#3050c0"} {
		t.Run(hex, func(t *testing.T) {
			t.Parallel()
			req := req
			req.Values = map[string]any{"maskType": "autoSubjectSegment", "backgroundHex": hex}
			seen := map[string]int{}
			for i := range 16 {
				req.Item = i
				out, err := Render(t.Context(), req, seg)
				if err != nil {
					t.Fatal(err)
				}
				if first, ok := seen[string(out.Pix)]; ok {
					t.Errorf("items %d and %d are the same picture", first, i)
				}
				seen[string(out.Pix)] = i
				if out.NRGBAAt(120, 110) != src.NRGBAAt(120, 110) {
					t.Errorf("item %d: the middle of the ball changed", i)
				}
				back := color.NRGBA{}
				if hex != "" {
					back, _ = hexColour(hex)
				}
				for y := range 220 {
					for x := range 240 {
						// Between the ball's red and the new background there is no green.
						c := out.NRGBAAt(x, y)
						most := max(60, int(back.G)) + 30
						if hex == "#ffffff" {
							most = max(int(c.B), 60) + 30
						}
						if c.A > 40 && int(c.G) > most {
							t.Fatalf("item %d: at (%d,%d) there is a halo of %v", i, x, y, c)
						}
					}
				}
			}
		})
	}
}

func TestEdgesOfItemsDoWhatTheySay(t *testing.T) {
	t.Parallel()
	req := Request{Agent: "removeBG", Original: ball(240, 220), Values: map[string]any{"maskType": "autoSubjectSegment"}}
	seg, err := Segment(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	var between, cover [4]int
	for i := range 4 {
		req.Item = i
		out, err := Render(t.Context(), req, seg)
		if err != nil {
			t.Fatal(err)
		}
		for n := 3; n < len(out.Pix); n += 4 {
			cover[i] += int(out.Pix[n])
			if a := out.Pix[n]; a > 0 && a < 255 {
				between[i]++
			}
		}
	}
	if between[1] >= between[0] {
		t.Errorf("the crisper edge has %d soft pixels, the balanced one %d", between[1], between[0])
	}
	if between[2] <= between[0] {
		t.Errorf("the softer edge has %d soft pixels, the balanced one %d", between[2], between[0])
	}
	if cover[3] >= cover[0] {
		t.Errorf("the tighter cut-out covers %d, the balanced one %d", cover[3], cover[0])
	}
}

func TestPaintedPixelsStayWholeInEveryItem(t *testing.T) {
	t.Parallel()
	src, m := still(120, 110), painted(120, 110)
	req := Request{Agent: "removeBG", Original: src, CustomMask: m, Count: 4, Values: map[string]any{"maskType": "custom"}}
	seg, err := Segment(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for i := range 4 {
		req.Item = i
		out, err := Render(t.Context(), req, seg)
		if err != nil {
			t.Fatal(err)
		}
		wantKept(t, out, src, m)
		seen[string(out.Pix)] = true
	}
	if len(seen) != 4 {
		t.Errorf("four items are %d different pictures", len(seen))
	}
}

// strapped is a cut-out of a grey block with a strap six pixels wide to its left.
func strapped() Segmentation {
	cut := image.NewNRGBA(image.Rect(0, 0, 900, 900))
	for _, r := range []image.Rectangle{image.Rect(350, 300, 650, 800), image.Rect(50, 500, 350, 506)} {
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				cut.SetNRGBA(x, y, color.NRGBA{90, 90, 90, 255})
			}
		}
	}
	return Segmentation{Foreground: cut}
}

func TestNoItemOfACutOutLosesAStrapOrHasAHalo(t *testing.T) {
	t.Parallel()
	seg := strapped()
	seen := map[string]int{}
	for i := range 16 {
		out := seg.edged(nil, i)
		if first, ok := seen[string(out.Pix)]; ok {
			t.Errorf("items %d and %d are the same picture", first, i)
		}
		seen[string(out.Pix)] = i
		for x := 52; x < 352; x++ {
			if a := max(out.NRGBAAt(x, 502).A, out.NRGBAAt(x, 503).A); a < 200 {
				t.Errorf("item %d: at %d the strap covers %d", i, x, a)
				break
			}
		}
		for y := 320; y < 780; y++ {
			if a := out.NRGBAAt(659, y).A; a > 6 {
				t.Errorf("item %d: ten pixels beside the block %d is left at %d", i, a, y)
				break
			}
		}
	}
}
