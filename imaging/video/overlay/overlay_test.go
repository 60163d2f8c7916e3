package overlay

import (
	"image"
	"image/color"
	"math"
	"testing"

	"atelier/imaging"
	"atelier/imaging/mask"
	"atelier/imaging/video/videotest"
)

const (
	wide = 240
	high = 136
)

// ground is frame n of a film that pans over a pattern without repetition, by speed pixels a frame.
func ground(n int, speed float64) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, wide, high))
	for y := range high {
		for x := range wide {
			u, v := float64(x)+speed*float64(n), float64(y)+0.3*speed*float64(n)
			l := 110 + 40*math.Sin(u/9+math.Sin(v/14)) + 30*math.Cos(v/11+1.7*math.Sin(u/23)) + 12*math.Sin((u+v)/4.1)
			img.SetNRGBA(x, y, color.NRGBA{uint8(l), uint8(0.8*l + 20), uint8(0.6*l + 30), 255})
		}
	}
	return img
}

// write puts a line of white letters with a dark outline into a frame.
func write(t *testing.T, img *image.NRGBA, text string, size float64, x, y int) {
	t.Helper()
	if err := videotest.Letter(img, text, size, x, y); err != nil {
		t.Fatal(err)
	}
}

// film is frames with and without an overlay.
func film(frames int, speed float64, lay func(n int, img *image.NRGBA)) (clean, covered []*image.NRGBA) {
	for n := range frames {
		img := ground(n, speed)
		clean = append(clean, imaging.Clone(img))
		lay(n, img)
		covered = append(covered, img)
	}
	return clean, covered
}

func removed(t *testing.T, frames []*image.NRGBA, opt Options) []*image.NRGBA {
	t.Helper()
	r := NewRemover(wide, high, opt)
	var out []*image.NRGBA
	take := func(ended bool) {
		for {
			dst := image.NewNRGBA(image.Rect(0, 0, wide, high))
			ok, err := r.Next(t.Context(), dst, ended)
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				return
			}
			out = append(out, dst)
		}
	}
	for n, img := range frames {
		r.Add(img, float64(n)/12)
		take(false)
	}
	take(true)
	return out
}

// titles looks through a film for lines.
func titles(frames []*image.NRGBA, scenery mask.Plane) *Titles {
	out := NewTitles(scenery)
	for n, img := range frames {
		out.Add(img, float64(n)/12)
	}
	return out
}

// errors2 is the mean squared error inside and outside of what was laid over.
func errors2(clean, covered, got []*image.NRGBA) (before, after, beside float64) {
	n, m := 0.0, 0.0
	for k := range clean {
		for i := 0; i < len(clean[k].Pix); i += 4 {
			var was, is float64
			for c := range 3 {
				a, b := float64(clean[k].Pix[i+c])-float64(covered[k].Pix[i+c]), float64(clean[k].Pix[i+c])-float64(got[k].Pix[i+c])
				was, is = was+a*a, is+b*b
			}
			if was > 0 {
				n, before, after = n+1, before+was, after+is
			} else {
				m, beside = m+1, beside+is
			}
		}
	}
	return before / n, after / n, beside / m
}

func TestOverlaysAreFoundAndTakenOut(t *testing.T) {
	t.Parallel()
	logo := func(n int, img *image.NRGBA) { write(t, img, "LOGO", 18, 178, 24) }
	subtitle := func(n int, img *image.NRGBA) {
		if n >= 6 && n < 22 {
			write(t, img, "We meet again today", 13, 52, 122)
		}
	}
	tests := []struct {
		name    string
		speed   float64
		text    bool
		lay     func(int, *image.NRGBA)
		factor  float64 // by which the error falls at least
		outside float64 // the most that may change beside the overlay
	}{
		{"a logo over a moving film", 3, false, logo, 12, 12},
		{"a logo over a slow film", 0.6, false, logo, 5, 12},
		{"subtitles over a moving film", 2, true, subtitle, 10, 12},
		{"subtitles over a still film", 0, true, subtitle, 30, 4},
		{"a logo in the corner of a still film", 0, false, logo, 4, 30},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			clean, covered := film(30, tt.speed, tt.lay)
			var s Survey
			for i := 0; i < len(covered); i += 2 {
				s.Add(covered[i])
			}
			static, _ := s.Static(wide, high)
			opt := Options{Static: static, Seed: 1}
			if tt.text {
				opt.Titles = titles(covered, s.Scenery())
			}
			got := removed(t, covered, opt)
			if len(got) != len(covered) {
				t.Fatalf("%d frames come back of %d", len(got), len(covered))
			}
			before, after, beside := errors2(clean, covered, got)
			t.Logf("error %.0f → %.0f, beside %.1f", before, after, beside)
			if after*tt.factor > before {
				t.Errorf("the error falls from %.0f to %.0f, want a %gth of it", before, after, tt.factor)
			}
			if beside > tt.outside {
				t.Errorf("beside the overlay the error is %.1f, want at most %.1f", beside, tt.outside)
			}
		})
	}
}

func TestAFilmWithoutOverlaysIsLeftAlone(t *testing.T) {
	t.Parallel()
	for _, speed := range []float64{0, 2} {
		clean, covered := film(24, speed, func(int, *image.NRGBA) {})
		var s Survey
		for i := 0; i < len(covered); i += 2 {
			s.Add(covered[i])
		}
		static, _ := s.Static(wide, high)
		if !static.Empty() {
			t.Errorf("at speed %g an overlay is found: %v", speed, static.Bounds())
		}
		lines := titles(covered, s.Scenery())
		if lines.Found() {
			t.Errorf("at speed %g letters are found", speed)
		}
		for n, img := range removed(t, covered, Options{Static: static, Titles: lines}) {
			if string(img.Pix) != string(clean[n].Pix) {
				t.Fatalf("at speed %g frame %d is changed", speed, n)
			}
		}
	}
}

func TestNothingIsCopiedAcrossACut(t *testing.T) {
	t.Parallel()
	var covered, clean []*image.NRGBA
	for n := range 16 {
		img := ground(n, 2)
		if n >= 8 {
			for i := 0; i < len(img.Pix); i += 4 {
				img.Pix[i], img.Pix[i+1], img.Pix[i+2] = 255-img.Pix[i], 40, 200-img.Pix[i+2]/2
			}
		}
		clean = append(clean, imaging.Clone(img))
		write(t, img, "LOGO", 18, 178, 24)
		covered = append(covered, img)
	}
	var s Survey
	for _, img := range covered {
		s.Add(img)
	}
	static, _ := s.Static(wide, high)
	got := removed(t, covered, Options{Static: static, Seed: 1})
	for _, n := range []int{7, 8} {
		before, after, _ := errors2(clean[n:n+1], covered[n:n+1], got[n:n+1])
		if after*4 > before {
			t.Errorf("at the cut, frame %d: the error falls from %.0f to %.0f, want a quarter", n, before, after)
		}
	}
}

func TestALargeTitleThatComesAndGoesIsTakenOut(t *testing.T) {
	t.Parallel()
	const first, last = 4, 22
	title := func(n int, img *image.NRGBA) {
		// It comes and goes within two frames.
		share := min(1, float64(min(n-first, last-n))/2)
		if share <= 0 {
			return
		}
		full := imaging.Clone(img)
		write(t, full, "SALE NOW", 34, 24, 80)
		for i := range img.Pix {
			img.Pix[i] = uint8(float64(img.Pix[i])*(1-share) + float64(full.Pix[i])*share)
		}
	}
	for _, tt := range []struct {
		name  string
		speed float64
	}{{"over a moving film", 3}, {"over a still film", 0}} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			clean, covered := film(26, tt.speed, title)
			var s Survey
			for i := 0; i < len(covered); i += 2 {
				s.Add(covered[i])
			}
			static, _ := s.Static(wide, high)
			got := removed(t, covered, Options{Static: static, Titles: titles(covered, s.Scenery()), Seed: 1})
			letters, gone, beside, kept := 0, 0, 0, 0
			for n := range got {
				for i := 0; i < len(got[n].Pix); i += 4 {
					was, is := 0, 0
					for c := range 3 {
						truth := int(clean[n].Pix[i+c])
						was = max(was, int(covered[n].Pix[i+c])-truth, truth-int(covered[n].Pix[i+c]))
						is = max(is, int(got[n].Pix[i+c])-truth, truth-int(got[n].Pix[i+c]))
					}
					y := i / 4 / wide
					switch {
					case was > 30:
						letters++
						if is < 40 {
							gone++
						}
					case y < 30 || y > 105:
						beside++
						if is == 0 {
							kept++
						}
					}
				}
			}
			t.Logf("%d of %d pixels of letters are gone, %d of %d beside are kept", gone, letters, kept, beside)
			if 100*gone < 95*letters {
				t.Errorf("%d of %d pixels of letters are gone, want 95 %%", gone, letters)
			}
			if 100*kept < 99*beside {
				t.Errorf("%d of %d pixels beside are kept, want 99 %%", kept, beside)
			}
		})
	}
}

// Bright strands side by side look like a line of letters. Those of somebody who is filmed move on with them, however slowly; letters
// that are laid over the film stay.
func TestStrandsThatMoveWithTheFilmAreNoLetters(t *testing.T) {
	strands := func(speed float64) func(int, *image.NRGBA) {
		return func(n int, img *image.NRGBA) {
			y := 112 - speed*float64(n)
			for k := range 14 {
				for dy := range 12 {
					for dx := range 3 {
						at := y + float64(dy)
						part := 1 - (at - math.Floor(at)) // between two rows
						for row, a := range map[int]float64{int(at): part, int(at) + 1: 1 - part} {
							p := img.Pix[img.PixOffset(70+6*k+dx, row):]
							for c := range 3 {
								p[c] += uint8(a * float64(235-min(p[c], 235)))
							}
						}
					}
				}
			}
		}
	}
	for _, tt := range []struct {
		speed float64 // pixels a frame
		want  bool
	}{{0, true}, {0.4, false}, {0.8, false}} {
		_, frames := film(30, 0.4, strands(tt.speed))
		if got := titles(frames, mask.Plane{}).Found(); got != tt.want {
			t.Errorf("strands that move by %.1f pixels a frame are letters: %v", tt.speed, got)
		}
	}
}
