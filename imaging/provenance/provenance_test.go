package provenance_test

import (
	"bytes"
	"encoding/binary"
	"encoding/xml"
	"errors"
	"image"
	"image/color"
	"io"
	"strings"
	"testing"

	"atelier/imaging"
	"atelier/imaging/probe"
	"atelier/imaging/provenance"
	"atelier/imaging/testpics"
)

// property reads one property out of an XMP packet, as a reader of XML that knows nothing of ours.
func property(t *testing.T, packet []byte, space, name string) string {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(packet))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return ""
		}
		if err != nil {
			t.Fatalf("the packet is no XML: %v", err)
		}
		if s, ok := token.(xml.StartElement); ok && s.Name == (xml.Name{Space: space, Local: name}) {
			var text string
			if err := d.DecodeElement(&text, &s); err != nil {
				t.Fatal(err)
			}
			return text
		}
	}
}

// packets finds every XMP packet where the format keeps it.
func packets(t *testing.T, data []byte) (found [][]byte) {
	t.Helper()
	switch probe.Sniff(data) {
	case probe.PNG:
		for at := 8; at < len(data); {
			n := int(binary.BigEndian.Uint32(data[at:]))
			body := data[at+8 : at+8+n]
			if rest, ok := bytes.CutPrefix(body, []byte("XML:com.adobe.xmp\x00")); ok && string(data[at+4:at+8]) == "iTXt" {
				found = append(found, rest[4:])
			}
			at += 12 + n
		}
	case probe.JPEG:
		for at := 2; data[at] == 0xff && data[at+1] != 0xda; {
			n := int(binary.BigEndian.Uint16(data[at+2:]))
			if rest, ok := bytes.CutPrefix(data[at+4:at+2+n], []byte("http://ns.adobe.com/xap/1.0/\x00")); ok && data[at+1] == 0xe1 {
				found = append(found, rest)
			}
			at += 2 + n
		}
	case probe.WebP:
		if int(binary.LittleEndian.Uint32(data[4:])) != len(data)-8 {
			t.Error("the length of the WebP file is wrong")
		}
		for at := 12; at < len(data); {
			n := int(binary.LittleEndian.Uint32(data[at+4:]))
			if string(data[at:at+4]) == "XMP " {
				found = append(found, data[at+8:at+8+n])
			}
			at += 8 + n + n&1
		}
	}
	return found
}

func TestAPictureSaysWhereItComesFromAndKeepsItsPixels(t *testing.T) {
	t.Parallel()
	opaque := testpics.Photo(90, 61, 1)
	clear := image.NewNRGBA(image.Rect(0, 0, 33, 40))
	clear.SetNRGBA(3, 4, color.NRGBA{200, 10, 30, 128})
	for _, format := range []probe.Format{probe.PNG, probe.JPEG, probe.WebP} {
		for name, img := range map[string]*image.NRGBA{"opaque": opaque, "transparent": clear} {
			t.Run(string(format)+" "+name, func(t *testing.T) {
				t.Parallel()
				var b bytes.Buffer
				if err := imaging.Encode(&b, img, imaging.EncodeOptions{Format: format}); err != nil {
					t.Fatal(err)
				}
				data := b.Bytes()
				// The second term replaces the first.
				for _, source := range []provenance.Source{provenance.TrainedComposite, provenance.Algorithmic} {
					tagged, err := provenance.Tag(data, source)
					if err != nil {
						t.Fatal(err)
					}
					found := packets(t, tagged)
					if len(found) != 1 {
						t.Fatalf("%d packets", len(found))
					}
					const want = "http://cv.iptc.org/newscodes/digitalsourcetype/"
					if got := property(t, found[0], "http://iptc.org/std/Iptc4xmpExt/2008-02-29/", "DigitalSourceType"); got != want+string(source) {
						t.Errorf("the source is %q", got)
					}
					if got := property(t, found[0], "http://ns.adobe.com/xap/1.0/", "CreatorTool"); got != "Atelier" {
						t.Errorf("the tool is %q", got)
					}
					before, _, err := imaging.Decode(t.Context(), b.Bytes(), imaging.DefaultLimits)
					if err != nil {
						t.Fatal(err)
					}
					after, facts, err := imaging.Decode(t.Context(), tagged, imaging.DefaultLimits)
					if err != nil || !bytes.Equal(before.Pix, after.Pix) || facts.Width != img.Rect.Dx() {
						t.Errorf("the pixels differ, or the file cannot be opened: %v", err)
					}
					data = tagged
				}
			})
		}
	}
}

func TestWhatIsNoPictureIsNotTagged(t *testing.T) {
	t.Parallel()
	good, err := provenance.Tag(testpics.JPEG(testpics.Photo(20, 20, 1)), provenance.Trained)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"text": []byte(strings.Repeat("x", 100)), "nothing": nil, "the head of a JPEG": good[:30],
		"the head of a PNG": []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIH"), "the head of a WebP": []byte("RIFF\x10\x00\x00\x00WEBPVP8 \xff\x00\x00\x00"),
	} {
		if _, err := provenance.Tag(data, provenance.Trained); err == nil {
			t.Errorf("%s is tagged", name)
		}
	}
}
