package render

import (
	_ "embed"
	"encoding/binary"
	"image"
	"math"
	"slices"
	"sync"

	"atelier/imaging/compose"
	"atelier/imaging/video/flow"
)

//go:embed landmark-eye
var eyeTrees []byte

//go:embed landmark-mouth
var mouthTrees []byte

// landmark finds one place of a face: decision trees that compare pixels move a guess towards it, in stages that look ever
// closer.
type landmark struct {
	stages, trees, leaves int
	closer                float64   // how much smaller each stage's reach is than the one before
	pairs                 []int8    // of each node: row and column of two pixels, in 256ths of the reach
	moves                 []float32 // of each leaf: rows and columns, in reaches
}

var (
	eyeMark   = sync.OnceValue(func() landmark { return readLandmark(eyeTrees) })
	mouthMark = sync.OnceValue(func() landmark { return readLandmark(mouthTrees) })
)

// readLandmark reads a cascade as the embedded files hold them.
func readLandmark(file []byte) landmark {
	word := func() uint32 {
		v := binary.LittleEndian.Uint32(file)
		file = file[4:]
		return v
	}
	m := landmark{stages: int(word()), closer: float64(math.Float32frombits(word())), trees: int(word())}
	m.leaves = 1 << word()
	for range m.stages * m.trees {
		for _, v := range file[:4*(m.leaves-1)] {
			m.pairs = append(m.pairs, int8(v))
		}
		file = file[4*(m.leaves-1):]
		for range 2 * m.leaves {
			m.moves = append(m.moves, math.Float32frombits(word()))
		}
	}
	return m
}

// from follows the trees from a guess with a reach, in a face whose eyes lie along a direction of length one; mirrored, for what lies
// on the other side of a face.
func (m landmark) from(g *flow.Gray, at, along spot, reach float64, mirrored bool) spot {
	side := 1.0
	if mirrored {
		side = -1
	}
	moved := func(across, below float64) spot {
		return spot{at.x + reach*(side*across*along.x-below*along.y), at.y + reach*(side*across*along.y+below*along.x)}
	}
	seen := func(pair []int8) float32 {
		p := moved(float64(pair[1])/256, float64(pair[0])/256)
		return g.Pix[max(0, min(g.H-1, int(p.y)))*g.W+max(0, min(g.W-1, int(p.x)))]
	}
	for tree := 0; tree < m.stages*m.trees; {
		move := spot{}
		for range m.trees {
			nodes, n := m.pairs[tree*4*(m.leaves-1):], 0
			for n < m.leaves-1 {
				pair := nodes[4*n : 4*n+4]
				n = 2*n + 1
				if seen(pair[:2]) > seen(pair[2:]) {
					n++
				}
			}
			leaf := m.moves[2*(tree*m.leaves+n-(m.leaves-1)):]
			move.x, move.y = move.x+float64(leaf[1]), move.y+float64(leaf[0])
			tree++
		}
		at = moved(move.x, move.y)
		reach *= m.closer
	}
	return at
}

// find is the middle of what the trees find from many guesses around one, and how far apart the half of them lie that lie closest
// together.
func (m landmark) find(g *flow.Gray, at, along spot, reach float64, mirrored bool) (middle spot, spread float64) {
	const side = 5 // guesses to a row
	var xs, ys []float64
	for i := range side * side {
		dx, dy := float64(i%side)/(side-1)-0.5, float64(i/side)/(side-1)-0.5
		p := m.from(g, spot{at.x + 0.16*dx*reach, at.y + 0.16*dy*reach}, along, reach*(0.92+0.04*float64(i%5)), mirrored)
		xs, ys = append(xs, p.x), append(ys, p.y)
	}
	slices.Sort(xs)
	slices.Sort(ys)
	n := len(xs)
	return spot{xs[n/2], ys[n/2]}, math.Max(xs[n*3/4]-xs[n/4], ys[n*3/4]-ys[n/4])
}

// features are where eyes and mouth lie in a picture, told from the square a face was found in.
type features struct {
	left, right, mouth spot // the eyes by the viewer's sides
}

// featuresOf finds eyes and the corners of the mouth by what they look like in any face. What is found where no face has
// it is looked for by colour.
func featuresOf(img *image.NRGBA, face image.Rectangle) features {
	guess := byColour(img, face)
	around := face.Inset(-face.Dx() / 3)
	if face.Dx() < 16 || face.Dy() < 16 || !face.Overlaps(img.Rect) {
		return guess
	}
	window := compose.Window(img, around)
	g := flow.GrayOf(window, 320)
	k := float64(g.W) / float64(around.Dx())
	size := k * float64(face.Dx()+face.Dy()) / 2
	cx, cy := k*float64(face.Min.X+face.Max.X-2*around.Min.X)/2, k*float64(face.Min.Y+face.Max.Y-2*around.Min.Y)/2
	f := features{}
	var far [2]float64
	f.left, far[0] = eyeMark().find(g, spot{cx - 0.18*size, cy - 0.08*size}, spot{1, 0}, 0.25*size, false)
	f.right, far[1] = eyeMark().find(g, spot{cx + 0.18*size, cy - 0.08*size}, spot{1, 0}, 0.25*size, false)
	s := f.span()
	lean := math.Abs(f.right.y - f.left.y)
	if s < 0.24*size || s > 0.56*size || lean > 0.4*s || math.Max(far[0], far[1]) > 0.1*size {
		return guess
	}
	along := spot{(f.right.x - f.left.x) / s, (f.right.y - f.left.y) / s}
	corner, apart := mouthMark().find(g, f.at(0.15, 0.25), along, 3*s, false)
	other, apart2 := mouthMark().find(g, f.at(-0.15, 0.25), along, 3*s, true)
	back := func(p spot) spot { return spot{p.x/k + float64(around.Min.X), p.y/k + float64(around.Min.Y)} }
	mouth := spot{(corner.x + other.x) / 2, (corner.y + other.y) / 2}
	f = features{left: back(f.left), right: back(f.right), mouth: back(mouth)}
	below := f.below(f.mouth)
	if below.y < 0.7 || below.y > 1.6 || math.Abs(below.x) > 0.5 || math.Max(apart, apart2) > 0.3*s {
		f.mouth = guess.mouth
		if below = f.below(f.mouth); below.y < 0.7 || below.y > 1.6 || math.Abs(below.x) > 0.5 {
			f.mouth = f.at(0, 1.1)
		}
	}
	return f
}

// below is how far a place lies across and below the middle of the eyes, in spans: what at takes.
func (f features) below(p spot) spot {
	s := math.Max(1, f.span())
	ux, uy := (f.right.x-f.left.x)/s, (f.right.y-f.left.y)/s
	dx, dy := p.x-(f.left.x+f.right.x)/2, p.y-(f.left.y+f.right.y)/2
	return spot{(dx*ux + dy*uy) / s, (dy*ux - dx*uy) / s}
}

// byColour takes the darkest places for the eyes and the reddest for the mouth, where a face has them.
func byColour(img *image.NRGBA, face image.Rectangle) features {
	w, h := float64(face.Dx()), float64(face.Dy())
	find := func(x0, y0, x1, y1 float64, weight func(p []uint8) float64) spot {
		cx, cy := float64(face.Min.X)+(x0+x1)/2*w, float64(face.Min.Y)+(y0+y1)/2*h
		var sx, sy, total float64
		for y := float64(face.Min.Y) + y0*h; y < float64(face.Min.Y)+y1*h; y++ {
			for x := float64(face.Min.X) + x0*w; x < float64(face.Min.X)+x1*w; x++ {
				if !image.Pt(int(x), int(y)).In(img.Rect) {
					continue
				}
				dx, dy := (x-cx)/((x1-x0)*w/2), (y-cy)/((y1-y0)*h/2)
				v := weight(img.Pix[img.PixOffset(int(x), int(y)):]) * math.Max(0, 1.2-dx*dx-dy*dy)
				sx, sy, total = sx+v*x, sy+v*y, total+v
			}
		}
		if total < 1e-9 {
			return spot{cx, cy}
		}
		return spot{sx / total, sy / total}
	}
	dark := func(p []uint8) float64 { return math.Pow(1-lightOf(p)/255, 8) }
	red := func(p []uint8) float64 {
		lab := compose.Lab(p[0], p[1], p[2])
		return math.Pow(math.Max(0, lab[1]), 3)
	}
	return features{
		left: find(0.14, 0.27, 0.46, 0.52, dark), right: find(0.54, 0.27, 0.86, 0.52, dark),
		mouth: find(0.28, 0.66, 0.72, 0.94, red),
	}
}

// span is the distance between the eyes.
func (f features) span() float64 { return math.Hypot(f.right.x-f.left.x, f.right.y-f.left.y) }

// at is the place across and below the middle of the eyes, in spans, along the face's own directions.
func (f features) at(across, below float64) spot {
	s := math.Max(1, f.span())
	ux, uy := (f.right.x-f.left.x)/s, (f.right.y-f.left.y)/s
	return spot{
		(f.left.x+f.right.x)/2 + s*(across*ux-below*uy),
		(f.left.y+f.right.y)/2 + s*(across*uy+below*ux),
	}
}
