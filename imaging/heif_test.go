package imaging_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"math/rand/v2"
	"testing"
	"time"

	"atelier/imaging"
	"atelier/imaging/probe"
	"atelier/imaging/testpics"
)

var converts = imaging.Limits{Converts: true}

// The corners of the sheet in testpics.HEIF, in order: top left, top right, bottom left, bottom right, and its middle.
var sheet = [5]color.NRGBA{{255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}, {188, 188, 188, 255}, {188, 188, 188, 255}}

func cornersOf(img *image.NRGBA) (c [5]color.NRGBA) {
	const in = 60
	w, h := img.Rect.Dx(), img.Rect.Dy()
	for i, p := range []image.Point{{in, in}, {w - in, in}, {in, h - in}, {w - in, h - in}, {w / 2, h / 2}} {
		c[i] = img.NRGBAAt(p.X, p.Y)
	}
	return c
}

func near(a, b color.NRGBA, by int) bool {
	for _, d := range [4]int{int(a.R) - int(b.R), int(a.G) - int(b.G), int(a.B) - int(b.B), int(a.A) - int(b.A)} {
		if d > by || -d > by {
			return false
		}
	}
	return true
}

func TestHEICDecodes(t *testing.T) {
	t.Parallel()
	const r, g, b, d = 0, 1, 2, 3
	clear := color.NRGBA{188, 188, 188, 0}
	for _, tt := range []struct {
		name string
		file testpics.HEIF
		w, h int
		want [4]int // which corner of the sheet is where
	}{
		{"a grid of tiles", testpics.HEIF{Main: testpics.HEIFTiles8}, 640, 880, [4]int{r, g, b, d}},
		{"10 bits", testpics.HEIF{Main: testpics.HEIFTiles10}, 640, 880, [4]int{r, g, b, d}},
		{"BT.709, limited", testpics.HEIF{Main: testpics.HEIFWhole709}, 640, 880, [4]int{r, g, b, d}},
		{"4:4:4", testpics.HEIF{Main: testpics.HEIFWhole444}, 640, 880, [4]int{r, g, b, d}},
		{"a quarter turn", testpics.HEIF{Main: testpics.HEIFTiles8, Rotate: 1}, 880, 640, [4]int{g, d, r, b}},
		{"half a turn", testpics.HEIF{Main: testpics.HEIFWhole709, Rotate: 2}, 640, 880, [4]int{d, b, g, r}},
		{"three quarter turns", testpics.HEIF{Main: testpics.HEIFTiles8, Rotate: 3}, 880, 640, [4]int{b, r, d, g}},
		{"top and bottom mirrored", testpics.HEIF{Main: testpics.HEIFTiles8, Mirror: 1}, 640, 880, [4]int{b, d, r, g}},
		{"left and right mirrored", testpics.HEIF{Main: testpics.HEIFTiles8, Mirror: 2}, 640, 880, [4]int{g, r, d, b}},
		{"turned, then mirrored", testpics.HEIF{Main: testpics.HEIFTiles8, Rotate: 1, Mirror: 2}, 880, 640, [4]int{d, g, b, r}},
		{"cropped", testpics.HEIF{Main: testpics.HEIFTiles8, Crop: [2]int{600, 800}}, 600, 800, [4]int{r, g, b, d}},
		{"EXIF that says it is turned", testpics.HEIF{Main: testpics.HEIFTiles8, EXIF: testpics.Exif(6, true)}, 640, 880, [4]int{r, g, b, d}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			img, facts, err := imaging.Decode(t.Context(), tt.file.File(), converts)
			if err != nil {
				t.Fatal(err)
			}
			if facts.Width != tt.w || facts.Height != tt.h || img.Rect.Size() != image.Pt(tt.w, tt.h) || facts.Orientation != 1 {
				t.Errorf("%d × %d announced, %v decoded, orientation %d, want %d × %d", facts.Width, facts.Height, img.Rect.Size(), facts.Orientation, tt.w, tt.h)
			}
			for i, c := range cornersOf(img) {
				want := sheet[4]
				if i < 4 {
					want = sheet[tt.want[i]]
				}
				if !near(c, want, 4) {
					t.Errorf("place %d is %v, want %v", i, c, want)
				}
			}
		})
	}
	t.Run("transparency", func(t *testing.T) {
		t.Parallel()
		img, facts, err := imaging.Decode(t.Context(), testpics.HEIF{Main: testpics.HEIFTiles8, Alpha: testpics.HEIFAlpha}.File(), converts)
		if err != nil {
			t.Fatal(err)
		}
		if !facts.HasAlpha || !near(img.NRGBAAt(560, 800), clear, 4) || img.NRGBAAt(60, 60).A != 255 || img.NRGBAAt(240, 800).A < 120 || img.NRGBAAt(240, 800).A > 136 {
			t.Errorf("alpha %v: %v, %v, %v", facts.HasAlpha, img.NRGBAAt(560, 800), img.NRGBAAt(60, 60), img.NRGBAAt(240, 800))
		}
	})
}

func TestHEICNeedsLeave(t *testing.T) {
	t.Parallel()
	for _, file := range [][]byte{testpics.HEIF{Main: testpics.HEIFTiles8}.File(), testpics.TIFF{Picture: testpics.Photo(60, 80, 1), Photometric: 2}.File()} {
		_, err := imaging.Inspect(file, imaging.DefaultLimits)
		if e, ok := errors.AsType[*imaging.Error](err); !ok || e.Code != imaging.WrongType {
			t.Errorf("whoever takes no HEIC and TIFF gets %v", err)
		}
	}
}

func TestHEICPixelLimit(t *testing.T) {
	t.Parallel()
	file := testpics.HEIF{Main: testpics.HEIFTiles8}.File()
	for pixels, refused := range map[int64]bool{640*880 - 1: true, 640 * 880: false, 640*880 + 1: false} {
		_, err := imaging.Inspect(file, imaging.Limits{Converts: true, MaxPixels: pixels})
		if e, ok := errors.AsType[*imaging.Error](err); (ok && e.Code == imaging.TooManyPixels) != refused || err != nil && !ok {
			t.Errorf("with at most %d pixels: %v", pixels, err)
		}
	}
}

func TestHEICEndsInTime(t *testing.T) {
	t.Parallel()
	file := testpics.HEIF{Main: testpics.HEIFTiles8}.File()
	_, _, err := imaging.Decode(t.Context(), file, imaging.Limits{Converts: true, Deadline: time.Nanosecond})
	if e, ok := errors.AsType[*imaging.Error](err); !ok || e.Code != imaging.TooSlow {
		t.Errorf("with no time: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := imaging.Decode(ctx, file, converts); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// A file whose boxes promise less than its stream holds would do work nobody announced.
func TestHEICLiesAreDamage(t *testing.T) {
	t.Parallel()
	for name, file := range map[string]testpics.HEIF{
		"a stream larger than announced":  {Main: testpics.HEIFWhole709, Width: 600, Height: 600},
		"a stream smaller than announced": {Main: testpics.HEIFWhole709, Width: 1280, Height: 1760},
		"tiles that do not show":          {Main: testpics.HEIFTiles8, Width: 500, Height: 880},
		"tiles that are missing":          {Main: testpics.HEIFTiles8, Width: 1025, Height: 880},
	} {
		_, err := imaging.Inspect(file.File(), converts)
		if e, ok := errors.AsType[*imaging.Error](err); !ok || e.Code != imaging.Corrupt {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := imaging.Inspect(testpics.HEIF{Main: testpics.HEIFTiles8, Codec: "j2k1"}.File(), converts)
	if e, ok := errors.AsType[*imaging.Error](err); !ok || e.Code != imaging.WrongType {
		t.Errorf("of another codec: %v", err)
	}
}

func TestHEICCutOffIsDamage(t *testing.T) {
	t.Parallel()
	file := testpics.HEIF{Main: testpics.HEIFTiles8, EXIF: testpics.Exif(1, false)}.File()
	for n := 12; n < len(file); n += 7 {
		if _, err := imaging.Inspect(file[:n], converts); err == nil {
			t.Fatalf("%d of %d bytes are taken", n, len(file))
		}
	}
}

func TestTIFFDecodes(t *testing.T) {
	t.Parallel()
	photo := testpics.Photo(130, 70, 3)
	grey := image.NewNRGBA(photo.Rect)
	half := image.NewNRGBA(photo.Rect)
	for i := 0; i < len(photo.Pix); i += 4 {
		v := photo.Pix[i]
		copy(grey.Pix[i:], []byte{v, v, v, 255})
		copy(half.Pix[i:], []byte{photo.Pix[i], photo.Pix[i+1], photo.Pix[i+2], uint8(i / 4 * 7)})
	}
	var palette [][3]int
	coloured := image.NewNRGBA(photo.Rect)
	for i := range 256 {
		palette = append(palette, [3]int{i * 257, (255 - i) * 257, (i * i % 256) * 257})
	}
	for i := 0; i < len(photo.Pix); i += 4 {
		c := palette[photo.Pix[i]]
		copy(coloured.Pix[i:], []byte{uint8(c[0] / 257), uint8(c[1] / 257), uint8(c[2] / 257), 255})
	}
	for name, tt := range map[string]struct {
		file testpics.TIFF
		want *image.NRGBA
	}{
		"plain":                     {testpics.TIFF{Picture: photo, Photometric: 2}, photo},
		"big-endian, 16 bits":       {testpics.TIFF{Picture: photo, Photometric: 2, Big: true, Bits: 16}, photo},
		"little-endian, 16 bits":    {testpics.TIFF{Picture: photo, Photometric: 2, Bits: 16}, photo},
		"LZW in strips":             {testpics.TIFF{Picture: photo, Photometric: 2, Compression: 5, Rows: 16}, photo},
		"LZW, differences, 16 bits": {testpics.TIFF{Picture: photo, Photometric: 2, Compression: 5, Rows: 16, Bits: 16, Differences: true}, photo},
		"Deflate, differences":      {testpics.TIFF{Picture: photo, Photometric: 2, Compression: 8, Differences: true}, photo},
		"old Deflate":               {testpics.TIFF{Picture: photo, Photometric: 2, Compression: 32946}, photo},
		"PackBits":                  {testpics.TIFF{Picture: photo, Photometric: 2, Compression: 32773, Rows: 7}, photo},
		"tiles":                     {testpics.TIFF{Picture: photo, Photometric: 2, Compression: 8, Tile: 32}, photo},
		"planes":                    {testpics.TIFF{Picture: photo, Photometric: 2, Planar: true, Rows: 20, Compression: 8}, photo},
		"transparency":              {testpics.TIFF{Picture: half, Photometric: 2, Alpha: 2, Bits: 16}, half},
		"a channel of a mask":       {testpics.TIFF{Picture: half, Photometric: 2, Alpha: 9}, photo},
		"grey":                      {testpics.TIFF{Picture: photo, Photometric: 1}, grey},
		"grey from white":           {testpics.TIFF{Picture: photo, Photometric: 0, Compression: 32773}, grey},
		"grey of 16 bits":           {testpics.TIFF{Picture: photo, Photometric: 1, Bits: 16, Big: true}, grey},
		"a palette":                 {testpics.TIFF{Picture: photo, Photometric: 3, Palette: palette}, coloured},
		"several pages":             {testpics.TIFF{Picture: photo, Photometric: 2, Pages: 2}, photo},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			img, facts, err := imaging.Decode(t.Context(), tt.file.File(), converts)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(img.Pix, tt.want.Pix) {
				t.Errorf("other pixels: %v in place of %v", img.Pix[:8], tt.want.Pix[:8])
			}
			if facts.Pages != tt.file.Pages+1 {
				t.Errorf("%d pages, want %d", facts.Pages, tt.file.Pages+1)
			}
		})
	}
	for n := range 9 {
		img, facts, err := imaging.Decode(t.Context(), testpics.TIFF{Picture: photo, Photometric: 2, Orientation: n}.File(), converts)
		if err != nil || facts.Width != img.Rect.Dx() || (n >= 5) != (img.Rect.Dx() == 70) {
			t.Errorf("orientation %d: %v, %d wide", n, err, facts.Width)
		}
	}
}

// What is not converted says so with what to do; what is cut off is damaged.
func TestTIFFRefusals(t *testing.T) {
	t.Parallel()
	photo := testpics.Photo(60, 80, 1)
	for name, tt := range map[string]struct {
		file []byte
		code imaging.Code
		kind probe.Kind
	}{
		"CMYK":          {testpics.TIFF{Picture: photo, Photometric: 5}.File(), imaging.WrongType, probe.InksTIFF},
		"JPEG inside":   {testpics.TIFF{Picture: photo, Photometric: 2, Compression: 7}.File(), imaging.WrongType, probe.PackedTIFF},
		"32 bits":       {testpics.TIFF{Picture: photo, Photometric: 2, Bits: 32}.File(), imaging.WrongType, probe.DeepTIFF},
		"L*a*b*":        {testpics.TIFF{Picture: photo, Photometric: 8}.File(), imaging.WrongType, probe.OddTIFF},
		"64-bit places": {append([]byte("II+\x00\x08\x00\x00\x00"), make([]byte, 600)...), imaging.WrongType, probe.BigTIFF},
	} {
		facts, err := imaging.Inspect(tt.file, converts)
		e, ok := errors.AsType[*imaging.Error](err)
		if !ok || e.Code != tt.code || facts.Kind != tt.kind {
			t.Errorf("%s: %v, kind %d, want %d", name, err, facts.Kind, tt.kind)
		}
	}
	whole := testpics.TIFF{Picture: photo, Photometric: 2, Compression: 8, Rows: 8}.File()
	for n := 8; n < len(whole); n += 11 {
		if _, err := imaging.Inspect(whole[:n], converts); err == nil {
			t.Fatalf("%d of %d bytes are taken", n, len(whole))
		}
	}
}

func FuzzHEIC(f *testing.F) {
	for _, file := range []testpics.HEIF{
		{Main: testpics.HEIFTiles8, Rotate: 1, EXIF: testpics.Exif(6, true)},
		{Main: testpics.HEIFTiles10, Crop: [2]int{600, 800}},
		{Main: testpics.HEIFWhole709, Alpha: testpics.HEIFAlpha, CodePoints: []uint16{12, 13, 6, 1}},
		{Main: testpics.HEIFWhole444, Mirror: 1},
	} {
		data := file.File()
		if _, _, err := imaging.Decode(f.Context(), data, converts); err != nil { // compiles the decoder, which one input has no time for
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) { decodesOrSays(t, data, probe.HEIC) })
}

func FuzzTIFF(f *testing.F) {
	photo := testpics.Photo(40, 30, 1)
	for _, file := range []testpics.TIFF{
		{Picture: photo, Photometric: 2, Compression: 5, Rows: 8},
		{Picture: photo, Photometric: 2, Compression: 8, Tile: 16, Differences: true},
		{Picture: photo, Photometric: 1, Compression: 32773, Big: true, Bits: 16, Pages: 1},
		{Picture: photo, Photometric: 2, Planar: true, Alpha: 1, Orientation: 6},
	} {
		f.Add(file.File())
	}
	f.Fuzz(func(t *testing.T, data []byte) { decodesOrSays(t, data, probe.TIFF) })
}

// decodesOrSays wants a picture of the announced size, or a refusal in words; what the browser's half does must not fail either.
func decodesOrSays(t *testing.T, data []byte, format probe.Format) {
	t.Helper()
	if probe.Sniff(data) != format {
		return
	}
	limits := imaging.Limits{Converts: true, MaxPixels: 2_000_000}
	img, facts, err := imaging.Decode(t.Context(), data, limits)
	if e, ok := errors.AsType[*imaging.Error](err); err != nil && (!ok || e.Message == "") {
		t.Fatalf("not said in words: %v", err)
	}
	if err == nil && (img.Rect.Dx() != facts.Width || img.Rect.Dy() != facts.Height) {
		t.Fatalf("%v in place of %d × %d", img.Rect.Size(), facts.Width, facts.Height)
	}
	probe.Unlocate(bytes.Clone(data))
	if _, _, err := probe.Studio.Inspect(data[:len(data)/2], int64(len(data))); err != nil && !errors.Is(err, probe.ErrNeedMore) {
		t.Fatal(err)
	}
}

// Damaged streams and boxes end in words, whatever is broken.
func TestHEICDamage(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(4, 2026))
	whole := [][]byte{
		testpics.HEIF{Main: testpics.HEIFTiles8, Rotate: 1}.File(), testpics.HEIF{Main: testpics.HEIFWhole709, Alpha: testpics.HEIFAlpha}.File(),
		testpics.TIFF{Picture: testpics.Photo(60, 80, 1), Photometric: 2, Compression: 5, Rows: 8}.File(),
	}
	for i := range 60 {
		data := testpics.Damaged(rng, whole[i%3], whole[(i+1)%3])
		if f := probe.Sniff(data); f == probe.HEIC || f == probe.TIFF {
			decodesOrSays(t, data, f)
		}
	}
}
