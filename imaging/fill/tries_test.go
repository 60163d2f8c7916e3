package fill

import (
	"image"
	"testing"
)

func TestSlowOfSeveralTriesTheOneThatJoinsBestIsCarriedOut(t *testing.T) {
	t.Parallel()
	const tries = 6
	src := landscape(90, 72)
	better := 0
	for seed := range int64(3) {
		canvas := func(tries int) *problem {
			p := newProblem(image.NewNRGBA(image.Rect(0, 0, 130, 96)), pictureOf(src), Options{Seed: seed, Tries: tries})
			p.left, p.top, p.beyond = 20, 8, true
			for y := range src.Rect.Dy() {
				row := (y+p.top)*p.dst.w + p.left
				copy(p.dst.pix[4*row:], src.Pix[y*src.Stride:][:4*src.Rect.Dx()])
				for x := range src.Rect.Dx() {
					p.state[row+x] = known
				}
			}
			return p
		}
		misfit := func(tries int) float64 {
			p := canvas(tries)
			stages, top, err := p.pyramid(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			rare, err := p.rarity(t.Context(), stages)
			if err != nil {
				t.Fatal(err)
			}
			l, _, err := p.decide(t.Context(), stages, top, rare)
			if err != nil {
				t.Fatal(err)
			}
			return l.misfit()
		}
		once, often := misfit(1), misfit(tries)
		if often > once {
			t.Errorf("seed %d: of %d tries one with a misfit of %.0f was taken, the first has %.0f", seed, tries, often, once)
		}
		if often < once {
			better++
		}
	}
	if better == 0 {
		t.Error("more tries make no decision better")
	}
}
