package model

import (
	"image"
	"math"
	"testing"

	"atelier/app/words"
	"atelier/imaging/mask"
)

func TestSettingsOfTheMaskDeskComeBack(t *testing.T) {
	d := NewMaskDesk().WithTip(ToolBrush, Tip{Size: 80, Hardness: 30}).WithTip(ToolEraser, Tip{Size: 7, Hardness: 100})
	d.Join, d.Tolerance, d.Whole, d.Show, d.Keep, d.Opacity, d.NoMap = JoinSubtract, 0, true, ShowStrong, "blue", 90, true
	d.Keys = map[string]string{ToolLasso: "q", DoPick: "k"}
	got := ReadMaskDesk(d.Encode())
	if got.Encode() != d.Encode() {
		t.Errorf("%s came back as %s", d.Encode(), got.Encode())
	}
	if got.Tip(ToolBrush).Size != 80 || got.Tip(ToolEraser).Size != 7 || got.Tip(ToolWand).Size != 80 {
		t.Errorf("the tips are %+v", got.Tips)
	}
}

func TestDamagedSettingsAreAsAtFirst(t *testing.T) {
	first := NewMaskDesk().Encode()
	for _, text := range []string{"", "{", "[]", "null", `{"tips":null,"join":"x","smart":"y","show":"z","keep":"none","redraw":"","tolerance":24,"opacity":45}`} {
		if got := ReadMaskDesk(text).Encode(); got != first {
			t.Errorf("%s gives %s", text, got)
		}
	}
	wild := ReadMaskDesk(`{"tips":{"brush":{"size":0,"hardness":-5},"eraser":{"size":9999,"hardness":400}},"tolerance":999,"opacity":0,"keys":{"no such action":"q"}}`)
	if wild.Tip(ToolBrush) != (Tip{MinBrush, 0}) || wild.Tip(ToolEraser) != (Tip{MaxBrush, 100}) || wild.Tolerance != MaxTolerance || wild.Opacity != MinOpacity || len(wild.Keys) != 0 {
		t.Errorf("%+v", wild)
	}
}

func TestRegionsAreToldInWords(t *testing.T) {
	for _, tt := range []struct {
		r    mask.Region
		want string
	}{
		{mask.Region{Kept: true, Share: .12, Across: mask.MiddleThird, Down: mask.MiddleThird}, "Region 2: 12 % of the image, kept, in the middle"},
		{mask.Region{Share: .005, Across: mask.LastThird, Down: mask.FirstThird}, "Region 2: under 1 % of the image, redrawn, top right"},
		{mask.Region{Share: .5, Across: mask.FirstThird, Down: mask.MiddleThird}, "Region 2: 50 % of the image, redrawn, on the left"},
		{mask.Region{Share: .5, Across: mask.MiddleThird, Down: mask.LastThird}, "Region 2: 50 % of the image, redrawn, at the bottom"},
	} {
		if got := RegionWords(2, tt.r); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

func TestMovedMasksAreToldInWords(t *testing.T) {
	if got := AlignmentWords(mask.Alignment{Scale: 1}); got != "It fits as it is." {
		t.Error(got)
	}
	if got := AlignmentWords(mask.Alignment{DX: 12.4, DY: -3.6, Scale: 1}); got != "Moved by 12, -4 px to fit this picture. Undo reverts it." {
		t.Error(got)
	}
	if got := AlignmentWords(mask.Alignment{Scale: 1.034}); got != "Moved by 0, 0 px and scaled to 103.4 % to fit this picture. Undo reverts it." {
		t.Error(got)
	}
	if got := words.MaskFound(.3, "No face was found."); got != "Found, but only 30 % sure: correct it with the brush. No face was found." {
		t.Error(got)
	}
}

func TestShapesOfTheSameProportions(t *testing.T) {
	for _, tt := range []struct {
		w, h, toW, toH int
		want           bool
	}{{500, 400, 1000, 800, true}, {500, 400, 1000, 801, true}, {500, 400, 1000, 803, false}, {400, 500, 1000, 800, false}, {0, 0, 10, 10, false}} {
		if got := SameShape(tt.w, tt.h, tt.toW, tt.toH); got != tt.want {
			t.Errorf("%+v: %v", tt, got)
		}
	}
}

func TestTurnedViewsFindTheirWayBack(t *testing.T) {
	v := View{X: 40, Y: 30, Scale: 1.5}.Turn(37, 200, 100)
	for _, at := range []image.Point{{0, 0}, {120, 45}, {-8, 700}} {
		x, y := v.ToStage(float64(at.X), float64(at.Y))
		px, py := v.ToPicture(x, y)
		if math.Abs(px-float64(at.X)) > 1e-9 || math.Abs(py-float64(at.Y)) > 1e-9 {
			t.Errorf("%v came back as (%v, %v)", at, px, py)
		}
	}
	back := v.Turn(-37, 200, 100)
	if math.Abs(back.X-40) > 1e-9 || math.Abs(back.Y-30) > 1e-9 || math.Abs(math.Remainder(back.Angle, 360)) > 1e-9 {
		t.Errorf("turned back it is %+v", back)
	}
	if got := (View{Scale: 1}).Turn(-15, 0, 0).Angle; got != 345 {
		t.Errorf("-15° is %v", got)
	}
	quarter := FitTurned(Size{800, 400}, Size{500, 1000}, 90)
	if !quarter.Shows(Size{800, 400}, Size{500, 1000}) || math.Abs(quarter.Scale-1) > 1e-9 {
		t.Errorf("a wide picture on its side does not fit a tall stage: %+v", quarter)
	}
	if v.Zoom(9, 0, 0).Shows(Size{400, 300}, Size{500, 500}) {
		t.Error("an enlarged picture is said to be on the stage as a whole")
	}
}
