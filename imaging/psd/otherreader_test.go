package psd

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"strings"
	"testing"

	"atelier/imaging/mask"
	"atelier/imaging/testpics"

	"github.com/google/go-cmp/cmp"
	other "github.com/oov/psd"
)

// seen is what a reader that is not ours makes of a layer.
type seen struct {
	Name    string
	Rect    image.Rectangle
	Opacity uint8
	Visible bool
	Blend   string
	Folder  bool
	Mask    image.Rectangle
	Inside  []seen
}

func seenBy(layers []other.Layer) []seen {
	var out []seen
	for _, l := range layers {
		out = append(out, seen{l.UnicodeName, l.Rect, l.Opacity, l.Visible(), string(l.BlendMode), l.Folder(), l.Mask.Rect, seenBy(l.Layer)})
	}
	return out
}

// readElsewhere reads the document with the other reader.
func readElsewhere(t *testing.T, doc Document) *other.PSD {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, doc); err != nil {
		t.Fatal(err)
	}
	n := b.Len()
	got, read, err := other.Decode(&b, &other.DecodeOptions{})
	if err != nil || read != n {
		t.Fatalf("the other reader took %d of %d bytes: %v", read, n, err)
	}
	return got
}

func TestAnotherReaderSeesTheSameLayers(t *testing.T) {
	t.Parallel()
	photo := testpics.Photo(200, 150, 2)
	garment, truth := testpics.Garment(120, 90, 1)
	soft := truth.Feather(6)
	half := mask.New(200, 150)
	half.FillRect(image.Rect(0, 0, 120, 150), 255)
	got := readElsewhere(t, Document{Width: 200, Height: 150, Layers: []Layer{
		{Name: "Source", Image: photo},
		{Name: "衣服 👩‍👩‍👧", Image: garment, X: -60, Y: 20, Mask: &soft, Opacity: 200, Blend: "multiply"},
		{Name: strings.Repeat("é", 254) + "👕", Image: garment, X: 500, Y: -400, Hidden: true, Blend: "screen"},
		{Name: "Results", Mask: &half, Opacity: 180, Layers: []Layer{
			{Name: "", Image: garment, X: 10, Y: 5},
			{Name: "inner", Hidden: true, Layers: []Layer{{Name: "deep", Image: photo}}},
		}},
	}})
	if got.Config.Rect != image.Rect(0, 0, 200, 150) || got.Config.Depth != 8 || got.Config.Channels != 3 {
		t.Errorf("header %+v", got.Config)
	}
	if icc := got.Config.Res[0x040f].Data; len(icc) < 128 || string(icc[36:40]) != "acsp" {
		t.Errorf("colour profile of %d bytes", len(icc))
	}
	want := []seen{
		{Name: "Source", Rect: photo.Rect, Opacity: 255, Visible: true, Blend: "norm"},
		{Name: "衣服 👩‍👩‍👧", Rect: image.Rect(-60, 20, 60, 110), Opacity: 200, Visible: true, Blend: "mul ", Mask: image.Rect(-60, 20, 60, 110)},
		{Name: strings.Repeat("é", 254), Rect: image.Rect(500, -400, 620, -310), Opacity: 255, Blend: "scrn"},
		{Name: "Results", Opacity: 180, Visible: true, Blend: "norm", Folder: true, Mask: image.Rect(0, 0, 200, 150), Inside: []seen{
			{Name: "Layer 5", Rect: image.Rect(10, 5, 130, 95), Opacity: 255, Visible: true, Blend: "norm"},
			{Name: "inner", Opacity: 255, Blend: "norm", Folder: true, Inside: []seen{
				{Name: "deep", Rect: photo.Rect, Opacity: 255, Visible: true, Blend: "norm"},
			}},
		}},
	}
	if diff := cmp.Diff(want, seenBy(got.Layer)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if m := got.Layer[1].Channel[-2].Data; !bytes.Equal(m, soft.Pix) || got.Layer[1].Mask.DefaultColor != 0 || !got.Layer[1].Mask.Enabled() {
		t.Errorf("the mask differs, or hides nothing beyond itself: %+v", got.Layer[1].Mask)
	}
}

func TestAnotherReaderSeesTheSamePixels(t *testing.T) {
	t.Parallel()
	soft := testpics.Flat(80, 70, color.NRGBA{200, 90, 30, 140})
	for name, doc := range map[string]Document{
		"opaque":       {Width: 90, Height: 80, Layers: []Layer{{Image: testpics.Photo(90, 80, 3)}, {Image: soft, X: 20, Y: 20}}},
		"transparent":  {Width: 90, Height: 80, Layers: []Layer{{Image: soft, X: -5, Y: 3, Opacity: 77}}},
		"one pixel":    {Width: 1, Height: 1, Layers: []Layer{{Image: testpics.Photo(1, 1, 3)}}},
		"longest row":  {Width: MaxSide, Height: 1, Layers: []Layer{{Image: testpics.Photo(MaxSide, 1, 4)}}},
		"tallest file": {Width: 1, Height: MaxSide, Layers: []Layer{{Image: testpics.Photo(1, MaxSide, 5)}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := readElsewhere(t, doc)
			for i, l := range doc.Layers {
				for c, id := range []int{0, 1, 2, -1} {
					plane := imagePlane(l.Image, c)
					row := make([]uint8, plane.w)
					for y := range plane.h {
						plane.row(y, row)
						if there := got.Layer[i].Channel[id].Data[y*plane.w:][:plane.w]; !bytes.Equal(there, row) {
							t.Fatalf("layer %d, channel %d, row %d differs", i, id, y)
						}
					}
				}
			}
			flat, err := compose(doc)
			if err != nil {
				t.Fatal(err)
			}
			if !flat.Opaque() {
				matte(flat)
			}
			for c := range got.Config.Channels {
				plane := imagePlane(flat, c)
				row := make([]uint8, plane.w)
				for y := range plane.h {
					plane.row(y, row)
					if there := got.Channel[c].Data[y*plane.w:][:plane.w]; !bytes.Equal(there, row) {
						t.Fatalf("flattened, channel %d, row %d differs", c, y)
					}
				}
			}
		})
	}
}

// A document that is longer than a file may be becomes a Large Document, with the same layers and pixels.
func TestLargeDocumentsHoldTheSame(t *testing.T) {
	t.Parallel()
	soft := mask.New(40, 31)
	soft.FillRect(image.Rect(3, 3, 30, 20), 200)
	garment := testpics.Photo(40, 31, 2)
	doc := Document{Width: 90, Height: 71, Large: true, Layers: []Layer{
		{Name: "below", Image: testpics.Photo(90, 71, 1), Opacity: 99},
		{Name: "衣服", Layers: []Layer{
			{Name: "masked", X: 5, Y: -4, Mask: &soft, Image: garment},
			{Name: "opened", Hidden: true, Size: garment.Rect.Size(), Open: func() (*image.NRGBA, error) { return garment, nil }},
		}},
	}}
	var small, large bytes.Buffer
	if err := errors.Join(Write(&small, doc), writeUpTo(int64(small.Len())-1, &large, doc)); err != nil {
		t.Fatal(err)
	}
	n := large.Len()
	want, got := parse(t, small.Bytes()), parse(t, large.Bytes())
	if want.large || !got.large {
		t.Fatalf("large documents: %v, %v, want the second alone", want.large, got.large)
	}
	bare := func(layers []readLayer) []readLayer {
		for i := range layers {
			layers[i].lengths = nil // with longer counts
		}
		return layers
	}
	if diff := cmp.Diff(bare(want.layers), bare(got.layers), cmp.AllowUnexported(readLayer{})); diff != "" {
		t.Errorf("layers (-want +got):\n%s", diff)
	}
	if !bytes.Equal(want.merged.Pix, got.merged.Pix) || want.transparent != got.transparent {
		t.Error("the flattened picture is another one")
	}
	decode := func(b *bytes.Buffer) *other.PSD {
		t.Helper()
		p, _, err := other.Decode(b, &other.DecodeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	file := large.Bytes()
	theirs, both := decode(bytes.NewBuffer(file)), decode(&small)
	if !theirs.Config.PSB() || both.Config.PSB() || n != len(file) {
		t.Error("the other reader takes one for what it is not")
	}
	if diff := cmp.Diff(seenBy(both.Layer), seenBy(theirs.Layer)); diff != "" {
		t.Errorf("the other reader sees (-small +large):\n%s", diff)
	}
	if c := theirs.Layer[0].Channel[1].Data; !bytes.Equal(c, both.Layer[0].Channel[1].Data) || len(c) != 90*71 {
		t.Error("the other reader sees other pixels")
	}
}
