// Package videotest makes the small videos and sounds that tests bring along.
package videotest

import (
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"atelier/imaging/video"
	"atelier/imaging/video/container"
	"atelier/internal/killable"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// Tool is the installed ffmpeg. `make test` installs it where it can; where it cannot, the test is skipped and says so.
func Tool(t testing.TB) *video.Tool {
	t.Helper()
	tool, err := video.Find(t.Context(), video.Limits{})
	if errors.Is(err, video.ErrMissing) {
		killable.Unable(t, "%v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return tool
}

// Film says what a film of the tests is like; the zero value is a silent MP4 of two seconds, 320 × 240, ten frames a second.
type Film struct {
	Width, Height int
	Seconds       float64
	Format        container.Format
	Sound         bool
	Look          int    // another number is another film
	Title         string // a line of letters that stands over all of it
}

var (
	mu   sync.Mutex
	made = map[Film][]byte{}
)

// Make gives the bytes of a film: a bright square travels over a gradient. The same film is made once.
func Make(t testing.TB, f Film) []byte {
	t.Helper()
	mu.Lock()
	defer mu.Unlock()
	if b, ok := made[f]; ok {
		return b
	}
	b, err := film(t, Tool(t), f)
	if err != nil {
		t.Fatal(err)
	}
	made[f] = b
	return b
}

func film(t testing.TB, tool *video.Tool, f Film) ([]byte, error) {
	if f.Width == 0 {
		f.Width, f.Height = 320, 240
	}
	if f.Seconds == 0 {
		f.Seconds = 2
	}
	rate := video.Rate{Num: 10, Den: 1}
	opt := video.WriteOptions{Format: f.Format, Width: f.Width, Height: f.Height, Rate: rate, Frames: rate.Frames(f.Seconds)}
	folder := t.TempDir()
	if f.Sound {
		path := filepath.Join(folder, "tone.wav")
		if err := os.WriteFile(path, Tone(f.Seconds), 0o600); err != nil {
			return nil, err
		}
		info, err := tool.Probe(t.Context(), path)
		if err != nil {
			return nil, err
		}
		opt.Sounds = []video.Sound{{Path: path, Info: info}}
	}
	path := filepath.Join(folder, "film")
	w, err := tool.Write(t.Context(), path, opt)
	if err != nil {
		return nil, err
	}
	for n := range opt.Frames {
		img, err := frame(f, n)
		if err == nil {
			err = w.Write(img)
		}
		if err != nil {
			return nil, errors.Join(fmt.Errorf("frame %d: %w", n, err), w.Close())
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

func frame(f Film, n int) (*image.NRGBA, error) {
	img := image.NewNRGBA(image.Rect(0, 0, f.Width, f.Height))
	side := max(f.Height/8, 4)
	left := (n*3 + f.Look*17) % max(f.Width-side, 1)
	for y := range f.Height {
		for x := range f.Width {
			c := color.NRGBA{uint8(40 + x*160/f.Width), uint8(60 + y*120/f.Height), uint8(90 + 7*f.Look), 255}
			if x >= left && x < left+side && y >= f.Height/2 && y < f.Height/2+side {
				c = color.NRGBA{230, 210, 40, 255}
			}
			img.SetNRGBA(x, y, c)
		}
	}
	if f.Title == "" {
		return img, nil
	}
	return img, Letter(img, f.Title, float64(f.Height)/8, f.Width/20, f.Height/6)
}

// Letter puts a line of white letters of a size with a dark outline on a picture, its left end at x and its base line at y, px.
func Letter(img *image.NRGBA, text string, size float64, x, y int) error {
	parsed, err := opentype.Parse(gobold.TTF)
	if err != nil {
		return fmt.Errorf("read the letters: %w", err)
	}
	face, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: size, DPI: 72})
	if err != nil {
		return fmt.Errorf("make letters of a size: %w", err)
	}
	put := func(c color.Color, dx, dy int) {
		d := font.Drawer{Dst: img, Src: image.NewUniform(c), Face: face, Dot: fixed.P(x+dx, y+dy)}
		d.DrawString(text)
	}
	for _, p := range [8][2]int{{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}} {
		put(color.NRGBA{10, 10, 12, 255}, p[0], p[1])
	}
	put(color.NRGBA{250, 250, 250, 255}, 0, 0)
	return nil
}

// Tone is a WAV file: one channel of 16 bits, 16,000 samples a second.
func Tone(seconds float64) []byte {
	const rate = 16000
	n := int(seconds * rate)
	b := []byte("RIFF")
	b = binary.LittleEndian.AppendUint32(b, uint32(36+2*n))
	b = append(b, "WAVEfmt "...)
	b = binary.LittleEndian.AppendUint32(b, 16)
	for _, v := range []uint16{1, 1} {
		b = binary.LittleEndian.AppendUint16(b, v)
	}
	b = binary.LittleEndian.AppendUint32(b, rate)
	b = binary.LittleEndian.AppendUint32(b, 2*rate)
	for _, v := range []uint16{2, 16} {
		b = binary.LittleEndian.AppendUint16(b, v)
	}
	b = append(b, "data"...)
	b = binary.LittleEndian.AppendUint32(b, uint32(2*n))
	for i := range n {
		b = binary.LittleEndian.AppendUint16(b, uint16(int16(9000*math.Sin(2*math.Pi*330*float64(i)/rate))))
	}
	return b
}
