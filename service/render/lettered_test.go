package render

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"strings"
	"testing"
)

// changedIn is the smallest rectangle with all pixels that differ between two pictures of one size.
func changedIn(a, b *image.NRGBA) (r image.Rectangle) {
	for i := 0; i < len(a.Pix); i += 4 {
		if apartBy(a.Pix[i:i+3], b.Pix[i:i+3]) > 0 {
			x, y := i/4%a.Rect.Dx(), i/4/a.Rect.Dx()
			r = r.Union(image.Rect(x, y, x+1, y+1))
		}
	}
	return r
}

// A drawn chart has each step's words in its box and each passage's arrow between two boxes.
func TestADrawnChartShowsItsWordsAndArrows(t *testing.T) {
	t.Parallel()
	steps := []string{"Order", "In stock?", "Pack", "Ship", "Wait"}
	draw := func(item, other int) (*image.NRGBA, plan) {
		said := append([]string(nil), steps...)
		if other >= 0 {
			said[other] = strings.Repeat("x", len(said[other])-1) + said[other][len(said[other])-1:]
		}
		text := fmt.Sprintf("%s -> %s -> %s -> %s\n%s -> %s", said[0], said[1], said[2], said[3], said[1], said[4])
		return drawIt(t, Request{Agent: "flowchart-generator", Item: item, Count: 4, Values: map[string]any{"textDescription": text}}), readChart(text).lay(1)
	}
	for item := range 2 {
		out, p := draw(item, -1)
		for i, said := range steps {
			other, _ := draw(item, i)
			if changed := changedIn(out, other); !changed.In(p.boxes[i]) || changed.Dx() < 20 {
				t.Errorf("item %d: other words for %q change %v, its box is %v", item, said, changed, p.boxes[i])
			}
		}
		paper := lightOf(out.Pix)
		dark := func(x, y float64) bool { return paper-lightOf(out.Pix[out.PixOffset(int(x), int(y)):]) > 60 }
		if paper < 128 {
			dark = func(x, y float64) bool { return lightOf(out.Pix[out.PixOffset(int(x), int(y)):])-paper > 60 }
		}
		for _, r := range p.lines {
			last, end := r.way[len(r.way)-2], r.way[len(r.way)-1]
			if last.x != end.x {
				t.Fatalf("the passage %v comes in from the side", r.passage)
			}
			up := 1.0
			if end.y < last.y {
				up = -1
			}
			head, shaft := end.y-12*up, (end.y+last.y)/2-4*up
			if !dark(end.x, head) || !dark(end.x-4, head) || !dark(end.x+4, head) {
				t.Errorf("item %d: the passage %v has no head at its end", item, r.passage)
			}
			if !dark(last.x, shaft) || dark(last.x-6, shaft) || dark(last.x+6, shaft) {
				t.Errorf("item %d: the passage %v has no shaft", item, r.passage)
			}
		}
	}
}

// A poster's text stands within its place whole, in letters that can be read, or is refused.
func TestAPosterSaysAllOfItsText(t *testing.T) {
	t.Parallel()
	paper := color.NRGBA{255, 255, 255, 255}
	for _, size := range []image.Point{{1024, 439}, {576, 1024}} {
		w, h := size.X, size.Y
		for layout, area := range []image.Rectangle{
			image.Rect(w/20, h*6/10, w*19/20, h*95/100), image.Rect(w*11/20, h/20, w*19/20, h*19/20), image.Rect(w/20, h*76/100, w*19/20, h*96/100),
		} {
			for _, n := range []int{40, 500, 6000} {
				write := func(last string) (*board, error) {
					text := "Sales. Half of it online. " + strings.Repeat("word ", n/5) + last
					b := &board{img: plain(w, h, paper), req: Request{Values: map[string]any{"textDescription": text}}, words: readCopy(text), p: palettes[0]}
					return b, b.set(area, color.NRGBA{20, 20, 20, 255}, false, true)
				}
				a, err := write("alpha")
				var u *UnseenError
				switch {
				case errors.As(err, &u) && n > 40:
					if !strings.Contains(u.Error(), fmt.Sprintf("%d letters", n+31)) || changedIn(a.img, plain(w, h, paper)) != (image.Rectangle{}) {
						t.Errorf("%v, layout %d, %d letters: %v", size, layout, n, u)
					}
					continue
				case err != nil:
					t.Errorf("%v, layout %d, %d letters: %v", size, layout, n, err)
					continue
				case n == 6000:
					t.Errorf("%v, layout %d: %d letters are said to fit", size, layout, n)
				}
				if ink := changedIn(a.img, plain(w, h, paper)); !ink.In(area.Inset(-3)) {
					t.Errorf("%v, layout %d, %d letters: written in %v, beyond %v", size, layout, n, ink, area)
				}
				if b, err := write("omega"); err != nil || changedIn(a.img, b.img).Empty() {
					t.Errorf("%v, layout %d, %d letters: the last word is missing, %v", size, layout, n, err)
				}
			}
		}
	}
}

func TestAStatementThatIsTooLongIsRefusedWhole(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("long ", 500)
	for agent, text := range map[string]string{
		"ai-infographic-generator": "Tea: " + long + "50%",
		"flowchart-generator":      "Begin -> " + long + " -> End",
		"ai-poster":                "Sales. " + strings.Repeat(long, 10),
	} {
		_, err := Render(t.Context(), Request{Agent: agent, Values: map[string]any{"textDescription": text}, Files: map[string][]*image.NRGBA{"images": {still(64, 64)}}}, Segmentation{})
		if u := (*UnseenError)(nil); !errors.As(err, &u) || !strings.Contains(u.Error(), "Shorten it") {
			t.Errorf("%s of %d letters: %v", agent, len(text), err)
		}
	}
}
