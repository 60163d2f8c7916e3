package video

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"os"
	"strconv"
	"strings"
)

// ReadOptions say which frames of a file are read, and how.
type ReadOptions struct {
	From, For     float64 // seconds; For 0 reads to the end
	Rate          Rate    // frames wanted a second, evenly; zero takes the file's own
	Width, Height int     // zero takes the file's own
	// Planes reads 4:2:0 planes as they are coded, brought to BT.709, for NextPlanes; otherwise Next gives NRGBA.
	Planes bool
}

// Reader gives the frames of a file one after the other; one frame is in memory at a time, whatever the length.
type Reader struct {
	Width, Height int
	Rate          Rate
	p             *program
	out           io.ReadCloser
	planes        bool
	table         string // a file that is removed when reading ends; "" = none
	done          error
}

// Read opens a video for reading. Frames come upright, in square pixels and at an even pace. The Reader must be closed.
func (t *Tool) Read(ctx context.Context, path string, info Info, opt ReadOptions) (*Reader, error) {
	if !info.HasVideo() {
		return nil, refuse(saidNoPicture)
	}
	r := &Reader{Width: opt.Width, Height: opt.Height, Rate: opt.Rate, planes: opt.Planes}
	if r.Width == 0 || r.Height == 0 {
		r.Width, r.Height = info.Width, info.Height
	}
	if r.Rate.Num == 0 {
		r.Rate = info.Rate
	}
	var seek []string
	if opt.From > 0 {
		seek = append(seek, "-ss", decimal(opt.From))
	}
	if opt.For > 0 {
		seek = append(seek, "-t", decimal(opt.For))
	}
	args := []string{"-nostdin", "-hide_banner", "-loglevel", "error", "-threads", strconv.Itoa(t.limits.Threads)}
	args = append(args, input(info.Format, path, seek...)...)
	format, matrix := "rgba", ""
	if opt.Planes {
		format, matrix = "yuv420p", ":out_color_matrix=bt709:out_range=tv"
	}
	colours := fmt.Sprintf("scale=%d:%d:in_color_matrix=%s%s:flags=bicubic+accurate_rnd+full_chroma_int+full_chroma_inp,format=%s",
		r.Width, r.Height, info.matrix, matrix, format)
	if info.transfer != "" {
		var err error
		if r.table, err = info.transfer.file(); err != nil {
			return nil, err
		}
		// Red, green and blue of 16 bits between the two matrices: dark tones of these transfers need them.
		colours = fmt.Sprintf("scale=%d:%d:in_color_matrix=%s:flags=bicubic+accurate_rnd+full_chroma_int+full_chroma_inp,format=gbrp16le,lut3d=file=%s:interp=tetrahedral,scale=flags=accurate_rnd+full_chroma_int%s,format=%s",
			r.Width, r.Height, info.matrix, escaped(r.table), matrix, format)
	}
	// Nearest in time, so that frames that are there already pass as they are.
	chain := fmt.Sprintf("fps=%s:round=near,%s", r.Rate, colours)
	args = append(args, "-map", "0:"+strconv.Itoa(info.stream), "-an", "-sn", "-dn", "-vf", chain, "-f", "rawvideo", "pipe:1")
	r.p = t.prepare(ctx, t.ffmpeg, args...)
	var err error
	if r.out, err = r.p.cmd.StdoutPipe(); err != nil {
		r.p.cancel()
		return nil, errors.Join(fmt.Errorf("read a video: %w", err), r.removeTable())
	}
	if err := r.p.cmd.Start(); err != nil {
		r.p.cancel()
		return nil, errors.Join(fmt.Errorf("read a video: %w", err), r.removeTable())
	}
	lowerPriority(r.p.cmd.Process.Pid)
	return r, nil
}

// Next reads the next frame into dst, which has the Reader's size; io.EOF after the last one.
func (r *Reader) Next(dst *image.NRGBA) error {
	if r.planes || dst.Rect.Dx() != r.Width || dst.Rect.Dy() != r.Height || dst.Stride != 4*r.Width {
		return errors.New("video: the frame does not fit the reader")
	}
	return r.fill(dst.Pix[:4*r.Width*r.Height])
}

// NextPlanes reads the next frame into dst, which NewPlanes made for the Reader's size; io.EOF after the last one.
func (r *Reader) NextPlanes(dst *image.YCbCr) error {
	if !r.planes || dst.Rect.Dx() != r.Width || dst.Rect.Dy() != r.Height {
		return errors.New("video: the frame does not fit the reader")
	}
	for _, p := range [][]uint8{dst.Y, dst.Cb, dst.Cr} {
		if err := r.fill(p); err != nil {
			return err
		}
	}
	return nil
}

// NewPlanes makes a frame of 4:2:0 planes without gaps. The values are those of video: BT.709, black at 16 and white at 235.
func NewPlanes(w, h int) *image.YCbCr {
	return image.NewYCbCr(image.Rect(0, 0, w, h), image.YCbCrSubsampleRatio420)
}

func (r *Reader) fill(p []uint8) error {
	if r.done != nil {
		return r.done
	}
	_, err := io.ReadFull(r.out, p)
	if err == nil {
		return nil
	}
	// What comes short is the end, or the program's trouble.
	r.done = r.p.wait()
	if r.done == nil {
		r.done = io.EOF
		if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			r.done = fmt.Errorf("read a video: %w", err)
		}
	}
	return r.done
}

// Close ends the reading, early or not.
func (r *Reader) Close() error {
	if r.done == nil {
		r.done = io.EOF
		r.p.kill()
	}
	return r.removeTable()
}

func (r *Reader) removeTable() error {
	if r.table == "" {
		return nil
	}
	name := r.table
	r.table = ""
	if err := os.Remove(name); err != nil {
		return fmt.Errorf("remove a table of colours: %w", err)
	}
	return nil
}

// Frame is the frame at a time in seconds.
func (t *Tool) Frame(ctx context.Context, path string, info Info, at float64) (img *image.NRGBA, err error) {
	r, err := t.Read(ctx, path, info, ReadOptions{From: max(0, min(at, info.Seconds-1.5/info.Rate.PerSecond()))})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	img = image.NewNRGBA(image.Rect(0, 0, r.Width, r.Height))
	if err := r.Next(img); err != nil {
		return nil, noFrames(err)
	}
	return img, nil
}

// LastFrame is the very last frame, also of a film whose sound goes on after its pictures.
func (t *Tool) LastFrame(ctx context.Context, path string, info Info) (*image.NRGBA, error) {
	last, err := t.lastFrom(ctx, path, info, max(0, info.Seconds-1))
	if errors.Is(err, io.EOF) && info.Seconds > 1 {
		return t.lastFrom(ctx, path, info, 0)
	}
	return last, err
}

// lastFrom is the last frame of those from a second on.
func (t *Tool) lastFrom(ctx context.Context, path string, info Info, second float64) (*image.NRGBA, error) {
	var last *image.NRGBA
	err := t.EachFrame(ctx, path, info, ReadOptions{From: second}, func(_ int, img *image.NRGBA) error {
		if last == nil {
			last = image.NewNRGBA(img.Rect)
		}
		copy(last.Pix, img.Pix)
		return nil
	})
	return last, err
}

// EachFrame calls do for every frame. The picture is reused from call to call: copy what is to stay.
func (t *Tool) EachFrame(ctx context.Context, path string, info Info, opt ReadOptions, do func(n int, img *image.NRGBA) error) (err error) {
	r, err := t.Read(ctx, path, info, opt)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	img := image.NewNRGBA(image.Rect(0, 0, r.Width, r.Height))
	for n := 0; ; n++ {
		switch err := r.Next(img); {
		case errors.Is(err, io.EOF) && n > 0:
			return nil
		case err != nil:
			return noFrames(err)
		}
		if err := do(n, img); err != nil {
			return err
		}
	}
}

// noFrames is the end of a video that had no frame at all, in words.
func noFrames(err error) error {
	if errors.Is(err, io.EOF) {
		return &Error{Message: saidNoFrame, Err: err}
	}
	return err
}

func decimal(v float64) string {
	s := strconv.FormatFloat(v, 'f', 6, 64)
	return strings.TrimRight(strings.TrimRight(s, "0"), ".")
}
