package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
)

// peers are the programs found on this machine; an empty one is not installed.
type peers struct {
	python  []string // with OpenCV
	convert string
	vips    string
}

func (m machine) findPeers() peers {
	var p peers
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		if path, err := exec.LookPath(python); err == nil {
			if exec.CommandContext(m.ctx, path, "-c", "import cv2, numpy").Run() == nil { //nolint:gosec // one of the two names above
				p.python = []string{path}
				break
			}
		}
	}
	p.convert, _ = exec.LookPath("convert")
	p.vips, _ = exec.LookPath("vipsthumbnail")
	return p
}

// cv is a script with OpenCV.
func (p peers) cv(script string, args ...any) entrant {
	e := entrant{name: "OpenCV"}
	if p.python != nil {
		e.argv = append(append(e.argv, p.python...), filepath.Join("scripts", "bench-peers", script))
		e.argv = append(e.argv, texts(args)...)
	}
	return e
}

// tool is a program that reads and writes files.
func tool(name, path string, args ...any) entrant {
	e := entrant{name: name, whole: true}
	if path != "" {
		e.argv = append([]string{path}, texts(args)...)
	}
	return e
}

func texts(args []any) []string {
	var out []string
	for _, a := range args {
		out = append(out, fmt.Sprint(a))
	}
	return out
}

// tasker makes an entrant of a part of this program, in a process of its own.
type tasker func(name, what string, whole bool, args ...any) entrant

// contests prepares pictures and runs everything that is compared.
func (m machine) contests() error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	p := m.findPeers()
	in := inputs{folder: m.folder}
	task := func(name, what string, whole bool, args ...any) entrant {
		return entrant{name: name, argv: append([]string{self, "task", what}, texts(args)...), whole: whole}
	}

	cuts, err := m.cuts(p, in, task)
	if err != nil {
		return err
	}
	if err := m.report("Cutting out", cuts); err != nil {
		return err
	}
	works := works(p, in.scenes(), in, task)
	if slices.ContainsFunc(works, func(c contest) bool { return m.chosen.MatchString(c.name) }) {
		if _, err := task("inputs", "scenes", true, in.folder).measure(m.ctx, new(record)); err != nil {
			return err
		}
	}
	return m.report("Pictures", works)
}

// works are all contests about pictures but the cuts.
func works(p peers, pics scenes, in inputs, task tasker) []contest {
	raw := func(side int) []any { return []any{"-size", fmt.Sprintf("%dx%d", side, side), "-depth", 8} }
	return []contest{
		{
			name:     "Completion, 1024², a hole of 25 %",
			entrants: []entrant{task("ours", "complete", false, pics.square1024), p.cv("inpaint.py", 1024, 1024, pics.square1024, pics.hole1024)},
			verdicts: []verdict{{"ours", "OpenCV", goal{seconds: 1.2}}},
		},
		{
			name:     "Expansion to 4096², half of it new",
			entrants: []entrant{task("ours", "expand", false, pics.inner4096)},
			verdicts: []verdict{{"ours", "", goal{seconds: 15, megabytes: 900}}},
			repeat:   2,
		},
		{
			name: "Thumbnail of 512 px from a JPEG of 4096²",
			entrants: []entrant{
				task("ours", "thumb", true, pics.jpeg4096, in.path("thumb-ours.webp")),
				tool("vipsthumbnail", p.vips, pics.jpeg4096, "--size", 512, "-o", in.path("thumb-vips.jpg")),
				tool("convert", p.convert, pics.jpeg4096, "-thumbnail", "512x512", in.path("thumb-convert.jpg")),
				task("x/image", "thumb-ximage", true, pics.jpeg4096, in.path("thumb-ximage.jpg")),
				task("nfnt", "thumb-nfnt", true, pics.jpeg4096, in.path("thumb-nfnt.jpg")),
			},
			verdicts: []verdict{
				{"ours", "vipsthumbnail", goal{ratio: 2, memory: 2}},
				{"ours", "convert", goal{ratio: 1}},
				{"ours", "x/image", goal{ratio: 0.2, memory: 0.2}},
				{"ours", "nfnt", goal{ratio: 1}},
			},
		},
		{
			name: "Layered file, 3 × 2048² and a mask",
			entrants: []entrant{
				task("ours", "psd", false, pics.square2048, pics.hole2048, in.path("ours.psd")),
				tool("convert", p.convert, append(raw(2048), "rgba:"+pics.square2048, "rgba:"+pics.square2048, "rgba:"+pics.square2048, in.path("convert.psd"))...),
			},
			verdicts: []verdict{{"ours", "convert", goal{seconds: 0.2}}},
		},
		{
			name: "PNG of 2048²",
			entrants: []entrant{
				task("ours", "png", true, pics.square2048, in.path("ours.png")),
				tool("convert", p.convert, append(raw(2048), "rgba:"+pics.square2048, in.path("convert.png"))...),
				task("image/png", "png-std", true, pics.square2048, in.path("std.png")),
			},
			verdicts: []verdict{{"ours", "convert", goal{}}, {"ours", "image/png", goal{ratio: 1}}},
		},
		{
			name: "JPEG of 2048²",
			entrants: []entrant{
				task("ours", "jpeg", true, pics.square2048, in.path("ours.jpg")),
				tool("convert", p.convert, append(raw(2048), "rgba:"+pics.square2048, "-quality", 90, in.path("convert.jpg"))...),
			},
			verdicts: []verdict{{"ours", "convert", goal{}}},
		},
		{
			name: "Mask of 4096² as PNG",
			entrants: []entrant{
				task("ours", "mask", true, pics.mask4096, in.path("ours-mask.png")),
				tool("convert", p.convert, append(raw(4096), "gray:"+pics.mask4096, in.path("convert-mask.png"))...),
			},
			verdicts: []verdict{{"ours", "convert", goal{}}},
		},
		{
			name: "Two layers composed, 2048²",
			entrants: []entrant{
				task("ours", "over", true, pics.square2048, pics.hole2048, in.path("over.rgba")),
				tool("convert", p.convert, append(raw(2048), "rgba:"+pics.square2048, "(", "rgba:"+pics.square2048, "gray:"+pics.hole2048,
					"-compose", "CopyOpacity", "-composite", ")", "-compose", "over", "-composite", "rgba:"+in.path("convert.rgba"))...),
			},
			verdicts: []verdict{{"ours", "convert", goal{ratio: 1}}},
		},
	}
}

// cuts are GrabCuts of one person at three sizes, those that are chosen.
func (m machine) cuts(p peers, in inputs, task tasker) ([]contest, error) {
	program := in.path("segment.test")
	var all []contest
	for _, long := range []int{512, 1024, 2048} {
		name := "GrabCut from a rectangle, " + strconv.Itoa(long)
		if !m.chosen.MatchString(name) {
			continue
		}
		if all == nil {
			if out, err := exec.CommandContext(m.ctx, "go", "test", "-c", "-o", program, "./imaging/segment").CombinedOutput(); err != nil { //nolint:gosec // the folder is ours
				return nil, fmt.Errorf("build the benchmarks of imaging/segment: %w: %s", err, out)
			}
		}
		size, err := task("inputs", "subject", true, in.folder, long).measure(m.ctx, new(record))
		if err != nil {
			return nil, err
		}
		w, h := int(size["width"]), int(size["height"])
		file, outline := in.subject(long)
		ours := func(way string) entrant {
			return entrant{
				name: way, argv: []string{program, "-test.run", "^$", "-test.bench", "FromRectangle/" + way + "$", "-test.benchtime", "1x"},
				env: []string{fmt.Sprintf("ATELIER_CUT_PICTURE=%d %d %s", w, h, file), "ATELIER_CUT_MASK=" + outline},
			}
		}
		c := contest{
			name:     name,
			entrants: []entrant{ours("full"), ours("coarse"), p.cv("grabcut.py", w, h, file, outline)},
			verdicts: []verdict{{"full", "OpenCV", goal{ratio: 0.5}}, {"coarse", "OpenCV", goal{}}},
		}
		if long == 2048 {
			c.verdicts[1].goal.ratio = 0.05
			c.repeat = 2
		}
		all = append(all, c)
	}
	return all, nil
}
