package imaging_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"math"
	"testing"
	"time"

	"atelier/imaging"
	"atelier/imaging/probe"
	"atelier/imaging/testpics"
)

// meanError is the mean absolute difference of two pictures per channel, 0 to
// 255, colours under full transparency left out.
func meanError(t testing.TB, got, want *image.NRGBA) float64 {
	t.Helper()
	if got.Rect != want.Rect {
		t.Fatalf("picture is %v, want %v", got.Rect, want.Rect)
	}
	sum, n := 0.0, 0.0
	for y := range got.Rect.Dy() {
		for x := range got.Rect.Dx() {
			g, w := got.NRGBAAt(x, y), want.NRGBAAt(x, y)
			sum += math.Abs(float64(g.A) - float64(w.A))
			n++
			if w.A == 0 {
				continue
			}
			sum += math.Abs(float64(g.R)-float64(w.R)) + math.Abs(float64(g.G)-float64(w.G)) + math.Abs(float64(g.B)-float64(w.B))
			n += 3
		}
	}
	return sum / n
}

func decode(t testing.TB, data []byte) *image.NRGBA {
	t.Helper()
	img, _, err := imaging.Decode(t.Context(), data, imaging.Limits{})
	if err != nil {
		t.Fatalf("Decode: %v", err)
	}
	if img.Rect.Min != (image.Point{}) || img.Stride != 4*img.Rect.Dx() {
		t.Fatalf("picture is %v with stride %d, want its origin at zero and no gaps", img.Rect, img.Stride)
	}
	return img
}

func encode(t testing.TB, img *image.NRGBA, opt imaging.EncodeOptions) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := imaging.Encode(&b, img, opt); err != nil {
		t.Fatalf("Encode: %v", err)
	}
	return b.Bytes()
}

// holes is a photo with a soft transparent hole.
func holes(w, h int) *image.NRGBA {
	img := testpics.Photo(w, h, 4)
	for y := range h {
		for x := range w {
			d := math.Hypot(float64(x-w/2), float64(y-h/2)) / float64(min(w, h)) * 4
			img.Pix[img.PixOffset(x, y)+3] = uint8(min(max(d-0.5, 0), 1) * 255)
		}
	}
	return img
}

func TestPicturesOfEveryFormatOpen(t *testing.T) {
	photo, clear := testpics.Photo(161, 121, 1), holes(160, 121)
	palette := image.NewPaletted(image.Rect(0, 0, 50, 40), color.Palette{color.NRGBA{1, 2, 3, 255}, color.NRGBA{200, 100, 50, 128}, color.NRGBA{}})
	paletted := image.NewNRGBA(palette.Rect)
	wide := image.NewNRGBA64(photo.Rect)
	deep := image.NewRGBA64(photo.Rect)
	grey := image.NewGray(photo.Rect)
	grey16 := image.NewGray16(photo.Rect)
	grey8 := image.NewNRGBA(photo.Rect)
	for y := range 121 {
		for x := range 161 {
			c := photo.NRGBAAt(x, y)
			if x < 50 && y < 40 {
				palette.SetColorIndex(x, y, uint8((x/7+y/5)%3))
				n := color.NRGBAModel.Convert(palette.At(x, y)).(color.NRGBA)
				paletted.SetNRGBA(x, y, n)
			}
			wide.SetNRGBA64(x, y, color.NRGBA64{uint16(c.R) * 257, uint16(c.G) * 257, uint16(c.B) * 257, 0xffff})
			deep.SetRGBA64(x, y, color.RGBA64{uint16(c.R) * 257, uint16(c.G) * 257, uint16(c.B) * 257, 0xffff})
			grey.SetGray(x, y, color.Gray{c.G})
			grey16.SetGray16(x, y, color.Gray16{uint16(c.G) * 257})
			grey8.SetNRGBA(x, y, color.NRGBA{c.G, c.G, c.G, 255})
		}
	}
	wide.SetNRGBA64(0, 0, color.NRGBA64{0x8000, 0x4000, 0, 0x7fff}) // so that it keeps its alpha channel
	wideWant := imaging.Clone(photo)
	wideWant.SetNRGBA(0, 0, color.NRGBA{0x80, 0x40, 0, 0x7f})

	tests := []struct {
		name string
		data []byte
		want *image.NRGBA
		most float64 // mean error per channel
	}{
		{"png", testpics.PNG(photo), photo, 0},
		{"png with alpha", testpics.PNG(clear), clear, 0},
		{"png with palette", testpics.PNG(palette), paletted, 0},
		{"png with 16 bits and alpha", testpics.PNG(wide), wideWant, 0},
		{"png with 16 bits", testpics.PNG(deep), photo, 0},
		{"png in grey", testpics.PNG(grey), grey8, 0},
		{"png in 16 bit grey", testpics.PNG(grey16), grey8, 0},
		{"jpeg", testpics.JPEG(photo), photo, 4},
		{"jpeg in grey", testpics.JPEG(grey), grey8, 3},
		{"webp", testpics.WebP(photo), photo, 4},
		{"webp with alpha", testpics.WebP(clear), clear, 4},
		{"webp with packed alpha", encode(t, clear, imaging.EncodeOptions{Format: probe.WebP}), clear, 4},
		{"lossless webp", testpics.LosslessWebP(photo), photo, 0},
		{"lossless webp with alpha", testpics.LosslessWebP(clear), clear, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := meanError(t, decode(t, test.data), test.want); got > test.most {
				t.Errorf("mean error %.2f levels, want at most %v", got, test.most)
			}
		})
	}
}

func TestWebPColoursAreReadInTheirOwnRange(t *testing.T) {
	// Flat colours leave nothing to compression: what is off comes from the matrix.
	for _, c := range []color.NRGBA{{255, 255, 255, 255}, {0, 0, 0, 255}, {128, 128, 128, 255}, {220, 40, 60, 255}, {20, 160, 90, 255}, {30, 60, 200, 255}} {
		want := testpics.Flat(64, 64, c)
		if got := meanError(t, decode(t, testpics.WebP(want)), want); got > 2.5 {
			t.Errorf("%v: mean error %.2f levels", c, got)
		}
	}
}

func TestPrintersJPEGOpens(t *testing.T) {
	got := decode(t, testpics.CMYKJPEG(40, 24, 0, 255, 128, 0)).NRGBAAt(20, 12)
	want := color.NRGBA{255, 0, 127, 255}
	near := func(a, b uint8) bool { return max(a, b)-min(a, b) <= 3 }
	if !near(got.R, want.R) || !near(got.G, want.G) || !near(got.B, want.B) || got.A != 255 {
		t.Errorf("magenta and some yellow open as %v, want about %v", got, want)
	}
}

func TestPicturesOpenUpright(t *testing.T) {
	photo := testpics.Photo(72, 50, 2)
	for _, format := range []string{"png", "jpeg"} {
		for n := 1; n <= 8; n++ {
			t.Run(fmt.Sprintf("%s/%d", format, n), func(t *testing.T) {
				t.Parallel()
				most := map[string]float64{"jpeg": 5}[format]
				if got := meanError(t, decode(t, testpics.Turned(photo, format, n)), photo); got > most {
					t.Errorf("mean error %.2f levels, want at most %v", got, most)
				}
			})
		}
	}
}

func TestR6FilesThatHurtAreRefusedBeforeTheyDo(t *testing.T) {
	small := testpics.Flat(600, 600, color.NRGBA{9, 9, 9, 255})
	liar := testpics.WithOrientation(testpics.WebP(small), 1)
	copy(liar[24:30], []byte{99, 0, 0, 99, 0, 0}) // the canvas says 100 × 100
	tests := []struct {
		name string
		data []byte
		lim  imaging.Limits
		want imaging.Code
	}{
		{"tiny png of 49 megapixels with 16 bits", testpics.PNGHeader(7000, 7000, 16, 6), imaging.Limits{}, imaging.Corrupt},
		{"png of 49 megapixels with 16 bits", withEnd(testpics.PNGHeader(7000, 7000, 16, 6)), imaging.Limits{}, imaging.TooLarge},
		{"png of 4 gigapixels", testpics.PNGHeader(65535, 65535, 1, 0), imaging.Limits{}, imaging.TooManyPixels},
		{"png of 600 000 chunks", testpics.ManyChunksPNG(600_000), imaging.Limits{}, imaging.TooSlow},
		{"jpeg of 10 000 scans", testpics.ManyScansJPEG(4096, 4096, 10_000), imaging.Limits{}, imaging.TooSlow},
		{"jpeg of 101 scans", testpics.ManyScansJPEG(64, 64, 101), imaging.Limits{}, imaging.TooSlow},
		{"jpeg of 65535 × 65535", testpics.ManyScansJPEG(65535, 65535, 1), imaging.Limits{}, imaging.TooManyPixels},
		{"slow jpeg", testpics.ManyScansJPEG(600, 600, 100), imaging.Limits{Deadline: 1}, imaging.TooSlow},
		{"animated png", testpics.AnimatedPNG(600, 600), imaging.Limits{}, imaging.Animated},
		{"animated webp", testpics.AnimatedWebP(600, 600), imaging.Limits{}, imaging.Animated},
		{"webp larger than its header says", liar, imaging.Limits{}, imaging.Corrupt},
		{"webp of endless chunks", testpics.Riff(bytes.Repeat(testpics.RiffChunk("JUNK", nil), 5000), testpics.WebP(small)[12:]), imaging.Limits{}, imaging.TooSlow},
		{"picture above a limit of the caller", testpics.JPEG(small), imaging.Limits{MaxPixels: 359_999}, imaging.TooManyPixels},
		{"gif", []byte("GIF89a\x00\x02\x00\x02"), imaging.Limits{}, imaging.WrongType},
		{"web page named .png", []byte("<html>"), imaging.Limits{}, imaging.WrongType},
		{"nothing", nil, imaging.Limits{}, imaging.WrongType},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, _, err := imaging.Decode(t.Context(), test.data, test.lim)
			var refused *imaging.Error
			if !errors.As(err, &refused) || refused.Code != test.want || refused.Message == "" {
				t.Errorf("Decode = %v, want %s with a sentence", err, test.want)
			}
		})
	}
}

// colourJPEG is the head of a progressive JPEG whose components have so many samples across and down.
func colourJPEG(w, h int, samplings ...byte) []byte {
	frame := []byte{8, byte(h >> 8), byte(h), byte(w >> 8), byte(w), byte(len(samplings))}
	for i, s := range samplings {
		frame = append(frame, byte(i+1), s, 0)
	}
	return append(append([]byte{0xff, 0xd8}, testpics.Segment(0xc2, frame)...), 0xff, 0xd9)
}

// webpHead is a lossy WebP that ends after its size.
func webpHead(w, h int, alpha bool) []byte {
	pixels := testpics.RiffChunk("VP8 ", []byte{0x10, 0, 0, 0x9d, 0x01, 0x2a, byte(w), byte(w >> 8), byte(h), byte(h >> 8), 0, 0})
	if !alpha {
		return testpics.Riff(pixels)
	}
	canvas := []byte{0x10, 0, 0, 0, byte(w - 1), byte((w - 1) >> 8), 0, byte(h - 1), byte((h - 1) >> 8), 0}
	return testpics.Riff(testpics.RiffChunk("VP8X", canvas), testpics.RiffChunk("ALPH", []byte{1, 0}), pixels)
}

func withEnd(png []byte) []byte { return append(png, testpics.Chunk("IEND", nil)...) }

// F2: the work and the memory a file may ask for are counted before anything is decoded, by browsers too. BenchmarkCostliest of bff/media measures what
// the costliest files cost that are taken.
func TestNoFileMayAskForMoreThanIsGranted(t *testing.T) {
	const w, h = 7000, 7140 // 50 megapixels
	// No program writes these: of a JPEG that is not progressive the head is all a browser reads.
	const again = "scans that make the picture anew"
	tests := []struct {
		name        string
		least, most []byte // what is just taken, what is just refused
		want        imaging.Code
	}{
		{"scans that pass over", testpics.ScansJPEG(testpics.FirstScan, w, h, 30), testpics.ScansJPEG(testpics.FirstScan, w, h, 31), imaging.TooSlow},
		{"scans that look at every coefficient", testpics.ScansJPEG(testpics.RefiningScan, w, h, 10), testpics.ScansJPEG(testpics.RefiningScan, w, h, 11), imaging.TooSlow},
		{again, testpics.ScansJPEG(testpics.PlainScan, w, h, 5), testpics.ScansJPEG(testpics.PlainScan, w, h, 6), imaging.TooSlow},
		{"coefficients of all colours", colourJPEG(5970, 5970, 0x11, 0x11, 0x11), colourJPEG(6000, 6000, 0x11, 0x11, 0x11), imaging.TooLarge},
		{"coefficients of four inks", colourJPEG(5170, 5170, 0x11, 0x11, 0x11, 0x11), colourJPEG(5190, 5190, 0x11, 0x11, 0x11, 0x11), imaging.TooLarge},
		{"16 bits", withEnd(testpics.PNGHeader(5773, 5773, 16, 6)), withEnd(testpics.PNGHeader(5780, 5780, 16, 6)), imaging.TooSlow},
		{"16 bits of grey", withEnd(testpics.PNGHeader(5773, 5773, 16, 0)), withEnd(testpics.PNGHeader(5780, 5780, 16, 0)), imaging.TooSlow},
		{"a PNG to be turned", testpics.WithOrientation(withEnd(testpics.PNGHeader(4710, 4710, 8, 6)), 6), testpics.WithOrientation(withEnd(testpics.PNGHeader(4720, 4720, 8, 6)), 6), imaging.TooSlow},
		{"a lossy WebP", webpHead(5770, 5770, false), webpHead(5780, 5780, false), imaging.TooSlow},
		{"a lossy WebP with alpha", webpHead(4470, 4470, true), webpHead(4480, 4480, true), imaging.TooSlow},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if _, err := imaging.Inspect(test.least, imaging.Limits{}); err != nil {
				t.Errorf("what is granted is refused: %v", err)
			}
			var refused *imaging.Error
			if _, err := imaging.Inspect(test.most, imaging.Limits{}); !errors.As(err, &refused) || refused.Code != test.want {
				t.Errorf("what is more = %v, want %s", err, test.want)
			}
			// A browser is told the same before it sends a byte, by the whole file, or asks for more of one whose head does not tell.
			for _, unread := range []int64{0, 1} {
				size := func(data []byte) int64 { return int64(len(data)) + unread }
				if _, problems, err := probe.Upload.Inspect(test.least, size(test.least)); len(problems) > 0 || err != nil && unread == 0 {
					t.Errorf("with %d bytes unread a browser refuses what is granted: %v, %v", unread, problems, err)
				}
				_, problems, err := probe.Upload.Inspect(test.most, size(test.most))
				told := len(problems) == 1 && problems[0].Fix() != ""
				if !told && (unread == 0 || !errors.Is(err, probe.ErrNeedMore) && test.name != again) {
					t.Errorf("with %d bytes unread a browser says of what is more: %v, %v", unread, problems, err)
				}
			}
		})
	}
	if facts, err := imaging.Inspect(colourJPEG(w, h, 0x22, 0x11, 0x11), imaging.Limits{}); err != nil {
		t.Errorf("a progressive photo of %d pixels: %v", facts.Pixels(), err)
	}
}

func TestUncommonButHonestFilesOpen(t *testing.T) {
	tests := map[string][]byte{
		"png of 50 megapixels with 1 bit": testpics.BlackPNG(10_000, 5_000, 1, 0),
		"png of 4000 chunks":              testpics.ManyChunksPNG(4000),
		"jpeg of 100 scans":               testpics.ManyScansJPEG(600, 600, 100),
		"jpeg without its end":            bytes.TrimSuffix(testpics.ManyScansJPEG(80, 80, 3), []byte{0xff, 0xd9}),
		"png padded to 10 MiB":            testpics.PadTo(testpics.PNG(testpics.Photo(600, 600, 1)), 10<<20),
		"webp that announces alpha and has none": func() []byte {
			data := testpics.WithOrientation(testpics.WebP(testpics.Photo(80, 80, 1)), 1)
			data[20] |= 0x10
			return data
		}(),
	}
	for name, data := range tests {
		t.Run(name, func(t *testing.T) {
			decode(t, data)
		})
	}
}

func TestCancelledDecodeSaysSoAndIsNotBlamedOnTheFile(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err := imaging.Decode(ctx, testpics.ManyScansJPEG(600, 600, 100), imaging.Limits{})
	var refused *imaging.Error
	if !errors.Is(err, context.Canceled) || errors.As(err, &refused) {
		t.Errorf("Decode = %v, want the context's error", err)
	}
}

func TestFilesCutAnywhereAreRefusedQuietly(t *testing.T) {
	photo := testpics.Photo(24, 17, 1)
	files := map[string][]byte{
		"png": testpics.PNG(photo), "jpeg": testpics.WithOrientation(testpics.JPEG(photo), 6), "webp": testpics.WithOrientation(testpics.WebP(photo), 6),
		"lossless": testpics.LosslessWebP(holes(24, 17)), "scans": testpics.ManyScansJPEG(24, 17, 3), "alpha": testpics.WebP(holes(24, 17)),
	}
	for name, data := range files {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for n := range data {
				img, _, err := imaging.Decode(t.Context(), data[:n], imaging.Limits{Deadline: time.Minute})
				var refused *imaging.Error
				if err == nil && (img.Rect.Dx() < 17 || img.Rect.Dy() < 17) || err != nil && !errors.As(err, &refused) {
					t.Fatalf("cut at %d: %v", n, err)
				}
			}
		})
	}
}

func TestInspectRefusesWithoutDecoding(t *testing.T) {
	if facts, err := imaging.Inspect(testpics.JPEG(testpics.Photo(90, 60, 1)), imaging.Limits{}); err != nil || facts.Width != 90 || facts.Format != probe.JPEG {
		t.Errorf("Inspect = %+v, %v", facts, err)
	}
	var refused *imaging.Error
	if _, err := imaging.Inspect(testpics.ManyScansJPEG(64, 64, 101), imaging.Limits{}); !errors.As(err, &refused) || refused.Code != imaging.TooSlow {
		t.Errorf("Inspect = %v, want %s", err, imaging.TooSlow)
	}
}

func FuzzDecode(f *testing.F) {
	photo := testpics.Photo(20, 16, 1)
	for _, data := range [][]byte{
		testpics.PNG(photo), testpics.PNG(holes(20, 16)), testpics.JPEG(photo), testpics.WebP(photo), testpics.WebP(holes(20, 16)), testpics.LosslessWebP(photo),
		testpics.ManyScansJPEG(20, 16, 3), testpics.CMYKJPEG(20, 16, 1, 2, 3, 4), testpics.AnimatedWebP(16, 16), testpics.BlackPNG(20, 16, 16, 6),
	} {
		f.Add(data)
		f.Add(testpics.WithOrientation(data, 6))
	}
	lim := imaging.Limits{MaxPixels: 1 << 20, Deadline: time.Minute}
	f.Fuzz(func(t *testing.T, data []byte) {
		img, facts, err := imaging.Decode(t.Context(), data, lim)
		var refused *imaging.Error
		switch {
		case err == nil && (img.Rect.Dx() != facts.Width || img.Rect.Dy() != facts.Height):
			t.Errorf("picture is %v, facts %+v", img.Rect, facts)
		case err != nil && (!errors.As(err, &refused) || refused.Message == ""):
			t.Errorf("Decode = %v, want an *Error", err)
		}
	})
}

func BenchmarkDecode4096(b *testing.B) {
	photo := testpics.Photo(4096, 4096, 1)
	for name, data := range map[string][]byte{"jpeg": testpics.JPEG(photo), "png": testpics.PNG(photo), "webp": testpics.WebP(photo)} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				decode(b, data)
			}
		})
		b.Run(name+"/thumb512", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := imaging.Thumb(b.Context(), data, 512, imaging.Limits{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
