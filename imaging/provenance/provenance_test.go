package provenance_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"hash/crc32"
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
	case probe.MP4, probe.MOV:
		for at := 0; at < len(data); {
			n := int(binary.BigEndian.Uint32(data[at:]))
			if n == 1 {
				n = int(binary.BigEndian.Uint64(data[at+8:]))
			}
			body, uuid := bytes.CutPrefix(data[at+4:at+n], []byte("uuid"))
			if id := "be7acfcb97a942e89c71999491e3afac"; uuid && hex.EncodeToString(body[:16]) == id {
				found = append(found, body[16:])
			}
			at += n
		}
	}
	return found
}

// tag reads a tagged file whole. That its checksum is worked out well, and that it is read alike from any place, is seen here too.
func tag(t *testing.T, data []byte, o provenance.Origin) []byte {
	t.Helper()
	file, err := provenance.Open(bytes.NewReader(data), int64(len(data)), o)
	if err != nil {
		t.Fatal(err)
	}
	tagged, err := io.ReadAll(file)
	if err != nil || int64(len(tagged)) != file.Size() {
		t.Fatalf("%d bytes, announced %d: %v", len(tagged), file.Size(), err)
	}
	if crc, err := file.CRC(crc32.ChecksumIEEE(data)); err != nil || crc != crc32.ChecksumIEEE(tagged) {
		t.Errorf("the checksum is %08x, %v, want %08x", crc, err, crc32.ChecksumIEEE(tagged))
	}
	for from := 0; from <= len(tagged); from += 1 + len(tagged)/50 {
		if at, err := file.Seek(int64(from-len(tagged)), io.SeekEnd); err != nil || at != int64(from) {
			t.Fatalf("at %d, %v", at, err)
		}
		if rest, err := io.ReadAll(file); err != nil || !bytes.Equal(rest, tagged[from:]) {
			t.Fatalf("from %d: %d bytes, %v", from, len(rest), err)
		}
	}
	return tagged
}

const (
	iptc   = "http://iptc.org/std/Iptc4xmpExt/2008-02-29/"
	source = "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"
)

var origins = []provenance.Origin{
	{Source: provenance.TrainedComposite, Agent: `aimodel v1.0`, Parent: source},
	{Source: provenance.Algorithmic, Agent: `a<b> & "c" v2`},
	{Source: provenance.Composite},
}

// checkPacket looks for exactly what an origin says, nothing else.
func checkPacket(t *testing.T, tagged []byte, o provenance.Origin) {
	t.Helper()
	found := packets(t, tagged)
	if len(found) != 1 {
		t.Fatalf("%d packets", len(found))
	}
	tool, system, parent := "", "", ""
	if o.Agent != "" {
		tool = "Atelier, " + o.Agent
	}
	if o.Source == provenance.TrainedComposite {
		system, parent = o.Agent, "sha256:"+o.Parent
	}
	for name, want := range map[xml.Name]string{
		{Space: iptc, Local: "DigitalSourceType"}:                     "http://cv.iptc.org/newscodes/digitalsourcetype/" + string(o.Source),
		{Space: iptc, Local: "AISystemUsed"}:                          system,
		{Space: "http://ns.adobe.com/xap/1.0/", Local: "CreatorTool"}: tool,
		{Space: "http://purl.org/dc/elements/1.1/", Local: "source"}:  parent,
	} {
		if got := property(t, found[0], name.Space, name.Local); got != want {
			t.Errorf("%s is %q, want %q", name.Local, got, want)
		}
	}
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
				for _, o := range origins { // the second takes the place of the first
					tagged := tag(t, data, o)
					checkPacket(t, tagged, o)
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

func TestAFilmSaysWhereItComesFromBehindAllElse(t *testing.T) {
	t.Parallel()
	for _, brand := range []string{"isom", "qt  "} {
		film := []byte("\x00\x00\x00\x14ftyp" + brand + "\x00\x00\x00\x00" + brand + "\x00\x00\x00\x01mdat\x00\x00\x00\x00\x00\x00\x00\x14data" + "\x00\x00\x00\x08moov")
		data := film
		for _, o := range origins {
			data = tag(t, data, o)
			checkPacket(t, data, o)
			if !bytes.HasPrefix(data, film) || bytes.Count(data, []byte("uuid")) != 1 {
				t.Errorf("%s: what stood in the film is not where it was", brand)
			}
		}
	}
}

func TestWhatIsNoPictureIsNotTagged(t *testing.T) {
	t.Parallel()
	good := tag(t, testpics.JPEG(testpics.Photo(20, 20, 1)), origins[0])
	for name, data := range map[string][]byte{
		"text": []byte(strings.Repeat("x", 100)), "nothing": nil, "the head of a JPEG": good[:30],
		"the head of a PNG": []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIH"), "the head of a WebP": []byte("RIFF\x10\x00\x00\x00WEBPVP8 \xff\x00\x00\x00"),
		"a film without end": []byte("\x00\x00\x00\x14ftypisom\x00\x00\x00\x00isom\x00\x00\x00\x00mdat"),
	} {
		if _, err := provenance.Open(bytes.NewReader(data), int64(len(data)), origins[0]); !errors.Is(err, provenance.ErrUntaggable) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A file of several pictures names what each came from, once, and is a composite where they came to be in different ways.
func TestAFileOfManyPicturesNamesAllTheirOrigins(t *testing.T) {
	a := provenance.Origin{Source: provenance.Trained, Agent: "aimodel v1.0", Parent: "aa"}
	b := provenance.Origin{Source: provenance.TrainedComposite, Agent: "relight v1.0", Parent: "bb"}
	for name, tt := range map[string]struct {
		of                  []provenance.Origin
		kind, tool, parents string
	}{
		"one":                {[]provenance.Origin{a}, "trainedAlgorithmicMedia", "Atelier, aimodel v1.0", "sha256:aa"},
		"the same twice":     {[]provenance.Origin{a, a}, "trainedAlgorithmicMedia", "Atelier, aimodel v1.0", "sha256:aa"},
		"two":                {[]provenance.Origin{a, b, a}, "compositeWithTrainedAlgorithmicMedia", "Atelier, aimodel v1.0, relight v1.0", "sha256:aa; sha256:bb"},
		"a model among them": {[]provenance.Origin{{Source: provenance.Algorithmic}, a}, "compositeWithTrainedAlgorithmicMedia", "Atelier, aimodel v1.0", "sha256:aa"},
		"no model":           {[]provenance.Origin{{Source: provenance.Algorithmic}, {Source: provenance.Composite, Parent: "bb"}}, "compositeSynthetic", "", "sha256:bb"},
	} {
		packet := provenance.PacketOf(tt.of...)
		kind := strings.TrimPrefix(property(t, packet, "http://iptc.org/std/Iptc4xmpExt/2008-02-29/", "DigitalSourceType"), "http://cv.iptc.org/newscodes/digitalsourcetype/")
		tool, parents := property(t, packet, "http://ns.adobe.com/xap/1.0/", "CreatorTool"), property(t, packet, "http://purl.org/dc/elements/1.1/", "source")
		if kind != tt.kind || tool != tt.tool || parents != tt.parents {
			t.Errorf("%s: %s, %q of %q", name, kind, tool, parents)
		}
	}
	if !bytes.Equal(a.Packet(), provenance.PacketOf(a)) {
		t.Error("the packet of one is another")
	}
}
