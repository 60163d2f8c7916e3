package render

import (
	"errors"
	"image"
	"image/color"
	"math"
	"testing"

	"atelier/imaging"
	"atelier/imaging/compose"
	"atelier/imaging/mask"
	"atelier/imaging/net"
)

// doll is a cut-out figure with arms off its body and legs apart, and where its face is. Its left hand (the viewer's
// right) is blue.
func doll() (*image.NRGBA, image.Rectangle) {
	img := image.NewNRGBA(image.Rect(0, 0, 300, 520))
	fillIn := func(r image.Rectangle, c color.NRGBA) {
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				img.SetNRGBA(x, y, c)
			}
		}
	}
	skin, cloth := color.NRGBA{220, 180, 150, 255}, color.NRGBA{150, 40, 60, 255}
	face := image.Rect(120, 20, 180, 80)
	fillIn(image.Rect(125, 15, 175, 85), skin)
	fillIn(image.Rect(140, 80, 160, 110), skin)
	fillIn(image.Rect(105, 105, 195, 260), cloth)
	fillIn(image.Rect(75, 105, 110, 125), cloth) // shoulders reach out to the arms
	fillIn(image.Rect(190, 105, 225, 125), cloth)
	fillIn(image.Rect(72, 110, 90, 250), cloth)
	fillIn(image.Rect(210, 110, 228, 250), cloth)
	fillIn(image.Rect(72, 235, 90, 262), skin)
	fillIn(image.Rect(210, 235, 228, 262), color.NRGBA{20, 40, 230, 255})
	fillIn(image.Rect(108, 260, 142, 500), cloth)
	fillIn(image.Rect(158, 260, 192, 500), cloth)
	return img, face
}

// armsHeld is the doll without a gap between arms and body.
func armsHeld(img *image.NRGBA) *image.NRGBA {
	out := imaging.Clone(img)
	for y := 105; y < 262; y++ {
		for x := 72; x < 228; x++ {
			if out.NRGBAAt(x, y).A == 0 {
				out.SetNRGBA(x, y, color.NRGBA{150, 40, 60, 255})
			}
		}
	}
	return out
}

// blueAt is the middle of what is blue.
func blueAt(img *image.NRGBA) (x, y float64) {
	n := 0.0
	for py := range img.Rect.Dy() {
		for px := range img.Rect.Dx() {
			if c := img.NRGBAAt(px, py); c.A > 200 && c.B > 180 && c.R < 90 {
				x, y, n = x+float64(px), y+float64(py), n+1
			}
		}
	}
	return x / n, y / n
}

func TestALiftedArmRisesAndTheFigureStaysInOnePiece(t *testing.T) {
	t.Parallel()
	img, face := doll()
	matte := compose.Matte(img)
	s := skeletonOf(matte, face, nil)
	if !s.free[0] || !s.free[1] {
		t.Fatalf("the arms stand off the body, found %v", s.free)
	}
	p, _ := readPosture("raise the left arm", posture{})
	bent, at := s.bend(img, matte, s.within(p.limbs, false))
	x0, y0 := blueAt(img)
	x1, y1 := blueAt(bent)
	x1, y1 = x1+float64(at.X), y1+float64(at.Y)
	if y1 > y0-60 || x1 < x0+20 {
		t.Errorf("the hand went from (%.0f,%.0f) to (%.0f,%.0f), want it up and out", x0, y0, x1, y1)
	}
	solid := compose.Matte(bent)
	solid.Threshold(mask.Level)
	// In one piece no island is smaller than all of it.
	solid.Clean(8)
	if pieces := solid.Stats(solid.Stats(0).Kept).Specks; pieces != 0 {
		t.Errorf("the figure fell into %d pieces", pieces)
	}
	// The head and the feet are where they were.
	for _, pt := range []image.Point{{150, 40}, {125, 490}, {175, 490}} {
		if c := bent.NRGBAAt(pt.X-at.X, pt.Y-at.Y); c.A < 200 {
			t.Errorf("at %v there is nothing any more", pt)
		}
	}
}

// dollJoints are the joints of the doll with its right arm, to the viewer's left, held up; its ankles are below the
// frame.
func dollJoints() net.Joints {
	var j net.Joints
	j.Presence = 1
	for joint, at := range map[int]net.Point{
		net.Nose: {X: 150, Y: 60}, net.RightShoulder: {X: 110, Y: 120}, net.LeftShoulder: {X: 190, Y: 120},
		net.RightElbow: {X: 60, Y: 100}, net.RightWrist: {X: 50, Y: 40},
		net.LeftElbow: {X: 210, Y: 190}, net.LeftWrist: {X: 215, Y: 260},
		net.RightHip: {X: 130, Y: 270}, net.LeftHip: {X: 170, Y: 270},
		net.RightKnee: {X: 128, Y: 380}, net.LeftKnee: {X: 172, Y: 380},
	} {
		j.At[joint] = net.Joint{Point: at, Visible: 1, Present: 1}
	}
	return j
}

func TestBonesFollowJointsThatAreSeen(t *testing.T) {
	t.Parallel()
	img, face := doll()
	matte := compose.Matte(img)
	other := dollJoints()
	for i := range other.At {
		other.At[i].X += 400
	}
	told, seen := skeletonOf(matte, face, nil), skeletonOf(matte, face, []net.Joints{other, dollJoints()})
	if got := seen.bones[boneLeftArm]; got.from != (spot{110, 120}) || got.to != (spot{60, 100}) {
		t.Errorf("the arm goes from %v to %v", got.from, got.to)
	}
	if got := seen.bones[boneLeftHand]; got.from != (spot{60, 100}) || got.to.y > 40 {
		t.Errorf("the raised hand goes from %v to %v, want beyond the wrist", got.from, got.to)
	}
	if got := seen.bones[boneRightThigh]; got.from != (spot{170, 270}) || got.to != (spot{172, 380}) {
		t.Errorf("the thigh goes from %v to %v", got.from, got.to)
	}
	if got, want := seen.bones[boneRightShank].to, told.bones[boneRightShank].to; got != want {
		t.Errorf("a foot whose ankle is not seen is at %v, want it where the outline ends: %v", got, want)
	}
	turned := dollJoints()
	for _, pair := range [][2]int{
		{net.LeftShoulder, net.RightShoulder},
		{net.LeftElbow, net.RightElbow},
		{net.LeftWrist, net.RightWrist},
		{net.LeftHip, net.RightHip},
		{net.LeftKnee, net.RightKnee},
	} {
		turned.At[pair[0]], turned.At[pair[1]] = turned.At[pair[1]], turned.At[pair[0]]
	}
	if behind := skeletonOf(matte, face, []net.Joints{turned}); behind != seen {
		t.Errorf("seen from behind the bones are %+v, want %+v", behind.bones, seen.bones)
	}
	if alone := skeletonOf(matte, face, []net.Joints{other}); alone != told {
		t.Error("the bones follow somebody else's joints")
	}
}

func TestAnArmAgainstTheBodyHardlyMoves(t *testing.T) {
	t.Parallel()
	img, face := doll()
	s := skeletonOf(compose.Matte(armsHeld(img)), face, nil)
	p, _ := readPosture("raise both arms", posture{})
	b := s.within(p.limbs, false)
	for _, n := range []int{boneLeftArm, boneRightArm} {
		if b.turn[n] > 10 || b.turn[n] < -10 {
			t.Errorf("an arm that is one with the body would turn by %.0f°", b.turn[n])
		}
	}
}

func TestAWalkingFigureTakesAStep(t *testing.T) {
	t.Parallel()
	img, face := doll()
	matte := compose.Matte(img)
	s := skeletonOf(matte, face, nil)
	p, _ := readPosture("walking", posture{})
	bent, _ := s.bend(img, matte, s.within(p.limbs, false))
	// The lowest rows of both legs, which a row above the feet shows apart, and how far their middles lie apart there.
	feet := func(m mask.Plane) (left, right int, between float64) {
		y := m.Bounds().Max.Y - 70
		var edges []int
		for x := 1; x < m.W; x++ {
			if (m.At(x-1, y) < mask.Level) != (m.At(x, y) < mask.Level) {
				edges = append(edges, x)
			}
		}
		if len(edges) != 4 {
			t.Fatalf("row %d shows edges at %v, want two legs", y, edges)
		}
		middle := (edges[1] + edges[2]) / 2
		for y := range m.H {
			for x := range m.W {
				switch {
				case m.At(x, y) < mask.Level:
				case x < middle:
					left = y
				default:
					right = y
				}
			}
		}
		return left, right, float64(edges[2]+edges[3]-edges[0]-edges[1]) / 2
	}
	_, _, was := feet(matte)
	left, right, is := feet(compose.Matte(bent))
	if rise := float64(left-right) / s.head; rise < 0.3 || rise > 1.2 {
		t.Errorf("one foot is %.2f heads above the other, want it lifted as in a step", rise)
	}
	if is > was {
		t.Errorf("the feet come from %.0f apart to %.0f, and walking brings them before the body", was, is)
	}
	if b := s.within(p.limbs, true); b.turn[boneLeftThigh] != 0 {
		t.Error("legs that the frame cuts off would move")
	}
}

func TestWhoSitsOrWalksKeepsShanksAndGround(t *testing.T) {
	t.Parallel()
	img, face := doll()
	s := skeletonOf(compose.Matte(img), face, nil)
	p, _ := readPosture("sitting", posture{})
	maps := s.maps(s.within(p.limbs, false))
	for _, n := range []int{boneLeftShank, boneRightShank} {
		b := s.bones[n]
		from, to := maps[n].at(b.from), maps[n].at(b.to)
		if was, is := math.Hypot(b.to.x-b.from.x, b.to.y-b.from.y), math.Hypot(to.x-from.x, to.y-from.y); math.Abs(is-was) > 0.02*was {
			t.Errorf("a shank goes from %.0f to %.0f pixels, and only thighs come forward", was, is)
		}
	}
	src := image.NewNRGBA(img.Rect)
	eachPixel(src, func(_, _ int, c []uint8) { copy(c, []uint8{120, 130, 120, 255}) })
	compose.Over(src, img, image.Point{})
	matte := compose.Matte(img)
	seg := Segmentation{Mask: matte, Matte: matte, Subject: matte, Foreground: img, Faces: []image.Rectangle{face}}
	for _, words := range []string{"sitting", "walking"} {
		out, err := pose(t.Context(), Request{Agent: "aipose", Original: src, Count: 1, Seed: 2, Values: map[string]any{"textDescription": words}}, seg)
		if err != nil {
			t.Fatal(err)
		}
		crown, sole := out.Rect.Dy(), 0
		eachPixel(out, func(_, y int, c []uint8) {
			if c[0] > 130 && c[1] < 80 {
				sole = max(sole, y)
			}
			if c[0] > 200 && c[1] > 150 && c[2] < 170 {
				crown = min(crown, y)
			}
		})
		if sole < 496 || sole > 502 {
			t.Errorf("%s: the feet stand at row %d, they stood at 499", words, sole)
		}
		if sits := crown > 15+face.Dy(); sits != (words == "sitting") {
			t.Errorf("%s: the head begins at row %d, it began at 15", words, crown)
		}
	}
}

func TestWhomTheFrameCutsOffBendsAboveIt(t *testing.T) {
	t.Parallel()
	img, face := doll()
	// Cut across the chest and on the right.
	cut := compose.Window(img, image.Rect(0, 0, face.Max.X+face.Dx()/3, face.Max.Y+face.Dy()*7/4))
	matte := compose.Matte(cut)
	s := skeletonOf(matte, face, nil)
	var b bending
	b.turn[boneTorso] = -9
	out, at := s.bend(cut, matte, b)
	bent := compose.Matte(out)
	low, right := matte.H-2, matte.W-2
	for x := range matte.W {
		if matte.At(x, low) > 200 && bent.At(x-at.X, low-at.Y) < 128 {
			t.Fatalf("at %d the lower edge of the frame is left", x)
		}
	}
	for y := range matte.H {
		if matte.At(right, y) > 200 && bent.At(right-at.X, y-at.Y) < 128 {
			t.Fatalf("at %d the right edge of the frame is left", y)
		}
	}
	if crown := middleOf(bent, 0, face.Max.Y-at.Y, float64(bent.W)/2, float64(bent.W)); crown+float64(at.X) > float64(face.Min.X+face.Max.X)/2-3 {
		t.Errorf("the head is at %.0f, it was at %d", crown+float64(at.X), (face.Min.X+face.Max.X)/2)
	}
}

func TestAPoseThatCannotBeTakenIsRefused(t *testing.T) {
	t.Parallel()
	img, face := doll()
	posed := func(img *image.NRGBA, words string) error {
		s := Segmentation{Foreground: img, Faces: []image.Rectangle{face}, Subject: compose.Matte(img)}
		_, err := s.asked(Request{Values: map[string]any{"textDescription": words}})
		return err
	}
	cut := compose.Window(img, image.Rect(0, 0, 300, 300))
	held := armsHeld(img)
	tests := []struct {
		name, words string
		img         *image.NRGBA
		want        error
	}{
		{"a whole figure sits", "sitting", img, nil},
		{"it walks", "walking", img, nil},
		{"it raises an arm", "raise the left arm", img, nil},
		{"legs that are cut cannot sit", "sitting", cut, errLegsCut},
		{"nor walk", "walking", cut, errLegsCut},
		{"but the figure may move as well", "sit further to the left", cut, nil},
		{"and raise an arm", "raise the left arm", cut, nil},
		{"arms on the body stay there", "raise both arms", held, errArmsClose},
		{"but the figure may come closer", "raise both arms, come closer", held, nil},
		{"nothing that is known", "look confident", img, errUnknownPose},
	}
	for _, tt := range tests {
		if err := posed(tt.img, tt.words); !errors.Is(err, tt.want) {
			t.Errorf("%s: %q gives %v, want %v", tt.name, tt.words, err, tt.want)
		}
	}
}
