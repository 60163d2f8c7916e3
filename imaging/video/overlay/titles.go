package overlay

import (
	"image"
	"slices"

	"atelier/imaging/mask"
	"atelier/imaging/video/flow"
)

// Titles are the lines of letters that stand in a film or come and go. They are looked for in a pass of its own, since a line that
// is told from the picture in some frames only has to be taken out of all it stands in.
type Titles struct {
	scenery mask.Plane
	recent  []*flow.Gray // the last frames, for comparison
	seconds []float64
	lines   []*line

	standing []*standing
	looks    []float64 // the seconds at which standing letters were looked for
}

// TitleRate is how many frames a second Titles wants to see at most.
const TitleRate = 12

// line is one line of letters: where it stands, and the brightness of its strokes.
type line struct {
	box         image.Rectangle // in pixels of the gray picture
	at          []int
	light       []float32
	first, last float64 // seconds at which it was told from the picture
	seen        int
}

const (
	leastFound = 3   // how often a line must be told from the picture
	longest    = 6.0 // seconds before and after in which it may stand without being told
)

// NewTitles prepares to look for lines; scenery are bright strokes that belong to the film (Survey.Scenery).
func NewTitles(scenery mask.Plane) *Titles { return &Titles{scenery: scenery} }

// Add takes in the frame of a second; frames come in order.
func (t *Titles) Add(img *image.NRGBA, second float64) {
	g := flow.GrayOf(img, Side)
	t.lookForStanding(img, g, second)
	t.recent, t.seconds = append(t.recent, g), append(t.seconds, second)
	if len(t.recent) > 2*outlast+1 {
		t.recent, t.seconds = t.recent[1:], t.seconds[1:]
	}
	if len(t.recent) == 2*outlast+1 {
		t.look(outlast)
	}
}

// look finds the lines of the recent frame i.
func (t *Titles) look(i int) {
	g, second := t.recent[i], t.seconds[i]
	bright := strokes(g)
	for _, box := range letters(t.recent[i-outlast], g, t.recent[i+outlast], bright, t.scenery) {
		if l := t.known(g, box, second); l != nil {
			l.last = second
			l.seen++
			continue
		}
		l := &line{box: box, first: second, last: second, seen: 1}
		for y := box.Min.Y; y < box.Max.Y; y++ {
			for x := box.Min.X; x < box.Max.X; x++ {
				if k := y*g.W + x; bright.Pix[k] != 0 {
					l.at, l.light = append(l.at, k), append(l.light, g.Pix[k])
				}
			}
		}
		t.lines = append(t.lines, l)
	}
}

// known is the line that stands at a place already, nil when there is none.
func (t *Titles) known(g *flow.Gray, box image.Rectangle, second float64) *line {
	for _, l := range t.lines {
		common := l.box.Intersect(box)
		if second-l.last < longest && 2*common.Dx()*common.Dy() > box.Dx()*box.Dy() && l.stands(g) {
			return l
		}
	}
	return nil
}

// Found reports whether any letters stand in the film or come and go in it.
func (t *Titles) Found() bool {
	return slices.ContainsFunc(t.lines, func(l *line) bool { return l.seen >= leastFound }) ||
		slices.ContainsFunc(t.standing, func(s *standing) bool { return s.seen >= leastLooks })
}

// stands reports whether the letters of the line are in a frame.
func (l *line) stands(g *flow.Gray) bool {
	kept := 0
	for i, k := range l.at {
		if k >= len(g.Pix) {
			return false
		}
		if d := g.Pix[k] - l.light[i]; d < 24 && d > -24 {
			kept++
		}
	}
	return len(l.at) > 0 && 4*kept >= 3*len(l.at)
}

// in gives the lines that stand in a frame of the film, in its pixels.
func (t *Titles) in(img *image.NRGBA, second float64) []image.Rectangle {
	var out []image.Rectangle
	var g *flow.Gray
	w, h := img.Rect.Dx(), img.Rect.Dy()
	for _, l := range t.lines {
		if l.seen < leastFound || second < l.first-longest || second > l.last+longest {
			continue
		}
		if g == nil {
			g = flow.GrayOf(img, Side)
		}
		if l.stands(g) {
			b := l.box
			out = append(out, image.Rect(b.Min.X*w/g.W, b.Min.Y*h/g.H, b.Max.X*w/g.W+1, b.Max.Y*h/g.H+1))
		}
	}
	return out
}
