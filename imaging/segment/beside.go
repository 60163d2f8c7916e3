package segment

import "math"

// beside scores how much more common each pixel's colour is where the subject is expected than beside it, at the same height: a street
// has one colour at the feet and another at the head, so a colour that is rare in the whole background may still be common here.
// chance is where the subject is expected, 0..1. Scores lie within about ±4.
func beside(k *cutter, chance []float64) []float32 {
	const (
		clusters = 48
		bands    = 10
		floor    = 0.01
	)
	cluster, _ := split(k.colours, k.colours.count, clusters)
	var inside, outside [bands][clusters]float64
	add := func(to *[bands][clusters]float64, y, n int, w float64) {
		at := (float64(y)+0.5)/float64(k.h)*bands - 0.5
		lo := int(math.Floor(at))
		f := at - float64(lo)
		to[max(lo, 0)][n] += w * (1 - f)
		to[min(lo+1, bands-1)][n] += w * f
	}
	for i, p := range chance {
		n := int(cluster[k.colours.of[i]])
		if p > 0.4 {
			add(&inside, i/k.w, n, p)
		} else if p < 0.1 {
			add(&outside, i/k.w, n, 1-p)
		}
	}
	var score [bands][clusters]float64
	for b := range bands {
		in, out := total(inside[b][:]), total(outside[b][:])
		if in == 0 || out == 0 {
			continue
		}
		for n := range clusters {
			score[b][n] = math.Log((inside[b][n]/in + floor) / (outside[b][n]/out + floor))
		}
	}
	result := make([]float32, len(chance))
	for i := range result {
		n := cluster[k.colours.of[i]]
		at := min(max((float64(i/k.w)+0.5)/float64(k.h)*bands-0.5, 0), bands-1)
		lo := int(at)
		f := at - float64(lo)
		result[i] = float32(score[lo][n]*(1-f) + score[min(lo+1, bands-1)][n]*f)
	}
	return result
}

func total(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum
}
