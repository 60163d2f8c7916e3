package segment

import (
	"context"
	"image"
	"math"
	"slices"
	"testing"

	"atelier/imaging/mask"
	"atelier/imaging/net"
	"atelier/imaging/testpics"
)

// overlapWith is the intersection over union of two masks.
func overlapWith(a, b mask.Plane) float64 {
	truth := make([]bool, len(b.Pix))
	for i, v := range b.Pix {
		truth[i] = v >= mask.Level
	}
	return sameAs(a, truth)
}

func TestPersonIsDivided(t *testing.T) {
	t.Parallel()
	img, drawn := testpics.Person(480, 640, 3)
	for kind, want := range map[Kind]struct {
		truth mask.Plane
		least float64
	}{
		WholeSubject: {drawn.Person, 0.9},
		InverseHuman: {drawn.Head, 0.7},
		UpperApparel: {drawn.Upper, 0.7},
		LowerApparel: {drawn.Lower, 0.6},
	} {
		r, err := Region(t.Context(), img, kind, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := overlapWith(r.Mask, want.truth); got < want.least {
			t.Errorf("%s: the overlap with the drawing is %.3f, want at least %.2f", kind, got, want.least)
		}
		if len(r.Faces) != 1 {
			t.Errorf("%s: %d faces", kind, len(r.Faces))
		}
	}
}

func TestHeadAndHumanAreOpposites(t *testing.T) {
	t.Parallel()
	img := testpics.Astronaut()
	head, err := Region(t.Context(), img, InverseHuman, Options{})
	if err != nil {
		t.Fatal(err)
	}
	rest, err := Region(t.Context(), img, Human, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range head.Mask.Pix {
		if head.Mask.Pix[i] == rest.Mask.Pix[i] {
			t.Fatalf("pixel (%d,%d) is %d in both", i%512, i/512, head.Mask.Pix[i])
		}
	}
}

// places of the photograph of the astronaut, by what is there.
var (
	herFace   = []image.Point{{226, 120}, {200, 130}, {250, 125}, {223, 160}}
	herHair   = []image.Point{{170, 80}, {225, 35}, {285, 85}}
	herSuit   = []image.Point{{80, 350}, {200, 320}, {150, 460}, {310, 280}}
	behindHer = []image.Point{{30, 60}, {330, 60}, {410, 150}, {420, 310}, {110, 120}}
)

func TestPhotographIsCutOut(t *testing.T) {
	t.Parallel()
	img := testpics.Astronaut()
	for kind, want := range map[Kind]struct{ kept, redrawn []image.Point }{
		WholeSubject: {append(append(append([]image.Point{}, herFace...), herHair...), herSuit...), behindHer},
		InverseHuman: {slices.Concat(herFace, herHair), slices.Concat(herSuit, behindHer)},
		Apparel:      {herSuit, append(append([]image.Point{}, herFace...), behindHer...)},
	} {
		r, err := Region(t.Context(), img, kind, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for value, points := range map[uint8][]image.Point{255: want.kept, 0: want.redrawn} {
			for _, at := range points {
				if got := r.Mask.Pix[at.Y*r.Mask.W+at.X]; got != value {
					t.Errorf("%s: the mask is %d at %v, want %d", kind, got, at, value)
				}
			}
		}
		if r.Confidence < 0.5 {
			t.Errorf("%s: confidence %.2f", kind, r.Confidence)
		}
	}
}

func heads(img *image.NRGBA) ([]Rect, error) {
	return NewScene(Options{}).Heads(context.Background(), img)
}

func TestFacesAndHeads(t *testing.T) {
	t.Parallel()
	img := testpics.Astronaut()
	for name, find := range map[string]func(*image.NRGBA) ([]Rect, error){"Faces": Faces, "Heads": heads} {
		found, err := find(img)
		if err != nil || len(found) != 1 {
			t.Fatalf("%s gives %v: %v", name, found, err)
		}
		r := found[0]
		x, y := (r.Min.X+r.Max.X)/2, (r.Min.Y+r.Max.Y)/2
		if math.Hypot(float64(x-226), float64(y-115)) > 15 || r.Dx() < 95 || r.Dx() > 140 {
			t.Errorf("%s gives %v", name, r)
		}
		if _, err := find(image.NewNRGBA(image.Rectangle{})); err == nil {
			t.Errorf("%s takes a picture without pixels", name)
		}
	}
}

// The same face counts once, wherever the picture is cut and however small it is.
func TestSmallFaceIsFound(t *testing.T) {
	t.Parallel()
	small := image.NewNRGBA(image.Rect(0, 0, 1000, 1000))
	for i := range small.Pix {
		small.Pix[i] = 200
	}
	her := testpics.Astronaut()
	for y := range 512 {
		copy(small.Pix[small.PixOffset(250, 488+y):][:4*512], her.Pix[her.PixOffset(0, y):])
	}
	found, err := heads(small)
	if err != nil || len(found) != 1 {
		t.Fatalf("%v, %v", found, err)
	}
	if at := image.Pt(476, 608); !at.In(found[0]) {
		t.Errorf("the face is at %v, want around %v", found[0], at)
	}
}

func TestOnlyOthersWithoutLargeFaceAreLeftOut(t *testing.T) {
	t.Parallel()
	img := image.NewNRGBA(image.Rect(0, 0, 200, 100))
	s, err := sceneOf(img)
	if err != nil {
		t.Fatal(err)
	}
	s.people = []person{{face: face{40, 20, 10}, shown: true}, {face: face{150, 40, 9}, shown: true}}
	labels := make([]uint8, 200*100)
	fill := func(r image.Rectangle) {
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				labels[y*200+x] = 1
			}
		}
	}
	main, friend, stranger := image.Rect(20, 10, 70, 90), image.Rect(140, 30, 160, 55), image.Rect(180, 60, 195, 90)
	for _, r := range []image.Rectangle{main, friend, stranger} {
		fill(r)
	}
	others := s.keepForemost(labels)
	for r, want := range map[image.Rectangle]bool{main: true, friend: true, stranger: false} {
		i := (r.Min.Y+r.Max.Y)/2*200 + (r.Min.X+r.Max.X)/2
		if (labels[i] == 1) != want || (others[i] == 1) == want {
			t.Errorf("%v: label %d, other %d", r, labels[i], others[i])
		}
	}
}

func TestPlaceOnBody(t *testing.T) {
	t.Parallel()
	var p person
	for i, at := range map[int]net.Point{
		net.LeftShoulder: {X: 60, Y: 20}, net.RightShoulder: {X: 40, Y: 20},
		net.LeftHip: {X: 58, Y: 60}, net.RightHip: {X: 42, Y: 60},
		net.LeftElbow: {X: 70, Y: 40}, net.RightElbow: {X: 30, Y: 40},
		net.LeftWrist: {X: 72, Y: 60}, net.RightWrist: {X: 28, Y: 60},
		net.LeftKnee: {X: 58, Y: 90}, net.RightKnee: {X: 42, Y: 90},
		net.LeftAnkle: {X: 58, Y: 120}, net.RightAnkle: {X: 42, Y: 120},
		net.LeftToe: {X: 60, Y: 124}, net.RightToe: {X: 40, Y: 124},
	} {
		p.joints.At[i].Point = at
	}
	p.measure()
	near := func(what string, got, want float64) {
		if math.Abs(got-want) > 0.02 {
			t.Errorf("%s is %.3f, want %.3f", what, got, want)
		}
	}
	near("trunk", p.trunk, 40)
	hips, knee, wrist := p.place(50, 60), p.place(58, 90), p.place(72, 60)
	near("down to the hips", hips.down, 1)
	near("across at the hips", hips.across, 0)
	near("along the leg at the knee", knee.along[legLimbs], 1)
	near("off the leg at the knee", knee.off[legLimbs], 0)
	near("from the wrist", wrist.end[armLimbs], 0)
	near("distance in the trunk", p.place(50, 40).distance(), 0)
	near("distance beside the knee", p.place(78, 90).distance(), 0.5)
	// A body that lies on its side is measured along itself.
	for i := range p.joints.At {
		at := &p.joints.At[i]
		at.X, at.Y = at.Y, at.X
	}
	p.measure()
	near("down when lying", p.place(60, 50).down, 1)
}

func TestStandingFindsWhoIsSmall(t *testing.T) {
	t.Parallel()
	img := image.NewNRGBA(image.Rect(0, 0, 900, 700))
	for i := range img.Pix {
		img.Pix[i] = 190
	}
	who, _ := testpics.Person(200, 300, 1)
	for y := range 300 {
		copy(img.Pix[img.PixOffset(600, 250+y):], who.Pix[who.PixOffset(0, y):][:4*200])
	}
	found, err := Standing(t.Context(), img)
	if err != nil || len(found) == 0 {
		t.Fatalf("%v, %v", found, err)
	}
	if at := image.Pt(700, 400); !at.In(found[0]) {
		t.Errorf("a person stands at %v, want around %v", found, at)
	}
}

func TestBodiesAreOfWhoeverShowsOne(t *testing.T) {
	t.Parallel()
	img := testpics.Astronaut()
	seen, err := NewScene(Options{}).Bodies(t.Context(), img)
	if err != nil || len(seen) != 1 {
		t.Fatalf("%d bodies, %v", len(seen), err)
	}
	faces, err := Faces(img)
	if err != nil || len(faces) == 0 {
		t.Fatalf("%d faces, %v", len(faces), err)
	}
	nose, shoulder := seen[0].At[net.Nose], seen[0].At[net.LeftShoulder]
	if !image.Pt(int(nose.X), int(nose.Y)).In(faces[0]) || shoulder.Y < float64(faces[0].Max.Y) {
		t.Errorf("the nose is at %v and a shoulder at %v, the face is %v", nose.Point, shoulder.Point, faces[0])
	}
	closeUp := img.SubImage(faces[0].Inset(-faces[0].Dx() / 3)).(*image.NRGBA)
	if seen, err := NewScene(Options{}).Bodies(t.Context(), closeUp); err != nil || len(seen) != 0 {
		t.Errorf("a face alone has %d bodies, %v", len(seen), err)
	}
}
