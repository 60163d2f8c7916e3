package media

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"image/color"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"atelier/atelier"
	"atelier/imaging"
	"atelier/imaging/mask"
	"atelier/imaging/probe"
	"atelier/imaging/testpics"
)

func openStore(t *testing.T) (*Store, string) {
	t.Helper()
	dir := t.TempDir()
	s, err := OpenStore(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s, dir
}

// files lists every file below the folder of the store.
func files(t *testing.T, dir string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestEqualBytesAreKeptOnce(t *testing.T) {
	t.Parallel()
	s, dir := openStore(t)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			sha, n, err := s.Put(t.Context(), strings.NewReader("hello"))
			if err != nil || n != 5 || sha != "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824" {
				t.Errorf("Put = %s, %d, %v", sha, n, err)
			}
		})
	}
	wg.Wait()
	if names := files(t, dir); len(names) != 1 {
		t.Errorf("the store holds %v", names)
	}
	data, err := s.Read("2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824")
	if err != nil || string(data) != "hello" {
		t.Errorf("Read = %q, %v", data, err)
	}
}

func TestAnUploadThatBreaksOffLeavesNothing(t *testing.T) {
	t.Parallel()
	s, dir := openStore(t)
	broken := errors.New("connection lost")
	if _, _, err := s.Put(t.Context(), io.MultiReader(strings.NewReader("half"), iotest.ErrReader(broken))); !errors.Is(err, broken) {
		t.Errorf("Put = %v", err)
	}
	if names := files(t, dir); len(names) != 0 {
		t.Errorf("the store holds %v", names)
	}
}

func TestLeftOversOfACrashAreRemovedAtStart(t *testing.T) {
	t.Parallel()
	s, dir := openStore(t)
	old, fresh := filepath.Join(dir, spool, "old"), filepath.Join(dir, spool, "fresh")
	for _, name := range []string{old, fresh} {
		if err := os.WriteFile(name, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	yesterday := time.Now().Add(-24 * time.Hour)
	if err := os.Chtimes(old, yesterday, yesterday); err != nil {
		t.Fatal(err)
	}
	if err := s.sweepSpool(time.Now().Add(-spoolAge)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{fresh}, files(t, dir)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

func TestNoNameLeavesTheStore(t *testing.T) {
	t.Parallel()
	s, _ := openStore(t)
	for _, name := range []string{"", "..", "../../etc/passwd", strings.Repeat("a", 63) + "/", strings.Repeat("A", 64), strings.Repeat("a", 65), strings.Repeat(".", 64)} {
		if _, err := s.Open(name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("Open(%q) = %v", name, err)
		}
		if s.Has(name) {
			t.Errorf("Has(%q)", name)
		}
	}
}

func TestAPictureIsRefusedWithTheReasonAndNothingIsKept(t *testing.T) {
	t.Parallel()
	photo := testpics.JPEG(testpics.Photo(600, 700, 1))
	limit := int(probe.Upload.MaxBytes)
	tests := []struct {
		name     string
		data     []byte
		declared int64 // 0 = not announced
		want     atelier.Code
		word     string
	}{
		{"a photo", photo, 0, "", ""},
		{"a photo of the announced length", photo, int64(len(photo)), "", ""},
		{"exactly the largest", testpics.PadTo(photo, limit), int64(limit), "", ""},
		{"one byte less than the largest", testpics.PadTo(photo, limit-1), 0, "", ""},
		{"one byte more, announced", testpics.PadTo(photo, limit+1), int64(limit) + 1, atelier.TooLarge, "10"},
		{"one byte more, not announced", testpics.PadTo(photo, limit+1), 0, atelier.TooLarge, "10"},
		{"one byte more, announced as less", testpics.PadTo(photo, limit+1), 1000, atelier.TooLarge, "10"},
		{"empty", nil, 0, atelier.Invalid, "empty"},
		{"cut short", photo[:len(photo)/2], 0, atelier.Invalid, "damaged"},
		{"both sides 513", testpics.PNG(testpics.Photo(513, 513, 1)), 0, "", ""},
		{"a width of 512", testpics.PNG(testpics.Photo(512, 700, 1)), 0, atelier.Invalid, "512"},
		{"a height of 512", testpics.PNG(testpics.Photo(700, 512, 1)), 0, atelier.Invalid, "512"},
		{"a ratio of 2", testpics.PNG(testpics.Photo(520, 1040, 1)), 0, atelier.Invalid, "ratio"},
		{"a ratio just under 2", testpics.PNG(testpics.Photo(521, 1040, 1)), 0, "", ""},
		{"WebP", testpics.WebP(testpics.Photo(600, 700, 1)), 0, "", ""},
		{"animated WebP", testpics.AnimatedWebP(600, 700), 0, atelier.WrongType, "animated"},
		{"animated PNG", testpics.AnimatedPNG(600, 700), 0, atelier.WrongType, "animated"},
		{"HTML", []byte("<!doctype html><script>alert(1)</script>"), 0, atelier.WrongType, "HTML"},
		{"SVG", []byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`), 0, atelier.WrongType, "SVG"},
		{"GIF", []byte("GIF89a\x00\x03\x00\x03\x00\x00\x00;"), 0, atelier.WrongType, "GIF"},
		{"a header and nothing else", testpics.PNGHeader(700, 700, 16, 6), 0, atelier.Invalid, "damaged"},
		{"too many pixels of 16 bits", testpics.PNGHeader(7000, 7000, 16, 6), 0, atelier.TooLarge, "33 megapixels"},
		{"many scans", testpics.ManyScansJPEG(1024, 1024, 500), 0, atelier.Invalid, "long"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s, dir := openStore(t)
			if tt.declared == 0 {
				tt.declared = -1
			}
			p, err := s.Take(t.Context(), bytes.NewReader(tt.data), tt.declared, probe.Upload)
			if got := atelier.CodeOf(err); got != tt.want {
				t.Fatalf("Take = %v (%s), want %q", err, got, tt.want)
			}
			if tt.want != "" {
				if !strings.Contains(err.Error(), tt.word) {
					t.Errorf("the sentence is %q, want one with %q", err, tt.word)
				}
				if names := files(t, dir); len(names) != 0 {
					t.Errorf("the store holds %v", names)
				}
				return
			}
			data, err := s.Read(p.SHA256)
			if err != nil || !bytes.Equal(data, tt.data) {
				t.Errorf("the stored bytes differ (%v)", err)
			}
			if p.Sent.SHA256 != p.SHA256 || !strings.HasPrefix(p.Preview, "data:image/") {
				t.Errorf("Take = %+v", p)
			}
		})
	}
}

// R6: an upload that does not end is read to the limit and no further.
func TestR6AnUploadWithoutEndIsReadToTheLimit(t *testing.T) {
	t.Parallel()
	store, _ := openStore(t)
	read := 0
	endless := io.MultiReader(bytes.NewReader(smallest()[probe.JPEG]), readerFunc(func(p []byte) (int, error) {
		if read += len(p); read > 64<<20 {
			return 0, io.EOF
		}
		return len(p), nil
	}))
	_, err := store.Take(t.Context(), endless, -1, probe.Upload)
	if atelier.CodeOf(err) != atelier.TooLarge || int64(read) > probe.Upload.MaxBytes+1<<20 {
		t.Errorf("after %d bytes: %v, want a refusal after %d", read, err, probe.Upload.MaxBytes)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func TestATurnedPhotoGoesOutUprightAndStaysAsItCame(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"jpeg", "png"} {
		for n := 2; n <= 8; n++ {
			t.Run(fmt.Sprint(format, n), func(t *testing.T) {
				t.Parallel()
				s, _ := openStore(t)
				data := testpics.Turned(testpics.Photo(640, 560, 3), format, n)
				p, err := s.Take(t.Context(), bytes.NewReader(data), -1, probe.Upload)
				if err != nil {
					t.Fatal(err)
				}
				original, err := s.Read(p.SHA256)
				if err != nil || !bytes.Equal(original, data) {
					t.Errorf("the original differs (%v)", err)
				}
				if p.Facts.Width != 640 || p.Facts.Height != 560 {
					t.Errorf("the size is %d × %d", p.Facts.Width, p.Facts.Height)
				}
				sent, err := s.Read(p.Sent.SHA256)
				if err != nil {
					t.Fatal(err)
				}
				facts, err := imaging.Inspect(sent, imaging.DefaultLimits)
				if err != nil || facts.Orientation != 1 || facts.RawWidth != 640 || facts.RawHeight != 560 || int64(len(sent)) != p.Sent.Bytes {
					t.Errorf("what goes out is %+v, %v", facts, err)
				}
			})
		}
	}
}

// Readers disagree about the turn of a WebP: it is stored so that all of them leave it as it is.
func TestATurnThatDoesNotCountIsSettled(t *testing.T) {
	t.Parallel()
	s, _ := openStore(t)
	plain := testpics.WebP(testpics.Photo(640, 560, 3))
	data := testpics.WithOrientation(plain, 6)
	p, err := s.Take(t.Context(), bytes.NewReader(data), -1, probe.Upload)
	if err != nil {
		t.Fatal(err)
	}
	stored, err := s.Read(p.SHA256)
	if err != nil {
		t.Fatal(err)
	}
	upright := testpics.WithEXIF(plain, testpics.ExifOf(true, testpics.Orientation(1)))
	if !bytes.Equal(stored, upright) || p.Sent.SHA256 != p.SHA256 || p.Facts.Width != 640 || p.Bytes != int64(len(stored)) {
		t.Errorf("%d bytes, of %d, are stored of a picture %d px wide; what goes out is another file: %v", len(stored), p.Bytes, p.Facts.Width, p.Sent.SHA256 != p.SHA256)
	}
}

// The image service gets colours it cannot mistake.
func TestOtherColoursGoOutInSRGB(t *testing.T) {
	t.Parallel()
	grey := testpics.Flat(640, 560, color.NRGBA{R: 128, G: 128, B: 128, A: 255})
	linear := testpics.MatrixProfile(testpics.PrimariesSRGB, testpics.GammaCurve(1), testpics.Description("Linear sRGB"))
	flat := testpics.BlockJPEG{W: 640, H: 560, Parts: 4, Adobe: -1, At: func(int, int) [4]uint8 { return [4]uint8{188, 188, 188, 255} }}
	for name, data := range map[string][]byte{
		"png with a profile":  testpics.WithProfile(testpics.PNG(grey), linear),
		"jpeg with a profile": testpics.WithProfile(testpics.JPEG(grey), linear),
		"png with an exponent": testpics.RawPNG{W: 640, H: 560, Depth: 8, ColourType: 0, Before: [][]byte{testpics.Gamma(1)}, At: func(int, int) []uint16 {
			return []uint16{128}
		}}.Bytes(),
		"jpeg of inks without a marker": flat.Bytes(),
	} {
		s, _ := openStore(t)
		p, err := s.Take(t.Context(), bytes.NewReader(data), -1, probe.Upload)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		sent, err := s.Read(p.Sent.SHA256)
		if err != nil {
			t.Fatal(err)
		}
		img, facts, err := imaging.Decode(t.Context(), sent, imaging.DefaultLimits)
		if err != nil || facts.Profiled || facts.Channels != 3 {
			t.Errorf("%s: %+v goes out, %v", name, facts, err)
			continue
		}
		if c := img.NRGBAAt(320, 280); c.R < 186 || c.R > 190 || p.SHA256 == p.Sent.SHA256 {
			t.Errorf("%s: a grey of 188 goes out as %v", name, c)
		}
	}
}

func maskPNG(w, h int, paint func(p mask.Plane)) string {
	p := mask.New(w, h)
	paint(p)
	return base64.StdEncoding.EncodeToString(mask.EncodeRGBA(p))
}

func half(p mask.Plane) {
	for y := range p.H / 2 {
		for x := range p.W {
			p.Pix[y*p.W+x] = 255
		}
	}
}

func TestAMaskIsRefusedWithTheReasonAndKeptExact(t *testing.T) {
	t.Parallel()
	soft := func(p mask.Plane) {
		half(p)
		p.Pix[0], p.Pix[len(p.Pix)-1] = 127, 128
	}
	good := maskPNG(60, 80, half)
	tests := []struct {
		name string
		png  string
		word string // "" = taken
	}{
		{"half", good, ""},
		{"with a data URI", "data:image/png;base64," + good, ""},
		{"soft edges", maskPNG(60, 80, soft), ""},
		{"another size", maskPNG(80, 60, half), "80 × 60"},
		{"empty", maskPNG(60, 80, func(mask.Plane) {}), "Paint the part to keep first"},
		{"full", maskPNG(60, 80, func(p mask.Plane) { p.Fill(255) }), "Everything is painted"},
		{"no base64", "%%%", "base64"},
		{"no picture", base64.StdEncoding.EncodeToString([]byte("<html>")), "HTML"},
		{"black and white", base64.StdEncoding.EncodeToString(testpics.PNG(testpics.Photo(60, 80, 1))), "which colour to keep"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s, dir := openStore(t)
			m, err := s.TakeMask(t.Context(), tt.png, "mask", 60, 80)
			if tt.word != "" {
				if atelier.CodeOf(err) != atelier.Invalid || !strings.Contains(err.Error(), tt.word) {
					t.Errorf("TakeMask = %v, want a sentence with %q", err, tt.word)
				}
				if names := files(t, dir); len(names) != 0 {
					t.Errorf("the store holds %v", names)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, palette := range []bool{false, true} {
				data, err := s.MaskPNG(t.Context(), m.SHA256, palette)
				if err != nil {
					t.Fatal(err)
				}
				p, fromAlpha, err := imaging.DecodeMask(t.Context(), data, imaging.DefaultLimits)
				if err != nil || !fromAlpha || p.W != 60 || p.H != 80 {
					t.Fatalf("the stored mask is %d × %d, %v, %v", p.W, p.H, fromAlpha, err)
				}
				for _, v := range p.Pix {
					if v != 0 && v != 255 {
						t.Fatalf("palette %v: alpha %d is left", palette, v)
					}
				}
			}
			if m.Kept < .49 || m.Kept > .51 {
				t.Errorf("kept %v, want a half", m.Kept)
			}
		})
	}
}

// nothing is bytes without an end, all 0.
type nothing struct{}

func (nothing) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// Where a video may come, which is never opened as a whole, a picture still has the bounds of pictures: it is.
func TestAPictureInPlaceOfAVideoIsNoLargerThanPictures(t *testing.T) {
	t.Parallel()
	s, dir := openStore(t)
	png := testpics.PNG(testpics.Photo(64, 64, 2))
	large := io.MultiReader(bytes.NewReader(png), io.LimitReader(nothing{}, Image.MaxBytes))
	if _, err := s.Keep(t.Context(), large, -1, Made); atelier.CodeOf(err) != atelier.TooLarge || !strings.Contains(err.Error(), "192 MiB") {
		t.Errorf("Keep = %v, want that the picture is too large", err)
	}
	if names := files(t, dir); len(names) != 0 {
		t.Errorf("the store holds %v", names)
	}
}

func TestADownloadIsKeptOnlyWhenItIsWholeAndWhatItShouldBe(t *testing.T) {
	t.Parallel()
	png := testpics.PNG(testpics.Photo(700, 400, 2))
	tests := []struct {
		name   string
		data   []byte
		length int
		kind   Kind
		ok     bool
	}{
		{"a picture", png, len(png), Image, true},
		{"a picture of unknown length", png, -1, Image, true},
		{"half a picture", png[:len(png)/2], len(png), Image, false},
		{"half a picture of unknown length", png[:len(png)/2], -1, Image, false},
		{"a page in place of a picture", []byte("<html>busy</html>"), -1, Image, false},
		{"nothing", nil, 0, Image, false},
		{"too much", png, -1, Kind{"picture", Image.Formats, 100}, false},
		{"a picture in place of a PSD", png, -1, PSD, false},
		{"a PSD", []byte("8BPS\x00\x01 and so on"), -1, PSD, true},
		{"a large one", []byte("8BPS\x00\x02 and so on"), -1, PSD, true},
		{"a video", []byte("\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom"), -1, Video, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s, dir := openStore(t)
			f, err := s.Keep(t.Context(), bytes.NewReader(tt.data), int64(tt.length), tt.kind)
			if (err == nil) != tt.ok {
				t.Fatalf("Keep = %+v, %v", f, err)
			}
			if !tt.ok {
				if names := files(t, dir); len(names) != 0 {
					t.Errorf("the store holds %v", names)
				}
				return
			}
			if !s.Has(f.SHA256) || f.Bytes != int64(len(tt.data)) {
				t.Errorf("Keep = %+v", f)
			}
			if tt.kind.Name == "picture" && (f.Width != 700 || f.Height != 400 || f.Preview == "") {
				t.Errorf("Keep = %+v", f)
			}
		})
	}
}

func TestThumbnailsAreMadeOnceInTheSizesThereAre(t *testing.T) {
	t.Parallel()
	for w, want := range map[int]int{0: 160, 160: 160, 161: 320, 1000: 1280, 9000: 1280} {
		if got := WidthFor(w); got != want {
			t.Errorf("WidthFor(%d) = %d, want %d", w, got, want)
		}
	}
	s, dir := openStore(t)
	sha, _, err := s.Put(t.Context(), bytes.NewReader(testpics.JPEG(testpics.Photo(900, 600, 5))))
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			f, err := s.Thumb(t.Context(), sha, 320)
			if err != nil {
				t.Error(err)
				return
			}
			data, err := io.ReadAll(f)
			if err = errors.Join(err, f.Close()); err != nil {
				t.Error(err)
			}
			if facts, err := imaging.Inspect(data, imaging.DefaultLimits); err != nil || facts.Width != 320 {
				t.Errorf("the thumbnail is %+v, %v", facts, err)
			}
		})
	}
	wg.Wait()
	if names := files(t, dir); len(names) != 2 {
		t.Errorf("the store holds %v", names)
	}
}

func TestAnUploadIsReadyForTheGallery(t *testing.T) {
	t.Parallel()
	s, _ := openStore(t)
	p, err := s.Take(t.Context(), bytes.NewReader(testpics.Turned(testpics.Photo(900, 1200, 6), "jpeg", 6)), -1, probe.Upload)
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range Widths {
		f, err := s.Thumb(t.Context(), p.SHA256, size)
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(f)
		if err = errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
		want := min(size, 1200)
		if facts, err := imaging.Inspect(data, imaging.DefaultLimits); err != nil || facts.Height != want || facts.Width != want*3/4 || facts.Orientation != 1 {
			t.Errorf("the thumbnail of %d px is %+v, %v", size, facts, err)
		}
	}
}

func BenchmarkSmallThumb(b *testing.B) {
	for _, from := range []string{"gallery", "original"} {
		b.Run(from, func(b *testing.B) {
			s, err := OpenStore(b.TempDir())
			if err != nil {
				b.Fatal(err)
			}
			p, err := s.Take(b.Context(), bytes.NewReader(testpics.JPEG(testpics.Photo(3000, 4000, 1))), -1, probe.Upload)
			if err != nil {
				b.Fatal(err)
			}
			gallery, err := thumbName(p.SHA256, galleryWidth)
			if err != nil {
				b.Fatal(err)
			}
			if from == "original" {
				if err := s.root.Remove(gallery); err != nil {
					b.Fatal(err)
				}
			}
			for b.Loop() {
				if _, err := s.thumb(b.Context(), p.SHA256, 320); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkTake(b *testing.B) {
	s, err := OpenStore(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	data := testpics.JPEG(testpics.Photo(1500, 2000, 1))
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := s.Take(b.Context(), bytes.NewReader(data), int64(len(data)), probe.Upload); err != nil {
			b.Fatal(err)
		}
	}
}

// A file that is converted may be larger than one that is sent, up to its own limit; the rule of the copy is the service's.
func TestTakeConvertLimit(t *testing.T) {
	t.Parallel()
	s, _ := openStore(t)
	plain := testpics.HEIF{Main: testpics.HEIFTiles8}.File()
	padding := func(n int) []byte {
		return append(binary.BigEndian.AppendUint32(nil, uint32(n)), append([]byte("free"), make([]byte, n-8)...)...)
	}
	const most = 100_000
	rule := probe.Studio
	rule.MaxBytes, rule.MaxConvert = 60_000, most
	for size, refused := range map[int]bool{60_001: false, most - 1: false, most: false, most + 1: true, most + 50_000: true} {
		data := append(bytes.Clone(plain), padding(size-len(plain))...)
		for _, declared := range []int64{-1, int64(size)} {
			p, err := s.Take(t.Context(), bytes.NewReader(data), declared, rule)
			if (atelier.CodeOf(err) == atelier.TooLarge) != refused || err != nil && !refused {
				t.Errorf("%d bytes, %d declared: %v", size, declared, err)
			}
			if !refused && (p.Sent.Bytes > rule.MaxBytes || p.Sent.Format != probe.JPEG || p.Bytes != int64(size)) {
				t.Errorf("%d bytes: sent are %d bytes of %s", size, p.Sent.Bytes, p.Sent.Format)
			}
		}
	}
}
