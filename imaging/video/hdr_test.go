package video_test

import (
	"errors"
	"image"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"atelier/imaging/video"
	"atelier/imaging/video/videotest"
)

// What Chromium 156 shows of the sixteen greys and colours of chart, each 40 px wide, of videos of either transfer.
var (
	hlgGreys   = []int{0, 3, 16, 31, 46, 61, 76, 91, 107, 126, 150, 179, 207, 225, 241, 255}
	pqGreys    = []int{0, 1, 6, 18, 34, 54, 80, 112, 153, 200, 229, 250, 255, 255, 255, 255}
	hlgColours = [][3]int{
		{112, 0, 8},
		{0, 101, 0},
		{0, 9, 79},
		{209, 0, 33},
		{0, 191, 0},
		{0, 31, 148},
		{255, 0, 0},
		{0, 255, 0},
		{0, 20, 238},
		{192, 187, 0},
		{0, 194, 180},
		{210, 0, 168},
		{136, 97, 80},
		{60, 101, 120},
		{255, 175, 143},
		{61, 29, 21},
	}
	pqColours = [][3]int{
		{167, 0, 0},
		{0, 137, 0},
		{0, 0, 122},
		{255, 0, 0},
		{0, 255, 0},
		{0, 0, 255},
		{255, 0, 0},
		{0, 255, 0},
		{0, 0, 255},
		{255, 255, 0},
		{0, 255, 244},
		{255, 0, 238},
		{235, 114, 72},
		{0, 136, 199},
		{255, 153, 105},
		{55, 12, 6},
	}
	coded = [][3]float64{
		{.5, .1, .1},
		{.1, .5, .1},
		{.1, .1, .5},
		{.75, .2, .2},
		{.2, .75, .2},
		{.2, .2, .75},
		{1, .2, .2},
		{.2, 1, .2},
		{.2, .2, 1},
		{.75, .75, .2},
		{.2, .75, .75},
		{.75, .2, .75},
		{.6, .5, .4},
		{.4, .5, .6},
		{.9, .8, .7},
		{.3, .2, .15},
	}
)

// chart makes a video of a second whose columns of 40 px have the coded values, tagged with a transfer and BT.2020.
func chart(t *testing.T, transfer string, values [][3]float64) string {
	t.Helper()
	const side, frames = 40, 10
	w := side * len(values)
	frame := image.NewYCbCr(image.Rect(0, 0, w, side), image.YCbCrSubsampleRatio420)
	for i, v := range values {
		luma := .2627*v[0] + .678*v[1] + .0593*v[2]
		y, cb, cr := uint8(16+219*luma+.5), uint8(128+224*(v[2]-luma)/1.8814+.5), uint8(128+224*(v[0]-luma)/1.4746+.5)
		for row := range side {
			for x := i * side; x < (i+1)*side; x++ {
				frame.Y[row*frame.YStride+x] = y
				frame.Cb[row/2*frame.CStride+x/2], frame.Cr[row/2*frame.CStride+x/2] = cb, cr
			}
		}
	}
	folder := t.TempDir()
	raw, path := filepath.Join(folder, "raw"), filepath.Join(folder, "chart.mp4")
	var all []byte
	for range frames {
		all = append(append(append(all, frame.Y...), frame.Cb...), frame.Cr...)
	}
	if err := os.WriteFile(raw, all, 0o600); err != nil {
		t.Fatal(err)
	}
	tags := []string{"-color_range", "tv", "-colorspace", "bt2020nc", "-color_primaries", "bt2020", "-color_trc", transfer}
	args := append([]string{"-v", "error", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", "640x40", "-r", "10"}, tags...)
	args = append(append(append(args, "-i", raw, "-c:v", "libx264", "-qp", "0"), tags...), path)
	if out, err := exec.CommandContext(t.Context(), "ffmpeg", args...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return path
}

// The red and the grey of a phone's HLG video, measured in Chromium (97, 22, 13 and 61).
func TestHLGLooksAsInBrowsers(t *testing.T) {
	t.Parallel()
	tool := videotest.Tool(t)
	// As the case has it: Y'CbCr 73, 111, 156 and 89, 128, 128.
	y, cb, cr := (73-16)/219., (111-128)/224., (156-128)/224.
	r, b := y+1.4746*cr, y+1.8814*cb
	red, grey := [3]float64{r, (y - .2627*r - .0593*b) / .678, b}, [3]float64{1. / 3, 1. / 3, 1. / 3}
	values := slices.Concat(slices.Repeat([][3]float64{red}, 8), slices.Repeat([][3]float64{grey}, 8))
	want := slices.Concat(slices.Repeat([][3]int{{97, 22, 13}}, 8), slices.Repeat([][3]int{{61, 61, 61}}, 8))
	compare(t, "the frame", firstFrame(t, tool, chart(t, "arib-std-b67", values)), want, 3)
}

// A video of high dynamic range looks here as it does in the browser: frames, and what is written of its planes.
func TestSlowHDRLooksAsInBrowsers(t *testing.T) {
	t.Parallel()
	tool := videotest.Tool(t)
	greys := make([][3]float64, 16)
	for i := range greys {
		v := float64(i) / 15
		greys[i] = [3]float64{v, v, v}
	}
	grey := func(list []int) (out [][3]int) {
		for _, v := range list {
			out = append(out, [3]int{v, v, v})
		}
		return out
	}
	for name, tt := range map[string]struct {
		transfer string
		values   [][3]float64
		want     [][3]int
		by       int
	}{
		"HLG greys":   {"arib-std-b67", greys, grey(hlgGreys), 4},
		"HLG colours": {"arib-std-b67", coded, hlgColours, 18},
		"PQ greys":    {"smpte2084", greys, grey(pqGreys), 5},
		"PQ colours":  {"smpte2084", coded, pqColours, 18},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := chart(t, tt.transfer, tt.values)
			info, err := tool.Probe(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			img, err := tool.Frame(t.Context(), path, info, 0)
			if err != nil {
				t.Fatal(err)
			}
			compare(t, "the frame", img, tt.want, tt.by)
			compare(t, "what is written", rewritten(t, tool, path, info), tt.want, tt.by+4)
			cut := filepath.Join(t.TempDir(), "cut.mp4")
			if err := tool.Cut(t.Context(), path, info, 0, .5, cut); err != nil {
				t.Fatal(err)
			}
			compare(t, "what is cut", firstFrame(t, tool, cut), tt.want, tt.by+4)
		})
	}
}

func compare(t *testing.T, what string, img *image.NRGBA, want [][3]int, by int) {
	t.Helper()
	for i, w := range want {
		c := img.NRGBAAt(40*i+20, 20)
		for k, got := range [3]uint8{c.R, c.G, c.B} {
			if d := int(got) - w[k]; d > by || -d > by {
				t.Errorf("%s: column %d is %v, want %v", what, i, c, w)
				break
			}
		}
	}
}

func firstFrame(t *testing.T, tool *video.Tool, path string) *image.NRGBA {
	t.Helper()
	info, err := tool.Probe(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	img, err := tool.Frame(t.Context(), path, info, 0)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// rewritten is the first frame of a copy of a video made of its planes.
func rewritten(t *testing.T, tool *video.Tool, path string, info video.Info) *image.NRGBA {
	t.Helper()
	r, err := tool.Read(t.Context(), path, info, video.ReadOptions{Planes: true})
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "copy.mp4")
	w, err := tool.Write(t.Context(), copied, video.WriteOptions{Width: r.Width, Height: r.Height, Rate: r.Rate, Planes: true})
	if err != nil {
		t.Fatal(err)
	}
	planes := video.NewPlanes(r.Width, r.Height)
	for {
		if err = r.NextPlanes(planes); err != nil {
			break
		}
		if err := w.WritePlanes(planes); err != nil {
			t.Fatal(err)
		}
	}
	if !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	if err := errors.Join(r.Close(), w.Close()); err != nil {
		t.Fatal(err)
	}
	return firstFrame(t, tool, copied)
}

// A cover that comes first is not the picture: what is probed is what is read.
func TestSlowCoverIsNotThePicture(t *testing.T) {
	t.Parallel()
	tool := videotest.Tool(t)
	folder := t.TempDir()
	film, cover, path := filepath.Join(folder, "film.mp4"), filepath.Join(folder, "cover.jpg"), filepath.Join(folder, "covered.mp4")
	if err := os.WriteFile(film, videotest.Make(t, videotest.Film{}), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"-v", "error", "-f", "lavfi", "-i", "color=red:s=600x400", "-frames:v", "1", cover},
		{"-v", "error", "-i", cover, "-i", film, "-map", "0", "-map", "1", "-c", "copy", "-disposition:v:0", "attached_pic", path},
	} {
		if out, err := exec.CommandContext(t.Context(), "ffmpeg", args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	info, err := tool.Probe(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	want := firstFrame(t, tool, film)
	if info.Width != 320 || info.VideoCodec != "h264" {
		t.Errorf("the picture is %+v", info)
	}
	cut := filepath.Join(folder, "cut.mp4")
	if err := tool.Cut(t.Context(), path, info, 0, 1, cut); err != nil {
		t.Fatal(err)
	}
	for name, img := range map[string]*image.NRGBA{"read": firstFrame(t, tool, path), "cut": firstFrame(t, tool, cut)} {
		a, b := img.NRGBAAt(160, 120), want.NRGBAAt(160, 120)
		if img.Rect != want.Rect || int(a.R)-int(b.R) > 12 || int(b.R)-int(a.R) > 12 {
			t.Errorf("%s: %v, %v in place of %v", name, img.Rect, a, b)
		}
	}
}
