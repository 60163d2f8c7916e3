package render

import (
	"context"
	"image"
	"maps"
	"math"
	"slices"

	"atelier/imaging"
	"atelier/imaging/compose"
	"atelier/imaging/video"
)

// namedLook is a style a description may name, and what of the picture is protected under it.
type namedLook struct {
	style     style
	protected string
}

// looksByWord are the styles a description of a transformation may name.
var looksByWord = map[string]namedLook{
	"anime": {asAnime, ""}, "cartoon": {asComic, ""}, "comic": {asComic, ""}, "manga": {asAnime, ""}, "chibi": {asChibi, maskHead},
	"sketch": {asSketch, ""}, "pencil": {asSketch, ""}, "drawing": {asSketch, ""}, "drawn": {asSketch, ""},
	"painting": {asPainting, ""}, "painted": {asPainting, ""}, "oil": {asPainting, ""}, "watercolor": {asWatercolour, ""}, "watercolour": {asWatercolour, ""},
	"3d": {asModel, ""}, "clay": {asModel, ""}, "figure": {asModel, ""}, "statue": {asStatue, ""}, "sculpture": {asStatue, ""}, "marble": {asStatue, ""},
	"graffiti": {asStencil, ""}, "spray": {asStencil, ""}, "stencil": {asStencil, ""},
	"console": {asLowPoly, ""}, "pixel": {asLowPoly, ""}, "retro": {asLowPoly, ""}, "ps2": {asLowPoly, ""}, "game": {asLowPoly, ""},
	"tattoo": {withTattoo, ""}, "old": {asAged, maskHead}, "older": {asAged, maskHead}, "aging": {asAged, maskHead}, "age": {asAged, maskHead}, "elderly": {asAged, maskHead},
	"bald": {asBald, maskHead}, "hair": {withHair(dyes...), maskHead}, "hairstyle": {withHairstyle, maskHead},
	"zombie": {asZombie, maskHead}, "elf": {asElf, maskHead},
	"outfit": {withOutfit, ""}, "dress": {withOutfit, ""}, "clothes": {withOutfit, ""}, "suit": {withOutfit, ""},
	"portrait": {asPortrait, ""}, "selfie": {asSelfie, ""}, "headshot": {asPortrait, ""}, "professional": {asPortrait, ""},
}

// looseLooks say less than any other look beside them does: "painted in watercolour" is no oil painting.
var looseLooks = []string{"painting", "painted", "drawing", "drawn", "figure", "portrait", "hair", "old"}

// lookNamed is the look that words name, of those that may be.
func lookNamed(list []string, may func(word string) bool) (look namedLook, ok bool) {
	for _, w := range list {
		l, known := looksByWord[w]
		if !known || !may(w) {
			continue
		}
		if !slices.Contains(looseLooks, w) {
			return l, true
		}
		if !ok {
			look, ok = l, true
		}
	}
	return look, ok
}

// usualLooks are the styles of items whose description names none.
var usualLooks = []style{asPainting, asAnime, asSketch, asModel}

// transformed is the picture of a person-photo transformation (Run API, "Family G", generatedType image).
// ASSUMED [Looks of family G]: the documents give neither the names nor the wordings of these agents, so the look comes from the words, and
// without any from the item.
func transformed(ctx context.Context, req Request, _ Segmentation) (*image.NRGBA, error) {
	src := req.Source()
	if src == nil {
		return nil, ErrMissingInput
	}
	look, ok := lookNamed(words(req.text("textDescription")), func(string) bool { return true })
	if !ok {
		look.style = usualLooks[req.Item%len(usualLooks)]
	}
	var seg Segmentation
	if look.protected != "" {
		sub := req
		sub.Values = maps.Clone(req.Values)
		sub.Values["maskType"] = look.protected
		var err error
		if seg, err = segmentOriginal(ctx, sub); err != nil {
			return nil, err
		}
	}
	return styled(look.style, look.protected, true).render(ctx, req, seg)
}

// transformPhoto shows the photo turn into its transformation: a band of light passes over the person and leaves the new
// look behind, while the camera comes nearer (Run API, "Family G", generatedType video).
func (s *studio) transformPhoto(ctx context.Context) (VideoResult, error) {
	src := s.req.Source()
	if src == nil {
		return VideoResult{}, ErrMissingInput
	}
	sub := s.req
	sub.Progress = nil
	result, err := transformed(ctx, sub, Segmentation{})
	if err != nil {
		return VideoResult{}, err
	}
	s.req.progress(0.15)
	size := s.req.frameSize(src.Rect.Size())
	seconds, _ := s.req.seconds()
	frames := filmRate.Frames(seconds)
	before := imaging.Flatten(src, 255, 255, 255)
	if result.Rect.Dx()*before.Rect.Dy() != result.Rect.Dy()*before.Rect.Dx() {
		// A look of another shape, such as a portrait: both are brought to the video's.
		before = compose.Cover(before, size.X, size.Y, compose.Framing{X: 0.5, Y: 0.3, Zoom: 1})
		result = compose.Cover(result, size.X, size.Y, compose.Framing{X: 0.5, Y: 0.3, Zoom: 1})
	}
	d := s.direct(0)
	if !readDirection(s.req.text("textDescription"), "").moved {
		d = direction{zoom: 1.14 + 0.02*float64(s.req.Item%4), speed: 1, lively: 0.6, air: d.air}
	}
	d.first, d.aside = true, 0
	var takes [2]*take
	for i, img := range []*image.NRGBA{before, result} {
		if takes[i], err = s.newTake(ctx, img, size, frames, d, false); err != nil {
			return VideoResult{}, err
		}
	}
	takes[1].fx, takes[1].fy = takes[0].fx, takes[0].fy
	s.req.progress(0.2)
	sounds, err := s.soundtrack(ctx, seconds)
	if err != nil {
		return VideoResult{}, err
	}
	slant := []float64{0.25, -0.25, 0.6, -0.6}[s.req.Item%4]
	next := image.NewNRGBA(image.Rectangle{Max: size})
	return s.shootFilm(ctx, film{
		size: size, rate: filmRate, frames: frames, from: 0.2, poster: frames * 4 / 5, keepEnd: true,
		opt: video.WriteOptions{Sounds: sounds, Fade: 0.4},
		draw: func(n int, dst *image.NRGBA) error {
			share := float64(n) / float64(max(1, frames-1))
			if err := takes[0].draw(n, dst); err != nil {
				return err
			}
			turned := (share - 0.22) / 0.42
			if turned > 0 {
				if err := takes[1].draw(n, next); err != nil {
					return err
				}
				reveal(dst, next, smooth(math.Min(1, turned)), slant)
			}
			addAir(dst, d.air, float64(n)/filmRate.PerSecond()+3, share, uint32(s.req.seed()))
			return nil
		},
	})
}

// reveal lays next over dst behind a soft, bright edge that has come as far as share.
func reveal(dst, next *image.NRGBA, share, slant float64) {
	w, h := float64(dst.Rect.Dx()), float64(dst.Rect.Dy())
	edge := -0.2 + share*1.4
	f := field{seed: 5}
	eachPixel(dst, func(x, y int, p []uint8) {
		fx, fy := float64(x)/w, float64(y)/h
		along := fx*(1-math.Abs(slant)) + math.Abs(slant)*fy
		if slant < 0 {
			along = (1-fx)*(1-math.Abs(slant)) + math.Abs(slant)*fy
		}
		d := edge - along + 0.02*f.sum(fx*6, fy*6, 3)
		k := smooth((d + 0.06) / 0.12)
		glow := math.Max(0, 1-math.Abs(d)/0.09)
		glow *= 0.55 * glow
		q := next.Pix[next.PixOffset(x, y):]
		for c, v := range [3]float64{255, 246, 226} {
			m := float64(p[c]) + k*(float64(q[c])-float64(p[c]))
			p[c] = byte255(m + glow*(v-m))
		}
	})
}
