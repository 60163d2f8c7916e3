package render

import (
	"errors"
	"image"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"testing"

	"atelier/imaging"
	"atelier/imaging/video"
	"atelier/imaging/video/container"
	"atelier/internal/killable"
)

// ffmpeg is the installed tool. `make test` installs it where it can.
func ffmpeg(t *testing.T) *video.Tool {
	t.Helper()
	tool, err := video.Find(t.Context(), video.Limits{})
	if errors.Is(err, video.ErrMissing) {
		killable.Unable(t, "%v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return tool
}

// pattern is a picture without repetition, moved by (dx, dy) pixels.
func pattern(w, h int, dx, dy float64) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			u, v := float64(x)-dx, float64(y)-dy
			l := 120 + 45*math.Sin(u/11+math.Sin(v/17)) + 30*math.Cos(v/13+1.7*math.Sin(u/29))
			img.SetNRGBA(x, y, color.NRGBA{byte255(l), byte255(0.8*l + 24), byte255(0.6*l + 40), 255})
		}
	}
	return img
}

// shot is a film of frames drawn by draw; sound adds a second of a made track.
func shotFilm(t *testing.T, tool *video.Tool, frames, w, h int, sound bool, draw func(n int) *image.NRGBA) string {
	t.Helper()
	dir := t.TempDir()
	opt := video.WriteOptions{Width: w, Height: h, Rate: video.Rate{Num: 12, Den: 1}, Frames: frames}
	if sound {
		path := filepath.Join(dir, "sound.wav")
		if err := writeTrack(path, 1, mood{pace: 1}, 1); err != nil {
			t.Fatal(err)
		}
		info, err := tool.Probe(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		opt.Sounds = []video.Sound{{Path: path, Info: info, Loop: true}}
	}
	path := filepath.Join(dir, "film.mp4")
	out, err := tool.Write(t.Context(), path, opt)
	if err != nil {
		t.Fatal(err)
	}
	for n := range frames {
		if err := out.Write(draw(n)); err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// filmIt makes a video of the request in a folder of its own.
func filmIt(t *testing.T, tool *video.Tool, req Request, job VideoJob) VideoResult {
	t.Helper()
	job.Tool, job.Folder = tool, t.TempDir()
	if req.Count == 0 {
		req.Count = 4
	}
	out, err := RenderVideo(t.Context(), req, job)
	if err != nil {
		t.Fatalf("RenderVideo: %v", err)
	}
	return out
}

// framesOf reads a whole video.
func framesOf(t *testing.T, tool *video.Tool, path string) (video.Info, []*image.NRGBA) {
	t.Helper()
	info, err := tool.Probe(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	var out []*image.NRGBA
	err = tool.EachFrame(t.Context(), path, info, video.ReadOptions{}, func(_ int, img *image.NRGBA) error {
		out = append(out, imaging.Clone(img))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return info, out
}

// headerOf is what the boxes of a video say, read without ffmpeg.
func headerOf(t *testing.T, path string) container.Facts {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	facts, err := container.Read(f, st.Size())
	if err != nil {
		t.Fatal(err)
	}
	return facts
}

// unlike is the mean difference per channel of two pictures of one size within r.
func unlike(a, b *image.NRGBA, r image.Rectangle) float64 {
	sum, n := 0.0, 0.0
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			p, q := a.Pix[a.PixOffset(x, y):], b.Pix[b.PixOffset(x, y):]
			for k := range 3 {
				sum += math.Abs(float64(p[k]) - float64(q[k]))
			}
			n += 3
		}
	}
	return sum / n
}
