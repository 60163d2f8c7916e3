package video

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"

	"atelier/imaging/video/container"
)

// Rate is frames per second as a fraction.
type Rate struct{ Num, Den int }

// PerSecond is the rate as a number, 0 for the zero value.
func (r Rate) PerSecond() float64 {
	if r.Den == 0 {
		return 0
	}
	return float64(r.Num) / float64(r.Den)
}

// Frames is how many whole frames seconds last at the rate, at least one.
func (r Rate) Frames(seconds float64) int { return max(1, int(math.Round(seconds*r.PerSecond()))) }

func (r Rate) String() string { return strconv.Itoa(r.Num) + "/" + strconv.Itoa(r.Den) }

// Info is what a file holds, as ffprobe found it.
type Info struct {
	Format        container.Format
	Seconds       float64  // of the picture, or of the sound when there is none
	Width, Height int      // as seen, rotation applied; 0 without a picture
	Rate          Rate     // mean frames per second, at most MaxRate; zero without a picture
	VideoCodec    string   // ffmpeg's name, such as "h264"
	AudioCodec    string   // ffmpeg's name, such as "aac"; "" without sound
	matrix        string   // of its colours, as ffmpeg's scale filter calls it
	transfer      transfer // "" for those of standard range
	stream        int      // of the picture, among all
}

// HasVideo reports whether there is a moving picture.
func (i Info) HasVideo() bool { return i.VideoCodec != "" }

// HasSound reports whether there is sound.
func (i Info) HasSound() bool { return i.AudioCodec != "" }

// Frames is how many frames the picture has at its mean rate.
func (i Info) Frames() int { return i.Rate.Frames(i.Seconds) }

// MaxRate is the highest rate that is worked at; faster files are read with frames left out.
const MaxRate = 60

// demuxers are ffmpeg's readers of the formats, each named so that no other is ever tried on a file.
var demuxers = map[container.Format]string{
	container.MP4: "mov", container.MOV: "mov", container.M4A: "mov", container.MP3: "mp3", container.WAV: "wav",
}

// decoders are the only codings that are read.
const decoders = "h264,hevc,mpeg4,mjpeg,prores,vp8,vp9,av1,libdav1d,libaom-av1,libvpx,libvpx-vp9,mpeg1video,mpeg2video," +
	"aac,mp3float,mp3,alac,ac3,eac3,flac,opus,libopus,pcm_u8,pcm_s16le,pcm_s16be,pcm_s24le,pcm_s24be,pcm_s32le,pcm_f32le,pcm_alaw,pcm_mulaw"

// input is the arguments that open a file of ours: local, with the one reader its content asks for.
func input(format container.Format, path string, more ...string) []string {
	args := []string{"-protocol_whitelist", "file,pipe", "-codec_whitelist", decoders}
	args = append(args, more...)
	return append(args, "-f", demuxers[format], "-i", "file:"+path)
}

// sniffed is the format of a file by its content, within the limit of its size.
func (t *Tool) sniffed(path string) (container.Format, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("open a media file: %w", err)
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return "", fmt.Errorf("look at a media file: %w", err)
	}
	if st.Size() > t.limits.MaxBytes {
		return "", refuse(saidBytes(st.Size()>>20, t.limits.MaxBytes>>20))
	}
	facts, err := container.Read(f, st.Size())
	if err != nil {
		message := saidDamaged
		if errors.Is(err, container.ErrUnknown) {
			message = saidUnknown
		}
		return "", &Error{Message: message, Err: err}
	}
	if facts.Seconds > t.limits.MaxSeconds {
		return "", t.tooLong(facts.Seconds)
	}
	return facts.Format, nil
}

func (t *Tool) tooLong(seconds float64) error {
	return refuse(saidSeconds(seconds, t.limits.MaxSeconds))
}

// probed is the part of ffprobe's answer that is used.
type probed struct {
	Streams []struct {
		Index    int            `json:"index"`
		Tag      string         `json:"codec_tag_string"`
		Type     string         `json:"codec_type"`
		Codec    string         `json:"codec_name"`
		Width    int            `json:"width"`
		Height   int            `json:"height"`
		Duration string         `json:"duration"`
		Average  string         `json:"avg_frame_rate"`
		Real     string         `json:"r_frame_rate"`
		Space    string         `json:"color_space"`
		Transfer string         `json:"color_transfer"`
		Aspect   string         `json:"sample_aspect_ratio"`
		Disposal map[string]int `json:"disposition"`
		SideData []struct {
			Rotation float64 `json:"rotation"`
		} `json:"side_data_list"`
	} `json:"streams"`
	Format struct {
		Duration string `json:"duration"`
	} `json:"format"`
}

// Probe says what a file holds. A file above the limits, or of another kind, comes back as an *Error.
func (t *Tool) Probe(ctx context.Context, path string) (Info, error) {
	format, err := t.sniffed(path)
	if err != nil {
		return Info{}, err
	}
	args := append([]string{"-hide_banner", "-loglevel", "error", "-of", "json", "-show_streams", "-show_format"}, input(format, path)...)
	out, err := t.run(ctx, t.ffprobe, args...)
	if err != nil {
		return Info{}, err
	}
	var p probed
	if err := json.Unmarshal(out, &p); err != nil {
		return Info{}, fmt.Errorf("read ffprobe's answer: %w", err)
	}
	return t.info(format, p)
}

func (t *Tool) info(format container.Format, p probed) (Info, error) {
	i := Info{Format: format, Seconds: seconds(p.Format.Duration)}
	for _, s := range p.Streams {
		switch {
		case s.Type == "audio" && i.AudioCodec == "":
			i.AudioCodec = s.Codec
		case s.Type == "video" && i.VideoCodec == "" && s.Disposal["attached_pic"] == 0 && !container.Cover(s.Tag):
			i.stream, i.transfer = s.Index, transferOf(s.Transfer)
			i.VideoCodec, i.Width, i.Height = s.Codec, squared(s.Width, s.Aspect), s.Height
			for _, d := range s.SideData {
				if math.Mod(math.Abs(d.Rotation), 180) == 90 {
					i.Width, i.Height = i.Height, i.Width
				}
			}
			if d := seconds(s.Duration); d > 0 {
				i.Seconds = d
			}
			i.Rate = rate(s.Average, s.Real)
			i.matrix = matrix(s.Space, s.Height)
		}
	}
	if !i.HasVideo() && !i.HasSound() {
		return i, refuse(saidEmpty)
	}
	if i.HasVideo() && (i.Width < 2 || i.Height < 2) {
		return i, refuse(saidNoSize)
	}
	if i.Width*i.Height > t.limits.MaxPixels {
		return i, refuse(saidPixels(i.Width, i.Height, t.limits.MaxPixels/1_000_000))
	}
	if i.Seconds > t.limits.MaxSeconds {
		return i, t.tooLong(i.Seconds)
	}
	if i.HasVideo() && i.Seconds <= 0 {
		return i, refuse(saidNoLength)
	}
	return i, nil
}

func seconds(s string) float64 {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
		return 0
	}
	return v
}

// squared is a width in square pixels.
func squared(width int, aspect string) int {
	a, b, _ := strings.Cut(aspect, ":")
	num, err1 := strconv.Atoi(a)
	den, err2 := strconv.Atoi(b)
	if err1 != nil || err2 != nil || num <= 0 || den <= 0 || num > 8*den || den > 8*num {
		return width
	}
	return (width*num + den/2) / den
}

// rate is the first of ffprobe's fractions that makes sense, at most MaxRate.
func rate(fractions ...string) Rate {
	for _, s := range fractions {
		a, b, ok := strings.Cut(s, "/")
		num, err1 := strconv.Atoi(a)
		den, err2 := strconv.Atoi(b)
		if !ok || err1 != nil || err2 != nil || num <= 0 || den <= 0 {
			continue
		}
		if r := (Rate{num, den}); r.PerSecond() >= 1 {
			if r.PerSecond() > MaxRate {
				return Rate{MaxRate, 1}
			}
			return r
		}
	}
	return Rate{25, 1}
}

// matrix is how the colours were coded. What does not say is taken as players take it: by its size.
func matrix(space string, height int) string {
	switch space {
	case "bt709", "bt2020nc", "bt2020ncl":
		if space == "bt709" {
			return "bt709"
		}
		return "bt2020"
	case "smpte170m", "bt470bg", "fcc":
		return "bt601"
	}
	if height >= 720 {
		return "bt709"
	}
	return "bt601"
}
