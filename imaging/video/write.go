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

	"atelier/imaging/video/container"
)

// WriteOptions say what file is made.
type WriteOptions struct {
	Format        container.Format // MP4 (also for "") or MOV
	Width, Height int              // even
	Rate          Rate
	Frames        int  // how many will be written; the sound is cut or filled up to exactly that
	Planes        bool // frames come by WritePlanes
	// Sounds are played one after the other.
	Sounds []Sound
	Fade   float64 // seconds over which the sound ends softly
	// Keep copies the sound of this file as it is, instead of Sounds; KeepInfo is what Probe said of it.
	Keep     string
	KeepInfo Info
}

// Sound is a piece of a sound track.
type Sound struct {
	Path      string
	Info      Info
	From, For float64 // seconds of the file; For 0 takes all
	Loop      bool    // again and again, up to the end of the picture; only the last of several. With For, forth and back.
}

// Writer takes frames and makes an H.264 file that browsers play and start before they have all of it.
type Writer struct {
	Width, Height int
	path          string
	p             *program
	in            io.WriteCloser
	planes        bool
}

// Even is the largest even number up to v, at least 2: the sides of H.264 with halved colour are even.
func Even(v int) int { return max(2, v&^1) }

// Write opens a new file at path. It must be ended by Close or Abort, and is removed when either fails.
func (t *Tool) Write(ctx context.Context, path string, opt WriteOptions) (*Writer, error) {
	if opt.Width < 2 || opt.Height < 2 || opt.Width%2 != 0 || opt.Height%2 != 0 || opt.Rate.Num <= 0 || opt.Rate.Den <= 0 {
		return nil, fmt.Errorf("video: cannot write %d × %d at %v", opt.Width, opt.Height, opt.Rate)
	}
	w := &Writer{Width: opt.Width, Height: opt.Height, path: path, planes: opt.Planes}
	w.p = t.prepare(ctx, t.ffmpeg, append(t.encoding(opt), "file:"+path)...)
	var err error
	if w.in, err = w.p.cmd.StdinPipe(); err != nil {
		w.p.cancel()
		return nil, fmt.Errorf("write a video: %w", err)
	}
	if err := w.p.cmd.Start(); err != nil {
		w.p.cancel()
		return nil, fmt.Errorf("write a video: %w", err)
	}
	lowerPriority(w.p.cmd.Process.Pid)
	return w, nil
}

// encoding is the arguments of the encoder up to the file's name.
func (t *Tool) encoding(opt WriteOptions) []string {
	args := []string{"-y", "-hide_banner", "-loglevel", "error", "-protocol_whitelist", "file,pipe", "-f", "rawvideo"}
	format := "rgba"
	if opt.Planes {
		format = "yuv420p"
	}
	args = append(args, "-pix_fmt", format, "-s", fmt.Sprintf("%dx%d", opt.Width, opt.Height), "-r", opt.Rate.String())
	if opt.Planes {
		args = append(args, "-color_range", "tv", "-colorspace", "bt709")
	}
	args = append(args, "-i", "pipe:0")
	seconds := float64(opt.Frames) / opt.Rate.PerSecond()
	sound, graph := soundInputs(opt, seconds)
	args = append(args, sound...)
	args = append(args, "-map", "0:v")
	switch {
	case graph != "":
		args = append(args, "-filter_complex", graph, "-map", "[sound]", "-c:a", "aac", "-b:a", "160k")
	case opt.Keep != "" && opt.KeepInfo.HasSound():
		args = append(args, "-map", "1:a:0")
		switch opt.KeepInfo.AudioCodec {
		case "aac", "mp3", "alac":
			args = append(args, "-c:a", "copy")
		default:
			args = append(args, "-c:a", "aac", "-b:a", "192k")
		}
	}
	preset, crf := "fast", "18"
	if opt.Width*opt.Height > 1920*1088 {
		preset, crf = "veryfast", "19"
	}
	if !opt.Planes {
		args = append(args, "-vf", "scale=out_color_matrix=bt709:out_range=tv:flags=bicubic+accurate_rnd+full_chroma_int,format=yuv420p")
	}
	args = append(args,
		"-c:v", "libx264", "-preset", preset, "-crf", crf, "-profile:v", "high", "-pix_fmt", "yuv420p",
		"-g", strconv.Itoa(max(2, opt.Rate.Frames(2))), "-threads", strconv.Itoa(t.limits.Threads),
		"-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv",
		"-map_metadata", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact", "-flags:a", "+bitexact", "-movflags", "+faststart")
	if opt.Frames > 0 && graph != "" {
		args = append(args, "-t", decimal(seconds))
	}
	if opt.Format == container.MOV {
		return append(args, "-f", "mov")
	}
	return append(args, "-f", "mp4")
}

// soundInputs is the inputs of the sound track and the filters that put them one after the other, cut or filled up to
// seconds.
func soundInputs(opt WriteOptions, seconds float64) (args []string, graph string) {
	if opt.Keep != "" {
		if opt.KeepInfo.HasSound() {
			args = input(opt.KeepInfo.Format, opt.Keep)
		}
		return args, ""
	}
	if len(opt.Sounds) == 0 {
		return nil, ""
	}
	var b strings.Builder
	for i, s := range opt.Sounds {
		var more []string
		if s.Loop && s.For == 0 && i == len(opt.Sounds)-1 {
			more = append(more, "-stream_loop", "-1")
		}
		args = append(args, input(s.Info.Format, s.Path, more...)...)
		fmt.Fprintf(&b, "[%d:a:0]", i+1)
		if s.From > 0 || s.For > 0 {
			fmt.Fprintf(&b, "atrim=start=%s", decimal(s.From))
			if s.For > 0 {
				fmt.Fprintf(&b, ":duration=%s", decimal(s.For))
			}
			b.WriteString(",asetpts=PTS-STARTPTS,")
		}
		b.WriteString("aresample=48000,aformat=sample_fmts=fltp:channel_layouts=stereo")
		if s.Loop && s.For > 0 {
			// Back to its beginning as it came, so that nothing clicks where it starts again.
			fmt.Fprintf(&b, ",asplit[f%d][b%d];[b%d]areverse[r%d];[f%d][r%d]concat=n=2:v=0:a=1,aloop=loop=-1:size=%d", i, i, i, i, i, i, int(2*s.For*48000))
		}
		fmt.Fprintf(&b, "[s%d];", i)
	}
	for i := range opt.Sounds {
		fmt.Fprintf(&b, "[s%d]", i)
	}
	fmt.Fprintf(&b, "concat=n=%d:v=0:a=1,apad,atrim=duration=%s", len(opt.Sounds), decimal(seconds))
	if opt.Fade > 0 {
		fade := min(opt.Fade, seconds/2)
		fmt.Fprintf(&b, ",afade=t=out:st=%s:d=%s", decimal(seconds-fade), decimal(fade))
	}
	b.WriteString("[sound]")
	return args, b.String()
}

// Write adds a frame of the Writer's size, which has to be opaque to look as it does here.
func (w *Writer) Write(img *image.NRGBA) error {
	if w.planes || img.Rect.Dx() != w.Width || img.Rect.Dy() != w.Height || img.Stride != 4*w.Width {
		return errors.New("video: the frame does not fit the writer")
	}
	return w.send(img.Pix[:4*w.Width*w.Height])
}

// WritePlanes adds a frame that NewPlanes made.
func (w *Writer) WritePlanes(img *image.YCbCr) error {
	if !w.planes || img.Rect.Dx() != w.Width || img.Rect.Dy() != w.Height {
		return errors.New("video: the frame does not fit the writer")
	}
	for _, p := range [][]uint8{img.Y, img.Cb, img.Cr} {
		if err := w.send(p); err != nil {
			return err
		}
	}
	return nil
}

func (w *Writer) send(p []uint8) error {
	if _, err := w.in.Write(p); err != nil {
		if ended := w.p.wait(); ended != nil && isPipe(err) {
			err = ended
		}
		w.p = nil
		return errors.Join(err, w.remove())
	}
	return nil
}

// Close finishes the file.
func (w *Writer) Close() error {
	if w.p == nil {
		return errors.New("video: the writer has ended already")
	}
	err := w.in.Close()
	if ended := w.p.wait(); ended != nil {
		err = ended
	}
	w.p = nil
	if err != nil {
		return errors.Join(err, w.remove())
	}
	return nil
}

// Abort ends the writing and removes the file; after Close or a failure it does nothing.
func (w *Writer) Abort() error {
	if w.p == nil {
		return nil
	}
	w.p.kill()
	w.p = nil
	return w.remove()
}

func (w *Writer) remove() error {
	if err := os.Remove(w.path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("remove an unfinished video: %w", err)
	}
	return nil
}
