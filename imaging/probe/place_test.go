package probe_test

import (
	"bytes"
	"image"
	_ "image/jpeg"
	_ "image/png"
	"reflect"
	"slices"
	"testing"

	_ "golang.org/x/image/webp"

	"atelier/imaging/probe"
	"atelier/imaging/testpics"
)

// Where a picture was taken is found in every format, wiped in place, and nothing else of the file changes.
func TestWherePictureWasTakenIsWiped(t *testing.T) {
	img := testpics.Photo(600, 700, 3)
	untidy := func(jpeg []byte) []byte { // bytes that belong to nothing, stuffed and filling ones, all between segments
		return slices.Concat(jpeg[:2], []byte("\xff\xfe\x00\x04ab"+"left over\xff\x00\xff\xff\xff"), jpeg[3:])
	}
	for name, plain := range map[string][]byte{
		"png": testpics.PNG(img), "jpeg": testpics.JPEG(img), "untidy jpeg": testpics.JPEG(img), "webp": testpics.WebP(img),
	} {
		t.Run(name, func(t *testing.T) {
			if facts, err := probe.Read(plain, int64(len(plain))); err != nil || facts.Located {
				t.Fatalf("a plain file: %+v, %v", facts, err)
			}
			file := testpics.WithPlace(plain)
			if name == "untidy jpeg" {
				file = untidy(file)
			}
			before, err := probe.Read(file, int64(len(file)))
			if err != nil || !before.Located {
				t.Fatalf("the place is not found: %+v, %v", before, err)
			}
			if !bytes.Contains(file, []byte{48, 0, 0, 0, 1, 0, 0, 0, 51}) {
				t.Fatal("the test file holds no latitude")
			}
			length := len(file)
			if clean, told := probe.Unlocate(file); told != probe.KnownPlace || len(clean) != length {
				t.Fatalf("told is %v, %d bytes of %d are left", told, len(clean), length)
			}
			after, err := probe.Read(file, int64(len(file)))
			before.Located = false
			if err != nil || after != before {
				t.Errorf("after it %+v, %v; want %+v", after, err, before)
			}
			if bytes.Contains(file, []byte{48, 0, 0, 0, 1, 0, 0, 0, 51}) {
				t.Error("the latitude is still in the file")
			}
			if _, _, err := image.Decode(bytes.NewReader(file)); err != nil {
				t.Errorf("the file cannot be read any more: %v", err)
			}
			if _, told := probe.Unlocate(file); told != probe.NoPlace {
				t.Error("a second time there was something to wipe")
			}
		})
	}
}

// A file that names its place twice, the second time nowhere, is located all the same, and no more than that once it is wiped. One that
// names it too often, or where wiping one place makes another, holds none then either.
func TestAPlaceThatIsNamedTwiceIsWipedToo(t *testing.T) {
	t.Parallel()
	place := func(at byte) []byte { return []byte{0x25, 0x88, 4, 0, 1, 0, 0, 0, at, 0, 0, 0} }
	orientation := []byte{0x12, 1, 3, 0, 1, 0, 0, 0, 1, 0, 0, 0}
	file := testpics.WithPlace(testpics.JPEG(testpics.Photo(600, 700, 3)))
	for name, file := range map[string][]byte{
		"twice":          bytes.Replace(file, slices.Concat(orientation, place(38)), slices.Concat(place(38), place(64)), 1),
		"in itself":      bytes.Replace(file, slices.Concat(orientation, place(38)), slices.Concat(place(1), place(22)), 1),
		"too often":      bytes.Replace(file, append([]byte("II*\x00\x08\x00\x00\x00"), 2, 0), []byte("II*\x00\x08\x00\x00\x00\xff\xff"), 1),
		"seventeen":      testpics.WithEXIF(testpics.JPEG(testpics.Photo(600, 700, 3)), slices.Concat([]byte("II*\x00\x08\x00\x00\x00\x11\x00"), bytes.Repeat(place(214), 17), []byte{1, 0, 1, 0, 2, 0, 2, 0, 0, 0, 'N', 0, 0, 0})),
		"after sixteen":  testpics.WithEXIF(testpics.JPEG(testpics.Photo(600, 700, 3)), slices.Concat([]byte("II*\x00\x08\x00\x00\x00\x11\x00"), bytes.Repeat(place(0), 16), place(214), []byte{1, 0, 1, 0, 2, 0, 2, 0, 0, 0, 'N', 0, 0, 0})),
		"sixteen of one": testpics.WithEXIF(testpics.JPEG(testpics.Photo(600, 700, 3)), slices.Concat([]byte("II*\x00\x08\x00\x00\x00\x10\x00"), bytes.Repeat(place(202), 16), []byte{1, 0, 1, 0, 2, 0, 2, 0, 0, 0, 'N', 0, 0, 0})),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if facts, err := probe.Read(file, int64(len(file))); err != nil || !facts.Located {
				t.Fatalf("the place is not found: %+v, %v", facts, err)
			}
			if _, told := probe.Unlocate(file); told != probe.KnownPlace {
				t.Fatal("there was nothing to wipe")
			}
			if facts, err := probe.Read(file, int64(len(file))); err != nil || facts.Located {
				t.Errorf("after it %+v, %v", facts, err)
			}
			if _, told := probe.Unlocate(file); told != probe.NoPlace {
				t.Error("a second time there was something to wipe")
			}
			if bytes.Contains(file, []byte{2, 0, 0, 0, 'N'}) {
				t.Error("a place is still in the file")
			}
		})
	}
}

const paris = "48,51.5N"

// xmps name a place in the ways programs do.
var xmps = map[string]string{
	"an attribute of EXIF":  `<rdf:Description exif:GPSLatitude="` + paris + `"/>`,
	"an element of EXIF":    `<exif:GPSLatitude>` + paris + `</exif:GPSLatitude>`,
	"a drone":               `<rdf:Description drone-dji:GpsLatitude="` + paris + `"/>`,
	"IPTC's city":           `<photoshop:City>` + paris + `</photoshop:City>`,
	"IPTC's place it shows": `<Iptc4xmpExt:LocationShown><rdf:Bag><rdf:li Iptc4xmpExt:City="` + paris + `"/></rdf:Bag></Iptc4xmpExt:LocationShown>`,
}

// withXMP adds an XMP packet to a plain PNG, JPEG or WebP file.
func withXMP(plain []byte, xmp string) []byte {
	switch probe.Sniff(plain) {
	case probe.PNG:
		return slices.Insert(bytes.Clone(plain), 33, testpics.Chunk("iTXt", []byte("XML:com.adobe.xmp\x00\x00\x00\x00\x00"+xmp))...)
	case probe.JPEG:
		return slices.Insert(bytes.Clone(plain), 2, testpics.Segment(0xe1, []byte("http://ns.adobe.com/xap/1.0/\x00"+xmp))...)
	}
	extended := testpics.WithOrientation(plain, 1) // with VP8X
	extended[20] |= 1 << 2
	return testpics.Riff(extended[12:], testpics.RiffChunk("XMP ", []byte(xmp)))
}

// withPhotoshop adds to a JPEG what Photoshop keeps of a city.
func withPhotoshop(plain []byte) []byte {
	iptc := "\x1c\x02\x05\x00\x05title\x1c\x02\x5a\x00\x08" + paris
	resource := "8BIM\x04\x04\x03abc\x00\x00\x00" + string(rune(len(iptc))) + iptc
	if len(iptc)%2 == 1 {
		resource += "\x00"
	}
	return slices.Insert(bytes.Clone(plain), 2, testpics.Segment(0xed, []byte("Photoshop 3.0\x00"+resource+"8BIM\x07\xd0\x00\x00\x00\x00\x00\x04path"))...)
}

// A place is found wherever programs write one, and what may hold one unseen goes too; the picture, and what tells of something else, stays.
func TestNothingOfAFileTellsAPlace(t *testing.T) {
	t.Parallel()
	img := testpics.Photo(300, 200, 3)
	located := testpics.WithPlace(testpics.JPEG(img))
	type file struct {
		data []byte
		told probe.Place
		kept string // what must still be there
	}
	files := map[string]file{
		"IPTC":                         {withPhotoshop(testpics.JPEG(img)), probe.KnownPlace, "title"},
		"XMP that goes on":             {slices.Insert(testpics.JPEG(img), 2, slices.Concat(testpics.Segment(0xe1, []byte("http://ns.adobe.com/xap/1.0/\x00<a/>")), testpics.Segment(0xe1, []byte("http://ns.adobe.com/xmp/extension/\x00"+string(make([]byte, 40))+"<exif:GPS")), testpics.Segment(0xe1, []byte("http://ns.adobe.com/xmp/extension/\x00"+string(make([]byte, 40))+"Latitude>"+paris)))...), probe.KnownPlace, ""},
		"a film behind it":             {slices.Concat(testpics.JPEG(img), []byte("\x00\x00\x00\x18ftypmp42"+paris)), probe.HiddenPlace, ""},
		"a second picture behind it":   {slices.Concat(slices.Insert(testpics.JPEG(img), 2, testpics.Segment(0xe2, []byte("MPF\x00list"))...), located), probe.HiddenPlace, ""},
		"a film behind a PNG":          {slices.Concat(testpics.PNG(img), []byte("ftyp"+paris)), probe.HiddenPlace, ""},
		"a film behind a WebP":         {slices.Concat(testpics.WebP(img), []byte("ftyp"+paris)), probe.HiddenPlace, ""},
		"an old text":                  {slices.Insert(testpics.PNG(img), 33, testpics.Chunk("tEXt", []byte("Raw profile type exif\x00"+paris))...), probe.HiddenPlace, ""},
		"packed XMP":                   {slices.Insert(testpics.PNG(img), 33, testpics.Chunk("iTXt", []byte("XML:com.adobe.xmp\x00\x01\x00\x00\x00"+paris))...), probe.HiddenPlace, ""},
		"a text":                       {slices.Insert(testpics.PNG(img), 33, testpics.Chunk("tEXt", []byte("Comment\x00GPS"))...), probe.NoPlace, "Comment\x00GPS"},
		"zeros behind it":              {append(testpics.JPEG(img), make([]byte, 40)...), probe.NoPlace, ""},
		"XMP before zeros behind WebP": {append(withXMP(testpics.WebP(img), xmps["a drone"]), make([]byte, 40)...), probe.KnownPlace, ""},
	}
	for format, plain := range map[string][]byte{"PNG": testpics.PNG(img), "JPEG": testpics.JPEG(img), "WebP": testpics.WebP(img)} {
		for name, xmp := range xmps {
			files[name+" in "+format] = file{withXMP(plain, xmp), probe.KnownPlace, ""}
			files[name+" in "+format+" with a film"] = file{append(withXMP(plain, xmp), "ftyp"...), probe.KnownPlace, ""}
		}
		files["XMP without a place in "+format] = file{withXMP(plain, "<dc:creator>Ada"), probe.NoPlace, "<dc:creator>Ada"}
	}
	for name, f := range files {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before, _, err := image.Decode(bytes.NewReader(f.data))
			if err != nil {
				t.Fatal(err)
			}
			clean, told := probe.Unlocate(bytes.Clone(f.data))
			if told != f.told || bytes.Contains(clean, []byte(paris)) || bytes.Contains(clean, []byte("MPF")) || bytes.Contains(clean, []byte("ftyp")) {
				t.Errorf("told is %v, left are %d bytes of %d", told, len(clean), len(f.data))
			}
			if told == probe.NoPlace && !bytes.Equal(clean, f.data) || !bytes.Contains(clean, []byte(f.kept)) {
				t.Error("what tells no place is not left")
			}
			after, _, err := image.Decode(bytes.NewReader(clean))
			if err != nil || !reflect.DeepEqual(after, before) {
				t.Errorf("the picture is another one: %v", err)
			}
			if facts, err := probe.Read(clean, int64(len(clean))); err != nil || facts.Located {
				t.Errorf("the file is %+v, %v", facts, err)
			}
			if again, told := probe.Unlocate(clean); told != probe.NoPlace || len(again) != len(clean) {
				t.Errorf("a second time told is %v", told)
			}
		})
	}
}

// Files that lie about their directories are left alone or wiped, never read beyond their end.
func FuzzUnlocate(f *testing.F) {
	img := testpics.Photo(20, 20, 1)
	for _, data := range [][]byte{testpics.PNG(img), testpics.JPEG(img), testpics.WebP(img)} {
		f.Add(testpics.WithPlace(data))
		f.Add(testpics.WithOrientation(data, 6))
		for _, xmp := range xmps {
			f.Add(append(withXMP(data, xmp), "a film"...))
		}
	}
	f.Add(withPhotoshop(testpics.JPEG(img)))
	f.Fuzz(func(t *testing.T, data []byte) {
		file := bytes.Clone(data) // the fuzzer's own bytes are not to be written to
		clean, told := probe.Unlocate(file)
		if told == probe.NoPlace && len(clean) != len(data) {
			t.Errorf("%d bytes of %d are left and nothing was told", len(clean), len(data))
		}
		if again, told := probe.Unlocate(clean); told != probe.NoPlace || len(again) != len(clean) {
			t.Errorf("a second time there was something to wipe: %v", told)
		}
	})
}
