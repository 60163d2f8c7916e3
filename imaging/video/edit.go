package video

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"atelier/imaging/video/container"
)

// Cut writes seconds of a video from a time on, sound included, to a new MP4 at path.
func (t *Tool) Cut(ctx context.Context, source string, info Info, from, seconds float64, path string) error {
	opt := WriteOptions{Width: Even(info.Width), Height: Even(info.Height), Rate: info.Rate, Frames: info.Rate.Frames(seconds)}
	return t.Join(ctx, []Clip{{Path: source, Info: info, From: from, For: seconds}}, opt, path)
}

// Clip is a piece of a video.
type Clip struct {
	Path      string
	Info      Info
	From, For float64 // seconds; For 0 takes all
}

// Join writes clips one after the other into a new file of opt's size and rate, each fitted whole into the frame, with
// their own sound, or silence where one has none. Of opt only Format, Width, Height and Rate count.
func (t *Tool) Join(ctx context.Context, clips []Clip, opt WriteOptions, path string) (err error) {
	if len(clips) == 0 {
		return errors.New("video: nothing to join")
	}
	args := []string{"-y", "-nostdin", "-hide_banner", "-loglevel", "error"}
	sound := false
	for _, c := range clips {
		sound = sound || c.Info.HasSound()
		args = append(args, input(c.Info.Format, c.Path)...)
	}
	var b strings.Builder
	var tables []string
	defer func() {
		for _, name := range tables {
			err = errors.Join(err, os.Remove(name))
		}
	}()
	for i, c := range clips {
		colours := ""
		if c.Info.transfer != "" {
			name, err := c.Info.transfer.file()
			if err != nil {
				return err
			}
			tables = append(tables, name)
			colours = ",format=gbrp16le,lut3d=file=" + escaped(name) + ":interp=tetrahedral,scale=flags=accurate_rnd+full_chroma_int"
		}
		length := c.For
		if length == 0 {
			length = c.Info.Seconds - c.From
		}
		fmt.Fprintf(&b, "[%d:%d]trim=start=%s:duration=%s,setpts=PTS-STARTPTS,fps=%s,scale=%d:%d:force_original_aspect_ratio=decrease:in_color_matrix=%s%s:out_color_matrix=bt709:out_range=tv,"+
			"format=yuv420p,pad=%d:%d:-1:-1,setsar=1[v%d];",
			i, c.Info.stream, decimal(c.From), decimal(length), opt.Rate, opt.Width, opt.Height, c.Info.matrix, colours, opt.Width, opt.Height, i)
		switch {
		case c.Info.HasSound():
			fmt.Fprintf(&b, "[%d:a:0]atrim=start=%s:duration=%s,asetpts=PTS-STARTPTS,aresample=48000,aformat=sample_fmts=fltp:channel_layouts=stereo,apad,atrim=duration=%s[a%d];",
				i, decimal(c.From), decimal(length), decimal(length), i)
		case sound:
			fmt.Fprintf(&b, "anullsrc=r=48000:cl=stereo,aformat=sample_fmts=fltp,atrim=duration=%s[a%d];", decimal(length), i)
		}
	}
	for i := range clips {
		fmt.Fprintf(&b, "[v%d]", i)
		if sound {
			fmt.Fprintf(&b, "[a%d]", i)
		}
	}
	out := "[v]"
	tracks := []string{"-map", "[v]"}
	if sound {
		out += "[a]"
		tracks = append(tracks, "-map", "[a]", "-c:a", "aac", "-b:a", "160k")
	}
	fmt.Fprintf(&b, "concat=n=%d:v=1:a=%d%s", len(clips), map[bool]int{false: 0, true: 1}[sound], out)
	args = append(args, "-filter_complex", b.String())
	args = append(args, tracks...)
	format := "mp4"
	if opt.Format == container.MOV {
		format = "mov"
	}
	args = append(args, "-c:v", "libx264", "-preset", "fast", "-crf", "18", "-pix_fmt", "yuv420p", "-threads", strconv.Itoa(t.limits.Threads),
		"-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-map_metadata", "-1",
		"-fflags", "+bitexact", "-movflags", "+faststart", "-f", format, "file:"+path)
	if _, err := t.run(ctx, t.ffmpeg, args...); err != nil {
		if rerr := os.Remove(path); rerr != nil && !errors.Is(rerr, os.ErrNotExist) {
			err = errors.Join(err, rerr)
		}
		return err
	}
	return nil
}
