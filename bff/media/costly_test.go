package media

import (
	"bytes"
	"image"
	"math"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"atelier/imaging"
	"atelier/imaging/probe"
	"atelier/imaging/testpics"
)

// costliest are the ways to ask for much: what draws the file of w × h pixels and size bytes that asks for most, and which part of
// the most pixels there may be is taken, upright and turned.
var costliest = []struct {
	name            string
	draw            func(w, h, size int) []byte
	upright, turned float64
}{
	{"jpeg, scans that look at every coefficient", func(w, h, _ int) []byte { return testpics.ScansJPEG(testpics.RefiningScan, w, h, 10) }, 1, 1},
	{"jpeg, scans that pass over", func(w, h, _ int) []byte { return testpics.ScansJPEG(testpics.FirstScan, w, h, 30) }, 1, 1},
	{"jpeg, pictures one after another", func(w, h, _ int) []byte { return testpics.ScansJPEG(testpics.PlainScan, w, h, 5) }, 1, 1},
	{"jpeg, as many bytes as there may be", denseJPEG, 1, 1},
	{"png, 16 bits, interlaced", func(w, h, size int) []byte { return testpics.CostlyPNG(w, h, 16, 6, true, size) }, .66, .36},
	{"png, 8 bits", func(w, h, size int) []byte { return testpics.CostlyPNG(w, h, 8, 6, false, size) }, 1, .44},
	{"png, 16 bits of grey", func(w, h, size int) []byte { return testpics.CostlyPNG(w, h, 16, 0, false, size) }, .66, .36},
	{"webp", func(w, h, _ int) []byte { return testpics.CostlyWebP(w, h, false) }, .66, .36},
	{"webp with alpha", func(w, h, _ int) []byte { return testpics.CostlyWebP(w, h, true) }, .4, .26},
	{"webp, lossless", func(w, h, _ int) []byte { return testpics.CostlyLosslessWebP(w, h) }, 1, .44},
}

// denseJPEG is noise, of the highest quality that fits.
func denseJPEG(w, h, size int) (data []byte) {
	img, rng := image.NewNRGBA(image.Rect(0, 0, w, h)), rand.New(rand.NewPCG(11, 2026))
	for i := range img.Pix {
		if img.Pix[i] = 255; i%4 != 3 {
			img.Pix[i] = byte(rng.Uint32())
		}
	}
	for quality := 60; quality > 0 && (data == nil || len(data) > size); quality -= 8 {
		var b bytes.Buffer
		if err := imaging.Encode(&b, img, imaging.EncodeOptions{Format: probe.JPEG, Quality: quality}); err != nil {
			return nil // which nobody takes
		}
		data = b.Bytes()
	}
	return data
}

// processor is how much of the processors this process has used.
func processor(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// peak is the most memory this process has held since the last call of forgetPeak, in MiB.
func peak(b *testing.B) float64 {
	b.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		b.Skip("this system does not tell the peak of memory")
	}
	_, line, _ := strings.Cut(string(status), "VmHWM:")
	kb, err := strconv.ParseFloat(strings.Fields(line)[0], 64)
	if err != nil {
		b.Fatal(err)
	}
	return kb / 1024
}

func forgetPeak(b *testing.B) {
	b.Helper()
	debug.FreeOSMemory()
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil {
		b.Skip("this system does not forget the peak of memory")
	}
}

// F2: what the costliest files cost from the first byte to the stored thumbnail, upright and turned: seconds of one processor,
// and the most memory at a time. With -short they have a quarter of the pixels and of the bytes, and cost a quarter.
func BenchmarkCostliest(b *testing.B) {
	s, err := OpenStore(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(832 << 20)) // as a server sets it
	pixels, size := 49.9e6, 10<<20
	if testing.Short() {
		pixels, size = pixels/4, size/4
	}
	for _, c := range costliest {
		for orientation, part := range map[int]float64{1: c.upright, 6: c.turned} {
			b.Run(c.name+map[int]string{1: "/upright", 6: "/turned"}[orientation], func(b *testing.B) {
				side := int(math.Sqrt(pixels * part))
				data := c.draw(side, side, size)
				if orientation != 1 {
					data = testpics.WithOrientation(data, orientation)
				}
				forgetPeak(b)
				before, began := peak(b), processor(b)
				for b.Loop() {
					if _, err := s.Take(b.Context(), bytes.NewReader(data), int64(len(data)), probe.Upload); err != nil {
						b.Skipf("%d bytes are not taken: %v", len(data), err)
					}
				}
				b.ReportMetric((processor(b)-began).Seconds()/float64(b.N), "cpu-s/op")
				b.ReportMetric(peak(b)-before, "MiB")
				b.ReportMetric(float64(len(data))/(1<<20), "MiB-file")
			})
		}
	}
}
