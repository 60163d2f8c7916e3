package container

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"testing"
)

// atom is one box around its content.
func atom(kind string, content ...[]byte) []byte {
	all := bytes.Join(content, nil)
	out := binary.BigEndian.AppendUint32(nil, uint32(8+len(all)))
	return append(append(out, kind...), all...)
}

// words32 is big-endian numbers one after the other.
func words32(v ...uint32) []byte {
	var out []byte
	for _, n := range v {
		out = binary.BigEndian.AppendUint32(out, n)
	}
	return out
}

// track is a trak box of frames samples over ticks at scale.
func track(handler, codec string, scale, ticks, frames, width, height uint32, turned bool) []byte {
	matrix := words32(1<<16, 0, 0, 0, 1<<16, 0, 0, 0, 1<<30)
	if turned {
		matrix = words32(0, 1<<16, 0, 0xffff0000, 0, 0, 0, 0, 1<<30)
	}
	tkhd := append(words32(7, 0, 0, 1, 0, 0, 0, 0, 0, 0), matrix...)
	tkhd = append(tkhd, words32(width<<16, height<<16)...)
	return atom("trak",
		atom("tkhd", tkhd),
		atom("mdia",
			atom("mdhd", words32(0, 0, 0, scale, ticks, 0)),
			atom("hdlr", words32(0, 0), []byte(handler), make([]byte, 13)),
			atom("minf", atom("stbl",
				atom("stsd", words32(0, 1, 86), []byte(codec), make([]byte, 78)),
				atom("stsz", words32(0, 0, frames)),
			)),
		))
}

// movie is a whole file of tracks whose header says nothing of its length.
func movie(brand string, tracks ...[]byte) []byte { return movieOf(brand, 0, tracks...) }

// movieOf is a whole file of tracks that says it is shown for milliseconds.
func movieOf(brand string, milliseconds uint32, tracks ...[]byte) []byte {
	head := atom("ftyp", []byte(brand), words32(512))
	moov := atom("moov", append([][]byte{atom("mvhd", words32(0, 0, 0, 1000, milliseconds, 0))}, tracks...)...)
	return append(append(head, atom("mdat", make([]byte, 40))...), moov...)
}

// wave is a WAV file of seconds at 8 kHz, 16 bits.
func wave(seconds float64) []byte {
	n := uint32(seconds * 16000)
	b := append([]byte("RIFF"), binary.LittleEndian.AppendUint32(nil, 36+n)...)
	b = append(b, "WAVEfmt "...)
	for _, v := range []uint32{16, 1 | 1<<16, 8000, 16000, 2 | 16<<16} {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	b = append(b, "data"...)
	b = binary.LittleEndian.AppendUint32(b, n)
	return append(b, make([]byte, n)...)
}

// layer3 is n frames of MPEG-1 Layer III, 128 kbit/s at 44.1 kHz, each of 417 bytes.
func layer3(n int) []byte {
	frame := make([]byte, 417)
	copy(frame, []byte{0xff, 0xfb, 0x90, 0x00})
	return bytes.Repeat(frame, n)
}

func TestAFileIsWhatItsContentSays(t *testing.T) {
	t.Parallel()
	picture := track("vide", "avc1", 12800, 64000, 125, 640, 360, false)
	sound := track("soun", "mp4a", 48000, 48000*4, 188, 0, 0, false)
	padded := track("soun", "mp4a", 48000, 48000*5+2*1024, 237, 0, 0, false) // an encoder's frames before and after
	tagged := append([]byte{'I', 'D', '3', 3, 0, 0, 0, 0, 0, 20}, append(make([]byte, 20), layer3(80)...)...)
	vbr := layer3(40)
	copy(vbr[36:], "Xing")
	copy(vbr[40:], words32(1, 383))
	tests := []struct {
		name string
		data []byte
		want Facts
	}{
		{"MP4", movie("isom", picture, sound), Facts{MP4, 5, 640, 360, 125, 25, "avc1", "mp4a"}},
		{"MOV", movie("qt  ", sound, picture), Facts{MOV, 5, 640, 360, 125, 25, "avc1", "mp4a"}},
		{"a movie shorter than its padded sound", movieOf("isom", 5000, picture, padded), Facts{MP4, 5, 640, 360, 125, 25, "avc1", "mp4a"}},
		{"a movie that is shown in part", movieOf("isom", 2000, picture), Facts{MP4, 2, 640, 360, 125, 25, "avc1", ""}},
		{"sound that is longer than the picture", movieOf("isom", 5043, picture, padded), Facts{MP4, 5.043, 640, 360, 125, 25, "avc1", "mp4a"}},
		{"a turned phone video", movie("mp42", track("vide", "hvc1", 600, 3000, 150, 1920, 1080, true)), Facts{MP4, 5, 1080, 1920, 150, 30, "hvc1", ""}},
		{"sound alone under a video's brand", movie("mp42", sound), Facts{Format: M4A, Seconds: 4, AudioCodec: "mp4a"}},
		{"M4A", movie("M4A ", sound), Facts{Format: M4A, Seconds: 4, AudioCodec: "mp4a"}},
		{"WAV", wave(1.5), Facts{Format: WAV, Seconds: 1.5, AudioCodec: "pcm"}},
		{"MP3", layer3(80), Facts{Format: MP3, Seconds: 80 * 1152.0 / 44100, AudioCodec: "mp3"}},
		{"MP3 with a tag", tagged, Facts{Format: MP3, Seconds: 80 * 1152.0 / 44100, AudioCodec: "mp3"}},
		{"MP3 of a variable rate", vbr, Facts{Format: MP3, Seconds: 383 * 1152.0 / 44100, AudioCodec: "mp3"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := Read(bytes.NewReader(tt.data), int64(len(tt.data)))
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(got.Seconds-tt.want.Seconds) < 0.01 {
				got.Seconds = tt.want.Seconds
			}
			if got != tt.want {
				t.Errorf("Read = %+v, want %+v", got, tt.want)
			}
		})
	}
}

func TestWhatIsNeitherVideoNorSoundIsNotTakenForIt(t *testing.T) {
	t.Parallel()
	for name, data := range map[string][]byte{
		"PNG":      []byte("\x89PNG\r\n\x1a\n0000IHDR00000000"),
		"JPEG":     {0xff, 0xd8, 0xff, 0xe0, 0, 16, 'J', 'F', 'I', 'F', 0, 1},
		"HEIC":     atom("ftyp", []byte("heic"), words32(0)),
		"AVI":      []byte("RIFF\x00\x01\x00\x00AVI LIST"),
		"playlist": []byte("#EXTM3U\n#EXT-X-VERSION:3\n"),
		"nothing":  nil,
	} {
		if _, err := Read(bytes.NewReader(data), int64(len(data))); !errors.Is(err, ErrUnknown) {
			t.Errorf("%s: %v, want ErrUnknown", name, err)
		}
	}
}

func TestACutOffFileIsDamagedAndNothingWorse(t *testing.T) {
	t.Parallel()
	whole := movie("isom", track("vide", "avc1", 12800, 64000, 125, 640, 360, false), track("soun", "mp4a", 48000, 48000, 47, 0, 0, false))
	for n := range whole {
		_, err := Read(bytes.NewReader(whole[:n]), int64(n))
		if !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrUnknown) {
			t.Fatalf("cut at byte %d: %v", n, err)
		}
	}
}

func TestHalfAFilmWithItsIndexAtTheFrontIsDamaged(t *testing.T) {
	t.Parallel()
	head := atom("ftyp", []byte("isom"), words32(512))
	moov := atom("moov", atom("mvhd", words32(0, 0, 0, 1000, 5000, 0)), track("vide", "avc1", 12800, 64000, 125, 640, 360, false))
	media := atom("mdat", make([]byte, 400))
	long := append(append(words32(1), "mdat"...), append(words32(0, 416), make([]byte, 400)...)...)
	for name, body := range map[string][]byte{"short sizes": media, "long sizes": long, "fragments": append(atom("moof", make([]byte, 20)), media...)} {
		index := append(bytes.Clone(head), moov...)
		whole := append(bytes.Clone(index), body...)
		if _, err := Read(bytes.NewReader(whole), int64(len(whole))); err != nil {
			t.Errorf("%s: the whole film: %v", name, err)
		}
		// What hangs behind a whole film does no harm.
		trailed := append(bytes.Clone(whole), append(words32(900), "free...."...)...)
		if _, err := Read(bytes.NewReader(trailed), int64(len(trailed))); err != nil {
			t.Errorf("%s: a film with a rest behind it: %v", name, err)
		}
		for _, n := range []int{len(index), len(index) + 4, len(index) + len(body)/2, len(whole) - 1} {
			if name == "fragments" && n == len(index)+len(body)/2 {
				n = len(index) + 200 // within its second box
			}
			if _, err := Read(bytes.NewReader(whole[:n]), int64(n)); !errors.Is(err, ErrCorrupt) {
				t.Errorf("%s: %d of %d bytes: %v, want ErrCorrupt", name, n, len(whole), err)
			}
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(movie("isom", track("vide", "avc1", 12800, 64000, 125, 640, 360, true)))
	f.Add(wave(0.1))
	f.Add(layer3(3))
	f.Fuzz(func(t *testing.T, data []byte) {
		facts, err := Read(bytes.NewReader(data), int64(len(data)))
		if err == nil && (facts.Format == "" || facts.Seconds < 0 || math.IsNaN(facts.Seconds)) {
			t.Errorf("Read answers %+v without an error", facts)
		}
	})
}
