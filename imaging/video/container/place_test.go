package container

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"
)

func TestOtherSoundsHaveNothingWrittenOver(t *testing.T) {
	for _, file := range [][]byte{wave(1), layer3(20)} {
		if patches, err := Unlocate(bytes.NewReader(file), int64(len(file))); err != nil || len(patches) > 0 {
			t.Errorf("%d patches, %v", len(patches), err)
		}
	}
}

// What describes a film, or a track of it, tells no place any more; all else stays where it is.
func TestAFilmTellsNoPlace(t *testing.T) {
	const paris = "+48.8583+002.2945/"
	large := func(kind string, content []byte) []byte { // with a length of 64 bits
		b := append(append([]byte{0, 0, 0, 1}, kind...), binary.BigEndian.AppendUint64(nil, uint64(16+len(content)))...)
		return append(b, content...)
	}
	title := atom("udta", atom("\xa9nam", []byte("A walk")))
	for name, tt := range map[string]struct {
		within, behind []byte
		patches        int
	}{
		"QuickTime":            {atom("udta", atom("\xa9xyz", []byte(paris))), nil, 1},
		"3GPP":                 {atom("udta", atom("loci", []byte(paris))), nil, 1},
		"Apple's keys":         {atom("meta", atom("keys", []byte("com.apple.quicktime.location.ISO6709")), atom("ilst", []byte(paris))), nil, 1},
		"a long length":        {large("udta", atom("\xa9xyz", []byte(paris))), nil, 2},
		"of a track":           {atom("trak", atom("udta", atom("\xa9xyz", []byte(paris)))), nil, 1},
		"XMP behind all else":  {nil, atom("uuid", []byte("0123456789abcdef<exif:GPSLatitude>"+paris)), 1},
		"a title, and nowhere": {title, nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			plain := movieOf("mp42", 5000, track("vide", "avc1", 12800, 64000, 125, 640, 360, false))
			at := bytes.Index(plain, []byte("moov")) + 4
			file := slices.Concat(plain[:at], tt.within, plain[at:], tt.behind)
			binary.BigEndian.PutUint32(file[at-8:], uint32(len(plain)-at+8+len(tt.within)))
			before := bytes.Clone(file)
			patches, err := Unlocate(bytes.NewReader(file), int64(len(file)))
			if err != nil || len(patches) != tt.patches {
				t.Fatalf("%d patches, %v", len(patches), err)
			}
			for _, p := range patches {
				copy(file[p.At:], p.Bytes)
			}
			if bytes.Contains(file, []byte(paris)) {
				t.Error("the place is still there")
			}
			if name == "of a track" { // which is none: nothing but its user data was given
				return
			}
			was, err := Read(bytes.NewReader(before), int64(len(before)))
			if err != nil {
				t.Fatal(err)
			}
			if is, err := Read(bytes.NewReader(file), int64(len(file))); err != nil || is != was {
				t.Errorf("it was %+v and is %+v, %v", was, is, err)
			}
			if again, err := Unlocate(bytes.NewReader(file), int64(len(file))); err != nil || len(again) > 0 {
				t.Errorf("a second time %d patches, %v", len(again), err)
			}
		})
	}
}
