package psd

import (
	"bytes"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"atelier/imaging/mask"
	"atelier/imaging/testpics"

	"github.com/google/go-cmp/cmp"
)

// magick runs one of ImageMagick's programs, where they are installed, and gives what it prints.
func magick(t *testing.T, program string, args ...string) []byte {
	t.Helper()
	if said, err := exec.CommandContext(t.Context(), program, "-version").Output(); err != nil || !bytes.Contains(said, []byte("ImageMagick")) {
		t.Skipf("ImageMagick's %s is not installed here", program)
	}
	cmd := exec.CommandContext(t.Context(), program, args...)
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil || problems.Len() > 0 {
		t.Fatalf("%s %q: %v, %s", program, args, err, &problems)
	}
	return out
}

func TestImageMagickOpensTheLayers(t *testing.T) {
	t.Parallel()
	photo := testpics.Photo(200, 150, 2)
	garment, truth := testpics.Garment(120, 90, 1)
	soft := truth.Feather(6)
	doc := Document{Width: 200, Height: 150, Large: true, Layers: []Layer{
		{Name: "Background", Image: photo},
		{Name: "Original", Image: photo, Hidden: true},
		{Name: "Protected region", Image: garment, X: 30, Y: 20, Mask: &soft, Opacity: 200},
		{Name: "Results", Group: true, Layers: []Layer{{Name: "Result 1", Image: garment, X: 10, Y: 5}, {Name: "Résultat 2", Image: photo, Hidden: true}}},
	}}
	for form, limit := range map[string]int64{"psd": MaxFile, "psb": 1000} {
		t.Run(form, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "layers."+form)
			var b bytes.Buffer
			if err := writeUpTo(limit, &b, doc); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
			want := []string{ // the merged picture, then the layers from below
				"200×150+0+0 sRGB RLE 8 ",
				"200×150+0+0 sRGB RLE 8 Background",
				"200×150+0+0 sRGB RLE 8 Original",
				"120×90+30+20 sRGB RLE 8 Protected region",
				"120×90+10+5 sRGB RLE 8 Result 1",
				"200×150+0+0 sRGB RLE 8 R?sultat 2", // it shows the short name, which knows no accents
			}
			got := strings.Split(strings.TrimSuffix(string(magick(t, "identify", "-format", `%w×%h%X%Y %[profile:icc] %C %z %l\n`, file)), "\n"), "\n")
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("layers (-want +got):\n%s", diff)
			}

			flat, err := compose(doc)
			if err != nil {
				t.Fatal(err)
			}
			merged := magick(t, "convert", file+"[0]", "-depth", "8", "rgba:-")
			if n := apart(merged, flat.Pix); n > 1 {
				t.Errorf("the merged picture differs by up to %d", n)
			}
			// Its masks and opacities are part of a layer's alpha.
			layer := magick(t, "convert", file+"[3]", "-depth", "8", "rgba:-")
			alpha := mask.New(120, 90)
			for i, kept := range soft.Pix {
				alpha.Pix[i] = uint8((int(kept)*200 + 127) / 255)
			}
			seen := make([]uint8, 0, len(alpha.Pix))
			for i := 3; i < len(layer); i += 4 {
				seen = append(seen, layer[i])
			}
			if n := apart(seen, alpha.Pix); n > 1 {
				t.Errorf("the mask differs by up to %d", n)
			}
			if alpha.Rect() != image.Rect(0, 0, 120, 90) || alpha.At(0, 0) > 10 || alpha.At(60, 45) < 190 {
				t.Error("the mask of this test masks nothing")
			}
		})
	}
}

// apart is the largest difference of two rows of bytes; 256 when they are not as long.
func apart(a, b []uint8) int {
	if len(a) != len(b) {
		return 256
	}
	most := 0
	for i := range a {
		most = max(most, int(a[i])-int(b[i]), int(b[i])-int(a[i]))
	}
	return most
}
