package render

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"

	"atelier/imaging/video"
)

// soundtrack is what is heard under a video that is made: the sounds that were given, one after the other, else, when
// generateAudio asks for sound, the sound of the one film it shows, or a soft made one.
// ASSUMED [Sound]: without generateAudio a video is silent unless sounds were given; "false" is silent in any case.
func (s *studio) soundtrack(ctx context.Context, seconds float64) ([]video.Sound, error) {
	wanted := s.req.text("generateAudio")
	if wanted == "false" {
		return nil, nil
	}
	var out []video.Sound
	for _, path := range s.job.Audios["audios"] {
		info, err := s.job.Tool.Probe(ctx, path)
		if err != nil {
			return nil, inField("audios", err)
		}
		if !info.HasSound() {
			return nil, fmt.Errorf("%w: audios: a file without sound", ErrInvalid)
		}
		out = append(out, video.Sound{Path: path, Info: info})
	}
	if len(out) > 0 || !s.req.flag("generateAudio") {
		return out, nil
	}
	if list := s.job.Videos["videos"]; len(list) == 1 && len(s.req.Files["images"]) == 0 {
		info, err := s.job.Tool.Probe(ctx, list[0])
		if err != nil {
			return nil, inField("videos", err)
		}
		if info.HasSound() {
			return []video.Sound{{Path: list[0], Info: info}}, nil
		}
	}
	return s.madeSound(ctx, seconds)
}

// madeSound writes a soft soundtrack: slow chords, and rain, wind or waves when the description names them.
func (s *studio) madeSound(ctx context.Context, seconds float64) ([]video.Sound, error) {
	path := filepath.Join(s.job.Folder, "sound.wav")
	if err := writeTrack(path, seconds, s.readMood(), uint64(s.req.seed())); err != nil {
		return nil, err
	}
	info, err := s.job.Tool.Probe(ctx, path)
	if err != nil {
		return nil, err
	}
	return []video.Sound{{Path: path, Info: info}}, nil
}

// mood is what a made soundtrack sounds like.
type mood struct {
	minor            bool
	pace             float64 // seconds of one chord
	rain, wind, wave float64 // strengths
}

func (s *studio) readMood() mood {
	m := mood{pace: 4}
	for _, w := range words(s.req.text("textDescription")) {
		switch w {
		case "night", "dark", "moody", "sad", "storm", "dramatic", "mystery", "mysterious", "noir", "winter", "rain", "fog":
			m.minor = true
		case "fast", "energetic", "dynamic", "party", "dance", "dancing", "celebration":
			m.pace = 2
		}
		switch w {
		case "rain", "raining", "rainy", "drizzle", "storm":
			m.rain = 0.5
		case "wind", "windy", "breeze", "desert", "snow", "snowing", "mountain":
			m.wind = 0.4
		case "sea", "ocean", "beach", "waves", "wave", "coast", "seaside", "water":
			m.wave = 0.5
		}
	}
	return m
}

const soundRate = 44100

// writeTrack writes a stereo WAV file.
func writeTrack(path string, seconds float64, m mood, seed uint64) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("write a soundtrack: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	n := int(seconds*soundRate) + soundRate/10
	b := bufio.NewWriterSize(f, 1<<16)
	head := append([]byte("RIFF"), binary.LittleEndian.AppendUint32(nil, uint32(36+4*n))...)
	head = append(head, "WAVEfmt "...)
	for _, v := range []uint32{16, 1 | 2<<16, soundRate, soundRate * 4, 4 | 16<<16} {
		head = binary.LittleEndian.AppendUint32(head, v)
	}
	head = append(head, "data"...)
	head = binary.LittleEndian.AppendUint32(head, uint32(4*n))
	if _, err := b.Write(head); err != nil {
		return fmt.Errorf("write a soundtrack: %w", err)
	}
	t := newTrack(m, seed)
	var sample [4]byte
	for i := range n {
		left, right := t.at(float64(i) / soundRate)
		fade := math.Min(1, float64(i)/soundRate/0.8)
		binary.LittleEndian.PutUint16(sample[:], uint16(int16(30000*math.Tanh(left*fade))))
		binary.LittleEndian.PutUint16(sample[2:], uint16(int16(30000*math.Tanh(right*fade))))
		if _, err := b.Write(sample[:]); err != nil {
			return fmt.Errorf("write a soundtrack: %w", err)
		}
	}
	return b.Flush()
}

// track is a soundtrack being played.
type track struct {
	mood   mood
	chords [][4]float64 // frequencies
	random *rand.Rand
	low    [2]float64 // what is left of noise below
	hiss   [2]float64
}

func newTrack(m mood, seed uint64) *track {
	t := &track{mood: m, random: rand.New(rand.NewPCG(seed, 3))}
	root := 196 * math.Pow(2, float64(seed%5)/12)
	// Four chords that return, by semitones above the root.
	steps := [][4]float64{{0, 4, 7, 14}, {-3, 0, 4, 12}, {-7, -3, 0, 9}, {-5, -1, 2, 11}}
	if m.minor {
		steps = [][4]float64{{0, 3, 7, 14}, {-4, 0, 3, 10}, {-9, -5, 3, 7}, {-2, 2, 5, 12}}
	}
	for _, c := range steps {
		var f [4]float64
		for i, s := range c {
			f[i] = root * math.Pow(2, s/12)
		}
		t.chords = append(t.chords, f)
	}
	return t
}

// at is the sound at a second, left and right. Times have to rise.
func (t *track) at(second float64) (left, right float64) {
	position := second / t.mood.pace
	n, into := math.Modf(position)
	cross := smooth((into - 0.7) / 0.3)
	for k, share := range [2]float64{1 - cross, cross} {
		if share == 0 {
			continue
		}
		chord := t.chords[(int(n)+k)%len(t.chords)]
		for i, f := range chord {
			breath := 0.75 + 0.25*math.Sin(2*math.Pi*(second*0.11+float64(i)*0.27))
			spread := 0.5 + 0.32*math.Sin(float64(i)*2.1)
			v := 0.055 * share * breath * voice(f, second)
			left, right = left+v*(1-spread)*1.4, right+v*spread*1.4
		}
	}
	for side := range 2 {
		white := t.random.Float64()*2 - 1
		t.low[side] += 0.02 * (white - t.low[side])
		t.hiss[side] += 0.35 * (white - t.hiss[side])
		gust := 0.55 + 0.45*math.Sin(second*0.5+float64(side)*0.6)*math.Sin(second*0.23)
		swell := math.Pow(0.5+0.5*math.Sin(2*math.Pi*second/6.5), 2)
		v := t.mood.rain*0.12*(white-t.hiss[side]) + t.mood.wind*1.1*gust*t.low[side] + t.mood.wave*(0.5*t.low[side]+0.05*t.hiss[side])*(0.25+1.6*swell)
		if side == 0 {
			left += v
		} else {
			right += v
		}
	}
	return left, right
}

// voice is a soft tone with a few overtones, two of them a little apart.
func voice(f, second float64) float64 {
	a := 2 * math.Pi * f * second
	return math.Sin(a) + 0.8*math.Sin(a*1.0035) + 0.25*math.Sin(2*a) + 0.1*math.Sin(3*a*1.001)
}
