package render

import (
	"math"
	"strings"
)

// direction is what a description asks of the camera, how fast, and what is in the air.
type direction struct {
	zoom   float64 // how much nearer the end is than the beginning: 1.2 in, 1/1.2 out, 1 neither
	pan    float64 // where the view goes, in shares of its width: to the right above 0
	tilt   float64 // in shares of its height: down above 0
	turn   float64 // radians over the video
	aside  float64 // step around the subject, in shares of the view's width
	shake  float64 // of a camera held by hand
	lively float64 // how much the subject itself moves a little
	speed  float64
	moved  bool // the description names a move, or none on purpose
	first  bool // the video begins with the picture as it is
	air    []weather
	title  string // words in quotation marks: they are shown
}

// weather is something that moves in the air of a video.
type weather int

// The kinds of weather.
const (
	rain weather = iota
	snow
	petals
	confetti
	sparkles
	mist
	sweep // a band of light
	sunrays
)

// airWords lead from words to what is in the air.
var airWords = map[string]weather{
	"rain": rain, "raining": rain, "rainy": rain, "drizzle": rain, "storm": rain,
	"snow": snow, "snowing": snow, "snowflakes": snow, "snowfall": snow, "snowy": snow, "blizzard": snow,
	"petals": petals, "leaves": petals, "blossom": petals, "blossoms": petals, "autumn": petals,
	"confetti": confetti, "celebration": confetti, "party": confetti,
	"sparkle": sparkles, "sparkles": sparkles, "sparkling": sparkles, "glitter": sparkles, "magic": sparkles, "magical": sparkles,
	"dust": sparkles, "fireflies": sparkles, "particles": sparkles, "bokeh": sparkles, "stars": sparkles,
	"mist": mist, "misty": mist, "fog": mist, "foggy": mist, "smoke": mist, "steam": mist, "haze": mist, "cloudy": mist,
	"shine": sweep, "shines": sweep, "shimmer": sweep, "gleam": sweep, "glint": sweep, "sweep": sweep, "sweeps": sweep, "spotlight": sweep, "reflection": sweep,
	"sunbeam": sunrays, "sunbeams": sunrays, "rays": sunrays, "sunlight": sunrays, "flare": sunrays, "sunshine": sunrays,
}

// usual amounts of the moves over five seconds.
const (
	usualZoom  = 1.22
	usualPan   = 0.16
	usualTurn  = 0.05
	usualAside = 0.045
)

// readDirection reads a description. What the negative description names is left out.
func readDirection(text, negative string) direction {
	d := direction{zoom: 1, speed: 1, lively: 1, title: quoted(text)}
	unwanted := map[string]bool{}
	for _, w := range words(negative) {
		unwanted[w] = true
	}
	list := words(text)
	after := func(i, n int) string {
		if i+n < len(list) {
			return list[i+n]
		}
		return ""
	}
	for i, w := range list {
		if unwanted[w] {
			continue
		}
		if a, ok := airWords[w]; ok && !d.has(a) && len(d.air) < 3 {
			d.air = append(d.air, a)
		}
		next := after(i, 1)
		switch w {
		case "zoom", "zooms", "zooming", "dolly", "push", "pushes", "pushing", "pull", "pulls", "pulling", "move", "moves", "moving", "track", "tracks", "tracking":
			d.nearer(w, next, after(i, 2), after(i, 3))
		case "closeup", "closer", "approach", "approaches", "approaching":
			d.zoom, d.moved = d.zoom*usualZoom, true
		case "pan", "pans", "panning", "slide", "slides", "sliding", "truck", "swipe":
			d.side(next, after(i, 2), after(i, 3))
		case "tilt", "tilts", "tilting", "crane", "pedestal", "boom", "rise", "rises", "rising", "ascend", "descend":
			d.height(w, next, after(i, 2))
		case "orbit", "orbits", "orbiting", "arc", "arcs", "circle", "circles", "circling", "revolve", "around", "360", "parallax":
			if w == "around" && !d.moved {
				continue
			}
			sign := 1.0
			if next == "left" || after(i, 2) == "left" || strings.HasPrefix(next, "counter") || strings.HasPrefix(next, "anti") {
				sign = -1
			}
			if d.aside == 0 {
				d.aside = sign * 2.2 * usualAside
			}
			d.moved = true
		case "roll", "rolls", "spin", "spins", "spinning", "rotate", "rotates", "rotating", "twist":
			sign := 1.0
			if next == "left" || strings.HasPrefix(next, "counter") {
				sign = -1
			}
			d.turn, d.moved = sign*usualTurn, true
		case "handheld", "shaky", "shake", "shaking", "documentary", "vlog":
			d.shake, d.moved = 1, true
		case "still", "static", "fixed", "locked", "motionless", "stationary", "tripod":
			d.moved = true
			d.lively = 0.5
		case "slow", "slowly", "gentle", "gently", "calm", "calmly", "subtle", "subtly", "smooth", "smoothly", "soft", "softly":
			d.speed *= 0.6
		case "fast", "quick", "quickly", "rapid", "rapidly", "dynamic", "energetic", "whip", "sudden", "suddenly", "crash":
			d.speed *= 1.7
		case "dance", "dances", "dancing", "sway", "sways", "swaying", "wind", "windy", "breeze", "waving", "walk", "walks", "walking":
			d.lively = 3
		}
	}
	d.speed = math.Max(0.4, math.Min(2.6, d.speed))
	return d
}

func (d *direction) has(a weather) bool {
	for _, b := range d.air {
		if a == b {
			return true
		}
	}
	return false
}

// nearer reads zooms, and moves whose direction follows: "zoom in", "pull back", "camera moves left".
func (d *direction) nearer(w string, next ...string) {
	in := strings.HasPrefix(w, "push") || strings.HasPrefix(w, "zoom") || strings.HasPrefix(w, "dolly")
	out := strings.HasPrefix(w, "pull")
	named := in || out
	for _, n := range next {
		switch n {
		case "out", "back", "backward", "backwards", "away", "wide":
			in, out, named = false, true, true
		case "in", "closer", "forward", "forwards", "towards", "toward", "near", "into":
			in, out, named = true, false, true
		case "left", "right":
			d.side(n)
			if !strings.HasPrefix(w, "zoom") {
				return
			}
		case "up", "down", "upward", "upwards", "downward", "downwards":
			d.height("tilt", n)
			if !strings.HasPrefix(w, "zoom") {
				return
			}
		case "the", "slowly", "slightly", "gently", "quickly", "camera", "slow", "fast", "and", "straight", "smoothly", "steadily":
			continue
		}
		break
	}
	if !named {
		return
	}
	d.moved = true
	switch {
	case out:
		d.zoom /= usualZoom
	case in:
		d.zoom *= usualZoom
	}
}

func (d *direction) side(next ...string) {
	for _, n := range next {
		switch n {
		case "left":
			d.pan, d.moved = -usualPan, true
			return
		case "right":
			d.pan, d.moved = usualPan, true
			return
		case "up", "down":
			d.height("pan", n)
			return
		}
	}
	d.pan, d.moved = usualPan, true
}

func (d *direction) height(w string, next ...string) {
	sign := -1.0
	if strings.HasPrefix(w, "descend") {
		sign = 1
	}
	for _, n := range next {
		if strings.HasPrefix(n, "down") {
			sign = 1
			break
		}
		if strings.HasPrefix(n, "up") {
			sign = -1
			break
		}
	}
	d.tilt, d.moved = sign*usualPan, true
}

// quoted is the first text in quotation marks.
func quoted(text string) string {
	for _, q := range [][2]string{{"“", "”"}, {"\"", "\""}, {"«", "»"}, {"„", "“"}} {
		if _, rest, ok := strings.Cut(text, q[0]); ok {
			if inside, _, ok := strings.Cut(rest, q[1]); ok && strings.TrimSpace(inside) != "" {
				return strings.TrimSpace(inside)
			}
		}
	}
	return ""
}

// direct is the direction of a shot of the item: what the description asks for, or, where it leaves the camera to us,
// another move for each item and shot. Items of the same description differ in how far and from where they go.
func (s *studio) direct(shot int) direction {
	d := readDirection(s.req.text("textDescription"), s.req.text("negTextDescription"))
	if !d.moved {
		d.choose(s.req.Item + shot)
	} else if s.req.Item > 0 {
		k := 0.7 + 0.7*math.Mod(float64(s.req.Item)*0.381966, 1)
		d.zoom = math.Pow(d.zoom, k)
		d.pan, d.tilt, d.turn, d.aside = d.pan*k, d.tilt*k, d.turn*k, d.aside*k
		if d.aside == 0 {
			d.aside = usualAside * []float64{0.8, -0.8, 0.5, -0.5}[s.req.Item%4]
		}
		if d.zoom == 1 && d.pan == 0 && d.tilt == 0 {
			// A camera that stands still stands somewhere else.
			d.shake += 0.08 * float64(s.req.Item%4)
			d.aside *= 0.15
		}
	}
	return d
}

// choose takes a move for the nth item.
func (d *direction) choose(n int) {
	switch n % 6 {
	case 0:
		d.zoom, d.aside = 1.16, 0.6*usualAside
	case 1:
		d.aside, d.zoom = -1.6*usualAside, 1.05
	case 2:
		d.zoom, d.aside = 1/1.18, 0.5*usualAside
	case 3:
		d.pan, d.zoom, d.aside = usualPan*0.7, 1.04, -0.5*usualAside
	case 4:
		d.tilt, d.zoom, d.aside = -usualPan*0.7, 1.06, 0.4*usualAside
	case 5:
		d.aside, d.turn, d.zoom = 1.7*usualAside, 0.012, 1.1
	}
}

// at is the view at share t of the way, t seconds being at of all. From 0 to 1 the move begins and ends softly.
func (d direction) at(t, second, length float64, fx, fy float64, s *set) view {
	// Longer videos go farther, but not as much farther as they are longer.
	k := d.speed * math.Sqrt(math.Max(0.5, length)/5)
	e := 0.35*t + 0.65*smooth(t)
	zoom := math.Pow(d.zoom, k)
	start, end := 1.05, 1.05
	if zoom > 1 {
		end = start * math.Min(zoom, 1.9)
	} else {
		start = end * math.Min(1/zoom, 1.9)
	}
	if d.pan != 0 || d.tilt != 0 || d.shake != 0 || d.turn != 0 {
		room := 1 + 0.55*math.Min(0.5, k*math.Max(math.Abs(d.pan), math.Abs(d.tilt))) + 0.02*d.shake + 1.4*math.Abs(d.turn)
		start, end = start*room, end*room
	}
	anchored := d.first && d.zoom >= 1 && d.pan == 0 && d.tilt == 0
	if anchored {
		start, end = 1, end/start
	}
	v := view{zoom: start * math.Pow(end/start, e), near: 0.3}
	vw := s.base * float64(s.frame.X) / v.zoom / float64(s.w)
	vh := s.base * float64(s.frame.Y) / v.zoom / float64(s.h)
	v.x = fx + d.pan*k*vw*(e-0.5)*1.4
	v.y = fy + d.tilt*k*vh*(e-0.5)*1.4
	if d.pan != 0 {
		v.x = inside(v.x, fx, d.pan*k*vw*0.7, vw/2, 1-vw/2)
	}
	if d.tilt != 0 {
		v.y = inside(v.y, fy, d.tilt*k*vh*0.7, vh/2, math.Min(1-vh/2, s.headroom()+vh/2))
	}
	turned := (e - 0.5) * 2
	if anchored {
		turned = e
	}
	v.turn = d.turn * k * turned
	v.aside = d.aside * math.Min(1.6, k) * turned
	if d.lively > 0 {
		v.sway = 0.0035 * d.lively * math.Sin(2*math.Pi*second/3.4)
		v.zoom *= 1 + 0.0012*d.lively*math.Sin(2*math.Pi*second/4.2)
	}
	if d.shake > 0 {
		f := field{seed: 77}
		v.x += 0.008 * d.shake * f.sum(second*1.3, 0.5, 3)
		v.y += 0.008 * d.shake * f.sum(second*1.3, 9.5, 3)
		v.turn += 0.008 * d.shake * f.sum(second*1.1, 21.5, 2)
	}
	return v
}

// inside moves the whole way of a pan, which reaches as far as half to both sides of the focus, between low and high, the
// places where the view would leave the picture or lose the head: it must not stop there halfway.
func inside(v, focus, half, low, high float64) float64 {
	reach := math.Abs(half)
	if high-low >= 2*reach {
		return v + math.Max(low+reach, math.Min(high-reach, focus)) - focus
	}
	// Not enough room: as far as there is.
	if reach == 0 || high <= low {
		return low
	}
	return (low+high)/2 + (v-focus)*(high-low)/(2*reach)
}
