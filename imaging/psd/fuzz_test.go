package psd

import (
	"bytes"
	"image"
	"runtime"
	"testing"
	"unicode/utf8"

	other "github.com/oov/psd"

	"atelier/imaging/mask"
	"atelier/imaging/testpics"
)

// FuzzAnotherReaderTakesEveryDocument writes documents of every shape and has a reader that is not ours read them.
func FuzzAnotherReaderTakesEveryDocument(f *testing.F) {
	f.Add(uint8(3), uint8(2), int16(0), int16(0), "Layer", []byte{1, 2, 3, 4}, uint8(255), uint8(0))
	f.Add(uint8(1), uint8(1), int16(-5), int16(9), "", []byte{}, uint8(0), uint8(7))
	f.Add(uint8(200), uint8(1), int16(30000), int16(-30000), "\U0001f600\x00é", bytes.Repeat([]byte{7}, 300), uint8(1), uint8(2))
	f.Fuzz(func(t *testing.T, w, h uint8, x, y int16, name string, pixels []byte, opacity, kind uint8) {
		if w == 0 || h == 0 || !utf8.ValidString(name) {
			return
		}
		img := image.NewNRGBA(image.Rect(0, 0, int(w), int(h)))
		for i := range img.Pix {
			if len(pixels) > 0 {
				img.Pix[i] = pixels[i%len(pixels)]
			}
		}
		layer := Layer{Name: name, Image: img, X: int(x), Y: int(y), Opacity: opacity, Hidden: kind&1 != 0}
		if kind&2 != 0 {
			p := mask.New(int(w), int(h))
			copy(p.Pix, img.Pix)
			layer.Mask = &p
		}
		doc := Document{Width: int(h) + 1, Height: int(w) + 1, Layers: []Layer{layer}}
		if kind&4 != 0 {
			doc.Layers = []Layer{{Name: "all", Group: true, Layers: []Layer{layer}}}
		}
		var b bytes.Buffer
		if err := Write(&b, doc); err != nil {
			t.Fatal(err)
		}
		n := b.Len()
		got, read, err := other.Decode(&b, &other.DecodeOptions{})
		if err != nil || read != n {
			t.Fatalf("the other reader took %d of %d bytes: %v", read, n, err)
		}
		found := got.Layer
		if kind&4 != 0 {
			if len(found) != 1 || !found[0].Folder() {
				t.Fatalf("the group is %d layers", len(found))
			}
			found = found[0].Layer
		}
		if len(found) != 1 || found[0].Visible() == layer.Hidden {
			t.Errorf("%d layers, seen %v, want one, hidden %v", len(found), found[0].Visible(), layer.Hidden)
		}
	})
}

// refusal is a teller that ends the reading and nothing else.
type refusal struct{}

func (refusal) Helper()               {}
func (refusal) Fatalf(string, ...any) { runtime.Goexit() }

// FuzzTheReaderOfTheTestsEndsOnAnything gives bytes nobody wrote to the reader that these tests trust: it refuses them, or makes no more
// of them than they can hold.
func FuzzTheReaderOfTheTestsEndsOnAnything(f *testing.F) {
	photo := testpics.Photo(9, 7, 1)
	plane := mask.New(9, 7)
	plane.Fill(200)
	for _, doc := range []Document{
		{Width: 9, Height: 7, Layers: []Layer{{Name: "all", Image: photo}}},
		{Width: 12, Height: 12, Layers: []Layer{{Name: "group", Group: true, Layers: []Layer{{Name: "é", Image: photo, X: -2, Y: 3, Mask: &plane}}}}},
	} {
		var b bytes.Buffer
		if err := Write(&b, doc); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		read := make(chan *read, 1)
		go func() {
			defer close(read)
			read <- parse(refusal{}, data)
		}()
		r := <-read
		if r == nil {
			return
		}
		// A row of 128 pixels takes two bytes at least, and two more for its length.
		pixels := r.width * r.height
		for _, l := range r.layers {
			if l.img != nil {
				pixels += l.bounds.Dx() * l.bounds.Dy()
			}
		}
		if pixels > 64*len(data) {
			t.Errorf("%d pixels of %d bytes", pixels, len(data))
		}
	})
}
