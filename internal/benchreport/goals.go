package main

import (
	"fmt"
	"slices"
)

// benchGoal is what a figure of a Go benchmark is to reach.
type benchGoal struct {
	what        string
	bench, unit string // as go test prints them
	most, least float64
}

const gib = 1024 // MiB

// benchGoals are those of the image service.
var benchGoals = []benchGoal{
	{"1,000 tasks × 20 executions: a page of 10, p99", "ListAThousandTasks/pages_of_10", "page-p99-ms", 20, 0},
	{"… a page of 20", "ListAThousandTasks/pages_of_20", "page-p99-ms", 20, 0},
	{"… within times", "ListAThousandTasks/within_times", "page-p99-ms", 20, 0},
	{"… each with a mask of 40 kB, a page of 10 (8 MB)", "ListAThousandTasks/masks_of_40_kB", "page-p99-ms", 20, 0},
	{"… memory", "ListAThousandTasks/masks_of_40_kB", "peakMiB", gib, 0},
	{"50 small runs of 5 accounts: that finish", "FiftyRunsAtOnce", "finished", 0, 50},
	{"… longest account to shortest", "FiftyRunsAtOnce", "longest/shortest-account", 1.5, 0},
	{"… memory", "FiftyRunsAtOnce", "peakMiB", gib, 0},
	{"50 mixed runs of 5 accounts: that finish", "FiftyMixedRunsAtOnce", "finished", 0, 50},
	{"… longest account to shortest", "FiftyMixedRunsAtOnce", "longest/shortest-account", 1.5, 0},
	{"… memory", "FiftyMixedRunsAtOnce", "peakMiB", gib, 0},
	{"4096²: removeBG, two at once, memory", "LargePictures/removeBG_x2", "peakMiB", gib, 0},
	{"… expandimage", "LargePictures/expandimage_x2", "peakMiB", gib, 0},
	{"… aimodel", "LargePictures/aimodel_x2", "peakMiB", gib, 0},
	{"… aiproduct", "LargePictures/aiproduct_x2", "peakMiB", gib, 0},
	{"… aipose", "LargePictures/aipose_x2", "peakMiB", gib, 0},
}

// judged lays out which goals the benchmarks reach, by the worst of their runs.
func judged(found []*benchmark, goals []benchGoal) *table {
	t := &table{}
	t.add("Image service", "worst run", "goal", "reached")
	for _, g := range goals {
		t.add(g.cells(found)...)
	}
	return t
}

func (g benchGoal) cells(found []*benchmark) []string {
	goal := fmt.Sprintf("≤ %.4g", g.most)
	if g.least > 0 {
		goal = fmt.Sprintf("≥ %.4g", g.least)
	}
	i := slices.IndexFunc(found, func(b *benchmark) bool { return b.name == g.bench })
	if i < 0 || len(found[i].values[g.unit]) == 0 {
		return []string{g.what, "not measured", goal, "—"}
	}
	values := found[i].values[g.unit]
	worst := slices.Max(values)
	if g.least > 0 {
		worst = slices.Min(values)
	}
	return []string{g.what, figure(worst, g.unit), goal, yes((g.most == 0 || worst <= g.most) && worst >= g.least)}
}
