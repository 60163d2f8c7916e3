package main

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strings"

	"atelier/imaging"
	"atelier/imaging/mask"
	"atelier/imaging/probe"
	"atelier/imaging/testpics"
)

// inputs makes the files the contests work on, in forms every program reads without decoding: RGBA and grey bytes.
type inputs struct {
	folder string
}

func (in inputs) path(name string) string { return filepath.Join(in.folder, name) }

// subject names the files of a person with a known outline: RGBA bytes and one byte per pixel.
func (in inputs) subject(long int) (file, mask string) {
	return in.path(fmt.Sprintf("subject-%d.rgba", long)), in.path(fmt.Sprintf("subject-%d.grey", long))
}

// drawSubject writes the files of subject, the long side so many pixels: a photograph of ATELIER_PHOTOS, otherwise a drawing.
func (in inputs) drawSubject(ctx context.Context, long int) (w, h int, err error) {
	img, truth, err := portrait(ctx)
	if err != nil {
		return 0, 0, err
	}
	w, h = imaging.FitSize(img.Rect.Dx(), img.Rect.Dy(), long, long)
	file, outline := in.subject(long)
	if err := write(file, imaging.Resize(img, w, h).Pix); err != nil {
		return 0, 0, err
	}
	grey := imaging.Resize(truth, w, h)
	plane := make([]byte, w*h)
	for i := range plane {
		plane[i] = grey.Pix[4*i]
	}
	return w, h, write(outline, plane)
}

// portrait is a person and, white on black, where the person is: the first large photograph person-N.jpg that has a
// person-N.mask.png of its size, or a drawing.
func portrait(ctx context.Context) (img, truth *image.NRGBA, err error) {
	if folder := os.Getenv("ATELIER_PHOTOS"); folder != "" {
		masks, err := filepath.Glob(filepath.Join(folder, "person-*.mask.png"))
		if err != nil {
			return nil, nil, fmt.Errorf("look for photographs: %w", err)
		}
		for _, name := range masks {
			truth, err := decoded(ctx, name)
			if err != nil || max(truth.Rect.Dx(), truth.Rect.Dy()) < 640 {
				continue // too small to tell anything
			}
			img, err := decoded(ctx, strings.TrimSuffix(name, ".mask.png")+".jpg")
			if err == nil && img.Rect == truth.Rect {
				return img, truth, nil
			}
		}
	}
	img, figure := testpics.Person(1536, 2048, 3)
	truth = image.NewNRGBA(img.Rect)
	for i, v := range figure.Person.Pix {
		copy(truth.Pix[4*i:], []uint8{v, v, v, 255})
	}
	return img, truth, nil
}

func decoded(ctx context.Context, name string) (*image.NRGBA, error) {
	data, err := read(name)
	if err != nil {
		return nil, err
	}
	img, _, err := imaging.Decode(ctx, data, imaging.DefaultLimits)
	return img, err
}

func read(name string) ([]byte, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("read a picture to work on: %w", err)
	}
	return data, nil
}

func write(name string, data []byte) error {
	if err := os.WriteFile(name, data, 0o600); err != nil {
		return fmt.Errorf("write a picture to work on: %w", err)
	}
	return nil
}

// scenes are files of drawn scenes and planes, by side: RGBA bytes, grey bytes and a JPEG.
type scenes struct {
	square1024, hole1024 string // the hole is a quarter of the square, in its middle
	square2048, hole2048 string
	inner4096            string // half the pixels of 4096²
	mask4096             string
	jpeg4096             string
}

// innerSide squared is half of 4096 squared.
const innerSide = 2896

func (in inputs) scenes() scenes {
	return scenes{
		square1024: in.path("1024.rgba"), hole1024: in.path("1024.grey"),
		square2048: in.path("2048.rgba"), hole2048: in.path("2048.grey"),
		inner4096: in.path("2896.rgba"), mask4096: in.path("4096.grey"), jpeg4096: in.path("4096.jpg"),
	}
}

// drawScenes writes the files of scenes.
func (in inputs) drawScenes() error {
	s := in.scenes()
	for side, name := range map[int]string{1024: s.square1024, 2048: s.square2048, innerSide: s.inner4096} {
		if err := write(name, testpics.Photo(side, side, 1).Pix); err != nil {
			return err
		}
	}
	for side, name := range map[int]string{1024: s.hole1024, 2048: s.hole2048, 4096: s.mask4096} {
		plane := mask.New(side, side)
		plane.FillRect(image.Rect(side/4, side/4, side*3/4, side*3/4), 255)
		if err := write(name, plane.Pix); err != nil {
			return err
		}
	}
	var b bytes.Buffer
	if err := imaging.Encode(&b, testpics.Photo(4096, 4096, 2), imaging.EncodeOptions{Format: probe.JPEG}); err != nil {
		return fmt.Errorf("make a JPEG to work on: %w", err)
	}
	return write(s.jpeg4096, b.Bytes())
}
