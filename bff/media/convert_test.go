package media

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"atelier/imaging/probe"
	"atelier/imaging/testpics"
)

// convert reads a picture the way c asks for it.
func convert(t *testing.T, s *Store, sha string, c Conversion) []byte {
	t.Helper()
	f, err := s.Converted(t.Context(), sha, c)
	if err != nil {
		t.Fatalf("%+v: %v", c, err)
	}
	data, err := io.ReadAll(f)
	if err = errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	return data
}

// conversions are the names of the converted pictures in the folder of a store.
func conversions(t *testing.T, dir string) (names []string) {
	t.Helper()
	for _, name := range files(t, dir) {
		if _, how, ok := strings.Cut(name, convertedMark); ok {
			names = append(names, how)
		}
	}
	return names
}

func TestWhatComesToTheSameIsConvertedOnce(t *testing.T) {
	t.Parallel()
	png, jpeg := testpics.PNG(testpics.Photo(60, 80, 1)), testpics.JPEG(testpics.Photo(60, 80, 1))
	for _, tt := range []struct {
		name string
		of   []byte
		ask  Conversion
		want []string // names of files, whatever the quality
	}{
		{"a PNG as PNG", png, Conversion{Format: probe.PNG}, nil},
		{"a PNG as it is", png, Conversion{}, nil},
		{"a smaller PNG", png, Conversion{Width: 20, Height: 20}, []string{"png-0-fit20x20"}},
		{"a JPEG as PNG", jpeg, Conversion{Format: probe.PNG}, []string{"png-0-fit0x0"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s, dir := openStore(t)
			sha, _, err := s.Put(t.Context(), bytes.NewReader(tt.of))
			if err != nil {
				t.Fatal(err)
			}
			for quality := range 101 {
				tt.ask.Quality = quality
				if got := convert(t, s, sha, tt.ask); tt.want == nil && !bytes.Equal(got, tt.of) {
					t.Fatalf("with quality %d it is another file", quality)
				}
			}
			if diff := cmp.Diff(tt.want, conversions(t, dir)); diff != "" {
				t.Errorf("converted pictures (-want +got):\n%s", diff)
			}
		})
	}
	s, dir := openStore(t)
	sha, _, err := s.Put(t.Context(), bytes.NewReader(png))
	if err != nil {
		t.Fatal(err)
	}
	for _, quality := range []int{0, 90, 30} {
		convert(t, s, sha, Conversion{Format: probe.JPEG, Quality: quality})
	}
	if diff := cmp.Diff([]string{"jpeg-30-fit0x0", "jpeg-90-fit0x0"}, conversions(t, dir)); diff != "" {
		t.Errorf("converted pictures (-want +got):\n%s", diff)
	}
}

func TestTheOldestConvertedPicturesMakeRoom(t *testing.T) {
	t.Parallel()
	s, dir := openStore(t)
	sha, _, err := s.Put(t.Context(), bytes.NewReader(testpics.PNG(testpics.Photo(60, 80, 1))))
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now().Add(-time.Hour)
	for quality := 1; quality <= 100; quality++ {
		one := int64(len(convert(t, s, sha, Conversion{Format: probe.JPEG, Quality: quality})))
		if quality == 1 {
			s.converted.most = 20 * one
		}
		var total int64
		for _, name := range files(t, filepath.Join(dir, made)) {
			info, err := os.Stat(name)
			if err != nil {
				t.Fatal(err)
			}
			total += info.Size()
			if strings.Contains(name, fmt.Sprintf("jpeg-%d-", quality)) {
				// The clock of a file system may be coarser than a conversion takes.
				if err := os.Chtimes(name, began, began.Add(time.Duration(quality)*time.Second)); err != nil {
					t.Fatal(err)
				}
			}
		}
		if total > s.converted.most {
			t.Fatalf("after quality %d they take %d bytes, more than %d", quality, total, s.converted.most)
		}
	}
	left := conversions(t, dir)
	for i, name := range left {
		var quality int
		if _, err := fmt.Sscanf(name, "jpeg-%d-", &quality); err != nil || quality <= 100-len(left) {
			t.Errorf("of %d that are left, number %d is %s", len(left), i, name)
		}
	}
	if len(left) < 2 {
		t.Errorf("left are %v", left)
	}
	if err := s.RemoveMade(sha); err != nil {
		t.Fatal(err)
	}
	convert(t, s, sha, Conversion{Format: probe.JPEG})
	if s.converted.bytes > s.converted.most/2 {
		t.Errorf("what was removed counts: %d bytes", s.converted.bytes)
	}
	if _, err := s.Converted(t.Context(), strings.Repeat("0", 64), Conversion{Format: probe.JPEG}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of a picture that is not here: %v", err)
	}
}

// What a conversion promises of its size is what comes out.
func TestAConvertedPictureIsAsLargeAsAnnounced(t *testing.T) {
	t.Parallel()
	for _, c := range []Conversion{{}, {Width: 50, Height: 50}, {Width: 500, Height: 500}, {Width: 500, Height: 20}, {Width: 50, Height: 60, Pad: true}, {Width: 301, Height: 200, Pad: true}} {
		for _, is := range []image.Point{{X: 300, Y: 200}, {X: 7, Y: 333}, {X: 50, Y: 50}} {
			w, h := c.Size(is.X, is.Y)
			if got := c.resize(image.NewNRGBA(image.Rectangle{Max: is})).Rect.Size(); got != image.Pt(w, h) {
				t.Errorf("%v by %+v becomes %v, announced as %d × %d", is, c, got, w, h)
			}
		}
	}
}
