package presets_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"sync/atomic"
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

func TestTheStreetByDayHasSkyBetweenShadedAndSunlitHouses(t *testing.T) {
	var street presets.Location
	for _, l := range presets.Locations() {
		if l.Name == "City street by day" {
			street = l
		}
	}
	img, err := street.Draw(t.Context(), 300, 300)
	if err != nil {
		t.Fatal(err)
	}
	// mean is the colour of a part of the picture and how much its neighbouring pixels differ in light.
	mean := func(r image.Rectangle) (c [3]float64, busy float64) {
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				p, q := img.NRGBAAt(x, y), img.NRGBAAt(x+1, y)
				for k, v := range [3]uint8{p.R, p.G, p.B} {
					c[k] += float64(v) / float64(r.Dx()*r.Dy())
				}
				busy += math.Abs(float64(p.G)-float64(q.G)) / float64(r.Dx()*r.Dy())
			}
		}
		return c, busy
	}
	sky, _ := mean(image.Rect(140, 10, 160, 60))
	shaded, windows := mean(image.Rect(20, 20, 80, 130))
	lit, more := mean(image.Rect(220, 20, 280, 130))
	road, calm := mean(image.Rect(120, 240, 180, 290))
	if sky[2] < sky[0]+25 {
		t.Errorf("between the houses is %.0f, no sky", sky)
	}
	if lit[0] < shaded[0]+15 {
		t.Errorf("the sunlit houses are %.0f, the shaded ones %.0f", lit, shaded)
	}
	if windows < 1.2*calm || more < 1.2*calm {
		t.Errorf("the house fronts vary by %.1f and %.1f, hardly more than the road with %.1f", windows, more, calm)
	}
	if math.Abs(road[0]-road[2]) > 15 {
		t.Errorf("the road is %.0f, not grey", road)
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

// fuse is a context that is cancelled once it has been asked a number of times, and counts how often it is asked after that.
type fuse struct {
	context.Context
	left atomic.Int64
}

func (f *fuse) Err() error {
	if f.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

func TestDrawingStopsHalfway(t *testing.T) {
	for _, p := range all() {
		whole := &fuse{Context: t.Context()}
		whole.left.Store(1 << 40)
		if _, err := p.draw(whole, 120, 150); err != nil {
			t.Fatal(err)
		}
		asked := 1<<40 - whole.left.Load()
		half := &fuse{Context: t.Context()}
		half.left.Store(asked / 2)
		if img, err := p.draw(half, 120, 150); !errors.Is(err, context.Canceled) || img != nil {
			t.Errorf("%s, cancelled halfway: picture %v, error %v", p.name, img != nil, err)
		}
	}
}

// tile is a picture reduced to 8 × 10 mean colours.
func tile(img *image.NRGBA) (out [8 * 10 * 3]float64) {
	b := img.Bounds()
	for y := range 10 {
		for x := range 8 {
			var sum [3]float64
			n := 0.0
			for py := b.Dy() * y / 10; py < b.Dy()*(y+1)/10; py++ {
				for px := b.Dx() * x / 8; px < b.Dx()*(x+1)/8; px++ {
					i := img.PixOffset(px, py)
					for k := range sum {
						sum[k] += float64(img.Pix[i+k])
					}
					n++
				}
			}
			for k := range sum {
				out[(y*8+x)*3+k] = sum[k] / n
			}
		}
	}
	return out
}

func TestNoTwoPicturesLookTheSame(t *testing.T) {
	for _, kind := range [][]picture{locations(), models(), backgrounds()} {
		tiles := map[string][8 * 10 * 3]float64{}
		for _, p := range kind {
			img, err := p.draw(t.Context(), 80, 100)
			if err != nil {
				t.Fatal(err)
			}
			mine := tile(img)
			for name, other := range tiles {
				difference := 0.0
				for i := range mine {
					difference += math.Abs(mine[i]-other[i]) / float64(len(mine))
				}
				if difference < 6 {
					t.Errorf("%s and %s differ by only %.1f of 255 on the whole", p.name, name, difference)
				}
			}
			tiles[p.name] = mine
		}
	}
}

// entropy is how many bits the brightness of a pixel carries.
func entropy(img *image.NRGBA) float64 {
	var count [256]float64
	for i := 0; i < len(img.Pix); i += 4 {
		count[(2*int(img.Pix[i])+5*int(img.Pix[i+1])+int(img.Pix[i+2]))/8]++
	}
	bits := 0.0
	for _, n := range count {
		if n > 0 {
			share := n / float64(len(img.Pix)/4)
			bits -= share * math.Log2(share)
		}
	}
	return bits
}

// edges is the mean step of green from pixel to pixel.
func edges(img *image.NRGBA) float64 {
	sum, n := 0.0, 0.0
	for y := range img.Rect.Dy() {
		for x := 1; x < img.Rect.Dx(); x++ {
			i := img.PixOffset(x, y)
			sum += math.Abs(float64(img.Pix[i+1]) - float64(img.Pix[i-3]))
			n++
		}
	}
	return sum / n
}

func TestThereIsSomethingToSee(t *testing.T) {
	tests := []struct {
		name        string
		pictures    []picture
		bits, edges float64
	}{
		{"locations", locations()[4:], 5.5, 1.2},
		{"studios", locations()[:4], 4, 0.3},
		{"models", models(), 6, 1.2},
		{"backgrounds", backgrounds()[1:], 4, 0.3},
	}
	for _, tt := range tests {
		for _, p := range tt.pictures {
			img, err := p.draw(t.Context(), 240, 300)
			if err != nil {
				t.Fatal(err)
			}
			if got := entropy(img); got < tt.bits {
				t.Errorf("%s carries %.1f bits, want at least %v", p.name, got, tt.bits)
			}
			if got := edges(img); got < tt.edges {
				t.Errorf("%s has edges of %.2f, want at least %v", p.name, got, tt.edges)
			}
		}
	}
}

func TestTheWhiteBackgroundIsPureWhite(t *testing.T) {
	for _, b := range presets.Backgrounds() {
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

// Where the eyes belong there are both the white of an eye and the dark of a pupil: a portrait holds a face, in its place.
func TestAPortraitLooksAtTheViewer(t *testing.T) {
	for _, m := range presets.FashionModels() {
		img, err := m.Draw(t.Context(), 480, 600)
		if err != nil {
			t.Fatal(err)
		}
		level := func(x, y float64) float64 {
			i := img.PixOffset(int(x*480), int(y*600))
			return 0.3*float64(img.Pix[i]) + 0.6*float64(img.Pix[i+1]) + 0.1*float64(img.Pix[i+2])
		}
		// The darkest and the lightest point of the band the eyes lie in, for each half of the face.
		for _, half := range [][2]float64{{0.39, 0.47}, {0.53, 0.61}} {
			low, high := 255.0, 0.0
			for y := 0.385; y < 0.425; y += 0.001 {
				for x := half[0]; x < half[1]; x += 0.001 {
					low, high = min(low, level(x, y)), max(high, level(x, y))
				}
			}
			if low > 50 || high < 130 {
				t.Errorf("%s: the eye between %v runs from %.0f to %.0f", m.Name, half, low, high)
			}
		}
	}
}

func TestASceneKeepsItsProportionsAtAnyShape(t *testing.T) {
	for _, l := range presets.Locations() {
		tall, err := l.Draw(t.Context(), 60, 120)
		if err != nil {
			t.Fatal(err)
		}
		wide, err := l.Draw(t.Context(), 240, 120)
		if err != nil {
			t.Fatal(err)
		}
		// The middle of the wide picture shows what the tall one shows, but for grain, the lens's dark corners and glow.
		middle := wide.SubImage(image.Rect(90, 0, 150, 120)).(*image.NRGBA)
		sum := 0.0
		for y := range 120 {
			for x := range 60 {
				sum += math.Abs(float64(tall.Pix[tall.PixOffset(x, y)+1]) - float64(middle.Pix[middle.PixOffset(90+x, y)+1]))
			}
		}
		if mean := sum / (60 * 120); mean > 18 {
			t.Errorf("%s: the middle of the wide picture is %.1f of 255 away from the tall one", l.Name, mean)
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
