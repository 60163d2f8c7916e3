package model

import (
	"image"
	"math"
	"strings"
	"testing"

	"atelier/app/words"
	"atelier/imaging/probe"
)

// What a remedy promises passes the rule it is a remedy for, and its picture covers or fills the canvas as its name says.
func TestRemediesPassTheRule(t *testing.T) {
	tests := []struct {
		name string
		f    probe.Facts
		want []string // the keys of the remedies
	}{
		{"at the limit of the ratio", probe.Facts{Format: probe.JPEG, Width: 1200, Height: 600}, []string{"pad", "crop"}},
		{"standing", probe.Facts{Format: probe.PNG, Width: 600, Height: 1500}, []string{"pad", "crop"}},
		{"at the limit of the side", probe.Facts{Format: probe.WebP, Width: 512, Height: 900}, []string{"fit"}},
		{"small and long", probe.Facts{Format: probe.JPEG, Width: 200, Height: 700}, []string{"pad", "crop"}},
		{"too many bytes", probe.Facts{Format: probe.PNG, Width: 900, Height: 900, Bytes: probe.Upload.MaxBytes + 1}, []string{"fit"}},
		{"too many pixels", probe.Facts{Format: probe.JPEG, Width: 9000, Height: 8000}, []string{"fit"}},
		{"too many pixels of 16 bits", probe.Facts{Format: probe.PNG, Width: 6000, Height: 6000, BitDepth: 16, HasAlpha: true}, []string{"fit"}},
		{"too many pixels to be turned", probe.Facts{Format: probe.WebP, Width: 5000, Height: 4000, Orientation: 6, Lossy: true, AlphaPlane: true, HasAlpha: true}, []string{"fit"}},
		{"animated", probe.Facts{Format: probe.PNG, Width: 900, Height: 900, Animated: true}, []string{"fit"}},
		{"a format to convert", probe.Facts{Format: probe.BMP, Width: 900, Height: 900}, []string{"fit"}},
		{"long, and too large once it is padded", probe.Facts{Format: probe.JPEG, Width: 12000, Height: 4000}, []string{"pad", "crop"}},
		{"transparent, and too large once it is padded", probe.Facts{Format: probe.WebP, Width: 4000, Height: 12000, HasAlpha: true, Lossy: true, AlphaPlane: true}, []string{"pad", "crop"}},
		{"too long and thin to be enlarged whole", probe.Facts{Format: probe.PNG, Width: 20000, Height: 100}, []string{"pad", "crop"}},
		{"a format to convert, and long", probe.Facts{Format: probe.GIF, Width: 900, Height: 300}, []string{"pad", "crop"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := Examine(probe.Upload, tt.f)
			if len(d.Problems) == 0 || len(d.Remedies) != len(tt.want) {
				t.Fatalf("%d problems, remedies %+v", len(d.Problems), d.Remedies)
			}
			for i, r := range d.Remedies {
				if r.Key != tt.want[i] || r.Title == "" || r.Effect == "" || r.Limit != probe.Upload.MaxBytes || len(r.Formats) == 0 {
					t.Errorf("remedy %d is %+v, want %s", i, r, tt.want[i])
				}
				for _, format := range r.Formats {
					lossy := format == probe.WebP
					after := probe.Facts{Format: format, Width: r.Size.X, Height: r.Size.Y, Bytes: r.Limit, Lossy: lossy, AlphaPlane: lossy && tt.f.HasAlpha}
					if left := probe.Upload.Check(after); len(left) > 0 {
						t.Errorf("%s makes a %s of %v, which is refused: %v", r.Key, format, r.Size, left)
					}
				}
				covers := r.Picture.X >= r.Size.X && r.Picture.Y >= r.Size.Y
				fits := r.Picture.X <= r.Size.X && r.Picture.Y <= r.Size.Y
				if r.Key == "pad" && !fits || r.Key == "crop" && !covers || r.Key == "fit" && r.Picture != r.Size {
					t.Errorf("%s puts a picture of %v on a canvas of %v", r.Key, r.Picture, r.Size)
				}
				// The picture keeps its shape, to the pixel it is rounded to.
				wide, high := float64(r.Picture.X)/float64(tt.f.Width), float64(r.Picture.Y)/float64(tt.f.Height)
				if math.Abs(wide-high)*float64(min(tt.f.Width, tt.f.Height)) > 1 {
					t.Errorf("a picture of %d × %d became %v", tt.f.Width, tt.f.Height, r.Picture)
				}
				if enlarged := wide > 1; enlarged != strings.Contains(r.Warning, "soft") {
					t.Errorf("%s of a picture that becomes %v warns %q", r.Key, r.Picture, r.Warning)
				}
			}
		})
	}
	if d := Examine(probe.Upload, probe.Facts{Format: probe.JPEG, Width: 513, Height: 1025}); len(d.Problems)+len(d.Remedies) > 0 {
		t.Errorf("a picture just within the rules: %+v", d)
	}
	slow := probe.TooSlow(probe.JPEG)
	if d := Examine(probe.Upload, probe.Facts{Format: probe.JPEG, Width: 900, Height: 900}, slow); len(d.Problems) != 1 || d.Problems[0].Code != slow.Code || len(d.Remedies) != 1 {
		t.Errorf("a JPEG that takes too long to open: %+v", d)
	}
	if d := Examine(probe.Upload, probe.Facts{Format: probe.PDF}); len(d.Problems) != 1 || len(d.Remedies) != 0 {
		t.Errorf("a PDF: %+v", d)
	}
}

// Whatever is against a file, the studio says in words of its own what the services would answer.
func TestEveryFaultHasTheStudiosWords(t *testing.T) {
	place := probe.Location
	said := map[string]bool{}
	for _, broken := range [][]probe.Problem{
		probe.Upload.Check(probe.Facts{Format: probe.HEIC}), probe.Upload.Check(probe.Facts{Format: probe.AVIF}), probe.Upload.Check(probe.Facts{Format: probe.Unknown}),
		probe.Upload.Check(probe.Facts{Format: probe.SVG}), probe.Upload.Check(probe.Facts{Format: probe.MP4}), probe.Upload.Check(probe.Facts{Format: probe.PDF}),
		probe.Upload.Check(probe.Facts{Format: probe.WebP, Width: 9000, Height: 18000, Animated: true, Bytes: probe.Upload.MaxBytes + 1}),
		probe.Upload.Check(probe.Facts{Format: probe.PNG, Width: 400, Height: 500}), probe.Upload.Check(probe.Facts{Format: probe.PNG, Width: 1024, Height: 513}),
		place.Check(probe.Facts{Format: probe.PNG, Width: 60, Height: 500, Bytes: 7 << 20}),
		probe.Upload.Check(probe.Facts{Format: probe.PNG, Width: 8000, Height: 5000, BitDepth: 16}),
		{{Code: probe.CodeCorrupt, Facts: probe.Facts{Format: probe.PNG}, Rule: place}},
		{probe.TooSlow(probe.JPEG)},
		{{Code: probe.CodeKind, Facts: probe.Facts{Format: probe.HEIC, Kind: probe.OtherHEIC}, Rule: probe.Studio}},
		{{Code: probe.CodeKind, Facts: probe.Facts{Format: probe.TIFF, Kind: probe.BigTIFF}, Rule: probe.Studio}},
		{{Code: probe.CodeKind, Facts: probe.Facts{Format: probe.TIFF, Kind: probe.InksTIFF}, Rule: probe.Studio}},
		{{Code: probe.CodeKind, Facts: probe.Facts{Format: probe.TIFF, Kind: probe.PackedTIFF}, Rule: probe.Studio}},
		{{Code: probe.CodeKind, Facts: probe.Facts{Format: probe.TIFF, Kind: probe.DeepTIFF}, Rule: probe.Studio}},
		{{Code: probe.CodeKind, Facts: probe.Facts{Format: probe.TIFF, Kind: probe.OddTIFF}, Rule: probe.Studio}},
		{{Code: probe.CodeBytes, Facts: probe.Facts{Format: probe.TIFF, Bytes: 70 << 20}, Rule: probe.Studio}},
		{probe.TooMuchMemory(probe.MaxMemory)},
	} {
		for i, f := range Diagnose(broken).Problems {
			said[f.Code] = true
			if f.Code != broken[i].Code || f.Message != broken[i].Message() || f.Fix != broken[i].Fix() || f.Sentence() != broken[i].Sentence() {
				t.Errorf("%s: the studio says %q, the services %q", f.Code, f.Sentence(), broken[i].Sentence())
			}
		}
	}
	for _, code := range []string{probe.CodeFormat, probe.CodeAnimated, probe.CodeBytes, probe.CodeSide, probe.CodeRatio, probe.CodePixels, probe.CodeSlow, probe.CodeMemory, probe.CodeCorrupt, probe.CodeKind} {
		if !said[code] {
			t.Errorf("no file was tried that breaks %s", code)
		}
	}
}

func TestAFileCalledWhatItIsNotIsTold(t *testing.T) {
	for name, want := range map[string]bool{"IMG_0001.JPG": true, "scan.webp": true, "IMG_0001.heic": false, "moving.gif": false} {
		if got := Misnamed(name, probe.HEIC); got != want {
			t.Errorf("%s that is HEIC: %v", name, got)
		}
	}
	if Misnamed("dress.png", probe.JPEG) {
		t.Error("what the service takes is called as it likes")
	}
}

func TestLossesOfRemediesAreSaid(t *testing.T) {
	d := Examine(probe.Upload, probe.Facts{Format: probe.JPEG, Width: 3000, Height: 1000})
	if crop := d.Remedies[1]; crop.Size != image.Pt(1999, 1000) || crop.Warning != "Crops 33 % of the picture." {
		t.Errorf("cropping says %+v", crop)
	}
	if pad := d.Remedies[0]; pad.Size != image.Pt(3000, 1501) || pad.Warning != "" || !strings.Contains(pad.Effect, "3000 × 1000 → 3000 × 1501") {
		t.Errorf("padding says %+v", pad)
	}
	small := Examine(probe.Upload, probe.Facts{Format: probe.JPEG, Width: 400, Height: 500})
	if r := small.Remedies[0]; r.Size != image.Pt(513, 642) || !strings.Contains(r.Warning, "soft") {
		t.Errorf("enlarging says %+v", r)
	}
}

func TestWhatIsPutRightWithoutAQuestion(t *testing.T) {
	tests := []struct {
		f      probe.Facts
		redraw bool
		words  string
	}{
		{probe.Facts{Format: probe.JPEG, Channels: 3, BitDepth: 8}, false, ""},
		{probe.Facts{Format: probe.JPEG, Channels: 4, BitDepth: 8}, true, "CMYK"},
		{probe.Facts{Format: probe.PNG, Channels: 4, BitDepth: 8, HasAlpha: true}, false, ""},
		{probe.Facts{Format: probe.PNG, Channels: 3, BitDepth: 16}, true, "16 bits"},
		{probe.Facts{Format: probe.JPEG, Channels: 3, BitDepth: 8, Profiled: true}, true, "sRGB"},
		{probe.Facts{Format: probe.WebP, Channels: 3, BitDepth: 8, Located: true}, false, "location data"},
	}
	for _, tt := range tests {
		got := PutRight(tt.f)
		if got.Redraw != tt.redraw || !strings.Contains(got.Words, tt.words) || tt.words == "" && got.Words != "" {
			t.Errorf("%+v: %+v", tt.f, got)
		}
	}
}

// What the server cannot open a browser may: the file is offered as a plain JPEG.
func TestRareJPEGIsOfferedAsAPlainOne(t *testing.T) {
	f := probe.Facts{Format: probe.JPEG, Width: 600, Height: 700, Coding: probe.Arithmetic}
	d := Examine(probe.Upload, f)
	if len(d.Problems) != 1 || d.Problems[0].Message != words.FaultArithmetic || d.Problems[0].Fix != words.FaultCodingFix {
		t.Fatalf("problems %+v", d.Problems)
	}
	if len(d.Remedies) != 1 || d.Remedies[0].Title != words.RepairConvert || d.Remedies[0].Formats[0] != probe.JPEG || d.Remedies[0].Size != image.Pt(600, 700) {
		t.Errorf("remedies %+v", d.Remedies)
	}
	for coding := probe.Arithmetic; coding <= probe.OtherColours; coding++ {
		f.Coding = coding
		if said := Examine(probe.Upload, f).Problems[0]; said.Message == "" || said.Message != rareInServerWords(f) {
			t.Errorf("coding %d: %q, the server says %q", coding, said.Message, rareInServerWords(f))
		}
	}
}

func rareInServerWords(f probe.Facts) string { return probe.Upload.Check(f)[0].Message() }
