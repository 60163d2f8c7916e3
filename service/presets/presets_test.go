package presets

import (
	"context"
	"errors"
	"image"
	"io/fs"
	"math"
	"path"
	"slices"
	"testing"

	"atelier/imaging/probe"
)

// picture is any preset that comes at any size.
type picture struct {
	name string
	id   int64
	draw func(ctx context.Context, w, h int) (*image.NRGBA, error)
}

func locations() (out []picture) {
	for _, l := range Locations() {
		out = append(out, picture{"location " + l.Name, l.ID, l.Draw})
	}
	return out
}

func all() []picture {
	out := locations()
	for _, m := range FashionModels() {
		out = append(out, picture{"model " + m.Name, m.ID, m.Draw})
	}
	for _, b := range Backgrounds() {
		out = append(out, picture{"background " + b.Name, b.ID, b.Draw})
	}
	return out
}

func TestThereIsEnoughToChooseFrom(t *testing.T) {
	for _, tt := range []struct {
		name      string
		got, want int
	}{
		{"locations", len(Locations()), 12},
		{"fashion models", len(FashionModels()), 8},
		{"backgrounds", len(Backgrounds()), 8},
		{"dimensions", len(Dimensions()), 8},
		{"samples", len(Samples()), 3},
	} {
		if tt.got < tt.want {
			t.Errorf("%d %s, want at least %d", tt.got, tt.name, tt.want)
		}
	}
}

func TestEveryPresetHasItsOwnNumberAndName(t *testing.T) {
	ids, names := map[int64]string{}, map[string]bool{}
	for _, p := range all() {
		if p.id <= 0 {
			t.Errorf("%s has id %d", p.name, p.id)
		}
		if other, taken := ids[p.id]; taken {
			t.Errorf("%s and %s share id %d", p.name, other, p.id)
		}
		if names[p.name] {
			t.Errorf("two presets are called %s", p.name)
		}
		ids[p.id], names[p.name] = p.name, true
	}
}

func TestATagMeansOneThing(t *testing.T) {
	ids, names := map[int64]bool{}, map[string]bool{}
	for _, tag := range read().Tags {
		if tag.ID <= 0 || tag.Name == "" || ids[tag.ID] || names[tag.Name] {
			t.Errorf("tag %d %q is not the only one", tag.ID, tag.Name)
		}
		ids[tag.ID], names[tag.Name] = true, true
	}
	check := func(name string, tags []Tag) {
		if len(tags) == 0 {
			t.Errorf("%s has no tags", name)
		}
	}
	for _, l := range Locations() {
		check(l.Name, l.Tags)
	}
	for _, m := range FashionModels() {
		check(m.Name, m.Tags)
	}
}

func TestALocationSaysHowItIsLit(t *testing.T) {
	for _, l := range Locations() {
		if l.Floor <= 0.3 || l.Floor >= 1 {
			t.Errorf("%s: floor at %v", l.Name, l.Floor)
		}
		if l.Light.Angle < 0 || l.Light.Angle >= 360 || l.Light.Softness < 0 || l.Light.Softness > 1 ||
			l.Light.Warmth < -1 || l.Light.Warmth > 1 || l.Light.Level <= 0 || l.Light.Level > 1 {
			t.Errorf("%s: light %+v", l.Name, l.Light)
		}
		if len(l.Categories) == 0 {
			t.Errorf("%s is in no category", l.Name)
		}
	}
}

func TestDimensionsCanBeExpandedTo(t *testing.T) {
	seen := map[[2]int]string{}
	for _, d := range Dimensions() {
		if d.Width < 512 || d.Height < 512 || d.Width > 4096 || d.Height > 4096 {
			t.Errorf("%s is %d × %d", d.Name, d.Width, d.Height)
		}
		size := [2]int{d.Width, d.Height}
		if other, taken := seen[size]; taken {
			t.Errorf("%s and %s are the same size", d.Name, other)
		}
		seen[size] = d.Name
	}
}

func TestAManifestWithMistakesIsRefused(t *testing.T) {
	for _, bad := range []string{
		"", "{", `{} {}`, `{"place":[]}`, `{"locations":[{"id":1,"floors":0.5}]}`, `{"locations":[{"id":1,"tags":["Moon"]}]}`,
		`{"fashionModels":[{"id":1,"skin":"red"}]}`, `{"fashionModels":[{"id":1,"tags":["Moon"]}]}`,
	} {
		if _, err := decodeManifest([]byte(bad)); err == nil {
			t.Errorf("%s was taken", bad)
		}
	}
}

// Each entry has its picture and each picture its entry; all are WebP of at most 640 px, together below a megabyte.
func TestEveryPictureHasItsEntry(t *testing.T) {
	want := slugs()
	for _, s := range Samples() {
		want = append(want, s.Slug)
	}
	slices.Sort(want)
	entries, err := pictures.ReadDir("pictures")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	total := 0
	for _, e := range entries {
		slug := e.Name()[:len(e.Name())-len(path.Ext(e.Name()))]
		got = append(got, slug)
		data, err := file(slug)
		if err != nil {
			t.Fatal(err)
		}
		total += len(data)
		facts, err := probe.Read(data, int64(len(data)))
		if err != nil || facts.Format != probe.WebP || max(facts.Width, facts.Height) > 640 {
			t.Errorf("%s is %+v, %v", slug, facts, err)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("the pictures are %q, the entries %q", got, want)
	}
	if total > 1<<20 {
		t.Errorf("the pictures have %d bytes together", total)
	}
}

func TestFilesAreFoundByTheirNames(t *testing.T) {
	for _, p := range slugs() {
		if data, err := FileOf(p + ".webp"); err != nil || len(data) == 0 {
			t.Errorf("%s: %d bytes, %v", p, len(data), err)
		}
	}
	for _, name := range []string{"", "location-1001", "location-1001.jpg", "location-1.webp", "mannequin.webp", "../manifest.json", "location-01001.webp"} {
		if _, err := FileOf(name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestAPictureHasTheSizeAskedFor(t *testing.T) {
	for _, p := range all() {
		for _, size := range []image.Point{{96, 120}, {128, 72}, {1, 1}, {3, 40}} {
			img, err := p.draw(t.Context(), size.X, size.Y)
			if err != nil {
				t.Fatalf("%s at %v: %v", p.name, size, err)
			}
			if img.Bounds().Size() != size || !img.Opaque() {
				t.Errorf("%s asked for %v came as %v, opaque: %t", p.name, size, img.Bounds(), img.Opaque())
			}
		}
	}
}

func TestASizeOutOfRangeIsRefused(t *testing.T) {
	for _, p := range all() {
		for _, size := range []image.Point{{0, 10}, {10, 0}, {-1, 10}, {2049, 10}, {10, 2049}} {
			if _, err := p.draw(t.Context(), size.X, size.Y); err == nil {
				t.Errorf("%s was drawn at %v", p.name, size)
			}
		}
	}
}

func TestDrawingStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, p := range all() {
		if img, err := p.draw(ctx, 1024, 1280); !errors.Is(err, context.Canceled) || img != nil {
			t.Errorf("%s, cancelled: picture %v, error %v", p.name, img != nil, err)
		}
	}
}

func TestTheWhiteBackgroundIsPureWhite(t *testing.T) {
	for _, b := range Backgrounds() {
		if b.Name != "White" {
			continue
		}
		img, err := b.Draw(t.Context(), 64, 64)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range img.Pix {
			if v != 255 {
				t.Fatalf("byte %d of the picture is %d", i, v)
			}
		}
		return
	}
	t.Error("there is no white background")
}

// Cut to any shape, what stands on the floor of a scene stands there still.
func TestTheFloorStaysAtAnyShape(t *testing.T) {
	for _, l := range Locations() {
		for _, size := range []image.Point{{60, 120}, {120, 120}, {240, 120}, {1600, 300}} {
			part := window(640, 640, l.Floor, size.X, size.Y)
			if !part.In(image.Rect(0, 0, 640, 640)) {
				t.Fatalf("%s at %v: %v", l.Name, size, part)
			}
			if at := (l.Floor*640 - float64(part.Min.Y)) / float64(part.Dy()); math.Abs(at-l.Floor) > 0.01 {
				t.Errorf("%s at %v: the floor is at %.3f, want %.3f", l.Name, size, at, l.Floor)
			}
		}
	}
}

// Where the eyes belong there are both the white of an eye and the dark of a pupil, in a portrait of any shape.
func TestAPortraitLooksAtTheViewer(t *testing.T) {
	for _, m := range FashionModels() {
		for _, size := range []image.Point{{480, 600}, {400, 600}, {600, 600}} {
			img, err := m.Draw(t.Context(), size.X, size.Y)
			if err != nil {
				t.Fatal(err)
			}
			left, right, _ := FeaturesAt(size.X, size.Y)
			k := 0.02 * float64(size.X) * max(1, 0.8*float64(size.Y)/float64(size.X))
			for _, eye := range [][2]float64{left, right} {
				low, high := 255.0, 0.0
				for y := eye[1] - k; y < eye[1]+k; y++ {
					for x := eye[0] - 2*k; x < eye[0]+2*k; x++ {
						c := img.NRGBAAt(int(x), int(y))
						level := 0.3*float64(c.R) + 0.6*float64(c.G) + 0.1*float64(c.B)
						low, high = min(low, level), max(high, level)
					}
				}
				if low > 60 || high < 130 {
					t.Errorf("%s at %v: the eye at %.0f runs from %.0f to %.0f", m.Name, size, eye, low, high)
				}
			}
		}
	}
}

func TestSamplesAreFitToUpload(t *testing.T) {
	for _, s := range Samples() {
		img, err := s.Draw(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got := img.Bounds().Size(); got != image.Pt(s.Width, s.Height) {
			t.Errorf("%s came as %v, said %d × %d", s.Slug, got, s.Width, s.Height)
		}
		data, err := s.File()
		if err != nil {
			t.Fatal(err)
		}
		facts, err := probe.Read(data, int64(len(data)))
		if err != nil || len(probe.Upload.Check(facts)) > 0 {
			t.Errorf("%s: the service would refuse it: %+v, %v", s.Slug, facts, err)
		}
	}
}
