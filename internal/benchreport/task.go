package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"math"
	"os"
	"strconv"
	"syscall"
	"time"

	"atelier/imaging"
	"atelier/imaging/compose"
	"atelier/imaging/fill"
	"atelier/imaging/mask"
	"atelier/imaging/probe"
	"atelier/imaging/psd"

	"github.com/nfnt/resize"
	"golang.org/x/image/draw"
)

// A task is work of ours, or of a Go library beside it, in a process of its own, so that its time and memory can be told
// apart. It reads its files, then does the work as often as timed wants.
type task struct {
	usage string
	args  int
	run   func(ctx context.Context, args []string, out io.Writer) error
}

var tasks = map[string]task{
	"scenes":       {"folder", 1, drawScenes},
	"subject":      {"folder side", 2, drawSubject},
	"complete":     {"rgba", 1, complete},
	"expand":       {"rgba", 1, expand},
	"thumb":        {"jpeg to", 2, thumb},
	"thumb-ximage": {"jpeg to", 2, thumbWith(ximage)},
	"thumb-nfnt":   {"jpeg to", 2, thumbWith(nfnt)},
	"psd":          {"rgba grey to", 3, layered},
	"png":          {"rgba to", 2, encoded(probe.PNG)},
	"png-std":      {"rgba to", 2, standardPNG},
	"jpeg":         {"rgba to", 2, encoded(probe.JPEG)},
	"mask":         {"grey to", 2, encodedMask},
	"over":         {"rgba grey to", 3, over},
}

func runTask(ctx context.Context, args []string, out io.Writer) error {
	if len(args) == 0 {
		return errors.New("usage: benchreport task name files")
	}
	t, ok := tasks[args[0]]
	if !ok {
		return fmt.Errorf("no task %q", args[0])
	}
	if len(args) != t.args+1 {
		return fmt.Errorf("usage: benchreport task %s %s", args[0], t.usage)
	}
	return t.run(ctx, args[1:], out)
}

// timed does the work once, and once more when that is quick, so that the first touch of memory does not count. It says
// how long the work took, and how long all processors worked at it.
func timed(out io.Writer, do func() error) error {
	var took, cpu time.Duration
	for range 2 {
		begin, before := time.Now(), worked()
		if err := do(); err != nil {
			return err
		}
		took, cpu = time.Since(begin), worked()-before
		if took > time.Second {
			break
		}
	}
	_, err := fmt.Fprintf(out, "seconds %f\ncpu %f\n", took.Seconds(), cpu.Seconds())
	return err
}

// worked is how long all processors have worked for this process.
func worked() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// square reads the RGBA bytes of a square picture.
func square(name string) (*image.NRGBA, error) {
	pix, err := read(name)
	if err != nil {
		return nil, err
	}
	side := int(math.Sqrt(float64(len(pix) / 4)))
	if side < 1 || 4*side*side != len(pix) {
		return nil, fmt.Errorf("%s is no square of RGBA", name)
	}
	return &image.NRGBA{Pix: pix, Stride: 4 * side, Rect: image.Rect(0, 0, side, side)}, nil
}

// squarePlane reads the grey bytes of a square mask.
func squarePlane(name string) (mask.Plane, error) {
	pix, err := read(name)
	if err != nil {
		return mask.Plane{}, err
	}
	side := int(math.Sqrt(float64(len(pix))))
	if side < 1 || side*side != len(pix) {
		return mask.Plane{}, fmt.Errorf("%s is no square of grey", name)
	}
	return mask.Plane{W: side, H: side, Pix: pix}, nil
}

// Pictures are drawn in processes of their own too: the memory of this one would count as that of every process it starts.
func drawScenes(_ context.Context, args []string, _ io.Writer) error {
	return inputs{folder: args[0]}.drawScenes()
}

func drawSubject(ctx context.Context, args []string, out io.Writer) error {
	long, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	w, h, err := inputs{folder: args[0]}.drawSubject(ctx, long)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "width %d\nheight %d\n", w, h)
	return err
}

func complete(ctx context.Context, args []string, out io.Writer) error {
	img, err := square(args[0])
	if err != nil {
		return err
	}
	side := img.Rect.Dx()
	hole := mask.New(side, side)
	hole.FillRect(image.Rect(side/4, side/4, side*3/4, side*3/4), 255)
	return timed(out, func() error {
		_, err := fill.Complete(ctx, img, hole, fill.Options{Seed: 1})
		return err
	})
}

func expand(ctx context.Context, args []string, out io.Writer) error {
	img, err := square(args[0])
	if err != nil {
		return err
	}
	const side = 4096
	at := (side - img.Rect.Dx()) / 2
	return timed(out, func() error {
		_, err := fill.Expand(ctx, img, side, side, at, at, fill.Options{Seed: 1})
		return err
	})
}

// thumbSide is the long side of the thumbnails compared.
const thumbSide = 512

func thumb(ctx context.Context, args []string, _ io.Writer) error {
	data, err := read(args[0])
	if err != nil {
		return err
	}
	small, err := imaging.Thumb(ctx, data, thumbSide, imaging.Limits{Deadline: time.Minute})
	if err != nil {
		return err
	}
	return write(args[1], small.Data)
}

// thumbWith is what a program without our reduction does: open, scale, write.
func thumbWith(scale func(image.Image) image.Image) func(context.Context, []string, io.Writer) error {
	return func(_ context.Context, args []string, _ io.Writer) error {
		data, err := read(args[0])
		if err != nil {
			return err
		}
		img, err := jpeg.Decode(bytes.NewReader(data))
		if err != nil {
			return err
		}
		var b bytes.Buffer
		if err := jpeg.Encode(&b, scale(img), &jpeg.Options{Quality: 85}); err != nil {
			return err
		}
		return write(args[1], b.Bytes())
	}
}

func ximage(img image.Image) image.Image {
	small := image.NewRGBA(image.Rect(0, 0, thumbSide, thumbSide))
	draw.BiLinear.Scale(small, small.Rect, img, img.Bounds(), draw.Src, nil)
	return small
}

func nfnt(img image.Image) image.Image {
	return resize.Resize(thumbSide, thumbSide, img, resize.Bilinear)
}

func layered(_ context.Context, args []string, out io.Writer) error {
	img, err := square(args[0])
	if err != nil {
		return err
	}
	kept, err := squarePlane(args[1])
	if err != nil {
		return err
	}
	doc := psd.Document{Width: img.Rect.Dx(), Height: img.Rect.Dy(), Layers: []psd.Layer{
		{Name: "Original", Image: img}, {Name: "Result", Image: img}, {Name: "Kept", Image: img, Mask: &kept},
	}}
	return timed(out, func() error {
		return toFile(args[2], func(w io.Writer) error { return psd.Write(w, doc) })
	})
}

func toFile(name string, do func(io.Writer) error) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(do(f), f.Close())
}

func encoded(format probe.Format) func(context.Context, []string, io.Writer) error {
	return func(_ context.Context, args []string, _ io.Writer) error {
		img, err := square(args[0])
		if err != nil {
			return err
		}
		return toFile(args[1], func(w io.Writer) error {
			return imaging.Encode(w, img, imaging.EncodeOptions{Format: format})
		})
	}
}

func standardPNG(_ context.Context, args []string, _ io.Writer) error {
	img, err := square(args[0])
	if err != nil {
		return err
	}
	return toFile(args[1], func(w io.Writer) error { return png.Encode(w, img) })
}

func encodedMask(_ context.Context, args []string, _ io.Writer) error {
	plane, err := squarePlane(args[0])
	if err != nil {
		return err
	}
	return write(args[1], mask.EncodeRGBA(plane))
}

// over lays a picture, as far as a mask shows it, on a picture.
func over(_ context.Context, args []string, _ io.Writer) error {
	img, err := square(args[0])
	if err != nil {
		return err
	}
	shown, err := squarePlane(args[1])
	if err != nil {
		return err
	}
	below := imaging.Clone(img)
	compose.Over(below, compose.CutOut(img, shown), image.Point{})
	return write(args[2], below.Pix)
}
