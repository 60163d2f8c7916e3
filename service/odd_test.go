package service

import (
	"encoding/base64"
	"image"
	"image/color"
	"math"
	"testing"

	"atelier/imaging/mask"
	"atelier/imaging/testpics"
)

// disc is a plain ground of one colour with a disc of another in its middle, and the mask that keeps the disc.
func disc(w, h int, ground color.NRGBA) (*image.NRGBA, mask.Plane) {
	img, kept := testpics.Flat(w, h, ground), mask.New(w, h)
	for y := range h {
		for x := range w {
			if math.Hypot(float64(x)-float64(w)/2, float64(y)-float64(h)/2) < 150 {
				img.SetNRGBA(x, y, color.NRGBA{200, uint8(40 + x%64), uint8(60 + y%32), 255})
				kept.Set(x, y, 255)
			}
		}
	}
	return img, kept
}

// farthest is the largest difference of a channel of two opaque colours, 255 when one is not opaque.
func farthest(a, b color.NRGBA) int {
	if a.A != 255 || b.A != 255 {
		return 255
	}
	off := func(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }
	return max(off(a.R, b.R), off(a.G, b.G), off(a.B, b.B))
}

func deep(img *image.NRGBA) *image.NRGBA64 {
	out := image.NewNRGBA64(img.Rect)
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			c := img.NRGBAAt(x, y)
			out.SetNRGBA64(x, y, color.NRGBA64{R: uint16(c.R) * 257, G: uint16(c.G) * 257, B: uint16(c.B) * 257, A: uint16(c.A) * 257})
		}
	}
	return out
}

func TestOddPicturesGiveWholeResults(t *testing.T) {
	t.Parallel()
	testOddPictures(t, turnedByItsCamera)
}

func TestSlowOddPicturesGiveWholeResults(t *testing.T) {
	t.Parallel()
	testOddPictures(t, "")
}

const turnedByItsCamera = "turned by its camera"

// testOddPictures sends pictures at the limits of an upload and in rare formats. They give results of their size and colours, up to every
// edge, in the format asked for (Task API, "Shared mask and execution parameters", "expandimage v1.0"). On a larger canvas, which takes
// most of the time, it puts only the one that is named, or all of them for "".
func testOddPictures(t *testing.T, canvas string) {
	w := newWorld(t, nil)
	ground := color.NRGBA{R: 214, G: 208, B: 196, A: 255}
	made := func(width, height int) *image.NRGBA { img, _ := disc(width, height, ground); return img }
	clear, _ := disc(520, 560, color.NRGBA{})
	turned, wide := made(560, 520), testpics.JPEG(made(1025, 513))
	tests := []struct {
		name   string
		data   []byte
		seen   *image.NRGBA // as it is seen upright
		within int          // levels that the file format costs
	}{
		{"hardly less than twice as high as wide", testpics.PNG(made(513, 1025)), made(513, 1025), 0},
		{"hardly less than twice as wide as high", wide, decode(t, wide), 3},
		{"one row from square", testpics.PNG(made(513, 514)), made(513, 514), 0},
		{turnedByItsCamera, testpics.Turned(turned, "png", 6), turned, 0},
		{"of 16 bits", testpics.PNG(deep(made(520, 560))), made(520, 560), 0},
		{"clear around its subject", testpics.PNG(clear), clear, 0},
		{"for print", testpics.CMYKJPEG(600, 520, 0, 255, 128, 0), testpics.Flat(600, 520, color.NRGBA{R: 255, G: 0, B: 127, A: 255}), 12},
	}
	for _, tt := range tests {
		source, size := w.upload(tt.data), tt.seen.Rect.Size()
		_, kept := disc(size.X, size.Y, ground)
		flat := color.NRGBA{R: 32, G: 64, B: 96, A: 255}
		cut := map[string]any{"maskType": "custom", "customMask": base64.StdEncoding.EncodeToString(mask.EncodeRGBA(kept)), "batchCount": 1}
		with := func(more ...any) map[string]any {
			out := map[string]any{}
			for k, v := range cut {
				out[k] = v
			}
			for i := 0; i < len(more); i += 2 {
				out[more[i].(string)] = more[i+1]
			}
			return out
		}
		// Cut out before a colour: what is kept, and the colour to every edge.
		got := w.made(w.execute(w.task("removeBG", source), with("backgroundHex", "#204060")))
		if got.Rect.Size() != size {
			t.Errorf("%s: cut out it is %v, want %v", tt.name, got.Rect.Size(), size)
			continue
		}
		inner, outer := kept.Shrink(3), kept.Grow(4)
		for i, v := range inner.Pix {
			x, y := i%size.X, i/size.X
			c := got.NRGBAAt(x, y)
			if v >= mask.Level && farthest(c, tt.seen.NRGBAAt(x, y)) > tt.within {
				t.Fatalf("%s: what is kept is %v at (%d,%d), want %v", tt.name, c, x, y, tt.seen.NRGBAAt(x, y))
			}
			if outer.Pix[i] < mask.Level && c != flat {
				t.Fatalf("%s: around it %v lies at (%d,%d), want the colour asked for", tt.name, c, x, y)
			}
		}
		// In a scene, as JPEG, as large as it was: no edge is a line of its own.
		e := w.finish(w.execute(w.task("aiproduct", source), with("generatedContent", "freeCreation", "textDescription", "a grey studio", "resultImageFormat", "jpg", "resizeToOriginalImage", true)))
		if e.Status != statusSuccess {
			t.Errorf("%s: in a scene: %+v", tt.name, e)
			continue
		}
		file := w.fetch(e.Result[0].Image).raw
		scene := decode(t, file)
		if string(file[:2]) != "\xff\xd8" || scene.Rect.Size() != size {
			t.Errorf("%s: in a scene it begins with %x and is %v", tt.name, file[:2], scene.Rect.Size())
			continue
		}
		if line := edgeLine(scene, scene.Rect, 2); line > 8 {
			t.Errorf("%s: in a scene an edge lies %.1f levels from what is beside it", tt.name, line)
		}
		if canvas != "" && canvas != tt.name {
			continue
		}
		// Larger: the picture where it was put, and no line where it ends.
		larger := w.made(w.execute(w.task("expandimage", source), map[string]any{"targetWidth": size.X + 45, "targetHeight": size.Y + 31, "fillLeft": 20, "fillTop": 10, "batchCount": 1}))
		if want := size.Add(image.Pt(45, 31)); larger.Rect.Size() != want {
			t.Errorf("%s: larger it is %v, want %v", tt.name, larger.Rect.Size(), want)
			continue
		}
		placed := image.Rectangle{Max: size}.Add(image.Pt(20, 10))
		for y := range size.Y {
			for x := range size.X {
				want := tt.seen.NRGBAAt(x, y)
				if c := larger.NRGBAAt(x+20, y+10); want.A == 255 && farthest(c, want) > tt.within {
					t.Fatalf("%s: larger (%d,%d) is %v, want %v", tt.name, x, y, c, want)
				}
			}
		}
		if line := edgeLine(larger, placed, -2); line > 8 {
			t.Errorf("%s: the edge of the picture lies %.1f levels from what was added", tt.name, line)
		}
		if line := edgeLine(larger, larger.Rect, 2); line > 8 {
			t.Errorf("%s: larger an edge lies %.1f levels from what is beside it", tt.name, line)
		}
	}
}

// edgeLine is how far one of the outermost rows and columns of r lies, in the mean of its channels, from that so many further in.
func edgeLine(img *image.NRGBA, r image.Rectangle, in int) (most float64) {
	mean := func(line image.Rectangle) (sum float64) {
		for y := line.Min.Y; y < line.Max.Y; y++ {
			for x := line.Min.X; x < line.Max.X; x++ {
				c := img.NRGBAAt(x, y)
				sum += float64(c.R) + float64(c.G) + float64(c.B) + float64(c.A)
			}
		}
		return sum / 4 / float64(line.Dx()*line.Dy())
	}
	for line, way := range map[image.Rectangle]image.Point{
		image.Rect(r.Min.X, r.Min.Y, r.Max.X, r.Min.Y+1): {0, in},
		image.Rect(r.Min.X, r.Max.Y-1, r.Max.X, r.Max.Y): {0, -in},
		image.Rect(r.Min.X, r.Min.Y, r.Min.X+1, r.Max.Y): {in, 0},
		image.Rect(r.Max.X-1, r.Min.Y, r.Max.X, r.Max.Y): {-in, 0},
	} {
		most = math.Max(most, math.Abs(mean(line)-mean(line.Add(way))))
	}
	return most
}
