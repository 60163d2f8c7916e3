package probe_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"atelier/imaging/probe"

	"github.com/google/go-cmp/cmp"
)

func TestContentTellsTheFormatWhateverTheNameSays(t *testing.T) {
	tests := []struct {
		head string
		want probe.Format
	}{
		{"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", probe.PNG},
		{"\xff\xd8\xff\xe0\x00\x10JFIF", probe.JPEG},
		{"RIFF\x24\x00\x00\x00WEBPVP8 ", probe.WebP},
		{"RIFF\x24\x00\x00\x00WAVEfmt ", probe.Unknown},
		{"GIF89a\x01\x00", probe.GIF},
		{"\x00\x00\x00\x1cftypavif\x00\x00\x00\x00avifmif1", probe.AVIF},
		{"\x00\x00\x00\x1cftypmif1\x00\x00\x00\x00mif1avif", probe.AVIF},
		{"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic", probe.HEIC},
		{"\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00isommp42", probe.MP4},
		{"\x00\x00\x00\x14ftypqt  \x00\x00\x00\x00qt  ", probe.MOV},
		{"\x00\x00\x00\x0cftypisom", probe.MP4},
		{"\x1a\x45\xdf\xa3\x01\x00", probe.WEBM},
		{"BM\x36\x00\x0c\x00\x00\x00\x00\x00\x36\x00\x00\x00\x28\x00\x00\x00\x00\x02\x00\x00\x00\x02\x00\x00", probe.BMP},
		{"BMW is a car and this is a note about it", probe.Unknown},
		{"II*\x00\x08\x00\x00\x00", probe.TIFF},
		{"MM\x00*\x00\x00\x00\x08", probe.TIFF},
		{"%PDF-1.7", probe.PDF},
		{"8BPS\x00\x01", probe.PSD},
		{"8BPS\x00\x02", probe.PSB},
		{"PK\x03\x04\x14\x00", probe.ZIP},
		{"<svg xmlns=\"http://www.w3.org/2000/svg\">", probe.SVG},
		{"\xef\xbb\xbf  \n<?xml version=\"1.0\"?><!-- x --><SVG>", probe.SVG},
		{"<!DOCTYPE html><title>x", probe.HTML},
		{"", probe.Unknown},
		{"\xff\xd8", probe.Unknown},
		{"hello", probe.Unknown},
	}
	for _, test := range tests {
		if got := probe.Sniff([]byte(test.head)); got != test.want {
			t.Errorf("Sniff(%q) = %s, want %s", test.head, got, test.want)
		}
	}
}

func read(t *testing.T, data []byte) probe.Facts {
	t.Helper()
	facts, err := probe.Read(data[:min(len(data), probe.HeadBytes)], int64(len(data)))
	if err != nil {
		t.Fatalf("Read: %v", err)
	}
	return facts
}

func TestFactsOfEachFormat(t *testing.T) {
	tests := []struct {
		name string
		data []byte
		want probe.Facts
	}{
		{"png", pngFile(60, 40, 8, 2), probe.Facts{Format: probe.PNG, BitDepth: 8, Channels: 3}},
		{"png with alpha", pngFile(60, 40, 8, 6), probe.Facts{Format: probe.PNG, BitDepth: 8, Channels: 4, HasAlpha: true}},
		{"png in grey with alpha", pngFile(60, 40, 16, 4), probe.Facts{Format: probe.PNG, BitDepth: 16, Channels: 2, HasAlpha: true}},
		{"png in 16 bit grey", pngFile(60, 40, 16, 0), probe.Facts{Format: probe.PNG, BitDepth: 16, Channels: 1}},
		{"png with a 1 bit palette", pngFile(60, 40, 1, 3), probe.Facts{Format: probe.PNG, BitDepth: 8, Channels: 3}},
		{"png with a clear palette entry", pngFile(60, 40, 1, 3, pngChunk("tRNS", []byte{0})), probe.Facts{Format: probe.PNG, BitDepth: 8, Channels: 4, HasAlpha: true}},
		{"png animated", pngFile(60, 40, 8, 2, pngChunk("acTL", make([]byte, 8))), probe.Facts{Format: probe.PNG, BitDepth: 8, Channels: 3, Animated: true}},
		{"jpeg", jpegFile(60, 40, 3, 0xc0), probe.Facts{Format: probe.JPEG, BitDepth: 8, Channels: 3}},
		{"jpeg progressive in grey", jpegFile(60, 40, 1, 0xc2), probe.Facts{Format: probe.JPEG, BitDepth: 8, Channels: 1, Progressive: true}},
		{"jpeg in four inks", jpegFile(60, 40, 4, 0xc1), probe.Facts{Format: probe.JPEG, BitDepth: 8, Channels: 4}},
		{"webp", webpFile(vp8(60, 40)), probe.Facts{Format: probe.WebP, BitDepth: 8, Channels: 3, Lossy: true}},
		{"webp lossless", webpFile(vp8l(60, 40, false)), probe.Facts{Format: probe.WebP, BitDepth: 8, Channels: 3}},
		{"webp lossless with alpha", webpFile(vp8l(60, 40, true)), probe.Facts{Format: probe.WebP, BitDepth: 8, Channels: 4, HasAlpha: true}},
		{"webp with alpha", webpFile(vp8x(60, 40, 0x10), riffChunk("ALPH", make([]byte, 33)), vp8(60, 40)), probe.Facts{Format: probe.WebP, BitDepth: 8, Channels: 4, HasAlpha: true, Lossy: true, AlphaPlane: true}},
		{"webp animated", webpFile(vp8x(60, 40, 0x02), riffChunk("ANIM", make([]byte, 6)), riffChunk("ANMF", make([]byte, 50))), probe.Facts{Format: probe.WebP, BitDepth: 8, Channels: 3, Animated: true}},
		{"webp animated in secret", webpFile(vp8x(60, 40, 0), riffChunk("ANMF", make([]byte, 50))), probe.Facts{Format: probe.WebP, BitDepth: 8, Channels: 3, Animated: true}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.want.Width, test.want.Height, test.want.RawWidth, test.want.RawHeight = 60, 40, 60, 40
			test.want.Orientation, test.want.Bytes = 1, int64(len(test.data))
			if diff := cmp.Diff(test.want, read(t, test.data)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestSizesAreThoseSeenAfterTheExifTurn(t *testing.T) {
	for _, format := range []string{"png", "jpeg"} {
		for n := 1; n <= 8; n++ {
			facts := read(t, turned(format, 60, 40, n))
			wantW, wantH := 60, 40
			if n >= 5 {
				wantW, wantH = 40, 60
			}
			if facts.Orientation != n || facts.Width != wantW || facts.Height != wantH || facts.RawWidth != 60 || facts.RawHeight != 40 {
				t.Errorf("%s turned %d: %+v", format, n, facts)
			}
		}
		for _, n := range []int{0, 9, 65535} {
			if facts := read(t, turned(format, 60, 40, n)); facts.Orientation != 1 || facts.Width != 60 {
				t.Errorf("%s with orientation %d reads as %+v, want upright", format, n, facts)
			}
		}
	}
}

func TestShortHeadAsksForMoreAndShortFileIsDamaged(t *testing.T) {
	for _, data := range [][]byte{pngFile(60, 40, 8, 2), turned("jpeg", 60, 40, 6), turned("webp", 60, 40, 6), webpFile(vp8(60, 40)), webpFile(vp8l(60, 40, true))} {
		size := int64(len(data))
		known := -1
		for n := range data {
			facts, err := probe.Read(data[:n], size)
			switch {
			case err == nil && known < 0:
				known = n
			case err == nil && (facts.RawWidth != 60 || facts.RawHeight != 40):
				t.Fatalf("head of %d bytes: %+v", n, facts)
			case err != nil && known >= 0:
				t.Fatalf("%s: enough at %d bytes, %v at %d", facts.Format, known, err, n)
			case err != nil && !errors.Is(err, probe.ErrNeedMore):
				t.Fatalf("head of %d bytes: %v, want ErrNeedMore", n, err)
			}
			if known < 0 {
				_, err := probe.Read(data[:n], int64(n))
				if !errors.Is(err, probe.ErrCorrupt) && !errors.Is(err, probe.ErrUnknown) {
					t.Fatalf("file of %d bytes: %v, want ErrCorrupt or ErrUnknown", n, err)
				}
			}
		}
		if known < 0 || known > 200 {
			t.Errorf("%s: the size was known after %d bytes", probe.Sniff(data), known)
		}
	}
}

func TestDamagedHeadersAreRefused(t *testing.T) {
	tests := map[string][]byte{
		"png without header":    append([]byte("\x89PNG\r\n\x1a\n"), pngChunk("IDAT", make([]byte, 20))...),
		"png of no width":       pngFile(0, 40, 8, 6),
		"png of negative width": pngFile(-1, 40, 8, 6),
		"png colour type 5":     pngFile(40, 40, 8, 5),
		"jpeg of no height":     append([]byte{0xff, 0xd8}, jpegSegment(0xc0, []byte{8, 0, 0, 0, 9, 1, 1, 0x11, 0})...),
		"jpeg five colours":     append([]byte{0xff, 0xd8}, jpegSegment(0xc0, []byte{8, 0, 9, 0, 9, 5, 1, 0x11, 0})...),
		"jpeg pixels first":     append([]byte{0xff, 0xd8}, jpegSegment(0xda, []byte{1, 1, 0, 0, 63, 0})...),
		"jpeg tiny segment":     {0xff, 0xd8, 0xff, 0xe0, 0, 1, 0xff, 0xd9},
		"jpeg stray byte":       {0xff, 0xd8, 0xff, 0xe0, 0, 2, 0x41, 0x41, 0xff, 0xd9},
		"webp VP8L signature":   webpFile(riffChunk("VP8L", make([]byte, 12))),
		"webp delta frame":      webpFile(riffChunk("VP8 ", bytes.Repeat([]byte{1}, 12))),
		"webp short VP8X":       webpFile(riffChunk("VP8X", make([]byte, 4)), make([]byte, 40)),
	}
	for name, data := range tests {
		t.Run(name, func(t *testing.T) {
			if facts, err := probe.Read(data, int64(len(data))); !errors.Is(err, probe.ErrCorrupt) {
				t.Errorf("Read = %+v, %v, want ErrCorrupt", facts, err)
			}
		})
	}
}

// codes is the problems of a picture of the given facts under the rule.
func codes(r probe.Rule, f probe.Facts) string {
	var out []string
	for _, p := range r.Check(f) {
		out = append(out, p.Code)
	}
	return strings.Join(out, " ")
}

func TestUploadLimitsHoldAtBelowAndAbove(t *testing.T) {
	const limit = 10 * 1024 * 1024
	tests := []struct {
		w, h  int
		bytes int64
		want  string
	}{
		{513, 513, 1000, ""},
		{512, 513, 1000, "side"},
		{513, 512, 1000, "side"},
		{511, 600, 1000, "side"},
		{1025, 513, 1000, ""},
		{1026, 513, 1000, "ratio"},
		{513, 1026, 1000, "ratio"},
		{1199, 600, 1000, ""}, // 1.998…
		{1200, 600, 1000, "ratio"},
		{1194, 600, 1000, ""}, // 1.99
		{1080, 2400, 1000, "ratio"},
		{400, 900, 1000, "side ratio"},
		{1000, 1000, limit - 1, ""},
		{1000, 1000, limit, ""},
		{1000, 1000, limit + 1, "bytes"},
		{7071, 7071, 1000, ""},
		{7072, 7072, 1000, "pixels"},
	}
	for _, test := range tests {
		for _, format := range []probe.Format{probe.PNG, probe.JPEG, probe.WebP} {
			f := probe.Facts{Format: format, Width: test.w, Height: test.h, Bytes: test.bytes}
			if got := codes(probe.Upload, f); got != test.want {
				t.Errorf("%s %d × %d, %d bytes: problems %q, want %q", format, test.w, test.h, test.bytes, got, test.want)
			}
		}
	}
}

func TestPresetLimits(t *testing.T) {
	const limit = 5 * 1024 * 1024
	tests := []struct {
		name  string
		rule  probe.Rule
		w, h  int
		bytes int64
		want  string
	}{
		{"location of 512 is large enough", probe.Location, 512, 512, limit, ""},
		{"location of 511", probe.Location, 511, 512, limit, "side"},
		{"location may be long", probe.Location, 3000, 512, limit, ""},
		{"location of 5 MB and a byte", probe.Location, 600, 600, limit + 1, "bytes"},
		{"model photo may be small and long", probe.FashionModel, 100, 400, limit, ""},
		{"model photo of 5 MB and a byte", probe.FashionModel, 600, 600, limit + 1, "bytes"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := probe.Facts{Format: probe.PNG, Width: test.w, Height: test.h, Bytes: test.bytes}
			if got := codes(test.rule, f); got != test.want {
				t.Errorf("problems %q, want %q", got, test.want)
			}
		})
	}
}

func TestProblemsNameTheRuleTheNumberAndAWayOut(t *testing.T) {
	type said struct{ Code, Message, Fix string }
	tests := []struct {
		name string
		f    probe.Facts
		want said
	}{
		{
			"too long",
			probe.Facts{Format: probe.JPEG, Width: 1080, Height: 2400},
			said{Code: "ratio", Message: "This picture is 1080 × 2400, a ratio of 2.22. The service needs a ratio under 2.", Fix: "Pad it to 1201 × 2400, or crop it to 1080 × 2159."},
		},
		{
			"too long, and too large once it is padded",
			probe.Facts{Format: probe.JPEG, Width: 12000, Height: 4000},
			said{Code: "ratio", Message: "This picture is 12000 × 4000, a ratio of 3.00. The service needs a ratio under 2.", Fix: "Pad it to 9774 × 4888, or crop it to 7999 × 4000."},
		},
		{
			"exactly two",
			probe.Facts{Format: probe.JPEG, Width: 1200, Height: 600},
			said{Code: "ratio", Message: "This picture is 1200 × 600, a ratio of 2.00. The service needs a ratio under 2.", Fix: "Pad it to 1200 × 601, or crop it to 1199 × 600."},
		},
		{
			"too small",
			probe.Facts{Format: probe.PNG, Width: 512, Height: 768},
			said{Code: "side", Message: "This picture is 512 × 768. The service needs more than 512 pixels on each side.", Fix: "Enlarge it to 513 × 770, or use a larger original."},
		},
		{
			"a thumbnail",
			probe.Facts{Format: probe.PNG, Width: 64, Height: 64},
			said{Code: "side", Message: "This picture is 64 × 64. The service needs more than 512 pixels on each side.", Fix: "Use a larger original: enlarging this one would lose too much quality."},
		},
		{
			"a byte too many",
			probe.Facts{Format: probe.PNG, Width: 600, Height: 600, Bytes: 10485761},
			said{Code: "bytes", Message: "This file is 10.1 MB. The service takes at most 10 MB.", Fix: "Save it as JPEG at a lower quality, or make it smaller."},
		},
		{
			"animated",
			probe.Facts{Format: probe.WebP, Width: 600, Height: 600, Animated: true},
			said{Code: "animated", Message: "This WebP is animated. The service takes still pictures only.", Fix: "Export one frame as PNG or JPEG."},
		},
		{
			"huge",
			probe.Facts{Format: probe.JPEG, Width: 10000, Height: 8000},
			said{Code: "pixels", Message: "This picture is 10000 × 8000, 80 megapixels. At most 50 megapixels can be opened.", Fix: "Scale it to 7906 × 6324."},
		},
		{
			"large, with 16 bits",
			probe.Facts{Format: probe.PNG, Width: 8000, Height: 5000, BitDepth: 16},
			said{Code: "pixels", Message: "This picture is 8000 × 5000, 40 megapixels. At most 33 megapixels can be opened of a file stored like this one.", Fix: "Scale it to 7303 × 4564, or save it upright as a plain JPEG."},
		},
		{
			"another format",
			probe.Facts{Format: probe.HEIC},
			said{Code: "format", Message: "This is a HEIC file. The service takes PNG, JPEG or WebP.", Fix: "Export it as JPEG or PNG."},
		},
		{
			"an AVIF",
			probe.Facts{Format: probe.AVIF},
			said{Code: "format", Message: "This is an AVIF file. The service takes PNG, JPEG or WebP.", Fix: "Export it as JPEG or PNG."},
		},
		{
			"no picture",
			probe.Facts{Format: probe.Unknown},
			said{Code: "format", Message: "This is not a picture the service can read. It takes PNG, JPEG or WebP.", Fix: "Export it as JPEG or PNG."},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []said
			for _, p := range probe.Upload.Check(test.f) {
				got = append(got, said{p.Code, p.Message(), p.Fix()})
			}
			if diff := cmp.Diff([]said{test.want}, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestProposedSizesPass(t *testing.T) {
	for w := 300; w < 3000; w += 37 {
		for h := 300; h < 3000; h += 53 {
			for _, p := range probe.Upload.Check(probe.Facts{Format: probe.PNG, Width: w, Height: h}) {
				for _, size := range p.Sizes() {
					after := codes(probe.Upload, probe.Facts{Format: probe.PNG, Width: size.Width, Height: size.Height})
					// Enlarging keeps the shape, so a ratio problem beside it stays.
					if strings.Contains(after, p.Code) || p.Code == probe.CodeRatio && after != "" {
						t.Fatalf("%d × %d: %q proposes %v, which breaks %q", w, h, p.Fix(), size, after)
					}
				}
			}
		}
	}
}

func TestInspectReadsAndChecksInOneStep(t *testing.T) {
	good := jpegFile(600, 700, 3, 0xc0)
	padded := func(size int) []byte { return append(bytes.Clone(good), make([]byte, size-len(good))...) }
	tests := []struct {
		name string
		data []byte
		want string
	}{
		{"good", good, ""},
		{"of exactly 10 MiB", padded(10 << 20), ""},
		{"a byte over", padded(10<<20 + 1), "bytes"},
		{"cut off", good[:25], "corrupt"},
		{"web page", []byte("<html><img>"), "format"},
		{"empty", nil, "format"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, problems, err := probe.Upload.Inspect(test.data[:min(len(test.data), probe.HeadBytes)], int64(len(test.data)))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, p := range problems {
				got = append(got, p.Code)
			}
			if strings.Join(got, " ") != test.want {
				t.Errorf("problems %v, want %q", problems, test.want)
			}
		})
	}
}

func TestHugeMetadataBeforeThePictureAsksForMore(t *testing.T) {
	data := jpegFile(600, 700, 3, 0xc0, bytes.Repeat(jpegSegment(0xe1, make([]byte, 60000)), 20))
	if _, problems, err := probe.Upload.Inspect(data[:probe.HeadBytes], int64(len(data))); !errors.Is(err, probe.ErrNeedMore) {
		t.Errorf("head alone: %v, %v, want ErrNeedMore", problems, err)
	}
	if _, problems, err := probe.Upload.Inspect(data, int64(len(data))); err != nil || problems != nil {
		t.Errorf("whole file: %v, %v, want neither", problems, err)
	}
}

func FuzzRead(f *testing.F) {
	for _, data := range [][]byte{
		pngFile(60, 40, 8, 6), turned("png", 60, 40, 6), turned("jpeg", 60, 40, 6), turned("webp", 60, 40, 6), webpFile(vp8(60, 40)), webpFile(vp8l(60, 40, true)),
		webpFile(vp8x(60, 40, 0x12), riffChunk("ANIM", make([]byte, 6))),
	} {
		f.Add(data, int64(len(data)))
		f.Add(data, int64(10<<20))
	}
	f.Add([]byte("\x00\x00\x00\x1cftypavif\x00\x00\x00\x00avifmif1"), int64(100))
	f.Fuzz(func(t *testing.T, head []byte, size int64) {
		facts, err := probe.Read(head, size)
		if err != nil {
			return
		}
		if whole, err := probe.Read(head, int64(len(head))); err == nil {
			settled := bytes.Clone(head)
			probe.Settle(settled)
			if after, err := probe.Read(settled, int64(len(head))); err != nil || after != whole {
				t.Errorf("%+v is %+v once settled, %v", whole, after, err)
			}
		}
		if facts.Width < 1 || facts.Height < 1 || facts.Orientation < 1 || facts.Orientation > 8 || facts.Channels < 1 || facts.Channels > 4 {
			t.Errorf("Read = %+v", facts)
		}
		for _, p := range probe.Upload.Check(facts) {
			if p.Code == "" || p.Message() == "" || p.Fix() == "" {
				t.Errorf("Check(%+v) = %+v", facts, p)
			}
		}
	})
}
