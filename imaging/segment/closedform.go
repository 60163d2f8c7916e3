package segment

import (
	"context"
	"math"
)

// closedForm finds the alpha of the open pixels of a trimap (0 redrawn, 1 kept, 2 open) under the colour line model of
// Levin, Lischinski and Weiss ("A Closed-Form Solution to Natural Image Matting", 2008): in each 3×3 window alpha is a
// linear function of colour. guess is where the search starts, and pulls the answer towards it a little. Alphas are
// 0..1, for the whole canvas.
func closedForm(ctx context.Context, c *canvas, trimap []uint8, guess []float32) ([]float32, error) {
	const rounds = 60
	alpha := make([]float32, len(trimap))
	number := make([]int32, len(trimap))
	var pixels []int32
	for i, t := range trimap {
		number[i] = -1
		switch t {
		case 1:
			alpha[i] = 1
		case 2:
			alpha[i] = guess[i]
			number[i] = int32(len(pixels))
			pixels = append(pixels, int32(i))
		}
	}
	if len(pixels) == 0 || c.w < 3 || c.h < 3 {
		return alpha, nil
	}
	m := assemble(c, pixels, number, alpha, guess)
	x := make([]float64, len(pixels)+1)
	for k, i := range pixels {
		x[k] = float64(guess[i])
	}
	if err := m.solve(ctx, x, rounds, 2e-4); err != nil {
		return nil, err
	}
	for k, i := range pixels {
		alpha[i] = float32(min(max(x[k], 0), 1))
	}
	return alpha, nil
}

// laplacian is the matting system: for each open pixel the coefficients of the 25 pixels around it.
type laplacian struct {
	coef  [][25]float32
	at    [][25]int32 // number of the neighbour, or the count of open pixels for "not open"
	right []float64
}

// window holds what one 3×3 window says about colour: the mean and the inverse covariance.
type window struct {
	mean [3]float64
	inv  [6]float64
}

func assemble(c *canvas, pixels, number []int32, alpha, guess []float32) *laplacian {
	const pull = 0.003
	windows, of := colourWindows(c, pixels)
	n := len(pixels)
	m := &laplacian{coef: make([][25]float32, n), at: make([][25]int32, n), right: make([]float64, n)}
	spread(n, func(lo, hi int) {
		for k := lo; k < hi; k++ {
			i := int(pixels[k])
			x, y := i%c.w, i/c.w
			var row [25]float64
			for wy := max(y-1, 1); wy <= min(y+1, c.h-2); wy++ {
				for wx := max(x-1, 1); wx <= min(x+1, c.w-2); wx++ {
					windows[of[wy*c.w+wx]].share(c, i, wx, wy, x, y, &row)
				}
			}
			row[12] += pull
			m.right[k] = pull * float64(guess[i])
			for o := range 25 {
				m.at[k][o] = int32(n)
				if row[o] == 0 {
					continue
				}
				j := i + (o/5-2)*c.w + o%5 - 2
				if number[j] < 0 {
					m.right[k] -= row[o] * float64(alpha[j])
					continue
				}
				m.at[k][o] = number[j]
				m.coef[k][o] = float32(row[o])
			}
		}
	})
	return m
}

// colourWindows measures every window that holds an open pixel; of gives the number of the window centred at a pixel.
func colourWindows(c *canvas, pixels []int32) ([]window, []int32) {
	of := make([]int32, c.w*c.h)
	var centres []int32
	for _, p := range pixels {
		x, y := int(p)%c.w, int(p)/c.w
		for wy := max(y-1, 1); wy <= min(y+1, c.h-2); wy++ {
			for wx := max(x-1, 1); wx <= min(x+1, c.w-2); wx++ {
				if i := wy*c.w + wx; of[i] == 0 {
					centres = append(centres, int32(i))
					of[i] = int32(len(centres))
				}
			}
		}
	}
	for _, i := range centres {
		of[i]--
	}
	out := make([]window, len(centres))
	spread(len(out), func(lo, hi int) {
		for n := lo; n < hi; n++ {
			var m moments
			for o := range 9 {
				j := int(centres[n]) + (o/3-1)*c.w + o%3 - 1
				m.add([3]float64{float64(c.pix[3*j]) / 255, float64(c.pix[3*j+1]) / 255, float64(c.pix[3*j+2]) / 255}, 1)
			}
			const epsilon = 1e-6 / 9
			v := m.covariance()
			v[0], v[3], v[5] = v[0]+epsilon, v[3]+epsilon, v[5]+epsilon
			out[n].mean = m.mean()
			out[n].inv, _ = invert(v)
		}
	})
	return out, of
}

// share adds the window's part of the row of pixel i at (x,y).
func (w *window) share(c *canvas, i, wx, wy, x, y int, row *[25]float64) {
	r, g, b := float64(c.pix[3*i])/255-w.mean[0], float64(c.pix[3*i+1])/255-w.mean[1], float64(c.pix[3*i+2])/255-w.mean[2]
	u := [3]float64{
		w.inv[0]*r + w.inv[1]*g + w.inv[2]*b,
		w.inv[1]*r + w.inv[3]*g + w.inv[4]*b,
		w.inv[2]*r + w.inv[4]*g + w.inv[5]*b,
	}
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			j := (wy+dy)*c.w + wx + dx
			q := u[0]*(float64(c.pix[3*j])/255-w.mean[0]) + u[1]*(float64(c.pix[3*j+1])/255-w.mean[1]) + u[2]*(float64(c.pix[3*j+2])/255-w.mean[2])
			row[(wy+dy-y+2)*5+wx+dx-x+2] -= (1 + q) / 9
		}
	}
	row[12]++
}

// solve runs conjugate gradients with a diagonal preconditioner until the residual has shrunk to tolerance. x carries
// one zero more than there are unknowns, for neighbours that are not open.
func (m *laplacian) solve(ctx context.Context, x []float64, rounds int, tolerance float64) error {
	n := len(m.right)
	r, z, p, q := make([]float64, n), make([]float64, n), make([]float64, n+1), make([]float64, n)
	m.times(x, q)
	rz, scale := 0.0, 0.0
	for i := range r {
		r[i] = m.right[i] - q[i]
		z[i] = r[i] / m.diagonal(i)
		p[i] = z[i]
		rz += r[i] * z[i]
		scale += m.right[i] * m.right[i] / m.diagonal(i)
	}
	stop := tolerance * tolerance * max(scale, rz, 1e-12)
	for range rounds {
		if rz <= stop {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		m.times(p, q)
		pq := 0.0
		for i := range q {
			pq += p[i] * q[i]
		}
		if pq <= 0 || math.IsNaN(pq) {
			return nil
		}
		step, next := rz/pq, 0.0
		for i := range r {
			x[i] += step * p[i]
			r[i] -= step * q[i]
			z[i] = r[i] / m.diagonal(i)
			next += r[i] * z[i]
		}
		for i := range r {
			p[i] = z[i] + next/rz*p[i]
		}
		rz = next
	}
	return nil
}

func (m *laplacian) diagonal(i int) float64 { return max(float64(m.coef[i][12]), 1e-9) }

func (m *laplacian) times(x, out []float64) {
	spread(len(out), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			c, at := &m.coef[i], &m.at[i]
			sum := 0.0
			for o := range 25 {
				sum += float64(c[o]) * x[at[o]]
			}
			out[i] = sum
		}
	})
}
