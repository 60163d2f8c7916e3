package presets_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"testing"

	"atelier/service/presets"
)

// picture is any preset that can be drawn.
type picture struct {
	name string
	id   int64
	draw func(ctx context.Context, w, h int) (*image.NRGBA, error)
}

func locations() (out []picture) {
	for _, l := range presets.Locations() {
		out = append(out, picture{"location " + l.Name, l.ID, l.Draw})
	}
	return out
}

func models() (out []picture) {
	for _, m := range presets.FashionModels() {
		out = append(out, picture{"model " + m.Name, m.ID, m.Draw})
	}
	return out
}

func backgrounds() (out []picture) {
	for _, b := range presets.Backgrounds() {
		out = append(out, picture{"background " + b.Name, b.ID, b.Draw})
	}
	return out
}

func all() []picture { return append(append(locations(), models()...), backgrounds()...) }

func TestThereIsEnoughToChooseFrom(t *testing.T) {
	tests := []struct {
		name      string
		got, want int
	}{
		{"locations", len(presets.Locations()), 12},
		{"fashion models", len(presets.FashionModels()), 8},
		{"backgrounds", len(presets.Backgrounds()), 8},
		{"dimensions", len(presets.Dimensions()), 8},
		{"samples", len(presets.Samples()), 3},
	}
	for _, tt := range tests {
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
	names := map[int64]string{}
	check := func(tags []presets.Tag) {
		t.Helper()
		if len(tags) == 0 {
			t.Error("a preset has no tags")
		}
		for _, tag := range tags {
			if was, known := names[tag.ID]; known && was != tag.Name {
				t.Errorf("tag %d is both %q and %q", tag.ID, was, tag.Name)
			}
			names[tag.ID] = tag.Name
		}
	}
	for _, l := range presets.Locations() {
		check(l.Tags)
	}
	for _, m := range presets.FashionModels() {
		check(m.Tags)
	}
}

func TestALocationSaysHowItIsLit(t *testing.T) {
	for _, l := range presets.Locations() {
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
	for _, d := range presets.Dimensions() {
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

func TestAPictureHasTheSizeAskedForAndNothingShowsThrough(t *testing.T) {
	for _, p := range all() {
		for _, size := range []image.Point{{96, 120}, {128, 72}, {1, 1}, {3, 40}} {
			img, err := p.draw(t.Context(), size.X, size.Y)
			if err != nil {
				t.Fatalf("%s at %v: %v", p.name, size, err)
			}
			if img.Bounds().Size() != size {
				t.Errorf("%s asked for %v came as %v", p.name, size, img.Bounds())
			}
			if !img.Opaque() {
				t.Errorf("%s at %v is not opaque", p.name, size)
			}
		}
	}
}

func TestAPictureComesOutTheSameEachTime(t *testing.T) {
	for _, p := range all() {
		first, err := p.draw(t.Context(), 80, 100)
		if err != nil {
			t.Fatal(err)
		}
		again, err := p.draw(t.Context(), 80, 100)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(first.Pix, again.Pix) {
			t.Errorf("%s differs from one drawing to the next", p.name)
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

func TestSamplesAreFitToUpload(t *testing.T) {
	for _, s := range presets.Samples() {
		img, err := s.Draw(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		w, h := img.Bounds().Dx(), img.Bounds().Dy()
		if w != s.Width || h != s.Height {
			t.Errorf("%s came as %d × %d, said %d × %d", s.Slug, w, h, s.Width, s.Height)
		}
		if w <= 512 || h <= 512 || w >= 2*h || h >= 2*w {
			t.Errorf("%s is %d × %d: the service would refuse it", s.Slug, w, h)
		}
	}
}

func BenchmarkDraw(b *testing.B) {
	for _, p := range all() {
		b.Run(fmt.Sprint(p.id), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := p.draw(b.Context(), 1024, 1280); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
