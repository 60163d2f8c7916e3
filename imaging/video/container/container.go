// Package container reads the outline of video and sound files: what kind of file it is by content, how long, how large,
// how many frames a second, whether there is sound. It decodes nothing, imports nothing of ours and starts no program, so a
// browser can ask the same questions before an upload that the server asks again after it.
package container

import (
	"encoding/binary"
	"errors"
	"io"
)

// Format names a kind of file by its content, never by its extension.
type Format string

// The formats that are read.
const (
	MP4 Format = "mp4"
	MOV Format = "mov"
	M4A Format = "m4a"
	MP3 Format = "mp3"
	WAV Format = "wav"
)

// MediaType is the Content-Type to store and serve the format with.
func (f Format) MediaType() string {
	switch f {
	case MP4:
		return "video/mp4"
	case MOV:
		return "video/quicktime"
	case M4A:
		return "audio/mp4"
	case MP3:
		return "audio/mpeg"
	case WAV:
		return "audio/wav"
	}
	return "application/octet-stream"
}

// Extension is the file name ending with its dot.
func (f Format) Extension() string {
	if f == "" {
		return ""
	}
	return "." + string(f)
}

// Facts is what a file says about itself. A server believes them only as far as refusing goes: decoding tells the truth.
type Facts struct {
	Format        Format
	Seconds       float64 // as long as it is shown, sound included; of the longest track where the movie does not say; 0 when nothing does
	Width, Height int     // as seen, rotation applied; 0 without a picture
	Frames        int     // of the picture track; 0 when unknown
	FPS           float64 // mean frames per second; 0 when unknown
	VideoCodec    string  // four-character code such as "avc1"; "" without a picture
	AudioCodec    string  // four-character code such as "mp4a", "mp3" or "pcm"; "" without sound
}

// HasVideo reports whether the file holds a moving picture.
func (f Facts) HasVideo() bool { return f.VideoCodec != "" }

// HasSound reports whether the file holds a sound track.
func (f Facts) HasSound() bool { return f.AudioCodec != "" }

// Errors of Read.
var (
	// ErrUnknown says the file is none of the formats.
	ErrUnknown = errors.New("container: not an MP4, MOV, M4A, MP3 or WAV file")
	// ErrCorrupt says the file claims a format and then breaks its rules.
	ErrCorrupt = errors.New("container: damaged file")
)

// SniffBytes is how much of a file Sniff looks at.
const SniffBytes = 64

// Sniff tells what a file is from its first bytes, "" when it is none of the formats. An MP4 with sound alone is only told
// apart by Read.
func Sniff(head []byte) Format {
	switch {
	case len(head) >= 12 && string(head[4:8]) == "ftyp":
		return brand(head)
	case len(head) >= 8 && binary.BigEndian.Uint32(head) >= 8 && quickTimeStart(string(head[4:8])):
		return MOV // files from before brands were written
	case len(head) >= 12 && (string(head[:4]) == "RIFF" || string(head[:4]) == "RF64") && string(head[8:12]) == "WAVE":
		return WAV
	case len(head) >= 10 && string(head[:3]) == "ID3" && head[3] < 0xff && head[4] < 0xff:
		return MP3
	case len(head) >= 4:
		if _, ok := parseMPEG(head); ok {
			return MP3
		}
	}
	return ""
}

// brand reads the ftyp box: its main brand decides, then the compatible ones.
func brand(head []byte) Format {
	main := string(head[8:12])
	switch main {
	case "qt  ":
		return MOV
	case "M4A ", "M4B ", "F4A ":
		return M4A
	case "heic", "heix", "mif1", "msf1", "avif", "avis", "hevc", "hevx", "crx ":
		return "" // pictures in the same boxes
	}
	return MP4
}

func quickTimeStart(box string) bool {
	return box == "moov" || box == "mdat" || box == "wide"
}

// Read gives the facts of a file of size bytes. It reads headers and seeks over the rest. The error wraps ErrUnknown or
// ErrCorrupt, or is the reader's own.
func Read(r io.ReaderAt, size int64) (Facts, error) {
	head := make([]byte, min(SniffBytes, max(size, 0)))
	if _, err := r.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return Facts{}, err
	}
	switch format := Sniff(head); format {
	case MP4, MOV, M4A:
		return readMovie(r, size, format)
	case WAV:
		return readWave(r, size)
	case MP3:
		return readMPEG(r, size)
	}
	return Facts{}, ErrUnknown
}
