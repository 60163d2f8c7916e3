package render

import (
	"context"
	"image"
	"math"
	"slices"
	"strings"

	"atelier/imaging"
	"atelier/imaging/compose"
)

// things are what descriptions may name beside animals and furniture; several words lead to one.
var things = func() map[string]thing {
	out := map[string]thing{}
	add := func(t thing, names ...string) {
		t.kind = names[0]
		for _, n := range names {
			out[n] = t
		}
	}
	add(thing{draw: houseThing, colour: [3]float64{226, 208, 176}, tall: 0.34, where: onGround, place: "meadow"}, "house", "cottage", "cabin", "home", "barn", "hut", "villa", "farm", "farmhouse", "village")
	add(thing{draw: castleThing, colour: [3]float64{176, 168, 158}, tall: 0.42, where: farOff, place: "meadow"}, "castle", "fortress", "palace", "tower")
	add(thing{draw: lighthouseThing, colour: [3]float64{200, 54, 48}, tall: 0.56, where: onGround, place: "beach"}, "lighthouse", "beacon")
	add(thing{draw: treeThing, colour: [3]float64{92, 134, 70}, tall: 0.46, where: onGround, place: "meadow"}, "tree", "oak", "maple", "willow", "cherry")
	add(thing{draw: firThing, colour: [3]float64{60, 106, 72}, tall: 0.44, where: onGround, place: "snow"}, "fir", "pine", "spruce", "conifer")
	add(thing{draw: palmThing, colour: [3]float64{76, 140, 78}, tall: 0.5, where: onGround, place: "beach"}, "palm")
	add(thing{draw: mountainThing, colour: [3]float64{116, 122, 138}, tall: 0.36, where: farOff, place: "meadow"}, "mountain", "peak", "alp", "volcano", "summit")
	add(thing{draw: hillThing, colour: [3]float64{112, 150, 86}, tall: 0.14, where: farOff, place: "meadow"}, "hill")
	add(thing{draw: boatThing, colour: [3]float64{244, 240, 230}, tall: 0.3, where: onWater, place: "beach"}, "boat", "ship", "sailboat", "yacht", "sail", "sailing")
	add(thing{draw: carThing, colour: [3]float64{190, 50, 46}, tall: 0.17, where: onGround, place: "street"}, "car", "taxi", "automobile", "vehicle", "van", "truck")
	add(thing{draw: bicycleThing, colour: [3]float64{52, 110, 140}, tall: 0.26, where: onGround, place: "street"}, "bicycle", "bike")
	add(thing{draw: personThing, colour: [3]float64{70, 110, 160}, tall: 0.6, where: onGround, place: "meadow"}, "person", "woman", "man", "girl", "boy", "child", "children", "people", "model", "traveller", "hiker", "dancer", "couple")
	add(thing{draw: birdThing, colour: [3]float64{58, 60, 70}, tall: 0.06, where: inSky, place: "sky"}, "bird", "seagull", "gull", "swallow", "eagle", "crow")
	add(thing{draw: balloonThing, colour: [3]float64{222, 92, 70}, tall: 0.3, where: inSky, place: "meadow"}, "balloon")
	add(thing{draw: rocketThing, colour: [3]float64{214, 62, 56}, tall: 0.42, where: inSky, place: "desert"}, "rocket", "spaceship", "spacecraft")
	add(thing{draw: planeThing, colour: [3]float64{46, 98, 164}, tall: 0.13, where: inSky, place: "sky"}, "plane", "airplane", "aeroplane", "aircraft", "jet")
	add(thing{draw: sunThing, colour: [3]float64{255, 214, 130}, tall: 0.12, where: inSky, place: ""}, "sun")
	add(thing{draw: moonThing, colour: [3]float64{240, 236, 220}, tall: 0.12, where: inSky, place: ""}, "moon")
	add(thing{draw: rainbowThing, colour: [3]float64{}, tall: 0.36, where: inSky, place: "meadow"}, "rainbow")
	add(thing{draw: flowerThing, colour: [3]float64{232, 120, 130}, tall: 0.34, where: onGround, place: "meadow"}, "flower", "rose", "tulip", "daisy", "sunflower", "poppy", "blossom")
	add(thing{draw: cupThing, colour: [3]float64{240, 236, 228}, tall: 0.28, where: onTable, place: "table"}, "cup", "coffee", "mug", "tea", "cappuccino")
	add(thing{draw: bowlThing, colour: [3]float64{120, 156, 176}, tall: 0.3, where: onTable, place: "table"}, "bowl", "fruit", "apple", "orange", "lemon", "peach")
	add(thing{draw: bookThing, colour: [3]float64{150, 62, 56}, tall: 0.2, where: onTable, place: "table"}, "book")
	add(thing{draw: skylineThing, colour: [3]float64{128, 136, 152}, tall: 0.34, where: farOff, place: "concrete"}, "skyline", "skyscraper", "building", "town")
	add(thing{draw: bridgeThing, colour: [3]float64{178, 72, 58}, tall: 0.32, where: farOff, place: "beach"}, "bridge")
	add(thing{draw: tentThing, colour: [3]float64{216, 122, 58}, tall: 0.26, where: onGround, place: "meadow"}, "tent", "camp")
	add(thing{draw: fireThing, colour: [3]float64{}, tall: 0.2, where: onGround, place: "meadow"}, "campfire", "fire", "bonfire")
	add(thing{draw: robotThing, colour: [3]float64{186, 194, 202}, tall: 0.5, where: onGround, place: "studio"}, "robot", "android")
	add(thing{where: lying, place: "meadow"}, "lake", "pond", "lagoon", "loch", "fjord", "river")
	add(thing{draw: millThing, colour: [3]float64{232, 222, 202}, tall: 0.5, where: onGround, place: "meadow"}, "windmill", "mill")
	return out
}()

// named is a thing a description names, in its colour and number.
type named struct {
	word   string
	thing  thing
	animal creature
	piece  furnishing
	colour [3]float64
	count  int
}

// counts are the numbers that are read.
var counts = map[string]int{"two": 2, "2": 2, "couple": 2, "pair": 2, "three": 3, "3": 3, "four": 4, "4": 4, "five": 5, "5": 5, "several": 4, "many": 6, "some": 3}

// subjectsOf are the things, animals and pieces of furniture a description names, each once, at most five, in its order; and
// the description without the colours that were theirs.
func subjectsOf(text, negative string) (out []named, rest string) {
	list := words(text)
	unwanted := words(negative)
	taken := map[int]bool{}
	seen := map[string]bool{}
	for i, w := range list {
		one := singular(w)
		if seen[one] || slices.Contains(unwanted, w) || slices.Contains(unwanted, one) || len(out) == 5 {
			continue
		}
		n := named{word: one, count: 1}
		t, is := things[one]
		if !is {
			t, is = things[w]
		}
		if !is && (isTrade(one, "man") || isTrade(one, "woman")) {
			t, is = things["person"]
		}
		c, beast := creatures[one]
		p, made := furniture[one]
		switch {
		case beast:
			n.animal, n.thing.tall, n.thing.place = c, 0.5, "meadow"
		case is:
			n.thing, n.colour = t, t.colour
			if seen["a "+t.kind] {
				continue // a cup of coffee is one thing
			}
			seen["a "+t.kind] = true
		case made && one != "table" && one != "desk":
			n.piece, n.colour, n.thing.tall, n.thing.place = p, [3]float64{112, 136, 128}, 0.4, "loft"
		default:
			continue
		}
		if is && t.where == onGround && i > 0 && list[i-1] == "cherry" {
			n.colour = [3]float64{240, 180, 196}
		}
		if one != w && !slices.Contains([]string{"children", "people"}, w) && strings.HasSuffix(w, "s") {
			n.count = 3
		}
		if one == "village" {
			n.count = 4
		}
		for back := 1; back <= 3 && i-back >= 0; back++ {
			before := list[i-back]
			if col, ok := colourNames[before]; ok && !taken[i-back] {
				n.colour = channels(col)
				taken[i-back] = true
			}
			if k, ok := counts[before]; ok {
				n.count = k
			}
			if _, other := things[singular(before)]; other {
				break
			}
		}
		seen[one] = true
		out = append(out, n)
	}
	kept := make([]string, 0, len(list))
	for i, w := range list {
		if !taken[i] {
			kept = append(kept, w)
		}
	}
	return out, strings.Join(kept, " ")
}

// drawnScene is what a description shows: its place at its time of day, and in it what it names, each where it belongs: on the
// ground, on the horizon, in the sky, on a table.
func (r Request) drawnScene(ctx context.Context, w, h int, v variation) (*image.NRGBA, error) {
	subjects, rest := subjectsOf(r.text("textDescription"), r.text("negTextDescription"))
	at := r
	at.Values = map[string]any{}
	for k, x := range r.Values {
		at.Values[k] = x
	}
	// Mountains and lakes are drawn here, as things among others.
	rest = strings.Join(slices.DeleteFunc(strings.Fields(rest), func(w string) bool {
		_, drawn := things[singular(w)]
		return drawn && presetWords[w] == mountainLake
	}), " ")
	lake := slices.ContainsFunc(subjects, func(n named) bool { return n.thing.where == lying })
	if wanted := readWish(rest, ""); len(subjects) > 0 && wanted.preset == nil && (wanted.place == studioPlace && !wanted.named || wanted.place == nightPlace) {
		home := subjects[0].thing.place
		if lake && home == "beach" {
			home = "meadow" // a boat on a lake is not at sea
		}
		rest += " " + home
	}
	at.Values["textDescription"] = rest
	back, err := at.behind(ctx, Segmentation{}, image.Pt(w, h), bearing{top: 0.3, feet: 0.92, across: 0.5}, v)
	if err != nil {
		return nil, err
	}
	scene := imaging.Clone(back.img)
	list := words(rest)
	has := func(some ...string) bool {
		return slices.ContainsFunc(some, func(s string) bool { return slices.Contains(list, s) })
	}
	f := field{seed: v.random.Uint32()}
	fw, fh := float64(w), float64(h)
	outdoors := !back.wall || has("street", "city", "road")
	horizon := math.Min(0.8, math.Max(0.3, float64(back.floor)/fh))
	night := has("night", "midnight", "moonlight", "moonlit", "starry", "stars")
	if outdoors && back.tone.dark < 0.5 {
		// Among houses the sky is not where a low sun would be painted: it is in their light already.
		low := has("sunset", "sunrise", "dusk", "dawn", "evening") && !streetByDay(readWish(rest, "").preset)
		daytime(scene, f, horizon, night, low, has("morning"), has("fog", "foggy", "mist", "misty"))
	}
	if outdoors && night && back.tone.dark < 0.5 && !slices.ContainsFunc(subjects, func(n named) bool { return n.word == "moon" }) {
		moonThing(scene, fw*(0.2+0.6*v.framing.X), 0.16*fh, 0.1*fh, [3]float64{240, 236, 220}, f)
	}
	tone := compose.Measure(scene, nil)
	rank := map[realm]int{inSky: 0, farOff: 1, lying: 2, onWater: 3, onGround: 4, onTable: 4}
	order := func(n named) int {
		if n.thing.kind == "hill" || n.thing.kind == "mountain" {
			return 2*rank[n.thing.where] - 1 // what else lies far off stands before them
		}
		return 2 * rank[n.thing.where]
	}
	slices.SortStableFunc(subjects, func(a, b named) int { return order(a) - order(b) })
	hill := slices.ContainsFunc(subjects, func(n named) bool { return n.thing.kind == "hill" })
	standing := 0
	for _, n := range subjects {
		if n.thing.where == onGround || n.thing.where == onTable {
			standing++
		}
	}
	placed := 0
	for _, n := range subjects {
		if n.thing.where == lying {
			waterIn(scene, horizon, n.word == "river", f)
			tone = compose.Measure(scene, nil)
			continue
		}
		layer := image.NewNRGBA(scene.Rect)
		grounded := n.thing.where == onGround || n.thing.where == onTable
		for i := range n.count {
			k := 1 / math.Sqrt(float64(n.count))
			if n.count > 1 {
				k *= 1 + 0.25*(v.random.Float64()-0.5)
			}
			u := n.thing.tall * fh * k
			x, y := fw/2, fh*math.Min(0.93, math.Max(horizon+0.2, 0.86))
			spread := (float64(i) + 0.5) / float64(n.count)
			switch n.thing.where {
			case inSky:
				x, y = fw*(0.16+0.68*math.Mod(spread+0.3*v.framing.X, 1)), fh*(0.12+math.Max(0.06, 0.5*horizon)*v.random.Float64())
				if n.thing.tall > 0.2 {
					x, y = fw*(0.3+0.4*v.framing.X), math.Max(0.62*u, 0.3*fh)
				}
			case farOff:
				x, y = fw*(0.3+0.4*math.Mod(spread+0.5*v.framing.X, 1)), fh*(horizon+0.012)
				if hill && n.thing.kind != "hill" && n.thing.kind != "mountain" {
					y -= 0.11 * fh
				}
				u = math.Min(u, 0.74*y)
			case onWater:
				x, y = fw*(0.24+0.52*math.Mod(spread+0.4*v.framing.X, 1)), fh*(horizon-0.02)
				if lake {
					x, y = fw*(0.34+0.32*math.Mod(spread+0.4*v.framing.X, 1)), fh*(horizon+0.35*shoreDepth(horizon))
				}
				u = math.Min(u, 0.8*y)
			default:
				// The first stands in the middle or a little aside, the others to its sides, a little farther back.
				side := [5]float64{0, -0.27, 0.27, -0.4, 0.4}[min(4, placed)]
				x += fw * (side + 0.12*(v.framing.X-0.5))
				if standing > 1 && placed == 0 {
					x += 0.06 * fw
				}
				if n.count > 1 {
					x = fw * (0.16 + 0.68*spread)
				}
				y -= fh * (0.035*float64(placed) + 0.05*v.random.Float64()*math.Min(1, float64(n.count-1)))
			}
			n.paint(layer, x, y, u, f, v)
		}
		if grounded {
			placed++
		}
		amount := 0.16
		if night && outdoors {
			amount = 0.42
		}
		if n.thing.draw == nil || n.thing.where != inSky || n.thing.tall > 0.1 {
			compose.Harmonise(layer, compose.Measure(layer, nil), tone, amount, nil)
		}
		if grounded {
			compose.ContactShadow(scene, compose.Matte(layer), back.shadow(v))
			compose.Settle(scene, layer, unit(scene, 4), 0.3)
		} else {
			if n.thing.where == farOff {
				haze(layer, scene, int(fh*horizon))
			}
			compose.Over(scene, layer, image.Point{})
		}
	}
	return scene, ctx.Err()
}

// paint draws one of what was named about its place.
func (n named) paint(layer *image.NRGBA, x, y, u float64, f field, v variation) {
	switch {
	case n.thing.draw != nil:
		n.thing.draw(layer, x, y, u, n.colour, f)
	case n.piece.view != nil:
		n.piece.view(layer, x, y, 0.5*u, dot(n.colour, 255))
	default:
		c := n.animal
		if n.colour != ([3]float64{}) {
			c.coat, c.dark = n.colour, color3(n.colour, 0.55)
		}
		cut := c.draw(max(30, int(0.8*u)), max(40, int(u)), f, 2*v.random.Float64()-1)
		compose.Over(layer, cut, image.Pt(int(x)-cut.Rect.Dx()/2, int(y)-cut.Rect.Dy()))
	}
}

// daytime gives the sky of a scene and its light the hour: night with stars, a low sun, a cool morning, fog.
func daytime(scene *image.NRGBA, f field, horizon float64, night, low, morning, fog bool) {
	h := float64(scene.Rect.Dy())
	w := float64(scene.Rect.Dx())
	eachPixel(scene, func(x, y int, p []uint8) {
		fy := float64(y) / h
		up := smooth((horizon-fy)/0.06 + 0.5)
		switch {
		case night:
			t := math.Min(1, fy/math.Max(0.1, horizon))
			for k, c := range [3]float64{0.3, 0.36, 0.56} {
				p[k] = byte255(float64(p[k]) * c)
			}
			blend(p, [3]float64{14 + 30*t, 20 + 40*t, 52 + 56*t}, 0.86*up)
		case low:
			t := math.Min(1, fy/math.Max(0.1, horizon))
			blend(p, [3]float64{92 + 160*t, 74 + 92*t, 128 - 36*t}, 0.62*up)
			for k, c := range [3]float64{1.06, 0.88, 0.76} {
				p[k] = byte255(float64(p[k]) * (1 + (1-up)*(c-1)))
			}
		case morning:
			blend(p, [3]float64{250, 226, 206}, 0.24*up*smooth(fy/horizon))
			for k, c := range [3]float64{0.98, 1, 1.05} {
				p[k] = byte255(float64(p[k]) * c)
			}
		}
		if fog {
			near := smooth(1 - math.Abs(fy-horizon)/0.4)
			blend(p, [3]float64{216, 220, 224}, 0.3+0.45*near*(0.8+0.4*f.sum(float64(x)/w*3, fy*6, 3)))
		}
	})
	switch {
	case night:
		for i := range 150 {
			px, py := w*float64(f.hash(i, 1)%1000)/1000, h*horizon*0.94*float64(f.hash(i, 2)%1000)/1000
			r := w / 1000 * (0.7 + float64(f.hash(i, 4)%100)/70)
			oval(px, py, r, r, 0).fill(scene, rgba(250, 246, 230, 210))
		}
	case low:
		// Things stand at horizon; where that is far down, water lies between it and the sky.
		sunThing(scene, w*(0.3+0.4*float64(f.hash(1, 1)%100)/100), h*(horizon-0.06-0.6*(horizon-0.3)), 0.13*h, [3]float64{255, 196, 110}, f)
	}
}

// shoreDepth is how far below the horizon the near shore of a lake lies, as a share of the height.
func shoreDepth(horizon float64) float64 { return 0.62 * math.Max(0.16, 0.94-horizon) }

// waterIn lays still water between the horizon of a scene and a near shore: what stands beyond is seen in it again, darker, bluer and
// in ripples that grow towards the eye. A river is narrow far off and winds.
func waterIn(scene *image.NRGBA, horizon float64, river bool, f field) {
	seen := imaging.Clone(scene)
	w, h := float64(scene.Rect.Dx()), float64(scene.Rect.Dy())
	top, deep := horizon*h, shoreDepth(horizon)*h
	if river {
		deep = h - top
	}
	eachPixel(scene, func(x, y int, p []uint8) {
		t := (float64(y) - top) / deep // 0 at the far shore, 1 at the near one
		if t < 0 {
			return
		}
		across := float64(x)/w - 0.5
		// How far within the water, in shares of the width.
		within := 0.0
		if river {
			middle := 0.16 * math.Sin(5.2*math.Sqrt(t)+float64(f.seed%7)) * (1 - 0.6*t)
			within = 0.012 + 0.24*t*t - math.Abs(across-middle) + 0.02*t*f.sum(9*t, float64(x)/w*3, 3)
		} else {
			far := 0.06 + 0.03*f.sum(float64(x)/w*5, 1, 3)
			near := 1 - 0.5*across*across + 0.1*f.sum(float64(x)/w*4, 7, 3)
			within = math.Min((t-far*0.25)*0.4, (near-t)*0.3)
		}
		cover := smooth(within/(0.002+0.006*t) + 0.5)
		if cover <= 0 {
			return
		}
		ripple := f.sum(float64(x)/w*10, 70*math.Pow(math.Max(t, 0.01), 0.6), 3)
		up := math.Max(0, math.Min(top-1, top-(float64(y)-top)*1.1+ripple*h*0.03*(0.2+t)))
		at := max(0, min(scene.Rect.Dx()-1, x+int(ripple*w*0.006*(0.3+t))))
		q := seen.Pix[seen.PixOffset(at, int(up)):]
		var c [3]float64
		for k, deepTone := range [3]float64{44, 84, 104} {
			c[k] = float64(q[k])*(0.86-0.2*t) + (0.08+0.26*t)*deepTone + 9*ripple*(1-t)
		}
		if shore := math.Abs(within); !river && t > 0.5 && shore < 0.006 {
			for k := range c {
				c[k] += 22 * (1 - shore/0.006)
			}
		}
		blend(p, c, cover)
	})
}

// haze lets what lies far off pale into the air above the horizon.
func haze(layer, scene *image.NRGBA, horizon int) {
	y := max(0, min(scene.Rect.Dy()-1, horizon-scene.Rect.Dy()/40))
	p := scene.Pix[scene.PixOffset(scene.Rect.Dx()/2, y):]
	air := [3]float64{float64(p[0]), float64(p[1]), float64(p[2])}
	eachPixel(layer, func(_, _ int, q []uint8) {
		if q[3] > 0 {
			for k := range 3 {
				q[k] = byte255(float64(q[k]) + 0.26*(air[k]-float64(q[k])))
			}
		}
	})
}
