package main

import (
	"bytes"
	"context"
	"errors"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"atelier/imaging/testpics"

	"github.com/google/go-cmp/cmp"
)

func TestEveryFigureOfEveryBenchmarkIsRead(t *testing.T) {
	t.Parallel()
	const output = `goos: linux
pkg: atelier/imaging/fill
BenchmarkExpandTo/4096-2   3   2000000000 ns/op   557.2 heap-MB   376612498 B/op   7348 allocs/op
BenchmarkExpandTo/4096-2   3   3000000000 ns/op   560.0 heap-MB   376612498 B/op   7348 allocs/op
--- BENCH: BenchmarkExpandTo/4096-2
    Benchmark words in a log line
pkg: atelier/service
BenchmarkListTasks         50   81.0 ns/op   1500000 p50-ns   2500000 p99-ns
PASS
`
	got, err := parseBenchmarks(strings.NewReader(output))
	if err != nil {
		t.Fatal(err)
	}
	want := []*benchmark{
		{"atelier/imaging/fill", "ExpandTo/4096", []string{"ns/op", "heap-MB", "B/op", "allocs/op"}, map[string]sample{
			"ns/op": {2e9, 3e9}, "heap-MB": {557.2, 560}, "B/op": {376612498, 376612498}, "allocs/op": {7348, 7348},
		}},
		{"atelier/service", "ListTasks", []string{"ns/op", "p50-ns", "p99-ns"}, map[string]sample{"ns/op": {81}, "p50-ns": {1500000}, "p99-ns": {2500000}}},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(benchmark{})); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if _, err := parseBenchmarks(strings.NewReader("BenchmarkX 3 many ns/op")); err == nil {
		t.Error("a figure that is no number was read")
	}
	for unit, want := range map[string]string{"p50-ns": "p50 1.5 ms", "heap-MB": "1.5e+06 heap-MB"} {
		if got := figure(1_500_000, unit); got != want {
			t.Errorf("1500000 %s reads %q, want %q", unit, got, want)
		}
	}
}

func TestGoalsOfBenchmarksAreJudgedByTheWorstRun(t *testing.T) {
	t.Parallel()
	found := []*benchmark{
		{name: "Pages", values: map[string]sample{"page-p99-ms": {12, 19.5, 14}, "peakMiB": {900, 1100}}},
		{name: "Runs", values: map[string]sample{"finished": {50, 49}}},
		{name: "Pages/a", values: map[string]sample{"over": {0, 0}}},
		{name: "Pages/b", values: map[string]sample{"over": {0, 1}, "times": {3}}},
	}
	for _, tt := range []struct {
		goal benchGoal
		want []string
	}{
		{benchGoal{what: "a page", bench: "Pages", unit: "page-p99-ms", most: 20}, []string{"a page", "19.5 page-p99-ms", "≤ 20", "yes"}},
		{benchGoal{what: "memory", bench: "Pages", unit: "peakMiB", most: 1024}, []string{"memory", "1100 peakMiB", "≤ 1024", "no"}},
		{benchGoal{what: "runs", bench: "Runs", unit: "finished", least: 50}, []string{"runs", "49 finished", "≥ 50", "no"}},
		{benchGoal{what: "others", bench: "Others", unit: "finished", least: 50}, []string{"others", "not measured", "≥ 50", "—"}},
		{benchGoal{what: "other unit", bench: "Runs", unit: "peakMiB", most: 1024}, []string{"other unit", "not measured", "≤ 1024", "—"}},
		{benchGoal{what: "several", bench: "Pages/*", unit: "over", goal: true}, []string{"several", "1 over", "≤ 0", "no"}},
		{benchGoal{what: "the good one", bench: "Pages/a", unit: "over", goal: true}, []string{"the good one", "0 over", "≤ 0", "yes"}},
		{benchGoal{what: "no goal", bench: "Pages/*", unit: "times"}, []string{"no goal", "3 times", "—", "—"}},
	} {
		if diff := cmp.Diff(tt.want, tt.goal.cells(found)); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	}
}

func TestMedianAndSpread(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		s      sample
		timing string
	}{
		{nil, "—"},
		{sample{0.25}, "250 ms"},
		{sample{1, 4, 2}, "2.00 s ±75%"},
		{sample{1e-6, 3e-6}, "2 µs ±50%"},
		{sample{4e-9, 4e-9}, "4 ns ±0%"},
	} {
		if got := tt.s.timing(); got != tt.timing {
			t.Errorf("%v reads %q, want %q", tt.s, got, tt.timing)
		}
	}
}

func TestGoals(t *testing.T) {
	t.Parallel()
	ours := &record{seconds: sample{1, 2, 3}, megabytes: sample{100}}
	slow, missing := &record{seconds: sample{10}}, &record{absent: true}
	heavy := &record{seconds: sample{10}, megabytes: sample{50}}
	for _, tt := range []struct {
		goal goal
		peer *record
		want string
	}{
		{goal{}, slow, ""},
		{goal{seconds: 2}, nil, "yes"},
		{goal{seconds: 1.9}, slow, "no"},
		{goal{seconds: 5, megabytes: 99}, nil, "no"},
		{goal{ratio: 0.2}, slow, "yes"},
		{goal{ratio: 0.19}, slow, "no"},
		{goal{memory: 2}, heavy, "yes"},
		{goal{memory: 1.9}, heavy, "no"},
		{goal{memory: 2}, missing, ""},
		{goal{ratio: 0.5}, missing, ""},
		{goal{ratio: 0.5}, nil, ""},
	} {
		if got := tt.goal.reached(ours, tt.peer); got != tt.want {
			t.Errorf("goal %q against %+v: %q, want %q", tt.goal, tt.peer, got, tt.want)
		}
	}
	if got := (goal{seconds: 1.2, ratio: 0.5, megabytes: 900, memory: 2}).String(); got != "≤ 1.20 s, ≤ 0.5×, ≤ 900 MB, ≤ 2× memory" {
		t.Errorf("a goal reads %q", got)
	}
}

// shell is an entrant that runs a line of shell.
func shell(name, line string, whole bool) entrant {
	return entrant{name: name, argv: []string{"/bin/sh", "-c", line}, whole: whole}
}

func TestEntrantsWorkInTurnsAndTheAbsentAreNamed(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("/bin/sh"); err != nil {
		t.Skip("there is no /bin/sh here")
	}
	log := filepath.Join(t.TempDir(), "log")
	var out bytes.Buffer
	m := machine{ctx: t.Context(), out: &out, say: func(text string) { t.Log(text) }, repeat: 2, chosen: regexp.MustCompile("work")}
	err := m.report("Works", []contest{
		{
			name: "work",
			entrants: []entrant{
				shell("ours", "echo a >> "+log+"; echo seconds 0.2; echo cpu 0.1; echo IoU 0.5", false),
				shell("peer", "echo b >> "+log+"; echo seconds 0.8; echo cpu 0.2", false),
				{name: "elsewhere"},
				shell("broken", "echo no luck >&2; exit 3", true),
				shell("silent", "true", false),
			},
			verdicts: []verdict{
				{"ours", "peer", goal{ratio: 0.3}},
				{"ours", "elsewhere", goal{ratio: 0.3}},
				{"ours", "broken", goal{seconds: 0.1}},
				{"ours", "silent", goal{}},
			},
		},
		{name: "not chosen", entrants: []entrant{shell("ours", "echo c >> "+log, true)}},
	})
	if err != nil {
		t.Fatal(err)
	}
	turns, err := os.ReadFile(log)
	if err != nil || string(turns) != "a\nb\na\nb\n" {
		t.Errorf("turns %q, %v", turns, err)
	}
	for _, want := range []string{
		"work   200 ms ±0%, IoU 0.500  peer       800 ms ±0%     0.25×  0.5×    ≤ 0.3×    yes",
		"elsewhere  not installed                 ≤ 0.3×",
		"broken     failed                        ≤ 100 ms  no",
		"no luck", "silent did not say how long it took",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the report lacks %q:\n%s", want, out.String())
		}
	}
}

func TestACancelledReportEnds(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out bytes.Buffer
	m := machine{ctx: ctx, out: &out, say: func(text string) { t.Log(text) }, repeat: 2, chosen: regexp.MustCompile("")}
	err := m.report("Works", []contest{{name: "work", entrants: []entrant{shell("ours", "true", true)}, verdicts: []verdict{{"ours", "", goal{}}}}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("report = %v, want cancelled", err)
	}
}

func TestFiguresOfPhotographsStandBesideTheirGoals(t *testing.T) {
	t.Parallel()
	const output = `pkg: atelier/imaging/segment
BenchmarkPhotographs-2  1  2000000000 ns/op  0.921 people-IoU  0.779 head-IoU  3.2 faces-wrong-%  2613 lemur-SAD  0.4 head-worst-tenth-IoU
BenchmarkPhotographs-2  1  2000000000 ns/op  1 custom-obeyed
`
	found, err := parseBenchmarks(strings.NewReader(output))
	if err != nil {
		t.Fatal(err)
	}
	lines := func(text string) (out []string) {
		for line := range strings.Lines(text) {
			out = append(out, strings.Join(strings.Fields(line), " "))
		}
		return out
	}
	got := lines(goals(found, "not measured"))
	for _, want := range []string{
		"People, overlap with the truth 0.921 ≥ 0.9 yes",
		"The same, mean of the worst tenth not measured ≥ 0.7",
		"Face and head (inverseAutoHumanSegment) 0.779 ≥ 0.82 no",
		"Faces found that are none, percent of all found 3.2 ≤ 2 no",
		"Drawn masks (custom), share of pixels obeyed 1 ≥ 1 yes",
		"Matte of the lemur, sum of differences in pixels 2613 ≤ 2800 yes",
		"head-worst-tenth-IoU 0.4",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("the table lacks %q:\n%s", want, strings.Join(got, "\n"))
		}
	}
	t.Run("without photographs", func(t *testing.T) {
		without := goals(nil, "not measured: ATELIER_PHOTOS")
		if n := strings.Count(without, "not measured: ATELIER_PHOTOS"); n != len(wants) {
			t.Errorf("%d of %d goals are said not to be measured:\n%s", n, len(wants), without)
		}
	})
}

func TestEveryTaskDoesItsWork(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	in := inputs{folder: dir}
	if err := write(in.path("rgba"), testpics.Photo(64, 64, 1).Pix); err != nil {
		t.Fatal(err)
	}
	plane := make([]byte, 64*64)
	for i := range plane {
		plane[i] = uint8(i)
	}
	if err := write(in.path("grey"), plane); err != nil {
		t.Fatal(err)
	}
	if err := runTask(t.Context(), []string{"jpeg", in.path("rgba"), in.path("jpeg")}, &bytes.Buffer{}); err != nil {
		t.Fatal(err)
	}
	// These take minutes of drawing, or have files of another kind.
	other := map[string]bool{"scenes": true, "expand": true, "subject": true}
	for name, task := range tasks {
		if other[name] {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := []string{name}
			for _, file := range strings.Fields(task.usage) {
				args = append(args, in.path(map[bool]string{true: name + ".out", false: file}[file == "to"]))
			}
			var out bytes.Buffer
			if err := runTask(t.Context(), args, &out); err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(task.usage, " to") {
				if made, err := os.Stat(in.path(name + ".out")); err != nil || made.Size() == 0 {
					t.Errorf("nothing was made: %v", err)
				}
			} else if said, err := parseSaid(out.String()); err != nil || said["seconds"] <= 0 {
				t.Errorf("said %q, %v", out.String(), err)
			}
			if err := runTask(t.Context(), args[:len(args)-1], &out); err == nil {
				t.Error("a missing file was not noticed")
			}
		})
	}
	if err := runTask(t.Context(), []string{"nothing"}, &bytes.Buffer{}); err == nil {
		t.Error("an unknown task was run")
	}
}

func TestASubjectIsDrawnWithItsOutline(t *testing.T) {
	t.Setenv("ATELIER_PHOTOS", "")
	in := inputs{folder: t.TempDir()}
	var out bytes.Buffer
	if err := runTask(t.Context(), []string{"subject", in.folder, "96"}, &out); err != nil {
		t.Fatal(err)
	}
	said, err := parseSaid(out.String())
	if err != nil || said["width"] != 72 || said["height"] != 96 {
		t.Fatalf("size %v, %v", said, err)
	}
	file, outline := in.subject(96)
	pix, err := os.ReadFile(file)
	if err != nil || len(pix) != 4*72*96 {
		t.Errorf("%d bytes of picture, %v", len(pix), err)
	}
	plane, err := os.ReadFile(outline)
	if err != nil || len(plane) != 72*96 {
		t.Fatalf("%d bytes of outline, %v", len(plane), err)
	}
	if at := func(p image.Point) byte { return plane[p.Y*72+p.X] }; at(image.Pt(36, 48)) != 255 || at(image.Pt(1, 1)) != 0 {
		t.Errorf("the middle is %d and the corner %d, want 255 and 0", at(image.Pt(36, 48)), at(image.Pt(1, 1)))
	}
}

func TestDeskFiguresSayWhetherTheyAreReached(t *testing.T) {
	said, err := parseSaid("undo/p95 30.000\nexport/bytes 1001.000\nplain_export/bytes 1000.000\nzoom/frame 19.200\nplain_zoom/frame 16.000\nwand/ms 400.100\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		f    deskFigure
		want []string
	}{
		{deskFigure{"at the limit", "undo/p95", "plain_undo/p95", 30, 0}, []string{"at the limit", "30.0 ms", "—", "", "≤ 30.0 ms", "yes"}},
		{deskFigure{"above it", "wand/ms", "", 400, 0}, []string{"above it", "400.1 ms", "—", "", "≤ 400.0 ms", "no"}},
		{deskFigure{"ratio reached", "zoom/frame", "plain_zoom/frame", 0, 1.2}, []string{"ratio reached", "19.2 ms", "16.0 ms", "1.2×", "≤ 1.2×", "yes"}},
		{deskFigure{"bytes", "export/bytes", "plain_export/bytes", 0, 1}, []string{"bytes", "1001", "1000", "1×", "≤ 1×", "no"}},
		{deskFigure{"nothing measured", "zoom/p95", "", 1, 0}, []string{"nothing measured", "—", "—", "", "≤ 1.0 ms", "no"}},
	} {
		if diff := cmp.Diff(test.want, test.f.cells(said)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", test.f.name, diff)
		}
	}
}
