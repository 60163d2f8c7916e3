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

// A file that names its place twice, the second time nowhere, is located all the same, and no more than that once it is wiped. One that
// names it too often, or where wiping one place makes another, holds none then either.
func TestAPlaceThatIsNamedTwiceIsWipedToo(t *testing.T) {
	t.Parallel()
	place := func(at byte) []byte { return []byte{0x25, 0x88, 4, 0, 1, 0, 0, 0, at, 0, 0, 0} }
	orientation := []byte{0x12, 1, 3, 0, 1, 0, 0, 0, 1, 0, 0, 0}
	file := testpics.WithPlace(testpics.JPEG(testpics.Photo(600, 700, 3)))
	for name, file := range map[string][]byte{
		"twice":          bytes.Replace(file, slices.Concat(orientation, place(38)), slices.Concat(place(38), place(64)), 1),
		"in itself":      bytes.Replace(file, slices.Concat(orientation, place(38)), slices.Concat(place(1), place(22)), 1),
		"too often":      bytes.Replace(file, append([]byte("II*\x00\x08\x00\x00\x00"), 2, 0), []byte("II*\x00\x08\x00\x00\x00\xff\xff"), 1),
		"seventeen":      testpics.WithEXIF(testpics.JPEG(testpics.Photo(600, 700, 3)), slices.Concat([]byte("II*\x00\x08\x00\x00\x00\x11\x00"), bytes.Repeat(place(214), 17), []byte{1, 0, 1, 0, 2, 0, 2, 0, 0, 0, 'N', 0, 0, 0})),
		"after sixteen":  testpics.WithEXIF(testpics.JPEG(testpics.Photo(600, 700, 3)), slices.Concat([]byte("II*\x00\x08\x00\x00\x00\x11\x00"), bytes.Repeat(place(0), 16), place(214), []byte{1, 0, 1, 0, 2, 0, 2, 0, 0, 0, 'N', 0, 0, 0})),
		"sixteen of one": testpics.WithEXIF(testpics.JPEG(testpics.Photo(600, 700, 3)), slices.Concat([]byte("II*\x00\x08\x00\x00\x00\x10\x00"), bytes.Repeat(place(202), 16), []byte{1, 0, 1, 0, 2, 0, 2, 0, 0, 0, 'N', 0, 0, 0})),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if facts, err := probe.Read(file, int64(len(file))); err != nil || !facts.Located {
				t.Fatalf("the place is not found: %+v, %v", facts, err)
			}
			if !probe.Unlocate(file) {
				t.Fatal("there was nothing to wipe")
			}
			if facts, err := probe.Read(file, int64(len(file))); err != nil || facts.Located || probe.Unlocate(file) {
				t.Errorf("after it %+v, %v", facts, err)
			}
			if bytes.Contains(file, []byte{2, 0, 0, 0, 'N'}) {
				t.Error("a place is still in the file")
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
