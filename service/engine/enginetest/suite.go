// Package enginetest holds the checks that every adapter of an image engine passes, against its fake and against a real
// server that ATELIER_TEST_ENGINE names.
package enginetest

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"atelier/imaging/mask"
	"atelier/service/engine"
)

// Real gives the access to a real server of a protocol: ATELIER_TEST_ENGINE lists addresses as protocol=address,
// separated by commas, and ATELIER_TEST_ENGINE_KEY is the key. It skips the test when no address is listed.
func Real(t *testing.T, protocol string) engine.Access {
	t.Helper()
	for _, entry := range strings.Split(os.Getenv("ATELIER_TEST_ENGINE"), ",") {
		if name, address, found := strings.Cut(strings.TrimSpace(entry), "="); found && name == protocol {
			return engine.Access{URL: address, Key: os.Getenv("ATELIER_TEST_ENGINE_KEY")}
		}
	}
	t.Skipf(
		"ATELIER_TEST_ENGINE names no server of the protocol %s, such as %s=http://127.0.0.1:8188",
		protocol,
		protocol,
	)
	return engine.Access{}
}

// newID is the id of one job, a lower-case UUID as ComfyUI wants it. A real server remembers the ids of earlier runs.
func newID() string { return uuid.NewString() }

// patience bounds one picture of a real server without a graphics card.
const patience = 10 * time.Minute

// Suite checks an engine as its users meet it: what it finds, both mask halves, seeds, progress that never falls, and
// sizes.
func Suite(t *testing.T, e engine.Engine) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	a, err := e.Probe(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if a.Protocol == "" || len(a.Modes) == 0 || a.Multiple < 1 || a.Least < 1 || a.Most < a.Least {
		t.Fatalf("the probe found %+v", a)
	}
	if a.Does(engine.Inpaint) {
		t.Run("inpaint", func(t *testing.T) { inpaints(ctx, t, e, a) })
	}
	if a.Does(engine.Edit) {
		t.Run("edit", func(t *testing.T) {
			job := engine.Job{
				Mode:     engine.Edit,
				Pictures: [][]byte{Halves(SizeOf(a))},
				Prompt:   "Make it blue.",
				Size:     SizeOf(a),
				Seed:     7,
				Strength: 0.8,
			}
			if got := made(ctx, t, e, newID(), job); got.Bounds().Empty() {
				t.Errorf("the picture is %v", got.Bounds())
			}
		})
	}
	if a.Does(engine.Text) {
		t.Run("text", func(t *testing.T) { drawsText(ctx, t, e, a) })
	}
}

// SizeOf is a size that an engine makes, not square where it has the choice.
func SizeOf(a engine.Abilities) image.Point {
	if len(a.Sizes) > 0 {
		return a.Sizes[len(a.Sizes)-1]
	}
	up := func(side int) int {
		return min(max((side+a.Multiple-1)/a.Multiple*a.Multiple, (a.Least+a.Multiple-1)/a.Multiple*a.Multiple), a.Most)
	}
	return image.Pt(up(192), up(128))
}

// Halves is a PNG file whose left half is red and whose right half is green.
func Halves(size image.Point) []byte {
	img := image.NewNRGBA(image.Rectangle{Max: size})
	for y := range size.Y {
		for x := range size.X {
			c := color.NRGBA{200, 40, 40, 255}
			if x >= size.X/2 {
				c = color.NRGBA{40, 160, 40, 255}
			}
			img.SetNRGBA(x, y, c)
		}
	}
	var out bytes.Buffer
	if err := png.Encode(&out, img); err != nil {
		panic(err)
	}
	return out.Bytes()
}

// RightHalf is a mask that redraws the right half.
func RightHalf(size image.Point) mask.Plane {
	m := mask.New(size.X, size.Y)
	for y := range size.Y {
		row := m.Row(y)
		for x := size.X / 2; x < size.X; x++ {
			row[x] = 255
		}
	}
	return m
}

// InpaintJob redraws the right half of Halves.
func InpaintJob(size image.Point, seed int64) engine.Job {
	return engine.Job{
		Mode: engine.Inpaint, Pictures: [][]byte{Halves(size)}, Mask: RightHalf(size),
		Prompt: "a blue wall", Size: size, Seed: seed, Strength: 1,
	}
}

// inpaints checks the polarity of the mask: the half to be redrawn changes far more than the half to be kept.
func inpaints(ctx context.Context, t *testing.T, e engine.Engine, a engine.Abilities) {
	t.Helper()
	size := SizeOf(a)
	source, err := png.Decode(bytes.NewReader(Halves(size)))
	if err != nil {
		t.Fatal(err)
	}
	first := made(ctx, t, e, newID(), InpaintJob(size, 1))
	if first.Bounds().Size() != size {
		t.Fatalf("asked for %v, the engine answered %v", size, first.Bounds().Size())
	}
	kept, redrawn := Difference(
		source,
		first,
		image.Rect(0, 0, size.X/2-8, size.Y),
	), Difference(
		source,
		first,
		image.Rect(size.X/2+8, 0, size.X, size.Y),
	)
	if redrawn < 2 || kept > redrawn/2 {
		t.Errorf("the kept half differs by %.2f, the redrawn one by %.2f", kept, redrawn)
	}
	if !a.Seed {
		return
	}
	if d := Difference(first, made(ctx, t, e, newID(), InpaintJob(size, 1)), first.Bounds()); d != 0 {
		t.Errorf("the same seed gives a picture that differs by %.2f", d)
	}
	if d := Difference(first, made(ctx, t, e, newID(), InpaintJob(size, 2)), first.Bounds()); d == 0 {
		t.Error("another seed gives the same picture")
	}
}

func drawsText(ctx context.Context, t *testing.T, e engine.Engine, a engine.Abilities) {
	t.Helper()
	size := SizeOf(a)
	got := made(
		ctx,
		t,
		e,
		newID(),
		engine.Job{Mode: engine.Text, Prompt: "a red chair", Size: size, Seed: 3, Strength: 1},
	)
	if got.Bounds().Size() != size {
		t.Errorf("asked for %v, the engine answered %v", size, got.Bounds().Size())
	}
}

// Make has an engine make a picture and gives its file. Progress must not fall nor leave 0 to 1.
func Make(ctx context.Context, t *testing.T, e engine.Engine, id string, job engine.Job) ([]byte, error) {
	t.Helper()
	h, err := e.Begin(ctx, id, job)
	if err != nil {
		return nil, err
	}
	last := 0.0
	return e.Watch(ctx, h, func(f float64) {
		if f < last || f > 1 {
			t.Errorf("progress goes from %g to %g", last, f)
		}
		last = f
	})
}

// Picture has an engine make a picture and decodes its file.
func Picture(t *testing.T, e engine.Engine, id string, job engine.Job) (*image.NRGBA, error) {
	t.Helper()
	data, err := Make(t.Context(), t, e, id, job)
	if err != nil {
		return nil, err
	}
	img, err := Open(data)
	if err != nil {
		t.Fatal(err)
	}
	return img, nil
}

func made(ctx context.Context, t *testing.T, e engine.Engine, id string, job engine.Job) image.Image {
	t.Helper()
	data, err := Make(ctx, t, e, id, job)
	if err != nil {
		t.Fatal(err)
	}
	img, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatalf("the answer of %d bytes is no picture: %v", len(data), err)
	}
	return img
}

// Difference is the mean difference of two pictures' channels in a rectangle, 0 to 255.
func Difference(a, b image.Image, in image.Rectangle) float64 {
	if a.Bounds().Size() != b.Bounds().Size() {
		return 255
	}
	sum, n := 0.0, 0
	for y := in.Min.Y; y < in.Max.Y; y++ {
		for x := in.Min.X; x < in.Max.X; x++ {
			ar, ag, ab, _ := a.At(a.Bounds().Min.X+x, a.Bounds().Min.Y+y).RGBA()
			br, bg, bb, _ := b.At(b.Bounds().Min.X+x, b.Bounds().Min.Y+y).RGBA()
			for _, d := range []int{int(ar>>8) - int(br>>8), int(ag>>8) - int(bg>>8), int(ab>>8) - int(bb>>8)} {
				sum += float64(max(d, -d))
				n++
			}
		}
	}
	return sum / float64(max(n, 1))
}
