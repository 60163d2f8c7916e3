package render

import (
	"image"
	"image/color"
	"testing"

	"atelier/imaging/testpics"
)

func TestSlowSoundsPlayInOrder(t *testing.T) {
	t.Parallel()
	tool := ffmpeg(t)
	photo := plain(160, 120, color.NRGBA{90, 120, 140, 255})
	film := soundFilm(t, tool, 12, 160, 120, toneFile(t, 350, 1), func(int) *image.NRGBA { return photo })
	tests := []struct {
		name   string
		audio  string // generateAudio
		videos map[string][]string
		sounds []string
		hertz  []float64 // second by second; 0 = silence
	}{
		{"two sounds, then nothing", "", nil, []string{toneFile(t, 440, 1), toneFile(t, 660, 1)}, []float64{440, 660, 0}},
		{"a sound where sound is asked for", "true", nil, []string{toneFile(t, 440, 3)}, []float64{440, 440, 440}},
		{"a sound before that of the film", "true", map[string][]string{"videos": {film}}, []string{toneFile(t, 440, 3)}, []float64{440, 440}},
		{"the film's own", "true", map[string][]string{"videos": {film}}, nil, []float64{350}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			req := Request{Values: map[string]any{"duration": "3s", "resolution": "480p", "generateAudio": tt.audio}}
			if tt.videos == nil {
				req.Files = map[string][]*image.NRGBA{"images": {photo}}
			}
			out := filmIt(t, tool, req, VideoJob{Shape: ShapeReference, Sparse: filmRate.Num, Videos: tt.videos, Audios: map[string][]string{"audios": tt.sounds}})
			sound := heard(t, out.Path)
			for i, hertz := range tt.hertz {
				share, strength := pitched(sound, hertz, float64(i)+0.1, float64(i)+0.55)
				switch {
				case hertz == 0 && strength > 0.002:
					t.Errorf("from second %d on there is sound of strength %.4f", i, strength)
				case hertz > 0 && (share < 0.9 || strength < 0.03):
					t.Errorf("from second %d on %.2f of a sound of strength %.3f is the tone of %.0f Hz", i, share, strength, hertz)
				}
			}
		})
	}
}

func TestSlowVideosKeepTheirSound(t *testing.T) {
	t.Parallel()
	tool := ffmpeg(t)
	person, _ := testpics.Person(240, 320, 3)
	other, _ := testpics.Person(240, 320, 8)
	ground := pattern(240, 320, 0, 0)
	faces := map[string][]*image.NRGBA{"images": {other}}
	film := func(draw func(n int) *image.NRGBA) []string {
		return []string{soundFilm(t, tool, 12, 240, 320, toneFile(t, 440, 1), draw)}
	}
	standing := film(func(int) *image.NRGBA { return person })
	tests := []struct {
		name string
		req  Request
		job  VideoJob
	}{
		{"larger", Request{}, VideoJob{Shape: ShapeEnhance, Videos: map[string][]string{"videos": standing}}},
		{"without its title", Request{}, VideoJob{Shape: ShapeClean, Videos: map[string][]string{"videos": film(func(n int) *image.NRGBA {
			img := pattern(240, 320, 2*float64(n), float64(n))
			h, err := newHand(30, true)
			if err != nil {
				t.Error(err)
				return img
			}
			h.write(img, "SAMPLE", 60, 40, color.NRGBA{255, 255, 255, 255})
			return img
		})}}},
		{"with another face", Request{Files: faces}, VideoJob{Shape: ShapeFace, Videos: map[string][]string{"videos": standing}}},
		{"with another figure", Request{Files: faces}, VideoJob{Shape: ShapeMotion, Videos: map[string][]string{"videos": film(func(n int) *image.NRGBA {
			return figureAt(ground, 70+2*n)
		})}}},
		{"going on", Request{Values: map[string]any{"duration": "1s", "resolution": "480p", "extendDirection": "forward"}}, VideoJob{Shape: ShapeReference, Videos: map[string][]string{"extendVideo": standing}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			out := filmIt(t, tool, tt.req, tt.job)
			if share, strength := pitched(heard(t, out.Path), 440, 0.1, 0.6); share < 0.9 || strength < 0.03 {
				t.Errorf("%.2f of a sound of strength %.3f is the film's tone", share, strength)
			}
		})
	}
}
