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
	from    float64 // the second of the first frame
	until   float64 // the second of the last
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
	until       float64 // the second until which it kept its place
	seen        int
}

const (
	leastFound = 3   // how often a line must be told from the picture
	leastStays = 1.0 // seconds that it keeps its place, or half of a shorter film: what looks like letters on who is filmed moves on
	longest    = 6.0 // seconds before and after in which it may stand without being told
)

// NewTitles prepares to look for lines; scenery are bright strokes that belong to the film (Survey.Scenery).
func NewTitles(scenery mask.Plane) *Titles { return &Titles{scenery: scenery} }

// Add takes in the frame of a second; frames come in order.
func (t *Titles) Add(img *image.NRGBA, second float64) {
	g := flow.GrayOf(img, Side)
	if len(t.recent) == 0 {
		t.from = second
	}
	t.until = second
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
	for _, l := range t.lines {
		if second-l.until < leastStays && l.keepsPlace(g) {
			l.until = second
		}
	}
	for _, box := range letters(t.recent[i-outlast], g, t.recent[i+outlast], bright, t.scenery) {
		if l := t.known(g, box, second); l != nil {
			l.last = second
			l.seen++
			continue
		}
		l := &line{box: box, first: second, last: second, until: second, seen: 1}
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
	return slices.ContainsFunc(t.lines, t.told) ||
		slices.ContainsFunc(t.standing, func(s *standing) bool { return s.seen >= leastLooks })
}

// told reports whether a line was told from the picture often and long enough.
func (t *Titles) told(l *line) bool {
	return l.seen >= leastFound && l.until-l.first >= min(leastStays, (t.until-t.from)/2)
}

// stands reports whether the letters of the line are in a frame.
func (l *line) stands(g *flow.Gray) bool { return l.share(g, image.Point{}, 1) >= 0.75 }

// keepsPlace reports whether the letters are in a frame, and just where they were.
func (l *line) keepsPlace(g *flow.Gray) bool {
	const sampled = 300
	each := max(1, len(l.at)/sampled)
	return unmoved(func(by image.Point) float64 { return l.share(g, by, each) })
}

// share is the part of the letters' strokes that a frame shows at an offset; each n-th pixel of them is looked at.
func (l *line) share(g *flow.Gray, by image.Point, each int) float64 {
	kept, all := 0, 0
	for i := 0; i < len(l.at); i += each {
		all++
		k := l.at[i] + by.Y*g.W + by.X
		if k < 0 || k >= len(g.Pix) {
			continue
		}
		if d := g.Pix[k] - l.light[i]; d < 24 && d > -24 {
			kept++
		}
	}
	return float64(kept) / float64(max(1, all))
}

// in gives the lines that stand in a frame of the film, in its pixels.
func (t *Titles) in(img *image.NRGBA, second float64) []image.Rectangle {
	var out []image.Rectangle
	var g *flow.Gray
	w, h := img.Rect.Dx(), img.Rect.Dy()
	for _, l := range t.lines {
		if !t.told(l) || second < l.first-longest || second > l.last+longest {
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
