package psd

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"io"
	"runtime"
	"strings"
	"testing"

	"atelier/imaging/mask"
	"atelier/imaging/testpics"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func write(t *testing.T, doc Document) *read {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, doc); err != nil {
		t.Fatalf("Write: %v", err)
	}
	return parse(t, b.Bytes())
}

func TestLayersKeepNamesPlacesMasksAndPixels(t *testing.T) {
	garment, truth := testpics.Garment(120, 90, 1)
	photo := testpics.Photo(200, 150, 2)
	doc := Document{Width: 200, Height: 150, DPI: 300, Layers: []Layer{
		{Name: "Source", Image: photo},
		{Name: "衣服 👕 ü", Image: garment, X: 30, Y: 20, Mask: &truth, Opacity: 200, Blend: "multiply"},
		{Name: "Off canvas", Image: garment, X: -60, Y: 100, Hidden: true},
		{Name: strings.Repeat("long ", 80), Image: testpics.Flat(1, 1, color.NRGBA{1, 2, 3, 4}), X: 199, Y: 149},
	}}
	r := write(t, doc)
	if r.width != 200 || r.height != 150 || r.channels != 3 || r.transparent {
		t.Errorf("%d × %d, %d channels, transparent %v", r.width, r.height, r.channels, r.transparent)
	}
	if len(r.layers) != 4 {
		t.Fatalf("%d layers, want 4", len(r.layers))
	}
	keys := []string{"norm", "mul ", "norm", "norm"}
	for i, l := range doc.Layers {
		got := r.layers[i]
		want := image.Rect(l.X, l.Y, l.X+l.Image.Rect.Dx(), l.Y+l.Image.Rect.Dy())
		if got.bounds != want || got.hidden != l.Hidden || got.key != keys[i] || got.section != 0 || got.opacity != l.opacity() {
			t.Errorf("layer %d is at %v (want %v), hidden %v, %q, opacity %d", i, got.bounds, want, got.hidden, got.key, got.opacity)
		}
		if !bytes.Equal(got.img.Pix, l.Image.Pix) {
			t.Errorf("layer %d: the pixels differ", i)
		}
		if (got.mask != nil) != (l.Mask != nil) || l.Mask != nil && (!got.mask.Equal(*l.Mask) || got.maskAt != want) {
			t.Errorf("layer %d: the mask differs", i)
		}
	}
	names := []string{"Source", "衣服 👕 ü", "Off canvas", strings.Repeat("long ", 51)}
	pascals := []string{"Source", "?? ? ?", "Off canvas", "long long long long long long l"}
	for i, l := range r.layers {
		if l.name != names[i] || l.pascal != pascals[i] {
			t.Errorf("layer %d is called %q and %q", i, l.name, l.pascal)
		}
	}
	if got := r.resources[0x03ed]; len(got) != 16 || got[1] != 44 || got[0] != 1 {
		t.Errorf("resolution is % x, want 300 per inch", got)
	}
	if icc := r.resources[0x040f]; len(icc) < 128 || int(icc[2])<<8|int(icc[3]) != len(icc) || string(icc[36:40]) != "acsp" || string(icc[16:20]) != "RGB " {
		t.Errorf("colour profile of %d bytes", len(icc))
	}
}

func TestGroupsNest(t *testing.T) {
	dot := testpics.Flat(2, 2, color.NRGBA{9, 9, 9, 255})
	half := mask.New(10, 10)
	half.FillRect(image.Rect(0, 0, 5, 10), 255)
	r := write(t, Document{Width: 10, Height: 10, Layers: []Layer{
		{Name: "below", Image: dot},
		{Name: "outer", Mask: &half, Opacity: 99, Layers: []Layer{
			{Name: "a", Image: dot},
			{Name: "inner", Hidden: true, Layers: []Layer{{Name: "b", Image: dot}}},
		}},
		{Name: "empty", Group: true},
	}})
	type row struct {
		Name    string
		Section int
	}
	var got []row
	for _, l := range r.layers {
		got = append(got, row{l.name, l.section})
	}
	want := []row{
		{"below", 0},
		{"</Layer group>", 3},
		{"a", 0},
		{"</Layer group>", 3},
		{"b", 0},
		{"inner", 1},
		{"outer", 1},
		{"</Layer group>", 3},
		{"empty", 1},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if l := r.layers[6]; l.mask == nil || !l.mask.Equal(half) || l.opacity != 99 || l.maskAt != half.Rect() {
		t.Errorf("the group's mask is %v at %v, opacity %d", l.mask, l.maskAt, l.opacity)
	}
}

func TestFlattenedPictureIsWhatTheLayersShow(t *testing.T) {
	solid := func(c color.NRGBA) *image.NRGBA { return testpics.Flat(4, 4, c) }
	grey, red, clear := color.NRGBA{100, 100, 100, 255}, color.NRGBA{200, 40, 0, 255}, color.NRGBA{200, 40, 0, 128}
	left := mask.New(4, 4)
	left.FillRect(image.Rect(0, 0, 2, 4), 255)
	left.Set(1, 0, 128)
	tests := []struct {
		name   string
		layers []Layer
		at     image.Point
		want   color.NRGBA
	}{
		{"top one wins", []Layer{{Image: solid(grey)}, {Image: solid(red)}}, image.Pt(1, 1), red},
		{"hidden one does not", []Layer{{Image: solid(grey)}, {Image: solid(red), Hidden: true}}, image.Pt(1, 1), grey},
		{"half transparent", []Layer{{Image: solid(grey)}, {Image: solid(clear)}}, image.Pt(1, 1), color.NRGBA{150, 70, 50, 255}},
		{"half opacity", []Layer{{Image: solid(grey)}, {Image: solid(red), Opacity: 128}}, image.Pt(1, 1), color.NRGBA{150, 70, 50, 255}},
		{"masked in", []Layer{{Image: solid(grey)}, {Image: solid(red), Mask: &left}}, image.Pt(0, 0), red},
		{"masked half", []Layer{{Image: solid(grey)}, {Image: solid(red), Mask: &left}}, image.Pt(1, 0), color.NRGBA{150, 70, 50, 255}},
		{"masked out", []Layer{{Image: solid(grey)}, {Image: solid(red), Mask: &left}}, image.Pt(2, 0), grey},
		{"moved in", []Layer{{Image: solid(grey)}, {Image: solid(red), X: -3, Y: 2}}, image.Pt(0, 2), red},
		{"moved away", []Layer{{Image: solid(grey)}, {Image: solid(red), X: -3, Y: 2}}, image.Pt(1, 2), grey},
		{"multiply", []Layer{{Image: solid(grey)}, {Image: solid(red), Blend: "multiply"}}, image.Pt(0, 0), color.NRGBA{78, 16, 0, 255}},
		{"screen", []Layer{{Image: solid(grey)}, {Image: solid(red), Blend: "screen"}}, image.Pt(0, 0), color.NRGBA{222, 124, 100, 255}},
		{"overlay", []Layer{{Image: solid(grey)}, {Image: solid(red), Blend: "overlay"}}, image.Pt(0, 0), color.NRGBA{157, 31, 0, 255}},
		{"hard light", []Layer{{Image: solid(grey)}, {Image: solid(red), Blend: "hard-light"}}, image.Pt(0, 0), color.NRGBA{188, 31, 0, 255}},
		{"darken", []Layer{{Image: solid(grey)}, {Image: solid(red), Blend: "darken"}}, image.Pt(0, 0), color.NRGBA{100, 40, 0, 255}},
		{"lighten", []Layer{{Image: solid(grey)}, {Image: solid(red), Blend: "lighten"}}, image.Pt(0, 0), color.NRGBA{200, 100, 100, 255}},
		{"difference", []Layer{{Image: solid(grey)}, {Image: solid(red), Blend: "difference"}}, image.Pt(0, 0), color.NRGBA{100, 60, 100, 255}},
		{"multiply over nothing", []Layer{{Image: solid(red), Blend: "multiply"}}, image.Pt(0, 0), red},
		{"group with a mask", []Layer{{Image: solid(grey)}, {Mask: &left, Layers: []Layer{{Image: solid(red)}}}}, image.Pt(3, 3), grey},
		{"group at half opacity", []Layer{{Image: solid(grey)}, {Opacity: 128, Layers: []Layer{{Image: solid(grey)}, {Image: solid(red)}}}}, image.Pt(3, 3), color.NRGBA{150, 70, 50, 255}},
		{"hidden group", []Layer{{Image: solid(grey)}, {Hidden: true, Layers: []Layer{{Image: solid(red)}}}}, image.Pt(3, 3), grey},
		{"nothing visible", []Layer{{Image: solid(grey), Hidden: true}}, image.Pt(0, 0), color.NRGBA{255, 255, 255, 0}},
		{"half of nothing, on white", []Layer{{Image: solid(clear)}}, image.Pt(0, 0), color.NRGBA{227, 147, 127, 128}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := write(t, Document{Width: 4, Height: 4, Layers: test.layers})
			if got := r.merged.NRGBAAt(test.at.X, test.at.Y); got != test.want {
				t.Errorf("pixel %v is %v, want %v", test.at, got, test.want)
			}
			if opaque := r.merged.Opaque(); r.transparent == opaque || (r.channels == 4) == opaque {
				t.Errorf("opaque %v, yet transparency announced %v and %d channels", opaque, r.transparent, r.channels)
			}
		})
	}
}

func TestDocumentsThatCannotBeWrittenAreRefused(t *testing.T) {
	dot := testpics.Flat(2, 2, color.NRGBA{})
	wrong := mask.New(3, 2)
	tests := map[string]Document{
		"no width":             {Width: 0, Height: 5},
		"too high":             {Width: 5, Height: MaxSide + 1},
		"no layers":            {Width: 5, Height: 5},
		"layer without pixels": {Width: 5, Height: 5, Layers: []Layer{{Name: "x"}}},
		"mask of another size": {Width: 5, Height: 5, Layers: []Layer{{Name: "x", Image: dot, Mask: &wrong}}},
		"group's mask":         {Width: 5, Height: 5, Layers: []Layer{{Name: "x", Group: true, Mask: &wrong}}},
		"group with pixels":    {Width: 5, Height: 5, Layers: []Layer{{Name: "x", Group: true, Image: dot}}},
		"unknown blend":        {Width: 5, Height: 5, Layers: []Layer{{Name: "x", Image: dot, Blend: "dissolve"}}},
		"in a group":           {Width: 5, Height: 5, Layers: []Layer{{Name: "g", Layers: []Layer{{Name: "x"}}}}},
		"far away":             {Width: 5, Height: 5, Layers: []Layer{{Name: "x", Image: dot, X: 1 << 20}}},
		"too many layers":      {Width: 5, Height: 5, Layers: make([]Layer, maxLayers+1)},
	}
	for i := range tests["too many layers"].Layers {
		tests["too many layers"].Layers[i] = Layer{Image: dot}
	}
	for name, doc := range tests {
		t.Run(name, func(t *testing.T) {
			if err := Write(io.Discard, doc); err == nil {
				t.Error("Write succeeded")
			}
		})
	}
}

// full is a disk that has room for n bytes.
type full struct{ n int }

var errFull = errors.New("disk full")

func (f *full) Write(p []byte) (int, error) {
	if len(p) > f.n {
		return f.n, errFull
	}
	f.n -= len(p)
	return len(p), nil
}

func TestWriteReportsAFullDisk(t *testing.T) {
	doc := Document{Width: 300, Height: 300, Layers: []Layer{{Name: "x", Image: testpics.Photo(300, 300, 1)}}}
	for _, room := range []int{0, 10, 70_000, 300_000} {
		if err := Write(&full{room}, doc); !errors.Is(err, errFull) {
			t.Errorf("room for %d bytes: Write = %v", room, err)
		}
	}
}

func TestFilesBeyondTheLimitAreRefusedBeforeAnythingIsWritten(t *testing.T) {
	soft := mask.New(40, 30)
	doc := Document{Width: 90, Height: 70, Layers: []Layer{
		{Name: "below", Image: testpics.Photo(90, 70, 1), Opacity: 99},
		{Name: "衣服", Layers: []Layer{{Name: "odd", Image: testpics.Photo(40, 30, 2), Mask: &soft}}},
	}}
	for _, doc := range []Document{doc, {Width: 90, Height: 70, Layers: doc.Layers[1:]}} {
		var whole bytes.Buffer
		if err := Write(&whole, doc); err != nil {
			t.Fatal(err)
		}
		size := int64(whole.Len())
		var out bytes.Buffer
		if err := writeUpTo(size, &out, doc); err != nil || !bytes.Equal(out.Bytes(), whole.Bytes()) {
			t.Errorf("%d bytes where as many fit: %v", size, err)
		}
		for _, limit := range []int64{size - 1, size / 2, 0} {
			out.Reset()
			if err := writeUpTo(limit, &out, doc); !errors.Is(err, ErrTooLarge) || out.Len() != 0 {
				t.Errorf("%d bytes where %d fit: %v, and %d bytes were written", size, limit, err, out.Len())
			}
		}
	}
}

func TestLayersThatAreOpenedGiveTheSameFile(t *testing.T) {
	round := mask.New(40, 30)
	round.Stroke(10, 10, 30, 20, 8, 0.5, false)
	held := Document{Width: 90, Height: 70, Layers: []Layer{
		{Name: "below", Image: testpics.Photo(90, 70, 1), Opacity: 99},
		{Name: "Group", Layers: []Layer{
			{Name: "masked", Image: testpics.Photo(40, 30, 2), X: 7, Mask: &round},
			{Name: "hidden", Image: testpics.Photo(90, 70, 3), Hidden: true},
		}},
	}}
	hiddenOpened := 0
	opened := func(l Layer) Layer {
		img := l.Image
		l.Size, l.Image = img.Rect.Size(), nil
		if held := l.Mask; held != nil {
			l.Mask, l.OpenMask = nil, func() (mask.Plane, error) { return *held, nil }
		}
		l.Open = func() (*image.NRGBA, error) {
			if l.Hidden {
				hiddenOpened++
			}
			return img, nil
		}
		return l
	}
	lazy := Document{Width: 90, Height: 70, Layers: []Layer{
		opened(held.Layers[0]),
		{Name: "Group", Layers: []Layer{opened(held.Layers[1].Layers[0]), opened(held.Layers[1].Layers[1])}},
	}}
	var want, got bytes.Buffer
	if err := errors.Join(Write(&want, held), Write(&got, lazy)); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want.Bytes(), got.Bytes()) {
		t.Error("the file is another one")
	}
	if hiddenOpened != 2 {
		t.Errorf("a layer that does not show is opened %d times, want once to measure and once to write it", hiddenOpened)
	}
	if err := writeUpTo(int64(want.Len())-1, io.Discard, lazy); !errors.Is(err, ErrTooLarge) {
		t.Errorf("one byte too long: %v", err)
	}
	gone := errors.New("gone")
	lazy.Layers[0].Open = func() (*image.NRGBA, error) { return nil, gone }
	if err := Write(io.Discard, lazy); !errors.Is(err, gone) {
		t.Errorf("a layer that cannot be opened: %v", err)
	}
	lazy.Layers[0].Open = func() (*image.NRGBA, error) { return testpics.Photo(89, 70, 1), nil }
	if err := Write(io.Discard, lazy); err == nil {
		t.Error("a layer of another size than it said is written")
	}
	lazy.Layers[0] = opened(held.Layers[0])
	lazy.Layers[0].OpenMask = func() (mask.Plane, error) { return round, nil }
	if err := Write(io.Discard, lazy); err == nil {
		t.Error("a mask of another size than its layer is written")
	}
	lazy.Layers[0].OpenMask = func() (mask.Plane, error) { return round, gone }
	if err := Write(io.Discard, lazy); !errors.Is(err, gone) {
		t.Errorf("a mask that cannot be opened: %v", err)
	}
}

// Of layers that are opened, shown or not, in a group or not, one is held at a time.
func TestLayersThatAreOpenedAreNotHeldTogether(t *testing.T) {
	const side, layers = 512, 24
	var most uint64
	live := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	photo := testpics.Photo(side, side, 1)
	before := live()
	doc := Document{Width: side, Height: side}
	for n := range layers {
		l := Layer{Hidden: n%3 == 0, Size: image.Pt(side, side), Open: func() (*image.NRGBA, error) {
			most = max(most, live())
			img := image.NewNRGBA(photo.Rect)
			copy(img.Pix, photo.Pix)
			return img, nil
		}}
		if n%4 == 0 {
			l.OpenMask = func() (mask.Plane, error) { return mask.New(side, side), nil }
		}
		if n%5 == 0 {
			l = Layer{Group: true, Layers: []Layer{l, l}}
		}
		doc.Layers = append(doc.Layers, l)
	}
	if err := Write(io.Discard, doc); err != nil {
		t.Fatal(err)
	}
	// The flattened picture and its packed form, a group's own, one layer and its packed form, and what is about to be let go.
	if held := float64(most-before) / (4 * side * side); held > 4 {
		t.Errorf("%.1f pictures were held at once, of %d layers", held, layers)
	}
}

func TestEveryNameInBlendsIsKnown(t *testing.T) {
	if len(Blends()) != len(blends) {
		t.Errorf("%d names, %d modes", len(Blends()), len(blends))
	}
	for _, name := range Blends() {
		if b, ok := blends[name]; !ok || len(b.key) != 4 {
			t.Errorf("%q: %+v", name, b)
		}
	}
}

func TestPackedRowsUnpack(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var row []byte
		for range rapid.IntRange(1, 12).Draw(rt, "runs") {
			v := rapid.Byte().Draw(rt, "value")
			row = append(row, bytes.Repeat([]byte{v}, rapid.SampledFrom([]int{1, 1, 2, 3, 4, 126, 127, 128, 129, 130, 257}).Draw(rt, "length"))...)
		}
		b := packBits(nil, row)
		if got := unpackBits(t, b); !bytes.Equal(got, row) {
			rt.Fatalf("unpacks to % x, want % x", got, row)
		}
		if len(b) > len(row)+(len(row)+127)/128 {
			rt.Fatalf("%d bytes packed into %d", len(row), len(b))
		}
	})
}

func TestRunsAreFoundWhereTheyBegin(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		row := rapid.SliceOfN(rapid.ByteRange(126, 129), 0, 40).Draw(rt, "row")
		at := rapid.IntRange(0, len(row)).Draw(rt, "at")
		want := len(row)
		for i := len(row) - 3; i >= at; i-- {
			if row[i] == row[i+1] && row[i] == row[i+2] {
				want = i
			}
		}
		if got := nextRun(row, at); got != want {
			rt.Fatalf("from %d on the next run of % x begins at %d, want %d", at, row, got, want)
		}
	})
}

func BenchmarkWrite(b *testing.B) {
	img := testpics.Photo(2048, 2048, 1)
	soft := mask.New(2048, 2048)
	soft.FillRect(image.Rect(300, 300, 1500, 1800), 255)
	soft = soft.Feather(20)
	doc := Document{Width: 2048, Height: 2048, Layers: []Layer{
		{Name: "Source", Image: img}, {Name: "Result", Image: img, X: 5}, {Name: "Kept", Image: img, Mask: &soft},
	}}
	b.ReportAllocs()
	for b.Loop() {
		if err := Write(io.Discard, doc); err != nil {
			b.Fatal(err)
		}
	}
}
