package render

import (
	"image"
	"image/color"
	"math"
	"testing"

	"atelier/imaging"
	"atelier/imaging/analysis"
	"atelier/imaging/compose"
	"atelier/imaging/segment"
	"atelier/imaging/testpics"
	"atelier/imaging/video"
)

func TestSlowCleanedVideoKeepsTheRest(t *testing.T) {
	t.Parallel()
	tool := ffmpeg(t)
	scene := func(n int) *image.NRGBA { return pattern(240, 136, 2.5*float64(n), float64(n)) }
	film := shotFilm(t, tool, 24, 240, 136, true, func(n int) *image.NRGBA {
		img := scene(n)
		h, err := newHand(20, true)
		if err != nil {
			t.Error(err)
			return img
		}
		for _, d := range []image.Point{{X: -1}, {X: 1}, {Y: -1}, {Y: 1}} {
			h.write(img, "SAMPLE", 140+d.X, 28+d.Y, color.NRGBA{0, 0, 0, 255})
		}
		h.write(img, "SAMPLE", 140, 28, color.NRGBA{255, 255, 255, 255})
		return img
	})
	out := filmIt(t, tool, Request{}, VideoJob{Shape: ShapeClean, Videos: map[string][]string{"videos": {film}}})
	source, covered := framesOf(t, tool, film)
	info, frames := framesOf(t, tool, out.Path)
	if len(frames) != len(covered) || info.Rate != source.Rate || info.Width != source.Width || info.Height != source.Height || info.AudioCodec != source.AudioCodec {
		t.Errorf("the cleaned film is %+v with %d frames, the film %+v with %d", info, len(frames), source, len(covered))
	}
	logo := image.Rect(136, 8, 232, 34)
	rest := image.Rect(0, 60, 240, 136)
	var before, after, beside float64
	for n := range frames {
		truth := scene(n)
		before, after = before+unlike(covered[n], truth, logo), after+unlike(frames[n], truth, logo)
		beside += unlike(frames[n], covered[n], rest)
	}
	if after*4 > before {
		t.Errorf("where the lettering stood the error falls from %.1f to %.1f levels, want a quarter", before/24, after/24)
	}
	if beside/24 > 2.5 {
		t.Errorf("elsewhere the film is changed by %.1f levels", beside/24)
	}
}

func TestSlowEnlargedVideoKeepsSound(t *testing.T) {
	t.Parallel()
	tool := ffmpeg(t)
	film := shotFilm(t, tool, 10, 160, 90, true, func(n int) *image.NRGBA { return imaging.Resize(pattern(320, 180, float64(n), 0), 160, 90) })
	for _, tt := range []struct {
		size string
		want image.Point
	}{{"", image.Pt(320, 180)}, {"4K", image.Pt(640, 360)}} {
		out := filmIt(t, tool, Request{Values: map[string]any{"videoSize": tt.size}}, VideoJob{Shape: ShapeEnhance, Videos: map[string][]string{"videos": {film}}})
		info, frames := framesOf(t, tool, out.Path)
		if frames[0].Rect.Size() != tt.want || len(frames) != 10 || info.Rate != (video.Rate{Num: 12, Den: 1}) || !info.HasSound() {
			t.Errorf("videoSize %q: %v, %d frames at %v, sound %v", tt.size, frames[0].Rect.Size(), len(frames), info.Rate, info.HasSound())
		}
	}
	for _, tt := range []struct {
		w, h int
		size string
		want image.Point
	}{{1280, 720, "4K", image.Pt(3840, 2160)}, {720, 1280, "2K", image.Pt(1440, 2560)}, {1920, 1080, "1080p", image.Pt(1920, 1080)}, {4096, 2160, "4K", image.Pt(4096, 2160)}, {853, 480, "", image.Pt(1706, 960)}} {
		if got := enlarged(tt.w, tt.h, tt.size); got != tt.want {
			t.Errorf("enlarged(%d, %d, %q) = %v, want %v", tt.w, tt.h, tt.size, got, tt.want)
		}
	}
}

func TestSlowVideoFaceIsReplacedOnly(t *testing.T) {
	t.Parallel()
	tool := ffmpeg(t)
	person, figure := testpics.Person(240, 320, 3)
	other, _ := testpics.Person(240, 320, 8)
	film := shotFilm(t, tool, 9, 240, 320, true, func(int) *image.NRGBA { return person })
	folder := t.TempDir()
	out, err := RenderVideo(t.Context(), Request{Files: map[string][]*image.NRGBA{"images": {other}}}, VideoJob{Tool: tool, Shape: ShapeFace, Folder: folder, Videos: map[string][]string{"videos": {film}}})
	if err != nil {
		t.Fatal(err)
	}
	_, frames := framesOf(t, tool, out.Path)
	_, source := framesOf(t, tool, film)
	head := figure.Head.Bounds()
	inner := head.Inset(head.Dx() / 4)
	body := image.Rect(0, head.Max.Y+head.Dy()/4, 240, 320)
	for _, n := range []int{0, 4, 8} {
		changed, kept := unlike(frames[n], source[n], inner), unlike(frames[n], source[n], body)
		if changed < 2*kept+1.5 || kept > 2.5 {
			t.Errorf("frame %d: the face changes by %.1f levels, the body by %.1f", n, changed, kept)
		}
	}
}

// A photo whose nose bears a blue spot shows in every frame where the replaced face is.
func TestSlowReplacedFaceFollowsHead(t *testing.T) {
	t.Parallel()
	tool := ffmpeg(t)
	who, face := portrait(t, "Malik", 180, 225), portrait(t, "Maren", 300, 375)
	noseOf := func(img *image.NRGBA) (nose spot, span float64) {
		faces, err := segment.Faces(img)
		if err != nil || len(faces) == 0 {
			t.Fatalf("%d faces, %v", len(faces), err)
		}
		f := featuresOf(img, faces[0])
		return f.at(0, 0.45), f.span()
	}
	marked, span := noseOf(face)
	shapeOver(face, around2(marked, span, span), color.NRGBA{20, 30, 250, 255}, func(x, y float64) float64 {
		return 0.22*span - math.Hypot(x-marked.x, y-marked.y)
	})
	cut, err := analysis.Subject(t.Context(), who, segment.Options{})
	if err != nil {
		t.Fatal(err)
	}
	figure, ground := segment.Foreground(who, cut.Matte), pattern(420, 260, 0, 0)
	nose, span := noseOf(who)
	// To the right and back, up and down.
	at := func(n int) image.Point {
		return image.Pt(120+int(100*math.Sin(float64(n)/5)), 30-int(12*math.Cos(float64(n)/4)))
	}
	film := shotFilm(t, tool, 30, 420, 260, false, func(n int) *image.NRGBA {
		img := imaging.Clone(ground)
		compose.Over(img, figure, at(n))
		return img
	})
	out := filmIt(t, tool, Request{Files: map[string][]*image.NRGBA{"images": {face}}}, VideoJob{Shape: ShapeFace, Videos: map[string][]string{"videos": {film}}})
	_, source := framesOf(t, tool, film)
	_, frames := framesOf(t, tool, out.Path)
	if len(frames) != len(source) {
		t.Fatalf("%d frames of %d", len(frames), len(source))
	}
	farthest := 0.0
	for n, f := range frames {
		var x, y, blue, beside, pixels float64
		want := spot{nose.x + float64(at(n).X), nose.y + float64(at(n).Y)}
		head := around2(want, 2.4*span, 3*span)
		for i := 0; i < len(f.Pix); i += 4 {
			px := image.Pt(i/4%420, i/4/420)
			more := float64(f.Pix[i+2]) - float64(f.Pix[i]) - float64(source[n].Pix[i+2]) + float64(source[n].Pix[i])
			if more > 60 {
				x, y, blue = x+more*float64(px.X), y+more*float64(px.Y), blue+more
			}
			if !px.In(head) {
				beside += math.Abs(float64(f.Pix[i+1]) - float64(source[n].Pix[i+1]))
				pixels++
			}
		}
		if blue == 0 {
			t.Errorf("frame %d: the new face does not show", n)
			continue
		}
		d := math.Hypot(x/blue-want.x, y/blue-want.y)
		farthest = math.Max(farthest, d)
		if d > 0.35*span {
			t.Errorf("frame %d: the spot lies %.1f pixels from the nose, %.1f are an eighth of the face", n, d, 0.35*span)
		}
		if beside/pixels > 2 {
			t.Errorf("frame %d: beside the head the film is changed by %.1f levels", n, beside/pixels)
		}
	}
	t.Logf("the spot lies at most %.1f pixels from the nose of a face of %.0f", farthest, 2*span)
}
