package imaging

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"image"
	"image/jpeg"
	"slices"
	"testing"
	"time"

	"atelier/imaging/testpics"
)

// reducedFiles hold a drawn picture of 203 × 149 pixels at each sampling, one with restarts, and kinds that are left to others.
//
//go:embed testdata/reduced
var reducedFiles embed.FS

func reducedFile(t testing.TB, name string) []byte {
	t.Helper()
	data, err := reducedFiles.ReadFile("testdata/reduced/" + name + ".jpg")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// What is opened smaller looks as if it had been opened whole and averaged.
func TestAJPEGIsOpenedAtAPartOfItsSize(t *testing.T) {
	files := map[string][]byte{"photo": testpics.JPEG(testpics.Photo(1003, 777, 4))}
	for _, name := range []string{"444", "422", "440", "420", "restarts"} {
		files[name] = reducedFile(t, name)
	}
	for name, data := range files {
		whole, err := jpeg.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(name, err)
		}
		full, ok := whole.(*image.YCbCr)
		if !ok {
			t.Fatalf("%s is a %T", name, whole)
		}
		for _, n := range []int{1, 2, 4} {
			got, err := reducedJPEG(t.Context(), data, n, time.Now().Add(time.Minute))
			if err != nil {
				t.Fatal(name, n, err)
			}
			w, h := (full.Rect.Dx()*n+7)/8, (full.Rect.Dy()*n+7)/8
			if got.Rect != image.Rect(0, 0, w, h) || got.SubsampleRatio != full.SubsampleRatio {
				t.Fatalf("%s at %d/8 is %v at %v", name, n, got.Rect, got.SubsampleRatio)
			}
			far, count := 0, 0
			for y := range h - 1 { // the last row and column hold what the encoder made up
				for x := range w - 1 {
					a, b := got.YCbCrAt(x, y), meanOf(full, x*8/n, y*8/n, 8/n)
					for c := range 3 {
						d := [3]int{int(a.Y) - b[0], int(a.Cb) - b[1], int(a.Cr) - b[2]}[c]
						far, count = far+max(d, -d), count+1
					}
				}
			}
			if mean := float64(far) / float64(count); mean > 2.2 {
				t.Errorf("%s at %d/8 is %.2f away from what it shows", name, n, mean)
			}
		}
	}
}

// meanOf averages a square of pixels: luma and both colours.
func meanOf(img *image.YCbCr, x, y, side int) (mean [3]int) {
	for v := range side {
		for u := range side {
			c := img.YCbCrAt(x+u, y+v)
			mean[0], mean[1], mean[2] = mean[0]+int(c.Y), mean[1]+int(c.Cb), mean[2]+int(c.Cr)
		}
	}
	for c := range mean {
		mean[c] = (mean[c] + side*side/2) / (side * side)
	}
	return mean
}

func TestOtherAndBrokenJPEGsAreLeftToTheStandardDecoder(t *testing.T) {
	whole := reducedFile(t, "420")
	files := map[string][]byte{"half": whole[:len(whole)/2], "head": whole[:200], "nothing": nil}
	for _, name := range []string{"progressive", "grey"} {
		files[name] = reducedFile(t, name)
	}
	const adobe = "\xff\xee\x00\x0eAdobe\x00\x64\x00\x00\x00\x00\x00" // RGB
	files["rgb"] = slices.Concat(whole[:2], []byte(adobe), reducedFile(t, "444")[2:])
	for name, data := range files {
		if _, err := reducedJPEG(t.Context(), data, 2, time.Now().Add(time.Minute)); !errors.Is(err, errOtherJPEG) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"progressive", "grey", "rgb"} {
		if small, err := Thumb(t.Context(), files[name], 40, Limits{}); err != nil || small.Width != 40 {
			t.Errorf("%s: a thumbnail of %d px, %v", name, small.Width, err)
		}
	}
	if _, err := reducedJPEG(t.Context(), whole, 2, time.Now()); !errors.Is(err, errDeadline) {
		t.Errorf("after the deadline: %v", err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := reducedJPEG(gone, whole, 2, time.Now().Add(time.Minute)); !errors.Is(err, context.Canceled) {
		t.Errorf("for nobody: %v", err)
	}
}

// Whatever the bytes are, nothing is read or written beyond them, and what is opened has the size the file says.
func FuzzReducedJPEG(f *testing.F) {
	for _, name := range []string{"444", "422", "440", "420", "restarts", "progressive", "grey"} {
		f.Add(reducedFile(f, name), uint8(2))
	}
	f.Fuzz(func(t *testing.T, data []byte, scale uint8) {
		if facts, _, err := inspect(data, Limits{MaxPixels: 1 << 20}.orDefault()); err != nil || facts.Pixels() > 1<<20 {
			return
		}
		n := 1 << (scale % 3)
		img, err := reducedJPEG(t.Context(), data, n, time.Now().Add(time.Second))
		if err != nil {
			return
		}
		whole, err := jpeg.DecodeConfig(bytes.NewReader(data))
		if err != nil || img.Rect.Dx() != (whole.Width*n+7)/8 || img.Rect.Dy() != (whole.Height*n+7)/8 {
			t.Errorf("%v at %d/8 of %d × %d, %v", img.Rect, n, whole.Width, whole.Height, err)
		}
		toNRGBA(img, "jpeg")
	})
}

func BenchmarkThumb4096(b *testing.B) {
	data := testpics.JPEG(testpics.Photo(4096, 4096, 2))
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := Thumb(b.Context(), data, 512, Limits{Deadline: time.Minute}); err != nil {
			b.Fatal(err)
		}
	}
}
