package generate

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"slices"
	"strings"
	"testing"

	"atelier/catalog"
	"atelier/imaging"
	"atelier/imaging/compose"
	"atelier/imaging/mask"
	"atelier/imaging/testpics"
	"atelier/service/engine"
	"atelier/service/presets"
	"atelier/service/render"
)

// Abilities of the three dialects: WebUI, gpt-image-2 and gpt-image-1.
var (
	byCells = engine.Abilities{
		Modes:      []engine.Mode{engine.Inpaint, engine.Edit, engine.Text},
		References: 3,
		Negative:   true,
		Multiple:   64,
		Least:      64,
		Most:       4096,
	}
	bySteps = engine.Abilities{
		Modes:      []engine.Mode{engine.Inpaint, engine.Edit, engine.Text},
		References: 15,
		Multiple:   16,
		Least:      256,
		Most:       3840,
	}
	bySizes = engine.Abilities{
		Modes: []engine.Mode{engine.Inpaint, engine.Edit, engine.Text}, References: 15,
		Sizes: []image.Point{
			{X: 1024, Y: 1024},
			{X: 1536, Y: 1024},
			{X: 1024, Y: 1536},
		}, Multiple: 1, Least: 1024, Most: 1536,
	}
	editsOnly = engine.Abilities{Modes: []engine.Mode{engine.Edit}, References: 3, Multiple: 64, Least: 64, Most: 4096}
)

// few keeps the pictures of most tests small.
var few = How{Pixels: 200_000}

// oval is a soft region: whole within it, and fading over edge pixels.
func oval(w, h int, box image.Rectangle, edge float64) (hard, soft mask.Plane) {
	hard, soft = mask.New(w, h), mask.New(w, h)
	rx, ry := float64(box.Dx())/2, float64(box.Dy())/2
	cx, cy := float64(box.Min.X)+rx, float64(box.Min.Y)+ry
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			d := (1 - math.Hypot((float64(x)-cx)/rx, (float64(y)-cy)/ry)) * min(rx, ry) / edge
			v := uint8(255 * max(0, min(1, d)))
			soft.Pix[y*w+x] = v
			if v >= mask.Level {
				hard.Pix[y*w+x] = 255
			}
		}
	}
	return hard, soft
}

// sitting is a request about the portrait with a region in it: the head of agents that change heads, else the figure.
func sitting(name string, exact bool) (render.Request, render.Segmentation) {
	src := testpics.Astronaut()
	box := image.Rect(90, 30, 400, 500)
	if agents[name].keeps == allButHead {
		box = image.Rect(150, 20, 300, 200)
	}
	hard, soft := oval(512, 512, box, 6)
	if name == "expandimage" { // a smaller one, since its canvas is completed first
		src = imaging.Resize(src, 200, 200)
		hard, soft = oval(200, 200, image.Rect(40, 10, 160, 190), 3)
	}
	if exact {
		soft = hard
	}
	req := render.Request{
		Agent: name, Version: "v1.0", Original: src, Files: map[string][]*image.NRGBA{}, Seed: 40, Count: 4,
		Values: map[string]any{"textDescription": "On a beach", "generatedContent": "freeCreation"},
	}
	seg := render.Segmentation{
		Mask: hard, Matte: soft, Subject: hard, Foreground: compose.CutOut(src, soft), Exact: exact, Confidence: 1,
	}
	if name == "expandimage" {
		req.Values = map[string]any{"targetWidth": 270.0, "targetHeight": 215.0, "fillLeft": 37.0, "fillTop": -9.0}
	}
	return req, seg
}

// answers are stand-ins of engines, from the job's first picture.
var answers = map[string]func(engine.Job, *image.NRGBA) *image.NRGBA{
	"repaints everything": func(_ engine.Job, img *image.NRGBA) *image.NRGBA {
		return testpics.Photo(img.Rect.Dx(), img.Rect.Dy(), 7)
	},
	"shifts by 5 px": func(_ engine.Job, img *image.NRGBA) *image.NRGBA { return moved(img, 5) },
	"casts colour": func(_ engine.Job, img *image.NRGBA) *image.NRGBA {
		compose.Grade(img, -4, 6, 1)
		return img
	},
	"answers half the size": func(_ engine.Job, img *image.NRGBA) *image.NRGBA {
		return imaging.Resize(img, img.Rect.Dx()/2, img.Rect.Dy()/2)
	},
}

func moved(img *image.NRGBA, by int) *image.NRGBA {
	out := imaging.Clone(img)
	draw.Draw(out, out.Rect.Add(image.Pt(by, 0)), img, image.Point{}, draw.Src)
	return out
}

func filed(t *testing.T, img image.Image) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, img); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func planned(t *testing.T, req render.Request, seg render.Segmentation, a engine.Abilities, how How) Work {
	t.Helper()
	w, reason, err := Plan(t.Context(), req, seg, a, how)
	if err != nil || reason != "" {
		t.Fatalf("plan %s: %q, %v", req.Agent, reason, err)
	}
	return w
}

func firstOf(t *testing.T, job engine.Job) *image.NRGBA {
	t.Helper()
	img, _, err := imaging.Decode(t.Context(), job.Pictures[0], imaging.DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// untouched reports the first pixel that must stay and did not.
func untouched(t *testing.T, req render.Request, seg render.Segmentation, out *image.NRGBA) {
	t.Helper()
	a, src := agents[req.Agent], req.Original
	at, n := image.Point{}, 0
	if a.keeps == theOriginal {
		at = req.Placed().Min
	}
	keep := keepOf(a, req, seg)
	for y := range out.Rect.Dy() {
		for x := range out.Rect.Dx() {
			if !keep.Kept(x, y) || a.keeps == protected && !seg.Exact && seg.Matte.At(x, y) < 255 {
				continue
			}
			n++
			if got, was := out.NRGBAAt(x, y), src.NRGBAAt(x-at.X, y-at.Y); got != was {
				t.Errorf("pixel (%d,%d) is %v, in the original %v", x, y, got, was)
				return
			}
		}
	}
	if n < 1000 {
		t.Errorf("only %d pixels are protected", n)
	}
}

func TestProtectedPixelsStayBitEqual(t *testing.T) {
	t.Parallel()
	for name, a := range agents {
		if a.keeps == nothing {
			continue
		}
		for engineName, answer := range answers {
			for _, exact := range []bool{false, true} {
				if exact && a.keeps != protected {
					continue
				}
				t.Run(name+" "+engineName, func(t *testing.T) {
					t.Parallel()
					req, seg := sitting(name, exact)
					w := planned(t, req, seg, byCells, few)
					if w.Job.Mode != engine.Inpaint {
						t.Fatalf("the mode is %s", w.Job.Mode)
					}
					out, err := Finish(t.Context(), req, seg, w, filed(t, answer(w.Job, firstOf(t, w.Job))))
					if err != nil {
						t.Fatal(err)
					}
					if want := render.ResultSize(req); out.Image.Rect.Size() != want {
						t.Errorf("the picture is %v, want %v", out.Image.Rect.Size(), want)
					}
					untouched(t, req, seg, out.Image)
				})
			}
		}
	}
}

func TestAnotherShapeIsRefusedOrFitted(t *testing.T) {
	t.Parallel()
	wide := filed(t, testpics.Photo(600, 400, 3))
	req, seg := sitting("aiproduct", false)
	if _, err := Finish(
		t.Context(),
		req,
		seg,
		planned(t, req, seg, byCells, few),
		wide,
	); engine.ReasonOf(
		err,
	) != engine.OtherShape {
		t.Errorf("of a masked agent: %v", err)
	}
	for _, name := range []string{"anime-image-converter", "bald-filter"} {
		req, seg := sitting(name, false)
		out, err := Finish(t.Context(), req, seg, planned(t, req, seg, editsOnly, few), wide)
		if err != nil || out.Image.Rect.Size() != image.Pt(512, 512) {
			t.Errorf("%s, edited: %v, %v", name, out.Image, err)
		}
	}
}

func TestShiftedAnswerIsRefused(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"aiproduct", "expandimage", "ai-hair-color-changer"} {
		req, seg := sitting(name, false)
		w := planned(t, req, seg, byCells, few)
		if _, err := Finish(
			t.Context(),
			req,
			seg,
			w,
			filed(t, moved(firstOf(t, w.Job), 40)),
		); engine.ReasonOf(
			err,
		) != engine.Shifted {
			t.Errorf("%s: %v", name, err)
		}
		if again := w.Again(); again.Job.Seed == w.Job.Seed || again.Job.Seed < 0 {
			t.Errorf("once more the seed is %d, after %d", again.Job.Seed, w.Job.Seed)
		}
	}
}

func TestHostileAnswersAreErrors(t *testing.T) {
	t.Parallel()
	req, seg := sitting("aiproduct", false)
	w := planned(t, req, seg, byCells, few)
	for name, tt := range map[string]struct {
		answer []byte
		want   engine.Reason
	}{
		"empty": {nil, engine.Unusable}, "text": {[]byte("<html>"), engine.Unusable},
		"cut off": {w.Job.Pictures[0][:400], engine.Unusable}, "bomb": {
			testpics.BlackPNG(30000, 30000, 1, 0),
			engine.Unusable,
		},
	} {
		if _, err := Finish(t.Context(), req, seg, w, tt.answer); engine.ReasonOf(err) != tt.want {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := Finish(ended, req, seg, w, filed(t, firstOf(t, w.Job))); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
}

func TestMaskRedrawsOutsideWhatIsKept(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name           string
		exact          bool
		middle, corner uint8
	}{
		{"aiproduct", false, 0, 255},
		{"aiproduct", true, 0, 255},
		{"bald-filter", false, 255, 0},
	} {
		req, seg := sitting(tt.name, tt.exact)
		w := planned(t, req, seg, byCells, few)
		m, b := w.Job.Mask, seg.Mask.Bounds()
		k := float64(w.frame.scaled.X) / 512
		at := func(x, y int) uint8 { return m.At(int(k*float64(x)), int(k*float64(y))) }
		if m.Rect().Size() != w.Job.Size || at((b.Min.X+b.Max.X)/2, (b.Min.Y+b.Max.Y)/2) != tt.middle ||
			at(2, 2) != tt.corner {
			t.Errorf("%s: the mask is %v, %d in the middle, %d in a corner", tt.name, m.Rect(), at(250, 250), at(2, 2))
		}
		if pad := w.Job.Size.X - w.frame.scaled.X; pad < 1 || m.At(w.Job.Size.X-1, 5) != 0 {
			t.Errorf("%s: %d px are added, redrawn %d", tt.name, pad, m.At(w.Job.Size.X-1, 5))
		}
		inside := at((b.Min.X+b.Max.X)/2, b.Min.Y+8) // within the region, by less than it grows
		if grown := inside == 255; tt.name == "aiproduct" && grown == tt.exact {
			t.Errorf("%s, drawn %v: at the edge %d is redrawn", tt.name, tt.exact, inside)
		}
	}
}

func TestSizesFitEachDialect(t *testing.T) {
	t.Parallel()
	for _, canvas := range []image.Point{{X: 6000, Y: 4000}, {X: 300, Y: 200}, {X: 1000, Y: 1700}, {
		X: 4096,
		Y: 100,
	}, {X: 1024, Y: 1024}} {
		for _, a := range []engine.Abilities{byCells, bySteps, bySizes} {
			f := frameOf(canvas, a, usualPixels)
			for _, size := range []image.Point{f.size, sizeOf(canvas, a, usualPixels)} {
				if len(a.Sizes) > 0 && !slices.Contains(a.Sizes, size) || size.X%a.Multiple != 0 ||
					size.Y%a.Multiple != 0 ||
					min(size.X, size.Y) < a.Least ||
					max(size.X, size.Y) > a.Most {
					t.Errorf("%v of %d: %v", canvas, a.Multiple, size)
				}
			}
			if f.scaled.X > f.size.X || f.scaled.Y > f.size.Y ||
				min(f.scaled.X, f.scaled.Y) > 200 && apart(f.scaled, canvas) > 0.01 {
				t.Errorf("%v of %d: scaled to %v in %v", canvas, a.Multiple, f.scaled, f.size)
			}
		}
	}
	if got := frameOf(image.Pt(1200, 900), bySizes, usualPixels).size; got != image.Pt(1536, 1024) {
		t.Errorf("4:3 is sent as %v", got)
	}
}

func TestExpandedOriginalFitsOtherMultiple(t *testing.T) {
	t.Parallel()
	for _, a := range []engine.Abilities{bySteps, bySizes} {
		req, seg := sitting("expandimage", false)
		w := planned(t, req, seg, a, few)
		out, err := Finish(t.Context(), req, seg, w, filed(t, answers["casts colour"](w.Job, firstOf(t, w.Job))))
		if err != nil {
			t.Fatal(err)
		}
		untouched(t, req, seg, out.Image)
	}
}

func TestContactShadowIsEnginesOwn(t *testing.T) {
	t.Parallel()
	req, seg := sitting("aiproduct", false)
	w := planned(t, req, seg, byCells, few)
	red := color.NRGBA{180, 60, 50, 255}
	out, err := Finish(t.Context(), req, seg, w, filed(t, testpics.Flat(w.Job.Size.X, w.Job.Size.Y, red)))
	if err != nil {
		t.Fatal(err)
	}
	band := seg.Mask.Grow(14)
	for i, v := range band.Pix {
		if p := out.Image.Pix[4*i : 4*i+4]; v > 0 && seg.Matte.Pix[i] == 0 &&
			[4]uint8(p) != [4]uint8{red.R, red.G, red.B, 255} {
			t.Fatalf("beside the product pixel %d is %v", i, p)
		}
	}
}

func TestCastIsTakenBack(t *testing.T) {
	t.Parallel()
	req, seg := sitting("aiproduct", false)
	w := planned(t, req, seg, byCells, few)
	sent := firstOf(t, w.Job)
	out, err := Finish(t.Context(), req, seg, w, filed(t, answers["casts colour"](w.Job, imaging.Clone(sent))))
	if err != nil {
		t.Fatal(err)
	}
	corner := func(img *image.NRGBA) [3]float64 {
		return compose.Measure(imaging.Crop(img, image.Rect(0, 0, 60, 60)), nil).Mean
	}
	between := func(a, b [3]float64) float64 { return math.Hypot(math.Hypot(a[0]-b[0], a[1]-b[1]), a[2]-b[2]) }
	was, cast := corner(req.Original), corner(answers["casts colour"](w.Job, imaging.Clone(req.Original)))
	if left, all := between(was, corner(out.Image)), between(was, cast); all < 5 || left > all/2 {
		t.Errorf("far from the product the colour is off by %.1f, of %.1f", left, all)
	}
}

func TestLargeOriginalKeepsEveryPixel(t *testing.T) {
	const w, h = 6000, 4000
	src := imaging.Resize(testpics.Astronaut(), w, h)
	hard, soft := oval(w, h, image.Rect(1800, 900, 4200, 3700), 9)
	req := render.Request{Agent: "aiproduct", Original: src, Values: map[string]any{"textDescription": "On a beach"}}
	seg := render.Segmentation{Mask: hard, Matte: soft, Foreground: compose.CutOut(src, soft), Confidence: 1}
	work := planned(t, req, seg, bySteps, How{})
	if n := work.Job.Size.X * work.Job.Size.Y; n > usualPixels+usualPixels/16 {
		t.Errorf("%v are sent", work.Job.Size)
	}
	out, err := Finish(t.Context(), req, seg, work, filed(t, testpics.Photo(work.Job.Size.X, work.Job.Size.Y, 3)))
	if err != nil {
		t.Fatal(err)
	}
	untouched(t, req, seg, out.Image)
	if !strings.Contains(out.Note, "enlarged to 6000 × 4000") {
		t.Errorf("the note says %q", out.Note)
	}
}

func TestEditedProductStandsOnStage(t *testing.T) {
	t.Parallel()
	req, seg := sitting("aiproduct", false)
	w := planned(t, req, seg, editsOnly, few)
	if w.Job.Mode != engine.Edit || len(w.Job.Mask.Pix) != 0 {
		t.Fatalf("the mode is %s", w.Job.Mode)
	}
	sent := firstOf(t, w.Job)
	small := imaging.Resize(req.Original, w.frame.scaled.X, w.frame.scaled.Y)
	apartAt := func(x, y int) float64 {
		a, b := sent.NRGBAAt(x, y), small.NRGBAAt(x, y)
		return math.Abs(float64(a.R)-float64(b.R)) + math.Abs(float64(a.G)-float64(b.G))
	}
	if d := apartAt(w.frame.scaled.X/2, w.frame.scaled.Y/2); d > 4 {
		t.Errorf("the product differs by %.0f", d)
	}
	if d := apartAt(3, w.frame.scaled.Y/2); d < 10 {
		t.Errorf("the place differs by %.0f only", d)
	}
	out, err := Finish(t.Context(), req, seg, w, filed(t, sent))
	if err != nil {
		t.Fatal(err)
	}
	untouched(t, req, seg, out.Image)
}

func TestWordsOfEachClass(t *testing.T) {
	t.Parallel()
	beach := &presets.Locations()[10]
	danish := &presets.FashionModels()[0]
	other := testpics.Photo(120, 90, 2)
	for _, tt := range []struct {
		name, agent string
		a           engine.Abilities
		set         func(*render.Request)
		want        []string
		pictures    int
	}{
		{"product in a preset", "aiproduct", byCells, func(r *render.Request) {
			r.Location, r.Place = other,
				beach
		}, []string{
			"On a beach. Morning beach, outdoor, nature, summer, ", "light",
			"Product photograph, the product unchanged",
		}, 1},
		{
			"product in a photo", "aiproduct", byCells, func(r *render.Request) { r.Location = other },
			[]string{"The place of image 2"},
			2,
		},
		{
			"like the original", "aiproduct", byCells,
			func(r *render.Request) { r.Values["generatedContent"] = "referToOrigin" },
			[]string{keepsLikeOrigin},
			1,
		},
		{
			"model", "aimodel", byCells, func(r *render.Request) { r.FashionModel, r.Who = other, danish },
			[]string{"The person: a Danish woman, classic style"},
			1,
		},
		{"model in another pose", "aimodel", byCells, func(r *render.Request) {
			r.FashionModel, r.Location = other, other
			r.Values["pose"], r.Values["maskType"] = asInScene, "autoUpperApparelSegment"
		}, []string{"The person of image 2 with exactly the upper garment of image 1", "as the person in image 3"}, 3},
		{"pose", "aipose", editsOnly, nil, []string{"Same person, same clothes, same place. Pose: On a beach."}, 1},
		{"canvas", "expandimage", byCells, nil, []string{"Continue the photograph beyond its edges"}, 1},
		{"hair", "bald-filter", byCells, nil, []string{"completely bald", "On a beach."}, 1},
		{
			"two pictures", "ai-clothes-changer", editsOnly,
			func(r *render.Request) { r.Files["images"] = []*image.NRGBA{r.Original, other} },
			[]string{"person of image 1 wears the garment of image 2"},
			2,
		},
		{
			"words alone", "z-image", byCells, func(r *render.Request) { r.Original = nil },
			[]string{"On a beach. Well composed"},
			0,
		},
		{"try-on with everything", "virtualtryon", editsOnly, func(r *render.Request) {
			r.Files["fashionModelImage"], r.Files["locationImage"] = []*image.NRGBA{other}, []*image.NRGBA{other}
			r.Values["textDescription"] = "Figure 2 wears figure 1 in Figure 3"
		}, []string{"image 2 wears image 1 in image 3."}, 3},
		{"try-on without a person", "virtualtryon", editsOnly, func(r *render.Request) {
			r.Files["locationImage"] = []*image.NRGBA{other}
			r.Values["textDescription"] = "Figure 2 wears Figure 1 in Figure 3"
		}, []string{"the model wears image 1 in image 2."}, 2},
		{"try-on by itself", "virtualtryon", editsOnly, func(r *render.Request) {
			r.Values = map[string]any{"descriptionType": "auto"}
			r.Files["fashionModelImage"] = []*image.NRGBA{other}
		}, []string{"The person of image 2 wears the garment of image 1."}, 2},
	} {
		req, seg := sitting(tt.agent, false)
		if tt.set != nil {
			tt.set(&req)
		}
		w := planned(t, req, seg, tt.a, few)
		for _, want := range tt.want {
			if !strings.Contains(w.Job.Prompt, want) {
				t.Errorf("%s: %q lacks %q", tt.name, w.Job.Prompt, want)
			}
		}
		if len(w.Job.Pictures) != tt.pictures {
			t.Errorf("%s: %d pictures are sent", tt.name, len(w.Job.Pictures))
		}
	}
}

func TestOperatorOverridesJob(t *testing.T) {
	t.Parallel()
	req, seg := sitting("aiproduct", false)
	req.Values["negTextDescription"], req.Item = "people.", 2
	a := byCells
	a.Workflows = []string{"shop"}
	how := How{
		Workflow: "shop",
		Prompt:   "Only this: {text}.",
		Negative: "text",
		Strength: 0.5,
		Steps:    8,
		CFG:      1.5,
		Pixels:   100_000,
	}
	job := planned(t, req, seg, a, how).Job
	if job.Prompt != "Only this: On a beach." || job.Negative != "people, text" || job.Strength != 0.5 ||
		job.Steps != 8 ||
		job.CFG != 1.5 ||
		job.Workflow != "shop" ||
		job.Seed != 42 {
		t.Errorf("the job is %+v", job)
	}
	a.Negative = false
	if job := planned(
		t,
		req,
		seg,
		a,
		how,
	).Job; job.Negative != "" ||
		!strings.HasSuffix(job.Prompt, " Without: people, text.") {
		t.Errorf("without a place for negative words: %q, %q", job.Prompt, job.Negative)
	}
	for value, want := range map[string]float64{"referToOrigin": 0.6, "freeCreation": 0.95} {
		req.Values["generatedContent"] = value
		if got := planned(t, req, seg, a, few).Job.Strength; got != want {
			t.Errorf("%s: the strength is %g", value, got)
		}
	}
	req.Seed, req.Item = math.MaxInt64, 1
	if got := planned(t, req, seg, a, few).Job.Seed; got < 0 {
		t.Errorf("the seed is %d", got)
	}
}

func TestClassicalHasReason(t *testing.T) {
	t.Parallel()
	masks := engine.Abilities{Modes: []engine.Mode{engine.Inpaint}, Multiple: 64, Least: 64, Most: 4096}
	for _, tt := range []struct {
		name, agent string
		a           engine.Abilities
		how         How
		want        string
	}{
		{"off", "aiproduct", byCells, How{Off: true}, reasonOff},
		{"exact", "removeBG", byCells, How{Prompt: "cut out"}, stayExact},
		{"lettering", "flowchart-generator", byCells, How{}, stayLetters},
		{"no masks", "aimodel", editsOnly, How{}, cannot[engine.Inpaint]},
		{"no masks, original", "expandimage", editsOnly, How{}, cannot[engine.Inpaint]},
		{"no edits", "aipose", masks, How{}, cannot[engine.Edit]},
		{"no such graph", "aiproduct", byCells, How{Workflow: "x"}, `The engine cannot run the workflow "x".`},
		{"unknown", "nobody", byCells, How{}, reasonUnknown},
	} {
		req, seg := sitting(tt.agent, false)
		if _, reason, err := Plan(t.Context(), req, seg, tt.a, tt.how); reason != tt.want || err != nil {
			t.Errorf("%s: %q, %v, want %q", tt.name, reason, err, tt.want)
		}
	}
	req, _ := sitting("bald-filter", false)
	if w := planned(t, req, render.Segmentation{}, byCells, few); w.Job.Mode != engine.Edit {
		t.Errorf("without a mask the mode is %s", w.Job.Mode)
	}
	if _, reason, err := Plan(t.Context(), req, render.Segmentation{}, masks, few); reason == "" || err != nil {
		t.Errorf("without a mask and edits: %q, %v", reason, err)
	}
}

func TestEveryImageAgentIsPlacedOrStays(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, a := range catalog.All() {
		seen[a.Name] = true
		_, made := agents[a.Name]
		_, stay := stays[a.Name]
		if image := a.Makes == catalog.MakesImage; image && made == stay || !image && made {
			t.Errorf("%s: in the table %v, stays %v", a.Name, made, stay)
		}
	}
	for name, a := range agents {
		if !seen[name] {
			t.Errorf("%s is in the table and not in the catalog", name)
		}
		for _, m := range a.modes {
			if says := map[bool]string{true: a.words, false: a.pictures}[m == engine.Text]; says == "" {
				t.Errorf("%s has no sentence for %s", name, m)
			}
		}
		if a.keeps == nothing && slices.Contains(a.modes, engine.Inpaint) {
			t.Errorf("%s is redrawn in part and keeps nothing", name)
		}
	}
}
