package render

import (
	"image"
	"math"

	"atelier/imaging/compose"
	"atelier/imaging/mask"
	"atelier/imaging/net"
)

// spot is a position in a picture, in pixels.
type spot struct{ x, y float64 }

// The bones of a figure. Left and right are the viewer's.
const (
	boneTorso = iota
	boneHips
	boneHead
	boneLeftArm
	boneLeftHand
	boneRightArm
	boneRightHand
	boneLeftThigh
	boneLeftShank
	boneRightThigh
	boneRightShank
	boneCount
)

// bone is a part of the body that moves as one: a line about whose first end it turns.
type bone struct {
	from, to spot
	parent   int // -1 for the root
}

// skeleton is where the bones of a figure lie, told by its face and its outline.
type skeleton struct {
	bones [boneCount]bone
	head  float64 // the height of the face, which measures everything
	legs  bool    // visible to below the knees
	free  [2]bool // whether the left and the right arm stand off the body
	cut   [3]bool // whether the frame cuts the figure off below, on the left and on the right
}

// hipsBelow is how far hips usually are below the shoulders, in heights of the face.
const hipsBelow = 2.15

// skeletonOf finds the bones of a figure: where its joints were seen among those of all bodies in the picture, and
// otherwise in its matte. Without joints and face it goes by the proportions of a standing person.
func skeletonOf(matte mask.Plane, face image.Rectangle, bodies []net.Joints) skeleton {
	s := outlinedSkeleton(matte, face)
	if seen := bodyOf(matte, face, bodies); seen != nil {
		s.follow(seen)
		for side, bones := range armBones {
			elbow, hand := s.bones[bones[1]].from, s.bones[bones[1]].to
			s.free[side] = standsOff(matte, elbow, hand, float64(2*side-1), s.head)
		}
	}
	return s
}

// The bones of arms and legs, from the trunk outwards, to the viewer's left and right.
var (
	armBones = [2][2]int{{boneLeftArm, boneLeftHand}, {boneRightArm, boneRightHand}}
	legBones = [2][2]int{{boneLeftThigh, boneLeftShank}, {boneRightThigh, boneRightShank}}
)

// bodyOf is the body that has a face, or the first of those that have their shoulders in a matte; nil without any.
func bodyOf(matte mask.Plane, face image.Rectangle, bodies []net.Joints) *net.Joints {
	for i := range bodies {
		at := func(joint int) image.Point { return image.Pt(int(bodies[i].At[joint].X), int(bodies[i].At[joint].Y)) }
		left, right := at(net.LeftShoulder), at(net.RightShoulder)
		switch {
		case face.Empty():
			if matte.Kept(left.X, left.Y) && matte.Kept(right.X, right.Y) {
				return &bodies[i]
			}
		case at(net.Nose).In(face):
			return &bodies[i]
		}
	}
	return nil
}

// follow moves the bones to the joints that the picture shows.
func (s *skeleton) follow(seen *net.Joints) {
	const (
		surely = 0.5  // chance from which a joint is in the picture
		collar = 0.12 // face heights that the trunk reaches above the joints of the shoulders
		waist  = 0.2  // the same above those of the hips
	)
	in := func(joints ...int) bool {
		for _, j := range joints {
			if seen.At[j].Present < surely {
				return false
			}
		}
		return true
	}
	at := func(joint int) spot { return spot{seen.At[joint].X, seen.At[joint].Y} }
	sides := [2]struct{ shoulder, elbow, wrist, hip, knee, ankle int }{
		{net.RightShoulder, net.RightElbow, net.RightWrist, net.RightHip, net.RightKnee, net.RightAnkle},
		{net.LeftShoulder, net.LeftElbow, net.LeftWrist, net.LeftHip, net.LeftKnee, net.LeftAnkle},
	}
	if at(net.LeftShoulder).x < at(net.RightShoulder).x { // seen from behind
		sides[0], sides[1] = sides[1], sides[0]
	}
	middle := func(a, b spot) spot { return spot{(a.x + b.x) / 2, (a.y + b.y) / 2} }
	torso, hips := &s.bones[boneTorso], &s.bones[boneHips]
	if in(net.LeftShoulder, net.RightShoulder) {
		torso.to = middle(at(net.LeftShoulder), at(net.RightShoulder))
		torso.to.y -= collar * s.head
	}
	if in(net.LeftHip, net.RightHip) {
		hips.from = middle(at(net.LeftHip), at(net.RightHip))
		hips.from.y -= waist * s.head
		hips.to = spot{hips.from.x, hips.from.y - 0.3*s.head}
		torso.from = spot{hips.from.x, hips.from.y - 0.2*s.head}
	}
	for side, j := range sides {
		arm, hand := &s.bones[armBones[side][0]], &s.bones[armBones[side][1]]
		if in(j.shoulder, j.elbow) {
			arm.from, arm.to, hand.from = at(j.shoulder), at(j.elbow), at(j.elbow)
			if in(j.wrist) {
				// The palm goes on beyond the wrist.
				const palm = 0.25 // of the forearm
				wrist := at(j.wrist)
				hand.to = spot{wrist.x + palm*(wrist.x-hand.from.x), wrist.y + palm*(wrist.y-hand.from.y)}
			}
		}
		thigh, shank := &s.bones[legBones[side][0]], &s.bones[legBones[side][1]]
		if in(j.hip, j.knee) {
			thigh.from, thigh.to, shank.from = at(j.hip), at(j.knee), at(j.knee)
			if in(j.ankle) {
				shank.to = at(j.ankle)
			}
		}
	}
}

// outlinedSkeleton finds the bones of a figure by its face and the outline of its matte.
func outlinedSkeleton(matte mask.Plane, face image.Rectangle) skeleton {
	b := matte.Bounds()
	var s skeleton
	tall := float64(b.Dy())
	cut := b.Max.Y >= matte.H-1-matte.H/200
	if face.Empty() {
		d := tall / 7.6
		middle := float64(b.Min.X+b.Max.X) / 2
		face = image.Rect(int(middle-d/2), b.Min.Y+int(0.2*d), int(middle+d/2), b.Min.Y+int(1.2*d))
		cut = false
	}
	d := float64(face.Dy())
	s.head = d
	fx := float64(face.Min.X+face.Max.X) / 2
	chin := float64(face.Max.Y) - 0.05*d
	shoulder := chin + 0.45*d
	bottom := float64(b.Max.Y)
	s.legs = bottom-shoulder > 4*d
	hip := shoulder + hipsBelow*d
	if !cut {
		hip = math.Max(shoulder+1.8*d, math.Min(shoulder+2.5*d, float64(b.Min.Y)+0.50*tall))
	}
	s.cut = [3]bool{bottom >= float64(matte.H-1-matte.H/200) && bottom < hip+1.5*d, b.Min.X <= matte.W/200, b.Max.X >= matte.W-1-matte.W/200}
	if s.cut[0] {
		hip = math.Max(shoulder+0.9*d, math.Min(hip, bottom+0.15*d)) // they bend above the frame
	}
	body := middleOf(matte, int(shoulder), int(hip), fx, 1.6*d)
	foot := bottom - 0.02*tall
	lean := middleOf(matte, int(hip), int(hip+0.5*d), body, 1.6*d)
	knee := hip + 0.5*(foot-hip)
	s.bones[boneHips] = bone{spot{lean, hip}, spot{lean, hip - 0.3*d}, -1}
	s.bones[boneTorso] = bone{spot{lean, hip - 0.2*d}, spot{body, shoulder}, boneHips}
	s.bones[boneHead] = bone{spot{fx, chin + 0.15*d}, spot{fx, float64(face.Min.Y)}, boneTorso}
	left, right := legsOf(matte, int(knee), lean, 1.8*d)
	lf, rf := legsOf(matte, int(foot-0.25*d), (left+right)/2, 2.4*d)
	wide := 0.36 * d
	s.bones[boneLeftThigh] = bone{spot{lean - wide, hip + 0.2*d}, spot{left, knee}, boneHips}
	s.bones[boneLeftShank] = bone{spot{left, knee}, spot{lf, foot}, boneLeftThigh}
	s.bones[boneRightThigh] = bone{spot{lean + wide, hip + 0.2*d}, spot{right, knee}, boneHips}
	s.bones[boneRightShank] = bone{spot{right, knee}, spot{rf, foot}, boneRightThigh}
	for side, sign := range [2]float64{-1, 1} {
		joint := spot{body + sign*0.72*d, shoulder + 0.12*d}
		elbow := spot{edgeOf(matte, int(shoulder+1.25*d), body, sign, 2.1*d) - sign*0.2*d, shoulder + 1.25*d}
		hand := spot{edgeOf(matte, int(shoulder+2.2*d), lean, sign, 2.3*d) - sign*0.16*d, shoulder + 2.25*d}
		if math.Abs(elbow.x-joint.x) > 1.1*d {
			elbow.x = joint.x + sign*0.2*d
		}
		if math.Abs(hand.x-elbow.x) > 1.1*d {
			hand.x = elbow.x
		}
		arm, fore := boneLeftArm, boneLeftHand
		if sign > 0 {
			arm, fore = boneRightArm, boneRightHand
		}
		s.bones[arm] = bone{joint, elbow, boneTorso}
		s.bones[fore] = bone{elbow, hand, arm}
		s.free[side] = standsOff(matte, elbow, hand, sign, d)
	}
	return s
}

// middleOf is the middle of what is visible between two rows, near x.
func middleOf(m mask.Plane, from, to int, x, reach float64) float64 {
	var sum, n float64
	for y := max(0, from); y < min(m.H, to); y++ {
		for px := max(0, int(x-reach)); px < min(m.W, int(x+reach)); px++ {
			if m.Pix[y*m.W+px] >= mask.Level {
				sum += float64(px)
				n++
			}
		}
	}
	if n == 0 {
		return x
	}
	return sum / n
}

// legsOf are the middles of what is visible on either side of x in a row.
func legsOf(m mask.Plane, y int, x, reach float64) (left, right float64) {
	y = max(0, min(m.H-1, y))
	half := func(from, to int, otherwise float64) float64 {
		var sum, n float64
		for px := max(0, from); px < min(m.W, to); px++ {
			if m.Pix[y*m.W+px] >= mask.Level {
				sum += float64(px)
				n++
			}
		}
		if n == 0 {
			return otherwise
		}
		return sum / n
	}
	return half(int(x-reach), int(x), x-reach/6), half(int(x), int(x+reach), x+reach/6)
}

// edgeOf is the outermost visible column of a row to one side of x.
func edgeOf(m mask.Plane, y int, x, sign, reach float64) float64 {
	y = max(0, min(m.H-1, y))
	best := x + sign*0.8*reach/2
	for step := 0.0; step < reach; step++ {
		px := int(x + sign*step)
		if px < 0 || px >= m.W {
			break
		}
		if m.Pix[y*m.W+px] >= mask.Level {
			best = float64(px)
		}
	}
	return best
}

// standsOff tells whether the background shows between an arm and the body in a good part of the rows.
func standsOff(m mask.Plane, elbow, hand spot, sign, d float64) bool {
	gaps, rows := 0, 0
	for y := int(elbow.y - 0.2*d); y < int(hand.y); y++ {
		if y < 0 || y >= m.H {
			continue
		}
		rows++
		t := (float64(y) - elbow.y) / math.Max(1, hand.y-elbow.y)
		x := elbow.x + math.Max(0, t)*(hand.x-elbow.x)
		for step := 0.0; step < 0.8*d; step++ {
			px := int(x - sign*step)
			if px >= 0 && px < m.W && m.Pix[y*m.W+px] < 64 {
				gaps++
				break
			}
		}
	}
	return rows > 0 && 5*gaps > 2*rows
}

// bending is what the bones of a figure do.
type bending struct {
	turn    [boneCount]float64 // degrees clockwise about the bone's joint
	stretch [boneCount]float64 // of its length, 0 for as it is
	narrow  float64            // factor of the width of all, 0 for as it is: a body turned aside
}

// still tells whether nothing is bent.
func (b bending) still() bool { return b == bending{} }

// affine is a plane map: x' = a·x + b·y + c, y' = d·x + e·y + f.
type affine struct{ a, b, c, d, e, f float64 }

func (m affine) at(p spot) spot {
	return spot{m.a*p.x + m.b*p.y + m.c, m.d*p.x + m.e*p.y + m.f}
}

// then is m followed by n.
func (m affine) then(n affine) affine {
	return affine{
		n.a*m.a + n.b*m.d, n.a*m.b + n.b*m.e, n.a*m.c + n.b*m.f + n.c,
		n.d*m.a + n.e*m.d, n.d*m.b + n.e*m.e, n.d*m.c + n.e*m.f + n.f,
	}
}

// about turns by degrees clockwise and stretches along the bone, around its joint.
func about(b bone, degrees, stretch float64) affine {
	if stretch == 0 {
		stretch = 1
	}
	long := math.Max(1e-6, math.Hypot(b.to.x-b.from.x, b.to.y-b.from.y))
	ux, uy := (b.to.x-b.from.x)/long, (b.to.y-b.from.y)/long
	k := stretch - 1
	scale := affine{1 + k*ux*ux, k * ux * uy, 0, k * ux * uy, 1 + k*uy*uy, 0}
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	turn := affine{cos, -sin, 0, sin, cos, 0}
	there, back := affine{1, 0, -b.from.x, 0, 1, -b.from.y}, affine{1, 0, b.from.x, 0, 1, b.from.y}
	return there.then(scale).then(turn).then(back)
}

// maps are the plane maps of all bones: each is carried along and turned by its parent, but not stretched by it.
func (s skeleton) maps(b bending) (out [boneCount]affine) {
	var find func(n int) (own, turned affine)
	find = func(n int) (own, turned affine) {
		turned = about(s.bones[n], b.turn[n], 1)
		own = about(s.bones[n], b.turn[n], b.stretch[n])
		if p := s.bones[n].parent; p >= 0 {
			to, carry := find(p)
			joint := s.bones[n].from
			from, at := carry.at(joint), to.at(joint)
			carry.c, carry.f = carry.c+at.x-from.x, carry.f+at.y-from.y
			return own.then(carry), turned.then(carry)
		}
		return own, turned
	}
	narrow := affine{a: 1, e: 1}
	if b.narrow != 0 {
		x := s.bones[boneHips].from.x
		narrow = affine{a: b.narrow, c: x - b.narrow*x, e: 1}
	}
	for n := range out {
		own, _ := find(n)
		out[n] = own.then(narrow)
	}
	return out
}

// share is how much each bone moves each place of a figure, on a coarse grid.
type share struct {
	w, h int
	step float64
	of   [boneCount][]float32
}

// shares finds them by the way within the figure: what lies beside an arm but hangs together with it only through the
// shoulder does not follow it.
func (s skeleton) shares(matte mask.Plane) share {
	step := math.Max(1, float64(matte.H)/180)
	g := share{w: int(float64(matte.W)/step) + 1, h: int(float64(matte.H)/step) + 1, step: step}
	inside := make([]bool, g.w*g.h)
	for y := range g.h {
		for x := range g.w {
			inside[y*g.w+x] = matte.At(int((float64(x)+0.5)*step), int((float64(y)+0.5)*step)) > 40
		}
	}
	unit := s.head / step
	far := float32(12 * unit)
	var reach [boneCount][]float32
	for n, b := range s.bones {
		reach[n] = s.walk(g, inside, b, far)
	}
	for n := range g.of {
		g.of[n] = make([]float32, g.w*g.h)
	}
	thick := [boneCount]float64{boneTorso: 0.75, boneHips: 0.6, boneHead: 0.75, boneLeftThigh: 0.3, boneRightThigh: 0.3}
	for i := range inside {
		var total float64
		var part [boneCount]float64
		for n := range part {
			wide := math.Max(0.16, thick[n]) * unit
			d := math.Max(0, float64(reach[n][i])-wide)/unit + 0.06
			part[n] = math.Pow(d, -3.2)
			total += part[n]
		}
		for n := range part {
			g.of[n][i] = float32(part[n] / total)
		}
	}
	for n := range g.of {
		soften(g.of[n], g.w, g.h, max(1, int(0.14*unit)))
	}
	return g
}

// walk is the length of the way from a bone to each place: within the figure as it is, through what is clear ten times
// as long.
func (s skeleton) walk(g share, inside []bool, b bone, far float32) []float32 {
	dist := make([]float32, g.w*g.h)
	for i := range dist {
		dist[i] = far
	}
	long := math.Hypot(b.to.x-b.from.x, b.to.y-b.from.y)
	n := max(1, int(2*long/g.step))
	for i := range n + 1 {
		t := float64(i) / float64(n)
		x := int((b.from.x + t*(b.to.x-b.from.x)) / g.step)
		y := int((b.from.y + t*(b.to.y-b.from.y)) / g.step)
		if x >= 0 && y >= 0 && x < g.w && y < g.h {
			dist[y*g.w+x] = 0
		}
	}
	cost := func(i int) float32 {
		if inside[i] {
			return 1
		}
		return 10
	}
	// Sweeps to and fro settle all ways that turn few times.
	for range 4 {
		for i := range dist {
			x, y := i%g.w, i/g.w
			c := cost(i)
			if x > 0 {
				dist[i] = min(dist[i], dist[i-1]+c)
			}
			if y > 0 {
				dist[i] = min(dist[i], dist[i-g.w]+c)
				if x > 0 {
					dist[i] = min(dist[i], dist[i-g.w-1]+1.41*c)
				}
				if x < g.w-1 {
					dist[i] = min(dist[i], dist[i-g.w+1]+1.41*c)
				}
			}
		}
		for i := len(dist) - 1; i >= 0; i-- {
			x, y := i%g.w, i/g.w
			c := cost(i)
			if x < g.w-1 {
				dist[i] = min(dist[i], dist[i+1]+c)
			}
			if y < g.h-1 {
				dist[i] = min(dist[i], dist[i+g.w]+c)
				if x > 0 {
					dist[i] = min(dist[i], dist[i+g.w-1]+1.41*c)
				}
				if x < g.w-1 {
					dist[i] = min(dist[i], dist[i+g.w+1]+1.41*c)
				}
			}
		}
	}
	return dist
}

// soften averages a field over boxes of 2r+1, twice, in place.
func soften(f []float32, w, h, r int) {
	line := make([]float32, max(w, h))
	for range 2 {
		for y := range h {
			boxed(f[y*w:(y+1)*w], 1, w, r, line)
		}
		for x := range w {
			boxed(f[x:], w, h, r, line)
		}
	}
}

// boxed averages n values that lie stride apart.
func boxed(f []float32, stride, n, r int, line []float32) {
	for i := range n {
		line[i] = f[i*stride]
	}
	var sum float32
	for i := range min(r, n) {
		sum += line[i]
	}
	for i := range n {
		if i+r < n {
			sum += line[i+r]
		}
		if i-r-1 >= 0 {
			sum -= line[i-r-1]
		}
		f[i*stride] = sum / float32(min(n-1, i+r)-max(0, i-r)+1)
	}
}

// at is the share of a bone at a place of the picture.
func (g share) at(n int, x, y float64) float64 {
	fx := math.Max(0, math.Min(float64(g.w-1), x/g.step-0.5))
	fy := math.Max(0, math.Min(float64(g.h-1), y/g.step-0.5))
	x0, y0 := min(int(fx), g.w-2), min(int(fy), g.h-2)
	if x0 < 0 || y0 < 0 {
		return float64(g.of[n][0])
	}
	u, v := fx-float64(x0), fy-float64(y0)
	f := g.of[n]
	i := y0*g.w + x0
	return (float64(f[i])*(1-u)+float64(f[i+1])*u)*(1-v) + (float64(f[i+g.w])*(1-u)+float64(f[i+g.w+1])*u)*v
}

// held is how far each place may move: along a frame that cuts the figure off nothing moves.
func (s skeleton) held(matte mask.Plane, x, y float64) float64 {
	hold := 1.0
	if s.cut[0] {
		hold *= smooth((float64(matte.H) - y) / (1.3 * s.head))
	}
	if s.cut[1] {
		hold *= smooth(x / (1.1 * s.head))
	}
	if s.cut[2] {
		hold *= smooth((float64(matte.W) - x) / (1.1 * s.head))
	}
	return hold
}

// bend moves the limbs of a cut-out figure. It gives the figure and where its top left corner lies.
func (s skeleton) bend(figure *image.NRGBA, matte mask.Plane, b bending) (*image.NRGBA, image.Point) {
	g, maps := s.shares(matte), s.maps(b)
	cell := max(3, int(s.head/9))
	return compose.Bend(figure, cell, func(x, y float64) (mx, my, front float64) {
		for n := range maps {
			part := g.at(n, x, y)
			p := maps[n].at(spot{x, y})
			mx += part * p.x
			my += part * p.y
			switch n {
			case boneLeftArm, boneLeftHand, boneRightArm, boneRightHand:
				front += part
			}
		}
		hold := s.held(matte, x, y)
		return x + hold*(mx-x), y + hold*(my-y), front
	})
}
