package render

import (
	"context"
	"image"
	"math"
	"slices"

	"atelier/imaging/compose"
	"atelier/imaging/fill"
)

// posture is how a figure is set into a picture.
type posture struct {
	share  float64 // height, as a share of the picture's
	floor  float64 // where it stands, as a share of the height
	across float64 // its middle, as a share of the width
	slant  float64 // degrees clockwise
	flip   bool
	limbs  bending
}

// ofTwo are the limbs of which there are two.
var ofTwo = []string{"arm", "hand", "elbow", "leg", "knee", "foot"}

// readPosture finds in an instruction what can be done with a figure: where it goes, how near it comes, which way it
// faces, and what its limbs do. Of limbs left and right are the figure's own, of directions the viewer's. now is the
// posture it has.
func readPosture(text string, now posture) (p posture, understood bool) {
	p = now
	list := words(text)
	has := func(some ...string) bool {
		return slices.ContainsFunc(list, func(w string) bool { return slices.Contains(some, w) })
	}
	left, right := has("left"), has("right")
	one := false // of two, whichever
	for i, w := range list[:max(0, len(list)-1)] {
		one = one || slices.Contains(ofTwo, list[i+1]) && slices.Contains([]string{"one", "a", "an", "single"}, w)
	}
	both := has("both", "arms", "hands", "legs", "knees") || left == right && !one
	// The figure's left is the viewer's right.
	sides := [2]bool{right || both, left || both || one && !right}
	limb := has("arm", "arms", "hand", "hands", "elbow", "elbows", "leg", "legs", "knee", "knees", "foot", "feet")
	head := has("head", "chin", "look", "looks", "looking", "gaze", "face")
	arms, legs := has("arm", "arms", "hand", "hands", "elbow", "elbows", "wave", "waving"), has("leg", "legs", "knee", "knees", "foot", "feet")
	p.readArms(list, sides, arms)
	p.readLegs(list, sides, legs, left)
	toward := 0.0
	switch {
	case left && !right:
		toward = -1
	case right && !left:
		toward = 1
	}
	if head {
		p.limbs.turn[boneHead] += 9 * toward
		if toward == 0 && has("tilt", "tilted", "tilting") {
			p.limbs.turn[boneHead] += 9
		}
	}
	turn := false
	for _, w := range list {
		switch w {
		case "left", "right":
			if !limb && !head && !has("turn", "turned", "turning", "lean", "leaning", "rotate", "rotated", "facing", "faces") {
				p.across += 0.14 * toward
			}
		case "centre", "center", "middle":
			p.across = 0.5
		case "lean", "leaning", "leans":
			if toward == 0 {
				p.limbs.turn[boneTorso] += 6
			}
			p.limbs.turn[boneTorso] += 8 * toward
		case "tilt", "tilted", "tilting":
			if !head {
				p.slant += 4
			}
		case "dance", "dancing", "casual", "relaxed", "contrapposto", "hip":
			p.limbs.turn[boneHips] += 4
			p.limbs.turn[boneTorso] -= 7
			p.limbs.turn[boneLeftThigh] -= 4
			p.limbs.turn[boneRightThigh] -= 4
			p.limbs.turn[boneHead] += 4
		case "turn", "turned", "turning", "rotate", "rotated", "sideways", "side", "profile", "quarter", "facing", "faces":
			if limb || head || toward == 0 && (w == "facing" || w == "faces") {
				continue
			}
			if has("around", "opposite", "back", "other") {
				turn = true
				continue
			}
			p.limbs.narrow = 0.84
			p.limbs.turn[boneHead] += 3 * toward
		case "mirror", "mirrored", "flip", "flipped":
			turn = true
		case "jump", "jumping", "leap", "fly", "flying":
			p.floor -= 0.07
			p.limbs.turn[boneLeftArm] += 25
			p.limbs.turn[boneRightArm] -= 25
			p.limbs.turn[boneLeftShank] += 10
			p.limbs.turn[boneRightShank] -= 14
		case "close", "closer", "near", "nearer", "forward", "bigger", "larger", "towards", "toward":
			if !has("lean", "leaning") {
				p.share *= 1.10
			}
		case "far", "farther", "further", "away", "smaller", "backward":
			p.share *= 0.88
		}
	}
	if turn {
		p.flip = !p.flip
	}
	return p, p != now
}

// readArms reads what an instruction says of arms; sides are the viewer's left and right.
func (p *posture) readArms(list []string, sides [2]bool, named bool) {
	if !named {
		return
	}
	up, fore := 0.0, 0.0
	for _, w := range list {
		switch w {
		case "raise", "raised", "raises", "raising", "lift", "lifted", "up", "above", "wave", "waving", "high":
			up, fore = 70, 45
		case "out", "open", "spread", "stretch", "stretched", "outstretched", "wide":
			up, fore = 40, 5
		case "hips", "hip", "waist", "akimbo":
			up, fore = 24, -58
		case "bend", "bent", "bending", "elbow", "elbows":
			up, fore = 10, 35
		}
	}
	if sides[0] {
		p.limbs.turn[boneLeftArm] += up
		p.limbs.turn[boneLeftHand] += fore
	}
	if sides[1] {
		p.limbs.turn[boneRightArm] -= up
		p.limbs.turn[boneRightHand] -= fore
	}
}

// readLegs reads what an instruction says of legs, or of what legs do.
func (p *posture) readLegs(list []string, sides [2]bool, named, leftFirst bool) {
	for _, w := range list {
		switch w {
		case "walk", "walking", "walks", "stride", "striding", "step", "stepping", "run", "running", "strolling", "march":
			sign := 1.0
			if leftFirst {
				sign = -1
			}
			// Seen from the front one foot comes down before the body and the other has just left the ground.
			p.limbs.turn[boneLeftThigh]--
			p.limbs.turn[boneLeftShank] -= 3
			p.limbs.turn[boneRightThigh] -= 3
			p.limbs.turn[boneRightShank] += 7
			p.limbs.stretch[boneRightThigh], p.limbs.stretch[boneRightShank] = 0.95, 0.74
			p.limbs.turn[boneLeftArm] += 7
			p.limbs.turn[boneRightArm] -= 6
			p.limbs.turn[boneTorso] += 2 * sign
		case "sit", "sitting", "seated", "sits", "crouch", "crouching", "squat", "squatting", "kneel", "kneeling":
			p.limbs.stretch[boneLeftThigh], p.limbs.stretch[boneRightThigh] = 0.42, 0.42
			p.limbs.turn[boneLeftThigh] += 14
			p.limbs.turn[boneRightThigh] -= 14
			p.limbs.turn[boneLeftShank] -= 14
			p.limbs.turn[boneRightShank] += 14
		case "apart", "spread", "wide":
			if named {
				p.limbs.turn[boneLeftThigh] += 11
				p.limbs.turn[boneRightThigh] -= 11
			}
		case "kick", "raise", "raised", "lift", "lifted", "bend", "bent", "cross", "crossed":
			if !named {
				continue
			}
			if sides[0] && !sides[1] {
				p.limbs.turn[boneLeftThigh] += 16
				p.limbs.turn[boneLeftShank] -= 22
				p.limbs.stretch[boneLeftThigh] = 0.86
			} else {
				p.limbs.turn[boneRightThigh] -= 16
				p.limbs.turn[boneRightShank] += 22
				p.limbs.stretch[boneRightThigh] = 0.86
			}
		}
	}
}

// within keeps a bending to what the figure can bear: an arm that lies against the body would drag it along, and legs
// that the frame cuts off have no feet to stand on.
func (s skeleton) within(b bending, cut bool) bending {
	for side, bones := range armBones {
		if !s.free[side] {
			b.turn[bones[0]] = math.Max(-8, math.Min(8, b.turn[bones[0]]))
			b.turn[bones[1]] = math.Max(-9, math.Min(9, b.turn[bones[1]]))
		}
	}
	if cut || !s.legs {
		for _, n := range []int{boneLeftThigh, boneLeftShank, boneRightThigh, boneRightShank, boneHips} {
			b.turn[n], b.stretch[n] = 0, 0
		}
	}
	return b
}

// What an instruction may ask in vain.
var (
	errUnknownPose = &UnseenError{"The pose was not understood. Describe it by what can be done: turned or mirrored, leaning, tilted, looking left or right, arms raised or spread, hands on the hips, walking, sitting, legs apart, dancing, jumping, closer, farther, or moved left or right."}
	errLegsCut     = &UnseenError{"The legs cannot be moved, since the photo does not show them whole. Choose one that shows the figure down to the feet, or describe arms, head or direction."}
	errArmsClose   = &UnseenError{"The arms cannot be moved, since they lie against the body. Choose a photo where they stand off it, or describe legs, head or direction."}
)

// stance is the posture of the subject as it is.
func (s Segmentation) stance() posture {
	seen, w, h := s.Subject.Bounds(), float64(s.Subject.W), float64(s.Subject.H)
	return posture{
		share:  float64(seen.Dy()) / h,
		floor:  float64(seen.Max.Y) / h,
		across: float64(seen.Min.X+seen.Max.X) / 2 / w,
	}
}

// asked is the posture that the instruction of the request asks of the subject. It fails with what cannot be done when that
// is all, or most, of what is asked: a figure that stays as it was must not pass for a new pose.
// ASSUMED [aipose with nothing to pose]: the documents do not say what becomes of a description that cannot be followed.
func (s Segmentation) asked(req Request) (posture, error) {
	now := s.stance()
	p, understood := readPosture(req.text("textDescription"), now)
	if !understood {
		return p, errUnknownPose
	}
	matte := compose.Matte(s.Foreground)
	cut := compose.Stand(matte).Cut
	whole := p
	if whole.limbs = (bending{}); cut {
		whole.floor = now.floor // the frame cuts it off again
	}
	if p.limbs.still() || whole != now {
		return p, nil
	}
	bones := skeletonOf(matte, s.face(), s.Bodies)
	kept := bones.within(p.limbs, cut)
	arms, legs := p.limbs.less(kept)
	switch all, rest := p.limbs.effort(), kept.effort(); {
	case rest >= 0.4*all:
		return p, nil
	case legs > arms:
		return p, errLegsCut
	}
	return p, errArmsClose
}

// effort is how much is bent, in degrees; to shorten a bone by a tenth counts as six.
func (b bending) effort() (sum float64) {
	for n := range b.turn {
		sum += math.Abs(b.turn[n])
		if b.stretch[n] != 0 {
			sum += 60 * math.Abs(1-b.stretch[n])
		}
	}
	if b.narrow != 0 {
		sum += 60 * math.Abs(1-b.narrow)
	}
	return sum
}

// less is what of a bending is lost in another, of arms and of legs.
func (b bending) less(kept bending) (arms, legs float64) {
	only := func(b bending, bones ...int) float64 {
		var out bending
		for _, n := range bones {
			out.turn[n], out.stretch[n] = b.turn[n], b.stretch[n]
		}
		return out.effort()
	}
	ofArms := []int{boneLeftArm, boneLeftHand, boneRightArm, boneRightHand}
	ofLegs := []int{boneHips, boneLeftThigh, boneLeftShank, boneRightThigh, boneRightShank}
	return only(b, ofArms...) - only(kept, ofArms...), only(b, ofLegs...) - only(kept, ofLegs...)
}

// face is the subject's face; empty when none was found.
func (s Segmentation) face() image.Rectangle {
	if len(s.Faces) == 0 {
		return image.Rectangle{}
	}
	return s.Faces[0]
}

// pose gives the figure another posture by the words of the instruction, its limbs bent as far as its outline allows,
// and completes the background behind it out of the picture itself (Task API, "aipose v1.0").
func pose(ctx context.Context, req Request, seg Segmentation) (*image.NRGBA, error) {
	src := req.Source()
	size := src.Rect.Size()
	seen := seg.Subject.Bounds()
	if seen.Empty() {
		return nil, errNobody
	}
	now := seg.stance()
	p, err := seg.asked(req)
	if err != nil {
		return nil, err
	}
	hole := seg.Subject.Clone()
	for i, v := range seg.Matte.Pix {
		hole.Pix[i] = max(hole.Pix[i], v)
	}
	for i, v := range hole.Pix {
		if v > 8 {
			hole.Pix[i] = 255
		}
	}
	hole = hole.Grow(float64(max(4, min(size.X, size.Y)/60)))
	if hole.Full() {
		return nil, errNoGround
	}
	opt := fill.Options{Seed: req.seed(), Tries: req.engine().tries, Apart: seg.Passers, Progress: req.part(0, 0.7)}
	if !seg.Others.Empty() {
		opt.Avoid = &seg.Others // nobody appears twice
	}
	back, err := fill.Complete(ctx, src, hole, opt)
	if err != nil {
		return nil, err
	}
	v := req.vary()
	if req.Item > 0 {
		p = p.nuanced(v)
	}
	stand := compose.Stand(compose.Matte(seg.Foreground))
	figure := seg.Foreground
	if !p.limbs.still() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var at image.Point
		figure, at = seg.bent(figure, p.limbs)
		if p.limbs = (bending{}); p == now {
			// Only limbs move: all else stays where it is, to the pixel, unless the feet would leave the ground.
			layer := image.NewNRGBA(back.Rect)
			if !stand.Cut {
				at.Y += seen.Max.Y - at.Y - compose.Matte(figure).Bounds().Max.Y
			}
			compose.Over(layer, figure, at)
			return grounded(ctx, req, layer, seg.ground(back), v)
		}
		if bent := compose.Matte(figure).Bounds(); !bent.Empty() {
			// What rose or sank keeps its scale, and feet their place.
			p.share *= float64(bent.Dy()) / float64(seen.Dy())
			p.across += (float64(bent.Min.X+bent.Max.X)/2 + float64(at.X) - float64(seen.Min.X+seen.Max.X)/2) / float64(size.X)
		}
	}
	req.progress(0.8)
	if stand.Cut {
		// The frame cuts the figure off below: it has to go on being cut off there.
		p.floor = math.Max(p.floor, 1) + 0.02
		p.share *= 1.02
		p.slant = math.Max(-2, math.Min(2, p.slant))
	}
	// A head that was in the picture stays in it.
	if top := float64(seen.Min.Y) / float64(size.Y); top > 0.005 {
		p.share = math.Min(p.share, p.floor-math.Min(top, 0.03))
	}
	return p.set(ctx, req, figure, seg.ground(back), v)
}

// ground is the completed picture behind a figure; where they stood is ground.
func (s Segmentation) ground(back *image.NRGBA) backdrop {
	out, seen := seenAs(back), s.Subject.Bounds()
	out.given = true
	out.floor = min(out.floor, seen.Max.Y-seen.Dy()/10)
	return out
}

// bent is a figure of the original with its limbs moved as far as its outline allows, and where its top left corner lies.
func (s Segmentation) bent(figure *image.NRGBA, limbs bending) (*image.NRGBA, image.Point) {
	matte := compose.Matte(figure)
	bones := skeletonOf(matte, s.face(), s.Bodies)
	return bones.bend(figure, matte, bones.within(limbs, compose.Stand(matte).Cut))
}

// nuances are how the items of a pose differ beside what is drawn by lot: how much of what was asked is done, and in shares of the
// picture how far aside and how near. None is mirrored: what was asked would go the other way, and buttons and lettering with it.
// ASSUMED [How the items of a pose and of a try-on differ]: the documents do not say in what the items of aipose and virtualtryon differ.
var nuances = [4]struct{ amount, aside, nearer float64 }{
	{1, 0, 0},
	{0.72, 0.045, -0.035},
	{1.3, -0.045, 0.035},
	{0.9, -0.02, -0.06},
}

// nuanced is the posture as another item shows it: more or less of what was asked, a step aside, a turn of the head.
func (p posture) nuanced(v variation) posture {
	some := func() float64 { return v.random.Float64()*2 - 1 }
	n := nuances[v.item%len(nuances)]
	amount := n.amount + 0.08*some()
	for k := range p.limbs.turn {
		p.limbs.turn[k] *= amount
	}
	p.limbs.turn[boneHead] += 4 * some()
	p.limbs.turn[boneTorso] += 2.5 * some()
	p.slant += 1.2 * some()
	p.across += n.aside + 0.02*some()
	p.share *= 1 + n.nearer + 0.02*some()
	return p
}

// pose sets the figure into the item's scene, framed for where it will stand.
func (p posture) pose(ctx context.Context, req Request, seg Segmentation, figure *image.NRGBA, v variation) (*image.NRGBA, error) {
	size := req.canvas(req.Source().Rect.Size())
	if req.Agent == "aimodel" {
		size = req.Source().Rect.Size()
	}
	b := bearing{top: p.floor - p.share, feet: p.floor, across: p.across, cut: p.floor >= 1, person: len(seg.Faces) > 0, lit: compose.LitFrom(figure)}
	if p.flip {
		b.lit = -b.lit
	}
	if b.cut {
		b.feet = math.Max(1.12, b.top+1.15*p.share)
		if b.person {
			seen := compose.Matte(figure).Bounds()
			b.feet = math.Max(1.04, b.top+7.6*float64(seg.Faces[0].Dy())/float64(max(1, seen.Dy()))*p.share)
		}
	}
	back, err := req.behind(ctx, seg, size, b, v)
	if err != nil {
		return nil, err
	}
	if req.Agent == "aimodel" {
		req.meet(back.img, figure, seg)
	}
	return p.set(ctx, req, figure, back, v)
}

// set lays the figure into the backdrop, which it changes, with shadow and edge light.
func (p posture) set(ctx context.Context, req Request, figure *image.NRGBA, back backdrop, v variation) (*image.NRGBA, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	size := back.img.Rect.Size()
	bounds := compose.Matte(figure).Bounds()
	if bounds.Empty() {
		return back.img, nil
	}
	figure = compose.Window(figure, bounds)
	if p.flip {
		compose.Flip(figure)
	}
	if math.Abs(p.slant) > 0.1 {
		figure = compose.Turn(figure, p.slant)
	}
	share := math.Max(0.1, math.Min(1.6, p.share))
	across := math.Max(0.12, math.Min(0.88, p.across))
	placed, at := compose.Place(figure, size, share, p.floor, across)
	layer := image.NewNRGBA(back.img.Rect)
	compose.Over(layer, placed, at)
	return grounded(ctx, req, layer, back, v)
}

// grounded lays a figure that has its place over the backdrop, which it changes, with shadow and edge light.
func grounded(ctx context.Context, req Request, layer *image.NRGBA, back backdrop, v variation) (*image.NRGBA, error) {
	scene, size := back.img, back.img.Rect.Size()
	req.progress(0.88)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	compose.ContactShadow(scene, compose.Matte(layer), back.shadow(v))
	if !back.given {
		compose.Grain(scene, compose.GrainOf(layer), v.random.Uint32())
	}
	compose.Settle(scene, layer, max(2, min(size.X, size.Y)/60), 0.6)
	return scene, nil
}
