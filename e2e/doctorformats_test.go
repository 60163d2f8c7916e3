package e2e

import (
	"bytes"
	big "encoding/binary"
	"encoding/json"
	"image"
	"image/color"
	"image/gif"
	"image/png"
	"testing"

	"github.com/chromedp/chromedp"
	"golang.org/x/image/bmp"

	"atelier/atelier"
	"atelier/imaging"
	"atelier/imaging/probe"
	"atelier/imaging/testpics"
)

// profile is a colour profile (ICC.1:2004) of three colourants and one curve: red and green are those of sRGB the other way round, so that
// nobody who looks at it can take the one for the other.
func profile() []byte {
	fixed := func(v float64) []byte { return big.BigEndian.AppendUint32(nil, uint32(int32(v*65536))) }
	xyz := func(x, y, z float64) []byte {
		return bytes.Join([][]byte{[]byte("XYZ \x00\x00\x00\x00"), fixed(x), fixed(y), fixed(z)}, nil)
	}
	text := func(s string) []byte {
		return append(append([]byte("desc\x00\x00\x00\x00\x00\x00\x00"), byte(len(s)+1)), append([]byte(s), make([]byte, 79)...)...)
	}
	tags := []struct {
		name string
		body []byte
	}{
		{"desc", text("Swapped")},
		{"cprt", append([]byte("text\x00\x00\x00\x00"), "none\x00\x00\x00\x00"...)},
		{"wtpt", xyz(.9642, 1, .8249)},
		{"rXYZ", xyz(.3851, .7169, .0971)},
		{"gXYZ", xyz(.4361, .2225, .0139)},
		{"bXYZ", xyz(.1431, .0606, .7141)},
		{"rTRC", append([]byte("curv\x00\x00\x00\x00\x00\x00\x00\x01"), 2, 51, 0, 0)},
		{"gTRC", nil},
		{"bTRC", nil},
	}
	table, data := big.BigEndian.AppendUint32(nil, uint32(len(tags))), []byte{}
	start := 128 + 4 + 12*len(tags)
	at, size := 0, 0
	for _, tag := range tags {
		if tag.body != nil {
			for len(data)%4 != 0 {
				data = append(data, 0)
			}
			at, size = start+len(data), len(tag.body)
			data = append(data, tag.body...)
		}
		table = append(table, tag.name...)
		table = big.BigEndian.AppendUint32(big.BigEndian.AppendUint32(table, uint32(at)), uint32(size))
	}
	head := make([]byte, 128)
	big.BigEndian.PutUint32(head, uint32(start+len(data)))
	copy(head[8:], "\x02\x10\x00\x00mntrRGB XYZ ")
	copy(head[36:], "acsp")
	copy(head[68:], bytes.Join([][]byte{fixed(.9642), fixed(1), fixed(.8249)}, nil))
	return append(append(head, table...), data...)
}

// Files the service would show in other colours, or not take at all, go up as what it takes: eight bits, three channels, sRGB, small enough,
// in a shape it takes. What this browser cannot draw is said to be so.
func TestOtherFormatsAreConvertedForUpload(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.signIn(s)
	plain, blue := image.NewNRGBA(image.Rect(0, 0, 600, 640)), image.NewNRGBA(image.Rect(0, 0, 600, 640)) // the same picture twice is one file
	deep := image.NewNRGBA64(plain.Rect)
	for y := range 640 {
		for x := range 600 {
			plain.SetNRGBA(x, y, color.NRGBA{200, 40, 40, 255})
			blue.SetNRGBA(x, y, color.NRGBA{40, 40, 200, 255})
			deep.SetNRGBA64(x, y, color.NRGBA64{51400, 10280, 10280, 65535})
		}
	}
	var sixteen, moving, bitmap bytes.Buffer
	for _, err := range []error{png.Encode(&sixteen, deep), gif.Encode(&moving, image.NewPaletted(plain.Rect, color.Palette{color.NRGBA{200, 40, 40, 255}}), nil), bmp.Encode(&bitmap, blue)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	jpeg := testpics.JPEG(plain)
	icc := testpics.Segment(0xe2, append([]byte("ICC_PROFILE\x00\x01\x01"), profile()...))
	swapped := bytes.Join([][]byte{jpeg[:2], icc, jpeg[2:]}, nil)
	large := testpics.PadTo(testpics.PNG(testpics.Photo(700, 800, 4)), 10<<20+1)
	for name, data := range map[string][]byte{
		"inks.jpg": testpics.CMYKJPEG(600, 640, 0, 200, 200, 40), "deep.png": sixteen.Bytes(), "swapped.jpg": swapped,
	} {
		b.pick(writeFile(t, name, data))
		b.says(sel("asset-button"), name[:len(name)-4])
	}
	b.do(chromedp.SetUploadFiles(chromedp.ID("upload-input"), []string{
		writeFile(t, "loop.gif", moving.Bytes()), writeFile(t, "old.bmp", bitmap.Bytes()), writeFile(t, "large.png", large),
		writeFile(t, "strip.jpg", testpics.JPEG(testpics.Photo(600, 1300, 6))), // padded, the first that is offered
		writeFile(t, "phone.jpg", append([]byte("\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic"), make([]byte, 4000)...)),
	}))
	b.waitUntil(`document.querySelectorAll('` + sel("patient") + `').length === 5`)
	b.waitUntil(`[...document.querySelectorAll('` + sel("patient") + `')].some(row => row.textContent.includes("phone.jpg") && row.textContent.includes("Its file name says otherwise") && row.textContent.includes("skipped"))`)
	b.shot("doctor-formats")
	b.click("repair")
	b.waitUntil(`!document.querySelector('#doctor').open && !document.querySelector('` + sel("upload-card") + `')`)
	b.click("asset-button")
	b.waitUntil(`document.querySelectorAll('` + sel("asset") + `').length === 7`)
	data, _, err := s.fetch(t.Context(), "/api/assets", b.cookies())
	if err != nil {
		t.Fatal(err)
	}
	var page atelier.AssetPage
	if err := json.Unmarshal(data, &page); err != nil {
		t.Fatal(err)
	}
	want := map[string]struct {
		size   image.Point
		colour color.NRGBA // everywhere; nothing for any
	}{
		"inks.jpg": {image.Pt(600, 640), color.NRGBA{}}, "deep.png": {image.Pt(600, 640), color.NRGBA{200, 40, 40, 255}},
		"swapped.jpg": {image.Pt(600, 640), color.NRGBA{40, 200, 40, 255}}, "loop.jpg": {image.Pt(600, 640), color.NRGBA{200, 40, 40, 255}},
		"old.jpg": {image.Pt(600, 640), color.NRGBA{40, 40, 200, 255}}, "large.png": {image.Pt(700, 800), color.NRGBA{}},
		"strip.jpg": {image.Pt(651, 1300), color.NRGBA{}},
	}
	for _, a := range page.Assets {
		w, ok := want[a.Name]
		if delete(want, a.Name); !ok || image.Pt(a.Width, a.Height) != w.size {
			t.Errorf("%s arrived with %d × %d", a.Name, a.Width, a.Height)
			continue
		}
		file, _, err := s.fetch(t.Context(), a.File, b.cookies())
		if err != nil {
			t.Fatal(err)
		}
		img, facts, err := imaging.Decode(t.Context(), file, imaging.DefaultLimits)
		if err != nil || facts.BitDepth != 8 || facts.Profiled || facts.Format == probe.JPEG && facts.Channels != 3 || len(file) > 10<<20 {
			t.Errorf("%s went up as %+v, %d bytes; %v", a.Name, facts, len(file), err)
			continue
		}
		got := img.NRGBAAt(300, 300)
		if far := max(apart(got.R, w.colour.R), apart(got.G, w.colour.G), apart(got.B, w.colour.B)); w.colour.A > 0 && far > 12 {
			t.Errorf("%s is %v, want %v", a.Name, got, w.colour)
		}
	}
	for name := range want {
		t.Errorf("%s did not arrive", name)
	}
}

func apart(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }
