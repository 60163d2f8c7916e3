package probe_test

import (
	"bytes"
	"image"
	_ "image/jpeg"
	_ "image/png"
	"slices"
	"testing"

	_ "golang.org/x/image/webp"

	"atelier/imaging/probe"
	"atelier/imaging/testpics"
)

// Where a picture was taken is found in every format, wiped in place, and nothing else of the file changes.
func TestWherePictureWasTakenIsWiped(t *testing.T) {
	img := testpics.Photo(600, 700, 3)
	untidy := func(jpeg []byte) []byte { // bytes that belong to nothing, stuffed and filling ones, all between segments
		return slices.Concat(jpeg[:2], []byte("\xff\xfe\x00\x04ab"+"left over\xff\x00\xff\xff\xff"), jpeg[3:])
	}
	for name, plain := range map[string][]byte{
		"png": testpics.PNG(img), "jpeg": testpics.JPEG(img), "untidy jpeg": testpics.JPEG(img), "webp": testpics.WebP(img),
	} {
		t.Run(name, func(t *testing.T) {
			if facts, err := probe.Read(plain, int64(len(plain))); err != nil || facts.Located {
				t.Fatalf("a plain file: %+v, %v", facts, err)
			}
			file := testpics.WithPlace(plain)
			if name == "untidy jpeg" {
				file = untidy(file)
			}
			before, err := probe.Read(file, int64(len(file)))
			if err != nil || !before.Located {
				t.Fatalf("the place is not found: %+v, %v", before, err)
			}
			if !bytes.Contains(file, []byte{48, 0, 0, 0, 1, 0, 0, 0, 51}) {
				t.Fatal("the test file holds no latitude")
			}
			length := len(file)
			if !probe.Unlocate(file) {
				t.Fatal("there was nothing to wipe")
			}
			after, err := probe.Read(file, int64(len(file)))
			before.Located = false
			if err != nil || after != before || len(file) != length {
				t.Errorf("after it %+v, %v; want %+v", after, err, before)
			}
			if bytes.Contains(file, []byte{48, 0, 0, 0, 1, 0, 0, 0, 51}) {
				t.Error("the latitude is still in the file")
			}
			if _, _, err := image.Decode(bytes.NewReader(file)); err != nil {
				t.Errorf("the file cannot be read any more: %v", err)
			}
			if probe.Unlocate(file) {
				t.Error("a second time there was something to wipe")
			}
		})
	}
}

// Files that lie about their directories are left alone or wiped, never read beyond their end.
func FuzzUnlocate(f *testing.F) {
	img := testpics.Photo(20, 20, 1)
	for _, data := range [][]byte{testpics.PNG(img), testpics.JPEG(img), testpics.WebP(img)} {
		f.Add(testpics.WithPlace(data))
		f.Add(testpics.WithOrientation(data, 6))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file := bytes.Clone(data) // the fuzzer's own bytes are not to be written to
		if !probe.Unlocate(file) {
			return
		}
		if probe.Unlocate(file) {
			t.Error("a second time there was something to wipe")
		}
	})
}
