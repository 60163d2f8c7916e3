package segment

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	pigo "github.com/esimov/pigo/core"
)

// fields are pictures of many shapes with what resembles faces here and there: soft blots of any size, light and dark.
func fields(seed uint64, w, h int) []uint8 {
	random := rand.New(rand.NewPCG(seed, 5))
	gray := make([]float32, w*h)
	for range 60 {
		x, y, r := random.IntN(w), random.IntN(h), 3+random.IntN(max(w, h)/6)
		tone := float32(random.IntN(160) - 80)
		for j := max(0, y-r); j < min(h, y+r); j++ {
			for i := max(0, x-r); i < min(w, x+r); i++ {
				if d := float32((i-x)*(i-x)+(j-y)*(j-y)) / float32(r*r); d < 1 {
					gray[j*w+i] += tone * (1 - d)
				}
			}
		}
	}
	out := make([]uint8, len(gray))
	for i, v := range gray {
		out[i] = uint8(min(255, max(0, 128+v)))
	}
	return out
}

// Each window's quality is compared, too, where the cascade gives up none before its last tree.
func TestUprightFacesAreThoseOfTheCascade(t *testing.T) {
	t.Parallel()
	lenient := slices.Clone(cascade)
	depth, trees := binary.LittleEndian.Uint32(lenient[8:]), binary.LittleEndian.Uint32(lenient[12:])
	leaves := 1 << depth
	for at := 16; trees > 0; trees-- {
		at += 4*(leaves-1) + 4*leaves + 4
		binary.LittleEndian.PutUint32(lenient[at-4:], math.Float32bits(-1000))
	}
	n := 0
	for seed, size := range [][2]int{{70, 55}, {48, 80}, {61, 61}} {
		p := pigo.CascadeParams{
			MinSize: 20, MaxSize: min(size[0], size[1]), ShiftFactor: 0.08, ScaleFactor: 1.08,
			ImageParams: pigo.ImageParams{Pixels: fields(uint64(seed), size[0], size[1]), Rows: size[1], Cols: size[0], Dim: size[0]},
		}
		for name, packet := range map[string][]byte{"as it is": cascade, "lenient": lenient} {
			f, err := pigo.NewPigo().Unpack(packet)
			if err != nil {
				t.Fatal(err)
			}
			want, got := f.RunCascade(p, 0), unpackUpright(packet).run(p)
			if !slices.Equal(got, want) {
				t.Errorf("%s, in picture %d there are %d windows, of the cascade %d, or others", name, seed, len(got), len(want))
			}
			n += len(want)
		}
	}
	if n < 4000 {
		t.Errorf("only %d windows were compared", n)
	}
}

func BenchmarkUprightFaces(b *testing.B) {
	f, err := finder()
	if err != nil {
		b.Fatal(err)
	}
	p := pigo.CascadeParams{
		MinSize: 26, MaxSize: 480, ShiftFactor: 0.08, ScaleFactor: 1.08,
		ImageParams: pigo.ImageParams{Pixels: fields(1, 640, 480), Rows: 480, Cols: 640, Dim: 640},
	}
	b.Run("here", func(b *testing.B) {
		for b.Loop() {
			f.upright.run(p)
		}
	})
	b.Run("of the package", func(b *testing.B) {
		for b.Loop() {
			f.RunCascade(p, 0)
		}
	})
}
