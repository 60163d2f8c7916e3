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
	{what: "1,000 tasks × 20 executions: a page of 10, p99", bench: "ListAThousandTasks/pages_of_10", unit: "page-p99-ms", most: 20},
	{what: "… a page of 20", bench: "ListAThousandTasks/pages_of_20", unit: "page-p99-ms", most: 20},
	{what: "… within times", bench: "ListAThousandTasks/within_times", unit: "page-p99-ms", most: 20},
	{what: "… each with a mask of 40 kB, a page of 10 (8 MB, at 10 ms each)", bench: "ListAThousandTasks/masks_of_40_kB", unit: "page-p99-ms", most: 80},
	{what: "… a page of 20 (16 MB)", bench: "ListAThousandTasks/masks_of_40_kB,_pages_of_20", unit: "page-p99-ms", most: 160},
	{what: "… memory", bench: "ListAThousandTasks/masks_of_40_kB,_pages_of_20", unit: "peakMiB", most: gib},
	{what: "50 small runs of 5 accounts: that finish", bench: "FiftyRunsAtOnce", unit: "finished", least: 50},
	{what: "… longest account to shortest", bench: "FiftyRunsAtOnce", unit: "longest/shortest-account", most: 1.5},
	{what: "… memory", bench: "FiftyRunsAtOnce", unit: "peakMiB", most: gib},
	{what: "50 mixed runs of 5 accounts: that finish", bench: "FiftyMixedRunsAtOnce", unit: "finished", least: 50},
	{what: "… longest account to shortest", bench: "FiftyMixedRunsAtOnce", unit: "longest/shortest-account", most: 1.5},
	{what: "… memory", bench: "FiftyMixedRunsAtOnce", unit: "peakMiB", most: gib},
	{what: "4096²: removeBG, two at once, memory", bench: "LargePictures/removeBG_x2", unit: "peakMiB", most: gib},
	{what: "… expandimage", bench: "LargePictures/expandimage_x2", unit: "peakMiB", most: gib},
	{what: "… aimodel", bench: "LargePictures/aimodel_x2", unit: "peakMiB", most: gib},
	{what: "… aiproduct", bench: "LargePictures/aiproduct_x2", unit: "peakMiB", most: gib},
	{what: "… aipose", bench: "LargePictures/aipose_x2", unit: "peakMiB", most: gib},
	{what: "… two collages of ten", bench: "LargePictures/collage_of_10", unit: "peakMiB", most: gib},
	{what: "… a layered file of four results", bench: "LargePictures/layered_file_of_4", unit: "peakMiB", most: gib},
	{what: "50 megapixels: removeBG, two at once, memory", bench: "LargePictures/removeBG_of_50_megapixels_x2", unit: "peakMiB", most: gib},
	{what: "16 requests of 31 MiB at once, memory", bench: "LargeRequests", unit: "peakMiB", most: gib},
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
