package colour

import "encoding/binary"

// table is a tag A2B0: curves, a grid of colours in as many directions as there are values, curves, a matrix and curves again, into the
// connection space (ICC.1:2022, 10.10 to 10.12).
type table struct {
	first  []Curve // of each value
	grid   []int   // points in each direction; nil directions of a table without a grid have 0
	points []float32
	middle []Curve // of what the grid gives; may be nil
	mix    matrix3 // what they give is mixed by it
	add    vector
	last   []Curve
	lab    bool // the connection space is Lab
}

// The most inputs of a table, and the most points of its grid.
const (
	mostInputs = 4
	mostPoints = 2 << 20
)

func readTable(tag []byte, inputs int, lab bool) (*table, bool) {
	if len(tag) < 32 || int(tag[8]) != inputs || tag[9] != 3 {
		return nil, false
	}
	t := &table{lab: lab, mix: matrix3{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}
	switch string(tag[:4]) {
	case "mft1":
		return t, t.readPlain(tag, 48, 256, 256, 1)
	case "mft2":
		if len(tag) < 52 {
			return nil, false
		}
		return t, t.readPlain(tag, 52, int(binary.BigEndian.Uint16(tag[48:])), int(binary.BigEndian.Uint16(tag[50:])), 2)
	case "mAB ":
		return t, t.readAB(tag)
	}
	return nil, false
}

// samplesOf reads whole numbers of one or two bytes as 0 to 1.
func samplesOf(data []byte, width int) func(i int) float64 {
	if width == 1 {
		return func(i int) float64 { return float64(data[i]) / 0xff }
	}
	return func(i int) float64 { return float64(binary.BigEndian.Uint16(data[2*i:])) / 0xffff }
}

// readPlain reads what follows the head of a table of version 2: curves of n samples, the grid, curves of m samples. Its matrix is for XYZ as
// input, which no picture has.
func (t *table) readPlain(tag []byte, head, n, m, width int) bool {
	const most = 4096 // samples of a curve (10.10)
	inputs := int(tag[8])
	if n < 2 || n > most || m < 2 || m > most || len(tag) < head+inputs*n*width {
		return false
	}
	for i := range inputs {
		t.first = append(t.first, sampled(n, samplesOf(tag[head+i*n*width:], width)))
		t.grid = append(t.grid, int(tag[10]))
	}
	rest, ok := t.readPoints(tag[head+inputs*n*width:], width)
	if !ok || len(rest) < 3*m*width {
		return false
	}
	for i := range 3 {
		t.last = append(t.last, sampled(m, samplesOf(rest[i*m*width:], width)))
	}
	return true
}

// readPoints reads the grid.
func (t *table) readPoints(data []byte, width int) (rest []byte, ok bool) {
	count := 3
	for _, n := range t.grid {
		if n < 2 {
			return nil, false
		}
		if count *= n; count > mostPoints {
			return nil, false
		}
	}
	if len(data) < count*width {
		return nil, false
	}
	t.points = make([]float32, count)
	at := samplesOf(data, width)
	for i := range t.points {
		t.points[i] = float32(at(i))
	}
	return data[count*width:], true
}

// readAB reads a table of version 4: the parts stand where the head says, in the order of use A, grid, M, matrix, B. Without a grid only B, or
// M, matrix and B, are there.
func (t *table) readAB(tag []byte) bool {
	inputs := int(tag[8])
	part := func(i int) []byte {
		at := int64(binary.BigEndian.Uint32(tag[12+4*i:]))
		if at == 0 || at > int64(len(tag)) {
			return nil
		}
		return tag[at:]
	}
	curves := func(data []byte, n int) (out []Curve, ok bool) {
		for range n {
			curve, size, ok := readCurve(data)
			if !ok {
				return nil, false
			}
			out = append(out, bounded(curve))
			data = data[min((size+3)&^3, len(data)):]
		}
		return out, true
	}
	offset := func(i int) bool { return binary.BigEndian.Uint32(tag[12+4*i:]) != 0 }
	const partB, partMatrix, partM, partGrid, partA = 0, 1, 2, 3, 4
	ok := false
	if t.last, ok = curves(part(partB), 3); !ok || offset(partA) != offset(partGrid) || offset(partM) != offset(partMatrix) || !offset(partA) && inputs != 3 {
		return false
	}
	if offset(partM) {
		if t.middle, ok = curves(part(partM), 3); !ok {
			return false
		}
		numbers := part(partMatrix)
		if len(numbers) < 4*12 {
			return false
		}
		for i := range 9 {
			t.mix[i/3][i%3] = fixed16(numbers[4*i:])
		}
		for i := range 3 {
			t.add[i] = fixed16(numbers[4*(9+i):])
		}
	}
	t.grid = make([]int, inputs)
	if !offset(partA) {
		return true
	}
	if t.first, ok = curves(part(partA), inputs); !ok {
		return false
	}
	grid := part(partGrid)
	if len(grid) < 20 || grid[16] != 1 && grid[16] != 2 {
		return false
	}
	for i := range inputs {
		t.grid[i] = int(grid[i])
	}
	_, ok = t.readPoints(grid[20:], int(grid[16]))
	return ok
}

// connect is the place of a colour in the connection space, each number encoded as 0 to 1.
func (t *table) connect(values []float64) vector {
	var in [mostInputs]float64
	for i, v := range values {
		in[i] = min(max(v, 0), 1)
		if t.first != nil {
			in[i] = min(max(t.first[i](in[i]), 0), 1)
		}
	}
	out := vector{in[0], in[1], in[2]}
	if t.points != nil {
		out = t.between(in[:len(values)])
	}
	if t.middle != nil {
		for i := range out {
			out[i] = t.middle[i](out[i])
		}
		out = times(t.mix, out)
		for i := range out {
			out[i] = min(max(out[i]+t.add[i], 0), 1)
		}
	}
	for i := range out {
		out[i] = min(max(t.last[i](out[i]), 0), 1)
	}
	return out
}

// light is the light of sRGB of a place in the connection space. Browsers read XYZ as it stands, where the standard has 1 mean nearly 2 (6.3.4.2), and
// Lab of 16 bits in version 2 as in version 4.
func (t *table) light(place vector) vector {
	if t.lab {
		place = fromLab(100*place[0], 255*place[1]-128, 255*place[2]-128)
	}
	return times(fromD50, place)
}

// between mixes the points of the grid around a place, by how near each is in each direction.
func (t *table) between(in []float64) (out vector) {
	var low [mostInputs]int
	var part [mostInputs]float64
	for i, n := range t.grid {
		place := in[i] * float64(n-1)
		low[i] = min(int(place), n-2)
		part[i] = place - float64(low[i])
	}
	for corner := range 1 << len(in) {
		weight, at := 1.0, 0
		for i, n := range t.grid {
			k := corner >> i & 1
			at = at*n + low[i] + k
			if k == 1 {
				weight *= part[i]
			} else {
				weight *= 1 - part[i]
			}
		}
		if weight == 0 {
			continue
		}
		for c, v := range t.points[3*at : 3*at+3] {
			out[c] += weight * float64(v)
		}
	}
	return out
}

// fromLab turns Lab under D50 into XYZ (ICC.1:2022, annex A).
func fromLab(l, a, b float64) vector {
	const edge, slope = 6.0 / 29, 3 * 6.0 / 29 * 6.0 / 29
	y := (l + 16) / 116
	light := func(f, white float64) float64 {
		if f > edge {
			return white * f * f * f
		}
		return white * slope * (f - 4.0/29)
	}
	return vector{light(y+a/500, whiteD50[0]), light(y, whiteD50[1]), light(y-b/200, whiteD50[2])}
}
