package segment

import (
	"context"
	"fmt"
	"image"
	"math"
	"slices"

	"atelier/imaging/net"
)

// Rect is a region of the picture in its own pixels, half open: Min is inside, Max is not.
type Rect = image.Rectangle

// face is a circle from brows to chin: its centre and diameter in pixels of a canvas.
type face struct{ x, y, size float64 }

// faceOf is the circle of a face that the detector found, whose box begins above the brows; both were compared on
// photographs.
func faceOf(f net.Face, scale float64) face {
	const wider, higher = 1.11, 0.08
	return face{f.X / scale, (f.Y - higher*f.H) / scale, wider * f.W / scale}
}

// scaled is the face on a canvas k times as large.
func (f face) scaled(k float64) face { return face{f.x * k, f.y * k, f.size * k} }

func (f face) rect(k float64, bounds Rect) Rect {
	r := f.size / 2
	low := func(v float64) int { return int(math.Floor((v - r) * k)) }
	high := func(v float64) int { return int(math.Ceil((v + r) * k)) }
	return image.Rect(low(f.x), low(f.y), high(f.x), high(f.y)).
		Add(bounds.Min).Intersect(bounds)
}

// inside reports whether a point lies in the face itself: between brows and chin, without hair, ears or what is beside
// them.
func (f face) inside(x, y float64) bool {
	const across, down = 0.36, 0.44 // of its diameter, to each side
	return math.Hypot((x-f.x)/(across*f.size), (y-f.y)/(down*f.size)) < 1
}

// person holds what was found of one person, in pixels of the coarse canvas.
type person struct {
	body     net.Region // where the joints are looked for, on the networks' picture
	joints   net.Joints
	face     face
	shown    bool              // the face was found; otherwise it is where the joints have it
	oval     []net.Point       // the edge of a shown face that is large enough for landmarks
	mask     []float32         // the joints network's own chance of each pixel to show the person
	shoulder net.Point         // the middle of the shoulders
	down     net.Point         // the unit vector from there to the middle of the hips
	trunk    float64           // the length from there to the hips, in pixels
	limbs    [2][2][]net.Point // arms and legs, from the trunk to their ends
}

const (
	armLimbs = iota
	legLimbs
)

const (
	// mostPeople is how many people the joints are looked for of: each takes a run of the network.
	mostPeople = 4
	// faceMesh is the least presence of landmarks for a face: heads from behind have next to none.
	faceMesh = 0.5
	// smallFace is the share of the picture's height below which the mesh is too coarse to doubt a face.
	smallFace = 0.08
	// presentFrom is the presence of joints from which they show a person without a face.
	presentFrom = 0.5
	// bodyMargin is added around what was seen of a person, for the joints.
	bodyMargin = 1.15
)

// foundFace is a face that was found, and its edge where it is large enough for landmarks.
type foundFace struct {
	net.Face
	oval []net.Point
}

// findFaces finds the faces in the picture, the largest first: in all of it and, where none of them is large, in the
// upper half of what was seen.
func (s *scene) findFaces(l look) []foundFace {
	// The detector hardly sees faces below a tenth of what it looks at.
	const large = 0.12
	p, scale := s.picture()
	found := net.Faces(p, p.Whole())
	var box Rect
	if l.chance != nil {
		box = boxAround(l.chance, s.cut.w, s.cut.h)
	}
	if !box.Empty() && !slices.ContainsFunc(found, func(f net.Face) bool { return f.H > large*float64(p.H) }) {
		box.Max.Y = box.Min.Y + max(box.Dy()/2, min(box.Dx(), box.Dy()))
		for _, f := range net.Faces(p, regionOf(widened(box, nearMargin), scale)) {
			if !slices.ContainsFunc(found, f.Overlaps) {
				found = append(found, f)
			}
		}
	}
	var out []foundFace
	for _, f := range found {
		o := foundFace{Face: f}
		if f.H > smallFace*float64(p.H) {
			marks := net.LandmarksOf(p, f)
			if marks.Presence < faceMesh {
				continue
			}
			o.oval = marks.Oval()
		}
		out = append(out, o)
	}
	slices.SortStableFunc(out, func(a, b foundFace) int { return int(b.W - a.W) })
	return out
}

// findPeople finds those who show a face, or by their joints one who does not.
func (s *scene) findPeople(l look) []person {
	// How far a body reaches from its face, in its sides.
	const below, across = 3.4, 10
	w, h := s.cut.w, s.cut.h
	_, scale := s.picture()
	found := s.findFaces(l)
	box := boxAround(l.chance, w, h)
	if len(found) > 1 {
		var out []person
		for _, f := range found[:min(len(found), mostPeople)] {
			p := person{body: net.Region{X: f.X, Y: f.Y + below*f.H, W: across * f.W, H: across * f.H}}
			p.show(f, scale)
			out = append(out, p)
		}
		return out
	}
	if box.Empty() {
		if len(found) == 0 {
			return nil
		}
		box = image.Rect(0, 0, w, h)
	}
	p := person{body: regionOf(box, scale).Square().Scaled(bodyMargin)}
	if len(found) == 1 {
		p.show(found[0], scale)
	} else {
		s.findBody(&p)
	}
	return []person{p}
}

// show takes over a face that was found on the fine canvas, which is scale times as large as the coarse one.
func (p *person) show(f foundFace, scale float64) {
	p.face, p.shown = faceOf(f.Face, scale), true
	for _, q := range f.oval {
		p.oval = append(p.oval, net.Point{X: q.X / scale, Y: q.Y / scale})
	}
}

// faceAt reports whether a point lies within the edge of the person's face.
func (p *person) faceAt(x, y float64) bool {
	in := false
	for i, a := range p.oval {
		b := p.oval[(i+1)%len(p.oval)]
		if (a.Y > y) != (b.Y > y) && x < a.X+(y-a.Y)/(b.Y-a.Y)*(b.X-a.X) {
			in = !in
		}
	}
	return in
}

// findBodies finds the joints of everybody, once.
func (s *scene) findBodies(ctx context.Context) error {
	for i := range s.people {
		if s.people[i].mask == nil {
			s.findBody(&s.people[i])
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// findBody finds the joints of a person.
func (s *scene) findBody(p *person) {
	pic, scale := s.picture()
	joints, grid := net.JointsOf(pic, p.body)
	p.joints, p.mask = joints, spreadOver(grid, p.body.Square(), scale, s.cut.w, s.cut.h)
	for i, j := range joints.At {
		p.joints.At[i].X, p.joints.At[i].Y = j.X/scale, j.Y/scale
	}
	shown := p.face
	if p.measure(); p.shown {
		p.face = shown
	}
}

// measure takes the lengths of the body, and where it has its face.
func (p *person) measure() {
	// The head of most people, in lengths of their trunk.
	const head = 0.36
	at := func(i int) net.Point { return p.joints.At[i].Point }
	p.shoulder = middle(at(net.LeftShoulder), at(net.RightShoulder))
	hips := middle(at(net.LeftHip), at(net.RightHip))
	dx, dy := hips.X-p.shoulder.X, hips.Y-p.shoulder.Y
	p.trunk = max(math.Hypot(dx, dy), 4)
	p.down = net.Point{X: dx / p.trunk, Y: dy / p.trunk}
	p.face = face{at(net.Nose).X, at(net.Nose).Y, head * p.trunk}
	p.limbs[armLimbs] = [2][]net.Point{
		{at(net.LeftShoulder), at(net.LeftElbow), at(net.LeftWrist)},
		{at(net.RightShoulder), at(net.RightElbow), at(net.RightWrist)},
	}
	p.limbs[legLimbs] = [2][]net.Point{
		{at(net.LeftHip), at(net.LeftKnee), at(net.LeftAnkle), at(net.LeftToe)},
		{at(net.RightHip), at(net.RightKnee), at(net.RightAnkle), at(net.RightToe)},
	}
}

func middle(a, b net.Point) net.Point { return net.Point{X: (a.X + b.X) / 2, Y: (a.Y + b.Y) / 2} }

// place is where a pixel lies on a body, in lengths of its trunk.
type place struct {
	across, down float64    // from the middle of the shoulders
	off          [2]float64 // from the nearest arm, and leg
	along        [2]float64 // how far along it: 1 is elbow or knee, 2 wrist or ankle
	end          [2]float64 // from the nearest wrist, and from the nearest ankle or toe
}

func (p *person) place(x, y float64) (at place) {
	dx, dy := x-p.shoulder.X, y-p.shoulder.Y
	at.down = (dx*p.down.X + dy*p.down.Y) / p.trunk
	at.across = math.Abs(dx*p.down.Y-dy*p.down.X) / p.trunk
	for limb, both := range p.limbs {
		at.off[limb], at.end[limb] = math.Inf(1), math.Inf(1)
		for _, line := range both {
			for n := range len(line) - 1 {
				d, t := fromSegment(x, y, line[n], line[n+1])
				if d /= p.trunk; d < at.off[limb] {
					at.off[limb], at.along[limb] = d, float64(n)+t
				}
			}
			for _, q := range line[2:] {
				at.end[limb] = min(at.end[limb], math.Hypot(x-q.X, y-q.Y)/p.trunk)
			}
		}
	}
	return at
}

// distance is about how far a pixel is from the body, in lengths of its trunk.
func (at place) distance() float64 {
	return min(at.off[armLimbs], at.off[legLimbs], math.Hypot(at.across, max(0, -at.down, at.down-1)))
}

// fromSegment is the distance of a point from the line between two others, and how far along it is nearest, 0 to 1.
func fromSegment(x, y float64, a, b net.Point) (distance, along float64) {
	dx, dy := b.X-a.X, b.Y-a.Y
	if n := dx*dx + dy*dy; n > 0 {
		along = min(max(((x-a.X)*dx+(y-a.Y)*dy)/n, 0), 1)
	}
	return math.Hypot(x-a.X-along*dx, y-a.Y-along*dy), along
}

// Faces finds the faces of a picture's people, largest first, and nothing else: what a video is followed by, frame
// after frame. The only error is a picture without pixels.
func Faces(img *image.NRGBA) ([]Rect, error) {
	s, err := sceneOf(img)
	if err != nil {
		return nil, fmt.Errorf("find faces: %w", err)
	}
	_, scale := s.picture()
	var out []Rect
	for _, f := range s.findFaces(look{}) {
		out = append(out, faceOf(f.Face, scale).rect(s.zoom, img.Bounds()))
	}
	return out, nil
}

// Standing returns the places, in pixels of a picture, of those who are seen in it, small ones too and in doubt rather
// one too many, the largest first: the network looks at both halves of the picture and at its middle. Who touches
// another is one place with them. The only errors are a picture without pixels and the context's.
func Standing(ctx context.Context, img *image.NRGBA) ([]Rect, error) {
	const (
		steps = 3     // of half a width, from left to right
		least = 0.001 // of the picture, for a place
		grown = 0.1   // of its sides, since the network sees less of small ones
	)
	s, err := sceneOf(img)
	if err != nil {
		return nil, fmt.Errorf("find who stands: %w", err)
	}
	w, h := s.cut.w, s.cut.h
	labels := make([]uint8, w*h)
	pic, scale := s.picture()
	for n := range steps {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("find who stands: %w", err)
		}
		r := regionOf(image.Rect(n*w/(2*(steps-1)), 0, n*w/(2*(steps-1))+w/2, h), scale)
		for i, p := range spreadOver(net.People(pic, r), r, scale, w, h) {
			if p > seen {
				labels[i] = 1
			}
		}
	}
	var out []Rect
	for _, p := range pieces(labels, w, h) {
		if p.label == 0 || float64(len(p.pixels)) < least*float64(w*h) {
			continue
		}
		var box Rect
		for _, i := range p.pixels {
			box = box.Union(image.Rect(int(i)%w, int(i)/w, int(i)%w+1, int(i)/w+1))
		}
		r := regionOf(widened(box, grown), s.zoom)
		place := image.Rect(int(r.X-r.W/2), int(r.Y-r.H/2), int(r.X+r.W/2), int(r.Y+r.H/2))
		out = append(out, place.Intersect(image.Rectangle{Max: img.Bounds().Size()}))
	}
	slices.SortStableFunc(out, func(a, b Rect) int { return b.Dx()*b.Dy() - a.Dx()*a.Dy() })
	return out, nil
}
