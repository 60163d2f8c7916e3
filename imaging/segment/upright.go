package segment

import (
	"encoding/binary"
	"math"

	pigo "github.com/esimov/pigo/core"
)

// upright runs the face cascade over windows that do not lean, to the same detections as (*pigo.Pigo).RunCascade. Which pixels a tree
// compares depends on the size of the window alone: that is worked out once for all windows of a size, instead of at every comparison.
type upright struct {
	depth, leaves int       // of each tree; inner nodes are 1 to leaves-1, below node n are 2n and 2n+1
	codes         [][4]int8 // by tree and node: rows and columns of two pixels, in 256ths of the window's size
	scores        []float32 // by tree and leaf
	thresholds    []float32 // by tree: who has no more than that so far is no face
}

// unpackUpright reads a cascade as (*pigo.Pigo).Unpack does.
func unpackUpright(packet []byte) *upright {
	word := func() uint32 {
		v := binary.LittleEndian.Uint32(packet)
		packet = packet[4:]
		return v
	}
	packet = packet[8:]
	u := &upright{depth: int(word())}
	u.leaves = 1 << u.depth
	for range word() {
		u.codes = append(u.codes, [4]int8{})
		for range u.leaves - 1 {
			u.codes = append(u.codes, [4]int8{int8(packet[0]), int8(packet[1]), int8(packet[2]), int8(packet[3])})
			packet = packet[4:]
		}
		for range u.leaves {
			u.scores = append(u.scores, math.Float32frombits(word()))
		}
		u.thresholds = append(u.thresholds, math.Float32frombits(word()))
	}
	return u
}

// run looks at windows of all sizes, row by row.
func (u *upright) run(p pigo.CascadeParams) []pigo.Detection {
	var found []pigo.Detection
	pairs := make([][2]int32, len(u.codes)) // where the two pixels lie from the middle of a window
	for size := p.MinSize; size <= p.MaxSize; size = int(float64(size) + math.Max(2, float64(size)*p.ScaleFactor-float64(size))) {
		step, edge := int(math.Max(p.ShiftFactor*float64(size), 1)), size/2+1
		placed := 0 // the trees whose pairs are those of this size: most windows are given up after a few
		for row := edge; row <= p.Rows-edge; row += step {
			for col := edge; col <= p.Cols-edge; col += step {
				at, score := row*p.Dim+col, float32(0)
				tree := 0
				for ; tree < len(u.thresholds); tree++ {
					if tree == placed {
						u.place(pairs, tree, size, p.Dim)
						placed++
					}
					nodes := pairs[tree*u.leaves : (tree+1)*u.leaves]
					n := 1
					for range u.depth {
						a, b := p.Pixels[at+int(nodes[n][0])], p.Pixels[at+int(nodes[n][1])]
						n = 2*n + 1 + (int(b)-int(a))>>63 // 2n+1 unless a is the lighter one: nobody could foretell a branch
					}
					if score += u.scores[(tree-1)*u.leaves+n]; score <= u.thresholds[tree] {
						break
					}
				}
				if tree < len(u.thresholds) {
					continue
				}
				if q := score - u.thresholds[tree-1]; q > 0 {
					found = append(found, pigo.Detection{Row: row, Col: col, Scale: size, Q: q})
				}
			}
		}
	}
	return found
}

// place works out the pairs of one tree for windows of a size.
func (u *upright) place(pairs [][2]int32, tree, size, dim int) {
	for i := tree * u.leaves; i < (tree+1)*u.leaves; i++ {
		c := u.codes[i]
		pairs[i] = [2]int32{
			int32(int(c[0])*size>>8*dim + int(c[1])*size>>8),
			int32(int(c[2])*size>>8*dim + int(c[3])*size>>8),
		}
	}
}
