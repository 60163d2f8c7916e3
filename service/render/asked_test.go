package render

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"testing"

	"atelier/catalog"
)

// asked is one value of one param that says how large, of what shape or how long a result is.
type asked struct {
	agent        catalog.Agent
	param, value string
}

// everyAsked is every value of the params, for every agent of the catalog that has them; of lengths between two bounds both,
// what lies half way, and for the agent with the longest each whole second.
func everyAsked(params ...string) []asked {
	var out []asked
	for _, a := range catalog.All() {
		for _, p := range a.Params {
			if !slices.Contains(params, p.Name) {
				continue
			}
			for _, o := range p.Options {
				out = append(out, asked{a, p.Name, o.Value})
			}
			if p.Kind == catalog.Duration && p.Min != nil {
				step := (*p.Max - *p.Min) / 2 // its ends and its middle,
				if *p.Max == mostSeconds {
					step = 1 // and each length once
				}
				for s := *p.Min; s <= *p.Max; s += step {
					out = append(out, asked{a, p.Name, fmt.Sprintf("%ds", s)})
				}
			}
		}
	}
	return out
}

func TestSlowPicturesHaveSizeAsked(t *testing.T) {
	t.Parallel()
	if n := picturesHaveSizeAsked(t, func(asked) bool { return true }); n < 130 {
		t.Errorf("%d values were tried, want at least 130", n)
	}
}

// TestPicturesHaveSizeAsked is the short form of TestSlowPicturesHaveSizeAsked: one agent of each family, each param once.
func TestPicturesHaveSizeAsked(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	if n := picturesHaveSizeAsked(t, func(c asked) bool {
		key := c.agent.Family + c.param
		first := !seen[key] && c.value != "3K" && c.value != "4K"
		seen[key] = seen[key] || first
		return first
	}); n < 6 {
		t.Errorf("%d values were tried, want at least 6", n)
	}
}

// picturesHaveSizeAsked makes a picture for each chosen value of a size or a shape, and returns how many.
func picturesHaveSizeAsked(t *testing.T, chosen func(asked) bool) int {
	t.Helper()
	longSides := map[string]int{"1K": 1024, "2K": 2048, "3K": 3072, "4K": 4096}
	n := 0
	for _, c := range everyAsked("imageSize", "aspectRatio") {
		if c.agent.Makes != catalog.MakesImage || !chosen(c) {
			continue
		}
		n++
		t.Run(c.agent.Name+"/"+c.value, func(t *testing.T) {
			t.Parallel()
			req := example(t, c.agent.Name)
			req.Values["generateVersion"], req.Values["modelName"] = "partnerPro", "nano"
			req.Values["textDescription"] = "a calm beach"
			ratio := c.value
			if c.param == "imageSize" {
				ratio = "21:9" // the fewest pixels
			}
			req.Values["aspectRatio"], req.Values[c.param] = ratio, c.value
			f, _ := c.agent.File("images")
			req.Files["images"] = req.Files["images"][:min(f.Max, len(req.Files["images"]))]
			out := drawIt(t, req).Rect.Size()
			if long := longSides[c.value]; long > 0 && max(out.X, out.Y) != long {
				t.Errorf("it is %v, want %d on the long side", out, long)
			}
			// What the agent chooses by itself is the shape of a picture that was given, or square.
			fits := []image.Point{{1, 1}}
			for _, img := range req.Pictures() {
				fits = append(fits, img.Rect.Size())
			}
			if ratio != "auto" {
				fits = make([]image.Point, 1)
				if _, err := fmt.Sscanf(ratio, "%d:%d", &fits[0].X, &fits[0].Y); err != nil {
					t.Fatal(err)
				}
			}
			if !slices.ContainsFunc(fits, func(of image.Point) bool {
				k := float64(max(out.X, out.Y)) / float64(max(of.X, of.Y))
				return math.Abs(k*float64(of.X)-float64(out.X)) <= 1 && math.Abs(k*float64(of.Y)-float64(out.Y)) <= 1
			}) {
				t.Errorf("it is %v, want the shape of %v", out, fits)
			}
		})
	}
	return n
}

func TestSlowVideosHaveSizeAndLengthAsked(t *testing.T) {
	t.Parallel()
	tool := ffmpeg(t)
	photo := plain(180, 240, color.NRGBA{120, 140, 90, 255}) // nothing in it to look for
	short := map[string]float64{"480p": 480, "720p": 720, "1080p": 1080, "4k": 2160}
	n := 0
	for _, c := range everyAsked("aspectRatio", "resolution", "duration") {
		if c.agent.Makes != catalog.MakesVideo {
			continue
		}
		n++
		t.Run(c.agent.Name+"/"+c.value, func(t *testing.T) {
			t.Parallel()
			values := map[string]any{"duration": "2s", "resolution": "480p", "aspectRatio": "1:1", "textDescription": "slowly", c.param: c.value}
			lines := short[values["resolution"].(string)]
			if _, has := c.agent.Param("resolution"); !has && c.param == "aspectRatio" {
				delete(values, "resolution")
				lines = 720
			}
			// One frame a second: the length counts, and what is drawn does not.
			out := filmIt(t, tool, Request{Agent: c.agent.Name, Values: values, Files: map[string][]*image.NRGBA{"images": {photo}}},
				VideoJob{Shape: ShapeOf(c.agent), Sparse: filmRate.Num})
			facts := headerOf(t, out.Path)
			w, h := 16.0, 9.0
			switch ratio := values["aspectRatio"]; ratio {
			case "auto", "adaptive":
				w, h = float64(photo.Rect.Dx()), float64(photo.Rect.Dy())
			default:
				if _, err := fmt.Sscanf(ratio.(string), "%g:%g", &w, &h); err != nil {
					t.Fatal(err)
				}
			}
			// The short side has the lines; what is longer than 16:9 has as many pixels as that.
			k := math.Min(lines/math.Min(w, h), lines*math.Sqrt(16.0/9/(w*h)))
			if math.Abs(float64(facts.Width)-k*w) > 1 || math.Abs(float64(facts.Height)-k*h) > 1 {
				t.Errorf("%v gives %d × %d, want %.0f × %.0f", values, facts.Width, facts.Height, k*w, k*h)
			}
			want := 5.0 // left to the agent
			if values["duration"] != "-1" {
				if _, err := fmt.Sscanf(values["duration"].(string), "%gs", &want); err != nil {
					t.Fatal(err)
				}
			}
			info, err := tool.Probe(t.Context(), out.Path)
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(info.Seconds-want) > 0.05 || math.Abs(out.Seconds-want) > 0.05 {
				t.Errorf("a duration of %v gives %.2f s, said to be %.2f", values["duration"], info.Seconds, out.Seconds)
			}
		})
	}
	if n < 75 {
		t.Errorf("%d values were tried, want at least 75", n)
	}
}

func TestSlowEnlargedVideosHaveSizeAsked(t *testing.T) {
	t.Parallel()
	tool := ffmpeg(t)
	films := map[string]string{
		"2K": shotFilm(t, tool, 1, 640, 360, false, func(n int) *image.NRGBA { return pattern(640, 360, float64(n), 0) }),
		"4K": shotFilm(t, tool, 1, 540, 960, false, func(n int) *image.NRGBA { return pattern(540, 960, float64(n), 0) }),
	}
	want := map[string]image.Point{"2K": image.Pt(2560, 1440), "4K": image.Pt(2160, 3840)}
	for _, c := range everyAsked("videoSize") {
		out := filmIt(t, tool, Request{Agent: c.agent.Name, Values: map[string]any{"videoSize": c.value}},
			VideoJob{Shape: ShapeOf(c.agent), Videos: map[string][]string{"videos": {films[c.value]}}})
		if facts := headerOf(t, out.Path); image.Pt(facts.Width, facts.Height) != want[c.value] {
			t.Errorf("%s: %s gives %d × %d, want %v", c.agent.Name, c.value, facts.Width, facts.Height, want[c.value])
		}
	}
}
