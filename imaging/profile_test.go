package imaging_test

import (
	"bytes"
	"image"
	"image/color"
	"math"
	"testing"

	"atelier/imaging"
	"atelier/imaging/probe"
	"atelier/imaging/testpics"
)

// A space of colours as standards give it: what lies in a profile (primaries adapted to D50, a curve), and, on a way of its own, what
// its values are in the light of sRGB (D65 to D65, from the primaries' coordinates).
type space struct {
	name     string
	xyz      [3][3]float64 // of red, green and blue
	curve    []byte
	light    func(v float64) float64
	toLinear [3][3]float64
}

func power(g float64) func(float64) float64 {
	return func(v float64) float64 { return math.Pow(v, g) }
}

func lightOfSRGB(v float64) float64 {
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

func valueOfSRGB(v float64) float64 {
	v = min(max(v, 0), 1)
	if v <= 0.0031308 {
		return 12.92 * v
	}
	return 1.055*math.Pow(v, 1/2.4) - 0.055
}

var (
	p3Linear  = [3][3]float64{{1.22494, -0.22494, 0}, {-0.04206, 1.04206, 0}, {-0.01964, -0.07864, 1.09827}}
	adobeMat  = [3][3]float64{{1.39836, -0.39836, 0}, {0, 1, 0}, {0, -0.04293, 1.04293}}
	asSRGB    = testpics.CurveSRGB()
	adobeStep = 563.0 / 256 // the gamma of Adobe RGB (1998)
)

var spaces = []space{
	{"Display P3", testpics.PrimariesP3, asSRGB, lightOfSRGB, p3Linear},
	{"Display P3, sampled", testpics.PrimariesP3, testpics.SampledCurve(1024, lightOfSRGB), lightOfSRGB, p3Linear},
	{"Display P3, seven numbers", testpics.PrimariesP3, testpics.ParametricCurve(4, 2.4, 1/1.055, 0.055/1.055, 1/12.92, 0.04045, 0, 0), lightOfSRGB, p3Linear},
	{"Adobe RGB", testpics.PrimariesAdobeRGB, testpics.GammaCurve(adobeStep), power(adobeStep), adobeMat},
	{"Adobe RGB, one number", testpics.PrimariesAdobeRGB, testpics.ParametricCurve(0, adobeStep), power(adobeStep), adobeMat},
	{"Adobe RGB, three numbers", testpics.PrimariesAdobeRGB, testpics.ParametricCurve(1, adobeStep, 1, 0), power(adobeStep), adobeMat},
	{"Adobe RGB, four numbers", testpics.PrimariesAdobeRGB, testpics.ParametricCurve(2, adobeStep, 1, 0, 0), power(adobeStep), adobeMat},
}

// profile is an ICC profile of the space.
func (s space) profile() []byte { return testpics.MatrixProfile(s.xyz, s.curve) }

// want is what a colour of the space looks like in sRGB.
func (s space) want(c color.NRGBA) color.NRGBA {
	light := [3]float64{s.light(float64(c.R) / 255), s.light(float64(c.G) / 255), s.light(float64(c.B) / 255)}
	var out [3]uint8
	for i, row := range s.toLinear {
		out[i] = uint8(math.Round(255 * valueOfSRGB(row[0]*light[0]+row[1]*light[1]+row[2]*light[2])))
	}
	return color.NRGBA{R: out[0], G: out[1], B: out[2], A: c.A}
}

// manyColours has every mixture of nine values of red, green and blue, 729 in all, a pixel each.
func manyColours() *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, 27, 27))
	v := func(n int) uint8 { return uint8(n * 255 / 8) }
	for i := range 729 {
		img.SetNRGBA(i%27, i/27, color.NRGBA{R: v(i / 81), G: v(i / 9 % 9), B: v(i % 9), A: 255})
	}
	return img
}

func TestColoursOfAProfileBecomeSRGB(t *testing.T) {
	for _, s := range spaces {
		src := manyColours()
		for format, file := range map[string][]byte{"png": testpics.PNG(src), "webp": testpics.LosslessWebP(src)} {
			got, facts, err := imaging.Decode(t.Context(), testpics.WithProfile(file, s.profile()), imaging.DefaultLimits)
			if err != nil || !facts.Profiled {
				t.Fatalf("%s, %s: %v, profiled %v", s.name, format, err, facts.Profiled)
			}
			for i := range 729 {
				from, g := src.NRGBAAt(i%27, i/27), got.NRGBAAt(i%27, i/27)
				w := s.want(from)
				// The primaries of a profile have 16 bits and standards five digits, which the curve makes more of near black.
				if off := max(math.Abs(float64(g.R)-float64(w.R)), math.Abs(float64(g.G)-float64(w.G)), math.Abs(float64(g.B)-float64(w.B))); off > 2 || g.A != 255 {
					t.Fatalf("%s, %s: %v became %v, want %v", s.name, format, from, g, w)
				}
			}
		}
	}
}

// A red of Adobe RGB lies outside sRGB: read as if it were sRGB, a picture looks dull.
func TestThumbnailsAndJPEGsAreInSRGBToo(t *testing.T) {
	adobe := spaces[3]
	dull := color.NRGBA{R: 170, G: 90, B: 60, A: 255}
	want := adobe.want(dull)
	file := testpics.WithProfile(testpics.JPEG(testpics.Flat(640, 480, dull)), append(adobe.profile(), make([]byte, 120_000)...)) // in three pieces
	near := func(what string, got color.NRGBA) {
		t.Helper()
		if off := max(math.Abs(float64(got.R)-float64(want.R)), math.Abs(float64(got.G)-float64(want.G)), math.Abs(float64(got.B)-float64(want.B))); off > 4 {
			t.Errorf("%s: %v became %v, want %v", what, dull, got, want)
		}
	}
	whole, _, err := imaging.Decode(t.Context(), file, imaging.DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	near("the picture", whole.NRGBAAt(320, 240))
	for _, side := range []int{64, 512} { // from a reduced decode, and from the planes
		small, err := imaging.Thumb(t.Context(), file, side, imaging.DefaultLimits)
		if err != nil {
			t.Fatal(err)
		}
		img, _, err := imaging.Decode(t.Context(), small.Data, imaging.DefaultLimits)
		if err != nil {
			t.Fatal(err)
		}
		near("its thumbnail", img.NRGBAAt(img.Rect.Dx()/2, img.Rect.Dy()/2))
	}
}

func TestWhatNeedsNoConversionStaysToTheBit(t *testing.T) {
	src := manyColours()
	plain := testpics.PNG(src)
	adobe := spaces[3].profile()
	tables := bytes.Replace(adobe, []byte("gTRC"), []byte("A2B0"), 1)
	for name, profile := range map[string][]byte{
		"sRGB under another name": space{xyz: testpics.PrimariesSRGB, curve: asSRGB}.profile(),
		"cut off":                 adobe[:200],
		"tables":                  tables,
		"of print":                bytes.Replace(adobe, []byte("RGB XYZ "), []byte("CMYKLab "), 1),
		"nothing":                 {},
		"a curve that is missing": bytes.Replace(adobe, []byte("gTRC"), []byte("none"), 1),
	} {
		got, _, err := imaging.Decode(t.Context(), testpics.WithProfile(plain, profile), imaging.DefaultLimits)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !bytes.Equal(got.Pix, src.Pix) {
			t.Errorf("%s: the colours were changed", name)
		}
	}
}

// The values of a mask say what is kept, whatever a program has written of their colour.
func TestAMaskHasNoColours(t *testing.T) {
	src := testpics.Flat(8, 8, color.NRGBA{R: 120, G: 120, B: 120, A: 255})
	bare, _, err := imaging.DecodeMask(t.Context(), testpics.PNG(src), imaging.DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	linear := space{xyz: testpics.PrimariesSRGB, curve: testpics.GammaCurve(1)}
	got, _, err := imaging.DecodeMask(t.Context(), testpics.WithProfile(testpics.PNG(src), linear.profile()), imaging.DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(bare.Pix, got.Pix) {
		t.Errorf("the mask became %d, want %d", got.Pix[0], bare.Pix[0])
	}
	shown, _, err := imaging.Decode(t.Context(), testpics.WithProfile(testpics.PNG(src), linear.profile()), imaging.DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	if c := shown.NRGBAAt(4, 4); c.R < 170 {
		t.Errorf("the same values as a picture are %v, want the grey that a linear 120 is", c)
	}
}

func FuzzProfile(f *testing.F) {
	for _, s := range spaces {
		f.Add(s.profile())
	}
	jpeg, png := testpics.JPEG(testpics.Photo(16, 16, 1)), testpics.PNG(testpics.Photo(16, 16, 1))
	f.Fuzz(func(t *testing.T, profile []byte) {
		if len(profile) > 200_000 {
			return
		}
		for _, file := range [][]byte{jpeg, png} {
			img, _, err := imaging.Decode(t.Context(), testpics.WithProfile(file, profile), imaging.DefaultLimits)
			if err != nil {
				t.Fatalf("a profile kept %s from being opened: %v", probe.Sniff(file), err)
			}
			if !img.Opaque() {
				t.Error("a profile made the picture transparent")
			}
		}
	})
}
