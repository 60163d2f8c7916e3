package main

import (
	"fmt"
	"path/filepath"
)

// deskFigure is one line about the mask desk: a figure of the trace, the same of a plain canvas, and what is to be reached.
type deskFigure struct {
	name  string
	ours  string  // names in the trace
	plain string  // empty when a plain canvas has nothing to compare
	most  float64 // in the figure's unit; 0 asks for nothing
	ratio float64 // of ours to the plain canvas at most; 0 asks for nothing
}

// deskFigures are milliseconds, but for bytes. A stall is the longest time in which the page heard nothing.
var deskFigures = []deskFigure{
	{"2,000 events of an 80 px brush at 100 %: one event, p50", "stroke,_100_%/p50", "plain_stroke,_100_%/p50", 0, 0},
	{"… p95", "stroke,_100_%/p95", "plain_stroke,_100_%/p95", 3, 0},
	{"… longest", "stroke,_100_%/max", "plain_stroke,_100_%/max", 16, 0},
	{"… frame, p95", "stroke,_100_%/frame", "plain_stroke,_100_%/frame", 0, 1.2},
	{"The same on the fitted picture: one event, p50", "stroke,_fitted/p50", "plain_stroke,_fitted/p50", 0, 0},
	{"… p95", "stroke,_fitted/p95", "plain_stroke,_fitted/p95", 3, 0},
	{"… longest", "stroke,_fitted/max", "plain_stroke,_fitted/max", 16, 0},
	{"… frame, p95", "stroke,_fitted/frame", "plain_stroke,_fitted/frame", 0, 1.2},
	{"Undo and redo, p50", "undo/p50", "plain_undo/p50", 0, 0},
	{"… p95", "undo/p95", "plain_undo/p95", 30, 0},
	{"… stall", "undo/stall", "plain_undo/stall", 50, 0},
	{"Zoom: frame, p95", "zoom/frame", "plain_zoom/frame", 0, 1.2},
	{"… stall", "zoom/stall", "plain_zoom/stall", 50, 0},
	{"Wand over 16 Mpx", "wand/ms", "plain_wand/ms", 400, 0},
	{"… stall", "wand/stall", "plain_wand/stall", 50, 0},
	{"… the first time, reading the picture", "wand,_first/ms", "", 0, 0},
	{"Smart select at 2048 px: a box", "smart_select,_again/ms", "", 1500, 0},
	{"… stall", "smart_select,_again/stall", "", 50, 0},
	{"… the first time, loading it and the picture", "smart_select,_first/ms", "", 0, 0},
	{"… a stroke", "smart_select,_next_stroke/ms", "", 200, 0},
	{"Export as RGBA PNG", "export/ms", "plain_export/ms", 150, 0},
	{"… stall", "export/stall", "plain_export/stall", 50, 0},
	{"… bytes", "export/bytes", "plain_export/bytes", 0, 1},
}

// desk runs the benchmark of the mask desk beside a plain canvas, in the same page.
func (m machine) desk() error {
	const name = "Mask desk, 4096², in the browser"
	if !m.chosen.MatchString(name) {
		return nil
	}
	m.say("measuring " + name)
	said, failure, err := m.trace("BenchmarkMaskDesk", "desk.trace")
	if err != nil {
		return err
	}
	if failure != "" {
		return m.print(name + ": not measured: " + failure + "\n\n")
	}
	return m.print(deskTable(name, said).String())
}

// deskTable lays the figures of a trace out.
func deskTable(name string, said map[string]float64) *table {
	t := &table{}
	t.add(name, "ours", "plain canvas", "ratio", "goal", "reached")
	for _, f := range deskFigures {
		t.add(f.cells(said)...)
	}
	return t
}

func (f deskFigure) cells(said map[string]float64) []string {
	ours, known := said[f.ours]
	plain, compared := said[f.plain]
	write := func(v float64, known bool) string {
		switch {
		case !known:
			return "—"
		case filepath.Base(f.ours) == "bytes":
			return fmt.Sprintf("%.0f", v)
		}
		return fmt.Sprintf("%.1f ms", v)
	}
	var ratio, goal, reached string
	if known && compared && plain > 0 {
		ratio = fmt.Sprintf("%.3g×", ours/plain)
	}
	switch {
	case f.most > 0:
		goal, reached = "≤ "+write(f.most, true), yes(known && ours <= f.most)
	case f.ratio > 0:
		goal, reached = fmt.Sprintf("≤ %.4g×", f.ratio), yes(known && compared && ours <= f.ratio*plain)
	}
	return []string{f.name, write(ours, known), write(plain, compared), ratio, goal, reached}
}

func yes(reached bool) string {
	if reached {
		return "yes"
	}
	return "no"
}
