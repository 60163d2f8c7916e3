package e2e

import (
	"bytes"
	_ "embed"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"atelier/imaging"
	"atelier/imaging/probe"
	"atelier/imaging/testpics"
)

//go:embed masktrace.js
var maskTrace string

// traced is what one gesture measured: milliseconds, and bytes of an export. What a gesture does not measure is 0.
type traced struct {
	P50, P95, Max, Frame, Ms, Stall, Bytes float64
}

// trace takes down what it measures as lines of a name and a number, for `make bench BENCH=mask`.
type trace struct {
	b     *tab
	lines strings.Builder
}

// note takes figures down under a name.
func (tr *trace) note(name string, got traced, figures ...string) {
	values := map[string]float64{
		"p50": got.P50, "p95": got.P95, "max": got.Max, "frame": got.Frame, "ms": got.Ms, "stall": got.Stall, "bytes": got.Bytes,
	}
	for _, f := range figures {
		fmt.Fprintf(&tr.lines, "%s/%s %.3f\n", strings.ReplaceAll(name, " ", "_"), f, values[f])
	}
}

// ask runs a part of masktrace.js.
func (tr *trace) ask(call string) traced {
	tr.b.t.Helper()
	got := evaluate[map[string]float64](tr.b, `maskTrace.`+call)
	return traced{got["p50"], got["p95"], got["max"], got["frame"], got["ms"], got["stall"], got["bytes"]}
}

// mouse puts the button down on the stage, or lets it go, at a part of its width and height.
func (tr *trace) mouse(kind input.DispatchMouseEventType, x, y float64, modifiers ...int64) {
	tr.b.t.Helper()
	box := tr.b.box("#stage")
	at := [2]float64{box.X + x*box.Width, box.Y + y*box.Height}
	held := func(p *input.DispatchMouseEventParams) {
		if kind != input.DispatchMouseEventTypeMouseReleased {
			p.Buttons = 1
		}
		for _, m := range modifiers {
			p.Modifiers |= m
		}
	}
	tr.b.do(chromedp.MouseEvent(kind, at[0], at[1], chromedp.ButtonLeft, chromedp.ClickCount(1), held))
}

// end waits until what a press or a release began is done to the mask.
func (tr *trace) end(name string) traced {
	tr.b.t.Helper()
	got := tr.ask(`ours.end()`)
	if got.Ms == 0 {
		tr.b.t.Errorf("%s did nothing to the mask", name)
	}
	return got
}

const (
	pressed  = input.DispatchMouseEventTypeMousePressed
	moved    = input.DispatchMouseEventTypeMouseMoved
	released = input.DispatchMouseEventTypeMouseReleased
)

// stroke paints with the studio's brush along the path of masktrace.js.
func (tr *trace) stroke(events int) traced {
	tr.b.t.Helper()
	tr.mouse(pressed, 0.5, 0.5)
	got := tr.ask(`ours.stroke(` + strconv.Itoa(events) + `)`)
	tr.mouse(released, 0.6, 0.6)
	return got
}

// brush sets the diameter of the brush in CSS pixels.
func (tr *trace) brush(size int) {
	tr.b.t.Helper()
	tr.b.waitFor(sel("brush-size"))
	tr.b.waitUntil(`(range => {
		range.value = "` + strconv.Itoa(size) + `";
		range.dispatchEvent(new Event("input", {bubbles: true}));
		return range.value === "` + strconv.Itoa(size) + `";
	})(document.querySelector('` + sel("brush-size") + `'))`)
}

func (tr *trace) tool(name string) {
	tr.b.t.Helper()
	tr.b.waitUntil(`!document.querySelector('` + sel("mask-work") + `')`)
	tr.b.click("tool-" + name)
	tr.b.waitUntil(`document.querySelector('` + sel("tool-"+name) + `').getAttribute("aria-pressed") === "true"`)
}

// TestMaskTrace measures the painter on a large picture beside a plain canvas, and writes the figures into the file ATELIER_TRACE
// names: `make bench BENCH=mask` does. What the tools make of a mask is tested elsewhere.
func TestMaskTrace(t *testing.T) {
	const side, brush, events, steps = 4096, 80, 2000, 12
	file := os.Getenv("ATELIER_TRACE")
	if file == "" {
		t.Skip("ATELIER_TRACE names no file for the figures")
	}
	var picture bytes.Buffer
	if err := imaging.Encode(&picture, testpics.Photo(side, side, 2), imaging.EncodeOptions{Format: probe.JPEG, Quality: 60}); err != nil {
		t.Fatal(err)
	}
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	tr := &trace{b: b}
	b.signIn(s)
	b.upload("large.jpg", picture.Bytes())
	b.chooseAgent("removeBG")
	b.choose("maskType", "custom")
	b.waitFor(sel("tool-brush"))
	evaluate[bool](b, maskTrace)

	tr.brush(brush)
	tr.note("stroke, fitted", tr.stroke(events), "p50", "p95", "max", "frame")
	for range steps {
		tr.stroke(40)
	}
	tr.note("undo", tr.ask(`ours.undo(`+strconv.Itoa(steps)+`)`), "p50", "p95", "max", "stall")
	if b.text(sel("kept")) == "0 % kept" {
		t.Error("the strokes left nothing on the mask")
	}
	fit := evaluate[float64](b, `document.querySelector('`+sel("stage-picture")+`').getBoundingClientRect().width / `+strconv.Itoa(side))
	tr.note("zoom", tr.ask(`ours.zoom(`+strconv.Itoa(10*steps)+`)`), "frame", "stall")
	b.click("zoom-percent") // 100 %
	tr.note("stroke, 100 %", tr.stroke(events), "p50", "p95", "max", "frame")
	b.click("zoom-fit")

	tr.tool("wand")
	for i, name := range []string{"wand, first", "wand"} {
		evaluate[bool](b, `maskTrace.ours.begin("pointerdown")`)
		tr.mouse(pressed, 0.5+float64(i)/50, 0.5)
		tr.mouse(released, 0.5+float64(i)/50, 0.5)
		tr.note(name, tr.end(name), "ms", "stall")
	}
	tr.tool("smart")
	for i, name := range []string{"smart select, first", "smart select, again"} {
		tr.mouse(pressed, 0.3+float64(i)/50, 0.2)
		tr.mouse(moved, 0.5, 0.5)
		tr.mouse(moved, 0.62, 0.8)
		evaluate[bool](b, `maskTrace.ours.begin("pointerup")`)
		tr.mouse(released, 0.62, 0.8)
		tr.note(name, tr.end(name), "ms", "stall")
	}
	const alt = 1 // takes away what the stroke crosses
	for i, name := range []string{"smart select, stroke", "smart select, next stroke"} {
		tr.mouse(pressed, 0.4, 0.3+float64(i)/10, alt)
		tr.mouse(moved, 0.45, 0.31+float64(i)/10, alt)
		evaluate[bool](b, `maskTrace.ours.begin("pointerup")`)
		tr.mouse(released, 0.5, 0.31+float64(i)/10, alt)
		tr.note(name, tr.end(name), "ms", "stall")
	}
	b.click("mask-panel")
	b.waitFor(sel("mask-side"))
	b.do(chromedp.Click(chromedp.CSS(sel("mask-side") + ` [data-value="saved"]`)))
	b.waitFor(sel("mask-export"))
	tr.note("export", tr.ask(`ours.save("mask-export")`), "ms", "bytes", "stall")

	src := b.attribute(sel("stage-picture"), "src")
	evaluate[bool](b, `maskTrace.plain.open(`+strconv.Itoa(side)+`)`)
	evaluate[bool](b, `maskTrace.plain.look(`+strconv.FormatFloat(fit, 'f', 6, 64)+`, `+strconv.Itoa(brush)+`)`)
	tr.note("plain stroke, fitted", tr.ask(`plain.stroke(`+strconv.Itoa(events)+`)`), "p50", "p95", "max", "frame")
	tr.note("plain undo", tr.ask(`plain.undo(`+strconv.Itoa(steps)+`)`), "p50", "p95", "max", "stall")
	tr.note("plain zoom", tr.ask(`plain.zoom(`+strconv.Itoa(10*steps)+`)`), "frame", "stall")
	evaluate[bool](b, `maskTrace.plain.look(1, `+strconv.Itoa(brush)+`)`)
	tr.note("plain stroke, 100 %", tr.ask(`plain.stroke(`+strconv.Itoa(events)+`)`), "p50", "p95", "max", "frame")
	tr.note("plain wand", tr.ask(`plain.wand(`+strconv.Quote(src)+`, 32)`), "ms", "stall")
	tr.note("plain export", tr.ask(`plain.save()`), "ms", "bytes", "stall")
	evaluate[bool](b, `maskTrace.plain.close()`)

	t.Log("\n" + tr.lines.String())
	if err := os.WriteFile(file, []byte(tr.lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}
