package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// photographs is the benchmark that measures what is found on photographs. It runs once, for it takes minutes and always
// finds the same.
const photographs = "^BenchmarkPhotographs$"

// want is a figure that photographs are measured for and what it is to reach, at least or at most.
type want struct {
	what, unit  string
	least, most float64
}

var wants = []want{
	{what: "People, overlap with the truth", unit: "people-IoU", least: 0.90},
	{what: "The same, mean of the worst tenth", unit: "people-worst-tenth-IoU", least: 0.70},
	{what: "People in fashion (autoSubjectSegment)", unit: "fashion-IoU", least: 0.945},
	{what: "Face and head (inverseAutoHumanSegment)", unit: "head-IoU", least: 0.82},
	{what: "Clothes (autoApparelSegment)", unit: "apparel-IoU", least: 0.88},
	{what: "Upper clothes (autoUpperApparelSegment)", unit: "upper-IoU", least: 0.80},
	{what: "Lower clothes (autoLowerApparelSegment)", unit: "lower-IoU", least: 0.80},
	{what: "Faces found, of those in faces.csv, percent", unit: "faces-found-%", least: 95},
	{what: "Faces found that are none, percent of all found", unit: "faces-wrong-%", most: 2},
	{what: "Processor time of a subject with edge and matte, seconds per megapixel", unit: "subject-CPU-s/MP", most: 0.5},
	{what: "Drawn masks (custom), share of pixels obeyed", unit: "custom-obeyed", least: 1},
	{what: "Matte of the lemur, sum of differences in pixels", unit: "lemur-SAD", most: 2800},
}

// goal writes what is to be reached.
func (w want) goal() string {
	if w.most > 0 {
		return fmt.Sprintf("≤ %.4g", w.most)
	}
	return fmt.Sprintf("≥ %.4g", w.least)
}

// reached says of a figure whether it is within the goal.
func (w want) reached(v float64) string { return yes(v >= w.least && (w.most == 0 || v <= w.most)) }

// pixels measures the photographs of ATELIER_PHOTOS and prints the figures beside their goals. Without photographs the goals
// stand there all the same.
func (m machine) pixels() error {
	if !m.chosen.MatchString("Pixels") && !m.chosen.MatchString("BenchmarkPhotographs") {
		return nil
	}
	if os.Getenv("ATELIER_PHOTOS") == "" {
		return m.print(goals(nil, "not measured: ATELIER_PHOTOS"))
	}
	m.say("measuring photographs")
	cmd := exec.CommandContext(m.ctx, "go", "test", "-p", "1", "-timeout", "60m", "-run", "^$", "-bench", photographs, "-benchtime", "1x",
		"./imaging/segment", "./imaging/smartselect", "./service/render")
	cmd.Stderr = os.Stderr
	output, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return fmt.Errorf("go test: %w", err)
	}
	if err := m.ctx.Err(); err != nil {
		return err
	}
	found, err := parseBenchmarks(bytes.NewReader(output))
	if err != nil {
		return fmt.Errorf("read what was measured on photographs: %w", err)
	}
	text := goals(found, "not measured")
	for line := range strings.Lines(string(output)) {
		if strings.HasPrefix(line, "FAIL") || strings.HasPrefix(line, "--- FAIL") {
			text += line
		}
	}
	return m.print(text)
}

// goals is the table of what was found on photographs: first what is wanted, then all other figures. Absent is said of what
// was not measured.
func goals(found []*benchmark, absent string) string {
	figures := map[string]float64{}
	var units []string
	for _, b := range found {
		for _, unit := range b.units {
			figures[unit] = b.values[unit].median()
			units = append(units, unit)
		}
	}
	var t table
	t.add("Pixels", "figure", "goal", "reached")
	for _, w := range wants {
		v, ok := figures[w.unit]
		if !ok {
			t.add(w.what, absent, w.goal(), "")
			continue
		}
		t.add(w.what, fmt.Sprintf("%.4g", v), w.goal(), w.reached(v))
	}
	for _, unit := range units {
		wanted := slices.ContainsFunc(wants, func(w want) bool { return w.unit == unit })
		if !wanted && !slices.Contains([]string{"ns/op", "B/op", "allocs/op"}, unit) {
			t.add(unit, fmt.Sprintf("%.4g", figures[unit]), "", "")
		}
	}
	return t.String()
}
