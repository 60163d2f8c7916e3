package render

import (
	"context"
	"errors"
	"image"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"atelier/catalog"
	"atelier/imaging"
	"atelier/imaging/compose"
	"atelier/imaging/video/container"
	"atelier/imaging/video/flow"
)

func TestSlowAVideoHasTheLengthSizeContainerAndSoundAskedFor(t *testing.T) {
	t.Parallel()
	tool := ffmpeg(t)
	film := shotFilm(t, tool, 12, 160, 90, true, func(n int) *image.NRGBA { return pattern(160, 90, float64(n), 0) })
	photo := still(320, 240)
	tests := []struct {
		name   string
		shape  Shape
		values map[string]any
		files  map[string][]*image.NRGBA
		videos map[string][]string
		frames int
		size   image.Point
		format container.Format
		sound  bool
	}{
		{"one picture in its own shape", ShapeFrames, map[string]any{"duration": "0.5s", "resolution": "480p"}, map[string][]*image.NRGBA{"images": {photo}}, nil, 12, image.Pt(640, 480), container.MP4, false},
		{"words alone, a MOV with sound", ShapeFrames, map[string]any{"duration": "0.5s", "resolution": "480p", "aspectRatio": "16:9", "generateAudio": "true", "outputFormat": "mov", "textDescription": "a beach, rain"}, nil, nil, 12, image.Pt(854, 480), container.MOV, true},
		{"pictures and a film", ShapeReference, map[string]any{"duration": "1s", "resolution": "480p", "aspectRatio": "9:16"}, map[string][]*image.NRGBA{"images": {photo, pattern(200, 200, 0, 0)}}, map[string][]string{"videos": {film}}, 24, image.Pt(480, 854), container.MP4, false},
		{"a film alone lends its sound", ShapeReference, map[string]any{"duration": "0.5s", "resolution": "480p", "generateAudio": "true"}, nil, map[string][]string{"videos": {film}}, 12, image.Pt(854, 480), container.MP4, true},
		{"a film goes on at its rate and with its sound", ShapeReference, map[string]any{"duration": "0.5s", "resolution": "480p", "aspectRatio": "adaptive", "extendDirection": "backward"}, nil, map[string][]string{"extendVideo": {film}}, 6, image.Pt(854, 480), container.MP4, true},
		{"a transformation", ShapeTransform, map[string]any{"duration": "0.5s", "resolution": "480p", "textDescription": "as a pencil sketch"}, map[string][]*image.NRGBA{"images": {photo}}, nil, 12, image.Pt(640, 480), container.MP4, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			out := filmIt(t, tool, Request{Values: tt.values, Files: tt.files, Seed: 7}, VideoJob{Shape: tt.shape, Videos: tt.videos})
			facts := headerOf(t, out.Path)
			if facts.Frames != tt.frames || facts.Width != tt.size.X || facts.Height != tt.size.Y || facts.Format != tt.format || facts.HasSound() != tt.sound {
				t.Errorf("the file is %+v, want %d frames of %v as %s, sound %v", facts, tt.frames, tt.size, tt.format, tt.sound)
			}
			info, err := tool.Probe(t.Context(), out.Path)
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(info.Seconds-out.Seconds) > 0.01 || out.Width != tt.size.X || out.Height != tt.size.Y {
				t.Errorf("the result says %+v, ffprobe %+v", out, info)
			}
			data, err := os.ReadFile(out.Poster)
			if err != nil {
				t.Fatal(err)
			}
			if poster, _, err := imaging.Decode(t.Context(), data, imaging.DefaultLimits); err != nil || poster.Rect.Size() != tt.size {
				t.Errorf("the poster is %v (%v)", poster.Rect, err)
			}
		})
	}
}

func TestSlowVideoHasGivenFirstAndLastFrame(t *testing.T) {
	t.Parallel()
	tool := ffmpeg(t)
	first, last := pattern(320, 240, 0, 0), pattern(320, 240, 22, 8)
	out := filmIt(t, tool, Request{
		Values: map[string]any{"duration": "1s", "resolution": "480p", "aspectRatio": "adaptive", "returnLastFrame": true},
		Files:  map[string][]*image.NRGBA{"firstFrame": {first}, "lastFrame": {last}}, Seed: 3,
	}, VideoJob{Shape: ShapeReference})
	_, frames := framesOf(t, tool, out.Path)
	for i, want := range map[int]*image.NRGBA{0: first, len(frames) - 1: last} {
		if d := unlike(frames[i], imaging.Resize(want, 640, 480), frames[i].Rect); d > 3 {
			t.Errorf("frame %d is %.1f levels from the picture given", i, d)
		}
	}
	// Halfway what both pictures show lies halfway: it moves and does not only fade.
	middle, ok := flow.Between(flow.GrayOf(frames[0], 160), flow.GrayOf(frames[len(frames)/2], 160), nil).Global(nil)
	if !ok || math.Abs(middle.X-11.0/320) > 0.012 {
		t.Errorf("halfway the picture has moved by %+v, want about %.3f", middle, 11.0/320)
	}
	data, err := os.ReadFile(out.LastFrame)
	if err != nil {
		t.Fatal(err)
	}
	kept, _, err := imaging.Decode(t.Context(), data, imaging.DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	if d := unlike(imaging.Resize(kept, 640, 480), frames[len(frames)-1], frames[0].Rect); d > 2.5 {
		t.Errorf("the last frame that is returned is %.1f levels from the one in the video", d)
	}
}

func TestWordsSteerTheCamera(t *testing.T) {
	t.Parallel()
	photo, size := pattern(320, 240, 0, 0), image.Pt(160, 120)
	tests := []struct {
		text string
		ok   func(flow.Motion) bool
	}{
		{"slow zoom in", func(m flow.Motion) bool { return m.Zoom > 1.02 }},
		{"the camera pulls back", func(m flow.Motion) bool { return m.Zoom < 0.98 }},
		{"pan left", func(m flow.Motion) bool { return m.X > 0.02 }},
		{"the camera moves right", func(m flow.Motion) bool { return m.X < -0.02 }},
		{"tilt up", func(m flow.Motion) bool { return m.Y > 0.01 }},
		{"a still, static shot", func(m flow.Motion) bool {
			return math.Abs(m.X) < 0.006 && math.Abs(m.Y) < 0.006 && math.Abs(m.Zoom-1) < 0.012
		}},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			t.Parallel()
			s := &studio{req: Request{Values: map[string]any{"textDescription": tt.text}}}
			take, err := s.newTake(t.Context(), photo, size, 24, s.direct(0), false)
			if err != nil {
				t.Fatal(err)
			}
			var frames [2]*image.NRGBA
			for i, n := range []int{0, 23} {
				frames[i] = image.NewNRGBA(image.Rectangle{Max: size})
				if err := take.draw(n, frames[i]); err != nil {
					t.Fatal(err)
				}
			}
			m, ok := flow.Between(flow.GrayOf(frames[0], 160), flow.GrayOf(frames[1], 160), nil).Global(nil)
			if !ok || !tt.ok(m) {
				t.Errorf("%q moves the picture by %+v", tt.text, m)
			}
		})
	}
}

func TestSlowVideoItemsDifferAndRepeat(t *testing.T) {
	t.Parallel()
	tool := ffmpeg(t)
	req := Request{
		Values: map[string]any{"duration": "0.5s", "resolution": "480p", "textDescription": "a quiet scene"},
		Files:  map[string][]*image.NRGBA{"images": {still(320, 240)}}, Seed: 11,
	}
	var all [][]byte
	var last []*image.NRGBA
	for _, item := range []int{1, 1, 2} {
		req.Item = item
		out := filmIt(t, tool, req, VideoJob{Shape: ShapeFrames})
		data, err := os.ReadFile(out.Path)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, data)
		_, frames := framesOf(t, tool, out.Path)
		last = append(last, frames[len(frames)-1])
	}
	if string(all[0]) != string(all[1]) {
		t.Error("the same item made twice is another file")
	}
	for i := 1; i < len(last); i++ {
		for j := i + 1; j < len(last); j++ {
			if d := unlike(last[i], last[j], last[i].Rect); d < 1.5 {
				t.Errorf("items %d and %d end only %.1f levels apart", i, j, d)
			}
		}
	}
}

func TestSlowVideoContinuesAtItsSpeed(t *testing.T) {
	t.Parallel()
	tool := ffmpeg(t)
	// 24 pixels of 240 a second, to the right.
	film := shotFilm(t, tool, 18, 240, 136, false, func(n int) *image.NRGBA { return pattern(240, 136, 2*float64(n), 0) })
	out := filmIt(t, tool, Request{
		Values: map[string]any{"duration": "0.5s", "resolution": "480p", "aspectRatio": "adaptive", "extendDirection": "forward", "textDescription": "it goes on"},
	}, VideoJob{Shape: ShapeReference, Videos: map[string][]string{"extendVideo": {film}}})
	_, frames := framesOf(t, tool, out.Path)
	joint := imaging.Resize(pattern(240, 136, 2*17, 0), frames[0].Rect.Dx(), frames[0].Rect.Dy())
	step, ok := flow.Between(flow.GrayOf(joint, 200), flow.GrayOf(frames[0], 200), nil).Global(nil)
	if !ok || math.Abs(step.X-2.0/240) > 0.006 || math.Abs(step.Zoom-1) > 0.02 {
		t.Errorf("the first frame lies %+v from the film's last, want a step of %.4f", step, 2.0/240)
	}
	three, ok := flow.Between(flow.GrayOf(frames[0], 200), flow.GrayOf(frames[3], 200), nil).Global(nil)
	if !ok || three.X < 3.5/240 || three.X > 7.5/240 {
		t.Errorf("in three frames it goes %+v, want about %.4f", three, 6.0/240)
	}
}

func TestSlowFigureFollowsMotion(t *testing.T) {
	t.Parallel()
	tool := ffmpeg(t)
	back := pattern(200, 150, 0, 0)
	film := shotFilm(t, tool, 16, 200, 150, true, func(n int) *image.NRGBA {
		return figureAt(back, 70+n)
	})
	out := filmIt(t, tool, Request{Files: map[string][]*image.NRGBA{"images": {still(320, 240)}}}, VideoJob{Shape: ShapeMotion, Videos: map[string][]string{"videos": {film}}})
	info, frames := framesOf(t, tool, out.Path)
	if len(frames) != 16 || !info.HasSound() || math.Abs(info.Rate.PerSecond()-12) > 0.01 {
		t.Errorf("%d frames at %v, sound %v; want the film's 16 at 12 with sound", len(frames), info.Rate, info.HasSound())
	}
	if before, after := redMiddle(frames[0]), redMiddle(frames[len(frames)-1]); after < before+0.02 {
		t.Errorf("the figure's middle goes from %.3f to %.3f of the width; the person of the film goes to the right", before, after)
	}
}

// figureAt is a striped figure before a ground, its left side at x px.
func figureAt(ground *image.NRGBA, x int) *image.NRGBA {
	img := imaging.Clone(ground)
	r := image.Rect(x, 30, x+40, ground.Rect.Dy()-10)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			v := uint8(120 + 100*((x-r.Min.X)/5%2) - 60*((y-r.Min.Y)/7%2))
			img.SetNRGBA(x, y, color.NRGBA{v, 30, uint8(255 - v), 255})
		}
	}
	return img
}

// redMiddle is where the red object of still lies, as a share of the width.
func redMiddle(img *image.NRGBA) float64 {
	sum, n := 0.0, 0.0
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			if p := img.Pix[img.PixOffset(x, y):]; int(p[0]) > 2*int(p[1])+20 {
				sum, n = sum+float64(x), n+1
			}
		}
	}
	return sum / math.Max(1, n) / float64(img.Rect.Dx())
}

func TestTheEndOfTheContextEndsAVideo(t *testing.T) {
	t.Parallel()
	tool := ffmpeg(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	folder := t.TempDir()
	req := Request{
		Values: map[string]any{"duration": "30s", "resolution": "480p"},
		Files:  map[string][]*image.NRGBA{"images": {still(160, 120)}},
		Progress: func(f float64) {
			if f > 0.21 {
				cancel()
			}
		},
	}
	_, err := RenderVideo(ctx, req, VideoJob{Tool: tool, Shape: ShapeFrames, Folder: folder})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("RenderVideo answers %v", err)
	}
	left, err := filepath.Glob(filepath.Join(folder, "video*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v (%v)", left, err)
	}
}

func TestSlowVideosThatCannotBeMadeAreRefusedInASentence(t *testing.T) {
	t.Parallel()
	tool := ffmpeg(t)
	broken := filepath.Join(t.TempDir(), "a.mp4")
	if err := os.WriteFile(broken, []byte("not a film"), 0o600); err != nil {
		t.Fatal(err)
	}
	film := shotFilm(t, tool, 6, 160, 120, false, func(int) *image.NRGBA { return pattern(160, 120, 0, 0) })
	spot := plain(32, 24, color.NRGBA{90, 90, 90, 255})
	long := shotFilm(t, tool, 12*31, 32, 24, false, func(int) *image.NRGBA { return spot })
	tests := []struct {
		name  string
		files map[string][]*image.NRGBA
		job   VideoJob
		says  string
	}{
		{"no ffmpeg", nil, VideoJob{Shape: ShapeFrames}, "apt-get install"},
		{"a broken file", nil, VideoJob{Tool: tool, Shape: ShapeEnhance, Videos: map[string][]string{"videos": {broken}}}, "videos: The file is not"},
		{"no file", nil, VideoJob{Tool: tool, Shape: ShapeClean}, ErrMissingInput.Error()},
		{"no person in the film", map[string][]*image.NRGBA{"images": {still(320, 240)}}, VideoJob{Tool: tool, Shape: ShapeMotion, Videos: map[string][]string{"videos": {film}}}, errNobodyInFilm.Error()},
		{"no figure in the picture", map[string][]*image.NRGBA{"images": {plain(160, 120, color.NRGBA{140, 150, 140, 255})}}, VideoJob{Tool: tool, Shape: ShapeMotion, Videos: map[string][]string{"videos": {film}}}, errNobody.Error()},
		{"a motion that is too long", map[string][]*image.NRGBA{"images": {still(320, 240)}}, VideoJob{Tool: tool, Shape: ShapeMotion, Videos: map[string][]string{"videos": {long}}}, "the film whose motion is taken lasts 31"},
		{"nothing over the film", nil, VideoJob{Tool: tool, Shape: ShapeClean, Videos: map[string][]string{"videos": {film}}}, errNothingLaidOver.Error()},
		{"nobody in the photo", map[string][]*image.NRGBA{"images": {pattern(160, 120, 0, 0)}}, VideoJob{Tool: tool, Shape: ShapeFace, Videos: map[string][]string{"videos": {film}}}, "no face"},
		{"an agent of pictures", nil, VideoJob{Tool: tool}, ErrUnknownAgent.Error()},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.job.Folder = t.TempDir()
			_, err := RenderVideo(t.Context(), Request{Files: tt.files}, tt.job)
			if err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("RenderVideo answers %v, want words with %q", err, tt.says)
			}
		})
	}
}

func TestTheShapeOfAnAgentIsToldByWhatItTakes(t *testing.T) {
	t.Parallel()
	want := map[string]Shape{
		"image-to-video": ShapeFrames, "frames-to-video": ShapeFrames, "text-to-video": ShapeFrames,
		"reference-to-video": ShapeReference, "advanced-video": ShapeReference, "multimodal-video": ShapeReference,
		"motion-transfer": ShapeMotion, "portrait-motion": ShapeTransform,
		"ai-text-remover-from-video": ShapeClean, "video-watermark-remover": ShapeClean,
		"free-4k-video-upscaler": ShapeEnhance, "ai-video-enhancer": ShapeEnhance,
		"replace-face-in-video-online-free": ShapeFace,
	}
	for _, a := range catalog.All() {
		got := ShapeOf(a)
		if (a.Makes == catalog.MakesVideo) != (got != ShapeNone) {
			t.Errorf("%s makes %ss and has the shape %q", a.Name, a.Makes, got)
		}
		if w, ok := want[a.Name]; ok && got != w {
			t.Errorf("ShapeOf(%s) = %q, want %q", a.Name, got, w)
		}
		// An operator's agent has the shape and another name.
		a.Name = "own-" + a.Name
		if ShapeOf(a) != got {
			t.Errorf("under another name %s has the shape %q", a.Name, ShapeOf(a))
		}
	}
}

func TestTheLengthLeftToTheGeneratorIsFiveSeconds(t *testing.T) {
	t.Parallel()
	for value, want := range map[any]float64{"7s": 7, "12": 12, float64(6): 6, "-1": 5, "": 5, "90s": 90, nil: 5} {
		if got, _ := (Request{Values: map[string]any{"duration": value}}).seconds(); got != want {
			t.Errorf("a duration of %v is %g seconds, want %g", value, got, want)
		}
	}
}

func TestSlowVideoPicturesCrossfade(t *testing.T) {
	t.Parallel()
	tool := ffmpeg(t)
	red, blue := plain(320, 180, color.NRGBA{200, 40, 40, 255}), plain(320, 180, color.NRGBA{40, 40, 200, 255})
	out := filmIt(t, tool, Request{
		Agent: "film", Values: map[string]any{"textDescription": "slowly", "duration": "2s", "resolution": "480p"},
		Files: map[string][]*image.NRGBA{"images": {red, blue}},
	}, VideoJob{Shape: ShapeReference})
	_, frames := framesOf(t, tool, out.Path)
	between, last := 0, 1.0
	for n, f := range frames {
		w, h := f.Rect.Dx(), f.Rect.Dy()
		share := func(r image.Rectangle) float64 { // of red
			c := compose.Measure(compose.Window(f, r), nil).Mean
			a, b := compose.Lab(200, 40, 40), compose.Lab(40, 40, 200)
			return (c[2] - b[2]) / (a[2] - b[2])
		}
		all := share(f.Rect)
		if all > last+0.06 {
			t.Errorf("frame %d: red comes back, %.2f after %.2f", n, all, last)
		}
		last = math.Min(last, all)
		if all > 0.15 && all < 0.85 {
			between++
			if d := share(image.Rect(0, 0, w/4, h)) - share(image.Rect(w*3/4, 0, w, h)); math.Abs(d) > 0.12 {
				t.Errorf("frame %d: left and right are %.2f apart, as in a wipe", n, d)
			}
		}
	}
	if between < 4 || last > 0.1 {
		t.Errorf("%d frames lie between both pictures, and at the end %.2f is red", between, last)
	}
}
