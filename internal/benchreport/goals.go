package main

import (
	"fmt"
	"path"
	"slices"
)

// benchGoal is what a figure of a Go benchmark is to reach; a figure without a goal is shown because others are compared by it.
type benchGoal struct {
	what        string
	bench, unit string // as go test prints them; * stands for several benchmarks, of which the worst counts
	most, least float64
	goal        bool // most is one although it is 0
}

// benchGoals are the goals of the Go benchmarks, by what they are of.
var benchGoals = []struct {
	title string
	goals []benchGoal
}{
	{"Image service", serviceGoals},
	{"History of 1,000,000 runs and 4,000,000 results", historyGoals},
	{"Gallery, masks and delivery", galleryGoals},
}

// historyGoals are those of the pages of a long history. The ratio is to what it takes to read the very same results by their ids.
var historyGoals = []benchGoal{
	{what: "First page, p99", bench: "History/first_page", unit: "p99-ms", most: 15},
	{what: "… p50, in times of reading its results by their ids", bench: "History/first_page", unit: "times-by-id", most: 4},
	{what: "Slowest filter, order or page anywhere, p99", bench: "History/*", unit: "p99-ms", most: 15},
	{what: "… p50, in times of reading its results by their ids", bench: "History/*", unit: "times-by-id"},
	{what: "Slowest search, p99", bench: "History/search*", unit: "p99-ms", most: 15},
	{what: "… p50, in times of reading its results by their ids", bench: "History/search*", unit: "times-by-id"},
	{what: "Pages of runs, slowest, p99", bench: "History/runs*", unit: "p99-ms", most: 15},
	{what: "Whatever a search and filters can ask together: slowest p99", bench: "Combinations/*", unit: "p99-ms", most: 15},
	{what: "… how many are slower", bench: "Combinations/*", unit: "over-15ms", goal: true},
}

// galleryGoals are those of the gallery's list and of what is handed over.
var galleryGoals = []benchGoal{
	{what: "List of 100,000: one arrives and one in the middle goes, in times of a list of 10,000", bench: "OneResultArrives/100000", unit: "times-10000", most: 15},
	{what: "Preview of an automatic mask, 1 megapixel: slowest", bench: "MaskPreview/*", unit: "worst-s", most: 2.5},
	{what: "… of a photo that was seen before", bench: "MaskPreview/*", unit: "again-ms", most: 200},
	{what: "ZIP of 200 results of 2 MB: in times of sending the files", bench: "ZipRoute", unit: "times-copying", most: 1.25},
	{what: "… held at once", bench: "ZipRoute", unit: "peak-MB", most: 16},
}

const gib = 1024 // MiB

// serviceGoals are those of the image service.
var serviceGoals = []benchGoal{
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
func judged(title string, found []*benchmark, goals []benchGoal) *table {
	t := &table{}
	t.add(title, "worst run", "goal", "reached")
	for _, g := range goals {
		t.add(g.cells(found)...)
	}
	return t
}

func (g benchGoal) cells(found []*benchmark) []string {
	has, goal := g.goal || g.most > 0 || g.least > 0, "—"
	switch {
	case g.least > 0:
		goal = fmt.Sprintf("≥ %.4g", g.least)
	case has:
		goal = fmt.Sprintf("≤ %.4g", g.most)
	}
	var values sample
	for _, b := range found {
		if is, err := path.Match(g.bench, b.name); err == nil && is {
			values = append(values, b.values[g.unit]...)
		}
	}
	if len(values) == 0 {
		return []string{g.what, "not measured", goal, "—"}
	}
	worst := slices.Max(values)
	if g.least > 0 {
		worst = slices.Min(values)
	}
	reached := "—"
	if has {
		reached = yes(worst >= g.least && (g.least > 0 || worst <= g.most))
	}
	return []string{g.what, figure(worst, g.unit), goal, reached}
}
