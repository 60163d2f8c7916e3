package media

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/image/webp"

	"atelier/atelier"
	"atelier/imaging"
	"atelier/imaging/probe"
	"atelier/imaging/testpics"
)

// smallest is a picture just large enough, in each format, made to few bytes.
func smallest() map[probe.Format][]byte {
	img := testpics.Flat(513, 520, color.NRGBA{R: 40, G: 90, B: 160, A: 255})
	return map[probe.Format][]byte{probe.PNG: testpics.PNG(img), probe.JPEG: testpics.JPEG(img), probe.WebP: testpics.WebP(img)}
}

// readable says whether the decoders themselves, without any guard, make a whole picture of the bytes.
func readable(data []byte) bool {
	var img image.Image
	var err error
	switch probe.Sniff(data) {
	case probe.PNG:
		img, err = png.Decode(bytes.NewReader(data))
	case probe.JPEG:
		img, err = jpeg.Decode(io.MultiReader(bytes.NewReader(data), strings.NewReader("\xff\xd9"))) // a missing end mark alone is forgiven
	case probe.WebP:
		img, err = webp.Decode(bytes.NewReader(data))
	default:
		return false
	}
	return err == nil && min(img.Bounds().Dx(), img.Bounds().Dy()) > 512
}

// trial gives files to the store and keeps account.
type trial struct {
	t              *testing.T
	store          *Store
	taken, refused int
	times          []time.Duration
	slowest        time.Duration
	slowestOfAll   string
}

// give wants a file to be taken only if it can be read, and to be refused in words for a person otherwise.
func (x *trial) give(what string, data []byte) {
	x.t.Helper()
	began := time.Now()
	_, err := x.store.Take(x.t.Context(), bytes.NewReader(data), int64(len(data)), probe.Upload)
	took := time.Since(began)
	x.times = append(x.times, took)
	if took > x.slowest {
		x.slowest, x.slowestOfAll = took, what
	}
	if err == nil {
		x.taken++
		if !readable(data) {
			x.t.Errorf("%s was taken and cannot be read", what)
		}
		return
	}
	x.refused++
	e, ok := errors.AsType[*atelier.Error](err)
	if !ok || e.Code == atelier.Internal || e.Message == "" {
		x.t.Errorf("%s: %v is no refusal for a person", what, err)
	}
}

// TestSlowDamagedPicturesAreRefused plays fault F1: pictures cut off at every byte, and two thousand that are broken in other ways.
func TestSlowDamagedPicturesAreRefused(t *testing.T) {
	t.Parallel()
	damagedPicturesAreRefused(t, 1, 2000)
}

// TestF1DamagedPicturesAreRefused is the short form of TestSlowDamagedPicturesAreRefused.
func TestF1DamagedPicturesAreRefused(t *testing.T) {
	t.Parallel()
	damagedPicturesAreRefused(t, 17, 120)
}

// damagedPicturesAreRefused uploads pictures that are cut off at every step-th byte, and damaged ones that are broken in other ways. Each
// is read whole or refused in a sentence, and at least as many as are damaged are refused.
func damagedPicturesAreRefused(t *testing.T, step, damaged int) {
	t.Helper()
	store, _ := openStore(t)
	x := &trial{t: t, store: store}
	for format, data := range smallest() {
		if !readable(data) {
			t.Fatalf("the whole %s cannot be read", format)
		}
		for n := 0; n < len(data); n += step {
			x.give(fmt.Sprintf("%s cut after %d of %d bytes", format, n, len(data)), data[:n])
		}
	}
	cut := len(x.times)
	rng := rand.New(rand.NewPCG(6, 2026))
	whole := smallest()
	formats := []probe.Format{probe.PNG, probe.JPEG, probe.WebP}
	for i := range damaged {
		format := formats[i%len(formats)]
		x.give(fmt.Sprintf("%s, damage %d", format, i), testpics.Damaged(rng, whole[format], whole[formats[(i+1)%len(formats)]]))
	}
	slices.Sort(x.times)
	t.Logf("%d cut, %d damaged: %d taken, %d refused, p99 %v, slowest %v (%s)", cut, len(x.times)-cut, x.taken, x.refused, x.times[len(x.times)*99/100], x.slowest, x.slowestOfAll)
	if x.refused < damaged {
		t.Errorf("only %d were refused", x.refused)
	}
}

// F2: files made to cost much are refused before a decoder sees them. What may ask for much and is taken is counted by the guard of
// imaging and measured by BenchmarkCostliest.
func TestF2R5D3FilesThatWouldCostMuchAreRefusedCheaply(t *testing.T) {
	t.Parallel()
	store, _ := openStore(t)
	page := []byte("<!doctype html><script>alert(1)</script>")
	pngData := smallest()[probe.PNG]
	files := map[string][]byte{
		"66 bytes of 374 MiB":           testpics.PNGHeader(7000, 7000, 16, 6),
		"a header of 4.3 gigapixels":    testpics.PNGHeader(65535, 65535, 8, 6),
		"50 megapixels of 16 bits":      testpics.BlackPNG(7100, 7040, 16, 6),
		"200,000 chunks":                testpics.ManyChunksPNG(200_000),
		"5,000 scans":                   testpics.ManyScansJPEG(2048, 2048, 5000),
		"101 scans":                     testpics.ManyScansJPEG(640, 640, 101),
		"an animated PNG":               testpics.AnimatedPNG(600, 600),
		"an animated WebP":              testpics.AnimatedWebP(600, 600),
		"a page":                        page,
		"a page that begins as a PNG":   append(slices.Clone(pngData[:8]), page...),
		"a drawing with a script":       []byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`),
		"an archive":                    []byte("PK\x03\x04" + strings.Repeat("x", 600)),
		"a GIF":                         []byte("GIF89a" + strings.Repeat("\x01", 600)),
		"a BMP":                         []byte("BM" + strings.Repeat("\x01", 600)),
		"a TIFF":                        []byte("II*\x00" + strings.Repeat("\x01", 600)),
		"zeros":                         make([]byte, 100_000),
		"a JPEG of one marker":          bytes.Repeat([]byte{0xff, 0xd8}, 50_000),
		"a JPEG of fill bytes":          append([]byte{0xff, 0xd8}, bytes.Repeat([]byte{0xff}, 100_000)...),
		"a WebP that lies about itself": append([]byte("RIFF\xff\xff\xff\xffWEBPVP8L\xff\xff\xff\x7f/"), make([]byte, 60)...),
	}
	x := &trial{t: t, store: store}
	for what, data := range files {
		x.give(what, data)
		if _, problems, err := probe.Upload.Inspect(data, int64(len(data))); err != nil || len(problems) > 0 {
			continue
		}
		if _, err := imaging.Inspect(data, imaging.DefaultLimits); err == nil {
			t.Errorf("%s comes to a decoder", what)
		}
	}
	if x.taken != 0 {
		t.Errorf("%d of them were taken", x.taken)
	}
}

// FuzzTake is the upload pipeline from the first byte to the stored file.
func FuzzTake(f *testing.F) {
	for _, data := range smallest() {
		f.Add(data, true)
		f.Add(data[:len(data)/2], false)
	}
	f.Add(testpics.PNGHeader(7000, 7000, 16, 6), true)
	f.Add(testpics.ManyScansJPEG(600, 600, 120), true)
	f.Add(testpics.AnimatedWebP(600, 600), false)
	dir := f.TempDir()
	store, err := OpenStore(dir)
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() {
		if err := store.Close(); err != nil {
			f.Error(err)
		}
	})
	f.Fuzz(func(t *testing.T, data []byte, announced bool) {
		length := int64(-1)
		if announced {
			length = int64(len(data))
		}
		x := &trial{t: t, store: store}
		p, err := store.Take(t.Context(), bytes.NewReader(data), length, probe.Upload)
		if err != nil {
			x.give("the same again", data)
			return
		}
		if !readable(data) || p.Bytes != int64(len(data)) || min(p.Facts.Width, p.Facts.Height) <= 512 {
			t.Errorf("%d bytes were taken as %+v", len(data), p.Facts)
		}
	})
}
