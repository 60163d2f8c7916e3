package render

import (
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
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

// shotFilm is a film of frames drawn by draw; sound adds a second of a made track.
func shotFilm(t *testing.T, tool *video.Tool, frames, w, h int, sound bool, draw func(n int) *image.NRGBA) string {
	t.Helper()
	path := ""
	if sound {
		path = filepath.Join(t.TempDir(), "sound.wav")
		if err := writeTrack(path, 1, mood{pace: 1}, 1); err != nil {
			t.Fatal(err)
		}
	}
	return soundFilm(t, tool, frames, w, h, path, draw)
}

// soundFilm is a film of frames drawn by draw, twelve a second, with the sound of a file again and again; "" is silence.
func soundFilm(t *testing.T, tool *video.Tool, frames, w, h int, sound string, draw func(n int) *image.NRGBA) string {
	t.Helper()
	opt := video.WriteOptions{Width: w, Height: h, Rate: video.Rate{Num: 12, Den: 1}, Frames: frames}
	if sound != "" {
		info, err := tool.Probe(t.Context(), sound)
		if err != nil {
			t.Fatal(err)
		}
		opt.Sounds = []video.Sound{{Path: sound, Info: info, Loop: true}}
	}
	path := filepath.Join(t.TempDir(), "film.mp4")
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

// toneFile is a WAV file of one tone.
func toneFile(t *testing.T, hertz, seconds float64) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tone.wav")
	tone := fmt.Sprintf("sine=frequency=%g:duration=%g", hertz, seconds)
	if said, err := exec.CommandContext(t.Context(), "ffmpeg", "-v", "error", "-f", "lavfi", "-i", tone, path).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	return path
}

// heardRate is the samples a second of what heard gives.
const heardRate = 8000

// heard is the sound of a video, -1 to 1.
func heard(t *testing.T, path string) []float64 {
	t.Helper()
	raw, err := exec.CommandContext(t.Context(), "ffmpeg", "-v", "error", "-i", path, "-vn", "-f", "s16le", "-ac", "1", "-ar", strconv.Itoa(heardRate), "pipe:1").Output()
	if err != nil {
		t.Fatal(err)
	}
	out := make([]float64, len(raw)/2)
	for i := range out {
		out[i] = float64(int16(binary.LittleEndian.Uint16(raw[2*i:]))) / (1 << 15)
	}
	return out
}

// pitched is the share of a sound's energy from one second to another that a tone has, and how strong the whole is.
func pitched(sound []float64, hertz, from, to float64) (share, strength float64) {
	sound = sound[min(len(sound), int(from*heardRate)):min(len(sound), int(to*heardRate))]
	var sin, cos, all float64
	for i, v := range sound {
		a, b := math.Sincos(2 * math.Pi * hertz * float64(i) / heardRate)
		sin, cos, all = sin+v*a, cos+v*b, all+v*v
	}
	n := math.Max(1, float64(len(sound)))
	return 2 * (sin*sin + cos*cos) / n / math.Max(1e-9, all), math.Sqrt(all / n)
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
