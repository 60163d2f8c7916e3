package pages

import (
	"context"
	"encoding/json"
	"errors"
	"html"
	"image"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
	"atelier/imaging/mask"
)

// chess is a picture of 400 × 400 in four flat squares.
func chess() mask.Source {
	s := mask.Source{W: 400, H: 400, Pix: make([]byte, 4*400*400)}
	for i := range 400 * 400 {
		v := byte(40)
		if (i%400 < 200) == (i/400 < 200) {
			v = 200
		}
		s.Pix[4*i], s.Pix[4*i+1], s.Pix[4*i+2], s.Pix[4*i+3] = v, v, v, 255
	}
	return s
}

func click(p *painter, x, y float64) { stroke(p, down(x, y), up(x, y)) }

func TestPenDrawsAsItPressesAndItsOtherEndErases(t *testing.T) {
	width := func(e browser.Pointer) int {
		p := easel()
		e.Kind, e.ID, e.Points = browser.PointerDown, 1, at(200, 200)
		p.pointer(e)
		n := 0
		for x := range 400 {
			if p.editor.Plane().Kept(x, 200) {
				n++
			}
		}
		return n
	}
	full, light := width(browser.Pointer{Pen: true, Press: []float64{1}}), width(browser.Pointer{Pen: true, Press: []float64{.1}})
	if full != 48 || light > 20 || light < 8 {
		t.Errorf("pressed fully it is %d px wide, lightly %d", full, light)
	}
	if fake := width(browser.Pointer{Pen: true, Press: []float64{.5}}); fake != 48 {
		t.Errorf("a pen that cannot feel draws %d px wide", fake)
	}
	if leaning := width(browser.Pointer{Pen: true, Press: []float64{1}, Tilt: 80}); leaning <= 48 {
		t.Errorf("a leaning pen draws %d px wide", leaning)
	}
	p := easel()
	p.act("all")
	stroke(p, browser.Pointer{Kind: browser.PointerDown, Pen: true, Rubber: true, Button: 5, Points: at(100, 100)}, browser.Pointer{Kind: browser.PointerUp, Pen: true, Points: at(100, 100)})
	if p.editor.Plane().Kept(100, 100) {
		t.Error("the pen's other end does not erase")
	}
}

func TestRightButtonErases(t *testing.T) {
	p := easel()
	p.act("all")
	stroke(p, browser.Pointer{Kind: browser.PointerDown, Button: 2, Points: at(100, 100)}, up(100, 100))
	if p.editor.Plane().Kept(100, 100) || !p.editor.Plane().Kept(300, 300) {
		t.Error("it does not")
	}
}

func TestOncePensAreSeenFingersMoveAndPalmsAreNotHeard(t *testing.T) {
	p := easel()
	finger := func(kind browser.PointerKind, x, y float64) {
		p.pointer(browser.Pointer{Kind: kind, ID: 7, Touch: true, Points: at(x, y)})
	}
	pen := func(kind browser.PointerKind, x, y float64) {
		p.pointer(browser.Pointer{Kind: kind, ID: 9, Pen: true, Press: []float64{1}, Points: at(x, y)})
	}
	finger(browser.PointerDown, 50, 50) // the palm comes first
	pen(browser.PointerDown, 200, 200)
	finger(browser.PointerMove, 90, 90)
	pen(browser.PointerMove, 250, 200)
	finger(browser.PointerDown, 60, 60)
	pen(browser.PointerUp, 250, 200)
	finger(browser.PointerUp, 60, 60)
	if plane := p.editor.Plane(); plane.Kept(50, 50) || plane.Kept(60, 60) || !plane.Kept(225, 200) {
		t.Error("the palm drew, or the pen did not")
	}
	x, kept := p.view.X, p.kept
	finger(browser.PointerDown, 100, 100)
	finger(browser.PointerMove, 140, 100)
	finger(browser.PointerUp, 140, 100)
	if p.view.X != x+40 || p.kept != kept {
		t.Errorf("the finger moved the picture by %v and painted %v", p.view.X-x, p.kept-kept)
	}
}

func TestPolygonClosesAtItsFirstCornerByKeyAndNotWithTwo(t *testing.T) {
	p := easel()
	press(p, "p")
	click(p, 100, 100)
	click(p, 300, 100)
	press(p, "Enter")
	if !p.empty || p.corners != nil {
		t.Error("two corners make an area")
	}
	for _, c := range [][2]float64{{100, 100}, {300, 100}, {300, 300}, {102, 103}} {
		click(p, c[0], c[1])
	}
	if p.corners != nil || !p.editor.Plane().Kept(250, 150) || p.editor.Plane().Kept(150, 250) {
		t.Error("it was not closed at its first corner")
	}
	p.act("clear")
	for _, c := range [][2]float64{{100, 100}, {300, 100}, {300, 300}, {10, 390}} {
		click(p, c[0], c[1])
	}
	press(p, "Backspace")
	press(p, "Enter")
	if !p.editor.Plane().Kept(250, 150) || p.editor.Plane().Kept(100, 300) {
		t.Error("the last corner was not taken back")
	}
	click(p, 50, 50)
	press(p, "Escape")
	if p.corners != nil {
		t.Error("Escape does not give it up")
	}
}

func TestShiftSnapsSidesAndSpacePansInTheMiddle(t *testing.T) {
	p := easel()
	press(p, "m")
	stroke(p, down(100, 100), browser.Pointer{Kind: browser.PointerMove, Shift: true, Points: at(200, 150)}, up(200, 150))
	if plane := p.editor.Plane(); !plane.Kept(195, 195) || plane.Kept(205, 150) {
		t.Error("Shift does not make a square")
	}
	p.act("clear")
	press(p, "p")
	click(p, 100, 100)
	stroke(p, browser.Pointer{Kind: browser.PointerDown, Shift: true, Points: at(300, 112)}, up(300, 112))
	if c := p.corners[1]; c.Y != 100 {
		t.Errorf("the side ends at %+v", c)
	}
	press(p, "Escape")

	press(p, "b")
	p.pointer(browser.Pointer{Kind: browser.PointerDown, ID: 1, Points: at(100, 300)})
	press(p, " ")
	p.pointer(browser.Pointer{Kind: browser.PointerMove, ID: 1, Points: at(300, 300)})
	p.key(browser.Key{Key: " ", Up: true})
	p.pointer(browser.Pointer{Kind: browser.PointerMove, ID: 1, Points: at(350, 300)})
	p.pointer(browser.Pointer{Kind: browser.PointerUp, ID: 1, Points: at(350, 300)})
	if plane := p.editor.Plane(); !plane.Kept(150, 300) || plane.Kept(200, 300) {
		t.Error("the stroke did not go on where it was on the picture")
	}
}

func TestModifiersJoinSelections(t *testing.T) {
	p := easel()
	press(p, "m")
	stroke(p, down(100, 100), move(300, 300), up(300, 300))
	stroke(p, browser.Pointer{Kind: browser.PointerDown, Ctrl: true, Points: at(200, 50)}, move(350, 350), up(350, 350))
	if plane := p.editor.Plane(); plane.Kept(150, 200) || !plane.Kept(250, 200) || plane.Kept(320, 200) {
		t.Error("with Ctrl not only what both cover stays")
	}
	p.desk.Join = model.JoinSubtract
	stroke(p, down(240, 0), move(260, 400), up(260, 400))
	if p.editor.Plane().Kept(250, 200) {
		t.Error("the chosen way is not followed")
	}
}

func TestEverySelectionIsAddedTakenAwayAndIntersectedByKeys(t *testing.T) {
	draw := map[string]func(p *painter, key browser.Pointer, x0, y0, x1, y1 float64){
		"l": func(p *painter, key browser.Pointer, x0, y0, x1, y1 float64) {
			key.Kind, key.Points = browser.PointerDown, at(x0, y0)
			stroke(p, key, move(x1, y0), move(x1, y1), move(x0, y1), up(x0, y1))
		},
		"p": func(p *painter, key browser.Pointer, x0, y0, x1, y1 float64) {
			key.Kind = browser.PointerDown
			for _, c := range [][2]float64{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}, {x0, y0}} {
				key.Points = at(c[0], c[1])
				stroke(p, key, up(c[0], c[1]))
				key.Alt, key.Ctrl = false, false // held at the first corner alone
			}
		},
	}
	drag := func(p *painter, key browser.Pointer, x0, y0, x1, y1 float64) {
		key.Kind, key.Points = browser.PointerDown, at(x0, y0)
		stroke(p, key, move(x1, y1), up(x1, y1))
	}
	draw["m"], draw["o"] = drag, drag
	for tool, draw := range draw {
		p := easel()
		press(p, tool)
		draw(p, browser.Pointer{}, 100, 100, 300, 300)
		draw(p, browser.Pointer{Alt: true}, 100, 80, 180, 320)
		draw(p, browser.Pointer{Ctrl: true}, 60, 100, 340, 210)
		plane := p.editor.Plane()
		if !plane.Kept(220, 150) || plane.Kept(120, 200) || plane.Kept(220, 280) || plane.Kept(320, 150) || p.steps() != 3 {
			t.Errorf("with %s: %d steps, kept %v", tool, p.steps(), plane.Bounds())
		}
	}
}

func TestWandFollowsItsTolerance(t *testing.T) {
	p := easel()
	p.source = chess()
	press(p, "w")
	click(p, 100, 100)
	if p.kept != .25 {
		t.Fatalf("one of four squares is %v", p.kept)
	}
	p.tolerance(p.desk.Tolerance, true)
	if p.kept != .5 {
		t.Errorf("with the whole picture %v is kept", p.kept)
	}
	p.tolerance(200, true)
	if p.desk.Tolerance != model.MaxTolerance || p.steps() != 1 {
		t.Errorf("tolerance %d after %d steps", p.desk.Tolerance, p.steps())
	}
	click(p, 300, 100)
	p.act("undo")
	if p.kept != .5 {
		t.Errorf("the second selection taken back leaves %v", p.kept)
	}
	stroke(p, browser.Pointer{Kind: browser.PointerDown, Ctrl: true, Points: at(-50, -50)}, up(-50, -50))
	if p.kept != .5 {
		t.Error("a click beside the picture erased the mask")
	}
}

func TestBucketFillsWhatStrokesEnclose(t *testing.T) {
	p := easel()
	press(p, "m")
	stroke(p, down(100, 100), move(300, 300), up(300, 300))
	stroke(p, browser.Pointer{Kind: browser.PointerDown, Alt: true, Points: at(120, 120)}, move(280, 280), up(280, 280))
	press(p, "f")
	click(p, 200, 200)
	if plane := p.editor.Plane(); !plane.Kept(200, 200) || plane.Kept(50, 50) {
		t.Error("it fills something else")
	}
}

func TestSlidersMakeOneStepAgainAndAgain(t *testing.T) {
	p := easel()
	press(p, "m")
	stroke(p, down(100, 100), move(300, 300), up(300, 300))
	before, kept := p.editor.Plane().Clone(), p.kept
	for _, by := range []int{4, 16, -8, 30} {
		p.refine(liveGrow, by)
	}
	if p.steps() != 2 || p.liveValue(liveGrow) != 30 || !p.editor.Plane().Kept(75, 200) {
		t.Errorf("%d steps, the slider stands at %d", p.steps(), p.liveValue(liveGrow))
	}
	p.refine(liveGrow, 0)
	if !p.editor.Plane().Equal(before) {
		t.Error("at 0 the mask is not as it was")
	}
	p.refine(liveFeather, 20)
	if p.kept < kept-.01 || p.kept > kept+.01 || p.editor.Plane().At(300, 200) == 255 {
		t.Error("feathering moves the edge, or does not soften it")
	}
	press(p, "b")
	click(p, 20, 20)
	if p.liveValue(liveFeather) != 0 {
		t.Error("the slider stays after something else was done")
	}
	p.refine(liveFeather, 10)
	if p.steps() != 4 {
		t.Errorf("%d steps, want 4", p.steps())
	}
}

func TestFeatherSaysThatHardEdgesAreSent(t *testing.T) {
	b := openStudio(t).withPicture()
	b.do(func(app.Context) {
		b.studio.ChooseAgent("removeBG")
		b.studio.SetValue("maskType", "custom")
		b.studio.openPanel(true)
		b.studio.MaskSet("tab", components.TabRefine)
	})
	html := b.html()
	feather, smooth := strings.Index(html, `"feather"`), strings.Index(html, `"smooth"`)
	says := strings.Index(html, words.RefineFirmHint)
	if feather < 0 || says < feather || smooth < says {
		t.Errorf("before it is moved: Feather at %d, its limit at %d, Smooth at %d", feather, says, smooth)
	}
	b.do(func(app.Context) { b.studio.openPanel(false) })
	b.drag(browser.Point{X: 100, Y: 100}, browser.Point{X: 300, Y: 500})
	b.do(func(app.Context) { b.studio.painter.refine(liveFeather, 60) })
	if form := b.html(); !strings.Contains(form, "Only hard edges are sent") {
		t.Error("the form does not say it of a soft mask")
	}
}

func TestKeyboardDrawsWhereItsCursorIs(t *testing.T) {
	p := easel()
	press(p, "ArrowRight") // the cursor appears in the middle
	if p.cross == nil || p.cross.X != 200 || p.cross.Y != 200 {
		t.Fatalf("the cursor is at %+v", p.cross)
	}
	if press(p, "Enter"); p.gesture.kind != "stroke" {
		t.Fatal("Enter does not put the brush down")
	}
	p.key(browser.Key{Key: "ArrowRight", Shift: true})
	p.key(browser.Key{Key: "ArrowRight", Ctrl: true})
	press(p, "Enter")
	if plane := p.editor.Plane(); p.cross.X != 251 || !plane.Kept(260, 200) || plane.Kept(300, 200) || p.gesture.kind != "" {
		t.Errorf("the cursor came to %+v", p.cross)
	}
	for range 100 {
		p.key(browser.Key{Key: "ArrowRight", Shift: true})
	}
	if p.cross.X != 400 {
		t.Errorf("the cursor left the picture: %+v", p.cross)
	}
	if p.key(browser.Key{Key: "Enter", Button: true}) {
		t.Error("Enter on a button draws")
	}
	stroke(p, down(10, 10), up(10, 10))
	if p.cross != nil {
		t.Error("the cursor stays while a mouse draws")
	}
}

// knife answers like the cutter of a browser.
type knife struct {
	asked []string
	err   error
}

func (k *knife) Open(context.Context, []byte, image.Point, image.Point) error { return k.err }

func (k *knife) Start(_ context.Context, m []byte) error {
	k.asked = append(k.asked, "start")
	return k.err
}

func (k *knife) Box(_ context.Context, r image.Rectangle) (browser.Selection, error) {
	k.asked = append(k.asked, "box "+r.String())
	pix := make([]byte, 400*400)
	for i := range pix {
		if image.Pt(i%400, i/400).In(r.Inset(10)) {
			pix[i] = 255
		}
	}
	return browser.Selection{Rect: image.Rect(0, 0, 400, 400), Pix: pix}, k.err
}

func (k *knife) Stroke(_ context.Context, keep bool, _ []browser.Point, _ float64) (browser.Selection, error) {
	k.asked = append(k.asked, map[bool]string{true: "keep", false: "drop"}[keep])
	pix := make([]byte, 20*20)
	for i := range pix {
		if keep {
			pix[i] = 255
		}
	}
	return browser.Selection{Rect: image.Rect(0, 0, 20, 20), Pix: pix}, k.err
}

func (k *knife) Close() {}

func TestSmartSelectTakesABoxAndCorrections(t *testing.T) {
	p, k := easel(), &knife{}
	p.smart.cutter, p.smart.opened = k, "a"
	press(p, "s")
	stroke(p, down(100, 100), move(300, 300), up(300, 300))
	if plane := p.editor.Plane(); !plane.Kept(200, 200) || plane.Kept(105, 105) || p.steps() != 1 {
		t.Fatalf("%v after %d steps: %v", p.kept, p.steps(), k.asked)
	}
	p.desk.Smart = model.SmartKeep
	stroke(p, down(5, 5), move(15, 15), up(15, 15))
	if plane := p.editor.Plane(); !plane.Kept(10, 10) || !plane.Kept(200, 200) || p.steps() != 1 {
		t.Errorf("a correction made %d steps: %v", p.steps(), k.asked)
	}
	stroke(p, browser.Pointer{Kind: browser.PointerDown, Alt: true, Points: at(5, 5)}, move(15, 15), up(15, 15))
	if plane := p.editor.Plane(); plane.Kept(10, 10) || !plane.Kept(200, 200) {
		t.Error("Alt does not take away")
	}
	press(p, "b")
	click(p, 350, 350)
	press(p, "s")
	stroke(p, down(5, 5), move(15, 15), up(15, 15)) // corrects what is painted, whatever made it
	if plane := p.editor.Plane(); !plane.Kept(10, 10) || !plane.Kept(350, 350) || k.asked[len(k.asked)-2] != "start" {
		t.Errorf("asked %v", k.asked)
	}
	p.desk.Smart = model.SmartBox
	asked := len(k.asked)
	stroke(p, down(50, 50), move(52, 52), up(52, 52))
	if len(k.asked) != asked {
		t.Error("a box of two pixels was asked for")
	}
	said := ""
	p.fail = func(sentence string) { said = sentence }
	before := p.editor.Plane().Clone()
	k.err = errors.New("nothing")
	stroke(p, down(100, 100), move(300, 300), up(300, 300))
	if said == "" || !p.editor.Plane().Equal(before) || p.work != nil {
		t.Errorf("a failure says %q", said)
	}
}

func TestTurnedViewPaintsUnderThePointer(t *testing.T) {
	p := easel()
	for range 6 {
		press(p, "r") // by 90°
	}
	if p.view.Angle != 90 {
		t.Fatalf("the view is turned by %v", p.view.Angle)
	}
	p.pointer(browser.Pointer{Kind: browser.PointerDown, ID: 1, Points: []browser.Point{{X: 600, Y: 500}}}) // right of the middle
	p.pointer(browser.Pointer{Kind: browser.PointerUp, ID: 1, Points: []browser.Point{{X: 600, Y: 500}}})
	if plane := p.editor.Plane(); !plane.Kept(200, 100) || plane.Kept(300, 200) {
		t.Error("the paint is somewhere else")
	}
	press(p, "u")
	if p.view.Angle != 0 {
		t.Errorf("upright it is turned by %v", p.view.Angle)
	}
}

func TestFindingsAreToldAndRepaired(t *testing.T) {
	b := openStudio(t).withPicture()
	b.studio.SetValue("maskType", "custom")
	b.settle()
	b.studio.MaskSet("brush-size", "2")
	b.drag(browser.Point{X: 500, Y: 700})
	b.studio.MaskSet("brush-size", "200")
	b.drag(browser.Point{X: 200, Y: 200}, browser.Point{X: 200, Y: 400})
	b.settle()
	found := b.studio.maskDesk.findings
	if len(found) != 1 || found[0].Code != mask.CodeSpecks {
		t.Fatalf("found %+v", found)
	}
	b.studio.MaskSet("repair", "0")
	b.settle()
	if p := b.studio.painter; len(b.studio.maskDesk.findings) != 0 || p.editor.Plane().Kept(500, 700) || !p.editor.Plane().Kept(200, 300) {
		t.Errorf("after the repair: %+v", b.studio.maskDesk.findings)
	}
}

func TestShapesInNumbersAndPartsOfTheMask(t *testing.T) {
	b := openStudio(t).withPicture()
	b.studio.SetValue("maskType", "custom")
	b.settle()
	b.studio.MaskAction("panel")
	b.studio.MaskSet("tab", components.TabRegions)
	b.studio.MaskSet("shape", model.JoinAdd)
	if b.studio.maskDesk.note == "" {
		t.Error("a shape without numbers says nothing")
	}
	for i, n := range []string{"100", "50", "200", "300"} {
		b.studio.MaskSet(components.ShapeFieldIDs[i], n)
	}
	b.studio.MaskSet("shape", model.JoinAdd)
	b.settle()
	if plane := b.studio.painter.editor.Plane(); plane.Bounds() != image.Rect(100, 50, 300, 350) {
		t.Errorf("the rectangle is %v", plane.Bounds())
	}
	list := b.studio.maskDesk.regions
	if len(list) != 2 || list[0].Kept || !list[1].Kept {
		t.Fatalf("parts %+v", list)
	}
	b.studio.MaskSet("region", "1")
	if b.studio.painter.marked != image.Rect(100, 50, 300, 350) {
		t.Errorf("outlined: %v", b.studio.painter.marked)
	}
	b.studio.MaskSet("region-flip", "1")
	b.settle()
	if !b.studio.painter.empty {
		t.Error("the part is still kept")
	}
}

// A saved mask that is deleted can be taken back; the server hears of it only when nobody did.
func TestADeletedMaskCanBeTakenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // the offer to undo stands for six seconds
		b := openStudio(t).withPicture()
		b.on("DELETE /api/masks/m1", 204, nil)
		b.studio.maskDesk.masks = []atelier.Mask{{ID: "m1", AssetID: "a1", Name: "Dress"}}
		remove := func() {
			t.Helper()
			n := len(b.core.toasts)
			b.studio.ctx.Dispatch(func(app.Context) { b.studio.deleteMask("m1") })
			for len(b.core.toasts) == n {
				b.engine.ConsumeNext()
			}
			if len(b.studio.maskDesk.masks) != 0 {
				t.Error("the mask is still there")
			}
		}
		deleted := func() bool { return slices.Contains(b.asked, "DELETE /api/masks/m1") }
		remove()
		b.do(func(app.Context) { b.core.DoToast(b.core.toasts[0].ID) })
		if len(b.studio.maskDesk.masks) != 1 || deleted() {
			t.Errorf("Undo left %d masks, asked for: %q", len(b.studio.maskDesk.masks), b.asked)
		}
		remove()
		b.do(func(app.Context) { b.core.DropToast(b.core.toasts[len(b.core.toasts)-1].ID) })
		if len(b.studio.maskDesk.masks) != 0 || !deleted() {
			t.Errorf("%d masks are left, asked for: %q", len(b.studio.maskDesk.masks), b.asked)
		}
	})
}

// A preview of an account elsewhere is a guess and says so; of the embedded service it is what will be kept.
func TestPreviewSaysWhenItIsAGuess(t *testing.T) {
	for upstream, guess := range map[string]bool{"embedded": false, "remote": true} {
		b := openStudio(t)
		b.do(func(app.Context) {
			b.core.session.Upstream = upstream
			b.studio.choose(&atelier.Asset{ID: "a", Name: "a.png", Width: 600, Height: 800, File: "/a", Thumb: "/t"})
			b.studio.ChooseAgent("removeBG")
			b.studio.SetValue("maskType", "autoSubjectSegment")
		})
		b.do(func(app.Context) {
			b.studio.preview.state = model.Loaded
			b.studio.preview.found = preview{kept: .4}
			b.studio.preview.found.info.Confidence = .9
		})
		text := html.UnescapeString(app.HTMLString(b.studio.Render()))
		if !strings.Contains(text, words.PreviewKept(.4)) || strings.Contains(text, words.PreviewGuess) != guess || !strings.Contains(text, words.PreviewFix) {
			t.Errorf("%s: the stage shows %s", upstream, text)
		}
	}
}

// What the form asks for is asked once, by what changes the answer; a photo or a choice that goes gives the request up.
func TestPreviewFollowsFormAndStage(t *testing.T) {
	b := openStudio(t)
	var asked []atelier.PreviewMask
	b.answers["POST /api/masks/preview"] = func(r browser.Request) (int, any) {
		var body atelier.PreviewMask
		if err := json.Unmarshal(r.Body, &body); err != nil {
			t.Error(err)
		}
		asked = append(asked, body)
		return 500, atelier.ErrorBody{Error: &atelier.Error{Code: atelier.Internal, Message: "The disk is full."}}
	}
	set := func(f func()) { b.do(func(app.Context) { f() }) }
	set(func() {
		b.studio.choose(&atelier.Asset{ID: "a", Name: "a.png", Width: 600, Height: 800, File: "/a", Thumb: "/t"})
		b.studio.ChooseAgent("expandimage")
	})
	if len(asked) != 0 || b.studio.preview.state != model.Never {
		t.Fatalf("a larger canvas has a preview: %+v", asked)
	}
	set(func() { b.studio.ChooseAgent("aiproduct"); b.studio.SetValue("maskType", "autoSubjectSegment") })
	set(func() { b.studio.SetValue("textDescription", "a marble table") })
	want := atelier.PreviewMask{AssetID: "a", MaskType: "autoSubjectSegment", Agent: "aiproduct"}
	if len(asked) != 1 || asked[0] != want {
		t.Fatalf("asked %+v, want %+v once", asked, want)
	}
	if p := b.studio.preview; p.state != model.Broken || !strings.Contains(p.failure, "The disk is full.") {
		t.Errorf("a failure is told as %+v", p)
	}
	set(func() { b.studio.PreviewAgain() })
	if len(asked) != 2 {
		t.Errorf("asked %d times after another try", len(asked))
	}
	set(func() { b.studio.SetValue("maskType", "custom") })
	if b.studio.preview.state != model.Never {
		t.Errorf("a painted mask has a preview: %+v", b.studio.preview)
	}
	set(func() { b.studio.ChooseAgent("virtualtryon"); b.studio.SetValue("generateVersion", "servicePro") })
	last := asked[len(asked)-1]
	if last.Agent != "virtualtryon" || last.Engine != "servicePro" || last.MaskType != "autoSubjectSegment" {
		t.Errorf("a garment to try on is looked for as %+v", last)
	}
}
