package e2e

import (
	"bytes"
	"image"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"atelier/imaging"
	"atelier/imaging/mask"
	"atelier/imaging/testpics"
)

// Modifier keys as the browser's protocol counts them.
const (
	altKey   = 1
	ctrlKey  = 2
	shiftKey = 8
)

// hand is what a pointer is and what is held while it is down.
type hand struct {
	pen      bool
	button   input.MouseButton // left when empty
	keys     int64
	force    float64 // of a pen
	tilt     float64
	unpaired bool // it is not released
}

// send dispatches one pointer event of a mouse or a pen, in page coordinates.
func (b *tab) send(kind input.DispatchMouseEventType, h hand, at [2]float64) {
	b.t.Helper()
	button := h.button
	if button == "" {
		button = input.MouseButtonLeft
	}
	p := input.DispatchMouseEventParams{Type: kind, X: at[0], Y: at[1], Modifiers: h.keys, Button: button}
	if kind != input.DispatchMouseEventTypeMouseReleased {
		p.Buttons = map[input.MouseButton]int64{input.MouseButtonLeft: 1, input.MouseButtonRight: 2, input.MouseButtonMiddle: 4}[button]
	}
	if kind == input.DispatchMouseEventTypeMousePressed || kind == input.DispatchMouseEventTypeMouseReleased {
		p.ClickCount = 1
	}
	if h.pen {
		p.PointerType, p.Force, p.TiltX = input.DispatchMouseEventPointerTypePen, h.force, h.tilt
	}
	if _, err := chromedp.Call(b.ctx, input.DispatchMouseEvent, p); err != nil {
		b.t.Fatal(err)
	}
}

// draw presses at the first point, moves through the others and releases.
func (b *tab) draw(h hand, points ...[2]float64) {
	b.t.Helper()
	b.send(input.DispatchMouseEventTypeMousePressed, h, points[0])
	for i, p := range points[1:] {
		from := points[i]
		for i := range 4 {
			k := float64(i+1) / 4
			b.send(input.DispatchMouseEventTypeMouseMoved, h, [2]float64{from[0] + (p[0]-from[0])*k, from[1] + (p[1]-from[1])*k})
		}
	}
	if !h.unpaired {
		b.send(input.DispatchMouseEventTypeMouseReleased, h, points[len(points)-1])
	}
}

// finger is one touching finger.
type finger struct {
	id float64
	at [2]float64
}

// touch dispatches a touch event: the fingers that are on the screen after it.
func (b *tab) touch(kind input.DispatchTouchEventType, fingers ...finger) {
	b.t.Helper()
	p := input.DispatchTouchEventParams{Type: kind, TouchPoints: []*input.TouchPoint{}}
	for _, f := range fingers {
		p.TouchPoints = append(p.TouchPoints, &input.TouchPoint{X: f.at[0], Y: f.at[1], ID: new(f.id)})
	}
	if _, err := chromedp.Call(b.ctx, input.DispatchTouchEvent, p); err != nil {
		b.t.Fatal(err)
	}
}

// drawTouch draws with one finger.
func (b *tab) drawTouch(points ...[2]float64) {
	b.t.Helper()
	b.touch(input.DispatchTouchEventTypeTouchStart, finger{1, points[0]})
	for i, p := range points[1:] {
		from := points[i]
		for i := range 4 {
			k := float64(i+1) / 4
			b.touch(input.DispatchTouchEventTypeTouchMove, finger{1, [2]float64{from[0] + (p[0]-from[0])*k, from[1] + (p[1]-from[1])*k}})
		}
	}
	b.touch(input.DispatchTouchEventTypeTouchEnd)
}

// easel is the picture on the stage, for points in its own pixels.
type easel struct {
	box  box
	w, h float64
}

func (b *tab) easel(w, h int) easel {
	b.t.Helper()
	b.waitUntil(`document.querySelector('` + sel("stage-picture") + `')?.naturalWidth > 0`)
	return easel{b.box(sel("stage-picture")), float64(w), float64(h)}
}

func (e easel) at(x, y float64) [2]float64 { return e.box.at(x/e.w, y/e.h) }

func (e easel) through(points ...[2]float64) [][2]float64 {
	out := make([][2]float64, len(points))
	for i, p := range points {
		out[i] = e.at(p[0], p[1])
	}
	return out
}

// idle waits until nothing is being done to the mask.
func (b *tab) idle() {
	b.t.Helper()
	b.waitUntil(`!document.querySelector('` + sel("mask-work") + `')`)
}

// tool takes a tool and waits until it is in hand.
func (b *tab) tool(name string) {
	b.t.Helper()
	b.idle()
	b.click("tool-" + name)
	b.waitUntil(`document.querySelector('` + sel("tool-"+name) + `').getAttribute("aria-pressed") === "true"`)
}

// kept is how much the page says is kept, in percent.
func (b *tab) kept() int {
	b.t.Helper()
	n, err := strconv.Atoi(string(bytes.TrimSuffix([]byte(b.text(sel("kept"))), []byte(" % kept"))))
	if err != nil {
		b.t.Fatal(err)
	}
	return n
}

// waitKept waits until the page says that a share within two limits, in percent, is kept.
func (b *tab) waitKept(low, high int) {
	b.t.Helper()
	b.waitUntil(`(n => n >= ` + strconv.Itoa(low) + ` && n <= ` + strconv.Itoa(high) + `)(parseInt(document.querySelector('` + sel("kept") + `')?.textContent ?? "-1"))`)
}

// slide moves a slider to a value.
func (b *tab) slide(name string, value int) {
	b.t.Helper()
	b.waitFor(sel(name))
	evaluate[bool](b, `(() => {
		const range = document.querySelector('`+sel(name)+`');
		range.value = "`+strconv.Itoa(value)+`";
		range.dispatchEvent(new Event("input", {bubbles: true}));
		return true;
	})()`)
}

// panel opens a page of the mask panel.
func (b *tab) panel(tab string) {
	b.t.Helper()
	if b.count(sel("mask-side")) == 0 {
		b.click("mask-panel")
	}
	b.waitFor(sel("mask-side"))
	b.do(chromedp.Click(chromedp.CSS(sel("mask-side") + ` [data-value="` + tab + `"]`)))
	b.waitUntil(`document.querySelector('` + sel("mask-side") + `').dataset.tab === "` + tab + `"`)
}

// savedMask saves the mask under a name and reads the file back.
func (b *tab) savedMask(s *studio, name string) mask.Plane {
	b.t.Helper()
	b.idle()
	b.panel("saved")
	before := b.count(sel("saved-mask"))
	b.do(chromedp.SendKeys(chromedp.ID("mask-name"), name))
	b.click("mask-save")
	b.waitUntil(`document.querySelectorAll('` + sel("saved-mask") + `').length > ` + strconv.Itoa(before))
	src := evaluate[string](b, `document.querySelector('`+sel("saved-mask")+` img').getAttribute("src")`)
	file := src[:len(src)-len("/thumb?w=160")] + "/file"
	data, _, err := s.fetch(b.t.Context(), file, b.cookies())
	if err != nil {
		b.t.Fatal(err)
	}
	return decodeMask(b.t, data)
}

func decodeMask(t testing.TB, data []byte) mask.Plane {
	t.Helper()
	p, fromAlpha, err := imaging.DecodeMask(t.Context(), data, imaging.DefaultLimits)
	if err != nil || !fromAlpha {
		t.Fatalf("the mask: %v, from alpha: %v", err, fromAlpha)
	}
	return p
}

// overlap is what both planes keep as a share of what either keeps.
func overlap(t testing.TB, a, b mask.Plane) float64 {
	t.Helper()
	if a.W != b.W || a.H != b.H {
		t.Fatalf("masks of %d × %d and %d × %d", a.W, a.H, b.W, b.H)
	}
	both, either := 0, 0
	for i := range a.Pix {
		x, y := a.Pix[i] >= mask.Level, b.Pix[i] >= mask.Level
		if x && y {
			both++
		}
		if x || y {
			either++
		}
	}
	return float64(both) / float64(max(either, 1))
}

// The picture of shapes: its size, and what is on it.
const shapesW, shapesH = 900, 1100

var (
	shapesRect    = [2]mask.Point{{X: 100, Y: 100}, {X: 380, Y: 400}}
	shapesEllipse = [2]mask.Point{{X: 480, Y: 120}, {X: 800, Y: 420}}
	shapesCorners = []mask.Point{{X: 150, Y: 950}, {X: 275, Y: 520}, {X: 400, Y: 950}}
	shapesBlob    = []mask.Point{{X: 480, Y: 540}, {X: 640, Y: 600}, {X: 800, Y: 530}, {X: 780, Y: 700}, {X: 640, Y: 660}, {X: 500, Y: 720}}
	shapesRing    = mask.Point{X: 640, Y: 900}
)

const shapesRadius = 110

// shapesPicture draws five shapes on a plain wall, and gives the truth about them.
func shapesPicture() (file []byte, truth mask.Plane) {
	img := image.NewNRGBA(image.Rect(0, 0, shapesW, shapesH))
	for y := range shapesH {
		for x := range shapesW {
			v := uint8(205 + 20*y/shapesH)
			img.SetNRGBA(x, y, color.NRGBA{v, v - 6, v - 14, 255})
		}
	}
	truth = mask.New(shapesW, shapesH)
	ring := [2]mask.Point{{X: shapesRing.X - shapesRadius, Y: shapesRing.Y - shapesRadius}, {X: shapesRing.X + shapesRadius, Y: shapesRing.Y + shapesRadius}}
	for _, s := range []struct {
		shape mask.Shape
		c     color.NRGBA
	}{
		{mask.Rectangle(shapesRect[0], shapesRect[1]), color.NRGBA{190, 40, 48, 255}},
		{mask.Ellipse(shapesEllipse[0], shapesEllipse[1]), color.NRGBA{36, 70, 190, 255}},
		{mask.Polygon(shapesCorners), color.NRGBA{30, 130, 60, 255}},
		{mask.Polygon(shapesBlob), color.NRGBA{120, 40, 150, 255}},
		{mask.Ellipse(ring[0], ring[1]), color.NRGBA{230, 150, 40, 255}},
	} {
		e := mask.NewEditor(shapesW, shapesH)
		e.Select(s.shape, mask.Add)
		for i, v := range e.Plane().Pix {
			if v >= mask.Level {
				img.SetNRGBA(i%shapesW, i/shapesW, s.c)
				truth.Pix[i] = 255
			}
		}
	}
	return testpics.PNG(img), truth
}

// circle is the points of a closed circle.
func circle(centre mask.Point, radius float64, n int) [][2]float64 {
	out := make([][2]float64, n+1)
	for i := range out {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		out[i] = [2]float64{centre.X + radius*cos, centre.Y + radius*sin}
	}
	return out
}

// tabToTab presses Tab until the pages of the mask panel have the focus, and arrow keys until it is on one of them.
func (b *tab) tabToTab(name string) {
	b.t.Helper()
	for range 120 {
		if evaluate[bool](b, `document.activeElement?.matches('`+sel("mask-side")+` [data-value="`+name+`"]') ?? false`) {
			return
		}
		among := evaluate[bool](b, `document.activeElement?.matches('`+sel("mask-side")+` .maskpanel__head [role=radio]') ?? false`)
		b.press(map[bool]string{true: kb.ArrowRight, false: kb.Tab}[among])
	}
	b.t.Fatalf("the page %s cannot be reached with the Tab key", name)
}

// sheet moves the form of a phone to one of its heights.
func (b *tab) sheet(height string) {
	b.t.Helper()
	for range 3 {
		now := b.attribute(".studio", "data-sheet")
		if now == height {
			return
		}
		b.click("sheet-grip")
		b.waitUntil(`document.querySelector(".studio").dataset.sheet !== "` + now + `"`)
	}
	b.t.Fatalf("the form never stands %s", height)
}

// contour is the outline of a region around the pixel at, every few pixels, in pixels of the picture.
func contour(p mask.Plane, at image.Point, every int) [][2]float64 {
	region := p.RegionAt(at).Run()
	in := func(x, y int) bool { return region.Kept(x, y) }
	start := region.Bounds().Min
	for !in(start.X, start.Y) {
		start.X++
	}
	// Along the edges between pixels, with the region to the right.
	var out [][2]float64
	x, y, dx, dy := start.X, start.Y, 1, 0
	for n := 0; n == 0 || x != start.X || y != start.Y || dx != 1; n++ {
		if n%every == 0 {
			out = append(out, [2]float64{float64(x), float64(y)})
		}
		x, y = x+dx, y+dy
		ahead := func(side int) bool { // the pixel ahead, to the left (-1) or right (1) of the way
			px, py := x, y
			if dx-side*dy < 0 {
				px--
			}
			if dy+side*dx < 0 {
				py--
			}
			return in(px, py)
		}
		switch {
		case ahead(-1):
			dx, dy = dy, -dx
		case !ahead(1):
			dx, dy = -dy, dx
		}
	}
	return out
}

// trace draws along points without stopping in between.
func (b *tab) trace(h hand, points [][2]float64) {
	b.t.Helper()
	b.send(input.DispatchMouseEventTypeMousePressed, h, points[0])
	for _, p := range points[1:] {
		b.send(input.DispatchMouseEventTypeMouseMoved, h, p)
	}
	b.send(input.DispatchMouseEventTypeMouseReleased, h, points[len(points)-1])
}

// correct draws a lasso around every part of at least area pixels in which the mask differs from the truth.
func (b *tab) correct(e easel, now, truth mask.Plane, area int) {
	b.t.Helper()
	b.tool("lasso")
	for _, step := range []struct {
		from, less mask.Plane
		keys       int64
	}{{truth, now, 0}, {now, truth, altKey}} {
		missing := step.from.Clone()
		if err := missing.Combine(step.less, mask.Subtract); err != nil {
			b.t.Fatal(err)
		}
		list := missing.Listing(200)
		list.Step(0)
		for _, r := range list.Regions() {
			if !r.Kept || r.Area < area {
				continue
			}
			points := contour(missing, r.At, 3)
			for i, p := range points {
				points[i] = e.at(p[0], p[1])
			}
			b.trace(hand{keys: step.keys}, points)
		}
	}
}

// draftKept waits until the browser's database holds the mask of a picture that is painted on.
func (b *tab) draftKept() {
	b.t.Helper()
	b.waitUntil(`(() => {
		window.draftKept ??= "";
		const open = indexedDB.open("atelier", 1);
		open.onsuccess = () => {
			const all = open.result.transaction("kept").objectStore("kept").getAllKeys();
			all.onsuccess = () => { window.draftKept = all.result.join(" "); open.result.close(); };
		};
		return window.draftKept.includes("mask");
	})()`)
}

// atMaskDesk signs in to a new studio in a wide window and puts a picture of that size on the mask desk.
func atMaskDesk(t testing.TB, name string, file []byte, w, h int) (*studio, *tab, easel) {
	t.Helper()
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.signIn(s)
	b.upload(name, file)
	b.chooseAgent("removeBG")
	b.choose("maskType", "custom")
	b.waitFor(sel("tool-brush"))
	return s, b, b.easel(w, h)
}

// outfit is the photograph of a man in a coat, and everything he wears as its label has it.
func outfit(t testing.TB) (photo []byte, truth mask.Plane) {
	t.Helper()
	folder := testpics.Photographs(t)
	photo, err := os.ReadFile(filepath.Join(folder, "fashion-0004.jpg"))
	if err != nil {
		t.Fatal(err)
	}
	label, err := os.ReadFile(filepath.Join(folder, "fashion-0004.labels.png"))
	if err != nil {
		t.Fatal(err)
	}
	labels, ok := decodePicture(t, label).(*image.Gray)
	if !ok {
		t.Fatal("the label is no grey picture")
	}
	truth = mask.New(labels.Rect.Dx(), labels.Rect.Dy())
	const nothing, hair, skin = 0, 19, 41
	for i, v := range labels.Pix {
		if v != nothing && v != hair && v != skin {
			truth.Pix[i] = 255
		}
	}
	return photo, truth
}

func decodePicture(t testing.TB, data []byte) image.Image {
	t.Helper()
	img, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return img
}
