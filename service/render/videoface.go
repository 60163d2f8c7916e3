package render

import (
	"context"
	"fmt"
	"image"
	"math"

	"atelier/imaging"
	"atelier/imaging/analysis"
	"atelier/imaging/compose"
	"atelier/imaging/mask"
	"atelier/imaging/segment"
	"atelier/imaging/video"
)

// seen is a face in a picture: its middle and the two eyes in pixels, and the side of its square.
type seen struct {
	x, y, size  float64
	left, right [2]float64 // eyes, as the viewer sees them
	turn, apart float64    // of the line between the eyes, radians and pixels
	middle      [2]float64 // between the eyes
	n           float64    // number of the frame
	replaced    float64    // 0 … 1: how much of the new face is shown
}

// eyes of a square a face is found in, where they usually are.
const (
	eyeX = 0.2 // to both sides of the middle
	eyeY = -0.11
)

// lookAt measures a face found in the rectangle r.
func lookAt(img *image.NRGBA, r image.Rectangle) seen {
	f := seen{x: float64(r.Min.X+r.Max.X) / 2, y: float64(r.Min.Y+r.Max.Y) / 2, size: float64(r.Dx()+r.Dy()) / 2, replaced: 1}
	at := featuresOf(img, r)
	f.left, f.right = [2]float64{at.left.x, at.left.y}, [2]float64{at.right.x, at.right.y}
	return f.measured()
}

// measured works out the line of the eyes. One that leans, or is longer or shorter, than eyes can be is not believed.
func (f seen) measured() seen {
	dx, dy := f.right[0]-f.left[0], f.right[1]-f.left[1]
	f.turn, f.apart = math.Atan2(dy, dx), math.Hypot(dx, dy)
	f.middle = [2]float64{(f.left[0] + f.right[0]) / 2, (f.left[1] + f.right[1]) / 2}
	if math.Abs(f.turn) > 0.5 || f.apart < 1.3*eyeX*f.size || f.apart > 2.7*eyeX*f.size {
		f.left, f.right = [2]float64{f.x - eyeX*f.size, f.y + eyeY*f.size}, [2]float64{f.x + eyeX*f.size, f.y + eyeY*f.size}
		f.turn, f.apart = 0, 2*eyeX*f.size
		f.middle = [2]float64{f.x, f.y + eyeY*f.size}
	}
	return f
}

// replaceFace gives the person of a film the face of the photo: laid over the face frame by frame, turned and scaled by
// the line of its eyes, in the skin's tone and light there (Run API, "Family F", face replacement). The face keeps the
// expression of the photo.
func (s *studio) replaceFace(ctx context.Context) (VideoResult, error) {
	c, err := s.source(ctx)
	if err != nil {
		return VideoResult{}, err
	}
	photo := s.req.Source()
	if photo == nil {
		return VideoResult{}, fmt.Errorf("%w: a photo of the face", ErrMissingInput)
	}
	face, err := newMask(photo)
	if err != nil {
		return VideoResult{}, err
	}
	size := image.Pt(video.Even(c.info.Width), video.Even(c.info.Height))
	track, err := s.trackFace(ctx, c, size)
	if err != nil {
		return VideoResult{}, err
	}
	s.req.progress(0.4)
	face.strength = []float64{0.95, 0.75, 1, 0.85}[s.req.Item%4]
	face.wide = 1 + 0.03*float64(s.req.Item%3)
	return s.filtered(ctx, c, size, 0.4, &faceFilter{face: face, track: track})
}

// detectEvery is how many frames lie between two looks for the face; between them its way is even.
const detectEvery = 3

// trackFace follows the largest face of a film. The track has an entry for every frame up to the last look; replaced is 0
// where nobody is seen.
func (s *studio) trackFace(ctx context.Context, c clip, size image.Point) ([]seen, error) {
	w, h := size.X, size.Y
	if max(w, h) > 640 {
		w, h = imaging.FitSize(w, h, 640, 640)
	}
	k := float64(size.X) / float64(w)
	var tracks [][]seen
	look := func(n int, img *image.NRGBA) error {
		faces, err := segment.Faces(img)
		if err != nil {
			return err
		}
		for _, r := range faces {
			one := lookAt(img, r)
			one.n = float64(n)
			tracks = goOn(tracks, one)
		}
		return nil
	}
	frames := 0
	var last *image.NRGBA
	expected := float64(c.info.Frames())
	err := s.job.Tool.EachFrame(ctx, c.path, c.info, video.ReadOptions{Width: w, Height: h}, func(n int, img *image.NRGBA) error {
		frames = n + 1
		if n%detectEvery != 0 {
			last = imaging.Clone(img)
			return ctx.Err()
		}
		last = nil
		s.req.progress(0.4 * math.Min(1, float64(n)/expected))
		if err := look(n, img); err != nil {
			return err
		}
		return ctx.Err()
	})
	if err == nil && last != nil {
		err = look(frames-1, last) // where the way ends is not guessed
	}
	if err != nil {
		return nil, err
	}
	// The face that is seen longest and largest: what is taken for one by mistake is so for a moment, or is small.
	var found []seen
	best := 0.0
	for _, t := range tracks {
		weight := 0.0
		for _, f := range t {
			weight += math.Sqrt(f.size)
		}
		if share := float64(len(t)*detectEvery) / float64(frames); weight*share > best {
			best, found = weight*share, t
		}
	}
	if len(found) == 0 {
		return nil, &video.Error{Message: "videos: no face was found in the video."}
	}
	track := evenTrack(found, frames)
	for i := range track {
		track[i] = track[i].scaled(k)
	}
	return track, nil
}

// goOn adds a face to the track it continues, or begins a new one.
func goOn(tracks [][]seen, f seen) [][]seen {
	best, at := math.Inf(1), -1
	for i, t := range tracks {
		last := t[len(t)-1]
		if last.n == f.n || f.n-last.n > 30 {
			continue
		}
		d := math.Hypot(f.x-last.x, f.y-last.y) / last.size
		if ratio := f.size / last.size; d < 0.9 && ratio > 0.55 && ratio < 1.8 && d < best {
			best, at = d, i
		}
	}
	if at < 0 {
		return append(tracks, []seen{f})
	}
	tracks[at] = append(tracks[at], f)
	return tracks
}

func (f seen) scaled(k float64) seen {
	f.x, f.y, f.size, f.apart = k*f.x, k*f.y, k*f.size, k*f.apart
	for _, p := range []*[2]float64{&f.left, &f.right, &f.middle} {
		p[0], p[1] = k*p[0], k*p[1]
	}
	return f
}

// evenTrack gives the face of every frame: a smooth way through what was seen, and nothing where nobody was for long.
func evenTrack(found []seen, frames int) []seen {
	const (
		sigma = 3.0  // frames
		reach = 12.0 // frames over which a face may be missed
	)
	out := make([]seen, frames)
	ways := make([]nearby, len(found))
	for i := range out {
		// A straight line through the looks nearby, each place by itself: a mean alone lags behind at the ends. Where the head
		// turns back the line would cut the corner, so it bends there, but not for what is mere trembling of the looks.
		var mean nearby
		k0, nearest := 0.0, math.Inf(1)
		for n, f := range found {
			t := f.n - float64(i)
			nearest = math.Min(nearest, math.Abs(t))
			// Beyond the next looks the weight falls fast, but never to nothing: gaps are bridged.
			k := math.Exp(-t*t/(2*sigma*sigma)) + 1e-9/(1+t*t)
			ways[n] = nearby{weight: k, t: t, square: t * t, at: f.places()}
			k0 += k
			mean.add(k, ways[n])
		}
		mean.divide(k0)
		slope, bend := nearby{}, nearby{}
		var along, across, skew float64 // of the time, its square, and between the two
		for _, w := range ways {
			d := w.t - mean.t
			along, skew = along+w.weight*d*d, skew+w.weight*d*w.square
			slope.add(w.weight*d, w)
		}
		at := mean.at
		if nearest <= 2*detectEvery && along > 0.05*k0 {
			curve := func(t, square float64) float64 { return square - mean.square - skew/along*(t-mean.t) }
			for _, w := range ways {
				d := curve(w.t, w.square)
				across += w.weight * d * d
				bend.add(w.weight*d, w)
			}
			bent := 0.0
			if across > k0 {
				bend.divide(across / curve(0, 0))
				bent = smooth((math.Hypot(bend.at[0], bend.at[1])/math.Max(1, mean.at[2]) - 0.03) / 0.05)
			}
			for n := range at {
				at[n] += bent*bend.at[n] - slope.at[n]/along*mean.t
			}
		}
		one := seen{x: at[0], y: at[1], size: at[2], left: [2]float64{at[3], at[4]}, right: [2]float64{at[5], at[6]}}.measured()
		one.replaced = 1 - smooth((nearest-detectEvery)/(reach-detectEvery))
		out[i] = one
	}
	return out
}

// nearby is a look at a face with its distance in time, in frames, and how much it counts; or a sum of such.
type nearby struct {
	weight, t, square float64
	at                [7]float64 // see places
}

func (s *nearby) add(k float64, w nearby) {
	s.t, s.square = s.t+k*w.t, s.square+k*w.square
	for n, p := range w.at {
		s.at[n] += k * p
	}
}

func (s *nearby) divide(k float64) {
	s.t, s.square = s.t/k, s.square/k
	for n := range s.at {
		s.at[n] /= k
	}
}

// places are the numbers a track follows.
func (f seen) places() [7]float64 {
	return [7]float64{f.x, f.y, f.size, f.left[0], f.left[1], f.right[0], f.right[1]}
}

// faceMask is a photo's face, ready to be laid over others.
type faceMask struct {
	photo    *image.NRGBA // around the face
	face     seen         // in photo
	strength float64      // how far the skin's tone follows the film
	wide     float64
}

func newMask(photo *image.NRGBA) (*faceMask, error) {
	photo = imaging.Flatten(small(photo, 1400), 255, 255, 255)
	faces, err := analysis.Faces(photo)
	if err != nil {
		return nil, err
	}
	if len(faces) == 0 {
		return nil, &video.Error{Message: "images: no face was found in the photo."}
	}
	r := faces[0]
	around := r.Inset(-r.Dx() / 3).Intersect(photo.Rect)
	m := &faceMask{photo: imaging.Crop(photo, around), strength: 0.85, wide: 1}
	if m.photo.Rect.Dx() > 700 {
		k := 700 / float64(m.photo.Rect.Dx())
		m.photo = imaging.Resize(m.photo, 700, int(k*float64(m.photo.Rect.Dy())))
	}
	k := float64(m.photo.Rect.Dx()) / float64(around.Dx())
	r = r.Sub(around.Min)
	r = image.Rect(int(k*float64(r.Min.X)), int(k*float64(r.Min.Y)), int(k*float64(r.Max.X)), int(k*float64(r.Max.Y)))
	m.face = lookAt(m.photo, r)
	return m, nil
}

// The part of a face's square that is replaced, from its middle: an ellipse that leaves hair and chin line alone.
const (
	maskX, maskY = 0.40, 0.49
	maskDown     = 0.04 // its middle lies below the square's
	maskFull     = 0.62
)

// lay puts the mask's face over the face f of img. tone carries what was measured from frame to frame, so that the tone
// does not flicker.
func (m *faceMask) lay(img *image.NRGBA, f seen, tone *toneMemory) {
	if f.replaced <= 0 {
		return
	}
	// From the frame to the photo, by the eyes.
	grow := m.face.apart / (f.apart * m.wide)
	sin, cos := math.Sincos(m.face.turn - f.turn)
	to := lookup{a: grow * cos, b: -grow * sin, d: grow * sin, e: grow * cos}
	to.c = m.face.middle[0] - to.a*f.middle[0] - to.b*f.middle[1]
	to.f = m.face.middle[1] - to.d*f.middle[0] - to.e*f.middle[1]
	// The square of the film's face, turned with it.
	up := [2]float64{math.Sin(f.turn), -math.Cos(f.turn)}
	down := maskDown*f.size - eyeY*f.size // from the eyes to the middle of the ellipse
	cx, cy := f.middle[0]-up[0]*down, f.middle[1]-up[1]*down
	rx, ry := maskX*f.size*m.wide, maskY*f.size*m.wide
	box := image.Rect(int(cx-ry-2), int(cy-ry-2), int(cx+ry+3), int(cy+ry+3)).Intersect(img.Rect)
	if box.Dx() < 8 || box.Dy() < 8 {
		return
	}
	under := imaging.Crop(img, box)
	face := image.NewNRGBA(under.Rect)
	w, h := m.photo.Rect.Dx(), m.photo.Rect.Dy()
	skin := mask.New(box.Dx(), box.Dy())
	out := make([]float64, box.Dx()*box.Dy()) // how far out, 1 on the ellipse
	csin, ccos := math.Sincos(-f.turn)
	eachPixel(face, func(x, y int, p []uint8) {
		fx, fy := float64(box.Min.X+x)+0.5, float64(box.Min.Y+y)+0.5
		sample(p, m.photo, float32(to.a*fx+to.b*fy+to.c-0.5), float32(to.d*fx+to.e*fy+to.f-0.5), w, h)
		dx, dy := fx-cx, fy-cy
		r := math.Hypot((ccos*dx-csin*dy)/rx, (csin*dx+ccos*dy)/ry)
		out[y*box.Dx()+x] = r
		if r < 0.85 {
			skin.Pix[y*box.Dx()+x] = 255
		}
	})
	from, want := tone.follow(compose.Measure(face, &skin), compose.Measure(under, &skin))
	matchTone(face, from, want, m.strength)
	// The light of the film: what differs between the two when both are softened, all of it along the rim.
	soft := max(2, int(f.size/9))
	lowFace, lowUnder := compose.Blur(face, soft), compose.Blur(under, soft)
	eachPixel(face, func(x, y int, p []uint8) {
		i := y*box.Dx() + x
		r := out[i]
		// Above the brows the film's own forehead shows: whatever hair falls into the photo's stays there.
		above := (up[0]*(float64(box.Min.X+x)-f.middle[0]) + up[1]*(float64(box.Min.Y+y)-f.middle[1])) / f.apart
		cover := (1 - smooth((r-maskFull)/(1-maskFull))) * (1 - smooth((above-0.5)/0.35)) * f.replaced
		if cover <= 0 {
			return
		}
		take := 0.45 + 0.55*smooth((r-0.35)/0.65)
		q := img.Pix[img.PixOffset(box.Min.X+x, box.Min.Y+y):]
		a, b := lowFace.Pix[lowFace.PixOffset(x, y):], lowUnder.Pix[lowUnder.PixOffset(x, y):]
		for k := range 3 {
			d := math.Max(-60, math.Min(60, float64(b[k])-float64(a[k])))
			v := float64(p[k]) + take*d
			q[k] = byte255(float64(q[k]) + cover*(v-float64(q[k])))
		}
	})
}

// matchTone moves the colours of img from one tone to another, by amount: all of the hue, and the contrast within bounds.
func matchTone(img *image.NRGBA, from, to compose.Stats, amount float64) {
	gain := math.Max(0.75, math.Min(1.3, to.Std[0]/math.Max(1, from.Std[0])))
	eachPixel(img, func(_, _ int, p []uint8) {
		lab := compose.Lab(p[0], p[1], p[2])
		lab[0] += amount * (to.Mean[0] + gain*(lab[0]-from.Mean[0]) - lab[0])
		for k := 1; k < 3; k++ {
			lab[k] += amount * (to.Mean[k] - from.Mean[k])
		}
		p[0], p[1], p[2] = compose.RGB(lab)
	})
}

// toneMemory keeps tones from flickering.
type toneMemory struct {
	known    bool
	from, to compose.Stats
}

func (t *toneMemory) follow(from, to compose.Stats) (compose.Stats, compose.Stats) {
	if !t.known {
		t.known, t.from, t.to = true, from, to
		return from, to
	}
	for k := range 3 {
		t.from.Mean[k] += 0.25 * (from.Mean[k] - t.from.Mean[k])
		t.from.Std[k] += 0.25 * (from.Std[k] - t.from.Std[k])
		t.to.Mean[k] += 0.25 * (to.Mean[k] - t.to.Mean[k])
		t.to.Std[k] += 0.25 * (to.Std[k] - t.to.Std[k])
	}
	return t.from, t.to
}

// faceFilter lays a face over each frame of a film.
type faceFilter struct {
	face  *faceMask
	track []seen
	tone  toneMemory
	held  *image.NRGBA
	full  bool
	n     int
}

func (f *faceFilter) add(img *image.NRGBA) error {
	if f.held == nil {
		f.held = image.NewNRGBA(img.Rect)
	}
	copy(f.held.Pix, img.Pix)
	f.full = true
	return nil
}

func (f *faceFilter) next(_ context.Context, dst *image.NRGBA, _ bool) (bool, error) {
	if !f.full {
		return false, nil
	}
	f.full = false
	copy(dst.Pix, f.held.Pix)
	if f.n < len(f.track) {
		f.face.lay(dst, f.track[f.n], &f.tone)
	}
	f.n++
	return true, nil
}
