package video

import (
	"context"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"

	"atelier/imaging/video/container"
	"atelier/internal/killable"
)

// tool is the installed ffmpeg. `make test` installs it where it can.
func tool(t *testing.T, limits Limits) *Tool {
	t.Helper()
	tl, err := Find(t.Context(), limits)
	if errors.Is(err, ErrMissing) {
		killable.Unable(t, "%v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return tl
}

// moving is frame n of a clip: a bright square travels over a gradient.
func moving(w, h, n int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := color.NRGBA{uint8(40 + x*160/w), uint8(60 + y*120/h), 90, 255}
			if dx, dy := x-(10+3*n)%w, y-h/2; dx >= 0 && dx < 20 && dy >= -10 && dy < 10 {
				c = color.NRGBA{230, 210, 40, 255}
			}
			img.SetNRGBA(x, y, c)
		}
	}
	return img
}

// hum writes a WAV file of a tone.
func hum(t *testing.T, seconds float64) string {
	t.Helper()
	const rate = 16000
	n := int(seconds * rate)
	b := []byte("RIFF")
	b = binary.LittleEndian.AppendUint32(b, uint32(36+2*n))
	b = append(b, "WAVEfmt "...)
	b = binary.LittleEndian.AppendUint32(b, 16)
	for _, v := range []uint16{1, 1} {
		b = binary.LittleEndian.AppendUint16(b, v)
	}
	b = binary.LittleEndian.AppendUint32(b, rate)
	b = binary.LittleEndian.AppendUint32(b, 2*rate)
	b = binary.LittleEndian.AppendUint16(b, 2)
	b = binary.LittleEndian.AppendUint16(b, 16)
	b = append(b, "data"...)
	b = binary.LittleEndian.AppendUint32(b, uint32(2*n))
	for i := range n {
		b = binary.LittleEndian.AppendUint16(b, uint16(int16(9000*math.Sin(2*math.Pi*330*float64(i)/rate))))
	}
	path := filepath.Join(t.TempDir(), "hum.wav")
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// made writes n frames as a file and gives its path.
func made(t *testing.T, tl *Tool, name string, n int, opt WriteOptions) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	opt.Frames = n
	w, err := tl.Write(t.Context(), path, opt)
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		if err := w.Write(moving(opt.Width, opt.Height, i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func facts(t *testing.T, path string) container.Facts {
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
	out, err := container.Read(f, st.Size())
	if err != nil {
		t.Fatalf("container.Read(%s): %v", path, err)
	}
	return out
}

func probe(t *testing.T, tl *Tool, path string) Info {
	t.Helper()
	info, err := tl.Probe(t.Context(), path)
	if err != nil {
		t.Fatalf("Probe(%s): %v", path, err)
	}
	return info
}

// apart is the mean difference of two pictures per channel.
func apart(a, b *image.NRGBA) float64 {
	sum := 0.0
	for i := range a.Pix {
		sum += math.Abs(float64(a.Pix[i]) - float64(b.Pix[i]))
	}
	return sum / float64(len(a.Pix))
}

func TestAWrittenFileHasExactlyTheLengthSizeAndSoundAskedFor(t *testing.T) {
	t.Parallel()
	tl := tool(t, Limits{})
	short := hum(t, 0.4)
	tests := []struct {
		name   string
		file   string
		frames int
		sound  bool
		opt    WriteOptions
	}{
		{"mp4 without sound", "a.mp4", 25, false, WriteOptions{Width: 160, Height: 120, Rate: Rate{12, 1}}},
		{"mov at a broken rate", "b.mov", 30, false, WriteOptions{Format: container.MOV, Width: 96, Height: 128, Rate: Rate{30000, 1001}}},
		{"sound shorter than the picture", "c.mp4", 24, true, WriteOptions{Width: 160, Height: 120, Rate: Rate{12, 1}, Sounds: []Sound{{Path: short}}, Fade: 0.2}},
		{"sound again and again", "d.mp4", 24, true, WriteOptions{Width: 160, Height: 120, Rate: Rate{12, 1}, Sounds: []Sound{{Path: short, From: 0.1, For: 0.2}, {Path: short, Loop: true}}}},
		{"a piece of sound forth and back", "f.mp4", 24, true, WriteOptions{Width: 160, Height: 120, Rate: Rate{12, 1}, Sounds: []Sound{{Path: short, From: 0.1, For: 0.2, Loop: true}}}},
		{"sound cut", "e.mov", 3, true, WriteOptions{Format: container.MOV, Width: 160, Height: 120, Rate: Rate{12, 1}, Sounds: []Sound{{Path: short}}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for i := range tt.opt.Sounds {
				tt.opt.Sounds[i].Info = probe(t, tl, tt.opt.Sounds[i].Path)
			}
			path := made(t, tl, tt.file, tt.frames, tt.opt)
			want := float64(tt.frames) / tt.opt.Rate.PerSecond()
			f := facts(t, path)
			if f.Frames != tt.frames || f.Width != tt.opt.Width || f.Height != tt.opt.Height || f.VideoCodec != "avc1" || f.HasSound() != tt.sound {
				t.Errorf("the boxes say %+v, want %d frames of %d × %d, sound %v", f, tt.frames, tt.opt.Width, tt.opt.Height, tt.sound)
			}
			info := probe(t, tl, path)
			if math.Abs(info.Seconds-want) > 0.002 || info.HasSound() != tt.sound || info.VideoCodec != "h264" {
				t.Errorf("ffprobe says %+v, want %.3f s, sound %v", info, want, tt.sound)
			}
			if got := string(f.Format); filepath.Ext(path) != "."+got {
				t.Errorf("the content is %s", got)
			}
			read := 0
			err := tl.EachFrame(t.Context(), path, info, ReadOptions{}, func(n int, img *image.NRGBA) error {
				read++
				if d := apart(img, moving(tt.opt.Width, tt.opt.Height, n)); d > 4 {
					t.Errorf("frame %d comes back %.1f levels away", n, d)
				}
				return nil
			})
			if err != nil || read != tt.frames {
				t.Errorf("%d frames come back, want %d (%v)", read, tt.frames, err)
			}
		})
	}
}

func TestAFileIsReadAsItIsSeen(t *testing.T) {
	t.Parallel()
	tl := tool(t, Limits{})
	path := made(t, tl, "a.mp4", 6, WriteOptions{Width: 160, Height: 96, Rate: Rate{12, 1}})
	turned := filepath.Join(t.TempDir(), "turned.mp4")
	if _, err := tl.run(t.Context(), tl.ffmpeg, "-loglevel", "error", "-i", path, "-c", "copy", "-metadata:s:v:0", "rotate=90", turned); err != nil {
		t.Fatal(err)
	}
	info, f := probe(t, tl, turned), facts(t, turned)
	if info.Width != 96 || info.Height != 160 || f.Width != 96 || f.Height != 160 {
		t.Fatalf("a turned video is %d × %d by ffprobe and %d × %d by its boxes, want 96 × 160", info.Width, info.Height, f.Width, f.Height)
	}
	img, err := tl.Frame(t.Context(), turned, info, 0)
	if err != nil {
		t.Fatal(err)
	}
	if img.Rect.Dx() != 96 || img.Rect.Dy() != 160 {
		t.Errorf("its frames are %v", img.Rect)
	}
}

func TestSingleFramesAreTheOnesAskedFor(t *testing.T) {
	t.Parallel()
	tl := tool(t, Limits{})
	path := made(t, tl, "a.mp4", 30, WriteOptions{Width: 160, Height: 120, Rate: Rate{12, 1}})
	info := probe(t, tl, path)
	last, err := tl.LastFrame(t.Context(), path, info)
	if err != nil {
		t.Fatal(err)
	}
	if d := apart(last, moving(160, 120, 29)); d > 2 {
		t.Errorf("the last frame is %.1f levels from the one written last", d)
	}
	info.Seconds += 3 // a sound that goes on
	if last, err = tl.LastFrame(t.Context(), path, info); err != nil || apart(last, moving(160, 120, 29)) > 2 {
		t.Errorf("below a sound that is longer there is no last frame, or another: %v", err)
	}
	info.Seconds -= 3
	at, err := tl.Frame(t.Context(), path, info, 1)
	if err != nil {
		t.Fatal(err)
	}
	if d := apart(at, moving(160, 120, 12)); d > 2 {
		t.Errorf("the frame at one second is %.1f levels from frame 12", d)
	}
}

func TestPlanesPassUnchangedButForTheCodec(t *testing.T) {
	t.Parallel()
	tl := tool(t, Limits{})
	path := filepath.Join(t.TempDir(), "a.mp4")
	w, err := tl.Write(t.Context(), path, WriteOptions{Width: 64, Height: 48, Rate: Rate{10, 1}, Frames: 3, Planes: true})
	if err != nil {
		t.Fatal(err)
	}
	in := NewPlanes(64, 48)
	for i := range in.Y {
		in.Y[i] = uint8(40 + i%64*2)
	}
	for i := range in.Cb {
		in.Cb[i], in.Cr[i] = 110, 150
	}
	for range 3 {
		if err := w.WritePlanes(in); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := tl.Read(t.Context(), path, probe(t, tl, path), ReadOptions{Planes: true})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	out := NewPlanes(64, 48)
	for n := range 3 {
		if err := r.NextPlanes(out); err != nil {
			t.Fatal(err)
		}
		for i, p := range [][2][]uint8{{in.Y, out.Y}, {in.Cb, out.Cb}, {in.Cr, out.Cr}} {
			for j := range p[0] {
				if d := int(p[0][j]) - int(p[1][j]); d < -6 || d > 6 {
					t.Fatalf("frame %d, plane %d, value %d: %d became %d", n, i, j, p[0][j], p[1][j])
				}
			}
		}
	}
	if err := r.NextPlanes(out); !errors.Is(err, io.EOF) {
		t.Errorf("after the last frame: %v, want io.EOF", err)
	}
}

func TestSlowCutAndJoinKeepTimeAndSound(t *testing.T) {
	t.Parallel()
	tl := tool(t, Limits{})
	sound := hum(t, 3)
	a := made(t, tl, "a.mp4", 24, WriteOptions{Width: 160, Height: 120, Rate: Rate{12, 1}, Sounds: []Sound{{Path: sound, Info: probe(t, tl, sound)}}})
	b := made(t, tl, "b.mp4", 12, WriteOptions{Width: 120, Height: 160, Rate: Rate{10, 1}})
	ia, ib := probe(t, tl, a), probe(t, tl, b)
	cut := filepath.Join(t.TempDir(), "cut.mp4")
	if err := tl.Cut(t.Context(), a, ia, 0.5, 1, cut); err != nil {
		t.Fatal(err)
	}
	if f := facts(t, cut); f.Frames != 12 || !f.HasSound() {
		t.Errorf("a second of the clip is %+v", f)
	}
	first, err := tl.Frame(t.Context(), cut, probe(t, tl, cut), 0)
	if err != nil {
		t.Fatal(err)
	}
	if d := apart(first, moving(160, 120, 6)); d > 3 {
		t.Errorf("the cut begins %.1f levels from frame 6", d)
	}
	joined := filepath.Join(t.TempDir(), "joined.mov")
	err = tl.Join(t.Context(), []Clip{{Path: a, Info: ia}, {Path: b, Info: ib}}, WriteOptions{Format: container.MOV, Width: 160, Height: 120, Rate: Rate{12, 1}}, joined)
	if err != nil {
		t.Fatal(err)
	}
	if f := facts(t, joined); math.Abs(f.Seconds-3.2) > 0.1 || !f.HasSound() || f.Format != container.MOV {
		t.Errorf("2 s and 1.2 s joined are %+v", f)
	}
}

func TestWhatCannotBeReadIsRefusedInASentence(t *testing.T) {
	t.Parallel()
	tl := tool(t, Limits{MaxSeconds: 1.5, MaxPixels: 160 * 120, MaxBytes: 200_000})
	long := made(t, tl, "a.mp4", 24, WriteOptions{Width: 160, Height: 120, Rate: Rate{12, 1}})
	large := made(t, tl, "b.mp4", 3, WriteOptions{Width: 176, Height: 120, Rate: Rate{12, 1}})
	whole, err := os.ReadFile(large)
	if err != nil {
		t.Fatal(err)
	}
	file := func(name string, data []byte) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	tests := []struct{ name, path string }{
		{"too long", long},
		{"too many pixels", large},
		{"too many bytes", file("c.mp4", append(whole, make([]byte, 200_000)...))},
		{"a playlist under a video's name", file("d.mp4", []byte("#EXTM3U\n#EXTINF:1,\nhttp://127.0.0.1:9/a.ts\n"))},
		{"text", file("e.mov", []byte("nothing of the kind, only words and words and words"))},
		{"cut off", file("f.mp4", whole[:60])},
		{"empty", file("g.mp4", nil)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := tl.Probe(t.Context(), tt.path)
			if refused, ok := errors.AsType[*Error](err); !ok || refused.Message == "" {
				t.Errorf("Probe answers %v, want a sentence", err)
			}
		})
	}
}

func TestTheEndOfTheContextEndsTheProgram(t *testing.T) {
	t.Parallel()
	tl := tool(t, Limits{})
	path := made(t, tl, "a.mp4", 48, WriteOptions{Width: 320, Height: 240, Rate: Rate{12, 1}})
	info := probe(t, tl, path)

	ctx, cancel := context.WithCancel(t.Context())
	r, err := tl.Read(ctx, path, info, ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	frame := image.NewNRGBA(image.Rect(0, 0, 320, 240))
	if err := r.Next(frame); err != nil {
		t.Fatal(err)
	}
	cancel()
	for err == nil {
		err = r.Next(frame)
	}
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a reader whose context ended answers %v", err)
	}
	if r.p.cmd.ProcessState == nil {
		t.Error("the reading program was not waited for")
	}

	ctx, cancel = context.WithCancel(t.Context())
	out := filepath.Join(t.TempDir(), "b.mp4")
	w, err := tl.Write(ctx, out, WriteOptions{Width: 320, Height: 240, Rate: Rate{12, 1}, Frames: 1000})
	if err != nil {
		t.Fatal(err)
	}
	p := w.p
	if err := w.Write(frame); err != nil {
		t.Fatal(err)
	}
	cancel()
	for err == nil {
		err = w.Write(frame)
	}
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a writer whose context ended answers %v", err)
	}
	if p.cmd.ProcessState == nil {
		t.Error("the writing program was not waited for")
	}
	if _, err := os.Stat(out); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the unfinished file is still there (%v)", err)
	}
}

func TestAProgramThatWantsTooMuchMemoryIsStopped(t *testing.T) {
	t.Parallel()
	tl := tool(t, Limits{})
	tl.limits.Memory = 64 << 20
	w, err := tl.Write(t.Context(), filepath.Join(t.TempDir(), "a.mp4"), WriteOptions{Width: 1920, Height: 1080, Rate: Rate{12, 1}, Frames: 20})
	if err != nil {
		t.Fatal(err)
	}
	frame := moving(1920, 1080, 0)
	for i := 0; err == nil && i < 20; i++ {
		err = w.Write(frame)
	}
	if err == nil {
		err = w.Close()
	}
	if _, ok := errors.AsType[*Error](err); !ok {
		t.Errorf("with 64 MB it answers %v, want an *Error", err)
	}
}
