package net

import (
	"image"
	"math"
	"testing"

	"atelier/imaging/testpics"
)

// turned is a picture turned a quarter clockwise.
func turned(p Picture) Picture {
	out := Picture{W: p.H, H: p.W, Pix: make([]float32, len(p.Pix))}
	for y := range p.H {
		for x := range p.W {
			copy(out.Pix[3*(x*out.W+p.H-1-y):][:3], p.Pix[3*(y*p.W+x):])
		}
	}
	return out
}

func away(t *testing.T, what string, got Point, x, y, most float64) {
	t.Helper()
	if d := math.Hypot(got.X-x, got.Y-y); d > most {
		t.Errorf("%s is at (%.0f, %.0f), %.1f pixels from (%.0f, %.0f)", what, got.X, got.Y, d, x, y)
	}
}

func TestFacesFindsEyesAndMouth(t *testing.T) {
	t.Parallel()
	p := PictureOf(testpics.Astronaut())
	found := Faces(p, p.Whole())
	if len(found) != 1 {
		t.Fatalf("%d faces, want one", len(found))
	}
	f := found[0]
	if f.W < 90 || f.W > 130 || f.Score < 0.8 {
		t.Errorf("a face %.0f wide with score %.2f", f.W, f.Score)
	}
	away(t, "right eye", f.Points[RightEye], 204, 102, 6)
	away(t, "left eye", f.Points[LeftEye], 247, 104, 6)
	away(t, "mouth", f.Points[Mouth], 223, 146, 6)
	marks := LandmarksOf(p, f)
	right, left := marks.Eyes()
	away(t, "right eye of the mesh", right, 204, 102, 4)
	away(t, "left eye of the mesh", left, 247, 104, 4)
	away(t, "mouth of the mesh", marks.Mouth(), 223, 146, 4)
	if marks.Presence < 0.9 {
		t.Errorf("presence %.2f", marks.Presence)
	}
	// Half of the picture, somewhere else, is the same face.
	for _, f := range Faces(p, Region{X: 226, Y: 140, W: 256, H: 256}) {
		away(t, "right eye in a part", f.Points[RightEye], 204, 102, 6)
	}
	if again := Faces(p, Region{X: 380, Y: 140, W: 150, H: 200}); len(again) != 0 {
		t.Errorf("%d faces in a model of a rocket", len(again))
	}
}

func TestLandmarksOfTurnedFace(t *testing.T) {
	t.Parallel()
	p := turned(PictureOf(testpics.Astronaut()))
	marks := LandmarksIn(p, Region{X: 512 - 121, Y: 226, W: 160, H: 160, Angle: math.Pi / 2})
	right, left := marks.Eyes()
	away(t, "right eye", right, 512-102, 204, 5)
	away(t, "left eye", left, 512-104, 247, 5)
}

func TestLandmarksNeedFace(t *testing.T) {
	t.Parallel()
	p := PictureOf(testpics.Astronaut())
	if marks := LandmarksIn(p, Region{X: 415, Y: 130, W: 160, H: 160}); marks.Presence > 0.1 {
		t.Errorf("a model of a rocket is a face with presence %.2f", marks.Presence)
	}
}

func TestPeopleSeesPerson(t *testing.T) {
	t.Parallel()
	p := PictureOf(testpics.Astronaut())
	for _, r := range []Region{p.Whole(), {X: 240, Y: 256, W: 480, H: 512}} {
		grid := People(p, r)
		for at, person := range map[image.Point]bool{
			{226, 120}: true, {226, 60}: true, {130, 330}: true, {250, 250}: true, {60, 440}: true,
			{30, 60}: false, {340, 60}: false, {410, 130}: false, {430, 320}: false, {100, 120}: false,
		} {
			x, y := (float64(at.X)-r.X)/r.W+0.5, (float64(at.Y)-r.Y)/r.H+0.5
			chance := grid[int(y*PeopleSize)*PeopleSize+int(x*PeopleSize)]
			if (chance > 0.5) != person {
				t.Errorf("%v: the chance of a person at %v is %.2f", r, at, chance)
			}
		}
	}
}

func TestJointsOfPortrait(t *testing.T) {
	t.Parallel()
	p := PictureOf(testpics.Astronaut())
	j, mask := JointsOf(p, p.Whole())
	away(t, "nose", j.At[Nose].Point, 225, 130, 20)
	away(t, "left shoulder", j.At[LeftShoulder].Point, 285, 210, 40)
	away(t, "right shoulder", j.At[RightShoulder].Point, 140, 210, 40)
	if j.Presence < 0.7 || j.At[LeftShoulder].Visible < 0.9 || j.At[LeftAnkle].Visible > 0.5 {
		t.Errorf("presence %.2f, left shoulder %+v, left ankle %+v", j.Presence, j.At[LeftShoulder], j.At[LeftAnkle])
	}
	if person, wall := mask[80*JointsMaskSize+112], mask[30*JointsMaskSize+170]; person < 0.5 || wall > 0.5 {
		t.Errorf("the mask says %.2f of her neck and %.2f of the wall", person, wall)
	}
}

func TestRegionIsTurnedClockwise(t *testing.T) {
	t.Parallel()
	r := Region{X: 100, Y: 50, W: 40, H: 20, Angle: math.Pi / 2}
	x, y := r.At(0, 0)
	away(t, "top left corner", Point{x, y}, 110, 30, 1e-9)
	x, y = r.At(1, 0)
	away(t, "top right corner", Point{x, y}, 110, 70, 1e-9)
	if s := r.Square().Scaled(1.5); s.W != 60 || s.H != 60 || s.X != 100 {
		t.Errorf("squared: %+v", s)
	}
}

func TestSampleAveragesAndFillsOutside(t *testing.T) {
	t.Parallel()
	p := Picture{W: 4, H: 2, Pix: make([]float32, 24)}
	for x := range 4 {
		for c := range 3 {
			p.Pix[3*x+c], p.Pix[12+3*x+c] = float32(40*x), float32(40*x)
		}
	}
	out := make([]float32, 3*2)
	p.sample(out, 2, 1, p.Whole(), 0, 255)
	near(t, "halves", out, []float32{20, 20, 20, 100, 100, 100})
	p.sample(out, 2, 1, Region{X: -6, Y: 1, W: 4, H: 2}, -1, 1)
	near(t, "outside", out, []float32{-1, -1, -1, -1, -1, -1})
}
