package segment

import (
	"image"
	"image/color"
	"slices"
	"testing"
)

// legs is a scene of somebody whose cut ends above the ankles: two legs, bare ankles, brown shoes, their shadow to the right, and a brown
// stone farther off. It gives the parts of the right shoe's picture in the order gap, shoes, shadow, stone.
func legs() (s *scene, f finding, people []face, gap, shoes, shadow, stone image.Rectangle) {
	const w, h = 220, 250
	img := paper(w, h, color.NRGBA{150, 150, 155, 255}, 3)
	fill := func(r image.Rectangle, c color.NRGBA) {
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				img.SetNRGBA(x, y, c)
			}
		}
	}
	f = finding{labels: make([]uint8, w*h), prior: make([]float32, w*h)}
	for i := range f.prior {
		f.prior[i] = -3
	}
	keep := func(r image.Rectangle) {
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				f.labels[y*w+x], f.prior[y*w+x] = 1, 12
			}
		}
	}
	for _, x := range []int{92, 114} {
		r := image.Rect(x, 60, x+14, 190)
		fill(r, color.NRGBA{40, 50, 90, 255})
		keep(r)
		gap = image.Rect(x+3, 190, x+11, 196)
		fill(gap, color.NRGBA{160, 155, 152, 255}) // hardly told from the ground
		shoes = image.Rect(x-1, 196, x+15, 210)
		fill(shoes, color.NRGBA{120, 60, 20, 255})
	}
	shadow = image.Rect(130, 204, 150, 210)
	fill(shadow, color.NRGBA{88, 88, 92, 255})
	stone = image.Rect(196, 200, 212, 210)
	fill(stone, color.NRGBA{120, 60, 20, 255})
	s = &scene{img: img, opt: Options{}.WithDefaults(), zoom: 1, cut: newCutter(reduce(img, h))}
	return s, f, []face{{x: 110, y: 34, size: 20}}, gap, shoes, shadow, stone
}

// shareOf is how much of a part of a canvas w pixels wide has been found, 0..1.
func shareOf(f finding, w int, r image.Rectangle) float64 {
	n := 0
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			n += int(f.labels[y*w+x])
		}
	}
	return float64(n) / float64(r.Dx()*r.Dy())
}

func TestShoesUnlikeTheGroundBelongToTheLegsAboveThem(t *testing.T) {
	t.Parallel()
	s, f, people, gap, shoes, shadow, stone := legs()
	if err := s.addFeet(t.Context(), &f, people, false); err != nil {
		t.Fatal(err)
	}
	share := func(r image.Rectangle) float64 { return shareOf(f, s.cut.w, r) }
	for _, part := range []struct {
		name        string
		at          image.Rectangle
		least, most float64
	}{{"a shoe", shoes, 0.9, 1}, {"an ankle", gap, 0.9, 1}, {"their shadow", shadow, 0, 0.1}, {"a stone of their colour", stone, 0, 0}} {
		if v := share(part.at); v < part.least || v > part.most {
			t.Errorf("%s is kept by %.2f, want %.1f to %.1f", part.name, v, part.least, part.most)
		}
	}
}

// shodLegs is the same scene with shoes of the ground's colour, a strap across each, and what the forest makes of it.
func shodLegs() (s *scene, f finding, people []face, shoes, straps [2]image.Rectangle) {
	s, f, people, _, _, _, _ = legs()
	w := s.cut.w
	for i, l := range f.labels {
		if l == 0 {
			f.prior[i] = -6 // as much as the forest has against the ground
		}
	}
	for c := range f.opinion {
		f.opinion[c] = make([]float32, len(f.labels))
		for i := range f.labels {
			switch kept := f.labels[i] == 1; {
			case class(c) == background && kept, class(c) != background && !kept, class(c) == feetClass:
				f.opinion[c][i] = -8
			}
		}
	}
	for n, x := range []int{92, 114} {
		shoes[n], straps[n] = image.Rect(x, 190, x+14, 210), image.Rect(x, 195, x+14, 203)
		for y := shoes[n].Min.Y; y < shoes[n].Max.Y; y++ {
			for x := shoes[n].Min.X; x < shoes[n].Max.X; x++ {
				v := float32(126)
				if !image.Pt(x, y).In(straps[n]) {
					f.opinion[feetClass][y*w+x] = 1
				}
				for k := range 3 {
					s.cut.pix[3*(y*w+x)+k] = v
				}
			}
		}
	}
	s.cut = newCutter(s.cut.canvas)
	return s, f, people, shoes, straps
}

func TestShoesLikeTheGroundAreFoundByWhatTheForestSees(t *testing.T) {
	t.Parallel()
	s, f, people, shoes, straps := shodLegs()
	if err := s.addFeet(t.Context(), &f, people, false); err != nil {
		t.Fatal(err)
	}
	share := func(r image.Rectangle) float64 { return shareOf(f, s.cut.w, r) }
	for n := range shoes {
		if got := share(shoes[n]); got < 0.9 {
			t.Errorf("shoe %d is kept by %.2f, want at least 0.9", n, got)
		}
		if got := share(straps[n]); got < 0.9 {
			t.Errorf("the strap across shoe %d is kept by %.2f, want at least 0.9", n, got)
		}
	}
	if got := share(image.Rect(108, 150, 112, 208)); got > 0.1 {
		t.Errorf("the ground between the legs is kept by %.2f", got)
	}
	if got := share(image.Rect(70, 212, 150, 250)) + share(image.Rect(132, 190, 160, 212)); got > 0.05 {
		t.Errorf("the ground beside the shoes is kept by %.2f", got)
	}
}

func TestAGapThatShoesCloseBelowIsNoHole(t *testing.T) {
	t.Parallel()
	s, f, _, _, _ := shodLegs()
	w := s.cut.w
	set := func(r image.Rectangle, v uint8) {
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				f.labels[y*w+x] = v
			}
		}
	}
	set(image.Rect(92, 50, 128, 60), 1) // the hips
	was := slices.Clone(f.labels)
	set(image.Rect(92, 190, 128, 200), 1) // shoes that touch
	for i := range f.prior {
		f.prior[i] = -1 // little speaks against any pixel
	}
	f.keepOpen(was, s.cut)
	score := s.cut.score(f.models, f.prior)
	for _, p := range pieces(f.labels, w, s.cut.h) {
		if p.label == 0 && !p.edge && mended(p, score, make([]float32, len(score))) {
			t.Errorf("a gap of %d pixels between two legs is taken for a hole", len(p.pixels))
		}
	}
	set(image.Rect(92, 60, 128, 200), 1)
	hole := image.Rect(100, 80, 108, 90)
	set(hole, 0)
	f.keepOpen(f.labels, s.cut)
	if i := 85*w + 104; f.prior[i] != -1 {
		t.Errorf("a hole that was one before is held open by %.1f", f.prior[i])
	}
}

func TestLegsCutByTheFrameGetNoFeet(t *testing.T) {
	t.Parallel()
	s, f, people, _, _, _, _ := legs()
	for x := 92; x < 106; x++ {
		for y := 190; y < s.cut.h; y++ {
			f.labels[y*s.cut.w+x] = 1
		}
	}
	was := string(f.labels)
	if err := s.addFeet(t.Context(), &f, people, false); err != nil {
		t.Fatal(err)
	}
	if string(f.labels) != was {
		t.Error("the cut changed")
	}
}

func TestHairLikeWhatLiesBehindIsFoundByWhatTheForestSees(t *testing.T) {
	t.Parallel()
	const w, h = 200, 300
	img := paper(w, h, color.NRGBA{60, 42, 30, 255}, 5)
	crown, skin := image.Rect(84, 56, 116, 70), image.Rect(84, 70, 116, 120)
	branch := image.Rect(120, 56, 140, 70) // that looks like hair as well
	f := finding{labels: make([]uint8, w*h), prior: make([]float32, w*h)}
	for c := range f.opinion {
		f.opinion[c] = make([]float32, w*h)
	}
	for i := range f.labels {
		p := image.Pt(i%w, i/w)
		f.prior[i] = -3
		for c := range f.opinion {
			if class(c) != background {
				f.opinion[c][i] = -8
			}
		}
		switch {
		case p.In(crown), p.In(branch):
			f.opinion[headClass][i] = 2
			img.SetNRGBA(p.X, p.Y, color.NRGBA{44, 28, 20, 255})
		case p.In(skin):
			f.labels[i], f.prior[i] = 1, 12
			img.SetNRGBA(p.X, p.Y, color.NRGBA{205, 160, 135, 255})
		}
	}
	s := &scene{img: img, opt: Options{}.WithDefaults(), cut: newCutter(reduce(img, h))}
	if err := s.addCrowns(t.Context(), &f, []face{{x: 100, y: 90, size: 40}}); err != nil {
		t.Fatal(err)
	}
	kept, others := 0, 0
	for i, l := range f.labels {
		switch p := image.Pt(i%w, i/w); {
		case p.In(crown):
			kept += int(l)
		case !p.In(skin):
			others += int(l)
		}
	}
	if all := crown.Dx() * crown.Dy(); 10*kept < 8*all {
		t.Errorf("%d of %d pixels of hair are kept", kept, all)
	}
	if others > 150 {
		t.Errorf("%d pixels beside the hair are kept", others)
	}
}

func TestACrownUnlikeWhatLiesBesideItBelongsToTheHead(t *testing.T) {
	t.Parallel()
	const w, h = 200, 300
	hair := color.NRGBA{60, 42, 30, 255}
	for _, tt := range []struct {
		name    string
		crown   color.NRGBA
		guessed bool
		want    bool
	}{
		{"dark hair before a wall", hair, false, true},
		{"a wall above the head", color.NRGBA{150, 150, 155, 255}, false, false},
		{"dark hair of somebody whose face is a guess", hair, true, false},
	} {
		img := paper(w, h, color.NRGBA{150, 150, 155, 255}, 5)
		crown := image.Rect(84, 60, 116, 68)
		f := finding{labels: make([]uint8, w*h), prior: make([]float32, w*h)}
		for i := range f.labels {
			p := image.Pt(i%w, i/w)
			f.prior[i] = -3
			switch {
			case p.In(crown):
				img.SetNRGBA(p.X, p.Y, tt.crown)
			case p.In(image.Rect(84, 68, 116, 120)):
				img.SetNRGBA(p.X, p.Y, color.NRGBA{205, 160, 135, 255})
				f.labels[i], f.prior[i] = 1, 12
			}
		}
		s := &scene{img: img, opt: Options{}.WithDefaults(), cut: newCutter(reduce(img, h))}
		if err := s.addCrowns(t.Context(), &f, []face{{x: 100, y: 90, size: 40, guessed: tt.guessed}}); err != nil {
			t.Fatal(err)
		}
		n, others := 0, 0
		for i, l := range f.labels {
			switch p := image.Pt(i%w, i/w); {
			case p.In(crown):
				n += int(l)
			case !p.In(image.Rect(84, 68, 116, 120)):
				others += int(l)
			}
		}
		if all := crown.Dx() * crown.Dy(); tt.want && 10*n < 7*all || !tt.want && n > 0 {
			t.Errorf("%s: %d of %d pixels of it are kept", tt.name, n, all)
		}
		if others > 60 {
			t.Errorf("%s: %d pixels beside it are kept", tt.name, others)
		}
	}
}
