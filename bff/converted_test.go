package bff_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"image"
	"net/http"
	"strings"
	"testing"

	"atelier/atelier"
	"atelier/imaging"
	"atelier/imaging/probe"
	"atelier/imaging/testpics"
)

// brought uploads a file under a name.
func (s *studio) brought(name string, data []byte, want int) (a atelier.Asset, r reply) {
	s.t.Helper()
	r = s.send("POST", "/api/assets?name="+name, bytes.NewReader(data), func(r *http.Request) { r.Header.Set("Content-Type", "application/octet-stream") })
	if r.status != want {
		s.t.Fatalf("%s = %d %s, want %d", name, r.status, r.body, want)
	}
	if want == http.StatusCreated {
		s.check(json.Unmarshal(r.body, &a))
	}
	return a, r
}

// What the service and browsers do not take is kept as it came; a copy that they take is shown and sent.
func TestHEICAndTIFFAreConverted(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	deep := testpics.Photo(600, 700, 9)
	half := testpics.Photo(600, 700, 10)
	for i := 3; i < len(half.Pix); i += 8 {
		half.Pix[i] = 90
	}
	for _, tt := range []struct {
		name string
		data []byte
		w, h int
		sent probe.Format
		like func(x, y int) [4]uint8
	}{
		{"IMG_0001.HEIC", testpics.HEIF{Main: testpics.HEIFTiles8, Rotate: 1, EXIF: testpics.Exif(6, true)}.File(), 880, 640, probe.JPEG, nil},
		{"scan.tif", testpics.TIFF{Picture: testpics.Photo(640, 560, 8), Photometric: 2, Compression: 5, Rows: 32, Orientation: 6}.File(), 560, 640, probe.JPEG, nil},
		{"deep.tiff", testpics.TIFF{Picture: deep, Photometric: 2, Bits: 16, Compression: 8}.File(), 600, 700, probe.PNG, nil},
		{"half.tiff", testpics.TIFF{Picture: half, Photometric: 2, Alpha: 2, Compression: 8}.File(), 600, 700, probe.PNG, nil},
	} {
		a, _ := s.brought(tt.name, tt.data, http.StatusCreated)
		sum := sha256.Sum256(tt.data)
		if a.Width != tt.w || a.Height != tt.h || a.Name != tt.name || a.SHA256 != hex.EncodeToString(sum[:]) || a.Bytes != int64(len(tt.data)) || a.Format != string(probe.Sniff(tt.data)) || !a.Turned {
			t.Errorf("%s is %+v", tt.name, a)
		}
		if r := s.send("GET", a.File+"?download=true", nil, nil); !bytes.Equal(r.body, tt.data) {
			t.Errorf("%s: %d, what is saved is not what was brought", tt.name, r.status)
		}
		shown := s.send("GET", a.File, nil, nil)
		img, facts, err := imaging.Decode(t.Context(), shown.body, imaging.DefaultLimits)
		if err != nil || facts.Format != tt.sent || img.Rect.Size() != image.Pt(tt.w, tt.h) || facts.Orientation != 1 || shown.header.Get("Content-Type") != tt.sent.MediaType() {
			t.Fatalf("%s is shown as %+v, %s: %v", tt.name, facts, shown.header.Get("Content-Type"), err)
		}
		for _, w := range []string{"160", "640", "1280"} {
			if r := s.send("GET", a.Thumb+"?w="+w, nil, nil); r.status != http.StatusOK || !strings.HasPrefix(r.header.Get("Content-Type"), "image/") {
				t.Errorf("%s: thumbnail %s = %d", tt.name, w, r.status)
			}
		}
		if again, _ := s.brought("again", tt.data, http.StatusCreated); again.ID != a.ID {
			t.Errorf("%s brought again is another asset", tt.name)
		}
		if tt.name == "half.tiff" && img.Opaque() {
			t.Error("the transparency is gone")
		}
		if tt.name != "IMG_0001.HEIC" {
			continue
		}
		if c := img.NRGBAAt(60, 60); c.G < 240 || c.R > 20 || c.B > 20 { // the corner that is top right as stored
			t.Errorf("top left is %v", c)
		}
		run := s.untilState(s.startRun(removal("heic", a)).ID, atelier.StateDone)
		for _, res := range run.Results {
			if res.Width != tt.w || res.Height != tt.h {
				t.Errorf("the result is %d × %d", res.Width, res.Height)
			}
			if r := s.send("GET", "/api/results/"+string(res.ID)+"/source", nil, nil); !bytes.Equal(r.body, shown.body) {
				t.Errorf("its source = %d, %d bytes", r.status, len(r.body))
			}
		}
	}
}

// A refusal is a sentence with what to do, and nothing of the file stays.
func TestHEICAndTIFFRefusals(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	heic := testpics.HEIF{Main: testpics.HEIFTiles8}.File()
	photo := testpics.Photo(600, 640, 4)
	tiff := testpics.TIFF{Picture: photo, Photometric: 2, Compression: 8, Rows: 64}.File()
	for _, tt := range []struct {
		name string
		data []byte
		want int
		says string
	}{
		{"half a HEIC", heic[:len(heic)/2], http.StatusBadRequest, "damaged or incomplete"},
		{"half a TIFF", tiff[:len(tiff)/2], http.StatusBadRequest, "damaged or incomplete"},
		{"a HEIC of JPEG 2000", testpics.HEIF{Main: testpics.HEIFTiles8, Codec: "j2k1"}.File(), http.StatusUnsupportedMediaType, "Most Compatible"},
		{"a CMYK TIFF", testpics.TIFF{Picture: photo, Photometric: 5}.File(), http.StatusUnsupportedMediaType, "CMYK"},
		{"a TIFF of JPEG", testpics.TIFF{Picture: photo, Photometric: 2, Compression: 7}.File(), http.StatusUnsupportedMediaType, "Save it as a JPEG or PNG"},
		{"a HEIC of 512 px", testpics.HEIF{Main: testpics.HEIFTiles8, Width: 1000, Height: 600, Crop: [2]int{800, 512}}.File(), http.StatusBadRequest, "800 × 512"},
		{"a long HEIC", testpics.HEIF{Main: testpics.HEIFTiles8, Width: 1024, Height: 513, Crop: [2]int{1024, 512}, Rotate: 1}.File(), http.StatusBadRequest, "512 × 1024"},
		{"an AVIF", append([]byte("\x00\x00\x00\x1cftypavif\x00\x00\x00\x00mif1avifmiaf"), make([]byte, 600)...), http.StatusUnsupportedMediaType, "Export it as JPEG or PNG"},
	} {
		_, r := s.brought("x", tt.data, tt.want)
		if e := r.error(t); !strings.Contains(e.Fields["image"], tt.says) {
			t.Errorf("%s: %q, want %q in it", tt.name, e.Fields["image"], tt.says)
		}
	}
	var page atelier.AssetPage
	s.json("GET", "/api/assets", nil, http.StatusOK, &page)
	if len(page.Assets) != 0 {
		t.Errorf("%d assets are left", len(page.Assets))
	}
}
