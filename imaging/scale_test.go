package imaging_test

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/color"
	"image/png"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"atelier/imaging"
	"atelier/imaging/mask"
	"atelier/imaging/probe"
	"atelier/imaging/testpics"
)

func TestFitAndCoverHaveTheAskedSizes(t *testing.T) {
	tests := []struct {
		sw, sh, w, h int
		fit          image.Point
	}{
		{400, 300, 200, 200, image.Pt(200, 150)},
		{300, 400, 200, 200, image.Pt(150, 200)},
		{400, 300, 400, 300, image.Pt(400, 300)},
		{40, 30, 200, 200, image.Pt(200, 150)},
		{401, 299, 77, 1000, image.Pt(77, 57)},
		{1000, 2, 100, 100, image.Pt(100, 1)},
		{1, 1, 5, 9, image.Pt(5, 5)},
		{5, 9, 1, 1, image.Pt(1, 1)},
	}
	for _, test := range tests {
		src := testpics.Photo(test.sw, test.sh, 1)
		if got := imaging.Fit(src, test.w, test.h).Rect.Size(); got != test.fit {
			t.Errorf("Fit %d × %d into %d × %d: %v, want %v", test.sw, test.sh, test.w, test.h, got, test.fit)
		}
		if got := imaging.Cover(src, test.w, test.h).Rect; got != image.Rect(0, 0, test.w, test.h) {
			t.Errorf("Cover %d × %d onto %d × %d: %v", test.sw, test.sh, test.w, test.h, got)
		}
		if got := imaging.Resize(src, test.w, test.h).Rect; got != image.Rect(0, 0, test.w, test.h) {
			t.Errorf("Resize %d × %d to %d × %d: %v", test.sw, test.sh, test.w, test.h, got)
		}
	}
}

// wave is a smooth picture whose value anywhere is known: scaled properly, it
// is the same wave with other numbers.
func wave(w, h int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			u, v := (float64(x)+0.5)/float64(w), (float64(y)+0.5)/float64(h)
			img.SetNRGBA(x, y, color.NRGBA{
				uint8(128 + 100*math.Sin(5*u)*math.Cos(4*v)), uint8(255 * u), uint8(255 * v), 255,
			})
		}
	}
	return img
}

func TestScalingNeitherShiftsNorStretchesThePicture(t *testing.T) {
	for _, size := range [][4]int{{1000, 800, 125, 100}, {1000, 800, 130, 97}, {777, 333, 200, 85}, {120, 90, 300, 225}, {640, 480, 639, 479}, {999, 70, 37, 71}} {
		got := imaging.Resize(wave(size[0], size[1]), size[2], size[3])
		if diff := meanError(t, got, wave(size[2], size[3])); diff > 1 {
			t.Errorf("%v: mean error %.2f levels", size, diff)
		}
	}
}

func TestCoverCropsAroundTheMiddle(t *testing.T) {
	src := image.NewNRGBA(image.Rect(0, 0, 300, 100))
	for x := range 300 {
		c := color.NRGBA{255, 0, 0, 255}
		if x >= 100 && x < 200 {
			c = color.NRGBA{0, 255, 0, 255}
		}
		for y := range 100 {
			src.SetNRGBA(x, y, c)
		}
	}
	got := imaging.Cover(src, 50, 50)
	if diff := meanError(t, got, testpics.Flat(50, 50, color.NRGBA{0, 255, 0, 255})); diff > 0 {
		t.Errorf("the middle third is %v at the left, mean error %.2f", got.NRGBAAt(0, 25), diff)
	}
}

func TestScalingKeepsInvisibleColoursOutOfTheEdge(t *testing.T) {
	// White on transparent black: a plain average would grey the edge.
	src := image.NewNRGBA(image.Rect(0, 0, 400, 400))
	for y := range 400 {
		for x := 203; x < 400; x++ {
			src.SetNRGBA(x, y, color.NRGBA{255, 255, 255, 255})
		}
	}
	for _, side := range []int{37, 100, 133, 399, 700} {
		got := imaging.Resize(src, side, side)
		for x := range side {
			if c := got.NRGBAAt(x, side/2); c.A > 8 && c.R < 240 {
				t.Fatalf("side %d: pixel %d at the edge is %v", side, x, c)
			}
		}
	}
}

func TestThumbnails(t *testing.T) {
	photo := testpics.Photo(640, 480, 3)
	tests := []struct {
		name   string
		data   []byte
		w, h   int
		format probe.Format
	}{
		{"jpeg", testpics.JPEG(photo), 160, 120, probe.JPEG},
		{"png", testpics.PNG(photo), 160, 120, probe.JPEG},
		{"webp", testpics.WebP(photo), 160, 120, probe.JPEG},
		{"transparent png", testpics.PNG(holes(640, 480)), 160, 120, probe.WebP},
		{"transparent webp", testpics.WebP(holes(640, 480)), 160, 120, probe.WebP},
		{"smaller than asked", testpics.JPEG(testpics.Photo(100, 60, 1)), 100, 60, probe.JPEG},
		{"a line", testpics.PNG(testpics.Flat(900, 2, color.NRGBA{1, 2, 3, 255})), 160, 1, probe.JPEG},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			thumb, err := imaging.Thumb(t.Context(), test.data, 160, imaging.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if thumb.Width != test.w || thumb.Height != test.h || thumb.Format != test.format || probe.Sniff(thumb.Data) != test.format {
				t.Errorf("thumbnail is %s, %d × %d, want %s, %d × %d", thumb.Format, thumb.Width, thumb.Height, test.format, test.w, test.h)
			}
			want := imaging.Fit(decode(t, test.data), test.w, test.h)
			if diff := meanError(t, decode(t, thumb.Data), want); diff > 5 {
				t.Errorf("mean error %.2f levels against the scaled original", diff)
			}
			if len(thumb.Preview) == 0 {
				t.Error("no preview")
			}
		})
	}
}

func TestThumbnailsAreUpright(t *testing.T) {
	photo := testpics.Photo(320, 200, 3)
	want, err := imaging.ThumbOf(photo, 80)
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; n <= 8; n++ {
		got, err := imaging.Thumb(t.Context(), testpics.Turned(photo, "jpeg", n), 80, imaging.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if diff := meanError(t, decode(t, got.Data), decode(t, want.Data)); diff > 3 {
			t.Errorf("orientation %d: mean error %.2f levels", n, diff)
		}
	}
}

func TestThumbnailPassesTheSameGuard(t *testing.T) {
	if _, err := imaging.Thumb(t.Context(), testpics.ManyScansJPEG(64, 64, 101), 80, imaging.Limits{}); err == nil {
		t.Error("a file that hurts was opened")
	}
}

func TestR7MetadataNeverSurvives(t *testing.T) {
	photo := testpics.Photo(80, 60, 1)
	for _, format := range []string{"png", "jpeg", "webp"} {
		img := decode(t, testpics.Turned(photo, format, 6))
		if format == "webp" { // its turn does not count
			img = decode(t, testpics.WithOrientation(testpics.WebP(photo), 6))
		}
		for _, out := range []probe.Format{probe.PNG, probe.JPEG, probe.WebP} {
			data := encode(t, img, imaging.EncodeOptions{Format: out})
			for _, trace := range []string{"Exif", "EXIF", "eXIf", "II*\x00", "MM\x00*"} {
				if bytes.Contains(data, []byte(trace)) {
					t.Errorf("%s written from %s contains %q", out, format, trace)
				}
			}
			if facts, err := probe.Read(data, int64(len(data))); err != nil || facts.Orientation != 1 || facts.Width != 80 {
				t.Errorf("%s written from %s reads as %+v, %v", out, format, facts, err)
			}
		}
	}
}

func TestPNGKeepsEveryPixel(t *testing.T) {
	noise := image.NewNRGBA(image.Rect(0, 0, 700, 900))
	rng := rand.New(rand.NewPCG(2, 2))
	for i := range noise.Pix {
		noise.Pix[i] = uint8(rng.IntN(256))
	}
	pictures := map[string]*image.NRGBA{
		"photo": testpics.Photo(1301, 997, 1), "transparent": holes(901, 1203), "noise": noise, "one colour": testpics.Flat(2000, 1000, color.NRGBA{7, 8, 9, 255}),
		"one pixel": testpics.Flat(1, 1, color.NRGBA{1, 2, 3, 255}), "one clear pixel": testpics.Flat(1, 1, color.NRGBA{1, 2, 3, 0}), "column": testpics.Photo(1, 500, 3), "row": holes(5000, 1),
		"part of another": testpics.Photo(300, 300, 4).SubImage(image.Rect(50, 60, 250, 200)).(*image.NRGBA),
	}
	for name, img := range pictures {
		for _, speed := range []imaging.Speed{imaging.Fast, imaging.Balanced, imaging.Small} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				data := encode(t, img, imaging.EncodeOptions{Format: probe.PNG, Speed: speed})
				got, err := png.Decode(bytes.NewReader(data))
				if err != nil {
					t.Fatal(err)
				}
				if b := got.Bounds(); b.Dx() != img.Rect.Dx() || b.Dy() != img.Rect.Dy() {
					t.Fatalf("picture is %v, want %v", b, img.Rect)
				}
				for y := range img.Rect.Dy() {
					for x := range img.Rect.Dx() {
						want := img.NRGBAAt(img.Rect.Min.X+x, img.Rect.Min.Y+y)
						if c := color.NRGBAModel.Convert(got.At(x, y)); c != want {
							t.Fatalf("pixel %d,%d is %v, want %v", x, y, c, want)
						}
					}
				}
			})
		}
	}
}

func TestJPEGLaysTransparencyOnWhite(t *testing.T) {
	got := decode(t, encode(t, testpics.Flat(40, 40, color.NRGBA{200, 0, 0, 0}), imaging.EncodeOptions{Format: probe.JPEG}))
	if c := got.NRGBAAt(20, 20); c != (color.NRGBA{255, 255, 255, 255}) {
		t.Errorf("transparent pixel became %v", c)
	}
	if half := imaging.Flatten(testpics.Flat(2, 2, color.NRGBA{200, 0, 100, 51}), 255, 255, 255).NRGBAAt(0, 0); half != (color.NRGBA{244, 204, 224, 255}) {
		t.Errorf("a fifth of red on white is %v", half)
	}
}

func TestWhatCannotBeWrittenIsRefused(t *testing.T) {
	small := testpics.Flat(2, 2, color.NRGBA{})
	tests := map[string]struct {
		img    *image.NRGBA
		format probe.Format
	}{
		"gif":             {small, probe.GIF},
		"no format":       {small, ""},
		"no pixels":       {&image.NRGBA{}, probe.PNG},
		"webp too wide":   {image.NewNRGBA(image.Rect(0, 0, 16384, 1)), probe.WebP},
		"jpeg too narrow": {image.NewNRGBA(image.Rect(0, 0, 0, 9)), probe.JPEG},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := imaging.Encode(&b, test.img, imaging.EncodeOptions{Format: test.format}); err == nil {
				t.Error("Encode succeeded")
			}
		})
	}
}

func TestPreviewIsATinyPictureOfTheWhole(t *testing.T) {
	for name, img := range map[string]*image.NRGBA{"photo": testpics.Photo(900, 600, 1), "hole": holes(600, 900), "line": testpics.Flat(4000, 1, color.NRGBA{9, 9, 9, 255}), "dot": testpics.Flat(1, 1, color.NRGBA{})} {
		t.Run(name, func(t *testing.T) {
			uri, err := imaging.Preview(img)
			if err != nil {
				t.Fatal(err)
			}
			if len(uri) > 500 {
				t.Errorf("%d bytes, want at most 500", len(uri))
			}
			packed, ok := strings.CutPrefix(uri, "data:image/webp;base64,")
			data, err := base64.StdEncoding.DecodeString(packed)
			if !ok || err != nil {
				t.Fatalf("not a data URI: %q, %v", uri, err)
			}
			small := decode(t, data)
			if max(small.Rect.Dx(), small.Rect.Dy()) > 12 {
				t.Errorf("preview is %v", small.Rect)
			}
			if diff := meanError(t, small, imaging.Resize(img, small.Rect.Dx(), small.Rect.Dy())); diff > 16 {
				t.Errorf("mean error %.1f levels", diff)
			}
		})
	}
}

func TestMasksOpenFromAlphaOrFromBlackAndWhite(t *testing.T) {
	truth := mask.New(90, 70)
	truth.FillRect(image.Rect(10, 20, 60, 50), 255)
	grey := image.NewNRGBA(truth.Rect())
	opaque := image.NewNRGBA(truth.Rect())
	for i, v := range truth.Pix {
		copy(grey.Pix[4*i:], []uint8{v, v, v, 255})
		copy(opaque.Pix[4*i:], []uint8{40, 40, 40, v})
	}
	tests := []struct {
		name      string
		data      []byte
		fromAlpha bool
	}{
		{"our own, RGBA", mask.EncodeRGBA(truth), true},
		{"our own, palette", mask.EncodePalette(truth), true},
		{"dark paint on nothing", testpics.PNG(opaque), true},
		{"black and white png", testpics.PNG(grey), false},
		{"black and white jpeg", testpics.JPEG(grey), false},
		{"webp with alpha", testpics.LosslessWebP(opaque), true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p, fromAlpha, err := imaging.DecodeMask(t.Context(), test.data, imaging.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			p.Threshold(mask.Level)
			if fromAlpha != test.fromAlpha || !p.Equal(truth) {
				t.Errorf("from alpha %v, want %v; equal to what was drawn: %v", fromAlpha, test.fromAlpha, p.Equal(truth))
			}
		})
	}
	if _, _, err := imaging.DecodeMask(t.Context(), []byte("no mask"), imaging.Limits{}); err == nil {
		t.Error("text was opened as a mask")
	}
}

func BenchmarkScale4096(b *testing.B) {
	img := testpics.Photo(4096, 4096, 1)
	rng := rand.New(rand.NewPCG(1, 1))
	clear := imaging.Clone(img)
	for i := 3; i < len(clear.Pix); i += 4 {
		clear.Pix[i] = uint8(rng.IntN(256))
	}
	for name, src := range map[string]*image.NRGBA{"opaque": img, "alpha": clear} {
		for _, side := range []int{512, 2048} {
			b.Run(name+"/"+map[int]string{512: "512", 2048: "2048"}[side], func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					imaging.Resize(src, side, side)
				}
			})
		}
	}
	for _, f := range []probe.Format{probe.PNG, probe.JPEG, probe.WebP} {
		b.Run("encode/"+string(f), func(b *testing.B) {
			for b.Loop() {
				encode(b, img, imaging.EncodeOptions{Format: f, Speed: imaging.Fast})
			}
		})
	}
}
