package render

import (
	"image"
	"image/color"
	"testing"

	"atelier/imaging"
	"atelier/imaging/testpics"
	"atelier/imaging/video"
)

func TestAFilmIsCleanedAndKeepsTheRest(t *testing.T) {
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

func TestAFilmIsEnlargedAndKeepsLengthRateAndSound(t *testing.T) {
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

func TestAFaceIsReplacedAndNothingElse(t *testing.T) {
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
