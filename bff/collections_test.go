package bff_test

import (
	"bytes"
	"errors"
	"fmt"
	"image/jpeg"
	"image/png"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/image/webp"
)

// F1: every file of the folder that ATELIER_CORPUS names, with collections of pictures that others found hard to read, eight at a time
// over HTTP. Each is taken or refused in words and none is a failure of the server. What is taken the plain decoders, without anything
// of ours around them, read to the end, and it keeps to the limits of an upload; what they read and the limits allow is refused for
// nothing but what it costs to open, or that it moves. The memory is that of the whole process beside what it had before.
func TestF1CollectionsOfPictures(t *testing.T) { // not in parallel: it looks at the memory of the whole process
	folder := os.Getenv("ATELIER_CORPUS")
	if folder == "" {
		t.Skip("ATELIER_CORPUS names no folder with collections of pictures, whole and broken")
	}
	const atOnce, most = 8, 768 << 20
	s := newIdleStudio(t, nil)
	files := func(yield func(string, []byte) bool) {
		s.check(filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			data, err := os.ReadFile(path)
			if err == nil && !yield(path, data) {
				err = fs.SkipAll
			}
			return err
		}))
	}
	statuses := map[int]int{}
	var all []offered
	peak := s.offerAtOnce(atOnce, files, func(f offered) {
		f.data = nil
		statuses[f.status]++
		all = append(all, f)
	})
	slices.SortFunc(all, func(a, b offered) int { return int(a.took - b.took) })
	if len(all) == 0 {
		t.Fatalf("there is no file in %s", folder)
	}
	slowest := all[len(all)-1]
	t.Logf("%d files: %v; p99 %v, slowest %v (%s); %d MiB of memory at most", len(all), statuses,
		all[len(all)*99/100].took.Round(time.Millisecond), slowest.took.Round(time.Millisecond), slowest.name, peak>>20)
	if peak > most {
		t.Errorf("%d MiB of memory are used, want at most %d", peak>>20, most>>20)
	}
	dear := 0
	for _, f := range all {
		if f.status >= 500 {
			t.Errorf("%s is answered with %d: %s", f.name, f.status, f.words)
		}
		data, err := os.ReadFile(f.name)
		s.check(err)
		why := plainly(data)
		switch taken := f.status == http.StatusCreated; {
		case taken && why != nil:
			t.Errorf("%s is taken: %v", f.name, why)
		case !taken && why == nil:
			if dear++; f.status != http.StatusRequestEntityTooLarge && !strings.Contains(f.words, "too long to open") && !strings.Contains(f.words, "is animated") {
				t.Errorf("%s can be read and is refused: %d %s", f.name, f.status, f.words)
			}
		}
	}
	t.Logf("%d can be read and are refused for what they cost to open, or because they move", dear)
}

// plainly says why a file is not to be taken, as far as the decoders themselves and the limits of an upload go (Task API, "Upload image").
func plainly(data []byte) error {
	if len(data) > 10<<20 {
		return fmt.Errorf("%d bytes", len(data))
	}
	measure, decode := png.DecodeConfig, png.Decode
	switch {
	case bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")):
	case bytes.HasPrefix(data, []byte("\xff\xd8")):
		measure, decode = jpeg.DecodeConfig, jpeg.Decode
		data = append(slices.Clip(data), 0xff, 0xd9) // one that lacks nothing but its end mark is taken
	case len(data) > 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP":
		measure, decode = webp.DecodeConfig, webp.Decode
	default:
		return errors.New("neither PNG nor JPEG nor WebP")
	}
	size, err := measure(bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("measure it: %w", err)
	}
	if short, long := min(size.Width, size.Height), max(size.Width, size.Height); short <= 512 || long >= 2*short || short*long > 50_000_000 {
		return fmt.Errorf("%d × %d pixels", size.Width, size.Height)
	}
	if _, err := decode(bytes.NewReader(data)); err != nil {
		return fmt.Errorf("decode it: %w", err)
	}
	return nil
}
