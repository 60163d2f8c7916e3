package e2e

import (
	"bytes"
	_ "embed"
	"fmt"
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
	fit   float64 // of the fitted picture, CSS pixels per pixel
	lines strings.Builder
}

// note takes figures down under a name.
func (tr *trace) note(name string, got traced, figures ...string) {
	values := map[string]float64{
		"p50": got.P50, "p95": got.P95, "max": got.Max, "frame": got.Frame, "ms": got.Ms, "stall": got.Stall, "bytes": got.Bytes,
	}
	for _, f := range figures {
		line := fmt.Sprintf("%s/%s %.3f", strings.ReplaceAll(name, " ", "_"), f, values[f])
		tr.lines.WriteString(line + "\n")
		tr.b.t.Log(line)
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

// stroke paints with the studio's brush along the path of masktrace.js; with the Alt key it erases.
func (tr *trace) stroke(events int, modifiers ...int64) traced {
	tr.b.t.Helper()
	tr.mouse(pressed, 0.5, 0.5, modifiers...)
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

// The picture the painter is measured on, the brush in CSS pixels, how many events a long stroke has and how often other things are done.
const (
	traceSide   = 4096
	traceBrush  = 80
	traceEvents = 2000
	traceSteps  = 12
)

// BenchmarkMaskDesk measures the painter on a large picture beside a plain canvas: make bench BENCH=mask. What the tools make of a mask is
// tested elsewhere. Each part is measured in a page of its own.
func BenchmarkMaskDesk(b *testing.B) {
	var picture bytes.Buffer
	if err := imaging.Encode(&picture, testpics.Photo(traceSide, traceSide, 2), imaging.EncodeOptions{Format: probe.JPEG, Quality: 60}); err != nil {
		b.Fatal(err)
	}
	var lines strings.Builder
	for _, part := range []struct {
		name    string
		measure func(tr *trace)
	}{{"fitted", (*trace).fitted}, {"full", (*trace).full}, {"undo", (*trace).undo}, {"zoom", (*trace).zoom}, {"wand", (*trace).wand}, {"smart", (*trace).smart}} {
		b.Run(part.name, func(b *testing.B) {
			s := newStudio(b)
			tr := &trace{b: openBrowser(b, b.TempDir(), 1440, 900)}
			tr.b.signIn(s)
			tr.b.upload("large.jpg", picture.Bytes())
			tr.b.chooseAgent("removeBG")
			tr.b.choose("maskType", "custom")
			tr.b.waitFor(sel("tool-brush"))
			tr.fit = evaluate[float64](tr.b, `document.querySelector('`+sel("stage-picture")+`').getBoundingClientRect().width / `+strconv.Itoa(traceSide))
			evaluate[bool](tr.b, maskTrace)
			tr.brush(traceBrush)
			part.measure(tr)
			evaluate[bool](tr.b, `maskTrace.plain.close()`)
			lines.WriteString(tr.lines.String())
		})
	}
	writeTrace(b, lines.String())
}

// fitted measures strokes while all of the picture is shown.
func (tr *trace) fitted() {
	tr.note("stroke, fitted", tr.stroke(traceEvents), "p50", "p95", "max", "frame")
	tr.plain(tr.fit)
	tr.note("plain stroke, fitted", tr.ask(`plain.stroke(`+strconv.Itoa(traceEvents)+`)`), "p50", "p95", "max", "frame")
}

// full measures strokes at 100 %.
func (tr *trace) full() {
	tr.b.click("zoom-percent")
	tr.note("stroke, 100 %", tr.stroke(traceEvents), "p50", "p95", "max", "frame")
	tr.plain(1)
	tr.note("plain stroke, 100 %", tr.ask(`plain.stroke(`+strconv.Itoa(traceEvents)+`)`), "p50", "p95", "max", "frame")
}

// undo measures undo and redo of strokes over nearly the whole picture, each of which changes all that it crosses.
func (tr *trace) undo() {
	tr.stroke(40)
	for range traceSteps / 2 {
		tr.stroke(40, altKey)
		tr.stroke(40)
	}
	tr.note("undo", tr.ask(`ours.undo(`+strconv.Itoa(traceSteps)+`)`), "p50", "p95", "max", "stall")
	if tr.b.text(sel("kept")) == "0 % kept" {
		tr.b.t.Error("the strokes left nothing on the mask")
	}
	tr.plain(tr.fit)
	tr.ask(`plain.stroke(40)`)
	tr.note("plain undo", tr.ask(`plain.undo(`+strconv.Itoa(traceSteps)+`)`), "p50", "p95", "max", "stall")
}

// zoom measures zoom over a mask.
func (tr *trace) zoom() {
	tr.stroke(traceEvents / 5)
	tr.note("zoom", tr.ask(`ours.zoom(`+strconv.Itoa(10*traceSteps)+`)`), "frame", "stall")
	tr.plain(tr.fit)
	tr.ask(`plain.stroke(` + strconv.Itoa(traceEvents/5) + `)`)
	tr.note("plain zoom", tr.ask(`plain.zoom(`+strconv.Itoa(10*traceSteps)+`)`), "frame", "stall")
}

// wand measures the wand and the export of what it selected.
func (tr *trace) wand() {
	tr.tool("wand")
	for i, name := range []string{"wand, first", "wand"} {
		evaluate[bool](tr.b, `maskTrace.ours.begin("pointerdown")`)
		tr.mouse(pressed, 0.5+float64(i)/50, 0.5)
		tr.mouse(released, 0.5+float64(i)/50, 0.5)
		tr.note(name, tr.end(name), "ms", "stall")
	}
	tr.b.click("mask-panel")
	tr.b.waitFor(sel("mask-side"))
	tr.b.do(chromedp.Click(chromedp.CSS(sel("mask-side") + ` [data-value="saved"]`)))
	tr.b.waitFor(sel("mask-export"))
	tr.note("export", tr.ask(`ours.save("mask-export")`), "ms", "bytes", "stall")

	src := tr.b.attribute(sel("stage-picture"), "src")
	tr.plain(tr.fit)
	tr.note("plain wand", tr.ask(`plain.wand(`+strconv.Quote(src)+`, 32)`), "ms", "stall")
	tr.note("plain export", tr.ask(`plain.save()`), "ms", "bytes", "stall")
}

// smart measures smart select. A plain canvas has nothing like it.
func (tr *trace) smart() {
	tr.tool("smart")
	for i, name := range []string{"smart select, first", "smart select, again"} {
		tr.mouse(pressed, 0.3+float64(i)/50, 0.2)
		tr.mouse(moved, 0.5, 0.5)
		tr.mouse(moved, 0.62, 0.8)
		evaluate[bool](tr.b, `maskTrace.ours.begin("pointerup")`)
		tr.mouse(released, 0.62, 0.8)
		tr.note(name, tr.end(name), "ms", "stall")
	}
	for i, name := range []string{"smart select, stroke", "smart select, next stroke"} {
		tr.mouse(pressed, 0.4, 0.3+float64(i)/10, altKey) // takes away what the stroke crosses
		tr.mouse(moved, 0.45, 0.31+float64(i)/10, altKey)
		evaluate[bool](tr.b, `maskTrace.ours.begin("pointerup")`)
		tr.mouse(released, 0.5, 0.31+float64(i)/10, altKey)
		tr.note(name, tr.end(name), "ms", "stall")
	}
}

// plain sets the plain canvas up, or how large it shows a pixel of the picture.
func (tr *trace) plain(scale float64) {
	tr.b.t.Helper()
	evaluate[bool](tr.b, `maskTrace.plain.open(`+strconv.Itoa(traceSide)+`)`)
	evaluate[bool](tr.b, `maskTrace.plain.look(`+strconv.FormatFloat(scale, 'f', 6, 64)+`, `+strconv.Itoa(traceBrush)+`)`)
}
