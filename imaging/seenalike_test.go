package imaging_test

import (
	"encoding/hex"
	"os"
	"slices"
	"strings"
	"testing"

	"atelier/imaging"
	"atelier/imaging/probe"
	"atelier/imaging/testpics"
)

// recorded is what Chromium 156 shows of the files of testpics.Matrix: as they are stored or turned, and red, green, blue and alpha of each patch.
// TestBrowserAndServerSeeAlike writes it to the file that ATELIER_RECORD_SEEN names.
func recorded(t *testing.T) map[string][2]string {
	t.Helper()
	data, err := os.ReadFile("testdata/chromium156.txt")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][2]string{}
	for line := range strings.Lines(string(data)) {
		name, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		turned, values, _ := strings.Cut(rest, " ")
		out[name] = [2]string{turned, values}
	}
	return out
}

func patchesOf(values []byte) (out [][]int) {
	for p := range slices.Chunk(values, 4) {
		out = append(out, []int{int(p[0]), int(p[1]), int(p[2]), int(p[3])})
	}
	return out
}

// The turn and the colours of every still picture are those a browser shows, also of thumbnails; what cannot be opened says what it is.
func TestDecodeSeesWhatBrowsersShow(t *testing.T) {
	t.Parallel()
	sheet, want := testpics.SmallSheet, recorded(t)
	files := sheet.Matrix()
	if len(files) != len(want) || len(files) < 120 {
		t.Fatalf("%d files, %d recorded", len(files), len(want))
	}
	for _, f := range files {
		see, known := want[f.Name]
		if !known {
			t.Errorf("%s is not recorded", f.Name)
			continue
		}
		img, facts, err := imaging.Decode(t.Context(), f.Data, imaging.DefaultLimits)
		if err != nil {
			if see[0] != "refused" && !slices.Contains(testpics.OnlyBrowsersOpen, f.Name) {
				t.Errorf("%s: %v, browsers show it", f.Name, err)
			}
			if !strings.Contains(err.Error(), "save it as a plain JPEG or PNG") {
				t.Errorf("%s: refused without the next step: %v", f.Name, err)
			}
			continue
		}
		values, err := hex.DecodeString(see[1])
		if err != nil || see[0] == "refused" {
			t.Errorf("%s: opened, %s by browsers", f.Name, see[0])
			continue
		}
		if turned := img.Rect.Dx() == facts.RawHeight; turned != (see[0] == "turned") {
			t.Errorf("%s: %v, %s in browsers", f.Name, img.Rect.Size(), see[0])
			continue
		}
		w, h := img.Rect.Dx(), img.Rect.Dy()
		var got []byte
		for _, p := range sheet.Points(w, h) {
			got = append(got, img.Pix[img.PixOffset(p.X, p.Y):][:4]...)
		}
		if off := testpics.Apart(w, h, patchesOf(got), w, h, patchesOf(values), facts.Profiled); off != "" {
			t.Errorf("%s: %s", f.Name, off)
		}
	}
}

// Whatever blocks of EXIF a file has, all of them say what counts once it is settled, and the picture stays as it was.
func TestSettledFilesSayOneTurn(t *testing.T) {
	t.Parallel()
	settled := 0
	for _, f := range testpics.SmallSheet.Matrix() {
		before, err := probe.Read(f.Data, int64(len(f.Data)))
		if err != nil {
			continue
		}
		data := slices.Clone(f.Data)
		if probe.Settle(data) {
			settled++
		}
		after, err := probe.Read(data, int64(len(data)))
		if err != nil || after != before {
			t.Errorf("%s: %+v became %+v, %v", f.Name, before, after, err)
		}
		if probe.Settle(data) {
			t.Errorf("%s: settled twice", f.Name)
		}
		for _, other := range []string{"\x12\x01\x03\x00\x01\x00\x00\x00", "\x01\x12\x00\x03\x00\x00\x00\x01\x00"} {
			for rest := string(data); ; {
				_, found, ok := strings.Cut(rest, other)
				if !ok {
					break
				}
				if rest = found; int(found[0]) != before.Orientation && !strings.Contains(f.Name, "scan") && !strings.Contains(f.Name, "APP2") &&
					!strings.Contains(f.Name, "lower case") && !strings.Contains(f.Name, "second directory") {
					t.Errorf("%s: an entry says %d, what counts is %d", f.Name, found[0], before.Orientation)
				}
			}
		}
	}
	if settled < 20 {
		t.Errorf("%d files were settled", settled)
	}
}
