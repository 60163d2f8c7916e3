package render

import (
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"strconv"
	"strings"

	"atelier/imaging/video"
)

// filmRate is the frame rate of videos that are made of pictures.
var filmRate = video.Rate{Num: 24, Den: 1}

// defaultSeconds is the length when none is asked for, or "-1" leaves it to the generator.
// ASSUMED [Length of a video]: the document gives no default length (Run API, "Family E").
const defaultSeconds = 5

// mostSeconds is the longest length of the document.
const mostSeconds = 30

// seconds is the duration asked for, of the form "5s"; ok is false when it is left to us.
func (r Request) seconds() (v float64, ok bool) {
	text := strings.TrimSuffix(strings.TrimSpace(r.text("duration")), "s")
	if n, isNumber := r.number("duration"); isNumber {
		text = strconv.Itoa(n)
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || v <= 0 || math.IsInf(v, 0) || math.IsNaN(v) {
		return defaultSeconds, false
	}
	return v, true
}

// tooLong refuses a length that an account's agents may have, but no film made here.
func (r Request) tooLong() error {
	if v, asked := r.seconds(); asked && v > mostSeconds {
		return &video.Error{Message: fmt.Sprintf("The embedded service makes videos of at most %d seconds; this asks for %g.", mostSeconds, v)}
	}
	return nil
}

// lines are the short sides of the resolutions (Run API, "Family E").
// ASSUMED [resolution, videoSize]: what the word stands for in pixels is not said: 480p and the others count the short side, 4k is 2160.
var lines = map[string]int{"480p": 480, "720p": 720, "1080p": 1080, "4k": 2160}

// frameSize is the size of the video: the shape of aspectRatio, or that of like when it is adaptive, auto or missing, at
// the resolution asked for. Both sides are even. A very long shape keeps the area that 16:9 would have.
func (r Request) frameSize(like image.Point) image.Point {
	short, ok := lines[strings.ToLower(r.text("resolution"))]
	if !ok {
		short = lines["720p"]
	}
	w, h := float64(like.X), float64(like.Y)
	if like.X <= 0 || like.Y <= 0 {
		w, h = 16, 9
	}
	if q, ok := ratios[r.text("aspectRatio")]; ok {
		w, h = float64(q[0]), float64(q[1])
	}
	k := float64(short) / math.Min(w, h)
	if area := float64(short) * float64(short) * 16 / 9; w*h*k*k > area {
		k = math.Sqrt(area / (w * h))
	}
	return image.Pt(nearestEven(k*w), nearestEven(k*h))
}

func nearestEven(v float64) int { return max(2, 2*int(v/2+0.5)) }

func isEnd(err error) bool { return errors.Is(err, io.EOF) }
