package imaging_test

import (
	"bytes"
	"encoding/binary"
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

func parametric(kind uint16, numbers ...float64) []byte {
	b := append([]byte("para\x00\x00\x00\x00"), byte(kind>>8), byte(kind), 0, 0)
	for _, n := range numbers {
		b = binary.BigEndian.AppendUint32(b, uint32(int32(math.Round(n*(1<<16)))))
	}
	return b
}

func gamma(g float64) []byte {
	return binary.BigEndian.AppendUint16([]byte("curv\x00\x00\x00\x00\x00\x00\x00\x01"), uint16(math.Round(g*256)))
}

// sampled is a curve of 1024 samples.
func sampled(light func(float64) float64) []byte {
	b := []byte("curv\x00\x00\x00\x00\x00\x00\x04\x00")
	for i := range 1024 {
		b = binary.BigEndian.AppendUint16(b, uint16(math.Round(math.MaxUint16*light(float64(i)/1023))))
	}
	return b
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
	p3XYZ     = [3][3]float64{{0.51512, 0.24120, -0.00105}, {0.29198, 0.69225, 0.04189}, {0.15710, 0.06657, 0.78407}}
	p3Linear  = [3][3]float64{{1.22494, -0.22494, 0}, {-0.04206, 1.04206, 0}, {-0.01964, -0.07864, 1.09827}}
	srgbXYZ   = [3][3]float64{{0.43607, 0.22249, 0.01392}, {0.38515, 0.71687, 0.09708}, {0.14307, 0.06061, 0.71410}}
	adobeXYZ  = [3][3]float64{{0.60974, 0.31111, 0.01947}, {0.20528, 0.62567, 0.06087}, {0.14919, 0.06322, 0.74457}}
	adobeMat  = [3][3]float64{{1.39836, -0.39836, 0}, {0, 1, 0}, {0, -0.04293, 1.04293}}
	asSRGB    = parametric(3, 2.4, 1/1.055, 0.055/1.055, 1/12.92, 0.04045)
	adobeStep = 563.0 / 256 // the gamma of Adobe RGB (1998)
)

var spaces = []space{
	{"Display P3", p3XYZ, asSRGB, lightOfSRGB, p3Linear},
	{"Display P3, sampled", p3XYZ, sampled(lightOfSRGB), lightOfSRGB, p3Linear},
	{"Display P3, seven numbers", p3XYZ, parametric(4, 2.4, 1/1.055, 0.055/1.055, 1/12.92, 0.04045, 0, 0), lightOfSRGB, p3Linear},
	{"Adobe RGB", adobeXYZ, gamma(adobeStep), power(adobeStep), adobeMat},
	{"Adobe RGB, one number", adobeXYZ, parametric(0, adobeStep), power(adobeStep), adobeMat},
	{"Adobe RGB, three numbers", adobeXYZ, parametric(1, adobeStep, 1, 0), power(adobeStep), adobeMat},
	{"Adobe RGB, four numbers", adobeXYZ, parametric(2, adobeStep, 1, 0, 0), power(adobeStep), adobeMat},
}

// profile is an ICC profile of the space, its curve stored once for all three primaries, as editors do.
func (s space) profile() []byte {
	const head, count = 128, 6
	be := binary.BigEndian
	data := make([]byte, head+4+12*count)
	copy(data[12:], "mntrRGB XYZ ")
	copy(data[36:], "acsp")
	be.PutUint32(data[head:], count)
	at := head + 4
	tag := func(name string, from, size int) {
		copy(data[at:], name)
		be.PutUint32(data[at+4:], uint32(from))
		be.PutUint32(data[at+8:], uint32(size))
		at += 12
	}
	for c, name := range []string{"rXYZ", "gXYZ", "bXYZ"} {
		tag(name, len(data), 20)
		data = append(data, "XYZ \x00\x00\x00\x00"...)
		for _, v := range s.xyz[c] {
			data = be.AppendUint32(data, uint32(int32(math.Round(v*(1<<16)))))
		}
	}
	for _, name := range []string{"rTRC", "gTRC", "bTRC"} {
		tag(name, len(data), len(s.curve))
	}
	data = append(data, s.curve...)
	be.PutUint32(data, uint32(len(data)))
	return data
}

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
		"sRGB under another name": space{xyz: srgbXYZ, curve: asSRGB}.profile(),
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
	linear := space{xyz: srgbXYZ, curve: gamma(1)}
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
