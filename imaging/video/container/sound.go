package container

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// readWave reads the chunks of a RIFF WAVE file up to its data.
func readWave(r io.ReaderAt, size int64) (Facts, error) {
	f := Facts{Format: WAV, AudioCodec: "pcm"}
	var bytesPerSecond int64
	at := int64(12)
	for range maxBoxes {
		var head [8]byte
		if at+8 > size {
			break
		}
		if err := readFull(r, head[:], at); err != nil {
			return f, err
		}
		n := int64(binary.LittleEndian.Uint32(head[4:]))
		at += 8
		switch string(head[:4]) {
		case "fmt ":
			var p [16]byte
			if n < 16 {
				return f, fmt.Errorf("%w: a short fmt chunk", ErrCorrupt)
			}
			if err := readFull(r, p[:], at); err != nil {
				return f, err
			}
			bytesPerSecond = int64(binary.LittleEndian.Uint32(p[8:]))
		case "data":
			if bytesPerSecond == 0 {
				return f, fmt.Errorf("%w: data without a format", ErrCorrupt)
			}
			// A recorder that was interrupted, or wrote to a pipe, leaves a length that is not true.
			f.Seconds = float64(min(n, size-at)) / float64(bytesPerSecond)
			return f, nil
		}
		at += n + n&1
	}
	return f, fmt.Errorf("%w: no data chunk", ErrCorrupt)
}

// mpeg is the header of one MPEG audio frame.
type mpeg struct {
	bytes   int64 // of the whole frame
	samples int
	rate    int
	mono    bool
	mpeg1   bool
}

// Layer III bit rates in kbit/s (ISO/IEC 11172-3, 2.4.2.3; 13818-3 for the lower sampling rates).
var (
	rates1 = [16]int{0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0}
	rates2 = [16]int{0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0}
)

// parseMPEG reads the four bytes of a Layer III frame header.
func parseMPEG(p []byte) (mpeg, bool) {
	if len(p) < 4 || p[0] != 0xff || p[1]&0xe0 != 0xe0 {
		return mpeg{}, false
	}
	version, layer := p[1]>>3&3, p[1]>>1&3
	if version == 1 || layer != 1 {
		return mpeg{}, false
	}
	m := mpeg{mpeg1: version == 3, mono: p[3]>>6 == 3, samples: 576}
	kbits := rates2[p[2]>>4]
	if m.mpeg1 {
		kbits, m.samples = rates1[p[2]>>4], 1152
	}
	sampling := [4]int{44100, 48000, 32000, 0}[p[2]>>2&3]
	switch version {
	case 2:
		sampling /= 2
	case 0:
		sampling /= 4
	}
	if kbits == 0 || sampling == 0 {
		return mpeg{}, false
	}
	m.rate = sampling
	m.bytes = int64(m.samples/8*kbits*1000/sampling) + int64(p[2]>>1&1)
	return m, true
}

// readMPEG finds the first frame of an MP3 file after its tags. Its length comes from the Xing or Info header of that frame,
// else from the size of the file at the first frame's bit rate.
func readMPEG(r io.ReaderAt, size int64) (Facts, error) {
	f := Facts{Format: MP3, AudioCodec: "mp3"}
	at := int64(0)
	var tag [10]byte
	if err := readFull(r, tag[:], 0); err != nil {
		return f, err
	}
	if string(tag[:3]) == "ID3" {
		at = 10 + int64(tag[6]&127)<<21 + int64(tag[7]&127)<<14 + int64(tag[8]&127)<<7 + int64(tag[9]&127)
	}
	window := make([]byte, 8192)
	n, err := r.ReadAt(window, at)
	if err != nil && !errors.Is(err, io.EOF) {
		return f, err
	}
	window = window[:n]
	for i := 0; i+4 <= len(window); i++ {
		m, ok := parseMPEG(window[i:])
		if !ok {
			continue
		}
		if next := i + int(m.bytes); next+4 <= len(window) {
			if _, ok := parseMPEG(window[next:]); !ok {
				continue // chance, not a frame
			}
		}
		if frames := xing(window[i:], m); frames > 0 {
			f.Seconds = float64(frames) * float64(m.samples) / float64(m.rate)
		} else {
			f.Seconds = float64(size-at-int64(i)) / float64(m.bytes) * float64(m.samples) / float64(m.rate)
		}
		return f, nil
	}
	return f, fmt.Errorf("%w: no MPEG frame", ErrCorrupt)
}

// xing is the number of frames that the header of encoders with a variable bit rate states, 0 without one.
func xing(frame []byte, m mpeg) int64 {
	at := 4 + 32
	switch {
	case m.mpeg1 && m.mono, !m.mpeg1 && !m.mono:
		at = 4 + 17
	case !m.mpeg1:
		at = 4 + 9
	}
	if len(frame) < at+12 {
		return 0
	}
	if name := string(frame[at : at+4]); name != "Xing" && name != "Info" {
		return 0
	}
	if frame[at+7]&1 == 0 {
		return 0
	}
	return int64(binary.BigEndian.Uint32(frame[at+8:]))
}
