package pages

import (
	"math"
	"testing"

	"atelier/app/browser"
	"atelier/app/model"
	"atelier/atelier"
)

// easel is a painter with a picture of 400 × 400 shown at 100 % in the middle of a stage of 1000 × 1000.
func easel() *painter {
	p := newPainter(func() {})
	p.resize(browser.Box{W: 1000, H: 1000})
	p.open(&atelier.Asset{ID: "a", Width: 400, Height: 400})
	p.paint(true)
	return p
}

func at(x, y float64) []browser.Point { return []browser.Point{{X: 300 + x, Y: 300 + y}} }

func stroke(p *painter, kinds ...browser.Pointer) {
	for _, k := range kinds {
		k.ID = max(k.ID, 1)
		p.pointer(k)
	}
}

func down(x, y float64) browser.Pointer {
	return browser.Pointer{Kind: browser.PointerDown, Points: at(x, y)}
}

func move(x, y float64) browser.Pointer {
	return browser.Pointer{Kind: browser.PointerMove, Points: at(x, y)}
}

func up(x, y float64) browser.Pointer {
	return browser.Pointer{Kind: browser.PointerUp, Points: at(x, y)}
}

func press(p *painter, key string) bool { return p.key(browser.Key{Key: key}) }

func TestBrushPaintsAndEraserTakesAway(t *testing.T) {
	p := easel()
	stroke(p, down(100, 100), move(200, 100), up(200, 100))
	plane := p.editor.Plane()
	if !plane.Kept(150, 100) || !plane.Kept(150, 120) || plane.Kept(150, 130) {
		t.Error("a stroke of 48 px is not 48 px wide")
	}
	press(p, "e")
	stroke(p, down(150, 100), up(150, 100))
	if plane.Kept(150, 100) || !plane.Kept(100, 100) {
		t.Error("the eraser took the wrong part")
	}
}

func TestBrushIsAsWideOnScreenAtEveryZoom(t *testing.T) {
	p := easel()
	p.zoom(2, &browser.Point{X: 500, Y: 500}) // the picture's middle stays in the middle
	p.pointer(browser.Pointer{Kind: browser.PointerDown, ID: 1, Points: []browser.Point{{X: 500, Y: 500}}})
	p.pointer(browser.Pointer{Kind: browser.PointerUp, ID: 1, Points: []browser.Point{{X: 500, Y: 500}}})
	if plane := p.editor.Plane(); !plane.Kept(200, 208) || plane.Kept(200, 216) {
		t.Error("at 200 % the brush does not cover half the pixels")
	}
}

func TestMergedEventsLeaveNoGaps(t *testing.T) {
	p := easel()
	p.resizeBrush(4)
	stroke(p, down(10, 10), browser.Pointer{Kind: browser.PointerMove, Points: []browser.Point{{X: 360, Y: 310}, {X: 360, Y: 360}, {X: 310, Y: 360}}}, up(10, 60))
	plane := p.editor.Plane()
	for _, c := range [][2]int{{35, 10}, {60, 35}, {35, 60}} {
		if !plane.Kept(c[0], c[1]) {
			t.Errorf("(%d, %d) is not painted", c[0], c[1])
		}
	}
}

func TestStrokeMayLeaveThePicture(t *testing.T) {
	p := easel()
	stroke(p, down(380, 200), move(5000, -4000), move(-900, 200), up(-900, 200))
	if p.empty {
		t.Error("nothing was painted")
	}
}

func TestUndoRedoInvertAndClear(t *testing.T) {
	p := easel()
	stroke(p, down(100, 100), up(100, 100))
	one := p.kept
	stroke(p, down(300, 300), up(300, 300))
	two := p.kept
	for _, step := range []struct {
		key  browser.Key
		want float64
	}{
		{browser.Key{Key: "z", Ctrl: true}, one},
		{browser.Key{Key: "z", Ctrl: true}, 0},
		{browser.Key{Key: "z", Ctrl: true, Shift: true}, one},
		{browser.Key{Key: "y", Ctrl: true}, two},
		{browser.Key{Key: "i"}, 1 - two},
		{browser.Key{Key: "z", Ctrl: true}, two},
	} {
		if !p.key(step.key) || p.kept != step.want {
			t.Errorf("after %+v %.4f is kept, want %.4f", step.key, p.kept, step.want)
		}
	}
	p.act("clear")
	if !p.empty || p.problem() == "" {
		t.Error("a cleared mask may be sent")
	}
}

func TestLassoAndRectangleFillTheirShape(t *testing.T) {
	p := easel()
	press(p, "l")
	stroke(p, down(50, 50), move(150, 50), move(150, 150), move(50, 150), up(50, 150))
	if plane := p.editor.Plane(); !plane.Kept(100, 100) || plane.Kept(200, 100) {
		t.Error("the lasso")
	}
	press(p, "m")
	stroke(p, down(250, 250), move(300, 350), up(300, 350))
	if plane := p.editor.Plane(); !plane.Kept(275, 300) || plane.Kept(310, 300) {
		t.Error("the rectangle")
	}
	p.pointer(browser.Pointer{Kind: browser.PointerDown, ID: 1, Alt: true, Points: at(260, 260)})
	stroke(p, move(290, 290), up(290, 290))
	if p.editor.Plane().Kept(275, 275) {
		t.Error("Alt does not erase")
	}
}

func TestCancelledStrokeLeavesTheOneBeforeIt(t *testing.T) {
	p := easel()
	stroke(p, down(100, 100), up(100, 100))
	before := p.editor.Plane().Clone()
	stroke(p, down(200, 200), move(300, 200), browser.Pointer{Kind: browser.PointerCancel, Points: at(300, 200)})
	if !p.editor.Plane().Equal(before) {
		t.Error("the cancelled stroke stays")
	}
	stroke(p, down(100, 100), browser.Pointer{Kind: browser.PointerCancel, Points: at(100, 100)}) // over what is painted: no step
	if !p.editor.Plane().Equal(before) {
		t.Error("cancelling a stroke that changed nothing took the one before it")
	}
}

func TestTwoFingersMoveThePictureAndLeaveNoDot(t *testing.T) {
	p := easel()
	finger := func(kind browser.PointerKind, id int, x, y float64) {
		p.pointer(browser.Pointer{Kind: kind, ID: id, Touch: true, Points: []browser.Point{{X: x, Y: y}}})
	}
	finger(browser.PointerDown, 1, 450, 500)
	finger(browser.PointerDown, 2, 550, 500)
	finger(browser.PointerMove, 2, 650, 500)
	if got := p.view.Percent(); got != 200 {
		t.Errorf("fingers twice as far apart show %d %%", got)
	}
	finger(browser.PointerUp, 2, 650, 500)
	finger(browser.PointerMove, 1, 480, 520)
	finger(browser.PointerUp, 1, 480, 520)
	if !p.empty {
		t.Error("the first finger left a dot")
	}
}

func TestAFingerFillsWhenItIsLiftedAndNotWhenASecondFollows(t *testing.T) {
	p := easel()
	p.source = chess()
	finger := func(kind browser.PointerKind, id int, x, y float64) {
		p.pointer(browser.Pointer{Kind: kind, ID: id, Touch: true, Points: at(x, y)})
	}
	for _, tool := range []string{model.ToolWand, model.ToolBucket} {
		p.use(tool)
		finger(browser.PointerDown, 1, 100, 100)
		finger(browser.PointerDown, 2, 200, 100)
		finger(browser.PointerUp, 2, 200, 100)
		finger(browser.PointerUp, 1, 100, 100)
		p.fit()
		finger(browser.PointerDown, 1, 100, 100)
		finger(browser.PointerMove, 1, 150, 100)
		finger(browser.PointerUp, 1, 150, 100)
		if !p.empty {
			t.Fatalf("two fingers, or one that slid, filled with the %s", tool)
		}
		finger(browser.PointerDown, 1, 100, 100)
		finger(browser.PointerUp, 1, 103, 100)
		if p.empty {
			t.Errorf("a tap with the %s fills nothing", tool)
		}
		p.act("undo")
	}
}

func TestKeysHeldWhileTheWindowIsLeftAreLetGo(t *testing.T) {
	p := easel()
	press(p, " ")
	press(p, "\\")
	p.letGo()
	stroke(p, down(100, 100), move(200, 100), up(200, 100))
	if p.empty || p.peek {
		t.Error("the brush still moves the picture, or the mask is still hidden")
	}
}

// canvas is an easel whose picture of 400 × 400 stands at (100, 100) of a canvas of 800 × 600, at half its size on the stage.
func canvas(t *testing.T) (p *painter, told *model.Expansion) {
	t.Helper()
	p, told = easel(), &model.Expansion{}
	p.paint(false)
	p.expand(model.Expansion{W: 400, H: 400, Left: 100, Top: 100, Width: 800, Height: 600, Most: 4096, Pad: 8}, true)
	p.move(model.View{X: 300, Y: 300, Scale: .5})
	p.expanded = func(e model.Expansion, _ bool) { *told = e }
	return p, told
}

func pull(p *painter, alt bool, points ...browser.Point) {
	p.pointer(browser.Pointer{Kind: browser.PointerDown, Points: points[:1]})
	for _, at := range points[1:] {
		p.pointer(browser.Pointer{Kind: browser.PointerMove, Points: []browser.Point{at}, Alt: alt})
	}
	p.pointer(browser.Pointer{Kind: browser.PointerUp, Points: points[len(points)-1:]})
}

func TestPictureIsDraggedOnItsCanvas(t *testing.T) {
	p, told := canvas(t)
	corner := func() (x, y float64) {
		frame := p.expansion.Frame()
		return p.view.X + float64(frame.Min.X)*p.view.Scale, p.view.Y + float64(frame.Min.Y)*p.view.Scale
	}
	x, y := corner()
	pull(p, false, browser.Point{X: 350, Y: 350}, browser.Point{X: 375, Y: 340})
	if told.Left != 150 || told.Top != 80 {
		t.Errorf("placed at (%d, %d), want (150, 80)", told.Left, told.Top)
	}
	if nx, ny := corner(); nx != x || ny != y {
		t.Error("the canvas moved on the stage")
	}
	pull(p, false, browser.Point{X: 375, Y: 340}, browser.Point{X: 398, Y: 351})
	if told.Left != 200 || told.Top != 100 || told.Width != 800 {
		t.Errorf("near the middle it is at (%d, %d), want (200, 100)", told.Left, told.Top)
	}
	pull(p, true, browser.Point{X: 400, Y: 350}, browser.Point{X: 402, Y: 351})
	if told.Left != 204 || told.Top != 102 {
		t.Errorf("with Alt it is at (%d, %d), want (204, 102)", told.Left, told.Top)
	}
	pull(p, false, browser.Point{X: 400, Y: 350}, browser.Point{X: 9000, Y: -9000})
	if told.Left != 800-8 || told.Top != 8-400 {
		t.Errorf("placed at (%d, %d): at least 8 px must stay on the canvas", told.Left, told.Top)
	}
}

func TestCanvasIsPulledByItsSidesAndThePictureByItsCorners(t *testing.T) {
	p, told := canvas(t)
	pull(p, false, browser.Point{X: 650, Y: 400}, browser.Point{X: 675, Y: 200}) // the right side is at 300 + 700 × .5
	if told.Width != 850 || told.Height != 600 || told.Left != 100 {
		t.Errorf("pulled by its right side: %+v", *told)
	}
	p, told = canvas(t)
	pull(p, false, browser.Point{X: 250, Y: 250}, browser.Point{X: 240, Y: 230}) // the upper left corner
	if told.Width != 820 || told.Height != 640 || told.Left != 120 || told.Top != 140 {
		t.Errorf("pulled by its corner: %+v", *told)
	}
	p, told = canvas(t)
	pull(p, false, browser.Point{X: 500, Y: 500}, browser.Point{X: 400, Y: 400}) // the picture's lower right corner, to half
	if told.Width != 1600 || told.Height != 1200 || told.Left != 200 || told.Top != 200 {
		t.Errorf("the picture made half as large: %+v", *told)
	}
	if p.view.X != 300 || p.view.Y != 300 || p.view.Scale != .25 {
		t.Errorf("its other corner left its place on the stage: %+v", p.view)
	}
}

func TestArrowKeysMoveThePictureOnItsCanvas(t *testing.T) {
	p, told := canvas(t)
	press(p, "ArrowRight")
	p.key(browser.Key{Key: "ArrowUp", Shift: true})
	if told.Left != 101 || told.Top != 90 {
		t.Errorf("at (%d, %d), want (101, 90)", told.Left, told.Top)
	}
	if p.key(browser.Key{Key: "ArrowLeft", Button: true}) {
		t.Error("an arrow key on a control moves the picture")
	}
	p.paint(true)
	before := p.expansion
	if press(p, "ArrowLeft"); p.expansion != before {
		t.Error("an arrow key moves the picture while a mask is painted")
	}
}

func TestTwoFingersTurnThePictureAndHoldItUpright(t *testing.T) {
	p := easel()
	finger := func(kind browser.PointerKind, id int, x, y float64) {
		p.pointer(browser.Pointer{Kind: kind, ID: id, Touch: true, Points: []browser.Point{{X: x, Y: y}}})
	}
	finger(browser.PointerDown, 1, 400, 500)
	finger(browser.PointerDown, 2, 600, 500)
	for _, step := range []struct{ down, want float64 }{{5, 0}, {30, 30}, {10, 10}, {-4, 0}, {-20, 340}} {
		sin, cos := math.Sincos(step.down * math.Pi / 180)
		finger(browser.PointerMove, 2, 400+200*cos, 500+200*sin)
		if math.Abs(p.view.Angle-step.want) > 0.01 {
			t.Fatalf("fingers turned by %v° turn the picture to %v°, want %v°", step.down, p.view.Angle, step.want)
		}
	}
	finger(browser.PointerUp, 1, 400, 500)
	if !p.empty {
		t.Error("two fingers left a dot")
	}
}

func TestSpaceDragsAndPaintsNothing(t *testing.T) {
	p := easel()
	press(p, " ")
	x := p.view.X
	stroke(p, down(100, 100), move(130, 100), up(130, 100))
	p.key(browser.Key{Key: " ", Up: true})
	if !p.empty || p.view.X != x+30 {
		t.Errorf("empty %v, moved by %v", p.empty, p.view.X-x)
	}
}

func TestKeysOfTheStage(t *testing.T) {
	p := easel()
	press(p, "]")
	if p.tip().Size <= 48 {
		t.Error("] does not enlarge the brush")
	}
	press(p, "x")
	if !p.flipped {
		t.Error("x does not flip the view")
	}
	press(p, "+")
	if p.view.Percent() != 125 {
		t.Errorf("+ shows %d %%", p.view.Percent())
	}
	press(p, "0")
	if p.view.Percent() != 100 || !p.fitted {
		t.Error("0 does not fit")
	}
	p.paint(false)
	if press(p, "i") || p.key(browser.Key{Key: "z", Ctrl: true}) {
		t.Error("mask keys work while no mask is painted")
	}
}

func TestMaskComesBackAfterAReload(t *testing.T) {
	p := easel()
	var packed []byte
	p.keep = func(_ atelier.AssetID, b []byte) { packed = b }
	stroke(p, down(100, 100), move(200, 200), up(200, 200))
	p.flush()
	again := easel()
	again.restore("a", packed)
	if again.kept != p.kept || again.empty {
		t.Errorf("%v kept, want %v", again.kept, p.kept)
	}
	other := easel()
	other.restore("another", packed)
	if !other.empty {
		t.Error("the mask of another picture was taken")
	}
}

func BenchmarkStrokeAt4096(b *testing.B) {
	p := newPainter(func() {})
	p.resize(browser.Box{W: 1000, H: 1000})
	p.open(&atelier.Asset{ID: "a", Width: 4096, Height: 4096})
	p.paint(true)
	p.pointer(down(0, 0))
	for i := 0; b.Loop(); i++ {
		p.pointer(move(float64(i%400), float64(i/7%400)))
	}
}
